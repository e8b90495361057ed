//! What the consumer knows of the cluster, and when it asks again (class `ConsumerMetadata`).

use super::{Consumer, Cx, Purpose, Retry, Timer};
use crate::kafka::api::{MetadataRequest, MetadataRequestTopic, MetadataResponse};
use crate::kafka::client::{Channel, Flavour};
use crate::kafka::cluster::{Cluster, Node, PartitionMetadata, Topic};
use crate::kafka::ids::{BrokerId, TopicName, TopicPartition, Uuid};
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// Partitions of the watched topics as they were at some moment (class
/// `ConsumerCoordinator.MetadataSnapshot`): per partition its racks, empty without `client.rack`.
pub(super) type Snapshot = SortedMap<TopicName, Vec<Vec<Rc<str>>>>;

/// The cluster as last heard of.
#[derive(Clone, Debug, Default)]
pub(super) struct Metadata {
    pub cluster: Rc<Cluster>,
    /// Raised by every answer.
    pub version: u64,
    /// An update is wanted as soon as it is allowed.
    pub update_wanted: bool,
    pub in_flight: bool,
    /// When the last answer came, or the last request was sent; `None`: the next may go out at once.
    last_attempt: Option<Instant>,
}

impl Metadata {
    /// Knows `cluster` since `refreshed_at`.
    pub fn install(&mut self, cluster: Rc<Cluster>) {
        self.cluster = cluster;
        self.version += 1;
    }

    /// Topics are of interest that were not before: an update is wanted, and allowed at once
    /// (`Metadata.requestUpdateForNewTopics`).
    pub fn want_new_topics(&mut self) {
        self.last_attempt = None;
        self.update_wanted = true;
    }

    /// The partition's leader and its epoch.
    pub fn leader(&self, partition: &TopicPartition) -> Option<(BrokerId, i32)> {
        let metadata = self.cluster.partition(partition)?;
        Some((metadata.leader?, metadata.leader_epoch))
    }

    /// Known brokers, or none before the first answer.
    pub fn brokers(&self) -> impl Iterator<Item = BrokerId> {
        self.cluster.brokers.keys().copied()
    }
}

fn to_cluster(response: &MetadataResponse) -> Cluster {
    let brokers = response.brokers.iter().map(|broker| {
        let node = Node {
            host: broker.host.clone(),
            port: broker.port,
            rack: broker.rack.clone(),
        };
        (broker.node_id, node)
    });
    let topics = response
        .topics
        .iter()
        .filter(|topic| topic.error_code.is_none())
        .filter_map(|topic| {
            let name = topic.name.clone()?;
            let partitions = topic.partitions.iter().map(|partition| PartitionMetadata {
                leader: (partition.leader_id.0 >= 0).then_some(partition.leader_id),
                leader_epoch: partition.leader_epoch,
                replicas: partition.replica_nodes.clone(),
                isr: partition.isr_nodes.clone(),
            });
            let topic_data = Topic {
                id: topic.topic_id,
                is_internal: topic.is_internal,
                config: Rc::default(),
                partitions: partitions.collect(),
            };
            Some((name, topic_data))
        });
    Cluster {
        brokers: brokers.collect(),
        topics: topics.collect(),
    }
}

impl Consumer {
    /// Wants fresh metadata; at most one request per `retry.backoff.ms`.
    pub(super) fn request_metadata_update(&mut self, cx: &mut Cx<'_>) {
        self.metadata.update_wanted = true;
        self.maybe_update_metadata(cx);
    }

    /// Sends the request if one is wanted and allowed now (class `NetworkClient.DefaultMetadataUpdater`).
    pub(super) fn maybe_update_metadata(&mut self, cx: &mut Cx<'_>) {
        if !self.metadata.update_wanted || self.metadata.in_flight {
            return;
        }
        let backoff = Duration::from_ms(self.settings.config.retry_backoff_ms);
        if let Some(last) = self.metadata.last_attempt
            && last + backoff > cx.now()
        {
            let at = last + backoff;
            if self.timers.deadline(&Timer::Retry(Retry::Metadata)) != Some(at) {
                self.timers
                    .set(Timer::Retry(Retry::Metadata), at, cx.journal);
            }
            return;
        }
        if let Some(node) = self.least_loaded_node(cx.now()) {
            self.send_metadata_request(node, Channel::Data, cx);
        }
    }

    /// Asks `to` for the topics of the subscription, or of the whole group if this is its leader.
    pub(super) fn send_metadata_request(
        &mut self,
        to: BrokerId,
        channel: Channel,
        cx: &mut Cx<'_>,
    ) {
        let topics = self.subscriptions.metadata_topics();
        let wanted = topics.iter().map(|name| MetadataRequestTopic {
            topic_id: Uuid::default(),
            name: Some(name.clone()),
        });
        // A pattern is looked for among all topics.
        let is_named = self.subscriptions.pattern().is_none();
        let request = MetadataRequest {
            topics: is_named.then(|| wanted.collect()),
            allow_auto_topic_creation: true,
            include_cluster_authorized_operations: false,
            include_topic_authorized_operations: false,
        };
        self.metadata.update_wanted = false;
        self.metadata.in_flight = true;
        self.metadata.last_attempt = Some(cx.now());
        self.timers.cancel(&Timer::Retry(Retry::Metadata));
        self.send(to, channel, request.into(), Purpose::Metadata, cx);
    }

