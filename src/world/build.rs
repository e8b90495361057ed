//! From a setup to a world.

use super::actor::{Actor, ActorKind, ConsumerActor};
use super::check;
use super::command::Refusal;
use super::network::Network;
use super::producers::ProducerActor;
use super::queue::Queue;
use super::rollout::Rollouts;
use super::setup::{Coordinator, Setup, TopicSpec};
use super::source::Feed;
use super::{BrokerSlot, World};
use crate::kafka::broker::{Broker, BrokerSettings, CoordinatorKind};
use crate::kafka::chance::Chance;
use crate::kafka::cluster::{CONSUMER_OFFSETS, Cluster, Node, PartitionMetadata, Topic};
use crate::kafka::config::{Configuration, TopicConfig, set_config};
use crate::kafka::fact::{FactId, FactKind};
use crate::kafka::ids::{ActorName, BrokerId, ClientId, TopicName, TopicPartition, Uuid};
use crate::kafka::journal::Journal;
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::Duration;
use std::rc::Rc;

/// Port on which every broker listens.
const PORT: i32 = 9092;

pub(super) fn build(setup: Setup) -> Result<World, Refusal> {
    check::check_setup(&setup)?;
    let setup = Rc::new(setup);
    let cluster = Rc::new(initial_cluster(&setup)?);
    let mut journal = Journal::default();
    journal.begin(setup.origin, FactId::BEGINNING);
    let mut world = World {
        journal,
        now: setup.origin,
        last_event: None,
        steps: 0,
        acts: 0,
        queue: Queue::default(),
        network: Network::default(),
        brokers: make_brokers(&setup, &cluster),
        cluster,
        actors: Vec::new(),
        names: SortedMap::new(),
        poison: Rc::new(SortedSet::new()),
        unreadable: Rc::new(SortedSet::new()),
        arrived: Vec::new(),
        rollouts: Rollouts::default(),
        answers: Vec::new(),
        #[cfg(debug_assertions)]
        invariants: Default::default(),
        setup: setup.clone(),
    };
    world.note_first_partitions();
    world.install_logs()?;
    for feed in &setup.feeds {
        let kind = ActorKind::Feed(Box::new(Feed::new(feed.clone(), setup.seed)));
        let actor = world.add_actor(feed.name.clone(), kind);
        world.schedule_feed(actor, feed.first_at);
    }
    for spec in &setup.producers {
        let producer = ProducerActor::new(spec.clone(), setup.seed);
        let kind = ActorKind::Producer(Box::new(producer));
        let actor = world.add_actor(spec.name.clone(), kind);
        if let Some(at) = spec.first_at {
            world.queue.start(at, actor);
        }
    }
    for start in &setup.consumers {
        let kind = ActorKind::Consumer(Box::new(ConsumerActor {
            spec: start.consumer.clone(),
            running: None,
            restarts: false,
            companion: None,
        }));
        let actor = world.add_actor(start.consumer.name.clone(), kind);
        if let Some(at) = start.at {
            world.queue.start(at, actor);
        }
    }
    world.install_groups()?;
    world.begin_retention();
    for place in 0..world.brokers.len() {
        world.after_broker(place);
    }
    world.check_invariants();
    Ok(world)
}

fn make_brokers(setup: &Setup, cluster: &Rc<Cluster>) -> Vec<BrokerSlot> {
    let member_ids: SortedMap<ClientId, _> = setup
        .member_ids
        .iter()
        .map(|(client, ids)| (ClientId::from(&**client), ids.clone()))
        .collect();
    let brokers = setup.brokers.iter();
    let brokers = brokers.map(|(id, spec)| {
        let mut chance = Chance::new(setup.seed, &format!("broker {}", id.0));
        let settings = BrokerSettings {
            id: *id,
            config: Rc::new(spec.config.clone()),
            group_append: setup.timing.group_append,
            offset_append: setup.timing.offset_append,
            seed: u64::from(chance.bits()),
            member_ids: member_ids.clone(),
            coordinator: match setup.coordinator {
                Coordinator::New => CoordinatorKind::New,
                Coordinator::Scala => CoordinatorKind::Scala,
            },
            release: setup.broker_version.release(),
        };
        BrokerSlot {
            id: *id,
            broker: Broker::new(settings, cluster.clone()),
            noted: None,
        }
    });
    brokers.collect()
}

