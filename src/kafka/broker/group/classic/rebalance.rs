//! The join phase: how it begins, how long it waits, how it ends.

use super::super::super::desk::Desk;
use super::super::GroupEvent;
use super::store::Write;
use super::{BrokerTimer, Group};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{FactKind, GroupState, GroupWhy, RemovalCause};
use crate::kafka::ids::{Generation, MemberId};
use std::rc::Rc;

/// The wait for further members of a group that was empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct InitialDelay {
    /// Length of the wait that runs.
    delay_ms: i32,
    /// What may be added to it.
    remaining_ms: i32,
}

impl Group {
    /// Whether the join phase is the first of a group that was empty: it lasts for the initial delay,
    /// even if everybody has joined.
    pub(super) fn is_in_initial_rebalance(&self) -> bool {
        self.state == GroupState::PreparingRebalance && self.previous_state == GroupState::Empty
    }

    pub(super) fn prepare_rebalance_or_complete_join(&mut self, why: GroupWhy, desk: &mut Desk) {
        match self.state {
            GroupState::Empty | GroupState::CompletingRebalance | GroupState::Stable => {
                self.prepare_rebalance(why, desk);
            }
            GroupState::PreparingRebalance | GroupState::Dead => {
                self.maybe_complete_join(GroupWhy::AllJoined, desk);
            }
        }
    }

    /// Begins a join phase.
    pub(super) fn prepare_rebalance(&mut self, why: GroupWhy, desk: &mut Desk) {
        let was = self.state;
        self.transition(GroupState::PreparingRebalance, why, desk);
        if was == GroupState::CompletingRebalance {
            self.reset_assignments();
            self.propagate_assignments(ErrorCode::RebalanceInProgress, desk);
        }
        self.pending_syncs.clear();
        desk.timers.cancel(&BrokerTimer::Sync(self.id.clone()));
        if was == GroupState::Empty {
            let delay_ms = desk.settings.config.group_initial_rebalance_delay_ms;
            let spare_ms = i64::from(self.rebalance_timeout_ms()) - i64::from(delay_ms);
            self.initial_delay = Some(InitialDelay {
                delay_ms,
                remaining_ms: i32::try_from(spare_ms.max(0)).unwrap_or(i32::MAX),
            });
            desk.set_timer_in(BrokerTimer::InitialDelay(self.id.clone()), delay_ms);
        } else if self.has_all_members_joined() {
            self.complete_join(GroupWhy::AllJoined, desk);
        } else {
            self.start_rebalance_timer(desk);
        }
    }

    /// As long as the slowest member may take, as of now.
    ///
    /// DEVIATION: at least a millisecond. A group of silent static members whose rebalance timeout is 0 makes
    /// Kafka start this timer again and again without a pause; virtual time would never get past that.
    fn start_rebalance_timer(&self, desk: &mut Desk) {
        desk.set_timer_in(
            BrokerTimer::Rebalance(self.id.clone()),
            self.rebalance_timeout_ms().max(1),
        );
    }

    /// Ends the join phase if everybody has joined, unless it is the first.
    pub(super) fn maybe_complete_join(&mut self, why: GroupWhy, desk: &mut Desk) {
        if self.state == GroupState::PreparingRebalance
            && self.previous_state != GroupState::Empty
            && self.has_all_members_joined()
        {
            self.complete_join(why, desk);
        }
    }

    /// The initial delay is over: it begins again if somebody has come meanwhile and time is left.
    pub(in crate::kafka::broker) fn initial_delay_over(&mut self, desk: &mut Desk) {
        let Some(wait) = self.initial_delay.take() else {
            return;
        };
        if !self.new_member_added || wait.remaining_ms == 0 {
            desk.reach(self.state, GroupEvent::InitialDelayOver);
            return self.complete_join(GroupWhy::InitialDelayOver, desk);
        }
        desk.reach(self.state, GroupEvent::InitialDelayExtended);
        self.new_member_added = false;
        let config = &desk.settings.config;
        let delay_ms = config
            .group_initial_rebalance_delay_ms
            .min(wait.remaining_ms);
        self.initial_delay = Some(InitialDelay {
            delay_ms,
            remaining_ms: wait.remaining_ms.saturating_sub(wait.delay_ms).max(0),
        });
        desk.set_timer_in(BrokerTimer::InitialDelay(self.id.clone()), delay_ms);
    }

    /// The slowest member's time is over.
    pub(in crate::kafka::broker) fn rebalance_timeout(&mut self, desk: &mut Desk) {
        desk.reach(self.state, GroupEvent::RebalanceTimeout);
        self.complete_join(GroupWhy::RebalanceTimeout, desk);
    }

