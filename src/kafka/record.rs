//! Records and record batches (magic 2), as the log holds them.

use super::ids::{Bytes, Offset};
use std::rc::Rc;

/// One record inside a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Milliseconds after the batch's `base_timestamp`.
    pub timestamp_delta: i64,
    /// Offsets after the batch's `base_offset`.
    pub offset_delta: i32,
    /// `None`: no key. Not the same as an empty one.
    pub key: Option<Bytes>,
    /// `None`: a tombstone.
    pub value: Option<Bytes>,
    /// Headers in the order in which they were added.
    pub headers: Vec<(Rc<str>, Option<Bytes>)>,
}

/// The unit of the wire and of the log. Offsets are final once the leader has appended it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordBatch {
    /// Offset of the first record.
    pub base_offset: Offset,
    /// Epoch of the leader that appended it; -1 before.
    pub partition_leader_epoch: i32,
    /// Compression (bits 0-2), timestamp type (3), transactional (4), control (5).
    pub attributes: i16,
    /// Offsets from the first to the last record. Kept when compaction removes records.
    pub last_offset_delta: i32,
    /// Timestamp of the first record, ms.
    pub base_timestamp: i64,
    /// Largest timestamp in the batch, ms.
    pub max_timestamp: i64,
    /// -1 without idempotence.
    pub producer_id: i64,
    /// -1 without idempotence.
    pub producer_epoch: i16,
    /// Sequence number of the first record; -1 without idempotence.
    pub base_sequence: i32,
    /// The records, oldest first.
    pub records: Rc<[Record]>,
    /// Size on the wire in bytes, header included.
    pub size_bytes: i32,
}

/// Bytes of a batch in front of its records.
pub const BATCH_OVERHEAD_BYTES: i32 = 61;

impl RecordBatch {
    /// Offset of the last record.
    pub fn last_offset(&self) -> Offset {
        Offset(self.base_offset.0 + i64::from(self.last_offset_delta))
    }

    /// Offset that the record after this batch gets.
    pub fn next_offset(&self) -> Offset {
        Offset(self.last_offset().0 + 1)
    }
}

/// Bytes of an unsigned varint that holds `value` in zigzag form (`ByteUtils.sizeOfVarint`, `sizeOfVarlong`).
pub fn varint_bytes(value: i64) -> i32 {
    let zigzag = ((value << 1) ^ (value >> 63)) as u64;
    let bits = 64 - (zigzag | 1).leading_zeros();
    bits.div_ceil(7) as i32
}

/// Bytes of one record inside a batch (`DefaultRecord.sizeInBytes`).
pub fn record_bytes(record: &Record) -> i32 {
    let field = |bytes: &Option<Bytes>| match bytes {
        Some(bytes) => varint_bytes(bytes.len() as i64) + bytes.len() as i32,
        None => varint_bytes(-1),
    };
    let headers: i32 = record
        .headers
        .iter()
        .map(|(key, value)| varint_bytes(key.len() as i64) + key.len() as i32 + field(value))
        .sum();
    let body = 1
        + varint_bytes(record.timestamp_delta)
        + varint_bytes(i64::from(record.offset_delta))
        + field(&record.key)
        + field(&record.value)
        + varint_bytes(record.headers.len() as i64)
        + headers;
    varint_bytes(i64::from(body)) + body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_take_a_byte_per_seven_bits_of_their_zigzag_form() {
        assert_eq!([0, -1, 63, -64].map(varint_bytes), [1; 4]);
        assert_eq!([64, -65, 8191].map(varint_bytes), [2; 3]);
        assert_eq!(varint_bytes(i64::MIN), 10);
    }

    #[test]
    fn a_record_without_key_costs_seven_bytes_more_than_its_value() {
        let value: Bytes = vec![0; 50].into();
        let record = Record {
            timestamp_delta: 0,
            offset_delta: 0,
            key: None,
            value: Some(value),
            headers: vec![],
        };
        assert_eq!(record_bytes(&record), 57);
    }
}
