//! Fetch sessions (KIP-227, classes `FetchSession`, `FetchManager`): the broker remembers what a client
//! wants, so that request and answer carry only what changed.
//!
//! DEVIATION: when the slots are full, only a session that was idle for two minutes gives way. Kafka also
//! drops a fresh session in favour of a larger one.

use crate::kafka::api::{FetchPartition, FetchRequest, PartitionData};
use crate::kafka::chance::Chance;
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Offset, TopicPartition, Uuid};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use std::collections::BTreeMap;

/// Epoch of a request that opens a session.
const INITIAL_EPOCH: i32 = 0;
/// Epoch of a request that wants no session.
const FINAL_EPOCH: i32 = -1;
/// Idle time after which a session gives way to a new one (`MIN_INCREMENTAL_FETCH_SESSION_EVICTION_MS`).
const EVICTION: Duration = Duration::from_ms(120_000);

/// A partition that a fetch reads, with what was asked of it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Wanted {
    pub partition: TopicPartition,
    pub topic_id: Uuid,
    pub fetch: FetchPartition,
}

/// How the answer to a fetch is to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Context {
    /// Everything, and no session.
    Sessionless,
    /// Everything, and a new session.
    Full,
    /// What changed in this session, if it still has this epoch.
    Incremental { session: i32, epoch: i32 },
}

/// The sessions of a broker.
#[derive(Clone, Debug)]
pub(super) struct FetchSessions {
    by_id: SortedMap<i32, Session>,
    slots: usize,
    chance: Chance,
}

#[derive(Clone, Debug)]
struct Session {
    /// Epoch that the next request must have.
    epoch: i32,
    last_used: Instant,
    /// In the order in which the next fetch reads them.
    order: BTreeMap<u64, Cached>,
    places: SortedMap<TopicPartition, u64>,
    next_place: u64,
}

#[derive(Clone, Debug)]
struct Cached {
    wanted: Wanted,
    high_watermark: Offset,
    log_start: Offset,
}

impl FetchSessions {
    pub fn new(seed: u64, slots: i32) -> Self {
        Self {
            by_id: SortedMap::new(),
            slots: usize::try_from(slots).unwrap_or(0),
            chance: Chance::new(seed, "fetch sessions"),
        }
    }

    /// Finds out what a request wants: how it is to be answered, and all partitions in the order of
    /// reading. 70 for an unknown session, 71 for a wrong epoch (`FetchManager.newContext`).
    pub fn open(
        &mut self,
        request: &FetchRequest,
        now: Instant,
    ) -> Result<(Context, Vec<Wanted>), ErrorCode> {
        if matches!(request.session_epoch, INITIAL_EPOCH | FINAL_EPOCH) {
            self.by_id.remove(&request.session_id);
            let context = match request.session_epoch {
                FINAL_EPOCH => Context::Sessionless,
                _ => Context::Full,
            };
            return Ok((context, wanted(request).collect()));
        }
        let session = self.by_id.get_mut(&request.session_id);
        let session = session.ok_or(ErrorCode::FetchSessionIdNotFound)?;
        if session.epoch != request.session_epoch {
            return Err(ErrorCode::InvalidFetchSessionEpoch);
        }
        session.update(request);
        if session.order.is_empty() {
            self.by_id.remove(&request.session_id);
            return Ok((Context::Sessionless, wanted(request).collect()));
        }
        session.last_used = now;
        session.epoch = next_epoch(session.epoch);
        let context = Context::Incremental {
            session: request.session_id,
            epoch: session.epoch,
        };
        let cached = session.order.values();
        Ok((
            context,
            cached.map(|cached| cached.wanted.clone()).collect(),
        ))
    }

