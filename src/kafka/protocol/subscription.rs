//! `ConsumerProtocolSubscription`: what a member wants and has, inside JoinGroup.
//!
//! v0 topics and user data; v1 owned partitions (2.4); v2 generation and v3 rack (3.4).

use super::reader::{ProtocolError, Reader, write_length, write_nullable_bytes, write_string};
use crate::kafka::ids::{Bytes, TopicName, TopicPartition};
use crate::kafka::java_hash::compare_strings;
use crate::kafka::sorted::sort_by;
use std::rc::Rc;

/// A subscription, in the newest shape. Fields that a version lacks are dropped when it is written and read as
/// empty, -1 and null.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subscription {
    /// Topics in the order of the caller (written) or of the bytes (read).
    pub topics: Vec<TopicName>,
    /// What the assignor added. Java sends null when there is nothing, librdkafka a length of 0.
    pub user_data: Option<Bytes>,
    /// Partitions that the member has and will not give up by joining.
    pub owned_partitions: Vec<TopicPartition>,
    /// Generation in which `owned_partitions` were assigned; -1: none. librdkafka (2.x) always sends -1.
    pub generation: i32,
    /// `client.rack`. Java sends null when it is not set, librdkafka a length of 0.
    pub rack_id: Option<Rc<str>>,
}

impl Subscription {
    /// Bytes as Java writes them at `version` (0 to 3; newer is written as 3): topics and owned partitions sorted.
    pub fn encode(&self, version: i16) -> Bytes {
        let version = version.clamp(0, super::HIGHEST_VERSION);
        let mut out = Vec::new();
        out.extend(version.to_be_bytes());
        let mut topics: Vec<&TopicName> = self.topics.iter().collect();
        sort_by(&mut topics, |left, right| compare_strings(left, right));
        write_length(&mut out, topics.len());
        for topic in topics {
            write_string(&mut out, topic);
        }
        write_nullable_bytes(&mut out, self.user_data.as_deref());
        if version >= 1 {
            self.encode_owned(&mut out);
        }
        if version >= 2 {
            out.extend(self.generation.to_be_bytes());
        }
        if version >= 3 {
            match &self.rack_id {
                Some(rack) => write_string(&mut out, rack),
                None => out.extend((-1i16).to_be_bytes()),
            }
        }
        out.into()
    }

    fn encode_owned(&self, out: &mut Vec<u8>) {
        let mut owned: Vec<&TopicPartition> = self.owned_partitions.iter().collect();
        sort_by(&mut owned, |left, right| {
            compare_strings(&left.topic, &right.topic).then(left.partition.cmp(&right.partition))
        });
        let groups: Vec<_> = owned
            .chunk_by(|left, right| left.topic == right.topic)
            .map(|group| {
                (
                    &group[0].topic,
                    group.iter().map(|partition| partition.partition).collect(),
                )
            })
            .collect();
        super::reader::write_groups(out, &groups);
    }

    /// Reads a payload of any version.
    ///
    /// # Errors
    /// If it is cut off, holds null where null is not allowed, or says a negative version. What follows the last
    /// known field is ignored.
    pub fn decode(bytes: &[u8]) -> Result<Self, ProtocolError> {
        let mut reader = Reader::new(bytes);
        let version = reader.version()?;
        let topics = reader.list(2, Reader::topic)?;
        let user_data = reader.nullable_bytes()?;
        let owned_partitions = if version >= 1 {
            reader.topic_partitions()?
        } else {
            Vec::new()
        };
        let generation = if version >= 2 { reader.int32()? } else { -1 };
        let rack_id = if version >= 3 {
            reader.nullable_string()?.map(Rc::from)
        } else {
            None
        };
        Ok(Self {
            topics,
            user_data,
            owned_partitions,
            generation,
            rack_id,
        })
    }

    /// As the assignors see it: a negative generation is none, an empty rack is none.
    pub fn rack(&self) -> Option<&Rc<str>> {
        self.rack_id.as_ref().filter(|rack| !rack.is_empty())
    }
}
