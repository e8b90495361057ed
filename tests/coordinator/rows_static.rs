//! A static member that comes back without its id (KIP-345).

use crate::rows;

rows! {
    a_follower_is_replaced_without_a_rebalance: "use static
        1000 d join inst=i2 => d: d1 g5 range of a1
        1000 ? state=Stable members=a1,d1 leader=a1 session.d1=7000 session.b1=- joined=
        1100 b beat id=b1 inst=i2 => b: 82
        1100 b beat id=b1 => b: 25
        1200 d sync id=d1 inst=i2 => d: [t2 t3]
        1300 d beat id=d1 inst=i2 => d: 0";
    a_leader_is_told_to_skip_the_assignment: "use static
        0 d join inst=i1 => d: d1 g5 range of d1 [d1/i1 b1/i2] skip
        0 ? state=Stable leader=d1";
    before_v9_a_leader_is_told_its_old_id: "use static
        0 d join v=8 inst=i1 => d: d1 g5 range of a1
        0 ? state=Stable leader=d1";
    before_v9_a_follower_is_told_the_leader: "use static
        0 d join v=8 inst=i2 => d: d1 g5 range of a1
        0 ? leader=a1";
    other_topics_under_the_same_protocol_do_not_rebalance: "use static
        0 d join inst=i2 with=range:u => d: d1 g5 range of a1
        0 ? state=Stable";
    another_protocol_rebalances: "0 a join inst=i1 => -
        3000 => a: a1 g1 range of a1 [a1/i1]
        3100 a sync id=a1 inst=i1 gen=1 give=a1:t0 => a: [t0]
        3200 b join inst=i1 with=sticky,range => b: b1 g2 sticky of b1 [b1/i1]";
    completing_starts_over: "use static
        0 a join id=a1 inst=i1 => -
        100 b join id=b1 inst=i2 => a: a1 g6 range of a1 [a1/i1 b1/i2] | b: b1 g6 range of a1
        200 b sync id=b1 inst=i2 gen=6 => -
        300 d join inst=i2 => b: 82
        300 ? state=PreparingRebalance joined=d1 members=a1,d1";
    preparing_waits_for_the_rest: "use static
        0 c join v=3 => -
        50 b join id=b1 inst=i2 => -
        100 d join inst=i2 => b: 82 b1
        100 ? joined=d1,c1 members=a1,d1,c1
        200 a join id=a1 inst=i1 => a: a1 g6 range of a1 [a1/i1 d1/i2 c1] | d: d1 g6 range of a1 | c: c1 g6 range of a1";
    the_replacement_is_stored_first: "set append=10
        use static
        0 d join inst=i2 => -
        0 ? members=a1,d1 joined=d1 state=Stable
        10 => d: d1 g5 range of a1";
    a_follower_goes_on_although_a_rebalance_began: "set append=10
        use static
        0 d join inst=i2 => -
        5 c join v=3 => -
        10 => d: d1 g5 range of a1
        10 ? state=PreparingRebalance joined=c1";
    a_leader_takes_part_in_a_rebalance_that_began: "set append=10
        use static
        0 d join inst=i1 => -
        5 c join v=3 => -
        10 => -
        20 b join id=b1 inst=i2 => d: d1 g6 range of d1 [d1/i1 b1/i2 c1] | b: b1 g6 range of d1 | c: c1 g6 range of d1";
    the_newest_of_three_processes_wins: "use static
        0 d join inst=i2 => d: d1 g5 range of a1
        100 e join inst=i2 => e: e1 g5 range of a1
        200 d beat id=d1 inst=i2 => d: 82
        200 b beat id=b1 inst=i2 => b: 82
        200 e beat id=e1 inst=i2 => e: 0";
    a_static_member_with_its_id_is_a_known_member: "use static
        0 b join id=b1 inst=i2 => b: b1 g5 range of a1
        0 b join id=b1 => b: b1 g5 range of a1
        0 a join id=a1 inst=i1 => -
        0 ? state=PreparingRebalance";
    a_restart_between_join_and_sync_leaves_the_sync_timer_running: "use static
        0 a join id=a1 inst=i1 => -
        100 b join id=b1 inst=i2 => a: a1 g6 range of a1 [a1/i1 b1/i2] | b: b1 g6 range of a1
        200 a sync id=a1 inst=i1 gen=6 give=a1:t0,b1:t1 => a: [t0]
        300 d join inst=i2 => d: d1 g6 range of a1
        400 d sync id=d1 inst=i2 gen=6 => d: [t1]
        400 ? unsynced=b1 sync=10100
        5000 a beat id=a1 inst=i1 gen=6 => a: 0
        5000 d beat id=d1 inst=i2 gen=6 => d: 0
        10000 a beat id=a1 inst=i1 gen=6 => a: 0
        10000 d beat id=d1 inst=i2 gen=6 => d: 0
        10100 ? state=PreparingRebalance members=a1,d1";
}
