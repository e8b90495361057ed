//! What the world and its views may do to a broker's logs and see of them, past any request.

use super::log::{LogPreset, PartitionLog};
use super::replica_manager::Required;
use super::{Answer, Broker, BrokerTimer};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Offset, TopicPartition};
use crate::kafka::journal::Journal;
use crate::kafka::record::RecordBatch;
use crate::kafka::time::Instant;
use std::rc::Rc;

impl Broker {
    /// Gives a partition contents that were there before the scenario begins. No fact is written.
    pub fn install_log(&mut self, partition: TopicPartition, preset: LogPreset) {
        self.replicas
            .install_log(partition, preset, &self.office.cluster);
    }

    /// Appends batches as if a producer's request had just been worked on: a scenario's feed of records.
    /// Offsets are given here. 3, 6, 10, 18, 87 stop it at the batch in question.
    pub fn append(
        &mut self,
        partition: &TopicPartition,
        batches: &[Rc<RecordBatch>],
        journal: &mut Journal,
        out: &mut Vec<Answer>,
    ) -> Result<(), ErrorCode> {
        let mut desk = self.office.desk(journal);
        let appended = batches.iter().try_for_each(|batch| {
            let (cluster, journal) = (desk.cluster, &mut *desk.journal);
            let required = Required::Leader;
            self.replicas
                .append_to_leader(partition, batch, required, cluster, journal)
                .map(|_| ())
        });
        self.replicas.complete_fetches(partition, &mut desk);
        let answers = desk.into_answers();
        self.send(answers, journal, out);
        appended
    }

    /// DeleteRecords: makes `before` the first offset that exists. 1 above the high watermark, 3, 6.
    pub fn delete_records(
        &mut self,
        partition: &TopicPartition,
        before: Offset,
        journal: &mut Journal,
    ) -> Result<(), ErrorCode> {
        self.replicas
            .delete_records(partition, before, &self.office.cluster, journal)
    }

    /// Sets when log retention is checked first; from then on it repeats every
    /// `log.retention.check.interval.ms`. Without this call logs only grow.
    pub fn schedule_log_retention_check(&mut self, at: Instant, journal: &mut Journal) {
        self.office
            .timers
            .set(BrokerTimer::LogRetentionCheck, at, journal);
    }

    /// The log of a partition that this broker hosts.
    pub fn log(&self, partition: &TopicPartition) -> Option<&PartitionLog> {
        self.replicas.log(partition).map(Rc::as_ref)
    }

    /// All logs that this broker hosts.
    pub fn logs(&self) -> impl Iterator<Item = (&TopicPartition, &PartitionLog)> {
        self.replicas
            .logs()
            .map(|(partition, log)| (partition, log.as_ref()))
    }
}
