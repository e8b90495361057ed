//! A message taken apart: its fields, and its bytes, each lighting up the other.

use super::clipboard::{copy, when_said};
use super::context::use_text;
use super::i18n::MessagesTexts;
use crate::view::messages::fields::{Decoded, FIELDS_MOST, Field, Value};
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// Bytes in a line.
const LINE_BYTES: usize = 8;
/// Bytes that are shown at first, and at each further wish.
const SHOWN_BYTES: usize = 512;

/// What is taken apart.
#[derive(PartialEq, Properties)]
pub struct AnatomyProps {
    /// The message.
    pub decoded: Rc<Decoded>,
    /// Begins the ids of its elements, which must differ on the page.
    pub name: &'static str,
}

/// Fields and bytes.
#[component]
pub fn Anatomy(props: &AnatomyProps) -> Html {
    let t = use_text().messages();
    let decoded = &props.decoded;
    let chosen = use_state(|| None::<usize>);
    let pointed = use_state(|| None::<usize>);
    let shown_bytes = use_state(|| SHOWN_BYTES);
    let bytes_node = use_node_ref();
    let lit = pointed.or(*chosen);
    let lit_bytes = lit
        .and_then(|place| decoded.fields.get(place))
        .map(|field| (field.start, field.end));
    {
        let node = bytes_node.clone();
        let first_line = chosen
            .and_then(|place| decoded.fields.get(place))
            .map(|field| field.start / LINE_BYTES);
        use_effect_with(first_line, move |line| {
            if let Some(line) = line {
                reveal(&node, &format!("[data-line=\"{line}\"]"));
            }
        });
    }
    let choose = {
        let chosen = chosen.clone();
        Callback::from(move |place: Option<usize>| chosen.set(place))
    };
    let point = {
        let pointed = pointed.clone();
        Callback::from(move |place: Option<usize>| {
            if *pointed != place {
                pointed.set(place);
            }
        })
    };
    let at_pointer = |then: &Callback<Option<usize>>| {
        let (decoded, then) = (decoded.clone(), then.clone());
        Callback::from(move |event: MouseEvent| {
            if let Some(at) = byte_under(&event) {
                then.emit(decoded.field_at(at));
            }
        })
    };
    let leave = point.reform(|_: MouseEvent| None);
    let shown = decoded.bytes.len().min(*shown_bytes);
    let left = decoded.bytes.len() - shown;
    let more = {
        let shown_bytes = shown_bytes.clone();
        Callback::from(move |_: MouseEvent| shown_bytes.set(*shown_bytes + 8 * SHOWN_BYTES))
    };
    html! {
        <div class="anatomy">
            if let Some(problem) = &decoded.problem { <p class="anatomy-problem" role="note">{ (t.unreadable)(problem) }</p> }
            <Tree decoded={decoded.clone()} name={props.name} {lit} chosen={*chosen} {choose} {point} />
            <div class="anatomy-head"><h3>{ t.bytes_of_message }</h3><CopyHex decoded={decoded.clone()} /></div>
            <div class="bytes" ref={bytes_node} tabindex="0" role="group" aria-label={t.bytes_of_message}
                onclick={at_pointer(&Callback::from({ let chosen = chosen.clone(); move |place| chosen.set(place) }))}
                onmouseover={at_pointer(&Callback::from({ let pointed = pointed.clone(); move |place| pointed.set(place) }))} onmouseleave={leave}>
                { for (0..shown.div_ceil(LINE_BYTES)).map(|line| {
                    let (start, end) = (line * LINE_BYTES, (line + 1) * LINE_BYTES);
                    let lit = lit_bytes.map(|(from, to)| (from.clamp(start, end) - start, to.clamp(start, end) - start));
                    html! { <Line key={line} decoded={decoded.clone()} {line} lit={lit.filter(|(from, to)| from < to)} /> }
                }) }
            </div>
            if left > 0 { <button class="button" onclick={more}>{ (t.more_bytes)(left) }</button> }
        </div>
    }
}

