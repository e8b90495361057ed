//! What the engine costs: `cargo bench --bench engine`.

#![cfg(not(target_arch = "wasm32"))]

mod cpu_time;

use cpu_time::CpuTime;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use regroup::kafka::fact::Fact;
use regroup::kafka::ids::BrokerId;
use regroup::kafka::time::{Duration, Instant};
use regroup::ledger::Ledger;
use regroup::session::Session;
use regroup::world::history::History;
use regroup::world::setup::{
    ApplicationSpec, BrokerSpec, ConsumerSpec, ConsumerStart, Keys, ProducerSpec, Reads, Setup,
    TopicSpec,
};
use regroup::world::trace::TraceHash;
use regroup::world::{Observer, World};
use std::hint::black_box;

/// Three brokers, twelve partitions, six consumers, two producers with 100 records a second each.
fn classroom() -> Setup {
    let mut setup = Setup {
        brokers: (1..=3)
            .map(|id| (BrokerId(id), BrokerSpec::default()))
            .collect(),
        topics: vec![TopicSpec::new("orders", 12)],
        ..Setup::default()
    };
    for number in 1..=6 {
        let configs = [
            ("group.id", "billing"),
            ("partition.assignment.strategy", "cooperative-sticky"),
        ];
        setup.consumers.push(ConsumerStart {
            consumer: ConsumerSpec {
                name: format!("c{number}").into(),
                configs: configs
                    .iter()
                    .map(|(name, value)| ((*name).into(), (*value).into()))
                    .collect(),
                flavour: Default::default(),
                reads: Reads::Subscribe(vec!["orders".into()]),
                application: ApplicationSpec::default(),
                first_correlation_id: 0,
            },
            at: Some(Instant::from_ms(number * 100)),
        });
    }
    for number in 1..=2 {
        setup.producers.push(ProducerSpec {
            name: format!("p{number}").into(),
            topic: "orders".into(),
            every: Duration::from_ms(10),
            keys: Keys::Some {
                count: 100,
                hot_percent: 0,
            },
            size_bytes: 100,
            first_at: Some(Instant::from_ms(number * 3)),
            configs: Default::default(),
        });
    }
    setup
}

/// Sees every fact and keeps none.
struct Seen;

impl Observer for Seen {
    fn fold(&mut self, fact: &Fact) {
        black_box(fact);
    }
}

/// The ledgers as an observer.
struct Ledgers(Ledger);

impl Observer for Ledgers {
    fn fold(&mut self, fact: &Fact) {
        self.0.fold(fact);
    }
}

fn settled() -> (World, Ledger) {
    let mut world = World::new(classroom()).expect("the class-room is a good setup");
    let mut ledgers = Ledgers(Ledger::default());
    advance(&mut world, &mut ledgers, Instant::from_ms(30_000));
    (world, ledgers.0)
}

fn session_at(at: Instant) -> Session {
    let mut session = Session::new(classroom(), Vec::new()).expect("a good setup");
    session.advance_to(at, u64::MAX);
    session
}

/// Advances with the facts shown to an observer, and gives the number of events.
fn advance(world: &mut World, observer: &mut impl Observer, until: Instant) -> u64 {
    let before = world.steps();
    while world.step_until(until) {
        world.fold_facts(|fact| observer.fold(fact));
    }
    world.rest_until(until);
    world.steps() - before
}

fn queue(criterion: &mut Criterion<CpuTime>) {
    let (world, ledger) = settled();
    let until = Instant::from_ms(60_000);
    let pops = advance(&mut world.clone(), &mut Seen, until);
    let mut group = criterion.benchmark_group("classroom");
    group.throughput(Throughput::Elements(pops));
    group.bench_function("pops, facts only", |bencher| {
        bencher.iter_batched(
            || world.clone(),
            |mut world| advance(&mut world, &mut Seen, until),
            BatchSize::LargeInput,
        );
    });
    group.bench_function("pops, facts and ledgers", |bencher| {
        bencher.iter_batched(
            || (world.clone(), Ledgers(ledger.clone())),
            |(mut world, mut ledger)| advance(&mut world, &mut ledger, until),
            BatchSize::LargeInput,
        );
    });
    // As in the page: with the scene, the chronicle of facts and a keyframe per second.
    group.bench_function("pops, as a session", |bencher| {
        bencher.iter_batched(
            || session_at(Instant::from_ms(30_000)),
            |mut session| session.advance_to(until, u64::MAX),
            BatchSize::LargeInput,
        );
    });
    group.throughput(Throughput::Elements(1));
    group.bench_function("keyframe", |bencher| bencher.iter(|| world.clone()));
    group.sample_size(10);
    group.bench_function("virtual hour", |bencher| {
        bencher.iter(|| {
            let mut world = World::new(classroom()).expect("the class-room is a good setup");
            let mut ledgers = Ledgers(Ledger::default());
            advance(&mut world, &mut ledgers, Instant::from_ms(3_600_000))
        });
    });
    group.bench_function("virtual hour, as a session", |bencher| {
        bencher.iter(|| session_at(Instant::from_ms(3_600_000)));
    });
    group.finish();
}

fn history(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("history of half an hour");
    group.sample_size(10);
    group.bench_function("seek to the end of the longest gap", |bencher| {
        let mut session = session_at(Instant::from_ms(1_800_000));
        bencher.iter(|| {
            session.seek(Instant::from_ms(619_999));
            session.seek(Instant::from_ms(1_800_000));
        });
    });
    group.finish();
    let mut group = criterion.benchmark_group("trace");
    group.sample_size(10);
    group.bench_function("hash of a virtual minute", |bencher| {
        bencher.iter(|| {
            let hash = TraceHash::default();
            let mut history = History::new(classroom(), Vec::new(), hash).expect("a good setup");
            history.seek(Instant::from_ms(60_000));
            history.observer().value()
        });
    });
    group.finish();
}

criterion_group!(name = benches; config = Criterion::default().with_measurement(CpuTime); targets = queue, history);
criterion_main!(benches);
