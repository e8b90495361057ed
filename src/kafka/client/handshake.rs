//! The first exchange on every connection: ApiVersions. The client asks which versions the broker speaks, and from
//! then on picks the highest that both do (`NetworkClient`, `NodeApiVersions`; librdkafka:
//! `rd_kafka_broker_handle_ApiVersion`).

use super::Flavour;
use crate::kafka::api::versions::{Release, spoken};
use crate::kafka::api::{ApiKey, ApiVersion, ApiVersionsRequest, ApiVersionsResponse, Request};
use crate::kafka::error::ErrorCode;
use std::rc::Rc;

/// How far a connection is.
#[derive(Clone, Debug, Default)]
pub(super) enum Link {
    /// Not there.
    #[default]
    Closed,
    /// The broker was asked what it speaks. Everything else waits.
    Asked,
    /// It has said so.
    Open(Spoken),
}

/// What a broker speaks.
#[derive(Clone, Debug)]
pub(super) struct Spoken(Rc<[ApiVersion]>);

impl Spoken {
    /// What brokers of that release say.
    pub fn by(release: Release) -> Self {
        let apis = ApiKey::ALL.iter().filter_map(|&api| {
            let range = spoken(release, api)?;
            Some(ApiVersion {
                api_key: api.key(),
                min_version: range.min,
                max_version: range.max,
            })
        });
        Self(apis.collect())
    }

    /// The highest version of an API that the broker and a client that speaks up to `client_max` share.
    pub fn highest(&self, api: ApiKey, client_max: i16) -> i16 {
        let mut said = self.0.iter();
        let said = said.find(|range| range.api_key == api.key());
        said.map_or(client_max, |range| range.max_version.min(client_max))
    }
}

/// What an answer to ApiVersions leads to.
pub(super) enum Outcome {
    Agreed(Spoken),
    /// The broker does not know that version of ApiVersions itself: it is asked again in this one.
    Again(i16),
    /// There is no talking to it.
    Refused,
}

impl Outcome {
    /// `version`: in which the broker was asked.
    pub fn of(version: i16, answer: ApiVersionsResponse) -> Self {
        match answer.error_code {
            ErrorCode::None => Outcome::Agreed(Spoken(answer.api_keys.into())),
            ErrorCode::UnsupportedVersion if version > 0 => {
                let itself = ApiKey::ApiVersions.key();
                let mut ranges = answer.api_keys.iter();
                let range = ranges.find(|range| range.api_key == itself);
                // Brokers before 2.4 do not say, and know version 0 for sure (KIP-511).
                let highest = range.map_or(0, |range| range.max_version);
                Outcome::Again(highest.clamp(0, version - 1))
            }
            _ => Outcome::Refused,
        }
    }
}

/// Version in which a client asks first.
pub(super) const fn first_version(flavour: Flavour) -> i16 {
    match flavour {
        Flavour::Java => 4,
        Flavour::Librdkafka => 3,
    }
}

/// What it asks, and who it says it is.
pub(super) fn question(flavour: Flavour) -> Request {
    let (name, version) = match flavour {
        Flavour::Java => ("apache-kafka-java", "4.0.0-SNAPSHOT"),
        Flavour::Librdkafka => ("librdkafka", "2.16.0"),
    };
    Request::ApiVersions(ApiVersionsRequest {
        client_software_name: name.into(),
        client_software_version: version.into(),
    })
}
