//! librdkafka's own words (`rdkafka_cgrp.c`). What stands at level 7 is only printed under `debug=cgrp`.

use super::words::{librdkafka_message, python_exception};
use super::{Exchange, LogLevel, Noticed, Pen};
use crate::kafka::api::{JoinGroupResponse, Request, Response};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Callback, CommitKind, Exception, FactKind, MemberState, StopCause, Why};
use crate::kafka::ids::{BrokerId, GroupId, Offset, TopicPartition};

/// `rkcg_join_state`, as far as it can be told apart from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum JoinState {
    #[default]
    Init,
    WaitJoin,
    WaitSync,
    WaitAssignCall,
    WaitUnassignCall,
    Steady,
}

impl JoinState {
    const fn name(self) -> &'static str {
        match self {
            JoinState::Init => "init",
            JoinState::WaitJoin => "wait-join",
            JoinState::WaitSync => "wait-sync",
            JoinState::WaitAssignCall => "wait-assign-call",
            JoinState::WaitUnassignCall => "wait-unassign-call",
            JoinState::Steady => "steady",
        }
    }
}

/// What the words depend on.
#[derive(Clone, Debug, Default)]
pub(super) struct Librdkafka {
    join_state: JoinState,
    is_cooperative: bool,
    group: GroupId,
    topics: usize,
    owned: usize,
    coordinator: Option<BrokerId>,
    commits: Vec<Vec<(TopicPartition, Offset)>>,
}

impl Librdkafka {
    /// `rd_kafka_log_buf`: level, time, facility, client; then the thread.
    fn log(&self, pen: &mut Pen<'_>, level: u8, facility: &'static str, text: String) {
        let ms = pen.at.0.div_euclid(1_000);
        let (seconds, rest) = (ms.div_euclid(1_000), ms.rem_euclid(1_000));
        let client = &pen.who.client_id;
        let prefix =
            format!("%{level}|{seconds}.{rest:03}|{facility}|{client}#consumer-1| [thrd:main]: ");
        let grave = match level {
            0..=3 => LogLevel::Error,
            4 => LogLevel::Warn,
            5 | 6 => LogLevel::Info,
            _ => LogLevel::Debug,
        };
        let line = pen.line(grave, facility, prefix.into(), text);
        pen.lines.push(line.into());
    }

    fn group(&self) -> String {
        format!("Group \"{}\"", self.group)
    }

    /// `rd_kafka_cgrp_revoke_all_rejoin`
    fn rebalance(&self, pen: &mut Pen<'_>, is_initiating: bool, is_lost: bool, reason: &str) {
        let text = format!(
            "{} {} ({}) in state up (join-state {}) with {} assigned partition(s){}: {reason}",
            self.group(),
            match is_initiating {
                true => "initiating rebalance",
                false => "is rebalancing",
            },
            match self.is_cooperative {
                true => "COOPERATIVE",
                false => "EAGER",
            },
            self.join_state.name(),
            self.owned,
            if is_lost { " (lost)" } else { "" },
        );
        self.log(pen, 7, "REBALANCE", text);
    }

    /// `rd_kafka_cgrp_rejoin`
    fn rejoin(&self, pen: &mut Pen<'_>, reason: &str) {
        let held = match self.owned {
            0 => " without an assignment".to_owned(),
            owned => format!(" with {owned} owned partition(s)"),
        };
        let joining = match self.join_state {
            JoinState::Init => "Joining",
            _ => "Rejoining",
        };
        let text = format!("{}: {joining} group{held}: {reason}", self.group());
        self.log(pen, 7, "REJOIN", text);
    }

