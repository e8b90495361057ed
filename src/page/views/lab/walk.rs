//! How the chosen assignor arrived at its result, step by step.

use super::chips::{ChipMark, Chips};
use super::{LabViewProps, ROWS_SHOWN, act};
use crate::page::context::{use_dispatch, use_text};
use crate::page::icon::{Icon, Shape};
use crate::page::stage::OwnerLetter;
use crate::page::store::Intent;
use crate::view::lab::{Board, Hold, Lab, LabAct, WalkStep};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The account: a slider over its steps, the sentence, and what everybody has then.
#[component]
pub fn WalkView(props: &LabViewProps) -> Html {
    let t = use_text();
    let lab = &props.lab;
    let walk = lab.walk.clone();
    let board = {
        let walk = walk.clone();
        use_memo((walk.clone(), lab.step), move |(_, step)| {
            walk.map_or_else(Board::default, |walk| walk.board(*step))
        })
    };
    let step = walk
        .as_ref()
        .and_then(|walk| walk.steps.get(lab.step).cloned())
        .unwrap_or(WalkStep::Start);
    let title = (t.lab().walk)(lab.chosen.name());
    html! {
        <section class="lab-walk" aria-label={title.clone()}>
            <header>
                <h2>{ title }</h2>
                <Steps lab={lab.clone()} />
            </header>
            <p class="lab-sentence" aria-live="polite">{ (t.lab().step)(lab.chosen, &step, &lab.group) }</p>
            <BoardView lab={lab.clone()} {board} {step} />
        </section>
    }
}

/// Buttons and slider.
#[component]
fn Steps(props: &LabViewProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let lab = &props.lab;
    let (step, last) = (lab.step, lab.last_step());
    let oninput = dispatch.reform(move |event: InputEvent| {
        let input = event.target_dyn_into::<HtmlInputElement>();
        let wanted = input.and_then(|input| input.value().parse().ok());
        Intent::Lab(LabAct::Step(wanted.unwrap_or(step)))
    });
    let button = |label: &'static str, to: usize, shape: Shape, is_disabled: bool| {
        html! {
            <button class="button plain icon" aria-label={label} title={label} disabled={is_disabled}
                onclick={act(&dispatch, LabAct::Step(to))}><Icon {shape} /></button>
        }
    };
    html! {
        <div class="lab-steps">
            { button(t.lab().previous_step, step.saturating_sub(1), Shape::Back, step == 0) }
            <input type="range" min="0" max={last.to_string()} value={step.to_string()} {oninput}
                aria-label={(t.lab().walk)(lab.chosen.name())} aria-valuetext={(t.lab().step_of)(step, last)} />
            { button(t.lab().next_step, step.saturating_add(1), Shape::Step, step >= last) }
            <span class="number caps">{ (t.lab().step_of)(step, last) }</span>
        </div>
    }
}

/// What everybody has.
#[derive(PartialEq, Properties)]
struct BoardViewProps {
    lab: Rc<Lab>,
    board: Rc<Board>,
    step: WalkStep,
}

#[component]
fn BoardView(props: &BoardViewProps) -> Html {
    let t = use_text();
    let group = &props.lab.group;
    let board = &props.board;
    let focus = props.step.partition();
    let about = props.step.members();
    let mark = |partition: usize, kind: &'static str| ChipMark {
        partition,
        kind,
        beside: None,
        text: String::new(),
        is_in_focus: focus == Some(partition),
    };
    // Of a large group the first rows, and those that the step is about.
    let rows = group.members.iter().enumerate().filter(|(place, member)| {
        member.is_present && (*place < ROWS_SHOWN || about.contains(place))
    });
    let tray: Vec<ChipMark> = board.tray.iter().map(|place| mark(*place, "new")).collect();
    let held: Vec<ChipMark> = board
        .held_back
        .iter()
        .map(|(partition, to)| {
            let id = group.members.get(*to).map_or("", |m| m.member_id.as_str());
            ChipMark {
                beside: Some(*to),
                text: (t.lab().waits_for)(id),
                ..mark(*partition, "later")
            }
        })
        .collect();
    let hold = |hold: Hold| match hold {
        Hold::Claimed => "claimed",
        Hold::Given => "kept",
    };
    html! {
        <table class="lab-board">
            <caption class="hidden-text">{ (t.lab().walk)(props.lab.chosen.name()) }</caption>
            <tbody>
                { for rows.map(|(place, member)| {
                    let list = board.lists.get(place).map_or(&[][..], |list| list);
                    let chips: Vec<ChipMark> = list.iter().map(|(partition, held)| mark(*partition, hold(*held))).collect();
                    html! {
                        <tr key={member.member_id.as_str()} data-about={about.contains(&place).to_string()}>
                            <th scope="row"><span class="lab-member"><OwnerLetter owner={Some(member.owner)} /><span class="lab-id">{ member.member_id.as_str() }</span></span></th>
                            <td class="number">{ list.len() }</td>
                            <td><Chips group={group.clone()} {chips} /></td>
                        </tr>
                    }
                }) }
                <tr class="lab-tray" data-empty={tray.is_empty().to_string()}>
                    <th scope="row">{ t.lab().not_given }</th><td class="number">{ tray.len() }</td>
                    <td><Chips group={group.clone()} chips={tray} /></td>
                </tr>
                if !held.is_empty() {
                    <tr class="lab-tray"><th scope="row">{ t.lab().held_back }</th><td class="number">{ held.len() }</td>
                        <td><Chips group={group.clone()} chips={held} /></td></tr>
                }
            </tbody>
        </table>
    }
}
