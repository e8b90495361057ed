//! Random short scenarios: consumers come, leave, die, stand still and come back, partitions are added,
//! messages are lost, held up or answered with errors. Invariants are held by the world itself in debug
//! builds. Once the acts stop, the group becomes Stable, everything is owned, and lag drains.
//!
//! Exceptions of true Kafka, which are not asked for:
//! - Partitions added while a static member may have been away: a leader that comes back inside its session
//!   is told to skip the assignment and takes the present partition counts for known (I-019).
//! - A commit that falls into a rebalance fails, and a program that commits after each batch does not try it
//!   again before its next batch. So records are written until the group has settled.
//! - A handler slower than `max.poll.interval.ms`: none of these is for longer than it takes to settle.

use crate::support::{cases, configs, ideal, runner};
use proptest::prelude::*;
use regroup::form::Form;
use regroup::kafka::broker::Coverage;
use regroup::kafka::fact::GroupState;
use regroup::kafka::ids::{BrokerId, GroupId, Offset, TopicPartition};
use regroup::kafka::time::{Duration, Instant};
use regroup::world::command::{Act, AdminAct, Command, FaultKind, RawRequest, ResetTo};
use regroup::world::setup::{
    ApplicationSpec, BrokerSpec, CommitStyle, ConsumerSpec, ConsumerStart, FeedSpec, Reads, Setup,
    Spread, Timing,
};
use regroup::world::{Role, World};
use std::cell::RefCell;

/// How many scenarios, unless `REGROUP_SCENARIOS` says otherwise.
const SCENARIOS: u32 = 400;
/// Time in which a group must have settled after the last act.
const SETTLES_MS: i64 = 240_000;

/// A scenario before it has names.
#[derive(Clone, Debug)]
pub struct Plan {
    seed: u64,
    is_ideal: bool,
    offsets_expire: bool,
    partitions: i32,
    assignor: &'static str,
    consumers: Vec<Member>,
    acts: Vec<(i64, Deed)>,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    is_static: bool,
    auto_commit: bool,
    time_per_record_ms: i64,
}

