//! What the Java client logs about its requests and their answers, and about positions.

use super::super::words::{exception_class, java_message};
use super::super::{Exchange, LogLevel, LogLine, Pen, collection};
use super::{COLLECTOR, CONSUMER, COORDINATOR, Generation, Java, NETWORK, SUBSCRIPTIONS, UTILS};
use super::{coordinator_node, node};
use crate::kafka::api::{
    ApiKey, FetchResponse, HeartbeatRequest, JoinGroupRequest, JoinGroupResponse,
    OffsetFetchResponse, Request, Response, SyncGroupRequest, SyncGroupResponse,
};
use crate::kafka::config::OffsetReset;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::PositionCause;
use crate::kafka::ids::{Offset, TopicPartition};
use crate::kafka::protocol::Assignment;
use std::rc::Rc;

impl Java {
    pub(super) fn sent(&mut self, sent: &Exchange, pen: &mut Pen<'_>) {
        self.is_preset = false;
        match &*sent.request {
            Request::JoinGroup(join) => self.joining(join, pen),
            Request::SyncGroup(sync) if !sync.assignments.is_empty() => self.assigned(sync, pen),
            Request::LeaveGroup(leave) => {
                let reason = leave.members.first().and_then(|one| one.reason.as_deref());
                let text = format!(
                    "Member {} sending LeaveGroup request to coordinator {} due to {}",
                    leave
                        .members
                        .first()
                        .map_or("", |one| one.member_id.as_str()),
                    coordinator_node(pen.cluster, sent.to),
                    reason.unwrap_or("null")
                );
                self.leaving(text, pen);
            }
            Request::OffsetCommit(commit) => self.commit_sent(commit),
            _ => {}
        }
    }

    /// `AbstractCoordinator.maybeLeaveGroup`: said before the membership is forgotten, though the request goes
    /// out at the end of the call.
    fn leaving(&mut self, text: String, pen: &mut Pen<'_>) {
        let left = self.left.take().filter(|(at, _)| *at == pen.at);
        let place = left.map_or(pen.lines.len(), |(_, place)| place.min(pen.lines.len()));
        let line = pen.line(LogLevel::Info, COORDINATOR, self.prefix(pen), text);
        pen.lines.insert(place, Rc::new(line));
    }

    /// `AbstractCoordinator.sendJoinGroupRequest`, with what led to it where nothing else has told it.
    fn joining(&mut self, join: &JoinGroupRequest, pen: &mut Pen<'_>) {
        self.is_cooperative = !join.protocols.is_empty()
            && join
                .protocols
                .iter()
                .all(|one| &*one.name == "cooperative-sticky");
        let given_up = self.given_up.take();
        let mut before = Vec::new();
        let reason = join.reason.as_deref().filter(|reason| !reason.is_empty());
        if let Some(reason) = reason.filter(|_| !self.rejoin_is_said) {
            before.push(format!("Request joining group due to: {reason}"));
        }
        if given_up.is_some_and(|given_up| given_up.is_lost) {
            before.push(
                "Giving away all assigned partitions as lost since generation/memberID has been \
                 reset,indicating that consumer is in old state or no longer part of the group"
                    .to_owned(),
            );
        }
        let place = given_up.map_or(pen.lines.len(), |given_up| {
            given_up.line.min(pen.lines.len())
        });
        // They stand before what was given up because of them, and happened when that did.
        let then = pen.lines.get(place).map(|line| (line.at, line.fact));
        let (at, fact) = then.unwrap_or((pen.at, pen.fact));
        let prefix = self.prefix(pen);
        for (index, text) in before.into_iter().enumerate() {
            let line = LogLine {
                at,
                fact,
                ..pen.line(LogLevel::Info, COORDINATOR, prefix.clone(), text)
            };
            pen.lines.insert(place + index, Rc::new(line));
        }
        self.info(pen, COORDINATOR, "(Re-)joining group".to_owned());
        self.rejoin_is_said = false;
        self.reset_is_said = false;
        self.assignment = None;
    }

