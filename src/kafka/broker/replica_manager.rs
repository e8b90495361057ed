//! The replicas that a broker hosts (class `ReplicaManager`): their logs, what may be done to them, and who
//! waits for them.
//!
//! DEVIATION: followers are taken to be in step with their leader at every instant, so the high watermark
//! follows the log end at once and `acks=all` is answered as `acks=1` is. Replication is to come; log end
//! and high watermark are distinct everywhere already.

use super::fetch::Purgatory;
use super::fetch_session::FetchSessions;
use super::log::{Appended, LogPreset, PartitionLog};
use super::producer_state::ProducerStates;
use super::{BrokerSettings, BrokerTimer, Desk};
use crate::kafka::cluster::{Cluster, PartitionMetadata};
use crate::kafka::config::TopicConfig;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::FactKind;
use crate::kafka::ids::{BrokerId, Offset, TopicPartition};
use crate::kafka::journal::Journal;
use crate::kafka::record::RecordBatch;
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::Duration;
use std::rc::Rc;

/// Logs, parked fetches, fetch sessions.
#[derive(Clone, Debug)]
pub(super) struct ReplicaManager {
    id: BrokerId,
    /// `message.max.bytes` of the broker: the limit in topics that are told no other.
    pub(super) message_max_bytes: i32,
    logs: SortedMap<TopicPartition, Rc<PartitionLog>>,
    /// Idempotent producers, by the partition that they have written to.
    pub(super) producers: SortedMap<TopicPartition, Rc<ProducerStates>>,
    pub(super) purgatory: Purgatory,
    pub(super) sessions: FetchSessions,
}

impl ReplicaManager {
    /// Hosts what `cluster` places on broker `id`, empty.
    pub fn new(settings: &BrokerSettings, cluster: &Cluster) -> Self {
        let slots = settings.config.max_incremental_fetch_session_cache_slots;
        let mut manager = Self {
            id: settings.id,
            message_max_bytes: settings.config.message_max_bytes,
            logs: SortedMap::new(),
            producers: SortedMap::new(),
            purgatory: Purgatory::default(),
            sessions: FetchSessions::new(settings.seed, slots),
        };
        manager.host(cluster);
        manager
    }

    /// The log of a partition that this broker hosts.
    pub fn log(&self, partition: &TopicPartition) -> Option<&Rc<PartitionLog>> {
        self.logs.get(partition)
    }

    /// All logs, by partition.
    pub fn logs(&self) -> impl Iterator<Item = (&TopicPartition, &Rc<PartitionLog>)> {
        self.logs.iter()
    }

    /// Makes logs for new partitions, drops those of deleted ones, and ends the waiting of fetches that
    /// this concerns.
    pub fn set_cluster(&mut self, desk: &mut Desk) {
        self.host(desk.cluster);
        self.check_all_fetches(desk);
    }

    fn host(&mut self, cluster: &Cluster) {
        self.logs
            .retain(|partition, _| hosts(cluster, partition, self.id));
        self.producers
            .retain(|partition, _| self.logs.contains_key(partition));
        for (topic, described) in &cluster.topics {
            for (number, metadata) in (0_i32..).zip(&described.partitions) {
                if metadata.replicas.contains(&self.id) {
                    let partition = TopicPartition::new(topic.clone(), number);
                    let empty = || Rc::new(PartitionLog::new(Offset(0)));
                    self.logs.entry(partition).or_insert_with(empty);
                }
            }
        }
    }

    /// Replaces a log by one with contents. Says nothing to anybody: it is how a scenario starts.
    pub fn install_log(&mut self, partition: TopicPartition, preset: LogPreset, cluster: &Cluster) {
        let config = topic_config(cluster, &partition);
        let log = PartitionLog::from_preset(preset, &config);
        self.logs.insert(partition, Rc::new(log));
    }

    /// The log of a partition that this broker leads, for a client that knows `current_leader_epoch` (-1:
    /// does not say). 3, 6, 74 or 75 (`Partition.localLogWithEpochOrThrow`).
    pub fn leader_log(
        &self,
        partition: &TopicPartition,
        current_leader_epoch: i32,
        cluster: &Cluster,
    ) -> Result<&PartitionLog, ErrorCode> {
        self.led(partition, current_leader_epoch, cluster)?;
        let log = self.logs.get(partition);
        log.map(Rc::as_ref).ok_or(ErrorCode::NotLeaderOrFollower)
    }

