//! What a group was given, what it finished, what it got twice and what it never got (spec/08).
//!
//! Everything is a set of offsets; a quantity is a difference of sets, taken when asked for. So a record
//! that was skipped and is read later after all leaves the count by itself.

use super::duplicates::{Duplicate, DuplicateCause, Duplicates};
use super::latency::Latency;
use super::log::Log;
use super::offset_set::OffsetSet;
use super::ownership::{Process, process_of};
use crate::kafka::fact::{FactId, Membership, PositionCause, ReleaseCause};
use crate::kafka::ids::Offset;
use crate::kafka::time::Instant;
use std::rc::Rc;

/// Ranges that a set may have before its oldest half is counted and forgotten.
const RANGES_KEPT: usize = 1_024;

const FIRST: Offset = Offset(i64::MIN);
const LAST: Offset = Offset(i64::MAX);

/// From where a member reads.
#[derive(Clone, PartialEq, Debug)]
pub struct Start {
    /// The fact that set the position.
    pub fact: FactId,
    /// When.
    pub at: Instant,
    /// To where.
    pub offset: Offset,
    /// By what.
    pub cause: PositionCause,
    /// What it is to blame for if records come twice.
    pub blame: DuplicateCause,
}

/// What one process reads of the partition, from Acquire to Release.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    /// Who.
    pub member: Rc<Membership>,
    /// What poll returns next. `None`: not known yet.
    pub position: Option<Offset>,
    /// The last PositionSet.
    pub start: Option<Start>,
    /// How often the position was set.
    pub starts: u64,
    /// First offset from the last PositionSet on that is not done.
    pub frontier: Option<Offset>,
    done_ahead: OffsetSet,
    in_doubt: OffsetSet,
    /// In doubt, passed by a commit, and too old to be kept one by one.
    settled_in_doubt: u64,
    commit_failed: bool,
}

/// Deliveries of one partition to one group.
#[derive(Clone, Debug, Default)]
pub struct Deliveries {
    readings: Vec<(Process, Reading)>,
    delivered: OffsetSet,
    done: OffsetSet,
    /// Sent on to a retry topic: neither done here nor lost.
    forwarded: OffsetSet,
    forwarded_total: u64,
    delivered_total: u64,
    done_total: u64,
    done_first: u64,
    duplicates: Duplicates,
    committed: Option<Offset>,
    commits: u64,
    committed_highest: Option<Offset>,
    /// Passed by a commit while they existed.
    passed: OffsetSet,
    /// The reader has no group: what its position passes is passed, for nothing is committed.
    is_groupless: bool,
    /// Jumped over by a reset to latest.
    reset_over: OffsetSet,
    /// Deleted while the commit stood below them.
    expired: OffsetSet,
    settled: Settled,
    last_end: Option<(ReleaseCause, bool)>,
    latency: Latency,
    latency_again: Latency,
    latency_done: Latency,
}

/// Counts of what was forgotten, and up to where.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Settled {
    skipped: u64,
    skipped_by_reset: u64,
    expired_unread: u64,
}

impl Deliveries {
    /// What the group had read before the beginning counts as delivered and done, once each.
    fn begin_at(&mut self, offset: Offset) {
        self.delivered.insert(Offset(0), offset);
        self.done.insert(Offset(0), offset);
    }

    pub(super) fn acquire(&mut self, member: &Rc<Membership>) {
        let process = process_of(member);
        if self.reading_mut(&process).is_none() {
            self.readings.push((process, Reading::new(member.clone())));
        }
    }

    pub(super) fn release(&mut self, process: &Process, cause: ReleaseCause) {
        let Some(index) = self.readings.iter().position(|(who, _)| who == process) else {
            return;
        };
        let (_, reading) = self.readings.remove(index);
        self.settled.skipped += reading.settled_in_doubt;
        self.last_end = Some((cause, reading.commit_failed));
    }

