//! The page's address: what stands in it is opened, and what is shared stands in it.

use super::fetch;
use super::store::{Intent, ShareAct};
use crate::scenario::{Base, Link};
use gloo_events::EventListener;
use std::rc::Rc;
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
    let link = hash.and_then(|hash| Link::of_fragment(hash.trim_start_matches('#')));
    match link {
        None => {}
        Some(Err(bad)) => dispatch.emit(Intent::Share(ShareAct::Refuse(bad))),
        Some(Ok(link)) => open(Rc::new(link), dispatch.clone()),
    }
}

/// Hands a link to the store, with the file that it starts from if that stands beside the page.
fn open(link: Rc<Link>, dispatch: Callback<Intent>) {
    let Base::Incident(named) = &link.of else {
        return dispatch.emit(Intent::Share(ShareAct::Open(link, None)));
    };
    let path = fetch::incident(&named.name);
    wasm_bindgen_futures::spawn_local(async move {
        dispatch.emit(match fetch::text_of(&path).await {
            Ok(text) => Intent::Share(ShareAct::Open(link, Some(text))),
            Err(problem) => Intent::NotFetched(problem),
        });
    });
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
