//! JoinGroup (11), versions 0-9. v1 rebalance timeout, v4 two-step join (KIP-394), v5 group instance id
//! (KIP-345), v7 protocol type in the answer, v8 reason (KIP-800), v9 `skip_assignment` (KIP-814).

use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Bytes, Generation, GroupId, GroupInstanceId, MemberId};
use std::rc::Rc;

/// Asks to become, or to stay, a member in the next generation.
#[derive(Clone, PartialEq, Debug)]
pub struct JoinGroupRequest {
    /// The group.
    pub group_id: GroupId,
    /// `session.timeout.ms`.
    pub session_timeout_ms: i32,
    /// `max.poll.interval.ms` of a consumer. Before v1: the session timeout.
    pub rebalance_timeout_ms: i32,
    /// Empty: no id yet.
    pub member_id: MemberId,
    /// Given by a static member.
    pub group_instance_id: Option<GroupInstanceId>,
    /// `consumer` for consumers.
    pub protocol_type: Rc<str>,
    /// Assignors with the member's metadata, most wanted first.
    pub protocols: Vec<JoinGroupRequestProtocol>,
    /// Why the member joins, in words (v8).
    pub reason: Option<Rc<str>>,
}

/// One assignor that the member supports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JoinGroupRequestProtocol {
    /// Name of the assignor.
    pub name: Rc<str>,
    /// A Subscription, encoded.
    pub metadata: Bytes,
}

/// The generation that was formed, or why the member is not in it.
#[derive(Clone, PartialEq, Debug)]
pub struct JoinGroupResponse {
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// The generation; -1 on failure.
    pub generation_id: Generation,
    /// v7.
    pub protocol_type: Option<Rc<str>>,
    /// The assignor that was chosen.
    pub protocol_name: Option<Rc<str>>,
    /// Member id of the leader.
    pub leader: MemberId,
    /// The leader need not assign (v9).
    pub skip_assignment: bool,
    /// The member's own id.
    pub member_id: MemberId,
    /// All members; only in the leader's answer.
    pub members: Vec<JoinGroupResponseMember>,
}

/// A member as the leader gets to see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JoinGroupResponseMember {
    /// Its id.
    pub member_id: MemberId,
    /// Its instance id, if static.
    pub group_instance_id: Option<GroupInstanceId>,
    /// Its Subscription for the chosen assignor, encoded.
    pub metadata: Bytes,
}

impl JoinGroupResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        self.error_code
    }
}
