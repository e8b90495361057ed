//! `ConsumerProtocolAssignment`: what a member gets, inside SyncGroup. Versions 0 to 3 have the same fields.

use super::reader::{ProtocolError, Reader, group_by_topic, write_groups, write_nullable_bytes};
use crate::kafka::ids::{Bytes, TopicPartition};

/// An assignment. The order of the partitions is the assignor's and decides the bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assignment {
    /// The partitions, grouped by topic on the wire.
    pub partitions: Vec<TopicPartition>,
    /// Kafka's own assignors add nothing: null from Java, a length of 0 from librdkafka.
    pub user_data: Option<Bytes>,
}

impl Assignment {
    /// Bytes at `version` (0 to 3; newer is written as 3): grouped by topic in the order of first appearance.
    pub fn encode(&self, version: i16) -> Bytes {
        let mut out = Vec::new();
        out.extend(version.clamp(0, super::HIGHEST_VERSION).to_be_bytes());
        write_groups(&mut out, &group_by_topic(&self.partitions));
        write_nullable_bytes(&mut out, self.user_data.as_deref());
        out.into()
    }

    /// Reads a payload of any version.
    ///
    /// # Errors
    /// If it is cut off, holds null where null is not allowed, or says a negative version.
    pub fn decode(bytes: &[u8]) -> Result<Self, ProtocolError> {
        let mut reader = Reader::new(bytes);
        reader.version()?;
        let partitions = reader.topic_partitions()?;
        let user_data = reader.nullable_bytes()?;
        Ok(Self {
            partitions,
            user_data,
        })
    }
}
