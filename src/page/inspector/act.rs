//! Any act on a thing, in the words of a scenario file.

use super::ThingProps;
use super::field::{Area, ChoiceField};
use crate::form::Form;
use crate::page::context::{use_dispatch, use_text};
use crate::page::store::Intent;
use crate::scenario::command;
use crate::view::TopicPartition;
use crate::view::acts::{acts_on, word};
use crate::view::inspect::{Label, Thing, ThingKind};
use yew::prelude::*;

/// A partition that has to do with the thing.
fn place_of(thing: &Thing) -> TopicPartition {
    let owned = || {
        let (_, list) = thing
            .rows
            .iter()
            .find(|(label, _)| *label == Label::Owned)?;
        super::tools::partition(list.split(',').next()?)
    };
    match &thing.kind {
        ThingKind::Partition { partition, .. } | ThingKind::Record(partition, _) => {
            Some(partition.clone())
        }
        ThingKind::Group { topics, .. } => topics.first().map(|topic| TopicPartition {
            topic: topic.clone(),
            partition: 0,
        }),
        _ => owned(),
    }
    .unwrap_or_else(|| TopicPartition::new("orders", 0))
}

/// What may be done to the thing, folded up. A thing changes with every frame: its examples are written down only
/// from when somebody first looks at them; what is typed there stays when they are folded again.
#[component]
pub fn ActByText(props: &ThingProps) -> Html {
    let t = use_text().tools();
    let is_wanted = use_state_eq(|| false);
    let ontoggle = {
        let is_wanted = is_wanted.clone();
        Callback::from(move |_: Event| is_wanted.set(true))
    };
    if matches!(props.thing.kind, ThingKind::Event | ThingKind::Message) {
        return Html::default();
    }
    html! {
        <section class="section">
            <details class="client-tools" {ontoggle}>
                <summary>{ t.any_act }</summary>
                if *is_wanted { <Examples thing={props.thing.clone()} /> }
            </details>
        </section>
    }
}

/// A list of what may be done, an example of it to be changed, and a button that does it.
#[component]
fn Examples(props: &ThingProps) -> Html {
    let t = use_text().tools();
    let dispatch = use_dispatch();
    let chosen = use_state(|| 0_usize);
    let typed = use_state(|| None::<String>);
    let acts = acts_on(&props.thing.kind, &place_of(&props.thing));
    let Some(act) = acts.get(*chosen).or(acts.first()) else {
        return Html::default();
    };
    let written = (*typed)
        .clone()
        .unwrap_or_else(|| format!("{:#}", act.write()));
    let choose = {
        let (chosen, typed) = (chosen.clone(), typed.clone());
        Callback::from(move |place: String| {
            chosen.set(place.parse().unwrap_or_default());
            typed.set(None);
        })
    };
    let oninput = {
        let typed = typed.clone();
        Callback::from(move |text: String| typed.set(Some(text)))
    };
    let onclick = {
        let (dispatch, written) = (dispatch.clone(), written.clone());
        Callback::from(move |_: MouseEvent| {
            dispatch.emit(Intent::Enter(t.act_as_json.into(), written.clone()));
            dispatch.emit(match command(&written) {
                Ok(command) => Intent::Do(command),
                Err(problem) => Intent::NoAct(problem),
            });
        })
    };
    let options = acts.iter().enumerate();
    let options = options.map(|(place, act)| (place.to_string().into(), word(act).into()));
    let rows = written.lines().count().clamp(3, 14);
    html! {
        <>
            <p class="quiet">{ t.any_act_text }</p>
            <ChoiceField label={t.act} value={chosen.to_string()} onchange={choose} options={options.collect::<Vec<_>>()} />
            <Area label={t.act_as_json} class="act-text" {rows} value={written} {oninput} />
            <button class="button" {onclick}>{ t.do_it }</button>
        </>
    }
}
