//! Groups and logs that exist before the scenario's origin.

use super::World;
use super::command::Refusal;
use super::consumers::consumer_config;
use super::setup::{ClientFlavour, GroupSpec, LogSpec, MemberSpec, Reads};
use super::source::batch;
use crate::kafka::api::JoinGroupRequestProtocol;
use crate::kafka::broker::{
    CommittedOffset, GroupPreset, LogPreset, MemberPreset, group_coordinator,
};
use crate::kafka::chance::Chance;
use crate::kafka::client::consumer::{MembershipPreset, Pattern};
use crate::kafka::config::ConsumerConfig;
use crate::kafka::fact::{FactId, FactKind};
use crate::kafka::ids::{BrokerId, Bytes, Generation, MemberId, Offset, TopicName, TopicPartition};
use crate::kafka::protocol::{Assignment, Subscription};
use crate::kafka::record::RecordBatch;
use crate::kafka::sorted::SortedSet;
use crate::kafka::time::Instant;
use std::rc::Rc;

/// Version of the subscriptions and assignments that present clients write.
const PAYLOAD_VERSION: i16 = 3;
/// Most records that a log may have before the origin.
const LOG_RECORDS_MAX: i64 = 1_000_000;

/// What a setup says of a member, with its configuration at hand.
struct Preset {
    spec: MemberSpec,
    topics: Vec<TopicName>,
    pattern: Option<Rc<Pattern>>,
    flavour: ClientFlavour,
    first_correlation_id: i32,
    config: ConsumerConfig,
    actor: usize,
    host: Rc<str>,
    id: MemberId,
}

impl World {
    /// Gives logs their history.
    pub(super) fn install_logs(&mut self) -> Result<(), Refusal> {
        let setup = self.setup.clone();
        for (partition, spec) in &setup.logs {
            let leader = self.cluster.leader(partition);
            let place = leader.and_then(|leader| self.broker_place(leader));
            let slot = place.and_then(|place| self.brokers.get_mut(place));
            let slot = slot.ok_or_else(|| Refusal::UnknownPartition(partition.clone()))?;
            slot.broker
                .install_log(partition.clone(), log_preset(spec)?);
            self.note_log(partition, spec);
        }
        Ok(())
    }

    /// Tells what is in a log, for whoever counts lag and losses.
    fn note_log(&mut self, partition: &TopicPartition, spec: &LogSpec) {
        self.journal.begin(self.now, FactId::BEGINNING);
        if spec.end > spec.start {
            self.journal.note(FactKind::Append {
                partition: partition.clone(),
                base: spec.start,
                next: spec.end,
                max_timestamp_ms: spec.last_timestamp_ms,
            });
        }
        self.journal.note(FactKind::HwAdvance {
            partition: partition.clone(),
            offset: spec.end,
        });
        if spec.start > Offset(0) {
            self.journal.note(FactKind::LogStartAdvance {
                partition: partition.clone(),
                offset: spec.start,
            });
        }
    }

    /// Makes groups, and lets their members run.
    pub(super) fn install_groups(&mut self) -> Result<(), Refusal> {
        let setup = self.setup.clone();
        for group in &setup.groups {
            let unknown = || Refusal::UnknownGroup(group.group.clone());
            let coordinator = group_coordinator(&group.group, &self.cluster);
            let coordinator = coordinator.map_err(|_| unknown())?;
            let place = self.broker_place(coordinator).ok_or_else(unknown)?;
            let members = group.members.iter();
            let members = members.map(|member| self.preset(group, member));
            let members = members.collect::<Result<Vec<Preset>, Refusal>>()?;
            one_owner_each(&members)?;
            let leader = leader(group, &members)?;
            self.journal.begin(self.now, FactId::BEGINNING);
            if let Some(slot) = self.brokers.get_mut(place) {
                let preset = group_preset(group, &members, leader.as_ref());
                slot.broker.install_group(preset, &mut self.journal);
            }
            let topics = members.iter().flat_map(|member| member.topics.clone());
            let topics: SortedSet<TopicName> = topics.collect();
            for member in members {
                let leader_of = (Some(&member.id) == leader.as_ref())
                    .then(|| topics.iter().cloned().collect::<Vec<TopicName>>());
                self.install_member(group, member, coordinator, leader_of)?;
            }
        }
        Ok(())
    }

