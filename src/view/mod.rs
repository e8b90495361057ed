//! What the page shows, as plain data: world, ledgers and selection in, structs with public fields out.
//!
//! Pure, and tested natively: this is where the picture is tested. Nothing here knows a browser, a
//! language or a colour value. Invariants: building a view changes nothing; equal inputs give equal
//! views; a part that did not change keeps its `Rc`, so that the page can compare by pointer first.
//!
//! The page imports the words of Kafka from here, so that it depends on no inside of the engine.

pub mod acts;
mod build;
pub mod client_code;
pub mod client_log;
pub mod compare;
pub mod event;
pub mod inspect;
pub mod lab;
pub mod lane;
pub mod messages;
pub mod panel;
pub mod stage;
pub mod timebar;

pub use build::{
    Builders, Choice, InspectorBuilder, PanelBuilder, Selection, Sources, build, build_inspector,
    build_lab, build_panel, capture_file, token,
};

pub use crate::kafka::api::ApiKey;
pub use crate::kafka::error::ErrorCode;
pub use crate::kafka::fact::{
    AdminRefusal, AdminTask, Callback, CommitKind, Exception, FactId, FactKind, GroupState,
    GroupWhy, MemberState, Party, PositionCause, ReleaseCause, RemovalCause, StopCause, Why,
};
pub use crate::kafka::ids::{ActorName, BrokerId, GroupId, Offset, TopicName, TopicPartition};
pub use crate::kafka::time::{Duration, Instant};
pub use crate::ledger::{Deed, DuplicateCause, Entry, Readers, UnownedCause};

use std::rc::Rc;

/// A fact up to which something was looked for. Nobody sees it, so views do not differ by it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Looked(FactId);

impl PartialEq for Looked {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Looked {}

/// Everything the page shows, in parts that change apart from each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// The stage.
    pub stage: Rc<stage::Stage>,
    /// The time bar.
    pub timebar: Rc<timebar::TimeBar>,
    /// What the caption tells: the last turn of events.
    pub caption: Option<Rc<event::Event>>,
    /// Whether that is no longer news: then the caption tells how things stand.
    pub is_quiet: bool,
    /// Up to where the caption has looked for one.
    pub looked: Looked,
    /// The open view.
    pub panel: panel::Panel,
    /// The chosen thing.
    pub inspector: inspect::Inspector,
    /// Rises when time jumped: then motion starts anew, and nothing flies.
    pub jump: u64,
}
