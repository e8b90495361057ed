//! From the accumulator into requests, and back on a retry (classes `Sender`, `NetworkClient`).

use super::accumulator::{Haste, Readiness};
use super::batch::Batch;
use super::{
    BatchWait, Blocked, BlockedOn, Phase, Producer, ProducerAction, ProducerEvent, ProducerTimer,
};
use crate::kafka::api::versions::versions;
use crate::kafka::api::{
    ApiKey, ApiVersionsResponse, PartitionProduceData, ProduceRequest, Request, RequestHeader,
    TopicProduceData,
};
use crate::kafka::client::handshake::{Link, Outcome, first_version, question};
use crate::kafka::client::{Channel, ClientAction, Flavour};
use crate::kafka::config::Acks;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::FactKind;
use crate::kafka::ids::{BrokerId, Offset, TopicPartition};
use crate::kafka::journal::Journal;
use crate::kafka::time::{Duration, Instant};
use std::collections::VecDeque;
use std::rc::Rc;

/// Newest version of an API that the producer speaks: a client of 4.0. `None`: it does not send it.
pub const fn newest_version(api: ApiKey) -> Option<i16> {
    match api {
        ApiKey::Produce => Some(11),
        ApiKey::Metadata => Some(12),
        ApiKey::ApiVersions => Some(first_version(Flavour::Java)),
        _ => None,
    }
}

/// A broker, as the producer sees it.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub link: Link,
    pub in_flight: VecDeque<InFlight>,
    /// Lost connections in a row.
    pub failures: u32,
    /// No request before this instant.
    pub ready_at: Option<Instant>,
    /// Partition at which the last request was full; the next one begins there.
    drain_from: Option<TopicPartition>,
}

#[derive(Clone, Debug)]
pub(super) struct InFlight {
    pub correlation_id: i32,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// The version in which it is asked.
    ApiVersions(i16),
    Produce {
        batches: Vec<Batch>,
        /// Partitions whose batch was given up meanwhile.
        expired: Vec<TopicPartition>,
    },
    Metadata,
}

impl Node {
    pub fn in_flight_count(&self) -> usize {
        self.in_flight.len()
    }

    /// Requests under way, of those that it was opened for.
    fn load(&self) -> usize {
        let asks = |request: &&InFlight| !matches!(request.kind, Kind::ApiVersions(_));
        self.in_flight.iter().filter(asks).count()
    }

    pub fn in_flight_records(&self) -> u32 {
        let produce = self.in_flight.iter().map(|request| match &request.kind {
            Kind::Produce { batches, .. } => batches.iter().map(Batch::record_count).sum(),
            Kind::Metadata | Kind::ApiVersions(_) => 0,
        });
        produce.sum()
    }
}

impl Producer {
    /// One pass of the sender thread, repeated until it has nothing more to do at this instant.
    pub(super) fn run_sender(&mut self, journal: &mut Journal, out: &mut Vec<ProducerAction>) {
        if self.phase == Phase::Closed {
            return;
        }
        loop {
            self.retry_blocked(journal, out);
            let ready = self.ready_brokers(journal.now());
            let (open, closed): (Vec<_>, Vec<_>) =
                ready.into_iter().partition(|broker| self.is_open(*broker));
            for broker in closed {
                self.connect(broker, journal, out);
            }
            if open.is_empty() {
                break;
            }
            for broker in open {
                self.send_batches(broker, journal, out);
            }
        }
        self.set_batch_timers(journal);
        self.ask_for_metadata(journal, out);
        self.end_phase(out);
    }

    /// Brokers that lead a partition whose first batch may go, and that take a request now.
    fn ready_brokers(&mut self, now: Instant) -> Vec<BrokerId> {
        let mut ready = Vec::new();
        let haste = self.haste();
        for (partition, queue) in self.accumulator.queues_mut() {
            match (self.metadata.leader(partition), queue.front_mut()) {
                (Some((_, epoch)), Some(first)) => first.note_leader_epoch(epoch),
                _ => self.metadata.update_requested = true,
            }
        }
        for (partition, queue) in self.accumulator.queues() {
            let Some((leader, _)) = self.metadata.leader(partition) else {
                continue;
            };
            if !ready.contains(&leader)
                && !self.muted.contains(partition)
                && self.accumulator.readiness(queue, haste, now) == Readiness::Ready
                && self.takes_request(leader, now)
            {
                ready.push(leader);
            }
        }
        ready
    }

    fn haste(&self) -> Haste {
        let waits_for_memory = |blocked: &Blocked| blocked.on == BlockedOn::Memory;
        if self.blocked.as_ref().is_some_and(waits_for_memory) || self.phase != Phase::Open {
            Haste::All
        } else {
            Haste::None
        }
    }

    fn takes_request(&self, broker: BrokerId, now: Instant) -> bool {
        let Some(node) = self.nodes.get(&broker) else {
            return true;
        };
        let limit = self.settings.config.max_in_flight_requests_per_connection;
        let limit = usize::try_from(limit).unwrap_or(1).max(1);
        node.in_flight.len() < limit && node.ready_at.is_none_or(|at| at <= now)
    }

