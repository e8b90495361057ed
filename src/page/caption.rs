//! The sentence above the stage: what happened last that matters; when that is no longer news, how things
//! stand. A polite live region.

use super::context::{send, use_dispatch, use_text};
use super::i18n::Catalogue;
use super::store::Intent;
use crate::view::Selection;
use crate::view::event::Event;
use crate::view::stage::Group;
use std::rc::Rc;
use yew::prelude::*;

/// What it tells.
#[derive(PartialEq, Properties)]
pub struct CaptionProps {
    /// `None`: nothing has happened yet.
    pub event: Option<Rc<Event>>,
    /// Whether that is no longer news.
    pub is_quiet: bool,
    /// How things stand.
    pub groups: Rc<[Rc<Group>]>,
    /// Whether time runs too fast to be read out.
    pub is_fast: bool,
}

/// What happened last; when that is no longer news, how things stand.
pub fn sentence(t: &Catalogue, news: Option<&Rc<Event>>, groups: &[Rc<Group>]) -> String {
    match news {
        Some(event) => (t.event)(event),
        None => {
            let standing: Vec<_> = groups.iter().map(|group| (t.standing)(group)).collect();
            standing.join(" ")
        }
    }
}

/// The sentence, and the way to its causes.
#[component]
pub fn Caption(props: &CaptionProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let news = props.event.as_ref().filter(|_| !props.is_quiet);
    let text = sentence(t, news, &props.groups);
    html! {
        <div class="caption" data-quiet={news.is_none().to_string()}>
            <div>
            if let Some(event) = news { <time>{ (t.clock)(event.at) }</time> }
            <p aria-live={if props.is_fast { "off" } else { "polite" }}>{ text }</p>
            if let Some(event) = &props.event {
                <button class="button plain why" onclick={send(&dispatch, Intent::Select(Selection::Event(event.id)))}>{ t.why }</button>
            }
            </div>
        </div>
    }
}