#[derive(Clone, Debug)]
enum Deed {
    Add(Member),
    Close(usize),
    Kill(usize),
    Freeze(usize),
    Thaw(usize),
    Restart(usize),
    Stall(usize, i64),
    EnforceRebalance(usize),
    AddPartitions(i32),
    Fault(Option<usize>, &'static str, FaultKind),
    /// A second process with the `group.instance.id` of another.
    Twin(usize),
    RemoveMember(usize),
    ResetOffsets,
    CommitFromOutside,
}

const ASSIGNORS: &[&str] = &[
    "range",
    "roundrobin",
    "sticky",
    "cooperative-sticky",
    "range,cooperative-sticky",
];
const APIS: &[&str] = &[
    "JoinGroup",
    "SyncGroup",
    "Heartbeat",
    "OffsetCommit",
    "OffsetFetch",
    "FindCoordinator",
    "Fetch",
    "LeaveGroup",
];

fn member() -> impl Strategy<Value = Member> {
    let handler = prop_oneof![3 => Just(0), 1 => Just(40_i64)];
    (any::<bool>(), any::<bool>(), handler).prop_map(|(is_static, auto_commit, handler)| Member {
        is_static,
        auto_commit,
        time_per_record_ms: handler,
    })
}

fn fault() -> impl Strategy<Value = Deed> {
    let what = prop_oneof![
        Just(FaultKind::DropRequest),
        Just(FaultKind::DropResponse),
        (1_i64..4_000).prop_map(|ms| FaultKind::HoldRequest {
            length: Duration::from_ms(ms)
        }),
        (1_i64..4_000).prop_map(|ms| FaultKind::HoldResponse {
            length: Duration::from_ms(ms)
        }),
    ];
    let errors = proptest::sample::select(vec![14_i16, 15, 16]);
    let answers = errors.prop_map(|code| FaultKind::AnswerWithError { code });
    let of = proptest::option::of(0_usize..6);
    let any_api = proptest::sample::select(APIS);
    let group_api = proptest::sample::select(&["Heartbeat", "OffsetCommit", "JoinGroup"][..]);
    prop_oneof![
        3 => (of.clone(), any_api, what).prop_map(|(of, api, what)| Deed::Fault(of, api, what)),
        1 => (of, group_api, answers).prop_map(|(of, api, what)| Deed::Fault(of, api, what)),
    ]
}

fn deed() -> impl Strategy<Value = Deed> {
    let who = 0_usize..6;
    let (twin, removed) = (who.clone(), who.clone());
    prop_oneof![
        3 => member().prop_map(Deed::Add),
        3 => who.clone().prop_map(Deed::Close),
        3 => who.clone().prop_map(Deed::Kill),
        2 => who.clone().prop_map(Deed::Freeze),
        3 => who.clone().prop_map(Deed::Thaw),
        4 => who.clone().prop_map(Deed::Restart),
        1 => (who.clone(), 1_i64..15_000).prop_map(|(who, ms)| Deed::Stall(who, ms)),
        1 => who.prop_map(Deed::EnforceRebalance),
        1 => (1_i32..3).prop_map(Deed::AddPartitions),
        1 => twin.prop_map(Deed::Twin),
        1 => removed.prop_map(Deed::RemoveMember),
        1 => Just(Deed::ResetOffsets),
        1 => Just(Deed::CommitFromOutside),
        2 => fault(),
    ]
}

pub fn plan() -> impl Strategy<Value = Plan> {
    let gap = prop_oneof![2 => Just(0_i64), 3 => 1_i64..300, 3 => 300_i64..9_000];
    (
        any::<u64>(),
        (any::<bool>(), any::<bool>()),
        1_i32..6,
        proptest::sample::select(ASSIGNORS),
        proptest::collection::vec(member(), 1..4),
        proptest::collection::vec((gap, deed()), 1..14),
    )
        .prop_map(
            |(seed, (is_ideal, offsets_expire), partitions, assignor, consumers, acts)| Plan {
                seed,
                is_ideal,
                offsets_expire,
                partitions,
                assignor,
                consumers,
                acts,
            },
        )
}

fn spec(number: usize, member: Member, assignor: &str) -> ConsumerSpec {
    let name = format!("c{number}");
    let mut configs = configs(&[
        ("group.id", "g"),
        ("partition.assignment.strategy", assignor),
        ("session.timeout.ms", "6000"),
        ("heartbeat.interval.ms", "1500"),
        ("max.poll.interval.ms", "10000"),
        ("metadata.max.age.ms", "7000"),
        ("request.timeout.ms", "3000"),
        ("default.api.timeout.ms", "5000"),
        ("auto.commit.interval.ms", "2000"),
        ("auto.offset.reset", "earliest"),
        ("max.poll.records", "50"),
    ]);
    configs.insert(
        "enable.auto.commit".into(),
        member.auto_commit.to_string().into(),
    );
    if member.is_static {
        configs.insert("group.instance.id".into(), name.as_str().into());
    }
    ConsumerSpec {
        name: name.as_str().into(),
        configs,
        flavour: Default::default(),
        reads: Reads::Subscribe(vec!["orders".into()]),
        application: ApplicationSpec {
            time_per_record: Duration::from_ms(member.time_per_record_ms),
            commit: (!member.auto_commit).then_some(CommitStyle::SyncAfterBatch),
            ..ApplicationSpec::default()
        },
        first_correlation_id: 0,
    }
}

pub fn setup(plan: &Plan) -> Setup {
    let mut setup = ideal(plan.partitions);
    setup.seed = plan.seed;
    if !plan.is_ideal {
        setup.timing = Timing::real();
        setup.brokers = (1..=2)
            .map(|id| (BrokerId(id), BrokerSpec::default()))
            .collect();
    }
    for broker in setup.brokers.values_mut() {
        broker.config.group_initial_rebalance_delay_ms = 1_000;
        if plan.offsets_expire {
            broker.config.offsets_retention_minutes = 1;
            broker.config.offsets_retention_check_interval_ms = 5_000;
        }
    }
    for (number, member) in plan.consumers.iter().enumerate() {
        setup.consumers.push(ConsumerStart {
            consumer: spec(number, *member, plan.assignor),
            at: Some(Instant::ZERO),
        });
    }
    setup.feeds.push(FeedSpec {
        name: "feed".into(),
        topic: "orders".into(),
        first_at: Some(Instant::from_ms(50)),
        every: Duration::from_ms(500),
        times: None,
        batch: 2,
        spread: Spread::EveryPartition,
        size_bytes: 10,
    });
    setup
}

/// The acts of a plan as commands. `Add` gives names; the others go to whom there is.
pub fn commands(plan: &Plan) -> Vec<Act> {
    let (mut at, mut count) = (Instant::ZERO, plan.consumers.len());
    let mut total = plan.partitions;
    let mut acts = Vec::new();
    for (gap, deed) in &plan.acts {
        at += Duration::from_ms(*gap);
        let name = |who: usize| format!("c{}", who % count).as_str().into();
        let command = match deed {
            Deed::Add(member) => {
                let consumer = spec(count, *member, plan.assignor);
                count += 1;
                Command::AddConsumers {
                    consumers: vec![consumer],
                }
            }
            Deed::Close(who) => Command::Close { actor: name(*who) },
            Deed::Kill(who) => Command::Kill { actor: name(*who) },
            Deed::Freeze(who) => Command::Freeze { actor: name(*who) },
            Deed::Thaw(who) => Command::Thaw { actor: name(*who) },
            Deed::Restart(who) => Command::Restart {
                actor: name(*who),
                configs: Default::default(),
            },
            Deed::Stall(who, ms) => Command::Stall {
                actor: name(*who),
                length: Duration::from_ms(*ms),
            },
            Deed::EnforceRebalance(who) => Command::EnforceRebalance { actor: name(*who) },
            Deed::AddPartitions(more) => {
                total += more;
                Command::AddPartitions {
                    topic: "orders".into(),
                    total,
                }
            }
            Deed::Twin(who) => {
                let is_static = Member {
                    is_static: true,
                    auto_commit: true,
                    time_per_record_ms: 0,
                };
                let mut consumer = spec(count, is_static, plan.assignor);
                let of: regroup::kafka::ids::ActorName = name(*who);
                let instance = of.as_str().into();
                consumer
                    .configs
                    .insert("group.instance.id".into(), instance);
                count += 1;
                Command::AddConsumers {
                    consumers: vec![consumer],
                }
            }
            Deed::RemoveMember(who) => {
                let of: regroup::kafka::ids::ActorName = name(*who);
                Command::Admin(AdminAct::RemoveMember {
                    group: "g".into(),
                    group_instance_id: of.as_str().into(),
                })
            }
            Deed::ResetOffsets => Command::Admin(AdminAct::ResetOffsets {
                group: "g".into(),
                topic: Some("orders".into()),
                partitions: Vec::new(),
                to: ResetTo::Earliest,
            }),
            Deed::CommitFromOutside => Command::Send {
                client: "tool".into(),
                request: RawRequest::OffsetCommit {
                    group: "g".into(),
                    member_id: "".into(),
                    group_instance_id: None,
                    generation: -1,
                    offsets: [(TopicPartition::new("orders", 0), Offset(0))].into(),
                },
            },
            Deed::Fault(who, api, what) => Command::Fault {
                actor: who.map(name),
                api: (*api).into(),
                what: *what,
            },
        };
        acts.push(Act { at, command });
    }
    acts
}

fn advance(world: &mut World, until: Instant) {
    while world.step_until(until) {
        world.fold_facts(|_| {});
    }
    world.rest_until(until);
}

/// Plays the acts; those that cannot be carried out are left out.
fn play(plan: &Plan) -> World {
    let mut world = World::new(setup(plan)).expect("a good setup");
    for act in commands(plan) {
        advance(&mut world, Instant(act.at.0 - 1));
        world.rest_until(act.at);
        let _ = world.apply(&act.command);
    }
    let frozen: Vec<_> = world
        .actors()
        .filter(|actor| actor.is_frozen)
        .map(|actor| actor.name.clone())
        .collect();
    for actor in frozen {
        world
            .apply(&Command::Thaw { actor })
            .expect("it stands still");
    }
    world
}

/// Stops the feed of records.
fn stop_feed(world: &mut World) {
    let stop = Command::StopProducer {
        actor: "feed".into(),
    };
    world.apply(&stop).expect("there is a feed");
}

/// What is not as it should be once acts have stopped, and, if asked for, no more records are written.
fn unsettled(world: &World, plan: &Plan, is_drained: bool) -> Option<String> {
    let id = GroupId::from("g");
    let group = world.brokers().find_map(|(_, broker)| broker.group(&id));
    let state = group.map(|group| group.state());
    let running: Vec<_> = world
        .actors()
        .filter_map(|actor| match actor.role {
            Role::Consumer { consumer, .. } => Some((actor.name.clone(), consumer.owned())),
            _ => None,
        })
        .collect();
    if running.is_empty() {
        let is_gone = matches!(state, None | Some(GroupState::Empty | GroupState::Dead));
        return (!is_gone).then(|| format!("nobody runs, and the group is {state:?}"));
    }
    if state != Some(GroupState::Stable) {
        return Some(format!("the group is {state:?}"));
    }
    let members = group.map_or(0, |group| group.members().count());
    if members != running.len() {
        return Some(format!(
            "{members} members, {} consumers run",
            running.len()
        ));
    }
    let has_static = plan.consumers.iter().any(|member| member.is_static)
        || plan.acts.iter().any(|(_, deed)| match deed {
            Deed::Add(member) => member.is_static,
            Deed::Twin(_) => true,
            _ => false,
        });
    let topic = world.cluster().topics.get("orders")?;
    for number in 0..i32::try_from(topic.partitions.len()).unwrap_or(0) {
        if has_static && number >= plan.partitions {
            break;
        }
        let partition = TopicPartition::new("orders", number);
        let owners = running
            .iter()
            .filter(|(_, owned)| owned.contains(&partition))
            .count();
        if owners != 1 {
            return Some(format!("{partition} has {owners} owners"));
        }
        let leader = world.cluster().leader(&partition)?;
        let end = world.broker(leader)?.log(&partition)?.log_end();
        let committed = world
            .brokers()
            .find_map(|(_, broker)| broker.committed(&id, &partition));
        let committed = committed.map_or(0, |committed| committed.offset.0);
        if is_drained && committed != end.0 {
            return Some(format!(
                "{partition}: {committed} of {} are committed",
                end.0
            ));
        }
    }
    None
}

/// Waits until all is as it should be, at most as long as that may take. What is not, at the end.
fn wait(world: &mut World, plan: &Plan, is_drained: bool) -> Option<String> {
    let from = world.now();
    let mut trouble = None;
    for ms in (5_000..=SETTLES_MS).step_by(5_000) {
        advance(world, from + Duration::from_ms(ms));
        trouble = unsettled(world, plan, is_drained);
        if trouble.is_none() {
            break;
        }
    }
    trouble
}

/// Whether all is as it should be within the time for it.
fn settles(plan: &Plan, coverage: &RefCell<Coverage>) -> Result<(), TestCaseError> {
    let mut world = play(plan);
    let trouble = wait(&mut world, plan, false).or_else(|| {
        // A few more batches, so that one is committed after the last rebalance.
        let soon = world.now() + Duration::from_ms(3_000);
        advance(&mut world, soon);
        stop_feed(&mut world);
        wait(&mut world, plan, true)
    });
    for (_, broker) in world.brokers() {
        coverage.borrow_mut().merge(broker.coverage());
    }
    match trouble {
        None => Ok(()),
        Some(trouble) => {
            let acts = commands(plan).write();
            Err(TestCaseError::fail(format!("{trouble}\nacts: {acts}")))
        }
    }
}

#[test]
fn whatever_was_done_the_group_settles_owns_everything_and_catches_up() {
    let cases = cases("REGROUP_SCENARIOS", SCENARIOS);
    let coverage = RefCell::new(Coverage::default());
    let outcome = runner(cases, 2_000).run(&plan(), |plan| settles(&plan, &coverage));
    let reached = coverage.into_inner();
    // Which pairs can be reached at all is held by `rough`.
    println!("not reached: {:?}", Coverage::reachable().without(&reached));
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn the_same_scenario_twice_is_the_same_to_the_last_fact() {
    let hash = |plan: &Plan| {
        let trace = regroup::world::trace::TraceHash::default();
        let acts = commands(plan);
        let mut history =
            regroup::world::history::History::new(setup(plan), acts, trace).expect("a good setup");
        history.seek(Instant::from_ms(60_000));
        history.observer().value()
    };
    let outcome = runner(20, 2_000).run(&plan(), |plan| {
        prop_assert_eq!(hash(&plan), hash(&plan));
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
