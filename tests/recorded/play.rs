//! The set-up of a recording in the world, with consumers of ours.

use crate::recording::{Recording, Step, What, ms, step_of, text, was_thrown};
use regroup::kafka::api::RequestHeader;
use regroup::kafka::fact::{Callback, Fact, FactKind};
use regroup::kafka::ids::{MemberId, TopicPartition};
use regroup::kafka::sorted::SortedMap;
use regroup::kafka::time::{Duration, Instant};
use regroup::world::command::Command;
use regroup::world::setup::{
    ApplicationSpec, ClientFlavour, CommitStyle, ConsumerSpec, ConsumerStart, FeedSpec, LinkSpec,
    OnException, Reads, Setup, Spread, Timing, TopicSpec,
};
use regroup::world::{Progress, World};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// From a consumer's start to its first request to the coordinator: metadata and the coordinator are asked for.
const START_MS: f64 = 5.0;

/// What one consumer's machine did to it and what decides the rest: the recording, the flavour, the consumer, how
/// much later than the others it has its answers and how much later it looks for new partitions, ms.
const LATE: [(&str, ClientFlavour, &str, i64, i64); 2] = [
    // It sent its last heartbeat after the others had sent theirs of that round, so that two rounds later its
    // session had not yet ended when they asked.
    ("killed_consumer", ClientFlavour::Librdkafka, "c2", 12, 0),
    // It asked for its coordinator 60 ms after its first metadata, and its next request for metadata did not have
    // to wait behind a fetch.
    ("partitions_added", ClientFlavour::Librdkafka, "c1", 0, -100),
];

fn at(ms: f64) -> Instant {
    Instant((ms * 1_000.0) as i64)
}

/// As far as they were the same in all recordings: one broker on the same machine, which takes 12 ms to write
/// into `__consumer_offsets`, of which 5 are the linger of that broker's release.
fn timing(flavour: ClientFlavour) -> Timing {
    let java = flavour == ClientFlavour::Java;
    Timing {
        latency: Duration(400),
        processing: Duration(200),
        group_append: Duration::from_ms(7),
        offset_append: Duration::from_ms(7),
        // The first use of a class takes Java that long.
        assign_time: Duration::from_ms(if java { 60 } else { 1 }),
        heartbeat_step: Duration::from_ms(if java { 100 } else { 2 }),
        ..Timing::ideal()
    }
}

fn config(event: &Value) -> Vec<(&'static str, String)> {
    let number = |key: &str, default: u64| event[key].as_u64().unwrap_or(default).to_string();
    let strategy = event["strategy"].as_str().unwrap_or("range");
    let auto = event["commit"].as_str().unwrap_or("auto") == "auto";
    let mut configs = vec![
        ("group.id", text(event, "group").to_owned()),
        ("auto.offset.reset", "earliest".to_owned()),
        ("enable.auto.commit", auto.to_string()),
        ("auto.commit.interval.ms", number("auto_commit_ms", 1_000)),
        ("session.timeout.ms", number("session_ms", 6_000)),
        ("heartbeat.interval.ms", number("heartbeat_ms", 2_000)),
        ("max.poll.interval.ms", number("max_poll_ms", 60_000)),
        ("metadata.max.age.ms", number("metadata_ms", 10_000)),
        ("fetch.max.wait.ms", "100".to_owned()),
        ("partition.assignment.strategy", strategy.to_owned()),
    ];
    if let Some(instance) = event["instance"].as_str() {
        configs.push(("group.instance.id", instance.to_owned()));
    }
    configs
}

fn reads(event: &Value) -> Reads {
    match event["assign"].as_array() {
        Some(partitions) => Reads::Assign(
            partitions
                .iter()
                .map(|pair| {
                    let number = pair[1].as_i64().expect("a number");
                    let number = i32::try_from(number).expect("a small one");
                    TopicPartition::new(pair[0].as_str().expect("a topic"), number)
                })
                .collect(),
        ),
        None => {
            let topics = event["topics"].as_array().expect("topics").iter();
            Reads::Subscribe(
                topics
                    .map(|name| name.as_str().expect("a topic").into())
                    .collect(),
            )
        }
    }
}

