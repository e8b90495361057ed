//! Produce (0), versions 3-11.

use super::first_error;
use super::visit::{TaggedField, Visit, Visited, Visitor, int, nullable_text, structs, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Offset, TopicName};
use crate::kafka::record::RecordBatch;
use std::rc::Rc;

/// Brings records.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ProduceRequest {
    /// Set by transactional producers.
    pub transactional_id: Option<Rc<str>>,
    /// -1: all in-sync replicas, 0: no answer, 1: the leader.
    pub acks: i16,
    /// How long to wait for replicas, ms.
    pub timeout_ms: i32,
    /// By topic.
    pub topic_data: Vec<TopicProduceData>,
}

/// Records of one topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TopicProduceData {
    /// The topic.
    pub name: TopicName,
    /// By partition.
    pub partition_data: Vec<PartitionProduceData>,
}

/// Records of one partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PartitionProduceData {
    /// Its number.
    pub index: i32,
    /// The batches; since v3 one.
    pub records: Vec<Rc<RecordBatch>>,
}

/// What became of each partition's records.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ProduceResponse {
    /// By topic.
    pub responses: Vec<TopicProduceResponse>,
    /// Tagged fields, as they came: the engine has none of its own.
    pub tagged_fields: Vec<TaggedField>,
}

/// What became of one topic's records.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TopicProduceResponse {
    /// The topic.
    pub name: TopicName,
    /// By partition.
    pub partition_responses: Vec<PartitionProduceResponse>,
}

/// What became of one partition's records.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PartitionProduceResponse {
    /// Its number.
    pub index: i32,
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// Offset of the first record; -1 on failure.
    pub base_offset: Offset,
    /// -1 with CreateTime.
    pub log_append_time_ms: i64,
    /// First offset that still exists (v5).
    pub log_start_offset: Offset,
    /// Which records of the batch were at fault (v8).
    pub record_errors: Vec<BatchIndexAndErrorMessage>,
    /// The failure in words (v8).
    pub error_message: Option<Rc<str>>,
    /// Tagged fields, as they came: the engine has none of its own.
    pub tagged_fields: Vec<TaggedField>,
}

/// A record that made its batch fail.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BatchIndexAndErrorMessage {
    /// Its place in the batch.
    pub batch_index: i32,
    /// What is wrong with it.
    pub batch_index_error_message: Option<Rc<str>>,
}

impl ProduceResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        let partitions = self
            .responses
            .iter()
            .flat_map(|topic| &topic.partition_responses);
        first_error(partitions.map(|partition| partition.error_code))
    }
}

impl Visit for ProduceRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        nullable_text(v, "transactional_id", &mut self.transactional_id)?;
        int(v, "acks", &mut self.acks)?;
        int(v, "timeout_ms", &mut self.timeout_ms)?;
        structs(v, "topic_data", &mut self.topic_data)
    }
}

impl Visit for TopicProduceData {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        structs(v, "partition_data", &mut self.partition_data)
    }
}

impl Visit for PartitionProduceData {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "index", &mut self.index)?;
        v.records("records", &mut self.records)
    }
}

impl Visit for ProduceResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        structs(v, "responses", &mut self.responses)?;
        v.throttle_time_ms()
    }

    fn tagged_fields(&mut self) -> Option<&mut Vec<TaggedField>> {
        Some(&mut self.tagged_fields)
    }
}

impl Visit for TopicProduceResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        structs(v, "partition_responses", &mut self.partition_responses)
    }
}

impl Visit for PartitionProduceResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "index", &mut self.index)?;
        int(v, "error_code", &mut self.error_code)?;
        int(v, "base_offset", &mut self.base_offset)?;
        int(v, "log_append_time_ms", &mut self.log_append_time_ms)?;
        if v.version() >= 5 {
            int(v, "log_start_offset", &mut self.log_start_offset)?;
        } else {
            self.log_start_offset = Offset(-1);
        }
        if v.version() >= 8 {
            structs(v, "record_errors", &mut self.record_errors)?;
            nullable_text(v, "error_message", &mut self.error_message)?;
        }
        Ok(())
    }

    fn tagged_fields(&mut self) -> Option<&mut Vec<TaggedField>> {
        Some(&mut self.tagged_fields)
    }
}

impl Visit for BatchIndexAndErrorMessage {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "batch_index", &mut self.batch_index)?;
        nullable_text(
            v,
            "batch_index_error_message",
            &mut self.batch_index_error_message,
        )
    }
}
