//! The logs of clients and of the coordinator, line by line against small scenarios.
#![cfg(not(target_arch = "wasm32"))]

use regroup::kafka::config::OffsetReset;
use regroup::scenario::Document;
use regroup::session::Session;
use regroup::view::client_log::{ClientLog, CoordinatorLog, LogLevel, LogLine, Who};
use regroup::view::{BrokerId, FactId};
use regroup::world::setup::{ClientFlavour, Coordinator};
use serde_json::{Value, json};
use std::rc::Rc;

/// A group of Java consumers in the ideal model: nothing takes time but what a configuration says.
fn scenario(changes: Value) -> Session {
    let mut file = json!({
        "version": 1,
        "title": {"en": "t", "ko": "t"},
        "story": {"en": "s", "ko": "s"},
        "question": {"en": "q", "ko": "q"},
        "until": 60000,
        "timing": {"preset": "ideal"},
        "broker_configs": {"group.initial.rebalance.delay.ms": "0"},
        "topics": [{"name": "orders", "partitions": 2}],
        "consumer_configs": {"group.id": "shop"},
    });
    if let (Some(file), Value::Object(changes)) = (file.as_object_mut(), changes) {
        file.extend(changes);
    }
    let document = Document::parse(&file.to_string()).expect("it is read");
    let scenario = document.scenario(None).expect("it is a scenario");
    let mut session = Session::new(scenario.setup, scenario.acts).expect("it starts");
    session.advance_to(scenario.until, u64::MAX);
    session
}

fn who(actor: &str, flavour: ClientFlavour) -> Who {
    Who {
        actor: actor.into(),
        flavour,
        client_id: actor.into(),
        max_poll_interval_ms: 300_000,
        session_timeout_ms: 45_000,
        request_timeout_ms: 30_000,
        api_timeout_ms: 60_000,
        reset: OffsetReset::Latest,
        has_commit_callback: false,
    }
}

/// Lines with their time in ms and their level, without prefix and logger; drawn ids as `c1-#`.
fn plain(lines: &[Rc<LogLine>]) -> Vec<String> {
    let line = |line: &Rc<LogLine>| {
        let text = without_ids(&line.text);
        format!("{} {} {text}", line.at, line.level.name())
    };
    lines.iter().map(line).collect()
}

fn without_ids(text: &str) -> String {
    const UUID: usize = 36;
    let mut out = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let is_uuid = rest.get(..UUID).is_some_and(|part| {
            part.chars().filter(|letter| *letter == '-').count() == 4
                && part
                    .chars()
                    .all(|letter| letter.is_ascii_hexdigit() || letter == '-')
                && part.as_bytes()[8] == b'-'
        });
        let length = if is_uuid { UUID } else { letter.len_utf8() };
        if is_uuid {
            out.push('#');
        } else {
            out.push(letter);
        }
        rest = &rest[length..];
    }
    out
}

fn client_log(session: &Session, who: Who) -> Vec<Rc<LogLine>> {
    let mut log = ClientLog::new(who);
    let sums = session.sums();
    for fact in sums.chronicle().between(FactId::BEGINNING, sums.last) {
        log.fold(fact, session.world().cluster());
    }
    log.lines().to_vec()
}

fn log_of(session: &Session, actor: &str) -> Vec<String> {
    plain(&client_log(session, who(actor, ClientFlavour::Java)))
}

fn coordinator_log(session: &Session, coordinator: Coordinator) -> Vec<Rc<LogLine>> {
    let mut log = CoordinatorLog::new("shop".into(), coordinator, BrokerId(1), 50);
    let sums = session.sums();
    for fact in sums.chronicle().between(FactId::BEGINNING, sums.last) {
        log.fold(fact);
    }
    log.lines().to_vec()
}

const LEADER: &str = "LeaderAndEpoch{leader=Optional[broker-1:9092 (id: 1 rack: null)], epoch=0}";