fn application(event: &Value, flavour: ClientFlavour) -> ApplicationSpec {
    ApplicationSpec {
        commit: match event["commit"].as_str() {
            Some("batch") => Some(CommitStyle::SyncAfterBatch),
            Some("none") => Some(CommitStyle::None),
            _ => None,
        },
        commit_when_revoked: event["commit"] == "batch",
        // The worker of the experiments closes what was fenced (librdkafka tells it by an event, and it goes on),
        // and polls again after anything else.
        on_exception: match event["instance"].as_str() {
            Some(_) if flavour == ClientFlavour::Java => OnException::Close,
            _ => OnException::GoOn,
        },
        ..ApplicationSpec::default()
    }
}

fn consumer(event: &Value, flavour: ClientFlavour) -> ConsumerSpec {
    let configs = config(event).into_iter();
    ConsumerSpec {
        name: text(event, "consumer").into(),
        configs: configs
            .map(|(name, value)| (name.into(), value.into()))
            .collect(),
        flavour,
        reads: reads(event),
        application: application(event, flavour),
        first_correlation_id: 0,
    }
}

/// The ids that the recorded broker gave to each client, in order.
fn given_ids(events: &[Value]) -> SortedMap<Rc<str>, Vec<MemberId>> {
    let mut given: SortedMap<Rc<str>, Vec<MemberId>> = SortedMap::new();
    for event in events {
        let id = text(event, "member");
        let gives = text(event, "ev") == "res" && text(event, "api") == "JoinGroup";
        let ids = given.entry(text(event, "src").into()).or_default();
        if gives && !id.is_empty() && !ids.iter().any(|known| known.as_str() == id) {
            ids.push(id.into());
        }
    }
    given
}

fn feed(event: &Value, name: String, every_ms: i64, times: Option<u64>, batch: u32) -> FeedSpec {
    FeedSpec {
        name: name.as_str().into(),
        topic: text(event, "topic").into(),
        first_at: Some(at(ms(event))),
        every: Duration::from_ms(every_ms),
        times,
        batch,
        spread: Spread::EveryPartition,
        size_bytes: 2,
    }
}

/// What was there and what was done, as the experiment's own events say.
fn set_up(recording: &Recording, flavour: ClientFlavour) -> (Setup, Vec<(f64, Command)>) {
    let mut setup = Setup {
        timing: timing(flavour),
        member_ids: given_ids(&recording.events),
        ..Setup::default()
    };
    let mut acts = Vec::new();
    for (place, event) in recording.events.iter().enumerate() {
        let actor = || text(event, "consumer").into();
        match text(event, "ev") {
            "create_topic" => {
                let partitions = event["partitions"].as_i64().expect("a number");
                let partitions = i32::try_from(partitions).expect("a small one");
                setup
                    .topics
                    .push(TopicSpec::new(text(event, "topic"), partitions));
            }
            "add_partitions" => {
                let total = i32::try_from(event["total"].as_i64().expect("a number"));
                let total = total.expect("a small one");
                let topic = text(event, "topic").into();
                acts.push((ms(event), Command::AddPartitions { topic, total }));
            }
            "feed" => {
                let every = event["every_ms"].as_i64().expect("a number");
                let name = format!("feed {place}");
                setup.feeds.push(feed(event, name, every, None, 1));
            }
            "produced" => {
                let each = u32::try_from(event["each"].as_u64().expect("a number"));
                let name = format!("feed {place}");
                setup.feeds.push(feed(
                    event,
                    name,
                    1_000,
                    Some(1),
                    each.expect("a small one"),
                ));
            }
            "start_consumer" => {
                let name = text(event, "consumer");
                let steps = recording.timelines.get(name).into_iter().flatten();
                let mut first = steps.filter(|step| matches!(step.what, What::Request { .. }));
                let begins = first.next().expect("it asks for something").at_ms - START_MS;
                setup.consumers.push(ConsumerStart {
                    consumer: consumer(event, flavour),
                    at: Some(at(begins)),
                });
            }
            "kill_consumer" => acts.push((ms(event), Command::Kill { actor: actor() })),
            "closing" if !was_thrown(&recording.events, text(event, "src")) => {
                let actor = text(event, "src").into();
                acts.push((ms(event), Command::Close { actor }));
            }
            // `commit none`: it commits when it is told to, which is just before it says so.
            "commit" if told_to_commit(recording, text(event, "src")) => {
                let actor = text(event, "src").into();
                let offsets = SortedMap::new();
                acts.push((ms(event) - 20.0, Command::Commit { actor, offsets }));
            }
            _ => {}
        }
    }
    (setup, acts)
}

fn told_to_commit(recording: &Recording, consumer: &str) -> bool {
    recording.events.iter().any(|event| {
        text(event, "ev") == "start_consumer"
            && text(event, "consumer") == consumer
            && event["commit"] == "none"
    })
}

