//! What the Java client logs about commits, and what the program around it does when a call throws.

use super::super::words::{java_exception, java_message};
use super::super::{LogLevel, Pen};
use super::answers::optional;
use super::{COORDINATOR, Java, PROGRAM, offset_map};
use crate::kafka::api::{OffsetCommitRequest, OffsetCommitResponse};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{CommitKind, Exception};
use crate::kafka::ids::{Offset, TopicPartition};

impl Java {
    /// A request takes up the last commit that was asked for.
    pub(super) fn commit_sent(&mut self, commit: &OffsetCommitRequest) {
        let offsets = commit.topics.iter().flat_map(|topic| {
            topic.partitions.iter().map(|one| {
                let partition = TopicPartition::new(topic.name.clone(), one.partition_index);
                (partition, one.committed_offset, one.committed_leader_epoch)
            })
        });
        let offsets = offset_map(offsets);
        match self.commits.iter_mut().find(|(_, is_sent)| !is_sent) {
            Some(waiting) => *waiting = (offsets, true),
            None => self.commits.push((offsets, true)),
        }
    }

    /// `OffsetCommitResponseHandler.handle`: the first error decides.
    pub(super) fn commit_answered(
        &mut self,
        commit: &OffsetCommitRequest,
        answer: &OffsetCommitResponse,
        pen: &mut Pen<'_>,
    ) {
        let partitions = answer.topics.iter().flat_map(|topic| {
            let of_topic = topic.partitions.iter();
            of_topic.map(|one| {
                (
                    TopicPartition::new(topic.name.clone(), one.partition_index),
                    one,
                )
            })
        });
        let mut failed = partitions.filter(|(_, one)| !one.error_code.is_none());
        let Some((partition, one)) = failed.next() else {
            return;
        };
        let error = one.error_code;
        let message = java_message(error);
        let offset = offset_of(commit, &partition).0;
        let level = match error.is_retriable() {
            true => LogLevel::Warn,
            false => LogLevel::Error,
        };
        let text =
            format!("Offset commit failed on partition {partition} at offset {offset}: {message}");
        self.log(pen, level, COORDINATOR, text);
        let id = commit.generation_id_or_member_epoch.0;
        let sent = self.generation_of(id, &commit.member_id);
        match error {
            ErrorCode::CoordinatorNotAvailable
            | ErrorCode::NotCoordinator
            | ErrorCode::RequestTimedOut => {
                let cause = format!("error response {}", error.name());
                self.coordinator_unknown(pen, &cause, false);
            }
            ErrorCode::FencedInstanceId => {
                let instance = optional(commit.group_instance_id.as_deref());
                let text = format!(
                    "OffsetCommit failed with {sent} due to group instance id {instance} fenced"
                );
                self.info(pen, COORDINATOR, text);
            }
            ErrorCode::RebalanceInProgress => {
                self.rejoin(
                    pen,
                    "offset commit failed since group is already rebalancing",
                );
            }
            ErrorCode::UnknownMemberId | ErrorCode::IllegalGeneration => {
                let text = format!("OffsetCommit failed with {sent}: {message}");
                self.info(pen, COORDINATOR, text);
                if sent == self.generation || !self.is_preparing {
                    self.reset_on_error(pen, "OFFSET_COMMIT", error);
                }
            }
            _ => {}
        }
    }

    pub(super) fn commit_finished(
        &mut self,
        kind: CommitKind,
        error: Option<&Exception>,
        pen: &mut Pen<'_>,
    ) {
        // One that no request took up ends at once; the others in the order in which they were sent.
        let local = self.commits.iter().rposition(|(_, is_sent)| !is_sent);
        let place = local.unwrap_or(0);
        if place >= self.commits.len() {
            return;
        }
        let (offsets, is_sent) = self.commits.remove(place);
        self.last_commit = (offsets.clone(), is_sent);
        let Some(error) = error else { return };
        if !is_sent
            && matches!(
                error,
                Exception::CommitFailed | Exception::RebalanceInProgress
            )
        {
            let text =
                "Failing OffsetCommit request since the consumer is not part of an active group";
            self.info(pen, COORDINATOR, text.to_owned());
        }
        let is_retriable = matches!(error, Exception::Kafka(code) if code.is_retriable());
        let (class, message) = match kind {
            CommitKind::Async if is_retriable => (
                "org.apache.kafka.clients.consumer.RetriableCommitFailedException".to_owned(),
                "Offset commit failed with a retriable exception. You should retry committing the latest \
                 consumed offsets."
                    .to_owned(),
            ),
            _ => java_exception(error, !is_sent),
        };
        match kind {
            // At level DEBUG: it is tried again.
            CommitKind::Auto if is_retriable => {}
            CommitKind::Auto => {
                let text =
                    format!("Asynchronous auto-commit of offsets {offsets} failed: {message}");
                self.log(pen, LogLevel::Warn, COORDINATOR, text);
            }
            CommitKind::Async if !pen.who.has_commit_callback => {
                let text =
                    format!("Offset commit with offsets {offsets} failed\n{class}: {message}");
                self.log(pen, LogLevel::Error, COORDINATOR, text);
            }
            // The callback, or the call itself, tells the application.
            CommitKind::Async | CommitKind::Sync => {}
        }
    }

    /// What a program has in its own log when a call throws.
    pub(super) fn thrown(&self, exception: &Exception, pen: &mut Pen<'_>) {
        let (offsets, is_sent) = &self.last_commit;
        let (class, message) = match exception {
            Exception::Timeout if !offsets.is_empty() => (
                "org.apache.kafka.common.errors.TimeoutException".to_owned(),
                format!(
                    "Timeout of {}ms expired before successfully committing offsets {offsets}",
                    pen.who.api_timeout_ms
                ),
            ),
            exception => java_exception(exception, !is_sent),
        };
        self.log(pen, LogLevel::Error, PROGRAM, format!("{class}: {message}"));
    }
}

/// The offset that a request commits for a partition.
fn offset_of(commit: &OffsetCommitRequest, partition: &TopicPartition) -> Offset {
    let topics = commit
        .topics
        .iter()
        .filter(|topic| topic.name == partition.topic);
    let mut partitions = topics.flat_map(|topic| &topic.partitions);
    let found = partitions.find(|one| one.partition_index == partition.partition);
    found.map_or(Offset(-1), |one| one.committed_offset)
}
