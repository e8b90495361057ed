//! Each row of the tables of errors, callbacks and reasons, against brokers played by the test.

use super::bench::config;
use super::script::{
    COORDINATOR, LEADER, Script, committed, fetched, find_coordinator, heartbeat, join_failed,
    joined, left, list_offsets, metadata, offsets, settings, sync_failed, synced,
};
use regroup::kafka::api::{JoinGroupRequest, Request};
use regroup::kafka::client::consumer::{Call, Returned};
use regroup::kafka::client::{Channel, Flavour};
use regroup::kafka::config::{ConsumerConfig, OffsetReset};
use regroup::kafka::error::ErrorCode;
use regroup::kafka::fact::{Callback, Exception, MemberState};
use regroup::kafka::ids::TopicPartition;
use regroup::kafka::time::Duration;

fn join_request(script: &Script) -> &JoinGroupRequest {
    match script.request("JoinGroup") {
        Request::JoinGroup(request) => request,
        other => panic!("{other:?}"),
    }
}

fn member(assignor: &str, owned: &[(i32, i64)]) -> Script {
    let mut script = Script::new(config("c", assignor));
    script.become_member(owned);
    assert_eq!(script.consumer.member_state(), MemberState::Stable);
    script.take_log();
    script
}

/// What a failed answer leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Then {
    /// JoinGroup at once, with this member id.
    RejoinAs(&'static str),
    /// JoinGroup after `retry.backoff.ms`.
    RejoinAfterPause,
    /// The coordinator is looked for; then JoinGroup.
    FindCoordinator,
    /// Poll throws this.
    Throw,
}

fn check(script: &mut Script, then: Then, row: &str) {
    match then {
        Then::RejoinAs(id) => {
            let request = join_request(script);
            assert_eq!(&*request.member_id, id, "{row}");
        }
        Then::RejoinAfterPause => {
            assert!(!script.is_open("JoinGroup"), "{row}");
            script.run_until_ms(99);
            assert!(!script.is_open("JoinGroup"), "{row}");
            script.run_until_ms(100);
            assert!(script.is_open("JoinGroup"), "{row}");
        }
        Then::FindCoordinator => {
            assert!(script.is_open("FindCoordinator"), "{row}");
            script.answer(find_coordinator(ErrorCode::None));
            script.run_until_ms(100);
            assert!(script.is_open("JoinGroup"), "{row}");
        }
        Then::Throw => {
            assert!(matches!(script.last(), Some(Err(_))), "{row}");
            assert!(!script.is_open("JoinGroup"), "{row}");
        }
    }
}

#[test]
fn every_join_group_error_is_taken_as_java_takes_it() {
    use ErrorCode::*;
    let rows = [
        (CoordinatorLoadInProgress, Then::RejoinAfterPause),
        (CoordinatorNotAvailable, Then::FindCoordinator),
        (NotCoordinator, Then::FindCoordinator),
        (UnknownMemberId, Then::RejoinAs("")),
        (RebalanceInProgress, Then::RejoinAs("m")),
        (MemberIdRequired, Then::RejoinAs("other")),
        (FencedInstanceId, Then::Throw),
        (InconsistentGroupProtocol, Then::Throw),
        (InvalidGroupId, Then::Throw),
        (InvalidSessionTimeout, Then::Throw),
        (GroupMaxSizeReached, Then::Throw),
        (UnknownServerError, Then::Throw),
    ];
    for (error, then) in rows {
        let mut script = Script::new(config("c", "range"));
        script.begin_join();
        script.answer(join_failed(MemberIdRequired, "m"));
        script.answer(join_failed(error, "other"));
        check(&mut script, then, error.name());
    }
}

#[test]
fn every_sync_group_error_is_taken_as_java_takes_it() {
    use ErrorCode::*;
    let rows = [
        (CoordinatorLoadInProgress, Then::Throw),
        (CoordinatorNotAvailable, Then::FindCoordinator),
        (NotCoordinator, Then::FindCoordinator),
        (IllegalGeneration, Then::RejoinAs("m")),
        (UnknownMemberId, Then::RejoinAs("")),
        (RebalanceInProgress, Then::RejoinAs("m")),
        (FencedInstanceId, Then::Throw),
        (InconsistentGroupProtocol, Then::Throw),
    ];
    for (error, then) in rows {
        let mut script = Script::new(config("c", "range"));
        script.begin_join();
        script.answer(join_failed(MemberIdRequired, "m"));
        script.answer(joined(1, "m", "other"));
        script.answer(sync_failed(error));
        check(&mut script, then, error.name());
    }
}

