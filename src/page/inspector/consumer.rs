//! What may be done to a consumer, and how its program behaves.

use super::ThingProps;
use super::admin::RemoveMember;
use super::field::Field;
use super::program::ProgramControls;
use crate::kafka::time::Duration;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::hint::hint;
use crate::page::i18n::Term;
use crate::page::store::Intent;
use crate::view::inspect::ThingKind;
use crate::world::command::Command;
use yew::prelude::*;

/// How long a stalled program stays away from poll.
const STALL: Duration = Duration::from_ms(20_000);

/// The controls.
#[component]
pub fn ConsumerControls(props: &ThingProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let ThingKind::Consumer {
        actor,
        is_running,
        group,
        instance_id,
        ..
    } = &props.thing.kind
    else {
        return Html::default();
    };
    let instance = {
        let actor = actor.clone();
        dispatch.reform(move |value: String| {
            Intent::Do(Command::SetConfig {
                actor: actor.clone(),
                name: "group.instance.id".into(),
                value: value.into(),
            })
        })
    };
    let is_static = !instance_id.is_empty();
    let toggle = {
        let instance = instance.clone();
        let wanted = if is_static {
            String::new()
        } else {
            actor.to_string()
        };
        Callback::from(move |_: Event| instance.emit(wanted.clone()))
    };
    let stall = Command::Stall {
        actor: actor.clone(),
        length: STALL,
    };
    let restart = Command::Restart {
        actor: actor.clone(),
        configs: Default::default(),
    };
    html! {
        <section class="section">
            if props.thing.configs.iter().any(|row| row.is_pending) {
                <p class="note">{ t.counts_from_next_start }
                    <button class="button" onclick={send(&dispatch, Intent::Do(restart))}>{ t.restart }</button>
                </p>
            }
            <h3>{ t.program }</h3>
            <ProgramControls thing={props.thing.clone()} />
            <div class="section-head">
            <label class="switch">
                <input type="checkbox" role="switch" checked={is_static} onchange={toggle} />{ t.static_member }
            </label>
            { hint(&dispatch, Term::StaticMember, "group.instance.id") }
            </div>
            if is_static {
                <Field label="group.instance.id" value={AttrValue::from(instance_id.clone())} onchange={instance.clone()} />
            }
            if !instance_id.is_empty() && !group.is_empty() {
                <RemoveMember group={group.clone()} member={instance_id.clone()} />
            }
            if *is_running {
                <button class="button" onclick={send(&dispatch, Intent::Do(stall))}>{ (t.stall_for)(STALL.as_ms() / 1_000) }</button>
            }
        </section>
    }
}
