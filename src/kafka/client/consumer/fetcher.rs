//! Fetching, buffering, and handing out records (classes `AbstractFetch`, `FetchCollector`).

use super::fetch_session::{FetchSession, Wanted};
use super::settings::{ConsumerRecord, PartitionRecords};
use super::{Consumer, Cx, Purpose};
use crate::kafka::api::{FetchRequest, FetchResponse, PartitionData};
use crate::kafka::client::Channel;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Exception, FactKind};
use crate::kafka::ids::{BrokerId, Offset, TopicPartition};
use crate::kafka::record::RecordBatch;
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::Duration;
use std::collections::VecDeque;
use std::rc::Rc;

/// Bit of `RecordBatch::attributes` that marks a control batch.
const CONTROL: i16 = 1 << 5;

/// The answer about one partition, as far as it has not been handed out.
#[derive(Clone, Debug)]
struct CompletedFetch {
    partition: TopicPartition,
    /// Where the next record is expected; first: what was asked for.
    next_offset: Offset,
    last_epoch: i32,
    data: PartitionData,
    /// Batch and record in it to go on with.
    batch: usize,
    record: usize,
    initialized: bool,
}

/// Sessions, requests under way, and what was fetched and not yet returned.
#[derive(Clone, Debug, Default)]
pub(super) struct Fetcher {
    pub sessions: SortedMap<BrokerId, FetchSession>,
    /// Brokers with a fetch under way.
    pub pending: SortedSet<BrokerId>,
    buffer: VecDeque<CompletedFetch>,
    /// Records that the deserializer cannot read.
    pub unreadable: Rc<SortedSet<(TopicPartition, Offset)>>,
}

/// What poll returns, and whether a position moved without a record.
#[derive(Default)]
pub(super) struct Collected {
    pub records: Vec<PartitionRecords>,
    pub position_advanced: bool,
}

impl Fetcher {
    /// Throws away what was fetched of a partition.
    pub fn drop_buffered(&mut self, partition: &TopicPartition) {
        self.buffer.retain(|fetch| fetch.partition != *partition);
    }

    /// Throws away what was fetched of all other partitions.
    pub fn keep_buffered(&mut self, kept: impl Fn(&TopicPartition) -> bool) {
        self.buffer.retain(|fetch| kept(&fetch.partition));
    }

    fn buffered(&self) -> SortedSet<&TopicPartition> {
        self.buffer.iter().map(|fetch| &fetch.partition).collect()
    }
}

impl Consumer {
    /// Sends a fetch to every broker that leads fetchable partitions without buffered records and has none
    /// under way.
    pub(super) fn send_fetches(&mut self, cx: &mut Cx<'_>) {
        let mut wanted: SortedMap<BrokerId, Vec<(TopicPartition, Wanted)>> = SortedMap::new();
        let mut leader_missing = false;
        let buffered = self.fetcher.buffered();
        for (partition, state) in self.subscriptions.assignment() {
            if !state.is_fetchable() || buffered.contains(partition) {
                continue;
            }
            let Some((leader, leader_epoch)) = self.metadata.leader(partition) else {
                leader_missing = true;
                continue;
            };
            let node = match state.preferred_read_replica {
                Some((replica, until)) if until > cx.now() => replica,
                _ => leader,
            };
            if self.fetcher.pending.contains(&node)
                || !self.network.is_available(node, Channel::Data, cx.now())
            {
                continue;
            }
            let data = Wanted {
                offset: state.position,
                leader_epoch,
            };
            wanted
                .entry(node)
                .or_default()
                .push((partition.clone(), data));
        }
        if leader_missing {
            self.request_metadata_update(cx);
        }
        for (node, partitions) in wanted {
            self.send_fetch(node, partitions, cx);
        }
    }

