//! Words with an explanation behind them, for whoever meets them for the first time: by mouse, by touch
//! and by keyboard.

use super::context::{Dispatch, use_text};
use super::i18n::Term;
use super::store::Intent;
use web_sys::Element;
use yew::prelude::*;

/// The element that shows explanations: the browser opens it, closes it at Escape and at a click beside
/// it, and gives the focus back.
pub const HINT: &str = "hint";

/// What is explained, and where on the screen, in CSS pixels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Explained {
    /// The word.
    pub term: Term,
    /// Left edge of what was pressed.
    pub x: i32,
    /// Its lower edge.
    pub y: i32,
}

/// A handler for a press on something that stands for `term`.
pub fn explain(dispatch: &Dispatch, term: Term) -> Callback<MouseEvent> {
    dispatch.reform(move |event: MouseEvent| {
        let target = event.target_dyn_into::<Element>();
        let rect = target.map(|element| element.get_bounding_client_rect());
        // Screen coordinates are small whole numbers.
        let (x, y) = rect.map_or((0, 0), |rect| (rect.left() as i32, rect.bottom() as i32));
        Intent::Explain(Explained { term, x, y })
    })
}

/// A word that explains itself when it is pressed.
pub fn hint(dispatch: &Dispatch, term: Term, label: &str) -> Html {
    html! {
        <button type="button" class="term" popovertarget={HINT} popovertargetaction="show"
            onclick={explain(dispatch, term)}>{ label.to_string() }</button>
    }
}

/// What is explained.
#[derive(PartialEq, Properties)]
pub struct HintProps {
    /// `None`: nothing so far.
    pub explained: Option<Explained>,
}

/// The explanation.
#[component]
pub fn HintView(props: &HintProps) -> Html {
    let t = use_text();
    let place = props
        .explained
        .map(|at| format!("--x:{}px;--y:{}px", at.x, at.y));
    html! {
        <div id={HINT} class="hint" popover="auto" tabindex="-1" autofocus=true role="note" style={place}>
            if let Some(explained) = props.explained {
                <b>{ (t.term)(explained.term).0 }</b>
                <p>{ (t.term)(explained.term).1 }</p>
            }
        </div>
    }
}

/// Every word that has an explanation.
#[component]
pub fn Glossary() -> Html {
    let t = use_text();
    html! {
        <>
            <h3>{ t.glossary }</h3>
            <dl class="glossary">
                { for Term::ALL.into_iter().map(|term| {
                    let (name, text) = (t.term)(term);
                    html! { <><dt>{ name }</dt><dd>{ text }</dd></> }
                }) }
            </dl>
        </>
    }
}
