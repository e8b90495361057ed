//! Produce (0), versions 3-11.

use super::first_error;
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Offset, TopicName};
use crate::kafka::record::RecordBatch;
use std::rc::Rc;

/// Brings records.
#[derive(Clone, PartialEq, Debug)]
pub struct ProduceRequest {
    /// Set by transactional producers.
    pub transactional_id: Option<Rc<str>>,
    /// -1: all in-sync replicas, 0: no answer, 1: the leader.
    pub acks: i16,
    /// How long to wait for replicas, ms.
    pub timeout_ms: i32,
    /// By topic.
    pub topic_data: Vec<TopicProduceData>,
}

/// Records of one topic.
#[derive(Clone, PartialEq, Debug)]
pub struct TopicProduceData {
    /// The topic.
    pub name: TopicName,
    /// By partition.
    pub partition_data: Vec<PartitionProduceData>,
}

/// Records of one partition.
#[derive(Clone, PartialEq, Debug)]
pub struct PartitionProduceData {
    /// Its number.
    pub index: i32,
    /// The batches; since v3 one.
    pub records: Vec<Rc<RecordBatch>>,
}

/// What became of each partition's records.
#[derive(Clone, PartialEq, Debug)]
pub struct ProduceResponse {
    /// By topic.
    pub responses: Vec<TopicProduceResponse>,
}

/// What became of one topic's records.
#[derive(Clone, PartialEq, Debug)]
pub struct TopicProduceResponse {
    /// The topic.
    pub name: TopicName,
    /// By partition.
    pub partition_responses: Vec<PartitionProduceResponse>,
}

/// What became of one partition's records.
#[derive(Clone, PartialEq, Debug)]
pub struct PartitionProduceResponse {
    /// Its number.
    pub index: i32,
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// Offset of the first record; -1 on failure.
    pub base_offset: Offset,
    /// -1 with CreateTime.
    pub log_append_time_ms: i64,
    /// First offset that still exists (v5).
    pub log_start_offset: Offset,
}

impl ProduceResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        let partitions = self
            .responses
            .iter()
            .flat_map(|topic| &topic.partition_responses);
        first_error(partitions.map(|partition| partition.error_code))
    }
}
