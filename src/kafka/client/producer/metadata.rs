//! What a producer knows of the cluster, and when it asks again (classes `ProducerMetadata`, `Metadata`).

use crate::kafka::api::{MetadataRequest, MetadataResponse};
use crate::kafka::chance::Chance;
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, TopicName, TopicPartition};
use crate::kafka::sorted::{SortedMap, SortedSet};

/// A topic, as the last answer described it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TopicView {
    /// Leader and leader epoch, by number.
    partitions: Vec<(Option<BrokerId>, i32)>,
    /// Numbers of those with a leader.
    available: Vec<i32>,
}

impl TopicView {
    pub fn new(partitions: Vec<(Option<BrokerId>, i32)>) -> Self {
        let numbered = (0..).zip(&partitions);
        let available = numbered
            .filter(|(_, (leader, _))| leader.is_some())
            .map(|(number, _)| number)
            .collect();
        Self {
            partitions,
            available,
        }
    }

    pub fn partition_count(&self) -> i32 {
        i32::try_from(self.partitions.len()).unwrap_or(i32::MAX)
    }

    pub fn available_count(&self) -> usize {
        self.available.len()
    }

    /// One of the available partitions; one of all if none is available.
    pub fn random_partition(&self, chance: &mut Chance) -> i32 {
        let count = match self.available.len() {
            0 => self.partitions.len(),
            available => available,
        };
        let bound = u32::try_from(count).unwrap_or(u32::MAX);
        self.partition_at(chance.below(bound) as usize)
    }

    /// The partition whose turn it is, `turn` counting round and round.
    pub fn partition_at(&self, turn: usize) -> i32 {
        if self.available.is_empty() {
            let number = turn % self.partitions.len().max(1);
            return i32::try_from(number).unwrap_or(0);
        }
        self.available[turn % self.available.len()]
    }
}

/// What is known, what is wanted, whether it is time to ask.
#[derive(Clone, Debug)]
pub(super) struct Metadata {
    /// Brokers to ask: those of the last answer, or the bootstrap list.
    pub brokers: Vec<BrokerId>,
    topics: SortedMap<TopicName, TopicView>,
    /// Topics that records were sent to.
    wanted: SortedSet<TopicName>,
    /// Something is known to be missing or wrong.
    pub update_requested: bool,
    /// A request is under way.
    pub in_flight: bool,
    /// Answers in a row that did not help.
    pub failures: u32,
}

impl Metadata {
    pub fn new(bootstrap: Vec<BrokerId>) -> Self {
        Self {
            brokers: bootstrap,
            topics: SortedMap::new(),
            wanted: SortedSet::new(),
            update_requested: false,
            in_flight: false,
            failures: 0,
        }
    }

    /// A topic with at least one partition. Asks for it if it is not known.
    pub fn topic(&mut self, name: &TopicName) -> Option<&TopicView> {
        if !self.topics.contains_key(name) {
            self.wanted.insert(name.clone());
            self.update_requested = true;
        }
        self.topics.get(name)
    }

    /// The leader of a partition and its epoch.
    pub fn leader(&self, partition: &TopicPartition) -> Option<(BrokerId, i32)> {
        let number = usize::try_from(partition.partition).ok()?;
        let topic = self.topics.get(&partition.topic)?;
        let &(leader, epoch) = topic.partitions.get(number)?;
        Some((leader?, epoch))
    }

    /// A request for all topics that are wanted.
    pub fn request(&self) -> MetadataRequest {
        let topics = self.wanted.iter().cloned();
        MetadataRequest {
            topics: Some(topics.map(Into::into).collect()),
            allow_auto_topic_creation: true,
            ..MetadataRequest::default()
        }
    }

    /// Takes an answer in. What it misses is asked for again.
    pub fn update(&mut self, response: &MetadataResponse) {
        self.update_requested = false;
        if !response.brokers.is_empty() {
            self.brokers = response.brokers.iter().map(|node| node.node_id).collect();
        }
        for topic in &response.topics {
            let Some(name) = &topic.name else { continue };
            if is_stale(topic.error_code) {
                self.update_requested = true;
                self.topics.remove(name);
                continue;
            }
            let missing = topic.partitions.iter();
            if missing.map(|partition| partition.error_code).any(is_stale) {
                self.update_requested = true;
            }
            let partitions = topic.partitions.iter();
            let partitions: Vec<_> = partitions
                .map(|partition| {
                    let leader = partition.leader_id;
                    ((leader.0 >= 0).then_some(leader), partition.leader_epoch)
                })
                .collect();
            if !partitions.is_empty() {
                self.topics.insert(name.clone(), TopicView::new(partitions));
            }
        }
        self.failures = match self.update_requested {
            true => self.failures.saturating_add(1),
            false => 0,
        };
    }
}

/// Whether an error says that metadata is out of date (class `InvalidMetadataException`).
pub(super) fn is_stale(error: ErrorCode) -> bool {
    matches!(
        error,
        ErrorCode::UnknownTopicOrPartition
            | ErrorCode::LeaderNotAvailable
            | ErrorCode::NotLeaderOrFollower
            | ErrorCode::ReplicaNotAvailable
            | ErrorCode::NetworkException
            | ErrorCode::KafkaStorageError
            | ErrorCode::ListenerNotFound
            | ErrorCode::FencedLeaderEpoch
            | ErrorCode::UnknownTopicId
    )
}
