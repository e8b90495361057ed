//! Bytes: any message at any version, both ways, with the span of every field.
//!
//! Everything that comes in is untrusted: a length is held against what is left before anything is
//! allocated, and nothing here panics on input.

mod batch;
mod decode;
mod encode;
mod frame;

pub use crate::kafka::api::versions::{VersionRange, is_flexible, versions};
pub use batch::{crc_32c, decode_batches, encode_batch};
pub use decode::{Decoder, Span, SpanValue};
pub use encode::Encoder;
pub use frame::{
    DecodedRequest, DecodedResponse, FRAME_BYTES_MAX, decode_request, decode_response,
    encode_request, encode_response, read_request, unknown_api_versions_request,
};

/// Why bytes could not be read or a message not be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WireError {
    /// The bytes end inside a field.
    #[error("the message ends at byte {at}, inside {field}")]
    Short { at: usize, field: &'static str },
    /// A length that cannot be.
    #[error("{field} at byte {at} claims a length of {length}, but {left} bytes are left")]
    Length {
        at: usize,
        field: &'static str,
        length: i64,
        left: usize,
    },
    /// Null where the protocol has none.
    #[error("{field} at byte {at} is null, which it must not be")]
    Null { at: usize, field: &'static str },
    /// Not UTF-8.
    #[error("{field} at byte {at} is not UTF-8")]
    Text { at: usize, field: &'static str },
    /// A variable-length number that does not end.
    #[error("{field} at byte {at} is a number longer than it may be")]
    Varint { at: usize, field: &'static str },
    /// Bytes after the end of the message.
    #[error("{left} bytes are left after the message's end at byte {at}")]
    Rest { at: usize, left: usize },
    /// An API that the engine does not speak.
    #[error("API key {key} is not known")]
    UnknownApi { key: i16 },
    /// A version that the engine does not speak.
    #[error("{api} version {version} is not supported ({min} to {max} are)")]
    Version {
        api: &'static str,
        version: i16,
        min: i16,
        max: i16,
    },
    /// A record batch that is not what it says.
    #[error("the record batch at byte {at}: {problem}")]
    Batch { at: usize, problem: &'static str },
    /// Too much for the field's length to say.
    #[error("{field} is longer than its length field can say")]
    TooLong { field: &'static str },
}
