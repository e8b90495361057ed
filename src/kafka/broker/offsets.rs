//! Committed offsets: OffsetCommit (8), versions 2-9, and OffsetFetch (9), versions 1-9 (spec/05; class
//! `OffsetMetadataManager`, and `KafkaApis` for what precedes it).
//!
//! OffsetCommit: v2-4 retention time, v6 leader epoch, v7 instance id. OffsetFetch: v7 `require_stable`, v8
//! several groups. Left out: transactional offsets, members of the new protocol (v9's id and epoch).

use super::CoordinatorKind;
use super::desk::{Desk, Ticket};
use super::group::classic::Write;
use super::group::{Group, GroupCoordinator, GroupEvent, is_coordinator};
use crate::kafka::api::{
    OffsetCommitRequest, OffsetCommitRequestPartition, OffsetCommitRequestTopic,
    OffsetCommitResponse, OffsetCommitResponsePartition, OffsetCommitResponseTopic,
    OffsetFetchRequest, OffsetFetchRequestGroup, OffsetFetchResponse, OffsetFetchResponseGroup,
    OffsetFetchResponsePartition, OffsetFetchResponseTopic,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{FactKind, GroupState};
use crate::kafka::ids::{Generation, MemberId, Offset, TopicName, TopicPartition};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// A group's committed offsets, by partition.
pub type Offsets = SortedMap<TopicPartition, CommittedOffset>;

/// What a group has committed for one partition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommittedOffset {
    /// Next offset to read.
    pub offset: Offset,
    /// Leader epoch of the record before it; -1: unknown.
    pub leader_epoch: i32,
    /// The application's own words.
    pub metadata: Rc<str>,
    /// When it was committed.
    pub committed_at: Instant,
    /// When it expires, if the request said so (v2-4).
    pub expires_at: Option<Instant>,
}

/// First version in which a commit into a group that does not exist is told so.
const GROUP_ID_NOT_FOUND_VERSION: i16 = 9;

/// What a request says that wants the broker's own retention.
const DEFAULT_RETENTION_TIME: i64 = -1;

impl GroupCoordinator {
    pub fn offset_commit(&mut self, ticket: Ticket, request: OffsetCommitRequest, desk: &mut Desk) {
        let (refused, known) = split_by_existence(&request.topics, desk);
        if known.is_empty() {
            return desk.answer(ticket, OffsetCommitResponse { topics: refused });
        }
        if let Err(error) = self.validate_commit(ticket.api_version(), &request, desk) {
            let topics = merge(refused, answer_all(&known, error));
            return desk.answer(ticket, OffsetCommitResponse { topics });
        }
        let group = self.group_or_new(&request.group_id, desk);
        match group.state() {
            GroupState::Stable | GroupState::PreparingRebalance => {
                group.restart_session(&request.member_id, desk);
            }
            GroupState::Empty | GroupState::CompletingRebalance | GroupState::Dead => {}
        }
        let (answers, offsets) = accept(&known, request.retention_time_ms, desk);
        let response = OffsetCommitResponse {
            topics: merge(refused, answers),
        };
        let write = Write::Offsets {
            member_id: request.member_id,
            offsets,
            ticket,
            response: response.into(),
        };
        group.write_offsets(write, desk);
        self.start_retention_check(desk);
    }

    /// Whether the group takes commits from that sender now.
    fn validate_commit(
        &mut self,
        api_version: i16,
        request: &OffsetCommitRequest,
        desk: &mut Desk,
    ) -> Result<(), ErrorCode> {
        if !is_coordinator(&request.group_id, desk) {
            return Err(ErrorCode::NotCoordinator);
        }
        let is_outsider = request.generation_id_or_member_epoch < Generation(0);
        match self.groups.get(&request.group_id) {
            Some(group) => group.validate_commit(request, desk),
            None if is_outsider => {
                desk.reach(GroupState::Dead, GroupEvent::CommitSimple);
                Ok(())
            }
            None => {
                desk.reach(GroupState::Dead, GroupEvent::CommitIllegalGeneration);
                Err(match api_version {
                    GROUP_ID_NOT_FOUND_VERSION.. => ErrorCode::GroupIdNotFound,
                    _ => ErrorCode::IllegalGeneration,
                })
            }
        }
    }

