//! SyncGroup (14), versions 0-5. v3 group instance id, v5 protocol type and name.

use super::visit::{Visit, Visited, Visitor, bytes, int, nullable_text, structs, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Bytes, Generation, GroupId, GroupInstanceId, MemberId};
use std::rc::Rc;

/// Asks for the member's share; the leader brings everybody's.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SyncGroupRequest {
    /// The group.
    pub group_id: GroupId,
    /// Generation from the JoinGroup answer.
    pub generation_id: Generation,
    /// The member.
    pub member_id: MemberId,
    /// Given by a static member.
    pub group_instance_id: Option<GroupInstanceId>,
    /// v5.
    pub protocol_type: Option<Rc<str>>,
    /// v5.
    pub protocol_name: Option<Rc<str>>,
    /// Empty unless from the leader.
    pub assignments: Vec<SyncGroupRequestAssignment>,
}

/// The share of one member.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SyncGroupRequestAssignment {
    /// The member.
    pub member_id: MemberId,
    /// An Assignment, encoded.
    pub assignment: Bytes,
}

/// The member's share.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SyncGroupResponse {
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// v5.
    pub protocol_type: Option<Rc<str>>,
    /// v5.
    pub protocol_name: Option<Rc<str>>,
    /// An Assignment, encoded; empty bytes on failure or if the leader left the member out.
    pub assignment: Bytes,
}

impl SyncGroupResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        self.error_code
    }
}

impl Visit for SyncGroupRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "group_id", &mut self.group_id)?;
        int(v, "generation_id", &mut self.generation_id)?;
        text(v, "member_id", &mut self.member_id)?;
        if v.version() >= 3 {
            nullable_text(v, "group_instance_id", &mut self.group_instance_id)?;
        }
        if v.version() >= 5 {
            nullable_text(v, "protocol_type", &mut self.protocol_type)?;
            nullable_text(v, "protocol_name", &mut self.protocol_name)?;
        }
        structs(v, "assignments", &mut self.assignments)
    }
}

impl Visit for SyncGroupRequestAssignment {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "member_id", &mut self.member_id)?;
        bytes(v, "assignment", &mut self.assignment)
    }
}

impl Visit for SyncGroupResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 1 {
            v.throttle_time_ms()?;
        }
        int(v, "error_code", &mut self.error_code)?;
        if v.version() >= 5 {
            nullable_text(v, "protocol_type", &mut self.protocol_type)?;
            nullable_text(v, "protocol_name", &mut self.protocol_name)?;
        }
        bytes(v, "assignment", &mut self.assignment)
    }
}
