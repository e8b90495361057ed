//! A message taken apart: its bytes, and every field with its place in them.

use super::payload::{self, Payload};
use crate::kafka::api::visit::Stop;
use crate::kafka::api::{ApiKey, Request, RequestHeader, Response};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Fact, FactKind};
use crate::kafka::wire::{
    Span, SpanValue, WireError, decode_request, decode_response, encode_request, encode_response,
};
use std::rc::Rc;

/// Fields that are listed of one message.
pub const FIELDS_MOST: usize = 600;
/// Bytes of the length in front of every message.
pub const LENGTH_BYTES: usize = 4;

/// A field and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Kafka's name for it.
    pub name: &'static str,
    /// Its place in an array, for an element of one.
    pub index: Option<usize>,
    /// How many elements and structures it stands inside of.
    pub depth: usize,
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// What it holds.
    pub value: Value,
}

/// What a field holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Other fields, which follow.
    Parts,
    /// A number.
    Number(i64),
    /// An API, by its key.
    Api(ApiKey),
    /// An error code.
    Error(ErrorCode),
    /// A string.
    Text(Rc<str>),
    /// Null.
    Null,
    /// So many bytes.
    Bytes(usize),
    /// A topic id.
    Uuid(Rc<str>),
    /// The number of an array's elements.
    Count(usize),
    /// The number of tagged fields.
    Tags(u32),
    /// A checksum.
    Hex(u32),
}

/// A message taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decoded {
    /// The whole message, the four bytes of its length in front.
    pub bytes: Rc<[u8]>,
    /// Its fields in the order of the bytes; what holds others comes before them.
    pub fields: Rc<[Field]>,
    /// Why its fields cannot be told.
    pub problem: Option<Unreadable>,
}

/// Why a message's fields cannot be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// Its bytes are not what they should be.
    Wire(WireError),
    /// An answer says nothing of its API; that stands in its request, which is not there.
    NoRequest,
}

impl Decoded {
    /// The innermost field in which a byte stands.
    pub fn field_at(&self, at: usize) -> Option<usize> {
        let holds = |field: &Field| (field.start..field.end).contains(&at);
        self.fields.iter().rposition(holds)
    }

    /// The bytes as hexadecimal digits.
    pub fn hex(&self) -> String {
        hex(&self.bytes)
    }

    fn of(message: &[u8], parts: Result<Vec<Span>, Unreadable>) -> Decoded {
        let (bytes, length) = framed(message);
        let (spans, problem) = match parts {
            Ok(spans) => (spans, None),
            Err(problem) => (Vec::new(), Some(problem)),
        };
        let mut fields = vec![Field {
            name: "length",
            index: None,
            depth: 0,
            start: 0,
            end: LENGTH_BYTES,
            value: Value::Number(length),
        }];
        for span in spans {
            push(&mut fields, &bytes, span);
        }
        fields.truncate(FIELDS_MOST);
        Decoded {
            bytes: bytes.into(),
            fields: fields.into(),
            problem,
        }
    }
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let digit = |half: u8| DIGITS.get(usize::from(half)).copied().unwrap_or('0');
    let pairs = bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 0x0f)]);
    pairs.collect()
}

/// The message with its length in front, and that length.
fn framed(message: &[u8]) -> (Vec<u8>, i64) {
    let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
    let mut bytes = Vec::with_capacity(LENGTH_BYTES + message.len());
    bytes.extend(length.to_be_bytes());
    bytes.extend(message);
    (bytes, length.into())
}

/// The request that a fact says was sent, with its header; `None` of any other fact.
pub fn request_of(sent: &Fact) -> Option<(RequestHeader, &Rc<Request>)> {
    match &sent.kind {
        FactKind::RequestSent {
            api_version,
            correlation_id,
            client_id,
            request,
            ..
        } => {
            let header = RequestHeader {
                api_version: *api_version,
                correlation_id: *correlation_id,
                client_id: client_id.clone(),
            };
            Some((header, request))
        }
        _ => None,
    }
}

/// The bytes of a request, with its length in front.
///
/// # Errors
/// A field does not fit the version.
pub fn request_bytes(header: &RequestHeader, request: &Request) -> Result<Vec<u8>, WireError> {
    Ok(framed(&encode_request(header, request)?).0)
}

/// The bytes of an answer, with its length in front.
///
/// # Errors
/// A field does not fit the version.
pub fn answer_bytes(
    version: i16,
    correlation_id: i32,
    answer: &Response,
) -> Result<Vec<u8>, WireError> {
    Ok(framed(&encode_response(version, correlation_id, 0, answer)?).0)
}

