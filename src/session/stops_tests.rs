use super::*;
use crate::scenario::entry;
use crate::session::Session;
use crate::world::Progress;
use crate::world::command::{Act, Command};
use std::ops::ControlFlow;

const fn s(seconds: i64) -> Instant {
    Instant::from_ms(seconds * 1_000)
}

/// A class room in which this is done besides, shortly before that.
fn class_room(more: impl IntoIterator<Item = (Instant, Command)>) -> Session {
    let entry = entry("class-room").expect("there is a class room");
    let scenario = entry.document().scenario(None).expect("it is a scenario");
    let more = more.into_iter().map(|(at, command)| Act { at, command });
    let acts = scenario.acts.into_iter().chain(more).collect();
    let mut session = Session::new(scenario.setup, acts).expect("it starts");
    session.advance_to(s(6), u64::MAX);
    session
}

fn kill_c2() -> Command {
    Command::Kill { actor: "c2".into() }
}

/// A class room in which c2 dies at 8 s.
fn before_a_death() -> Session {
    class_room([(s(8), kill_c2())])
}

/// Where a session stops, if it comes upon one of `stops` before `until`.
fn first(session: &mut Session, until: Instant, stops: &[Stop]) -> Option<Stopped> {
    match session.advance_to_stop(until, u64::MAX, stops) {
        ControlFlow::Break(stopped) => Some(stopped),
        ControlFlow::Continue(progress) => {
            assert_eq!(progress, Progress::Reached);
            None
        }
    }
}

/// All facts that a stop is met at, up to `until`, in one go.
fn all(mut session: Session, until: Instant, stop: &Stop) -> Vec<(Instant, FactId)> {
    let mut met = Vec::new();
    while let Some(stopped) = first(&mut session, until, std::slice::from_ref(stop)) {
        assert_eq!(session.now(), stopped.at, "time stands at the fact");
        assert!(session.sums().last >= stopped.fact, "the fact has happened");
        met.push((stopped.at, stopped.fact));
        assert!(met.len() < 100_000, "it goes on after a stop");
    }
    met
}

#[test]
fn a_run_stops_at_exactly_the_instant_of_the_fact() {
    let cases = [
        Stop::Rebalance,
        Stop::LeavesStable,
        Stop::Unowned,
        Stop::Removed,
        Stop::Duplicate,
        Stop::Commit,
        Stop::Error,
        Stop::Message,
    ];
    for stop in cases {
        let mut session = before_a_death();
        let stopped = first(&mut session, s(60), std::slice::from_ref(&stop));
        let stopped = stopped.unwrap_or_else(|| panic!("{stop:?} happens"));
        assert_eq!(stopped.stop, stop);
        assert_eq!(session.now(), stopped.at, "{stop:?}");
        let chronicle = session.sums().chronicle();
        let fact = chronicle.fact(stopped.fact).expect("it is known");
        assert_eq!(fact.at, stopped.at, "{stop:?}");
        assert!(
            chronicle
                .between(stopped.fact, FactId(u64::MAX))
                .all(|later| later.at == stopped.at),
            "{stop:?}: nothing later has happened"
        );
    }
}

#[test]
fn it_stops_at_the_same_facts_whatever_the_length_of_a_frame() {
    for stop in [Stop::Duplicate, Stop::Unowned] {
        let whole = all(before_a_death(), s(40), &stop);
        assert!(!whole.is_empty(), "{stop:?} happens");
        for (frame_us, budget) in [(16_667, 7), (1_666_700, 200)] {
            let mut session = before_a_death();
            let mut met = Vec::new();
            while session.now() < s(40) {
                let target = (session.now() + crate::kafka::time::Duration(frame_us)).min(s(40));
                loop {
                    match session.advance_to_stop(target, budget, std::slice::from_ref(&stop)) {
                        ControlFlow::Break(stopped) => met.push((stopped.at, stopped.fact)),
                        ControlFlow::Continue(Progress::OutOfBudget) => {}
                        ControlFlow::Continue(Progress::Reached) => break,
                    }
                }
            }
            assert_eq!(met, whole, "{stop:?} in frames of {frame_us} µs");
        }
    }
}

#[test]
fn the_group_leaves_stable_because_a_session_expired() {
    let mut session = before_a_death();
    let stopped = first(&mut session, s(60), &[Stop::LeavesStable]).expect("c2 is missed");
    let chronicle = session.sums().chronicle();
    let fact = chronicle.fact(stopped.fact).expect("it is known");
    assert!(matches!(
        fact.kind,
        FactKind::GroupStateChanged {
            from: GroupState::Stable,
            to: GroupState::PreparingRebalance,
            ..
        }
    ));
}

#[test]
fn a_death_leaves_partitions_unowned_at_once_and_a_freeze_does_not() {
    let freeze = Command::Freeze { actor: "c1".into() };
    let mut session = class_room([(s(7), freeze), (s(8), kill_c2())]);
    let stopped = first(&mut session, s(60), &[Stop::Unowned]).expect("c2 dies");
    assert_eq!(stopped.at, s(8));
    let chronicle = session.sums().chronicle();
    let fact = chronicle.fact(stopped.fact).expect("it is known");
    let released =
        matches!(&fact.kind, FactKind::Release { member, .. } if member.actor == "c2".into());
    assert!(released, "{:?}", fact.kind);
}

#[test]
fn lag_stops_when_it_rises_above_the_bound_and_not_again_while_it_stays_there() {
    let partition = partition_of_c2();
    let mut session = before_a_death();
    session.advance_to(s(9), u64::MAX);
    let lag = |session: &Session| {
        let lag = session
            .sums()
            .ledger
            .lag(&Readers::Group("billing".into()), &partition);
        lag.and_then(|lag| lag.committed).unwrap_or(0)
    };
    let above = lag(&session) + 20;
    let stops = [Stop::Lag {
        partition: partition.clone(),
        above,
    }];
    first(&mut session, s(60), &stops).expect("nobody reads it, so its lag rises");
    assert_eq!(lag(&session), above + 1, "at the first record too many");
    let until = session.now() + crate::kafka::time::Duration(1_000_000);
    assert_eq!(
        first(&mut session, until, &stops),
        None,
        "it is above already"
    );
    assert!(lag(&session) > above);
}

/// A partition that c2 has when it dies.
fn partition_of_c2() -> TopicPartition {
    let owned = before_a_death()
        .sums()
        .ledger
        .owned(&Readers::Group("billing".into()), &"c2".into());
    owned.first().expect("c2 has partitions").clone()
}

#[test]
fn of_two_stops_the_one_that_comes_first_counts() {
    let mut one = before_a_death();
    let removed = first(&mut one, s(60), &[Stop::Removed]).expect("c2 is removed");
    let mut both = before_a_death();
    let stopped = first(&mut both, s(60), &[Stop::Duplicate, Stop::Removed]);
    assert_eq!(stopped, Some(removed), "duplicates come after the removal");
}

#[test]
fn what_is_not_there_stops_nothing_and_looking_changes_nothing() {
    let nowhere = Stop::Lag {
        partition: TopicPartition::new("nowhere", 7),
        above: 0,
    };
    let mut watched = before_a_death();
    assert_eq!(first(&mut watched, s(30), &[nowhere]), None);
    let mut plain = before_a_death();
    plain.advance_to(s(30), u64::MAX);
    assert_eq!(watched.sums().last, plain.sums().last);
    assert_eq!(watched.now(), plain.now());
}
