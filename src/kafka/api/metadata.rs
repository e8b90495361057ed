//! Metadata (3), versions 0-12.

use super::first_error;
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, TopicName, Uuid};
use std::rc::Rc;

/// Asks for brokers, topics and leaders.
#[derive(Clone, PartialEq, Debug)]
pub struct MetadataRequest {
    /// `None`: every topic.
    pub topics: Option<Vec<TopicName>>,
    /// Create topics that do not exist, if the broker allows it.
    pub allow_auto_topic_creation: bool,
}

/// The cluster as the broker knows it.
#[derive(Clone, PartialEq, Debug)]
pub struct MetadataResponse {
    /// Brokers that are up.
    pub brokers: Vec<MetadataResponseBroker>,
    /// Name of the cluster.
    pub cluster_id: Option<Rc<str>>,
    /// -1: unknown.
    pub controller_id: BrokerId,
    /// What was asked for.
    pub topics: Vec<MetadataResponseTopic>,
}

/// One broker.
#[derive(Clone, PartialEq, Debug)]
pub struct MetadataResponseBroker {
    /// Its id.
    pub node_id: BrokerId,
    /// Where it listens.
    pub host: Rc<str>,
    /// Where it listens.
    pub port: i32,
    /// `broker.rack`.
    pub rack: Option<Rc<str>>,
}

/// One topic.
#[derive(Clone, PartialEq, Debug)]
pub struct MetadataResponseTopic {
    /// Whether and why it is missing.
    pub error_code: ErrorCode,
    /// Its name.
    pub name: TopicName,
    /// Its id (v10).
    pub topic_id: Uuid,
    /// Whether it is Kafka's own.
    pub is_internal: bool,
    /// Ascending.
    pub partitions: Vec<MetadataResponsePartition>,
}

/// One partition.
#[derive(Clone, PartialEq, Debug)]
pub struct MetadataResponsePartition {
    /// 5 without a leader.
    pub error_code: ErrorCode,
    /// Its number.
    pub partition_index: i32,
    /// -1: none.
    pub leader_id: BrokerId,
    /// Epoch of the leader (v7).
    pub leader_epoch: i32,
    /// All replicas, the preferred one first.
    pub replica_nodes: Vec<BrokerId>,
    /// In sync.
    pub isr_nodes: Vec<BrokerId>,
    /// Down (v5).
    pub offline_replicas: Vec<BrokerId>,
}

impl MetadataResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        first_error(self.topics.iter().map(|topic| topic.error_code))
    }
}
