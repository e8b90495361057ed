//! One group's share of the ledger.

use super::deliveries::Deliveries;
use super::departures::Departures;
use super::lag::{Lag, Series};
use super::log::Log;
use super::members::Members;
use super::ownership::{Consumers, Ownership, Process, process_of};
use super::rebalances::Rebalances;
use super::timeline::{Band, Timeline};
use crate::kafka::fact::{Fact, FactId, FactKind, GroupState, GroupWhy, Membership, ReleaseCause};
use crate::kafka::ids::{Generation, Offset, TopicName, TopicPartition};
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// One partition within one group.
#[derive(Clone, Debug, Default)]
pub struct PartitionLedger {
    /// Who holds it.
    pub ownership: Ownership,
    /// What was delivered, done, committed.
    pub deliveries: Deliveries,
    /// Lag over time.
    pub lag: Series,
}

/// One group.
#[derive(Clone, Debug, Default)]
pub struct GroupLedger {
    /// Its states.
    pub timeline: Timeline,
    /// Its rebalances.
    pub rebalances: Rebalances,
    /// Its consumers.
    pub members: Members,
    /// Who died or left.
    pub departures: Departures,
    partitions: SortedMap<TopicPartition, Rc<PartitionLedger>>,
    /// Topics that somebody wants or wanted.
    wanted: SortedSet<TopicName>,
    /// Committed lag over all partitions, and its largest value.
    lag_total: i64,
    lag_peak: i64,
}

type Logs = SortedMap<TopicPartition, Rc<Log>>;

impl GroupLedger {
    fn partition_mut(&mut self, partition: &TopicPartition) -> &mut PartitionLedger {
        Rc::make_mut(self.partitions.entry(partition.clone()).or_default())
    }

    /// Folds a fact about one partition of this group, and looks at its lag afterwards.
    pub(super) fn fold_partition(
        &mut self,
        fact: &Fact,
        partition: &TopicPartition,
        log: &Log,
        is_preset: bool,
    ) {
        let at = fact.at;
        match &fact.kind {
            FactKind::Acquire { member, .. } => {
                self.members.acquire(at, member, partition);
                let entry = self.partition_mut(partition);
                entry.ownership.acquire(at, member, fact.id);
                entry.deliveries.acquire(member);
            }
            FactKind::Release { member, cause, .. } => {
                self.release(at, member, partition, *cause, fact.id);
            }
            FactKind::PositionSet {
                member,
                offset,
                cause,
                ..
            } => {
                let entry = self.partition_mut(partition);
                let facts = (fact.id, is_preset);
                entry
                    .deliveries
                    .position_set(at, member, (*offset, *cause), facts, log);
            }
            FactKind::Deliver {
                member, base, next, ..
            } => {
                let deliveries = &mut self.partition_mut(partition).deliveries;
                deliveries.deliver(at, member, (*base, *next), fact.id, log);
            }
            FactKind::Done {
                member, base, next, ..
            } => {
                let deliveries = &mut self.partition_mut(partition).deliveries;
                deliveries.note_done(at, member, (*base, *next), log);
            }
            FactKind::GivenUp { member, offset, .. } => {
                let deliveries = &mut self.partition_mut(partition).deliveries;
                deliveries.leave(member, *offset);
            }
            FactKind::Forwarded { member, offset, .. } => {
                let deliveries = &mut self.partition_mut(partition).deliveries;
                deliveries.note_forwarded(member, *offset);
            }
            FactKind::CommitStored { offset, .. } => {
                let deliveries = &mut self.partition_mut(partition).deliveries;
                deliveries.commit_stored(*offset, is_preset, log);
            }
            FactKind::CommitRemoved { .. } => {
                self.partition_mut(partition).deliveries.commit_removed();
            }
            _ => return,
        }
        self.note_lag(at, partition, log);
    }

    pub(super) fn note_lag(&mut self, at: Instant, partition: &TopicPartition, log: &Log) {
        let Some(entry) = self.partitions.get_mut(partition) else {
            return;
        };
        let entry = Rc::make_mut(entry);
        let lag = Lag::of(&entry.deliveries, log);
        let others = self.lag_total.saturating_sub(entry.lag.last_committed());
        self.lag_total = others.saturating_add(lag.committed.unwrap_or(0));
        self.lag_peak = self.lag_peak.max(self.lag_total);
        entry.lag.note(at, lag);
    }

