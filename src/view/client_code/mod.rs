//! The code of a client with the settings that it has now, in Java and in Python (confluent-kafka).
//!
//! The program does what the model of the application does: its loop, what it commits and when, its callbacks,
//! its threads. Only configurations stand in it whose value is not the default of that language's client.
//! Defaults of librdkafka: its CONFIGURATION.md. What has no counterpart is said in [`Note`]s beside it.
//!
//! DEVIATION: how long a record takes is a sleep in `process`.

mod configs;
mod java;
mod java_producer;
mod python;
mod writer;

use crate::kafka::ids::{ActorName, TopicName};
use crate::kafka::time::Duration;
use crate::world::setup::{ApplicationSpec, ConsumerSpec, ProducerSpec};
use std::rc::Rc;

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum CodeLanguage {
    /// Kafka's own client.
    #[default]
    Java,
    /// confluent-kafka, on librdkafka.
    Python,
}

/// Code, and what it cannot say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClientCode {
    /// The program.
    pub text: String,
    /// What to know beside it.
    pub notes: Vec<Note>,
}

/// What to know beside the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// The client has no such configuration.
    NoConfig(Rc<str>),
    /// librdkafka does not take eager and cooperative assignors in one list: only the first kind is named.
    MixedAssignors,
    /// librdkafka has no eager sticky assignor.
    NoStickyAssignor,
    /// `Progress` keeps, per partition, the offset below which every record is done.
    Progress,
    /// The process dies after so many records: nobody writes that on purpose.
    CrashAfter(u64),
    /// librdkafka's producer has another partitioner, so that keys go elsewhere, unless told otherwise.
    Partitioner,
}

/// Where the brokers are in the code.
const BOOTSTRAP: &str = "localhost:9092";

/// The code of a consumer.
pub fn consumer_code(spec: &ConsumerSpec, language: CodeLanguage) -> ClientCode {
    match language {
        CodeLanguage::Java => java::consumer(spec),
        CodeLanguage::Python => python::consumer(spec),
    }
}

/// The code of a producer.
pub fn producer_code(spec: &ProducerSpec, language: CodeLanguage) -> ClientCode {
    match language {
        CodeLanguage::Java => java_producer::producer(spec),
        CodeLanguage::Python => python::producer(spec),
    }
}

/// `c-1` as `C1`: a Java class.
fn class_name(name: &ActorName, otherwise: &str) -> String {
    let mut class = String::new();
    for word in name.split(|letter: char| !letter.is_ascii_alphanumeric()) {
        let mut letters = word.chars();
        class.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        class.push_str(letters.as_str());
    }
    match class.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => class,
        _ => otherwise.to_owned(),
    }
}

/// A text between double quotes, as Java, Python and JSON read it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                out.push('\\');
                out.push(letter);
            }
            '\n' => out.push_str("\\n"),
            letter if letter.is_control() => {}
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

fn topic_list(topics: &[TopicName]) -> String {
    let names: Vec<String> = topics.iter().map(|topic| quoted(topic)).collect();
    names.join(", ")
}

/// When the program commits: what is not said under `enable.auto.commit=false` is after each batch.
fn commit_style(
    application: &ApplicationSpec,
    is_auto: bool,
) -> Option<crate::world::setup::CommitStyle> {
    use crate::world::setup::CommitStyle;
    match application.commit {
        None if is_auto => None,
        None => Some(CommitStyle::SyncAfterBatch),
        Some(CommitStyle::None) => None,
        style => style,
    }
}

/// Whole milliseconds where they are whole, else microseconds.
fn is_whole_ms(length: Duration) -> bool {
    length.0 % 1_000 == 0
}
