//! When the program itself breaks: it says so in words, and offers what was done so far as a file, so
//! that nothing is lost and somebody can find out why.

use super::i18n::Language;
use crate::scenario::Document;
use crate::world::command::Act;
use js_sys::Array;
use std::cell::RefCell;
use std::panic::{self, PanicHookInfo};
use std::rc::Rc;
use wasm_bindgen::JsValue;
use web_sys::{Blob, Element, Url};

/// Name of the file.
pub const FILE_NAME: &str = "regroup-scenario.json";

/// What runs, as far as it takes to write it down.
struct Run {
    document: Rc<Document>,
    variant: Option<Rc<str>>,
    acts: Vec<Act>,
}

thread_local! {
    static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
}

/// Remembers what runs.
pub fn remember(document: &Rc<Document>, variant: Option<&Rc<str>>, acts: &[Act]) {
    RUN.set(Some(Run {
        document: document.clone(),
        variant: variant.cloned(),
        acts: acts.to_vec(),
    }));
}

/// The address of a file with the scenario that runs and the acts so far.
pub fn file_address() -> Option<String> {
    let text = RUN.with_borrow(|run| {
        let run = run.as_ref()?;
        Some(
            run.document
                .with_acts(run.variant.as_deref(), &run.acts, None, None),
        )
    })?;
    let parts = Array::of1(&JsValue::from_str(&text));
    let blob = Blob::new_with_str_sequence(&parts).ok()?;
    Url::create_object_url_with_blob(&blob).ok()
}

/// From now on a panic is told on the page and on the console.
pub fn install() {
    panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        console_error_panic_hook::hook(info);
        // If this fails there is nobody left to tell.
        let _ = show(&info.to_string());
    }));
}

/// Lays the message over the page.
pub fn show(problem: &str) -> Option<()> {
    let document = web_sys::window()?.document()?;
    let tag = document.document_element()?.get_attribute("lang");
    let t = Language::from_tag(&tag.unwrap_or_default()).catalogue();
    let element = |name: &str, text: &str| -> Option<Element> {
        let element = document.create_element(name).ok()?;
        element.set_text_content(Some(text));
        Some(element)
    };
    let sheet = element("div", "")?;
    sheet.set_class_name("sheet broken");
    sheet.set_attribute("role", "alert").ok()?;
    for (name, text) in [
        ("h2", t.broken_title),
        ("p", t.broken_text),
        ("code", problem),
    ] {
        let part = element(name, text)?;
        sheet.append_child(&part).ok()?;
    }
    if let Some(address) = file_address() {
        let link = element("a", t.save_file)?;
        link.set_class_name("button");
        link.set_attribute("href", &address).ok()?;
        link.set_attribute("download", FILE_NAME).ok()?;
        sheet.append_child(&link).ok()?;
    }
    let overlay = element("div", "")?;
    overlay.set_class_name("overlay");
    overlay.append_child(&sheet).ok()?;
    document.body()?.append_child(&overlay).ok()?;
    Some(())
}
