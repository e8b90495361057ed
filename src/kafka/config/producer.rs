//! Producer configurations (class `ProducerConfig`).

use crate::kafka::ids::ClientId;

/// `acks`
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Acks {
    /// `0`: no answer.
    Zero,
    /// `1`: the leader.
    One,
    /// `all`: the in-sync replicas.
    All,
}

/// What a producer is configured with. Defaults are those of 4.0.
#[derive(Clone, PartialEq, Debug)]
pub struct ProducerConfig {
    /// `client.id`
    pub client_id: ClientId,
    /// `acks`
    pub acks: Acks,
    /// `retries`
    pub retries: i32,
    /// `delivery.timeout.ms`
    pub delivery_timeout_ms: i32,
    /// `request.timeout.ms`
    pub request_timeout_ms: i32,
    /// `linger.ms`
    pub linger_ms: i64,
    /// `batch.size`
    pub batch_size: i32,
    /// `buffer.memory`
    pub buffer_memory: i64,
    /// `max.block.ms`
    pub max_block_ms: i64,
    /// `max.request.size`
    pub max_request_size: i32,
    /// `max.in.flight.requests.per.connection`
    pub max_in_flight_requests_per_connection: i32,
    /// `retry.backoff.ms`
    pub retry_backoff_ms: i64,
    /// `retry.backoff.max.ms`
    pub retry_backoff_max_ms: i64,
    /// `reconnect.backoff.ms`
    pub reconnect_backoff_ms: i64,
    /// `reconnect.backoff.max.ms`
    pub reconnect_backoff_max_ms: i64,
    /// `metadata.max.age.ms`
    pub metadata_max_age_ms: i64,
}

impl Default for ProducerConfig {
    fn default() -> Self {
        Self {
            client_id: ClientId::default(),
            acks: Acks::All,
            retries: i32::MAX,
            delivery_timeout_ms: 120_000,
            request_timeout_ms: 30_000,
            linger_ms: 5,
            batch_size: 16_384,
            buffer_memory: 33_554_432,
            max_block_ms: 60_000,
            max_request_size: 1_048_576,
            max_in_flight_requests_per_connection: 5,
            retry_backoff_ms: 100,
            retry_backoff_max_ms: 1_000,
            reconnect_backoff_ms: 50,
            reconnect_backoff_max_ms: 1_000,
            metadata_max_age_ms: 300_000,
        }
    }
}
