//! DeleteTopics (20), versions 0-6. v5 failures in words, v6 topics by id.

use super::first_error;
use super::visit::{Visit, Visited, Visitor, array, int, nullable_text, structs, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{TopicName, Uuid};
use std::rc::Rc;

/// Asks for topics to be deleted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeleteTopicsRequest {
    /// The topics; before v6 all by name.
    pub topics: Vec<DeleteTopicState>,
    /// How long to wait, ms.
    pub timeout_ms: i32,
}

/// A topic to be deleted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeleteTopicState {
    /// Its name; `None`: by id.
    pub name: Option<TopicName>,
    /// Its id (v6).
    pub topic_id: Uuid,
}

/// What became of each topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeleteTopicsResponse {
    /// In the order of the request.
    pub responses: Vec<DeletableTopicResult>,
}

/// What became of one topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeletableTopicResult {
    /// Its name; `None` (v6): asked for by an id that nobody knows.
    pub name: Option<TopicName>,
    /// Its id (v6).
    pub topic_id: Uuid,
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// The failure in words (v5).
    pub error_message: Option<Rc<str>>,
}

impl DeleteTopicsResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        first_error(self.responses.iter().map(|topic| topic.error_code))
    }
}

impl Visit for DeleteTopicsRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 6 {
            structs(v, "topics", &mut self.topics)?;
        } else {
            array(v, "topic_names", &mut self.topics, |topic, v| {
                text(v, "topic_name", topic.name.get_or_insert_default())
            })?;
        }
        int(v, "timeout_ms", &mut self.timeout_ms)
    }
}

impl Visit for DeleteTopicState {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        nullable_text(v, "name", &mut self.name)?;
        v.uuid("topic_id", &mut self.topic_id)
    }
}

impl Visit for DeleteTopicsResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 1 {
            v.throttle_time_ms()?;
        }
        structs(v, "responses", &mut self.responses)
    }
}

impl Visit for DeletableTopicResult {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 6 {
            nullable_text(v, "name", &mut self.name)?;
            v.uuid("topic_id", &mut self.topic_id)?;
        } else {
            text(v, "name", self.name.get_or_insert_default())?;
        }
        int(v, "error_code", &mut self.error_code)?;
        if v.version() >= 5 {
            nullable_text(v, "error_message", &mut self.error_message)?;
        }
        Ok(())
    }
}
