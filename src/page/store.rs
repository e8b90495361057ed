//! All state of the page, and the one function that changes it.

mod intent;
mod opened;
mod share;
mod teach;

pub use intent::{Intent, Notice, Opening, Reason, Refused, Sheet};
pub use opened::About;
pub use share::{SHARE_PART, ShareAct, SharePart, Shared};
pub use teach::{Note, Prepared, SOUGHT_MINUTES, Teach, TeachAct};

use super::hint::Explained;
use super::i18n::Language;
use super::motion;
use super::part::{Arrived, Part, Parts};
use super::views::{HEIGHT, HEIGHTS};
use super::{download, storage, trouble};
use crate::kafka::time::{Duration, Instant};
use crate::scenario::{BadScenario, Complaint, Document, LENGTH_MAX_BYTES, LIBRARY, Origin, entry};
use crate::session::{Rival, Session, Sums};
use crate::view::compare::{Change, Quantity};
use crate::view::lab::Lab;
use crate::view::messages::{MessagesAct, MessagesPanel};
use crate::view::panel::{Panel, Tab};
use crate::view::stage::LANES_MOST;
use crate::view::timebar::{SPEED_REAL, SPEEDS, TimeBar, axis_end};
use crate::view::{Choice, Selection, Sources, View, build, token};
use crate::world::Progress;
use crate::world::command::{Command, Refusal};
use std::rc::Rc;
use yew::AttrValue;

/// What the person chose to see.
#[derive(Clone, PartialEq, Debug)]
pub struct Ui {
    /// The language.
    pub language: Language,
    /// What the scenario is called, and what it is about.
    pub about: Rc<About>,
    /// What is looked at.
    pub choice: Choice,
    /// Whether time runs.
    pub is_playing: bool,
    /// Place in the list of speeds.
    pub speed: usize,
    /// Whether the page is dark.
    pub is_dark: bool,
    /// Height of the views, in CSS pixels.
    pub strip_height: i32,
    /// What lies over the page.
    pub sheet: Option<Sheet>,
    /// What the page says in return.
    pub notice: Option<Notice>,
    /// What was typed into a field and refused.
    pub refused: Option<Rc<Refused>>,
    /// The word that is explained.
    pub explained: Option<Explained>,
    /// The assignor lab.
    pub lab: Rc<Lab>,
    /// The parts of the page that are here.
    pub parts: Parts,
    /// What can be shared, while somebody looks.
    pub shared: Option<Rc<Shared>>,
    /// The scenario's file with what was done, while somebody edits it.
    pub edited: Option<Rc<str>>,
    /// What was prepared for teaching.
    pub teach: Rc<Teach>,
}

/// All state.
pub struct Store {
    session: Session,
    document: Rc<Document>,
    variant: Option<Rc<str>>,
    /// The run beside this one.
    rival: Option<Rival>,
    /// How far to run as fast as it goes.
    fast_until: Option<Instant>,
    /// What had been counted at the beginning of the ledger's window.
    past: Option<(Instant, Sums)>,
    /// The same at its end, where that is not this instant.
    past_end: Option<(Instant, Sums)>,
    frames: u32,
    /// Parts that are being fetched.
    fetched: Vec<Part>,
    /// What is wanted as soon as the part is here that does it.
    held: Vec<(Part, Intent)>,
    /// The field that the next intent comes from, and what was typed into it.
    entered: Option<(AttrValue, String)>,
    /// What links and files need.
    sharing: share::Sharing,
    /// What the person chose.
    pub ui: Ui,
    /// What the page shows.
    pub view: Rc<View>,
}

/// Name of a capture file.
const CAPTURE_NAME: &str = "regroup.pcap";
/// Events between two looks at the clock.
const EVENTS_AT_ONCE: u64 = 200;
/// Frames from one building of the open view to the next, while time runs.
const FRAMES_PER_PANEL: u32 = 8;
/// The same where it has a row for each of many partitions.
const FRAMES_PER_LARGE_PANEL: u32 = 64;

