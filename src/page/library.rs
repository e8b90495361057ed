//! The scenarios to choose from, and the way to open one's own.

use super::context::{send, use_dispatch, use_text};
use super::i18n::Language;
use super::store::{About, Intent, ShareAct, Sheet};
use super::views::messages::{is_capture, open_file};
use crate::scenario::{Document, Entry, LENGTH_MAX_BYTES, LIBRARY, Text};
use std::rc::Rc;
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
    let entries = use_memo((), |()| cards());
    let running = props
        .about
        .title
        .en
        .split(": ")
        .next()
        .unwrap_or_default()
        .to_string();
    let onchange = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            let input = event.target_dyn_into::<HtmlInputElement>();
            let file = input
                .as_ref()
                .and_then(|input| input.files())
                .and_then(|files| files.get(0));
            if let Some(file) = file {
                read(file, dispatch.clone());
            }
            // Else the same file, chosen again, would be no change.
            if let Some(input) = input {
                input.set_value("");
            }
        })
    };
    html! {
        <>
            <button class="button to-shelf" onclick={send(&dispatch, Intent::Sheet(Some(Sheet::Incidents)))}>{ t.case().to_shelf }</button>
            <button class="button to-bring" onclick={send(&dispatch, Intent::Sheet(Some(Sheet::Bring)))}>{ t.code().bring }</button>
            <ul class="library">
                { for entries.iter().map(|entry| html! {
                    <EntryView entry={entry.clone()} is_running={*entry.title.en == *running} />
                }) }
            </ul>
            <label class="drop">
                { t.open_file }
                <input type="file" accept=".json,application/json" class="hidden-text" {onchange} />
            </label>
            <div class="button-row">
                <button class="button" onclick={send(&dispatch, Intent::Share(ShareAct::Save))}>{ t.save_file }</button>
                <button class="button" onclick={send(&dispatch, Intent::Share(ShareAct::Edit))}>{ t.share().edit }</button>
            </div>
        </>
    }
}

/// What the library says of a scenario.
#[derive(Clone, PartialEq)]
struct Card {
    name: &'static str,
    title: Text,
    story: Text,
    variants: Vec<(Rc<str>, Text)>,
}

/// The library's files, read.
fn cards() -> Vec<Rc<Card>> {
    let read = |entry: &Entry| {
        let document = Document::parse(entry.text).ok()?;
        let file = document.file();
        Some(Rc::new(Card {
            name: entry.name,
            title: file.title.clone(),
            story: file.story.clone(),
            variants: document
                .variants()
                .map(|(name, title)| (name.clone(), title.clone()))
                .collect(),
        }))
    };
    LIBRARY.iter().filter_map(read).collect()
}

/// Which scenario.
#[derive(PartialEq, Properties)]
struct EntryViewProps {
    entry: Rc<Card>,
    is_running: bool,
}

/// A scenario of the library: a button, or one for each of its variants.
#[component]
fn EntryView(props: &EntryViewProps) -> Html {
    let dispatch = use_dispatch();
    let language = use_context::<Language>().unwrap_or_default();
    let entry = &props.entry;
    let load = |variant: Option<Rc<str>>| {
        let name = entry.name;
        dispatch.reform(move |_: MouseEvent| Intent::Load(name, variant.clone()))
    };
    let text = html! { <><b>{ language.of(&entry.title) }</b><span>{ language.of(&entry.story) }</span></> };
    html! {
        <li aria-current={props.is_running.then_some("true")}>
            if entry.variants.is_empty() {
                <button class="entry" onclick={load(None)}>{ text }</button>
            } else {
                <div class="entry">
                    { text }
                    <div class="button-row">
                        { for entry.variants.iter().map(|(name, title)| html! {
                            <button class="button" onclick={load(Some(name.clone()))}>{ language.of(title) }</button>
                        }) }
                    </div>
                </div>
            }
        </li>
    }
}

/// A file that was dropped onto the page.
pub fn dropped(event: &DragEvent, dispatch: Callback<Intent>) {
    event.prevent_default();
    let files = event.data_transfer().and_then(|data| data.files());
    if let Some(file) = files.and_then(|files| files.get(0)) {
        if is_capture(&file) {
            return open_file(file, dispatch);
        }
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
        // A folder cannot be read.
        dispatch.emit(text.map_or(Intent::Unreadable, Intent::LoadText));
    });
}