#[test]
fn a_join_after_22_has_no_generation_and_after_27_has_its_own() {
    for (error, generation) in [
        (ErrorCode::IllegalGeneration, -1),
        (ErrorCode::RebalanceInProgress, 4),
    ] {
        let mut script = Script::new(config("c", "range"));
        script.begin_join();
        script.answer(joined(4, "m", "other"));
        script.answer(sync_failed(error));
        assert_eq!(script.consumer.membership().generation.0, generation);
    }
}

#[test]
fn every_heartbeat_error_is_taken_as_java_takes_it() {
    use ErrorCode::*;
    // Error, the member id afterwards, callbacks before the next JoinGroup, and whether one is sent.
    let lost = vec![(Callback::Lost, vec![0])];
    let revoked = vec![(Callback::Revoked, vec![0])];
    let rows = [
        (None, "m", vec![], false),
        (CoordinatorLoadInProgress, "m", vec![], false),
        (RebalanceInProgress, "m", revoked, true),
        (IllegalGeneration, "m", lost.clone(), true),
        (UnknownMemberId, "", lost, true),
    ];
    for (error, id, callbacks, joins) in rows {
        let mut script = member("range", &[(0, 5)]);
        script.callbacks.clear();
        script.run_until_ms(3_000);
        script.answer(heartbeat(error));
        assert_eq!(&*script.consumer.membership().member_id, id, "{error:?}");
        assert_eq!(script.callbacks, callbacks, "{error:?}");
        assert_eq!(script.is_open("JoinGroup"), joins, "{error:?}");
    }
}

#[test]
fn a_fenced_heartbeat_is_thrown_by_the_next_poll() {
    let mut script = member("range", &[(0, 5)]);
    script.run_until_ms(3_000);
    script.answer(heartbeat(ErrorCode::FencedInstanceId));
    assert_eq!(script.last(), Some(&Err(Exception::FencedInstanceId)));
    assert_eq!(script.consumer.member_state(), MemberState::Unjoined);
}

#[test]
fn a_failed_heartbeat_is_followed_by_another_after_a_growing_pause() {
    let mut script = member("range", &[(0, 5)]);
    script.run_until_ms(3_000);
    let mut times = Vec::new();
    for _ in 0..5 {
        let open = script.open.iter();
        let sent = open.filter(|open| open.request.api().name() == "Heartbeat");
        times.extend(sent.map(|open| open.at.as_ms()));
        script.answer(heartbeat(ErrorCode::CoordinatorLoadInProgress));
        let next = script.consumer.timers().next().expect("a timer").0;
        script.run_until_ms(next.as_ms());
    }
    assert_eq!(times, [3_000, 3_100, 3_300, 3_700, 4_500]);
}

#[test]
fn a_heartbeat_of_a_former_generation_is_ignored() {
    let mut script = member("range", &[(0, 5)]);
    script.run_until_ms(3_000);
    script.call_rejoin();
    script.answer(joined(2, "m", "other"));
    script.answer(synced(&[0]));
    script.answer(heartbeat(ErrorCode::IllegalGeneration));
    assert_eq!(script.consumer.member_state(), MemberState::Stable);
    assert_eq!(script.consumer.membership().generation.0, 2);
}

#[test]
fn silence_of_the_coordinator_for_a_session_makes_the_client_look_for_it_again() {
    let config = ConsumerConfig {
        session_timeout_ms: 10_000,
        ..config("c", "range")
    };
    let mut script = Script::new(config);
    script.become_member(&[(0, 5)]);
    script.take_log();
    script.run_until_ms(9_999);
    assert_eq!(script.take_log(), ["Heartbeat"; 3]);
    script.run_until_ms(10_000);
    assert_eq!(script.take_log(), ["disconnect", "FindCoordinator"]);
    assert_eq!(script.consumer.member_state(), MemberState::Stable);
    script.answer(find_coordinator(ErrorCode::None));
    script.run_until_ms(12_000);
    assert_eq!(script.take_log(), ["Heartbeat"]);
}

