//! What a run may be stopped at: each a predicate on a fact and on what had been counted with it.
//!
//! The run ends with the event whose fact it is, so the stop is at exactly that instant, however fast time
//! runs and however long a frame is. Invariant: looking changes nothing.

use crate::kafka::fact::{Fact, FactId, FactKind, GroupState};
use crate::kafka::ids::TopicPartition;
use crate::kafka::time::Instant;
use crate::ledger::{Ledger, Readers};

/// Something that a run may be stopped at.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stop {
    /// A group begins a rebalance, or is Stable.
    Rebalance,
    /// A group is Stable no longer.
    LeavesStable,
    /// Nobody holds a partition any more, or a new one.
    Unowned,
    /// The coordinator has a member no longer.
    Removed,
    /// Records begin to come again.
    Duplicate,
    /// An offset is committed.
    Commit,
    /// A request is answered with an error.
    Error,
    /// A request or an answer goes onto the wire.
    Message,
    /// A group's committed lag rises above this.
    Lag {
        /// On which partition.
        partition: TopicPartition,
        /// In records.
        above: i64,
    },
}

impl Stop {
    /// Those that need nothing to be said, in the order of a list.
    pub const PLAIN: [Stop; 8] = [
        Stop::Rebalance,
        Stop::LeavesStable,
        Stop::Unowned,
        Stop::Removed,
        Stop::Duplicate,
        Stop::Commit,
        Stop::Error,
        Stop::Message,
    ];
}

/// Where a run was stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stopped {
    /// By what.
    pub stop: Stop,
    /// When.
    pub at: Instant,
    /// The fact of it.
    pub fact: FactId,
}

/// Looks out for the first of some stops.
pub(super) struct Watch<'a> {
    stops: &'a [Stop],
    /// How many groups' lag is above the bound of each: none for stops of another kind.
    above: Vec<usize>,
}

impl<'a> Watch<'a> {
    /// Looks out from where `ledger` stands.
    pub(super) fn new(stops: &'a [Stop], ledger: &Ledger) -> Self {
        let above = stops.iter().map(|stop| match stop {
            Stop::Lag { partition, above } => groups_above(ledger, partition, *above),
            _ => 0,
        });
        Self {
            stops,
            above: above.collect(),
        }
    }

    /// The first of the stops that a fact meets. It is the last fact that is counted into `ledger`.
    pub(super) fn look(&mut self, ledger: &Ledger, fact: &Fact) -> Option<Stopped> {
        let mut met = None;
        // All of them look, so that none misses how its lag stands.
        for (stop, above) in self.stops.iter().zip(&mut self.above) {
            if is_met(stop, above, ledger, fact) {
                met = met.or(Some(stop));
            }
        }
        met.map(|stop| Stopped {
            stop: stop.clone(),
            at: fact.at,
            fact: fact.id,
        })
    }
}

fn is_met(stop: &Stop, groups: &mut usize, ledger: &Ledger, fact: &Fact) -> bool {
    match (stop, &fact.kind) {
        (Stop::Rebalance, FactKind::GroupStateChanged { to, .. }) => {
            matches!(to, GroupState::PreparingRebalance | GroupState::Stable)
        }
        (Stop::LeavesStable, FactKind::GroupStateChanged { from, .. }) => {
            *from == GroupState::Stable
        }
        (
            Stop::Unowned,
            FactKind::Release { .. }
            | FactKind::Stopped { .. }
            | FactKind::SubscriptionChanged { .. }
            | FactKind::PartitionCreated { .. },
        ) => leaves_unowned(ledger, fact),
        (Stop::Removed, FactKind::MemberRemoved { .. })
        | (Stop::Commit, FactKind::CommitStored { .. })
        | (Stop::Message, FactKind::RequestSent { .. } | FactKind::ResponseSent { .. }) => true,
        (
            Stop::Duplicate,
            FactKind::Deliver {
                member, partition, ..
            },
        ) => {
            let entry = ledger.partition(&Readers::of(member), partition);
            let run = entry.and_then(|entry| entry.deliveries.duplicates().runs().last());
            run.is_some_and(|run| run.delivery == fact.id)
        }
        (Stop::Error, FactKind::ResponseSent { response, .. }) => !response.error().is_none(),
        (
            Stop::Lag { partition, above },
            FactKind::HwAdvance { partition: of, .. }
            | FactKind::CommitStored { partition: of, .. }
            | FactKind::CommitRemoved { partition: of, .. }
            | FactKind::PartitionDeleted { partition: of },
        ) if partition == of => {
            let before = std::mem::replace(groups, groups_above(ledger, partition, *above));
            *groups > before
        }
        _ => false,
    }
}

/// Whether a partition is without an owner since this fact.
fn leaves_unowned(ledger: &Ledger, fact: &Fact) -> bool {
    let begun = |readers: &Readers, partition: &TopicPartition| {
        let entry = ledger.partition(readers, partition);
        let unowned = entry.and_then(|entry| entry.ownership.unowned_now());
        unowned.is_some_and(|unowned| unowned.begun_by == fact.id)
    };
    match &fact.kind {
        FactKind::Release {
            member, partition, ..
        } => begun(&Readers::of(member), partition),
        _ => ledger.shares().any(|(readers, share)| {
            let mut partitions = share.partitions();
            partitions.any(|(partition, _)| begun(readers, partition))
        }),
    }
}

/// How many groups' committed lag on a partition is above a bound.
fn groups_above(ledger: &Ledger, partition: &TopicPartition, above: i64) -> usize {
    let lags = ledger
        .shares()
        .filter_map(|(readers, _)| ledger.lag(readers, partition)?.committed);
    lags.filter(|lag| *lag > above).count()
}

#[cfg(test)]
#[path = "stops_tests.rs"]
mod tests;
