//! Heartbeat (12), versions 0-4. v3 group instance id.

use super::super::super::desk::{Desk, Ticket};
use super::super::GroupEvent;
use super::Group;
use crate::kafka::api::{HeartbeatRequest, HeartbeatResponse};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::GroupState;

impl Group {
    pub(in crate::kafka::broker) fn heartbeat(
        &mut self,
        ticket: Ticket,
        request: HeartbeatRequest,
        desk: &mut Desk,
    ) {
        let instance = request.group_instance_id.as_ref();
        if let Err(error_code) = self.validate_member(&request.member_id, instance) {
            desk.reach(
                self.state,
                match error_code {
                    ErrorCode::FencedInstanceId => GroupEvent::HeartbeatFenced,
                    _ => GroupEvent::HeartbeatUnknownMember,
                },
            );
            return desk.answer(ticket, HeartbeatResponse { error_code });
        }
        if request.generation_id != self.generation {
            desk.reach(self.state, GroupEvent::HeartbeatIllegalGeneration);
            let error_code = ErrorCode::IllegalGeneration;
            return desk.answer(ticket, HeartbeatResponse { error_code });
        }
        desk.reach(self.state, GroupEvent::Heartbeat);
        self.restart_session(&request.member_id, desk);
        let error_code = match self.state {
            GroupState::PreparingRebalance => ErrorCode::RebalanceInProgress,
            GroupState::CompletingRebalance | GroupState::Stable => ErrorCode::None,
            // Such a group has no members, so the request was refused above.
            GroupState::Empty | GroupState::Dead => ErrorCode::UnknownMemberId,
        };
        self.answer_after_writes(ticket, HeartbeatResponse { error_code }, desk);
    }
}
