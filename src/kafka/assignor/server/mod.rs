//! The assignors of the KIP-848 coordinator, `uniform` and `range`.
//!
//! They work on topic ids and on every member's current target, and give new targets, towards which the members
//! are moved step by step; so nothing is withheld here. Racks are not used (4.0).
//! Sources: `UniformAssignor`, `UniformHomogeneousAssignmentBuilder`, `UniformHeterogeneousAssignmentBuilder`,
//! `RangeAssignor` of the group coordinator.

mod balancer;
mod heterogeneous;
mod homogeneous;
mod range;

pub use super::{AssignError, Explain};

use super::{MemberOrder, Step};
use crate::kafka::ids::{GroupInstanceId, MemberId, TopicName, TopicPartition, Uuid};
use crate::kafka::java_hash::{is_walk_of_copy, string_hash, uuid_hash, walk, walk_of_copy};
use crate::kafka::sorted::SortedMap;
use std::rc::Rc;

/// A server-side assignor: an entry of `group.consumer.assignors`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ServerAssignor {
    /// `uniform`, the default: balanced over all topics, sticky.
    Uniform,
    /// `range`: per topic, blocks of neighbouring partitions.
    Range,
}

impl ServerAssignor {
    /// Both.
    pub const ALL: [ServerAssignor; 2] = [ServerAssignor::Uniform, ServerAssignor::Range];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            ServerAssignor::Uniform => "uniform",
            ServerAssignor::Range => "range",
        }
    }

    /// The assignor of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|assignor| assignor.name() == name)
    }
}

/// Whether all members are subscribed to the same topic names. The coordinator counts that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubscriptionType {
    /// They are.
    Homogeneous,
    /// They are not.
    Heterogeneous,
}

/// A member's target: partitions per topic, in the order in which Java walks its map and sets. The order decides
/// what a member gives up first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Target {
    /// Topics, each once, with at least one partition.
    pub topics: Vec<(Uuid, Vec<i32>)>,
}

impl Target {
    /// The same partitions in the order that Java's collections have after the target was written as a record and
    /// read back: a map filled topic by topic, of sets made from lists. Every target of the coordinator has been.
    pub fn walked(mut self) -> Self {
        // `Integer.hashCode` is the number.
        for (_, numbers) in &mut self.topics {
            if !is_walk_of_copy(numbers) {
                *numbers = walk_of_copy(numbers)
                    .into_iter()
                    .map(|place| numbers[place])
                    .collect();
            }
        }
        if self.topics.len() > 1 {
            let hashes: Vec<i32> = self
                .topics
                .iter()
                .map(|(topic, _)| uuid_hash(*topic))
                .collect();
            let order = walk(&hashes);
            self.topics = order
                .into_iter()
                .map(|place| std::mem::take(&mut self.topics[place]))
                .collect();
        }
        self
    }
}

/// A member as the assignors see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerMember {
    /// Id, made by the client.
    pub member_id: MemberId,
    /// Set for a static member.
    pub instance_id: Option<GroupInstanceId>,
    /// Ids of the subscribed topics that exist, each once.
    pub topic_ids: Rc<[Uuid]>,
    /// Its current target.
    pub target: Rc<Target>,
}

/// A topic in the coordinator's metadata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerTopic {
    /// Name, for the account only.
    pub name: TopicName,
    /// Number of partitions.
    pub partitions: i32,
}

/// A group to be assigned.
#[derive(Clone, Debug)]
pub struct GroupSpec<'a> {
    /// Members in the order in which they came into the coordinator's map.
    pub members: &'a [ServerMember],
    /// Whether they want the same.
    pub subscription_type: SubscriptionType,
    /// Topics with metadata.
    pub topics: &'a SortedMap<Uuid, ServerTopic>,
}

/// New targets, in the walk of Java's map. A member that is missing gets nothing. A target that did not change is
/// the one that was given.
pub type Targets = Vec<(MemberId, Rc<Target>)>;

/// Computes the targets of a group.
///
/// # Errors
/// If a member is subscribed to a topic without metadata.
pub fn assign(
    assignor: ServerAssignor,
    spec: &GroupSpec,
    explain: &mut Explain,
) -> Result<Targets, AssignError> {
    let group = Walked::new(spec);
    if group.members.is_empty() {
        return Ok(Targets::new());
    }
    match (assignor, spec.subscription_type) {
        (ServerAssignor::Range, _) => range::assign(&group, explain),
        (ServerAssignor::Uniform, SubscriptionType::Homogeneous) => {
            homogeneous::assign(&group, explain)
        }
        (ServerAssignor::Uniform, SubscriptionType::Heterogeneous) => {
            heterogeneous::assign(&group, explain)
        }
    }
}

/// A group with its members in the walk of Java's map.
struct Walked<'a> {
    members: Vec<&'a ServerMember>,
    topics: &'a SortedMap<Uuid, ServerTopic>,
}

impl<'a> Walked<'a> {
    fn new(spec: &GroupSpec<'a>) -> Self {
        let hashes: Vec<i32> = spec
            .members
            .iter()
            .map(|member| string_hash(&member.member_id))
            .collect();
        Self {
            members: walk(&hashes)
                .into_iter()
                .map(|place| &spec.members[place])
                .collect(),
            topics: spec.topics,
        }
    }

    /// Number of partitions of a topic.
    fn partitions(&self, topic: Uuid) -> Result<usize, AssignError> {
        let known = self
            .topics
            .get(&topic)
            .ok_or(AssignError::UnknownTopic { topic })?;
        Ok(usize::try_from(known.partitions).unwrap_or(0))
    }

    fn partition(&self, topic: Uuid, number: i32) -> TopicPartition {
        let name = self
            .topics
            .get(&topic)
            .map(|topic| topic.name.clone())
            .unwrap_or_default();
        TopicPartition {
            topic: name,
            partition: number,
        }
    }

    fn explain_order(&self, by: MemberOrder, order: &[&ServerMember], explain: &mut Explain) {
        let members = || {
            order
                .iter()
                .map(|member| member.member_id.clone())
                .collect()
        };
        explain.step(|| Step::Order {
            by,
            members: members(),
        });
    }
}

/// Partition number at an index.
fn number(index: usize) -> i32 {
    i32::try_from(index).expect("an index below a count that was an i32")
}
