//! The scenarios to choose from, and the way to open one's own.

use super::context::{use_dispatch, use_text};
use super::i18n::Language;
use super::store::{About, Intent};
use crate::scenario::{Document, LENGTH_MAX_BYTES, library};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, File, HtmlInputElement};
use yew::prelude::*;

/// What runs.
#[derive(PartialEq, Properties)]
pub struct LibraryProps {
    /// The scenario that runs.
    pub about: Rc<About>,
}

/// The library.
#[component]
pub fn Library(props: &LibraryProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let language = use_context::<Language>().unwrap_or_default();
    let entries = use_memo((), |()| titles());
    let onchange = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            let input = event
                .target()
                .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            let file = input
                .and_then(|input| input.files())
                .and_then(|files| files.get(0));
            if let Some(file) = file {
                read(file, dispatch.clone());
            }
        })
    };
    html! {
        <>
            <ul class="library">
                { for entries.iter().map(|(name, file)| {
                    let name = *name;
                    let onclick = dispatch.reform(move |_: MouseEvent| Intent::Load(name));
                    html! {
                        <li><button {onclick} aria-current={(file.title == props.about.title).then_some("true")}>
                            <b>{ language.of(&file.title) }</b><span>{ language.of(&file.story) }</span>
                        </button></li>
                    }
                }) }
            </ul>
            <label class="drop">
                { t.open_file }
                <input type="file" accept=".json,application/json" class="hidden-text" {onchange} />
            </label>
        </>
    }
}

/// Names of the library with what their files say about them.
fn titles() -> Vec<(&'static str, About)> {
    let read = |entry: &library::Entry| {
        let document = Document::parse(entry.text).ok()?;
        let file = document.file();
        Some((
            entry.name,
            About {
                title: file.title.clone(),
                story: file.story.clone(),
                question: file.question.clone(),
            },
        ))
    };
    library::LIBRARY.iter().filter_map(read).collect()
}

/// A file that was dropped onto the page.
pub fn dropped(event: &DragEvent, dispatch: Callback<Intent>) {
    event.prevent_default();
    let files = event.data_transfer().and_then(|data| data.files());
    if let Some(file) = files.and_then(|files| files.get(0)) {
        read(file, dispatch);
    }
}

/// Reads a file and hands its text to the store.
fn read(file: File, dispatch: Callback<Intent>) {
    // A browser's sizes are whole numbers below 2^53.
    if file.size() > LENGTH_MAX_BYTES as f64 {
        dispatch.emit(Intent::TooLong);
        return;
    }
    wasm_bindgen_futures::spawn_local(async move {
        let text = wasm_bindgen_futures::JsFuture::from(file.text()).await;
        let text = text.ok().and_then(|text| text.as_string());
        dispatch.emit(Intent::LoadText(text.unwrap_or_default()));
    });
}
