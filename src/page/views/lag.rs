//! Lag over time.

use super::Ticks;
use crate::kafka::sorted::sort_few;
use crate::page::context::{use_dispatch, use_text};
use crate::page::hint::hint;
use crate::page::i18n::{Catalogue, Term};
use crate::page::stage::OwnerLetter;
use crate::view::panel::{AXIS_UNITS, LagPanel, LagRow};
use std::fmt::Write;
use std::rc::Rc;
use yew::prelude::*;

/// Height of the picture in its own units.
const HEIGHT: i64 = 1_000;

/// What it shows.
#[derive(PartialEq, Properties)]
pub struct LagViewProps {
    /// The view.
    pub panel: Rc<LagPanel>,
}

/// Lines over time, and the three lags of each partition now.
#[component]
pub fn LagView(props: &LagViewProps) -> Html {
    let t = use_text();
    let panel = &props.panel;
    html! {
        <div class="lag-view">
            <figure class="over-time" aria-label={(t.lag_text)(panel.total_now)}>
                <div class="lag-chart">
                    <span class="lag-most caps">{ (t.count)(panel.most) }</span>
                    <span class="lag-zero caps">{ "0" }</span>
                    <svg viewBox={format!("0 0 {AXIS_UNITS} {HEIGHT}")} preserveAspectRatio="none" aria-hidden="true">
                        <line class="grid" x1="0" x2={AXIS_UNITS.to_string()} y1="0" y2="0" />
                        <line class="grid" x1="0" x2={AXIS_UNITS.to_string()} y1="500" y2="500" />
                        { for panel.rows.iter().zip(dashes(&panel.rows)).map(|(row, dash)| html! {
                            <path class="part" data-colour={colour(row)} data-dash={dash.to_string()} d={path(&row.line, panel.most)} />
                        }) }
                        <path class="total" d={path(&panel.total, panel.most)} />
                    </svg>
                    { names(t, panel) }
                </div>
                <Ticks axis={panel.axis} />
            </figure>
            <LagTable panel={panel.clone()} />
        </div>
    }
}

/// Lines of one owner have its colour, and are told apart by their dashes.
fn dashes(rows: &[LagRow]) -> Vec<usize> {
    let same = |place: usize, row: &LagRow| {
        let before = rows.iter().take(place);
        before.filter(|other| other.owner == row.owner).count() % 3
    };
    rows.iter()
        .enumerate()
        .map(|(place, row)| same(place, row))
        .collect()
}

/// Lines that have a name beside their end: of more, those with the largest lag.
const NAMES_MOST: usize = 7;
/// How far names stand apart at least, in thousandths of the picture's height.
const NAME_APART: i64 = 105;

/// The lines' names at their ends, moved apart where lines end close to each other.
fn names(t: &Catalogue, panel: &LagPanel) -> Html {
    let top = |lag: i64| HEIGHT - lag.saturating_mul(HEIGHT) / panel.most.max(1);
    let sum = (panel.total_now, None);
    let rows = panel.rows.iter().zip(dashes(&panel.rows));
    let rows = rows.map(|(row, dash)| (row.committed.unwrap_or(0), Some((row, dash))));
    let mut ends: Vec<_> = rows.collect();
    sort_few(&mut ends, |left, right| left.0 > right.0);
    ends.truncate(NAMES_MOST);
    ends.insert(0, sum);
    // From the lowest up, so that what is pushed away goes where there is room.
    let mut free = HEIGHT;
    let mut places: Vec<i64> = Vec::new();
    for (lag, _) in ends.iter().rev() {
        let at = top(*lag).min(free);
        places.push(at);
        free = at - NAME_APART;
    }
    let named = ends.into_iter().zip(places.into_iter().rev());
    html! {
        <div class="lag-names" aria-hidden="true">
            { for named.map(|((lag, row), at)| match row {
                Some((row, dash)) => html! {
                    <span data-colour={colour(row)} data-dash={dash.to_string()} style={format!("--at:{at}")}>{ row.partition.to_string() }</span>
                },
                None => html! { <span class="sum" style={format!("--at:{at}")}>{ t.sum }{ " " }{ (t.count)(lag) }</span> },
            }) }
        </div>
    }
}

fn colour(row: &LagRow) -> String {
    row.owner
        .map_or_else(|| "none".to_string(), |owner| owner.colour().to_string())
}

/// Steps from corner to corner.
fn path(corners: &[(i64, i64)], most: i64) -> String {
    let height = |lag: i64| HEIGHT - lag.saturating_mul(HEIGHT) / most.max(1);
    let mut path = String::new();
    for (index, (place, lag)) in corners.iter().enumerate() {
        // Writing into a string cannot fail.
        let _ = if index == 0 {
            write!(path, "M{place} {}", height(*lag))
        } else {
            write!(path, "H{place}V{}", height(*lag))
        };
    }
    path
}

#[component]
fn LagTable(props: &LagViewProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let number = |lag: Option<i64>| lag.map_or_else(|| "–".to_string(), t.count);
    html! {
        <table class="figures">
            <thead><tr>
                <th>{ t.partition }</th><th>{ t.owner }</th>
                <th class="right">{ hint(&dispatch, Term::Lag, t.committed_lag) }</th>
                <th class="right">{ hint(&dispatch, Term::PositionLag, t.position_lag) }</th>
                <th class="right">{ hint(&dispatch, Term::ProcessingLag, t.processing_lag) }</th>
            </tr></thead>
            <tbody>
                { for props.panel.rows.iter().map(|row| html! {
                    <tr>
                        <td>{ row.partition.to_string() }</td><td><OwnerLetter owner={row.owner} /></td>
                        <td class="right">{ number(row.committed) }</td><td class="right">{ number(row.position) }</td><td class="right">{ number(row.processing) }</td>
                    </tr>
                }) }
                <tr class="sum"><td>{ t.sum }</td><td></td><td class="right">{ (t.count)(props.panel.total_now) }</td><td></td><td></td></tr>
            </tbody>
        </table>
    }
}
