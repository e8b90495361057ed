//! The trace: facts as canonical lines of JSON, and a hash over them.
//!
//! One fact, one line: `{"id":…,"at_us":…,"cause":…,"kind":"…",…}` with the fields in the order of the fact's
//! declaration. Names are stable within a [`SCHEMA_VERSION`]. The same natively and in wasm: whole numbers,
//! ordered structures, no floats.

use super::Observer;
use crate::kafka::fact::Fact;
use std::fmt::Write;

/// Raised when a name or a field of the trace changes.
pub const SCHEMA_VERSION: u32 = 1;

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

/// The hash of a trace (64-bit FNV-1a over its lines, line feeds included), as far as it has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceHash {
    hash: u64,
    facts: u64,
    /// Lent to each line.
    line: String,
}

impl Default for TraceHash {
    fn default() -> Self {
        let mut hash = Self {
            hash: OFFSET_BASIS,
            facts: 0,
            line: String::new(),
        };
        hash.add(head().as_bytes());
        hash
    }
}

impl TraceHash {
    /// The hash.
    pub fn value(&self) -> u64 {
        self.hash
    }

    /// How many facts are in it.
    pub fn facts(&self) -> u64 {
        self.facts
    }

    fn add(&mut self, bytes: &[u8]) {
        self.hash = bytes.iter().fold(self.hash, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(PRIME)
        });
    }
}

impl Observer for TraceHash {
    fn fold(&mut self, fact: &Fact) {
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        write_line(fact, &mut line);
        self.add(line.as_bytes());
        self.line = line;
        self.facts += 1;
    }
}

/// A trace that keeps its lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceLines(String);

impl TraceLines {
    /// The lines, first one the head.
    pub fn into_text(self) -> String {
        head() + &self.0
    }
}

impl Observer for TraceLines {
    fn fold(&mut self, fact: &Fact) {
        write_line(fact, &mut self.0);
    }
}

/// The first line of a trace.
pub fn head() -> String {
    format!("{{\"regroup_trace\":{SCHEMA_VERSION}}}\n")
}

/// Writes a fact as a line.
pub fn write_line(fact: &Fact, out: &mut String) {
    let Fact {
        id,
        at,
        cause,
        kind,
    } = fact;
    // Writing into a string cannot fail.
    let _ = write!(
        out,
        "{{\"id\":{},\"at_us\":{},\"cause\":{}",
        id.0, at.0, cause.0
    );
    super::trace_kind::write_kind(kind, out);
    out.push_str("}\n");
}
