//! Facts: what happened. Ledgers, views and the trace are folds of facts and of nothing else.

use super::api::{ApiKey, Request, Response};
use super::error::ErrorCode;
use super::ids::{
    ActorName, BrokerId, Bytes, ClientId, ConnectionId, Generation, GroupId, GroupInstanceId,
    MemberId, Offset, TopicName, TopicPartition,
};
use super::time::Instant;
use std::borrow::Cow;
use std::rc::Rc;

/// Number of a fact, in the order of happening, from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FactId(pub u64);

impl FactId {
    /// What the scenario started with: the cause of what has no other.
    pub const BEGINNING: FactId = FactId(0);
}

/// Something that happened, when, and because of what.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// Its number.
    pub id: FactId,
    /// When.
    pub at: Instant,
    /// The fact that led to it. Chains end at an act or at the beginning.
    pub cause: FactId,
    /// What.
    pub kind: FactKind,
}

/// A process's membership as it stood when something happened (spec/08: "every event carries").
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Membership {
    /// `group.id`. Empty: none.
    pub group: GroupId,
    /// The scenario's name for the consumer.
    pub actor: ActorName,
    /// Counts the starts of this actor, from 1: a restarted consumer is another process.
    pub process: u32,
    /// Empty before the first answer to JoinGroup.
    pub member_id: MemberId,
    /// Static members only.
    pub group_instance_id: Option<GroupInstanceId>,
    /// [`Generation::NONE`] outside a generation.
    pub generation: Generation,
}

/// States of a classic group (class `ClassicGroupState`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GroupState {
    /// No members; offsets may remain.
    Empty,
    /// Waiting for members to join.
    PreparingRebalance,
    /// Waiting for the leader's assignment.
    CompletingRebalance,
    /// Everybody has an assignment.
    Stable,
    /// Gone.
    Dead,
}

impl GroupState {
    /// Kafka's name for it.
    pub const fn name(self) -> &'static str {
        match self {
            GroupState::Empty => "Empty",
            GroupState::PreparingRebalance => "PreparingRebalance",
            GroupState::CompletingRebalance => "CompletingRebalance",
            GroupState::Stable => "Stable",
            GroupState::Dead => "Dead",
        }
    }
}

/// Why a group changed its state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GroupWhy {
    /// The first request for a group that did not exist, or a commit from outside.
    Created,
    /// A new member.
    MemberJoined(MemberId),
    /// A known member joined with other protocols or metadata.
    MemberChanged(MemberId),
    /// The leader joined again: something about its topics changed.
    LeaderRejoined(MemberId),
    /// A static member came back under a new id, and the group cannot go on as it was.
    StaticMemberReplaced(GroupInstanceId),
    /// LeaveGroup.
    MemberLeft(MemberId),
    /// The member's session timer fired.
    SessionExpired(MemberId),
    /// Every member has joined.
    AllJoined,
    /// The initial delay is over.
    InitialDelayOver,
    /// The rebalance timeout is over; who has not joined is out.
    RebalanceTimeout,
    /// Nobody is left.
    LastMemberLeft,
    /// The leader's assignment is stored.
    AssignmentStored,
    /// The assignment could not be stored.
    AssignmentNotStored(ErrorCode),
    /// These members did not send SyncGroup in time.
    SyncTimeout,
    /// Deleted by an admin client, or its last offset expired.
    Deleted,
}

/// Why a member is no longer in its group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RemovalCause {
    /// Its session timer fired.
    SessionExpired,
    /// It sent LeaveGroup.
    Left,
    /// An admin client removed it.
    RemovedByAdmin,
    /// It did not join in time.
    RebalanceTimeout,
    /// It did not send SyncGroup in time.
    SyncTimeout,
    /// The group is full.
    GroupFull,
    /// A newer process with the same `group.instance.id` took its place.
    Fenced,
}

/// States of the client's membership (class `AbstractCoordinator.MemberState`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemberState {
    /// Not in a group.
    Unjoined,
    /// JoinGroup sent.
    PreparingRebalance,
    /// JoinGroup answered, SyncGroup sent.
    CompletingRebalance,
    /// In a generation.
    Stable,
}

/// Callbacks of `ConsumerRebalanceListener`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Callback {
    /// `onPartitionsRevoked`
    Revoked,
    /// `onPartitionsAssigned`
    Assigned,
    /// `onPartitionsLost`
    Lost,
}

