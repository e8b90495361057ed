//! A broker: the partitions it leads and the groups it coordinates, as one machine.
//!
//! It is given requests and gives back answers, facts, and the instant at which it wants to be woken.
//! It knows connections by number only: no socket, no latency, no idea of who sits at the other end.
//!
//! Invariants:
//! - A connection has one request in work. Later ones wait in their order and are taken up when the
//!   answer to the former is out (class `SocketServer`: the channel is muted meanwhile).
//! - A request in work is a [`Ticket`], and a ticket is answered exactly once.
//! - No request makes a broker panic; what a peer does wrong is answered with an error code.
//! - One wake fires one timer, in the order in which timers of an instant were set.

mod connections;
mod desk;
mod fetch;
mod fetch_session;
mod find_coordinator;
mod list_offsets;
mod log;
mod metadata;
mod partitions;
mod produce;
mod replica_manager;
#[cfg(test)]
mod requests_tests;
#[cfg(test)]
mod rig;

pub use connections::InWork;
pub(in crate::kafka::broker) use desk::{Desk, Ticket};
pub use find_coordinator::group_coordinator;
pub use log::{LogPreset, PartitionLog};

use super::api::{Request, RequestHeader, Response};
use super::cluster::Cluster;
use super::config::BrokerConfig;
use super::fact::Why;
use super::ids::{BrokerId, ClientId, ConnectionId, MemberId};
use super::journal::Journal;
use super::time::Duration;
use super::timers::{Timers, Wake};
use connections::{Arrived, Connections};
use replica_manager::ReplicaManager;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Which group coordinator a broker runs, where the two differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum CoordinatorKind {
    /// The one in Java, default from 4.0 (KIP-848).
    #[default]
    New,
    /// The one in Scala, of 3.x and before.
    Scala,
}

/// What makes one broker differ from another.
#[derive(Clone, PartialEq, Debug)]
pub struct BrokerSettings {
    /// `node.id`.
    pub id: BrokerId,
    /// Its configuration.
    pub config: Rc<BrokerConfig>,
    /// Time to write a group record, without the linger.
    pub group_append: Duration,
    /// Time to write committed offsets, without the linger.
    pub offset_append: Duration,
    /// Seed of the member ids that it makes up.
    pub seed: u64,
    /// Ids that it hands out before it makes up any, by `client.id`, in this order.
    pub member_ids: BTreeMap<ClientId, Vec<MemberId>>,
    /// Which coordinator it runs.
    pub coordinator: CoordinatorKind,
}

/// An answer, ready for the wire.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// Where it goes.
    pub connection: ConnectionId,
    /// The request that it answers.
    pub correlation_id: i32,
    /// The answer.
    pub response: Response,
}

/// Names of a broker's timers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::kafka::broker) enum BrokerTimer {
    /// `offsets.retention.check.interval.ms`
    OffsetsRetentionCheck,
    /// `log.retention.check.interval.ms`
    LogRetentionCheck,
    /// `fetch.max.wait.ms` of a parked fetch, by its number.
    FetchMaxWait(u64),
}

impl BrokerTimer {
    /// What it is for, in the learner's words.
    fn why(&self) -> Why {
        match self {
            BrokerTimer::OffsetsRetentionCheck => Why::OffsetsRetentionCheck,
            BrokerTimer::LogRetentionCheck => Why::LogRetentionCheck,
            BrokerTimer::FetchMaxWait(_) => Why::FetchMaxWait,
        }
    }
}

/// One broker. A clone is a snapshot of it.
#[derive(Clone, Debug)]
pub struct Broker {
    settings: Rc<BrokerSettings>,
    cluster: Rc<Cluster>,
    connections: Connections,
    timers: Timers<BrokerTimer>,
    replicas: ReplicaManager,
}

impl Broker {
    /// A broker that has just started, without groups and with empty partitions.
    pub fn new(settings: BrokerSettings, cluster: Rc<Cluster>) -> Self {
        let slots = settings.config.max_incremental_fetch_session_cache_slots;
        Self {
            replicas: ReplicaManager::new(settings.id, settings.seed, slots, &cluster),
            settings: Rc::new(settings),
            cluster,
            connections: Connections::default(),
            timers: Timers::default(),
        }
    }

    /// Takes over new metadata: topics made, partitions added, leaders moved.
    pub fn set_cluster(
        &mut self,
        cluster: Rc<Cluster>,
        journal: &mut Journal,
        out: &mut Vec<Answer>,
    ) {
        self.cluster = cluster;
        let mut desk = Desk::new(&self.settings, &self.cluster, &mut self.timers, journal);
        self.replicas.set_cluster(&mut desk);
        let answers = desk.into_answers();
        self.send(answers, journal, out);
    }