/// A request of the engine as it stands on the wire.
pub fn request(header: &RequestHeader, request: &Request) -> Decoded {
    match encode_request(header, request) {
        Ok(message) => read_request(&message),
        Err(problem) => Decoded::of(&[], Err(Unreadable::Wire(problem))),
    }
}

/// An answer of the engine as it stands on the wire.
pub fn answer(version: i16, correlation_id: i32, answer: &Response) -> Decoded {
    match encode_response(version, correlation_id, 0, answer) {
        Ok(message) => read_answer(answer.api(), version, &message),
        Err(problem) => Decoded::of(&[], Err(Unreadable::Wire(problem))),
    }
}

/// A request from elsewhere, without its length.
pub fn read_request(message: &[u8]) -> Decoded {
    let parts = decode_request(message).map(|decoded| decoded.spans);
    Decoded::of(message, parts.map_err(Unreadable::Wire))
}

/// An answer from elsewhere, without its length.
pub fn read_answer(api: ApiKey, version: i16, message: &[u8]) -> Decoded {
    let parts = decode_response(api, version, message).map(|decoded| decoded.spans);
    Decoded::of(message, parts.map_err(Unreadable::Wire))
}

/// Bytes of which nothing is known but why.
pub fn unread(message: &[u8], problem: Unreadable) -> Decoded {
    Decoded::of(message, Err(problem))
}

fn push(fields: &mut Vec<Field>, bytes: &[u8], span: Span) {
    let (start, end) = (span.start + LENGTH_BYTES, span.end + LENGTH_BYTES);
    let value = match &span.value {
        SpanValue::Parts => Value::Parts,
        SpanValue::Number(number) => number_value(span.name, *number),
        SpanValue::Text(Some(text)) => Value::Text(text.clone()),
        SpanValue::Text(None) | SpanValue::Bytes(None) | SpanValue::Count(None) => Value::Null,
        SpanValue::Bytes(Some(length)) | SpanValue::Records(length) => Value::Bytes(*length),
        SpanValue::Uuid(uuid) => Value::Uuid(
            [uuid.high, uuid.low]
                .map(|half| hex(&half.to_be_bytes()))
                .concat()
                .into(),
        ),
        SpanValue::Count(Some(count)) => Value::Count(*count),
        SpanValue::Tags(count) => Value::Tags(*count),
    };
    fields.push(Field {
        name: span.name,
        index: span.index,
        depth: span.depth,
        start,
        end,
        value,
    });
    let inner = match &span.value {
        SpanValue::Bytes(Some(length)) => Payload::named(span.name).map(|what| (what, *length)),
        SpanValue::Records(length) => Some((Payload::Batches, *length)),
        _ => None,
    };
    if let Some((what, length)) = inner
        && fields.len() < FIELDS_MOST
    {
        // What a member wrote may be anything; what can be read of it is told.
        let read: Result<(), Stop> =
            payload::read(what, bytes, end - length..end, span.depth + 1, fields);
        debug_assert!(
            read.is_ok() || what != Payload::Batches,
            "batches were read before"
        );
    }
}

