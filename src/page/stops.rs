//! Stops: where one says what time is to stop at, and what the page says when it did.

use super::context::{send, use_dispatch, use_teach, use_text};
use super::icon::{Icon, Shape};
use super::store::{Intent, Note, SOUGHT_MINUTES, Teach, TeachAct};
use crate::view::event::Event;
use crate::view::stage::Topic;
use crate::view::timebar::Stop;
use crate::view::{Selection, TopicPartition};
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// The list of stops: the browser opens and closes it.
const LIST: &str = "stops";
/// The button that opens it.
pub const BUTTON: &str = "stops-button";

/// What can be stopped at.
#[derive(PartialEq, Properties)]
pub struct StopsProps {
    /// What is set.
    pub teach: Rc<Teach>,
    /// Topics, for lag.
    pub topics: Rc<[Topic]>,
}

/// The button on the time bar and the list behind it.
#[component]
pub fn Stops(props: &StopsProps) -> Html {
    let t = use_teach();
    let dispatch = use_dispatch();
    let stops = &props.teach.stops;
    let count = stops.len();
    let label = if count == 0 {
        t.stops.to_string()
    } else {
        format!("{}: {}", t.stops, (t.stops_set)(count))
    };
    let set_lags = stops
        .iter()
        .filter(|stop| matches!(stop, Stop::Lag { .. }))
        .cloned();
    let rows = Stop::PLAIN.into_iter().chain(set_lags);
    html! {
        <div class="stops">
            <button id={BUTTON} class="button plain icon" type="button" popovertarget={LIST} aria-label={label} title={format!("{} (b)", t.stops)}
                aria-keyshortcuts="b" data-count={(count > 0).then(|| count.to_string())}><Icon shape={Shape::Stop} /></button>
            <div id={LIST} class="stop-list" popover="auto" role="dialog" aria-labelledby="stops-title">
                <h2 id="stops-title">{ t.stops_title }</h2>
                <p class="quiet">{ t.stops_text }</p>
                <ul>
                    { for rows.map(|stop| html! {
                        <StopRow key={format!("{stop:?}")} is_set={stops.contains(&stop)} stop={stop.clone()} />
                    }) }
                </ul>
                if !props.topics.is_empty() { <LagStop topics={props.topics.clone()} /> }
                if count > 0 {
                    <button class="button" onclick={send(&dispatch, Intent::Teach(TeachAct::NoStops))}>{ t.no_stops }</button>
                }
            </div>
        </div>
    }
}

/// Which stop.
#[derive(PartialEq, Properties)]
struct StopRowProps {
    stop: Stop,
    is_set: bool,
}

#[component]
fn StopRow(props: &StopRowProps) -> Html {
    let t = use_teach();
    let dispatch = use_dispatch();
    let toggle = TeachAct::Toggle(props.stop.clone());
    let next = TeachAct::Next(props.stop.clone());
    let label = (t.next)(&props.stop);
    html! {
        <li>
            <label><input type="checkbox" checked={props.is_set} onchange={send(&dispatch, Intent::Teach(toggle))} /><span>{ (t.stop)(&props.stop) }</span></label>
            <button class="button plain icon" type="button" title={label.clone()} aria-label={label} onclick={send(&dispatch, Intent::Teach(next))}><Icon shape={Shape::NextRebalance} /></button>
        </li>
    }
}

/// Which topics.
#[derive(PartialEq, Properties)]
struct LagStopProps {
    topics: Rc<[Topic]>,
}

