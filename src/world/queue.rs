//! What happens next: one ordered structure per class of events.
//!
//! At one instant: starts of processes, then timers in the order in which they were set, then deliveries
//! first in, first out, until none is left, then blocked calls that can go on. Those run in rounds: whoever
//! becomes able to go on before a round begins is in it, ordered by name; whoever becomes able later, be it
//! through a delivery that the round set off, is in the next one. Popping the smallest again and again
//! gives this order.

use crate::kafka::fact::FactId;
use crate::kafka::ids::ActorName;
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::Instant;
use std::collections::{BTreeMap, BTreeSet};

/// A machine that has timers, by its place in the world's lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum MachineId {
    /// A broker.
    Broker(usize),
    /// The client in an actor's process.
    Client(usize),
    /// The program around it.
    Program(usize),
}

/// The instant and place of a timer.
pub(super) type WakeKey = (Instant, u64);

/// What is popped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Event<D> {
    /// An actor's process starts, as the setup says.
    Start(usize),
    /// A machine's first timer is due.
    Wake(MachineId),
    /// Something arrives.
    Delivery(D),
    /// An actor's blocked call can go on, since this fact.
    Continue(usize, FactId),
}

/// The queue. `D`: what is delivered.
#[derive(Clone, Debug)]
pub(super) struct Queue<D> {
    starts: SortedSet<(Instant, usize)>,
    wakes: BTreeSet<(WakeKey, MachineId)>,
    deliveries: BTreeMap<(Instant, u64), D>,
    continues: SortedMap<(u64, ActorName), (usize, FactId)>,
    round: u64,
}

impl<D> Default for Queue<D> {
    fn default() -> Self {
        Self {
            starts: SortedSet::new(),
            wakes: BTreeSet::new(),
            deliveries: BTreeMap::new(),
            continues: SortedMap::new(),
            round: 0,
        }
    }
}

impl<D> Queue<D> {
    /// The actor's process starts at `at`. Of one instant, the smaller number goes first.
    pub fn start(&mut self, at: Instant, actor: usize) {
        self.starts.insert((at, actor));
    }

    /// Notes when a machine wants to be woken. `noted` is what was noted before, kept with the machine.
    pub fn set_wake(
        &mut self,
        machine: MachineId,
        noted: &mut Option<WakeKey>,
        wanted: Option<WakeKey>,
    ) {
        if *noted == wanted {
            return;
        }
        if let Some(old) = *noted {
            self.wakes.remove(&(old, machine));
        }
        if let Some(new) = wanted {
            self.wakes.insert((new, machine));
        }
        *noted = wanted;
    }

    /// Something arrives at `at`. Of one instant, the smaller sequence goes first.
    pub fn deliver(&mut self, at: Instant, sequence: u64, delivery: D) {
        self.deliveries.insert((at, sequence), delivery);
    }

    /// The actor's blocked call can go on, at the present instant, in the next round. `cause`: since what.
    pub fn go_on(&mut self, name: ActorName, actor: usize, cause: FactId) {
        self.continues
            .insert((self.round + 1, name), (actor, cause));
    }

    /// When the next event happens, given the present instant.
    pub fn next_at(&self, now: Instant) -> Option<Instant> {
        if !self.continues.is_empty() {
            return Some(now);
        }
        let starts = self.starts.first().map(|start| start.0);
        let wakes = self.wakes.first().map(|wake| wake.0.0);
        let deliveries = self.deliveries.first_key_value().map(|entry| entry.0.0);
        let first = [starts, wakes, deliveries].into_iter().flatten().min()?;
        Some(first.max(now))
    }

