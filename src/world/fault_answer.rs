//! Answers that say nothing but an error: what a fault puts in place of the broker's.

use crate::kafka::api::{
    Coordinator, FetchResponse, FetchableTopicResponse, FindCoordinatorResponse, HeartbeatResponse,
    JoinGroupResponse, LeaveGroupResponse, ListOffsetsPartitionResponse, ListOffsetsResponse,
    ListOffsetsTopicResponse, MetadataResponse, MetadataResponseTopic, OffsetCommitResponse,
    OffsetCommitResponsePartition, OffsetCommitResponseTopic, OffsetFetchResponse,
    OffsetFetchResponseGroup, PartitionData, PartitionProduceResponse, ProduceResponse, Request,
    Response, SyncGroupResponse, TopicProduceResponse,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, Generation, Offset};

/// The request answered with nothing but `error_code`, in whatever place its API has for it.
pub(super) fn error_answer(request: &Request, error_code: ErrorCode) -> Option<Response> {
    let none = Offset(-1);
    Some(match request {
        Request::Produce(request) => {
            let partitions = |topic: &crate::kafka::api::TopicProduceData| {
                let data = topic.partition_data.iter();
                data.map(|partition| PartitionProduceResponse {
                    index: partition.index,
                    error_code,
                    base_offset: none,
                    log_append_time_ms: -1,
                    log_start_offset: none,
                    ..PartitionProduceResponse::default()
                })
                .collect()
            };
            let topics = request.topic_data.iter().map(|topic| TopicProduceResponse {
                name: topic.name.clone(),
                partition_responses: partitions(topic),
            });
            ProduceResponse {
                responses: topics.collect(),
                ..ProduceResponse::default()
            }
            .into()
        }
        Request::Fetch(request) => {
            let topics = request.topics.iter().map(|topic| {
                let partitions = topic.partitions.iter().map(|partition| PartitionData {
                    partition_index: partition.partition,
                    error_code,
                    high_watermark: none,
                    last_stable_offset: none,
                    log_start_offset: none,
                    preferred_read_replica: BrokerId(-1),
                    records: Vec::new(),
                    ..PartitionData::default()
                });
                FetchableTopicResponse {
                    topic: topic.topic.clone(),
                    topic_id: topic.topic_id,
                    partitions: partitions.collect(),
                }
            });
            FetchResponse {
                error_code: ErrorCode::None,
                session_id: request.session_id,
                responses: topics.collect(),
                ..FetchResponse::default()
            }
            .into()
        }
        Request::ListOffsets(request) => {
            let topics = request.topics.iter().map(|topic| {
                let partitions = topic.partitions.iter();
                let partitions = partitions.map(|partition| ListOffsetsPartitionResponse {
                    partition_index: partition.partition_index,
                    error_code,
                    timestamp: -1,
                    offset: none,
                    leader_epoch: -1,
                });
                ListOffsetsTopicResponse {
                    name: topic.name.clone(),
                    partitions: partitions.collect(),
                }
            });
            ListOffsetsResponse {
                topics: topics.collect(),
            }
            .into()
        }
        Request::Metadata(request) => {
            let topics = request.topics.iter().flatten();
            let topics = topics.map(|topic| MetadataResponseTopic {
                error_code,
                name: topic.name.clone(),
                topic_id: topic.topic_id,
                ..MetadataResponseTopic::default()
            });
            MetadataResponse {
                brokers: Vec::new(),
                cluster_id: None,
                controller_id: BrokerId(-1),
                topics: topics.collect(),
            }
            .into()
        }
        _ => return group_error_answer(request, error_code),
    })
}

fn group_error_answer(request: &Request, error_code: ErrorCode) -> Option<Response> {
    Some(match request {
        Request::FindCoordinator(request) => {
            let coordinators = request.coordinator_keys.iter().map(|key| Coordinator {
                key: key.clone(),
                node_id: BrokerId(-1),
                host: "".into(),
                port: -1,
                error_code,
                error_message: Some(error_code.name().into()),
            });
            FindCoordinatorResponse {
                coordinators: coordinators.collect(),
            }
            .into()
        }
        Request::JoinGroup(request) => JoinGroupResponse {
            error_code,
            generation_id: Generation::NONE,
            protocol_type: None,
            protocol_name: None,
            leader: Default::default(),
            skip_assignment: false,
            member_id: request.member_id.clone(),
            members: Vec::new(),
        }
        .into(),
        Request::SyncGroup(_) => SyncGroupResponse {
            error_code,
            protocol_type: None,
            protocol_name: None,
            assignment: [].into(),
        }
        .into(),
        Request::Heartbeat(_) => HeartbeatResponse { error_code }.into(),
        Request::LeaveGroup(_) => LeaveGroupResponse {
            error_code,
            members: Vec::new(),
        }
        .into(),
        Request::OffsetCommit(request) => {
            let topics = request.topics.iter().map(|topic| {
                let partitions = topic.partitions.iter();
                let partitions = partitions.map(|partition| OffsetCommitResponsePartition {
                    partition_index: partition.partition_index,
                    error_code,
                });
                OffsetCommitResponseTopic {
                    name: topic.name.clone(),
                    partitions: partitions.collect(),
                }
            });
            OffsetCommitResponse {
                topics: topics.collect(),
            }
            .into()
        }
        Request::OffsetFetch(request) => {
            let groups = request.groups.iter().map(|group| OffsetFetchResponseGroup {
                group_id: group.group_id.clone(),
                topics: Vec::new(),
                error_code,
            });
            OffsetFetchResponse {
                groups: groups.collect(),
            }
            .into()
        }
        _ => return None,
    })
}
