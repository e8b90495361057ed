//! The strip of views below the stage, one of which is open.

use super::compare::ComparePanel;
use super::event::Event;
use super::lab::LabGroup;
use super::messages::MessagesPanel;
use super::stage::Owner;
use super::{ActorName, DuplicateCause, Duration, FactId, GroupState, Instant, TopicPartition};
use std::rc::Rc;

/// Which view is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tab {
    /// Ownership over time.
    #[default]
    Ownership,
    /// Lag over time.
    Lag,
    /// The event log.
    Events,
    /// Messages.
    Messages,
    /// Deliveries.
    Deliveries,
    /// The group table.
    Table,
    /// The stage in words.
    Words,
    /// Another run beside this one.
    Compare,
    /// The assignor lab.
    Lab,
}

impl Tab {
    /// All of them, in their order.
    pub const ALL: [Tab; 9] = [
        Tab::Ownership,
        Tab::Lag,
        Tab::Events,
        Tab::Messages,
        Tab::Deliveries,
        Tab::Table,
        Tab::Words,
        Tab::Compare,
        Tab::Lab,
    ];
}

/// The open view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Panel {
    /// Ownership over time.
    Ownership(Rc<OwnershipPanel>),
    /// Lag over time.
    Lag(Rc<LagPanel>),
    /// The event log.
    Events(Rc<EventsPanel>),
    /// Messages.
    Messages(Rc<MessagesPanel>),
    /// Deliveries.
    Deliveries(Rc<DeliveriesPanel>),
    /// The group table.
    Table(Rc<TablePanel>),
    /// The stage in words.
    Words,
    /// Another run beside this one.
    Compare(Rc<ComparePanel>),
    /// The assignor lab: the group of the running world, which the lab shows until somebody edits it.
    Lab(Rc<LabGroup>),
}

impl Default for Panel {
    fn default() -> Self {
        Panel::Ownership(Rc::default())
    }
}

/// A stretch of time that a picture shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Axis {
    /// Its left end.
    pub from: Instant,
    /// Its right end.
    pub to: Instant,
}

/// Width of a picture over time, in its own units.
pub const AXIS_UNITS: i64 = 10_000;

impl Axis {
    /// What is shown at `now`: the last two minutes at most, from the scenario's `origin` on. The ends
    /// stay where they are for a while.
    pub fn around(origin: Instant, now: Instant) -> Axis {
        const STEP_US: i64 = 15_000_000;
        const STEPS_MOST: i64 = 8;
        let done = (now - origin).0.max(0);
        let steps = (done / STEP_US + 1).max(4);
        let first = (steps - STEPS_MOST).max(0);
        Axis {
            from: Instant(origin.0 + first * STEP_US),
            to: Instant(origin.0 + steps * STEP_US),
        }
    }

    /// The whole run from `origin` to `now`, and somewhat further, so that the ends stay for a while.
    pub fn whole(origin: Instant, now: Instant) -> Axis {
        const LENGTHS_S: [i64; 10] = [10, 20, 30, 60, 120, 180, 300, 600, 1_200, 1_800];
        const HOUR_S: i64 = 3_600;
        let done = (now - origin).0.max(0);
        let length_s = LENGTHS_S
            .into_iter()
            .find(|length| length * 1_000_000 >= done)
            .unwrap_or((done / 1_000_000 / HOUR_S + 1) * HOUR_S);
        Axis {
            from: origin,
            to: Instant(origin.0.saturating_add(length_s * 1_000_000)),
        }
    }

    /// Where `at` lies, clamped to the axis.
    pub fn place(self, at: Instant) -> i64 {
        let length = (self.to - self.from).0.max(1);
        let done = (at - self.from).0.clamp(0, length);
        done.saturating_mul(AXIS_UNITS) / length
    }

    /// Round seconds at which to write the time, at most nine of them.
    pub fn ticks(self) -> Vec<Instant> {
        const STEPS_S: [i64; 9] = [2, 5, 10, 15, 30, 60, 120, 300, 600];
        const TICKS_MOST: i64 = 8;
        let length_s = (self.to - self.from).0 / 1_000_000;
        let step_s = STEPS_S
            .into_iter()
            .find(|step| length_s / step <= TICKS_MOST)
            .unwrap_or(3_600);
        let step = step_s * 1_000_000;
        // The first at or after the beginning, which need not be a round number itself.
        let first = -(-self.from.0).div_euclid(step);
        (first..=self.to.0.div_euclid(step))
            .map(|tick| Instant(tick * step))
            .collect()
    }
}

/// Who held which partition when.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OwnershipPanel {
    /// What time is shown.
    pub axis: Axis,
    /// The instant of the page.
    pub now: i64,
    /// A row per partition.
    pub rows: Rc<[OwnershipRow]>,
    /// The group's states.
    pub bands: Rc<[Band]>,
    /// Partition-seconds without a reader, in tenths, over the whole run.
    pub paused_tenths: i64,
    /// Rebalances so far.
    pub rebalances: u64,
}

