//! The classic group: members, generations, and the join and sync phases (spec/02; Kafka's classes
//! `ClassicGroup` and, for what it does, `GroupMetadataManager`).
//!
//! Invariants:
//! - The state changes in [`Group::transition`] only, to a state that may follow, and for a stated reason.
//! - Who is parked is told by tickets in the members; every other count is derived from them.
//! - One instance id belongs to one member. A pending id is not a member's id.
//! - The leader is a member; there is none if and only if there are no members.
//!
//! Absent: loading from the log and failed writes, which need replicas.

mod expiry;
mod heartbeat;
mod join;
mod leave;
mod member;
mod rebalance;
mod state;
mod static_member;
mod store;
mod sync;

pub(in crate::kafka::broker) use join::refusal as join_refusal;
pub(in crate::kafka::broker) use leave::{entry as leave_entry, response as leave_response};
pub use member::Member;
pub use rebalance::Ballot;
pub(in crate::kafka::broker) use store::Write;
pub(in crate::kafka::broker) use sync::refusal as sync_refusal;

use super::super::BrokerTimer;
use super::super::offsets::Offsets;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::GroupState;
use crate::kafka::ids::{Generation, GroupId, GroupInstanceId, MemberId, TopicName};
use crate::kafka::sorted::{SortedSet, sort_places};
use crate::kafka::time::Instant;
use rebalance::InitialDelay;
use std::rc::Rc;
use store::Writes;

/// Protocol type of consumers (`ConsumerProtocol.PROTOCOL_TYPE`).
const CONSUMER: &str = "consumer";

/// A classic group with its committed offsets.
#[derive(Clone, Debug)]
pub struct Group {
    id: GroupId,
    state: GroupState,
    previous_state: GroupState,
    state_since: Instant,
    generation: Generation,
    protocol_type: Option<Rc<str>>,
    protocol: Option<Rc<str>>,
    leader: Option<MemberId>,
    /// In the order of joining.
    members: Vec<Member>,
    /// See [`super::GroupPreset::member_order`].
    member_order: Rc<[MemberId]>,
    pending_joins: SortedSet<MemberId>,
    pending_syncs: SortedSet<MemberId>,
    new_member_added: bool,
    initial_delay: Option<InitialDelay>,
    subscribed_topics: Option<SortedSet<TopicName>>,
    writes: Writes,
    pub(in crate::kafka::broker) offsets: Offsets,
}

impl Group {
    /// `group.id`.
    pub fn id(&self) -> &GroupId {
        &self.id
    }

    /// Its state.
    pub fn state(&self) -> GroupState {
        self.state
    }

    /// The state before.
    pub fn previous_state(&self) -> GroupState {
        self.previous_state
    }

    /// Since when it has been in its state.
    pub fn state_since(&self) -> Instant {
        self.state_since
    }

    /// Its generation; 0 before the first.
    pub fn generation(&self) -> Generation {
        self.generation
    }

    /// `consumer` for consumers; `None` if it never had a member.
    pub fn protocol_type(&self) -> Option<&Rc<str>> {
        self.protocol_type.as_ref()
    }

    /// The assignor of the present generation.
    pub fn protocol(&self) -> Option<&Rc<str>> {
        self.protocol.as_ref()
    }

    /// Whether its members are consumers, so that the coordinator can read their subscriptions.
    pub fn is_of_consumers(&self) -> bool {
        self.protocol_type.as_deref() == Some(CONSUMER)
    }

    /// The leader.
    pub fn leader(&self) -> Option<&MemberId> {
        self.leader.as_ref()
    }

    /// The members, in the order in which the leader gets to see them.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.listed().into_iter().map(|index| &self.members[index])
    }

    /// The member with that id.
    pub fn member(&self, id: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.id.as_str() == id)
    }

    /// The ids that were given out with 79 and are awaited back.
    pub fn pending_joins(&self) -> &SortedSet<MemberId> {
        &self.pending_joins
    }

    /// The ids of which SyncGroup is awaited.
    pub fn pending_syncs(&self) -> &SortedSet<MemberId> {
        &self.pending_syncs
    }

    /// The topics that any member subscribes to; `None` if the coordinator cannot tell.
    pub fn subscribed_topics(&self) -> Option<&SortedSet<TopicName>> {
        self.subscribed_topics.as_ref()
    }

    /// Its committed offsets.
    pub fn offsets(&self) -> &Offsets {
        &self.offsets
    }

    /// Whether records of it are on their way into the log.
    pub fn is_writing(&self) -> bool {
        !self.writes.is_empty()
    }

    /// Indices into `members`, in the order of listing.
    fn listed(&self) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..self.members.len()).collect();
        if !self.member_order.is_empty() {
            let order = &self.member_order;
            let place = |index: usize| {
                let id = &self.members[index].id;
                let place = order.iter().position(|other| other == id);
                place.unwrap_or(order.len())
            };
            sort_places(&mut indices, &|left, right| place(left).cmp(&place(right)));
        }
        indices
    }

    fn member_mut(&mut self, id: &str) -> Option<&mut Member> {
        let mut members = self.members.iter_mut();
        members.find(|member| member.id.as_str() == id)
    }

    /// The member with that instance id.
    fn static_member(&self, instance: &GroupInstanceId) -> Option<&Member> {
        let mut members = self.members.iter();
        members.find(|member| member.group_instance_id.as_ref() == Some(instance))
    }

    fn is_leader(&self, id: &MemberId) -> bool {
        self.leader.as_ref() == Some(id)
    }

    /// Whether the whole group waits for the join phase to end. A pending id is waited for as well.
    fn has_all_members_joined(&self) -> bool {
        self.pending_joins.is_empty() && self.members.iter().all(Member::is_awaiting_join)
    }

    /// Time that a rebalance gives to its slowest member, ms.
    fn rebalance_timeout_ms(&self) -> i32 {
        let timeouts = self.members.iter();
        let timeouts = timeouts.map(|member| member.rebalance_timeout_ms);
        timeouts.max().unwrap_or(0).max(0)
    }

    /// Whether a request's member and instance are this group's (`validateMember`): 25 or 82 if not.
    pub(in crate::kafka::broker) fn validate_member(
        &self,
        id: &MemberId,
        instance: Option<&GroupInstanceId>,
    ) -> Result<(), ErrorCode> {
        if let Some(instance) = instance {
            match self.static_member(instance) {
                None => return Err(ErrorCode::UnknownMemberId),
                Some(member) if member.id != *id => return Err(ErrorCode::FencedInstanceId),
                Some(_) => {}
            }
        }
        match self.member(id) {
            Some(_) => Ok(()),
            None => Err(ErrorCode::UnknownMemberId),
        }
    }
}
