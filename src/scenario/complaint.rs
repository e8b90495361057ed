//! Why a file is refused: where, and a sentence.

use super::expect::Field;
use crate::form::Wrong;
use crate::kafka::config::{ConfigError, Takes};
use crate::kafka::time::Instant;
use crate::world::command::Refusal;
use std::fmt;
use std::rc::Rc;

/// A file that is not a scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct BadScenario {
    /// Where in the file, such as `consumers[1].configs`. Empty: as a whole.
    pub path: String,
    /// In which of its variants, if it lies in a patch.
    pub variant: Option<Rc<str>>,
    /// What is wrong.
    pub complaint: Complaint,
}

impl BadScenario {
    /// The file as a whole, or whatever stands for it, is refused.
    pub fn whole(complaint: Complaint) -> Self {
        Self {
            path: String::new(),
            variant: None,
            complaint,
        }
    }
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Debug)]
pub enum Complaint {
    /// It is not JSON: the parser's own words.
    Syntax(String),
    /// It does not have the form of a scenario.
    Misfit(Wrong),
    /// It is too long.
    TooLong {
        /// Largest length in bytes.
        most: usize,
    },
    /// Another version of the format.
    Version(u32),
    /// There are too many of something.
    TooMany {
        /// Largest number of them.
        most: usize,
    },
    /// A number is out of its bounds.
    OutOfBounds {
        /// Smallest.
        least: i64,
        /// Largest.
        most: i64,
    },
    /// A time is out of its bounds.
    TimeOutOfBounds {
        /// Earliest, or shortest.
        least: Instant,
        /// Latest, or longest.
        most: Instant,
    },
    /// It would write more records than a run may have.
    TooManyRecords {
        /// Largest number of them.
        most: u64,
    },
    /// A name that nothing in the file has.
    Unknown {
        /// What should have the name.
        what: &'static str,
        /// The name.
        name: Rc<str>,
    },
    /// A name that two things have.
    Twice(Rc<str>),
    /// Several groups, and it is not said which.
    WhichGroup,
    /// Neither or both of two that exclude each other.
    OneOf(&'static str),
    /// Something that the expectation must say and does not.
    Missing(&'static str),
    /// A value that the field does not take.
    Takes {
        /// The field.
        field: Field,
        /// What it takes.
        takes: &'static str,
    },
    /// A field that the engine has no answer for yet.
    Unanswered(Field),
    /// Acts are not in the order of time.
    Order,
    /// Variants within a variant.
    NestedVariants,
    /// The world refuses it.
    Refused(Refusal),
}

impl fmt::Display for BadScenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(variant) = &self.variant {
            write!(f, "variant {variant}: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "{}", self.complaint)
    }
}

impl std::error::Error for BadScenario {}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Complaint::Syntax(words) => f.write_str(words),
            Complaint::Misfit(wrong) => wrong.fmt(f),
            Complaint::TooLong { most } => write!(f, "a scenario has at most {most} bytes"),
            Complaint::Version(version) => write!(
                f,
                "version {version} of the format is unknown; this program reads version {}",
                super::file::VERSION
            ),
            Complaint::TooMany { most } => write!(f, "there may be at most {most}"),
            Complaint::OutOfBounds { least, most } => {
                write!(f, "the number must lie between {least} and {most}")
            }
            Complaint::TimeOutOfBounds { least, most } => {
                write!(f, "the time must lie between {least} and {most} ms")
            }
            Complaint::TooManyRecords { most } => {
                write!(f, "a run may write at most {most} records")
            }
            Complaint::Unknown { what, name } => write!(f, "there is no {what} {name:?}"),
            Complaint::Twice(name) => write!(f, "the name {name:?} is taken"),
            Complaint::WhichGroup => {
                f.write_str("the file speaks of several groups (or none): say which is meant")
            }
            Complaint::OneOf(names) => write!(f, "say exactly one of {names}"),
            Complaint::Missing(name) => write!(f, "it must say {name:?}"),
            Complaint::Takes { field, takes } => write!(f, "\"{field}\" takes {takes}"),
            Complaint::Unanswered(field) => write!(
                f,
                "the engine has no answer for \"{field}\" yet, so it cannot be checked"
            ),
            Complaint::Order => f.write_str("acts must stand in the order of time"),
            Complaint::NestedVariants => f.write_str("a variant cannot have variants"),
            Complaint::Refused(refusal) => f.write_str(&sentence(refusal)),
        }
    }
}

