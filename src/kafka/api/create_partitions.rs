//! CreatePartitions (37), versions 0-3.

use super::first_error;
use super::visit::{
    Visit, Visited, Visitor, array, int, nullable_array, nullable_text, structs, structure, text,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, TopicName};
use std::rc::Rc;

/// Asks for more partitions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CreatePartitionsRequest {
    /// By topic.
    pub topics: Vec<CreatePartitionsTopic>,
    /// How long to wait for them, ms.
    pub timeout_ms: i32,
    /// Only say whether it could be done.
    pub validate_only: bool,
}

/// More partitions of one topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CreatePartitionsTopic {
    /// The topic.
    pub name: TopicName,
    /// How many it is to have then.
    pub count: i32,
    /// Where each new one is to live; `None`: the broker decides.
    pub assignments: Option<Vec<CreatePartitionsAssignment>>,
}

/// Where a partition is to live.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CreatePartitionsAssignment {
    /// The preferred replica first.
    pub broker_ids: Vec<BrokerId>,
}

/// What became of each topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CreatePartitionsResponse {
    /// In the order of the request.
    pub results: Vec<CreatePartitionsTopicResult>,
}

/// What became of one topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CreatePartitionsTopicResult {
    /// The topic.
    pub name: TopicName,
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// The failure in words.
    pub error_message: Option<Rc<str>>,
}

impl CreatePartitionsResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        first_error(self.results.iter().map(|topic| topic.error_code))
    }
}

impl Visit for CreatePartitionsRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        structs(v, "topics", &mut self.topics)?;
        int(v, "timeout_ms", &mut self.timeout_ms)?;
        int(v, "validate_only", &mut self.validate_only)
    }
}

impl Visit for CreatePartitionsTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        int(v, "count", &mut self.count)?;
        nullable_array(v, "assignments", &mut self.assignments, structure)
    }
}

impl Visit for CreatePartitionsAssignment {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        array(v, "broker_ids", &mut self.broker_ids, |id, v| {
            int(v, "broker_id", id)
        })
    }
}

impl Visit for CreatePartitionsResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        v.throttle_time_ms()?;
        structs(v, "results", &mut self.results)
    }
}

impl Visit for CreatePartitionsTopicResult {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        int(v, "error_code", &mut self.error_code)?;
        nullable_text(v, "error_message", &mut self.error_message)
    }
}
