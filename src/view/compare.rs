//! The same history under one changed thing: two runs on one axis of time, and what differs in numbers.

pub use crate::session::Change;

use super::panel::{Axis, Band, OwnershipRow};
use super::{ApiKey, Instant, Readers};
use crate::kafka::config::{BrokerConfig, Configuration, ConsumerConfig};
use crate::world::command::Command;
use std::rc::Rc;

/// The view.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ComparePanel {
    /// Whose reading is looked at.
    pub readers: Option<Readers>,
    /// The comparison, if something is chosen to compare with.
    pub comparison: Option<Rc<Comparison>>,
}

/// Two runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// What is otherwise in the other run.
    pub change: Change,
    /// The whole run so far.
    pub axis: Axis,
    /// The instant of the page: both runs are counted up to it.
    pub until: Instant,
    /// The same, on the axis.
    pub now: i64,
    /// The other run is still being computed, up to here.
    pub behind: Option<Instant>,
    /// This run.
    pub ours: Strip,
    /// The other run.
    pub theirs: Strip,
    /// What is counted, in both.
    pub differences: Rc<[Difference]>,
    /// Acts that could not be carried out in the other run.
    pub refused: Rc<[Rc<Command>]>,
}

/// Who held which partition when, in one of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Strip {
    /// A row per partition.
    pub rows: Rc<[OwnershipRow]>,
    /// The group's states.
    pub bands: Rc<[Band]>,
}

/// A quantity in both runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Which.
    pub quantity: Quantity,
    /// In this run.
    pub ours: i64,
    /// In the other.
    pub theirs: i64,
    /// Where they came apart, once somebody asked: the instant, and its place on the axis.
    pub apart: Option<(Instant, i64)>,
}

/// What is counted (spec/08).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Quantity {
    /// Rebalances.
    Rebalances,
    /// Partitions that changed hands.
    Moved,
    /// Partitions that were given up for a rebalance.
    Revoked,
    /// Partition-time without an owner, ms.
    Unowned,
    /// Partition-time from each giving up to the next owner, ms.
    Paused,
    /// Duplicate deliveries.
    Duplicates,
    /// Duplicate processings.
    DuplicateProcessings,
    /// Records passed by a commit and never done.
    Skipped,
    /// Records jumped over by a reset.
    SkippedByReset,
    /// Records deleted before they were done.
    ExpiredUnread,
    /// The largest committed lag of the group.
    LagPeak,
    /// Requests of an API, of all clients.
    Requests(ApiKey),
}

impl Quantity {
    /// Those of the ledger, in their order. The requests follow.
    pub const LEDGER: [Quantity; 11] = [
        Quantity::Rebalances,
        Quantity::Moved,
        Quantity::Revoked,
        Quantity::Unowned,
        Quantity::Paused,
        Quantity::Duplicates,
        Quantity::DuplicateProcessings,
        Quantity::Skipped,
        Quantity::SkippedByReset,
        Quantity::ExpiredUnread,
        Quantity::LagPeak,
    ];

    /// Whether it is a length of time, in ms.
    pub fn is_time(self) -> bool {
        matches!(self, Quantity::Unowned | Quantity::Paused)
    }
}

/// Configurations that can be changed for a whole group, and those of brokers.
pub fn config_names() -> (Vec<&'static str>, Vec<&'static str>) {
    (names::<ConsumerConfig>(), names::<BrokerConfig>())
}

fn names<C: Configuration>() -> Vec<&'static str> {
    let mut names: Vec<_> = C::KEYS.iter().map(|key| key.name).collect();
    // Who is in the group at all, and under which name, is no setting to be compared.
    names.retain(|name| !matches!(*name, "group.id" | "group.instance.id" | "client.id"));
    names.sort_unstable();
    names
}
