//! What was delivered within a window of time, per partition and in all.

use super::panels::signed;
use super::{Choice, Names, Sources};
use crate::kafka::ids::TopicPartition;
use crate::kafka::sorted::sort_by;
use crate::kafka::time::Instant;
use crate::ledger::{Duplicate, PartitionLedger};
use crate::view::panel::{DeliveriesPanel, DuplicateRun, Figure, LedgerRow};

/// Runs of duplicates that are listed.
const RUNS_SHOWN: usize = 60;

type Figures = [i64; Figure::ALL.len()];

pub(super) fn deliveries(sources: Sources<'_>, choice: &Choice, names: &Names) -> DeliveriesPanel {
    let Some((readers, group)) = sources.readers(choice) else {
        return DeliveriesPanel::default();
    };
    // A window that ends earlier counts what there was then; a group that there was not yet has nothing.
    let (now, group) = match sources.past_end {
        Some((at, sums)) => match sums.ledger.share(&readers) {
            Some(group) => (at, group),
            None => return DeliveriesPanel::default(),
        },
        None => (sources.now(), group),
    };
    let (start, before) = match sources.past {
        Some((at, sums)) => (Some(at), sums.ledger.share(&readers)),
        None => (None, None),
    };
    let chosen = choice.ledger_of.as_ref();
    let chosen = chosen.filter(|chosen| group.partition(chosen).is_some());
    let row = |(partition, entry): (&TopicPartition, &PartitionLedger)| {
        let earlier = before.and_then(|group| group.partition(partition));
        LedgerRow {
            label: names.label(partition),
            figures: within((entry, now), earlier.zip(start)),
            partition: partition.clone(),
        }
    };
    let rows: Vec<LedgerRow> = group.partitions().map(row).collect();
    let counts = |row: &&LedgerRow| chosen.is_none_or(|chosen| row.partition == *chosen);
    let sum = rows
        .iter()
        .filter(counts)
        .fold(Figures::default(), |sum, row| {
            std::array::from_fn(|place| sum[place] + row.figures[place])
        });
    let mut runs: Vec<DuplicateRun> = group
        .partitions()
        .filter(|(partition, _)| chosen.is_none_or(|chosen| *partition == chosen))
        .flat_map(|(partition, entry)| {
            let runs = entry.deliveries.duplicates().runs().iter().rev();
            let within = runs.take_while(|run| start.is_none_or(|start| run.at > start));
            within
                .take(RUNS_SHOWN)
                .map(|run| duplicate_run(partition, run, names))
        })
        .collect();
    sort_by(&mut runs, |left, right| {
        (right.at, &right.partition).cmp(&(left.at, &left.partition))
    });
    runs.truncate(RUNS_SHOWN);
    DeliveriesPanel {
        runs: runs.into(),
        window: choice.window,
        ends: (start.unwrap_or(sources.world.setup().origin), now),
        chosen: chosen.cloned(),
        rows: rows.into(),
        sum,
    }
}

/// What came to be between two instants: what there is now, less what there was then. What is in doubt is
/// in doubt now.
fn within(now: (&PartitionLedger, Instant), then: Option<(&PartitionLedger, Instant)>) -> Figures {
    let now = figures(now.0, now.1);
    let Some((entry, at)) = then else {
        return now;
    };
    let then = figures(entry, at);
    let mut place = Figure::ALL.iter();
    std::array::from_fn(|index| match place.next() {
        Some(Figure::InDoubt) => now[index],
        _ => now[index] - then[index],
    })
}

fn figures(entry: &PartitionLedger, until: Instant) -> Figures {
    let deliveries = &entry.deliveries;
    Figure::ALL.map(|figure| match figure {
        Figure::Delivered => signed(deliveries.delivered()),
        Figure::Duplicates => signed(deliveries.duplicates().deliveries()),
        Figure::Done => signed(deliveries.done()),
        Figure::Processings => signed(deliveries.duplicates().processings()),
        Figure::InDoubt => signed(deliveries.in_doubt().count()),
        Figure::Skipped => signed(deliveries.skipped()),
        Figure::SkippedByReset => signed(deliveries.skipped_by_reset()),
        Figure::Expired => signed(deliveries.expired_unread()),
        Figure::Unowned => entry.ownership.unowned(until).as_ms(),
        Figure::Paused => entry.ownership.paused(until).as_ms(),
    })
}

fn duplicate_run(partition: &TopicPartition, run: &Duplicate, names: &Names) -> DuplicateRun {
    DuplicateRun {
        at: run.at,
        partition: partition.clone(),
        base: run.base.0,
        last: run.next.0 - 1,
        count: run.next.0 - run.base.0,
        actor: run.member.actor.clone(),
        owner: names.owners.get(&run.member.actor).copied(),
        cause: run.cause,
        fact: run.position_set,
    }
}
