//! Random worlds in which records are lost, skipped and read twice: those of `random`, with two groups and a
//! reader without one, logs and groups that were there before, retention, topics that come and go, programs
//! of every habit, and acts that move offsets.

use crate::random::{self, Plan};
use proptest::prelude::*;
use regroup::kafka::ids::{ActorName, Generation, Offset, TopicPartition};
use regroup::kafka::sorted::SortedMap;
use regroup::kafka::time::{Duration, Instant};
use regroup::world::command::{Act, AdminAct, Command, RawRequest, ResetTo};
use regroup::world::setup::{
    ApplicationSpec, CommitStyle, ConsumerSpec, FeedSpec, GroupSpec, LogSpec, MemberSpec, OnPoison,
    PollStyle, Reads, Setup, Spread, TopicSpec, Workers,
};

/// The topics: the one that all worlds have, one that half of them have, one that may come.
const TOPICS: [&str; 3] = ["orders", "orders-2", "orders-3"];

/// A scenario before it has names.
#[derive(Clone, Debug)]
pub struct Scene {
    plan: Plan,
    ground: Ground,
    /// Of the consumers, by number, over and over.
    habits: Vec<Habit>,
    extras: Vec<(i64, Extra)>,
}

/// What is there before anything happens.
#[derive(Clone, Copy, Debug)]
struct Ground {
    has_retention: bool,
    has_second_topic: bool,
    /// Log start and length of every partition of `orders`.
    log: Option<(i64, i64)>,
    /// Whether the consumers of `g` are members already, and what the group has committed.
    members: Option<i64>,
    /// What the group without members has committed.
    offsets: Option<i64>,
    /// How long the world goes on after the last act, ms.
    afterwards_ms: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wants {
    Orders,
    Both,
    Pattern,
    /// `assign()`, under the group's id.
    Assign,
    /// `assign()`, without an id: who has no group shares nothing with anybody.
    Alone,
}

#[derive(Clone, Copy, Debug)]
struct Habit {
    is_of_other_group: bool,
    wants: Wants,
    commit: Option<CommitStyle>,
    reset: &'static str,
    application: (bool, bool, OnPoison, bool, bool),
    time_per_record_ms: i64,
}

#[derive(Clone, Debug)]
enum Extra {
    SetCommitStyle(usize, Option<CommitStyle>),
    Seek(usize, i32, i64),
    Poison(i32, i64),
    Commit(usize, i32, i64),
    CommitFromOutside(bool, i32, i64),
    Pause(usize, i32),
    SetReads(usize, Wants),
    CreateTopic(usize, i32),
    Admin(AdminAct),
}

fn admin() -> impl Strategy<Value = AdminAct> {
    let group = || proptest::sample::select(vec!["g", "h"]);
    let to = prop_oneof![
        Just(ResetTo::Earliest),
        Just(ResetTo::Latest),
        (0..60_i64).prop_map(|offset| ResetTo::Offset(Offset(offset))),
        (-30..30_i64).prop_map(ResetTo::Shift),
        (0..40_000_i64).prop_map(|ms| ResetTo::TimeMs(Instant::from_ms(ms))),
    ];
    let topic = || "orders".into();
    let any_topic = proptest::sample::select(&TOPICS[..]);
    let records = (0..5_i32, -1..60_i64);
    prop_oneof![
        3 => (group(), any::<bool>(), to).prop_map(move |(group, of_topic, to)| AdminAct::ResetOffsets {
            group: group.into(),
            topic: of_topic.then(topic),
            partitions: Vec::new(),
            to,
        }),
        1 => group().prop_map(move |group| AdminAct::DeleteOffsets {
            group: group.into(),
            topic: topic(),
            partitions: Vec::new(),
        }),
        1 => group().prop_map(|group| AdminAct::DeleteGroup { group: group.into() }),
        1 => (group(), 0..6_usize).prop_map(|(group, who)| AdminAct::RemoveMember {
            group: group.into(),
            group_instance_id: format!("c{who}").as_str().into(),
        }),
        3 => records.prop_map(|(partition, before)| AdminAct::DeleteRecords {
            partition: TopicPartition::new("orders", partition),
            before: Offset(before),
        }),
        2 => any_topic.prop_map(|topic| AdminAct::DeleteTopic { topic: topic.into() }),
    ]
}

fn wants() -> impl Strategy<Value = Wants> {
    prop_oneof![
        5 => Just(Wants::Orders),
        1 => Just(Wants::Both),
        2 => Just(Wants::Pattern),
        1 => Just(Wants::Assign),
        2 => Just(Wants::Alone),
    ]
}

fn ground() -> impl Strategy<Value = Ground> {
    let log = proptest::option::of((0..20_i64, 0..60_i64));
    let committed = || proptest::option::of(0..50_i64);
    let flags = (any::<bool>(), any::<bool>());
    let afterwards = prop_oneof![3 => Just(20_000_i64), 1 => Just(90_000)];
    (flags, log, committed(), committed(), afterwards).prop_map(
        |((has_retention, has_second_topic), log, members, offsets, afterwards_ms)| Ground {
            has_retention,
            has_second_topic,
            log,
            members,
            offsets,
            afterwards_ms,
        },
    )
}

fn commit() -> impl Strategy<Value = Option<CommitStyle>> {
    let records = 1..5_u32;
    prop_oneof![
        3 => Just(None),
        1 => Just(Some(CommitStyle::None)),
        2 => Just(Some(CommitStyle::SyncAfterBatch)),
        1 => records.clone().prop_map(|records| Some(CommitStyle::SyncEvery { records })),
        1 => Just(Some(CommitStyle::SyncBeforeProcessing)),
        1 => Just(Some(CommitStyle::AsyncAfterBatch)),
        1 => records.clone().prop_map(|records| Some(CommitStyle::AsyncEvery { records })),
        1 => records.clone().prop_map(|records| Some(CommitStyle::AsyncEveryWithResend { records })),
        1 => records.prop_map(|records| Some(CommitStyle::AsyncEveryWithGuard { records })),
    ]
}

fn habit() -> impl Strategy<Value = Habit> {
    let on_poison = proptest::sample::select(vec![
        OnPoison::Crash,
        OnPoison::Retry,
        OnPoison::Skip,
        OnPoison::RetryTopic,
    ]);
    let flags = (
        any::<bool>(),
        any::<bool>(),
        on_poison,
        any::<bool>(),
        any::<bool>(),
    );
    let reset = proptest::sample::select(vec!["earliest", "earliest", "latest", "none"]);
    let time = prop_oneof![2 => Just(0_i64), 1 => Just(90), 1 => Just(700)];
    (any::<bool>(), wants(), commit(), reset, flags, time).prop_map(
        |(is_of_other_group, wants, commit, reset, application, time_per_record_ms)| Habit {
            is_of_other_group,
            wants,
            commit,
            reset,
            application,
            time_per_record_ms,
        },
    )
}

fn extra() -> impl Strategy<Value = Extra> {
    let (who, partition, offset) = (0..6_usize, 0..5_i32, 0..60_i64);
    prop_oneof![
        1 => (who.clone(), commit()).prop_map(|(who, commit)| Extra::SetCommitStyle(who, commit)),
        2 => (who.clone(), partition.clone(), offset.clone())
            .prop_map(|(who, partition, offset)| Extra::Seek(who, partition, offset)),
        2 => (partition.clone(), offset.clone()).prop_map(|(partition, offset)| Extra::Poison(partition, offset)),
        2 => (who.clone(), partition.clone(), offset.clone())
            .prop_map(|(who, partition, offset)| Extra::Commit(who, partition, offset)),
        1 => (any::<bool>(), partition.clone(), offset)
            .prop_map(|(group, partition, offset)| Extra::CommitFromOutside(group, partition, offset)),
        1 => (who.clone(), partition).prop_map(|(who, partition)| Extra::Pause(who, partition)),
        1 => (who, wants()).prop_map(|(who, wants)| Extra::SetReads(who, wants)),
        2 => (0..TOPICS.len(), 1..4_i32)
            .prop_map(|(topic, partitions)| Extra::CreateTopic(topic, partitions)),
        4 => admin().prop_map(Extra::Admin),
    ]
}

/// Any scenario.
pub fn scene() -> impl Strategy<Value = Scene> {
    let extras = proptest::collection::vec((0..40_000_i64, extra()), 0..10);
    let habits = proptest::collection::vec(habit(), 1..5);
    (random::plan(), ground(), habits, extras).prop_map(|(plan, ground, habits, mut extras)| {
        extras.sort_by_key(|extra| extra.0);
        Scene {
            plan,
            ground,
            habits,
            extras,
        }
    })
}

impl Scene {
    /// What it starts from.
    pub fn setup(&self) -> Setup {
        let mut setup = random::setup(&self.plan);
        for start in &mut setup.consumers {
            self.habituate(&mut start.consumer);
        }
        self.lay_ground(&mut setup);
        setup
    }

