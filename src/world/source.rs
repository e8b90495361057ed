//! Where records come from: keys, and feeds that write straight into the logs.

use super::World;
use super::actor::{Actor, ActorKind};
use super::queue::WakeKey;
use super::setup::{FeedSpec, Keys, Spread};
use crate::kafka::chance::Chance;
use crate::kafka::fact::{FactId, Why};
use crate::kafka::ids::{Bytes, Offset, TopicPartition};
use crate::kafka::murmur2::partition_of_key;
use crate::kafka::record::{BATCH_OVERHEAD_BYTES, Record, RecordBatch, record_bytes};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::Instant;
use std::rc::Rc;

/// Draws keys of a kind.
#[derive(Clone, Debug)]
pub(super) struct KeySource {
    keys: Keys,
    chance: Chance,
}

impl KeySource {
    pub fn new(keys: Keys, chance: Chance) -> Self {
        Self { keys, chance }
    }

    pub fn set(&mut self, keys: Keys) {
        self.keys = keys;
    }

    /// The next record's key.
    pub fn draw(&mut self) -> Option<Bytes> {
        let Keys::Some { count, hot_percent } = self.keys else {
            return None;
        };
        let is_hot = hot_percent > 0 && self.chance.below(100) < hot_percent;
        let number = if is_hot { 0 } else { self.chance.below(count) };
        Some(format!("key-{number}").into_bytes().into())
    }
}

/// A source that writes straight into the logs.
#[derive(Clone, Debug)]
pub(super) struct Feed {
    pub spec: FeedSpec,
    pub keys: KeySource,
    pub value: Bytes,
    /// How many times it has written.
    pub written: u64,
    /// When it writes next, and what made it so. `None`: it stands still.
    pub wake: Option<(WakeKey, FactId)>,
}

impl Feed {
    pub fn new(spec: FeedSpec, seed: u64) -> Self {
        let keys = match &spec.spread {
            Spread::ByKey(keys) => keys.clone(),
            _ => Keys::None,
        };
        let chance = Chance::new(seed, &format!("feed {}", spec.name));
        Self {
            keys: KeySource::new(keys, chance),
            value: super::producers::value(spec.size_bytes),
            spec,
            written: 0,
            wake: None,
        }
    }

    /// What it writes next, by partition, given how many the topic has.
    fn next_batches(&mut self, partitions: i32) -> SortedMap<i32, Vec<Option<Bytes>>> {
        let count = usize::try_from(self.spec.batch.max(1)).unwrap_or(usize::MAX);
        let mut batches: SortedMap<i32, Vec<Option<Bytes>>> = SortedMap::new();
        match self.spec.spread {
            Spread::EveryPartition => {
                for partition in 0..partitions {
                    batches.insert(partition, vec![None; count]);
                }
            }
            Spread::Partition(partition) => {
                batches.insert(partition, vec![None; count]);
            }
            Spread::RoundRobin => {
                let turn = self.written % u64::try_from(partitions.max(1)).unwrap_or(1);
                batches.insert(i32::try_from(turn).unwrap_or(0), vec![None; count]);
            }
            Spread::ByKey(_) => {
                for _ in 0..count {
                    let key = self.keys.draw();
                    let partition = partition_of_key(key.as_deref().unwrap_or(&[]), partitions);
                    batches.entry(partition).or_default().push(key);
                }
            }
        }
        batches
    }
}

/// A batch of records with one timestamp and one value, as a producer would send it.
pub(super) fn batch(keys: Vec<Option<Bytes>>, value: &Bytes, timestamp_ms: i64) -> RecordBatch {
    let records: Vec<Record> = (0_i32..)
        .zip(keys)
        .map(|(offset_delta, key)| Record {
            timestamp_delta: 0,
            offset_delta,
            key,
            value: Some(value.clone()),
            headers: Vec::new(),
        })
        .collect();
    let size: i32 = records.iter().map(record_bytes).sum();
    RecordBatch {
        base_offset: Offset(0),
        partition_leader_epoch: -1,
        attributes: 0,
        last_offset_delta: records.last().map_or(0, |record| record.offset_delta),
        base_timestamp: timestamp_ms,
        max_timestamp: timestamp_ms,
        producer_id: -1,
        producer_epoch: -1,
        base_sequence: -1,
        records: records.into(),
        size_bytes: BATCH_OVERHEAD_BYTES + size,
    }
}

