//! OffsetDelete (47), version 0 (KIP-496).

use super::visit::{Visit, Visited, Visitor, int, structs, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{GroupId, TopicName};

/// Asks for committed offsets to be deleted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetDeleteRequest {
    /// Of this group.
    pub group_id: GroupId,
    /// By topic.
    pub topics: Vec<OffsetDeleteRequestTopic>,
}

/// Partitions of one topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetDeleteRequestTopic {
    /// The topic.
    pub name: TopicName,
    /// By number.
    pub partitions: Vec<OffsetDeleteRequestPartition>,
}

/// One partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetDeleteRequestPartition {
    /// Its number.
    pub partition_index: i32,
}

/// What became of each partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetDeleteResponse {
    /// Whether and why all of it failed.
    pub error_code: ErrorCode,
    /// By topic.
    pub topics: Vec<OffsetDeleteResponseTopic>,
}

/// What became of one topic's partitions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetDeleteResponseTopic {
    /// The topic.
    pub name: TopicName,
    /// By number.
    pub partitions: Vec<OffsetDeleteResponsePartition>,
}

/// What became of one partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetDeleteResponsePartition {
    /// Its number.
    pub partition_index: i32,
    /// Whether and why it failed.
    pub error_code: ErrorCode,
}

impl OffsetDeleteResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        let partitions = self.topics.iter().flat_map(|topic| &topic.partitions);
        let errors = partitions.map(|partition| partition.error_code);
        super::first_error(std::iter::once(self.error_code).chain(errors))
    }
}

impl Visit for OffsetDeleteRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "group_id", &mut self.group_id)?;
        structs(v, "topics", &mut self.topics)
    }
}

impl Visit for OffsetDeleteRequestTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        structs(v, "partitions", &mut self.partitions)
    }
}

impl Visit for OffsetDeleteRequestPartition {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "partition_index", &mut self.partition_index)
    }
}

impl Visit for OffsetDeleteResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "error_code", &mut self.error_code)?;
        v.throttle_time_ms()?;
        structs(v, "topics", &mut self.topics)
    }
}

impl Visit for OffsetDeleteResponseTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        structs(v, "partitions", &mut self.partitions)
    }
}

impl Visit for OffsetDeleteResponsePartition {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "partition_index", &mut self.partition_index)?;
        int(v, "error_code", &mut self.error_code)
    }
}
