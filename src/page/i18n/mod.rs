//! Every text of the page, as one struct per language: what is missing does not compile.
//!
//! Plain texts are fields; texts with something in them are functions with typed arguments. Kafka's
//! own names (states, errors, configurations, APIs) are not translated. No sentence is glued from
//! parts elsewhere. A third language is one more file and one more line in [`Language`].

mod admin;
mod brush;
mod case;
mod case_en;
mod case_ko;
mod code;
mod code_en;
mod code_ko;
mod en;
mod en_admin;
mod en_events;
mod ko;
mod ko_admin;
mod ko_events;
mod ko_form;
mod lab;
mod lab_en;
mod lab_ko;
mod messages;
mod messages_en;
mod messages_ko;
mod share;
mod share_en;
mod share_ko;
mod teach;
mod teach_en;
mod teach_ko;
mod terms;
mod terms_en;
mod terms_ko;
mod tools;

pub use admin::AdminTexts;
pub use brush::BrushTexts;
pub use case::CaseTexts;
pub use code::CodeTexts;
pub use lab::LabTexts;
pub use messages::MessagesTexts;
pub use share::ShareTexts;
pub use teach::TeachTexts;
pub use terms::Term;
pub use tools::{Disturbance, ToolTexts};

use crate::kafka::ids::{ActorName, GroupId, TopicName, TopicPartition};
use crate::kafka::time::Instant;
use crate::scenario::{BadScenario, Text};
use crate::view::event::Event;
use crate::view::inspect::{Label, ThingKind};
use crate::view::panel::{EventFilter, Tab};
use crate::view::stage::{Group, Member, Stage};
use crate::view::{DuplicateCause, UnownedCause};
use crate::world::command::Refusal;
use std::borrow::Cow;

/// A language of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Korean.
    Korean,
}

impl Language {
    /// Its texts.
    pub fn catalogue(self) -> &'static Catalogue {
        match self {
            Language::English => &en::ENGLISH,
            Language::Korean => &ko::KOREAN,
        }
    }

    /// Its texts for whoever teaches.
    pub fn teach(self) -> &'static TeachTexts {
        match self {
            Language::English => &teach_en::ENGLISH,
            Language::Korean => &teach_ko::KOREAN,
        }
    }

    /// Its name in itself.
    pub const fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Korean => "한국어",
        }
    }

    /// Its tag by BCP 47.
    pub const fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Korean => "ko",
        }
    }

    /// The next language of the switch.
    pub const fn other(self) -> Language {
        match self {
            Language::English => Language::Korean,
            Language::Korean => Language::English,
        }
    }

    /// The text of a scenario in this language.
    pub fn of(self, text: &Text) -> String {
        match self {
            Language::English => text.en.to_string(),
            Language::Korean => text.ko.to_string(),
        }
    }

    /// The language for a browser's or a stored tag, such as `ko-KR`.
    pub fn from_tag(tag: &str) -> Language {
        if tag.to_ascii_lowercase().starts_with("ko") {
            Language::Korean
        } else {
            Language::English
        }
    }
}

/// The texts.
#[allow(missing_docs)]
pub struct Catalogue {
    /// Their language.
    pub language: Language,

    // Numbers and times
    pub count: fn(i64) -> String,
    pub clock: fn(Instant) -> String,
    pub tenths: fn(i64) -> String,
    pub per_second: fn(&str) -> String,
    pub at_most_seconds: fn(i64) -> String,

    // What happens
    pub event: fn(&Event) -> String,
    pub refusal: fn(&Refusal) -> String,

    // Parts and files that are fetched
    pub incidents: &'static str,
    pub to_share: &'static str,
    pub to_page: &'static str,
    pub fetching: &'static str,
    pub not_fetched: fn(&str) -> String,

    // Head
    pub theme: &'static str,
    pub keys: &'static str,

    // Stage
    pub stage: &'static str,
    pub producers: &'static str,
    pub cluster: &'static str,
    pub groups: &'static str,
    pub topic_partitions: fn(&TopicName, usize) -> String,
    pub broker: fn(i32) -> String,
    pub coordinator_of: fn(&GroupId) -> String,
    pub group_named: fn(&GroupId) -> String,
    pub lone: &'static str,
    pub lone_text: &'static str,
    pub start: &'static str,
    pub stop: &'static str,
    pub stopped: &'static str,
    pub in_accumulator: &'static str,
    pub in_flight: &'static str,
    pub acknowledged: &'static str,
    pub failed: &'static str,
    pub committed: &'static str,
    pub position: &'static str,
    pub high_watermark: &'static str,
    pub high_watermark_short: &'static str,
    pub lag: &'static str,
    pub legend_risk: &'static str,
    pub legend_waiting: &'static str,
    pub unowned: &'static str,
    pub unowned_cause: fn(UnownedCause) -> &'static str,
    pub all_owned: &'static str,
    pub duplicates: &'static str,
    pub generation: &'static str,
    pub assignor: &'static str,
    pub leader: &'static str,
    pub term: fn(Term) -> (&'static str, &'static str),
    pub glossary: &'static str,
    pub member_status: fn(&Member) -> Cow<'static, str>,
    pub instance_named: fn(&str) -> String,
    pub no_member_id: &'static str,
    pub session: &'static str,
    pub poll: &'static str,
    pub owned_partitions: &'static str,

