//! Metadata (3), versions 0-12: v7 leader epoch, v9 flexible, v10 topic ids, v12 topics asked for by id.
//!
//! Left out: auto-creation of topics (`auto.create.topics.enable` is false here; a topic that does not exist
//! is answered with 3), authorised operations. All brokers count as up.

use super::{Desk, Ticket};
use crate::kafka::api::{
    MetadataRequest, MetadataRequestTopic, MetadataResponse, MetadataResponseBroker,
    MetadataResponsePartition, MetadataResponseTopic,
};
use crate::kafka::cluster::{Cluster, PartitionMetadata, Topic};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, TopicName};

/// Name of the cluster. Nothing depends on it.
pub(super) const CLUSTER_ID: &str = "regroup";

/// Answers at once from the metadata that the broker knows.
pub(super) fn handle(ticket: Ticket, request: MetadataRequest, desk: &mut Desk) {
    let cluster = desk.cluster;
    let topics = match request.topics {
        None => cluster
            .topics
            .iter()
            .map(|(name, topic)| describe(name, topic))
            .collect(),
        Some(wanted) => wanted
            .into_iter()
            .map(|topic| find(topic, cluster))
            .collect(),
    };
    let response = MetadataResponse {
        brokers: brokers(cluster),
        cluster_id: Some(CLUSTER_ID.into()),
        controller_id: controller(cluster),
        topics,
    };
    desk.answer(ticket, response);
}

/// The broker that passes a client's wishes on to the controller; -1 without brokers.
pub(super) fn controller(cluster: &Cluster) -> BrokerId {
    let first = cluster.brokers.keys().next();
    first.copied().unwrap_or(BrokerId(-1))
}

fn brokers(cluster: &Cluster) -> Vec<MetadataResponseBroker> {
    let brokers = cluster.brokers.iter();
    brokers
        .map(|(id, node)| MetadataResponseBroker {
            node_id: *id,
            host: node.host.clone(),
            port: node.port,
            rack: node.rack.clone(),
        })
        .collect()
}

fn find(wanted: MetadataRequestTopic, cluster: &Cluster) -> MetadataResponseTopic {
    let MetadataRequestTopic { topic_id, name } = wanted;
    let found = match &name {
        Some(name) => cluster.topics.get_key_value(name),
        None => cluster
            .topics
            .iter()
            .find(|(_, topic)| topic.id == topic_id),
    };
    if let Some((name, topic)) = found {
        return describe(name, topic);
    }
    MetadataResponseTopic {
        error_code: match name {
            Some(_) => ErrorCode::UnknownTopicOrPartition,
            None => ErrorCode::UnknownTopicId,
        },
        name,
        topic_id,
        is_internal: false,
        partitions: Vec::new(),
    }
}

fn describe(name: &TopicName, topic: &Topic) -> MetadataResponseTopic {
    let partitions = (0..).zip(&topic.partitions);
    MetadataResponseTopic {
        error_code: ErrorCode::None,
        name: Some(name.clone()),
        topic_id: topic.id,
        is_internal: topic.is_internal,
        partitions: partitions
            .map(|(number, partition)| describe_partition(number, partition))
            .collect(),
    }
}

fn describe_partition(number: i32, partition: &PartitionMetadata) -> MetadataResponsePartition {
    MetadataResponsePartition {
        error_code: match partition.leader {
            Some(_) => ErrorCode::None,
            None => ErrorCode::LeaderNotAvailable,
        },
        partition_index: number,
        leader_id: partition.leader.unwrap_or(BrokerId(-1)),
        leader_epoch: partition.leader_epoch,
        replica_nodes: partition.replicas.clone(),
        isr_nodes: partition.isr.clone(),
        offline_replicas: Vec::new(),
    }
}