    /// Takes out the next event, if it happens no later than `until`, with its instant.
    pub fn pop(&mut self, now: Instant, until: Instant) -> Option<(Instant, Event<D>)> {
        let at = self.next_at(now)?;
        if at > until {
            return None;
        }
        if self.starts.first().is_some_and(|start| start.0 <= at) {
            let (_, actor) = self.starts.pop_first()?;
            return Some((at, Event::Start(actor)));
        }
        if let Some(&((due, _), machine)) = self.wakes.first()
            && due <= at
        {
            // It stays noted until the machine is asked again after its wake.
            return Some((at, Event::Wake(machine)));
        }
        if let Some(entry) = self.deliveries.first_entry()
            && entry.key().0 <= at
        {
            return Some((at, Event::Delivery(entry.remove())));
        }
        let ((round, _), (actor, cause)) = self.continues.pop_first()?;
        self.round = round;
        Some((at, Event::Continue(actor, cause)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Instant = Instant(5);

    fn drain(queue: &mut Queue<&'static str>) -> Vec<Event<&'static str>> {
        std::iter::from_fn(|| queue.pop(NOW, NOW).map(|popped| popped.1)).collect()
    }

    #[test]
    fn at_one_instant_starts_go_before_timers_before_deliveries_before_calls() {
        let mut queue = Queue::default();
        queue.go_on("c".into(), 7, FactId(1));
        queue.deliver(NOW, 1, "first");
        queue.deliver(NOW, 2, "second");
        let mut noted = None;
        queue.set_wake(MachineId::Broker(0), &mut noted, Some((NOW, 9)));
        queue.start(NOW, 3);
        assert_eq!(queue.pop(NOW, NOW), Some((NOW, Event::Start(3))));
        assert_eq!(
            queue.pop(NOW, NOW),
            Some((NOW, Event::Wake(MachineId::Broker(0))))
        );
        queue.set_wake(MachineId::Broker(0), &mut noted, None);
        assert_eq!(
            drain(&mut queue),
            [
                Event::Delivery("first"),
                Event::Delivery("second"),
                Event::Continue(7, FactId(1))
            ]
        );
        assert_eq!(queue.next_at(NOW), None);
    }

    #[test]
    fn who_becomes_able_during_a_round_waits_for_the_next() {
        let mut queue: Queue<&str> = Queue::default();
        queue.go_on("c3".into(), 3, FactId(1));
        queue.go_on("c2".into(), 2, FactId(1));
        assert_eq!(
            queue.pop(NOW, NOW),
            Some((NOW, Event::Continue(2, FactId(1))))
        );
        queue.go_on("c1".into(), 1, FactId(2));
        queue.go_on("c2".into(), 2, FactId(2));
        let rest: Vec<_> = drain(&mut queue);
        assert_eq!(
            rest,
            [
                Event::Continue(3, FactId(1)),
                Event::Continue(1, FactId(2)),
                Event::Continue(2, FactId(2))
            ]
        );
    }

    #[test]
    fn deliveries_that_a_call_sets_off_go_before_the_rest_of_its_round() {
        let mut queue = Queue::default();
        queue.go_on("a".into(), 1, FactId(1));
        queue.go_on("b".into(), 2, FactId(1));
        assert!(matches!(
            queue.pop(NOW, NOW),
            Some((_, Event::Continue(1, _)))
        ));
        queue.deliver(NOW, 1, "sent by a");
        assert!(matches!(queue.pop(NOW, NOW), Some((_, Event::Delivery(_)))));
        assert!(matches!(
            queue.pop(NOW, NOW),
            Some((_, Event::Continue(2, _)))
        ));
    }

    #[test]
    fn an_overdue_timer_fires_now_and_nothing_fires_early() {
        let mut queue: Queue<&str> = Queue::default();
        let mut noted = None;
        queue.set_wake(MachineId::Client(0), &mut noted, Some((Instant(1), 1)));
        assert_eq!(queue.next_at(NOW), Some(NOW));
        queue.set_wake(MachineId::Client(0), &mut noted, Some((Instant(9), 2)));
        assert_eq!(queue.pop(NOW, NOW), None);
        assert_eq!(queue.next_at(NOW), Some(Instant(9)));
    }
}
