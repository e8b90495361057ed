//! Fields into bytes.

use super::{WireError, batch};
use crate::kafka::api::visit::{Stop, TaggedField, Visited, Visitor};
use crate::kafka::ids::{Bytes, Uuid};
use crate::kafka::record::RecordBatch;
use std::rc::Rc;

/// Writes the fields that it visits.
pub struct Encoder {
    bytes: Vec<u8>,
    version: i16,
    flexible: bool,
    throttle_time_ms: i32,
    error: Option<WireError>,
}

impl Encoder {
    /// For a message of that version. `throttle_time_ms` is what an answer says of quotas.
    pub fn new(version: i16, flexible: bool, throttle_time_ms: i32) -> Self {
        Self {
            bytes: Vec::new(),
            version,
            flexible,
            throttle_time_ms,
            error: None,
        }
    }

    /// What was written.
    ///
    /// # Errors
    /// A field was longer than its length field can say.
    pub fn finish(self) -> Result<Vec<u8>, WireError> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.bytes),
        }
    }

    fn fail(&mut self, error: WireError) -> Visited {
        self.error = Some(error);
        Err(Stop)
    }

    fn unsigned_varint(&mut self, number: u32) {
        put_unsigned_varint(&mut self.bytes, number);
    }

    /// The length of a string: 2 bytes, or compact. `None` is null.
    fn short_length(&mut self, field: &'static str, length: Option<usize>) -> Visited {
        if self.flexible {
            return self.compact_length(field, length);
        }
        match length.map(i16::try_from) {
            None => self.bytes.extend((-1_i16).to_be_bytes()),
            Some(Ok(length)) => self.bytes.extend(length.to_be_bytes()),
            Some(Err(_)) => return self.fail(WireError::TooLong { field }),
        }
        Ok(())
    }

    /// The length of bytes or of an array: 4 bytes, or compact. `None` is null.
    fn long_length(&mut self, field: &'static str, length: Option<usize>) -> Visited {
        if self.flexible {
            return self.compact_length(field, length);
        }
        match length.map(i32::try_from) {
            None => self.bytes.extend((-1_i32).to_be_bytes()),
            Some(Ok(length)) => self.bytes.extend(length.to_be_bytes()),
            Some(Err(_)) => return self.fail(WireError::TooLong { field }),
        }
        Ok(())
    }

    /// Null is 0, so lengths are one more than they are.
    fn compact_length(&mut self, field: &'static str, length: Option<usize>) -> Visited {
        self.compact_count(field, length.map_or(0, |length| length + 1))
    }

    fn compact_count(&mut self, field: &'static str, count: usize) -> Visited {
        match u32::try_from(count) {
            Ok(count) => self.unsigned_varint(count),
            Err(_) => return self.fail(WireError::TooLong { field }),
        }
        Ok(())
    }
}

impl Visitor for Encoder {
    fn version(&self) -> i16 {
        self.version
    }

    fn int(&mut self, _name: &'static str, width: usize, value: &mut i64) -> Visited {
        let bytes = value.to_be_bytes();
        self.bytes.extend(&bytes[bytes.len() - width..]);
        Ok(())
    }

    fn text(&mut self, name: &'static str, nullable: bool, value: &mut Option<Rc<str>>) -> Visited {
        debug_assert!(nullable || value.is_some(), "{name} must not be null");
        self.short_length(name, value.as_ref().map(|text| text.len()))?;
        if let Some(text) = value {
            self.bytes.extend(text.as_bytes());
        }
        Ok(())
    }

    fn bytes(&mut self, name: &'static str, nullable: bool, value: &mut Option<Bytes>) -> Visited {
        debug_assert!(nullable || value.is_some(), "{name} must not be null");
        self.long_length(name, value.as_ref().map(|bytes| bytes.len()))?;
        if let Some(bytes) = value {
            self.bytes.extend(bytes.iter());
        }
        Ok(())
    }

    fn uuid(&mut self, _name: &'static str, value: &mut Uuid) -> Visited {
        self.bytes.extend(value.high.to_be_bytes());
        self.bytes.extend(value.low.to_be_bytes());
        Ok(())
    }

    fn records(&mut self, name: &'static str, value: &mut Vec<Rc<RecordBatch>>) -> Visited {
        let mut records = Vec::new();
        for batch in value.iter() {
            records.extend(batch::encode_batch(batch));
        }
        self.long_length(name, Some(records.len()))?;
        self.bytes.extend(records);
        Ok(())
    }

    fn length(
        &mut self,
        name: &'static str,
        _nullable: bool,
        value: &mut Option<usize>,
    ) -> Visited {
        self.long_length(name, *value)
    }

    fn enter(&mut self, _name: &'static str, _index: usize) {}

    fn leave(&mut self) {}

    fn tagged_fields(&mut self, kept: Option<&mut Vec<TaggedField>>) -> Visited {
        if !self.flexible {
            return Ok(());
        }
        let fields = kept.map(|kept| kept.as_slice()).unwrap_or_default();
        self.compact_count("tagged_fields", fields.len())?;
        for field in fields {
            self.unsigned_varint(field.tag);
            self.compact_count("tagged_field", field.bytes.len())?;
            self.bytes.extend(field.bytes.iter());
        }
        Ok(())
    }

    fn throttle_time_ms(&mut self) -> Visited {
        self.bytes.extend(self.throttle_time_ms.to_be_bytes());
        Ok(())
    }
}

/// Seven bits a byte, the lowest first (`ByteUtils.writeUnsignedVarint`).
pub(super) fn put_unsigned_varint(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Zigzag, then seven bits a byte (`ByteUtils.writeVarlong`; `writeVarint` gives the same bytes).
pub(super) fn put_varlong(bytes: &mut Vec<u8>, number: i64) {
    let mut zigzag = ((number << 1) ^ (number >> 63)).cast_unsigned();
    while zigzag >= 0x80 {
        bytes.push(zigzag as u8 | 0x80);
        zigzag >>= 7;
    }
    bytes.push(zigzag as u8);
}