/// Why a member let go of a partition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ReleaseCause {
    /// Eager rebalance: everything is given up before joining.
    EagerRevoke,
    /// Cooperative rebalance: the new assignment lacks it.
    CooperativeRevoke,
    /// Generation or member id was lost.
    Lost,
    /// `close()`, or `unsubscribe()`.
    Closed,
    /// The process died.
    Crashed,
    /// The subscription no longer has its topic.
    Unsubscribed,
}

/// Why a position is where it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PositionCause {
    /// The group's committed offset.
    Committed,
    /// `auto.offset.reset=earliest`
    ResetEarliest,
    /// `auto.offset.reset=latest`
    ResetLatest,
    /// `seek()`
    Seek,
    /// The log was truncated below the position.
    Truncation,
}

/// How a commit came about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CommitKind {
    /// `commitSync()`
    Sync,
    /// `commitAsync()`
    Async,
    /// `enable.auto.commit`
    Auto,
}

/// What a client's call throws.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exception {
    /// The member is no longer in the group.
    CommitFailed,
    /// A rebalance is under way; call poll and try again.
    RebalanceInProgress,
    /// Another process has this `group.instance.id`.
    FencedInstanceId,
    /// A commit or position with a time limit did not finish in it.
    Timeout,
    /// No committed offset and `auto.offset.reset=none`.
    NoOffsetForPartition(TopicPartition),
    /// The position is outside the log and `auto.offset.reset=none`.
    OffsetOutOfRange(TopicPartition),
    /// The deserializer cannot read that record (class `RecordDeserializationException`).
    RecordDeserialization(TopicPartition, Offset),
    /// Any other error code, by its own exception class.
    Kafka(ErrorCode),
    /// Misuse of the client, in words.
    IllegalState(Rc<str>),
}

impl Exception {
    /// What it goes by: the class's own name, or an error by its number and name.
    pub fn name(&self) -> Cow<'static, str> {
        match self {
            Exception::Kafka(error) => Cow::Owned(format!("{} {}", error.code(), error.name())),
            other => Cow::Borrowed(other.word()),
        }
    }

    /// The class's own name, or an error's name alone.
    pub const fn word(&self) -> &'static str {
        match self {
            Exception::CommitFailed => "CommitFailedException",
            Exception::RebalanceInProgress => "RebalanceInProgressException",
            Exception::FencedInstanceId => "FencedInstanceIdException",
            Exception::Timeout => "TimeoutException",
            Exception::NoOffsetForPartition(_) => "NoOffsetForPartitionException",
            Exception::OffsetOutOfRange(_) => "OffsetOutOfRangeException",
            Exception::RecordDeserialization(..) => "RecordDeserializationException",
            Exception::Kafka(error) => error.name(),
            Exception::IllegalState(_) => "IllegalStateException",
        }
    }
}

/// What an administrator's tool was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AdminTask {
    /// `kafka-consumer-groups.sh --reset-offsets`
    ResetOffsets(GroupId),
    /// `kafka-consumer-groups.sh --delete-offsets`
    DeleteOffsets(GroupId, TopicName),
    /// `kafka-consumer-groups.sh --delete`
    DeleteGroup(GroupId),
    /// `Admin.removeMembersFromConsumerGroup`
    RemoveMember(GroupId, GroupInstanceId),
    /// `kafka-topics.sh --delete`
    DeleteTopic(TopicName),
    /// `kafka-delete-records.sh`
    DeleteRecords(TopicPartition),
}

/// Why it came to nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AdminRefusal {
    /// A broker answered with this error.
    Error(ErrorCode),
    /// The tool resets no offsets while the group is in this state.
    GroupActive(Rc<str>),
    /// There is no committed offset to shift.
    NoCommittedOffset(TopicPartition),
    /// No answer in time.
    Timeout,
}

/// Who takes part in an exchange.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Party {
    /// A broker.
    Broker(BrokerId),
    /// A consumer, producer or raw connection.
    Client(ActorName),
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StopCause {
    /// `close()` ran to its end.
    Closed,
    /// kill -9: nothing more was sent.
    Killed,
    /// The application let an exception end it.
    Failed,
}

