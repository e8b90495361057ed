//! English texts of sharing.

use super::grouped;
use super::share::ShareTexts;
use crate::scenario::BadLink;

/// The English texts.
pub static ENGLISH: ShareTexts = ShareTexts {
    lead: |at| format!("What runs, all that was done in it, and this view, at {at}."),
    link: "Link",
    copy: "Copy link",
    copied: "Copied",
    copy_by_hand: "The browser does not let the page copy: select the text and copy it yourself.",
    length: |length| format!("{} characters", grouped(length)),
    too_long: |length, most| {
        format!(
            "The link would have {} characters. Not every browser and chat carries more than {}: \
             share the file instead.",
            grouped(length),
            grouped(most)
        )
    },
    hash: "Trace hash",
    hash_text: "Of everything that has happened up to this instant. Who opens the link and sees the same \
                hash sees the same run.",
    facts: |facts| format!("{} facts", grouped(facts)),
    computing: "computing…",
    file: "File",
    file_text: "The scenario with your acts and the instant. Open it here or drop it onto the page; \
                the program regroup runs it, too.",
    save: "Save file",
    edit: "Edit this scenario",
    edit_text: "Brokers, seed, timing, topics, clients, groups, logs and acts, yours too. It starts anew \
                from its first instant.",
    edited_file: "The scenario's file",
    start_edited: "Start it",
    frame: "Frame for an article",
    frame_text: "Stage and time bar at this instant, for your own page.",
    copy_frame: "Copy HTML",
    report: "Report a difference",
    report_text: "Does a real Kafka do something else? The file holds the scenario, your acts, the seed, the \
                  instant, the program's version and the trace hash. Add it to an issue of the project; \
                  nothing is sent from here.",
    difference: "What does a real Kafka do instead?",
    save_report: "Save report",
    bad_link: |bad| {
        let why = match bad {
            BadLink::TooLong { most } => {
                format!("it has more than {} characters", grouped_size(*most))
            }
            BadLink::Character { at, character } => {
                format!(
                    "character {at} after the # is \u{201c}{character}\u{201d}, which no link has"
                )
            }
            BadLink::Cut => {
                "its end is missing. It may have been cut off on its way: copy it again".to_string()
            }
            BadLink::Damaged => {
                "something in it has been changed on its way: copy it again".to_string()
            }
            BadLink::TooLarge { most } => {
                format!("it unfolds into more than {} bytes", grouped_size(*most))
            }
            BadLink::Format(format) => {
                format!("its format, {format}, is newer than this page: load the page again")
            }
            BadLink::Unknown(name) => {
                format!("there is no scenario \u{201c}{name}\u{201d} here")
            }
            BadLink::Content(bad) => bad.to_string(),
        };
        format!("The link was not opened, and what runs goes on: {why}.")
    },
    changed: "The scenario has changed since the link was made: what you see may differ from what was shared.",
};

fn grouped_size(size: usize) -> String {
    grouped(i64::try_from(size).unwrap_or(i64::MAX))
}
