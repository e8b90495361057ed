//! What real clients sent to a real broker (Kafka 4.0.0-SNAPSHOT of October 2024, default settings), given
//! byte for byte to ours in virtual time, and our answers against the recorded ones, byte for byte as well.
//!
//! The broker is told which member ids to give out. Not compared: the order of members in a list, which is
//! that of a hash table. Times: a recorded answer comes later than ours by what the machine of the recordings
//! took, never earlier.

use crate::bench::{Answered, Bench, settings};
use regroup::kafka::api::{ApiKey, Response};
use regroup::kafka::broker::BrokerSettings;
use regroup::kafka::cluster::{CONSUMER_OFFSETS, Cluster, Node, PartitionMetadata, Topic};
use regroup::kafka::ids::{BrokerId, ClientId, ConnectionId, MemberId, Uuid};
use regroup::kafka::sorted::SortedMap;
use regroup::kafka::time::Instant;
use regroup::kafka::wire::{decode_request, decode_response, encode_response};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

const BROKER: BrokerId = BrokerId(1);

/// How much later than ours a recorded answer may be, ms. The machine was busy.
const LATE_MS: f64 = 150.0;

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn bytes(event: &Value) -> Vec<u8> {
    let digits = text(event, "hex").as_bytes();
    let digit = |byte: u8| u8::try_from(char::from(byte).to_digit(16).expect("hex")).expect("fits");
    let pairs = digits.chunks(2);
    pairs
        .map(|pair| digit(pair[0]) << 4 | digit(pair[1]))
        .collect()
}

fn correlation_id(event: &Value) -> i32 {
    i32::try_from(event["corr"].as_i64().expect("corr")).expect("a correlation id")
}

fn topic(partitions: usize, number: i64) -> Topic {
    let partition = PartitionMetadata {
        leader: Some(BROKER),
        leader_epoch: 0,
        replicas: vec![BROKER],
        isr: vec![BROKER],
    };
    Topic {
        id: Uuid {
            high: 0,
            low: number,
        },
        is_internal: number == 0,
        config: Rc::default(),
        partitions: vec![partition; partitions],
    }
}

fn count(event: &Value, key: &str) -> usize {
    usize::try_from(event[key].as_u64().expect(key)).expect("a count")
}

/// The ids that the recorded broker gave to each client, in order.
fn given_ids(events: &[Value]) -> SortedMap<ClientId, Vec<MemberId>> {
    let mut given: SortedMap<ClientId, Vec<MemberId>> = SortedMap::new();
    for event in events {
        let id = text(event, "member");
        let gives = text(event, "ev") == "res" && text(event, "api") == "JoinGroup";
        let ids = given.entry(text(event, "src").into()).or_default();
        if gives && !id.is_empty() && !ids.iter().any(|known| known.as_str() == id) {
            ids.push(id.into());
        }
    }
    given
}

/// An answer without what the recorded broker's hash tables decided.
fn comparable(mut response: Response) -> Response {
    if let Response::JoinGroup(join) = &mut response {
        join.members.sort_by(|a, b| a.member_id.cmp(&b.member_id));
    }
    response
}

/// What was sent and is not yet answered: by whom and its number; API and version.
type Sent = BTreeMap<(ConnectionId, i32), (ApiKey, i16)>;

struct Play {
    bench: Bench,
    cluster: Cluster,
    connections: BTreeMap<String, ConnectionId>,
    sent: Sent,
    answered: BTreeMap<(ConnectionId, i32), Answered>,
}

impl Play {
    fn new(events: &[Value]) -> Self {
        let node = Node {
            host: "b".into(),
            port: 9092,
            rack: None,
        };
        let cluster = Cluster {
            brokers: [(BROKER, node)].into(),
            topics: [(CONSUMER_OFFSETS.into(), topic(4, 0))].into(),
        };
        let settings = BrokerSettings {
            member_ids: given_ids(events),
            ..settings()
        };
        Self {
            bench: Bench::new(settings, Rc::new(cluster.clone())),
            cluster,
            connections: BTreeMap::new(),
            sent: Sent::new(),
            answered: BTreeMap::new(),
        }
    }

    fn connection(&mut self, client: &str) -> ConnectionId {
        let next = ConnectionId(u64::try_from(self.connections.len()).expect("few"));
        *self.connections.entry(client.to_owned()).or_insert(next)
    }

    fn change_topics(&mut self, at: Instant, event: &Value) {
        let number = i64::try_from(self.cluster.topics.len()).expect("few");
        let partitions = match text(event, "ev") {
            "create_topic" => count(event, "partitions"),
            _ => count(event, "total"),
        };
        let made = topic(partitions, number);
        self.cluster
            .topics
            .insert(text(event, "topic").into(), made);
        let cluster = Rc::new(self.cluster.clone());
        self.bench.act(at, |broker, journal| {
            broker.set_cluster(cluster, journal, &mut Vec::new());
        });
    }

