//! What a program does about records that it cannot handle.

use super::{Application, Phase, State};
use crate::kafka::fact::{FactKind, Membership, StopCause};
use crate::kafka::ids::{Bytes, Offset, TopicPartition};
use crate::kafka::journal::Journal;
use crate::kafka::time::Duration;
use crate::world::setup::OnPoison;
use std::rc::Rc;

/// Pause of a program that tries a record again and again.
const RETRY_RECORD_EVERY: Duration = Duration::from_ms(1_000);

/// A record for its retry topic.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::world) struct Forward {
    /// Where it comes from.
    pub partition: TopicPartition,
    /// Which it is there.
    pub offset: Offset,
    /// Its key. Records out of a thread are sent on without one.
    pub key: Option<Bytes>,
}

impl Application {
    /// The next record of the batch is one that it cannot handle.
    pub(super) fn meet_poison(&mut self, member: &Rc<Membership>, journal: &mut Journal) {
        match self.spec.on_poison {
            OnPoison::Crash => self.state = State::Ended(StopCause::Failed),
            OnPoison::Skip => {
                if let Some((partition, offset)) = self.first_in_hand() {
                    note_given_up(partition, offset, member, journal);
                }
                self.pass(1);
            }
            OnPoison::Retry => {
                let until = journal.now() + RETRY_RECORD_EVERY;
                self.wait(Phase::Processing, until, State::Waiting, journal);
            }
            OnPoison::RetryTopic => {
                let part = self.batch.front();
                let Some((part, record)) =
                    part.and_then(|part| Some((part, part.records.get(self.place)?)))
                else {
                    return;
                };
                let whole = record.batch.get(record.index);
                self.forwards.push_back(Forward {
                    partition: part.partition.clone(),
                    offset: record.offset,
                    key: whole.and_then(|record| record.key.clone()),
                });
                self.state = State::Forwarding;
            }
        }
    }

    /// The record of the batch that is to be handled next.
    fn first_in_hand(&self) -> Option<(TopicPartition, Offset)> {
        let part = self.batch.front()?;
        let record = part.records.get(self.place)?;
        Some((part.partition.clone(), record.offset))
    }

    /// A thread has a record that it cannot handle.
    pub(super) fn meet_poison_in_pool(
        &mut self,
        partition: TopicPartition,
        offset: Offset,
        member: &Rc<Membership>,
        journal: &mut Journal,
    ) {
        match self.spec.on_poison {
            OnPoison::Crash => self.state = State::Ended(StopCause::Failed),
            OnPoison::Skip => {
                note_given_up(partition.clone(), offset, member, journal);
                self.leave_in_pool(partition, offset);
            }
            OnPoison::Retry => {
                let key = (journal.now() + RETRY_RECORD_EVERY, journal.next_sequence());
                self.pool
                    .start_with(partition, offset, key, journal.cause());
            }
            OnPoison::RetryTopic => self.forwards.push_back(Forward {
                partition,
                offset,
                key: None,
            }),
        }
    }

    /// The record that is to be sent to its retry topic now. One at a time.
    pub(super) fn next_forward(&mut self) -> Option<Forward> {
        if self.is_forwarding {
            return None;
        }
        let forward = self.forwards.front().cloned()?;
        self.is_forwarding = true;
        Some(forward)
    }

    /// The retry topic has the record (where), or its producer has given up. Then the program sends it again.
    pub fn forwarded(
        &mut self,
        to: Option<(TopicPartition, Offset)>,
        member: &Rc<Membership>,
        journal: &mut Journal,
    ) {
        if !std::mem::take(&mut self.is_forwarding) {
            return;
        }
        let Some((to, to_offset)) = to else {
            return;
        };
        let Some(Forward {
            partition, offset, ..
        }) = self.forwards.pop_front()
        else {
            return;
        };
        journal.note(FactKind::Forwarded {
            member: member.clone(),
            partition: partition.clone(),
            offset,
            to,
            to_offset,
        });
        self.since_commit = self.since_commit.saturating_add(1);
        if self.state == State::Forwarding {
            self.state = State::Free;
            self.done.insert(partition, Offset(offset.0 + 1));
            self.pass(1);
        } else {
            self.leave_in_pool(partition, offset);
        }
    }
}

fn note_given_up(
    partition: TopicPartition,
    offset: Offset,
    member: &Rc<Membership>,
    journal: &mut Journal,
) {
    journal.note(FactKind::GivenUp {
        member: member.clone(),
        partition,
        offset,
    });
}