/// A partition's past.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnershipRow {
    /// Which one.
    pub partition: TopicPartition,
    /// What it is called.
    pub label: Rc<str>,
    /// Its spans, oldest first.
    pub spans: Rc<[Span]>,
}

/// A span of a partition's past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// Left end.
    pub from: i64,
    /// Right end.
    pub to: i64,
    /// What was the case.
    pub holder: Holder,
}

/// Who held a partition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// A member.
    Owner(Owner),
    /// Nobody, because a rebalance is moving it.
    Paused,
    /// Nobody.
    Nobody,
}

/// A state of the group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Band {
    /// Left end.
    pub from: i64,
    /// Right end.
    pub to: i64,
    /// The state.
    pub state: GroupState,
}

/// Lag over time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LagPanel {
    /// What time is shown.
    pub axis: Axis,
    /// The instant of the page.
    pub now: i64,
    /// The top of the picture, in records.
    pub most: i64,
    /// The sum over all partitions, as corners of a line.
    pub total: Rc<[(i64, i64)]>,
    /// A line per partition.
    pub rows: Rc<[LagRow]>,
    /// The sum now.
    pub total_now: i64,
}

/// A partition's lag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LagRow {
    /// Which one.
    pub partition: TopicPartition,
    /// What it is called.
    pub label: Rc<str>,
    /// Who reads it now.
    pub owner: Option<Owner>,
    /// Committed lag, as corners of a line: place on the axis, records.
    pub line: Rc<[(i64, i64)]>,
    /// Committed lag now.
    pub committed: Option<i64>,
    /// Position lag now.
    pub position: Option<i64>,
    /// Processing lag now.
    pub processing: Option<i64>,
}

/// Which events the log shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EventFilter {
    /// What matters: everything but the ordinary stream.
    #[default]
    Told,
    /// What went wrong.
    Trouble,
    /// What a person or the scenario did.
    Acts,
    /// The group: its states, members, assignments.
    Group,
    /// Who owns what, and from where it reads.
    Ownership,
    /// Commits.
    Commits,
    /// Records: produced, delivered, done.
    Records,
    /// Requests and responses.
    Requests,
    /// Everything.
    All,
}

impl EventFilter {
    /// All of them, in their order.
    pub const ALL: [EventFilter; 9] = [
        EventFilter::Told,
        EventFilter::Trouble,
        EventFilter::Acts,
        EventFilter::Group,
        EventFilter::Ownership,
        EventFilter::Commits,
        EventFilter::Records,
        EventFilter::Requests,
        EventFilter::All,
    ];
}

/// The event log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventsPanel {
    /// The newest first.
    pub events: Rc<[Rc<Event>]>,
    /// Which ones.
    pub filter: EventFilter,
    /// The one that is chosen.
    pub selected: Option<FactId>,
}

/// What was delivered, how often.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeliveriesPanel {
    /// Runs of duplicates, the newest first.
    pub runs: Rc<[DuplicateRun]>,
    /// Which stretch of time is counted.
    pub window: Window,
    /// Its ends: after the first, up to the second.
    pub ends: (Instant, Instant),
    /// The partition that alone is counted above, if one is chosen.
    pub chosen: Option<TopicPartition>,
    /// A row per partition.
    pub rows: Rc<[LedgerRow]>,
    /// All of them together.
    pub sum: [i64; Figure::ALL.len()],
}

/// Which stretch of time is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Window {
    /// From the beginning to the instant of the page.
    #[default]
    Whole,
    /// So much before the instant of the page.
    Last(Duration),
    /// From an instant on.
    Since(Instant),
    /// From one instant to another.
    Between(Instant, Instant),
}

impl Window {
    /// The instant after which it counts, seen from `now`; `None`: everything counts.
    pub fn start(self, now: Instant) -> Option<Instant> {
        match self {
            Window::Whole => None,
            Window::Last(length) => Some(Instant(now.0.saturating_sub(length.0))),
            Window::Since(at) | Window::Between(at, _) => Some(at.min(now)),
        }
    }

    /// The instant up to which it counts, seen from `now`, where that is not `now` itself.
    pub fn end(self, now: Instant) -> Option<Instant> {
        match self {
            Window::Whole | Window::Last(_) | Window::Since(_) => None,
            Window::Between(_, until) => Some(until).filter(|until| *until < now),
        }
    }
}

/// What is counted of a partition (spec/08).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Figure {
    /// Offsets that poll returned.
    Delivered,
    /// Duplicate deliveries.
    Duplicates,
    /// Offsets that an application finished.
    Done,
    /// Duplicate processings.
    Processings,
    /// Delivered, not done, with a live holder, at the window's end.
    InDoubt,
    /// Passed by a commit and never done.
    Skipped,
    /// Jumped over by a reset.
    SkippedByReset,
    /// Deleted before they were done.
    Expired,
    /// Time without an owner, ms.
    Unowned,
    /// Time from each giving up to the next owner, ms.
    Paused,
}

