//! The words that the page explains.

use crate::view::GroupState;

/// A word that a newcomer may not know.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    State(GroupState),
    Generation,
    Assignor,
    Leader,
    Coordinator,
    Session,
    Poll,
    Unowned,
    Close,
    Kill,
    Freeze,
    StaticMember,
    HighWatermark,
    Committed,
    Position,
    Lag,
    PositionLag,
    ProcessingLag,
    AtRisk,
    Delivered,
    Duplicates,
    Done,
    InDoubt,
    Skipped,
    Accumulated,
    RollingChange,
    FullRestart,
    PartitionSeconds,
}

impl Term {
    /// All of them, in the order of a glossary.
    pub const ALL: [Term; 32] = [
        Term::State(GroupState::Empty),
        Term::State(GroupState::PreparingRebalance),
        Term::State(GroupState::CompletingRebalance),
        Term::State(GroupState::Stable),
        Term::State(GroupState::Dead),
        Term::Generation,
        Term::Assignor,
        Term::Leader,
        Term::Coordinator,
        Term::Session,
        Term::Poll,
        Term::Unowned,
        Term::Close,
        Term::Kill,
        Term::Freeze,
        Term::StaticMember,
        Term::HighWatermark,
        Term::Committed,
        Term::Position,
        Term::Lag,
        Term::PositionLag,
        Term::ProcessingLag,
        Term::AtRisk,
        Term::Delivered,
        Term::Duplicates,
        Term::Done,
        Term::InDoubt,
        Term::Skipped,
        Term::Accumulated,
        Term::RollingChange,
        Term::FullRestart,
        Term::PartitionSeconds,
    ];
}
