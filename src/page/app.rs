//! The whole page: holds the store, hands out its view.

use super::caption::Caption;
use super::driver::{Driver, engine_time};
use super::frame::{self, FrameView};
use super::header::Header;
use super::hint::HintView;
use super::i18n::Language;
use super::inspector::InspectorView;
use super::keyboard;
use super::library;
use super::link;
use super::part::{self, Arrived, Part};
use super::sheet::Toast;
use super::stage::StageView;
use super::stops::StopNote;
use super::store::{Intent, Refused, Store};
use super::timebar::TimeBarView;
use super::trainer::Trainer;
use super::trouble;
use super::views::Strip;
use gloo_events::EventListener;
use std::rc::Rc;
use web_sys::{HtmlAnchorElement, KeyboardEvent};
use yew::prelude::*;

/// What reaches the page.
pub enum Message {
    /// A person wants something.
    Intent(Intent),
    /// The browser is about to draw, at this many ms.
    Frame(f64),
    /// A key was pressed.
    Key(KeyboardEvent),
    /// Somebody leaves a frame for the page.
    Leave(HtmlAnchorElement),
    /// A part was fetched, or did not come.
    Fetched(Result<Arrived, Part>),
}

/// The page.
pub struct App {
    store: Store,
    driver: Driver,
    dispatch: Callback<Intent>,
    /// The page is a frame in somebody's article.
    is_framed: bool,
    _address: Option<EventListener>,
    _keys: Option<EventListener>,
}

impl Component for App {
    type Message = Message;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let mut driver = Driver::new(ctx.link().callback(Message::Frame));
        driver.next();
        let is_framed = link::is_framed();
        if is_framed {
            // The way to the page leads to the instant that is shown.
            part::fetch(Part::Share, ctx.link().callback(Message::Fetched));
        }
        Self {
            store: Store::new(),
            driver,
            dispatch: ctx.link().callback(Message::Intent),
            is_framed,
            _address: link::listen(ctx.link().callback(Message::Intent)),
            _keys: keyboard::listen(ctx.link().callback(Message::Key)),
        }
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        let has_changed = match message {
            Message::Fetched(Ok(arrived)) => self.store.arrived(arrived),
            Message::Fetched(Err(part)) => self.store.not_arrived(part),
            Message::Intent(intent) => self.store.reduce(intent),
            Message::Key(event) => match keyboard::intent(&event, &self.store.ui) {
                Intent::None => false,
                intent if self.is_framed && !frame::can(&intent) => false,
                intent => self.store.reduce(intent),
            },
            Message::Leave(link) => {
                if let Some(fragment) = self.store.fragment() {
                    link.set_href(&link::address(&fragment, false));
                }
                false
            }
            Message::Frame(ms) => {
                self.driver.next();
                let (elapsed_us, had_stopped) = self.driver.elapsed_us(ms);
                if had_stopped {
                    self.store.retime();
                }
                self.store.tick(elapsed_us, engine_time())
            }
        };
        while let Some(part) = self.store.next_to_fetch() {
            part::fetch(part, ctx.link().callback(Message::Fetched));
        }
        has_changed
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let view = &self.store.view;
        let ui = &self.store.ui;
        let dispatch = self.dispatch.clone();
        let ondrop =
            Callback::from(move |event: DragEvent| library::dropped(&event, dispatch.clone()));
        let ondragover = Callback::from(|event: DragEvent| event.prevent_default());
        let on_leave = ctx.link().callback(Message::Leave);
        html! {
            <ContextProvider<Language> context={ui.language}>
            <ContextProvider<Option<Rc<Refused>>> context={ui.refused.clone()}>
            <ContextProvider<Callback<Intent>> context={self.dispatch.clone()}>
                <div class={classes!("page", self.is_framed.then_some("framed"))} {ondrop} {ondragover}>
                    if self.is_framed {
                        <FrameView about={ui.about.clone()} view={view.clone()} {on_leave} />
                    } else {
                    <Header language={ui.language} about={ui.about.clone()} />
                    <Trainer teach={ui.teach.clone()} about={ui.about.clone()} />
                    <div class="body">
                        <main class="work">
                            <Caption event={view.caption.clone()} is_quiet={view.is_quiet} groups={view.stage.groups.clone()} is_fast={view.timebar.is_fast() || ui.teach.sought.is_some()} />
                            <StageView stage={view.stage.clone()} jump={view.jump} />
                            <Strip views={ui.parts.views} lab_part={ui.parts.lab} tab={ui.choice.tab} panel={view.panel.clone()} lab={ui.lab.clone()} stage={view.stage.clone()} height={ui.strip_height} about={ui.about.clone()} />
                            <HintView explained={ui.explained} />
                        </main>
                        <InspectorView part={ui.parts.inspector} is_open={ui.choice.selection.is_some()} inspector={view.inspector.clone()} stage={view.stage.clone()} about={ui.about.clone()} />
                    </div>
                    <TimeBarView bar={view.timebar.clone()} teach={ui.teach.clone()} topics={view.stage.topics.clone()} />
                    <StopNote teach={ui.teach.clone()} />
                    }
                    if let Some(notice) = &ui.notice { <Toast notice={notice.clone()} /> }
                    if let Some(sheet) = ui.sheet && let Some(part) = ui.parts.sheets.get() { { (part.draw)(sheet, ui) } }
                </div>
            </ContextProvider<Callback<Intent>>>
            </ContextProvider<Option<Rc<Refused>>>>
            </ContextProvider<Language>>
        }
    }
}

/// Mounts the page into `root`, whose content it replaces.
pub fn mount(root: web_sys::Element) {
    trouble::install();
    yew::Renderer::<App>::with_root(root).render();
}