    fn is_open(&self, broker: BrokerId) -> bool {
        let node = self.nodes.get(&broker);
        node.is_some_and(|node| matches!(node.link, Link::Open(_)))
    }

    /// Opens the connection to a broker, unless that is under way: the broker is asked what it speaks.
    fn connect(&mut self, broker: BrokerId, journal: &mut Journal, out: &mut Vec<ProducerAction>) {
        let node = self.nodes.entry(broker).or_default();
        if matches!(node.link, Link::Closed) {
            node.link = Link::Asked;
            self.ask_versions(broker, first_version(Flavour::Java), journal, out);
        }
    }

    fn ask_versions(
        &mut self,
        broker: BrokerId,
        version: i16,
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        let correlation_id = self.request_in(version, broker, question(Flavour::Java), out);
        let kind = Kind::ApiVersions(version);
        self.await_answer(broker, correlation_id, kind, journal);
    }

    /// The broker has said what it speaks.
    pub(super) fn on_api_versions(
        &mut self,
        broker: BrokerId,
        asked: i16,
        answer: ApiVersionsResponse,
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        match Outcome::of(asked, answer) {
            Outcome::Agreed(spoken) => {
                self.nodes.entry(broker).or_default().link = Link::Open(spoken);
            }
            Outcome::Again(version) => self.ask_versions(broker, version, journal, out),
            Outcome::Refused => {
                out.push(ClientAction::Disconnect {
                    from: broker,
                    channel: Channel::Data,
                });
                self.lost_connection(broker, ErrorCode::UnsupportedVersion, journal, out);
            }
        }
    }

    /// Sends the first batch of every partition that the broker leads, ready or not, as far as they fit
    /// into one request (`RecordAccumulator.drainBatchesForOneNode`).
    fn send_batches(
        &mut self,
        broker: BrokerId,
        journal: &mut Journal,
        out: &mut Vec<ProducerAction>,
    ) {
        let batches = self.drain(broker, journal.now());
        if batches.is_empty() {
            return;
        }
        let mut topic_data: Vec<TopicProduceData> = Vec::new();
        let mut closed = Vec::with_capacity(batches.len());
        for mut batch in batches {
            for wait in [BatchWait::Linger, BatchWait::Retry] {
                self.timers.cancel(&ProducerTimer::Batch(batch.id, wait));
            }
            journal.note(FactKind::BatchSent {
                actor: self.settings.actor.clone(),
                partition: batch.partition.clone(),
                records: batch.record_count(),
                attempt: batch.attempts + 1,
            });
            let data = PartitionProduceData {
                index: batch.partition.partition,
                records: vec![Rc::clone(batch.close())],
            };
            let name = &batch.partition.topic;
            match topic_data.iter_mut().find(|topic| topic.name == *name) {
                Some(topic) => topic.partition_data.push(data),
                None => topic_data.push(TopicProduceData {
                    name: name.clone(),
                    partition_data: vec![data],
                }),
            }
            closed.push(batch);
        }
        let config = &self.settings.config;
        let request = ProduceRequest {
            transactional_id: None,
            acks: match config.acks {
                Acks::Zero => 0,
                Acks::One => 1,
                Acks::All => -1,
            },
            timeout_ms: config.request_timeout_ms,
            topic_data,
        };
        if config.acks == Acks::Zero {
            self.request(broker, request.into(), out);
            for batch in closed {
                self.acknowledge(batch, Offset(-1), journal, out);
            }
            return;
        }
        if config.max_in_flight_requests_per_connection == 1 {
            let partitions = closed.iter().map(|batch| batch.partition.clone());
            self.muted.extend(partitions);
        }
        let correlation_id = self.request(broker, request.into(), out);
        self.await_answer(
            broker,
            correlation_id,
            Kind::Produce {
                batches: closed,
                expired: Vec::new(),
            },
            journal,
        );
    }

    fn drain(&mut self, broker: BrokerId, now: Instant) -> Vec<Batch> {
        let limit = i64::from(self.settings.config.max_request_size);
        let mut from = self
            .nodes
            .get_mut(&broker)
            .and_then(|node| node.drain_from.take());
        let queues = self.accumulator.queues();
        let (later, earlier): (Vec<_>, Vec<_>) = queues
            .iter()
            .filter(|(partition, _)| {
                let leader = self.metadata.leader(partition);
                leader.is_some_and(|(leader, _)| leader == broker)
                    && !self.muted.contains(*partition)
            })
            .filter_map(|(partition, queue)| Some((partition, queue.front()?)))
            .filter(|(_, first)| !first.is_backing_off(now))
            .map(|(partition, first)| (partition.clone(), i64::from(first.size_bytes())))
            .partition(|(partition, _)| from.as_ref().is_none_or(|from| partition >= from));
        from = None;
        let mut batches = Vec::new();
        let mut size_bytes = 0;
        for (partition, bytes) in later.into_iter().chain(earlier) {
            if size_bytes + bytes > limit && !batches.is_empty() {
                from = Some(partition);
                break;
            }
            size_bytes += bytes;
            batches.extend(self.accumulator.pop_first(&partition));
        }
        self.nodes.entry(broker).or_default().drain_from = from;
        batches
    }