    fn send(&mut self, at: Instant, event: &Value) {
        let decoded = decode_request(&bytes(event)).expect("a recorded request");
        let client = text(event, "src");
        assert_eq!(decoded.header.client_id.as_deref(), Some(client));
        let connection = self.connection(client);
        let key = (connection, decoded.header.correlation_id);
        let kind = (decoded.request.api(), decoded.header.api_version);
        self.sent.insert(key, kind);
        self.bench
            .request(at, connection, decoded.header, decoded.request);
    }

    fn collect(&mut self) {
        for answer in self.bench.take_answers() {
            let key = (answer.connection, answer.correlation_id);
            self.answered.insert(key, answer);
        }
    }

    /// Holds our answer against the recorded one. Says what differs.
    fn compare(&mut self, event: &Value) -> Option<String> {
        let key = (self.connection(text(event, "src")), correlation_id(event));
        let (api, version) = self.sent.remove(&key)?;
        let recorded = bytes(event);
        let theirs = decode_response(api, version, &recorded).expect("a recorded answer");
        let what = format!(
            "{} {} v{version} at {}",
            text(event, "src"),
            api.name(),
            event["ms"]
        );
        let Some(ours) = self.answered.remove(&key) else {
            return Some(format!(
                "{what}: not answered; recorded {:?}",
                theirs.response
            ));
        };
        let late = event["ms"].as_f64().expect("ms") - ours.at.0 as f64 / 1_000.0;
        if !(0.0..=LATE_MS).contains(&late) {
            return Some(format!("{what}: recorded {late} ms after ours"));
        }
        let in_bytes = |response: &Response| {
            let response = comparable(response.clone());
            encode_response(version, key.1, 0, &response).expect("encodes")
        };
        // What the order of members cannot change is compared as it came.
        let recorded = match &theirs.response {
            Response::JoinGroup(join) if join.members.len() > 1 => in_bytes(&theirs.response),
            _ => recorded,
        };
        let (ours, theirs) = (ours.response, theirs.response);
        (in_bytes(&ours) != recorded).then(|| format!("{what}: {ours:?}\n  recorded {theirs:?}"))
    }
}

/// How many answers were compared.
fn check(name: &str) -> usize {
    let path = format!("tests/data/traces/{name}.json");
    let recording: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("a recording")).expect("JSON");
    let events = recording["timeline"].as_array().expect("a timeline");
    let (mut play, mut compared, mut wrong) = (Play::new(events), 0, Vec::new());
    for event in events {
        let at = Instant((event["ms"].as_f64().expect("ms") * 1_000.0) as i64);
        play.bench.run_until(Instant(at.0 - 1));
        play.collect();
        match text(event, "ev") {
            "create_topic" | "add_partitions" => play.change_topics(at, event),
            "req" => play.send(at, event),
            "res" => {
                compared += 1;
                wrong.extend(play.compare(event));
            }
            _ => {}
        }
        play.collect();
    }
    assert!(
        wrong.is_empty(),
        "{name}, of {compared}:\n{}",
        wrong.join("\n")
    );
    compared
}

macro_rules! recordings {
    ($($test:ident = $name:literal;)*) => {
        $(#[test] fn $test() {
            let clients = ["confluent", "java", "kafka-python"];
            let compared = clients.map(|client| check(&format!("{}.{client}", $name)));
            assert!(compared.iter().all(|compared| *compared > 0), "{compared:?}");
        })*

        #[test]
        fn every_recording_of_clients_is_played() {
            let files = std::fs::read_dir("tests/data/traces").expect("recordings");
            assert_eq!(files.count(), 3 * [$($name,)*].len());
        }
    };
}

recordings! {
    a_fourth_member_joins_as_recorded = "join_fourth";
    a_member_closes_as_recorded = "graceful_close";
    a_killed_member_expires_as_recorded = "killed_consumer";
    a_session_timeout_out_of_bounds_is_refused_as_recorded = "session_timeout_too_small";
    partitions_are_added_as_recorded = "partitions_added";
    a_cooperative_group_grows_as_recorded = "cooperative_join";
    a_static_member_restarts_as_recorded = "static_restart_in_time";
    a_static_member_is_fenced_as_recorded = "static_fenced";
    two_groups_read_as_recorded = "two_groups";
    an_assigned_consumer_commits_as_recorded = "assign_alone";
    idle_members_wait_as_recorded = "idle_fifth";
}
