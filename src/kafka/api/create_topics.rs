//! CreateTopics (19), versions 0-7. v1 `validate_only`, v5 tells what became of it (KIP-525), v7 topic ids.

use super::first_error;
use super::visit::{
    TaggedField, Visit, Visited, Visitor, array, int, nullable_array, nullable_text, structs,
    structure, text,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, TopicName, Uuid};
use std::rc::Rc;

/// Asks for topics to be made.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CreateTopicsRequest {
    /// The topics.
    pub topics: Vec<CreatableTopic>,
    /// How long to wait for them, ms.
    pub timeout_ms: i32,
    /// Only say whether it could be done (v1).
    pub validate_only: bool,
}

/// A topic to be made.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CreatableTopic {
    /// Its name.
    pub name: TopicName,
    /// -1: the broker's default, or told by `assignments`.
    pub num_partitions: i32,
    /// -1: the broker's default, or told by `assignments`.
    pub replication_factor: i16,
    /// Where each partition is to live; empty: the broker decides.
    pub assignments: Vec<CreatableReplicaAssignment>,
    /// Its configuration.
    pub configs: Vec<CreatableTopicConfig>,
}

/// Where a partition is to live.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CreatableReplicaAssignment {
    /// Its number.
    pub partition_index: i32,
    /// The preferred replica first.
    pub broker_ids: Vec<BrokerId>,
}

/// A configuration of a topic to be made.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CreatableTopicConfig {
    /// Its dotted name.
    pub name: Rc<str>,
    /// Its value.
    pub value: Option<Rc<str>>,
}

/// What became of each topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CreateTopicsResponse {
    /// In the order of the request.
    pub topics: Vec<CreatableTopicResult>,
}

/// What became of one topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CreatableTopicResult {
    /// Its name.
    pub name: TopicName,
    /// Its id (v7).
    pub topic_id: Uuid,
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// The failure in words (v1).
    pub error_message: Option<Rc<str>>,
    /// -1 on failure (v5).
    pub num_partitions: i32,
    /// -1 on failure (v5).
    pub replication_factor: i16,
    /// Its configuration (v5).
    pub configs: Option<Vec<CreatableTopicConfigs>>,
    /// Tagged fields, as they came (v5): the engine has none of its own.
    pub tagged_fields: Vec<TaggedField>,
}

/// A configuration of a topic that was made.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CreatableTopicConfigs {
    /// Its dotted name.
    pub name: Rc<str>,
    /// Its value.
    pub value: Option<Rc<str>>,
    /// Whether it cannot be changed.
    pub read_only: bool,
    /// 1: the topic's own, 5: the default.
    pub config_source: i8,
    /// Whether it is a secret.
    pub is_sensitive: bool,
}

impl CreateTopicsResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        first_error(self.topics.iter().map(|topic| topic.error_code))
    }
}

impl Visit for CreateTopicsRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        structs(v, "topics", &mut self.topics)?;
        int(v, "timeout_ms", &mut self.timeout_ms)?;
        if v.version() >= 1 {
            int(v, "validate_only", &mut self.validate_only)?;
        }
        Ok(())
    }
}

impl Visit for CreatableTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        int(v, "num_partitions", &mut self.num_partitions)?;
        int(v, "replication_factor", &mut self.replication_factor)?;
        structs(v, "assignments", &mut self.assignments)?;
        structs(v, "configs", &mut self.configs)
    }
}

impl Visit for CreatableReplicaAssignment {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "partition_index", &mut self.partition_index)?;
        array(v, "broker_ids", &mut self.broker_ids, |id, v| {
            int(v, "broker_id", id)
        })
    }
}

impl Visit for CreatableTopicConfig {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        nullable_text(v, "value", &mut self.value)
    }
}

impl Visit for CreateTopicsResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 2 {
            v.throttle_time_ms()?;
        }
        structs(v, "topics", &mut self.topics)
    }
}

impl Visit for CreatableTopicResult {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        if v.version() >= 7 {
            v.uuid("topic_id", &mut self.topic_id)?;
        }
        int(v, "error_code", &mut self.error_code)?;
        if v.version() >= 1 {
            nullable_text(v, "error_message", &mut self.error_message)?;
        }
        if v.version() >= 5 {
            int(v, "num_partitions", &mut self.num_partitions)?;
            int(v, "replication_factor", &mut self.replication_factor)?;
            nullable_array(v, "configs", &mut self.configs, structure)?;
        }
        Ok(())
    }

    fn tagged_fields(&mut self) -> Option<&mut Vec<TaggedField>> {
        Some(&mut self.tagged_fields)
    }
}

impl Visit for CreatableTopicConfigs {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        nullable_text(v, "value", &mut self.value)?;
        int(v, "read_only", &mut self.read_only)?;
        int(v, "config_source", &mut self.config_source)?;
        int(v, "is_sensitive", &mut self.is_sensitive)
    }
}
