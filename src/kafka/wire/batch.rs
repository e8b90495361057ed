//! Record batches, magic 2 (class `DefaultRecordBatch`).

use super::WireError;
use super::encode::put_varlong;
use crate::kafka::ids::{Bytes, Offset};
use crate::kafka::record::{BATCH_OVERHEAD_BYTES, Record, RecordBatch};
use crc::{CRC_32_ISCSI, Crc, Table};
use std::rc::Rc;

const CRC_32C: Crc<u32, Table<1>> = Crc::<u32, Table<1>>::new(&CRC_32_ISCSI);
const MAGIC: u8 = 2;
/// Bytes before the field that says the length of the rest, and that field.
const LENGTH_END: usize = 12;
/// The checksum covers everything from the attributes on.
const ATTRIBUTES_AT: usize = 21;
const COMPRESSION_MASK: i16 = 0x07;

/// The CRC-32C (Castagnoli) of some bytes.
pub fn crc_32c(bytes: &[u8]) -> u32 {
    CRC_32C.checksum(bytes)
}

/// The bytes of a batch. Records are written uncompressed.
pub fn encode_batch(batch: &RecordBatch) -> Vec<u8> {
    let mut tail = Vec::with_capacity(usize::try_from(batch.size_bytes).unwrap_or(0));
    tail.extend(batch.attributes.to_be_bytes());
    tail.extend(batch.last_offset_delta.to_be_bytes());
    tail.extend(batch.base_timestamp.to_be_bytes());
    tail.extend(batch.max_timestamp.to_be_bytes());
    tail.extend(batch.producer_id.to_be_bytes());
    tail.extend(batch.producer_epoch.to_be_bytes());
    tail.extend(batch.base_sequence.to_be_bytes());
    tail.extend((batch.records.len() as i32).to_be_bytes());
    let mut body = Vec::new();
    for record in batch.records.iter() {
        body.clear();
        put_record(&mut body, record);
        put_varlong(&mut tail, body.len() as i64);
        tail.extend(&body);
    }
    let mut bytes = Vec::with_capacity(ATTRIBUTES_AT + tail.len());
    bytes.extend(batch.base_offset.0.to_be_bytes());
    bytes.extend(((ATTRIBUTES_AT - LENGTH_END + tail.len()) as i32).to_be_bytes());
    bytes.extend(batch.partition_leader_epoch.to_be_bytes());
    bytes.push(MAGIC);
    bytes.extend(crc_32c(&tail).to_be_bytes());
    bytes.extend(tail);
    bytes
}

fn put_record(bytes: &mut Vec<u8>, record: &Record) {
    bytes.push(0);
    put_varlong(bytes, record.timestamp_delta);
    put_varlong(bytes, i64::from(record.offset_delta));
    put_nullable(bytes, record.key.as_deref());
    put_nullable(bytes, record.value.as_deref());
    put_varlong(bytes, record.headers.len() as i64);
    for (key, value) in &record.headers {
        put_nullable(bytes, Some(key.as_bytes()));
        put_nullable(bytes, value.as_deref());
    }
}

fn put_nullable(bytes: &mut Vec<u8>, field: Option<&[u8]>) {
    put_varlong(bytes, field.map_or(-1, |field| field.len() as i64));
    bytes.extend(field.unwrap_or_default());
}

/// Reads the batches that follow one another in `bytes`. A last one that is cut short is left out, as
/// consumers do (a broker may cut a response at its size limit).
///
/// # Errors
/// A batch is corrupt or of another magic.
///
/// DEVIATION: of a compressed batch the header is read and the records are left out, so it does not come
/// back to its bytes. A broker refuses it with 76.
pub fn decode_batches(bytes: &[u8]) -> Result<Vec<RecordBatch>, WireError> {
    let mut batches = Vec::new();
    let mut at = 0;
    while let Some(head) = bytes.get(at..at + LENGTH_END) {
        let length = i32::from_be_bytes([head[8], head[9], head[10], head[11]]);
        let fits = usize::try_from(length)
            .ok()
            .filter(|length| *length >= BATCH_OVERHEAD_BYTES as usize - LENGTH_END);
        let Some(length) = fits else {
            return Err(WireError::Batch {
                at,
                problem: "its length cannot be",
            });
        };
        let Some(whole) = bytes.get(at..at + LENGTH_END + length) else {
            break;
        };
        batches.push(decode_batch(whole).map_err(|problem| WireError::Batch { at, problem })?);
        at += whole.len();
    }
    Ok(batches)
}

