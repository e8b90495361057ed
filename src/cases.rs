//! Case lines of the assignors: one group per line in, one result per line out.
//!
//! The form is that of reference vectors recorded from Kafka's own classes. The native program's `assign` reads
//! it, and the tests do. Partition lists are runs, `[["t0",[0,2]],["t1",[5]]]`, in the assignor's order. A line with
//! `subscription_type` is a call of the KIP-848 coordinator's assignor, any other one of the consumer's.
//! This module parses and converts; it decides nothing.

mod client;
mod server;

use crate::kafka::assignor::{AssignError, Explain};
use crate::kafka::ids::TopicPartition;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// Neighbouring partitions of one topic in a list.
pub type Run = (String, Vec<i32>);

/// Most partitions of one topic that a line may ask for; Kafka clusters stay far below.
const PARTITIONS_MAX: i32 = 1_000_000;

/// Why a line is not a case.
#[derive(Debug, Error)]
pub enum CaseError {
    /// Not JSON, or not of the form.
    #[error("{0}")]
    Form(#[from] serde_json::Error),
    /// An assignor that does not exist on this side.
    #[error("assignor {0:?} is not known")]
    UnknownAssignor(String),
    /// A number of partitions below 0 or absurdly high.
    #[error("topic {topic:?} has {partitions} partitions; 0 to 1000000 are possible")]
    PartitionCount {
        /// The topic.
        topic: String,
        /// What the line says.
        partitions: i32,
    },
    /// User data that is not hexadecimal digits in pairs.
    #[error("user data {0:?} is not hexadecimal")]
    NotHex(String),
    /// A topic id that is not 16 bytes in base64.
    #[error("{0:?} is not a topic id: 22 characters of base64 with - and _")]
    NotTopicId(String),
    /// A member is subscribed to a topic that the line does not list, or owns a partition of one.
    #[error("topic {0:?} is not listed")]
    UnlistedTopic(String),
}

/// One case.
#[derive(Debug)]
pub struct Case {
    /// Its name.
    pub id: String,
    call: Call,
}

#[derive(Debug)]
enum Call {
    Client(client::ClientCall),
    Server(server::ServerCall),
}

/// What both sides' lines begin with.
#[derive(Deserialize)]
struct Head {
    id: String,
    subscription_type: Option<server::SubscriptionTypeName>,
}

/// A partition that is withheld from everybody.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HeldBackLine {
    /// Topic.
    pub topic: String,
    /// Number.
    pub partition: i32,
    /// Every member that says it owns it.
    pub claimed_by: Vec<String>,
    /// The member it is meant for.
    pub to: String,
}

/// The result of a case.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CaseResult {
    /// The case.
    pub id: String,
    /// Member to runs. Absent after an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignment: Option<BTreeMap<String, Vec<Run>>>,
    /// `cooperative-sticky` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_back: Option<Vec<HeldBackLine>>,
    /// `cooperative-sticky` only: members that revoke something and rejoin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejoin: Option<Vec<String>>,
    /// Name of the exception that Kafka throws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl CaseResult {
    fn failed(id: &str, error: &AssignError) -> Self {
        Self {
            id: id.to_owned(),
            error: Some(error.java_name().to_owned()),
            ..Self::default()
        }
    }
}

impl Case {
    /// Reads a line. Fields that it does not need are passed over.
    ///
    /// # Errors
    /// If the line is not a case; the error says what is wrong with it.
    pub fn parse(line: &str) -> Result<Self, CaseError> {
        let head: Head = serde_json::from_str(line)?;
        let call = match head.subscription_type {
            Some(kind) => Call::Server(server::ServerCall::parse(line, kind)?),
            None => Call::Client(client::ClientCall::parse(line)?),
        };
        Ok(Self { id: head.id, call })
    }

    /// Calls the assignor.
    pub fn run(&self, explain: &mut Explain) -> CaseResult {
        match &self.call {
            Call::Client(call) => call.run(&self.id, explain),
            Call::Server(call) => call.run(&self.id, explain),
        }
    }
}

/// A topic id from Kafka's text form.
fn topic_id(text: &str) -> Result<crate::kafka::ids::Uuid, CaseError> {
    let wrong = || CaseError::NotTopicId(text.to_owned());
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| wrong())?;
    let bytes = <[u8; 16]>::try_from(bytes).map_err(|_| wrong())?;
    let whole = i128::from_be_bytes(bytes);
    let low = u64::try_from(whole & i128::from(u64::MAX)).map_err(|_| wrong())?;
    let high = i64::try_from(whole >> 64).map_err(|_| wrong())?;
    Ok(crate::kafka::ids::Uuid {
        high,
        low: low.cast_signed(),
    })
}

/// Bytes from pairs of hexadecimal digits.
pub fn bytes_of_hex(text: &str) -> Result<Vec<u8>, CaseError> {
    let wrong = || CaseError::NotHex(text.to_owned());
    let digit = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let decoded: Option<Vec<u8>> = pairs
        .iter()
        .map(|[high, low]| Some(digit(*high)? * 16 + digit(*low)?))
        .collect();
    decoded.filter(|_| rest.is_empty()).ok_or_else(wrong)
}

fn check_partitions(topic: &str, partitions: i32) -> Result<(), CaseError> {
    if (0..=PARTITIONS_MAX).contains(&partitions) {
        Ok(())
    } else {
        Err(CaseError::PartitionCount {
            topic: topic.to_owned(),
            partitions,
        })
    }
}

/// A list as runs.
pub fn runs(partitions: &[TopicPartition]) -> Vec<Run> {
    let same_topic = partitions.chunk_by(|left, right| left.topic == right.topic);
    same_topic
        .map(|run| {
            (
                run[0].topic.to_string(),
                run.iter().map(|partition| partition.partition).collect(),
            )
        })
        .collect()
}

/// Runs as a list.
pub fn partitions_of_runs(runs: &[Run]) -> Vec<TopicPartition> {
    let each = runs
        .iter()
        .flat_map(|(topic, numbers)| numbers.iter().map(move |number| (topic, *number)));
    each.map(|(topic, number)| TopicPartition::new(topic.as_str(), number))
        .collect()
}
