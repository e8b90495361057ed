//! English: what happened, why, and what cannot be done.

use super::bound;
use super::by_topic;
use super::en_admin;
use crate::kafka::config::{ConfigError, Takes};
use crate::view::event::Event;
use crate::view::{
    Callback, CommitKind, Exception, FactKind, GroupWhy, Party, PositionCause, ReleaseCause,
    RemovalCause, StopCause, TopicPartition, Why,
};
use crate::world::command::{Command, FaultKind, RawRequest, Refusal, Rollout};

/// Shares that a sentence names.
const SHARES_MOST: usize = 8;

fn list(partitions: &[TopicPartition]) -> String {
    match partitions {
        [] => "nothing".to_string(),
        few => few
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", "),
    }
}

fn records(count: i64) -> String {
    if count == 1 {
        "1 record".to_string()
    } else {
        format!("{count} records")
    }
}

fn party(party: &Party) -> String {
    match party {
        Party::Broker(id) => format!("broker {}", id.0),
        Party::Client(name) => name.to_string(),
    }
}

/// A sentence for an event.
pub fn event(event: &Event) -> String {
    let who = event.who.as_ref().map_or("a member", |name| name.as_str());
    let api = event.api.map_or("request", |api| api.name());
    match &event.kind {
        FactKind::Act { .. } => event
            .command
            .as_ref()
            .map_or_else(|| "An act.".to_string(), |c| command(c)),
        FactKind::TimerFired { party: whose, why } => {
            format!("Timer at {}: {}.", party(whose), timer(why))
        }
        FactKind::Started { actor, process } if *process > 1 => {
            format!("{actor} starts again, as process {process}.")
        }
        FactKind::Started { actor, .. } => format!("{actor} starts."),
        FactKind::Stopped { actor, how, .. } => match how {
            StopCause::Closed => format!("{actor} has closed in good order."),
            StopCause::Killed => format!(
                "{actor} was killed. The coordinator does not know it yet: it waits for the session to time out."
            ),
            StopCause::Failed => format!("{actor} ended with an exception, without closing."),
        },
        FactKind::Frozen { actor } => format!("{actor} stands still: no heartbeat, no poll."),
        FactKind::Thawed { actor } => format!("{actor} goes on."),
        FactKind::RequestSent {
            from, to, request, ..
        } => format!("{from} sends {} to broker {}.", request.api().name(), to.0),
        FactKind::RequestReceived { .. } => format!("{api} of {who} arrives."),
        FactKind::RequestParked { .. } => {
            format!("The broker keeps the answer to {api} of {who} back.")
        }
        FactKind::ResponseSent { response, .. } if response.error().is_none() => {
            format!("{who} is answered: {}.", response.api().name())
        }
        FactKind::ResponseSent { response, .. } => {
            let error = response.error();
            format!(
                "{} of {who} is answered with {} {}.",
                response.api().name(),
                error.code(),
                error.name()
            )
        }
        FactKind::ResponseReceived { .. } => format!("{who} has the answer to {api}."),
        FactKind::MessageLost { .. } => format!("{api} of {who} or its answer is lost."),
        FactKind::PartitionCreated { partition, leader } => format!(
            "Partition {partition} exists from now on; broker {} leads it.",
            leader.0
        ),
        FactKind::PartitionDeleted { partition } => {
            format!("Partition {partition} is gone, with its records.")
        }
        FactKind::Append {
            partition,
            base,
            next,
            ..
        } => format!(
            "{partition}: {} appended at offset {}.",
            records(next.0 - base.0),
            base.0
        ),
        FactKind::HwAdvance { partition, offset } => {
            format!("{partition}: the high watermark is {}.", offset.0)
        }
        FactKind::LogStartAdvance { partition, offset } => {
            format!("{partition}: the log starts at {} now.", offset.0)
        }
        FactKind::GroupStateChanged {
            group,
            from,
            to,
            why,
            ..
        } => format!(
            "{group}: {} → {}. {}",
            from.name(),
            to.name(),
            group_why(why, who)
        ),
        FactKind::MemberPending { .. } => {
            format!("{who} gets a member id and is asked to join again with it.")
        }
        FactKind::MemberAdded {
            replaces: Some(_), ..
        } => format!("{who} takes the place of its former process, as a static member does."),
        FactKind::MemberAdded { .. } => format!("The coordinator has {who} as a member."),
        FactKind::MemberRemoved { cause, .. } => {
            format!("The coordinator removes {who}: {}.", removal(*cause))
        }
        FactKind::LeaderElected { .. } => format!("{who} is the leader of the group."),
        FactKind::JoinCompleted {
            generation,
            protocol,
            ..
        } => format!(
            "Everybody has joined: generation {}, {protocol}, leader {who}.",
            generation.0
        ),
        FactKind::Assigned {
            group, generation, ..
        } => {
            let shares = event.shares.iter().map(|(name, partitions)| {
                if partitions.is_empty() {
                    format!("{name} gets nothing")
                } else {
                    format!("{name} gets {}", by_topic(partitions.iter()))
                }
            });
            let shares: Vec<_> = shares.take(SHARES_MOST).collect();
            format!(
                "{group}, generation {}: {}{}.",
                generation.0,
                shares.join("; "),
                if event.shares.len() > SHARES_MOST {
                    "; …"
                } else {
                    ""
                }
            )
        }
        FactKind::CommitStored {
            partition, offset, ..
        } => format!("{partition}: committed offset {} stored.", offset.0),
        FactKind::CommitRemoved { partition, .. } => {
            format!("{partition}: the committed offset is gone.")
        }
        FactKind::MemberStateChanged { member, from, to } => {
            format!("{}: {from:?} → {to:?}.", member.actor)
        }
        FactKind::CallbackCalled {
            member,
            callback: called,
            partitions,
        } => format!(
            "{}: {} is called with {}.",
            member.actor,
            callback(*called),
            list(partitions)
        ),
        FactKind::CallbackReturned {
            member,
            callback: called,
        } => format!("{}: {} returns.", member.actor, callback(*called)),
        FactKind::Acquire { member, partition } => {
            format!("{} owns {partition} from now on.", member.actor)
        }
        FactKind::Release {
            member,
            partition,
            cause,
        } => format!(
            "{} no longer owns {partition}: {}.",
            member.actor,
            release(*cause)
        ),
        FactKind::PositionSet {
            member,
            partition,
            offset,
            cause,
        } => format!(
            "{} reads {partition} from {}: {}.",
            member.actor,
            offset.0,
            position(*cause)
        ),
        FactKind::Deliver {
            member,
            partition,
            base,
            ..
        } if event.again.is_some() => format!(
            "{} gets {} of {partition} again, from offset {} on.",
            member.actor,
            records(event.again.unwrap_or(0)),
            base.0
        ),
        FactKind::Deliver {
            member,
            partition,
            base,
            next,
        } => format!(
            "{} gets {} of {partition}, offsets {} to {}.",
            member.actor,
            records(next.0 - base.0),
            base.0,
            next.0 - 1
        ),
        FactKind::Done {
            member,
            partition,
            base,
            next,
        } => format!(
            "{} has done {} of {partition}, offsets {} to {}.",
            member.actor,
            records(next.0 - base.0),
            base.0,
            next.0 - 1
        ),
        FactKind::GivenUp {
            member,
            partition,
            offset,
        } => format!(
            "{} cannot handle offset {} of {partition}, and goes on without it.",
            member.actor, offset.0
        ),
        FactKind::Forwarded {
            member,
            partition,
            offset,
            to,
            to_offset,
        } => format!(
            "{} cannot handle offset {} of {partition} and sends it to {to}, where it is offset {}.",
            member.actor, offset.0, to_offset.0
        ),
        FactKind::CommitStarted { member, kind, .. } => {
            format!("{} commits ({}).", member.actor, commit(*kind))
        }
        FactKind::CommitFinished {
            member,
            kind,
            error: None,
        } => format!("{}: commit done ({}).", member.actor, commit(*kind)),
        FactKind::CommitFinished {
            member,
            kind,
            error: Some(error),
        } => format!(
            "{}: commit failed ({}): {}.",
            member.actor,
            commit(*kind),
            exception(error)
        ),
        FactKind::SubscriptionChanged { member, topics, .. } => {
            let topics: Vec<_> = topics.iter().map(|topic| topic.as_str()).collect();
            format!(
                "{} subscribes to {}.",
                member.actor,
                if topics.is_empty() {
                    "nothing".to_string()
                } else {
                    topics.join(", ")
                }
            )
        }
        FactKind::PauseChanged {
            member,
            partition,
            paused: true,
        } => format!("{} pauses {partition}.", member.actor),
        FactKind::PauseChanged {
            member,
            partition,
            paused: false,
        } => format!("{} resumes {partition}.", member.actor),
        FactKind::PollTimeoutExpired { member } => format!(
            "{} has not called poll() for max.poll.interval.ms: it leaves the group.",
            member.actor
        ),
        FactKind::Thrown {
            actor,
            exception: thrown,
            ..
        } => format!("{actor}: {}.", exception(thrown)),
        FactKind::AdminFinished { task, refusal, .. } => en_admin::finished(task, refusal.as_ref()),
        FactKind::RecordAccumulated {
            actor, partition, ..
        } => format!("{actor} has a record for {partition}."),
        FactKind::BatchSent {
            actor,
            partition,
            records: count,
            ..
        } => format!(
            "{actor} sends {} for {partition}.",
            records(i64::from(*count))
        ),
        FactKind::BatchAcknowledged {
            actor,
            partition,
            records: count,
            ..
        } => format!(
            "{actor}: {} written to {partition}.",
            records(i64::from(*count))
        ),
        FactKind::BatchFailed {
            actor,
            partition,
            error,
            ..
        } => format!(
            "{actor}: a batch for {partition} failed with {} {}.",
            error.code(),
            error.name()
        ),
    }
}

