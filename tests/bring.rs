//! Bring your own: what readers have at hand becomes a scenario that runs, and what cannot be used is listed.
#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use regroup::scenario::bring::{
    Assumed, BROUGHT_MAX_BYTES, Brought, BroughtKind, NotBrought, WhyUnused, bring,
};
use regroup::scenario::{Document, Scenario};
use regroup::session::Session;
use regroup::view::{GroupId, Instant};
use serde_json::{Value, json};

fn brought(text: &str) -> Brought {
    bring(text).unwrap_or_else(|why| panic!("{why:?}"))
}

fn scenario(brought: &Brought) -> Scenario {
    let document = Document::parse(&brought.file.to_string());
    let document = document.unwrap_or_else(|problem| panic!("{problem}"));
    document
        .scenario(None)
        .unwrap_or_else(|problem| panic!("{problem}"))
}

/// Runs what was made for some seconds.
fn run(brought: &Brought) -> Session {
    let scenario = scenario(brought);
    let session = Session::new(scenario.setup, scenario.acts);
    let mut session = session.unwrap_or_else(|refusal| panic!("{refusal:?}"));
    session.advance_to(Instant::from_ms(8_000), u64::MAX);
    session
}

fn unused(brought: &Brought) -> Vec<(usize, &str, &WhyUnused)> {
    let list = brought.unused.iter();
    list.map(|unused| (unused.line, &*unused.text, &unused.why))
        .collect()
}

fn configs(brought: &Brought) -> &Value {
    &brought.file["consumer_configs"]
}

#[test]
fn a_consumers_properties_become_its_configuration() {
    let text = "\
# The reader of payments
bootstrap.servers=kafka-1:9092,kafka-2:9092
group.id=payments
session.timeout.ms = 6000
heartbeat.interval.ms: 2000
max.poll.records 50
partition.assignment.strategy=org.apache.kafka.clients.consumer.CooperativeStickyAssignor
auto.offset.reset=smallest
fetch.wait.max.ms=100
sesion.timeout.ms=1
max.poll.interval.ms=soon
ssl.truststore.location=/etc/\\
  truststore.jks
client.rack=${ZONE}
max.poll.records=60
???
";
    let brought = brought(text);
    assert_eq!(brought.kind, BroughtKind::Properties);
    assert_eq!(
        *configs(&brought),
        json!({
            "group.id": "payments",
            "session.timeout.ms": "6000",
            "heartbeat.interval.ms": "2000",
            "max.poll.records": "60",
            "partition.assignment.strategy": "cooperative-sticky",
            "auto.offset.reset": "earliest",
            "fetch.max.wait.ms": "100",
        })
    );
    let list = unused(&brought);
    assert_eq!(
        list.iter()
            .map(|(line, text, _)| (*line, *text))
            .collect::<Vec<_>>(),
        [
            (2, "bootstrap.servers=kafka-1:9092,kafka-2:9092"),
            (10, "sesion.timeout.ms=1"),
            (11, "max.poll.interval.ms=soon"),
            (12, "ssl.truststore.location=/etc/\\"),
            (14, "client.rack=${ZONE}"),
            (15, "max.poll.records=60"),
            (16, "???"),
        ]
    );
    assert_eq!(*list[0].2, WhyUnused::NotSimulated);
    assert_eq!(*list[1].2, WhyUnused::UnknownName);
    assert!(matches!(list[2].2, WhyUnused::Refused(_)));
    assert_eq!(*list[3].2, WhyUnused::NotSimulated);
    assert_eq!(*list[4].2, WhyUnused::Placeholder);
    assert_eq!(*list[5].2, WhyUnused::SaidAgain);
    assert_eq!(*list[6].2, WhyUnused::NotUnderstood);
    assert!(brought.assumed.contains(&Assumed::Consumers(3)));
    run(&brought);
}

#[test]
fn a_python_clients_dictionary_is_read_like_properties() {
    let text = "{\n    'group.id': 'shop',\n    \"enable.auto.commit\": False,\n    'auto.offset.reset': 'earliest',\n}\n";
    let brought = brought(text);
    assert_eq!(
        *configs(&brought),
        json!({"group.id": "shop", "enable.auto.commit": "false", "auto.offset.reset": "earliest"})
    );
    assert_eq!(unused(&brought), []);
    run(&brought);
}

const SPRING: &str = "\
server:
  port: 8080
