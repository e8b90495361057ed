//! What a scenario says must hold. The vocabulary is closed: sixty names of the incident cards, and ten more
//! quantities of the accounting, which its worked examples need.

use super::want::Want;
use crate::form::{Case, Chosen, Content, Form, Place, Read, Shape};
use crate::kafka::ids::{ActorName, GroupId, Offset, TopicName, TopicPartition};
use crate::kafka::time::Instant;
use serde_json::Value;
use std::fmt;
use std::rc::Rc;

/// One expectation, as a file has it.
#[derive(Clone, PartialEq, Debug)]
pub struct ExpectFile {
    /// At this instant, after everything that happens then. Neither `at` nor `on`: over the whole run.
    pub at: Option<Instant>,
    /// At the instant of this event, after everything that happens then.
    pub on: Option<EventFile>,
    /// What is looked at.
    pub field: Field,
    /// Of whom.
    pub of: Option<ActorName>,
    /// Of which group. Not said: the only one that the file speaks of.
    pub group: Option<GroupId>,
    /// Of which partition. Not said: of all together, where that makes sense.
    pub partition: Option<TopicPartition>,
    /// Of which topic, where a whole map is asked for. Not said: of all.
    pub topic: Option<TopicName>,
    /// Of which record of the partition.
    pub offset: Option<Offset>,
    /// Of which record key.
    pub key: Option<Rc<str>>,
    /// Requests of which API, by Kafka's name. Owned partitions: as an answer of this API gave them.
    pub api: Option<Rc<str>>,
    /// Which of several, from 1. Not said: the last so far.
    pub nth: Option<u32>,
    /// The event whose instant is meant, for `at_ms`.
    pub event: Option<EventFile>,
    /// The value.
    pub is: Want,
    /// By how much it may differ. Times: in ms.
    pub tolerance: u32,
    /// The variants that it is about. Not said: all.
    pub variants: Option<Vec<Rc<str>>>,
    /// Which expectation of the file's incident card it carries out, from 1.
    pub card: Option<u32>,
}

/// Points at an event: the `nth` that fits everything that is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventFile {
    /// What kind.
    pub event: EventKind,
    /// Of whom.
    pub of: Option<ActorName>,
    /// Of which group.
    pub group: Option<GroupId>,
    /// Of which partition.
    pub partition: Option<TopicPartition>,
    /// Of which API, by Kafka's name.
    pub api: Option<Rc<str>>,
    /// With which error code, for answers.
    pub error: Option<i16>,
    /// The group's new state, by Kafka's name.
    pub state: Option<Rc<str>>,
    /// Which of them, from 1.
    pub nth: u32,
}

/// Kinds of events that can be pointed at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// The group enters a state.
    State,
    /// The coordinator takes a member out because its session is over.
    SessionExpired,
    /// The coordinator takes a member out for whatever reason.
    Removed,
    /// A request goes onto the wire.
    Request,
    /// An answer reaches the client.
    Answer,
    /// A member acquires a partition.
    Acquired,
    /// A member lets go of a partition.
    Released,
    /// A position is set.
    PositionSet,
    /// The coordinator stores an offset.
    CommitStored,
    /// An application finishes records.
    Done,
    /// A call throws.
    Thrown,
    /// A process begins.
    Started,
    /// A process ends.
    Stopped,
}

macro_rules! fields {
    ($($variant:ident $name:literal $kind:ident;)*) => {
        /// What an expectation can look at.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Field {
            $(#[doc = $name] $variant,)*
        }

        impl Form for Field {
            const SHAPE: Shape = Shape::Choice(&[
                $(Case { word: $name, content: Content::Nothing },)*
            ]);

            fn read(value: &Value, place: &Place<'_>) -> Read<Self> {
                let chosen = Chosen::of(value, place, &Self::SHAPE)?;
                let field = Field::ALL.iter().find(|field| field.name() == chosen.word);
                field.copied().ok_or_else(|| chosen.unknown(place))
            }

            fn write(&self) -> Value {
                Value::from(self.name())
            }
        }

        impl Field {
            /// All of them.
            pub const ALL: &'static [Field] = &[$(Field::$variant,)*];

            /// Its name in files.
            pub const fn name(self) -> &'static str {
                match self { $(Field::$variant => $name,)* }
            }

            /// What its value is.
            pub const fn kind(self) -> FieldKind {
                match self { $(Field::$variant => FieldKind::$kind,)* }
            }
        }
    };
}

