//! What stands inside bytes: subscriptions, assignments, record batches.

use super::fields::{FIELDS_MOST, Field, Value};
use crate::kafka::api::visit::Stop;
use std::ops::Range;

/// What bytes hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Payload {
    /// `ConsumerProtocolSubscription`
    Subscription,
    /// `ConsumerProtocolAssignment`
    Assignment,
    /// Record batches, magic 2.
    Batches,
}

impl Payload {
    /// What a field of that name holds in a group of consumers.
    pub fn named(name: &str) -> Option<Payload> {
        match name {
            "metadata" | "member_metadata" => Some(Payload::Subscription),
            "assignment" | "member_assignment" => Some(Payload::Assignment),
            _ => None,
        }
    }
}

/// Lists the fields inside a stretch of bytes.
///
/// # Errors
/// The bytes end inside a field; what was read stays listed.
pub(super) fn read(
    what: Payload,
    bytes: &[u8],
    stretch: Range<usize>,
    depth: usize,
    fields: &mut Vec<Field>,
) -> Result<(), Stop> {
    let mut reader = Reader {
        bytes: bytes.get(..stretch.end).unwrap_or_default(),
        at: stretch.start,
        depth,
        fields,
    };
    match what {
        _ if stretch.is_empty() => Ok(()),
        Payload::Subscription => reader.subscription(),
        Payload::Assignment => reader.assignment(),
        Payload::Batches => reader.batches(),
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    fields: &'a mut Vec<Field>,
}

impl Reader<'_> {
    fn push(&mut self, name: &'static str, start: usize, value: Value) -> Result<(), Stop> {
        if self.fields.len() >= FIELDS_MOST {
            return Err(Stop);
        }
        self.fields.push(Field {
            name,
            index: None,
            depth: self.depth,
            start,
            end: self.at,
            value,
        });
        Ok(())
    }

    fn take(&mut self, length: usize) -> Result<Range<usize>, Stop> {
        let end = self.at.checked_add(length).ok_or(Stop)?;
        if end > self.bytes.len() {
            return Err(Stop);
        }
        let taken = self.at..end;
        self.at = end;
        Ok(taken)
    }

    fn integer(&mut self, width: usize) -> Result<i64, Stop> {
        let taken = self.take(width)?;
        let bytes = self.bytes.get(taken).ok_or(Stop)?;
        let is_negative = bytes.first().is_some_and(|first| *first >= 0x80);
        let sign = if is_negative { -1 } else { 0 };
        Ok(bytes
            .iter()
            .fold(sign, |number, byte| (number << 8) | i64::from(*byte)))
    }

    fn varint(&mut self) -> Result<i64, Stop> {
        let mut zigzag = 0_u64;
        for shift in (0..70).step_by(7) {
            let taken = self.take(1)?;
            let byte = *self.bytes.get(taken.start).ok_or(Stop)?;
            zigzag |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte < 0x80 {
                return Ok((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed());
            }
        }
        Err(Stop)
    }

    fn number(&mut self, name: &'static str, width: usize) -> Result<i64, Stop> {
        let start = self.at;
        let number = self.integer(width)?;
        self.push(name, start, Value::Number(number))?;
        Ok(number)
    }

    fn var_number(&mut self, name: &'static str) -> Result<i64, Stop> {
        let start = self.at;
        let number = self.varint()?;
        self.push(name, start, Value::Number(number))?;
        Ok(number)
    }

    /// The elements of an array of `element_bytes` at least, each with its number.
    fn list(
        &mut self,
        name: &'static str,
        each: fn(&mut Self, &'static str) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let start = self.at;
        let Ok(count) = usize::try_from(self.integer(4)?) else {
            return self.push(name, start, Value::Null);
        };
        self.push(name, start, Value::Count(count))?;
        for index in 0..count {
            let place = self.fields.len();
            each(self, name)?;
            if let Some(field) = self.fields.get_mut(place) {
                field.index = Some(index);
            }
        }
        Ok(())
    }

    /// A structure: `inside` lists its fields one level deeper.
    fn structure(
        &mut self,
        name: &'static str,
        inside: fn(&mut Self) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let (place, start) = (self.fields.len(), self.at);
        self.push(name, start, Value::Parts)?;
        self.depth += 1;
        let read = inside(self);
        self.depth -= 1;
        let end = self.at;
        if let Some(field) = self.fields.get_mut(place) {
            field.end = end;
        }
        read
    }

    fn text(&mut self, name: &'static str) -> Result<(), Stop> {
        let start = self.at;
        let value = match usize::try_from(self.integer(2)?) {
            Err(_) => Value::Null,
            Ok(length) => {
                let taken = self.take(length)?;
                let bytes = self.bytes.get(taken).unwrap_or_default();
                Value::Text(String::from_utf8_lossy(bytes).into())
            }
        };
        self.push(name, start, value)
    }

    fn blob(&mut self, name: &'static str) -> Result<(), Stop> {
        let start = self.at;
        let length = self.integer(4)?;
        self.rest_of_blob(name, start, length)
    }

    /// The bytes behind a length that was read.
    fn rest_of_blob(&mut self, name: &'static str, start: usize, length: i64) -> Result<(), Stop> {
        let value = match usize::try_from(length) {
            Err(_) => Value::Null,
            Ok(length) => {
                self.take(length)?;
                Value::Bytes(length)
            }
        };
        self.push(name, start, value)
    }

    /// Bytes with a variable-length length; shown as text where they are text.
    fn record_text(&mut self, name: &'static str) -> Result<(), Stop> {
        let start = self.at;
        let length = self.varint()?;
        let Ok(length) = usize::try_from(length) else {
            return self.push(name, start, Value::Null);
        };
        let taken = self.take(length)?;
        let bytes = self.bytes.get(taken).unwrap_or_default();
        let text = std::str::from_utf8(bytes).ok();
        let value = match text.filter(|text| !text.chars().any(char::is_control)) {
            Some(text) => Value::Text(text.into()),
            None => Value::Bytes(length),
        };
        self.push(name, start, value)
    }

    fn subscription(&mut self) -> Result<(), Stop> {
        let version = self.number("version", 2)?;
        self.list("topics", Self::text)?;
        self.user_data()?;
        if version >= 1 {
            self.list("owned_partitions", Self::topic_partitions)?;
        }
        if version >= 2 {
            self.number("generation_id", 4)?;
        }
        if version >= 3 {
            self.text("rack_id")?;
        }
        Ok(())
    }

    fn assignment(&mut self) -> Result<(), Stop> {
        self.number("version", 2)?;
        self.list("assigned_partitions", Self::topic_partitions)?;
        self.user_data()
    }

    /// What the sticky assignors write, if it is that; anything else stays bytes.
    fn user_data(&mut self) -> Result<(), Stop> {
        self.blob("user_data")?;
        let Some(Value::Bytes(length)) = self.fields.last().map(|field| field.value.clone()) else {
            return Ok(());
        };
        let listed = self.fields.len();
        let mut inside = Reader {
            bytes: self.bytes.get(..self.at).unwrap_or_default(),
            at: self.at - length,
            depth: self.depth + 1,
            fields: self.fields,
        };
        let read = match length {
            0 => Ok(()),
            // `cooperative-sticky` of Java.
            4 => inside.number("generation", 4).map(|_| ()),
            _ => inside.sticky(),
        };
        if read.is_err() || inside.at != self.at {
            self.fields.truncate(listed);
        }
        Ok(())
    }

    /// `StickyAssignor` since 2.3, and both sticky assignors of librdkafka; before, without the generation.
    fn sticky(&mut self) -> Result<(), Stop> {
        self.list("previous_assignment", Self::topic_partitions)?;
        if self.at < self.bytes.len() {
            self.number("generation", 4)?;
        }
        Ok(())
    }

    fn topic_partitions(&mut self, name: &'static str) -> Result<(), Stop> {
        self.structure(name, |reader| {
            reader.text("topic")?;
            reader.list("partitions", |reader, name| {
                reader.number(name, 4).map(|_| ())
            })
        })
    }

    fn batches(&mut self) -> Result<(), Stop> {
        while self.at < self.bytes.len() {
            self.structure("batch", Self::batch)?;
        }
        Ok(())
    }

    fn batch(&mut self) -> Result<(), Stop> {
        self.number("base_offset", 8)?;
        let length = self.number("batch_length", 4)?;
        let end = usize::try_from(length).map_err(|_| Stop)? + self.at;
        self.number("partition_leader_epoch", 4)?;
        self.number("magic", 1)?;
        let start = self.at;
        let crc = self.integer(4)?;
        // The four bytes as they stand.
        self.push("crc", start, Value::Hex(crc as u32))?;
        let attributes = self.number("attributes", 2)?;
        self.number("last_offset_delta", 4)?;
        self.number("base_timestamp", 8)?;
        self.number("max_timestamp", 8)?;
        self.number("producer_id", 8)?;
        self.number("producer_epoch", 2)?;
        self.number("base_sequence", 4)?;
        let start = self.at;
        let count = usize::try_from(self.integer(4)?).map_err(|_| Stop)?;
        self.push("records", start, Value::Count(count))?;
        if attributes & 0x07 != 0 {
            // Compressed records are not read.
            self.at = end;
            return Ok(());
        }
        for index in 0..count {
            let place = self.fields.len();
            self.structure("record", Self::record)?;
            if let Some(field) = self.fields.get_mut(place) {
                field.index = Some(index);
            }
        }
        Ok(())
    }

    fn record(&mut self) -> Result<(), Stop> {
        self.var_number("length")?;
        self.number("attributes", 1)?;
        self.var_number("timestamp_delta")?;
        self.var_number("offset_delta")?;
        self.record_text("key")?;
        self.record_text("value")?;
        for _ in 0..self.var_number("headers")? {
            self.record_text("header_key")?;
            self.record_text("header_value")?;
        }
        Ok(())
    }
}
