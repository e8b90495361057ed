//! Brokers, and on each the partitions that it leads, as lanes.

use super::dense::Cells;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::hint::hint;
use crate::page::i18n::Term;
use crate::page::store::Intent;
use crate::view::stage::{Broker, Lane, Mark, Topic};
use crate::view::{Offset, Selection};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

/// What the column shows.
#[derive(PartialEq, Properties)]
pub struct ClusterColumnProps {
    /// The brokers.
    pub brokers: Rc<[Rc<Broker>]>,
    /// The topics that the lanes belong to.
    pub topics: Rc<[Topic]>,
}

/// The column.
#[component]
pub fn ClusterColumn(props: &ClusterColumnProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    html! {
        <div class="column cluster" data-topics={if props.topics.len() > 1 { "many" } else { "one" }}>
            <header>
                <h2>{ t.cluster }</h2>
                { for props.topics.iter().map(|topic| html! {
                    <button class="name caps" onclick={send(&dispatch, Intent::Select(Selection::Topic(topic.name.clone())))}>
                        { (t.topic_partitions)(&topic.name, topic.partitions) }
                    </button>
                }) }
            </header>
            <div class="lane-head caps">
                <span></span><span></span><span></span>
                <span class="wide">{ hint(&dispatch, Term::Committed, t.committed) }</span>
                <span>{ hint(&dispatch, Term::HighWatermark, t.high_watermark_short) }</span>
                <span>{ hint(&dispatch, Term::Lag, t.lag) }</span>
            </div>
            <ul class="brokers">
                { for props.brokers.iter().map(|broker| html! {
                    <BrokerCard key={broker.id.0} broker={broker.clone()} />
                }) }
            </ul>
            <p class="legend">
                <span class="k-committed">{ hint(&dispatch, Term::Committed, t.committed) }</span>
                <span class="k-position">{ hint(&dispatch, Term::Position, t.position) }</span>
                <span class="k-risk">{ hint(&dispatch, Term::AtRisk, t.legend_risk) }</span>
                <span class="k-wait">{ t.legend_waiting }</span>
                <span class="k-hw">{ hint(&dispatch, Term::HighWatermark, t.high_watermark) }</span>
            </p>
        </div>
    }
}

/// Which broker.
#[derive(PartialEq, Properties)]
struct BrokerCardProps {
    broker: Rc<Broker>,
}

#[component]
fn BrokerCard(props: &BrokerCardProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let broker = &props.broker;
    let select = send(&dispatch, Intent::Select(Selection::Broker(broker.id)));
    html! {
        <li class="thing broker" data-party={format!("broker:{}", broker.id.0)} data-selected={broker.is_selected.to_string()}>
            <header>
                <button class="name" onclick={select}>{ (t.broker)(broker.id.0) }</button>
                { for broker.coordinates.iter().map(|group| html! {
                    <span class="badge">{ (t.coordinator_of)(group) }</span>
                }) }
            </header>
            <ul>
                { for broker.lanes.iter().map(|lane| html! {
                    <LaneRow key={lane.partition.to_string()} lane={lane.clone()} />
                }) }
            </ul>
            if !broker.cells.is_empty() {
                <Cells label={(t.broker)(broker.id.0)} id={format!("cell-{}", broker.id.0)} cells={broker.cells.clone()} />
            }
        </li>
    }
}

/// Which partition.
#[derive(PartialEq, Properties)]
struct LaneRowProps {
    lane: Rc<Lane>,
}

#[component]
fn LaneRow(props: &LaneRowProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let lane = &props.lane;
    let select = send(
        &dispatch,
        Intent::Select(Selection::Partition(lane.partition.clone())),
    );
    let mark = lane.marks.first();
    let owner = mark.and_then(|mark| mark.owner);
    let number = |offset: Option<i64>| offset.map_or_else(|| "–".to_string(), t.count);
    let lag = mark.and_then(|mark| mark.lag(lane.high_watermark));
    html! {
        <li class="lane" data-selected={lane.is_selected.to_string()}>
            <span class="part"><button class="name" onclick={select} title={lane.partition.to_string()}>{ &*lane.label }</button></span>
            <OwnerLetter owner={owner} />
            <Track lane={lane.clone()} />
            <span class="number wide">{ number(mark.and_then(|mark| mark.committed)) }</span>
            <span class="number">{ number(Some(lane.high_watermark)) }</span>
            <span class="number" data-strong="true">{ number(lag) }</span>
        </li>
    }
}

