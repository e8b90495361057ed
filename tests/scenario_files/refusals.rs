//! A bad file ends in a sentence that says where and why, and never in a panic.

use regroup::kafka::time::Instant;
use regroup::scenario::{Document, LENGTH_MAX_BYTES, try_out};
use serde_json::{Value, json};
use std::fs;

/// A small file that is good.
fn good() -> Value {
    json!({
        "version": 1,
        "title": {"en": "a", "ko": "a"},
        "story": {"en": "a", "ko": "a"},
        "question": {"en": "a", "ko": "a"},
        "until": 1000,
        "topics": [{"name": "orders", "partitions": 2}],
        "feeds": [{"name": "feed", "topic": "orders", "first_at": 0, "every_ms": 100}],
        "consumer_configs": {"group.id": "g"},
        "consumers": [{"name": "c1", "at": 0}, {"name": "c2"}],
        "groups": [{"group": "g", "members": [{"actor": "c2", "owned": ["orders-0"]}]}],
        "acts": [{"at": 10, "command": {"kill": {"actor": "c1"}}}],
        "expect": [{"field": "rebalances", "is": 0}],
    })
}

/// What becomes of a text: nothing, or the sentence that refuses it.
fn refusal(text: &str) -> Option<String> {
    let scenarios = Document::parse(text).and_then(|document| document.scenarios());
    match scenarios {
        Err(bad) => Some(bad.to_string()),
        Ok(scenarios) => scenarios
            .iter()
            .find_map(|scenario| try_out(scenario, Some(Instant(i64::MIN)), |_| {}).err())
            .map(|complaint| complaint.to_string()),
    }
}

fn refuses(pointer: &str, value: Value, sentence: &str) {
    let mut file = good();
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    let parent = file.pointer_mut(parent).expect("a place in the file");
    match parent {
        Value::Object(object) => drop(object.insert(key.to_owned(), value)),
        Value::Array(list) => list.push(value),
        other => panic!("{other} holds nothing"),
    }
    let refusal = refusal(&file.to_string());
    let refusal = refusal.unwrap_or_else(|| panic!("{pointer} is not refused"));
    assert!(
        refusal.starts_with(sentence),
        "{pointer}: {refusal:?} does not begin with {sentence:?}"
    );
}

#[test]
fn the_good_file_is_good() {
    assert_eq!(refusal(&good().to_string()), None);
}

#[test]
fn a_wrong_shape_is_refused_with_its_place() {
    for (pointer, value, sentence) in [
        (
            "/colour",
            json!(1),
            "colour: unknown field; there are version, title, story",
        ),
        (
            "/until",
            json!("soon"),
            "until: expected milliseconds, as a whole number or as text such as \"12.5\", not \"soon\"",
        ),
        (
            "/until",
            json!(1.5),
            "until: expected milliseconds, as a whole number or as text such as \"12.5\", not 1.5",
        ),
        (
            "/title/ko",
            json!(null),
            "title.ko: expected a text, not null",
        ),
        (
            "/topics/0/partitions",
            json!("2"),
            "topics[0].partitions: expected a whole number, not \"2\"",
        ),
        (
            "/acts/0/command",
            json!({"explode": {}}),
            "acts[0].command: expected one of add_consumers, close, kill,",
        ),
        (
            "/acts/0/command",
            json!({"kill": {}}),
            "acts[0].command.kill: missing field actor",
        ),
        (
            "/expect/0/is",
            json!(0.5),
            "expect[0].is: expected a whole number, true or false, a text, a list of texts, or a list per name, not 0.5",
        ),
        (
            "/expect/0/field",
            json!("joy"),
            "expect[0].field: expected one of state, generation,",
        ),
        (
            "/groups/0/members/0/owned",
            json!(["orders"]),
            "groups[0].members[0].owned[0]: expected a partition such as \"orders-0\", not \"orders\"",
        ),
        (
            "/producers",
            json!([{
                "name": "p1",
                "topic": "orders",
                "every_ms": 10,
                "keys": {"some": {"count": 5, "hot_percent": -3}},
            }]),
            "producers[0].keys.some.hot_percent: expected a whole number between 0 and 4294967295, not -3",
        ),
        ("/version", json!(7), "version 7 of the format is unknown"),
    ] {
        refuses(pointer, value, sentence);
    }
}

