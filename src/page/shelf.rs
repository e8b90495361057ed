//! The shelf of incidents: what happened to others, each to be opened, and each with what would have avoided
//! it.

use super::context::{use_dispatch, use_text};
use super::fetch;
use super::i18n::Language;
use super::store::{Intent, Opening};
use crate::scenario::{Area, ShelfCard, read_shelf};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

type Cards = Rc<[Rc<ShelfCard>]>;

/// The shelf.
#[component]
pub fn Shelf() -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let cards = use_state(|| None::<Cards>);
    let wanted = use_state(String::new);
    {
        let cards = cards.clone();
        use_effect_with((), move |()| {
            wasm_bindgen_futures::spawn_local(async move {
                match fetch::text_of(fetch::SHELF).await {
                    Ok(text) => match read_shelf(&text) {
                        Ok(list) => cards.set(Some(list.into_iter().map(Rc::new).collect())),
                        Err(problem) => dispatch.emit(Intent::Refused(problem)),
                    },
                    Err(problem) => dispatch.emit(Intent::NotFetched(problem)),
                }
            });
        });
    }
    let oninput = {
        let wanted = wanted.clone();
        Callback::from(move |event: InputEvent| {
            let input = event.target_dyn_into::<HtmlInputElement>();
            wanted.set(input.map_or_else(String::new, |input| input.value().to_lowercase()));
        })
    };
    let Some(all) = &*cards else {
        return html! { <p class="quiet" role="status">{ t.fetching }</p> };
    };
    let found: Vec<_> = all.iter().filter(|card| card.has_words(&wanted)).collect();
    let areas = Area::ALL.into_iter().map(|area| {
        let of_area = found.iter().filter(|card| card.incident.area == area);
        let list: Vec<_> = of_area.map(|card| (*card).clone()).collect();
        (area, list)
    });
    html! {
        <div class="shelf">
            <p class="shelf-lead">{ t.case().shelf_lead }</p>
            <input type="search" class="field" placeholder={t.case().search} aria-label={t.case().search} {oninput} />
            <p class="caps" role="status">{ (t.case().found)(found.len(), all.len()) }</p>
            // In an element of its own: beside a list of another length the field would be made anew, empty.
            <div class="shelf-areas">
                { for areas.filter(|(_, list)| !list.is_empty()).map(|(area, list)| html! {
                    <section key={format!("{area:?}")}>
                        <h3>{ (t.case().area)(area) }</h3>
                        <ul>{ for list.iter().map(|card| html! { <CardView key={card.name.to_string()} card={card.clone()} /> }) }</ul>
                    </section>
                }) }
            </div>
        </div>
    }
}

/// Which incident.
#[derive(PartialEq, Properties)]
struct CardViewProps {
    card: Rc<ShelfCard>,
}

/// An incident: its title; when it is opened, its story, its question, and, once that was thought about and it is
/// asked for, what would have avoided it.
#[component]
fn CardView(props: &CardViewProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let language = use_context::<Language>().unwrap_or_default();
    let card = &props.card;
    let open = |other: Option<Rc<str>>| {
        let (name, variant) = (card.name.clone(), card.incident.from.clone());
        let dispatch = dispatch.clone();
        Callback::from(move |_: MouseEvent| {
            fetch_and_open(name.clone(), variant.clone(), other.clone(), &dispatch);
        })
    };
    html! {
        <li>
            <details class="card" name="shelf">
                <summary><span class="caps">{ &*card.card }</span><span>{ language.of(&card.title) }</span></summary>
                <div class="card-body">
                    <p>{ language.of(&card.story) }</p>
                    <p class="question">{ language.of(&card.question) }</p>
                    <button class="button" onclick={open(None)}>{ t.case().open }</button>
                    <details class="remedy">
                        <summary>{ if card.incident.to.is_some() { t.case().remedy } else { t.case().no_remedy } }</summary>
                        <p>{ language.of(&card.incident.remedy) }</p>
                        if let Some(to) = &card.incident.to {
                            <button class="button" onclick={open(Some(to.clone()))}>{ t.case().try_remedy }</button>
                        }
                    </details>
                </div>
            </details>
        </li>
    }
}

/// Fetches an incident's scenario and hands it to the store.
fn fetch_and_open(
    name: Rc<str>,
    variant: Option<Rc<str>>,
    other: Option<Rc<str>>,
    dispatch: &Callback<Intent>,
) {
    let dispatch = dispatch.clone();
    wasm_bindgen_futures::spawn_local(async move {
        dispatch.emit(match fetch::text_of(&fetch::incident(&name)).await {
            Ok(text) => Intent::LoadIncident(Rc::new(Opening {
                name,
                text,
                variant,
                other,
            })),
            Err(problem) => Intent::NotFetched(problem),
        });
    });
}
