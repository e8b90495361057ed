//! Joining, leaving, dying: who owns what, and when. Numbers from the incident cards; where a card's members
//! joined at 0, these joined at 6000, which is when a fresh group of two has waited out its initial delay.

use super::bench::{Bench, Program, broker_config, config, ms, partition};
use regroup::kafka::api::Request;
use regroup::kafka::client::consumer::Call;
use regroup::kafka::config::ConsumerConfig;
use regroup::kafka::error::ErrorCode;
use regroup::kafka::fact::{Callback, Exception, FactKind, GroupState, MemberState, ReleaseCause};

/// When two members that start at 0 have their JoinGroup answers.
const JOINED: i64 = 6_000;

fn two_members(
    partitions: usize,
    assignor: &str,
    change: impl Fn(&str, ConsumerConfig) -> ConsumerConfig,
) -> Bench {
    let mut bench = Bench::new(partitions, broker_config(3_000));
    for name in ["c1", "c2"] {
        let config = change(name, config(name, assignor));
        bench.start(name, config, Program::AlwaysPolling);
        bench.join(name);
    }
    bench.run_until(ms(JOINED));
    assert_eq!(bench.group().state(), GroupState::Stable);
    assert_eq!(bench.group().generation().0, 1);
    bench
}

fn plain(_: &str, config: ConsumerConfig) -> ConsumerConfig {
    config
}

#[test]
fn a_single_fresh_consumer_waits_three_seconds() {
    let mut bench = Bench::new(3, broker_config(3_000));
    bench.start("c1", config("c1", "range"), Program::AlwaysPolling);
    bench.join("c1");
    bench.run_until(ms(2_999));
    assert_eq!(
        bench.answers("c1", "JoinGroup"),
        [(0, ErrorCode::MemberIdRequired)]
    );
    assert_eq!(bench.group().generation().0, 0);
    bench.run_until(ms(3_000));
    assert_eq!(bench.group().generation().0, 1);
    assert_eq!(bench.owned("c1"), [0, 1, 2]);
    assert_eq!(
        bench.callbacks("c1"),
        [(3_000, Callback::Assigned, vec![0, 1, 2])]
    );
    assert_eq!(bench.group().state(), GroupState::Stable);
}

#[test]
fn heartbeats_begin_one_interval_after_the_join_group_answer() {
    let mut bench = two_members(2, "range", plain);
    bench.run_until(ms(JOINED + 7_000));
    for name in ["c1", "c2"] {
        assert_eq!(
            bench.requests(name, "Heartbeat"),
            [JOINED + 3_000, JOINED + 6_000]
        );
    }
}

#[test]
fn six_second_session_ten_seconds_of_silence() {
    let mut bench = two_members(2, "range", |_, config| ConsumerConfig {
        session_timeout_ms: 6_000,
        heartbeat_interval_ms: 5_000,
        ..config
    });
    let heartbeat = JOINED + 5_000;
    bench.run_until(ms(heartbeat + 107));
    bench.kill("c1");
    bench.run_until(ms(heartbeat + 5_999));
    assert_eq!(bench.group().state(), GroupState::Stable);
    bench.run_until(ms(heartbeat + 6_000));
    assert_eq!(bench.group().state(), GroupState::PreparingRebalance);
    bench.run_until(ms(heartbeat + 10_000));
    assert_eq!(
        bench.answers("c2", "Heartbeat"),
        [
            (heartbeat, ErrorCode::None),
            (heartbeat + 5_000, ErrorCode::None),
            (heartbeat + 10_000, ErrorCode::RebalanceInProgress),
        ]
    );
    assert_eq!(bench.group().generation().0, 2);
    assert_eq!(bench.owned("c2"), [0, 1]);
    assert_eq!(bench.group().state(), GroupState::Stable);
}

#[test]
fn an_eager_group_of_two_gives_up_everything_for_a_third() {
    let mut bench = two_members(6, "range", plain);
    bench.run_until(ms(JOINED + 10_000));
    bench.start("c3", config("c3", "range"), Program::AlwaysPolling);
    bench.join("c3");
    bench.run_until(ms(JOINED + 11_999));
    assert_eq!(bench.owned("c1"), [0, 1, 2]);
    bench.run_until(ms(JOINED + 12_000));
    assert_eq!(bench.group().generation().0, 2);
    assert_eq!(bench.owned("c1"), [0, 1]);
    assert_eq!(bench.owned("c2"), [2, 3]);
    assert_eq!(bench.owned("c3"), [4, 5]);
    let at = JOINED + 12_000;
    assert_eq!(
        bench.callbacks("c1")[1..],
        [
            (at, Callback::Revoked, vec![0, 1, 2]),
            (at, Callback::Assigned, vec![0, 1]),
        ]
    );
    assert_eq!(
        bench.callbacks("c3"),
        [(at, Callback::Assigned, vec![4, 5])]
    );
}

