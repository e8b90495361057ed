//! What lies over the page: the library of scenarios, the list of keys; and the note that says no.

use super::bring::BringSheet;
use super::context::{send, use_dispatch, use_teach, use_text};
use super::edit::EditSheet;
use super::hint::Glossary;
use super::i18n::{Catalogue, Key};
use super::icon::{Icon, Shape};
use super::library::Library;
use super::menu::ModelledLink;
use super::share::ShareSheet;
use super::shelf::Shelf;
use super::store::{About, Intent, Notice, Reason, Shared, Sheet, Ui};
use crate::view::panel::Tab;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

/// What lies over the page.
pub struct SheetPart {
    /// Draws it.
    pub draw: fn(Sheet, &Ui) -> Html,
}

/// The functions of the sheets.
pub static PART: SheetPart = SheetPart {
    draw: |sheet, ui| html! { <SheetView {sheet} about={ui.about.clone()} shared={ui.shared.clone()} edited={ui.edited.clone()} /> },
};

/// Which sheet.
#[derive(PartialEq, Properties)]
pub struct SheetProps {
    /// Which one.
    pub sheet: Sheet,
    /// The scenario that runs.
    pub about: Rc<About>,
    /// What can be shared.
    pub shared: Option<Rc<Shared>>,
    /// The file that can be edited.
    pub edited: Option<Rc<str>>,
}

/// A sheet over the page. It takes the focus; Escape and a click beside it close it.
#[component]
pub fn SheetView(props: &SheetProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            let document = web_sys::window().and_then(|window| window.document());
            let before = document.and_then(|document| document.active_element());
            if let Some(element) = node.cast::<HtmlElement>() {
                let _ = element.focus();
            }
            move || {
                if let Some(element) =
                    before.and_then(|before| before.dyn_into::<HtmlElement>().ok())
                {
                    let _ = element.focus();
                }
            }
        });
    }
    let close: Callback<MouseEvent> = send(&dispatch, Intent::Sheet(None));
    let keep = Callback::from(|event: MouseEvent| event.stop_propagation());
    let (title, content) = match props.sheet {
        Sheet::Scenarios => (
            t.scenarios,
            html! { <Library about={props.about.clone()} /> },
        ),
        Sheet::Incidents => (t.incidents, html! { <Shelf /> }),
        Sheet::Share => (
            t.to_share,
            props.shared.as_ref().map_or_else(
                Html::default,
                |shared| html! { <ShareSheet shared={shared.clone()} /> },
            ),
        ),
        Sheet::Edit => (
            t.share().edit,
            props.edited.as_ref().map_or_else(
                Html::default,
                |file| html! { <EditSheet file={file.clone()} /> },
            ),
        ),
        Sheet::Bring => (t.code().bring, html! { <BringSheet /> }),
        Sheet::Keys => (
            t.keys,
            html! { <><KeyList /><ModelledLink class="button modelled-link" /><Glossary /></> },
        ),
    };
    html! {
        <div class="overlay" onclick={close.clone()}>
            <div class="sheet" role="dialog" aria-modal="true" aria-labelledby="sheet-title" tabindex="-1" ref={node} onclick={keep}>
                <div class="sheet-head">
                    <h2 id="sheet-title">{ title }</h2>
                    <button class="button plain icon" aria-label={t.close_sheet} onclick={close}><Icon shape={Shape::Close} /></button>
                </div>
                { content }
            </div>
        </div>
    }
}

#[component]
fn KeyList() -> Html {
    let t = use_text();
    let more = use_teach().keys;
    html! {
        <table class="key-table">
            <tbody>
                { for t.key_list.iter().chain(more).map(|(key, text)| {
                    let key = match key {
                        Key::Of(key) => (*key).to_string(),
                        Key::Views => format!("1 … {}", Tab::ALL.len().min(9)),
                    };
                    html! { <tr><td><kbd>{ key }</kbd></td><td>{ *text }</td></tr> }
                }) }
            </tbody>
        </table>
    }
}

/// What the page says in return.
#[derive(PartialEq, Properties)]
pub struct ToastProps {
    /// The note.
    pub notice: Notice,
}

/// A note in words.
pub fn notice_text(t: &Catalogue, notice: &Notice) -> String {
    match notice {
        Notice::Refused(refusal) => (t.refusal)(refusal),
        Notice::Forked(until) => (t.forked)((t.clock)(*until)),
        Notice::NotANumber(value) => (t.not_a_number)(value),
        Notice::NotLike(value, example) => (t.not_like)(value, example),
        Notice::BadScenario(problem) => (t.bad_scenario)(problem),
        Notice::BadAct(problem) => (t.bad_act)(problem),
        Notice::NotFetched(problem) => (t.not_fetched)(problem),
        Notice::NotOpened(words) | Notice::Said(words) => words.clone(),
        Notice::UnreadableFile => t.unreadable_file.to_string(),
        Notice::Because(reason) => (match reason {
            Reason::NothingToUndo => t.nothing_to_undo,
            Reason::Slowest => t.slowest,
            Reason::Fastest => t.fastest,
            Reason::SameStrategy => t.same_strategy,
        })
        .to_string(),
    }
}

/// A note that something was not done, and why.
#[component]
pub fn Toast(props: &ToastProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let (role, kind) = match &props.notice {
        Notice::Forked(_) => ("status", "fork"),
        Notice::Because(_) | Notice::Said(_) => ("status", "reason"),
        Notice::Refused(_)
        | Notice::NotANumber(_)
        | Notice::NotLike(..)
        | Notice::BadScenario(_)
        | Notice::BadAct(_)
        | Notice::NotFetched(_)
        | Notice::NotOpened(_)
        | Notice::UnreadableFile => ("alert", "refusal"),
    };
    let is_fork = kind == "fork";
    html! {
        <div class="toast" {role} data-kind={kind}>
            <span>{ notice_text(t, &props.notice) }</span>
            if is_fork { <button class="button" onclick={send(&dispatch, Intent::Undo)}>{ t.undo }</button> }
            <button class="button plain icon" aria-label={t.dismiss} onclick={send(&dispatch, Intent::Dismiss)}><Icon shape={Shape::Close} /></button>
        </div>
    }
}
