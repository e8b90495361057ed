//! Scenarios that are opened: what the page says of one, and how it begins.

use super::share::Sharing;
use super::{Notice, Opening, Store};
use crate::kafka::time::Instant;
use crate::scenario::{BadScenario, Complaint, Document, IncidentFile, Origin, Scenario, Text};
use crate::session::Session;
use crate::view::View;
use crate::view::compare::Change;
use crate::view::panel::Window;
use crate::view::timebar::SPEED_REAL;
use std::rc::Rc;

/// What a scenario is called, what it is about, and what to ask oneself.
#[derive(Clone, PartialEq, Debug)]
pub struct About {
    /// Its title.
    pub title: Text,
    /// Its story.
    pub story: Text,
    /// Its question.
    pub question: Text,
    /// The variants of its file.
    pub variants: Rc<[(Rc<str>, Text)]>,
    /// Which of them runs.
    pub variant: Option<Rc<str>>,
    /// The incident that it retells, if it does.
    pub incident: Option<IncidentFile>,
    /// Its end.
    pub until: Instant,
}

/// A scenario that was opened.
pub(super) struct Opened {
    pub session: Session,
    pub about: About,
    pub document: Rc<Document>,
    pub variant: Option<Rc<str>>,
    pub origin: Option<Origin>,
}

/// The start of a scenario, from the text of its file.
pub(super) fn open(
    text: &str,
    variant: Option<Rc<str>>,
    origin: Option<Origin>,
) -> Result<Opened, BadScenario> {
    let document = Document::parse(text)?;
    let first = document.variants().next().map(|(name, _)| name.clone());
    let variant = variant.or(first);
    let scenario = document.scenario(variant.as_deref())?;
    start(document, variant, scenario, origin)
}

/// The start of a scenario that has been read.
pub(super) fn start(
    document: Document,
    variant: Option<Rc<str>>,
    scenario: Scenario,
    origin: Option<Origin>,
) -> Result<Opened, BadScenario> {
    let title = match scenario.variant {
        Some((_, variant)) => Text {
            en: format!("{}: {}", scenario.title.en, variant.en).into(),
            ko: format!("{}: {}", scenario.title.ko, variant.ko).into(),
        },
        None => scenario.title,
    };
    let about = About {
        title,
        story: scenario.story,
        question: scenario.question,
        variants: document
            .variants()
            .map(|(name, title)| (name.clone(), title.clone()))
            .collect(),
        variant: variant.clone(),
        incident: document.file().incident.clone(),
        until: scenario.until,
    };
    let session = Session::new(scenario.setup, scenario.acts);
    let session = session.map_err(|refusal| BadScenario::whole(Complaint::Refused(refusal)))?;
    Ok(Opened {
        session,
        about,
        document: Rc::new(document),
        variant,
        origin,
    })
}

impl Store {
    /// An incident's scenario; beside it, if wanted, the run in which it is avoided, both to their end.
    pub(super) fn load_incident(&mut self, opening: &Opening) {
        let origin = Origin::Incident(opening.name.clone());
        self.load(&opening.text, opening.variant.clone(), Some(origin));
        if self.ui.notice.is_some() {
            return;
        }
        if let Some(other) = &opening.other {
            self.compare(Some(Change::Variant(other.clone())));
            self.fast_until = Some(self.ui.about.until);
        }
    }

    /// Another scenario, from its beginning. A bad one changes nothing.
    pub(super) fn load(&mut self, text: &str, variant: Option<Rc<str>>, origin: Option<Origin>) {
        self.ui.sheet = None;
        match open(text, variant, origin) {
            Ok(opened) => self.begin(opened),
            Err(problem) => self.ui.notice = Some(Notice::BadScenario(problem)),
        }
    }

    /// Runs a scenario from its beginning.
    pub(super) fn begin(&mut self, opened: Opened) {
        self.session = opened.session;
        self.document = opened.document;
        self.variant = opened.variant;
        self.sharing = Sharing::of(opened.origin);
        self.ui.about = Rc::new(opened.about);
        self.ui.choice.selection = None;
        Rc::make_mut(&mut self.ui.choice.messages).until = None;
        self.ui.choice.window = Window::Whole;
        self.ui.choice.ledger_of = None;
        self.compare(None);
        self.forget_instants();
        self.fast_until = None;
        self.forget_past();
        self.ui.is_playing = true;
        // What nobody has seen yet is not run through at the speed of what was seen.
        self.ui.speed = self.ui.speed.min(SPEED_REAL);
        self.view = Rc::new(View {
            jump: self.view.jump,
            ..View::default()
        });
        self.jumped();
    }
}
