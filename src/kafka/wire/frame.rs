//! Whole messages: header and body, without the four bytes of length in front.

use super::WireError;
use super::decode::{Decoder, Span};
use super::encode::Encoder;
use crate::kafka::api::versions::{has_flexible_response_header, is_flexible, versions};
use crate::kafka::api::visit::{Visited, Visitor, int, nullable_text};
use crate::kafka::api::{ApiKey, Request, RequestHeader, Response};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::ClientId;

/// The longest message that is taken: `socket.request.max.bytes` of a broker.
pub const FRAME_BYTES_MAX: usize = 104_857_600;

/// A request as it came.
#[derive(Clone, PartialEq, Debug)]
pub struct DecodedRequest {
    /// Its header.
    pub header: RequestHeader,
    /// Its body.
    pub request: Request,
    /// Where its fields stand.
    pub spans: Vec<Span>,
}

/// An answer as it came.
#[derive(Clone, PartialEq, Debug)]
pub struct DecodedResponse {
    /// By which it is matched with its request.
    pub correlation_id: i32,
    /// What it says of quotas, ms.
    pub throttle_time_ms: i32,
    /// Its body.
    pub response: Response,
    /// Where its fields stand.
    pub spans: Vec<Span>,
}

/// The API with that key.
fn api_of(key: i64) -> Result<ApiKey, WireError> {
    let known = ApiKey::ALL
        .iter()
        .copied()
        .find(|api| i64::from(api.key()) == key);
    known.ok_or(WireError::UnknownApi {
        key: i16::try_from(key).unwrap_or(i16::MAX),
    })
}

fn check_version(api: ApiKey, version: i16) -> Result<(), WireError> {
    let range = versions(api);
    if (range.min..=range.max).contains(&version) {
        return Ok(());
    }
    Err(WireError::Version {
        api: api.name(),
        version,
        min: range.min,
        max: range.max,
    })
}

/// The bytes of a request: header and body.
///
/// # Errors
/// The version is not spoken, or a field is too long for it.
pub fn encode_request(header: &RequestHeader, request: &Request) -> Result<Vec<u8>, WireError> {
    let (api, version) = (request.api(), header.api_version);
    check_version(api, version)?;
    let flexible = is_flexible(api, version);
    let mut request = request.clone();
    let mut client_id = header.client_id.clone();
    let mut head = Encoder::new(version, false, 0);
    let walked = int(&mut head, "request_api_key", &mut api.key())
        .and_then(|()| {
            int(
                &mut head,
                "request_api_version",
                &mut header.api_version.clone(),
            )
        })
        .and_then(|()| {
            int(
                &mut head,
                "correlation_id",
                &mut header.correlation_id.clone(),
            )
        })
        .and_then(|()| nullable_text(&mut head, "client_id", &mut client_id));
    let mut body = Encoder::new(version, flexible, 0);
    // Header v2 ends with tagged fields, which the body's encoder may as well write.
    let walked = walked
        .and_then(|()| body.tagged_fields(None))
        .and_then(|()| request.visit_to_end(&mut body));
    join(walked, head, body)
}

/// If the bytes are an ApiVersions request of a version that is not spoken: its correlation id. It is to be
/// answered in version 0 with 35, so that the client learns which version to ask in (KIP-511).
pub fn unknown_api_versions_request(bytes: &[u8]) -> Option<i32> {
    let mut decoder = Decoder::new(bytes, 0, 0, false, None);
    let v = &mut decoder;
    let (mut key, mut version, mut correlation_id) = (0_i16, 0_i16, 0_i32);
    int(v, "request_api_key", &mut key)
        .and_then(|()| int(v, "request_api_version", &mut version))
        .and_then(|()| int(v, "correlation_id", &mut correlation_id))
        .ok()?;
    let is_one = key == ApiKey::ApiVersions.key();
    (is_one && check_version(ApiKey::ApiVersions, version).is_err()).then_some(correlation_id)
}

/// The bytes of an answer: header and body.
///
/// # Errors
/// The version is not spoken, or a field is too long for it.
pub fn encode_response(
    version: i16,
    correlation_id: i32,
    throttle_time_ms: i32,
    response: &Response,
) -> Result<Vec<u8>, WireError> {
    let api = response.api();
    check_version(api, version)?;
    let version = match response {
        // Whoever asked in a version that the broker does not know can read this one (KIP-511).
        Response::ApiVersions(answer) if answer.error_code == ErrorCode::UnsupportedVersion => 0,
        _ => version,
    };
    let flexible = is_flexible(api, version);
    let mut response = response.clone();
    let mut head = Encoder::new(version, false, 0);
    let walked = int(&mut head, "correlation_id", &mut correlation_id.clone());
    let mut body = Encoder::new(version, flexible, throttle_time_ms);
    let walked = walked
        .and_then(|()| match has_flexible_response_header(api, version) {
            true => body.tagged_fields(None),
            false => Ok(()),
        })
        .and_then(|()| response.visit_to_end(&mut body));
    join(walked, head, body)
}

