//! Handing a file to the person.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsCast;
use web_sys::{Blob, HtmlAnchorElement, Url};

/// Saves bytes under a name. `None`: the browser did not let us.
pub fn save(name: &str, bytes: &[u8]) -> Option<()> {
    let parts = Array::of1(&Uint8Array::from(bytes));
    let blob = Blob::new_with_u8_array_sequence(&parts).ok()?;
    let address = Url::create_object_url_with_blob(&blob).ok()?;
    let document = web_sys::window()?.document()?;
    let link: HtmlAnchorElement = document.create_element("a").ok()?.dyn_into().ok()?;
    link.set_href(&address);
    link.set_download(name);
    link.click();
    // The browser has taken the bytes by now; an address that is not freed only costs memory.
    let _ = Url::revoke_object_url(&address);
    Some(())
}
