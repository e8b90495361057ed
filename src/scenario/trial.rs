//! Running a scenario, and looking whether what must hold holds.

use super::answer::{Beginning, Witness};
use super::complaint::Complaint;
use super::evidence::Evidence;
use super::expect::Field;
use super::plan::{Expectation, Scenario, When};
use super::want::Value;
use super::wire::Sniffer;
use crate::kafka::fact::Fact;
use crate::kafka::time::Instant;
use crate::ledger::Ledger;
use crate::world::World;
use crate::world::command::{Act, Command, Refusal};

/// Most events of one run; beyond that it is given up. A run of the largest files stays far below.
const EVENTS_MAX: u64 = 500_000_000;

/// What became of one thing that must hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Where it stands in the file, such as `expect[3]`.
    pub path: String,
    /// What was looked at, in words.
    pub what: String,
    /// `None`: it holds. Else why not.
    pub failure: Option<String>,
}

/// What became of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// Everything that was looked at, in the order of the file.
    pub verdicts: Vec<Verdict>,
    /// Acts that the world refused when their time came: place in the file, and why.
    pub refused: Vec<(usize, Refusal)>,
    /// How many facts there were.
    pub facts: u64,
    /// When it ended.
    pub until: Instant,
    /// The ledger at the end.
    pub ledger: Ledger,
}

impl Report {
    /// Whether everything holds and no act was refused.
    pub fn passed(&self) -> bool {
        self.refused.is_empty() && self.failures().next().is_none()
    }

    /// What does not hold.
    pub fn failures(&self) -> impl Iterator<Item = &Verdict> {
        self.verdicts
            .iter()
            .filter(|verdict| verdict.failure.is_some())
    }
}

/// A run that is under way.
struct Trial<'a> {
    scenario: &'a Scenario,
    world: World,
    ledger: Ledger,
    evidence: Evidence,
    sniffer: Sniffer,
    beginning: Beginning,
    /// By expectation: the event that it waits for, or asks for.
    watches: Vec<(Option<usize>, Option<usize>)>,
    verdicts: Vec<Option<Option<String>>>,
    refused: Vec<(usize, Refusal)>,
    facts: u64,
    events: u64,
}

/// Runs a scenario to its end. Every fact is shown to `see` on its way.
///
/// # Errors
/// If the world refuses what the scenario starts from.
pub fn try_out(
    scenario: &Scenario,
    until: Option<Instant>,
    mut see: impl FnMut(&Fact),
) -> Result<Report, Complaint> {
    let world = World::new(scenario.setup.clone()).map_err(Complaint::Refused)?;
    let mut trial = Trial::new(scenario, world);
    trial.take_facts(&mut see);
    trial.begin();
    let until = until.map_or(scenario.until, |until| until.min(scenario.until));
    let mut next_act = 0;
    loop {
        let act = scenario.acts.get(next_act).map(|act| act.at);
        let event = trial.world.next_event();
        let look = trial.next_look();
        let next = [act, event, look].into_iter().flatten().min();
        let Some(next) = next.filter(|next| *next <= until) else {
            break;
        };
        trial.world.rest_until(next);
        while let Some(Act { at, command }) = scenario.acts.get(next_act) {
            if *at > next {
                break;
            }
            if let Err(refusal) = trial.world.apply(command)
                && !trial.is_awaited(command, &refusal)
            {
                trial.refused.push((next_act, refusal));
            }
            next_act += 1;
        }
        while trial.world.step_until(next) {
            trial.take_facts(&mut see);
            trial.events += 1;
        }
        trial.take_facts(&mut see);
        trial.look(next);
        if trial.events > EVENTS_MAX {
            break;
        }
    }
    trial.world.rest_until(until);
    Ok(trial.report(until))
}

impl<'a> Trial<'a> {
    fn new(scenario: &'a Scenario, world: World) -> Self {
        let mut evidence = Evidence::default();
        let mut expectations = scenario.expectations.iter();
        evidence.traffic.follows_records = expectations.any(|one| one.subject.offset.is_some());
        let watch = |expectation: &Expectation| {
            let on = match &expectation.when {
                When::On(event, api) => Some(evidence.watch(event.clone(), *api)),
                When::At(_) | When::End => None,
            };
            let event = expectation.subject.event.as_ref();
            (
                on,
                event.map(|(event, api)| evidence.watch(event.clone(), *api)),
            )
        };
        let watches = scenario.expectations.iter().map(watch).collect();
        Self {
            scenario,
            world,
            ledger: Ledger::default(),
            evidence,
            sniffer: Sniffer::new(scenario.wire.clone()),
            beginning: Beginning::default(),
            watches,
            verdicts: vec![None; scenario.expectations.len()],
            refused: Vec::new(),
            facts: 0,
            events: 0,
        }
    }

