//! What is assigned: members and topics as plain, editable data, and what the assignors make of it.

use super::outcome::Rule;
use crate::kafka::assignor::server::{ServerMember, ServerTopic, SubscriptionType, Target};
use crate::kafka::assignor::{ClusterTopics, MemberSubscription, TopicMetadata};
use crate::kafka::ids::{GroupInstanceId, MemberId, TopicName, TopicPartition, Uuid};
use crate::kafka::protocol::{CooperativeUserData, StickyUserData};
use crate::kafka::sorted::SortedMap;
use crate::view::stage::Owner;
use std::rc::Rc;

/// A group, as an assignor gets to see it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LabGroup {
    /// Members, in the order in which the leader received them.
    pub members: Vec<LabMember>,
    /// Topics.
    pub topics: Vec<LabTopic>,
    /// Generation in which the members came to own what they own.
    pub generation: i32,
    /// Whose doing the present owners are.
    pub past: Past,
}

/// Where what members own comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Past {
    /// It is the same for all assignors.
    #[default]
    Shared,
    /// Each assignor goes on from its own last result.
    Own,
}

/// A member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabMember {
    /// Colour and letter.
    pub owner: Owner,
    /// Id from the coordinator.
    pub member_id: MemberId,
    /// Set for a static member.
    pub instance_id: Option<GroupInstanceId>,
    /// `client.rack`
    pub rack: Option<Rc<str>>,
    /// Subscribed topics.
    pub topics: Rc<[TopicName]>,
    /// What it owns before the assignment.
    pub owned: Vec<TopicPartition>,
    /// The same by rule, under [`Past::Own`]; one that is missing owns nothing.
    pub owned_by_rule: Vec<Vec<TopicPartition>>,
    /// Whether it takes part. One that left shows from whom its partitions come.
    pub is_present: bool,
}

/// A topic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabTopic {
    /// Its name.
    pub name: TopicName,
    /// Number of partitions.
    pub partitions: i32,
    /// Racks of the replicas of partition 0, 1, …, over and over. Empty: racks are unknown.
    pub racks: Vec<Vec<Rc<str>>>,
}

impl LabTopic {
    /// A topic whose racks are unknown.
    pub fn new(name: &str, partitions: i32) -> Self {
        Self {
            name: name.into(),
            partitions,
            racks: Vec::new(),
        }
    }

    /// Number of partitions, as a count.
    pub fn len(&self) -> usize {
        usize::try_from(self.partitions).unwrap_or(0)
    }

    /// Whether it has no partition.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Partitions by place: topic after topic, numbers ascending.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Places {
    names: Vec<TopicName>,
    first: Vec<usize>,
    by_name: SortedMap<TopicName, usize>,
    /// Number of all partitions.
    pub count: usize,
}

impl Places {
    /// The place of a partition that exists.
    pub fn of(&self, partition: &TopicPartition) -> Option<usize> {
        let topic = *self.by_name.get(&partition.topic)?;
        let place = self
            .first
            .get(topic)?
            .checked_add(usize::try_from(partition.partition).ok()?)?;
        let end = self.first.get(topic + 1).copied().unwrap_or(self.count);
        (place < end).then_some(place)
    }

    /// Topic, by place, and number of a partition.
    pub fn topic_and_number(&self, place: usize) -> (usize, usize) {
        let topic = self
            .first
            .partition_point(|first| *first <= place)
            .saturating_sub(1);
        (topic, place - self.first.get(topic).copied().unwrap_or(0))
    }

    /// The partition at a place.
    pub fn partition(&self, place: usize) -> TopicPartition {
        let (topic, number) = self.topic_and_number(place);
        TopicPartition {
            topic: self.names.get(topic).cloned().unwrap_or_default(),
            partition: i32::try_from(number).unwrap_or(i32::MAX),
        }
    }

    /// The topic of that name, by place.
    pub fn topic(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }
}

impl LabGroup {
    /// Where which partition is.
    pub fn places(&self) -> Places {
        let mut places = Places::default();
        for (index, topic) in self.topics.iter().enumerate() {
            places.first.push(places.count);
            places.names.push(topic.name.clone());
            places.by_name.insert(topic.name.clone(), index);
            places.count += topic.len();
        }
        places
    }

    /// The group as an assignor finds it: under [`Past::Own`] with its own last result.
    pub fn as_found_by(&self, rule: Rule) -> LabGroup {
        let mut group = self.clone();
        if self.past == Past::Own {
            for member in &mut group.members {
                let own = std::mem::take(&mut member.owned_by_rule);
                member.owned = own.into_iter().nth(rule.place()).unwrap_or_default();
            }
        }
        group
    }

    /// The members that take part, by place.
    pub fn present(&self) -> impl Iterator<Item = (usize, &LabMember)> {
        self.members
            .iter()
            .enumerate()
            .filter(|(_, member)| member.is_present)
    }

