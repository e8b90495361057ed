//! DeleteRecords (21), versions 0-2 (`ReplicaManager.deleteRecordsOnLocalLog`).

use super::super::replica_manager::ReplicaManager;
use super::{Desk, Ticket};
use crate::kafka::api::{
    DeleteRecordsPartition, DeleteRecordsPartitionResult, DeleteRecordsRequest,
    DeleteRecordsResponse, DeleteRecordsTopicResult,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Offset, TopicName, TopicPartition};

/// What a request says that wants everything up to the high watermark deleted.
const HIGH_WATERMARK: Offset = Offset(-1);

impl ReplicaManager {
    /// Answers at once: followers are in step.
    pub fn delete_records_of(
        &mut self,
        ticket: Ticket,
        request: DeleteRecordsRequest,
        desk: &mut Desk,
    ) {
        let topics = request.topics.into_iter().map(|topic| {
            let partitions = topic.partitions.iter();
            let partitions = partitions.map(|wanted| self.delete_before(&topic.name, wanted, desk));
            DeleteRecordsTopicResult {
                partitions: partitions.collect(),
                name: topic.name.clone(),
            }
        });
        let topics = topics.collect();
        desk.answer(ticket, DeleteRecordsResponse { topics });
    }

    fn delete_before(
        &mut self,
        topic: &TopicName,
        wanted: &DeleteRecordsPartition,
        desk: &mut Desk,
    ) -> DeleteRecordsPartitionResult {
        let partition = TopicPartition::new(topic.clone(), wanted.partition_index);
        let deleted = match desk.cluster.topics.get(topic) {
            Some(topic) if topic.is_internal => Err(ErrorCode::InvalidTopicException),
            _ => self.delete_up_to(&partition, wanted.offset, desk),
        };
        DeleteRecordsPartitionResult {
            partition_index: wanted.partition_index,
            low_watermark: deleted.unwrap_or(Offset(-1)),
            error_code: deleted.err().unwrap_or(ErrorCode::None),
        }
    }

    /// The new log start.
    fn delete_up_to(
        &mut self,
        partition: &TopicPartition,
        offset: Offset,
        desk: &mut Desk,
    ) -> Result<Offset, ErrorCode> {
        let log = self.leader_log(partition, -1, desk.cluster)?;
        let before = match offset {
            HIGH_WATERMARK => log.high_watermark(),
            offset if offset < Offset(0) => return Err(ErrorCode::OffsetOutOfRange),
            offset => offset,
        };
        self.delete_records(partition, before, desk.cluster, desk.journal)?;
        let log = self.leader_log(partition, -1, desk.cluster)?;
        Ok(log.log_start())
    }
}
