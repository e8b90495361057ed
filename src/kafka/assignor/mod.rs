//! Who gets which partition: the four assignors of Kafka's consumer and, in [`server`], the two of the KIP-848
//! coordinator.
//!
//! Each gives exactly what Kafka's class gives, list order included, because list order decides bytes. Where Java
//! walks a hash table, the walk is computed (`kafka::java_hash`); nothing else depends on hash order. Assignors
//! remember nothing between calls, know nothing of brokers and clients, and never panic on what members claim.
//! The account of how a result came about ([`Explain`]) is recorded by the algorithms themselves.
//!
//! Inside, members, topics and partitions are indices ([`group::Group`]); names appear at the border only.
//! Sources: `RangeAssignor`, `RoundRobinAssignor`, `StickyAssignor`, `CooperativeStickyAssignor`,
//! `AbstractPartitionAssignor`, `AbstractStickyAssignor` of the clients. librdkafka's sticky ones are another matter
//! ([`assign_sticky`]).

mod explain;
mod group;
mod librdkafka;
mod racks;
mod range;
mod round_robin;
pub mod server;
mod sticky;

pub use explain::{Explain, GiveReason, MemberOrder, MoveReason, Phase, ReleaseReason, Step};
pub use librdkafka::assign_sticky;

use super::ids::{Bytes, GroupInstanceId, MemberId, TopicName, TopicPartition};
use crate::kafka::sorted::SortedMap;
use group::Group;
use std::rc::Rc;
use thiserror::Error;

/// How a group gives up partitions when it rebalances (KIP-429).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RebalanceProtocol {
    /// Everything before joining.
    Eager,
    /// Only what the new assignment takes away.
    Cooperative,
}

/// A client-side assignor: an entry of `partition.assignment.strategy`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Assignor {
    /// `range`: per topic, blocks of neighbouring partitions.
    Range,
    /// `roundrobin`: all partitions dealt in a circle.
    RoundRobin,
    /// `sticky`: balanced, moving as little as it can.
    Sticky,
    /// `cooperative-sticky`: the same, but what must move is withheld until its owner has given it up.
    CooperativeSticky,
}

impl Assignor {
    /// All of them.
    pub const ALL: [Assignor; 4] = [
        Assignor::Range,
        Assignor::RoundRobin,
        Assignor::Sticky,
        Assignor::CooperativeSticky,
    ];

    /// The name on the wire, by which members vote.
    pub const fn name(self) -> &'static str {
        match self {
            Assignor::Range => "range",
            Assignor::RoundRobin => "roundrobin",
            Assignor::Sticky => "sticky",
            Assignor::CooperativeSticky => "cooperative-sticky",
        }
    }

    /// The assignor of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|assignor| assignor.name() == name)
    }

    /// Whether `PartitionAssignor.supportedProtocols` has it. Every assignor supports eager rebalancing.
    pub const fn supports(self, protocol: RebalanceProtocol) -> bool {
        matches!(
            (self, protocol),
            (Assignor::CooperativeSticky, _) | (_, RebalanceProtocol::Eager)
        )
    }
}

/// What the leader knows of one member, decoded from its subscription.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberSubscription {
    /// Id from the coordinator.
    pub member_id: MemberId,
    /// Set for a static member.
    pub group_instance_id: Option<GroupInstanceId>,
    /// `client.rack`. Empty counts as none.
    pub rack_id: Option<Rc<str>>,
    /// Subscribed topics, known or not, each once.
    pub topics: Vec<TopicName>,
    /// Partitions that the member says it owns (subscription v1 and newer).
    pub owned_partitions: Vec<TopicPartition>,
    /// Generation in which it came to own them (subscription v2 and newer); -1 when absent.
    pub generation: i32,
    /// What the member's own assignor added. Read leniently.
    pub user_data: Option<Bytes>,
}

impl MemberSubscription {
    /// A dynamic member that owns nothing.
    pub fn new(member_id: impl Into<MemberId>, topics: Vec<TopicName>) -> Self {
        Self {
            member_id: member_id.into(),
            group_instance_id: None,
            rack_id: None,
            topics,
            owned_partitions: Vec::new(),
            generation: -1,
            user_data: None,
        }
    }
}

/// What the leader's metadata says of one topic.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TopicMetadata {
    /// Number of partitions. A topic of 0 counts as unknown.
    pub partitions: i32,
    /// Per partition the racks of its replicas, in sync or not; empty when racks are unknown.
    pub replica_racks: Vec<Vec<Rc<str>>>,
}

