//! Fetch (1), versions 4-17. v7 sessions (KIP-227), v9 leader epoch, v11 rack (KIP-392), v13 topic ids.

use super::first_error;
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, Offset, TopicName, Uuid};
use crate::kafka::record::RecordBatch;
use std::rc::Rc;

/// Asks for records.
#[derive(Clone, PartialEq, Debug)]
pub struct FetchRequest {
    /// The follower that asks; -1: a consumer.
    pub replica_id: BrokerId,
    /// `fetch.max.wait.ms`.
    pub max_wait_ms: i32,
    /// `fetch.min.bytes`.
    pub min_bytes: i32,
    /// `fetch.max.bytes`.
    pub max_bytes: i32,
    /// 0: read_uncommitted, 1: read_committed.
    pub isolation_level: i8,
    /// 0: no session yet.
    pub session_id: i32,
    /// 0: a new session, -1: none wanted.
    pub session_epoch: i32,
    /// In the order in which the broker shall read. In a session: only what changed.
    pub topics: Vec<FetchTopic>,
    /// What leaves the session.
    pub forgotten_topics_data: Vec<ForgottenTopic>,
    /// `client.rack` (v11).
    pub rack_id: Rc<str>,
}

/// What is wanted of one topic.
#[derive(Clone, PartialEq, Debug)]
pub struct FetchTopic {
    /// The topic.
    pub topic: TopicName,
    /// Its id (v13).
    pub topic_id: Uuid,
    /// By partition.
    pub partitions: Vec<FetchPartition>,
}

/// What is wanted of one partition.
#[derive(Clone, PartialEq, Debug)]
pub struct FetchPartition {
    /// Its number.
    pub partition: i32,
    /// Leader epoch that the client knows; -1: none.
    pub current_leader_epoch: i32,
    /// First offset wanted.
    pub fetch_offset: Offset,
    /// Epoch of the last fetched record (v12); -1: none.
    pub last_fetched_epoch: i32,
    /// Log start of a follower; -1 from a consumer.
    pub log_start_offset: Offset,
    /// `max.partition.fetch.bytes`.
    pub partition_max_bytes: i32,
}

/// What leaves the session.
#[derive(Clone, PartialEq, Debug)]
pub struct ForgottenTopic {
    /// The topic.
    pub topic: TopicName,
    /// Its id (v13).
    pub topic_id: Uuid,
    /// Partition numbers.
    pub partitions: Vec<i32>,
}

/// The records.
#[derive(Clone, PartialEq, Debug)]
pub struct FetchResponse {
    /// Error of the whole request, such as 70 and 71.
    pub error_code: ErrorCode,
    /// The session; 0: none.
    pub session_id: i32,
    /// By topic. In a session: only what has something to say.
    pub responses: Vec<FetchableTopicResponse>,
}

/// The records of one topic.
#[derive(Clone, PartialEq, Debug)]
pub struct FetchableTopicResponse {
    /// The topic.
    pub topic: TopicName,
    /// Its id (v13).
    pub topic_id: Uuid,
    /// By partition.
    pub partitions: Vec<PartitionData>,
}

/// The records of one partition.
#[derive(Clone, PartialEq, Debug)]
pub struct PartitionData {
    /// Its number.
    pub partition_index: i32,
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// -1 on failure.
    pub high_watermark: Offset,
    /// -1 on failure.
    pub last_stable_offset: Offset,
    /// First offset that still exists; -1 on failure.
    pub log_start_offset: Offset,
    /// Where to read instead (v11); -1: here.
    pub preferred_read_replica: BrokerId,
    /// Whole batches; the first may begin before the offset that was asked for.
    pub records: Vec<Rc<RecordBatch>>,
}

impl FetchResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        let partitions = self.responses.iter().flat_map(|topic| &topic.partitions);
        let partitions = partitions.map(|partition| partition.error_code);
        first_error(std::iter::once(self.error_code).chain(partitions))
    }
}
