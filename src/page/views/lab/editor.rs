//! Editing members and topics.

use super::{ROWS_SHOWN, act};
use crate::page::context::{Dispatch, use_dispatch, use_text};
use crate::page::icon::{Icon, Shape};
use crate::page::stage::OwnerLetter;
use crate::page::store::Intent;
use crate::view::lab::{
    LabAct, LabGroup, LabMember, LabTopic, Past, named_partitions, named_racks,
};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Which group.
#[derive(PartialEq, Properties)]
pub struct EditorProps {
    /// The group.
    pub group: Rc<LabGroup>,
}

/// A table of members and one of topics, folded away until wanted.
#[component]
pub fn Editor(props: &EditorProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let group = &props.group;
    let is_open = use_state(|| false);
    let ontoggle = {
        let is_open = is_open.clone();
        Callback::from(move |event: MouseEvent| {
            event.prevent_default();
            is_open.set(!*is_open);
        })
    };
    html! {
        <details class="lab-editor" open={*is_open}>
            <summary onclick={ontoggle}>{ t.lab().edit }</summary>
            if *is_open {
                <div class="lab-scroll" tabindex="0" role="group" aria-label={t.lab().members}>
                    <table>
                        <caption class="hidden-text">{ t.lab().members }</caption>
                        <thead><tr>
                            <th scope="col">{ t.lab().member }</th><th scope="col">{ "group.instance.id" }</th><th scope="col">{ "client.rack" }</th>
                            <th scope="col">{ t.lab().subscription }</th>
                            if group.past == Past::Shared { <th scope="col">{ t.lab().owned }</th> }
                        </tr></thead>
                        <tbody>
                            { for group.members.iter().enumerate().take(ROWS_SHOWN).map(|(place, member)| member_row(&dispatch, t.lab(), group, place, member)) }
                        </tbody>
                    </table>
                    if group.members.len() > ROWS_SHOWN { <p class="caps">{ (t.lab().more_members)(group.members.len() - ROWS_SHOWN) }</p> }
                </div>
                <div class="lab-scroll" tabindex="0" role="group" aria-label={t.lab().topics}>
                    <table>
                        <caption class="hidden-text">{ t.lab().topics }</caption>
                        <thead><tr><th scope="col">{ t.lab().topic }</th><th scope="col">{ t.lab().partitions }</th><th scope="col">{ t.lab().replica_racks }</th><td></td></tr></thead>
                        <tbody>
                            { for group.topics.iter().enumerate().take(ROWS_SHOWN).map(|(place, topic)| topic_row(&dispatch, t.lab(), place, topic)) }
                        </tbody>
                    </table>
                    <button class="button" onclick={act(&dispatch, LabAct::AddTopic)}>{ t.lab().add_topic }</button>
                </div>
            }
        </details>
    }
}

type Texts = &'static crate::page::i18n::LabTexts;

/// A field that says what it wants when it is left.
fn field(
    dispatch: &Dispatch,
    label: String,
    value: String,
    placeholder: &'static str,
    make: impl Fn(String) -> LabAct + 'static,
) -> Html {
    let onchange = dispatch.reform(move |event: Event| {
        let input = event.target_dyn_into::<HtmlInputElement>();
        let text = input.map_or_else(String::new, |input| input.value().trim().to_string());
        Intent::Lab(make(text))
    });
    html! {
        <input class="field" type="text" spellcheck="false" autocomplete="off" aria-label={label} {value} {placeholder} {onchange} />
    }
}

fn member_row(
    dispatch: &Dispatch,
    texts: Texts,
    group: &LabGroup,
    place: usize,
    member: &LabMember,
) -> Html {
    let label = |what: &str| (texts.field_of)(what, &member.member_id);
    let text = |value: Option<&str>| value.unwrap_or("").to_string();
    let topics: Vec<&str> = member.topics.iter().map(|topic| topic.as_str()).collect();
    html! {
        <tr key={place} data-present={member.is_present.to_string()}>
            <th scope="row"><span class="lab-member"><OwnerLetter owner={Some(member.owner)} />
                { field(dispatch, label(texts.member), member.member_id.to_string(), "", move |id| LabAct::SetMemberId(place, id)) }</span></th>
            <td>{ field(dispatch, label("group.instance.id"), text(member.instance_id.as_deref()), "–", move |id| LabAct::SetInstanceId(place, id)) }</td>
            <td>{ field(dispatch, label("client.rack"), text(member.rack.as_deref()), "–", move |rack| LabAct::SetRack(place, rack)) }</td>
            <td>{ field(dispatch, label(texts.subscription), topics.join(" "), "–", move |topics| LabAct::SetSubscription(place, topics)) }</td>
            if group.past == Past::Shared {
                <td>{ field(dispatch, label(texts.owned), named_partitions(group, &member.owned), "–", move |owned| LabAct::SetOwned(place, owned)) }</td>
            }
        </tr>
    }
}

fn topic_row(dispatch: &Dispatch, texts: Texts, place: usize, topic: &LabTopic) -> Html {
    let label = |what: &str| (texts.field_of)(what, &topic.name);
    html! {
        <tr key={topic.name.as_str()}>
            <th scope="row">{ topic.name.as_str() }</th>
            <td>{ field(dispatch, label(texts.partitions), topic.partitions.to_string(), "0", move |count| LabAct::SetPartitions(place, count)) }</td>
            <td>{ field(dispatch, label(texts.replica_racks), named_racks(topic), "a+b b+c", move |racks| LabAct::SetTopicRacks(place, racks)) }</td>
            <td><button class="button plain icon" aria-label={(texts.remove_topic)(&topic.name)} onclick={act(dispatch, LabAct::RemoveTopic(place))}><Icon shape={Shape::Close} /></button></td>
        </tr>
    }
}
