//! The stage where there is much on it: a cell per partition, a line per member.
//!
//! Nothing is lost by it: the chosen partition still has its lane, the chosen member its acts, and everything can
//! be chosen by mouse, touch and keyboard.

use super::cluster::OwnerLetter;
use super::member::{Acts, life_name};
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::store::Intent;
use crate::view::Selection;
use crate::view::stage::{Cell, Group, Member, Owner};
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// Cells that an arrow up or down goes.
const LEAP: usize = 10;

/// Which partitions.
#[derive(PartialEq, Properties)]
pub struct CellsProps {
    /// Whose they are, for who cannot see where they stand.
    pub label: AttrValue,
    /// The start of the cells' ids, unlike any other on the page.
    pub id: AttrValue,
    /// By topic and number.
    pub cells: Rc<[Cell]>,
}

/// A cell per partition. It takes the focus as a whole; arrows go from cell to cell, Enter chooses one.
#[component]
pub fn Cells(props: &CellsProps) -> Html {
    let dispatch = use_dispatch();
    let cursor = use_state(|| 0_usize);
    let cells = &props.cells;
    let at = (*cursor).min(cells.len().saturating_sub(1));
    let choose = {
        let (cells, dispatch) = (cells.clone(), dispatch.clone());
        move |place: usize| {
            if let Some(cell) = cells.get(place) {
                dispatch.emit(Intent::Select(Selection::Partition(cell.partition.clone())));
            }
        }
    };
    let onclick = {
        let (cursor, choose) = (cursor.clone(), choose.clone());
        Callback::from(move |event: MouseEvent| {
            let target = event.target_dyn_into::<Element>();
            let place = target.and_then(|target| target.get_attribute("data-place"));
            if let Some(place) = place.and_then(|place| place.parse().ok()) {
                cursor.set(place);
                choose(place);
            }
        })
    };
    let onkeydown = {
        let (cursor, last) = (cursor.clone(), cells.len().saturating_sub(1));
        Callback::from(move |event: KeyboardEvent| {
            let next = match event.key().as_str() {
                "ArrowRight" => at + 1,
                "ArrowLeft" => at.saturating_sub(1),
                "ArrowDown" => at + LEAP,
                "ArrowUp" => at.saturating_sub(LEAP),
                "Home" => 0,
                "End" => last,
                "Enter" | " " => {
                    choose(at);
                    at
                }
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            cursor.set(next.min(last));
        })
    };
    let id = |place: usize| format!("{}-{place}", props.id);
    html! {
        <div class="cells" role="listbox" tabindex="0" aria-label={props.label.clone()} aria-activedescendant={id(at)} {onclick} {onkeydown}>
            { for cells.iter().enumerate().map(|(place, cell)| html! {
                <CellView key={place} id={id(place)} {place} cell={cell.clone()} is_cursor={place == at} />
            }) }
        </div>
    }
}

/// Which cell.
#[derive(PartialEq, Properties)]
struct CellViewProps {
    id: AttrValue,
    place: usize,
    cell: Cell,
    is_cursor: bool,
}

#[component]
fn CellView(props: &CellViewProps) -> Html {
    let t = use_text();
    let cell = &props.cell;
    let holder = cell
        .holder
        .as_ref()
        .map_or(t.unowned, |holder| holder.as_str());
    let title = format!("{}: {holder}", cell.partition);
    let colour = cell
        .owner
        .map_or_else(|| "none".to_string(), |owner| owner.colour().to_string());
    let letter = cell.owner.map(Owner::letter);
    let name = match &letter {
        Some(letter) => format!("{letter}, {title}"),
        None => title.clone(),
    };
    html! {
        <span role="option" class="cell" id={props.id.clone()} data-place={props.place.to_string()} data-colour={colour}
            data-cursor={props.is_cursor.to_string()} aria-selected={cell.is_selected.to_string()}
            aria-label={name} {title}>{ letter }</span>
    }
}

/// Which group.
#[derive(PartialEq, Properties)]
pub struct CrowdProps {
    /// The group.
    pub group: Rc<Group>,
}

/// A line per member.
#[component]
pub fn Crowd(props: &CrowdProps) -> Html {
    html! {
        <ul class="members crowd">
            { for props.group.members.iter().map(|member| html! {
                <Line key={member.actor.as_str()} member={member.clone()} />
            }) }
        </ul>
    }
}

/// Which member.
#[derive(PartialEq, Properties)]
struct LineProps {
    member: Rc<Member>,
}

/// Who, in which state, with how many partitions; when it is chosen, what may be done to it.
#[component]
fn Line(props: &LineProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let member = &props.member;
    let select = send(
        &dispatch,
        Intent::Select(Selection::Client(member.actor.clone())),
    );
    html! {
        <li class="thing line" data-party={format!("client:{}", member.actor)} data-life={life_name(member.life)}
            data-selected={member.is_selected.to_string()}>
            <OwnerLetter owner={Some(member.owner)} />
            <button class="name" onclick={select}>{ member.actor.as_str() }</button>
            if member.is_leader { <span class="badge">{ t.leader }</span> }
            <span class="phase">{ (t.member_status)(member) }</span>
            <span class="number" title={t.owned_partitions}>{ member.partitions.len() }</span>
            if member.is_selected { <Acts member={member.clone()} /> }
        </li>
    }
}