    /// The position is set. In a reader without a group that alone passes what lies between.
    pub(super) fn position_set(
        &mut self,
        at: Instant,
        member: &Rc<Membership>,
        (offset, cause): (Offset, PositionCause),
        (fact, is_preset): (FactId, bool),
        log: &Log,
    ) {
        if is_preset {
            self.begin_at(offset);
        }
        if cause == PositionCause::ResetLatest {
            let from = self.committed.unwrap_or(log.start).max(log.start);
            self.reset_over.insert(from, offset);
        }
        let process = process_of(member);
        let start = Start {
            fact,
            at,
            offset,
            cause,
            blame: self.blame(cause, &process),
        };
        self.acquire(member);
        self.is_groupless = member.group.is_empty();
        let groupless = self.is_groupless;
        let Some(reading) = self.reading_mut(&process) else {
            return;
        };
        let before = reading.position.replace(offset);
        reading.start = Some(start);
        reading.starts += 1;
        reading.frontier = Some(offset);
        reading.done_ahead = OffsetSet::default();
        if groupless && let Some(before) = before {
            self.passed
                .insert(before.max(log.start), offset.min(log.end));
        }
    }

    fn blame(&self, cause: PositionCause, process: &Process) -> DuplicateCause {
        match cause {
            PositionCause::Seek => return DuplicateCause::Seek,
            PositionCause::ResetEarliest | PositionCause::ResetLatest => {
                return DuplicateCause::Reset;
            }
            PositionCause::Truncation => return DuplicateCause::Truncation,
            PositionCause::Committed => {}
        }
        if self.committed < self.committed_highest {
            return DuplicateCause::RewoundCommit;
        }
        if self.readings.iter().any(|(other, _)| other != process) {
            return DuplicateCause::MembershipLost;
        }
        match self.last_end {
            Some((ReleaseCause::Crashed, _)) => DuplicateCause::Crash,
            Some((ReleaseCause::Lost, _)) => DuplicateCause::MembershipLost,
            Some((_, true)) => DuplicateCause::CommitFailed,
            Some((_, false)) | None => DuplicateCause::RevokedWithoutCommit,
        }
    }

    pub(super) fn deliver(
        &mut self,
        at: Instant,
        member: &Rc<Membership>,
        (base, next): (Offset, Offset),
        fact: FactId,
        log: &Log,
    ) {
        self.delivered_total += next.0.abs_diff(base.0);
        let again = self.delivered.within(base, next);
        let fresh = self.delivered.missing(base, next);
        self.delivered.insert(base, next);
        log.note_latency(&mut self.latency, &fresh, at);
        log.note_latency(&mut self.latency_again, &again, at);
        self.acquire(member);
        let process = process_of(member);
        let Some(reading) = self.reading_mut(&process) else {
            return;
        };
        reading.position = Some(next);
        reading.in_doubt.insert(base, next);
        let (blame, position_set) = reading.blame();
        for (base, next) in again.ranges() {
            self.duplicates.note_delivery(Duplicate {
                at,
                member: member.clone(),
                base,
                next,
                delivery: fact,
                position_set,
                cause: blame,
            });
        }
        self.settle();
    }

    pub(super) fn note_done(
        &mut self,
        at: Instant,
        member: &Rc<Membership>,
        (base, next): (Offset, Offset),
        log: &Log,
    ) {
        let process = process_of(member);
        let again = self.done.within(base, next);
        let fresh = self.done.missing(base, next);
        self.done_total += next.0.abs_diff(base.0);
        self.done_first += self.done.insert(base, next);
        log.note_latency(&mut self.latency_done, &fresh, at);
        let mut blame = None;
        if let Some(reading) = self.reading_mut(&process) {
            reading.in_doubt.remove(base, next);
            reading.finish(base, next);
            blame = Some(reading.blame().0);
        }
        for (base, next) in again.ranges() {
            self.duplicates.note_processing(base, next, blame);
        }
        self.settle();
    }

    pub(super) fn note_forwarded(&mut self, member: &Rc<Membership>, offset: Offset) {
        self.forwarded_total += 1;
        self.forwarded.insert(offset, Offset(offset.0 + 1));
        self.leave(member, offset);
    }

