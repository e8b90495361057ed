//! Fetch (1), versions 4-17: v7 sessions (KIP-227), v9 leader epoch, v11 rack (KIP-392), v12 flexible, v13
//! topic ids. Classes `ReplicaManager`, `DelayedFetch`.
//!
//! Left out: fetches of followers and reading from them, diverging epochs (v12), transactions (the last
//! stable offset is the high watermark).

use super::fetch_session::{Context, Wanted};
use super::log::{AtLeastOne, LogPosition};
use super::replica_manager::ReplicaManager;
use super::{BrokerTimer, Desk, Ticket};
use crate::kafka::api::{FetchRequest, FetchResponse, FetchableTopicResponse, PartitionData};
use crate::kafka::cluster::Cluster;
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, Offset, TopicName, TopicPartition, Uuid};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::Duration;

/// Fetches that wait for more data.
#[derive(Clone, Debug, Default)]
pub(super) struct Purgatory {
    /// By number, which is the order of parking.
    parked: SortedMap<u64, Parked>,
    /// Who waits for a partition, in the order of parking.
    watchers: SortedMap<TopicPartition, Vec<u64>>,
    last_number: u64,
}

#[derive(Clone, Debug)]
struct Parked {
    ticket: Ticket,
    fetch: Fetch,
    /// Where each partition's offset lay when the fetch was parked.
    starts: Vec<LogPosition>,
}

/// A fetch, as far as it has come.
#[derive(Clone, Debug)]
struct Fetch {
    context: Context,
    min_bytes: i64,
    max_bytes: i64,
    /// In the order of reading.
    wanted: Vec<Wanted>,
    /// Partitions that do not exist. They come with the answer, but do not hasten it.
    unknown: Vec<(Wanted, PartitionData)>,
}

/// What one pass over the partitions found.
struct Pass {
    data: Vec<PartitionData>,
    starts: Vec<LogPosition>,
    size_bytes: i64,
    has_error: bool,
}

impl ReplicaManager {
    /// Answers at once when there is enough, and parks the fetch otherwise.
    pub fn fetch(&mut self, ticket: Ticket, mut request: FetchRequest, desk: &mut Desk) {
        resolve_topic_ids(&mut request, desk.cluster);
        let (context, wanted) = match self.sessions.open(&request, desk.now()) {
            Ok(opened) => opened,
            Err(error_code) => {
                desk.answer(ticket, refusal(error_code));
                return;
            }
        };
        let exists = |wanted: &Wanted| desk.cluster.partition(&wanted.partition).is_some();
        let (wanted, unknown): (Vec<_>, Vec<_>) = match wanted.iter().all(exists) {
            true => (wanted, Vec::new()),
            false => wanted.into_iter().partition(exists),
        };
        let max_bytes = request.max_bytes.min(desk.settings.config.fetch_max_bytes);
        let fetch = Fetch {
            context,
            min_bytes: i64::from(request.min_bytes.min(max_bytes)),
            max_bytes: i64::from(max_bytes),
            wanted,
            unknown: unknown.into_iter().map(unknown_partition).collect(),
        };
        let pass = self.read(&fetch, desk.cluster);
        let enough = pass.size_bytes >= fetch.min_bytes;
        if request.max_wait_ms <= 0 || fetch.wanted.is_empty() || enough || pass.has_error {
            self.answer_fetch(ticket, fetch, pass.data, desk);
            return;
        }
        let starts = pass.starts;
        let parked = Parked {
            ticket,
            fetch,
            starts,
        };
        if self.is_complete(&parked, desk.cluster) {
            self.finish_fetch(parked, desk);
        } else {
            let number = self.purgatory.park(parked);
            let wait = Duration::from_ms(i64::from(request.max_wait_ms));
            desk.set_timer(BrokerTimer::FetchMaxWait(number), desk.now() + wait);
        }
    }

    /// `fetch.max.wait.ms` of a parked fetch is over.
    pub fn fetch_max_wait_over(&mut self, number: u64, desk: &mut Desk) {
        if let Some(parked) = self.purgatory.take(number) {
            self.finish_fetch(parked, desk);
        }
    }

    /// Answers the parked fetches that a partition's new records complete, in the order of parking.
    pub fn complete_fetches(&mut self, partition: &TopicPartition, desk: &mut Desk) {
        let Some(watchers) = self.purgatory.watchers.get(partition) else {
            return;
        };
        let numbers = watchers.clone();
        self.complete_those_ready(&numbers, desk);
    }