fn group_why(why: &GroupWhy, who: &str) -> String {
    match why {
        GroupWhy::Created => "The group is new.".to_string(),
        GroupWhy::MemberJoined(_) => format!("{who} wants to join."),
        GroupWhy::MemberChanged(_) => format!("{who} joins again with other metadata."),
        GroupWhy::LeaderRejoined(_) => format!("The leader {who} joins again."),
        GroupWhy::StaticMemberReplaced(id) => {
            format!("The static member {id} is back, and the group cannot go on as it was.")
        }
        GroupWhy::MemberLeft(_) => format!("{who} left."),
        GroupWhy::SessionExpired(_) => format!("The session of {who} timed out."),
        GroupWhy::AllJoined => "Everybody has joined.".to_string(),
        GroupWhy::InitialDelayOver => "The initial delay is over.".to_string(),
        GroupWhy::RebalanceTimeout => {
            "The rebalance timeout is over; who has not joined is out.".to_string()
        }
        GroupWhy::LastMemberLeft => "Nobody is left.".to_string(),
        GroupWhy::AssignmentStored => {
            "The assignment is stored, and everybody gets a share.".to_string()
        }
        GroupWhy::AssignmentNotStored(error) => format!(
            "The assignment could not be stored: {} {}.",
            error.code(),
            error.name()
        ),
        GroupWhy::SyncTimeout => "Somebody did not send SyncGroup in time.".to_string(),
        GroupWhy::Deleted => "The group is deleted.".to_string(),
    }
}

