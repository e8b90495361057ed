//! The life of one record: everything that happened to it, told by facts alone.
//!
//! A fold like the ledgers, made for one record when somebody asks for it. Each entry names the fact that it
//! tells, so that its cause can be followed.

use super::ownership::{Process, process_of};
use super::readers::Readers;
use crate::kafka::api::{Request, Response};
use crate::kafka::fact::{Fact, FactId, FactKind, Membership, Party, PositionCause, ReleaseCause};
use crate::kafka::ids::{ActorName, Bytes, GroupId, MemberId, Offset, TopicPartition};
use crate::kafka::time::Instant;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Entries that are kept: the first of them, and the last.
const ENTRIES_KEPT: usize = 400;
/// Requests and batches that are remembered until it is known whether the record is in them.
const OPEN_KEPT: usize = 4_096;

/// What happened to the record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deed {
    /// A producer sent a batch that it is in, for the n-th time.
    Sent {
        /// Who.
        by: ActorName,
        /// Which attempt, from 1.
        attempt: u32,
    },
    /// The leader appended it, in a batch of so many records.
    Appended {
        /// Whose record it is. `None`: it was in the log before the beginning.
        by: Option<ActorName>,
        /// The batch's first offset.
        base: Offset,
        /// The first offset after the batch.
        next: Offset,
    },
    /// The producer knows that it is written.
    Acknowledged(ActorName),
    /// The high watermark passed it: consumers may read it.
    Readable,
    /// An answer to a fetch carried it.
    Fetched(ActorName),
    /// poll() returned it.
    Delivered {
        /// To whom.
        member: Rc<Membership>,
        /// The position from which it came again, if the group had it before.
        again: Option<FactId>,
    },
    /// The application finished it.
    Done {
        /// Whose.
        member: Rc<Membership>,
        /// Whether the group had finished it before.
        again: bool,
    },
    /// A stored commit passed it.
    Committed {
        /// Whose offset.
        group: GroupId,
        /// The committed offset.
        offset: Offset,
        /// Who committed. `None`: nobody known, such as an admin client.
        by: Option<ActorName>,
        /// Whether the group had finished it.
        is_done: bool,
    },
    /// A commit below it took that back, or the offset was removed.
    Uncommitted {
        /// Whose offset.
        group: GroupId,
        /// The committed offset; `None`: removed.
        offset: Option<Offset>,
    },
    /// A position was set at or below it, after the group had got it: it will come again.
    Rewound {
        /// Whose.
        member: Rc<Membership>,
        /// To where.
        offset: Offset,
        /// By what.
        cause: PositionCause,
    },
    /// A position was set beyond it, and the group has not got it.
    JumpedOver {
        /// Whose.
        member: Rc<Membership>,
        /// To where.
        offset: Offset,
        /// By what.
        cause: PositionCause,
    },
    /// Whoever had got it let go of the partition before it was done.
    Dropped {
        /// Who.
        member: Rc<Membership>,
        /// Why.
        cause: ReleaseCause,
        /// Whether a commit had passed it: then the group never does it, it is skipped.
        is_skipped: bool,
    },
    /// Retention (or an admin client) deleted it.
    Deleted {
        /// Groups, and consumers without one, that had to do with it and had not finished it.
        unread_by: Vec<Readers>,
    },
}

/// An entry of the life.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// When.
    pub at: Instant,
    /// The fact.
    pub fact: FactId,
    /// What.
    pub deed: Deed,
}

/// What a group has to do with the record.
#[derive(Clone, Debug, Default)]
struct Reader {
    delivered: bool,
    done: bool,
    committed: bool,
    /// Processes that got it and neither finished it nor let go.
    holding: BTreeMap<Process, Rc<Membership>>,
    /// Where positions were set last.
    starts: BTreeMap<Process, FactId>,
}

