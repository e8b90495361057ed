//! Two runs of the same history above each other, and what differs in numbers.

use super::Ticks;
use super::ownership::OwnershipRows;
use crate::page::context::{send, use_dispatch, use_text};
use crate::page::i18n::{Catalogue, Language};
use crate::page::inspector::{ChoiceField, Field};
use crate::page::store::{About, Intent};
use crate::scenario::Text;
use crate::view::GroupId;
use crate::view::compare::{Change, ComparePanel, Comparison, Difference, config_names};
use std::rc::Rc;
use yew::prelude::*;

const STRATEGY: &str = "partition.assignment.strategy";
const ASSIGNORS: [&str; 4] = ["range", "roundrobin", "sticky", "cooperative-sticky"];

/// What it shows.
#[derive(PartialEq, Properties)]
pub struct CompareViewProps {
    /// The view.
    pub panel: Rc<ComparePanel>,
    /// The scenario.
    pub about: Rc<About>,
}

/// What to compare with, and the comparison.
#[component]
pub fn CompareView(props: &CompareViewProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let change = props
        .panel
        .comparison
        .as_ref()
        .map(|one| one.change.clone());
    html! {
        <div class="compare">
            if let Some(comparison) = &props.panel.comparison {
                <div class="compare-bar">
                    <button class="button" onclick={send(&dispatch, Intent::RunToEnd)}>{ t.case().to_end }</button>
                    <button class="button plain" onclick={send(&dispatch, Intent::Compare(None))}>{ t.case().stop_comparing }</button>
                </div>
                <Runs comparison={comparison.clone()} about={props.about.clone()} />
            } else {
                <p class="quiet">{ t.case().compare_lead }</p>
            }
            if let Some(readers) = &props.panel.readers {
                <Choices group={readers.group().cloned()} about={props.about.clone()} {change} />
            }
        </div>
    }
}

/// What can be otherwise.
#[derive(PartialEq, Properties)]
struct ChoicesProps {
    /// `None`: a consumer without one, whose run has nothing of a group to change.
    group: Option<GroupId>,
    about: Rc<About>,
    /// What is otherwise now.
    change: Option<Change>,
}

#[component]
fn Choices(props: &ChoicesProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let language = use_context::<Language>().unwrap_or_default();
    let choice = |change: Change, text: String| {
        let is_chosen = props.change.as_ref() == Some(&change);
        html! {
            <button class="button" aria-pressed={is_chosen.to_string()} onclick={send(&dispatch, Intent::Compare(Some(change)))}>{ text }</button>
        }
    };
    let variants = props.about.variants.iter();
    let variants: Vec<&(Rc<str>, Text)> = variants
        .filter(|(name, _)| Some(name) != props.about.variant.as_ref())
        .collect();
    let assignor = |group: &GroupId, name: &'static str| Change::Consumers {
        group: group.clone(),
        name: STRATEGY.into(),
        value: name.into(),
    };
    html! {
        <dl class="choices">
            if !variants.is_empty() {
                <dt>{ t.case().variant }</dt>
                <dd>{ for variants.into_iter().map(|(name, title)| choice(Change::Variant(name.clone()), language.of(title))) }</dd>
            }
            if let Some(group) = &props.group {
            <dt>{ t.case().assignor }</dt>
            <dd>{ for ASSIGNORS.into_iter().map(|name| choice(assignor(group, name), name.to_string())) }</dd>
            <dt>{ t.case().membership }</dt>
            <dd>
                { choice(Change::StaticMembers(group.clone()), t.case().all_static.to_string()) }
                { choice(Change::DynamicMembers(group.clone()), t.case().all_dynamic.to_string()) }
                { choice(Change::OneMore(group.clone()), t.case().one_more.to_string()) }
            </dd>
            <dt>{ t.case().config }</dt>
            <dd><ConfigChoice group={group.clone()} /></dd>
            }
        </dl>
    }
}

/// Of which group.
#[derive(PartialEq, Properties)]
struct ConfigChoiceProps {
    group: GroupId,
}

/// A configuration with another value, for all consumers or all brokers.
#[component]
fn ConfigChoice(props: &ConfigChoiceProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let name = use_state(|| AttrValue::from("session.timeout.ms"));
    let value = use_state(String::new);
    let (of_consumers, of_brokers) = config_names();
    let is_brokers = of_brokers.contains(&name.as_str());
    let options = of_consumers
        .iter()
        .map(|name| (*name, t.case().of_consumers))
        .chain(of_brokers.iter().map(|name| (*name, t.case().of_brokers)))
        .map(|(name, of)| (name.into(), format!("{name} ({of})").into()))
        .collect::<Vec<(AttrValue, AttrValue)>>();
    let wanted = {
        let (name, value) = (
            Rc::<str>::from(name.as_str()),
            Rc::<str>::from(value.as_str()),
        );
        if is_brokers {
            Change::Brokers { name, value }
        } else {
            let group = props.group.clone();
            Change::Consumers { group, name, value }
        }
    };
    let choose = {
        let name = name.clone();
        Callback::from(move |chosen: String| name.set(chosen.into()))
    };
    let enter = {
        let value = value.clone();
        Callback::from(move |entered: String| value.set(entered))
    };
    html! {
        <div class="config-choice">
            <ChoiceField label={t.case().config_name} value={(*name).clone()} {options} onchange={choose} />
            <Field label={t.case().value} value={(*value).clone()} placeholder={t.case().as_default} onchange={enter} />
            <button class="button" onclick={send(&dispatch, Intent::Compare(Some(wanted)))}>{ t.case().compare }</button>
        </div>
    }
}

