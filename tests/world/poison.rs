//! Records that a program cannot handle: what each way of dealing with them costs.

use crate::support::{Play, consumer, feed, group, ideal};
use regroup::kafka::fact::{FactKind, StopCause};
use regroup::kafka::ids::{Offset, TopicPartition};
use regroup::world::command::Command;
use regroup::world::setup::{ApplicationSpec, CommitStyle, OnPoison, Workers};

/// Record 20 of two seconds is poison; what is so after ten.
fn play(on_poison: OnPoison, workers: Option<Workers>) -> Play {
    let mut setup = ideal(1);
    feed(&mut setup);
    let mut spec = consumer("c1", &[("enable.auto.commit", "false")]);
    spec.application = ApplicationSpec {
        commit: Some(CommitStyle::SyncEvery { records: 1 }),
        on_poison,
        workers,
        ..ApplicationSpec::default()
    };
    group(&mut setup, 1, 0, &[(spec, &[0])]);
    let mut play = Play::new(setup);
    let poison = Command::Poison {
        partition: TopicPartition::new("orders", 0),
        offset: Offset(20),
    };
    play.act(0, poison).to(10_000);
    play
}

/// Skipped, sent on, and in doubt.
fn counts(play: &Play) -> (u64, u64, u64) {
    let deliveries = play.deliveries();
    (
        deliveries.skipped(),
        deliveries.forwarded(),
        deliveries.in_doubt().count(),
    )
}

#[test]
fn a_crash_ends_the_process_before_the_record() {
    let play = play(OnPoison::Crash, None);
    let died = play.times(|kind| {
        matches!(
            kind,
            FactKind::Stopped {
                how: StopCause::Failed,
                ..
            }
        )
    });
    assert_eq!(died, [2_050]);
    assert_eq!(play.committed(0), Some(20));
}

#[test]
fn trying_again_for_ever_stops_the_partition() {
    let play = play(OnPoison::Retry, None);
    assert_eq!(play.committed(0), Some(20));
    assert_eq!(counts(&play), (0, 0, 1));
}

#[test]
fn skipping_loses_one_record_and_the_ledger_says_so() {
    let play = play(OnPoison::Skip, None);
    assert_eq!(play.committed(0), Some(100));
    assert_eq!(counts(&play), (1, 0, 0));
    let left = play.times(|kind| matches!(kind, FactKind::GivenUp { .. }));
    assert_eq!(left, [2_050]);
}

#[test]
fn a_retry_topic_takes_the_record_and_nothing_is_lost() {
    for workers in [
        None,
        Some(Workers {
            threads: 3,
            queue_max: 100,
        }),
    ] {
        let play = play(OnPoison::RetryTopic, workers);
        let sent_on = play.facts.iter().find_map(|fact| match &fact.kind {
            FactKind::Forwarded {
                offset,
                to,
                to_offset,
                ..
            } => Some((offset.0, to.to_string(), to_offset.0)),
            _ => None,
        });
        assert_eq!(sent_on, Some((20, "orders-retry-0".to_string(), 0)));
        assert_eq!(play.committed(0), Some(100));
        assert_eq!(counts(&play), (0, 1, 0));
        let by = play.facts.iter().any(|fact| {
            matches!(&fact.kind, FactKind::RequestSent { from, request, .. }
                if &**from == "c1-retry" && request.api().name() == "Produce")
        });
        assert!(by, "it was produced by a producer of the same process");
    }
}

#[test]
fn the_producer_dies_with_the_process_that_it_is_in() {
    let mut play = play(OnPoison::RetryTopic, None);
    play.act(10_001, Command::Freeze { actor: "c1".into() });
    let frozen = |play: &Play| {
        play.world
            .actor("c1-retry")
            .is_some_and(|actor| actor.is_frozen)
    };
    assert!(frozen(&play));
    play.act(10_002, Command::Thaw { actor: "c1".into() });
    assert!(!frozen(&play));
    play.act(10_003, Command::Kill { actor: "c1".into() });
    let died = play.times(|kind| matches!(kind, FactKind::Stopped { .. }));
    assert_eq!(died, [10_003, 10_003]);
}
