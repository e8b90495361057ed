//! Log retention: old segments go, and a consumer that was too slow finds nothing where it stood.

use crate::support::{Play, consumer, feed, group, ideal};
use regroup::kafka::error::ErrorCode;
use regroup::kafka::fact::{FactKind, PositionCause};
use regroup::kafka::ids::TopicPartition;
use regroup::kafka::time::Duration;
use regroup::world::command::Command;

/// Records live five seconds, a segment spans one, and brokers look every second.
fn play(reset: &str, configs: &[(&str, &str)]) -> Play {
    let mut setup = ideal(1);
    feed(&mut setup);
    for broker in setup.brokers.values_mut() {
        broker.config.log_retention_check_interval_ms = 1_000;
    }
    setup.topics[0].configs = crate::support::configs(configs);
    let pairs = [
        ("auto.commit.interval.ms", "1000"),
        ("auto.offset.reset", reset),
    ];
    group(&mut setup, 1, 0, &[(consumer("c1", &pairs), &[0])]);
    Play::new(setup)
}

const FIVE_SECONDS: &[(&str, &str)] = &[("retention.ms", "5000"), ("segment.ms", "1000")];

fn log_start(play: &Play) -> i64 {
    let starts = play.facts.iter().filter_map(|fact| match &fact.kind {
        FactKind::LogStartAdvance { offset, .. } => Some(offset.0),
        _ => None,
    });
    starts.max().unwrap_or(0)
}

#[test]
fn the_log_starts_later_and_later() {
    let mut play = play("earliest", FIVE_SECONDS);
    play.to(5_000);
    assert_eq!(log_start(&play), 0);
    play.to(30_000);
    // Ten records a second: what is older than five seconds, but for one segment and one check.
    let start = log_start(&play);
    assert!((230..=250).contains(&start), "{start}");
}

#[test]
fn a_log_is_kept_below_its_size_but_for_a_segment() {
    let mut play = play(
        "earliest",
        &[("retention.bytes", "5000"), ("segment.bytes", "1000")],
    );
    play.to(60_000);
    let leader = play
        .world
        .cluster()
        .leader(&TopicPartition::new("orders", 0));
    let broker = play
        .world
        .broker(leader.expect("a leader"))
        .expect("a broker");
    let log = broker
        .log(&TopicPartition::new("orders", 0))
        .expect("a log");
    assert!(log.size_bytes() < 5_000 + 2_000, "{}", log.size_bytes());
    assert!(log_start(&play) > 500);
}

#[test]
fn a_slow_consumer_is_told_out_of_range_and_starts_where_the_log_does() {
    for (reset, cause) in [
        ("earliest", PositionCause::ResetEarliest),
        ("latest", PositionCause::ResetLatest),
    ] {
        let mut play = play(reset, FIVE_SECONDS);
        let stall = Command::Stall {
            actor: "c1".into(),
            length: Duration::from_ms(20_000),
        };
        play.act(10_000, stall).to(29_999);
        let committed = play.committed(0).expect("it has committed");
        let start = log_start(&play);
        assert!(start > committed, "{start} {committed}");
        play.to(31_000);
        let refused = play.facts.iter().any(|fact| {
            matches!(&fact.kind, FactKind::ResponseSent { response, .. }
                if response.error() == ErrorCode::OffsetOutOfRange)
        });
        assert!(refused);
        let set = play.facts.iter().rev().find_map(|fact| match &fact.kind {
            FactKind::PositionSet { offset, cause, .. } => Some((offset.0, *cause)),
            _ => None,
        });
        let (offset, by) = set.expect("the position was set");
        assert_eq!(by, cause);
        let deliveries = play.deliveries();
        assert!(deliveries.expired_unread() > 0);
        match by {
            PositionCause::ResetEarliest => {
                assert_eq!(deliveries.skipped_by_reset(), 0);
                assert!((start..=start + 20).contains(&offset), "{offset}");
            }
            _ => assert!(deliveries.skipped_by_reset() > 0),
        }
        assert_eq!(deliveries.skipped(), 0);
    }
}
