//! The inspector's part of the view.

use super::why::chain;
use super::{Choice, Names, Selection, Sources, keep, log, messages};
use crate::kafka::broker::Group;
use crate::kafka::config::{
    BrokerConfig, Configuration, ConsumerConfig, Takes, config_key, set_config,
};
use crate::kafka::fact::{FactId, FactKind};
use crate::kafka::ids::{
    ActorName, BrokerId, Bytes, GroupId, MemberId, Offset, TopicName, TopicPartition,
};
use crate::ledger::{Entry, Life, PartitionLedger, Readers};
use crate::view::event::{Level, level};
use crate::view::inspect::*;
use crate::world::setup::ConsumerSpec;
use crate::world::{ActorView, Role};
use std::rc::Rc;

/// Facts that are searched for the last thing that happened to what is chosen.
const REACH: usize = 20_000;

pub(super) fn build(
    sources: Sources<'_>,
    choice: &Choice,
    names: &Names,
    before: &Inspector,
) -> Inspector {
    let Some(selection) = &choice.selection else {
        return Inspector::default();
    };
    let thing = thing(sources, choice, names, selection);
    let about = match selection {
        Selection::Message {
            exchange,
            is_answer,
        } => Some((*exchange, *is_answer)),
        Selection::Event(fact) => messages::exchange_of_event(sources, *fact),
        _ => None,
    };
    let message = about.and_then(|(exchange, is_answer)| {
        messages::detail(sources, exchange, is_answer, before.message.as_ref())
    });
    let why = match selection {
        Selection::Event(fact) => Some(*fact),
        Selection::Message {
            exchange,
            is_answer,
        } => messages::fact_of(sources, *exchange, *is_answer),
        _ => last_about(sources, selection),
    };
    let why = match why {
        Some(fact) if before.why.first().is_some_and(|event| event.id == fact) => {
            before.why.clone()
        }
        Some(fact) => chain(sources, fact),
        None => Rc::new([]),
    };
    Inspector {
        thing: thing.map(|thing| match &before.thing {
            Some(old) => keep(old, thing),
            None => Rc::new(thing),
        }),
        message,
        why,
        life: life(sources, selection, before),
        log: log::build(sources, selection, before.log.as_ref()),
        source: log::source(sources, selection, before.source.as_ref()),
    }
}

fn thing(
    sources: Sources<'_>,
    choice: &Choice,
    names: &Names,
    selection: &Selection,
) -> Option<Thing> {
    match selection {
        Selection::Client(name) => {
            let actor = sources.world.actor(name)?;
            match &actor.role {
                Role::Consumer { .. } | Role::Stopped { .. } => consumer(sources, names, &actor),
                Role::Feed { .. } | Role::Producer { .. } => producer(sources, &actor),
            }
        }
        Selection::Broker(id) => broker(sources, *id),
        Selection::Partition(partition) => partition_thing(sources, choice, partition),
        Selection::Topic(name) => topic(sources, name),
        Selection::Group(group) => group_thing(sources, names, group),
        Selection::Record { .. } => record(sources, selection),
        Selection::Event(_) => Some(plain(ThingKind::Event, "")),
        Selection::Message { exchange, .. } => {
            let talk = sources.chronicle.talk(*exchange)?;
            Some(plain(ThingKind::Message, talk.api.name()))
        }
    }
}

/// A thing that has a name and nothing more.
fn plain(kind: ThingKind, title: &str) -> Thing {
    Thing {
        kind,
        title: title.into(),
        rows: Vec::new(),
        configs: Rc::new([]),
    }
}

fn life(
    sources: Sources<'_>,
    selection: &Selection,
    before: &Inspector,
) -> Option<(Rc<[Entry]>, u64)> {
    let life = chosen_life(sources, selection)?;
    match &before.life {
        Some((entries, left_out)) if **entries == *life.entries() => {
            Some((entries.clone(), *left_out))
        }
        _ => Some((life.entries().into(), life.left_out())),
    }
}

