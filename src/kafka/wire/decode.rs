//! Bytes into fields.

use super::{WireError, batch};
use crate::kafka::api::visit::{Stop, TaggedField, Visited, Visitor};
use crate::kafka::ids::{Bytes, Uuid};
use crate::kafka::record::RecordBatch;
use std::rc::Rc;

/// Where a field stands in the bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// Its name.
    pub name: &'static str,
    /// Its place in an array, for an element of one.
    pub index: Option<usize>,
    /// How many elements and structures it stands inside of.
    pub depth: usize,
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// What it holds.
    pub value: SpanValue,
}

/// What a field holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpanValue {
    /// An element of an array, or a structure: its fields follow.
    Parts,
    /// A number.
    Number(i64),
    /// A string. `None`: null.
    Text(Option<Rc<str>>),
    /// Bytes, so many: the last ones of the field. `None`: null.
    Bytes(Option<usize>),
    /// A topic id.
    Uuid(Uuid),
    /// Record batches, in so many bytes: the last ones of the field.
    Records(usize),
    /// The number of an array's elements. `None`: null.
    Count(Option<usize>),
    /// The number of tagged fields.
    Tags(u32),
}

/// Reads the fields that it visits, and remembers where they stood.
pub struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
    version: i16,
    flexible: bool,
    /// What an answer said of quotas.
    pub(super) throttle_time_ms: i32,
    error: Option<WireError>,
    spans: Option<Vec<Span>>,
    open: Vec<usize>,
}

impl<'a> Decoder<'a> {
    /// For a message of that version that begins at byte `at`. Without `spans` none are kept.
    pub fn new(
        bytes: &'a [u8],
        at: usize,
        version: i16,
        flexible: bool,
        spans: Option<Vec<Span>>,
    ) -> Self {
        Self {
            bytes,
            at,
            version,
            flexible,
            throttle_time_ms: 0,
            error: None,
            spans,
            open: Vec::new(),
        }
    }

    /// Reads on as another version: a header is followed by a body.
    pub(super) fn continue_as(&mut self, version: i16, flexible: bool) {
        self.version = version;
        self.flexible = flexible;
    }

    /// Where the reading stands.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The spans, in the order of the bytes; elements and structures come before what they hold.
    pub fn take_spans(&mut self) -> Vec<Span> {
        self.spans.take().unwrap_or_default()
    }

    /// What stopped a walk.
    pub(super) fn take_error(&mut self) -> WireError {
        let at = self.at;
        self.error.take().unwrap_or(WireError::Short {
            at,
            field: "message",
        })
    }

    /// Bytes not yet read.
    pub(super) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    fn fail<T>(&mut self, error: WireError) -> Result<T, Stop> {
        self.error = Some(error);
        Err(Stop)
    }

    fn take(&mut self, field: &'static str, length: usize) -> Result<&'a [u8], Stop> {
        let bytes = self
            .at
            .checked_add(length)
            .and_then(|end| self.bytes.get(self.at..end));
        match bytes {
            Some(bytes) => {
                self.at += length;
                Ok(bytes)
            }
            None => self.fail(WireError::Short { at: self.at, field }),
        }
    }

    fn big_endian(&mut self, field: &'static str, width: usize) -> Result<i64, Stop> {
        let bytes = self.take(field, width)?;
        let sign = if bytes.first().is_some_and(|first| *first >= 0x80) {
            -1
        } else {
            0
        };
        Ok(bytes
            .iter()
            .fold(sign, |number, byte| (number << 8) | i64::from(*byte)))
    }

    fn unsigned_varint(&mut self, field: &'static str) -> Result<u32, Stop> {
        let start = self.at;
        let mut number = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = self.take(field, 1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return match u32::try_from(number) {
                    Ok(number) => Ok(number),
                    Err(_) => self.fail(WireError::Varint { at: start, field }),
                };
            }
        }
        self.fail(WireError::Varint { at: start, field })
    }

    /// A length of `width` bytes, or compact; `None` is null. Held against the bytes that are left.
    fn any_length(&mut self, field: &'static str, width: usize) -> Result<Option<usize>, Stop> {
        let at = self.at;
        let length = if self.flexible {
            i64::from(self.unsigned_varint(field)?) - 1
        } else {
            self.big_endian(field, width)?
        };
        if length == -1 {
            return Ok(None);
        }
        let left = self.left();
        match usize::try_from(length) {
            Ok(length) if length <= left => Ok(Some(length)),
            _ => self.fail(WireError::Length {
                at,
                field,
                length,
                left,
            }),
        }
    }

    fn not_null<T>(
        &mut self,
        field: &'static str,
        at: usize,
        nullable: bool,
        value: &Option<T>,
    ) -> Visited {
        if value.is_none() && !nullable {
            return self.fail(WireError::Null { at, field });
        }
        Ok(())
    }

