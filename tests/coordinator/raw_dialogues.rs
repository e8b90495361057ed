//! Dialogues with a real broker (Kafka 4.0.0-SNAPSHOT of October 2024, default settings), sent and received
//! byte for byte, against ours in virtual time.
//!
//! `at` and `ms` are milliseconds. `$A` is the latest member id given to connection A, `$A1` its first.
//! Exact: the order of answers on a connection and everything in them; the order of members in a list is
//! the order of a hash table and is not compared. Times: the machine of the recordings was busy, and its
//! broker took 5 to 40 ms to write a record; all that timers decide is some hundred ms apart.

use crate::bench::{Answered, Bench, cluster, settings};
use regroup::kafka::api::*;
use regroup::kafka::error::ErrorCode;
use regroup::kafka::ids::{
    BrokerId, Bytes, ConnectionId, Generation, GroupInstanceId, MemberId, Offset, TopicPartition,
};
use regroup::kafka::protocol::{Assignment, Subscription};
use regroup::kafka::time::{Duration, Instant};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

const CONNECTIONS: [&str; 3] = ["A", "B", "C"];

/// How much later than ours a recorded answer may be. The largest is 54: a record written by a broker that
/// was slow to take up the request.
const LATE_MS: i64 = 54;

/// The ids given out so far, by `$A1`, and the latest by `$A`.
#[derive(Default)]
struct Names {
    ids: BTreeMap<String, MemberId>,
    given: BTreeMap<String, usize>,
}

impl Names {
    fn learn(&mut self, connection: &str, id: &MemberId) {
        if id.is_empty() || self.ids.values().any(|known| known == id) {
            return;
        }
        let given = self.given.entry(connection.to_owned()).or_default();
        *given += 1;
        self.ids.insert(format!("${connection}{given}"), id.clone());
        self.ids.insert(format!("${connection}"), id.clone());
    }

    fn id(&self, name: &str) -> MemberId {
        let known = self.ids.get(name);
        known.cloned().unwrap_or_else(|| MemberId::from(name))
    }

