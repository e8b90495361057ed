//! Partitions in a cell: runs of one topic, in the order of Kafka's list.

use super::{CHIPS_SHOWN, CHIPS_SHOWN_OF_MANY, ROWS_SHOWN};
use crate::page::context::use_text;
use crate::view::lab::{Arrival, LabGroup, Placed, Places};
use std::rc::Rc;
use yew::prelude::*;

/// A partition, and how it stands.
#[derive(Clone, PartialEq)]
pub struct ChipMark {
    /// Which, by place.
    pub partition: usize,
    /// A word for the style sheet.
    pub kind: &'static str,
    /// The member whose letter is beside it, by place.
    pub beside: Option<usize>,
    /// What it says when pointed at, and to those who do not see it.
    pub text: String,
    /// The step is about it.
    pub is_in_focus: bool,
}

/// Which chips.
#[derive(PartialEq, Properties)]
pub struct ChipsProps {
    /// The group.
    pub group: Rc<LabGroup>,
    /// The chips.
    pub chips: Vec<ChipMark>,
}

/// The chips; of many the first, and always those that the step is about.
#[component]
pub fn Chips(props: &ChipsProps) -> Html {
    let t = use_text();
    let group = &props.group;
    let places = group.places();
    let has_topics = group.topics.len() > 1;
    let chips = &props.chips;
    let most = if group.members.len() > ROWS_SHOWN {
        CHIPS_SHOWN_OF_MANY
    } else {
        CHIPS_SHOWN
    };
    let (shown, more) = match chips.len() {
        count if count > most + 2 => (most, count - most),
        count => (count, 0),
    };
    let late = chips.iter().skip(shown).filter(|chip| chip.is_in_focus);
    let mut last = None;
    let drawn: Vec<Html> = chips
        .iter()
        .take(shown)
        .chain(late)
        .map(|chip| {
            let (topic, _) = places.topic_and_number(chip.partition);
            let heading = (has_topics && last != Some(topic)).then(|| group.topics.get(topic));
            last = Some(topic);
            html! {
                <>
                    if let Some(Some(topic)) = heading { <span class="lab-topic">{ topic.name.as_str() }</span> }
                    { chip_view(group, &places, chip) }
                </>
            }
        })
        .collect();
    html! {
        <span class="lab-chips">
            { for drawn }
            if more > 0 { <span class="caps">{ (t.lab().more)(more) }</span> }
        </span>
    }
}

fn chip_view(group: &LabGroup, places: &Places, chip: &ChipMark) -> Html {
    let (_, number) = places.topic_and_number(chip.partition);
    let beside = chip.beside.and_then(|place| group.members.get(place));
    let name = places.partition(chip.partition).to_string();
    let title = if chip.text.is_empty() {
        name
    } else {
        format!("{name}, {}", chip.text)
    };
    html! {
        <span class="lab-chip" data-kind={chip.kind} data-focus={chip.is_in_focus.to_string()} {title}>
            { number }
            if let Some(member) = beside {
                <small data-colour={member.owner.colour().to_string()} aria-hidden="true">{ member.owner.letter() }</small>
            }
            if !chip.text.is_empty() { <span class="hidden-text">{ format!(" ({})", chip.text) }</span> }
        </span>
    }
}

/// A partition that has arrived where it belongs.
pub fn placed(placed: &Placed, group: &LabGroup, texts: &crate::page::i18n::LabTexts) -> ChipMark {
    let id = |place: usize| {
        let member = group.members.get(place);
        member.map_or("", |member| member.member_id.as_str())
    };
    let (kind, beside, mut text) = match placed.arrival {
        Arrival::Kept => ("kept", None, String::new()),
        Arrival::New => ("new", None, String::new()),
        Arrival::Moved { from } => ("moved", Some(from), (texts.from)(id(from))),
    };
    if placed.round > 1 {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&(texts.in_round)(placed.round));
    }
    ChipMark {
        partition: placed.partition,
        kind: if placed.round > 1 { "later" } else { kind },
        beside,
        text,
        is_in_focus: false,
    }
}
