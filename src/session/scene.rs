//! What the stage shows beside the numbers of the ledgers: a fold of facts like them.

use crate::kafka::api::{ApiKey, Request, Response};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{
    Callback, CommitKind, Exception, Fact, FactKind, MemberState, Membership, RemovalCause,
    StopCause,
};
use crate::kafka::ids::{ActorName, BrokerId, GroupId, MemberId};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::Instant;
use std::rc::Rc;

/// Exchanges that are remembered after their end, so that a short flight can still be drawn.
const FINISHED_KEPT: usize = 64;

/// Clients, the names of members, and what is on the wire.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// By name.
    pub clients: SortedMap<ActorName, Rc<Client>>,
    /// By name.
    pub groups: SortedMap<GroupId, Rc<GroupScene>>,
    /// Requests without an answer, and the newest of those that have one, by number.
    pub exchanges: Rc<SortedMap<u64, Exchange>>,
    /// Rises whenever a partition changes hands.
    pub ownership_revision: u64,
    finished: usize,
}

/// A consumer or producer, over all its processes.
#[derive(Clone, Debug)]
pub struct Client {
    /// Whether the process runs, and how the last one ended.
    pub ended: Option<StopCause>,
    /// It stands still.
    pub is_frozen: bool,
    /// As it said last.
    pub membership: Option<Rc<Membership>>,
    /// The client's own state.
    pub state: MemberState,
    /// The callback that it is in.
    pub callback: Option<Callback>,
    /// Whether it is in `commitSync()`.
    pub is_committing: bool,
    /// Records delivered to this process and not done.
    pub undone: i64,
    /// The last error in an answer to it, until the same request succeeds or it is a member in good
    /// standing again.
    pub trouble: Option<(Instant, ApiKey, ErrorCode)>,
    /// What a call of this process threw last.
    pub thrown: Option<Exception>,
    /// The coordinator removed it.
    pub removed: Option<RemovalCause>,
    /// Of a producer.
    pub produced: Produced,
}

/// A producer's counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Produced {
    /// Records in the accumulator.
    pub accumulated: i64,
    /// Records in requests.
    pub in_flight: i64,
    /// Records written.
    pub acknowledged: i64,
    /// Records given up.
    pub failed: i64,
}

impl Default for Client {
    fn default() -> Self {
        Self {
            ended: None,
            is_frozen: false,
            membership: None,
            state: MemberState::Unjoined,
            callback: None,
            is_committing: false,
            undone: 0,
            trouble: None,
            thrown: None,
            removed: None,
            produced: Produced::default(),
        }
    }
}

/// What is remembered of a group.
#[derive(Clone, Debug, Default)]
pub struct GroupScene {
    /// Whose member id is whose, of all that there ever were.
    pub names: SortedMap<MemberId, ActorName>,
}

/// A request and its answer.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The client.
    pub client: ActorName,
    /// The broker.
    pub broker: BrokerId,
    /// The API.
    pub api: ApiKey,
    /// The group that it is about, with the member's id as the request has it.
    pub group: Option<(GroupId, MemberId)>,
    /// When the request was sent, and when it arrives.
    pub request: (Instant, Instant),
    /// When the answer was sent, when it arrives, and its error.
    pub response: Option<(Instant, Instant, ErrorCode)>,
}

impl Scene {
    /// Takes in what happened.
    pub fn fold(&mut self, fact: &Fact) {
        match &fact.kind {
            FactKind::RequestSent { .. }
            | FactKind::ResponseSent { .. }
            | FactKind::ResponseReceived { .. }
            | FactKind::MessageLost { .. } => self.fold_exchange(fact),
            FactKind::MemberRemoved {
                group,
                member_id,
                cause,
            } => {
                if let Some(name) = self.name_of(group, member_id).cloned() {
                    self.client(&name).removed = Some(*cause);
                }
            }
            FactKind::RecordAccumulated { .. }
            | FactKind::BatchSent { .. }
            | FactKind::BatchAcknowledged { .. }
            | FactKind::BatchFailed { .. } => self.fold_producer(&fact.kind),
            _ => self.fold_client(fact),
        }
    }

