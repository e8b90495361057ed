//! Producer processes: a program that sends a record every so often, and its client.

use super::World;
use super::actor::{Actor, ActorKind};
use super::command::Refusal;
use super::queue::WakeKey;
use super::setup::ProducerSpec;
use super::source::KeySource;
use crate::kafka::chance::Chance;
use crate::kafka::client::ClientAction;
use crate::kafka::client::producer::{
    PartitionerKind, Producer, ProducerAction, ProducerEvent, ProducerRecord, ProducerSettings,
};
use crate::kafka::config::{Configuration, ProducerConfig, set_config};
use crate::kafka::fact::{FactId, FactKind, StopCause, Why};
use crate::kafka::ids::{Bytes, ClientId};
use crate::kafka::time::Instant;
use std::rc::Rc;

/// A producer, running or not.
#[derive(Clone, Debug)]
pub(super) struct ProducerActor {
    pub spec: ProducerSpec,
    pub keys: KeySource,
    pub value: Bytes,
    /// Start again when closed.
    pub restarts: bool,
    /// The consumer in the same process, if its records come from there.
    pub serves: Option<usize>,
    pub running: Option<ProducerProcess>,
}

/// A running producer process.
#[derive(Clone, Debug)]
pub(super) struct ProducerProcess {
    pub config: Rc<ProducerConfig>,
    pub producer: Producer,
    /// When the program sends next, and what made it so.
    pub wake: Option<(WakeKey, FactId)>,
    /// The program makes records.
    pub is_sending: bool,
}

impl ProducerActor {
    pub fn new(spec: ProducerSpec, seed: u64) -> Self {
        let chance = Chance::new(seed, &format!("keys {}", spec.name));
        Self {
            keys: KeySource::new(spec.keys.clone(), chance),
            value: value(spec.size_bytes),
            spec,
            restarts: false,
            serves: None,
            running: None,
        }
    }
}

/// A record's value of that size.
pub(super) fn value(size_bytes: u32) -> Bytes {
    vec![0; usize::try_from(size_bytes).unwrap_or(0)].into()
}

/// Reads a producer's configuration, as its constructor would.
pub(super) fn producer_config(spec: &ProducerSpec) -> Result<ProducerConfig, Refusal> {
    let mut config = ProducerConfig {
        client_id: ClientId::from(spec.name.as_str()),
        ..ProducerConfig::default()
    };
    for (name, value) in spec.configs.iter().filter(|entry| !entry.1.is_empty()) {
        set_config(&mut config, name, value).map_err(Refusal::Config)?;
    }
    config.check().map_err(Refusal::Config)?;
    Ok(config)
}

impl Actor {
    pub(super) fn producer_mut(&mut self) -> Option<&mut ProducerActor> {
        match &mut self.kind {
            ActorKind::Producer(producer) => Some(producer),
            ActorKind::Consumer(_)
            | ActorKind::Feed(_)
            | ActorKind::Raw(_)
            | ActorKind::Tool(_) => None,
        }
    }

    fn producing_mut(&mut self) -> Option<&mut ProducerProcess> {
        self.producer_mut()?.running.as_mut()
    }
}

impl World {
    /// The program makes records from now on; its process starts if need be. The journal has begun.
    pub(super) fn start_producing(&mut self, actor: usize) -> Result<(), Refusal> {
        self.start_producer(actor)?;
        self.set_sending(actor, true);
        Ok(())
    }

    /// The producer's process starts, unless it runs.
    pub(super) fn start_producer(&mut self, actor: usize) -> Result<(), Refusal> {
        let bootstrap = self.brokers.iter().map(|slot| slot.id).collect();
        let (seed, backoff_jitter) = (self.setup.seed, self.setup.timing.backoff_jitter);
        let Some(slot) = self.actors.get_mut(actor) else {
            return Err(Refusal::Nothing("actor"));
        };
        let (name, process) = (slot.name.clone(), slot.process + 1);
        let Some(producer) = slot.producer_mut() else {
            return Err(Refusal::NotAProducer(name));
        };
        if producer.running.is_none() {
            let config = Rc::new(producer_config(&producer.spec)?);
            let mut chance = Chance::new(seed, &format!("client {name} {process}"));
            let settings = ProducerSettings {
                actor: name.clone(),
                process,
                config: config.clone(),
                partitioner: PartitionerKind::default(),
                bootstrap,
                backoff_jitter,
                seed: u64::from(chance.bits()),
                first_correlation_id: 0,
            };
            producer.running = Some(ProducerProcess {
                config,
                producer: Producer::new(settings),
                wake: None,
                is_sending: false,
            });
            slot.process = process;
            self.journal.note_as_cause(FactKind::Started {
                actor: name,
                process,
            });
        }
        Ok(())
    }

