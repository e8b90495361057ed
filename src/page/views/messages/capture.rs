//! Capture files: the run's own to be saved, one's own to be opened or pasted, and what is in it.

use super::toolbar::act;
use crate::page::anatomy::{Anatomy, reveal};
use crate::page::context::{Dispatch, send, use_dispatch, use_text};
use crate::page::icon::{Icon, Shape};
use crate::page::store::Intent;
use crate::view::messages::capture::{Capture, Captured, FILE_BYTES_MOST};
use crate::view::messages::{MessagesAct, MessagesPanel, Wish};
use std::rc::Rc;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{File, HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// Whether a file is a capture, by its name.
pub fn is_capture(file: &File) -> bool {
    let name = file.name().to_ascii_lowercase();
    [".pcap", ".pcapng", ".cap", ".hex"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

/// Reads a file and hands its bytes to the store. Of one that is too large only the beginning is read,
/// enough to be refused.
pub fn open_file(file: File, dispatch: Dispatch) {
    spawn_local(async move {
        let most = FILE_BYTES_MOST as f64 + 1.0;
        let part = match file.slice_with_f64_and_f64(0.0, file.size().min(most)) {
            Ok(part) => JsFuture::from(part.array_buffer()).await.ok(),
            Err(_) => None,
        };
        let bytes = part.map(|buffer| js_sys::Uint8Array::new(&buffer).to_vec());
        let opened = MessagesAct::Open(file.name().into(), bytes.unwrap_or_default().into());
        dispatch.emit(Intent::Messages(opened));
    });
}

#[derive(PartialEq, Properties)]
pub struct SavePcapProps {
    /// Whether there is nothing to be saved.
    pub is_empty: bool,
}

/// Saves what fits as a capture file.
#[component]
pub fn SavePcap(props: &SavePcapProps) -> Html {
    let t = use_text().messages();
    let dispatch = use_dispatch();
    html! {
        <button class="button" title={t.save_text} disabled={props.is_empty} onclick={send(&dispatch, Intent::SaveCapture)}>{ t.save }</button>
    }
}

#[derive(PartialEq, Properties)]
pub struct SourcesProps {
    /// What is wanted.
    pub wish: Rc<Wish>,
}

/// The ways in which messages come from elsewhere.
#[component]
pub fn Sources(props: &SourcesProps) -> Html {
    let t = use_text().messages();
    let dispatch = use_dispatch();
    let onchange = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            let input = event.target_dyn_into::<HtmlInputElement>();
            let Some(input) = input else { return };
            if let Some(file) = input.files().and_then(|files| files.get(0)) {
                open_file(file, dispatch.clone());
            }
            // The same file may be opened again.
            input.set_value("");
        })
    };
    let text = use_node_ref();
    let is_open = use_state(|| false);
    {
        // What was read makes room for itself.
        let is_open = is_open.clone();
        let capture = props.wish.capture.clone();
        use_effect_with(capture, move |_| is_open.set(false));
    }
    let ontoggle = {
        let is_open = is_open.clone();
        Callback::from(move |event: MouseEvent| {
            event.prevent_default();
            is_open.set(!*is_open);
        })
    };
    let read = {
        let (dispatch, text) = (dispatch.clone(), text.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(area) = text.cast::<HtmlTextAreaElement>() {
                let pasted = MessagesAct::Paste(area.value().into());
                dispatch.emit(Intent::Messages(pasted));
            }
        })
    };
    html! {
        <>
            <label class="button open-capture">{ t.open }<input type="file" accept=".pcap,.pcapng,.cap,.hex,.txt" class="hidden-text" {onchange} /></label>
            <details class="paste" open={*is_open}>
                <summary onclick={ontoggle}>{ t.paste }</summary>
                <label><span class="caps">{ t.paste_text }</span><textarea class="field" ref={text} rows="4" spellcheck="false" /></label>
                <button class="button" onclick={read}>{ t.read }</button>
            </details>
            if let Some(problem) = &props.wish.refused { <p class="messages-words" role="alert" data-bad="true">{ (t.capture_problem)(problem) }</p> }
        </>
    }
}

#[derive(PartialEq, Properties)]
pub struct CaptureViewProps {
    /// The view.
    pub panel: Rc<MessagesPanel>,
}

