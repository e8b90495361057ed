//! Records that a group got or handled more than once, each with what caused it.

use super::recent::Recent;
use crate::kafka::fact::{FactId, Membership};
use crate::kafka::ids::Offset;
use crate::kafka::time::Instant;
use std::rc::Rc;

/// Runs of duplicates that are kept per partition.
const RUNS_KEPT: usize = 256;

/// Why records came again: what made a position lie below what had been delivered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DuplicateCause {
    /// Its last holder died before it committed.
    Crash,
    /// Its last holder gave it up in good order, without committing all that it had been given.
    RevokedWithoutCommit,
    /// Its last holder's commit failed.
    CommitFailed,
    /// Its last holder was no longer a member, and perhaps went on regardless.
    MembershipLost,
    /// A later commit of a lower offset.
    RewoundCommit,
    /// `seek()`
    Seek,
    /// `auto.offset.reset`
    Reset,
    /// The log was truncated, and the offsets were given again.
    Truncation,
}

impl DuplicateCause {
    /// All of them, in the order of [`Duplicates::deliveries_by_cause`].
    pub const ALL: [DuplicateCause; 8] = [
        DuplicateCause::Crash,
        DuplicateCause::RevokedWithoutCommit,
        DuplicateCause::CommitFailed,
        DuplicateCause::MembershipLost,
        DuplicateCause::RewoundCommit,
        DuplicateCause::Seek,
        DuplicateCause::Reset,
        DuplicateCause::Truncation,
    ];

    fn index(self) -> usize {
        match self {
            DuplicateCause::Crash => 0,
            DuplicateCause::RevokedWithoutCommit => 1,
            DuplicateCause::CommitFailed => 2,
            DuplicateCause::MembershipLost => 3,
            DuplicateCause::RewoundCommit => 4,
            DuplicateCause::Seek => 5,
            DuplicateCause::Reset => 6,
            DuplicateCause::Truncation => 7,
        }
    }
}

/// A run of records that were delivered again.
#[derive(Clone, PartialEq, Debug)]
pub struct Duplicate {
    /// When the first of them came.
    pub at: Instant,
    /// To whom.
    pub member: Rc<Membership>,
    /// The first offset.
    pub base: Offset,
    /// The first offset after them.
    pub next: Offset,
    /// The first of the deliveries.
    pub delivery: FactId,
    /// The PositionSet from which the member came to them: their cause.
    pub position_set: FactId,
    /// In a word.
    pub cause: DuplicateCause,
}

/// Duplicates of one partition in one group.
#[derive(Clone, Debug)]
pub struct Duplicates {
    deliveries: [u64; 8],
    processings: [u64; 8],
    runs: Recent<Duplicate>,
}

impl Default for Duplicates {
    fn default() -> Self {
        Self {
            deliveries: [0; 8],
            processings: [0; 8],
            runs: Recent::new(RUNS_KEPT),
        }
    }
}

impl Duplicates {
    pub(super) fn note_delivery(&mut self, run: Duplicate) {
        self.deliveries[run.cause.index()] += run.next.0.abs_diff(run.base.0);
        let goes_on = |last: &Duplicate| {
            last.position_set == run.position_set
                && last.next == run.base
                && last.member.actor == run.member.actor
                && last.member.process == run.member.process
        };
        if self.runs.last().is_some_and(goes_on)
            && let Some(last) = self.runs.last_mut()
        {
            last.next = run.next;
            return;
        }
        self.runs.push(run);
    }

    /// `own`: what the position of whoever finished them again is to blame for. A zombie finishes what it
    /// got first; then the blame is on the position that had it delivered again.
    pub(super) fn note_processing(
        &mut self,
        base: Offset,
        next: Offset,
        own: Option<DuplicateCause>,
    ) {
        let mut from = base;
        while from < next {
            // The newest run that has the first record; as far as it goes, or to where a newer one begins.
            let (mut cause, mut until) = (own, next);
            for run in self.runs.iter().rev() {
                if run.base <= from && from < run.next {
                    cause = Some(run.cause);
                    until = until.min(run.next);
                    break;
                }
                if from < run.base {
                    until = until.min(run.base);
                }
            }
            let cause = cause.unwrap_or(DuplicateCause::MembershipLost);
            self.processings[cause.index()] += until.0.abs_diff(from.0);
            from = until;
        }
    }

    /// Duplicate deliveries.
    pub fn deliveries(&self) -> u64 {
        self.deliveries.iter().sum()
    }

    /// The same, split as in [`DuplicateCause::ALL`].
    pub fn deliveries_by_cause(&self) -> [u64; 8] {
        self.deliveries
    }

    /// Duplicate processings.
    pub fn processings(&self) -> u64 {
        self.processings.iter().sum()
    }

    /// The same, split as in [`DuplicateCause::ALL`].
    pub fn processings_by_cause(&self) -> [u64; 8] {
        self.processings
    }

    /// Runs of records that were delivered again, oldest first; the older ones are forgotten.
    pub fn runs(&self) -> &Recent<Duplicate> {
        &self.runs
    }
}
