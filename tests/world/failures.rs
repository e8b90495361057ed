//! I-001, I-002: processes that die. And one that only stands still.

use crate::support::{Play, consumer, group, ideal, kill, start};
use regroup::kafka::fact::{Callback, FactKind, GroupState};
use regroup::world::command::Command;

const FAST: &[(&str, &str)] = &[
    ("session.timeout.ms", "6000"),
    ("heartbeat.interval.ms", "5000"),
    ("enable.auto.commit", "false"),
    ("partition.assignment.strategy", "range"),
];

#[test]
fn a_survivor_takes_over_at_its_first_heartbeat_after_the_session_of_the_dead() {
    let mut setup = ideal(2);
    group(
        &mut setup,
        19,
        18_489 - 5_000,
        &[(consumer("c1", FAST), &[0]), (consumer("c2", FAST), &[1])],
    );
    setup.groups[0].members[1].joined_at.0 += 4_000;
    setup.origin.0 = 13_493_000;
    let mut play = Play::new(setup);
    play.act(18_600, kill("c1"));
    play.to(24_488);
    assert_eq!(play.state(), Some(GroupState::Stable));
    play.to(24_489);
    assert_eq!(play.state(), Some(GroupState::PreparingRebalance));
    play.to(28_492);
    assert_eq!((play.generation(), play.owned("c2")), (19, vec![1]));
    play.to(28_493);
    assert_eq!((play.generation(), play.owned("c2")), (20, vec![0, 1]));
    assert_eq!(play.state(), Some(GroupState::Stable));
}

#[test]
fn a_restarted_process_waits_for_its_own_ghost() {
    let configs = &[("enable.auto.commit", "false")];
    let mut setup = ideal(4);
    group(
        &mut setup,
        1,
        0,
        &[(consumer("c1", configs), &[0, 1, 2, 3])],
    );
    let mut play = Play::new(setup);
    play.act(10_000, kill("c1"));
    let restart = Command::Restart {
        actor: "c1".into(),
        configs: Default::default(),
    };
    play.act(12_000, restart).to(12_000);
    assert_eq!(play.state(), Some(GroupState::PreparingRebalance));
    play.to(53_999);
    assert_eq!(play.owned("c1"), [0; 0]);
    play.to(54_000);
    assert_eq!((play.generation(), play.owned("c1")), (2, vec![0, 1, 2, 3]));
}

#[test]
fn a_frozen_process_loses_its_partitions_and_learns_of_it_when_it_thaws() {
    let mut setup = ideal(2);
    start(&mut setup, 0, consumer("c1", FAST));
    start(&mut setup, 0, consumer("c2", FAST));
    let mut play = Play::new(setup);
    play.to(10_000);
    assert_eq!((play.owned("c1"), play.owned("c2")), (vec![0], vec![1]));
    let freeze = Command::Freeze { actor: "c1".into() };
    play.act(10_500, freeze).to(30_000);
    assert_eq!(play.owned("c2"), [0, 1]);
    assert_eq!(play.owned("c1"), [0], "it still believes so");
    let thaw = Command::Thaw { actor: "c1".into() };
    play.act(30_500, thaw).to(40_000);
    assert_eq!(play.state(), Some(GroupState::Stable));
    assert_eq!((play.owned("c1").len(), play.owned("c2").len()), (1, 1));
    let lost = play.times(|kind| {
        matches!(kind, FactKind::CallbackCalled { callback: Callback::Lost, member, .. }
            if &*member.actor == "c1")
    });
    // Its heartbeat thread finds the session over and looks for the coordinator first.
    assert!(
        matches!(lost[..], [at] if (30_500..31_000).contains(&at)),
        "{lost:?}"
    );
}

#[test]
fn nothing_comes_from_a_process_after_its_death() {
    let mut setup = ideal(2);
    start(&mut setup, 0, consumer("c1", FAST));
    start(&mut setup, 0, consumer("c2", FAST));
    let mut play = Play::new(setup);
    play.act(9_000, kill("c1")).to(60_000);
    let from_c1 =
        play.times(|kind| matches!(kind, FactKind::RequestSent { from, .. } if &**from == "c1"));
    assert!(from_c1.last().is_some_and(|last| *last <= 9_000));
    assert_eq!(play.owned("c2"), [0, 1]);
}
