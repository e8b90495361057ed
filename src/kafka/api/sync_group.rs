//! SyncGroup (14), versions 0-5. v3 group instance id, v5 protocol type and name.

use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Bytes, Generation, GroupId, GroupInstanceId, MemberId};
use std::rc::Rc;

/// Asks for the member's share; the leader brings everybody's.
#[derive(Clone, PartialEq, Debug)]
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyncGroupRequestAssignment {
    /// The member.
    pub member_id: MemberId,
    /// An Assignment, encoded.
    pub assignment: Bytes,
}

/// The member's share.
#[derive(Clone, PartialEq, Debug)]
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
