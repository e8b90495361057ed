//! Carrying out commands.

use super::World;
use super::actor::{Actor, ActorKind, ConsumerActor};
use super::build::{add_partitions, make_topic};
use super::check::mishap;
use super::command::{Command, Configs, FaultKind, Refusal};
use super::consumers::subscribe_pattern;
use super::network::Fault;
use super::producers::{ProducerActor, value};
use super::setup::{ApplicationSpec, ConsumerSpec, Keys, ProducerSpec, Reads, Spread, TopicSpec};
use crate::kafka::api::ApiKey;
use crate::kafka::client::consumer::Call;
use crate::kafka::cluster::ClusterChange;
use crate::kafka::fact::{FactKind, StopCause};
use crate::kafka::ids::{ActorName, Offset, TopicName, TopicPartition};
use crate::kafka::time::Duration;
use std::rc::Rc;

impl World {
    /// Carries out a command at the present instant, or says why not and changes nothing.
    pub fn apply(&mut self, command: &Command) -> Result<(), Refusal> {
        self.check(command)?;
        self.acts += 1;
        self.steps += 1;
        self.last_event = Some(self.now);
        self.journal
            .begin(self.now, crate::kafka::fact::FactId::BEGINNING);
        self.journal
            .note_as_cause(FactKind::Act { number: self.acts });
        self.carry_out_command(command);
        self.roll_out();
        self.check_invariants();
        Ok(())
    }

    fn carry_out_command(&mut self, command: &Command) {
        match command {
            Command::AddConsumers { consumers } => {
                for consumer in consumers {
                    self.add_consumer(consumer);
                }
            }
            Command::Close { actor } => self.with(actor, World::close),
            Command::Kill { actor } => {
                self.with(actor, |world, actor| {
                    world.end_process(actor, StopCause::Killed)
                });
            }
            Command::Freeze { actor } => self.with(actor, World::freeze),
            Command::Thaw { actor } => self.with(actor, World::thaw),
            Command::Restart { actor, configs } => {
                self.change_configs(actor, configs);
                self.with(actor, World::restart);
            }
            Command::SetConfig { actor, name, value } => {
                let configs = Configs::from([(name.clone(), value.clone())]);
                self.change_configs(actor, &configs);
            }
            Command::SetBrokerConfig {
                broker,
                name,
                value,
            } => {
                let place = self.broker_place(*broker);
                if let Some(slot) = place.and_then(|place| self.brokers.get_mut(place)) {
                    // It was checked.
                    let _ = slot.broker.set_config(name, value);
                }
            }
            Command::SetHandler {
                actor,
                time_per_record,
            } => self.change_application(actor, |application| {
                application.time_per_record = *time_per_record;
            }),
            Command::SetCommitStyle { actor, commit } => {
                self.change_application(actor, |application| application.commit = *commit);
            }
            Command::SetApplication { actor, application } => {
                self.change_application(actor, |changed| *changed = application.clone());
            }
            Command::Stall { actor, length } => self.stall(actor, *length),
            Command::SetReads { actor, reads } => self.set_reads(actor, reads),
            Command::SwitchAssignor {
                group,
                strategy,
                how,
            } => self.begin_rollout(group, strategy, *how),
            Command::Pause { actor, partitions } => {
                let partitions = partitions.clone();
                self.call(actor, Call::Pause { partitions });
            }
            Command::Resume { actor, partitions } => {
                let partitions = partitions.clone();
                self.call(actor, Call::Resume { partitions });
            }
            Command::Seek {
                actor,
                partition,
                offset,
            } => {
                let (partition, offset) = (partition.clone(), *offset);
                self.call(actor, Call::Seek { partition, offset });
            }
            Command::EnforceRebalance { actor } => self.call(actor, Call::EnforceRebalance),
            Command::Commit { actor, offsets } => {
                let offsets = (!offsets.is_empty()).then(|| offsets.clone());
                self.call(actor, Call::CommitSync { offsets });
            }
            Command::AddProducer { producer } => self.add_producer(producer),
            Command::StartProducer { actor } => self.with(actor, |world, actor| {
                world.schedule_feed(actor, Some(world.now));
                // A feed is no producer; a producer's configuration was checked.
                let _ = world.start_producing(actor);
            }),
            Command::StopProducer { actor } => self.with(actor, |world, actor| {
                world.schedule_feed(actor, None);
                world.set_sending(actor, false);
            }),
            Command::SendRecord { actor, key } => self.with(actor, |world, actor| {
                world.send_one(actor, key.as_deref().map(|key| key.as_bytes().into()));
            }),
            Command::SetRate { actor, every } => self.set_rate(actor, *every),
            Command::SetKeys { actor, keys } => self.set_keys(actor, keys),
            Command::SetSize { actor, size_bytes } => self.set_size(actor, *size_bytes),
            Command::CreateTopic { topic } => self.create_topic(topic),
            Command::AddPartitions { topic, total } => self.add_partitions(topic, *total),
            Command::Poison { partition, offset } => {
                Rc::make_mut(&mut self.poison).insert((partition.clone(), *offset));
            }
            Command::Corrupt { partition, offset } => self.corrupt(partition, *offset),
            Command::Send { client, request } => self.send_raw(client, request),
            Command::Admin(act) => self.administer(act),
            Command::Fault { actor, api, what } => self.add_fault(actor.clone(), api, *what),
        }
    }

