//! What may be done to a thing, in the words of a scenario file: one example of each command, filled in with the
//! thing's own names. Whatever a file can do, a person can do where the thing stands.

use super::inspect::ThingKind;
use crate::form::Form;
use crate::kafka::ids::{ActorName, BrokerId, GroupId, Offset, TopicName, TopicPartition};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use crate::world::command::{AdminAct, Command, FaultKind, RawRequest, ResetTo, Rollout};
use crate::world::setup::{
    ApplicationSpec, CommitStyle, ConsumerSpec, Keys, ProducerSpec, Reads, TopicSpec,
};
use serde_json::Value;

/// The commands that concern a thing. `place`: a partition that has to do with it.
pub fn acts_on(thing: &ThingKind, place: &TopicPartition) -> Vec<Command> {
    match thing {
        ThingKind::Consumer {
            actor, application, ..
        } => on_consumer(actor, application, place),
        ThingKind::Producer { actor, .. } => on_producer(actor),
        ThingKind::Group { id, .. } => on_group(id, place),
        ThingKind::Topic { name, partitions } => on_topic(name, *partitions),
        ThingKind::Partition { partition, log_end } => on_partition(partition, Offset(*log_end)),
        ThingKind::Broker(broker) => on_broker(*broker),
        ThingKind::Record(partition, offset) => on_partition(partition, *offset),
        ThingKind::Event | ThingKind::Message => Vec::new(),
    }
}

/// A command's word; where it holds another choice, that one's, too.
pub fn word(command: &Command) -> String {
    let outer = first_word(&command.write());
    match command {
        Command::Admin(act) => format!("{outer} {}", first_word(&act.write())),
        Command::Send { request, .. } => format!("{outer} {}", first_word(&request.write())),
        _ => outer,
    }
}

/// The word of a choice as it is written: alone, or over what belongs to it.
fn first_word(written: &Value) -> String {
    let key = || written.as_object()?.keys().next().map(String::as_str);
    written.as_str().or_else(key).unwrap_or_default().to_owned()
}

fn on_consumer(
    actor: &ActorName,
    application: &ApplicationSpec,
    place: &TopicPartition,
) -> Vec<Command> {
    let actor = || actor.clone();
    let offsets = || SortedMap::from([(place.clone(), Offset(0))]);
    let partitions = || vec![place.clone()];
    vec![
        Command::SetApplication {
            actor: actor(),
            application: application.clone(),
        },
        Command::SetReads {
            actor: actor(),
            reads: Reads::Subscribe(vec![place.topic.clone()]),
        },
        Command::Commit {
            actor: actor(),
            offsets: offsets(),
        },
        Command::Seek {
            actor: actor(),
            partition: place.clone(),
            offset: Offset(0),
        },
        Command::Pause {
            actor: actor(),
            partitions: partitions(),
        },
        Command::Resume {
            actor: actor(),
            partitions: partitions(),
        },
        Command::EnforceRebalance { actor: actor() },
        Command::SetHandler {
            actor: actor(),
            time_per_record: Duration::from_ms(100),
        },
        Command::SetCommitStyle {
            actor: actor(),
            commit: Some(CommitStyle::SyncEvery { records: 10 }),
        },
        Command::Stall {
            actor: actor(),
            length: Duration::from_ms(20_000),
        },
        Command::SetConfig {
            actor: actor(),
            name: "max.poll.records".into(),
            value: "100".into(),
        },
        Command::Restart {
            actor: actor(),
            configs: SortedMap::from([("session.timeout.ms".into(), "10000".into())]),
        },
        Command::Close { actor: actor() },
        Command::Kill { actor: actor() },
        Command::Freeze { actor: actor() },
        Command::Thaw { actor: actor() },
        Command::Fault {
            actor: Some(actor()),
            api: "Heartbeat".into(),
            what: FaultKind::HoldResponse {
                length: Duration::from_ms(5_000),
            },
        },
    ]
}

fn on_producer(actor: &ActorName) -> Vec<Command> {
    let actor = || actor.clone();
    vec![
        Command::SendRecord {
            actor: actor(),
            key: Some("key-0".into()),
        },
        Command::StartProducer { actor: actor() },
        Command::StopProducer { actor: actor() },
        Command::SetRate {
            actor: actor(),
            every: Duration::from_ms(100),
        },
        Command::SetKeys {
            actor: actor(),
            keys: Keys::Some {
                count: 10,
                hot_percent: 50,
            },
        },
        Command::SetSize {
            actor: actor(),
            size_bytes: 1_000,
        },
        Command::SetConfig {
            actor: actor(),
            name: "linger.ms".into(),
            value: "20".into(),
        },
        Command::Fault {
            actor: Some(actor()),
            api: "Produce".into(),
            what: FaultKind::AnswerWithError { code: 6 },
        },
    ]
}

