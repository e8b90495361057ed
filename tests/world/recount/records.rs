//! What became of every single record, counted anew.

use super::holds::{Hold, holding, holds};
use super::{ALONE, Process, of_group, process};
use regroup::kafka::fact::{Fact, FactId, FactKind, Membership, PositionCause, ReleaseCause};
use regroup::kafka::ids::{Offset, TopicPartition};
use std::ops::Range;
use std::rc::Rc;

/// Counts of one partition in one group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub committed: Option<i64>,
    pub commits: u64,
    pub lag: (Option<i64>, Option<i64>, Option<i64>),
    pub delivered: u64,
    pub done: u64,
    pub done_first: u64,
    pub forwarded: u64,
    pub in_doubt: u64,
    pub skipped: u64,
    pub skipped_by_reset: u64,
    pub expired_unread: u64,
    pub duplicates: u64,
    pub duplicates_by_cause: [u64; 8],
    pub processed_again: u64,
    pub processed_again_by_cause: [u64; 8],
    /// First deliveries, further deliveries, first being done: how many, their mean and longest in ms.
    pub latency: [(u64, Option<i64>, i64); 3],
    /// Each duplicate delivery: offset, the delivery, the PositionSet that it is due to.
    pub blamed: Vec<(i64, FactId, FactId)>,
}

/// Facts that tell of one partition in one group, and nothing else.
struct Tale<'a> {
    facts: &'a [&'a Fact],
    /// Facts before this one tell of what was there already.
    begun: FactId,
    group: &'a str,
    partition: &'a TopicPartition,
    holds: Vec<Hold>,
}

/// Counts, log by log and offset by offset. Where a topic was deleted and made again, the same offset is
/// another record.
pub fn counts(facts: &[&Fact], begun: FactId, group: &str, partition: &TopicPartition) -> Counts {
    let tale = Tale {
        facts,
        begun,
        group,
        partition,
        holds: holds(facts, group, partition),
    };
    let mut counts = Counts {
        committed: tale.committed(facts.len()),
        commits: tale.stored(facts.len()).len() as u64,
        lag: tale.lag(),
        ..Counts::default()
    };
    let mut lengths: [Vec<i64>; 3] = Default::default();
    for life in tale.lives() {
        tale.count(life, &mut counts, &mut lengths);
    }
    counts.latency = lengths.map(|lengths| {
        let count = lengths.len() as i64;
        let mean = lengths.iter().sum::<i64>().checked_div(count);
        (count as u64, mean, lengths.into_iter().max().unwrap_or(0))
    });
    counts
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Deliver,
    Done,
    Forwarded,
    GivenUp,
}

/// The offset after the last one that the fact tells of.
fn reached(fact: &Fact, group: &str, partition: &TopicPartition) -> Option<i64> {
    match &fact.kind {
        FactKind::Deliver {
            member,
            partition: of,
            next,
            ..
        }
        | FactKind::Done {
            member,
            partition: of,
            next,
            ..
        } if of_group(member, group) && of == partition => Some(next.0),
        _ => None,
    }
}

/// From which fact on the group has anything to do with the partition.
fn known_from(facts: &[&Fact], group: &str, partition: &TopicPartition) -> Option<usize> {
    facts.iter().position(|fact| match &fact.kind {
        FactKind::SubscriptionChanged { member, topics, .. } => {
            of_group(member, group) && topics.contains(&partition.topic)
        }
        FactKind::Acquire {
            member,
            partition: of,
        }
        | FactKind::Release {
            member,
            partition: of,
            ..
        }
        | FactKind::PositionSet {
            member,
            partition: of,
            ..
        }
        | FactKind::Deliver {
            member,
            partition: of,
            ..
        }
        | FactKind::Done {
            member,
            partition: of,
            ..
        } => of_group(member, group) && of == partition,
        FactKind::CommitStored {
            group: id,
            partition: of,
            ..
        }
        | FactKind::CommitRemoved {
            group: id,
            partition: of,
        } => id.as_str() == group && of == partition,
        _ => false,
    })
}

