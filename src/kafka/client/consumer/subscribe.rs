//! Calls that end at once: `subscribe`, `assign`, `seek`, `pause`, `resume`.

use super::subscription_state::SubscriptionType;
use super::{Consumer, Cx};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Exception, FactKind, PositionCause, ReleaseCause};
use crate::kafka::ids::{Offset, TopicName, TopicPartition};
use std::collections::BTreeSet;

impl Consumer {
    pub(super) fn has_group(&self) -> bool {
        self.settings.config.group_id.is_some()
    }

    /// `InvalidGroupIdException`
    pub(super) fn no_group(&self) -> Exception {
        Exception::Kafka(ErrorCode::InvalidGroupId)
    }

    fn refuse_mixture(&self, refused: SubscriptionType) -> Result<(), Exception> {
        if self.subscriptions.kind() == refused {
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
        self.refuse_mixture(SubscriptionType::UserAssigned)?;
        let topics: BTreeSet<TopicName> = topics.into_iter().collect();
        self.fetcher
            .keep_buffered(|partition| topics.contains(&partition.topic));
        let named: Vec<TopicName> = topics.iter().cloned().collect();
        if self.subscriptions.subscribe(topics) {
            self.metadata.update_wanted = true;
            cx.journal.note(FactKind::SubscriptionChanged {
                member: self.group.membership.clone(),
                topics: named,
            });
        }
        Ok(())
    }

    /// `assign(partitions)`: no group assigns, and none is told.
    pub(super) fn assign_partitions(
        &mut self,
        partitions: Vec<TopicPartition>,
        cx: &mut Cx<'_>,
    ) -> Result<(), Exception> {
        self.refuse_mixture(SubscriptionType::AutoTopics)?;
        let partitions: BTreeSet<TopicPartition> = partitions.into_iter().collect();
        // What is committed here, no rebalance will commit later.
        self.maybe_auto_commit(cx);
        let (gone, added) = self.subscriptions.assign_from_user(&partitions);
        if !added.is_empty() {
            self.metadata.update_wanted = true;
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
