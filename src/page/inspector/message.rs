//! A message in the inspector: what it is, its fields and bytes, and the versions of its connection.

use crate::page::anatomy::Anatomy;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::Selection;
use crate::view::messages::{Agreed, Detail};
use std::rc::Rc;
use yew::prelude::*;

/// Which message.
#[derive(PartialEq, Properties)]
pub struct MessageProps {
    /// The message.
    pub detail: Rc<Detail>,
}

/// Request or response, taken apart.
#[component]
pub fn MessageView(props: &MessageProps) -> Html {
    let catalogue = use_text();
    let t = catalogue.messages();
    let dispatch = use_dispatch();
    let detail = &props.detail;
    let exchange = &detail.exchange;
    let side = |is_answer: bool, label: &'static str| {
        let selection = Selection::Message {
            exchange: exchange.number,
            is_answer,
        };
        html! {
            <button class="button" aria-pressed={(detail.is_answer == is_answer).to_string()} onclick={send(&dispatch, Intent::Select(selection))}>{ label }</button>
        }
    };
    let sent = match (&exchange.answer, detail.is_answer) {
        (Some(answer), true) => Some((answer.at.0, answer.bytes)),
        (None, true) => None,
        (_, false) => Some((exchange.request.0, exchange.request_bytes)),
    };
    let way = match detail.is_answer {
        true => (t.way_back)(exchange.to.0, &exchange.from),
        false => (t.way)(&exchange.from, exchange.to.0),
    };
    let error = exchange.answer.as_ref().map(|answer| answer.error);
    let agreed = detail
        .versions
        .iter()
        .find(|agreed| agreed.api == exchange.api);
    html! {
        <section class="section message">
            <div class="button-row" role="group" aria-label={(t.connection)(exchange.connection.0)}>
                { side(false, t.request) }
                { side(true, t.answer) }
            </div>
            <dl class="rows">
                <dt>{ t.side }</dt><dd>{ way }</dd>
                if let Some((at, bytes)) = sent {
                    <dt>{ t.sent }</dt><dd>{ (catalogue.clock)(at) }</dd>
                    <dt>{ t.bytes }</dt><dd>{ (catalogue.count)(i64::try_from(bytes).unwrap_or(i64::MAX)) }</dd>
                }
                <dt>{ t.correlation_id }</dt><dd>{ exchange.correlation_id }</dd>
                if let Some(error) = error.filter(|error| !error.is_none()) {
                    <dt>{ "error" }</dt><dd class="bad">{ format!("{} {}", error.code(), error.name()) }</dd>
                }
            </dl>
            if let Some(agreed) = agreed.filter(|agreed| agreed.picked == exchange.version) {
                <p class="caps">{ (t.version)(agreed.picked, detail.library, agreed.client_max, detail.release, agreed.broker) }</p>
            }
            if let Some(decoded) = &detail.decoded {
                <Anatomy key={format!("{}{}", exchange.number, detail.is_answer)} decoded={decoded.clone()} name="message" />
            } else {
                <p class="note">{ if exchange.is_lost { t.lost } else { t.not_answered } }</p>
            }
            if !detail.versions.is_empty() {
                <details class="upgrade">
                    <summary>{ t.connection_versions }</summary>
                    <table class="figures">
                        <thead><tr><th scope="col">{ "API" }</th><th scope="col">{ t.client_speaks }</th><th scope="col">{ t.broker_speaks }</th><th scope="col">{ t.picked }</th></tr></thead>
                        <tbody>{ for detail.versions.iter().map(line) }</tbody>
                    </table>
                </details>
            }
        </section>
    }
}

fn line(agreed: &Agreed) -> Html {
    html! {
        <tr key={agreed.api.name()}>
            <td>{ agreed.api.name() }</td><td>{ format!("≤ v{}", agreed.client_max) }</td>
            <td>{ format!("v{}–v{}", agreed.broker.min, agreed.broker.max) }</td><td><b>{ format!("v{}", agreed.picked) }</b></td>
        </tr>
    }
}
