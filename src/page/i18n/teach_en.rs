//! Texts for whoever teaches, in English.

use super::{Key, TeachTexts, grouped};
use crate::view::timebar::Stop;

/// The texts.
pub static ENGLISH: TeachTexts = TeachTexts {
    keys: &[
        (Key::Of("b"), "Stops: what time is to stop at"),
        (Key::Of("N"), "Run to the next of what was sought last"),
        (Key::Of("m"), "Trainer's mode"),
        (
            Key::Of("1 … 9"),
            "Trainer's mode: go to the instant kept there",
        ),
        (
            Key::Of("⇧ 1 … 9"),
            "Trainer's mode: keep this instant there",
        ),
        (Key::Of("h"), "Trainer's mode: hide or show the answer"),
        (Key::Of("p"), "Trainer's mode: pointer"),
        (Key::Of("v"), "Trainer's mode: stage only"),
        (Key::Of("d"), "What is modelled"),
    ],

    stops: "Stops",
    stops_set: |count| match count {
        1 => "1 stop set".to_string(),
        count => format!("{count} stops set"),
    },
    stops_title: "Stop when …",
    stops_text: "Time stops at exactly that instant, at any speed. The arrow runs to the next one.",
    stop,
    next: |stop| format!("Run until {}", stop_text(stop)),
    lag_above: "Lag rises above …",
    topic: "Topic",
    partition: "Partition",
    records: "Records",
    add_stop: "Add",
    no_stops: "Clear all",
    searching: |stop| format!("Running until {} …", stop_text(stop)),
    stopped: |stop| format!("Stopped: {}.", stop_text(stop)),
    found: |stop| format!("Here {}.", stop_text(stop)),
    not_found: |stop, minutes| {
        format!(
            "Not within the next {minutes} minutes: {}. Time stands where it stood.",
            stop_text(stop)
        )
    },
    go_on: "Go on",

    trainer: "Trainer's mode",
    instants: "Prepared instants",
    keep_instant: |digit| format!("Keep this instant (Shift+{digit})"),
    go_to_instant: |view| format!("Go to this instant: {view}"),
    nothing_kept: |digit| {
        format!("No instant is kept under {digit}. Shift+{digit} keeps the present one.")
    },
    forget_instants: "Forget all instants",
    cover: "Hide the answer",
    reveal: "Show the answer (h)",
    pointer: "Pointer",
    hide_views: "Stage only",
    leave: "Leave trainer's mode",

    menu: "More",
    pictures: "Picture for slides",
    stage_picture: "Stage",
    view_picture: "Open view",
    whole_picture: "Both",
    no_picture: |problem| format!("The picture was not made. The browser said: {problem}"),
    print: "Print",
    modelled: "What is modelled",
};

/// With a capital, for a list.
fn stop(stop: &Stop) -> String {
    let text = stop_text(stop);
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

fn stop_text(stop: &Stop) -> String {
    match stop {
        Stop::Rebalance => "a rebalance begins or ends".into(),
        Stop::LeavesStable => "a group leaves Stable".into(),
        Stop::Unowned => "a partition loses its owner".into(),
        Stop::Removed => "a member is removed from its group".into(),
        Stop::Duplicate => "a duplicate is delivered".into(),
        Stop::Commit => "an offset is committed".into(),
        Stop::Error => "a request is answered with an error".into(),
        Stop::Message => "a request or an answer is sent".into(),
        Stop::Lag { partition, above } => {
            format!("the lag of {partition} rises above {}", grouped(*above))
        }
    }
}