/// What the value of a field is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldKind {
    /// A whole number.
    Number,
    /// Milliseconds.
    Time,
    /// A text.
    Text,
    /// An error code, or `unanswered`.
    Error,
    /// True or false.
    Flag,
    /// Names, or how many.
    Names,
    /// Partitions, or how many.
    Partitions,
    /// Who owns what.
    Owners,
    /// Nothing yet: the engine has no answer.
    Unanswered,
}

fields! {
    State "state" Text;
    Generation "generation" Number;
    Epoch "epoch" Unanswered;
    MemberEpoch "member_epoch" Unanswered;
    GroupType "group_type" Unanswered;
    Members "members" Names;
    PendingMembers "pending_members" Number;
    LeaderChanged "leader_changed" Flag;
    Assignor "assignor" Text;
    RebalanceProtocol "rebalance_protocol" Text;
    MemberId "member_id" Text;
    SkipAssignment "skip_assignment" Flag;
    JoinError "join_error" Error;
    SyncError "sync_error" Error;
    LeaveError "leave_error" Error;
    HeartbeatError "heartbeat_error" Error;
    CommitError "commit_error" Error;
    OffsetFetchError "offset_fetch_error" Error;
    FetchError "fetch_error" Error;
    ProduceError "produce_error" Error;
    Exception "exception" Text;
    Callback "callback" Text;
    RequestsSent "requests_sent" Number;
    JoinWaitMs "join_wait_ms" Time;
    AtMs "at_ms" Time;
    Owned "owned" Partitions;
    OwnedCount "owned_count" Number;
    Owner "owner" Text;
    Owners "owners" Owners;
    Moved "moved" Partitions;
    Revoked "revoked" Number;
    Rebalances "rebalances" Number;
    UnownedMs "unowned_ms" Time;
    DoubleClaimMs "double_claim_ms" Time;
    FetchGapMs "fetch_gap_ms" Time;
    Paused "paused" Partitions;
    StartOffset "start_offset" Number;
    Position "position" Number;
    PositionKept "position_kept" Flag;
    Committed "committed" Number;
    LogEnd "log_end" Number;
    CommittedLag "committed_lag" Number;
    PositionLag "position_lag" Number;
    ProcessingLag "processing_lag" Number;
    Duplicates "duplicates" Number;
    DupProcessing "dup_processing" Number;
    Skipped "skipped" Number;
    SkippedByReset "skipped_by_reset" Number;
    ExpiredUnread "expired_unread" Number;
    AckedLost "acked_lost" Unanswered;
    Delivered "delivered" Number;
    Done "done" Number;
    LatencyMs "latency_ms" Time;
    ResponseRecords "response_records" Number;
    ResponseBytes "response_bytes" Number;
    BaseOffset "base_offset" Unanswered;
    LogOrder "log_order" Unanswered;
    PreferredReadReplica "preferred_read_replica" Unanswered;
    FetchTarget "fetch_target" Unanswered;
    Partition "partition" Text;

    PausedMs "paused_ms" Time;
    StopTheWorldMs "stop_the_world_ms" Time;
    RebalanceMs "rebalance_ms" Time;
    ChainMs "chain_ms" Time;
    MovedForced "moved_forced" Number;
    MovedVoluntary "moved_voluntary" Partitions;
    StickinessPermille "stickiness_permille" Number;
    FailedAttempts "failed_attempts" Number;
    InDoubt "in_doubt" Number;
    DetectionMs "detection_ms" Time;
}

/// How many of the fields are the incident cards'.
pub const CARD_FIELDS: usize = 60;

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_vocabulary_is_the_cards_sixty_and_ten_more() {
        let names: BTreeSet<&str> = Field::ALL.iter().map(|field| field.name()).collect();
        assert_eq!(names.len(), Field::ALL.len());
        assert_eq!(Field::ALL.len(), CARD_FIELDS + 10);
    }
}