impl Store {
    /// Starts with the class room.
    pub fn new() -> Self {
        let (name, text) = LIBRARY
            .first()
            .map_or_else(Default::default, |entry| (entry.name, entry.text));
        let origin = Some(Origin::Library(name.into()));
        let opened =
            opened::open(text, None, origin).expect("a test reads every scenario of the library");
        let mut store = Self {
            session: opened.session,
            document: opened.document,
            variant: opened.variant,
            rival: None,
            fast_until: None,
            past: None,
            past_end: None,
            frames: 0,
            fetched: Vec::new(),
            held: Vec::new(),
            entered: None,
            sharing: share::Sharing::of(opened.origin),
            ui: Ui {
                language: storage::language(),
                about: Rc::new(opened.about),
                choice: Choice::default(),
                is_playing: true,
                speed: SPEED_REAL,
                is_dark: storage::is_dark(),
                strip_height: storage::height().unwrap_or(HEIGHT),
                sheet: None,
                notice: None,
                refused: None,
                explained: None,
                lab: Rc::default(),
                parts: Parts::default(),
                shared: None,
                edited: None,
                teach: Rc::default(),
            },
            view: Rc::default(),
        };
        storage::show_theme(store.ui.is_dark);
        storage::show_language(store.ui.language);
        trouble::remember(
            &store.document,
            store.variant.as_ref(),
            store.session.acts(),
        );
        store.retime();
        store.refresh(true);
        store
    }

    fn speed_milli(&self) -> u32 {
        SPEEDS.get(self.ui.speed).copied().unwrap_or(1_000)
    }

    /// Tells the animations how time runs.
    pub fn retime(&self) {
        let rate = if self.ui.is_playing {
            f64::from(self.speed_milli()) / 1_000.0
        } else {
            0.0
        };
        motion::retime(self.session.now(), rate);
    }

    /// A frame: `elapsed_us` of real time passed. `has_time` says whether the engine may go on.
    pub fn tick(&mut self, elapsed_us: i64, has_time: impl Fn() -> bool) -> bool {
        let has_lab_changed = self.work_in_lab() | self.trace_on(&has_time);
        let was_behind = self.is_rival_behind();
        if !self.ui.is_playing && self.fast_until.is_none() {
            let has_caught_up = was_behind && self.catch_up(&has_time);
            return has_caught_up && self.refresh(true) || has_lab_changed;
        }
        let length = Duration(elapsed_us.saturating_mul(i64::from(self.speed_milli())) / 1_000);
        let target = self.fast_until.unwrap_or(self.session.now() + length);
        // Two runs keep together: what is behind goes first.
        let stopped = if was_behind {
            None
        } else {
            self.run_to(target, &has_time)
        };
        let has_caught_up = self.catch_up(&has_time);
        motion::set_now(self.session.now());
        self.frames = self.frames.wrapping_add(1);
        if let Some(stopped) = stopped {
            self.stop_at(stopped);
            self.refresh(true);
            return true;
        }
        if has_caught_up && self.fast_until.is_some_and(|end| self.session.now() >= end) {
            self.pause();
            self.arrive();
            self.give_up_search();
            self.refresh(true);
            return true;
        }
        let partitions = self.view.stage.topics.iter().map(|topic| topic.partitions);
        let pace = match partitions.sum::<usize>() {
            0..=LANES_MOST => FRAMES_PER_PANEL,
            _ => FRAMES_PER_LARGE_PANEL,
        };
        self.refresh(self.frames.is_multiple_of(pace)) || has_lab_changed
    }

    fn is_rival_behind(&self) -> bool {
        let rival = self.rival.as_ref().map(Rival::session);
        rival.is_some_and(|rival| rival.now() < self.session.now())
    }

    /// Lets the other run come to where this one is; says whether it has.
    fn catch_up(&mut self, has_time: &impl Fn() -> bool) -> bool {
        let Some(rival) = &mut self.rival else {
            return true;
        };
        loop {
            if rival.catch_up(&self.session, EVENTS_AT_ONCE) == Progress::Reached {
                return true;
            }
            if !has_time() {
                return false;
            }
        }
    }

    /// One slice of what the open lab has to compute; says whether something new can be shown.
    fn work_in_lab(&mut self) -> bool {
        let (Panel::Lab(running), Some(part)) = (&self.view.panel, self.ui.parts.lab.get()) else {
            return false;
        };
        self.ui.lab.wants_work(running) && (part.work)(Rc::make_mut(&mut self.ui.lab), running)
    }