/// Brokers, the setup's topics and `__consumer_offsets`.
fn initial_cluster(setup: &Setup) -> Result<Cluster, Refusal> {
    let brokers = setup.brokers.iter().map(|(id, spec)| {
        let node = Node {
            host: format!("broker-{}", id.0).into(),
            port: PORT,
            rack: spec.rack.clone(),
        };
        (*id, node)
    });
    let mut cluster = Cluster {
        brokers: brokers.collect(),
        topics: SortedMap::new(),
    };
    for topic in &setup.topics {
        let made = make_topic(topic, &cluster, setup.seed)?;
        cluster.topics.insert(topic.name.clone(), made);
    }
    let first = setup.brokers.values().next();
    let partitions = first.map_or(1, |broker| broker.config.offsets_topic_num_partitions);
    let offsets = TopicSpec {
        replicas: setup.consumer_offsets.clone(),
        ..TopicSpec::new(CONSUMER_OFFSETS, partitions)
    };
    let mut made = make_topic(&offsets, &cluster, setup.seed)?;
    made.is_internal = true;
    cluster.topics.insert(CONSUMER_OFFSETS.into(), made);
    Ok(cluster)
}

/// A topic as the controller creates it.
pub(super) fn make_topic(spec: &TopicSpec, cluster: &Cluster, seed: u64) -> Result<Topic, Refusal> {
    let mut config = TopicConfig::default();
    for (name, value) in &spec.configs {
        set_config(&mut config, name, value).map_err(Refusal::Config)?;
    }
    config.check().map_err(Refusal::Config)?;
    let mut chance = Chance::new(seed, &format!("topic {}", spec.name));
    let mut half = || {
        let bits = u64::from(chance.bits()) << 32 | u64::from(chance.bits());
        bits.cast_signed()
    };
    let id = Uuid {
        high: half(),
        low: half(),
    };
    let mut topic = Topic {
        id,
        is_internal: false,
        config: Rc::new(config),
        partitions: Vec::new(),
    };
    add_partitions(&mut topic, spec, cluster, spec.partitions);
    Ok(topic)
}

/// Gives a topic partitions up to `total`: leaders round robin over the brokers, followers on the next ones.
pub(super) fn add_partitions(topic: &mut Topic, spec: &TopicSpec, cluster: &Cluster, total: i32) {
    let ids: Vec<BrokerId> = cluster.brokers.keys().copied().collect();
    let count = usize::try_from(spec.replication_factor).unwrap_or(1);
    let count = count.clamp(1, ids.len().max(1));
    let total = usize::try_from(total).unwrap_or(0);
    for place in topic.partitions.len()..total {
        let number = i32::try_from(place).unwrap_or(i32::MAX);
        let replicas = spec.replicas.get(&number).cloned().unwrap_or_else(|| {
            let ring = ids.iter().cycle().skip(place % ids.len().max(1));
            ring.take(count).copied().collect()
        });
        topic.partitions.push(PartitionMetadata {
            leader: replicas.first().copied(),
            leader_epoch: 0,
            isr: replicas.clone(),
            replicas,
        });
    }
}

impl World {
    /// A new actor, that does nothing yet.
    pub(super) fn add_actor(&mut self, name: ActorName, kind: ActorKind) -> usize {
        let place = self.actors.len();
        self.names.insert(name.clone(), place);
        self.actors.push(Actor::new(name, place, kind));
        place
    }

    /// A process starts because the setup says so.
    pub(super) fn start_as_planned(&mut self, actor: usize) {
        self.journal.begin(self.now, FactId::BEGINNING);
        let Some(slot) = self.actors.get(actor) else {
            return;
        };
        let started = match &slot.kind {
            ActorKind::Consumer(consumer) if consumer.running.is_none() => {
                self.start_consumer(actor)
            }
            ActorKind::Producer(_) => self.start_producing(actor),
            ActorKind::Consumer(_)
            | ActorKind::Feed(_)
            | ActorKind::Raw(_)
            | ActorKind::Tool(_) => Ok(()),
        };
        debug_assert!(started.is_ok(), "what the setup starts was checked");
    }

    /// Brokers look for old segments every `log.retention.check.interval.ms`, counted from the origin.
    fn begin_retention(&mut self) {
        for slot in &mut self.brokers {
            let config = &slot.broker.settings().config;
            let interval = Duration::from_ms(config.log_retention_check_interval_ms.max(1));
            slot.broker
                .schedule_log_retention_check(self.now + interval, &mut self.journal);
        }
    }

    fn note_first_partitions(&mut self) {
        let cluster = self.cluster.clone();
        for (name, topic) in &cluster.topics {
            if !topic.is_internal {
                self.note_partitions(name, topic, 0);
            }
        }
    }

    /// Notes that the topic's partitions from `first` on exist.
    pub(super) fn note_partitions(&mut self, name: &TopicName, topic: &Topic, first: usize) {
        for (number, metadata) in (0_i32..).zip(&topic.partitions).skip(first) {
            if let Some(leader) = metadata.leader {
                self.journal.note(FactKind::PartitionCreated {
                    partition: TopicPartition::new(name.clone(), number),
                    leader,
                });
            }
        }
    }
}