    /// The holder is through with the record, though it is not done.
    pub(super) fn leave(&mut self, member: &Rc<Membership>, offset: Offset) {
        let next = Offset(offset.0 + 1);
        if let Some(reading) = self.reading_mut(&process_of(member)) {
            reading.in_doubt.remove(offset, next);
            reading.finish(offset, next);
        }
    }

    pub(super) fn commit_stored(&mut self, offset: Offset, is_preset: bool, log: &Log) {
        if is_preset {
            self.begin_at(offset);
            if offset < log.start {
                // The log's start is told before its readers are.
                self.expired.insert(offset, log.start);
            }
        }
        self.commits += 1;
        let before = self.committed.replace(offset).unwrap_or(log.start);
        self.passed
            .insert(before.max(log.start), offset.min(log.end));
        self.committed_highest = self.committed_highest.max(Some(offset));
    }

    pub(super) fn commit_removed(&mut self) {
        self.committed = None;
        self.committed_highest = None;
    }

    pub(super) fn commit_finished(&mut self, process: &Process, has_failed: bool) {
        if let Some(reading) = self.reading_mut(process) {
            reading.commit_failed = has_failed;
        }
    }

    pub(super) fn log_start_advanced(&mut self, before: Offset, start: Offset) {
        let from = self.committed.unwrap_or(before).max(before);
        self.expired.insert(from, start);
    }

    /// Counts and forgets the oldest ranges when there are too many of them.
    fn settle(&mut self) {
        if self.done.range_count() <= RANGES_KEPT && self.delivered.range_count() <= RANGES_KEPT {
            return;
        }
        let widest = [&self.done, &self.delivered]
            .into_iter()
            .max_by_key(|set| set.range_count());
        let middle = widest.and_then(|set| set.ranges().nth(RANGES_KEPT / 2));
        let Some((_, horizon)) = middle else {
            return;
        };
        // What a commit has not passed yet may still become skipped, so it stays.
        let horizon = self.committed.map_or(horizon, |end| horizon.min(end));
        self.forget(horizon);
        self.begin_at(horizon);
    }

    /// The log is gone, and another one may begin at 0. What was counted stays counted.
    pub(super) fn log_deleted(&mut self) {
        self.forget(LAST);
        for (_, reading) in &mut self.readings {
            self.settled.skipped += std::mem::take(&mut reading.settled_in_doubt);
        }
        self.delivered = OffsetSet::default();
        self.done = OffsetSet::default();
        self.committed_highest = self.committed;
    }

    /// Counts what lies below the horizon, and forgets it.
    fn forget(&mut self, horizon: Offset) {
        self.settled.skipped += self.skipped_set().within(FIRST, horizon).count();
        self.settled.skipped_by_reset += self.skipped_by_reset_set().within(FIRST, horizon).count();
        self.settled.expired_unread += self.expired_set().within(FIRST, horizon).count();
        for (_, reading) in &mut self.readings {
            let old = reading.in_doubt.within(FIRST, horizon);
            let mut never_passed = old.clone();
            never_passed.remove_all(&self.passed);
            reading.settled_in_doubt += old.count() - never_passed.count();
            reading.in_doubt.remove(FIRST, horizon);
        }
        for set in [
            &mut self.passed,
            &mut self.reset_over,
            &mut self.expired,
            &mut self.forwarded,
        ] {
            set.remove(FIRST, horizon);
        }
    }

    fn reading_mut(&mut self, process: &Process) -> Option<&mut Reading> {
        self.readings
            .iter_mut()
            .find(|(who, _)| who == process)
            .map(|(_, reading)| reading)
    }

    /// What the process reads, while it holds the partition.
    pub fn reading(&self, process: &Process) -> Option<&Reading> {
        self.readings
            .iter()
            .find(|(who, _)| who == process)
            .map(|(_, reading)| reading)
    }