    pub fn say(&mut self, noticed: Noticed<'_>, pen: &mut Pen<'_>) {
        match noticed {
            Noticed::Fact(kind) => self.fact(kind, pen),
            Noticed::Sent(sent) => self.sent(sent, pen),
            Noticed::Answered(sent, response) => self.answered(sent, response, pen),
            Noticed::TimedOut(sent) => {
                let text = format!(
                    "Timed out {}Request in flight (after {}ms, timeout #0)",
                    sent.request.api().name(),
                    (pen.at - sent.at).as_ms()
                );
                self.log(pen, 5, "REQTMOUT", text);
            }
        }
    }

    fn fact(&mut self, kind: &FactKind, pen: &mut Pen<'_>) {
        match kind {
            FactKind::Started { .. } => *self = Self::default(),
            FactKind::SubscriptionChanged { member, topics, .. } => {
                self.group = member.group.clone();
                self.topics = topics.len();
                if member.generation.0 >= 0 && self.coordinator.is_none() {
                    // A member from before the beginning.
                    return;
                }
                let text = format!(
                    "{}: subscribe to new {}subscription of {} topics (join-state {})",
                    self.group(),
                    if topics.is_empty() { "unset " } else { "" },
                    topics.len(),
                    self.join_state.name()
                );
                self.log(pen, 7, "SUBSCRIBE", text);
            }
            FactKind::MemberStateChanged { to, .. } => {
                self.join_state = match to {
                    MemberState::Unjoined => JoinState::Init,
                    MemberState::PreparingRebalance => JoinState::WaitJoin,
                    MemberState::CompletingRebalance => JoinState::WaitSync,
                    MemberState::Stable => JoinState::Steady,
                };
            }
            FactKind::Acquire { .. } => self.owned += 1,
            FactKind::Release { .. } => self.owned = self.owned.saturating_sub(1),
            FactKind::CallbackCalled {
                callback,
                partitions,
                ..
            } => self.callback(*callback, partitions.len(), pen),
            FactKind::CallbackReturned { callback, .. } => {
                self.join_state = match callback {
                    Callback::Assigned => JoinState::Steady,
                    Callback::Revoked | Callback::Lost => JoinState::Init,
                };
            }
            // The check finds it late by up to half a second; here it comes at once.
            FactKind::PollTimeoutExpired { .. } => {
                let text = format!(
                    "Application maximum poll interval ({}ms) exceeded by 1ms (adjust \
                     max.poll.interval.ms for long-running message processing): leaving group",
                    pen.who.max_poll_interval_ms
                );
                self.log(pen, 4, "MAXPOLL", text);
            }
            FactKind::TimerFired {
                why: Why::ClientSessionTimeout,
                ..
            } => {
                let text = format!(
                    "Consumer group session timed out (in join-state {}) after {} ms without a successful \
                     response from the group coordinator (broker {}, last error was Success): revoking \
                     assignment and rejoining group",
                    self.join_state.name(),
                    pen.who.session_timeout_ms,
                    self.coordinator.map_or(-1, |broker| broker.0)
                );
                self.log(pen, 4, "SESSTMOUT", text);
            }
            FactKind::CommitStarted { offsets, .. } => self.commits.push(offsets.clone()),
            FactKind::CommitFinished { kind, error, .. } => {
                if self.commits.is_empty() {
                    return;
                }
                let offsets = self.commits.remove(0);
                if let (CommitKind::Auto, Some(error)) = (kind, error) {
                    self.commit_failed(&offsets, error, pen);
                }
            }
            FactKind::Thrown { exception, .. } => {
                let text = python_exception(exception);
                let line = pen.line(LogLevel::Error, "main", "".into(), text);
                pen.lines.push(line.into());
            }
            FactKind::Stopped {
                how: StopCause::Closed,
                ..
            } => {
                let text = format!(
                    "Terminating group \"{}\" in state up with 0 partition(s)",
                    self.group
                );
                self.log(pen, 7, "CGRPTERM", text);
            }
            _ => {}
        }
    }

