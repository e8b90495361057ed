//! SyncGroup (14), versions 0-5. v3 group instance id, v5 protocol type and name.

use super::super::super::desk::{Desk, Ticket};
use super::super::GroupEvent;
use super::super::shares::shares;
use super::store::Write;
use super::{BrokerTimer, Group};
use crate::kafka::api::{SyncGroupRequest, SyncGroupRequestAssignment, SyncGroupResponse};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{FactKind, GroupState, GroupWhy, RemovalCause};
use crate::kafka::ids::{Generation, MemberId};
use std::rc::Rc;

/// A refusal.
pub(in crate::kafka::broker) fn refusal(error_code: ErrorCode) -> SyncGroupResponse {
    SyncGroupResponse {
        error_code,
        protocol_type: None,
        protocol_name: None,
        assignment: super::member::no_bytes(),
    }
}

impl Group {
    pub(in crate::kafka::broker) fn sync(
        &mut self,
        ticket: Ticket,
        request: SyncGroupRequest,
        desk: &mut Desk,
    ) {
        if let Err((event, error)) = self.validate_sync(&request) {
            desk.reach(self.state, event);
            return desk.answer(ticket, refusal(error));
        }
        let is_leader = self.is_leader(&request.member_id);
        desk.reach(
            self.state,
            match is_leader {
                true => GroupEvent::SyncLeader,
                false => GroupEvent::SyncFollower,
            },
        );
        match self.state {
            GroupState::PreparingRebalance => {
                desk.answer(ticket, refusal(ErrorCode::RebalanceInProgress));
            }
            GroupState::CompletingRebalance => {
                if let Some(member) = self.member_mut(&request.member_id) {
                    desk.leave_unanswered(member.parked_sync.replace(ticket));
                }
                self.remove_pending_sync(&request.member_id, desk);
                if is_leader {
                    let write = Write::Assignment {
                        generation: request.generation_id,
                        assignments: request.assignments,
                    };
                    self.write_group(write, desk);
                }
            }
            GroupState::Stable => {
                self.remove_pending_sync(&request.member_id, desk);
                let response = self.synced(&request.member_id);
                desk.answer(ticket, response);
            }
            // Without members the request was refused above.
            GroupState::Empty | GroupState::Dead => {
                desk.answer(ticket, refusal(ErrorCode::UnknownMemberId));
            }
        }
    }

    fn validate_sync(&self, request: &SyncGroupRequest) -> Result<(), (GroupEvent, ErrorCode)> {
        let instance = request.group_instance_id.as_ref();
        if let Err(error) = self.validate_member(&request.member_id, instance) {
            return Err(match error {
                ErrorCode::FencedInstanceId => (GroupEvent::SyncFenced, error),
                _ => (GroupEvent::SyncUnknownMember, error),
            });
        }
        if request.generation_id != self.generation {
            let error = ErrorCode::IllegalGeneration;
            return Err((GroupEvent::SyncIllegalGeneration, error));
        }
        let differs =
            |asked: &Option<Rc<str>>, own: &Option<Rc<str>>| asked.is_some() && asked != own;
        if differs(&request.protocol_type, &self.protocol_type)
            || differs(&request.protocol_name, &self.protocol)
        {
            let error = ErrorCode::InconsistentGroupProtocol;
            return Err((GroupEvent::SyncInconsistent, error));
        }
        Ok(())
    }

    /// SyncGroup of that member is no longer awaited. The timer ends with the last.
    fn remove_pending_sync(&mut self, id: &MemberId, desk: &mut Desk) {
        self.pending_syncs.remove(id);
        if self.pending_syncs.is_empty() {
            desk.timers.cancel(&BrokerTimer::Sync(self.id.clone()));
        }
    }

    fn synced(&self, id: &MemberId) -> SyncGroupResponse {
        let member = self.member(id);
        SyncGroupResponse {
            error_code: ErrorCode::None,
            protocol_type: self.protocol_type.clone(),
            protocol_name: self.protocol.clone(),
            assignment: member.map_or_else(super::member::no_bytes, |m| m.assignment.clone()),
        }
    }

    /// The leader's assignment is stored. If the group has moved on meanwhile, it is void.
    pub(super) fn finish_assignment(
        &mut self,
        generation: Generation,
        assignments: &[SyncGroupRequestAssignment],
        desk: &mut Desk,
    ) {
        if self.state != GroupState::CompletingRebalance || generation != self.generation {
            return;
        }
        desk.reach(self.state, GroupEvent::AssignmentStored);
        self.reset_assignments();
        for share in assignments {
            if let Some(member) = self.member_mut(&share.member_id) {
                member.assignment = share.assignment.clone();
            }
        }
        self.transition(GroupState::Stable, GroupWhy::AssignmentStored, desk);
        desk.journal.note_as_cause(FactKind::Assigned {
            group: self.id.clone(),
            generation,
            shares: shares(self.members()),
        });
        self.propagate_assignments(ErrorCode::None, desk);
    }

    /// Answers every parked SyncGroup. Their senders could not send heartbeats meanwhile, so their session
    /// timers start anew, whatever the answer.
    pub(super) fn propagate_assignments(&mut self, error: ErrorCode, desk: &mut Desk) {
        for index in self.listed() {
            let Some(ticket) = self.members[index].parked_sync.take() else {
                continue;
            };
            let id = self.members[index].id.clone();
            let response = match error.is_none() {
                true => self.synced(&id),
                false => refusal(error),
            };
            desk.answer(ticket, response);
            self.restart_session(&id, desk);
        }
    }

    /// The time for SyncGroup is over: who has not sent it is out (`expirePendingSync`).
    pub(in crate::kafka::broker) fn sync_timeout(&mut self, desk: &mut Desk) {
        match self.state {
            GroupState::CompletingRebalance | GroupState::Stable => {}
            GroupState::Empty | GroupState::PreparingRebalance | GroupState::Dead => return,
        }
        desk.reach(self.state, GroupEvent::SyncTimeout);
        for id in std::mem::take(&mut self.pending_syncs) {
            self.remove(&id, RemovalCause::SyncTimeout, desk);
        }
        self.prepare_rebalance(GroupWhy::SyncTimeout, desk);
    }
}
