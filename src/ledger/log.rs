//! What a partition's log looks like from outside: where it begins and ends, and when its records were
//! written.

use super::latency::Latency;
use super::offset_set::OffsetSet;
use super::recent::Recent;
use crate::kafka::ids::Offset;
use crate::kafka::time::Instant;

/// Batches whose timestamp is kept per partition. What is delivered later than so many batches counts
/// nothing towards latency.
const BATCHES_KEPT: usize = 4_096;

/// A partition's log.
#[derive(Clone, Debug)]
pub struct Log {
    /// When the partition came to be.
    pub created: Instant,
    /// Whether there is such a partition, or only was.
    pub exists: bool,
    /// First offset that still exists.
    pub start: Offset,
    /// HW: consumers may read below it.
    pub high_watermark: Offset,
    /// LEO: what the next record gets.
    pub end: Offset,
    batches: Recent<Batch>,
}

/// When a batch was made. Every record in it counts with its newest record's time: facts do not name
/// single records.
#[derive(Clone, Copy, Debug)]
struct Batch {
    base: Offset,
    next: Offset,
    timestamp_ms: i64,
}

impl Log {
    pub(super) fn new(created: Instant) -> Self {
        Self {
            created,
            exists: true,
            start: Offset(0),
            high_watermark: Offset(0),
            end: Offset(0),
            batches: Recent::new(BATCHES_KEPT),
        }
    }

    pub(super) fn append(&mut self, base: Offset, next: Offset, max_timestamp_ms: i64) {
        self.end = next;
        self.batches.push(Batch {
            base,
            next,
            timestamp_ms: max_timestamp_ms,
        });
    }

    /// Notes for each of `offsets` the time from its batch's timestamp to `at`.
    pub(super) fn note_latency(&self, latency: &mut Latency, offsets: &OffsetSet, at: Instant) {
        let Some((first, _)) = offsets.ranges().next() else {
            return;
        };
        // Newest first: what is delivered lies near the end.
        let newest = self.batches.iter().rev();
        for batch in newest.take_while(|batch| batch.next > first) {
            let records = offsets.within(batch.base, batch.next).count();
            if records > 0 {
                latency.note(records, at - Instant::from_ms(batch.timestamp_ms));
            }
        }
    }
}