/// The life of one record.
#[derive(Clone, Debug)]
pub struct Life {
    partition: TopicPartition,
    offset: Offset,
    last: FactId,
    entries: Vec<Entry>,
    left_out: u64,
    key: Option<Bytes>,
    appended: Option<(Offset, Offset)>,
    is_readable: bool,
    is_deleted: bool,
    readers: BTreeMap<Readers, Reader>,
    members: BTreeMap<MemberId, ActorName>,
    /// Open produce and fetch requests: who sent them.
    open: BTreeMap<u64, ActorName>,
    /// Which exchange a fact took into work.
    received: BTreeMap<FactId, u64>,
    /// Sources that write without a producer: whose timer a fact is.
    timers: BTreeMap<FactId, ActorName>,
    /// Batches of the partition that were sent and not written yet.
    sent: Vec<(ActorName, u32, Entry)>,
}

impl Life {
    /// The life of a record of which nothing is known yet.
    pub fn new(partition: TopicPartition, offset: Offset) -> Life {
        Life {
            partition,
            offset,
            last: FactId::BEGINNING,
            entries: Vec::new(),
            left_out: 0,
            key: None,
            appended: None,
            is_readable: false,
            is_deleted: false,
            readers: BTreeMap::new(),
            members: BTreeMap::new(),
            open: BTreeMap::new(),
            received: BTreeMap::new(),
            timers: BTreeMap::new(),
            sent: Vec::new(),
        }
    }

    /// Its partition.
    pub fn partition(&self) -> &TopicPartition {
        &self.partition
    }

    /// Its offset.
    pub fn offset(&self) -> Offset {
        self.offset
    }

    /// Its key, once it was seen on the wire.
    pub fn key(&self) -> Option<&Bytes> {
        self.key.as_ref()
    }

    /// The last fact that was folded.
    pub fn last(&self) -> FactId {
        self.last
    }

    /// What happened, oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How many entries were left out of the middle.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Takes in what happened.
    pub fn fold(&mut self, fact: &Fact) {
        self.last = fact.id;
        match &fact.kind {
            FactKind::RequestSent { .. }
            | FactKind::RequestReceived { .. }
            | FactKind::ResponseSent { .. }
            | FactKind::ResponseReceived { .. }
            | FactKind::MessageLost { .. }
            | FactKind::TimerFired { .. } => self.fold_exchange(fact),
            FactKind::BatchSent { partition, .. }
            | FactKind::BatchAcknowledged { partition, .. }
            | FactKind::Append { partition, .. }
            | FactKind::HwAdvance { partition, .. }
            | FactKind::LogStartAdvance { partition, .. }
                if *partition == self.partition =>
            {
                self.fold_log(fact);
            }
            FactKind::Acquire { member, .. } | FactKind::MemberStateChanged { member, .. } => {
                self.members
                    .insert(member.member_id.clone(), member.actor.clone());
            }
            FactKind::Deliver { partition, .. }
            | FactKind::Done { partition, .. }
            | FactKind::PositionSet { partition, .. }
            | FactKind::Release { partition, .. }
                if *partition == self.partition =>
            {
                self.fold_reading(fact);
            }
            FactKind::CommitStored { partition, .. }
            | FactKind::CommitRemoved { partition, .. }
                if *partition == self.partition =>
            {
                self.fold_commit(fact);
            }
            _ => {}
        }
    }

    fn note(&mut self, fact: &Fact, deed: Deed) {
        self.enter(Entry {
            at: fact.at,
            fact: fact.id,
            deed,
        });
    }

    fn enter(&mut self, entry: Entry) {
        if self.entries.len() >= ENTRIES_KEPT {
            // The beginning and the end tell more than the middle.
            self.entries.remove(ENTRIES_KEPT / 2);
            self.left_out += 1;
        }
        self.entries.push(entry);
    }

