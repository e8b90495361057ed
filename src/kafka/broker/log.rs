//! The log of one partition (classes `UnifiedLog`, `LocalLog`, `LogSegment`).
//!
//! Batches in segments, three offsets that are kept apart: log start ≤ high watermark ≤ log end. Who may
//! read how far, and what moves the high watermark, is decided by the callers. Batches lie in chunks behind
//! `Rc`, so that a clone of a log with 100,000s of batches costs a few hundred counters.
//!
//! Left out: compaction, transactions (the last stable offset is the high watermark), index files (a segment
//! is never rolled because its index is full), checking of timestamps against the broker's clock.

mod segment;

pub use segment::TimestampAndOffset;

use crate::kafka::config::TopicConfig;
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::Offset;
use crate::kafka::record::RecordBatch;
use crate::kafka::time::Instant;
use segment::{Place, Segment};
use std::rc::Rc;

/// The log of one partition.
#[derive(Clone, Debug)]
pub struct PartitionLog {
    log_start: Offset,
    high_watermark: Offset,
    log_end: Offset,
    size_bytes: i64,
    /// Oldest first; the last is the active one. Never empty.
    segments: Vec<Rc<Segment>>,
}

/// A log that exists before the scenario begins.
#[derive(Clone, PartialEq, Debug)]
pub struct LogPreset {
    /// First offset that still exists.
    pub log_start: Offset,
    /// `None`: the log's end.
    pub high_watermark: Option<Offset>,
    /// In the order of their offsets; there may be gaps.
    pub batches: Vec<Rc<RecordBatch>>,
}

/// What an append did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Appended {
    /// Offset of the first record.
    pub base: Offset,
    /// The new log end.
    pub next: Offset,
    /// Largest timestamp, ms.
    pub max_timestamp_ms: i64,
}

/// What a read found.
#[derive(Clone, PartialEq, Debug)]
pub struct Read {
    /// Whole batches, the first of which contains the offset or follows it.
    pub batches: Vec<Rc<RecordBatch>>,
    /// Bytes that count against the limits. Kafka cuts the file at the limit, and the piece of a batch that
    /// comes with it counts too, though the client drops it.
    pub size_bytes: i64,
    /// Where the first batch lies, or would.
    pub start: LogPosition,
}

/// A place in the log in terms of files (class `LogOffsetMetadata`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LogPosition {
    /// Base offset of the segment.
    pub segment_base: Offset,
    /// Bytes before it in the segment.
    pub position_bytes: i64,
}

impl PartitionLog {
    /// An empty log whose first record gets offset `start`.
    pub fn new(start: Offset) -> Self {
        Self {
            log_start: start,
            high_watermark: start,
            log_end: start,
            size_bytes: 0,
            segments: vec![Rc::new(Segment::new(start))],
        }
    }

    /// A log with contents. A batch that overlaps its predecessor is moved behind it.
    pub fn from_preset(preset: LogPreset, config: &TopicConfig) -> Self {
        let first = preset.batches.first().map(|batch| batch.base_offset);
        let mut log =
            Self::new(first.map_or(preset.log_start, |first| first.min(preset.log_start)));
        for batch in preset.batches {
            log.log_end = log.log_end.max(batch.base_offset);
            let epoch = batch.partition_leader_epoch;
            log.append(&batch, epoch, config);
        }
        log.log_end = log.log_end.max(preset.log_start);
        log.log_start = preset.log_start;
        let high_watermark = preset.high_watermark.unwrap_or(log.log_end);
        log.high_watermark = high_watermark.clamp(log.log_start, log.log_end);
        log
    }

    /// First offset that still exists.
    pub fn log_start(&self) -> Offset {
        self.log_start
    }

    /// First offset that consumers may not read.
    pub fn high_watermark(&self) -> Offset {
        self.high_watermark
    }

    /// First offset of an open transaction, or the high watermark. There are no transactions yet.
    pub fn last_stable_offset(&self) -> Offset {
        self.high_watermark
    }

