//! The scenarios to choose from, and the way to open one's own.

use super::context::{use_dispatch, use_text};
use super::store::Intent;
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, File, HtmlInputElement};
use yew::prelude::*;

/// Largest scenario file that is read.
const FILE_BYTES_MOST: f64 = 4_000_000.0;

/// What runs.
#[derive(PartialEq, Properties)]
pub struct LibraryProps {
    /// Title of the scenario that runs.
    pub title: AttrValue,
}

/// The library.
#[component]
pub fn Library(props: &LibraryProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
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
                { for crate::session::library().iter().map(|entry| {
                    let onclick = dispatch.reform(move |_: MouseEvent| Intent::Load(entry.name));
                    html! {
                        <li><button {onclick} aria-current={(entry.title == &*props.title).then_some("true")}>
                            <b>{ entry.title }</b><p>{ entry.about }</p>
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
    if file.size() > FILE_BYTES_MOST {
        dispatch.emit(Intent::LoadText(String::new()));
        return;
    }
    wasm_bindgen_futures::spawn_local(async move {
        let text = wasm_bindgen_futures::JsFuture::from(file.text()).await;
        let text = text.ok().and_then(|text| text.as_string());
        dispatch.emit(Intent::LoadText(text.unwrap_or_default()));
    });
}
