//! How tries end: answers, lost connections, timeouts (`Sender.completeBatch`, `NetworkClient`).

use super::batch::Batch;
use super::metadata::is_stale;
use super::sender::Kind;
use super::{BatchWait, Producer, ProducerAction, ProducerEvent, ProducerTimer};
use crate::kafka::api::{PartitionProduceResponse, Response};
use crate::kafka::client::ClientAction;
use crate::kafka::client::handshake::Link;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::FactKind;
use crate::kafka::ids::{BrokerId, Offset, TopicPartition};
use crate::kafka::journal::Journal;
use crate::kafka::time::Duration;

impl Producer {
    /// An answer came. One that nobody waits for any more says nothing.
    pub(super) fn answered(
        &mut self,
        from: BrokerId,
        correlation_id: i32,
        response: Response,
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        let Some(node) = self.nodes.get_mut(&from) else {
            return;
        };
        let mut in_flight = node.in_flight.iter();
        let place = in_flight.position(|request| request.correlation_id == correlation_id);
        let Some(request) = place.and_then(|place| node.in_flight.remove(place)) else {
            return;
        };
        (node.failures, node.ready_at) = (0, None);
        self.timers.cancel(&ProducerTimer::Reconnect(from));
        self.timers
            .cancel(&ProducerTimer::Request(from, correlation_id));
        match (request.kind, response) {
            (Kind::ApiVersions(asked), Response::ApiVersions(answer)) => {
                self.on_api_versions(from, asked, answer, journal, out);
            }
            (Kind::Produce { batches, .. }, Response::Produce(response)) => {
                let topics = response.responses.into_iter();
                let results: Vec<_> = topics
                    .flat_map(|topic| {
                        let name = topic.name;
                        let partitions = topic.partition_responses.into_iter();
                        partitions
                            .map(move |data| (TopicPartition::new(name.clone(), data.index), data))
                    })
                    .collect();
                self.produced(batches, &results, journal, out);
            }
            (Kind::Metadata, Response::Metadata(response)) => {
                self.metadata.in_flight = false;
                self.metadata_refreshed_at = Some(journal.now());
                self.metadata.update(&response);
                let max_age = Duration::from_ms(self.settings.config.metadata_max_age_ms);
                let at = journal.now() + max_age;
                self.timers.set(ProducerTimer::MetadataMaxAge, at, journal);
            }
            (kind, _) => self.unanswered(kind, ErrorCode::UnknownServerError, journal, out),
        }
    }

    fn produced(
        &mut self,
        batches: Vec<Batch>,
        results: &[(TopicPartition, PartitionProduceResponse)],
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        for (partition, _) in results {
            self.muted.remove(partition);
        }
        for batch in batches {
            let mut results = results.iter();
            let result = results.find(|(partition, _)| *partition == batch.partition);
            match result {
                Some((_, data)) if data.error_code.is_none() => {
                    self.acknowledge(batch, data.base_offset, journal, out);
                }
                Some((_, data)) => self.failed_try(batch, data.error_code, journal, out),
                None => self.failed_try(batch, ErrorCode::UnknownServerError, journal, out),
            }
        }
    }

    /// A connection is lost, or given up: every request on it has failed with `error`. The oldest is put
    /// back first, and the next in front of it: without idempotence Kafka's order is lost here, too.
    pub(super) fn lost_connection(
        &mut self,
        broker: BrokerId,
        error: ErrorCode,
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        let config = &self.settings.config;
        let (first, most) = (config.reconnect_backoff_ms, config.reconnect_backoff_max_ms);
        let failures = self.nodes.get(&broker).map_or(0, |node| node.failures);
        let pause = self.pause(first, most, failures);
        let at = journal.now() + pause;
        let node = self.nodes.entry(broker).or_default();
        node.failures = node.failures.saturating_add(1);
        node.ready_at = Some(at);
        node.link = Link::Closed;
        let lost = std::mem::take(&mut node.in_flight);
        self.timers
            .set(ProducerTimer::Reconnect(broker), at, journal);
        self.metadata.update_requested = true;
        for request in lost {
            let timer = ProducerTimer::Request(broker, request.correlation_id);
            self.timers.cancel(&timer);
            self.unanswered(request.kind, error, journal, out);
        }
    }

    /// A request has ended without a usable answer.
    fn unanswered(
        &mut self,
        kind: Kind,
        error: ErrorCode,
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        match kind {
            Kind::ApiVersions(_) => {}
            Kind::Metadata => {
                self.metadata.in_flight = false;
                self.metadata_refreshed_at = Some(journal.now());
                self.metadata.update_requested = true;
                self.metadata.failures = self.metadata.failures.saturating_add(1);
            }
            Kind::Produce { batches, expired } => {
                for partition in &expired {
                    self.muted.remove(partition);
                }
                for batch in batches {
                    self.muted.remove(&batch.partition);
                    self.failed_try(batch, error, journal, out);
                }
            }
        }
    }

