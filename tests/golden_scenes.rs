//! The three captured scenes, as the page plays them: every captured packet is on the engine's wire, byte for
//! byte. The scenario gives what is a matter of chance (member ids, first correlation ids), `client.id`, and
//! the order in which the broker's hash table lists the members.
#![cfg(not(target_arch = "wasm32"))]

use regroup::kafka::api::{ApiKey, RequestHeader};
use regroup::kafka::fact::FactKind;
use regroup::kafka::ids::ActorName;
use regroup::kafka::wire::{encode_request, encode_response};
use regroup::scenario::{entry, try_out};
use serde_json::Value;
use std::collections::BTreeMap;

/// Whether it is an answer, whose, of which API, its correlation id.
type Key = (bool, String, &'static str, i32);

/// Every message that a run puts onto the wire, with its length in front.
fn wire_of(variant: &str) -> BTreeMap<Key, Vec<Vec<u8>>> {
    let document = entry("captured-traffic").expect("it is there").document();
    let scenario = document.scenario(Some(variant)).expect("it is whole");
    let mut open: BTreeMap<u64, (ActorName, ApiKey, i32, i16)> = BTreeMap::new();
    let mut wire: BTreeMap<Key, Vec<Vec<u8>>> = BTreeMap::new();
    let mut note = |is_answer, of: &(ActorName, ApiKey, i32, i16), message: Vec<u8>| {
        let key = (is_answer, of.0.to_string(), of.1.name(), of.2);
        let length = u32::try_from(message.len()).expect("short").to_be_bytes();
        let framed = [&length[..], &message].concat();
        wire.entry(key).or_default().push(framed);
    };
    let report = try_out(&scenario, None, |fact| match &fact.kind {
        FactKind::RequestSent {
            exchange,
            from,
            correlation_id,
            api_version,
            client_id,
            request,
            ..
        } => {
            let header = RequestHeader {
                api_version: *api_version,
                correlation_id: *correlation_id,
                client_id: client_id.clone(),
            };
            let of = (from.clone(), request.api(), *correlation_id, *api_version);
            note(
                false,
                &of,
                encode_request(&header, request).expect("encodes"),
            );
            open.insert(*exchange, of);
        }
        FactKind::ResponseSent {
            exchange, response, ..
        } => {
            let of = &open[exchange];
            let bytes = encode_response(of.3, of.2, 0, response).expect("encodes");
            note(true, of, bytes);
        }
        _ => {}
    });
    assert!(report.expect("it runs").passed());
    wire
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Holds the packets of a scene against the run of its scenario; says how many there were.
fn check(scene: &str, list: &str, variant: &str) -> usize {
    let all: Value =
        serde_json::from_str(include_str!("data/wire/seed-packets.json")).expect("JSON");
    let wire = wire_of(variant);
    let of_scene = |packet: &&Value| packet["scene"] == scene;
    let packets = all[list].as_array().expect("packets").iter();
    let mut count = 0;
    for packet in packets.filter(of_scene) {
        let word = |key: &str| packet[key].as_str().unwrap_or_default();
        let is_answer = word("kind") == "response";
        let client = if is_answer { word("to") } else { word("from") };
        let api = ApiKey::ALL.iter().find(|api| api.name() == word("apiName"));
        let correlation_id = packet["correlationId"].as_i64().expect("a number");
        let key = (
            is_answer,
            client.to_owned(),
            api.expect("an API that we speak").name(),
            i32::try_from(correlation_id).expect("it fits"),
        );
        let ours = wire.get(&key).map(|list| list.iter().map(|one| hex(one)));
        let ours: Vec<String> = ours.into_iter().flatten().collect();
        assert_eq!(ours, [word("hex")], "{}", word("id"));
        count += 1;
    }
    count
}

const JOIN: &str = "join";
const LEAVE: &str = "leave";
const CRASH: &str = "crash";

#[test]
fn a_fourth_consumer_joins_byte_for_byte() {
    assert_eq!(check("join-4th", "packets", JOIN), 23);
}

#[test]
fn a_consumer_leaves_byte_for_byte() {
    assert_eq!(check("leave", "packets", LEAVE), 2);
}

#[test]
fn a_consumer_is_killed_byte_for_byte() {
    assert_eq!(check("crash", "packets", CRASH), 5);
}

#[test]
fn answers_that_are_proven_by_their_lengths_only_come_out_as_derived() {
    assert_eq!(check("join-4th", "derived", JOIN), 10);
}

/// The metadata request of the leader between JoinGroup and SyncGroup was not printed, but its length is
/// known, and so is that of OffsetFetch (spec/09): both fit a broker of 3.1.
#[test]
fn requests_that_were_not_printed_have_the_lengths_that_are_proven() {
    let wire = wire_of(JOIN);
    let length = |key: Key| wire[&key].iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(length((false, "C1".to_owned(), "Metadata", 26)), [64]);
    for (client, correlation_id) in [("C1", 28), ("C2", 21), ("C3", 21)] {
        let key = |is_answer| (is_answer, client.to_owned(), "OffsetFetch", correlation_id);
        assert_eq!(length(key(false)), [72], "{client}");
        assert_eq!(length(key(true)), [70], "{client}");
    }
}