    /// The program sends a record out of turn. The journal has begun.
    pub(super) fn send_one(&mut self, actor: usize, key: Option<Bytes>) {
        let started = self.start_producer(actor);
        debug_assert!(started.is_ok(), "a checked producer starts");
        self.send_record(actor, key);
    }

    /// The program makes records, or makes no more.
    pub(super) fn set_sending(&mut self, actor: usize, is_sending: bool) {
        let now = self.now;
        let (sequence, cause) = (self.journal.next_sequence(), self.journal.cause());
        if let Some(process) = self.actors.get_mut(actor).and_then(Actor::producing_mut) {
            let is_free = !process.producer.is_blocked();
            process.is_sending = is_sending;
            process.wake = (is_sending && is_free).then_some(((now, sequence), cause));
        }
        self.note_actor(actor);
    }

    /// The program sends its next record.
    pub(super) fn wake_producing(&mut self, actor: usize) {
        let process = self.actors.get_mut(actor).and_then(Actor::producing_mut);
        let Some((_, set_by)) = process.and_then(|process| process.wake.take()) else {
            return;
        };
        self.note_timer(actor, Why::ProducerRate, set_by);
        let Some(producer) = self.actors.get_mut(actor).and_then(Actor::producer_mut) else {
            return;
        };
        let key = producer.keys.draw();
        self.send_record(actor, key);
    }

    pub(super) fn send_record(&mut self, actor: usize, key: Option<Bytes>) {
        let mut actions = Vec::new();
        let Some(producer) = self.actors.get_mut(actor).and_then(Actor::producer_mut) else {
            return;
        };
        let record = ProducerRecord {
            topic: producer.spec.topic.clone(),
            partition: None,
            timestamp_ms: None,
            key,
            value: Some(producer.value.clone()),
            headers: Vec::new(),
        };
        if let Some(process) = &mut producer.running {
            process
                .producer
                .send(record, &mut self.journal, &mut actions);
        }
        self.schedule_next_record(actor);
        self.drive_producer(actor, actions);
    }

    /// Sends the next record one interval from now, unless the program stands in `send()`.
    pub(super) fn schedule_next_record(&mut self, actor: usize) {
        let (now, sequence) = (self.now, self.journal.next_sequence());
        let cause = self.journal.cause();
        let Some(producer) = self.actors.get_mut(actor).and_then(Actor::producer_mut) else {
            return;
        };
        let at: Instant = now + producer.spec.every;
        if let Some(process) = &mut producer.running {
            let is_free = process.is_sending && !process.producer.is_blocked();
            process.wake = is_free.then_some(((at, sequence), cause));
        }
    }

    /// Carries out what a producer's client wants.
    pub(super) fn drive_producer(&mut self, actor: usize, actions: Vec<ProducerAction>) {
        for action in actions {
            match action {
                ClientAction::Send {
                    to,
                    channel,
                    header,
                    request,
                } => self.send_request(actor, to, channel, header, request),
                ClientAction::Disconnect { from, channel } => {
                    self.close_connection(actor, from, channel);
                }
                ClientAction::Event(event) => self.producer_tells(actor, event),
            }
        }
        self.note_actor(actor);
    }

    fn producer_tells(&mut self, actor: usize, event: ProducerEvent) {
        match event {
            ProducerEvent::Unblocked => self.schedule_next_record(actor),
            ProducerEvent::SendFailed(_) => {
                self.schedule_next_record(actor);
                self.heard_of_forward(actor, None);
            }
            ProducerEvent::Acknowledged {
                partition, base, ..
            } => self.heard_of_forward(actor, Some((partition, base))),
            ProducerEvent::Failed { .. } => self.heard_of_forward(actor, None),
            ProducerEvent::Closed => self.end_process(actor, StopCause::Closed),
        }
    }

    /// A producer's program sends what it has and ends; started again at once if it is to restart.
    pub(super) fn close_producer(&mut self, actor: usize) {
        let mut actions = Vec::new();
        if let Some(process) = self.actors.get_mut(actor).and_then(Actor::producing_mut) {
            process.is_sending = false;
            process.wake = None;
            process.producer.close(&mut self.journal, &mut actions);
        }
        self.drive_producer(actor, actions);
    }
}