    /// Opens a session over what a full fetch has read. Its id; 0 when there is no room.
    pub fn create<'a>(
        &mut self,
        read: impl Iterator<Item = (&'a Wanted, &'a PartitionData)>,
        now: Instant,
    ) -> i32 {
        if self.by_id.len() >= self.slots && !self.evict(now) {
            return 0;
        }
        let mut session = Session {
            epoch: next_epoch(INITIAL_EPOCH),
            last_used: now,
            order: BTreeMap::new(),
            places: SortedMap::new(),
            next_place: 0,
        };
        for (wanted, data) in read {
            session.add(Cached {
                wanted: wanted.clone(),
                high_watermark: data.high_watermark,
                log_start: data.log_start_offset,
            });
        }
        let id = self.new_id();
        self.by_id.insert(id, session);
        id
    }

    /// Keeps of an answer what has changed since the last one, and remembers it. 71 if another request
    /// came in between.
    pub fn keep_changed(
        &mut self,
        id: i32,
        epoch: i32,
        read: &mut Vec<(Wanted, PartitionData)>,
    ) -> Result<(), ErrorCode> {
        let session = self.by_id.get_mut(&id);
        let session = session.filter(|session| session.epoch == epoch);
        let session = session.ok_or(ErrorCode::InvalidFetchSessionEpoch)?;
        read.retain(|(wanted, data)| session.answer(&wanted.partition, data));
        Ok(())
    }

    fn evict(&mut self, now: Instant) -> bool {
        let idle = |session: &Session| now - session.last_used > EVICTION;
        let stalest = self
            .by_id
            .iter()
            .min_by_key(|(_, session)| session.last_used);
        match stalest {
            Some((&id, session)) if idle(session) => self.by_id.remove(&id).is_some(),
            _ => false,
        }
    }

    /// A positive number that no session has.
    fn new_id(&mut self) -> i32 {
        loop {
            let id = (self.chance.bits() >> 1).cast_signed();
            if id != 0 && !self.by_id.contains_key(&id) {
                return id;
            }
        }
    }
}

impl Session {
    fn add(&mut self, cached: Cached) {
        self.next_place += 1;
        let partition = cached.wanted.partition.clone();
        self.places.insert(partition, self.next_place);
        self.order.insert(self.next_place, cached);
    }

    fn remove(&mut self, partition: &TopicPartition) -> Option<Cached> {
        let place = self.places.remove(partition)?;
        self.order.remove(&place)
    }

    fn update(&mut self, request: &FetchRequest) {
        for wanted in wanted(request) {
            let place = self.places.get(&wanted.partition);
            match place.and_then(|place| self.order.get_mut(place)) {
                Some(cached) => cached.wanted = wanted,
                None => self.add(Cached {
                    wanted,
                    high_watermark: Offset(-1),
                    log_start: Offset(-1),
                }),
            }
        }
        for topic in &request.forgotten_topics_data {
            for &number in &topic.partitions {
                self.remove(&TopicPartition::new(topic.topic.clone(), number));
            }
        }
    }

    /// Whether the answer has to carry the partition. One with records goes to the end of the order, so
    /// that all get their turn (`CachedPartition.maybeUpdateResponseData`).
    fn answer(&mut self, partition: &TopicPartition, data: &PartitionData) -> bool {
        let place = self.places.get(partition);
        let Some(cached) = place.and_then(|place| self.order.get_mut(place)) else {
            return true;
        };
        let is_error = !data.error_code.is_none();
        let changed = cached.high_watermark != data.high_watermark
            || cached.log_start != data.log_start_offset;
        cached.log_start = data.log_start_offset;
        // After an error the next success counts as a change.
        cached.high_watermark = match data.error_code {
            ErrorCode::None => data.high_watermark,
            _ => Offset(-1),
        };
        let has_records = !data.records.is_empty();
        if has_records && let Some(cached) = self.remove(partition) {
            self.add(cached);
        }
        has_records || changed || is_error || data.preferred_read_replica.0 >= 0
    }
}

fn wanted(request: &FetchRequest) -> impl Iterator<Item = Wanted> {
    request.topics.iter().flat_map(|topic| {
        topic.partitions.iter().map(|fetch| Wanted {
            partition: TopicPartition::new(topic.topic.clone(), fetch.partition),
            topic_id: topic.topic_id,
            fetch: fetch.clone(),
        })
    })
}

fn next_epoch(epoch: i32) -> i32 {
    match epoch {
        i32::MAX => 1,
        epoch if epoch < 0 => FINAL_EPOCH,
        epoch => epoch + 1,
    }
}
