//! Requests by party, API and error.

use crate::kafka::api::{ApiKey, Request, Response};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{ActorName, BrokerId, GroupId};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::Instant;

/// Exchanges that may be under way at a time; beyond that the oldest are given up for lost.
const OPEN_KEPT: usize = 65_536;

/// A request whose answer is not there yet.
#[derive(Clone, PartialEq, Debug)]
pub struct Exchange {
    /// Who asked.
    pub from: ActorName,
    /// Whom.
    pub to: BrokerId,
    /// What.
    pub api: ApiKey,
    /// When.
    pub sent: Instant,
    /// The group that it is about, for the group APIs.
    pub group: Option<GroupId>,
    /// Error of the answer, once that is on its way.
    pub error: Option<ErrorCode>,
}

/// What became of one party's requests of one API.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Sent.
    pub sent: u64,
    /// Answered: by error code, 0 among them.
    pub answered: SortedMap<ErrorCode, u64>,
    /// Whose answer never came.
    pub lost: u64,
}

/// Requests by party and API.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    open: SortedMap<u64, Exchange>,
    counts: SortedMap<ActorName, SortedMap<ApiKey, Counts>>,
}

impl Requests {
    pub(super) fn sent(
        &mut self,
        exchange: u64,
        at: Instant,
        from: &ActorName,
        to: BrokerId,
        request: &Request,
    ) {
        let api = request.api();
        self.counts_mut(from, api).sent += 1;
        let is_answered = !matches!(request, Request::Produce(produce) if produce.acks == 0);
        if !is_answered {
            return;
        }
        self.open.insert(
            exchange,
            Exchange {
                from: from.clone(),
                to,
                api,
                sent: at,
                group: group_of(request).cloned(),
                error: None,
            },
        );
        if self.open.len() > OPEN_KEPT
            && let Some((_, oldest)) = self.open.pop_first()
        {
            self.counts_mut(&oldest.from, oldest.api).lost += 1;
        }
    }

    /// The answer is on its way.
    pub(super) fn answered(&mut self, exchange: u64, response: &Response) -> Option<&Exchange> {
        let error = response.error();
        let open = self.open.get_mut(&exchange)?;
        open.error = Some(error);
        let (from, api) = (open.from.clone(), open.api);
        *self
            .counts_mut(&from, api)
            .answered
            .entry(error)
            .or_default() += 1;
        self.open.get(&exchange)
    }

    /// The answer is there.
    pub(super) fn received(&mut self, exchange: u64) -> Option<Exchange> {
        self.open.remove(&exchange)
    }

    pub(super) fn lost(&mut self, exchange: u64) {
        if let Some(lost) = self.open.remove(&exchange) {
            self.counts_mut(&lost.from, lost.api).lost += 1;
        }
    }

    fn counts_mut(&mut self, from: &ActorName, api: ApiKey) -> &mut Counts {
        let by_api = self.counts.entry(from.clone()).or_default();
        by_api.entry(api).or_default()
    }

    /// Requests under way, by the number of their exchange.
    pub fn open(&self) -> impl Iterator<Item = (u64, &Exchange)> {
        self.open
            .iter()
            .map(|(&number, exchange)| (number, exchange))
    }

    /// What became of a party's requests of an API.
    pub fn counts(&self, from: &ActorName, api: ApiKey) -> Option<&Counts> {
        self.counts.get(from)?.get(&api)
    }

    /// All counts, by party and API.
    pub fn iter(&self) -> impl Iterator<Item = (&ActorName, ApiKey, &Counts)> {
        self.counts
            .iter()
            .flat_map(|(from, by_api)| by_api.iter().map(move |(&api, counts)| (from, api, counts)))
    }
}

fn group_of(request: &Request) -> Option<&GroupId> {
    match request {
        Request::JoinGroup(request) => Some(&request.group_id),
        Request::SyncGroup(request) => Some(&request.group_id),
        Request::Heartbeat(request) => Some(&request.group_id),
        Request::LeaveGroup(request) => Some(&request.group_id),
        Request::OffsetCommit(request) => Some(&request.group_id),
        Request::OffsetDelete(request) => Some(&request.group_id),
        Request::OffsetFetch(_)
        | Request::FindCoordinator(_)
        | Request::Produce(_)
        | Request::Fetch(_)
        | Request::ListOffsets(_)
        | Request::Metadata(_)
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
        | Request::DescribeCluster(_) => None,
    }
}
