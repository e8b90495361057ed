//! The journal: into which a machine writes what happened, lent to it for the length of one call.

use super::fact::{Fact, FactId, FactKind};
use super::time::Instant;

/// Numbers facts and timers over the whole world, and knows what the present call answers to.
#[derive(Clone, Debug)]
pub struct Journal {
    facts: Vec<Fact>,
    last_fact: FactId,
    last_sequence: u64,
    now: Instant,
    cause: FactId,
}

impl Default for Journal {
    fn default() -> Self {
        Self {
            facts: Vec::new(),
            last_fact: FactId::BEGINNING,
            last_sequence: 0,
            now: Instant(i64::MIN),
            cause: FactId::BEGINNING,
        }
    }
}

impl Journal {
    /// From here on facts happen at `now` because of `cause`.
    pub fn begin(&mut self, now: Instant, cause: FactId) {
        debug_assert!(now >= self.now, "time never goes back");
        self.now = now;
        self.cause = cause;
    }

    /// The present instant.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// What the present call answers to. A timer remembers it as its cause.
    pub fn cause(&self) -> FactId {
        self.cause
    }

    /// Writes down a fact whose cause is the present one.
    pub fn note(&mut self, kind: FactKind) -> FactId {
        self.last_fact = FactId(self.last_fact.0 + 1);
        self.facts.push(Fact {
            id: self.last_fact,
            at: self.now,
            cause: self.cause,
            kind,
        });
        self.last_fact
    }

    /// Writes down a fact that is the cause of what follows in this call.
    pub fn note_as_cause(&mut self, kind: FactKind) -> FactId {
        self.cause = self.note(kind);
        self.cause
    }

    /// The next number in the order in which timers are set and messages are sent, over all machines.
    pub fn next_sequence(&mut self) -> u64 {
        self.last_sequence += 1;
        self.last_sequence
    }

    /// Takes the facts written since the last call.
    pub fn take_facts(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.facts)
    }

    /// Forgets the facts written since they were last taken, and keeps the room for the next ones.
    pub fn clear_facts(&mut self) {
        self.facts.clear();
    }

    /// The facts written since they were last taken.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }
}
