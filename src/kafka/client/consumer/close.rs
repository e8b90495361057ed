//! `close` and `unsubscribe` (`ConsumerCoordinator.close`, `onLeavePrepare`, `Fetcher.close`).

use super::app::{After, Step};
use super::commits::CommitOwner;
use super::fetch_session::FINAL_EPOCH;
use super::join_state::JoinFuture;
use super::settings::Returned;
use super::sync_commit::SyncCommit;
use super::{Consumer, Cx, Purpose};
use crate::kafka::api::FetchRequest;
use crate::kafka::client::{Channel, Flavour};
use crate::kafka::fact::{Callback, CommitKind, FactKind, ReleaseCause};
use crate::kafka::ids::BrokerId;
use crate::kafka::sorted::SortedSet;
use crate::kafka::time::{Duration, Instant};
use crate::kafka::timers::Timers;
use std::collections::VecDeque;
use std::rc::Rc;

/// `KafkaConsumer.DEFAULT_CLOSE_TIMEOUT_MS`
const DEFAULT_CLOSE_TIMEOUT_MS: i64 = 30_000;

/// What is still to be done, first thing first.
#[derive(Clone, Debug)]
enum Stage {
    /// Auto commit on: commit all positions and wait. Errors end up in the log only.
    Commit(Option<SyncCommit>),
    /// Async commits that wait for the coordinator.
    PendingCommits,
    StopHeartbeat,
    Callback,
    /// The partitions go.
    Drop,
    /// LeaveGroup, with its reason.
    Leave(&'static str),
    /// What is in flight to the coordinator.
    AwaitAnswers,
    CloseSessions,
    AwaitSessions,
    /// The subscription goes.
    Forget,
    Closed,
}

/// A `close` or `unsubscribe` under way.
#[derive(Clone, Debug)]
pub(super) struct Closing {
    stages: VecDeque<Stage>,
    /// `None`: it does not wait for anything but the listener.
    pub deadline: Option<Instant>,
    cause: ReleaseCause,
}

impl Closing {
    pub fn unsubscribe() -> Self {
        let reason = "the consumer unsubscribed from all topics";
        let stages = [
            Stage::Callback,
            Stage::Drop,
            Stage::Leave(reason),
            Stage::Forget,
        ];
        Self {
            stages: stages.into(),
            deadline: None,
            cause: ReleaseCause::Closed,
        }
    }
}

impl Consumer {
    pub(super) fn begin_close(&mut self, cx: &mut Cx<'_>) -> Closing {
        let limit_ms = DEFAULT_CLOSE_TIMEOUT_MS.min(self.settings.config.request_timeout_ms.into());
        let mut stages = VecDeque::new();
        let leaves = self.settings.config.internal_leave_group_on_close;
        match self.settings.flavour {
            Flavour::Java => {
                stages.extend([Stage::Commit(None), Stage::PendingCommits]);
                stages.push_back(Stage::StopHeartbeat);
                if leaves {
                    stages.push_back(Stage::Callback);
                }
            }
            Flavour::Librdkafka => {
                if leaves {
                    stages.push_back(Stage::Callback);
                }
                stages.extend([Stage::Commit(None), Stage::PendingCommits]);
                stages.push_back(Stage::StopHeartbeat);
            }
        }
        stages.push_back(Stage::Drop);
        if leaves {
            stages.push_back(Stage::Leave("the consumer is being closed"));
        }
        stages.extend([Stage::AwaitAnswers, Stage::CloseSessions]);
        stages.extend([Stage::AwaitSessions, Stage::Closed]);
        Closing {
            stages,
            deadline: Some(cx.now() + Duration::from_ms(limit_ms)),
            cause: ReleaseCause::Closed,
        }
    }

