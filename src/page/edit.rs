//! The scenario that runs, as the text of its file: what can only be set before the first act is set here.

use super::context::{use_dispatch, use_text};
use super::inspector::Area;
use super::store::Intent;
use std::rc::Rc;
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
    let t = use_text().share();
    let dispatch = use_dispatch();
    let typed = use_state(|| props.file.to_string());
    let oninput = {
        let typed = typed.clone();
        Callback::from(move |text: String| typed.set(text))
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
            <Area label={t.edited_file} class="bring-text" rows=22 value={(*typed).clone()} {oninput} />
            <div class="button-row"><button class="button" {onclick}>{ t.start_edited }</button></div>
        </div>
    }
}
