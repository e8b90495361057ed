//! Broker and coordinator configurations (classes `GroupCoordinatorConfig`, `ServerConfigs`, `LogConfig`).

/// Of the configurations here, those that a running broker takes anew: what is also in
/// `DynamicBrokerConfig.AllDynamicConfigs`.
pub const DYNAMIC_BROKER_CONFIGS: &[&str] = &["message.max.bytes"];

/// What a broker is configured with. Defaults are those of 4.0.
#[derive(Clone, PartialEq, Debug)]
pub struct BrokerConfig {
    /// `group.initial.rebalance.delay.ms`
    pub group_initial_rebalance_delay_ms: i32,
    /// `group.min.session.timeout.ms`
    pub group_min_session_timeout_ms: i32,
    /// `group.max.session.timeout.ms`
    pub group_max_session_timeout_ms: i32,
    /// `group.max.size`
    pub group_max_size: i32,
    /// `group.coordinator.append.linger.ms`
    pub group_coordinator_append_linger_ms: i32,
    /// `offset.metadata.max.bytes`
    pub offset_metadata_max_bytes: i32,
    /// `offsets.topic.num.partitions`
    pub offsets_topic_num_partitions: i32,
    /// `offsets.retention.minutes`
    pub offsets_retention_minutes: i32,
    /// `offsets.retention.check.interval.ms`
    pub offsets_retention_check_interval_ms: i64,
    /// `fetch.max.bytes` of the broker: cap over the client's.
    pub fetch_max_bytes: i32,
    /// `message.max.bytes`, default of the topics' `max.message.bytes`.
    pub message_max_bytes: i32,
    /// `max.incremental.fetch.session.cache.slots`
    pub max_incremental_fetch_session_cache_slots: i32,
    /// `log.retention.check.interval.ms`
    pub log_retention_check_interval_ms: i64,
}

impl Default for BrokerConfig {
    fn default() -> Self {
        Self {
            group_initial_rebalance_delay_ms: 3_000,
            group_min_session_timeout_ms: 6_000,
            group_max_session_timeout_ms: 1_800_000,
            group_max_size: i32::MAX,
            group_coordinator_append_linger_ms: 5,
            offset_metadata_max_bytes: 4_096,
            offsets_topic_num_partitions: 50,
            offsets_retention_minutes: 10_080,
            offsets_retention_check_interval_ms: 600_000,
            fetch_max_bytes: 57_671_680,
            message_max_bytes: 1_048_588,
            max_incremental_fetch_session_cache_slots: 1_000,
            log_retention_check_interval_ms: 300_000,
        }
    }
}
