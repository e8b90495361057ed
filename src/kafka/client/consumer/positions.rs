//! From where to read: committed offsets, else `auto.offset.reset` (`OffsetFetcher`, `initWithCommittedOffsetsIfNeeded`).

use super::by_topic::by_topic;
use super::membership::MemberGeneration;
use super::subscription_state::FetchState;
use super::{Consumer, Cx, Purpose, Retry, Timer};
use crate::kafka::api::{
    EARLIEST_TIMESTAMP, LATEST_TIMESTAMP, ListOffsetsPartition, ListOffsetsRequest,
    ListOffsetsResponse, ListOffsetsTopic, OffsetFetchRequest, OffsetFetchRequestGroup,
    OffsetFetchRequestTopic, OffsetFetchResponse,
};
use crate::kafka::client::Channel;
use crate::kafka::config::{IsolationLevel, OffsetReset};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Exception, FactKind, MemberState, PositionCause};
use crate::kafka::ids::{BrokerId, Offset, TopicPartition};
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::Duration;
use std::rc::Rc;

/// A committed offset with its leader epoch; `None`: nothing was committed.
type Committed = Vec<(TopicPartition, Option<(Offset, i32)>)>;

/// The look-up of committed offsets that is under way.
#[derive(Clone, Debug)]
pub(super) struct OffsetFetch {
    ticket: u64,
    partitions: SortedSet<TopicPartition>,
    generation: Option<Rc<MemberGeneration>>,
    answer: Option<Result<Committed, OffsetFetchFailure>>,
}

#[derive(Clone, Debug)]
enum OffsetFetchFailure {
    Retriable,
    Fatal(ErrorCode),
}

/// State of the look-up of positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Positions {
    last_ticket: u64,
    offset_fetch: Option<OffsetFetch>,
    attempts: u32,
}

impl Consumer {
    /// Gives every assigned partition a position, as far as that goes without waiting. `true`: poll has to wait
    /// for the answer to OffsetFetch.
    pub(super) fn update_fetch_positions(&mut self, cx: &mut Cx<'_>) -> Result<bool, Exception> {
        if self.subscriptions.has_all_fetch_positions() {
            return Ok(false);
        }
        let initializing = self.subscriptions.initializing_partitions();
        if !initializing.is_empty() && self.has_group() {
            match self.committed_offsets(initializing, cx)? {
                None => return Ok(true),
                Some(committed) => self.refresh_committed_offsets(committed, cx),
            }
        }
        self.subscriptions
            .reset_initializing_positions()
            .map_err(Exception::NoOffsetForPartition)?;
        self.reset_positions_if_needed(cx);
        Ok(false)
    }

