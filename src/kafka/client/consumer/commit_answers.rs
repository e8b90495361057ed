//! What becomes of commits: answers, errors, callbacks.

use super::commits::{CommitOwner, CommitResult, InFlight};
use super::join_state::PrepareCommit;
use super::membership::MemberGeneration;
use super::settings::ConsumerEvent;
use super::{Action, Consumer, Cx};
use crate::kafka::api::OffsetCommitResponse;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Exception, MemberState};
use crate::kafka::time::Duration;

impl Consumer {
    /// The answer to OffsetCommit: the first error in it decides.
    pub(super) fn on_offset_commit(
        &mut self,
        ticket: u64,
        response: &OffsetCommitResponse,
        cx: &mut Cx<'_>,
    ) {
        let Some(commit) = self.take_commit(ticket) else {
            return;
        };
        let partitions = response.topics.iter().flat_map(|topic| &topic.partitions);
        let error = partitions
            .map(|partition| partition.error_code)
            .find(|error| !error.is_none())
            .unwrap_or_default();
        if error.is_none() {
            for (partition, offset, _) in &commit.offsets {
                self.subscriptions.note_committed(partition, *offset);
            }
        }
        let result = self.judge_commit(&commit.sent, error, cx);
        self.commit_ended(ticket, commit.owner, result, cx);
    }

    /// `OffsetCommitResponseHandler.handle`
    fn judge_commit(
        &mut self,
        sent: &MemberGeneration,
        error: ErrorCode,
        cx: &mut Cx<'_>,
    ) -> CommitResult {
        let preparing = self.group.state == MemberState::PreparingRebalance;
        match error {
            ErrorCode::None => CommitResult::Ok,
            ErrorCode::CoordinatorLoadInProgress | ErrorCode::UnknownTopicOrPartition => {
                CommitResult::Retriable(error)
            }
            ErrorCode::CoordinatorNotAvailable
            | ErrorCode::NotCoordinator
            | ErrorCode::RequestTimedOut => {
                self.mark_coordinator_unknown(cx);
                CommitResult::Retriable(error)
            }
            ErrorCode::FencedInstanceId if self.generation_unchanged(sent) => {
                CommitResult::Failed(Exception::FencedInstanceId)
            }
            ErrorCode::FencedInstanceId if preparing => {
                CommitResult::Failed(Exception::RebalanceInProgress)
            }
            ErrorCode::FencedInstanceId => CommitResult::Failed(Exception::CommitFailed),
            ErrorCode::RebalanceInProgress => {
                self.request_rejoin("offset commit failed since group is already rebalancing");
                CommitResult::Failed(Exception::RebalanceInProgress)
            }
            ErrorCode::UnknownMemberId | ErrorCode::IllegalGeneration => {
                if !self.generation_unchanged(sent) && preparing {
                    return CommitResult::Failed(Exception::RebalanceInProgress);
                }
                self.reset_on_error("OFFSET_COMMIT", error, cx);
                CommitResult::Failed(Exception::CommitFailed)
            }
            error => CommitResult::Failed(Exception::Kafka(error)),
        }
    }

    /// OffsetCommit got no answer.
    pub(super) fn on_commit_disconnected(&mut self, ticket: u64, cx: &mut Cx<'_>) {
        if let Some(commit) = self.take_commit(ticket) {
            let result = CommitResult::Retriable(ErrorCode::NetworkException);
            self.commit_ended(ticket, commit.owner, result, cx);
        }
    }

    fn take_commit(&mut self, ticket: u64) -> Option<InFlight> {
        let commits = &mut self.commits.in_flight;
        let place = commits.iter().position(|commit| commit.ticket == ticket)?;
        Some(commits.remove(place))
    }

    pub(super) fn commit_ended(
        &mut self,
        ticket: u64,
        owner: CommitOwner,
        result: CommitResult,
        cx: &mut Cx<'_>,
    ) {
        self.note_commit_finished(owner, &result, cx);
        match owner {
            CommitOwner::Sync(_) => self.commits.sync_result = Some((ticket, result)),
            CommitOwner::Prepare | CommitOwner::Periodic | CommitOwner::Application(_) => {
                let fenced = result == CommitResult::Failed(Exception::FencedInstanceId);
                self.commits.fenced |= fenced;
                if owner == CommitOwner::Prepare {
                    self.prepare_commit_ended(ticket, &result);
                }
                self.commits.completed.push_back((owner, result));
            }
        }
        self.awake();
    }

    /// A commit that was given up on may still be answered: then it concerns nobody.
    pub(super) fn prepare_commit_ended(&mut self, ticket: u64, result: &CommitResult) {
        if matches!(self.join.prepare_commit, PrepareCommit::InFlight(awaited) if awaited == ticket)
        {
            self.join.prepare_commit = PrepareCommit::Done(result.clone());
        }
    }

    /// Calls the callbacks of async commits that are done, in the order in which they were sent.
    ///
    /// # Errors
    /// If one of them was fenced: from then on always.
    pub(super) fn invoke_completed_commits(&mut self, cx: &mut Cx<'_>) -> Result<(), Exception> {
        if self.commits.fenced {
            return Err(Exception::FencedInstanceId);
        }
        while let Some((owner, result)) = self.commits.completed.pop_front() {
            match owner {
                CommitOwner::Application(id) => {
                    let result = result.error().map_or(Ok(()), Err);
                    let event = ConsumerEvent::AsyncCommitDone { id, result };
                    cx.out.push(Action::Event(event));
                }
                CommitOwner::Periodic | CommitOwner::Prepare if result.is_retriable() => {
                    let pause = Duration::from_ms(self.settings.config.retry_backoff_ms);
                    self.set_auto_commit_timer(pause, cx);
                }
                CommitOwner::Periodic | CommitOwner::Prepare | CommitOwner::Sync(_) => {}
            }
        }
        Ok(())
    }
}
