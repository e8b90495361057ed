//! Reading and writing of plain (non-flexible) fields.

use crate::kafka::ids::{Bytes, TopicName, TopicPartition};
use thiserror::Error;

/// Why a payload cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ProtocolError {
    /// The payload ends inside a field, or a length says more than there is.
    #[error("the payload ends at byte {at} inside a field")]
    CutOff {
        /// Position of the field, in bytes from the start.
        at: usize,
    },
    /// A field that may not be null is.
    #[error("the field at byte {at} is null")]
    NullField {
        /// Position of the field, in bytes from the start.
        at: usize,
    },
    /// The version in front is negative.
    #[error("version {version} does not exist")]
    NegativeVersion {
        /// What the payload says.
        version: i16,
    },
}

/// A position in a payload.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The version in front, as far as this reader knows versions.
    pub(super) fn version(&mut self) -> Result<i16, ProtocolError> {
        let version = self.int16()?;
        if version < 0 {
            return Err(ProtocolError::NegativeVersion { version });
        }
        Ok(version.min(super::HIGHEST_VERSION))
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], ProtocolError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let taken = rest
            .get(..length)
            .ok_or(ProtocolError::CutOff { at: self.at })?;
        self.at += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ProtocolError> {
        let at = self.at;
        let taken = self.take(N)?;
        <[u8; N]>::try_from(taken).map_err(|_| ProtocolError::CutOff { at })
    }

    pub(super) fn int16(&mut self) -> Result<i16, ProtocolError> {
        Ok(i16::from_be_bytes(self.array()?))
    }

    pub(super) fn int32(&mut self) -> Result<i32, ProtocolError> {
        Ok(i32::from_be_bytes(self.array()?))
    }

    /// A string with a 16-bit length, `None` for a negative one. Broken UTF-8 is replaced, as Java does.
    pub(super) fn nullable_string(&mut self) -> Result<Option<String>, ProtocolError> {
        let Ok(length) = usize::try_from(self.int16()?) else {
            return Ok(None);
        };
        Ok(Some(
            String::from_utf8_lossy(self.take(length)?).into_owned(),
        ))
    }

    pub(super) fn topic(&mut self) -> Result<TopicName, ProtocolError> {
        let at = self.at;
        let name = self
            .nullable_string()?
            .ok_or(ProtocolError::NullField { at })?;
        Ok(TopicName::from(name))
    }

    /// Bytes with a 32-bit length, `None` for a negative one.
    pub(super) fn nullable_bytes(&mut self) -> Result<Option<Bytes>, ProtocolError> {
        let Ok(length) = usize::try_from(self.int32()?) else {
            return Ok(None);
        };
        Ok(Some(self.take(length)?.into()))
    }

    /// A list of elements of at least `element_bytes` each; a longer list than the payload can hold is refused
    /// before anything is allocated.
    pub(super) fn list<T>(
        &mut self,
        element_bytes: usize,
        read: fn(&mut Self) -> Result<T, ProtocolError>,
    ) -> Result<Vec<T>, ProtocolError> {
        let at = self.at;
        let length = usize::try_from(self.int32()?).map_err(|_| ProtocolError::NullField { at })?;
        let left = self.bytes.len() - self.at;
        if length > left / element_bytes {
            return Err(ProtocolError::CutOff { at });
        }
        (0..length).map(|_| read(self)).collect()
    }

    /// Partitions grouped by topic, flattened in their order.
    pub(super) fn topic_partitions(&mut self) -> Result<Vec<TopicPartition>, ProtocolError> {
        let groups = self.list(6, |reader| {
            Ok((reader.topic()?, reader.list(4, Reader::int32)?))
        })?;
        let mut flat = Vec::new();
        for (topic, numbers) in groups {
            flat.extend(numbers.into_iter().map(|partition| TopicPartition {
                topic: topic.clone(),
                partition,
            }));
        }
        Ok(flat)
    }
}

/// A length as the wire holds it.
fn length_field(length: usize) -> i32 {
    i32::try_from(length).expect("a payload is far below 2 GiB: it travels in one request")
}

pub(super) fn write_length(out: &mut Vec<u8>, length: usize) {
    out.extend(length_field(length).to_be_bytes());
}

/// A string; of one longer than a 16-bit length can say (topics and racks are not), what fits.
pub(super) fn write_string(out: &mut Vec<u8>, text: &str) {
    let mut end = text.len().min(usize::from(i16::MAX.unsigned_abs()));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let length = i16::try_from(end).unwrap_or(i16::MAX);
    out.extend(length.to_be_bytes());
    out.extend(text.as_bytes().iter().take(end));
}

pub(super) fn write_nullable_bytes(out: &mut Vec<u8>, bytes: Option<&[u8]>) {
    match bytes {
        Some(bytes) => {
            write_length(out, bytes.len());
            out.extend(bytes);
        }
        None => out.extend((-1i32).to_be_bytes()),
    }
}

/// Writes groups of (topic, partition numbers).
pub(super) fn write_groups(out: &mut Vec<u8>, groups: &[(&TopicName, Vec<i32>)]) {
    write_length(out, groups.len());
    for (topic, numbers) in groups {
        write_string(out, topic);
        write_length(out, numbers.len());
        for number in numbers {
            out.extend(number.to_be_bytes());
        }
    }
}

/// Groups by topic, topics in the order of their first appearance.
pub(super) fn group_by_topic(partitions: &[TopicPartition]) -> Vec<(&TopicName, Vec<i32>)> {
    let mut groups: Vec<(&TopicName, Vec<i32>)> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    for partition in partitions {
        let place = *places.entry(&partition.topic).or_insert_with(|| {
            groups.push((&partition.topic, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(partition.partition);
    }
    groups
}
