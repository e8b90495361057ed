//! What a scenario starts from: plain data, checked by the world when it is built.

use super::command::Configs;
use crate::kafka::api::versions::Release;
use crate::kafka::config::BrokerConfig;
use crate::kafka::ids::{
    ActorName, BrokerId, Generation, GroupId, MemberId, Offset, TopicName, TopicPartition,
};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// Everything that is there before the first act.
#[derive(Clone, PartialEq, Debug)]
pub struct Setup {
    /// Seed of all chance.
    pub seed: u64,
    /// Where virtual time begins. May be negative.
    pub origin: Instant,
    /// Which of Kafka's two group coordinators.
    pub coordinator: Coordinator,
    /// The release of the brokers.
    pub broker_version: BrokerVersion,
    /// The brokers.
    pub brokers: SortedMap<BrokerId, BrokerSpec>,
    /// Latencies and what else is zero in the ideal model.
    pub timing: Timing,
    /// The topics.
    pub topics: Vec<TopicSpec>,
    /// Where the partitions of `__consumer_offsets` live, by number; what is missing goes round robin
    /// over the brokers. Their count is `offsets.topic.num.partitions`.
    pub consumer_offsets: SortedMap<i32, Vec<BrokerId>>,
    /// Sources that write straight into the logs, outside of Kafka's protocol.
    pub feeds: Vec<FeedSpec>,
    /// Producers.
    pub producers: Vec<ProducerSpec>,
    /// Consumers, in the order in which they act at one instant of starting.
    pub consumers: Vec<ConsumerStart>,
    /// Groups that already exist.
    pub groups: Vec<GroupSpec>,
    /// Logs that already have a history.
    pub logs: SortedMap<TopicPartition, LogSpec>,
    /// Member ids that the coordinator hands out, per `client.id`, in this order; after that, drawn ones.
    pub member_ids: SortedMap<Rc<str>, Vec<MemberId>>,
}

impl Default for Setup {
    /// One broker, nothing on it, real timing.
    fn default() -> Self {
        Self {
            seed: 1,
            origin: Instant::ZERO,
            coordinator: Coordinator::New,
            broker_version: BrokerVersion::default(),
            brokers: SortedMap::from([(BrokerId(1), BrokerSpec::default())]),
            timing: Timing::real(),
            topics: Vec::new(),
            consumer_offsets: SortedMap::new(),
            feeds: Vec::new(),
            producers: Vec::new(),
            consumers: Vec::new(),
            groups: Vec::new(),
            logs: SortedMap::new(),
            member_ids: SortedMap::new(),
        }
    }
}

impl Setup {
    /// The ideal model of the incident cards: nothing takes time but what a configuration says, and
    /// `group.coordinator.append.linger.ms` is 0 on every broker. Brokers added later are the caller's.
    pub fn make_ideal(&mut self) {
        self.timing = Timing::ideal();
        for broker in self.brokers.values_mut() {
            broker.config.group_coordinator_append_linger_ms = 0;
        }
    }
}

/// The group coordinator's two implementations, where they differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Coordinator {
    /// In Java, default since 4.0 (KIP-848).
    #[default]
    New,
    /// In Scala, of 3.x.
    Scala,
}

/// Which release the brokers are.
///
/// DEVIATION: it decides which versions of its APIs a broker speaks, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BrokerVersion {
    /// 2.3
    V2_3,
    /// 2.5
    V2_5,
    /// 3.1
    V3_1,
    /// The 4.0 snapshot of October 2024.
    #[default]
    V4_0,
}

impl BrokerVersion {
    /// As the wire knows it.
    pub const fn release(self) -> Release {
        match self {
            BrokerVersion::V2_3 => Release::V2_3,
            BrokerVersion::V2_5 => Release::V2_5,
            BrokerVersion::V3_1 => Release::V3_1,
            BrokerVersion::V4_0 => Release::V4_0,
        }
    }
}

/// A broker.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BrokerSpec {
    /// Its configuration.
    pub config: BrokerConfig,
    /// `broker.rack`
    pub rack: Option<Rc<str>>,
}

