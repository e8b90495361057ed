//! OffsetForLeaderEpoch (23), versions 0-4 (class `LeaderEpochFileCache.endOffsetFor`).
//!
//! Kafka keeps a file of where each epoch begins; here it is read off the batches.

use super::log::PartitionLog;
use super::replica_manager::ReplicaManager;
use super::{Desk, Ticket};
use crate::kafka::api::{
    EpochEndOffset, OffsetForLeaderEpochRequest, OffsetForLeaderEpochResponse,
    OffsetForLeaderPartition, OffsetForLeaderTopicResult,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Offset, TopicPartition};

impl ReplicaManager {
    /// Answers at once.
    pub fn offset_for_leader_epoch(
        &self,
        ticket: Ticket,
        request: OffsetForLeaderEpochRequest,
        desk: &mut Desk,
    ) {
        let mut topics = Vec::with_capacity(request.topics.len());
        for topic in request.topics {
            let partitions = topic.partitions.into_iter().map(|wanted| {
                let partition = TopicPartition::new(topic.topic.clone(), wanted.partition);
                self.epoch_end(&partition, &wanted, desk)
            });
            topics.push(OffsetForLeaderTopicResult {
                partitions: partitions.collect(),
                topic: topic.topic.clone(),
            });
        }
        desk.answer(ticket, OffsetForLeaderEpochResponse { topics });
    }

    fn epoch_end(
        &self,
        partition: &TopicPartition,
        wanted: &OffsetForLeaderPartition,
        desk: &Desk,
    ) -> EpochEndOffset {
        let answer = EpochEndOffset {
            partition: wanted.partition,
            ..EpochEndOffset::default()
        };
        let current = desk.cluster.partition(partition);
        let current = current.map_or(-1, |metadata| metadata.leader_epoch);
        match self.leader_log(partition, wanted.current_leader_epoch, desk.cluster) {
            Err(error_code) => EpochEndOffset {
                error_code,
                ..answer
            },
            Ok(log) => match end_of_epoch(log, wanted.leader_epoch, current) {
                Some((leader_epoch, end_offset)) => EpochEndOffset {
                    error_code: ErrorCode::None,
                    leader_epoch,
                    end_offset,
                    ..answer
                },
                None => answer,
            },
        }
    }
}

/// The epoch, or the last before it that the log has, and the offset after its last record.
fn end_of_epoch(log: &PartitionLog, epoch: i32, current: i32) -> Option<(i32, Offset)> {
    if epoch == current {
        return Some((epoch, log.log_end()));
    }
    if epoch < 0 || epoch > current {
        return None;
    }
    let mut last = None;
    for batch in log.batches_from(log.log_start()) {
        if batch.partition_leader_epoch > epoch {
            return Some((last.unwrap_or(epoch), batch.base_offset));
        }
        last = Some(batch.partition_leader_epoch);
    }
    // The present leader has written nothing yet: its epoch begins at the end.
    Some((last.unwrap_or(epoch), log.log_end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::broker::rig::batch;
    use crate::kafka::config::TopicConfig;

    #[test]
    fn an_epoch_ends_where_the_next_begins() {
        let (mut log, config) = (PartitionLog::new(Offset(0)), TopicConfig::default());
        for (epoch, records) in [(1, 2), (1, 3), (4, 5)] {
            log.append(&batch(records, 1, 0), epoch, &config);
        }
        let ends = |epoch| end_of_epoch(&log, epoch, 6);
        assert_eq!(ends(1), Some((1, Offset(5))));
        assert_eq!(ends(3), Some((1, Offset(5))));
        assert_eq!(ends(4), Some((4, Offset(10))));
        assert_eq!(ends(6), Some((6, Offset(10))));
        assert_eq!(ends(0), Some((0, Offset(0))));
        assert_eq!(ends(7), None);
        assert_eq!(ends(-1), None);
    }
}
