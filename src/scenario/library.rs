//! The scenarios that come with the program. They are files like any other, and checked like any other.

use super::document::Document;

/// A scenario that comes with the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// By which links and pages call it.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

impl Entry {
    /// The file, read.
    pub fn document(&self) -> Document {
        Document::parse(self.text).expect("tests read every file of the library")
    }
}

macro_rules! library {
    ($($name:literal,)*) => {
        &[$(Entry { name: $name, text: include_str!(concat!("library/", $name, ".json")) },)*]
    };
}

/// All of them, in the order in which the page offers them. The first is what the page starts with.
pub const LIBRARY: &[Entry] = library! {
    "class-room",
    "more-consumers-than-partitions",
    "eager-or-cooperative",
    "static-restart",
    "crash-with-auto-commit",
    "commit-and-crash",
    "asynchronous-commits",
    "slow-handler",
    "two-groups",
    "from-nothing",
    "hot-key",
    "poison-record",
    "retention",
    "switch-by-full-restart",
    "upgrade-in-two-bounces",
    "upgrade-skipped-bounce",
    "no-answer",
    "captured-traffic",
};

/// The entry of that name.
pub fn entry(name: &str) -> Option<&'static Entry> {
    LIBRARY.iter().find(|entry| entry.name == name)
}
