//! OffsetCommit (8), versions 2-9. v2-4 retention time, v6 leader epoch, v7 group instance id.

use super::first_error;
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Generation, GroupId, GroupInstanceId, MemberId, Offset, TopicName};
use std::rc::Rc;

/// Stores offsets for a group.
#[derive(Clone, PartialEq, Debug)]
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
#[derive(Clone, PartialEq, Debug)]
pub struct OffsetCommitRequestTopic {
    /// The topic.
    pub name: TopicName,
    /// Its partitions.
    pub partitions: Vec<OffsetCommitRequestPartition>,
}

/// Offset of one partition.
#[derive(Clone, PartialEq, Debug)]
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
#[derive(Clone, PartialEq, Debug)]
pub struct OffsetCommitResponse {
    /// In the order of the request.
    pub topics: Vec<OffsetCommitResponseTopic>,
}

/// What became of one topic's offsets.
#[derive(Clone, PartialEq, Debug)]
pub struct OffsetCommitResponseTopic {
    /// The topic.
    pub name: TopicName,
    /// In the order of the request.
    pub partitions: Vec<OffsetCommitResponsePartition>,
}

/// What became of one offset.
#[derive(Clone, PartialEq, Debug)]
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
