//! Commands: what a person, a scenario file or a link may do to the world. The same type everywhere.

use super::setup::{
    ApplicationSpec, CommitStyle, ConsumerSpec, Keys, ProducerSpec, Reads, TopicSpec,
};
use crate::kafka::config::ConfigError;
use crate::kafka::ids::{
    ActorName, BrokerId, GroupId, GroupInstanceId, MemberId, Offset, TopicName, TopicPartition,
};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// Configurations by dotted name, as text, as they would stand in a properties file.
pub type Configs = SortedMap<Rc<str>, Rc<str>>;

/// An act, and when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// When, in ms.
    pub at: Instant,
    /// What.
    pub command: Command,
}

/// What may be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Starts consumers that did not exist.
    AddConsumers {
        /// Who, in the order in which they start.
        consumers: Vec<ConsumerSpec>,
    },
    /// `close()`: the consumer leaves in good order, and its process ends.
    Close {
        /// Who.
        actor: ActorName,
    },
    /// kill -9.
    Kill {
        /// Who.
        actor: ActorName,
    },
    /// The process stands still.
    Freeze {
        /// Who.
        actor: ActorName,
    },
    /// It goes on.
    Thaw {
        /// Who.
        actor: ActorName,
    },
    /// Starts a new process of a consumer. If one runs, it is closed first.
    Restart {
        /// Who.
        actor: ActorName,
        /// Configurations that change. An empty text takes one back to its default.
        configs: Configs,
    },
    /// Changes a configuration of a consumer or producer. It counts from its next start on: real clients
    /// read theirs once.
    SetConfig {
        /// Whose.
        actor: ActorName,
        /// Dotted name.
        name: Rc<str>,
        /// The value; an empty text is the default.
        value: Rc<str>,
    },
    /// `kafka-configs.sh --alter --entity-type brokers`: changes a configuration of a broker while it runs. Most
    /// of them Kafka reads only when a broker starts.
    SetBrokerConfig {
        /// Whose.
        broker: BrokerId,
        /// Dotted name.
        name: Rc<str>,
        /// The value; an empty text is the default.
        value: Rc<str>,
    },
    /// How long the application takes for one record from now on.
    SetHandler {
        /// Whose.
        actor: ActorName,
        /// Per record.
        time_per_record: Duration,
    },
    /// The application keeps away from poll for so long, as soon as its present call returns.
    Stall {
        /// Whose.
        actor: ActorName,
        /// How long.
        length: Duration,
    },
    /// When the application commits from now on.
    SetCommitStyle {
        /// Whose.
        actor: ActorName,
        /// When. Not said: never under `enable.auto.commit`, else after each batch.
        commit: Option<CommitStyle>,
    },
    /// Exchanges the whole model of the application.
    SetApplication {
        /// Whose.
        actor: ActorName,
        /// The new one.
        application: ApplicationSpec,
    },
    /// Calls `subscribe()` or `assign()` anew.
    SetReads {
        /// Who.
        actor: ActorName,
        /// What it reads from now on.
        reads: Reads,
    },
    /// Gives every consumer of a group another `partition.assignment.strategy`.
    SwitchAssignor {
        /// Whose.
        group: GroupId,
        /// The assignors by name, most wanted first.
        strategy: Vec<Rc<str>>,
        /// In which way.
        how: Rollout,
    },
    /// `pause()`
    Pause {
        /// Who.
        actor: ActorName,
        /// Which.
        partitions: Vec<TopicPartition>,
    },
    /// `resume()`
    Resume {
        /// Who.
        actor: ActorName,
        /// Which.
        partitions: Vec<TopicPartition>,
    },
    /// `seek()`
    Seek {
        /// Who.
        actor: ActorName,
        /// Which.
        partition: TopicPartition,
        /// To where.
        offset: Offset,
    },
    /// `enforceRebalance()`
    EnforceRebalance {
        /// Who.
        actor: ActorName,
    },
    /// `commitSync()`, as soon as the present call returns.
    Commit {
        /// Who.
        actor: ActorName,
        /// What. Empty: all positions.
        offsets: SortedMap<TopicPartition, Offset>,
    },

    /// Starts a producer that did not exist.
    AddProducer {
        /// Who.
        producer: ProducerSpec,
    },
    /// A producer or feed goes on.
    StartProducer {
        /// Who.
        actor: ActorName,
    },
    /// It makes no more records; what it has accumulated still goes out.
    StopProducer {
        /// Who.
        actor: ActorName,
    },
    /// A producer sends one record, whether or not it makes records by itself.
    SendRecord {
        /// Who.
        actor: ActorName,
        /// The record's key.
        key: Option<Rc<str>>,
    },
    /// Time from one record to the next from now on.
    SetRate {
        /// Whose.
        actor: ActorName,
        /// Above 0.
        every: Duration,
    },
    /// Keys of its records from now on.
    SetKeys {
        /// Whose.
        actor: ActorName,
        /// What keys.
        keys: Keys,
    },
    /// Size of its records' values from now on.
    SetSize {
        /// Whose.
        actor: ActorName,
        /// The size.
        size_bytes: u32,
    },

    /// Creates a topic.
    CreateTopic {
        /// Which.
        topic: TopicSpec,
    },
    /// Gives a topic more partitions.
    AddPartitions {
        /// Which.
        topic: TopicName,
        /// How many it has then.
        total: i32,
    },
    /// Makes a record one that applications cannot handle.
    Poison {
        /// Where.
        partition: TopicPartition,
        /// Which.
        offset: Offset,
    },
    /// Makes a record one that deserializers cannot read: poll throws when it comes to it.
    Corrupt {
        /// Where.
        partition: TopicPartition,
        /// Which.
        offset: Offset,
    },
    /// Sends a request to a group's coordinator over a connection of its own, as an admin tool does or a
    /// client that somebody wrote by hand.
    Send {
        /// Name of the connection. Its first request opens it.
        client: ActorName,
        /// What it sends.
        request: RawRequest,
    },
    /// An administrator's tool goes to work.
    Admin(AdminAct),
    /// Something befalls the next request of a kind, or the answer to it.
    Fault {
        /// Of whom. Not said: of anybody.
        actor: Option<ActorName>,
        /// The API by Kafka's name, such as `JoinGroup`.
        api: Rc<str>,
        /// What befalls it.
        what: FaultKind,
    },
}

