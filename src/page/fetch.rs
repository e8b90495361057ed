//! Files that stand beside the page and are fetched when somebody wants to see them: the only way to them.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// Fetches a file that stands beside the page.
///
/// # Errors
/// What the browser says, or the host's status, if there is no such file.
pub async fn text_of(path: &str) -> Result<String, String> {
    let said = |error: JsValue| format!("{error:?}");
    let window = web_sys::window().ok_or_else(String::new)?;
    let response = JsFuture::from(window.fetch_with_str(path))
        .await
        .map_err(said)?;
    let response: Response = response.dyn_into().map_err(said)?;
    if !response.ok() {
        return Err(response.status().to_string());
    }
    let text = JsFuture::from(response.text().map_err(said)?)
        .await
        .map_err(said)?;
    text.as_string().ok_or_else(String::new)
}

/// Where the list of incidents is.
pub const SHELF: &str = "./incidents/index.json";

/// Where the scenario of an incident is.
pub fn incident(name: &str) -> String {
    format!("./incidents/{name}.json")
}
