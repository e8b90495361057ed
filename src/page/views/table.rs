//! What `kafka-consumer-groups.sh --describe` would print now, in its own words.

use crate::page::context::use_text;
use crate::view::GroupState;
use crate::view::panel::{TableLine, TablePanel};
use std::rc::Rc;
use yew::prelude::*;

/// What it shows.
#[derive(PartialEq, Properties)]
pub struct TableViewProps {
    /// The view.
    pub panel: Rc<TablePanel>,
}

/// The tool's columns.
const COLUMNS: [(&str, bool); 9] = [
    ("GROUP", false),
    ("TOPIC", false),
    ("PARTITION", true),
    ("CURRENT-OFFSET", true),
    ("LOG-END-OFFSET", true),
    ("LAG", true),
    ("CONSUMER-ID", false),
    ("HOST", false),
    ("CLIENT-ID", false),
];

/// The tool's remark on a group that is not Stable.
fn remark(panel: &TablePanel) -> Option<String> {
    let group = &panel.group;
    match panel.state? {
        GroupState::Stable => None,
        GroupState::Empty => Some(format!("Consumer group '{group}' has no active members.")),
        GroupState::PreparingRebalance | GroupState::CompletingRebalance => {
            Some(format!("Warning: Consumer group '{group}' is rebalancing."))
        }
        GroupState::Dead => Some(format!("Consumer group '{group}' does not exist.")),
    }
}

/// The table.
#[component]
pub fn TableView(props: &TableViewProps) -> Html {
    let t = use_text();
    let panel = &props.panel;
    html! {
        <div class="tool">
            <p class="command" lang="en">{ format!("kafka-consumer-groups.sh --bootstrap-server broker-1:9092 --describe --group {}", panel.group) }</p>
            <p class="remark" lang="en">{ remark(panel).unwrap_or_else(|| "\u{a0}".to_string()) }</p>
            <table class="figures" lang="en" aria-label={t.group_table}>
                <thead><tr>{ for COLUMNS.iter().map(|(name, is_right)| html! { <th class={classes!(is_right.then_some("right"))}>{ *name }</th> }) }</tr></thead>
                <tbody>{ for panel.lines.iter().map(|line| row(&panel.group, line)) }</tbody>
            </table>
        </div>
    }
}

fn row(group: &str, line: &TableLine) -> Html {
    let number =
        |value: Option<i64>| value.map_or_else(|| "-".to_string(), |value| value.to_string());
    let text = |value: &Option<Rc<str>>| value.as_deref().unwrap_or("-").to_string();
    html! {
        <tr>
            <td>{ group.to_string() }</td><td>{ line.topic.to_string() }</td><td class="right">{ line.partition }</td>
            <td class="right">{ number(line.current_offset) }</td><td class="right">{ line.log_end_offset }</td><td class="right">{ number(line.lag) }</td>
            <td>{ text(&line.consumer_id) }</td><td>{ text(&line.host) }</td><td>{ text(&line.client_id) }</td>
        </tr>
    }
}
