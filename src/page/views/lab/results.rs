//! What each assignor makes of the group, side by side.

use super::chips::{ChipMark, Chips, placed};
use super::{LabViewProps, ROWS_SHOWN, act};
use crate::page::context::{use_dispatch, use_text};
use crate::page::i18n::Catalogue;
use crate::page::stage::OwnerLetter;
use crate::view::lab::{Lab, LabAct, LabMember, Outcome, Past, Rule};
use std::rc::Rc;
use yew::prelude::*;

/// A table: members down, assignors across, sums below.
#[component]
pub fn Results(props: &LabViewProps) -> Html {
    let t = use_text();
    let lab = &props.lab;
    let members = &lab.group.members;
    let has_before = lab.group.past == Past::Shared;
    let clients = Rule::ALL.iter().filter(|rule| !rule.is_server()).count();
    html! {
        <section class="lab-results" aria-label={t.lab().results}>
            <div class="lab-scroll" tabindex="0" role="group" aria-label={t.lab().results}>
                <table>
                    <caption class="hidden-text">{ t.lab().results }</caption>
                    <thead>
                        <tr class="lab-sides">
                            <td colspan={if has_before { "2" } else { "1" }}></td>
                            <th scope="colgroup" colspan={clients.to_string()}>{ t.lab().by_leader }</th>
                            <th scope="colgroup" colspan={(Rule::ALL.len() - clients).to_string()}>{ t.lab().by_coordinator }</th>
                        </tr>
                        <tr>
                            <th scope="col">{ t.lab().member }</th>
                            if has_before { <th scope="col">{ t.lab().before }</th> }
                            { for Rule::ALL.into_iter().map(|rule| html! { <RuleHead {rule} is_chosen={lab.chosen == rule} /> }) }
                        </tr>
                    </thead>
                    <tbody>
                        { for members.iter().enumerate().take(ROWS_SHOWN).map(|(place, member)| html! {
                            <MemberRow key={member.member_id.as_str()} lab={lab.clone()} {place} />
                        }) }
                        if members.len() > ROWS_SHOWN {
                            <tr class="lab-more"><th scope="row" colspan="8">{ (t.lab().more_members)(members.len() - ROWS_SHOWN) }</th></tr>
                        }
                    </tbody>
                    <tbody class="lab-sums">
                        { for sums(lab).into_iter().map(|sum| sum_row(t, lab, sum, has_before)) }
                    </tbody>
                </table>
            </div>
            <p class="lab-key">
                <span><i class="lab-chip" data-kind="kept">{ "0" }</i>{ t.lab().key_kept }</span>
                <span><i class="lab-chip" data-kind="moved">{ "0" }<small data-colour="0">{ "A" }</small></i>{ t.lab().key_moved }</span>
                <span><i class="lab-chip" data-kind="new">{ "0" }</i>{ t.lab().key_new }</span>
                <span><i class="lab-chip" data-kind="later">{ "0" }</i>{ t.lab().key_later }</span>
            </p>
        </section>
    }
}

/// Which assignor.
#[derive(PartialEq, Properties)]
struct RuleHeadProps {
    rule: Rule,
    is_chosen: bool,
}

/// The head of a column; it opens the account.
#[component]
fn RuleHead(props: &RuleHeadProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let rule = props.rule;
    let kind = if rule.is_server() {
        t.lab().server_side
    } else if rule.is_eager() {
        t.lab().eager
    } else {
        t.lab().cooperative
    };
    html! {
        <th scope="col" class="lab-rule" data-chosen={props.is_chosen.to_string()}>
            <button aria-pressed={props.is_chosen.to_string()} title={(t.lab().walk_through)(rule.name())} onclick={act(&dispatch, LabAct::Choose(rule))}>
                <b>{ rule.name() }</b><span>{ kind }</span>
            </button>
        </th>
    }
}

/// Which member.
#[derive(PartialEq, Properties)]
struct MemberRowProps {
    lab: Rc<Lab>,
    place: usize,
}