#[test]
fn a_consumer_joins_alone() {
    let session = scenario(json!({"consumers": [{"name": "c1", "at": 0}], "until": 1000}));
    let at = |partition: i32| {
        format!(
            "0 INFO Resetting offset for partition orders-{partition} to position \
             FetchPosition{{offset=0, offsetEpoch=Optional.empty, currentLeader={LEADER}}}."
        )
    };
    assert_eq!(
        log_of(&session, "c1"),
        [
            "0 INFO Subscribed to topic(s): orders",
            "0 INFO Discovered group coordinator broker-1:9092 (id: 2147483646 rack: null)",
            "0 INFO (Re-)joining group",
            "0 INFO Request joining group due to: need to re-join with the given member-id: c1-#",
            "0 INFO (Re-)joining group",
            "0 INFO Successfully joined group with generation Generation{generationId=1, memberId='c1-#', \
             protocol='range'}",
            "0 INFO Finished assignment for group at generation 1: {c1-#=Assignment(partitions=[orders-0, \
             orders-1])}",
            "0 INFO Successfully synced group in generation Generation{generationId=1, memberId='c1-#', \
             protocol='range'}",
            "0 INFO Notifying assignor about the new Assignment(partitions=[orders-0, orders-1])",
            "0 INFO Adding newly assigned partitions: orders-0, orders-1",
            "0 INFO Found no committed offset for partition orders-0",
            "0 INFO Found no committed offset for partition orders-1",
            &at(0),
            &at(1),
        ]
    );
}

#[test]
fn a_line_stands_as_log4j_prints_it() {
    let session = scenario(json!({
        "consumers": [{"name": "c1", "at": 0, "configs": {"group.instance.id": "shelf-1"}}],
        "until": 1000,
    }));
    let lines = client_log(&session, who("c1", ClientFlavour::Java));
    let found = lines.iter().find(|line| line.text.starts_with("Adding"));
    assert_eq!(
        found.expect("it is assigned something").whole(),
        "INFO [Consumer instanceId=shelf-1, clientId=c1, groupId=shop] Adding newly assigned partitions: \
         orders-0, orders-1 (org.apache.kafka.clients.consumer.internals.ConsumerRebalanceListenerInvoker)"
    );
}

#[test]
fn everything_is_given_up_in_an_eager_rebalance() {
    let session = scenario(json!({
        "consumers": [{"name": "c1", "at": 0}, {"name": "c2", "at": 10000}],
        "until": 13000,
    }));
    let log = log_of(&session, "c1");
    let second: Vec<_> = log
        .iter()
        .filter(|line| line.starts_with("12000 "))
        .collect();
    assert_eq!(
        second,
        [
            "12000 INFO Request joining group due to: group is already rebalancing",
            "12000 INFO Revoke previously assigned partitions orders-0, orders-1",
            "12000 INFO (Re-)joining group",
            "12000 INFO Successfully joined group with generation Generation{generationId=2, \
             memberId='c1-#', protocol='range'}",
            "12000 INFO Finished assignment for group at generation 2: \
             {c1-#=Assignment(partitions=[orders-0]), c2-#=Assignment(partitions=[orders-1])}",
            "12000 INFO Successfully synced group in generation Generation{generationId=2, \
             memberId='c1-#', protocol='range'}",
            "12000 INFO Notifying assignor about the new Assignment(partitions=[orders-0])",
            "12000 INFO Adding newly assigned partitions: orders-0",
            &format!(
                "12000 INFO Setting offset for partition orders-0 to the committed offset \
                 FetchPosition{{offset=0, offsetEpoch=Optional.empty, currentLeader={LEADER}}}"
            ),
        ]
    );
}