    /// Builds the view; says whether it changed.
    fn refresh(&mut self, with_panel: bool) -> bool {
        self.ui.choice.speed_milli = self.speed_milli();
        if with_panel {
            self.look_back();
            if let Some(Selection::Record { partition, offset }) = &self.ui.choice.selection {
                self.session.watch(partition, *offset);
            }
        }
        let sources = Sources {
            world: self.session.world(),
            sums: self.session.sums(),
            chronicle: &self.session.sums().chronicle(),
            rival: self.rival.as_ref(),
            life: self.session.watched(),
            past: self.past.as_ref().map(|(at, sums)| (*at, sums)),
            past_end: self.past_end.as_ref().map(|(at, sums)| (*at, sums)),
        };
        let view = build(
            sources,
            &self.ui.choice,
            self.timebar(),
            &self.view,
            with_panel,
            &self.ui.parts.builders(),
        );
        let has_changed = view != *self.view;
        if has_changed {
            self.view = Rc::new(view);
        }
        has_changed
    }

    /// Counts up to the ends of the ledger's window, if the ledger is open and has one.
    fn look_back(&mut self) {
        let (choice, session) = (&self.ui.choice, &self.session);
        let (window, is_open) = (choice.window, choice.tab == Tab::Deliveries);
        let (start, end) = (window.start(session.now()), window.end(session.now()));
        let look = |past: &mut Option<(Instant, Sums)>, at: Option<Instant>| {
            let at = at.filter(|_| is_open);
            if past.as_ref().map(|past| past.0) != at {
                *past = at.map(|at| (at, session.sums_at(at)));
            }
        };
        look(&mut self.past, start);
        look(&mut self.past_end, end);
    }

    fn forget_past(&mut self) {
        self.past = None;
        self.past_end = None;
    }

    fn timebar(&self) -> TimeBar {
        let (now, window) = (self.session.now(), self.ui.choice.window);
        // While time runs the clock goes in steps that an eye can follow.
        let step = (100 * i64::from(self.speed_milli())).max(1_000);
        let horizon = self.session.horizon();
        TimeBar {
            now: if self.ui.is_playing {
                Instant(now.0.div_euclid(step) * step)
            } else {
                now
            },
            is_playing: self.ui.is_playing,
            speed: self.ui.speed,
            horizon,
            head: Instant(self.session.end().0.div_euclid(step) * step).max(horizon),
            axis_end: axis_end(horizon, self.session.end()),
            marks: self.session.sums().chronicle().marks().clone(),
            can_undo: self.session.can_undo(),
            has_brush: self.ui.choice.tab == Tab::Deliveries,
            window: window
                .start(now)
                .map(|from| (from, window.end(now).unwrap_or(now))),
        }
    }

