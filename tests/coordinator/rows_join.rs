//! JoinGroup: every case of spec/02 in every state.

use crate::{completing, preparing, rows};

rows! {
    no_group_and_an_id_is_25: "0 a join id=x1 => a: 25 x1
        0 ? group=gone";
    no_group_id_is_24: "0 a join group= session=1 => a: 24";
    a_session_timeout_out_of_bounds_is_26: "0 a join session=5999 => a: 26
        1 a join session=1800001 => a: 26
        2 a join session=1800000 => a: 79 a1";
    another_broker_is_16: "set elsewhere
        0 a join => a: 16
        0 a sync => a: 16
        0 a beat => a: 16
        0 a leave who=a1 => a: 16 []
        0 a commit => a: t0:16
        0 a fetch => a: 16";

    empty_gives_an_id_and_stays_empty: "use empty
        0 a join => a: 79 a1
        0 ? state=Empty members= pending=a1 session.a1=6000 initial=-";
    empty_takes_an_old_client_at_once: "use empty
        0 a join v=3 => -
        0 ? state=PreparingRebalance joined=a1 new=a1 leader=a1 initial=3000 session.a1=300000
        3000 => a: a1 g6 range of a1 [a1]
        3000 ? state=CompletingRebalance new= unsynced=a1 session.a1=9000 sync=13000";
    empty_takes_a_pending_id: "use empty
        0 a join => a: 79 a1
        500 a join id=a1 => -
        500 ? state=PreparingRebalance pending= joined=a1 initial=3500 session.a1=300500";
    empty_takes_a_static_member_at_once: "use empty
        0 a join inst=i1 => -
        3000 => a: a1 g6 range of a1 [a1/i1]";
    empty_knows_no_member: "use empty
        0 a join id=x1 => a: 25 x1
        0 a join id=x1 inst=i1 => a: 25 x1";
    empty_wants_a_type_and_protocols: "use empty
        0 a join with= => a: 23
        0 a join type= => a: 23
        0 ? state=Empty pending=";
    empty_takes_any_type: "use empty
        0 a join v=3 type=connect with=default => -
        3000 => a: a1 g6 default of a1 [a1]";

    stable_gives_an_id_and_stays_stable: "use stable
        0 c join => c: 79 c1
        0 ? state=Stable pending=c1 members=a1,b1 session.c1=6000 rebalance=-";
    stable_takes_an_old_client_at_once: "use stable
        0 c join v=3 => -
        0 ? state=PreparingRebalance joined=c1 rebalance=10000 initial=- session.c1=300000";
    stable_takes_a_pending_id: "use stable
        0 c join => c: 79 c1
        100 c join id=c1 => -
        100 ? state=PreparingRebalance pending= joined=c1 rebalance=10100
        200 a beat id=a1 => a: 27
        300 b join id=b1 => -
        400 a join id=a1 => a: a1 g6 range of a1 [a1 b1 c1] | b: b1 g6 range of a1 | c: c1 g6 range of a1
        400 ? state=CompletingRebalance sync=10400 rebalance=- unsynced=a1,b1,c1 session.c1=6400";
    stable_takes_a_new_static_member: "use stable
        0 c join inst=i9 => -
        0 ? state=PreparingRebalance members=a1,b1,c1 joined=c1";
    stable_answers_an_unchanged_follower: "use stable
        1000 b join id=b1 => b: b1 g5 range of a1
        1000 ? state=Stable session.b1=6000";
    stable_rebalances_for_a_follower_with_other_topics: "use stable
        0 b join id=b1 with=range:u => -
        0 ? state=PreparingRebalance joined=b1 session.b1=6000";
    stable_rebalances_for_a_follower_with_one_more_protocol: "use stable
        0 b join id=b1 with=range,sticky => -
        0 ? state=PreparingRebalance";
    stable_rebalances_for_its_leader: "use stable
        0 a join id=a1 => -
        0 ? state=PreparingRebalance joined=a1";
    stable_refuses_other_protocols: "use stable
        0 c join with=sticky => c: 23
        0 c join type=connect => c: 23
        0 b join id=b1 with=sticky => b: 23 b1
        0 ? state=Stable members=a1,b1 pending=";
    stable_refuses_strangers: "use static
        0 c join id=x1 => c: 25 x1
        0 c join id=a1 inst=i9 => c: 25 a1
        0 c join id=x1 inst=i1 => c: 82 x1
        0 ? state=Stable";
    a_full_group_refuses_new_members_only: "set max_size=2
        use stable
        0 c join v=3 => c: 81
        0 c join => c: 81
        0 b join id=b1 => b: b1 g5 range of a1
        0 ? state=Stable members=a1,b1 pending=";
    a_pending_id_is_never_static: "use stable
        0 c join => c: 79 c1
        1 c join id=c1 inst=i1 => c: -1";
    a_pending_id_of_a_full_group_is_forgotten: "set max_size=2
        use alone
        0 c join => c: 79 c1
        1 d join v=3 => -
        2 a join id=a1 => -
        3 c join id=c1 => c: 81
        3 ? pending= state=PreparingRebalance session.c1=-
        10001 => a: a1 g6 range of a1 [a1 d1] | d: d1 g6 range of a1";

    preparing_gives_an_id_and_waits_for_it: concat!(preparing!(), "
        100 d join => d: 79 d1
        200 a join id=a1 => -
        300 b join id=b1 => -
        300 ? state=PreparingRebalance pending=d1 joined=a1,b1,c1
        400 d join id=d1 => a: a1 g6 range of a1 [a1 b1 c1 d1] | b: b1 g6 range of a1 \
            | c: c1 g6 range of a1 | d: d1 g6 range of a1");
    preparing_takes_an_old_client_at_once: concat!(preparing!(), "
        100 d join v=3 => -
        100 ? joined=c1,d1 rebalance=10000");
    preparing_takes_a_new_static_member: concat!(preparing!(), "
        100 d join inst=i9 => -
        100 ? joined=c1,d1");
    preparing_takes_members_as_they_are_now: concat!(preparing!(), "
        100 b join id=b1 with=range:u session=9000 rebalance=50000 => -
        100 ? rebalance=10000
        200 a join id=a1 => a: a1 g6 range of a1 [a1 b1 c1] | b: b1 g6 range of a1 | c: c1 g6 range of a1
        200 ? session.b1=9200 sync=50200");
    preparing_forgets_a_former_join_of_a_member: concat!(preparing!(), "
        100 b join id=b1 => -
        200 d join id=b1 => -
        300 a join id=a1 => a: a1 g6 range of a1 [a1 b1 c1] | d: b1 g6 range of a1 | c: c1 g6 range of a1");
    preparing_refuses_strangers: concat!(preparing!(), "
        100 d join id=x1 => d: 25 x1
        100 d join with=sticky => d: 23");
    preparing_fences: "use static
        0 c join v=3 => -
        100 d join id=x1 inst=i1 => d: 82 x1";
    preparing_turns_the_last_away_when_full: "set max_size=3
        use stable
        0 c join v=3 => -
        100 d join v=3 => -
        200 a join id=a1 => -
        250 e join id=a1 => -
        300 b join id=b1 => b: 81
        300 ? members=a1,c1,d1 joined=a1,c1,d1 state=PreparingRebalance session.b1=-
        10000 => e: a1 g6 range of a1 [a1 c1 d1] | c: c1 g6 range of a1 | d: d1 g6 range of a1";

    completing_gives_an_id_and_goes_on: concat!(completing!(), "
        200 c join => c: 79 c1
        200 ? state=CompletingRebalance pending=c1");
    completing_takes_an_old_client_and_starts_over: concat!(completing!(), "
        150 b sync id=b1 gen=6 => -
        200 c join v=3 => b: 27
        200 ? state=PreparingRebalance syncing= joined=c1 sync=- unsynced= rebalance=10200 session.b1=6200");
    completing_takes_a_pending_id: concat!(completing!(), "
        200 c join => c: 79 c1
        300 c join id=c1 => -
        300 ? state=PreparingRebalance");
    completing_takes_a_new_static_member: concat!(completing!(), "
        200 c join inst=i9 => -
        200 ? state=PreparingRebalance");
    completing_repeats_its_answer_to_the_leader: concat!(completing!(), "
        200 a join id=a1 => a: a1 g6 range of a1 [a1 b1]
        200 ? state=CompletingRebalance session.a1=6100");
    completing_repeats_its_answer_to_a_follower: concat!(completing!(), "
        200 b join id=b1 => b: b1 g6 range of a1
        200 ? state=CompletingRebalance");
    completing_starts_over_for_a_changed_leader: concat!(completing!(), "
        200 a join id=a1 with=range:u => -
        200 ? state=PreparingRebalance joined=a1");
    completing_starts_over_for_a_changed_follower: concat!(completing!(), "
        200 b join id=b1 with=range:u => -
        200 ? state=PreparingRebalance joined=b1");
    completing_refuses_strangers: concat!(completing!(), "
        200 d join id=x1 => d: 25 x1
        200 d join with=sticky => d: 23
        200 ? state=CompletingRebalance");
    completing_fences: "use static
        0 a join id=a1 inst=i1 => -
        100 b join id=b1 inst=i2 => a: a1 g6 range of a1 [a1/i1 b1/i2] | b: b1 g6 range of a1
        200 d join id=x1 inst=i1 => d: 82 x1";
    completing_refuses_when_full: "set max_size=1 delay=0
        0 a join v=3 => -
        0 => a: a1 g1 range of a1 [a1]
        10 b join => b: 81
        20 a join id=a1 => a: a1 g1 range of a1 [a1]";
}

/// In which order members are listed and answered.
pub mod order {
    use crate::rows;

    rows! {
        members_are_listed_in_the_order_of_joining: "use stable
            0 c join v=3 => -
            100 b join id=b1 => -
            200 d join v=3 => -
            300 a join id=a1 => a: a1 g6 range of a1 [a1 b1 c1 d1] | b: b1 g6 range of a1 | c: c1 g6 range of a1 \
                | d: d1 g6 range of a1";
        a_preset_order_holds_for_members_to_come: "use ordered
            0 d join v=3 => -
            100 c join v=3 => -
            100 ? members=b1,c1,a1,d1
            200 a join id=a1 => -
            300 b join id=b1 => b: b1 g6 range of a1 | c: c1 g6 range of a1 | a: a1 g6 range of a1 [b1 c1 a1 d1] \
                | d: d1 g6 range of a1";
    }
}

/// How long a join phase lasts.
pub mod duration {
    use crate::{preparing, rows};

    rows! {
        a_lone_member_waits_for_the_initial_delay: "0 a join v=3 => -
            3000 => a: a1 g1 range of a1 [a1]";
        a_second_member_extends_the_initial_delay_once: "0 a join v=3 => -
            1000 b join v=3 => -
            3000 => -
            3000 ? initial=6000
            6000 => a: a1 g1 range of a1 [a1 b1] | b: b1 g1 range of a1";
        extensions_end_with_the_rebalance_timeout: "0 a join v=3 => -
            1000 b join v=3 => -
            4000 c join v=3 => -
            7000 d join v=3 => -
            9000 => -
            9000 ? initial=10000
            9500 e join v=3 => -
            10000 => a: a1 g1 range of a1 [a1 b1 c1 d1 e1] | b: b1 g1 range of a1 | c: c1 g1 range of a1 \
                | d: d1 g1 range of a1 | e: e1 g1 range of a1";
        a_short_rebalance_timeout_cuts_the_extension: "0 a join v=3 rebalance=5000 => -
            1000 b join v=3 rebalance=5000 => -
            3000 ? initial=5000
            4000 c join v=3 rebalance=5000 => -
            5000 => a: a1 g1 range of a1 [a1 b1 c1] | b: b1 g1 range of a1 | c: c1 g1 range of a1";
        a_rebalance_timeout_below_the_delay_does_not_shorten_it: "0 a join v=3 rebalance=1000 => -
            500 b join v=3 rebalance=1000 => -
            3000 => a: a1 g1 range of a1 [a1 b1] | b: b1 g1 range of a1";
        leaving_does_not_end_the_initial_delay: "0 a join v=3 => -
            100 b join v=3 => -
            200 c leave who=b1 => b: 25 | c: 0 [b1:0]
            200 ? state=PreparingRebalance
            6000 => a: a1 g1 range of a1 [a1]";
        a_group_that_all_left_during_the_initial_delay_is_empty_after_it: "0 a join v=3 => -
            100 c leave who=a1 => a: 25 | c: 0 [a1:0]
            100 ? state=PreparingRebalance members= leader=
            3000 => -
            3000 ? state=Empty gen=1";
        an_expired_id_ends_the_initial_delay: "0 b join => b: 79 b1
            500 a join v=3 => -
            1000 c join v=3 => -
            6000 => a: a1 g1 range of a1 [a1 c1] | c: c1 g1 range of a1
            6000 ? initial=-";
        in_scala_an_expired_id_does_not_end_the_initial_delay: "set scala
            0 b join => b: 79 b1
            500 a join v=3 => -
            1000 c join v=3 => -
            6000 => -
            6500 => a: a1 g1 range of a1 [a1 c1] | c: c1 g1 range of a1";

        who_does_not_join_in_time_is_out: concat!(preparing!(), "
            5000 a beat id=a1 => a: 27
            5000 b beat id=b1 => b: 27
            10000 => c: c1 g6 range of c1 [c1]
            10000 ? members=c1 leader=c1 session.a1=- session.b1=-
            10001 a beat id=a1 => a: 25");
        later_members_do_not_prolong_a_rebalance: concat!(preparing!(), "
            100 d join v=3 rebalance=60000 => -
            100 ? rebalance=10000");
        the_slowest_member_sets_the_rebalance_timeout: "use stable
            0 c join v=3 rebalance=20000 => -
            0 ? rebalance=20000";
        silent_static_members_stay: "use static
            0 c join v=3 => -
            5000 a beat id=a1 inst=i1 => a: 27
            5000 b beat id=b1 inst=i2 => b: 27
            10000 => c: c1 g6 range of c1 [a1/i1 b1/i2 c1]
            10000 ? leader=c1 unsynced=a1,b1,c1 session.a1=16000 session.b1=16000 sync=20000";
        nobody_but_silent_static_members_waits_on: "use static
            0 c join v=3 => -
            100 d leave who=c1 => c: 25 | d: 0 [c1:0]
            5000 a beat id=a1 inst=i1 => a: 27
            5000 b beat id=b1 inst=i2 => b: 27
            10000 => -
            10000 ? state=PreparingRebalance gen=5 rebalance=20000";
    }
}

/// Which assignor wins.
pub mod vote {
    use crate::rows;

    rows! {
        most_votes_win: "0 a join v=3 with=range,roundrobin => -
            0 b join v=3 with=roundrobin,range => -
            0 c join v=3 with=roundrobin,range => -
            6000 => a: a1 g1 roundrobin of a1 [a1 b1 c1] | b: b1 g1 roundrobin of a1 | c: c1 g1 roundrobin of a1";
        the_leader_breaks_a_tie: "0 a join v=3 with=sticky,range => -
            0 b join v=3 with=range,sticky => -
            6000 => a: a1 g1 sticky of a1 [a1 b1] | b: b1 g1 sticky of a1";
        what_one_member_lacks_is_no_candidate: "0 a join v=3 with=range,sticky => -
            0 b join v=3 with=range,sticky => -
            0 c join v=3 with=sticky => -
            6000 => a: a1 g1 sticky of a1 [a1 b1 c1] | b: b1 g1 sticky of a1 | c: c1 g1 sticky of a1";
    }
}
