//! How each kind of fact stands in the trace.

use super::trace_field::Field;
use crate::kafka::fact::FactKind;

macro_rules! kinds {
    ($kind:expr, $out:expr; $($variant:ident { $($field:ident),* };)*) => {
        match $kind {
            // Every field is named, so that a new one cannot be forgotten.
            $(FactKind::$variant { $($field),* } => {
                $out.push_str(concat!(",\"kind\":\"", stringify!($variant), "\""));
                $(
                    $out.push_str(concat!(",\"", stringify!($field), "\":"));
                    $field.write($out);
                )*
            })*
        }
    };
}

/// Writes name and fields of a fact, each behind a comma.
pub(super) fn write_kind(kind: &FactKind, out: &mut String) {
    kinds! { kind, out;
        Act { number };
        TimerFired { party, why };
        Started { actor, process };
        Stopped { actor, process, how };
        Frozen { actor };
        Thawed { actor };
        RequestSent { exchange, connection, from, to, correlation_id, api_version, client_id, request, arrives };
        RequestReceived { exchange };
        RequestParked { exchange };
        ResponseSent { exchange, response, arrives };
        ResponseReceived { exchange };
        MessageLost { exchange };
        PartitionCreated { partition, leader };
        PartitionDeleted { partition };
        Append { partition, base, next, max_timestamp_ms };
        HwAdvance { partition, offset };
        LogStartAdvance { partition, offset };
        GroupStateChanged { group, from, to, generation, why };
        MemberPending { group, member_id };
        MemberAdded { group, member_id, group_instance_id, replaces };
        MemberRemoved { group, member_id, cause };
        LeaderElected { group, member_id };
        JoinCompleted { group, generation, protocol, leader };
        Assigned { group, generation, shares };
        CommitStored { group, partition, offset, member_id };
        CommitRemoved { group, partition };
        MemberStateChanged { member, from, to };
        CallbackCalled { member, callback, partitions };
        CallbackReturned { member, callback };
        Acquire { member, partition };
        Release { member, partition, cause };
        PositionSet { member, partition, offset, cause };
        Deliver { member, partition, base, next };
        Done { member, partition, base, next };
        GivenUp { member, partition, offset };
        Forwarded { member, partition, offset, to, to_offset };
        CommitStarted { member, kind, offsets };
        CommitFinished { member, kind, error };
        SubscriptionChanged { member, topics, pattern };
        PauseChanged { member, partition, paused };
        PollTimeoutExpired { member };
        Thrown { actor, process, exception };
        AdminFinished { actor, task, refusal };
        RecordAccumulated { actor, partition, key };
        BatchSent { actor, partition, records, attempt };
        BatchAcknowledged { actor, partition, records, base };
        BatchFailed { actor, partition, records, error };
    }
}
