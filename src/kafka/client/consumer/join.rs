//! Joining the group, as the application thread goes about it inside poll
//! (`AbstractCoordinator.joinGroupIfNeeded`).

use super::join_state::{JoinFailure, JoinFuture};
use super::membership::MemberGeneration;
use super::{Consumer, Cx, Purpose, Retry, Timer};
use crate::kafka::api::{JoinGroupRequest, JoinGroupResponse, SyncGroupRequest, SyncGroupResponse};
use crate::kafka::client::{Channel, Flavour};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Exception, MemberState};
use crate::kafka::ids::{BrokerId, Bytes};
use crate::kafka::time::Duration;
use std::rc::Rc;

/// What a member is of, in JoinGroup.
pub(super) const PROTOCOL_TYPE: &str = "consumer";

/// How long the broker may take beyond the rebalance timeout, ms (`JOIN_GROUP_TIMEOUT_LAPSE`).
const JOIN_GROUP_TIMEOUT_LAPSE_MS: i64 = 5_000;

/// librdkafka joins once a second at most, and a second later after an error (`rkcg_join_intvl`).
///
/// DEVIATION: it looks once a second whether it is time, so there it may take up to a second longer.
const JOIN_INTERVAL_MS: i64 = 2_000;

/// How far the application thread got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum JoinProgress {
    /// Member of a stable generation.
    Joined,
    /// Something has to arrive first; poll goes on with what it has.
    NotYet,
    /// The leader is at its assignment: nothing else is done meanwhile.
    Busy,
    /// The rebalance listener was called.
    Callback,
}

impl Consumer {
    /// Whether JoinGroup has to be sent, or is under way (`ConsumerCoordinator.rejoinNeededOrPending`).
    pub(super) fn rejoin_needed_or_pending(&mut self) -> bool {
        if !self.subscriptions.has_auto_assigned_partitions() {
            return false;
        }
        if let Some(assigned) = &self.join.assignment_snapshot
            && !Rc::ptr_eq(assigned, &self.snapshot)
        {
            if **assigned != *self.snapshot {
                self.request_rejoin_if_necessary("cached metadata has changed");
                return true;
            }
            self.join.assignment_snapshot = Some(self.snapshot.clone());
        }
        if let Some(joined) = &self.join.joined_subscription
            && !Rc::ptr_eq(joined, self.subscriptions.subscription())
            && joined != self.subscriptions.subscription()
        {
            self.request_rejoin_if_necessary("subscription has changed");
            return true;
        }
        self.group.rejoin_needed || !matches!(self.join.future, JoinFuture::None)
    }

    fn request_rejoin_if_necessary(&mut self, reason: &str) {
        if !self.group.rejoin_needed {
            self.request_rejoin(reason);
        }
    }

    /// Goes as far towards a stable membership as it can without waiting.
    pub(super) fn join_group_if_needed(
        &mut self,
        cx: &mut Cx<'_>,
    ) -> Result<JoinProgress, Exception> {
        while self.rejoin_needed_or_pending() {
            if !self.coordinator_ready(cx)? {
                return Ok(JoinProgress::NotYet);
            }
            if self
                .timers
                .deadline(&Timer::Retry(Retry::Join))
                .is_some_and(|at| at > cx.now())
            {
                return Ok(JoinProgress::NotYet);
            }
            if self.join.needs_prepare {
                self.join.needs_prepare = false;
                match self.on_join_prepare(cx) {
                    super::prepare::Prepared::Done => {}
                    super::prepare::Prepared::Callback => return Ok(JoinProgress::Callback),
                    super::prepare::Prepared::Waiting => {
                        self.join.needs_prepare = true;
                        return Ok(JoinProgress::NotYet);
                    }
                }
            }
            match std::mem::replace(&mut self.join.future, JoinFuture::None) {
                JoinFuture::None => self.initiate_join_group(cx),
                waiting @ (JoinFuture::Joining | JoinFuture::Syncing) => {
                    self.join.future = waiting;
                    return Ok(JoinProgress::NotYet);
                }
                busy @ (JoinFuture::AwaitingMetadata(_) | JoinFuture::Assigning(_)) => {
                    self.join.future = busy;
                    return Ok(JoinProgress::Busy);
                }
                JoinFuture::Answered(sent, response) => {
                    self.process_join_group(&sent, response, cx);
                }
                JoinFuture::ReadyToAssign(response) => self.begin_assigning(response, cx),
                JoinFuture::Done(Ok(assignment)) => {
                    if let Some(progress) = self.join_succeeded(assignment, cx)? {
                        return Ok(progress);
                    }
                }
                JoinFuture::Done(Err(failure)) => {
                    if let Some(progress) = self.join_failed(&failure, cx)? {
                        return Ok(progress);
                    }
                }
            }
        }
        Ok(JoinProgress::Joined)
    }