    /// Answers the parked fetches that a change of the cluster completes.
    pub fn check_all_fetches(&mut self, desk: &mut Desk) {
        let numbers: Vec<u64> = self.purgatory.parked.keys().copied().collect();
        self.complete_those_ready(&numbers, desk);
    }

    fn complete_those_ready(&mut self, numbers: &[u64], desk: &mut Desk) {
        for &number in numbers {
            let parked = self.purgatory.parked.get(&number);
            if parked.is_some_and(|parked| self.is_complete(parked, desk.cluster))
                && let Some(parked) = self.purgatory.take(number)
            {
                desk.timers.cancel(&BrokerTimer::FetchMaxWait(number));
                self.finish_fetch(parked, desk);
            }
        }
    }

    /// `DelayedFetch.tryComplete`: enough bytes over all partitions, each up to its cap; or a segment was
    /// rolled behind an offset, or a partition is no longer to be read here.
    fn is_complete(&self, parked: &Parked, cluster: &Cluster) -> bool {
        let mut available_bytes = 0;
        for (wanted, start) in parked.fetch.wanted.iter().zip(&parked.starts) {
            let epoch = wanted.fetch.current_leader_epoch;
            let Ok(log) = self.leader_log(&wanted.partition, epoch, cluster) else {
                return true;
            };
            let upper = log.high_watermark();
            if wanted.fetch.fetch_offset > upper {
                return true;
            }
            if wanted.fetch.fetch_offset == upper {
                continue;
            }
            let end = log.position(upper);
            if start.segment_base < end.segment_base {
                return true;
            }
            let bytes = end.position_bytes - start.position_bytes;
            available_bytes += bytes.min(i64::from(wanted.fetch.partition_max_bytes));
        }
        available_bytes >= parked.fetch.min_bytes
    }

    fn finish_fetch(&mut self, parked: Parked, desk: &mut Desk) {
        let Parked { ticket, fetch, .. } = parked;
        let data = self.read(&fetch, desk.cluster).data;
        self.answer_fetch(ticket, fetch, data, desk);
    }

    /// Reads all partitions in their order within the budget. The first that has anything gives at least
    /// one batch, whatever the limits (`ReplicaManager.readFromLog`).
    fn read(&self, fetch: &Fetch, cluster: &Cluster) -> Pass {
        let mut pass = Pass {
            data: Vec::with_capacity(fetch.wanted.len()),
            starts: Vec::with_capacity(fetch.wanted.len()),
            size_bytes: 0,
            has_error: false,
        };
        let mut at_least_one = AtLeastOne::Batch;
        for wanted in &fetch.wanted {
            let budget = (fetch.max_bytes - pass.size_bytes).max(0);
            match self.read_partition(wanted, budget, at_least_one, cluster) {
                Ok((data, start, size_bytes)) => {
                    if size_bytes > 0 {
                        at_least_one = AtLeastOne::Nothing;
                    }
                    pass.size_bytes += size_bytes;
                    pass.data.push(data);
                    pass.starts.push(start);
                }
                Err(error_code) => {
                    pass.has_error = true;
                    pass.data.push(failed(wanted, error_code));
                    pass.starts.push(LogPosition {
                        segment_base: Offset(-1),
                        position_bytes: 0,
                    });
                }
            }
        }
        pass
    }

    fn read_partition(
        &self,
        wanted: &Wanted,
        budget_bytes: i64,
        at_least_one: AtLeastOne,
        cluster: &Cluster,
    ) -> Result<(PartitionData, LogPosition, i64), ErrorCode> {
        let fetch = &wanted.fetch;
        let log = self.leader_log(&wanted.partition, fetch.current_leader_epoch, cluster)?;
        let from = fetch.fetch_offset;
        if from < log.log_start() || from > log.log_end() {
            return Err(ErrorCode::OffsetOutOfRange);
        }
        let limit = budget_bytes.min(i64::from(fetch.partition_max_bytes).max(0));
        let read = log.read(from, log.high_watermark(), limit, at_least_one);
        let data = PartitionData {
            partition_index: fetch.partition,
            error_code: ErrorCode::None,
            high_watermark: log.high_watermark(),
            last_stable_offset: log.last_stable_offset(),
            log_start_offset: log.log_start(),
            aborted_transactions: None,
            preferred_read_replica: BrokerId(-1),
            records: read.batches,
            tagged_fields: Vec::new(),
        };
        Ok((data, read.start, read.size_bytes))
    }