/// A timer, as the learner reads it: who waits for what.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Why {
    /// Coordinator: silence of a member (`session.timeout.ms`).
    SessionTimeout(GroupId, MemberId),
    /// Coordinator: `group.initial.rebalance.delay.ms`, or its extension.
    InitialDelay(GroupId),
    /// Coordinator: the slowest member's rebalance timeout.
    RebalanceTimeout(GroupId),
    /// Coordinator: SyncGroup of all members.
    SyncTimeout(GroupId),
    /// Coordinator: a group record or offsets are being written.
    GroupAppend(GroupId),
    /// Coordinator: check of expired offsets.
    OffsetsRetentionCheck,
    /// Broker: `fetch.max.wait.ms` of a parked fetch.
    FetchMaxWait,
    /// Broker: check of log retention.
    LogRetentionCheck,
    /// Consumer: next heartbeat (`heartbeat.interval.ms`).
    HeartbeatInterval,
    /// Consumer: no answered heartbeat (`session.timeout.ms`).
    ClientSessionTimeout,
    /// Consumer: poll was not called (`max.poll.interval.ms`).
    MaxPollInterval,
    /// Consumer: `auto.commit.interval.ms`.
    AutoCommitInterval,
    /// Client: pause before a retry (`retry.backoff.ms`).
    RetryBackoff,
    /// Client: no answer in time (`request.timeout.ms`).
    RequestTimeout,
    /// Client: `metadata.max.age.ms`.
    MetadataMaxAge,
    /// Consumer: the leader is computing the assignment.
    Assigning,
    /// Consumer: the time given to a call (`default.api.timeout.ms`, poll's timeout) is over.
    CallTimeout,
    /// Application: its next step (a record handled, the next poll).
    Application,
    /// Producer: the next record of its rate.
    ProducerRate,
    /// Producer: `linger.ms` of a batch.
    Linger,
    /// Producer: `delivery.timeout.ms` of a batch.
    DeliveryTimeout,
}

/// What one member gets in an assignment: its id, its instance id, its partitions.
pub type Share = (MemberId, Option<GroupInstanceId>, Vec<TopicPartition>);

/// What happened.
#[derive(Clone, PartialEq, Debug)]
pub enum FactKind {
    /// A person's (or the scenario's) act, by its number in the history.
    Act { number: u32 },
    /// A timer fired. Its cause is what set the timer.
    TimerFired { party: Party, why: Why },

    /// A process began.
    Started { actor: ActorName, process: u32 },
    /// A process ended.
    Stopped {
        actor: ActorName,
        process: u32,
        how: StopCause,
    },
    /// The process stands still (SIGSTOP, a long garbage collection, a suspended laptop).
    Frozen { actor: ActorName },
    /// It goes on.
    Thawed { actor: ActorName },

    /// A request went onto the wire.
    RequestSent {
        exchange: u64,
        connection: ConnectionId,
        from: ActorName,
        to: BrokerId,
        correlation_id: i32,
        api_version: i16,
        client_id: Option<ClientId>,
        request: Rc<Request>,
        arrives: Instant,
    },
    /// The broker took it into work.
    RequestReceived { exchange: u64 },
    /// The broker keeps the answer back until something happens.
    RequestParked { exchange: u64 },
    /// The answer went onto the wire.
    ResponseSent {
        exchange: u64,
        response: Rc<Response>,
        arrives: Instant,
    },
    /// The client has it.
    ResponseReceived { exchange: u64 },
    /// Request or answer never arrives: dropped by an act, or its receiver is gone.
    MessageLost { exchange: u64 },

    /// A topic, or more partitions of it, exists from now on.
    PartitionCreated {
        partition: TopicPartition,
        leader: BrokerId,
    },
    /// The partition is gone, with its records.
    PartitionDeleted { partition: TopicPartition },
    /// The leader appended a batch: offsets `base` up to, not including, `next`.
    Append {
        partition: TopicPartition,
        base: Offset,
        next: Offset,
        max_timestamp_ms: i64,
    },
    /// Consumers may read up to, not including, `offset`.
    HwAdvance {
        partition: TopicPartition,
        offset: Offset,
    },
    /// Records below `offset` are gone.
    LogStartAdvance {
        partition: TopicPartition,
        offset: Offset,
    },

    /// The group went from one state to another.
    GroupStateChanged {
        group: GroupId,
        from: GroupState,
        to: GroupState,
        generation: Generation,
        why: GroupWhy,
    },
    /// An id was given with 79 and is awaited back.
    MemberPending { group: GroupId, member_id: MemberId },
    /// The coordinator has a new member. `replaces`: the id that a static member had before.
    MemberAdded {
        group: GroupId,
        member_id: MemberId,
        group_instance_id: Option<GroupInstanceId>,
        replaces: Option<MemberId>,
    },
    /// The coordinator no longer has this member (or pending id).
    MemberRemoved {
        group: GroupId,
        member_id: MemberId,
        cause: RemovalCause,
    },
    /// The group has another leader.
    LeaderElected { group: GroupId, member_id: MemberId },
    /// The join phase is complete: a new generation.
    JoinCompleted {
        group: GroupId,
        generation: Generation,
        protocol: Rc<str>,
        leader: MemberId,
    },
    /// The leader's assignment of a generation is in force: member, its instance id, its share.
    Assigned {
        group: GroupId,
        generation: Generation,
        shares: Rc<[Share]>,
    },
    /// The coordinator stored an offset.
    CommitStored {
        group: GroupId,
        partition: TopicPartition,
        offset: Offset,
        member_id: MemberId,
    },
    /// A stored offset is gone (expired, or deleted by an admin client).
    CommitRemoved {
        group: GroupId,
        partition: TopicPartition,
    },

