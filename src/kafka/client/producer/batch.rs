//! A batch that is being filled, sent, and tried again (class `ProducerBatch`).

use super::ProducerRecord;
use crate::kafka::ids::{Bytes, Offset, TopicPartition};
use crate::kafka::record::{BATCH_OVERHEAD_BYTES, Record, RecordBatch, record_bytes, varint_bytes};
use crate::kafka::time::Instant;
use std::collections::VecDeque;
use std::rc::Rc;

/// Largest overhead of a record beside key, value and headers (`DefaultRecord.MAX_RECORD_OVERHEAD`).
const MAX_RECORD_OVERHEAD_BYTES: i32 = 21;

/// Records of one partition that travel together.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub id: u64,
    pub partition: TopicPartition,
    pub created_at: Instant,
    /// When it was last put into the queue: creation, or the end of a try.
    pub queued_at: Instant,
    /// Tries that came to an end.
    pub attempts: u32,
    /// When the present pause between two tries is over.
    pub retry_at: Instant,
    /// What it takes of `buffer.memory`.
    pub buffer_bytes: i64,
    contents: Contents,
    size_bytes: i32,
    /// It is full when it has this size.
    capacity_bytes: i32,
    /// Upper bound of its largest record's batch.
    record_bytes_max: i32,
    is_split: bool,
    leader_epoch: i32,
    attempts_when_leader_changed: u32,
}

#[derive(Clone, Debug)]
enum Contents {
    Open(Vec<Record>, Timestamps),
    Closed(Rc<RecordBatch>),
}

#[derive(Clone, Copy, Debug)]
struct Timestamps {
    base_ms: i64,
    max_ms: i64,
}

impl Batch {
    /// An empty batch, with room for at least one record of `needed_bytes`.
    pub fn new(
        id: u64,
        partition: TopicPartition,
        needed_bytes: i32,
        batch_size: i32,
        now: Instant,
    ) -> Self {
        let capacity_bytes = needed_bytes.max(batch_size);
        Self {
            id,
            partition,
            created_at: now,
            queued_at: now,
            attempts: 0,
            retry_at: now,
            buffer_bytes: i64::from(capacity_bytes),
            contents: Contents::Open(
                Vec::new(),
                Timestamps {
                    base_ms: 0,
                    max_ms: -1,
                },
            ),
            size_bytes: BATCH_OVERHEAD_BYTES,
            capacity_bytes,
            record_bytes_max: 0,
            is_split: false,
            leader_epoch: -1,
            attempts_when_leader_changed: 0,
        }
    }

    /// Bytes that the record added, or `None` if it does not fit.
    pub fn try_append(&mut self, record: &ProducerRecord, timestamp_ms: i64) -> Option<i32> {
        let Contents::Open(records, timestamps) = &mut self.contents else {
            return None;
        };
        if records.is_empty() {
            timestamps.base_ms = timestamp_ms;
        }
        let record = Record {
            timestamp_delta: timestamp_ms.saturating_sub(timestamps.base_ms),
            offset_delta: i32::try_from(records.len()).ok()?,
            key: record.key.clone(),
            value: record.value.clone(),
            headers: record.headers.clone(),
        };
        let bytes = record_bytes(&record);
        if !records.is_empty() && self.size_bytes.saturating_add(bytes) > self.capacity_bytes {
            return None;
        }
        timestamps.max_ms = timestamps.max_ms.max(timestamp_ms);
        self.size_bytes = self.size_bytes.saturating_add(bytes);
        self.record_bytes_max = self.record_bytes_max.max(bytes_upper_bound(
            record.key.as_ref(),
            record.value.as_ref(),
            &record.headers,
        ));
        records.push(record);
        Some(bytes)
    }

    /// Takes no more records. Its bytes are final.
    pub fn close(&mut self) -> &Rc<RecordBatch> {
        if let Contents::Open(records, timestamps) = &mut self.contents {
            let records: Rc<[Record]> = std::mem::take(records).into();
            let last = records.last().map_or(0, |record| record.offset_delta);
            let batch = RecordBatch {
                base_offset: Offset(0),
                partition_leader_epoch: -1,
                attributes: 0,
                last_offset_delta: last,
                base_timestamp: timestamps.base_ms,
                max_timestamp: timestamps.max_ms,
                producer_id: -1,
                producer_epoch: -1,
                base_sequence: -1,
                records,
                size_bytes: self.size_bytes,
            };
            self.contents = Contents::Closed(Rc::new(batch));
        }
        match &self.contents {
            Contents::Closed(batch) => batch,
            Contents::Open(..) => unreachable!("it has just been closed"),
        }
    }

