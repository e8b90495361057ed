//! Sets of offsets as ranges, so that a million records in order cost as much as one.

use crate::kafka::ids::Offset;

/// A set of offsets: disjoint ranges that do not touch, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OffsetSet {
    /// First offset, first offset after.
    ranges: Vec<(i64, i64)>,
}

impl OffsetSet {
    /// Adds `base` up to, not including, `next`. Says how many of them were not in it.
    pub fn insert(&mut self, base: Offset, next: Offset) -> u64 {
        let (base, next) = (base.0, next.0);
        if base >= next {
            return 0;
        }
        let first = self.ranges.partition_point(|range| range.1 < base);
        let after = self.ranges.partition_point(|range| range.0 <= next);
        if first >= after {
            self.ranges.insert(first, (base, next));
            return length(base, next);
        }
        let touched = &self.ranges[first..after];
        let held: u64 = touched.iter().map(|range| length(range.0, range.1)).sum();
        let merged = (
            base.min(self.ranges[first].0),
            next.max(self.ranges[after - 1].1),
        );
        self.ranges.splice(first..after, [merged]);
        length(merged.0, merged.1) - held
    }

    /// Takes out `base` up to, not including, `next`.
    pub fn remove(&mut self, base: Offset, next: Offset) {
        let (base, next) = (base.0, next.0);
        if base >= next {
            return;
        }
        let first = self.ranges.partition_point(|range| range.1 <= base);
        let after = self.ranges.partition_point(|range| range.0 < next);
        if first >= after {
            return;
        }
        let left = (self.ranges[first].0, base);
        let right = (next, self.ranges[after - 1].1);
        let rest = [left, right].into_iter().filter(|rest| rest.0 < rest.1);
        self.ranges.splice(first..after, rest);
    }

    /// Adds all of `other`.
    pub fn insert_all(&mut self, other: &OffsetSet) {
        for (base, next) in other.ranges() {
            self.insert(base, next);
        }
    }

    /// Takes out all of `other`.
    pub fn remove_all(&mut self, other: &OffsetSet) {
        for (base, next) in other.ranges() {
            self.remove(base, next);
        }
    }

    /// How many offsets are in it.
    pub fn count(&self) -> u64 {
        self.ranges
            .iter()
            .map(|range| length(range.0, range.1))
            .sum()
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Whether `offset` is in it.
    pub fn contains(&self, offset: Offset) -> bool {
        let index = self.ranges.partition_point(|range| range.1 <= offset.0);
        self.ranges
            .get(index)
            .is_some_and(|range| range.0 <= offset.0)
    }

    /// What of `base` up to, not including, `next` is in it.
    pub fn within(&self, base: Offset, next: Offset) -> OffsetSet {
        let first = self.ranges.partition_point(|range| range.1 <= base.0);
        let ranges = self.ranges[first..]
            .iter()
            .take_while(|range| range.0 < next.0)
            .map(|range| (range.0.max(base.0), range.1.min(next.0)))
            .filter(|range| range.0 < range.1)
            .collect();
        OffsetSet { ranges }
    }

    /// What of `base` up to, not including, `next` is not in it.
    pub fn missing(&self, base: Offset, next: Offset) -> OffsetSet {
        let mut missing = OffsetSet::default();
        missing.insert(base, next);
        missing.remove_all(&self.within(base, next));
        missing
    }

    /// The first offset from `offset` on that is not in it.
    pub fn first_missing(&self, offset: Offset) -> Offset {
        let index = self.ranges.partition_point(|range| range.1 <= offset.0);
        match self.ranges.get(index) {
            Some(range) if range.0 <= offset.0 => Offset(range.1),
            _ => offset,
        }
    }

    /// Its ranges in order: first offset, first offset after.
    pub fn ranges(&self) -> impl Iterator<Item = (Offset, Offset)> + '_ {
        self.ranges
            .iter()
            .map(|range| (Offset(range.0), Offset(range.1)))
    }

    /// How many ranges it takes to write it down.
    pub fn range_count(&self) -> usize {
        self.ranges.len()
    }
}

fn length(base: i64, next: i64) -> u64 {
    next.abs_diff(base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn pairs(set: &OffsetSet) -> Vec<(i64, i64)> {
        set.ranges().map(|(base, next)| (base.0, next.0)).collect()
    }

    #[test]
    fn ranges_that_touch_become_one() {
        let mut set = OffsetSet::default();
        assert_eq!(set.insert(Offset(0), Offset(10)), 10);
        assert_eq!(set.insert(Offset(20), Offset(30)), 10);
        assert_eq!(set.insert(Offset(10), Offset(20)), 10);
        assert_eq!(pairs(&set), [(0, 30)]);
        assert_eq!(set.insert(Offset(5), Offset(35)), 5);
        assert_eq!(set.insert(Offset(7), Offset(7)), 0);
    }

    #[test]
    fn what_is_missing_is_what_was_taken_out() {
        let mut set = OffsetSet::default();
        set.insert(Offset(0), Offset(100));
        set.remove(Offset(10), Offset(20));
        set.remove(Offset(50), Offset(51));
        assert_eq!(
            pairs(&set.missing(Offset(0), Offset(110))),
            [(10, 20), (50, 51), (100, 110)]
        );
        assert_eq!(set.first_missing(Offset(0)), Offset(10));
        assert_eq!(set.first_missing(Offset(15)), Offset(15));
        assert_eq!(set.first_missing(Offset(20)), Offset(50));
    }

    /// The plain set of numbers is the model.
    #[test]
    fn it_agrees_with_a_set_of_single_offsets() {
        let mut set = OffsetSet::default();
        let mut model = BTreeSet::new();
        let mut seed = 12_345_u64;
        for _ in 0..3_000 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let base = i64::try_from((seed >> 40) % 60).expect("below 60");
            let next = base + i64::try_from((seed >> 20) % 12).expect("below 12");
            if seed & (1 << 15) == 0 {
                let new = (base..next).filter(|&offset| model.insert(offset)).count();
                assert_eq!(set.insert(Offset(base), Offset(next)), new as u64);
            } else {
                model.retain(|offset| !(base..next).contains(offset));
                set.remove(Offset(base), Offset(next));
            }
            assert_eq!(set.count(), model.len() as u64);
            let within = model
                .iter()
                .filter(|offset| (base..next).contains(offset))
                .count();
            assert_eq!(
                set.within(Offset(base), Offset(next)).count(),
                within as u64
            );
            assert_eq!(set.contains(Offset(base)), model.contains(&base));
            assert!(
                pairs(&set)
                    .windows(2)
                    .all(|pair| matches!(pair, [a, b] if a.1 < b.0))
            );
        }
    }
}
