//! Bytes from anywhere: damaged messages, headers in front of noise, noise. Nothing panics, and what is
//! allocated is bounded by what came.
//!
//! `REGROUP_FUZZ_CASES=10000000 cargo test --release --test fuzz` tries that many inputs; without it, few.
#![cfg(not(target_arch = "wasm32"))]

use regroup::kafka::api::visit::{TaggedField, Visited, Visitor};
use regroup::kafka::api::{ApiKey, Request, RequestHeader};
use regroup::kafka::chance::Chance;
use regroup::kafka::ids::{Bytes, Offset, Uuid};
use regroup::kafka::protocol::{Assignment, Subscription};
use regroup::kafka::record::{Record, RecordBatch};
use regroup::kafka::wire::{
    decode_batches, decode_request, decode_response, encode_request, read_request,
    unknown_api_versions_request, versions,
};
use serde_json::Value;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::rc::Rc;

/// Counts what each thread holds and has held at most.
struct Counting;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

fn count(bytes: usize, sign: i64) {
    // A thread that ends may free when its counters are gone already.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + sign * i64::try_from(bytes).unwrap_or(i64::MAX));
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

// SAFETY: everything is the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        // SAFETY: the caller's contract is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(layout.size(), -1);
        // SAFETY: the caller's contract is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most that is held while `act` runs, beyond what is held before.
fn peak_bytes(act: impl FnOnce()) -> i64 {
    let before = HELD.with(Cell::get);
    PEAK.with(|peak| peak.set(before));
    act();
    PEAK.with(Cell::get) - before
}

fn cases() -> u64 {
    let given = std::env::var("REGROUP_FUZZ_CASES");
    given.map_or(20_000, |text| {
        text.parse().expect("REGROUP_FUZZ_CASES is a number")
    })
}

fn hex(text: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).expect("hex") as u8;
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| digit(pair[0]) << 4 | digit(pair[1]))
        .collect()
}

/// Messages of Kafka's own classes and captured ones, without the length in front.
fn seeds() -> Vec<Vec<u8>> {
    let messages = include_str!("data/wire/wire-messages.jsonl")
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).expect("JSON");
            let part = |key: &str| hex(line[key].as_str().expect("hex"));
            [part("header_hex"), part("body_hex")].concat()
        });
    let captured: Value =
        serde_json::from_str(include_str!("data/wire/seed-packets.json")).expect("JSON");
    let captured = captured["packets"].as_array().expect("packets").iter();
    let captured = captured.map(|packet| hex(packet["hex"].as_str().expect("hex")).split_off(4));
    let batches = include_str!("data/wire/record-batches.jsonl")
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).expect("JSON");
            hex(line["hex"].as_str().expect("hex"))
        });
    messages.chain(captured).chain(batches).collect()
}

/// An input: a damaged seed, a header that is spoken before noise, or noise.
fn input(seeds: &[Vec<u8>], chance: &mut Chance) -> Vec<u8> {
    let noise = |chance: &mut Chance, length: u32| -> Vec<u8> {
        (0..chance.below(length))
            .map(|_| chance.bits() as u8)
            .collect()
    };
    match chance.below(8) {
        0 => noise(chance, 200),
        1 | 2 => {
            let api = ApiKey::ALL[chance.below(ApiKey::ALL.len() as u32) as usize];
            let range = versions(api);
            let version = range.min + chance.below((range.max - range.min + 1) as u32) as i16;
            let header = [
                &api.key().to_be_bytes()[..],
                &version.to_be_bytes(),
                &[0, 0, 0, 1, 0xff, 0xff],
            ];
            let mut bytes = header.concat();
            // Mostly small bytes: they are lengths that fit.
            bytes.extend(noise(chance, 120).into_iter().map(|byte| match byte & 3 {
                0 => byte,
                _ => byte >> 5,
            }));
            bytes
        }
        _ => {
            let mut bytes = seeds[chance.below(seeds.len() as u32) as usize].clone();
            for _ in 0..1 + chance.below(6) {
                damage(&mut bytes, chance);
            }
            bytes
        }
    }
}

fn damage(bytes: &mut Vec<u8>, chance: &mut Chance) {
    let at = chance.below(bytes.len() as u32) as usize;
    match chance.below(6) {
        _ if bytes.is_empty() => bytes.push(chance.bits() as u8),
        0 => bytes[at] ^= 1 << chance.below(8),
        1 => bytes[at] = chance.bits() as u8,
        2 => bytes.truncate(at),
        3 => bytes.insert(at, chance.bits() as u8),
        4 => {
            // A length that claims much.
            let much = [0x7f, 0xff, 0xff, 0xff];
            let end = bytes.len().min(at + 4);
            bytes[at..end].copy_from_slice(&much[..end - at]);
        }
        _ => {
            let end = at + chance.below(40) as usize;
            let piece = bytes[at..end.min(bytes.len())].to_vec();
            bytes.splice(at..at, piece);
        }
    }
}