    /// The largest committed lag of all its partitions together, in records.
    pub fn lag_peak(&self) -> i64 {
        self.lag_peak
    }

    pub(super) fn log_start_advanced(
        &mut self,
        partition: &TopicPartition,
        (before, start): (Offset, Offset),
    ) {
        if self.partitions.contains_key(partition) {
            let deliveries = &mut self.partition_mut(partition).deliveries;
            deliveries.log_start_advanced(before, start);
        }
    }

    pub(super) fn partition_created(
        &mut self,
        at: Instant,
        partition: &TopicPartition,
        by: FactId,
    ) {
        let is_wanted = self.wanted.contains(&partition.topic);
        let wants = self.members.wants(&partition.topic);
        let ownership = &mut self.partition_mut(partition).ownership;
        ownership.partition_exists();
        if is_wanted {
            ownership.wanted(at, by);
            if !wants {
                ownership.consumers_gone(at, false);
            }
        }
    }

    /// The partition is gone. What was counted of it stays counted; nobody misses it from now on.
    pub(super) fn partition_deleted(&mut self, at: Instant, partition: &TopicPartition) {
        let entry = self.partition_mut(partition);
        entry.ownership.partition_deleted(at);
        entry.deliveries.log_deleted();
        let lag = std::mem::take(&mut entry.lag).last_committed();
        self.lag_total = self.lag_total.saturating_sub(lag);
    }

    pub(super) fn subscription_changed(
        &mut self,
        at: Instant,
        member: &Rc<Membership>,
        (topics, pattern): (&[TopicName], Option<&Rc<str>>),
        by: FactId,
        logs: &Logs,
    ) {
        let had = self.wanted_now();
        let members = &mut self.members;
        let pattern_since = members.subscription_changed(at, member, topics, pattern);
        for topic in topics {
            let is_first = self.wanted.insert(topic.clone());
            for (partition, log) in partitions_of(logs, topic) {
                // A pattern wanted a topic before anybody knew of it.
                let since = pattern_since.map(|since| since.max(log.created));
                let ownership = &mut self.partition_mut(partition).ownership;
                if is_first {
                    ownership.wanted(since.unwrap_or(at), by);
                } else if let Some(since) = since
                    && !had.contains(topic)
                {
                    ownership.consumers_back(since);
                }
            }
        }
        self.consumers_changed(at, &had, member.group_instance_id.is_some());
    }

    fn wanted_now(&self) -> SortedSet<TopicName> {
        let live = self.members.live();
        live.flat_map(|(_, member)| member.topics.iter().cloned())
            .collect()
    }

    /// Begins and ends the times in which nobody wants a topic.
    fn consumers_changed(&mut self, at: Instant, had: &SortedSet<TopicName>, is_static: bool) {
        let has = self.wanted_now();
        if has == *had {
            return;
        }
        for (partition, entry) in &mut self.partitions {
            match (
                had.contains(&partition.topic),
                has.contains(&partition.topic),
            ) {
                (true, false) => {
                    let ownership = &mut Rc::make_mut(entry).ownership;
                    ownership.consumers_gone(at, is_static);
                }
                (false, true) => Rc::make_mut(entry).ownership.consumers_back(at),
                (true, true) | (false, false) => {}
            }
        }
    }

    fn release(
        &mut self,
        at: Instant,
        member: &Rc<Membership>,
        partition: &TopicPartition,
        cause: ReleaseCause,
        by: FactId,
    ) {
        self.members.release(at, member, partition, cause);
        if cause == ReleaseCause::CooperativeRevoke {
            self.rebalances.revoked_cooperatively(&member.member_id);
        }
        if cause == ReleaseCause::Crashed {
            self.departures.gone(at, member, by);
        }
        let consumers = match self.members.wants(&partition.topic) {
            true => Consumers::Some,
            false => Consumers::None,
        };
        let process = process_of(member);
        let entry = self.partition_mut(partition);
        entry.ownership.release(at, &process, cause, by, consumers);
        entry.deliveries.release(&process, cause);
    }

