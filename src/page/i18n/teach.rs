//! Texts for whoever teaches: stops.

use super::Key;
use crate::view::timebar::Stop;

/// The texts.
#[allow(missing_docs)]
pub struct TeachTexts {
    /// Keys that these things have.
    pub keys: &'static [(Key, &'static str)],

    // Stops
    pub stops: &'static str,
    pub stops_set: fn(usize) -> String,
    pub stops_title: &'static str,
    pub stops_text: &'static str,
    pub stop: fn(&Stop) -> String,
    pub next: fn(&Stop) -> String,
    pub lag_above: &'static str,
    pub topic: &'static str,
    pub partition: &'static str,
    pub records: &'static str,
    pub add_stop: &'static str,
    pub no_stops: &'static str,
    pub searching: fn(&Stop) -> String,
    pub stopped: fn(&Stop) -> String,
    pub found: fn(&Stop) -> String,
    pub not_found: fn(&Stop, i64) -> String,
    pub go_on: &'static str,
}