#[test]
fn only_what_moves_is_given_up_in_a_cooperative_rebalance() {
    let session = scenario(json!({
        "consumer_configs": {
            "group.id": "shop",
            "partition.assignment.strategy": "cooperative-sticky",
        },
        "consumers": [{"name": "c1", "at": 0}, {"name": "c2", "at": 10000}],
        "until": 12000,
    }));
    let log = log_of(&session, "c1");
    let second: Vec<_> = log
        .iter()
        .filter(|line| line.starts_with("12000 "))
        .collect();
    assert_eq!(
        second,
        [
            "12000 INFO Request joining group due to: group is already rebalancing",
            "12000 INFO (Re-)joining group",
            "12000 INFO Successfully joined group with generation Generation{generationId=2, \
             memberId='c1-#', protocol='cooperative-sticky'}",
            "12000 INFO Finished assignment for group at generation 2: \
             {c1-#=Assignment(partitions=[orders-0]), c2-#=Assignment(partitions=[])}",
            "12000 INFO Successfully synced group in generation Generation{generationId=2, \
             memberId='c1-#', protocol='cooperative-sticky'}",
            "12000 INFO Updating assignment with\n\
             \tAssigned partitions:                       [orders-0]\n\
             \tCurrent owned partitions:                  [orders-0, orders-1]\n\
             \tAdded partitions (assigned - owned):       []\n\
             \tRevoked partitions (owned - assigned):     [orders-1]\n",
            "12000 INFO Revoke previously assigned partitions orders-1",
            "12000 INFO Request joining group due to: need to revoke partitions [orders-1] as indicated by \
             the current assignment and re-join",
            "12000 INFO Notifying assignor about the new Assignment(partitions=[orders-0])",
            "12000 INFO Adding newly assigned partitions: ",
            "12000 INFO (Re-)joining group",
        ]
    );
}

/// A group of two that is there at the beginning.
fn two_that_were_there(changes: Value) -> Session {
    let mut file = json!({
        "feeds": [{"name": "feed", "topic": "orders", "first_at": 0, "every_ms": 100}],
        "consumers": [{"name": "c1"}, {"name": "c2"}],
        "groups": [{"group": "shop", "generation": 4, "members": [
            {"actor": "c1", "owned": ["orders-0"]}, {"actor": "c2", "owned": ["orders-1"]},
        ]}],
        "until": 20000,
    });
    if let (Some(file), Value::Object(changes)) = (file.as_object_mut(), changes) {
        file.extend(changes);
    }
    scenario(file)
}

#[test]
fn who_does_not_poll_leaves_and_learns_later_what_is_lost() {
    let session = two_that_were_there(json!({
        "consumer_configs": {
            "group.id": "shop", "max.poll.interval.ms": "5000", "enable.auto.commit": "false",
        },
        "acts": [{"at": 2000, "command": {"stall": {"actor": "c2", "for_ms": 9000}}}],
    }));
    let log = log_of(&session, "c2");
    assert_eq!(
        log[..6],
        [
            "6900 WARN consumer poll timeout has expired. This means the time between subsequent calls to \
             poll() was longer than the configured max.poll.interval.ms, which typically implies that the \
             poll loop is spending too much time processing messages. You can address this either by \
             increasing max.poll.interval.ms or by reducing the maximum size of batches returned in poll() \
             with max.poll.records.",
            "6900 INFO Member c2-# sending LeaveGroup request to coordinator broker-1:9092 (id: 2147483646 \
             rack: null) due to consumer poll timeout has expired.",
            "6900 INFO Resetting generation and member id due to: consumer pro-actively leaving the group",
            "6900 INFO Request joining group due to: consumer pro-actively leaving the group",
            "11000 INFO Giving away all assigned partitions as lost since generation/memberID has been \
             reset,indicating that consumer is in old state or no longer part of the group",
            "11000 INFO Lost previously assigned partitions orders-1",
        ]
    );
}

