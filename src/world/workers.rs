//! The threads behind a poll loop: what waits for one, what is being handled, and how far each partition
//! is done without a gap.

use super::queue::WakeKey;
use crate::kafka::fact::FactId;
use crate::kafka::ids::{Offset, TopicPartition};
use crate::kafka::sorted::SortedMap;
use std::collections::{BTreeSet, VecDeque};

/// A record in a thread.
#[derive(Clone, Debug)]
struct Job {
    partition: TopicPartition,
    offset: Offset,
    ends: WakeKey,
    set_by: FactId,
}

/// How far a partition is done.
#[derive(Clone, Debug)]
struct Progress {
    /// First offset that is not done.
    frontier: Offset,
    /// Offset that is expected to be queued next.
    queued_to: Offset,
    /// Done above the frontier.
    ahead: BTreeSet<Offset>,
}

/// Threads and their queue.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool {
    queue: VecDeque<(TopicPartition, Offset)>,
    jobs: Vec<Job>,
    progress: SortedMap<TopicPartition, Progress>,
}

impl Pool {
    /// Records of a partition wait for threads.
    pub fn queue(&mut self, partition: &TopicPartition, offsets: impl Iterator<Item = Offset>) {
        for offset in offsets {
            let progress = self.progress.get(partition);
            if progress.is_none_or(|progress| progress.queued_to > offset) {
                // Just assigned, or gone back: what was done before says nothing.
                let progress = Progress {
                    frontier: offset,
                    queued_to: offset,
                    ahead: BTreeSet::new(),
                };
                self.progress.insert(partition.clone(), progress);
            }
            if let Some(progress) = self.progress.get_mut(partition) {
                // Offsets may have gaps; a gap is no work.
                if progress.frontier == progress.queued_to {
                    progress.frontier = offset;
                }
                progress.queued_to = Offset(offset.0 + 1);
            }
            self.queue.push_back((partition.clone(), offset));
        }
    }

    /// How many records wait for a thread.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// How many records wait or are being handled.
    pub fn in_hand(&self) -> usize {
        self.queue.len() + self.jobs.len()
    }

    /// Whether one of so many threads is free while a record waits.
    pub fn has_work_for(&self, threads: u32) -> bool {
        let threads = usize::try_from(threads).unwrap_or(usize::MAX);
        !self.queue.is_empty() && self.jobs.len() < threads
    }

    /// The record that waits longest.
    pub fn take(&mut self) -> Option<(TopicPartition, Offset)> {
        self.queue.pop_front()
    }

    /// A thread takes the record that waits longest.
    pub fn start(&mut self, ends: WakeKey, set_by: FactId) {
        if let Some((partition, offset)) = self.take() {
            self.start_with(partition, offset, ends, set_by);
        }
    }

    /// A thread takes this record.
    pub fn start_with(
        &mut self,
        partition: TopicPartition,
        offset: Offset,
        ends: WakeKey,
        set_by: FactId,
    ) {
        self.jobs.push(Job {
            partition,
            offset,
            ends,
            set_by,
        });
    }

    /// When the first thread is done.
    pub fn next_wake(&self) -> Option<(WakeKey, FactId)> {
        let ends = self.jobs.iter().map(|job| (job.ends, job.set_by));
        ends.min()
    }

    /// Takes the record out of the thread that is done first.
    pub fn finish_first(&mut self) -> Option<(TopicPartition, Offset)> {
        let jobs = self.jobs.iter().enumerate();
        let (place, _) = jobs.min_by_key(|(_, job)| job.ends)?;
        let job = self.jobs.remove(place);
        Some((job.partition, job.offset))
    }

    /// A record is done. Gives the first offset that is not done, if the partition is still the program's.
    pub fn done(&mut self, partition: &TopicPartition, offset: Offset) -> Option<Offset> {
        let progress = self.progress.get_mut(partition)?;
        if offset >= progress.frontier {
            progress.ahead.insert(offset);
        }
        while progress.ahead.remove(&progress.frontier) {
            progress.frontier = Offset(progress.frontier.0 + 1);
        }
        Some(progress.frontier)
    }

    /// The partition is no longer the program's. Threads finish what they have all the same.
    pub fn forget(&mut self, partition: &TopicPartition) {
        self.progress.remove(partition);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::time::Instant;

    fn pool(offsets: std::ops::Range<i64>) -> (Pool, TopicPartition) {
        let mut pool = Pool::default();
        let partition = TopicPartition::new("t", 0);
        pool.queue(&partition, offsets.map(Offset));
        (pool, partition)
    }

    #[test]
    fn the_frontier_waits_for_the_gap() {
        let (mut pool, partition) = pool(10..13);
        assert_eq!(pool.done(&partition, Offset(11)), Some(Offset(10)));
        assert_eq!(pool.done(&partition, Offset(12)), Some(Offset(10)));
        assert_eq!(pool.done(&partition, Offset(10)), Some(Offset(13)));
    }

    #[test]
    fn threads_take_records_in_order_and_end_by_time() {
        let (mut pool, partition) = pool(0..3);
        let at = |ms, sequence| (Instant::from_ms(ms), sequence);
        pool.start(at(20, 1), FactId::BEGINNING);
        assert!(pool.has_work_for(2));
        pool.start(at(10, 2), FactId::BEGINNING);
        assert!(!pool.has_work_for(2));
        assert_eq!(pool.next_wake().map(|wake| wake.0), Some(at(10, 2)));
        assert_eq!(pool.finish_first(), Some((partition, Offset(1))));
        assert_eq!((pool.queued(), pool.in_hand()), (1, 2));
    }

    #[test]
    fn a_partition_that_comes_back_begins_anew() {
        let (mut pool, partition) = pool(0..3);
        pool.forget(&partition);
        assert_eq!(pool.done(&partition, Offset(0)), None);
        pool.queue(&partition, [Offset(0)].into_iter());
        assert_eq!(pool.done(&partition, Offset(0)), Some(Offset(1)));
    }

    #[test]
    fn a_gap_in_the_offsets_holds_nothing_up() {
        let (mut pool, partition) = pool(0..1);
        assert_eq!(pool.done(&partition, Offset(0)), Some(Offset(1)));
        pool.queue(&partition, [Offset(5)].into_iter());
        assert_eq!(pool.done(&partition, Offset(5)), Some(Offset(6)));
    }
}