    fn fold_exchange(&mut self, fact: &Fact) {
        match &fact.kind {
            FactKind::RequestSent {
                exchange,
                from,
                request,
                ..
            } if matches!(**request, Request::Produce(_) | Request::Fetch(_)) => {
                self.open.insert(*exchange, from.clone());
                if self.open.len() > OPEN_KEPT {
                    self.open.pop_first();
                }
            }
            FactKind::RequestReceived { exchange } if self.appended.is_none() => {
                if self.open.contains_key(exchange) {
                    self.received.insert(fact.id, *exchange);
                }
                if self.received.len() > OPEN_KEPT {
                    self.received.pop_first();
                }
            }
            FactKind::TimerFired {
                party: Party::Client(actor),
                ..
            } if self.appended.is_none() => {
                self.timers.insert(fact.id, actor.clone());
                if self.timers.len() > OPEN_KEPT {
                    self.timers.pop_first();
                }
            }
            FactKind::ResponseSent {
                exchange, response, ..
            } => {
                if let Response::Fetch(fetch) = &**response
                    && let Some(client) = self.open.get(exchange).cloned()
                {
                    let topics = fetch.responses.iter();
                    let topics = topics.filter(|topic| topic.topic == self.partition.topic);
                    let partitions = topics.flat_map(|topic| &topic.partitions);
                    let mut batches = partitions
                        .filter(|data| data.partition_index == self.partition.partition)
                        .flat_map(|data| &data.records);
                    let found = batches.rfind(|batch| {
                        (batch.base_offset..=batch.last_offset()).contains(&self.offset)
                    });
                    if let Some(batch) = found {
                        let delta = self.offset.0 - batch.base_offset.0;
                        let mut records = batch.records.iter();
                        let record = records.find(|one| i64::from(one.offset_delta) == delta);
                        self.key = record.and_then(|record| record.key.clone());
                        self.note(fact, Deed::Fetched(client));
                    }
                }
            }
            FactKind::ResponseReceived { exchange } | FactKind::MessageLost { exchange } => {
                self.open.remove(exchange);
            }
            _ => {}
        }
    }

    fn fold_log(&mut self, fact: &Fact) {
        match &fact.kind {
            FactKind::BatchSent {
                actor,
                records,
                attempt,
                ..
            } if self.appended.is_none() => {
                let deed = Deed::Sent {
                    by: actor.clone(),
                    attempt: *attempt,
                };
                let entry = Entry {
                    at: fact.at,
                    fact: fact.id,
                    deed,
                };
                self.sent.push((actor.clone(), *records, entry));
                if self.sent.len() > OPEN_KEPT {
                    self.sent.remove(0);
                }
            }
            FactKind::Append { base, next, .. } => {
                let by = self.written_by(fact.cause);
                let count = next.0.abs_diff(base.0);
                let is_it = |(actor, records, _): &(ActorName, u32, Entry)| {
                    Some(actor) == by.as_ref() && u64::from(*records) == count
                };
                if !(*base..*next).contains(&self.offset) {
                    if let Some(place) = self.sent.iter().position(is_it) {
                        self.sent.remove(place);
                    }
                    return;
                }
                let sent = std::mem::take(&mut self.sent);
                for (_, _, entry) in sent.into_iter().filter(is_it).take(1) {
                    self.enter(entry);
                }
                self.appended = Some((*base, *next));
                self.received.clear();
                self.timers.clear();
                let (base, next) = (*base, *next);
                self.note(fact, Deed::Appended { by, base, next });
            }
            FactKind::BatchAcknowledged { actor, base, .. }
                if self.appended.is_some_and(|batch| batch.0 == *base) =>
            {
                self.note(fact, Deed::Acknowledged(actor.clone()));
            }
            FactKind::HwAdvance { offset, .. } if !self.is_readable && *offset > self.offset => {
                self.is_readable = true;
                self.note(fact, Deed::Readable);
            }
            FactKind::LogStartAdvance { offset, .. }
                if !self.is_deleted && *offset > self.offset =>
            {
                self.is_deleted = true;
                let unread = self.readers.iter().filter(|(_, reader)| !reader.done);
                let unread_by = unread.map(|(readers, _)| readers.clone()).collect();
                self.note(fact, Deed::Deleted { unread_by });
            }
            _ => {}
        }
    }

    /// Who had the leader append something: a producer by its request, or a feed by its timer.
    fn written_by(&self, cause: FactId) -> Option<ActorName> {
        let producer = self
            .received
            .get(&cause)
            .and_then(|exchange| self.open.get(exchange));
        producer.or_else(|| self.timers.get(&cause)).cloned()
    }

