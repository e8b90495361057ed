//! SyncGroup and Heartbeat: every case of spec/02 in every state.

use crate::{completing, preparing, rows};

rows! {
    no_group_is_25: "0 a sync id=a1 => a: 25
        0 a sync group= => a: 24";
    empty_is_25: "use empty
        0 a sync id=a1 => a: 25";
    stable_repeats_the_assignment: "use stable
        1000 a sync id=a1 => a: [t0 t1]
        1000 b sync id=b1 type=consumer protocol=range => b: [t2 t3]
        1000 ? session.a1=6000 session.b1=6000";
    stable_refuses_what_does_not_fit: "use static
        0 c sync id=x1 gen=4 => c: 25
        0 c sync id=a1 inst=i9 gen=4 => c: 25
        0 c sync id=x1 inst=i1 gen=4 => c: 82
        0 c sync id=a1 gen=4 type=connect => c: 22
        0 c sync id=a1 gen=6 => c: 22
        0 c sync id=a1 type=connect => c: 23
        0 c sync id=a1 protocol=sticky => c: 23";
    preparing_is_27: concat!(preparing!(), "
        100 a sync id=a1 => a: 27
        100 b sync id=b1 => b: 27
        100 ? session.a1=6000
        100 d sync id=x1 => d: 25
        100 d sync id=a1 gen=6 => d: 22
        100 d sync id=a1 protocol=sticky => d: 23");
    preparing_fences: "use static
        0 c join v=3 => -
        100 d sync id=x1 inst=i1 => d: 82";
    completing_refuses_what_does_not_fit: concat!(completing!(), "
        200 d sync id=x1 gen=6 => d: 25
        200 d sync id=a1 gen=5 => d: 22
        200 d sync id=a1 gen=6 protocol=sticky => d: 23
        200 ? state=CompletingRebalance unsynced=a1,b1");
    completing_fences: "use static
        0 a join id=a1 inst=i1 => -
        100 b join id=b1 inst=i2 => a: a1 g6 range of a1 [a1/i1 b1/i2] | b: b1 g6 range of a1
        200 d sync id=x1 inst=i1 gen=6 => d: 82
        200 d beat id=x1 inst=i1 gen=6 => d: 82
        200 d leave who=x1/i1 => d: 0 [x1/i1:82]
        200 d commit id=x1 inst=i1 gen=6 => d: t0:82";
    followers_wait_for_the_leader: concat!(completing!(), "
        200 b sync id=b1 gen=6 => -
        200 ? syncing=b1 unsynced=a1 sync=10100
        300 a sync id=a1 gen=6 give=a1:t0.t1,b1:t2 => a: [t0 t1] | b: [t2]
        300 ? state=Stable sync=- unsynced= session.a1=6300 session.b1=6300");
    a_late_follower_finds_its_assignment: concat!(completing!(), "
        200 a sync id=a1 gen=6 give=a1:t0,b1:t2 => a: [t0]
        200 ? state=Stable unsynced=b1 sync=10100
        300 b sync id=b1 gen=6 => b: [t2]
        300 ? sync=- unsynced= session.b1=6100");
    who_is_left_out_gets_nothing: concat!(completing!(), "
        200 a sync id=a1 gen=6 give=a1:t0,x1:t1 => a: [t0]
        300 b sync id=b1 gen=6 => b: nothing");
    the_last_share_for_a_member_counts: concat!(completing!(), "
        200 a sync id=a1 gen=6 give=a1:t0,a1:t1 => a: [t1]");
    the_assignment_is_stored_first: concat!("set append=15\n", completing!(), "
        200 b sync id=b1 gen=6 => -
        200 a sync id=a1 gen=6 give=a1:t0,b1:t2 => -
        200 ? state=CompletingRebalance unsynced= sync=-
        215 => a: [t0] | b: [t2]
        215 ? state=Stable session.b1=6215");
    an_assignment_that_is_overtaken_is_void: concat!("set append=15\n", completing!(), "
        200 a sync id=a1 gen=6 give=a1:t0,b1:t2 => -
        205 c join v=3 => a: 27
        215 => -
        215 ? state=PreparingRebalance
        220 a sync id=a1 gen=6 => a: 27");
    an_assignment_of_an_older_generation_is_void: concat!("set append=15\n", completing!(), "
        200 a sync id=a1 gen=6 give=a1:t0,b1:t2 => -
        205 b join id=b1 with=range:u => a: 27
        210 a join id=a1 => a: a1 g7 range of a1 [a1 b1] | b: b1 g7 range of a1
        215 => -
        215 ? state=CompletingRebalance");
    a_second_sync_replaces_the_first: concat!(completing!(), "
        200 b sync id=b1 gen=6 => -
        250 d sync id=b1 gen=6 => -
        300 a sync id=a1 gen=6 give=b1:t2 => a: nothing | d: [t2]");
    who_waits_for_the_leader_does_not_expire: concat!(completing!(), "
        200 b sync id=b1 gen=6 => -
        5000 a beat id=a1 gen=6 => a: 0
        6100 => -
        6100 ? members=a1,b1 state=CompletingRebalance session.b1=-
        7000 a sync id=a1 gen=6 give=b1:t2 => a: nothing | b: [t2]
        7000 ? session.b1=13000");
    who_does_not_sync_in_time_is_out: concat!(completing!(), "
        200 b sync id=b1 gen=6 => -
        5000 a beat id=a1 gen=6 => a: 0
        10000 a beat id=a1 gen=6 => a: 0
        10100 => b: 27
        10100 ? state=PreparingRebalance members=b1 leader=b1 session.a1=- rebalance=20100 sync=-");
    nobody_syncs_and_the_group_is_empty: concat!(completing!(), "
        5000 a beat id=a1 gen=6 => a: 0
        5000 b beat id=b1 gen=6 => b: 0
        10000 a beat id=a1 gen=6 => a: 0
        10000 b beat id=b1 gen=6 => b: 0
        10100 => -
        10100 ? state=Empty gen=7 members= leader=");
    a_follower_that_does_not_sync_is_out_of_a_stable_group: concat!(completing!(), "
        200 a sync id=a1 gen=6 give=a1:t0 => a: [t0]
        5000 a beat id=a1 gen=6 => a: 0
        5000 b beat id=b1 gen=6 => b: 0
        10000 a beat id=a1 gen=6 => a: 0
        10000 b beat id=b1 gen=6 => b: 0
        10100 ? state=PreparingRebalance members=a1 session.b1=-");
    an_absent_static_member_is_out_when_it_does_not_sync: "use static
        0 c join v=3 => -
        5000 a beat id=a1 inst=i1 => a: 27
        5000 b beat id=b1 inst=i2 => b: 27
        10000 => c: c1 g6 range of c1 [a1/i1 b1/i2 c1]
        10100 c sync id=c1 gen=6 give=c1:t0 => c: [t0]
        15000 a beat id=a1 inst=i1 gen=6 => a: 0
        15000 b beat id=b1 inst=i2 gen=6 => b: 0
        15000 c beat id=c1 gen=6 => c: 0
        20000 ? state=PreparingRebalance members=c1";
}

/// Heartbeat.
pub mod heartbeat {
    use crate::{completing, preparing, rows};

    rows! {
        no_group_is_25: "0 a beat id=a1 => a: 25
            0 a beat group= => a: 24";
        empty_is_25: "use empty
            0 a beat id=a1 => a: 25";
        stable_is_0_and_restarts_the_session: "use stable
            1000 a beat id=a1 => a: 0
            1000 ? session.a1=7000 session.b1=6000";
        stable_refuses_what_does_not_fit: "use static
            1000 c beat id=x1 gen=4 => c: 25
            1000 c beat => c: 25
            1000 c beat id=a1 inst=i9 gen=4 => c: 25
            1000 c beat id=b1 inst=i1 gen=4 => c: 82
            1000 c beat id=a1 gen=4 => c: 22
            1000 c beat id=a1 gen=6 => c: 22
            1000 ? session.a1=6000";
        a_pending_id_is_unknown: "use stable
            0 c join => c: 79 c1
            1000 c beat id=c1 => c: 25
            1000 ? session.c1=6000";
        preparing_is_27_and_restarts_the_session: concat!(preparing!(), "
            1000 a beat id=a1 => a: 27
            1000 ? session.a1=7000
            1000 b beat id=b1 gen=6 => b: 22
            1000 d beat id=x1 => d: 25");
        preparing_fences: "use static
            0 c join v=3 => -
            100 d beat id=x1 inst=i1 => d: 82
            100 d leave who=x1/i1 => d: 0 [x1/i1:82]
            100 d commit id=x1 inst=i1 => d: t0:82";
        completing_is_0_and_restarts_the_session: concat!(completing!(), "
            1000 a beat id=a1 gen=6 => a: 0
            1000 ? session.a1=7000
            1000 b beat id=b1 gen=5 => b: 22
            1000 d beat id=x1 gen=6 => d: 25");
        an_answer_does_not_overtake_a_write: concat!("set append=10\n", completing!(), "
            200 a sync id=a1 gen=6 give=a1:t0 => -
            205 b beat id=b1 gen=6 => -
            205 d beat id=x1 => d: 25
            210 => a: [t0] | b: 0");
        in_scala_answers_are_free: concat!("set append=10 scala\n", completing!(), "
            200 a sync id=a1 gen=6 give=a1:t0 => -
            205 b beat id=b1 gen=6 => b: 0
            210 => a: [t0]");
    }
}
