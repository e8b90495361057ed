//! From a file to a scenario: defaults, names, bounds.

use super::complaint::{BadScenario, Complaint};
use super::expectations::{api_key, expectation};
use super::file::{
    ConsumerFile, FeedFile, GroupFile, LogFile, MemberFile, Preset, ScenarioFile, SpreadFile, Text,
    TimingFile, VERSION,
};
use super::names::Names;
use super::plan::Scenario;
use crate::kafka::config::{BrokerConfig, set_config};
use crate::kafka::ids::{BrokerId, Generation, TopicName, TopicPartition};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use crate::world::command::{Command, Configs};
use crate::world::setup::{
    BrokerSpec, ConsumerSpec, ConsumerStart, FeedSpec, GroupSpec, LogSpec, MemberSpec, Reads,
    Setup, Spread, Timing,
};
use std::rc::Rc;

/// Most brokers, topics, groups or actors; most acts; most expectations.
const FEW_MAX: usize = 1_000;
const ACTS_MAX: usize = 10_000;
/// Most partitions of all topics together.
const PARTITIONS_MAX: i64 = 10_000;
/// Longest run, and earliest beginning before zero: a week, so that retention can be shown.
pub(super) const RUN_MAX: Duration = Duration::from_ms(7 * 86_400_000);
/// Most records that all sources together may write in a run.
const RECORDS_MAX: u64 = 20_000_000;

pub(super) type Result<T> = std::result::Result<T, BadScenario>;

/// Complains about a place in a file.
pub(super) fn bad<T>(path: impl Into<String>, complaint: Complaint) -> Result<T> {
    Err(BadScenario {
        path: path.into(),
        variant: None,
        complaint,
    })
}

/// Makes a scenario of a file.
pub(super) fn resolve(file: &ScenarioFile, variant: Option<(Rc<str>, Text)>) -> Result<Scenario> {
    let name = variant.as_ref().map(|(name, _)| name.clone());
    let in_variant = |bad: BadScenario| BadScenario {
        variant: name.clone(),
        ..bad
    };
    resolve_file(file, variant.clone()).map_err(in_variant)
}

fn resolve_file(file: &ScenarioFile, variant: Option<(Rc<str>, Text)>) -> Result<Scenario> {
    check_bounds(file)?;
    let names = Names::of(file)?;
    let setup = setup(file, &names)?;
    for (index, act) in file.acts.iter().enumerate() {
        let path = format!("acts[{index}]");
        if act.at < file.origin || act.at > file.until {
            let (least, most) = (file.origin, file.until);
            return bad(path, Complaint::TimeOutOfBounds { least, most });
        }
        if index > 0
            && file
                .acts
                .get(index - 1)
                .is_some_and(|before| before.at > act.at)
        {
            return bad(path, Complaint::Order);
        }
    }
    if let Some(incident) = &file.incident {
        for (path, variant) in [
            ("incident.from", &incident.from),
            ("incident.to", &incident.to),
        ] {
            variant
                .iter()
                .try_for_each(|name| names.variant(path, name))?;
        }
    }
    let name = variant.as_ref().map(|(name, _)| &**name);
    let mut expectations = Vec::new();
    for (index, expect) in file.expect.iter().enumerate() {
        let path = format!("expect[{index}]");
        let concerns = match (&expect.variants, name) {
            (None, _) => true,
            (Some(only), Some(name)) => only.iter().any(|one| &**one == name),
            (Some(_), None) => false,
        };
        names.variants(&path, expect.variants.as_deref())?;
        if concerns {
            // Who or what it is about may exist in its variants only.
            expectations.push(expectation(&path, expect, &names)?);
        }
    }
    let mut wire = Vec::new();
    for (index, message) in file.wire.iter().enumerate() {
        let path = format!("wire[{index}]");
        let api = api_key(&format!("{path}.api"), &message.api)?;
        names.actor(&format!("{path}.client"), &message.client)?;
        for other in &message.after {
            if !file.wire.iter().any(|one| one.id == *other) {
                let (what, name) = ("message", other.clone());
                return bad(format!("{path}.after"), Complaint::Unknown { what, name });
            }
        }
        wire.push((message.clone(), api));
    }
    Ok(Scenario {
        title: file.title.clone(),
        story: file.story.clone(),
        question: file.question.clone(),
        card: file.card.clone(),
        variant,
        setup,
        acts: file.acts.clone(),
        until: file.until,
        expectations,
        wire,
    })
}

