//! Ledgers: what facts add up to (spec/08).
//!
//! A ledger is a fold of facts and of nothing else: the same facts give the same numbers, whoever counts.
//! It reads no engine state, and keeps no record singly: offsets are ranges, lists of events keep their
//! newest entries and a count of the rest, totals are kept for ever. Copies are cheap (keyframes).
//!
//! Invariants: facts come in the order of their numbers; processing lag ≥ position lag; the parts of a
//! split quantity add up to it.

mod deliveries;
mod departures;
mod duplicates;
mod group;
mod lag;
mod latency;
mod life;
mod log;
mod members;
mod offset_set;
mod ownership;
mod readers;
mod rebalances;
mod recent;
mod requests;
#[cfg(test)]
mod tests;
mod timeline;

pub use deliveries::{Deliveries, Reading, Start};
pub use departures::{Departure, Departures};
pub use duplicates::{Duplicate, DuplicateCause, Duplicates};
pub use group::{GroupLedger, PartitionLedger};
pub use lag::{Lag, Sample, Series};
pub use latency::{BUCKETS, Latency};
pub use life::{Deed, Entry, Life};
pub use log::Log;
pub use members::{Member, Members, Totals};
pub use offset_set::OffsetSet;
pub use ownership::{Holding, Ownership, Process, Span, Unowned, UnownedCause};
pub use readers::Readers;
pub use rebalances::{Identity, Movement, Movements, Rebalance, Rebalances};
pub use recent::Recent;
pub use requests::{Counts, Exchange, Requests};
pub use timeline::{Band, Timeline};

use crate::kafka::api::ApiKey;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Fact, FactKind, Membership, ReleaseCause, StopCause};
use crate::kafka::ids::{ActorName, GroupId, TopicPartition};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// The whole ledger.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    logs: SortedMap<TopicPartition, Rc<Log>>,
    /// Those who read, each with a share of its own.
    shares: SortedMap<Readers, Rc<GroupLedger>>,
    requests: Rc<Requests>,
    /// The first thing has happened; before that, facts tell what was there already.
    has_begun: bool,
}

impl Ledger {
    /// Takes in what happened.
    pub fn fold(&mut self, fact: &Fact) {
        self.has_begun |= matches!(
            fact.kind,
            FactKind::Act { .. } | FactKind::TimerFired { .. } | FactKind::RequestSent { .. }
        );
        match &fact.kind {
            FactKind::RequestSent { .. }
            | FactKind::RequestReceived { .. }
            | FactKind::RequestParked { .. }
            | FactKind::ResponseSent { .. }
            | FactKind::ResponseReceived { .. }
            | FactKind::MessageLost { .. } => self.fold_exchange(fact),
            FactKind::PartitionCreated { .. }
            | FactKind::PartitionDeleted { .. }
            | FactKind::Append { .. }
            | FactKind::HwAdvance { .. }
            | FactKind::LogStartAdvance { .. } => self.fold_log(fact),
            FactKind::Acquire { member, partition }
            | FactKind::Release {
                member, partition, ..
            }
            | FactKind::PositionSet {
                member, partition, ..
            }
            | FactKind::Deliver {
                member, partition, ..
            }
            | FactKind::Done {
                member, partition, ..
            }
            | FactKind::GivenUp {
                member, partition, ..
            }
            | FactKind::Forwarded {
                member, partition, ..
            } => self.fold_partition(fact, Readers::of(member), partition),
            FactKind::CommitStored {
                group, partition, ..
            }
            | FactKind::CommitRemoved { group, partition } => {
                self.fold_partition(fact, Readers::Group(group.clone()), partition);
            }
            FactKind::GroupStateChanged { .. }
            | FactKind::MemberRemoved { .. }
            | FactKind::Assigned { .. } => self.fold_coordinator(fact),
            FactKind::MemberStateChanged { .. }
            | FactKind::SubscriptionChanged { .. }
            | FactKind::CommitFinished { .. }
            | FactKind::Stopped { .. } => self.fold_process(fact),
            FactKind::Act { .. }
            | FactKind::TimerFired { .. }
            | FactKind::Started { .. }
            | FactKind::Frozen { .. }
            | FactKind::Thawed { .. }
            | FactKind::MemberPending { .. }
            | FactKind::MemberAdded { .. }
            | FactKind::LeaderElected { .. }
            | FactKind::JoinCompleted { .. }
            | FactKind::CallbackCalled { .. }
            | FactKind::CallbackReturned { .. }
            | FactKind::CommitStarted { .. }
            | FactKind::PauseChanged { .. }
            | FactKind::PollTimeoutExpired { .. }
            | FactKind::Thrown { .. }
            | FactKind::AdminFinished { .. }
            | FactKind::RecordAccumulated { .. }
            | FactKind::BatchSent { .. }
            | FactKind::BatchAcknowledged { .. }
            | FactKind::BatchFailed { .. } => {}
        }
    }

