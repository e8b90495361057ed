//! The world around the machines: clock, queue, network, processes, commands in, facts out, history.
//!
//! Knows nothing of ledgers, files or pages. Invariants: time never goes back; what happens at one
//! instant happens in the order acts, timers, deliveries, continued calls; a fact has a cause or is an
//! act; a (setup, acts) pair fixes every fact.

mod act;
mod actor;
pub mod application;
mod build;
mod check;
pub mod command;
mod consumers;
mod fault_answer;
mod forms;
mod forward;
pub mod history;
pub mod invariants;
mod keyframes;
mod network;
mod presets;
mod producers;
mod queue;
mod raw;
mod rollout;
mod run;
mod serial;
pub mod setup;
mod source;
mod tool;
pub mod trace;
mod trace_field;
mod trace_kind;
mod view;
mod wire;
mod workers;

pub use check::ACTORS_MAX;
pub use run::Progress;
pub use serial::parse_ms;
pub use view::{ActorView, Role, SourceView};

use crate::kafka::broker::{Answer, Broker};
use crate::kafka::cluster::Cluster;
use crate::kafka::fact::{Fact, FactId};
use crate::kafka::ids::{ActorName, BrokerId, ConnectionId, Offset, TopicPartition};
use crate::kafka::journal::Journal;
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::Instant;
use actor::Actor;
use command::Refusal;
use network::{Delivery, Network};
use queue::{Queue, WakeKey};
use rollout::Rollouts;
use setup::Setup;
use std::rc::Rc;

/// Folds facts: a ledger, a trace, a checker. Cloned along with keyframes.
pub trait Observer {
    /// A fact happened.
    fn fold(&mut self, fact: &Fact);
}

/// Sees nothing.
impl Observer for () {
    fn fold(&mut self, _: &Fact) {}
}

/// Both see everything.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn fold(&mut self, fact: &Fact) {
        self.0.fold(fact);
        self.1.fold(fact);
    }
}

/// Records that cannot be handled, or read, wherever they are.
pub type Poison = SortedSet<(TopicPartition, Offset)>;

/// A broker and when it wants to be woken.
#[derive(Clone, Debug)]
struct BrokerSlot {
    id: BrokerId,
    broker: Broker,
    noted: Option<WakeKey>,
}

/// Everything there is at one instant. A clone is a keyframe.
#[derive(Clone, Debug)]
pub struct World {
    setup: Rc<Setup>,
    journal: Journal,
    now: Instant,
    /// When the last event or act happened.
    last_event: Option<Instant>,
    /// How many events and acts there were.
    steps: u64,
    acts: u32,
    queue: Queue<Delivery>,
    network: Network,
    cluster: Rc<Cluster>,
    /// By id.
    brokers: Vec<BrokerSlot>,
    /// In the order of their coming.
    actors: Vec<Actor>,
    names: SortedMap<ActorName, usize>,
    poison: Rc<Poison>,
    /// Records that deserializers cannot read.
    unreadable: Rc<Poison>,
    /// Requests that came to a broker at this instant, and the facts of it: unanswered ones are parked
    /// when the instant is over.
    arrived: Vec<(ConnectionId, u64, FactId)>,
    rollouts: Rollouts,
    /// Lent to brokers, empty between events.
    answers: Vec<Answer>,
    #[cfg(debug_assertions)]
    invariants: invariants::Invariants,
}

impl World {
    /// The world as the setup describes it, at its origin, before anything happens.
    pub fn new(setup: Setup) -> Result<World, Refusal> {
        build::build(setup)
    }

    /// The present instant.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// When the last event or act happened, if one did.
    pub fn last_event(&self) -> Option<Instant> {
        self.last_event
    }

    /// How many events and acts there were.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// What it started from.
    pub fn setup(&self) -> &Rc<Setup> {
        &self.setup
    }

    /// Takes the facts written since they were last taken.
    pub fn take_facts(&mut self) -> Vec<Fact> {
        self.journal.take_facts()
    }

    /// The facts written since they were last taken.
    pub fn facts(&self) -> &[Fact] {
        self.journal.facts()
    }

    /// Shows the facts written since they were last taken, and forgets them.
    pub fn fold_facts(&mut self, mut see: impl FnMut(&Fact)) {
        for fact in self.journal.facts() {
            see(fact);
        }
        self.journal.clear_facts();
    }

    /// The cluster as its controller knows it.
    pub fn cluster(&self) -> &Rc<Cluster> {
        &self.cluster
    }

    /// A broker.
    pub fn broker(&self, id: BrokerId) -> Option<&Broker> {
        let place = self.broker_place(id)?;
        self.brokers.get(place).map(|slot| &slot.broker)
    }

    /// All brokers, by id.
    pub fn brokers(&self) -> impl Iterator<Item = (BrokerId, &Broker)> {
        self.brokers.iter().map(|slot| (slot.id, &slot.broker))
    }

    /// In debug builds: holds the facts of the last event against what must always be true.
    fn check_invariants(&mut self) {
        #[cfg(debug_assertions)]
        {
            let last = self.invariants.last();
            let facts = self.journal.facts();
            let seen = facts.partition_point(|fact| fact.id <= last);
            for fact in facts.iter().skip(seen) {
                self.invariants.fold(fact);
            }
            let broken = self.invariants.violations();
            assert!(broken.is_empty(), "invariants broken: {broken:?}");
        }
    }

    fn broker_place(&self, id: BrokerId) -> Option<usize> {
        self.brokers.binary_search_by_key(&id, |slot| slot.id).ok()
    }
}
