//! What was delivered within a window of time, how often; each run of duplicates with its cause.

use crate::page::context::{send, use_dispatch, use_text};
use crate::page::hint::hint;
use crate::page::i18n::{Catalogue, Term};
use crate::page::stage::OwnerLetter;
use crate::page::store::Intent;
use crate::view::panel::{DeliveriesPanel, DuplicateRun, Figure, LedgerRow, Window};
use crate::view::{Duration, Instant, Offset, Selection};
use std::rc::Rc;
use yew::prelude::*;

/// Windows that end at the instant of the page, in seconds.
const LAST_S: [i64; 2] = [10, 60];

/// What it shows.
#[derive(PartialEq, Properties)]
pub struct DeliveriesViewProps {
    /// The view.
    pub panel: Rc<DeliveriesPanel>,
}

/// Sums, the partitions, and the runs.
#[component]
pub fn DeliveriesView(props: &DeliveriesViewProps) -> Html {
    let t = use_text();
    let panel = &props.panel;
    let dispatch = use_dispatch();
    html! {
        <div class="deliveries">
            <Windows window={panel.window} ends={panel.ends} />
            <dl>
                { for Figure::ALL.into_iter().zip(panel.sum).map(|(figure, value)| html! {
                    <div class="figure" data-bad={(figure.is_bad() && value > 0).to_string()}>
                        <dt>{ match term(figure) {
                            Some(term) => hint(&dispatch, term, (t.case().figure)(figure)),
                            None => html! { (t.case().figure)(figure) },
                        } }</dt>
                        <dd data-figure={format!("{figure:?}").to_lowercase()}>{ number(t, figure, value) }</dd>
                    </div>
                }) }
            </dl>
            if panel.runs.is_empty() {
                <p class="quiet">{ t.no_duplicates }</p>
            } else {
                <table class="figures">
                    <thead><tr>
                        <th>{ t.when }</th><th>{ t.partition }</th><th>{ t.offsets }</th><th class="right">{ t.records }</th>
                        <th>{ t.again_to }</th><th>{ t.cause }</th>
                    </tr></thead>
                    <tbody>{ for panel.runs.iter().map(|run| html! { <Run key={run.fact.0} run={run.clone()} /> }) }</tbody>
                </table>
            }
            <table class="figures ledger">
                <thead><tr>
                    <th>{ t.partition }</th>
                    { for Figure::ALL.into_iter().map(|figure| html! { <th class="right">{ (t.case().figure)(figure) }</th> }) }
                </tr></thead>
                <tbody>{ for panel.rows.iter().map(|row| html! {
                    <PartitionRow key={row.partition.to_string()} row={row.clone()} is_chosen={panel.chosen.as_ref() == Some(&row.partition)} />
                }) }</tbody>
            </table>
        </div>
    }
}

/// The word that explains a figure.
fn term(figure: Figure) -> Option<Term> {
    match figure {
        Figure::Delivered => Some(Term::Delivered),
        Figure::Duplicates | Figure::Processings => Some(Term::Duplicates),
        Figure::Done => Some(Term::Done),
        Figure::InDoubt => Some(Term::InDoubt),
        Figure::Skipped => Some(Term::Skipped),
        Figure::SkippedByReset | Figure::Expired | Figure::Unowned | Figure::Paused => None,
    }
}

fn number(t: &Catalogue, figure: Figure, value: i64) -> String {
    match figure.is_time() {
        true => (t.case().length)(value),
        false => (t.count)(value),
    }
}

/// Which window.
#[derive(PartialEq, Properties)]
struct WindowsProps {
    window: Window,
    ends: (Instant, Instant),
}

#[component]
fn Windows(props: &WindowsProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let choice = |window: Window, text: String, is_chosen: bool| {
        html! { <button class="button" aria-pressed={is_chosen.to_string()} onclick={send(&dispatch, Intent::Count(window))}>{ text }</button> }
    };
    let since = matches!(props.window, Window::Since(_));
    let (from, until) = props.ends;
    html! {
        <div class="windows" role="group" aria-label={t.case().window}>
            { choice(Window::Whole, t.case().whole_run.to_string(), props.window == Window::Whole) }
            { for LAST_S.into_iter().map(|seconds| {
                let window = Window::Last(Duration::from_ms(seconds * 1_000));
                choice(window, (t.case().last_seconds)(seconds), props.window == window)
            }) }
            { choice(Window::Since(until), t.case().from_here.to_string(), since) }
            <span class="quiet">{ t.brush().how }</span>
            <span class="caps">{ (t.case().window_text)((t.clock)(from), (t.clock)(until)) }</span>
        </div>
    }
}

/// Which partition.
#[derive(PartialEq, Properties)]
struct PartitionRowProps {
    row: LedgerRow,
    is_chosen: bool,
}

/// A partition; choosing it counts it alone, choosing it again all of them.
#[component]
fn PartitionRow(props: &PartitionRowProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let row = &props.row;
    let wanted = (!props.is_chosen).then(|| row.partition.clone());
    html! {
        <tr data-chosen={props.is_chosen.to_string()}>
            <td><button class="link" aria-pressed={props.is_chosen.to_string()} onclick={send(&dispatch, Intent::CountOnly(wanted))}>{ row.partition.to_string() }</button></td>
            { for Figure::ALL.into_iter().zip(row.figures).map(|(figure, value)| html! {
                <td class="right" data-bad={(figure.is_bad() && value > 0).to_string()}>{ number(t, figure, value) }</td>
            }) }
        </tr>
    }
}

/// Which run.
#[derive(PartialEq, Properties)]
struct RunProps {
    run: DuplicateRun,
}

#[component]
fn Run(props: &RunProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let run = &props.run;
    let first = Selection::Record {
        partition: run.partition.clone(),
        offset: Offset(run.base),
    };
    html! {
        <tr>
            <td>{ (t.clock)(run.at) }</td>
            <td>{ run.partition.to_string() }</td>
            <td><button class="link" aria-label={format!("{}: {}", (t.range)(run.base, run.last), (t.case().life_of)(run.base))} onclick={send(&dispatch, Intent::Select(first))}>{ (t.range)(run.base, run.last) }</button></td>
            <td class="right">{ (t.count)(run.count) }</td>
            <td><OwnerLetter owner={run.owner} />{ " " }{ run.actor.as_str() }</td>
            <td><button class="link" onclick={send(&dispatch, Intent::Select(Selection::Event(run.fact)))}>{ (t.duplicate_cause)(run.cause) }</button></td>
        </tr>
    }
}