/// The life that is told, if it is that of the chosen record.
fn chosen_life<'a>(sources: Sources<'a>, selection: &Selection) -> Option<&'a Life> {
    let Selection::Record { partition, offset } = selection else {
        return None;
    };
    let is_it = |life: &&Life| life.partition() == partition && life.offset() == *offset;
    sources.life.filter(is_it)
}

fn record(sources: Sources<'_>, selection: &Selection) -> Option<Thing> {
    let life = chosen_life(sources, selection)?;
    let key = life
        .key()
        .map(|key| String::from_utf8_lossy(key).into_owned());
    Some(Thing {
        kind: ThingKind::Record(life.partition().clone(), life.offset()),
        title: text(life.partition()),
        rows: match consumer_record(sources, life.partition(), life.offset()) {
            rows if rows.is_empty() => key.map(|key| (Label::Key, text(key))).into_iter().collect(),
            rows => rows,
        },
        configs: Rc::new([]),
    })
}

/// What poll returns of a record, while its log has it (class `ConsumerRecord`, which has no checksum any more).
fn consumer_record(
    sources: Sources<'_>,
    partition: &TopicPartition,
    offset: Offset,
) -> Vec<(Label, Rc<str>)> {
    /// Bit 3 of a batch's attributes.
    const LOG_APPEND_TIME: i16 = 8;
    let leader = sources.world.cluster().leader(partition);
    let log = leader
        .and_then(|leader| sources.world.broker(leader))
        .and_then(|broker| broker.log(partition));
    let log = log.filter(|log| (log.log_start()..log.log_end()).contains(&offset));
    let batch = log.and_then(|log| log.batches_from(offset).next());
    let record = batch.and_then(|batch| {
        let mut records = batch.records.iter();
        let delta = offset.0 - batch.base_offset.0;
        records.find(|record| i64::from(record.offset_delta) == delta)
    });
    let (Some(batch), Some(record)) = (batch, record) else {
        return Vec::new();
    };
    let is_appended = batch.attributes & LOG_APPEND_TIME != 0;
    let size = |bytes: &Option<Bytes>| match bytes {
        Some(bytes) => bytes.len().to_string(),
        None => "-1".to_string(),
    };
    let key = record.key.as_ref();
    let key = key.map(|key| String::from_utf8_lossy(key).into_owned());
    let value = record.value.as_ref();
    let value = value.map(|value| format!("byte[{}]", value.len()));
    let timestamp = match is_appended {
        true => batch.max_timestamp,
        false => batch.base_timestamp + record.timestamp_delta,
    };
    let null = || "null".to_string();
    let fields = [
        ("topic", partition.topic.to_string()),
        ("partition", partition.partition.to_string()),
        ("offset", offset.0.to_string()),
        ("timestamp", timestamp.to_string()),
        (
            "timestampType",
            if is_appended {
                "LogAppendTime"
            } else {
                "CreateTime"
            }
            .to_string(),
        ),
        ("key", key.unwrap_or_else(null)),
        ("value", value.unwrap_or_else(null)),
        ("serializedKeySize", size(&record.key)),
        ("serializedValueSize", size(&record.value)),
        ("headers", record.headers.len().to_string()),
        ("leaderEpoch", batch.partition_leader_epoch.to_string()),
    ];
    let fields = fields.into_iter();
    fields
        .map(|(name, value)| (Label::OfRecord(name), text(value)))
        .collect()
}

fn text(value: impl ToString) -> Rc<str> {
    value.to_string().into()
}

