//! OffsetCommit (8), versions 2-9. v2-4 retention time, v6 leader epoch, v7 group instance id.

use super::first_error;
use super::visit::{Visit, Visited, Visitor, int, nullable_text, structs, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Generation, GroupId, GroupInstanceId, MemberId, Offset, TopicName};
use std::rc::Rc;

/// Stores offsets for a group.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetCommitRequest {
    /// The group.
    pub group_id: GroupId,
    /// Generation, or the member epoch of KIP-848. -1: not as a member.
    pub generation_id_or_member_epoch: Generation,
    /// Empty: not as a member.
    pub member_id: MemberId,
    /// Given by a static member.
    pub group_instance_id: Option<GroupInstanceId>,
    /// How long to keep them, ms (v2-4); -1: the broker's default.
    pub retention_time_ms: i64,
    /// What to store.
    pub topics: Vec<OffsetCommitRequestTopic>,
}

/// Offsets of one topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetCommitRequestTopic {
    /// The topic.
    pub name: TopicName,
    /// Its partitions.
    pub partitions: Vec<OffsetCommitRequestPartition>,
}

/// Offset of one partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetCommitRequestPartition {
    /// Its number.
    pub partition_index: i32,
    /// Next offset to read.
    pub committed_offset: Offset,
    /// Leader epoch of the record before it; -1: unknown.
    pub committed_leader_epoch: i32,
    /// The application's own words.
    pub committed_metadata: Option<Rc<str>>,
}

/// What became of each offset.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetCommitResponse {
    /// In the order of the request.
    pub topics: Vec<OffsetCommitResponseTopic>,
}

/// What became of one topic's offsets.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetCommitResponseTopic {
    /// The topic.
    pub name: TopicName,
    /// In the order of the request.
    pub partitions: Vec<OffsetCommitResponsePartition>,
}

/// What became of one offset.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetCommitResponsePartition {
    /// Number of the partition.
    pub partition_index: i32,
    /// Whether and why it failed.
    pub error_code: ErrorCode,
}

impl OffsetCommitResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        let partitions = self.topics.iter().flat_map(|topic| &topic.partitions);
        first_error(partitions.map(|partition| partition.error_code))
    }
}

impl Visit for OffsetCommitRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "group_id", &mut self.group_id)?;
        int(
            v,
            "generation_id_or_member_epoch",
            &mut self.generation_id_or_member_epoch,
        )?;
        text(v, "member_id", &mut self.member_id)?;
        if v.version() >= 7 {
            nullable_text(v, "group_instance_id", &mut self.group_instance_id)?;
        }
        if v.version() <= 4 {
            int(v, "retention_time_ms", &mut self.retention_time_ms)?;
        } else {
            self.retention_time_ms = -1;
        }
        structs(v, "topics", &mut self.topics)
    }
}

impl Visit for OffsetCommitRequestTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        structs(v, "partitions", &mut self.partitions)
    }
}

impl Visit for OffsetCommitRequestPartition {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "partition_index", &mut self.partition_index)?;
        int(v, "committed_offset", &mut self.committed_offset)?;
        if v.version() >= 6 {
            int(
                v,
                "committed_leader_epoch",
                &mut self.committed_leader_epoch,
            )?;
        } else {
            self.committed_leader_epoch = -1;
        }
        nullable_text(v, "committed_metadata", &mut self.committed_metadata)
    }
}

impl Visit for OffsetCommitResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 3 {
            v.throttle_time_ms()?;
        }
        structs(v, "topics", &mut self.topics)
    }
}

impl Visit for OffsetCommitResponseTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        structs(v, "partitions", &mut self.partitions)
    }
}

impl Visit for OffsetCommitResponsePartition {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "partition_index", &mut self.partition_index)?;
        int(v, "error_code", &mut self.error_code)
    }
}