/// The leader's metadata. Topics that are not in it take no part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClusterTopics {
    /// Topics by name.
    pub topics: SortedMap<TopicName, TopicMetadata>,
}

impl ClusterTopics {
    /// Adds a topic whose racks are unknown.
    pub fn insert(&mut self, name: impl Into<TopicName>, partitions: i32) {
        self.topics.insert(
            name.into(),
            TopicMetadata {
                partitions,
                replica_racks: Vec::new(),
            },
        );
    }
}

/// One member's part of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberAssignment {
    /// Who.
    pub member_id: MemberId,
    /// What, in the order of Kafka's list.
    pub partitions: Vec<TopicPartition>,
}

/// A partition that nobody gets in this round, because somebody must first give it up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeldBack {
    /// The partition.
    pub partition: TopicPartition,
    /// Every member whose `owned_partitions` has it, by member id.
    pub claimed_by: Vec<MemberId>,
    /// The member that it is meant for.
    pub to: MemberId,
}

/// The result for a whole group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GroupAssignment {
    /// Every member, in the order in which a Java leader writes them into SyncGroup (the walk of a hash map).
    pub members: Vec<MemberAssignment>,
    /// `cooperative-sticky` only: what is withheld, by topic and number.
    pub held_back: Vec<HeldBack>,
    /// `cooperative-sticky` only: members that lose something, and so rejoin after revoking it; by member id.
    pub rejoin: Vec<MemberId>,
}

impl GroupAssignment {
    /// The part of one member.
    pub fn of(&self, member_id: &str) -> Option<&[TopicPartition]> {
        self.members
            .iter()
            .find(|member| &*member.member_id == member_id)
            .map(|member| &*member.partitions)
    }
}

/// Where Kafka's assignor throws an exception, which ends the leader's `poll`.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AssignError {
    /// Members claim partitions that do not exist, and the quotas do not come out.
    #[error(
        "no more unfilled consumers to be assigned: members claim partitions that do not exist"
    )]
    QuotasDoNotComeOut,
    /// An older claim names a member that can get nothing any more (its topics are all its own, or it has none).
    #[error(
        "partition {partition} was claimed in an older generation by {claimant}, which takes no part any more"
    )]
    ClaimantTakesNoPart {
        /// The claimed partition.
        partition: TopicPartition,
        /// The member of the older claim.
        claimant: MemberId,
    },
    /// Server side: somebody is subscribed to a topic without metadata.
    #[error(
        "members are subscribed to topic {topic:?}, which does not exist in the topic metadata"
    )]
    UnknownTopic {
        /// Its id.
        topic: super::ids::Uuid,
    },
    /// Server side: quotas and current targets do not come out.
    #[error("partitions were left unassigned")]
    PartitionsLeft,
}

impl AssignError {
    /// Simple name of the exception that Kafka throws here.
    pub const fn java_name(&self) -> &'static str {
        match self {
            AssignError::QuotasDoNotComeOut => "IllegalStateException",
            AssignError::ClaimantTakesNoPart { .. } => "NullPointerException",
            AssignError::UnknownTopic { .. } | AssignError::PartitionsLeft => {
                "PartitionAssignorException"
            }
        }
    }
}

/// Assigns the partitions of all subscribed topics to `members`, given in the order in which the leader received
/// them. A member id that comes twice counts once, with what was said last.
///
/// # Errors
/// Where Kafka's assignor throws; only on claims that no well-behaved group makes.
pub fn assign(
    assignor: Assignor,
    cluster: &ClusterTopics,
    members: &[MemberSubscription],
    explain: &mut Explain,
) -> Result<GroupAssignment, AssignError> {
    let mut group = Group::new(cluster, members);
    if group.members.is_empty() {
        return Ok(GroupAssignment::default());
    }
    match assignor {
        Assignor::Range => Ok(group.result(&range::assign(&group, explain))),
        Assignor::RoundRobin => Ok(group.result(&round_robin::assign(&group, explain))),
        Assignor::Sticky => {
            let claims = sticky::Claims::read(&mut group, sticky::ClaimSource::UserData, explain);
            let outcome = sticky::assign(&group, claims, explain)?;
            Ok(group.result(&outcome.lists))
        }
        Assignor::CooperativeSticky => {
            let claims =
                sticky::Claims::read(&mut group, sticky::ClaimSource::OwnedPartitions, explain);
            let outcome = sticky::assign(&group, claims, explain)?;
            Ok(sticky::withhold(&mut group, outcome, explain))
        }
    }
}