    /// Offset that the next record gets.
    pub fn log_end(&self) -> Offset {
        self.log_end
    }

    /// Bytes of all segments, those before the log start included.
    pub fn size_bytes(&self) -> i64 {
        self.size_bytes
    }

    /// Base offsets of the segments, oldest first.
    pub fn segment_bases(&self) -> impl Iterator<Item = Offset> {
        self.segments.iter().map(|segment| segment.base_offset)
    }

    /// The batches that contain or follow `from`, up to the log end, one by one.
    pub fn batches_from(&self, from: Offset) -> impl Iterator<Item = &Rc<RecordBatch>> {
        let from = from.max(self.log_start);
        let first = self.segment_of(from);
        self.segments.iter().skip(first).flat_map(move |segment| {
            let place = segment.place_of(from);
            segment.entries_from(place).map(|entry| &entry.batch)
        })
    }

    /// Appends a batch at the log end and gives it its offsets. Rolls a new segment first where due.
    pub fn append(
        &mut self,
        batch: &Rc<RecordBatch>,
        leader_epoch: i32,
        config: &TopicConfig,
    ) -> Appended {
        let placed = self.placed(batch, leader_epoch);
        if self.active().should_roll(&placed, config) {
            self.roll();
        }
        let appended = Appended {
            base: placed.base_offset,
            next: placed.next_offset(),
            max_timestamp_ms: placed.max_timestamp,
        };
        self.log_end = appended.next;
        self.size_bytes += i64::from(placed.size_bytes);
        let active = self.segments.last_mut().expect("a log has a segment");
        Rc::make_mut(active).push(placed);
        appended
    }

    /// Raises the high watermark, at most to the log end. Says whether it moved.
    pub fn advance_high_watermark(&mut self, to: Offset) -> bool {
        let to = to.min(self.log_end);
        let moved = to > self.high_watermark;
        if moved {
            self.high_watermark = to;
        }
        moved
    }

    /// Makes `before` the first offset that exists (DeleteRecords). Whole segments below go at the next
    /// retention check. Says whether the log start moved; 1 if `before` is above the high watermark.
    pub fn delete_records(&mut self, before: Offset) -> Result<bool, ErrorCode> {
        if before > self.high_watermark {
            return Err(ErrorCode::OffsetOutOfRange);
        }
        let moved = before > self.log_start;
        if moved {
            self.log_start = before;
        }
        Ok(moved)
    }

    /// Deletes the segments that `retention.ms`, `retention.bytes` and the log start allow to delete
    /// (`UnifiedLog.deleteOldSegments`). Says whether the log start moved.
    pub fn delete_old_segments(&mut self, now: Instant, config: &TopicConfig) -> bool {
        let before = self.log_start;
        if config.retention_ms >= 0 {
            let too_old = |_: &Self, segment: &Segment| segment.age_ms(now) > config.retention_ms;
            while self.delete_oldest_if(too_old) {}
        }
        if config.retention_bytes >= 0 {
            let too_much = |log: &Self, segment: &Segment| {
                log.size_bytes - segment.size_bytes >= config.retention_bytes
            };
            while self.delete_oldest_if(too_much) {}
        }
        let below_start = |log: &Self, _: &Segment| {
            let next = log.segments.get(1);
            next.is_some_and(|next| next.base_offset <= log.log_start)
        };
        while self.delete_oldest_if(below_start) {}
        self.log_start > before
    }