    /// Takes a request from a connection. A connection opens with its first request.
    pub fn handle(
        &mut self,
        connection: ConnectionId,
        header: RequestHeader,
        client_host: &str,
        request: Request,
        journal: &mut Journal,
        out: &mut Vec<Answer>,
    ) {
        let arrived = Arrived {
            header,
            client_host: client_host.into(),
            request,
        };
        if let Some((ticket, request)) = self.connections.arrive(connection, arrived) {
            let answers = self.dispatch(ticket, request, journal);
            self.send(answers, journal, out);
        }
    }

    /// The connection is closed. What it still waits for is worked on and then answered to nobody;
    /// what it has sent and is not yet in work is lost.
    pub fn disconnect(&mut self, connection: ConnectionId) {
        self.connections.close(connection);
    }

    /// Fires the first timer, if it is due.
    pub fn wake(&mut self, journal: &mut Journal, out: &mut Vec<Answer>) {
        let Some(timer) = self.timers.pop_due(journal.now()) else {
            return;
        };
        let mut desk = Desk::new(&self.settings, &self.cluster, &mut self.timers, journal);
        match timer {
            BrokerTimer::OffsetsRetentionCheck => {}
            BrokerTimer::LogRetentionCheck => self.replicas.log_retention_check(&mut desk),
            BrokerTimer::FetchMaxWait(number) => {
                self.replicas.fetch_max_wait_over(number, &mut desk);
            }
        }
        let answers = desk.into_answers();
        self.send(answers, journal, out);
    }

    /// When and why the broker wants to be woken.
    pub fn next_wake(&self) -> Option<Wake> {
        let (at, sequence, timer, set_by) = self.timers.first()?;
        Some(Wake {
            at,
            sequence,
            why: timer.why(),
            set_by,
        })
    }

    /// The request that a connection has in work. After `handle` this is what is parked.
    pub fn in_work(&self, connection: ConnectionId) -> Option<InWork> {
        self.connections.in_work(connection)
    }

    /// What it is made of.
    pub fn settings(&self) -> &BrokerSettings {
        &self.settings
    }

    /// The metadata that it knows.
    pub fn cluster(&self) -> &Rc<Cluster> {
        &self.cluster
    }

    /// Gives a request to its handler: one arm per API.
    fn dispatch(
        &mut self,
        ticket: Ticket,
        request: Request,
        journal: &mut Journal,
    ) -> Vec<(Ticket, Option<Response>)> {
        let mut desk = Desk::new(&self.settings, &self.cluster, &mut self.timers, journal);
        match request {
            Request::Produce(request) => self.replicas.produce(ticket, request, &mut desk),
            Request::Fetch(request) => self.replicas.fetch(ticket, request, &mut desk),
            Request::ListOffsets(request) => {
                self.replicas.list_offsets(ticket, request, &mut desk);
            }
            Request::Metadata(request) => metadata::handle(ticket, request, &mut desk),
            Request::FindCoordinator(request) => {
                find_coordinator::handle(ticket, request, &mut desk);
            }
            Request::OffsetCommit(_) => desk.close_without_answer(ticket),
            Request::OffsetFetch(_) => desk.close_without_answer(ticket),
            Request::JoinGroup(_) => desk.close_without_answer(ticket),
            Request::SyncGroup(_) => desk.close_without_answer(ticket),
            Request::Heartbeat(_) => desk.close_without_answer(ticket),
            Request::LeaveGroup(_) => desk.close_without_answer(ticket),
        }
        desk.into_answers()
    }

    /// Puts answers out, and takes up what waited behind them, until nothing more moves.
    fn send(
        &mut self,
        answers: Vec<(Ticket, Option<Response>)>,
        journal: &mut Journal,
        out: &mut Vec<Answer>,
    ) {
        let mut answers = VecDeque::from(answers);
        while let Some((ticket, response)) = answers.pop_front() {
            let (connection, correlation_id) = (ticket.connection(), ticket.correlation_id());
            if !self.connections.finish(ticket) {
                continue;
            }
            out.extend(response.map(|response| Answer {
                connection,
                correlation_id,
                response,
            }));
            if let Some((ticket, request)) = self.connections.take_up(connection) {
                answers.extend(self.dispatch(ticket, request, journal));
            }
        }
    }
}
