//! Configurations under their dotted names: value, bounds and default of each that the engine obeys.

mod broker;
mod consumer;
mod key;
mod producer;
mod topic;

pub use broker::{BrokerConfig, DYNAMIC_BROKER_CONFIGS};
pub use consumer::{ConsumerConfig, IsolationLevel, OffsetReset};
pub use key::{ASSIGNORS, ConfigError, ConfigKey, Configuration, Takes, config_key, set_config};
pub use producer::{Acks, ProducerConfig};
pub use topic::TopicConfig;
