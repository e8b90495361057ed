//! What of the messages is shown: choices, the filter, steps along time.

use super::capture::{SavePcap, Sources};
use crate::page::context::{Dispatch, send, use_dispatch, use_text};
use crate::page::icon::{Icon, Shape};
use crate::page::store::Intent;
use crate::view::ApiKey;
use crate::view::messages::filter::FilterField;
use crate::view::messages::{MessagesAct, MessagesPanel, Scope, Side};
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What it belongs to.
#[derive(PartialEq, Properties)]
pub struct ToolbarProps {
    /// The view.
    pub panel: Rc<MessagesPanel>,
}

/// Sends an act.
pub fn act<E>(dispatch: &Dispatch, act: MessagesAct) -> Callback<E> {
    send(dispatch, Intent::Messages(act))
}

fn chosen(event: &Event) -> String {
    let select = event.target_dyn_into::<HtmlSelectElement>();
    select.map_or_else(String::new, |select| select.value())
}

/// The toolbar.
#[component]
pub fn Toolbar(props: &ToolbarProps) -> Html {
    let t = use_text().messages();
    let dispatch = use_dispatch();
    let panel = &props.panel;
    let wish = &panel.wish;
    let fields = FilterField::ALL.map(FilterField::name);
    let oninput = dispatch.reform(|event: InputEvent| {
        let input = event.target_dyn_into::<HtmlInputElement>();
        let text = input.map_or_else(String::new, |input| input.value());
        Intent::Messages(MessagesAct::Filter(text.into()))
    });
    let step = |label: &'static str, wanted: MessagesAct, is_idle: bool| {
        html! { <button class="button" disabled={is_idle} onclick={act(&dispatch, wanted)}>{ label }</button> }
    };
    let zoom = |label: &'static str, by: i8, shape: Shape| {
        html! { <button class="button plain icon" aria-label={label} title={label} onclick={act(&dispatch, MessagesAct::Zoom(by))}><Icon {shape} /></button> }
    };
    let follows = wish.until.is_none();
    html! {
        <div class="messages-tools">
            <div class="messages-row">
                <ScopeSelect scope={wish.scope} />
                <SideSelect side={wish.side.clone()} sides={panel.sides.clone()} />
                <label class="check">
                    <input type="checkbox" checked={wish.only_errors} onchange={act(&dispatch, MessagesAct::ToggleErrors)} />{ t.only_errors }
                </label>
                <label class="messages-filter"><span>{ t.filter }</span>
                    <input class="field" type="text" spellcheck="false" autocomplete="off" placeholder="api == JoinGroup && error != 0" value={wish.text.to_string()} {oninput}
                        title={(t.filter_help)(&fields)} aria-invalid={wish.problem.is_some().to_string()} aria-describedby="filter-words" />
                </label>
            </div>
            <p id="filter-words" class="messages-words" role="status" data-bad={wish.problem.is_some().to_string()}>
                { match (&wish.problem, panel.searched) {
                    (Some(problem), _) => (t.filter_problem)(problem),
                    (None, Some(searched)) => (t.searched)(searched),
                    (None, None) => String::new(),
                } }
            </p>
            <div class="messages-row">
                <div class="button-row">
                    { step(t.older, MessagesAct::Older, !panel.has_older) }
                    { step(t.newer, MessagesAct::Newer, follows) }
                    <button class="button" aria-pressed={follows.to_string()} onclick={act(&dispatch, MessagesAct::Follow)}>{ t.follow }</button>
                    { zoom(t.farther, -1, Shape::Minus) }
                    { zoom(t.closer, 1, Shape::Plus) }
                </div>
                <SavePcap is_empty={panel.exchanges.is_empty()} />
                <Sources wish={wish.clone()} />
            </div>
        </div>
    }
}

#[derive(PartialEq, Properties)]
struct ScopeProps {
    scope: Scope,
}

#[component]
fn ScopeSelect(props: &ScopeProps) -> Html {
    let t = use_text().messages();
    let dispatch = use_dispatch();
    let onchange = dispatch.reform(|event: Event| {
        let word = chosen(&event);
        let one = ApiKey::ALL.iter().find(|api| api.name() == word);
        let scope = match (word.as_str(), one) {
            (_, Some(api)) => Scope::One(*api),
            ("all", None) => Scope::All,
            _ => Scope::Group,
        };
        Intent::Messages(MessagesAct::Scope(scope))
    });
    let option = |scope: Scope, value: &'static str, label: &'static str| {
        html! { <option {value} selected={props.scope == scope}>{ label }</option> }
    };
    html! {
        <label class="messages-choice"><span>{ t.apis }</span>
            <select class="field" {onchange}>
                { option(Scope::Group, "group", t.group_protocol) }
                { option(Scope::All, "all", t.all_apis) }
                { for ApiKey::ALL.iter().map(|api| option(Scope::One(*api), api.name(), api.name())) }
            </select>
        </label>
    }
}

#[derive(PartialEq, Properties)]
struct SideProps {
    side: Option<Side>,
    sides: Rc<[Side]>,
}

#[component]
fn SideSelect(props: &SideProps) -> Html {
    let catalogue = use_text();
    let t = catalogue.messages();
    let dispatch = use_dispatch();
    let onchange = {
        let sides = props.sides.clone();
        dispatch.reform(move |event: Event| {
            let place: Option<usize> = chosen(&event).parse().ok();
            let side = place.and_then(|place| sides.get(place)).cloned();
            Intent::Messages(MessagesAct::Side(side))
        })
    };
    html! {
        <label class="messages-choice"><span>{ t.side }</span>
            <select class="field" {onchange}>
                <option value="" selected={props.side.is_none()}>{ t.everybody }</option>
                { for props.sides.iter().enumerate().map(|(place, side)| html! {
                    <option value={place.to_string()} selected={props.side.as_ref() == Some(side)}>{ match side {
                        Side::Client(name) => name.to_string(),
                        Side::Broker(id) => (catalogue.broker)(id.0),
                    } }</option>
                }) }
            </select>
        </label>
    }
}
