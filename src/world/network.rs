//! The network: connections, requests and answers on their way, and what befalls them.
//!
//! A connection keeps order in each direction, as TCP does: what is held up holds up what follows.

use super::setup::{LinkSpec, Timing};
use crate::kafka::api::{ApiKey, Request, Response};
use crate::kafka::client::Channel;
use crate::kafka::fact::FactId;
use crate::kafka::ids::{ActorName, BrokerId, ClientId, ConnectionId};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// Where a connection ends on the client's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClientEnd {
    /// The actor's place in the world's list.
    pub actor: usize,
    /// Which of its processes.
    pub process: u32,
}

/// A connection.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    /// Who opened it.
    pub client: ClientEnd,
    /// To which broker.
    pub broker: BrokerId,
    /// Which of the client's connections to it.
    pub channel: Channel,
    /// Latencies there and back.
    pub latency: (Duration, Duration),
    /// When the last request arrives there.
    pub last_request: Instant,
    /// When the last answer arrives back.
    pub last_response: Instant,
    /// Requests without an answer yet: correlation id and exchange, oldest first.
    pub waiting: Vec<(i32, u64)>,
}

/// What travels.
#[derive(Clone, Debug)]
pub(super) enum Delivery {
    /// A request arrives at its broker.
    Request(Box<RequestOnWire>),
    /// An answer arrives at its client.
    Response(Box<ResponseOnWire>),
    /// The broker learns that a connection is closed.
    Closed(ConnectionId, FactId),
    /// A message would arrive now, had it not been dropped.
    Lost { exchange: u64, cause: FactId },
}

/// A request on its way.
#[derive(Clone, Debug)]
pub(super) struct RequestOnWire {
    pub exchange: u64,
    pub connection: ConnectionId,
    pub api_version: i16,
    pub correlation_id: i32,
    pub client_id: Option<ClientId>,
    pub request: Rc<Request>,
    pub sent: FactId,
    /// Answered in place of the broker.
    pub answer: Option<Response>,
}

/// An answer on its way.
#[derive(Clone, Debug)]
pub(super) struct ResponseOnWire {
    pub exchange: u64,
    pub connection: ConnectionId,
    pub correlation_id: i32,
    pub response: Rc<Response>,
    pub sent: FactId,
}

/// Something that shall befall the next request of a kind, or its answer.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// Of whom; `None`: of anybody.
    pub actor: Option<ActorName>,
    /// Of which kind.
    pub api: ApiKey,
    /// What.
    pub what: Mishap,
}

/// What befalls a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mishap {
    DropRequest,
    HoldRequest(Duration),
    Answer(crate::kafka::error::ErrorCode),
    DropResponse,
    HoldResponse(Duration),
}

/// Most faults that may be pending.
pub(super) const PENDING_FAULTS_MAX: usize = 64;

/// All connections, and the faults to come.
#[derive(Clone, Debug, Default)]
pub(super) struct Network {
    connections: SortedMap<ConnectionId, Connection>,
    last_connection: u64,
    last_exchange: u64,
    faults: Vec<Fault>,
    /// What befalls the answers of these exchanges.
    answers_in_danger: SortedMap<u64, Mishap>,
}

impl Network {
    /// Opens a connection.
    pub fn open(&mut self, connection: Connection) -> ConnectionId {
        self.last_connection += 1;
        let id = ConnectionId(self.last_connection);
        self.connections.insert(id, connection);
        id
    }

    /// The connection, if it is open.
    pub fn connection(&self, id: ConnectionId) -> Option<&Connection> {
        self.connections.get(&id)
    }

    /// Forgets a connection and gives back what is still waited for on it.
    pub fn close(&mut self, id: ConnectionId) -> Option<Connection> {
        self.connections.remove(&id)
    }

    /// Numbers a request and says when it arrives, `processing` included in the second instant.
    pub fn send_request(
        &mut self,
        id: ConnectionId,
        correlation_id: i32,
        now: Instant,
        held: Duration,
        processing: Duration,
    ) -> Option<(u64, Instant, Instant)> {
        let connection = self.connections.get_mut(&id)?;
        self.last_exchange += 1;
        let arrives = now + connection.latency.0 + held;
        let taken_up = (arrives + processing).max(connection.last_request);
        connection.last_request = taken_up;
        connection
            .waiting
            .push((correlation_id, self.last_exchange));
        Some((self.last_exchange, arrives, taken_up))
    }

    /// The oldest exchange of that correlation id is no longer waited for.
    pub fn finish(&mut self, id: ConnectionId, correlation_id: i32) -> Option<u64> {
        let waiting = &mut self.connections.get_mut(&id)?.waiting;
        let place = waiting.iter().position(|entry| entry.0 == correlation_id)?;
        Some(waiting.remove(place).1)
    }

    /// Whether an exchange of this connection is still without an answer.
    pub fn is_waiting(&self, id: ConnectionId, exchange: u64) -> bool {
        self.connections
            .get(&id)
            .is_some_and(|connection| connection.waiting.iter().any(|entry| entry.1 == exchange))
    }

