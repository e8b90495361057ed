//! OffsetFetch (9), versions 1-9. v7 `require_stable`, v8 several groups, v9 member id and epoch.

use super::first_error;
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{GroupId, MemberId, Offset, TopicName};
use std::rc::Rc;

/// Asks for committed offsets.
#[derive(Clone, PartialEq, Debug)]
pub struct OffsetFetchRequest {
    /// Before v8: exactly one.
    pub groups: Vec<OffsetFetchRequestGroup>,
    /// Answer 88 while a transactional offset is pending (v7).
    pub require_stable: bool,
}

/// What is asked of one group.
#[derive(Clone, PartialEq, Debug)]
pub struct OffsetFetchRequestGroup {
    /// The group.
    pub group_id: GroupId,
    /// Of a KIP-848 member (v9).
    pub member_id: Option<MemberId>,
    /// Of a KIP-848 member (v9); -1: none.
    pub member_epoch: i32,
    /// `None`: every offset that the group has.
    pub topics: Option<Vec<OffsetFetchRequestTopic>>,
}

/// What is asked of one topic.
#[derive(Clone, PartialEq, Debug)]
pub struct OffsetFetchRequestTopic {
    /// The topic.
    pub name: TopicName,
    /// Its partitions.
    pub partition_indexes: Vec<i32>,
}

/// The offsets.
#[derive(Clone, PartialEq, Debug)]
pub struct OffsetFetchResponse {
    /// In the order of the request.
    pub groups: Vec<OffsetFetchResponseGroup>,
}

/// The offsets of one group.
#[derive(Clone, PartialEq, Debug)]
pub struct OffsetFetchResponseGroup {
    /// The group.
    pub group_id: GroupId,
    /// By topic.
    pub topics: Vec<OffsetFetchResponseTopic>,
    /// Error of the whole group.
    pub error_code: ErrorCode,
}

/// The offsets of one topic.
#[derive(Clone, PartialEq, Debug)]
pub struct OffsetFetchResponseTopic {
    /// The topic.
    pub name: TopicName,
    /// By partition.
    pub partitions: Vec<OffsetFetchResponsePartition>,
}

/// The offset of one partition.
#[derive(Clone, PartialEq, Debug)]
pub struct OffsetFetchResponsePartition {
    /// Its number.
    pub partition_index: i32,
    /// -1: none was committed.
    pub committed_offset: Offset,
    /// -1: unknown.
    pub committed_leader_epoch: i32,
    /// As committed.
    pub metadata: Option<Rc<str>>,
    /// Whether and why it failed.
    pub error_code: ErrorCode,
}

impl OffsetFetchResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        first_error(self.groups.iter().flat_map(|group| {
            let partitions = group.topics.iter().flat_map(|topic| &topic.partitions);
            std::iter::once(group.error_code)
                .chain(partitions.map(|partition| partition.error_code))
        }))
    }
}
