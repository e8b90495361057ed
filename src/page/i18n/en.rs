//! English.

use super::en_events::{event, refusal};
use super::{Catalogue, Key, Language, by_topic, clock, grouped, seconds};
use crate::view::inspect::{Label, ThingKind};
use crate::view::panel::{EventFilter, Tab};
use crate::view::stage::{Group, Life, Member, Phase, Stage};
use crate::view::{DuplicateCause, MemberState, StopCause, UnownedCause};
use std::borrow::Cow;

/// The English texts.
pub static ENGLISH: Catalogue = Catalogue {
    language: Language::English,

    count: grouped,
    clock,
    tenths: |tenths| format!("{}.{} s", tenths / 10, tenths % 10),
    per_second: |rate| format!("{rate} records/s"),
    at_most_seconds: |seconds| format!("at most {seconds} s"),

    event,
    refusal,

    incidents: "Incidents",
    to_share: "Share",
    to_page: "Open in Regroup",
    fetching: "Loading…",
    not_fetched: |problem| {
        format!("The file could not be fetched, and what runs goes on. {problem}")
    },
    theme: "Light or dark",
    keys: "Keyboard",

    stage: "Stage",
    producers: "Producers",
    cluster: "Cluster",
    groups: "Consumer groups",
    topic_partitions: |topic, count| match count {
        1 => format!("{topic} · 1 partition"),
        count => format!("{topic} · {count} partitions"),
    },
    broker: |id| format!("broker {id}"),
    coordinator_of: |group| format!("coordinates {group}"),
    group_named: |group| format!("Consumer group {group}"),
    lone: "No group",
    lone_text: "assign() without group.id: each reads and counts for itself.",
    start: "Start",
    stop: "Stop",
    stopped: "stopped",
    in_accumulator: "accumulated",
    in_flight: "in flight",
    acknowledged: "written",
    failed: "failed",
    committed: "committed",
    position: "position",
    high_watermark: "high watermark",
    high_watermark_short: "end",
    lag: "lag",
    legend_risk: "read, not committed",
    legend_waiting: "waiting",
    unowned: "Unowned",
    unowned_cause: |cause| match cause {
        UnownedCause::InitialJoin => "not assigned yet",
        UnownedCause::EagerRevoke | UnownedCause::CooperativeHandOver => "between owners",
        UnownedCause::Detection => "its holder is gone",
        UnownedCause::NoConsumer => "no consumer",
    },
    all_owned: "every partition has an owner",
    duplicates: "duplicates",
    generation: "generation",
    assignor: "assignor",
    leader: "leader",
    term: super::terms_en::term,
    glossary: "Words",
    member_status,
    instance_named: |instance| format!("{instance} · "),
    no_member_id: "no member id yet",
    session: "session",
    poll: "poll",
    owned_partitions: "Owned partitions",

    act_on: |act, actor| format!("{act}: {actor}"),
    add_consumer: "Add consumer",
    close: "Close",
    kill: "Kill −9",
    freeze: "Freeze",
    thaw: "Thaw",
    restart: "Restart",

    views: "Views",
    tab: |tab| match tab {
        Tab::Ownership => "Ownership",
        Tab::Lag => "Lag",
        Tab::Events => "Events",
        Tab::Deliveries => "Deliveries",
        Tab::Messages => "Messages",
        Tab::Lab => "Assignor lab",
        Tab::Table => "Group table",
        Tab::Words => "In words",
        Tab::Compare => "Compare",
    },
    axis_seconds: |seconds| format!("{seconds} s"),
    group: "group",
    partition: "partition",
    owner: "owner",
    ownership_text: |rebalances, tenths| {
        format!(
            "Ownership over time: {rebalances} rebalances, {}.{} partition-seconds between owners.",
            tenths / 10,
            tenths % 10
        )
    },
    rebalances_so_far: |count| {
        if count == 1 {
            "1 rebalance".to_string()
        } else {
            format!("{count} rebalances")
        }
    },
    paused_so_far: |tenths| {
        format!(
            "{}.{} partition-seconds between owners",
            tenths / 10,
            tenths % 10
        )
    },
    key_owned: "owned",
    key_unowned: "unowned",
    key_paused: "between owners, in a rebalance",
    lag_text: |lag| format!("Lag over time. Committed lag in all: {lag} records."),
    committed_lag: "committed lag",
    position_lag: "position lag",
    processing_lag: "processing lag",
    sum: "all",
    show_events: "Which events",
    event_filter: |filter| match filter {
        EventFilter::Told => "What matters",
        EventFilter::Trouble => "Trouble",
        EventFilter::Acts => "Acts",
        EventFilter::Group => "Group",
        EventFilter::Ownership => "Ownership",
        EventFilter::Commits => "Commits",
        EventFilter::Records => "Records",
        EventFilter::Requests => "Requests",
        EventFilter::All => "Everything",
    },
    no_events: "Nothing of this kind so far.",
    views_height: "Height of the views",
    delivered: "delivered",
    duplicate_deliveries: "duplicate deliveries",
    done: "done",
    duplicate_processings: "duplicate processings",
    in_doubt: "in doubt",
    skipped: "skipped",
    no_duplicates: "No record was delivered twice.",
    when: "when",
    offsets: "offsets",
    records: "records",
    again_to: "again to",
    cause: "cause",
    range: |first, last| format!("{first}–{last}"),
    duplicate_cause: |cause| match cause {
        DuplicateCause::Crash => "its holder died before it committed",
        DuplicateCause::RevokedWithoutCommit => "its holder gave it up without committing",
        DuplicateCause::CommitFailed => "its holder's commit failed",
        DuplicateCause::MembershipLost => "its holder was no longer a member",
        DuplicateCause::RewoundCommit => "a later commit of a lower offset",
        DuplicateCause::Seek => "seek()",
        DuplicateCause::Reset => "auto.offset.reset",
        DuplicateCause::Truncation => "the log was truncated",
    },
    group_table: "Group table",
    inspector: "Inspector",
    close_inspector: "Close the inspector",
    thing_title: |kind, title| match kind {
        ThingKind::Broker(_) => format!("broker {title}"),
        ThingKind::Event => "What led to it".to_string(),
        ThingKind::Topic { .. } => format!("topic {title}"),
        ThingKind::Group { .. } => format!("group {title}"),
        ThingKind::Record(_, offset) => (super::case_en::ENGLISH.record_title)(title, offset.0),
        ThingKind::Consumer { .. }
        | ThingKind::Producer { .. }
        | ThingKind::Partition { .. }
        | ThingKind::Message => title.to_string(),
    },
    label,
    value,
    configuration: "Configuration",
    counts_from_next_start: "A changed value counts from the next start on, as in a real client.",
    more_configurations: "All configurations",
    program: "Program",
    time_per_record: "time per record",
    commits: "commits",
    commit_style: |style| match style {
        "none" => "never by itself",
        "sync" => "sync, after the batch",
        "sync-each" => "sync, every n records",
        "async" => "async, after the batch",
        "async-each" => "async, every n records",
        "before" => "before processing",
        "resend" => "async, naive resend",
        "guard" => "async, resend guarded by a sequence number",
        _ => "as configured",
    },
    static_member: "static member",
    stall_for: |seconds| format!("Stay away from poll() for {seconds} s"),
    rate: "rate",
    per_second_unit: "/s",
    different_keys: "different keys",
    no_keys: "none",
    hot_key: "share of the hot key",
    record_size: "size",
    bytes: "bytes",
    rolling_change: "Rolling change",
    full_restart: "Full restart",
    add_partitions: "Add partitions",
    partitions_in_all: "partitions in all",
    choose_something: "Choose anything on the stage to see it closely, and why it is as it is.",
    try_this: "Try this",
    try_kill: |actor| format!("Kill {actor}"),
    try_kill_text: "Its partitions have no owner until the coordinator misses its heartbeats. Then watch who takes over, from which offset, and what is delivered twice.",
    try_add_text: "Everybody joins again, and the leader computes a new assignment.",
    try_slow: |actor| format!("Slow {actor} down"),
    try_slow_text: "It takes 1.5 s for a record. Its lag grows, and with a short max.poll.interval.ms it loses its place.",
    scenarios: "Scenarios",
    open_file: "Open a scenario file, or drop it anywhere on the page",
    save_file: "Save what runs, with what was done, as a file",
    broken_title: "Regroup has stopped",
    broken_text: "Its program met a mistake of its own. Please load the page again. The file below holds the scenario and everything that was done, so that the mistake can be found and nothing is lost.",
    close_sheet: "Close",
    unreadable_file: "The file could not be read, and what runs goes on. Is it a folder?",
    key_list: &[
        (Key::Of("space"), "Play or pause"),
        (Key::Of("."), "Step one event"),
        (Key::Of(","), "Step back"),
        (Key::Of("n"), "Run to the next rebalance"),
        (Key::Of("+"), "Faster"),
        (Key::Of("−"), "Slower"),
        (Key::Of("a"), "Add a consumer"),
        (Key::Of("u"), "Undo"),
        (Key::Views, "Views"),
        (Key::Of("[ ]"), "Assignor lab: previous, next step"),
        (Key::Of("o"), "Scenarios"),
        (Key::Of("i"), "Incidents"),
        (Key::Of("s"), "Share: link, file, frame, report"),
        (Key::Of("t"), "Light or dark"),
        (Key::Of("Esc"), "Close what is open"),
        (Key::Of("?"), "This list"),
    ],
    dismiss: "Dismiss",
    not_a_number: |value| format!("\u{201c}{value}\u{201d} is not a whole number in range."),
    not_like: |value, example| format!("\u{201c}{value}\u{201d} does not have the form {example}."),
    forked: |until| {
        format!("You acted in the past: what was seen after it, up to {until}, is dropped.")
    },
    bad_act: |problem| format!("Nothing was done. {problem}."),
    bad_scenario: |problem| {
        format!("The scenario was not opened, and what runs goes on. {problem}.")
    },
    standing,
    stage_text,

    nothing_to_undo: "There is nothing to undo: Undo brings back the future that an act in the past has dropped.",
    slowest: "It does not go slower.",
    fastest: "It does not go faster.",
    same_strategy: "The group's consumers have this list already. Choose another one first.",

    time: "Time",
    why: "Why?",
    play: "Play",
    pause: "Pause",
    step_event: "Step one event",
    step_back: "Step back",
    next_rebalance: "Next rebalance",
    undo: "Undo",
    key_space: "space",
    scrubber: "Instant",
    speed: "Speed",
    slower: "Slower",
    faster: "Faster",
};

