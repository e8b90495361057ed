use super::*;
use crate::world::command::Configs;
use crate::world::setup::{
    ApplicationSpec, ConsumerSpec, ConsumerStart, FeedSpec, Reads, Spread, TopicSpec,
};
use crate::world::trace::TraceHash;

fn setup() -> Setup {
    let consumer = |name: &str| ConsumerSpec {
        name: name.into(),
        configs: Configs::from([
            ("group.id".into(), "g".into()),
            ("session.timeout.ms".into(), "6000".into()),
        ]),
        flavour: Default::default(),
        reads: Reads::Subscribe(vec!["orders".into()]),
        application: ApplicationSpec::default(),
        first_correlation_id: 0,
    };
    let start = |name: &str, ms| ConsumerStart {
        consumer: consumer(name),
        at: Some(Instant::from_ms(ms)),
    };
    Setup {
        topics: vec![TopicSpec::new("orders", 4)],
        feeds: vec![FeedSpec {
            name: "feed".into(),
            topic: "orders".into(),
            first_at: Some(Instant(333)),
            every: Duration::from_ms(70),
            times: None,
            batch: 1,
            spread: Spread::RoundRobin,
            size_bytes: 10,
        }],
        consumers: vec![start("c1", 0), start("c2", 20)],
        ..Setup::default()
    }
}

fn history(acts: Vec<Act>) -> History<TraceHash> {
    History::new(setup(), acts, TraceHash::default()).unwrap()
}

fn kill(actor: &str) -> Command {
    Command::Kill {
        actor: actor.into(),
    }
}

fn hash_at(history: &mut History<TraceHash>, ms: i64) -> u64 {
    history.seek(Instant::from_ms(ms));
    assert_eq!(history.now(), Instant::from_ms(ms));
    history.observer().value()
}

fn straight(acts: Vec<Act>, ms: i64) -> u64 {
    let mut history = history(acts);
    let progress = history.advance_to(Instant::from_ms(ms), u64::MAX);
    assert_eq!(progress, Progress::Reached);
    history.observer().value()
}

#[test]
fn seeking_gives_what_a_straight_run_gives_from_wherever_it_comes() {
    let acts = || {
        vec![Act {
            at: Instant::from_ms(9_000),
            command: kill("c1"),
        }]
    };
    let mut history = history(acts());
    for ms in [25_000, 9_000, 8_999, 70, 15_001, 15_000, 0, 100_000, 33_000] {
        assert_eq!(
            hash_at(&mut history, ms),
            straight(acts(), ms),
            "at {ms} ms"
        );
    }
}

#[test]
fn an_act_now_is_the_same_as_an_act_written_down_before() {
    let mut live = history(vec![]);
    live.seek(Instant::from_ms(9_000));
    let acted = live.act(kill("c1")).unwrap();
    assert_eq!(acted.dropped, None);
    let again = live.act(kill("c1"));
    assert_eq!(again, Err(Refusal::NotRunning("c1".into())));
    live.act(kill("c2")).unwrap();
    let value = hash_at(&mut live, 30_000);
    assert_eq!(straight(live.acts().to_vec(), 30_000), value);
    assert!(live.refused().is_empty());
}

#[test]
fn acting_in_the_past_drops_the_future_and_undo_brings_it_back() {
    let mut history = history(vec![]);
    history.seek(Instant::from_ms(20_000));
    history.act(kill("c2")).unwrap();
    let with_c2_killed = hash_at(&mut history, 40_000);
    history.seek(Instant::from_ms(10_000));
    let acted = history.act(kill("c1")).unwrap();
    let until = Instant::from_ms(40_000);
    assert_eq!(acted.dropped, Some(Dropped { acts: 1, until }));
    assert_eq!(history.end(), acted.at);
    assert_ne!(hash_at(&mut history, 40_000), with_c2_killed);
    assert!(history.undo());
    assert_eq!(history.now(), acted.at);
    assert_eq!(hash_at(&mut history, 40_000), with_c2_killed);
    assert!(history.undo());
    assert!(!history.undo());
    assert!(history.acts().is_empty());
}

#[test]
fn stepping_back_undoes_stepping_forward() {
    let mut history = history(vec![]);
    history.seek(Instant::from_ms(3_500));
    let mut hashes = vec![history.observer().value()];
    for _ in 0..50 {
        assert!(history.step(Instant::from_ms(60_000)));
        hashes.push(history.observer().value());
    }
    for hash in hashes.iter().rev().skip(1) {
        assert!(history.step_back());
        assert_eq!(history.observer().value(), *hash);
    }
}

#[test]
fn stepping_back_ends_at_the_origin() {
    let mut history = history(vec![]);
    history.step(Instant::from_ms(60_000));
    while history.step_back() {}
    assert_eq!(history.now(), Instant::ZERO);
    assert!(!history.step_back());
}

#[test]
fn keyframes_are_dense_in_the_last_minute_and_sparse_before() {
    let mut history = history(vec![]);
    history.seek(Instant::from_ms(600_000));
    let kept = history.keyframes.len();
    // Sixty of the last minute, and every fifth of the nine before.
    assert!((165..=170).contains(&kept), "{kept}");
}

#[test]
fn an_act_is_refused_in_words_that_name_its_reason() {
    let mut history = history(vec![]);
    let unknown = history.act(kill("c9"));
    assert_eq!(unknown, Err(Refusal::UnknownActor("c9".into())));
    let feed = history.act(kill("feed"));
    assert_eq!(feed, Err(Refusal::NotAConsumer("feed".into())));
    assert!(history.acts().is_empty());
}

/// Whoever follows other acts is where a history of those acts is, wherever it had been.
#[test]
fn following_other_acts_gives_what_a_straight_run_of_them_gives() {
    let act = |ms, actor| Act {
        at: Instant::from_ms(ms),
        command: kill(actor),
    };
    let lists = [
        vec![],
        vec![act(9_000, "c1")],
        vec![act(9_000, "c1"), act(20_000, "c2")],
        vec![act(9_000, "c2"), act(20_000, "c1")],
        vec![act(0, "c2")],
    ];
    for before in &lists {
        for after in &lists {
            for ms in [0, 8_999, 9_000, 15_003, 33_000] {
                let mut history = history(before.clone());
                history.seek(Instant::from_ms(ms));
                history.follow(after);
                assert!(history.now() <= Instant::from_ms(ms));
                assert_eq!(
                    hash_at(&mut history, 30_000),
                    straight(after.clone(), 30_000),
                    "from {before:?} at {ms} ms to {after:?}"
                );
            }
        }
    }
}
