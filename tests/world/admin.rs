//! An administrator's tools: what they send, what they change, and what Kafka refuses.

use crate::support::{Play, consumer, feed, group, ideal, kill};
use regroup::kafka::api::{ApiKey, Request};
use regroup::kafka::error::ErrorCode;
use regroup::kafka::fact::{AdminRefusal, FactKind, GroupState, RemovalCause};
use regroup::kafka::ids::{BrokerId, Offset, TopicPartition};
use regroup::kafka::time::Instant;
use regroup::world::command::{AdminAct, Command, FaultKind, Refusal, ResetTo};

/// c1 has read and committed for ten seconds: ten records a second in each of two partitions.
fn play() -> Play {
    let mut setup = ideal(2);
    feed(&mut setup);
    let pairs = [
        ("auto.commit.interval.ms", "1000"),
        ("group.instance.id", "s1"),
    ];
    group(&mut setup, 1, 0, &[(consumer("c1", &pairs), &[0, 1])]);
    let mut play = Play::new(setup);
    play.to(10_000);
    assert_eq!(play.committed(0), Some(100));
    play
}

/// The same, and s1 is closed and out of the group: it is Empty.
fn empty() -> Play {
    let mut play = play();
    play.act(10_010, Command::Close { actor: "c1".into() });
    play.act(10_020, remove("s1")).to(10_020);
    assert_eq!(play.state(), Some(GroupState::Empty));
    play
}

fn remove(instance: &str) -> Command {
    Command::Admin(AdminAct::RemoveMember {
        group: "g".into(),
        group_instance_id: instance.into(),
    })
}

fn reset(to: ResetTo) -> Command {
    Command::Admin(AdminAct::ResetOffsets {
        group: "g".into(),
        topic: Some("orders".into()),
        partitions: Vec::new(),
        to,
    })
}

/// How the tool's tasks ended.
fn ends(play: &Play) -> Vec<Option<AdminRefusal>> {
    let ends = play.facts.iter().filter_map(|fact| match &fact.kind {
        FactKind::AdminFinished { refusal, .. } => Some(refusal.clone()),
        _ => None,
    });
    ends.collect()
}

fn last_end(play: &Play) -> Option<AdminRefusal> {
    ends(play).pop().expect("a task has ended")
}

/// APIs that the tool has asked, in order.
fn asked(play: &Play) -> Vec<ApiKey> {
    let requests = play.facts.iter().filter_map(|fact| match &fact.kind {
        FactKind::RequestSent { from, request, .. } if &**from == "admin" => Some(request.api()),
        _ => None,
    });
    requests.collect()
}

const REFUSED: fn(ErrorCode) -> Option<AdminRefusal> = |error| Some(AdminRefusal::Error(error));

#[test]
fn offsets_of_an_active_group_are_not_reset() {
    let mut play = play();
    play.act(10_000, reset(ResetTo::Earliest)).to(10_000);
    let refusal = AdminRefusal::GroupActive("Stable".into());
    assert_eq!(last_end(&play), Some(refusal));
    assert_eq!(
        asked(&play),
        [ApiKey::FindCoordinator, ApiKey::DescribeGroups]
    );
    assert_eq!(play.committed(0), Some(100));
}

#[test]
fn a_reset_looks_first_and_commits_as_nobody() {
    let mut play = empty();
    let before = asked(&play).len();
    play.act(11_000, reset(ResetTo::Offset(Offset(30))))
        .to(11_000);
    use ApiKey as A;
    let sent = [
        A::FindCoordinator,
        A::DescribeGroups,
        A::Metadata,
        A::ListOffsets,
        A::ListOffsets,
        A::OffsetCommit,
    ];
    assert_eq!(asked(&play)[before..], sent);
    let commit = play.facts.iter().rev().find_map(|fact| match &fact.kind {
        FactKind::RequestSent { request, .. } => match &**request {
            Request::OffsetCommit(commit) => Some(commit.clone()),
            _ => None,
        },
        _ => None,
    });
    let commit = commit.expect("a commit was sent");
    assert_eq!(commit.generation_id_or_member_epoch.0, -1);
    assert_eq!(commit.member_id.as_str(), "");
    assert_eq!((play.committed(0), play.committed(1)), (Some(30), Some(30)));
}

