//! A group: its state, its members, and the partitions that nobody holds.

use super::member::MemberCard;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::icon::{Icon, Shape};
use crate::page::store::Intent;
use crate::view::Selection;
use crate::view::stage::{Group, Unowned};
use std::rc::Rc;
use yew::prelude::*;

/// Which group.
#[derive(PartialEq, Properties)]
pub struct GroupCardProps {
    /// The group.
    pub group: Rc<Group>,
}

/// The group.
#[component]
pub fn GroupCard(props: &GroupCardProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let group = &props.group;
    let add = send(&dispatch, Intent::AddConsumer(group.id.clone()));
    html! {
        <section class="group" aria-label={(t.group_named)(&group.id)}>
            <GroupHead group={group.clone()} />
            <ul class="members">
                { for group.members.iter().map(|member| html! {
                    <MemberCard key={member.actor.as_str()} member={member.clone()} />
                }) }
            </ul>
            <Tray unowned={group.unowned.clone()} />
            <button class="button add" onclick={add}><Icon shape={Shape::Plus} />{ t.add_consumer }</button>
        </section>
    }
}

#[component]
fn GroupHead(props: &GroupCardProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let group = &props.group;
    let select = send(
        &dispatch,
        Intent::Select(Selection::Group(group.id.clone())),
    );
    let leader = group.members.iter().find(|member| member.is_leader);
    html! {
        <header>
            <div class="line">
                <button class="name" onclick={select}>{ group.id.as_str() }</button>
                <span class="state" data-state={group.state.name()} title={(t.group_state)(group.state)}>{ group.state.name() }</span>
                if let Some(wait) = group.wait {
                    <span class="caps">{ (t.at_most_seconds)(wait.left_s) }</span>
                }
            </div>
            <div class="line facts">
                <span>{ t.generation }{ " " }<b>{ group.generation }</b></span>
                <span>{ t.assignor }{ " " }<b>{ group.assignor.as_deref().unwrap_or("–") }</b></span>
                <span>{ t.leader }{ " " }<b>{ leader.map_or("–", |member| member.actor.as_str()) }</b></span>
            </div>
        </header>
    }
}

/// What waits.
#[derive(PartialEq, Properties)]
struct TrayProps {
    unowned: Rc<[Unowned]>,
}

/// The tray is always there, so that nothing moves when it fills.
#[component]
fn Tray(props: &TrayProps) -> Html {
    let t = use_text();
    html! {
        <div class="tray" data-empty={props.unowned.is_empty().to_string()}>
            <h3>{ t.unowned }</h3>
            <ul class="chips">
                { for props.unowned.iter().map(|waiting| html! {
                    <li class="wait" key={waiting.partition.to_string()}>
                        <span class="chip" data-chip={waiting.partition.to_string()} title={waiting.partition.to_string()}>{ &*waiting.label }</span>
                        <span class="number">{ (t.tenths)(waiting.waited_tenths) }</span>
                    </li>
                }) }
                if props.unowned.is_empty() { <li class="caps">{ t.none }</li> }
            </ul>
        </div>
    }
}
