//! Capture files: classic pcap and pcapng, and the TCP packets in them.

use super::{CaptureProblem, PACKETS_MOST};
use std::rc::Rc;

/// A TCP packet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Packet {
    /// When it was captured, µs.
    pub at_us: i64,
    /// Address and port of its sender.
    pub from: Rc<str>,
    /// Port of its sender.
    pub from_port: u16,
    /// Address and port of its receiver.
    pub to: Rc<str>,
    /// Port of its receiver.
    pub to_port: u16,
    /// Number of its first byte.
    pub sequence: u32,
    /// Whether it opens a connection: then its first byte has the next number.
    pub is_opening: bool,
    /// What it carries.
    pub data: Vec<u8>,
}

/// What a file holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct File {
    /// Its TCP packets, in their order.
    pub packets: Vec<Packet>,
    /// How many others it has.
    pub others: usize,
    /// Whether it ends inside a packet.
    pub is_cut_off: bool,
}

/// Reads a file; `None`: it is no capture file.
pub(super) fn read(bytes: &[u8]) -> Option<Result<File, CaptureProblem>> {
    if bytes.is_empty() {
        return Some(Err(CaptureProblem::Empty));
    }
    let magic: [u8; 4] = bytes.get(..4)?.try_into().ok()?;
    match magic {
        [0xd4, 0xc3, 0xb2, 0xa1] => Some(classic(bytes, Order::Little, 1)),
        [0xa1, 0xb2, 0xc3, 0xd4] => Some(classic(bytes, Order::Big, 1)),
        [0x4d, 0x3c, 0xb2, 0xa1] => Some(classic(bytes, Order::Little, 1_000)),
        [0xa1, 0xb2, 0x3c, 0x4d] => Some(classic(bytes, Order::Big, 1_000)),
        [0x0a, 0x0d, 0x0d, 0x0a] => Some(next_generation(bytes)),
        _ => None,
    }
}

#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn u16(self, bytes: &[u8], at: usize) -> Option<u16> {
        let bytes: [u8; 2] = bytes.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(match self {
            Order::Little => u16::from_le_bytes(bytes),
            Order::Big => u16::from_be_bytes(bytes),
        })
    }

    fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let bytes: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(match self {
            Order::Little => u32::from_le_bytes(bytes),
            Order::Big => u32::from_be_bytes(bytes),
        })
    }
}

impl File {
    /// Takes in a packet as it stood on a network of that kind; says whether there is room for more.
    fn add(&mut self, at_us: i64, link: u32, data: &[u8]) -> Result<bool, CaptureProblem> {
        match Packet::of(at_us, link, data)? {
            Some(packet) => self.packets.push(packet),
            None => self.others += 1,
        }
        Ok(self.packets.len() + self.others < PACKETS_MOST)
    }
}

/// Packets behind a header of 24 bytes, each behind one of 16. `per_us`: how often its clock ticks.
fn classic(bytes: &[u8], order: Order, per_us: i64) -> Result<File, CaptureProblem> {
    let mut file = File::default();
    let Some(link) = order.u32(bytes, 20) else {
        return Err(CaptureProblem::NotACapture);
    };
    let mut at = 24;
    while at < bytes.len() {
        let number = |place: usize| order.u32(bytes, at + place);
        let header = (number(0), number(4), number(8));
        let (Some(seconds), Some(fraction), Some(length)) = header else {
            file.is_cut_off = true;
            break;
        };
        let start = at + 16;
        let end = usize::try_from(length)
            .ok()
            .and_then(|length| start.checked_add(length));
        let Some((end, data)) = end.and_then(|end| Some((end, bytes.get(start..end)?))) else {
            file.is_cut_off = true;
            break;
        };
        let at_us = i64::from(seconds) * 1_000_000 + i64::from(fraction) / per_us;
        // The upper bits may say how long a frame's checksum is.
        if !file.add(at_us, link & 0xffff, data)? {
            break;
        }
        at = end;
    }
    Ok(file)
}

const SECTION: u32 = 0x0a0d_0d0a;
const INTERFACE: u32 = 1;
const SIMPLE: u32 = 3;
const ENHANCED: u32 = 6;

/// An interface of a pcapng file: kind of network, ticks of its clock in a second.
struct Interface {
    link: u32,
    per_second: u64,
}

fn next_generation(bytes: &[u8]) -> Result<File, CaptureProblem> {
    let mut file = File::default();
    let mut order = Order::Little;
    let mut interfaces: Vec<Interface> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let kind = order.u32(bytes, at);
        if kind == Some(SECTION) {
            // The byte order may change with every section.
            order = match bytes.get(at + 8..at + 12) {
                Some([0x1a, 0x2b, 0x3c, 0x4d]) => Order::Big,
                _ => Order::Little,
            };
            interfaces.clear();
        }
        let length = order
            .u32(bytes, at + 4)
            .and_then(|length| usize::try_from(length).ok());
        let end = length
            .filter(|length| *length >= 12)
            .and_then(|length| at.checked_add(length));
        let Some((end, block)) = end.and_then(|end| Some((end, bytes.get(at + 8..end - 4)?)))
        else {
            file.is_cut_off = true;
            break;
        };
        let goes_on = match kind {
            Some(INTERFACE) => {
                interfaces.extend(interface(order, block));
                true
            }
            Some(ENHANCED) => enhanced(order, block, &interfaces, &mut file)?,
            Some(SIMPLE) => match (interfaces.first(), block.get(4..)) {
                (Some(interface), Some(data)) => file.add(0, interface.link, data)?,
                _ => true,
            },
            _ => true,
        };
        if !goes_on {
            break;
        }
        at = end;
    }
    Ok(file)
}