fn consumer(sources: Sources<'_>, names: &Names, actor: &ActorView<'_>) -> Option<Thing> {
    let (spec, running) = match &actor.role {
        Role::Consumer { spec, config, .. } => (*spec, Some(&***config)),
        Role::Stopped { spec } => (*spec, None),
        Role::Feed { .. } | Role::Producer { .. } => return None,
    };
    let client = sources.sums.scene.clients.get(actor.name);
    let membership = client.and_then(|client| client.membership.clone());
    let mut rows = vec![(Label::Process, text(actor.process))];
    if let Some(member) = &membership {
        rows.push((Label::MemberId, text(&member.member_id)));
        rows.push((Label::Generation, text(member.generation.0)));
        let readers = Readers::of(member);
        let ledger = sources.sums.ledger.share(&readers);
        let owned = sources.sums.ledger.owned(&readers, actor.name);
        rows.push((Label::Owned, text(list(&owned))));
        if let Some(ledger) = ledger {
            let stopped = ledger.members.stop_the_world(actor.name, sources.now());
            rows.push((Label::StopTheWorld, text(stopped)));
        }
    }
    if let Some(client) = client {
        rows.push((Label::MemberState, format!("{:?}", client.state).into()));
        rows.push((Label::InHand, text(client.undone)));
    }
    Some(Thing {
        kind: ThingKind::Consumer {
            actor: actor.name.clone(),
            owner: *names.owners.get(actor.name)?,
            is_running: running.is_some(),
            application: spec.application.clone(),
            group: spec
                .configs
                .get("group.id")
                .map_or_else(GroupId::default, |id| (&**id).into()),
            instance_id: spec
                .configs
                .get("group.instance.id")
                .cloned()
                .unwrap_or_default(),
        },
        title: actor.name.as_str().into(),
        rows,
        configs: consumer_configs(actor.name, spec, running),
    })
}

fn list(partitions: &[TopicPartition]) -> String {
    if partitions.is_empty() {
        return "–".to_string();
    }
    let names: Vec<String> = partitions.iter().map(ToString::to_string).collect();
    names.join(", ")
}

/// What the consumer is started with next time, and where the running process differs.
fn consumer_configs(
    name: &ActorName,
    spec: &ConsumerSpec,
    running: Option<&ConsumerConfig>,
) -> Rc<[ConfigRow]> {
    let default = ConsumerConfig {
        client_id: name.as_str().into(),
        ..ConsumerConfig::default()
    };
    let mut next = default.clone();
    for (key, value) in spec.configs.iter().filter(|entry| !entry.1.is_empty()) {
        // The world checked them when it took them.
        let _ = set_config(&mut next, key, value);
    }
    config_rows(&next, &default, running)
}

/// Every configuration; `running`: what the process runs with, where that may be another.
fn config_rows<C: Configuration>(next: &C, default: &C, running: Option<&C>) -> Rc<[ConfigRow]> {
    C::KEYS
        .iter()
        .map(|key| ConfigRow {
            name: key.name,
            value: (key.get)(next).into(),
            default: (key.get)(default).into(),
            choices: match key.takes {
                Takes::Choice(words) => words,
                _ => &[],
            },
            is_pending: running.is_some_and(|config| (key.get)(config) != (key.get)(next)),
        })
        .collect()
}

fn producer(sources: Sources<'_>, actor: &ActorView<'_>) -> Option<Thing> {
    let source = actor.source()?;
    let client = sources.sums.scene.clients.get(actor.name);
    let produced = client.map(|client| client.produced).unwrap_or_default();
    Some(Thing {
        kind: ThingKind::Producer {
            actor: actor.name.clone(),
            is_running: source.is_running,
            rate_per_s: 1_000_000 / source.every.0.max(1),
            keys: source.keys,
            size_bytes: source.size_bytes,
            is_client: source.is_client,
            is_alive: matches!(
                &actor.role,
                Role::Producer {
                    producer: Some(_),
                    ..
                }
            ),
            is_frozen: actor.is_frozen,
        },
        title: actor.name.as_str().into(),
        // A feed has no answers that could be counted.
        rows: (source.is_client)
            .then(|| (Label::Written, text(produced.acknowledged)))
            .into_iter()
            .collect(),
        configs: Rc::new([]),
    })
}

