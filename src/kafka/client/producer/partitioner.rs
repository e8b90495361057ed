//! Which partition a record goes to (classes `BuiltInPartitioner`, `DefaultPartitioner`,
//! `RoundRobinPartitioner`; KIP-480, KIP-794).
//!
//! DEVIATION: adaptive partitioning (`partitioner.adaptive.partitioning.enable`, 3.3) is not modelled: all
//! available partitions are equally likely, as they are in Kafka while all queues are equally long.

use super::metadata::TopicView;
use crate::kafka::chance::Chance;
use crate::kafka::ids::Bytes;
use crate::kafka::murmur2::partition_of_key;

/// How records without a partition of their own are spread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum PartitionerKind {
    /// From 3.3: key, or one partition until `batch.size` bytes went to it (KIP-794).
    #[default]
    BuiltIn,
    /// 2.4 to 3.2: key, or one partition until its batch is closed (KIP-480).
    Sticky,
    /// Before 2.4: key, or the available partitions in turn from a random start.
    TurnsWithoutKey,
    /// `RoundRobinPartitioner`: the available partitions in turn, whatever the key. As it is after
    /// KAFKA-17632; before, it was asked twice for every new batch and could leave half of them empty.
    RoundRobin,
}

/// What is remembered per topic.
#[derive(Clone, Debug, Default)]
pub(super) struct Spread {
    /// Sticky kinds: where records without key go now.
    current: Option<i32>,
    /// KIP-794: bytes that went there since it was chosen.
    produced_bytes: i64,
    /// Kinds that take turns.
    counter: Option<u32>,
}

/// A choice, and whether the sticky partition was what decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// By key, by turn, or by the caller.
    Fixed(i32),
    /// KIP-794's present partition. What is appended to it counts.
    BuiltIn(i32),
    /// KIP-480's present partition. It changes if a batch would have to be opened.
    Sticky(i32),
}

impl Choice {
    pub fn partition(self) -> i32 {
        let (Choice::Fixed(partition) | Choice::BuiltIn(partition) | Choice::Sticky(partition)) =
            self;
        partition
    }
}

impl Spread {
    /// Chooses for a record without a partition of its own. `topic` has at least one partition.
    pub fn choose(
        &mut self,
        kind: PartitionerKind,
        key: Option<&Bytes>,
        topic: &TopicView,
        chance: &mut Chance,
    ) -> Choice {
        match (kind, key) {
            (PartitionerKind::RoundRobin, _) => Choice::Fixed(self.turn(0, topic)),
            (_, Some(key)) => Choice::Fixed(partition_of_key(key, topic.partition_count())),
            (PartitionerKind::BuiltIn, None) => Choice::BuiltIn(self.current(topic, chance)),
            (PartitionerKind::Sticky, None) => Choice::Sticky(self.current(topic, chance)),
            (PartitionerKind::TurnsWithoutKey, None) => {
                let start = match self.counter {
                    Some(counter) => counter,
                    None => chance.bits(),
                };
                Choice::Fixed(self.turn(start, topic))
            }
        }
    }

    fn current(&mut self, topic: &TopicView, chance: &mut Chance) -> i32 {
        *self
            .current
            .get_or_insert_with(|| topic.random_partition(chance))
    }

    fn turn(&mut self, start: u32, topic: &TopicView) -> i32 {
        let counter = self.counter.unwrap_or(start);
        self.counter = Some(counter.wrapping_add(1));
        // `Utils.toPositive` clears the sign bit.
        topic.partition_at((counter & 0x7fff_ffff) as usize)
    }

    /// KIP-794: `appended_bytes` went to the present partition. Another is drawn after `batch_bytes`, but
    /// not while a batch is half full (`is_last_full` is false), unless it is twice as much already.
    pub fn appended(
        &mut self,
        appended_bytes: i32,
        is_last_full: bool,
        batch_bytes: i32,
        topic: &TopicView,
        chance: &mut Chance,
    ) {
        self.produced_bytes += i64::from(appended_bytes);
        let batch_bytes = i64::from(batch_bytes);
        let enough = self.produced_bytes >= batch_bytes && is_last_full;
        if enough || self.produced_bytes >= 2 * batch_bytes {
            self.current = Some(topic.random_partition(chance));
            self.produced_bytes = 0;
        }
    }