#[test]
fn every_commit_error_is_taken_as_java_takes_it() {
    use ErrorCode::*;
    // Error, what commitSync throws, member id and generation afterwards.
    let rows = [
        (
            OffsetMetadataTooLarge,
            Exception::Kafka(OffsetMetadataTooLarge),
            "m",
            1,
        ),
        (
            InvalidCommitOffsetSize,
            Exception::Kafka(InvalidCommitOffsetSize),
            "m",
            1,
        ),
        (IllegalGeneration, Exception::CommitFailed, "m", -1),
        (UnknownMemberId, Exception::CommitFailed, "", -1),
        (RebalanceInProgress, Exception::RebalanceInProgress, "m", 1),
        (FencedInstanceId, Exception::FencedInstanceId, "m", 1),
        (
            UnknownServerError,
            Exception::Kafka(UnknownServerError),
            "m",
            1,
        ),
    ];
    for (error, exception, id, generation) in rows {
        let mut script = outside_poll(&[(0, 5)]);
        script.call(Call::CommitSync {
            offsets: Option::None,
        });
        script.answer(committed(error));
        assert_eq!(script.last(), Some(&Err(exception)), "{error:?}");
        let membership = script.consumer.membership();
        assert_eq!(
            (&*membership.member_id, membership.generation.0),
            (id, generation)
        );
    }
}

#[test]
fn a_retriable_commit_is_sent_again_after_a_pause_until_it_succeeds_or_time_is_up() {
    use ErrorCode::*;
    for error in [UnknownTopicOrPartition, CoordinatorLoadInProgress] {
        let mut script = outside_poll(&[(0, 5)]);
        script.call(Call::CommitSync {
            offsets: Option::None,
        });
        script.answer(committed(error));
        assert!(!script.is_open("OffsetCommit"));
        script.run_until_ms(100);
        script.answer(committed(None));
        assert_eq!(script.last(), Some(&Ok(Returned::Nothing)));
    }
    let mut script = outside_poll(&[(0, 5)]);
    script.call(Call::CommitSync {
        offsets: Option::None,
    });
    script.answer(committed(RequestTimedOut));
    assert!(script.is_open("FindCoordinator"));
    script.run_until_ms(60_000);
    assert_eq!(script.last(), Some(&Err(Exception::Timeout)));
}

#[test]
fn a_commit_of_a_member_that_is_joining_does_not_leave_the_client() {
    let mut script = member("cooperative-sticky", &[(0, 5)]);
    script.run_until_ms(3_000);
    script.answer(heartbeat(ErrorCode::RebalanceInProgress));
    assert_eq!(
        script.consumer.member_state(),
        MemberState::PreparingRebalance
    );
    script.wakeup();
    script.take_log();
    script.call(Call::CommitSync { offsets: None });
    assert_eq!(script.last(), Some(&Err(Exception::RebalanceInProgress)));
    assert_eq!(script.take_log(), [] as [String; 0]);
}

#[test]
fn callbacks_of_async_commits_come_in_the_next_call_in_the_order_of_sending() {
    let mut script = outside_poll(&[(0, 5)]);
    script.call(Call::CommitAsync {
        offsets: None,
        id: 1,
    });
    script.call(Call::CommitAsync {
        offsets: None,
        id: 2,
    });
    script.answer(committed(ErrorCode::CoordinatorLoadInProgress));
    script.answer(committed(ErrorCode::None));
    assert_eq!(script.async_done, []);
    script.poll();
    let failed = Exception::Kafka(ErrorCode::CoordinatorLoadInProgress);
    assert_eq!(script.async_done, [(1, Err(failed)), (2, Ok(()))]);
    assert!(!script.is_open("OffsetCommit"), "it is not sent again");
}

#[test]
fn commit_sync_of_nothing_waits_for_async_commits_that_are_under_way() {
    let mut script = outside_poll(&[(0, 5)]);
    script.call(Call::CommitAsync {
        offsets: None,
        id: 1,
    });
    let nothing = Some(regroup::kafka::sorted::SortedMap::new());
    script.call(Call::CommitSync { offsets: nothing });
    let before = script.returned.len();
    script.answer(committed(ErrorCode::None));
    assert_eq!(script.returned.len(), before + 1);
    assert_eq!(script.async_done, [(1, Ok(()))]);
}