    fn join_succeeded(
        &mut self,
        assignment: Bytes,
        cx: &mut Cx<'_>,
    ) -> Result<Option<JoinProgress>, Exception> {
        if self.group.current.is_reset() || self.group.state != MemberState::Stable {
            // The heartbeat thread gave up the generation before the application came to look.
            let reason =
                "rebalance failed since the generation/state was modified by heartbeat thread";
            self.reset_state_and_rejoin(reason, true, cx);
            return Ok(None);
        }
        self.on_join_complete(assignment, cx)
    }

    fn join_failed(
        &mut self,
        failure: &JoinFailure,
        cx: &mut Cx<'_>,
    ) -> Result<Option<JoinProgress>, Exception> {
        if *failure != JoinFailure::Kafka(ErrorCode::MemberIdRequired) {
            self.request_rejoin(format!("rebalance failed due to {}", failure.class_name()));
        }
        if failure.is_immediate() {
            return Ok(None);
        }
        let pause_ms = match self.settings.flavour {
            Flavour::Java => self.settings.config.retry_backoff_ms,
            Flavour::Librdkafka => JOIN_INTERVAL_MS,
        };
        if failure.is_retriable() || self.settings.flavour == Flavour::Librdkafka {
            let at = cx.now() + Duration::from_ms(pause_ms);
            self.timers.set(Timer::Retry(Retry::Join), at, cx.journal);
        }
        if !failure.is_retriable() {
            return Err(failure.exception());
        }
        Ok(Some(JoinProgress::NotYet))
    }

    fn initiate_join_group(&mut self, cx: &mut Cx<'_>) {
        let Some(coordinator) = self.coordinator.node else {
            self.join.future =
                JoinFuture::Done(Err(JoinFailure::Kafka(ErrorCode::CoordinatorNotAvailable)));
            return;
        };
        self.set_member_state(MemberState::PreparingRebalance, cx);
        if self.settings.flavour == Flavour::Librdkafka && self.metadata.version > 0 {
            self.join.assignment_snapshot = Some(self.snapshot.clone());
        }
        let config = self.settings.config.clone();
        let says_why = self.settings.flavour == Flavour::Java;
        let request = JoinGroupRequest {
            group_id: self.group_id(),
            session_timeout_ms: config.session_timeout_ms,
            rebalance_timeout_ms: config.max_poll_interval_ms,
            member_id: self.group.current.member_id.clone(),
            group_instance_id: config.group_instance_id.clone(),
            protocol_type: PROTOCOL_TYPE.into(),
            protocols: self.join_group_protocols(),
            reason: says_why.then(|| self.group.rejoin_reason.clone()),
        };
        let timeout_ms = i64::from(config.request_timeout_ms)
            .max(i64::from(config.max_poll_interval_ms) + JOIN_GROUP_TIMEOUT_LAPSE_MS);
        self.join.future = JoinFuture::Joining;
        self.send_within(
            coordinator,
            Channel::Coordinator,
            request.into(),
            Purpose::Join(self.group.current.clone()),
            Duration::from_ms(timeout_ms),
            cx,
        );
    }

    /// JoinGroup was answered. The application thread looks at it when it is in poll.
    pub(super) fn on_join_group(&mut self, sent: Rc<MemberGeneration>, answer: JoinGroupResponse) {
        if matches!(self.join.future, JoinFuture::Joining) {
            self.join.future = JoinFuture::Answered(sent, Rc::new(answer));
        }
        self.awake();
    }

    /// `JoinGroupResponseHandler.handle`
    fn process_join_group(
        &mut self,
        sent: &MemberGeneration,
        response: Rc<JoinGroupResponse>,
        cx: &mut Cx<'_>,
    ) {
        let failure = match response.error_code {
            ErrorCode::None if self.group.state != MemberState::PreparingRebalance => {
                JoinFailure::Unjoined
            }
            ErrorCode::None => {
                self.joined(response, cx);
                return;
            }
            error @ ErrorCode::UnknownMemberId => {
                if self.generation_unchanged(sent) {
                    self.reset_on_error("JOIN_GROUP", error, cx);
                }
                JoinFailure::Kafka(error)
            }
            error @ (ErrorCode::CoordinatorNotAvailable | ErrorCode::NotCoordinator) => {
                self.mark_coordinator_unknown(cx);
                JoinFailure::Kafka(error)
            }
            error @ ErrorCode::MemberIdRequired => {
                self.set_generation(MemberGeneration {
                    member_id: response.member_id.clone(),
                    ..MemberGeneration::none()
                });
                let id = &response.member_id;
                let reason = format!("need to re-join with the given member-id: {id}");
                self.request_rejoin(reason);
                JoinFailure::Kafka(error)
            }
            error @ (ErrorCode::CoordinatorLoadInProgress
            | ErrorCode::RebalanceInProgress
            | ErrorCode::FencedInstanceId
            | ErrorCode::InconsistentGroupProtocol
            | ErrorCode::InvalidSessionTimeout
            | ErrorCode::InvalidGroupId
            | ErrorCode::GroupMaxSizeReached
            | ErrorCode::UnsupportedVersion) => JoinFailure::Kafka(error),
            error => JoinFailure::Unexpected(error),
        };
        self.join.future = JoinFuture::Done(Err(failure));
    }