#[test]
fn dangling_names_are_refused_with_their_place() {
    for (pointer, value, sentence) in [
        (
            "/acts/0/command",
            json!({"kill": {"actor": "zz"}}),
            "acts[0].command: there is no client \"zz\"",
        ),
        (
            "/feeds/0/topic",
            json!("sales"),
            "feeds[0].topic: there is no topic \"sales\"",
        ),
        (
            "/feeds/0/name",
            json!("c1"),
            "feeds[0].name: the name \"c1\" is taken",
        ),
        (
            "/consumers/1/name",
            json!("c1"),
            "consumers[1].name: the name \"c1\" is taken",
        ),
        (
            "/groups/0/members/0/actor",
            json!("c9"),
            "groups[0].members[0].actor: there is no consumer \"c9\"",
        ),
        (
            "/groups/0/members/0/owned",
            json!(["orders-2"]),
            "groups[0].members[0]: there is no partition \"orders-2\"",
        ),
        (
            "/expect/0/of",
            json!("c9"),
            "expect[0].of: there is no client \"c9\"",
        ),
        (
            "/expect/0/group",
            json!("h"),
            "expect[0].group: there is no group \"h\"",
        ),
        (
            "/expect/0/partition",
            json!("orders-7"),
            "expect[0].partition: there is no partition \"orders-7\"",
        ),
        (
            "/logs",
            json!({"sales-0": {"end": 3}}),
            "logs.sales-0: there is no partition \"sales-0\"",
        ),
    ] {
        refuses(pointer, value, sentence);
    }
    let mut file = good();
    file["variants"] = json!({"a": {"title": {"en": "a", "ko": "a"}, "patch": {}}});
    file["expect"][0]["variants"] = json!(["b"]);
    let base = Document::parse(&file.to_string()).expect("the shape is good");
    let refusal = base.scenario(None).expect_err("there is no variant b");
    assert_eq!(
        refusal.to_string(),
        "expect[0].variants: there is no variant \"b\""
    );
    let refusal = base.scenario(Some("z")).expect_err("there is no variant z");
    assert_eq!(refusal.to_string(), "variants: there is no variant \"z\"");
}

#[test]
fn absurd_sizes_are_refused_before_anything_is_made_of_them() {
    for (pointer, value, sentence) in [
        (
            "/until",
            json!(i64::MAX),
            "until: expected a whole number between -9223372036854775 and 9223372036854775, not 9223372036854775807",
        ),
        (
            "/until",
            json!(1_000_000_000_000_i64),
            "until: the time must lie between 0 and 604800000 ms",
        ),
        (
            "/origin",
            json!(5),
            "origin: the time must lie between -604800000 and 0 ms",
        ),
        (
            "/topics/0/partitions",
            json!(2_000_000_000),
            "topics[0].partitions: the number must lie between 1 and 10000",
        ),
        (
            "/topics/0/partitions",
            json!(0),
            "topics[0].partitions: the number must lie between 1 and 10000",
        ),
        (
            "/feeds/0/every_ms",
            json!(0),
            "feeds[0].every_ms: the time must lie between 0.001",
        ),
        (
            "/feeds/0/batch",
            json!(4_000_000_000_u32),
            "feeds[0].every_ms: a run may write at most 20000000 records",
        ),
        (
            "/acts/0/at",
            json!(5_000),
            "acts[0]: the time must lie between 0 and 1000 ms",
        ),
        (
            "/expect/0/at",
            json!(5_000),
            "expect[0].at: the time must lie between 0 and 1000 ms",
        ),
        (
            "/acts/-",
            json!({"at": 1, "command": {"thaw": {"actor": "c1"}}}),
            "acts[1]: acts must stand in the order of time",
        ),
    ] {
        refuses(pointer, value, sentence);
    }
    let mut file = good();
    let consumers = (0..2_000).map(|number| json!({"name": format!("d{number}"), "at": 0}));
    file["consumers"] = consumers.collect();
    let refusal = refusal(&file.to_string()).expect("too many");
    assert_eq!(refusal, "consumers: there may be at most 1000");
    let long = " ".repeat(LENGTH_MAX_BYTES + 1);
    let refusal = Document::parse(&long).expect_err("too long").to_string();
    assert_eq!(refusal, "a scenario has at most 1048576 bytes");
    let deep = "[".repeat(100_000);
    assert!(Document::parse(&deep).is_err());
}