    /// How long the world goes on after the last act.
    pub fn afterwards(&self) -> Duration {
        Duration::from_ms(self.ground.afterwards_ms)
    }

    fn lay_ground(&self, setup: &mut Setup) {
        let ground = self.ground;
        let partitions = setup.topics[0].partitions;
        let of_orders = || (0..partitions).map(|number| TopicPartition::new(TOPICS[0], number));
        if ground.has_retention {
            for (name, value) in [("retention.ms", "4000"), ("segment.ms", "1000")] {
                setup.topics[0].configs.insert(name.into(), value.into());
            }
            for broker in setup.brokers.values_mut() {
                broker.config.log_retention_check_interval_ms = 1_000;
            }
        }
        if ground.has_second_topic {
            setup.topics.push(TopicSpec::new(TOPICS[1], 2));
            setup.feeds.push(FeedSpec {
                name: "feed-2".into(),
                topic: TOPICS[1].into(),
                first_at: Some(Instant::from_ms(70)),
                every: Duration::from_ms(700),
                times: None,
                batch: 1,
                spread: Spread::RoundRobin,
                size_bytes: 10,
            });
        }
        if let Some((start, length)) = ground.log {
            let log = LogSpec {
                start: Offset(start),
                end: Offset(start + length),
                batch: 5,
                size_bytes: 10,
                last_timestamp_ms: 0,
                every_ms: 100,
            };
            setup.logs = of_orders()
                .map(|partition| (partition, log.clone()))
                .collect();
        }
        let offsets = |committed| of_orders().map(move |partition| (partition, Offset(committed)));
        if let Some(committed) = ground.members {
            let group = self.members(setup, offsets(committed).collect());
            setup.groups.push(group);
        }
        if let Some(committed) = ground.offsets {
            setup.groups.push(GroupSpec {
                group: "h".into(),
                generation: Generation(3),
                assignor: None,
                leader: None,
                members: Vec::new(),
                member_order: Vec::new(),
                offsets: offsets(committed).collect(),
            });
        }
    }

