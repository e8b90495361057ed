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