fn broker(sources: Sources<'_>, id: BrokerId) -> Option<Thing> {
    let machine = sources.world.broker(id)?;
    let led: Vec<TopicPartition> = sources
        .sums
        .ledger
        .logs()
        .filter(|(partition, _)| sources.world.cluster().leader(partition) == Some(id))
        .map(|(partition, _)| partition.clone())
        .collect();
    let groups: Vec<&str> = machine.groups().map(|group| group.id().as_str()).collect();
    Some(Thing {
        kind: ThingKind::Broker(id),
        title: id.0.to_string().into(),
        rows: vec![
            (Label::Leads, text(list(&led))),
            (Label::Coordinator, text(groups.join(", "))),
        ],
        configs: config_rows(&*machine.settings().config, &BrokerConfig::default(), None),
    })
}

fn partition_thing(
    sources: Sources<'_>,
    choice: &Choice,
    partition: &TopicPartition,
) -> Option<Thing> {
    let log = sources.sums.ledger.log(partition)?;
    let mut rows = vec![
        (Label::LogStart, text(log.start.0)),
        (Label::HighWatermark, text(log.high_watermark.0)),
        (Label::LogEnd, text(log.end.0)),
    ];
    if let Some((readers, ledger)) = sources.readers(choice)
        && let Some(entry) = ledger.partition(partition)
    {
        rows.extend(reading_rows(sources, &readers, partition, entry));
    }
    Some(Thing {
        kind: ThingKind::Partition {
            partition: partition.clone(),
            log_end: log.end.0,
        },
        title: text(partition),
        rows,
        configs: Rc::new([]),
    })
}

fn reading_rows(
    sources: Sources<'_>,
    readers: &Readers,
    partition: &TopicPartition,
    entry: &PartitionLedger,
) -> Vec<(Label, Rc<str>)> {
    let or_none = |number: Option<i64>| number.map_or_else(|| "–".into(), text);
    let owner = entry.ownership.owner().map(|holding| &holding.member.actor);
    let position = entry
        .deliveries
        .owner()
        .and_then(|reading| reading.position);
    let lag = sources
        .sums
        .ledger
        .lag(readers, partition)
        .unwrap_or_default();
    vec![
        (Label::Owner, owner.map_or_else(|| "–".into(), text)),
        (Label::Position, or_none(position.map(|offset| offset.0))),
        (
            Label::Committed,
            or_none(entry.deliveries.committed().map(|offset| offset.0)),
        ),
        (Label::Lag, or_none(lag.committed)),
        (Label::Delivered, text(entry.deliveries.delivered())),
        (
            Label::Duplicates,
            text(entry.deliveries.duplicates().deliveries()),
        ),
        (Label::Forwarded, text(entry.deliveries.forwarded())),
        (Label::Unowned, text(entry.ownership.unowned(sources.now()))),
    ]
}

fn topic(sources: Sources<'_>, name: &TopicName) -> Option<Thing> {
    let topic = sources.world.cluster().topics.get(name)?;
    let partitions = i32::try_from(topic.partitions.len()).ok()?;
    Some(Thing {
        kind: ThingKind::Topic {
            name: name.clone(),
            partitions,
        },
        title: name.as_str().into(),
        rows: vec![(Label::Partitions, text(partitions))],
        configs: Rc::new([]),
    })
}

fn group_thing(sources: Sources<'_>, names: &Names, id: &GroupId) -> Option<Thing> {
    let ledger = sources.sums.ledger.group(id);
    let found = sources
        .world
        .brokers()
        .find_map(|(broker, machine)| Some((broker, machine.group(id)?)));
    let mut rows = Vec::new();
    if let Some((broker, group)) = found {
        rows.push((Label::State, text(group.state().name())));
        rows.push((Label::Generation, text(group.generation().0)));
        rows.push((Label::Members, text(group.members().count())));
        rows.push((
            Label::Assignor,
            text(group.protocol().map_or("–", |name| name)),
        ));
        rows.push((Label::CoordinatedBy, text(broker.0)));
    }
    if let Some(ledger) = ledger {
        rows.push((Label::Rebalances, text(ledger.rebalances.count())));
        rows.push((Label::Unowned, text(ledger.paused(sources.now()))));
    }
    Some(Thing {
        kind: ThingKind::Group {
            id: id.clone(),
            strategy: strategy(sources, id),
            vote: found.map_or_else(Vote::default, |(_, group)| vote(sources, names, id, group)),
            topics: ledger.map_or(Vec::new(), |ledger| {
                let topics = ledger.topics().iter();
                topics.cloned().collect()
            }),
            static_members: found.map_or(Vec::new(), |(_, group)| {
                let members = group.members();
                let ids = members.filter_map(|member| member.group_instance_id());
                ids.map(|id| id.as_str().into()).collect()
            }),
        },
        title: id.as_str().into(),
        rows,
        configs: Rc::new([]),
    })
}

