//! What may be done to a group or a topic.

use super::ThingProps;
use super::field::{ChoiceField, Field};
use crate::kafka::config::ASSIGNORS;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::inspect::ThingKind;
use crate::world::command::{Command, Rollout};
use yew::prelude::*;

/// Switching a group's assignor.
#[component]
pub fn GroupControls(props: &ThingProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let ThingKind::Group { id, strategy } = &props.thing.kind else {
        return Html::default();
    };
    let now = strategy.first().map_or("", |name| name).to_string();
    let chosen = use_state(|| None::<String>);
    let wanted = (*chosen).clone().unwrap_or_else(|| now.clone());
    let choose = {
        let chosen = chosen.clone();
        Callback::from(move |value: String| chosen.set(Some(value)))
    };
    let apply = |how: Rollout, label: &'static str| {
        let command = Command::SwitchAssignor {
            group: id.clone(),
            strategy: vec![wanted.as_str().into()],
            how,
        };
        html! { <button class="button" disabled={wanted == now} onclick={send(&dispatch, Intent::Do(command))}>{ label }</button> }
    };
    html! {
        <section class="section">
            <h3>{ t.assignor }</h3>
            <ChoiceField label="partition.assignment.strategy" value={wanted.clone()} onchange={choose}
                options={ASSIGNORS.iter().map(|name| (AttrValue::from(*name), AttrValue::from(*name))).collect::<Vec<_>>()} />
            <div class="button-row">
                { apply(Rollout::RollingBounce, t.rolling_change) }
                { apply(Rollout::FullRestart, t.full_restart) }
            </div>
            <button class="button" onclick={send(&dispatch, Intent::AddConsumer(id.clone()))}>{ t.add_consumer }</button>
        </section>
    }
}

/// More partitions.
#[component]
pub fn TopicControls(props: &ThingProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let ThingKind::Topic { name, partitions } = &props.thing.kind else {
        return Html::default();
    };
    let onchange = {
        let topic = name.clone();
        dispatch.reform(move |value: String| match value.parse() {
            Ok(total) => Intent::Do(Command::AddPartitions {
                topic: topic.clone(),
                total,
            }),
            Err(_) => Intent::NotANumber(value),
        })
    };
    html! {
        <section class="section">
            <h3>{ t.add_partitions }</h3>
            <Field label={t.partitions_in_all} value={partitions.to_string()} is_number=true {onchange} />
        </section>
    }
}
