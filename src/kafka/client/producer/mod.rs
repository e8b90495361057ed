//! The producer (class `KafkaProducer`): records in, batches out, in order per partition.
//!
//! The application calls [`Producer::send`]; what it hears back comes as events. A call that cannot go on
//! (no metadata, no room in `buffer.memory`) leaves the producer blocked; the application's thread stands
//! still until [`ProducerEvent::Unblocked`] or [`ProducerEvent::SendFailed`].
//!
//! Invariants:
//! - A record is acknowledged or failed once, unless the process dies.
//! - Between accumulator and requests no record is lost or doubled; only a retry can double it in the log.
//! - With `max.in.flight.requests.per.connection=1` a partition has one batch under way.
//!
//! Left out: idempotence and transactions (producer id -1), compression, interceptors, connecting (a
//! request opens its connection in no time; only a lost connection is followed by a pause).

mod accumulator;
mod batch;
mod completion;
mod metadata;
mod partitioner;
#[cfg(test)]
mod rig;
mod send;
mod sender;
#[cfg(test)]
mod tests;

pub use partitioner::PartitionerKind;
pub use sender::newest_version;

use super::{Channel, ClientAction};
use crate::kafka::api::Response;
use crate::kafka::chance::Chance;
use crate::kafka::config::ProducerConfig;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Exception, Why};
use crate::kafka::ids::{ActorName, BrokerId, Bytes, Offset, TopicName, TopicPartition};
use crate::kafka::journal::Journal;
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::{Duration, Instant};
use crate::kafka::timers::{Timers, Wake};
use accumulator::Accumulator;
use metadata::Metadata;
use partitioner::Spread;
use send::{Obstacle, Woken};
use sender::Node;
use std::rc::Rc;

/// What makes one producer differ from another.
#[derive(Clone, PartialEq, Debug)]
pub struct ProducerSettings {
    /// The scenario's name for it.
    pub actor: ActorName,
    /// Counts the starts of this actor, from 1.
    pub process: u32,
    /// Its configuration.
    pub config: Rc<ProducerConfig>,
    /// How records without a partition of their own are spread.
    pub partitioner: PartitionerKind,
    /// `bootstrap.servers`.
    pub bootstrap: Vec<BrokerId>,
    /// Whether pauses vary by ±20 %.
    pub backoff_jitter: bool,
    /// Of the partitioner's and the pauses' chance.
    pub seed: u64,
    /// Number of its first request.
    pub first_correlation_id: i32,
}

/// What an application sends.
#[derive(Clone, PartialEq, Debug)]
pub struct ProducerRecord {
    /// Where to.
    pub topic: TopicName,
    /// `None`: the partitioner chooses.
    pub partition: Option<i32>,
    /// `None`: the time of the call, ms.
    pub timestamp_ms: Option<i64>,
    /// `None`: no key. Not the same as an empty one.
    pub key: Option<Bytes>,
    /// `None`: a tombstone.
    pub value: Option<Bytes>,
    /// In this order.
    pub headers: Vec<(Rc<str>, Option<Bytes>)>,
}

/// What the application learns.
#[derive(Clone, PartialEq, Debug)]
pub enum ProducerEvent {
    /// The blocked call returned; its record is on its way.
    Unblocked,
    /// A call ended without its record being taken. A blocked one is no longer blocked.
    SendFailed(Exception),
    /// Records are written.
    Acknowledged {
        /// Where.
        partition: TopicPartition,
        /// Offset of the first; -1 with `acks=0`.
        base: Offset,
        /// How many.
        records: u32,
    },
    /// Records failed for good. They may be in the log nevertheless.
    Failed {
        /// Where.
        partition: TopicPartition,
        /// How many.
        records: u32,
        /// Why.
        error: ErrorCode,
    },
    /// `close()` is through.
    Closed,
}

