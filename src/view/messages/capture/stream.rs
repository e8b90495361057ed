//! From packets to messages: the bytes of each direction of a connection, put together and cut at the
//! lengths that stand in front of Kafka's messages.

use super::MESSAGES_MOST;
use super::file::Packet;
use crate::kafka::api::ApiKey;
use crate::kafka::wire::{FRAME_BYTES_MAX, decode_request, versions};
use crate::view::messages::fields::Unreadable;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Bytes of a message's length.
const LENGTH_BYTES: usize = 4;
/// Connections that are followed.
const FLOWS_MOST: usize = 2_000;
/// Kafka's usual port.
const KAFKA_PORT: u16 = 9092;

/// A message that was found.
pub(super) struct Message {
    /// Counts them in the order of finding.
    pub number: usize,
    pub at_us: i64,
    pub from: Rc<str>,
    pub to: Rc<str>,
    pub is_answer: bool,
    pub kind: Option<(ApiKey, i16)>,
    pub correlation_id: Option<i32>,
    /// Number of the request that it answers.
    pub answers: Option<usize>,
    /// Without its length.
    pub bytes: Rc<[u8]>,
    pub problem: Option<Unreadable>,
}

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    pub messages: Vec<Message>,
    /// Connections that speak no Kafka.
    pub strangers: usize,
    /// Connections of which bytes are missing.
    pub torn: usize,
}

/// One direction of a connection.
#[derive(Default)]
struct Direction {
    /// Pieces by the number of their first byte, counted from the first packet's.
    pieces: BTreeMap<i64, (i64, Vec<u8>)>,
    first: Option<u32>,
    to_port: u16,
}

/// Directions of connections, by sender and receiver.
#[derive(Default)]
pub(super) struct Streams {
    directions: BTreeMap<(Rc<str>, Rc<str>), Direction>,
    bare: Vec<Vec<u8>>,
}

/// The bytes of a direction, with the instants at which stretches of them came.
struct Joined {
    bytes: Vec<u8>,
    /// From which byte on which instant holds.
    instants: Vec<(usize, i64)>,
    is_torn: bool,
}

impl Streams {
    /// Takes in a packet.
    pub fn add(&mut self, packet: Packet) {
        let key = (packet.from.clone(), packet.to.clone());
        if !self.directions.contains_key(&key) && self.directions.len() >= FLOWS_MOST {
            return;
        }
        let direction = self.directions.entry(key).or_default();
        let sequence = match packet.is_opening {
            true => packet.sequence.wrapping_add(1),
            false => packet.sequence,
        };
        let first = *direction.first.get_or_insert(sequence);
        direction.to_port = packet.to_port;
        // Numbers go round; what is less than half a round behind is earlier.
        let distance = i64::from(sequence.wrapping_sub(first).cast_signed());
        if packet.data.is_empty() {
            return;
        }
        let known = direction.pieces.get(&distance);
        if known.is_none_or(|(_, data)| data.len() < packet.data.len()) {
            let piece = (packet.at_us, packet.data);
            direction.pieces.insert(distance, piece);
        }
    }

    /// Takes in bytes that stand alone: messages, one after the other.
    pub fn add_bare(&mut self, bytes: &[u8]) {
        self.bare.push(bytes.to_vec());
    }

    /// The messages.
    pub fn finish(self) -> Found {
        let mut found = Found::default();
        let mut seen: Vec<(Rc<str>, Rc<str>)> = Vec::new();
        let mut directions = self.directions;
        let keys: Vec<(Rc<str>, Rc<str>)> = directions.keys().cloned().collect();
        for (from, to) in keys {
            let back = (to.clone(), from.clone());
            if seen.contains(&back) {
                continue;
            }
            seen.push((from.clone(), to.clone()));
            let there = directions
                .remove(&(from.clone(), to.clone()))
                .unwrap_or_default();
            let answers = directions.remove(&back).unwrap_or_default();
            found.connection((from, there), (to, answers));
        }
        found.bare(&self.bare);
        found
    }
}

impl Direction {
    fn joined(&self) -> Joined {
        let mut joined = Joined {
            bytes: Vec::new(),
            instants: Vec::new(),
            is_torn: false,
        };
        let mut next = self.pieces.keys().next().copied().unwrap_or(0);
        for (start, (at_us, data)) in &self.pieces {
            if *start > next {
                joined.is_torn = true;
                break;
            }
            let known = usize::try_from(next - start).unwrap_or(usize::MAX);
            let Some(new) = data.get(known..).filter(|new| !new.is_empty()) else {
                continue;
            };
            joined.instants.push((joined.bytes.len(), *at_us));
            joined.bytes.extend(new);
            next += i64::try_from(new.len()).unwrap_or(0);
        }
        joined
    }
}

impl Joined {
    fn at(&self, byte: usize) -> i64 {
        let place = self.instants.partition_point(|(start, _)| *start <= byte);
        let before = place
            .checked_sub(1)
            .and_then(|place| self.instants.get(place));
        before.map_or(0, |(_, at_us)| *at_us)
    }

    /// The messages: where each begins in the bytes, and it, without its length. Ends at what is no length.
    fn messages(&self) -> Vec<(usize, &[u8])> {
        let mut messages = Vec::new();
        let mut at = 0;
        while messages.len() <= MESSAGES_MOST
            && let Some(message) = message_at(&self.bytes, at)
        {
            messages.push((at, message));
            at += LENGTH_BYTES + message.len();
        }
        messages
    }
}