    /// `ConsumerCoordinator.onLeaderElected`
    fn assigned(&self, sync: &SyncGroupRequest, pen: &mut Pen<'_>) {
        let share = |one: &crate::kafka::api::SyncGroupRequestAssignment| {
            let assignment = Assignment::decode(&one.assignment).unwrap_or_default();
            let partitions = collection(&assignment.partitions);
            format!("{}=Assignment(partitions={partitions})", one.member_id)
        };
        let mut shares: Vec<String> = sync.assignments.iter().map(share).collect();
        crate::kafka::sorted::sort_few(&mut shares, |left, right| left < right);
        let text = format!(
            "Finished assignment for group at generation {}: {{{}}}",
            sync.generation_id.0,
            shares.join(", ")
        );
        self.info(pen, COORDINATOR, text);
    }

    pub(super) fn answered(&mut self, sent: &Exchange, response: &Response, pen: &mut Pen<'_>) {
        match (&*sent.request, response) {
            (_, Response::FindCoordinator(found)) => {
                let found = found.coordinators.first();
                if let Some(found) = found.filter(|found| found.error_code.is_none()) {
                    self.coordinator = Some(found.node_id);
                    let node = coordinator_node(pen.cluster, found.node_id);
                    let text = format!("Discovered group coordinator {node}");
                    self.info(pen, COORDINATOR, text);
                }
            }
            (Request::JoinGroup(join), Response::JoinGroup(answer)) => {
                self.join_answered(join, answer, pen);
            }
            (Request::SyncGroup(sync), Response::SyncGroup(answer)) => {
                self.sync_answered(sync, answer, pen);
            }
            (Request::Heartbeat(beat), Response::Heartbeat(answer)) => {
                self.beat_answered(beat, answer.error_code, pen);
            }
            (Request::LeaveGroup(_), Response::LeaveGroup(_)) if !response.error().is_none() => {
                let message = java_message(response.error());
                let generation = &self.generation;
                let text =
                    format!("LeaveGroup request with {generation} failed with error: {message}");
                self.log(pen, LogLevel::Error, COORDINATOR, text);
            }
            (Request::OffsetCommit(commit), Response::OffsetCommit(answer)) => {
                self.commit_answered(commit, answer, pen);
            }
            (_, Response::OffsetFetch(answer)) => self.committed_fetched(answer, pen),
            (_, Response::Fetch(answer)) => self.fetched(answer, pen),
            _ => {}
        }
    }

    /// The generation as a request carried it.
    pub(super) fn generation_of(
        &self,
        id: i32,
        member_id: &crate::kafka::ids::MemberId,
    ) -> Generation {
        let is_same = self.generation.id == id && self.generation.member_id == *member_id;
        Generation {
            id,
            member_id: member_id.clone(),
            protocol: self.generation.protocol.clone().filter(|_| is_same),
        }
    }

