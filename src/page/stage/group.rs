//! A group: its state, the partitions that nobody holds, its members.

use super::dense::Crowd;
use super::member::MemberCard;
use crate::kafka::sorted::SortedSet;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::hint::hint;
use crate::page::i18n::Term;
use crate::page::icon::{Icon, Shape};
use crate::page::store::Intent;
use crate::view::panel::Tab;
use crate::view::stage::{CARDS_MOST, Group, Member, Unowned, is_paused};
use crate::view::{Selection, UnownedCause};
use std::rc::Rc;
use yew::prelude::*;

/// Above this many members that still count, their cards are drawn closer together.
const ROOMY_MOST: usize = 3;

/// Which group.
#[derive(PartialEq, Properties)]
pub struct GroupCardProps {
    /// The group.
    pub group: Rc<Group>,
}

/// The group. What it lacks stands above its members: however many there are, it stays in sight.
#[component]
pub fn GroupCard(props: &GroupCardProps) -> Html {
    let group = &props.group;
    let present = group.members.iter().filter(|member| !member.is_past());
    let is_roomy = present.count() <= ROOMY_MOST;
    let t = use_text();
    let dispatch = use_dispatch();
    let add = send(&dispatch, Intent::AddConsumers(group.id.clone(), 1));
    html! {
        <section class="group" aria-label={(t.group_named)(&group.id)}>
            <button class="button plain add" onclick={add}><Icon shape={Shape::Plus} />{ t.add_consumer }</button>
            <div class="group-top">
                <GroupHead group={group.clone()} />
                <Tray unowned={group.unowned.clone()} partitions={group.partitions} letters={group.label_letters} />
            </div>
            if group.members.len() > CARDS_MOST {
                <Crowd group={group.clone()} />
            } else {
                <ul class="members" data-roomy={is_roomy.to_string()}>
                    { for group.members.iter().map(|member| html! {
                        <MemberCard key={member.actor.as_str()} member={member.clone()} />
                    }) }
                </ul>
            }
        </section>
    }
}

/// Which consumers.
#[derive(PartialEq, Properties)]
pub struct LoneCardProps {
    /// Consumers without a group.
    pub members: Rc<[Rc<Member>]>,
}

/// Consumers without a group: side by side, but each reads and counts for itself.
#[component]
pub fn LoneCard(props: &LoneCardProps) -> Html {
    let t = use_text();
    html! {
        <section class="group" aria-labelledby="lone-heading">
            <div class="group-top">
                <header>
                    <h3 class="name" id="lone-heading">{ t.lone }</h3>
                    <p class="quiet">{ t.lone_text }</p>
                </header>
            </div>
            <ul class="members" data-roomy={(props.members.len() <= ROOMY_MOST).to_string()}>
                { for props.members.iter().map(|member| html! {
                    <MemberCard key={member.actor.as_str()} member={member.clone()} />
                }) }
            </ul>
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
    let count = send(&dispatch, Intent::Open(Tab::Deliveries));
    let leader = group.members.iter().find(|member| member.is_leader);
    html! {
        <header>
            <div class="line">
                <button class="name" onclick={select}>{ group.id.as_str() }</button>
                <span class="state" data-state={group.state.name()}>{ hint(&dispatch, Term::State(group.state), group.state.name()) }</span>
                if let Some(wait) = group.wait {
                    <span class="caps">{ (t.at_most_seconds)(wait.left_s) }</span>
                }
            </div>
            <div class="line facts">
                <span>{ hint(&dispatch, Term::Generation, t.generation) }{ " " }<b>{ group.generation }</b></span>
                <b>{ hint(&dispatch, Term::Assignor, group.assignor.as_deref().unwrap_or("–")) }</b>
                <span>{ hint(&dispatch, Term::Leader, t.leader) }{ " " }<b>{ leader.map_or("–", |member| member.actor.as_str()) }</b></span>
                <button class="link" data-bad={(group.duplicates > 0).to_string()} onclick={count}>
                    { t.duplicates }{ " " }<b>{ (t.count)(group.duplicates) }</b>
                </button>
            </div>
        </header>
    }
}

/// What waits.
#[derive(PartialEq, Properties)]
struct TrayProps {
    unowned: Rc<[Unowned]>,
    partitions: usize,
    letters: usize,
}

/// The tray is always there, and as large as all partitions of the group need (two rows of them at
/// most; of more it scrolls), so that nothing moves when it fills.
#[component]
fn Tray(props: &TrayProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let causes: SortedSet<UnownedCause> = props.unowned.iter().map(|one| one.cause).collect();
    let mut causes: Vec<UnownedCause> = causes.into_iter().collect();
    causes.dedup_by_key(|cause| (t.unowned_cause)(*cause));
    let why: Vec<_> = causes.into_iter().map(t.unowned_cause).collect();
    let width = (props.letters * LETTER_PX + CHIP_EDGES_PX).max(CHIP_LEAST_PX);
    let per_row = (TRAY_ROW_PX / width).max(1);
    let rows = props.partitions.div_ceil(per_row).clamp(1, 3);
    html! {
        <div class="tray" data-empty={props.unowned.is_empty().to_string()} data-rows={rows.to_string()}>
            <div class="what">
                <h3>{ hint(&dispatch, Term::Unowned, t.unowned) }</h3>
                <p>{ if why.is_empty() { t.all_owned.to_string() } else { why.join(" · ") } }</p>
            </div>
            <ul class="chips">
                { for props.unowned.iter().take(TRAY_MOST).map(|waiting| html! {
                    <li class="wait" key={waiting.partition.to_string()} data-holder={if is_paused(waiting.cause) { "paused" } else { "nobody" }}>
                        <span class="chip" data-chip={waiting.partition.to_string()} title={format!("{}: {}", waiting.partition, (t.unowned_cause)(waiting.cause))}>{ &*waiting.label }</span>
                        <span class="number">{ (t.tenths)(waiting.waited_tenths) }</span>
                    </li>
                }) }
                if props.unowned.len() > TRAY_MOST {
                    <li class="wait number">{ format!("+{}", props.unowned.len() - TRAY_MOST) }</li>
                }
            </ul>
        </div>
    }
}

/// Partitions that are drawn in the tray; of more, their number is told.
const TRAY_MOST: usize = 23;
/// How wide a row of the tray is, with ordinary letters, px.
const TRAY_ROW_PX: usize = 240;
/// How wide a letter in it is at most, what is around a label, and a whole chip at least, px.
const LETTER_PX: usize = 7;
const CHIP_EDGES_PX: usize = 17;
const CHIP_LEAST_PX: usize = 40;
