//! The menu in the page's head: what is not needed all the time.

use super::context::{send, use_dispatch, use_teach};
use super::i18n::Language;
use super::icon::{Icon, Shape};
use super::picture::{self, Part};
use super::store::{About, Intent, TeachAct};
use std::rc::Rc;
use yew::prelude::*;

/// The menu: the browser opens and closes it.
const MENU: &str = "menu";
/// The button of the trainer's mode, for its key.
pub const TRAINER: &str = "trainer";
/// The link to what is modelled, for its key.
pub const MODELLED: &str = "modelled";

/// What the menu is about.
#[derive(PartialEq, Properties)]
pub struct MenuProps {
    /// The scenario.
    pub about: Rc<About>,
}

/// The button and the menu behind it.
#[component]
pub fn Menu(props: &MenuProps) -> Html {
    let t = use_teach();
    let dispatch = use_dispatch();
    let language = use_context::<Language>().unwrap_or_default();
    let named = |part: Part| match part {
        Part::Stage => t.stage_picture,
        Part::View => t.view_picture,
        Part::Whole => t.whole_picture,
    };
    let picture = |part: Part, format: &'static str, name: &'static str| {
        let (about, dispatch) = (props.about.clone(), dispatch.clone());
        let onclick = Callback::from(move |_: MouseEvent| {
            picture::save(part, format, language.of(&about.title), dispatch.clone());
        });
        html! { <button class="button" type="button" aria-label={format!("{}: {name}", named(part))} {onclick}>{ name }</button> }
    };
    html! {
        <div class="menu-place">
            <button class="button plain icon" type="button" popovertarget={MENU} aria-label={t.menu} title={t.menu}><Icon shape={Shape::More} /></button>
            <div id={MENU} class="menu" popover="auto" role="dialog" aria-label={t.menu}>
                <button id={TRAINER} class="button plain row" type="button" popovertarget={MENU} popovertargetaction="hide" aria-keyshortcuts="m"
                    onclick={send(&dispatch, Intent::Teach(TeachAct::Train))}><span>{ t.trainer }</span><kbd aria-hidden="true">{ "m" }</kbd></button>
                <h2>{ t.pictures }</h2>
                <ul>
                    { for Part::ALL.into_iter().map(|part| html! {
                        <li><span>{ named(part) }</span>{ picture(part, "svg", "SVG") }{ picture(part, "png", "PNG") }</li>
                    }) }
                </ul>
                <button class="button plain row" type="button" popovertarget={MENU} popovertargetaction="hide" onclick={Callback::from(|_: MouseEvent| picture::print())}><span>{ t.print }</span></button>
                <ModelledLink id={MODELLED} class="button plain row" />
            </div>
        </div>
    }
}

/// How the link looks.
#[derive(PartialEq, Properties)]
pub struct ModelledLinkProps {
    /// Its id, where it has one.
    #[prop_or_default]
    pub id: Option<AttrValue>,
    /// Its classes.
    pub class: AttrValue,
}

/// The way to the page that says what of Kafka is modelled.
#[component]
pub fn ModelledLink(props: &ModelledLinkProps) -> Html {
    let t = use_teach();
    let language = use_context::<Language>().unwrap_or_default();
    html! {
        <a id={props.id.clone()} class={props.class.clone()} href={format!("./modelled/{}.html", language.tag())} target="_blank" rel="noopener" aria-keyshortcuts="d">
            <span>{ t.modelled }</span><kbd aria-hidden="true">{ "d" }</kbd>
        </a>
    }
}
