//! Messages over time: a line per party, an arrow per message.

use super::use_end;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::Selection;
use crate::view::messages::Side;
use crate::view::messages::diagram::{Arrow, Diagram};
use std::rc::Rc;
use yew::prelude::*;

/// What it shows.
#[derive(PartialEq, Properties)]
pub struct DiagramViewProps {
    /// The picture.
    pub diagram: Rc<Diagram>,
    /// The message in the inspector.
    pub selected: Option<(u64, bool)>,
    /// Whether it ends with the present.
    pub follows: bool,
}

/// Middle of a column, in hundredths of a per cent.
fn middle(column: usize, of: usize) -> i64 {
    let (column, of) = (
        i64::try_from(column).unwrap_or(0),
        i64::try_from(of).unwrap_or(1).max(1),
    );
    (2 * column + 1) * 10_000 / (2 * of)
}

fn percent(hundredths: i64) -> String {
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

/// The picture. Whoever cannot see it has the list.
#[component]
pub fn DiagramView(props: &DiagramViewProps) -> Html {
    let catalogue = use_text();
    let t = catalogue.messages();
    let diagram = &props.diagram;
    let node = use_node_ref();
    let onscroll = use_end(&node, props.follows);
    let count = diagram.sides.len();
    let exchanges = diagram
        .arrows
        .iter()
        .filter(|arrow| !arrow.is_answer)
        .count();
    html! {
        <figure class="diagram" ref={node} {onscroll} tabindex="0" aria-label={(t.diagram)(exchanges, count)} style={format!("--lanes:{count}")}>
            <div class="lanes-head" aria-hidden="true">
                { for diagram.sides.iter().map(|side| match side {
                    Side::Client(name) => html! { <span>{ name.as_str() }</span> },
                    Side::Broker(id) => html! { <span class="of-broker">{ (catalogue.broker)(id.0) }</span> },
                }) }
            </div>
            <div class="lanes" aria-hidden="true">
                <div class="lanes-times">
                    { for diagram.ticks.iter().map(|(y, at)| html! { <span key={at.0} style={format!("--y:{y}")}>{ (catalogue.clock)(*at) }</span> }) }
                    { for diagram.folds.iter().map(|fold| html! { <span key={format!("f{}", fold.y)} class="fold" style={format!("--y:{}", fold.y)}>{ (t.fold)(fold.ms) }</span> }) }
                </div>
                <svg height={diagram.height.to_string()}>
                    <defs>
                        <marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .8 7.4 4 0 7.2z" /></marker>
                        <marker id="head-error" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .8 7.4 4 0 7.2z" /></marker>
                    </defs>
                    { for (0..count).map(|column| {
                        let x = percent(middle(column, count));
                        html! { <line class="lane" x1={x.clone()} x2={x} y1="0" y2="100%" /> }
                    }) }
                    { for diagram.folds.iter().map(|fold| html! {
                        <g class="fold" key={fold.y}>
                            <line x1="0" x2="100%" y1={(fold.y - 3).to_string()} y2={(fold.y - 3).to_string()} />
                            <line x1="0" x2="100%" y1={(fold.y + 3).to_string()} y2={(fold.y + 3).to_string()} />
                        </g>
                    }) }
                    { for diagram.arrows.iter().map(|arrow| html! {
                        <ArrowView key={format!("{}{}", arrow.exchange, arrow.is_answer)} arrow={arrow.clone()} {count}
                            is_selected={props.selected == Some((arrow.exchange, arrow.is_answer))} />
                    }) }
                    { for diagram.arrows.iter().filter(|arrow| has_words(arrow)).map(|arrow| html! {
                        <Words key={format!("w{}{}", arrow.exchange, arrow.is_answer)} arrow={arrow.clone()} {count}
                            is_selected={props.selected == Some((arrow.exchange, arrow.is_answer))} />
                    }) }
                    if props.follows { <line class="present" x1="0" x2="100%" y1={(diagram.height - 8).to_string()} y2={(diagram.height - 8).to_string()} /> }
                </svg>
            </div>
            if diagram.left_out > 0 { <figcaption class="caps">{ (t.left_out)(diagram.left_out) }</figcaption> }
        </figure>
    }
}

/// Which message.
#[derive(PartialEq, Properties)]
struct ArrowProps {
    arrow: Rc<Arrow>,
    count: usize,
    is_selected: bool,
}

/// What kind of arrow it is, as the style sheet calls it.
fn kind_of(arrow: &Arrow) -> &'static str {
    match (arrow.is_lost, arrow.error.is_none(), arrow.is_answer) {
        (true, ..) => "lost",
        (_, false, _) => "error",
        (.., true) => "answer",
        (.., false) => "request",
    }
}

/// Of an answer only its error is told, or that it was lost.
fn has_words(arrow: &Arrow) -> bool {
    kind_of(arrow) != "answer"
}

fn selection_of(arrow: &Arrow) -> Selection {
    Selection::Message {
        exchange: arrow.exchange,
        is_answer: arrow.is_answer,
    }
}

#[component]
fn ArrowView(props: &ArrowProps) -> Html {
    let dispatch = use_dispatch();
    let arrow = &props.arrow;
    let (from, to) = (
        middle(arrow.from, props.count),
        middle(arrow.to, props.count),
    );
    let end = from + (to - from) * arrow.way / 1_000;
    let head = if arrow.error.is_none() {
        "url(#head)"
    } else {
        "url(#head-error)"
    };
    let has_arrived = arrow.way == 1_000 && !arrow.is_lost;
    let line = |class: &'static str, head: Option<&'static str>| {
        html! { <line {class} x1={percent(from)} x2={percent(end)} y1={arrow.sent.to_string()} y2={arrow.arrives.to_string()} marker-end={head} /> }
    };
    html! {
        <g class="arrow" data-kind={kind_of(arrow)} data-selected={props.is_selected.to_string()} data-exchange={arrow.exchange.to_string()}
            onclick={send(&dispatch, Intent::Select(selection_of(arrow)))}>
            { line("touch", None) }
            { line("shaft", has_arrived.then_some(head)) }
        </g>
    }
}

/// What is written at an arrow, above all arrows: at the client, so that the words of different clients do
/// not meet.
#[component]
fn Words(props: &ArrowProps) -> Html {
    let t = use_text().messages();
    let dispatch = use_dispatch();
    let arrow = &props.arrow;
    let words = match kind_of(arrow) {
        "lost" => format!("{}: {}", arrow.api.name(), t.lost),
        "error" => format!("{} {}", arrow.error.code(), arrow.error.name()),
        _ => arrow.api.name().to_string(),
    };
    let (client, broker, height, below) = match arrow.is_answer {
        true => (arrow.to, arrow.from, arrow.arrives, -4),
        false => (arrow.from, arrow.to, arrow.sent, 11),
    };
    let (anchor, dx) = match broker > client {
        true => ("start", "5"),
        false => ("end", "-5"),
    };
    html! {
        <g class="arrow" data-kind={kind_of(arrow)} data-selected={props.is_selected.to_string()} onclick={send(&dispatch, Intent::Select(selection_of(arrow)))}>
            <text x={percent(middle(client, props.count))} {dx} y={(height + below).to_string()} text-anchor={anchor}>{ words }</text>
        </g>
    }
}
