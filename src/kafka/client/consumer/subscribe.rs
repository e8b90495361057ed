//! Calls that end at once: `subscribe`, `assign`, `seek`, `pause`, `resume`.

use super::pattern::Pattern;
use super::subscription_state::SubscriptionType;
use super::{Consumer, Cx};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Exception, FactKind, PositionCause, ReleaseCause};
use crate::kafka::ids::{Offset, TopicName, TopicPartition};
use crate::kafka::sorted::SortedSet;
use std::rc::Rc;

impl Consumer {
    /// Records that the deserializer cannot read: `poll` throws when it comes to one of them
    /// (`RecordDeserializationException`), again and again until the application seeks past it.
    pub fn set_unreadable(&mut self, unreadable: Rc<SortedSet<(TopicPartition, Offset)>>) {
        self.fetcher.unreadable = unreadable;
    }

    pub(super) fn has_group(&self) -> bool {
        self.settings.config.group_id.is_some()
    }

    /// `InvalidGroupIdException`
    pub(super) fn no_group(&self) -> Exception {
        Exception::Kafka(ErrorCode::InvalidGroupId)
    }

    fn refuse_mixture(&self, wanted: SubscriptionType) -> Result<(), Exception> {
        let kind = self.subscriptions.kind();
        if kind != SubscriptionType::None && kind != wanted {
            let text = "Subscription to topics, partitions and pattern are mutually exclusive";
            return Err(Exception::IllegalState(text.into()));
        }
        Ok(())
    }

    /// `subscribe(topics)`. The group hears of it in the next poll.
    pub(super) fn subscribe(
        &mut self,
        topics: Vec<TopicName>,
        cx: &mut Cx<'_>,
    ) -> Result<(), Exception> {
        if !self.has_group() {
            return Err(self.no_group());
        }
        self.refuse_mixture(SubscriptionType::AutoTopics)?;
        let topics: SortedSet<TopicName> = topics.into_iter().collect();
        self.fetcher
            .keep_buffered(|partition| topics.contains(&partition.topic));
        let named: Vec<TopicName> = topics.iter().cloned().collect();
        if self.subscriptions.subscribe(topics) {
            self.metadata.want_new_topics();
            cx.journal.note(FactKind::SubscriptionChanged {
                member: self.group.membership.clone(),
                topics: named,
                pattern: None,
            });
        }
        Ok(())
    }

    /// `subscribe(pattern)`. Which topics match shows in the next poll.
    pub(super) fn subscribe_pattern(
        &mut self,
        pattern: Rc<Pattern>,
        cx: &mut Cx<'_>,
    ) -> Result<(), Exception> {
        if !self.has_group() {
            return Err(self.no_group());
        }
        self.refuse_mixture(SubscriptionType::AutoPattern)?;
        self.subscriptions.subscribe_pattern(pattern);
        self.update_pattern_subscription(cx);
        self.metadata.want_new_topics();
        Ok(())
    }

    /// Looks which topics match now (`updatePatternSubscription`).
    pub(super) fn update_pattern_subscription(&mut self, cx: &mut Cx<'_>) {
        let Some(pattern) = self.subscriptions.pattern() else {
            return;
        };
        // As under exclude.internal.topics=true, the default.
        let topics = self.metadata.cluster.topics.iter();
        let topics = topics.filter(|(name, topic)| !topic.is_internal && pattern.matches(name));
        let topics: SortedSet<TopicName> = topics.map(|(name, _)| name.clone()).collect();
        let named: Vec<TopicName> = topics.iter().cloned().collect();
        let pattern = Some(pattern.text().clone());
        if self.subscriptions.subscribe_from_pattern(topics) {
            self.metadata.want_new_topics();
            cx.journal.note(FactKind::SubscriptionChanged {
                member: self.group.membership.clone(),
                topics: named,
                pattern,
            });
        }
    }

    /// `assign(partitions)`: no group assigns, and none is told.
    pub(super) fn assign_partitions(
        &mut self,
        partitions: Vec<TopicPartition>,
        cx: &mut Cx<'_>,
    ) -> Result<(), Exception> {
        self.refuse_mixture(SubscriptionType::UserAssigned)?;
        let partitions: SortedSet<TopicPartition> = partitions.into_iter().collect();
        // What is committed here, no rebalance will commit later.
        self.maybe_auto_commit(cx);
        let (gone, added) = self.subscriptions.assign_from_user(&partitions);
        if !added.is_empty() {
            self.metadata.want_new_topics();
        }
        self.note_assignment(gone, added, ReleaseCause::Unsubscribed, cx);
        Ok(())
    }

    fn not_assigned(partition: &TopicPartition) -> Exception {
        let text = format!("No current assignment for partition {partition}");
        Exception::IllegalState(text.into())
    }

    /// `seek(partition, offset)`. Whether the log has that offset shows at the next fetch.
    pub(super) fn seek(
        &mut self,
        partition: &TopicPartition,
        offset: Offset,
        cx: &mut Cx<'_>,
    ) -> Result<(), Exception> {
        if offset.0 < 0 {
            let text = "seek offset must not be a negative number";
            return Err(Exception::IllegalState(text.into()));
        }
        if !self.set_position(partition, offset, -1, PositionCause::Seek, cx) {
            return Err(Self::not_assigned(partition));
        }
        self.fetcher.drop_buffered(partition);
        Ok(())
    }

    /// `pause(partitions)`, `resume(partitions)`
    pub(super) fn set_paused(
        &mut self,
        partitions: &[TopicPartition],
        paused: bool,
        cx: &mut Cx<'_>,
    ) -> Result<(), Exception> {
        for partition in partitions {
            let changed = self.subscriptions.set_paused(partition, paused);
            let changed = changed.ok_or_else(|| Self::not_assigned(partition))?;
            if changed {
                cx.journal.note(FactKind::PauseChanged {
                    member: self.group.membership.clone(),
                    partition: partition.clone(),
                    paused,
                });
            }
        }
        Ok(())
    }
}
