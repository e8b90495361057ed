//! CreateTopics (19), versions 0-7, CreatePartitions (37), versions 0-3, and DeleteTopics (20), versions 0-6
//! (class `ReplicationControlManager`).
//!
//! Left out: the controller as a party of its own, policies, quotas, configurations that the engine does not
//! obey (40).
//!
//! DEVIATION: Kafka's own topics cannot be deleted (42): nothing makes `__consumer_offsets` anew.

use super::{Changes, Desk, Ticket, configs};
use crate::kafka::api::{
    CreatableTopic, CreatableTopicConfigs, CreatableTopicResult, CreatePartitionsRequest,
    CreatePartitionsResponse, CreatePartitionsTopic, CreatePartitionsTopicResult,
    CreateTopicsRequest, CreateTopicsResponse, DeletableTopicResult, DeleteTopicState,
    DeleteTopicsRequest, DeleteTopicsResponse,
};
use crate::kafka::cluster::{Cluster, ClusterChange, PartitionMetadata, Topic};
use crate::kafka::config::{BrokerConfig, TopicConfig, config_key, set_config};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, TopicName, Uuid};
use crate::kafka::sorted::{SortedMap, SortedSet};
use std::rc::Rc;

/// `num.partitions` and `default.replication.factor`.
const DEFAULT: usize = 1;
/// The most partitions that one request may make (`MAX_PARTITIONS_PER_BATCH`).
const PARTITIONS_MAX: usize = 10_000;
const TOPIC_NAME_LENGTH_MAX: usize = 249;

/// An error and what is wrong, in words.
pub type Refusal = (ErrorCode, Rc<str>);

fn refuse<T>(error: ErrorCode, words: impl Into<Rc<str>>) -> Result<T, Refusal> {
    Err((error, words.into()))
}

impl Changes {
    /// CreateTopics
    pub fn create_topics(&mut self, ticket: Ticket, request: CreateTopicsRequest, desk: &mut Desk) {
        let (mut made, mut results) = (Vec::new(), Vec::new());
        let twice = repeated(request.topics.iter().map(|topic| &topic.name));
        for topic in &request.topics {
            let checked = match twice.contains(&topic.name) {
                true => refuse(ErrorCode::InvalidRequest, "Duplicate topic name."),
                false => self.new_topic(topic, desk.cluster),
            };
            results.push(created(topic, &checked, &desk.settings.config));
            if let Ok(described) = checked {
                made.push(ClusterChange::CreateTopic {
                    name: topic.name.clone(),
                    topic: described,
                });
            }
        }
        if request.validate_only {
            made.clear();
        }
        self.answer_when_done(ticket, made, CreateTopicsResponse { topics: results }, desk);
    }

    /// CreatePartitions
    pub fn create_partitions(
        &mut self,
        ticket: Ticket,
        request: CreatePartitionsRequest,
        desk: &mut Desk,
    ) {
        let (mut made, mut results) = (Vec::new(), Vec::new());
        let twice = repeated(request.topics.iter().map(|topic| &topic.name));
        for topic in &request.topics {
            let checked = match twice.contains(&topic.name) {
                true => refuse(ErrorCode::InvalidRequest, "Duplicate topic in request."),
                false => new_partitions(topic, desk.cluster),
            };
            let refusal = checked.as_ref().err().cloned();
            results.push(CreatePartitionsTopicResult {
                name: topic.name.clone(),
                error_code: refusal
                    .as_ref()
                    .map_or(ErrorCode::None, |(error, _)| *error),
                error_message: refusal.map(|(_, words)| words),
            });
            if let Ok(partitions) = checked {
                made.push(ClusterChange::AddPartitions {
                    topic: topic.name.clone(),
                    partitions,
                });
            }
        }
        if request.validate_only {
            made.clear();
        }
        self.answer_when_done(ticket, made, CreatePartitionsResponse { results }, desk);
    }

    /// DeleteTopics
    pub fn delete_topics(&mut self, ticket: Ticket, request: DeleteTopicsRequest, desk: &mut Desk) {
        let (mut gone, mut responses) = (Vec::new(), Vec::new());
        for wanted in request.topics {
            let DeleteTopicState { name, topic_id } = wanted;
            let found = match &name {
                Some(name) => desk.cluster.topics.get_key_value(name),
                None => {
                    let mut topics = desk.cluster.topics.iter();
                    topics.find(|(_, topic)| topic.id == topic_id)
                }
            };
            let error_code = match found {
                Some((_, topic)) if topic.is_internal => ErrorCode::InvalidRequest,
                Some((name, _)) => {
                    gone.push(ClusterChange::DeleteTopic {
                        topic: name.clone(),
                    });
                    ErrorCode::None
                }
                None if name.is_some() => ErrorCode::UnknownTopicOrPartition,
                None => ErrorCode::UnknownTopicId,
            };
            responses.push(DeletableTopicResult {
                name: found.map(|(name, _)| name.clone()).or(name),
                topic_id: found.map_or(topic_id, |(_, topic)| topic.id),
                error_code,
                error_message: (!error_code.is_none()).then(|| error_code.name().into()),
            });
        }
        self.answer_when_done(ticket, gone, DeleteTopicsResponse { responses }, desk);
    }

