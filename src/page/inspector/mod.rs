//! The inspector: one thing closely, and why it is as it is.

mod act;
mod admin;
mod code;
mod configs;
mod consumer;
mod field;
mod group;
mod log;
mod message;
mod producer;
mod program;
mod record;
mod suggestions;
mod tools;

use super::context::{send, use_dispatch, use_text};
use super::icon::{Icon, Shape};
use super::part::Here;
use super::stage::OwnerLetter;
use super::store::{About, Intent};
use super::views::EventLine;
use crate::view::event::Event;
use crate::view::inspect::{Inspector, Label, Thing, ThingKind};
use crate::view::stage::Stage;
use crate::view::{InspectorBuilder, build_inspector};
pub use field::{Area, ChoiceField, Field};

use act::ActByText;
use admin::{BrokerTools, PartitionTools, RecordTools};
use code::CodeView;
use configs::ConfigList;
use consumer::ConsumerControls;
use group::{GroupControls, TopicControls};
use log::LogView;
use message::MessageView;
use producer::ProducerControls;
use record::{LifeList, RecordChoice, RecordsOf, records_of};
use std::mem::discriminant;
use std::rc::Rc;
use suggestions::Suggestions;
use tools::{ConsumerTools, Disturb};
use web_sys::Element;
use yew::prelude::*;

/// The inspector of what is chosen.
pub struct InspectorPart {
    /// Draws it.
    pub draw: fn(&Inspector) -> Html,
    /// Builds it.
    pub build: InspectorBuilder,
}

/// The functions of the inspector.
pub static PART: InspectorPart = InspectorPart {
    draw: |inspector| html! { <Chosen inspector={inspector.clone()} /> },
    build: build_inspector,
};

/// What the inspector shows.
#[derive(PartialEq, Properties)]
pub struct InspectorProps {
    /// What draws it.
    pub part: Here<InspectorPart>,
    /// Whether something is chosen.
    pub is_open: bool,
    /// The chosen thing, and why.
    pub inspector: Inspector,
    /// What suggestions are about.
    pub stage: Rc<Stage>,
    /// The scenario.
    pub about: Rc<About>,
}

/// The inspector.
#[component]
pub fn InspectorView(props: &InspectorProps) -> Html {
    let t = use_text();
    let node = use_node_ref();
    {
        let node = node.clone();
        let thing = props.inspector.thing.as_ref();
        let shown = thing.map(|thing| (discriminant(&thing.kind), thing.title.clone()));
        use_effect_with(shown, move |_| {
            // What is chosen anew is seen from its head on.
            if let Some(side) = node.cast::<Element>() {
                side.set_scroll_top(0);
            }
        });
    }
    let is_here = props.part.get().is_some();
    // What is chosen may be gone.
    let is_open = props.is_open && (!is_here || props.inspector.thing.is_some());
    html! {
        <aside class="side" ref={node} data-open={is_open.to_string()} aria-label={t.inspector}>
            if !is_open {
                <Suggestions group={props.stage.groups.first().cloned()} about={props.about.clone()} />
            } else if let Some(part) = props.part.get() {
                { (part.draw)(&props.inspector) }
            } else {
                <p class="note" role="status">{ t.fetching }</p>
            }
        </aside>
    }
}

/// What is chosen.
#[derive(PartialEq, Properties)]
struct ChosenProps {
    inspector: Inspector,
}

// Yew places what comes new before what follows it, and looks there before the components that follow have been
// told of their own new neighbours. One that draws nothing would still point to a neighbour that is gone, and
// the page would break. So what has nothing to draw is left out here.
#[component]
fn Chosen(props: &ChosenProps) -> Html {
    let inspector = &props.inspector;
    html! {
        <>
            if let Some(thing) = &inspector.thing {
                <ThingHead thing={thing.clone()} />
                // Of a record its life comes first: what it is made of is seldom the question.
                if let Some((entries, left_out)) = &inspector.life {
                    <LifeList entries={entries.clone()} left_out={*left_out} />
                }
                if matches!(thing.kind, ThingKind::Record(..)) {
                    <section class="section"><Rows thing={thing.clone()} /></section>
                }
                // In an element of its own: the controls of one thing never stand among those of another.
                <div key={format!("{:?} {}", discriminant(&thing.kind), thing.title)} class="controls">
                    <Controls thing={thing.clone()} />
                    <ActByText thing={thing.clone()} />
                </div>
                if thing.kind == ThingKind::Message && let Some(detail) = &inspector.message { <MessageView detail={detail.clone()} /> }
                if let Some((partition, base, next)) = inspector.why.first().filter(|_| thing.kind == ThingKind::Event).and_then(|event| records_of(event)) {
                    <RecordsOf {partition} {base} {next} />
                }
                if !inspector.why.is_empty() {
                    <WhyChain why={inspector.why.clone()} is_all={thing.kind == ThingKind::Event} />
                }
                if thing.kind == ThingKind::Event && let Some(detail) = &inspector.message { <MessageView detail={detail.clone()} /> }
                if let Some(book) = &inspector.log { <LogView key="log" book={book.clone()} /> }
                if let Some(source) = &inspector.source { <CodeView key={format!("code {}", thing.title)} source={source.clone()} /> }
                if !thing.configs.is_empty() {
                    <ConfigList thing={thing.clone()} />
                }
            }
        </>
    }
}

