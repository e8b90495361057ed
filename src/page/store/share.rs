//! Links and files: made of what runs, and opened where they lead. A part of the page: what only its table
//! reaches is not loaded before somebody needs it.

use super::opened::{Opened, open, start};
use super::{EVENTS_AT_ONCE, Intent, Notice, Prepared, Sheet, Store};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::Instant;
use crate::page::driver::time_of;
use crate::page::standpoint::{PreparedFile, Standpoint};
use crate::page::trouble::FILE_NAME;
use crate::page::{download, fetch, storage};
use crate::scenario::{BadLink, BadScenario, Base, Document, Link, OpenFile, Origin, ReportFile};
use crate::session::{Change, Retrace, Traced};
use crate::world::Progress;
use crate::world::trace::SCHEMA_VERSION;
use std::rc::Rc;
use yew::Callback;

/// Name of a report's file.
const REPORT_NAME: &str = "regroup-report.json";
/// Real time, in ms, that the way to a link's instant may take before anything is drawn: what takes longer, the
/// page shows.
const UNSEEN_MOST_MS: f64 = 150.0;

/// What a person does about links and files.
#[derive(Clone, PartialEq, Debug)]
pub enum ShareAct {
    /// To see what can be shared.
    Show,
    /// To go where a link leads, by the piece of the page's address after its `#`; and whom to tell when a file
    /// that it needs has been fetched.
    Open(String, Callback<Intent>),
    /// The same, with the text of the file.
    OpenWith(String, String),
    /// What runs, as a file.
    Save,
    /// The same as a text to be changed and started anew.
    Edit,
    /// What runs, as a file that says what is different in a real Kafka.
    Report(String),
}

/// Links and files.
pub struct SharePart {
    /// Does what a person wants of them.
    pub share: fn(&mut Store, ShareAct),
    /// Opens a file by its text.
    pub load: fn(&mut Store, &str),
    /// One slice of a trace; says whether it is whole now.
    pub trace: fn(&mut Store, &dyn Fn() -> bool) -> bool,
    /// The link to what the page shows now, after the `#` of its address.
    pub fragment: fn(&Store) -> Option<String>,
}