/// Whose letter.
#[derive(PartialEq, Properties)]
pub struct OwnerLetterProps {
    /// `None`: nobody.
    pub owner: Option<crate::view::stage::Owner>,
}

/// An owner's letter on its colour.
#[component]
pub fn OwnerLetter(props: &OwnerLetterProps) -> Html {
    let t = use_text();
    match props.owner {
        Some(owner) => {
            html! { <span class="letter" data-colour={owner.colour().to_string()}>{ owner.letter() }</span> }
        }
        None => html! { <span class="letter" data-colour="none" title={t.unowned}>{ "–" }</span> },
    }
}

/// The stretch of log: what is done, what would be delivered again, what waits, what is not readable yet.
#[component]
fn Track(props: &LaneRowProps) -> Html {
    let dispatch = use_dispatch();
    let lane = &props.lane;
    let place = |offset: i64| lane.window.place(offset);
    let start = place(lane.log_start);
    let watermark = place(lane.high_watermark);
    let mark = lane.marks.first();
    let committed = mark.and_then(|mark| mark.committed).map_or(start, place);
    let position = mark.and_then(|mark| mark.position).map_or(committed, place);
    let colour = mark
        .and_then(|mark| mark.owner)
        .map_or_else(|| "none".to_string(), |owner| owner.colour().to_string());
    let stretch = |class: &'static str, from: i32, to: i32| {
        html! {
            <i class={class} style={format!("--from:{from};--to:{}", to.max(from))}></i>
        }
    };
    // The offset field of the partition's inspector is the way for keys.
    let onclick = {
        let (window, partition) = (lane.window, lane.partition.clone());
        let (start, end) = (lane.log_start, lane.high_watermark);
        dispatch.reform(move |event: MouseEvent| {
            let place = place_of(&event).unwrap_or(1.0);
            // Widths of windows are below 2^53.
            let offset = window.end - window.width + (place * window.width as f64) as i64;
            let offset = offset.clamp(start, (end - 1).max(start));
            Intent::Select(Selection::Record {
                partition: partition.clone(),
                offset: Offset(offset),
            })
        })
    };
    html! {
        <div class="track" data-colour={colour} aria-hidden="true" {onclick}>
            { stretch("done", start, committed.min(position)) }
            { stretch("risk", committed.min(position), position) }
            { stretch("wait", position.max(start), watermark) }
            { stretch("open", watermark, 1_000) }
            if lane.window.shows_cells() {
                <i class="grid" style={format!("--cell:{:.3}", 100.0 / lane.window.width as f64)}></i>
            }
            if lane.log_start > 0 && start > 0 { <b class="start" style={format!("--at:{start}")}></b> }
            <b class="hw" style={format!("--at:{watermark}")}></b>
            { for lane.marks.iter().map(|mark| marks(mark, &place)) }
        </div>
    }
}

/// Where a pointer is in what it clicked, from 0 at its left edge to 1.
fn place_of(event: &MouseEvent) -> Option<f64> {
    let target = event.current_target()?.dyn_into::<Element>().ok()?;
    let frame = target.get_bounding_client_rect();
    let place = (f64::from(event.client_x()) - frame.left()) / frame.width().max(1.0);
    Some(place.clamp(0.0, 1.0))
}

/// A group's two markers.
fn marks(mark: &Mark, place: &impl Fn(i64) -> i32) -> Html {
    let colour = mark
        .owner
        .map_or_else(|| "none".to_string(), |owner| owner.colour().to_string());
    let marker = |class: &'static str, offset: Option<i64>| {
        offset.map(|offset| html! {
        <b class={class} data-colour={colour.clone()} style={format!("--at:{}", place(offset))}></b>
    })
    };
    html! { <>{ marker("committed", mark.committed) }{ marker("position", mark.position) }</> }
}
