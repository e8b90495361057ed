//! What clients say of an error: Java's `Errors.message()` and exceptions, librdkafka's `rd_kafka_err2str`.

use crate::kafka::error::ErrorCode;
use crate::kafka::fact::Exception;

/// `Errors.message()` of those errors that a consumer's log can have.
pub(super) fn java_message(error: ErrorCode) -> &'static str {
    match error {
        ErrorCode::OffsetOutOfRange => {
            "The requested offset is not within the range of offsets maintained by the server."
        }
        ErrorCode::UnknownTopicOrPartition => "This server does not host this topic-partition.",
        ErrorCode::RequestTimedOut => "The request timed out.",
        ErrorCode::OffsetMetadataTooLarge => {
            "The metadata field of the offset request was too large."
        }
        ErrorCode::NetworkException => "The server disconnected before a response was received.",
        ErrorCode::CoordinatorLoadInProgress => {
            "The coordinator is loading and hence can't process requests."
        }
        ErrorCode::CoordinatorNotAvailable => "The coordinator is not available.",
        ErrorCode::NotCoordinator => "This is not the correct coordinator.",
        ErrorCode::IllegalGeneration => "Specified group generation id is not valid.",
        ErrorCode::InconsistentGroupProtocol => {
            "The group member's supported protocols are incompatible with those of existing members \
             or first group member tried to join with empty protocol type or empty protocol list."
        }
        ErrorCode::InvalidGroupId => "The configured groupId is invalid.",
        ErrorCode::UnknownMemberId => "The coordinator is not aware of this member.",
        ErrorCode::InvalidSessionTimeout => {
            "The session timeout is not within the range allowed by the broker \
             (as configured by group.min.session.timeout.ms and group.max.session.timeout.ms)."
        }
        ErrorCode::RebalanceInProgress => "The group is rebalancing, so a rejoin is needed.",
        ErrorCode::MemberIdRequired => {
            "The group member needs to have a valid member id before actually entering a consumer group."
        }
        ErrorCode::GroupMaxSizeReached => "The consumer group has reached its max size.",
        ErrorCode::FencedInstanceId => {
            "The broker rejected this static consumer since another consumer with the same \
             group.instance.id has registered with a different member.id."
        }
        ErrorCode::UnstableOffsetCommit => "There are unstable offsets that need to be cleared.",
        other => other.name(),
    }
}

/// `rd_kafka_err2str`
pub(super) fn librdkafka_message(error: ErrorCode) -> &'static str {
    match error {
        ErrorCode::None => "Success",
        ErrorCode::OffsetOutOfRange => "Broker: Offset out of range",
        ErrorCode::UnknownTopicOrPartition => "Broker: Unknown topic or partition",
        ErrorCode::RequestTimedOut => "Broker: Request timed out",
        ErrorCode::CoordinatorLoadInProgress => "Broker: Coordinator load in progress",
        ErrorCode::CoordinatorNotAvailable => "Broker: Coordinator not available",
        ErrorCode::NotCoordinator => "Broker: Not coordinator",
        ErrorCode::IllegalGeneration => "Broker: Specified group generation id is not valid",
        ErrorCode::InconsistentGroupProtocol => "Broker: Inconsistent group protocol",
        ErrorCode::InvalidGroupId => "Broker: Invalid group.id",
        ErrorCode::UnknownMemberId => "Broker: Unknown member",
        ErrorCode::InvalidSessionTimeout => "Broker: Invalid session timeout",
        ErrorCode::RebalanceInProgress => "Broker: Group rebalance in progress",
        ErrorCode::MemberIdRequired => "Broker: Group member needs a valid member ID",
        ErrorCode::GroupMaxSizeReached => "Broker: Consumer group has reached maximum size",
        ErrorCode::FencedInstanceId => {
            "Broker: Static consumer fenced by other consumer with same group.instance.id"
        }
        other => other.name(),
    }
}

