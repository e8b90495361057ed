//! What the page shows besides the run itself, as links and files say it: the open view, the chosen thing,
//! the run beside this one, the language, and the instants that were prepared.

use super::i18n::Language;
use crate::form::{Form, Misfit, Place, choice, record};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::Instant;
use crate::scenario::{BadScenario, Complaint};
use crate::view::Selection;
use crate::view::compare::Change;
use crate::view::panel::{EventFilter, Tab, TableKind};
use serde_json::{Map, Value};

/// What the page shows besides the run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standpoint {
    /// The open view.
    pub view: Tab,
    /// The thing in the inspector.
    pub selection: Option<Selection>,
    /// What the event log shows.
    pub events: EventFilter,
    /// What the group table shows.
    pub table: TableKind,
    /// What is otherwise in the run beside this one.
    pub compare: Option<Change>,
    /// The language. Not said: the reader's.
    pub language: Option<Language>,
    /// Instants that were prepared for teaching, by the digit, from 1, that leads there.
    pub prepared: SortedMap<i32, PreparedFile>,
}

/// An instant that was prepared.
#[derive(Clone, PartialEq, Debug)]
pub struct PreparedFile {
    /// When.
    pub at: Instant,
    /// The view that was open.
    pub view: Tab,
}

impl Standpoint {
    /// Reads what a link or a file says of the page.
    ///
    /// # Errors
    /// If it has another form.
    pub fn of(page: &Map<String, Value>) -> Result<Standpoint, BadScenario> {
        let place = Place::TOP;
        let place = place.field("open");
        let read = Standpoint::read(&Value::Object(page.clone()), &place.field("page"));
        read.map_err(|misfit| {
            let Misfit { path, wrong } = *misfit;
            BadScenario {
                path,
                ..BadScenario::whole(Complaint::Misfit(wrong))
            }
        })
    }

    /// What a link or a file says.
    pub fn to_page(&self) -> Map<String, Value> {
        match self.write() {
            Value::Object(page) => page,
            _ => Map::new(),
        }
    }
}

record! {
    Standpoint {
        view = _,
        selection = _,
        events = _,
        table = _,
        compare = _,
        language = _,
        prepared = _,
    }
}

record! { PreparedFile { at, view = _ } }

choice! {
    Tab {
        "ownership" => Ownership,
        "lag" => Lag,
        "events" => Events,
        "messages" => Messages,
        "deliveries" => Deliveries,
        "table" => Table,
        "words" => Words,
        "compare" => Compare,
        "lab" => Lab,
    }
}

choice! {
    Selection {
        "client" => Client(name),
        "broker" => Broker(id),
        "partition" => Partition(partition),
        "topic" => Topic(name),
        "group" => Group(id),
        "event" => Event(id),
        "message" => Message { exchange, is_answer = false },
        "record" => Record { partition, offset },
    }
}

choice! {
    EventFilter {
        "told" => Told,
        "trouble" => Trouble,
        "acts" => Acts,
        "group" => Group,
        "ownership" => Ownership,
        "commits" => Commits,
        "records" => Records,
        "requests" => Requests,
        "all" => All,
    }
}

choice! { TableKind { "offsets" => Offsets, "members" => Members, "state" => State } }

choice! {
    Change {
        "variant" => Variant(name),
        "consumers" => Consumers { group, name, value },
        "brokers" => Brokers { name, value },
        "static_members" => StaticMembers(group),
        "dynamic_members" => DynamicMembers(group),
        "one_more" => OneMore(group),
    }
}

choice! { Language { "en" => English, "ko" => Korean } }
