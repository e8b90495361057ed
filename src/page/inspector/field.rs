//! Fields that say what they want when they are left.

use crate::page::context::{use_dispatch, use_refused, use_text};
use crate::page::sheet::notice_text;
use crate::page::store::Intent;
use web_sys::{Element, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

/// A field.
#[derive(PartialEq, Properties)]
pub struct FieldProps {
    /// What it is.
    pub label: AttrValue,
    /// Its value.
    pub value: AttrValue,
    /// What stands in it when it is empty.
    #[prop_or_default]
    pub placeholder: AttrValue,
    /// What follows the value.
    #[prop_or_default]
    pub unit: AttrValue,
    /// Whether it takes a whole number.
    #[prop_or_default]
    pub is_number: bool,
    /// Called with the new value.
    pub onchange: Callback<String>,
}

/// A text field. What was typed stays in it until it is taken: also while the page is drawn anew, and
/// also when it is refused; then it says why.
#[component]
pub fn Field(props: &FieldProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let refused = use_refused().filter(|refused| *refused.field == *props.label);
    let draft = use_state(|| None::<String>);
    let message = use_node_ref();
    {
        let message = message.clone();
        use_effect_with(refused.is_some(), move |_| {
            if let Some(message) = message.cast::<Element>() {
                message.scroll_into_view_with_bool(false);
            }
        });
    }
    let oninput = {
        let draft = draft.clone();
        Callback::from(move |event: InputEvent| draft.set(Some(text_of(&event))))
    };
    let onblur = {
        let draft = draft.clone();
        Callback::from(move |_: FocusEvent| draft.set(None))
    };
    let onchange = {
        let (label, onchange) = (props.label.clone(), props.onchange.clone());
        Callback::from(move |event: Event| {
            let value = text_of(&event).trim().to_string();
            dispatch.emit(Intent::Enter(label.clone(), value.clone()));
            onchange.emit(value);
        })
    };
    let typed = refused.as_ref().map(|refused| refused.typed.clone());
    let value = (*draft)
        .clone()
        .or(typed)
        .unwrap_or_else(|| props.value.to_string());
    html! {
        <label class="field-row">
            <span>{ dotted(&props.label) }</span>
            <span class="field-box">
                <input class="field" type="text" inputmode={if props.is_number { "numeric" } else { "text" }} spellcheck="false" autocomplete="off"
                    aria-invalid={refused.is_some().then_some("true")} aria-describedby={refused.is_some().then_some(FIELD_ERROR)}
                    {value} placeholder={props.placeholder.clone()} {oninput} {onblur} {onchange} />
                if !props.unit.is_empty() { <span class="unit">{ props.unit.clone() }</span> }
            </span>
            if let Some(refused) = refused {
                <span id={FIELD_ERROR} ref={message} class="field-error" role="alert">{ notice_text(t, &refused.notice) }</span>
            }
        </label>
    }
}

/// A dotted name, which may break after its dots.
fn dotted(name: &str) -> Html {
    let parts = name.split_inclusive('.');
    parts
        .map(|part| html! { <>{ part.to_string() }<wbr /></> })
        .collect()
}

/// The one message of that kind: one field is refused at a time.
const FIELD_ERROR: &str = "field-error";

fn text_of(event: &Event) -> String {
    let input = event.target_dyn_into::<HtmlInputElement>();
    input.map_or_else(String::new, |input| input.value())
}

/// A text of several lines.
#[derive(PartialEq, Properties)]
pub struct AreaProps {
    /// What it is.
    pub label: AttrValue,
    /// Its classes beside that of a field.
    pub class: &'static str,
    /// How many lines are in sight.
    pub rows: usize,
    /// Its text.
    pub value: AttrValue,
    /// Called with the new text, at each letter.
    pub oninput: Callback<String>,
}

/// A field for a text of several lines. Why it is refused is said below it.
#[component]
pub fn Area(props: &AreaProps) -> Html {
    let t = use_text();
    let refused = use_refused().filter(|refused| *refused.field == *props.label);
    let oninput = props.oninput.reform(|event: InputEvent| {
        let area = event.target_dyn_into::<HtmlTextAreaElement>();
        area.map_or_else(String::new, |area| area.value())
    });
    html! {
        <>
            <textarea class={classes!("field", props.class)} rows={props.rows.to_string()} spellcheck="false" autocomplete="off" aria-label={props.label.clone()}
                aria-invalid={refused.is_some().then_some("true")} aria-describedby={refused.is_some().then_some(FIELD_ERROR)}
                value={props.value.clone()} {oninput} />
            if let Some(refused) = refused {
                <span id={FIELD_ERROR} class="field-error" role="alert">{ notice_text(t, &refused.notice) }</span>
            }
        </>
    }
}

/// A choice.
#[derive(PartialEq, Properties)]
pub struct ChoiceFieldProps {
    /// What it is.
    pub label: AttrValue,
    /// The chosen value.
    pub value: AttrValue,
    /// Values with their texts.
    pub options: Vec<(AttrValue, AttrValue)>,
    /// Called with the new value.
    pub onchange: Callback<String>,
}

/// A list of choices.
#[component]
pub fn ChoiceField(props: &ChoiceFieldProps) -> Html {
    let onchange = props.onchange.reform(|event: Event| {
        let select = event.target_dyn_into::<HtmlSelectElement>();
        select.map_or_else(String::new, |select| select.value())
    });
    html! {
        <label class="field-row">
            <span>{ dotted(&props.label) }</span>
            <span class="field-box">
                <select class="field" {onchange}>
                    { for props.options.iter().map(|(value, text)| html! {
                        <option value={value.clone()} selected={*value == props.value}>{ text.clone() }</option>
                    }) }
                </select>
            </span>
        </label>
    }
}