#[test]
fn the_first_join_calls_assigned_even_with_nothing_and_never_revoked() {
    let mut script = Script::new(config("c", "cooperative-sticky"));
    script.become_member(&[]);
    assert_eq!(script.callbacks, [(Callback::Assigned, vec![])]);
    // The subscription of an eager member is called even with nothing to revoke.
    let mut script = Script::new(config("c", "range"));
    script.begin_join();
    assert_eq!(script.callbacks, []);
    script.answer(join_failed(ErrorCode::MemberIdRequired, "m"));
    script.answer(joined(1, "m", "other"));
    script.answer(synced(&[]));
    script.run_until_ms(3_000);
    script.answer(heartbeat(ErrorCode::RebalanceInProgress));
    assert_eq!(
        script.callbacks,
        [(Callback::Assigned, vec![]), (Callback::Revoked, vec![])]
    );
}

#[test]
fn leaving_calls_revoked_as_a_member_and_lost_while_joining() {
    for call in [Call::Unsubscribe, Call::Close] {
        let mut script = outside_poll(&[(0, 5), (1, 5)]);
        script.callbacks.clear();
        script.call(call.clone());
        assert_eq!(script.callbacks, [(Callback::Revoked, vec![0, 1])]);

        let mut script = member("cooperative-sticky", &[(0, 5)]);
        script.run_until_ms(3_000);
        script.answer(heartbeat(ErrorCode::RebalanceInProgress));
        script.wakeup();
        script.callbacks.clear();
        script.call(call);
        assert_eq!(script.callbacks, [(Callback::Lost, vec![0])]);
    }
}

#[test]
fn close_goes_in_the_order_of_its_client() {
    for (flavour, order) in [
        (Flavour::Java, ["OffsetCommit", "Revoked", "LeaveGroup"]),
        (
            Flavour::Librdkafka,
            ["Revoked", "OffsetCommit", "LeaveGroup"],
        ),
    ] {
        let config = ConsumerConfig {
            enable_auto_commit: true,
            ..config("c", "range")
        };
        let mut script = Script::with(settings(config, flavour));
        script.become_member(&[(0, 5)]);
        if flavour == Flavour::Librdkafka {
            script.answer(heartbeat(ErrorCode::None));
        }
        script.fetch_record(5);
        script.take_log();
        script.call(Call::Close);
        script.answer(committed(ErrorCode::None));
        assert_eq!(script.take_log(), order, "{flavour:?}");
        script.answer(left());
        while script.is_open("Fetch") {
            script.answer(fetched(0, ErrorCode::None));
        }
        assert_eq!(script.last(), Some(&Ok(Returned::Closed)));
        assert_eq!(script.consumer.next_wake(), None);
    }
}

#[test]
fn close_without_auto_commit_commits_nothing_and_a_static_member_does_not_leave() {
    let config = ConsumerConfig {
        group_instance_id: Some("s".into()),
        ..config("c", "range")
    };
    let mut script = Script::new(config);
    script.begin_join();
    script.answer(joined(1, "s-1", "other"));
    script.answer(synced(&[0]));
    script.answer(offsets(&[(0, 5)]));
    script.wakeup();
    script.take_log();
    script.call(Call::Close);
    assert_eq!(script.take_log(), ["Revoked"]);
    assert_eq!(script.last(), Some(&Ok(Returned::Closed)));
}

#[test]
fn join_group_says_why_in_java_s_words() {
    let reason = |script: &Script| join_request(script).reason.clone().expect("a reason");
    let mut script = Script::new(config("c", "range"));
    script.begin_join();
    assert_eq!(&*reason(&script), "");
    script.answer(join_failed(ErrorCode::MemberIdRequired, "m"));
    assert_eq!(
        &*reason(&script),
        "need to re-join with the given member-id: m"
    );
    script.answer(join_failed(ErrorCode::InvalidSessionTimeout, ""));
    script.poll();
    assert_eq!(
        &*reason(&script),
        "rebalance failed due to InvalidSessionTimeoutException"
    );
    script.answer(joined(1, "m", "other"));
    script.answer(synced(&[0]));
    script.answer(offsets(&[(0, 5)]));
    script.run_until_ms(3_000);
    script.answer(heartbeat(ErrorCode::RebalanceInProgress));
    assert_eq!(&*reason(&script), "group is already rebalancing");
}