    /// What the process that acquired last reads.
    pub fn owner(&self) -> Option<&Reading> {
        self.readings.last().map(|(_, reading)| reading)
    }

    /// C: the committed offset.
    pub fn committed(&self) -> Option<Offset> {
        self.committed
    }

    /// How often an offset was stored.
    pub fn commits(&self) -> u64 {
        self.commits
    }

    /// Offsets that poll returned, each time counted.
    pub fn delivered(&self) -> u64 {
        self.delivered_total
    }

    /// Offsets that an application finished, each time counted.
    pub fn done(&self) -> u64 {
        self.done_total
    }

    /// Offsets that an application finished for the first time: goodput.
    pub fn done_first(&self) -> u64 {
        self.done_first
    }

    /// Duplicate deliveries and processings, with their causes.
    pub fn duplicates(&self) -> &Duplicates {
        &self.duplicates
    }

    /// Records that an application sent on to a retry topic, each time counted.
    pub fn forwarded(&self) -> u64 {
        self.forwarded_total
    }

    /// Delivered, not done, its holder alive and owner.
    pub fn in_doubt(&self) -> OffsetSet {
        let mut set = OffsetSet::default();
        for (_, reading) in &self.readings {
            set.insert_all(&reading.in_doubt);
        }
        set
    }

    /// Passed by a commit, never done, in nobody's hands.
    pub fn skipped(&self) -> u64 {
        self.settled.skipped + self.skipped_set().count()
    }

    /// The same as a set of offsets, without those that are too old to be kept.
    pub fn skipped_set(&self) -> OffsetSet {
        let end = match self.committed {
            Some(committed) => committed,
            None if self.is_groupless => LAST,
            None => FIRST,
        };
        let mut set = self.passed.within(FIRST, end);
        set.remove_all(&self.done);
        set.remove_all(&self.forwarded);
        set.remove_all(&self.reset_over);
        set.remove_all(&self.in_doubt());
        set
    }

    /// Jumped over by `auto.offset.reset=latest`, never done.
    pub fn skipped_by_reset(&self) -> u64 {
        self.settled.skipped_by_reset + self.skipped_by_reset_set().count()
    }

    fn skipped_by_reset_set(&self) -> OffsetSet {
        let mut set = self.reset_over.clone();
        set.remove_all(&self.done);
        set.remove_all(&self.forwarded);
        set
    }

    /// Deleted by retention before the group finished it.
    pub fn expired_unread(&self) -> u64 {
        self.settled.expired_unread + self.expired_set().count()
    }

    fn expired_set(&self) -> OffsetSet {
        let mut set = self.expired.clone();
        set.remove_all(&self.done);
        set.remove_all(&self.forwarded);
        set.remove_all(&self.reset_over);
        set
    }

    /// From a record's timestamp to its first delivery.
    pub fn latency(&self) -> &Latency {
        &self.latency
    }

    /// From a record's timestamp to its further deliveries.
    pub fn latency_of_duplicates(&self) -> &Latency {
        &self.latency_again
    }

    /// From a record's timestamp to its first being done.
    pub fn latency_to_done(&self) -> &Latency {
        &self.latency_done
    }
}

impl Reading {
    fn new(member: Rc<Membership>) -> Self {
        Self {
            member,
            position: None,
            start: None,
            starts: 0,
            frontier: None,
            done_ahead: OffsetSet::default(),
            in_doubt: OffsetSet::default(),
            settled_in_doubt: 0,
            commit_failed: false,
        }
    }

    fn blame(&self) -> (DuplicateCause, FactId) {
        match &self.start {
            Some(start) => (start.blame, start.fact),
            None => (DuplicateCause::RevokedWithoutCommit, FactId::BEGINNING),
        }
    }

    fn finish(&mut self, base: Offset, next: Offset) {
        self.done_ahead.insert(base, next);
        if let Some(frontier) = &mut self.frontier {
            *frontier = self.done_ahead.first_missing(*frontier);
            self.done_ahead.remove(FIRST, *frontier);
        }
    }
}