/// The two parts one after the other, or the error that stopped the walk.
fn join(walked: Visited, head: Encoder, body: Encoder) -> Result<Vec<u8>, WireError> {
    let (mut bytes, body) = (head.finish()?, body.finish()?);
    debug_assert!(walked.is_ok(), "an encoder that stops says why");
    bytes.extend(body);
    Ok(bytes)
}

/// Reads a request and tells where its fields stand.
///
/// # Errors
/// The bytes are not a request of an API and version that are spoken.
pub fn decode_request(bytes: &[u8]) -> Result<DecodedRequest, WireError> {
    let mut decoder = Decoder::new(bytes, 0, 0, false, Some(Vec::new()));
    let (header, request) = request_of(&mut decoder)?;
    at_end(&decoder)?;
    Ok(DecodedRequest {
        header,
        request,
        spans: decoder.take_spans(),
    })
}

/// Reads a request as a broker does, which looks at no byte beyond its last field: librdkafka 2.16 leaves
/// three there when it asks for the metadata of all topics.
///
/// # Errors
/// The bytes do not begin with a request of an API and version that are spoken.
pub fn read_request(bytes: &[u8]) -> Result<(RequestHeader, Request), WireError> {
    request_of(&mut Decoder::new(bytes, 0, 0, false, None))
}

fn request_of(v: &mut Decoder<'_>) -> Result<(RequestHeader, Request), WireError> {
    let (mut key, mut version, mut correlation_id) = (0_i16, 0_i16, 0_i32);
    let mut client_id: Option<ClientId> = None;
    int(v, "request_api_key", &mut key)
        .and_then(|()| int(v, "request_api_version", &mut version))
        .and_then(|()| int(v, "correlation_id", &mut correlation_id))
        .map_err(|_| v.take_error())?;
    let api = api_of(i64::from(key))?;
    check_version(api, version)?;
    // The client id keeps its two-byte length in header v2 too, so that any broker can read it.
    nullable_text(v, "client_id", &mut client_id).map_err(|_| v.take_error())?;
    v.continue_as(version, is_flexible(api, version));
    let mut request = Request::empty(api);
    v.tagged_fields(None)
        .and_then(|()| request.visit_to_end(v))
        .map_err(|_| v.take_error())?;
    let header = RequestHeader {
        api_version: version,
        correlation_id,
        client_id,
    };
    Ok((header, request))
}

/// Reads the answer to a request of that API and version.
///
/// # Errors
/// The bytes are not such an answer.
pub fn decode_response(
    api: ApiKey,
    version: i16,
    bytes: &[u8],
) -> Result<DecodedResponse, WireError> {
    check_version(api, version)?;
    let decoded = response_of(api, version, bytes);
    if api == ApiKey::ApiVersions && version > 0 && decoded.is_err() {
        // A refusal of that very version is of version 0.
        let refusal = response_of(api, 0, bytes);
        let is_one = |answer: &Response| answer.error() == ErrorCode::UnsupportedVersion;
        if let Ok(refusal) = refusal
            && is_one(&refusal.response)
        {
            return Ok(refusal);
        }
    }
    decoded
}

fn response_of(api: ApiKey, version: i16, bytes: &[u8]) -> Result<DecodedResponse, WireError> {
    let mut decoder = Decoder::new(bytes, 0, version, false, Some(Vec::new()));
    let v = &mut decoder;
    let mut correlation_id = 0_i32;
    int(v, "correlation_id", &mut correlation_id).map_err(|_| v.take_error())?;
    v.continue_as(version, has_flexible_response_header(api, version));
    let mut response = Response::empty(api);
    v.tagged_fields(None)
        .map(|()| v.continue_as(version, is_flexible(api, version)))
        .and_then(|()| response.visit_to_end(v))
        .map_err(|_| v.take_error())?;
    at_end(v)?;
    let throttle_time_ms = decoder.throttle_time_ms;
    Ok(DecodedResponse {
        correlation_id,
        throttle_time_ms,
        response,
        spans: decoder.take_spans(),
    })
}

fn at_end(v: &Decoder<'_>) -> Result<(), WireError> {
    match v.left() {
        0 => Ok(()),
        left => Err(WireError::Rest { at: v.at(), left }),
    }
}
