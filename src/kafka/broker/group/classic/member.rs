//! A member of a classic group (class `ClassicGroupMember`).

use super::super::super::desk::Ticket;
use crate::kafka::api::JoinGroupRequestProtocol;
use crate::kafka::ids::{Bytes, ClientId, GroupInstanceId, MemberId};
use std::rc::Rc;

/// A member, as the coordinator knows it.
#[derive(Clone, Debug)]
pub struct Member {
    pub(super) id: MemberId,
    pub(super) group_instance_id: Option<GroupInstanceId>,
    pub(super) client_id: ClientId,
    pub(super) client_host: Rc<str>,
    pub(super) session_timeout_ms: i32,
    pub(super) rebalance_timeout_ms: i32,
    pub(super) protocols: Rc<[JoinGroupRequestProtocol]>,
    pub(super) assignment: Bytes,
    pub(super) parked_join: Option<Ticket>,
    pub(super) parked_sync: Option<Ticket>,
    pub(super) is_new: bool,
}

impl Member {
    /// Its id.
    pub fn id(&self) -> &MemberId {
        &self.id
    }

    /// Its instance id, if it is static.
    pub fn group_instance_id(&self) -> Option<&GroupInstanceId> {
        self.group_instance_id.as_ref()
    }

    /// `client.id` of the process that joined first under this membership.
    pub fn client_id(&self) -> &ClientId {
        &self.client_id
    }

    /// Where that process runs.
    pub fn client_host(&self) -> &Rc<str> {
        &self.client_host
    }

    /// `session.timeout.ms`.
    pub fn session_timeout_ms(&self) -> i32 {
        self.session_timeout_ms
    }

    /// `max.poll.interval.ms`.
    pub fn rebalance_timeout_ms(&self) -> i32 {
        self.rebalance_timeout_ms
    }

    /// Its assignors, most wanted first, with its metadata.
    pub fn protocols(&self) -> &[JoinGroupRequestProtocol] {
        &self.protocols
    }

    /// Its share, an encoded Assignment. Empty bytes: none.
    pub fn assignment(&self) -> &Bytes {
        &self.assignment
    }

    /// Whether its JoinGroup is parked.
    pub fn is_awaiting_join(&self) -> bool {
        self.parked_join.is_some()
    }

    /// Whether its SyncGroup is parked.
    pub fn is_awaiting_sync(&self) -> bool {
        self.parked_sync.is_some()
    }

    /// Whether it has not been in a generation yet.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Whether it lists that assignor.
    pub(super) fn supports(&self, protocol: &str) -> bool {
        self.protocols.iter().any(|own| &*own.name == protocol)
    }

    /// Its metadata for that assignor; no bytes if it does not list it.
    pub(super) fn metadata(&self, protocol: Option<&str>) -> Bytes {
        let own = self.protocols.iter();
        let mut own = own.filter(|own| Some(&*own.name) == protocol);
        own.next().map_or_else(no_bytes, |own| own.metadata.clone())
    }

    /// Whether silence is excused: who waits for an answer cannot send a heartbeat. A new member is not
    /// excused, because its process may be gone without anybody noticing.
    pub(super) fn has_satisfied_heartbeat(&self) -> bool {
        !self.is_new && (self.is_awaiting_join() || self.is_awaiting_sync())
    }
}

/// No bytes at all.
pub(super) fn no_bytes() -> Bytes {
    Rc::from([])
}