    fn send_fetch(
        &mut self,
        node: BrokerId,
        wanted: Vec<(TopicPartition, Wanted)>,
        cx: &mut Cx<'_>,
    ) {
        let config = self.settings.config.clone();
        let session = self.fetcher.sessions.entry(node).or_default();
        let (topics, forgotten_topics_data) = session.next_request(
            wanted,
            config.max_partition_fetch_bytes,
            &self.metadata.cluster,
        );
        let request = FetchRequest {
            replica_id: BrokerId(-1),
            max_wait_ms: config.fetch_max_wait_ms,
            min_bytes: config.fetch_min_bytes,
            max_bytes: config.fetch_max_bytes,
            isolation_level: 0,
            session_id: session.id,
            session_epoch: session.epoch,
            topics,
            forgotten_topics_data,
            rack_id: config.client_rack.clone(),
        };
        let request = FetchRequest {
            isolation_level: self.isolation_level(),
            ..request
        };
        self.fetcher.pending.insert(node);
        self.send(node, Channel::Data, request.into(), Purpose::Fetch, cx);
    }

    /// The answer to a fetch: buffered until poll takes it.
    pub(super) fn on_fetch(&mut self, from: BrokerId, response: FetchResponse) {
        self.fetcher.pending.remove(&from);
        self.awake();
        let Some(session) = self.fetcher.sessions.get_mut(&from) else {
            return;
        };
        if !session.handle(response.error_code, response.session_id) {
            return;
        }
        for topic in response.responses {
            for data in topic.partitions {
                let partition = TopicPartition::new(topic.topic.clone(), data.partition_index);
                let Some(next_offset) = session.offset_asked(&partition) else {
                    continue;
                };
                let says_nothing = data.error_code.is_none()
                    && data.records.is_empty()
                    && data.preferred_read_replica.0 < 0;
                if says_nothing {
                    continue;
                }
                self.fetcher.buffer.push_back(CompletedFetch {
                    partition,
                    next_offset,
                    last_epoch: -1,
                    data,
                    batch: 0,
                    record: 0,
                    initialized: false,
                });
            }
        }
    }

    /// A fetch got no answer.
    pub(super) fn on_fetch_disconnected(&mut self, from: BrokerId, cx: &mut Cx<'_>) {
        self.fetcher.pending.remove(&from);
        if let Some(session) = self.fetcher.sessions.get_mut(&from) {
            session.restart();
        }
        self.request_metadata_update(cx);
    }

    /// Takes up to `max.poll.records` records from the buffer, one partition's fetch after the other in the
    /// order of arrival, and moves the positions on.
    pub(super) fn collect_fetch(&mut self, cx: &mut Cx<'_>) -> Result<Collected, Exception> {
        let mut collected = Collected::default();
        let max_poll_records = self.settings.config.max_poll_records;
        let mut room = usize::try_from(max_poll_records).unwrap_or(1);
        let mut paused = Vec::new();
        while room > 0
            && let Some(mut fetch) = self.fetcher.buffer.pop_front()
        {
            if !fetch.initialized {
                match self.initialize(&fetch, cx) {
                    Ok(true) => fetch.initialized = true,
                    Ok(false) => continue,
                    Err(exception) if collected.records.is_empty() => {
                        self.keep_paused(paused);
                        return Err(exception);
                    }
                    Err(_) => {
                        // What was collected goes first; the next poll comes back to the error.
                        self.fetcher.buffer.push_front(fetch);
                        break;
                    }
                }
            }
            let Some(state) = self.subscriptions.state(&fetch.partition) else {
                continue;
            };
            if state.paused {
                paused.push(fetch);
                continue;
            }
            if !state.is_fetchable() || state.position != fetch.next_offset {
                continue;
            }
            let before = fetch.next_offset;
            let unreadable = self.fetcher.unreadable.clone();
            let (records, stuck_at) = fetch.take(room, &unreadable);
            room -= records.len();
            if let (true, Some(offset)) = (records.is_empty(), stuck_at) {
                // It stays first in line: no partition behind it is returned either.
                let partition = fetch.partition.clone();
                self.fetcher.buffer.push_front(fetch);
                self.keep_paused(paused);
                return match collected.records.is_empty() {
                    true => Err(Exception::RecordDeserialization(partition, offset)),
                    false => Ok(collected),
                };
            }
            if fetch.next_offset > before {
                collected.position_advanced = true;
                self.subscriptions
                    .advance(&fetch.partition, fetch.next_offset, fetch.last_epoch);
            }
            self.deliver(&fetch.partition, records, &mut collected, cx);
            if !fetch.is_consumed() {
                self.fetcher.buffer.push_front(fetch);
            }
        }
        self.keep_paused(paused);
        Ok(collected)
    }