/// What differs, in words.
fn change_text(t: &Catalogue, language: Language, about: &About, change: &Change) -> String {
    let config = |name: &str, value: &str| {
        let value = if value.is_empty() {
            t.case().as_default
        } else {
            value
        };
        (t.case().config_is)(name, value)
    };
    match change {
        Change::Variant(name) => {
            let mut variants = about.variants.iter();
            let found = variants.find(|(one, _)| one == name);
            found.map_or_else(|| name.to_string(), |(_, title)| language.of(title))
        }
        Change::Consumers { name, value, .. } if &**name == STRATEGY => value.to_string(),
        Change::Consumers { name, value, .. } | Change::Brokers { name, value } => {
            config(name, value)
        }
        Change::StaticMembers(_) => t.case().all_static.to_string(),
        Change::DynamicMembers(_) => t.case().all_dynamic.to_string(),
        Change::OneMore(_) => t.case().one_more.to_string(),
    }
}

/// Which runs.
#[derive(PartialEq, Properties)]
struct RunsProps {
    comparison: Rc<Comparison>,
    about: Rc<About>,
}

#[component]
fn Runs(props: &RunsProps) -> Html {
    let t = use_text();
    let language = use_context::<Language>().unwrap_or_default();
    let one = &props.comparison;
    let change = change_text(t, language, &props.about, &one.change);
    let mut variants = props.about.variants.iter();
    let own = variants.find(|(name, _)| Some(name) == props.about.variant.as_ref());
    let own = own.map_or_else(
        || t.case().this_run.to_string(),
        |(_, title)| format!("{}: {}", t.case().this_run, language.of(title)),
    );
    let other = (t.case().other_run)(&change);
    let apart = one.differences.iter().filter_map(|row| row.apart);
    let apart: Rc<[i64]> = apart.map(|(_, place)| place).collect();
    html! {
        <>
            <div class="compare-strips" style={format!("--now:{}", one.now)}>
                <h2>{ own.clone() }</h2>
                <figure class="over-time" aria-label={(t.case().strip_text)(&own)}>
                    <OwnershipRows bands={one.ours.bands.clone()} rows={one.ours.rows.clone()} marks={apart.clone()} now={one.now} />
                </figure>
                <h2>{ other.clone() }</h2>
                <figure class="over-time" aria-label={(t.case().strip_text)(&other)}>
                    <OwnershipRows bands={one.theirs.bands.clone()} rows={one.theirs.rows.clone()} marks={apart} now={one.now} />
                </figure>
                <Ticks axis={one.axis} />
                <p class="over-sum">
                    <span class="key owned">{ t.key_owned }</span>
                    <span class="key nobody">{ t.key_unowned }</span>
                    <span class="key paused">{ t.key_paused }</span>
                    if let Some(behind) = one.behind { <span role="status">{ (t.case().is_behind)((t.clock)(behind)) }</span> }
                </p>
            </div>
            { for one.refused.iter().map(|act| html! { <p class="note">{ (t.case().refused_there)(act) }</p> }) }
            <div class="compare-scroll">
                <table class="figures differences">
                    <caption>{ (t.case().counted_until)((t.clock)(one.until)) }</caption>
                    <thead><tr>
                        <td></td><th class="right">{ t.case().here }</th><th class="right">{ t.case().there }</th>
                        <th class="right">{ t.case().difference }</th><td></td>
                    </tr></thead>
                    <tbody>{ for one.differences.iter().map(|row| html! {
                        <DifferenceRow key={format!("{:?}", row.quantity)} row={*row} is_behind={one.behind.is_some()} />
                    }) }</tbody>
                </table>
            </div>
        </>
    }
}

/// Which quantity.
#[derive(PartialEq, Properties)]
struct DifferenceRowProps {
    row: Difference,
    /// The other number is not final.
    is_behind: bool,
}

#[component]
fn DifferenceRow(props: &DifferenceRowProps) -> Html {
    let t = use_text();
    let dispatch = use_dispatch();
    let row = props.row;
    let number = |number: i64| match row.quantity.is_time() {
        true => (t.case().length)(number),
        false => (t.count)(number),
    };
    let by = row.theirs - row.ours;
    let difference = match by {
        0 => t.case().equal.to_string(),
        more if more > 0 => format!("+{}", number(more)),
        less => format!("−{}", number(-less)),
    };
    let what = (t.case().quantity)(row.quantity);
    let go = |intent: Intent, label: String, text: String| {
        html! { <button class="link" aria-label={label} onclick={send(&dispatch, intent)}>{ text }</button> }
    };
    html! {
        <tr data-quantity={format!("{:?}", row.quantity)} data-same={(by == 0).to_string()}>
            <th scope="row">{ what.clone() }</th>
            <td class="right">{ number(row.ours) }</td>
            <td class="right">{ number(row.theirs) }</td>
            <td class="right" data-strong={(by != 0).to_string()}>{ difference }</td>
            <td>{ match row.apart {
                Some((at, _)) => go(Intent::Seek(at), (t.case().apart_at)(&what, (t.clock)(at)), (t.clock)(at)),
                None if by == 0 || props.is_behind => Html::default(),
                None => go(Intent::FindApart(row.quantity), (t.case().find_apart)(&what), t.case().where_apart.to_string()),
            } }</td>
        </tr>
    }
}
