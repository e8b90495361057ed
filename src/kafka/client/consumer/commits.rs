//! Commits: sync, async and automatic (`ConsumerCoordinator`, the part about offsets).

use super::by_topic::by_topic;
use super::join_state::PrepareCommit;
use super::membership::MemberGeneration;
use super::{Consumer, Cx, Purpose, Retry, Timer};
use crate::kafka::api::{
    OffsetCommitRequest, OffsetCommitRequestPartition, OffsetCommitRequestTopic,
};
use crate::kafka::client::{Channel, Flavour};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{CommitKind, Exception, FactKind, MemberState};
use crate::kafka::ids::{Offset, TopicPartition};
use crate::kafka::time::Duration;
use std::collections::VecDeque;
use std::rc::Rc;

/// Partition, offset, leader epoch of the record before it.
pub(super) type CommitOffsets = Vec<(TopicPartition, Offset, i32)>;

/// How a commit ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CommitResult {
    Ok,
    /// May be tried again.
    Retriable(ErrorCode),
    Failed(Exception),
}

impl CommitResult {
    pub fn is_retriable(&self) -> bool {
        matches!(self, CommitResult::Retriable(_))
    }

    pub fn error(&self) -> Option<Exception> {
        match self {
            CommitResult::Ok => None,
            CommitResult::Retriable(error) => Some(Exception::Kafka(*error)),
            CommitResult::Failed(exception) => Some(exception.clone()),
        }
    }
}

/// For whom a commit is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CommitOwner {
    /// `commitSync`, and the commit of `close`.
    Sync(CommitKind),
    /// The automatic commit in poll.
    Periodic,
    /// The automatic commit before JoinGroup.
    Prepare,
    /// `commitAsync`, with the application's number.
    Application(u64),
}

