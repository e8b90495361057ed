//! Calls of the KIP-848 coordinator's assignors.

use super::{CaseError, CaseResult, Run, check_partitions, topic_id};
use crate::kafka::assignor::Explain;
use crate::kafka::assignor::server::{
    GroupSpec, ServerAssignor, ServerMember, ServerTopic, SubscriptionType, Target, assign,
};
use crate::kafka::ids::{GroupInstanceId, MemberId, TopicName, Uuid};
use crate::kafka::sorted::SortedMap;
use serde::Deserialize;
use std::rc::Rc;

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SubscriptionTypeName {
    Homogeneous,
    Heterogeneous,
}

#[derive(Deserialize)]
struct Line {
    assignor: String,
    topics: Vec<TopicLine>,
    members: Vec<MemberLine>,
}

#[derive(Deserialize)]
struct TopicLine {
    name: String,
    id: String,
    partitions: i32,
}

#[derive(Deserialize)]
struct MemberLine {
    member_id: String,
    instance_id: Option<String>,
    topics: Vec<String>,
    #[serde(default)]
    assigned: Vec<Run>,
}

/// One call.
#[derive(Debug)]
pub(super) struct ServerCall {
    assignor: ServerAssignor,
    subscription_type: SubscriptionType,
    topics: SortedMap<Uuid, ServerTopic>,
    members: Vec<ServerMember>,
}

impl ServerCall {
    pub(super) fn parse(line: &str, kind: SubscriptionTypeName) -> Result<Self, CaseError> {
        let line: Line = serde_json::from_str(line)?;
        let Some(assignor) = ServerAssignor::from_name(&line.assignor) else {
            return Err(CaseError::UnknownAssignor(line.assignor));
        };
        let mut ids = SortedMap::new();
        let mut topics = SortedMap::new();
        for topic in line.topics {
            check_partitions(&topic.name, topic.partitions)?;
            let id = topic_id(&topic.id)?;
            // A topic of no partitions is one without metadata.
            if topic.partitions > 0 {
                let name = TopicName::from(topic.name.as_str());
                topics.insert(
                    id,
                    ServerTopic {
                        name,
                        partitions: topic.partitions,
                    },
                );
            }
            ids.insert(topic.name, id);
        }
        let members = line
            .members
            .into_iter()
            .map(|line| member(line, &ids))
            .collect::<Result<_, _>>()?;
        let subscription_type = match kind {
            SubscriptionTypeName::Homogeneous => SubscriptionType::Homogeneous,
            SubscriptionTypeName::Heterogeneous => SubscriptionType::Heterogeneous,
        };
        Ok(Self {
            assignor,
            subscription_type,
            topics,
            members,
        })
    }

    pub(super) fn run(&self, id: &str, explain: &mut Explain) -> CaseResult {
        let spec = GroupSpec {
            members: &self.members,
            subscription_type: self.subscription_type,
            topics: &self.topics,
        };
        let targets = match assign(self.assignor, &spec, explain) {
            Ok(targets) => targets,
            Err(error) => return CaseResult::failed(id, &error),
        };
        let assignment = targets
            .into_iter()
            .map(|(member, target)| (member.to_string(), self.runs_by_name(&target)));
        CaseResult {
            id: id.to_owned(),
            assignment: Some(assignment.collect()),
            ..CaseResult::default()
        }
    }

    /// By topic name, numbers ascending: a target is a set.
    fn runs_by_name(&self, target: &Target) -> Vec<Run> {
        let mut runs: Vec<Run> = target
            .topics
            .iter()
            .map(|(topic, numbers)| {
                let name = self
                    .topics
                    .get(topic)
                    .map(|topic| topic.name.to_string())
                    .unwrap_or_default();
                let mut numbers = numbers.clone();
                numbers.sort_unstable();
                (name, numbers)
            })
            .collect();
        runs.sort_unstable();
        runs
    }
}

fn member(line: MemberLine, ids: &SortedMap<String, Uuid>) -> Result<ServerMember, CaseError> {
    let id = |name: &String| {
        ids.get(name)
            .copied()
            .ok_or_else(|| CaseError::UnlistedTopic(name.clone()))
    };
    let topic_ids: Vec<Uuid> = line.topics.iter().map(id).collect::<Result<_, _>>()?;
    let mut target = Target::default();
    for (topic, numbers) in line.assigned {
        target.topics.push((id(&topic)?, numbers));
    }
    Ok(ServerMember {
        member_id: MemberId::from(line.member_id),
        instance_id: line.instance_id.map(GroupInstanceId::from),
        topic_ids: topic_ids.into(),
        target: Rc::new(target),
    })
}
