//! The same history under one changed thing: a second session that is driven by the same commands.
//!
//! The rival is never told what to show: it has a setup and acts, and the engine does the rest. Invariant:
//! its acts are a function of its change and of the acts of the session that it is compared with.

use super::{Session, Sums};
use crate::kafka::config::set_config;
use crate::kafka::ids::{ActorName, GroupId};
use crate::kafka::time::{Duration, Instant};
use crate::scenario::{BadScenario, Complaint, Document};
use crate::world::Progress;
use crate::world::command::{Act, Command, Configs, Refusal};
use crate::world::setup::{ConsumerSpec, ConsumerStart, Setup};
use std::rc::Rc;

const INSTANCE_ID: &str = "group.instance.id";
const STRATEGY: &str = "partition.assignment.strategy";

/// What is otherwise in the other run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// It is another variant of the scenario's file.
    Variant(Rc<str>),
    /// Every consumer of the group has another value of a configuration; an empty text is the default.
    Consumers {
        /// Of which group.
        group: GroupId,
        /// Dotted name.
        name: Rc<str>,
        /// The value.
        value: Rc<str>,
    },
    /// Every broker has another value of a configuration; an empty text is the default.
    Brokers {
        /// Dotted name.
        name: Rc<str>,
        /// The value.
        value: Rc<str>,
    },
    /// Every consumer of the group has a `group.instance.id` of its own.
    StaticMembers(GroupId),
    /// No consumer of the group has one.
    DynamicMembers(GroupId),
    /// The group has one more consumer from the beginning.
    OneMore(GroupId),
}

/// The other run.
#[derive(Clone, Debug)]
pub struct Rival {
    change: Change,
    session: Session,
    /// The acts that the two scenarios bring along: ours, and the rival's where its variant has others.
    scripts: Option<(Vec<Act>, Vec<Act>)>,
}

impl Rival {
    /// The rival of a session that runs a variant of a document.
    ///
    /// # Errors
    /// If there is no such variant, or Kafka would refuse the changed thing.
    pub fn new(
        change: Change,
        ours: &Session,
        document: &Document,
        variant: Option<&str>,
    ) -> Result<Rival, BadScenario> {
        let (setup, scripts) = match &change {
            Change::Variant(other) => {
                let theirs = document.scenario(Some(other))?;
                let own = document.scenario(variant)?.acts;
                (theirs.setup, Some((own, theirs.acts)))
            }
            change => {
                let mut setup = (**ours.world().setup()).clone();
                apply(change, &mut setup).map_err(refused)?;
                (setup, None)
            }
        };
        let acts = acts_of(&change, scripts.as_ref(), ours.acts());
        Ok(Rival {
            session: Session::new(setup, acts).map_err(refused)?,
            change,
            scripts,
        })
    }

    /// What is otherwise.
    pub fn change(&self) -> &Change {
        &self.change
    }

    /// Its run.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Takes on what was done in the session that it is compared with.
    pub fn follow(&mut self, ours: &Session) {
        let acts = acts_of(&self.change, self.scripts.as_ref(), ours.acts());
        if acts != self.session.acts() {
            self.session.follow(&acts);
        }
        if self.session.now() > ours.now() {
            self.session.seek(ours.now());
        }
    }

    /// Lets time pass up to where the other session is, or as much as `budget` events are.
    pub fn catch_up(&mut self, ours: &Session, budget: u64) -> Progress {
        self.session.advance_to(ours.now(), budget)
    }

    /// Ledgers and scene where it is now.
    pub fn sums(&self) -> &Sums {
        self.session.sums()
    }

    /// Where a quantity that differs now came to differ: after everything that happens at that instant it
    /// does, before it does not. It may have differed before, and been equal again. `None`: it is equal now.
    pub fn came_apart(
        &self,
        ours: &Session,
        quantity: &dyn Fn(&Sums, Instant) -> i64,
    ) -> Option<Instant> {
        let now = self.session.now();
        if quantity(ours.sums(), now) == quantity(self.sums(), now) {
            return None;
        }
        let (mut ours, mut theirs) = (ours.clone(), self.session.clone());
        let both = ours.history.keyframes(&theirs.history);
        let is_equal = |(at, ours, theirs): &(Instant, Sums, Sums)| {
            quantity(ours, *at) == quantity(theirs, *at)
        };
        // Halving ends at some place where it came apart, if it was equal in the beginning.
        let after = both.partition_point(is_equal);
        let last_equal = after.checked_sub(1).and_then(|last| both.get(last));
        let start = last_equal.map_or(ours.horizon(), |(at, ..)| *at + Duration(-1));
        ours.seek(start);
        theirs.seek(start);
        if quantity(ours.sums(), start) != quantity(theirs.sums(), start) {
            return Some(start);
        }
        while ours.now() <= now {
            let next = [ours.history.next_event(), theirs.history.next_event()];
            let next = next.into_iter().flatten().min().filter(|at| *at <= now)?;
            ours.seek(next);
            theirs.seek(next);
            if quantity(ours.sums(), next) != quantity(theirs.sums(), next) {
                return Some(next);
            }
        }
        None
    }
}

