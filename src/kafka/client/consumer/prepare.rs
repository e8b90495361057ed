//! Before and after a rebalance: what is committed, given up and taken over
//! (`ConsumerCoordinator.onJoinPrepare`, `onJoinComplete`).

use super::app::After;
use super::commits::CommitOwner;
use super::join::JoinProgress;
use super::join_state::{JoinFuture, PrepareCommit};
use super::{Consumer, Cx, Retry, Timer};
use crate::kafka::assignor::{Assignor, RebalanceProtocol};
use crate::kafka::client::Flavour;
use crate::kafka::fact::{Callback, Exception, FactKind, ReleaseCause};
use crate::kafka::ids::{Bytes, TopicPartition};
use crate::kafka::protocol::Assignment;
use crate::kafka::sorted::SortedSet;
use crate::kafka::time::Duration;

/// How far the preparation got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Prepared {
    /// JoinGroup may be sent.
    Done,
    /// The commit is not answered yet.
    Waiting,
    /// The rebalance listener was called.
    Callback,
}

impl Consumer {
    /// Once per rebalance, before JoinGroup.
    pub(super) fn on_join_prepare(&mut self, cx: &mut Cx<'_>) -> Prepared {
        if self.join.prepare_deadline.is_none() {
            let limit = Duration::from_ms(self.settings.config.max_poll_interval_ms.into());
            self.join.prepare_deadline = Some(cx.now() + limit);
        }
        match self.settings.flavour {
            Flavour::Java => {
                if !self.prepare_commit_done(cx) {
                    return Prepared::Waiting;
                }
                if self.prepare_callback(After::PrepareGivenUp, cx) {
                    return Prepared::Callback;
                }
            }
            Flavour::Librdkafka => {
                if !self.join.prepare_called_back {
                    self.join.prepare_called_back = true;
                    if self.prepare_callback(After::PrepareCalledBack, cx) {
                        return Prepared::Callback;
                    }
                }
                if !self.prepare_commit_done(cx) {
                    return Prepared::Waiting;
                }
            }
        }
        self.finish_prepare(cx);
        Prepared::Done
    }

    /// The commit before JoinGroup: sent, and over in whichever way.
    fn prepare_commit_done(&mut self, cx: &mut Cx<'_>) -> bool {
        if !self.auto_commit_enabled() {
            return true;
        }
        let now = cx.now();
        let expired = self.join.prepare_deadline.is_some_and(|at| at <= now);
        let pausing = self
            .timers
            .deadline(&Timer::Retry(Retry::Prepare))
            .is_some();
        if matches!(self.join.prepare_commit, PrepareCommit::None) && !pausing {
            if self.rebalance_protocol() == RebalanceProtocol::Eager {
                // Otherwise the position could get ahead of what is being committed.
                self.subscriptions.mark_pending_revocation();
            }
            self.join.prepare_commit = self.commit_before_join(cx);
            if let Some(at) = self.join.prepare_deadline {
                self.timers.set(Timer::JoinPrepare, at, cx.journal);
            }
        }
        let done = match &self.join.prepare_commit {
            PrepareCommit::None | PrepareCommit::InFlight(_) => expired,
            PrepareCommit::Done(result) if result.is_retriable() && !expired => {
                self.join.prepare_commit = PrepareCommit::None;
                let pause = Duration::from_ms(self.settings.config.retry_backoff_ms);
                self.timers
                    .set(Timer::Retry(Retry::Prepare), now + pause, cx.journal);
                false
            }
            PrepareCommit::Done(_) => true,
        };
        if done {
            self.timers.cancel(&Timer::JoinPrepare);
            self.timers.cancel(&Timer::Retry(Retry::Prepare));
        }
        done
    }

    fn commit_before_join(&mut self, cx: &mut Cx<'_>) -> PrepareCommit {
        let kept = self.join.plan.as_ref().map(|(_, kept)| kept);
        let offsets =
            self.final_offsets(|partition| kept.is_none_or(|kept| !kept.contains(partition)));
        self.commit_async(CommitOwner::Prepare, offsets, cx)
    }

