//! The client's side of its membership: state, generation, and why it has to join again
//! (class `AbstractCoordinator`).

use super::{Consumer, Cx, Purpose};
use crate::kafka::api::{LeaveGroupRequest, MemberIdentity};
use crate::kafka::client::{Channel, Flavour};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{FactKind, MemberState, Membership};
use crate::kafka::ids::{Generation, GroupId, MemberId};
use std::rc::Rc;

/// Id, generation and assignor (class `AbstractCoordinator.Generation`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MemberGeneration {
    pub generation: Generation,
    pub member_id: MemberId,
    /// The assignor that the coordinator chose.
    pub protocol: Option<Rc<str>>,
}

impl MemberGeneration {
    pub fn none() -> Self {
        Self {
            generation: Generation::NONE,
            member_id: MemberId::default(),
            protocol: None,
        }
    }

    /// Whether the generation was given up. The id may still be valid.
    pub fn is_reset(&self) -> bool {
        self.generation == Generation::NONE && self.protocol.is_none()
    }

    /// Whether what is owned is lost rather than to be revoked.
    pub fn has_lost_its_partitions(&self) -> bool {
        self.generation == Generation::NONE || self.member_id.is_empty()
    }
}

/// Membership of the group.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub state: MemberState,
    pub current: Rc<MemberGeneration>,
    pub rejoin_needed: bool,
    /// What the next JoinGroup gives as its reason.
    pub rejoin_reason: Rc<str>,
    /// What facts carry; made anew only when something in it changes.
    pub membership: Rc<Membership>,
}

impl Group {
    pub fn new(membership: Membership) -> Self {
        Self {
            state: MemberState::Unjoined,
            current: Rc::new(MemberGeneration::none()),
            rejoin_needed: true,
            rejoin_reason: "".into(),
            membership: Rc::new(membership),
        }
    }

    /// Whether JoinGroup or SyncGroup is under way.
    pub fn rebalance_in_progress(&self) -> bool {
        match self.state {
            MemberState::PreparingRebalance | MemberState::CompletingRebalance => true,
            MemberState::Unjoined | MemberState::Stable => false,
        }
    }
}

impl Consumer {
    /// `group.id`, or empty.
    pub(super) fn group_id(&self) -> GroupId {
        self.group.membership.group.clone()
    }

    /// Every change of the client's state goes through here. Heartbeats run from the JoinGroup answer on.
    pub(super) fn set_member_state(&mut self, to: MemberState, cx: &mut Cx<'_>) {
        let from = self.group.state;
        if from == to {
            return;
        }
        self.group.state = to;
        cx.journal.note(FactKind::MemberStateChanged {
            member: self.group.membership.clone(),
            from,
            to,
        });
        match to {
            MemberState::Unjoined | MemberState::PreparingRebalance => self.disable_heartbeat(),
            MemberState::CompletingRebalance | MemberState::Stable => {}
        }
    }

    /// Takes a new id or generation.
    pub(super) fn set_generation(&mut self, current: MemberGeneration) {
        if *self.group.current == current {
            return;
        }
        let membership = Rc::make_mut(&mut self.group.membership);
        membership.member_id = current.member_id.clone();
        membership.generation = current.generation;
        self.group.current = Rc::new(current);
    }

    /// Whether nothing has changed since a request was sent with `sent`.
    pub(super) fn generation_unchanged(&self, sent: &MemberGeneration) -> bool {
        *self.group.current == *sent
    }

    /// The group has to be joined (again).
    pub(super) fn request_rejoin(&mut self, reason: impl Into<Rc<str>>) {
        self.group.rejoin_reason = reason.into();
        self.group.rejoin_needed = true;
        self.awake();
    }

    /// Membership is gone as far as the client is concerned: it has to begin anew.
    pub(super) fn reset_state_and_rejoin(
        &mut self,
        reason: impl Into<Rc<str>>,
        reset_member_id: bool,
        cx: &mut Cx<'_>,
    ) {
        self.set_member_state(MemberState::Unjoined, cx);
        let member_id = if reset_member_id {
            MemberId::default()
        } else {
            // It may still be valid, and then nobody waits for the old id to leave.
            self.group.current.member_id.clone()
        };
        self.set_generation(MemberGeneration {
            member_id,
            ..MemberGeneration::none()
        });
        self.request_rejoin(reason);
        self.join.needs_prepare = true;
    }

    /// A coordinator's answer says that this membership is over.
    pub(super) fn reset_on_error(&mut self, api: &str, error: ErrorCode, cx: &mut Cx<'_>) {
        let reason = format!("encountered {} from {api} response", error.name());
        let reset_member_id = error != ErrorCode::IllegalGeneration;
        self.reset_state_and_rejoin(reason, reset_member_id, cx);
    }

    /// Leaves the group if it is a dynamic member of it; a static member only forgets its membership.
    pub(super) fn maybe_leave_group(&mut self, reason: &str, cx: &mut Cx<'_>) {
        let dynamic = self.settings.config.group_instance_id.is_none();
        let member_id = self.group.current.member_id.clone();
        if let Some(coordinator) = self.coordinator.node
            && dynamic
            && self.group.state != MemberState::Unjoined
            && !member_id.is_empty()
        {
            let says_why = self.settings.flavour == Flavour::Java;
            let request = LeaveGroupRequest {
                group_id: self.group_id(),
                members: vec![MemberIdentity {
                    member_id,
                    group_instance_id: None,
                    reason: says_why.then(|| reason.into()),
                }],
            };
            let channel = Channel::Coordinator;
            self.send(coordinator, channel, request.into(), Purpose::Leave, cx);
        }
        self.reset_state_and_rejoin("consumer pro-actively leaving the group", true, cx);
    }

    /// LeaveGroup was answered, or will not be: it is not tried again either way.
    pub(super) fn on_leave_answered(&mut self) {
        self.awake();
    }
}