    fn new_topic(&mut self, topic: &CreatableTopic, cluster: &Cluster) -> Result<Topic, Refusal> {
        check_name(&topic.name)?;
        if cluster.topics.contains_key(&topic.name) {
            let words = format!("Topic '{}' already exists.", topic.name);
            return refuse(ErrorCode::TopicAlreadyExists, words);
        }
        let config = topic_config(topic)?;
        let partitions = match topic.assignments.is_empty() {
            true => placed_by_broker(topic, cluster)?,
            false => placed_by_request(topic, cluster)?,
        };
        Ok(Topic {
            id: self.new_topic_id(),
            is_internal: false,
            config: Rc::new(config),
            partitions,
        })
    }

    fn new_topic_id(&mut self) -> Uuid {
        let mut half = || {
            let bits = u64::from(self.chance.bits()) << 32 | u64::from(self.chance.bits());
            bits.cast_signed()
        };
        Uuid {
            high: half(),
            low: half(),
        }
    }
}

fn created(
    topic: &CreatableTopic,
    checked: &Result<Topic, Refusal>,
    broker: &BrokerConfig,
) -> CreatableTopicResult {
    let mut result = CreatableTopicResult {
        name: topic.name.clone(),
        num_partitions: -1,
        replication_factor: -1,
        ..CreatableTopicResult::default()
    };
    match checked {
        Ok(made) => {
            let replicas = made
                .partitions
                .first()
                .map_or(0, |first| first.replicas.len());
            result.topic_id = made.id;
            result.num_partitions = i32::try_from(made.partitions.len()).unwrap_or(i32::MAX);
            result.replication_factor = i16::try_from(replicas).unwrap_or(i16::MAX);
            result.configs = Some(described_configs(&made.config, broker));
        }
        Err((error, words)) => {
            result.error_code = *error;
            result.error_message = Some(words.clone());
        }
    }
    result
}

fn described_configs(config: &TopicConfig, broker: &BrokerConfig) -> Vec<CreatableTopicConfigs> {
    let described = configs::topic_entries(config, broker);
    let described = described.into_iter().map(|entry| CreatableTopicConfigs {
        name: entry.name,
        value: entry.value,
        read_only: entry.read_only,
        config_source: entry.config_source,
        is_sensitive: entry.is_sensitive,
    });
    described.collect()
}

/// `Topic.validate`
pub fn check_name(name: &TopicName) -> Result<(), Refusal> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    let words = if name.is_empty() {
        "Topic name is invalid: the empty string is not allowed".to_owned()
    } else if matches!(name.as_str(), "." | "..") {
        format!("Topic name is invalid: '{name}' is not allowed")
    } else if name.len() > TOPIC_NAME_LENGTH_MAX {
        "Topic name is invalid: it is longer than 249 characters".to_owned()
    } else if !name.bytes().all(is_plain) {
        "Topic name is invalid: it has a character other than letters, digits, '.', '_' and '-'"
            .to_owned()
    } else {
        return Ok(());
    };
    refuse(ErrorCode::InvalidTopicException, words)
}

fn topic_config(topic: &CreatableTopic) -> Result<TopicConfig, Refusal> {
    let mut config = TopicConfig::default();
    for given in &topic.configs {
        let value = given.value.as_deref().unwrap_or_default();
        if config_key::<TopicConfig>(&given.name).is_none() {
            let words = format!("The broker does not know the configuration {}", given.name);
            return refuse(ErrorCode::InvalidConfig, words);
        }
        if set_config(&mut config, &given.name, value).is_err() {
            let words = format!("Invalid value {value} for configuration {}", given.name);
            return refuse(ErrorCode::InvalidConfig, words);
        }
    }
    Ok(config)
}

fn placed_by_broker(
    topic: &CreatableTopic,
    cluster: &Cluster,
) -> Result<Vec<PartitionMetadata>, Refusal> {
    let partitions = match topic.num_partitions {
        -1 => DEFAULT,
        wanted => usize::try_from(wanted).unwrap_or(0),
    };
    if partitions == 0 {
        let words = "Number of partitions was set to an invalid non-positive value.";
        return refuse(ErrorCode::InvalidPartitions, words);
    }
    let replicas = match topic.replication_factor {
        -1 => DEFAULT,
        wanted => usize::try_from(wanted).unwrap_or(0),
    };
    if replicas == 0 {
        let words = "Replication factor must be larger than 0, or -1 to use the default value.";
        return refuse(ErrorCode::InvalidReplicationFactor, words);
    }
    place(0..partitions, replicas, cluster)
}