#[test]
fn a_changed_subscription_and_a_call_of_the_application_lead_to_a_join() {
    let mut script = outside_poll(&[(0, 5)]);
    let topics = vec!["t".into(), "u".into()];
    script.call(Call::Subscribe { topics });
    script.poll();
    let reason = join_request(&script).reason.clone();
    assert_eq!(reason.as_deref(), Some("subscription has changed"));

    let mut script = outside_poll(&[(0, 5)]);
    script.call(Call::EnforceRebalance);
    script.poll();
    let reason = join_request(&script).reason.clone();
    assert_eq!(reason.as_deref(), Some("rebalance enforced by user"));
}

#[test]
fn an_unanswered_join_group_is_given_up_five_seconds_after_the_rebalance_timeout() {
    let mut script = Script::new(config("c", "range"));
    script.begin_join();
    script.run_until_ms(304_999);
    assert!(script.is_open("JoinGroup"));
    script.run_until_ms(305_000);
    assert!(script.log.contains(&"disconnect".to_owned()));
}

#[test]
fn a_broken_connection_to_the_coordinator_keeps_the_membership() {
    let mut script = member("range", &[(0, 5)]);
    script.disconnect(COORDINATOR, Channel::Coordinator);
    script.run_until_ms(60);
    script.answer(find_coordinator(ErrorCode::None));
    assert_eq!(script.consumer.member_state(), MemberState::Stable);
    assert_eq!(script.consumer.coordinator(), Some(COORDINATOR));
    script.run_until_ms(3_000);
    assert!(script.is_open("Heartbeat"));
    assert!(!script.is_open("JoinGroup"));
}

#[test]
fn without_a_committed_offset_the_policy_decides() {
    for (policy, timestamp) in [(OffsetReset::Earliest, -2), (OffsetReset::Latest, -1)] {
        let config = ConsumerConfig {
            auto_offset_reset: policy,
            ..config("c", "range")
        };
        let mut script = Script::new(config);
        script.become_member(&[(0, -1)]);
        let Request::ListOffsets(request) = script.request("ListOffsets") else {
            panic!("no ListOffsets");
        };
        assert_eq!(request.topics[0].partitions[0].timestamp, timestamp);
        script.answer(list_offsets(0, ErrorCode::NotLeaderOrFollower, -1));
        script.run_until_ms(100);
        script.answer(list_offsets(0, ErrorCode::None, 17));
        let position = script.consumer.position(&TopicPartition::new("t", 0));
        assert_eq!(position.map(|offset| offset.0), Some(17));
        assert!(script.is_open("Fetch"));
    }
    let config = ConsumerConfig {
        auto_offset_reset: OffsetReset::None,
        ..config("c", "range")
    };
    let mut script = Script::new(config);
    script.become_member(&[(0, -1)]);
    let partition = TopicPartition::new("t", 0);
    let exception = Exception::NoOffsetForPartition(partition);
    assert_eq!(script.last(), Some(&Err(exception)));
}

#[test]
fn a_position_outside_the_log_is_reset_or_thrown() {
    let mut script = member("range", &[(0, 5)]);
    script.answer(fetched(0, ErrorCode::OffsetOutOfRange));
    assert!(script.is_open("ListOffsets"));

    let config = ConsumerConfig {
        auto_offset_reset: OffsetReset::None,
        ..config("c", "range")
    };
    let mut script = Script::new(config);
    script.become_member(&[(0, 5)]);
    script.answer(fetched(0, ErrorCode::OffsetOutOfRange));
    let exception = Exception::OffsetOutOfRange(TopicPartition::new("t", 0));
    assert_eq!(script.last(), Some(&Err(exception)));
}