    // Actions
    pub act_on: fn(&str, &ActorName) -> String,
    pub add_consumer: &'static str,
    pub close: &'static str,
    pub kill: &'static str,
    pub freeze: &'static str,
    pub thaw: &'static str,
    pub restart: &'static str,

    // Views, inspector, sheets
    pub views: &'static str,
    pub tab: fn(Tab) -> &'static str,
    pub axis_seconds: fn(i64) -> String,
    pub group: &'static str,
    pub partition: &'static str,
    pub owner: &'static str,
    pub ownership_text: fn(u64, i64) -> String,
    pub rebalances_so_far: fn(u64) -> String,
    pub paused_so_far: fn(i64) -> String,
    pub key_owned: &'static str,
    pub key_unowned: &'static str,
    pub key_paused: &'static str,
    pub lag_text: fn(i64) -> String,
    pub committed_lag: &'static str,
    pub position_lag: &'static str,
    pub processing_lag: &'static str,
    pub sum: &'static str,
    pub show_events: &'static str,
    pub event_filter: fn(EventFilter) -> &'static str,
    pub no_events: &'static str,
    pub views_height: &'static str,
    pub delivered: &'static str,
    pub duplicate_deliveries: &'static str,
    pub done: &'static str,
    pub duplicate_processings: &'static str,
    pub in_doubt: &'static str,
    pub skipped: &'static str,
    pub no_duplicates: &'static str,
    pub when: &'static str,
    pub offsets: &'static str,
    pub records: &'static str,
    pub again_to: &'static str,
    pub cause: &'static str,
    pub range: fn(i64, i64) -> String,
    pub duplicate_cause: fn(DuplicateCause) -> &'static str,
    pub group_table: &'static str,
    pub inspector: &'static str,
    pub close_inspector: &'static str,
    pub thing_title: fn(&ThingKind, &str) -> String,
    pub label: fn(Label) -> &'static str,
    pub value: fn(Label, &str) -> String,
    pub configuration: &'static str,
    pub counts_from_next_start: &'static str,
    pub more_configurations: &'static str,
    pub program: &'static str,
    pub time_per_record: &'static str,
    pub commits: &'static str,
    pub commit_style: fn(&str) -> &'static str,
    pub static_member: &'static str,
    pub stall_for: fn(i64) -> String,
    pub rate: &'static str,
    pub per_second_unit: &'static str,
    pub different_keys: &'static str,
    pub no_keys: &'static str,
    pub hot_key: &'static str,
    pub record_size: &'static str,
    pub bytes: &'static str,
    pub rolling_change: &'static str,
    pub full_restart: &'static str,
    pub add_partitions: &'static str,
    pub partitions_in_all: &'static str,
    pub choose_something: &'static str,
    pub try_this: &'static str,
    pub try_kill: fn(&ActorName) -> String,
    pub try_kill_text: &'static str,
    pub try_add_text: &'static str,
    pub try_slow: fn(&ActorName) -> String,
    pub try_slow_text: &'static str,
    pub scenarios: &'static str,
    pub open_file: &'static str,
    pub save_file: &'static str,
    pub broken_title: &'static str,
    pub broken_text: &'static str,
    pub close_sheet: &'static str,
    pub unreadable_file: &'static str,
    pub key_list: &'static [(Key, &'static str)],
    pub dismiss: &'static str,
    pub not_a_number: fn(&str) -> String,
    pub not_like: fn(&str, &str) -> String,
    pub forked: fn(String) -> String,
    pub bad_scenario: fn(&BadScenario) -> String,
    pub bad_act: fn(&BadScenario) -> String,
    pub standing: fn(&Group) -> String,
    pub stage_text: fn(&Stage) -> Vec<String>,

    // Why a button does nothing now
    pub nothing_to_undo: &'static str,
    pub slowest: &'static str,
    pub fastest: &'static str,
    pub same_strategy: &'static str,

    // Time
    pub time: &'static str,
    pub why: &'static str,
    pub play: &'static str,
    pub pause: &'static str,
    pub step_event: &'static str,
    pub step_back: &'static str,
    pub next_rebalance: &'static str,
    pub undo: &'static str,
    pub key_space: &'static str,
    pub scrubber: &'static str,
    pub speed: &'static str,
    pub slower: &'static str,
    pub faster: &'static str,
}

