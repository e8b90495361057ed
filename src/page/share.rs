//! The sheet from which an instant is shared: as a link, a file, a frame for an article, or a report of what a
//! real Kafka does otherwise.

use super::clipboard::{copy, when_said};
use super::context::{use_dispatch, use_text};
use super::link;
use super::store::{Intent, ShareAct, Shared};
use crate::scenario::LINK_LENGTH_MAX;
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// What can be shared.
#[derive(PartialEq, Properties)]
pub struct ShareProps {
    /// It.
    pub shared: Rc<Shared>,
}

/// The sheet's content.
#[component]
pub fn ShareSheet(props: &ShareProps) -> Html {
    let text = use_text();
    let t = text.share();
    let dispatch = use_dispatch();
    let shared = &props.shared;
    let address = link::address(&shared.fragment, false);
    let length = address.chars().count();
    let save = dispatch.reform(|_: MouseEvent| Intent::Share(ShareAct::Save));
    // Lengths are small.
    let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    html! {
        <div class="share">
            <p>{ (t.lead)(&(text.clock)(shared.at)) }</p>
            <section>
                <h3>{ t.link }</h3>
                if length > LINK_LENGTH_MAX {
                    <p class="too-long">{ (t.too_long)(count(length), count(LINK_LENGTH_MAX)) }</p>
                } else {
                    <Copied what={address.clone()} name={t.link} button={t.copy} note={(t.length)(count(length))} shows_address=true />
                }
                <p class="trace">
                    <span>{ t.hash }</span>
                    <span role="status">
                        if let Some(traced) = shared.traced {
                            <code>{ format!("{:016x}", traced.hash) }</code>
                            <span class="caps">{ (t.facts)(i64::try_from(traced.facts).unwrap_or(i64::MAX)) }</span>
                        } else {
                            { t.computing }
                        }
                    </span>
                </p>
                <p class="caps">{ t.hash_text }</p>
            </section>
            <section>
                <h3>{ t.file }</h3>
                <p>{ t.file_text }</p>
                <button class="button" onclick={save}>{ t.save }</button>
            </section>
            if length <= LINK_LENGTH_MAX {
                <section>
                    <h3>{ t.frame }</h3>
                    <p>{ t.frame_text }</p>
                    <Copied what={frame(&shared.fragment)} name={t.frame} button={t.copy_frame} note="" shows_address=false />
                </section>
            }
            <Report is_ready={shared.traced.is_some()} />
        </div>
    }
}

/// The HTML of a frame.
fn frame(fragment: &str) -> String {
    let address = link::address(fragment, true).replace('&', "&amp;");
    format!(
        "<iframe src=\"{address}\" title=\"Regroup\" width=\"100%\" height=\"560\" loading=\"lazy\" style=\"border: 1px solid #cdcdc8\"></iframe>"
    )
}

/// A text to be copied.
#[derive(PartialEq, Properties)]
struct CopiedProps {
    what: String,
    name: &'static str,
    button: &'static str,
    /// What is said of it.
    note: String,
    /// Once it is copied, it stands in the page's address, too.
    shows_address: bool,
}

/// Whether something was put onto the clipboard.
#[derive(Clone, Copy, PartialEq)]
enum Copying {
    NotYet,
    Copied,
    /// The browser did not let us.
    ByHand,
}

#[component]
fn Copied(props: &CopiedProps) -> Html {
    let t = use_text().share();
    let state = use_state(|| Copying::NotYet);
    let field = use_node_ref();
    let onclick = {
        let (state, field) = (state.clone(), field.clone());
        let (what, shows_address) = (props.what.clone(), props.shows_address);
        Callback::from(move |_: MouseEvent| {
            if shows_address {
                link::show(&what);
            }
            let (state, field, what) = (state.clone(), field.clone(), what.clone());
            spawn_local(async move {
                let is_done = copy(&what).await.is_some();
                if let Some(field) = field.cast::<HtmlInputElement>().filter(|_| !is_done) {
                    field.select();
                }
                if is_done {
                    state.set(Copying::Copied);
                    when_said(move || state.set(Copying::NotYet));
                } else {
                    state.set(Copying::ByHand);
                }
            });
        })
    };
    html! {
        <>
            <div class="to-copy">
                <input class="field" ref={field} readonly=true aria-label={props.name} value={props.what.clone()} />
                <button class="button" {onclick}>{ props.button }</button>
            </div>
            <p class="caps">
                { props.note.clone() }
                <span role="status">{ match *state {
                    Copying::NotYet => "",
                    Copying::Copied => t.copied,
                    Copying::ByHand => t.copy_by_hand,
                } }</span>
            </p>
        </>
    }
}

/// Whether the trace is known.
#[derive(PartialEq, Properties)]
struct ReportProps {
    is_ready: bool,
}

#[component]
fn Report(props: &ReportProps) -> Html {
    let t = use_text().share();
    let dispatch = use_dispatch();
    let field = use_node_ref();
    let onclick = {
        let field = field.clone();
        dispatch.reform(move |_: MouseEvent| {
            let field = field.cast::<HtmlTextAreaElement>();
            let difference = field.map_or_else(String::new, |field| field.value());
            Intent::Share(ShareAct::Report(difference))
        })
    };
    html! {
        <section>
            <h3>{ t.report }</h3>
            <p>{ t.report_text }</p>
            <label>{ t.difference }<textarea class="field" ref={field} rows="3" /></label>
            <button class="button" {onclick} aria-disabled={(!props.is_ready).then_some("true")}
                title={(!props.is_ready).then_some(t.computing)}>{ t.save_report }</button>
        </section>
    }
}