impl Command {
    /// The actor that must be there for it: whose, or who.
    pub fn actor(&self) -> Option<&ActorName> {
        match self {
            Command::Close { actor }
            | Command::Kill { actor }
            | Command::Freeze { actor }
            | Command::Thaw { actor }
            | Command::Restart { actor, .. }
            | Command::SetConfig { actor, .. }
            | Command::SetHandler { actor, .. }
            | Command::Stall { actor, .. }
            | Command::SetCommitStyle { actor, .. }
            | Command::SetApplication { actor, .. }
            | Command::SetReads { actor, .. }
            | Command::Pause { actor, .. }
            | Command::Resume { actor, .. }
            | Command::Seek { actor, .. }
            | Command::EnforceRebalance { actor }
            | Command::Commit { actor, .. }
            | Command::StartProducer { actor }
            | Command::StopProducer { actor }
            | Command::SendRecord { actor, .. }
            | Command::SetRate { actor, .. }
            | Command::SetKeys { actor, .. }
            | Command::SetSize { actor, .. } => Some(actor),
            Command::Fault { actor, .. } => actor.as_ref(),
            Command::AddConsumers { .. }
            | Command::SetBrokerConfig { .. }
            | Command::SwitchAssignor { .. }
            | Command::AddProducer { .. }
            | Command::CreateTopic { .. }
            | Command::AddPartitions { .. }
            | Command::Poison { .. }
            | Command::Corrupt { .. }
            | Command::Send { .. }
            | Command::Admin(_) => None,
        }
    }
}

/// The name under which the administrator's tool runs.
pub const ADMIN: &str = "admin";

/// What an administrator may ask for. Whether Kafka does it shows when the tool ends: `AdminFinished`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AdminAct {
    /// `kafka-consumer-groups.sh --reset-offsets --execute`. Refused while the group has members.
    ResetOffsets {
        /// Whose.
        group: GroupId,
        /// In which topic. Not said: in all that the group has committed to (`--all-topics`).
        topic: Option<TopicName>,
        /// Which of its partitions. Empty: all.
        partitions: Vec<i32>,
        /// To where.
        to: ResetTo,
    },
    /// `kafka-consumer-groups.sh --delete-offsets`. Refused for topics that a member subscribes to.
    DeleteOffsets {
        /// Whose.
        group: GroupId,
        /// In which topic.
        topic: TopicName,
        /// Which of its partitions. Empty: all.
        partitions: Vec<i32>,
    },
    /// `kafka-consumer-groups.sh --delete`. Refused while the group has members.
    DeleteGroup {
        /// Which.
        group: GroupId,
    },
    /// `Admin.removeMembersFromConsumerGroup` of a static member.
    RemoveMember {
        /// From where.
        group: GroupId,
        /// Who.
        group_instance_id: GroupInstanceId,
    },
    /// `kafka-topics.sh --delete`
    DeleteTopic {
        /// Which.
        topic: TopicName,
    },
    /// `kafka-delete-records.sh`
    DeleteRecords {
        /// Where.
        partition: TopicPartition,
        /// The first that stays; -1: none that consumers may read stays.
        before: Offset,
    },
}