    /// KIP-480: the present partition needs a new batch. Another one is drawn, if there is another.
    pub fn new_batch(&mut self, topic: &TopicView, chance: &mut Chance) -> i32 {
        let before = self.current;
        let mut next = topic.random_partition(chance);
        while Some(next) == before && topic.available_count() > 1 {
            next = topic.random_partition(chance);
        }
        self.current = Some(next);
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::ids::BrokerId;

    fn topic(leaders: &[Option<i32>]) -> TopicView {
        let leaders = leaders.iter().map(|leader| leader.map(BrokerId));
        TopicView::new(leaders.map(|leader| (leader, 0)).collect())
    }

    fn key(text: &str) -> Option<Bytes> {
        Some(text.as_bytes().into())
    }

    /// spec/06's vectors: partition of 3, 4 and 6.
    #[test]
    fn a_key_goes_to_murmur2_modulo_all_partitions_available_or_not() {
        for (text, expected) in [
            ("21", [0, 0, 0]),
            ("foobar", [0, 2, 0]),
            ("abc", [0, 3, 3]),
            ("", [0, 1, 3]),
            ("user-1", [2, 0, 2]),
            ("user-3", [2, 3, 5]),
            ("key-0", [1, 1, 1]),
        ] {
            for kind in [
                PartitionerKind::BuiltIn,
                PartitionerKind::Sticky,
                PartitionerKind::TurnsWithoutKey,
            ] {
                let chosen = [3, 4, 6].map(|count| {
                    let topic = topic(&vec![None; count]);
                    let mut spread = Spread::default();
                    let mut chance = Chance::new(1, "test");
                    let key = key(text);
                    spread.choose(kind, key.as_ref(), &topic, &mut chance)
                });
                assert_eq!(chosen, expected.map(Choice::Fixed), "{text:?}");
            }
        }
    }

    /// I-036: three partitions become four, or six.
    #[test]
    fn more_partitions_move_keys() {
        for (text, before, four, six) in [
            ("user-1", 2, 0, Some(2)),
            ("user-2", 2, 0, None),
            ("user-3", 2, 3, Some(5)),
            ("user-4", 1, 3, None),
            ("user-5", 1, 2, None),
            ("user-6", 2, 1, None),
            ("user-7", 2, 0, None),
            ("user-8", 0, 1, None),
            ("order-42", 0, 0, None),
        ] {
            let partition = |count: i32| partition_of_key(text.as_bytes(), count);
            assert_eq!((partition(3), partition(4)), (before, four), "{text}");
            assert!(six.is_none_or(|six| partition(6) == six), "{text}");
        }
    }

    #[test]
    fn turns_go_over_the_available_partitions() {
        let topic = topic(&[Some(1), None, Some(2), Some(1)]);
        let mut chance = Chance::new(1, "test");
        let mut turns = |kind, key: Option<Bytes>| {
            let mut spread = Spread::default();
            let mut turn = || {
                spread
                    .choose(kind, key.as_ref(), &topic, &mut chance)
                    .partition()
            };
            [turn(), turn(), turn(), turn()]
        };
        assert_eq!(turns(PartitionerKind::RoundRobin, key("k")), [0, 2, 3, 0]);
        let [first, second, third, fourth] = turns(PartitionerKind::TurnsWithoutKey, None);
        assert_eq!(first, fourth);
        let mut all = [first, second, third];
        all.sort_unstable();
        assert_eq!(all, [0, 2, 3]);
    }

    #[test]
    fn the_built_in_partitioner_stays_until_batch_size_bytes_and_a_full_batch() {
        let topic = topic(&[Some(1); 1_000]);
        let mut chance = Chance::new(1, "test");
        let mut spread = Spread::default();
        let current = |spread: &mut Spread, chance: &mut Chance| {
            spread.choose(PartitionerKind::BuiltIn, None, &topic, chance)
        };
        let first = current(&mut spread, &mut chance);
        for (bytes, is_last_full, stays) in [
            (60, true, true),
            (60, false, true),
            (79, false, true),
            (1, false, false),
        ] {
            spread.appended(bytes, is_last_full, 100, &topic, &mut chance);
            let now = current(&mut spread, &mut chance);
            assert_eq!(now == first, stays, "{bytes} {is_last_full}");
        }
        let second = current(&mut spread, &mut chance);
        spread.appended(100, true, 100, &topic, &mut chance);
        assert_ne!(current(&mut spread, &mut chance), second);
    }

    #[test]
    fn the_sticky_partitioner_takes_another_partition_for_every_batch() {
        let topic = topic(&[Some(1), Some(1)]);
        let mut chance = Chance::new(1, "test");
        let mut spread = Spread::default();
        let mut before = spread
            .choose(PartitionerKind::Sticky, None, &topic, &mut chance)
            .partition();
        for _ in 0..20 {
            let next = spread.new_batch(&topic, &mut chance);
            assert_ne!(next, before);
            before = next;
        }
    }
}