    fn preset(&self, group: &GroupSpec, spec: &MemberSpec) -> Result<Preset, Refusal> {
        let unknown = || Refusal::UnknownActor(spec.actor.clone());
        let actor = *self.names.get(&spec.actor).ok_or_else(unknown)?;
        let slot = self.actors.get(actor).ok_or_else(unknown)?;
        let consumer = slot.consumer();
        let consumer = consumer.ok_or_else(|| Refusal::NotAConsumer(spec.actor.clone()))?;
        let config = consumer_config(&consumer.spec)?;
        let (topics, pattern) = match &consumer.spec.reads {
            Reads::Subscribe(topics) => (topics.clone(), None),
            Reads::Assign(_) => return Err(Refusal::NotAConsumer(spec.actor.clone())),
            Reads::Pattern(text) => {
                let pattern = Pattern::parse(text);
                let pattern = pattern.map_err(|_| Refusal::BadPattern(text.clone()))?;
                let topics = self.cluster.topics.iter();
                let topics =
                    topics.filter(|(name, topic)| !topic.is_internal && pattern.matches(name));
                let topics = topics.map(|(name, _)| name.clone()).collect();
                (topics, Some(Rc::new(pattern)))
            }
        };
        if config.group_id.as_ref() != Some(&group.group) {
            return Err(Refusal::UnknownGroup(group.group.clone()));
        }
        let foreign = |partition: &&TopicPartition| self.cluster.partition(partition).is_none();
        if let Some(partition) = spec.owned.iter().find(foreign) {
            return Err(Refusal::UnknownPartition(partition.clone()));
        }
        let drawn = || {
            let mut chance = Chance::new(self.setup.seed, &format!("member {}", spec.actor));
            let prefix = config.group_instance_id.as_deref();
            let prefix = prefix.unwrap_or(config.client_id.as_str());
            MemberId::from(format!("{prefix}-{}", chance.uuid()))
        };
        Ok(Preset {
            id: spec.member_id.clone().unwrap_or_else(drawn),
            spec: spec.clone(),
            topics,
            pattern,
            flavour: consumer.spec.flavour,
            first_correlation_id: consumer.spec.first_correlation_id,
            host: slot.host.clone(),
            config,
            actor,
        })
    }

    /// The member's process runs from the origin on.
    fn install_member(
        &mut self,
        group: &GroupSpec,
        member: Preset,
        coordinator: BrokerId,
        leader_of: Option<Vec<TopicName>>,
    ) -> Result<(), Refusal> {
        let owned = member.spec.owned.iter().map(|partition| {
            let committed = group.offsets.get(partition).copied();
            let position = member.spec.positions.get(partition).copied();
            let position = position.or(committed);
            let end = || {
                self.setup
                    .logs
                    .get(partition)
                    .map_or(Offset(0), |log| log.end)
            };
            (partition.clone(), Some(position.unwrap_or_else(end)))
        });
        let preset = MembershipPreset {
            coordinator,
            member_id: member.id,
            generation: member.spec.generation.unwrap_or(group.generation),
            protocol: group.assignor.clone().unwrap_or_default(),
            leader_of,
            topics: member.topics,
            pattern: member.pattern,
            owned: owned.collect(),
            joined_at: member.spec.joined_at,
            last_heartbeat_at: member.spec.last_heartbeat,
            next_correlation_id: member.first_correlation_id,
            metadata: self.cluster.clone(),
            metadata_refreshed_at: member.spec.metadata_refreshed_at.unwrap_or(self.now),
            client_id: None,
        };
        let mut process = self.make_process(member.actor, Vec::new())?;
        let mut actions = Vec::new();
        self.journal.begin(self.now, FactId::BEGINNING);
        self.note_started(member.actor);
        process
            .consumer
            .install(preset, &mut self.journal, &mut actions);
        self.run_process(member.actor, process, actions);
        Ok(())
    }
}

/// Holds that no partition is owned twice, by two members or by one.
fn one_owner_each(members: &[Preset]) -> Result<(), Refusal> {
    let mut owned = SortedSet::new();
    // Who takes itself to be in a generation that the file names only claims what it owns.
    let assigned = members
        .iter()
        .filter(|member| member.spec.generation.is_none());
    let all = assigned.flat_map(|member| &member.spec.owned);
    match all.into_iter().find(|partition| !owned.insert(*partition)) {
        Some(partition) => Err(Refusal::OwnedTwice(partition.clone())),
        None => Ok(()),
    }
}