/// A stop at a lag: topic, partition, records.
#[component]
fn LagStop(props: &LagStopProps) -> Html {
    let t = use_teach();
    let dispatch = use_dispatch();
    let (topic, partition, records) = (use_node_ref(), use_node_ref(), use_node_ref());
    let onsubmit = {
        let topics = props.topics.clone();
        let (topic, partition, records) = (topic.clone(), partition.clone(), records.clone());
        dispatch.reform(move |event: SubmitEvent| {
            event.prevent_default();
            let name = topic.cast::<HtmlSelectElement>();
            let name = name.map(|select| select.value()).unwrap_or_default();
            let topic = topics.iter().find(|topic| *topic.name == *name);
            let Some(topic) = topic.or(topics.first()) else {
                return Intent::None;
            };
            let (partition, records) = (typed(&partition), typed(&records));
            let number = partition.parse::<i32>().ok().filter(|number| {
                usize::try_from(*number).is_ok_and(|number| number < topic.partitions)
            });
            let Some(number) = number else {
                return Intent::NotANumber(partition);
            };
            match records.parse::<i64>() {
                Ok(above) if above >= 0 => Intent::Teach(TeachAct::Toggle(Stop::Lag {
                    partition: TopicPartition::new(topic.name.clone(), number),
                    above,
                })),
                _ => Intent::NotANumber(records),
            }
        })
    };
    html! {
        <form class="lag-stop" {onsubmit} novalidate=true>
            <fieldset>
                <legend>{ t.lag_above }</legend>
                <label><span>{ t.topic }</span><select class="field" ref={topic}>
                    { for props.topics.iter().map(|topic| html! { <option>{ topic.name.as_str() }</option> }) }
                </select></label>
                <label><span>{ t.partition }</span><input class="field" ref={partition} type="text" inputmode="numeric" autocomplete="off" value="0" /></label>
                <label><span>{ t.records }</span><input class="field" ref={records} type="text" inputmode="numeric" autocomplete="off" value="100" /></label>
                <button class="button" type="submit">{ t.add_stop }</button>
            </fieldset>
        </form>
    }
}

fn typed(field: &NodeRef) -> String {
    let field = field.cast::<HtmlInputElement>();
    field.map_or_else(String::new, |field| field.value().trim().to_string())
}

/// What the page says of a stop.
#[derive(PartialEq, Properties)]
pub struct StopNoteProps {
    /// What is set, sought and said.
    pub teach: Rc<Teach>,
}

/// Which stop it was and what happened, as a note and for a screen reader.
#[component]
pub fn StopNote(props: &StopNoteProps) -> Html {
    let t = use_teach();
    let text = use_text();
    let dispatch = use_dispatch();
    let teach = &props.teach;
    let event = match &teach.note {
        Some(Note::Stopped(_, event) | Note::Found(_, event)) => event.clone(),
        _ => None,
    };
    let said = match (&teach.note, &teach.sought) {
        (Some(Note::Stopped(stop, _)), _) => (t.stopped)(stop),
        (Some(Note::Found(stop, _)), _) => (t.found)(stop),
        (Some(Note::NotFound(stop)), _) => (t.not_found)(stop, SOUGHT_MINUTES),
        (Some(Note::NothingKept(digit)), _) => (t.nothing_kept)(*digit),
        (Some(Note::NoPicture(problem)), _) => (t.no_picture)(problem),
        (None, Some(sought)) => (t.searching)(&sought.stop),
        (None, None) => String::new(),
    };
    let told = |event: &Event| format!("{} {}", (text.clock)(event.at), (text.event)(event));
    let happened = event.as_deref().map(told).unwrap_or_default();
    html! {
        <div role="status">
            if !said.is_empty() {
                <div class="toast stop-note" data-kind="stop">
                    <p><b>{ said }</b>if !happened.is_empty() { <span>{ happened }</span> }</p>
                    if let Some(event) = event {
                        <button class="button" onclick={send(&dispatch, Intent::Select(Selection::Event(event.id)))}>{ text.why }</button>
                        <button class="button" onclick={send(&dispatch, Intent::TogglePlay)}>{ t.go_on }</button>
                    }
                    <button class="button plain icon" aria-label={text.dismiss} onclick={send(&dispatch, Intent::Dismiss)}><Icon shape={Shape::Close} /></button>
                </div>
            }
        </div>
    }
}
