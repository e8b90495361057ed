//! The application's side: from a record to its place in the accumulator (`KafkaProducer.doSend`).

use super::accumulator::{Accumulated, BufferExhausted};
use super::partitioner::Choice;
use super::{
    Blocked, BlockedOn, PartitionerKind, Producer, ProducerAction, ProducerEvent, ProducerRecord,
    ProducerSettings, ProducerTimer,
};
use crate::kafka::client::ClientAction;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Exception, FactKind};
use crate::kafka::ids::TopicPartition;
use crate::kafka::journal::Journal;
use crate::kafka::time::{Duration, Instant};

/// Whether the sender has to look at a record now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Woken {
    Yes,
    No,
}

/// Why a record is not taken.
pub(super) enum Obstacle {
    /// Not now.
    Blocked(BlockedOn),
    /// Never.
    Refused(Exception),
}

impl Producer {
    /// Tries the blocked call again.
    pub(super) fn retry_blocked(&mut self, journal: &mut Journal, out: &mut Vec<ProducerAction>) {
        let Some(Blocked { record, .. }) = self.blocked.take() else {
            return;
        };
        match self.accumulate(&record, journal) {
            Ok(_) => {
                self.timers.cancel(&ProducerTimer::MaxBlock);
                out.push(ClientAction::Event(ProducerEvent::Unblocked));
            }
            Err(Obstacle::Refused(exception)) => self.fail_send(exception, journal, out),
            Err(Obstacle::Blocked(on)) => self.blocked = Some(Blocked { record, on }),
        }
    }

    pub(super) fn fail_send(
        &mut self,
        exception: Exception,
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        self.blocked = None;
        self.timers.cancel(&ProducerTimer::MaxBlock);
        journal.note(FactKind::Thrown {
            actor: self.settings.actor.clone(),
            process: self.settings.process,
            exception: exception.clone(),
        });
        out.push(ClientAction::Event(ProducerEvent::SendFailed(exception)));
    }

    /// Puts a record into the accumulator.
    pub(super) fn accumulate(
        &mut self,
        record: &ProducerRecord,
        journal: &mut Journal,
    ) -> Result<Woken, Obstacle> {
        let topic = self.metadata.topic(&record.topic);
        let topic = topic.ok_or(Obstacle::Blocked(BlockedOn::Metadata))?;
        if record
            .partition
            .is_some_and(|number| number >= topic.partition_count())
        {
            self.metadata.update_requested = true;
            return Err(Obstacle::Blocked(BlockedOn::Metadata));
        }
        let config = &self.settings.config;
        let bytes = i64::from(record.bytes_upper_bound());
        if bytes > i64::from(config.max_request_size) || bytes > config.buffer_memory {
            let too_large = Exception::Kafka(ErrorCode::MessageTooLarge);
            return Err(Obstacle::Refused(too_large));
        }
        let now = journal.now();
        let timestamp_ms = record.timestamp_ms.unwrap_or(now.as_ms());
        let (partition, accumulated) = self
            .place(record, timestamp_ms, now)
            .map_err(|BufferExhausted| Obstacle::Blocked(BlockedOn::Memory))?;
        if let Some(batch) = accumulated.new_batch {
            let timeout = Duration::from_ms(i64::from(config_delivery_timeout(&self.settings)));
            let timer = ProducerTimer::Delivery(batch);
            self.timers.set(timer, now + timeout, journal);
        }
        journal.note(FactKind::RecordAccumulated {
            actor: self.settings.actor.clone(),
            partition,
            key: record.key.clone(),
        });
        Ok(match accumulated.wakes_sender {
            true => Woken::Yes,
            false => Woken::No,
        })
    }

    /// Chooses the partition and appends (`RecordAccumulator.append`).
    fn place(
        &mut self,
        record: &ProducerRecord,
        timestamp_ms: i64,
        now: Instant,
    ) -> Result<(TopicPartition, Accumulated), BufferExhausted> {
        let Self {
            settings,
            accumulator,
            spreads,
            metadata,
            partition_chance: chance,
            ..
        } = self;
        let topic = metadata.topic(&record.topic).ok_or(BufferExhausted)?;
        let spread = spreads.entry(record.topic.clone()).or_default();
        let choice = match record.partition {
            Some(partition) => Choice::Fixed(partition),
            None => spread.choose(settings.partitioner, record.key.as_ref(), topic, chance),
        };
        let on = |number| TopicPartition::new(record.topic.clone(), number);
        let partition = on(choice.partition());
        match choice {
            Choice::Fixed(_) => {
                let appended = accumulator.append(&partition, record, timestamp_ms, now)?;
                Ok((partition, appended))
            }
            Choice::Sticky(_) => {
                if let Some(appended) = accumulator.append_to_open(&partition, record, timestamp_ms)
                {
                    return Ok((partition, appended));
                }
                let partition = on(spread.new_batch(topic, chance));
                let appended = accumulator.append(&partition, record, timestamp_ms, now)?;
                Ok((partition, appended))
            }
            Choice::BuiltIn(_) => {
                let batch_size = accumulator.batch_size();
                let mut partition = partition;
                // Once before the append, and once more if the open batch had no room and is full now.
                for _ in 0..2 {
                    if accumulator.is_last_full(&partition) {
                        spread.appended(0, true, batch_size, topic, chance);
                        let kind = PartitionerKind::BuiltIn;
                        partition = on(spread.choose(kind, None, topic, chance).partition());
                    }
                    let open = accumulator.append_to_open(&partition, record, timestamp_ms);
                    if let Some(appended) = open {
                        let full = appended.is_last_full;
                        spread.appended(appended.bytes, full, batch_size, topic, chance);
                        return Ok((partition, appended));
                    }
                }
                let appended = accumulator.append(&partition, record, timestamp_ms, now)?;
                let full = appended.is_last_full;
                spread.appended(appended.bytes, full, batch_size, topic, chance);
                Ok((partition, appended))
            }
        }
    }
}

/// `delivery.timeout.ms`, but at least `linger.ms` + `request.timeout.ms` (spec/01, constraint 6).
fn config_delivery_timeout(settings: &ProducerSettings) -> i32 {
    let config = &settings.config;
    let linger_ms = i32::try_from(config.linger_ms).unwrap_or(i32::MAX);
    let least_ms = linger_ms.saturating_add(config.request_timeout_ms);
    config.delivery_timeout_ms.max(least_ms)
}
