//! The trainer's mode: large type, no panels that nobody looks at, prepared instants under the digits, a
//! spot that a hall can follow, and answers that stay covered until they are wanted.

use super::context::{send, use_dispatch, use_teach, use_text};
use super::i18n::Language;
use super::icon::{Icon, Shape};
use super::store::{About, Intent, Prepared, Teach, TeachAct};
use gloo_events::EventListener;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, PointerEvent};
use yew::prelude::*;

/// Tells the style sheets how the page is to look.
pub fn show(teach: &Teach) {
    let document = web_sys::window().and_then(|window| window.document());
    let Some(root) = document.and_then(|document| document.document_element()) else {
        return;
    };
    let parts = [
        ("data-training", teach.is_training),
        ("data-covered", teach.is_training && teach.is_covered),
        ("data-no-views", teach.is_training && teach.has_no_views),
    ];
    for (name, is_so) in parts {
        // Setting an attribute of the document's own element cannot fail.
        let _ = if is_so {
            root.set_attribute(name, "true")
        } else {
            root.remove_attribute(name)
        };
    }
    // Whoever measured the page has to do it again.
    let window = web_sys::window().zip(Event::new("resize").ok());
    if let Some((window, resized)) = window {
        let _ = window.dispatch_event(&resized);
    }
}

/// What the trainer's bar shows.
#[derive(PartialEq, Properties)]
pub struct TrainerProps {
    /// What was prepared.
    pub teach: Rc<Teach>,
    /// The scenario.
    pub about: Rc<About>,
}

/// The bar in the place of the page's head, and the spot.
#[component]
pub fn Trainer(props: &TrainerProps) -> Html {
    let t = use_teach();
    let dispatch = use_dispatch();
    let language = use_context::<Language>().unwrap_or_default();
    let teach = &props.teach;
    if !teach.is_training {
        return Html::default();
    }
    let act = |act: TeachAct| send(&dispatch, Intent::Teach(act));
    let switch = |label: &'static str, key: &'static str, is_on: bool, intent: TeachAct| {
        html! {
            <button class="button" aria-pressed={is_on.to_string()} aria-keyshortcuts={key} title={format!("{label} ({key})")} onclick={act(intent)}>{ label }</button>
        }
    };
    let has_instants = teach.instants.iter().any(Option::is_some);
    html! {
        <>
            <header class="trainer" aria-label={t.trainer}>
                <h1>{ language.of(&props.about.title) }</h1>
                <div class="instants" role="group" aria-label={t.instants}>
                    { for teach.instants.iter().enumerate().map(|(place, prepared)| html! {
                        <Digit {place} prepared={prepared.clone()} />
                    }) }
                    if has_instants { <button class="button plain icon" aria-label={t.forget_instants} title={t.forget_instants} onclick={act(TeachAct::ForgetInstants)}><Icon shape={Shape::Close} /></button> }
                </div>
                <div class="switches">
                    { switch(t.cover, "h", teach.is_covered, TeachAct::Cover) }
                    { switch(t.pointer, "p", teach.has_pointer, TeachAct::Point) }
                    { switch(t.hide_views, "v", teach.has_no_views, TeachAct::HideViews) }
                    <button class="button plain icon" aria-label={t.leave} title={format!("{} (Esc)", t.leave)} onclick={act(TeachAct::Train)}><Icon shape={Shape::Close} /></button>
                </div>
            </header>
            if teach.has_pointer { <Spot key="spot" /> }
            if teach.is_covered { <button key="reveal" class="button reveal" onclick={act(TeachAct::Cover)}>{ t.reveal }</button> }
        </>
    }
}

/// Which digit.
#[derive(PartialEq, Properties)]
struct DigitProps {
    place: usize,
    prepared: Option<Prepared>,
}

/// A digit: goes to its instant, or keeps the present one.
#[component]
fn Digit(props: &DigitProps) -> Html {
    let t = use_teach();
    let text = use_text();
    let dispatch = use_dispatch();
    let (place, is_free) = (props.place, props.prepared.is_none());
    let digit = place + 1;
    let title = match &props.prepared {
        Some(prepared) => (t.go_to_instant)((text.tab)(prepared.tab)),
        None => (t.keep_instant)(digit),
    };
    let onclick = dispatch.reform(move |event: MouseEvent| {
        Intent::Teach(if is_free || event.shift_key() {
            TeachAct::Keep(place)
        } else {
            TeachAct::GoTo(place)
        })
    });
    html! {
        <button class="button digit" data-free={is_free.to_string()} title={title.clone()} {onclick}>
            { digit }
            if let Some(prepared) = &props.prepared { <small>{ (text.clock)(prepared.at) }</small> }
            <span class="hidden-text">{ title }</span>
        </button>
    }
}

/// A spot that follows the pointer. It is moved by hand: nothing is drawn anew for it.
#[component]
fn Spot() -> Html {
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            let document = web_sys::window().and_then(|window| window.document());
            let listener = document.map(|document| {
                EventListener::new(&document, "pointermove", move |event| {
                    let event = event.dyn_ref::<PointerEvent>();
                    if let (Some(event), Some(spot)) = (event, node.cast::<HtmlElement>()) {
                        let place =
                            format!("translate({}px, {}px)", event.client_x(), event.client_y());
                        // These two properties are known to every browser.
                        let _ = spot.style().set_property("transform", &place);
                        let _ = spot.style().set_property("visibility", "visible");
                    }
                })
            });
            move || drop(listener)
        });
    }
    html! { <div class="spot" ref={node} aria-hidden="true"></div> }
}
