//! What a partition remembers of idempotent producers (spec/06 "Idempotence"; classes `ProducerStateEntry`,
//! `ProducerAppendInfo`): the last five batches of each, by which a retried batch is known.

use crate::kafka::error::ErrorCode;
use crate::kafka::ids::Offset;
use crate::kafka::record::RecordBatch;
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use std::collections::VecDeque;

/// Batches that are remembered (`NUM_BATCHES_TO_RETAIN`): as many as may be in flight.
const BATCHES: usize = 5;
/// `producer.id.expiration.ms`
const EXPIRATION: Duration = Duration::from_ms(86_400_000);

/// The producers of one partition, by id.
#[derive(Clone, Debug, Default)]
pub struct ProducerStates {
    by_id: SortedMap<i64, ProducerState>,
}

#[derive(Clone, Debug)]
struct ProducerState {
    epoch: i16,
    /// Oldest first; never empty.
    batches: VecDeque<Appended>,
    last_append: Instant,
}

#[derive(Clone, Copy, Debug)]
struct Appended {
    first_sequence: i32,
    last_sequence: i32,
    base_offset: Offset,
}

/// What is to be done with a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Append it.
    New,
    /// It is there already; its first record has this offset.
    Duplicate(Offset),
}

impl ProducerStates {
    /// Judges a batch: 45 if one is missing before it, 47 if its producer has a newer epoch.
    pub fn check(&self, batch: &RecordBatch, now: Instant) -> Result<Verdict, ErrorCode> {
        let state = self.by_id.get(&batch.producer_id);
        let Some(state) = state.filter(|state| !state.is_expired(now)) else {
            return Ok(Verdict::New);
        };
        if batch.producer_epoch < state.epoch {
            return Err(ErrorCode::InvalidProducerEpoch);
        }
        if batch.producer_epoch > state.epoch {
            return match batch.base_sequence {
                0 => Ok(Verdict::New),
                _ => Err(ErrorCode::OutOfOrderSequenceNumber),
            };
        }
        let (first, last) = (batch.base_sequence, last_sequence(batch));
        let mut batches = state.batches.iter();
        let same = batches.find(|one| one.first_sequence == first && one.last_sequence == last);
        if let Some(same) = same {
            return Ok(Verdict::Duplicate(same.base_offset));
        }
        let expected = state
            .batches
            .back()
            .map(|last| after(last.last_sequence, 1));
        match expected == Some(first) {
            true => Ok(Verdict::New),
            false => Err(ErrorCode::OutOfOrderSequenceNumber),
        }
    }

    /// Remembers a batch that was appended.
    pub fn remember(&mut self, batch: &RecordBatch, base_offset: Offset, now: Instant) {
        if !self.by_id.contains_key(&batch.producer_id) {
            self.by_id.retain(|_, state| !state.is_expired(now));
        }
        let state = self.by_id.entry(batch.producer_id);
        let state = state.or_insert_with(|| ProducerState {
            epoch: batch.producer_epoch,
            batches: VecDeque::new(),
            last_append: now,
        });
        if state.epoch != batch.producer_epoch || state.is_expired(now) {
            state.epoch = batch.producer_epoch;
            state.batches.clear();
        }
        state.last_append = now;
        state.batches.push_back(Appended {
            first_sequence: batch.base_sequence,
            last_sequence: last_sequence(batch),
            base_offset,
        });
        if state.batches.len() > BATCHES {
            state.batches.pop_front();
        }
    }
}

impl ProducerState {
    fn is_expired(&self, now: Instant) -> bool {
        now - self.last_append >= EXPIRATION
    }
}

fn last_sequence(batch: &RecordBatch) -> i32 {
    after(batch.base_sequence, batch.last_offset_delta)
}

/// The sequence number `count` after `sequence`: after 2^31-1 comes 0 (`DefaultRecordBatch.incrementSequence`).
fn after(sequence: i32, count: i32) -> i32 {
    sequence.wrapping_add(count) & i32::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::broker::rig::batch;

    fn produced(epoch: i16, base_sequence: i32, records: i32) -> RecordBatch {
        RecordBatch {
            producer_id: 7,
            producer_epoch: epoch,
            base_sequence,
            ..RecordBatch::clone(&batch(records, 1, 0))
        }
    }

    /// Epoch, base sequence, records, what comes of it.
    type Row = (i16, i32, i32, Result<Verdict, ErrorCode>);

    fn play(rows: &[Row]) {
        let mut states = ProducerStates::default();
        let mut end = 100;
        for (index, &(epoch, base, records, expected)) in rows.iter().enumerate() {
            let batch = produced(epoch, base, records);
            let verdict = states.check(&batch, Instant::ZERO);
            assert_eq!(verdict, expected, "row {index}");
            if verdict == Ok(Verdict::New) {
                states.remember(&batch, Offset(end), Instant::ZERO);
                end += i64::from(records);
            }
        }
    }

    const NEW: Result<Verdict, ErrorCode> = Ok(Verdict::New);
    const GAP: Result<Verdict, ErrorCode> = Err(ErrorCode::OutOfOrderSequenceNumber);

    #[test]
    fn batches_follow_one_another_and_retries_get_their_old_offset() {
        play(&[
            (0, 0, 3, NEW),
            (0, 3, 2, NEW),
            (0, 0, 3, Ok(Verdict::Duplicate(Offset(100)))),
            (0, 3, 2, Ok(Verdict::Duplicate(Offset(103)))),
            (0, 3, 1, GAP),
            (0, 6, 1, GAP),
            (0, 5, 1, NEW),
        ]);
    }

    #[test]
    fn only_five_batches_are_remembered() {
        let mut rows: Vec<Row> = (0..6).map(|base| (0, base, 1, NEW)).collect();
        rows.push((0, 1, 1, Ok(Verdict::Duplicate(Offset(101)))));
        rows.push((0, 0, 1, GAP));
        play(&rows);
    }

    #[test]
    fn a_new_epoch_starts_at_zero_and_shuts_out_the_old_one() {
        play(&[
            (0, 0, 2, NEW),
            (1, 2, 1, GAP),
            (1, 0, 1, NEW),
            (0, 2, 1, Err(ErrorCode::InvalidProducerEpoch)),
            (1, 1, 1, NEW),
        ]);
    }

    #[test]
    fn an_unknown_producer_may_start_anywhere_and_numbers_wrap() {
        play(&[(3, i32::MAX - 1, 3, NEW), (3, 1, 1, NEW), (3, 2, 1, NEW)]);
    }

    #[test]
    fn a_producer_that_was_silent_for_a_day_is_forgotten() {
        let mut states = ProducerStates::default();
        states.remember(&produced(0, 0, 1), Offset(0), Instant::ZERO);
        let later = Instant::ZERO + EXPIRATION;
        assert_eq!(states.check(&produced(0, 9, 1), later), NEW);
    }
}
