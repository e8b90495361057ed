//! What happened, as the page tells it: a fact with the names that a person knows.

use super::panel::EventFilter;
use crate::kafka::api::ApiKey;
use crate::kafka::fact::{Fact, FactId, FactKind, GroupWhy, StopCause};
use crate::kafka::ids::{ActorName, MemberId, TopicPartition};
use crate::kafka::sorted::sort_few;
use crate::kafka::time::Instant;
use crate::session::{Chronicle, Scene};
use crate::world::command::Command;
use std::rc::Rc;

/// How much it matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Part of the ordinary stream: fetches, heartbeats, appends.
    Stream,
    /// A step on the way.
    Step,
    /// A turning point: what the caption tells.
    Turn,
    /// The same, and something went wrong.
    Trouble,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its number.
    pub id: FactId,
    /// When.
    pub at: Instant,
    /// What led to it.
    pub cause: FactId,
    /// How much it matters.
    pub level: Level,
    /// What.
    pub kind: FactKind,
    /// The client that it is about, where a member id or an exchange stands for it.
    pub who: Option<ActorName>,
    /// The API of the exchange that it is about.
    pub api: Option<ApiKey>,
    /// How many records it brings again, if it is the first delivery of a run of duplicates.
    pub again: Option<i64>,
    /// Who gets what, if it is an assignment.
    pub shares: Vec<(Rc<str>, Vec<TopicPartition>)>,
    /// What was done, if it is an act.
    pub command: Option<Rc<Command>>,
}

/// A fact's number stands for all of it.
impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.at == other.at && self.level == other.level
    }
}

impl Eq for Event {}

impl Event {
    /// The event that a fact is.
    pub fn of(fact: &Fact, scene: &Scene, chronicle: &Chronicle) -> Event {
        let exchange = exchange_of(&fact.kind).and_then(|number| chronicle.talk(number));
        let command = match &fact.kind {
            FactKind::Act { number } => chronicle.command(*number),
            _ => None,
        };
        Event {
            id: fact.id,
            at: fact.at,
            cause: fact.cause,
            level: level_in(fact, chronicle),
            again: chronicle.duplicates_begun(fact.id),
            shares: shares(&fact.kind, scene),
            who: who(&fact.kind, scene).or_else(|| exchange.map(|talk| talk.from.clone())),
            api: exchange.map(|talk| talk.api),
            kind: fact.kind.clone(),
            command,
        }
    }
}

/// The exchange that a fact is about, by number.
pub fn exchange_of(kind: &FactKind) -> Option<u64> {
    match kind {
        FactKind::RequestReceived { exchange }
        | FactKind::RequestParked { exchange }
        | FactKind::ResponseSent { exchange, .. }
        | FactKind::ResponseReceived { exchange }
        | FactKind::MessageLost { exchange } => Some(*exchange),
        _ => None,
    }
}

/// Who gets what, by the names of the consumers.
fn shares(kind: &FactKind, scene: &Scene) -> Vec<(Rc<str>, Vec<TopicPartition>)> {
    let FactKind::Assigned { group, shares, .. } = kind else {
        return Vec::new();
    };
    let named = shares.iter().map(|(member_id, _, partitions)| {
        let name = scene.name_of(group, member_id);
        let name = name.map_or_else(|| member_id.as_str(), |name| name.as_str());
        (name.into(), partitions.clone())
    });
    let mut named: Vec<_> = named.collect();
    sort_few(&mut named, |left, right| left < right);
    named
}

fn who(kind: &FactKind, scene: &Scene) -> Option<ActorName> {
    match kind {
        FactKind::MemberPending { group, member_id }
        | FactKind::MemberAdded {
            group, member_id, ..
        }
        | FactKind::MemberRemoved {
            group, member_id, ..
        }
        | FactKind::LeaderElected { group, member_id }
        | FactKind::JoinCompleted {
            group,
            leader: member_id,
            ..
        } => scene.name_of(group, member_id).cloned(),
        FactKind::GroupStateChanged { group, why, .. } => {
            scene.name_of(group, member_of(why)?).cloned()
        }
        _ => None,
    }
}