#[test]
fn a_frozen_process_learns_from_its_heartbeat_that_it_is_out() {
    let session = two_that_were_there(json!({
        "consumer_configs": {"group.id": "shop", "session.timeout.ms": "6000"},
        "acts": [
            {"at": 2000, "command": {"freeze": {"actor": "c2"}}},
            {"at": 15500, "command": {"thaw": {"actor": "c2"}}},
        ],
        "until": 15500,
    }));
    let log = log_of(&session, "c2");
    let has = |text: &str| {
        assert!(
            log.iter().any(|line| line.contains(text)),
            "{text}: {log:#?}"
        )
    };
    has(
        " INFO Attempt to heartbeat with Generation{generationId=4, memberId='c2-#', protocol='null'} and \
         group instance id Optional.empty failed due to UNKNOWN_MEMBER_ID, resetting generation",
    );
    has(
        " INFO Resetting generation and member id due to: encountered UNKNOWN_MEMBER_ID from HEARTBEAT \
         response",
    );
    has(
        " INFO Request joining group due to: encountered UNKNOWN_MEMBER_ID from HEARTBEAT response",
    );
    has(" INFO Failing OffsetCommit request since the consumer is not part of an active group");
    has(" WARN Asynchronous auto-commit of offsets {orders-1=OffsetAndMetadata{offset=");
    has(" INFO Lost previously assigned partitions orders-1");
}

#[test]
fn a_commit_of_a_generation_that_is_over_is_refused() {
    let session = two_that_were_there(json!({
        "consumer_configs": {
            "group.id": "shop", "enable.auto.commit": "false", "max.poll.records": "10",
        },
        "acts": [{"at": 5050, "command": {"fault": {
            "actor": "c2", "api": "OffsetCommit", "what": {"answer_with_error": {"code": 22}},
        }}}],
        "until": 5400,
    }));
    let log = log_of(&session, "c2");
    let has = |text: &str| {
        assert!(
            log.iter().any(|line| line.contains(text)),
            "{text}: {log:#?}"
        )
    };
    has(
        " ERROR Offset commit failed on partition orders-1 at offset 52: Specified group generation id is \
         not valid.",
    );
    has(
        " INFO OffsetCommit failed with Generation{generationId=4, memberId='c2-#', protocol='null'}: \
         Specified group generation id is not valid.",
    );
    has(
        " INFO Resetting generation due to: encountered ILLEGAL_GENERATION from OFFSET_COMMIT response",
    );
    has(
        " ERROR org.apache.kafka.clients.consumer.CommitFailedException: Commit cannot be completed since \
         the group has already rebalanced",
    );
}

#[test]
fn assign_and_seek_are_told_without_a_group() {
    let session = scenario(json!({
        "consumers": [{
            "name": "c1", "at": 0, "configs": {"auto.offset.reset": "earliest"},
            "reads": {"assign": ["orders-0", "orders-1"]},
        }],
        "acts": [{"at": 5000, "command": {"seek": {
            "actor": "c1", "partition": "orders-1", "offset": 7,
        }}}],
        "until": 5000,
    }));
    let log = log_of(&session, "c1");
    assert_eq!(
        log[0],
        "0 INFO Assigned to partition(s): orders-0, orders-1"
    );
    assert!(log.contains(&"5000 INFO Seeking to offset 7 for partition orders-1".to_owned()));
    assert!(
        !log.iter().any(|line| line.contains("joining group")),
        "{log:#?}"
    );
}

