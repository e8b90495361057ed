//! Keyframes: clones of the world from which any instant is soon reached.
//!
//! One for each virtual second of the last minute, then every fifth second, and after half an hour
//! every sixtieth; never more than [`KEYFRAMES_MAX`]. The first is never given up.

use super::World;
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::Instant;
use std::rc::Rc;

/// Most keyframes that are kept.
pub const KEYFRAMES_MAX: usize = 600;
const SECOND_US: i64 = 1_000_000;

/// The world, what was folded, and how many acts had happened: everything before an instant is done.
#[derive(Clone, Debug)]
pub(super) struct Keyframe<L> {
    pub world: World,
    pub observer: L,
    pub applied: usize,
}

/// Keyframes by virtual second: everything before the second is done, nothing at or after its beginning.
#[derive(Clone, Debug)]
pub(super) struct Keyframes<L> {
    by_second: SortedMap<i64, Rc<Keyframe<L>>>,
    first: Rc<Keyframe<L>>,
    /// The last second that was asked about and is not wanted: most events are in it.
    unwanted: Option<i64>,
}

impl<L> Keyframes<L> {
    pub fn new(first: Keyframe<L>) -> Self {
        Self {
            by_second: SortedMap::new(),
            first: Rc::new(first),
            unwanted: None,
        }
    }

    /// Whether a keyframe of `now`, before what happens at `at`, is worth its clone.
    pub fn wants(&mut self, now: Instant, at: Instant) -> bool {
        let second = at.0.div_euclid(SECOND_US);
        if self.unwanted == Some(second) {
            return false;
        }
        // Replayed up to its middle, a second has no frame from before it.
        let is_wanted = now.0 < second.saturating_mul(SECOND_US)
            && match self.by_second.last_key_value() {
                None => true,
                Some((newest, _)) if second > *newest => true,
                Some((newest, _)) => {
                    is_kept(second, *newest) && !self.by_second.contains_key(&second)
                }
            };
        self.unwanted = (!is_wanted).then_some(second);
        is_wanted
    }

    /// Keeps a keyframe whose next event is at `at`, and gives up old ones.
    pub fn keep(&mut self, at: Instant, keyframe: Keyframe<L>) {
        let second = at.0.div_euclid(SECOND_US);
        self.unwanted = None;
        self.by_second.insert(second, Rc::new(keyframe));
        let newest = self
            .by_second
            .last_key_value()
            .map_or(second, |entry| *entry.0);
        self.by_second.retain(|second, _| is_kept(*second, newest));
        while self.by_second.len() > KEYFRAMES_MAX {
            self.by_second.pop_first();
        }
    }

    /// The last keyframe from which `at` is reached by going forward.
    pub fn last_before(&self, at: Instant) -> Rc<Keyframe<L>> {
        let second = at.0.div_euclid(SECOND_US);
        let last = self.by_second.range(..=second).next_back();
        last.map_or(&self.first, |entry| entry.1).clone()
    }

    /// The last keyframe before which fewer events had happened.
    pub fn last_with_fewer_steps(&self, steps: u64) -> Option<Rc<Keyframe<L>>> {
        let fewer = |keyframe: &&Rc<Keyframe<L>>| keyframe.world.steps() < steps;
        let last = self.by_second.values().rev().find(fewer);
        last.or_else(|| Some(&self.first).filter(fewer)).cloned()
    }

    /// Gives up keyframes before which more events had happened.
    pub fn drop_after(&mut self, steps: u64) {
        self.unwanted = None;
        self.by_second
            .retain(|_, keyframe| keyframe.world.steps() <= steps);
    }

    /// Gives up keyframes before which more acts had happened.
    pub fn drop_with_acts_after(&mut self, acts: usize) {
        self.unwanted = None;
        self.by_second
            .retain(|_, keyframe| keyframe.applied <= acts);
    }

    /// Gives up keyframes that have reached `at`, or before which more acts had happened.
    pub fn drop_from(&mut self, at: Instant, acts: usize) {
        self.by_second
            .retain(|_, keyframe| keyframe.world.now() < at && keyframe.applied <= acts);
    }

    /// All of them but the first, with the instants that they stand before.
    pub fn iter(&self) -> impl Iterator<Item = (Instant, &Keyframe<L>)> {
        let begin = |second: i64| Instant(second.saturating_mul(SECOND_US));
        let all = self.by_second.iter();
        all.map(move |(second, keyframe)| (begin(*second), &**keyframe))
    }

    /// The one that stands before `at`.
    pub fn at(&self, at: Instant) -> Option<&Keyframe<L>> {
        let second = at.0.div_euclid(SECOND_US);
        self.by_second.get(&second).map(|keyframe| &**keyframe)
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.by_second.len()
    }
}

fn is_kept(second: i64, newest: i64) -> bool {
    let step = match newest.saturating_sub(second) {
        ..=60 => 1,
        61..=1_800 => 5,
        _ => 60,
    };
    second.rem_euclid(step) == 0
}
