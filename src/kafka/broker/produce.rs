//! Produce (0), versions 3-11: v3 record batches, v5 log start, v7 zstd, v8 errors per record, v9 flexible.
//!
//! Left out: transactions (v3; 48); `LogAppendTime`.
//!
//! DEVIATION: compressed batches are refused with 76. Here a record's bytes count, not how small they get.
//!
//! DEVIATION: after an error with `acks=0` Kafka closes the connection, because it has no other way to say
//! so. Here the connection stays and the records are lost without a word.

use super::producer_state::Verdict;
use super::replica_manager::{ReplicaManager, Required};
use super::{Desk, Ticket};
use crate::kafka::api::{
    PartitionProduceData, PartitionProduceResponse, ProduceRequest, ProduceResponse,
    TopicProduceResponse,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{ClientId, Offset, TopicName, TopicPartition};
use crate::kafka::record::RecordBatch;
use std::rc::Rc;

/// Compression, in a batch's attributes.
const COMPRESSION_MASK: i16 = 0x07;
/// Part of a transaction, or a marker of one, in a batch's attributes.
const TRANSACTION_MASK: i16 = 0x30;

/// `client.id` of Kafka's own tools, which alone may write to internal topics.
const ADMIN_CLIENT: &str = "__admin_client";

impl ReplicaManager {
    /// Appends, answers, then serves the fetches that waited for the records.
    pub fn produce(&mut self, ticket: Ticket, request: ProduceRequest, desk: &mut Desk) {
        let required = match request.acks {
            0 | 1 => Ok(Required::Leader),
            -1 => Ok(Required::InSyncReplicas),
            _ => Err(ErrorCode::InvalidRequiredAcks),
        };
        let mut grown = Vec::new();
        let mut responses = Vec::with_capacity(request.topic_data.len());
        for topic in request.topic_data {
            let mut partition_responses = Vec::with_capacity(topic.partition_data.len());
            for data in topic.partition_data {
                let partition = TopicPartition::new(topic.name.clone(), data.index);
                let appended = required
                    .and_then(|required| {
                        may_write(&topic.name, ticket.client_id(), desk).map(|()| required)
                    })
                    .and_then(|required| self.append_batches(&partition, &data, required, desk));
                partition_responses.push(self.produced(&partition, appended));
                if appended.is_ok() {
                    grown.push(partition);
                }
            }
            responses.push(TopicProduceResponse {
                name: topic.name,
                partition_responses,
            });
        }
        if request.acks == 0 {
            desk.close_without_answer(ticket);
        } else {
            desk.answer(
                ticket,
                ProduceResponse {
                    responses,
                    tagged_fields: Vec::new(),
                },
            );
        }
        for partition in &grown {
            self.complete_fetches(partition, desk);
        }
    }

    /// Offset of the first record.
    fn append_batches(
        &mut self,
        partition: &TopicPartition,
        data: &PartitionProduceData,
        required: Required,
        desk: &mut Desk,
    ) -> Result<Offset, ErrorCode> {
        let [batch] = data.records.as_slice() else {
            // Since v3 a request has one batch per partition.
            return Err(ErrorCode::InvalidRecord);
        };
        if batch.attributes & COMPRESSION_MASK != 0 {
            return Err(ErrorCode::UnsupportedCompressionType);
        }
        if batch.attributes & TRANSACTION_MASK != 0 {
            return Err(ErrorCode::InvalidTxnState);
        }
        if batch.producer_id < 0 {
            let appended =
                self.append_to_leader(partition, batch, required, desk.cluster, desk.journal)?;
            return Ok(appended.base);
        }
        self.append_once(partition, batch, required, desk)
    }

    /// Appends the batch of an idempotent producer, unless it is there already.
    fn append_once(
        &mut self,
        partition: &TopicPartition,
        batch: &Rc<RecordBatch>,
        required: Required,
        desk: &mut Desk,
    ) -> Result<Offset, ErrorCode> {
        if batch.producer_epoch < 0 || batch.base_sequence < 0 {
            return Err(ErrorCode::InvalidRecord);
        }
        let now = desk.now();
        let known = self.producers.get(partition);
        let verdict = known.map_or(Ok(Verdict::New), |known| known.check(batch, now));
        if let Verdict::Duplicate(base) = verdict? {
            return Ok(base);
        }
        let appended =
            self.append_to_leader(partition, batch, required, desk.cluster, desk.journal)?;
        let producers = self.producers.entry(partition.clone()).or_default();
        Rc::make_mut(producers).remember(batch, appended.base, now);
        Ok(appended.base)
    }

    fn produced(
        &self,
        partition: &TopicPartition,
        appended: Result<Offset, ErrorCode>,
    ) -> PartitionProduceResponse {
        let log_start = self.log(partition).map(|log| log.log_start());
        PartitionProduceResponse {
            index: partition.partition,
            error_code: appended.err().unwrap_or(ErrorCode::None),
            base_offset: appended.unwrap_or(Offset(-1)),
            log_append_time_ms: -1,
            log_start_offset: match appended {
                Ok(_) => log_start.unwrap_or(Offset(-1)),
                Err(_) => Offset(-1),
            },
            record_errors: Vec::new(),
            error_message: None,
            tagged_fields: Vec::new(),
        }
    }
}

/// 17 for Kafka's own topics.
fn may_write(topic: &TopicName, client: &ClientId, desk: &Desk) -> Result<(), ErrorCode> {
    let topic = desk.cluster.topics.get(topic);
    if topic.is_some_and(|topic| topic.is_internal) && client.as_str() != ADMIN_CLIENT {
        return Err(ErrorCode::InvalidTopicException);
    }
    Ok(())
}
