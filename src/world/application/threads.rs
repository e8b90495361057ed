//! The threads behind the loop: handing records over, and what comes of them.

use super::{Application, State};
use crate::kafka::fact::{FactKind, Membership, StopCause};
use crate::kafka::ids::{Offset, TopicPartition};
use crate::kafka::journal::Journal;
use crate::kafka::time::Duration;
use crate::world::Poison;
use std::rc::Rc;

impl Application {
    /// Gives the whole batch to the threads.
    pub(super) fn hand_over(
        &mut self,
        poison: &Poison,
        member: &Rc<Membership>,
        journal: &mut Journal,
    ) {
        for part in std::mem::take(&mut self.batch) {
            let offsets = part.records.get(self.place..).unwrap_or_default();
            let offsets = offsets.iter().map(|record| record.offset);
            self.pool.queue(&part.partition, offsets);
            self.place = 0;
        }
        self.start_threads(poison, member, journal);
    }

    /// Whether so many records wait for a thread that the loop does not poll.
    pub(super) fn is_full(&self) -> bool {
        let most = self.spec.workers.map(|workers| workers.queue_max);
        most.is_some_and(|most| self.pool.queued() >= usize::try_from(most).unwrap_or(usize::MAX))
    }

    /// Free threads take the next records. What takes no time is done at once.
    fn start_threads(&mut self, poison: &Poison, member: &Rc<Membership>, journal: &mut Journal) {
        let threads = self.spec.workers.map_or(0, |workers| workers.threads);
        while self.pool.has_work_for(threads) && !matches!(self.state, State::Ended(_)) {
            let time = self.draw_time();
            if time > Duration::ZERO {
                let key = (journal.now() + time, journal.next_sequence());
                self.pool.start(key, journal.cause());
            } else if let Some((partition, offset)) = self.pool.take() {
                self.end_in_pool(partition, offset, poison, member, journal);
            }
        }
    }

    /// A thread is done with its record.
    pub(super) fn thread_is_done(
        &mut self,
        poison: &Poison,
        member: &Rc<Membership>,
        journal: &mut Journal,
    ) {
        if let Some((partition, offset)) = self.pool.finish_first() {
            self.end_in_pool(partition, offset, poison, member, journal);
        }
        self.start_threads(poison, member, journal);
        if self.state == State::Full && !self.is_full() {
            self.state = State::Free;
        }
    }

    /// A thread has come to the end of a record, one way or the other.
    fn end_in_pool(
        &mut self,
        partition: TopicPartition,
        offset: Offset,
        poison: &Poison,
        member: &Rc<Membership>,
        journal: &mut Journal,
    ) {
        match poison.contains(&(partition.clone(), offset)) {
            true => self.meet_poison_in_pool(partition, offset, member, journal),
            false => self.finish_in_pool(partition, offset, member, journal),
        }
    }

    fn finish_in_pool(
        &mut self,
        partition: TopicPartition,
        offset: Offset,
        member: &Rc<Membership>,
        journal: &mut Journal,
    ) {
        journal.note(FactKind::Done {
            member: member.clone(),
            partition: partition.clone(),
            base: offset,
            next: Offset(offset.0 + 1),
        });
        self.leave_in_pool(partition, offset);
        self.done_records += 1;
        self.since_commit = self.since_commit.saturating_add(1);
        if self.spec.crash_after_records == Some(self.done_records) {
            self.state = State::Ended(StopCause::Failed);
        }
    }

    /// A thread is through with the record, which need not be done.
    pub(super) fn leave_in_pool(&mut self, partition: TopicPartition, offset: Offset) {
        if let Some(frontier) = self.pool.done(&partition, offset) {
            self.done.insert(partition, frontier);
        }
    }
}
