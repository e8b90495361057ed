//! The three recorded scenes of librdkafka clients: every request that a client sends to its coordinator, byte for
//! byte, and what it does in between.

use super::bench::{BROKER, Bench, Program, broker_config, config};
use regroup::kafka::api::{JoinGroupRequestProtocol, RequestHeader};
use regroup::kafka::broker::{GroupPreset, MemberPreset};
use regroup::kafka::client::consumer::{Call, ConsumerSettings, MembershipPreset};
use regroup::kafka::client::{Channel, Flavour};
use regroup::kafka::config::ConsumerConfig;
use regroup::kafka::ids::{Bytes, ClientId, Generation, MemberId, Offset, TopicPartition};
use regroup::kafka::protocol::{Assignment, Subscription};
use regroup::kafka::sorted::SortedMap;
use regroup::kafka::time::{Duration, Instant};
use regroup::kafka::wire::encode_request;
use serde_json::Value;
use std::rc::Rc;

const CLIENT: &str = "this_is_client_id";
const GROUP: &str = "my-consumer-group";
const TOPIC: &str = "test-topic";

fn member(uuid: &str) -> MemberId {
    format!("{CLIENT}-{uuid}").into()
}

fn packets() -> Vec<Value> {
    let file = include_str!("../data/wire/seed-packets.json");
    let file: Value = serde_json::from_str(file).expect("JSON");
    file["packets"].as_array().expect("a list").clone()
}

/// The requests of one client in one scene, in order: API and bytes.
fn recorded(scene: &str, client: &str) -> Vec<(String, String)> {
    packets()
        .iter()
        .filter(|packet| {
            packet["scene"] == scene && packet["from"] == client && packet["kind"] == "request"
        })
        .map(|packet| {
            let text = |key: &str| packet[key].as_str().expect("text").to_owned();
            (text("apiName"), text("hex"))
        })
        .collect()
}

/// What a client of the bench sent to the coordinator: API, number, bytes.
fn simulated(bench: &Bench, name: &str) -> Vec<(&'static str, i32, String)> {
    bench
        .sent
        .iter()
        .filter(|sent| sent.who == name && sent.channel == Channel::Coordinator)
        .map(|sent| {
            let header: &RequestHeader = &sent.header;
            let bytes = encode_request(header, &sent.request).expect("it can be written");
            let length = format!("{:08x}", bytes.len());
            let bytes = bytes.iter().map(|byte| format!("{byte:02x}"));
            let hex = std::iter::once(length).chain(bytes).collect();
            (sent.api(), header.correlation_id, hex)
        })
        .collect()
}

fn subscription() -> Bytes {
    let subscription = Subscription {
        topics: vec![TOPIC.into()],
        user_data: Some([].into()),
        owned_partitions: Vec::new(),
        generation: -1,
        rack_id: Some("".into()),
    };
    subscription.encode(3)
}

fn member_preset(id: MemberId, partitions: &[i32], last_heartbeat: Instant) -> MemberPreset {
    let partitions = partitions
        .iter()
        .map(|&number| TopicPartition::new(TOPIC, number));
    let assignment = Assignment {
        partitions: partitions.collect(),
        user_data: Some([].into()),
    };
    let protocol = |name: &str| JoinGroupRequestProtocol {
        name: name.into(),
        metadata: subscription(),
    };
    MemberPreset {
        member_id: id,
        group_instance_id: None,
        client_id: CLIENT.into(),
        client_host: "host".into(),
        session_timeout_ms: 6_000,
        rebalance_timeout_ms: 300_000,
        protocols: vec![protocol("range"), protocol("roundrobin")],
        assignment: assignment.encode(0),
        last_heartbeat,
    }
}

struct Client {
    name: &'static str,
    uuid: &'static str,
    /// How much longer than five seconds it takes between two heartbeats, µs.
    late_us: i64,
    /// Its last heartbeat before the scene begins, µs; its number comes before `next_correlation_id`.
    last_heartbeat_us: i64,
    next_correlation_id: i32,
    owned: &'static [i32],
}