/// Times that are not Kafka's configurations. In the ideal model all are zero.
#[derive(Clone, PartialEq, Debug)]
pub struct Timing {
    /// One way, between any client and any broker.
    pub latency: Duration,
    /// Exceptions from it. The last that fits counts.
    pub links: Vec<LinkSpec>,
    /// From a request's arrival at a broker until it is taken into work.
    pub processing: Duration,
    /// Writing a group's assignment into `__consumer_offsets`.
    pub group_append: Duration,
    /// Writing offsets into it.
    pub offset_append: Duration,
    /// A group's leader: from the JoinGroup answer to its SyncGroup.
    pub assign_time: Duration,
    /// Step of the Java heartbeat thread's sleep (100 ms in life).
    pub heartbeat_step: Duration,
    /// Whether backoffs vary by 20 %.
    pub backoff_jitter: bool,
}

impl Timing {
    /// Nothing takes time.
    pub const fn ideal() -> Self {
        Self {
            latency: Duration::ZERO,
            links: Vec::new(),
            processing: Duration::ZERO,
            group_append: Duration::ZERO,
            offset_append: Duration::ZERO,
            assign_time: Duration::ZERO,
            heartbeat_step: Duration::ZERO,
            backoff_jitter: false,
        }
    }

    /// A small cluster in one data centre.
    pub const fn real() -> Self {
        Self {
            latency: Duration(1_000),
            links: Vec::new(),
            processing: Duration(200),
            group_append: Duration::from_ms(5),
            offset_append: Duration::from_ms(2),
            assign_time: Duration::from_ms(20),
            heartbeat_step: Duration::from_ms(100),
            backoff_jitter: true,
        }
    }
}

/// Latency between some clients and some brokers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkSpec {
    /// `None`: every client.
    pub client: Option<ActorName>,
    /// `None`: every broker.
    pub broker: Option<BrokerId>,
    /// Way of a request. `None`: unchanged.
    pub request: Option<Duration>,
    /// Way of an answer. `None`: unchanged.
    pub response: Option<Duration>,
}

/// A topic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TopicSpec {
    /// Its name.
    pub name: TopicName,
    /// How many partitions, at least 1.
    pub partitions: i32,
    /// How many replicas each has where `replicas` does not say.
    pub replication_factor: i16,
    /// Replicas by partition number, leader first; what is missing goes round robin over the brokers.
    pub replicas: SortedMap<i32, Vec<BrokerId>>,
    /// Configurations that differ from the defaults.
    pub configs: Configs,
}

impl TopicSpec {
    /// A topic with one replica per partition, leaders round robin.
    pub fn new(name: impl Into<TopicName>, partitions: i32) -> Self {
        Self {
            name: name.into(),
            partitions,
            replication_factor: 1,
            replicas: SortedMap::new(),
            configs: Configs::new(),
        }
    }
}

/// A source that writes straight into the logs.
#[derive(Clone, PartialEq, Debug)]
pub struct FeedSpec {
    /// The scenario's name for it.
    pub name: ActorName,
    /// Where it writes.
    pub topic: TopicName,
    /// When it writes first. `None`: not before a command starts it.
    pub first_at: Option<Instant>,
    /// From one writing to the next.
    pub every: Duration,
    /// How many times it writes. `None`: for ever.
    pub times: Option<u64>,
    /// Records per writing (and partition), in one batch.
    pub batch: u32,
    /// Which partitions get them.
    pub spread: Spread,
    /// Size of a record's value.
    pub size_bytes: u32,
}

/// Which partitions a feed writes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Spread {
    /// Every partition there is, each time.
    EveryPartition,
    /// One partition, always.
    Partition(i32),
    /// The next partition each time.
    RoundRobin,
    /// By key, as the Java producer's partitioner would have it.
    ByKey(Keys),
}

/// What keys records get.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Keys {
    /// None: the producer's sticky partitioner chooses.
    #[default]
    None,
    /// `key-0` to `key-{count-1}`.
    Some {
        /// How many different keys, at least 1.
        count: u32,
        /// Share of the records, in percent, that have `key-0`, over its fair share of the rest.
        hot_percent: u32,
    },
}