const fn removal(cause: RemovalCause) -> &'static str {
    match cause {
        RemovalCause::SessionExpired => "its session timed out",
        RemovalCause::Left => "it left",
        RemovalCause::RemovedByAdmin => "an administrator removed it",
        RemovalCause::RebalanceTimeout => "it did not join in time",
        RemovalCause::SyncTimeout => "it did not send SyncGroup in time",
        RemovalCause::GroupFull => "the group is full",
        RemovalCause::Fenced => "a newer process has its group.instance.id",
    }
}

const fn release(cause: ReleaseCause) -> &'static str {
    match cause {
        ReleaseCause::EagerRevoke => "an eager rebalance takes everything back",
        ReleaseCause::CooperativeRevoke => "its new assignment lacks it",
        ReleaseCause::Lost => "its membership is lost",
        ReleaseCause::Closed => "it closes",
        ReleaseCause::Crashed => "its process died",
        ReleaseCause::Unsubscribed => "it no longer subscribes to the topic",
    }
}

const fn position(cause: PositionCause) -> &'static str {
    match cause {
        PositionCause::Committed => "that is the committed offset",
        PositionCause::ResetEarliest => "auto.offset.reset=earliest",
        PositionCause::ResetLatest => "auto.offset.reset=latest",
        PositionCause::Seek => "seek()",
        PositionCause::Truncation => "the log was truncated",
    }
}

