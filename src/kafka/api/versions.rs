//! Which versions of each API are spoken, and from which on they are flexible (KIP-482).

use super::ApiKey;

/// The lowest and the highest version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VersionRange {
    /// Lowest.
    pub min: i16,
    /// Highest.
    pub max: i16,
}

/// The versions that the codec speaks: those of the 4.0 snapshot (spec/00), less what no client of the
/// last ten years sends (message sets before magic 2, OffsetCommit and OffsetFetch to ZooKeeper).
pub const fn versions(api: ApiKey) -> VersionRange {
    let (min, max) = match api {
        ApiKey::Produce => (3, 11),
        ApiKey::Fetch => (4, 17),
        ApiKey::ListOffsets => (1, 10),
        ApiKey::Metadata => (0, 12),
        ApiKey::OffsetCommit => (2, 9),
        ApiKey::OffsetFetch => (1, 9),
        ApiKey::FindCoordinator => (0, 6),
        ApiKey::JoinGroup => (0, 9),
        ApiKey::Heartbeat => (0, 4),
        ApiKey::LeaveGroup => (0, 5),
        ApiKey::SyncGroup => (0, 5),
        ApiKey::DescribeGroups => (0, 5),
        ApiKey::ListGroups => (0, 5),
        ApiKey::ApiVersions => (0, 4),
        ApiKey::CreateTopics => (0, 7),
        ApiKey::DeleteTopics => (0, 6),
        ApiKey::DeleteRecords => (0, 2),
        ApiKey::InitProducerId => (0, 5),
        ApiKey::OffsetForLeaderEpoch => (0, 4),
        ApiKey::DescribeConfigs => (1, 4),
        ApiKey::CreatePartitions => (0, 3),
        ApiKey::DeleteGroups => (0, 2),
        ApiKey::OffsetDelete => (0, 0),
        ApiKey::DescribeCluster => (0, 1),
    };
    VersionRange { min, max }
}

/// A release of Kafka's broker, as far as it says in ApiVersions what it speaks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Release {
    /// 2.3
    V2_3,
    /// 2.5
    V2_5,
    /// 3.1
    V3_1,
    /// The 4.0 snapshot of October 2024 (spec/00).
    #[default]
    V4_0,
}

impl Release {
    /// Its number.
    pub const fn name(self) -> &'static str {
        match self {
            Release::V2_3 => "2.3",
            Release::V2_5 => "2.5",
            Release::V3_1 => "3.1",
            Release::V4_0 => "4.0",
        }
    }
}

