//! The strip of views below the stage.

mod compare;
mod deliveries;
mod events;
mod handle;
mod lab;
mod lag;
pub mod messages;
mod ownership;
mod table;
mod words;

pub use events::EventLine;
pub use handle::{HEIGHT, HEIGHTS};

use super::context::{use_dispatch, use_text};
use super::part::Here;
use super::store::{About, Intent};
use crate::view::lab::{Lab, LabAct, LabGroup};
use crate::view::messages::{MessagesAct, MessagesPanel, Wish};
use crate::view::panel::{Axis, Panel, Tab};
use crate::view::stage::Stage;
use crate::view::{Instant, PanelBuilder, Sources, build_lab, build_panel, capture_file};
use compare::CompareView;
use deliveries::DeliveriesView;
use events::EventsView;
use handle::Handle;
use lab::LabView;
use lag::LagView;
use messages::MessagesView;
use ownership::OwnershipView;
use std::rc::Rc;
use table::TableView;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use words::WordsView;
use yew::prelude::*;

/// The views but ownership over time and the lab.
pub struct ViewsPart {
    /// Draws the open one.
    pub draw: fn(&Panel, &Rc<Stage>, &Rc<About>) -> Html,
    /// Builds it.
    pub build: PanelBuilder,
    /// Changes what is seen of the messages.
    pub messages: fn(&mut Wish, MessagesAct, &MessagesPanel),
    /// A capture file of the messages that fit.
    pub capture: fn(Sources<'_>, &Wish) -> Vec<u8>,
}

/// The functions of the views.
pub static PART: ViewsPart = ViewsPart {
    draw,
    build: build_panel,
    messages: Wish::reduce,
    capture: capture_file,
};

/// The assignor lab.
pub struct LabPart {
    /// Draws it.
    pub draw: fn(&Rc<Lab>) -> Html,
    /// Builds what it takes from the running world.
    pub build: PanelBuilder,
    /// Does something in it.
    pub reduce: fn(&mut Lab, LabAct),
    /// Computes one slice; says whether something new can be shown.
    pub work: fn(&mut Lab, &Rc<LabGroup>) -> bool,
}

/// The functions of the lab.
pub static LAB_PART: LabPart = LabPart {
    draw: |lab| html! { <LabView lab={lab.clone()} /> },
    build: build_lab,
    reduce: Lab::reduce,
    work: Lab::work,
};

fn draw(panel: &Panel, stage: &Rc<Stage>, about: &Rc<About>) -> Html {
    match panel {
        Panel::Lag(panel) => html! { <LagView panel={panel.clone()} /> },
        Panel::Events(panel) => html! { <EventsView panel={panel.clone()} /> },
        Panel::Messages(panel) => html! { <MessagesView panel={panel.clone()} /> },
        Panel::Deliveries(panel) => html! { <DeliveriesView panel={panel.clone()} /> },
        Panel::Words => html! { <WordsView stage={stage.clone()} /> },
        Panel::Table(panel) => html! { <TableView panel={panel.clone()} /> },
        Panel::Compare(panel) => {
            html! { <CompareView panel={panel.clone()} about={about.clone()} /> }
        }
        Panel::Ownership(_) | Panel::Lab(_) => Html::default(),
    }
}

/// What the strip shows.
#[derive(PartialEq, Properties)]
pub struct StripProps {
    /// What draws most views.
    pub views: Here<ViewsPart>,
    /// What draws the lab.
    pub lab_part: Here<LabPart>,
    /// Which view is chosen.
    pub tab: Tab,
    /// The view.
    pub panel: Panel,
    /// The assignor lab.
    pub lab: Rc<Lab>,
    /// Everything on the stage.
    pub stage: Rc<Stage>,
    /// The height that a person gave the views, in CSS pixels.
    pub height: i32,
    /// The scenario.
    pub about: Rc<About>,
}

/// Tabs, and the view of the chosen one.
#[component]
pub fn Strip(props: &StripProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let chosen = props.tab;
    let onkeydown = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: KeyboardEvent| turn(&event, chosen, &dispatch))
    };
    html! {
        <section class="strip" data-tab={format!("{chosen:?}")} aria-label={t.views} style={format!("--strip-height:{}px", props.height)}>
            <Handle height={props.height} />
            <div class="tabs" role="tablist" aria-label={t.views} {onkeydown}>
                { for Tab::ALL.into_iter().map(|tab| {
                    let is_chosen = tab == chosen;
                    let onclick = dispatch.reform(move |_| Intent::Open(tab));
                    html! {
                        <button role="tab" id={format!("tab-{tab:?}")} aria-selected={is_chosen.to_string()} aria-controls="panel"
                            tabindex={if is_chosen { "0" } else { "-1" }} {onclick}>{ (t.tab)(tab) }</button>
                    }
                }) }
            </div>
            <div class="panel" id="panel" role="tabpanel" tabindex="0" aria-labelledby={format!("tab-{chosen:?}")}>
                { panel(props).unwrap_or_else(|| html! { <p class="note" role="status">{ t.fetching }</p> }) }
            </div>
        </section>
    }
}

/// The open view; nothing while its part is fetched.
fn panel(props: &StripProps) -> Option<Html> {
    if props.panel.tab() != props.tab {
        return None;
    }
    match &props.panel {
        Panel::Ownership(panel) => Some(html! { <OwnershipView panel={panel.clone()} /> }),
        Panel::Lab(_) => Some((props.lab_part.get()?.draw)(&props.lab)),
        panel => Some((props.views.get()?.draw)(panel, &props.stage, &props.about)),
    }
}

/// Arrow keys go from tab to tab.
fn turn(event: &KeyboardEvent, chosen: Tab, dispatch: &Callback<Intent>) {
    let count = Tab::ALL.len();
    let place = Tab::ALL.iter().position(|tab| *tab == chosen).unwrap_or(0);
    let next = match event.key().as_str() {
        "ArrowRight" => place + 1,
        "ArrowLeft" => place + count - 1,
        _ => return,
    };
    let Some(tab) = Tab::ALL.get(next % count) else {
        return;
    };
    event.prevent_default();
    event.stop_propagation();
    dispatch.emit(Intent::Open(*tab));
    let list = event
        .current_target()
        .and_then(|list| list.dyn_into::<HtmlElement>().ok());
    let found = list
        .and_then(|list| list.query_selector(&format!("#tab-{tab:?}")).ok())
        .flatten();
    if let Some(button) = found.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
        // An element that cannot take the focus leaves it where it is.
        let _ = button.focus();
    }
}

/// Seconds below a picture over time.
#[derive(PartialEq, Properties)]
struct TicksProps {
    axis: Axis,
}

#[component]
fn Ticks(props: &TicksProps) -> Html {
    let t = use_text();
    let axis = props.axis;
    let ticks = axis.ticks();
    let step = ticks.first().zip(ticks.get(1));
    let step = step.map_or(1, |(first, second)| (*second - *first).0.max(1));
    // Where there is little room, every second one is written.
    let is_second = |tick: Instant| (tick.0 / step) % 2 != 0;
    let edge = |tick: Instant| match tick {
        _ if tick == axis.from => Some("start"),
        _ if tick == axis.to => Some("end"),
        _ => None,
    };
    html! {
        <div class="ticks" aria-hidden="true">
            { for ticks.iter().copied().map(|tick| html! {
                <span data-second={is_second(tick).to_string()} data-edge={edge(tick)} style={format!("--at:{}", axis.place(tick))}>{ (t.axis_seconds)(tick.as_ms() / 1_000) }</span>
            }) }
        </div>
    }
}
