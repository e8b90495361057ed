//! Lag over time.

use super::Ticks;
use crate::page::context::use_text;
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
                    <svg viewBox={format!("0 0 {AXIS_UNITS} {HEIGHT}")} preserveAspectRatio="none" aria-hidden="true">
                        <line class="grid" x1="0" x2={AXIS_UNITS.to_string()} y1="0" y2="0" />
                        <line class="grid" x1="0" x2={AXIS_UNITS.to_string()} y1="500" y2="500" />
                        { for panel.rows.iter().map(|row| html! {
                            <path class="part" data-colour={colour(row)} d={path(&row.line, panel.most)} />
                        }) }
                        <path class="total" d={path(&panel.total, panel.most)} />
                    </svg>
                </div>
                <Ticks axis={panel.axis} />
            </figure>
            <LagTable panel={panel.clone()} />
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
    let number = |lag: Option<i64>| lag.map_or_else(|| "–".to_string(), t.count);
    html! {
        <table class="figures">
            <thead><tr>
                <th>{ t.partition }</th><th>{ t.owner }</th>
                <th class="right">{ t.committed_lag }</th><th class="right">{ t.position_lag }</th><th class="right">{ t.processing_lag }</th>
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
