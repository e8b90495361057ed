//! What a tool asks at each step.

use super::{Step, Work};
use crate::kafka::api::{
    DeleteGroupsRequest, DeleteRecordsPartition, DeleteRecordsRequest, DeleteRecordsTopic,
    DeleteTopicState, DeleteTopicsRequest, DescribeGroupsRequest, EARLIEST_TIMESTAMP,
    FindCoordinatorRequest, LATEST_TIMESTAMP, LeaveGroupRequest, ListOffsetsPartition,
    ListOffsetsRequest, ListOffsetsTopic, MemberIdentity, MetadataRequest, OffsetCommitRequest,
    OffsetCommitRequestPartition, OffsetCommitRequestTopic, OffsetDeleteRequest,
    OffsetDeleteRequestPartition, OffsetDeleteRequestTopic, OffsetFetchRequest,
    OffsetFetchRequestGroup, Request,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::AdminRefusal;
use crate::kafka::ids::{
    BrokerId, Generation, GroupId, MemberId, Offset, TopicName, TopicPartition,
};
use crate::kafka::sorted::SortedMap;
use crate::world::command::{AdminAct, ResetTo};

/// What an admin client gives as its reason (KIP-800).
const LEAVE_REASON: &str = "member was removed by an admin";
/// `request.timeout.ms`, which some requests carry.
const TIMEOUT_MS: i32 = 30_000;
/// A consumer's request, not a follower's.
const NO_REPLICA: BrokerId = BrokerId(-1);

/// A version and a request of it.
type Versioned = (i16, Request);

impl Work {
    /// The requests of the present step, and to whom they go. None: the step has nothing to ask.
    pub(super) fn requests(
        &self,
        bootstrap: BrokerId,
    ) -> Result<Vec<(BrokerId, Versioned)>, AdminRefusal> {
        let coordinator = self.found.coordinator.unwrap_or(bootstrap);
        let one = |to, version: i16, request: Request| Ok(vec![(to, (version, request))]);
        match (self.step, self.group()) {
            (Step::Coordinator, Some(group)) => {
                let request = FindCoordinatorRequest {
                    key_type: 0,
                    coordinator_keys: vec![group.as_str().into()],
                };
                one(bootstrap, 6, request.into())
            }
            (Step::Describe, Some(group)) => {
                let request = DescribeGroupsRequest {
                    groups: vec![group.clone()],
                    include_authorized_operations: false,
                };
                one(coordinator, 5, request.into())
            }
            (Step::Committed, Some(group)) if self.asks_for_committed() => {
                let group = OffsetFetchRequestGroup {
                    group_id: group.clone(),
                    member_id: None,
                    member_epoch: -1,
                    topics: None,
                };
                let request = OffsetFetchRequest {
                    groups: vec![group],
                    require_stable: false,
                };
                one(coordinator, 9, request.into())
            }
            (Step::Metadata, _) => {
                let topics = self.topics().into_iter().map(Into::into);
                let request = MetadataRequest {
                    topics: Some(topics.collect()),
                    allow_auto_topic_creation: false,
                    ..MetadataRequest::default()
                };
                one(bootstrap, 12, request.into())
            }
            (Step::Starts, _) => self.list_offsets(EARLIEST_TIMESTAMP, &self.wanted()),
            (Step::ByTime, _) => match &self.act {
                AdminAct::ResetOffsets {
                    to: ResetTo::TimeMs(at),
                    ..
                } => self.list_offsets(at.as_ms().max(0), &self.wanted()),
                _ => Ok(Vec::new()),
            },
            (Step::Ends, _) => {
                let mut wanted = self.wanted();
                // After a search by time only where nothing was found.
                wanted.retain(|partition| !self.found.by_time.contains_key(partition));
                self.list_offsets(LATEST_TIMESTAMP, &wanted)
            }
            (Step::Act, _) => self.act_requests(coordinator, bootstrap),
            (Step::Coordinator | Step::Describe | Step::Committed, _) => Ok(Vec::new()),
        }
    }

    /// A shift starts from what is committed, and without a topic it is all that is committed.
    fn asks_for_committed(&self) -> bool {
        matches!(
            &self.act,
            AdminAct::ResetOffsets { topic, to, .. } if topic.is_none() || matches!(to, ResetTo::Shift(_))
        )
    }

    /// The topics in question.
    fn topics(&self) -> Vec<TopicName> {
        match &self.act {
            AdminAct::ResetOffsets {
                topic: Some(topic), ..
            }
            | AdminAct::DeleteOffsets { topic, .. }
            | AdminAct::DeleteTopic { topic } => vec![topic.clone()],
            AdminAct::DeleteRecords { partition, .. } => vec![partition.topic.clone()],
            AdminAct::ResetOffsets { topic: None, .. } => {
                let mut topics: Vec<TopicName> = self
                    .found
                    .committed
                    .keys()
                    .map(|of| of.topic.clone())
                    .collect();
                topics.dedup();
                topics
            }
            AdminAct::DeleteGroup { .. } | AdminAct::RemoveMember { .. } => Vec::new(),
        }
    }

    /// The partitions in question.
    fn wanted(&self) -> Vec<TopicPartition> {
        let given = |topic: &TopicName, numbers: &[i32]| {
            let numbers = numbers.iter();
            numbers
                .map(|number| TopicPartition::new(topic.clone(), *number))
                .collect()
        };
        match &self.act {
            AdminAct::ResetOffsets { topic: None, .. } => {
                self.found.committed.keys().cloned().collect()
            }
            AdminAct::ResetOffsets { partitions, .. }
            | AdminAct::DeleteOffsets { partitions, .. }
                if partitions.is_empty() =>
            {
                self.found.leaders.keys().cloned().collect()
            }
            AdminAct::ResetOffsets {
                topic: Some(topic),
                partitions,
                ..
            }
            | AdminAct::DeleteOffsets {
                topic, partitions, ..
            } => given(topic, partitions),
            AdminAct::DeleteRecords { partition, .. } => vec![partition.clone()],
            AdminAct::DeleteGroup { .. }
            | AdminAct::RemoveMember { .. }
            | AdminAct::DeleteTopic { .. } => Vec::new(),
        }
    }

    /// 3 for a partition that does not exist.
    fn leader(&self, partition: &TopicPartition) -> Result<BrokerId, AdminRefusal> {
        let leader = self.found.leaders.get(partition).copied();
        leader.ok_or(AdminRefusal::Error(ErrorCode::UnknownTopicOrPartition))
    }

    /// One request per leader.
    fn list_offsets(
        &self,
        timestamp: i64,
        wanted: &[TopicPartition],
    ) -> Result<Vec<(BrokerId, Versioned)>, AdminRefusal> {
        let mut by_leader: SortedMap<BrokerId, Vec<ListOffsetsTopic>> = SortedMap::new();
        for partition in wanted {
            let topics = by_leader.entry(self.leader(partition)?).or_default();
            let entry = ListOffsetsPartition {
                partition_index: partition.partition,
                current_leader_epoch: -1,
                timestamp,
            };
            match topics.last_mut() {
                Some(topic) if topic.name == partition.topic => topic.partitions.push(entry),
                _ => topics.push(ListOffsetsTopic {
                    name: partition.topic.clone(),
                    partitions: vec![entry],
                }),
            }
        }
        let requests = by_leader.into_iter().map(|(leader, topics)| {
            let request = ListOffsetsRequest {
                replica_id: NO_REPLICA,
                isolation_level: 0,
                topics,
                timeout_ms: TIMEOUT_MS,
            };
            (leader, (10, request.into()))
        });
        Ok(requests.collect())
    }

    fn act_requests(
        &self,
        coordinator: BrokerId,
        bootstrap: BrokerId,
    ) -> Result<Vec<(BrokerId, Versioned)>, AdminRefusal> {
        let (to, version, request): (BrokerId, i16, Request) = match &self.act {
            AdminAct::ResetOffsets { group, to, .. } => {
                let offsets = self.targets(*to)?;
                if offsets.is_empty() {
                    return Ok(Vec::new());
                }
                (coordinator, 9, commit_from_outside(group, &offsets).into())
            }
            AdminAct::DeleteOffsets { group, topic, .. } => {
                let numbers = self.wanted().into_iter();
                let partitions = numbers.map(|of| OffsetDeleteRequestPartition {
                    partition_index: of.partition,
                });
                let topic = OffsetDeleteRequestTopic {
                    name: topic.clone(),
                    partitions: partitions.collect(),
                };
                let request = OffsetDeleteRequest {
                    group_id: group.clone(),
                    topics: vec![topic],
                };
                (coordinator, 0, request.into())
            }
            AdminAct::DeleteGroup { group } => {
                let request = DeleteGroupsRequest {
                    groups_names: vec![group.clone()],
                };
                (coordinator, 2, request.into())
            }
            AdminAct::RemoveMember {
                group,
                group_instance_id,
            } => {
                let member = MemberIdentity {
                    group_instance_id: Some(group_instance_id.clone()),
                    reason: Some(LEAVE_REASON.into()),
                    ..MemberIdentity::default()
                };
                let request = LeaveGroupRequest {
                    group_id: group.clone(),
                    members: vec![member],
                };
                (coordinator, 5, request.into())
            }
            AdminAct::DeleteTopic { topic } => {
                let topic = DeleteTopicState {
                    name: Some(topic.clone()),
                    ..DeleteTopicState::default()
                };
                let request = DeleteTopicsRequest {
                    topics: vec![topic],
                    timeout_ms: TIMEOUT_MS,
                };
                (
                    self.found.controller.unwrap_or(bootstrap),
                    6,
                    request.into(),
                )
            }
            AdminAct::DeleteRecords { partition, before } => {
                let wanted = DeleteRecordsPartition {
                    partition_index: partition.partition,
                    offset: *before,
                };
                let topic = DeleteRecordsTopic {
                    name: partition.topic.clone(),
                    partitions: vec![wanted],
                };
                let request = DeleteRecordsRequest {
                    topics: vec![topic],
                    timeout_ms: TIMEOUT_MS,
                };
                (self.leader(partition)?, 2, request.into())
            }
        };
        Ok(vec![(to, (version, request))])
    }

    /// The offsets that are to be committed.
    fn targets(&self, to: ResetTo) -> Result<SortedMap<TopicPartition, Offset>, AdminRefusal> {
        let targets = self.wanted().into_iter().map(|partition| {
            let target = self.target(&partition, to);
            match target {
                Some(target) => Ok((partition, target)),
                None => Err(AdminRefusal::NoCommittedOffset(partition)),
            }
        });
        targets.collect()
    }
}

/// What `alterConsumerGroupOffsets` sends: a commit of no member, in no generation.
fn commit_from_outside(
    group: &GroupId,
    offsets: &SortedMap<TopicPartition, Offset>,
) -> OffsetCommitRequest {
    OffsetCommitRequest {
        group_id: group.clone(),
        generation_id_or_member_epoch: Generation::NONE,
        member_id: MemberId::default(),
        group_instance_id: None,
        retention_time_ms: -1,
        topics: commit_topics(offsets),
    }
}

/// Offsets by topic, as OffsetCommit wants them.
pub(in crate::world) fn commit_topics(
    offsets: &SortedMap<TopicPartition, Offset>,
) -> Vec<OffsetCommitRequestTopic> {
    let mut topics: Vec<OffsetCommitRequestTopic> = Vec::new();
    for (partition, offset) in offsets {
        let entry = OffsetCommitRequestPartition {
            partition_index: partition.partition,
            committed_offset: *offset,
            committed_leader_epoch: -1,
            committed_metadata: Some("".into()),
        };
        match topics.last_mut() {
            Some(topic) if topic.name == partition.topic => topic.partitions.push(entry),
            _ => topics.push(OffsetCommitRequestTopic {
                name: partition.topic.clone(),
                partitions: vec![entry],
            }),
        }
    }
    topics
}
