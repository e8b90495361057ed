//! English: what an administrator's tools do.

use super::AdminTexts;
use crate::view::{AdminRefusal, AdminTask, ErrorCode};
use crate::world::command::{AdminAct, ResetTo};

/// A sentence for what a tool was asked for.
pub fn act(act: &AdminAct) -> String {
    match act {
        AdminAct::ResetOffsets {
            group, topic, to, ..
        } => {
            let of = topic
                .as_ref()
                .map_or("all its topics", |topic| topic.as_str());
            format!(
                "You reset the offsets of {group} for {of}: {}.",
                reset_to(*to)
            )
        }
        AdminAct::DeleteOffsets { group, topic, .. } => {
            format!("You delete the offsets of {group} for {topic}.")
        }
        AdminAct::DeleteGroup { group } => format!("You delete the group {group}."),
        AdminAct::RemoveMember {
            group,
            group_instance_id,
        } => {
            format!("You remove the static member {group_instance_id} from {group}.")
        }
        AdminAct::DeleteTopic { topic } => format!("You delete the topic {topic}."),
        AdminAct::DeleteRecords { partition, before } if before.0 < 0 => {
            format!("You delete all records of {partition}.")
        }
        AdminAct::DeleteRecords { partition, before } => {
            format!(
                "You delete the records of {partition} before offset {}.",
                before.0
            )
        }
    }
}

fn reset_to(to: ResetTo) -> String {
    match to {
        ResetTo::Earliest => "to the earliest".to_string(),
        ResetTo::Latest => "to the latest".to_string(),
        ResetTo::Offset(offset) => format!("to {}", offset.0),
        ResetTo::Shift(by) => format!("by {by:+}"),
        ResetTo::TimeMs(at) => format!("to the first record from {at} ms on"),
    }
}

/// A sentence for how it ended.
pub fn finished(task: &AdminTask, refusal: Option<&AdminRefusal>) -> String {
    match refusal {
        None => done(task),
        Some(refusal) => format!("{}: {}", not_done(task), why_not(task, refusal)),
    }
}

fn done(task: &AdminTask) -> String {
    match task {
        AdminTask::ResetOffsets(group) => format!("The offsets of {group} are reset."),
        AdminTask::DeleteOffsets(group, topic) => {
            format!("The offsets of {group} for {topic} are deleted.")
        }
        AdminTask::DeleteGroup(group) => format!("The group {group} is deleted."),
        AdminTask::RemoveMember(group, member) => format!("{member} is removed from {group}."),
        AdminTask::DeleteTopic(topic) => format!("The topic {topic} is deleted."),
        AdminTask::DeleteRecords(partition) => format!("Records of {partition} are deleted."),
    }
}

fn not_done(task: &AdminTask) -> String {
    match task {
        AdminTask::ResetOffsets(group) => format!("The offsets of {group} are not reset"),
        AdminTask::DeleteOffsets(group, topic) => {
            format!("The offsets of {group} for {topic} are not deleted")
        }
        AdminTask::DeleteGroup(group) => format!("The group {group} is not deleted"),
        AdminTask::RemoveMember(group, member) => format!("{member} is not removed from {group}"),
        AdminTask::DeleteTopic(topic) => format!("The topic {topic} is not deleted"),
        AdminTask::DeleteRecords(partition) => format!("No records of {partition} are deleted"),
    }
}

/// In the tools' own words where they have any.
fn why_not(task: &AdminTask, refusal: &AdminRefusal) -> String {
    let group = match task {
        AdminTask::ResetOffsets(group) => group.as_str(),
        _ => "",
    };
    match refusal {
        AdminRefusal::GroupActive(state) => format!(
            "assignments can only be reset if the group '{group}' is inactive, but the current state is {state}."
        ),
        AdminRefusal::NoCommittedOffset(partition) => {
            format!("{partition} has no committed offset that could be shifted.")
        }
        AdminRefusal::Timeout => "no answer in time (TimeoutException).".to_string(),
        AdminRefusal::Error(error) => match meaning(*error) {
            Some(words) => format!("{} {}, {words}.", error.code(), error.name()),
            None => format!("{} {}.", error.code(), error.name()),
        },
    }
}

const fn meaning(error: ErrorCode) -> Option<&'static str> {
    Some(match error {
        ErrorCode::NonEmptyGroup => "the group still has members",
        ErrorCode::GroupSubscribedToTopic => "a member of the group subscribes to the topic",
        ErrorCode::GroupIdNotFound => "there is no such group",
        ErrorCode::UnknownMemberId => {
            "the group does not know such a member, or it has members again"
        }
        ErrorCode::UnknownTopicOrPartition => "there is no such topic or partition",
        ErrorCode::OffsetOutOfRange => "the offset lies above the high watermark",
        ErrorCode::InvalidTopicException => "the topic is Kafka's own",
        _ => return None,
    })
}

/// The texts.
pub const ENGLISH: AdminTexts = AdminTexts {
    tools: "Administrator",
    reset_offsets: "Reset offsets",
    topic: "topic",
    all_topics: "all topics",
    reset_to: "reset to",
    reset_way: |way| match way {
        "earliest" => "the earliest",
        "latest" => "the latest",
        "offset" => "an offset",
        "shift" => "shifted by",
        _ => "a time",
    },
    offset: "offset",
    by: "by (may be negative)",
    at_ms: "virtual time",
    delete_offsets: "Delete offsets",
    delete_group: "Delete the group",
    remove_member: |member| format!("Remove the static member {member}"),
    delete_topic: "Delete the topic",
    delete_records_before: "delete records before offset",
    delete_all_records: "Delete all records",
    commit_when_revoked: "commitSync() in onPartitionsRevoked()",
    commit_on_close: "commitSync() before close()",
    on_poison: "on a poison record",
    poison_way: |way| match way {
        "crash" => "crash",
        "retry" => "try again for ever",
        "skip" => "log it and skip it",
        _ => "send it to a retry topic",
    },
    poison_next: "Poison the next record",
    corrupt_next: "Corrupt the next record",
    poison_this: "Poison this record",
    corrupt_this: "Corrupt this record",
    delete_before_this: "Delete the records before it",
    commit_every: "records per commit",
    more_of_program: "More of the program",
    polls: "calls poll()",
    poll_way: |way| match way {
        "every" => "at fixed instants",
        _ => "as soon as it can",
    },
    poll_period: "from poll to poll",
    poll_phase: "one of the instants",
    time_spread: "time per record varies by",
    busy: "busy elsewhere, from-until",
    callback_time: "rebalance callbacks take",
    on_exception: "when a call throws",
    exception_way: |way| match way {
        "crash" => "end without closing",
        "close" => "close the consumer and end",
        _ => "log it and poll on",
    },
    crash_after: "dies after records",
    never: "never",
    assign_time: "its assignor takes",
    as_others: "as elsewhere",
    queue_max: "records that may wait",
    threads: "worker threads",
    no_threads: "in the poll loop",
    consumers_to_add: "how many more",
    add_consumers: |count| match count {
        1 => "Add a consumer".to_string(),
        count => format!("Add {count} consumers"),
    },
    add_producer: "add a producer",
    new_name: "its name",
    create_topic: "create a topic",
    new_partitions: "partitions of a new topic",
    send_record: "key of a single record",
    no_key: "none",
    send_now: "Send one record",
};