impl Figure {
    /// All of them, in the order of a row.
    pub const ALL: [Figure; 10] = [
        Figure::Delivered,
        Figure::Duplicates,
        Figure::Done,
        Figure::Processings,
        Figure::InDoubt,
        Figure::Skipped,
        Figure::SkippedByReset,
        Figure::Expired,
        Figure::Unowned,
        Figure::Paused,
    ];

    /// Whether it is a length of time, in ms.
    pub fn is_time(self) -> bool {
        matches!(self, Figure::Unowned | Figure::Paused)
    }

    /// Whether anything above 0 is a loss or a repetition.
    pub fn is_bad(self) -> bool {
        !matches!(
            self,
            Figure::Delivered | Figure::Done | Figure::InDoubt | Figure::Paused | Figure::Unowned
        )
    }
}

/// What is counted of one partition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LedgerRow {
    /// Which one.
    pub partition: TopicPartition,
    /// What it is called.
    pub label: Rc<str>,
    /// In the order of [`Figure::ALL`].
    pub figures: [i64; Figure::ALL.len()],
}

/// Records that came again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DuplicateRun {
    /// When.
    pub at: Instant,
    /// From where.
    pub partition: TopicPartition,
    /// The first offset.
    pub base: i64,
    /// The last offset.
    pub last: i64,
    /// How many.
    pub count: i64,
    /// To whom.
    pub actor: ActorName,
    /// Who that is in the palette.
    pub owner: Option<Owner>,
    /// In a word.
    pub cause: DuplicateCause,
    /// The fact to which the chain of causes leads.
    pub fact: FactId,
}

/// What `kafka-consumer-groups.sh --describe` is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableKind {
    /// Nothing more: offsets and lag.
    #[default]
    Offsets,
    /// `--members --verbose`
    Members,
    /// `--state`
    State,
}

impl TableKind {
    /// All of them, in their order.
    pub const ALL: [TableKind; 3] = [TableKind::Offsets, TableKind::Members, TableKind::State];

    /// What follows `--describe`.
    pub const fn options(self) -> &'static str {
        match self {
            TableKind::Offsets => "",
            TableKind::Members => " --members --verbose",
            TableKind::State => " --state",
        }
    }
}

/// What `kafka-consumer-groups.sh --describe` would print.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TablePanel {
    /// The group.
    pub group: Rc<str>,
    /// Its state.
    pub state: Option<GroupState>,
    /// What is asked for.
    pub kind: TableKind,
    /// A line per partition, if offsets are asked for.
    pub lines: Rc<[TableLine]>,
    /// A line per member, if members are asked for.
    pub members: Rc<[MemberLine]>,
    /// COORDINATOR (ID)
    pub coordinator: Rc<str>,
    /// ASSIGNMENT-STRATEGY
    pub strategy: Rc<str>,
    /// #MEMBERS
    pub member_count: usize,
}

/// A line of the table of members.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberLine {
    /// CONSUMER-ID
    pub consumer_id: Rc<str>,
    /// GROUP-INSTANCE-ID
    pub instance_id: Option<Rc<str>>,
    /// HOST
    pub host: Rc<str>,
    /// CLIENT-ID
    pub client_id: Rc<str>,
    /// #PARTITIONS
    pub partitions: usize,
    /// ASSIGNMENT
    pub assignment: Rc<str>,
}

/// A line of the table. `None` prints as `-`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableLine {
    /// TOPIC
    pub topic: Rc<str>,
    /// PARTITION
    pub partition: i32,
    /// CURRENT-OFFSET
    pub current_offset: Option<i64>,
    /// LOG-END-OFFSET
    pub log_end_offset: i64,
    /// LAG
    pub lag: Option<i64>,
    /// CONSUMER-ID
    pub consumer_id: Option<Rc<str>>,
    /// HOST
    pub host: Option<Rc<str>>,
    /// CLIENT-ID
    pub client_id: Option<Rc<str>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: i64) -> Instant {
        Instant(seconds * 1_000_000)
    }

    #[test]
    fn a_picture_over_time_keeps_its_scale_for_a_while() {
        let axis = |now| Axis::around(Instant::ZERO, s(now));
        assert_eq!(
            axis(0),
            Axis {
                from: s(0),
                to: s(60)
            }
        );
        assert_eq!(axis(59), axis(0));
        assert_eq!(
            axis(60),
            Axis {
                from: s(0),
                to: s(75)
            }
        );
        assert_eq!(
            axis(130),
            Axis {
                from: s(15),
                to: s(135)
            }
        );
    }

    #[test]
    fn the_axis_ends_are_its_first_and_last_units() {
        let axis = Axis {
            from: s(10),
            to: s(20),
        };
        assert_eq!(
            [axis.place(s(0)), axis.place(s(15)), axis.place(s(99))],
            [0, 5_000, AXIS_UNITS]
        );
    }
}
