//! DeleteRecords (21), versions 0-2.

use super::first_error;
use super::visit::{Visit, Visited, Visitor, int, structs, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Offset, TopicName};

/// Asks for the oldest records of partitions to be deleted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeleteRecordsRequest {
    /// By topic.
    pub topics: Vec<DeleteRecordsTopic>,
    /// How long to wait, ms.
    pub timeout_ms: i32,
}

/// Partitions of one topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeleteRecordsTopic {
    /// The topic.
    pub name: TopicName,
    /// By number.
    pub partitions: Vec<DeleteRecordsPartition>,
}

/// One partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeleteRecordsPartition {
    /// Its number.
    pub partition_index: i32,
    /// The first offset to be kept; -1: none.
    pub offset: Offset,
}

/// What became of each partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeleteRecordsResponse {
    /// By topic.
    pub topics: Vec<DeleteRecordsTopicResult>,
}

/// What became of one topic's partitions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeleteRecordsTopicResult {
    /// The topic.
    pub name: TopicName,
    /// By number.
    pub partitions: Vec<DeleteRecordsPartitionResult>,
}

/// What became of one partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeleteRecordsPartitionResult {
    /// Its number.
    pub partition_index: i32,
    /// First offset that still exists; -1 on failure.
    pub low_watermark: Offset,
    /// Whether and why it failed.
    pub error_code: ErrorCode,
}

impl DeleteRecordsResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        let partitions = self.topics.iter().flat_map(|topic| &topic.partitions);
        first_error(partitions.map(|partition| partition.error_code))
    }
}

impl Visit for DeleteRecordsRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        structs(v, "topics", &mut self.topics)?;
        int(v, "timeout_ms", &mut self.timeout_ms)
    }
}

impl Visit for DeleteRecordsTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        structs(v, "partitions", &mut self.partitions)
    }
}

impl Visit for DeleteRecordsPartition {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "partition_index", &mut self.partition_index)?;
        int(v, "offset", &mut self.offset)
    }
}

impl Visit for DeleteRecordsResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        v.throttle_time_ms()?;
        structs(v, "topics", &mut self.topics)
    }
}

impl Visit for DeleteRecordsTopicResult {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        structs(v, "partitions", &mut self.partitions)
    }
}

impl Visit for DeleteRecordsPartitionResult {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "partition_index", &mut self.partition_index)?;
        int(v, "low_watermark", &mut self.low_watermark)?;
        int(v, "error_code", &mut self.error_code)
    }
}
