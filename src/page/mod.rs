//! The page: Yew components over plain view structs.
//!
//! The only layer that knows a browser. It never imports the inside of `kafka`; what it shows it is
//! given by `view`, what a person does it hands down as a command.

// The page is where wall clock and browser meet; the bans of clippy.toml are for the layers below.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

use yew::prelude::*;

/// The whole page.
#[component]
pub fn App() -> Html {
    html! {
        <main>
            <h1>{ "Regroup" }</h1>
        </main>
    }
}

/// Mounts the page into `root`, whose content it replaces.
pub fn mount(root: web_sys::Element) {
    yew::Renderer::<App>::with_root(root).render();
}
