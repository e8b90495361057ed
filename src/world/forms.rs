//! How commands, and what they hold, stand in JSON: the tables of their fields and words.

use super::command::{Act, AdminAct, Command, FaultKind, RawRequest, ResetTo, Rollout};
use super::setup::{
    ApplicationSpec, BrokerVersion, Busy, ClientFlavour, CommitStyle, ConsumerSpec, Coordinator,
    Keys, LinkSpec, OnException, OnPoison, PollStyle, ProducerSpec, Reads, TopicSpec, Workers,
};
use crate::form::{choice, record};
use crate::kafka::ids::Generation;

const NO_GENERATION: i32 = Generation::NONE.0;

record! { Act { at, command } }

choice! {
    Command {
        "add_consumers" => AddConsumers { consumers },
        "close" => Close { actor },
        "kill" => Kill { actor },
        "freeze" => Freeze { actor },
        "thaw" => Thaw { actor },
        "restart" => Restart { actor, configs = _ },
        "set_config" => SetConfig { actor, name, value },
        "set_broker_config" => SetBrokerConfig { broker, name, value },
        "set_handler" => SetHandler { actor, time_per_record as "time_per_record_ms" },
        "stall" => Stall { actor, length as "for_ms" },
        "set_commit_style" => SetCommitStyle { actor, commit = _ },
        "set_application" => SetApplication { actor, application },
        "set_reads" => SetReads { actor, reads },
        "switch_assignor" => SwitchAssignor { group, strategy, how },
        "pause" => Pause { actor, partitions },
        "resume" => Resume { actor, partitions },
        "seek" => Seek { actor, partition, offset },
        "enforce_rebalance" => EnforceRebalance { actor },
        "commit" => Commit { actor, offsets = _ },
        "add_producer" => AddProducer { producer },
        "start_producer" => StartProducer { actor },
        "stop_producer" => StopProducer { actor },
        "send_record" => SendRecord { actor, key = _ },
        "set_rate" => SetRate { actor, every as "every_ms" },
        "set_keys" => SetKeys { actor, keys },
        "set_size" => SetSize { actor, size_bytes },
        "create_topic" => CreateTopic { topic },
        "add_partitions" => AddPartitions { topic, total },
        "poison" => Poison { partition, offset },
        "corrupt" => Corrupt { partition, offset },
        "send" => Send { client, request },
        "admin" => Admin(act),
        "fault" => Fault { actor = _, api, what },
    }
}

choice! {
    AdminAct {
        "reset_offsets" => ResetOffsets { group, topic = _, partitions = _, to },
        "delete_offsets" => DeleteOffsets { group, topic, partitions = _ },
        "delete_group" => DeleteGroup { group },
        "remove_member" => RemoveMember { group, group_instance_id },
        "delete_topic" => DeleteTopic { topic },
        "delete_records" => DeleteRecords { partition, before },
    }
}

choice! {
    ResetTo {
        "earliest" => Earliest,
        "latest" => Latest,
        "offset" => Offset(offset),
        "shift" => Shift(by),
        "time_ms" => TimeMs(at),
    }
}

choice! {
    RawRequest {
        "offset_commit" => OffsetCommit {
            group,
            member_id = _,
            group_instance_id = _,
            generation = NO_GENERATION,
            offsets,
        },
        "leave_group" => LeaveGroup { group, group_instance_ids },
    }
}

choice! { Rollout { "full_restart" => FullRestart, "rolling_bounce" => RollingBounce } }

choice! {
    FaultKind {
        "drop_request" => DropRequest,
        "hold_request" => HoldRequest { length as "for_ms" },
        "answer_with_error" => AnswerWithError { code },
        "drop_response" => DropResponse,
        "hold_response" => HoldResponse { length as "for_ms" },
    }
}

choice! { Coordinator { "new" => New, "scala" => Scala } }
choice! { BrokerVersion { "2.3" => V2_3, "2.5" => V2_5, "3.1" => V3_1, "4.0" => V4_0 } }

record! {
    LinkSpec {
        client = _,
        broker = _,
        request as "request_ms" = _,
        response as "response_ms" = _,
    }
}

record! {
    TopicSpec { name, partitions, replication_factor = 1, replicas = _, configs = _ }
}

choice! { Keys { "none" => None, "some" => Some { count, hot_percent = _ } } }

record! {
    ProducerSpec {
        name,
        topic,
        every as "every_ms",
        keys = _,
        size_bytes = 100,
        first_at = _,
        configs = _,
    }
}

record! {
    ConsumerSpec {
        name,
        configs = _,
        flavour = _,
        reads,
        application = _,
        first_correlation_id = _,
    }
}

choice! { ClientFlavour { "java" => Java, "librdkafka" => Librdkafka } }

choice! {
    Reads {
        "subscribe" => Subscribe(topics),
        "pattern" => Pattern(pattern),
        "assign" => Assign(partitions),
    }
}

record! {
    ApplicationSpec {
        poll = _,
        time_per_record as "time_per_record_ms" = _,
        time_spread_percent = _,
        busy = _,
        commit = _,
        commit_when_revoked = _,
        commit_on_close = _,
        callback_time as "callback_time_ms" = _,
        on_poison = _,
        on_exception = _,
        crash_after_records = _,
        workers = _,
        assign_time as "assign_ms" = _,
    }
}

record! { Workers { threads, queue_max = 10_000 } }

choice! {
    PollStyle {
        "always" => Always,
        "every" => Every { period as "period_ms", phase as "phase_ms" = _ },
    }
}

record! { Busy { from as "from_ms", until as "until_ms" } }

choice! {
    CommitStyle {
        "none" => None,
        "sync_after_batch" => SyncAfterBatch,
        "sync_every" => SyncEvery { records },
        "sync_before_processing" => SyncBeforeProcessing,
        "async_after_batch" => AsyncAfterBatch,
        "async_every" => AsyncEvery { records },
        "async_every_with_resend" => AsyncEveryWithResend { records },
        "async_every_with_guard" => AsyncEveryWithGuard { records },
    }
}

choice! { OnPoison { "crash" => Crash, "retry" => Retry, "skip" => Skip, "retry_topic" => RetryTopic } }

choice! { OnException { "go_on" => GoOn, "crash" => Crash, "close" => Close } }
