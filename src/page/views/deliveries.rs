//! What was delivered, how often; each run of duplicates with its cause.

use crate::page::context::{send, use_dispatch, use_text};
use crate::page::hint::hint;
use crate::page::i18n::Term;
use crate::page::stage::OwnerLetter;
use crate::page::store::Intent;
use crate::view::Selection;
use crate::view::panel::{DeliveriesPanel, DuplicateRun};
use std::rc::Rc;
use yew::prelude::*;

/// What it shows.
#[derive(PartialEq, Properties)]
pub struct DeliveriesViewProps {
    /// The view.
    pub panel: Rc<DeliveriesPanel>,
}

/// Sums, and the runs.
#[component]
pub fn DeliveriesView(props: &DeliveriesViewProps) -> Html {
    let t = use_text();
    let panel = &props.panel;
    let dispatch = use_dispatch();
    let figure = |term: Term, label: &'static str, name: &'static str, value: i64, is_bad: bool| {
        html! {
            <div class="figure" data-bad={(is_bad && value > 0).to_string()}>
                <dt>{ hint(&dispatch, term, label) }</dt><dd data-figure={name}>{ (t.count)(value) }</dd>
            </div>
        }
    };
    html! {
        <div class="deliveries">
            <dl>
                { figure(Term::Delivered, t.delivered, "delivered", panel.delivered, false) }
                { figure(Term::Duplicates, t.duplicate_deliveries, "duplicates", panel.duplicates, true) }
                { figure(Term::Done, t.done, "done", panel.done, false) }
                { figure(Term::Duplicates, t.duplicate_processings, "processings", panel.duplicate_processings, true) }
                { figure(Term::InDoubt, t.in_doubt, "in-doubt", panel.in_doubt, false) }
                { figure(Term::Skipped, t.skipped, "skipped", panel.skipped, true) }
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
        </div>
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
    html! {
        <tr>
            <td>{ (t.clock)(run.at) }</td>
            <td>{ run.partition.to_string() }</td>
            <td>{ (t.range)(run.base, run.last) }</td>
            <td class="right">{ (t.count)(run.count) }</td>
            <td><OwnerLetter owner={run.owner} />{ " " }{ run.actor.as_str() }</td>
            <td><button class="link" onclick={send(&dispatch, Intent::Select(Selection::Event(run.fact)))}>{ (t.duplicate_cause)(run.cause) }</button></td>
        </tr>
    }
}
