//! Actors: consumers, producers and feeds, and their processes.

use super::application::Application;
use super::network::Delivery;
use super::producers::ProducerActor;
use super::queue::WakeKey;
use super::setup::ConsumerSpec;
use super::source::Feed;
use super::tool::Tool;
use crate::kafka::client::Channel;
use crate::kafka::client::consumer::Consumer;
use crate::kafka::config::ConsumerConfig;
use crate::kafka::ids::{ActorName, BrokerId, ConnectionId};
use crate::kafka::sorted::SortedMap;
use crate::kafka::timers::Wake;
use std::collections::VecDeque;
use std::rc::Rc;

/// Somebody with a name who does something.
#[derive(Clone, Debug)]
pub(super) struct Actor {
    pub name: ActorName,
    /// Where it runs, as brokers see it.
    pub host: Rc<str>,
    /// Counts its starts.
    pub process: u32,
    pub is_frozen: bool,
    /// What arrived while it stood still.
    pub inbox: VecDeque<Delivery>,
    pub connections: SortedMap<(BrokerId, Channel), ConnectionId>,
    pub noted_client: Option<WakeKey>,
    pub noted_program: Option<WakeKey>,
    /// Its blocked call is in the queue.
    pub is_queued: bool,
    pub kind: ActorKind,
}

/// What an actor is.
#[derive(Clone, Debug)]
pub(super) enum ActorKind {
    Consumer(Box<ConsumerActor>),
    Feed(Box<Feed>),
    Producer(Box<ProducerActor>),
    /// Nobody: a connection over which commands send requests. Number of its last request.
    Raw(i32),
    /// An administrator's tool.
    Tool(Box<Tool>),
}

/// A consumer, running or not.
#[derive(Clone, Debug)]
pub(super) struct ConsumerActor {
    pub spec: ConsumerSpec,
    pub running: Option<ConsumerProcess>,
    /// Start again when closed.
    pub restarts: bool,
    /// The producer in the same process, once its program has needed one.
    pub companion: Option<usize>,
}

/// A running consumer process.
#[derive(Clone, Debug)]
pub(super) struct ConsumerProcess {
    pub config: Rc<ConsumerConfig>,
    pub consumer: Consumer,
    pub application: Application,
}

impl Actor {
    pub fn new(name: ActorName, place: usize, kind: ActorKind) -> Self {
        Self {
            name,
            host: host(place).into(),
            process: 0,
            is_frozen: false,
            inbox: VecDeque::new(),
            connections: SortedMap::new(),
            noted_client: None,
            noted_program: None,
            is_queued: false,
            kind,
        }
    }

    pub fn consumer(&self) -> Option<&ConsumerActor> {
        match &self.kind {
            ActorKind::Consumer(consumer) => Some(consumer),
            ActorKind::Feed(_)
            | ActorKind::Producer(_)
            | ActorKind::Raw(_)
            | ActorKind::Tool(_) => None,
        }
    }

    pub fn consumer_mut(&mut self) -> Option<&mut ConsumerActor> {
        match &mut self.kind {
            ActorKind::Consumer(consumer) => Some(consumer),
            ActorKind::Feed(_)
            | ActorKind::Producer(_)
            | ActorKind::Raw(_)
            | ActorKind::Tool(_) => None,
        }
    }

    /// Its process, if it is a consumer and runs.
    pub fn running(&self) -> Option<&ConsumerProcess> {
        self.consumer()?.running.as_ref()
    }

    /// Its process, if it is a consumer and runs.
    pub fn running_mut(&mut self) -> Option<&mut ConsumerProcess> {
        self.consumer_mut()?.running.as_mut()
    }
}

impl Actor {
    /// Whether it has a process that runs.
    pub fn is_alive(&self) -> bool {
        match &self.kind {
            ActorKind::Consumer(consumer) => consumer.running.is_some(),
            ActorKind::Producer(producer) => producer.running.is_some(),
            ActorKind::Feed(_) | ActorKind::Raw(_) | ActorKind::Tool(_) => false,
        }
    }

    /// When its client wants to be woken.
    pub fn next_client_wake(&self) -> Option<Wake> {
        match &self.kind {
            ActorKind::Consumer(consumer) => consumer.running.as_ref()?.consumer.next_wake(),
            ActorKind::Producer(producer) => producer.running.as_ref()?.producer.next_wake(),
            ActorKind::Feed(_) | ActorKind::Raw(_) | ActorKind::Tool(_) => None,
        }
    }

    /// When its program does something by itself.
    pub fn next_program_wake(&self) -> Option<WakeKey> {
        let wake = match &self.kind {
            ActorKind::Consumer(consumer) => consumer.running.as_ref()?.application.next_wake(),
            ActorKind::Producer(producer) => producer.running.as_ref()?.wake,
            ActorKind::Feed(feed) => feed.wake,
            ActorKind::Tool(tool) => tool.next_wake().map(|(key, _, set_by)| (key, set_by)),
            ActorKind::Raw(_) => None,
        };
        wake.map(|wake| wake.0)
    }
}

/// Every actor has a host of its own, as Kafka prints addresses.
fn host(place: usize) -> String {
    format!("/10.0.{}.{}", place / 200, place % 200 + 11)
}
