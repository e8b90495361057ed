//! The file format, version 1: how a scenario is written down in JSON. Names and times stand in it as in
//! commands: partitions as `orders-0`, times in milliseconds, as whole numbers or as text such as `"0.001"`.

use super::expect::ExpectFile;
use super::incident::IncidentFile;
use super::wire::WireFile;
use crate::kafka::ids::{
    ActorName, BrokerId, GroupId, MemberId, Offset, TopicName, TopicPartition,
};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use crate::world::command::{Act, Configs};
use crate::world::setup::{
    ApplicationSpec, BrokerVersion, ClientFlavour, Coordinator, Keys, LinkSpec, ProducerSpec,
    Reads, TopicSpec,
};
use serde_json::{Map, Value};
use std::rc::Rc;

/// The version that this code reads.
pub const VERSION: u32 = 1;

/// A text in both languages of the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// English.
    pub en: Rc<str>,
    /// Korean.
    pub ko: Rc<str>,
}

/// A whole file.
#[derive(Clone, PartialEq, Debug)]
pub struct ScenarioFile {
    /// [`VERSION`].
    pub version: u32,
    /// What the scenario is called.
    pub title: Text,
    /// What it is about.
    pub story: Text,
    /// What to ask oneself before it runs.
    pub question: Text,
    /// Id of the incident card that it carries out.
    pub card: Option<Rc<str>>,
    /// The incident that it retells.
    pub incident: Option<IncidentFile>,

    /// Seed of all chance.
    pub seed: u64,
    /// Where virtual time begins.
    pub origin: Instant,
    /// How long it runs.
    pub until: Instant,
    /// Which group coordinator.
    pub coordinator: Coordinator,
    /// Which release the brokers are, as to the versions that they speak.
    pub broker_version: BrokerVersion,
    /// What takes how long.
    pub timing: TimingFile,

    /// The brokers; one with id 1 if none is named.
    pub brokers: Vec<BrokerFile>,
    /// Configurations of every broker.
    pub broker_configs: Configs,
    /// The topics.
    pub topics: Vec<TopicSpec>,
    /// Replicas of partitions of `__consumer_offsets`, by number, leader first.
    pub consumer_offsets: SortedMap<i32, Vec<BrokerId>>,
    /// Logs that already have a history.
    pub logs: SortedMap<TopicPartition, LogFile>,
    /// Sources that write straight into the logs.
    pub feeds: Vec<FeedFile>,
    /// Producers.
    pub producers: Vec<ProducerSpec>,
    /// Configurations of every consumer.
    pub consumer_configs: Configs,
    /// Consumers, in the order in which they act at one instant of starting.
    pub consumers: Vec<ConsumerFile>,
    /// Groups that already exist.
    pub groups: Vec<GroupFile>,
    /// Member ids that the coordinator hands out, per `client.id`, in this order; after that, drawn ones.
    pub member_ids: SortedMap<Rc<str>, Vec<MemberId>>,

    /// What is done, in the order of time.
    pub acts: Vec<Act>,
    /// What must hold.
    pub expect: Vec<ExpectFile>,
    /// Messages that must be on the wire.
    pub wire: Vec<WireFile>,
    /// Variations of the file. With any, the file as it stands is only what they have in common.
    pub variants: SortedMap<Rc<str>, VariantFile>,

    /// Where the page stands when it opens the file. Not said: at the origin, and time runs.
    pub open: Option<OpenFile>,
    /// What somebody reports of the run.
    pub report: Option<ReportFile>,
}

/// Where a page stands: when, and what it shows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OpenFile {
    /// The instant.
    pub at: Instant,
    /// How many of the acts and events of that instant have happened. Not said: all of them.
    pub done: Option<u64>,
    /// What the page shows, in its own words.
    pub page: Map<String, Value>,
}

/// A difference between the run and a real Kafka, as somebody saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportFile {
    /// Version of the program.
    pub program: Rc<str>,
    /// Version of the trace's schema ([`crate::world::trace::SCHEMA_VERSION`]).
    pub trace_schema: u32,
    /// Hash of the trace up to where the page stood, in 16 hexadecimal digits.
    pub trace_hash: Rc<str>,
    /// How many facts are in it.
    pub facts: u64,
    /// What is different, in the reporter's words.
    pub difference: Rc<str>,
}

/// What differs in a variant.
#[derive(Clone, PartialEq, Debug)]
pub struct VariantFile {
    /// What the variant is called.
    pub title: Text,
    /// A merge patch of the file (RFC 7386): objects are merged, `null` takes away, all else replaces.
    pub patch: Map<String, Value>,
}

/// Which times are meant where a file says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Preset {
    /// A small cluster in one data centre.
    #[default]
    Real,
    /// Nothing takes time but what a configuration says, and `group.coordinator.append.linger.ms` is 0.
    Ideal,
}

