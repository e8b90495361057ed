//! Configurations by dotted name: reading, writing, bounds.

use super::{
    Acks, BrokerConfig, ConsumerConfig, IsolationLevel, OffsetReset, ProducerConfig, TopicConfig,
};
use crate::kafka::ids::{ClientId, GroupId, GroupInstanceId};
use std::rc::Rc;

/// One configuration of `C`.
pub struct ConfigKey<C: 'static> {
    /// Its dotted name.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// Its value as it would stand in a properties file. Empty: null.
    pub get: fn(&C) -> String,
    set: fn(&mut C, &str) -> bool,
}

/// What a configuration takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// A whole number in these bounds.
    Number {
        /// Smallest.
        least: i64,
        /// Largest.
        most: i64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A comma-separated list, not empty.
    List,
    /// Any text; empty is null.
    Text,
    /// Letters, digits, `.`, `_`, `-`, at most 249 of them; empty is null.
    TopicCharacters,
}

/// Why a configuration is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConfigError {
    /// No such configuration.
    UnknownName(Rc<str>),
    /// The value is not what it takes.
    BadValue {
        /// Dotted name.
        name: &'static str,
        /// The value.
        value: Rc<str>,
        /// What it takes.
        takes: Takes,
    },
    /// Two values do not go together (spec/01, constraints): `name` must be below `other`.
    NotBelow {
        /// Dotted name.
        name: &'static str,
        /// Dotted name.
        other: &'static str,
    },
    /// `delivery.timeout.ms` must be at least `linger.ms` + `request.timeout.ms`.
    DeliveryTimeoutTooShort,
    /// The assignors of the list share no rebalance protocol, or one is unknown.
    UnknownAssignor(Rc<str>),
    /// `subscribe()` needs a `group.id`.
    NoGroupId,
}

/// A set of configurations with dotted names.
pub trait Configuration: Clone + Default + 'static {
    /// All of them, by name.
    const KEYS: &'static [ConfigKey<Self>];

    /// What the client or broker itself checks when it starts, beyond each value's own bounds.
    fn check(&self) -> Result<(), ConfigError>;
}

/// The key of that name.
pub fn config_key<C: Configuration>(name: &str) -> Option<&'static ConfigKey<C>> {
    C::KEYS.iter().find(|key| key.name == name)
}

/// Gives `config` the value. An empty text is the default.
pub fn set_config<C: Configuration>(
    config: &mut C,
    name: &str,
    value: &str,
) -> Result<(), ConfigError> {
    let key = config_key::<C>(name).ok_or_else(|| ConfigError::UnknownName(name.into()))?;
    let default;
    let text = if value.is_empty() {
        default = (key.get)(&C::default());
        &default
    } else {
        value
    };
    if key.takes.allows(text) && (key.set)(config, text) {
        return Ok(());
    }
    Err(ConfigError::BadValue {
        name: key.name,
        value: value.into(),
        takes: key.takes,
    })
}

impl Takes {
    fn allows(self, text: &str) -> bool {
        match self {
            Takes::Number { least, most } => text
                .parse::<i64>()
                .is_ok_and(|number| (least..=most).contains(&number)),
            Takes::Choice(words) => words.contains(&text),
            Takes::List => !text.is_empty(),
            Takes::Text => true,
            Takes::TopicCharacters => {
                text.len() <= 249
                    && text != "."
                    && text != ".."
                    && text
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
            }
        }
    }
}

/// A type that a configuration's value may have.
trait Value: Sized {
    fn parse(text: &str) -> Option<Self>;
    fn print(&self) -> String;
}

