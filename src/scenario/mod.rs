//! Scenarios: a file format for what a world starts from, what is done in it and what must hold, and the
//! means to run one and see whether it holds.
//!
//! Reads text that anybody may have written, so nothing here panics on input: a bad file ends in a
//! [`BadScenario`] with its place and a sentence. Sizes are bounded before anything is made of them.
//!
//! Invariants: a file that is read never names what it does not have; an expectation is answered or the
//! file refused, never passed over; the same file gives the same verdicts everywhere.

mod act;
mod answer;
pub mod bring;
mod complaint;
mod document;
mod evidence;
mod expect;
mod expectations;
mod file;
mod forms;
mod incident;
mod library;
mod link;
mod names;
mod plan;
mod resolve;
mod traffic;
mod trial;
mod want;
mod wire;

pub use act::command;
pub use complaint::{BadScenario, Complaint, sentence};
pub use document::{Document, LENGTH_MAX_BYTES};
pub use expect::{CARD_FIELDS, EventFile, EventKind, ExpectFile, Field, FieldKind};
pub use file::{
    BrokerFile, ConsumerFile, FeedFile, GroupFile, LogFile, MemberFile, OpenFile, Preset,
    ReportFile, ScenarioFile, SpreadFile, Text, TimingFile, VERSION, VariantFile,
};
pub use incident::{Area, IncidentFile, ShelfCard, read_shelf};
pub use library::{Entry, LIBRARY, entry};
pub use link::{BadLink, Base, Destination, LINK_LENGTH_MAX, LINK_PREFIX, Link, Named, Origin};
pub use plan::{Expectation, Scenario, Subject, When};
pub use trial::{Report, Verdict, try_out};
pub use want::{Check, Value, Want};
pub use wire::{MessageKind, Sniffer, WireFile};
