//! The time bar: transport, clock, scrubber, speed.

mod brush;

use super::context::{send, use_dispatch, use_text};
use super::icon::{Icon, Shape};
use super::stops::Stops;
use super::store::{Intent, Teach, TeachAct};
use crate::view::stage::Topic;
use crate::view::timebar::{MarkKind, SPEEDS, Stop, TimeBar};
use brush::Brush;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What the bar shows.
#[derive(PartialEq, Properties)]
pub struct TimeBarProps {
    /// The bar.
    pub bar: Rc<TimeBar>,
    /// What time stops at, where that can be set.
    #[prop_or_default]
    pub teach: Option<Rc<Teach>>,
    /// Topics, for stops at a lag.
    #[prop_or_default]
    pub topics: Rc<[Topic]>,
}

/// The bar.
#[component]
pub fn TimeBarView(props: &TimeBarProps) -> Html {
    let t = use_text();
    let bar = &props.bar;
    html! {
        <section class="timebar" aria-label={t.time}>
            <Transport is_playing={bar.is_playing} can_undo={bar.can_undo} />
            if let Some(teach) = &props.teach { <Stops teach={teach.clone()} topics={props.topics.clone()} /> }
            <div class="clock" role="timer" aria-live="off">{ (t.clock)(bar.now) }</div>
            <Scrubber bar={bar.clone()} />
            <Speed speed={bar.speed} />
        </section>
    }
}

/// Which way the buttons look.
#[derive(PartialEq, Properties)]
struct TransportProps {
    is_playing: bool,
    can_undo: bool,
}

#[component]
fn Transport(props: &TransportProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let can_undo = props.can_undo;
    let button = |shape: Shape, label: &'static str, key: &'static str, intent: Intent| {
        // A button that does nothing now says why when it is pressed.
        let is_idle = shape == Shape::Undo && !can_undo;
        let title = if is_idle {
            t.nothing_to_undo.to_string()
        } else {
            format!("{label} ({key})")
        };
        let is_play = matches!(shape, Shape::Play | Shape::Pause);
        html! {
            <button class={classes!("button", "icon", if is_play { "play" } else { "plain" })} aria-label={label} aria-disabled={is_idle.then_some("true")}
                aria-keyshortcuts={if is_play { "Space" } else { key }} {title} onclick={send(&dispatch, intent)}><Icon {shape} /></button>
        }
    };
    let (shape, label) = if props.is_playing {
        (Shape::Pause, t.pause)
    } else {
        (Shape::Play, t.play)
    };
    html! {
        <div class="transport">
            { button(Shape::Back, t.step_back, ",", Intent::StepBack) }
            { button(shape, label, t.key_space, Intent::TogglePlay) }
            { button(Shape::Step, t.step_event, ".", Intent::StepEvent) }
            { button(Shape::NextRebalance, t.next_rebalance, "n", Intent::Teach(TeachAct::Next(Stop::Rebalance))) }
            { button(Shape::Undo, t.undo, "u", Intent::Undo) }
        </div>
    }
}

const fn mark_name(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Act => "act",
        MarkKind::Rebalance => "rebalance",
        MarkKind::Fault => "fault",
        MarkKind::Duplicate => "duplicate",
    }
}

/// What the scrubber shows.
#[derive(PartialEq, Properties)]
struct ScrubberProps {
    bar: Rc<TimeBar>,
}

/// Thousandths as percent.
fn percent(per_mille: i64) -> String {
    format!("{}.{}%", per_mille / 10, per_mille % 10)
}

#[component]
fn Scrubber(props: &ScrubberProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let bar = props.bar.clone();
    let (now, head) = (bar.place(bar.now), bar.place(bar.head));
    let oninput = {
        let bar = bar.clone();
        dispatch.reform(move |event: InputEvent| {
            let value = event
                .target_dyn_into::<HtmlInputElement>()
                .and_then(|input| input.value().parse().ok());
            Intent::Seek(value.map_or(bar.now, |per_mille| bar.instant_at(per_mille)))
        })
    };
    html! {
        <div class="scrubber" data-brush={bar.has_brush.then_some("true")}>
            <input type="range" min="0" max="1000" step="1" value={now.to_string()} {oninput}
                aria-label={t.scrubber} aria-valuetext={(t.clock)(bar.now)} />
            <svg aria-hidden="true">
                <line class="rail" x1="0%" x2="100%" y1="20" y2="20" />
                <line class="future" x1="0%" x2={percent(head)} y1="20" y2="20" />
                <line class="past" x1="0%" x2={percent(now)} y1="20" y2="20" />
                { for bar.marks.iter().map(|mark| {
                    let x = percent(bar.place(mark.at));
                    let (y1, y2) = match mark.kind {
                        MarkKind::Act => ("6", "14"),
                        MarkKind::Rebalance => ("26", "34"),
                        MarkKind::Fault | MarkKind::Duplicate => ("26", "34"),
                    };
                    html! { <line class="mark" data-kind={mark_name(mark.kind)} x1={x.clone()} x2={x} {y1} {y2} /> }
                }) }
                <circle class="knob" cx={percent(now)} cy="20" r="7" />
            </svg>
            if bar.has_brush { <Brush bar={bar.clone()} /> }
        </div>
    }
}

/// Place in the list of speeds.
#[derive(PartialEq, Properties)]
struct SpeedProps {
    speed: usize,
}

/// `1/20×`, `1×`, `100×`.
fn speed_text(speed: usize) -> String {
    match SPEEDS.get(speed).copied().unwrap_or(1_000) {
        milli if milli < 1_000 => format!("1/{}×", 1_000 / milli.max(1)),
        milli => format!("{}×", milli / 1_000),
    }
}

#[component]
fn Speed(props: &SpeedProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let speed = props.speed;
    html! {
        <div class="speed" role="group" aria-label={t.speed}>
            <button class="button plain icon" aria-label={t.slower} title={format!("{} (-)", t.slower)} aria-disabled={(speed == 0).then_some("true")}
                onclick={send(&dispatch, Intent::Slower)}><Icon shape={Shape::Minus} /></button>
            <output>{ speed_text(speed) }</output>
            <button class="button plain icon" aria-label={t.faster} title={format!("{} (+)", t.faster)} aria-disabled={(speed + 1 >= SPEEDS.len()).then_some("true")}
                onclick={send(&dispatch, Intent::Faster)}><Icon shape={Shape::Plus} /></button>
        </div>
    }
}
