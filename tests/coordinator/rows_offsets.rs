//! OffsetCommit, OffsetFetch and expiry: every case of spec/05 in every state.

use crate::{completing, preparing, rows};

rows! {
    no_group_and_no_generation_makes_a_simple_group: "0 a commit gen=-1 => a: t0:0
        0 ? state=Empty gen=0 at.t0=7";
    no_group_and_a_generation_is_22: "0 a commit v=8 => a: t0:22
        0 a commit v=9 => a: t0:69
        0 ? group=gone";
    no_group_id_is_a_group_as_well: "0 a commit group= gen=-1 => a: t0:0
        0 a fetch groups= => a: t0:7";
    empty_takes_commits_from_outside: "use empty
        0 a commit gen=-1 => a: t0:0
        0 a commit gen=-1 id=x1 at=t1:1 => a: t1:0
        0 ? at.t0=7 at.t1=1 at.u0=3";
    empty_refuses_members: "use empty
        0 a commit id=x1 => a: t0:25
        0 a commit id=x1 inst=i1 => a: t0:25";
    stable_takes_members_and_restarts_the_session: "use stable
        1000 a commit id=a1 => a: t0:0
        1000 ? at.t0=7 session.a1=7000";
    stable_refuses_what_does_not_fit: "use static
        1000 c commit gen=-1 => c: t0:25
        1000 c commit id=x1 gen=4 => c: t0:25
        1000 c commit id=a1 inst=i9 gen=4 => c: t0:25
        1000 c commit id=x1 inst=i1 gen=4 => c: t0:82
        1000 c commit id=a1 gen=4 => c: t0:22
        1000 c commit id=a1 gen=6 => c: t0:22
        1000 c commit id=a1 gen=-1 => c: t0:22
        1000 ? at.t0=- session.a1=6000";
    preparing_takes_members_of_the_old_generation: concat!(preparing!(), "
        1000 a commit id=a1 => a: t0:0
        1000 ? at.t0=7 session.a1=7000
        1000 d commit gen=-1 => d: t0:25
        1000 d commit id=a1 gen=6 => d: t0:22");
    completing_is_27: concat!(completing!(), "
        1000 a commit id=a1 gen=6 => a: t0:27
        1000 ? at.t0=- session.a1=6100
        1000 a commit id=a1 gen=5 => a: t0:22
        1000 d commit gen=-1 => d: t0:25");
    a_smaller_offset_replaces_a_larger: "use stable
        0 a commit id=a1 at=t0:9 => a: t0:0
        0 b commit id=b1 at=t0:2 => b: t0:0
        0 ? at.t0=2";
    long_metadata_is_12: "set metadata=3
        use stable
        0 a commit id=a1 note=abc => a: t0:0
        0 a commit id=a1 note=abcd at=t0:1,t1:1 => a: t0:12 t1:12
        0 a commit id=a1 note=a😀 at=t1:2 => a: t1:0
        0 a commit id=a1 note=😀😀 at=t1:3 => a: t1:12
        0 ? at.t0=7 at.t1=2";
    unknown_partitions_are_3: "use stable
        0 a commit id=a1 at=x0:1 => a: x0:3
        0 a commit id=a1 at=t0:1,x0:1,t4:1,t-1:1 => a: t4:3 t-1:3 t0:0 x0:3
        0 ? at.t0=1";
    only_unknown_partitions_do_not_reach_the_group: "0 a commit id=x1 at=x0:1 => a: x0:3
        0 ? group=gone";

    a_commit_is_seen_when_it_is_stored: "set offset_append=20
        use stable
        0 a commit id=a1 => -
        10 c fetch => c: t0:-1
        10 d fetch stable => -
        19 ? at.t0=-
        20 => a: t0:0 | d: t0:7
        20 ? at.t0=7";
    in_scala_an_offset_on_its_way_is_88: "set offset_append=20 scala
        use stable
        0 a commit id=a1 => -
        10 c fetch => c: t0:-1
        10 d fetch stable at=t0,t1 => d: t0:-1!88 t1:-1
        20 => a: t0:0";
    the_linger_collects_commits: "set linger=5 offset_append=10
        use stable
        0 a commit id=a1 at=t0:1 => -
        3 b commit id=b1 at=t2:1 => -
        6 c beat id=a1 => -
        15 => a: t0:0 | b: t2:0 | c: 0
        16 a commit id=a1 at=t0:2 => -
        22 b commit id=b1 at=t2:2 => -
        31 => a: t0:0
        37 => b: t2:0";
    a_quick_write_does_not_overtake_a_slow_one: "set append=30 offset_append=5
        use static
        0 d join inst=i2 => -
        10 a commit id=a1 inst=i1 => -
        29 => -
        30 => d: d1 g5 range of a1 | a: t0:0";
    in_scala_nothing_lingers: "set linger=5 offset_append=10 scala
        use stable
        0 a commit id=a1 => -
        10 => a: t0:0";
    a_fetch_waits_for_every_group: "set offset_append=20
        0 a commit group=g gen=-1 at=t0:1 => -
        10 b commit group=h gen=-1 at=t0:2 => -
        15 c fetch groups=g,h stable => -
        20 => a: t0:0
        30 => b: t0:0 | c: t0:1 & t0:2";

    an_unknown_group_has_no_offsets: "0 a fetch at=t0,x7 => a: t0:-1 x7:-1
        0 a fetch all => a:";
    all_offsets_can_be_asked_for: "use empty
        0 a fetch all => a: t0:3 u0:3
        0 a fetch groups=g,h => a: t0:3 & t0:-1";
    a_fetch_does_not_restart_a_session: "use stable
        1000 a fetch => a: t0:-1
        1000 ? session.a1=6000";
}

/// Expiry.
pub mod expiry {
    use crate::rows;

    rows! {
        an_empty_group_goes_with_its_offsets: "set retention=20
            use empty
            1199999 ? at.t0=3 at.u0=3 state=Empty
            1200000 ? group=gone
            1200001 a join v=3 => -
            1203001 => a: a1 g1 range of a1 [a1]";
        the_time_runs_from_when_the_group_became_empty: "set retention=20
            use alone
            0 a commit id=a1 => a: t0:0
            6000 ? state=Empty
            1200000 ? at.t0=7
            1800000 ? group=gone";
        a_stable_group_loses_offsets_of_topics_that_nobody_wants: "set retention=5
            0 a join v=3 session=1800000 => -
            3000 => a: a1 g1 range of a1 [a1]
            3100 a sync id=a1 gen=1 give=a1:t0 => a: [t0]
            3200 a commit id=a1 gen=1 at=t0:1,u0:1 => a: t0:0 u0:0
            600000 ? at.t0=1 at.u0=- state=Stable";
        a_young_offset_stays: "set retention=10
            0 a join v=3 session=1800000 => -
            3000 => a: a1 g1 range of a1 [a1]
            3100 a sync id=a1 gen=1 give=a1:t0 => a: [t0]
            3200 a commit id=a1 gen=1 at=u0:1 => a: u0:0
            600000 ? at.u0=1
            1200000 ? at.u0=- state=Stable";
        a_stable_group_of_another_type_loses_nothing: "set retention=5
            0 a join v=3 session=1800000 type=connect => -
            3000 => a: a1 g1 range of a1 [a1]
            3100 a sync id=a1 gen=1 give=a1:t0 => a: [t0]
            3200 a commit id=a1 gen=1 at=u0:1 => a: u0:0
            600000 ? at.u0=1";
        a_rebalancing_group_loses_nothing: "set retention=5
            0 a join v=3 session=1800000 rebalance=100000 => -
            3000 => a: a1 g1 range of a1 [a1]
            3100 a sync id=a1 gen=1 give=a1:t0 => a: [t0]
            3200 a commit id=a1 gen=1 at=u0:1 => a: u0:0
            590000 b join v=3 => -
            600000 ? at.u0=1 state=PreparingRebalance";
        a_simple_group_loses_each_offset_by_its_own_age: "set retention=10
            use simple
            300000 a commit gen=-1 at=t1:1 => a: t1:0
            600000 ? at.t0=- at.u0=- at.t1=1
            1200000 ? group=gone";
        an_offset_with_its_own_retention_goes_by_it: "use simple
            0 a commit v=4 gen=-1 keep=600000 at=t1:1 => a: t1:0
            0 a commit v=4 gen=-1 keep=600001 at=t2:1 => a: t2:0
            600000 ? at.t1=- at.t2=1 at.t0=3";
        an_empty_group_without_offsets_goes_at_the_next_check: "use alone
            1000 a leave who=a1 => a: 0 [a1:0]
            599999 ? state=Empty gen=6
            600000 ? group=gone";
        a_pending_id_goes_with_its_group: "599000 a join => a: 79 a1
            600000 ? group=gone
            600001 a join id=a1 => a: 25 a1";
        a_group_whose_offset_is_on_its_way_stays: "set offset_append=20
            599990 a commit gen=-1 => -
            600000 ? state=Empty
            600010 => a: t0:0
            600010 ? at.t0=7";
        offsets_go_with_their_topic: "use empty
            100 topics u => -
            100 ? at.t0=- at.u0=3
            200 topics t u => -
            200 a fetch => a: t0:-1";
    }
}
