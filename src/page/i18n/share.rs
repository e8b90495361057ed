//! Texts of sharing: links, files, frames, reports of differences.

use crate::scenario::BadLink;

/// The texts.
#[allow(missing_docs)]
pub struct ShareTexts {
    pub lead: fn(&str) -> String,
    pub link: &'static str,
    pub copy: &'static str,
    pub copied: &'static str,
    pub copy_by_hand: &'static str,
    pub length: fn(i64) -> String,
    pub too_long: fn(i64, i64) -> String,
    pub hash: &'static str,
    pub hash_text: &'static str,
    pub facts: fn(i64) -> String,
    pub computing: &'static str,
    pub file: &'static str,
    pub file_text: &'static str,
    pub save: &'static str,
    pub edit: &'static str,
    pub edit_text: &'static str,
    pub edited_file: &'static str,
    pub start_edited: &'static str,
    pub frame: &'static str,
    pub frame_text: &'static str,
    pub copy_frame: &'static str,
    pub report: &'static str,
    pub report_text: &'static str,
    pub difference: &'static str,
    pub save_report: &'static str,
    pub bad_link: fn(&BadLink) -> String,
    pub changed: &'static str,
}