impl Actor {
    fn feed_mut(&mut self) -> Option<&mut Feed> {
        match &mut self.kind {
            ActorKind::Feed(feed) => Some(feed),
            ActorKind::Consumer(_)
            | ActorKind::Producer(_)
            | ActorKind::Raw(_)
            | ActorKind::Tool(_) => None,
        }
    }
}

impl World {
    /// A feed writes next at `at`, or not at all. The journal has begun.
    pub(super) fn schedule_feed(&mut self, actor: usize, at: Option<Instant>) {
        let wake = at.map(|at| ((at, self.journal.next_sequence()), self.journal.cause()));
        if let Some(feed) = self.actors.get_mut(actor).and_then(Actor::feed_mut) {
            feed.wake = wake;
        }
        self.note_actor(actor);
    }

    /// A feed writes.
    pub(super) fn wake_feed(&mut self, actor: usize) {
        let feed = self.actors.get_mut(actor).and_then(Actor::feed_mut);
        let Some((_, set_by)) = feed.and_then(|feed| feed.wake.take()) else {
            return;
        };
        self.note_timer(actor, Why::ProducerRate, set_by);
        let Some(feed) = self.actors.get_mut(actor).and_then(Actor::feed_mut) else {
            return;
        };
        let topic = feed.spec.topic.clone();
        let partitions = self
            .cluster
            .topics
            .get(&topic)
            .map(|topic| topic.partitions.len());
        let partitions = i32::try_from(partitions.unwrap_or(0)).unwrap_or(i32::MAX);
        let batches = feed.next_batches(partitions);
        feed.written += 1;
        let is_over = feed.spec.times.is_some_and(|times| feed.written >= times);
        let next = (!is_over).then_some(self.now + feed.spec.every);
        let value = feed.value.clone();
        for (number, keys) in batches {
            let partition = TopicPartition::new(topic.clone(), number);
            let batch = batch(keys, &value, self.now.as_ms());
            self.append(&partition, Rc::new(batch));
        }
        self.schedule_feed(actor, next);
    }

    /// Writes a batch into the leader's log. Without a leader, or refused, it is gone: a feed is no client.
    fn append(&mut self, partition: &TopicPartition, batch: Rc<RecordBatch>) {
        let leader = self.cluster.leader(partition);
        let Some(place) = leader.and_then(|leader| self.broker_place(leader)) else {
            return;
        };
        if let Some(slot) = self.brokers.get_mut(place) {
            let (journal, answers) = (&mut self.journal, &mut self.answers);
            let _ = slot.broker.append(partition, &[batch], journal, answers);
        }
        self.after_broker(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hot_key_gets_its_share_and_a_part_of_the_rest() {
        let keys = Keys::Some {
            count: 10,
            hot_percent: 50,
        };
        let mut source = KeySource::new(keys, Chance::new(1, "test"));
        let drawn: Vec<_> = (0..1000).filter_map(|_| source.draw()).collect();
        let hot = drawn.iter().filter(|key| &***key == b"key-0").count();
        assert!((500..600).contains(&hot), "{hot}");
    }

    #[test]
    fn a_batch_of_a_feed_has_the_size_that_it_would_have_on_the_wire() {
        let value: Bytes = vec![0; 50].into();
        assert_eq!(batch(vec![None], &value, 5).size_bytes, 61 + 57);
        assert_eq!(batch(vec![None; 3], &value, 5).last_offset_delta, 2);
    }
}
