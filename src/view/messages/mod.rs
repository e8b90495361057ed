//! Messages: the requests and answers of the run, filtered, drawn over time, taken apart into fields and
//! bytes, written to capture files; and messages from elsewhere beside them.
//!
//! Pure data and pure functions. Bytes are made when somebody looks: the engine passes plain structs.
//! Invariants: nothing is listed that was not on the wire up to the page's instant; what is listed, drawn
//! and kept is bounded, and the bound is told.

pub mod capture;
pub mod diagram;
pub mod fields;
pub mod filter;
mod payload;
pub mod pcap;
mod recorder;

pub use crate::kafka::api::versions::VersionRange;
pub use crate::kafka::wire::WireError;
pub use recorder::Recorder;

use self::capture::{Capture, CaptureProblem};
use self::diagram::Diagram;
use self::fields::Decoded;
use self::filter::{Filter, FilterProblem};
use super::{ActorName, ApiKey, BrokerId, ErrorCode, FactId, Instant};
use crate::kafka::ids::ConnectionId;
use std::rc::Rc;

/// Requests that are listed and drawn at one time.
pub const SHOWN_MOST: usize = 120;
/// Requests that are written to one capture file.
pub const WRITTEN_MOST: usize = 5_000;

/// A request and, if there is one, its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// Its number.
    pub number: u64,
    /// The fact of the request.
    pub fact: FactId,
    /// The connection.
    pub connection: ConnectionId,
    /// Its API.
    pub api: ApiKey,
    /// Its version.
    pub version: i16,
    /// Its correlation id.
    pub correlation_id: i32,
    /// The client.
    pub from: ActorName,
    /// The broker.
    pub to: BrokerId,
    /// When the request was sent, and when it arrives.
    pub request: (Instant, Instant),
    /// The answer.
    pub answer: Option<Answer>,
    /// The request, or its answer, will never arrive.
    pub is_lost: bool,
    /// Bytes of the request, its length included.
    pub request_bytes: usize,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// When it was sent, and when it arrives.
    pub at: (Instant, Instant),
    /// The first error in it.
    pub error: ErrorCode,
    /// Its bytes, its length included.
    pub bytes: usize,
}

/// Who takes part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// A client.
    Client(ActorName),
    /// A broker.
    Broker(BrokerId),
}

/// Which APIs are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// Those of the group's life: all but the stream of records and what serves it.
    #[default]
    Group,
    /// All.
    All,
    /// One.
    One(ApiKey),
}

impl Scope {
    /// Whether an API is in it.
    pub fn has(self, api: ApiKey) -> bool {
        match self {
            Scope::All => true,
            Scope::One(one) => one == api,
            Scope::Group => !matches!(
                api,
                ApiKey::Produce
                    | ApiKey::Fetch
                    | ApiKey::Metadata
                    | ApiKey::ListOffsets
                    | ApiKey::ApiVersions
            ),
        }
    }
}

/// What a person chose to see of the messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wish {
    /// Which APIs.
    pub scope: Scope,
    /// Of whom. `None`: of all.
    pub side: Option<Side>,
    /// Only answers with an error.
    pub only_errors: bool,
    /// The filter as it was written.
    pub text: Rc<str>,
    /// What it lets through: the last text that could be read.
    pub filter: Rc<Filter>,
    /// Why the text cannot be read.
    pub problem: Option<FilterProblem>,
    /// The last request to be shown, by number. `None`: the newest, always.
    pub until: Option<u64>,
    /// Place in [`diagram::SCALES`], from the middle one.
    pub zoom: i8,
    /// Messages from elsewhere.
    pub capture: Option<Rc<Capture>>,
    /// Why the last file or dump was refused.
    pub refused: Option<CaptureProblem>,
    /// The message of the capture that is taken apart.
    pub captured: usize,
}