const fn callback(callback: Callback) -> &'static str {
    match callback {
        Callback::Revoked => "onPartitionsRevoked()",
        Callback::Assigned => "onPartitionsAssigned()",
        Callback::Lost => "onPartitionsLost()",
    }
}

const fn commit(kind: CommitKind) -> &'static str {
    match kind {
        CommitKind::Sync => "commitSync()",
        CommitKind::Async => "commitAsync()",
        CommitKind::Auto => "enable.auto.commit",
    }
}

fn exception(exception: &Exception) -> String {
    let name = exception.name();
    match exception {
        Exception::CommitFailed => format!("{name}, it is no longer in the group"),
        Exception::FencedInstanceId => {
            format!("{name}, another process has its group.instance.id")
        }
        Exception::NoOffsetForPartition(partition) | Exception::OffsetOutOfRange(partition) => {
            format!("{name} for {partition}")
        }
        Exception::RecordDeserialization(partition, offset) => {
            format!("{name} at offset {} of {partition}", offset.0)
        }
        Exception::IllegalState(words) => format!("{name}: {words}"),
        Exception::RebalanceInProgress | Exception::Timeout | Exception::Kafka(_) => name.into(),
    }
}

fn timer(why: &Why) -> String {
    match why {
        Why::SessionTimeout(..) => {
            "the session of a member is over (session.timeout.ms)".to_string()
        }
        Why::InitialDelay(_) => {
            "the initial delay is over (group.initial.rebalance.delay.ms)".to_string()
        }
        Why::RebalanceTimeout(_) => "the rebalance timeout is over".to_string(),
        Why::SyncTimeout(_) => "the time for SyncGroup is over".to_string(),
        Why::GroupAppend(_) => "a write to __consumer_offsets is done".to_string(),
        Why::OffsetsRetentionCheck => "expired offsets are looked for".to_string(),
        Why::FetchMaxWait => "a fetch has waited for fetch.max.wait.ms".to_string(),
        Why::LogRetentionCheck => "old segments are looked for".to_string(),
        Why::HeartbeatInterval => "it is time for a heartbeat (heartbeat.interval.ms)".to_string(),
        Why::ClientSessionTimeout => "no heartbeat was answered for session.timeout.ms".to_string(),
        Why::MaxPollInterval => "poll() was not called for max.poll.interval.ms".to_string(),
        Why::AutoCommitInterval => {
            "it is time for an auto commit (auto.commit.interval.ms)".to_string()
        }
        Why::RetryBackoff => "the pause before a retry is over (retry.backoff.ms)".to_string(),
        Why::RequestTimeout => "no answer for request.timeout.ms".to_string(),
        Why::MetadataMaxAge => "the metadata is old (metadata.max.age.ms)".to_string(),
        Why::Assigning => "the leader has computed the assignment".to_string(),
        Why::CallTimeout => "the time limit of a call is over".to_string(),
        Why::Application => "the application goes on".to_string(),
        Why::ProducerRate => "the next record is due".to_string(),
        Why::Linger => "a batch has waited for linger.ms".to_string(),
        Why::DeliveryTimeout => "a batch is too old (delivery.timeout.ms)".to_string(),
    }
}