/// A producer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProducerSpec {
    /// The scenario's name for it, and its `client.id` unless configured.
    pub name: ActorName,
    /// Where it writes.
    pub topic: TopicName,
    /// From one record to the next.
    pub every: Duration,
    /// What keys its records get.
    pub keys: Keys,
    /// Size of a record's value.
    pub size_bytes: u32,
    /// When it sends first. `None`: not before a command starts it. Added by a command, it starts at once.
    pub first_at: Option<Instant>,
    /// Configurations that differ from the defaults.
    pub configs: Configs,
}

/// A consumer and when its process starts.
#[derive(Clone, PartialEq, Debug)]
pub struct ConsumerStart {
    /// The consumer.
    pub consumer: ConsumerSpec,
    /// When. `None`: it is a member of an existing group and runs from the beginning, or it waits for a
    /// [`Restart`](super::command::Command::Restart).
    pub at: Option<Instant>,
}

/// A consumer process: client and application.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConsumerSpec {
    /// The scenario's name for it, and its `client.id` unless configured.
    pub name: ActorName,
    /// Configurations that differ from the defaults, `group.id` among them.
    pub configs: Configs,
    /// Whose client.
    pub flavour: ClientFlavour,
    /// What it wants to read.
    pub reads: Reads,
    /// The program around it.
    pub application: ApplicationSpec,
    /// Correlation id of its first request on each connection.
    pub first_correlation_id: i32,
}

/// Whose client a consumer is, where they differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ClientFlavour {
    /// Kafka's own.
    #[default]
    Java,
    /// librdkafka and what is built on it.
    Librdkafka,
}

/// What a consumer reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reads {
    /// `subscribe()` with these topics.
    Subscribe(Vec<TopicName>),
    /// `subscribe()` with a pattern of names (a regular expression, see [`Pattern`]).
    ///
    /// [`Pattern`]: crate::kafka::client::consumer::Pattern
    Pattern(Rc<str>),
    /// `assign()` with these partitions: no group membership.
    Assign(Vec<TopicPartition>),
}

/// The model of the program around a consumer. By default it is always inside poll, and records take no
/// time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ApplicationSpec {
    /// When it polls.
    pub poll: PollStyle,
    /// How long it takes for one record.
    pub time_per_record: Duration,
    /// By how much that varies in either direction, in percent, evenly drawn.
    pub time_spread_percent: u32,
    /// When it does something else and neither polls nor handles records.
    pub busy: Vec<Busy>,
    /// When it commits. `None`: not at all under `enable.auto.commit`, else after each batch.
    pub commit: Option<CommitStyle>,
    /// Whether it commits, synchronously, in `onPartitionsRevoked` what it has done.
    pub commit_when_revoked: bool,
    /// Whether it commits, synchronously, before it closes the consumer.
    pub commit_on_close: bool,
    /// How long its rebalance callbacks take.
    pub callback_time: Duration,
    /// What it does about a record that it cannot handle.
    pub on_poison: OnPoison,
    /// What it does when a call throws.
    pub on_exception: OnException,
    /// Its process dies (as by kill -9) when it has done so many records.
    pub crash_after_records: Option<u64>,
    /// Threads that handle the records while the loop polls on. `None`: the loop handles them itself.
    pub workers: Option<Workers>,
    /// How long the assignor takes in this process when it leads the group. `None`: as in every other.
    pub assign_time: Option<Duration>,
}

/// A pool of threads behind the poll loop. Its program commits what is done without a gap, or, after a
/// batch or automatically, its positions, however far the threads are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Workers {
    /// How many threads, at least 1. A free one takes the next record.
    pub threads: u32,
    /// The loop does not poll while so many records wait for a thread.
    pub queue_max: u32,
}

/// When an application calls poll.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PollStyle {
    /// As soon as it has nothing else to do, and stays inside until there are records.
    #[default]
    Always,
    /// At fixed instants, and returns at once with what there is.
    Every {
        /// From one to the next.
        period: Duration,
        /// One of the instants.
        phase: Duration,
    },
}