    /// The client's membership changed.
    MemberStateChanged {
        member: Rc<Membership>,
        from: MemberState,
        to: MemberState,
    },
    /// A rebalance callback was called.
    CallbackCalled {
        member: Rc<Membership>,
        callback: Callback,
        partitions: Vec<TopicPartition>,
    },
    /// It returned.
    CallbackReturned {
        member: Rc<Membership>,
        callback: Callback,
    },
    /// The member holds the partition from now on.
    Acquire {
        member: Rc<Membership>,
        partition: TopicPartition,
    },
    /// It no longer does.
    Release {
        member: Rc<Membership>,
        partition: TopicPartition,
        cause: ReleaseCause,
    },
    /// The next record that poll will return is this one.
    PositionSet {
        member: Rc<Membership>,
        partition: TopicPartition,
        offset: Offset,
        cause: PositionCause,
    },
    /// Poll returned offsets `base` up to, not including, `next`.
    Deliver {
        member: Rc<Membership>,
        partition: TopicPartition,
        base: Offset,
        next: Offset,
    },
    /// The application finished offsets `base` up to, not including, `next`.
    Done {
        member: Rc<Membership>,
        partition: TopicPartition,
        base: Offset,
        next: Offset,
    },
    /// The application could not handle that record, and goes on without it.
    GivenUp {
        member: Rc<Membership>,
        partition: TopicPartition,
        offset: Offset,
    },
    /// The application could not handle that record; it sent it to a retry topic and goes on.
    Forwarded {
        member: Rc<Membership>,
        partition: TopicPartition,
        offset: Offset,
        to: TopicPartition,
        to_offset: Offset,
    },
    /// A commit was asked for.
    CommitStarted {
        member: Rc<Membership>,
        kind: CommitKind,
        offsets: Vec<(TopicPartition, Offset)>,
    },
    /// A commit came to its end.
    CommitFinished {
        member: Rc<Membership>,
        kind: CommitKind,
        error: Option<Exception>,
    },
    /// The client wants these topics from the group from now on (by name; a pattern: what it matches
    /// now). None: it wants nothing more.
    SubscriptionChanged {
        member: Rc<Membership>,
        topics: Vec<TopicName>,
        pattern: Option<Rc<str>>,
    },
    /// A partition's fetching was paused or resumed by the application.
    PauseChanged {
        member: Rc<Membership>,
        partition: TopicPartition,
        paused: bool,
    },
    /// `max.poll.interval.ms` passed without a poll; the heartbeat thread gave up the membership.
    PollTimeoutExpired { member: Rc<Membership> },
    /// A call of the client threw.
    Thrown {
        actor: ActorName,
        process: u32,
        exception: Exception,
    },

    /// An administrator's tool has done what it was asked for, or why not.
    AdminFinished {
        actor: ActorName,
        task: AdminTask,
        refusal: Option<AdminRefusal>,
    },

    /// The producer put a record into its accumulator.
    RecordAccumulated {
        actor: ActorName,
        partition: TopicPartition,
        key: Option<Bytes>,
    },
    /// A batch is in a request.
    BatchSent {
        actor: ActorName,
        partition: TopicPartition,
        records: u32,
        attempt: u32,
    },
    /// The batch is written: its first record has this offset (-1 with acks=0).
    BatchAcknowledged {
        actor: ActorName,
        partition: TopicPartition,
        records: u32,
        base: Offset,
    },
    /// The batch failed for good.
    BatchFailed {
        actor: ActorName,
        partition: TopicPartition,
        records: u32,
        error: ErrorCode,
    },
}

impl FactKind {
    /// The API of a request that is sent, for filters.
    pub fn api(&self) -> Option<ApiKey> {
        match self {
            FactKind::RequestSent { request, .. } => Some(request.api()),
            FactKind::ResponseSent { response, .. } => Some(response.api()),
            _ => None,
        }
    }
}
