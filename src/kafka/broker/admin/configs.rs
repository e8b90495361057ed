//! DescribeConfigs (32), versions 1-4 (class `ConfigHelper`).
//!
//! Only configurations that the engine obeys are listed. Left out: documentation, loggers, client metrics and
//! groups as resources (42), changing configurations (AlterConfigs, IncrementalAlterConfigs).
//!
//! DEVIATION: what a topic or broker is told to have and the default would be all the same counts as default, and
//! what a running broker was told anew counts as its own file's.

use super::topics::check_name;
use super::{Desk, Ticket};
use crate::kafka::api::{
    DescribeConfigsRequest, DescribeConfigsResource, DescribeConfigsResourceResult,
    DescribeConfigsResponse, DescribeConfigsResult, DescribeConfigsSynonym,
};
use crate::kafka::config::{
    BrokerConfig, ConfigKey, Configuration, DYNAMIC_BROKER_CONFIGS, Takes, TopicConfig,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::TopicName;
use std::rc::Rc;

/// `ConfigResource.Type`
const TOPIC: i8 = 2;
const BROKER: i8 = 4;
/// `DescribeConfigsResponse.ConfigSource`
const SOURCE_TOPIC: i8 = 1;
const SOURCE_STATIC_BROKER: i8 = 4;
const SOURCE_DEFAULT: i8 = 5;

/// Answers at once.
pub fn handle(ticket: Ticket, request: DescribeConfigsRequest, desk: &mut Desk) {
    let has_synonyms = request.include_synonyms;
    let resources = request.resources.into_iter();
    let results = resources.map(|resource| describe(resource, has_synonyms, desk));
    let results = results.collect();
    desk.answer(ticket, DescribeConfigsResponse { results });
}

fn describe(
    resource: DescribeConfigsResource,
    has_synonyms: bool,
    desk: &Desk,
) -> DescribeConfigsResult {
    let described = match resource.resource_type {
        TOPIC => of_topic(&resource.resource_name, desk),
        BROKER => of_broker(&resource.resource_name, desk),
        other => Err((
            ErrorCode::InvalidRequest,
            Some(format!("Unsupported resource type: {other}").into()),
        )),
    };
    let wanted = resource.configuration_keys.unwrap_or_default();
    let (error_code, error_message, mut configs) = match described {
        Ok(configs) => (ErrorCode::None, None, configs),
        Err((error, words)) => (error, words, Vec::new()),
    };
    configs.retain(|config| wanted.is_empty() || wanted.contains(&config.name));
    if !has_synonyms {
        configs
            .iter_mut()
            .for_each(|config| config.synonyms.clear());
    }
    DescribeConfigsResult {
        error_code,
        error_message,
        resource_type: resource.resource_type,
        resource_name: resource.resource_name,
        configs,
    }
}

type Described = Result<Vec<DescribeConfigsResourceResult>, (ErrorCode, Option<Rc<str>>)>;

fn of_topic(name: &str, desk: &Desk) -> Described {
    let name = TopicName::from(name);
    check_name(&name).map_err(|(error, words)| (error, Some(words)))?;
    let topic = desk.cluster.topics.get(&name);
    let topic = topic.ok_or((ErrorCode::UnknownTopicOrPartition, None))?;
    Ok(topic_entries(&topic.config, &desk.settings.config))
}

/// An empty name asks for what all brokers have been told while they run, which is nothing.
fn of_broker(name: &str, desk: &Desk) -> Described {
    let id = desk.settings.id.0;
    let words = match name.parse::<i32>() {
        _ if name.is_empty() => return Ok(Vec::new()),
        Ok(asked) if asked == id => {
            let is_fixed = |name: &str| !DYNAMIC_BROKER_CONFIGS.contains(&name);
            let config = &desk.settings.config;
            let keys = BrokerConfig::KEYS.iter();
            let entries = keys.map(|key| {
                let synonyms = of_this_broker(key, config);
                let value = Some((key.get)(config).into());
                entry((key.name, value), key.takes, synonyms, is_fixed(key.name))
            });
            return Ok(entries.collect());
        }
        Ok(_) => {
            format!("Unexpected broker id, expected {id} or empty string, but received {name}")
        }
        Err(_) => format!("Broker id must be an integer, but it is: {name}"),
    };
    Err((ErrorCode::InvalidRequest, Some(words.into())))
}

/// What a topic is configured with, by name, as this broker tells it (`ConfigHelper.createTopicConfigEntry`): its own
/// configuration comes first, what its brokers would give it after that.
pub fn topic_entries(
    config: &TopicConfig,
    broker: &BrokerConfig,
) -> Vec<DescribeConfigsResourceResult> {
    let default = TopicConfig::default();
    let described = TopicConfig::KEYS.iter().map(|key| {
        let value = (key.get)(config);
        let is_own = value != (key.get)(&default);
        let own = is_own.then(|| synonym(key.name, value.clone(), SOURCE_TOPIC));
        let synonyms = own.into_iter().chain(of_brokers(key.name, broker));
        let synonyms: Vec<_> = synonyms.collect();
        let value = match synonyms.first() {
            // The others' synonyms are in other units.
            Some(first) if key.name == "max.message.bytes" => first.value.clone(),
            _ => Some(value.into()),
        };
        entry((key.name, value), key.takes, synonyms, false)
    });
    described.collect()
}

/// The first of the synonyms counts.
fn entry(
    (name, value): (&str, Option<Rc<str>>),
    takes: Takes,
    synonyms: Vec<DescribeConfigsSynonym>,
    read_only: bool,
) -> DescribeConfigsResourceResult {
    let first = synonyms.first();
    DescribeConfigsResourceResult {
        name: name.into(),
        value,
        config_source: first.map_or(SOURCE_DEFAULT, |first| first.source),
        read_only,
        synonyms,
        config_type: config_type(takes),
        ..DescribeConfigsResourceResult::default()
    }
}

fn synonym(name: &str, value: String, source: i8) -> DescribeConfigsSynonym {
    DescribeConfigsSynonym {
        name: name.into(),
        value: Some(value.into()),
        source,
    }
}

/// What this broker's file says, if it says anything, and the default.
fn of_this_broker(
    key: &ConfigKey<BrokerConfig>,
    config: &BrokerConfig,
) -> Vec<DescribeConfigsSynonym> {
    let (value, default) = ((key.get)(config), (key.get)(&BrokerConfig::default()));
    let is_own = value != default;
    let own = is_own.then(|| synonym(key.name, value, SOURCE_STATIC_BROKER));
    let default = synonym(key.name, default, SOURCE_DEFAULT);
    own.into_iter().chain([default]).collect()
}

/// Configurations of brokers from which a topic's takes its value if it has none of its own
/// (`ServerTopicConfigSynonyms`). Of those that our brokers do not have, the default.
fn of_brokers(name: &str, broker: &BrokerConfig) -> Vec<DescribeConfigsSynonym> {
    let default = |name, value: &str| vec![synonym(name, value.to_owned(), SOURCE_DEFAULT)];
    match name {
        "max.message.bytes" => {
            let mut keys = BrokerConfig::KEYS.iter();
            let key = keys.find(|key| key.name == "message.max.bytes");
            key.map_or(Vec::new(), |key| of_this_broker(key, broker))
        }
        "min.insync.replicas" => default("min.insync.replicas", "1"),
        "retention.bytes" => default("log.retention.bytes", "-1"),
        "retention.ms" => default("log.retention.hours", "168"),
        "segment.bytes" => default("log.segment.bytes", "1073741824"),
        "segment.ms" => default("log.roll.hours", "168"),
        _ => Vec::new(),
    }
}

/// `DescribeConfigsResponse.ConfigType`
fn config_type(takes: Takes) -> i8 {
    const BOOLEAN: i8 = 1;
    const STRING: i8 = 2;
    const INT: i8 = 3;
    const LONG: i8 = 5;
    const LIST: i8 = 7;
    match takes {
        Takes::Number { most, .. } if most <= i64::from(i32::MAX) => INT,
        Takes::Number { .. } => LONG,
        Takes::Choice(words) if words.contains(&"true") => BOOLEAN,
        Takes::Choice(_) | Takes::Text | Takes::TopicCharacters => STRING,
        Takes::List => LIST,
    }
}
