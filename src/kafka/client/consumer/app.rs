//! The application thread: which call it is in, which callback, and when it can go on.

use super::close::Closing;
use super::commits::{CommitOffsets, CommitOwner};
use super::settings::{Call, ConsumerEvent, Returned};
use super::sync_commit::SyncCommit;
use super::{Action, Consumer, Cx, Timer};
use crate::kafka::fact::{Callback, CommitKind, Exception, FactKind};
use crate::kafka::ids::{Offset, TopicPartition};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};

/// What follows when the rebalance listener has returned.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum After {
    /// Partitions are given up, JoinGroup can go out.
    PrepareGivenUp,
    /// librdkafka: now the commit, then the rest.
    PrepareCalledBack,
    /// Cooperative: the new assignment is taken over.
    CooperativeRevoked(Vec<TopicPartition>),
    /// The rebalance is complete.
    Assigned,
    /// `close` or `unsubscribe` goes on.
    Leave,
}

/// A call that cannot end at once.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// `poll`, until then.
    Poll(Option<Instant>),
    CommitSync(SyncCommit),
    /// `close` or `unsubscribe`.
    Leave(Closing),
}

impl Work {
    fn deadline(&self) -> Option<Instant> {
        match self {
            Work::Poll(deadline) => *deadline,
            Work::CommitSync(commit) => Some(commit.deadline),
            Work::Leave(closing) => closing.deadline,
        }
    }
}

/// How far a blocked call got.
pub(super) enum Step {
    Done(Result<Returned, Exception>),
    Wait,
}

/// The application thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Application {
    /// The call that the program made.
    outer: Option<Work>,
    /// The callback that runs inside it.
    callback: Option<(Callback, After)>,
    /// The call that the callback made.
    inner: Option<Work>,
    /// Something happened since the call last looked.
    awake: bool,
    closed: bool,
}

/// What the application thread is doing, as the learner reads it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Not in any call: the program is at its own work.
    Outside,
    /// In `poll`.
    Polling,
    /// In `commitSync`.
    Committing,
    /// The rebalance listener runs.
    InCallback(Callback),
    /// In `close` or `unsubscribe`.
    Leaving,
    /// `close` has returned.
    Closed,
}

impl Consumer {
    /// What the application thread is doing.
    pub fn phase(&self) -> Phase {
        if self.app.closed {
            return Phase::Closed;
        }
        if let Some((callback, _)) = self.app.callback {
            return Phase::InCallback(callback);
        }
        match &self.app.outer {
            None => Phase::Outside,
            Some(Work::Poll(_)) => Phase::Polling,
            Some(Work::CommitSync(_)) => Phase::Committing,
            Some(Work::Leave(_)) => Phase::Leaving,
        }
    }

    /// Something happened that a blocked call may wait for.
    pub(super) fn awake(&mut self) {
        self.app.awake = true;
    }

    pub(super) fn is_awake(&self) -> bool {
        let blocked = match self.app.callback {
            Some(_) => &self.app.inner,
            None => &self.app.outer,
        };
        self.app.awake && blocked.is_some()
    }

    pub(super) fn is_closed(&self) -> bool {
        self.app.closed
    }

    pub(super) fn set_closed(&mut self) {
        self.app.closed = true;
    }

    pub(super) fn is_inside_poll(&self) -> bool {
        self.app.callback.is_none() && matches!(self.app.outer, Some(Work::Poll(_)))
    }

    /// Begins a call; most end at once.
    pub(super) fn begin(&mut self, call: Call, cx: &mut Cx<'_>) {
        let in_callback = self.app.callback.is_some();
        debug_assert!(
            if in_callback {
                &self.app.inner
            } else {
                &self.app.outer
            }
            .is_none(),
            "one call at a time"
        );
        match self.begin_work(call, in_callback, cx) {
            Err(exception) => self.give_back(Err(exception), cx),
            Ok(None) => self.give_back(Ok(Returned::Nothing), cx),
            Ok(Some(work)) => {
                if let Some(at) = work.deadline() {
                    self.timers.set(Timer::Call(in_callback), at, cx.journal);
                }
                let slot = if in_callback {
                    &mut self.app.inner
                } else {
                    &mut self.app.outer
                };
                *slot = Some(work);
                self.run(cx);
            }
        }
    }

