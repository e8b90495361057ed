//! The page as a frame in somebody's article (`?embed=1`): the stage, the time bar, and the way to the page.

use super::caption::sentence;
use super::context::use_text;
use super::i18n::Language;
use super::stage::StageView;
use super::store::{About, Intent, ShareAct};
use super::timebar::TimeBarView;
use crate::view::View;
use std::rc::Rc;
use web_sys::HtmlAnchorElement;
use yew::prelude::*;

/// What the frame shows.
#[derive(PartialEq, Properties)]
pub struct FrameProps {
    /// The scenario.
    pub about: Rc<About>,
    /// What runs.
    pub view: Rc<View>,
    /// Gets the link to the page when somebody follows it, to have it lead to that instant.
    pub on_leave: Callback<HtmlAnchorElement>,
}

/// The frame.
#[component]
pub fn FrameView(props: &FrameProps) -> Html {
    let t = use_text();
    let language = use_context::<Language>().unwrap_or_default();
    let view = &props.view;
    let onclick = {
        let on_leave = props.on_leave.clone();
        Callback::from(move |event: MouseEvent| {
            if let Some(link) = event.target_dyn_into() {
                on_leave.emit(link);
            }
        })
    };
    let news = view.caption.as_ref().filter(|_| !view.is_quiet);
    let told = sentence(t, news, &view.stage.groups);
    html! {
        <>
            <header class="head">
                <h1>{ language.of(&props.about.title) }</h1>
                <div class="space"></div>
                <a class="button plain" href="./" target="_blank" rel="noopener" {onclick}>{ t.to_page }</a>
            </header>
            <main class="work">
                <p class="hidden-text" aria-live={if view.timebar.is_fast() { "off" } else { "polite" }}>{ told }</p>
                <StageView stage={view.stage.clone()} jump={view.jump} />
            </main>
            <TimeBarView bar={view.timebar.clone()} />
        </>
    }
}

/// Whether the frame has what is wanted: it has no sheets, no views and no inspector.
pub fn can(intent: &Intent) -> bool {
    !matches!(
        intent,
        Intent::Sheet(Some(_)) | Intent::Open(_) | Intent::Share(ShareAct::Show)
    )
}