fn member_status(member: &Member) -> Cow<'static, str> {
    Cow::Borrowed(match member.life {
        Life::Frozen => "frozen",
        Life::Closing => "closing",
        Life::Stopped(StopCause::Killed) if member.is_known => "killed, not noticed yet",
        Life::Stopped(StopCause::Killed) => "killed",
        Life::Stopped(StopCause::Closed) if member.is_known => "closed, place kept",
        Life::Stopped(StopCause::Closed) => "closed",
        Life::Stopped(StopCause::Failed) => match &member.thrown {
            Some(exception) => return format!("ended by {}", exception.name()).into(),
            None => "ended by an exception",
        },
        Life::Running => match (member.phase, member.state) {
            (Phase::Processing, _) => "processing",
            (Phase::Committing, _) => "committing",
            (Phase::Callback, _) => "in callback",
            (Phase::Closing, _) => "closing",
            (Phase::Idle, _) => "between polls",
            (Phase::Joining, _)
            | (
                Phase::Polling,
                MemberState::PreparingRebalance | MemberState::CompletingRebalance,
            ) => "blocked in join",
            (Phase::Polling, _) => "polling",
        },
    })
}

const fn label(label: Label) -> &'static str {
    match label {
        Label::State => "state",
        Label::MemberState => "client's state",
        Label::Phase => "phase",
        Label::ClientId => "client.id",
        Label::MemberId => "member id",
        Label::InstanceId => "group.instance.id",
        Label::Generation => "generation",
        Label::Assignor => "assignor",
        Label::Leader => "leader",
        Label::Coordinator => "coordinates",
        Label::CoordinatedBy => "coordinator",
        Label::Members => "members",
        Label::Owned => "owns",
        Label::Owner => "owner",
        Label::InHand => "records in hand",
        Label::LogStart => "log start",
        Label::HighWatermark => "high watermark",
        Label::LogEnd => "log end",
        Label::Committed => "committed",
        Label::Position => "position",
        Label::Lag => "committed lag",
        Label::Delivered => "delivered",
        Label::Duplicates => "duplicates",
        Label::Forwarded => "sent to a retry topic",
        Label::Unowned => "time without an owner",
        Label::Rebalances => "rebalances",
        Label::StopTheWorld => "stood still for",
        Label::Rate => "rate",
        Label::Size => "size",
        Label::Written => "written",
        Label::Partitions => "partitions",
        Label::Leads => "leads",
        Label::Process => "process",
        Label::OfRecord(name) => name,
        Label::Key => "key",
    }
}

