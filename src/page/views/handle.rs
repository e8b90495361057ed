//! The edge between stage and views, which can be moved: by dragging, and by the arrow keys.

use crate::page::context::{use_dispatch, use_text};
use crate::page::store::Intent;
use web_sys::{Element, PointerEvent};
use yew::prelude::*;

/// The least and most height of the views, in CSS pixels; the style sheet keeps them below a window's.
pub const HEIGHTS: (i32, i32) = (96, 900);
/// The height at first.
pub const HEIGHT: i32 = 216;
/// How far a key moves the edge.
const STEP: i32 = 24;

/// Where the edge stands.
#[derive(PartialEq, Properties)]
pub struct HandleProps {
    /// Height of the views below it.
    pub height: i32,
}

/// The edge.
#[component]
pub fn Handle(props: &HandleProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    // Where the pointer went down, and the height then.
    let start = use_mut_ref(|| None::<(i32, i32)>);
    let height = props.height;
    let onpointerdown = {
        let start = start.clone();
        Callback::from(move |event: PointerEvent| {
            let target = event.target_dyn_into::<Element>();
            if let Some(element) = target {
                // Without capture the drag ends where the pointer leaves the edge.
                let _ = element.set_pointer_capture(event.pointer_id());
            }
            *start.borrow_mut() = Some((event.client_y(), height));
        })
    };
    let onpointermove = {
        let (start, dispatch) = (start.clone(), dispatch.clone());
        Callback::from(move |event: PointerEvent| {
            if let Some((from, before)) = *start.borrow() {
                dispatch.emit(Intent::Resize(before + from - event.client_y()));
            }
        })
    };
    let onpointerup = Callback::from(move |_: PointerEvent| *start.borrow_mut() = None);
    let reset = dispatch.reform(|_: MouseEvent| Intent::Resize(HEIGHT));
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let wanted = match event.key().as_str() {
            "ArrowUp" => Intent::ResizeBy(STEP),
            "ArrowDown" => Intent::ResizeBy(-STEP),
            "Home" => Intent::Resize(HEIGHTS.1),
            "End" => Intent::Resize(HEIGHTS.0),
            "Enter" => Intent::Resize(HEIGHT),
            _ => return,
        };
        event.prevent_default();
        dispatch.emit(wanted);
    });
    html! {
        <div class="handle" role="separator" aria-orientation="horizontal" aria-label={t.views_height} tabindex="0"
            aria-valuenow={height.to_string()} aria-valuemin={HEIGHTS.0.to_string()} aria-valuemax={HEIGHTS.1.to_string()}
            onpointercancel={onpointerup.clone()} ondblclick={reset}
            {onpointerdown} {onpointermove} {onpointerup} {onkeydown}></div>
    }
}