/// A sentence for an act.
pub fn command(command: &Command) -> String {
    match command {
        Command::AddConsumers { consumers } => {
            let names: Vec<_> = consumers
                .iter()
                .map(|consumer| consumer.name.as_str())
                .collect();
            format!("You add {}.", names.join(", "))
        }
        Command::Close { actor } => format!("You close {actor}."),
        Command::Kill { actor } => format!("You kill {actor}."),
        Command::Freeze { actor } => format!("You freeze {actor}."),
        Command::Thaw { actor } => format!("You thaw {actor}."),
        Command::Restart { actor, .. } => format!("You restart {actor}."),
        Command::SetConfig { actor, name, value } if value.is_empty() => {
            format!("You take {name} of {actor} back to its default.")
        }
        Command::SetConfig { actor, name, value } => {
            format!("You set {name}={value} for {actor}; it counts from its next start.")
        }
        Command::SetBrokerConfig {
            broker,
            name,
            value,
        } if value.is_empty() => {
            format!(
                "You take {name} of broker {} back to its default.",
                broker.0
            )
        }
        Command::SetBrokerConfig {
            broker,
            name,
            value,
        } => format!("You set {name}={value} for broker {}.", broker.0),
        Command::SetHandler {
            actor,
            time_per_record,
        } => format!("{actor} now takes {time_per_record} ms for a record."),
        Command::Stall { actor, length } => {
            format!("{actor} stays away from poll() for {length} ms.")
        }
        Command::SetCommitStyle { actor, .. } => format!("You change when {actor} commits."),
        Command::SetApplication { actor, .. } => format!("You change the program of {actor}."),
        Command::SetReads { actor, .. } => format!("You change what {actor} reads."),
        Command::SwitchAssignor {
            group,
            strategy,
            how,
        } => {
            let how = match how {
                Rollout::FullRestart => "all at once",
                Rollout::RollingBounce => "one after the other",
            };
            format!(
                "You give {group} partition.assignment.strategy={}, {how}.",
                strategy.join(",")
            )
        }
        Command::Pause { actor, partitions } => format!("{actor} pauses {}.", list(partitions)),
        Command::Resume { actor, partitions } => format!("{actor} resumes {}.", list(partitions)),
        Command::Seek {
            actor,
            partition,
            offset,
        } => format!("{actor} seeks to {} in {partition}.", offset.0),
        Command::EnforceRebalance { actor } => format!("{actor} enforces a rebalance."),
        Command::Commit { actor, .. } => format!("{actor} commits."),
        Command::AddProducer { producer } => format!("You add the producer {}.", producer.name),
        Command::StartProducer { actor } => format!("You start {actor}."),
        Command::StopProducer { actor } => format!("You stop {actor}."),
        Command::SendRecord { actor, .. } => format!("{actor} sends a record."),
        Command::SetRate { actor, every } => {
            format!("{actor} now makes a record every {every} ms.")
        }
        Command::SetKeys { actor, .. } => format!("You change the keys of {actor}."),
        Command::SetSize { actor, size_bytes } => {
            format!("Records of {actor} now have {size_bytes} bytes.")
        }
        Command::CreateTopic { topic } => format!("You create the topic {}.", topic.name),
        Command::AddPartitions { topic, total } => format!("{topic} gets {total} partitions."),
        Command::Poison { partition, offset } => {
            format!("The record {} of {partition} is poison.", offset.0)
        }
        Command::Corrupt { partition, offset } => format!(
            "No deserializer can read the record {} of {partition}.",
            offset.0
        ),
        Command::Send { client, request } => match request {
            RawRequest::OffsetCommit { group, .. } => {
                format!("{client} commits offsets of the group {group}.")
            }
            RawRequest::LeaveGroup { group, .. } => {
                format!("{client} removes static members from the group {group}.")
            }
        },
        Command::Admin(act) => en_admin::act(act),
        Command::Fault { api, what, .. } => match what {
            FaultKind::DropRequest => format!("The next {api} will be dropped."),
            FaultKind::HoldRequest { length } => {
                format!("The next {api} will be held for {length} ms.")
            }
            FaultKind::AnswerWithError { code } => {
                format!("The next {api} will be answered with error {code}.")
            }
            FaultKind::DropResponse => format!("The answer to the next {api} will be dropped."),
            FaultKind::HoldResponse { length } => {
                format!("The answer to the next {api} will be held for {length} ms.")
            }
        },
    }
}