impl Tale<'_> {
    /// From one deletion of the partition to the next: places of facts.
    fn lives(&self) -> Vec<Range<usize>> {
        let deleted = (0..self.facts.len()).filter(|place| {
            matches!(&self.facts[*place].kind, FactKind::PartitionDeleted { partition }
                if partition == self.partition)
        });
        let mut from = 0;
        let mut lives = Vec::new();
        for end in deleted.chain([self.facts.len()]) {
            lives.push(from..end);
            from = end;
        }
        lives
    }

    /// Counts every offset of one log.
    fn count(&self, life: Range<usize>, counts: &mut Counts, lengths: &mut [Vec<i64>; 3]) {
        let is_last = life.end == self.facts.len();
        let (passed, jumped, expired) = (
            self.passed(life.clone()),
            self.jumped(life.clone()),
            self.expired(life.clone()),
        );
        let within =
            |ranges: &[Range<i64>], offset| ranges.iter().any(|range| range.contains(&offset));
        // Without a group nothing is committed: what is passed is passed.
        let committed = match self.group.starts_with(ALONE) {
            true => Some(i64::MAX),
            false => self.committed(life.end),
        };
        let told = self.facts[life.clone()].iter();
        let reached = told.filter_map(|fact| reached(fact, self.group, self.partition));
        let highest = reached.max().unwrap_or(0).max(self.log_end(life.end));
        let read_before = self.read_before(&life);
        for offset in 0..highest {
            let is_known = offset < read_before;
            let again_from = usize::from(!is_known);
            let delivered = self.places(&life, offset, Kind::Deliver);
            let done = self.places(&life, offset, Kind::Done);
            let forwarded = self.places(&life, offset, Kind::Forwarded);
            let is_handled = is_known || !done.is_empty() || !forwarded.is_empty();
            counts.forwarded += forwarded.len() as u64;
            counts.delivered += delivered.len() as u64;
            counts.done += done.len() as u64;
            counts.done_first += u64::from(!done.is_empty() && !is_known);
            let in_doubt = is_last && self.is_in_doubt(life.start, offset);
            let jumped = within(&jumped, offset);
            counts.in_doubt += u64::from(in_doubt);
            counts.skipped_by_reset += u64::from(jumped && !is_handled);
            let expired = within(&expired, offset) && !is_handled && !jumped;
            counts.expired_unread += u64::from(expired);
            let passed = within(&passed, offset) && committed.is_some_and(|end| end > offset);
            counts.skipped += u64::from(passed && !is_handled && !jumped && !in_doubt);
            for &place in delivered.iter().skip(again_from) {
                let (cause, position_set) = self.blame_of_delivery(place);
                counts.duplicates += 1;
                counts.duplicates_by_cause[cause] += 1;
                let delivery = self.facts[place].id;
                counts.blamed.push((offset, delivery, position_set));
            }
            for &place in done.iter().skip(again_from) {
                let again = delivered.iter().skip(again_from);
                let again = again.rev().find(|delivery| **delivery < place);
                let cause = self.blame_of_delivery(*again.unwrap_or(&place)).0;
                counts.processed_again += 1;
                counts.processed_again_by_cause[cause] += 1;
            }
            if let Some(timestamp_ms) = self.timestamp_ms(&life, offset) {
                let length = |place: &usize| {
                    (self.facts[*place].at.0 - timestamp_ms * 1_000)
                        .div_euclid(1_000)
                        .max(0)
                };
                lengths[0].extend(delivered.first().filter(|_| !is_known).map(length));
                lengths[1].extend(delivered.iter().skip(again_from).map(length));
                lengths[2].extend(done.first().filter(|_| !is_known).map(length));
            }
        }
    }

    /// Below that, the group had read everything before anything happened.
    fn read_before(&self, life: &Range<usize>) -> i64 {
        let before = self.facts[life.clone()].iter();
        let before = before.filter(|fact| fact.id < self.begun);
        let offsets = before.filter_map(|fact| match &fact.kind {
            FactKind::CommitStored {
                group,
                partition,
                offset,
                ..
            } => (group.as_str() == self.group && partition == self.partition).then_some(offset.0),
            FactKind::PositionSet {
                member,
                partition,
                offset,
                ..
            } => self.is_of(member, partition).then_some(offset.0),
            _ => None,
        });
        offsets.max().unwrap_or(0)
    }

    fn is_of(&self, member: &Membership, partition: &TopicPartition) -> bool {
        of_group(member, self.group) && partition == self.partition
    }

    /// Who did what with that offset, by place.
    fn does(&self, place: usize, offset: i64) -> Option<(Kind, Process)> {
        let (kind, member, partition, base, next) = match &self.facts[place].kind {
            FactKind::Deliver {
                member,
                partition,
                base,
                next,
            } => (Kind::Deliver, member, partition, base, next),
            FactKind::Done {
                member,
                partition,
                base,
                next,
            } => (Kind::Done, member, partition, base, next),
            FactKind::Forwarded {
                member,
                partition,
                offset: sent,
                ..
            } => {
                let is_meant = self.is_of(member, partition) && sent.0 == offset;
                return is_meant.then(|| (Kind::Forwarded, process(member)));
            }
            FactKind::GivenUp {
                member,
                partition,
                offset: left,
            } => {
                let is_meant = self.is_of(member, partition) && left.0 == offset;
                return is_meant.then(|| (Kind::GivenUp, process(member)));
            }
            _ => return None,
        };
        let is_meant = self.is_of(member, partition) && (base.0..next.0).contains(&offset);
        is_meant.then(|| (kind, process(member)))
    }

    fn places(&self, life: &Range<usize>, offset: i64, kind: Kind) -> Vec<usize> {
        life.clone()
            .filter(|place| self.does(*place, offset).is_some_and(|does| does.0 == kind))
            .collect()
    }

    /// A live owner was given it since the log began and has not finished it.
    fn is_in_doubt(&self, since: usize, offset: i64) -> bool {
        holding(&self.holds, self.facts.len()).iter().any(|hold| {
            let mut places = (hold.first.max(since)..self.facts.len()).rev();
            let last =
                places.find_map(|place| self.does(place, offset).filter(|does| does.1 == hold.who));
            last.is_some_and(|does| does.0 == Kind::Deliver)
        })
    }

    /// Places and offsets of what was stored before `place` and since the group's offset was last removed.
    fn stored(&self, place: usize) -> Vec<(usize, i64)> {
        let mut stored = Vec::new();
        for (at, fact) in self.facts[..place].iter().enumerate() {
            if let FactKind::CommitStored {
                group,
                partition,
                offset,
                ..
            } = &fact.kind
                && group.as_str() == self.group
                && partition == self.partition
            {
                stored.push((at, offset.0));
            }
        }
        stored
    }

    /// Since when the present commits count: after the last removal before `place`.
    fn removed_at(&self, place: usize) -> usize {
        let removed = self.facts[..place].iter().rposition(|fact| {
            matches!(&fact.kind, FactKind::CommitRemoved { group, partition }
                if group.as_str() == self.group && partition == self.partition)
        });
        removed.map_or(0, |removed| removed + 1)
    }

    /// C before the fact at `place`.
    fn committed(&self, place: usize) -> Option<i64> {
        let since = self.removed_at(place);
        let last = self.stored(place).pop().filter(|(at, _)| *at >= since);
        last.map(|(_, offset)| offset)
    }

    /// The highest that was ever C of this log, before the fact at `place`.
    fn committed_highest(&self, place: usize) -> Option<i64> {
        let began = self.log_began(place);
        if self.removed_at(place) < began {
            let since = self.stored(place).into_iter().filter(|(at, _)| *at > began);
            let since = since.map(|(_, offset)| offset).max();
            return since.max(self.committed(began));
        }
        let since = self.removed_at(place);
        let stored = self.stored(place).into_iter();
        stored
            .filter(|(at, _)| *at >= since)
            .map(|(_, offset)| offset)
            .max()
    }

    fn last_of_log(&self, place: usize, of: impl Fn(&FactKind) -> Option<i64>) -> i64 {
        let last = self.facts[self.log_began(place)..place]
            .iter()
            .rev()
            .find_map(|fact| of(&fact.kind));
        last.unwrap_or(0)
    }

    /// Place of the deletion after which the present log began, before `place`.
    fn log_began(&self, place: usize) -> usize {
        let lives = self.lives().into_iter().map(|life| life.start);
        lives.filter(|start| *start < place).max().unwrap_or(0)
    }

    fn log_start(&self, place: usize) -> i64 {
        self.last_of_log(place, |kind| match kind {
            FactKind::LogStartAdvance { partition, offset } if partition == self.partition => {
                Some(offset.0)
            }
            _ => None,
        })
    }

    fn log_end(&self, place: usize) -> i64 {
        self.last_of_log(place, |kind| match kind {
            FactKind::Append {
                partition, next, ..
            } if partition == self.partition => Some(next.0),
            _ => None,
        })
    }

    fn high_watermark(&self) -> i64 {
        self.last_of_log(self.facts.len(), |kind| match kind {
            FactKind::HwAdvance { partition, offset } if partition == self.partition => {
                Some(offset.0)
            }
            _ => None,
        })
    }

    /// What commits went past while it existed; without a group, what its reader's position jumped over.
    fn passed(&self, life: Range<usize>) -> Vec<Range<i64>> {
        if self.group.starts_with(ALONE) {
            return self.stepped_over(life);
        }
        let stored = self.stored(life.end).into_iter();
        let stored = stored.filter(|(place, _)| life.contains(place));
        let passed = stored.map(|(place, to)| {
            let start = self.log_start(place);
            self.committed(place).unwrap_or(start).max(start)..to.min(self.log_end(place))
        });
        passed.collect()
    }

    fn stepped_over(&self, life: Range<usize>) -> Vec<Range<i64>> {
        let sets = life.filter_map(|place| {
            let FactKind::PositionSet {
                member,
                partition,
                offset,
                ..
            } = &self.facts[place].kind
            else {
                return None;
            };
            let who = process(member);
            let hold = self.holds.iter().rfind(|hold| {
                hold.who == who && hold.first <= place && hold.last.is_none_or(|last| last > place)
            });
            let before = self.position(&who, hold?.first..place)?;
            let is_meant = self.is_of(member, partition);
            let passed = before.max(self.log_start(place))..offset.0.min(self.log_end(place));
            is_meant.then_some(passed)
        });
        sets.collect()
    }

    /// Where the process stands after these facts.
    fn position(&self, who: &Process, places: Range<usize>) -> Option<i64> {
        places
            .rev()
            .find_map(|place| match &self.facts[place].kind {
                FactKind::PositionSet {
                    member,
                    partition,
                    offset: Offset(offset),
                    ..
                }
                | FactKind::Deliver {
                    member,
                    partition,
                    next: Offset(offset),
                    ..
                } if self.is_of(member, partition) && process(member) == *who => Some(*offset),
                _ => None,
            })
    }

    /// What resets to latest went past.
    fn jumped(&self, life: Range<usize>) -> Vec<Range<i64>> {
        let places = life.filter_map(|place| match &self.facts[place].kind {
            FactKind::PositionSet {
                member,
                partition,
                offset,
                cause: PositionCause::ResetLatest,
            } if self.is_of(member, partition) => {
                let start = self.log_start(place);
                Some(self.committed(place).unwrap_or(start).max(start)..offset.0)
            }
            _ => None,
        });
        places.collect()
    }

    /// What was deleted while the commit stood below it, or was gone before it was first told of.
    fn expired(&self, life: Range<usize>) -> Vec<Range<i64>> {
        let Some(known) = known_from(self.facts, self.group, self.partition) else {
            return Vec::new();
        };
        let before = self.stored(life.end).into_iter();
        let before = before.filter(|(place, _)| self.facts[*place].id < self.begun);
        let before = before.map(|(place, offset)| offset..self.log_start(place));
        let before: Vec<Range<i64>> = before.filter(|_| life.start == 0).collect();
        let places =
            (known.max(life.start)..life.end).filter_map(|place| match &self.facts[place].kind {
                FactKind::LogStartAdvance { partition, offset } if partition == self.partition => {
                    let start = self.log_start(place);
                    Some(self.committed(place).unwrap_or(start).max(start)..offset.0)
                }
                _ => None,
            });
        before.into_iter().chain(places).collect()
    }

    /// The last PositionSet of a process before `place`, since it acquired.
    fn position_set(&self, who: &Process, place: usize) -> Option<usize> {
        let hold = self
            .holds
            .iter()
            .rfind(|hold| hold.who == *who && hold.first <= place)?;
        (hold.first..place).rev().find(|place| {
            matches!(&self.facts[*place].kind, FactKind::PositionSet { member, partition, .. }
                if self.is_of(member, partition) && process(member) == *who)
        })
    }

    /// Cause and PositionSet of a delivery (or of records being done without any).
    fn blame_of_delivery(&self, place: usize) -> (usize, FactId) {
        let (FactKind::Deliver { member, .. } | FactKind::Done { member, .. }) =
            &self.facts[place].kind
        else {
            unreachable!("records were delivered or done");
        };
        match self.position_set(&process(member), place) {
            Some(set) => (self.blame(set), self.facts[set].id),
            None => (REVOKED_WITHOUT_COMMIT, FactId::BEGINNING),
        }
    }

    /// What a PositionSet below what had been delivered is due to.
    fn blame(&self, place: usize) -> usize {
        let FactKind::PositionSet { member, cause, .. } = &self.facts[place].kind else {
            unreachable!("a position was set");
        };
        match cause {
            PositionCause::Seek => return SEEK,
            PositionCause::ResetEarliest | PositionCause::ResetLatest => return RESET,
            PositionCause::Truncation => return TRUNCATION,
            PositionCause::Committed => {}
        }
        if self.committed(place) < self.committed_highest(place) {
            return REWOUND_COMMIT;
        }
        let own = process(member);
        if holding(&self.holds, place)
            .iter()
            .any(|hold| hold.who != own)
        {
            return MEMBERSHIP_LOST;
        }
        let ended = self
            .holds
            .iter()
            .filter(|hold| hold.last.is_some_and(|last| last < place));
        let Some(before) = ended.max_by_key(|hold| hold.last) else {
            return REVOKED_WITHOUT_COMMIT;
        };
        match before.end {
            Some(ReleaseCause::Crashed) => CRASH,
            Some(ReleaseCause::Lost) => MEMBERSHIP_LOST,
            _ if self.last_commit_failed(before) => COMMIT_FAILED,
            _ => REVOKED_WITHOUT_COMMIT,
        }
    }

    /// Whether the last commit that came to its end during the hold was an error.
    fn last_commit_failed(&self, hold: &Hold) -> bool {
        let last = hold.last.unwrap_or(self.facts.len());
        let during = self.facts[hold.first..last].iter().rev();
        let mut results = during.filter_map(|fact| match &fact.kind {
            FactKind::CommitFinished { member, error, .. } if process(member) == hold.who => {
                Some(error.is_some())
            }
            _ => None,
        });
        results.next().unwrap_or(false)
    }

    fn timestamp_ms(&self, life: &Range<usize>, offset: i64) -> Option<i64> {
        self.facts[life.clone()]
            .iter()
            .find_map(|fact| match &fact.kind {
                FactKind::Append {
                    partition,
                    base,
                    next,
                    max_timestamp_ms,
                } if partition == self.partition && (base.0..next.0).contains(&offset) => {
                    Some(*max_timestamp_ms)
                }
                _ => None,
            })
    }

    /// Committed, position and processing lag.
    fn lag(&self) -> (Option<i64>, Option<i64>, Option<i64>) {
        let behind = |offset: i64| self.high_watermark() - offset;
        let now = self.facts.len();
        let owner = holding(&self.holds, now);
        let owner = owner.iter().max_by_key(|hold| hold.first);
        let position = owner.and_then(|owner| self.position(&owner.who, owner.first..now));
        let frontier = owner.and_then(|owner| {
            let set = self.position_set(&owner.who, now)?;
            let FactKind::PositionSet { offset, .. } = &self.facts[set].kind else {
                return None;
            };
            let is_done = |offset: &i64| {
                (set..now).any(|place| {
                    let does = self.does(place, *offset);
                    does.is_some_and(|does| does.0 != Kind::Deliver && does.1 == owner.who)
                })
            };
            (offset.0..).find(|offset| !is_done(offset))
        });
        (
            self.committed(now).map(behind),
            position.map(behind),
            frontier.map(behind),
        )
    }
}

