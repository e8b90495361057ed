//! Messages between clients and brokers: sending, arriving, being lost.

use super::World;
use super::network::{
    ClientEnd, Connection, Delivery, Mishap, RequestOnWire, ResponseOnWire, latency,
};
use crate::kafka::api::{Request, RequestHeader, Response};
use crate::kafka::client::Channel;
use crate::kafka::fact::{FactId, FactKind};
use crate::kafka::ids::{BrokerId, ConnectionId};
use crate::kafka::time::Duration;
use std::rc::Rc;

impl World {
    /// A client sends a request, and opens the connection if there is none.
    pub(super) fn send_request(
        &mut self,
        actor: usize,
        to: BrokerId,
        channel: Channel,
        header: RequestHeader,
        request: Request,
    ) {
        let Some(connection) = self.connection(actor, to, channel) else {
            return;
        };
        let Some(from) = self.actors.get(actor).map(|actor| actor.name.clone()) else {
            return;
        };
        let mishap = self.network.take_fault(&from, request.api());
        let held = match mishap {
            Some(Mishap::HoldRequest(length)) => length,
            _ => Duration::ZERO,
        };
        let processing = self.setup.timing.processing;
        let correlation_id = header.correlation_id;
        let sent =
            self.network
                .send_request(connection, correlation_id, self.now, held, processing);
        let Some((exchange, arrives, taken_up)) = sent else {
            return;
        };
        if !wants_answer(&request) {
            self.network.finish(connection, correlation_id);
        }
        let request = Rc::new(request);
        let sent = self.journal.note(FactKind::RequestSent {
            exchange,
            connection,
            from,
            to,
            correlation_id,
            api_version: header.api_version,
            client_id: header.client_id.clone(),
            request: request.clone(),
            arrives,
        });
        let mut answer = None;
        match mishap {
            Some(Mishap::DropRequest) => {
                self.network.finish(connection, correlation_id);
                let lost = Delivery::Lost {
                    exchange,
                    cause: sent,
                };
                let sequence = self.journal.next_sequence();
                self.queue.deliver(arrives, sequence, lost);
                return;
            }
            Some(Mishap::Answer(error)) => answer = super::check::error_answer(&request, error),
            Some(mishap @ (Mishap::DropResponse | Mishap::HoldResponse(_))) => {
                self.network.endanger_answer(exchange, mishap);
            }
            Some(Mishap::HoldRequest(_)) | None => {}
        }
        let on_wire = RequestOnWire {
            exchange,
            connection,
            api_version: header.api_version,
            correlation_id,
            client_id: header.client_id,
            request,
            sent,
            answer,
        };
        let sequence = self.journal.next_sequence();
        self.queue
            .deliver(taken_up, sequence, Delivery::Request(Box::new(on_wire)));
    }

    /// The actor's connection to that broker, opened if need be. `None`: there is no such broker.
    fn connection(&mut self, actor: usize, to: BrokerId, channel: Channel) -> Option<ConnectionId> {
        self.broker_place(to)?;
        let slot = self.actors.get_mut(actor)?;
        if let Some(connection) = slot.connections.get(&(to, channel)) {
            return Some(*connection);
        }
        let connection = self.network.open(Connection {
            client: ClientEnd {
                actor,
                process: slot.process,
            },
            broker: to,
            channel,
            latency: latency(&self.setup.timing, &slot.name, to),
            last_request: self.now,
            last_response: self.now,
            waiting: Vec::new(),
        });
        slot.connections.insert((to, channel), connection);
        Some(connection)
    }

    /// A client closes a connection. The broker learns of it after what was sent before.
    pub(super) fn close_connection(&mut self, actor: usize, to: BrokerId, channel: Channel) {
        let Some(slot) = self.actors.get_mut(actor) else {
            return;
        };
        let Some(id) = slot.connections.remove(&(to, channel)) else {
            return;
        };
        let Some(connection) = self.network.connection(id) else {
            return;
        };
        let at = (self.now + connection.latency.0).max(connection.last_request);
        let closed = Delivery::Closed(id, self.journal.cause());
        let sequence = self.journal.next_sequence();
        self.queue.deliver(at, sequence, closed);
    }

    /// Sends the answers that a broker gave in the present call.
    pub(super) fn send_answers(&mut self) {
        let mut answers = std::mem::take(&mut self.answers);
        for answer in answers.drain(..) {
            self.send_answer(answer.connection, answer.correlation_id, answer.response);
        }
        self.answers = answers;
    }

