//! Requests and answers in the short words of the scripts.

use regroup::kafka::api::*;
use regroup::kafka::error::ErrorCode;
use regroup::kafka::ids::{Bytes, Generation, GroupId, MemberId, Offset, TopicPartition};
use regroup::kafka::protocol::{Assignment, Subscription};
use std::rc::Rc;

/// `verb key=value flag ...`
pub struct Words<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Words<'a> {
    pub fn new(text: &'a str) -> Self {
        let words = text.split_whitespace();
        Self(
            words
                .map(|word| word.split_once('=').unwrap_or((word, "")))
                .collect(),
        )
    }

    pub fn pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0.iter().copied()
    }

    fn get(&self, key: &str) -> Option<&'a str> {
        self.pairs()
            .find(|(name, _)| *name == key)
            .map(|(_, value)| value)
    }

    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub fn number(&self, key: &str, default: i64) -> i64 {
        self.get(key)
            .map_or(default, |value| value.parse().expect("a number"))
    }

    fn int(&self, key: &str, default: i32) -> i32 {
        i32::try_from(self.number(key, default.into())).expect("an int")
    }

    fn generation(&self) -> Generation {
        Generation(self.int("gen", 5))
    }

    fn member(&self) -> MemberId {
        self.get("id").unwrap_or_default().into()
    }

    fn group(&self) -> GroupId {
        self.get("group").unwrap_or("g").into()
    }

    fn name(&self, key: &str) -> Option<Rc<str>> {
        self.get(key).map(Rc::from)
    }
}

/// `t0`
pub fn partition(text: &str) -> TopicPartition {
    let (topic, number) = text.split_at(1);
    TopicPartition::new(topic, number.parse().expect("a partition"))
}

/// `t0.t1`, or nothing.
pub fn assignment(share: &str) -> Bytes {
    let partitions = share.split('.').filter(|text| !text.is_empty());
    let assignment = Assignment {
        partitions: partitions.map(partition).collect(),
        user_data: None,
    };
    assignment.encode(0)
}

/// `range:t+u,roundrobin`: by the names, most wanted first, with the topics; `t` if none is said.
pub fn protocols(text: &str) -> Vec<JoinGroupRequestProtocol> {
    let protocols = text.split(',').filter(|name| !name.is_empty());
    let protocols = protocols.map(|protocol| {
        let (name, topics) = protocol.split_once(':').unwrap_or((protocol, "t"));
        let subscription = Subscription {
            topics: topics.split('+').map(Into::into).collect(),
            user_data: None,
            owned_partitions: Vec::new(),
            generation: -1,
            rack_id: None,
        };
        JoinGroupRequestProtocol {
            name: name.into(),
            metadata: subscription.encode(1),
        }
    });
    protocols.collect()
}

/// The request and its version.
pub fn request(words: &Words) -> (i16, Request) {
    let version = |newest| i16::try_from(words.number("v", newest)).expect("a version");
    let (verb, _) = words.pairs().next().expect("a verb");
    match verb {
        "join" => (version(9), Request::JoinGroup(join(words))),
        "sync" => (version(5), Request::SyncGroup(sync(words))),
        "beat" => {
            let request = HeartbeatRequest {
                group_id: words.group(),
                generation_id: words.generation(),
                member_id: words.member(),
                group_instance_id: words.get("inst").map(Into::into),
            };
            (version(4), Request::Heartbeat(request))
        }
        "leave" => (version(5), Request::LeaveGroup(leave(words))),
        "commit" => (version(9), Request::OffsetCommit(commit(words))),
        "fetch" => (version(9), Request::OffsetFetch(fetch(words))),
        _ => panic!("{verb}"),
    }
}

fn join(words: &Words) -> JoinGroupRequest {
    JoinGroupRequest {
        group_id: words.group(),
        session_timeout_ms: words.int("session", 6_000),
        rebalance_timeout_ms: words.int("rebalance", 10_000),
        member_id: words.member(),
        group_instance_id: words.get("inst").map(Into::into),
        protocol_type: words.get("type").unwrap_or("consumer").into(),
        protocols: protocols(words.get("with").unwrap_or("range")),
        reason: None,
    }
}

fn sync(words: &Words) -> SyncGroupRequest {
    let shares = words.get("give").unwrap_or_default().split(',');
    let shares = shares.filter_map(|share| share.split_once(':'));
    SyncGroupRequest {
        group_id: words.group(),
        generation_id: words.generation(),
        member_id: words.member(),
        group_instance_id: words.get("inst").map(Into::into),
        protocol_type: words.name("type"),
        protocol_name: words.name("protocol"),
        assignments: shares
            .map(|(id, share)| SyncGroupRequestAssignment {
                member_id: id.into(),
                assignment: assignment(share),
            })
            .collect(),
    }
}

/// `who=a1,b1/i2,/i1`: ids with instances.
fn leave(words: &Words) -> LeaveGroupRequest {
    let members = words.get("who").unwrap_or_default().split(',');
    let members = members.map(|who| {
        let (id, instance) = match who.split_once('/') {
            Some((id, instance)) => (id, Some(instance)),
            None => (who, None),
        };
        MemberIdentity {
            member_id: id.into(),
            group_instance_id: instance.map(Into::into),
            reason: None,
        }
    });
    LeaveGroupRequest {
        group_id: words.group(),
        members: members.collect(),
    }
}

