//! The codec against bytes that Kafka's own classes, and captured clients, made.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use regroup::kafka::api::ApiKey;
use regroup::kafka::api::visit::{TaggedField, Visited, Visitor};
use regroup::kafka::ids::{Bytes, Uuid};
use regroup::kafka::record::{RecordBatch, record_bytes};
use regroup::kafka::wire::{
    decode_batches, decode_request, decode_response, encode_batch, encode_request, encode_response,
    read_request,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

fn lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
}

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text
        .bytes()
        .map(|digit| (digit as char).to_digit(16).expect("hex") as u8)
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect()
}

fn api_named(name: &str) -> Option<ApiKey> {
    ApiKey::ALL.iter().copied().find(|api| api.name() == name)
}

/// Walks over a message and holds every field against Kafka's own JSON form of it.
struct Compare {
    version: i16,
    inside: Vec<Value>,
    throttle_time_ms: i32,
    compared: usize,
}

impl Compare {
    fn field(&mut self, name: &str) -> Value {
        self.compared += 1;
        let camel =
            name.split('_')
                .enumerate()
                .map(|(index, word)| match (index, word.split_at(1)) {
                    (0, _) => word.to_owned(),
                    (_, (first, rest)) => first.to_uppercase() + rest,
                });
        let camel: String = camel.collect();
        let inside = self.inside.last().expect("never leaves the body");
        if inside.is_object() {
            inside[&camel].clone()
        } else {
            inside.clone()
        }
    }

    fn hold(&mut self, name: &str, ours: Value) {
        let theirs = self.field(name);
        // Kafka prints booleans as such and 64-bit numbers as numbers or text.
        let theirs = match theirs {
            Value::Bool(yes) => Value::from(i64::from(yes)),
            other => other,
        };
        assert_eq!(ours, theirs, "{name} in {:?}", self.inside.last());
    }
}

impl Visitor for Compare {
    fn version(&self) -> i16 {
        self.version
    }
    fn int(&mut self, name: &'static str, _width: usize, value: &mut i64) -> Visited {
        self.hold(name, Value::from(*value));
        Ok(())
    }
    fn text(
        &mut self,
        name: &'static str,
        _nullable: bool,
        value: &mut Option<Rc<str>>,
    ) -> Visited {
        self.hold(name, value.as_deref().map_or(Value::Null, Value::from));
        Ok(())
    }
    fn bytes(&mut self, name: &'static str, _nullable: bool, value: &mut Option<Bytes>) -> Visited {
        self.hold(
            name,
            value
                .as_deref()
                .map_or(Value::Null, |bytes| STANDARD.encode(bytes).into()),
        );
        Ok(())
    }
    fn uuid(&mut self, name: &'static str, value: &mut Uuid) -> Visited {
        let bytes = [value.high.to_be_bytes(), value.low.to_be_bytes()].concat();
        self.hold(name, URL_SAFE_NO_PAD.encode(bytes).into());
        Ok(())
    }
    fn records(&mut self, _name: &'static str, _value: &mut Vec<Rc<RecordBatch>>) -> Visited {
        Ok(())
    }
    fn length(
        &mut self,
        name: &'static str,
        _nullable: bool,
        value: &mut Option<usize>,
    ) -> Visited {
        let theirs = self.field(name).as_array().map(Vec::len);
        assert_eq!(*value, theirs, "length of {name}");
        Ok(())
    }
    fn enter(&mut self, name: &'static str, index: usize) {
        let array = self.field(name);
        self.inside.push(array[index].clone());
    }
    fn leave(&mut self) {
        self.inside.pop();
    }
    fn tagged_fields(&mut self, _kept: Option<&mut Vec<TaggedField>>) -> Visited {
        Ok(())
    }
    fn throttle_time_ms(&mut self) -> Visited {
        self.hold("throttle_time_ms", Value::from(self.throttle_time_ms));
        Ok(())
    }
}

/// Decodes, compares with Kafka's JSON, encodes again. Says how many fields were compared.
fn check_message(line: &Value) -> usize {
    let id = line["id"].as_str().expect("id");
    let api = api_named(line["api"].as_str().expect("api")).expect("an API that we speak");
    let version = i16::try_from(line["version"].as_i64().expect("version")).expect("fits");
    let bytes = hex(&(line["header_hex"].as_str().expect("header").to_owned()
        + line["body_hex"].as_str().expect("body")));
    let plain = line["unknown_tagged_fields"].is_null();
    let mut compare = Compare {
        version,
        inside: vec![line["body"].clone()],
        throttle_time_ms: 0,
        compared: 0,
    };
    let again = if line["type"] == "request" {
        let decoded = decode_request(&bytes).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(
            Value::from(decoded.header.correlation_id),
            line["header"]["correlationId"],
            "{id}"
        );
        let mut request = decoded.request.clone();
        request.visit(&mut compare).expect("compares to the end");
        encode_request(&decoded.header, &decoded.request)
    } else {
        let decoded =
            decode_response(api, version, &bytes).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(
            Value::from(decoded.correlation_id),
            line["header"]["correlationId"],
            "{id}"
        );
        compare.throttle_time_ms = decoded.throttle_time_ms;
        let mut response = decoded.response.clone();
        response.visit(&mut compare).expect("compares to the end");
        encode_response(
            version,
            decoded.correlation_id,
            decoded.throttle_time_ms,
            &decoded.response,
        )
    };
    if plain {
        assert_eq!(
            again.expect("encodes"),
            bytes,
            "{id} does not come back byte for byte"
        );
    }
    compare.compared
}