/// An interval in which an application does something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Busy {
    /// When it begins (if the application is inside a call then: when that returns).
    pub from: Instant,
    /// When it ends.
    pub until: Instant,
}

/// When an application commits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommitStyle {
    /// Never by itself.
    None,
    /// `commitSync()` when a batch is done.
    SyncAfterBatch,
    /// `commitSync(offsets)` whenever so many records are done.
    SyncEvery {
        /// How many, at least 1.
        records: u32,
    },
    /// `commitSync()` before the batch is handled: at most once.
    SyncBeforeProcessing,
    /// `commitAsync()` when a batch is done.
    AsyncAfterBatch,
    /// `commitAsync(offsets)` whenever so many records are done.
    AsyncEvery {
        /// How many, at least 1.
        records: u32,
    },
    /// The same, and a commit that failed is sent again as it was, whatever came after it.
    AsyncEveryWithResend {
        /// How many, at least 1.
        records: u32,
    },
    /// The same, but a commit that failed is sent again only if none was made after it.
    AsyncEveryWithGuard {
        /// How many, at least 1.
        records: u32,
    },
}

/// What an application does about a record that it cannot handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnPoison {
    /// The process dies.
    #[default]
    Crash,
    /// It tries the same record again and again, once a second, and polls no more.
    Retry,
    /// It logs it and goes on with the next.
    Skip,
    /// It sends it to the topic `<topic>-retry`, waits until it is there, and goes on with the next. The
    /// topic is created at its first use, with as many partitions as the record's own has.
    RetryTopic,
}

/// What an application does when a call of its client throws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnException {
    /// It logs it and goes on polling; `FencedInstanceIdException` ends it.
    #[default]
    GoOn,
    /// It ends the process without closing the consumer.
    Crash,
    /// It closes the consumer and ends.
    Close,
}

/// A group that already exists: Stable if it has members, else Empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupSpec {
    /// `group.id`
    pub group: GroupId,
    /// Its generation.
    pub generation: Generation,
    /// The assignor of this generation. `None` when Empty.
    pub assignor: Option<Rc<str>>,
    /// The leader's actor. `None`: the first member.
    pub leader: Option<ActorName>,
    /// Its members, in the order in which they joined.
    pub members: Vec<MemberSpec>,
    /// Order in which the coordinator lists and answers members, present and future ones: Kafka's is that
    /// of a hash table. Who is not named follows in the order of joining.
    pub member_order: Vec<MemberId>,
    /// Its committed offsets.
    pub offsets: SortedMap<TopicPartition, Offset>,
}

/// A member of a group that already exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberSpec {
    /// The consumer that is this member. Its configuration says the rest.
    pub actor: ActorName,
    /// Its member id. `None`: drawn.
    pub member_id: Option<MemberId>,
    /// The generation that the client takes itself to be in. `None`: the group's.
    pub generation: Option<Generation>,
    /// Its partitions.
    pub owned: Vec<TopicPartition>,
    /// Where it stands in them. What is missing: the committed offset, else the log's end.
    pub positions: SortedMap<TopicPartition, Offset>,
    /// When it had its JoinGroup answer: from then run its heartbeat and auto-commit intervals.
    pub joined_at: Instant,
    /// When it last sent a heartbeat. `None`: not since it joined.
    pub last_heartbeat: Option<Instant>,
    /// When it last asked for the cluster's metadata. `None`: at the origin.
    pub metadata_refreshed_at: Option<Instant>,
}

/// A log that already has a history. Its records up to `end` exist and are `every` apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogSpec {
    /// First offset that still exists.
    pub start: Offset,
    /// Offset that the next record gets; the high watermark too.
    pub end: Offset,
    /// Records per batch.
    pub batch: u32,
    /// Size of a record's value.
    pub size_bytes: u32,
    /// Timestamp of the last record, ms.
    pub last_timestamp_ms: i64,
    /// From one record's timestamp to the next, ms.
    pub every_ms: i64,
}