    /// Makes members of those that subscribe to `orders` as `g`.
    fn members(&self, setup: &mut Setup, offsets: SortedMap<TopicPartition, Offset>) -> GroupSpec {
        let is_member = |consumer: &ConsumerSpec| {
            let habit = self.habit(&consumer.name);
            !habit.is_of_other_group && habit.wants == Wants::Orders
        };
        let mut members: Vec<MemberSpec> = Vec::new();
        let mut assignor = None;
        for start in &mut setup.consumers {
            if is_member(&start.consumer) {
                start.at = None;
                let strategy = &start.consumer.configs["partition.assignment.strategy"];
                assignor = strategy.split(',').next().map(Into::into);
                members.push(MemberSpec {
                    actor: start.consumer.name.clone(),
                    member_id: None,
                    generation: None,
                    owned: Vec::new(),
                    positions: SortedMap::new(),
                    joined_at: Instant::ZERO,
                    last_heartbeat: None,
                    metadata_refreshed_at: None,
                });
            }
        }
        let count = members.len();
        for (number, partition) in offsets.keys().enumerate().filter(|_| count > 0) {
            members[number % count].owned.push(partition.clone());
        }
        GroupSpec {
            group: "g".into(),
            generation: Generation(5),
            assignor,
            leader: None,
            members,
            member_order: Vec::new(),
            offsets,
        }
    }

