//! A scenario that runs: history, ledgers, and the facts that are still known.
//!
//! All engine state of the page is here, and what is here is pure. The commands in the history are the
//! truth; ledgers, scene and facts derive from them. Invariant: after a seek everything is as it was
//! when that instant was first reached.

mod chronicle;
mod scene;

pub use chronicle::{Chronicle, MarkKind, Sums, TimeMark};
pub use scene::{Client, Exchange, GroupScene, Produced, Scene};

use crate::kafka::fact::{Fact, FactKind, GroupState};
use crate::kafka::ids::{ActorName, GroupId};
use crate::kafka::time::{Duration, Instant};
use crate::world::command::{Act, Command, Refusal};
use crate::world::history::{Acted, History};
use crate::world::setup::Setup;
use crate::world::{Progress, Role, World};
use std::rc::Rc;

/// How far ahead the next event or rebalance is looked for.
const REACH: Duration = Duration::from_ms(3_600_000);
/// Events that the search for a rebalance may take.
const REBALANCE_EVENTS_MOST: u64 = 400_000;

/// A scenario that runs.
#[derive(Clone, Debug)]
pub struct Session {
    history: History<Sums>,
    /// How many acts and refused acts have names.
    named: (usize, usize),
}

impl Session {
    /// Starts from a setup, with acts that are to come.
    pub fn new(setup: Setup, acts: Vec<Act>) -> Result<Session, Refusal> {
        let mut session = Session {
            history: History::new(setup, acts, Sums::default())?,
            named: (0, 0),
        };
        session.name_acts();
        Ok(session)
    }

    /// The engine.
    pub fn world(&self) -> &World {
        self.history.world()
    }

    /// Ledgers and scene now.
    pub fn sums(&self) -> &Sums {
        self.history.observer()
    }

    /// The present instant.
    pub fn now(&self) -> Instant {
        self.history.now()
    }

    /// The latest instant that was seen.
    pub fn end(&self) -> Instant {
        self.history.end()
    }

    /// The earliest instant that can be gone back to.
    pub fn horizon(&self) -> Instant {
        self.history.horizon()
    }

    /// Lets everything up to `target` happen, or as much as `budget` events are.
    pub fn advance_to(&mut self, target: Instant, budget: u64) -> Progress {
        let progress = self.history.advance_to(target, budget);
        self.name_acts();
        progress
    }

    /// Does something at the present instant. In the past this drops the future.
    pub fn act(&mut self, command: Command) -> Result<Acted, Refusal> {
        self.history.check(&command)?;
        self.sums().forget_future();
        let acted = self.history.act(command);
        self.name_acts();
        acted
    }

    /// Takes the last act back.
    pub fn undo(&mut self) -> bool {
        let is_undone = self.history.undo();
        self.sums().forget_future();
        self.name_acts();
        is_undone
    }

    /// Whether there is an act to be taken back.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    /// Goes to an instant.
    pub fn seek(&mut self, at: Instant) {
        self.history.seek(at);
        self.name_acts();
    }

    /// Lets the next event happen.
    pub fn step(&mut self) -> bool {
        self.history.step(self.now() + REACH)
    }

    /// Goes back to before the last event.
    pub fn step_back(&mut self) -> bool {
        self.history.step_back()
    }

    /// Runs until a group is Stable anew; says whether one is.
    pub fn next_rebalance(&mut self) -> bool {
        let until = self.now() + REACH;
        let is_found = self
            .history
            .step_to(until, REBALANCE_EVENTS_MOST, |fact: &Fact| {
                matches!(
                    fact.kind,
                    FactKind::GroupStateChanged {
                        from: GroupState::CompletingRebalance,
                        to: GroupState::Stable,
                        ..
                    }
                )
            });
        self.name_acts();
        is_found
    }

    /// Gives the acts that were or will be carried out the numbers of their facts.
    fn name_acts(&mut self) {
        let (acts, refused) = (self.history.acts(), self.history.refused());
        let named = (acts.len(), refused.len());
        if named == self.named {
            return;
        }
        let carried_out = acts
            .iter()
            .enumerate()
            .filter(|(place, _)| !refused.contains_key(place));
        self.sums()
            .name_acts(carried_out.map(|(_, act)| act.command.clone()));
        self.named = named;
    }

    /// The command that adds a consumer like those that a group has.
    pub fn one_more(&self, group: &GroupId) -> Option<Command> {
        let like = self.world().actors().filter_map(|actor| match actor.role {
            Role::Consumer { spec, .. } | Role::Stopped { spec } => Some(spec),
            _ => None,
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
        let mut free = names.filter(|name| self.world().actor(name).is_none());
        free.next().unwrap_or_default()
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
        every: Duration::from_ms(ms),
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
                time_per_record: Duration::from_ms(60),
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
    setup.timing.latency = Duration::from_ms(40);
    setup
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn the_class_room_becomes_stable_and_reads() {
        let mut session = Session::new(class_room(), Vec::new()).expect("it is a valid setup");
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