    /// Calls the listener with what will be given up. `false`: there is nothing to call it for.
    fn prepare_callback(&mut self, after: After, cx: &mut Cx<'_>) -> bool {
        let assigned = self.subscriptions.assigned();
        if self.group.current.has_lost_its_partitions() {
            self.join.plan = Some((ReleaseCause::Lost, SortedSet::new()));
            if assigned.is_empty() {
                return false;
            }
            self.call_back(Callback::Lost, assigned, after, cx);
            return true;
        }
        match self.rebalance_protocol() {
            RebalanceProtocol::Eager => {
                self.join.plan = Some((ReleaseCause::EagerRevoke, SortedSet::new()));
                self.call_back(Callback::Revoked, assigned, after, cx);
                true
            }
            RebalanceProtocol::Cooperative => {
                let subscription = self.subscriptions.subscription().clone();
                let (kept, revoked): (Vec<_>, Vec<_>) = assigned
                    .into_iter()
                    .partition(|partition| subscription.contains(&partition.topic));
                let kept = kept.into_iter().collect();
                self.join.plan = Some((ReleaseCause::Unsubscribed, kept));
                if revoked.is_empty() {
                    return false;
                }
                self.call_back(Callback::Revoked, revoked, after, cx);
                true
            }
        }
    }

    /// The listener has returned, or was not called: what is given up goes.
    pub(super) fn finish_prepare(&mut self, cx: &mut Cx<'_>) {
        if let Some((cause, kept)) = self.join.plan.take() {
            self.change_assignment(&kept, cause, cx);
        }
        self.join.is_leader = false;
        self.subscriptions.reset_group_subscription();
        self.join.prepare_deadline = None;
        self.join.prepare_commit = PrepareCommit::None;
        self.join.prepare_called_back = false;
    }

    /// Lets go and takes over, and says so.
    pub(super) fn change_assignment(
        &mut self,
        partitions: &SortedSet<TopicPartition>,
        cause: ReleaseCause,
        cx: &mut Cx<'_>,
    ) {
        let (gone, added) = self.subscriptions.assign_from_subscribed(partitions);
        self.note_assignment(gone, added, cause, cx);
    }

    pub(super) fn note_assignment(
        &mut self,
        gone: Vec<TopicPartition>,
        added: Vec<TopicPartition>,
        cause: ReleaseCause,
        cx: &mut Cx<'_>,
    ) {
        let member = self.group.membership.clone();
        for partition in gone {
            self.fetcher.drop_buffered(&partition);
            let member = member.clone();
            cx.journal.note(FactKind::Release {
                member,
                partition,
                cause,
            });
        }
        for partition in added {
            let member = member.clone();
            cx.journal.note(FactKind::Acquire { member, partition });
        }
    }

