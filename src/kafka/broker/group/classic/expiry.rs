//! Session timers: silence of a member, or of somebody who was given an id.

use super::super::super::CoordinatorKind;
use super::super::super::desk::Desk;
use super::super::GroupEvent;
use super::Group;
use crate::kafka::fact::{GroupState, GroupWhy, RemovalCause};
use crate::kafka::ids::MemberId;

impl Group {
    /// A session timer fired (`expireClassicGroupMemberHeartbeat`).
    pub(in crate::kafka::broker) fn session_expired(&mut self, id: &MemberId, desk: &mut Desk) {
        if self.pending_joins.contains(id) {
            desk.reach(self.state, GroupEvent::PendingExpired);
            let fact = self.remove(id, RemovalCause::SessionExpired, desk);
            desk.because_of(fact);
            return self.complete_join_without(desk);
        }
        let Some(member) = self.member(id) else {
            return;
        };
        if member.has_satisfied_heartbeat() {
            desk.reach(self.state, GroupEvent::SessionSatisfied);
            return;
        }
        desk.reach(self.state, GroupEvent::SessionExpired);
        self.answer_join_of_removed(id, desk);
        let fact = self.remove(id, RemovalCause::SessionExpired, desk);
        desk.because_of(fact);
        match self.state {
            GroupState::Stable | GroupState::CompletingRebalance => {
                self.prepare_rebalance(GroupWhy::SessionExpired(id.clone()), desk);
            }
            GroupState::PreparingRebalance => self.complete_join_without(desk),
            GroupState::Empty | GroupState::Dead => {}
        }
    }

    /// Ends the join phase if everybody who is left has joined. The new coordinator does so even during
    /// the initial delay, which the one in Scala waits out.
    fn complete_join_without(&mut self, desk: &mut Desk) {
        let waits_out_delay = match desk.settings.coordinator {
            CoordinatorKind::New => false,
            CoordinatorKind::Scala => self.is_in_initial_rebalance(),
        };
        if self.state == GroupState::PreparingRebalance
            && !waits_out_delay
            && self.has_all_members_joined()
        {
            self.complete_join(GroupWhy::AllJoined, desk);
        }
    }
}
