//! Bring your own: a configuration or a tool's output, pasted or dropped, becomes a scenario.

use super::context::{use_dispatch, use_text};
use super::store::Intent;
use crate::scenario::BadScenario;
use crate::scenario::bring::{BROUGHT_MAX_BYTES, Brought, NotBrought, bring};
use std::rc::Rc;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{File, HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// What has been made of the text.
type Outcome = Result<(Brought, Option<BadScenario>), NotBrought>;

/// What a scenario of it would be refused for, if it would be.
fn look(text: &str) -> Outcome {
    bring(text).map(|brought| {
        let problem = brought.check().err();
        (brought, problem)
    })
}

/// The sheet's content: a field to paste into, and what the page makes of it.
#[component]
pub fn BringSheet() -> Html {
    let t = use_text().code();
    let dispatch = use_dispatch();
    let text = use_state(String::new);
    let outcome = use_memo((*text).clone(), |text| look(text));
    let oninput = {
        let text = text.clone();
        Callback::from(move |event: InputEvent| {
            let field = event.target_dyn_into::<HtmlTextAreaElement>();
            text.set(field.map_or_else(String::new, |field| field.value()));
        })
    };
    let read = {
        let (text, dispatch) = (text.clone(), dispatch.clone());
        move |file: File| {
            // A browser's sizes are whole numbers below 2^53.
            if file.size() > BROUGHT_MAX_BYTES as f64 {
                // Said in the same words as of a text that is pasted.
                text.set(" ".repeat(BROUGHT_MAX_BYTES + 1));
                return;
            }
            let (text, dispatch) = (text.clone(), dispatch.clone());
            spawn_local(async move {
                let content = JsFuture::from(file.text()).await;
                match content.ok().and_then(|content| content.as_string()) {
                    Some(content) => text.set(content),
                    None => dispatch.emit(Intent::Unreadable),
                }
            });
        }
    };
    let onchange = {
        let read = read.clone();
        Callback::from(move |event: Event| {
            let input = event.target_dyn_into::<HtmlInputElement>();
            let files = input.and_then(|input| input.files());
            if let Some(file) = files.and_then(|files| files.get(0)) {
                read(file);
            }
        })
    };
    let ondrop = Callback::from(move |event: DragEvent| {
        event.prevent_default();
        event.stop_propagation();
        let files = event.data_transfer().and_then(|data| data.files());
        if let Some(file) = files.and_then(|files| files.get(0)) {
            read(file);
        }
    });
    html! {
        <div class="bring" {ondrop}>
            <p class="quiet">{ t.bring_lead }</p>
            <textarea class="field bring-text" rows="9" spellcheck="false" autocomplete="off" aria-label={t.bring_text} value={(*text).clone()} {oninput} />
            <label class="drop">
                { t.bring_file }
                <input type="file" accept=".properties,.yml,.yaml,.txt,.conf,text/*" class="hidden-text" {onchange} />
            </label>
            <BroughtView {outcome} />
        </div>
    }
}

/// What has been made of it.
#[derive(PartialEq, Properties)]
struct BroughtProps {
    outcome: Rc<Outcome>,
}

#[component]
fn BroughtView(props: &BroughtProps) -> Html {
    let catalogue = use_text();
    let t = catalogue.code();
    let dispatch = use_dispatch();
    let (brought, problem) = match &*props.outcome {
        Ok(found) => found,
        Err(why) => return html! { <p class="quiet" role="status">{ (t.not_brought)(*why) }</p> },
    };
    let open = {
        let file = brought.file.clone();
        dispatch.reform(move |_: MouseEvent| Intent::LoadText(file.to_string()))
    };
    html! {
        <div class="brought">
            <p role="status">{ (t.bring_kind)(brought.kind) }{ " " }{ (t.used_lines)(brought.used) }</p>
            if let Some(problem) = problem {
                <p class="field-error" role="alert">{ (catalogue.bad_scenario)(problem) }</p>
            } else {
                <button class="button" onclick={open}>{ t.bring_open }</button>
            }
            <h3>{ t.unused_lines }</h3>
            if brought.unused.is_empty() {
                <p class="quiet">{ t.all_used }</p>
            } else {
                <ul class="unused-lines" tabindex="0" aria-label={t.unused_lines}>
                    { for brought.unused.iter().map(|unused| html! {
                        <li>
                            <span class="caps">{ (t.line)(unused.line) }</span>
                            <code>{ &*unused.text }</code>
                            <span>{ (t.why_unused)(&unused.why) }</span>
                        </li>
                    }) }
                    if brought.more_unused > 0 { <li>{ (t.more_unused)(brought.more_unused) }</li> }
                </ul>
            }
            <h3>{ t.assumed_lead }</h3>
            <ul class="code-notes">
                { for brought.assumed.iter().map(|assumed| html! { <li>{ (t.assumed)(assumed) }</li> }) }
            </ul>
        </div>
    }
}