impl CommitOwner {
    fn kind(self) -> CommitKind {
        match self {
            CommitOwner::Sync(kind) => kind,
            CommitOwner::Periodic | CommitOwner::Prepare => CommitKind::Auto,
            CommitOwner::Application(_) => CommitKind::Async,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct InFlight {
    pub ticket: u64,
    pub owner: CommitOwner,
    pub sent: Rc<MemberGeneration>,
    /// librdkafka remembers what it has committed.
    pub offsets: CommitOffsets,
}

/// Commits under way and done.
#[derive(Clone, Debug, Default)]
pub(super) struct Commits {
    last_ticket: u64,
    pub in_flight: Vec<InFlight>,
    /// Async commits that wait until the coordinator is found, in the order of the calls.
    pending: Vec<(CommitOwner, CommitOffsets)>,
    /// Async commits whose callback is still to be called.
    pub completed: VecDeque<(CommitOwner, CommitResult)>,
    /// The newest finished sync commit.
    pub sync_result: Option<(u64, CommitResult)>,
    pub fenced: bool,
    /// The auto-commit timer fired and no poll has committed since.
    pub auto_due: bool,
}

impl Commits {
    /// Whether an async commit has not been answered yet.
    pub fn has_async_in_flight(&self) -> bool {
        self.in_flight
            .iter()
            .any(|commit| !matches!(commit.owner, CommitOwner::Sync(_)))
    }

    /// Whether an async commit has not even been sent.
    pub fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }
}

/// Whether a commit could be sent.
pub(super) enum Sent {
    /// Under way, by its number.
    InFlight(u64),
    /// It ended inside the client.
    Local(CommitResult),
}

impl Consumer {
    pub(super) fn auto_commit_enabled(&self) -> bool {
        self.settings.config.enable_auto_commit && self.has_group()
    }

    /// From now on counts `auto.commit.interval.ms`.
    pub(super) fn restart_auto_commit_timer(&mut self, cx: &mut Cx<'_>) {
        if self.auto_commit_enabled() {
            let interval = self.settings.config.auto_commit_interval_ms;
            self.set_auto_commit_timer(Duration::from_ms(interval.into()), cx);
        }
    }

    pub(super) fn set_auto_commit_timer(&mut self, length: Duration, cx: &mut Cx<'_>) {
        self.commits.auto_due = false;
        let at = cx.now() + length;
        self.timers.set(Timer::AutoCommit, at, cx.journal);
    }

    /// The timer counts from the consumer's construction until an assignment restarts it.
    pub(super) fn start_auto_commit_timer(&mut self, cx: &mut Cx<'_>) {
        if self.timers.deadline(&Timer::AutoCommit).is_none() && !self.commits.auto_due {
            self.restart_auto_commit_timer(cx);
        }
    }

    /// The auto-commit timer fired. Java commits in the next poll; librdkafka at once, whatever the program is
    /// doing, and counts from the start of the client.
    pub(super) fn auto_commit_timer_fired(&mut self, cx: &mut Cx<'_>) {
        self.commits.auto_due = true;
        match self.settings.flavour {
            Flavour::Java => self.awake(),
            Flavour::Librdkafka => self.maybe_auto_commit(cx),
        }
    }

    /// Inside poll: commits all positions if it is time.
    pub(super) fn maybe_auto_commit(&mut self, cx: &mut Cx<'_>) {
        if !self.commits.auto_due || !self.auto_commit_enabled() {
            return;
        }
        self.restart_auto_commit_timer(cx);
        let offsets = match self.settings.flavour {
            Flavour::Java => self.subscriptions.all_consumed(),
            // `rd_kafka_cgrp_offset_commit_tmr_cb`
            Flavour::Librdkafka => self.subscriptions.stored(true),
        };
        self.commit_async(CommitOwner::Periodic, offsets, cx);
    }

    /// What an automatic commit stores when partitions are given up.
    pub(super) fn final_offsets(
        &self,
        given_up: impl Fn(&TopicPartition) -> bool,
    ) -> CommitOffsets {
        match self.settings.flavour {
            Flavour::Java => self.subscriptions.all_consumed(),
            // `rd_kafka_assignment_serve_removals`: of these only, changed or not.
            Flavour::Librdkafka => {
                let mut offsets = self.subscriptions.stored(false);
                offsets.retain(|(partition, ..)| given_up(partition));
                offsets
            }
        }
    }

    /// Commits without waiting; the callback comes in a later call.
    pub(super) fn commit_async(
        &mut self,
        owner: CommitOwner,
        offsets: CommitOffsets,
        cx: &mut Cx<'_>,
    ) -> PrepareCommit {
        if !offsets.is_empty() && self.coordinator.node.is_none() {
            // A failed lookup fails the commit too: it is not repeated, lest commits come out of order.
            self.note_commit_started(owner, &offsets, cx);
            self.commits.pending.push((owner, offsets));
            self.lookup_coordinator(cx);
            return PrepareCommit::InFlight(0);
        }
        self.note_commit_started(owner, &offsets, cx);
        match self.send_commit(owner, &offsets, cx) {
            Sent::InFlight(ticket) => PrepareCommit::InFlight(ticket),
            Sent::Local(result) => {
                if !offsets.is_empty() {
                    self.note_commit_finished(owner, &result, cx);
                }
                self.commits.completed.push_back((owner, result.clone()));
                PrepareCommit::Done(result)
            }
        }
    }

    pub(super) fn note_commit_started(
        &mut self,
        owner: CommitOwner,
        offsets: &CommitOffsets,
        cx: &mut Cx<'_>,
    ) {
        if offsets.is_empty() {
            return;
        }
        let offsets = offsets
            .iter()
            .map(|(partition, offset, _)| (partition.clone(), *offset));
        cx.journal.note(FactKind::CommitStarted {
            member: self.group.membership.clone(),
            kind: owner.kind(),
            offsets: offsets.collect(),
        });
    }

    pub(super) fn note_commit_finished(
        &mut self,
        owner: CommitOwner,
        result: &CommitResult,
        cx: &mut Cx<'_>,
    ) {
        cx.journal.note(FactKind::CommitFinished {
            member: self.group.membership.clone(),
            kind: owner.kind(),
            error: result.error(),
        });
    }

    /// `ConsumerCoordinator.sendOffsetCommitRequest`
    pub(super) fn send_commit(
        &mut self,
        owner: CommitOwner,
        offsets: &CommitOffsets,
        cx: &mut Cx<'_>,
    ) -> Sent {
        if offsets.is_empty() {
            return Sent::Local(CommitResult::Ok);
        }
        let Some(coordinator) = self.coordinator.node else {
            let error = ErrorCode::CoordinatorNotAvailable;
            return Sent::Local(CommitResult::Retriable(error));
        };
        let subscribed = self.subscriptions.has_auto_assigned_partitions();
        if subscribed && self.group.state != MemberState::Stable {
            let exception = if self.group.rebalance_in_progress() {
                Exception::RebalanceInProgress
            } else {
                Exception::CommitFailed
            };
            return Sent::Local(CommitResult::Failed(exception));
        }
        let (sent, instance) = if subscribed {
            let instance = self.settings.config.group_instance_id.clone();
            (self.group.current.clone(), instance)
        } else {
            (Rc::new(MemberGeneration::none()), None)
        };
        let request = OffsetCommitRequest {
            group_id: self.group_id(),
            generation_id_or_member_epoch: sent.generation,
            member_id: sent.member_id.clone(),
            group_instance_id: instance,
            retention_time_ms: -1,
            topics: to_topics(self.settings.flavour, offsets),
        };
        self.commits.last_ticket += 1;
        let ticket = self.commits.last_ticket;
        self.commits.in_flight.push(InFlight {
            ticket,
            owner,
            sent,
            offsets: match self.settings.flavour {
                Flavour::Java => CommitOffsets::new(),
                Flavour::Librdkafka => offsets.clone(),
            },
        });
        let purpose = Purpose::Commit(ticket);
        let channel = Channel::Coordinator;
        self.send(coordinator, channel, request.into(), purpose, cx);
        Sent::InFlight(ticket)
    }

    /// The coordinator was found: what waited for that goes out.
    pub(super) fn send_pending_commits(&mut self, cx: &mut Cx<'_>) {
        for (owner, offsets) in std::mem::take(&mut self.commits.pending) {
            match self.send_commit(owner, &offsets, cx) {
                Sent::InFlight(ticket) => {
                    if owner == CommitOwner::Prepare {
                        self.join.prepare_commit = PrepareCommit::InFlight(ticket);
                    }
                }
                Sent::Local(result) => self.commit_ended(0, owner, result, cx),
            }
        }
    }

    /// The coordinator was not found.
    pub(super) fn fail_pending_commits(&mut self, error: ErrorCode, cx: &mut Cx<'_>) {
        for (owner, _) in std::mem::take(&mut self.commits.pending) {
            let result = CommitResult::Retriable(error);
            if owner == CommitOwner::Prepare {
                self.prepare_commit_ended(0, &result);
            }
            self.note_commit_finished(owner, &result, cx);
            self.commits.completed.push_back((owner, result));
        }
    }

    /// A pause of `attempt` failures before, kept by the timer of that name.
    pub(super) fn pause(&mut self, retry: Retry, attempt: u32, cx: &mut Cx<'_>) {
        let at = cx.now() + self.backoff(attempt);
        self.timers.set(Timer::Retry(retry), at, cx.journal);
    }
}

fn to_topics(flavour: Flavour, offsets: &CommitOffsets) -> Vec<OffsetCommitRequestTopic> {
    let offsets = offsets.iter();
    let entries = offsets.map(|(partition, offset, epoch)| (partition.clone(), (*offset, *epoch)));
    let topics = by_topic(flavour, entries.collect()).into_iter();
    topics
        .map(|(name, entries)| OffsetCommitRequestTopic {
            name,
            partitions: entries
                .into_iter()
                .map(|(number, (offset, epoch))| OffsetCommitRequestPartition {
                    partition_index: number,
                    committed_offset: offset,
                    committed_leader_epoch: epoch,
                    committed_metadata: Some("".into()),
                })
                .collect(),
        })
        .collect()
}
