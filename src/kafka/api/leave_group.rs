//! LeaveGroup (13), versions 0-5. v3 list of members (KIP-345), v5 reason (KIP-800).

use super::first_error;
use super::visit::{Visit, Visited, Visitor, int, nullable_text, structs, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{GroupId, GroupInstanceId, MemberId};
use std::rc::Rc;

/// Takes members out of a group.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LeaveGroupRequest {
    /// The group.
    pub group_id: GroupId,
    /// Before v3: exactly one, without instance id.
    pub members: Vec<MemberIdentity>,
}

/// A member to be removed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MemberIdentity {
    /// Empty: remove by instance id, as an admin client does.
    pub member_id: MemberId,
    /// Given for a static member.
    pub group_instance_id: Option<GroupInstanceId>,
    /// Why, in words (v5).
    pub reason: Option<Rc<str>>,
}

/// What became of each entry.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LeaveGroupResponse {
    /// Error of the whole request. Before v3 also that of the one member.
    pub error_code: ErrorCode,
    /// In the order of the request.
    pub members: Vec<MemberResponse>,
}

/// What became of one entry.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MemberResponse {
    /// As asked.
    pub member_id: MemberId,
    /// As asked.
    pub group_instance_id: Option<GroupInstanceId>,
    /// Whether and why it failed.
    pub error_code: ErrorCode,
}

impl LeaveGroupResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        let members = self.members.iter().map(|member| member.error_code);
        first_error(std::iter::once(self.error_code).chain(members))
    }
}

impl Visit for LeaveGroupRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "group_id", &mut self.group_id)?;
        if v.version() >= 3 {
            return structs(v, "members", &mut self.members);
        }
        self.members.truncate(1);
        if self.members.is_empty() {
            self.members.push(MemberIdentity::default());
        }
        text(v, "member_id", &mut self.members[0].member_id)
    }
}

impl Visit for MemberIdentity {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "member_id", &mut self.member_id)?;
        nullable_text(v, "group_instance_id", &mut self.group_instance_id)?;
        if v.version() >= 5 {
            nullable_text(v, "reason", &mut self.reason)?;
        }
        Ok(())
    }
}

impl Visit for LeaveGroupResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 1 {
            v.throttle_time_ms()?;
        }
        int(v, "error_code", &mut self.error_code)?;
        if v.version() >= 3 {
            structs(v, "members", &mut self.members)?;
        }
        Ok(())
    }
}

impl Visit for MemberResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "member_id", &mut self.member_id)?;
        nullable_text(v, "group_instance_id", &mut self.group_instance_id)?;
        int(v, "error_code", &mut self.error_code)
    }
}
