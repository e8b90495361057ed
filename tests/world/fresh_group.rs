//! I-007: why a single fresh consumer waits three seconds.

use crate::support::{Play, consumer, ideal, start};
use regroup::kafka::fact::GroupState;

#[test]
fn a_single_fresh_consumer_gets_its_partitions_after_the_initial_delay() {
    let mut setup = ideal(3);
    start(&mut setup, 0, consumer("c1", &[]));
    let mut play = Play::new(setup);
    play.to(2_999);
    assert_eq!(play.state(), Some(GroupState::PreparingRebalance));
    assert_eq!(play.owned("c1"), [0; 0]);
    play.to(3_000);
    assert_eq!(
        (play.generation(), play.state()),
        (1, Some(GroupState::Stable))
    );
    assert_eq!(play.owned("c1"), [0, 1, 2]);
}

#[test]
fn a_second_joiner_buys_one_more_whole_delay() {
    let mut setup = ideal(3);
    start(&mut setup, 0, consumer("c1", &[]));
    start(&mut setup, 1, consumer("c2", &[]));
    let mut play = Play::new(setup);
    play.to(3_000);
    assert_eq!(play.state(), Some(GroupState::PreparingRebalance));
    play.to(5_999);
    assert_eq!(play.generation(), 0);
    play.to(6_000);
    assert_eq!(
        (play.generation(), play.state()),
        (1, Some(GroupState::Stable))
    );
    assert_eq!((play.owned("c1"), play.owned("c2")), (vec![0, 1], vec![2]));
}
