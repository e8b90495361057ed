//! Pictures of what is on the screen, for slides. The browser's part is `static/picture.js`, which is fetched
//! when the first picture is wanted.

use super::store::{Intent, TeachAct};
use wasm_bindgen::prelude::*;
use yew::Callback;

#[wasm_bindgen]
extern "C" {
    /// Stands in `index.html`.
    #[wasm_bindgen(catch, js_name = regroupPicture)]
    async fn save_picture(
        selector: &str,
        format: &str,
        name: &str,
        title: &str,
    ) -> Result<JsValue, JsValue>;
}

/// A part of the page that can be put on a slide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Producers, cluster, groups.
    Stage,
    /// The open view.
    View,
    /// Both, with the sentence above them.
    Whole,
}

impl Part {
    /// All, in the order of a menu.
    pub const ALL: [Part; 3] = [Part::Stage, Part::View, Part::Whole];

    const fn selector(self) -> &'static str {
        match self {
            Part::Stage => ".stage",
            Part::View => "#panel",
            Part::Whole => ".work",
        }
    }

    const fn file_name(self) -> &'static str {
        match self {
            Part::Stage => "regroup-stage",
            Part::View => "regroup-view",
            Part::Whole => "regroup",
        }
    }
}

/// Saves a picture; `format` is `svg` or `png`. What the browser says against it comes back as an act.
pub fn save(part: Part, format: &'static str, title: String, dispatch: Callback<Intent>) {
    wasm_bindgen_futures::spawn_local(async move {
        let saved = save_picture(part.selector(), format, part.file_name(), &title).await;
        if let Err(problem) = saved {
            let text = js_sys::Error::from(problem).to_string();
            dispatch.emit(Intent::Teach(TeachAct::NoPicture(text.into())));
        }
    });
}

/// Prints the page, as `static/css/print.css` lays it out.
pub fn print() {
    if let Some(window) = web_sys::window() {
        // A browser that cannot print says so itself.
        let _ = window.print();
    }
}