/// What each of our consumers does in the set-up of the recording, as long as that lasted.
pub fn play(recording: &Recording, flavour: ClientFlavour) -> BTreeMap<String, Vec<Step>> {
    let (mut setup, acts) = set_up(recording, flavour);
    setup.timing.links = LATE
        .iter()
        .filter(|late| late.0 == recording.name && late.1 == flavour)
        .map(|(_, _, consumer, ms, _)| LinkSpec {
            client: Some((*consumer).into()),
            broker: None,
            request: None,
            response: Some(Duration::from_ms(*ms)),
        })
        .collect();
    for start in &mut setup.consumers {
        let late = LATE.iter().find(|late| {
            (late.0, late.1, late.2) == (&recording.name, flavour, start.consumer.name.as_str())
        });
        if let Some(late) = late {
            let age = (10_000 + late.4).to_string();
            let configs = &mut start.consumer.configs;
            configs.insert("metadata.max.age.ms".into(), age.as_str().into());
        }
    }
    let mut world = World::new(setup).expect("a good setup");
    let mut facts = world.take_facts();
    let mut closings = Vec::new();
    for (at_ms, command) in &acts {
        let to = at(*at_ms);
        assert_eq!(
            world.advance_to(Instant(to.0 - 1), 10_000_000),
            Progress::Reached
        );
        world.rest_until(to);
        facts.append(&mut world.take_facts());
        if let Command::Close { actor } = command {
            closings.push((facts.len(), actor.to_string(), *at_ms));
        }
        assert_eq!(world.apply(command), Ok(()));
        facts.append(&mut world.take_facts());
    }
    let exits = recording
        .events
        .iter()
        .filter(|event| text(event, "ev") == "exit");
    let end = exits
        .map(ms)
        .fold(f64::INFINITY, f64::min)
        .max(acts.last().map_or(0.0, |act| act.0));
    let end = recording.events.iter().map(ms).fold(end, f64::max);
    assert_eq!(world.advance_to(at(end), 10_000_000), Progress::Reached);
    facts.append(&mut world.take_facts());
    timelines(&facts, &closings)
}

fn timelines(facts: &[Fact], closings: &[(usize, String, f64)]) -> BTreeMap<String, Vec<Step>> {
    let mut timelines: BTreeMap<String, Vec<Step>> = BTreeMap::new();
    let mut open: BTreeMap<u64, (String, usize)> = BTreeMap::new();
    for (place, fact) in facts.iter().enumerate() {
        for (_, actor, at_ms) in closings.iter().filter(|closing| closing.0 == place) {
            let step = Step {
                at_ms: *at_ms,
                what: What::Closing,
            };
            timelines.entry(actor.clone()).or_default().push(step);
        }
        let at_ms = fact.at.0 as f64 / 1_000.0;
        let (actor, what) = match &fact.kind {
            FactKind::RequestSent {
                exchange,
                from,
                correlation_id,
                api_version,
                client_id,
                request,
                ..
            } => {
                let header = RequestHeader {
                    api_version: *api_version,
                    correlation_id: *correlation_id,
                    client_id: client_id.clone(),
                };
                let Some(what) = step_of(header, (**request).clone()) else {
                    continue;
                };
                let steps = timelines.entry(from.to_string()).or_default();
                open.insert(*exchange, (from.to_string(), steps.len()));
                (from.to_string(), what)
            }
            FactKind::ResponseSent {
                exchange, response, ..
            } => {
                let Some((actor, place)) = open.remove(exchange) else {
                    continue;
                };
                let step = timelines
                    .get_mut(&actor)
                    .and_then(|steps| steps.get_mut(place));
                if let Some(Step {
                    what: What::Request { error, .. },
                    ..
                }) = step
                {
                    *error = response.error().code();
                }
                continue;
            }
            FactKind::CallbackCalled {
                member,
                callback,
                partitions,
            } => {
                let name = match callback {
                    Callback::Assigned => "assign",
                    Callback::Revoked => "revoke",
                    Callback::Lost => "lost",
                };
                let mut numbers: Vec<i32> = partitions.iter().map(|it| it.partition).collect();
                numbers.sort_unstable();
                (
                    member.actor.to_string(),
                    What::Callback(name.into(), numbers),
                )
            }
            _ => continue,
        };
        timelines
            .entry(actor)
            .or_default()
            .push(Step { at_ms, what });
    }
    timelines
}
