//! What a producer sends.

use super::ThingProps;
use super::field::Field;
use crate::kafka::time::Duration;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::inspect::ThingKind;
use crate::world::command::Command;
use crate::world::setup::Keys;
use yew::prelude::*;

/// The interval between records at a rate, or nothing if the rate is none. One that is too short for a
/// clock that counts microseconds is 0: the world refuses it in words.
fn every(rate: &str) -> Option<Duration> {
    let rate: i64 = rate.parse().ok()?;
    (rate > 0).then(|| Duration(1_000_000 / rate))
}

/// What a text means; `None` if it is no number.
type Parse = Box<dyn Fn(&str) -> Option<Command>>;

/// The controls.
#[component]
pub fn ProducerControls(props: &ThingProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let key = use_state(AttrValue::default);
    let ThingKind::Producer {
        actor,
        rate_per_s,
        keys,
        size_bytes,
        is_client,
        is_alive,
        is_frozen,
        ..
    } = &props.thing.kind
    else {
        return Html::default();
    };
    let number = |command: Parse| {
        dispatch.reform(move |value: String| {
            command(&value).map_or_else(|| Intent::NotANumber(value.clone()), Intent::Do)
        })
    };
    let (count, hot) = match keys {
        Keys::None => (0, 0),
        Keys::Some { count, hot_percent } => (*count, *hot_percent),
    };
    let name = actor.clone();
    let rate = number(Box::new(move |value| {
        let actor = name.clone();
        every(value).map(|every| Command::SetRate { actor, every })
    }));
    let name = actor.clone();
    let set_count = number(Box::new(move |value| {
        Some(Command::SetKeys {
            actor: name.clone(),
            keys: keys_of(value.parse().ok()?, hot),
        })
    }));
    let name = actor.clone();
    let set_hot = number(Box::new(move |value| {
        Some(Command::SetKeys {
            actor: name.clone(),
            keys: keys_of(count.max(1), value.parse().ok()?),
        })
    }));
    let name = actor.clone();
    let set_size = number(Box::new(move |value| {
        Some(Command::SetSize {
            actor: name.clone(),
            size_bytes: value.parse().ok()?,
        })
    }));
    let set_key = {
        let key = key.clone();
        Callback::from(move |value: String| key.set(value.into()))
    };
    let send_record = Command::SendRecord {
        actor: actor.clone(),
        key: (!key.is_empty()).then(|| key.as_str().into()),
    };
    let act = |label: &'static str, command: Command| {
        html! { <button class="button" onclick={send(&dispatch, Intent::Do(command))}>{ label }</button> }
    };
    html! {
        <section class="section">
            <h3>{ t.records }</h3>
            <Field label={t.rate} value={rate_per_s.to_string()} unit={t.per_second_unit} is_number=true onchange={rate} />
            if *is_client {
                <Field label={t.different_keys} value={count.to_string()} placeholder={t.no_keys} is_number=true onchange={set_count} />
                <Field label={t.hot_key} value={hot.to_string()} unit="%" is_number=true onchange={set_hot} />
                <Field label={t.record_size} value={size_bytes.to_string()} unit={t.bytes} is_number=true onchange={set_size} />
            }
            if *is_client && *is_alive {
                <Field label={t.admin().send_record} value={(*key).clone()} placeholder={t.admin().no_key} onchange={set_key} />
                <button class="button" onclick={send(&dispatch, Intent::Do(send_record))}>{ t.admin().send_now }</button>
            }
            if *is_alive {
                <div class="button-row">
                    { act(t.kill, Command::Kill { actor: actor.clone() }) }
                    if *is_frozen {
                        { act(t.thaw, Command::Thaw { actor: actor.clone() }) }
                    } else {
                        { act(t.freeze, Command::Freeze { actor: actor.clone() }) }
                        { act(t.restart, Command::Restart { actor: actor.clone(), configs: Default::default() }) }
                    }
                </div>
            }
        </section>
    }
}

fn keys_of(count: u32, hot_percent: u32) -> Keys {
    match count {
        0 => Keys::None,
        count => Keys::Some { count, hot_percent },
    }
}