/// Which thing.
#[derive(PartialEq, Properties)]
pub struct ThingProps {
    /// The thing.
    pub thing: Rc<Thing>,
}

#[component]
fn ThingHead(props: &ThingProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let thing = &props.thing;
    let owner = match &thing.kind {
        ThingKind::Consumer { owner, .. } => Some(*owner),
        _ => None,
    };
    html! {
        <section class="section">
            <header class="section-head">
                if owner.is_some() { <OwnerLetter {owner} /> }
                <h2>{ (t.thing_title)(&thing.kind, &thing.title) }</h2>
                <button class="button plain icon" aria-label={t.close_inspector} onclick={send(&dispatch, Intent::Deselect)}><Icon shape={Shape::Close} /></button>
            </header>
            if !thing.rows.is_empty() && !matches!(thing.kind, ThingKind::Record(..)) {
                <Rows thing={thing.clone()} />
            }
        </section>
    }
}

#[component]
fn Rows(props: &ThingProps) -> Html {
    html! {
        <dl class="rows">
            { for props.thing.rows.iter().map(|(label, value)| html! { <Row label={*label} value={value.clone()} /> }) }
        </dl>
    }
}

/// A line of state.
#[derive(PartialEq, Properties)]
struct RowProps {
    label: Label,
    value: Rc<str>,
}

#[component]
fn Row(props: &RowProps) -> Html {
    let t = use_text();
    html! {
        <>
            <dt>{ (t.label)(props.label) }</dt>
            <dd>{ (t.value)(props.label, &props.value) }</dd>
        </>
    }
}

#[component]
fn Controls(props: &ThingProps) -> Html {
    match &props.thing.kind {
        ThingKind::Consumer { .. } => html! {
            <>
                <ConsumerControls thing={props.thing.clone()} />
                <ConsumerTools thing={props.thing.clone()} />
            </>
        },
        ThingKind::Producer {
            actor, is_client, ..
        } => html! {
            <>
                <ProducerControls thing={props.thing.clone()} />
                if *is_client { <Disturb producer={Some(actor.clone())} /> }
            </>
        },
        ThingKind::Topic { .. } => html! { <TopicControls thing={props.thing.clone()} /> },
        ThingKind::Group { .. } => {
            html! { <GroupControls thing={props.thing.clone()} /> }
        }
        ThingKind::Partition { partition, log_end } => {
            html! {
                <>
                    <RecordChoice partition={partition.clone()} />
                    <PartitionTools partition={partition.clone()} log_end={*log_end} />
                </>
            }
        }
        ThingKind::Broker(_) => html! { <><BrokerTools /><Disturb /></> },
        ThingKind::Record(partition, offset) => {
            html! { <RecordTools partition={partition.clone()} offset={*offset} /> }
        }
        ThingKind::Event | ThingKind::Message => Html::default(),
    }
}

/// Which chain.
#[derive(PartialEq, Properties)]
struct WhyChainProps {
    why: Rc<[Rc<Event>]>,
    /// Whether there is nothing else to see: then it needs no heading of its own.
    is_all: bool,
}

/// From the effect back to a person's act or to a timer.
#[component]
fn WhyChain(props: &WhyChainProps) -> Html {
    let t = use_text();
    html! {
        <section class="section why-chain">
            if !props.is_all { <h3>{ t.why }</h3> }
            <ol>
                { for props.why.iter().map(|event| html! { <EventLine key={event.id.0} event={event.clone()} /> }) }
            </ol>
        </section>
    }
}
