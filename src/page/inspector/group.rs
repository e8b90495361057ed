//! What may be done to a group or a topic.

use super::ThingProps;
use super::admin::{GroupTools, TopicTools};
use super::field::{ChoiceField, Field};
use crate::kafka::config::ASSIGNORS;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::hint::hint;
use crate::page::i18n::Term;
use crate::page::stage::OwnerLetter;
use crate::page::store::{Intent, Reason};
use crate::view::inspect::{MemberBallot, ThingKind, Vote};
use crate::world::command::{Command, Rollout};
use std::rc::Rc;
use yew::prelude::*;

/// Ballots that are drawn of a large group.
const BALLOTS_SHOWN: usize = 12;

/// Switching a group's assignor, and how its members vote.
#[component]
pub fn GroupControls(props: &ThingProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let ThingKind::Group {
        id,
        strategy,
        vote,
        topics,
        static_members,
    } = &props.thing.kind
    else {
        return Html::default();
    };
    let number = use_state(|| 1_usize);
    let chosen = use_state(|| None::<Vec<Rc<str>>>);
    let wanted = (*chosen).clone().unwrap_or_else(|| strategy.clone());
    let choose = |place: usize| {
        let (chosen, wanted) = (chosen.clone(), wanted.clone());
        Callback::from(move |value: String| chosen.set(Some(with_choice(&wanted, place, &value))))
    };
    let preset = |names: &'static [&'static str], label: &'static str| {
        let chosen = chosen.clone();
        let names: Vec<Rc<str>> = names.iter().map(|name| Rc::from(*name)).collect();
        let is_wanted = names == wanted;
        let onclick = Callback::from(move |_: MouseEvent| chosen.set(Some(names.clone())));
        html! { <button class="button" aria-pressed={is_wanted.to_string()} {onclick}>{ label }</button> }
    };
    let set_number = {
        let (number, dispatch) = (number.clone(), dispatch.clone());
        Callback::from(move |value: String| match value.parse() {
            Ok(0) | Err(_) => dispatch.emit(Intent::NotANumber(value)),
            Ok(wanted) => number.set(wanted),
        })
    };
    let is_same = wanted == *strategy || wanted.is_empty();
    let apply = |how: Rollout, label: &'static str| {
        let command = Command::SwitchAssignor {
            group: id.clone(),
            strategy: wanted.clone(),
            how,
        };
        let intent = if is_same {
            Intent::Ask(Reason::SameStrategy)
        } else {
            Intent::Do(command)
        };
        html! { <button class="button" aria-disabled={is_same.then_some("true")} onclick={send(&dispatch, intent)}>{ label }</button> }
    };
    let at = |place: usize| AttrValue::from(wanted.get(place).map_or("", |name| name).to_string());
    html! {
        <>
            <section class="section">
                <h3>{ "partition.assignment.strategy" }</h3>
                <ChoiceField label={t.lab().first_choice} value={at(0)} onchange={choose(0)} options={assignors(false)} />
                <ChoiceField label={t.lab().second_choice} value={at(1)} onchange={choose(1)} options={assignors(true)} />
                <div class="button-row">
                    { apply(Rollout::RollingBounce, t.rolling_change) }
                    { apply(Rollout::FullRestart, t.full_restart) }
                </div>
                if is_same { <p class="note">{ t.same_strategy }</p> }
                <p class="note">
                    { hint(&dispatch, Term::RollingChange, t.rolling_change) }
                    { hint(&dispatch, Term::FullRestart, t.full_restart) }
                </p>
                <details class="upgrade">
                    <summary>{ t.lab().upgrade }</summary>
                    <p class="note">{ t.lab().upgrade_text }</p>
                    <div class="button-row">
                        { preset(&["range", "cooperative-sticky"], t.lab().upgrade_first) }
                        { preset(&["cooperative-sticky"], t.lab().upgrade_second) }
                    </div>
                </details>
            </section>
            <section class="section">
                <Field label={t.admin().consumers_to_add} value={number.to_string()} is_number=true onchange={set_number} />
                <button class="button" onclick={send(&dispatch, Intent::AddConsumers(id.clone(), *number))}>{ (t.admin().add_consumers)(*number) }</button>
            </section>
            <VoteTable vote={vote.clone()} />
            <GroupTools group={id.clone()} topics={topics.clone()} static_members={static_members.clone()} />
        </>
    }
}

