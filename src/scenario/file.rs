//! The file format, version 1: how a scenario is written down in JSON. Names and times stand in it as in
//! commands: partitions as `orders-0`, times in milliseconds, as whole numbers or as text such as `"0.001"`.

use super::expect::ExpectFile;
use super::wire::WireFile;
use crate::kafka::ids::{
    ActorName, BrokerId, GroupId, MemberId, Offset, TopicName, TopicPartition,
};
use crate::kafka::time::{Duration, Instant};
use crate::world::command::{Act, Configs};
use crate::world::setup::{
    ApplicationSpec, ClientFlavour, Coordinator, Keys, LinkSpec, ProducerSpec, Reads, TopicSpec,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The version that this code reads.
pub const VERSION: u32 = 1;

/// A text in both languages of the page.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// English.
    pub en: Rc<str>,
    /// Korean.
    pub ko: Rc<str>,
}

/// A whole file.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
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
    #[serde(default)]
    pub card: Option<Rc<str>>,

    /// Seed of all chance.
    #[serde(default = "one")]
    pub seed: u64,
    /// Where virtual time begins.
    #[serde(default)]
    pub origin: Instant,
    /// How long it runs.
    pub until: Instant,
    /// Which group coordinator.
    #[serde(default = "new_coordinator")]
    pub coordinator: Coordinator,
    /// What takes how long.
    #[serde(default)]
    pub timing: TimingFile,

    /// The brokers; one with id 1 if none is named.
    #[serde(default)]
    pub brokers: Vec<BrokerFile>,
    /// Configurations of every broker.
    #[serde(default)]
    pub broker_configs: Configs,
    /// The topics.
    pub topics: Vec<TopicSpec>,
    /// Replicas of partitions of `__consumer_offsets`, by number, leader first.
    #[serde(default)]
    pub consumer_offsets: BTreeMap<i32, Vec<BrokerId>>,
    /// Logs that already have a history.
    #[serde(default)]
    pub logs: BTreeMap<TopicPartition, LogFile>,
    /// Sources that write straight into the logs.
    #[serde(default)]
    pub feeds: Vec<FeedFile>,
    /// Producers.
    #[serde(default)]
    pub producers: Vec<ProducerSpec>,
    /// Configurations of every consumer.
    #[serde(default)]
    pub consumer_configs: Configs,
    /// Consumers, in the order in which they act at one instant of starting.
    #[serde(default)]
    pub consumers: Vec<ConsumerFile>,
    /// Groups that already exist.
    #[serde(default)]
    pub groups: Vec<GroupFile>,
    /// Member ids that the coordinator hands out, per `client.id`, in this order; after that, drawn ones.
    #[serde(default)]
    pub member_ids: BTreeMap<Rc<str>, Vec<MemberId>>,

    /// What is done, in the order of time.
    #[serde(default)]
    pub acts: Vec<Act>,
    /// What must hold.
    #[serde(default)]
    pub expect: Vec<ExpectFile>,
    /// Messages that must be on the wire.
    #[serde(default)]
    pub wire: Vec<WireFile>,
    /// Variations of the file. With any, the file as it stands is only what they have in common.
    #[serde(default)]
    pub variants: BTreeMap<Rc<str>, VariantFile>,
}

/// What differs in a variant.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantFile {
    /// What the variant is called.
    pub title: Text,
    /// A merge patch of the file (RFC 7386): objects are merged, `null` takes away, all else replaces.
    pub patch: serde_json::Map<String, serde_json::Value>,
}

/// Which times are meant where a file says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// A small cluster in one data centre.
    #[default]
    Real,
    /// Nothing takes time but what a configuration says, and `group.coordinator.append.linger.ms` is 0.
    Ideal,
}

/// Times that are not Kafka's configurations.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
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
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BrokerFile {
    /// `node.id`
    pub id: BrokerId,
    /// `broker.rack`
    #[serde(default)]
    pub rack: Option<Rc<str>>,
    /// Configurations that differ from the defaults.
    #[serde(default)]
    pub configs: Configs,
}

