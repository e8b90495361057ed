//! The ledger against a recount: random scenarios in which everything of spec/08 happens, and every quantity
//! counted anew from the facts, record by record and instant by instant, by code that shares nothing with
//! the ledger.

mod groups;
mod holds;
mod records;
mod scenes;

use crate::support::{cases, runner};
use proptest::prelude::*;
use regroup::kafka::fact::{Fact, FactId, FactKind, Membership};
use regroup::kafka::ids::{ActorName, TopicPartition};
use regroup::kafka::time::Instant;
use regroup::ledger::{GroupLedger, Latency, Ledger, PartitionLedger, Readers};
use regroup::world::World;
use scenes::Scene;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

/// How many scenarios, unless `REGROUP_RECOUNTS` says otherwise.
const SCENARIOS: u32 = 24;

type Process = (ActorName, u32);

fn process(member: &Membership) -> Process {
    (member.actor.clone(), member.process)
}

/// Before the name of a consumer that is counted alone, where the name of a group stands.
const ALONE: char = '=';

fn of_group(member: &Membership, group: &str) -> bool {
    match group.strip_prefix(ALONE) {
        Some(actor) => member.group.is_empty() && member.actor.as_str() == actor,
        None => member.group.as_str() == group,
    }
}

/// Consumers that were ever heard of and have no group.
fn alone(facts: &[&Fact]) -> BTreeSet<String> {
    let of = |fact: &&Fact| match &fact.kind {
        FactKind::Acquire { member, .. } | FactKind::PositionSet { member, .. } => {
            let is_alone = member.group.is_empty();
            is_alone.then(|| format!("{ALONE}{}", member.actor))
        }
        _ => None,
    };
    facts.iter().filter_map(of).collect()
}

/// A world, its facts, and the ledger over them.
struct Run {
    world: World,
    facts: Vec<Fact>,
    ledger: Ledger,
}

impl Run {
    fn new(scene: &Scene) -> Self {
        let mut run = Self {
            world: World::new(scene.setup()).expect("a good setup"),
            facts: Vec::new(),
            ledger: Ledger::default(),
        };
        run.take();
        run
    }

    fn take(&mut self) {
        for fact in self.world.take_facts() {
            self.ledger.fold(&fact);
            self.facts.push(fact);
        }
    }

    fn advance(&mut self, until: Instant) {
        while self.world.step_until(until) {}
        self.world.rest_until(until);
        self.take();
    }
}

/// Plays a scene, and recounts half way and at the end.
fn recount(scene: &Scene) -> Result<(), TestCaseError> {
    let acts = scene.acts();
    let mut run = Run::new(scene);
    for (number, act) in acts.iter().enumerate() {
        run.advance(Instant(act.at.0 - 1));
        run.world.rest_until(act.at);
        // Those that cannot be carried out are left out.
        let _ = run.world.apply(&act.command);
        run.take();
        if number == acts.len() / 2 {
            compare(&run)?;
        }
    }
    run.advance(run.world.now() + scene.afterwards());
    compare(&run)
}

/// The first fact that is no longer about what was there already.
fn begun(facts: &[Fact]) -> FactId {
    let first = facts.iter().find(|fact| {
        matches!(
            fact.kind,
            FactKind::Act { .. } | FactKind::TimerFired { .. } | FactKind::RequestSent { .. }
        )
    });
    first.map_or(FactId(u64::MAX), |fact| fact.id)
}

/// Where two counts differ.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn same<T: PartialEq + Debug>(&mut self, what: &str, ledger: T, recounted: T) {
        if ledger != recounted {
            let difference =
                format!("{what}: the ledger has {ledger:?}, the recount {recounted:?}");
            self.0.push(difference);
        }
    }
}

/// What the ledger calls them.
fn readers(group: &str) -> Readers {
    match group.strip_prefix(ALONE) {
        Some(actor) => Readers::Lone(actor.into()),
        None => Readers::Group(group.into()),
    }
}

