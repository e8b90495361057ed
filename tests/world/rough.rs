//! Rough worlds: far networks, slow assignors, assignors that do not fit together, full groups, messages that
//! are held up for long, and acts at the worst of times. Nothing has to settle in them; the world's invariants
//! hold all the same, and between them they reach every pair of a group's state and an event that clients can
//! bring about.

use crate::random::{self, Plan};
use crate::support::{cases, consumer, group, ideal, runner, start};
use proptest::prelude::*;
use regroup::kafka::broker::{Coverage, GroupEvent};
use regroup::kafka::fact::{FactKind, GroupState};
use regroup::kafka::ids::ActorName;
use regroup::kafka::time::{Duration, Instant};
use regroup::world::World;
use regroup::world::command::{Act, AdminAct, Command, FaultKind};
use regroup::world::setup::{ConsumerSpec, Reads, Setup, TopicSpec};
use std::cell::RefCell;

/// How many worlds, unless `REGROUP_ROUGH` says otherwise.
const WORLDS: u32 = 500;

type Pairs = (&'static [GroupEvent], &'static [GroupState], &'static str);

/// Pairs that no client brings about, and why not. The coordinator's own tables reach every one of them, by
/// requests that nobody's client sends.
const OUT_OF_REACH: &[Pairs] = {
    use GroupEvent::*;
    use GroupState::*;
    const ALL: &[GroupState] = &[Empty, PreparingRebalance, CompletingRebalance, Stable];
    &[
        (
            &[JoinOneStep],
            ALL,
            "JoinGroup before v4, which the oldest broker here (2.3: v5) is never sent: clients take the newest \
             version that both know (NodeApiVersions.latestUsableVersion)",
        ),
        (
            &[SyncInconsistent],
            ALL,
            "clients send the protocol of the JoinGroup answer back (AbstractCoordinator.onLeaderElected and \
             onJoinFollower), and the generation is checked first",
        ),
        (
            &[JoinInconsistent],
            &[Empty],
            "a group without members takes any protocols but none (ClassicGroup.supportsProtocols), and a consumer \
             always has some: partition.assignment.strategy may not be empty",
        ),
        (
            &[CommitMember],
            &[CompletingRebalance],
            "a client that knows the new generation commits nothing before it is Stable in it \
             (AbstractCoordinator.generationIfStable); \"we should not receive a commit request if the group has not \
             completed rebalance\", says the coordinator (ClassicGroup.validateOffsetCommit)",
        ),
        (
            &[LeaveFenced],
            ALL,
            "a static member does not leave (AbstractCoordinator.maybeLeaveGroup: isDynamicMember), and who removes \
             one names no member id (RemoveMembersFromConsumerGroupHandler)",
        ),
    ]
};

/// A world before it has names.
#[derive(Clone, Debug)]
struct Rough {
    plan: Plan,
    latency_ms: i64,
    is_full: bool,
    /// Of the consumers, by number, over and over.
    ways: Vec<Way>,
    extras: Vec<(i64, Extra)>,
    afterwards_ms: i64,
}

#[derive(Clone, Copy, Debug)]
struct Way {
    session_ms: i64,
    max_poll_ms: i64,
    assign_ms: Option<i64>,
    other_assignor: bool,
    is_static: bool,
    reads: usize,
}

#[derive(Clone, Debug)]
enum Extra {
    Fault(usize, &'static str, FaultKind),
    Freeze(usize),
    Thaw(usize),
    Close(usize),
    Kill(usize),
    Restart(usize),
    Reads(usize, usize),
    Commit(usize),
    DeleteGroup,
}

/// What may be subscribed to.
const READS: [&[&str]; 3] = [&["orders"], &["orders", "other"], &["other"]];

fn way() -> impl Strategy<Value = Way> {
    let session = proptest::sample::select(vec![6_000_i64, 6_000, 45_000]);
    let max_poll = proptest::sample::select(vec![2_000_i64, 10_000, 10_000]);
    let assign = proptest::sample::select(vec![None, None, Some(2_500), Some(12_000)]);
    let reads = proptest::sample::select(vec![0_usize, 0, 0, 0, 1, 2]);
    let other = proptest::sample::select(vec![false, false, false, false, false, true]);
    (session, max_poll, assign, other, any::<bool>(), reads).prop_map(
        |(session_ms, max_poll_ms, assign_ms, other_assignor, is_static, reads)| Way {
            session_ms,
            max_poll_ms,
            assign_ms,
            other_assignor,
            is_static,
            reads,
        },
    )
}

fn extra() -> impl Strategy<Value = Extra> {
    let apis = &[
        "JoinGroup",
        "SyncGroup",
        "Heartbeat",
        "OffsetCommit",
        "LeaveGroup",
    ][..];
    let long = 500_i64..9_000;
    let what = prop_oneof![
        1 => Just(FaultKind::DropRequest),
        1 => Just(FaultKind::DropResponse),
        2 => long.clone().prop_map(|ms| FaultKind::HoldRequest { length: Duration::from_ms(ms) }),
        3 => long.prop_map(|ms| FaultKind::HoldResponse { length: Duration::from_ms(ms) }),
    ];
    let who = || 0_usize..5;
    prop_oneof![
        5 => (who(), proptest::sample::select(apis), what)
            .prop_map(|(who, api, what)| Extra::Fault(who, api, what)),
        2 => who().prop_map(Extra::Freeze),
        3 => who().prop_map(Extra::Thaw),
        1 => who().prop_map(Extra::Close),
        1 => who().prop_map(Extra::Kill),
        2 => who().prop_map(Extra::Restart),
        1 => (who(), 0_usize..READS.len()).prop_map(|(who, reads)| Extra::Reads(who, reads)),
        2 => who().prop_map(Extra::Commit),
        1 => Just(Extra::DeleteGroup),
    ]
}

fn rough() -> impl Strategy<Value = Rough> {
    let extras = proptest::collection::vec((0..45_000_i64, extra()), 4..24);
    let ways = proptest::collection::vec(way(), 1..5);
    let latency = proptest::sample::select(vec![1_i64, 150, 400]);
    let full = proptest::sample::select(vec![false, false, true]);
    let afterwards = proptest::sample::select(vec![30_000_i64, 30_000, 150_000]);
    (random::plan(), latency, full, ways, extras, afterwards).prop_map(
        |(plan, latency_ms, is_full, ways, mut extras, afterwards_ms)| {
            extras.sort_by_key(|extra| extra.0);
            Rough {
                plan,
                latency_ms,
                is_full,
                ways,
                extras,
                afterwards_ms,
            }
        },
    )
}

impl Rough {
    fn setup(&self) -> Setup {
        let mut setup = random::setup(&self.plan);
        setup.timing.latency = Duration::from_ms(self.latency_ms);
        setup.topics.push(TopicSpec::new("other", 2));
        for broker in setup.brokers.values_mut() {
            if self.is_full {
                broker.config.group_max_size = 2;
            }
        }
        for start in &mut setup.consumers {
            self.shape(&mut start.consumer);
        }
        setup
    }

    fn acts(&self) -> Vec<Act> {
        let mut acts = random::commands(&self.plan);
        for act in &mut acts {
            if let Command::AddConsumers { consumers } = &mut act.command {
                consumers
                    .iter_mut()
                    .for_each(|consumer| self.shape(consumer));
            }
        }
        acts.extend(self.extras.iter().map(|(ms, extra)| Act {
            at: Instant::from_ms(*ms),
            command: extra.command(),
        }));
        acts.sort_by_key(|act| act.at);
        acts
    }

    fn shape(&self, consumer: &mut ConsumerSpec) {
        let number: usize = consumer.name.as_str()[1..].parse().expect("c and a number");
        let way = self.ways[number % self.ways.len()];
        let mut set =
            |name: &str, value: String| consumer.configs.insert(name.into(), value.as_str().into());
        set("session.timeout.ms", way.session_ms.to_string());
        set("max.poll.interval.ms", way.max_poll_ms.to_string());
        if way.other_assignor {
            set("partition.assignment.strategy", "roundrobin".to_string());
        }
        if way.is_static {
            set("group.instance.id", format!("i{}", number % 4));
        }
        consumer.reads = reads(way.reads);
        consumer.application.assign_time = way.assign_ms.map(Duration::from_ms);
    }
}

fn reads(number: usize) -> Reads {
    Reads::Subscribe(READS[number].iter().map(|topic| (*topic).into()).collect())
}

impl Extra {
    fn command(&self) -> Command {
        let actor = |who: &usize| -> ActorName { format!("c{who}").as_str().into() };
        match self {
            Extra::Fault(who, api, what) => Command::Fault {
                actor: Some(actor(who)),
                api: (*api).into(),
                what: *what,
            },
            Extra::Freeze(who) => Command::Freeze { actor: actor(who) },
            Extra::Thaw(who) => Command::Thaw { actor: actor(who) },
            Extra::Close(who) => Command::Close { actor: actor(who) },
            Extra::Kill(who) => Command::Kill { actor: actor(who) },
            Extra::Restart(who) => Command::Restart {
                actor: actor(who),
                configs: Default::default(),
            },
            Extra::Reads(who, wanted) => Command::SetReads {
                actor: actor(who),
                reads: reads(*wanted),
            },
            Extra::Commit(who) => Command::Commit {
                actor: actor(who),
                offsets: Default::default(),
            },
            Extra::DeleteGroup => Command::Admin(AdminAct::DeleteGroup { group: "g".into() }),
        }
    }
}

fn advance(world: &mut World, until: Instant) {
    while world.step_until(until) {
        world.fold_facts(|_| {});
    }
    world.rest_until(until);
}

/// Plays a world to its end; what stands still goes on half-way through what comes after the acts.
fn play(rough: &Rough, coverage: &RefCell<Coverage>) {
    let mut world = World::new(rough.setup()).expect("a good setup");
    for act in rough.acts() {
        advance(&mut world, Instant(act.at.0 - 1));
        world.rest_until(act.at);
        // Those that cannot be carried out are left out.
        let _ = world.apply(&act.command);
    }
    let half = Duration::from_ms(rough.afterwards_ms / 2);
    for _ in 0..2 {
        let until = world.now() + half;
        advance(&mut world, until);
        let frozen = world.actors().filter(|actor| actor.is_frozen);
        let frozen: Vec<ActorName> = frozen.map(|actor| actor.name.clone()).collect();
        for actor in frozen {
            world
                .apply(&Command::Thaw { actor })
                .expect("it stands still");
        }
    }
    for (_, broker) in world.brokers() {
        coverage.borrow_mut().merge(broker.coverage());
    }
}

/// A member of `g` on a network of 100 ms one way.
fn far(name: &str, pairs: &[(&str, &str)]) -> ConsumerSpec {
    let mut far = consumer(name, pairs);
    for (name, value) in [
        ("heartbeat.interval.ms", "1500"),
        ("partition.assignment.strategy", "range"),
    ] {
        far.configs.entry(name.into()).or_insert(value.into());
    }
    far
}

fn far_world() -> Setup {
    let mut setup = ideal(2);
    setup.timing.latency = Duration::from_ms(100);
    for broker in setup.brokers.values_mut() {
        broker.config.group_initial_rebalance_delay_ms = 0;
    }
    setup
}

/// Goes on until a newcomer has been given an id.
fn until_pending(world: &mut World) {
    let mut is_pending = false;
    while !is_pending && world.step_until(Instant::from_ms(20_000)) {
        world.fold_facts(|fact| {
            is_pending |= matches!(&fact.kind, FactKind::MemberPending { member_id, .. }
                if member_id.as_str().starts_with("new-"));
        });
    }
    assert!(is_pending);
}

/// A newcomer whose second JoinGroup is lost leaves again: with an id that is pending.
fn leaves_as_pending(mut setup: Setup, at_ms: i64) -> World {
    start(&mut setup, at_ms, far("new", &[]));
    let mut world = World::new(setup).expect("a good setup");
    until_pending(&mut world);
    let lost = Command::Fault {
        actor: Some("new".into()),
        api: "JoinGroup".into(),
        what: FaultKind::DropRequest,
    };
    world.apply(&lost).expect("it is known");
    let soon = world.now() + Duration::from_ms(150);
    advance(&mut world, soon);
    let close = Command::Close {
        actor: "new".into(),
    };
    world.apply(&close).expect("it runs");
    let soon = world.now() + Duration::from_ms(500);
    advance(&mut world, soon);
    world
}

/// What takes several accidents at once, step by step: the worlds in which it happened.
fn directed() -> Vec<World> {
    let mut stable = far_world();
    group(&mut stable, 1, 0, &[(far("c1", &[]), &[0, 1])]);
    let mut completing = far_world();
    let mut slow = far("c1", &[]);
    slow.application.assign_time = Some(Duration::from_ms(10_000));
    start(&mut completing, 0, slow);
    // A static member hears of a rebalance too late: another process has taken its place, and joined.
    let mut replaced = far_world();
    // Nothing is written, so it commits nothing, and learns nothing from a commit.
    let of_i = [("group.instance.id", "i"), ("enable.auto.commit", "false")];
    let (of_i, sleeper) = (far("c1", &of_i), far("c2", &[]));
    group(&mut replaced, 1, 0, &[(of_i, &[0]), (sleeper, &[1])]);
    start(
        &mut replaced,
        6_000,
        far("c3", &[("group.instance.id", "i")]),
    );
    start(&mut replaced, 3_000, far("c4", &[]));
    let mut replaced = World::new(replaced).expect("a good setup");
    for (ms, command) in [
        (2_000, Command::Freeze { actor: "c2".into() }),
        (
            3_500,
            Command::Fault {
                actor: Some("c1".into()),
                api: "Heartbeat".into(),
                what: FaultKind::HoldResponse {
                    // Over before a heartbeat of after the replacement is answered.
                    length: Duration::from_ms(2_300),
                },
            },
        ),
    ] {
        advance(&mut replaced, Instant::from_ms(ms));
        replaced.apply(&command).expect("it can be done");
    }
    advance(&mut replaced, Instant::from_ms(20_000));
    vec![
        leaves_as_pending(far_world(), 0),
        leaves_as_pending(stable, 1_000),
        leaves_as_pending(completing, 2_000),
        replaced,
    ]
}

#[test]
fn rough_worlds_reach_every_pair_that_clients_can_bring_about() {
    let cases = cases("REGROUP_ROUGH", WORLDS);
    let coverage = RefCell::new(Coverage::default());
    let outcome = runner(cases, 500).run(&rough(), |rough| {
        play(&rough, &coverage);
        Ok(())
    });
    for world in directed() {
        for (_, broker) in world.brokers() {
            coverage.borrow_mut().merge(broker.coverage());
        }
    }
    let reached = coverage.into_inner();
    let mut out_of_reach = Coverage::default();
    for (events, states, _) in OUT_OF_REACH {
        let pairs = events
            .iter()
            .flat_map(|event| states.iter().map(move |state| (*state, *event)));
        pairs.for_each(|(state, event)| out_of_reach.insert(state, event));
    }
    let missed = Coverage::reachable().without(&reached);
    println!("not reached: {missed:?}");
    if let Err(error) = outcome {
        panic!("{error}");
    }
    if cases >= WORLDS {
        let surprising = missed.without(&out_of_reach);
        assert!(surprising.is_empty(), "not reached: {surprising:?}");
    }
}