/// A log that already has a history.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogFile {
    /// First offset that still exists.
    #[serde(default)]
    pub start: Offset,
    /// Offset that the next record gets; the high watermark too.
    pub end: Offset,
    /// Records per batch.
    #[serde(default = "one_record")]
    pub batch: u32,
    /// Size of a record's value.
    #[serde(default = "hundred_bytes")]
    pub size_bytes: u32,
    /// Timestamp of the last record.
    #[serde(default)]
    pub last_timestamp_ms: i64,
    /// From one record's timestamp to the next.
    #[serde(default)]
    pub every_ms: i64,
}

/// A source that writes straight into the logs.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeedFile {
    /// The scenario's name for it.
    pub name: ActorName,
    /// Where it writes.
    pub topic: TopicName,
    /// When it writes first. Not said: not before a command starts it.
    #[serde(default)]
    pub first_at: Option<Instant>,
    /// From one writing to the next.
    pub every_ms: Duration,
    /// How many times it writes. Not said: for ever.
    #[serde(default)]
    pub times: Option<u64>,
    /// Records per writing (and partition), in one batch.
    #[serde(default = "one_record")]
    pub batch: u32,
    /// Which partitions get them.
    #[serde(default)]
    pub spread: SpreadFile,
    /// Size of a record's value.
    #[serde(default = "hundred_bytes")]
    pub size_bytes: u32,
}

/// Which partitions a feed writes to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
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
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsumerFile {
    /// The scenario's name for it, and its `client.id` unless configured.
    pub name: ActorName,
    /// When its process starts. Not said: it is a member of an existing group and runs from the beginning,
    /// or it waits for a `restart`.
    #[serde(default)]
    pub at: Option<Instant>,
    /// Configurations that differ from the defaults and from `consumer_configs`.
    #[serde(default)]
    pub configs: Configs,
    /// Whose client.
    #[serde(default)]
    pub flavour: ClientFlavour,
    /// What it reads. Not said: it subscribes to all topics of the file.
    #[serde(default)]
    pub reads: Option<Reads>,
    /// The program around it.
    #[serde(default)]
    pub application: ApplicationSpec,
    /// Correlation id of its first request on each connection.
    #[serde(default)]
    pub first_correlation_id: i32,
}

/// A group that already exists.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupFile {
    /// `group.id`
    pub group: GroupId,
    /// Its generation.
    #[serde(default)]
    pub generation: i32,
    /// The assignor of this generation. Not said: the first that its first member wants.
    #[serde(default)]
    pub assignor: Option<Rc<str>>,
    /// The leader. Not said: the first member.
    #[serde(default)]
    pub leader: Option<ActorName>,
    /// Its members, in the order in which they joined. With any it is Stable, else Empty.
    #[serde(default)]
    pub members: Vec<MemberFile>,
    /// Order in which the coordinator lists and answers members, present and future ones, by member id:
    /// Kafka's is that of a hash table. Who is not named follows in the order of joining.
    #[serde(default)]
    pub member_order: Vec<MemberId>,
    /// Its committed offsets.
    #[serde(default)]
    pub offsets: BTreeMap<TopicPartition, Offset>,
}

/// A member of a group that already exists.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemberFile {
    /// The consumer that is this member.
    pub actor: ActorName,
    /// Its member id. Not said: drawn.
    #[serde(default)]
    pub member_id: Option<MemberId>,
    /// The generation that its client takes itself to be in. Not said: the group's.
    #[serde(default)]
    pub generation: Option<i32>,
    /// Its partitions.
    #[serde(default)]
    pub owned: Vec<TopicPartition>,
    /// Where it stands in them. What is missing: the committed offset, else the log's end.
    #[serde(default)]
    pub positions: BTreeMap<TopicPartition, Offset>,
    /// When it had its JoinGroup answer. Not said: at the origin.
    #[serde(default)]
    pub joined_at: Option<Instant>,
    /// When it last sent a heartbeat. Not said: not since it joined.
    #[serde(default)]
    pub last_heartbeat: Option<Instant>,
    /// When it last asked for the cluster's metadata. Not said: at the origin.
    #[serde(default)]
    pub metadata_refreshed_at: Option<Instant>,
}

fn one() -> u64 {
    1
}

fn one_record() -> u32 {
    1
}

fn hundred_bytes() -> u32 {
    100
}

fn new_coordinator() -> Coordinator {
    Coordinator::New
}
