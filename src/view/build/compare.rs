//! Two runs side by side.

use super::panels::{bands, signed, spans};
use super::{Choice, Names, Sources};
use crate::kafka::api::ApiKey;
use crate::kafka::time::Instant;
use crate::ledger::{GroupLedger, PartitionLedger, Readers};
use crate::session::{Rival, Sums};
use crate::view::compare::{ComparePanel, Comparison, Difference, Quantity, Strip};
use crate::view::panel::{Axis, OwnershipRow};
use crate::view::stage::Owner;
use crate::world::World;
use std::collections::BTreeSet;
use std::rc::Rc;

pub(super) fn compare(sources: Sources<'_>, choice: &Choice, names: &Names) -> ComparePanel {
    let readers = sources.readers(choice).map(|(readers, _)| readers);
    let comparison = sources.rival.zip(readers.as_ref());
    ComparePanel {
        comparison: comparison
            .map(|(rival, readers)| Rc::new(comparison_of(sources, choice, names, rival, readers))),
        readers,
    }
}

fn comparison_of(
    sources: Sources<'_>,
    choice: &Choice,
    names: &Names,
    rival: &Rival,
    readers: &Readers,
) -> Comparison {
    let now = sources.now();
    let world = rival.session().world();
    let origin = sources.world.setup().origin.min(world.setup().origin);
    let axis = Axis::whole(origin, now);
    let other_names = names_beside(names, world);
    let other_readers = readers_like(rival.sums(), readers);
    let (ours, theirs) = (sources.sums, rival.sums());
    let apis = ours.ledger.requests().iter();
    let apis = apis.chain(theirs.ledger.requests().iter());
    let apis: BTreeSet<ApiKey> = apis.map(|(_, api, _)| api).collect();
    let quantities = Quantity::LEDGER.into_iter();
    let quantities = quantities.chain(apis.into_iter().map(Quantity::Requests));
    let differences = quantities.map(|quantity| {
        let apart = choice.apart.get(&quantity).copied();
        Difference {
            quantity,
            ours: value(quantity, ours, readers, now),
            theirs: value(quantity, theirs, &other_readers, world.now()),
            apart: apart.filter(|at| *at <= now).map(|at| (at, axis.place(at))),
        }
    });
    Comparison {
        change: rival.change().clone(),
        axis,
        until: now,
        now: axis.place(now),
        behind: (world.now() < now).then_some(world.now()),
        ours: strip(ours, readers, axis, now, names),
        theirs: strip(theirs, &other_readers, axis, world.now(), &other_names),
        differences: differences
            .filter(|row| row.ours != 0 || row.theirs != 0)
            .collect(),
        refused: rival
            .session()
            .refused()
            .map(|(act, _)| Rc::new(act.command.clone()))
            .collect(),
    }
}

/// Whoever is in both runs has the same letter in both.
fn names_beside(ours: &Names, world: &World) -> Names {
    let mut owners = ours.owners.clone();
    let theirs = Names::of(world);
    let mut next = owners.len();
    for actor in theirs.owners.keys() {
        if !owners.contains_key(actor) {
            owners.insert(actor.clone(), Owner(next));
            next += 1;
        }
    }
    Names { owners, ..theirs }
}

/// The same readers in the other run, or the first if a variant calls them otherwise.
fn readers_like(sums: &Sums, readers: &Readers) -> Readers {
    let mut shares = sums.ledger.shares().map(|(readers, _)| readers);
    let is_there = sums.ledger.share(readers).is_some();
    let first = shares.next().filter(|_| !is_there);
    first.unwrap_or(readers).clone()
}

fn strip(sums: &Sums, readers: &Readers, axis: Axis, now: Instant, names: &Names) -> Strip {
    let Some(group) = sums.ledger.share(readers) else {
        return Strip::default();
    };
    let rows = group.partitions().map(|(partition, entry)| OwnershipRow {
        partition: partition.clone(),
        label: names.label(partition),
        spans: spans(entry, axis, now, names).into(),
    });
    Strip {
        rows: rows.collect(),
        bands: bands(group, axis, now),
    }
}

/// How much of a quantity there was up to `until`.
pub(super) fn value(quantity: Quantity, sums: &Sums, readers: &Readers, until: Instant) -> i64 {
    if let Quantity::Requests(api) = quantity {
        let counts = sums.ledger.requests().iter();
        let sent = counts.filter(|(_, key, _)| *key == api);
        return signed(sent.map(|(_, _, counts)| counts.sent).sum());
    }
    let Some(group) = sums.ledger.share(readers) else {
        return 0;
    };
    let sum = |of: &dyn Fn(&PartitionLedger) -> u64| signed(group.sum(of));
    match quantity {
        Quantity::Rebalances => signed(group.rebalances.count()),
        Quantity::Moved => {
            let (forced, voluntary) = group.rebalances.moved();
            signed(forced + voluntary)
        }
        Quantity::Revoked => sum(&|entry| entry.ownership.revoked()),
        Quantity::Unowned => sum(&|entry| entry.ownership.unowned(until).as_ms().unsigned_abs()),
        Quantity::Paused => group.paused(until).as_ms(),
        Quantity::Duplicates => sum(&|entry| entry.deliveries.duplicates().deliveries()),
        Quantity::DuplicateProcessings => sum(&|entry| entry.deliveries.duplicates().processings()),
        Quantity::Skipped => sum(&|entry| entry.deliveries.skipped()),
        Quantity::SkippedByReset => sum(&|entry| entry.deliveries.skipped_by_reset()),
        Quantity::ExpiredUnread => sum(&|entry| entry.deliveries.expired_unread()),
        Quantity::LagPeak => group.lag_peak(),
        Quantity::Requests(_) => 0,
    }
}

/// What tells two runs apart in a quantity. Of a length of time: when it begins and ends, before it grows.
pub fn token(quantity: Quantity, readers: &Readers) -> impl Fn(&Sums, Instant) -> i64 {
    move |sums, at| {
        let readers = readers_like(sums, readers);
        match sums.ledger.share(&readers) {
            Some(group) if quantity.is_time() => stops(group),
            _ => value(quantity, sums, &readers, at),
        }
    }
}

/// A number that changes whenever a partition gets or loses its owner, and not while nothing happens to it:
/// what has ended, and since when what has not.
fn stops(group: &GroupLedger) -> i64 {
    let weight = |place: usize| i64::try_from(place).map_or(1, |place| 2 * place + 1);
    let entries = group.partitions().enumerate();
    let numbers = entries.map(|(place, (_, entry))| {
        let ownership = &entry.ownership;
        let since = ownership.unowned_now().map(|unowned| unowned.since);
        let ended = ownership.unowned(since.unwrap_or(Instant(i64::MIN)));
        let running = since.map_or(0, |since| since.0.wrapping_mul(2).wrapping_add(1));
        weight(place).wrapping_mul(ended.0.wrapping_add(running))
    });
    numbers.fold(0, i64::wrapping_add)
}
