//! What is subscribed, what is assigned, and how far each partition has come (class `SubscriptionState`).

use super::pattern::Pattern;
use crate::kafka::config::OffsetReset;
use crate::kafka::ids::{BrokerId, Offset, TopicName, TopicPartition};
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::Instant;
use std::rc::Rc;

/// How partitions come to the consumer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SubscriptionType {
    /// Not at all yet.
    None,
    /// By `subscribe`: the group assigns.
    AutoTopics,
    /// By `subscribe` with a pattern: the group assigns.
    AutoPattern,
    /// By `assign`.
    UserAssigned,
}

/// Class `SubscriptionState.FetchStates`.
///
/// DEVIATION: AWAIT_VALIDATION does not occur, because the engine's messages have no OffsetForLeaderEpoch: after a
/// leader change a position is taken to be valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FetchState {
    /// Just assigned: no position.
    Initializing,
    /// Has a position.
    Fetching,
    /// A reset is wanted; the position is not valid any more.
    AwaitReset(OffsetReset),
}

/// One assigned partition.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PartitionState {
    pub fetch_state: FetchState,
    /// Next offset that poll returns. Only looked at while fetching.
    pub position: Offset,
    /// Leader epoch of the record before it; -1: unknown.
    pub offset_epoch: i32,
    /// librdkafka: offset after the last record that was returned since the partition came (`rktp_stored_pos`).
    pub stored: Option<Offset>,
    /// librdkafka: what was last committed (`rktp_committed_pos`).
    pub committed: Option<Offset>,
    pub paused: bool,
    /// An eager rebalance has begun: nothing more is returned.
    pub pending_revocation: bool,
    /// ListOffsets is under way or backing off until then.
    pub next_allowed_retry: Option<Instant>,
    /// Follower to read from (KIP-392), and until when.
    pub preferred_read_replica: Option<(BrokerId, Instant)>,
}

impl PartitionState {
    fn new() -> Self {
        Self {
            fetch_state: FetchState::Initializing,
            position: Offset(-1),
            offset_epoch: -1,
            stored: None,
            committed: None,
            paused: false,
            pending_revocation: false,
            next_allowed_retry: None,
            preferred_read_replica: None,
        }
    }

    pub fn has_position(&self) -> bool {
        self.fetch_state == FetchState::Fetching
    }

    pub fn is_fetchable(&self) -> bool {
        self.has_position() && !self.paused && !self.pending_revocation
    }
}

/// Subscription, assignment and positions.
#[derive(Clone, Debug)]
pub(super) struct SubscriptionState {
    kind: SubscriptionType,
    subscription: Rc<SortedSet<TopicName>>,
    pattern: Option<Rc<Pattern>>,
    /// The leader watches these: all topics of the group.
    group_subscription: Rc<SortedSet<TopicName>>,
    assignment: SortedMap<TopicPartition, PartitionState>,
    /// How many assigned partitions have no position.
    without_position: usize,
    reset: OffsetReset,
}

impl SubscriptionState {
    pub fn new(reset: OffsetReset) -> Self {
        Self {
            kind: SubscriptionType::None,
            subscription: Rc::default(),
            pattern: None,
            group_subscription: Rc::default(),
            assignment: SortedMap::new(),
            without_position: 0,
            reset,
        }
    }

    pub fn kind(&self) -> SubscriptionType {
        self.kind
    }

    pub fn has_auto_assigned_partitions(&self) -> bool {
        match self.kind {
            SubscriptionType::AutoTopics | SubscriptionType::AutoPattern => true,
            SubscriptionType::None | SubscriptionType::UserAssigned => false,
        }
    }

    /// The pattern of the subscription, if it is one.
    pub fn pattern(&self) -> Option<&Rc<Pattern>> {
        self.pattern.as_ref()
    }

    /// Subscribes to whatever matches. The topics follow from the cluster's metadata.
    pub fn subscribe_pattern(&mut self, pattern: Rc<Pattern>) {
        self.kind = SubscriptionType::AutoPattern;
        self.pattern = Some(pattern);
    }

    /// These topics match now. Says whether they are others than before.
    pub fn subscribe_from_pattern(&mut self, topics: SortedSet<TopicName>) -> bool {
        let changed = *self.subscription != topics;
        if changed {
            self.subscription = Rc::new(topics);
        }
        changed
    }