/// Everything that reads bytes of others.
fn read_as_everything(bytes: &[u8], chance: &mut Chance) {
    if let Ok(decoded) = decode_request(bytes) {
        let again = encode_request(&decoded.header, &decoded.request);
        assert!(again.is_ok(), "what was read can be written");
    }
    let _ = read_request(bytes);
    let _ = unknown_api_versions_request(bytes);
    let _ = decode_batches(bytes);
    let _ = Subscription::decode(bytes);
    let _ = Assignment::decode(bytes);
    let api = ApiKey::ALL[chance.below(ApiKey::ALL.len() as u32) as usize];
    let range = versions(api);
    for version in range.min..=range.max {
        let _ = decode_response(api, version, bytes);
    }
}

#[test]
fn bytes_from_anywhere_neither_panic_nor_take_much_memory() {
    let (seeds, mut chance) = (seeds(), Chance::new(1, "fuzz"));
    for case in 0..cases() {
        let bytes = input(&seeds, &mut chance);
        let peak = peak_bytes(|| read_as_everything(&bytes, &mut chance));
        // An element of an array takes a byte at least, and some hundred as a structure with its spans.
        let bound = 16_384 + 2_000 * i64::try_from(bytes.len()).expect("short");
        assert!(
            peak <= bound,
            "case {case}: {peak} bytes held for {bytes:02x?}"
        );
    }
}

/// Fills a message with as much as its bytes can carry: arrays of elements that have nothing in them.
struct Dense {
    version: i16,
    /// Elements of each array, by depth.
    lengths: [usize; 3],
    depth: usize,
}

impl Visitor for Dense {
    fn version(&self) -> i16 {
        self.version
    }
    fn int(&mut self, _: &'static str, _: usize, _: &mut i64) -> Visited {
        Ok(())
    }
    fn text(&mut self, _: &'static str, nullable: bool, value: &mut Option<Rc<str>>) -> Visited {
        *value = (!nullable).then(|| "".into());
        Ok(())
    }
    fn bytes(&mut self, _: &'static str, nullable: bool, value: &mut Option<Bytes>) -> Visited {
        *value = (!nullable).then(|| Bytes::from([]));
        Ok(())
    }
    fn uuid(&mut self, _: &'static str, _: &mut Uuid) -> Visited {
        Ok(())
    }
    fn records(&mut self, _: &'static str, value: &mut Vec<Rc<RecordBatch>>) -> Visited {
        let records = (0..20).map(|offset_delta| Record {
            timestamp_delta: 0,
            offset_delta,
            key: None,
            value: None,
            headers: vec![("".into(), None); self.lengths[2]],
        });
        *value = vec![Rc::new(RecordBatch {
            base_offset: Offset(0),
            partition_leader_epoch: 0,
            attributes: 0,
            last_offset_delta: 19,
            base_timestamp: 0,
            max_timestamp: 0,
            producer_id: -1,
            producer_epoch: -1,
            base_sequence: -1,
            records: records.collect(),
            size_bytes: 0,
        })];
        Ok(())
    }
    fn length(&mut self, _: &'static str, _: bool, value: &mut Option<usize>) -> Visited {
        *value = Some(self.lengths[self.depth.min(2)]);
        Ok(())
    }
    fn enter(&mut self, _: &'static str, _: usize) {
        self.depth += 1;
    }
    fn leave(&mut self) {
        self.depth -= 1;
    }
    fn tagged_fields(&mut self, _: Option<&mut Vec<TaggedField>>) -> Visited {
        Ok(())
    }
    fn throttle_time_ms(&mut self) -> Visited {
        Ok(())
    }
}

#[test]
fn no_request_takes_more_than_a_multiple_of_its_bytes() {
    let versions_of =
        |&api: &ApiKey| (versions(api).min..=versions(api).max).map(move |v| (api, v));
    for (api, version) in ApiKey::ALL.iter().flat_map(versions_of) {
        for lengths in [[500, 0, 0], [1, 500, 0], [1, 1, 500], [30, 20, 1]] {
            let mut dense = Dense {
                version,
                lengths,
                depth: 0,
            };
            let mut request = Request::empty(api);
            request.visit(&mut dense).expect("filling never stops");
            let header = RequestHeader {
                api_version: version,
                ..RequestHeader::default()
            };
            let bytes = encode_request(&header, &request).expect("encodes");
            let peak = peak_bytes(|| assert!(read_request(&bytes).is_ok()));
            // The worst is DeleteTopics v4: a byte stands for an empty name.
            let bound = 16_384 + 80 * i64::try_from(bytes.len()).expect("short");
            assert!(
                peak <= bound,
                "{} v{version} {lengths:?}: {peak} bytes held for {}",
                api.name(),
                bytes.len()
            );
        }
    }
}
