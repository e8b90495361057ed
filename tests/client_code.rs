//! The code that the page shows for a client's settings, held against files: one per case and language.
//! `REGROUP_WRITE=1 cargo test --test client_code` writes them anew, to be read before they are kept.
#![cfg(not(target_arch = "wasm32"))]

use regroup::form;
use regroup::view::client_code::{CodeLanguage, Note, consumer_code, producer_code};
use regroup::world::setup::{ApplicationSpec, ClientFlavour, ConsumerSpec, ProducerSpec, Reads};
use serde_json::{Value, json};
use std::path::Path;

/// A consumer with these configurations and this application, in the words of a scenario file.
fn consumer(configs: Value, application: Value, reads: Option<Value>) -> ConsumerSpec {
    let reads = reads.unwrap_or_else(|| json!({"subscribe": ["orders"]}));
    let application: ApplicationSpec = form::read(&application).expect("an application");
    let reads: Reads = form::read(&reads).expect("what it reads");
    let mut all = json!({"group.id": "shop"});
    if let (Some(all), Value::Object(configs)) = (all.as_object_mut(), configs) {
        all.extend(configs);
    }
    ConsumerSpec {
        name: "c-1".into(),
        configs: form::read(&all).expect("configurations"),
        flavour: ClientFlavour::Java,
        reads,
        application,
        first_correlation_id: 0,
    }
}

fn manual() -> Value {
    json!({"enable.auto.commit": "false"})
}

/// A way of committing.
fn committing(style: Value) -> ConsumerSpec {
    consumer(
        manual(),
        json!({"time_per_record_ms": 50, "commit": style}),
        None,
    )
}

fn producer(value: Value) -> ProducerSpec {
    form::read(&value).expect("a producer")
}

fn is_as_kept(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/code")
        .join(name);
    if std::env::var_os("REGROUP_WRITE").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        std::fs::write(&path, text).expect("it can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == kept, "{name} is now:\n{text}");
}

fn check(name: &str, spec: &ConsumerSpec) {
    for (language, ending) in [(CodeLanguage::Java, "java"), (CodeLanguage::Python, "py")] {
        let code = consumer_code(spec, language);
        is_as_kept(&format!("{name}.{ending}"), &code.text);
    }
}

#[test]
fn each_way_of_committing_has_its_loop() {
    for (name, style) in [
        ("sync_after_batch", json!("sync_after_batch")),
        ("sync_every_record", json!({"sync_every": {"records": 1}})),
        ("sync_every_ten", json!({"sync_every": {"records": 10}})),
        ("sync_before_processing", json!("sync_before_processing")),
        ("async_after_batch", json!("async_after_batch")),
        ("async_every_record", json!({"async_every": {"records": 1}})),
        (
            "async_with_resend",
            json!({"async_every_with_resend": {"records": 1}}),
        ),
        (
            "async_with_guard",
            json!({"async_every_with_guard": {"records": 1}}),
        ),
        ("no_commit", json!("none")),
    ] {
        check(name, &committing(style));
    }
    check("auto_commit", &consumer(json!({}), json!({}), None));
}

#[test]
fn configurations_stand_in_it_where_they_differ_from_the_defaults() {
    let spec = consumer(
        json!({
            "group.instance.id": "shelf-1",
            "session.timeout.ms": "6000",
            "heartbeat.interval.ms": "2000",
            "max.poll.records": "100",
            "auto.offset.reset": "earliest",
            "partition.assignment.strategy": "cooperative-sticky",
            "isolation.level": "read_committed",
            "fetch.max.wait.ms": "500",
        }),
        json!({}),
        None,
    );
    check("static_member", &spec);
}

#[test]
fn a_program_does_all_that_its_model_does() {
    check(
        "everything",
        &consumer(
            manual(),
            json!({
                "poll": {"every": {"period_ms": 200, "phase_ms": 0}},
                "time_per_record_ms": "0.5",
                "commit_when_revoked": true,
                "commit_on_close": true,
                "callback_time_ms": 300,
                "on_poison": "retry_topic",
                "on_exception": "close",
            }),
            Some(json!({"pattern": "orders-.*"})),
        ),
    );
    check(
        "threads",
        &consumer(
            manual(),
            json!({
                "commit": {"sync_every": {"records": 10}},
                "workers": {"threads": 4, "queue_max": 100},
                "on_poison": "skip",
            }),
            None,
        ),
    );
    check(
        "assigned",
        &consumer(
            json!({}),
            json!({"on_poison": "retry"}),
            Some(json!({"assign": ["orders-0", "orders-2"]})),
        ),
    );
}

#[test]
fn producers_have_their_code_too() {
    let spec = producer(json!({
        "name": "p-1", "topic": "orders", "every_ms": 100,
        "keys": {"some": {"count": 20, "hot_percent": 30}},
        "size_bytes": 100, "configs": {"acks": "1", "linger.ms": "20"},
    }));
    let plain =
        producer(json!({"name": "p2", "topic": "orders", "every_ms": "0.25", "size_bytes": 10}));
    for (language, ending) in [(CodeLanguage::Java, "java"), (CodeLanguage::Python, "py")] {
        is_as_kept(
            &format!("producer.{ending}"),
            &producer_code(&spec, language).text,
        );
        is_as_kept(
            &format!("producer_plain.{ending}"),
            &producer_code(&plain, language).text,
        );
    }
}

#[test]
fn what_a_language_cannot_say_is_noted() {
    let notes = |configs: Value, language| {
        consumer_code(&consumer(configs, json!({}), None), language).notes
    };
    assert_eq!(notes(json!({}), CodeLanguage::Java), []);
    assert_eq!(
        notes(json!({}), CodeLanguage::Python),
        [Note::MixedAssignors]
    );
    assert_eq!(
        notes(
            json!({"partition.assignment.strategy": "sticky", "default.api.timeout.ms": "1000"}),
            CodeLanguage::Python
        ),
        [
            Note::NoConfig("default.api.timeout.ms".into()),
            Note::NoStickyAssignor
        ]
    );
}

#[test]
fn names_and_texts_cannot_break_the_code() {
    let mut spec = consumer(json!({"client.id": "a\"b\\c"}), json!({}), None);
    spec.name = "1 strange-näme".into();
    let java = consumer_code(&spec, CodeLanguage::Java).text;
    assert!(
        java.contains("props.put(\"client.id\", \"a\\\"b\\\\c\");"),
        "{java}"
    );
    assert!(java.contains("public class Reader {"), "{java}");
}