    fn answer_fetch(
        &mut self,
        ticket: Ticket,
        fetch: Fetch,
        data: Vec<PartitionData>,
        desk: &mut Desk,
    ) {
        let mut read: Vec<_> = fetch.wanted.into_iter().zip(data).collect();
        read.extend(fetch.unknown);
        let session_id = match fetch.context {
            Context::Sessionless => 0,
            Context::Full => {
                let read = read.iter().map(|(wanted, data)| (wanted, data));
                self.sessions.create(read, desk.now())
            }
            Context::Incremental { session, epoch } => {
                if let Err(error) = self.sessions.keep_changed(session, epoch, &mut read) {
                    desk.answer(ticket, refusal(error));
                    return;
                }
                session
            }
        };
        let response = FetchResponse {
            error_code: ErrorCode::None,
            session_id,
            responses: by_topic(read),
            tagged_fields: Vec::new(),
        };
        desk.answer(ticket, response);
    }
}

impl Purgatory {
    fn park(&mut self, parked: Parked) -> u64 {
        self.last_number += 1;
        for wanted in &parked.fetch.wanted {
            let watchers = self.watchers.entry(wanted.partition.clone());
            watchers.or_default().push(self.last_number);
        }
        self.parked.insert(self.last_number, parked);
        self.last_number
    }

    fn take(&mut self, number: u64) -> Option<Parked> {
        let parked = self.parked.remove(&number)?;
        for wanted in &parked.fetch.wanted {
            if let Some(watchers) = self.watchers.get_mut(&wanted.partition) {
                watchers.retain(|watcher| *watcher != number);
            }
        }
        Some(parked)
    }
}

/// From v13 on topics come by id. One that no topic has keeps its empty name, and no partition of it exists.
fn resolve_topic_ids(request: &mut FetchRequest, cluster: &Cluster) {
    let names = request
        .topics
        .iter_mut()
        .map(|topic| (&mut topic.topic, topic.topic_id));
    let forgotten = request
        .forgotten_topics_data
        .iter_mut()
        .map(|topic| (&mut topic.topic, topic.topic_id));
    for (name, id) in names.chain(forgotten) {
        if name.is_empty() && id != Uuid::default() {
            *name = name_of(id, cluster).unwrap_or_default();
        }
    }
}

fn name_of(id: Uuid, cluster: &Cluster) -> Option<TopicName> {
    let mut topics = cluster.topics.iter();
    topics
        .find(|(_, topic)| topic.id == id)
        .map(|(name, _)| name.clone())
}

fn unknown_partition(wanted: Wanted) -> (Wanted, PartitionData) {
    let error_code = if wanted.partition.topic.is_empty() {
        ErrorCode::UnknownTopicId
    } else {
        ErrorCode::UnknownTopicOrPartition
    };
    let data = failed(&wanted, error_code);
    (wanted, data)
}

fn failed(wanted: &Wanted, error_code: ErrorCode) -> PartitionData {
    PartitionData {
        partition_index: wanted.fetch.partition,
        error_code,
        high_watermark: Offset(-1),
        last_stable_offset: Offset(-1),
        log_start_offset: Offset(-1),
        aborted_transactions: None,
        preferred_read_replica: BrokerId(-1),
        records: Vec::new(),
        tagged_fields: Vec::new(),
    }
}

/// An answer to a request whose session is wrong.
fn refusal(error_code: ErrorCode) -> FetchResponse {
    FetchResponse {
        error_code,
        session_id: 0,
        responses: Vec::new(),
        tagged_fields: Vec::new(),
    }
}

/// Neighbours of one topic stand together.
fn by_topic(read: Vec<(Wanted, PartitionData)>) -> Vec<FetchableTopicResponse> {
    let mut responses: Vec<FetchableTopicResponse> = Vec::new();
    for (wanted, data) in read {
        match responses.last_mut() {
            Some(last) if last.topic == wanted.partition.topic => last.partitions.push(data),
            _ => responses.push(FetchableTopicResponse {
                topic: wanted.partition.topic,
                topic_id: wanted.topic_id,
                partitions: vec![data],
            }),
        }
    }
    responses
}

#[cfg(test)]
mod tests;
