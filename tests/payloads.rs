//! Payloads, hashes and key partitions against what Kafka's own classes gave.
#![cfg(not(target_arch = "wasm32"))]

mod vectors;

use proptest::prelude::*;
use regroup::cases::{Run, bytes_of_hex, partitions_of_runs, runs};
use regroup::kafka::ids::{Bytes, TopicName, TopicPartition, Uuid};
use regroup::kafka::java_hash::{
    coordinator_partition, string_hash, topic_partition_hash, uuid_hash, walk,
};
use regroup::kafka::murmur2::{murmur2, partition_of_key};
use regroup::kafka::protocol::{Assignment, CooperativeUserData, StickyUserData, Subscription};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::rc::Rc;

fn bytes(hex: &str) -> Bytes {
    bytes_of_hex(hex).expect("hexadecimal").into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[derive(Deserialize)]
struct PayloadLine {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    version: i16,
    fields: Option<Fields>,
    hex: String,
    decoded: Option<Fields>,
    error: Option<String>,
}

#[derive(Deserialize)]
struct Fields {
    #[serde(default)]
    topics: Vec<String>,
    user_data: Option<String>,
    #[serde(default)]
    owned: Vec<Run>,
    #[serde(default)]
    generation: i32,
    rack_id: Option<String>,
    #[serde(default)]
    partitions: Vec<Run>,
}

fn subscription(fields: &Fields) -> Subscription {
    Subscription {
        topics: fields
            .topics
            .iter()
            .map(|topic| TopicName::from(topic.as_str()))
            .collect(),
        user_data: fields.user_data.as_deref().map(bytes),
        owned_partitions: partitions_of_runs(&fields.owned),
        generation: fields.generation,
        rack_id: fields.rack_id.as_deref().map(Rc::from),
    }
}

fn assignment(fields: &Fields) -> Assignment {
    Assignment {
        partitions: partitions_of_runs(&fields.partitions),
        user_data: fields.user_data.as_deref().map(bytes),
    }
}

#[test]
fn subscriptions_and_assignments_have_kafkas_bytes_at_every_version() {
    let lines = vectors::lines("consumer-protocol.jsonl");
    assert_eq!(lines.len(), 39);
    for line in lines {
        let line: PayloadLine = serde_json::from_str(&line).expect("a payload line");
        let encoded = bytes(&line.hex);
        let about_subscription = line.kind.ends_with("subscription");
        if let Some(fields) = &line.fields {
            let written = match about_subscription {
                true => subscription(fields).encode(line.version),
                false => assignment(fields).encode(line.version),
            };
            assert_eq!(hex(&written), line.hex, "{}", line.id);
        }
        assert_eq!(line.decoded.is_none(), line.error.is_some(), "{}", line.id);
        let wanted = line.decoded.as_ref();
        if about_subscription {
            let mut read = Subscription::decode(&encoded).ok();
            if let Some(read) = &mut read {
                // What Java shows of a subscription: an empty rack is none.
                read.rack_id = read.rack().cloned();
            }
            assert_eq!(read, wanted.map(subscription), "{}", line.id);
        } else {
            let read = Assignment::decode(&encoded).ok();
            assert_eq!(read, wanted.map(assignment), "{}", line.id);
        }
    }
}

#[test]
fn the_bytes_of_librdkafka_are_expressible() {
    let subscription = Subscription {
        topics: vec![TopicName::from("test-topic")],
        user_data: Some(Rc::from([])),
        owned_partitions: Vec::new(),
        generation: -1,
        rack_id: Some("".into()),
    };
    let encoded = subscription.encode(3);
    assert_eq!(
        hex(&encoded),
        "000300000001000a746573742d746f7069630000000000000000ffffffff0000"
    );
    assert_eq!(Subscription::decode(&encoded), Ok(subscription));
    let assignment = Assignment {
        partitions: vec![TopicPartition::new("test-topic", 0)],
        user_data: Some(Rc::from([])),
    };
    let encoded = assignment.encode(0);
    assert_eq!(
        hex(&encoded),
        "000000000001000a746573742d746f706963000000010000000000000000"
    );
    assert_eq!(Assignment::decode(&encoded), Ok(assignment));
    let empty = Assignment {
        partitions: Vec::new(),
        user_data: Some(Rc::from([])),
    };
    assert_eq!(hex(&empty.encode(0)), "00000000000000000000");
}

#[derive(Deserialize)]
struct UserDataLine {
    id: String,
    format: String,
    #[serde(default)]
    partitions: Vec<Run>,
    generation: Option<i32>,
    hex: String,
}

#[test]
fn user_data_of_the_sticky_assignors_has_kafkas_bytes() {
    let lines = vectors::lines("assignor-user-data.jsonl");
    assert_eq!(lines.len(), 14);
    for line in lines {
        let line: UserDataLine = serde_json::from_str(&line).expect("a user data line");
        let encoded = bytes(&line.hex);
        if line.format == "coop-v0" {
            let data = CooperativeUserData {
                generation: line.generation.expect("it has one"),
            };
            assert_eq!(hex(&data.encode()), line.hex, "{}", line.id);
            assert_eq!(
                CooperativeUserData::decode(&encoded),
                Ok(data),
                "{}",
                line.id
            );
        } else {
            let partitions = partitions_of_runs(&line.partitions);
            let data = StickyUserData {
                partitions,
                generation: line.generation,
            };
            assert_eq!(hex(&data.encode()), line.hex, "{}", line.id);
            // Version 0 is only read any more, so its recorded topic order is not Java's. Of version 1 the line has
            // the written order; a topic goes to the front of its bucket, so the reverse order gives the same bytes.
            if line.generation.is_some() {
                let mut reverse = data.clone();
                reverse.partitions.sort_by_key(|partition| {
                    let place = line
                        .partitions
                        .iter()
                        .position(|(topic, _)| **topic == *partition.topic);
                    std::cmp::Reverse(place)
                });
                assert_eq!(hex(&reverse.encode_as_java()), line.hex, "{}", line.id);
            }
            assert_eq!(StickyUserData::decode(&encoded), Ok(data), "{}", line.id);
        }
    }
}

#[derive(Deserialize)]
struct HashLine {
    id: String,
    strings: Vec<String>,
    string_hash: Vec<i32>,
    string_walk: Vec<String>,
    coordinator_partition_of_50: Vec<i32>,
    topic_partitions: Vec<(String, i32)>,
    topic_partition_hash: Vec<i32>,
    topic_partition_walk: Vec<(String, i32)>,
    uuids: Vec<String>,
    uuid_hash: Vec<i32>,
    uuid_walk: Vec<String>,
    uuid_sorted: Vec<String>,
}

fn walked<T: Clone>(keys: &[T], hashes: &[i32]) -> Vec<T> {
    walk(hashes)
        .into_iter()
        .map(|place| keys[place].clone())
        .collect()
}

/// A topic id from Kafka's text form.
fn uuid(text: &str) -> Uuid {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let value = |digit: char| DIGITS.find(digit).expect("a digit of base64") as u128;
    // 22 digits of 6 bits are 132; the last four are padding.
    let (head, last) = text.split_at(21);
    let whole = head.chars().fold(0, |sum, digit| sum << 6 | value(digit));
    let whole = whole << 2 | last.chars().map(value).sum::<u128>() >> 4;
    Uuid {
        high: (whole >> 64) as i64,
        low: whole as i64,
    }
}

#[test]
fn hash_codes_and_walks_are_javas() {
    let lines = vectors::lines("java-hash.jsonl");
    assert_eq!(lines.len(), 24);
    for line in lines {
        let line: HashLine = serde_json::from_str(&line).expect("a hash line");
        let hashes: Vec<i32> = line.strings.iter().map(|text| string_hash(text)).collect();
        assert_eq!(hashes, line.string_hash, "{}", line.id);
        assert_eq!(
            walked(&line.strings, &hashes),
            line.string_walk,
            "{}",
            line.id
        );
        let partitions: Vec<i32> = line
            .strings
            .iter()
            .map(|text| coordinator_partition(text, 50))
            .collect();
        assert_eq!(partitions, line.coordinator_partition_of_50, "{}", line.id);

        let hashes: Vec<i32> = line
            .topic_partitions
            .iter()
            .map(|(topic, number)| topic_partition_hash(string_hash(topic), *number))
            .collect();
        assert_eq!(hashes, line.topic_partition_hash, "{}", line.id);
        assert_eq!(
            walked(&line.topic_partitions, &hashes),
            line.topic_partition_walk,
            "{}",
            line.id
        );

        let hashes: Vec<i32> = line.uuids.iter().map(|id| uuid_hash(uuid(id))).collect();
        assert_eq!(hashes, line.uuid_hash, "{}", line.id);
        assert_eq!(walked(&line.uuids, &hashes), line.uuid_walk, "{}", line.id);
        let mut sorted = line.uuids.clone();
        sorted.sort_by_key(|id| uuid(id));
        assert_eq!(sorted, line.uuid_sorted, "{}", line.id);
    }
}

#[derive(Deserialize)]
struct KeyLine {
    key_hex: String,
    murmur2: i32,
    partition: BTreeMap<String, i32>,
}

#[test]
fn keys_go_to_kafkas_partitions() {
    let lines = vectors::lines("key-partition.jsonl");
    assert_eq!(lines.len(), 300);
    for line in lines {
        let line: KeyLine = serde_json::from_str(&line).expect("a key line");
        let key = bytes(&line.key_hex);
        assert_eq!(murmur2(&key), line.murmur2, "{}", line.key_hex);
        for (partitions, chosen) in line.partition {
            let partitions = partitions.parse().expect("a number");
            assert_eq!(
                partition_of_key(&key, partitions),
                chosen,
                "{} of {partitions}",
                line.key_hex
            );
        }
    }
}

fn any_partitions() -> impl Strategy<Value = Vec<TopicPartition>> {
    let one =
        ("[a-c]{1,3}", any::<i32>()).prop_map(|(topic, number)| TopicPartition::new(topic, number));
    prop::collection::vec(one, 0..12)
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = Subscription::decode(&bytes);
        let _ = Assignment::decode(&bytes);
        let _ = StickyUserData::decode(&bytes);
        let _ = CooperativeUserData::decode(&bytes);
    }

    #[test]
    fn a_changed_byte_of_a_payload_is_read_or_refused(
        partitions in any_partitions(),
        place in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let assignment = Assignment { partitions, user_data: None };
        let mut bytes = assignment.encode(1).to_vec();
        let place = place.index(bytes.len());
        bytes[place] = byte;
        let _ = Assignment::decode(&bytes);
        let _ = Subscription::decode(&bytes);
    }

    #[test]
    fn what_is_written_is_read_again(partitions in any_partitions(), generation in any::<i32>()) {
        let read = Assignment::decode(&Assignment { partitions: partitions.clone(), user_data: None }.encode(3));
        let mut grouped = read.expect("just written").partitions;
        let mut wanted = partitions.clone();
        prop_assert_eq!(runs(&grouped).len(), {
            let mut topics: Vec<_> = partitions.iter().map(|partition| &partition.topic).collect();
            topics.sort();
            topics.dedup();
            topics.len()
        });
        grouped.sort();
        wanted.sort();
        prop_assert_eq!(&grouped, &wanted);

        let subscription = Subscription {
            topics: Vec::new(),
            user_data: None,
            owned_partitions: wanted,
            generation,
            rack_id: None,
        };
        prop_assert_eq!(Subscription::decode(&subscription.encode(3)), Ok(subscription));
    }
}
