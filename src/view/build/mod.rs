//! Building the view: world, ledgers and choice in, plain structs out.
//!
//! Parts that did not change keep their `Rc`: each is built, compared with the one before, and dropped
//! in its favour if equal.

mod compare;
mod deliveries;
mod inspect;
mod lab;
mod log;
mod messages;
mod panels;
mod stage;
mod table;
mod why;

pub use compare::token;
pub use messages::capture_file;

use super::compare::Quantity;
use super::event::{Event, Level, level_in};
use super::inspect::Inspector;
use super::messages::Wish;
use super::panel::{EventFilter, Panel, Tab, TableKind, Window};
use super::stage::Owner;
use super::timebar::TimeBar;
use super::{
    ActorName, BrokerId, Duration, FactId, GroupId, Instant, Looked, Offset, TopicName,
    TopicPartition, View,
};
use crate::kafka::sorted::SortedMap;
use crate::ledger::{GroupLedger, Life, Readers};
use crate::session::{Chronicle, Rival, Sums};
use crate::world::{Role, World};
use std::rc::Rc;

/// A thing on the stage, or an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Selection {
    /// A consumer or producer.
    Client(ActorName),
    /// A broker.
    Broker(BrokerId),
    /// A partition.
    Partition(TopicPartition),
    /// A topic.
    Topic(TopicName),
    /// A group.
    Group(GroupId),
    /// An event.
    Event(FactId),
    /// A request, or the answer to it.
    Message {
        /// Number of the exchange.
        exchange: u64,
        /// Whether it is the answer.
        is_answer: bool,
    },
    /// A record.
    Record {
        /// Where.
        partition: TopicPartition,
        /// Which.
        offset: Offset,
    },
}

/// What a person chose to see.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Choice {
    /// The thing in the inspector.
    pub selection: Option<Selection>,
    /// The open view.
    pub tab: Tab,
    /// What the event log shows.
    pub filter: EventFilter,
    /// What the group table shows.
    pub table: TableKind,
    /// Speed in thousandths of real time.
    pub speed_milli: u32,
    /// What is to be seen of the messages.
    pub messages: Rc<Wish>,
    /// Which stretch of time the ledger counts.
    pub window: Window,
    /// The partition that the ledger counts alone.
    pub ledger_of: Option<TopicPartition>,
    /// Where quantities came apart in the runs that are compared, of those that were asked for.
    pub apart: SortedMap<Quantity, Instant>,
}