fn on_group(group: &GroupId, place: &TopicPartition) -> Vec<Command> {
    let group = || group.clone();
    let topic = || place.topic.clone();
    let offsets = SortedMap::from([(place.clone(), Offset(0))]);
    vec![
        Command::AddConsumers {
            consumers: vec![ConsumerSpec {
                name: "c9".into(),
                configs: SortedMap::from([("group.id".into(), group().shared())]),
                flavour: Default::default(),
                reads: Reads::Subscribe(vec![topic()]),
                application: ApplicationSpec::default(),
                first_correlation_id: 0,
            }],
        },
        Command::SwitchAssignor {
            group: group(),
            strategy: vec!["cooperative-sticky".into()],
            how: Rollout::RollingBounce,
        },
        Command::Admin(AdminAct::ResetOffsets {
            group: group(),
            topic: Some(topic()),
            partitions: vec![place.partition],
            to: ResetTo::TimeMs(Instant::from_ms(10_000)),
        }),
        Command::Admin(AdminAct::DeleteOffsets {
            group: group(),
            topic: topic(),
            partitions: vec![place.partition],
        }),
        Command::Admin(AdminAct::DeleteGroup { group: group() }),
        Command::Admin(AdminAct::RemoveMember {
            group: group(),
            group_instance_id: "c1".into(),
        }),
        Command::Send {
            client: "by-hand".into(),
            request: RawRequest::OffsetCommit {
                group: group(),
                member_id: Default::default(),
                group_instance_id: None,
                generation: -1,
                offsets,
            },
        },
        Command::Send {
            client: "by-hand".into(),
            request: RawRequest::LeaveGroup {
                group: group(),
                group_instance_ids: vec!["c1".into()],
            },
        },
    ]
}

fn on_topic(topic: &TopicName, partitions: i32) -> Vec<Command> {
    vec![
        Command::AddPartitions {
            topic: topic.clone(),
            total: partitions.saturating_add(1),
        },
        Command::AddProducer {
            producer: ProducerSpec {
                name: "p9".into(),
                topic: topic.clone(),
                every: Duration::from_ms(100),
                keys: Keys::None,
                size_bytes: 100,
                first_at: None,
                configs: SortedMap::new(),
            },
        },
        create_topic(),
        Command::Admin(AdminAct::DeleteTopic {
            topic: topic.clone(),
        }),
    ]
}

fn create_topic() -> Command {
    Command::CreateTopic {
        topic: TopicSpec {
            configs: SortedMap::from([("retention.ms".into(), "60000".into())]),
            ..TopicSpec::new("payments", 3)
        },
    }
}

/// What may be done at an offset of a partition.
fn on_partition(partition: &TopicPartition, offset: Offset) -> Vec<Command> {
    let partition = || partition.clone();
    vec![
        Command::Poison {
            partition: partition(),
            offset,
        },
        Command::Corrupt {
            partition: partition(),
            offset,
        },
        Command::Admin(AdminAct::DeleteRecords {
            partition: partition(),
            before: offset,
        }),
    ]
}

fn on_broker(broker: BrokerId) -> Vec<Command> {
    vec![
        Command::SetBrokerConfig {
            broker,
            name: "group.initial.rebalance.delay.ms".into(),
            value: "0".into(),
        },
        create_topic(),
        Command::Fault {
            actor: None,
            api: "FindCoordinator".into(),
            what: FaultKind::AnswerWithError { code: 15 },
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{Shape, read};
    use crate::view::inspect::Vote;
    use crate::view::stage::Owner;
    use std::collections::BTreeSet;

    fn things() -> Vec<ThingKind> {
        vec![
            ThingKind::Consumer {
                actor: "c1".into(),
                owner: Owner(0),
                is_running: true,
                application: ApplicationSpec::default(),
                group: "billing".into(),
                instance_id: "".into(),
            },
            ThingKind::Producer {
                actor: "p1".into(),
                is_running: true,
                rate_per_s: 10,
                keys: Keys::None,
                size_bytes: 100,
                is_client: true,
                is_alive: true,
                is_frozen: false,
            },
            ThingKind::Broker(BrokerId(1)),
            ThingKind::Partition {
                partition: TopicPartition::new("orders", 0),
                log_end: 7,
            },
            ThingKind::Record(TopicPartition::new("orders", 0), Offset(3)),
            ThingKind::Topic {
                name: "orders".into(),
                partitions: 3,
            },
            ThingKind::Group {
                id: "billing".into(),
                strategy: Vec::new(),
                vote: Vote::default(),
                topics: vec!["orders".into()],
                static_members: Vec::new(),
            },
        ]
    }

    fn offered() -> Vec<Command> {
        let place = TopicPartition::new("orders", 0);
        let things = things();
        let acts = things.iter().flat_map(|thing| acts_on(thing, &place));
        acts.collect()
    }

    fn words<T: Form>() -> BTreeSet<String> {
        let Shape::Choice(cases) = T::SHAPE else {
            panic!("it is a choice");
        };
        cases.iter().map(|case| case.word.to_owned()).collect()
    }

    #[test]
    fn whatever_a_file_can_do_is_offered_somewhere() {
        let offered = offered();
        let mut words_offered = BTreeSet::new();
        for act in &offered {
            words_offered.insert(first_word(&act.write()));
            match act {
                Command::Admin(act) => words_offered.insert(first_word(&act.write())),
                Command::Send { request, .. } => words_offered.insert(first_word(&request.write())),
                _ => true,
            };
        }
        let mut wanted = words::<Command>();
        wanted.append(&mut words::<AdminAct>());
        wanted.append(&mut words::<RawRequest>());
        assert_eq!(words_offered, wanted);
    }

    #[test]
    fn each_example_is_read_as_it_was_written() {
        for act in offered() {
            let written = act.write();
            assert_eq!(read::<Command>(&written).ok(), Some(act), "{written}");
        }
    }

    #[test]
    fn a_thing_offers_no_word_twice() {
        let place = TopicPartition::new("orders", 0);
        for thing in things() {
            let words: Vec<String> = acts_on(&thing, &place).iter().map(word).collect();
            let different: BTreeSet<&String> = words.iter().collect();
            assert_eq!(different.len(), words.len(), "{words:?}");
        }
    }
}
