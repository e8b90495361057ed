//! Random worlds in which records are lost, skipped and read twice: those of `random`, with two groups,
//! programs of every habit, and acts that move offsets.

use crate::random::{self, Plan};
use proptest::prelude::*;
use regroup::kafka::ids::{Offset, TopicPartition};
use regroup::kafka::time::{Duration, Instant};
use regroup::world::command::{Act, AdminAct, Command, RawRequest, ResetTo};
use regroup::world::setup::{
    ApplicationSpec, CommitStyle, ConsumerSpec, OnPoison, PollStyle, Setup, Workers,
};

/// A scenario before it has names.
#[derive(Clone, Debug)]
pub struct Scene {
    plan: Plan,
    /// Of the consumers, by number, over and over.
    habits: Vec<Habit>,
    extras: Vec<(i64, Extra)>,
}

#[derive(Clone, Copy, Debug)]
struct Habit {
    is_of_other_group: bool,
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
    ]
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
    (any::<bool>(), commit(), reset, flags, time).prop_map(
        |(is_of_other_group, commit, reset, application, time_per_record_ms)| Habit {
            is_of_other_group,
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
        1 => (who, partition).prop_map(|(who, partition)| Extra::Pause(who, partition)),
        4 => admin().prop_map(Extra::Admin),
    ]
}

/// Any scenario.
pub fn scene() -> impl Strategy<Value = Scene> {
    let extras = proptest::collection::vec((0..40_000_i64, extra()), 0..10);
    let habits = proptest::collection::vec(habit(), 1..5);
    (random::plan(), habits, extras).prop_map(|(plan, habits, mut extras)| {
        extras.sort_by_key(|extra| extra.0);
        Scene {
            plan,
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
        setup
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

    /// Gives a consumer the habit that its name's number has.
    fn habituate(&self, consumer: &mut ConsumerSpec) {
        let number: usize = consumer.name.as_str()[1..].parse().expect("c and a number");
        let habit = &self.habits[number % self.habits.len()];
        if habit.is_of_other_group {
            consumer.configs.insert("group.id".into(), "h".into());
        }
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
            Extra::Admin(act) => Command::Admin(act.clone()),
            Extra::Pause(who, partition) => Command::Pause {
                actor: actor(who),
                partitions: vec![of(partition)],
            },
        }
    }
}
