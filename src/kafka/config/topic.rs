//! Topic configurations (class `LogConfig`).

/// What a topic is configured with, as far as the engine obeys it. Defaults are those of 4.0.
#[derive(Clone, PartialEq, Debug)]
pub struct TopicConfig {
    /// `retention.ms`; -1: for ever.
    pub retention_ms: i64,
    /// `retention.bytes`, per partition; -1: no limit.
    pub retention_bytes: i64,
    /// `segment.ms`
    pub segment_ms: i64,
    /// `segment.bytes`
    pub segment_bytes: i32,
    /// `max.message.bytes`: size of a batch, header included.
    pub max_message_bytes: i32,
    /// `min.insync.replicas`
    pub min_insync_replicas: i32,
}

impl Default for TopicConfig {
    fn default() -> Self {
        Self {
            retention_ms: 604_800_000,
            retention_bytes: -1,
            segment_ms: 604_800_000,
            segment_bytes: 1_073_741_824,
            max_message_bytes: 1_048_588,
            min_insync_replicas: 1,
        }
    }
}
