//! The producers' column.

use crate::page::context::{send, use_dispatch, use_text};
use crate::page::hint::hint;
use crate::page::i18n::Term;
use crate::page::store::Intent;
use crate::view::Selection;
use crate::view::stage::Producer;
use crate::world::command::Command;
use std::rc::Rc;
use yew::prelude::*;

/// What the column shows.
#[derive(PartialEq, Properties)]
pub struct ProducerColumnProps {
    /// The producers.
    pub producers: Rc<[Rc<Producer>]>,
}

/// The column.
#[component]
pub fn ProducerColumn(props: &ProducerColumnProps) -> Html {
    let t = use_text();
    html! {
        <div class="column">
            <header><h2>{ t.producers }</h2></header>
            <ul class="producers">
                { for props.producers.iter().map(|producer| html! {
                    <ProducerCard key={producer.actor.as_str()} producer={producer.clone()} />
                }) }
            </ul>
        </div>
    }
}

/// Which producer.
#[derive(PartialEq, Properties)]
struct ProducerCardProps {
    producer: Rc<Producer>,
}

#[component]
fn ProducerCard(props: &ProducerCardProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let producer = &props.producer;
    let actor = producer.actor.clone();
    let select = send(&dispatch, Intent::Select(Selection::Client(actor.clone())));
    let (label, command) = if producer.is_running {
        (t.stop, Command::StopProducer { actor })
    } else {
        (t.start, Command::StartProducer { actor })
    };
    let toggle = send(&dispatch, Intent::Do(command));
    html! {
        <li class="thing producer" data-party={format!("client:{}", producer.actor)}
            data-selected={producer.is_selected.to_string()} data-running={producer.is_running.to_string()}>
            <button class="name" onclick={select}>{ producer.actor.as_str() }</button>
            <p class="rate">
                if producer.is_running { { (t.per_second)(&producer.rate) } } else { { t.stopped } }
            </p>
            if producer.is_client {
                <dl>
                    <dt>{ hint(&dispatch, Term::Accumulated, t.in_accumulator) }</dt><dd>{ producer.accumulated }</dd>
                    <dt>{ t.in_flight }</dt><dd>{ producer.in_flight }</dd>
                    <dt>{ t.acknowledged }</dt><dd>{ (t.count)(producer.acknowledged) }</dd>
                    if producer.failed > 0 { <dt>{ t.failed }</dt><dd>{ (t.count)(producer.failed) }</dd> }
                </dl>
            }
            <div class="acts"><button class="button plain" onclick={toggle}>{ label }</button></div>
        </li>
    }
}
