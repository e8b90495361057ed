//! Messages from elsewhere: a capture file or a hex dump, read as far as it can be.
//!
//! Everything here is untrusted and bounded: sizes are held against what is there before anything is
//! allocated, what is cut off or no Kafka is said in words, and nothing panics.

mod file;
mod hexdump;
mod stream;

use super::fields::{self, Decoded, Unreadable};
use super::filter::Subject;
use crate::kafka::api::ApiKey;
use crate::kafka::error::ErrorCode;
use crate::kafka::wire::decode_response;
use std::rc::Rc;

/// The largest file that is taken, bytes.
pub const FILE_BYTES_MOST: usize = 16 << 20;
/// Messages that are kept of a file.
pub const MESSAGES_MOST: usize = 5_000;
/// Packets that are looked at.
const PACKETS_MOST: usize = 200_000;
/// Longest text of a hex dump, characters.
pub const DUMP_LENGTH_MOST: usize = 1 << 20;

/// Messages from elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Capture {
    /// What it is called.
    pub name: Rc<str>,
    /// In the order of time.
    pub messages: Rc<[Captured]>,
    /// What was left out, and why.
    pub remarks: Rc<[Remark]>,
}

/// What was left out of a capture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Remark {
    /// Only so many messages are kept.
    TooMany(usize),
    /// So many packets are of no TCP.
    Other(usize),
    /// So many connections speak no Kafka.
    NoKafka(usize),
    /// Bytes of so many connections are missing, so what follows them there was left out.
    Missing(usize),
    /// The file ends inside a packet.
    CutOff,
}

/// Why nothing could be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CaptureProblem {
    /// Larger than we take; bytes.
    TooLarge(usize),
    /// Nothing in it.
    Empty,
    /// Neither a capture file nor a hex dump.
    NotACapture,
    /// Packets of a kind of network that we do not know, by its number.
    LinkType(u32),
    /// No message of Kafka in it.
    NoKafka,
    /// A character that is no hexadecimal digit.
    NoDigit {
        /// Line, from 1.
        line: usize,
        /// Column in it, from 1.
        column: usize,
        /// What stands there.
        character: char,
    },
    /// A byte of which one digit is missing.
    HalfByte {
        /// Line, from 1.
        line: usize,
    },
}

/// A message from elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Captured {
    /// When, µs after the first one; 0 where no time is told.
    pub at_us: i64,
    /// Who sent it.
    pub from: Rc<str>,
    /// To whom.
    pub to: Rc<str>,
    /// Whether it is an answer.
    pub is_answer: bool,
    /// API and version: of an answer, those of its request. `None`: not known.
    pub kind: Option<(ApiKey, i16)>,
    /// Its correlation id, if it has one.
    pub correlation_id: Option<i32>,
    /// The first error in an answer.
    pub error: Option<ErrorCode>,
    /// Place in the list of the request that it answers, or of its answer.
    pub other: Option<usize>,
    /// The message, without its length.
    pub message: Rc<[u8]>,
    /// Why its fields cannot be told.
    pub problem: Option<Unreadable>,
}

impl Captured {
    /// The message taken apart.
    pub fn decoded(&self) -> Decoded {
        match (&self.problem, self.kind) {
            (None, Some((api, version))) if self.is_answer => {
                fields::read_answer(api, version, &self.message)
            }
            (None, _) => fields::read_request(&self.message),
            (Some(problem), _) => fields::unread(&self.message, problem.clone()),
        }
    }

    /// What a filter may ask. An answer counts as its request: from the client, to the broker.
    pub fn subject<'a>(&'a self, size: &'a dyn Fn() -> Option<usize>) -> Subject<'a> {
        let (from, to) = match self.is_answer {
            true => (&*self.to, &*self.from),
            false => (&*self.from, &*self.to),
        };
        let (api, version) = self
            .kind
            .map_or((-1, -1), |(api, version)| (api.key(), version));
        Subject {
            api,
            version,
            error: self.error.map(ErrorCode::code),
            from,
            to,
            correlation_id: self.correlation_id.unwrap_or(-1),
            time_us: self.at_us,
            size,
        }
    }
}

