//! Any act on a thing, in the words of a scenario file.

use super::ThingProps;
use super::field::{ChoiceField, FIELD_ERROR};
use crate::form::Form;
use crate::page::context::{use_dispatch, use_refused, use_text};
use crate::page::sheet::notice_text;
use crate::page::store::Intent;
use crate::scenario::command;
use crate::view::TopicPartition;
use crate::view::acts::{acts_on, word};
use crate::view::inspect::{Label, Thing, ThingKind};
use web_sys::HtmlTextAreaElement;
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

/// A list of what may be done, an example of it to be changed, and a button that does it.
#[component]
pub fn ActByText(props: &ThingProps) -> Html {
    let text = use_text();
    let t = text.tools();
    let dispatch = use_dispatch();
    let refused = use_refused().filter(|refused| *refused.field == *t.act_as_json);
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
        Callback::from(move |event: InputEvent| {
            let area = event.target_dyn_into::<HtmlTextAreaElement>();
            typed.set(area.map(|area| area.value()));
        })
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
    let rows = written.lines().count().clamp(3, 14).to_string();
    html! {
        <section class="section">
            <details class="client-tools">
                <summary>{ t.any_act }</summary>
                <p class="quiet">{ t.any_act_text }</p>
                <ChoiceField label={t.act} value={chosen.to_string()} onchange={choose} options={options.collect::<Vec<_>>()} />
                <textarea class="field act-text" {rows} spellcheck="false" autocomplete="off" aria-label={t.act_as_json}
                    aria-invalid={refused.is_some().then_some("true")} aria-describedby={refused.is_some().then_some(FIELD_ERROR)}
                    value={written} {oninput} />
                if let Some(refused) = refused {
                    <span id={FIELD_ERROR} class="field-error" role="alert">{ notice_text(text, &refused.notice) }</span>
                }
                <button class="button" {onclick}>{ t.do_it }</button>
            </details>
        </section>
    }
}
