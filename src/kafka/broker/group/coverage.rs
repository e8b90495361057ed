//! Which pairs of a group's state and an event have occurred: what tests ask whether they missed any.

use crate::kafka::fact::GroupState;
use std::fmt;

macro_rules! events {
    ($($(#[doc = $doc:literal])* $event:ident in $($state:ident)*;)*) => {
        /// What can befall a group: a request by the row of spec/02 or 05 that it falls under, or a timer.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum GroupEvent {
            $($(#[doc = $doc])* $event,)*
        }

        impl GroupEvent {
            /// Every event.
            pub const ALL: &'static [GroupEvent] = &[$(GroupEvent::$event,)*];

            /// The states in which it can occur. [`GroupState::Dead`] stands for a group that there is not.
            pub const fn states(self) -> &'static [GroupState] {
                match self {
                    $(GroupEvent::$event => &[$(GroupState::$state,)*],)*
                }
            }
        }
    };
}

events! {
    /// JoinGroup without id, from v4: an id is given, 79.
    JoinTwoStep in Empty PreparingRebalance CompletingRebalance Stable;
    /// JoinGroup without id, before v4: a member at once.
    JoinOneStep in Empty PreparingRebalance CompletingRebalance Stable;
    /// JoinGroup without id of an instance that is not in the group.
    JoinNewStatic in Empty PreparingRebalance CompletingRebalance Stable;
    /// JoinGroup without id of an instance that is in the group.
    JoinReplacesStatic in PreparingRebalance CompletingRebalance Stable;
    /// JoinGroup with a pending id.
    JoinPending in Empty PreparingRebalance CompletingRebalance Stable;
    /// JoinGroup of the leader.
    JoinLeader in PreparingRebalance CompletingRebalance Stable;
    /// JoinGroup of another member, protocols and metadata as before.
    JoinFollowerSame in PreparingRebalance CompletingRebalance Stable;
    /// JoinGroup of another member, protocols or metadata changed.
    JoinFollowerChanged in PreparingRebalance CompletingRebalance Stable;
    /// JoinGroup with an id or instance that the group does not know, 25.
    JoinUnknownMember in Dead Empty PreparingRebalance CompletingRebalance Stable;
    /// JoinGroup with an instance that belongs to another id, 82.
    JoinFenced in PreparingRebalance CompletingRebalance Stable;
    /// JoinGroup with protocols that do not fit, 23.
    JoinInconsistent in Empty PreparingRebalance CompletingRebalance Stable;
    /// JoinGroup into a full group, 81.
    JoinFull in PreparingRebalance CompletingRebalance Stable;
    /// SyncGroup of the leader.
    SyncLeader in PreparingRebalance CompletingRebalance Stable;
    /// SyncGroup of another member.
    SyncFollower in PreparingRebalance CompletingRebalance Stable;
    /// SyncGroup of a member that is none, 25.
    SyncUnknownMember in Dead Empty PreparingRebalance CompletingRebalance Stable;
    /// SyncGroup with an instance that belongs to another id, 82.
    SyncFenced in PreparingRebalance CompletingRebalance Stable;
    /// SyncGroup of another generation, 22.
    SyncIllegalGeneration in PreparingRebalance CompletingRebalance Stable;
    /// SyncGroup with another protocol type or name, 23.
    SyncInconsistent in PreparingRebalance CompletingRebalance Stable;
    /// Heartbeat of a member.
    Heartbeat in PreparingRebalance CompletingRebalance Stable;
    /// Heartbeat of a member that is none, 25.
    HeartbeatUnknownMember in Dead Empty PreparingRebalance CompletingRebalance Stable;
    /// Heartbeat with an instance that belongs to another id, 82.
    HeartbeatFenced in PreparingRebalance CompletingRebalance Stable;
    /// Heartbeat of another generation, 22.
    HeartbeatIllegalGeneration in PreparingRebalance CompletingRebalance Stable;
    /// LeaveGroup of a member by its id.
    Leave in PreparingRebalance CompletingRebalance Stable;
    /// LeaveGroup by instance id alone.
    LeaveByInstance in PreparingRebalance CompletingRebalance Stable;
    /// LeaveGroup of a pending id.
    LeavePending in Empty PreparingRebalance CompletingRebalance Stable;
    /// LeaveGroup of a member that is none, 25.
    LeaveUnknownMember in Dead Empty PreparingRebalance CompletingRebalance Stable;
    /// LeaveGroup with an instance that belongs to another id, 82.
    LeaveFenced in PreparingRebalance CompletingRebalance Stable;
    /// OffsetCommit of a member.
    CommitMember in PreparingRebalance CompletingRebalance Stable;
    /// OffsetCommit from outside, accepted.
    CommitSimple in Dead Empty;
    /// OffsetCommit of a member that is none, or from outside while there are members, 25.
    CommitUnknownMember in Empty PreparingRebalance CompletingRebalance Stable;
    /// OffsetCommit with an instance that belongs to another id, 82.
    CommitFenced in PreparingRebalance CompletingRebalance Stable;
    /// OffsetCommit of another generation, 22 (from v9, without a group: 69).
    CommitIllegalGeneration in Dead PreparingRebalance CompletingRebalance Stable;
    /// A member's session timer fired and the member is out.
    SessionExpired in PreparingRebalance CompletingRebalance Stable;
    /// A member's session timer fired while the member waits for an answer.
    SessionSatisfied in PreparingRebalance CompletingRebalance;
    /// A pending id's session timer fired.
    PendingExpired in Empty PreparingRebalance CompletingRebalance Stable;
    /// The initial delay was over, and began again because a member had come.
    InitialDelayExtended in PreparingRebalance;
    /// The initial delay was over.
    InitialDelayOver in PreparingRebalance;
    /// The rebalance timeout was over.
    RebalanceTimeout in PreparingRebalance;
    /// The time for SyncGroup was over, and some had not sent it.
    SyncTimeout in CompletingRebalance Stable;
    /// The leader's assignment is stored.
    AssignmentStored in CompletingRebalance;
    /// An offset expired.
    OffsetExpired in Empty Stable;
    /// No offset was left of a group without members.
    GroupRemoved in Empty;
}

const STATES: [GroupState; 5] = [
    GroupState::Empty,
    GroupState::PreparingRebalance,
    GroupState::CompletingRebalance,
    GroupState::Stable,
    GroupState::Dead,
];

// One bit per event.
const _: () = assert!(GroupEvent::ALL.len() <= 64);

/// A set of pairs of state and event.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Coverage([u64; STATES.len()]);

impl Coverage {
    /// Every pair that can occur.
    pub fn reachable() -> Self {
        let mut all = Self::default();
        for &event in GroupEvent::ALL {
            for &state in event.states() {
                all.insert(state, event);
            }
        }
        all
    }

    /// Adds a pair.
    pub fn insert(&mut self, state: GroupState, event: GroupEvent) {
        for (bits, of) in self.0.iter_mut().zip(STATES) {
            if of == state {
                *bits |= 1 << event as u32;
            }
        }
    }

    /// Adds the pairs of another set.
    pub fn merge(&mut self, other: &Coverage) {
        for (bits, more) in self.0.iter_mut().zip(other.0) {
            *bits |= more;
        }
    }

    /// The pairs of this set that are not in `other`.
    pub fn without(&self, other: &Coverage) -> Coverage {
        let mut rest = *self;
        for (bits, less) in rest.0.iter_mut().zip(other.0) {
            *bits &= !less;
        }
        rest
    }

    /// The pairs, by state, then event.
    pub fn iter(&self) -> impl Iterator<Item = (GroupState, GroupEvent)> {
        STATES.into_iter().zip(self.0).flat_map(|(state, bits)| {
            let events = GroupEvent::ALL.iter().copied();
            events
                .filter(move |&event| bits & (1 << event as u32) != 0)
                .map(move |event| (state, event))
        })
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Debug for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
