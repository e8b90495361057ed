//! What every component may ask for: the language, and where intents go.

use super::i18n::{Catalogue, Language, TeachTexts};
use super::store::{Intent, Refused};
use std::rc::Rc;
use yew::prelude::*;

/// Where a component sends what a person wants.
pub type Dispatch = Callback<Intent>;

/// The texts in the chosen language.
#[hook]
pub fn use_text() -> &'static Catalogue {
    use_context::<Language>().unwrap_or_default().catalogue()
}

/// The texts for whoever teaches.
#[hook]
pub fn use_teach() -> &'static TeachTexts {
    use_context::<Language>().unwrap_or_default().teach()
}

/// The way to the store.
#[hook]
pub fn use_dispatch() -> Dispatch {
    use_context::<Dispatch>().unwrap_or_else(Callback::noop)
}

/// What was typed into a field and refused, if that is the case.
#[hook]
pub fn use_refused() -> Option<Rc<Refused>> {
    use_context::<Option<Rc<Refused>>>().flatten()
}

/// A handler that sends `intent` whatever the event.
pub fn send<E>(dispatch: &Dispatch, intent: Intent) -> Callback<E> {
    let dispatch = dispatch.clone();
    Callback::from(move |_| dispatch.emit(intent.clone()))
}
