//! The stage, left to right the way records flow: producers, cluster, groups; the wire above them.

mod cluster;
mod dense;
mod group;
mod member;
mod producers;
mod ring;
mod wire;

use super::context::use_text;
use super::motion;
use crate::kafka::sorted::SortedMap;
use crate::view::stage::{Group, Stage};
use cluster::ClusterColumn;
pub use cluster::OwnerLetter;
use group::{GroupCard, LoneCard};
use producers::ProducerColumn;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;
use wire::Wire;
use yew::prelude::*;

/// What the stage shows.
#[derive(PartialEq, Properties)]
pub struct StageProps {
    /// Everything on it.
    pub stage: Rc<Stage>,
    /// Rises when time jumped: then nothing flies.
    pub jump: u64,
}

/// The stage.
#[component]
pub fn StageView(props: &StageProps) -> Html {
    let t = use_text();
    let root = use_node_ref();
    use_flights(&root, props.stage.ownership_revision, props.jump);
    html! {
        <section class="stage" ref={root} aria-labelledby="stage-heading" aria-describedby="stage-text">
            <h2 id="stage-heading" class="hidden-text">{ t.stage }</h2>
            <StageText groups={props.stage.groups.clone()} />
            <ProducerColumn producers={props.stage.producers.clone()} />
            <ClusterColumn brokers={props.stage.brokers.clone()} topics={props.stage.topics.clone()} />
            <div class="column">
                <header><h2>{ t.groups }</h2></header>
                <div class="groups">
                    { for props.stage.groups.iter().map(|group| html! {
                        <GroupCard key={group.id.as_str()} group={group.clone()} />
                    }) }
                    if !props.stage.lone.is_empty() {
                        <LoneCard members={props.stage.lone.clone()} />
                    }
                </div>
            </div>
            <Wire tokens={props.stage.tokens.clone()} />
        </section>
    }
}

/// How things stand.
#[derive(PartialEq, Properties)]
struct StageTextProps {
    groups: Rc<[Rc<Group>]>,
}

/// The stage for who does not see it: who owns what, what nobody owns. The view in words says more.
#[component]
fn StageText(props: &StageTextProps) -> Html {
    let t = use_text();
    let standing = props.groups.iter().map(|group| (t.standing)(group));
    html! { <p id="stage-text" class="hidden-text">{ standing.collect::<Vec<_>>().join(" ") }</p> }
}

/// Chips that changed place fly there from where they were (FLIP: first, last, invert, play).
#[hook]
fn use_flights(root: &NodeRef, ownership_revision: u64, jump: u64) {
    let places = use_mut_ref(|| (0_u64, SortedMap::<String, (f64, f64)>::new()));
    let root = root.clone();
    use_effect_with((ownership_revision, jump), move |(_, jump)| {
        let Some(root) = root.cast::<Element>() else {
            return;
        };
        let mut places = places.borrow_mut();
        let may_fly = places.0 == *jump;
        let before = std::mem::take(&mut places.1);
        *places = (
            *jump,
            chip_places(&root, |chip, key, place| {
                let Some(old) = before.get(key).filter(|_| may_fly) else {
                    return;
                };
                let (dx, dy) = (old.0 - place.0, old.1 - place.1);
                if dx.abs() + dy.abs() > 2.0 {
                    motion::fly(chip, dx, dy);
                }
            }),
        );
    });
}

/// Where every chip is, within the stage.
fn chip_places(
    root: &Element,
    mut visit: impl FnMut(&Element, &str, (f64, f64)),
) -> SortedMap<String, (f64, f64)> {
    let mut places = SortedMap::new();
    let Ok(chips) = root.query_selector_all("[data-chip]") else {
        return places;
    };
    let origin = root.get_bounding_client_rect();
    for index in 0..chips.length() {
        let Some(chip) = chips
            .item(index)
            .and_then(|node| node.dyn_into::<Element>().ok())
        else {
            continue;
        };
        let Some(key) = chip.get_attribute("data-chip") else {
            continue;
        };
        let rect = chip.get_bounding_client_rect();
        let place = (
            rect.left() - origin.left() + f64::from(root.scroll_left()),
            rect.top() - origin.top() + f64::from(root.scroll_top()),
        );
        visit(&chip, &key, place);
        places.insert(key, place);
    }
    places
}