/// The functions of links and files.
pub static SHARE_PART: SharePart = SharePart {
    share: Store::share,
    load: Store::load_text,
    trace: Store::trace,
    fragment: Store::fragment_now,
};

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
    /// The link to what the page shows now, after the `#` of its address, if the part is here that makes it.
    pub fn fragment(&self) -> Option<String> {
        (self.ui.parts.share.get()?.fragment)(self)
    }

    /// One slice of the trace that somebody waits for; says whether it is whole now.
    pub(super) fn trace_on(&mut self, has_time: &impl Fn() -> bool) -> bool {
        let part = self.ui.parts.share.get();
        let part = part.filter(|_| self.sharing.retrace.is_some());
        part.is_some_and(|part| (part.trace)(self, has_time))
    }

    /// Goes to an instant that may lie far ahead: at once if it is near, else before one's eyes.
    pub(super) fn head_for(&mut self, at: Instant, done: Option<u64>) {
        self.pause();
        self.sharing.arrival = Some((at, done));
        let has_time = time_of(UNSEEN_MOST_MS);
        while has_time() {
            if self.session.advance_to(at, EVENTS_AT_ONCE) == Progress::Reached {
                return self.arrive();
            }
        }
        self.fast_until = Some(at);
    }

    /// The instant of a link or a file is reached, if one is on its way there.
    pub(super) fn arrive(&mut self) {
        let arrival = self.sharing.arrival.take();
        if let Some((at, done)) = arrival.filter(|(at, _)| *at == self.session.now()) {
            self.session.seek_into(at, done);
            self.jumped();
        }
    }

    fn share(&mut self, act: ShareAct) {
        match act {
            ShareAct::Show => self.show_shared(),
            ShareAct::Open(fragment, tell) => self.open_link(fragment, tell),
            ShareAct::OpenWith(fragment, text) => {
                let opened = match Link::of_fragment(&fragment) {
                    Some(Ok(link)) => Document::parse(&text)
                        .map_err(BadLink::from)
                        .and_then(|document| self.go(link, document)),
                    _ => Ok(()),
                };
                self.opened(opened);
            }
            ShareAct::Save => self.save(FILE_NAME, None),
            ShareAct::Edit => self.edit(),
            ShareAct::Report(difference) => self.report(&difference),
        }
    }

    /// How the page stands.
    fn standpoint(&self) -> Standpoint {
        let choice = &self.ui.choice;
        Standpoint {
            view: choice.tab,
            selection: choice.selection.clone(),
            events: choice.filter,
            table: choice.table,
            compare: self.rival.as_ref().map(|rival| rival.change().clone()),
            language: Some(self.ui.language),
            prepared: self.prepared(),
        }
    }

    /// Where it stands.
    fn standing(&self, standpoint: &Standpoint) -> OpenFile {
        OpenFile {
            at: self.session.now(),
            done: self.session.done_of_instant(),
            page: standpoint.to_page(),
        }
    }

    /// The instants that were prepared for teaching.
    fn prepared(&self) -> SortedMap<i32, PreparedFile> {
        let instants = (1..).zip(&self.ui.teach.instants);
        let kept = instants.filter_map(|(digit, prepared)| {
            let Prepared { at, tab } = prepared.clone()?;
            Some((digit, PreparedFile { at, view: tab }))
        });
        kept.collect()
    }

    fn fragment_now(&self) -> Option<String> {
        let (origin, acts) = (self.sharing.origin.as_ref(), self.session.acts());
        let variant = self.variant.as_ref();
        let link = Link::to(
            &self.document,
            origin,
            variant,
            acts,
            self.standing(&self.standpoint()),
        );
        link.ok().map(|link| link.fragment())
    }

    /// Time stands still while somebody shares an instant.
    fn show_shared(&mut self) {
        self.pause();
        let Some(fragment) = self.fragment_now() else {
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

    fn trace(&mut self, has_time: &dyn Fn() -> bool) -> bool {
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

    /// Time stands still while somebody edits.
    fn edit(&mut self) {
        self.pause();
        let (variant, acts) = (self.variant.as_deref(), self.session.acts());
        let text = self.document.with_acts(variant, acts, None, None);
        self.ui.edited = Some(text.into());
        self.ui.sheet = Some(Sheet::Edit);
    }

    fn save(&self, name: &str, report: Option<&ReportFile>) {
        let (variant, acts) = (self.variant.as_deref(), self.session.acts());
        let mut standpoint = self.standpoint();
        // The file holds one variant: there is no other to compare with.
        standpoint
            .compare
            .take_if(|change| matches!(change, Change::Variant(_)));
        let open = self.standing(&standpoint);
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
    fn open_link(&mut self, fragment: String, tell: Callback<Intent>) {
        let opened = match Link::of_fragment(&fragment) {
            None => return,
            Some(Err(bad)) => Err(bad),
            Some(Ok(link)) => match (link.document(), &link.of) {
                (Err(bad), _) => Err(bad),
                (Ok(Some(document)), _) => self.go(link, document),
                (Ok(None), Base::Incident(named)) => {
                    return fetch_for(fragment, &named.name, tell);
                }
                (Ok(None), _) => return,
            },
        };
        self.opened(opened);
    }

    fn opened(&mut self, opened: Result<(), BadLink>) {
        self.ui.sheet = None;
        if let Err(bad) = opened {
            let t = self.ui.language.catalogue().share();
            self.ui.notice = Some(Notice::NotOpened((t.bad_link)(&bad)));
        }
    }

    fn go(&mut self, link: Link, document: Document) -> Result<(), BadLink> {
        let origin = link.of.origin();
        let destination = link.open(document)?;
        let (document, variant) = (destination.document, destination.variant);
        let opened = start(document, variant, destination.scenario, origin)?;
        self.begin_at(opened, &destination.open)?;
        if destination.is_changed {
            let t = self.ui.language.catalogue().share();
            self.ui.notice = Some(Notice::Said(t.changed.to_string()));
        }
        Ok(())
    }

    /// A scenario from a file; where that says where to stand, there. A bad one changes nothing; one that is being
    /// edited stays there.
    fn load_text(&mut self, text: &str) {
        let begun =
            open(text, None, None).and_then(|opened| match opened.document.file().open.clone() {
                Some(open) => self.begin_at(opened, &open),
                None => {
                    self.begin(opened);
                    Ok(())
                }
            });
        if begun.is_ok() || self.ui.sheet != Some(Sheet::Edit) {
            self.ui.sheet = None;
        }
        if let Err(problem) = begun {
            self.ui.notice = Some(Notice::BadScenario(problem));
        }
    }

    /// Runs a scenario up to where the page is to stand, and stands still there.
    fn begin_at(&mut self, opened: Opened, open: &OpenFile) -> Result<(), BadScenario> {
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
        let instants = &mut Rc::make_mut(&mut self.ui.teach).instants;
        for (digit, PreparedFile { at, view: tab }) in standpoint.prepared {
            let place = usize::try_from(digit).unwrap_or(0).checked_sub(1);
            if let Some(slot) = place.and_then(|place| instants.get_mut(place)) {
                *slot = Some(Prepared { at, tab });
            }
        }
        self.head_for(open.at, open.done);
        Ok(())
    }
}

/// Fetches the file of an incident, and has its link opened with it.
fn fetch_for(fragment: String, name: &str, tell: Callback<Intent>) {
    let path = fetch::incident(name);
    wasm_bindgen_futures::spawn_local(async move {
        tell.emit(match fetch::text_of(&path).await {
            Ok(text) => Intent::Share(ShareAct::OpenWith(fragment, text)),
            Err(problem) => Intent::NotFetched(problem),
        });
    });
}
