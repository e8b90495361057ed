//! A ring that empties as a countdown runs out.

use crate::page::context::use_dispatch;
use crate::page::hint::{HINT, explain};
use crate::page::i18n::Term;
use crate::page::motion::{self, object};
use crate::view::stage::Countdown;
use web_sys::Element;
use yew::prelude::*;

/// What the ring shows.
#[derive(PartialEq, Properties)]
pub struct RingProps {
    /// `None`: nothing is running out.
    pub countdown: Option<Countdown>,
    /// What it is.
    pub label: AttrValue,
    /// What explains it.
    pub term: Term,
    /// The configuration's name.
    pub title: AttrValue,
    /// Whether its end is bad news that is on its way.
    #[prop_or_default]
    pub is_urgent: bool,
}

/// The ring: seconds left inside, what it is below. Pressed, it explains itself.
#[component]
pub fn Ring(props: &RingProps) -> Html {
    let dispatch = use_dispatch();
    let arc = use_node_ref();
    let ends = props
        .countdown
        .map(|countdown| (countdown.from, countdown.to));
    {
        let arc = arc.clone();
        use_effect_with(ends, move |ends| {
            let running = ends.and_then(|(from, to)| {
                let arc = arc.cast::<Element>()?;
                let full = object(&[("strokeDashoffset", 0.into())]);
                let empty = object(&[("strokeDashoffset", 1.into())]);
                Some(motion::run(&arc, &[full, empty], from, to))
            });
            move || drop(running)
        });
    }
    let left = props
        .countdown
        .map_or_else(|| "–".to_string(), |countdown| countdown.left_s.to_string());
    html! {
        <button type="button" class="ring" data-urgent={props.is_urgent.to_string()} title={props.title.clone()} popovertarget={HINT} popovertargetaction="show" onclick={explain(&dispatch, props.term)}>
            <svg viewBox="0 0 30 30">
                <circle class="rail" cx="15" cy="15" r="13" />
                if props.countdown.is_some() {
                    <circle class="arc" ref={arc} cx="15" cy="15" r="13" pathLength="1" />
                }
                <text x="15" y="15.5">{ left }</text>
            </svg>
            <span>{ props.label.clone() }</span>
        </button>
    }
}