macro_rules! parsed_values {
    ($($type:ty)*) => {$(
        impl Value for $type {
            fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
            }
            fn print(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

parsed_values! { i32 i64 bool }

macro_rules! word_values {
    ($($type:ident { $($word:literal = $variant:ident),* })*) => {$(
        impl Value for $type {
            fn parse(text: &str) -> Option<Self> {
                match text {
                    $($word => Some($type::$variant),)*
                    _ => None,
                }
            }
            fn print(&self) -> String {
                match self { $($type::$variant => $word,)* }.to_owned()
            }
        }
    )*};
}

word_values! {
    OffsetReset { "latest" = Latest, "earliest" = Earliest, "none" = None }
    IsolationLevel { "read_uncommitted" = ReadUncommitted, "read_committed" = ReadCommitted }
}

impl Value for Acks {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "0" => Some(Acks::Zero),
            "1" => Some(Acks::One),
            "all" | "-1" => Some(Acks::All),
            _ => None,
        }
    }
    fn print(&self) -> String {
        match self {
            Acks::Zero => "0",
            Acks::One => "1",
            Acks::All => "all",
        }
        .to_owned()
    }
}

impl Value for ClientId {
    fn parse(text: &str) -> Option<Self> {
        Some(text.into())
    }
    fn print(&self) -> String {
        self.to_string()
    }
}

impl Value for Rc<str> {
    fn parse(text: &str) -> Option<Self> {
        Some(text.into())
    }
    fn print(&self) -> String {
        self.to_string()
    }
}

impl Value for Option<GroupId> {
    fn parse(text: &str) -> Option<Self> {
        Some((!text.is_empty()).then(|| text.into()))
    }
    fn print(&self) -> String {
        self.as_deref().unwrap_or_default().to_owned()
    }
}

impl Value for Option<GroupInstanceId> {
    fn parse(text: &str) -> Option<Self> {
        Some((!text.is_empty()).then(|| text.into()))
    }
    fn print(&self) -> String {
        self.as_deref().unwrap_or_default().to_owned()
    }
}

impl Value for Vec<Rc<str>> {
    fn parse(text: &str) -> Option<Self> {
        let words: Vec<Rc<str>> = text.split(',').map(|word| word.trim().into()).collect();
        words.iter().all(|word| !word.is_empty()).then_some(words)
    }
    fn print(&self) -> String {
        self.join(",")
    }
}

const BOOL: Takes = Takes::Choice(&["true", "false"]);

const fn number(least: i64) -> Takes {
    Takes::Number {
        least,
        most: i32::MAX as i64,
    }
}

const fn long(least: i64) -> Takes {
    Takes::Number {
        least,
        most: i64::MAX,
    }
}

macro_rules! keys {
    ($type:ident: $($name:literal $field:ident $takes:expr;)*) => {
        &[$(ConfigKey {
            name: $name,
            takes: $takes,
            get: |config: &$type| config.$field.print(),
            set: |config: &mut $type, text| match Value::parse(text) {
                Some(value) => {
                    config.$field = value;
                    true
                }
                None => false,
            },
        },)*]
    };
}

impl Configuration for ConsumerConfig {
    const KEYS: &'static [ConfigKey<Self>] = keys! { ConsumerConfig:
        "auto.commit.interval.ms" auto_commit_interval_ms number(0);
        "auto.offset.reset" auto_offset_reset Takes::Choice(&["latest", "earliest", "none"]);
        "client.id" client_id Takes::Text;
        "client.rack" client_rack Takes::Text;
        "default.api.timeout.ms" default_api_timeout_ms number(0);
        "enable.auto.commit" enable_auto_commit BOOL;
        "fetch.max.bytes" fetch_max_bytes number(0);
        "fetch.max.wait.ms" fetch_max_wait_ms number(0);
        "fetch.min.bytes" fetch_min_bytes number(0);
        "group.id" group_id Takes::Text;
        "group.instance.id" group_instance_id Takes::TopicCharacters;
        "heartbeat.interval.ms" heartbeat_interval_ms number(1);
        "internal.leave.group.on.close" internal_leave_group_on_close BOOL;
        "isolation.level" isolation_level Takes::Choice(&["read_uncommitted", "read_committed"]);
        "max.partition.fetch.bytes" max_partition_fetch_bytes number(0);
        "max.poll.interval.ms" max_poll_interval_ms number(1);
        "max.poll.records" max_poll_records number(1);
        "metadata.max.age.ms" metadata_max_age_ms long(0);
        "partition.assignment.strategy" partition_assignment_strategy Takes::List;
        "request.timeout.ms" request_timeout_ms number(0);
        "retry.backoff.max.ms" retry_backoff_max_ms long(0);
        "retry.backoff.ms" retry_backoff_ms long(0);
        "session.timeout.ms" session_timeout_ms number(1);
    };

    fn check(&self) -> Result<(), ConfigError> {
        if self.heartbeat_interval_ms >= self.session_timeout_ms {
            return Err(ConfigError::NotBelow {
                name: "heartbeat.interval.ms",
                other: "session.timeout.ms",
            });
        }
        for name in &self.partition_assignment_strategy {
            if !ASSIGNORS.contains(&&**name) {
                return Err(ConfigError::UnknownAssignor(name.clone()));
            }
        }
        Ok(())
    }
}

/// The Java client's assignors, by their names on the wire.
pub const ASSIGNORS: &[&str] = &["range", "roundrobin", "sticky", "cooperative-sticky"];

impl Configuration for ProducerConfig {
    const KEYS: &'static [ConfigKey<Self>] = keys! { ProducerConfig:
        "acks" acks Takes::Choice(&["all", "-1", "0", "1"]);
        "batch.size" batch_size number(0);
        "buffer.memory" buffer_memory long(0);
        "client.id" client_id Takes::Text;
        "delivery.timeout.ms" delivery_timeout_ms number(0);
        "linger.ms" linger_ms long(0);
        "max.block.ms" max_block_ms long(0);
        "max.in.flight.requests.per.connection" max_in_flight_requests_per_connection number(1);
        "max.request.size" max_request_size number(0);
        "metadata.max.age.ms" metadata_max_age_ms long(0);
        "reconnect.backoff.max.ms" reconnect_backoff_max_ms long(0);
        "reconnect.backoff.ms" reconnect_backoff_ms long(0);
        "request.timeout.ms" request_timeout_ms number(0);
        "retries" retries number(0);
        "retry.backoff.max.ms" retry_backoff_max_ms long(0);
        "retry.backoff.ms" retry_backoff_ms long(0);
    };

    fn check(&self) -> Result<(), ConfigError> {
        let least = self
            .linger_ms
            .saturating_add(i64::from(self.request_timeout_ms));
        if i64::from(self.delivery_timeout_ms) < least {
            return Err(ConfigError::DeliveryTimeoutTooShort);
        }
        Ok(())
    }
}

