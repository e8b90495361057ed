//! The clipboard.

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

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
