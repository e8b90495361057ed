//! How a consumer's program behaves: when it polls, how long it takes, when it commits, what it does when a call
//! throws.

use super::ThingProps;
use super::field::{ChoiceField, Field};
use crate::kafka::time::{Duration, Instant};
use crate::page::context::{use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::ActorName;
use crate::view::inspect::ThingKind;
use crate::world::command::Command;
use crate::world::setup::{
    ApplicationSpec, Busy, CommitStyle, OnException, OnPoison, PollStyle, Workers,
};
use yew::prelude::*;

/// Ways of committing, as values of a list.
const COMMIT_WAYS: [&str; 9] = [
    "default",
    "none",
    "sync",
    "sync-each",
    "async",
    "async-each",
    "before",
    "resend",
    "guard",
];
/// Ways of handling what cannot be handled, as values of a list.
const POISON_WAYS: [(&str, OnPoison); 4] = [
    ("crash", OnPoison::Crash),
    ("retry", OnPoison::Retry),
    ("skip", OnPoison::Skip),
    ("retry_topic", OnPoison::RetryTopic),
];
/// What is done when a call throws, as values of a list.
const EXCEPTION_WAYS: [(&str, OnException); 3] = [
    ("go_on", OnException::GoOn),
    ("crash", OnException::Crash),
    ("close", OnException::Close),
];
/// Ways of polling, as values of a list.
const POLL_WAYS: [&str; 2] = ["always", "every"];
/// From one poll to the next, unless the program says otherwise.
const POLL_PERIOD: Duration = Duration::from_ms(1_000);
/// How intervals are written, ms.
const BUSY_EXAMPLE: &str = "20000-25000";
/// Records that may wait for a thread, unless the program says otherwise.
const QUEUE_MAX: u32 = 1_000;

/// The way of a style, and after how many records it commits if it counts them.
fn commit_way(style: Option<CommitStyle>) -> (&'static str, Option<u32>) {
    match style {
        None => ("default", None),
        Some(CommitStyle::None) => ("none", None),
        Some(CommitStyle::SyncAfterBatch) => ("sync", None),
        Some(CommitStyle::SyncEvery { records }) => ("sync-each", Some(records)),
        Some(CommitStyle::SyncBeforeProcessing) => ("before", None),
        Some(CommitStyle::AsyncAfterBatch) => ("async", None),
        Some(CommitStyle::AsyncEvery { records }) => ("async-each", Some(records)),
        Some(CommitStyle::AsyncEveryWithResend { records }) => ("resend", Some(records)),
        Some(CommitStyle::AsyncEveryWithGuard { records }) => ("guard", Some(records)),
    }
}

fn commit_style(way: &str, records: u32) -> Option<CommitStyle> {
    match way {
        "none" => Some(CommitStyle::None),
        "sync" => Some(CommitStyle::SyncAfterBatch),
        "sync-each" => Some(CommitStyle::SyncEvery { records }),
        "before" => Some(CommitStyle::SyncBeforeProcessing),
        "async" => Some(CommitStyle::AsyncAfterBatch),
        "async-each" => Some(CommitStyle::AsyncEvery { records }),
        "resend" => Some(CommitStyle::AsyncEveryWithResend { records }),
        "guard" => Some(CommitStyle::AsyncEveryWithGuard { records }),
        _ => None,
    }
}

/// `20000-25000, 40000-41000`, in ms; nothing if it is something else.
fn busy(text: &str) -> Option<Vec<Busy>> {
    let spans = text
        .split(',')
        .map(str::trim)
        .filter(|span| !span.is_empty());
    let span = |span: &str| {
        let (from, until) = span.split_once('-')?;
        let (from, until) = (from.trim().parse().ok()?, until.trim().parse().ok()?);
        (0 <= from && from < until).then(|| Busy {
            from: Instant::from_ms(from),
            until: Instant::from_ms(until),
        })
    };
    spans.map(span).collect()
}

fn busy_text(list: &[Busy]) -> String {
    let spans = list
        .iter()
        .map(|busy| format!("{}-{}", busy.from.as_ms(), busy.until.as_ms()));
    spans.collect::<Vec<_>>().join(", ")
}

/// A length in ms that is not negative.
fn length(text: &str) -> Option<Duration> {
    let ms = text.parse().ok()?;
    (0..=i64::MAX / 1_000)
        .contains(&ms)
        .then(|| Duration::from_ms(ms))
}

/// The value that a word stands for in a list.
fn chosen<T: Copy>(ways: &[(&str, T)], word: &str) -> Option<T> {
    let found = ways.iter().find(|(name, _)| *name == word);
    found.map(|(_, way)| *way)
}

/// The word of a value in a list.
fn word_of<T: PartialEq>(ways: &[(&'static str, T)], value: &T) -> &'static str {
    let found = ways.iter().find(|(_, way)| way == value);
    found.map_or("", |(name, _)| name)
}

/// What a text makes of a program; nothing if it makes no sense.
type Edit = fn(&mut ApplicationSpec, &str) -> Option<()>;

/// Exchanges the program for one that a text has changed.
fn edit(
    dispatch: &Callback<Intent>,
    actor: &ActorName,
    before: &ApplicationSpec,
    edit: Edit,
) -> Callback<String> {
    let (actor, before) = (actor.clone(), before.clone());
    dispatch.reform(move |text: String| {
        let mut application = before.clone();
        match edit(&mut application, &text) {
            Some(()) => Intent::Do(Command::SetApplication {
                actor: actor.clone(),
                application,
            }),
            None => Intent::NotANumber(text),
        }
    })
}

/// The program of a consumer.
#[component]
pub fn ProgramControls(props: &ThingProps) -> Html {
    let text = use_text();
    let t = text.admin();
    let dispatch = use_dispatch();
    let ThingKind::Consumer {
        actor, application, ..
    } = &props.thing.kind
    else {
        return Html::default();
    };
    let change = |by: Edit| edit(&dispatch, actor, application, by);
    let handler = {
        let actor = actor.clone();
        dispatch.reform(move |value: String| match length(&value) {
            Some(time_per_record) => Intent::Do(Command::SetHandler {
                actor: actor.clone(),
                time_per_record,
            }),
            None => Intent::NotANumber(value),
        })
    };
    let (way, records) = commit_way(application.commit);
    let commit = {
        let (records, actor) = (records.unwrap_or(1), actor.clone());
        dispatch.reform(move |way: String| {
            Intent::Do(Command::SetCommitStyle {
                actor: actor.clone(),
                commit: commit_style(&way, records),
            })
        })
    };
    let every = {
        let actor = actor.clone();
        dispatch.reform(move |value: String| match value.parse() {
            Ok(records) => Intent::Do(Command::SetCommitStyle {
                actor: actor.clone(),
                commit: commit_style(way, records),
            }),
            Err(_) => Intent::NotANumber(value),
        })
    };
    let elsewhere = {
        let (actor, before) = (actor.clone(), application.clone());
        dispatch.reform(move |text: String| match busy(&text) {
            Some(busy) => Intent::Do(Command::SetApplication {
                actor: actor.clone(),
                application: ApplicationSpec {
                    busy,
                    ..before.clone()
                },
            }),
            None => Intent::NotLike(text, BUSY_EXAMPLE),
        })
    };
    let threads = application.workers.map(|workers| workers.threads);
    let queue = application.workers.map(|workers| workers.queue_max);
    let polls = match application.poll {
        PollStyle::Always => None,
        PollStyle::Every { period, phase } => Some((period, phase)),
    };
    let shown = |number: Option<String>| AttrValue::from(number.unwrap_or_default());
    let ms = |length: Duration| length.as_ms().to_string();
    html! {
        <>
            <Field label={text.time_per_record} value={ms(application.time_per_record)} unit="ms" is_number=true onchange={handler} />
            <ChoiceField label={text.commits} value={way} onchange={commit}
                options={COMMIT_WAYS.iter().map(|name| (AttrValue::from(*name), AttrValue::from((text.commit_style)(name)))).collect::<Vec<_>>()} />
            if let Some(records) = records {
                <Field label={t.commit_every} value={records.to_string()} is_number=true onchange={every} />
            }
            { check(t.commit_when_revoked, application.commit_when_revoked, change(|program, _| { program.commit_when_revoked ^= true; Some(()) })) }
            { check(t.commit_on_close, application.commit_on_close, change(|program, _| { program.commit_on_close ^= true; Some(()) })) }
            <ChoiceField label={t.on_poison} value={word_of(&POISON_WAYS, &application.on_poison)}
                options={POISON_WAYS.map(|(way, _)| (AttrValue::from(way), AttrValue::from((t.poison_way)(way)))).to_vec()}
                onchange={change(|program, way| { program.on_poison = chosen(&POISON_WAYS, way)?; Some(()) })} />
            <Field label={t.threads} value={shown(threads.map(|threads| threads.to_string()))} placeholder={t.no_threads} is_number=true
                onchange={change(|program, text| {
                    let threads = if text.is_empty() { 0 } else { text.parse().ok()? };
                    let queue_max = program.workers.map_or(QUEUE_MAX, |workers| workers.queue_max);
                    program.workers = (threads > 0).then_some(Workers { threads, queue_max });
                    Some(())
                })} />
            if let Some(queue) = queue {
                <Field label={t.queue_max} value={queue.to_string()} is_number=true onchange={change(|program, text| {
                    program.workers.as_mut()?.queue_max = text.parse().ok()?;
                    Some(())
                })} />
            }
            <details class="client-tools">
                <summary>{ t.more_of_program }</summary>
                <ChoiceField label={t.polls} value={if polls.is_some() { "every" } else { "always" }}
                    options={POLL_WAYS.map(|way| (AttrValue::from(way), AttrValue::from((t.poll_way)(way)))).to_vec()}
                    onchange={change(|program, way| {
                        program.poll = if way == "every" { PollStyle::Every { period: POLL_PERIOD, phase: Duration::ZERO } } else { PollStyle::Always };
                        Some(())
                    })} />
                if let Some((period, phase)) = polls {
                    <Field label={t.poll_period} value={ms(period)} unit="ms" is_number=true onchange={change(|program, text| {
                        if let PollStyle::Every { period, .. } = &mut program.poll { *period = length(text)?; }
                        Some(())
                    })} />
                    <Field label={t.poll_phase} value={ms(phase)} unit="ms" is_number=true onchange={change(|program, text| {
                        if let PollStyle::Every { phase, .. } = &mut program.poll { *phase = length(text)?; }
                        Some(())
                    })} />
                }
                <Field label={t.time_spread} value={application.time_spread_percent.to_string()} unit="%" is_number=true
                    onchange={change(|program, text| { program.time_spread_percent = text.parse().ok()?; Some(()) })} />
                <Field label={t.busy} value={busy_text(&application.busy)} placeholder={BUSY_EXAMPLE} unit="ms"
                    onchange={elsewhere} />
                <Field label={t.callback_time} value={ms(application.callback_time)} unit="ms" is_number=true
                    onchange={change(|program, text| { program.callback_time = length(text)?; Some(()) })} />
                <ChoiceField label={t.on_exception} value={word_of(&EXCEPTION_WAYS, &application.on_exception)}
                    options={EXCEPTION_WAYS.map(|(way, _)| (AttrValue::from(way), AttrValue::from((t.exception_way)(way)))).to_vec()}
                    onchange={change(|program, way| { program.on_exception = chosen(&EXCEPTION_WAYS, way)?; Some(()) })} />
                <Field label={t.crash_after} value={shown(application.crash_after_records.map(|records| records.to_string()))} placeholder={t.never} is_number=true
                    onchange={change(|program, text| {
                        program.crash_after_records = if text.is_empty() { None } else { Some(text.parse().ok()?) };
                        Some(())
                    })} />
                <Field label={t.assign_time} value={shown(application.assign_time.map(ms))} placeholder={t.as_others} unit="ms" is_number=true
                    onchange={change(|program, text| {
                        program.assign_time = if text.is_empty() { None } else { Some(length(text)?) };
                        Some(())
                    })} />
            </details>
        </>
    }
}

fn check(label: &'static str, is_on: bool, onchange: Callback<String>) -> Html {
    let onchange = onchange.reform(|_: Event| String::new());
    html! {
        <label class="switch">
            <input type="checkbox" checked={is_on} {onchange} />
            { label }
        </label>
    }
}
