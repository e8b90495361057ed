//! Fields that say what they want when they are left.

use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
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

/// A text field.
#[component]
pub fn Field(props: &FieldProps) -> Html {
    let onchange = props.onchange.reform(|event: Event| {
        let input = event
            .target()
            .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        input.map_or_else(String::new, |input| input.value().trim().to_string())
    });
    html! {
        <label class="field-row">
            <span>{ props.label.clone() }</span>
            <span class="field-box">
                <input class="field" type="text" inputmode={if props.is_number { "numeric" } else { "text" }} spellcheck="false" autocomplete="off"
                    value={props.value.clone()} placeholder={props.placeholder.clone()} {onchange} />
                if !props.unit.is_empty() { <span class="unit">{ props.unit.clone() }</span> }
            </span>
        </label>
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
        let select = event
            .target()
            .and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
        select.map_or_else(String::new, |select| select.value())
    });
    html! {
        <label class="field-row">
            <span>{ props.label.clone() }</span>
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
