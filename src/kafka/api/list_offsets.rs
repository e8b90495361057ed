//! ListOffsets (2), versions 1-10.

use super::first_error;
use super::visit::{Visit, Visited, Visitor, int, structs, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, Offset, TopicName};

/// Asks for the end of the log (high watermark, or last stable offset).
pub const LATEST_TIMESTAMP: i64 = -1;
/// Asks for the first offset that still exists.
pub const EARLIEST_TIMESTAMP: i64 = -2;

/// Asks for offsets by time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ListOffsetsRequest {
    /// -1: a consumer.
    pub replica_id: BrokerId,
    /// 0: read_uncommitted, 1: read_committed.
    pub isolation_level: i8,
    /// By topic.
    pub topics: Vec<ListOffsetsTopic>,
    /// How long to wait for a remote answer, ms (v10).
    pub timeout_ms: i32,
}

/// What is asked of one topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ListOffsetsTopic {
    /// The topic.
    pub name: TopicName,
    /// By partition.
    pub partitions: Vec<ListOffsetsPartition>,
}

/// What is asked of one partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ListOffsetsPartition {
    /// Its number.
    pub partition_index: i32,
    /// Leader epoch that the client knows; -1: none.
    pub current_leader_epoch: i32,
    /// ms, or [`LATEST_TIMESTAMP`] or [`EARLIEST_TIMESTAMP`].
    pub timestamp: i64,
}

/// The offsets.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ListOffsetsResponse {
    /// By topic.
    pub topics: Vec<ListOffsetsTopicResponse>,
}

/// The offsets of one topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ListOffsetsTopicResponse {
    /// The topic.
    pub name: TopicName,
    /// By partition.
    pub partitions: Vec<ListOffsetsPartitionResponse>,
}

/// The offset of one partition.
#[derive(Clone, PartialEq, Debug, Default)]
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

impl Visit for ListOffsetsRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "replica_id", &mut self.replica_id)?;
        if v.version() >= 2 {
            int(v, "isolation_level", &mut self.isolation_level)?;
        }
        structs(v, "topics", &mut self.topics)?;
        if v.version() >= 10 {
            int(v, "timeout_ms", &mut self.timeout_ms)?;
        }
        Ok(())
    }
}

impl Visit for ListOffsetsTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        structs(v, "partitions", &mut self.partitions)
    }
}

impl Visit for ListOffsetsPartition {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "partition_index", &mut self.partition_index)?;
        if v.version() >= 4 {
            int(v, "current_leader_epoch", &mut self.current_leader_epoch)?;
        } else {
            self.current_leader_epoch = -1;
        }
        int(v, "timestamp", &mut self.timestamp)
    }
}

impl Visit for ListOffsetsResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 2 {
            v.throttle_time_ms()?;
        }
        structs(v, "topics", &mut self.topics)
    }
}

impl Visit for ListOffsetsTopicResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        structs(v, "partitions", &mut self.partitions)
    }
}

impl Visit for ListOffsetsPartitionResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "partition_index", &mut self.partition_index)?;
        int(v, "error_code", &mut self.error_code)?;
        int(v, "timestamp", &mut self.timestamp)?;
        int(v, "offset", &mut self.offset)?;
        if v.version() >= 4 {
            int(v, "leader_epoch", &mut self.leader_epoch)?;
        } else {
            self.leader_epoch = -1;
        }
        Ok(())
    }
}
