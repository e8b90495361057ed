//! The requests as a list, for eyes, keys and screen readers alike.

use super::use_end;
use crate::page::anatomy::reveal;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::Selection;
use crate::view::messages::{Exchange, MessagesPanel};
use std::rc::Rc;
use yew::prelude::*;

/// What it shows.
#[derive(PartialEq, Properties)]
pub struct ListProps {
    /// The view.
    pub panel: Rc<MessagesPanel>,
}

/// The list. Arrow keys go from request to request.
#[component]
pub fn List(props: &ListProps) -> Html {
    let t = use_text().messages();
    let dispatch = use_dispatch();
    let panel = &props.panel;
    let exchanges = &panel.exchanges;
    let node = use_node_ref();
    let onscroll = use_end(
        &node,
        panel.wish.until.is_none() && panel.selected.is_none(),
    );
    let selected = panel.selected.map(|(number, _)| number);
    let place = exchanges
        .iter()
        .position(|exchange| Some(exchange.number) == selected);
    {
        let node = node.clone();
        let wanted = place.and(selected);
        use_effect_with(wanted, move |wanted| {
            if let Some(number) = wanted {
                reveal(&node, &format!("#request-{number}"));
            }
        });
    }
    let onkeydown = {
        let (dispatch, exchanges) = (dispatch.clone(), exchanges.clone());
        Callback::from(move |event: KeyboardEvent| {
            let last = exchanges.len().saturating_sub(1);
            let next = match event.key().as_str() {
                "ArrowDown" => place.map_or(last, |place| (place + 1).min(last)),
                "ArrowUp" => place.map_or(last, |place| place.saturating_sub(1)),
                "Home" => 0,
                "End" => last,
                _ => return,
            };
            event.prevent_default();
            if let Some(exchange) = exchanges.get(next) {
                dispatch.emit(Intent::Select(Selection::Message {
                    exchange: exchange.number,
                    is_answer: false,
                }));
            }
        })
    };
    html! {
        <section class="messages-list">
            if panel.wish.capture.is_some() { <h2>{ t.ours }</h2> }
            <div class="requests" ref={node} role="listbox" tabindex="0" aria-label={t.list} aria-description={t.list_hint}
                aria-activedescendant={place.and(selected).map(|number| format!("request-{number}"))} {onkeydown} {onscroll}>
                { for exchanges.iter().map(|exchange| html! {
                    <Request key={exchange.number} exchange={exchange.clone()} is_selected={Some(exchange.number) == selected} />
                }) }
            </div>
            if exchanges.is_empty() { <p class="note">{ t.none_fit }</p> }
        </section>
    }
}

/// Which request.
#[derive(PartialEq, Properties)]
struct RequestProps {
    exchange: Rc<Exchange>,
    is_selected: bool,
}

#[component]
fn Request(props: &RequestProps) -> Html {
    let catalogue = use_text();
    let t = catalogue.messages();
    let dispatch = use_dispatch();
    let exchange = &props.exchange;
    let onclick = send(
        &dispatch,
        Intent::Select(Selection::Message {
            exchange: exchange.number,
            is_answer: false,
        }),
    );
    let (answer, is_bad) = match &exchange.answer {
        _ if exchange.is_lost => (t.lost.to_string(), true),
        None => (t.on_its_way.to_string(), false),
        Some(answer) if answer.error.is_none() => ((t.answer_bytes)(answer.bytes), false),
        Some(answer) => {
            let error = answer.error;
            (format!("{} {}", error.code(), error.name()), true)
        }
    };
    html! {
        <div class="request" role="option" id={format!("request-{}", exchange.number)} aria-selected={props.is_selected.to_string()} {onclick}>
            <time>{ (catalogue.clock)(exchange.request.0) }</time>
            <b>{ exchange.api.name() }<small>{ format!(" v{}", exchange.version) }</small></b>
            <span>{ (t.way)(&exchange.from, exchange.to.0) }</span>
            <span class="request-answer" data-bad={is_bad.to_string()}>{ answer }</span>
            <span title={t.correlation_id}>{ format!("#{} · {}", exchange.correlation_id, (t.byte_count)(exchange.request_bytes)) }</span>
        </div>
    }
}
