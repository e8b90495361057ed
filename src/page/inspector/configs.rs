//! Configurations under their dotted names.

use super::ThingProps;
use super::field::{ChoiceField, Field};
use crate::page::context::{use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::inspect::{ConfigRow, ThingKind};
use crate::view::{ActorName, BrokerId};
use crate::world::command::Command;
use std::rc::Rc;
use yew::prelude::*;

/// The ones that a group's behaviour hangs on; the others are a click away.
const FIRST: [&str; 11] = [
    "session.timeout.ms",
    "heartbeat.interval.ms",
    "max.poll.interval.ms",
    "max.poll.records",
    "enable.auto.commit",
    "auto.commit.interval.ms",
    "auto.offset.reset",
    "partition.assignment.strategy",
    "fetch.min.bytes",
    "fetch.max.wait.ms",
    "message.max.bytes",
];

/// All configurations of a client.
#[component]
pub fn ConfigList(props: &ThingProps) -> Html {
    let t = use_text();
    let thing = &props.thing;
    let owner = match &thing.kind {
        ThingKind::Consumer { actor, .. } | ThingKind::Producer { actor, .. } => {
            Owner::Client(actor.clone())
        }
        ThingKind::Broker(id) => Owner::Broker(*id),
        _ => return Html::default(),
    };
    let (first, rest): (Vec<&ConfigRow>, Vec<&ConfigRow>) = thing
        .configs
        .iter()
        .partition(|row| FIRST.contains(&row.name));
    let field = |row: &ConfigRow| html! { <ConfigField key={row.name} owner={owner.clone()} row={row.clone()} /> };
    html! {
        <section class="section configs">
            <h3>{ t.configuration }</h3>
            { for first.into_iter().map(field) }
            <details>
                <summary>{ t.more_configurations }</summary>
                { for rest.into_iter().map(field) }
            </details>
        </section>
    }
}

/// Whose configuration.
#[derive(Clone, PartialEq)]
enum Owner {
    Client(ActorName),
    Broker(BrokerId),
}

/// Which configuration, whose.
#[derive(PartialEq, Properties)]
struct ConfigFieldProps {
    owner: Owner,
    row: ConfigRow,
}

#[component]
fn ConfigField(props: &ConfigFieldProps) -> Html {
    let dispatch = use_dispatch();
    let row = &props.row;
    let onchange = {
        let (owner, name) = (props.owner.clone(), Rc::<str>::from(row.name));
        dispatch.reform(move |value: String| {
            let (name, value) = (name.clone(), value.into());
            Intent::Do(match owner.clone() {
                Owner::Client(actor) => Command::SetConfig { actor, name, value },
                Owner::Broker(broker) => Command::SetBrokerConfig {
                    broker,
                    name,
                    value,
                },
            })
        })
    };
    let value = AttrValue::from(row.value.clone());
    html! {
        <div class="config" data-changed={(row.value != row.default).to_string()} data-pending={row.is_pending.to_string()}>
            if row.choices.is_empty() {
                <Field label={row.name} {value} placeholder={AttrValue::from(row.default.clone())} {onchange} />
            } else {
                <ChoiceField label={row.name} {value} {onchange}
                    options={row.choices.iter().map(|word| (AttrValue::from(*word), AttrValue::from(*word))).collect::<Vec<_>>()} />
            }
        </div>
    }
}