/// Reads a file: classic pcap, pcapng, or the text of a hex dump.
///
/// # Errors
/// There is nothing in it that we can read; says why.
pub fn open(name: &str, bytes: &[u8]) -> Result<Capture, CaptureProblem> {
    if bytes.len() > FILE_BYTES_MOST {
        return Err(CaptureProblem::TooLarge(bytes.len()));
    }
    match file::read(bytes) {
        Some(read) => from_packets(name, read?),
        None => match std::str::from_utf8(bytes) {
            Ok(text) => paste(name, text),
            Err(_) => Err(CaptureProblem::NotACapture),
        },
    }
}

/// Reads the text of a hex dump.
///
/// # Errors
/// It is none; says why and where.
pub fn paste(name: &str, text: &str) -> Result<Capture, CaptureProblem> {
    if text.len() > DUMP_LENGTH_MOST {
        return Err(CaptureProblem::TooLarge(text.len()));
    }
    let pieces = hexdump::read(text)?;
    let packets: Option<Vec<file::Packet>> = pieces
        .iter()
        .map(|piece| file::Packet::of_dump(piece))
        .collect();
    // Whole packets, as tcpdump -x prints them; else bare messages.
    if let Some(packets) = packets {
        let read = file::File {
            packets,
            others: 0,
            is_cut_off: false,
        };
        return from_packets(name, read);
    }
    let mut streams = stream::Streams::default();
    for piece in pieces {
        streams.add_bare(&piece);
    }
    finish(name, streams.finish(), Vec::new())
}

fn from_packets(name: &str, read: file::File) -> Result<Capture, CaptureProblem> {
    let mut streams = stream::Streams::default();
    for packet in read.packets {
        streams.add(packet);
    }
    let mut remarks = Vec::new();
    if read.others > 0 {
        remarks.push(Remark::Other(read.others));
    }
    if read.is_cut_off {
        remarks.push(Remark::CutOff);
    }
    finish(name, streams.finish(), remarks)
}

fn finish(
    name: &str,
    mut read: stream::Found,
    mut remarks: Vec<Remark>,
) -> Result<Capture, CaptureProblem> {
    if read.messages.is_empty() {
        return Err(CaptureProblem::NoKafka);
    }
    // Requests and answers point at each other by their number, so that sorting does not lose them.
    read.messages.sort_by_key(|message| message.at_us);
    if read.messages.len() > MESSAGES_MOST {
        remarks.push(Remark::TooMany(MESSAGES_MOST));
        read.messages.truncate(MESSAGES_MOST);
    }
    if read.strangers > 0 {
        remarks.push(Remark::NoKafka(read.strangers));
    }
    if read.torn > 0 {
        remarks.push(Remark::Missing(read.torn));
    }
    Ok(Capture {
        name: name.into(),
        messages: pair_up(read.messages).into(),
        remarks: remarks.into(),
    })
}