/// To where offsets are reset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResetTo {
    /// `--to-earliest`
    Earliest,
    /// `--to-latest`
    Latest,
    /// `--to-offset`, or the nearest that exists.
    Offset(Offset),
    /// `--shift-by`: by so many from the committed offset, or the nearest that exists.
    Shift(i64),
    /// `--to-datetime`: the first record from that instant on, or else the end.
    TimeMs(Instant),
}

/// A request without a client behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RawRequest {
    /// OffsetCommit. Without generation and ids it is what `kafka-consumer-groups --reset-offsets` sends.
    OffsetCommit {
        /// `group.id`
        group: GroupId,
        /// As which member.
        member_id: MemberId,
        /// As which static member.
        group_instance_id: Option<GroupInstanceId>,
        /// In which generation; -1: in none.
        generation: i32,
        /// What.
        offsets: SortedMap<TopicPartition, Offset>,
    },
    /// LeaveGroup of static members by their instance ids: what `removeMembersFromConsumerGroup` sends.
    LeaveGroup {
        /// `group.id`
        group: GroupId,
        /// Who is to leave.
        group_instance_ids: Vec<GroupInstanceId>,
    },
}

impl RawRequest {
    /// The group whose coordinator gets it.
    pub fn group(&self) -> &GroupId {
        match self {
            RawRequest::OffsetCommit { group, .. } | RawRequest::LeaveGroup { group, .. } => group,
        }
    }
}

/// In which way consumers get a new configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rollout {
    /// All are closed, then all are started.
    FullRestart,
    /// One after the other is closed and started again, each when the group is Stable.
    RollingBounce,
}

/// What befalls a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The request never arrives.
    DropRequest,
    /// It arrives so much later.
    HoldRequest {
        /// How much.
        length: Duration,
    },
    /// The broker answers with this error code without taking it into work.
    AnswerWithError {
        /// The code.
        code: i16,
    },
    /// The answer never arrives.
    DropResponse,
    /// It arrives so much later.
    HoldResponse {
        /// How much.
        length: Duration,
    },
}

/// Why a command cannot be carried out now. A page puts it into words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Nobody of that name.
    UnknownActor(ActorName),
    /// The name is taken.
    NameTaken(ActorName),
    /// It is not a consumer.
    NotAConsumer(ActorName),
    /// It is neither a producer nor a feed.
    NotAProducer(ActorName),
    /// Its process is not running.
    NotRunning(ActorName),
    /// It stands still.
    Frozen(ActorName),
    /// It does not stand still.
    NotFrozen(ActorName),
    /// It is closing.
    Closing(ActorName),
    /// It does not own the partition.
    NotAssigned(ActorName, TopicPartition),
    /// No such group, or no consumer of it runs.
    UnknownGroup(GroupId),
    /// No such topic.
    UnknownTopic(TopicName),
    /// The topic exists.
    TopicExists(TopicName),
    /// No such partition.
    UnknownPartition(TopicPartition),
    /// Two members of one generation cannot own the same partition.
    OwnedTwice(TopicPartition),
    /// Kafka cannot take partitions away.
    FewerPartitions {
        /// The topic.
        topic: TopicName,
        /// How many it has.
        has: i32,
    },
    /// A number that is not in its range.
    OutOfRange {
        /// Of what, by field.
        what: &'static str,
        /// Smallest that is allowed.
        least: i64,
        /// Largest that is allowed.
        most: i64,
    },
    /// A configuration that Kafka would refuse, for its reason.
    Config(ConfigError),
    /// No such broker.
    UnknownBroker(BrokerId),
    /// A configuration that a broker reads only when it starts (`DynamicBrokerConfig`).
    NotDynamic(Rc<str>),
    /// No API of that name.
    UnknownApi(Rc<str>),
    /// No error with that number.
    UnknownError(i16),
    /// No pattern, or one that uses what is left out here.
    BadPattern(Rc<str>),
    /// Replicas on a broker that does not exist, or twice on one.
    BadReplicas,
    /// The list is empty.
    Nothing(&'static str),
    /// There would be too many.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many are allowed.
        most: usize,
    },
}
