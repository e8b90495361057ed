//! I-014: a static member that comes back inside its session.

use crate::support::{Play, consumer, feed, group, ideal};
use regroup::kafka::fact::{FactKind, GroupState, PositionCause};
use regroup::world::command::Command;
use regroup::world::setup::ConsumerSpec;

fn member(name: &str) -> ConsumerSpec {
    let pairs = [
        ("group.instance.id", name),
        ("partition.assignment.strategy", "range"),
    ];
    consumer(name, &pairs)
}

fn play() -> Play {
    let mut setup = ideal(2);
    feed(&mut setup);
    group(
        &mut setup,
        1,
        0,
        &[(member("s1"), &[0]), (member("s2"), &[1])],
    );
    let mut play = Play::new(setup);
    let close = Command::Close { actor: "s1".into() };
    play.act(11_000, close);
    play
}

#[test]
fn it_gets_its_partitions_back_and_nobody_else_notices() {
    let mut play = play();
    let restart = Command::Restart {
        actor: "s1".into(),
        configs: Default::default(),
    };
    play.act(21_000, restart).to(21_000);
    assert_eq!(
        (play.generation(), play.state()),
        (1, Some(GroupState::Stable))
    );
    assert_eq!(play.owned("s1"), [0]);
    let start = play.facts.iter().rev().find_map(|fact| match &fact.kind {
        FactKind::PositionSet {
            member,
            offset,
            cause,
            ..
        } if &*member.actor == "s1" => Some((offset.0, *cause)),
        _ => None,
    });
    assert_eq!(start, Some((110, PositionCause::Committed)));
    let s2_lost = play
        .times(|kind| matches!(kind, FactKind::Release { member, .. } if &*member.actor == "s2"));
    assert!(s2_lost.is_empty());
}

#[test]
fn the_commit_in_close_was_the_last_that_the_coordinator_heard() {
    let mut play = play();
    play.to(55_999);
    assert_eq!(play.state(), Some(GroupState::Stable));
    play.to(56_000);
    assert_eq!(play.state(), Some(GroupState::PreparingRebalance));
}