    /// A member of a group that existed before the first fact.
    pub(super) fn install(&mut self, member: &Rc<Membership>, state: MemberState) {
        self.heard(member);
        self.client(&member.actor).state = state;
    }

    /// The consumer behind a member id.
    pub fn name_of(&self, group: &GroupId, member_id: &MemberId) -> Option<&ActorName> {
        self.groups.get(group)?.names.get(member_id)
    }

    fn client(&mut self, name: &ActorName) -> &mut Client {
        Rc::make_mut(self.clients.entry(name.clone()).or_default())
    }

    fn group(&mut self, name: &GroupId) -> &mut GroupScene {
        Rc::make_mut(self.groups.entry(name.clone()).or_default())
    }

    fn fold_client(&mut self, fact: &Fact) {
        match &fact.kind {
            // A first process starts as nothing, or as a member that was there before.
            FactKind::Started { process: 1, .. } => {}
            FactKind::Started { actor, .. } => {
                let produced = self.client(actor).produced;
                *self.client(actor) = Client {
                    produced,
                    ..Client::default()
                };
            }
            FactKind::Stopped { actor, how, .. } => {
                let client = self.client(actor);
                client.ended = Some(*how);
                client.is_frozen = false;
                client.callback = None;
                client.is_committing = false;
                client.state = MemberState::Unjoined;
                client.undone = 0;
            }
            FactKind::Thrown {
                actor, exception, ..
            } => self.client(actor).thrown = Some(exception.clone()),
            FactKind::Frozen { actor } => self.client(actor).is_frozen = true,
            FactKind::Thawed { actor } => self.client(actor).is_frozen = false,
            FactKind::MemberStateChanged { member, to, .. } => {
                self.heard(member);
                let client = self.client(&member.actor);
                client.state = *to;
                client.removed = None;
                if *to == MemberState::Stable {
                    client.trouble = None;
                }
            }
            FactKind::CallbackCalled {
                member, callback, ..
            } => self.client(&member.actor).callback = Some(*callback),
            FactKind::CallbackReturned { member, .. } => {
                self.client(&member.actor).callback = None;
            }
            FactKind::CommitStarted { member, kind, .. } => {
                self.client(&member.actor).is_committing = *kind == CommitKind::Sync;
            }
            FactKind::CommitFinished { member, .. } => {
                self.client(&member.actor).is_committing = false;
            }
            FactKind::Acquire { member, .. } => {
                self.heard(member);
                self.ownership_revision += 1;
            }
            FactKind::Release { member, .. } => {
                self.heard(member);
                self.client(&member.actor).undone = 0;
                self.ownership_revision += 1;
            }
            FactKind::Deliver {
                member, base, next, ..
            } => self.client(&member.actor).undone += next.0 - base.0,
            FactKind::Done {
                member, base, next, ..
            } => {
                let client = self.client(&member.actor);
                client.undone = (client.undone - (next.0 - base.0)).max(0);
            }
            _ => {}
        }
    }

    fn heard(&mut self, member: &Rc<Membership>) {
        self.client(&member.actor).membership = Some(member.clone());
        if !member.group.is_empty() && !member.member_id.is_empty() {
            let group = self.group(&member.group);
            if !group.names.contains_key(&member.member_id) {
                let name = member.actor.clone();
                group.names.insert(member.member_id.clone(), name);
            }
        }
    }

    fn fold_producer(&mut self, kind: &FactKind) {
        match kind {
            FactKind::RecordAccumulated { actor, .. } => {
                self.client(actor).produced.accumulated += 1;
            }
            FactKind::BatchSent {
                actor,
                records,
                attempt,
                ..
            } => {
                let produced = &mut self.client(actor).produced;
                if *attempt <= 1 {
                    let moved = i64::from(*records).min(produced.accumulated);
                    produced.accumulated -= moved;
                    produced.in_flight += i64::from(*records);
                }
            }
            FactKind::BatchAcknowledged { actor, records, .. } => {
                let produced = &mut self.client(actor).produced;
                produced.in_flight = (produced.in_flight - i64::from(*records)).max(0);
                produced.acknowledged += i64::from(*records);
            }
            FactKind::BatchFailed { actor, records, .. } => {
                let produced = &mut self.client(actor).produced;
                produced.in_flight = (produced.in_flight - i64::from(*records)).max(0);
                produced.failed += i64::from(*records);
            }
            _ => {}
        }
    }

