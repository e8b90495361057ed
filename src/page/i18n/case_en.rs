//! English texts of the shelf, the comparison, a record's life and windows.

use super::case::CaseTexts;
use super::en_events::command;
use super::grouped;
use crate::scenario::Area;
use crate::view::compare::Quantity;
use crate::view::panel::Figure;
use crate::view::{Deed, Entry, GroupId, PositionCause, Readers, ReleaseCause};

/// The English texts.
pub static ENGLISH: CaseTexts = CaseTexts {
    shelf_lead: "What happened to others, replayed to the millisecond. Answer the question first, then open the case.",
    to_shelf: "Incidents: what happened to others",
    search: "Search, for instance static or auto.offset.reset",
    found: |found, all| {
        if found == all {
            format!("{all} cases")
        } else {
            format!("{found} of {all} cases")
        }
    },
    area: |area| match area {
        Area::FailureDetection => "Failure detection",
        Area::RebalanceProtocol => "The rebalance protocol",
        Area::StaticMembership => "Static membership",
        Area::Assignors => "Assignors",
        Area::Commits => "Commits and duplicates",
        Area::ResetAndGrowth => "Offset resets and growth",
        Area::FetchAndLag => "Fetching and lag",
    },
    open: "Open",
    remedy: "What would have avoided it",
    no_remedy: "Could it have been avoided?",
    try_remedy: "Try it: compare both runs",

    compare_lead: "The same history under one change: the scenario, its seed and everything done so far, run a second time.",
    variant: "Variant",
    assignor: "Assignor",
    membership: "Members",
    all_static: "All static",
    all_dynamic: "All dynamic",
    one_more: "One more consumer",
    config: "Configuration",
    config_name: "Name",
    value: "Value",
    of_consumers: "Consumers of the group",
    of_brokers: "Brokers",
    as_default: "default",
    compare: "Compare",
    stop_comparing: "Stop comparing",
    to_end: "Run to the end",
    this_run: "This run",
    other_run: |change| format!("Changed: {change}"),
    config_is: |name, value| format!("{name} {value}"),
    is_behind: |at| format!("The other run is being computed: {at}."),
    refused_there: |act| format!("Not possible in the other run: {}", command(act)),
    quantity,
    here: "this run",
    there: "the other",
    difference: "difference",
    equal: "–",
    where_apart: "Where?",
    find_apart: |what| format!("Go to where they come apart: {what}"),
    apart_at: |what, at| format!("{what}: come apart at {at}"),
    length: |ms| format!("{}.{:03} s", ms / 1_000, ms.unsigned_abs() % 1_000),
    strip_text: |run| format!("Ownership over time, {run}"),

    life: "Its life",
    life_of: |offset| format!("Life of record {}", grouped(offset)),
    record_title: |partition, offset| format!("{partition}, record {}", grouped(offset)),
    life_of_record: "Life of a record",
    offset: "offset",
    key: "key",
    no_life: "Nothing is known of it yet: it has not been written, or it was written long ago and forgotten.",
    left_out: |count| format!("{} entries in between are left out.", grouped_u64(count)),
    deed,

    window: "Window",
    whole_run: "Whole run",
    last_seconds: |seconds| match seconds {
        60 => "Last minute".to_string(),
        seconds => format!("Last {seconds} s"),
    },
    from_here: "From this instant",
    counted_until: |until| format!("Both counted from the beginning up to {until}."),
    window_text: |from, until| format!("After {from}, up to {until}"),
    all_partitions: "all",
    figure: |figure| match figure {
        Figure::Delivered => "delivered",
        Figure::Duplicates => "duplicates",
        Figure::Done => "done",
        Figure::Processings => "done again",
        Figure::InDoubt => "in doubt",
        Figure::Skipped => "skipped",
        Figure::SkippedByReset => "reset over",
        Figure::Expired => "expired unread",
        Figure::Unowned => "unowned",
        Figure::Paused => "between owners",
    },
};

fn grouped_u64(count: u64) -> String {
    grouped(i64::try_from(count).unwrap_or(i64::MAX))
}

fn quantity(quantity: Quantity) -> String {
    match quantity {
        Quantity::Rebalances => "rebalances".to_string(),
        Quantity::Moved => "partitions moved".to_string(),
        Quantity::Revoked => "partitions revoked".to_string(),
        Quantity::Unowned => "partition time without an owner".to_string(),
        Quantity::Paused => "partition time between owners".to_string(),
        Quantity::Duplicates => "duplicate deliveries".to_string(),
        Quantity::DuplicateProcessings => "duplicate processings".to_string(),
        Quantity::Skipped => "skipped".to_string(),
        Quantity::SkippedByReset => "skipped by a reset".to_string(),
        Quantity::ExpiredUnread => "expired unread".to_string(),
        Quantity::LagPeak => "largest committed lag".to_string(),
        Quantity::Requests(api) => format!("{} requests", api.name()),
    }
}

