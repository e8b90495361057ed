//! Links and files: made of what runs, and opened where they lead.

use super::opened::{Opened, start};
use super::{EVENTS_AT_ONCE, Notice, Sheet, Store};
use crate::kafka::time::Instant;
use crate::page::standpoint::Standpoint;
use crate::page::trouble::FILE_NAME;
use crate::page::{download, storage};
use crate::scenario::{BadLink, BadScenario, Document, Link, OpenFile, Origin, ReportFile};
use crate::session::{Retrace, Traced};
use crate::world::Progress;
use crate::world::trace::SCHEMA_VERSION;
use std::rc::Rc;

/// Name of a report's file.
const REPORT_NAME: &str = "regroup-report.json";
/// Events up to a link's instant that happen before anything is drawn, some tenths of a second: beyond them
/// the page shows how it gets there.
const EVENTS_UNSEEN: u64 = 100_000;

/// What a person does about links and files.
#[derive(Clone, PartialEq, Debug)]
pub enum ShareAct {
    /// To see what can be shared.
    Show,
    /// A link was opened. With it the text of the file that it starts from, if that stands beside the page.
    Open(Rc<Link>, Option<String>),
    /// A link does not open.
    Refuse(BadLink),
    /// What runs, as a file.
    Save,
    /// What runs, as a file that says what is different in a real Kafka.
    Report(String),
}

/// What can be shared, while somebody looks.
#[derive(Clone, PartialEq, Debug)]
pub struct Shared {
    /// The link, after the `#` of the page's address.
    pub fragment: String,
    /// The instant to which it leads.
    pub at: Instant,
    /// The trace up to there, once it is known.
    pub traced: Option<Traced>,
}

/// What links and files need.
#[derive(Debug, Default)]
pub(super) struct Sharing {
    /// Where the scenario comes from, if it comes with the program.
    origin: Option<Origin>,
    /// The instant to which a link or a file leads, and how much of it, until it is reached.
    arrival: Option<(Instant, Option<u64>)>,
    /// The run that is done again for its trace.
    retrace: Option<Retrace>,
}

impl Sharing {
    pub fn of(origin: Option<Origin>) -> Self {
        Self {
            origin,
            ..Self::default()
        }
    }

    /// Whether the way to `target` is that of a link or a file.
    pub fn leads_to(&self, target: Instant) -> bool {
        self.arrival.is_some_and(|(at, _)| at == target)
    }
}

impl Store {
    pub(super) fn share(&mut self, act: ShareAct) {
        match act {
            ShareAct::Show => self.show_shared(),
            ShareAct::Open(link, text) => {
                self.ui.sheet = None;
                match self.open_link(&link, text.as_deref()) {
                    Ok(()) => {}
                    Err(bad) => self.ui.notice = Some(Notice::BadLink(bad)),
                }
            }
            ShareAct::Refuse(bad) => {
                self.ui.sheet = None;
                self.ui.notice = Some(Notice::BadLink(bad));
            }
            ShareAct::Save => self.save(FILE_NAME, None),
            ShareAct::Report(difference) => self.report(&difference),
        }
    }

    /// Where the page stands.
    fn standing(&self) -> OpenFile {
        let choice = &self.ui.choice;
        let standpoint = Standpoint {
            view: choice.tab,
            selection: choice.selection.clone(),
            events: choice.filter,
            table: choice.table,
            compare: self.rival.as_ref().map(|rival| rival.change().clone()),
            language: Some(self.ui.language),
        };
        OpenFile {
            at: self.session.now(),
            done: self.session.done_of_instant(),
            page: standpoint.to_page(),
        }
    }

    /// The link to what the page shows now, after the `#` of its address.
    pub fn fragment(&self) -> Option<String> {
        let (origin, acts) = (self.sharing.origin.as_ref(), self.session.acts());
        let variant = self.variant.as_ref();
        let link = Link::to(&self.document, origin, variant, acts, self.standing());
        link.ok().map(|link| link.fragment())
    }

