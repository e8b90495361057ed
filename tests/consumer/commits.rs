//! What is committed when, and what a successor reads twice. Numbers from incident cards and spec examples; for the
//! shift of 6000 ms see `rebalances`.

use super::bench::{Bench, Program, broker_config, config, ms};
use regroup::kafka::client::consumer::{Call, Returned};
use regroup::kafka::config::ConsumerConfig;
use regroup::kafka::error::ErrorCode;
use regroup::kafka::fact::Callback;
use regroup::kafka::time::Duration;

const JOINED: i64 = 6_000;

fn auto(name: &str, assignor: &str) -> ConsumerConfig {
    ConsumerConfig {
        enable_auto_commit: true,
        ..config(name, assignor)
    }
}

#[test]
fn a_crash_three_seconds_after_the_last_auto_commit_makes_thirty_duplicates() {
    let mut bench = Bench::new(1, broker_config(3_000));
    for name in ["c1", "c2"] {
        let config = ConsumerConfig {
            session_timeout_ms: 10_000,
            ..auto(name, "range")
        };
        bench.start(name, config, Program::AlwaysPolling);
        bench.join(name);
    }
    bench.run_until(ms(JOINED));
    assert_eq!(bench.owned("c1"), [0]);
    bench.feed(0);
    bench.run_until(ms(JOINED + 5_000));
    assert_eq!(bench.committed(0), Some(50));
    bench.run_until(ms(JOINED + 13_000));
    assert_eq!(bench.committed(0), Some(100));
    assert_eq!(bench.position("c1", 0), Some(130));
    bench.kill("c1");
    bench.run_until(ms(JOINED + 24_000));
    assert_eq!(bench.position("c2", 0), Some(240));
    assert_eq!(bench.duplicates(0), 30);
}

#[test]
fn a_consumer_that_polls_every_second_is_one_fetch_behind() {
    let mut bench = Bench::new(1, broker_config(0));
    bench.start("c1", auto("c1", "range"), Program::ByHand);
    bench.call(
        "c1",
        Call::Subscribe {
            topics: vec!["t".into()],
        },
    );
    let poll = |bench: &mut Bench| {
        let timeout = Duration::ZERO;
        bench.call("c1", Call::Poll { timeout });
        bench.settle();
    };
    // The first polls join the group and find the start of the log.
    while bench.position("c1", 0).is_none() {
        poll(&mut bench);
    }
    poll(&mut bench);
    bench.feed(0);
    let mut committed = Vec::new();
    for second in 1..=17 {
        bench.run_until(ms(second * 1_000));
        poll(&mut bench);
        committed.push(bench.committed(0));
    }
    // Records at 50, 150, ...: n of them before each second n/10, as in the example.
    assert_eq!(committed[3], None);
    assert_eq!(committed[4], Some(30), "before anything is returned at 5");
    assert_eq!(committed[9], Some(80));
    assert_eq!(committed[14], Some(130));
    assert_eq!(bench.position("c1", 0), Some(160));
    let Some((_, Returned::Records(records))) = bench.processes["c1"].returned.last() else {
        panic!("the last poll returned records");
    };
    let offsets: Vec<i64> = records
        .iter()
        .flat_map(|partition| &partition.records)
        .map(|record| record.offset.0)
        .collect();
    assert_eq!(offsets, (150..160).collect::<Vec<i64>>());
}

#[test]
fn what_a_cooperative_member_reads_while_others_join_is_read_again() {
    let mut bench = Bench::new(6, broker_config(3_000));
    for name in ["c1", "c3"] {
        bench.start(
            name,
            auto(name, "cooperative-sticky"),
            Program::AlwaysPolling,
        );
        bench.join(name);
    }
    bench.run_until(ms(JOINED));
    assert_eq!(bench.owned("c1"), [0, 2, 4]);
    for number in 0..6 {
        bench.feed(number);
    }
    bench.run_until(ms(JOINED + 10_000));
    // The reader goes on; the other one is at its own work until 14000.
    bench.busy_until("c3", ms(JOINED + 14_000));
    bench.start(
        "c2",
        auto("c2", "cooperative-sticky"),
        Program::AlwaysPolling,
    );
    bench.join("c2");
    bench.run_until(ms(JOINED + 13_999));
    assert_eq!(bench.committed(4), Some(120));
    bench.run_until(ms(JOINED + 14_000));
    assert_eq!(bench.owned("c1"), [0, 2]);
    assert_eq!(bench.committed(4), Some(120));
    bench.run_until(ms(JOINED + 17_000));
    assert_eq!(bench.group().generation().0, 3);
    assert_eq!(bench.owned("c2"), [4, 5]);
    bench.run_until(ms(JOINED + 20_000));
    assert_eq!(bench.duplicates(4), 20);
    for number in [0, 1, 2, 3, 5] {
        assert_eq!(bench.duplicates(number), 0, "partition {number}");
    }
}

#[test]
fn an_eager_rebalance_commits_and_freezes_before_it_gives_up() {
    let mut bench = Bench::new(2, broker_config(3_000));
    for name in ["c1", "c2"] {
        bench.start(name, auto(name, "range"), Program::AlwaysPolling);
        bench.join(name);
    }
    bench.run_until(ms(JOINED));
    bench.feed(0);
    bench.feed(1);
    bench.run_until(ms(JOINED + 7_000));
    bench.start("c3", auto("c3", "range"), Program::AlwaysPolling);
    bench.join("c3");
    bench.run_until(ms(JOINED + 20_000));
    assert_eq!(bench.duplicates(0) + bench.duplicates(1), 0);
    let kinds: Vec<&str> = bench
        .sent
        .iter()
        .filter(|sent| {
            sent.who == "c1" && sent.at.as_ms() == JOINED + 9_000 && sent.api() != "Fetch"
        })
        .map(|sent| sent.api())
        .collect();
    assert_eq!(
        kinds,
        [
            "Heartbeat",
            "OffsetCommit",
            "JoinGroup",
            "SyncGroup",
            "OffsetFetch"
        ]
    );
}

#[test]
fn a_closing_dynamic_member_commits_revokes_and_leaves() {
    let mut bench = Bench::new(1, broker_config(0));
    bench.start("c1", auto("c1", "range"), Program::AlwaysPolling);
    bench.join("c1");
    bench.run_until(ms(0));
    bench.append(0, 7);
    bench.run_until(ms(1_000));
    bench.close("c1");
    bench.run_until(ms(2_000));
    assert_eq!(bench.committed(0), Some(7));
    assert_eq!(
        bench.callbacks("c1")[1..],
        [(1_000, Callback::Revoked, vec![0])]
    );
    assert_eq!(
        bench.answers("c1", "LeaveGroup"),
        [(1_000, ErrorCode::None)]
    );
    assert_eq!(bench.group().members().count(), 0);
    assert!(matches!(
        bench.processes["c1"].returned.last(),
        Some((_, Returned::Closed))
    ));
}

#[test]
fn commit_sync_after_each_batch_leaves_no_lag_behind() {
    let mut bench = Bench::new(1, broker_config(0));
    bench.start("c1", config("c1", "range"), Program::CommitsEachBatch);
    bench.join("c1");
    bench.run_until(ms(0));
    bench.feed(0);
    bench.run_until(ms(3_000));
    assert_eq!(bench.committed(0), Some(30));
    assert_eq!(bench.position("c1", 0), Some(30));
    assert_eq!(bench.answers("c1", "OffsetCommit").len(), 30);
}
