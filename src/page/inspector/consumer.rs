//! What may be done to a consumer, and how its program behaves.

use super::ThingProps;
use super::admin::RemoveMember;
use super::field::{ChoiceField, Field};
use crate::kafka::time::Duration;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::hint::hint;
use crate::page::i18n::Term;
use crate::page::store::Intent;
use crate::view::inspect::ThingKind;
use crate::world::command::Command;
use crate::world::setup::{ApplicationSpec, CommitStyle, OnPoison, Workers};
use yew::prelude::*;

/// How long a stalled program stays away from poll.
const STALL: Duration = Duration::from_ms(20_000);

/// Ways of committing, as values of a list.
pub const COMMIT_STYLES: [(&str, Option<CommitStyle>); 8] = [
    ("default", None),
    ("none", Some(CommitStyle::None)),
    ("sync", Some(CommitStyle::SyncAfterBatch)),
    ("sync-each", Some(CommitStyle::SyncEvery { records: 1 })),
    ("async", Some(CommitStyle::AsyncAfterBatch)),
    ("before", Some(CommitStyle::SyncBeforeProcessing)),
    (
        "resend",
        Some(CommitStyle::AsyncEveryWithResend { records: 1 }),
    ),
    (
        "guard",
        Some(CommitStyle::AsyncEveryWithGuard { records: 1 }),
    ),
];

/// Ways of handling what cannot be handled, as values of a list.
const POISON_WAYS: [(&str, OnPoison); 4] = [
    ("crash", OnPoison::Crash),
    ("retry", OnPoison::Retry),
    ("skip", OnPoison::Skip),
    ("retry_topic", OnPoison::RetryTopic),
];
/// Records that may wait for a thread, unless the program says otherwise.
const QUEUE_MAX: u32 = 1_000;

/// The controls.
#[component]
pub fn ConsumerControls(props: &ThingProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let ThingKind::Consumer {
        actor,
        is_running,
        application,
        group,
        instance_id,
        ..
    } = &props.thing.kind
    else {
        return Html::default();
    };
    let handler = {
        let actor = actor.clone();
        dispatch.reform(move |value: String| match value.parse() {
            Ok(ms) => Intent::Do(Command::SetHandler {
                actor: actor.clone(),
                time_per_record: Duration::from_ms(ms),
            }),
            Err(_) => Intent::NotANumber(value),
        })
    };
    let style = {
        let actor = actor.clone();
        dispatch.reform(move |value: String| {
            let found = COMMIT_STYLES.iter().find(|(name, _)| *name == value);
            Intent::Do(Command::SetCommitStyle {
                actor: actor.clone(),
                commit: found.and_then(|(_, style)| *style),
            })
        })
    };
    let chosen = COMMIT_STYLES
        .iter()
        .find(|(_, style)| *style == application.commit)
        .map_or("default", |entry| entry.0);
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
    let change = |edit: fn(&mut ApplicationSpec, &str) -> bool| {
        let (actor, before) = (actor.clone(), application.clone());
        dispatch.reform(move |value: String| {
            let mut application = before.clone();
            match edit(&mut application, &value) {
                true => Intent::Do(Command::SetApplication {
                    actor: actor.clone(),
                    application,
                }),
                false => Intent::NotANumber(value),
            }
        })
    };
    let poison = change(|application, value| {
        let found = POISON_WAYS.iter().find(|(name, _)| *name == value);
        found
            .inspect(|(_, way)| application.on_poison = *way)
            .is_some()
    });
    let threads = change(|application, value| match value.parse() {
        _ if value.is_empty() => {
            application.workers = None;
            true
        }
        Ok(0) => {
            application.workers = None;
            true
        }
        Ok(threads) => {
            let queue_max = application
                .workers
                .map_or(QUEUE_MAX, |workers| workers.queue_max);
            application.workers = Some(Workers { threads, queue_max });
            true
        }
        Err(_) => false,
    });
    let check = |label: &'static str, is_on: bool, edit: fn(&mut ApplicationSpec)| {
        let mut changed = application.clone();
        edit(&mut changed);
        let command = Command::SetApplication {
            actor: actor.clone(),
            application: changed,
        };
        html! {
            <label class="check">
                <input type="checkbox" checked={is_on} onchange={send(&dispatch, Intent::Do(command))} />
                { label }
            </label>
        }
    };
    let poison_chosen = POISON_WAYS
        .iter()
        .find(|(_, way)| *way == application.on_poison);
    let poison_chosen = poison_chosen.map_or("", |entry| entry.0);
    let thread_count = application.workers.map_or(0, |workers| workers.threads);
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
            <Field label={t.time_per_record} value={application.time_per_record.as_ms().to_string()} unit="ms" is_number=true onchange={handler} />
            <ChoiceField label={t.commits} value={chosen} onchange={style}
                options={COMMIT_STYLES.iter().map(|(name, _)| (AttrValue::from(*name), AttrValue::from((t.commit_style)(name)))).collect::<Vec<_>>()} />
            <div class="section-head">
            <label class="switch">
                <input type="checkbox" role="switch" checked={is_static} onchange={toggle} />{ t.static_member }
            </label>
            { hint(&dispatch, Term::StaticMember, "group.instance.id") }
            </div>
            if is_static {
                <Field label="group.instance.id" value={AttrValue::from(instance_id.clone())} onchange={instance.clone()} />
            }
            { check(t.admin().commit_when_revoked, application.commit_when_revoked, |application| application.commit_when_revoked ^= true) }
            { check(t.admin().commit_on_close, application.commit_on_close, |application| application.commit_on_close ^= true) }
            <ChoiceField label={t.admin().on_poison} value={poison_chosen} onchange={poison}
                options={POISON_WAYS.iter().map(|(name, _)| (AttrValue::from(*name), AttrValue::from((t.admin().poison_way)(name)))).collect::<Vec<_>>()} />
            <Field label={t.admin().threads} value={if thread_count == 0 { AttrValue::default() } else { thread_count.to_string().into() }}
                placeholder={t.admin().no_threads} is_number=true onchange={threads} />
            if !instance_id.is_empty() && !group.is_empty() {
                <RemoveMember group={group.clone()} member={instance_id.clone()} />
            }
            if *is_running {
                <button class="button" onclick={send(&dispatch, Intent::Do(stall))}>{ (t.stall_for)(STALL.as_ms() / 1_000) }</button>
            }
        </section>
    }
}
