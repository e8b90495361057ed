//! A scenario that runs: history, ledgers, and the facts that are still known.
//!
//! All engine state of the page is here, and what is here is pure. The commands in the history are the
//! truth; ledgers, scene and facts derive from them. Invariant: after a seek everything is as it was
//! when that instant was first reached.

mod chronicle;
mod scene;

pub use chronicle::{Chronicle, MarkKind, Sums, TimeMark};
pub use scene::{Client, Exchange, GroupScene, Produced, Scene};

use crate::kafka::ids::{ActorName, GroupId};
use crate::kafka::time::Instant;
use crate::world::command::{Command, Refusal};
use crate::world::setup::Setup;
use crate::world::{Progress, Role, World};
use std::rc::Rc;

/// A scenario that runs.
#[derive(Clone, Debug)]
pub struct Session {
    world: World,
    sums: Sums,
    chronicle: Chronicle,
    acts: u32,
}

impl Session {
    /// Starts from a setup.
    pub fn new(setup: Setup) -> Result<Session, Refusal> {
        let mut session = Session {
            world: World::new(setup)?,
            sums: Sums::default(),
            chronicle: Chronicle::default(),
            acts: 0,
        };
        session.take_facts();
        Ok(session)
    }

    /// The engine.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Ledgers and scene now.
    pub fn sums(&self) -> &Sums {
        &self.sums
    }

    /// The facts.
    pub fn chronicle(&self) -> &Chronicle {
        &self.chronicle
    }

    /// Lets everything up to `target` happen, or as much as `budget` events are.
    pub fn advance_to(&mut self, target: Instant, budget: u64) -> Progress {
        let progress = self.world.advance_to(target, budget);
        self.take_facts();
        progress
    }

    /// Does something at the present instant.
    pub fn act(&mut self, command: Command) -> Result<(), Refusal> {
        self.world.apply(&command)?;
        self.acts += 1;
        self.chronicle.note_act(self.acts, Rc::new(command));
        self.take_facts();
        Ok(())
    }

    /// Lets the next event happen.
    pub fn step(&mut self) {
        if let Some(at) = self.world.next_event() {
            self.world.step_until(at);
            self.take_facts();
        }
    }

    /// Runs until a group is Stable anew, at most `budget` events; says whether one is.
    pub fn next_rebalance(&mut self, budget: u64) -> bool {
        let since = self.sums.last;
        for _ in 0..budget {
            self.step();
            let last = self.chronicle.marks().last();
            if last.is_some_and(|mark| mark.kind == MarkKind::Rebalance && mark.fact > since) {
                return true;
            }
        }
        false
    }

    /// The command that adds a consumer like those that a group has.
    pub fn one_more(&self, group: &GroupId) -> Option<Command> {
        let like = self.world.actors().filter_map(|actor| match actor.role {
            Role::Consumer { spec, .. } | Role::Stopped { spec } => Some(spec),
            Role::Feed { .. } => None,
        });
        let mut spec = like
            .filter(|spec| {
                spec.configs
                    .get("group.id")
                    .is_some_and(|id| **id == **group)
            })
            .last()?
            .clone();
        spec.name = self.free_name(&spec.name);
        spec.configs.remove("client.id");
        spec.configs.remove("group.instance.id");
        Some(Command::AddConsumers {
            consumers: vec![spec],
        })
    }

    /// `c4` after `c3`: the next number that nobody has.
    fn free_name(&self, like: &ActorName) -> ActorName {
        let stem = like.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let names = (1_u32..).map(|number| ActorName::from(format!("{stem}{number}")));
        let mut free = names.filter(|name| self.world.actor(name).is_none());
        free.next().unwrap_or_default()
    }

    fn take_facts(&mut self) {
        for fact in self.world.take_facts() {
            self.chronicle.push(fact, &mut self.sums);
        }
    }
}

/// A scenario that comes with the page.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it shows.
    pub about: &'static str,
}

/// The scenarios that come with the page.
pub fn library() -> &'static [Entry] {
    &[Entry {
        name: "class-room",
        title: "Three consumers, one group",
        about: "",
    }]
}

/// A class room: three brokers, six partitions, two producers, a group of three.
pub fn class_room() -> Setup {
    use crate::world::setup::*;
    let feed = |name: &str, at: i64, ms: i64| FeedSpec {
        name: name.into(),
        topic: "orders".into(),
        first_at: Some(Instant::from_ms(at)),
        every: crate::kafka::time::Duration::from_ms(ms),
        times: None,
        batch: 1,
        spread: Spread::RoundRobin,
        size_bytes: 100,
    };
    let consumer = |number: i64| ConsumerStart {
        consumer: ConsumerSpec {
            name: format!("c{number}").into(),
            configs: [
                ("group.id", "billing"),
                ("session.timeout.ms", "10000"),
                ("heartbeat.interval.ms", "3000"),
                ("auto.offset.reset", "earliest"),
                ("partition.assignment.strategy", "cooperative-sticky"),
            ]
            .map(|(name, value)| (Rc::from(name), Rc::from(value)))
            .into(),
            flavour: ClientFlavour::Java,
            reads: Reads::Subscribe(vec!["orders".into()]),
            application: ApplicationSpec {
                time_per_record: crate::kafka::time::Duration::from_ms(60),
                ..ApplicationSpec::default()
            },
            first_correlation_id: 0,
        },
        at: Some(Instant::from_ms(200 * number)),
    };
    let mut setup = Setup {
        brokers: [1, 2, 3]
            .map(|id| (crate::kafka::ids::BrokerId(id), BrokerSpec::default()))
            .into(),
        topics: vec![TopicSpec::new("orders", 6)],
        feeds: vec![feed("p1", 300, 125), feed("p2", 350, 250)],
        consumers: [1, 2, 3].map(consumer).into(),
        ..Setup::default()
    };
    setup.timing.latency = crate::kafka::time::Duration::from_ms(40);
    setup
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn the_class_room_becomes_stable_and_reads() {
        let mut session = Session::new(class_room()).expect("it is a valid setup");
        session.advance_to(Instant::from_ms(20_000), 1_000_000);
        let ledger = &session.sums().ledger;
        let group = ledger.group("billing").expect("there is a group");
        assert_eq!(group.rebalances.open(), None);
        for (partition, entry) in group.partitions() {
            assert!(
                entry.ownership.owner().is_some(),
                "{partition} has an owner"
            );
            assert!(entry.deliveries.delivered() > 10, "{partition} is read");
        }
    }
}
