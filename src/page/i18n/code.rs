//! Texts of the client's log and code, and of what is built from a reader's own configuration.

use crate::scenario::bring::{Assumed, BroughtKind, NotBrought, WhyUnused};
use crate::view::client_code::Note;

/// The texts.
#[allow(missing_docs)]
pub struct CodeTexts {
    // The log
    pub client_log: &'static str,
    pub coordinator_log: &'static str,
    pub no_lines: &'static str,
    pub older_lines: fn(u64) -> String,
    pub debug_lines: &'static str,
    pub copy_log: &'static str,

    // The code
    pub code: &'static str,
    pub language: &'static str,
    pub copy_code: &'static str,
    pub copied: &'static str,
    pub not_copied: &'static str,
    pub note: fn(&Note) -> String,

    // Bring your own
    pub bring: &'static str,
    pub bring_lead: &'static str,
    pub bring_text: &'static str,
    pub bring_file: &'static str,
    pub bring_open: &'static str,
    pub bring_kind: fn(BroughtKind) -> &'static str,
    pub used_lines: fn(usize) -> String,
    pub unused_lines: &'static str,
    pub all_used: &'static str,
    pub more_unused: fn(usize) -> String,
    pub line: fn(usize) -> String,
    pub assumed_lead: &'static str,
    pub assumed: fn(&Assumed) -> String,
    pub why_unused: fn(&WhyUnused) -> String,
    pub not_brought: fn(NotBrought) -> &'static str,
}