    /// Does what is wanted; says whether anything that is shown changed.
    pub fn reduce(&mut self, intent: Intent) -> bool {
        if let Some(part) = intent.part().filter(|part| !self.ui.parts.has(*part)) {
            self.held.push((part, intent));
            return false;
        }
        self.ui.notice = None;
        let was_searching = self.end_search();
        let entered = self.entered.take();
        match intent {
            Intent::None => return false,
            Intent::Enter(field, typed) => {
                self.entered = Some((field, typed));
                return false;
            }
            Intent::Ask(reason) => self.ui.notice = Some(Notice::Because(reason)),
            Intent::Unreadable => self.ui.notice = Some(Notice::UnreadableFile),
            Intent::Dismiss => self.ui.refused = None,
            Intent::AddToFirstGroup => {
                let group = self.view.stage.groups.first().map(|group| group.id.clone());
                if let Some(command) = group.and_then(|group| self.session.more(&group, 1)) {
                    self.act(command);
                }
            }
            Intent::Load(name, variant) => {
                if let Some(entry) = entry(name) {
                    self.load(entry.text, variant, Some(Origin::Library(name.into())));
                }
            }
            Intent::LoadText(text) => {
                if let Some(part) = self.ui.parts.share.get() {
                    (part.load)(self, &text);
                }
            }
            Intent::LoadIncident(opening) => self.load_incident(&opening),
            Intent::NotFetched(problem) => self.ui.notice = Some(Notice::NotFetched(problem)),
            Intent::Refused(problem) => self.ui.notice = Some(Notice::BadScenario(problem)),
            Intent::NoAct(problem) => self.ui.notice = Some(Notice::BadAct(problem)),
            Intent::Compare(change) => self.compare(change),
            Intent::RunToEnd => {
                self.fast_until = Some(self.ui.about.until.max(self.session.now()));
            }
            Intent::FindApart(quantity) => self.find_apart(quantity),
            Intent::Count(window) => self.ui.choice.window = window,
            Intent::CountOnly(partition) => self.ui.choice.ledger_of = partition,
            Intent::TooLong => {
                let most = LENGTH_MAX_BYTES;
                let problem = BadScenario::whole(Complaint::TooLong { most });
                self.ui.notice = Some(Notice::BadScenario(problem));
            }
            Intent::NotANumber(value) => self.ui.notice = Some(Notice::NotANumber(value)),
            Intent::NotLike(value, example) => {
                self.ui.notice = Some(Notice::NotLike(value, example));
            }
            Intent::Do(command) => self.act(command),
            Intent::AddConsumers(group, count) => match self.session.more(&group, count) {
                Some(command) => self.act(command),
                None => {
                    self.ui.notice = Some(Notice::Refused(Refusal::UnknownGroup(group)));
                }
            },
            Intent::Select(selection) => {
                self.ui.refused = None;
                self.ui.choice.selection = Some(selection);
            }
            Intent::Deselect => self.ui.choice.selection = None,
            Intent::Open(tab) => self.ui.choice.tab = tab,
            Intent::Explain(explained) => self.ui.explained = Some(explained),
            Intent::Messages(act) => self.see_messages(act),
            Intent::SaveCapture => self.save_capture(),
            Intent::Share(act) => {
                if let Some(part) = self.ui.parts.share.get() {
                    (part.share)(self, act);
                }
            }
            Intent::Lab(act) => {
                if let Some(part) = self.ui.parts.lab.get() {
                    (part.reduce)(Rc::make_mut(&mut self.ui.lab), act);
                }
            }
            Intent::Filter(filter) => self.ui.choice.filter = filter,
            Intent::Describe(kind) => self.ui.choice.table = kind,
            Intent::Resize(height) => self.resize(height),
            Intent::ResizeBy(by) => self.resize(self.ui.strip_height + by),
            // Then the press ended a search.
            Intent::TogglePlay if was_searching => {}
            Intent::TogglePlay => {
                self.fast_until = None;
                self.ui.is_playing = !self.ui.is_playing;
                self.retime();
            }
            Intent::StepEvent => {
                self.session.step();
                self.pause();
            }
            Intent::StepBack => {
                self.pause();
                self.session.step_back();
                self.jumped();
            }
            Intent::Teach(act) => self.teach(act),
            Intent::Seek(at) => self.seek(at),
            Intent::Slower if self.ui.speed == 0 => {
                self.ui.notice = Some(Notice::Because(Reason::Slowest));
            }
            Intent::Slower => self.speed(self.ui.speed - 1),
            Intent::Faster if self.ui.speed + 1 >= SPEEDS.len() => {
                self.ui.notice = Some(Notice::Because(Reason::Fastest));
            }
            Intent::Faster => self.speed(self.ui.speed + 1),
            Intent::Speak(language) => {
                self.ui.language = language;
                storage::keep_language(language);
                storage::show_language(language);
            }
            Intent::ToggleTheme => {
                self.ui.is_dark = !self.ui.is_dark;
                storage::keep_theme(self.ui.is_dark);
                storage::show_theme(self.ui.is_dark);
            }
            Intent::Sheet(sheet) => self.ui.sheet = sheet,
            Intent::Undo if !self.session.can_undo() => {
                self.ui.notice = Some(Notice::Because(Reason::NothingToUndo));
            }
            Intent::Undo => {
                self.forget_past();
                self.session.undo();
                self.jumped();
            }
        }
        if let Some((field, typed)) = entered {
            self.answer(field, typed);
        }
        trouble::remember(&self.document, self.variant.as_ref(), self.session.acts());
        if let Some(rival) = &mut self.rival {
            rival.follow(&self.session);
        }
        self.refresh(true);
        true
    }

    /// The next part that is needed and that nobody fetches yet.
    pub fn next_to_fetch(&mut self) -> Option<Part> {
        let chosen = self.ui.choice.selection.as_ref();
        let needed = [
            chosen.map(|_| Part::Inspector),
            Parts::of_tab(self.ui.choice.tab),
            self.ui.sheet.map(|_| Part::Sheets),
        ];
        let held = self.held.iter().map(|(part, _)| *part);
        let mut needed = needed.into_iter().flatten().chain(held);
        let part = needed.find(|part| !self.ui.parts.has(*part) && !self.fetched.contains(part))?;
        self.fetched.push(part);
        Some(part)
    }

    /// A part is here: what was wanted of it is done.
    pub fn arrived(&mut self, arrived: Arrived) -> bool {
        self.ui.parts.add(arrived);
        for (part, intent) in std::mem::take(&mut self.held) {
            if self.ui.parts.has(part) {
                self.reduce(intent);
            } else {
                self.held.push((part, intent));
            }
        }
        self.refresh(true);
        true
    }

