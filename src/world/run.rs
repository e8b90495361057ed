//! The world's loop: takes the next event out of the queue and lets it happen.

use super::World;
use super::queue::{Event, MachineId};
use crate::kafka::fact::{FactKind, Party, Why};
use crate::kafka::time::Instant;

/// How far an advance came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The target is reached: everything up to and at it has happened.
    Reached,
    /// The budget was used up before.
    OutOfBudget,
}

impl World {
    /// When the next event happens.
    pub fn next_event(&self) -> Option<Instant> {
        self.queue.next_at(self.now)
    }

    /// Lets everything happen up to and at `target`, but at most `budget` events.
    pub fn advance_to(&mut self, target: Instant, budget: u64) -> Progress {
        for _ in 0..budget {
            if !self.step_until(target) {
                self.rest_until(target);
                return Progress::Reached;
            }
        }
        Progress::OutOfBudget
    }

    /// Lets the next event happen, if there is one no later than `until`.
    pub fn step_until(&mut self, until: Instant) -> bool {
        if !self.arrived.is_empty() && self.next_event().is_none_or(|at| at > self.now) {
            self.park_unanswered();
        }
        let Some((at, event)) = self.queue.pop(self.now, until) else {
            return false;
        };
        debug_assert!(at >= self.now, "time never goes back");
        self.now = at;
        self.last_event = Some(at);
        self.steps += 1;
        match event {
            Event::Start(actor) => self.start_as_planned(actor),
            Event::Wake(MachineId::Broker(place)) => self.wake_broker(place),
            Event::Wake(MachineId::Client(actor)) => self.wake_client(actor),
            Event::Wake(MachineId::Program(actor)) => self.wake_program(actor),
            Event::Delivery(delivery) => self.deliver(delivery),
            Event::Continue(actor, cause) => self.go_on(actor, cause),
        }
        self.roll_out();
        self.check_invariants();
        true
    }

    /// Lets time pass in which nothing happens. Stops short of the next event.
    pub fn rest_until(&mut self, at: Instant) {
        if at <= self.now {
            return;
        }
        let next = self.next_event().unwrap_or(at);
        if next > self.now && !self.arrived.is_empty() {
            self.park_unanswered();
        }
        self.now = self.now.max(at.min(next));
    }

    /// Ends the present instant: what came to a broker in it and has no answer is parked.
    fn park_unanswered(&mut self) {
        for (connection, exchange, received) in std::mem::take(&mut self.arrived) {
            if self.network.is_waiting(connection, exchange) {
                self.journal.begin(self.now, received);
                self.journal.note(FactKind::RequestParked { exchange });
            }
        }
        self.check_invariants();
    }

    fn wake_broker(&mut self, place: usize) {
        let Some(slot) = self.brokers.get_mut(place) else {
            return;
        };
        let Some(wake) = slot.broker.next_wake() else {
            return;
        };
        self.journal.begin(self.now, wake.set_by);
        self.journal.note_as_cause(FactKind::TimerFired {
            party: Party::Broker(slot.id),
            why: wake.why,
        });
        slot.broker.wake(&mut self.journal, &mut self.answers);
        self.after_broker(place);
    }

    /// Sends what a broker answered, and notes when it wants to be woken.
    pub(super) fn after_broker(&mut self, place: usize) {
        self.send_answers();
        if let Some(slot) = self.brokers.get_mut(place) {
            let wanted = slot.broker.next_wake().map(|wake| (wake.at, wake.sequence));
            self.queue
                .set_wake(MachineId::Broker(place), &mut slot.noted, wanted);
        }
    }

    /// Notes that a timer of an actor fired, as the cause of what follows.
    pub(super) fn note_timer(
        &mut self,
        actor: usize,
        why: Why,
        set_by: crate::kafka::fact::FactId,
    ) {
        let Some(actor) = self.actors.get(actor) else {
            return;
        };
        self.journal.begin(self.now, set_by);
        self.journal.note_as_cause(FactKind::TimerFired {
            party: Party::Client(actor.name.clone()),
            why,
        });
    }
}
