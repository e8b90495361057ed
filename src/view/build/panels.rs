//! The open view of the strip.

use super::{Choice, Names, Selection, Sources};
use crate::kafka::sorted::sort_by;
use crate::kafka::time::Instant;
use crate::ledger::{GroupLedger, Lag, PartitionLedger, Span as Past, UnownedCause};
use crate::view::TopicPartition;
use crate::view::event::{Event, takes};
use crate::view::panel::*;
use crate::view::stage::is_paused;
use std::rc::Rc;

/// Lines of the event log.
const EVENTS_SHOWN: usize = 150;
/// Facts that are searched for them.
const EVENTS_REACH: usize = 30_000;
/// Corners of a line over time.
const CORNERS_MOST: usize = 400;

/// The open view, which is neither ownership over time nor the lab; those have builders of their own.
pub(super) fn build(sources: Sources<'_>, choice: &Choice, names: &Names, before: &Panel) -> Panel {
    match choice.tab {
        Tab::Ownership | Tab::Lab => before.clone(),
        Tab::Lag => Panel::Lag(Rc::new(lag(sources, choice, names))),
        Tab::Events => Panel::Events(Rc::new(events(sources, choice, before))),
        Tab::Deliveries => Panel::Deliveries(Rc::new(super::deliveries::deliveries(
            sources, choice, names,
        ))),
        Tab::Table => Panel::Table(Rc::new(super::table::build(sources, choice))),
        Tab::Words => Panel::Words,
        Tab::Messages => {
            let before = match before {
                Panel::Messages(panel) => Some(&**panel),
                _ => None,
            };
            Panel::Messages(Rc::new(super::messages::panel(sources, choice, before)))
        }
        Tab::Compare => Panel::Compare(Rc::new(super::compare::compare(sources, choice, names))),
    }
}

/// Ownership over time.
pub(super) fn ownership(sources: Sources<'_>, choice: &Choice, names: &Names) -> Panel {
    Panel::Ownership(Rc::new(ownership_panel(sources, choice, names)))
}

pub(super) fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn ownership_panel(sources: Sources<'_>, choice: &Choice, names: &Names) -> OwnershipPanel {
    let now = sources.now();
    let axis = Axis::around(sources.world.setup().origin, now);
    let Some((_, group)) = sources.readers(choice) else {
        return OwnershipPanel {
            axis,
            ..OwnershipPanel::default()
        };
    };
    let row = |(partition, entry): (&TopicPartition, &PartitionLedger)| OwnershipRow {
        partition: partition.clone(),
        label: names.label(partition),
        spans: spans(entry, axis, now, names).into(),
    };
    OwnershipPanel {
        axis,
        now: axis.place(now),
        rows: group.partitions().map(row).collect(),
        bands: bands(group, axis, now),
        paused_tenths: group.paused(now).0 / 100_000,
        rebalances: group.rebalances.count(),
    }
}

pub(super) fn spans(entry: &PartitionLedger, axis: Axis, now: Instant, names: &Names) -> Vec<Span> {
    let owner_of = |actor| {
        names
            .owners
            .get(actor)
            .copied()
            .map_or(Holder::Nobody, Holder::Owner)
    };
    let ownership = &entry.ownership;
    let past = ownership.spans().iter().map(|span| match span {
        Past::Held {
            member,
            from,
            until,
            ..
        } => (*from, *until, owner_of(&member.actor)),
        Past::Unowned { cause, from, until } => (*from, *until, holder_of(*cause)),
    });
    let held = ownership
        .holders()
        .iter()
        .map(|holding| (holding.since, now, owner_of(&holding.member.actor)));
    let waiting = ownership
        .unowned_now()
        .map(|unowned| (unowned.since, now, holder_of(unowned.cause)));
    past.chain(held)
        .chain(waiting)
        .map(|(from, to, holder)| Span {
            from: axis.place(from),
            to: axis.place(to),
            holder,
        })
        .filter(|span| span.from < span.to)
        .collect()
}

/// A rebalance that moves a partition darkens it; that it is nobody's hatches it.
fn holder_of(cause: UnownedCause) -> Holder {
    if is_paused(cause) {
        Holder::Paused
    } else {
        Holder::Nobody
    }
}

pub(super) fn bands(group: &GroupLedger, axis: Axis, now: Instant) -> Rc<[Band]> {
    let starts: Vec<_> = group
        .timeline
        .bands()
        .iter()
        .map(|band| (band.since, band.state))
        .collect();
    let ends = starts.iter().skip(1).map(|next| next.0).chain([now]);
    starts
        .iter()
        .zip(ends)
        .map(|((since, state), until)| Band {
            from: axis.place(*since),
            to: axis.place(until),
            state: *state,
        })
        .filter(|band| band.from < band.to)
        .collect()
}