    /// Places of members by id.
    pub(super) fn by_id(&self) -> SortedMap<&str, usize> {
        let ids = self.members.iter().enumerate();
        ids.map(|(place, member)| (member.member_id.as_str(), place))
            .collect()
    }

    /// The leader's metadata.
    pub(super) fn cluster(&self) -> ClusterTopics {
        let topics = self.topics.iter().map(|topic| {
            let racks = topic.racks.iter().cycle();
            let metadata = TopicMetadata {
                partitions: topic.partitions,
                replica_racks: if topic.racks.is_empty() {
                    Vec::new()
                } else {
                    racks.take(topic.len()).cloned().collect()
                },
            };
            (topic.name.clone(), metadata)
        });
        ClusterTopics {
            topics: topics.collect(),
        }
    }

    /// The subscriptions of those that are present, as a Java consumer writes them: what it owns is in the
    /// subscription and in the user data of both sticky assignors.
    pub(super) fn subscriptions(&self, user_data: UserData) -> Vec<MemberSubscription> {
        let subscription = |(_, member): (usize, &LabMember)| {
            // One that owns nothing has not been assigned anything yet.
            let generation = if member.owned.is_empty() {
                -1
            } else {
                self.generation
            };
            MemberSubscription {
                member_id: member.member_id.clone(),
                group_instance_id: member.instance_id.clone(),
                rack_id: member.rack.clone(),
                topics: member.topics.to_vec(),
                // An eager member has given up everything when it joins.
                owned_partitions: match user_data {
                    UserData::Sticky => Vec::new(),
                    UserData::Cooperative => member.owned.clone(),
                },
                generation,
                user_data: match user_data {
                    UserData::Sticky if member.owned.is_empty() => None,
                    UserData::Sticky => Some(
                        StickyUserData {
                            partitions: member.owned.clone(),
                            generation: Some(generation),
                        }
                        .encode_as_java(),
                    ),
                    UserData::Cooperative => Some(CooperativeUserData { generation }.encode()),
                },
            }
        };
        self.present().map(subscription).collect()
    }

    /// Topics by the ids that the lab gives them: their places, counted from 1.
    pub(super) fn server_topics(&self) -> SortedMap<Uuid, ServerTopic> {
        let topics = self.topics.iter().enumerate().map(|(place, topic)| {
            let known = ServerTopic {
                name: topic.name.clone(),
                partitions: topic.partitions,
            };
            (topic_id(place), known)
        });
        topics.collect()
    }

    /// The members as the coordinator knows them, and whether they all want the same.
    pub(super) fn server_members(&self, places: &Places) -> (Vec<ServerMember>, SubscriptionType) {
        let known = |(_, member): (usize, &LabMember)| {
            let mut ids: Vec<Uuid> = Vec::new();
            for name in member.topics.iter() {
                let id = places.topic(name).map(topic_id);
                ids.extend(id.filter(|id| !ids.contains(id)));
            }
            ServerMember {
                member_id: member.member_id.clone(),
                instance_id: member.instance_id.clone(),
                topic_ids: ids.into(),
                target: Rc::new(target(&member.owned, places).walked()),
            }
        };
        let members: Vec<ServerMember> = self.present().map(known).collect();
        let mut wanted = members.iter().map(|member| {
            let mut ids = member.topic_ids.to_vec();
            ids.sort_unstable();
            ids
        });
        let first = wanted.next();
        let is_same = wanted.all(|ids| Some(&ids) == first.as_ref());
        let kind = if is_same {
            SubscriptionType::Homogeneous
        } else {
            SubscriptionType::Heterogeneous
        };
        (members, kind)
    }
}

/// Which sticky assignor's memory a subscription carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UserData {
    /// `sticky`: partitions and generation.
    Sticky,
    /// `cooperative-sticky`, and everybody else.
    Cooperative,
}

/// The id that the lab gives to a topic.
pub(super) fn topic_id(place: usize) -> Uuid {
    Uuid {
        high: 0,
        low: i64::try_from(place).map_or(i64::MAX, |place| place + 1),
    }
}

/// The topic behind an id that the lab gave.
pub(super) fn topic_place(id: Uuid) -> Option<usize> {
    usize::try_from(id.low).ok()?.checked_sub(1)
}

fn target(owned: &[TopicPartition], places: &Places) -> Target {
    let mut target = Target::default();
    for partition in owned {
        let Some(id) = places.topic(&partition.topic).map(topic_id) else {
            continue;
        };
        match target.topics.iter_mut().find(|(topic, _)| *topic == id) {
            Some((_, numbers)) => numbers.push(partition.partition),
            None => target.topics.push((id, vec![partition.partition])),
        }
    }
    target
}