    /// A part did not come: what needs it is closed, so that opening it again fetches it again.
    pub fn not_arrived(&mut self, part: Part) -> bool {
        self.fetched.retain(|fetched| *fetched != part);
        self.held.retain(|(held, _)| *held != part);
        match part {
            Part::Inspector => self.ui.choice.selection = None,
            Part::Views | Part::Lab => self.ui.choice.tab = Tab::default(),
            Part::Sheets => self.ui.sheet = None,
            // What was wanted of it is not done.
            Part::Share => {}
        }
        self.ui.notice = Some(Notice::NotFetched(String::new()));
        self.refresh(true);
        true
    }

    /// A refusal of what was typed into a field is said beside the field.
    fn answer(&mut self, field: AttrValue, typed: String) {
        let is_refusal = |notice: &Notice| {
            matches!(
                notice,
                Notice::Refused(_)
                    | Notice::NotANumber(_)
                    | Notice::NotLike(..)
                    | Notice::BadScenario(_)
                    | Notice::BadAct(_)
            )
        };
        let notice = self.ui.notice.take_if(|notice| is_refusal(notice));
        self.ui.refused = notice.map(|notice| {
            Rc::new(Refused {
                field,
                typed,
                notice,
            })
        });
    }

    fn resize(&mut self, height: i32) {
        self.ui.strip_height = height.clamp(HEIGHTS.0, HEIGHTS.1.min(storage::tallest()));
        storage::keep_height(self.ui.strip_height);
    }

    fn speed(&mut self, speed: usize) {
        self.ui.speed = speed;
        self.retime();
    }

    /// Runs this history a second time, under one change.
    fn compare(&mut self, change: Option<Change>) {
        self.ui.choice.apart.clear();
        self.rival = None;
        let variant = self.variant.as_deref();
        let rival = change.map(|change| Rival::new(change, &self.session, &self.document, variant));
        match rival {
            Some(Ok(rival)) => {
                self.rival = Some(rival);
                self.ui.choice.tab = Tab::Compare;
            }
            Some(Err(problem)) => self.ui.notice = Some(Notice::BadScenario(problem)),
            None => {}
        }
    }

    /// Goes to where the two runs came apart in a quantity.
    fn find_apart(&mut self, quantity: Quantity) {
        let readers = self.view.panel.compared().cloned();
        let (Some(rival), Some(readers)) = (&self.rival, readers) else {
            return;
        };
        let apart = rival.came_apart(&self.session, &token(quantity, &readers));
        if let Some(at) = apart {
            self.ui.choice.apart.insert(quantity, at);
            self.pause();
            self.seek(at);
        }
    }

    fn act(&mut self, command: Command) {
        self.forget_past();
        match self.session.act(command) {
            Ok(acted) => {
                self.ui.notice = acted.dropped.map(|dropped| Notice::Forked(dropped.until))
            }
            Err(refusal) => self.ui.notice = Some(Notice::Refused(refusal)),
        }
        self.retime();
    }

    fn see_messages(&mut self, act: MessagesAct) {
        if matches!(act, MessagesAct::Open(..)) {
            self.ui.choice.tab = Tab::Messages;
        }
        let nothing = MessagesPanel::default();
        let shown = match &self.view.panel {
            Panel::Messages(panel) => panel,
            _ => &nothing,
        };
        if let Some(part) = self.ui.parts.views.get() {
            (part.messages)(Rc::make_mut(&mut self.ui.choice.messages), act, shown);
        }
    }

    fn save_capture(&self) {
        let Some(part) = self.ui.parts.views.get() else {
            return;
        };
        let sources = Sources {
            world: self.session.world(),
            sums: self.session.sums(),
            chronicle: &self.session.sums().chronicle(),
            rival: None,
            life: None,
            past: None,
            past_end: None,
        };
        let bytes = (part.capture)(sources, &self.ui.choice.messages);
        // A browser that does not save says so itself.
        let _ = download::save(CAPTURE_NAME, &bytes);
    }

    fn pause(&mut self) {
        self.fast_until = None;
        self.ui.is_playing = false;
        self.retime();
    }

    /// Time went to another instant than by running: motion starts anew there.
    fn jumped(&mut self) {
        let mut view = (*self.view).clone();
        view.jump += 1;
        self.view = Rc::new(view);
        self.retime();
    }

    fn seek(&mut self, at: Instant) {
        self.fast_until = None;
        self.session.seek(at);
        self.jumped();
    }
}
