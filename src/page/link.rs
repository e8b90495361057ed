//! The page's address: what stands in it is opened, and what is shared stands in it.

use super::store::{Intent, ShareAct};
use crate::scenario::LINK_PREFIX;
use gloo_events::EventListener;
use wasm_bindgen::JsValue;
use web_sys::Location;
use yew::Callback;

fn location() -> Option<Location> {
    Some(web_sys::window()?.location())
}

/// Opens what stands in the address, now and whenever it changes.
pub fn listen(dispatch: Callback<Intent>) -> Option<EventListener> {
    let window = web_sys::window()?;
    open_address(&dispatch);
    Some(EventListener::new(&window, "hashchange", move |_| {
        open_address(&dispatch);
    }))
}

fn open_address(dispatch: &Callback<Intent>) {
    let hash = location().and_then(|location| location.hash().ok());
    let fragment = hash.as_deref().and_then(|hash| hash.strip_prefix('#'));
    if let Some(fragment) = fragment.filter(|fragment| fragment.starts_with(LINK_PREFIX)) {
        let act = ShareAct::Open(fragment.to_owned(), dispatch.clone());
        dispatch.emit(Intent::Share(act));
    }
}

/// Whether the page is a frame in somebody's article: `?embed=1`.
pub fn is_framed() -> bool {
    let query = location().and_then(|location| location.search().ok());
    let query = query.unwrap_or_default();
    let mut words = query.trim_start_matches('?').split('&');
    words.any(|word| word == "embed=1")
}

/// The whole address of a link: to the page, or to a frame.
pub fn address(fragment: &str, is_frame: bool) -> String {
    let part = |read: fn(&Location) -> Result<String, JsValue>| {
        location()
            .and_then(|location| read(&location).ok())
            .unwrap_or_default()
    };
    let query = if is_frame { "?embed=1" } else { "" };
    let (origin, path) = (part(Location::origin), part(Location::pathname));
    format!("{origin}{path}{query}#{fragment}")
}

/// Has a link stand in the page's own address, so that it can be marked and loaded again.
pub fn show(address: &str) -> Option<()> {
    let history = web_sys::window()?.history().ok()?;
    // A browser may refuse, as for a page that was opened from a file; then the address stays.
    history
        .replace_state_with_url(&JsValue::NULL, "", Some(address))
        .ok()
}
