//! A scenario, read and understood: what the world starts from, what is done, what must hold.

use super::expect::{EventFile, Field};
use super::file::Text;
use super::want::Check;
use super::wire::WireFile;
use crate::kafka::api::ApiKey;
use crate::kafka::ids::{ActorName, GroupId, Offset, TopicName, TopicPartition};
use crate::kafka::time::Instant;
use crate::world::command::Act;
use crate::world::setup::Setup;
use std::rc::Rc;

/// A scenario that can be run.
#[derive(Clone, PartialEq, Debug)]
pub struct Scenario {
    /// What it is called.
    pub title: Text,
    /// What it is about.
    pub story: Text,
    /// What to ask oneself before it runs.
    pub question: Text,
    /// Id of the incident card that it carries out.
    pub card: Option<Rc<str>>,
    /// Which variant of its file it is, and what that is called.
    pub variant: Option<(Rc<str>, Text)>,
    /// What is there before the first act.
    pub setup: Setup,
    /// What is done, in the order of time.
    pub acts: Vec<Act>,
    /// How long it runs.
    pub until: Instant,
    /// What must hold.
    pub expectations: Vec<Expectation>,
    /// Messages that must be on the wire.
    pub wire: Vec<(WireFile, ApiKey)>,
}

/// When an expectation is looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum When {
    /// At an instant, after everything that happens then.
    At(Instant),
    /// At the instant of an event, after everything that happens then.
    On(EventFile, Option<ApiKey>),
    /// When the run is over.
    End,
}

/// Of whom.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Subject {
    /// Client.
    pub of: Option<ActorName>,
    /// Group.
    pub group: Option<GroupId>,
    /// Partition.
    pub partition: Option<TopicPartition>,
    /// Topic.
    pub topic: Option<TopicName>,
    /// Record.
    pub offset: Option<Offset>,
    /// Record key.
    pub key: Option<Rc<str>>,
    /// API.
    pub api: Option<ApiKey>,
    /// Which of several, from 1.
    pub nth: Option<u32>,
    /// The event whose instant is meant.
    pub event: Option<(EventFile, Option<ApiKey>)>,
}

/// What must hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// Where it stands in the file.
    pub path: String,
    /// When.
    pub when: When,
    /// What is looked at.
    pub field: Field,
    /// Of whom.
    pub subject: Subject,
    /// What it must be.
    pub check: Check,
    /// Which expectation of the incident card it carries out, from 1.
    pub card: Option<u32>,
}
