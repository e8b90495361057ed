//! Messages as a capture file that packet analysers open: Kafka inside TCP, IPv4 and Ethernet that we make
//! up. Classic pcap, microseconds.

use std::collections::BTreeMap;

/// Port of every broker.
pub const BROKER_PORT: u16 = 9092;
/// Virtual time 0 in the file: the beginning of 2024, UTC, in seconds.
const EPOCH_S: i64 = 1_704_067_200;
/// Bytes of a message in one packet: what fits an Ethernet frame.
const SEGMENT_BYTES: usize = 1_460;
/// A window that never closes.
const WINDOW: u16 = 0xffff;

const SYN: u8 = 0x02;
const PUSH: u8 = 0x08;
const ACK: u8 = 0x10;

/// A message to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packet {
    /// When it went onto the wire, µs of virtual time.
    pub at_us: i64,
    /// Its connection.
    pub connection: u64,
    /// Number of the client, from 0.
    pub client: u16,
    /// Id of the broker.
    pub broker: i32,
    /// Whether the broker sent it.
    pub is_answer: bool,
    /// The whole message, its length in front.
    pub bytes: Vec<u8>,
}

/// A connection as far as it was written.
struct Flow {
    client: [u8; 4],
    broker: [u8; 4],
    client_port: u16,
    /// Next sequence numbers of client and broker.
    next: [u32; 2],
}

/// The file with these messages, in the order of time.
pub fn write(packets: &[Packet]) -> Vec<u8> {
    let mut file = Vec::new();
    file.extend(0xa1b2_c3d4_u32.to_le_bytes());
    file.extend(2_u16.to_le_bytes());
    file.extend(4_u16.to_le_bytes());
    // Time zone and accuracy, which nobody fills in.
    file.extend([0; 8]);
    file.extend(262_144_u32.to_le_bytes());
    // Ethernet.
    file.extend(1_u32.to_le_bytes());
    let mut sorted: Vec<&Packet> = packets.iter().collect();
    sorted.sort_by_key(|packet| packet.at_us);
    let mut flows: BTreeMap<u64, Flow> = BTreeMap::new();
    for packet in sorted {
        let count = u16::try_from(flows.len()).unwrap_or(u16::MAX);
        let flow = flows.entry(packet.connection).or_insert_with(|| {
            let [high, low] = (packet.client + 1).to_be_bytes();
            let [.., broker_high, broker_low] = packet.broker.to_be_bytes();
            let mut flow = Flow {
                client: [10, 1, high, low],
                broker: [10, 0, broker_high, broker_low],
                client_port: 49_152_u16.wrapping_add(count % 16_000),
                next: [1_000, 5_000],
            };
            flow.shake_hands(packet.at_us, &mut file);
            flow
        });
        let segments = packet.bytes.chunks(SEGMENT_BYTES);
        for segment in segments {
            flow.segment(
                packet.at_us,
                packet.is_answer,
                PUSH | ACK,
                segment,
                &mut file,
            );
        }
    }
    file
}

impl Flow {
    /// Opens the connection, just before its first message.
    fn shake_hands(&mut self, at_us: i64, file: &mut Vec<u8>) {
        self.segment(at_us - 3, false, SYN, &[], file);
        self.segment(at_us - 2, true, SYN | ACK, &[], file);
        self.segment(at_us - 1, false, ACK, &[], file);
    }

