//! I-026, and spec/08 example 2: what is done and not committed comes again.

use crate::support::{Play, consumer, feed, group, ideal, kill};
use regroup::kafka::fact::{FactKind, GroupState};
use regroup::world::setup::{ApplicationSpec, CommitStyle, LogSpec};

const SESSION_10S: &[(&str, &str)] = &[("session.timeout.ms", "10000")];

#[test]
fn a_crash_three_seconds_after_the_last_auto_commit_makes_thirty_duplicates() {
    let mut setup = ideal(1);
    feed(&mut setup);
    let members: [(_, &[i32]); 2] = [
        (consumer("c1", SESSION_10S), &[0]),
        (consumer("c2", SESSION_10S), &[]),
    ];
    group(&mut setup, 1, 0, &members);
    let mut play = Play::new(setup);
    play.to(5_000);
    assert_eq!(play.committed(0), Some(50));
    play.act(13_000, kill("c1"));
    assert_eq!(play.committed(0), Some(100));
    play.to(22_000);
    assert_eq!(play.state(), Some(GroupState::PreparingRebalance));
    play.to(23_999);
    assert_eq!(play.owned("c2"), [0; 0]);
    play.to(24_000);
    assert_eq!(play.owned("c2"), [0]);
    assert_eq!(play.log_end(0) - 100, 140);
    play.to(30_000);
    let delivered: i64 = play
        .facts
        .iter()
        .map(|fact| match &fact.kind {
            FactKind::Deliver { base, next, .. } => next.0 - base.0,
            _ => 0,
        })
        .sum();
    assert_eq!(delivered - play.log_end(0), 30);
}

/// Batch 1000 to 1499, C = 1000; the process dies when 320 records are done. C afterwards, and records done.
fn crash_mid_batch(commit: CommitStyle) -> (Option<i64>, i64) {
    let mut setup = ideal(1);
    setup.logs.insert(
        regroup::kafka::ids::TopicPartition::new("orders", 0),
        LogSpec {
            start: regroup::kafka::ids::Offset(0),
            end: regroup::kafka::ids::Offset(1_500),
            batch: 100,
            size_bytes: 10,
            last_timestamp_ms: 0,
            every_ms: 1,
        },
    );
    let mut spec = consumer("c1", &[("enable.auto.commit", "false")]);
    spec.application = ApplicationSpec {
        commit: Some(commit),
        crash_after_records: Some(320),
        ..ApplicationSpec::default()
    };
    group(&mut setup, 1, 0, &[(spec, &[0])]);
    let committed = regroup::kafka::ids::Offset(1_000);
    let partition = regroup::kafka::ids::TopicPartition::new("orders", 0);
    setup.groups[0].offsets.insert(partition, committed);
    let mut play = Play::new(setup);
    play.to(1_000);
    let done = play.facts.iter().filter_map(|fact| match &fact.kind {
        FactKind::Done { next, .. } => Some(next.0),
        _ => None,
    });
    let done = done.max().unwrap_or(0);
    (play.committed(0), done)
}

#[test]
fn where_the_commit_stands_decides_what_a_crash_costs() {
    let after = crash_mid_batch(CommitStyle::SyncAfterBatch);
    assert_eq!(after, (Some(1_000), 1_320));
    let before = crash_mid_batch(CommitStyle::SyncBeforeProcessing);
    assert_eq!(before, (Some(1_500), 1_320));
    let every = crash_mid_batch(CommitStyle::SyncEvery { records: 100 });
    assert_eq!(every, (Some(1_300), 1_320));
}

#[test]
fn a_commit_on_close_makes_up_for_the_asynchronous_ones() {
    let play = |commit_on_close| {
        let mut setup = ideal(1);
        feed(&mut setup);
        let mut spec = consumer("c1", &[("enable.auto.commit", "false")]);
        spec.application = ApplicationSpec {
            commit: Some(CommitStyle::AsyncEvery { records: 10 }),
            commit_on_close,
            ..ApplicationSpec::default()
        };
        group(&mut setup, 1, 0, &[(spec, &[0])]);
        let mut play = Play::new(setup);
        let close = regroup::world::command::Command::Close { actor: "c1".into() };
        play.act(5_500, close).to(5_500);
        play.committed(0)
    };
    assert_eq!(play(false), Some(50));
    assert_eq!(play(true), Some(55));
}