    pub fn subscription(&self) -> &Rc<SortedSet<TopicName>> {
        &self.subscription
    }

    /// Replaces the subscription. Says whether it changed.
    pub fn subscribe(&mut self, topics: SortedSet<TopicName>) -> bool {
        self.kind = SubscriptionType::AutoTopics;
        if *self.subscription == topics {
            return false;
        }
        self.subscription = Rc::new(topics);
        true
    }

    /// Forgets subscription and assignment.
    pub fn unsubscribe(&mut self) {
        self.kind = SubscriptionType::None;
        self.pattern = None;
        self.subscription = Rc::default();
        self.group_subscription = Rc::default();
        self.assignment.clear();
        self.without_position = 0;
    }

    /// The leader watches all topics of the group. Says whether some are not its own.
    pub fn group_subscribe(&mut self, topics: SortedSet<TopicName>) -> bool {
        let news = !topics.is_subset(&self.subscription);
        self.group_subscription = Rc::new(topics);
        news
    }

    /// No longer leader: only the own topics count.
    pub fn reset_group_subscription(&mut self) {
        if !self.group_subscription.is_empty() {
            self.group_subscription = Rc::default();
        }
    }

    /// Topics whose metadata is wanted.
    pub fn metadata_topics(&self) -> Rc<SortedSet<TopicName>> {
        match self.kind {
            SubscriptionType::None => Rc::default(),
            SubscriptionType::UserAssigned => {
                let topics = self.assignment.keys().map(|partition| &partition.topic);
                Rc::new(topics.cloned().collect())
            }
            SubscriptionType::AutoTopics | SubscriptionType::AutoPattern
                if self.group_subscription.is_empty() =>
            {
                self.subscription.clone()
            }
            SubscriptionType::AutoTopics | SubscriptionType::AutoPattern => {
                let mut topics = SortedSet::clone(&self.group_subscription);
                topics.extend(self.subscription.iter().cloned());
                Rc::new(topics)
            }
        }
    }

    pub fn assignment(&self) -> &SortedMap<TopicPartition, PartitionState> {
        &self.assignment
    }

    pub fn assigned(&self) -> Vec<TopicPartition> {
        self.assignment.keys().cloned().collect()
    }

    pub fn state(&self, partition: &TopicPartition) -> Option<&PartitionState> {
        self.assignment.get(partition)
    }

    /// The group's assignment. Partitions that stay keep position and pause flag. Gives what is gone and what is
    /// new.
    pub fn assign_from_subscribed(
        &mut self,
        partitions: &SortedSet<TopicPartition>,
    ) -> (Vec<TopicPartition>, Vec<TopicPartition>) {
        let gone: Vec<_> = self
            .assignment
            .keys()
            .filter(|partition| !partitions.contains(*partition))
            .cloned()
            .collect();
        for partition in &gone {
            self.assignment.remove(partition);
        }
        let mut added = Vec::new();
        for partition in partitions {
            if !self.assignment.contains_key(partition) {
                self.assignment
                    .insert(partition.clone(), PartitionState::new());
                added.push(partition.clone());
            }
        }
        self.count_positions();
        (gone, added)
    }

    /// The application's own assignment.
    pub fn assign_from_user(
        &mut self,
        partitions: &SortedSet<TopicPartition>,
    ) -> (Vec<TopicPartition>, Vec<TopicPartition>) {
        self.kind = SubscriptionType::UserAssigned;
        self.assign_from_subscribed(partitions)
    }

    fn count_positions(&mut self) {
        let states = self.assignment.values();
        self.without_position = states.filter(|state| !state.has_position()).count();
    }

    pub fn has_all_fetch_positions(&self) -> bool {
        self.without_position == 0
    }

    /// Sets the position. `false`: not assigned.
    pub fn seek(&mut self, partition: &TopicPartition, position: Offset, epoch: i32) -> bool {
        let Some(state) = self.assignment.get_mut(partition) else {
            return false;
        };
        state.fetch_state = FetchState::Fetching;
        state.position = position;
        state.offset_epoch = epoch;
        state.next_allowed_retry = None;
        self.count_positions();
        true
    }