/// Names of a producer's timers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum ProducerTimer {
    /// `linger.ms`, or the pause before another try, of a batch.
    Batch(u64, BatchWait),
    /// `delivery.timeout.ms` of a batch.
    Delivery(u64),
    /// `request.timeout.ms` of a request, by its number.
    Request(BrokerId, i32),
    /// Pause after a lost connection.
    Reconnect(BrokerId),
    /// `max.block.ms` of the blocked call.
    MaxBlock,
    /// Pause between two requests for metadata.
    MetadataBackoff,
    /// `metadata.max.age.ms`
    MetadataMaxAge,
}

/// What a batch in the accumulator waits for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum BatchWait {
    Linger,
    Retry,
}

impl ProducerTimer {
    fn why(&self) -> Why {
        match self {
            ProducerTimer::Batch(_, BatchWait::Linger) => Why::Linger,
            ProducerTimer::Batch(_, BatchWait::Retry) => Why::RetryBackoff,
            ProducerTimer::Delivery(_) => Why::DeliveryTimeout,
            ProducerTimer::Request(..) => Why::RequestTimeout,
            ProducerTimer::Reconnect(_) | ProducerTimer::MetadataBackoff => Why::RetryBackoff,
            ProducerTimer::MaxBlock => Why::CallTimeout,
            ProducerTimer::MetadataMaxAge => Why::MetadataMaxAge,
        }
    }
}

/// What a producer tells its surroundings.
pub type ProducerAction = ClientAction<ProducerEvent>;

/// One producer. A clone is a snapshot of it.
#[derive(Clone, Debug)]
pub struct Producer {
    settings: Rc<ProducerSettings>,
    accumulator: Accumulator,
    spreads: SortedMap<TopicName, Spread>,
    metadata: Metadata,
    nodes: SortedMap<BrokerId, Node>,
    /// Partitions with a batch under way, if only one may be.
    muted: SortedSet<TopicPartition>,
    timers: Timers<ProducerTimer>,
    blocked: Option<Blocked>,
    partition_chance: Chance,
    backoff_chance: Chance,
    next_correlation_id: i32,
    metadata_refreshed_at: Option<Instant>,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Open,
    Flushing,
    Closing,
    Closed,
}

/// A call of `send` that has not returned.
#[derive(Clone, Debug)]
struct Blocked {
    record: ProducerRecord,
    on: BlockedOn,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BlockedOn {
    /// The topic or partition is not known yet.
    Metadata,
    /// `buffer.memory` is exhausted.
    Memory,
}

impl Producer {
    /// A producer that has just started and knows nothing but its bootstrap list.
    pub fn new(settings: ProducerSettings) -> Self {
        let config = &settings.config;
        let (batch_size, memory) = (config.batch_size, config.buffer_memory);
        let purpose = |what: &str| format!("producer {} {what}", settings.actor);
        Self {
            accumulator: Accumulator::new(batch_size, config.linger_ms, memory),
            spreads: SortedMap::new(),
            metadata: Metadata::new(settings.bootstrap.clone()),
            nodes: SortedMap::new(),
            muted: SortedSet::new(),
            timers: Timers::default(),
            blocked: None,
            partition_chance: Chance::new(settings.seed, &purpose("partitions")),
            backoff_chance: Chance::new(settings.seed, &purpose("backoff")),
            next_correlation_id: settings.first_correlation_id,
            metadata_refreshed_at: None,
            phase: Phase::Open,
            settings: Rc::new(settings),
        }
    }

    /// `send()`. Must not be called while the producer is blocked or after `close`.
    pub fn send(
        &mut self,
        record: ProducerRecord,
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        debug_assert!(
            self.blocked.is_none(),
            "the application's thread stands in send()"
        );
        if matches!(self.phase, Phase::Closing | Phase::Closed) {
            let closed = "Cannot perform operation after producer has been closed";
            self.fail_send(Exception::IllegalState(closed.into()), journal, out);
            return;
        }
        match self.accumulate(&record, journal) {
            Ok(Woken::No) => return,
            Ok(Woken::Yes) => {}
            Err(Obstacle::Refused(exception)) => self.fail_send(exception, journal, out),
            Err(Obstacle::Blocked(on)) => {
                self.blocked = Some(Blocked { record, on });
                let wait = Duration::from_ms(self.settings.config.max_block_ms);
                let at = journal.now() + wait;
                self.timers.set(ProducerTimer::MaxBlock, at, journal);
            }
        }
        self.run_sender(journal, out);
    }

