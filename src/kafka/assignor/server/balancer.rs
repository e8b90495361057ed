//! Levels the loads of a topic's subscribers, from below and from above (`MemberAssignmentBalancer`).

use crate::kafka::sorted::sort_places;

/// The subscribers of one topic, sorted once by (load, visit index), with the takers' range growing from the front
/// and the givers' range from the back.
pub(super) struct Balancer {
    members: Vec<usize>,
    /// Members `..low_end` are takers; all had `low_level` partitions when the present round of taking began.
    low_end: usize,
    low_level: isize,
    next_low: usize,
    /// Members `high_start..high_end` are givers; behind them are those that have nothing to give.
    high_start: usize,
    high_end: usize,
    high_level: isize,
    /// One more than the place of the next giver; `high_start` when the round is over.
    next_high: usize,
}

impl Balancer {
    /// Starts with subscribers (at least one) and the loads of all members.
    pub(super) fn new(subscribers: &[usize], loads: &[usize]) -> Self {
        let mut members = subscribers.to_vec();
        sort_places(&mut members, &|left, right| {
            (loads[left], left).cmp(&(loads[right], right))
        });
        let level = |member: Option<&usize>| member.map_or(0, |member| level_of(loads, *member));
        Self {
            low_end: 0,
            low_level: level(members.first()) - 1,
            next_low: 0,
            high_start: members.len(),
            high_end: members.len(),
            high_level: level(members.last()) + 1,
            next_high: members.len(),
            members,
        }
    }

    /// Difference between the largest and the smallest load.
    pub(super) fn imbalance(&self) -> isize {
        (self.high_level - 1) - (self.low_level + 1)
    }

    /// The next taker. It counts as having taken.
    pub(super) fn next_taker(&mut self, loads: &[usize]) -> usize {
        if self.next_low >= self.low_end {
            self.low_level += 1;
            while let Some(member) = self.members.get(self.low_end)
                && level_of(loads, *member) == self.low_level
            {
                self.low_end += 1;
            }
            self.next_low = 0;
        }
        let member = self.members[self.next_low];
        self.next_low += 1;
        member
    }

    /// The next giver, if any is left. It counts as having given.
    pub(super) fn next_giver(&mut self, loads: &[usize]) -> Option<usize> {
        if self.next_high <= self.high_start {
            match self
                .high_start
                .checked_sub(1)
                .map(|place| self.members[place])
            {
                // All givers so far had nothing to give: go on with whoever has most.
                Some(below) if self.high_end <= self.high_start => {
                    self.high_level = level_of(loads, below)
                }
                _ => self.high_level -= 1,
            }
            while let Some(place) = self.high_start.checked_sub(1)
                && level_of(loads, self.members[place]) == self.high_level
            {
                self.high_start = place;
            }
            self.next_high = self.high_end;
        }
        self.next_high = self.next_high.checked_sub(1)?;
        Some(self.members[self.next_high])
    }

    /// Excludes the giver just returned: it has nothing of this topic to give.
    pub(super) fn exclude_giver(&mut self) {
        self.high_end -= 1;
        self.members.swap(self.next_high, self.high_end);
    }

    /// Whether the levels of givers and takers are as close as they can be.
    pub(super) fn is_balanced(&self) -> bool {
        self.high_level - self.low_level <= 1
    }
}

fn level_of(loads: &[usize], member: usize) -> isize {
    isize::try_from(loads[member]).expect("a number of partitions in memory")
}