    /// Moves the position on, as records are returned.
    pub fn advance(&mut self, partition: &TopicPartition, position: Offset, epoch: i32) {
        if let Some(state) = self.assignment.get_mut(partition) {
            state.position = position;
            state.offset_epoch = epoch;
            state.stored = Some(position);
        }
    }

    /// A commit of that offset was answered.
    pub fn note_committed(&mut self, partition: &TopicPartition, offset: Offset) {
        if let Some(state) = self.assignment.get_mut(partition) {
            state.committed = Some(offset);
        }
    }

    /// Sets or lifts the pause flag. `None`: not assigned; else whether it changed.
    pub fn set_paused(&mut self, partition: &TopicPartition, paused: bool) -> Option<bool> {
        let state = self.assignment.get_mut(partition)?;
        let changed = state.paused != paused;
        state.paused = paused;
        Some(changed)
    }

    pub fn mark_pending_revocation(&mut self) {
        for state in self.assignment.values_mut() {
            state.pending_revocation = true;
        }
    }

    /// Partitions that were just assigned.
    pub fn initializing_partitions(&self) -> SortedSet<TopicPartition> {
        self.assignment
            .iter()
            .filter(|(_, state)| state.fetch_state == FetchState::Initializing)
            .map(|(partition, _)| partition.clone())
            .collect()
    }

    /// Those that found no committed offset fall back on `auto.offset.reset`.
    ///
    /// # Errors
    /// The first such partition if the policy is `none`.
    pub fn reset_initializing_positions(&mut self) -> Result<(), TopicPartition> {
        let reset = self.reset;
        for (partition, state) in &mut self.assignment {
            if state.fetch_state == FetchState::Initializing {
                if reset == OffsetReset::None {
                    return Err(partition.clone());
                }
                state.fetch_state = FetchState::AwaitReset(reset);
            }
        }
        Ok(())
    }

    /// The position is outside the log. `false`: the policy is `none`, so it stays.
    pub fn request_offset_reset(&mut self, partition: &TopicPartition) -> bool {
        if self.reset == OffsetReset::None {
            return false;
        }
        let reset = self.reset;
        if let Some(state) = self.assignment.get_mut(partition) {
            state.fetch_state = FetchState::AwaitReset(reset);
            state.next_allowed_retry = None;
        }
        self.count_positions();
        true
    }

    /// Partitions whose reset may be asked for now.
    pub fn partitions_needing_reset(&self, now: Instant) -> Vec<(TopicPartition, OffsetReset)> {
        self.assignment
            .iter()
            .filter_map(|(partition, state)| match state.fetch_state {
                FetchState::AwaitReset(reset)
                    if state.next_allowed_retry.is_none_or(|at| at <= now) =>
                {
                    Some((partition.clone(), reset))
                }
                _ => None,
            })
            .collect()
    }

    /// No other reset request before `at`.
    pub fn set_next_allowed_retry(&mut self, partition: &TopicPartition, at: Instant) {
        if let Some(state) = self.assignment.get_mut(partition) {
            state.next_allowed_retry = Some(at);
        }
    }

    pub fn set_preferred_read_replica(
        &mut self,
        partition: &TopicPartition,
        replica: Option<(BrokerId, Instant)>,
    ) -> Option<BrokerId> {
        let state = self.assignment.get_mut(partition)?;
        std::mem::replace(&mut state.preferred_read_replica, replica).map(|(broker, _)| broker)
    }

    /// What librdkafka's automatic commit stores: of partitions that returned something since they came, and, when
    /// `news` is set, have gone on since the last commit.
    pub fn stored(&self, news: bool) -> Vec<(TopicPartition, Offset, i32)> {
        self.assignment
            .iter()
            .filter_map(|(partition, state)| {
                let stored = state.stored?;
                let is_new = state.committed.is_none_or(|committed| stored > committed);
                (is_new || !news).then(|| (partition.clone(), stored, state.offset_epoch))
            })
            .collect()
    }

    /// Positions of all partitions that have one: what a commit without offsets stores.
    pub fn all_consumed(&self) -> Vec<(TopicPartition, Offset, i32)> {
        self.assignment
            .iter()
            .filter(|(_, state)| state.has_position())
            .map(|(partition, state)| (partition.clone(), state.position, state.offset_epoch))
            .collect()
    }
}
