//! Texts for whoever teaches: stops, the trainer's mode, pictures.

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

    // The trainer's mode
    pub trainer: &'static str,
    pub instants: &'static str,
    pub keep_instant: fn(usize) -> String,
    pub go_to_instant: fn(&str) -> String,
    pub nothing_kept: fn(usize) -> String,
    pub forget_instants: &'static str,
    pub cover: &'static str,
    pub reveal: &'static str,
    pub pointer: &'static str,
    pub hide_views: &'static str,
    pub leave: &'static str,

    // Menu, pictures
    pub menu: &'static str,
    pub pictures: &'static str,
    pub stage_picture: &'static str,
    pub view_picture: &'static str,
    pub whole_picture: &'static str,
    pub no_picture: fn(&str) -> String,
    pub print: &'static str,
    pub modelled: &'static str,
}
