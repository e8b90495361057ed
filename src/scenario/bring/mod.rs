//! Bring your own: a scenario from what a reader has at hand. `consumer.properties`, the `spring.kafka` part of a
//! Spring Boot configuration (as YAML or as properties), or the output of `kafka-consumer-groups.sh --describe`
//! (also with `--members`, `--verbose`, `--state`, one after the other).
//!
//! Reads what anybody may have pasted: nothing here panics on input, and sizes are bounded. What cannot be used is
//! listed with its line and the reason; what the text does not say and a scenario needs is listed as assumed.
//!
//! YAML is read by a strict reader of a subset: maps by indentation, plain and quoted values, comments. Lists,
//! anchors, values over several lines and maps or lists in brackets are listed as not used.

mod client;
mod describe;
mod known;
mod lines;
mod spring;
mod texts;

use super::{BadScenario, Complaint, Document};
use crate::kafka::config::ConfigError;
use crate::kafka::sorted::sort_by;
use crate::world::World;
use serde_json::Value;
use std::borrow::Cow;
use std::rc::Rc;

/// Longest text in bytes.
pub const BROUGHT_MAX_BYTES: usize = 1 << 18;
/// Lines that are looked at.
const LINES_MAX: usize = 5_000;
/// Lines that are listed as not used.
const UNUSED_MAX: usize = 100;
/// Consumers that are made at most.
const CONSUMERS_MAX: i64 = 200;

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BroughtKind {
    /// A client's properties.
    Properties,
    /// A Spring Boot configuration.
    Spring,
    /// What `kafka-consumer-groups.sh --describe` prints.
    Describe,
}

/// A line that could not be used, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unused {
    /// Its number, from 1.
    pub line: usize,
    /// What stands there, shortened.
    pub text: Rc<str>,
    /// Why.
    pub why: WhyUnused,
}

/// Why a line could not be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhyUnused {
    /// It is neither a setting nor a row.
    NotUnderstood,
    /// A form that this reader of YAML does not read.
    YamlForm,
    /// Kafka has no such configuration.
    UnknownName,
    /// Kafka has it; here nothing depends on it.
    NotSimulated,
    /// Kafka refuses the value.
    Refused(ConfigError),
    /// The value cannot be known: it is filled in elsewhere (`${…}`).
    Placeholder,
    /// It is said twice; the later one counts.
    SaidAgain,
    /// Spring acknowledges in another way than the model of the application can.
    AckMode,
    /// There is no group, or no topic and partition, in the row.
    NoPartition,
    /// It is more than a scenario takes.
    TooMuch,
}

/// What a text does not say, and a scenario needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Assumed {
    /// A topic of this name with so many partitions.
    Topic(Rc<str>, i64),
    /// So many consumers.
    Consumers(i64),
    /// This `group.id`.
    Group(Rc<str>),
    /// So many records a second, evenly over the partitions of each topic.
    Traffic(i64),
    /// So many brokers.
    Brokers(i64),
    /// Logs reach back only so many records below where the group stands.
    ShortLogs(i64),
    /// Spring takes `enable.auto.commit=false` and commits after each batch unless it is told otherwise.
    SpringCommits,
}

/// A scenario that was made of a text.
#[derive(Clone, PartialEq, Debug)]
pub struct Brought {
    /// What the text was taken for.
    pub kind: BroughtKind,
    /// The scenario's file.
    pub file: Value,
    /// Lines that went into it.
    pub used: usize,
    /// Lines that did not.
    pub unused: Vec<Unused>,
    /// How many more there are.
    pub more_unused: usize,
    /// What was added.
    pub assumed: Vec<Assumed>,
}

impl Brought {
    /// Looks whether the file can be run: Kafka refuses some configurations that go ill together.
    ///
    /// # Errors
    /// With what it would be refused for.
    pub fn check(&self) -> Result<(), BadScenario> {
        let scenario = Document::parse(&self.file.to_string())?.scenario(None)?;
        World::new(scenario.setup)
            .map(|_| ())
            .map_err(|refusal| BadScenario::whole(Complaint::Refused(refusal)))
    }
}

/// Why no scenario was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotBrought {
    /// There is nothing in the text.
    Empty,
    /// It is too long.
    TooLong,
    /// It is none of the three.
    Unknown,
}

/// What has become of the lines.
#[derive(Default)]
struct Tally {
    used: usize,
    unused: Vec<Unused>,
    more: usize,
    assumed: Vec<Assumed>,
}

impl Tally {
    fn refuse(&mut self, line: usize, text: &str, why: WhyUnused) {
        const SHOWN: usize = 120;
        if self.unused.len() >= UNUSED_MAX {
            self.more += 1;
            return;
        }
        let text = without_secret(text.trim());
        let mut shown: String = text.chars().take(SHOWN).collect();
        if text.chars().count() > SHOWN {
            shown.push('…');
        }
        let text = shown.into();
        self.unused.push(Unused { line, text, why });
    }
}

/// A line that names a secret, without what follows the name: the page may stand on a projector.
fn without_secret(line: &str) -> Cow<'_, str> {
    const SECRETS: [&str; 4] = ["password", "secret", "jaas", "token"];
    let Some((name, _)) = line.split_once(['=', ':']) else {
        return Cow::Borrowed(line);
    };
    let lower = name.to_ascii_lowercase();
    match SECRETS.iter().any(|secret| lower.contains(secret)) {
        true => Cow::Owned(format!("{name}=…")),
        false => Cow::Borrowed(line),
    }
}

/// Makes a scenario of a text.
///
/// # Errors
/// If there is nothing to make one of.
pub fn bring(text: &str) -> Result<Brought, NotBrought> {
    if text.len() > BROUGHT_MAX_BYTES {
        return Err(NotBrought::TooLong);
    }
    if text.trim().is_empty() {
        return Err(NotBrought::Empty);
    }
    let mut tally = Tally::default();
    if text.lines().count() > LINES_MAX {
        let first_left = text.lines().nth(LINES_MAX).unwrap_or_default();
        tally.refuse(LINES_MAX + 1, first_left, WhyUnused::TooMuch);
    }
    let (kind, file) = if describe::is_description(text) {
        (BroughtKind::Describe, describe::scenario(text, &mut tally))
    } else {
        let settings = match lines::is_yaml(text) {
            true => lines::yaml(text, &mut tally),
            false => lines::properties(text, &mut tally),
        };
        match spring::is_spring(&settings) {
            true => {
                let found = spring::client(settings, &mut tally);
                (BroughtKind::Spring, client::scenario(found, &mut tally))
            }
            false => {
                let found = client::properties(settings, &mut tally);
                (BroughtKind::Properties, client::scenario(found, &mut tally))
            }
        }
    };
    let file = file.filter(|_| tally.used > 0).ok_or(NotBrought::Unknown)?;
    sort_by(&mut tally.unused, |left, right| left.line.cmp(&right.line));
    Ok(Brought {
        kind,
        file,
        used: tally.used,
        unused: tally.unused,
        more_unused: tally.more,
        assumed: tally.assumed,
    })
}