    fn span(&mut self, name: &'static str, start: usize, value: impl FnOnce() -> SpanValue) {
        let (depth, end) = (self.open.len(), self.at);
        if let Some(spans) = &mut self.spans {
            spans.push(Span {
                name,
                index: None,
                depth,
                start,
                end,
                value: value(),
            });
        }
    }
}

impl Visitor for Decoder<'_> {
    fn version(&self) -> i16 {
        self.version
    }

    fn int(&mut self, name: &'static str, width: usize, value: &mut i64) -> Visited {
        let start = self.at;
        *value = self.big_endian(name, width)?;
        self.span(name, start, || SpanValue::Number(*value));
        Ok(())
    }

    fn text(&mut self, name: &'static str, nullable: bool, value: &mut Option<Rc<str>>) -> Visited {
        let start = self.at;
        *value = match self.any_length(name, 2)? {
            None => None,
            Some(length) => match std::str::from_utf8(self.take(name, length)?) {
                Ok(text) => Some(text.into()),
                Err(_) => {
                    return self.fail(WireError::Text {
                        at: start,
                        field: name,
                    });
                }
            },
        };
        self.not_null(name, start, nullable, value)?;
        self.span(name, start, || SpanValue::Text(value.clone()));
        Ok(())
    }

    fn bytes(&mut self, name: &'static str, nullable: bool, value: &mut Option<Bytes>) -> Visited {
        let start = self.at;
        *value = match self.any_length(name, 4)? {
            None => None,
            Some(length) => Some(self.take(name, length)?.into()),
        };
        self.not_null(name, start, nullable, value)?;
        let length = value.as_ref().map(|bytes| bytes.len());
        self.span(name, start, || SpanValue::Bytes(length));
        Ok(())
    }

    fn uuid(&mut self, name: &'static str, value: &mut Uuid) -> Visited {
        let start = self.at;
        value.high = self.big_endian(name, 8)?;
        value.low = self.big_endian(name, 8)?;
        self.span(name, start, || SpanValue::Uuid(*value));
        Ok(())
    }

    fn records(&mut self, name: &'static str, value: &mut Vec<Rc<RecordBatch>>) -> Visited {
        let start = self.at;
        value.clear();
        let mut length_bytes = 0;
        if let Some(length) = self.any_length(name, 4)? {
            let first = self.at;
            length_bytes = length;
            match batch::decode_batches(self.take(name, length)?) {
                Ok(batches) => value.extend(batches.into_iter().map(Rc::new)),
                Err(WireError::Batch { at, problem }) => {
                    return self.fail(WireError::Batch {
                        at: first + at,
                        problem,
                    });
                }
                Err(error) => return self.fail(error),
            }
        }
        self.span(name, start, || SpanValue::Records(length_bytes));
        Ok(())
    }

    fn length(&mut self, name: &'static str, nullable: bool, value: &mut Option<usize>) -> Visited {
        let start = self.at;
        *value = self.any_length(name, 4)?;
        self.not_null(name, start, nullable, value)?;
        self.span(name, start, || SpanValue::Count(*value));
        Ok(())
    }

    fn enter(&mut self, name: &'static str, index: usize) {
        let (depth, start) = (self.open.len(), self.at);
        if let Some(spans) = &mut self.spans {
            self.open.push(spans.len());
            spans.push(Span {
                name,
                index: Some(index),
                depth,
                start,
                end: start,
                value: SpanValue::Parts,
            });
        }
    }

    fn leave(&mut self) {
        let end = self.at;
        if let (Some(spans), Some(open)) = (&mut self.spans, self.open.pop())
            && let Some(span) = spans.get_mut(open)
        {
            span.end = end;
        }
    }

    fn tagged_fields(&mut self, mut kept: Option<&mut Vec<TaggedField>>) -> Visited {
        if !self.flexible {
            return Ok(());
        }
        let start = self.at;
        let fields = self.unsigned_varint("tagged_fields")?;
        for _ in 0..fields {
            let tag = self.unsigned_varint("tag")?;
            let length = self.unsigned_varint("tagged_field")?;
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            let bytes = self.take("tagged_field", length)?.into();
            if let Some(kept) = &mut kept {
                kept.push(TaggedField { tag, bytes });
            }
        }
        self.span("tagged_fields", start, || SpanValue::Tags(fields));
        Ok(())
    }

    fn throttle_time_ms(&mut self) -> Visited {
        let start = self.at;
        let number = self.big_endian("throttle_time_ms", 4)?;
        self.throttle_time_ms = number as i32;
        self.span("throttle_time_ms", start, || SpanValue::Number(number));
        Ok(())
    }
}