    fn fold_reading(&mut self, fact: &Fact) {
        let offset = self.offset;
        match &fact.kind {
            FactKind::Deliver {
                member, base, next, ..
            } if (*base..*next).contains(&offset) => {
                let reader = self.reader(Readers::of(member));
                let process = process_of(member);
                let start = reader.starts.get(&process).copied();
                let again = reader.delivered.then(|| start.unwrap_or(fact.cause));
                reader.delivered = true;
                reader.holding.insert(process, member.clone());
                let member = member.clone();
                self.note(fact, Deed::Delivered { member, again });
            }
            FactKind::Done {
                member, base, next, ..
            } if (*base..*next).contains(&offset) => {
                let reader = self.reader(Readers::of(member));
                let again = std::mem::replace(&mut reader.done, true);
                reader.holding.remove(&process_of(member));
                let member = member.clone();
                self.note(fact, Deed::Done { member, again });
            }
            FactKind::PositionSet {
                member,
                offset: to,
                cause,
                ..
            } => {
                let is_there = self.appended.is_some();
                let reader = self.reader(Readers::of(member));
                reader.starts.insert(process_of(member), fact.id);
                if fact.cause == FactId::BEGINNING {
                    // What lies below was read before the beginning.
                    let is_read = *to > offset;
                    (reader.delivered, reader.done) = (is_read, is_read);
                    return;
                }
                let (member, offset_set, cause) = (member.clone(), *to, *cause);
                if reader.delivered && offset_set <= offset {
                    self.note(
                        fact,
                        Deed::Rewound {
                            member,
                            offset: offset_set,
                            cause,
                        },
                    );
                } else if is_there
                    && !reader.delivered
                    && offset_set > offset
                    && cause != PositionCause::Committed
                {
                    self.note(
                        fact,
                        Deed::JumpedOver {
                            member,
                            offset: offset_set,
                            cause,
                        },
                    );
                }
            }
            FactKind::Release { member, cause, .. } => {
                let reader = self.reader(Readers::of(member));
                let held = reader.holding.remove(&process_of(member)).is_some();
                if held && !reader.done {
                    let is_skipped = reader.committed && reader.holding.is_empty();
                    let (member, cause) = (member.clone(), *cause);
                    self.note(
                        fact,
                        Deed::Dropped {
                            member,
                            cause,
                            is_skipped,
                        },
                    );
                }
            }
            _ => {}
        }
    }

    fn fold_commit(&mut self, fact: &Fact) {
        let wanted = self.offset;
        match &fact.kind {
            FactKind::CommitStored {
                group,
                offset,
                member_id,
                ..
            } => {
                let by = self.members.get(member_id).cloned();
                let reader = self.reader(Readers::Group(group.clone()));
                if fact.cause == FactId::BEGINNING && *offset > wanted {
                    (reader.delivered, reader.done) = (true, true);
                }
                let is_done = reader.done;
                let was_committed = std::mem::replace(&mut reader.committed, *offset > wanted);
                let (group, offset) = (group.clone(), *offset);
                match (was_committed, offset > wanted) {
                    (false, true) => self.note(
                        fact,
                        Deed::Committed {
                            group,
                            offset,
                            by,
                            is_done,
                        },
                    ),
                    (true, false) => {
                        let offset = Some(offset);
                        self.note(fact, Deed::Uncommitted { group, offset });
                    }
                    (true, true) | (false, false) => {}
                }
            }
            FactKind::CommitRemoved { group, .. } => {
                let reader = self.reader(Readers::Group(group.clone()));
                if std::mem::take(&mut reader.committed) {
                    let (group, offset) = (group.clone(), None);
                    self.note(fact, Deed::Uncommitted { group, offset });
                }
            }
            _ => {}
        }
    }

    fn reader(&mut self, readers: Readers) -> &mut Reader {
        self.readers.entry(readers).or_default()
    }

    /// The groups, and the consumers without one, that had to do with it.
    pub fn readers(&self) -> BTreeSet<&Readers> {
        self.readers.keys().collect()
    }
}