    /// Goes on with `close` or `unsubscribe`.
    pub(super) fn leave_step(&mut self, closing: &mut Closing, cx: &mut Cx<'_>) -> Step {
        let expired = closing.deadline.is_some_and(|at| at <= cx.now());
        while let Some(mut stage) = closing.stages.pop_front() {
            let waits = match &mut stage {
                Stage::Commit(commit) => self.commit_of_close(commit, closing.deadline, cx),
                Stage::PendingCommits => {
                    // A fenced commit is not worth more than a line in the log here.
                    self.invoke_completed_commits(cx).is_ok() && self.commits.has_pending()
                }
                Stage::StopHeartbeat => {
                    self.disable_heartbeat();
                    self.join.future = JoinFuture::None;
                    false
                }
                Stage::Callback => {
                    if self.leave_callback(closing, cx) {
                        return Step::Wait;
                    }
                    false
                }
                Stage::Drop => {
                    self.drop_assignment(closing.cause, cx);
                    false
                }
                Stage::Leave(reason) => {
                    let reason = *reason;
                    self.maybe_leave_group(reason, cx);
                    false
                }
                Stage::AwaitAnswers => {
                    let coordinator = self.coordinator.node;
                    coordinator
                        .is_some_and(|node| self.network.in_flight(node, Channel::Coordinator) > 0)
                }
                Stage::CloseSessions => {
                    self.close_sessions(cx);
                    false
                }
                Stage::AwaitSessions => self.sessions_closing > 0,
                Stage::Forget => {
                    self.forget_subscription(cx);
                    return Step::Done(Ok(Returned::Nothing));
                }
                Stage::Closed => {
                    self.timers = Timers::default();
                    self.set_closed();
                    return Step::Done(Ok(Returned::Closed));
                }
            };
            if waits && !expired {
                closing.stages.push_front(stage);
                return Step::Wait;
            }
        }
        Step::Done(Ok(Returned::Nothing))
    }

    /// Whether the commit of `close` has to be waited for.
    fn commit_of_close(
        &mut self,
        commit: &mut Option<SyncCommit>,
        deadline: Option<Instant>,
        cx: &mut Cx<'_>,
    ) -> bool {
        if !self.auto_commit_enabled() {
            return false;
        }
        let commit = commit.get_or_insert_with(|| {
            let offsets = self.final_offsets(|_| true);
            let owner = CommitOwner::Sync(CommitKind::Auto);
            SyncCommit::new(owner, offsets, deadline.unwrap_or(cx.now()))
        });
        self.sync_commit_step(commit, cx).is_none()
    }

    /// Calls the listener for what is owned. `false`: there is nothing to call it for.
    fn leave_callback(&mut self, closing: &mut Closing, cx: &mut Cx<'_>) -> bool {
        let partitions = self.subscriptions.assigned();
        if !self.subscriptions.has_auto_assigned_partitions() || partitions.is_empty() {
            return false;
        }
        let lost =
            self.group.current.has_lost_its_partitions() || self.group.rebalance_in_progress();
        let callback = if lost {
            closing.cause = ReleaseCause::Lost;
            Callback::Lost
        } else {
            Callback::Revoked
        };
        self.call_back(callback, partitions, After::Leave, cx);
        true
    }

    fn drop_assignment(&mut self, cause: ReleaseCause, cx: &mut Cx<'_>) {
        self.change_assignment(&SortedSet::new(), cause, cx);
    }

    fn forget_subscription(&mut self, cx: &mut Cx<'_>) {
        self.subscriptions.unsubscribe();
        self.fetcher.keep_buffered(|_| false);
        cx.journal.note(FactKind::SubscriptionChanged {
            member: self.group.membership.clone(),
            topics: Vec::new(),
            pattern: None,
        });
    }

    /// Tells every broker with a fetch session that it is over.
    fn close_sessions(&mut self, cx: &mut Cx<'_>) {
        let open: Vec<(BrokerId, i32)> = self
            .fetcher
            .sessions
            .iter()
            .filter(|(node, session)| {
                session.id != 0 && self.network.is_connected(**node, Channel::Data)
            })
            .map(|(node, session)| (*node, session.id))
            .collect();
        let config = self.settings.config.clone();
        for (node, session_id) in open {
            let request = FetchRequest {
                replica_id: BrokerId(-1),
                max_wait_ms: config.fetch_max_wait_ms,
                min_bytes: config.fetch_min_bytes,
                max_bytes: config.fetch_max_bytes,
                isolation_level: self.isolation_level(),
                session_id,
                session_epoch: FINAL_EPOCH,
                topics: Vec::new(),
                forgotten_topics_data: Vec::new(),
                rack_id: Rc::clone(&config.client_rack),
            };
            self.sessions_closing += 1;
            let purpose = Purpose::CloseSession;
            self.send(node, Channel::Data, request.into(), purpose, cx);
        }
    }

    /// A broker has closed its session, or will not say so.
    pub(super) fn on_session_closed(&mut self) {
        self.sessions_closing = self.sessions_closing.saturating_sub(1);
        self.awake();
    }
}