    fn keep_paused(&mut self, paused: Vec<CompletedFetch>) {
        self.fetcher.buffer.extend(paused);
    }

    fn deliver(
        &mut self,
        partition: &TopicPartition,
        records: Vec<ConsumerRecord>,
        collected: &mut Collected,
        cx: &mut Cx<'_>,
    ) {
        let (Some(first), Some(last)) = (records.first(), records.last()) else {
            return;
        };
        cx.journal.note(FactKind::Deliver {
            member: self.group.membership.clone(),
            partition: partition.clone(),
            base: first.offset,
            next: Offset(last.offset.0 + 1),
        });
        match collected.records.last_mut() {
            Some(former) if former.partition == *partition => former.records.extend(records),
            _ => collected.records.push(PartitionRecords {
                partition: partition.clone(),
                records,
            }),
        }
    }

    /// First look at an answer: whether it is still wanted, and what its error means.
    fn initialize(&mut self, fetch: &CompletedFetch, cx: &mut Cx<'_>) -> Result<bool, Exception> {
        let partition = &fetch.partition;
        let Some(state) = self.subscriptions.state(partition) else {
            return Ok(false);
        };
        let expected = state.has_position() && state.position == fetch.next_offset;
        match fetch.data.error_code {
            ErrorCode::None => {
                if expected && fetch.data.preferred_read_replica.0 >= 0 {
                    let age = Duration::from_ms(self.settings.config.metadata_max_age_ms);
                    let replica = (fetch.data.preferred_read_replica, cx.now() + age);
                    self.subscriptions
                        .set_preferred_read_replica(partition, Some(replica));
                }
                Ok(expected)
            }
            ErrorCode::OffsetOutOfRange => {
                let from_follower = self
                    .subscriptions
                    .set_preferred_read_replica(partition, None)
                    .is_some();
                if from_follower || !expected {
                    return Ok(false);
                }
                if self.subscriptions.request_offset_reset(partition) {
                    // The next round asks for the offset.
                    self.awake();
                    return Ok(false);
                }
                Err(Exception::OffsetOutOfRange(partition.clone()))
            }
            ErrorCode::UnknownLeaderEpoch | ErrorCode::UnknownServerError => Ok(false),
            ErrorCode::CorruptMessage => Err(Exception::Kafka(ErrorCode::CorruptMessage)),
            _ => {
                self.request_metadata_update(cx);
                Ok(false)
            }
        }
    }
}

impl CompletedFetch {
    fn current_batch(&self) -> Option<&Rc<RecordBatch>> {
        self.data.records.get(self.batch)
    }

    fn is_consumed(&self) -> bool {
        self.batch >= self.data.records.len()
    }

    /// Takes up to `room` records, up to one that cannot be deserialized, whose offset is given as well.
    /// Records before the position are skipped: a batch is sent whole.
    fn take(
        &mut self,
        room: usize,
        unreadable: &SortedSet<(TopicPartition, Offset)>,
    ) -> (Vec<ConsumerRecord>, Option<Offset>) {
        let mut taken = Vec::new();
        let is_unreadable = |partition: &TopicPartition, offset: Offset| {
            !unreadable.is_empty() && unreadable.contains(&(partition.clone(), offset))
        };
        while let Some(batch) = self.current_batch().cloned() {
            self.last_epoch = batch.partition_leader_epoch;
            let is_control = batch.attributes & CONTROL != 0;
            while let Some(record) = batch.records.get(self.record) {
                if taken.len() >= room {
                    return (taken, None);
                }
                let offset = Offset(batch.base_offset.0 + i64::from(record.offset_delta));
                if offset >= self.next_offset && !is_control {
                    if is_unreadable(&self.partition, offset) {
                        return (taken, Some(offset));
                    }
                    taken.push(ConsumerRecord {
                        offset,
                        timestamp_ms: batch.base_timestamp + record.timestamp_delta,
                        batch: batch.records.clone(),
                        index: self.record,
                    });
                    self.next_offset = Offset(offset.0 + 1);
                }
                self.record += 1;
            }
            self.next_offset = self.next_offset.max(batch.next_offset());
            self.batch += 1;
            self.record = 0;
        }
        (taken, None)
    }
}