fn lag(sources: Sources<'_>, choice: &Choice, names: &Names) -> LagPanel {
    let now = sources.now();
    let axis = Axis::around(sources.world.setup().origin, now);
    let Some((readers, ledger)) = sources.readers(choice) else {
        return LagPanel {
            axis,
            ..LagPanel::default()
        };
    };
    let rows: Vec<LagRow> = ledger
        .partitions()
        .map(|(partition, entry)| {
            let lag = sources
                .sums
                .ledger
                .lag(&readers, partition)
                .unwrap_or_default();
            LagRow {
                label: names.label(partition),
                owner: entry
                    .ownership
                    .owner()
                    .and_then(|holding| names.owners.get(&holding.member.actor).copied()),
                line: line(entry, axis, now, lag),
                committed: lag.committed,
                position: lag.position,
                processing: lag.processing,
                partition: partition.clone(),
            }
        })
        .collect();
    let total = total(&rows);
    let most = total.iter().map(|corner| corner.1).max().unwrap_or(0);
    LagPanel {
        axis,
        now: axis.place(now),
        most: round_up(most),
        total_now: rows.iter().filter_map(|row| row.committed).sum(),
        total,
        rows: rows.into(),
    }
}

/// 10, 20, 50, 100, …: the next of them.
fn round_up(most: i64) -> i64 {
    let mut top = 10;
    while top < most && top < i64::MAX / 10 {
        top = match top.to_string().as_bytes().first() {
            Some(b'2') => top / 2 * 5,
            _ => top * 2,
        };
    }
    top
}

/// Committed lag over time, as corners; where there is no commit, 0.
fn line(entry: &PartitionLedger, axis: Axis, now: Instant, lag: Lag) -> Rc<[(i64, i64)]> {
    let mut corners: Vec<(i64, i64)> = Vec::new();
    for sample in entry.lag.iter().rev() {
        corners.push((axis.place(sample.at), sample.lag.committed.unwrap_or(0)));
        if sample.at < axis.from {
            break;
        }
    }
    corners.reverse();
    corners.push((axis.place(now), lag.committed.unwrap_or(0)));
    let every = corners.len() / CORNERS_MOST + 1;
    let last = corners.len() - 1;
    let kept = corners
        .into_iter()
        .enumerate()
        .filter(|(place, _)| place % every == 0 || *place == last);
    kept.map(|(_, corner)| corner).collect()
}

/// The sum of the rows' lines, which stand from corner to corner.
fn total(rows: &[LagRow]) -> Rc<[(i64, i64)]> {
    let mut changes: Vec<(i64, i64)> = Vec::new();
    for row in rows {
        let mut before = 0;
        for (place, lag) in row.line.iter() {
            changes.push((*place, lag - before));
            before = *lag;
        }
    }
    sort_by(&mut changes, |left, right| left.0.cmp(&right.0));
    let mut corners: Vec<(i64, i64)> = Vec::new();
    let mut sum = 0;
    for (place, change) in changes {
        sum += change;
        match corners.last_mut() {
            // Within a few units of the axis nobody sees a difference.
            Some(last) if place - last.0 < 12 => last.1 = sum,
            _ => corners.push((place, sum)),
        }
    }
    corners.into()
}

fn events(sources: Sources<'_>, choice: &Choice, before: &Panel) -> EventsPanel {
    let old: &[Rc<Event>] = match before {
        Panel::Events(panel) => &panel.events,
        _ => &[],
    };
    let events = sources
        .chronicle
        .before(sources.sums.last)
        .take(EVENTS_REACH)
        .filter(|fact| takes(choice.filter, fact, sources.chronicle))
        .take(EVENTS_SHOWN)
        .map(|fact| {
            match old
                .iter()
                .find(|event| event.id == fact.id && event.at == fact.at)
            {
                Some(event) => event.clone(),
                None => Rc::new(Event::of(fact, &sources.sums.scene, sources.chronicle)),
            }
        });
    EventsPanel {
        events: events.collect(),
        filter: choice.filter,
        selected: match &choice.selection {
            Some(Selection::Event(id)) => Some(*id),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_a_picture_is_a_round_number() {
        assert_eq!(
            [0, 10, 11, 21, 51, 199, 201].map(round_up),
            [10, 10, 20, 50, 100, 200, 500]
        );
    }
}
