//! Writing to `__consumer_offsets`: what waits until its record is in the log.
//!
//! Records of one group are written in order. The new coordinator collects them for
//! `group.coordinator.append.linger.ms`; one that comes while it collects is written with the rest.
//!
//! DEVIATION: Kafka collects and orders the records of all groups of one partition of `__consumer_offsets`
//! together. Here each group has its own queue: what a learner sees of a group does not depend on others.

use super::super::super::desk::{Desk, Ticket};
use super::super::super::offsets::CommittedOffset;
use super::super::super::{BrokerTimer, CoordinatorKind};
use super::Group;
use crate::kafka::api::{OffsetFetchRequest, Response, SyncGroupRequestAssignment};
use crate::kafka::ids::{Generation, MemberId, TopicPartition};
use crate::kafka::time::{Duration, Instant};
use std::collections::VecDeque;

/// What happens when it is written.
#[derive(Clone, Debug)]
pub(in crate::kafka::broker) enum Write {
    /// The group has no members.
    Empty,
    /// The leader's assignment comes into force.
    Assignment {
        generation: Generation,
        assignments: Vec<SyncGroupRequestAssignment>,
    },
    /// A static member's new id is valid.
    StaticMember {
        member_id: MemberId,
        leader_before: Option<MemberId>,
        api_version: i16,
    },
    /// Offsets are committed.
    Offsets {
        member_id: MemberId,
        offsets: Vec<(TopicPartition, CommittedOffset)>,
        ticket: Ticket,
        response: Response,
    },
    /// Nothing was written, but the answer may not overtake what was.
    Answer { ticket: Ticket, response: Response },
    /// The same for an OffsetFetch, which reads what was written before it.
    OffsetFetch {
        ticket: Ticket,
        request: OffsetFetchRequest,
    },
}

/// An OffsetFetch that can go on.
pub(in crate::kafka::broker) type Resumed = (Ticket, OffsetFetchRequest);

/// Writes under way, in their order, with the instant at which each is done.
#[derive(Clone, Debug, Default)]
pub(super) struct Writes {
    queue: VecDeque<(Instant, Write)>,
    collecting_until: Option<Instant>,
}

impl Writes {
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// When a write that begins now is done.
    fn due(&mut self, append: Duration, desk: &Desk) -> Instant {
        let linger_ms = match desk.settings.coordinator {
            CoordinatorKind::New => desk.settings.config.group_coordinator_append_linger_ms,
            CoordinatorKind::Scala => 0,
        };
        let flush = match self.collecting_until {
            Some(until) if desk.now() < until => until,
            _ => desk.now() + Duration::from_ms(i64::from(linger_ms)),
        };
        self.collecting_until = Some(flush);
        let before = self.queue.back().map(|(due, _)| *due);
        before.map_or(flush + append, |before| before.max(flush + append))
    }
}

impl Group {
    /// Writes a group record.
    pub(super) fn write_group(&mut self, write: Write, desk: &mut Desk) {
        self.write(write, desk.settings.group_append, desk);
    }

    /// Writes offsets.
    pub(in crate::kafka::broker) fn write_offsets(&mut self, write: Write, desk: &mut Desk) {
        self.write(write, desk.settings.offset_append, desk);
    }

    fn write(&mut self, write: Write, append: Duration, desk: &mut Desk) {
        let due = self.writes.due(append, desk);
        if self.writes.is_empty() && due <= desk.now() {
            // What is written at once can resume no OffsetFetch: none was waiting.
            let finished = self.finish(write, desk);
            debug_assert!(finished.is_none(), "an OffsetFetch is not written");
            return;
        }
        self.enqueue(due, write, desk);
    }

    fn enqueue(&mut self, due: Instant, write: Write, desk: &mut Desk) {
        if self.writes.is_empty() {
            desk.set_timer(BrokerTimer::GroupWrite(self.id.clone()), due);
        }
        self.writes.queue.push_back((due, write));
    }

    /// Answers once all that was written before is in the log (class `CoordinatorRuntime`: an operation
    /// without records waits for the last written offset). The coordinator in Scala answers at once.
    pub(super) fn answer_after_writes(
        &mut self,
        ticket: Ticket,
        response: impl Into<Response>,
        desk: &mut Desk,
    ) {
        let response = response.into();
        match (desk.settings.coordinator, self.writes.queue.back()) {
            (CoordinatorKind::New, Some((due, _))) => {
                let due = *due;
                self.enqueue(due, Write::Answer { ticket, response }, desk);
            }
            _ => desk.answer(ticket, response),
        }
    }

    /// Lets an OffsetFetch wait for the writes under way.
    pub(in crate::kafka::broker) fn fetch_after_writes(
        &mut self,
        ticket: Ticket,
        request: OffsetFetchRequest,
        desk: &mut Desk,
    ) {
        let last = self.writes.queue.back().map(|(due, _)| *due);
        let due = last.unwrap_or(desk.now());
        self.enqueue(due, Write::OffsetFetch { ticket, request }, desk);
    }

    /// The first writes are done.
    pub(in crate::kafka::broker) fn writes_done(&mut self, desk: &mut Desk) -> Vec<Resumed> {
        let mut resumed = Vec::new();
        while let Some((due, _)) = self.writes.queue.front() {
            if *due > desk.now() {
                desk.set_timer(BrokerTimer::GroupWrite(self.id.clone()), *due);
                break;
            }
            if let Some((_, write)) = self.writes.queue.pop_front() {
                resumed.extend(self.finish(write, desk));
            }
        }
        resumed
    }

    /// What is on its way into the log is taken to be there now.
    pub(in crate::kafka::broker) fn write_out(&mut self, desk: &mut Desk) -> Vec<Resumed> {
        desk.timers
            .cancel(&BrokerTimer::GroupWrite(self.id.clone()));
        let writes = std::mem::take(&mut self.writes.queue);
        let resumed = writes.into_iter();
        resumed
            .filter_map(|(_, write)| self.finish(write, desk))
            .collect()
    }

    /// Whether that partition has an offset that is not in the log yet.
    pub(in crate::kafka::broker) fn is_writing_offset(&self, partition: &TopicPartition) -> bool {
        self.writes.queue.iter().any(|(_, write)| match write {
            Write::Offsets { offsets, .. } => offsets.iter().any(|(of, _)| of == partition),
            Write::Empty
            | Write::Assignment { .. }
            | Write::StaticMember { .. }
            | Write::Answer { .. }
            | Write::OffsetFetch { .. } => false,
        })
    }

    fn finish(&mut self, write: Write, desk: &mut Desk) -> Option<Resumed> {
        match write {
            Write::Empty => {}
            Write::Assignment {
                generation,
                assignments,
            } => self.finish_assignment(generation, &assignments, desk),
            Write::StaticMember {
                member_id,
                leader_before,
                api_version,
            } => self.finish_static_member(&member_id, leader_before, api_version, desk),
            Write::Offsets {
                member_id,
                offsets,
                ticket,
                response,
            } => {
                for (partition, offset) in offsets {
                    self.store_offset(partition, offset, &member_id, desk);
                }
                desk.answer(ticket, response);
            }
            Write::Answer { ticket, response } => desk.answer(ticket, response),
            Write::OffsetFetch { ticket, request } => return Some((ticket, request)),
        }
        None
    }
}