/// The member that a change of a group's state is about.
fn member_of(why: &GroupWhy) -> Option<&MemberId> {
    match why {
        GroupWhy::MemberJoined(member)
        | GroupWhy::MemberChanged(member)
        | GroupWhy::LeaderRejoined(member)
        | GroupWhy::MemberLeft(member)
        | GroupWhy::SessionExpired(member) => Some(member),
        _ => None,
    }
}

/// How much a fact matters, knowing what came before it.
pub fn level_in(fact: &Fact, chronicle: &Chronicle) -> Level {
    match level(&fact.kind) {
        Level::Stream
            if matches!(fact.kind, FactKind::Deliver { .. })
                && chronicle.duplicates_begun(fact.id).is_some() =>
        {
            Level::Trouble
        }
        level => level,
    }
}

/// Whether the log shows a fact under a filter.
pub fn takes(filter: EventFilter, fact: &Fact, chronicle: &Chronicle) -> bool {
    match filter {
        EventFilter::All => true,
        EventFilter::Told => level_in(fact, chronicle) >= Level::Step,
        EventFilter::Trouble => {
            level_in(fact, chronicle) == Level::Trouble
                || matches!(&fact.kind, FactKind::ResponseSent { response, .. } if !response.error().is_none())
        }
        EventFilter::Acts
        | EventFilter::Group
        | EventFilter::Ownership
        | EventFilter::Commits
        | EventFilter::Records
        | EventFilter::Requests => subject(&fact.kind) == filter,
    }
}

/// What a fact is about.
fn subject(kind: &FactKind) -> EventFilter {
    match kind {
        FactKind::Act { .. }
        | FactKind::Started { .. }
        | FactKind::Stopped { .. }
        | FactKind::Frozen { .. }
        | FactKind::Thawed { .. }
        | FactKind::AdminFinished { .. } => EventFilter::Acts,
        FactKind::GroupStateChanged { .. }
        | FactKind::MemberPending { .. }
        | FactKind::MemberAdded { .. }
        | FactKind::MemberRemoved { .. }
        | FactKind::LeaderElected { .. }
        | FactKind::JoinCompleted { .. }
        | FactKind::Assigned { .. }
        | FactKind::MemberStateChanged { .. }
        | FactKind::SubscriptionChanged { .. }
        | FactKind::PollTimeoutExpired { .. } => EventFilter::Group,
        FactKind::CallbackCalled { .. }
        | FactKind::CallbackReturned { .. }
        | FactKind::Acquire { .. }
        | FactKind::Release { .. }
        | FactKind::PositionSet { .. }
        | FactKind::PauseChanged { .. } => EventFilter::Ownership,
        FactKind::CommitStored { .. }
        | FactKind::CommitRemoved { .. }
        | FactKind::CommitStarted { .. }
        | FactKind::CommitFinished { .. } => EventFilter::Commits,
        FactKind::PartitionCreated { .. }
        | FactKind::PartitionDeleted { .. }
        | FactKind::GivenUp { .. }
        | FactKind::Forwarded { .. }
        | FactKind::Append { .. }
        | FactKind::HwAdvance { .. }
        | FactKind::LogStartAdvance { .. }
        | FactKind::Deliver { .. }
        | FactKind::Done { .. }
        | FactKind::RecordAccumulated { .. }
        | FactKind::BatchSent { .. }
        | FactKind::BatchAcknowledged { .. }
        | FactKind::BatchFailed { .. } => EventFilter::Records,
        FactKind::RequestSent { .. }
        | FactKind::RequestReceived { .. }
        | FactKind::RequestParked { .. }
        | FactKind::ResponseSent { .. }
        | FactKind::ResponseReceived { .. }
        | FactKind::MessageLost { .. } => EventFilter::Requests,
        FactKind::TimerFired { .. } | FactKind::Thrown { .. } => EventFilter::All,
    }
}