#[test]
fn what_is_fetched_for_a_partition_that_is_gone_is_dropped() {
    let mut script = member("range", &[(0, 5)]);
    script.run_until_ms(3_000);
    script.answer(heartbeat(ErrorCode::RebalanceInProgress));
    script.answer(fetched(0, ErrorCode::OffsetOutOfRange));
    script.answer(joined(2, "m", "other"));
    script.answer(synced(&[1]));
    assert!(!script.is_open("ListOffsets"));
    let Request::OffsetFetch(request) = script.request("OffsetFetch") else {
        panic!("no OffsetFetch");
    };
    let topics = request.groups[0].topics.as_ref().expect("named");
    assert_eq!(topics[0].partition_indexes, [1]);
}

#[test]
fn the_coordinator_is_asked_for_again_after_a_pause_while_there_is_none() {
    let mut script = Script::new(config("c", "range"));
    script.call(Call::Subscribe {
        topics: vec!["t".into()],
    });
    script.poll();
    script.answer(metadata(1));
    script.answer(find_coordinator(ErrorCode::CoordinatorNotAvailable));
    script.run_until_ms(99);
    assert!(!script.is_open("FindCoordinator"));
    script.run_until_ms(100);
    script.answer(find_coordinator(ErrorCode::CoordinatorNotAvailable));
    script.run_until_ms(299);
    assert!(!script.is_open("FindCoordinator"));
    script.run_until_ms(300);
    assert!(script.is_open("FindCoordinator"));
}

#[test]
fn a_poll_with_a_time_limit_returns_empty_handed_when_it_is_over() {
    let mut script = member("range", &[]);
    script.wakeup();
    let before = script.returned.len();
    let timeout = Duration::from_ms(250);
    script.call(Call::Poll { timeout });
    script.run_until_ms(249);
    assert_eq!(script.returned.len(), before);
    script.run_until_ms(250);
    assert_eq!(script.last(), Some(&Ok(Returned::Records(Vec::new()))));
}

#[test]
fn a_stand_alone_consumer_commits_without_a_generation_and_joins_nothing() {
    let mut script = Script::new(config("c", "range"));
    let partitions = vec![TopicPartition::new("t", 0)];
    script.call(Call::Assign { partitions });
    script.poll();
    script.answer(metadata(1));
    script.answer(find_coordinator(ErrorCode::None));
    script.answer(offsets(&[(0, 9)]));
    assert!(script.is_open("Fetch"));
    script.wakeup();
    script.call(Call::CommitSync { offsets: None });
    let Request::OffsetCommit(request) = script.request("OffsetCommit") else {
        panic!("no OffsetCommit");
    };
    assert_eq!(request.generation_id_or_member_epoch.0, -1);
    assert_eq!(&*request.member_id, "");
    script.answer(committed(ErrorCode::UnknownMemberId));
    assert_eq!(script.last(), Some(&Err(Exception::CommitFailed)));
    assert!(!script.log.contains(&"JoinGroup".to_owned()));
}

#[test]
fn calls_that_make_no_sense_are_refused() {
    let mut script = Script::new(config("c", "range"));
    script.poll();
    assert!(matches!(
        script.last(),
        Some(Err(Exception::IllegalState(_)))
    ));
    let partitions = vec![TopicPartition::new("t", 0)];
    script.call(Call::Subscribe {
        topics: vec!["t".into()],
    });
    script.call(Call::Assign { partitions });
    assert!(matches!(
        script.last(),
        Some(Err(Exception::IllegalState(_)))
    ));
}

#[test]
fn a_commit_in_the_revoke_callback_is_made_in_the_old_generation() {
    let mut script = member("range", &[(0, 5)]);
    script.callbacks_return = false;
    script.run_until_ms(3_000);
    script.answer(heartbeat(ErrorCode::RebalanceInProgress));
    assert!(!script.is_open("JoinGroup"));
    script.call(Call::CommitSync { offsets: None });
    let Request::OffsetCommit(request) = script.request("OffsetCommit") else {
        panic!("no OffsetCommit");
    };
    assert_eq!(request.generation_id_or_member_epoch.0, 1);
    script.answer(committed(ErrorCode::None));
    assert_eq!(script.last(), Some(&Ok(Returned::Nothing)));
    assert!(!script.is_open("JoinGroup"));
    script.callback_done();
    script.settle();
    assert!(script.is_open("JoinGroup"));
}