    /// `rd_kafka_rebalance_op`
    fn callback(&mut self, callback: Callback, count: usize, pen: &mut Pen<'_>) {
        let incremental = if self.is_cooperative {
            "incremental "
        } else {
            ""
        };
        let (what, reason) = match callback {
            Callback::Assigned if self.is_cooperative => ("assign", "sync group assign"),
            Callback::Assigned => ("assign", "new assignment"),
            Callback::Revoked if self.is_cooperative => ("revoke", "sync group revoke"),
            Callback::Revoked => ("revoke", "rebalance in progress"),
            Callback::Lost => ("revoke", "resetting member-id"),
        };
        self.join_state = match callback {
            Callback::Assigned => JoinState::WaitAssignCall,
            Callback::Revoked | Callback::Lost => JoinState::WaitUnassignCall,
        };
        let text = format!(
            "{}: delegating {incremental}{what} of {count} partition(s) to application on queue \
             rd_kafka_cgrp_new: {reason}",
            self.group()
        );
        self.log(pen, 7, "ASSIGN", text);
    }

    fn sent(&mut self, sent: &Exchange, pen: &mut Pen<'_>) {
        match &*sent.request {
            Request::JoinGroup(join) => {
                self.group = join.group_id.clone();
                self.is_cooperative = !join.protocols.is_empty()
                    && join
                        .protocols
                        .iter()
                        .all(|one| &*one.name == "cooperative-sticky");
                let text = format!(
                    "{}: join with {} subscribed topic(s)",
                    self.group(),
                    self.topics
                );
                self.log(pen, 7, "JOIN", text);
            }
            Request::SyncGroup(sync) if !sync.assignments.is_empty() => {
                let text = format!(
                    "{}: \"{}\" assignor run for {} member(s)",
                    self.group(),
                    sync.protocol_name.as_deref().unwrap_or_default(),
                    sync.assignments.len()
                );
                self.log(pen, 7, "ASSIGNOR", text);
            }
            Request::LeaveGroup(_) => {
                let text = format!("{}: leave (in state up)", self.group());
                self.log(pen, 7, "LEAVE", text);
            }
            _ => {}
        }
    }

    fn answered(&mut self, sent: &Exchange, response: &Response, pen: &mut Pen<'_>) {
        let error = response.error();
        let message = librdkafka_message(error);
        match response {
            Response::FindCoordinator(found) if error.is_none() => {
                let Some(found) = found.coordinators.first() else {
                    return;
                };
                if let Request::FindCoordinator(asked) = &*sent.request
                    && let Some(key) = asked.coordinator_keys.first()
                {
                    self.group = (&**key).into();
                }
                let before = self.coordinator.map_or(-1, |broker| broker.0);
                self.coordinator = Some(found.node_id);
                let to = found.node_id.0;
                let text = format!("{} changing coordinator {before} -> {to}", self.group());
                self.log(pen, 7, "CGRPCOORD", text);
            }
            Response::JoinGroup(answer) => self.joined(answer, pen),
            Response::SyncGroup(answer) if error.is_none() => {
                let length = answer.assignment.len();
                let text =
                    format!("SyncGroup response: Success ({length} bytes of MemberState data)");
                self.log(pen, 7, "SYNCGROUP", text);
            }
            Response::SyncGroup(_) => {
                let text = format!(
                    "{}: synchronization failed: {message}: rejoining",
                    self.group()
                );
                self.log(pen, 7, "GRPSYNC", text);
            }
            Response::Heartbeat(_) if !error.is_none() => self.heartbeat_failed(error, pen),
            Response::LeaveGroup(_) => {
                let text = match error.is_none() {
                    true => "LeaveGroup response received in state up".to_owned(),
                    false => format!("LeaveGroup response error in state up: {message}"),
                };
                self.log(pen, 7, "LEAVEGROUP", text);
            }
            _ => {}
        }
    }

