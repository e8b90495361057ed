//! InitProducerId (22), versions 0-5. v3 says which id and epoch the producer had (KIP-360).

use super::visit::{Visit, Visited, Visitor, int, nullable_text};
use crate::kafka::error::ErrorCode;
use std::rc::Rc;

/// Asks for a producer id.
#[derive(Clone, PartialEq, Debug)]
pub struct InitProducerIdRequest {
    /// Set by transactional producers.
    pub transactional_id: Option<Rc<str>>,
    /// How long a transaction may take, ms. Without meaning for others.
    pub transaction_timeout_ms: i32,
    /// The id that it has (v3); -1: none.
    pub producer_id: i64,
    /// Its epoch (v3); -1: none.
    pub producer_epoch: i16,
}

impl Default for InitProducerIdRequest {
    fn default() -> Self {
        Self {
            transactional_id: None,
            transaction_timeout_ms: 0,
            producer_id: -1,
            producer_epoch: -1,
        }
    }
}

/// Gives one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct InitProducerIdResponse {
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// -1 on failure.
    pub producer_id: i64,
    /// -1 on failure.
    pub producer_epoch: i16,
}

impl InitProducerIdResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        self.error_code
    }
}

impl Visit for InitProducerIdRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        nullable_text(v, "transactional_id", &mut self.transactional_id)?;
        int(
            v,
            "transaction_timeout_ms",
            &mut self.transaction_timeout_ms,
        )?;
        if v.version() >= 3 {
            int(v, "producer_id", &mut self.producer_id)?;
            int(v, "producer_epoch", &mut self.producer_epoch)?;
        }
        Ok(())
    }
}

impl Visit for InitProducerIdResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        v.throttle_time_ms()?;
        int(v, "error_code", &mut self.error_code)?;
        int(v, "producer_id", &mut self.producer_id)?;
        int(v, "producer_epoch", &mut self.producer_epoch)
    }
}
