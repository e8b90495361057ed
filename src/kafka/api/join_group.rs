//! JoinGroup (11), versions 0-9. v1 rebalance timeout, v4 two-step join (KIP-394), v5 group instance id
//! (KIP-345), v7 protocol type in the answer, v8 reason (KIP-800), v9 `skip_assignment` (KIP-814).

use super::visit::{Visit, Visited, Visitor, bytes, int, nullable_text, structs, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Bytes, Generation, GroupId, GroupInstanceId, MemberId};
use std::rc::Rc;

/// Asks to become, or to stay, a member in the next generation.
#[derive(Clone, PartialEq, Debug, Default)]
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
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JoinGroupRequestProtocol {
    /// Name of the assignor.
    pub name: Rc<str>,
    /// A Subscription, encoded.
    pub metadata: Bytes,
}

/// The generation that was formed, or why the member is not in it.
#[derive(Clone, PartialEq, Debug, Default)]
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
#[derive(Clone, PartialEq, Eq, Debug, Default)]
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

impl Visit for JoinGroupRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "group_id", &mut self.group_id)?;
        int(v, "session_timeout_ms", &mut self.session_timeout_ms)?;
        if v.version() >= 1 {
            int(v, "rebalance_timeout_ms", &mut self.rebalance_timeout_ms)?;
        } else {
            // KafkaApis: without a rebalance timeout the session timeout serves.
            self.rebalance_timeout_ms = self.session_timeout_ms;
        }
        text(v, "member_id", &mut self.member_id)?;
        if v.version() >= 5 {
            nullable_text(v, "group_instance_id", &mut self.group_instance_id)?;
        }
        text(v, "protocol_type", &mut self.protocol_type)?;
        structs(v, "protocols", &mut self.protocols)?;
        if v.version() >= 8 {
            nullable_text(v, "reason", &mut self.reason)?;
        }
        Ok(())
    }
}

impl Visit for JoinGroupRequestProtocol {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        bytes(v, "metadata", &mut self.metadata)
    }
}

impl Visit for JoinGroupResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 2 {
            v.throttle_time_ms()?;
        }
        int(v, "error_code", &mut self.error_code)?;
        int(v, "generation_id", &mut self.generation_id)?;
        if v.version() >= 7 {
            nullable_text(v, "protocol_type", &mut self.protocol_type)?;
            nullable_text(v, "protocol_name", &mut self.protocol_name)?;
        } else {
            text(
                v,
                "protocol_name",
                self.protocol_name.get_or_insert_default(),
            )?;
        }
        text(v, "leader", &mut self.leader)?;
        if v.version() >= 9 {
            int(v, "skip_assignment", &mut self.skip_assignment)?;
        }
        text(v, "member_id", &mut self.member_id)?;
        structs(v, "members", &mut self.members)
    }
}

impl Visit for JoinGroupResponseMember {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "member_id", &mut self.member_id)?;
        if v.version() >= 5 {
            nullable_text(v, "group_instance_id", &mut self.group_instance_id)?;
        }
        bytes(v, "metadata", &mut self.metadata)
    }
}