    /// Metadata of a partition that this broker leads.
    fn led<'c>(
        &self,
        partition: &TopicPartition,
        current_leader_epoch: i32,
        cluster: &'c Cluster,
    ) -> Result<&'c PartitionMetadata, ErrorCode> {
        let metadata = cluster.partition(partition);
        let metadata = metadata.ok_or(ErrorCode::UnknownTopicOrPartition)?;
        if !metadata.replicas.contains(&self.id) {
            return Err(ErrorCode::NotLeaderOrFollower);
        }
        if current_leader_epoch >= 0 && current_leader_epoch < metadata.leader_epoch {
            return Err(ErrorCode::FencedLeaderEpoch);
        }
        if current_leader_epoch > metadata.leader_epoch {
            return Err(ErrorCode::UnknownLeaderEpoch);
        }
        if metadata.leader != Some(self.id) {
            return Err(ErrorCode::NotLeaderOrFollower);
        }
        Ok(metadata)
    }

    /// Appends a batch as leader, and raises the high watermark. 3, 6, 10, 18, 19, 87
    /// (`Partition.appendRecordsToLeader`, `UnifiedLog.append`). Whoever waits for the records is served by
    /// [`ReplicaManager::complete_fetches`], after the producer has its answer.
    pub fn append_to_leader(
        &mut self,
        partition: &TopicPartition,
        batch: &Rc<RecordBatch>,
        required: Required,
        cluster: &Cluster,
        journal: &mut Journal,
    ) -> Result<Appended, ErrorCode> {
        let metadata = self.led(partition, -1, cluster)?;
        let topic = cluster.topics.get(&partition.topic);
        let topic = topic.ok_or(ErrorCode::UnknownTopicOrPartition)?;
        if required == Required::InSyncReplicas {
            check_in_sync(metadata, &topic.config)?;
        }
        check_batch(batch, &topic.config, self.message_max_bytes)?;
        let log = self.logs.get_mut(partition);
        let log = Rc::make_mut(log.ok_or(ErrorCode::NotLeaderOrFollower)?);
        let appended = log.append(batch, metadata.leader_epoch, &topic.config);
        journal.note(FactKind::Append {
            partition: partition.clone(),
            base: appended.base,
            next: appended.next,
            max_timestamp_ms: appended.max_timestamp_ms,
        });
        if log.advance_high_watermark(appended.next) {
            journal.note(FactKind::HwAdvance {
                partition: partition.clone(),
                offset: appended.next,
            });
        }
        Ok(appended)
    }

    /// DeleteRecords: makes `before` the first offset that exists. 1 above the high watermark, 3, 6.
    pub fn delete_records(
        &mut self,
        partition: &TopicPartition,
        before: Offset,
        cluster: &Cluster,
        journal: &mut Journal,
    ) -> Result<(), ErrorCode> {
        self.led(partition, -1, cluster)?;
        let log = self.logs.get_mut(partition);
        let log = Rc::make_mut(log.ok_or(ErrorCode::NotLeaderOrFollower)?);
        if log.delete_records(before)? {
            note_log_start(partition, log, journal);
        }
        Ok(())
    }

    /// Deletes what is too old or too much, and sets the next check.
    pub fn log_retention_check(&mut self, desk: &mut Desk) {
        let now = desk.now();
        let interval = desk.settings.config.log_retention_check_interval_ms;
        desk.set_timer(
            BrokerTimer::LogRetentionCheck,
            now + Duration::from_ms(interval.max(1)),
        );
        for (partition, log) in &mut self.logs {
            let config = topic_config(desk.cluster, partition);
            if log.size_bytes() == 0 {
                continue;
            }
            let log = Rc::make_mut(log);
            if log.delete_old_segments(now, &config) {
                note_log_start(partition, log, desk.journal);
            }
        }
    }
}

/// What must hold for a write to be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Required {
    /// The leader writes (`acks` 0 and 1).
    Leader,
    /// There are `min.insync.replicas` in sync (`acks=all`).
    InSyncReplicas,
}

fn hosts(cluster: &Cluster, partition: &TopicPartition, id: BrokerId) -> bool {
    let metadata = cluster.partition(partition);
    metadata.is_some_and(|metadata| metadata.replicas.contains(&id))
}

fn topic_config(cluster: &Cluster, partition: &TopicPartition) -> Rc<TopicConfig> {
    let topic = cluster.topics.get(&partition.topic);
    topic.map_or_else(Rc::default, |topic| Rc::clone(&topic.config))
}

/// 19. The limit is capped at the number of replicas (3.7).
fn check_in_sync(metadata: &PartitionMetadata, config: &TopicConfig) -> Result<(), ErrorCode> {
    let wanted = usize::try_from(config.min_insync_replicas).unwrap_or(0);
    if metadata.isr.len() < wanted.min(metadata.replicas.len()) {
        return Err(ErrorCode::NotEnoughReplicas);
    }
    Ok(())
}

/// `message_max_bytes`: the broker's own limit, which a topic's `max.message.bytes` replaces (`LogConfig`).
///
/// DEVIATION: a topic that is told Kafka's default has the broker's limit, as if it were told nothing.
fn check_batch(
    batch: &RecordBatch,
    config: &TopicConfig,
    message_max_bytes: i32,
) -> Result<(), ErrorCode> {
    let is_default = config.max_message_bytes == TopicConfig::default().max_message_bytes;
    let most_bytes = match is_default {
        true => message_max_bytes,
        false => config.max_message_bytes,
    };
    let records = i64::try_from(batch.records.len()).unwrap_or(i64::MAX);
    if records == 0 || records != i64::from(batch.last_offset_delta) + 1 {
        return Err(ErrorCode::InvalidRecord);
    }
    if batch.size_bytes > most_bytes {
        return Err(ErrorCode::MessageTooLarge);
    }
    if batch.size_bytes > config.segment_bytes {
        return Err(ErrorCode::RecordListTooLarge);
    }
    Ok(())
}

fn note_log_start(partition: &TopicPartition, log: &PartitionLog, journal: &mut Journal) {
    journal.note(FactKind::LogStartAdvance {
        partition: partition.clone(),
        offset: log.log_start(),
    });
}