    /// `JoinGroupResponseHandler.handle`
    fn join_answered(
        &mut self,
        join: &JoinGroupRequest,
        answer: &JoinGroupResponse,
        pen: &mut Pen<'_>,
    ) {
        let error = answer.error_code;
        let sent = self.generation_of(-1, &join.member_id);
        let instance = optional(join.group_instance_id.as_deref());
        let message = java_message(error);
        match error {
            ErrorCode::None => {
                // Told when the application comes to look, as `Successfully joined group`.
                self.generation.protocol = answer.protocol_name.clone();
                return;
            }
            ErrorCode::MemberIdRequired => {
                let id = &answer.member_id;
                self.rejoin(pen, &format!("need to re-join with the given member-id: {id}"));
                self.generation.member_id = id.clone();
                return;
            }
            ErrorCode::CoordinatorLoadInProgress => {
                let node = self.coordinator_name(pen);
                let text = format!("JoinGroup failed: Coordinator {node} is loading the group.");
                self.info(pen, COORDINATOR, text);
            }
            ErrorCode::UnknownMemberId => {
                let text = format!(
                    "JoinGroup failed: {message} Need to re-join the group. Sent generation was {sent}"
                );
                self.info(pen, COORDINATOR, text);
                if self.generation.member_id == join.member_id {
                    self.reset_on_error(pen, "JOIN_GROUP", error);
                }
            }
            ErrorCode::CoordinatorNotAvailable | ErrorCode::NotCoordinator => {
                let cause = format!("error response {}", error.name());
                self.coordinator_unknown(pen, &cause, false);
                let text = format!(
                    "JoinGroup failed: {message} Marking coordinator unknown. Sent generation was {sent}"
                );
                self.info(pen, COORDINATOR, text);
            }
            ErrorCode::FencedInstanceId => {
                let text = format!(
                    "JoinGroup failed: The group instance id {instance} has been fenced by another \
                     instance. Sent generation was {sent}"
                );
                self.log(pen, LogLevel::Error, COORDINATOR, text);
            }
            ErrorCode::InconsistentGroupProtocol
            | ErrorCode::InvalidSessionTimeout
            | ErrorCode::InvalidGroupId
            | ErrorCode::GroupMaxSizeReached => {
                let text = format!("JoinGroup failed due to fatal error: {message}");
                self.log(pen, LogLevel::Error, COORDINATOR, text);
            }
            ErrorCode::RebalanceInProgress => self.info(
                pen,
                COORDINATOR,
                "JoinGroup failed due to non-fatal error: REBALANCE_IN_PROGRESS, which could indicate a \
                 replication timeout on the broker. Will retry."
                    .to_owned(),
            ),
            _ => {
                let text = format!("JoinGroup failed due to unexpected error: {message}");
                self.log(pen, LogLevel::Error, COORDINATOR, text);
            }
        }
        self.rebalance_failed(error, message, pen);
    }

    /// `AbstractCoordinator.joinGroupIfNeeded`
    fn rebalance_failed(&mut self, error: ErrorCode, message: &str, pen: &mut Pen<'_>) {
        let class = exception_class(error);
        self.rejoin(
            pen,
            &format!("rebalance failed due to '{message}' ({class})"),
        );
    }

    /// `SyncGroupResponseHandler.handle`
    fn sync_answered(
        &mut self,
        sync: &SyncGroupRequest,
        answer: &SyncGroupResponse,
        pen: &mut Pen<'_>,
    ) {
        let error = answer.error_code;
        let message = java_message(error);
        let sent = self.generation_of(sync.generation_id.0, &sync.member_id);
        let is_unchanged = sent == self.generation;
        match error {
            ErrorCode::None => {
                let assignment = Assignment::decode(&answer.assignment);
                self.assignment = assignment.ok().map(|assignment| assignment.partitions);
                self.owned_before = self.owned.clone();
                self.is_update_told = false;
                return;
            }
            ErrorCode::RebalanceInProgress => {
                let text = format!(
                    "SyncGroup failed: The group began another rebalance. Need to re-join the group. Sent \
                     generation was {sent}"
                );
                self.info(pen, COORDINATOR, text);
            }
            ErrorCode::FencedInstanceId => {
                let instance = optional(sync.group_instance_id.as_deref());
                let text = format!(
                    "SyncGroup failed: The group instance id {instance} has been fenced by another \
                     instance. Sent generation was {sent}"
                );
                self.log(pen, LogLevel::Error, COORDINATOR, text);
            }
            ErrorCode::UnknownMemberId | ErrorCode::IllegalGeneration => {
                let text = format!(
                    "SyncGroup failed: {message} Need to re-join the group. Sent generation was {sent}"
                );
                self.info(pen, COORDINATOR, text);
                if is_unchanged {
                    self.reset_on_error(pen, "SYNC_GROUP", error);
                }
            }
            ErrorCode::CoordinatorNotAvailable | ErrorCode::NotCoordinator => {
                let text = format!(
                    "SyncGroup failed: {message} Marking coordinator unknown. Sent generation was {sent}"
                );
                self.info(pen, COORDINATOR, text);
                let cause = format!("error response {}", error.name());
                self.coordinator_unknown(pen, &cause, false);
            }
            _ => {}
        }
        self.rebalance_failed(error, message, pen);
    }