/// Class and message of what a call of the Java client throws. `is_local`: the client refused a commit
/// itself, without asking the coordinator.
pub(super) fn java_exception(exception: &Exception, is_local: bool) -> (String, String) {
    let message = match exception {
        Exception::CommitFailed if is_local => {
            "Offset commit cannot be completed since the consumer is not part of an active group for auto \
             partition assignment; it is likely that the consumer was kicked out of the group."
                .to_owned()
        }
        Exception::CommitFailed => {
            "Commit cannot be completed since the group has already rebalanced and assigned the partitions \
             to another member. This means that the time between subsequent calls to poll() was longer than \
             the configured max.poll.interval.ms, which typically implies that the poll loop is spending too \
             much time message processing. You can address this either by increasing max.poll.interval.ms or \
             by reducing the maximum size of batches returned in poll() with max.poll.records."
                .to_owned()
        }
        Exception::RebalanceInProgress if is_local => {
            "Offset commit cannot be completed since the consumer is undergoing a rebalance for auto \
             partition assignment. You can try completing the rebalance by calling poll() and then retry the \
             operation."
                .to_owned()
        }
        Exception::RebalanceInProgress => {
            "Offset commit cannot be completed since the consumer group is executing a rebalance at the \
             moment. You can try completing the rebalance by calling poll() and then retry commit again"
                .to_owned()
        }
        Exception::FencedInstanceId => java_message(ErrorCode::FencedInstanceId).to_owned(),
        Exception::Timeout => "Timeout expired before the operation could be completed".to_owned(),
        Exception::NoOffsetForPartition(partition) => {
            format!("Undefined offset with no reset policy for partitions: [{partition}]")
        }
        Exception::OffsetOutOfRange(partition) => {
            format!("Fetch position is out of range for partition {partition}")
        }
        Exception::RecordDeserialization(partition, offset) => {
            format!(
                "Error deserializing VALUE for partition {partition} at offset {}. If needed, please seek \
                 past the record to continue consumption.",
                offset.0
            )
        }
        Exception::Kafka(error) => java_message(*error).to_owned(),
        Exception::IllegalState(text) => text.to_string(),
    };
    let class = match exception {
        Exception::CommitFailed
        | Exception::NoOffsetForPartition(_)
        | Exception::OffsetOutOfRange(_) => {
            format!("org.apache.kafka.clients.consumer.{}", exception.name())
        }
        Exception::IllegalState(_) => format!("java.lang.{}", exception.name()),
        Exception::Kafka(error) => {
            format!("org.apache.kafka.common.errors.{}", exception_class(*error))
        }
        _ => format!("org.apache.kafka.common.errors.{}", exception.name()),
    };
    (class, message)
}

/// The class of an error's exception, as far as it follows from the error's name.
pub(super) fn exception_class(error: ErrorCode) -> String {
    let mut name = String::new();
    for word in error.name().split('_') {
        let mut letters = word.chars();
        name.extend(letters.next());
        name.extend(letters.map(|letter| letter.to_ascii_lowercase()));
    }
    if !name.ends_with("Exception") {
        name.push_str("Exception");
    }
    name
}

/// What confluent-kafka's call raises.
pub(super) fn python_exception(exception: &Exception) -> String {
    let error = match exception {
        Exception::CommitFailed => ErrorCode::UnknownMemberId,
        Exception::RebalanceInProgress => ErrorCode::RebalanceInProgress,
        Exception::FencedInstanceId => ErrorCode::FencedInstanceId,
        Exception::Timeout => ErrorCode::RequestTimedOut,
        Exception::OffsetOutOfRange(_) => ErrorCode::OffsetOutOfRange,
        Exception::Kafka(error) => *error,
        Exception::NoOffsetForPartition(partition) => {
            return format!(
                "cimpl.KafkaException: KafkaError{{code=_AUTO_OFFSET_RESET,val=-140,str=\"{} [{}]: no previously \
                 committed offset available: Local: No offset stored\"}}",
                partition.topic, partition.partition
            );
        }
        Exception::RecordDeserialization(partition, offset) => {
            return format!(
                "confluent_kafka.error.ValueDeserializationError: {} [{}] at offset {}",
                partition.topic, partition.partition, offset.0
            );
        }
        Exception::IllegalState(text) => return format!("RuntimeError: {text}"),
    };
    format!(
        "cimpl.KafkaException: KafkaError{{code={},val={},str=\"{}\"}}",
        error.name(),
        error.code(),
        librdkafka_message(error)
    )
}
