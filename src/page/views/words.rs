//! The stage in words, in step with it.

use crate::page::context::use_text;
use crate::view::stage::Stage;
use std::rc::Rc;
use yew::prelude::*;

/// What it tells.
#[derive(PartialEq, Properties)]
pub struct WordsViewProps {
    /// Everything on the stage.
    pub stage: Rc<Stage>,
}

/// A sentence per thing.
#[component]
pub fn WordsView(props: &WordsViewProps) -> Html {
    let t = use_text();
    let sentences = (t.stage_text)(&props.stage).into_iter();
    html! { <ul class="words">{ for sentences.map(|text| html! { <li>{ text }</li> }) }</ul> }
}
