//! User data of the sticky assignors: what a member remembers from the last assignment.

use super::reader::{ProtocolError, Reader, group_by_topic, write_groups};
use crate::kafka::ids::{Bytes, TopicName, TopicPartition};
use crate::kafka::java_hash::{string_hash, walk_of_groups};

/// User data of `sticky`. An eager member has given up everything when it joins, so its former partitions travel
/// here. Version 1 (2.3) has the generation, version 0 has not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StickyUserData {
    /// The partitions of the last assignment.
    pub partitions: Vec<TopicPartition>,
    /// Generation of that assignment. `None`: version 0.
    pub generation: Option<i32>,
}

impl StickyUserData {
    /// Bytes, topics in the order of their first appearance.
    pub fn encode(&self) -> Bytes {
        self.encode_groups(&group_by_topic(&self.partitions))
    }

    /// Bytes as `StickyAssignor.subscriptionUserData` writes them: topics in the walk of a Java map.
    pub fn encode_as_java(&self) -> Bytes {
        let groups = group_by_topic(&self.partitions);
        let hashes: Vec<i32> = groups.iter().map(|(topic, _)| string_hash(topic)).collect();
        let walked: Vec<(&TopicName, Vec<i32>)> = walk_of_groups(&hashes)
            .into_iter()
            .map(|place| groups[place].clone())
            .collect();
        self.encode_groups(&walked)
    }

    fn encode_groups(&self, groups: &[(&TopicName, Vec<i32>)]) -> Bytes {
        let mut out = Vec::new();
        write_groups(&mut out, groups);
        if let Some(generation) = self.generation {
            out.extend(generation.to_be_bytes());
        }
        out.into()
    }

    /// Reads version 1, or version 0 when the bytes end before the generation.
    ///
    /// # Errors
    /// If they are neither. Kafka then takes the member as one that owned nothing.
    pub fn decode(bytes: &[u8]) -> Result<Self, ProtocolError> {
        let mut reader = Reader::new(bytes);
        let partitions = reader.topic_partitions()?;
        Ok(Self {
            partitions,
            generation: reader.int32().ok(),
        })
    }
}

/// User data of `cooperative-sticky`: the generation of the last assignment, for readers that do not know
/// version 2 of the subscription.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CooperativeUserData {
    /// -1 before the first assignment.
    pub generation: i32,
}

impl CooperativeUserData {
    /// The four bytes.
    pub fn encode(self) -> Bytes {
        self.generation.to_be_bytes().as_slice().into()
    }

    /// Reads the first four bytes.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn decode(bytes: &[u8]) -> Result<Self, ProtocolError> {
        Ok(Self {
            generation: Reader::new(bytes).int32()?,
        })
    }
}