#[test]
fn every_way_of_resetting_leads_where_it_says() {
    let cases = [
        (ResetTo::Earliest, 0),
        (ResetTo::Latest, 110),
        (ResetTo::Offset(Offset(30)), 30),
        // Beyond the ends it is the end.
        (ResetTo::Offset(Offset(5_000)), 110),
        (ResetTo::Shift(-40), 60),
        (ResetTo::Shift(-4_000), 0),
        (ResetTo::Shift(4_000), 110),
        // Record n is of 100 n + 50 ms.
        (ResetTo::TimeMs(Instant::from_ms(2_000)), 20),
        (ResetTo::TimeMs(Instant::from_ms(60_000)), 110),
    ];
    for (to, expected) in cases {
        let mut play = empty();
        play.act(11_000, reset(to)).to(11_000);
        assert_eq!(last_end(&play), None, "{to:?}");
        assert_eq!(play.committed(0), Some(expected), "{to:?}");
    }
}

#[test]
fn what_was_never_committed_cannot_be_shifted() {
    let mut play = empty();
    let more = Command::AddPartitions {
        topic: "orders".into(),
        total: 3,
    };
    play.act(11_000, more);
    play.act(11_001, reset(ResetTo::Shift(1))).to(11_001);
    let refusal = AdminRefusal::NoCommittedOffset(TopicPartition::new("orders", 2));
    assert_eq!(last_end(&play), Some(refusal));
}

#[test]
fn a_group_is_deleted_only_when_nobody_is_in_it() {
    let delete = || Command::Admin(AdminAct::DeleteGroup { group: "g".into() });
    let mut play = play();
    play.act(10_000, delete()).to(10_000);
    assert_eq!(last_end(&play), REFUSED(ErrorCode::NonEmptyGroup));
    let mut play = empty();
    play.act(11_000, delete()).to(11_000);
    assert_eq!(last_end(&play), None);
    assert_eq!((play.state(), play.committed(0)), (None, None));
    play.act(12_000, delete()).to(12_000);
    assert_eq!(last_end(&play), REFUSED(ErrorCode::GroupIdNotFound));
}

#[test]
fn offsets_of_a_subscribed_topic_stay() {
    let delete = || {
        Command::Admin(AdminAct::DeleteOffsets {
            group: "g".into(),
            topic: "orders".into(),
            partitions: vec![0],
        })
    };
    let mut play = play();
    play.act(10_000, delete()).to(10_000);
    assert_eq!(last_end(&play), REFUSED(ErrorCode::GroupSubscribedToTopic));
    let mut play = empty();
    play.act(11_000, delete()).to(11_000);
    assert_eq!(last_end(&play), None);
    assert_eq!((play.committed(0), play.committed(1)), (None, Some(100)));
}

#[test]
fn a_static_member_that_died_is_removed_at_once() {
    let mut setup = ideal(2);
    let one = consumer("c1", &[("group.instance.id", "s1")]);
    let two = consumer("c2", &[("group.instance.id", "s2")]);
    group(&mut setup, 1, 0, &[(one, &[0]), (two, &[1])]);
    let mut play = Play::new(setup);
    play.act(5_000, kill("c1"));
    play.act(6_000, remove("s3")).to(6_000);
    assert_eq!(last_end(&play), REFUSED(ErrorCode::UnknownMemberId));
    play.act(6_001, remove("s1")).to(6_001);
    assert_eq!(last_end(&play), None);
    assert_eq!(play.state(), Some(GroupState::PreparingRebalance));
    let removed = play.facts.iter().any(|fact| {
        matches!(
            &fact.kind,
            FactKind::MemberRemoved {
                cause: RemovalCause::RemovedByAdmin,
                ..
            }
        )
    });
    assert!(removed);
    // It learns from its next heartbeat, long before the session of 45 s would have ended.
    play.to(9_000);
    assert_eq!(play.owned("c2"), [0, 1]);
}