fn value(label: Label, value: &str) -> String {
    match label {
        Label::Unowned | Label::StopTheWorld => format!("{} s", seconds(value)),
        Label::Coordinator if value.is_empty() => "no group".to_string(),
        Label::CoordinatedBy => format!("broker {value}"),
        _ => value.to_string(),
    }
}

/// Members that a sentence names; of the others it says how many there are.
const NAMED_MOST: usize = 8;

/// How a group stands, in a few sentences.
fn standing(group: &Group) -> String {
    let mut text = format!(
        "{} is {}, generation {}",
        group.id,
        group.state.name(),
        group.generation
    );
    let holders: Vec<_> = group
        .members
        .iter()
        .filter(|member| !member.partitions.is_empty())
        .collect();
    let named: Vec<_> = holders
        .iter()
        .take(NAMED_MOST)
        .map(|member| {
            let owned = member.partitions.iter().map(|chip| &chip.partition);
            format!("{} owns {}", member.actor, by_topic(owned))
        })
        .collect();
    if !named.is_empty() {
        text.push_str(&format!(": {}", named.join("; ")));
    }
    if holders.len() > named.len() {
        text.push_str(&format!("; and {} more", holders.len() - named.len()));
    }
    text.push('.');
    if !group.unowned.is_empty() {
        let unowned = group.unowned.iter().map(|waiting| &waiting.partition);
        text.push_str(&format!(" Unowned: {}.", by_topic(unowned)));
    }
    match group.duplicates {
        0 => {}
        1 => text.push_str(" 1 duplicate so far."),
        count => text.push_str(&format!(" {} duplicates so far.", grouped(count))),
    }
    text
}

