//! Who held which partition when.

use super::Ticks;
use crate::page::context::{use_dispatch, use_text};
use crate::page::hint::hint;
use crate::page::i18n::Term;
use crate::view::panel::{AXIS_UNITS, Band, Holder, OwnershipPanel, OwnershipRow, Span};
use std::rc::Rc;
use yew::prelude::*;

/// What it shows.
#[derive(PartialEq, Properties)]
pub struct OwnershipViewProps {
    /// The view.
    pub panel: Rc<OwnershipPanel>,
}

/// A row per partition over the group's states.
#[component]
pub fn OwnershipView(props: &OwnershipViewProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let panel = &props.panel;
    html! {
        <figure class="over-time" aria-label={(t.ownership_text)(panel.rebalances, panel.paused_tenths)}>
            <OwnershipRows bands={panel.bands.clone()} rows={panel.rows.clone()} />
            <Ticks axis={panel.axis} />
            <figcaption class="over-sum">
                <span>{ (t.rebalances_so_far)(panel.rebalances) }</span>
                <span>{ hint(&dispatch, Term::PartitionSeconds, &(t.paused_so_far)(panel.paused_tenths)) }</span>
                <span class="key owned">{ t.key_owned }</span>
                <span class="key nobody">{ hint(&dispatch, Term::Unowned, t.key_unowned) }</span>
                <span class="key paused">{ t.key_paused }</span>
            </figcaption>
        </figure>
    }
}

/// What the rows show.
#[derive(PartialEq, Properties)]
pub struct OwnershipRowsProps {
    /// The group's states.
    pub bands: Rc<[Band]>,
    /// A row per partition.
    pub rows: Rc<[OwnershipRow]>,
    /// Instants that are marked, on the axis.
    #[prop_or_else(|| Rc::new([]))]
    pub marks: Rc<[i64]>,
    /// The instant of the page, on the axis, if it is to be seen.
    #[prop_or_default]
    pub now: Option<i64>,
}

/// The group's states, and below them a row per partition.
#[component]
pub fn OwnershipRows(props: &OwnershipRowsProps) -> Html {
    let t = use_text();
    let at = |place: i64| format!("--at:{place}");
    html! {
        <div class="over-rows">
            <span class="over-name caps">{ t.group }</span>
            <div class="over-row band" aria-hidden="true">
                { for props.bands.iter().map(|band| html! {
                    <i data-state={band.state.name()} title={band.state.name()} style={extent(band.from, band.to)}></i>
                }) }
            </div>
            { for props.rows.iter().map(row) }
            if props.now.is_some() || !props.marks.is_empty() {
                <div class="over-marks" aria-hidden="true">
                    { for props.marks.iter().map(|place| html! { <b class="apart" style={at(*place)}></b> }) }
                    if let Some(now) = props.now { <b class="now" style={at(now)}></b> }
                </div>
            }
        </div>
    }
}

fn extent(from: i64, to: i64) -> String {
    format!("--from:{from};--length:{}", to - from)
}

fn row(row: &OwnershipRow) -> Html {
    html! {
        <>
            <span class="over-name" title={row.partition.to_string()}>{ &*row.label }</span>
            <div class="over-row" aria-hidden="true">{ for row.spans.iter().map(span) }</div>
        </>
    }
}

fn span(span: &Span) -> Html {
    let (holder, colour, letter) = match span.holder {
        Holder::Owner(owner) => ("owner", owner.colour().to_string(), owner.letter()),
        Holder::Paused => ("paused", "none".to_string(), String::new()),
        Holder::Nobody => ("nobody", "none".to_string(), String::new()),
    };
    // A letter needs about a fiftieth of the width.
    let has_room = span.to - span.from > AXIS_UNITS / 50;
    html! {
        <i data-holder={holder} data-colour={colour} style={extent(span.from, span.to)}>{ if has_room { letter } else { String::new() } }</i>
    }
}
