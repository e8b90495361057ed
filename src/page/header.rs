//! The page's head: what runs, and how the page is to look and speak.

use super::context::{send, use_dispatch, use_text};
use super::i18n::Language;
use super::icon::{Icon, Shape};
use super::menu::Menu;
use super::store::{About, Intent, ShareAct, Sheet};
use std::rc::Rc;
use yew::prelude::*;

/// What the head shows.
#[derive(PartialEq, Properties)]
pub struct HeaderProps {
    /// The language the page speaks.
    pub language: Language,
    /// The scenario.
    pub about: Rc<About>,
}

/// The head.
#[component]
pub fn Header(props: &HeaderProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let other = props.language.other();
    html! {
        <header class="head">
            <h1>{ "Regroup" }</h1>
            <button class="button plain scenario" aria-haspopup="dialog" onclick={send(&dispatch, Intent::Sheet(Some(Sheet::Scenarios)))}>
                <span>{ props.language.of(&props.about.title) }</span><Icon shape={Shape::Down} />
            </button>
            <button class="button plain wide-only" aria-haspopup="dialog" onclick={send(&dispatch, Intent::Sheet(Some(Sheet::Incidents)))}>{ t.incidents }</button>
            <div class="space"></div>
            <button class="button plain to-share" aria-haspopup="dialog" aria-label={t.to_share} aria-keyshortcuts="s" title={format!("{} (s)", t.to_share)} onclick={send(&dispatch, Intent::Share(ShareAct::Show))}>
                <Icon shape={Shape::Share} /><span>{ t.to_share }</span>
            </button>
            <button class="button plain" lang={other.tag()} onclick={send(&dispatch, Intent::Speak(other))}>{ other.name() }</button>
            <button class="button plain icon" aria-label={t.theme} title={t.theme} onclick={send(&dispatch, Intent::ToggleTheme)}><Icon shape={Shape::Theme} /></button>
            <Menu about={props.about.clone()} />
            <button class="button plain icon" aria-label={t.keys} title={t.keys} onclick={send(&dispatch, Intent::Sheet(Some(Sheet::Keys)))}>{ "?" }</button>
        </header>
    }
}
