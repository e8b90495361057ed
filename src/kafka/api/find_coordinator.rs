//! FindCoordinator (10), versions 0-6. v4 several keys.

use super::first_error;
use super::visit::{Visit, Visited, Visitor, array, int, nullable_text, structs, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::BrokerId;
use std::rc::Rc;

/// Asks which broker coordinates.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FindCoordinatorRequest {
    /// 0: group, 1: transaction.
    pub key_type: i8,
    /// Group ids. Before v4: exactly one.
    pub coordinator_keys: Vec<Rc<str>>,
}

/// The coordinators.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FindCoordinatorResponse {
    /// In the order of the request.
    pub coordinators: Vec<Coordinator>,
}

/// The coordinator of one key.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Coordinator {
    /// The key.
    pub key: Rc<str>,
    /// -1 on failure.
    pub node_id: BrokerId,
    /// Where it listens.
    pub host: Rc<str>,
    /// Where it listens.
    pub port: i32,
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// The failure in words.
    pub error_message: Option<Rc<str>>,
}

impl FindCoordinatorResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        first_error(
            self.coordinators
                .iter()
                .map(|coordinator| coordinator.error_code),
        )
    }
}

impl Visit for FindCoordinatorRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() <= 3 {
            self.coordinator_keys.truncate(1);
            if self.coordinator_keys.is_empty() {
                self.coordinator_keys.push("".into());
            }
            text(v, "key", &mut self.coordinator_keys[0])?;
        }
        if v.version() >= 1 {
            int(v, "key_type", &mut self.key_type)?;
        }
        if v.version() >= 4 {
            array(
                v,
                "coordinator_keys",
                &mut self.coordinator_keys,
                |key, v| text(v, "key", key),
            )?;
        }
        Ok(())
    }
}

impl Visit for FindCoordinatorResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 1 {
            v.throttle_time_ms()?;
        }
        if v.version() >= 4 {
            return structs(v, "coordinators", &mut self.coordinators);
        }
        self.coordinators.truncate(1);
        if self.coordinators.is_empty() {
            self.coordinators.push(Coordinator::default());
        }
        let coordinator = &mut self.coordinators[0];
        int(v, "error_code", &mut coordinator.error_code)?;
        if v.version() >= 1 {
            nullable_text(v, "error_message", &mut coordinator.error_message)?;
        }
        coordinator.visit_node(v)
    }
}

impl Coordinator {
    fn visit_node(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "node_id", &mut self.node_id)?;
        text(v, "host", &mut self.host)?;
        int(v, "port", &mut self.port)
    }
}

impl Visit for Coordinator {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "key", &mut self.key)?;
        self.visit_node(v)?;
        int(v, "error_code", &mut self.error_code)?;
        nullable_text(v, "error_message", &mut self.error_message)
    }
}
