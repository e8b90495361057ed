//! A consumer process as a member of its group.

use super::cluster::OwnerLetter;
use super::ring::Ring;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::i18n::Term;
use crate::page::motion;
use crate::page::store::Intent;
use crate::view::Selection;
use crate::view::StopCause;
use crate::view::stage::{Chip, Life, Member, Owner};
use crate::world::command::Command;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// Which member.
#[derive(PartialEq, Properties)]
pub struct MemberCardProps {
    /// The member.
    pub member: Rc<Member>,
}

/// The word for the style sheet.
pub(super) const fn life_name(life: Life) -> &'static str {
    match life {
        Life::Running => "running",
        Life::Frozen => "frozen",
        Life::Closing => "closing",
        Life::Stopped(StopCause::Closed) => "closed",
        Life::Stopped(StopCause::Killed) => "killed",
        Life::Stopped(StopCause::Failed) => "failed",
    }
}

/// The member. One that is past is a line: it is there to be started again.
#[component]
pub fn MemberCard(props: &MemberCardProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let member = &props.member;
    let select = send(
        &dispatch,
        Intent::Select(Selection::Client(member.actor.clone())),
    );
    let is_past = member.is_past();
    let is_gone = matches!(member.life, Life::Stopped(_));
    let who = html! {
        <div class="who">
            <OwnerLetter owner={Some(member.owner)} />
            <button class="name" onclick={select}>{ member.actor.as_str() }</button>
            if member.is_leader { <span class="badge">{ t.leader }</span> }
            <span class="phase">{ (t.member_status)(member) }</span>
        </div>
    };
    html! {
        <li class="thing member" data-party={format!("client:{}", member.actor)} data-life={life_name(member.life)}
            data-past={is_past.to_string()} data-selected={member.is_selected.to_string()}>
            { who }
            if is_past {
                <Acts member={member.clone()} />
            } else {
            <p class="ids" title={member.member_id.to_string()}>
                if let Some(trouble) = &member.trouble {
                    <span class="trouble">{ format!("{} {}", trouble.error.code(), trouble.error.name()) }</span>
                } else {
                    { member.instance_id.as_deref().map(t.instance_named) }
                    { if member.member_id.is_empty() { t.no_member_id } else { &member.member_id } }
                }
            </p>
            <div class="rings">
                <Ring countdown={member.session} label={t.session} term={Term::Session} title="session.timeout.ms" is_urgent={is_gone || member.life == Life::Frozen} />
                <Ring countdown={member.poll_interval} label={t.poll} term={Term::Poll} title="max.poll.interval.ms" />
            </div>
            <div class="foot">
                <ul class="chips" aria-label={t.owned_partitions}>
                    { for member.partitions.iter().map(|chip| html! {
                        <ChipView key={chip.partition.to_string()} chip={chip.clone()} owner={member.owner} />
                    }) }
                </ul>
                <Acts member={member.clone()} />
            </div>
            }
        </li>
    }
}

/// What may be done to it, where it stands.
#[component]
pub(super) fn Acts(props: &MemberCardProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let actor = &props.member.actor;
    // What it means is said on a mouse's way to it; the list of words says it to everybody.
    let act = |label: &'static str, class: &'static str, term: Option<Term>, command: Command| {
        let title = term.map(|term| (t.term)(term).1);
        html! {
            <button class={classes!("button", "plain", class)} aria-label={(t.act_on)(label, actor)} {title}
                onclick={send(&dispatch, Intent::Do(command))}>{ label }</button>
        }
    };
    let close = || {
        act(
            t.close,
            "",
            Some(Term::Close),
            Command::Close {
                actor: actor.clone(),
            },
        )
    };
    let kill = || {
        act(
            t.kill,
            "danger",
            Some(Term::Kill),
            Command::Kill {
                actor: actor.clone(),
            },
        )
    };
    html! {
        <div class="acts">
            { match props.member.life {
                Life::Running => html! { <>
                    { act(t.freeze, "", Some(Term::Freeze), Command::Freeze { actor: actor.clone() }) }{ close() }{ kill() }
                </> },
                Life::Frozen => html! { <>
                    { act(t.thaw, "", None, Command::Thaw { actor: actor.clone() }) }{ kill() }
                </> },
                Life::Closing => kill(),
                Life::Stopped(_) => act(t.restart, "", None, Command::Restart { actor: actor.clone(), configs: Default::default() }),
            } }
        </div>
    }
}

/// Which chip, on whose colour.
#[derive(PartialEq, Properties)]
struct ChipViewProps {
    chip: Chip,
    owner: Owner,
}

#[component]
fn ChipView(props: &ChipViewProps) -> Html {
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with(props.chip.duplicates, move |duplicates| {
            if let Some(element) = node.cast::<Element>().filter(|_| *duplicates > 0) {
                motion::flash(&element);
            }
        });
    }
    let name = props.chip.partition.to_string();
    html! {
        <li class="chip" ref={node} data-colour={props.owner.colour().to_string()} data-chip={name.clone()} title={name}>
            { &*props.chip.label }
        </li>
    }
}
