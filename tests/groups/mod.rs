//! Random groups and what happens to them.

use proptest::prelude::*;
use regroup::kafka::assignor::{ClusterTopics, MemberSubscription, TopicMetadata};
use regroup::kafka::ids::{GroupInstanceId, TopicName, TopicPartition};
use std::collections::BTreeSet;
use std::rc::Rc;

pub const TOPICS: [&str; 4] = ["alpha", "beta", "gamma", "delta"];
pub const RACKS: [&str; 3] = ["az-a", "az-b", "az-c"];

/// A member before anything is assigned.
#[derive(Clone, Debug)]
pub struct Wish {
    pub name: u16,
    pub is_static: bool,
    pub rack: Option<usize>,
    pub topics: BTreeSet<usize>,
}

/// A group: members and the partition counts of the topics.
#[derive(Clone, Debug)]
pub struct Shape {
    pub wishes: Vec<Wish>,
    pub partitions: [i32; 4],
    pub racks: bool,
}

/// What happens to a group between two rebalances.
#[derive(Clone, Debug)]
pub enum Event {
    Nothing,
    Join(Wish),
    Leave(prop::sample::Index),
    Resubscribe(prop::sample::Index, BTreeSet<usize>),
    AddPartitions(usize, i32),
}

pub fn any_topics() -> impl Strategy<Value = BTreeSet<usize>> {
    prop::collection::btree_set(0..TOPICS.len(), 1..=TOPICS.len())
}

pub fn any_wish() -> impl Strategy<Value = Wish> {
    let rack = prop::option::of(0..RACKS.len());
    (any::<u16>(), any::<bool>(), rack, any_topics()).prop_map(|(name, is_static, rack, topics)| {
        Wish {
            name,
            is_static,
            rack,
            topics,
        }
    })
}

pub fn any_shape() -> impl Strategy<Value = Shape> {
    let partitions = prop::array::uniform4(0..9i32);
    let wishes = prop::collection::vec(any_wish(), 1..7);
    (wishes, partitions, any::<bool>(), any::<bool>()).prop_map(
        |(mut wishes, partitions, racks, equal)| {
            if equal {
                let topics = wishes[0].topics.clone();
                wishes
                    .iter_mut()
                    .for_each(|wish| wish.topics = topics.clone());
            }
            Shape {
                wishes,
                partitions,
                racks,
            }
            .with_distinct_names()
        },
    )
}

pub fn any_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        Just(Event::Nothing),
        any_wish().prop_map(Event::Join),
        any::<prop::sample::Index>().prop_map(Event::Leave),
        (any::<prop::sample::Index>(), any_topics())
            .prop_map(|(member, topics)| Event::Resubscribe(member, topics)),
        (0..TOPICS.len(), 1..5i32).prop_map(|(topic, more)| Event::AddPartitions(topic, more)),
    ]
}

impl Shape {
    pub fn with_distinct_names(mut self) -> Self {
        let mut seen = BTreeSet::new();
        self.wishes.retain(|wish| seen.insert(wish.name));
        self
    }

    pub fn after(mut self, event: &Event) -> Self {
        match event {
            Event::Nothing => {}
            Event::Join(wish) => self.wishes.push(wish.clone()),
            Event::Leave(member) => {
                if self.wishes.len() > 1 {
                    self.wishes.remove(member.index(self.wishes.len()));
                }
            }
            Event::Resubscribe(member, topics) => {
                let member = member.index(self.wishes.len());
                self.wishes[member].topics = topics.clone();
            }
            Event::AddPartitions(topic, more) => self.partitions[*topic] += more,
        }
        self.with_distinct_names()
    }

    pub fn cluster(&self) -> ClusterTopics {
        let mut cluster = ClusterTopics::default();
        for (topic, partitions) in self.partitions.into_iter().enumerate() {
            let rack_of = |number: i32| {
                RACKS[(topic + usize::try_from(number).expect("small")) % RACKS.len()]
            };
            let replica_racks = match self.racks {
                true => (0..partitions)
                    .map(|number| vec![Rc::from(rack_of(number))])
                    .collect(),
                false => Vec::new(),
            };
            cluster.topics.insert(
                TOPICS[topic].into(),
                TopicMetadata {
                    partitions,
                    replica_racks,
                },
            );
        }
        cluster
    }

    pub fn members(&self) -> Vec<MemberSubscription> {
        let member = |wish: &Wish| MemberSubscription {
            group_instance_id: wish
                .is_static
                .then(|| GroupInstanceId::from(instance_id(wish.name))),
            rack_id: wish
                .rack
                .filter(|_| self.racks)
                .map(|rack| Rc::from(RACKS[rack])),
            ..MemberSubscription::new(
                member_id(wish.name),
                wish.topics
                    .iter()
                    .map(|topic| TopicName::from(TOPICS[*topic]))
                    .collect(),
            )
        };
        self.wishes.iter().map(member).collect()
    }

    /// Every partition that somebody asks for.
    pub fn wanted(&self) -> BTreeSet<TopicPartition> {
        let topics: BTreeSet<usize> = self
            .wishes
            .iter()
            .flat_map(|wish| wish.topics.iter().copied())
            .collect();
        let numbers = |topic: usize| (0..self.partitions[topic]).map(move |number| (topic, number));
        topics
            .into_iter()
            .flat_map(numbers)
            .map(|(topic, number)| TopicPartition::new(TOPICS[topic], number))
            .collect()
    }

    pub fn equal_subscriptions(&self) -> bool {
        self.wishes
            .iter()
            .all(|wish| wish.topics == self.wishes[0].topics)
    }

    /// Members in the order of range and roundrobin.
    pub fn static_first(&self) -> Vec<MemberSubscription> {
        let mut members = self.members();
        members.sort_by_key(|member| {
            let instance = member.group_instance_id.as_deref().map(str::to_owned);
            (instance.is_none(), instance, member.member_id.to_string())
        });
        members
    }
}

pub fn member_id(name: u16) -> String {
    format!("consumer-{}-{name:05}", name % 3)
}

/// In another order than the member ids, and different for each name.
pub fn instance_id(name: u16) -> String {
    format!("i{:05}", u32::from(name) * 7919 % 65_537)
}
