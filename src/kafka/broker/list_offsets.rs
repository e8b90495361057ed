//! ListOffsets (2), versions 1-10: v2 isolation, v4 leader epoch, v6 flexible, v10 timeout.
//!
//! Left out: the special timestamps -3 (largest timestamp, v7), -4 and -5 (tiered storage), answered with 35;
//! 78, which takes a change of leaders.

use super::log::{PartitionLog, TimestampAndOffset};
use super::replica_manager::ReplicaManager;
use super::{Desk, Ticket};
use crate::kafka::api::{
    EARLIEST_TIMESTAMP, LATEST_TIMESTAMP, ListOffsetsPartition, ListOffsetsPartitionResponse,
    ListOffsetsRequest, ListOffsetsResponse, ListOffsetsTopic, ListOffsetsTopicResponse,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, Offset, TopicName, TopicPartition};

impl ReplicaManager {
    /// Answers at once.
    pub fn list_offsets(&self, ticket: Ticket, request: ListOffsetsRequest, desk: &mut Desk) {
        let ListOffsetsRequest {
            replica_id,
            isolation_level,
            topics,
            timeout_ms: _,
        } = request;
        let reader = Reader {
            replica_id,
            isolation_level,
        };
        let topics = topics
            .into_iter()
            .map(|topic| self.list_topic_offsets(topic, reader, desk))
            .collect();
        desk.answer(ticket, ListOffsetsResponse { topics });
    }

    fn list_topic_offsets(
        &self,
        topic: ListOffsetsTopic,
        reader: Reader,
        desk: &Desk,
    ) -> ListOffsetsTopicResponse {
        let ListOffsetsTopic { name, partitions } = topic;
        let partitions = partitions
            .into_iter()
            .map(|wanted| {
                let found = self.find_offset(&name, &wanted, reader, desk);
                answer(&wanted, found)
            })
            .collect();
        ListOffsetsTopicResponse { name, partitions }
    }

    /// `Partition.fetchOffsetForTimestamp`
    fn find_offset(
        &self,
        topic: &TopicName,
        wanted: &ListOffsetsPartition,
        reader: Reader,
        desk: &Desk,
    ) -> Result<Option<TimestampAndOffset>, ErrorCode> {
        let partition = TopicPartition::new(topic.clone(), wanted.partition_index);
        let log = self.leader_log(&partition, wanted.current_leader_epoch, desk.cluster)?;
        let leader_epoch = desk
            .cluster
            .partition(&partition)
            .map_or(-1, |metadata| metadata.leader_epoch);
        let upper = reader.upper_bound(log);
        match wanted.timestamp {
            LATEST_TIMESTAMP => Ok(Some(TimestampAndOffset {
                timestamp_ms: -1,
                offset: upper,
                leader_epoch,
            })),
            EARLIEST_TIMESTAMP => {
                let first = log.batches_from(log.log_start()).next();
                Ok(Some(TimestampAndOffset {
                    timestamp_ms: -1,
                    offset: log.log_start(),
                    leader_epoch: first.map_or(leader_epoch, |batch| batch.partition_leader_epoch),
                }))
            }
            timestamp if timestamp < 0 => Err(ErrorCode::UnsupportedVersion),
            timestamp => Ok(log.offset_for_timestamp(timestamp, upper)),
        }
    }
}

/// Who asks, and how far it may see.
#[derive(Clone, Copy)]
struct Reader {
    replica_id: BrokerId,
    isolation_level: i8,
}

impl Reader {
    fn upper_bound(self, log: &PartitionLog) -> Offset {
        if self.replica_id.0 >= 0 {
            log.log_end()
        } else if self.isolation_level == 1 {
            log.last_stable_offset()
        } else {
            log.high_watermark()
        }
    }
}

fn answer(
    wanted: &ListOffsetsPartition,
    found: Result<Option<TimestampAndOffset>, ErrorCode>,
) -> ListOffsetsPartitionResponse {
    let nothing = TimestampAndOffset {
        timestamp_ms: -1,
        offset: Offset(-1),
        leader_epoch: -1,
    };
    let record = found.ok().flatten().unwrap_or(nothing);
    ListOffsetsPartitionResponse {
        partition_index: wanted.partition_index,
        error_code: found.err().unwrap_or(ErrorCode::None),
        timestamp: record.timestamp_ms,
        offset: record.offset,
        leader_epoch: record.leader_epoch,
    }
}