/// The vote as it would come out now, by the coordinator itself.
fn vote(sources: Sources<'_>, names: &Names, id: &GroupId, group: &Group) -> Vote {
    let ballot = group.ballot();
    let of_member = |(member_id, vote): (MemberId, Option<Rc<str>>)| {
        let actor = sources.sums.scene.name_of(id, &member_id);
        let listed = group.member(&member_id).map_or(&[][..], |m| m.protocols());
        MemberBallot {
            name: actor.map_or_else(|| member_id.shared(), |actor| actor.shared()),
            owner: actor.and_then(|actor| names.owners.get(actor).copied()),
            list: listed.iter().map(|listed| listed.name.clone()).collect(),
            vote,
        }
    };
    Vote {
        candidates: ballot.candidates,
        ballots: ballot.votes.into_iter().map(of_member).collect(),
        winner: ballot.winner,
    }
}

/// `partition.assignment.strategy` of the group's first consumer.
fn strategy(sources: Sources<'_>, id: &GroupId) -> Vec<Rc<str>> {
    let of_actor = |actor: ActorView<'_>| match &actor.role {
        Role::Consumer { config, .. } if config.group_id.as_ref() == Some(id) => {
            Some(config.partition_assignment_strategy.clone())
        }
        _ => None,
    };
    let key = config_key::<ConsumerConfig>("partition.assignment.strategy");
    debug_assert!(key.is_some(), "the strategy is a configuration");
    sources
        .world
        .actors()
        .find_map(of_actor)
        .unwrap_or_default()
}

/// The last fact that turned something about the chosen thing.
fn last_about(sources: Sources<'_>, selection: &Selection) -> Option<FactId> {
    let facts = sources.chronicle.before(sources.sums.last).take(REACH);
    let mut turns = facts.filter(|fact| level(&fact.kind) >= Level::Step);
    turns
        .find(|fact| is_about(&fact.kind, selection))
        .map(|fact| fact.id)
}

fn is_about(kind: &FactKind, selection: &Selection) -> bool {
    match selection {
        Selection::Client(name) => match kind {
            FactKind::Started { actor, .. }
            | FactKind::Stopped { actor, .. }
            | FactKind::Frozen { actor }
            | FactKind::Thawed { actor }
            | FactKind::Thrown { actor, .. } => actor == name,
            FactKind::Acquire { member, .. }
            | FactKind::Release { member, .. }
            | FactKind::PollTimeoutExpired { member }
            | FactKind::MemberStateChanged { member, .. } => member.actor == *name,
            _ => false,
        },
        Selection::Partition(chosen) => match kind {
            FactKind::Acquire { partition, .. }
            | FactKind::Release { partition, .. }
            | FactKind::PositionSet { partition, .. }
            | FactKind::LogStartAdvance { partition, .. }
            | FactKind::PartitionCreated { partition, .. } => partition == chosen,
            _ => false,
        },
        Selection::Group(chosen) => match kind {
            FactKind::GroupStateChanged { group, .. } | FactKind::Assigned { group, .. } => {
                group == chosen
            }
            _ => false,
        },
        Selection::Topic(name) => match kind {
            FactKind::PartitionCreated { partition, .. } => partition.topic == *name,
            _ => false,
        },
        Selection::Broker(_)
        | Selection::Event(_)
        | Selection::Message { .. }
        | Selection::Record { .. } => false,
    }
}
