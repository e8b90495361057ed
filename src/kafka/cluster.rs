//! The cluster's metadata, as the controller would publish it. Plain data; the world changes it.

use super::config::TopicConfig;
use super::ids::{BrokerId, TopicName, TopicPartition, Uuid};
use crate::kafka::sorted::SortedMap;
use std::rc::Rc;

/// Brokers, topics and leaders.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cluster {
    /// All brokers, up or down.
    pub brokers: SortedMap<BrokerId, Node>,
    /// All topics, `__consumer_offsets` among them.
    pub topics: SortedMap<TopicName, Topic>,
}

/// A broker, as clients find it.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Where it listens.
    pub host: Rc<str>,
    /// Where it listens.
    pub port: i32,
    /// `broker.rack`.
    pub rack: Option<Rc<str>>,
}

/// A topic.
#[derive(Clone, PartialEq, Debug)]
pub struct Topic {
    /// Its id.
    pub id: Uuid,
    /// Whether it is Kafka's own.
    pub is_internal: bool,
    /// What it is configured with.
    pub config: Rc<TopicConfig>,
    /// By number.
    pub partitions: Vec<PartitionMetadata>,
}

/// Where a partition lives.
#[derive(Clone, PartialEq, Debug)]
pub struct PartitionMetadata {
    /// `None`: offline.
    pub leader: Option<BrokerId>,
    /// Raised at every leader change.
    pub leader_epoch: i32,
    /// All replicas, the preferred one first.
    pub replicas: Vec<BrokerId>,
    /// In sync.
    pub isr: Vec<BrokerId>,
}

/// A change of the cluster that a client has asked a broker for. The broker has checked it; its host, who
/// stands for the controller, makes it.
#[derive(Clone, PartialEq, Debug)]
pub enum ClusterChange {
    /// A topic is made.
    CreateTopic { name: TopicName, topic: Topic },
    /// A topic gets these partitions beside those that it has.
    AddPartitions {
        topic: TopicName,
        partitions: Vec<PartitionMetadata>,
    },
    /// A topic goes, with its records.
    DeleteTopic { topic: TopicName },
}

/// Name of the topic that holds groups and their offsets.
pub const CONSUMER_OFFSETS: &str = "__consumer_offsets";

impl Cluster {
    /// Makes a change.
    pub fn apply(&mut self, change: ClusterChange) {
        match change {
            ClusterChange::CreateTopic { name, topic } => {
                self.topics.insert(name, topic);
            }
            ClusterChange::AddPartitions { topic, partitions } => {
                if let Some(topic) = self.topics.get_mut(&topic) {
                    topic.partitions.extend(partitions);
                }
            }
            ClusterChange::DeleteTopic { topic } => {
                self.topics.remove(&topic);
            }
        }
    }

    /// The partition's metadata, if it exists.
    pub fn partition(&self, partition: &TopicPartition) -> Option<&PartitionMetadata> {
        let index = usize::try_from(partition.partition).ok()?;
        self.topics.get(&partition.topic)?.partitions.get(index)
    }

    /// The partition's leader, if it exists and has one.
    pub fn leader(&self, partition: &TopicPartition) -> Option<BrokerId> {
        self.partition(partition)?.leader
    }
}
