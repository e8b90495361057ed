//! The clients: what runs in an application's process.
//!
//! A client is a machine that is given calls of the application, answers of brokers and the time, and
//! gives back requests, events for the application, facts, and the next instant at which it wants to be
//! woken. It never looks into a broker.

pub mod consumer;
mod handshake;
pub mod producer;

use super::api::{Request, RequestHeader};
use super::ids::BrokerId;

/// Which of a client's connections to a broker a message goes over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Channel {
    /// The connection for group requests. It is one of its own, so that a parked JoinGroup does not hold
    /// up fetches (Java: node id 2147483647 − broker id; librdkafka: the logical broker
    /// "GroupCoordinator").
    Coordinator,
    /// The connection for everything else.
    Data,
}

/// Whose manners a client has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Flavour {
    /// Kafka's own client.
    Java,
    /// librdkafka 2.x, as recorded.
    Librdkafka,
}

/// What a client wants done. `E`: what its application learns.
#[derive(Clone, PartialEq, Debug)]
pub enum ClientAction<E> {
    /// Send a request.
    Send {
        /// The broker.
        to: BrokerId,
        /// Over which connection to it.
        channel: Channel,
        /// Version and number.
        header: RequestHeader,
        /// What.
        request: Request,
    },
    /// Close the connection; requests on it get no answer.
    Disconnect {
        /// The broker.
        from: BrokerId,
        /// Which connection to it.
        channel: Channel,
    },
    /// Tell the application.
    Event(E),
}
