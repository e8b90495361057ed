//! What a person can want of the page, and what the page says in return.

use super::{ShareAct, TeachAct};
use crate::kafka::ids::GroupId;
use crate::kafka::time::Instant;
use crate::page::hint::Explained;
use crate::page::i18n::Language;
use crate::page::part::Part;
use crate::scenario::BadScenario;
use crate::view::compare::{Change, Quantity};
use crate::view::lab::LabAct;
use crate::view::messages::MessagesAct;
use crate::view::panel::{EventFilter, Tab, TableKind, Window};
use crate::view::{Selection, TopicPartition};
use crate::world::command::{Command, Refusal};
use std::rc::Rc;
use yew::AttrValue;

/// What a person wants.
#[derive(Clone, PartialEq, Debug)]
pub enum Intent {
    /// To do something to the world.
    Do(Command),
    /// So many more consumers in a group.
    AddConsumers(GroupId, usize),
    /// To see one thing closely.
    Select(Selection),
    /// To see nothing closely.
    Deselect,
    /// Another view in the strip.
    Open(Tab),
    /// Other events in the log.
    Filter(EventFilter),
    /// Another table of the group.
    Describe(TableKind),
    /// Another height of the views, in CSS pixels.
    Resize(i32),
    /// Views that are this much higher.
    ResizeBy(i32),
    /// To start or stop time.
    TogglePlay,
    /// To see the next event.
    StepEvent,
    /// To see the state before the last event.
    StepBack,
    /// To go to an instant.
    Seek(Instant),
    /// The next lower speed.
    Slower,
    /// The next higher speed.
    Faster,
    /// Another language.
    Speak(Language),
    /// The other colour scheme.
    ToggleTheme,
    /// To see or close a sheet.
    Sheet(Option<Sheet>),
    /// To take back the last fork.
    Undo,
    /// One more consumer in the first group.
    AddToFirstGroup,
    /// A scenario of the library, by name, and one of its variants.
    Load(&'static str, Option<Rc<str>>),
    /// A scenario from the text of a file.
    LoadText(String),
    /// The scenario of an incident, from its file.
    LoadIncident(Rc<Opening>),
    /// A file beside the page could not be fetched, for this reason.
    NotFetched(String),
    /// A file cannot be used.
    Refused(BadScenario),
    /// What was typed is no act.
    NoAct(BadScenario),
    /// A run under one change beside this one, or none.
    Compare(Option<Change>),
    /// To run to the end of the scenario, as fast as it goes.
    RunToEnd,
    /// To go where the two runs came apart in a quantity.
    FindApart(Quantity),
    /// Another stretch of time for the ledger.
    Count(Window),
    /// One partition alone for the ledger, or all.
    CountOnly(Option<TopicPartition>),
    /// A file that is too large to be read.
    TooLong,
    /// To open something that is no file, or cannot be read.
    Unreadable,
    /// This was typed into the field with this label; what is wanted by it comes next.
    Enter(AttrValue, String),
    /// To know why a button does nothing now.
    Ask(Reason),
    /// Something that should be a number is none.
    NotANumber(String),
    /// Something that should look like an example does not.
    NotLike(String, &'static str),
    /// To have read a refusal.
    Dismiss,
    /// To have a word explained.
    Explain(Explained),
    /// Something in the assignor lab.
    Lab(LabAct),
    /// Something in the view of messages.
    Messages(MessagesAct),
    /// A capture file of the messages that fit.
    SaveCapture,
    /// Something about links and files.
    Share(ShareAct),
    /// Something that helps to teach.
    Teach(TeachAct),
    /// Nothing.
    None,
}

impl Intent {
    /// The part of the page that does it, if not all parts can.
    pub const fn part(&self) -> Option<Part> {
        match self {
            Intent::Lab(_) => Some(Part::Lab),
            Intent::Messages(_) | Intent::SaveCapture => Some(Part::Views),
            Intent::Share(_) | Intent::LoadText(_) => Some(Part::Share),
            _ => None,
        }
    }
}

/// The scenario of an incident, from its file.
#[derive(PartialEq, Debug)]
pub struct Opening {
    /// Its name.
    pub name: Rc<str>,
    /// The file.
    pub text: String,
    /// The variant in which it happens.
    pub variant: Option<Rc<str>>,
    /// The variant to compare with.
    pub other: Option<Rc<str>>,
}

/// What lies over the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sheet {
    /// The library of scenarios.
    Scenarios,
    /// The incidents.
    Incidents,
    /// The keys.
    Keys,
    /// Link, file, frame, report.
    Share,
    /// A scenario from a reader's own configuration.
    Bring,
    /// The file of the scenario that runs.
    Edit,
}

/// What the page says in return.
#[derive(Clone, PartialEq, Debug)]
pub enum Notice {
    /// Why something was not done.
    Refused(Refusal),
    /// What was done in the past dropped a future that had been seen up to this instant.
    Forked(Instant),
    /// Something that should be a number is none.
    NotANumber(String),
    /// Something that should look like an example does not.
    NotLike(String, &'static str),
    /// Where and why a scenario is refused.
    BadScenario(BadScenario),
    /// Where and why what was typed is no act.
    BadAct(BadScenario),
    /// Why a file could not be fetched.
    NotFetched(String),
    /// Why a link does not open, in words.
    NotOpened(String),
    /// Something to know, in words.
    Said(String),
    /// What was to be opened is no file, or could not be read.
    UnreadableFile,
    /// Why a button does nothing now.
    Because(Reason),
}

/// Why a button does nothing now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// No future was dropped.
    NothingToUndo,
    /// Time runs as slowly as it can.
    Slowest,
    /// Time runs as fast as it can.
    Fastest,
    /// The group's consumers have that list of assignors already.
    SameStrategy,
}

/// What was typed into a field and refused.
#[derive(Clone, PartialEq, Debug)]
pub struct Refused {
    /// The field, by its label.
    pub field: AttrValue,
    /// What was typed.
    pub typed: String,
    /// Why it is refused.
    pub notice: Notice,
}