/// What a person does in the view of messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MessagesAct {
    /// Other APIs.
    Scope(Scope),
    /// Of somebody else.
    Side(Option<Side>),
    /// Only errors, or all.
    ToggleErrors,
    /// Another filter.
    Filter(Rc<str>),
    /// Larger or smaller steps of time.
    Zoom(i8),
    /// Back to before what is shown.
    Older,
    /// On to after it.
    Newer,
    /// On to the newest, and follow it.
    Follow,
    /// A file of one's own, by name, and its bytes.
    Open(Rc<str>, Rc<[u8]>),
    /// A hex dump of one's own.
    Paste(Rc<str>),
    /// Without the messages from elsewhere.
    CloseCapture,
    /// Another message of the capture.
    Captured(usize),
}

impl Wish {
    /// Does what is wanted. `shown`: what the view shows at present.
    pub fn reduce(&mut self, act: MessagesAct, shown: &MessagesPanel) {
        match act {
            MessagesAct::Scope(scope) => self.scope = scope,
            MessagesAct::Side(side) => self.side = side,
            MessagesAct::ToggleErrors => self.only_errors = !self.only_errors,
            MessagesAct::Filter(text) => {
                match Filter::parse(&text) {
                    Ok(filter) => {
                        self.filter = Rc::new(filter);
                        self.problem = None;
                    }
                    Err(problem) => self.problem = Some(problem),
                }
                self.text = text;
            }
            MessagesAct::Zoom(by) => {
                self.zoom = self
                    .zoom
                    .saturating_add(by)
                    .clamp(-diagram::ZOOM_MOST, diagram::ZOOM_MOST);
            }
            MessagesAct::Older => {
                // Half of what is shown stays in sight.
                let middle = shown.exchanges.get(shown.exchanges.len() / 2);
                self.until = middle.map(|exchange| exchange.number).or(self.until);
            }
            MessagesAct::Newer => self.until = shown.newer,
            MessagesAct::Follow => self.until = None,
            MessagesAct::Open(name, bytes) => self.show(capture::open(&name, &bytes)),
            MessagesAct::Paste(text) => self.show(capture::paste("", &text)),
            MessagesAct::CloseCapture => {
                self.capture = None;
                self.captured = 0;
            }
            MessagesAct::Captured(place) => self.captured = place,
        }
    }

    fn show(&mut self, opened: Result<Capture, CaptureProblem>) {
        match opened {
            Ok(capture) => {
                self.capture = Some(Rc::new(capture));
                self.captured = 0;
                self.refused = None;
            }
            Err(problem) => self.refused = Some(problem),
        }
    }
}

/// The view of messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MessagesPanel {
    /// What is wanted.
    pub wish: Rc<Wish>,
    /// The requests, the oldest first.
    pub exchanges: Rc<[Rc<Exchange>]>,
    /// The same over time.
    pub diagram: Rc<Diagram>,
    /// Who could be chosen.
    pub sides: Rc<[Side]>,
    /// Whether there are older ones that fit.
    pub has_older: bool,
    /// The last request of the next page, if what is shown ends before the newest.
    pub newer: Option<u64>,
    /// Requests that were looked through; `None`: all that are known.
    pub searched: Option<usize>,
    /// The exchange in the inspector, and whether its answer is shown.
    pub selected: Option<(u64, bool)>,
    /// Messages of the capture that fit the filter.
    pub captured: Rc<[usize]>,
    /// The chosen message of the capture, taken apart.
    pub taken_apart: Option<Rc<Decoded>>,
}

/// A message in the inspector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Detail {
    /// Request and answer.
    pub exchange: Rc<Exchange>,
    /// Whether the answer is shown.
    pub is_answer: bool,
    /// What is shown, taken apart. `None`: it is not answered yet.
    pub decoded: Option<Rc<Decoded>>,
    /// What was agreed for the connection, by API.
    pub versions: Rc<[Agreed]>,
    /// Whose client library: its name.
    pub library: &'static str,
    /// The broker's release.
    pub release: &'static str,
}

/// A version that was agreed on for an API.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreed {
    /// The API.
    pub api: ApiKey,
    /// The highest that the client speaks.
    pub client_max: i16,
    /// What the broker speaks.
    pub broker: VersionRange,
    /// The highest that both do.
    pub picked: i16,
}
