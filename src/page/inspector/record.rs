//! The life of one record, and the ways to it.

use super::Field;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::event::Event;
use crate::view::{Deed, Entry, FactKind, Offset, Selection, TopicPartition};
use std::rc::Rc;
use yew::prelude::*;

/// Records of an event that are offered.
const OFFERED_MOST: i64 = 8;

/// What happened to it.
#[derive(PartialEq, Properties)]
pub struct LifeListProps {
    /// Oldest first.
    pub entries: Rc<[Entry]>,
    /// How many were left out.
    pub left_out: u64,
}

/// The life of a record: each line leads to its event.
#[component]
pub fn LifeList(props: &LifeListProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    html! {
        <section class="section why-chain life">
            <h3>{ t.case().life }</h3>
            if props.entries.is_empty() { <p class="quiet">{ t.case().no_life }</p> }
            <ol>
                { for props.entries.iter().map(|entry| {
                    let choose = send(&dispatch, Intent::Select(Selection::Event(entry.fact)));
                    html! {
                        <li class="event" key={entry.fact.0} data-level={if is_trouble(entry) { "trouble" } else { "turn" }}>
                            <button onclick={choose}><time>{ (t.clock)(entry.at) }</time><span>{ (t.case().deed)(entry) }</span></button>
                        </li>
                    }
                }) }
            </ol>
            if props.left_out > 0 { <p class="quiet">{ (t.case().left_out)(props.left_out) }</p> }
        </section>
    }
}

/// Whether something is repeated or lost by it.
fn is_trouble(entry: &Entry) -> bool {
    match &entry.deed {
        Deed::Delivered { again, .. } => again.is_some(),
        Deed::Done { again, .. } => *again,
        Deed::Committed { is_done, .. } => !is_done,
        Deed::Dropped { .. } | Deed::JumpedOver { .. } | Deed::Uncommitted { .. } => true,
        Deed::Deleted { unread_by } => !unread_by.is_empty(),
        Deed::Sent { attempt, .. } => *attempt > 1,
        Deed::Appended { .. }
        | Deed::Acknowledged(_)
        | Deed::Readable
        | Deed::Fetched(_)
        | Deed::Rewound { .. } => false,
    }
}

/// The records that an event is about: where, the first, and the one after the last.
pub fn records_of(event: &Event) -> Option<(TopicPartition, Offset, Offset)> {
    match &event.kind {
        FactKind::Deliver {
            partition,
            base,
            next,
            ..
        }
        | FactKind::Done {
            partition,
            base,
            next,
            ..
        }
        | FactKind::Append {
            partition,
            base,
            next,
            ..
        } => Some((partition.clone(), *base, *next)),
        FactKind::PositionSet {
            partition, offset, ..
        } => Some((partition.clone(), *offset, Offset(offset.0 + 1))),
        _ => None,
    }
}

/// Which records.
#[derive(PartialEq, Properties)]
pub struct RecordsOfProps {
    /// Where they are.
    pub partition: TopicPartition,
    /// The first.
    pub base: Offset,
    /// The one after the last.
    pub next: Offset,
}

/// The records that an event is about, each a way to its life.
#[component]
pub fn RecordsOf(props: &RecordsOfProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let RecordsOfProps {
        partition,
        base,
        next,
    } = props;
    let offered = (base.0..next.0).take(usize::try_from(OFFERED_MOST).unwrap_or(0));
    html! {
        <section class="section">
            <h3>{ t.case().life_of_record }</h3>
            <div class="button-row">
                { for offered.map(|offset| html! {
                    <button class="button" onclick={send(&dispatch, Intent::Select(Selection::Record { partition: partition.clone(), offset: Offset(offset) }))}>
                        { (t.count)(offset) }
                    </button>
                }) }
                if next.0 - base.0 > OFFERED_MOST { <span class="quiet">{ "…" }{ (t.count)(next.0 - 1) }</span> }
            </div>
            if next.0 - base.0 > OFFERED_MOST { <RecordChoice partition={partition.clone()} /> }
        </section>
    }
}

/// Of which partition.
#[derive(PartialEq, Properties)]
pub struct RecordChoiceProps {
    /// The partition.
    pub partition: TopicPartition,
}

/// A record of a partition, chosen by its offset.
#[component]
pub fn RecordChoice(props: &RecordChoiceProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let partition = props.partition.clone();
    let onchange = dispatch.reform(move |value: String| match value.parse::<i64>() {
        Ok(offset) if offset >= 0 => Intent::Select(Selection::Record {
            partition: partition.clone(),
            offset: Offset(offset),
        }),
        _ => Intent::NotANumber(value),
    });
    html! {
        <section class="section">
            <h3>{ t.case().life_of_record }</h3>
            <Field label={t.case().offset} value="" is_number=true {onchange} />
        </section>
    }
}
