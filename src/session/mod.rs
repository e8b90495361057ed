//! A scenario that runs: history, ledgers, and the facts that are still known.
//!
//! All engine state of the page is here, and what is here is pure. The commands in the history are the
//! truth; ledgers, scene and facts derive from them. Invariant: after a seek everything is as it was
//! when that instant was first reached.

mod chronicle;
mod retrace;
mod rival;
mod scene;
mod stops;

pub use chronicle::{Chronicle, MarkKind, Sums, Talk, TimeMark};
pub use retrace::{Retrace, Traced};
pub use rival::{Change, Rival};
pub use scene::{Client, Exchange, GroupScene, Produced, Scene};
pub use stops::{Stop, Stopped};

use crate::kafka::ids::{ActorName, GroupId, Offset, TopicPartition};
use crate::kafka::time::{Duration, Instant};
use crate::ledger::Life;
use crate::world::command::{Act, Command, Refusal};
use crate::world::history::{Acted, History};
use crate::world::setup::{ConsumerSpec, Setup};
use crate::world::{ACTORS_MAX, Progress, Role, World};
use std::ops::ControlFlow;
use stops::Watch;

/// How far ahead the next event is looked for.
const REACH: Duration = Duration::from_ms(3_600_000);

/// A scenario that runs.
#[derive(Clone, Debug)]
pub struct Session {
    history: History<Sums>,
    /// How many acts and refused acts have names.
    named: (usize, usize),
    /// The record whose life somebody looks at.
    watched: Option<Life>,
}

impl Session {
    /// Starts from a setup, with acts that are to come.
    pub fn new(setup: Setup, acts: Vec<Act>) -> Result<Session, Refusal> {
        Self::observed_by(setup, acts, Sums::of)
    }