    /// `HeartbeatResponseHandler.handle`
    fn beat_answered(&mut self, beat: &HeartbeatRequest, error: ErrorCode, pen: &mut Pen<'_>) {
        match error {
            ErrorCode::CoordinatorNotAvailable | ErrorCode::NotCoordinator => {
                let node = self.coordinator_name(pen);
                let text = format!(
                    "Attempt to heartbeat failed since coordinator {node} is either not started or not valid"
                );
                self.info(pen, COORDINATOR, text);
                let cause = format!("error response {}", error.name());
                self.coordinator_unknown(pen, &cause, false);
            }
            ErrorCode::RebalanceInProgress if self.is_stable => {
                self.rejoin(pen, "group is already rebalancing");
            }
            ErrorCode::IllegalGeneration
            | ErrorCode::UnknownMemberId
            | ErrorCode::FencedInstanceId => {
                let sent = self.generation_of(beat.generation_id.0, &beat.member_id);
                let instance = optional(beat.group_instance_id.as_deref());
                let name = error.name();
                if sent != self.generation {
                    let text = format!(
                        "Attempt to heartbeat with stale {sent} and group instance id {instance} failed due \
                         to {name}, ignoring the error"
                    );
                    self.info(pen, COORDINATOR, text);
                    return;
                }
                let text = format!(
                    "Attempt to heartbeat with {sent} and group instance id {instance} failed due to \
                     {name}, resetting generation"
                );
                self.info(pen, COORDINATOR, text);
                self.reset_on_error(pen, "HEARTBEAT", error);
                if error == ErrorCode::FencedInstanceId {
                    let text = format!(
                        "Caught fenced group.instance.id {instance} error in heartbeat thread"
                    );
                    self.log(pen, LogLevel::Error, COORDINATOR, text);
                }
            }
            _ => {}
        }
    }

    /// `OffsetFetchResponseHandler.handle`
    fn committed_fetched(&mut self, answer: &OffsetFetchResponse, pen: &mut Pen<'_>) {
        let topics = answer.groups.iter().flat_map(|group| &group.topics);
        for topic in topics {
            for one in &topic.partitions {
                let partition = TopicPartition::new(topic.name.clone(), one.partition_index);
                if !one.error_code.is_none() {
                    continue;
                }
                if one.committed_offset.0 < 0 {
                    let text = format!("Found no committed offset for partition {partition}");
                    self.info(pen, COORDINATOR, text);
                } else {
                    self.epochs.insert(partition, one.committed_leader_epoch);
                }
            }
        }
    }

    /// `FetchCollector.handleInitializeErrors`
    fn fetched(&self, answer: &FetchResponse, pen: &mut Pen<'_>) {
        for topic in &answer.responses {
            for one in &topic.partitions {
                let partition = TopicPartition::new(topic.topic.clone(), one.partition_index);
                let position = self.positions.get(&partition).copied();
                let (Some(position), ErrorCode::OffsetOutOfRange) = (position, one.error_code)
                else {
                    continue;
                };
                let then = match pen.who.reset {
                    OffsetReset::None => {
                        "raising error to the application since no reset policy is configured"
                    }
                    OffsetReset::Earliest | OffsetReset::Latest => "resetting offset",
                };
                let text = format!(
                    "Fetch position {} is out of range for partition {partition}, {then}",
                    fetch_position(pen, &partition, position, -1)
                );
                self.info(pen, COLLECTOR, text);
            }
        }
    }