fn settings(client: &Client) -> ConsumerSettings {
    let base = config(CLIENT, "range");
    ConsumerSettings {
        actor: client.name.into(),
        process: 1,
        config: Rc::new(ConsumerConfig {
            group_id: Some(GROUP.into()),
            partition_assignment_strategy: vec!["range".into(), "roundrobin".into()],
            session_timeout_ms: 6_000,
            heartbeat_interval_ms: 5_000,
            ..base
        }),
        flavour: Flavour::Librdkafka,
        brokers: regroup::kafka::api::versions::Release::V4_0,
        bootstrap: vec![BROKER],
        assign_time: Duration::ZERO,
        heartbeat_step: Duration(client.late_us),
        backoff_jitter: false,
        seed: 1,
        first_correlation_id: client.next_correlation_id,
    }
}

fn group(clients: &[Client], generation: i32, order: &[MemberId]) -> GroupPreset {
    GroupPreset {
        group: GROUP.into(),
        since: Instant(-60_000_000),
        generation: Generation(generation),
        protocol_type: Some("consumer".into()),
        protocol: Some("range".into()),
        leader: None,
        members: clients
            .iter()
            .map(|client| {
                let at = Instant(client.last_heartbeat_us);
                member_preset(member(client.uuid), client.owned, at)
            })
            .collect(),
        member_order: order.to_vec(),
        offsets: Vec::new(),
    }
}

fn membership(bench: &Bench, client: &Client, generation: i32, leads: bool) -> MembershipPreset {
    let at = Instant(client.last_heartbeat_us);
    let owned = client.owned.iter();
    MembershipPreset {
        coordinator: BROKER,
        member_id: member(client.uuid),
        generation: Generation(generation),
        protocol: "range".into(),
        leader_of: leads.then(|| vec![TOPIC.into()]),
        topics: vec![TOPIC.into()],
        pattern: None,
        owned: owned
            .map(|&number| (TopicPartition::new(TOPIC, number), Some(Offset(0))))
            .collect(),
        joined_at: at,
        last_heartbeat_at: Some(at),
        next_correlation_id: client.next_correlation_id,
        metadata: bench.cluster(),
        metadata_refreshed_at: at,
        client_id: None,
    }
}

/// Seconds of the recording's minute, as µs on the bench's clock.
const fn us(seconds: i64, micros: i64) -> i64 {
    seconds * 1_000_000 + micros
}