    fn observed_by(
        setup: Setup,
        acts: Vec<Act>,
        sums: impl FnOnce(&World) -> Sums,
    ) -> Result<Session, Refusal> {
        let mut session = Session {
            history: History::observed_by(setup, acts, sums)?,
            named: (0, 0),
            watched: None,
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

    /// All acts, also those that are still to come.
    pub fn acts(&self) -> &[Act] {
        self.history.acts()
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

    /// The same, but nothing after the event that one of `stops` waits for.
    pub fn advance_to_stop(
        &mut self,
        target: Instant,
        budget: u64,
        stops: &[Stop],
    ) -> ControlFlow<Stopped, Progress> {
        if stops.is_empty() {
            return ControlFlow::Continue(self.advance_to(target, budget));
        }
        let mut watch = Watch::new(stops, &self.sums().ledger);
        let came = self
            .history
            .advance_until(target, budget, |sums: &Sums, fact| {
                watch.look(&sums.ledger, fact)
            });
        self.name_acts();
        came
    }

    /// Does something at the present instant. In the past this drops the future.
    pub fn act(&mut self, command: Command) -> Result<Acted, Refusal> {
        self.history.check(&command)?;
        self.watched = None;
        self.sums().forget_future();
        let acted = self.history.act(command);
        self.name_acts();
        acted
    }

    /// Takes the last act back.
    pub fn undo(&mut self) -> bool {
        self.watched = None;
        let is_undone = self.history.undo();
        self.sums().forget_future();
        self.name_acts();
        is_undone
    }

    /// Whether there is an act to be taken back.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    /// Has `acts` instead of the acts so far, and goes back to before the first that differs.
    fn follow(&mut self, acts: &[Act]) {
        self.watched = None;
        self.history.follow(acts);
        self.sums().forget_future();
        self.named = (usize::MAX, usize::MAX);
        self.name_acts();
    }

    /// What was folded up to an earlier instant. The present stays where it is.
    pub fn sums_at(&self, at: Instant) -> Sums {
        self.history.observer_at(at)
    }

    /// Acts that could not be carried out when their time came, and why.
    pub fn refused(&self) -> impl Iterator<Item = (&Act, &Refusal)> {
        let refused = self.history.refused().iter();
        refused.filter_map(|(place, why)| Some((self.acts().get(*place)?, why)))
    }

    /// How many of the acts and events of the present instant have happened; `None`: all of them.
    pub fn done_of_instant(&self) -> Option<u64> {
        self.history.done_of_instant()
    }

    /// Goes to an instant; if `done` says so, only that many of its acts and events have happened then.
    pub fn seek_into(&mut self, at: Instant, done: Option<u64>) {
        self.watched = None;
        match done {
            Some(done) => self.history.seek_into(at, done),
            None => self.history.seek(at),
        }
        self.name_acts();
    }

    /// Goes to an instant.
    pub fn seek(&mut self, at: Instant) {
        self.watched = None;
        self.history.seek(at);
        self.name_acts();
    }

    /// Lets the next event happen.
    pub fn step(&mut self) -> bool {
        self.history.step(self.now() + REACH)
    }

    /// Goes back to before the last event.
    pub fn step_back(&mut self) -> bool {
        self.watched = None;
        self.history.step_back()
    }

    /// Looks at the life of a record from now on, up to the present instant; of facts that are forgotten it
    /// tells nothing.
    pub fn watch(&mut self, partition: &TopicPartition, offset: Offset) {
        let is_same = |life: &Life| (life.partition(), life.offset()) == (partition, offset);
        let before = self.watched.take().filter(is_same);
        let mut life = before.unwrap_or_else(|| Life::new(partition.clone(), offset));
        let sums = self.history.observer();
        let chronicle = sums.chronicle();
        for fact in chronicle.between(life.last(), sums.last) {
            life.fold(fact);
        }
        drop(chronicle);
        self.watched = Some(life);
    }

    /// The life of the record that is looked at, as of when it was looked at last.
    pub fn watched(&self) -> Option<&Life> {
        self.watched.as_ref()
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

    /// The command that adds so many consumers like the last of a group's. `None`: it has none.
    pub fn more(&self, group: &GroupId, count: usize) -> Option<Command> {
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
        spec.configs.remove("client.id");
        spec.configs.remove("group.instance.id");
        let names = self.free_names(&spec.name, count.min(ACTORS_MAX + 1));
        let consumers = names.into_iter().map(|name| ConsumerSpec {
            name,
            ..spec.clone()
        });
        Some(Command::AddConsumers {
            consumers: consumers.collect(),
        })
    }

    /// `c4` after `c3`: the next numbers that nobody has.
    fn free_names(&self, like: &ActorName, count: usize) -> Vec<ActorName> {
        let stem = like.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let names = (1_u32..).map(|number| ActorName::from(format!("{stem}{number}")));
        let free = names.filter(|name| self.world().actor(name).is_none());
        free.take(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::entry;

    fn class_room() -> Session {
        let entry = entry("class-room").expect("there is a class room");
        let scenario = entry.document().scenario(None).expect("it is a scenario");
        Session::new(scenario.setup, scenario.acts).expect("it starts")
    }

    const fn s(seconds: i64) -> Instant {
        Instant::from_ms(seconds * 1_000)
    }

    fn kill(actor: &str) -> Command {
        Command::Kill {
            actor: actor.into(),
        }
    }

    #[test]
    fn the_class_room_reads_from_the_beginning() {
        let mut session = class_room();
        session.advance_to(s(5), u64::MAX);
        let group = session.sums().ledger.group(&"billing".into());
        let group = group.expect("there is a group");
        for (partition, entry) in group.partitions() {
            assert!(
                entry.ownership.owner().is_some(),
                "{partition} has an owner"
            );
            assert!(entry.deliveries.delivered() > 0, "{partition} is read");
        }
    }

    #[test]
    fn after_a_seek_everything_adds_up_as_it_did_before() {
        let mut session = class_room();
        session.advance_to(s(8), u64::MAX);
        session.act(kill("c2")).expect("c2 runs");
        session.advance_to(s(12), u64::MAX);
        let (last, revision) = (session.sums().last, session.sums().scene.ownership_revision);
        session.advance_to(s(30), u64::MAX);
        let marks = session.sums().chronicle().marks().len();
        session.seek(s(12));
        assert_eq!(session.sums().last, last);
        assert_eq!(session.sums().scene.ownership_revision, revision);
        assert_eq!(
            session.sums().chronicle().marks().len(),
            marks,
            "the future that was seen is still known"
        );
    }

    #[test]
    fn acting_in_the_past_drops_the_future_and_undo_brings_it_back() {
        let mut session = class_room();
        session.advance_to(s(8), u64::MAX);
        session.act(kill("c2")).expect("c2 runs");
        session.advance_to(s(30), u64::MAX);
        session.seek(s(20));
        let acted = session.act(kill("c3")).expect("c3 runs");
        assert!(acted.dropped.is_some_and(|dropped| dropped.until >= s(30)));
        assert!(session.end() < s(21));
        assert!(session.undo());
        assert!(session.end() >= s(30));
    }

    #[test]
    fn an_act_has_its_name_in_the_chronicle() {
        let mut session = class_room();
        session.advance_to(s(2), u64::MAX);
        session.act(kill("c2")).expect("c2 runs");
        let named = session.sums().chronicle().command(1);
        assert_eq!(named.as_deref(), Some(&kill("c2")));
    }

    #[test]
    fn more_consumers_are_like_the_last_with_names_of_their_own() {
        let session = class_room();
        let Some(Command::AddConsumers { consumers }) = session.more(&"billing".into(), 2) else {
            panic!("the group has consumers to take after");
        };
        let names: Vec<_> = consumers
            .iter()
            .map(|consumer| consumer.name.as_str())
            .collect();
        assert_eq!(names, ["c4", "c5"]);
    }
}