    /// Ends the join phase (`completeClassicGroupJoin`). Dynamic members that have not joined are out;
    /// static ones stay.
    pub(super) fn complete_join(&mut self, why: GroupWhy, desk: &mut Desk) {
        self.initial_delay = None;
        desk.timers
            .cancel(&BrokerTimer::InitialDelay(self.id.clone()));
        desk.timers.cancel(&BrokerTimer::Rebalance(self.id.clone()));
        let late = self
            .members
            .iter()
            .filter(|member| !member.is_awaiting_join() && member.group_instance_id.is_none());
        for id in late.map(|member| member.id.clone()).collect::<Vec<_>>() {
            self.remove(&id, RemovalCause::RebalanceTimeout, desk);
        }
        if self.members.is_empty() {
            return self.become_empty(desk);
        }
        if !self.elect_joined_leader(desk) {
            // Only silent static members are left: wait until one joins or its session ends.
            return self.start_rebalance_timer(desk);
        }
        self.begin_generation(why, desk);
    }

    fn become_empty(&mut self, desk: &mut Desk) {
        self.generation = next(self.generation);
        self.protocol = None;
        self.subscribed_topics = self.compute_subscribed_topics();
        self.pending_syncs.clear();
        self.transition(GroupState::Empty, GroupWhy::LastMemberLeft, desk);
        self.write_group(Write::Empty, desk);
    }

    /// If the leader has not joined, the first who has takes over. False: nobody has.
    fn elect_joined_leader(&mut self, desk: &mut Desk) -> bool {
        let leader = self.leader.as_ref().and_then(|id| self.member(id));
        if leader.is_some_and(|leader| leader.is_awaiting_join()) {
            return true;
        }
        let mut joined = self
            .members
            .iter()
            .filter(|member| member.is_awaiting_join());
        let Some(id) = joined.next().map(|member| member.id.clone()) else {
            return false;
        };
        self.leader = Some(id);
        self.note_leader(desk);
        true
    }

    /// A new generation: everybody who waits is told, and SyncGroup is awaited of all members, absent
    /// static ones included.
    fn begin_generation(&mut self, why: GroupWhy, desk: &mut Desk) {
        self.generation = next(self.generation);
        self.protocol = self.select_protocol();
        self.subscribed_topics = self.compute_subscribed_topics();
        self.transition(GroupState::CompletingRebalance, why, desk);
        desk.journal.note_as_cause(FactKind::JoinCompleted {
            group: self.id.clone(),
            generation: self.generation,
            protocol: self.protocol.clone().unwrap_or_else(|| "".into()),
            leader: self.leader.clone().unwrap_or_default(),
        });
        for index in self.listed() {
            let id = self.members[index].id.clone();
            if let Some(ticket) = self.members[index].parked_join.take() {
                let response = self.joined(&id);
                desk.answer(ticket, response);
            }
            self.restart_session(&id, desk);
            self.members[index].is_new = false;
        }
        let ids = self.members.iter().map(|member| member.id.clone());
        self.pending_syncs = ids.collect();
        desk.set_timer_in(
            BrokerTimer::Sync(self.id.clone()),
            self.rebalance_timeout_ms(),
        );
    }

    /// The assignor with most votes.
    pub(super) fn select_protocol(&self) -> Option<Rc<str>> {
        self.ballot().winner
    }

    /// The vote as it would come out now. Candidates are the assignors that all members list; each member votes
    /// for the first of them in its own list; most votes win. Kafka breaks a tie by hash order; here the leader's
    /// list decides.
    pub fn ballot(&self) -> Ballot {
        let by_all = |name: &str| self.members.iter().all(|member| member.supports(name));
        let votes: Vec<(MemberId, Option<Rc<str>>)> = self
            .members
            .iter()
            .map(|member| {
                let mut wanted = member.protocols.iter().map(|protocol| &protocol.name);
                (member.id.clone(), wanted.find(|name| by_all(name)).cloned())
            })
            .collect();
        let leader = self.leader.as_ref().and_then(|id| self.member(id));
        let listed = leader.map_or(&[][..], |leader| leader.protocols()).iter();
        let candidates: Vec<Rc<str>> = listed
            .map(|protocol| &protocol.name)
            .filter(|name| by_all(name))
            .cloned()
            .collect();
        let count = |name: &Rc<str>| {
            votes
                .iter()
                .filter(|vote| vote.1.as_ref() == Some(name))
                .count()
        };
        // The last of several maxima would win in order, so the order is turned round.
        let winner = candidates
            .iter()
            .rev()
            .max_by_key(|name| count(name))
            .cloned();
        Ballot {
            candidates,
            votes,
            winner,
        }
    }
}

/// How members vote for an assignor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ballot {
    /// The assignors that all members list, in the order of the leader's list.
    pub candidates: Vec<Rc<str>>,
    /// Each member's vote, in the order of their joining.
    pub votes: Vec<(MemberId, Option<Rc<str>>)>,
    /// The assignor with most votes.
    pub winner: Option<Rc<str>>,
}

/// Generations wrap round, as Java's integers do.
fn next(generation: Generation) -> Generation {
    Generation(generation.0.wrapping_add(1))
}
