//! The `spring.kafka` part of a Spring Boot configuration.

use super::client::{Found, take_consumer, take_producer};
use super::lines::Setting;
use super::{Tally, WhyUnused};
use serde_json::json;

const ROOT: &str = "spring.kafka.";

/// Whether any setting belongs to Spring's Kafka.
pub(super) fn is_spring(settings: &[Setting]) -> bool {
    settings
        .iter()
        .any(|setting| setting.name.starts_with(ROOT))
}

/// Takes what concerns consumers, their listener and the producer.
pub(super) fn client(settings: Vec<Setting>, tally: &mut Tally) -> Found {
    let mut found = Found {
        is_spring: true,
        ..Found::default()
    };
    for setting in settings {
        let Some(name) = setting.name.strip_prefix(ROOT) else {
            tally.refuse(setting.line, &setting.text, WhyUnused::NotSimulated);
            continue;
        };
        take(&mut found, name, &setting, tally);
    }
    found
}

fn take(found: &mut Found, name: &str, setting: &Setting, tally: &mut Tally) {
    if let Some(name) = name.strip_prefix("consumer.properties.") {
        return take_consumer(found, name, setting, tally);
    }
    if let Some(name) = name.strip_prefix("producer.properties.") {
        return take_producer(found, name, setting, tally);
    }
    if let Some(name) = name.strip_prefix("properties.") {
        return take_consumer(found, name, setting, tally);
    }
    if let Some(name) = name.strip_prefix("consumer.") {
        let name = dashed(name);
        return match of_consumer(&name) {
            Some((kafka, unit)) => with_unit(found, kafka, unit, setting, tally, take_consumer),
            None => tally.refuse(setting.line, &setting.text, WhyUnused::NotSimulated),
        };
    }
    if let Some(name) = name.strip_prefix("producer.") {
        let name = dashed(name);
        return match of_producer(&name) {
            Some((kafka, unit)) => with_unit(found, kafka, unit, setting, tally, take_producer),
            None => tally.refuse(setting.line, &setting.text, WhyUnused::NotSimulated),
        };
    }
    match name.strip_prefix("listener.").map(dashed).as_deref() {
        Some("concurrency") => match setting.value.parse::<i64>() {
            Ok(count) if count >= 1 => {
                found.consumers = Some(count);
                tally.used += 1;
                if count > super::CONSUMERS_MAX {
                    tally.refuse(setting.line, &setting.text, WhyUnused::TooMuch);
                }
            }
            _ => {
                let why = match setting.value.contains("${") {
                    true => WhyUnused::Placeholder,
                    false => WhyUnused::NotUnderstood,
                };
                tally.refuse(setting.line, &setting.text, why);
            }
        },
        Some("ack-mode") => acknowledge(found, setting, tally),
        Some(_) | None => tally.refuse(setting.line, &setting.text, WhyUnused::NotSimulated),
    }
}

/// `AckMode` of the listener container.
fn acknowledge(found: &mut Found, setting: &Setting, tally: &mut Tally) {
    let style = match dashed(&setting.value.to_ascii_lowercase())
        .replace('_', "-")
        .as_str()
    {
        "record" => json!({"sync_every": {"records": 1}}),
        "batch" => json!("sync_after_batch"),
        _ => return tally.refuse(setting.line, &setting.text, WhyUnused::AckMode),
    };
    found.application.insert("commit".to_owned(), style);
    tally.used += 1;
}

/// What a value of Spring's is measured in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// It is taken as it stands.
    None,
    /// A `Duration`; a bare number is in ms.
    Time,
    /// A `DataSize`; a bare number is in bytes.
    Size,
}

fn of_consumer(name: &str) -> Option<(&'static str, Unit)> {
    Some(match name {
        "auto-commit-interval" => ("auto.commit.interval.ms", Unit::Time),
        "auto-offset-reset" => ("auto.offset.reset", Unit::None),
        "client-id" => ("client.id", Unit::None),
        "enable-auto-commit" => ("enable.auto.commit", Unit::None),
        "fetch-max-wait" => ("fetch.max.wait.ms", Unit::Time),
        "fetch-min-size" => ("fetch.min.bytes", Unit::Size),
        "group-id" => ("group.id", Unit::None),
        "heartbeat-interval" => ("heartbeat.interval.ms", Unit::Time),
        "isolation-level" => ("isolation.level", Unit::None),
        "max-poll-interval" => ("max.poll.interval.ms", Unit::Time),
        "max-poll-records" => ("max.poll.records", Unit::None),
        _ => return None,
    })
}

fn of_producer(name: &str) -> Option<(&'static str, Unit)> {
    Some(match name {
        "acks" => ("acks", Unit::None),
        "batch-size" => ("batch.size", Unit::Size),
        "buffer-memory" => ("buffer.memory", Unit::Size),
        "client-id" => ("client.id", Unit::None),
        "retries" => ("retries", Unit::None),
        _ => return None,
    })
}

/// Takes a setting whose value is measured in something.
fn with_unit(
    found: &mut Found,
    name: &str,
    unit: Unit,
    setting: &Setting,
    tally: &mut Tally,
    take: fn(&mut Found, &str, &Setting, &mut Tally),
) {
    let value = match unit {
        Unit::None => None,
        Unit::Time => milliseconds(&setting.value),
        Unit::Size => bytes(&setting.value),
    };
    let setting = Setting {
        // What cannot be read is refused as it stands.
        value: value.map_or_else(|| setting.value.clone(), |value| value.to_string()),
        ..setting.clone()
    };
    take(found, name, &setting, tally);
}

/// `groupId` as `group-id`: Spring's relaxed names.
fn dashed(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            if !out.is_empty() {
                out.push('-');
            }
            out.push(letter.to_ascii_lowercase());
        } else {
            out.push(letter);
        }
    }
    out
}

/// `5s`, `500ms`, `2m`, `PT5S`, `500`
fn milliseconds(text: &str) -> Option<i64> {
    let text = text.trim().to_ascii_lowercase();
    let text = text.strip_prefix("pt").unwrap_or(&text);
    measured(
        text,
        &[
            ("ms", 1),
            ("s", 1_000),
            ("m", 60_000),
            ("h", 3_600_000),
            ("d", 86_400_000),
        ],
    )
}

/// `16KB`, `1MB`, `1B`, `16384`
fn bytes(text: &str) -> Option<i64> {
    let text = text.trim().to_ascii_lowercase();
    measured(
        &text,
        &[("kb", 1 << 10), ("mb", 1 << 20), ("gb", 1 << 30), ("b", 1)],
    )
}

fn measured(text: &str, units: &[(&str, i64)]) -> Option<i64> {
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let (number, unit) = text.split_at_checked(digits)?;
    let number: i64 = number.parse().ok()?;
    if unit.is_empty() {
        return Some(number);
    }
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim())?;
    number.checked_mul(*factor)
}
