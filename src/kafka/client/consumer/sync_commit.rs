//! A commit that is waited for: `commitSync`, and the one in `close`.

use super::app::Step;
use super::commits::{CommitOffsets, CommitOwner, CommitResult, Sent};
use super::settings::Returned;
use super::{Consumer, Cx, Retry, Timer};
use crate::kafka::fact::Exception;
use crate::kafka::time::Instant;

/// Where it stands.
#[derive(Clone, Debug)]
pub(super) struct SyncCommit {
    pub owner: CommitOwner,
    pub offsets: CommitOffsets,
    pub deadline: Instant,
    attempts: u32,
    /// The request that is under way.
    ticket: Option<u64>,
}

impl SyncCommit {
    pub fn new(owner: CommitOwner, offsets: CommitOffsets, deadline: Instant) -> Self {
        Self {
            owner,
            offsets,
            deadline,
            attempts: 0,
            ticket: None,
        }
    }
}

impl Consumer {
    /// `commitSync`
    pub(super) fn sync_commit_call(&mut self, commit: &mut SyncCommit, cx: &mut Cx<'_>) -> Step {
        match self.sync_commit_step(commit, cx) {
            None => Step::Wait,
            Some(result) => Step::Done(result.map(|()| Returned::Nothing)),
        }
    }

    /// `ConsumerCoordinator.commitOffsetsSync`. `None`: it has to wait.
    pub(super) fn sync_commit_step(
        &mut self,
        commit: &mut SyncCommit,
        cx: &mut Cx<'_>,
    ) -> Option<Result<(), Exception>> {
        let result = self.try_sync_commit(commit, cx);
        if result.is_none() && commit.deadline <= cx.now() {
            self.timers.cancel(&Timer::Retry(Retry::Commit));
            return Some(Err(Exception::Timeout));
        }
        result
    }

    fn try_sync_commit(
        &mut self,
        commit: &mut SyncCommit,
        cx: &mut Cx<'_>,
    ) -> Option<Result<(), Exception>> {
        if let Err(exception) = self.invoke_completed_commits(cx) {
            return Some(Err(exception));
        }
        if commit.offsets.is_empty() {
            // Nothing to commit, but what was committed before is over when this returns.
            return (!self.commits.has_async_in_flight()).then_some(Ok(()));
        }
        if let Some(ticket) = commit.ticket {
            let result = self
                .commits
                .sync_result
                .take_if(|(answered, _)| *answered == ticket)?;
            commit.ticket = None;
            return self.sync_commit_ended(commit, result.1, cx);
        }
        let pausing = self.timers.deadline(&Timer::Retry(Retry::Commit));
        if pausing.is_some_and(|at| at > cx.now()) {
            return None;
        }
        match self.coordinator_ready(cx) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(exception) => return Some(Err(exception)),
        }
        self.note_commit_started(commit.owner, &commit.offsets, cx);
        match self.send_commit(commit.owner, &commit.offsets, cx) {
            Sent::InFlight(ticket) => {
                commit.ticket = Some(ticket);
                None
            }
            Sent::Local(result) => {
                self.note_commit_finished(commit.owner, &result, cx);
                self.sync_commit_ended(commit, result, cx)
            }
        }
    }

    fn sync_commit_ended(
        &mut self,
        commit: &mut SyncCommit,
        result: CommitResult,
        cx: &mut Cx<'_>,
    ) -> Option<Result<(), Exception>> {
        match result {
            CommitResult::Ok => Some(Ok(())),
            CommitResult::Failed(exception) => Some(Err(exception)),
            CommitResult::Retriable(_) => {
                self.pause(Retry::Commit, commit.attempts, cx);
                commit.attempts = commit.attempts.saturating_add(1);
                None
            }
        }
    }
}