    fn with(&mut self, name: &ActorName, act: impl FnOnce(&mut World, usize)) {
        if let Some(place) = self.names.get(name).copied() {
            act(self, place);
        }
    }

    fn add_consumer(&mut self, spec: &ConsumerSpec) {
        let kind = ActorKind::Consumer(Box::new(ConsumerActor {
            spec: spec.clone(),
            running: None,
            restarts: false,
            companion: None,
        }));
        let actor = self.add_actor(spec.name.clone(), kind);
        let cause = self.journal.cause();
        let started = self.start_consumer(actor);
        debug_assert!(started.is_ok(), "a checked consumer starts");
        self.journal.begin(self.now, cause);
    }

    fn close(&mut self, actor: usize) {
        match self.actors.get(actor).map(|slot| &slot.kind) {
            Some(ActorKind::Producer(_)) => self.close_producer(actor),
            _ => self.close_consumer(actor),
        }
    }

    fn restart(&mut self, actor: usize) {
        let slot = self.actors.get_mut(actor);
        let Some(producer) = slot.and_then(Actor::producer_mut) else {
            return self.restart_consumer(actor);
        };
        if producer.running.is_some() {
            producer.restarts = true;
            self.close_producer(actor);
        } else {
            let started = self.start_producing(actor);
            debug_assert!(started.is_ok(), "a checked restart starts");
        }
    }

    /// The program closes its consumer as soon as it can.
    pub(super) fn close_consumer(&mut self, actor: usize) {
        if let Some(process) = self
            .actors
            .get_mut(actor)
            .and_then(|actor| actor.running_mut())
        {
            process.application.close();
        }
        self.disturb(actor);
    }

    /// Starts a consumer; if it runs, closes it first.
    pub(super) fn restart_consumer(&mut self, actor: usize) {
        let Some(consumer) = self
            .actors
            .get_mut(actor)
            .and_then(|actor| actor.consumer_mut())
        else {
            return;
        };
        if consumer.running.is_some() {
            consumer.restarts = true;
            self.close_consumer(actor);
        } else {
            let started = self.start_consumer(actor);
            debug_assert!(started.is_ok(), "a checked restart starts");
        }
    }

    fn freeze(&mut self, actor: usize) {
        if let Some(slot) = self.actors.get_mut(actor) {
            slot.is_frozen = true;
            let actor = slot.name.clone();
            self.journal.note_as_cause(FactKind::Frozen { actor });
        }
        self.note_actor(actor);
        if let Some(companion) = self.running_companion(actor) {
            self.freeze(companion);
        }
    }

    /// The producer in a consumer's process, if it runs.
    fn running_companion(&self, actor: usize) -> Option<usize> {
        let companion = self.actors.get(actor)?.consumer()?.companion?;
        let is_running = self.actors.get(companion)?.is_alive();
        is_running.then_some(companion)
    }

    /// The process goes on: overdue timers fire, and what arrived meanwhile is read, in order.
    fn thaw(&mut self, actor: usize) {
        let Some(slot) = self.actors.get_mut(actor) else {
            return;
        };
        slot.is_frozen = false;
        let name = slot.name.clone();
        let inbox = std::mem::take(&mut slot.inbox);
        self.journal.note_as_cause(FactKind::Thawed { actor: name });
        for delivery in inbox {
            let sequence = self.journal.next_sequence();
            self.queue.deliver(self.now, sequence, delivery);
        }
        self.note_actor(actor);
        if let Some(companion) = self.running_companion(actor) {
            self.thaw(companion);
        }
    }

