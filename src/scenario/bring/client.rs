//! A scenario around a client's configuration.

use super::known::{assignor, is_known, of_librdkafka};
use super::lines::Setting;
use super::{Assumed, CONSUMERS_MAX, Tally, WhyUnused, texts};
use crate::kafka::config::{
    ConfigError, Configuration, ConsumerConfig, ProducerConfig, config_key, set_config,
};
use crate::kafka::sorted::SortedMap;
use serde_json::{Map, Value, json};

/// What was found out about the clients.
#[derive(Default)]
pub(super) struct Found {
    /// Configurations of the consumers, by dotted name.
    pub consumer: SortedMap<String, String>,
    /// Configurations of the producer, by dotted name.
    pub producer: SortedMap<String, String>,
    /// How many consumers, if it is said.
    pub consumers: Option<i64>,
    /// What the application does, in the words of a scenario file.
    pub application: Map<String, Value>,
    /// It is Spring's listener container that polls and commits.
    pub is_spring: bool,
}

/// Records a second that are written to the topic.
const RECORDS_PER_S: i64 = 20;
/// Consumers where nothing is said.
const CONSUMERS: i64 = 3;
const PARTITIONS: i64 = 6;
const TOPIC: &str = "orders";
const GROUP: &str = "my-group";

/// Takes a consumer's configuration, or says why not.
pub(super) fn take_consumer(found: &mut Found, name: &str, setting: &Setting, tally: &mut Tally) {
    let name = of_librdkafka(name).unwrap_or(name);
    let value = consumer_value(name, &setting.value);
    take::<ConsumerConfig>(&mut found.consumer, name, value, setting, tally);
}

/// Takes a producer's configuration, or says why not.
pub(super) fn take_producer(found: &mut Found, name: &str, setting: &Setting, tally: &mut Tally) {
    let name = of_librdkafka(name).unwrap_or(name);
    let value = Some(setting.value.clone());
    take::<ProducerConfig>(&mut found.producer, name, value, setting, tally);
}

/// The value as Kafka's own client would have it; nothing if it names an assignor that is none.
fn consumer_value(name: &str, value: &str) -> Option<String> {
    match name {
        "partition.assignment.strategy" => {
            let names: Option<Vec<&str>> = value.split(',').map(assignor).collect();
            names.map(|names| names.join(","))
        }
        "auto.offset.reset" => Some(match value.to_ascii_lowercase().as_str() {
            "smallest" | "beginning" => "earliest".to_owned(),
            "largest" | "end" => "latest".to_owned(),
            "error" => "none".to_owned(),
            other => other.to_owned(),
        }),
        "isolation.level" => Some(value.to_ascii_lowercase().replace('-', "_")),
        "enable.auto.commit" => Some(value.to_ascii_lowercase()),
        _ => Some(value.to_owned()),
    }
}

fn take<C: Configuration>(
    taken: &mut SortedMap<String, String>,
    name: &str,
    value: Option<String>,
    setting: &Setting,
    tally: &mut Tally,
) {
    if setting.value.contains("${") {
        return tally.refuse(setting.line, &setting.text, WhyUnused::Placeholder);
    }
    if config_key::<C>(name).is_none() {
        let why = match is_known(name) {
            true => WhyUnused::NotSimulated,
            false => WhyUnused::UnknownName,
        };
        return tally.refuse(setting.line, &setting.text, why);
    }
    let result = match &value {
        Some(value) => set_config(&mut C::default(), name, value),
        None => Err(ConfigError::UnknownAssignor(setting.value.as_str().into())),
    };
    match (result, value) {
        (Ok(()), Some(value)) => {
            if taken.insert(name.to_owned(), value).is_some() {
                tally.refuse(setting.line, &setting.text, WhyUnused::SaidAgain);
            } else {
                tally.used += 1;
            }
        }
        (Err(error), _) => tally.refuse(setting.line, &setting.text, WhyUnused::Refused(error)),
        (Ok(()), None) => {}
    }
}

/// The settings of a client's properties: a consumer's, or such as only a producer has.
pub(super) fn properties(settings: Vec<Setting>, tally: &mut Tally) -> Found {
    let mut found = Found::default();
    for setting in settings {
        let name = setting.name.trim_start_matches("consumer.").to_owned();
        let is_producers = config_key::<ProducerConfig>(&name).is_some();
        let is_consumers =
            config_key::<ConsumerConfig>(of_librdkafka(&name).unwrap_or(&name)).is_some();
        if is_producers && !is_consumers {
            take_producer(&mut found, &name, &setting, tally);
        } else {
            take_consumer(&mut found, &name, &setting, tally);
        }
    }
    found
}

/// The scenario's file.
pub(super) fn scenario(mut found: Found, tally: &mut Tally) -> Option<Value> {
    let group = match found.consumer.get("group.id") {
        Some(group) if !group.is_empty() => group.clone(),
        _ => {
            tally.assumed.push(Assumed::Group(GROUP.into()));
            found
                .consumer
                .insert("group.id".to_owned(), GROUP.to_owned());
            GROUP.to_owned()
        }
    };
    let count = match found.consumers {
        Some(count) => count.clamp(1, CONSUMERS_MAX),
        None => {
            tally.assumed.push(Assumed::Consumers(CONSUMERS));
            CONSUMERS
        }
    };
    let partitions = PARTITIONS.max(count);
    tally.assumed.extend([
        Assumed::Topic(TOPIC.into(), partitions),
        Assumed::Traffic(RECORDS_PER_S),
        Assumed::Brokers(1),
    ]);
    if found.is_spring && !found.consumer.contains_key("enable.auto.commit") {
        found
            .consumer
            .insert("enable.auto.commit".to_owned(), "false".to_owned());
        tally.assumed.push(Assumed::SpringCommits);
    }
    let instance = found.consumer.remove("group.instance.id");
    let client = found.consumer.remove("client.id");
    let consumers = (1..=count).map(|number| {
        let name = format!("c{number}");
        let mut configs = Map::new();
        if let Some(instance) = &instance {
            let own = match count {
                1 => instance.clone(),
                _ => format!("{instance}-{}", number - 1),
            };
            configs.insert("group.instance.id".to_owned(), Value::from(own));
        }
        if let Some(client) = &client {
            let own = match count {
                1 => client.clone(),
                _ => format!("{client}-{}", number - 1),
            };
            configs.insert("client.id".to_owned(), Value::from(own));
        }
        let mut consumer = json!({"name": name, "at": 0, "application": found.application});
        if let Some(consumer) = consumer.as_object_mut().filter(|_| !configs.is_empty()) {
            consumer.insert("configs".to_owned(), Value::Object(configs));
        }
        consumer
    });
    let consumers: Vec<Value> = consumers.collect();
    let (title, story, question) = texts::of_client(&group, found.is_spring);
    Some(json!({
        "version": 1,
        "title": title,
        "story": story,
        "question": question,
        "until": 120_000,
        "topics": [{"name": TOPIC, "partitions": partitions}],
        "producers": [{
            "name": "p1",
            "topic": TOPIC,
            "every_ms": 1_000 / RECORDS_PER_S,
            "keys": {"some": {"count": 100}},
            "first_at": 0,
            "configs": object(&found.producer),
        }],
        "consumer_configs": object(&found.consumer),
        "consumers": consumers,
    }))
}

fn object(configs: &SortedMap<String, String>) -> Value {
    let entries = configs
        .iter()
        .map(|(name, value)| (name.clone(), Value::from(value.as_str())));
    Value::Object(entries.collect())
}
