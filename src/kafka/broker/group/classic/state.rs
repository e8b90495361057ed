//! How a group comes into being, changes its state, and loses members.

use super::super::super::desk::Desk;
use super::super::super::{BrokerTimer, offsets::Offsets};
use super::super::shares::{shares, subscribed_topics};
use super::super::{GroupPreset, MemberPreset};
use super::member::{Member, no_bytes};
use super::store::Writes;
use super::{Group, GroupState};
use crate::kafka::fact::{FactId, FactKind, GroupWhy, RemovalCause};
use crate::kafka::ids::{Generation, GroupId, MemberId, TopicName};
use crate::kafka::sorted::SortedSet;
use crate::kafka::time::Duration;
use std::rc::Rc;

impl GroupState {
    /// Whether a group may go from `from` to this state (`ClassicGroupState.validPreviousStates`).
    fn may_follow(self, from: GroupState) -> bool {
        use GroupState::*;
        match self {
            Empty => from == PreparingRebalance,
            PreparingRebalance => matches!(from, Empty | CompletingRebalance | Stable),
            CompletingRebalance => from == PreparingRebalance,
            Stable => from == CompletingRebalance,
            Dead => true,
        }
    }
}

impl Group {
    /// A new group, Empty.
    pub(in crate::kafka::broker) fn create(id: GroupId, desk: &mut Desk) -> Self {
        desk.journal.note_as_cause(FactKind::GroupStateChanged {
            group: id.clone(),
            from: GroupState::Dead,
            to: GroupState::Empty,
            generation: Generation(0),
            why: GroupWhy::Created,
        });
        Self {
            id,
            state: GroupState::Empty,
            previous_state: GroupState::Dead,
            state_since: desk.now(),
            generation: Generation(0),
            protocol_type: None,
            protocol: None,
            leader: None,
            members: Vec::new(),
            member_order: Rc::from([]),
            pending_joins: SortedSet::new(),
            pending_syncs: SortedSet::new(),
            new_member_added: false,
            initial_delay: None,
            subscribed_topics: None,
            writes: Writes::default(),
            offsets: Offsets::default(),
        }
    }

    /// A group that existed before.
    pub(in crate::kafka::broker) fn install(preset: GroupPreset, desk: &mut Desk) -> Self {
        let mut group = Self::create(preset.group, desk);
        group.state_since = preset.since;
        group.generation = preset.generation;
        group.protocol_type = preset.protocol_type;
        group.protocol = preset.protocol;
        group.member_order = preset.member_order.into();
        for member in preset.members {
            group.install_member(member, desk);
        }
        let named = preset.leader.filter(|id| group.member(id).is_some());
        group.leader = named.or_else(|| group.members.first().map(|member| member.id.clone()));
        if !group.members.is_empty() {
            group.state = GroupState::Stable;
            group.note_leader(desk);
            desk.journal.note(FactKind::GroupStateChanged {
                group: group.id.clone(),
                from: GroupState::Empty,
                to: GroupState::Stable,
                generation: group.generation,
                why: GroupWhy::Created,
            });
            desk.journal.note(FactKind::Assigned {
                group: group.id.clone(),
                generation: group.generation,
                shares: shares(group.members()),
            });
        }
        group.subscribed_topics = group.compute_subscribed_topics();
        for (partition, offset) in preset.offsets {
            group.store_offset(partition, offset, &MemberId::default(), desk);
        }
        group
    }

    fn install_member(&mut self, preset: MemberPreset, desk: &mut Desk) {
        if self.member(&preset.member_id).is_some() {
            return;
        }
        let silence = Duration::from_ms(i64::from(preset.session_timeout_ms));
        desk.set_timer(
            BrokerTimer::Session(self.id.clone(), preset.member_id.clone()),
            preset.last_heartbeat + silence,
        );
        desk.journal.note(FactKind::MemberAdded {
            group: self.id.clone(),
            member_id: preset.member_id.clone(),
            group_instance_id: preset.group_instance_id.clone(),
            replaces: None,
        });
        self.members.push(Member {
            id: preset.member_id,
            group_instance_id: preset.group_instance_id,
            client_id: preset.client_id,
            client_host: preset.client_host,
            session_timeout_ms: preset.session_timeout_ms,
            rebalance_timeout_ms: preset.rebalance_timeout_ms,
            protocols: preset.protocols.into(),
            assignment: preset.assignment,
            parked_join: None,
            parked_sync: None,
            is_new: false,
        });
    }

