//! What the browser remembers and prefers: language, colour scheme, the views' height. It may refuse to remember.

use super::i18n::Language;
use web_sys::{Element, Storage, Window};

const LANGUAGE: &str = "regroup.language";
const THEME: &str = "regroup.theme";
const HEIGHT: &str = "regroup.height";

fn window() -> Option<Window> {
    web_sys::window()
}

fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}

fn remembered(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

fn remember(key: &str, value: &str) {
    if let Some(storage) = storage() {
        // Private windows refuse; then the choice lasts as long as the page.
        let _ = storage.set_item(key, value);
    }
}

fn root() -> Option<Element> {
    window()?.document()?.document_element()
}

/// The language that was chosen before, or that the browser prefers.
pub fn language() -> Language {
    let preferred = || window().and_then(|window| window.navigator().language());
    let tag = remembered(LANGUAGE).or_else(preferred);
    Language::from_tag(&tag.unwrap_or_default())
}

/// Remembers the language.
pub fn keep_language(language: Language) {
    remember(LANGUAGE, language.tag());
}

/// Tells the browser which language the page speaks.
pub fn show_language(language: Language) {
    if let Some(root) = root() {
        let _ = root.set_attribute("lang", language.tag());
    }
}

/// Whether the page is to be dark: as was chosen before, or as the browser prefers.
pub fn is_dark() -> bool {
    match remembered(THEME).as_deref() {
        Some("dark") => true,
        Some("light") => false,
        _ => window()
            .and_then(|window| window.match_media("(prefers-color-scheme: dark)").ok())
            .flatten()
            .is_some_and(|query| query.matches()),
    }
}

/// Remembers the colour scheme.
pub fn keep_theme(is_dark: bool) {
    remember(THEME, if is_dark { "dark" } else { "light" });
}

/// The height that a person gave the views, in CSS pixels.
pub fn height() -> Option<i32> {
    remembered(HEIGHT)?.parse().ok()
}

/// Seven tenths of the window's height, in CSS pixels: the style sheet draws no more.
pub fn tallest() -> i32 {
    let height = window().and_then(|window| window.inner_height().ok());
    let height = height.and_then(|height| height.as_f64());
    // Heights of windows are small whole numbers.
    height.map_or(i32::MAX, |height| (height * 0.7) as i32)
}

/// Remembers the height of the views.
pub fn keep_height(height: i32) {
    remember(HEIGHT, &height.to_string());
}

/// Shows the colour scheme.
pub fn show_theme(is_dark: bool) {
    if let Some(root) = root() {
        let _ = root.set_attribute("data-theme", if is_dark { "dark" } else { "light" });
    }
}
