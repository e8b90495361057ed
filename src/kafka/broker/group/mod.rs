//! The group coordinator: all groups of one broker (classes `GroupCoordinatorService`,
//! `GroupCoordinatorShard`).
//!
//! Here is what precedes a group: whether the request is for this broker, whether the group exists. What
//! groups do among themselves is in [`classic`]. Groups are shared with snapshots and copied when changed.
//!
//! What administrators ask about groups is in `admin/groups`.
//!
//! Absent: loading a group's records after a change of leader.

pub mod classic;
mod coverage;
mod preset;
mod shares;

pub use classic::{Ballot, Group, Member};
pub use coverage::{Coverage, GroupEvent};
pub use preset::{GroupPreset, MemberPreset};

use super::BrokerTimer;
use super::desk::{Desk, Ticket};
use super::find_coordinator::group_coordinator;
use crate::kafka::api::{
    HeartbeatRequest, HeartbeatResponse, JoinGroupRequest, LeaveGroupRequest, LeaveGroupResponse,
    SyncGroupRequest,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::GroupState;
use crate::kafka::ids::{GroupId, MemberId};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use classic::{join_refusal, leave_entry, leave_response, sync_refusal};
use std::rc::Rc;

/// All groups of a broker, by id.
#[derive(Clone, Debug, Default)]
pub(in crate::kafka::broker) struct GroupCoordinator {
    pub(super) groups: SortedMap<GroupId, Rc<Group>>,
}

impl GroupCoordinator {
    /// Takes a group as it stands. One of the same id gives way.
    pub fn install(&mut self, preset: GroupPreset, desk: &mut Desk) {
        let group = Group::install(preset, desk);
        self.groups.insert(group.id().clone(), Rc::new(group));
        self.start_retention_check(desk);
    }

    /// The group, to be changed.
    pub(super) fn group_mut(&mut self, id: &GroupId) -> Option<&mut Group> {
        self.groups.get_mut(id).map(Rc::make_mut)
    }

    /// The group, made if there is none, to be changed.
    pub(super) fn group_or_new(&mut self, id: &GroupId, desk: &mut Desk) -> &mut Group {
        let group = self.groups.entry(id.clone());
        let group = group.or_insert_with(|| Rc::new(Group::create(id.clone(), desk)));
        Rc::make_mut(group)
    }

    pub fn join_group(&mut self, ticket: Ticket, request: JoinGroupRequest, desk: &mut Desk) {
        let config = &desk.settings.config;
        let (min, max) = (
            config.group_min_session_timeout_ms,
            config.group_max_session_timeout_ms,
        );
        let refused = if request.group_id.is_empty() {
            Some(ErrorCode::InvalidGroupId)
        } else if !(min..=max).contains(&request.session_timeout_ms) {
            Some(ErrorCode::InvalidSessionTimeout)
        } else if !is_coordinator(&request.group_id, desk) {
            Some(ErrorCode::NotCoordinator)
        } else if !self.groups.contains_key(&request.group_id) && !request.member_id.is_empty() {
            desk.reach(GroupState::Dead, GroupEvent::JoinUnknownMember);
            Some(ErrorCode::UnknownMemberId)
        } else {
            None
        };
        if let Some(error) = refused {
            return desk.answer(ticket, join_refusal(request.member_id, error));
        }
        self.group_or_new(&request.group_id.clone(), desk)
            .join(ticket, request, desk);
        self.start_retention_check(desk);
    }

    pub fn sync_group(&mut self, ticket: Ticket, request: SyncGroupRequest, desk: &mut Desk) {
        if let Err(error) = addressed(&request.group_id, desk) {
            return desk.answer(ticket, sync_refusal(error));
        }
        match self.group_mut(&request.group_id) {
            Some(group) => group.sync(ticket, request, desk),
            None => {
                desk.reach(GroupState::Dead, GroupEvent::SyncUnknownMember);
                desk.answer(ticket, sync_refusal(ErrorCode::UnknownMemberId));
            }
        }
    }

    pub fn heartbeat(&mut self, ticket: Ticket, request: HeartbeatRequest, desk: &mut Desk) {
        if let Err(error_code) = addressed(&request.group_id, desk) {
            return desk.answer(ticket, HeartbeatResponse { error_code });
        }
        match self.group_mut(&request.group_id) {
            Some(group) => group.heartbeat(ticket, request, desk),
            None => {
                desk.reach(GroupState::Dead, GroupEvent::HeartbeatUnknownMember);
                let error_code = ErrorCode::UnknownMemberId;
                desk.answer(ticket, HeartbeatResponse { error_code });
            }
        }
    }

    pub fn leave_group(&mut self, ticket: Ticket, request: LeaveGroupRequest, desk: &mut Desk) {
        if let Err(error_code) = addressed(&request.group_id, desk) {
            let members = Vec::new();
            let refusal = LeaveGroupResponse {
                error_code,
                members,
            };
            return desk.answer(ticket, refusal);
        }
        match self.group_mut(&request.group_id) {
            Some(group) => group.leave(ticket, request, desk),
            None => {
                desk.reach(GroupState::Dead, GroupEvent::LeaveUnknownMember);
                let members = request.members.into_iter();
                let entries = members.map(|of| leave_entry(of, ErrorCode::UnknownMemberId));
                let response = leave_response(ticket.api_version(), entries.collect());
                desk.answer(ticket, response);
            }
        }
    }

    pub fn session_expired(&mut self, group: &GroupId, id: &MemberId, desk: &mut Desk) {
        if let Some(group) = self.group_mut(group) {
            group.session_expired(id, desk);
        }
    }

    pub fn initial_delay_over(&mut self, group: &GroupId, desk: &mut Desk) {
        if let Some(group) = self.group_mut(group) {
            group.initial_delay_over(desk);
        }
    }

    pub fn rebalance_timeout(&mut self, group: &GroupId, desk: &mut Desk) {
        if let Some(group) = self.group_mut(group) {
            group.rebalance_timeout(desk);
        }
    }

    pub fn sync_timeout(&mut self, group: &GroupId, desk: &mut Desk) {
        if let Some(group) = self.group_mut(group) {
            group.sync_timeout(desk);
        }
    }

    pub fn writes_done(&mut self, group: &GroupId, desk: &mut Desk) {
        let Some(group) = self.group_mut(group) else {
            return;
        };
        for (ticket, request) in group.writes_done(desk) {
            self.offset_fetch(ticket, request, desk);
        }
    }

    /// Sees to it that offsets are checked for expiry as long as there are groups: at whole intervals
    /// since zero, when the broker is taken to have started.
    pub(super) fn start_retention_check(&self, desk: &mut Desk) {
        let timer = BrokerTimer::OffsetsRetentionCheck;
        if self.groups.is_empty() || desk.timers.deadline(&timer).is_some() {
            return;
        }
        let interval_ms = desk.settings.config.offsets_retention_check_interval_ms;
        let interval = Duration::from_ms(interval_ms.max(1));
        let whole = desk.now().0.div_euclid(interval.0);
        let next = whole.saturating_add(1).saturating_mul(interval.0);
        desk.set_timer(timer, Instant(next));
    }
}

/// Whether this broker coordinates that group.
pub(super) fn is_coordinator(group: &GroupId, desk: &Desk) -> bool {
    group_coordinator(group, desk.cluster) == Ok(desk.settings.id)
}

/// Whether a request names a group, and one of this broker.
fn addressed(group: &GroupId, desk: &Desk) -> Result<(), ErrorCode> {
    if group.is_empty() {
        Err(ErrorCode::InvalidGroupId)
    } else if !is_coordinator(group, desk) {
        Err(ErrorCode::NotCoordinator)
    } else {
        Ok(())
    }
}
