//! LeaveGroup (13), versions 0-5. v3 list of members (KIP-345), v5 reason (KIP-800).

use super::super::super::desk::{Desk, Ticket};
use super::super::GroupEvent;
use super::Group;
use super::join::refusal;
use crate::kafka::api::{LeaveGroupRequest, LeaveGroupResponse, MemberIdentity, MemberResponse};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{GroupState, GroupWhy, RemovalCause};
use crate::kafka::ids::MemberId;

/// First version with a list of members, and with their errors apart from that of the request.
const LIST_VERSION: i16 = 3;

/// The answer to a LeaveGroup of that version, from what became of each entry.
pub(in crate::kafka::broker) fn response(
    api_version: i16,
    members: Vec<MemberResponse>,
) -> LeaveGroupResponse {
    let first = members.first().map(|member| member.error_code);
    LeaveGroupResponse {
        error_code: match first {
            Some(error) if api_version < LIST_VERSION => error,
            _ => ErrorCode::None,
        },
        members,
    }
}

/// What became of an entry.
pub(in crate::kafka::broker) fn entry(of: MemberIdentity, error_code: ErrorCode) -> MemberResponse {
    MemberResponse {
        member_id: of.member_id,
        group_instance_id: of.group_instance_id,
        error_code,
    }
}

impl Group {
    pub(in crate::kafka::broker) fn leave(
        &mut self,
        ticket: Ticket,
        request: LeaveGroupRequest,
        desk: &mut Desk,
    ) {
        let mut entries = Vec::with_capacity(request.members.len());
        let mut last_left = None;
        for identity in request.members {
            let error = match self.leave_one(&identity, desk) {
                Ok(id) => {
                    last_left = Some(id);
                    ErrorCode::None
                }
                Err(error) => error,
            };
            entries.push(entry(identity, error));
        }
        // Several may leave at once, and set off one rebalance.
        if let Some(id) = last_left {
            match self.state {
                GroupState::Stable | GroupState::CompletingRebalance => {
                    self.prepare_rebalance(GroupWhy::MemberLeft(id), desk);
                }
                GroupState::PreparingRebalance => {
                    self.maybe_complete_join(GroupWhy::AllJoined, desk);
                }
                GroupState::Empty | GroupState::Dead => {}
            }
        }
        let response = response(ticket.api_version(), entries);
        self.answer_after_writes(ticket, response, desk);
    }

    /// Takes one entry out, and says which id that was.
    fn leave_one(
        &mut self,
        identity: &MemberIdentity,
        desk: &mut Desk,
    ) -> Result<MemberId, ErrorCode> {
        let instance = identity.group_instance_id.as_ref();
        if identity.member_id.is_empty() {
            let known = instance.and_then(|instance| self.static_member(instance));
            let Some(id) = known.map(|member| member.id.clone()) else {
                desk.reach(self.state, GroupEvent::LeaveUnknownMember);
                return Err(ErrorCode::UnknownMemberId);
            };
            desk.reach(self.state, GroupEvent::LeaveByInstance);
            self.remove_on_leave(&id, RemovalCause::RemovedByAdmin, desk);
            return Ok(id);
        }
        let id = identity.member_id.clone();
        if self.pending_joins.contains(&id) {
            desk.reach(self.state, GroupEvent::LeavePending);
            self.remove_on_leave(&id, RemovalCause::Left, desk);
            return Ok(id);
        }
        if let Err(error) = self.validate_member(&id, instance) {
            desk.reach(
                self.state,
                match error {
                    ErrorCode::FencedInstanceId => GroupEvent::LeaveFenced,
                    _ => GroupEvent::LeaveUnknownMember,
                },
            );
            return Err(error);
        }
        desk.reach(self.state, GroupEvent::Leave);
        self.remove_on_leave(&id, RemovalCause::Left, desk);
        Ok(id)
    }

    fn remove_on_leave(&mut self, id: &MemberId, cause: RemovalCause, desk: &mut Desk) {
        self.answer_join_of_removed(id, desk);
        let fact = self.remove(id, cause, desk);
        desk.because_of(fact);
    }

    /// Somebody who is about to be removed may live and wait in JoinGroup: 25 makes it join anew.
    pub(super) fn answer_join_of_removed(&mut self, id: &MemberId, desk: &mut Desk) {
        let parked = self
            .member_mut(id)
            .and_then(|member| member.parked_join.take());
        if let Some(ticket) = parked {
            let refusal = refusal(MemberId::default(), ErrorCode::UnknownMemberId);
            desk.answer(ticket, refusal);
        }
    }
}
