//! Whether a command can be carried out now, or a setup at all.

use super::World;
use super::act::change;
use super::actor::{Actor, ActorKind};
use super::command::{ADMIN, AdminAct, Command, FaultKind, RawRequest, Refusal, ResetTo};
use super::consumers::consumer_config;
use super::network::{Mishap, PENDING_FAULTS_MAX};
use super::producers::producer_config;
use super::setup::{
    ApplicationSpec, CommitStyle, ConsumerSpec, Keys, PollStyle, ProducerSpec, Reads, Setup,
    TopicSpec,
};
use crate::kafka::api::ApiKey;
use crate::kafka::broker::group_coordinator;
use crate::kafka::client::consumer::Pattern;
use crate::kafka::config::{
    ASSIGNORS, ConfigError, Configuration, DYNAMIC_BROKER_CONFIGS, set_config,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{ActorName, BrokerId, GroupId, Offset, TopicName, TopicPartition};
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::Duration;
use std::rc::Rc;

pub(super) use super::fault_answer::error_answer;

/// Most actors that a world may have.
pub const ACTORS_MAX: usize = 1_000;
/// Most partitions that a topic may have.
pub const PARTITIONS_MAX: i32 = 10_000;
/// Most tasks that a tool may have before it.
const TASKS_MAX: usize = 100;
/// Longest time that a field may say: a year.
const YEAR: Duration = Duration::from_ms(366 * 86_400_000);
/// Largest value of a record, in bytes.
const SIZE_MAX_BYTES: u32 = 1_000_000;

impl World {
    /// Whether the command can be carried out now, and if not, why. Changes nothing.
    pub fn check(&self, command: &Command) -> Result<(), Refusal> {
        match command {
            Command::AddConsumers { consumers } => self.check_new_consumers(consumers),
            Command::Close { actor } => match self.find(actor)?.kind {
                ActorKind::Producer(_) => self.check_alive_and_awake(actor),
                _ => self.check_open(actor),
            },
            Command::Kill { actor } => self.alive(actor).map(|_| ()),
            Command::Freeze { actor } => self.check_alive_and_awake(actor),
            Command::Thaw { actor } => match self.alive(actor)?.is_frozen {
                true => Ok(()),
                false => Err(Refusal::NotFrozen(actor.clone())),
            },
            Command::Restart { actor, configs } => {
                let slot = self.find(actor)?;
                if slot.is_frozen {
                    return Err(Refusal::Frozen(actor.clone()));
                }
                check_change(slot, configs)
            }
            Command::SetConfig { actor, name, value } => {
                let configs = [(name.clone(), value.clone())].into();
                check_change(self.find(actor)?, &configs)
            }
            Command::SetBrokerConfig {
                broker,
                name,
                value,
            } => self.check_broker_config(*broker, name, value),
            Command::SetHandler {
                actor,
                time_per_record,
            } => {
                self.check_consumer(actor)?;
                in_year("time_per_record_ms", *time_per_record, 0)
            }
            Command::Stall { actor, length } => {
                self.check_awake(actor)?;
                in_year("for_ms", *length, 1)
            }
            Command::SetCommitStyle { actor, commit } => {
                self.check_consumer(actor)?;
                commit.map_or(Ok(()), check_commit)
            }
            Command::SetApplication { actor, application } => {
                self.check_consumer(actor)?;
                check_application(application)
            }
            Command::SetReads { actor, reads } => self.check_reads(actor, reads),
            Command::EnforceRebalance { actor } => self.check_open(actor),
            Command::Commit { actor, offsets } => {
                self.check_open(actor)?;
                self.check_offsets(offsets)
            }
            Command::SwitchAssignor {
                group, strategy, ..
            } => self.check_switch(group, strategy),
            Command::Pause { actor, partitions } | Command::Resume { actor, partitions } => {
                self.check_assigned(actor, partitions)
            }
            Command::Seek {
                actor,
                partition,
                offset,
            } => {
                self.check_assigned(actor, std::slice::from_ref(partition))?;
                at_least("offset", offset.0, 0)
            }
            Command::AddProducer { producer } => self.check_new_producer(producer),
            Command::StartProducer { actor } => self.check_source(actor),
            Command::StopProducer { actor } => self.check_source(actor),
            Command::SendRecord { actor, .. } => match self.find(actor)?.kind {
                ActorKind::Producer(_) => Ok(()),
                ActorKind::Consumer(_)
                | ActorKind::Feed(_)
                | ActorKind::Raw(_)
                | ActorKind::Tool(_) => Err(Refusal::NotAProducer(actor.clone())),
            },
            Command::SetRate { actor, every } => {
                self.check_source(actor)?;
                in_year("every_ms", *every, 1)
            }
            Command::SetKeys { actor, keys } => {
                self.check_source(actor)?;
                check_keys(keys)
            }
            Command::SetSize { actor, size_bytes } => {
                self.check_source(actor)?;
                check_size(*size_bytes)
            }
            Command::CreateTopic { topic } => self.check_new_topic(topic),
            Command::AddPartitions { topic, total } => self.check_partitions(topic, *total),
            Command::Poison { partition, offset } | Command::Corrupt { partition, offset } => {
                self.cluster
                    .partition(partition)
                    .ok_or_else(|| Refusal::UnknownPartition(partition.clone()))?;
                at_least("offset", offset.0, 0)
            }
            Command::Send { client, request } => self.check_send(client, request),
            Command::Admin(act) => self.check_admin(act),
            Command::Fault { actor, api, what } => self.check_fault(actor.as_ref(), api, *what),
        }
    }

    fn find(&self, name: &ActorName) -> Result<&Actor, Refusal> {
        let place = self.names.get(name);
        place
            .and_then(|place| self.actors.get(*place))
            .ok_or_else(|| Refusal::UnknownActor(name.clone()))
    }

    fn check_consumer(&self, name: &ActorName) -> Result<&Actor, Refusal> {
        let actor = self.find(name)?;
        match actor.consumer() {
            Some(_) => Ok(actor),
            None => Err(Refusal::NotAConsumer(name.clone())),
        }
    }

    fn running(&self, name: &ActorName) -> Result<&Actor, Refusal> {
        let actor = self.check_consumer(name)?;
        match actor.running() {
            Some(_) => Ok(actor),
            None => Err(Refusal::NotRunning(name.clone())),
        }
    }

    /// A consumer or producer whose process runs.
    fn alive(&self, name: &ActorName) -> Result<&Actor, Refusal> {
        let actor = self.find(name)?;
        match &actor.kind {
            ActorKind::Feed(_) | ActorKind::Raw(_) | ActorKind::Tool(_) => {
                Err(Refusal::NotAConsumer(name.clone()))
            }
            ActorKind::Consumer(_) | ActorKind::Producer(_) if !actor.is_alive() => {
                Err(Refusal::NotRunning(name.clone()))
            }
            ActorKind::Consumer(_) | ActorKind::Producer(_) => Ok(actor),
        }
    }

    fn check_alive_and_awake(&self, name: &ActorName) -> Result<(), Refusal> {
        match self.alive(name)?.is_frozen {
            true => Err(Refusal::Frozen(name.clone())),
            false => Ok(()),
        }
    }

    /// It runs and does not stand still.
    fn check_awake(&self, name: &ActorName) -> Result<(), Refusal> {
        match self.running(name)?.is_frozen {
            true => Err(Refusal::Frozen(name.clone())),
            false => Ok(()),
        }
    }

    /// It runs, does not stand still, and was not told to close.
    fn check_open(&self, name: &ActorName) -> Result<(), Refusal> {
        self.check_awake(name)?;
        let process = self.running(name)?.running();
        match process.is_some_and(|process| process.application.is_closing()) {
            true => Err(Refusal::Closing(name.clone())),
            false => Ok(()),
        }
    }

    fn check_source(&self, name: &ActorName) -> Result<(), Refusal> {
        match self.find(name)?.kind {
            ActorKind::Feed(_) | ActorKind::Producer(_) => Ok(()),
            ActorKind::Consumer(_) | ActorKind::Raw(_) | ActorKind::Tool(_) => {
                Err(Refusal::NotAProducer(name.clone()))
            }
        }
    }

    fn check_new_consumers(&self, consumers: &[ConsumerSpec]) -> Result<(), Refusal> {
        if consumers.is_empty() {
            return Err(Refusal::Nothing("consumers"));
        }
        if self.actors.len() + consumers.len() > ACTORS_MAX {
            return Err(Refusal::TooMany {
                what: "actors",
                most: ACTORS_MAX,
            });
        }
        let mut names: SortedSet<&ActorName> = self.names.keys().collect();
        for consumer in consumers {
            if !names.insert(&consumer.name) {
                return Err(Refusal::NameTaken(consumer.name.clone()));
            }
            check_consumer_spec(consumer)?;
        }
        Ok(())
    }

    fn check_new_producer(&self, producer: &ProducerSpec) -> Result<(), Refusal> {
        if self.names.contains_key(&producer.name) {
            return Err(Refusal::NameTaken(producer.name.clone()));
        }
        if self.actors.len() >= ACTORS_MAX {
            return Err(Refusal::TooMany {
                what: "actors",
                most: ACTORS_MAX,
            });
        }
        check_producer_spec(producer)
    }

    fn check_switch(&self, group: &GroupId, strategy: &[Rc<str>]) -> Result<(), Refusal> {
        if strategy.is_empty() {
            return Err(Refusal::Nothing("strategy"));
        }
        let unknown = strategy.iter().find(|name| !ASSIGNORS.contains(&&***name));
        if let Some(name) = unknown {
            let error = ConfigError::UnknownAssignor(name.clone());
            return Err(Refusal::Config(error));
        }
        match self.running_consumers(group).is_empty() {
            true => Err(Refusal::UnknownGroup(group.clone())),
            false => Ok(()),
        }
    }

    fn check_broker_config(
        &self,
        id: BrokerId,
        name: &Rc<str>,
        value: &str,
    ) -> Result<(), Refusal> {
        let broker = self.broker(id).ok_or(Refusal::UnknownBroker(id))?;
        let mut config = (*broker.settings().config).clone();
        set_config(&mut config, name, value).map_err(Refusal::Config)?;
        match DYNAMIC_BROKER_CONFIGS.contains(&&**name) {
            true => config.check().map_err(Refusal::Config),
            false => Err(Refusal::NotDynamic(name.clone())),
        }
    }

    fn check_assigned(
        &self,
        name: &ActorName,
        partitions: &[TopicPartition],
    ) -> Result<(), Refusal> {
        self.check_open(name)?;
        if partitions.is_empty() {
            return Err(Refusal::Nothing("partitions"));
        }
        let owned = self.running(name)?.running();
        let owned = owned.map_or_else(Vec::new, |process| process.consumer.owned());
        let foreign = partitions.iter().find(|wanted| !owned.contains(wanted));
        foreign.map_or(Ok(()), |partition| {
            Err(Refusal::NotAssigned(name.clone(), partition.clone()))
        })
    }

    fn check_new_topic(&self, topic: &TopicSpec) -> Result<(), Refusal> {
        if self.cluster.topics.contains_key(&topic.name) {
            return Err(Refusal::TopicExists(topic.name.clone()));
        }
        check_topic(topic, &self.setup)
    }

    fn check_partitions(&self, name: &TopicName, total: i32) -> Result<(), Refusal> {
        let topic = self.cluster.topics.get(name);
        let topic = topic.filter(|topic| !topic.is_internal);
        let topic = topic.ok_or_else(|| Refusal::UnknownTopic(name.clone()))?;
        let has = i32::try_from(topic.partitions.len()).unwrap_or(i32::MAX);
        if total <= has {
            return Err(Refusal::FewerPartitions {
                topic: name.clone(),
                has,
            });
        }
        between("total", i64::from(total), 1, i64::from(PARTITIONS_MAX))
    }

    /// What a stopped consumer reads may be changed too: it counts from its next start on.
    fn check_reads(&self, name: &ActorName, reads: &Reads) -> Result<(), Refusal> {
        if self.check_consumer(name)?.running().is_some() {
            self.check_open(name)?;
        }
        check_reads(reads)
    }

    fn check_offsets(&self, offsets: &SortedMap<TopicPartition, Offset>) -> Result<(), Refusal> {
        for (partition, offset) in offsets {
            if self.cluster.partition(partition).is_none() {
                return Err(Refusal::UnknownPartition(partition.clone()));
            }
            at_least("offset", offset.0, 0)?;
        }
        Ok(())
    }

    fn check_send(&self, client: &ActorName, request: &RawRequest) -> Result<(), Refusal> {
        match self.find(client).map(|actor| &actor.kind) {
            Ok(ActorKind::Raw(_)) => {}
            Ok(_) => return Err(Refusal::NameTaken(client.clone())),
            Err(_) if self.actors.len() >= ACTORS_MAX => {
                return Err(Refusal::TooMany {
                    what: "actors",
                    most: ACTORS_MAX,
                });
            }
            Err(_) => {}
        }
        if group_coordinator(request.group(), &self.cluster).is_err() {
            return Err(Refusal::UnknownGroup(request.group().clone()));
        }
        match request {
            RawRequest::OffsetCommit { offsets, .. } if offsets.is_empty() => {
                Err(Refusal::Nothing("offsets"))
            }
            RawRequest::OffsetCommit { offsets, .. } => self.check_offsets(offsets),
            RawRequest::LeaveGroup {
                group_instance_ids, ..
            } if group_instance_ids.is_empty() => Err(Refusal::Nothing("group_instance_ids")),
            RawRequest::LeaveGroup { .. } => Ok(()),
        }
    }

    /// Only what no tool would send is refused here; the rest is Kafka's to refuse.
    fn check_admin(&self, act: &AdminAct) -> Result<(), Refusal> {
        match self.find(&ADMIN.into()).map(|actor| &actor.kind) {
            Ok(ActorKind::Tool(tool)) if tool.tasks() >= TASKS_MAX => {
                return Err(Refusal::TooMany {
                    what: "tasks",
                    most: TASKS_MAX,
                });
            }
            Ok(ActorKind::Tool(_)) => {}
            Ok(_) => return Err(Refusal::NameTaken(ADMIN.into())),
            Err(_) if self.actors.len() >= ACTORS_MAX => {
                return Err(Refusal::TooMany {
                    what: "actors",
                    most: ACTORS_MAX,
                });
            }
            Err(_) => {}
        }
        match act {
            AdminAct::ResetOffsets { group, .. }
            | AdminAct::DeleteOffsets { group, .. }
            | AdminAct::DeleteGroup { group }
            | AdminAct::RemoveMember { group, .. } => {
                let known = group_coordinator(group, &self.cluster);
                known.map_err(|_| Refusal::UnknownGroup(group.clone()))?;
            }
            AdminAct::DeleteTopic { .. } => {}
            AdminAct::DeleteRecords { before, .. } => at_least("before", before.0, -1)?,
        }
        match act {
            AdminAct::ResetOffsets {
                to: ResetTo::Offset(offset),
                ..
            } => at_least("offset", offset.0, 0),
            _ => Ok(()),
        }
    }

    fn check_fault(
        &self,
        actor: Option<&ActorName>,
        api: &Rc<str>,
        what: FaultKind,
    ) -> Result<(), Refusal> {
        if let Some(actor) = actor {
            self.find(actor)?;
        }
        if !ApiKey::ALL.iter().any(|key| key.name() == &**api) {
            return Err(Refusal::UnknownApi(api.clone()));
        }
        if self.network.faults() >= PENDING_FAULTS_MAX {
            return Err(Refusal::TooMany {
                what: "faults",
                most: PENDING_FAULTS_MAX,
            });
        }
        match what {
            FaultKind::HoldRequest { length } | FaultKind::HoldResponse { length } => {
                in_year("for_ms", length, 1)
            }
            FaultKind::AnswerWithError { code } => match mishap(what) {
                Some(_) => Ok(()),
                None => Err(Refusal::UnknownError(code)),
            },
            FaultKind::DropRequest | FaultKind::DropResponse => Ok(()),
        }
    }
}

/// The network's word for a fault. `None`: there is no such error.
pub(super) fn mishap(what: FaultKind) -> Option<Mishap> {
    Some(match what {
        FaultKind::DropRequest => Mishap::DropRequest,
        FaultKind::HoldRequest { length } => Mishap::HoldRequest(length),
        FaultKind::DropResponse => Mishap::DropResponse,
        FaultKind::HoldResponse { length } => Mishap::HoldResponse(length),
        FaultKind::AnswerWithError { code } => {
            let error = ErrorCode::from_code(code);
            let is_known = error.code() == code && !error.is_none();
            return is_known.then_some(Mishap::Answer(error));
        }
    })
}

/// What can be said of a setup before anything is made from it.
pub(super) fn check_setup(setup: &Setup) -> Result<(), Refusal> {
    if setup.brokers.is_empty() {
        return Err(Refusal::Nothing("brokers"));
    }
    for broker in setup.brokers.values() {
        broker.config.check().map_err(Refusal::Config)?;
    }
    let mut topics = SortedSet::new();
    for topic in &setup.topics {
        if !topics.insert(&topic.name) {
            return Err(Refusal::TopicExists(topic.name.clone()));
        }
        check_topic(topic, setup)?;
    }
    let mut names = SortedSet::new();
    let mut take_name = |name: &ActorName| match names.insert(name.clone()) {
        true => Ok(()),
        false => Err(Refusal::NameTaken(name.clone())),
    };
    for feed in &setup.feeds {
        take_name(&feed.name)?;
        if !topics.contains(&feed.topic) {
            return Err(Refusal::UnknownTopic(feed.topic.clone()));
        }
        in_year("every_ms", feed.every, 1)?;
        check_size(feed.size_bytes)?;
        between("batch", i64::from(feed.batch), 1, 100_000)?;
    }
    for producer in &setup.producers {
        take_name(&producer.name)?;
        check_producer_spec(producer)?;
    }
    for start in &setup.consumers {
        take_name(&start.consumer.name)?;
        check_consumer_spec(&start.consumer)?;
    }
    if setup.feeds.len() + setup.producers.len() + setup.consumers.len() > ACTORS_MAX {
        return Err(Refusal::TooMany {
            what: "actors",
            most: ACTORS_MAX,
        });
    }
    Ok(())
}

fn check_topic(topic: &TopicSpec, setup: &Setup) -> Result<(), Refusal> {
    between(
        "partitions",
        i64::from(topic.partitions),
        1,
        i64::from(PARTITIONS_MAX),
    )?;
    let brokers = i64::try_from(setup.brokers.len()).unwrap_or(i64::MAX);
    between(
        "replication_factor",
        i64::from(topic.replication_factor),
        1,
        brokers,
    )?;
    for replicas in topic.replicas.values() {
        let different: SortedSet<&BrokerId> = replicas.iter().collect();
        let exist = replicas.iter().all(|id| setup.brokers.contains_key(id));
        if replicas.is_empty() || different.len() != replicas.len() || !exist {
            return Err(Refusal::BadReplicas);
        }
    }
    Ok(())
}

fn check_consumer_spec(consumer: &ConsumerSpec) -> Result<(), Refusal> {
    consumer_config(consumer)?;
    check_reads(&consumer.reads)?;
    check_application(&consumer.application)
}

fn check_producer_spec(producer: &ProducerSpec) -> Result<(), Refusal> {
    producer_config(producer)?;
    in_year("every_ms", producer.every, 1)?;
    check_size(producer.size_bytes)?;
    check_keys(&producer.keys)
}

fn check_change(actor: &Actor, configs: &super::command::Configs) -> Result<(), Refusal> {
    match &actor.kind {
        ActorKind::Consumer(consumer) => {
            let mut spec = consumer.spec.clone();
            change(&mut spec.configs, configs);
            consumer_config(&spec).map(|_| ())
        }
        ActorKind::Producer(producer) => {
            let mut spec = producer.spec.clone();
            change(&mut spec.configs, configs);
            producer_config(&spec).map(|_| ())
        }
        ActorKind::Feed(_) | ActorKind::Raw(_) | ActorKind::Tool(_) => {
            Err(Refusal::NotAProducer(actor.name.clone()))
        }
    }
}

fn check_application(application: &ApplicationSpec) -> Result<(), Refusal> {
    in_year("time_per_record_ms", application.time_per_record, 0)?;
    in_year("callback_time_ms", application.callback_time, 0)?;
    in_year(
        "assign_ms",
        application.assign_time.unwrap_or(Duration::ZERO),
        0,
    )?;
    if let Some(workers) = application.workers {
        between("threads", i64::from(workers.threads), 1, 1_000)?;
        at_least("queue_max", i64::from(workers.queue_max), 1)?;
    }
    between(
        "time_spread_percent",
        i64::from(application.time_spread_percent),
        0,
        100,
    )?;
    if let PollStyle::Every { period, phase } = application.poll {
        in_year("period_ms", period, 1)?;
        in_year("phase_ms", phase, 0)?;
    }
    application.commit.map_or(Ok(()), check_commit)
}

fn check_commit(commit: CommitStyle) -> Result<(), Refusal> {
    match commit {
        CommitStyle::SyncEvery { records }
        | CommitStyle::AsyncEvery { records }
        | CommitStyle::AsyncEveryWithResend { records }
        | CommitStyle::AsyncEveryWithGuard { records } => {
            at_least("records", i64::from(records), 1)
        }
        CommitStyle::None
        | CommitStyle::SyncAfterBatch
        | CommitStyle::SyncBeforeProcessing
        | CommitStyle::AsyncAfterBatch => Ok(()),
    }
}

fn check_reads(reads: &Reads) -> Result<(), Refusal> {
    match reads {
        Reads::Subscribe(_) | Reads::Assign(_) => Ok(()),
        Reads::Pattern(text) => match Pattern::parse(text) {
            Ok(_) => Ok(()),
            Err(_) => Err(Refusal::BadPattern(text.clone())),
        },
    }
}

pub(super) fn check_keys(keys: &Keys) -> Result<(), Refusal> {
    match keys {
        Keys::None => Ok(()),
        Keys::Some { count, hot_percent } => {
            at_least("count", i64::from(*count), 1)?;
            between("hot_percent", i64::from(*hot_percent), 0, 100)
        }
    }
}

pub(super) fn check_size(size_bytes: u32) -> Result<(), Refusal> {
    between(
        "size_bytes",
        i64::from(size_bytes),
        0,
        i64::from(SIZE_MAX_BYTES),
    )
}

/// `least_us` in µs.
pub(super) fn in_year(what: &'static str, length: Duration, least_us: i64) -> Result<(), Refusal> {
    between(what, length.0, least_us, YEAR.0)
}

fn at_least(what: &'static str, value: i64, least: i64) -> Result<(), Refusal> {
    between(what, value, least, i64::MAX)
}

fn between(what: &'static str, value: i64, least: i64, most: i64) -> Result<(), Refusal> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(Refusal::OutOfRange { what, least, most })
}