    /// The answer: a new picture of the cluster.
    pub(super) fn on_metadata(&mut self, response: &MetadataResponse, cx: &mut Cx<'_>) {
        self.metadata.in_flight = false;
        self.metadata.last_attempt = Some(cx.now());
        let cluster = to_cluster(response);
        if cluster != *self.metadata.cluster {
            self.metadata.cluster = Rc::new(cluster);
        }
        self.metadata.version += 1;
        self.restart_metadata_age(cx.now(), cx);
        let retriable = response.topics.iter().any(|topic| {
            topic.error_code.is_retriable()
                || topic
                    .partitions
                    .iter()
                    .any(|partition| !partition.error_code.is_none() && partition.leader_id.0 < 0)
        });
        if retriable {
            self.metadata.update_wanted = true;
        }
        self.maybe_update_metadata(cx);
        self.leader_has_metadata(cx);
        self.awake();
    }

    /// The request got no answer.
    pub(super) fn on_metadata_failed(&mut self, cx: &mut Cx<'_>) {
        self.metadata.in_flight = false;
        self.metadata.last_attempt = Some(cx.now());
        self.request_metadata_update(cx);
    }

    /// From `refreshed_at` on counts `metadata.max.age.ms`.
    pub(super) fn restart_metadata_age(&mut self, refreshed_at: Instant, cx: &mut Cx<'_>) {
        let age = Duration::from_ms(self.settings.config.metadata_max_age_ms);
        if self.settings.flavour == Flavour::Librdkafka
            && self.timers.deadline(&Timer::MetadataMaxAge).is_some()
        {
            // `topic.metadata.refresh.interval.ms` is a rhythm: what else is asked for does not change it.
            return;
        }
        self.timers
            .set(Timer::MetadataMaxAge, refreshed_at + age, cx.journal);
    }

    /// Takes in metadata that is newer than the last snapshot: which topics match a pattern, and how many
    /// partitions the watched ones have (`maybeUpdateSubscriptionMetadata`).
    pub(super) fn maybe_update_subscription(&mut self, cx: &mut Cx<'_>) {
        if self.snapshot_version != self.metadata.version {
            self.update_pattern_subscription(cx);
        }
        self.maybe_update_snapshot();
    }

    /// Whether a pattern's member may go on to join: it looks for new topics first, unless it has done so
    /// within the refresh backoff.
    pub(super) fn has_fresh_topics(&mut self, cx: &mut Cx<'_>) -> bool {
        let backoff = Duration::from_ms(self.settings.config.retry_backoff_ms);
        let last = self.metadata.last_attempt;
        if last.is_none_or(|last| last + backoff <= cx.now()) {
            self.metadata.update_wanted = true;
        }
        self.maybe_update_metadata(cx);
        if self.metadata.update_wanted || self.metadata.in_flight {
            return false;
        }
        self.maybe_update_subscription(cx);
        true
    }

    /// Takes a new snapshot of the watched topics if the metadata is newer than the last one.
    pub(super) fn maybe_update_snapshot(&mut self) {
        if self.snapshot_version == self.metadata.version {
            return;
        }
        self.snapshot_version = self.metadata.version;
        let topics = self.subscriptions.metadata_topics();
        let cluster = &self.metadata.cluster;
        let with_racks = !self.settings.config.client_rack.is_empty();
        let racks = |partition: &PartitionMetadata| -> Vec<Rc<str>> {
            if !with_racks {
                return Vec::new();
            }
            let nodes = partition.replicas.iter();
            let racks: SortedSet<Rc<str>> = nodes
                .filter_map(|id| cluster.brokers.get(id)?.rack.clone())
                .collect();
            racks.into_iter().collect()
        };
        let snapshot: Snapshot = topics
            .iter()
            .map(|topic| {
                let partitions = cluster.topics.get(topic).map(|topic| &topic.partitions);
                let partitions = partitions.into_iter().flatten().map(racks).collect();
                (topic.clone(), partitions)
            })
            .collect();
        if *self.snapshot != snapshot {
            self.snapshot = Rc::new(snapshot);
        }
    }

    /// Least loaded node: idle connections first, then the least busy one, then whoever is not connected;
    /// among equals the lowest id.
    ///
    /// DEVIATION: Java picks a random one, so that load spreads; here a run must be repeatable.
    pub(super) fn least_loaded_node(&self, now: Instant) -> Option<BrokerId> {
        let known: Vec<BrokerId> = if self.metadata.cluster.brokers.is_empty() {
            self.settings.bootstrap.clone()
        } else {
            self.metadata.brokers().collect()
        };
        let available = || {
            let nodes = known.iter().copied();
            nodes.filter(|&node| self.network.is_available(node, Channel::Data, now))
        };
        available()
            .filter(|&node| self.network.is_connected(node, Channel::Data))
            .min_by_key(|&node| (self.network.in_flight(node, Channel::Data), node))
            .or_else(|| available().min())
    }

    /// Whether the librdkafka leader must ask for metadata before it assigns, which it always does, and over
    /// the coordinator's connection.
    pub(super) fn leader_always_asks(&self) -> bool {
        self.settings.flavour == Flavour::Librdkafka
    }
}