/// The byte that a pointer is over.
fn byte_under(event: &MouseEvent) -> Option<usize> {
    let target = event.target_dyn_into::<Element>()?;
    target.get_attribute("data-at")?.parse().ok()
}

/// Scrolls a box so that something in it is in sight, and nothing else.
pub fn reveal(node: &NodeRef, selector: &str) -> Option<()> {
    let holder = node.cast::<HtmlElement>()?;
    let wanted = holder.query_selector(selector).ok()??;
    let (outer, inner) = (
        holder.get_bounding_client_rect(),
        wanted.get_bounding_client_rect(),
    );
    let over = inner.bottom() - outer.bottom();
    let under = inner.top() - outer.top();
    if over > 0.0 || under < 0.0 {
        let by = if over > 0.0 { over + 8.0 } else { under - 8.0 };
        // Whole pixels are what a scroll position is made of.
        holder.set_scroll_top(holder.scroll_top() + by as i32);
    }
    Some(())
}

/// What the tree shows.
#[derive(PartialEq, Properties)]
struct TreeProps {
    decoded: Rc<Decoded>,
    name: &'static str,
    lit: Option<usize>,
    chosen: Option<usize>,
    choose: Callback<Option<usize>>,
    point: Callback<Option<usize>>,
}

/// The fields, what holds others above them. Arrow keys go from field to field.
#[component]
fn Tree(props: &TreeProps) -> Html {
    let t = use_text().messages();
    let node = use_node_ref();
    let fields = &props.decoded.fields;
    let id = |place: usize| format!("{}-field-{place}", props.name);
    {
        let node = node.clone();
        let wanted = props.lit.map(id);
        use_effect_with(wanted, move |wanted| {
            if let Some(wanted) = wanted {
                reveal(&node, &format!("#{wanted}"));
            }
        });
    }
    let onkeydown = {
        let (choose, chosen, last) = (
            props.choose.clone(),
            props.chosen,
            fields.len().saturating_sub(1),
        );
        Callback::from(move |event: KeyboardEvent| {
            let next = match event.key().as_str() {
                "ArrowDown" => chosen.map_or(0, |place| (place + 1).min(last)),
                "ArrowUp" => chosen.unwrap_or(0).saturating_sub(1),
                "Home" => 0,
                "End" => last,
                _ => return,
            };
            event.prevent_default();
            choose.emit(Some(next));
        })
    };
    html! {
        <>
            <div class="anatomy-head"><h3>{ t.fields }</h3></div>
            <div class="fields" ref={node} role="tree" tabindex="0" aria-label={t.fields} aria-activedescendant={props.chosen.map(id)} {onkeydown}>
                { for fields.iter().enumerate().map(|(place, field)| html! {
                    <Leaf key={place} id={id(place)} field={field.clone()} {place} is_lit={props.lit == Some(place)} is_chosen={props.chosen == Some(place)}
                        choose={props.choose.clone()} point={props.point.clone()} />
                }) }
            </div>
            if fields.len() >= FIELDS_MOST { <p class="caps">{ (t.first_fields)(FIELDS_MOST) }</p> }
        </>
    }
}

/// Which field.
#[derive(PartialEq, Properties)]
struct LeafProps {
    id: String,
    field: Field,
    place: usize,
    is_lit: bool,
    is_chosen: bool,
    choose: Callback<Option<usize>>,
    point: Callback<Option<usize>>,
}

