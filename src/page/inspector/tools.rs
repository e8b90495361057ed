//! What else a consumer's program may call, and what may befall its messages.

use super::ThingProps;
use super::field::{ChoiceField, Field};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::Duration;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::i18n::Disturbance;
use crate::page::store::Intent;
use crate::view::inspect::{Label, ThingKind};
use crate::view::{ActorName, Offset, TopicPartition};
use crate::world::command::{Command, FaultKind};
use crate::world::setup::Reads;
use yew::prelude::*;

/// APIs whose next request may be disturbed: anybody's.
const ALL_APIS: &[&str] = &[
    "Produce",
    "InitProducerId",
    "JoinGroup",
    "SyncGroup",
    "Heartbeat",
    "LeaveGroup",
    "OffsetCommit",
    "OffsetFetch",
    "Fetch",
    "ListOffsets",
    "FindCoordinator",
    "Metadata",
];
/// A consumer's: all but those that producers have of their own.
const CONSUMER_APIS: &[&str] = ALL_APIS.split_at(2).1;
/// A producer's.
const PRODUCER_APIS: &[&str] = &["Produce", "InitProducerId", "Metadata"];
/// How partitions are written.
const PARTITIONS_EXAMPLE: &str = "orders-0, orders-1";
/// Ways of reading, as values of a list: the calls by their names.
const WAYS: [&str; 3] = ["subscribe()", "subscribe(Pattern)", "assign()"];
/// How long a message is held, ms, and an error code, where nothing else is typed.
const NUMBERS: (i64, i16) = (5_000, 16);

/// `orders-0`
pub fn partition(text: &str) -> Option<TopicPartition> {
    let (topic, number) = text.trim().rsplit_once('-')?;
    let number = number.parse().ok().filter(|number: &i32| *number >= 0)?;
    (!topic.is_empty()).then(|| TopicPartition::new(topic, number))
}

/// What a text means in a way of reading; nothing if it names no partition.
fn reads(way: &str, text: &str) -> Option<Reads> {
    let words = text
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty());
    match way {
        "subscribe()" => Some(Reads::Subscribe(words.map(Into::into).collect())),
        "assign()" => words
            .map(partition)
            .collect::<Option<_>>()
            .map(Reads::Assign),
        _ => Some(Reads::Pattern(text.into())),
    }
}

fn options(words: &[&'static str]) -> Vec<(AttrValue, AttrValue)> {
    let option = |word: &&'static str| (AttrValue::from(*word), AttrValue::from(*word));
    words.iter().map(option).collect()
}

/// The tools of a consumer that runs.
#[component]
pub fn ConsumerTools(props: &ThingProps) -> Html {
    let t = use_text().tools();
    let dispatch = use_dispatch();
    let way = use_state(|| AttrValue::from(WAYS[0]));
    let chosen = use_state(AttrValue::default);
    let ThingKind::Consumer {
        actor,
        is_running: true,
        ..
    } = &props.thing.kind
    else {
        return Html::default();
    };
    let rows = props.thing.rows.iter();
    let owned = rows.filter(|(label, _)| *label == Label::Owned);
    let owned: Vec<AttrValue> = owned
        .flat_map(|(_, list)| list.split(", "))
        .filter(|name| partition(name).is_some())
        .map(|name| AttrValue::from(name.to_owned()))
        .collect();
    let at = owned
        .iter()
        .find(|name| **name == *chosen)
        .or(owned.first())
        .cloned();
    let place = at.as_deref().and_then(partition);
    let act = |label: &'static str, command: Command| {
        html! { <button class="button" onclick={send(&dispatch, Intent::Do(command))}>{ label }</button> }
    };
    let set = |state: &UseStateHandle<AttrValue>| {
        let state = state.clone();
        Callback::from(move |value: String| state.set(value.into()))
    };
    let read = {
        let (actor, way) = (actor.clone(), way.clone());
        dispatch.reform(move |text: String| match reads(&way, &text) {
            Some(reads) => Intent::Do(Command::SetReads {
                actor: actor.clone(),
                reads,
            }),
            None => Intent::NotLike(text, PARTITIONS_EXAMPLE),
        })
    };
    html! {
        <section class="section">
            <details class="client-tools">
                <summary>{ t.calls }</summary>
                if let Some(place) = place {
                    <ChoiceField label={t.partition} value={at.unwrap_or_default()} onchange={set(&chosen)}
                        options={owned.iter().map(|name| (name.clone(), name.clone())).collect::<Vec<_>>()} />
                    <div class="button-row">
                        { act("pause()", Command::Pause { actor: actor.clone(), partitions: vec![place.clone()] }) }
                        { act("resume()", Command::Resume { actor: actor.clone(), partitions: vec![place.clone()] }) }
                    </div>
                    <Field label="seek()" value="" placeholder={t.offset} is_number=true onchange={at_offset(&dispatch, actor, &place, seek)} />
                    <Field label="commitSync(Map)" value="" placeholder={t.offset} is_number=true onchange={at_offset(&dispatch, actor, &place, commit)} />
                }
                <div class="button-row">
                    { act("commitSync()", Command::Commit { actor: actor.clone(), offsets: Default::default() }) }
                    { act("enforceRebalance()", Command::EnforceRebalance { actor: actor.clone() }) }
                </div>
                <ChoiceField label={t.reads} value={(*way).clone()} onchange={set(&way)} options={options(&WAYS)} />
                <Field label={match way.as_str() { "subscribe()" => t.topics, "assign()" => t.partitions, _ => t.pattern }} value="" onchange={read} />
                <Faults actor={Some(actor.clone())} apis={CONSUMER_APIS} />
            </details>
        </section>
    }
}

