//! What to try first, while nothing is chosen.

use crate::kafka::time::Duration;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::i18n::Language;
use crate::page::store::{About, Intent};
use crate::view::compare::Change;
use crate::view::stage::{Group, Life};
use crate::world::command::Command;
use std::rc::Rc;
use yew::prelude::*;

/// How slow a slowed-down consumer becomes.
const SLOW: Duration = Duration::from_ms(1_500);

/// Whom it is about.
#[derive(PartialEq, Properties)]
pub struct SuggestionsProps {
    /// The first group.
    pub group: Option<Rc<Group>>,
    /// The scenario.
    pub about: Rc<About>,
}

/// Three things to try.
#[component]
pub fn Suggestions(props: &SuggestionsProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let language = use_context::<Language>().unwrap_or_default();
    let about = html! {
        <section class="section about">
            <h2>{ language.of(&props.about.title) }</h2>
            <p>{ language.of(&props.about.story) }</p>
            <p class="question">{ language.of(&props.about.question) }</p>
            if let Some(incident) = &props.about.incident {
                <details class="remedy">
                    <summary>{ if incident.to.is_some() { t.case().remedy } else { t.case().no_remedy } }</summary>
                    <p>{ language.of(&incident.remedy) }</p>
                    if let Some(to) = incident.to.clone().filter(|to| Some(to) != props.about.variant.as_ref()) {
                        <button class="button" onclick={send(&dispatch, Intent::Compare(Some(Change::Variant(to))))}>{ t.case().try_remedy }</button>
                    }
                </details>
            }
        </section>
    };
    let Some(group) = &props.group else {
        return about;
    };
    let running = || {
        group
            .members
            .iter()
            .filter(|member| member.life == Life::Running)
    };
    // Once somebody has been stopped nobody else is offered: a second press would hit the wrong one.
    let is_whole = running().count() == group.members.len();
    let victim = running()
        .find(|member| !member.is_leader)
        .or_else(|| running().next())
        .filter(|_| is_whole);
    let item = |title: String, text: &'static str, intent: Intent| {
        html! {
            <li key={title.clone()}>
                <button class="button" onclick={send(&dispatch, intent)}>{ title }</button>
                <p>{ text }</p>
            </li>
        }
    };
    html! {
        <>
        { about }
        <section class="section try">
            <h2>{ t.try_this }</h2>
            <ol>
                if let Some(member) = victim {
                    { item((t.try_kill)(&member.actor), t.try_kill_text, Intent::Do(Command::Kill { actor: member.actor.clone() })) }
                }
                { item(t.add_consumer.to_string(), t.try_add_text, Intent::AddConsumers(group.id.clone(), 1)) }
                if let Some(member) = running().next_back() {
                    { item((t.try_slow)(&member.actor), t.try_slow_text,
                        Intent::Do(Command::SetHandler { actor: member.actor.clone(), time_per_record: SLOW })) }
                }
            </ol>
            <p class="quiet">{ t.choose_something }</p>
        </section>
        </>
    }
}
