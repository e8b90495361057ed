//! ApiVersions (18), versions 0-4.

use super::{Desk, Ticket};
use crate::kafka::api::versions::{Release, spoken};
use crate::kafka::api::{ApiKey, ApiVersion, ApiVersionsRequest, ApiVersionsResponse};
use crate::kafka::error::ErrorCode;

/// Answers at once.
pub fn handle(ticket: Ticket, request: ApiVersionsRequest, desk: &mut Desk) {
    let release = desk.settings.release;
    let highest = spoken(release, ApiKey::ApiVersions).map_or(0, |range| range.max);
    let names = [
        request.client_software_name,
        request.client_software_version,
    ];
    // `ApiVersionsRequest.isValid`: from v3 on a client says who it is, in plain characters.
    let is_valid = ticket.api_version() < 3 || names.iter().all(|name| is_software_name(name));
    let response = if ticket.api_version() > highest {
        unsupported(release)
    } else if is_valid {
        supported(release)
    } else {
        ApiVersionsResponse {
            error_code: ErrorCode::InvalidRequest,
            ..ApiVersionsResponse::default()
        }
    };
    desk.answer(ticket, response);
}

/// Asked in a version that it does not know, a broker answers in version 0; from 2.4 on it says there which
/// versions of this API it knows (KIP-511).
fn unsupported(release: Release) -> ApiVersionsResponse {
    let api_keys = match release {
        Release::V2_3 => Vec::new(),
        Release::V2_5 | Release::V3_1 | Release::V4_0 => {
            range_of(release, ApiKey::ApiVersions).into_iter().collect()
        }
    };
    ApiVersionsResponse {
        error_code: ErrorCode::UnsupportedVersion,
        api_keys,
        tagged_fields: Vec::new(),
    }
}

fn supported(release: Release) -> ApiVersionsResponse {
    let api_keys = ApiKey::ALL.iter().filter_map(|&api| range_of(release, api));
    ApiVersionsResponse {
        error_code: ErrorCode::None,
        api_keys: api_keys.collect(),
        tagged_fields: Vec::new(),
    }
}

fn range_of(release: Release, api: ApiKey) -> Option<ApiVersion> {
    let range = spoken(release, api)?;
    Some(ApiVersion {
        api_key: api.key(),
        min_version: range.min,
        max_version: range.max,
    })
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