/// What is left of a batch while it is read.
struct Reader<'a>(&'a [u8]);

type Read<T> = Result<T, &'static str>;

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Read<&'a [u8]> {
        if length > self.0.len() {
            return Err("it ends inside a record");
        }
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn varlong(&mut self) -> Read<i64> {
        let mut zigzag = 0_u64;
        for shift in (0..70).step_by(7) {
            let [byte] = self.array()?;
            zigzag |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte < 0x80 {
                return Ok((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed());
            }
        }
        Err("it has a number that does not end")
    }

    fn varint(&mut self) -> Read<i32> {
        i32::try_from(self.varlong()?).map_err(|_| "it has a number that is too large")
    }

    fn nullable(&mut self) -> Read<Option<&'a [u8]>> {
        match self.varint()? {
            -1 => Ok(None),
            length => match usize::try_from(length) {
                Ok(length) => Ok(Some(self.take(length)?)),
                Err(_) => Err("it has a negative length"),
            },
        }
    }
}

fn decode_batch(whole: &[u8]) -> Read<RecordBatch> {
    let mut reader = Reader(whole);
    let base_offset = Offset(i64::from_be_bytes(reader.array()?));
    reader.take(4)?;
    let partition_leader_epoch = i32::from_be_bytes(reader.array()?);
    if reader.array()? != [MAGIC] {
        return Err("it is not of magic 2");
    }
    let crc = u32::from_be_bytes(reader.array()?);
    if crc_32c(reader.0) != crc {
        return Err("its checksum does not match");
    }
    let attributes = i16::from_be_bytes(reader.array()?);
    let last_offset_delta = i32::from_be_bytes(reader.array()?);
    let base_timestamp = i64::from_be_bytes(reader.array()?);
    let max_timestamp = i64::from_be_bytes(reader.array()?);
    let producer_id = i64::from_be_bytes(reader.array()?);
    let producer_epoch = i16::from_be_bytes(reader.array()?);
    let base_sequence = i32::from_be_bytes(reader.array()?);
    let count = i32::from_be_bytes(reader.array()?);
    let mut records = Vec::new();
    if attributes & COMPRESSION_MASK == 0 {
        for _ in 0..count {
            records.push(decode_record(&mut reader)?);
        }
        if !reader.0.is_empty() {
            return Err("it goes on after its last record");
        }
    }
    Ok(RecordBatch {
        base_offset,
        partition_leader_epoch,
        attributes,
        last_offset_delta,
        base_timestamp,
        max_timestamp,
        producer_id,
        producer_epoch,
        base_sequence,
        records: records.into(),
        size_bytes: i32::try_from(whole.len()).map_err(|_| "it is too long")?,
    })
}

fn decode_record(reader: &mut Reader<'_>) -> Read<Record> {
    let length = usize::try_from(reader.varint()?).map_err(|_| "it has a negative length")?;
    let mut body = Reader(reader.take(length)?);
    body.take(1)?;
    let timestamp_delta = body.varlong()?;
    let offset_delta = body.varint()?;
    let key = body.nullable()?.map(Bytes::from);
    let value = body.nullable()?.map(Bytes::from);
    let count = body.varint()?;
    let mut headers = Vec::new();
    for _ in 0..count {
        let name = body.nullable()?.ok_or("it has a header without a key")?;
        let name: Rc<str> = std::str::from_utf8(name)
            .map_err(|_| "it has a header key that is not UTF-8")?
            .into();
        headers.push((name, body.nullable()?.map(Bytes::from)));
    }
    if !body.0.is_empty() {
        return Err("it has a record that is longer than its fields");
    }
    Ok(Record {
        timestamp_delta,
        offset_delta,
        key,
        value,
        headers,
    })
}