/// `t0:7,t1:9`
fn commit(words: &Words) -> OffsetCommitRequest {
    let mut topics: Vec<OffsetCommitRequestTopic> = Vec::new();
    for text in words.get("at").unwrap_or("t0:7").split(',') {
        let (at, offset) = text.split_once(':').expect("an offset");
        let TopicPartition { topic, partition } = partition(at);
        let partition = OffsetCommitRequestPartition {
            partition_index: partition,
            committed_offset: Offset(offset.parse().expect("an offset")),
            committed_leader_epoch: words.int("epoch", -1),
            committed_metadata: words.name("note"),
        };
        match topics.iter_mut().find(|there| there.name == topic) {
            Some(there) => there.partitions.push(partition),
            None => topics.push(OffsetCommitRequestTopic {
                name: topic,
                partitions: vec![partition],
            }),
        }
    }
    OffsetCommitRequest {
        group_id: words.group(),
        generation_id_or_member_epoch: words.generation(),
        member_id: words.member(),
        group_instance_id: words.get("inst").map(Into::into),
        retention_time_ms: words.number("keep", -1),
        topics,
    }
}

/// `at=t0,t1` or `all`; `groups=g,h`.
fn fetch(words: &Words) -> OffsetFetchRequest {
    let at = words.get("at").unwrap_or("t0").split(',').map(partition);
    let topics = at.map(|at| OffsetFetchRequestTopic {
        name: at.topic,
        partition_indexes: vec![at.partition],
    });
    let topics: Vec<_> = topics.collect();
    let groups = words.get("groups").unwrap_or("g").split(',');
    let groups = groups.map(|group| OffsetFetchRequestGroup {
        group_id: group.into(),
        member_id: None,
        member_epoch: -1,
        topics: (!words.has("all")).then(|| topics.clone()),
    });
    OffsetFetchRequest {
        groups: groups.collect(),
        require_stable: words.has("stable"),
    }
}

/// An answer: its error's number, else what it says.
pub fn answer(response: &Response) -> String {
    match response {
        Response::JoinGroup(response) => joined(response),
        Response::SyncGroup(response) if response.error_code.is_none() => {
            let assignment = Assignment::decode(&response.assignment);
            assignment.map_or("nothing".to_owned(), |share| {
                let share: Vec<String> = share.partitions.iter().map(short).collect();
                format!("[{}]", share.join(" "))
            })
        }
        Response::SyncGroup(response) => response.error_code.code().to_string(),
        Response::Heartbeat(response) => response.error_code.code().to_string(),
        Response::LeaveGroup(response) => {
            let members = response.members.iter().map(|member| {
                let instance = member.group_instance_id.as_ref();
                let instance = instance.map_or(String::new(), |instance| format!("/{instance}"));
                format!(
                    "{}{instance}:{}",
                    member.member_id,
                    member.error_code.code()
                )
            });
            let members: Vec<String> = members.collect();
            format!("{} [{}]", response.error_code.code(), members.join(" "))
        }
        Response::OffsetCommit(response) => {
            let topics = response.topics.iter().flat_map(|topic| {
                let of = |p: &OffsetCommitResponsePartition| {
                    format!(
                        "{}{}:{}",
                        topic.name,
                        p.partition_index,
                        p.error_code.code()
                    )
                };
                topic.partitions.iter().map(of)
            });
            topics.collect::<Vec<String>>().join(" ")
        }
        Response::OffsetFetch(response) => {
            let groups: Vec<String> = response.groups.iter().map(fetched).collect();
            groups.join(" & ")
        }
        other => panic!("{other:?}"),
    }
}

fn short(partition: &TopicPartition) -> String {
    format!("{}{}", partition.topic, partition.partition)
}

fn joined(response: &JoinGroupResponse) -> String {
    if response.error_code != ErrorCode::None {
        assert_eq!(response.generation_id, Generation::NONE, "a refusal");
        let text = format!("{} {}", response.error_code.code(), response.member_id);
        return text.trim_end().to_owned();
    }
    let members = response.members.iter().map(|member| {
        let instance = member.group_instance_id.as_ref();
        let instance = instance.map_or(String::new(), |instance| format!("/{instance}"));
        format!("{}{instance}", member.member_id)
    });
    let members: Vec<String> = members.collect();
    let mut text = format!(
        "{} g{} {} of {}",
        response.member_id,
        response.generation_id.0,
        response.protocol_name.as_deref().unwrap_or_default(),
        response.leader
    );
    if !members.is_empty() {
        text.push_str(&format!(" [{}]", members.join(" ")));
    }
    if response.skip_assignment {
        text.push_str(" skip");
    }
    text
}

fn fetched(group: &OffsetFetchResponseGroup) -> String {
    if group.error_code != ErrorCode::None {
        return group.error_code.code().to_string();
    }
    let topics = group.topics.iter().flat_map(|topic| {
        let of = |p: &OffsetFetchResponsePartition| {
            let error = match p.error_code {
                ErrorCode::None => String::new(),
                error => format!("!{}", error.code()),
            };
            format!(
                "{}{}:{}{error}",
                topic.name, p.partition_index, p.committed_offset.0
            )
        };
        topic.partitions.iter().map(of)
    });
    topics.collect::<Vec<String>>().join(" ")
}