    /// The one place where the state changes.
    pub(super) fn transition(&mut self, to: GroupState, why: GroupWhy, desk: &mut Desk) {
        debug_assert!(
            to.may_follow(self.state),
            "{:?} may not follow {:?}",
            to,
            self.state
        );
        desk.journal.note_as_cause(FactKind::GroupStateChanged {
            group: self.id.clone(),
            from: self.state,
            to,
            generation: self.generation,
            why,
        });
        self.previous_state = self.state;
        self.state = to;
        self.state_since = desk.now();
    }

    /// The group is gone: its last offset expired while it had no members.
    pub(in crate::kafka::broker) fn bury(&mut self, desk: &mut Desk) {
        for id in std::mem::take(&mut self.pending_joins) {
            desk.timers
                .cancel(&BrokerTimer::Session(self.id.clone(), id));
        }
        self.transition(GroupState::Dead, GroupWhy::Deleted, desk);
    }

    /// Takes a member or a pending id out. Parked requests of it must have been answered by whom it
    /// concerns; Kafka forgets those that are left (`ClassicGroup.remove`).
    pub(super) fn remove(
        &mut self,
        id: &MemberId,
        cause: RemovalCause,
        desk: &mut Desk,
    ) -> Option<FactId> {
        desk.timers
            .cancel(&BrokerTimer::Session(self.id.clone(), id.clone()));
        let was_pending = self.pending_joins.remove(id);
        let index = self.members.iter().position(|member| member.id == *id);
        let member = index.map(|index| self.members.remove(index));
        if member.is_none() && !was_pending {
            return None;
        }
        let fact = desk.journal.note(FactKind::MemberRemoved {
            group: self.id.clone(),
            member_id: id.clone(),
            cause,
        });
        for ticket in member
            .into_iter()
            .flat_map(|m| [m.parked_join, m.parked_sync])
        {
            desk.leave_unanswered(ticket);
        }
        if self.is_leader(id) {
            // DEVIATION: Kafka takes the first in the order of a hash table, which nobody can foresee. Here
            // it is the oldest member.
            self.leader = self.members.first().map(|member| member.id.clone());
            self.note_leader(desk);
        }
        Some(fact)
    }

    pub(super) fn note_leader(&self, desk: &mut Desk) {
        if let Some(leader) = &self.leader {
            desk.journal.note(FactKind::LeaderElected {
                group: self.id.clone(),
                member_id: leader.clone(),
            });
        }
    }

    /// Starts a member's session timer anew.
    pub(in crate::kafka::broker) fn restart_session(&self, id: &MemberId, desk: &mut Desk) {
        if let Some(member) = self.member(id) {
            desk.set_timer_in(
                BrokerTimer::Session(self.id.clone(), id.clone()),
                member.session_timeout_ms,
            );
        }
    }

    /// Which topics the members subscribe to (`computeSubscribedTopics`).
    pub(super) fn compute_subscribed_topics(&self) -> Option<SortedSet<TopicName>> {
        if !self.is_of_consumers() {
            return None;
        }
        if self.members.is_empty() {
            return Some(SortedSet::new());
        }
        let protocol = self.protocol.as_deref()?;
        let metadata = self.members.iter();
        subscribed_topics(metadata.map(|member| member.metadata(Some(protocol))))
    }

    /// Takes every member's share away.
    pub(super) fn reset_assignments(&mut self) {
        for member in &mut self.members {
            member.assignment = no_bytes();
        }
    }
}
