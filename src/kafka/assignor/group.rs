//! A group and its topics as indices.

use super::{
    ClusterTopics, Explain, GroupAssignment, MemberAssignment, MemberOrder, MemberSubscription,
    Step, TopicMetadata,
};
use crate::kafka::ids::{MemberId, TopicName, TopicPartition};
use crate::kafka::java_hash::{compare_strings, string_hash, topic_partition_hash, walk};
use crate::kafka::sorted::{SortedMap, sort_places};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What each member gets, by member index: partition indices in the order of Kafka's list.
pub(super) type Lists = Vec<Vec<usize>>;

/// A member. Its index is its place in the walk of Java's map of subscriptions.
pub(super) struct Member<'a> {
    pub subscription: &'a MemberSubscription,
    /// Indices of its topics that have metadata, in the order of the subscription, each once. Neighbours with the
    /// same subscription share the list.
    pub topics: Rc<[usize]>,
}

/// A topic that has metadata and that somebody is subscribed to. Its index is its place in name order.
pub(super) struct Topic<'a> {
    pub name: &'a TopicName,
    pub metadata: &'a TopicMetadata,
    /// Index of partition 0; the others follow.
    pub first: usize,
    /// Number of partitions, at least one.
    pub partitions: usize,
}

/// The group. Partition indices ascend by (topic name, number); claims of partitions that do not exist get indices
/// behind those.
pub(super) struct Group<'a> {
    pub members: Vec<Member<'a>>,
    pub topics: Vec<Topic<'a>>,
    /// Topics in the walk of Java's map of partitions per topic.
    pub topic_walk: Vec<usize>,
    /// Number of partitions that exist.
    pub partitions: usize,
    /// Topic and number by partition index.
    places: Vec<(usize, i32)>,
    by_name: SortedMap<&'a str, usize>,
    /// A row of bits per member: its topics.
    subscribed: Vec<u64>,
    words: usize,
}

impl<'a> Group<'a> {
    pub(super) fn new(cluster: &'a ClusterTopics, received: &'a [MemberSubscription]) -> Self {
        let walked = walk_members(received);
        let (topics, topic_walk) = walk_topics(cluster, &walked);
        let by_name: SortedMap<&str, usize> = topics
            .iter()
            .enumerate()
            .map(|(index, topic)| (topic.name.as_str(), index))
            .collect();
        let mut places = Vec::new();
        for (index, topic) in topics.iter().enumerate() {
            places.extend((0..topic.metadata.partitions).map(|number| (index, number)));
        }
        let words = topics.len().div_ceil(64);
        let mut group = Self {
            members: Vec::with_capacity(walked.len()),
            partitions: places.len(),
            topics,
            topic_walk,
            places,
            by_name,
            subscribed: vec![0; words * walked.len()],
            words,
        };
        for subscription in walked {
            group.add_member(subscription);
        }
        group
    }

    fn add_member(&mut self, subscription: &'a MemberSubscription) {
        let index = self.members.len();
        let row = index * self.words;
        let same = self
            .members
            .last()
            .filter(|last| last.subscription.topics == subscription.topics);
        if let Some(last) = same {
            let topics = last.topics.clone();
            self.subscribed.copy_within(row - self.words..row, row);
            self.members.push(Member {
                subscription,
                topics,
            });
            return;
        }
        let mut topics = Vec::with_capacity(subscription.topics.len());
        for name in &subscription.topics {
            let Some(topic) = self.by_name.get(name.as_str()) else {
                continue;
            };
            let bits = &mut self.subscribed[row + topic / 64];
            if *bits & (1 << (topic % 64)) == 0 {
                *bits |= 1 << (topic % 64);
                topics.push(*topic);
            }
        }
        self.members.push(Member {
            subscription,
            topics: topics.into(),
        });
    }

    /// Whether a member is subscribed to a topic.
    pub(super) fn subscribes(&self, member: usize, topic: usize) -> bool {
        self.subscribed[member * self.words + topic / 64] & (1 << (topic % 64)) != 0
    }