const CRASH: usize = 0;
const REVOKED_WITHOUT_COMMIT: usize = 1;
const COMMIT_FAILED: usize = 2;
const MEMBERSHIP_LOST: usize = 3;
const REWOUND_COMMIT: usize = 4;
const SEEK: usize = 5;
const RESET: usize = 6;
const TRUNCATION: usize = 7;

/// Facts that matter to one partition in one group.
pub fn matters(fact: &Fact, group: &str, partition: &TopicPartition) -> bool {
    let member_of = |member: &Rc<Membership>| of_group(member, group);
    match &fact.kind {
        FactKind::Acquire {
            member,
            partition: of,
        }
        | FactKind::Release {
            member,
            partition: of,
            ..
        }
        | FactKind::PositionSet {
            member,
            partition: of,
            ..
        }
        | FactKind::Deliver {
            member,
            partition: of,
            ..
        }
        | FactKind::GivenUp {
            member,
            partition: of,
            ..
        }
        | FactKind::Forwarded {
            member,
            partition: of,
            ..
        }
        | FactKind::Done {
            member,
            partition: of,
            ..
        } => member_of(member) && of == partition,
        FactKind::CommitStored {
            group: id,
            partition: of,
            ..
        }
        | FactKind::CommitRemoved {
            group: id,
            partition: of,
        } => id.as_str() == group && of == partition,
        FactKind::PartitionCreated { partition: of, .. }
        | FactKind::PartitionDeleted { partition: of }
        | FactKind::Append { partition: of, .. }
        | FactKind::HwAdvance { partition: of, .. }
        | FactKind::LogStartAdvance { partition: of, .. } => of == partition,
        FactKind::CommitFinished { member, .. } | FactKind::SubscriptionChanged { member, .. } => {
            member_of(member)
        }
        FactKind::Stopped { .. } => true,
        _ => false,
    }
}
