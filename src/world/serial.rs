//! How names and times stand in commands when they are written down: names as text, partitions as
//! `orders-0`, times in milliseconds (a number, or text with up to three decimals).

use crate::kafka::ids::{
    ActorName, BrokerId, GroupId, GroupInstanceId, MemberId, Offset, TopicName, TopicPartition,
};
use crate::kafka::time::{Duration, Instant};
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

macro_rules! as_text {
    ($($name:ident)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map($name::from)
            }
        }
    )*};
}

as_text! { TopicName GroupId MemberId GroupInstanceId ActorName }

impl Serialize for BrokerId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i32(self.0)
    }
}

impl<'de> Deserialize<'de> for BrokerId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i32::deserialize(deserializer).map(BrokerId)
    }
}

impl Serialize for Offset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0)
    }
}

impl<'de> Deserialize<'de> for Offset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i64::deserialize(deserializer).map(Offset)
    }
}

impl Serialize for TopicPartition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TopicPartition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse_partition(&text)
            .ok_or_else(|| D::Error::custom("expected a partition such as \"orders-0\""))
    }
}

/// Reads `orders-0`. The topic's own name may hold hyphens.
pub fn parse_partition(text: &str) -> Option<TopicPartition> {
    let (topic, number) = text.rsplit_once('-')?;
    let partition: i32 = number.parse().ok()?;
    (!topic.is_empty() && partition >= 0 && number.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| TopicPartition::new(topic, partition))
}

impl Serialize for Duration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 1_000 == 0 {
            serializer.serialize_i64(self.0 / 1_000)
        } else {
            serializer.collect_str(self)
        }
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Milliseconds).map(Duration)
    }
}

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Duration(self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Milliseconds).map(Instant)
    }
}

/// Reads milliseconds into microseconds.
struct Milliseconds;

impl Visitor<'_> for Milliseconds {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("milliseconds, as a whole number or as text such as \"12.5\"")
    }

    fn visit_i64<E: Error>(self, ms: i64) -> Result<i64, E> {
        ms.checked_mul(1_000)
            .ok_or_else(|| E::custom("that many milliseconds are out of range"))
    }

    fn visit_u64<E: Error>(self, ms: u64) -> Result<i64, E> {
        let ms =
            i64::try_from(ms).map_err(|_| E::custom("that many milliseconds are out of range"))?;
        self.visit_i64(ms)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<i64, E> {
        parse_ms(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
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