    fn change_configs(&mut self, actor: &ActorName, configs: &Configs) {
        self.with(actor, |world, place| {
            match world.actors.get_mut(place).map(|actor| &mut actor.kind) {
                Some(ActorKind::Consumer(consumer)) => {
                    change(&mut consumer.spec.configs, configs);
                }
                Some(ActorKind::Producer(producer)) => {
                    change(&mut producer.spec.configs, configs);
                }
                Some(ActorKind::Feed(_) | ActorKind::Raw(_) | ActorKind::Tool(_)) | None => {}
            }
        });
    }

    fn change_application(&mut self, actor: &ActorName, edit: impl FnOnce(&mut ApplicationSpec)) {
        let Some(place) = self.names.get(actor).copied() else {
            return;
        };
        let Some(consumer) = self
            .actors
            .get_mut(place)
            .and_then(|actor| actor.consumer_mut())
        else {
            return;
        };
        edit(&mut consumer.spec.application);
        if let Some(process) = &mut consumer.running {
            let spec = Rc::new(consumer.spec.application.clone());
            process
                .application
                .set_spec(spec, process.config.enable_auto_commit);
            self.disturb(place);
        }
    }

    fn stall(&mut self, actor: &ActorName, length: Duration) {
        self.with(actor, |world, place| {
            if let Some(process) = world
                .actors
                .get_mut(place)
                .and_then(|actor| actor.running_mut())
            {
                process.application.stall(length);
            }
            world.disturb(place);
        });
    }

    fn set_reads(&mut self, actor: &ActorName, reads: &Reads) {
        self.with(actor, |world, place| {
            if let Some(consumer) = world
                .actors
                .get_mut(place)
                .and_then(|actor| actor.consumer_mut())
            {
                consumer.spec.reads = reads.clone();
            }
        });
        match reads.clone() {
            Reads::Subscribe(topics) => self.call(actor, Call::Subscribe { topics }),
            Reads::Pattern(text) => {
                if let Some(call) = subscribe_pattern(&text) {
                    self.call(actor, Call::Unsubscribe);
                    self.call(actor, call);
                }
            }
            Reads::Assign(partitions) => {
                self.call(actor, Call::Unsubscribe);
                self.call(actor, Call::Assign { partitions });
            }
        }
    }

    /// The program makes a call as soon as it can.
    fn call(&mut self, actor: &ActorName, call: Call) {
        self.with(actor, |world, place| {
            if let Some(process) = world
                .actors
                .get_mut(place)
                .and_then(|actor| actor.running_mut())
            {
                process.application.add_call(call);
            }
            world.disturb(place);
        });
    }

    fn set_rate(&mut self, actor: &ActorName, every: Duration) {
        self.with(actor, |world, place| {
            let Some(slot) = world.actors.get_mut(place) else {
                return;
            };
            match &mut slot.kind {
                ActorKind::Feed(feed) => {
                    feed.spec.every = every;
                    if feed.wake.is_some() {
                        let next = world.now + every;
                        world.schedule_feed(place, Some(next));
                    }
                }
                ActorKind::Producer(producer) => {
                    producer.spec.every = every;
                    world.schedule_next_record(place);
                    world.note_actor(place);
                }
                ActorKind::Consumer(_) | ActorKind::Raw(_) | ActorKind::Tool(_) => {}
            }
        });
    }

    fn set_keys(&mut self, actor: &ActorName, keys: &Keys) {
        self.with(actor, |world, place| {
            match world.actors.get_mut(place).map(|actor| &mut actor.kind) {
                Some(ActorKind::Feed(feed)) => {
                    feed.keys.set(keys.clone());
                    feed.spec.spread = match keys {
                        Keys::None => Spread::RoundRobin,
                        Keys::Some { .. } => Spread::ByKey(keys.clone()),
                    };
                }
                Some(ActorKind::Producer(producer)) => {
                    producer.keys.set(keys.clone());
                    producer.spec.keys = keys.clone();
                }
                Some(ActorKind::Consumer(_) | ActorKind::Raw(_) | ActorKind::Tool(_)) | None => {}
            }
        });
    }

    fn set_size(&mut self, actor: &ActorName, size_bytes: u32) {
        self.with(actor, |world, place| {
            match world.actors.get_mut(place).map(|actor| &mut actor.kind) {
                Some(ActorKind::Feed(feed)) => {
                    feed.spec.size_bytes = size_bytes;
                    feed.value = value(size_bytes);
                }
                Some(ActorKind::Producer(producer)) => {
                    producer.spec.size_bytes = size_bytes;
                    producer.value = value(size_bytes);
                }
                Some(ActorKind::Consumer(_) | ActorKind::Raw(_) | ActorKind::Tool(_)) | None => {}
            }
        });
    }