fn check_bounds(file: &ScenarioFile) -> Result<()> {
    if file.version != VERSION {
        return bad("version", Complaint::Version(file.version));
    }
    let bounds = |path: &str, value: Instant, least: Instant, most: Instant| match (least..=most)
        .contains(&value)
    {
        true => Ok(()),
        false => bad(path, Complaint::TimeOutOfBounds { least, most }),
    };
    let earliest = Instant(-RUN_MAX.0);
    bounds("origin", file.origin, earliest, Instant::ZERO)?;
    bounds("until", file.until, file.origin, Instant(RUN_MAX.0))?;
    if let Some(open) = &file.open {
        bounds("open.at", open.at, file.origin, Instant(RUN_MAX.0))?;
    }
    for (path, length, most) in [
        ("brokers", file.brokers.len(), FEW_MAX),
        ("topics", file.topics.len(), FEW_MAX),
        ("feeds", file.feeds.len(), FEW_MAX),
        ("producers", file.producers.len(), FEW_MAX),
        ("consumers", file.consumers.len(), FEW_MAX),
        ("groups", file.groups.len(), FEW_MAX),
        ("timing.links", file.timing.links.len(), FEW_MAX),
        ("acts", file.acts.len(), ACTS_MAX),
        ("expect", file.expect.len(), ACTS_MAX),
        ("wire", file.wire.len(), ACTS_MAX),
    ] {
        if length > most {
            return bad(path, Complaint::TooMany { most });
        }
    }
    let mut partitions = 0_i64;
    for (index, topic) in file.topics.iter().enumerate() {
        partitions = partitions.saturating_add(i64::from(topic.partitions));
        if topic.partitions < 1 || partitions > PARTITIONS_MAX {
            let (least, most) = (1, PARTITIONS_MAX);
            let path = format!("topics[{index}].partitions");
            return bad(path, Complaint::OutOfBounds { least, most });
        }
    }
    check_records(file)
}

/// Whether the sources' rates, as the file begins, are bearable.
fn check_records(file: &ScenarioFile) -> Result<()> {
    let run = (file.until - file.origin).0.unsigned_abs();
    let partitions = |topic: &TopicName| {
        let found = file.topics.iter().find(|one| one.name == *topic);
        found.map_or(1, |topic| u64::from(topic.partitions.unsigned_abs()))
    };
    let mut records = 0_u64;
    let mut add = |path: String, every: Duration, per_time: u64, times: Option<u64>| {
        if every.0 <= 0 || every > RUN_MAX {
            let (least, most) = (Instant(1), Instant(RUN_MAX.0));
            return bad(path, Complaint::TimeOutOfBounds { least, most });
        }
        let possible = run / every.0.unsigned_abs() + 1;
        let times = times.map_or(possible, |times| times.min(possible));
        records = records.saturating_add(times.saturating_mul(per_time));
        match records <= RECORDS_MAX {
            true => Ok(()),
            false => bad(path, Complaint::TooManyRecords { most: RECORDS_MAX }),
        }
    };
    for (index, feed) in file.feeds.iter().enumerate() {
        let spread = match feed.spread {
            SpreadFile::EveryPartition => partitions(&feed.topic),
            SpreadFile::Partition(_) | SpreadFile::RoundRobin | SpreadFile::ByKey(_) => 1,
        };
        let per_time = spread.saturating_mul(u64::from(feed.batch));
        add(
            format!("feeds[{index}].every_ms"),
            feed.every_ms,
            per_time,
            feed.times,
        )?;
    }
    for (index, producer) in file.producers.iter().enumerate() {
        add(
            format!("producers[{index}].every_ms"),
            producer.every,
            1,
            None,
        )?;
    }
    for act in &file.acts {
        if let Command::SetRate { every, .. } = &act.command {
            add("acts".to_owned(), *every, 1, None)?;
        }
    }
    Ok(())
}

