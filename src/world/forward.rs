//! Records that a program sends on to a retry topic, through a producer of its own in the same process.

use super::World;
use super::actor::{Actor, ActorKind};
use super::application::Forward;
use super::producers::ProducerActor;
use super::setup::{Keys, ProducerSpec, TopicSpec};
use crate::kafka::ids::{ActorName, Offset, TopicName, TopicPartition};
use crate::kafka::time::Duration;

/// What retry topics and the producers that write to them have behind the name of their origin.
const SUFFIX: &str = "-retry";
/// Such a producer makes no records by itself.
const NO_RATE: Duration = Duration::from_ms(1_000);
/// Size of a record's value that is sent on.
const SIZE_BYTES: u32 = 100;

impl World {
    /// A program sends a record to its retry topic. The journal has begun.
    pub(super) fn forward(&mut self, actor: usize, forward: Forward) {
        let origin = &forward.partition.topic;
        let topic = TopicName::from(format!("{origin}{SUFFIX}"));
        self.make_retry_topic(origin, &topic);
        let Some(companion) = self.companion(actor) else {
            return;
        };
        if let Some(producer) = self.actors.get_mut(companion).and_then(Actor::producer_mut) {
            producer.spec.topic = topic;
        }
        let started = self.start_producer(companion);
        debug_assert!(started.is_ok(), "its configuration is the default");
        self.send_record(companion, forward.key);
    }

    fn make_retry_topic(&mut self, origin: &TopicName, name: &TopicName) {
        if self.cluster.topics.contains_key(name) {
            return;
        }
        let origin = self.cluster.topics.get(origin);
        let partitions = origin.map_or(1, |topic| topic.partitions.len());
        let replicas = origin.and_then(|topic| topic.partitions.first());
        let replicas = replicas.map_or(1, |first| first.replicas.len());
        self.create_topic(&TopicSpec {
            replication_factor: i16::try_from(replicas).unwrap_or(1),
            ..TopicSpec::new(name.clone(), i32::try_from(partitions).unwrap_or(1))
        });
    }

    /// The producer in a consumer's process, made at its first use.
    fn companion(&mut self, actor: usize) -> Option<usize> {
        let slot = self.actors.get(actor)?;
        if let Some(companion) = slot.consumer()?.companion {
            return Some(companion);
        }
        let mut name = ActorName::from(format!("{}{SUFFIX}", slot.name));
        while self.names.contains_key(&name) {
            name = ActorName::from(format!("{name}{SUFFIX}"));
        }
        let spec = ProducerSpec {
            name: name.clone(),
            topic: "".into(),
            every: NO_RATE,
            keys: Keys::None,
            size_bytes: SIZE_BYTES,
            first_at: None,
            configs: Default::default(),
        };
        let mut producer = ProducerActor::new(spec, self.setup.seed);
        producer.serves = Some(actor);
        let companion = self.add_actor(name, ActorKind::Producer(Box::new(producer)));
        self.actors.get_mut(actor)?.consumer_mut()?.companion = Some(companion);
        Some(companion)
    }

    /// A producer has written a record, or has given it up: if it was sent on, its program goes on.
    pub(super) fn heard_of_forward(
        &mut self,
        producer: usize,
        to: Option<(TopicPartition, Offset)>,
    ) {
        let slot = self.actors.get_mut(producer).and_then(Actor::producer_mut);
        let Some(actor) = slot.and_then(|producer| producer.serves) else {
            return;
        };
        let journal = &mut self.journal;
        let Some(process) = self.actors.get_mut(actor).and_then(Actor::running_mut) else {
            return;
        };
        let member = process.consumer.membership();
        process.application.forwarded(to, &member, journal);
        self.drive(actor, Vec::new());
    }
}
