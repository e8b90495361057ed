//! What `kafka-consumer-groups.sh --describe` would print now, in its own words.

use crate::page::context::{send, use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::GroupState;
use crate::view::panel::{MemberLine, TableKind, TableLine, TablePanel};
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

/// Its column that is there only where a member is static.
const INSTANCE_COLUMN: &str = "GROUP-INSTANCE-ID";

/// Its columns with `--members --verbose`.
const MEMBER_COLUMNS: [(&str, bool); 7] = [
    ("GROUP", false),
    ("CONSUMER-ID", false),
    (INSTANCE_COLUMN, false),
    ("HOST", false),
    ("CLIENT-ID", false),
    ("#PARTITIONS", true),
    ("ASSIGNMENT", false),
];

/// Its columns with `--state`.
const STATE_COLUMNS: [(&str, bool); 5] = [
    ("GROUP", false),
    ("COORDINATOR (ID)", false),
    ("ASSIGNMENT-STRATEGY", false),
    ("STATE", false),
    ("#MEMBERS", true),
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
    let dispatch = use_dispatch();
    let panel = &props.panel;
    let has_instances = panel.members.iter().any(|line| line.instance_id.is_some());
    let (columns, rows): (Vec<(&str, bool)>, Html) = match panel.kind {
        TableKind::Offsets => (
            COLUMNS.to_vec(),
            panel
                .lines
                .iter()
                .map(|line| row(&panel.group, line))
                .collect(),
        ),
        TableKind::Members => (
            MEMBER_COLUMNS
                .into_iter()
                .filter(|(name, _)| *name != INSTANCE_COLUMN || has_instances)
                .collect(),
            panel
                .members
                .iter()
                .map(|line| member(&panel.group, line, has_instances))
                .collect(),
        ),
        TableKind::State => (STATE_COLUMNS.to_vec(), state(panel)),
    };
    html! {
        <div class="tool">
            <div class="choices" role="group" aria-label={t.group_table}>
                { for TableKind::ALL.into_iter().map(|kind| html! {
                    <button class="button plain" lang="en" aria-pressed={(kind == panel.kind).to_string()}
                        onclick={send(&dispatch, Intent::Describe(kind))}>{ format!("--describe{}", kind.options()) }</button>
                }) }
            </div>
            <p class="command" lang="en">{ format!("kafka-consumer-groups.sh --bootstrap-server broker-1:9092 --describe --group {}{}", panel.group, panel.kind.options()) }</p>
            <p class="remark" lang="en">{ remark(panel).unwrap_or_else(|| "\u{a0}".to_string()) }</p>
            <table class="figures" lang="en" aria-label={t.group_table}>
                <thead><tr>{ for columns.iter().map(|(name, is_right)| html! { <th class={classes!(is_right.then_some("right"))}>{ *name }</th> }) }</tr></thead>
                <tbody>{ rows }</tbody>
            </table>
        </div>
    }
}

/// The one line of `--state`; a group that does not exist has none.
fn state(panel: &TablePanel) -> Html {
    let Some(state) = panel.state.filter(|state| *state != GroupState::Dead) else {
        return Html::default();
    };
    html! {
        <tr>
            <td>{ panel.group.to_string() }</td><td>{ panel.coordinator.to_string() }</td><td>{ panel.strategy.to_string() }</td>
            <td>{ state.name() }</td><td class="right">{ panel.member_count }</td>
        </tr>
    }
}

fn member(group: &str, line: &MemberLine, has_instances: bool) -> Html {
    html! {
        <tr>
            <td>{ group.to_string() }</td><td>{ line.consumer_id.to_string() }</td>
            if has_instances { <td>{ line.instance_id.as_deref().unwrap_or_default().to_string() }</td> }
            <td>{ line.host.to_string() }</td><td>{ line.client_id.to_string() }</td>
            <td class="right">{ line.partitions }</td><td>{ line.assignment.to_string() }</td>
        </tr>
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
