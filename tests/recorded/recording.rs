//! A recording, as a sequence of steps per consumer.

use regroup::kafka::api::{Request, RequestHeader, SyncGroupRequest};
use regroup::kafka::error::ErrorCode;
use regroup::kafka::ids::Offset;
use regroup::kafka::wire::{decode_request, encode_request};
use serde_json::Value;
use std::collections::BTreeMap;

/// Something that one consumer did or was told.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub at_ms: f64,
    pub what: What,
}

#[derive(Clone, PartialEq, Debug)]
pub enum What {
    Request {
        api: &'static str,
        version: i16,
        /// Without correlation id and committed offsets; a leader's shares in the order of their members.
        hex: String,
        /// Error code of the answer; 0 if there was none in time.
        error: i16,
        correlation_id: i32,
    },
    /// `assign`, `revoke`, `lost`, and the numbers of the partitions.
    Callback(String, Vec<i32>),
    /// The application begins to close it.
    Closing,
}

pub struct Recording {
    pub name: String,
    pub events: Vec<Value>,
    pub timelines: BTreeMap<String, Vec<Step>>,
}

pub fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

pub fn ms(event: &Value) -> f64 {
    event["ms"].as_f64().expect("ms")
}

fn bytes(hex: &str) -> Vec<u8> {
    let digit = |byte: u8| u8::try_from(char::from(byte).to_digit(16).expect("hex")).expect("fits");
    let pairs = hex.as_bytes().chunks(2);
    pairs
        .map(|pair| digit(pair[0]) << 4 | digit(pair[1]))
        .collect()
}

/// A request to the coordinator as it is compared. `None`: it is not one that recordings show.
pub fn step_of(mut header: RequestHeader, mut request: Request) -> Option<What> {
    match &mut request {
        Request::JoinGroup(_) | Request::Heartbeat(_) | Request::LeaveGroup(_) => {}
        Request::OffsetFetch(_) => {}
        Request::SyncGroup(SyncGroupRequest { assignments, .. }) => {
            assignments.sort_by(|left, right| left.member_id.cmp(&right.member_id));
        }
        Request::OffsetCommit(commit) => {
            for topic in &mut commit.topics {
                for partition in &mut topic.partitions {
                    partition.committed_offset = Offset(0);
                }
            }
        }
        _ => return None,
    }
    let correlation_id = std::mem::take(&mut header.correlation_id);
    let bytes = encode_request(&header, &request).expect("it can be written");
    Some(What::Request {
        api: request.api().name(),
        version: header.api_version,
        hex: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        error: 0,
        correlation_id,
    })
}

/// The first error code in an answer as the recordings show it.
fn error_of(value: &Value) -> Option<&str> {
    match value {
        Value::Object(fields) => fields.iter().find_map(|(name, value)| match value {
            Value::String(code) if name == "error" && code != "NONE" => Some(code.as_str()),
            _ => error_of(value),
        }),
        Value::Array(items) => items.iter().find_map(error_of),
        _ => None,
    }
}

fn code_of(name: &str) -> i16 {
    let found = ErrorCode::ALL.iter().find(|code| code.name() == name);
    found.unwrap_or_else(|| panic!("{name}")).code()
}

/// Whether a call of that consumer threw.
pub fn was_thrown(events: &[Value], consumer: &str) -> bool {
    let mut errors = events.iter().filter(|event| text(event, "ev") == "error");
    errors.any(|event| text(event, "src") == consumer && event["raised"] == true)
}

impl Recording {
    pub fn read(experiment: &str, client: &str) -> Self {
        let path = format!("tests/data/traces/{experiment}.{client}.json");
        let file = std::fs::read_to_string(path).expect("a recording");
        let recording: Value = serde_json::from_str(&file).expect("JSON");
        let events = recording["timeline"]
            .as_array()
            .expect("a timeline")
            .clone();
        let mut timelines: BTreeMap<String, Vec<Step>> = BTreeMap::new();
        for event in events.iter().filter(|event| text(event, "src") != "ctl") {
            let steps = timelines.entry(text(event, "src").into()).or_default();
            let at_ms = ms(event);
            let what = match text(event, "ev") {
                "req" => {
                    let decoded = decode_request(&bytes(text(event, "hex"))).expect("a request");
                    step_of(decoded.header, decoded.request)
                }
                "res" => {
                    let number = event["corr"].as_i64().expect("corr");
                    let code = error_of(event).map_or(0, code_of);
                    let of = steps
                        .iter_mut()
                        .rev()
                        .find_map(|step| match &mut step.what {
                            What::Request {
                                correlation_id,
                                error,
                                ..
                            } if i64::from(*correlation_id) == number => Some(error),
                            _ => None,
                        });
                    *of.expect("a request") = code;
                    None
                }
                name @ ("assign" | "revoke" | "lost") => {
                    let parts = event["parts"].as_array().expect("parts").iter();
                    let number = |part: &Value| {
                        let name = part.as_str().expect("a name");
                        name.rsplit('-')
                            .next()
                            .expect("a number")
                            .parse()
                            .expect("a number")
                    };
                    Some(What::Callback(name.into(), parts.map(number).collect()))
                }
                // Thrown out, it ends by itself.
                "closing" if !was_thrown(&events, text(event, "src")) => Some(What::Closing),
                _ => None,
            };
            steps.extend(what.map(|what| Step { at_ms, what }));
        }
        let name = experiment.to_owned();
        Self {
            name,
            events,
            timelines,
        }
    }
}