impl Configuration for BrokerConfig {
    const KEYS: &'static [ConfigKey<Self>] = keys! { BrokerConfig:
        "fetch.max.bytes" fetch_max_bytes number(1_024);
        "group.coordinator.append.linger.ms" group_coordinator_append_linger_ms number(0);
        "group.initial.rebalance.delay.ms" group_initial_rebalance_delay_ms number(0);
        "group.max.session.timeout.ms" group_max_session_timeout_ms number(1);
        "group.max.size" group_max_size number(1);
        "group.min.session.timeout.ms" group_min_session_timeout_ms number(1);
        "log.retention.check.interval.ms" log_retention_check_interval_ms long(1);
        "max.incremental.fetch.session.cache.slots" max_incremental_fetch_session_cache_slots number(0);
        "message.max.bytes" message_max_bytes number(0);
        "offset.metadata.max.bytes" offset_metadata_max_bytes number(0);
        "offsets.retention.check.interval.ms" offsets_retention_check_interval_ms long(1);
        "offsets.retention.minutes" offsets_retention_minutes number(1);
        "offsets.topic.num.partitions" offsets_topic_num_partitions number(1);
    };

    fn check(&self) -> Result<(), ConfigError> {
        if self.group_min_session_timeout_ms > self.group_max_session_timeout_ms {
            return Err(ConfigError::NotBelow {
                name: "group.min.session.timeout.ms",
                other: "group.max.session.timeout.ms",
            });
        }
        Ok(())
    }
}

impl Configuration for TopicConfig {
    const KEYS: &'static [ConfigKey<Self>] = keys! { TopicConfig:
        "max.message.bytes" max_message_bytes number(0);
        "min.insync.replicas" min_insync_replicas number(1);
        "retention.bytes" retention_bytes long(-1);
        "retention.ms" retention_ms long(-1);
        "segment.bytes" segment_bytes number(14);
        "segment.ms" segment_ms long(1);
    };

    fn check(&self) -> Result<(), ConfigError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_key_reads_what_it_prints<C: Configuration>() {
        let default = C::default();
        for key in C::KEYS {
            let text = (key.get)(&default);
            let mut config = C::default();
            assert_eq!(
                set_config(&mut config, key.name, &text),
                Ok(()),
                "{}",
                key.name
            );
            assert_eq!((key.get)(&config), text, "{}", key.name);
        }
        assert!(default.check().is_ok());
        assert!(C::KEYS.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn every_default_can_be_written_and_read_back() {
        every_key_reads_what_it_prints::<ConsumerConfig>();
        every_key_reads_what_it_prints::<ProducerConfig>();
        every_key_reads_what_it_prints::<BrokerConfig>();
        every_key_reads_what_it_prints::<TopicConfig>();
    }

    #[test]
    fn a_value_out_of_bounds_is_refused_and_nothing_changes() {
        let mut config = ConsumerConfig::default();
        for (name, value) in [
            ("max.poll.records", "0"),
            ("session.timeout.ms", "2147483648"),
            ("auto.offset.reset", "newest"),
            ("enable.auto.commit", "yes"),
            ("group.instance.id", "two words"),
            ("no.such.name", "1"),
        ] {
            assert!(set_config(&mut config, name, value).is_err(), "{name}");
        }
        assert_eq!(config, ConsumerConfig::default());
    }

    #[test]
    fn heartbeats_must_be_more_frequent_than_the_session_is_long() {
        let mut config = ConsumerConfig::default();
        assert_eq!(
            set_config(&mut config, "heartbeat.interval.ms", "45000"),
            Ok(())
        );
        assert!(config.check().is_err());
    }

    #[test]
    fn an_empty_text_takes_a_configuration_back_to_its_default() {
        let mut config = ConsumerConfig::default();
        assert_eq!(set_config(&mut config, "group.id", "shop"), Ok(()));
        assert_eq!(set_config(&mut config, "max.poll.records", "7"), Ok(()));
        assert_eq!(set_config(&mut config, "group.id", ""), Ok(()));
        assert_eq!(set_config(&mut config, "max.poll.records", ""), Ok(()));
        assert_eq!(config, ConsumerConfig::default());
    }
}
