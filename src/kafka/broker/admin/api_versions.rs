//! ApiVersions (18), versions 0-4. An unknown version never gets here: the adapter that holds the bytes
//! answers it.

use super::{Desk, Ticket};
use crate::kafka::api::versions::versions;
use crate::kafka::api::{ApiKey, ApiVersion, ApiVersionsRequest, ApiVersionsResponse};
use crate::kafka::error::ErrorCode;

/// Answers at once.
pub fn handle(ticket: Ticket, request: ApiVersionsRequest, desk: &mut Desk) {
    let names = [
        request.client_software_name,
        request.client_software_version,
    ];
    // `ApiVersionsRequest.isValid`: from v3 on a client says who it is, in plain characters.
    let is_valid = ticket.api_version() < 3 || names.iter().all(|name| is_software_name(name));
    let response = match is_valid {
        true => supported(),
        false => ApiVersionsResponse {
            error_code: ErrorCode::InvalidRequest,
            ..ApiVersionsResponse::default()
        },
    };
    desk.answer(ticket, response);
}

fn supported() -> ApiVersionsResponse {
    let api_keys = ApiKey::ALL.iter().map(|&api| ApiVersion {
        api_key: api.key(),
        min_version: versions(api).min,
        max_version: versions(api).max,
    });
    ApiVersionsResponse {
        error_code: ErrorCode::None,
        api_keys: api_keys.collect(),
        tagged_fields: Vec::new(),
    }
}

/// `[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?`
fn is_software_name(name: &str) -> bool {
    let is_edge = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = name.as_bytes();
    is_edge(bytes.first())
        && is_edge(bytes.last())
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(byte))
}
