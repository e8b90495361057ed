//! Calls of the consumer's assignors.

use super::{
    CaseError, CaseResult, HeldBackLine, Run, bytes_of_hex, check_partitions, partitions_of_runs,
    runs,
};
use crate::kafka::assignor::{
    Assignor, ClusterTopics, Explain, MemberSubscription, TopicMetadata, assign,
};
use crate::kafka::ids::{GroupInstanceId, MemberId, TopicName};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Deserialize)]
struct Line {
    assignor: String,
    #[serde(default)]
    brokers: Vec<BrokerLine>,
    topics: Vec<TopicLine>,
    members: Vec<MemberLine>,
}

#[derive(Deserialize)]
struct BrokerLine {
    id: i32,
    rack: Option<String>,
}

#[derive(Deserialize)]
struct TopicLine {
    name: String,
    partitions: i32,
    #[serde(default)]
    replicas: Vec<Vec<i32>>,
}

#[derive(Deserialize)]
struct MemberLine {
    member_id: String,
    group_instance_id: Option<String>,
    rack_id: Option<String>,
    topics: Vec<String>,
    #[serde(default)]
    owned: Vec<Run>,
    #[serde(default = "no_generation")]
    generation: i32,
    user_data: Option<UserDataLine>,
}

#[derive(Deserialize)]
struct UserDataLine {
    hex: String,
}

fn no_generation() -> i32 {
    -1
}

/// One call.
#[derive(Debug)]
pub(super) struct ClientCall {
    assignor: Assignor,
    cluster: ClusterTopics,
    members: Vec<MemberSubscription>,
}

impl ClientCall {
    pub(super) fn parse(line: &str) -> Result<Self, CaseError> {
        let line: Line = serde_json::from_str(line)?;
        let Some(assignor) = Assignor::from_name(&line.assignor) else {
            return Err(CaseError::UnknownAssignor(line.assignor));
        };
        let racks: BTreeMap<i32, Rc<str>> = line
            .brokers
            .into_iter()
            .filter_map(|broker| Some((broker.id, Rc::from(broker.rack?))))
            .collect();
        let mut cluster = ClusterTopics::default();
        for topic in line.topics {
            check_partitions(&topic.name, topic.partitions)?;
            let replica_racks = topic
                .replicas
                .iter()
                .map(|brokers| {
                    brokers
                        .iter()
                        .filter_map(|broker| racks.get(broker).cloned())
                        .collect()
                })
                .collect();
            let metadata = TopicMetadata {
                partitions: topic.partitions,
                replica_racks,
            };
            cluster.topics.insert(TopicName::from(topic.name), metadata);
        }
        let members = line
            .members
            .into_iter()
            .map(member)
            .collect::<Result<_, _>>()?;
        Ok(Self {
            assignor,
            cluster,
            members,
        })
    }

    pub(super) fn run(&self, id: &str, explain: &mut Explain) -> CaseResult {
        let result = match assign(self.assignor, &self.cluster, &self.members, explain) {
            Ok(result) => result,
            Err(error) => return CaseResult::failed(id, &error),
        };
        let cooperative = self.assignor == Assignor::CooperativeSticky;
        let held_back = result.held_back.iter().map(|held| HeldBackLine {
            topic: held.partition.topic.to_string(),
            partition: held.partition.partition,
            claimed_by: names(&held.claimed_by),
            to: held.to.to_string(),
        });
        CaseResult {
            id: id.to_owned(),
            assignment: Some(
                result
                    .members
                    .iter()
                    .map(|member| (member.member_id.to_string(), runs(&member.partitions)))
                    .collect(),
            ),
            held_back: cooperative.then(|| held_back.collect()),
            rejoin: cooperative.then(|| names(&result.rejoin)),
            error: None,
        }
    }
}

fn member(line: MemberLine) -> Result<MemberSubscription, CaseError> {
    let user_data = line
        .user_data
        .map(|data| bytes_of_hex(&data.hex))
        .transpose()?;
    Ok(MemberSubscription {
        member_id: MemberId::from(line.member_id),
        group_instance_id: line.group_instance_id.map(GroupInstanceId::from),
        rack_id: line.rack_id.map(Rc::from),
        topics: line.topics.into_iter().map(TopicName::from).collect(),
        owned_partitions: partitions_of_runs(&line.owned),
        generation: line.generation,
        user_data: user_data.map(Rc::from),
    })
}

fn names(ids: &[MemberId]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}
