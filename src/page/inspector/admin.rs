//! An administrator's tools, where the thing stands. What Kafka answers comes as an event.

use super::field::{ChoiceField, Field};
use crate::kafka::time::{Duration, Instant};
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::{GroupId, Offset, TopicName, TopicPartition};
use crate::world::command::{AdminAct, Command, ResetTo};
use crate::world::setup::{Keys, ProducerSpec, TopicSpec};
use std::rc::Rc;
use yew::prelude::*;

/// What a producer sends that is added here, until it is told otherwise.
const PRODUCER_EVERY: Duration = Duration::from_ms(100);
const RECORD_SIZE: u32 = 100;
/// Partitions of a topic that is created here, until it is said how many.
const TOPIC_PARTITIONS: i32 = 3;

const WAYS: [&str; 5] = ["earliest", "latest", "offset", "shift", "time"];

fn admin(act: AdminAct) -> Intent {
    Intent::Do(Command::Admin(act))
}

/// What a way and a number mean; nothing if the number is none.
fn reset_to(way: &str, number: &str) -> Option<ResetTo> {
    let number = number.trim().parse::<i64>();
    Some(match way {
        "earliest" => ResetTo::Earliest,
        "latest" => ResetTo::Latest,
        "offset" => ResetTo::Offset(Offset(number.ok()?)),
        "shift" => ResetTo::Shift(number.ok()?),
        _ => ResetTo::TimeMs(Instant::from_ms(number.ok()?)),
    })
}

/// Which group.
#[derive(PartialEq, Properties)]
pub struct GroupToolsProps {
    /// Its id.
    pub group: GroupId,
    /// Topics that it has to do with.
    pub topics: Vec<TopicName>,
    /// Instance ids of its static members.
    pub static_members: Vec<Rc<str>>,
}

/// Offsets, static members, the group itself.
#[component]
pub fn GroupTools(props: &GroupToolsProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let topic = use_state(AttrValue::default);
    let way = use_state(|| AttrValue::from(WAYS[0]));
    let number = use_state(|| AttrValue::from("0"));
    let set = |state: &UseStateHandle<AttrValue>| {
        let state = state.clone();
        Callback::from(move |value: String| state.set(value.into()))
    };
    let group = &props.group;
    let chosen = props
        .topics
        .iter()
        .find(|name| name.as_str() == topic.as_str());
    let reset = match reset_to(&way, &number) {
        Some(to) => admin(AdminAct::ResetOffsets {
            group: group.clone(),
            topic: chosen.cloned(),
            partitions: Vec::new(),
            to,
        }),
        None => Intent::NotANumber(number.to_string()),
    };
    let delete_offsets = chosen.map(|topic| AdminAct::DeleteOffsets {
        group: group.clone(),
        topic: topic.clone(),
        partitions: Vec::new(),
    });
    let delete_group = AdminAct::DeleteGroup {
        group: group.clone(),
    };
    let all = std::iter::once(("".into(), t.admin().all_topics.into()));
    let topics = props.topics.iter().map(|topic| {
        let name = AttrValue::from(topic.to_string());
        (name.clone(), name)
    });
    let ways = WAYS.map(|way| {
        (
            AttrValue::from(way),
            AttrValue::from((t.admin().reset_way)(way)),
        )
    });
    let number_label = match way.as_str() {
        "offset" => Some((t.admin().offset, "")),
        "shift" => Some((t.admin().by, "")),
        "time" => Some((t.admin().at_ms, "ms")),
        _ => None,
    };
    html! {
        <section class="section">
            <h3>{ t.admin().tools }</h3>
            <ChoiceField label={t.admin().topic} value={(*topic).clone()} onchange={set(&topic)} options={all.chain(topics).collect::<Vec<_>>()} />
            <ChoiceField label={t.admin().reset_to} value={(*way).clone()} onchange={set(&way)} options={ways.to_vec()} />
            if let Some((label, unit)) = number_label {
                <Field {label} {unit} value={(*number).clone()} is_number=true onchange={set(&number)} />
            }
            <div class="button-row">
                <button class="button" onclick={send(&dispatch, reset)}>{ t.admin().reset_offsets }</button>
                if let Some(act) = delete_offsets {
                    <button class="button" onclick={send(&dispatch, admin(act))}>{ t.admin().delete_offsets }</button>
                }
                <button class="button" onclick={send(&dispatch, admin(delete_group))}>{ t.admin().delete_group }</button>
            </div>
            // In an element of its own: members come and go, what is chosen above stays.
            <div class="static-members">
                { for props.static_members.iter().map(|member| html! {
                    <RemoveMember key={member.to_string()} group={group.clone()} member={member.clone()} />
                }) }
            </div>
        </section>
    }
}

/// Which static member.
#[derive(PartialEq, Properties)]
pub struct RemoveMemberProps {
    /// From where.
    pub group: GroupId,
    /// Its instance id.
    pub member: Rc<str>,
}

/// Removes a static member.
#[component]
pub fn RemoveMember(props: &RemoveMemberProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let act = AdminAct::RemoveMember {
        group: props.group.clone(),
        group_instance_id: (&*props.member).into(),
    };
    html! {
        <button class="button" onclick={send(&dispatch, admin(act))}>{ (t.admin().remove_member)(&props.member) }</button>
    }
}

