//! Which configurations stand in the code.

use super::{BOOTSTRAP, Note};
use crate::kafka::config::{Configuration, ConsumerConfig, ProducerConfig, set_config};
use crate::kafka::ids::ActorName;
use crate::world::command::Configs;

/// What the client is configured with, all in all: the world checked each value when it took it.
pub(super) fn configured<C: Configuration>(configs: &Configs) -> C {
    let mut config = C::default();
    for (name, value) in configs.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = set_config(&mut config, name, value);
    }
    config
}

/// Configurations of the Java client whose value is not its default, in the order of their names; the group and
/// the client's id first.
fn changed<C: Configuration>(configs: &Configs, name: &ActorName) -> Vec<(&'static str, String)> {
    let (config, default) = (configured::<C>(configs), C::default());
    let mut first = Vec::new();
    let mut rest = Vec::new();
    for key in C::KEYS {
        let mut value = (key.get)(&config);
        if key.name == "client.id" && value.is_empty() {
            value = name.to_string();
        }
        if value == (key.get)(&default) {
            continue;
        }
        match key.name {
            "group.id" => first.insert(0, (key.name, value)),
            "client.id" | "group.instance.id" => first.push((key.name, value)),
            _ => rest.push((key.name, value)),
        }
    }
    first.extend(rest);
    first
}

/// What stands in a Java program, brokers and deserializers or serializers aside.
pub(super) fn java<C: Configuration>(
    configs: &Configs,
    name: &ActorName,
) -> Vec<(&'static str, String)> {
    let mut entries = changed::<C>(configs, name);
    for (name, value) in &mut entries {
        if *name == "partition.assignment.strategy" {
            let classes: Vec<&str> = value.split(',').map(assignor_class).collect();
            *value = classes.join(",");
        }
    }
    entries
}

fn assignor_class(name: &str) -> &str {
    match name {
        "range" => "org.apache.kafka.clients.consumer.RangeAssignor",
        "roundrobin" => "org.apache.kafka.clients.consumer.RoundRobinAssignor",
        "sticky" => "org.apache.kafka.clients.consumer.StickyAssignor",
        "cooperative-sticky" => "org.apache.kafka.clients.consumer.CooperativeStickyAssignor",
        other => other,
    }
}

/// How a Java configuration is called in librdkafka, and its default there. `None`: there is no such thing, or
/// it is said elsewhere in the program.
type Named = (&'static str, Option<(&'static str, &'static str)>);

const CONSUMER: &[Named] = &[
    ("default.api.timeout.ms", None),
    ("fetch.max.wait.ms", Some(("fetch.wait.max.ms", "500"))),
    ("internal.leave.group.on.close", None),
    (
        "isolation.level",
        Some(("isolation.level", "read_committed")),
    ),
    (
        "metadata.max.age.ms",
        Some(("topic.metadata.refresh.interval.ms", "300000")),
    ),
    // As a number of messages in `consume`.
    ("max.poll.records", None),
    // 60 s in librdkafka: named where somebody has changed it.
    ("request.timeout.ms", Some(("socket.timeout.ms", "30000"))),
];

const PRODUCER: &[Named] = &[
    ("batch.size", Some(("batch.size", "1000000"))),
    (
        "buffer.memory",
        Some(("queue.buffering.max.kbytes", "1048576")),
    ),
    (
        "delivery.timeout.ms",
        Some(("delivery.timeout.ms", "300000")),
    ),
    ("max.block.ms", None),
    (
        "max.in.flight.requests.per.connection",
        Some(("max.in.flight.requests.per.connection", "1000000")),
    ),
    ("max.request.size", Some(("message.max.bytes", "1000000"))),
    (
        "metadata.max.age.ms",
        Some(("topic.metadata.refresh.interval.ms", "300000")),
    ),
    (
        "reconnect.backoff.max.ms",
        Some(("reconnect.backoff.max.ms", "10000")),
    ),
    (
        "reconnect.backoff.ms",
        Some(("reconnect.backoff.ms", "100")),
    ),
    // Nothing that a person would notice differs by these two alone.
    ("linger.ms", Some(("linger.ms", "5"))),
];

/// What stands in a Python program.
fn python<C: Configuration>(
    table: &[Named],
    configs: &Configs,
    name: &ActorName,
    notes: &mut Vec<Note>,
) -> Vec<(&'static str, String)> {
    let changed = changed::<C>(configs, name);
    let config = configured::<C>(configs);
    let mut entries = vec![("bootstrap.servers", BOOTSTRAP.to_owned())];
    for key in C::KEYS {
        let value = changed.iter().find(|(name, _)| *name == key.name);
        match (table.iter().find(|(name, _)| *name == key.name), value) {
            (Some((_, Some((other, default)))), _) => {
                let value = (key.get)(&config);
                let value = match *other {
                    "queue.buffering.max.kbytes" => kilobytes(&value),
                    _ => value,
                };
                if value != *default {
                    entries.push((other, value));
                }
            }
            (Some((name, None)), Some(_)) if *name != "max.poll.records" => {
                notes.push(Note::NoConfig((*name).into()));
            }
            (None, Some((name, value))) => entries.push((name, value.clone())),
            (Some((_, None)), _) | (None, None) => {}
        }
    }
    let rank = |name: &str| match name {
        "bootstrap.servers" => 0,
        "group.id" => 1,
        "client.id" => 2,
        "group.instance.id" => 3,
        _ => 4,
    };
    crate::kafka::sorted::sort_by(&mut entries, |left, right| {
        (rank(left.0), left.0).cmp(&(rank(right.0), right.0))
    });
    entries
}

fn kilobytes(bytes: &str) -> String {
    let bytes: i64 = bytes.parse().unwrap_or_default();
    (bytes / 1_024).max(1).to_string()
}

/// What a Python consumer is made with.
pub(super) fn python_consumer(
    configs: &Configs,
    name: &ActorName,
    notes: &mut Vec<Note>,
) -> Vec<(&'static str, String)> {
    let mut entries = python::<ConsumerConfig>(CONSUMER, configs, name, notes);
    entries.retain(|(name, _)| *name != "partition.assignment.strategy");
    let config: ConsumerConfig = configured(configs);
    let listed = config.partition_assignment_strategy.iter();
    let cooperative = |name: &str| name == "cooperative-sticky";
    let is_first_cooperative = config
        .partition_assignment_strategy
        .first()
        .is_some_and(|first| cooperative(first));
    let of_one_kind = listed
        .clone()
        .filter(|name| cooperative(name) == is_first_cooperative);
    if of_one_kind.clone().count() < listed.count() {
        notes.push(Note::MixedAssignors);
    }
    let known: Vec<&str> = of_one_kind
        .map(|name| &**name)
        .filter(|name| *name != "sticky")
        .collect();
    if config
        .partition_assignment_strategy
        .iter()
        .any(|name| &**name == "sticky")
    {
        notes.push(Note::NoStickyAssignor);
    }
    let list = known.join(",");
    if !list.is_empty() && list != "range,roundrobin" {
        entries.push(("partition.assignment.strategy", list));
    }
    entries
}

/// What a Python producer is made with.
pub(super) fn python_producer(
    configs: &Configs,
    name: &ActorName,
    has_keys: bool,
    notes: &mut Vec<Note>,
) -> Vec<(&'static str, String)> {
    let mut entries = python::<ProducerConfig>(PRODUCER, configs, name, notes);
    if has_keys {
        notes.push(Note::Partitioner);
        entries.push(("partitioner", "murmur2_random".to_owned()));
    }
    entries
}