    fn fold_exchange(&mut self, fact: &Fact) {
        match &fact.kind {
            FactKind::RequestSent {
                exchange,
                from,
                to,
                request,
                arrives,
                ..
            } => {
                let sent = Exchange {
                    client: from.clone(),
                    broker: *to,
                    api: request.api(),
                    group: group_of(request),
                    request: (fact.at, *arrives),
                    response: None,
                };
                Rc::make_mut(&mut self.exchanges).insert(*exchange, sent);
            }
            FactKind::ResponseSent {
                exchange,
                response,
                arrives,
            } => {
                if let Some(sent) = Rc::make_mut(&mut self.exchanges).get_mut(exchange) {
                    sent.response = Some((fact.at, *arrives, response.error()));
                }
                self.note_member_id(*exchange, response);
            }
            FactKind::ResponseReceived { exchange } => {
                let ended = self.exchanges.get(exchange).and_then(|sent| {
                    let (_, _, error) = sent.response?;
                    Some((sent.client.clone(), sent.api, error))
                });
                if let Some((client, api, error)) = ended {
                    self.note_answer(&client, fact.at, api, error);
                }
                self.finish();
            }
            FactKind::MessageLost { exchange } => {
                Rc::make_mut(&mut self.exchanges).remove(exchange);
            }
            _ => {}
        }
    }

    /// An error is remembered until the same request succeeds.
    fn note_answer(&mut self, client: &ActorName, at: Instant, api: ApiKey, error: ErrorCode) {
        let known = self.clients.get(client).and_then(|client| client.trouble);
        if !error.is_none() {
            self.client(client).trouble = Some((at, api, error));
        } else if known.is_some_and(|(_, of, _)| of == api) {
            self.client(client).trouble = None;
        }
    }

    /// One more exchange is over; the oldest that are over go.
    fn finish(&mut self) {
        self.finished += 1;
        if self.finished <= 2 * FINISHED_KEPT {
            return;
        }
        let exchanges = Rc::make_mut(&mut self.exchanges);
        let mut over = self.finished - FINISHED_KEPT;
        exchanges.retain(|_, exchange| {
            let goes = over > 0 && exchange.response.is_some();
            over -= usize::from(goes);
            !goes
        });
        self.finished = FINISHED_KEPT;
    }

    /// A JoinGroup answer tells whose a member id is.
    fn note_member_id(&mut self, exchange: u64, response: &Response) {
        let Response::JoinGroup(join) = response else {
            return;
        };
        let Some((client, group)) = self.exchanges.get(&exchange).and_then(|sent| {
            let (group, _) = sent.group.clone()?;
            Some((sent.client.clone(), group))
        }) else {
            return;
        };
        if !join.member_id.is_empty() {
            let names = &mut self.group(&group).names;
            names.insert(join.member_id.clone(), client);
        }
    }
}

/// The group and member that a request names.
fn group_of(request: &Request) -> Option<(GroupId, MemberId)> {
    match request {
        Request::JoinGroup(r) => Some((r.group_id.clone(), r.member_id.clone())),
        Request::SyncGroup(r) => Some((r.group_id.clone(), r.member_id.clone())),
        Request::Heartbeat(r) => Some((r.group_id.clone(), r.member_id.clone())),
        Request::OffsetCommit(r) => Some((r.group_id.clone(), r.member_id.clone())),
        Request::LeaveGroup(r) => {
            let member = r.members.first().map(|member| member.member_id.clone());
            Some((r.group_id.clone(), member.unwrap_or_default()))
        }
        _ => None,
    }
}
