//! What a handler works with: tickets, the clock, timers, and where answers go.

use super::group::{Coverage, GroupEvent};
use super::member_ids::MemberIds;
use super::{BrokerSettings, BrokerTimer};
use crate::kafka::api::Response;
use crate::kafka::cluster::Cluster;
use crate::kafka::fact::{FactId, GroupState};
use crate::kafka::ids::{ClientId, ConnectionId, GroupInstanceId, MemberId};
use crate::kafka::journal::Journal;
use crate::kafka::time::{Duration, Instant};
use crate::kafka::timers::Timers;
use std::rc::Rc;

/// A request in work. Whoever holds it owes an answer; handing it to the [`Desk`] is the only way to be
/// rid of it. `Clone` serves snapshots of a whole broker and nothing else.
#[derive(Clone, Debug)]
pub(in crate::kafka::broker) struct Ticket {
    pub(super) connection: ConnectionId,
    pub(super) serial: u64,
    pub(super) correlation_id: i32,
    pub(super) api_version: i16,
    pub(super) client_id: ClientId,
    pub(super) client_host: Rc<str>,
}

impl Ticket {
    pub fn connection(&self) -> ConnectionId {
        self.connection
    }

    pub fn correlation_id(&self) -> i32 {
        self.correlation_id
    }

    /// Version of the request, and of the answer to it.
    pub fn api_version(&self) -> i16 {
        self.api_version
    }

    pub fn client_id(&self) -> &ClientId {
        &self.client_id
    }

    /// Address from which the request came.
    pub fn client_host(&self) -> &Rc<str> {
        &self.client_host
    }
}

/// What all handlers of a broker share, whatever else they work on.
#[derive(Clone, Debug)]
pub(super) struct Office {
    pub settings: Rc<BrokerSettings>,
    pub cluster: Rc<Cluster>,
    pub timers: Timers<BrokerTimer>,
    pub coverage: Coverage,
    member_ids: MemberIds,
}

impl Office {
    pub fn new(settings: BrokerSettings, cluster: Rc<Cluster>) -> Self {
        Self {
            member_ids: MemberIds::new(&settings),
            settings: Rc::new(settings),
            cluster,
            timers: Timers::default(),
            coverage: Coverage::default(),
        }
    }

    /// A desk for the length of one call.
    pub fn desk<'a>(&'a mut self, journal: &'a mut Journal) -> Desk<'a> {
        Desk {
            settings: &self.settings,
            cluster: &self.cluster,
            timers: &mut self.timers,
            journal,
            coverage: &mut self.coverage,
            member_ids: &mut self.member_ids,
            answers: Vec::new(),
        }
    }
}

/// An answer on its way out: what it answers, with what (`None`: nothing is sent), and because of what.
pub(super) struct Reply {
    pub ticket: Ticket,
    pub response: Option<Response>,
    pub cause: FactId,
}

/// What handlers work with beside their own state, for the length of one call.
pub(in crate::kafka::broker) struct Desk<'a> {
    pub settings: &'a BrokerSettings,
    pub cluster: &'a Cluster,
    pub timers: &'a mut Timers<BrokerTimer>,
    pub journal: &'a mut Journal,
    coverage: &'a mut Coverage,
    member_ids: &'a mut MemberIds,
    answers: Vec<Reply>,
}

impl Desk<'_> {
    /// The present instant.
    pub fn now(&self) -> Instant {
        self.journal.now()
    }

    /// Answers a request. Answers leave in the order in which they are given.
    pub fn answer(&mut self, ticket: Ticket, response: impl Into<Response>) {
        self.reply(ticket, Some(response.into()));
    }

    /// Ends a request that wants no answer (Produce with `acks=0`).
    pub fn close_without_answer(&mut self, ticket: Ticket) {
        self.reply(ticket, None);
    }

    fn reply(&mut self, ticket: Ticket, response: Option<Response>) {
        self.answers.push(Reply {
            ticket,
            response,
            cause: self.journal.cause(),
        });
    }

    /// Forgets a request that Kafka forgets, too: its connection waits until the client gives it up.
    pub fn leave_unanswered(&mut self, ticket: Option<Ticket>) {
        drop(ticket);
    }

    /// Starts the timer, or starts it anew.
    pub fn set_timer(&mut self, timer: BrokerTimer, at: Instant) {
        self.timers.set(timer, at, self.journal);
    }

    /// Starts the timer, or starts it anew, to fire after `length_ms`.
    pub fn set_timer_in(&mut self, timer: BrokerTimer, length_ms: i32) {
        let length = Duration::from_ms(i64::from(length_ms.max(0)));
        self.set_timer(timer, self.now() + length);
    }

    /// What follows in this call follows from that fact.
    pub fn because_of(&mut self, fact: Option<FactId>) {
        if let Some(fact) = fact {
            self.journal.begin(self.journal.now(), fact);
        }
    }

    /// Remembers that an event met a group in that state.
    pub fn reach(&mut self, state: GroupState, event: GroupEvent) {
        self.coverage.insert(state, event);
    }

    /// An id for a new member.
    pub fn new_member_id(
        &mut self,
        client: &ClientId,
        instance: Option<&GroupInstanceId>,
    ) -> MemberId {
        self.member_ids.next(self.settings, client, instance)
    }

    pub(super) fn into_answers(self) -> Vec<Reply> {
        self.answers
    }
}