/// What a view is built from.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The engine.
    pub world: &'a World,
    /// Ledgers and scene at the same instant.
    pub sums: &'a Sums,
    /// The facts, also those after this instant.
    pub chronicle: &'a Chronicle,
    /// The run beside this one, if one is compared with.
    pub rival: Option<&'a Rival>,
    /// The life of the record that is chosen.
    pub life: Option<&'a Life>,
    /// The beginning of the window that the ledger counts, and what had been counted then.
    pub past: Option<(Instant, &'a Sums)>,
    /// Its end, and what had been counted then. `None`: it ends at this instant.
    pub past_end: Option<(Instant, &'a Sums)>,
}

/// What several parts need: who has which letter, and what partitions are called.
struct Names {
    owners: SortedMap<ActorName, Owner>,
    has_one_topic: bool,
}

impl Names {
    fn of(world: &World) -> Names {
        let consumers = world
            .actors()
            .filter(|actor| matches!(actor.role, Role::Consumer { .. } | Role::Stopped { .. }));
        let topics = world.cluster().topics.values();
        Names {
            owners: consumers
                .enumerate()
                .map(|(place, actor)| (actor.name.clone(), Owner(place)))
                .collect(),
            has_one_topic: topics.filter(|topic| !topic.is_internal).count() <= 1,
        }
    }

    fn label(&self, partition: &TopicPartition) -> Rc<str> {
        if self.has_one_topic {
            partition.partition.to_string().into()
        } else {
            partition.to_string().into()
        }
    }
}

impl<'a> Sources<'a> {
    fn now(self) -> Instant {
        self.world.now()
    }

    /// Whose reading is looked at: the chosen group's, that of the chosen consumer (of its group, if it has one),
    /// or the first.
    fn readers(self, choice: &Choice) -> Option<(Readers, &'a GroupLedger)> {
        let of_client = |actor: &ActorName| {
            let client = self.sums.scene.clients.get(actor)?;
            client.membership.as_deref().map(Readers::of)
        };
        let chosen = match &choice.selection {
            Some(Selection::Group(group)) => Some(Readers::Group(group.clone())),
            Some(Selection::Client(actor)) => of_client(actor),
            _ => None,
        };
        let ledger = &self.sums.ledger;
        let found = chosen.and_then(|chosen| Some((ledger.share(&chosen)?, chosen)));
        match found {
            Some((share, chosen)) => Some((chosen, share)),
            None => ledger
                .shares()
                .next()
                .map(|(readers, share)| (readers.clone(), share)),
        }
    }
}

/// The old part if it equals the new one.
fn keep<T: PartialEq>(before: &Rc<T>, new: T) -> Rc<T> {
    if **before == new {
        before.clone()
    } else {
        Rc::new(new)
    }
}

/// The entry of the list before that is wanted: most are where they were.
fn old_place<T>(before: &[Rc<T>], place: usize, is_wanted: impl Fn(&T) -> bool) -> Option<&Rc<T>> {
    let same = before.get(place).filter(|old| is_wanted(old));
    same.or_else(|| before.iter().find(|old| is_wanted(old)))
}

/// The old list if it equals the new one; else a new one that keeps its equal entries.
fn keep_list<T: PartialEq>(
    before: &Rc<[Rc<T>]>,
    is_same: impl Fn(&T, &T) -> bool,
    new: impl Iterator<Item = T>,
) -> Rc<[Rc<T>]> {
    let mut has_changed = false;
    let list: Vec<Rc<T>> = new
        .enumerate()
        .map(
            |(place, new)| match old_place(before, place, |old| is_same(old, &new)) {
                Some(old) if **old == new => old.clone(),
                _ => {
                    has_changed = true;
                    Rc::new(new)
                }
            },
        )
        .collect();
    let is_order_kept = list.len() == before.len()
        && list
            .iter()
            .zip(before.iter())
            .all(|(new, old)| Rc::ptr_eq(new, old));
    if is_order_kept && !has_changed {
        before.clone()
    } else {
        list.into()
    }
}

/// How long the last turn of events is news, in real µs.
const QUIET_AFTER_US: i64 = 6_000_000;
/// Facts that are searched for the last turn of events, if none is known yet.
const CAPTION_REACH: usize = 40_000;

/// Builds the open view after the one before.
pub type PanelBuilder = fn(Sources<'_>, &Choice, &Panel) -> Panel;
/// Builds the inspector after the one before.
pub type InspectorBuilder = fn(Sources<'_>, &Choice, &Inspector) -> Inspector;

/// What builds those parts of the view that the first picture does without. The page fetches them when they
/// are needed; until then, what was there before stays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Builders {
    /// Of all views but ownership over time and the lab.
    pub panel: Option<PanelBuilder>,
    /// Of the assignor lab.
    pub lab: Option<PanelBuilder>,
    /// Of the inspector.
    pub inspector: Option<InspectorBuilder>,
}

impl Builders {
    /// All that there are.
    pub const ALL: Builders = Builders {
        panel: Some(build_panel),
        lab: Some(build_lab),
        inspector: Some(build_inspector),
    };
}

/// The open view, which is neither ownership over time nor the lab.
pub fn build_panel(sources: Sources<'_>, choice: &Choice, before: &Panel) -> Panel {
    panels::build(sources, choice, &Names::of(sources.world), before)
}

/// The assignor lab.
pub fn build_lab(sources: Sources<'_>, choice: &Choice, _: &Panel) -> Panel {
    let names = Names::of(sources.world);
    Panel::Lab(Rc::new(lab::running(sources, choice, &names)))
}

/// The inspector.
pub fn build_inspector(sources: Sources<'_>, choice: &Choice, before: &Inspector) -> Inspector {
    inspect::build(sources, choice, &Names::of(sources.world), before)
}

/// The view after `before`. The panel and the inspector are built only if `with_panel`: they need not follow
/// every frame.
pub fn build(
    sources: Sources<'_>,
    choice: &Choice,
    timebar: TimeBar,
    before: &View,
    with_panel: bool,
    builders: &Builders,
) -> View {
    let names = Names::of(sources.world);
    let caption = caption(sources, before);
    let quiet = Duration(QUIET_AFTER_US.saturating_mul(i64::from(choice.speed_milli)) / 1_000);
    let builder = match choice.tab {
        Tab::Ownership => None,
        Tab::Lab => builders.lab,
        _ => builders.panel,
    };
    let panel = match builder {
        _ if !with_panel => None,
        None if choice.tab == Tab::Ownership => Some(panels::ownership(sources, choice, &names)),
        builder => builder.map(|build| build(sources, choice, &before.panel)),
    };
    let inspector = match builders.inspector {
        _ if choice.selection.is_none() => Inspector::default(),
        Some(build) if with_panel => build(sources, choice, &before.inspector),
        _ => before.inspector.clone(),
    };
    View {
        stage: stage::build(sources, choice, &names, &before.stage),
        timebar: keep(&before.timebar, timebar),
        is_quiet: caption
            .as_ref()
            .is_none_or(|event| sources.now() - event.at > quiet),
        caption,
        looked: Looked(sources.sums.last),
        inspector,
        panel: panel
            .filter(|panel| *panel != before.panel)
            .unwrap_or_else(|| before.panel.clone()),
        jump: before.jump,
    }
}

/// The last turn of events up to now: one that is newer than the one before, or that one, or (after a
/// jump back) an older one.
fn caption(sources: Sources<'_>, before: &View) -> Option<Rc<Event>> {
    let last = sources.sums.last;
    let known = before.caption.as_ref().filter(|event| {
        let fact = sources.chronicle.fact(event.id);
        event.id <= last && fact.is_none_or(|fact| fact.at == event.at)
    });
    // What lies before the last look need not be looked through again, unless time went back since.
    let is_valid = known.is_some() || before.caption.is_none();
    let looked = Some(before.looked.0).filter(|looked| is_valid && *looked <= last);
    let since = looked
        .max(known.map(|event| event.id))
        .unwrap_or(FactId::BEGINNING);
    let mut newer = sources
        .chronicle
        .before(last)
        .take(CAPTION_REACH)
        .take_while(|fact| fact.id > since);
    let turn = newer.find(|fact| level_in(fact, sources.chronicle) >= Level::Turn);
    match turn {
        Some(fact) => Some(Rc::new(Event::of(
            fact,
            &sources.sums.scene,
            sources.chronicle,
        ))),
        None => known.cloned(),
    }
}

impl Panel {
    /// Whose reading is compared, if two runs are shown.
    pub fn compared(&self) -> Option<&Readers> {
        match self {
            Panel::Compare(panel) => panel.readers.as_ref(),
            _ => None,
        }
    }

    /// Which view it is.
    pub fn tab(&self) -> Tab {
        match self {
            Panel::Ownership(_) => Tab::Ownership,
            Panel::Lag(_) => Tab::Lag,
            Panel::Events(_) => Tab::Events,
            Panel::Deliveries(_) => Tab::Deliveries,
            Panel::Table(_) => Tab::Table,
            Panel::Words => Tab::Words,
            Panel::Compare(_) => Tab::Compare,
            Panel::Lab(_) => Tab::Lab,
            Panel::Messages(_) => Tab::Messages,
        }
    }
}
