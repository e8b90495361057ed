//! Consumer configurations (class `ConsumerConfig`).

use crate::kafka::ids::{ClientId, GroupId, GroupInstanceId};
use std::rc::Rc;

/// `auto.offset.reset`
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OffsetReset {
    /// To the end of the log.
    Latest,
    /// To the first record that still exists.
    Earliest,
    /// Throw instead.
    None,
}

/// `isolation.level`
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IsolationLevel {
    /// Up to the high watermark.
    ReadUncommitted,
    /// Up to the last stable offset.
    ReadCommitted,
}

/// What a consumer is configured with. Defaults are those of 4.0.
#[derive(Clone, PartialEq, Debug)]
pub struct ConsumerConfig {
    /// `group.id`
    pub group_id: Option<GroupId>,
    /// `client.id`
    pub client_id: ClientId,
    /// `group.instance.id` (KIP-345)
    pub group_instance_id: Option<GroupInstanceId>,
    /// `client.rack`
    pub client_rack: Rc<str>,
    /// `partition.assignment.strategy`, by the assignors' names on the wire, most wanted first.
    pub partition_assignment_strategy: Vec<Rc<str>>,
    /// `session.timeout.ms`
    pub session_timeout_ms: i32,
    /// `heartbeat.interval.ms`
    pub heartbeat_interval_ms: i32,
    /// `max.poll.interval.ms`
    pub max_poll_interval_ms: i32,
    /// `max.poll.records`
    pub max_poll_records: i32,
    /// `enable.auto.commit`
    pub enable_auto_commit: bool,
    /// `auto.commit.interval.ms`
    pub auto_commit_interval_ms: i32,
    /// `auto.offset.reset`
    pub auto_offset_reset: OffsetReset,
    /// `fetch.min.bytes`
    pub fetch_min_bytes: i32,
    /// `fetch.max.wait.ms`
    pub fetch_max_wait_ms: i32,
    /// `fetch.max.bytes`
    pub fetch_max_bytes: i32,
    /// `max.partition.fetch.bytes`
    pub max_partition_fetch_bytes: i32,
    /// `isolation.level`
    pub isolation_level: IsolationLevel,
    /// `request.timeout.ms`
    pub request_timeout_ms: i32,
    /// `default.api.timeout.ms`
    pub default_api_timeout_ms: i32,
    /// `retry.backoff.ms`
    pub retry_backoff_ms: i64,
    /// `retry.backoff.max.ms`
    pub retry_backoff_max_ms: i64,
    /// `metadata.max.age.ms`
    pub metadata_max_age_ms: i64,
    /// `internal.leave.group.on.close`
    pub internal_leave_group_on_close: bool,
}

impl Default for ConsumerConfig {
    fn default() -> Self {
        Self {
            group_id: None,
            client_id: ClientId::default(),
            group_instance_id: None,
            client_rack: "".into(),
            partition_assignment_strategy: vec!["range".into(), "cooperative-sticky".into()],
            session_timeout_ms: 45_000,
            heartbeat_interval_ms: 3_000,
            max_poll_interval_ms: 300_000,
            max_poll_records: 500,
            enable_auto_commit: true,
            auto_commit_interval_ms: 5_000,
            auto_offset_reset: OffsetReset::Latest,
            fetch_min_bytes: 1,
            fetch_max_wait_ms: 500,
            fetch_max_bytes: 52_428_800,
            max_partition_fetch_bytes: 1_048_576,
            isolation_level: IsolationLevel::ReadUncommitted,
            request_timeout_ms: 30_000,
            default_api_timeout_ms: 60_000,
            retry_backoff_ms: 100,
            retry_backoff_max_ms: 1_000,
            metadata_max_age_ms: 300_000,
            internal_leave_group_on_close: true,
        }
    }
}