#[test]
fn what_kafka_or_the_engine_cannot_do_is_refused_in_words() {
    for (pointer, value, sentence) in [
        (
            "/consumer_configs/session.timeout.ms",
            json!("soon"),
            "session.timeout.ms takes a whole number",
        ),
        (
            "/consumer_configs/heartbeat.interval.ms",
            json!("45000"),
            "heartbeat.interval.ms must be below session.timeout.ms",
        ),
        (
            "/broker_configs",
            json!({"no.such": "1"}),
            "broker_configs.no.such: there is no configuration \"no.such\"",
        ),
        (
            "/expect/0/field",
            json!("epoch"),
            "expect[0].field: the engine has no answer for \"epoch\" yet",
        ),
        (
            "/expect/0/is",
            json!("many"),
            "expect[0].is: \"rebalances\" takes a number",
        ),
        (
            "/expect/-",
            json!({"field": "owned", "is": 0}),
            "expect[1]: it must say \"of\"",
        ),
    ] {
        refuses(pointer, value, sentence);
    }
}

#[test]
fn a_bad_variant_is_refused_by_its_name() {
    let mut file = good();
    let title = json!({"en": "a", "ko": "a"});
    file["variants"] = json!({"worse": {"title": title, "patch": {"topics": [{"name": "x"}]}}});
    let words = refusal(&file.to_string()).expect("it is bad");
    assert_eq!(words, "variant worse: topics[0]: missing field partitions");
    file["variants"] = json!({"nested": {"title": title, "patch": {"variants": {}}}});
    let words = refusal(&file.to_string()).expect("it is bad");
    assert_eq!(
        words,
        "variants.nested.patch: a variant cannot have variants"
    );
}

/// Files with one value exchanged for an odd one, and files with one byte changed.
#[test]
fn spoilt_files_never_make_it_panic() {
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!("x".repeat(300)),
        json!("orders-99999999999"),
        json!("-"),
        json!([]),
        json!({}),
        json!([[]]),
        json!({"": 0}),
        json!("<="),
        json!("9999999999999999999..1"),
        json!("+"),
    ];
    let mut tried = 0;
    for name in ["i-007", "i-009", "acct-1", "wire-leave"] {
        let folder = match name.starts_with("i-") {
            true => "static/incidents",
            false => "tests/data/scenarios",
        };
        let path = format!("{folder}/{name}.json");
        let text = fs::read_to_string(path).expect("readable");
        let file: Value = serde_json::from_str(&text).expect("JSON");
        let mut places = Vec::new();
        pointers(&file, String::new(), &mut places);
        for (index, place) in places.iter().enumerate() {
            for offset in 0..4 {
                let mut spoilt = file.clone();
                *spoilt.pointer_mut(place).expect("a place") =
                    odd[(index * 4 + offset) % odd.len()].clone();
                drop(refusal(&spoilt.to_string()));
                tried += 1;
            }
        }
        for place in (0..text.len()).step_by(7) {
            let mut bytes = text.clone().into_bytes();
            bytes[place] = b"0\"{},[x"[place % 7];
            if let Ok(text) = String::from_utf8(bytes) {
                drop(refusal(&text));
                tried += 1;
            }
        }
    }
    assert!(tried > 2_000, "{tried}");
}

fn pointers(value: &Value, path: String, out: &mut Vec<String>) {
    out.push(path.clone());
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                let key = key.replace('~', "~0").replace('/', "~1");
                pointers(inner, format!("{path}/{key}"), out);
            }
        }
        Value::Array(list) => {
            for (index, inner) in list.iter().enumerate() {
                pointers(inner, format!("{path}/{index}"), out);
            }
        }
        _ => {}
    }
}