/// The list with another name at a place; the same name does not come twice.
fn with_choice(list: &[Rc<str>], place: usize, value: &str) -> Vec<Rc<str>> {
    let mut list = list.to_vec();
    list.truncate(2);
    match list.get_mut(place) {
        Some(name) => *name = value.into(),
        None => list.push(value.into()),
    }
    let mut kept: Vec<Rc<str>> = Vec::new();
    for name in list.into_iter().filter(|name| !name.is_empty()) {
        if !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}

fn assignors(with_none: bool) -> Vec<(AttrValue, AttrValue)> {
    let none = with_none.then(|| ("".into(), "–".into()));
    let names = ASSIGNORS
        .iter()
        .map(|name| ((*name).into(), (*name).into()));
    none.into_iter().chain(names).collect()
}

/// Whose vote.
#[derive(PartialEq, Properties)]
struct VoteProps {
    vote: Vote,
}

/// Each member's list, the one that it votes for, and who wins.
#[component]
fn VoteTable(props: &VoteProps) -> Html {
    let t = use_text();
    let vote = &props.vote;
    if vote.ballots.is_empty() {
        return Html::default();
    }
    let candidates: Vec<&str> = vote.candidates.iter().map(|name| &**name).collect();
    html! {
        <section class="section">
            <h3>{ t.lab().vote }</h3>
            <table class="vote">
                <thead><tr><th scope="col">{ t.lab().member }</th><th scope="col">{ t.lab().list }</th></tr></thead>
                <tbody>
                    { for vote.ballots.iter().take(BALLOTS_SHOWN).map(ballot) }
                </tbody>
            </table>
            if vote.ballots.len() > BALLOTS_SHOWN { <p class="caps">{ (t.lab().more)(vote.ballots.len() - BALLOTS_SHOWN) }</p> }
            <p class="vote-sum">
                if candidates.is_empty() { { t.lab().no_candidate } } else { { (t.lab().candidates)(&candidates) } }
                if let Some(winner) = &vote.winner { { " " }<b>{ (t.lab().winner)(winner) }</b> }
            </p>
        </section>
    }
}

fn ballot(ballot: &MemberBallot) -> Html {
    html! {
        <tr key={ballot.name.to_string()}>
            <th scope="row"><span class="vote-name"><OwnerLetter owner={ballot.owner} /><span class="lab-id">{ ballot.name.to_string() }</span></span></th>
            <td><ol>{ for ballot.list.iter().map(|name| html! {
                <li data-vote={(Some(name) == ballot.vote.as_ref()).to_string()}>{ name.to_string() }</li>
            }) }</ol></td>
        </tr>
    }
}

/// More partitions.
#[component]
pub fn TopicControls(props: &ThingProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let ThingKind::Topic { name, partitions } = &props.thing.kind else {
        return Html::default();
    };
    let onchange = {
        let topic = name.clone();
        dispatch.reform(move |value: String| match value.parse() {
            Ok(total) => Intent::Do(Command::AddPartitions {
                topic: topic.clone(),
                total,
            }),
            Err(_) => Intent::NotANumber(value),
        })
    };
    html! {
        <>
            <section class="section">
                <h3>{ t.add_partitions }</h3>
                <Field label={t.partitions_in_all} value={partitions.to_string()} is_number=true {onchange} />
            </section>
            <TopicTools topic={name.clone()} />
        </>
    }
}