    /// `ConsumerUtils.refreshCommittedOffsets`, `SubscriptionState.maybeSeekUnvalidated`,
    /// `ClassicKafkaConsumer.seek`
    pub(super) fn position_set(
        &mut self,
        partition: &TopicPartition,
        offset: Offset,
        cause: PositionCause,
        pen: &mut Pen<'_>,
    ) {
        self.positions.insert(partition.clone(), offset);
        let epoch = self.epochs.remove(partition);
        let position = |epoch| fetch_position(pen, partition, offset, epoch);
        let (logger, text) = match cause {
            PositionCause::Committed => {
                let position = position(epoch.unwrap_or(-1));
                let text = format!(
                    "Setting offset for partition {partition} to the committed offset {position}"
                );
                (UTILS, text)
            }
            PositionCause::ResetEarliest | PositionCause::ResetLatest => {
                let position = position(-1);
                let text =
                    format!("Resetting offset for partition {partition} to position {position}.");
                (SUBSCRIPTIONS, text)
            }
            PositionCause::Seek => {
                let offset = offset.0;
                let text = format!("Seeking to offset {offset} for partition {partition}");
                (CONSUMER, text)
            }
            PositionCause::Truncation => {
                let position = position(-1);
                let text = format!(
                    "Truncation detected for partition {partition}, resetting offset to the first offset \
                     known to diverge {position}"
                );
                (SUBSCRIPTIONS, text)
            }
        };
        self.info(pen, logger, text);
    }

    /// `NetworkClient.handleTimedOutRequests`
    pub(super) fn timed_out(&mut self, sent: &Exchange, pen: &mut Pen<'_>) {
        let api = sent.request.api();
        let is_coordinators = matches!(
            api,
            ApiKey::JoinGroup
                | ApiKey::SyncGroup
                | ApiKey::Heartbeat
                | ApiKey::LeaveGroup
                | ApiKey::OffsetCommit
                | ApiKey::OffsetFetch
        );
        let id = match is_coordinators {
            true => i32::MAX.saturating_sub(sent.to.0),
            false => sent.to.0,
        };
        let text = format!("Disconnecting from node {id} due to request timeout.");
        self.info(pen, NETWORK, text);
        let elapsed = (pen.at - sent.at).as_ms();
        let timeout = match &*sent.request {
            Request::JoinGroup(_) => elapsed,
            _ => i64::from(pen.who.request_timeout_ms),
        };
        let text = format!(
            "Cancelled in-flight {} request with correlation id {} due to node {id} being disconnected \
             (elapsed time since creation: {elapsed}ms, elapsed time since send: {elapsed}ms, throttle time: \
             0ms, request timeout: {timeout}ms)",
            screaming(api.name()),
            sent.correlation_id
        );
        self.info(pen, NETWORK, text);
        if is_coordinators {
            self.coordinator_unknown(pen, "null", true);
        }
    }
}

/// `Optional.empty` or `Optional[c-1]`
pub(super) fn optional(value: Option<&str>) -> String {
    value.map_or_else(
        || "Optional.empty".to_owned(),
        |value| format!("Optional[{value}]"),
    )
}

/// `JoinGroup` as `JOIN_GROUP`
fn screaming(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(letter.to_ascii_uppercase());
    }
    text
}

/// `SubscriptionState.FetchPosition`
fn fetch_position(pen: &Pen<'_>, partition: &TopicPartition, offset: Offset, epoch: i32) -> String {
    let found = pen.cluster.partition(partition);
    let leader = found.and_then(|found| found.leader);
    let leader = leader.map(|leader| node(pen.cluster, leader, leader.0));
    let epoch = match epoch {
        -1 => "Optional.empty".to_owned(),
        epoch => format!("Optional[{epoch}]"),
    };
    let leader_epoch = found.map_or_else(
        || "absent".to_owned(),
        |found| found.leader_epoch.to_string(),
    );
    format!(
        "FetchPosition{{offset={}, offsetEpoch={epoch}, currentLeader=LeaderAndEpoch{{leader={}, \
         epoch={leader_epoch}}}}}",
        offset.0,
        optional(leader.as_deref())
    )
}