    /// Time stands still while somebody shares an instant.
    fn show_shared(&mut self) {
        self.pause();
        let Some(fragment) = self.fragment() else {
            return;
        };
        self.sharing.retrace = Retrace::of(&self.session);
        self.ui.shared = Some(Rc::new(Shared {
            fragment,
            at: self.session.now(),
            traced: None,
        }));
        self.ui.sheet = Some(Sheet::Share);
    }

    /// One slice of the trace that somebody waits for; says whether it is whole now.
    pub(super) fn trace(&mut self, has_time: &impl Fn() -> bool) -> bool {
        while has_time() {
            let Some(retrace) = &mut self.sharing.retrace else {
                return false;
            };
            if let Some(traced) = retrace.advance(EVENTS_AT_ONCE) {
                self.sharing.retrace = None;
                if let Some(shared) = &mut self.ui.shared {
                    Rc::make_mut(shared).traced = Some(traced);
                }
                return true;
            }
        }
        false
    }

    fn save(&self, name: &str, report: Option<&ReportFile>) {
        let (variant, acts) = (self.variant.as_deref(), self.session.acts());
        let open = self.standing();
        let text = self.document.with_acts(variant, acts, Some(&open), report);
        // A browser that does not save says so itself.
        let _ = download::save(name, text.as_bytes());
    }

    fn report(&self, difference: &str) {
        let traced = self.ui.shared.as_ref().and_then(|shared| shared.traced);
        let Some(Traced { hash, facts }) = traced else {
            return;
        };
        let report = ReportFile {
            program: env!("CARGO_PKG_VERSION").into(),
            trace_schema: SCHEMA_VERSION,
            trace_hash: format!("{hash:016x}").into(),
            facts,
            difference: difference.into(),
        };
        self.save(REPORT_NAME, Some(&report));
    }

    /// Goes where a link leads. One that does not open changes nothing.
    fn open_link(&mut self, link: &Link, text: Option<&str>) -> Result<(), BadLink> {
        let origin = link.of.origin();
        let document = match text {
            Some(text) => Some(Document::parse(text)?),
            None => link.document()?,
        };
        let document = document.ok_or_else(|| BadLink::Unknown("".into()))?;
        let destination = link.clone().open(document)?;
        let opened = start(
            destination.document,
            destination.variant,
            destination.scenario,
            origin,
        )?;
        self.begin_at(opened, &destination.open)?;
        if destination.is_changed {
            self.ui.notice = Some(Notice::ScenarioChanged);
        }
        Ok(())
    }

    /// Runs a scenario up to where the page is to stand, and stands still there.
    pub(super) fn begin_at(&mut self, opened: Opened, open: &OpenFile) -> Result<(), BadScenario> {
        let standpoint = Standpoint::of(&open.page)?;
        self.begin(opened);
        self.pause();
        if standpoint.compare.is_some() {
            self.compare(standpoint.compare);
        }
        let choice = &mut self.ui.choice;
        choice.tab = standpoint.view;
        choice.selection = standpoint.selection;
        choice.filter = standpoint.events;
        choice.table = standpoint.table;
        if let Some(language) = standpoint.language {
            // For this page only: the reader's own choice is kept.
            self.ui.language = language;
            storage::show_language(language);
        }
        self.sharing.arrival = Some((open.at, open.done));
        match self.session.advance_to(open.at, EVENTS_UNSEEN) {
            Progress::Reached => self.arrive(),
            Progress::OutOfBudget => self.fast_until = Some(open.at),
        }
        Ok(())
    }

    /// The instant of a link or a file is reached, if one is on its way there.
    pub(super) fn arrive(&mut self) {
        let arrival = self.sharing.arrival.take();
        if let Some((at, done)) = arrival.filter(|(at, _)| *at == self.session.now()) {
            self.session.seek_into(at, done);
            self.jumped();
        }
    }
}