/// Why something cannot be done.
pub fn refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::UnknownActor(name) => format!("There is nobody called {name}."),
        Refusal::NameTaken(name) => format!("The name {name} is taken."),
        Refusal::NotAConsumer(name) => format!("{name} is not a consumer."),
        Refusal::NotAProducer(name) => format!("{name} is not a producer."),
        Refusal::NotRunning(name) => format!("{name} is not running."),
        Refusal::Frozen(name) => format!("{name} is frozen: thaw it first."),
        Refusal::NotFrozen(name) => format!("{name} is not frozen."),
        Refusal::Closing(name) => format!("{name} is closing."),
        Refusal::NotAssigned(name, partition) => format!("{name} does not own {partition}."),
        Refusal::UnknownGroup(group) => format!("No consumer of the group {group} is running."),
        Refusal::UnknownBroker(id) => format!("There is no broker {}.", id.0),
        Refusal::NotDynamic(name) => {
            format!(
                "Kafka reads {name} when a broker starts, and does not change it while one runs."
            )
        }
        Refusal::UnknownTopic(topic) => format!("There is no topic {topic}."),
        Refusal::TopicExists(topic) => format!("The topic {topic} exists already."),
        Refusal::UnknownPartition(partition) => format!("There is no partition {partition}."),
        Refusal::OwnedTwice(partition) => {
            format!("{partition} cannot be owned twice in one generation.")
        }
        Refusal::FewerPartitions { topic, has } => {
            format!("{topic} has {has} partitions, and Kafka cannot take partitions away.")
        }
        Refusal::OutOfRange {
            what: "every_ms", ..
        } => "Records come at least 1 µs and at most a year apart: at most 1,000,000 per second."
            .to_string(),
        Refusal::OutOfRange {
            what,
            least,
            most: i64::MAX,
        } => format!(
            "{} must be at least {}.",
            of_what(what),
            bound(what, *least)
        ),
        Refusal::OutOfRange { what, least, most } => format!(
            "{} must be between {} and {}.",
            of_what(what),
            bound(what, *least),
            bound(what, *most)
        ),
        Refusal::Config(error) => config_error(error),
        Refusal::UnknownApi(name) => format!("There is no API called {name}."),
        Refusal::UnknownError(code) => format!("Kafka has no error with the number {code}."),
        Refusal::BadPattern(text) => format!("{text} is not a pattern that works here."),
        Refusal::BadReplicas => "Replicas must be on different brokers that exist.".to_string(),
        Refusal::Nothing(what) => format!("{} must not be empty.", of_what(what)),
        Refusal::TooMany { what, most } => {
            format!("There can be at most {most} {}.", many_of(what))
        }
    }
}

/// What a number is of, where the engine names a field.
fn of_what(what: &'static str) -> &'static str {
    match what {
        "hot_percent" => "The share of the hot key, in percent,",
        "count" => "The number of different keys",
        "size_bytes" => "The size of a record, in bytes,",
        "total" | "partitions" => "The number of partitions",
        "offset" | "offsets" => "The offset",
        "for_ms" | "length_ms" => "The time, in ms,",
        "time_per_record_ms" => "The time per record, in ms,",
        "callback_time_ms" => "The time of a callback, in ms,",
        "time_spread_percent" => "The spread of the time per record, in percent,",
        "threads" => "The number of threads",
        "queue_max" => "The number of records that wait for a thread",
        "records" => "The number of records",
        "batch" => "The number of records in a batch",
        "replication_factor" => "The replication factor",
        "strategy" => "The list of assignors",
        "consumers" => "The list of consumers",
        "group_instance_ids" => "The list of instance ids",
        other => other,
    }
}

/// Things of which there are too many.
fn many_of(what: &'static str) -> &'static str {
    match what {
        "actors" => "clients",
        "faults" => "pending disturbances of messages",
        "tasks" => "tasks of the administrator at a time",
        other => other,
    }
}

/// Why a configuration is refused.
pub fn config_error(error: &ConfigError) -> String {
    match error {
        ConfigError::UnknownName(name) => format!("There is no configuration called {name}."),
        ConfigError::BadValue { name, value, takes } => format!(
            "{name} does not take \u{201c}{value}\u{201d}: {}.",
            takes_text(*takes)
        ),
        ConfigError::NotBelow { name, other } => format!("{name} must be lower than {other}."),
        ConfigError::DeliveryTimeoutTooShort => {
            "delivery.timeout.ms must be at least linger.ms + request.timeout.ms.".to_string()
        }
        ConfigError::UnknownAssignor(name) => format!(
            "There is no assignor called {name}, or it shares no rebalance protocol with the others."
        ),
        ConfigError::NoGroupId => "subscribe() needs a group.id.".to_string(),
    }
}

fn takes_text(takes: Takes) -> String {
    match takes {
        Takes::Number { least, most } => format!("it takes a whole number from {least} to {most}"),
        Takes::Choice(words) => format!("it takes one of {}", words.join(", ")),
        Takes::List => "it takes a list, separated by commas".to_string(),
        Takes::Text => "it takes text".to_string(),
        Takes::TopicCharacters => {
            "it takes letters, digits, '.', '_' and '-', at most 249 of them".to_string()
        }
    }
}
