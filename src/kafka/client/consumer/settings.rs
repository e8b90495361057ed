//! What a consumer is made from, what it is asked, and what it says.

use super::pattern::Pattern;
use crate::kafka::api::versions::Release;
use crate::kafka::client::Flavour;
use crate::kafka::config::ConsumerConfig;
use crate::kafka::fact::{Callback, Exception};
use crate::kafka::ids::{
    ActorName, BrokerId, ClientId, Generation, MemberId, Offset, TopicName, TopicPartition,
};
use crate::kafka::record::Record;
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// What a consumer is made from.
#[derive(Clone, PartialEq, Debug)]
pub struct ConsumerSettings {
    /// The scenario's name for it.
    pub actor: ActorName,
    /// Counts the starts of this actor, from 1.
    pub process: u32,
    /// Its configuration.
    pub config: Rc<ConsumerConfig>,
    /// Whose manners it has.
    pub flavour: Flavour,
    /// What the brokers said on connections that are older than the scenario.
    pub brokers: Release,
    /// `bootstrap.servers`
    pub bootstrap: Vec<BrokerId>,
    /// What the leader needs between its JoinGroup answer and its SyncGroup.
    pub assign_time: Duration,
    /// The step in which the heartbeat thread looks at its timers; zero: it is punctual. With librdkafka:
    /// by how much each heartbeat is late.
    pub heartbeat_step: Duration,
    /// Whether pauses before retries vary by ±20 %.
    pub backoff_jitter: bool,
    /// For the jitter.
    pub seed: u64,
    /// Number of the first request: of the client (Java), of each connection (librdkafka).
    pub first_correlation_id: i32,
}

/// A call of the application.
#[derive(Clone, PartialEq, Debug)]
pub enum Call {
    /// `poll(timeout)`. A negative timeout waits for ever.
    Poll { timeout: Duration },
    /// `commitSync()`, or `commitSync(offsets)`.
    CommitSync {
        offsets: Option<SortedMap<TopicPartition, Offset>>,
    },
    /// `commitAsync()`, or `commitAsync(offsets)`. `id` comes back in [`ConsumerEvent::AsyncCommitDone`].
    CommitAsync {
        offsets: Option<SortedMap<TopicPartition, Offset>>,
        id: u64,
    },
    /// `subscribe(topics)`. Replaces the former subscription.
    Subscribe { topics: Vec<TopicName> },
    /// `subscribe(pattern)`. Replaces the former subscription.
    SubscribePattern { pattern: Rc<Pattern> },
    /// `unsubscribe()`
    Unsubscribe,
    /// `assign(partitions)`
    Assign { partitions: Vec<TopicPartition> },
    /// `seek(partition, offset)`
    Seek {
        partition: TopicPartition,
        offset: Offset,
    },
    /// `pause(partitions)`
    Pause { partitions: Vec<TopicPartition> },
    /// `resume(partitions)`
    Resume { partitions: Vec<TopicPartition> },
    /// `enforceRebalance()`
    EnforceRebalance,
    /// `close()`
    Close,
}

/// What the application learns.
#[derive(Clone, PartialEq, Debug)]
pub enum ConsumerEvent {
    /// The call that was made came to its end. Every call does, but for a kill.
    Returned(Result<Returned, Exception>),
    /// The rebalance listener is called. It may make calls (commits, seeks); the machine waits for
    /// [`super::Consumer::callback_done`].
    CallbackCalled {
        callback: Callback,
        partitions: Vec<TopicPartition>,
    },
    /// The callback of a `commitAsync`.
    AsyncCommitDone {
        id: u64,
        result: Result<(), Exception>,
    },
}

/// What a call returned.
#[derive(Clone, PartialEq, Debug)]
pub enum Returned {
    /// The call has no result.
    Nothing,
    /// `poll`: what there is, in the order of arrival. Empty: the time was over.
    Records(Vec<PartitionRecords>),
    /// `close`: the consumer is no more.
    Closed,
}

/// Consecutive records of one partition.
#[derive(Clone, PartialEq, Debug)]
pub struct PartitionRecords {
    /// The partition.
    pub partition: TopicPartition,
    /// Oldest first.
    pub records: Vec<ConsumerRecord>,
}

/// A record as the application gets it.
#[derive(Clone, PartialEq, Debug)]
pub struct ConsumerRecord {
    /// Its offset.
    pub offset: Offset,
    /// Its timestamp, ms.
    pub timestamp_ms: i64,
    /// Where its key, value and headers are.
    pub batch: Rc<[Record]>,
    /// Its place in `batch`.
    pub index: usize,
}

impl ConsumerRecord {
    /// Key, value and headers.
    pub fn record(&self) -> Option<&Record> {
        self.batch.get(self.index)
    }
}

/// A membership that exists when the scenario begins.
#[derive(Clone, PartialEq, Debug)]
pub struct MembershipPreset {
    /// The broker that coordinates the group.
    pub coordinator: BrokerId,
    /// The member's id.
    pub member_id: MemberId,
    /// The generation.
    pub generation: Generation,
    /// The assignor that was chosen.
    pub protocol: Rc<str>,
    /// For the leader: partition counts of the group's topics at the last assignment, and the topics.
    pub leader_of: Option<Vec<TopicName>>,
    /// The subscription.
    pub topics: Vec<TopicName>,
    /// The pattern by which it subscribed to them, if by one.
    pub pattern: Option<Rc<Pattern>>,
    /// What it owns, and from where it goes on. `None`: it first has to look up its committed offset.
    pub owned: Vec<(TopicPartition, Option<Offset>)>,
    /// When JoinGroup was answered: from there on heartbeats and auto commits are counted.
    pub joined_at: Instant,
    /// When the last heartbeat was sent, if one was.
    pub last_heartbeat_at: Option<Instant>,
    /// Number of the next request to the coordinator.
    pub next_correlation_id: i32,
    /// The cluster as the member knows it.
    pub metadata: Rc<crate::kafka::cluster::Cluster>,
    /// When it last asked for the cluster.
    pub metadata_refreshed_at: Instant,
    /// `client.id`, if another than configured.
    pub client_id: Option<ClientId>,
}