/// What a broker of that release speaks of an API, as far as the codec does; `None`: it has no such API
/// (`validVersions` in the message definitions of the releases 2.3.1, 2.5.1 and 3.1.2).
pub const fn spoken(release: Release, api: ApiKey) -> Option<VersionRange> {
    let VersionRange { min, max } = versions(api);
    let highest = match release {
        Release::V4_0 => max,
        Release::V3_1 => match api {
            ApiKey::Produce => 9,
            ApiKey::Fetch => 13,
            ApiKey::ListOffsets => 7,
            ApiKey::Metadata => 12,
            ApiKey::OffsetCommit | ApiKey::OffsetFetch => 8,
            ApiKey::FindCoordinator => 4,
            ApiKey::JoinGroup => 7,
            ApiKey::Heartbeat | ApiKey::LeaveGroup => 4,
            ApiKey::SyncGroup => 5,
            ApiKey::DescribeGroups => 5,
            ApiKey::ListGroups => 4,
            ApiKey::ApiVersions => 3,
            ApiKey::CreateTopics => 7,
            ApiKey::DeleteTopics => 6,
            ApiKey::DeleteRecords => 2,
            ApiKey::InitProducerId => 4,
            ApiKey::OffsetForLeaderEpoch => 4,
            ApiKey::CreatePartitions => 3,
            ApiKey::DescribeConfigs => 4,
            ApiKey::DeleteGroups => 2,
            ApiKey::OffsetDelete | ApiKey::DescribeCluster => 0,
        },
        Release::V2_5 => match api {
            ApiKey::Produce => 8,
            ApiKey::Fetch => 11,
            ApiKey::ListOffsets => 5,
            ApiKey::Metadata => 9,
            ApiKey::OffsetCommit => 8,
            ApiKey::OffsetFetch | ApiKey::JoinGroup => 7,
            ApiKey::FindCoordinator => 3,
            ApiKey::Heartbeat | ApiKey::LeaveGroup => 4,
            ApiKey::SyncGroup | ApiKey::DescribeGroups | ApiKey::CreateTopics => 5,
            ApiKey::ListGroups | ApiKey::ApiVersions => 3,
            ApiKey::DeleteTopics => 4,
            ApiKey::DeleteRecords => 1,
            ApiKey::InitProducerId | ApiKey::OffsetForLeaderEpoch => 3,
            ApiKey::CreatePartitions | ApiKey::DeleteGroups | ApiKey::DescribeConfigs => 2,
            ApiKey::OffsetDelete => 0,
            ApiKey::DescribeCluster => return None,
        },
        Release::V2_3 => match api {
            ApiKey::Produce => 7,
            ApiKey::Fetch => 11,
            ApiKey::ListOffsets => 5,
            ApiKey::Metadata => 8,
            ApiKey::OffsetCommit => 7,
            ApiKey::OffsetFetch => 5,
            ApiKey::FindCoordinator | ApiKey::LeaveGroup => 2,
            ApiKey::JoinGroup => 5,
            ApiKey::Heartbeat | ApiKey::SyncGroup => 3,
            ApiKey::DescribeGroups => 3,
            ApiKey::ListGroups | ApiKey::ApiVersions => 2,
            ApiKey::CreateTopics | ApiKey::DeleteTopics => 3,
            ApiKey::DeleteRecords | ApiKey::InitProducerId => 1,
            ApiKey::OffsetForLeaderEpoch => 3,
            ApiKey::DescribeConfigs => 2,
            ApiKey::CreatePartitions | ApiKey::DeleteGroups => 1,
            ApiKey::OffsetDelete | ApiKey::DescribeCluster => return None,
        },
    };
    Some(VersionRange { min, max: highest })
}

/// The version in which a client that speaks up to `client_max` asks a broker of that release: the highest
/// that both speak (class `NodeApiVersions`).
pub const fn common(client_max: i16, release: Release, api: ApiKey) -> i16 {
    match spoken(release, api) {
        Some(range) if range.max < client_max => range.max,
        _ => client_max,
    }
}

/// Whether that version has compact lengths and tagged fields.
pub const fn is_flexible(api: ApiKey, version: i16) -> bool {
    let first = match api {
        ApiKey::Produce => 9,
        ApiKey::Fetch => 12,
        ApiKey::ListOffsets => 6,
        ApiKey::Metadata => 9,
        ApiKey::OffsetCommit => 8,
        ApiKey::OffsetFetch => 6,
        ApiKey::FindCoordinator => 3,
        ApiKey::JoinGroup => 6,
        ApiKey::Heartbeat => 4,
        ApiKey::LeaveGroup => 4,
        ApiKey::SyncGroup => 4,
        ApiKey::DescribeGroups => 5,
        ApiKey::ListGroups => 3,
        ApiKey::ApiVersions => 3,
        ApiKey::CreateTopics => 5,
        ApiKey::DeleteTopics => 4,
        ApiKey::DeleteRecords => 2,
        ApiKey::InitProducerId => 2,
        ApiKey::OffsetForLeaderEpoch => 4,
        ApiKey::DescribeConfigs => 4,
        ApiKey::CreatePartitions => 2,
        ApiKey::DeleteGroups => 2,
        ApiKey::OffsetDelete => return false,
        ApiKey::DescribeCluster => 0,
    };
    version >= first
}

/// Whether the answer's header has tagged fields. That of ApiVersions never has: whoever asks may not know
/// yet what the broker speaks (KIP-511).
pub const fn has_flexible_response_header(api: ApiKey, version: i16) -> bool {
    !matches!(api, ApiKey::ApiVersions) && is_flexible(api, version)
}
