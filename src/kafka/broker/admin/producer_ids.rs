//! InitProducerId (22), versions 0-5 (class `TransactionCoordinator.handleInitProducerId` for producers
//! without a transactional id: whatever id they had, they get a new one).
//!
//! Left out: transactions. A transactional id has no coordinator here, so 16.

use super::{Desk, Ticket};
use crate::kafka::api::{InitProducerIdRequest, InitProducerIdResponse};
use crate::kafka::error::ErrorCode;

/// How many ids a broker has before those of the next begin. Kafka's controller hands out blocks of 1,000
/// as they are needed; here each broker has one block that does not end.
const BLOCK: i64 = 1 << 32;

/// The ids that a broker gives to producers.
#[derive(Clone, Debug, Default)]
pub struct ProducerIds {
    given: i64,
}

impl ProducerIds {
    /// Answers at once.
    pub fn handle(&mut self, ticket: Ticket, request: InitProducerIdRequest, desk: &mut Desk) {
        if request.transactional_id.is_some() {
            let response = InitProducerIdResponse {
                error_code: ErrorCode::NotCoordinator,
                producer_id: -1,
                producer_epoch: -1,
            };
            return desk.answer(ticket, response);
        }
        let block = i64::from(desk.settings.id.0).saturating_mul(BLOCK);
        let response = InitProducerIdResponse {
            error_code: ErrorCode::None,
            producer_id: block.saturating_add(self.given),
            producer_epoch: 0,
        };
        self.given += 1;
        desk.answer(ticket, response);
    }
}