fn setup(file: &ScenarioFile, names: &Names) -> Result<Setup> {
    let mut setup = Setup {
        seed: file.seed,
        origin: file.origin,
        coordinator: file.coordinator,
        broker_version: file.broker_version,
        brokers: brokers(file)?,
        timing: timing(&file.timing),
        topics: file.topics.clone(),
        consumer_offsets: file.consumer_offsets.clone(),
        feeds: Vec::new(),
        producers: file.producers.clone(),
        consumers: Vec::new(),
        groups: Vec::new(),
        logs: SortedMap::new(),
        member_ids: file.member_ids.clone(),
    };
    for (index, feed) in file.feeds.iter().enumerate() {
        names.topic(&format!("feeds[{index}].topic"), &feed.topic)?;
        setup.feeds.push(feed_spec(feed));
    }
    for (index, producer) in file.producers.iter().enumerate() {
        names.topic(&format!("producers[{index}].topic"), &producer.topic)?;
    }
    for (index, consumer) in file.consumers.iter().enumerate() {
        let path = format!("consumers[{index}]");
        setup
            .consumers
            .push(consumer_start(&path, consumer, file, names)?);
    }
    for (index, group) in file.groups.iter().enumerate() {
        let path = format!("groups[{index}]");
        setup.groups.push(group_spec(&path, group, file, names)?);
    }
    for (partition, log) in &file.logs {
        names.partition(&format!("logs.{partition}"), partition)?;
        setup.logs.insert(partition.clone(), log_spec(log));
    }
    Ok(setup)
}

fn brokers(file: &ScenarioFile) -> Result<SortedMap<BrokerId, BrokerSpec>> {
    let mut brokers = SortedMap::new();
    let spec = |path: &str, rack: Option<Rc<str>>, configs: &Configs| {
        let mut config = BrokerConfig::default();
        if file.timing.preset == Preset::Ideal {
            config.group_coordinator_append_linger_ms = 0;
        }
        let both = [("broker_configs", &file.broker_configs), (path, configs)];
        for (path, configs) in both {
            for (name, value) in configs {
                set_config(&mut config, name, value).or_else(|error| {
                    let refusal = crate::world::command::Refusal::Config(error);
                    bad(format!("{path}.{name}"), Complaint::Refused(refusal))
                })?;
            }
        }
        Ok(BrokerSpec { config, rack })
    };
    if file.brokers.is_empty() {
        brokers.insert(BrokerId(1), spec("brokers", None, &Configs::new())?);
    }
    for (index, broker) in file.brokers.iter().enumerate() {
        let path = format!("brokers[{index}]");
        let spec = spec(
            &format!("{path}.configs"),
            broker.rack.clone(),
            &broker.configs,
        )?;
        if brokers.insert(broker.id, spec).is_some() {
            let name = broker.id.0.to_string().into();
            return bad(format!("{path}.id"), Complaint::Twice(name));
        }
    }
    Ok(brokers)
}

fn timing(file: &TimingFile) -> Timing {
    let preset = match file.preset {
        Preset::Real => Timing::real(),
        Preset::Ideal => Timing::ideal(),
    };
    Timing {
        latency: file.latency_ms.unwrap_or(preset.latency),
        links: file.links.clone(),
        processing: file.processing_ms.unwrap_or(preset.processing),
        group_append: file.group_append_ms.unwrap_or(preset.group_append),
        offset_append: file.offset_append_ms.unwrap_or(preset.offset_append),
        assign_time: file.assign_ms.unwrap_or(preset.assign_time),
        heartbeat_step: file.heartbeat_step_ms.unwrap_or(preset.heartbeat_step),
        backoff_jitter: file.backoff_jitter.unwrap_or(preset.backoff_jitter),
    }
}