    pub fn offset_fetch(&mut self, ticket: Ticket, request: OffsetFetchRequest, desk: &mut Desk) {
        // The new coordinator lets such a fetch wait for commits under way; the old one refused.
        if request.require_stable && desk.settings.coordinator == CoordinatorKind::New {
            let ids = request.groups.iter().map(|group| &group.group_id);
            let mut writing = ids.filter(|id| self.groups.get(*id).is_some_and(|g| g.is_writing()));
            if let Some(id) = writing.next().cloned()
                && let Some(group) = self.group_mut(&id)
            {
                return group.fetch_after_writes(ticket, request, desk);
            }
        }
        let groups = request.groups.iter();
        let groups = groups.map(|group| self.fetch_one(group, request.require_stable, desk));
        let groups = groups.collect();
        desk.answer(ticket, OffsetFetchResponse { groups });
    }

    fn fetch_one(
        &self,
        asked: &OffsetFetchRequestGroup,
        require_stable: bool,
        desk: &Desk,
    ) -> OffsetFetchResponseGroup {
        let mut response = OffsetFetchResponseGroup {
            group_id: asked.group_id.clone(),
            topics: Vec::new(),
            error_code: ErrorCode::None,
        };
        if !is_coordinator(&asked.group_id, desk) {
            response.error_code = ErrorCode::NotCoordinator;
            return response;
        }
        let group = self.groups.get(&asked.group_id).map(|group| &**group);
        let fetch = |name: &TopicName, index: i32| {
            let partition = TopicPartition::new(name.clone(), index);
            let unstable = group.is_some_and(|group| group.is_writing_offset(&partition));
            match group.and_then(|group| group.offsets.get(&partition)) {
                _ if require_stable && unstable => {
                    answer_fetch(index, None, ErrorCode::UnstableOffsetCommit)
                }
                committed => answer_fetch(index, committed, ErrorCode::None),
            }
        };
        for (name, partition_indexes) in asked_topics(asked, group) {
            let partitions = partition_indexes.iter().map(|&index| fetch(&name, index));
            response.topics.push(OffsetFetchResponseTopic {
                partitions: partitions.collect(),
                name,
            });
        }
        response
    }
}

impl Group {
    fn validate_commit(
        &self,
        request: &OffsetCommitRequest,
        desk: &mut Desk,
    ) -> Result<(), ErrorCode> {
        let generation = request.generation_id_or_member_epoch;
        let is_outsider = generation < Generation(0);
        if is_outsider && self.state() == GroupState::Empty {
            desk.reach(self.state(), GroupEvent::CommitSimple);
            return Ok(());
        }
        let instance = request.group_instance_id.as_ref();
        let is_anonymous = request.member_id.is_empty() && instance.is_none();
        if is_outsider && is_anonymous {
            desk.reach(self.state(), GroupEvent::CommitUnknownMember);
            return Err(ErrorCode::UnknownMemberId);
        }
        if let Err(error) = self.validate_member(&request.member_id, instance) {
            desk.reach(
                self.state(),
                match error {
                    ErrorCode::FencedInstanceId => GroupEvent::CommitFenced,
                    _ => GroupEvent::CommitUnknownMember,
                },
            );
            return Err(error);
        }
        if generation != self.generation() {
            desk.reach(self.state(), GroupEvent::CommitIllegalGeneration);
            return Err(ErrorCode::IllegalGeneration);
        }
        desk.reach(self.state(), GroupEvent::CommitMember);
        match self.state() {
            GroupState::CompletingRebalance => Err(ErrorCode::RebalanceInProgress),
            GroupState::Empty
            | GroupState::PreparingRebalance
            | GroupState::Stable
            | GroupState::Dead => Ok(()),
        }
    }

    /// An offset is in the log. It replaces the one before, be that smaller or larger.
    pub(super) fn store_offset(
        &mut self,
        partition: TopicPartition,
        committed: CommittedOffset,
        member_id: &MemberId,
        desk: &mut Desk,
    ) {
        desk.journal.note(FactKind::CommitStored {
            group: self.id().clone(),
            partition: partition.clone(),
            offset: committed.offset,
            member_id: member_id.clone(),
        });
        self.offsets.insert(partition, committed);
    }
}

/// Parts a commit: answers for what does not exist, 3, and the rest.
fn split_by_existence(
    topics: &[OffsetCommitRequestTopic],
    desk: &Desk,
) -> (
    Vec<OffsetCommitResponseTopic>,
    Vec<OffsetCommitRequestTopic>,
) {
    let (mut refused, mut known) = (Vec::new(), Vec::new());
    for topic in topics {
        let exists = |partition: &OffsetCommitRequestPartition| {
            let partition = TopicPartition::new(topic.name.clone(), partition.partition_index);
            desk.cluster.partition(&partition).is_some()
        };
        let all = topic.partitions.iter().cloned();
        let (there, missing): (Vec<_>, Vec<_>) = all.partition(exists);
        let part = |partitions| OffsetCommitRequestTopic {
            name: topic.name.clone(),
            partitions,
        };
        if !missing.is_empty() || !desk.cluster.topics.contains_key(&topic.name) {
            let missing = [part(missing)];
            refused = merge(
                refused,
                answer_all(&missing, ErrorCode::UnknownTopicOrPartition),
            );
        }
        if !there.is_empty() {
            known.push(part(there));
        }
    }
    (refused, known)
}