fn seek(actor: ActorName, partition: TopicPartition, offset: Offset) -> Command {
    Command::Seek {
        actor,
        partition,
        offset,
    }
}

fn commit(actor: ActorName, partition: TopicPartition, offset: Offset) -> Command {
    Command::Commit {
        actor,
        offsets: SortedMap::from([(partition, offset)]),
    }
}

/// A call that takes a partition and an offset; the offset is what is typed.
fn at_offset(
    dispatch: &Callback<Intent>,
    actor: &ActorName,
    partition: &TopicPartition,
    call: fn(ActorName, TopicPartition, Offset) -> Command,
) -> Callback<String> {
    let (actor, partition) = (actor.clone(), partition.clone());
    dispatch.reform(move |value: String| match value.parse() {
        Ok(offset) => Intent::Do(call(actor.clone(), partition.clone(), Offset(offset))),
        Err(_) => Intent::NotANumber(value),
    })
}

/// Whose messages may be disturbed.
#[derive(PartialEq, Properties)]
pub struct DisturbProps {
    /// A producer; `None`: anybody.
    #[prop_or_default]
    pub producer: Option<ActorName>,
}

/// Disturbances of what a producer or anybody sends, in a section that opens.
#[component]
pub fn Disturb(props: &DisturbProps) -> Html {
    let t = use_text().tools();
    let (summary, apis) = match props.producer {
        Some(_) => (t.disturb_its, PRODUCER_APIS),
        None => (t.disturb_any, ALL_APIS),
    };
    html! {
        <section class="section">
            <details class="client-tools">
                <summary>{ summary }</summary>
                <Faults actor={props.producer.clone()} {apis} />
            </details>
        </section>
    }
}

/// Whose messages.
#[derive(PartialEq, Properties)]
struct FaultsProps {
    /// `None`: anybody's.
    actor: Option<ActorName>,
    apis: &'static [&'static str],
}

/// Disturbs the next request of a kind, or the answer to it.
#[component]
fn Faults(props: &FaultsProps) -> Html {
    let t = use_text().tools();
    let dispatch = use_dispatch();
    let api = use_state(|| AttrValue::from(props.apis.first().copied().unwrap_or_default()));
    let what = use_state(|| Disturbance::ALL[0]);
    let number = use_state(AttrValue::default);
    let set_api = {
        let api = api.clone();
        Callback::from(move |value: String| api.set(value.into()))
    };
    let set_what = {
        let what = what.clone();
        Callback::from(move |value: String| {
            if let Some(found) = Disturbance::ALL.iter().find(|one| one.word() == value) {
                what.set(*found);
            }
        })
    };
    let set_number = {
        let number = number.clone();
        Callback::from(move |value: String| number.set(value.into()))
    };
    let typed = number.trim();
    let (ms, code) = match typed {
        "" => (Some(NUMBERS.0), Some(NUMBERS.1)),
        typed => (typed.parse().ok(), typed.parse().ok()),
    };
    let length = ms.map(Duration::from_ms);
    let kind = match *what {
        Disturbance::DropRequest => Some(FaultKind::DropRequest),
        Disturbance::HoldRequest => length.map(|length| FaultKind::HoldRequest { length }),
        Disturbance::Error => code.map(|code| FaultKind::AnswerWithError { code }),
        Disturbance::DropAnswer => Some(FaultKind::DropResponse),
        Disturbance::HoldAnswer => length.map(|length| FaultKind::HoldResponse { length }),
    };
    let intent = match kind {
        Some(what) => Intent::Do(Command::Fault {
            actor: props.actor.clone(),
            api: api.as_str().into(),
            what,
        }),
        None => Intent::NotANumber(typed.to_owned()),
    };
    let field = match *what {
        Disturbance::HoldRequest | Disturbance::HoldAnswer => {
            Some((t.for_ms, "ms", NUMBERS.0.to_string()))
        }
        Disturbance::Error => Some((t.error_code, "", NUMBERS.1.to_string())),
        Disturbance::DropRequest | Disturbance::DropAnswer => None,
    };
    html! {
        <>
            <ChoiceField label={t.next_request} value={(*api).clone()} onchange={set_api} options={options(props.apis)} />
            <ChoiceField label={t.disturbance} value={what.word()} onchange={set_what}
                options={Disturbance::ALL.iter().map(|one| (AttrValue::from(one.word()), AttrValue::from((t.disturb)(*one)))).collect::<Vec<_>>()} />
            if let Some((label, unit, placeholder)) = field {
                <Field {label} {unit} value={(*number).clone()} placeholder={placeholder} is_number=true onchange={set_number} />
            }
            <button class="button" onclick={send(&dispatch, intent)}>{ t.disturb_next }</button>
        </>
    }
}