/// How much a fact matters by itself.
pub fn level(kind: &FactKind) -> Level {
    match kind {
        FactKind::Act { .. }
        | FactKind::Started { .. }
        | FactKind::Thawed { .. }
        | FactKind::GroupStateChanged { .. }
        | FactKind::Assigned { .. } => Level::Turn,
        FactKind::Stopped { how, .. } => match how {
            StopCause::Closed => Level::Turn,
            StopCause::Killed | StopCause::Failed => Level::Trouble,
        },
        FactKind::Frozen { .. }
        | FactKind::Forwarded { .. }
        | FactKind::GivenUp { .. }
        | FactKind::MemberRemoved { .. }
        | FactKind::PollTimeoutExpired { .. }
        | FactKind::Thrown { .. }
        | FactKind::BatchFailed { .. } => Level::Trouble,
        FactKind::AdminFinished { refusal, .. } => match refusal {
            None => Level::Turn,
            Some(_) => Level::Trouble,
        },
        FactKind::CommitFinished { error, .. } if error.is_some() => Level::Trouble,
        FactKind::RequestSent { request, .. } => api_level(request.api()),
        FactKind::ResponseSent { response, .. } => {
            if response.error().is_none() {
                api_level(response.api())
            } else {
                Level::Step
            }
        }
        FactKind::MemberPending { .. }
        | FactKind::MemberAdded { .. }
        | FactKind::LeaderElected { .. }
        | FactKind::JoinCompleted { .. }
        | FactKind::MemberStateChanged { .. }
        | FactKind::SubscriptionChanged { .. }
        | FactKind::CallbackCalled { .. }
        | FactKind::CallbackReturned { .. }
        | FactKind::Acquire { .. }
        | FactKind::Release { .. }
        | FactKind::PositionSet { .. }
        | FactKind::PartitionCreated { .. }
        | FactKind::PartitionDeleted { .. }
        | FactKind::LogStartAdvance { .. }
        | FactKind::PauseChanged { .. }
        | FactKind::MessageLost { .. }
        | FactKind::CommitRemoved { .. } => Level::Step,
        FactKind::TimerFired { .. }
        | FactKind::RequestReceived { .. }
        | FactKind::RequestParked { .. }
        | FactKind::ResponseReceived { .. }
        | FactKind::Append { .. }
        | FactKind::HwAdvance { .. }
        | FactKind::CommitStored { .. }
        | FactKind::Deliver { .. }
        | FactKind::Done { .. }
        | FactKind::CommitStarted { .. }
        | FactKind::CommitFinished { .. }
        | FactKind::RecordAccumulated { .. }
        | FactKind::BatchSent { .. }
        | FactKind::BatchAcknowledged { .. } => Level::Stream,
    }
}

/// Joining and leaving are steps; the rest is stream.
fn api_level(api: ApiKey) -> Level {
    match api {
        ApiKey::JoinGroup | ApiKey::SyncGroup | ApiKey::LeaveGroup => Level::Step,
        ApiKey::Produce
        | ApiKey::Fetch
        | ApiKey::ListOffsets
        | ApiKey::Metadata
        | ApiKey::OffsetCommit
        | ApiKey::OffsetFetch
        | ApiKey::FindCoordinator
        | ApiKey::Heartbeat
        | ApiKey::DescribeGroups
        | ApiKey::ListGroups
        | ApiKey::ApiVersions
        | ApiKey::CreateTopics
        | ApiKey::DeleteTopics
        | ApiKey::DeleteRecords
        | ApiKey::InitProducerId
        | ApiKey::OffsetForLeaderEpoch
        | ApiKey::DescribeConfigs
        | ApiKey::CreatePartitions
        | ApiKey::DeleteGroups
        | ApiKey::OffsetDelete
        | ApiKey::DescribeCluster => Level::Stream,
    }
}
