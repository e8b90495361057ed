//! One round of `poll`: `KafkaConsumer.poll`, `ConsumerCoordinator.poll`, `pollForFetches`.

use super::app::Step;
use super::join::JoinProgress;
use super::join_state::JoinFuture;
use super::settings::Returned;
use super::subscription_state::SubscriptionType;
use super::{Consumer, Cx};
use crate::kafka::fact::Exception;
use crate::kafka::time::Instant;

/// How far the part about the group got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GroupStep {
    /// Positions and records are next.
    Ready,
    /// Joining: positions have to wait, records do not.
    Joining,
    /// The coordinator is being looked for. Java blocks there as long as poll may.
    Blocked,
    /// Joining, and something was sent just now: Java looks once for the answer, without waiting.
    JustAsked,
    /// Nothing can happen before the assignor is done or the listener has returned.
    Suspended,
}

impl Consumer {
    /// A round, from the top. Whatever it waits for wakes it for the next one.
    pub(super) fn poll_step(&mut self, deadline: Option<Instant>, cx: &mut Cx<'_>) -> Step {
        match self.poll_round(deadline, cx) {
            Ok(step) => step,
            Err(exception) => Step::Done(Err(exception)),
        }
    }

    fn poll_round(
        &mut self,
        deadline: Option<Instant>,
        cx: &mut Cx<'_>,
    ) -> Result<Step, Exception> {
        let expired = deadline.is_some_and(|at| at <= cx.now());
        if self.subscriptions.kind() == SubscriptionType::None {
            let text = "Consumer is not subscribed to any topics or assigned any partitions";
            return Err(Exception::IllegalState(text.into()));
        }
        self.maybe_update_metadata(cx);
        match self.coordinator_poll(cx)? {
            GroupStep::Suspended => return Ok(Step::Wait),
            GroupStep::JustAsked => {
                // What arrives at this very instant is looked at before the round goes on.
                self.awake();
                return Ok(Step::Wait);
            }
            GroupStep::Blocked if !expired => return Ok(Step::Wait),
            GroupStep::Blocked | GroupStep::Joining => {}
            GroupStep::Ready => {
                let waiting = self.update_fetch_positions(cx)?;
                if waiting && !expired {
                    return Ok(Step::Wait);
                }
            }
        }
        let collected = self.collect_fetch(cx)?;
        // The next fetches are under way while the application handles these records.
        self.send_fetches(cx);
        if expired || collected.position_advanced || !collected.records.is_empty() {
            return Ok(Step::Done(Ok(Returned::Records(collected.records))));
        }
        Ok(Step::Wait)
    }

    /// `ConsumerCoordinator.poll`
    fn coordinator_poll(&mut self, cx: &mut Cx<'_>) -> Result<GroupStep, Exception> {
        if !self.has_group() {
            return Ok(GroupStep::Ready);
        }
        self.maybe_update_subscription(cx);
        self.invoke_completed_commits(cx)?;
        if self.subscriptions.has_auto_assigned_partitions() {
            if let Some(failure) = self.heartbeat.failure.take() {
                return Err(failure);
            }
            self.restart_poll_timer(cx);
            if !self.coordinator_ready(cx)? {
                return Ok(GroupStep::Blocked);
            }
            let joins = matches!(self.join.future, JoinFuture::None)
                && self.subscriptions.pattern().is_some()
                && self.rejoin_needed_or_pending();
            if joins && !self.has_fresh_topics(cx) {
                return Ok(GroupStep::Blocked);
            }
            let sent_before = cx.out.len();
            match self.join_group_if_needed(cx)? {
                JoinProgress::Joined => {}
                JoinProgress::NotYet if cx.out.len() > sent_before => {
                    return Ok(GroupStep::JustAsked);
                }
                JoinProgress::NotYet => return Ok(GroupStep::Joining),
                JoinProgress::Busy | JoinProgress::Callback => return Ok(GroupStep::Suspended),
            }
        }
        self.maybe_auto_commit(cx);
        Ok(GroupStep::Ready)
    }
}
