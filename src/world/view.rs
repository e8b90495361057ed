//! What views may see of the world, read only.

use super::World;
use super::actor::{Actor, ActorKind};
use super::application::Phase;
use super::setup::{ConsumerSpec, Keys, Spread};
use crate::kafka::client::consumer::Consumer;
use crate::kafka::client::producer::Producer;
use crate::kafka::config::{ConsumerConfig, ProducerConfig};
use crate::kafka::ids::{ActorName, Offset, TopicPartition};
use crate::kafka::sorted::SortedSet;
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// An actor at this instant.
#[derive(Clone, Debug)]
pub struct ActorView<'a> {
    /// Its name.
    pub name: &'a ActorName,
    /// Counts its starts.
    pub process: u32,
    /// It stands still.
    pub is_frozen: bool,
    /// What it is.
    pub role: Role<'a>,
}

/// What an actor is.
#[derive(Clone, Debug)]
pub enum Role<'a> {
    /// A consumer that runs.
    Consumer {
        /// What it is started with next time.
        spec: &'a ConsumerSpec,
        /// What it runs with.
        config: &'a Rc<ConsumerConfig>,
        /// Its client.
        consumer: &'a Consumer,
        /// What its program is doing.
        phase: Phase,
        /// Since when.
        since: Instant,
        /// Until when, if that is known.
        until: Option<Instant>,
        /// Records delivered and not done.
        in_hand: usize,
        /// It was told to close.
        is_closing: bool,
    },
    /// A consumer that does not run.
    Stopped {
        /// What it is started with next time.
        spec: &'a ConsumerSpec,
    },
    /// A producer.
    Producer {
        /// What it is started with next time.
        spec: &'a super::setup::ProducerSpec,
        /// Its client, if it runs.
        producer: Option<&'a Producer>,
        /// What it runs with.
        config: Option<&'a Rc<ProducerConfig>>,
        /// Whether its program makes records.
        is_sending: bool,
    },
    /// A feed of records.
    Feed {
        /// Whether it writes.
        is_running: bool,
        /// How it writes.
        spec: &'a super::setup::FeedSpec,
    },
}

/// What makes records, be it a producer or a feed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceView {
    /// Whether it makes records now.
    pub is_running: bool,
    /// From one record (or batch) to the next.
    pub every: Duration,
    /// What keys they have.
    pub keys: Keys,
    /// Size of a value.
    pub size_bytes: u32,
    /// A producer, with a client of its own.
    pub is_client: bool,
}

impl ActorView<'_> {
    /// What it makes records like, if it does.
    pub fn source(&self) -> Option<SourceView> {
        match &self.role {
            Role::Producer {
                spec, is_sending, ..
            } => Some(SourceView {
                is_running: *is_sending,
                every: spec.every,
                keys: spec.keys.clone(),
                size_bytes: spec.size_bytes,
                is_client: true,
            }),
            Role::Feed { is_running, spec } => Some(SourceView {
                is_running: *is_running,
                every: spec.every,
                keys: match &spec.spread {
                    Spread::ByKey(keys) => keys.clone(),
                    Spread::EveryPartition | Spread::Partition(_) | Spread::RoundRobin => {
                        Keys::None
                    }
                },
                size_bytes: spec.size_bytes,
                is_client: false,
            }),
            Role::Consumer { .. } | Role::Stopped { .. } => None,
        }
    }
}

impl World {
    /// All actors, in the order of their coming.
    pub fn actors(&self) -> impl Iterator<Item = ActorView<'_>> {
        self.actors.iter().filter_map(Actor::view)
    }

    /// An actor by its name.
    pub fn actor(&self, name: &str) -> Option<ActorView<'_>> {
        let place = *self.names.get(name)?;
        self.actors.get(place)?.view()
    }

    /// The client of a consumer that runs.
    pub fn consumer(&self, name: &str) -> Option<&Consumer> {
        let place = *self.names.get(name)?;
        Some(&self.actors.get(place)?.running()?.consumer)
    }

    /// Records that applications cannot handle.
    pub fn poison(&self) -> &SortedSet<(TopicPartition, Offset)> {
        &self.poison
    }
}

impl Actor {
    /// What views see of it. Of a bare connection: nothing but its messages.
    fn view(&self) -> Option<ActorView<'_>> {
        Some(ActorView {
            name: &self.name,
            process: self.process,
            is_frozen: self.is_frozen,
            role: match &self.kind {
                ActorKind::Raw(_) | ActorKind::Tool(_) => return None,
                ActorKind::Producer(producer) => {
                    let running = producer.running.as_ref();
                    Role::Producer {
                        spec: &producer.spec,
                        producer: running.map(|process| &process.producer),
                        config: running.map(|process| &process.config),
                        is_sending: running.is_some_and(|process| process.is_sending),
                    }
                }
                ActorKind::Feed(feed) => Role::Feed {
                    is_running: feed.wake.is_some(),
                    spec: &feed.spec,
                },
                ActorKind::Consumer(consumer) => match &consumer.running {
                    None => Role::Stopped {
                        spec: &consumer.spec,
                    },
                    Some(process) => {
                        let (phase, since, until) = process.application.phase();
                        Role::Consumer {
                            spec: &consumer.spec,
                            config: &process.config,
                            consumer: &process.consumer,
                            phase,
                            since,
                            until,
                            in_hand: process.application.in_hand(),
                            is_closing: process.application.is_closing(),
                        }
                    }
                },
            },
        })
    }
}