    fn fold_exchange(&mut self, fact: &Fact) {
        let requests = Rc::make_mut(&mut self.requests);
        match &fact.kind {
            FactKind::RequestSent {
                exchange,
                from,
                to,
                request,
                ..
            } => requests.sent(*exchange, fact.at, from, *to, request),
            FactKind::ResponseSent {
                exchange, response, ..
            } => {
                let answered = requests.answered(*exchange, response);
                if let Some(group) = answered.and_then(failed_attempt).cloned() {
                    self.group_mut(&group).rebalances.attempt_failed();
                }
            }
            FactKind::ResponseReceived { exchange } => {
                let Some(answered) = requests.received(*exchange) else {
                    return;
                };
                if answered.error == Some(ErrorCode::RebalanceInProgress)
                    && let Some(group) = &answered.group
                {
                    let departures = &mut self.group_mut(group).departures;
                    departures.learned(fact.at, &answered.from);
                }
            }
            FactKind::MessageLost { exchange } => requests.lost(*exchange),
            _ => {}
        }
    }

    fn fold_log(&mut self, fact: &Fact) {
        match &fact.kind {
            FactKind::PartitionCreated { partition, .. } => {
                let log = self.log_mut(fact.at, partition);
                log.created = fact.at;
                log.exists = true;
                for group in self.shares.values_mut() {
                    let is_known = group.partition(partition).is_some();
                    if is_known || group.topics().contains(&partition.topic) {
                        Rc::make_mut(group).partition_created(fact.at, partition, fact.id);
                    }
                }
            }
            FactKind::PartitionDeleted { partition } => {
                let log = self.log_mut(fact.at, partition);
                *log = Log::new(fact.at);
                log.exists = false;
                for group in self.shares.values_mut() {
                    if group.partition(partition).is_some() {
                        Rc::make_mut(group).partition_deleted(fact.at, partition);
                    }
                }
            }
            FactKind::Append {
                partition,
                base,
                next,
                max_timestamp_ms,
            } => {
                let log = self.log_mut(fact.at, partition);
                log.append(*base, *next, *max_timestamp_ms);
            }
            FactKind::HwAdvance { partition, offset } => {
                let log = self.log_mut(fact.at, partition);
                log.high_watermark = *offset;
                log.end = log.end.max(*offset);
                self.note_lags(fact.at, partition);
            }
            FactKind::LogStartAdvance { partition, offset } => {
                let log = self.log_mut(fact.at, partition);
                let before = std::mem::replace(&mut log.start, *offset);
                for group in self.shares.values_mut() {
                    if group.partition(partition).is_some() {
                        Rc::make_mut(group).log_start_advanced(partition, (before, *offset));
                    }
                }
            }
            _ => {}
        }
    }

    fn note_lags(&mut self, at: Instant, partition: &TopicPartition) {
        let Some(log) = self.logs.get(partition) else {
            return;
        };
        for group in self.shares.values_mut() {
            if group.partition(partition).is_some() {
                Rc::make_mut(group).note_lag(at, partition, log);
            }
        }
    }

    fn fold_partition(&mut self, fact: &Fact, readers: Readers, partition: &TopicPartition) {
        let log = self.logs.entry(partition.clone());
        let log = log.or_insert_with(|| Rc::new(Log::new(fact.at)));
        let share = Rc::make_mut(self.shares.entry(readers).or_default());
        share.fold_partition(fact, partition, log, !self.has_begun);
    }

    fn fold_coordinator(&mut self, fact: &Fact) {
        match &fact.kind {
            FactKind::GroupStateChanged {
                group,
                from,
                to,
                generation,
                why,
            } => self
                .group_mut(group)
                .state_changed(fact, (*from, *to), *generation, why),
            FactKind::MemberRemoved {
                group,
                member_id,
                cause,
            } => {
                let departures = &mut self.group_mut(group).departures;
                departures.removed(fact.at, member_id, *cause);
            }
            FactKind::Assigned {
                group,
                generation,
                shares,
            } => {
                let is_preset = !self.has_begun;
                let rebalances = &mut self.group_mut(group).rebalances;
                rebalances.assigned(*generation, shares, is_preset);
            }
            _ => {}
        }
    }