    /// The topic of that name, if it takes part.
    pub(super) fn topic_named(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Topic of a partition.
    pub(super) fn topic_of(&self, partition: usize) -> usize {
        self.places[partition].0
    }

    /// Number of a partition in its topic.
    pub(super) fn number_of(&self, partition: usize) -> i32 {
        self.places[partition].1
    }

    /// Index of a partition of a topic that takes part. One that does not exist gets an index of its own.
    pub(super) fn partition_at(&mut self, topic: usize, number: i32) -> usize {
        let known = &self.topics[topic];
        if let Ok(offset) = usize::try_from(number)
            && offset < known.partitions
        {
            return known.first + offset;
        }
        let unreal = &self.places[self.partitions..];
        if let Some(position) = unreal.iter().position(|place| *place == (topic, number)) {
            return self.partitions + position;
        }
        self.places.push((topic, number));
        self.places.len() - 1
    }

    /// Number of partition indices in use, those of partitions that do not exist included.
    pub(super) fn partition_indices(&self) -> usize {
        self.places.len()
    }

    /// `TopicPartition.hashCode`.
    pub(super) fn partition_hash(&self, partition: usize) -> i32 {
        let (topic, number) = self.places[partition];
        topic_partition_hash(string_hash(self.topics[topic].name), number)
    }

    /// The partition by name.
    pub(super) fn partition(&self, partition: usize) -> TopicPartition {
        let (topic, number) = self.places[partition];
        TopicPartition {
            topic: self.topics[topic].name.clone(),
            partition: number,
        }
    }

    /// The id of a member.
    pub(super) fn member_id(&self, member: usize) -> MemberId {
        self.members[member].subscription.member_id.clone()
    }

    /// Members in the order of `range` and `roundrobin` (`MemberInfo.compareTo`).
    pub(super) fn static_first(&self, explain: &mut Explain) -> Vec<usize> {
        let instance = |member: usize| {
            self.members[member]
                .subscription
                .group_instance_id
                .as_deref()
        };
        let (mut order, mut dynamic): (Vec<usize>, Vec<usize>) =
            (0..self.members.len()).partition(|member| instance(*member).is_some());
        sort_by_text(&mut order, &|member| instance(member).unwrap_or_default());
        sort_by_text(&mut dynamic, &|member| {
            &self.members[member].subscription.member_id
        });
        order.append(&mut dynamic);
        explain.step(|| Step::Order {
            by: MemberOrder::StaticFirst,
            members: order.iter().map(|member| self.member_id(*member)).collect(),
        });
        order
    }

    /// Members in the order of their ids.
    pub(super) fn by_member_id(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.members.len()).collect();
        sort_by_text(&mut order, &|member| {
            &self.members[member].subscription.member_id
        });
        order
    }

    /// The result, by name.
    pub(super) fn result(&self, lists: &Lists) -> GroupAssignment {
        let members = self
            .members
            .iter()
            .zip(lists)
            .map(|(member, list)| MemberAssignment {
                member_id: member.subscription.member_id.clone(),
                partitions: list
                    .iter()
                    .map(|partition| self.partition(*partition))
                    .collect(),
            });
        GroupAssignment {
            members: members.collect(),
            ..GroupAssignment::default()
        }
    }
}

