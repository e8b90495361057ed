//! A piece of a log (class `LogSegment`): batches by offset and by time, and when it is full.

use crate::kafka::config::TopicConfig;
use crate::kafka::ids::Offset;
use crate::kafka::record::RecordBatch;
use crate::kafka::time::Instant;
use std::rc::Rc;

/// Batches of a chunk. A clone of the log shares all chunks; the first append after it copies one.
const CHUNK_BATCHES: usize = 64;

#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub base_offset: Offset,
    pub size_bytes: i64,
    /// Largest timestamp of the first batch: from it the age is counted.
    rolling_timestamp_ms: Option<i64>,
    pub max_timestamp_ms: i64,
    chunks: Vec<Rc<Chunk>>,
}

#[derive(Clone, Debug)]
struct Chunk {
    /// Never empty.
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Bytes before this batch in its segment.
    position_bytes: i64,
    /// Largest timestamp in the segment up to and including this batch.
    max_timestamp_so_far_ms: i64,
    /// Of the batch: kept here, so that a search need not look into every batch.
    last_offset: Offset,
    pub batch: Rc<RecordBatch>,
}

/// Place of a batch in a segment. One past the last batch: the segment's end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    chunk: usize,
    entry: usize,
}

/// A record found by its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimestampAndOffset {
    /// Its timestamp, ms.
    pub timestamp_ms: i64,
    /// Its offset.
    pub offset: Offset,
    /// Epoch of the leader that appended it.
    pub leader_epoch: i32,
}

impl Segment {
    pub fn new(base_offset: Offset) -> Self {
        Self {
            base_offset,
            size_bytes: 0,
            rolling_timestamp_ms: None,
            max_timestamp_ms: -1,
            chunks: Vec::new(),
        }
    }

    /// `LogSegment.shouldRoll`. The age is the time between the first batch and the incoming one.
    pub fn should_roll(&self, incoming: &RecordBatch, config: &TopicConfig) -> bool {
        let size = self.size_bytes + i64::from(incoming.size_bytes);
        let too_large = size > i64::from(config.segment_bytes) && self.size_bytes > 0;
        let too_old = self
            .rolling_timestamp_ms
            .is_some_and(|first| incoming.max_timestamp.saturating_sub(first) > config.segment_ms);
        let relative = incoming.last_offset().0 - self.base_offset.0;
        too_large || too_old || (self.size_bytes > 0 && relative > i64::from(i32::MAX))
    }

    pub fn push(&mut self, batch: Rc<RecordBatch>) {
        self.rolling_timestamp_ms.get_or_insert(batch.max_timestamp);
        self.max_timestamp_ms = self.max_timestamp_ms.max(batch.max_timestamp);
        let entry = Entry {
            position_bytes: self.size_bytes,
            max_timestamp_so_far_ms: self.max_timestamp_ms,
            last_offset: batch.last_offset(),
            batch,
        };
        self.size_bytes += i64::from(entry.batch.size_bytes);
        match self.chunks.last_mut() {
            Some(chunk) if chunk.entries.len() < CHUNK_BATCHES => {
                Rc::make_mut(chunk).entries.push(entry);
            }
            _ => {
                let mut entries = Vec::with_capacity(CHUNK_BATCHES);
                entries.push(entry);
                self.chunks.push(Rc::new(Chunk { entries }));
            }
        }
    }

    /// ms since the largest timestamp in it. An empty segment has no age.
    pub fn age_ms(&self, now: Instant) -> i64 {
        match self.rolling_timestamp_ms {
            Some(_) => now.as_ms().saturating_sub(self.max_timestamp_ms),
            None => 0,
        }
    }

    /// The first batch that ends at or above `offset`.
    pub fn place_of(&self, offset: Offset) -> Place {
        let is_before = |entry: &Entry| entry.last_offset < offset;
        let Some((newest, older)) = self.chunks.split_last() else {
            return Place { chunk: 0, entry: 0 };
        };
        // Who keeps up reads at the end.
        let (chunk, found) = match older.last() {
            Some(last) if !is_before(last.last()) => {
                let place = older.partition_point(|chunk| is_before(chunk.last()));
                (place, older.get(place).unwrap_or(newest))
            }
            _ => (older.len(), newest),
        };
        if is_before(found.last()) {
            return Place {
                chunk: self.chunks.len(),
                entry: 0,
            };
        }
        Place {
            chunk,
            entry: found.entries.partition_point(is_before),
        }
    }

    pub fn position_of(&self, place: Place) -> i64 {
        let chunk = self.chunks.get(place.chunk);
        let entry = chunk.and_then(|chunk| chunk.entries.get(place.entry));
        entry.map_or(self.size_bytes, |entry| entry.position_bytes)
    }

    /// Whether a place is behind the last batch.
    pub fn is_end(&self, place: Place) -> bool {
        place.chunk >= self.chunks.len()
    }

    pub fn entries_from(&self, place: Place) -> impl Iterator<Item = &Entry> {
        let first = self.chunks.get(place.chunk);
        let first = first.and_then(|chunk| chunk.entries.get(place.entry..));
        let rest = self.chunks.iter().skip(place.chunk + 1);
        let rest = rest.flat_map(|chunk| &chunk.entries);
        first.unwrap_or_default().iter().chain(rest)
    }

    pub fn first_at_or_after(
        &self,
        timestamp_ms: i64,
        start: Offset,
    ) -> Option<TimestampAndOffset> {
        let chunk = self
            .chunks
            .partition_point(|chunk| chunk.last().max_timestamp_so_far_ms < timestamp_ms);
        let entries = &self.chunks.get(chunk)?.entries;
        let entry = entries.partition_point(|entry| entry.max_timestamp_so_far_ms < timestamp_ms);
        let by_time = Place { chunk, entry };
        let by_offset = self.place_of(start);
        let later = |a: Place, b: Place| (a.chunk, a.entry) > (b.chunk, b.entry);
        let place = if later(by_offset, by_time) {
            by_offset
        } else {
            by_time
        };
        let mut entries = self.entries_from(place);
        entries.find_map(|entry| record_at_or_after(&entry.batch, timestamp_ms, start))
    }
}

impl Chunk {
    fn last(&self) -> &Entry {
        self.entries.last().expect("a chunk is never empty")
    }
}

impl Entry {
    pub fn end_bytes(&self) -> i64 {
        self.position_bytes + i64::from(self.batch.size_bytes)
    }
}

fn record_at_or_after(
    batch: &RecordBatch,
    timestamp_ms: i64,
    start: Offset,
) -> Option<TimestampAndOffset> {
    if batch.max_timestamp < timestamp_ms {
        return None;
    }
    let mut records = batch.records.iter().map(|record| TimestampAndOffset {
        timestamp_ms: batch.base_timestamp + record.timestamp_delta,
        offset: Offset(batch.base_offset.0 + i64::from(record.offset_delta)),
        leader_epoch: batch.partition_leader_epoch,
    });
    records.find(|found| found.timestamp_ms >= timestamp_ms && found.offset >= start)
}
