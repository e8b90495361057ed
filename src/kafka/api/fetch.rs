//! Fetch (1), versions 4-17. v7 sessions (KIP-227), v9 leader epoch, v11 rack (KIP-392), v13 topic ids.

use super::first_error;
use super::visit::{
    TaggedField, Visit, Visited, Visitor, array, int, nullable_array, structs, structure, text,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, Offset, TopicName, Uuid};
use crate::kafka::record::RecordBatch;
use std::rc::Rc;

/// Asks for records.
#[derive(Clone, PartialEq, Debug, Default)]
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
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FetchTopic {
    /// The topic.
    pub topic: TopicName,
    /// Its id (v13).
    pub topic_id: Uuid,
    /// By partition.
    pub partitions: Vec<FetchPartition>,
}

/// What is wanted of one partition.
#[derive(Clone, PartialEq, Debug, Default)]
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
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ForgottenTopic {
    /// The topic.
    pub topic: TopicName,
    /// Its id (v13).
    pub topic_id: Uuid,
    /// Partition numbers.
    pub partitions: Vec<i32>,
}

/// The records.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FetchResponse {
    /// Error of the whole request, such as 70 and 71.
    pub error_code: ErrorCode,
    /// The session; 0: none.
    pub session_id: i32,
    /// By topic. In a session: only what has something to say.
    pub responses: Vec<FetchableTopicResponse>,
    /// Tagged fields, as they came: the engine has none of its own.
    pub tagged_fields: Vec<TaggedField>,
}

/// The records of one topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FetchableTopicResponse {
    /// The topic.
    pub topic: TopicName,
    /// Its id (v13).
    pub topic_id: Uuid,
    /// By partition.
    pub partitions: Vec<PartitionData>,
}

/// The records of one partition.
#[derive(Clone, PartialEq, Debug, Default)]
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
    /// For read_committed; `None` otherwise.
    pub aborted_transactions: Option<Vec<AbortedTransaction>>,
    /// Where to read instead (v11); -1: here.
    pub preferred_read_replica: BrokerId,
    /// Whole batches; the first may begin before the offset that was asked for.
    pub records: Vec<Rc<RecordBatch>>,
    /// Tagged fields, as they came: the engine has none of its own.
    pub tagged_fields: Vec<TaggedField>,
}

/// A transaction whose records shall be skipped.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AbortedTransaction {
    /// Its producer.
    pub producer_id: i64,
    /// Its first record here.
    pub first_offset: Offset,
}

impl FetchResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        let partitions = self.responses.iter().flat_map(|topic| &topic.partitions);
        let partitions = partitions.map(|partition| partition.error_code);
        first_error(std::iter::once(self.error_code).chain(partitions))
    }
}

impl Visit for FetchRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() <= 14 {
            int(v, "replica_id", &mut self.replica_id)?;
        } else {
            // Since v15 a tagged field that only followers send.
            self.replica_id = BrokerId(-1);
        }
        int(v, "max_wait_ms", &mut self.max_wait_ms)?;
        int(v, "min_bytes", &mut self.min_bytes)?;
        int(v, "max_bytes", &mut self.max_bytes)?;
        int(v, "isolation_level", &mut self.isolation_level)?;
        if v.version() >= 7 {
            int(v, "session_id", &mut self.session_id)?;
            int(v, "session_epoch", &mut self.session_epoch)?;
        } else {
            self.session_epoch = -1;
        }
        structs(v, "topics", &mut self.topics)?;
        if v.version() >= 7 {
            structs(v, "forgotten_topics_data", &mut self.forgotten_topics_data)?;
        }
        if v.version() >= 11 {
            text(v, "rack_id", &mut self.rack_id)?;
        }
        Ok(())
    }
}

/// A topic: by name up to v12, by id since.
fn topic(v: &mut dyn Visitor, name: &mut TopicName, id: &mut Uuid) -> Visited {
    if v.version() <= 12 {
        return text(v, "topic", name);
    }
    v.uuid("topic_id", id)
}

impl Visit for FetchTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        topic(v, &mut self.topic, &mut self.topic_id)?;
        structs(v, "partitions", &mut self.partitions)
    }
}

impl Visit for FetchPartition {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "partition", &mut self.partition)?;
        if v.version() >= 9 {
            int(v, "current_leader_epoch", &mut self.current_leader_epoch)?;
        } else {
            self.current_leader_epoch = -1;
        }
        int(v, "fetch_offset", &mut self.fetch_offset)?;
        if v.version() >= 12 {
            int(v, "last_fetched_epoch", &mut self.last_fetched_epoch)?;
        } else {
            self.last_fetched_epoch = -1;
        }
        if v.version() >= 5 {
            int(v, "log_start_offset", &mut self.log_start_offset)?;
        } else {
            self.log_start_offset = Offset(-1);
        }
        int(v, "partition_max_bytes", &mut self.partition_max_bytes)
    }
}

impl Visit for ForgottenTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        topic(v, &mut self.topic, &mut self.topic_id)?;
        array(v, "partitions", &mut self.partitions, |partition, v| {
            int(v, "partition", partition)
        })
    }
}

impl Visit for FetchResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        v.throttle_time_ms()?;
        if v.version() >= 7 {
            int(v, "error_code", &mut self.error_code)?;
            int(v, "session_id", &mut self.session_id)?;
        }
        structs(v, "responses", &mut self.responses)
    }

    fn tagged_fields(&mut self) -> Option<&mut Vec<TaggedField>> {
        Some(&mut self.tagged_fields)
    }
}

impl Visit for FetchableTopicResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        topic(v, &mut self.topic, &mut self.topic_id)?;
        structs(v, "partitions", &mut self.partitions)
    }
}

impl Visit for PartitionData {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "partition_index", &mut self.partition_index)?;
        int(v, "error_code", &mut self.error_code)?;
        int(v, "high_watermark", &mut self.high_watermark)?;
        int(v, "last_stable_offset", &mut self.last_stable_offset)?;
        if v.version() >= 5 {
            int(v, "log_start_offset", &mut self.log_start_offset)?;
        } else {
            self.log_start_offset = Offset(-1);
        }
        nullable_array(
            v,
            "aborted_transactions",
            &mut self.aborted_transactions,
            structure,
        )?;
        if v.version() >= 11 {
            int(
                v,
                "preferred_read_replica",
                &mut self.preferred_read_replica,
            )?;
        } else {
            self.preferred_read_replica = BrokerId(-1);
        }
        v.records("records", &mut self.records)
    }

    fn tagged_fields(&mut self) -> Option<&mut Vec<TaggedField>> {
        Some(&mut self.tagged_fields)
    }
}

impl Visit for AbortedTransaction {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "producer_id", &mut self.producer_id)?;
        int(v, "first_offset", &mut self.first_offset)
    }
}