/// The texts of parts of the page that are fetched when they are needed, each beside its part.
impl Catalogue {
    /// Incidents, two runs, a record's life, the ledger's windows.
    pub fn case(&self) -> &'static CaseTexts {
        self.pick(&case_en::ENGLISH, &case_ko::KOREAN)
    }

    /// The assignor lab.
    pub fn lab(&self) -> &'static LabTexts {
        self.pick(&lab_en::ENGLISH, &lab_ko::KOREAN)
    }

    /// Administrators and programs.
    pub fn admin(&self) -> &'static AdminTexts {
        self.pick(&en_admin::ENGLISH, &ko_admin::KOREAN)
    }

    /// Messages.
    pub fn messages(&self) -> &'static MessagesTexts {
        self.pick(&messages_en::ENGLISH, &messages_ko::KOREAN)
    }

    /// What else a program may call, and what may befall its messages.
    pub fn tools(&self) -> &'static ToolTexts {
        self.pick(&tools::ENGLISH, &tools::KOREAN)
    }

    /// Logs and code of clients, and what is built from a reader's own configuration.
    pub fn code(&self) -> &'static CodeTexts {
        self.pick(&code_en::ENGLISH, &code_ko::KOREAN)
    }

    /// Links, files, frames, reports.
    pub fn share(&self) -> &'static ShareTexts {
        self.pick(&share_en::ENGLISH, &share_ko::KOREAN)
    }

    /// Choosing a window on the time bar.
    pub fn brush(&self) -> &'static BrushTexts {
        self.pick(&brush::ENGLISH, &brush::KOREAN)
    }

    fn pick<T>(&self, english: &'static T, korean: &'static T) -> &'static T {
        match self.language {
            Language::English => english,
            Language::Korean => korean,
        }
    }
}

/// What is pressed, in the list of keys.
#[derive(Clone, Copy)]
pub enum Key {
    /// This key.
    Of(&'static str),
    /// The digits that open the views.
    Views,
}

/// `orders 0, 1, 2; audit 0`: partitions, by topic.
fn by_topic<'a>(partitions: impl Iterator<Item = &'a TopicPartition>) -> String {
    let mut text = String::new();
    let mut topic = None;
    for partition in partitions {
        let number = partition.partition.to_string();
        if topic == Some(&partition.topic) {
            text.push_str(", ");
        } else {
            text.push_str(if topic.is_some() { "; " } else { "" });
            text.push_str(partition.topic.as_str());
            text.push(' ');
        }
        text.push_str(&number);
        topic = Some(&partition.topic);
    }
    text
}

/// `1234567` as `1,234,567`.
fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 {
        format!("−{text}")
    } else {
        text
    }
}

/// A bound of what a field takes: times, which the engine counts in µs, in the ms that the field has.
fn bound(what: &str, number: i64) -> String {
    let is_time = what.ends_with("_ms");
    match (is_time, number % 1_000) {
        (false, _) => grouped(number),
        (true, 0) => grouped(number / 1_000),
        (true, rest) => format!("{}.{:03}", grouped(number / 1_000), rest),
    }
}

/// Milliseconds as text, such as `9234.5`, as seconds with one decimal.
fn seconds(ms: &str) -> String {
    let whole = ms
        .split('.')
        .next()
        .and_then(|whole| whole.parse::<i64>().ok());
    whole.map_or_else(
        || ms.to_string(),
        |ms| format!("{}.{}", ms / 1_000, ms / 100 % 10),
    )
}

/// Virtual time as `1:02.345`, minutes and seconds; hours where there are any.
fn clock(at: Instant) -> String {
    let sign = if at.0 < 0 { "−" } else { "" };
    let ms = at.0.unsigned_abs() / 1_000;
    let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
    let rest = ms % 1_000;
    if hours > 0 {
        format!("{sign}{hours}:{minutes:02}:{seconds:02}.{rest:03}")
    } else {
        format!("{sign}{minutes}:{seconds:02}.{rest:03}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(-1_000), "−1,000");
    }

    #[test]
    fn a_bound_is_said_in_the_unit_of_its_field() {
        assert_eq!(bound("hot_percent", 100), "100");
        assert_eq!(bound("size_bytes", 1_000_000), "1,000,000");
        assert_eq!(bound("for_ms", 1), "0.001");
        assert_eq!(bound("for_ms", 31_536_000_000_000), "31,536,000,000");
    }

    #[test]
    fn the_clock_shows_milliseconds() {
        assert_eq!(clock(Instant(18_489_000)), "0:18.489");
        assert_eq!(clock(Instant(3_723_004_000)), "1:02:03.004");
        assert_eq!(clock(Instant(-500_000)), "−0:00.500");
    }

    #[test]
    fn a_browsers_tag_chooses_the_language() {
        assert_eq!(Language::from_tag("ko-KR"), Language::Korean);
        assert_eq!(Language::from_tag("de"), Language::English);
    }
}