    /// A process ended. What it did not release itself it releases now.
    pub(super) fn stopped(
        &mut self,
        fact: &Fact,
        process: &Process,
        left_over: ReleaseCause,
        logs: &Logs,
    ) {
        let had = self.wanted_now();
        let member = self.members.live().find(|(who, _)| *who == process);
        let Some(member) = member.map(|(_, member)| member.clone()) else {
            return;
        };
        for partition in &member.owned {
            self.release(fact.at, &member.membership, partition, left_over, fact.id);
            if let Some(log) = logs.get(partition) {
                self.note_lag(fact.at, partition, log);
            }
        }
        self.members.stopped(fact.at, process);
        if let Some(membership) = member.last_membership() {
            let at = member.closed_at.unwrap_or(fact.at);
            self.departures.gone(at, membership, fact.id);
        }
        let is_static = member.membership.group_instance_id.is_some();
        self.consumers_changed(fact.at, &had, is_static);
    }

    pub(super) fn state_changed(
        &mut self,
        fact: &Fact,
        (from, to): (GroupState, GroupState),
        generation: Generation,
        why: &GroupWhy,
    ) {
        self.timeline.enter(Band {
            state: to,
            generation,
            since: fact.at,
            fact: fact.id,
            why: why.clone(),
        });
        self.rebalances
            .state_changed(fact.at, (from, to), generation, why, fact.id);
        match why {
            GroupWhy::MemberLeft(member_id) => {
                let mut live = self.members.live();
                let leaver = live.find_map(|(_, member)| {
                    let membership = member.as_member(member_id)?;
                    Some((member.closed_at.unwrap_or(fact.at), membership.clone()))
                });
                if let Some((at, membership)) = leaver {
                    self.departures.gone(at, &membership, fact.id);
                }
                self.departures.detected(fact.at, member_id);
            }
            GroupWhy::SessionExpired(member_id) => {
                // A static member that only unsubscribes tells nobody, and its process lives on.
                let mut live = self.members.live();
                let gone = live.find_map(|(_, member)| {
                    let membership = member.as_member(member_id)?;
                    Some((member.closed_at?, membership.clone()))
                });
                if let Some((at, membership)) = gone {
                    self.departures.gone(at, &membership, fact.id);
                }
                self.departures.detected(fact.at, member_id);
            }
            _ => {}
        }
        if to == GroupState::Stable {
            self.departures.settled();
        }
    }

    /// A commit of the process came to its end.
    pub(super) fn commit_finished(&mut self, member: &Rc<Membership>, has_failed: bool) {
        let process = process_of(member);
        for entry in self.partitions.values_mut() {
            let changes = entry.deliveries.reading(&process).is_some();
            if changes {
                let deliveries = &mut Rc::make_mut(entry).deliveries;
                deliveries.commit_finished(&process, has_failed);
            }
        }
    }

    /// One partition, if the group had anything to do with it.
    pub fn partition(&self, partition: &TopicPartition) -> Option<&PartitionLedger> {
        self.partitions.get(partition).map(|entry| &**entry)
    }

    /// All partitions that the group had anything to do with, in order.
    pub fn partitions(&self) -> impl Iterator<Item = (&TopicPartition, &PartitionLedger)> {
        self.partitions
            .iter()
            .map(|(partition, entry)| (partition, &**entry))
    }

    /// Topics that somebody in it wants or wanted.
    pub fn topics(&self) -> &SortedSet<TopicName> {
        &self.wanted
    }

    /// A sum over its partitions.
    pub fn sum(&self, of: impl Fn(&PartitionLedger) -> u64) -> u64 {
        self.partitions.values().map(|entry| of(entry)).sum()
    }

    /// Partition-seconds lost up to `until`: the sum of all partition pauses.
    pub fn paused(&self, until: Instant) -> Duration {
        self.partitions
            .values()
            .map(|entry| entry.ownership.paused(until))
            .fold(Duration::ZERO, |sum, part| sum + part)
    }
}

fn partitions_of<'a>(
    logs: &'a Logs,
    topic: &'a TopicName,
) -> impl Iterator<Item = (&'a TopicPartition, &'a Rc<Log>)> {
    let first = TopicPartition {
        topic: topic.clone(),
        partition: 0,
    };
    logs.range(first..)
        .take_while(move |(partition, _)| partition.topic == *topic)
        .filter(|(_, log)| log.exists)
}
