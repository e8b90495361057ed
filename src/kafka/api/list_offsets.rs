//! ListOffsets (2), versions 1-10.

use super::first_error;
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, Offset, TopicName};

/// Asks for the end of the log (high watermark, or last stable offset).
pub const LATEST_TIMESTAMP: i64 = -1;
/// Asks for the first offset that still exists.
pub const EARLIEST_TIMESTAMP: i64 = -2;

/// Asks for offsets by time.
#[derive(Clone, PartialEq, Debug)]
pub struct ListOffsetsRequest {
    /// -1: a consumer.
    pub replica_id: BrokerId,
    /// 0: read_uncommitted, 1: read_committed.
    pub isolation_level: i8,
    /// By topic.
    pub topics: Vec<ListOffsetsTopic>,
}

/// What is asked of one topic.
#[derive(Clone, PartialEq, Debug)]
pub struct ListOffsetsTopic {
    /// The topic.
    pub name: TopicName,
    /// By partition.
    pub partitions: Vec<ListOffsetsPartition>,
}

/// What is asked of one partition.
#[derive(Clone, PartialEq, Debug)]
pub struct ListOffsetsPartition {
    /// Its number.
    pub partition_index: i32,
    /// Leader epoch that the client knows; -1: none.
    pub current_leader_epoch: i32,
    /// ms, or [`LATEST_TIMESTAMP`] or [`EARLIEST_TIMESTAMP`].
    pub timestamp: i64,
}

/// The offsets.
#[derive(Clone, PartialEq, Debug)]
pub struct ListOffsetsResponse {
    /// By topic.
    pub topics: Vec<ListOffsetsTopicResponse>,
}

/// The offsets of one topic.
#[derive(Clone, PartialEq, Debug)]
pub struct ListOffsetsTopicResponse {
    /// The topic.
    pub name: TopicName,
    /// By partition.
    pub partitions: Vec<ListOffsetsPartitionResponse>,
}

/// The offset of one partition.
#[derive(Clone, PartialEq, Debug)]
pub struct ListOffsetsPartitionResponse {
    /// Its number.
    pub partition_index: i32,
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// Timestamp of the record found, ms; -1 for latest and earliest.
    pub timestamp: i64,
    /// -1: no such record.
    pub offset: Offset,
    /// Leader epoch of the record found; -1: unknown.
    pub leader_epoch: i32,
}

impl ListOffsetsResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        let partitions = self.topics.iter().flat_map(|topic| &topic.partitions);
        first_error(partitions.map(|partition| partition.error_code))
    }
}