    /// Whether the scenario expects the exception with which that process cannot be made.
    fn is_awaited(&mut self, command: &Command, refusal: &Refusal) -> bool {
        let actor = match command {
            Command::AddConsumers { consumers } if consumers.len() == 1 => {
                consumers.first().map(|consumer| &consumer.name)
            }
            Command::Restart { actor, .. } => Some(actor),
            _ => None,
        };
        let (Some(actor), Refusal::Config(error)) = (actor, refusal) else {
            return false;
        };
        let expectations = self.scenario.expectations.iter();
        let mut subjects = expectations
            .filter(|one| one.field == Field::Exception)
            .map(|one| one.subject.of.as_ref());
        let is_awaited = subjects.any(|of| of == Some(actor));
        if is_awaited {
            self.evidence.construction_failed(actor, error);
        }
        is_awaited
    }

    fn take_facts(&mut self, see: &mut impl FnMut(&Fact)) {
        for fact in self.world.take_facts() {
            self.facts += 1;
            self.ledger.fold(&fact);
            self.evidence.fold(&fact);
            self.sniffer.fold(&fact);
            see(&fact);
        }
    }

    fn begin(&mut self) {
        for (_, broker) in self.world.brokers() {
            for group in broker.groups() {
                let generation = i64::from(group.generation().0);
                let generations = &mut self.beginning.generations;
                generations.insert(group.id().clone(), generation);
            }
        }
        for (partition, log) in &self.world.setup().logs {
            self.beginning.log_ends.insert(partition.clone(), log.end.0);
        }
    }

    /// The next instant at which something is to be looked at.
    fn next_look(&self) -> Option<Instant> {
        let open = self.scenario.expectations.iter().zip(&self.verdicts);
        open.filter(|(_, verdict)| verdict.is_none())
            .filter_map(|(expectation, _)| match expectation.when {
                When::At(at) => Some(at),
                When::On(..) | When::End => None,
            })
            .min()
    }

    /// Looks at what is due now.
    fn look(&mut self, now: Instant) {
        for index in 0..self.scenario.expectations.len() {
            let (Some(expectation), Some(None)) = (
                self.scenario.expectations.get(index),
                self.verdicts.get(index),
            ) else {
                continue;
            };
            let is_due = match expectation.when {
                When::At(at) => at <= now,
                When::On(..) => self.happened(index).0.is_some(),
                When::End => false,
            };
            if is_due {
                let verdict = self.judge(index, expectation);
                self.verdicts[index] = Some(verdict);
            }
        }
    }

    /// When the events of an expectation happened: the one it waits for, the one it asks for.
    fn happened(&self, index: usize) -> (Option<Instant>, Option<Instant>) {
        let happened = |watch: Option<usize>| self.evidence.happened(watch?);
        let (on, event) = self.watches.get(index).copied().unwrap_or_default();
        (happened(on), happened(event))
    }

    fn judge(&self, index: usize, expectation: &Expectation) -> Option<String> {
        let witness = Witness {
            world: &self.world,
            ledger: &self.ledger,
            evidence: &self.evidence,
            beginning: &self.beginning,
            event_at: self.happened(index).1,
        };
        let value: Value = witness.value(expectation.field, &expectation.subject);
        match expectation.check.holds(&value) {
            true => None,
            false => Some(format!("is {value}, not {}", expectation.check)),
        }
    }

    fn report(mut self, until: Instant) -> Report {
        let mut verdicts = Vec::new();
        for (index, expectation) in self.scenario.expectations.iter().enumerate() {
            let failure = match (
                self.verdicts.get_mut(index).and_then(Option::take),
                &expectation.when,
            ) {
                (Some(failure), _) => failure,
                (None, When::End) => self.judge(index, expectation),
                (None, When::At(_)) => Some("its time never came".to_owned()),
                (None, When::On(..)) => Some("its event never came".to_owned()),
            };
            verdicts.push(Verdict {
                path: expectation.path.clone(),
                what: words(expectation),
                failure,
            });
        }
        for (index, failure) in self.sniffer.verdicts() {
            let Some((file, _)) = self.scenario.wire.get(index) else {
                continue;
            };
            verdicts.push(Verdict {
                path: format!("wire[{index}]"),
                what: format!("{} {} {}", file.id, file.client, file.api),
                failure,
            });
        }
        Report {
            verdicts,
            refused: self.refused,
            facts: self.facts,
            until,
            ledger: self.ledger,
        }
    }
}

fn words(expectation: &Expectation) -> String {
    let subject = &expectation.subject;
    let mut words = match &expectation.when {
        When::At(at) => format!("at {at} ms {}", expectation.field),
        When::On(event, _) => format!("on {:?} {}", event.event, expectation.field),
        When::End => expectation.field.to_string(),
    };
    if let Some(actor) = &subject.of {
        words.push_str(&format!(" of {actor}"));
    }
    if let Some(partition) = &subject.partition {
        words.push_str(&format!(" {partition}"));
    }
    words
}