    /// `rd_kafka_cgrp_handle_JoinGroup`
    fn joined(&self, answer: &JoinGroupResponse, pen: &mut Pen<'_>) {
        let error = answer.error_code;
        let is_leader = !answer.member_id.is_empty() && answer.leader == answer.member_id;
        let text = format!(
            "JoinGroup response: GenerationId {}, Protocol {}, LeaderId {}{}, my MemberId {}, member metadata \
             count {}: {}",
            answer.generation_id.0,
            answer.protocol_name.as_deref().unwrap_or_default(),
            answer.leader,
            if is_leader { " (me)" } else { "" },
            answer.member_id,
            answer.members.len(),
            match error.is_none() {
                true => "(no error)",
                false => librdkafka_message(error),
            }
        );
        self.log(pen, 7, "JOINGROUP", text);
        if !error.is_none() {
            let message = librdkafka_message(error);
            self.rejoin(pen, &format!("JoinGroup error: {message}"));
        } else if is_leader {
            let text = format!(
                "I am elected leader for group \"{}\" with {} member(s)",
                self.group,
                answer.members.len()
            );
            self.log(pen, 7, "JOINGROUP", text);
        }
    }

    /// `rd_kafka_cgrp_handle_heartbeat`
    fn heartbeat_failed(&self, error: ErrorCode, pen: &mut Pen<'_>) {
        let message = librdkafka_message(error);
        let text = format!(
            "{} heartbeat error response in state up (join-state {}, {} partition(s) assigned): {message}",
            self.group(),
            self.join_state.name(),
            self.owned
        );
        self.log(pen, 7, "HEARTBEAT", text);
        if matches!(
            self.join_state,
            JoinState::WaitJoin | JoinState::WaitSync | JoinState::Init
        ) {
            let text = format!(
                "Heartbeat response: discarding outdated request (now in join-state {})",
                self.join_state.name()
            );
            self.log(pen, 7, "HEARTBEAT", text);
            return;
        }
        match error {
            ErrorCode::RebalanceInProgress if self.is_cooperative => {
                self.rejoin(pen, "Group is rebalancing");
            }
            ErrorCode::RebalanceInProgress => {
                self.rebalance(pen, false, false, "rebalance in progress");
            }
            ErrorCode::UnknownMemberId => self.rebalance(pen, true, true, "resetting member-id"),
            ErrorCode::IllegalGeneration => self.rebalance(pen, true, true, "illegal generation"),
            ErrorCode::FencedInstanceId => {
                self.rebalance(pen, true, true, "consumer fenced by newer instance");
            }
            ErrorCode::NotCoordinator | ErrorCode::CoordinatorNotAvailable => {
                let text = format!(
                    "Heartbeat failed due to coordinator (GroupCoordinator) no longer available: {message}: \
                     re-querying for coordinator"
                );
                self.log(pen, 7, "HEARTBEAT", text);
            }
            _ => {}
        }
    }

    /// `rd_kafka_cgrp_propagate_commit_result`
    fn commit_failed(
        &self,
        offsets: &[(TopicPartition, Offset)],
        error: &Exception,
        pen: &mut Pen<'_>,
    ) {
        let error = match error {
            Exception::Kafka(error) => *error,
            Exception::RebalanceInProgress => ErrorCode::RebalanceInProgress,
            Exception::FencedInstanceId => ErrorCode::FencedInstanceId,
            _ => ErrorCode::UnknownMemberId,
        };
        let message = librdkafka_message(error);
        let entry = |(partition, offset): &(TopicPartition, Offset)| {
            let TopicPartition { topic, partition } = partition;
            format!("{topic}((null))[{partition}]@{}({message})", offset.0)
        };
        let entries: Vec<String> = offsets.iter().map(entry).collect();
        let count = offsets.len();
        let text = format!(
            "Offset commit (cgrp auto commit timer) failed for {count}/{count} partition(s) in join-state {}: \
             {message}: {}",
            self.join_state.name(),
            entries.join(", ")
        );
        self.log(pen, 4, "COMMITFAIL", text);
    }
}