fn refused(refusal: Refusal) -> BadScenario {
    BadScenario::whole(Complaint::Refused(refusal))
}

/// The rival's acts. Of a variant with a script of its own: that script as far as ours goes unchanged, then
/// what was done instead.
fn acts_of(change: &Change, scripts: Option<&(Vec<Act>, Vec<Act>)>, ours: &[Act]) -> Vec<Act> {
    let mut acts = match scripts {
        None => ours.to_vec(),
        Some((own, theirs)) => {
            let common = own.iter().zip(ours).take_while(|(own, act)| own == act);
            let common = common.count();
            let done: &[Act] = ours.get(common..).unwrap_or_default();
            let forked = [own.get(common), done.first()];
            let forked = forked.into_iter().flatten().map(|act| act.at).min();
            let kept = theirs
                .iter()
                .filter(|act| forked.is_none_or(|at| act.at < at));
            kept.chain(done).cloned().collect()
        }
    };
    for act in &mut acts {
        if let Command::AddConsumers { consumers } = &mut act.command {
            for consumer in consumers {
                configure(change, consumer);
            }
        }
    }
    acts
}

fn apply(change: &Change, setup: &mut Setup) -> Result<(), Refusal> {
    for start in &mut setup.consumers {
        configure(change, &mut start.consumer);
    }
    match change {
        Change::Variant(_) | Change::StaticMembers(_) | Change::DynamicMembers(_) => {}
        Change::Consumers { group, name, value } if &**name == STRATEGY => {
            let preset = setup.groups.iter_mut().filter(|spec| spec.group == *group);
            let first = value.split(',').next().unwrap_or_default().trim();
            for spec in preset.filter(|spec| spec.assignor.is_some()) {
                // The generation that is there already was computed by whom the members now want.
                spec.assignor = Some(first.into());
            }
        }
        Change::Consumers { .. } => {}
        Change::Brokers { name, value } => {
            for broker in setup.brokers.values_mut() {
                set_config(&mut broker.config, name, value).map_err(Refusal::Config)?;
            }
        }
        Change::OneMore(group) => {
            let like = setup.consumers.iter().map(|start| &start.consumer);
            let mut like = like.filter(|consumer| is_of(group, &consumer.configs));
            let Some(mut consumer) = like.next_back().cloned() else {
                return Err(Refusal::UnknownGroup(group.clone()));
            };
            let names = (1_u32..).map(|number| ActorName::from(format!("extra{number}")));
            let is_free = |name: &ActorName| {
                let mut starts = setup.consumers.iter();
                starts.all(|start| start.consumer.name != *name)
            };
            let mut free = names.filter(is_free);
            consumer.name = free.next().unwrap_or_default();
            consumer.configs.remove("client.id");
            consumer.configs.remove(INSTANCE_ID);
            let at = Some(setup.origin);
            setup.consumers.push(ConsumerStart { consumer, at });
        }
    }
    Ok(())
}

fn is_of(group: &GroupId, configs: &Configs) -> bool {
    configs.get("group.id").is_some_and(|id| **id == **group)
}

