//! The scenario that runs, as the text of its file: what can only be set before the first act is set here.

use super::context::{use_dispatch, use_refused, use_text};
use super::inspector::FIELD_ERROR;
use super::sheet::notice_text;
use super::store::Intent;
use std::rc::Rc;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

/// Which text.
#[derive(PartialEq, Properties)]
pub struct EditProps {
    /// The file with what was done.
    pub file: Rc<str>,
}

/// The sheet's content.
#[component]
pub fn EditSheet(props: &EditProps) -> Html {
    let text = use_text();
    let t = text.share();
    let dispatch = use_dispatch();
    let refused = use_refused().filter(|refused| *refused.field == *t.edited_file);
    let typed = use_state(|| props.file.to_string());
    let oninput = {
        let typed = typed.clone();
        Callback::from(move |event: InputEvent| {
            if let Some(area) = event.target_dyn_into::<HtmlTextAreaElement>() {
                typed.set(area.value());
            }
        })
    };
    let onclick = {
        let typed = typed.clone();
        Callback::from(move |_: MouseEvent| {
            // The field's own text is long: what was typed stays in it anyway.
            dispatch.emit(Intent::Enter(t.edited_file.into(), String::new()));
            dispatch.emit(Intent::LoadText((*typed).clone()));
        })
    };
    html! {
        <div class="share">
            <p>{ t.edit_text }</p>
            <textarea class="field bring-text edited" rows="22" spellcheck="false" autocomplete="off" aria-label={t.edited_file}
                aria-invalid={refused.is_some().then_some("true")} aria-describedby={refused.is_some().then_some(FIELD_ERROR)}
                value={(*typed).clone()} {oninput} />
            if let Some(refused) = refused {
                <span id={FIELD_ERROR} class="field-error" role="alert">{ notice_text(text, &refused.notice) }</span>
            }
            <div class="button-row"><button class="button" {onclick}>{ t.start_edited }</button></div>
        </div>
    }
}