    /// A try failed: split, try again, or give up (`Sender.completeBatch`).
    fn failed_try(
        &mut self,
        mut batch: Batch,
        error: ErrorCode,
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        let now = journal.now();
        if is_stale(error) {
            self.metadata.update_requested = true;
        }
        let retries = u32::try_from(self.settings.config.retries).unwrap_or(0);
        if error == ErrorCode::MessageTooLarge && batch.record_count() > 1 {
            let delivery = self.timers.deadline(&ProducerTimer::Delivery(batch.id));
            self.timers.cancel(&ProducerTimer::Delivery(batch.id));
            for part in self.accumulator.split(batch) {
                let timer = ProducerTimer::Delivery(part);
                self.timers.set(timer, delivery.unwrap_or(now), journal);
            }
        } else if error.is_retriable() && batch.attempts < retries {
            let config = &self.settings.config;
            let (first, most) = (config.retry_backoff_ms, config.retry_backoff_max_ms);
            let pause = self.pause(first, most, batch.attempts);
            batch.attempts += 1;
            batch.queued_at = now;
            batch.retry_at = now + pause;
            self.accumulator.push_first(batch);
        } else {
            self.give_up(batch, error, journal, out);
        }
    }

    /// `delivery.timeout.ms` of a batch is over, wherever it is. Its records may still be written.
    pub(super) fn delivery_timeout(
        &mut self,
        id: u64,
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        let waiting = self.accumulator.remove(id);
        let batch = waiting.or_else(|| {
            let requests = self.nodes.values_mut();
            requests
                .flat_map(|node| &mut node.in_flight)
                .find_map(|request| match &mut request.kind {
                    Kind::Produce { batches, expired } => {
                        let place = batches.iter().position(|batch| batch.id == id)?;
                        let batch = batches.remove(place);
                        expired.push(batch.partition.clone());
                        Some(batch)
                    }
                    Kind::Metadata | Kind::ApiVersions(_) => None,
                })
        });
        if let Some(batch) = batch {
            self.give_up(batch, ErrorCode::RequestTimedOut, journal, out);
        }
    }

    pub(super) fn acknowledge(
        &mut self,
        batch: Batch,
        base: Offset,
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        let records = self.done_with(&batch);
        let partition = batch.partition;
        journal.note(FactKind::BatchAcknowledged {
            actor: self.settings.actor.clone(),
            partition: partition.clone(),
            records,
            base,
        });
        out.push(ClientAction::Event(ProducerEvent::Acknowledged {
            partition,
            base,
            records,
        }));
    }

    fn give_up(
        &mut self,
        batch: Batch,
        error: ErrorCode,
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        let records = self.done_with(&batch);
        let partition = batch.partition;
        journal.note(FactKind::BatchFailed {
            actor: self.settings.actor.clone(),
            partition: partition.clone(),
            records,
            error,
        });
        out.push(ClientAction::Event(ProducerEvent::Failed {
            partition,
            records,
            error,
        }));
    }

    /// Ends everything about a batch. How many records it has.
    fn done_with(&mut self, batch: &Batch) -> u32 {
        self.accumulator.free(batch);
        self.timers.cancel(&ProducerTimer::Delivery(batch.id));
        for wait in [BatchWait::Linger, BatchWait::Retry] {
            self.timers.cancel(&ProducerTimer::Batch(batch.id, wait));
        }
        batch.record_count()
    }

    /// Exponential pause before try `attempt` + 1 (class `ExponentialBackoff`), ±20 % with jitter.
    fn pause(&mut self, first_ms: i64, most_ms: i64, attempt: u32) -> Duration {
        let ms = exponential_ms(first_ms, most_ms, attempt);
        let us = Duration::from_ms(ms).0;
        if !self.settings.backoff_jitter {
            return Duration(us);
        }
        // 80 % to 120 %, in thousandths.
        let thousandths = 800 + i64::from(self.backoff_chance.below(401));
        let jittered = us.saturating_mul(thousandths) / 1_000;
        Duration(jittered.min(Duration::from_ms(most_ms).0))
    }

    /// The pause between two requests for metadata. It has no jitter, so that asking twice gives the same.
    pub(super) fn metadata_pause(&self, failures: u32) -> Duration {
        let config = &self.settings.config;
        let attempt = failures.saturating_sub(1);
        let (first, most) = (config.retry_backoff_ms, config.retry_backoff_max_ms);
        Duration::from_ms(exponential_ms(first, most, attempt))
    }
}

fn exponential_ms(first_ms: i64, most_ms: i64, attempt: u32) -> i64 {
    let factor = 1_i64.checked_shl(attempt.min(62)).unwrap_or(i64::MAX);
    first_ms.saturating_mul(factor).min(most_ms).max(0)
}