#[test]
fn auto_commit_before_the_join_is_waited_for_and_repeated_while_it_may() {
    let config = ConsumerConfig {
        enable_auto_commit: true,
        ..config("c", "range")
    };
    let mut script = Script::new(config);
    script.become_member(&[(0, 5)]);
    script.run_until_ms(3_000);
    script.take_log();
    script.answer(heartbeat(ErrorCode::RebalanceInProgress));
    assert_eq!(script.take_log(), ["OffsetCommit"]);
    script.answer(committed(ErrorCode::CoordinatorLoadInProgress));
    script.run_until_ms(3_100);
    assert_eq!(script.take_log(), ["OffsetCommit"]);
    script.answer(committed(ErrorCode::UnknownMemberId));
    assert_eq!(script.take_log(), ["Lost", "JoinGroup"]);
}

#[test]
fn a_new_fetch_session_follows_when_the_broker_has_forgotten_the_old_one() {
    let mut script = member("range", &[(0, 5)]);
    script.answer(fetched(0, ErrorCode::None));
    let session = |script: &Script| match script.request("Fetch") {
        Request::Fetch(fetch) => (fetch.session_id, fetch.session_epoch, fetch.topics.len()),
        other => panic!("{other:?}"),
    };
    assert_eq!(session(&script), (5, 1, 0));
    let mut gone = fetched(0, ErrorCode::None);
    gone.error_code = ErrorCode::FetchSessionIdNotFound;
    gone.session_id = 0;
    gone.responses.clear();
    script.answer(gone);
    assert_eq!(session(&script), (0, 0, 1));
    script.disconnect(LEADER, Channel::Data);
    assert!(!script.is_open("Fetch"), "not at once");
    script.run_until_ms(50);
    assert_eq!(session(&script), (0, 0, 1));
}

#[test]
fn a_static_member_that_does_not_poll_forgets_its_membership_without_a_word() {
    let config = ConsumerConfig {
        group_instance_id: Some("s".into()),
        max_poll_interval_ms: 30_000,
        ..config("c", "range")
    };
    let mut script = Script::new(config);
    script.begin_join();
    script.answer(joined(1, "s-1", "other"));
    script.answer(synced(&[0]));
    script.answer(offsets(&[(0, 5)]));
    script.wakeup();
    script.take_log();
    let (mut heartbeats, mut ms) = (0, 0);
    while ms < 40_000 {
        ms += 1_000;
        script.run_until_ms(ms);
        if script.is_open("Heartbeat") {
            script.answer(heartbeat(ErrorCode::None));
            heartbeats += 1;
        }
    }
    assert_eq!(heartbeats, 9, "the last one at 27000");
    assert_eq!(script.consumer.member_state(), MemberState::Unjoined);
    assert!(!script.log.contains(&"LeaveGroup".to_owned()));
    script.callbacks.clear();
    script.poll();
    assert_eq!(script.callbacks, [(Callback::Lost, vec![0])]);
    assert_eq!(&*join_request(&script).member_id, "");
}

#[test]
fn librdkafka_commits_by_a_timer_of_its_own_and_java_inside_poll() {
    for (flavour, commits) in [(Flavour::Java, false), (Flavour::Librdkafka, true)] {
        let config = ConsumerConfig {
            enable_auto_commit: true,
            ..config("c", "range")
        };
        let mut script = Script::with(settings(config, flavour));
        script.become_member(&[(0, 5)]);
        script.fetch_record(5);
        script.run_until_ms(5_000);
        assert_eq!(script.is_open("OffsetCommit"), commits, "{flavour:?}");
        script.poll();
        assert!(script.is_open("OffsetCommit"), "{flavour:?}");
    }
}

/// A member whose program is at its own work.
fn outside_poll(owned: &[(i32, i64)]) -> Script {
    let mut script = member("range", owned);
    script.wakeup();
    script.take_log();
    script
}

impl Script {
    fn wakeup(&mut self) {
        self.interrupt();
    }

    /// The application asks for a rebalance while it polls.
    fn call_rejoin(&mut self) {
        self.interrupt();
        self.call(Call::EnforceRebalance);
        self.poll();
    }
}