/// Times that are not Kafka's configurations.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TimingFile {
    /// What holds for the rest.
    pub preset: Preset,
    /// One way, between any client and any broker.
    pub latency_ms: Option<Duration>,
    /// Exceptions from it. The last that fits counts.
    pub links: Vec<LinkSpec>,
    /// From a request's arrival at a broker until it is taken into work.
    pub processing_ms: Option<Duration>,
    /// Writing a group's assignment.
    pub group_append_ms: Option<Duration>,
    /// Writing offsets.
    pub offset_append_ms: Option<Duration>,
    /// A group's leader: from the JoinGroup answer to its SyncGroup.
    pub assign_ms: Option<Duration>,
    /// Step of the Java heartbeat thread's sleep.
    pub heartbeat_step_ms: Option<Duration>,
    /// Whether backoffs vary by 20 %.
    pub backoff_jitter: Option<bool>,
}

/// A broker.
#[derive(Clone, PartialEq, Debug)]
pub struct BrokerFile {
    /// `node.id`
    pub id: BrokerId,
    /// `broker.rack`
    pub rack: Option<Rc<str>>,
    /// Configurations that differ from the defaults.
    pub configs: Configs,
}

/// A log that already has a history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogFile {
    /// First offset that still exists.
    pub start: Offset,
    /// Offset that the next record gets; the high watermark too.
    pub end: Offset,
    /// Records per batch.
    pub batch: u32,
    /// Size of a record's value.
    pub size_bytes: u32,
    /// Timestamp of the last record.
    pub last_timestamp_ms: i64,
    /// From one record's timestamp to the next.
    pub every_ms: i64,
}

/// A source that writes straight into the logs.
#[derive(Clone, PartialEq, Debug)]
pub struct FeedFile {
    /// The scenario's name for it.
    pub name: ActorName,
    /// Where it writes.
    pub topic: TopicName,
    /// When it writes first. Not said: not before a command starts it.
    pub first_at: Option<Instant>,
    /// From one writing to the next.
    pub every_ms: Duration,
    /// How many times it writes. Not said: for ever.
    pub times: Option<u64>,
    /// Records per writing (and partition), in one batch.
    pub batch: u32,
    /// Which partitions get them.
    pub spread: SpreadFile,
    /// Size of a record's value.
    pub size_bytes: u32,
}

/// Which partitions a feed writes to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum SpreadFile {
    /// Every partition there is, each time.
    #[default]
    EveryPartition,
    /// One partition, always.
    Partition(i32),
    /// The next partition each time.
    RoundRobin,
    /// By key, as the Java producer's partitioner would have it.
    ByKey(Keys),
}

/// A consumer.
#[derive(Clone, PartialEq, Debug)]
pub struct ConsumerFile {
    /// The scenario's name for it, and its `client.id` unless configured.
    pub name: ActorName,
    /// When its process starts. Not said: it is a member of an existing group and runs from the beginning,
    /// or it waits for a `restart`.
    pub at: Option<Instant>,
    /// Configurations that differ from the defaults and from `consumer_configs`.
    pub configs: Configs,
    /// Whose client.
    pub flavour: ClientFlavour,
    /// What it reads. Not said: it subscribes to all topics of the file.
    pub reads: Option<Reads>,
    /// The program around it.
    pub application: ApplicationSpec,
    /// Correlation id of its first request on each connection.
    pub first_correlation_id: i32,
}

/// A group that already exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupFile {
    /// `group.id`
    pub group: GroupId,
    /// Its generation.
    pub generation: i32,
    /// The assignor of this generation. Not said: the first that its first member wants.
    pub assignor: Option<Rc<str>>,
    /// The leader. Not said: the first member.
    pub leader: Option<ActorName>,
    /// Its members, in the order in which they joined. With any it is Stable, else Empty.
    pub members: Vec<MemberFile>,
    /// Order in which the coordinator lists and answers members, present and future ones, by member id:
    /// Kafka's is that of a hash table. Who is not named follows in the order of joining.
    pub member_order: Vec<MemberId>,
    /// Its committed offsets.
    pub offsets: SortedMap<TopicPartition, Offset>,
}

/// A member of a group that already exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberFile {
    /// The consumer that is this member.
    pub actor: ActorName,
    /// Its member id. Not said: drawn.
    pub member_id: Option<MemberId>,
    /// The generation that its client takes itself to be in. Not said: the group's.
    pub generation: Option<i32>,
    /// Its partitions.
    pub owned: Vec<TopicPartition>,
    /// Where it stands in them. What is missing: the committed offset, else the log's end.
    pub positions: SortedMap<TopicPartition, Offset>,
    /// When it had its JoinGroup answer. Not said: at the origin.
    pub joined_at: Option<Instant>,
    /// When it last sent a heartbeat. Not said: not since it joined.
    pub last_heartbeat: Option<Instant>,
    /// When it last asked for the cluster's metadata. Not said: at the origin.
    pub metadata_refreshed_at: Option<Instant>,
}
