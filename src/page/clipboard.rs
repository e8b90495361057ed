//! The clipboard.

use gloo_timers::callback::Timeout;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// How long the page says that something was copied, ms.
const SAID_MS: u32 = 4_000;

/// Takes back what was said of a copy. What is said for good would not be said of the next one.
pub fn when_said(take_back: impl FnOnce() + 'static) {
    Timeout::new(SAID_MS, take_back).forget();
}

/// Puts a text onto it. `None`: the browser did not let us.
pub async fn copy(text: &str) -> Option<()> {
    let navigator = web_sys::window()?.navigator();
    // Outside of secure contexts there is no clipboard.
    let clipboard = js_sys::Reflect::get(&navigator, &JsValue::from_str("clipboard")).ok()?;
    if clipboard.is_undefined() {
        return None;
    }
    let promise = navigator.clipboard().write_text(text);
    JsFuture::from(promise).await.ok().map(|_| ())
}
