//! LeaveGroup and session timers: every case of spec/02 in every state.

use crate::{completing, preparing, rows};

rows! {
    no_group_is_25_for_each: "0 a leave who=a1,b1 => a: 0 [a1:25 b1:25]
        0 a leave v=1 who=a1 => a: 25 [a1:25]
        0 a leave group= who=a1 => a: 24 []";
    empty_knows_no_member: "use empty
        0 a leave who=a1 => a: 0 [a1:25]";
    empty_forgets_a_pending_id: "use empty
        0 a join => a: 79 a1
        10 a leave who=a1 => a: 0 [a1:0]
        10 ? state=Empty pending= session.a1=-";
    stable_rebalances: "use stable
        1000 b leave who=b1 => b: 0 [b1:0]
        1000 ? state=PreparingRebalance members=a1 leader=a1 session.b1=- rebalance=11000";
    the_oldest_becomes_leader: "use stable
        0 a leave who=a1 => a: 0 [a1:0]
        0 ? leader=b1";
    the_last_to_leave_empties_the_group: "use alone
        1000 a leave who=a1 => a: 0 [a1:0]
        1000 ? state=Empty gen=6 leader= protocol= members= rebalance=-";
    a_batch_is_one_rebalance: "use stable
        0 c leave who=b1,x1,a1 => c: 0 [b1:0 x1:25 a1:0]
        0 ? state=Empty gen=6";
    an_instance_can_be_removed_without_its_id: "use static
        0 c leave who=/i2,/i9, => c: 0 [/i2:0 /i9:25 :25]
        0 ? state=PreparingRebalance members=a1";
    stable_refuses_strangers: "use static
        0 c leave who=x1 => c: 0 [x1:25]
        0 c leave who=x1/i1 => c: 0 [x1/i1:82]
        0 c leave who=a1/i9 => c: 0 [a1/i9:25]
        0 ? state=Stable members=a1,b1";
    before_v3_the_error_is_that_of_the_request: "use stable
        0 c leave v=2 who=x1 => c: 25 [x1:25]
        0 b leave v=2 who=b1 => b: 0 [b1:0]
        0 ? members=a1";
    stable_forgets_a_pending_id_and_rebalances: "use stable
        0 c join => c: 79 c1
        10 c leave who=c1 => c: 0 [c1:0]
        10 ? pending= session.c1=- state=PreparingRebalance";
    preparing_ends_when_the_last_awaited_leaves: concat!(preparing!(), "
        100 a join id=a1 => -
        200 b leave who=b1 => a: a1 g6 range of a1 [a1 c1] | c: c1 g6 range of a1 | b: 0 [b1:0]");
    preparing_ends_when_the_last_pending_id_leaves: concat!(preparing!(), "
        100 d join => d: 79 d1
        200 a join id=a1 => -
        300 b join id=b1 => -
        400 d leave who=d1 => a: a1 g6 range of a1 [a1 b1 c1] | b: b1 g6 range of a1 | c: c1 g6 range of a1 \
            | d: 0 [d1:0]");
    preparing_goes_on_without_a_waiting_member: concat!(preparing!(), "
        100 d leave who=c1,x1 => c: 25 | d: 0 [c1:0 x1:25]
        100 ? state=PreparingRebalance members=a1,b1 session.c1=-");
    preparing_lets_an_instance_be_removed: "use static
        0 c join v=3 => -
        10 d leave who=/i2 => d: 0 [/i2:0]
        20 a leave who=a1/i1 => c: c1 g6 range of c1 [c1] | a: 0 [a1/i1:0]";
    completing_starts_over: concat!(completing!(), "
        200 b sync id=b1 gen=6 => -
        300 a leave who=a1 => b: 27 | a: 0 [a1:0]
        300 ? state=PreparingRebalance members=b1 leader=b1 session.b1=6300");
    completing_forgets_a_pending_id: concat!(completing!(), "
        200 c join => c: 79 c1
        300 c leave who=c1,x1 => c: 0 [c1:0 x1:25]
        300 ? state=PreparingRebalance pending=");
    a_removed_member_that_waits_for_its_assignment_waits_in_vain: "use static
        0 a join id=a1 inst=i1 => -
        100 b join id=b1 inst=i2 => a: a1 g6 range of a1 [a1/i1 b1/i2] | b: b1 g6 range of a1
        200 b sync id=b1 inst=i2 gen=6 => -
        300 c leave who=/i2 => c: 0 [/i2:0]
        400 b beat id=b1 inst=i2 => -
        500 b close";
    the_empty_group_is_stored_before_the_answer: "set append=10
        use alone
        0 a leave who=a1 => -
        0 ? state=Empty
        10 => a: 0 [a1:0]";
    in_scala_the_answer_does_not_wait: "set append=10 scala
        use alone
        0 a leave who=a1 => a: 0 [a1:0]";
}

/// Session timers.
pub mod session {
    use crate::{completing, preparing, rows};

    rows! {
        a_silent_member_is_out_of_a_stable_group: "use stable
            3000 a beat id=a1 => a: 0
            5999 ? members=a1,b1 state=Stable
            6000 ? members=a1 state=PreparingRebalance rebalance=16000
            6001 b beat id=b1 => b: 25
            6500 a beat id=a1 => a: 27";
        all_silent_members_leave_an_empty_group: "use stable
            6000 ? state=Empty gen=6 members=";
        who_is_silent_is_waited_for_until_the_session_ends: concat!(preparing!(), "
            100 a join id=a1 => -
            6000 => a: a1 g6 range of a1 [a1 c1] | c: c1 g6 range of a1");
        a_heartbeat_during_the_rebalance_counts: concat!(preparing!(), "
            100 a join id=a1 => -
            4000 b beat id=b1 => b: 27
            9999 => -
            10000 => a: a1 g6 range of a1 [a1 c1] | c: c1 g6 range of a1");
        a_silent_leader_makes_completing_start_over: concat!(completing!(), "
            5000 b beat id=b1 gen=6 => b: 0
            6100 ? state=PreparingRebalance members=b1 leader=b1");
        a_new_member_that_waits_is_out_after_five_minutes: "0 a join v=3 session=1800000 rebalance=900000 => -
            3000 => a: a1 g1 range of a1 [a1]
            3100 a sync id=a1 gen=1 give=a1:t0 => a: [t0]
            4000 b join v=3 rebalance=900000 => -
            4000 ? session.b1=304000
            303999 => -
            304000 => b: 25
            304000 ? members=a1 state=PreparingRebalance";
        a_member_that_waits_for_others_is_not_out: "0 a join v=3 => -
            3000 => a: a1 g1 range of a1 [a1]
            3100 a sync id=a1 gen=1 give=a1:t0 => a: [t0]
            4000 a join id=a1 with=range:u => a: a1 g2 range of a1 [a1]
            5000 b join v=3 => -
            5100 a join id=a1 with=range => a: a1 g3 range of a1 [a1 b1] | b: b1 g3 range of a1";
        a_pending_id_ends_with_its_session: "use empty
            0 a join session=7000 => a: 79 a1
            6999 ? pending=a1
            7000 ? pending= state=Empty
            7001 a join id=a1 => a: 25 a1";
        a_pending_id_that_ends_leaves_a_stable_group_alone: "use stable
            0 c join => c: 79 c1
            5000 a beat id=a1 => a: 0
            5000 b beat id=b1 => b: 0
            6000 ? pending= state=Stable gen=5";
        a_pending_id_that_ends_leaves_completing_alone: concat!(completing!(), "
            100 c join => c: 79 c1
            5000 a beat id=a1 gen=6 => a: 0
            5000 b beat id=b1 gen=6 => b: 0
            6100 ? pending= state=CompletingRebalance");
        a_pending_id_holds_a_rebalance_up_until_its_session_ends: concat!(preparing!(), "
            100 d join => d: 79 d1
            200 a join id=a1 => -
            300 b join id=b1 => -
            6099 => -
            6100 => a: a1 g6 range of a1 [a1 b1 c1] | b: b1 g6 range of a1 | c: c1 g6 range of a1");
        a_connection_that_closes_does_not_end_a_membership: "use alone
            0 c join v=3 => -
            1 c close
            2 a join id=a1 => a: a1 g6 range of a1 [a1 c1]
            2 ? members=a1,c1 session.c1=6002";
    }
}

/// One request in work per connection.
pub mod connection {
    use crate::rows;

    rows! {
        requests_wait_behind_a_parked_one: "use alone
            0 c join v=3 => -
            1 c beat id=c1 gen=6 => -
            2 c fetch => -
            3 a join id=a1 => a: a1 g6 range of a1 [a1 c1] | c: c1 g6 range of a1 | c: 0 | c: t0:-1";
        other_connections_do_not_wait: "use alone
            0 c join v=3 => -
            1 d beat id=c1 => d: 27";
        what_waits_on_a_closed_connection_is_lost: "use alone
            0 c join v=3 => -
            1 c leave who=c1 => -
            2 c close
            3 a join id=a1 => a: a1 g6 range of a1 [a1 c1]
            3 ? members=a1,c1";
    }
}
