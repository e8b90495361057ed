//! A static member comes back without its id (KIP-345): the new process takes the place of the old.

use super::super::super::desk::{Desk, Ticket};
use super::join::refusal;
use super::store::Write;
use super::{BrokerTimer, Group};
use crate::kafka::api::{JoinGroupRequest, JoinGroupResponse};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{FactKind, GroupState, GroupWhy, RemovalCause};
use crate::kafka::ids::MemberId;

/// First version whose answer can tell the leader not to assign (KIP-814).
const SKIP_ASSIGNMENT_VERSION: i16 = 9;

impl Group {
    pub(super) fn replace_static_member(
        &mut self,
        ticket: Ticket,
        request: JoinGroupRequest,
        old: MemberId,
        new: MemberId,
        desk: &mut Desk,
    ) {
        let (leader_before, api_version) = (self.leader.clone(), ticket.api_version());
        let instance = request.group_instance_id.clone().unwrap_or_default();
        self.rename(&old, &new, desk);
        // Kafka starts it with the timeout of the old process.
        self.restart_session(&new, desk);
        self.update_member(&new, ticket, request, desk);
        match self.state {
            GroupState::Stable if self.select_protocol() == self.protocol => {
                let write = Write::StaticMember {
                    member_id: new,
                    leader_before,
                    api_version,
                };
                self.write_group(write, desk);
            }
            // In CompletingRebalance the leader may already be assigning to the old id.
            GroupState::Stable | GroupState::CompletingRebalance => {
                self.prepare_rebalance(GroupWhy::StaticMemberReplaced(instance), desk);
            }
            GroupState::Empty | GroupState::PreparingRebalance | GroupState::Dead => {
                self.maybe_complete_join(GroupWhy::AllJoined, desk);
            }
        }
    }

    /// Gives a member another id. What is parked under the old one is fenced.
    fn rename(&mut self, old: &MemberId, new: &MemberId, desk: &mut Desk) {
        desk.timers
            .cancel(&BrokerTimer::Session(self.id.clone(), old.clone()));
        desk.journal.note(FactKind::MemberRemoved {
            group: self.id.clone(),
            member_id: old.clone(),
            cause: RemovalCause::Fenced,
        });
        let group = self.id.clone();
        let Some(member) = self.member_mut(old) else {
            return;
        };
        member.id = new.clone();
        member.is_new = false;
        let (join, sync) = (member.parked_join.take(), member.parked_sync.take());
        desk.journal.note_as_cause(FactKind::MemberAdded {
            group,
            member_id: new.clone(),
            group_instance_id: member.group_instance_id.clone(),
            replaces: Some(old.clone()),
        });
        if self.is_leader(old) {
            self.leader = Some(new.clone());
            self.note_leader(desk);
        }
        if let Some(ticket) = join {
            let fenced = JoinGroupResponse {
                protocol_name: None,
                ..refusal(old.clone(), ErrorCode::FencedInstanceId)
            };
            desk.answer(ticket, fenced);
        }
        if let Some(ticket) = sync {
            desk.answer(ticket, super::sync::refusal(ErrorCode::FencedInstanceId));
        }
    }

    /// The replacement is stored: the new process may go on in the present generation. Before v9 a
    /// returning leader is told the id that the leader had before, so that it acts as a follower and
    /// nobody assigns; from v9 it is told that it leads and need not assign.
    pub(super) fn finish_static_member(
        &mut self,
        id: &MemberId,
        leader_before: Option<MemberId>,
        api_version: i16,
        desk: &mut Desk,
    ) {
        let is_leader = self.is_leader(id);
        let lists_members = is_leader && api_version >= SKIP_ASSIGNMENT_VERSION;
        if lists_members && self.state == GroupState::PreparingRebalance {
            // A rebalance began meanwhile, and there is no member list to show during one. Kafka throws
            // where nobody sees it; the JoinGroup stays parked and takes part in the rebalance.
            return;
        }
        let mut response = self.joined(id);
        if lists_members {
            response.skip_assignment = true;
        } else if api_version < SKIP_ASSIGNMENT_VERSION {
            response.leader = leader_before.unwrap_or_default();
            response.members.clear();
        }
        let parked = self
            .member_mut(id)
            .and_then(|member| member.parked_join.take());
        if let Some(ticket) = parked {
            desk.answer(ticket, response);
        }
    }
}