/// Gives every message its place in time, its partner and, to answers, what their requests were.
fn pair_up(found: Vec<stream::Message>) -> Vec<Captured> {
    let first = found.first().map_or(0, |message| message.at_us);
    let place_of = |number: usize| found.iter().position(|other| other.number == number);
    let mut messages: Vec<Captured> = found
        .iter()
        .map(|message| {
            let read = match (message.is_answer, message.kind) {
                (true, Some((api, version))) => {
                    let read = decode_response(api, version, &message.bytes);
                    read.map(|read| Some(read.response.error()))
                }
                _ => Ok(None),
            };
            let (error, problem) = match (read, &message.problem) {
                (Ok(error), problem) => (error, problem.clone()),
                (Err(problem), _) => (None, Some(Unreadable::Wire(problem))),
            };
            Captured {
                at_us: message.at_us - first,
                from: message.from.clone(),
                to: message.to.clone(),
                is_answer: message.is_answer,
                kind: message.kind,
                correlation_id: message.correlation_id,
                error,
                other: message.answers.and_then(place_of),
                message: message.bytes.clone(),
                problem,
            }
        })
        .collect();
    let answers: Vec<(usize, usize)> = messages
        .iter()
        .enumerate()
        .filter_map(|(place, message)| Some((message.other?, place)))
        .collect();
    for (request, answer) in answers {
        let error = messages.get(answer).and_then(|answer| answer.error);
        if let Some(request) = messages.get_mut(request) {
            request.other = Some(answer);
            request.error = error;
        }
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::messages::pcap;

    /// Heartbeat v3 of the captured crash (p29), and its answer (p30).
    const REQUEST: &str = "0000006c000c00030000000c0011746869735f69735f636c69656e745f696400116d792d636f6e73756d65722d67726f7570000000130036746869735f69735f636c69656e745f69642d37623630316466312d623431302d343834342d396233642d343838376530386437313663ffff";
    const ANSWER: &str = "0000000a0000000c00000000001b";

    fn bytes(text: &str) -> Vec<u8> {
        let pieces = hexdump::read(text).expect("hex");
        pieces.into_iter().next().expect("a message")
    }

    fn packets() -> Vec<u8> {
        let packet = |at_us, is_answer, text| pcap::Packet {
            at_us,
            connection: 3,
            client: 0,
            broker: 2,
            is_answer,
            bytes: bytes(text),
        };
        pcap::write(&[packet(0, false, REQUEST), packet(15_501, true, ANSWER)])
    }

    fn check(capture: &Capture) {
        let [request, answer] = &*capture.messages else {
            panic!("two messages: {capture:?}");
        };
        assert_eq!(request.kind, Some((ApiKey::Heartbeat, 3)));
        assert_eq!((request.other, answer.other), (Some(1), Some(0)));
        assert_eq!(answer.error, Some(ErrorCode::RebalanceInProgress));
        assert_eq!(request.decoded().hex(), REQUEST);
        assert_eq!(answer.decoded().hex(), ANSWER);
        assert_eq!(answer.problem, None);
    }

    #[test]
    fn what_we_write_we_read() {
        let capture = open("a.pcap", &packets()).expect("a capture");
        check(&capture);
        assert_eq!(capture.messages[1].at_us, 15_501);
        assert_eq!(&*capture.messages[0].from, "10.1.0.1:49152");
        assert!(capture.remarks.is_empty());
    }

    #[test]
    fn hex_dumps_are_read_in_their_usual_forms() {
        check(&paste("", &format!("{REQUEST}\n\n{ANSWER}\n")).expect("plain"));
        check(&paste("", &format!("{REQUEST}{ANSWER}")).expect("one after the other"));
        let dump = |text: &str| {
            let lines = bytes(text);
            let lines = lines.chunks(16).enumerate().map(|(line, chunk)| {
                let pairs: Vec<String> = chunk.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{:08x}  {:<48}  |cafe....be|\n", line * 16, pairs.join(" "))
            });
            lines.collect::<String>()
        };
        check(&paste("", &(dump(REQUEST) + &dump(ANSWER))).expect("with offsets and characters"));
    }

    #[test]
    fn whatever_is_cut_off_or_bent_is_refused_or_told_and_never_panics() {
        let whole = packets();
        for end in 0..whole.len() {
            let _ = open("", &whole[..end]);
        }
        for bit in 0..whole.len() * 8 {
            let mut bent = whole.clone();
            bent[bit / 8] ^= 1 << (bit % 8);
            if let Ok(capture) = open("", &bent) {
                for message in capture.messages.iter() {
                    let _ = message.decoded();
                }
            }
        }
        assert_eq!(open("", b""), Err(CaptureProblem::Empty));
        assert_eq!(open("", &[0xff, 0, 1]), Err(CaptureProblem::NotACapture));
        let refused = paste("", "0000\n00zz");
        let expected = CaptureProblem::NoDigit {
            line: 2,
            column: 3,
            character: 'z',
        };
        assert_eq!(refused, Err(expected));
        assert_eq!(paste("", "000"), Err(CaptureProblem::HalfByte { line: 1 }));
        assert_eq!(paste("", "00 01 02 03"), Err(CaptureProblem::NoKafka));
    }

    #[test]
    fn an_answer_without_its_request_is_shown_and_says_so() {
        let capture = paste("", ANSWER).expect("a message");
        assert_eq!(capture.messages.len(), 1);
        assert!(capture.messages[0].problem.is_some());
    }
}