#[test]
fn librdkafka_tells_the_same_in_its_own_words() {
    let session = scenario(json!({
        "consumers": [{"name": "c1", "at": 0, "flavour": "librdkafka"}, {"name": "c2", "at": 10000}],
        "until": 13000,
    }));
    let lines = client_log(&session, who("c1", ClientFlavour::Librdkafka));
    let lines: Vec<String> = lines
        .iter()
        .map(|line| without_ids(&line.whole()))
        .collect();
    let main = |facility: &str, ms: &str, text: &str| {
        format!("%7|{ms}|{facility}|c1#consumer-1| [thrd:main]: {text}")
    };
    assert_eq!(
        lines,
        [
            main(
                "SUBSCRIBE",
                "0.000",
                "Group \"shop\": subscribe to new subscription of 1 topics (join-state init)"
            ),
            main(
                "CGRPCOORD",
                "0.000",
                "Group \"shop\" changing coordinator -1 -> 1"
            ),
            main(
                "JOIN",
                "0.000",
                "Group \"shop\": join with 1 subscribed topic(s)"
            ),
            main(
                "JOINGROUP",
                "0.000",
                "JoinGroup response: GenerationId -1, Protocol , LeaderId , my MemberId c1-#, member metadata count 0: Broker: Group member needs a valid member ID"
            ),
            main(
                "REJOIN",
                "0.000",
                "Group \"shop\": Rejoining group without an assignment: JoinGroup error: Broker: Group member needs a valid member ID"
            ),
            main(
                "JOIN",
                "0.000",
                "Group \"shop\": join with 1 subscribed topic(s)"
            ),
            main(
                "JOINGROUP",
                "0.000",
                "JoinGroup response: GenerationId 1, Protocol range, LeaderId c1-# (me), my MemberId c1-#, member metadata count 1: (no error)"
            ),
            main(
                "JOINGROUP",
                "0.000",
                "I am elected leader for group \"shop\" with 1 member(s)"
            ),
            main(
                "ASSIGNOR",
                "0.000",
                "Group \"shop\": \"range\" assignor run for 1 member(s)"
            ),
            main(
                "SYNCGROUP",
                "0.000",
                "SyncGroup response: Success (30 bytes of MemberState data)"
            ),
            main(
                "ASSIGN",
                "0.000",
                "Group \"shop\": delegating assign of 2 partition(s) to application on queue rd_kafka_cgrp_new: new assignment"
            ),
            main(
                "HEARTBEAT",
                "12.000",
                "Group \"shop\" heartbeat error response in state up (join-state steady, 2 partition(s) assigned): Broker: Group rebalance in progress"
            ),
            main(
                "REBALANCE",
                "12.000",
                "Group \"shop\" is rebalancing (EAGER) in state up (join-state steady) with 2 assigned partition(s): rebalance in progress"
            ),
            main(
                "ASSIGN",
                "12.000",
                "Group \"shop\": delegating revoke of 2 partition(s) to application on queue rd_kafka_cgrp_new: rebalance in progress"
            ),
            main(
                "JOIN",
                "12.000",
                "Group \"shop\": join with 1 subscribed topic(s)"
            ),
            main(
                "JOINGROUP",
                "12.000",
                "JoinGroup response: GenerationId 2, Protocol range, LeaderId c1-# (me), my MemberId c1-#, member metadata count 2: (no error)"
            ),
            main(
                "JOINGROUP",
                "12.000",
                "I am elected leader for group \"shop\" with 2 member(s)"
            ),
            main(
                "ASSIGNOR",
                "12.000",
                "Group \"shop\": \"range\" assignor run for 2 member(s)"
            ),
            main(
                "SYNCGROUP",
                "12.000",
                "SyncGroup response: Success (26 bytes of MemberState data)"
            ),
            main(
                "ASSIGN",
                "12.000",
                "Group \"shop\": delegating assign of 1 partition(s) to application on queue rd_kafka_cgrp_new: new assignment"
            ),
        ]
    );
}

#[test]
fn librdkafka_warns_without_debugging_when_poll_is_not_called() {
    let session = scenario(json!({
        "feeds": [{"name": "feed", "topic": "orders", "first_at": 0, "every_ms": 100}],
        "consumer_configs": {"group.id": "shop"},
        "consumers": [{
            "name": "c1", "at": 0, "flavour": "librdkafka", "configs": {"max.poll.interval.ms": "45000"},
        }],
        "acts": [{"at": 5000, "command": {"stall": {"actor": "c1", "for_ms": 50000}}}],
    }));
    let who = Who {
        max_poll_interval_ms: 45_000,
        ..who("c1", ClientFlavour::Librdkafka)
    };
    let lines = client_log(&session, who);
    let warned = lines.iter().find(|line| line.level == LogLevel::Warn);
    let warned = warned.expect("it is told").whole();
    assert!(warned.starts_with("%4|"), "{warned}");
    assert!(
        warned.ends_with(
            "|MAXPOLL|c1#consumer-1| [thrd:main]: Application maximum poll interval (45000ms) exceeded by \
             1ms (adjust max.poll.interval.ms for long-running message processing): leaving group"
        ),
        "{warned}"
    );
}