fn message_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let start = at.checked_add(LENGTH_BYTES)?;
    let length: [u8; 4] = bytes.get(at..start)?.try_into().ok()?;
    let length = usize::try_from(u32::from_be_bytes(length)).ok()?;
    // A message has a correlation id at least.
    if !(4..=FRAME_BYTES_MAX).contains(&length) {
        return None;
    }
    bytes.get(start..start.checked_add(length)?)
}

/// API, version and correlation id, if the bytes begin as a request does.
fn request_kind(message: &[u8]) -> Option<(ApiKey, i16, i32)> {
    let number = |at: usize| {
        let bytes: [u8; 2] = message.get(at..at + 2)?.try_into().ok()?;
        Some(i16::from_be_bytes(bytes))
    };
    let (key, version) = (number(0)?, number(2)?);
    let api = ApiKey::ALL.iter().find(|api| api.key() == key)?;
    // Younger brokers speak more than we do; that much more is still taken for a version.
    let is_version = (0..=versions(*api).max + 8).contains(&version);
    let id: [u8; 4] = message.get(4..8)?.try_into().ok()?;
    is_version.then_some((*api, version, i32::from_be_bytes(id)))
}

fn correlation_id(message: &[u8]) -> Option<i32> {
    let id: [u8; 4] = message.get(..4)?.try_into().ok()?;
    Some(i32::from_be_bytes(id))
}

impl Found {
    /// Takes in a connection: its two directions.
    fn connection(&mut self, one: (Rc<str>, Direction), other: (Rc<str>, Direction)) {
        let (bytes_of_one, bytes_of_other) = (one.1.joined(), other.1.joined());
        let speaks = |joined: &Joined| {
            let first = message_at(&joined.bytes, 0).and_then(request_kind);
            first.is_some()
        };
        let one_asks = match (speaks(&bytes_of_one), speaks(&bytes_of_other)) {
            (true, true) => one.1.to_port == KAFKA_PORT || other.1.to_port != KAFKA_PORT,
            (true, false) => true,
            (false, true) => false,
            (false, false) => {
                let has_data = !bytes_of_one.bytes.is_empty() || !bytes_of_other.bytes.is_empty();
                self.strangers += usize::from(has_data);
                return;
            }
        };
        self.torn += usize::from(bytes_of_one.is_torn || bytes_of_other.is_torn);
        let ((client, asked), (broker, answered)) = match one_asks {
            true => ((one.0, bytes_of_one), (other.0, bytes_of_other)),
            false => ((other.0, bytes_of_other), (one.0, bytes_of_one)),
        };
        let mut open: BTreeMap<i32, (usize, ApiKey, i16)> = BTreeMap::new();
        for (at, message) in asked.messages() {
            let Some((api, version, id)) = request_kind(message) else {
                break;
            };
            open.insert(id, (self.messages.len(), api, version));
            let ends = (client.clone(), broker.clone());
            self.request(asked.at(at), ends, (api, version, id), message);
        }
        for (at, message) in answered.messages() {
            let request = correlation_id(message).and_then(|id| open.remove(&id));
            let ends = (broker.clone(), client.clone());
            self.answer(answered.at(at), ends, request, message);
        }
    }

    /// Takes in bytes without packets around them: of a request what it is, of an answer only whose.
    fn bare(&mut self, pieces: &[Vec<u8>]) {
        let mut open: BTreeMap<i32, (usize, ApiKey, i16)> = BTreeMap::new();
        let ends = || -> (Rc<str>, Rc<str>) { ("".into(), "".into()) };
        for piece in pieces {
            let mut at = 0;
            while self.messages.len() <= MESSAGES_MOST
                && let Some(message) = message_at(piece, at)
            {
                at += LENGTH_BYTES + message.len();
                let answers = correlation_id(message).filter(|id| open.contains_key(id));
                match (answers, request_kind(message)) {
                    (None, Some((api, version, id))) => {
                        open.insert(id, (self.messages.len(), api, version));
                        self.request(0, ends(), (api, version, id), message);
                    }
                    (answers, _) => {
                        let request = answers.and_then(|id| open.remove(&id));
                        self.answer(0, ends(), request, message);
                    }
                }
            }
        }
    }

    fn request(
        &mut self,
        at_us: i64,
        (from, to): (Rc<str>, Rc<str>),
        (api, version, id): (ApiKey, i16, i32),
        message: &[u8],
    ) {
        self.messages.push(Message {
            number: self.messages.len(),
            at_us,
            from,
            to,
            is_answer: false,
            kind: Some((api, version)),
            correlation_id: Some(id),
            answers: None,
            bytes: message.into(),
            problem: decode_request(message).err().map(Unreadable::Wire),
        });
    }

    fn answer(
        &mut self,
        at_us: i64,
        (from, to): (Rc<str>, Rc<str>),
        request: Option<(usize, ApiKey, i16)>,
        message: &[u8],
    ) {
        self.messages.push(Message {
            number: self.messages.len(),
            at_us,
            from,
            to,
            is_answer: true,
            kind: request.map(|(_, api, version)| (api, version)),
            correlation_id: correlation_id(message),
            answers: request.map(|(number, ..)| number),
            bytes: message.into(),
            problem: request.is_none().then_some(Unreadable::NoRequest),
        });
    }
}