fn of_readers(readers: &Readers) -> String {
    match readers {
        Readers::Group(group) => of_group(group),
        Readers::Lone(actor) => actor.to_string(),
    }
}

fn of_group(group: &GroupId) -> String {
    if group.is_empty() {
        "no group".to_string()
    } else {
        format!("group {group}")
    }
}

const fn position(cause: PositionCause) -> &'static str {
    match cause {
        PositionCause::Committed => "the committed offset",
        PositionCause::ResetEarliest => "auto.offset.reset=earliest",
        PositionCause::ResetLatest => "auto.offset.reset=latest",
        PositionCause::Seek => "seek()",
        PositionCause::Truncation => "a truncated log",
    }
}

const fn release(cause: ReleaseCause) -> &'static str {
    match cause {
        ReleaseCause::EagerRevoke | ReleaseCause::CooperativeRevoke => "was revoked its partition",
        ReleaseCause::Lost => "lost its membership",
        ReleaseCause::Closed => "closed",
        ReleaseCause::Crashed => "died",
        ReleaseCause::Unsubscribed => "unsubscribed",
    }
}

/// A sentence for an entry of a record's life.
fn deed(entry: &Entry) -> String {
    match &entry.deed {
        Deed::Sent { by, attempt: 1 } => format!("{by} sends the batch that it is in."),
        Deed::Sent { by, attempt } => {
            format!("{by} sends the batch that it is in, attempt {attempt}.")
        }
        Deed::Appended { by, base, next } => {
            let (first, last) = (grouped(base.0), grouped(next.0 - 1));
            match (by, next.0 - base.0) {
                (Some(by), 1) => format!("The leader appends it, written by {by}."),
                (Some(by), _) => {
                    format!("The leader appends it in the batch {first}–{last}, written by {by}.")
                }
                (None, _) => "It was in the log from the beginning.".to_string(),
            }
        }
        Deed::Acknowledged(by) => format!("{by} learns that it is written."),
        Deed::Readable => "The high watermark passes it: consumers may read it.".to_string(),
        Deed::Fetched(by) => format!("The answer to a fetch carries it to {by}."),
        Deed::Delivered {
            member,
            again: None,
        } => format!("poll() returns it to {}.", member.actor),
        Deed::Delivered {
            member,
            again: Some(_),
        } => {
            format!(
                "poll() returns it to {}: {} had it before.",
                member.actor,
                of_group(&member.group)
            )
        }
        Deed::Done {
            member,
            again: false,
        } => format!("{} has handled it.", member.actor),
        Deed::Done {
            member,
            again: true,
        } => format!("{} has handled it: once more.", member.actor),
        Deed::Committed {
            group,
            offset,
            by,
            is_done,
        } => {
            let who = by
                .as_ref()
                .map_or_else(|| "A commit from outside".to_string(), ToString::to_string);
            let rest = if *is_done {
                ""
            } else {
                " It is not handled yet."
            };
            format!(
                "{who} commits {} for {}, which passes it.{rest}",
                grouped(offset.0),
                of_group(group)
            )
        }
        Deed::Uncommitted {
            group,
            offset: Some(offset),
        } => {
            format!(
                "A commit of {} for {} takes that back.",
                grouped(offset.0),
                of_group(group)
            )
        }
        Deed::Uncommitted {
            group,
            offset: None,
        } => {
            format!("The committed offset of {} is removed.", of_group(group))
        }
        Deed::Rewound {
            member,
            offset,
            cause,
        } => {
            format!(
                "{} will read on from {}, by {}: it will come again.",
                member.actor,
                grouped(offset.0),
                position(*cause)
            )
        }
        Deed::JumpedOver {
            member,
            offset,
            cause,
        } => {
            format!(
                "{} reads on from {}, by {}: it is jumped over.",
                member.actor,
                grouped(offset.0),
                position(*cause)
            )
        }
        Deed::Dropped {
            member,
            cause,
            is_skipped: false,
        } => {
            format!(
                "{} {} before it was handled.",
                member.actor,
                release(*cause)
            )
        }
        Deed::Dropped {
            member,
            cause,
            is_skipped: true,
        } => {
            format!(
                "{} {} before it was handled, and it is committed: it is skipped.",
                member.actor,
                release(*cause)
            )
        }
        Deed::Deleted { unread_by } if unread_by.is_empty() => {
            "It is deleted from the log.".to_string()
        }
        Deed::Deleted { unread_by } => {
            let readers: Vec<String> = unread_by.iter().map(of_readers).collect();
            format!(
                "It is deleted from the log, unread by {}.",
                readers.join(", ")
            )
        }
    }
}
