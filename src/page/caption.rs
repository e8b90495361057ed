//! The sentence above the stage: what happened last that matters. A polite live region.

use super::context::{send, use_dispatch, use_text};
use super::store::Intent;
use crate::view::Selection;
use crate::view::event::Event;
use std::rc::Rc;
use yew::prelude::*;

/// What it tells.
#[derive(PartialEq, Properties)]
pub struct CaptionProps {
    /// `None`: nothing has happened yet.
    pub event: Option<Rc<Event>>,
}

/// The sentence, and the way to its causes.
#[component]
pub fn Caption(props: &CaptionProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let Some(event) = &props.event else {
        return html! { <div class="caption" aria-live="polite"></div> };
    };
    html! {
        <div class="caption">
            <time>{ (t.clock)(event.at) }</time>
            <p aria-live="polite">{ (t.event)(event) }</p>
            <button class="button plain why" onclick={send(&dispatch, Intent::Select(Selection::Event(event.id)))}>{ t.why }</button>
        </div>
    }
}