fn number_value(name: &str, number: i64) -> Value {
    match name {
        "error_code" => match i16::try_from(number) {
            Ok(code) => Value::Error(ErrorCode::from_code(code)),
            Err(_) => Value::Number(number),
        },
        "request_api_key" | "api_key" => {
            let mut apis = ApiKey::ALL.iter();
            let api = apis.find(|api| i64::from(api.key()) == number);
            api.map_or(Value::Number(number), |api| Value::Api(*api))
        }
        _ => Value::Number(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::api::{HeartbeatResponse, JoinGroupRequest, JoinGroupRequestProtocol};
    use crate::kafka::ids::TopicPartition;
    use crate::kafka::protocol::{StickyUserData, Subscription};

    /// The JoinGroup of a librdkafka client as it was captured: packet p04 of spec/09.
    fn captured_join() -> Decoded {
        let subscription = Subscription {
            topics: vec!["test-topic".into()],
            user_data: Some([].into()),
            owned_partitions: Vec::new(),
            generation: -1,
            rack_id: Some("".into()),
        };
        let protocol = |name: &str| JoinGroupRequestProtocol {
            name: name.into(),
            metadata: subscription.encode(3),
        };
        let join = JoinGroupRequest {
            group_id: "my-consumer-group".into(),
            session_timeout_ms: 6_000,
            rebalance_timeout_ms: 300_000,
            protocol_type: "consumer".into(),
            protocols: vec![protocol("range"), protocol("roundrobin")],
            ..JoinGroupRequest::default()
        };
        let header = RequestHeader {
            api_version: 5,
            correlation_id: 2,
            client_id: Some("this_is_client_id".into()),
        };
        request(&header, &join.into())
    }

    #[test]
    fn fields_cover_every_byte_once() {
        for decoded in [captured_join(), heartbeat_answer()] {
            let leaves = decoded.fields.iter().enumerate().filter(|(place, field)| {
                let next = decoded.fields.get(place + 1);
                field.value != Value::Parts && next.is_none_or(|next| next.depth <= field.depth)
            });
            let mut at = 0;
            for (_, field) in leaves {
                // Bytes that are themselves taken apart keep the length in front.
                assert!(
                    field.start >= at && field.start - at <= 4,
                    "{field:?} after {at}"
                );
                at = field.end;
            }
            assert_eq!(at, decoded.bytes.len());
        }
    }

    /// What a member of `sticky` writes about itself.
    fn sticky_join(user_data: &[u8]) -> Decoded {
        let subscription = Subscription {
            topics: vec!["t".into()],
            user_data: Some(user_data.into()),
            owned_partitions: Vec::new(),
            generation: -1,
            rack_id: None,
        };
        let join = JoinGroupRequest {
            protocols: vec![JoinGroupRequestProtocol {
                name: "sticky".into(),
                metadata: subscription.encode(1),
            }],
            ..JoinGroupRequest::default()
        };
        let header = RequestHeader {
            api_version: 5,
            correlation_id: 2,
            client_id: None,
        };
        request(&header, &join.into())
    }

    #[test]
    fn what_a_sticky_member_remembers_is_taken_apart() {
        let data = StickyUserData {
            partitions: vec![TopicPartition::new("t", 4), TopicPartition::new("t", 6)],
            generation: Some(9),
        };
        let decoded = sticky_join(&data.encode());
        let all = decoded.fields.iter();
        let after = all.skip_while(|field| field.name != "user_data");
        let inside: Vec<_> = after
            .skip(1)
            .take(7)
            .map(|field| (field.name, field.value.clone()))
            .collect();
        let expected = [
            ("previous_assignment", Value::Count(1)),
            ("previous_assignment", Value::Parts),
            ("topic", Value::Text("t".into())),
            ("partitions", Value::Count(2)),
            ("partitions", Value::Number(4)),
            ("partitions", Value::Number(6)),
            ("generation", Value::Number(9)),
        ];
        assert_eq!(inside, expected);
    }

    #[test]
    fn user_data_of_others_stays_bytes() {
        for data in [&[1, 2, 3][..], &[0, 0, 0, 1, 0, 9], &[0xff; 40]] {
            let decoded = sticky_join(data);
            let all = decoded.fields.iter();
            let mut after = all.skip_while(|field| field.name != "user_data");
            let user_data = after.next().expect("it is there");
            assert_eq!(user_data.value, Value::Bytes(data.len()));
            assert_eq!(
                after.next().map(|field| field.name),
                Some("owned_partitions")
            );
        }
    }

    fn heartbeat_answer() -> Decoded {
        let refused = HeartbeatResponse {
            error_code: ErrorCode::RebalanceInProgress,
        };
        answer(3, 18, &refused.into())
    }

    #[test]
    fn a_captured_heartbeat_answer_reads_as_the_article_explains_it() {
        let decoded = heartbeat_answer();
        assert_eq!(decoded.hex(), "0000000a0000001200000000001b");
        let last = decoded.fields.last().expect("fields");
        assert_eq!((last.name, last.start, last.end), ("error_code", 12, 14));
        assert_eq!(last.value, Value::Error(ErrorCode::RebalanceInProgress));
        assert_eq!(decoded.field_at(13), Some(decoded.fields.len() - 1));
        assert_eq!(decoded.field_at(99), None);
    }

    #[test]
    fn the_subscription_inside_a_join_is_taken_apart() {
        let decoded = captured_join();
        assert_eq!(decoded.bytes.len(), 167);
        let inner = |name: &str| {
            let mut fields = decoded.fields.iter();
            let field = fields.find(|field| field.name == name && field.depth > 1);
            field.unwrap_or_else(|| panic!("{name}")).value.clone()
        };
        assert_eq!(inner("version"), Value::Number(3));
        assert_eq!(inner("topics"), Value::Count(1));
        assert_eq!(inner("user_data"), Value::Bytes(0));
        assert_eq!(inner("owned_partitions"), Value::Count(0));
        assert_eq!(inner("generation_id"), Value::Number(-1));
        assert_eq!(inner("rack_id"), Value::Text("".into()));
    }

    #[test]
    fn what_cannot_be_read_keeps_its_bytes_and_says_why() {
        let decoded = read_request(&[0, 11, 0, 5, 0, 0]);
        assert!(decoded.problem.is_some());
        assert_eq!(decoded.hex(), "00000006000b00050000");
    }
}
