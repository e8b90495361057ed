//! Kafka's error codes (class `Errors`), as far as the engine meets them.

macro_rules! errors {
    ($($(#[$attribute:meta])* $variant:ident = $code:literal $name:literal,)*) => {
        /// An error code of the protocol. `None` is success.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub enum ErrorCode {
            $(#[doc = $name] $(#[$attribute])* $variant,)*
        }

        impl ErrorCode {
            /// Every code there is, by number.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$variant,)*];

            /// The number on the wire.
            pub const fn code(self) -> i16 {
                match self { $(ErrorCode::$variant => $code,)* }
            }

            /// Kafka's name for it, such as `REBALANCE_IN_PROGRESS`.
            pub const fn name(self) -> &'static str {
                match self { $(ErrorCode::$variant => $name,)* }
            }
        }
    };
}

errors! {
    UnknownServerError = -1 "UNKNOWN_SERVER_ERROR",
    #[default]
    None = 0 "NONE",
    OffsetOutOfRange = 1 "OFFSET_OUT_OF_RANGE",
    CorruptMessage = 2 "CORRUPT_MESSAGE",
    UnknownTopicOrPartition = 3 "UNKNOWN_TOPIC_OR_PARTITION",
    LeaderNotAvailable = 5 "LEADER_NOT_AVAILABLE",
    NotLeaderOrFollower = 6 "NOT_LEADER_OR_FOLLOWER",
    RequestTimedOut = 7 "REQUEST_TIMED_OUT",
    ReplicaNotAvailable = 9 "REPLICA_NOT_AVAILABLE",
    MessageTooLarge = 10 "MESSAGE_TOO_LARGE",
    OffsetMetadataTooLarge = 12 "OFFSET_METADATA_TOO_LARGE",
    NetworkException = 13 "NETWORK_EXCEPTION",
    CoordinatorLoadInProgress = 14 "COORDINATOR_LOAD_IN_PROGRESS",
    CoordinatorNotAvailable = 15 "COORDINATOR_NOT_AVAILABLE",
    NotCoordinator = 16 "NOT_COORDINATOR",
    InvalidTopicException = 17 "INVALID_TOPIC_EXCEPTION",
    RecordListTooLarge = 18 "RECORD_LIST_TOO_LARGE",
    NotEnoughReplicas = 19 "NOT_ENOUGH_REPLICAS",
    NotEnoughReplicasAfterAppend = 20 "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
    InvalidRequiredAcks = 21 "INVALID_REQUIRED_ACKS",
    IllegalGeneration = 22 "ILLEGAL_GENERATION",
    InconsistentGroupProtocol = 23 "INCONSISTENT_GROUP_PROTOCOL",
    InvalidGroupId = 24 "INVALID_GROUP_ID",
    UnknownMemberId = 25 "UNKNOWN_MEMBER_ID",
    InvalidSessionTimeout = 26 "INVALID_SESSION_TIMEOUT",
    RebalanceInProgress = 27 "REBALANCE_IN_PROGRESS",
    InvalidCommitOffsetSize = 28 "INVALID_COMMIT_OFFSET_SIZE",
    UnsupportedVersion = 35 "UNSUPPORTED_VERSION",
    TopicAlreadyExists = 36 "TOPIC_ALREADY_EXISTS",
    InvalidPartitions = 37 "INVALID_PARTITIONS",
    InvalidReplicationFactor = 38 "INVALID_REPLICATION_FACTOR",
    InvalidRequest = 42 "INVALID_REQUEST",
    OutOfOrderSequenceNumber = 45 "OUT_OF_ORDER_SEQUENCE_NUMBER",
    DuplicateSequenceNumber = 46 "DUPLICATE_SEQUENCE_NUMBER",
    InvalidProducerEpoch = 47 "INVALID_PRODUCER_EPOCH",
    KafkaStorageError = 56 "KAFKA_STORAGE_ERROR",
    UnknownProducerId = 59 "UNKNOWN_PRODUCER_ID",
    NonEmptyGroup = 68 "NON_EMPTY_GROUP",
    GroupIdNotFound = 69 "GROUP_ID_NOT_FOUND",
    FetchSessionIdNotFound = 70 "FETCH_SESSION_ID_NOT_FOUND",
    InvalidFetchSessionEpoch = 71 "INVALID_FETCH_SESSION_EPOCH",
    ListenerNotFound = 72 "LISTENER_NOT_FOUND",
    FencedLeaderEpoch = 74 "FENCED_LEADER_EPOCH",
    UnknownLeaderEpoch = 75 "UNKNOWN_LEADER_EPOCH",
    OffsetNotAvailable = 78 "OFFSET_NOT_AVAILABLE",
    MemberIdRequired = 79 "MEMBER_ID_REQUIRED",
    PreferredLeaderNotAvailable = 80 "PREFERRED_LEADER_NOT_AVAILABLE",
    GroupMaxSizeReached = 81 "GROUP_MAX_SIZE_REACHED",
    FencedInstanceId = 82 "FENCED_INSTANCE_ID",
    EligibleLeadersNotAvailable = 83 "ELIGIBLE_LEADERS_NOT_AVAILABLE",
    ElectionNotNeeded = 84 "ELECTION_NOT_NEEDED",
    GroupSubscribedToTopic = 86 "GROUP_SUBSCRIBED_TO_TOPIC",
    UnstableOffsetCommit = 88 "UNSTABLE_OFFSET_COMMIT",
    UnknownTopicId = 100 "UNKNOWN_TOPIC_ID",
    FencedMemberEpoch = 110 "FENCED_MEMBER_EPOCH",
    UnreleasedInstanceId = 111 "UNRELEASED_INSTANCE_ID",
    UnsupportedAssignor = 112 "UNSUPPORTED_ASSIGNOR",
    StaleMemberEpoch = 113 "STALE_MEMBER_EPOCH",
    InvalidRegularExpression = 128 "INVALID_REGULAR_EXPRESSION",
}

impl ErrorCode {
    /// The code with that number. An unknown number is `UNKNOWN_SERVER_ERROR`, as in the Java client.
    pub fn from_code(code: i16) -> ErrorCode {
        ErrorCode::ALL
            .iter()
            .copied()
            .find(|error| error.code() == code)
            .unwrap_or(ErrorCode::UnknownServerError)
    }

    /// Whether the request succeeded.
    pub fn is_none(self) -> bool {
        self == ErrorCode::None
    }

    /// Whether a client may simply try again (class `RetriableException`).
    pub fn is_retriable(self) -> bool {
        matches!(
            self.code(),
            2 | 3
                | 5
                | 6
                | 7
                | 9
                | 13
                | 14
                | 15
                | 16
                | 19
                | 20
                | 56
                | 70
                | 71
                | 72
                | 74
                | 75
                | 78
                | 88
                | 100
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_found_by_its_number() {
        for &error in ErrorCode::ALL {
            assert_eq!(ErrorCode::from_code(error.code()), error);
        }
        assert_eq!(ErrorCode::from_code(999), ErrorCode::UnknownServerError);
    }
}
