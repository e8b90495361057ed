//! Committed offsets that go: by age, and with their topic (spec/05; `cleanupExpiredOffsets`).

use super::desk::Desk;
use super::group::{Group, GroupCoordinator, GroupEvent};
use super::offsets::CommittedOffset;
use crate::kafka::fact::{FactKind, GroupState};
use crate::kafka::ids::{GroupId, TopicPartition};
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// From when on an offset counts as unused.
#[derive(Clone, Copy)]
enum Base {
    /// When the group became Empty.
    GroupEmptied(Instant),
    /// When it was committed.
    Committed,
}

impl GroupCoordinator {
    /// `offsets.retention.check.interval.ms` is over: expired offsets go, and groups with them that have
    /// neither members nor offsets left.
    pub fn expire_offsets(&mut self, desk: &mut Desk) {
        let (now, cause) = (desk.now(), desk.journal.cause());
        let ids: Vec<GroupId> = self.groups.keys().cloned().collect();
        for id in ids {
            desk.journal.begin(now, cause);
            let Some(group) = self.groups.get_mut(&id) else {
                continue;
            };
            let expired = group.expired(desk);
            if !expired.is_empty() {
                let group = Rc::make_mut(group);
                desk.reach(group.state(), GroupEvent::OffsetExpired);
                group.remove_offsets(&expired, desk);
            }
            let is_unused = group.state() == GroupState::Empty && !group.is_writing();
            if is_unused && group.offsets.is_empty() {
                desk.reach(GroupState::Empty, GroupEvent::GroupRemoved);
                Rc::make_mut(group).bury(desk);
                self.groups.remove(&id);
            }
        }
        desk.journal.begin(now, cause);
        self.start_retention_check(desk);
    }

    /// Offsets of topics that are no more go at once.
    pub fn forget_missing_topics(&mut self, desk: &mut Desk) {
        for group in self.groups.values_mut() {
            let partitions = group.offsets.keys();
            let missing = partitions.filter(|of| !desk.cluster.topics.contains_key(&of.topic));
            let missing: Vec<TopicPartition> = missing.cloned().collect();
            if !missing.is_empty() {
                Rc::make_mut(group).remove_offsets(&missing, desk);
            }
        }
    }
}

impl Group {
    /// Which offsets have expired.
    fn expired(&self, desk: &Desk) -> Vec<TopicPartition> {
        let Some(base) = self.expiry_base() else {
            return Vec::new();
        };
        let minutes = desk.settings.config.offsets_retention_minutes;
        let retention = Duration::from_ms(i64::from(minutes) * 60_000);
        let is_expired = |committed: &CommittedOffset| {
            let since = match base {
                Base::GroupEmptied(at) => at,
                Base::Committed => committed.committed_at,
            };
            match committed.expires_at {
                Some(at) => desk.now() >= at,
                None => desk.now() - since >= retention,
            }
        };
        let offsets = self.offsets.iter().filter(|(partition, committed)| {
            !self.is_subscribed(partition)
                && is_expired(committed)
                && !self.is_writing_offset(partition)
        });
        offsets.map(|(partition, _)| partition.clone()).collect()
    }

    /// `None`: nothing expires now (`ClassicGroup.offsetExpirationCondition`).
    fn expiry_base(&self) -> Option<Base> {
        if self.protocol_type().is_none() {
            return Some(Base::Committed);
        }
        match self.state() {
            GroupState::Empty => Some(Base::GroupEmptied(self.state_since())),
            GroupState::Stable if self.subscribed_topics().is_some() => Some(Base::Committed),
            GroupState::Stable
            | GroupState::PreparingRebalance
            | GroupState::CompletingRebalance
            | GroupState::Dead => None,
        }
    }

    /// Whether a member wants that topic. If nobody can tell, consumers are taken to want every topic.
    pub(super) fn is_subscribed(&self, partition: &TopicPartition) -> bool {
        match self.subscribed_topics() {
            Some(topics) => topics.contains(&partition.topic),
            None => self.is_of_consumers(),
        }
    }

    pub(super) fn remove_offsets(&mut self, partitions: &[TopicPartition], desk: &mut Desk) {
        for partition in partitions {
            self.offsets.remove(partition);
            desk.journal.note(FactKind::CommitRemoved {
                group: self.id().clone(),
                partition: partition.clone(),
            });
        }
    }
}