#[test]
fn a_fourth_consumer_joins_as_recorded() {
    // All heartbeats of 23:20.98 lie before the scene; each client's rhythm is its own.
    let old = [
        Client {
            name: "C1",
            uuid: "249e13a9-2f90-4acb-9943-a72ef9ed520a",
            late_us: 10_426,
            last_heartbeat_us: us(15, 974_613),
            next_correlation_id: 23,
            owned: &[0],
        },
        Client {
            name: "C2",
            uuid: "9d119255-0bd6-4101-96f6-a8b50df6eec1",
            late_us: 8_887,
            last_heartbeat_us: us(15, 976_740),
            next_correlation_id: 17,
            owned: &[2],
        },
        Client {
            name: "C3",
            uuid: "298ca98a-41c9-4446-a343-2e351cea0bbe",
            late_us: 12_776,
            last_heartbeat_us: us(15, 972_996),
            next_correlation_id: 17,
            owned: &[1],
        },
    ];
    let newcomer = Client {
        name: "C4",
        uuid: "a1fb501c-c0a3-452b-bf4c-97c0fb470088",
        late_us: 15_183,
        last_heartbeat_us: 0,
        next_correlation_id: 1,
        owned: &[],
    };
    let ids: SortedMap<ClientId, Vec<MemberId>> =
        [(CLIENT.into(), vec![member(newcomer.uuid)])].into();
    let mut bench = Bench::with_topic(TOPIC, 3, broker_config(3_000), ids);
    bench.begin_at(Instant(us(20, 900_000)));
    let order = [0, 3, 1, 2].map(|place| {
        let uuid = old.get(place).map_or(newcomer.uuid, |client| client.uuid);
        member(uuid)
    });
    bench.install_group(group(&old, 2, &order));
    for (place, client) in old.iter().enumerate() {
        bench.start_with(client.name, settings(client), Program::AlwaysPolling);
        let preset = membership(&bench, client, 2, place == 0);
        bench.install(client.name, preset);
        bench.poll(client.name);
    }
    bench.run_until(Instant(us(24, 371_426)));
    bench.start_with("C4", settings(&newcomer), Program::AlwaysPolling);
    bench.call(
        "C4",
        Call::Subscribe {
            topics: vec![TOPIC.into()],
        },
    );
    bench.poll("C4");
    bench.run_until(Instant(us(31, 100_000)));

    for name in ["C1", "C2", "C3", "C4"] {
        let all = simulated(&bench, name);
        let numbers: Vec<(&str, i32)> =
            all.iter().map(|(api, number, _)| (*api, *number)).collect();
        let expected: &[(&str, i32)] = match name {
            "C1" => &[
                ("Heartbeat", 23),
                ("Heartbeat", 24),
                ("JoinGroup", 25),
                ("Metadata", 26),
                ("SyncGroup", 27),
                ("OffsetFetch", 28),
                ("Heartbeat", 29),
            ],
            "C4" => &[
                ("ApiVersions", 1),
                ("JoinGroup", 2),
                ("JoinGroup", 3),
                ("SyncGroup", 4),
                ("Heartbeat", 5),
                ("Heartbeat", 6),
            ],
            _ => &[
                ("Heartbeat", 17),
                ("Heartbeat", 18),
                ("JoinGroup", 19),
                ("SyncGroup", 20),
                ("OffsetFetch", 21),
                ("Heartbeat", 22),
            ],
        };
        assert_eq!(numbers, expected, "{name}");
        let captured: Vec<(String, String)> = all
            .into_iter()
            .filter(|(api, ..)| !matches!(*api, "ApiVersions" | "Metadata" | "OffsetFetch"))
            .map(|(api, _, hex)| (api.to_owned(), hex))
            .collect();
        assert_eq!(captured, recorded("join-4th", name), "{name}");
    }
    assert_eq!(bench.owned("C1"), [0]);
    assert_eq!(bench.owned("C2"), [2]);
    assert_eq!(bench.owned("C3"), [1]);
    assert_eq!(bench.owned("C4"), [] as [i32; 0]);
}

#[test]
fn a_closing_consumer_leaves_as_recorded() {
    let leaver = Client {
        name: "C5",
        uuid: leaver_uuid(),
        late_us: 10_000,
        last_heartbeat_us: us(0, 0),
        next_correlation_id: 23,
        owned: &[0, 1, 2],
    };
    let clients = [leaver];
    let mut bench = Bench::with_topic(TOPIC, 3, broker_config(3_000), SortedMap::new());
    bench.begin_at(Instant(us(1, 0)));
    bench.install_group(group(&clients, 7, &[]));
    let [leaver] = clients;
    bench.start_with("C5", settings(&leaver), Program::AlwaysPolling);
    let preset = membership(&bench, &leaver, 7, true);
    bench.install("C5", preset);
    bench.poll("C5");
    bench.run_until(Instant(us(1, 351_590)));
    bench.close("C5");
    let sent: Vec<(String, String)> = simulated(&bench, "C5")
        .into_iter()
        .map(|(api, _, hex)| (api.to_owned(), hex))
        .collect();
    assert_eq!(sent, recorded("leave", "C5"));
}

/// From the recording itself: the member that leaves.
fn leaver_uuid() -> &'static str {
    let packet = packets()
        .into_iter()
        .find(|packet| packet["scene"] == "leave" && packet["from"] == "C5")
        .expect("it is recorded");
    let id = packet["body"]["memberId"].as_str().expect("text");
    let uuid = id
        .strip_prefix("this_is_client_id-")
        .expect("its client id");
    uuid.to_owned().leak()
}
