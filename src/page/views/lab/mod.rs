//! The assignor lab: a group that can be edited, what each assignor makes of it, and how one of them got there.

mod chips;
mod editor;
mod results;
mod walk;

use crate::page::context::{Dispatch, send, use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::lab::{Lab, LabAct, Past, Preset, Source};
use editor::Editor;
use results::Results;
use std::rc::Rc;
use walk::WalkView;
use yew::prelude::*;

/// Rows that are drawn of a large group; all members are counted.
const ROWS_SHOWN: usize = 10;
/// Chips that are drawn of a long list.
const CHIPS_SHOWN: usize = 16;
/// The same in a group of which not all rows are drawn.
const CHIPS_SHOWN_OF_MANY: usize = 5;

/// What it shows.
#[derive(PartialEq, Properties)]
pub struct LabViewProps {
    /// The lab.
    pub lab: Rc<Lab>,
}

/// The lab.
#[component]
pub fn LabView(props: &LabViewProps) -> Html {
    let t = use_text();
    let lab = &props.lab;
    html! {
        <div class="lab">
            <Sources lab={lab.clone()} />
            if let Some(problem) = &lab.problem {
                <p class="lab-problem" role="alert">{ (t.lab().problem)(problem) }</p>
            }
            if lab.group.members.is_empty() {
                <p class="note">{ t.lab().empty }</p>
            }
            <Editor group={lab.group.clone()} />
            <Results lab={lab.clone()} />
            if lab.walk.is_some() { <WalkView lab={lab.clone()} /> }
        </div>
    }
}

/// Sends an act.
fn act<E>(dispatch: &Dispatch, act: LabAct) -> Callback<E> {
    send(dispatch, Intent::Lab(act))
}

/// Where the group comes from, and what may be done with it as a whole.
#[component]
fn Sources(props: &LabViewProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let lab = &props.lab;
    let source = |wanted: Source, label: &'static str, wish: LabAct| {
        let is_shown = lab.source == wanted;
        html! {
            <button class="button" aria-pressed={is_shown.to_string()} onclick={act(&dispatch, wish)}>{ label }</button>
        }
    };
    let is_own = lab.group.past == Past::Own;
    let past = if is_own { Past::Shared } else { Past::Own };
    html! {
        <div class="lab-sources">
            <div class="button-row" role="group" aria-label={t.lab().examples}>
                { source(Source::Running, t.lab().running, LabAct::Follow) }
                { for Preset::ALL.into_iter().map(|preset| source(Source::Example(preset), (t.lab().preset)(preset), LabAct::Show(preset))) }
                if lab.source == Source::Edited { <span class="badge">{ t.lab().edited }</span> }
            </div>
            <div class="button-row">
                <button class="button" onclick={act(&dispatch, LabAct::AddMember)}>{ t.lab().add_member }</button>
                <button class="button" title={t.lab().go_on_text} disabled={!lab.is_done()} onclick={act(&dispatch, LabAct::GoOn)}>{ t.lab().go_on }</button>
                <label class="check">
                    <input type="checkbox" checked={is_own} onchange={act(&dispatch, LabAct::SetPast(past))} />
                    { t.lab().own_past }
                </label>
            </div>
        </div>
    }
}