fn compare(run: &Run) -> Result<(), TestCaseError> {
    let mut found = Differences::default();
    let all: Vec<&Fact> = run.facts.iter().collect();
    let partitions: BTreeSet<&TopicPartition> = run
        .facts
        .iter()
        .filter_map(|fact| match &fact.kind {
            FactKind::PartitionCreated { partition, .. } => Some(partition),
            _ => None,
        })
        .collect();
    let begun = begun(&run.facts);
    let alone = alone(&all);
    let counted = run
        .ledger
        .shares()
        .filter(|(readers, _)| readers.group().is_none());
    found.same("alone", counted.count(), alone.len());
    for group in ["g", "h"]
        .into_iter()
        .chain(alone.iter().map(String::as_str))
    {
        let Some(ledger) = run.ledger.share(&readers(group)) else {
            continue;
        };
        for partition in &partitions {
            let facts = all.iter().copied();
            let facts: Vec<&Fact> = facts
                .filter(|fact| records::matters(fact, group, partition))
                .collect();
            let Some(entry) = ledger.partition(partition) else {
                found.same(
                    &format!("{group} {partition} known"),
                    0,
                    records::counts(&facts, begun, group, partition).delivered,
                );
                continue;
            };
            let counted = records::counts(&facts, begun, group, partition);
            compare_records(&mut found, entry, run, &counted, group, partition);
            compare_times(&mut found, entry, run, &facts, group, partition);
        }
        let facts: Vec<&Fact> = all
            .iter()
            .copied()
            .filter(|fact| groups::matters(fact, group))
            .collect();
        compare_group(&mut found, ledger, run, &facts, group);
    }
    let requests = run.ledger.requests().iter();
    let requests = requests.map(|(from, api, counts)| {
        let answered: BTreeMap<_, _> = counts.answered.clone().into_iter().collect();
        ((from.clone(), api), (counts.sent, answered, counts.lost))
    });
    found.same("requests", requests.collect(), groups::requests(&all));
    match found.0.is_empty() {
        true => Ok(()),
        false => Err(TestCaseError::fail(found.0.join("\n"))),
    }
}

fn compare_records(
    found: &mut Differences,
    entry: &PartitionLedger,
    run: &Run,
    counted: &records::Counts,
    group: &str,
    partition: &TopicPartition,
) {
    let (deliveries, duplicates) = (&entry.deliveries, entry.deliveries.duplicates());
    let lag = run
        .ledger
        .lag(&readers(group), partition)
        .unwrap_or_default();
    let short = |latency: &Latency| (latency.count(), latency.mean_ms(), latency.longest_ms());
    let blamed: Vec<_> = duplicates.runs().iter().collect();
    let runs: u64 = blamed
        .iter()
        .map(|run| run.next.0.abs_diff(run.base.0))
        .sum();
    let ledger = records::Counts {
        committed: deliveries.committed().map(|offset| offset.0),
        commits: deliveries.commits(),
        lag: (lag.committed, lag.position, lag.processing),
        delivered: deliveries.delivered(),
        done: deliveries.done(),
        done_first: deliveries.done_first(),
        forwarded: deliveries.forwarded(),
        in_doubt: deliveries.in_doubt().count(),
        skipped: deliveries.skipped(),
        skipped_by_reset: deliveries.skipped_by_reset(),
        expired_unread: deliveries.expired_unread(),
        duplicates: duplicates.deliveries(),
        duplicates_by_cause: duplicates.deliveries_by_cause(),
        processed_again: duplicates.processings(),
        processed_again_by_cause: duplicates.processings_by_cause(),
        latency: [
            deliveries.latency(),
            deliveries.latency_of_duplicates(),
            deliveries.latency_to_done(),
        ]
        .map(short),
        // Held below.
        blamed: counted.blamed.clone(),
    };
    let what = format!("{group} {partition}");
    found.same(&what, &ledger, counted);
    found.same(
        &format!("{what} duplicates in runs"),
        runs,
        counted.duplicates,
    );
    for (offset, delivery, position_set) in &counted.blamed {
        let is_named = blamed.iter().any(|run| {
            (run.base.0..run.next.0).contains(offset)
                && run.position_set == *position_set
                && run.delivery <= *delivery
        });
        found.same(
            &format!("{what} cause of the duplicate {offset} is kept"),
            is_named,
            true,
        );
    }
    let last = entry.lag.iter().last().map(|sample| sample.lag);
    found.same(
        &format!("{what} last sample of the lag"),
        last.unwrap_or(lag),
        lag,
    );
    let is_sane = lag.position <= lag.processing;
    found.same(
        &format!("{what} processing lag ≥ position lag"),
        is_sane,
        true,
    )
}

