//! Texts of the view of messages and of a message taken apart.

use crate::view::messages::VersionRange;
use crate::view::messages::capture::{CaptureProblem, Remark};
use crate::view::messages::fields::Unreadable;
use crate::view::messages::filter::FilterProblem;

/// The texts.
#[allow(missing_docs)]
pub struct MessagesTexts {
    // What is shown
    pub apis: &'static str,
    pub group_protocol: &'static str,
    pub all_apis: &'static str,
    pub side: &'static str,
    pub everybody: &'static str,
    pub only_errors: &'static str,
    pub filter: &'static str,
    pub filter_help: fn(&[&str]) -> String,
    pub filter_problem: fn(&FilterProblem) -> String,
    pub none_fit: &'static str,
    pub searched: fn(usize) -> String,
    pub older: &'static str,
    pub newer: &'static str,
    pub follow: &'static str,
    pub closer: &'static str,
    pub farther: &'static str,

    // Over time
    pub diagram: fn(usize, usize) -> String,
    pub fold: fn(i64) -> String,
    pub left_out: fn(usize) -> String,
    pub lost: &'static str,
    pub list: &'static str,
    pub list_hint: &'static str,
    pub sent: &'static str,
    pub way: fn(&str, i32) -> String,
    pub way_back: fn(i32, &str) -> String,
    pub correlation_id: &'static str,
    pub bytes: &'static str,
    pub on_its_way: &'static str,
    pub answer_bytes: fn(usize) -> String,

    // One message
    pub title: fn(&str, bool) -> String,
    pub request: &'static str,
    pub answer: &'static str,
    pub not_answered: &'static str,
    pub fields: &'static str,
    pub bytes_of_message: &'static str,
    pub copy_hex: &'static str,
    pub copied: &'static str,
    pub copy_by_hand: &'static str,
    pub first_fields: fn(usize) -> String,
    pub more_bytes: fn(usize) -> String,
    pub elements: fn(usize) -> String,
    pub byte_count: fn(usize) -> String,
    pub unreadable: fn(&Unreadable) -> String,
    pub version: fn(i16, &str, i16, &str, VersionRange) -> String,
    pub connection: fn(u64) -> String,
    pub connection_versions: &'static str,
    pub client_speaks: &'static str,
    pub broker_speaks: &'static str,
    pub picked: &'static str,

    // Capture files
    pub save: &'static str,
    pub save_text: &'static str,
    pub open: &'static str,
    pub paste: &'static str,
    pub paste_text: &'static str,
    pub read: &'static str,
    pub ours: &'static str,
    pub theirs: fn(&str) -> String,
    pub close_capture: &'static str,
    pub remark: fn(&Remark) -> String,
    pub capture_problem: fn(&CaptureProblem) -> String,
    pub unknown_api: &'static str,
    pub of_many: fn(usize, usize) -> String,
}