fn feed_spec(feed: &FeedFile) -> FeedSpec {
    FeedSpec {
        name: feed.name.clone(),
        topic: feed.topic.clone(),
        first_at: feed.first_at,
        every: feed.every_ms,
        times: feed.times,
        batch: feed.batch,
        spread: match &feed.spread {
            SpreadFile::EveryPartition => Spread::EveryPartition,
            SpreadFile::Partition(partition) => Spread::Partition(*partition),
            SpreadFile::RoundRobin => Spread::RoundRobin,
            SpreadFile::ByKey(keys) => Spread::ByKey(keys.clone()),
        },
        size_bytes: feed.size_bytes,
    }
}

fn log_spec(log: &LogFile) -> LogSpec {
    LogSpec {
        start: log.start,
        end: log.end,
        batch: log.batch,
        size_bytes: log.size_bytes,
        last_timestamp_ms: log.last_timestamp_ms,
        every_ms: log.every_ms,
    }
}

fn consumer_start(
    path: &str,
    consumer: &ConsumerFile,
    file: &ScenarioFile,
    names: &Names,
) -> Result<ConsumerStart> {
    let mut configs = file.consumer_configs.clone();
    configs.extend(consumer.configs.clone());
    let all = || file.topics.iter().map(|topic| topic.name.clone()).collect();
    let reads = match &consumer.reads {
        None => Reads::Subscribe(all()),
        Some(Reads::Assign(partitions)) => {
            for partition in partitions {
                names.partition(&format!("{path}.reads"), partition)?;
            }
            Reads::Assign(partitions.clone())
        }
        Some(reads) => reads.clone(),
    };
    Ok(ConsumerStart {
        consumer: ConsumerSpec {
            name: consumer.name.clone(),
            configs,
            flavour: consumer.flavour,
            reads,
            application: consumer.application.clone(),
            first_correlation_id: consumer.first_correlation_id,
        },
        at: consumer.at,
    })
}

fn group_spec(
    path: &str,
    group: &GroupFile,
    file: &ScenarioFile,
    names: &Names,
) -> Result<GroupSpec> {
    for partition in group.offsets.keys() {
        names.partition(&format!("{path}.offsets"), partition)?;
    }
    let mut members = Vec::new();
    for (index, member) in group.members.iter().enumerate() {
        let path = format!("{path}.members[{index}]");
        names.consumer(&format!("{path}.actor"), &member.actor)?;
        let partitions = member.owned.iter().chain(member.positions.keys());
        for partition in partitions {
            names.partition(&path, partition)?;
        }
        members.push(member_spec(member, file));
    }
    Ok(GroupSpec {
        group: group.group.clone(),
        generation: Generation(group.generation),
        assignor: assignor(group, file),
        leader: group.leader.clone(),
        members,
        member_order: group.member_order.clone(),
        offsets: group.offsets.clone(),
    })
}

fn assignor(group: &GroupFile, file: &ScenarioFile) -> Option<Rc<str>> {
    let first = group.members.first()?;
    if group.assignor.is_some() {
        return group.assignor.clone();
    }
    let consumer = file.consumers.iter().find(|one| one.name == first.actor)?;
    let name = "partition.assignment.strategy";
    let of = |configs: &Configs| configs.get(name).cloned();
    let strategy = of(&consumer.configs).or_else(|| of(&file.consumer_configs));
    let strategy = strategy.unwrap_or_else(|| "range".into());
    strategy.split(',').next().map(|name| name.trim().into())
}

fn member_spec(member: &MemberFile, file: &ScenarioFile) -> MemberSpec {
    MemberSpec {
        actor: member.actor.clone(),
        member_id: member.member_id.clone(),
        generation: member.generation.map(Generation),
        owned: member.owned.clone(),
        positions: member.positions.clone(),
        joined_at: member.joined_at.unwrap_or(file.origin),
        last_heartbeat: member.last_heartbeat,
        metadata_refreshed_at: member.metadata_refreshed_at,
    }
}

/// Reads a partition's name out of a map's key, for messages.
pub(super) fn partition_text(partition: &TopicPartition) -> Rc<str> {
    partition.to_string().into()
}
