//! Messages that a scenario says must be on the wire: recorded traffic, as far as it is exact.

use crate::kafka::api::{ApiKey, Request, Response};
use crate::kafka::fact::{Fact, FactId, FactKind};
use crate::kafka::ids::{ActorName, Bytes, MemberId, TopicPartition};
use crate::kafka::protocol::Assignment;
use crate::kafka::sorted::SortedMap;
use crate::kafka::sorted::sort_few;
use crate::kafka::time::Instant;
use std::rc::Rc;

/// One message, as a file has it.
#[derive(Clone, PartialEq, Debug)]
pub struct WireFile {
    /// What other messages call it in `after`.
    pub id: Rc<str>,
    /// Which client sends or gets it.
    pub client: ActorName,
    /// Request or response.
    pub kind: MessageKind,
    /// Its API, by Kafka's name.
    pub api: Rc<str>,
    /// Its correlation id.
    pub correlation_id: i32,
    /// The version on the wire.
    pub api_version: Option<i16>,
    /// When it goes onto the wire.
    pub at: Option<Instant>,
    /// By how much that may differ.
    pub tolerance_ms: u32,
    /// Messages that go onto the wire before it.
    pub after: Vec<Rc<str>>,
    /// First error in a response.
    pub error: Option<i16>,
    /// The generation in it.
    pub generation: Option<i32>,
    /// The member id in it.
    pub member_id: Option<MemberId>,
    /// The leader's member id in a JoinGroup response.
    pub leader: Option<MemberId>,
    /// The member ids in a JoinGroup response, in any order.
    pub members: Option<Vec<MemberId>>,
    /// Partitions in a SyncGroup response.
    pub assigned: Option<Vec<TopicPartition>>,
    /// Partitions by member id in a SyncGroup request.
    pub assignments: Option<SortedMap<MemberId, Vec<TopicPartition>>>,
}

/// Direction of a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MessageKind {
    /// From a client to a broker.
    Request,
    /// The answer.
    Response,
}

/// A message that was on the wire and is looked for.
#[derive(Clone, Debug)]
struct Seen {
    at: Instant,
    fact: FactId,
    api_version: i16,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    Request(Rc<Request>),
    Response(Rc<Response>),
}

type Key = (MessageKind, ActorName, ApiKey, i32);

/// Looks for the messages of a file among the facts.
#[derive(Clone, Debug)]
pub struct Sniffer {
    wanted: Vec<(WireFile, ApiKey)>,
    seen: SortedMap<Key, Vec<Seen>>,
    open: SortedMap<u64, (ActorName, ApiKey, i32, i16)>,
}

impl Sniffer {
    /// `wanted`: messages with their API.
    pub fn new(wanted: Vec<(WireFile, ApiKey)>) -> Self {
        let keys = wanted
            .iter()
            .map(|(file, api)| (key(file, *api), Vec::new()));
        let seen = keys.collect();
        Self {
            wanted,
            seen,
            open: SortedMap::new(),
        }
    }

    /// Takes in what happened.
    pub fn fold(&mut self, fact: &Fact) {
        if self.wanted.is_empty() {
            return;
        }
        match &fact.kind {
            FactKind::RequestSent {
                exchange,
                from,
                correlation_id,
                api_version,
                request,
                ..
            } => {
                let open = (from.clone(), request.api(), *correlation_id, *api_version);
                self.note(
                    MessageKind::Request,
                    &open,
                    fact,
                    Body::Request(request.clone()),
                );
                self.open.insert(*exchange, open);
            }
            FactKind::ResponseSent {
                exchange, response, ..
            } => {
                if let Some(open) = self.open.remove(exchange) {
                    let body = Body::Response(response.clone());
                    self.note(MessageKind::Response, &open, fact, body);
                }
            }
            _ => {}
        }
    }

    fn note(
        &mut self,
        kind: MessageKind,
        (client, api, correlation_id, api_version): &(ActorName, ApiKey, i32, i16),
        fact: &Fact,
        body: Body,
    ) {
        let key = (kind, client.clone(), *api, *correlation_id);
        if let Some(list) = self.seen.get_mut(&key) {
            list.push(Seen {
                at: fact.at,
                fact: fact.id,
                api_version: *api_version,
                body,
            });
        }
    }

    /// What is wrong, message by message: its place in the file, and `None` if nothing is.
    pub fn verdicts(&self) -> Vec<(usize, Option<String>)> {
        let mut found: SortedMap<&str, FactId> = SortedMap::new();
        for (file, api) in &self.wanted {
            if let Some(seen) = self.first(file, *api) {
                found.insert(&file.id, seen.fact);
            }
        }
        let verdict = |(index, (file, api)): (usize, &(WireFile, ApiKey))| {
            (index, self.complaint(file, *api, &found))
        };
        self.wanted.iter().enumerate().map(verdict).collect()
    }

    fn first(&self, file: &WireFile, api: ApiKey) -> Option<&Seen> {
        self.seen.get(&key(file, api))?.first()
    }

