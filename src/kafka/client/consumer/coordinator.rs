//! Who coordinates the group, and how that is found out (class `AbstractCoordinator`).

use super::{Consumer, Cx, Purpose, Retry, Timer};
use crate::kafka::api::{FindCoordinatorRequest, FindCoordinatorResponse};
use crate::kafka::client::Channel;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::Exception;
use crate::kafka::ids::BrokerId;

/// What is known of the coordinator.
#[derive(Clone, Debug, Default)]
pub(super) struct CoordinatorLookup {
    /// `None`: unknown.
    pub node: Option<BrokerId>,
    in_flight: bool,
    attempts: u32,
    fatal: Option<ErrorCode>,
}

impl Consumer {
    /// Starts looking for the coordinator, unless that is under way or backing off.
    pub(super) fn lookup_coordinator(&mut self, cx: &mut Cx<'_>) {
        let backing_off = Timer::Retry(Retry::Coordinator);
        if self.coordinator.node.is_some()
            || self.coordinator.in_flight
            || self.timers.deadline(&backing_off).is_some()
        {
            return;
        }
        let Some(node) = self.least_loaded_node(cx.now()) else {
            return;
        };
        self.coordinator.in_flight = true;
        let request = FindCoordinatorRequest {
            key_type: 0,
            coordinator_keys: vec![self.group_id().as_str().into()],
        };
        let purpose = Purpose::FindCoordinator;
        self.send(node, Channel::Data, request.into(), purpose, cx);
    }

    /// Makes sure that the coordinator is known, or is being looked for.
    ///
    /// # Errors
    /// What a former lookup failed with for good.
    pub(super) fn coordinator_ready(&mut self, cx: &mut Cx<'_>) -> Result<bool, Exception> {
        if self.coordinator.node.is_some() {
            return Ok(true);
        }
        if let Some(error) = self.coordinator.fatal.take() {
            return Err(Exception::Kafka(error));
        }
        self.lookup_coordinator(cx);
        Ok(false)
    }

    /// The answer to FindCoordinator.
    pub(super) fn on_find_coordinator(
        &mut self,
        response: &FindCoordinatorResponse,
        cx: &mut Cx<'_>,
    ) {
        self.coordinator.in_flight = false;
        let Some(found) = response.coordinators.first() else {
            self.on_find_coordinator_failed(cx);
            return;
        };
        let reachable = self
            .network
            .is_available(found.node_id, Channel::Coordinator, cx.now());
        if found.error_code.is_none() && !reachable {
            // Found, but its connection has just failed.
            self.on_find_coordinator_failed(cx);
        } else if found.error_code.is_none() {
            self.coordinator.node = Some(found.node_id);
            self.coordinator.attempts = 0;
            self.coordinator_found(cx);
        } else if found.error_code.is_retriable() {
            self.on_find_coordinator_failed(cx);
        } else {
            self.coordinator.fatal = Some(found.error_code);
            self.fail_pending_commits(found.error_code, cx);
        }
        self.awake();
    }

    fn coordinator_found(&mut self, cx: &mut Cx<'_>) {
        if self.heartbeat.enabled {
            self.restart_session_timer(cx);
            if self.heartbeat.poll_overdue {
                self.poll_timer_fired(cx);
            } else if self.heartbeat.overdue {
                self.send_heartbeat(cx);
            }
        }
        self.send_pending_commits(cx);
    }

    /// The lookup failed, or found that there is none yet: metadata is refreshed, and after a pause it is tried
    /// again.
    pub(super) fn on_find_coordinator_failed(&mut self, cx: &mut Cx<'_>) {
        self.coordinator.in_flight = false;
        let pause = self.backoff(self.coordinator.attempts);
        self.coordinator.attempts = self.coordinator.attempts.saturating_add(1);
        self.timers.set(
            Timer::Retry(Retry::Coordinator),
            cx.now() + pause,
            cx.journal,
        );
        self.fail_pending_commits(ErrorCode::CoordinatorNotAvailable, cx);
        self.request_metadata_update(cx);
        self.awake();
    }

    /// The pause before the next lookup is over.
    pub(super) fn retry_coordinator_lookup(&mut self, cx: &mut Cx<'_>) {
        if self.heartbeat.enabled {
            self.lookup_coordinator(cx);
        }
        self.awake();
    }

    /// An answer, or silence, says that this broker does not coordinate: the connection is given up.
    pub(super) fn mark_coordinator_unknown(&mut self, cx: &mut Cx<'_>) {
        if let Some(node) = self.coordinator.node.take() {
            self.disconnect(node, Channel::Coordinator, cx);
            self.heartbeat_thread_looks_up(cx);
        }
    }

    /// The connection to the coordinator broke.
    pub(super) fn coordinator_disconnected(&mut self, cx: &mut Cx<'_>) {
        self.coordinator.node = None;
        self.heartbeat_thread_looks_up(cx);
    }

    /// While it is enabled, the heartbeat thread looks for the coordinator without being asked.
    fn heartbeat_thread_looks_up(&mut self, cx: &mut Cx<'_>) {
        if self.heartbeat.enabled {
            self.lookup_coordinator(cx);
        }
    }
}
