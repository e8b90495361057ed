//! A strip below the time line on which a window of time is chosen for the ledger: by drawing it, by moving
//! one of its ends, or with the arrow keys.

use super::percent;
use crate::page::context::{use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::Instant;
use crate::view::panel::Window;
use crate::view::timebar::TimeBar;
use std::rc::Rc;
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

/// How near to an end a press takes hold of it, in thousandths of the strip.
const REACH: i64 = 15;

/// What the strip shows.
#[derive(PartialEq, Properties)]
pub struct BrushProps {
    /// The bar.
    pub bar: Rc<TimeBar>,
}

/// Where on the strip the pointer is, in thousandths.
fn place(strip: &NodeRef, event: &PointerEvent) -> Option<i64> {
    let strip = strip.cast::<Element>()?;
    let frame = strip.get_bounding_client_rect();
    let part = (f64::from(event.client_x()) - frame.left()) / frame.width().max(1.0);
    // Clamped, so the cast keeps the value.
    #[allow(clippy::cast_possible_truncation)]
    let place = (part.clamp(0.0, 1.0) * 1_000.0) as i64;
    Some(place)
}

/// The strip.
#[component]
pub fn Brush(props: &BrushProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let bar = props.bar.clone();
    let strip = use_node_ref();
    // The end that stays, and the one that is moved, while a window is drawn.
    let drawn = use_mut_ref(|| None::<(i64, i64)>);
    let redraw = use_force_update();
    let chosen = bar
        .window
        .map(|(from, until)| (bar.place(from), bar.place(until)));
    let (from, until) = match (*drawn.borrow(), chosen) {
        (Some((fixed, moved)), _) => (fixed.min(moved), fixed.max(moved)),
        (None, Some(ends)) => ends,
        (None, None) => (0, bar.place(bar.now)),
    };
    let choose = {
        let bar = bar.clone();
        dispatch.reform(move |(from, until): (i64, i64)| {
            let ends = [bar.instant_at(from), bar.instant_at(until)];
            Intent::Count(Window::Between(ends[0].min(ends[1]), ends[0].max(ends[1])))
        })
    };
    let onpointerdown = {
        let (drawn, redraw, strip) = (drawn.clone(), redraw.clone(), strip.clone());
        Callback::from(move |event: PointerEvent| {
            let Some(at) = place(&strip, &event) else {
                return;
            };
            if let Some(strip) = strip.cast::<Element>() {
                // Without it the pointer is lost where it leaves the strip; the window is drawn so far, then.
                let _ = strip.set_pointer_capture(event.pointer_id());
            }
            let near = |end: i64| (end - at).abs() <= REACH;
            let fixed = match chosen {
                Some((from, until)) if near(until) => from,
                Some((from, until)) if near(from) => until,
                _ => at,
            };
            *drawn.borrow_mut() = Some((fixed, at));
            redraw.force_update();
        })
    };
    let onpointermove = {
        let (drawn, redraw, strip) = (drawn.clone(), redraw.clone(), strip.clone());
        Callback::from(move |event: PointerEvent| {
            let Some(at) = place(&strip, &event) else {
                return;
            };
            if let Some((_, moved)) = &mut *drawn.borrow_mut() {
                *moved = at;
                redraw.force_update();
            }
        })
    };
    let onpointerup = {
        let (drawn, redraw, choose) = (drawn.clone(), redraw.clone(), choose.clone());
        Callback::from(move |_: PointerEvent| {
            let drawn = drawn.borrow_mut().take();
            if let Some(ends) = drawn.filter(|(fixed, moved)| fixed != moved) {
                choose.emit(ends);
            }
            redraw.force_update();
        })
    };
    let onpointercancel = Callback::from(move |_: PointerEvent| {
        *drawn.borrow_mut() = None;
        redraw.force_update();
    });
    // For the keyboard: what a pointer takes hold of is the strip below them.
    let end = |label: &'static str,
               at: i64,
               instant: Instant,
               moved: fn(i64, (i64, i64)) -> (i64, i64)| {
        let choose = choose.clone();
        let oninput = Callback::from(move |event: InputEvent| {
            let input = event.target_dyn_into::<HtmlInputElement>();
            if let Some(to) = input.and_then(|input| input.value().parse().ok()) {
                choose.emit(moved(to, (from, until)));
            }
        });
        html! {
            <input type="range" min="0" max="1000" step="5" value={at.to_string()} {oninput} aria-label={label} aria-valuetext={(t.clock)(instant)} />
        }
    };
    let ends = bar.window.unwrap_or((bar.horizon, bar.now));
    html! {
        <div class="brush" ref={strip} role="group" aria-label={t.brush().strip} {onpointerdown} {onpointermove} {onpointerup} {onpointercancel}>
            { end(t.brush().from, from, ends.0, |to, (_, until)| (to.min(until), until)) }
            { end(t.brush().until, until, ends.1, |to, (from, _)| (from, to.max(from))) }
            <svg aria-hidden="true">
                <rect class="strip" x="0%" y="6" width="100%" height="8" rx="4" />
                <rect class="window" data-chosen={bar.window.is_some().to_string()} x={percent(from)} y="6" width={percent(until - from)} height="8" rx="2" />
                { for [from, until].into_iter().map(|at| html! { <line class="end" x1={percent(at)} x2={percent(at)} y1="3" y2="17" /> }) }
            </svg>
        </div>
    }
}
