//! Where a join stands, and why it may fail.

use super::membership::MemberGeneration;
use crate::kafka::api::JoinGroupResponse;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Exception, ReleaseCause};
use crate::kafka::ids::{Bytes, TopicName, TopicPartition};
use crate::kafka::sorted::SortedSet;
use crate::kafka::time::Instant;
use std::rc::Rc;

/// Where a JoinGroup and its SyncGroup stand.
#[derive(Clone, Debug)]
pub(super) enum JoinFuture {
    /// None is under way.
    None,
    /// JoinGroup is sent.
    Joining,
    /// JoinGroup is answered; the application thread has not looked at it yet.
    Answered(Rc<MemberGeneration>, Rc<JoinGroupResponse>),
    /// The leader waits for metadata of the group's topics.
    AwaitingMetadata(Rc<JoinGroupResponse>),
    /// The leader can assign.
    ReadyToAssign(Rc<JoinGroupResponse>),
    /// The leader is assigning: that takes its time.
    Assigning(Rc<JoinGroupResponse>),
    /// SyncGroup is sent.
    Syncing,
    /// The share of this member, or why there is none.
    Done(Result<Bytes, JoinFailure>),
}

/// Why a join came to nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum JoinFailure {
    /// The answer's error, as its own exception.
    Kafka(ErrorCode),
    /// An error that the client does not expect there.
    Unexpected(ErrorCode),
    /// No answer.
    Disconnected,
    /// The member left meanwhile.
    Unjoined,
    /// The leader's assignor failed.
    Assignor(Rc<str>),
}

impl JoinFailure {
    /// Tried again without a pause.
    pub fn is_immediate(&self) -> bool {
        matches!(
            self,
            JoinFailure::Kafka(
                ErrorCode::UnknownMemberId
                    | ErrorCode::IllegalGeneration
                    | ErrorCode::RebalanceInProgress
                    | ErrorCode::MemberIdRequired
            )
        )
    }

    pub fn is_retriable(&self) -> bool {
        match self {
            JoinFailure::Kafka(error) => error.is_retriable(),
            JoinFailure::Disconnected | JoinFailure::Unjoined => true,
            JoinFailure::Unexpected(_) | JoinFailure::Assignor(_) => false,
        }
    }

    pub fn exception(&self) -> Exception {
        match self {
            JoinFailure::Kafka(ErrorCode::FencedInstanceId) => Exception::FencedInstanceId,
            JoinFailure::Kafka(error) | JoinFailure::Unexpected(error) => Exception::Kafka(*error),
            JoinFailure::Disconnected | JoinFailure::Unjoined => {
                Exception::Kafka(ErrorCode::NetworkException)
            }
            JoinFailure::Assignor(text) => Exception::IllegalState(text.clone()),
        }
    }

    /// Simple name of Java's exception class: the next JoinGroup gives it as its reason.
    pub fn class_name(&self) -> String {
        match self {
            JoinFailure::Kafka(error) => exception_class(*error),
            JoinFailure::Unexpected(_) => "KafkaException".into(),
            JoinFailure::Disconnected => "DisconnectException".into(),
            JoinFailure::Unjoined => "UnjoinedGroupException".into(),
            JoinFailure::Assignor(_) => "IllegalStateException".into(),
        }
    }
}

/// `INVALID_SESSION_TIMEOUT` becomes `InvalidSessionTimeoutException`, as in class `Errors`.
fn exception_class(error: ErrorCode) -> String {
    let mut name = String::new();
    for word in error.name().split('_') {
        let mut letters = word.chars();
        name.extend(letters.next());
        name.extend(letters.map(|letter| letter.to_ascii_lowercase()));
    }
    name.push_str("Exception");
    name
}

/// State of joining.
#[derive(Clone, Debug)]
pub(super) struct Join {
    /// Partitions have to be committed and given up before the next JoinGroup.
    pub needs_prepare: bool,
    pub future: JoinFuture,
    /// Until when to wait for the commit before JoinGroup.
    pub prepare_deadline: Option<Instant>,
    pub prepare_commit: PrepareCommit,
    /// librdkafka calls back before it commits: that is done.
    pub prepare_called_back: bool,
    /// What is given up once the callback has returned: why, and what stays.
    pub plan: Option<(ReleaseCause, SortedSet<TopicPartition>)>,
    pub is_leader: bool,
    /// The subscription that the last JoinGroup carried.
    pub joined_subscription: Option<Rc<SortedSet<TopicName>>>,
    /// The leader's view of the topics when it assigned.
    pub assignment_snapshot: Option<Rc<super::metadata::Snapshot>>,
    /// What `sticky` remembers of its last assignment.
    pub sticky: Option<(Vec<TopicPartition>, i32)>,
    /// What `cooperative-sticky` remembers.
    pub cooperative_generation: i32,
}

/// The commit before JoinGroup.
#[derive(Clone, Debug)]
pub(super) enum PrepareCommit {
    /// Not sent yet.
    None,
    /// Under way, by its number.
    InFlight(u64),
    /// Answered.
    Done(super::commits::CommitResult),
}

impl Default for Join {
    fn default() -> Self {
        Self {
            needs_prepare: true,
            future: JoinFuture::None,
            prepare_deadline: None,
            prepare_commit: PrepareCommit::None,
            prepare_called_back: false,
            plan: None,
            is_leader: false,
            joined_subscription: None,
            assignment_snapshot: None,
            sticky: None,
            cooperative_generation: -1,
        }
    }
}
