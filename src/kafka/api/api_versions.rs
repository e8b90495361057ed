//! ApiVersions (18), versions 0-4. v3 names the client's software. The answer's header is of version 0
//! always, so that a client that asks in a version unknown to the broker can read the refusal (KIP-511).

use super::visit::{TaggedField, Visit, Visited, Visitor, int, structs, text};
use crate::kafka::error::ErrorCode;
use std::rc::Rc;

/// Asks what the broker speaks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ApiVersionsRequest {
    /// Name of the client library (v3).
    pub client_software_name: Rc<str>,
    /// Its version (v3).
    pub client_software_version: Rc<str>,
}

/// What the broker speaks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ApiVersionsResponse {
    /// 35 if the version of the request is not known. The answer is of version 0 then.
    pub error_code: ErrorCode,
    /// By key.
    pub api_keys: Vec<ApiVersion>,
    /// Tagged fields, as they came (features, v3): the engine has none of its own.
    pub tagged_fields: Vec<TaggedField>,
}

/// The versions of one API.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ApiVersion {
    /// Its key.
    pub api_key: i16,
    /// Lowest.
    pub min_version: i16,
    /// Highest.
    pub max_version: i16,
}

impl ApiVersionsResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        self.error_code
    }
}

impl Visit for ApiVersionsRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 3 {
            text(v, "client_software_name", &mut self.client_software_name)?;
            let version = &mut self.client_software_version;
            text(v, "client_software_version", version)?;
        }
        Ok(())
    }
}

impl Visit for ApiVersionsResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "error_code", &mut self.error_code)?;
        structs(v, "api_keys", &mut self.api_keys)?;
        if v.version() >= 1 {
            v.throttle_time_ms()?;
        }
        Ok(())
    }

    fn tagged_fields(&mut self) -> Option<&mut Vec<TaggedField>> {
        Some(&mut self.tagged_fields)
    }
}

impl Visit for ApiVersion {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "api_key", &mut self.api_key)?;
        int(v, "min_version", &mut self.min_version)?;
        int(v, "max_version", &mut self.max_version)
    }
}