#[test]
fn a_cooperative_group_keeps_what_stays_and_needs_the_newcomer_s_heartbeat_for_the_rest() {
    let mut bench = two_members(6, "cooperative-sticky", plain);
    assert_eq!(bench.owned("c1"), [0, 2, 4]);
    bench.run_until(ms(JOINED + 10_000));
    bench.start(
        "c3",
        config("c3", "cooperative-sticky"),
        Program::AlwaysPolling,
    );
    bench.join("c3");
    let first = JOINED + 12_000;
    bench.run_until(ms(first));
    assert_eq!(bench.owned("c1"), [0, 2]);
    assert_eq!(bench.owned("c2"), [1, 3]);
    assert_eq!(bench.owned("c3"), [] as [i32; 0]);
    assert_eq!(bench.group().state(), GroupState::PreparingRebalance);
    bench.run_until(ms(first + 2_999));
    assert_eq!(bench.owned("c3"), [] as [i32; 0]);
    bench.run_until(ms(first + 3_000));
    assert_eq!(bench.group().generation().0, 3);
    assert_eq!(bench.owned("c1"), [0, 2]);
    assert_eq!(bench.owned("c2"), [1, 3]);
    assert_eq!(bench.owned("c3"), [4, 5]);
    assert_eq!(
        bench.callbacks("c1")[1..],
        [
            (first, Callback::Revoked, vec![4]),
            (first, Callback::Assigned, vec![]),
            (first + 3_000, Callback::Assigned, vec![]),
        ]
    );
    let released: Vec<_> = bench
        .facts
        .iter()
        .filter_map(|fact| match &fact.kind {
            FactKind::Release {
                partition, cause, ..
            } => Some((fact.at.as_ms(), partition.partition, *cause)),
            _ => None,
        })
        .collect();
    let cause = ReleaseCause::CooperativeRevoke;
    assert_eq!(released, [(first, 4, cause), (first, 5, cause)]);
}

#[test]
fn max_poll_interval_exceeded_the_member_leaves_and_its_late_commit_stays_at_home() {
    let mut bench = two_members(2, "range", |_, config| ConsumerConfig {
        max_poll_interval_ms: 30_000,
        ..config
    });
    bench.run_until(ms(7_000));
    bench.append(0, 60);
    bench.settle();
    bench.busy_until("c1", ms(67_000));
    bench.run_until(ms(36_999));
    assert_eq!(bench.requests("c1", "LeaveGroup"), [] as [i64; 0]);
    bench.run_until(ms(37_000));
    assert_eq!(bench.requests("c1", "LeaveGroup"), [37_000]);
    assert_eq!(bench.group().state(), GroupState::PreparingRebalance);
    bench.run_until(ms(39_000));
    assert_eq!(bench.group().generation().0, 2);
    assert_eq!(bench.owned("c2"), [0, 1]);
    assert_eq!(bench.position("c2", 0), Some(60));
    assert_eq!(bench.duplicates(0), 60);
    assert_eq!(bench.owned("c1"), [0], "a zombie does not know");
    bench.run_until(ms(66_999));
    bench.call("c1", Call::CommitSync { offsets: None });
    assert_eq!(
        bench.processes["c1"].exceptions,
        [(ms(66_999), Exception::CommitFailed)]
    );
    assert_eq!(bench.requests("c1", "OffsetCommit"), [] as [i64; 0]);
    bench.run_until(ms(67_000));
    assert_eq!(
        bench.callbacks("c1")[1..],
        [(67_000, Callback::Lost, vec![0])]
    );
    bench.run_until(ms(69_000));
    assert_eq!(bench.group().generation().0, 3);
}

