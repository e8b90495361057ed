//! English.

use super::en_events::{event, refusal};
use super::{Catalogue, clock, grouped, seconds};
use crate::view::inspect::{Label, ThingKind};
use crate::view::panel::Tab;
use crate::view::stage::{Life, Member, Phase, Stage};
use crate::view::{DuplicateCause, MemberState, StopCause, UnownedCause};

/// The English texts.
pub static ENGLISH: Catalogue = Catalogue {
    count: grouped,
    clock,
    tenths: |tenths| format!("{}.{} s", tenths / 10, tenths % 10),
    per_second: |rate| format!("{rate} records/s"),
    at_most_seconds: |seconds| format!("at most {seconds} s"),

    event,
    refusal,

    theme: "Light or dark",
    keys: "Keyboard",

    stage: "Stage",
    producers: "Producers",
    cluster: "Cluster",
    groups: "Consumer groups",
    topic_partitions: |topic, count| format!("{topic} · {count} partitions"),
    broker: |id| format!("broker {id}"),
    coordinator_of: |group| format!("coordinates {group}"),
    group_named: |group| format!("Consumer group {group}"),
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
        UnownedCause::EagerRevoke | UnownedCause::CooperativeHandOver => "paused by a rebalance",
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
        Tab::Lab => "Assignor lab",
        Tab::Table => "Group table",
    },
    axis_seconds: |seconds| format!("{seconds} s"),
    group: "group",
    partition: "partition",
    owner: "owner",
    ownership_text: |rebalances, tenths| {
        format!(
            "Ownership over time: {rebalances} rebalances, {}.{} partition-seconds without a reader.",
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
    paused_so_far: |tenths| format!("{}.{} partition-seconds lost", tenths / 10, tenths % 10),
    key_owned: "owned",
    key_paused: "paused by a rebalance",
    lag_text: |lag| format!("Lag over time. Committed lag in all: {lag} records."),
    committed_lag: "committed lag",
    position_lag: "position lag",
    processing_lag: "processing lag",
    sum: "all",
    show_stream: "Fetches, heartbeats and appends too",
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
        ThingKind::Broker => format!("broker {title}"),
        ThingKind::Event => "What led to it".to_string(),
        ThingKind::Topic { .. } => format!("topic {title}"),
        ThingKind::Group { .. } => format!("group {title}"),
        ThingKind::Consumer { .. } | ThingKind::Producer { .. } | ThingKind::Partition(_) => {
            title.to_string()
        }
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
        "sync-each" => "sync, per record",
        "async" => "async, after the batch",
        "before" => "before processing",
        "resend" => "async, naive resend",
        _ => "as configured",
    },
    dynamic_member: "dynamic member",
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
    key_list: &[
        ("space", "Play or pause"),
        (".", "Step one event"),
        (",", "Step back"),
        ("n", "Run to the next rebalance"),
        ("+", "Faster"),
        ("−", "Slower"),
        ("a", "Add a consumer"),
        ("u", "Undo"),
        ("1 … 6", "Views"),
        ("[ ]", "Assignor lab: previous, next step"),
        ("o", "Scenarios"),
        ("t", "Light or dark"),
        ("Esc", "Close what is open"),
        ("?", "This list"),
    ],
    dismiss: "Dismiss",
    not_a_number: |value| format!("\u{201c}{value}\u{201d} is not a whole number in range."),
    forked: |until| {
        format!("You acted in the past: what was seen after it, up to {until}, is dropped.")
    },
    bad_scenario: |problem| {
        format!("The scenario was not opened, and what runs goes on. {problem}.")
    },
    stage_text,

    lab: &super::lab_en::ENGLISH,

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

fn member_status(member: &Member) -> &'static str {
    match member.life {
        Life::Frozen => "frozen",
        Life::Closing => "closing",
        Life::Stopped(StopCause::Killed) if member.is_known => "killed, not noticed yet",
        Life::Stopped(StopCause::Killed) => "killed",
        Life::Stopped(StopCause::Closed) if member.is_known => "closed, place kept",
        Life::Stopped(StopCause::Closed) => "closed",
        Life::Stopped(StopCause::Failed) => "ended by an exception",
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
    }
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
        Label::Unowned => "time without an owner",
        Label::Rebalances => "rebalances",
        Label::StopTheWorld => "stood still for",
        Label::Rate => "rate",
        Label::Size => "size",
        Label::Written => "written",
        Label::Partitions => "partitions",
        Label::Leads => "leads",
        Label::Process => "process",
    }
}

fn value(label: Label, value: &str) -> String {
    match label {
        Label::Unowned | Label::StopTheWorld => format!("{} s", seconds(value)),
        Label::Coordinator if value.is_empty() => "no group".to_string(),
        _ => value.to_string(),
    }
}

fn stage_text(stage: &Stage) -> String {
    let mut text = format!(
        "{} brokers, {} producers. ",
        stage.brokers.len(),
        stage.producers.len()
    );
    for group in stage.groups.iter() {
        text.push_str(&format!(
            "Group {} is {}, generation {}. ",
            group.id,
            group.state.name(),
            group.generation
        ));
        for member in group.members.iter() {
            let owned: Vec<_> = member
                .partitions
                .iter()
                .map(|chip| chip.partition.to_string())
                .collect();
            let owned = if owned.is_empty() {
                "nothing".to_string()
            } else {
                owned.join(", ")
            };
            text.push_str(&format!(
                "{} ({}) owns {owned}. ",
                member.actor,
                member_status(member)
            ));
        }
        let unowned: Vec<_> = group
            .unowned
            .iter()
            .map(|waiting| waiting.partition.to_string())
            .collect();
        if !unowned.is_empty() {
            text.push_str(&format!("Unowned: {}. ", unowned.join(", ")));
        }
    }
    text
}
