//! The log of a client or a coordinator, line by line.

use super::code::CopyButton;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::Selection;
use crate::view::client_log::{LogBook, LogLevel, LogOf};
use crate::world::setup::ClientFlavour;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// Lines that are shown; all that is kept is copied.
const LINES_SHOWN: usize = 100;

/// Which log.
#[derive(PartialEq, Properties)]
pub struct LogProps {
    /// The log.
    pub book: Rc<LogBook>,
}

/// The log, newest line last and in sight. Each line leads to its event.
#[component]
pub fn LogView(props: &LogProps) -> Html {
    let catalogue = use_text();
    let t = catalogue.code();
    let dispatch = use_dispatch();
    let list = use_node_ref();
    let book = &props.book;
    let lines = book.lines();
    {
        let list = list.clone();
        let newest = lines.last().map(|line| line.fact);
        use_effect_with(newest, move |_| {
            if let Some(list) = list.cast::<Element>() {
                list.set_scroll_top(list.scroll_height());
            }
        });
    }
    let (title, is_librdkafka) = match book.of() {
        LogOf::Client(who) => (t.client_log, who.flavour == ClientFlavour::Librdkafka),
        LogOf::Coordinator { .. } => (t.coordinator_log, false),
    };
    let hidden = lines.len().saturating_sub(LINES_SHOWN);
    let shown = lines.iter().skip(hidden);
    let older = book
        .left_out()
        .saturating_add(u64::try_from(hidden).unwrap_or(u64::MAX));
    let prefix = lines.last().map(|line| line.prefix.clone());
    let prefix = prefix.filter(|prefix| !prefix.starts_with('%') && !prefix.is_empty());
    let whole = {
        let book = book.clone();
        move || {
            let lines = book.lines().iter();
            let line = |line: &Rc<crate::view::client_log::LogLine>| match is_librdkafka {
                true => line.whole(),
                false => format!("{} {}", (catalogue.clock)(line.at), line.whole()),
            };
            let lines: Vec<String> = lines.map(line).collect();
            lines.join("\n")
        }
    };
    html! {
        <section class="section">
            <details class="client-log">
                <summary>{ title }</summary>
                if lines.is_empty() {
                    <p class="quiet">{ t.no_lines }</p>
                } else {
                    if let Some(prefix) = prefix { <p class="caps log-prefix">{ &*prefix }</p> }
                    if older > 0 { <p class="quiet">{ (t.older_lines)(older) }</p> }
                    <ol ref={list} lang="en" tabindex="0" aria-label={title}>
                        { for shown.enumerate().map(|(place, line)| {
                            let choose = send(&dispatch, Intent::Select(Selection::Event(line.fact)));
                            let text = match is_librdkafka {
                                true => line.whole(),
                                false => line.text.to_string(),
                            };
                            html! {
                                <li key={format!("{}-{place}", line.fact.0)} data-level={line.level.name()}>
                                    <button tabindex="-1" onclick={choose} title={line.logger}>
                                        if !is_librdkafka { <time>{ (catalogue.clock)(line.at) }</time>{ " " } }
                                        if line.level >= LogLevel::Warn && !is_librdkafka { <b>{ line.level.name() }</b>{ " " } }
                                        <span>{ text }</span>
                                    </button>
                                </li>
                            }
                        }) }
                    </ol>
                    if is_librdkafka { <p class="quiet">{ t.debug_lines }</p> }
                    <CopyButton label={t.copy_log} text={Callback::from(move |()| whole())} />
                }
            </details>
        </section>
    }
}