    fn fold_process(&mut self, fact: &Fact) {
        match &fact.kind {
            FactKind::MemberStateChanged { member, to, .. } => {
                let members = &mut self.share_mut(Readers::of(member)).members;
                members.state_changed(fact.at, member, *to);
            }
            FactKind::SubscriptionChanged {
                member,
                topics,
                pattern,
            } => {
                let share = Rc::make_mut(self.shares.entry(Readers::of(member)).or_default());
                let wanted = (&topics[..], pattern.as_ref());
                share.subscription_changed(fact.at, member, wanted, fact.id, &self.logs);
            }
            FactKind::CommitFinished { member, error, .. } => {
                let share = self.share_mut(Readers::of(member));
                share.commit_finished(member, error.is_some());
            }
            FactKind::Stopped {
                actor,
                process,
                how,
            } => {
                let process = (actor.clone(), *process);
                let left_over = match how {
                    StopCause::Closed => ReleaseCause::Closed,
                    StopCause::Killed | StopCause::Failed => ReleaseCause::Crashed,
                };
                for group in self.shares.values_mut() {
                    if group.members.live().any(|(who, _)| *who == process) {
                        Rc::make_mut(group).stopped(fact, &process, left_over, &self.logs);
                    }
                }
            }
            _ => {}
        }
    }

    fn log_mut(&mut self, at: Instant, partition: &TopicPartition) -> &mut Log {
        let log = self.logs.entry(partition.clone());
        Rc::make_mut(log.or_insert_with(|| Rc::new(Log::new(at))))
    }

    fn group_mut(&mut self, group: &GroupId) -> &mut GroupLedger {
        self.share_mut(Readers::Group(group.clone()))
    }

    fn share_mut(&mut self, readers: Readers) -> &mut GroupLedger {
        Rc::make_mut(self.shares.entry(readers).or_default())
    }

    /// A group, if it was ever heard of.
    pub fn group(&self, group: &GroupId) -> Option<&GroupLedger> {
        self.share(&Readers::Group(group.clone()))
    }

    /// What those who read together have, if they were ever heard of.
    pub fn share(&self, readers: &Readers) -> Option<&GroupLedger> {
        self.shares.get(readers).map(|share| &**share)
    }

    /// All who read: groups by name, then consumers without one.
    pub fn shares(&self) -> impl Iterator<Item = (&Readers, &GroupLedger)> {
        self.shares
            .iter()
            .map(|(readers, share)| (readers, &**share))
    }

    /// All groups, by name.
    pub fn groups(&self) -> impl Iterator<Item = (&GroupId, &GroupLedger)> {
        self.shares()
            .filter_map(|(readers, share)| Some((readers.group()?, share)))
    }

    /// A partition as it is to those who read it.
    pub fn partition(
        &self,
        readers: &Readers,
        partition: &TopicPartition,
    ) -> Option<&PartitionLedger> {
        self.share(readers)?.partition(partition)
    }

    /// A partition's log.
    pub fn log(&self, partition: &TopicPartition) -> Option<&Log> {
        self.logs.get(partition).map(|log| &**log)
    }

    /// All logs, by partition.
    pub fn logs(&self) -> impl Iterator<Item = (&TopicPartition, &Log)> {
        self.logs.iter().map(|(partition, log)| (partition, &**log))
    }

    /// Requests by party, API and error.
    pub fn requests(&self) -> &Requests {
        &self.requests
    }

    /// The lags of a partition as they are. `None`: the readers or the partition were never heard of.
    pub fn lag(&self, readers: &Readers, partition: &TopicPartition) -> Option<Lag> {
        let deliveries = &self.partition(readers, partition)?.deliveries;
        Some(Lag::of(deliveries, self.log(partition)?))
    }

    /// Unowned time of a partition up to `until`.
    pub fn unowned(
        &self,
        readers: &Readers,
        partition: &TopicPartition,
        until: Instant,
    ) -> Duration {
        self.partition(readers, partition)
            .map_or(Duration::ZERO, |entry| entry.ownership.unowned(until))
    }

    /// Who holds the partition: who acquired it last and has not let go.
    pub fn owner(&self, readers: &Readers, partition: &TopicPartition) -> Option<&Rc<Membership>> {
        let entry = self.partition(readers, partition)?;
        entry.ownership.owner().map(|holding| &holding.member)
    }

    /// What a consumer holds.
    pub fn owned(&self, readers: &Readers, actor: &ActorName) -> Vec<TopicPartition> {
        self.share(readers)
            .and_then(|share| share.members.of(actor))
            .map_or(Vec::new(), |member| member.owned.iter().cloned().collect())
    }
}

/// The group whose join or sync this answer refuses because of the group's state.
fn failed_attempt(exchange: &Exchange) -> Option<&GroupId> {
    let is_join = matches!(exchange.api, ApiKey::JoinGroup | ApiKey::SyncGroup);
    let is_refused = matches!(
        exchange.error,
        Some(
            ErrorCode::RebalanceInProgress
                | ErrorCode::IllegalGeneration
                | ErrorCode::UnknownMemberId
        )
    );
    exchange.group.as_ref().filter(|_| is_join && is_refused)
}