/// The same answer for every partition.
fn answer_all(
    topics: &[OffsetCommitRequestTopic],
    error_code: ErrorCode,
) -> Vec<OffsetCommitResponseTopic> {
    let topics = topics.iter().map(|topic| OffsetCommitResponseTopic {
        name: topic.name.clone(),
        partitions: topic
            .partitions
            .iter()
            .map(|partition| answer_commit(partition, error_code))
            .collect(),
    });
    topics.collect()
}

fn answer_commit(
    partition: &OffsetCommitRequestPartition,
    error_code: ErrorCode,
) -> OffsetCommitResponsePartition {
    OffsetCommitResponsePartition {
        partition_index: partition.partition_index,
        error_code,
    }
}

/// Adds answers to those that there are, each under its topic (`OffsetCommitResponse.Builder.merge`).
fn merge(
    mut topics: Vec<OffsetCommitResponseTopic>,
    more: Vec<OffsetCommitResponseTopic>,
) -> Vec<OffsetCommitResponseTopic> {
    for topic in more {
        match topics.iter_mut().find(|there| there.name == topic.name) {
            Some(there) => there.partitions.extend(topic.partitions),
            None => topics.push(topic),
        }
    }
    topics
}

/// Takes what can be stored, and answers each partition.
fn accept(
    topics: &[OffsetCommitRequestTopic],
    retention_time_ms: i64,
    desk: &Desk,
) -> (
    Vec<OffsetCommitResponseTopic>,
    Vec<(TopicPartition, CommittedOffset)>,
) {
    let max_bytes = desk.settings.config.offset_metadata_max_bytes;
    let max_units = usize::try_from(max_bytes).unwrap_or(0);
    let expires_at = match retention_time_ms {
        DEFAULT_RETENTION_TIME => None,
        kept_ms => Some(desk.now() + Duration::from_ms(kept_ms)),
    };
    let (mut answers, mut offsets) = (Vec::new(), Vec::new());
    for topic in topics {
        let mut partitions = Vec::with_capacity(topic.partitions.len());
        for partition in &topic.partitions {
            let metadata = partition.committed_metadata.clone().unwrap_or_default();
            // Kafka compares the length of a Java string, whatever the name of the setting says.
            if metadata.encode_utf16().count() > max_units {
                partitions.push(answer_commit(partition, ErrorCode::OffsetMetadataTooLarge));
                continue;
            }
            partitions.push(answer_commit(partition, ErrorCode::None));
            offsets.push((
                TopicPartition::new(topic.name.clone(), partition.partition_index),
                CommittedOffset {
                    offset: partition.committed_offset,
                    leader_epoch: partition.committed_leader_epoch,
                    metadata,
                    committed_at: desk.now(),
                    expires_at,
                },
            ));
        }
        answers.push(OffsetCommitResponseTopic {
            name: topic.name.clone(),
            partitions,
        });
    }
    (answers, offsets)
}

/// Which partitions an OffsetFetch is about: those that it names, or all that the group has.
fn asked_topics(
    asked: &OffsetFetchRequestGroup,
    group: Option<&Group>,
) -> Vec<(TopicName, Vec<i32>)> {
    if let Some(topics) = &asked.topics {
        let named = topics.iter();
        return named
            .map(|topic| (topic.name.clone(), topic.partition_indexes.clone()))
            .collect();
    }
    let mut all: SortedMap<TopicName, Vec<i32>> = SortedMap::new();
    for partition in group.iter().flat_map(|group| group.offsets.keys()) {
        let indexes = all.entry(partition.topic.clone()).or_default();
        indexes.push(partition.partition);
    }
    all.into_iter().collect()
}

fn answer_fetch(
    partition_index: i32,
    committed: Option<&CommittedOffset>,
    error_code: ErrorCode,
) -> OffsetFetchResponsePartition {
    OffsetFetchResponsePartition {
        partition_index,
        committed_offset: committed.map_or(Offset(-1), |committed| committed.offset),
        committed_leader_epoch: committed.map_or(-1, |committed| committed.leader_epoch),
        metadata: Some(committed.map_or_else(|| "".into(), |committed| committed.metadata.clone())),
        error_code,
    }
}
