//! What a handler works with: tickets, the clock, timers, and where answers go.

use super::{BrokerSettings, BrokerTimer};
use crate::kafka::api::Response;
use crate::kafka::cluster::Cluster;
use crate::kafka::ids::{ClientId, ConnectionId};
use crate::kafka::journal::Journal;
use crate::kafka::time::Instant;
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

/// What handlers work with beside their own state, for the length of one call.
pub(in crate::kafka::broker) struct Desk<'a> {
    pub settings: &'a BrokerSettings,
    pub cluster: &'a Cluster,
    pub timers: &'a mut Timers<BrokerTimer>,
    pub journal: &'a mut Journal,
    answers: Vec<(Ticket, Option<Response>)>,
}

impl<'a> Desk<'a> {
    pub(super) fn new(
        settings: &'a BrokerSettings,
        cluster: &'a Cluster,
        timers: &'a mut Timers<BrokerTimer>,
        journal: &'a mut Journal,
    ) -> Self {
        Self {
            settings,
            cluster,
            timers,
            journal,
            answers: Vec::new(),
        }
    }

    /// The present instant.
    pub fn now(&self) -> Instant {
        self.journal.now()
    }

    /// Answers a request. Answers leave in the order in which they are given.
    pub fn answer(&mut self, ticket: Ticket, response: impl Into<Response>) {
        self.answers.push((ticket, Some(response.into())));
    }

    /// Ends a request that wants no answer (Produce with `acks=0`).
    pub fn close_without_answer(&mut self, ticket: Ticket) {
        self.answers.push((ticket, None));
    }

    /// Starts the timer, or starts it anew.
    pub fn set_timer(&mut self, timer: BrokerTimer, at: Instant) {
        self.timers.set(timer, at, self.journal);
    }

    pub(super) fn into_answers(self) -> Vec<(Ticket, Option<Response>)> {
        self.answers
    }
}
