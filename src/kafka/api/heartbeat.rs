//! Heartbeat (12), versions 0-4. v3 group instance id.

use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Generation, GroupId, GroupInstanceId, MemberId};

/// Says that the member lives.
#[derive(Clone, PartialEq, Debug)]
pub struct HeartbeatRequest {
    /// The group.
    pub group_id: GroupId,
    /// The member's generation.
    pub generation_id: Generation,
    /// The member.
    pub member_id: MemberId,
    /// Given by a static member.
    pub group_instance_id: Option<GroupInstanceId>,
}

/// Says whether the generation still stands.
#[derive(Clone, PartialEq, Debug)]
pub struct HeartbeatResponse {
    /// 27 asks the member to rejoin.
    pub error_code: ErrorCode,
}

impl HeartbeatResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        self.error_code
    }
}