    /// Says when an answer that is sent now arrives.
    pub fn send_response(
        &mut self,
        id: ConnectionId,
        now: Instant,
        held: Duration,
    ) -> Option<Instant> {
        let connection = self.connections.get_mut(&id)?;
        let arrives = (now + connection.latency.1 + held).max(connection.last_response);
        connection.last_response = arrives;
        Some(arrives)
    }

    /// Adds a fault.
    pub fn add_fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// How many faults are pending.
    pub fn faults(&self) -> usize {
        self.faults.len()
    }

    /// Takes out the first fault that fits.
    pub fn take_fault(&mut self, actor: &ActorName, api: ApiKey) -> Option<Mishap> {
        let place = self.faults.iter().position(|fault| {
            fault.api == api && fault.actor.as_ref().is_none_or(|wanted| wanted == actor)
        })?;
        Some(self.faults.remove(place).what)
    }

    /// The answer of this exchange will be dropped or held.
    pub fn endanger_answer(&mut self, exchange: u64, mishap: Mishap) {
        self.answers_in_danger.insert(exchange, mishap);
    }

    /// What befalls the answer of this exchange.
    pub fn take_danger(&mut self, exchange: u64) -> Option<Mishap> {
        if self.answers_in_danger.is_empty() {
            return None;
        }
        self.answers_in_danger.remove(&exchange)
    }
}

/// Latencies there and back between a client and a broker.
pub(super) fn latency(
    timing: &Timing,
    client: &ActorName,
    broker: BrokerId,
) -> (Duration, Duration) {
    let fits = |link: &&LinkSpec| {
        link.client.as_ref().is_none_or(|wanted| wanted == client)
            && link.broker.is_none_or(|wanted| wanted == broker)
    };
    let mut there_and_back = (timing.latency, timing.latency);
    for link in timing.links.iter().filter(fits) {
        there_and_back.0 = link.request.unwrap_or(there_and_back.0);
        there_and_back.1 = link.response.unwrap_or(there_and_back.1);
    }
    there_and_back
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network() -> (Network, ConnectionId) {
        let mut network = Network::default();
        let id = network.open(Connection {
            client: ClientEnd {
                actor: 0,
                process: 1,
            },
            broker: BrokerId(1),
            channel: Channel::Data,
            latency: (Duration(10), Duration(20)),
            last_request: Instant(0),
            last_response: Instant(0),
            waiting: Vec::new(),
        });
        (network, id)
    }

    #[test]
    fn what_is_held_up_holds_up_what_follows_on_its_connection() {
        let (mut network, id) = network();
        let zero = Duration::ZERO;
        let first = network.send_request(id, 1, Instant(0), Duration(100), zero);
        assert_eq!(first, Some((1, Instant(110), Instant(110))));
        let second = network.send_request(id, 2, Instant(1), zero, zero);
        assert_eq!(second, Some((2, Instant(11), Instant(110))));
        assert_eq!(
            network.send_response(id, Instant(5), zero),
            Some(Instant(25))
        );
    }

    #[test]
    fn an_exchange_is_finished_once() {
        let (mut network, id) = network();
        network.send_request(id, 7, Instant(0), Duration::ZERO, Duration::ZERO);
        assert!(network.is_waiting(id, 1));
        assert_eq!(network.finish(id, 7), Some(1));
        assert_eq!(network.finish(id, 7), None);
    }

    #[test]
    fn the_last_link_that_fits_counts() {
        let timing = Timing {
            latency: Duration(1),
            links: vec![
                LinkSpec {
                    client: Some("c1".into()),
                    broker: None,
                    request: Some(Duration(5)),
                    response: None,
                },
                LinkSpec {
                    client: None,
                    broker: Some(BrokerId(2)),
                    request: None,
                    response: Some(Duration(9)),
                },
            ],
            ..Timing::ideal()
        };
        let at = |client: &str, broker| latency(&timing, &client.into(), BrokerId(broker));
        assert_eq!(at("c1", 2), (Duration(5), Duration(9)));
        assert_eq!(at("c2", 1), (Duration(1), Duration(1)));
    }

    #[test]
    fn a_fault_befalls_one_request_of_its_kind() {
        let (mut network, _) = network();
        network.add_fault(Fault {
            actor: Some("c1".into()),
            api: ApiKey::Heartbeat,
            what: Mishap::DropRequest,
        });
        assert_eq!(network.take_fault(&"c2".into(), ApiKey::Heartbeat), None);
        assert_eq!(network.take_fault(&"c1".into(), ApiKey::Fetch), None);
        let taken = network.take_fault(&"c1".into(), ApiKey::Heartbeat);
        assert_eq!(taken, Some(Mishap::DropRequest));
        assert_eq!(network.take_fault(&"c1".into(), ApiKey::Heartbeat), None);
    }
}
