//! Texts of the shelf of incidents, of the comparison of two runs, of a record's life and of the ledger's
//! windows.

use crate::scenario::Area;
use crate::view::Entry;
use crate::view::compare::Quantity;
use crate::view::panel::Figure;
use crate::world::command::Command;

/// The texts.
#[allow(missing_docs)]
pub struct CaseTexts {
    // The shelf
    pub shelf_lead: &'static str,
    pub to_shelf: &'static str,
    pub search: &'static str,
    pub found: fn(usize, usize) -> String,
    pub area: fn(Area) -> &'static str,
    pub open: &'static str,
    pub remedy: &'static str,
    pub no_remedy: &'static str,
    pub try_remedy: &'static str,

    // Two runs
    pub compare_lead: &'static str,
    pub variant: &'static str,
    pub assignor: &'static str,
    pub membership: &'static str,
    pub all_static: &'static str,
    pub all_dynamic: &'static str,
    pub one_more: &'static str,
    pub config: &'static str,
    pub config_name: &'static str,
    pub value: &'static str,
    pub of_consumers: &'static str,
    pub of_brokers: &'static str,
    pub as_default: &'static str,
    pub compare: &'static str,
    pub stop_comparing: &'static str,
    pub to_end: &'static str,
    pub this_run: &'static str,
    pub other_run: fn(&str) -> String,
    pub config_is: fn(&str, &str) -> String,
    pub is_behind: fn(String) -> String,
    pub refused_there: fn(&Command) -> String,
    pub quantity: fn(Quantity) -> String,
    pub here: &'static str,
    pub there: &'static str,
    pub difference: &'static str,
    pub equal: &'static str,
    pub where_apart: &'static str,
    pub find_apart: fn(&str) -> String,
    pub apart_at: fn(&str, String) -> String,
    pub length: fn(i64) -> String,
    pub strip_text: fn(&str) -> String,

    // A record's life
    pub life: &'static str,
    pub life_of: fn(i64) -> String,
    pub record_title: fn(&str, i64) -> String,
    pub life_of_record: &'static str,
    pub offset: &'static str,
    pub key: &'static str,
    pub no_life: &'static str,
    pub left_out: fn(u64) -> String,
    pub deed: fn(&Entry) -> String,

    // Windows
    pub window: &'static str,
    pub whole_run: &'static str,
    pub last_seconds: fn(i64) -> String,
    pub from_here: &'static str,
    pub counted_until: fn(String) -> String,
    pub window_text: fn(String, String) -> String,
    pub all_partitions: &'static str,
    pub figure: fn(Figure) -> &'static str,
}