#[component]
fn Leaf(props: &LeafProps) -> Html {
    let t = use_text().messages();
    let (field, place) = (&props.field, props.place);
    let onclick = props.choose.reform(move |_: MouseEvent| Some(place));
    let onmouseenter = props.point.reform(move |_: MouseEvent| Some(place));
    let onmouseleave = props.point.reform(|_: MouseEvent| None);
    let name = match field.index {
        Some(index) => format!("{}[{index}]", field.name),
        None => field.name.to_string(),
    };
    html! {
        <div class="leaf" role="treeitem" id={props.id.clone()} aria-level={(field.depth + 1).to_string()} aria-selected={props.is_chosen.to_string()}
            data-lit={props.is_lit.to_string()} data-depth={field.depth.min(7).to_string()} {onclick} {onmouseenter} {onmouseleave}>
            <span>{ name }</span><b>{ value_text(t, &field.value) }</b>
        </div>
    }
}

fn value_text(t: &MessagesTexts, value: &Value) -> String {
    match value {
        Value::Parts => String::new(),
        Value::Number(number) => number.to_string(),
        Value::Api(api) => format!("{} {}", api.key(), api.name()),
        Value::Error(error) => format!("{} {}", error.code(), error.name()),
        Value::Text(text) => format!("\"{text}\""),
        Value::Null => "null".to_string(),
        Value::Bytes(count) => (t.byte_count)(*count),
        Value::Uuid(digits) => digits.to_string(),
        Value::Count(count) => (t.elements)(*count),
        Value::Tags(count) => count.to_string(),
        Value::Hex(number) => format!("0x{number:08x}"),
    }
}

/// Which line of bytes, and which of them are lit.
#[derive(PartialEq, Properties)]
struct LineProps {
    decoded: Rc<Decoded>,
    line: usize,
    lit: Option<(usize, usize)>,
}

#[component]
fn Line(props: &LineProps) -> Html {
    let start = props.line * LINE_BYTES;
    let bytes = props.decoded.bytes.iter().skip(start).take(LINE_BYTES);
    let is_lit = |place: usize| {
        let lit = props
            .lit
            .is_some_and(|(from, to)| (from..to).contains(&place));
        lit.then_some("true")
    };
    let character = |byte: u8| match byte {
        0x20..=0x7e => char::from(byte),
        _ => '·',
    };
    html! {
        <div class="byte-line" data-line={props.line.to_string()}>
            <span class="byte-offset">{ format!("{start:04x}") }</span>
            <span class="byte-hex">{ for bytes.clone().enumerate().map(|(place, byte)| html! {
                <i data-at={(start + place).to_string()} data-lit={is_lit(place)}>{ format!("{byte:02x}") }</i>
            }) }</span>
            <span class="byte-text" aria-hidden="true">{ for bytes.enumerate().map(|(place, byte)| html! {
                <i data-at={(start + place).to_string()} data-lit={is_lit(place)}>{ character(*byte) }</i>
            }) }</span>
        </div>
    }
}

/// What is copied.
#[derive(PartialEq, Properties)]
struct CopyHexProps {
    decoded: Rc<Decoded>,
}

/// What became of the wish to copy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copying {
    NotYet,
    Copied,
    ByHand,
}

/// Puts the bytes onto the clipboard; where that is not allowed, shows them.
#[component]
fn CopyHex(props: &CopyHexProps) -> Html {
    let t = use_text().messages();
    let state = use_state(|| Copying::NotYet);
    let onclick = {
        let (state, decoded) = (state.clone(), props.decoded.clone());
        Callback::from(move |_: MouseEvent| {
            let (state, decoded) = (state.clone(), decoded.clone());
            spawn_local(async move {
                let is_done = copy(&decoded.hex()).await.is_some();
                if is_done {
                    state.set(Copying::Copied);
                    when_said(move || state.set(Copying::NotYet));
                } else {
                    state.set(Copying::ByHand);
                }
            });
        })
    };
    html! {
        <>
            <span class="caps" role="status">{ if *state == Copying::Copied { t.copied } else { "" } }</span>
            <button class="button" {onclick}>{ t.copy_hex }</button>
            if *state == Copying::ByHand {
                <label class="by-hand">{ t.copy_by_hand }<textarea class="field" readonly=true rows="4" value={props.decoded.hex()} /></label>
            }
        </>
    }
}