spring:
  application:
    name: shop
  kafka:
    bootstrap-servers: localhost:9092
    consumer:
      group-id: shop            # the group
      autoOffsetReset: earliest
      max-poll-records: 20
      heartbeat-interval: 2s
      fetch-min-size: 1KB
      properties:
        session.timeout.ms: 6000
        \"[group.instance.id]\": shelf
        partition.assignment.strategy: org.apache.kafka.clients.consumer.RangeAssignor
    producer:
      acks: 1
      batch-size: 32KB
    listener:
      concurrency: 4
      ack-mode: RECORD
    topics:
      - orders
      - payments
";

#[test]
fn a_spring_boot_yaml_says_how_many_consumers_there_are_and_when_they_commit() {
    let brought = brought(SPRING);
    assert_eq!(brought.kind, BroughtKind::Spring);
    assert_eq!(
        *configs(&brought),
        json!({
            "group.id": "shop",
            "auto.offset.reset": "earliest",
            "max.poll.records": "20",
            "heartbeat.interval.ms": "2000",
            "fetch.min.bytes": "1024",
            "session.timeout.ms": "6000",
            "partition.assignment.strategy": "range",
            "enable.auto.commit": "false",
        })
    );
    let consumers = brought.file["consumers"].as_array().expect("a list");
    assert_eq!(consumers.len(), 4);
    assert_eq!(
        consumers[3]["configs"],
        json!({"group.instance.id": "shelf-3"})
    );
    assert_eq!(
        consumers[0]["application"],
        json!({"commit": {"sync_every": {"records": 1}}})
    );
    assert_eq!(
        brought.file["producers"][0]["configs"],
        json!({"acks": "1", "batch.size": "32768"})
    );
    let list = unused(&brought);
    assert_eq!(
        list,
        [
            (2, "port: 8080", &WhyUnused::NotSimulated),
            (5, "name: shop", &WhyUnused::NotSimulated),
            (
                7,
                "bootstrap-servers: localhost:9092",
                &WhyUnused::NotSimulated
            ),
            (25, "- orders", &WhyUnused::YamlForm),
            (26, "- payments", &WhyUnused::YamlForm),
        ]
    );
    assert!(brought.assumed.contains(&Assumed::SpringCommits));
    run(&brought);
}

