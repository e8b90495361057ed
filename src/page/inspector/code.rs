//! The code of a client with its present settings.

use crate::page::clipboard::{copy, when_said};
use crate::page::context::use_text;
use crate::view::client_code::CodeLanguage;
use crate::view::inspect::ClientSource;
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

/// The languages by their names.
const LANGUAGES: [(CodeLanguage, &str); 2] = [
    (CodeLanguage::Java, "Java"),
    (CodeLanguage::Python, "Python"),
];

/// Whose code.
#[derive(PartialEq, Properties)]
pub struct CodeProps {
    /// The client.
    pub source: Rc<ClientSource>,
}

/// The code in the language that is chosen.
#[component]
pub fn CodeView(props: &CodeProps) -> Html {
    let t = use_text().code();
    let chosen = use_state(|| None::<CodeLanguage>);
    let language = chosen.unwrap_or_else(|| props.source.language());
    let code = use_memo((props.source.clone(), language), |(source, language)| {
        source.code(*language)
    });
    let tab = |(of, name): (CodeLanguage, &'static str)| {
        let chosen = chosen.clone();
        let onclick = Callback::from(move |_: MouseEvent| chosen.set(Some(of)));
        html! { <button class="button" aria-pressed={(of == language).to_string()} {onclick}>{ name }</button> }
    };
    let whole = {
        let code = code.clone();
        Callback::from(move |()| code.text.clone())
    };
    html! {
        <section class="section">
            <details class="client-code">
                <summary>{ t.code }</summary>
                <div class="button-row">
                    <div class="button-row" role="group" aria-label={t.language}>{ for LANGUAGES.map(tab) }</div>
                    <CopyButton key={format!("{language:?}")} label={t.copy_code} text={whole} />
                </div>
                <pre lang="en" tabindex="0" aria-label={t.code}><code>{ code.text.clone() }</code></pre>
                if !code.notes.is_empty() {
                    <ul class="code-notes">
                        { for code.notes.iter().map(|note| html! { <li>{ (t.note)(note) }</li> }) }
                    </ul>
                }
            </details>
        </section>
    }
}

/// What to copy.
#[derive(PartialEq, Properties)]
pub struct CopyButtonProps {
    /// What the button says.
    pub label: &'static str,
    /// Writes the text down.
    pub text: Callback<(), String>,
}

/// Puts a text onto the clipboard, and says whether it is there.
#[component]
pub fn CopyButton(props: &CopyButtonProps) -> Html {
    let t = use_text().code();
    let said = use_state(|| "");
    let onclick = {
        let (said, text) = (said.clone(), props.text.clone());
        Callback::from(move |_: MouseEvent| {
            let (said, text) = (said.clone(), text.emit(()));
            spawn_local(async move {
                let is_done = copy(&text).await.is_some();
                said.set(if is_done { t.copied } else { t.not_copied });
                when_said(move || said.set(""));
            });
        })
    };
    html! {
        <span class="copy">
            <button class="button" {onclick}>{ props.label }</button>
            <span class="caps" role="status">{ *said }</span>
        </span>
    }
}
