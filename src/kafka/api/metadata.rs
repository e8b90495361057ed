//! Metadata (3), versions 0-12.

use super::first_error;
use super::visit::{
    NOT_ASKED, Visit, Visited, Visitor, array, int, nullable_array, nullable_text, structs,
    structure, text,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, TopicName, Uuid};
use std::rc::Rc;

/// Asks for brokers, topics and leaders.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MetadataRequest {
    /// `None`: every topic.
    pub topics: Option<Vec<MetadataRequestTopic>>,
    /// Create topics that do not exist, if the broker allows it.
    pub allow_auto_topic_creation: bool,
    /// v8-10. The engine has no authorisation and never says.
    pub include_cluster_authorized_operations: bool,
    /// v8. The engine has no authorisation and never says.
    pub include_topic_authorized_operations: bool,
}

/// A topic that is asked about.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MetadataRequestTopic {
    /// Its id (v10); zero: by name.
    pub topic_id: Uuid,
    /// Its name; `None`: by id.
    pub name: Option<TopicName>,
}

impl From<TopicName> for MetadataRequestTopic {
    fn from(name: TopicName) -> Self {
        Self {
            topic_id: Uuid::default(),
            name: Some(name),
        }
    }
}

/// The cluster as the broker knows it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MetadataResponse {
    /// Brokers that are up.
    pub brokers: Vec<MetadataResponseBroker>,
    /// Name of the cluster.
    pub cluster_id: Option<Rc<str>>,
    /// -1: unknown.
    pub controller_id: BrokerId,
    /// What was asked for.
    pub topics: Vec<MetadataResponseTopic>,
}

/// One broker.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MetadataResponseBroker {
    /// Its id.
    pub node_id: BrokerId,
    /// Where it listens.
    pub host: Rc<str>,
    /// Where it listens.
    pub port: i32,
    /// `broker.rack`.
    pub rack: Option<Rc<str>>,
}

/// One topic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MetadataResponseTopic {
    /// Whether and why it is missing.
    pub error_code: ErrorCode,
    /// Its name; `None` (v12): asked for by an id that nobody knows.
    pub name: Option<TopicName>,
    /// Its id (v10).
    pub topic_id: Uuid,
    /// Whether it is Kafka's own.
    pub is_internal: bool,
    /// Ascending.
    pub partitions: Vec<MetadataResponsePartition>,
}

/// One partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MetadataResponsePartition {
    /// 5 without a leader.
    pub error_code: ErrorCode,
    /// Its number.
    pub partition_index: i32,
    /// -1: none.
    pub leader_id: BrokerId,
    /// Epoch of the leader (v7).
    pub leader_epoch: i32,
    /// All replicas, the preferred one first.
    pub replica_nodes: Vec<BrokerId>,
    /// In sync.
    pub isr_nodes: Vec<BrokerId>,
    /// Down (v5).
    pub offline_replicas: Vec<BrokerId>,
}

impl MetadataResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        first_error(self.topics.iter().map(|topic| topic.error_code))
    }
}

impl Visit for MetadataRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 1 {
            nullable_array(v, "topics", &mut self.topics, structure)?;
        } else {
            structs(v, "topics", self.topics.get_or_insert_default())?;
        }
        if v.version() >= 4 {
            int(
                v,
                "allow_auto_topic_creation",
                &mut self.allow_auto_topic_creation,
            )?;
        } else {
            self.allow_auto_topic_creation = true;
        }
        if (8..=10).contains(&v.version()) {
            let wanted = &mut self.include_cluster_authorized_operations;
            int(v, "include_cluster_authorized_operations", wanted)?;
        }
        if v.version() >= 8 {
            let wanted = &mut self.include_topic_authorized_operations;
            int(v, "include_topic_authorized_operations", wanted)?;
        }
        Ok(())
    }
}

impl Visit for MetadataRequestTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 10 {
            v.uuid("topic_id", &mut self.topic_id)?;
            return nullable_text(v, "name", &mut self.name);
        }
        text(v, "name", self.name.get_or_insert_default())
    }
}

impl Visit for MetadataResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 3 {
            v.throttle_time_ms()?;
        }
        structs(v, "brokers", &mut self.brokers)?;
        if v.version() >= 2 {
            nullable_text(v, "cluster_id", &mut self.cluster_id)?;
        }
        if v.version() >= 1 {
            int(v, "controller_id", &mut self.controller_id)?;
        } else {
            self.controller_id = BrokerId(-1);
        }
        structs(v, "topics", &mut self.topics)?;
        if (8..=10).contains(&v.version()) {
            int(v, "cluster_authorized_operations", &mut NOT_ASKED.clone())?;
        }
        Ok(())
    }
}

impl Visit for MetadataResponseBroker {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "node_id", &mut self.node_id)?;
        text(v, "host", &mut self.host)?;
        int(v, "port", &mut self.port)?;
        if v.version() >= 1 {
            nullable_text(v, "rack", &mut self.rack)?;
        }
        Ok(())
    }
}

impl Visit for MetadataResponseTopic {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "error_code", &mut self.error_code)?;
        if v.version() >= 12 {
            nullable_text(v, "name", &mut self.name)?;
        } else {
            text(v, "name", self.name.get_or_insert_default())?;
        }
        if v.version() >= 10 {
            v.uuid("topic_id", &mut self.topic_id)?;
        }
        if v.version() >= 1 {
            int(v, "is_internal", &mut self.is_internal)?;
        }
        structs(v, "partitions", &mut self.partitions)?;
        if v.version() >= 8 {
            int(v, "topic_authorized_operations", &mut NOT_ASKED.clone())?;
        }
        Ok(())
    }
}

impl Visit for MetadataResponsePartition {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "error_code", &mut self.error_code)?;
        int(v, "partition_index", &mut self.partition_index)?;
        int(v, "leader_id", &mut self.leader_id)?;
        if v.version() >= 7 {
            int(v, "leader_epoch", &mut self.leader_epoch)?;
        } else {
            self.leader_epoch = -1;
        }
        let node = |node: &mut BrokerId, v: &mut dyn Visitor| int(v, "node_id", node);
        array(v, "replica_nodes", &mut self.replica_nodes, node)?;
        array(v, "isr_nodes", &mut self.isr_nodes, node)?;
        if v.version() >= 5 {
            array(v, "offline_replicas", &mut self.offline_replicas, node)?;
        }
        Ok(())
    }
}
