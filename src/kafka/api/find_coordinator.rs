//! FindCoordinator (10), versions 0-6. v4 several keys.

use super::first_error;
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::BrokerId;
use std::rc::Rc;

/// Asks which broker coordinates.
#[derive(Clone, PartialEq, Debug)]
pub struct FindCoordinatorRequest {
    /// 0: group, 1: transaction.
    pub key_type: i8,
    /// Group ids. Before v4: exactly one.
    pub coordinator_keys: Vec<Rc<str>>,
}

/// The coordinators.
#[derive(Clone, PartialEq, Debug)]
pub struct FindCoordinatorResponse {
    /// In the order of the request.
    pub coordinators: Vec<Coordinator>,
}

/// The coordinator of one key.
#[derive(Clone, PartialEq, Debug)]
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