    fn joined(&mut self, response: Rc<JoinGroupResponse>, cx: &mut Cx<'_>) {
        self.set_generation(MemberGeneration {
            generation: response.generation_id,
            member_id: response.member_id.clone(),
            protocol: response.protocol_name.clone(),
        });
        self.set_member_state(MemberState::CompletingRebalance, cx);
        self.enable_heartbeat(cx);
        if response.leader == response.member_id {
            self.on_leader_elected(response, cx);
        } else {
            self.send_sync_group(Vec::new(), cx);
        }
    }

    pub(super) fn send_sync_group(
        &mut self,
        assignments: Vec<crate::kafka::api::SyncGroupRequestAssignment>,
        cx: &mut Cx<'_>,
    ) {
        let Some(coordinator) = self.coordinator.node else {
            self.join.future =
                JoinFuture::Done(Err(JoinFailure::Kafka(ErrorCode::CoordinatorNotAvailable)));
            return;
        };
        let current = self.group.current.clone();
        let request = SyncGroupRequest {
            group_id: self.group_id(),
            generation_id: current.generation,
            member_id: current.member_id.clone(),
            group_instance_id: self.settings.config.group_instance_id.clone(),
            protocol_type: Some(PROTOCOL_TYPE.into()),
            protocol_name: current.protocol.clone(),
            assignments,
        };
        self.join.future = JoinFuture::Syncing;
        let channel = Channel::Coordinator;
        self.send(
            coordinator,
            channel,
            request.into(),
            Purpose::Sync(current),
            cx,
        );
    }

    /// `SyncGroupResponseHandler.handle`. The heartbeat thread may do this.
    pub(super) fn on_sync_group(
        &mut self,
        sent: &MemberGeneration,
        response: SyncGroupResponse,
        cx: &mut Cx<'_>,
    ) {
        let result = match response.error_code {
            ErrorCode::None => self.synced_group(response, cx),
            error @ (ErrorCode::UnknownMemberId | ErrorCode::IllegalGeneration) => {
                if self.generation_unchanged(sent) {
                    self.reset_on_error("SYNC_GROUP", error, cx);
                }
                Err(JoinFailure::Kafka(error))
            }
            error @ (ErrorCode::CoordinatorNotAvailable | ErrorCode::NotCoordinator) => {
                self.mark_coordinator_unknown(cx);
                Err(JoinFailure::Kafka(error))
            }
            error @ (ErrorCode::RebalanceInProgress | ErrorCode::FencedInstanceId) => {
                Err(JoinFailure::Kafka(error))
            }
            error => Err(JoinFailure::Unexpected(error)),
        };
        if matches!(self.join.future, JoinFuture::Syncing) {
            self.join.future = JoinFuture::Done(result);
        }
        self.awake();
    }

    fn synced_group(
        &mut self,
        response: SyncGroupResponse,
        cx: &mut Cx<'_>,
    ) -> Result<Bytes, JoinFailure> {
        let completing = self.group.state == MemberState::CompletingRebalance;
        if self.group.current.is_reset() || !completing {
            // Tried again at once.
            return Err(JoinFailure::Kafka(ErrorCode::IllegalGeneration));
        }
        if response.protocol_name.is_some() && response.protocol_name != self.group.current.protocol
        {
            return Err(JoinFailure::Kafka(ErrorCode::InconsistentGroupProtocol));
        }
        self.set_member_state(MemberState::Stable, cx);
        self.group.rejoin_reason = "".into();
        self.group.rejoin_needed = false;
        self.synced(cx);
        Ok(response.assignment)
    }

    /// JoinGroup or SyncGroup got no answer.
    pub(super) fn on_join_disconnected(&mut self) {
        if matches!(self.join.future, JoinFuture::Joining | JoinFuture::Syncing) {
            self.join.future = JoinFuture::Done(Err(JoinFailure::Disconnected));
        }
    }

    /// The broker that the leader asks for metadata by librdkafka's custom.
    pub(super) fn coordinator_node(&self) -> Option<BrokerId> {
        self.coordinator.node
    }
}