    pub fn is_full(&self) -> bool {
        match &self.contents {
            Contents::Open(records, _) => {
                !records.is_empty() && self.capacity_bytes <= self.size_bytes
            }
            Contents::Closed(_) => true,
        }
    }

    pub fn record_count(&self) -> u32 {
        let count = match &self.contents {
            Contents::Open(records, _) => records.len(),
            Contents::Closed(batch) => batch.records.len(),
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    pub fn size_bytes(&self) -> i32 {
        self.size_bytes
    }

    /// Notes the leader's epoch. A try at a newer leader needs no pause before it (KIP-951).
    pub fn note_leader_epoch(&mut self, epoch: i32) {
        if epoch > self.leader_epoch {
            self.leader_epoch = epoch;
            self.attempts_when_leader_changed = self.attempts;
        }
    }

    /// Whether it has to wait before the next try.
    pub fn is_backing_off(&self, now: Instant) -> bool {
        let leader_changed = self.attempts == self.attempts_when_leader_changed;
        self.attempts > 0 && !leader_changed && now < self.retry_at
    }

    /// Splits a batch that the broker found too large. The parts keep its age and are not limited by
    /// `buffer.memory`. `next_id` numbers them.
    pub fn split(mut self, batch_size: i32, mut next_id: impl FnMut() -> u64) -> VecDeque<Batch> {
        let target_bytes = match self.is_split {
            true => self.record_bytes_max.max(self.size_bytes / 2),
            false => batch_size,
        };
        let whole = Rc::clone(self.close());
        let mut parts: VecDeque<Batch> = VecDeque::new();
        for record in whole.records.iter() {
            let timestamp_ms = whole.base_timestamp.saturating_add(record.timestamp_delta);
            let record = ProducerRecord {
                topic: self.partition.topic.clone(),
                partition: Some(self.partition.partition),
                timestamp_ms: Some(timestamp_ms),
                key: record.key.clone(),
                value: record.value.clone(),
                headers: record.headers.clone(),
            };
            let last = parts.back_mut();
            if last.is_some_and(|last| last.try_append(&record, timestamp_ms).is_some()) {
                continue;
            }
            let (partition, created_at) = (self.partition.clone(), self.created_at);
            let needed = record.bytes_upper_bound();
            let mut part = Batch::new(next_id(), partition, needed, target_bytes, created_at);
            (part.is_split, part.buffer_bytes) = (true, 0);
            part.try_append(&record, timestamp_ms);
            parts.push_back(part);
        }
        for part in &mut parts {
            part.close();
        }
        parts
    }
}

impl ProducerRecord {
    /// Most that a batch with this record alone can take
    /// (`DefaultRecordBatch.estimateBatchSizeUpperBound`).
    pub(super) fn bytes_upper_bound(&self) -> i32 {
        bytes_upper_bound(self.key.as_ref(), self.value.as_ref(), &self.headers)
    }
}

fn bytes_upper_bound(
    key: Option<&Bytes>,
    value: Option<&Bytes>,
    headers: &[(Rc<str>, Option<Bytes>)],
) -> i32 {
    let field = |bytes: Option<&Bytes>| match bytes {
        Some(bytes) => text_bytes(bytes.len()),
        None => varint_bytes(-1),
    };
    let headers_bytes: i32 = headers
        .iter()
        .map(|(name, value)| text_bytes(name.len()).saturating_add(field(value.as_ref())))
        .fold(0, i32::saturating_add);
    let count = i64::try_from(headers.len()).unwrap_or(i64::MAX);
    [field(value), varint_bytes(count), headers_bytes]
        .into_iter()
        .fold(field(key), i32::saturating_add)
        .saturating_add(BATCH_OVERHEAD_BYTES + MAX_RECORD_OVERHEAD_BYTES)
}

/// Bytes of a text of `length` bytes with its length in front.
fn text_bytes(length: usize) -> i32 {
    let length = i32::try_from(length).unwrap_or(i32::MAX);
    length.saturating_add(varint_bytes(i64::from(length)))
}
