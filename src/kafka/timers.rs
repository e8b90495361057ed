//! Named deadlines of one machine.

use super::fact::{FactId, Why};
use super::journal::Journal;
use super::sorted::SortedMap;
use super::time::Instant;

/// When a machine wants to be woken, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wake {
    /// When.
    pub at: Instant,
    /// Place among all timers of that instant: the order in which they were set.
    pub sequence: u64,
    /// What for, as the learner reads it.
    pub why: Why,
    /// The fact under which the timer was set: the cause of its firing.
    pub set_by: FactId,
}

/// The deadlines of one machine, each under a name of the machine's own. A machine has few: a coordinator's
/// sessions are the most.
#[derive(Clone, Debug)]
pub struct Timers<K: Ord + Clone> {
    by_name: SortedMap<K, (Instant, u64)>,
    by_time: SortedMap<(Instant, u64), (K, FactId)>,
}

impl<K: Ord + Clone> Default for Timers<K> {
    fn default() -> Self {
        Self {
            by_name: SortedMap::new(),
            by_time: SortedMap::new(),
        }
    }
}

impl<K: Ord + Clone> Timers<K> {
    /// Starts the timer, or starts it anew.
    pub fn set(&mut self, name: K, at: Instant, journal: &mut Journal) {
        self.cancel(&name);
        let place = (at, journal.next_sequence());
        self.by_name.insert(name.clone(), place);
        self.by_time.insert(place, (name, journal.cause()));
    }

    /// Stops the timer. Says whether it was running.
    pub fn cancel(&mut self, name: &K) -> bool {
        match self.by_name.remove(name) {
            Some(place) => self.by_time.remove(&place).is_some(),
            None => false,
        }
    }

    /// When the timer fires, if it runs.
    pub fn deadline(&self, name: &K) -> Option<Instant> {
        self.by_name.get(name).map(|place| place.0)
    }

    /// The first to fire: when, its place, its name, and what set it.
    pub fn first(&self) -> Option<(Instant, u64, &K, FactId)> {
        let (&(at, sequence), (name, set_by)) = self.by_time.first_key_value()?;
        Some((at, sequence, name, *set_by))
    }

    /// Takes out the first timer if it is due at `now`. One wake fires one timer, so that timers of
    /// several machines at one instant keep the order in which they were set.
    pub fn pop_due(&mut self, now: Instant) -> Option<K> {
        let (at, ..) = self.first()?;
        if at > now {
            return None;
        }
        let (_, (name, _)) = self.by_time.pop_first()?;
        self.by_name.remove(&name);
        Some(name)
    }

    /// All running timers in the order in which they fire.
    pub fn iter(&self) -> impl Iterator<Item = (Instant, &K)> {
        self.by_time
            .iter()
            .map(|(place, (name, _))| (place.0, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_of_one_instant_fire_in_the_order_in_which_they_were_set() {
        let mut journal = Journal::default();
        let mut timers = Timers::default();
        for name in ["b", "a", "c"] {
            timers.set(name, Instant(5), &mut journal);
        }
        timers.set("b", Instant(5), &mut journal);
        assert_eq!(timers.pop_due(Instant(4)), None);
        let fired: Vec<_> = std::iter::from_fn(|| timers.pop_due(Instant(5))).collect();
        assert_eq!(fired, ["a", "c", "b"]);
    }

    #[test]
    fn a_cancelled_timer_does_not_fire() {
        let mut timers = Timers::default();
        timers.set("a", Instant(1), &mut Journal::default());
        assert!(timers.cancel(&"a"));
        assert!(!timers.cancel(&"a"));
        assert_eq!(timers.first(), None);
    }
}
