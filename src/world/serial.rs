//! How names and times stand in commands when they are written down: names as text, partitions as
//! `orders-0`, times in milliseconds (a number, or text with up to three decimals).

use crate::form::{Form, Key, Place, Read, Takes, text, whole};
use crate::kafka::fact::FactId;
use crate::kafka::ids::{
    ActorName, BrokerId, GroupId, GroupInstanceId, MemberId, Offset, TopicName, TopicPartition,
};
use crate::kafka::time::{Duration, Instant};
use serde_json::Value;

macro_rules! as_text {
    ($($name:ident)*) => {$(
        impl Form for $name {
            fn read(value: &Value, place: &Place<'_>) -> Read<Self> {
                text(value, place).map($name::from)
            }

            fn write(&self) -> Value {
                Value::from(self.as_str())
            }
        }
    )*};
}

as_text! { TopicName GroupId MemberId GroupInstanceId ActorName }

macro_rules! as_number {
    ($($name:ident)*) => {$(
        impl Form for $name {
            fn read(value: &Value, place: &Place<'_>) -> Read<Self> {
                Form::read(value, place).map($name)
            }

            fn write(&self) -> Value {
                self.0.write()
            }
        }
    )*};
}

as_number! { BrokerId Offset FactId }

impl Form for TopicPartition {
    fn read(value: &Value, place: &Place<'_>) -> Read<Self> {
        Key::of_name(text(value, place)?, place)
    }

    fn write(&self) -> Value {
        Value::from(self.to_string())
    }
}

impl Key for TopicPartition {
    fn of_name(name: &str, place: &Place<'_>) -> Read<Self> {
        parse_partition(name).ok_or_else(|| place.takes(Takes::Partition, &Value::from(name)))
    }
}

impl Key for MemberId {
    fn of_name(name: &str, _: &Place<'_>) -> Read<Self> {
        Ok(name.into())
    }
}

/// Reads `orders-0`. The topic's own name may hold hyphens.
pub fn parse_partition(text: &str) -> Option<TopicPartition> {
    let (topic, number) = text.rsplit_once('-')?;
    let partition: i32 = number.parse().ok()?;
    (!topic.is_empty() && partition >= 0 && number.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| TopicPartition::new(topic, partition))
}

impl Form for Duration {
    fn read(value: &Value, place: &Place<'_>) -> Read<Self> {
        microseconds(value, place).map(Duration)
    }

    fn write(&self) -> Value {
        match self.0 % 1_000 {
            0 => Value::from(self.0 / 1_000),
            _ => Value::from(self.to_string()),
        }
    }
}

impl Form for Instant {
    fn read(value: &Value, place: &Place<'_>) -> Read<Self> {
        microseconds(value, place).map(Instant)
    }

    fn write(&self) -> Value {
        Duration(self.0).write()
    }
}

/// Reads milliseconds, as a whole number or as text, into microseconds.
fn microseconds(value: &Value, place: &Place<'_>) -> Read<i64> {
    let us = match value {
        Value::String(text) => parse_ms(text),
        Value::Number(number) if !number.is_f64() => {
            let most = i128::from(i64::MAX / 1_000);
            let ms = whole(value, place, -most, most)?;
            i64::try_from(ms * 1_000).ok()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    };
    us.ok_or_else(|| place.takes(Takes::Milliseconds, value))
}

/// Reads `12`, `-3.5` or `0.001` milliseconds into microseconds.
pub fn parse_ms(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(decimals) || decimals.len() > 3 {
        return None;
    }
    let us: i64 = format!("{decimals:0<3}").parse().ok()?;
    let whole: i64 = whole.parse().ok()?;
    whole.checked_mul(1_000)?.checked_add(us)?.checked_mul(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_have_up_to_three_decimals() {
        assert_eq!(parse_ms("12"), Some(12_000));
        assert_eq!(parse_ms("-3.5"), Some(-3_500));
        assert_eq!(parse_ms("0.001"), Some(1));
        for wrong in [
            "",
            "-",
            "1.",
            ".5",
            "1.0001",
            "1e3",
            "+1",
            "99999999999999999999",
        ] {
            assert_eq!(parse_ms(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_partition_reads_as_it_prints() {
        let partition = TopicPartition::new("my-topic", 12);
        assert_eq!(parse_partition(&partition.to_string()), Some(partition));
        for wrong in [
            "orders",
            "orders-",
            "-1",
            "orders-x",
            "orders-+1",
            "orders--",
        ] {
            assert_eq!(parse_partition(wrong), None, "{wrong}");
        }
    }
}
