//! A capture file of what the facts say went over the wire.

use super::fields;
use super::pcap::{self, Packet};
use crate::kafka::fact::{Fact, FactKind};
use crate::view::ActorName;
use std::collections::BTreeMap;

/// Turns facts into packets, in the order in which it sees them.
#[derive(Default)]
pub struct Recorder {
    clients: Vec<ActorName>,
    open: BTreeMap<u64, Open>,
    packets: Vec<Packet>,
}

/// A request whose answer may come.
struct Open {
    connection: u64,
    client: u16,
    broker: i32,
    version: i16,
    correlation_id: i32,
}

impl Recorder {
    /// Takes in a fact; what is neither request nor answer changes nothing. A message that does not fit its
    /// version, which the engine never sends, is left out.
    pub fn fold(&mut self, fact: &Fact) {
        match &fact.kind {
            FactKind::RequestSent {
                exchange,
                connection,
                from,
                to,
                correlation_id,
                api_version,
                ..
            } => {
                let known = self.clients.iter().position(|name| name == from);
                let client = known.unwrap_or_else(|| {
                    self.clients.push(from.clone());
                    self.clients.len() - 1
                });
                let open = Open {
                    connection: connection.0,
                    client: u16::try_from(client).unwrap_or(u16::MAX - 1),
                    broker: to.0,
                    version: *api_version,
                    correlation_id: *correlation_id,
                };
                let request = fields::request_of(fact);
                let bytes = request
                    .and_then(|(header, request)| fields::request_bytes(&header, request).ok());
                self.packets
                    .extend(bytes.map(|bytes| packet(&open, fact, false, bytes)));
                self.open.insert(*exchange, open);
            }
            FactKind::ResponseSent {
                exchange, response, ..
            } => {
                if let Some(open) = self.open.remove(exchange) {
                    let bytes = fields::answer_bytes(open.version, open.correlation_id, response);
                    self.packets
                        .extend(bytes.ok().map(|bytes| packet(&open, fact, true, bytes)));
                }
            }
            _ => {}
        }
    }

    /// How many messages it has.
    pub fn count(&self) -> usize {
        self.packets.len()
    }

    /// The file.
    pub fn file(&self) -> Vec<u8> {
        pcap::write(&self.packets)
    }
}

fn packet(open: &Open, fact: &Fact, is_answer: bool, bytes: Vec<u8>) -> Packet {
    Packet {
        at_us: fact.at.0,
        connection: open.connection,
        client: open.client,
        broker: open.broker,
        is_answer,
        bytes,
    }
}