/// Everything on the stage, a sentence per thing.
fn stage_text(stage: &Stage) -> Vec<String> {
    let mut lines: Vec<String> = stage.groups.iter().map(|group| standing(group)).collect();
    for group in stage.groups.iter() {
        lines.extend(group.members.iter().map(|member| {
            let session = member.session.map(|left| {
                format!(
                    " Its session ends in {} s without a heartbeat.",
                    left.left_s
                )
            });
            format!(
                "{}, {}: {}.{}",
                group.id,
                member.actor,
                member_status(member),
                session.unwrap_or_default()
            )
        }));
        lines.extend(group.unowned.iter().map(|waiting| {
            format!(
                "{}: nobody owns {} for {}.{} s now: {}.",
                group.id,
                waiting.partition,
                waiting.waited_tenths / 10,
                waiting.waited_tenths % 10,
                (ENGLISH.unowned_cause)(waiting.cause)
            )
        }));
    }
    lines.extend(stage.lone.iter().map(|member| {
        let owned = member.partitions.iter().map(|chip| &chip.partition);
        format!(
            "{}, without a group: {}. It reads {}.",
            member.actor,
            member_status(member),
            by_topic(owned)
        )
    }));
    for broker in stage.brokers.iter() {
        lines.extend(broker.lanes.iter().map(|lane| {
            let marks = lane.marks.iter().map(|mark| match mark.committed {
                Some(committed) => format!(
                    "; {} committed {}, lag {}",
                    mark.readers,
                    grouped(committed),
                    grouped(lane.high_watermark - committed)
                ),
                None => format!("; {} committed nothing", mark.readers),
            });
            format!(
                "Broker {} leads {}: high watermark {}{}.",
                broker.id.0,
                lane.partition,
                grouped(lane.high_watermark),
                marks.collect::<String>()
            )
        }));
    }
    lines.extend(stage.producers.iter().map(|producer| {
        let what = if producer.is_running {
            format!("writes {} records/s", producer.rate)
        } else {
            "is stopped".to_string()
        };
        format!(
            "Producer {} {what}; {} written.",
            producer.actor,
            grouped(producer.acknowledged)
        )
    }));
    lines
}