    fn name(&self, id: &MemberId) -> String {
        let mut numbered = self.ids.iter().filter(|(name, _)| name.len() > 2);
        let found = numbered.find(|(_, known)| *known == id);
        found.map_or_else(|| id.to_string(), |(name, _)| name.clone())
    }
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn number(value: &Value, key: &str) -> i32 {
    i32::try_from(value[key].as_i64().expect(key)).expect(key)
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn instance(value: &Value) -> Option<GroupInstanceId> {
    value["instance"].as_str().map(GroupInstanceId::from)
}

fn partitions(by_topic: &Value) -> Vec<TopicPartition> {
    let by_topic = by_topic.as_object().expect("partitions by topic");
    let of = |(topic, numbers): (&String, &Value)| {
        let numbers = numbers.as_array().expect("numbers").clone();
        let topic = topic.clone();
        numbers.into_iter().map(move |number| {
            let number = i32::try_from(number.as_i64().expect("number")).expect("number");
            TopicPartition::new(topic.as_str(), number)
        })
    };
    by_topic.iter().flat_map(of).collect()
}

fn subscription(value: &Value) -> Bytes {
    let subscription = Subscription {
        topics: list(value, "topics")
            .iter()
            .map(|topic| topic.as_str().expect("topic").into())
            .collect(),
        user_data: None,
        owned_partitions: Vec::new(),
        generation: -1,
        rack_id: None,
    };
    subscription.encode(i16::try_from(number(value, "v")).expect("version"))
}

fn request(step: &Value, names: &Names) -> Request {
    let fields = &step["fields"];
    let group_id = text(fields, "group").into();
    let member_id = names.id(text(fields, "member"));
    let group_instance_id = instance(fields);
    let generation = || Generation(number(fields, "generation"));
    let protocol_type: Rc<str> = fields["_type"].as_str().unwrap_or("consumer").into();
    match text(step, "api") {
        "JoinGroup" => Request::JoinGroup(JoinGroupRequest {
            group_id,
            session_timeout_ms: number(fields, "session_ms"),
            rebalance_timeout_ms: number(fields, "rebalance_ms"),
            member_id,
            group_instance_id,
            protocol_type,
            protocols: list(fields, "protocols")
                .iter()
                .map(|protocol| JoinGroupRequestProtocol {
                    name: text(protocol, "name").into(),
                    metadata: subscription(&protocol["subscription"]),
                })
                .collect(),
            reason: None,
        }),
        "SyncGroup" => Request::SyncGroup(SyncGroupRequest {
            group_id,
            generation_id: generation(),
            member_id,
            group_instance_id,
            protocol_type: Some(protocol_type),
            protocol_name: fields["_protocol"].as_str().map(Rc::from),
            assignments: list(fields, "assignments")
                .iter()
                .map(|share| SyncGroupRequestAssignment {
                    member_id: names.id(text(share, "member")),
                    assignment: Assignment {
                        partitions: partitions(&share["assignment"]["partitions"]),
                        user_data: None,
                    }
                    .encode(0),
                })
                .collect(),
        }),
        "Heartbeat" => Request::Heartbeat(HeartbeatRequest {
            group_id,
            generation_id: generation(),
            member_id,
            group_instance_id,
        }),
        "LeaveGroup" => Request::LeaveGroup(LeaveGroupRequest {
            group_id,
            members: list(fields, "members")
                .iter()
                .map(|member| MemberIdentity {
                    member_id: names.id(text(member, "member")),
                    group_instance_id: instance(member),
                    reason: member["reason"].as_str().map(Rc::from),
                })
                .collect(),
        }),
        "OffsetCommit" => Request::OffsetCommit(OffsetCommitRequest {
            group_id,
            generation_id_or_member_epoch: generation(),
            member_id,
            group_instance_id,
            retention_time_ms: -1,
            topics: list(fields, "topics").iter().map(commit_topic).collect(),
        }),
        "OffsetFetch" => Request::OffsetFetch(OffsetFetchRequest {
            groups: list(fields, "groups").iter().map(fetch_group).collect(),
            require_stable: false,
        }),
        other => panic!("{other} in a recording"),
    }
}

fn commit_topic(topic: &Value) -> OffsetCommitRequestTopic {
    OffsetCommitRequestTopic {
        name: text(topic, "topic").into(),
        partitions: list(topic, "offsets")
            .iter()
            .map(|offset| OffsetCommitRequestPartition {
                partition_index: number(offset, "p"),
                committed_offset: Offset(number(offset, "offset").into()),
                committed_leader_epoch: -1,
                committed_metadata: None,
            })
            .collect(),
    }
}

fn fetch_group(group: &Value) -> OffsetFetchRequestGroup {
    OffsetFetchRequestGroup {
        group_id: text(group, "group").into(),
        member_id: None,
        member_epoch: -1,
        topics: Some(
            list(group, "topics")
                .iter()
                .map(|topic| OffsetFetchRequestTopic {
                    name: text(topic, "topic").into(),
                    partition_indexes: list(topic, "partitions")
                        .iter()
                        .map(|index| i32::try_from(index.as_i64().expect("index")).expect("index"))
                        .collect(),
                })
                .collect(),
        ),
    }
}

/// Our answer in the words of the recording.
fn answer(answered: &Answered, names: &Names) -> Value {
    match &answered.response {
        Response::JoinGroup(response) => {
            let mut value = json!({
                "error": response.error_code.name(),
                "generation": response.generation_id.0,
                "leader": names.name(&response.leader),
                "skip_assignment": i32::from(response.skip_assignment),
                "member": names.name(&response.member_id),
                "members": response.members.iter().map(|member| listed(member, names)).collect::<Vec<_>>(),
            });
            if response.error_code.is_none() {
                value["protocol"] = json!(response.protocol_name.as_deref());
            }
            value
        }
        Response::SyncGroup(response) => json!({
            "error": response.error_code.name(),
            "assignment": match response.assignment.is_empty() {
                true => json!({}),
                false => {
                    let assignment = Assignment::decode(&response.assignment).expect("an assignment");
                    json!({ "v": 0, "partitions": by_topic(&assignment.partitions) })
                }
            },
        }),
        Response::Heartbeat(response) => json!({ "error": response.error_code.name() }),
        Response::LeaveGroup(response) => json!({
            "error": response.error_code.name(),
            "members": response.members.iter().map(|member| with_instance(json!({
                "member": names.name(&member.member_id),
                "error": member.error_code.name(),
            }), member.group_instance_id.as_ref())).collect::<Vec<_>>(),
        }),
        Response::OffsetCommit(response) => json!({
            "topics": response.topics.iter().map(|topic| json!({
                "topic": topic.name.as_str(),
                "errors": topic.partitions.iter().map(|partition| json!({
                    "p": partition.partition_index,
                    "error": partition.error_code.name(),
                })).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        }),
        Response::OffsetFetch(response) => json!({
            "groups": response.groups.iter().map(|group| json!({
                "group": group.group_id.as_str(),
                "error": group.error_code.name(),
                "topics": group.topics.iter().map(|topic| json!({
                    "topic": topic.name.as_str(),
                    "offsets": topic.partitions.iter().map(|partition| json!({
                        "p": partition.partition_index,
                        "offset": partition.committed_offset.0,
                        "error": partition.error_code.name(),
                    })).collect::<Vec<_>>(),
                })).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        }),
        other => panic!("{other:?} in a recording"),
    }
}

fn with_instance(mut value: Value, instance: Option<&GroupInstanceId>) -> Value {
    if let Some(instance) = instance {
        value["instance"] = json!(instance.as_str());
    }
    value
}

fn listed(member: &JoinGroupResponseMember, names: &Names) -> Value {
    let subscription = Subscription::decode(&member.metadata).expect("a subscription");
    let topics: Vec<&str> = subscription
        .topics
        .iter()
        .map(|topic| topic.as_str())
        .collect();
    let value = json!({
        "member": names.name(&member.member_id),
        "subscription": { "v": 1, "topics": topics, "owned": by_topic(&subscription.owned_partitions) },
    });
    with_instance(value, member.group_instance_id.as_ref())
}

fn by_topic(partitions: &[TopicPartition]) -> Value {
    let mut topics: Map<String, Value> = Map::new();
    for partition in partitions {
        let numbers = topics
            .entry(partition.topic.to_string())
            .or_insert(json!([]));
        numbers
            .as_array_mut()
            .expect("numbers")
            .push(json!(partition.partition));
    }
    Value::Object(topics)
}

/// A recorded answer without what is compared apart: when, to whom, and the order of members.
fn comparable(mut recorded: Value) -> Value {
    let fields = recorded.as_object_mut().expect("an answer");
    for key in ["ms", "conn", "step", "api"] {
        fields.remove(key);
    }
    if fields.contains_key("leader")
        && let Some(members) = fields.get_mut("members").and_then(Value::as_array_mut)
    {
        members.sort_by_key(|member| member["member"].to_string());
    }
    recorded
}

/// Plays a recording against a broker whose appends take that long, and compares.
fn play(name: &str, recording: &Value, append: Duration) {
    let topics: Vec<&str> = list(recording, "names")
        .iter()
        .skip(1)
        .map(|topic| topic.as_str().expect("topic"))
        .collect();
    let mut settings = settings();
    settings.group_append = append;
    settings.offset_append = append;
    let mut bench = Bench::new(settings, cluster(&topics, BrokerId(1)));
    let mut names = Names::default();
    let mut answered: BTreeMap<&str, Vec<(i32, Instant, Value)>> = BTreeMap::new();
    let mut collect = |bench: &mut Bench, names: &mut Names| {
        for given in bench.take_answers() {
            let index = usize::try_from(given.connection.0).expect("a connection");
            let connection = CONNECTIONS[index];
            if let Response::JoinGroup(response) = &given.response
                && matches!(
                    response.error_code,
                    ErrorCode::None | ErrorCode::MemberIdRequired
                )
            {
                names.learn(connection, &response.member_id);
            }
            let value = comparable(answer(&given, names));
            let row = (given.correlation_id, given.at, value);
            answered.entry(connection).or_default().push(row);
        }
    };
    for (index, step) in list(recording, "steps").iter().enumerate() {
        let at = Instant::from_ms(step["at"].as_i64().expect("at"));
        // A recorded request reached its broker a little after `at`, and timers that it set fired as much
        // later. So a timer that is due right now would not have fired yet.
        bench.run_until(Instant(at.0 - 1));
        collect(&mut bench, &mut names);
        let connection = CONNECTIONS.iter().position(|c| *c == text(step, "conn"));
        let connection = connection.expect("a connection");
        let header = RequestHeader {
            api_version: i16::try_from(number(step, "v")).expect("version"),
            correlation_id: i32::try_from(index).expect("step"),
            client_id: Some(CONNECTIONS[connection].into()),
        };
        let id = ConnectionId(u64::try_from(connection).expect("connection"));
        bench.request(at, id, header, request(step, &names));
        collect(&mut bench, &mut names);
    }
    bench.run_until(Instant::from_ms(
        recording["until"].as_i64().expect("until"),
    ));
    collect(&mut bench, &mut names);

    for connection in CONNECTIONS {
        let ours = answered.remove(connection).unwrap_or_default();
        let recorded = list(recording, "answers").iter();
        let recorded: Vec<_> = recorded.filter(|a| text(a, "conn") == connection).collect();
        assert_eq!(
            ours.len(),
            recorded.len(),
            "{name}: answers to {connection}"
        );
        for ((step, at, ours), recorded) in ours.into_iter().zip(recorded) {
            assert_eq!(
                step,
                number(recorded, "step"),
                "{name}: order on {connection}"
            );
            assert_eq!(ours, comparable(recorded.clone()), "{name}: step {step}");
            let late = i64::from(number(recorded, "ms")) - at.as_ms();
            assert!(
                (-append.as_ms()..=LATE_MS).contains(&late),
                "{name}: step {step} answered at {at}, recorded {late} ms later"
            );
        }
    }
}

fn check(name: &str) {
    let path = format!("tests/data/raw/{name}.json");
    let text = std::fs::read_to_string(&path).expect("a recording");
    let recording: Value = serde_json::from_str(&text).expect("JSON");
    play(name, &recording, Duration::ZERO);
    play(name, &recording, Duration::from_ms(12));
}

macro_rules! recordings {
    ($($test:ident = $name:literal;)*) => {
        $(#[test] fn $test() { check($name); })*

        #[test]
        fn every_recording_is_played() {
            let files = std::fs::read_dir("tests/data/raw").expect("recordings");
            assert_eq!(files.count(), [$($name,)*].len());
        }
    };
}

recordings! {
    a_lone_member_joins_as_recorded = "first-join";
    rejoins_in_a_stable_group_go_as_recorded = "follower-and-leader-rejoin";
    a_changed_subscription_goes_as_recorded = "follower-changes-metadata";
    leaving_and_an_empty_group_go_as_recorded = "leave-and-empty";
    the_rebalance_timeout_goes_as_recorded = "rebalance-timeout";
    refusals_are_as_recorded = "refusals";
    a_second_member_joins_as_recorded = "second-joins";
    a_silent_member_expires_as_recorded = "session-expiry";
    a_static_member_is_replaced_as_recorded = "static-replace";
}
