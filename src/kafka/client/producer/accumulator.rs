//! Records on their way into requests: a queue of batches per partition, within `buffer.memory` (classes
//! `RecordAccumulator`, `BufferPool`).

use super::ProducerRecord;
use super::batch::Batch;
use crate::kafka::ids::TopicPartition;
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use std::collections::VecDeque;

/// The queues.
#[derive(Clone, Debug)]
pub(super) struct Accumulator {
    batch_size: i32,
    linger: Duration,
    free_bytes: i64,
    /// No queue in it is empty.
    queues: SortedMap<TopicPartition, VecDeque<Batch>>,
    last_batch: u64,
}

/// What became of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Accumulated {
    /// Bytes that it added, a new batch's header among them.
    pub bytes: i32,
    /// Whether the partition is ready, or will be after `linger.ms` only from now on.
    pub wakes_sender: bool,
    /// The batch that was opened for it.
    pub new_batch: Option<u64>,
    /// Whether the last batch of the queue takes no more.
    pub is_last_full: bool,
}

/// The record needs a batch for which `buffer.memory` has no room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BufferExhausted;

/// Why a batch need not wait for `linger.ms`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Haste {
    /// It has to wait.
    None,
    /// `flush()` or `close()` is under way, or a `send` waits for memory.
    All,
}

impl Accumulator {
    pub fn new(batch_size: i32, linger_ms: i64, buffer_memory_bytes: i64) -> Self {
        Self {
            // 0 acts as 1: a batch per record.
            batch_size: batch_size.max(1),
            linger: Duration::from_ms(linger_ms),
            free_bytes: buffer_memory_bytes,
            queues: SortedMap::new(),
            last_batch: 0,
        }
    }

    pub fn batch_size(&self) -> i32 {
        self.batch_size
    }

    pub fn is_empty(&self) -> bool {
        self.queues.is_empty()
    }

    pub fn free_bytes(&self) -> i64 {
        self.free_bytes
    }

    pub fn queues(&self) -> &SortedMap<TopicPartition, VecDeque<Batch>> {
        &self.queues
    }

    pub fn queues_mut(&mut self) -> impl Iterator<Item = (&TopicPartition, &mut VecDeque<Batch>)> {
        self.queues.iter_mut()
    }

    /// Whether the last batch of a partition takes no more. True of an empty queue.
    pub fn is_last_full(&self, partition: &TopicPartition) -> bool {
        let last = self.queues.get(partition).and_then(VecDeque::back);
        last.is_none_or(Batch::is_full)
    }

    /// Puts a record into the partition's last batch. If it does not fit, the batch takes no more.
    pub fn append_to_open(
        &mut self,
        partition: &TopicPartition,
        record: &ProducerRecord,
        timestamp_ms: i64,
    ) -> Option<Accumulated> {
        let queue = self.queues.get_mut(partition)?;
        let last = queue.back_mut()?;
        let Some(bytes) = last.try_append(record, timestamp_ms) else {
            last.close();
            return None;
        };
        let is_last_full = last.is_full();
        Some(Accumulated {
            bytes,
            wakes_sender: queue.len() > 1 || is_last_full,
            new_batch: None,
            is_last_full,
        })
    }

    /// Puts a record into the partition's last batch, or into a new one.
    pub fn append(
        &mut self,
        partition: &TopicPartition,
        record: &ProducerRecord,
        timestamp_ms: i64,
        now: Instant,
    ) -> Result<Accumulated, BufferExhausted> {
        if let Some(accumulated) = self.append_to_open(partition, record, timestamp_ms) {
            return Ok(accumulated);
        }
        let needed = record.bytes_upper_bound();
        let id = self.last_batch + 1;
        let mut batch = Batch::new(id, partition.clone(), needed, self.batch_size, now);
        if batch.buffer_bytes > self.free_bytes {
            return Err(BufferExhausted);
        }
        self.last_batch = id;
        self.free_bytes -= batch.buffer_bytes;
        batch.try_append(record, timestamp_ms);
        let accumulated = Accumulated {
            bytes: batch.size_bytes(),
            wakes_sender: true,
            new_batch: Some(id),
            is_last_full: batch.is_full(),
        };
        self.queue(partition).push_back(batch);
        Ok(accumulated)
    }

    /// Whether the partition's first batch may go, and when it may by `linger.ms` alone
    /// (`RecordAccumulator.batchReady`).
    pub fn readiness(&self, queue: &VecDeque<Batch>, haste: Haste, now: Instant) -> Readiness {
        let Some(first) = queue.front() else {
            return Readiness::Waits(None);
        };
        if first.is_backing_off(now) {
            return Readiness::Waits(Some(first.retry_at));
        }
        let lingered = first.queued_at + self.linger;
        let is_full = queue.len() > 1 || first.is_full();
        if is_full || now >= lingered || haste == Haste::All {
            Readiness::Ready
        } else {
            Readiness::Waits(Some(lingered))
        }
    }

    /// Takes out the first batch of a partition.
    pub fn pop_first(&mut self, partition: &TopicPartition) -> Option<Batch> {
        let queue = self.queues.get_mut(partition)?;
        let batch = queue.pop_front();
        if queue.is_empty() {
            self.queues.remove(partition);
        }
        batch
    }

    /// Puts a batch that is to be tried again in front of the others.
    pub fn push_first(&mut self, batch: Batch) {
        let partition = batch.partition.clone();
        self.queue(&partition).push_front(batch);
    }

    /// Splits a batch that the broker found too large, and puts the parts in front of the others.
    pub fn split(&mut self, batch: Batch) -> Vec<u64> {
        self.free(&batch);
        let partition = batch.partition.clone();
        let last_batch = &mut self.last_batch;
        let parts = batch.split(self.batch_size, || {
            *last_batch += 1;
            *last_batch
        });
        let ids = parts.iter().map(|part| part.id).collect();
        for part in parts.into_iter().rev() {
            self.queue(&partition).push_front(part);
        }
        ids
    }

    /// Takes out a batch that has waited for too long.
    pub fn remove(&mut self, id: u64) -> Option<Batch> {
        let (partition, place) = self.queues.iter().find_map(|(partition, queue)| {
            let place = queue.iter().position(|batch| batch.id == id)?;
            Some((partition.clone(), place))
        })?;
        let queue = self.queues.get_mut(&partition)?;
        let batch = queue.remove(place);
        if queue.is_empty() {
            self.queues.remove(&partition);
        }
        batch
    }

    /// Gives back the memory of a batch that is done with.
    pub fn free(&mut self, batch: &Batch) {
        self.free_bytes += batch.buffer_bytes;
    }

    fn queue(&mut self, partition: &TopicPartition) -> &mut VecDeque<Batch> {
        if !self.queues.contains_key(partition) {
            self.queues.insert(partition.clone(), VecDeque::new());
        }
        self.queues
            .get_mut(partition)
            .expect("it was put there if it was missing")
    }
}

/// Whether a partition's first batch may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Readiness {
    /// Now.
    Ready,
    /// Not before this instant, unless something else happens.
    Waits(Option<Instant>),
}