fn interface(order: Order, block: &[u8]) -> Option<Interface> {
    const RESOLUTION: u16 = 9;
    let link = u32::from(order.u16(block, 0)?);
    let mut per_second = 1_000_000;
    let mut at = 8;
    while let (Some(code), Some(length)) = (order.u16(block, at), order.u16(block, at + 2)) {
        if code == 0 {
            break;
        }
        if code == RESOLUTION
            && let Some(exponent) = block.get(at + 4)
        {
            let base: u64 = if exponent & 0x80 == 0 { 10 } else { 2 };
            let power = base.checked_pow(u32::from(exponent & 0x7f));
            per_second = power.unwrap_or(per_second);
        }
        at += 4 + usize::from(length).next_multiple_of(4);
    }
    Some(Interface { link, per_second })
}

fn enhanced(
    order: Order,
    block: &[u8],
    interfaces: &[Interface],
    file: &mut File,
) -> Result<bool, CaptureProblem> {
    let number = |at: usize| order.u32(block, at);
    let header = (number(0), number(4), number(8), number(12));
    let (Some(place), Some(high), Some(low), Some(length)) = header else {
        return Ok(true);
    };
    let interface = usize::try_from(place)
        .ok()
        .and_then(|place| interfaces.get(place));
    let end = usize::try_from(length)
        .ok()
        .and_then(|length| length.checked_add(20));
    let data = end.and_then(|end| block.get(20..end));
    let (Some(interface), Some(data)) = (interface, data) else {
        return Ok(true);
    };
    let ticks = u128::from(high) << 32 | u128::from(low);
    let at_us = ticks * 1_000_000 / u128::from(interface.per_second.max(1));
    let at_us = i64::try_from(at_us).unwrap_or(0);
    file.add(at_us, interface.link, data)
}

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;
const VLAN: u16 = 0x8100;
const TCP: u8 = 6;

impl Packet {
    /// What stands on a network of that kind; `None`: no TCP.
    fn of(at_us: i64, link: u32, frame: &[u8]) -> Result<Option<Packet>, CaptureProblem> {
        let big = |at: usize| Order::Big.u16(frame, at);
        let (kind, at) = match link {
            // BSD loopback: the family in the byte order of the machine, which the version tells as well.
            0 | 108 => (None, 4),
            // Ethernet, perhaps with a tag of a virtual network.
            1 => match big(12) {
                Some(VLAN) => (big(16), 18),
                kind => (kind, 14),
            },
            // Bare IP.
            12 | 14 | 101 | 228 | 229 => (None, 0),
            // Linux "any" interface.
            113 => (big(14), 16),
            276 => (big(0), 20),
            other => return Err(CaptureProblem::LinkType(other)),
        };
        if kind.is_some_and(|kind| kind != IPV4 && kind != IPV6) {
            return Ok(None);
        }
        Ok(frame
            .get(at..)
            .and_then(|packet| Packet::of_ip(at_us, packet)))
    }

    /// A packet of a hex dump: bare IP whose length is right.
    pub fn of_dump(bytes: &[u8]) -> Option<Packet> {
        let is_whole = bytes.first() == Some(&0x45)
            && Order::Big.u16(bytes, 2).map(usize::from) == Some(bytes.len());
        if !is_whole {
            return None;
        }
        Packet::of_ip(0, bytes)
    }

    fn of_ip(at_us: i64, packet: &[u8]) -> Option<Packet> {
        let first = *packet.first()?;
        let (from, to, start, end) = match first >> 4 {
            4 => {
                let is_part = Order::Big.u16(packet, 6)? & 0x3fff != 0;
                if packet.get(9) != Some(&TCP) || is_part {
                    return None;
                }
                let end = usize::from(Order::Big.u16(packet, 2)?);
                let start = usize::from(first & 0x0f) * 4;
                (v4(packet.get(12..16)?), v4(packet.get(16..20)?), start, end)
            }
            6 => {
                if packet.get(6) != Some(&TCP) {
                    return None;
                }
                let end = 40 + usize::from(Order::Big.u16(packet, 4)?);
                (v6(packet.get(8..24)?), v6(packet.get(24..40)?), 40, end)
            }
            _ => return None,
        };
        // A length of 0: the network card will have cut it up. Frames may be padded, too.
        let end = if end <= start {
            packet.len()
        } else {
            end.min(packet.len())
        };
        let tcp = packet.get(start..end)?;
        let ports = (Order::Big.u16(tcp, 0)?, Order::Big.u16(tcp, 2)?);
        let data_at = usize::from(tcp.get(12)? >> 4) * 4;
        Some(Packet {
            at_us,
            from: format!("{from}:{}", ports.0).into(),
            from_port: ports.0,
            to: format!("{to}:{}", ports.1).into(),
            to_port: ports.1,
            sequence: Order::Big.u32(tcp, 4)?,
            is_opening: tcp.get(13)? & 0x02 != 0,
            data: tcp.get(data_at..)?.to_vec(),
        })
    }
}

fn v4(bytes: &[u8]) -> String {
    let parts: Vec<String> = bytes.iter().map(u8::to_string).collect();
    parts.join(".")
}

/// In full, without the short forms.
fn v6(bytes: &[u8]) -> String {
    let parts: Vec<String> = bytes
        .chunks_exact(2)
        .map(|pair| format!("{:x}", u16::from_be_bytes([pair[0], pair[1]])))
        .collect();
    format!("[{}]", parts.join(":"))
}