    fn send_answer(&mut self, connection: ConnectionId, correlation_id: i32, response: Response) {
        let Some(exchange) = self.network.finish(connection, correlation_id) else {
            debug_assert!(
                self.network.connection(connection).is_none(),
                "a request is answered at most once"
            );
            return;
        };
        let danger = self.network.take_danger(exchange);
        let held = match danger {
            Some(Mishap::HoldResponse(length)) => length,
            _ => Duration::ZERO,
        };
        let Some(arrives) = self.network.send_response(connection, self.now, held) else {
            return;
        };
        let response = Rc::new(response);
        let sent = self.journal.note(FactKind::ResponseSent {
            exchange,
            response: response.clone(),
            arrives,
        });
        let delivery = if danger == Some(Mishap::DropResponse) {
            Delivery::Lost {
                exchange,
                cause: sent,
            }
        } else {
            Delivery::Response(Box::new(ResponseOnWire {
                exchange,
                connection,
                correlation_id,
                response,
                sent,
            }))
        };
        let sequence = self.journal.next_sequence();
        self.queue.deliver(arrives, sequence, delivery);
    }

    /// Something arrives.
    pub(super) fn deliver(&mut self, delivery: Delivery) {
        match delivery {
            Delivery::Request(request) => self.deliver_request(*request),
            Delivery::Response(response) => self.deliver_response(response),
            Delivery::Closed(connection, cause) => self.deliver_closed(connection, cause),
            Delivery::Lost { exchange, cause } => self.note_lost(exchange, cause),
        }
    }

    fn deliver_request(&mut self, on_wire: RequestOnWire) {
        let connection = on_wire.connection;
        let Some(open) = self.network.connection(connection) else {
            self.note_lost(on_wire.exchange, on_wire.sent);
            return;
        };
        let (broker, client) = (open.broker, open.client);
        let Some(place) = self.broker_place(broker) else {
            return;
        };
        self.journal.begin(self.now, on_wire.sent);
        let exchange = on_wire.exchange;
        let received = self
            .journal
            .note_as_cause(FactKind::RequestReceived { exchange });
        if let Some(answer) = on_wire.answer {
            self.send_answer(connection, on_wire.correlation_id, answer);
            return;
        }
        let header = RequestHeader {
            api_version: on_wire.api_version,
            correlation_id: on_wire.correlation_id,
            client_id: on_wire.client_id,
        };
        let request = Rc::unwrap_or_clone(on_wire.request);
        if let (Some(slot), Some(actor)) =
            (self.brokers.get_mut(place), self.actors.get(client.actor))
        {
            let (journal, answers) = (&mut self.journal, &mut self.answers);
            slot.broker
                .handle(connection, header, &actor.host, request, journal, answers);
        }
        self.after_broker(place);
        self.change_cluster_as_wished(place);
        if self.network.is_waiting(connection, exchange) {
            self.arrived.push((connection, exchange, received));
        }
    }

    fn deliver_response(&mut self, on_wire: Box<ResponseOnWire>) {
        let open = self.network.connection(on_wire.connection);
        let open = open.map(|open| (open.client, open.broker, open.channel));
        let Some((client, broker, channel)) = open else {
            self.note_lost(on_wire.exchange, on_wire.sent);
            return;
        };
        let Some(actor) = self.actors.get_mut(client.actor) else {
            return;
        };
        let is_open = actor.connections.get(&(broker, channel)) == Some(&on_wire.connection);
        if actor.process != client.process || !is_open {
            self.note_lost(on_wire.exchange, on_wire.sent);
            return;
        }
        if actor.is_frozen {
            actor.inbox.push_back(Delivery::Response(on_wire));
            return;
        }
        self.journal.begin(self.now, on_wire.sent);
        let exchange = on_wire.exchange;
        self.journal
            .note_as_cause(FactKind::ResponseReceived { exchange });
        let response = Rc::unwrap_or_clone(on_wire.response);
        self.client_hears(
            client.actor,
            broker,
            channel,
            on_wire.correlation_id,
            response,
        );
    }

    fn deliver_closed(&mut self, id: ConnectionId, cause: FactId) {
        let Some(connection) = self.network.close(id) else {
            return;
        };
        self.journal.begin(self.now, cause);
        for (_, exchange) in connection.waiting {
            self.journal.note(FactKind::MessageLost { exchange });
        }
        if let Some(place) = self.broker_place(connection.broker) {
            if let Some(slot) = self.brokers.get_mut(place) {
                slot.broker.disconnect(id);
            }
            self.after_broker(place);
        }
    }

    pub(super) fn note_lost(&mut self, exchange: u64, cause: FactId) {
        self.journal.begin(self.now, cause);
        self.journal.note(FactKind::MessageLost { exchange });
    }
}

/// Whether the broker answers such a request at all.
fn wants_answer(request: &Request) -> bool {
    !matches!(request, Request::Produce(produce) if produce.acks == 0)
}