    fn segment(&mut self, at_us: i64, is_answer: bool, flags: u8, data: &[u8], file: &mut Vec<u8>) {
        let [of_client, of_broker] = self.next;
        let (from, to, sequence, acknowledged, ports) = if is_answer {
            let ports = (BROKER_PORT, self.client_port);
            (self.broker, self.client, of_broker, of_client, ports)
        } else {
            let ports = (self.client_port, BROKER_PORT);
            (self.client, self.broker, of_client, of_broker, ports)
        };
        let mut tcp = Vec::with_capacity(20 + data.len());
        tcp.extend(ports.0.to_be_bytes());
        tcp.extend(ports.1.to_be_bytes());
        tcp.extend(sequence.to_be_bytes());
        let acknowledged = if flags & ACK == 0 { 0 } else { acknowledged };
        tcp.extend(acknowledged.to_be_bytes());
        // Five words of header.
        tcp.extend([0x50, flags]);
        tcp.extend(WINDOW.to_be_bytes());
        // Checksum, to be filled in, and urgent pointer.
        tcp.extend([0; 4]);
        tcp.extend(data);
        let length = u16::try_from(tcp.len()).unwrap_or(u16::MAX);
        let pseudo = [&from[..], &to, &[0, 6], &length.to_be_bytes(), &tcp].concat();
        put(&mut tcp, 16, checksum(&pseudo));
        let packet = [&ethernet(from, to)[..], &ip(from, to, length), &tcp].concat();
        record(at_us, &packet, file);
        let sent = u32::try_from(data.len()).unwrap_or(u32::MAX) + u32::from(flags & SYN != 0);
        let next = &mut self.next[usize::from(is_answer)];
        *next = next.wrapping_add(sent);
    }
}

/// Addresses that are locally administered, after the IP addresses.
fn ethernet(from: [u8; 4], to: [u8; 4]) -> Vec<u8> {
    [&[0x02, 0][..], &to, &[0x02, 0], &from, &[0x08, 0x00]].concat()
}

fn ip(from: [u8; 4], to: [u8; 4], payload: u16) -> Vec<u8> {
    let total = payload.saturating_add(20).to_be_bytes();
    // Version 4, five words; not to be fragmented; 64 hops; TCP; checksum, to be filled in.
    let fixed = [0, 0, 0x40, 0, 64, 6, 0, 0];
    let mut header = [&[0x45, 0][..], &total, &fixed, &from, &to].concat();
    let sum = checksum(&header);
    put(&mut header, 10, sum);
    header
}

fn put(bytes: &mut [u8], at: usize, number: u16) {
    if let Some(place) = bytes.get_mut(at..at + 2) {
        place.copy_from_slice(&number.to_be_bytes());
    }
}

/// The Internet checksum (RFC 1071).
pub(super) fn checksum(bytes: &[u8]) -> u16 {
    let words = bytes.chunks(2).map(|pair| {
        let low = pair.get(1).copied().unwrap_or(0);
        u32::from(u16::from_be_bytes([pair[0], low]))
    });
    let mut sum: u32 = words.sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !u16::try_from(sum).unwrap_or(0)
}

fn record(at_us: i64, packet: &[u8], file: &mut Vec<u8>) {
    let at_us = at_us.saturating_add(EPOCH_S * 1_000_000).max(0);
    let seconds = u32::try_from(at_us / 1_000_000).unwrap_or(u32::MAX);
    let micros = u32::try_from(at_us % 1_000_000).unwrap_or(0);
    let length = u32::try_from(packet.len()).unwrap_or(u32::MAX);
    for number in [seconds, micros, length, length] {
        file.extend(number.to_le_bytes());
    }
    file.extend(packet);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_headers_checksum_over_itself_is_zero() {
        let header = ip([10, 1, 0, 1], [10, 0, 0, 1], 132);
        assert_eq!(checksum(&header), 0);
    }

    #[test]
    fn sequence_numbers_go_on_where_the_last_message_ended() {
        let packet = |at_us, is_answer, length| Packet {
            at_us,
            connection: 1,
            client: 0,
            broker: 1,
            is_answer,
            bytes: vec![7; length],
        };
        // The answer comes first in the list, and the request is longer than a frame.
        let file = write(&[packet(20, true, 14), packet(10, false, 2_000)]);
        let mut at = 24;
        let mut seen = Vec::new();
        while at < file.len() {
            let length = u32::from_le_bytes(file[at + 8..at + 12].try_into().expect("four"));
            let tcp = &file[at + 16 + 34..at + 16 + length as usize];
            let number = |at: usize| u32::from_be_bytes(tcp[at..at + 4].try_into().expect("four"));
            seen.push((number(4), number(8), tcp.len() - 20));
            at += 16 + length as usize;
        }
        assert_eq!(
            seen,
            [
                (1_000, 0, 0),
                (5_000, 1_001, 0),
                (1_001, 5_001, 0),
                (1_001, 5_001, 1_460),
                (2_461, 5_001, 540),
                (5_001, 3_001, 14),
            ]
        );
    }
}