    fn add_producer(&mut self, spec: &ProducerSpec) {
        let producer = ProducerActor::new(spec.clone(), self.setup.seed);
        let actor = self.add_actor(spec.name.clone(), ActorKind::Producer(Box::new(producer)));
        let started = self.start_producing(actor);
        debug_assert!(started.is_ok(), "a checked producer starts");
    }

    pub(super) fn create_topic(&mut self, spec: &TopicSpec) {
        let made = make_topic(spec, &self.cluster, self.setup.seed);
        debug_assert!(made.is_ok(), "a checked topic can be made");
        if let Ok(topic) = made {
            let cluster = Rc::make_mut(&mut self.cluster);
            cluster.topics.insert(spec.name.clone(), topic.clone());
            self.note_partitions(&spec.name, &topic, 0);
            self.publish_cluster();
        }
    }

    fn add_partitions(&mut self, name: &TopicName, total: i32) {
        let Some(mut topic) = self.cluster.topics.get(name).cloned() else {
            return;
        };
        let first = topic.partitions.len();
        let replicas = topic
            .partitions
            .first()
            .map_or(1, |first| first.replicas.len());
        let spec = TopicSpec {
            replication_factor: i16::try_from(replicas).unwrap_or(1),
            ..TopicSpec::new(name.clone(), total)
        };
        add_partitions(&mut topic, &spec, &self.cluster, total);
        let cluster = Rc::make_mut(&mut self.cluster);
        cluster.topics.insert(name.clone(), topic.clone());
        self.note_partitions(name, &topic, first);
        self.publish_cluster();
    }

    /// Makes the changes that clients have asked a broker for.
    pub(super) fn change_cluster_as_wished(&mut self, place: usize) {
        let slot = self.brokers.get_mut(place);
        let changes = slot.map_or(Vec::new(), |slot| slot.broker.take_cluster_changes());
        if changes.is_empty() {
            return;
        }
        for change in changes {
            self.note_deleted(&change);
            let grown = match &change {
                ClusterChange::CreateTopic { name, .. } => Some((name.clone(), 0)),
                ClusterChange::AddPartitions { topic, .. } => {
                    let there = self.cluster.topics.get(topic);
                    Some((
                        topic.clone(),
                        there.map_or(0, |there| there.partitions.len()),
                    ))
                }
                ClusterChange::DeleteTopic { .. } => None,
            };
            Rc::make_mut(&mut self.cluster).apply(change);
            if let Some((name, first)) = grown
                && let Some(topic) = self.cluster.topics.get(&name).cloned()
            {
                self.note_partitions(&name, &topic, first);
            }
        }
        self.publish_cluster();
    }

    /// Notes what a topic's deletion takes away.
    fn note_deleted(&mut self, change: &ClusterChange) {
        let ClusterChange::DeleteTopic { topic: name } = change else {
            return;
        };
        let topic = self.cluster.topics.get(name);
        let numbers = 0..topic.map_or(0, |topic| topic.partitions.len());
        for number in numbers.filter_map(|number| i32::try_from(number).ok()) {
            let partition = TopicPartition::new(name.clone(), number);
            self.journal.note(FactKind::PartitionDeleted { partition });
        }
    }

    /// The brokers learn of the cluster's new metadata at once.
    fn publish_cluster(&mut self) {
        for place in 0..self.brokers.len() {
            if let Some(slot) = self.brokers.get_mut(place) {
                let cluster = self.cluster.clone();
                slot.broker
                    .set_cluster(cluster, &mut self.journal, &mut self.answers);
            }
            self.after_broker(place);
        }
    }

    /// Deserializers of all consumers fail at that record from now on.
    fn corrupt(&mut self, partition: &TopicPartition, offset: Offset) {
        Rc::make_mut(&mut self.unreadable).insert((partition.clone(), offset));
        let unreadable = self.unreadable.clone();
        for actor in &mut self.actors {
            if let Some(process) = actor.running_mut() {
                process.consumer.set_unreadable(unreadable.clone());
            }
        }
    }

    fn add_fault(&mut self, actor: Option<ActorName>, api: &str, what: FaultKind) {
        let api = ApiKey::ALL.iter().find(|key| key.name() == api);
        if let (Some(api), Some(what)) = (api, mishap(what)) {
            let api = *api;
            self.network.add_fault(Fault { actor, api, what });
        }
    }
}

/// Changes configurations; an empty text takes one out.
pub(super) fn change(configs: &mut Configs, changes: &Configs) {
    for (name, value) in changes {
        if value.is_empty() {
            configs.remove(name);
        } else {
            configs.insert(name.clone(), value.clone());
        }
    }
}