/// Leaders round robin over the brokers, followers on the next ones.
fn place(
    numbers: std::ops::Range<usize>,
    replicas: usize,
    cluster: &Cluster,
) -> Result<Vec<PartitionMetadata>, Refusal> {
    if numbers.len() > PARTITIONS_MAX {
        let words = "Excessively large number of partitions per request.";
        return refuse(ErrorCode::PolicyViolation, words);
    }
    let ids: Vec<BrokerId> = cluster.brokers.keys().copied().collect();
    if replicas > ids.len() {
        let words = format!(
            "Unable to replicate the partition {replicas} time(s): only {} broker(s) are registered.",
            ids.len()
        );
        return refuse(ErrorCode::InvalidReplicationFactor, words);
    }
    let on = |place: usize| ids.iter().cycle().skip(place % ids.len()).take(replicas);
    Ok(numbers
        .map(|place| new_partition(on(place).copied().collect()))
        .collect())
}

fn new_partition(replicas: Vec<BrokerId>) -> PartitionMetadata {
    PartitionMetadata {
        leader: replicas.first().copied(),
        leader_epoch: 0,
        isr: replicas.clone(),
        replicas,
    }
}

fn placed_by_request(
    topic: &CreatableTopic,
    cluster: &Cluster,
) -> Result<Vec<PartitionMetadata>, Refusal> {
    if topic.num_partitions != -1 || topic.replication_factor != -1 {
        let words = "A manual partition assignment was specified, but numPartitions or replicationFactor was not set to -1.";
        return refuse(ErrorCode::InvalidRequest, words);
    }
    let mut by_number = SortedMap::new();
    for assignment in &topic.assignments {
        check_replicas(&assignment.broker_ids, cluster)?;
        let partition = new_partition(assignment.broker_ids.clone());
        if by_number
            .insert(assignment.partition_index, partition)
            .is_some()
        {
            let words = format!(
                "Found multiple assignments for partition {}",
                assignment.partition_index
            );
            return refuse(ErrorCode::InvalidReplicaAssignment, words);
        }
    }
    if !(0_i32..)
        .zip(by_number.keys())
        .all(|(number, given)| number == *given)
    {
        let words = "partitions should be a consecutive 0-based integer sequence";
        return refuse(ErrorCode::InvalidReplicaAssignment, words);
    }
    Ok(by_number.into_values().collect())
}

/// 39 for replicas that cannot be.
fn check_replicas(replicas: &[BrokerId], cluster: &Cluster) -> Result<(), Refusal> {
    let words = if replicas.is_empty() {
        "The manual partition assignment includes an empty replica list.".to_owned()
    } else if let Some(unknown) = replicas.iter().find(|id| !cluster.brokers.contains_key(id)) {
        format!(
            "The manual partition assignment includes broker {}, but no such broker is registered.",
            unknown.0
        )
    } else if replicas.iter().collect::<SortedSet<_>>().len() < replicas.len() {
        "The manual partition assignment includes a broker more than once.".to_owned()
    } else {
        return Ok(());
    };
    refuse(ErrorCode::InvalidReplicaAssignment, words)
}

fn new_partitions(
    wanted: &CreatePartitionsTopic,
    cluster: &Cluster,
) -> Result<Vec<PartitionMetadata>, Refusal> {
    let Some(topic) = cluster.topics.get(&wanted.name) else {
        let words = "This server does not host this topic-partition.";
        return refuse(ErrorCode::UnknownTopicOrPartition, words);
    };
    let (there, count) = (
        topic.partitions.len(),
        usize::try_from(wanted.count).unwrap_or(0),
    );
    if count <= there {
        let words = match count == there {
            true => format!("Topic already has {there} partition(s)."),
            false => format!(
                "The topic {} currently has {there} partition(s); {} would not be an increase.",
                wanted.name, wanted.count
            ),
        };
        return refuse(ErrorCode::InvalidPartitions, words);
    }
    let replicas = topic
        .partitions
        .first()
        .map_or(DEFAULT, |first| first.replicas.len());
    let Some(assignments) = &wanted.assignments else {
        return place(there..count, replicas, cluster);
    };
    if assignments.len() != count - there {
        let words = format!(
            "Attempted to add {} additional partition(s), but only {} assignment(s) were specified.",
            count - there,
            assignments.len()
        );
        return refuse(ErrorCode::InvalidReplicaAssignment, words);
    }
    for assignment in assignments {
        check_replicas(&assignment.broker_ids, cluster)?;
        if assignment.broker_ids.len() != replicas {
            let words = format!(
                "The new partitions must have {replicas} replica(s) each, as the topic's others."
            );
            return refuse(ErrorCode::InvalidReplicaAssignment, words);
        }
    }
    let ids = assignments
        .iter()
        .map(|assignment| assignment.broker_ids.clone());
    Ok(ids.map(new_partition).collect())
}

/// Names that come more than once.
fn repeated<'a>(names: impl Iterator<Item = &'a TopicName>) -> SortedSet<TopicName> {
    let mut seen = SortedSet::new();
    names.filter(|name| !seen.insert(*name)).cloned().collect()
}