#[test]
fn springs_properties_say_the_same_on_one_line_each() {
    let text = "spring.kafka.consumer.group-id=shop\nspring.kafka.listener.concurrency=2\n\
                spring.kafka.consumer.properties.max.poll.interval.ms=10000\n\
                spring.kafka.listener.ack-mode=MANUAL_IMMEDIATE\n";
    let brought = brought(text);
    assert_eq!(brought.kind, BroughtKind::Spring);
    assert_eq!(configs(&brought)["max.poll.interval.ms"], json!("10000"));
    assert_eq!(brought.file["consumers"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        unused(&brought),
        [(
            4,
            "spring.kafka.listener.ack-mode=MANUAL_IMMEDIATE",
            &WhyUnused::AckMode
        )]
    );
    run(&brought);
}

const DESCRIBE: &str = "\
$ kafka-consumer-groups.sh --bootstrap-server localhost:9092 --describe --group shop

GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID                                HOST            CLIENT-ID
shop            orders          0          120             130             10              app-1-0a1b2c3d-0000-0000-0000-000000000000 /10.0.0.1       app-1
shop            orders          1          5000000         5000400         400             app-1-0a1b2c3d-0000-0000-0000-000000000000 /10.0.0.1       app-1
shop            orders          2          -               77              -               app-2-0a1b2c3d-0000-0000-0000-000000000001 /10.0.0.2       app-2
shop            payments        0          8               8               0               -                                          -               -
";

#[test]
fn a_groups_description_becomes_a_group_that_is_there() {
    let brought = brought(DESCRIBE);
    assert_eq!(brought.kind, BroughtKind::Describe);
    assert_eq!(unused(&brought), []);
    assert_eq!(brought.used, 4);
    assert_eq!(
        brought.file["topics"],
        json!([{"name": "orders", "partitions": 3}, {"name": "payments", "partitions": 1}])
    );
    let group = &brought.file["groups"][0];
    assert_eq!(
        group["offsets"],
        json!({"orders-0": 120, "orders-1": 5_000_000, "payments-0": 8})
    );
    assert_eq!(
        group["members"][0]["owned"],
        json!(["orders-0", "orders-1"])
    );
    assert_eq!(group["members"][1]["actor"], json!("app-2"));
    assert_eq!(
        brought.file["logs"]["orders-1"],
        json!({"start": 4_999_900, "end": 5_000_400, "batch": 50})
    );
    let session = run(&brought);
    let group = session.sums().ledger.group(&GroupId::from("shop"));
    assert!(
        group.is_some_and(|group| group.rebalances.count() == 0),
        "nobody had to join"
    );
}

#[test]
fn members_and_state_add_who_is_static_and_who_assigns() {
    let text = format!(
        "{DESCRIBE}
GROUP           CONSUMER-ID                                GROUP-INSTANCE-ID HOST            CLIENT-ID       #PARTITIONS     ASSIGNMENT
shop            app-1-0a1b2c3d-0000-0000-0000-000000000000 shelf-1           /10.0.0.1       app-1           2               orders(0,1)
shop            app-3-0a1b2c3d-0000-0000-0000-000000000002 -                 /10.0.0.3       app-3           0               -

GROUP                     COORDINATOR (ID)          ASSIGNMENT-STRATEGY  STATE           #MEMBERS
shop                      localhost:9092  (1)       cooperative-sticky   Stable          3

what is this?
"
    );
    let brought = brought(&text);
    assert_eq!(
        unused(&brought),
        [(16, "what is this?", &WhyUnused::NotUnderstood)]
    );
    let group = &brought.file["groups"][0];
    assert_eq!(group["assignor"], json!("cooperative-sticky"));
    assert_eq!(group["members"].as_array().map(Vec::len), Some(3));
    let first = &brought.file["consumers"][0]["configs"];
    assert_eq!(first["group.instance.id"], json!("shelf-1"));
    assert_eq!(
        first["partition.assignment.strategy"],
        json!("cooperative-sticky")
    );
    run(&brought);
}

#[test]
fn a_group_without_members_gets_somebody_who_can_be_started() {
    let text = "Consumer group 'night' has no active members.\n\n\
                GROUP  TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID\n\
                night  jobs   0          5               90000           89995  -          -     -\n";
    let brought = brought(text);
    assert_eq!(unused(&brought), []);
    assert_eq!(brought.file["consumers"][0]["name"], json!("c1"));
    // The log is not as long: the group stands where it begins.
    assert_eq!(
        brought.file["groups"][0]["offsets"]["jobs-0"],
        json!(70_000)
    );
    run(&brought);
}

#[test]
fn what_is_no_configuration_is_said_so() {
    for (text, why) in [
        ("", NotBrought::Empty),
        ("  \n\t\n", NotBrought::Empty),
        ("hello", NotBrought::Unknown),
        ("<html><body>404</body></html>", NotBrought::Unknown),
        ("a: b\nc:\n  d: e\n", NotBrought::Unknown),
        (
            "GROUP TOPIC PARTITION CURRENT-OFFSET\n",
            NotBrought::Unknown,
        ),
    ] {
        assert_eq!(bring(text).map(|_| ()), Err(why), "{text:?}");
    }
    let long = "a=b\n".repeat(BROUGHT_MAX_BYTES / 4 + 1);
    assert_eq!(bring(&long).map(|_| ()), Err(NotBrought::TooLong));
}

#[test]
fn a_configuration_that_kafka_refuses_as_a_whole_is_refused_with_its_reason() {
    let brought = brought("group.id=shop\nsession.timeout.ms=2000\nheartbeat.interval.ms=3000\n");
    let problem = brought.check().expect_err("it is refused").to_string();
    assert!(
        problem.contains("heartbeat.interval.ms must be below session.timeout.ms"),
        "{problem}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is pasted: no panic, bounded lists, and a file that has the form of a scenario.
    #[test]
    fn nothing_that_is_pasted_breaks_it(
        which in 0usize..3,
        cuts in prop::collection::vec((0usize..2_000, 0usize..40, "[\\PC\\n\\t#:=\\-'\"{}\\[\\]]{0,12}"), 0..6),
    ) {
        let mut text = [SPRING, DESCRIBE, "group.id=a\nmax.poll.records=5\n"][which].to_owned();
        for (at, length, insert) in cuts {
            let clip = |place: usize| (0..=place.min(text.len())).rev().find(|place| text.is_char_boundary(*place)).unwrap_or(0);
            let (from, to) = (clip(at), clip(at + length));
            text.replace_range(from..to.max(from), &insert);
        }
        if let Ok(brought) = bring(&text) {
            prop_assert!(brought.unused.len() <= 100);
            let document = Document::parse(&brought.file.to_string());
            prop_assert!(document.is_ok(), "{:?}\n{text}", document.err());
        }
    }
}

#[test]
fn a_secret_is_not_shown_again() {
    let text = "group.id=payments\nssl.keystore.password=hunter2\nsasl.jaas.config=x required username=\"me\" password=\"hunter2\";\n";
    let brought = brought(text);
    let shown: Vec<_> = unused(&brought).iter().map(|(_, text, _)| *text).collect();
    assert_eq!(shown, ["ssl.keystore.password=…", "sasl.jaas.config=…"]);
}