/// Which topic.
#[derive(PartialEq, Properties)]
pub struct TopicToolsProps {
    /// Its name.
    pub topic: TopicName,
}

/// A new producer for a topic; the end of the topic.
#[component]
pub fn TopicTools(props: &TopicToolsProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let act = AdminAct::DeleteTopic {
        topic: props.topic.clone(),
    };
    let add_producer = {
        let topic = props.topic.clone();
        dispatch.reform(move |name: String| {
            Intent::Do(Command::AddProducer {
                producer: ProducerSpec {
                    name: name.into(),
                    topic: topic.clone(),
                    every: PRODUCER_EVERY,
                    keys: Keys::None,
                    size_bytes: RECORD_SIZE,
                    first_at: None,
                    configs: Default::default(),
                },
            })
        })
    };
    html! {
        <section class="section">
            <Field label={t.admin().add_producer} value="" placeholder={t.admin().new_name} onchange={add_producer} />
            <h3>{ t.admin().tools }</h3>
            <button class="button" onclick={send(&dispatch, admin(act))}>{ t.admin().delete_topic }</button>
        </section>
    }
}

/// Creates topics.
#[component]
pub fn BrokerTools() -> Html {
    let t = use_text().admin();
    let dispatch = use_dispatch();
    let partitions = use_state(|| TOPIC_PARTITIONS);
    let set_partitions = {
        let (partitions, dispatch) = (partitions.clone(), dispatch.clone());
        Callback::from(move |value: String| match value.parse() {
            Ok(number) => partitions.set(number),
            Err(_) => dispatch.emit(Intent::NotANumber(value)),
        })
    };
    let create = {
        let partitions = *partitions;
        dispatch.reform(move |name: String| {
            Intent::Do(Command::CreateTopic {
                topic: TopicSpec::new(name, partitions),
            })
        })
    };
    html! {
        <section class="section">
            <h3>{ t.tools }</h3>
            <Field label={t.new_partitions} value={partitions.to_string()} is_number=true onchange={set_partitions} />
            <Field label={t.create_topic} value="" placeholder={t.new_name} onchange={create} />
        </section>
    }
}

/// To make a record one that programs cannot handle, and one that deserializers cannot read.
fn spoilt(partition: &TopicPartition, offset: Offset) -> [Intent; 2] {
    let partition = || partition.clone();
    let poison = Command::Poison {
        partition: partition(),
        offset,
    };
    let corrupt = Command::Corrupt {
        partition: partition(),
        offset,
    };
    [poison, corrupt].map(Intent::Do)
}

/// Which partition.
#[derive(PartialEq, Properties)]
pub struct PartitionToolsProps {
    /// The partition.
    pub partition: TopicPartition,
    /// Where its log ends.
    pub log_end: i64,
}

/// Deletes records; makes the next one a poison record, or one that cannot be deserialized.
#[component]
pub fn PartitionTools(props: &PartitionToolsProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let before = {
        let partition = props.partition.clone();
        dispatch.reform(move |value: String| match value.parse() {
            Ok(offset) => admin(AdminAct::DeleteRecords {
                partition: partition.clone(),
                before: Offset(offset),
            }),
            Err(_) => Intent::NotANumber(value),
        })
    };
    let all = AdminAct::DeleteRecords {
        partition: props.partition.clone(),
        before: Offset(-1),
    };
    let [poison, corrupt] = spoilt(&props.partition, Offset(props.log_end));
    html! {
        <section class="section">
            <h3>{ t.admin().tools }</h3>
            <Field label={t.admin().delete_records_before} value="" is_number=true onchange={before} />
            <div class="button-row">
                <button class="button" onclick={send(&dispatch, admin(all))}>{ t.admin().delete_all_records }</button>
                <button class="button" onclick={send(&dispatch, poison)}>{ t.admin().poison_next }</button>
                <button class="button" onclick={send(&dispatch, corrupt)}>{ t.admin().corrupt_next }</button>
            </div>
        </section>
    }
}

/// Which record.
#[derive(PartialEq, Properties)]
pub struct RecordToolsProps {
    /// In which partition.
    pub partition: TopicPartition,
    /// At which offset.
    pub offset: Offset,
}

/// Makes a record one that a program cannot handle or a deserializer cannot read; deletes what is before it.
#[component]
pub fn RecordTools(props: &RecordToolsProps) -> Html {
    let t = use_text().admin();
    let dispatch = use_dispatch();
    let delete = AdminAct::DeleteRecords {
        partition: props.partition.clone(),
        before: props.offset,
    };
    let [poison, corrupt] = spoilt(&props.partition, props.offset);
    html! {
        <section class="section">
            <div class="button-row">
                <button class="button" onclick={send(&dispatch, poison)}>{ t.poison_this }</button>
                <button class="button" onclick={send(&dispatch, corrupt)}>{ t.corrupt_this }</button>
                <button class="button" onclick={send(&dispatch, admin(delete))}>{ t.delete_before_this }</button>
            </div>
        </section>
    }
}