#[test]
fn the_coordinator_tells_its_side() {
    let session = scenario(json!({
        "consumer_configs": {"group.id": "shop", "session.timeout.ms": "10000"},
        "consumers": [{"name": "c1", "at": 0}, {"name": "c2", "at": 10000}],
        "acts": [
            {"at": 20000, "command": {"kill": {"actor": "c2"}}},
            {"at": 40000, "command": {"close": {"actor": "c1"}}},
        ],
    }));
    let ids = |generation: i32, member: &str| {
        format!(
            "with old generation {generation} (reason: Adding new member {member}-# with group instance id \
             null; client reason: need to re-join with the given member-id: {member}-#)."
        )
    };
    assert_eq!(
        plain(&coordinator_log(&session, Coordinator::New)),
        [
            "0 INFO Dynamic member with unknown member id joins group shop in Empty state. Created a new \
             member id c1-# and requesting the member to rejoin with this id."
                .to_owned(),
            "0 INFO Pending dynamic member with id c1-# joins group shop in Empty state. Adding to the group \
             now."
                .to_owned(),
            format!(
                "0 INFO Preparing to rebalance group shop in state PreparingRebalance {}",
                ids(0, "c1")
            ),
            "0 INFO Stabilized group shop generation 1 with 1 members.".to_owned(),
            "0 INFO Assignment received from leader c1-# for group shop for generation 1. The group has 1 \
             members, 0 of which are static."
                .to_owned(),
            "10000 INFO Dynamic member with unknown member id joins group shop in Stable state. Created a new \
             member id c2-# and requesting the member to rejoin with this id."
                .to_owned(),
            "10000 INFO Pending dynamic member with id c2-# joins group shop in Stable state. Adding to the \
             group now."
                .to_owned(),
            format!(
                "10000 INFO Preparing to rebalance group shop in state PreparingRebalance {}",
                ids(1, "c2")
            ),
            "12000 INFO Stabilized group shop generation 2 with 2 members.".to_owned(),
            "12000 INFO Assignment received from leader c1-# for group shop for generation 2. The group has 2 \
             members, 0 of which are static."
                .to_owned(),
            "28000 INFO Member c2-# in group shop has failed, removing it from the group.".to_owned(),
            "28000 INFO Preparing to rebalance group shop in state PreparingRebalance with old generation 2 \
             (reason: removing member c2-# on heartbeat expiration.)."
                .to_owned(),
            "30000 INFO Stabilized group shop generation 3 with 1 members.".to_owned(),
            "30000 INFO Assignment received from leader c1-# for group shop for generation 3. The group has 1 \
             members, 0 of which are static."
                .to_owned(),
            "40000 INFO [Group shop] Member c1-# has left group through explicit `LeaveGroup` request; \
             client reason: the consumer is being closed"
                .to_owned(),
            "40000 INFO Preparing to rebalance group shop in state PreparingRebalance with old generation 3 \
             (reason: explicit `LeaveGroup` request for (c1-#) members.)."
                .to_owned(),
            "40000 INFO Group shop with generation 4 is now empty.".to_owned(),
        ]
    );
}

#[test]
fn the_older_coordinator_has_words_of_its_own() {
    let session = two_that_were_there(json!({
        "acts": [{"at": 2000, "command": {"close": {"actor": "c2"}}}],
        "until": 6000,
    }));
    let lines = coordinator_log(&session, Coordinator::Scala);
    assert_eq!(
        plain(&lines)[..3],
        [
            "2000 INFO Preparing to rebalance group shop in state PreparingRebalance with old generation 4 \
             (__consumer_offsets-12) (reason: Removing member c2-# on LeaveGroup; client reason: the consumer \
             is being closed)",
            "2000 INFO Member c2-# has left group shop through explicit `LeaveGroup`; client reason: the \
             consumer is being closed",
            "3000 INFO Stabilized group shop generation 5 (__consumer_offsets-12) with 1 members",
        ]
    );
    assert_eq!(
        lines.first().map(|line| (&*line.prefix, line.logger)),
        Some((
            "[GroupCoordinator 1]: ",
            "kafka.coordinator.group.GroupCoordinator"
        ))
    );
}
