//! DescribeConfigs (32), versions 1-4 (class `ConfigHelper`).
//!
//! Only configurations that the engine obeys are listed. Left out: synonyms, documentation, loggers, client
//! metrics and groups as resources (42), changing configurations (AlterConfigs, IncrementalAlterConfigs).
//!
//! DEVIATION: what a topic or broker is told to have and the default would be all the same counts as default, and
//! what a running broker was told anew counts as its own file's.

use super::topics::check_name;
use super::{Desk, Ticket};
use crate::kafka::api::{
    DescribeConfigsRequest, DescribeConfigsResource, DescribeConfigsResourceResult,
    DescribeConfigsResponse, DescribeConfigsResult,
};
use crate::kafka::config::{Configuration, DYNAMIC_BROKER_CONFIGS, Takes, TopicConfig};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::TopicName;
use std::rc::Rc;

/// `ConfigResource.Type`
const TOPIC: i8 = 2;
const BROKER: i8 = 4;
/// `DescribeConfigsResponse.ConfigSource`
pub const SOURCE_TOPIC: i8 = 1;
const SOURCE_STATIC_BROKER: i8 = 4;
const SOURCE_DEFAULT: i8 = 5;

/// Answers at once.
pub fn handle(ticket: Ticket, request: DescribeConfigsRequest, desk: &mut Desk) {
    let resources = request.resources.into_iter();
    let results = resources.map(|resource| describe(resource, desk)).collect();
    desk.answer(ticket, DescribeConfigsResponse { results });
}

fn describe(resource: DescribeConfigsResource, desk: &Desk) -> DescribeConfigsResult {
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
    Ok(entries::<TopicConfig>(&topic.config, SOURCE_TOPIC, |_| {
        false
    }))
}

/// An empty name asks for what all brokers have been told while they run, which is nothing.
fn of_broker(name: &str, desk: &Desk) -> Described {
    let id = desk.settings.id.0;
    let words = match name.parse::<i32>() {
        _ if name.is_empty() => return Ok(Vec::new()),
        Ok(asked) if asked == id => {
            let is_fixed = |name: &str| !DYNAMIC_BROKER_CONFIGS.contains(&name);
            let config = &desk.settings.config;
            return Ok(entries(&**config, SOURCE_STATIC_BROKER, is_fixed));
        }
        Ok(_) => {
            format!("Unexpected broker id, expected {id} or empty string, but received {name}")
        }
        Err(_) => format!("Broker id must be an integer, but it is: {name}"),
    };
    Err((ErrorCode::InvalidRequest, Some(words.into())))
}

/// What is configured, by name. What differs from the default comes from `own_source`.
pub fn entries<C: Configuration>(
    config: &C,
    own_source: i8,
    is_fixed: fn(&str) -> bool,
) -> Vec<DescribeConfigsResourceResult> {
    let default = C::default();
    let described = C::KEYS.iter().map(|key| {
        let value = (key.get)(config);
        DescribeConfigsResourceResult {
            name: key.name.into(),
            read_only: is_fixed(key.name),
            config_source: match value == (key.get)(&default) {
                true => SOURCE_DEFAULT,
                false => own_source,
            },
            value: Some(value.into()),
            config_type: config_type(key.takes),
            ..DescribeConfigsResourceResult::default()
        }
    });
    described.collect()
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