/// Gives a consumer what a change is about, if it concerns it.
fn configure(change: &Change, consumer: &mut ConsumerSpec) {
    let own_id = |name: &ActorName| Rc::<str>::from(name.as_str());
    match change {
        Change::Consumers { group, name, value } if is_of(group, &consumer.configs) => {
            if value.is_empty() {
                consumer.configs.remove(name);
            } else {
                consumer.configs.insert(name.clone(), value.clone());
            }
        }
        Change::StaticMembers(group) if is_of(group, &consumer.configs) => {
            let id = own_id(&consumer.name);
            let configs = &mut consumer.configs;
            configs.entry(INSTANCE_ID.into()).or_insert(id);
        }
        Change::DynamicMembers(group) if is_of(group, &consumer.configs) => {
            consumer.configs.remove(INSTANCE_ID);
        }
        Change::Variant(_)
        | Change::Consumers { .. }
        | Change::Brokers { .. }
        | Change::StaticMembers(_)
        | Change::DynamicMembers(_)
        | Change::OneMore(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::entry;

    const fn s(seconds: i64) -> Instant {
        Instant::from_ms(seconds * 1_000)
    }

    fn class_room() -> (Document, Session) {
        let document = entry("class-room")
            .expect("there is a class room")
            .document();
        let scenario = document.scenario(None).expect("it is a scenario");
        let session = Session::new(scenario.setup, scenario.acts).expect("it starts");
        (document, session)
    }

    fn kill(actor: &str) -> Command {
        Command::Kill {
            actor: actor.into(),
        }
    }

    fn caught_up(rival: &mut Rival, ours: &Session) {
        assert_eq!(rival.catch_up(ours, u64::MAX), Progress::Reached);
    }

    fn consumers(name: &str, value: &str) -> Change {
        Change::Consumers {
            group: "billing".into(),
            name: name.into(),
            value: value.into(),
        }
    }

    #[test]
    fn a_rival_without_a_difference_is_the_same_run() {
        let (document, mut ours) = class_room();
        let change = consumers("client.rack", "");
        let mut rival = Rival::new(change, &ours, &document, None).expect("it starts");
        ours.advance_to(s(8), u64::MAX);
        ours.act(kill("c2")).expect("c2 runs");
        ours.advance_to(s(30), u64::MAX);
        rival.follow(&ours);
        caught_up(&mut rival, &ours);
        assert_eq!(rival.sums().last, ours.sums().last);
    }

    #[test]
    fn what_is_done_is_done_in_both_at_the_same_instant() {
        let (document, mut ours) = class_room();
        let change = consumers("session.timeout.ms", "6000");
        let mut rival = Rival::new(change, &ours, &document, None).expect("it starts");
        for until in [s(8), s(9)] {
            ours.advance_to(until, u64::MAX);
            rival.follow(&ours);
            caught_up(&mut rival, &ours);
        }
        ours.act(kill("c2")).expect("c2 runs");
        ours.advance_to(s(16), u64::MAX);
        rival.follow(&ours);
        caught_up(&mut rival, &ours);
        assert_eq!(rival.session().acts(), ours.acts());
        let straight = Rival::new(rival.change().clone(), &ours, &document, None);
        let mut straight = straight.expect("it starts");
        caught_up(&mut straight, &ours);
        assert_eq!(straight.sums().last, rival.sums().last);
        let rebalances = |sums: &Sums| {
            let group = sums
                .ledger
                .group(&"billing".into())
                .expect("there is a group");
            group.rebalances.count()
        };
        // Its session of 6 s is over, that of 10 s is not.
        assert_eq!((rebalances(rival.sums()), rebalances(ours.sums())), (1, 0));
        let count = |sums: &Sums, _: Instant| i64::try_from(rebalances(sums)).expect("few");
        let apart = rival.came_apart(&ours, &count).expect("they came apart");
        for (at, are_equal) in [(apart + Duration(-1), true), (apart, false)] {
            let (ours, theirs) = (ours.sums_at(at), rival.session().sums_at(at));
            assert_eq!(rebalances(&ours) == rebalances(&theirs), are_equal);
        }
        ours.seek(s(10));
        rival.follow(&ours);
        assert_eq!(rival.session().now(), s(10));
        assert!(ours.undo());
        rival.follow(&ours);
        assert!(rival.session().acts().is_empty());
    }

    #[test]
    fn a_value_that_kafka_refuses_is_refused() {
        let (document, ours) = class_room();
        for change in [
            consumers("session.timeout.ms", "soon"),
            Change::Brokers {
                name: "no.such.thing".into(),
                value: "1".into(),
            },
            Change::Variant("no such variant".into()),
        ] {
            assert!(Rival::new(change, &ours, &document, None).is_err());
        }
    }

    #[test]
    fn membership_and_size_are_changed_from_the_beginning() {
        let (document, ours) = class_room();
        let group = || GroupId::from("billing");
        let rival = |change| Rival::new(change, &ours, &document, None).expect("it starts");
        let count = |rival: &Rival| rival.session().world().setup().consumers.len();
        let before = ours.world().setup().consumers.len();
        assert_eq!(count(&rival(Change::OneMore(group()))), before + 1);
        let fixed = rival(Change::StaticMembers(group()));
        let starts = &fixed.session().world().setup().consumers;
        assert!(starts.iter().all(|start| {
            let id = start.consumer.configs.get(INSTANCE_ID);
            id.is_some_and(|id| **id == *start.consumer.name.as_str())
        }));
    }

    /// A variant's own acts hold until somebody acts; then what was done holds in both.
    #[test]
    fn a_variants_script_goes_on_until_somebody_acts() {
        let act = |ms, actor| Act {
            at: Instant::from_ms(ms),
            command: kill(actor),
        };
        let scripts = (
            vec![act(10, "a"), act(30, "b")],
            vec![act(15, "x"), act(40, "y")],
        );
        let change = Change::Variant("other".into());
        let acts = |ours: &[Act]| acts_of(&change, Some(&scripts), ours);
        assert_eq!(acts(&scripts.0), scripts.1);
        let done = [act(10, "a"), act(20, "c")];
        assert_eq!(acts(&done), [act(15, "x"), act(20, "c")]);
        let done = [scripts.0.clone(), vec![act(35, "c")]].concat();
        assert_eq!(acts(&done), [act(15, "x"), act(35, "c")]);
    }
}