    fn complaint(
        &self,
        file: &WireFile,
        api: ApiKey,
        found: &SortedMap<&str, FactId>,
    ) -> Option<String> {
        let Some(seen) = self.first(file, api) else {
            return Some("it was never on the wire".to_owned());
        };
        if let Some(at) = file.at {
            let tolerance = i64::from(file.tolerance_ms) * 1_000;
            if (seen.at - at).0.abs() > tolerance {
                return Some(format!("it was on the wire at {} ms, not {at} ms", seen.at));
            }
        }
        for other in &file.after {
            if found.get(&**other).is_none_or(|&fact| fact >= seen.fact) {
                return Some(format!("it was on the wire before {other}"));
            }
        }
        if file
            .api_version
            .is_some_and(|version| version != seen.api_version)
        {
            return Some(format!("its version is {}", seen.api_version));
        }
        let parts = parts(&seen.body);
        difference("error", &file.error, &parts.error)
            .or_else(|| difference("generation", &file.generation, &parts.generation))
            .or_else(|| difference("member id", &file.member_id, &parts.member_id))
            .or_else(|| difference("leader", &file.leader, &parts.leader))
            .or_else(|| difference("members", &sorted(&file.members), &sorted(&parts.members)))
            .or_else(|| difference("assigned partitions", &file.assigned, &parts.assigned))
            .or_else(|| difference("assignments", &file.assignments, &parts.assignments))
    }
}

fn key(file: &WireFile, api: ApiKey) -> Key {
    (file.kind, file.client.clone(), api, file.correlation_id)
}

fn sorted(members: &Option<Vec<MemberId>>) -> Option<Vec<MemberId>> {
    let mut members = members.clone()?;
    sort_few(&mut members, |left, right| left < right);
    Some(members)
}

fn difference<T: PartialEq + std::fmt::Debug>(
    what: &str,
    want: &Option<T>,
    have: &Option<T>,
) -> Option<String> {
    let want = want.as_ref()?;
    match have {
        Some(have) if have == want => None,
        Some(have) => Some(format!("{what}: {have:?} instead of {want:?}")),
        None => Some(format!("it has no {what}")),
    }
}

/// What an expectation may look at in a message.
#[derive(Default)]
struct Parts {
    error: Option<i16>,
    generation: Option<i32>,
    member_id: Option<MemberId>,
    leader: Option<MemberId>,
    members: Option<Vec<MemberId>>,
    assigned: Option<Vec<TopicPartition>>,
    assignments: Option<SortedMap<MemberId, Vec<TopicPartition>>>,
}

fn parts(body: &Body) -> Parts {
    match body {
        Body::Request(request) => request_parts(request),
        Body::Response(response) => Parts {
            error: Some(response.error().code()),
            ..response_parts(response)
        },
    }
}

fn request_parts(request: &Request) -> Parts {
    match request {
        Request::JoinGroup(join) => Parts {
            member_id: Some(join.member_id.clone()),
            ..Parts::default()
        },
        Request::SyncGroup(sync) => Parts {
            generation: Some(sync.generation_id.0),
            member_id: Some(sync.member_id.clone()),
            assignments: Some(
                sync.assignments
                    .iter()
                    .map(|share| (share.member_id.clone(), partitions(&share.assignment)))
                    .collect(),
            ),
            ..Parts::default()
        },
        Request::Heartbeat(heartbeat) => Parts {
            generation: Some(heartbeat.generation_id.0),
            member_id: Some(heartbeat.member_id.clone()),
            ..Parts::default()
        },
        Request::LeaveGroup(leave) => Parts {
            member_id: leave.members.first().map(|member| member.member_id.clone()),
            ..Parts::default()
        },
        Request::Produce(_)
        | Request::Fetch(_)
        | Request::ListOffsets(_)
        | Request::Metadata(_)
        | Request::OffsetCommit(_)
        | Request::OffsetFetch(_)
        | Request::FindCoordinator(_)
        | Request::DescribeGroups(_)
        | Request::ListGroups(_)
        | Request::ApiVersions(_)
        | Request::CreateTopics(_)
        | Request::DeleteTopics(_)
        | Request::DeleteRecords(_)
        | Request::InitProducerId(_)
        | Request::OffsetForLeaderEpoch(_)
        | Request::DescribeConfigs(_)
        | Request::CreatePartitions(_)
        | Request::DeleteGroups(_)
        | Request::OffsetDelete(_)
        | Request::DescribeCluster(_) => Parts::default(),
    }
}

fn response_parts(response: &Response) -> Parts {
    match response {
        Response::JoinGroup(join) => Parts {
            generation: Some(join.generation_id.0),
            member_id: Some(join.member_id.clone()),
            leader: Some(join.leader.clone()),
            members: Some(
                join.members
                    .iter()
                    .map(|member| member.member_id.clone())
                    .collect(),
            ),
            ..Parts::default()
        },
        Response::SyncGroup(sync) => Parts {
            assigned: Some(partitions(&sync.assignment)),
            ..Parts::default()
        },
        Response::Produce(_)
        | Response::Fetch(_)
        | Response::ListOffsets(_)
        | Response::Metadata(_)
        | Response::OffsetCommit(_)
        | Response::OffsetFetch(_)
        | Response::FindCoordinator(_)
        | Response::Heartbeat(_)
        | Response::LeaveGroup(_)
        | Response::DescribeGroups(_)
        | Response::ListGroups(_)
        | Response::ApiVersions(_)
        | Response::CreateTopics(_)
        | Response::DeleteTopics(_)
        | Response::DeleteRecords(_)
        | Response::InitProducerId(_)
        | Response::OffsetForLeaderEpoch(_)
        | Response::DescribeConfigs(_)
        | Response::CreatePartitions(_)
        | Response::DeleteGroups(_)
        | Response::OffsetDelete(_)
        | Response::DescribeCluster(_) => Parts::default(),
    }
}

fn partitions(bytes: &Bytes) -> Vec<TopicPartition> {
    Assignment::decode(bytes).map_or(Vec::new(), |assignment| assignment.partitions)
}