/// The messages of a capture, and one of them taken apart.
#[component]
pub fn CaptureView(props: &CaptureViewProps) -> Html {
    let panel = &props.panel;
    match &panel.wish.capture {
        Some(capture) => html! { <OpenCapture capture={capture.clone()} panel={panel.clone()} /> },
        None => Html::default(),
    }
}

#[derive(PartialEq, Properties)]
struct OpenCaptureProps {
    capture: Rc<Capture>,
    panel: Rc<MessagesPanel>,
}

#[component]
fn OpenCapture(props: &OpenCaptureProps) -> Html {
    let t = use_text().messages();
    let dispatch = use_dispatch();
    let (capture, panel) = (&props.capture, &props.panel);
    let chosen = panel.wish.captured;
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with(chosen, move |place| {
            reveal(&node, &format!("#captured-{place}"));
        });
    }
    let onkeydown = {
        let (dispatch, places) = (dispatch.clone(), panel.captured.clone());
        Callback::from(move |event: KeyboardEvent| {
            let at = places.iter().position(|place| *place == chosen);
            let last = places.len().saturating_sub(1);
            let next = match event.key().as_str() {
                "ArrowDown" => at.map_or(0, |at| (at + 1).min(last)),
                "ArrowUp" => at.unwrap_or(0).saturating_sub(1),
                "Home" => 0,
                "End" => last,
                _ => return,
            };
            event.prevent_default();
            if let Some(place) = places.get(next) {
                dispatch.emit(Intent::Messages(MessagesAct::Captured(*place)));
            }
        })
    };
    html! {
        <section class="messages-list capture">
            <header class="section-head">
                <h2>{ (t.theirs)(&capture.name) }</h2>
                <span class="caps">{ (t.of_many)(panel.captured.len(), capture.messages.len()) }</span>
                <button class="button plain icon" aria-label={t.close_capture} title={t.close_capture} onclick={act(&dispatch, MessagesAct::CloseCapture)}><Icon shape={Shape::Close} /></button>
            </header>
            { for capture.remarks.iter().map(|remark| html! { <p class="caps">{ (t.remark)(remark) }</p> }) }
            <div class="requests" ref={node} role="listbox" tabindex="0" aria-label={(t.theirs)(&capture.name)} aria-description={t.list_hint}
                aria-activedescendant={panel.captured.contains(&chosen).then(|| format!("captured-{chosen}"))} {onkeydown}>
                { for panel.captured.iter().filter_map(|place| Some((*place, capture.messages.get(*place)?))).map(|(place, message)| html! {
                    <Line key={place} capture={capture.clone()} {place} is_selected={place == chosen} message={message.clone()} />
                }) }
            </div>
            if let Some(decoded) = &panel.taken_apart { <Anatomy key={chosen} decoded={decoded.clone()} name="captured" /> }
        </section>
    }
}

#[derive(PartialEq, Properties)]
struct LineProps {
    capture: Rc<Capture>,
    place: usize,
    is_selected: bool,
    message: Captured,
}

#[component]
fn Line(props: &LineProps) -> Html {
    let catalogue = use_text();
    let t = catalogue.messages();
    let dispatch = use_dispatch();
    let message = &props.message;
    let name = match message.kind {
        Some((api, version)) => format!("{} v{version}", api.name()),
        None => t.unknown_api.to_string(),
    };
    let error = message.error.filter(|error| !error.is_none());
    let onclick = act(&dispatch, MessagesAct::Captured(props.place));
    let bytes = message.message.len() + crate::view::messages::fields::LENGTH_BYTES;
    html! {
        <div class="request" role="option" id={format!("captured-{}", props.place)} aria-selected={props.is_selected.to_string()} {onclick}>
            <time>{ (catalogue.clock)(crate::view::Instant(message.at_us)) }</time>
            <b>{ (t.title)(&name, message.is_answer) }</b>
            <span>{ if message.from.is_empty() { String::new() } else { format!("{} → {}", message.from, message.to) } }</span>
            <span class="request-answer" data-bad={error.is_some().to_string()}>{ error.map_or_else(String::new, |error| format!("{} {}", error.code(), error.name())) }</span>
            <span title={t.correlation_id}>{ match message.correlation_id {
                Some(id) => format!("#{id} · {}", (t.byte_count)(bytes)),
                None => (t.byte_count)(bytes),
            } }</span>
        </div>
    }
}