fn leader(group: &GroupSpec, members: &[Preset]) -> Result<Option<MemberId>, Refusal> {
    let Some(name) = &group.leader else {
        return Ok(members.first().map(|member| member.id.clone()));
    };
    let leader = members.iter().find(|member| member.spec.actor == *name);
    let leader = leader.ok_or_else(|| Refusal::UnknownActor(name.clone()))?;
    Ok(Some(leader.id.clone()))
}

/// The group as its coordinator knows it.
fn group_preset(group: &GroupSpec, members: &[Preset], leader: Option<&MemberId>) -> GroupPreset {
    let since = members.iter().map(|member| member.spec.joined_at).max();
    let since = since.unwrap_or(Instant::ZERO);
    let offsets = group.offsets.iter().map(|(partition, offset)| {
        let committed = CommittedOffset {
            offset: *offset,
            leader_epoch: -1,
            metadata: "".into(),
            committed_at: since,
            expires_at: None,
        };
        (partition.clone(), committed)
    });
    GroupPreset {
        group: group.group.clone(),
        since,
        generation: group.generation,
        protocol_type: Some("consumer".into()),
        protocol: (!members.is_empty()).then(|| group.assignor.clone().unwrap_or_default()),
        leader: leader.cloned(),
        members: members.iter().map(member_preset).collect(),
        member_order: group.member_order.clone(),
        offsets: offsets.collect(),
    }
}

fn member_preset(member: &Preset) -> MemberPreset {
    let java = member.flavour == ClientFlavour::Java;
    // As it was sent by a member that joined for the first time.
    let subscription = Subscription {
        topics: member.topics.clone(),
        user_data: (!java).then(|| Bytes::from([])),
        owned_partitions: Vec::new(),
        generation: Generation::NONE.0,
        rack_id: (!java).then(|| "".into()),
    };
    let metadata = subscription.encode(PAYLOAD_VERSION);
    let assignment = Assignment {
        // What a member merely claims, the coordinator has not given it.
        partitions: match member.spec.generation {
            None => member.spec.owned.clone(),
            Some(_) => Vec::new(),
        },
        user_data: (!java).then(|| Bytes::from([])),
    };
    let strategy = member.config.partition_assignment_strategy.iter();
    MemberPreset {
        member_id: member.id.clone(),
        group_instance_id: member.config.group_instance_id.clone(),
        client_id: member.config.client_id.clone(),
        client_host: member.host.clone(),
        session_timeout_ms: member.config.session_timeout_ms,
        rebalance_timeout_ms: member.config.max_poll_interval_ms,
        protocols: strategy
            .map(|name| JoinGroupRequestProtocol {
                name: name.clone(),
                metadata: metadata.clone(),
            })
            .collect(),
        assignment: assignment.encode(if java { PAYLOAD_VERSION } else { 0 }),
        last_heartbeat: member.spec.last_heartbeat.unwrap_or(member.spec.joined_at),
    }
}

/// A log of records that are evenly spaced in time, up to its end.
fn log_preset(spec: &LogSpec) -> Result<LogPreset, Refusal> {
    let bound = |what, value: i64, most| match (0..=most).contains(&value) {
        true => Ok(()),
        false => Err(Refusal::OutOfRange {
            what,
            least: 0,
            most,
        }),
    };
    bound("start", spec.start.0, i64::MAX)?;
    let records = spec.end.0.saturating_sub(spec.start.0);
    bound("end", records, LOG_RECORDS_MAX)?;
    super::check::check_size(spec.size_bytes)?;
    let value: Bytes = vec![0; usize::try_from(spec.size_bytes).unwrap_or(0)].into();
    let step = usize::try_from(spec.batch.max(1)).unwrap_or(usize::MAX);
    let mut batches = Vec::new();
    for base in (spec.start.0..spec.end.0).step_by(step) {
        let count = (spec.end.0 - base).min(i64::from(spec.batch.max(1)));
        let keys = vec![None; usize::try_from(count).unwrap_or(0)];
        let before_last = spec.end.0 - 1 - base;
        let timestamp = spec.last_timestamp_ms - before_last.saturating_mul(spec.every_ms);
        batches.push(Rc::new(RecordBatch {
            base_offset: Offset(base),
            partition_leader_epoch: 0,
            ..batch(keys, &value, timestamp)
        }));
    }
    Ok(LogPreset {
        log_start: spec.start,
        high_watermark: None,
        batches,
    })
}
