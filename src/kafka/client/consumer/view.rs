//! What others may look at: views, expectations, the application's model.

use super::subscription_state::FetchState;
use super::{Consumer, Timer};
use crate::kafka::fact::{MemberState, Membership, Why};
use crate::kafka::ids::{BrokerId, ClientId, Offset, TopicName, TopicPartition};
use crate::kafka::time::Instant;
use std::rc::Rc;

/// An assigned partition, as others see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartitionView {
    /// The partition.
    pub partition: TopicPartition,
    /// Next offset that poll returns; `None`: not known yet.
    pub position: Option<Offset>,
    /// Paused by the application.
    pub paused: bool,
}

impl Consumer {
    /// `client.id`
    pub fn client_id(&self) -> &ClientId {
        &self.network.client_id
    }

    /// Its membership, as facts carry it.
    pub fn membership(&self) -> Rc<Membership> {
        self.group.membership.clone()
    }

    /// The state of its membership.
    pub fn member_state(&self) -> MemberState {
        self.group.state
    }

    /// Whether it leads the group, as far as it knows.
    pub fn is_leader(&self) -> bool {
        self.join.is_leader
    }

    /// The broker that it takes for the coordinator.
    pub fn coordinator(&self) -> Option<BrokerId> {
        self.coordinator.node
    }

    /// The topics that it is subscribed to.
    pub fn subscription(&self) -> impl Iterator<Item = &TopicName> {
        self.subscriptions.subscription().iter()
    }

    /// Its partitions, in order.
    pub fn assignment(&self) -> impl Iterator<Item = PartitionView> {
        let partitions = self.subscriptions.assignment().iter();
        partitions.map(|(partition, state)| PartitionView {
            partition: partition.clone(),
            position: match state.fetch_state {
                FetchState::Fetching => Some(state.position),
                FetchState::Initializing | FetchState::AwaitReset(_) => None,
            },
            paused: state.paused,
        })
    }

    /// The partitions between Acquire and Release.
    pub fn owned(&self) -> Vec<TopicPartition> {
        self.subscriptions.assigned()
    }

    /// The position in one partition.
    pub fn position(&self, partition: &TopicPartition) -> Option<Offset> {
        let state = self.subscriptions.state(partition)?;
        state.has_position().then_some(state.position)
    }

    /// Its running timers, in the order in which they fire.
    pub fn timers(&self) -> impl Iterator<Item = (Instant, Why)> {
        let timers = self.timers.iter();
        timers.map(|(at, timer): (Instant, &Timer)| (at, timer.why()))
    }
}