    /// Reads whole batches of one segment, from the one that contains `from`, below `upper`, until
    /// `max_bytes`. With `at_least_one` the first batch comes whatever its size. `from` lies between log
    /// start and log end.
    pub fn read(
        &self,
        from: Offset,
        upper: Offset,
        max_bytes: i64,
        at_least_one: AtLeastOne,
    ) -> Read {
        let (segment, place) = self.readable_place(from);
        let mut read = Read {
            batches: Vec::new(),
            size_bytes: 0,
            start: LogPosition {
                segment_base: segment.base_offset,
                position_bytes: segment.position_of(place),
            },
        };
        if from >= upper {
            return read;
        }
        let start = read.start.position_bytes;
        let mut limit = max_bytes;
        for entry in segment.entries_from(place) {
            if entry.batch.last_offset() >= upper {
                return read;
            }
            let end = entry.end_bytes() - start;
            if read.batches.is_empty() && at_least_one == AtLeastOne::Batch {
                limit = limit.max(end);
            }
            if end > limit {
                if !read.batches.is_empty() {
                    read.size_bytes = limit;
                }
                return read;
            }
            read.batches.push(Rc::clone(&entry.batch));
            read.size_bytes = end;
        }
        read
    }

    /// Where `offset` lies in terms of files.
    pub fn position(&self, offset: Offset) -> LogPosition {
        let (segment, place) = self.readable_place(offset);
        LogPosition {
            segment_base: segment.base_offset,
            position_bytes: segment.position_of(place),
        }
    }

    /// The first record at or after `timestamp_ms`, if it is below `upper`.
    pub fn offset_for_timestamp(
        &self,
        timestamp_ms: i64,
        upper: Offset,
    ) -> Option<TimestampAndOffset> {
        let mut segments = self.segments.iter();
        let segment = segments.find(|segment| segment.max_timestamp_ms >= timestamp_ms)?;
        let found = segment.first_at_or_after(timestamp_ms, self.log_start)?;
        (found.offset < upper).then_some(found)
    }

    /// The batch as it will stand in the log.
    fn placed(&self, batch: &Rc<RecordBatch>, leader_epoch: i32) -> Rc<RecordBatch> {
        if batch.base_offset == self.log_end && batch.partition_leader_epoch == leader_epoch {
            return Rc::clone(batch);
        }
        Rc::new(RecordBatch {
            base_offset: self.log_end,
            partition_leader_epoch: leader_epoch,
            ..RecordBatch::clone(batch)
        })
    }

    fn active(&self) -> &Segment {
        self.segments.last().expect("a log has a segment")
    }

    fn roll(&mut self) {
        self.segments.push(Rc::new(Segment::new(self.log_end)));
    }

    /// Deletes the oldest segment if `qualifies` and nothing in it is at or above the high watermark. The
    /// active segment is rolled first; an empty active segment stays.
    fn delete_oldest_if(&mut self, qualifies: impl Fn(&Self, &Segment) -> bool) -> bool {
        let oldest = &self.segments[0];
        let upper = self.segments.get(1);
        let upper = upper.map_or(self.log_end, |next| next.base_offset);
        let is_empty_active = self.segments.len() == 1 && oldest.size_bytes == 0;
        if is_empty_active || self.high_watermark < upper || !qualifies(self, oldest) {
            return false;
        }
        self.size_bytes -= oldest.size_bytes;
        if self.segments.len() == 1 {
            self.roll();
        }
        self.segments.remove(0);
        self.log_start = self.log_start.max(upper);
        true
    }

    /// Index of the segment that contains `offset`: the last that begins at or below it.
    fn segment_of(&self, offset: Offset) -> usize {
        self.segments
            .partition_point(|segment| segment.base_offset <= offset)
            .saturating_sub(1)
    }

    /// Segment and place of the batch that contains or follows `offset`. An offset in a gap at a segment's
    /// end lies in the next segment.
    fn readable_place(&self, offset: Offset) -> (&Segment, Place) {
        let mut index = self.segment_of(offset);
        loop {
            let segment = &self.segments[index];
            let place = segment.place_of(offset);
            if !segment.is_end(place) || index + 1 == self.segments.len() {
                return (segment, place);
            }
            index += 1;
        }
    }
}

/// Whether a read may ignore its limit for the first batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtLeastOne {
    /// The first batch comes, however large.
    Batch,
    /// Nothing comes above the limit.
    Nothing,
}

#[cfg(test)]
mod tests;