    fn begin_work(
        &mut self,
        call: Call,
        in_callback: bool,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Work>, Exception> {
        if self.app.closed {
            let text = "This consumer has already been closed.";
            return Err(Exception::IllegalState(text.into()));
        }
        // DEVIATION: Java lets a listener do even these, to little good.
        if in_callback
            && matches!(
                call,
                Call::Poll { .. } | Call::Unsubscribe | Call::Close | Call::Assign { .. }
            )
        {
            let text = "not from inside a rebalance callback";
            return Err(Exception::IllegalState(text.into()));
        }
        self.start_auto_commit_timer(cx);
        match call {
            Call::Poll { timeout } => {
                let deadline = (timeout.0 >= 0).then(|| cx.now() + timeout);
                return Ok(Some(Work::Poll(deadline)));
            }
            Call::CommitSync { offsets } => {
                let offsets = self.offsets_to_commit(offsets)?;
                let limit = self.settings.config.default_api_timeout_ms;
                let deadline = cx.now() + Duration::from_ms(limit.into());
                let owner = CommitOwner::Sync(CommitKind::Sync);
                let commit = SyncCommit::new(owner, offsets, deadline);
                return Ok(Some(Work::CommitSync(commit)));
            }
            Call::CommitAsync { offsets, id } => {
                let offsets = self.offsets_to_commit(offsets)?;
                self.invoke_completed_commits(cx)?;
                self.commit_async(CommitOwner::Application(id), offsets, cx);
            }
            Call::Subscribe { topics } if topics.is_empty() => {
                return Ok(Some(Work::Leave(Closing::unsubscribe())));
            }
            Call::Subscribe { topics } => self.subscribe(topics, cx)?,
            Call::SubscribePattern { pattern } => self.subscribe_pattern(pattern, cx)?,
            Call::Assign { partitions } if partitions.is_empty() => {
                return Ok(Some(Work::Leave(Closing::unsubscribe())));
            }
            Call::Assign { partitions } => self.assign_partitions(partitions, cx)?,
            Call::Unsubscribe => return Ok(Some(Work::Leave(Closing::unsubscribe()))),
            Call::Seek { partition, offset } => self.seek(&partition, offset, cx)?,
            Call::Pause { partitions } => self.set_paused(&partitions, true, cx)?,
            Call::Resume { partitions } => self.set_paused(&partitions, false, cx)?,
            Call::EnforceRebalance if !self.has_group() => {
                let text = "Tried to force a rebalance but consumer does not have a group.";
                return Err(Exception::IllegalState(text.into()));
            }
            Call::EnforceRebalance => self.request_rejoin("rebalance enforced by user"),
            Call::Close => return Ok(Some(Work::Leave(self.begin_close(cx)))),
        }
        Ok(None)
    }

    /// The given offsets, or all positions.
    fn offsets_to_commit(
        &self,
        offsets: Option<SortedMap<TopicPartition, Offset>>,
    ) -> Result<CommitOffsets, Exception> {
        if !self.has_group() {
            return Err(self.no_group());
        }
        let Some(offsets) = offsets else {
            return Ok(self.subscriptions.all_consumed());
        };
        let offsets = offsets.into_iter();
        Ok(offsets
            .map(|(partition, offset)| (partition, offset, -1))
            .collect())
    }

    /// The blocked call goes as far as it can.
    pub(super) fn run(&mut self, cx: &mut Cx<'_>) {
        self.app.awake = false;
        let in_callback = self.app.callback.is_some();
        let slot = if in_callback {
            &mut self.app.inner
        } else {
            &mut self.app.outer
        };
        let Some(mut work) = slot.take() else {
            return;
        };
        let step = match &mut work {
            Work::Poll(deadline) => self.poll_step(*deadline, cx),
            Work::CommitSync(commit) => self.sync_commit_call(commit, cx),
            Work::Leave(closing) => self.leave_step(closing, cx),
        };
        match step {
            Step::Wait if in_callback => self.app.inner = Some(work),
            Step::Wait => self.app.outer = Some(work),
            Step::Done(result) => {
                self.timers.cancel(&Timer::Call(in_callback));
                self.give_back(result, cx);
            }
        }
    }

    /// A blocked poll ends now, with nothing.
    pub(super) fn end_poll(&mut self, cx: &mut Cx<'_>) {
        if self.is_inside_poll() {
            self.app.outer = None;
            self.timers.cancel(&Timer::Call(false));
            self.give_back(Ok(Returned::Records(Vec::new())), cx);
        }
    }

    fn give_back(&mut self, result: Result<Returned, Exception>, cx: &mut Cx<'_>) {
        if let Err(exception) = &result {
            cx.journal.note(FactKind::Thrown {
                actor: self.settings.actor.clone(),
                process: self.settings.process,
                exception: exception.clone(),
            });
        }
        cx.out.push(Action::Event(ConsumerEvent::Returned(result)));
    }

    /// Calls the rebalance listener; `after` follows when it has returned.
    pub(super) fn call_back(
        &mut self,
        callback: Callback,
        partitions: Vec<TopicPartition>,
        after: After,
        cx: &mut Cx<'_>,
    ) {
        cx.journal.note(FactKind::CallbackCalled {
            member: self.group.membership.clone(),
            callback,
            partitions: partitions.clone(),
        });
        self.app.callback = Some((callback, after));
        let event = ConsumerEvent::CallbackCalled {
            callback,
            partitions,
        };
        cx.out.push(Action::Event(event));
    }

    /// The rebalance listener has returned: the call inside which it ran goes on.
    pub(super) fn called_back(&mut self, cx: &mut Cx<'_>) {
        let Some((callback, after)) = self.app.callback.take() else {
            return;
        };
        debug_assert!(self.app.inner.is_none(), "the callback's calls have ended");
        cx.journal.note(FactKind::CallbackReturned {
            member: self.group.membership.clone(),
            callback,
        });
        match after {
            After::PrepareGivenUp => self.finish_prepare(cx),
            After::PrepareCalledBack => self.join.needs_prepare = true,
            After::CooperativeRevoked(partitions) => self.cooperative_revoked(partitions, cx),
            After::Assigned => self.join_is_complete(),
            After::Leave => {}
        }
        self.run(cx);
    }
}