    fn committed_offsets(
        &mut self,
        partitions: SortedSet<TopicPartition>,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Committed>, Exception> {
        let stable = self.group.state == MemberState::Stable;
        let generation = stable.then(|| self.group.current.clone());
        let same =
            |fetch: &OffsetFetch| fetch.partitions == partitions && fetch.generation == generation;
        if !self.positions.offset_fetch.as_ref().is_some_and(same) {
            // Whatever was asked for before, it was not this.
            self.positions.offset_fetch = None;
        }
        if !self.coordinator_ready(cx)? {
            return Ok(None);
        }
        let backing_off = self.timers.deadline(&Timer::Retry(Retry::OffsetFetch));
        if backing_off.is_some_and(|at| at > cx.now()) {
            return Ok(None);
        }
        match self.positions.offset_fetch.take() {
            None => {
                self.send_offset_fetch(partitions, generation, cx);
                Ok(None)
            }
            Some(waiting) if waiting.answer.is_none() => {
                self.positions.offset_fetch = Some(waiting);
                Ok(None)
            }
            Some(fetch) => match fetch.answer {
                Some(Ok(committed)) => {
                    self.positions.attempts = 0;
                    Ok(Some(committed))
                }
                Some(Err(OffsetFetchFailure::Fatal(error))) => Err(Exception::Kafka(error)),
                Some(Err(OffsetFetchFailure::Retriable)) | None => {
                    let attempt = self.positions.attempts;
                    self.positions.attempts = attempt.saturating_add(1);
                    self.pause(Retry::OffsetFetch, attempt, cx);
                    Ok(None)
                }
            },
        }
    }

    fn send_offset_fetch(
        &mut self,
        partitions: SortedSet<TopicPartition>,
        generation: Option<Rc<MemberGeneration>>,
        cx: &mut Cx<'_>,
    ) {
        let Some(coordinator) = self.coordinator.node else {
            return;
        };
        let wanted = partitions.iter().map(|partition| (partition.clone(), ()));
        let topics = by_topic(self.settings.flavour, wanted.collect()).into_iter();
        let topics = topics.map(|(name, partitions)| OffsetFetchRequestTopic {
            name,
            partition_indexes: partitions.into_iter().map(|(number, ())| number).collect(),
        });
        let request = OffsetFetchRequest {
            groups: vec![OffsetFetchRequestGroup {
                group_id: self.group_id(),
                member_id: None,
                member_epoch: -1,
                topics: Some(topics.collect()),
            }],
            require_stable: true,
        };
        self.positions.last_ticket += 1;
        let ticket = self.positions.last_ticket;
        self.positions.offset_fetch = Some(OffsetFetch {
            ticket,
            partitions,
            generation,
            answer: None,
        });
        let purpose = Purpose::OffsetFetch(ticket);
        let channel = Channel::Coordinator;
        self.send(coordinator, channel, request.into(), purpose, cx);
    }

    /// `OffsetFetchResponseHandler.handle`
    pub(super) fn on_offset_fetch(
        &mut self,
        ticket: u64,
        response: &OffsetFetchResponse,
        cx: &mut Cx<'_>,
    ) {
        let answer = match response.groups.first() {
            None => Err(OffsetFetchFailure::Retriable),
            Some(group) => match group.error_code {
                ErrorCode::None => committed(response),
                ErrorCode::CoordinatorNotAvailable | ErrorCode::NotCoordinator => {
                    self.mark_coordinator_unknown(cx);
                    Err(OffsetFetchFailure::Retriable)
                }
                error if error.is_retriable() => Err(OffsetFetchFailure::Retriable),
                error => Err(OffsetFetchFailure::Fatal(error)),
            },
        };
        self.offset_fetch_answered(ticket, answer);
    }

    fn offset_fetch_answered(
        &mut self,
        ticket: u64,
        answer: Result<Committed, OffsetFetchFailure>,
    ) {
        if let Some(fetch) = &mut self.positions.offset_fetch
            && fetch.ticket == ticket
        {
            fetch.answer = Some(answer);
        }
        self.awake();
    }

    /// OffsetFetch got no answer.
    pub(super) fn on_offset_fetch_disconnected(&mut self, ticket: u64, _cx: &mut Cx<'_>) {
        self.offset_fetch_answered(ticket, Err(OffsetFetchFailure::Retriable));
    }

    fn refresh_committed_offsets(&mut self, committed: Committed, cx: &mut Cx<'_>) {
        for (partition, offset) in committed {
            if let Some((offset, epoch)) = offset {
                self.set_position(&partition, offset, epoch, PositionCause::Committed, cx);
            }
        }
    }

    /// Sets a position and says so. `false`: not assigned.
    pub(super) fn set_position(
        &mut self,
        partition: &TopicPartition,
        offset: Offset,
        epoch: i32,
        cause: PositionCause,
        cx: &mut Cx<'_>,
    ) -> bool {
        if !self.subscriptions.seek(partition, offset, epoch) {
            return false;
        }
        cx.journal.note(FactKind::PositionSet {
            member: self.group.membership.clone(),
            partition: partition.clone(),
            offset,
            cause,
        });
        true
    }

    /// Asks the leaders of partitions that need a reset. The answers set the positions.
    fn reset_positions_if_needed(&mut self, cx: &mut Cx<'_>) {
        let now = cx.now();
        let mut by_leader: SortedMap<BrokerId, Vec<(TopicPartition, i64, i32)>> = SortedMap::new();
        for (partition, reset) in self.subscriptions.partitions_needing_reset(now) {
            let Some((leader, epoch)) = self.metadata.leader(&partition) else {
                self.metadata.update_wanted = true;
                continue;
            };
            let timestamp = match reset {
                OffsetReset::Earliest => EARLIEST_TIMESTAMP,
                OffsetReset::Latest | OffsetReset::None => LATEST_TIMESTAMP,
            };
            let wanted = by_leader.entry(leader).or_default();
            wanted.push((partition, timestamp, epoch));
        }
        self.maybe_update_metadata(cx);
        let timeout = Duration::from_ms(self.settings.config.request_timeout_ms.into());
        for (leader, wanted) in by_leader {
            for (partition, ..) in &wanted {
                self.subscriptions
                    .set_next_allowed_retry(partition, now + timeout);
            }
            self.send_list_offsets(leader, &wanted, cx);
        }
    }

    fn send_list_offsets(
        &mut self,
        leader: BrokerId,
        wanted: &[(TopicPartition, i64, i32)],
        cx: &mut Cx<'_>,
    ) {
        let mut topics: Vec<ListOffsetsTopic> = Vec::new();
        for (partition, timestamp, epoch) in wanted {
            let entry = ListOffsetsPartition {
                partition_index: partition.partition,
                current_leader_epoch: *epoch,
                timestamp: *timestamp,
            };
            match topics.last_mut() {
                Some(topic) if topic.name == partition.topic => topic.partitions.push(entry),
                _ => topics.push(ListOffsetsTopic {
                    name: partition.topic.clone(),
                    partitions: vec![entry],
                }),
            }
        }
        let request = ListOffsetsRequest {
            replica_id: BrokerId(-1),
            isolation_level: self.isolation_level(),
            topics,
            timeout_ms: self.settings.config.request_timeout_ms,
        };
        let partitions = wanted.iter().map(|(partition, ..)| partition.clone());
        let purpose = Purpose::ListOffsets(partitions.collect());
        self.send(leader, Channel::Data, request.into(), purpose, cx);
    }

    pub(super) fn isolation_level(&self) -> i8 {
        match self.settings.config.isolation_level {
            IsolationLevel::ReadUncommitted => 0,
            IsolationLevel::ReadCommitted => 1,
        }
    }

    /// The leader's answer. The position is set where the reset is still wanted.
    pub(super) fn on_list_offsets(&mut self, response: &ListOffsetsResponse, cx: &mut Cx<'_>) {
        let mut failed = Vec::new();
        for topic in &response.topics {
            for answer in &topic.partitions {
                let partition = TopicPartition::new(topic.name.clone(), answer.partition_index);
                if !answer.error_code.is_none() {
                    failed.push(partition);
                    continue;
                }
                let state = self.subscriptions.state(&partition);
                let cause = match state.map(|state| state.fetch_state) {
                    Some(FetchState::AwaitReset(OffsetReset::Earliest)) => {
                        PositionCause::ResetEarliest
                    }
                    Some(FetchState::AwaitReset(OffsetReset::Latest)) => PositionCause::ResetLatest,
                    _ => continue,
                };
                if answer.offset.0 >= 0 {
                    self.set_position(&partition, answer.offset, -1, cause, cx);
                }
            }
        }
        if !failed.is_empty() {
            self.on_list_offsets_failed(&failed, cx);
        }
        self.awake();
    }

    /// These resets are tried again after `retry.backoff.ms`, with fresh metadata.
    pub(super) fn on_list_offsets_failed(
        &mut self,
        partitions: &[TopicPartition],
        cx: &mut Cx<'_>,
    ) {
        let at = cx.now() + Duration::from_ms(self.settings.config.retry_backoff_ms);
        for partition in partitions {
            self.subscriptions.set_next_allowed_retry(partition, at);
        }
        self.timers.set(Timer::Retry(Retry::Reset), at, cx.journal);
        self.request_metadata_update(cx);
    }
}

fn committed(response: &OffsetFetchResponse) -> Result<Committed, OffsetFetchFailure> {
    let mut committed = Committed::new();
    let mut unstable = false;
    for group in &response.groups {
        for topic in &group.topics {
            for answer in &topic.partitions {
                match answer.error_code {
                    ErrorCode::None => {}
                    ErrorCode::UnstableOffsetCommit => {
                        unstable = true;
                        continue;
                    }
                    error => return Err(OffsetFetchFailure::Fatal(error)),
                }
                let partition = TopicPartition::new(topic.name.clone(), answer.partition_index);
                let found = answer.committed_offset.0 >= 0;
                let offset = (answer.committed_offset, answer.committed_leader_epoch);
                committed.push((partition, found.then_some(offset)));
            }
        }
    }
    if unstable {
        return Err(OffsetFetchFailure::Retriable);
    }
    Ok(committed)
}
