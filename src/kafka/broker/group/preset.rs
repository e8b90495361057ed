//! Groups that exist before the scenario's zero.

use super::super::offsets::CommittedOffset;
use crate::kafka::api::JoinGroupRequestProtocol;
use crate::kafka::ids::{
    Bytes, ClientId, Generation, GroupId, GroupInstanceId, MemberId, TopicPartition,
};
use crate::kafka::time::Instant;
use std::rc::Rc;

/// A group as it stands at the scenario's zero: Stable if it has members, else Empty.
#[derive(Clone, PartialEq, Debug)]
pub struct GroupPreset {
    /// `group.id`.
    pub group: GroupId,
    /// When it came into its state.
    pub since: Instant,
    /// The present generation.
    pub generation: Generation,
    /// `consumer` for consumers. `None`: offsets only, never a member.
    pub protocol_type: Option<Rc<str>>,
    /// The assignor in force. `None` without members.
    pub protocol: Option<Rc<str>>,
    /// The leader. `None`: the first member.
    pub leader: Option<MemberId>,
    /// The members in the order in which they joined.
    pub members: Vec<MemberPreset>,
    /// Order in which members are listed to the leader and answered, by id, whether or not they are
    /// members yet: Kafka's is that of a hash table. Who is not named follows in the order of joining.
    pub member_order: Vec<MemberId>,
    /// Its committed offsets.
    pub offsets: Vec<(TopicPartition, CommittedOffset)>,
}

/// A member of such a group.
#[derive(Clone, PartialEq, Debug)]
pub struct MemberPreset {
    /// Its id.
    pub member_id: MemberId,
    /// Static members only.
    pub group_instance_id: Option<GroupInstanceId>,
    /// `client.id`.
    pub client_id: ClientId,
    /// Where it runs.
    pub client_host: Rc<str>,
    /// `session.timeout.ms`.
    pub session_timeout_ms: i32,
    /// `max.poll.interval.ms`.
    pub rebalance_timeout_ms: i32,
    /// Its assignors, most wanted first, with its metadata.
    pub protocols: Vec<JoinGroupRequestProtocol>,
    /// Its share, an encoded Assignment.
    pub assignment: Bytes,
    /// When the coordinator last heard of it.
    pub last_heartbeat: Instant,
}
