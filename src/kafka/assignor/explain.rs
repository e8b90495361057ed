//! The account of an assignment: what the algorithm did, in its own order, as plain data for a page to word.

use crate::kafka::ids::{MemberId, TopicName, TopicPartition};

/// Collects steps, or nothing: an assignor that is not asked to explain pays one test per step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explain {
    steps: Option<Vec<Step>>,
}

impl Explain {
    /// Records nothing.
    pub const fn off() -> Self {
        Self { steps: None }
    }

    /// Records every step.
    pub const fn on() -> Self {
        Self {
            steps: Some(Vec::new()),
        }
    }

    /// What was recorded, oldest first.
    pub fn steps(&self) -> &[Step] {
        self.steps.as_deref().unwrap_or_default()
    }

    /// Records a step; `make` is called only when steps are wanted.
    pub(super) fn step(&mut self, make: impl FnOnce() -> Step) {
        if let Some(steps) = &mut self.steps {
            steps.push(make());
        }
    }
}

/// How members were put in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberOrder {
    /// Static members by instance id, then dynamic ones by member id.
    StaticFirst,
    /// The walk of Java's hash map over member ids: arbitrary to an observer, but fixed.
    HashWalk,
}

/// Parts of the algorithms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Sorting out what members say they own.
    Claims,
    /// All subscriptions are equal: the quick algorithm of the sticky assignors.
    Constrained,
    /// Subscriptions differ: the general algorithm of the sticky assignors.
    General,
    /// Partitions go to members in the same rack first.
    RackMatching,
    /// What is left is dealt out.
    Remaining,
    /// Formerly unowned partitions are moved to improve the balance.
    ImproveNew,
    /// All partitions may be moved to improve the balance.
    ImproveAll,
    /// Cooperative: what must first be given up is taken out again.
    Withhold,
}

/// Why a member was given a partition that it did not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GiveReason {
    /// `range`: the next block of the topic, up to the member's quota.
    NextInRange,
    /// `range` with racks: a replica is in the member's rack.
    RackMatch,
    /// `range` with racks: the partitions of this number go together, in all topics with the same members.
    CoPartitionedRackMatch,
    /// `roundrobin`: next on the circle.
    NextOnCircle,
    /// Constrained sticky: next of the members below the minimum quota.
    BelowMinimum,
    /// Constrained sticky: next of the members that may have one more than the minimum.
    ExtraPartition,
    /// General sticky, server `uniform` with unequal subscriptions: least loaded of the subscribed members.
    LeastLoaded,
    /// Server `uniform` with equal subscriptions: the member has room up to its quota.
    BelowQuota,
}

/// Why a member did not keep a partition that it claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReleaseReason {
    /// Another member claims it in the same generation: nobody keeps it.
    DoublyClaimed,
    /// Another member claims it with a higher generation.
    OlderGeneration,
    /// The topic has no metadata, or nobody is subscribed to it.
    TopicGone,
    /// The member is no longer subscribed to the topic.
    NotSubscribed,
    /// No replica is in the member's rack.
    RackMismatch,
    /// The member has more than its quota.
    OverQuota,
}

/// Why a partition was moved between members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveReason {
    /// The owner has at least two more than the least loaded subscribed member.
    Balance,
    /// As for balance, to the member that claimed the partition in an older generation.
    FormerOwner,
    /// Another partition of the topic had moved the opposite way: that one goes back instead.
    Reverse,
}

/// One step of an assignor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A part of the algorithm begins.
    Begin(Phase),
    /// Members are taken in this order.
    Order {
        /// How the order came about.
        by: MemberOrder,
        /// The members.
        members: Vec<MemberId>,
    },
    /// How many partitions everybody gets.
    Quota {
        /// The topic it is about; `None`: all topics together.
        topic: Option<TopicName>,
        /// Partitions to be given.
        partitions: usize,
        /// Members to share them.
        members: usize,
        /// What each member gets at least.
        quota: usize,
        /// How many members get one more.
        extra: usize,
    },
    /// A member keeps what it had.
    Keep {
        /// What.
        partition: TopicPartition,
        /// Who.
        member: MemberId,
    },
    /// A member does not keep what it had.
    Release {
        /// What.
        partition: TopicPartition,
        /// Who had it.
        member: MemberId,
        /// Why.
        why: ReleaseReason,
    },
    /// A member is given a partition.
    Give {
        /// What.
        partition: TopicPartition,
        /// Who gets it.
        member: MemberId,
        /// Why.
        why: GiveReason,
    },
    /// `roundrobin`: the circle passes a member by, because it is not subscribed.
    Skip {
        /// The topic in turn.
        topic: TopicName,
        /// The member.
        member: MemberId,
    },
    /// General sticky: the member has all it can have and nobody could take it: it is left alone from here on.
    Fixed {
        /// The member.
        member: MemberId,
    },
    /// A partition changes hands while balancing.
    Move {
        /// What.
        partition: TopicPartition,
        /// Whose it was.
        from: MemberId,
        /// Whose it is now.
        to: MemberId,
        /// Why.
        why: MoveReason,
    },
    /// General sticky: balancing did not improve the balance, so the state before it is restored.
    Restored,
    /// Cooperative: the partition is taken out of the new owner's list until the old owner has given it up.
    HoldBack {
        /// What.
        partition: TopicPartition,
        /// Who will get it in the next round.
        to: MemberId,
    },
}