#[test]
fn messages_of_kafkas_own_classes_decode_to_their_fields_and_back_to_their_bytes() {
    // It comes with KIP-848.
    let not_spoken = ["ConsumerGroupHeartbeat"];
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for line in lines(include_str!("data/wire/wire-messages.jsonl")) {
        let name = line["api"].as_str().expect("api");
        match api_named(name) {
            Some(api) => {
                let has_fields = line["body"]
                    .as_object()
                    .is_some_and(|body| !body.is_empty());
                assert_eq!(check_message(&line) > 0, has_fields, "{}", line["id"]);
                *seen.entry(api.name()).or_default() += 1;
            }
            None => assert!(not_spoken.contains(&name), "{name}"),
        }
    }
    // What administrators ask has no vectors; tests/wire_oracle.rs holds it against another codec.
    assert_eq!(seen.len(), 13, "{seen:?}");
    assert_eq!(seen.values().sum::<usize>(), 99);
}

#[test]
fn captured_packets_come_back_byte_for_byte() {
    let all: Value =
        serde_json::from_str(include_str!("data/wire/seed-packets.json")).expect("JSON");
    let mut count = 0;
    for packet in all["packets"]
        .as_array()
        .expect("packets")
        .iter()
        .chain(all["derived"].as_array().expect("derived"))
    {
        let id = packet["id"].as_str().expect("id");
        let bytes = hex(packet["hex"].as_str().expect("hex"));
        let (length, message) = bytes.split_at(4);
        assert_eq!(
            length,
            u32::try_from(message.len()).expect("short").to_be_bytes(),
            "{id}"
        );
        let version = i16::try_from(packet["apiVersion"].as_i64().expect("version")).expect("fits");
        let again = if packet["kind"] == "request" {
            let decoded = decode_request(message).unwrap_or_else(|error| panic!("{id}: {error}"));
            assert_eq!(
                Value::from(decoded.header.correlation_id),
                packet["correlationId"],
                "{id}"
            );
            assert_eq!(
                decoded.header.client_id.as_deref().expect("given"),
                packet["clientId"].as_str().expect("client id"),
                "{id}"
            );
            encode_request(&decoded.header, &decoded.request)
        } else {
            let api = api_named(packet["apiName"].as_str().expect("name")).expect("spoken");
            let decoded = decode_response(api, version, message)
                .unwrap_or_else(|error| panic!("{id}: {error}"));
            encode_response(
                version,
                decoded.correlation_id,
                decoded.throttle_time_ms,
                &decoded.response,
            )
        };
        assert_eq!(again.expect("encodes"), message, "{id}");
        count += 1;
    }
    assert_eq!(count, 40);
}

#[test]
fn record_batches_come_back_byte_for_byte_and_know_their_size() {
    let mut count = 0;
    for line in lines(include_str!("data/wire/record-batches.jsonl")) {
        let (id, bytes) = (
            line["id"].as_str().expect("id"),
            hex(line["hex"].as_str().expect("hex")),
        );
        let batches = decode_batches(&bytes).unwrap_or_else(|error| panic!("{id}: {error}"));
        let [batch] = batches.as_slice() else {
            panic!("{id}: one batch, not {}", batches.len())
        };
        assert_eq!(encode_batch(batch), bytes, "{id}");
        let sum: i32 = batch.records.iter().map(record_bytes).sum();
        assert_eq!(61 + sum, batch.size_bytes, "{id}");
        let theirs = &line["batch"];
        assert_eq!(
            Value::from(batch.base_offset.0),
            theirs["base_offset"],
            "{id}"
        );
        assert_eq!(
            Value::from(batch.max_timestamp),
            theirs["max_timestamp"],
            "{id}"
        );
        assert_eq!(
            Value::from(batch.base_sequence),
            theirs["base_sequence"],
            "{id}"
        );
        for (ours, theirs) in batch
            .records
            .iter()
            .zip(theirs["records"].as_array().expect("records"))
        {
            assert_eq!(
                Value::from(ours.timestamp_delta),
                theirs["timestamp_delta"],
                "{id}"
            );
            assert_eq!(
                Value::from(batch.base_offset.0 + i64::from(ours.offset_delta)),
                theirs["offset"],
                "{id}"
            );
            assert_eq!(
                ours.key.as_deref(),
                theirs["key_hex"].as_str().map(hex).as_deref(),
                "{id}"
            );
        }
        count += 1;
    }
    assert_eq!(count, 24);
}

#[test]
fn a_broker_reads_over_what_follows_a_request() {
    // What librdkafka 2.16 sends to list all topics: the body ends three bytes before the message does.
    let message = hex("0003000c00000003000772646b61666b610000000000010000");
    assert!(decode_request(&message).is_err());
    let (header, request) = read_request(&message).expect("Kafka takes it");
    assert_eq!(header.correlation_id, 3);
    assert_eq!(request.api(), ApiKey::Metadata);
}

#[test]
fn broken_messages_are_refused_and_never_panic() {
    let all: Value =
        serde_json::from_str(include_str!("data/wire/seed-packets.json")).expect("JSON");
    for packet in all["packets"].as_array().expect("packets") {
        let message = hex(packet["hex"].as_str().expect("hex")).split_off(4);
        if packet["kind"] != "request" {
            continue;
        }
        for end in 0..message.len() {
            assert!(
                decode_request(&message[..end]).is_err(),
                "{} cut at {end}",
                packet["id"]
            );
        }
        for bit in 0..message.len() * 8 {
            let mut flipped = message.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            // Whatever comes of it, it must come back to the same bytes or be refused.
            if let Ok(decoded) = decode_request(&flipped) {
                let again = encode_request(&decoded.header, &decoded.request);
                assert!(again.is_ok(), "{} with bit {bit} flipped", packet["id"]);
            }
        }
    }
}