#[test]
fn a_parked_sync_group_holds_up_the_heartbeats_behind_it() {
    let mut bench = Bench::new(4, broker_config(0));
    let mut first = config("c1", "range");
    first.session_timeout_ms = 10_000;
    bench.start("c1", first, Program::AlwaysPolling);
    bench.join("c1");
    bench.run_until(ms(0));
    bench.start("c2", config("c2", "range"), Program::AlwaysPolling);
    bench.join("c2");
    // c1 hears of it at 3000, joins, and is killed as its answer arrives.
    bench.run_until(ms(2_999));
    bench.kill_at_join_answer("c1");
    bench.run_until(ms(12_999));
    assert_eq!(bench.answers("c2", "Heartbeat"), []);
    assert_eq!(bench.requests("c2", "Heartbeat"), [6_000, 9_000, 12_000]);
    bench.busy_until("c2", ms(12_999));
    bench.call(
        "c2",
        Call::CommitSync {
            offsets: Some([(partition(0), regroup::kafka::ids::Offset(1))].into()),
        },
    );
    assert_eq!(
        bench.processes["c2"].exceptions,
        [(ms(12_999), Exception::RebalanceInProgress)]
    );
    bench.run_until(ms(13_000));
    assert_eq!(
        bench.answers("c2", "Heartbeat"),
        [(13_000, ErrorCode::RebalanceInProgress); 3]
    );
    assert_eq!(bench.owned("c2"), [0, 1, 2, 3]);
    assert_eq!(
        bench.processes["c2"].consumer.member_state(),
        MemberState::Stable
    );
}

#[test]
fn a_static_member_that_returns_in_time_disturbs_nobody() {
    let statics = |name: &str, config: ConsumerConfig| ConsumerConfig {
        group_instance_id: Some(name.into()),
        enable_auto_commit: true,
        ..config
    };
    let mut bench = two_members(2, "range", statics);
    bench.feed(0);
    bench.run_until(ms(JOINED + 11_000));
    let position = bench.position("c1", 0);
    let old_id = bench.member_id("c1");
    bench.close("c1");
    assert_eq!(bench.committed(0), position);
    assert_eq!(bench.requests("c1", "LeaveGroup"), [] as [i64; 0]);
    assert_eq!(bench.group().members().count(), 2);
    bench.run_until(ms(JOINED + 21_000));
    let config = statics("c1", config("c1", "range"));
    bench.start("c1", config, Program::AlwaysPolling);
    bench.join("c1");
    bench.run_until(ms(JOINED + 21_000));
    assert_eq!(bench.group().generation().0, 1);
    assert_eq!(bench.owned("c1"), [0]);
    assert_ne!(bench.member_id("c1"), old_id);
    bench.run_until(ms(JOINED + 30_000));
    assert_eq!(bench.group().generation().0, 1);
    assert_eq!(bench.duplicates(0), 0);
}

#[test]
fn pause_is_forgotten_by_an_eager_rebalance_and_kept_by_a_cooperative_one() {
    for (assignor, paused_afterwards) in [("range", vec![]), ("cooperative-sticky", vec![0, 2])] {
        let mut bench = two_members(6, assignor, plain);
        let partitions = bench.processes["c1"].consumer.owned();
        bench.busy_until("c1", ms(JOINED + 1));
        bench.call("c1", Call::Pause { partitions });
        bench.run_until(ms(JOINED + 10_000));
        bench.start("c3", config("c3", assignor), Program::AlwaysPolling);
        bench.join("c3");
        bench.run_until(ms(JOINED + 15_000));
        let paused = bench.processes["c1"].consumer.assignment();
        let paused: Vec<i32> = paused
            .filter(|view| view.paused)
            .map(|view| view.partition.partition)
            .collect();
        assert_eq!(paused, paused_afterwards, "{assignor}");
    }
}

#[test]
fn only_the_leader_notices_new_partitions() {
    let mut bench = two_members(2, "range", |name, config| ConsumerConfig {
        metadata_max_age_ms: if name == "c1" { 20_000 } else { 8_000 },
        ..config
    });
    bench.run_until(ms(JOINED));
    bench.set_partitions(4);
    bench.run_until(ms(19_999));
    assert_eq!(bench.group().generation().0, 1);
    assert!(!bench.requests("c2", "Metadata").is_empty());
    bench.run_until(ms(21_000));
    assert_eq!(bench.group().generation().0, 2);
    assert_eq!(bench.owned("c1"), [0, 1]);
    let reasons: Vec<_> = bench
        .sent
        .iter()
        .filter_map(|sent| match &sent.request {
            Request::JoinGroup(join) if sent.who == "c1" => join.reason.clone(),
            _ => None,
        })
        .collect();
    assert_eq!(&*reasons[2], "cached metadata has changed");
}