#[component]
fn MemberRow(props: &MemberRowProps) -> Html {
    let t = use_text();
    let lab = &props.lab;
    let Some(member) = lab.group.members.get(props.place) else {
        return Html::default();
    };
    let before = |member: &LabMember| -> Vec<ChipMark> {
        let places = lab.group.places();
        let owned = member.owned.iter().filter_map(|owned| places.of(owned));
        owned.map(plain).collect()
    };
    html! {
        <tr data-present={member.is_present.to_string()}>
            <th scope="row">
                <span class="lab-member">
                    <OwnerLetter owner={Some(member.owner)} />
                    <span class="lab-id" title={member.member_id.to_string()}>{ member.member_id.as_str() }</span>
                    <Presence place={props.place} id={member.member_id.as_str().to_string()} is_present={member.is_present} />
                </span>
            </th>
            if lab.group.past == Past::Shared {
                <td><Chips group={lab.group.clone()} chips={before(member)} /></td>
            }
            { for Rule::ALL.into_iter().map(|rule| {
                let share = lab.outcome(rule).and_then(|outcome| outcome.shares.get(props.place));
                let chips = share.map(|share| share.iter().map(|one| placed(one, &lab.group, t.lab())).collect::<Vec<_>>());
                html! {
                    <td data-chosen={(lab.chosen == rule).to_string()}>
                        if let Some(chips) = chips {
                            if chips.is_empty() { <span class="quiet">{ "–" }</span> } else { <Chips group={lab.group.clone()} {chips} /> }
                        } else {
                            <span class="quiet">{ t.lab().computing }</span>
                        }
                    </td>
                }
            }) }
        </tr>
    }
}

fn plain(partition: usize) -> ChipMark {
    ChipMark {
        partition,
        kind: "kept",
        beside: None,
        text: String::new(),
        is_in_focus: false,
    }
}

/// Whose presence.
#[derive(PartialEq, Properties)]
struct PresenceProps {
    place: usize,
    id: String,
    is_present: bool,
}

/// Lets a member leave or come back.
#[component]
fn Presence(props: &PresenceProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let (label, name) = if props.is_present {
        (t.lab().leave, (t.lab().leave_of)(&props.id))
    } else {
        (t.lab().come_back, (t.lab().come_back_of)(&props.id))
    };
    html! {
        <button class="button plain" aria-label={name} onclick={act(&dispatch, LabAct::TogglePresence(props.place))}>{ label }</button>
    }
}

/// A sum below the table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sum {
    Load,
    Moved,
    Inherited,
    Revoked,
    HeldBack,
    Rounds,
    InRack,
    Left,
}

/// The sums that say something about this group.
fn sums(lab: &Lab) -> Vec<Sum> {
    let any = |count: fn(&Outcome) -> usize| {
        let mut outcomes = lab.outcomes.iter().flatten();
        outcomes.any(|outcome| count(outcome) > 0)
    };
    let mut sums = vec![Sum::Load, Sum::Moved];
    if lab.group.members.iter().any(|member| !member.is_present) {
        sums.push(Sum::Inherited);
    }
    sums.extend([Sum::Revoked, Sum::HeldBack, Sum::Rounds]);
    if any(|outcome| usize::from(outcome.in_rack.is_some())) {
        sums.push(Sum::InRack);
    }
    if any(|outcome| outcome.left) {
        sums.push(Sum::Left);
    }
    sums
}

fn sum_row(t: &'static Catalogue, lab: &Lab, sum: Sum, has_before: bool) -> Html {
    let label = match sum {
        Sum::Load => t.lab().load,
        Sum::Moved => t.lab().moved,
        Sum::Inherited => t.lab().inherited,
        Sum::Revoked => t.lab().revoked,
        Sum::HeldBack => t.lab().held_back,
        Sum::Rounds => t.lab().rounds,
        Sum::InRack => t.lab().in_rack,
        Sum::Left => t.lab().left,
    };
    let count = |count: usize| (t.count)(i64::try_from(count).unwrap_or(i64::MAX));
    let value = |outcome: &Outcome| match (sum, outcome.exception) {
        (Sum::Load, Some(exception)) => (t.lab().throws)(exception),
        (_, Some(_)) => "–".to_string(),
        (Sum::Load, None) => (t.lab().load_text)(outcome.load.0, outcome.load.1),
        (Sum::Moved, None) => count(outcome.moved),
        (Sum::Inherited, None) => count(outcome.inherited),
        (Sum::Revoked, None) => count(outcome.revoked),
        (Sum::HeldBack, None) => count(outcome.held_back()),
        (Sum::Rounds, None) => count(outcome.rounds.len()),
        (Sum::InRack, None) => outcome.in_rack.map_or_else(|| "–".to_string(), count),
        (Sum::Left, None) => count(outcome.left),
    };
    html! {
        <tr>
            <th scope="row">{ label }</th>
            if has_before { <td></td> }
            { for Rule::ALL.into_iter().map(|rule| {
                let text = lab.outcome(rule).map_or_else(|| t.lab().computing.to_string(), |outcome| value(outcome));
                html! { <td class="number" data-chosen={(lab.chosen == rule).to_string()} data-zero={(text == "0").to_string()}>{ text }</td> }
            }) }
        </tr>
    }
}