    /// Whether a call of `send` has not returned yet.
    pub fn is_blocked(&self) -> bool {
        self.blocked.is_some()
    }

    /// `flush()`: what is in the accumulator now need not wait for `linger.ms`.
    pub fn flush(&mut self, journal: &mut Journal, out: &mut Vec<ProducerAction>) {
        if self.phase == Phase::Open {
            self.phase = Phase::Flushing;
        }
        self.run_sender(journal, out);
    }

    /// `close()`: sends what there is, waits for the answers, then [`ProducerEvent::Closed`]. A blocked call
    /// fails.
    pub fn close(&mut self, journal: &mut Journal, out: &mut Vec<ProducerAction>) {
        if matches!(self.phase, Phase::Closing | Phase::Closed) {
            return;
        }
        self.phase = Phase::Closing;
        if self.blocked.is_some() {
            let closed = "Producer closed while send in progress";
            self.fail_send(Exception::IllegalState(closed.into()), journal, out);
        }
        self.run_sender(journal, out);
    }

    /// An answer came.
    pub fn handle(
        &mut self,
        from: BrokerId,
        _channel: Channel,
        correlation_id: i32,
        response: Response,
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        self.answered(from, correlation_id, response, journal, out);
        self.run_sender(journal, out);
    }

    /// A connection is gone; requests on it get no answer.
    pub fn disconnected(
        &mut self,
        from: BrokerId,
        _channel: Channel,
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        self.lost_connection(from, ErrorCode::NetworkException, journal, out);
        self.run_sender(journal, out);
    }

    /// Fires the first timer, if it is due.
    pub fn wake(&mut self, journal: &mut Journal, out: &mut Vec<ProducerAction>) {
        let Some(timer) = self.timers.pop_due(journal.now()) else {
            return;
        };
        match timer {
            ProducerTimer::Batch(..)
            | ProducerTimer::Reconnect(_)
            | ProducerTimer::MetadataBackoff => {}
            ProducerTimer::Delivery(batch) => self.delivery_timeout(batch, journal, out),
            ProducerTimer::Request(broker, _) => {
                out.push(ClientAction::Disconnect {
                    from: broker,
                    channel: Channel::Data,
                });
                self.lost_connection(broker, ErrorCode::RequestTimedOut, journal, out);
            }
            ProducerTimer::MaxBlock => self.fail_send(Exception::Timeout, journal, out),
            ProducerTimer::MetadataMaxAge => self.metadata.update_requested = true,
        }
        self.run_sender(journal, out);
    }

    /// When and why the producer wants to be woken.
    pub fn next_wake(&self) -> Option<Wake> {
        let (at, sequence, timer, set_by) = self.timers.first()?;
        Some(Wake {
            at,
            sequence,
            why: timer.why(),
            set_by,
        })
    }

    /// What it is made of.
    pub fn settings(&self) -> &ProducerSettings {
        &self.settings
    }

    /// What is in the accumulator: partition, records, bytes.
    pub fn accumulated(&self) -> impl Iterator<Item = (&TopicPartition, u32, i64)> {
        let queues = self.accumulator.queues().iter();
        queues.map(|(partition, queue)| {
            let records = queue.iter().map(batch::Batch::record_count).sum();
            let bytes = queue
                .iter()
                .map(|batch| i64::from(batch.size_bytes()))
                .sum();
            (partition, records, bytes)
        })
    }

    /// Bytes of `buffer.memory` that are free.
    pub fn buffer_free_bytes(&self) -> i64 {
        self.accumulator.free_bytes()
    }

    /// Requests under way, by broker: how many, and records in them.
    pub fn in_flight(&self) -> impl Iterator<Item = (BrokerId, usize, u32)> {
        let nodes = self.nodes.iter();
        nodes.map(|(id, node)| (*id, node.in_flight_count(), node.in_flight_records()))
    }
}
