//! OffsetFetch (9), versions 1-9. v7 `require_stable`, v8 several groups, v9 member id and epoch.

use super::first_error;
use super::visit::{
    Visit, Visited, Visitor, array, int, nullable_array, nullable_text, structs, structure, text,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{GroupId, MemberId, Offset, TopicName};
use std::rc::Rc;

/// Asks for committed offsets.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetFetchRequest {
    /// Before v8: exactly one.
    pub groups: Vec<OffsetFetchRequestGroup>,
    /// Answer 88 while a transactional offset is pending (v7).
    pub require_stable: bool,
}

/// What is asked of one group.
#[derive(Clone, PartialEq, Debug, Default)]
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
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetFetchRequestTopic {
    /// The topic.
    pub name: TopicName,
    /// Its partitions.
    pub partition_indexes: Vec<i32>,
}

/// The offsets.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetFetchResponse {
    /// In the order of the request.
    pub groups: Vec<OffsetFetchResponseGroup>,
}

/// The offsets of one group.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetFetchResponseGroup {
    /// The group.
    pub group_id: GroupId,
    /// By topic.
    pub topics: Vec<OffsetFetchResponseTopic>,
    /// Error of the whole group.
    pub error_code: ErrorCode,
}

/// The offsets of one topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OffsetFetchResponseTopic {
    /// The topic.
    pub name: TopicName,
    /// By partition.
    pub partitions: Vec<OffsetFetchResponsePartition>,
}

/// The offset of one partition.
#[derive(Clone, PartialEq, Debug, Default)]
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

impl Visit for OffsetFetchRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 8 {
            structs(v, "groups", &mut self.groups)?;
        } else {
            self.groups.truncate(1);
            if self.groups.is_empty() {
                self.groups.push(OffsetFetchRequestGroup::default());
            }
            self.groups[0].visit(v)?;
        }
        if v.version() >= 7 {
            int(v, "require_stable", &mut self.require_stable)?;
        }
        Ok(())
    }
}

impl Visit for OffsetFetchRequestGroup {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "group_id", &mut self.group_id)?;
        if v.version() >= 9 {
            nullable_text(v, "member_id", &mut self.member_id)?;
            int(v, "member_epoch", &mut self.member_epoch)?;
        } else {
            self.member_epoch = -1;
        }
        if v.version() >= 2 {
            return nullable_array(v, "topics", &mut self.topics, structure);
        }
        structs(v, "topics", self.topics.get_or_insert_default())
    }
}

impl Visit for OffsetFetchRequestTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        array(
            v,
            "partition_indexes",
            &mut self.partition_indexes,
            |partition, v| int(v, "partition_index", partition),
        )
    }
}

impl Visit for OffsetFetchResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 3 {
            v.throttle_time_ms()?;
        }
        if v.version() >= 8 {
            return structs(v, "groups", &mut self.groups);
        }
        self.groups.truncate(1);
        if self.groups.is_empty() {
            self.groups.push(OffsetFetchResponseGroup::default());
        }
        let group = &mut self.groups[0];
        structs(v, "topics", &mut group.topics)?;
        if v.version() >= 2 {
            int(v, "error_code", &mut group.error_code)?;
        }
        Ok(())
    }
}

impl Visit for OffsetFetchResponseGroup {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "group_id", &mut self.group_id)?;
        structs(v, "topics", &mut self.topics)?;
        int(v, "error_code", &mut self.error_code)
    }
}

impl Visit for OffsetFetchResponseTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        structs(v, "partitions", &mut self.partitions)
    }
}

impl Visit for OffsetFetchResponsePartition {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "partition_index", &mut self.partition_index)?;
        int(v, "committed_offset", &mut self.committed_offset)?;
        if v.version() >= 5 {
            int(
                v,
                "committed_leader_epoch",
                &mut self.committed_leader_epoch,
            )?;
        } else {
            self.committed_leader_epoch = -1;
        }
        nullable_text(v, "metadata", &mut self.metadata)?;
        int(v, "error_code", &mut self.error_code)
    }
}
