//! Heartbeat (12), versions 0-4. v3 group instance id.

use super::visit::{Visit, Visited, Visitor, int, nullable_text, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Generation, GroupId, GroupInstanceId, MemberId};

/// Says that the member lives.
#[derive(Clone, PartialEq, Debug, Default)]
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
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HeartbeatResponse {
    /// 27 asks the member to rejoin.
    pub error_code: ErrorCode,
}

impl HeartbeatResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        self.error_code
    }
}

impl Visit for HeartbeatRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "group_id", &mut self.group_id)?;
        int(v, "generation_id", &mut self.generation_id)?;
        text(v, "member_id", &mut self.member_id)?;
        if v.version() >= 3 {
            nullable_text(v, "group_instance_id", &mut self.group_instance_id)?;
        }
        Ok(())
    }
}

impl Visit for HeartbeatResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 1 {
            v.throttle_time_ms()?;
        }
        int(v, "error_code", &mut self.error_code)
    }
}