#[test]
fn a_deleted_topic_takes_its_records_and_offsets_along() {
    let mut play = play();
    let delete = Command::Admin(AdminAct::DeleteTopic {
        topic: "orders".into(),
    });
    play.act(10_000, delete.clone()).to(10_000);
    assert_eq!(last_end(&play), None);
    let gone = play.times(|kind| matches!(kind, FactKind::PartitionDeleted { .. }));
    assert_eq!(gone, [10_000, 10_000]);
    assert!(!play.world.cluster().topics.contains_key("orders"));
    assert_eq!(play.committed(0), None);
    play.act(10_001, delete).to(10_001);
    assert_eq!(last_end(&play), REFUSED(ErrorCode::UnknownTopicOrPartition));
    // Whoever reads it goes on asking for it; nothing breaks.
    play.to(400_000);
}

#[test]
fn records_are_deleted_up_to_the_high_watermark() {
    let delete = |before| {
        Command::Admin(AdminAct::DeleteRecords {
            partition: TopicPartition::new("orders", 0),
            before: Offset(before),
        })
    };
    let mut play = play();
    play.act(10_000, delete(40)).to(10_000);
    assert_eq!(last_end(&play), None);
    play.act(10_001, delete(4_000)).to(10_001);
    assert_eq!(last_end(&play), REFUSED(ErrorCode::OffsetOutOfRange));
    play.act(10_002, delete(-1)).to(10_002);
    assert_eq!(last_end(&play), None);
    let starts = play.facts.iter().filter_map(|fact| match &fact.kind {
        FactKind::LogStartAdvance { offset, .. } => Some(offset.0),
        _ => None,
    });
    assert_eq!(starts.collect::<Vec<_>>(), [40, 100]);
}

#[test]
fn a_tool_tries_again_and_in_the_end_gives_up() {
    let mut play = empty();
    let fault = |what| Command::Fault {
        actor: Some("admin".into()),
        api: "FindCoordinator".into(),
        what,
    };
    // 15: the coordinator is not available.
    play.act(11_000, fault(FaultKind::AnswerWithError { code: 15 }));
    play.act(11_000, reset(ResetTo::Earliest)).to(11_099);
    assert_eq!(ends(&play).len(), 1);
    play.to(11_100);
    assert_eq!(last_end(&play), None);
    assert_eq!(play.committed(0), Some(0));
    play.act(12_000, fault(FaultKind::DropRequest));
    play.act(12_000, reset(ResetTo::Latest)).to(16_999);
    assert_eq!(ends(&play).len(), 2);
    play.to(17_000);
    assert_eq!(last_end(&play), Some(AdminRefusal::Timeout));
}

#[test]
fn a_running_broker_takes_the_configurations_that_kafka_calls_dynamic() {
    let set = |broker: i32, name: &str, value: &str| Command::SetBrokerConfig {
        broker: BrokerId(broker),
        name: name.into(),
        value: value.into(),
    };
    let mut play = play();
    play.act(10_000, set(1, "message.max.bytes", "50"))
        .to(12_000);
    assert_eq!(play.log_end(0), 100, "no batch is small enough");
    play.act(12_000, set(1, "message.max.bytes", "")).to(13_000);
    assert!(play.log_end(0) > 100);
    for (broker, name, value, why) in [
        (
            7,
            "message.max.bytes",
            "50",
            Refusal::UnknownBroker(BrokerId(7)),
        ),
        (
            1,
            "group.max.size",
            "2",
            Refusal::NotDynamic("group.max.size".into()),
        ),
    ] {
        assert_eq!(play.world.check(&set(broker, name, value)), Err(why));
    }
    let nonsense = play.world.check(&set(1, "message.max.bytes", "much"));
    assert!(matches!(nonsense, Err(Refusal::Config(_))), "{nonsense:?}");
}