fn compare_times(
    found: &mut Differences,
    entry: &PartitionLedger,
    run: &Run,
    facts: &[&Fact],
    group: &str,
    partition: &TopicPartition,
) {
    let until = run.world.now();
    let ownership = &entry.ownership;
    let ledger = holds::Times {
        unowned: ownership.unowned_by_cause(until).map(|part| part.0),
        paused: ownership.paused(until).0,
        pauses: ownership.pauses(),
        double_claim: ownership.double_claim(until).0,
        revoked: ownership.revoked(),
    };
    let what = format!("{group} {partition} times");
    found.same(&what, ledger, holds::times(facts, until, group, partition));
    let held = holds::holds(facts, group, partition);
    let now = holds::holding(&held, facts.len());
    let holders = ownership
        .holders()
        .iter()
        .map(|holding| process(&holding.member));
    found.same(
        &format!("{what}: holders"),
        holders.collect::<Vec<_>>(),
        now.iter().map(|hold| hold.who.clone()).collect(),
    )
}

fn compare_group(
    found: &mut Differences,
    ledger: &GroupLedger,
    run: &Run,
    facts: &[&Fact],
    group: &str,
) {
    let until = run.world.now();
    let counted = groups::rebalances(facts, group);
    let closed = ledger
        .rebalances
        .closed()
        .iter()
        .map(|rebalance| groups::Ended {
            generation: rebalance.generation.0,
            started: rebalance.started,
            stable: rebalance.stable.unwrap_or(until),
            round: rebalance.round,
            forced: rebalance.movements.forced(),
            voluntary: rebalance.movements.voluntary(),
            could_stay: rebalance.movements.could_stay,
        });
    found.same(
        &format!("{group} rebalances"),
        closed.collect(),
        counted.clone(),
    );
    found.same(
        &format!("{group} count"),
        ledger.rebalances.count(),
        counted.len() as u64,
    );
    found.same(
        &format!("{group} moved"),
        ledger.rebalances.moved(),
        groups::moved_in_all(&counted),
    );
    let failed = groups::failed_attempts(facts, group);
    found.same(
        &format!("{group} failed attempts"),
        ledger.rebalances.failed_attempts(),
        failed,
    );
    for actor in groups::actors(facts, group) {
        let what = format!("{group} {actor}");
        let stopped = ledger.members.stop_the_world(&actor, until).0;
        let recounted = groups::stop_the_world(facts, until, group, &actor);
        found.same(&format!("{what} stop-the-world"), stopped, recounted);
        let totals = ledger.members.totals(&actor);
        let rebalances = totals
            .into_iter()
            .flat_map(|totals| totals.rebalance_times.iter());
        let rebalances = rebalances.map(|(at, length)| (*at, length.0)).collect();
        let recounted = groups::member_rebalances(facts, group, &actor);
        found.same(&format!("{what} rebalances"), rebalances, recounted);
    }
    for (id, (gone, noticed)) in groups::detections(facts, group) {
        let departures = ledger.departures.list().iter();
        let departures = departures.filter(|departure| departure.member.member_id == id);
        let ledger: Vec<_> = departures
            .map(|departure| (departure.at, departure.detected))
            .collect();
        found.same(
            &format!("{group} departure of {id}"),
            ledger,
            vec![(gone, Some(noticed))],
        );
    }
}

#[test]
fn the_ledger_says_what_a_recount_of_every_record_and_instant_says() {
    let cases = cases("REGROUP_RECOUNTS", SCENARIOS);
    let outcome = runner(cases, 200).run(&scenes::scene(), |scene| {
        recount(&scene).map_err(|error| {
            let acts = scene.acts();
            TestCaseError::fail(format!("{error}\nacts: {acts:?}"))
        })
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