/// Sorts by text as Java does, equal texts keeping their order. Ids mostly begin alike and differ soon after, so
/// eight bytes from there decide most comparisons.
fn sort_by_text<'t>(items: &mut [usize], text: &dyn Fn(usize) -> &'t str) {
    let Some(first) = items.first().map(|item| text(*item)) else {
        return;
    };
    let common = items.iter().fold(first.len(), |common, item| {
        let pairs = first.bytes().zip(text(*item).bytes()).take(common);
        pairs.take_while(|(left, right)| left == right).count()
    });
    let key = |item: usize| {
        let mut head = [0; 8];
        let rest = &text(item).as_bytes()[common..];
        let length = rest.len().min(head.len());
        head[..length].copy_from_slice(&rest[..length]);
        u64::from_be_bytes(head)
    };
    if items.iter().all(|item| text(*item).is_ascii()) {
        let mut keyed: Vec<(u64, usize)> = items.iter().map(|item| (key(*item), *item)).collect();
        keyed.sort_by(|left, right| {
            left.0
                .cmp(&right.0)
                .then_with(|| text(left.1).cmp(text(right.1)))
        });
        for (place, (_, item)) in items.iter_mut().zip(keyed) {
            *place = item;
        }
    } else {
        sort_places(items, &|left, right| {
            compare_strings(text(left), text(right))
        });
    }
}

/// Subscriptions in the walk of the map that the leader puts them into.
fn walk_members(received: &[MemberSubscription]) -> Vec<&MemberSubscription> {
    let mut hashes: Vec<i32> = received
        .iter()
        .map(|member| string_hash(&member.member_id))
        .collect();
    let mut sorted = hashes.clone();
    sorted.sort_unstable();
    if sorted.windows(2).all(|pair| pair[0] != pair[1]) {
        return walk(&hashes)
            .into_iter()
            .map(|place| &received[place])
            .collect();
    }
    // Ids of the same hash may be the same id: the map keeps its place and the last value.
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut distinct: Vec<&MemberSubscription> = Vec::with_capacity(received.len());
    for subscription in received {
        let place = *places
            .entry(&subscription.member_id)
            .or_insert(distinct.len());
        match distinct.get_mut(place) {
            Some(held) => *held = subscription,
            None => distinct.push(subscription),
        }
    }
    hashes.clear();
    hashes.extend(distinct.iter().map(|member| string_hash(&member.member_id)));
    walk(&hashes)
        .into_iter()
        .map(|place| distinct[place])
        .collect()
}

/// Subscribed topics with metadata, in name order, and the walk of Java's map over them: the set of all subscribed
/// topics is walked to fill the map of those that have metadata.
fn walk_topics<'a>(
    cluster: &'a ClusterTopics,
    members: &[&'a MemberSubscription],
) -> (Vec<Topic<'a>>, Vec<usize>) {
    let mut seen: BTreeMap<&str, ()> = BTreeMap::new();
    let mut names: Vec<&str> = Vec::new();
    let mut last: &[TopicName] = &[];
    for member in members {
        if member.topics == last {
            continue;
        }
        last = &member.topics;
        names.extend(
            last.iter()
                .map(TopicName::as_str)
                .filter(|name| seen.insert(name, ()).is_none()),
        );
    }
    let hashes: Vec<i32> = names.iter().map(|name| string_hash(name)).collect();
    let known: Vec<(i32, &TopicName, &TopicMetadata)> = walk(&hashes)
        .into_iter()
        .filter_map(|place| {
            let (name, metadata) = cluster.topics.get_key_value(names[place])?;
            (metadata.partitions > 0).then_some((hashes[place], name, metadata))
        })
        .collect();
    let hashes: Vec<i32> = known.iter().map(|(hash, ..)| *hash).collect();
    let walked = walk(&hashes);
    let mut by_name: Vec<usize> = (0..known.len()).collect();
    sort_places(&mut by_name, &|left, right| {
        compare_strings(known[left].1, known[right].1)
    });
    let mut ranks = vec![0; known.len()];
    let mut topics = Vec::with_capacity(known.len());
    let mut first = 0;
    for (rank, place) in by_name.into_iter().enumerate() {
        let (_, name, metadata) = known[place];
        ranks[place] = rank;
        let partitions = usize::try_from(metadata.partitions).expect("checked above: at least one");
        topics.push(Topic {
            name,
            metadata,
            first,
            partitions,
        });
        first += partitions;
    }
    (
        topics,
        walked.into_iter().map(|place| ranks[place]).collect(),
    )
}
