//! I-009 and I-038: members come and go, eager and cooperative.

use crate::support::{Play, configs, consumer, group, ideal};
use regroup::kafka::fact::{FactKind, GroupState};
use regroup::world::command::{Command, Rollout};
use regroup::world::setup::{ConsumerSpec, Setup};

fn member(name: &str, assignor: &str) -> ConsumerSpec {
    let pairs = [
        ("partition.assignment.strategy", assignor),
        ("enable.auto.commit", "false"),
    ];
    consumer(name, &pairs)
}

fn third_consumer_joins(assignor: &str, before: [&[i32]; 2]) -> Play {
    let mut setup: Setup = ideal(6);
    let members = [
        (member("c1", assignor), before[0]),
        (member("c2", assignor), before[1]),
    ];
    group(&mut setup, 1, 0, &members);
    let mut play = Play::new(setup);
    let add = Command::AddConsumers {
        consumers: vec![member("c3", assignor)],
    };
    play.act(10_000, add);
    play
}

#[test]
fn with_range_everything_stops_once_and_is_dealt_anew() {
    let mut play = third_consumer_joins("range", [&[0, 1, 2], &[3, 4, 5]]);
    play.to(11_999);
    assert_eq!(play.generation(), 1);
    play.to(12_000);
    assert_eq!(
        (play.generation(), play.state()),
        (2, Some(GroupState::Stable))
    );
    assert_eq!(play.owned("c1"), [0, 1]);
    assert_eq!(play.owned("c2"), [2, 3]);
    assert_eq!(play.owned("c3"), [4, 5]);
    let released = play.times(|kind| matches!(kind, FactKind::Release { .. }));
    assert_eq!(released, [12_000; 6]);
}

#[test]
fn cooperative_moves_only_what_must_move_and_takes_two_generations() {
    let mut play = third_consumer_joins("cooperative-sticky", [&[0, 2, 4], &[1, 3, 5]]);
    play.to(12_000);
    assert_eq!(play.generation(), 2);
    assert_eq!(
        (play.owned("c1"), play.owned("c2")),
        (vec![0, 2], vec![1, 3])
    );
    assert_eq!(play.owned("c3"), [0; 0]);
    play.to(14_999);
    assert_eq!(play.generation(), 2);
    play.to(15_000);
    assert_eq!(
        (play.generation(), play.state()),
        (3, Some(GroupState::Stable))
    );
    assert_eq!(
        (play.owned("c1"), play.owned("c2")),
        (vec![0, 2], vec![1, 3])
    );
    assert_eq!(play.owned("c3"), [4, 5]);
    let released = play.times(|kind| matches!(kind, FactKind::Release { .. }));
    assert_eq!(released, [12_000; 2]);
}

fn eight_consumers(assignor: &str) -> Play {
    let mut setup = ideal(5);
    let names = ["c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"];
    let numbers: Vec<[i32; 1]> = (0..5).map(|number| [number]).collect();
    let members: Vec<(ConsumerSpec, &[i32])> = names
        .iter()
        .enumerate()
        .map(|(place, name)| {
            let owned = numbers.get(place).map_or(&[][..], |owned| &owned[..]);
            (member(name, assignor), owned)
        })
        .collect();
    group(&mut setup, 1, 0, &members);
    let mut play = Play::new(setup);
    let close = Command::Close { actor: "c2".into() };
    play.act(10_000, close).to(30_000);
    play
}

#[test]
fn a_standby_gets_the_partition_that_is_free_if_the_assignor_is_sticky() {
    let play = eight_consumers("cooperative-sticky");
    let owned = ["c1", "c3", "c4", "c5", "c6", "c7", "c8"].map(|name| play.owned(name));
    assert_eq!(
        owned,
        [vec![0], vec![2], vec![3], vec![4], vec![1], vec![], vec![]]
    );
}

#[test]
fn with_range_all_behind_a_leaver_move_up() {
    let play = eight_consumers("range");
    let owned = ["c1", "c3", "c4", "c5", "c6", "c7", "c8"].map(|name| play.owned(name));
    assert_eq!(
        owned,
        [vec![0], vec![1], vec![2], vec![3], vec![4], vec![], vec![]]
    );
}

#[test]
fn an_assignor_is_switched_by_a_full_restart_or_by_one_bounce_after_the_other() {
    for how in [Rollout::FullRestart, Rollout::RollingBounce] {
        let mut setup = ideal(6);
        let both = "range,roundrobin";
        let members: [(ConsumerSpec, &[i32]); 2] = [
            (member("c1", both), &[0, 1, 2]),
            (member("c2", both), &[3, 4, 5]),
        ];
        group(&mut setup, 1, 0, &members);
        setup.groups[0].assignor = Some("range".into());
        let mut play = Play::new(setup);
        let switch = Command::SwitchAssignor {
            group: "g".into(),
            strategy: vec!["roundrobin".into()],
            how,
        };
        play.act(10_000, switch).to(60_000);
        assert_eq!(play.state(), Some(GroupState::Stable), "{how:?}");
        assert_eq!(
            play.owned("c1").len() + play.owned("c2").len(),
            6,
            "{how:?}"
        );
        assert_eq!(play.owned("c1"), [0, 2, 4], "{how:?}");
        let stopped = play.times(|kind| matches!(kind, FactKind::Stopped { .. }));
        assert_eq!(stopped.len(), 2);
        assert_eq!(stopped[0] == stopped[1], how == Rollout::FullRestart);
    }
}

#[test]
fn partitions_that_are_added_are_found_by_the_leader_at_its_next_look() {
    let mut setup = ideal(2);
    let mut spec = member("c1", "range");
    spec.configs
        .extend(configs(&[("metadata.max.age.ms", "20000")]));
    group(&mut setup, 1, 0, &[(spec, &[0, 1])]);
    let mut play = Play::new(setup);
    let add = Command::AddPartitions {
        topic: "orders".into(),
        total: 4,
    };
    play.act(5_000, add).to(19_999);
    assert_eq!(play.owned("c1"), [0, 1]);
    play.to(20_000);
    assert_eq!(play.owned("c1"), [0, 1, 2, 3]);
}
