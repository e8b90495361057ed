//! What happened, the newest first, each with the way to its causes.

use crate::page::context::{send, use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::Selection;
use crate::view::event::{Event, Level};
use crate::view::panel::{EventFilter, EventsPanel};
use std::rc::Rc;
use yew::prelude::*;

/// What it shows.
#[derive(PartialEq, Properties)]
pub struct EventsViewProps {
    /// The view.
    pub panel: Rc<EventsPanel>,
}

/// The log.
#[component]
pub fn EventsView(props: &EventsViewProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let panel = &props.panel;
    html! {
        <div class="events">
            <div class="choices" role="group" aria-label={t.show_events}>
                { for EventFilter::ALL.into_iter().map(|filter| html! {
                    <button class="button plain" aria-pressed={(filter == panel.filter).to_string()}
                        onclick={send(&dispatch, Intent::Filter(filter))}>{ (t.event_filter)(filter) }</button>
                }) }
            </div>
            if panel.events.is_empty() { <p class="quiet">{ t.no_events }</p> }
            <ol>
                { for panel.events.iter().map(|event| html! {
                    <EventLine key={event.id.0} event={event.clone()} is_selected={panel.selected == Some(event.id)} />
                }) }
            </ol>
        </div>
    }
}

/// Which event.
#[derive(PartialEq, Properties)]
pub struct EventLineProps {
    /// The event.
    pub event: Rc<Event>,
    /// Whether the inspector shows it.
    #[prop_or_default]
    pub is_selected: bool,
}

/// One line: when, and what. Choosing it shows why.
#[component]
pub fn EventLine(props: &EventLineProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let event = &props.event;
    let level = match event.level {
        Level::Stream => "stream",
        Level::Step => "step",
        Level::Turn => "turn",
        Level::Trouble => "trouble",
    };
    html! {
        <li class="event" data-level={level}>
            <button aria-pressed={props.is_selected.to_string()} onclick={send(&dispatch, Intent::Select(Selection::Event(event.id)))}>
                <time>{ (t.clock)(event.at) }</time><span>{ (t.event)(event) }</span>
            </button>
        </li>
    }
}
