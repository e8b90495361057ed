//! Connections: one request in work each, the others behind it in their order.

use super::desk::Ticket;
use crate::kafka::api::{ApiKey, Request, RequestHeader};
use crate::kafka::fact::FactId;
use crate::kafka::ids::ConnectionId;
use crate::kafka::sorted::SortedMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// A request as it came in.
#[derive(Clone, Debug)]
pub(super) struct Arrived {
    pub header: RequestHeader,
    pub client_host: Rc<str>,
    pub request: Request,
    /// What brought it.
    pub cause: FactId,
}

/// A request that is in work and not yet answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InWork {
    /// Its number on the connection.
    pub correlation_id: i32,
    /// Its API.
    pub api: ApiKey,
}

#[derive(Clone, Debug, Default)]
struct Connection {
    in_work: Option<(u64, InWork)>,
    waiting: VecDeque<Arrived>,
}

/// All open connections.
#[derive(Clone, Debug, Default)]
pub(super) struct Connections {
    open: SortedMap<ConnectionId, Connection>,
    last_serial: u64,
}

impl Connections {
    /// Takes a request in. Gives it back with its ticket if it can be worked on now.
    pub fn arrive(
        &mut self,
        id: ConnectionId,
        arrived: Arrived,
    ) -> Option<(Ticket, Request, FactId)> {
        let connection = self.open.entry(id).or_default();
        connection.waiting.push_back(arrived);
        self.take_up(id)
    }

    /// The next request of a connection that has none in work.
    pub fn take_up(&mut self, id: ConnectionId) -> Option<(Ticket, Request, FactId)> {
        let connection = self.open.get_mut(&id)?;
        if connection.in_work.is_some() {
            return None;
        }
        let Arrived {
            header,
            client_host,
            request,
            cause,
        } = connection.waiting.pop_front()?;
        self.last_serial += 1;
        let in_work = InWork {
            correlation_id: header.correlation_id,
            api: request.api(),
        };
        connection.in_work = Some((self.last_serial, in_work));
        let ticket = Ticket {
            connection: id,
            serial: self.last_serial,
            correlation_id: header.correlation_id,
            api_version: header.api_version,
            client_id: header.client_id.unwrap_or_default(),
            client_host,
        };
        Some((ticket, request, cause))
    }

    /// Ends a request. Says whether its connection is still there.
    pub fn finish(&mut self, ticket: Ticket) -> bool {
        let Some(connection) = self.open.get_mut(&ticket.connection) else {
            return false;
        };
        let in_work = connection.in_work.take();
        debug_assert_eq!(
            in_work.map(|(serial, _)| serial),
            Some(ticket.serial),
            "a ticket is answered exactly once"
        );
        true
    }

    pub fn close(&mut self, id: ConnectionId) {
        self.open.remove(&id);
    }

    pub fn in_work(&self, id: ConnectionId) -> Option<InWork> {
        Some(self.open.get(&id)?.in_work?.1)
    }
}
