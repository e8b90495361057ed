//! OffsetForLeaderEpoch (23), versions 0-4. v1 and v2 epochs on both sides, v3 who asks.

use super::first_error;
use super::visit::{Visit, Visited, Visitor, int, structs, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, Offset, TopicName};

/// Asks where leader epochs end.
#[derive(Clone, PartialEq, Debug)]
pub struct OffsetForLeaderEpochRequest {
    /// -1: a consumer, -2: does not say (v3).
    pub replica_id: BrokerId,
    /// By topic.
    pub topics: Vec<OffsetForLeaderTopic>,
}

impl Default for OffsetForLeaderEpochRequest {
    fn default() -> Self {
        Self {
            replica_id: BrokerId(-2),
            topics: Vec::new(),
        }
    }
}

/// Partitions of one topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetForLeaderTopic {
    /// The topic.
    pub topic: TopicName,
    /// By number.
    pub partitions: Vec<OffsetForLeaderPartition>,
}

/// One partition.
#[derive(Clone, PartialEq, Debug)]
pub struct OffsetForLeaderPartition {
    /// Its number.
    pub partition: i32,
    /// The epoch that the sender knows (v2); -1: does not say.
    pub current_leader_epoch: i32,
    /// The epoch whose end is asked for.
    pub leader_epoch: i32,
}

impl Default for OffsetForLeaderPartition {
    fn default() -> Self {
        Self {
            partition: 0,
            current_leader_epoch: -1,
            leader_epoch: 0,
        }
    }
}

/// Where they end.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetForLeaderEpochResponse {
    /// By topic.
    pub topics: Vec<OffsetForLeaderTopicResult>,
}

/// Ends of one topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetForLeaderTopicResult {
    /// The topic.
    pub topic: TopicName,
    /// By number.
    pub partitions: Vec<EpochEndOffset>,
}

/// Where an epoch of one partition ends.
#[derive(Clone, PartialEq, Debug)]
pub struct EpochEndOffset {
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// Its number.
    pub partition: i32,
    /// The epoch asked for or the last before it (v1); -1: unknown.
    pub leader_epoch: i32,
    /// Offset after its last record; -1: unknown.
    pub end_offset: Offset,
}

impl Default for EpochEndOffset {
    fn default() -> Self {
        Self {
            error_code: ErrorCode::None,
            partition: 0,
            leader_epoch: -1,
            end_offset: Offset(-1),
        }
    }
}

impl OffsetForLeaderEpochResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        let partitions = self.topics.iter().flat_map(|topic| &topic.partitions);
        first_error(partitions.map(|partition| partition.error_code))
    }
}

impl Visit for OffsetForLeaderEpochRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 3 {
            int(v, "replica_id", &mut self.replica_id)?;
        }
        structs(v, "topics", &mut self.topics)
    }
}

impl Visit for OffsetForLeaderTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "topic", &mut self.topic)?;
        structs(v, "partitions", &mut self.partitions)
    }
}

impl Visit for OffsetForLeaderPartition {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "partition", &mut self.partition)?;
        if v.version() >= 2 {
            int(v, "current_leader_epoch", &mut self.current_leader_epoch)?;
        }
        int(v, "leader_epoch", &mut self.leader_epoch)
    }
}

impl Visit for OffsetForLeaderEpochResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 2 {
            v.throttle_time_ms()?;
        }
        structs(v, "topics", &mut self.topics)
    }
}

impl Visit for OffsetForLeaderTopicResult {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "topic", &mut self.topic)?;
        structs(v, "partitions", &mut self.partitions)
    }
}

impl Visit for EpochEndOffset {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "error_code", &mut self.error_code)?;
        int(v, "partition", &mut self.partition)?;
        if v.version() >= 1 {
            int(v, "leader_epoch", &mut self.leader_epoch)?;
        }
        int(v, "end_offset", &mut self.end_offset)
    }
}
