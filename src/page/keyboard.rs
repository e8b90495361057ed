//! Keys: what a pointer can do with the page as a whole, a key can.

use super::store::{Intent, ShareAct, Sheet, TeachAct, Ui};
use super::{menu, stops};
use crate::view::lab::LabAct;
use crate::view::panel::Tab;
use crate::view::timebar::Stop;
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};
use yew::Callback;
use yew::TargetCast;

/// Listens to the keys of the whole page.
pub fn listen(on_key: Callback<KeyboardEvent>) -> Option<EventListener> {
    let document = web_sys::window()?.document()?;
    let options = EventListenerOptions::enable_prevent_default();
    Some(EventListener::new_with_options(
        &document,
        "keydown",
        options,
        move |event| {
            if let Some(event) = event.dyn_ref::<KeyboardEvent>() {
                // What the browser opened it closes, and nothing else.
                if event.key() == "Escape" && find(":popover-open").is_some() {
                    return;
                }
                on_key.emit(event.clone());
            }
        },
    ))
}

/// Whether the key belongs to what has the focus: a field, or a button under the space bar. A button that was
/// clicked keeps the focus, but not the space bar: that is the play button again.
fn belongs_to_focus(event: &KeyboardEvent) -> bool {
    let Some(element) = event.target_dyn_into::<Element>() else {
        return false;
    };
    let is_press = matches!(event.key().as_str(), " " | "Enter");
    match element.tag_name().as_str() {
        "TEXTAREA" | "SELECT" => true,
        "INPUT" => match element.get_attribute("type").as_deref() {
            Some("range") => event.key().starts_with("Arrow"),
            Some("checkbox" | "file") => is_press,
            _ => true,
        },
        "BUTTON" | "SUMMARY" | "A" | "LABEL" => {
            is_press && element.matches(":focus-visible").unwrap_or(true)
        }
        _ => false,
    }
}

/// The page's element for which this selector stands.
fn find(selector: &str) -> Option<Element> {
    let document = web_sys::window()?.document()?;
    document.query_selector(selector).ok()?
}

/// Presses a button that the browser answers.
fn press(id: &str) {
    let button = find(&format!("#{id}")).and_then(|button| button.dyn_into::<HtmlElement>().ok());
    if let Some(button) = button {
        button.click();
    }
}

/// What a key wants in the trainer's mode alone.
fn training(event: &KeyboardEvent) -> Option<TeachAct> {
    // By its place on the keyboard: with Shift, it writes another letter on each.
    let code = event.code();
    let digit = code.strip_prefix("Digit").or(code.strip_prefix("Numpad"));
    let digit = digit.and_then(|digit| digit.parse::<usize>().ok());
    if let Some(place) = digit.and_then(|digit| digit.checked_sub(1)) {
        return Some(if event.shift_key() {
            TeachAct::Keep(place)
        } else {
            TeachAct::GoTo(place)
        });
    }
    match event.key().as_str() {
        "h" => Some(TeachAct::Cover),
        "p" => Some(TeachAct::Point),
        "v" => Some(TeachAct::HideViews),
        _ => None,
    }
}

/// What a key wants.
pub fn intent(event: &KeyboardEvent, ui: &Ui) -> Intent {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return Intent::None;
    }
    if event.key() == "Escape" {
        let is_told = ui.notice.is_some()
            || ui.refused.is_some()
            || ui.teach.note.is_some()
            || ui.teach.sought.is_some();
        return match ui.sheet {
            Some(_) => Intent::Sheet(None),
            None if is_told => Intent::Dismiss,
            None if ui.teach.is_training && ui.choice.selection.is_none() => {
                Intent::Teach(TeachAct::Train)
            }
            None => Intent::Deselect,
        };
    }
    if ui.sheet.is_some() || belongs_to_focus(event) {
        return Intent::None;
    }
    if let Some(act) = training(event).filter(|_| ui.teach.is_training) {
        event.prevent_default();
        return Intent::Teach(act);
    }
    let intent = match event.key().as_str() {
        " " | "k" => Intent::TogglePlay,
        "." | "l" => Intent::StepEvent,
        "," | "j" => Intent::StepBack,
        "n" => Intent::Teach(TeachAct::Next(Stop::Rebalance)),
        "N" => Intent::Teach(TeachAct::NextAgain),
        "b" => {
            press(stops::BUTTON);
            Intent::None
        }
        "m" => {
            press(menu::TRAINER);
            Intent::None
        }
        "d" => {
            press(menu::MODELLED);
            Intent::None
        }
        "+" | "=" => Intent::Faster,
        "-" => Intent::Slower,
        "u" => Intent::Undo,
        "a" => Intent::AddToFirstGroup,
        "o" => Intent::Sheet(Some(Sheet::Scenarios)),
        "i" => Intent::Sheet(Some(Sheet::Incidents)),
        "s" => Intent::Share(ShareAct::Show),
        "t" => Intent::ToggleTheme,
        "[" if ui.choice.tab == Tab::Lab => {
            Intent::Lab(LabAct::Step(ui.lab.step.saturating_sub(1)))
        }
        "]" if ui.choice.tab == Tab::Lab => Intent::Lab(LabAct::Step(ui.lab.step + 1)),
        "?" => Intent::Sheet(Some(Sheet::Keys)),
        key => key
            .parse::<usize>()
            .ok()
            .and_then(|number| Tab::ALL.get(number.checked_sub(1)?))
            .map_or(Intent::None, |tab| Intent::Open(*tab)),
    };
    if intent != Intent::None {
        event.prevent_default();
    }
    intent
}