    fn request(&mut self, to: BrokerId, request: Request, out: &mut Vec<ProducerAction>) -> i32 {
        let api = request.api();
        let newest = newest_version(api).unwrap_or(versions(api).max);
        let version = match self.nodes.get(&to).map(|node| &node.link) {
            Some(Link::Open(spoken)) => spoken.highest(api, newest),
            Some(Link::Closed | Link::Asked) | None => newest,
        };
        self.request_in(version, to, request, out)
    }

    fn request_in(
        &mut self,
        api_version: i16,
        to: BrokerId,
        request: Request,
        out: &mut Vec<ProducerAction>,
    ) -> i32 {
        let correlation_id = self.next_correlation_id;
        self.next_correlation_id = correlation_id.wrapping_add(1);
        out.push(ClientAction::Send {
            to,
            channel: Channel::Data,
            header: RequestHeader {
                api_version,
                correlation_id,
                client_id: Some(self.settings.config.client_id.clone()),
            },
            request,
        });
        correlation_id
    }

    fn await_answer(
        &mut self,
        broker: BrokerId,
        correlation_id: i32,
        kind: Kind,
        journal: &mut Journal,
    ) {
        let timeout_ms = i64::from(self.settings.config.request_timeout_ms);
        let at = journal.now() + Duration::from_ms(timeout_ms);
        let timer = ProducerTimer::Request(broker, correlation_id);
        self.timers.set(timer, at, journal);
        let node = self.nodes.entry(broker).or_default();
        node.in_flight.push_back(InFlight {
            correlation_id,
            kind,
        });
    }

    /// Starts the timers of first batches that wait for time to pass.
    fn set_batch_timers(&mut self, journal: &mut Journal) {
        let (now, haste) = (journal.now(), self.haste());
        for queue in self.accumulator.queues().values() {
            let Some(first) = queue.front() else { continue };
            let Readiness::Waits(Some(at)) = self.accumulator.readiness(queue, haste, now) else {
                continue;
            };
            let wait = match first.attempts {
                0 => BatchWait::Linger,
                _ => BatchWait::Retry,
            };
            let timer = ProducerTimer::Batch(first.id, wait);
            if self.timers.deadline(&timer) != Some(at) {
                self.timers.set(timer, at, journal);
            }
        }
    }

    /// Asks the least loaded broker for metadata, if something is missing and the pause is over.
    fn ask_for_metadata(&mut self, journal: &mut Journal, out: &mut Vec<ProducerAction>) {
        if !self.metadata.update_requested || self.metadata.in_flight {
            return;
        }
        let now = journal.now();
        if let Some(refreshed_at) = self.metadata_refreshed_at {
            let pause = self.metadata_pause(self.metadata.failures);
            let at = refreshed_at + pause;
            if at > now {
                if self
                    .timers
                    .deadline(&ProducerTimer::MetadataBackoff)
                    .is_none()
                {
                    self.timers.set(ProducerTimer::MetadataBackoff, at, journal);
                }
                return;
            }
        }
        let load = |broker: &BrokerId| self.nodes.get(broker).map_or(0, Node::load);
        let brokers = self.metadata.brokers.iter().copied();
        let free = brokers.filter(|broker| self.takes_request(*broker, now));
        // Whoever cannot be asked now is asked when a connection or an answer has come.
        let Some(broker) = free.min_by_key(load) else {
            return;
        };
        if !self.is_open(broker) {
            return self.connect(broker, journal, out);
        }
        self.metadata.in_flight = true;
        self.timers.cancel(&ProducerTimer::MetadataBackoff);
        let request = self.metadata.request();
        let correlation_id = self.request(broker, request.into(), out);
        self.await_answer(broker, correlation_id, Kind::Metadata, journal);
    }

    /// Ends a flush or a close when nothing is left to do.
    fn end_phase(&mut self, out: &mut Vec<ProducerAction>) {
        let is_produce = |request: &InFlight| matches!(request.kind, Kind::Produce { .. });
        let mut nodes = self.nodes.values();
        let busy =
            !self.accumulator.is_empty() || nodes.any(|node| node.in_flight.iter().any(is_produce));
        match self.phase {
            Phase::Flushing if !busy => self.phase = Phase::Open,
            Phase::Closing if !busy => {
                self.phase = Phase::Closed;
                self.timers = Default::default();
                out.push(ClientAction::Event(ProducerEvent::Closed));
            }
            Phase::Open | Phase::Flushing | Phase::Closing | Phase::Closed => {}
        }
    }
}