/// The refusal of a command or a setup in words.
pub fn sentence(refusal: &Refusal) -> String {
    match refusal {
        Refusal::UnknownActor(name) => format!("there is nobody called {name:?}"),
        Refusal::NameTaken(name) => format!("the name {name:?} is taken"),
        Refusal::NotAConsumer(name) => format!("{name} is not a consumer that subscribes"),
        Refusal::NotAProducer(name) => format!("{name} is neither a producer nor a feed"),
        Refusal::NotRunning(name) => format!("the process of {name} is not running"),
        Refusal::Frozen(name) => format!("{name} stands still"),
        Refusal::NotFrozen(name) => format!("{name} does not stand still"),
        Refusal::Closing(name) => format!("{name} is closing"),
        Refusal::NotAssigned(name, partition) => format!("{name} does not own {partition}"),
        Refusal::UnknownGroup(group) => {
            format!("there is no group {group:?}, or nobody in it runs")
        }
        Refusal::UnknownBroker(id) => format!("there is no broker {}", id.0),
        Refusal::NotDynamic(name) => format!("a broker reads {name} only when it starts"),
        Refusal::UnknownTopic(topic) => format!("there is no topic {topic:?}"),
        Refusal::TopicExists(topic) => format!("the topic {topic:?} exists already"),
        Refusal::UnknownPartition(partition) => format!("there is no partition {partition}"),
        Refusal::OwnedTwice(partition) => format!("{partition} is owned twice in one generation"),
        Refusal::FewerPartitions { topic, has } => {
            format!("{topic} has {has} partitions already, and Kafka cannot take partitions away")
        }
        Refusal::OutOfRange { what, least, most } => {
            format!("{what} must lie between {least} and {most}")
        }
        Refusal::Config(error) => config_sentence(error),
        Refusal::UnknownApi(name) => format!("there is no API {name:?}"),
        Refusal::UnknownError(code) => format!("there is no error with the number {code}"),
        Refusal::BadReplicas => {
            "the replicas name a broker that does not exist, or one of them twice".to_owned()
        }
        Refusal::BadPattern(text) => {
            format!("{text:?} is no pattern, or uses what is left out here")
        }
        Refusal::Nothing(what) => format!("{what} must not be empty"),
        Refusal::TooMany { what, most } => format!("there may be at most {most} {what}"),
    }
}

fn config_sentence(error: &ConfigError) -> String {
    match error {
        ConfigError::UnknownName(name) => format!("there is no configuration {name:?}"),
        ConfigError::BadValue { name, value, takes } => {
            let takes = match takes {
                Takes::Number { least, most } => {
                    format!("a whole number between {least} and {most}")
                }
                Takes::Choice(words) => format!("one of {}", words.join(", ")),
                Takes::List => "a list of names, separated by commas".to_owned(),
                Takes::Text => "a text".to_owned(),
                Takes::TopicCharacters => {
                    "at most 249 letters, digits, dots, underscores and hyphens".to_owned()
                }
            };
            format!("{name} takes {takes}, not {value:?}")
        }
        ConfigError::NotBelow { name, other } => format!("{name} must be below {other}"),
        ConfigError::DeliveryTimeoutTooShort => {
            "delivery.timeout.ms must be at least linger.ms + request.timeout.ms".to_owned()
        }
        ConfigError::UnknownAssignor(name) => {
            format!("{name:?} is no assignor, or does not go together with the others")
        }
        ConfigError::NoGroupId => "a consumer that subscribes needs a group.id".to_owned(),
    }
}