    /// SyncGroup brought the share of this member.
    ///
    /// # Errors
    /// If the leader left it out, or the bytes are none. It stays so until the next rebalance.
    pub(super) fn on_join_complete(
        &mut self,
        bytes: Bytes,
        cx: &mut Cx<'_>,
    ) -> Result<Option<JoinProgress>, Exception> {
        match self.settings.flavour {
            Flavour::Java if !self.join.is_leader => self.join.assignment_snapshot = None,
            // `rd_kafka_cgrp_metadata_update_check`: every member looks at its own topics.
            Flavour::Librdkafka if self.join.assignment_snapshot.is_none() => {
                self.join.assignment_snapshot = Some(self.snapshot.clone());
            }
            Flavour::Java | Flavour::Librdkafka => {}
        }
        let Ok(assignment) = Assignment::decode(&bytes) else {
            // As in Java, the answer stays to be looked at again by the next poll.
            self.join.future = JoinFuture::Done(Ok(bytes));
            return Err(Exception::IllegalState(
                "There are insufficient bytes available to read assignment from the sync-group response"
                    .into(),
            ));
        };
        let partitions = assignment.partitions;
        let subscription = self.subscriptions.subscription();
        if partitions
            .iter()
            .any(|partition| !subscription.contains(&partition.topic))
        {
            self.request_rejoin("received assignment does not match the current subscription");
            self.join.needs_prepare = true;
            return Ok(None);
        }
        // Not joined before the last callback has returned.
        self.join.future = JoinFuture::Done(Ok(bytes));
        let assigned: SortedSet<_> = partitions.iter().cloned().collect();
        if self.rebalance_protocol() == RebalanceProtocol::Cooperative {
            let mut revoked = self.subscriptions.assigned();
            revoked.retain(|partition| !assigned.contains(partition));
            if !revoked.is_empty() {
                match self.join.prepare_commit {
                    PrepareCommit::None => {}
                    PrepareCommit::InFlight(_) => return Ok(Some(JoinProgress::NotYet)),
                    PrepareCommit::Done(_) => {
                        self.revoked_and_committed(partitions, cx);
                        return Ok(Some(JoinProgress::Callback));
                    }
                }
                let after = After::CooperativeRevoked(partitions);
                self.call_back(Callback::Revoked, revoked, after, cx);
                return Ok(Some(JoinProgress::Callback));
            }
        }
        self.take_over(partitions, cx);
        Ok(Some(JoinProgress::Callback))
    }

    /// A cooperative member has revoked what it lost: it rejoins so that others can have it.
    pub(super) fn cooperative_revoked(&mut self, partitions: Vec<TopicPartition>, cx: &mut Cx<'_>) {
        if self.settings.flavour == Flavour::Librdkafka && self.auto_commit_enabled() {
            // Java does not, and what was read while others joined is read again.
            let offsets = self.final_offsets(|partition| !partitions.contains(partition));
            self.join.prepare_commit = self.commit_async(CommitOwner::Prepare, offsets, cx);
            if matches!(self.join.prepare_commit, PrepareCommit::InFlight(_)) {
                return;
            }
        }
        self.revoked_and_committed(partitions, cx);
    }

    fn revoked_and_committed(&mut self, partitions: Vec<TopicPartition>, cx: &mut Cx<'_>) {
        self.join.prepare_commit = PrepareCommit::None;
        self.request_rejoin("need to revoke partitions and re-join");
        self.take_over(partitions, cx);
    }

    fn take_over(&mut self, partitions: Vec<TopicPartition>, cx: &mut Cx<'_>) {
        let generation = self.group.current.generation.0;
        match self
            .group
            .current
            .protocol
            .as_deref()
            .and_then(Assignor::from_name)
        {
            Some(Assignor::Sticky) => self.join.sticky = Some((partitions.clone(), generation)),
            Some(Assignor::CooperativeSticky) => {
                self.join.cooperative_generation = generation;
                if self.settings.flavour == Flavour::Librdkafka {
                    // Both of its sticky assignors remember the same.
                    self.join.sticky = Some((partitions.clone(), generation));
                }
            }
            Some(Assignor::Range | Assignor::RoundRobin) | None => {}
        }
        if self.settings.flavour == Flavour::Java {
            self.restart_auto_commit_timer(cx);
        }
        let assigned: SortedSet<_> = partitions.into_iter().collect();
        let mut added: Vec<_> = assigned.iter().cloned().collect();
        added.retain(|partition| self.subscriptions.state(partition).is_none());
        let cause = match self.rebalance_protocol() {
            RebalanceProtocol::Eager => ReleaseCause::EagerRevoke,
            RebalanceProtocol::Cooperative => ReleaseCause::CooperativeRevoke,
        };
        self.change_assignment(&assigned, cause, cx);
        self.call_back(Callback::Assigned, added, After::Assigned, cx);
    }

    /// The last callback of a rebalance has returned.
    pub(super) fn join_is_complete(&mut self) {
        if matches!(self.join.future, JoinFuture::Done(Ok(_))) {
            self.join.future = JoinFuture::None;
        }
        self.join.needs_prepare = true;
    }
}