    /// What is done in it. Some of it cannot be carried out.
    pub fn acts(&self) -> Vec<Act> {
        let mut acts = random::commands(&self.plan);
        for act in &mut acts {
            if let Command::AddConsumers { consumers } = &mut act.command {
                consumers
                    .iter_mut()
                    .for_each(|consumer| self.habituate(consumer));
            }
        }
        let extras = self.extras.iter().map(|(ms, extra)| Act {
            at: Instant::from_ms(*ms),
            command: extra.command(),
        });
        acts.extend(extras);
        acts.sort_by_key(|act| act.at);
        acts
    }

    /// The habit that a name's number has.
    fn habit(&self, name: &ActorName) -> Habit {
        let number: usize = name.as_str()[1..].parse().expect("c and a number");
        self.habits[number % self.habits.len()]
    }

    /// Gives a consumer the habit that its name's number has.
    fn habituate(&self, consumer: &mut ConsumerSpec) {
        let habit = self.habit(&consumer.name);
        if habit.is_of_other_group {
            consumer.configs.insert("group.id".into(), "h".into());
        }
        if habit.wants == Wants::Alone {
            consumer.configs.retain(|name, _| {
                !["group.id", "group.instance.id", "enable.auto.commit"].contains(&&**name)
            });
        }
        consumer.reads = habit.wants.reads();
        consumer
            .configs
            .insert("auto.offset.reset".into(), habit.reset.into());
        let (when_revoked, on_close, on_poison, has_workers, polls_by_clock) = habit.application;
        consumer.application = ApplicationSpec {
            commit: habit.commit,
            commit_when_revoked: when_revoked,
            commit_on_close: on_close,
            on_poison,
            time_per_record: Duration::from_ms(habit.time_per_record_ms),
            time_spread_percent: 50,
            workers: has_workers.then_some(Workers {
                threads: 2,
                queue_max: 20,
            }),
            poll: match polls_by_clock {
                true => PollStyle::Every {
                    period: Duration::from_ms(700),
                    phase: Duration::ZERO,
                },
                false => PollStyle::Always,
            },
            ..ApplicationSpec::default()
        };
    }
}

impl Wants {
    fn reads(self) -> Reads {
        match self {
            Wants::Orders => Reads::Subscribe(vec![TOPICS[0].into()]),
            Wants::Both => Reads::Subscribe(vec![TOPICS[0].into(), TOPICS[1].into()]),
            Wants::Pattern => Reads::Pattern("orders.*".into()),
            Wants::Assign => Reads::Assign(vec![TopicPartition::new(TOPICS[0], 0)]),
            Wants::Alone => Reads::Assign(vec![
                TopicPartition::new(TOPICS[0], 0),
                TopicPartition::new(TOPICS[1], 1),
            ]),
        }
    }
}

impl Extra {
    fn command(&self) -> Command {
        let actor = |who: &usize| format!("c{who}").as_str().into();
        let of = |partition: &i32| TopicPartition::new("orders", *partition);
        match self {
            Extra::SetCommitStyle(who, commit) => Command::SetCommitStyle {
                actor: actor(who),
                commit: *commit,
            },
            Extra::Seek(who, partition, offset) => Command::Seek {
                actor: actor(who),
                partition: of(partition),
                offset: Offset(*offset),
            },
            Extra::Poison(partition, offset) => Command::Poison {
                partition: of(partition),
                offset: Offset(*offset),
            },
            Extra::Commit(who, partition, offset) => Command::Commit {
                actor: actor(who),
                offsets: [(of(partition), Offset(*offset))].into(),
            },
            Extra::CommitFromOutside(is_other, partition, offset) => Command::Send {
                client: "tool".into(),
                request: RawRequest::OffsetCommit {
                    group: if *is_other { "h" } else { "g" }.into(),
                    member_id: "".into(),
                    group_instance_id: None,
                    generation: -1,
                    offsets: [(of(partition), Offset(*offset))].into(),
                },
            },
            Extra::SetReads(who, wants) => Command::SetReads {
                actor: actor(who),
                reads: wants.reads(),
            },
            Extra::CreateTopic(topic, partitions) => Command::CreateTopic {
                topic: TopicSpec::new(TOPICS[*topic], *partitions),
            },
            Extra::Admin(act) => Command::Admin(act.clone()),
            Extra::Pause(who, partition) => Command::Pause {
                actor: actor(who),
                partitions: vec![of(partition)],
            },
        }
    }
}
