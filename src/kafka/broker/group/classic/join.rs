//! JoinGroup (11), versions 0-9. From v4 a dynamic member is given its id first (KIP-394), from v5 static
//! members (KIP-345), from v9 `skip_assignment` (KIP-814). Earlier shapes of the answer are the codec's.

use super::super::super::CoordinatorKind;
use super::super::super::desk::{Desk, Ticket};
use super::super::GroupEvent;
use super::member::{Member, no_bytes};
use super::{BrokerTimer, Group};
use crate::kafka::api::{
    JoinGroupRequest, JoinGroupRequestProtocol, JoinGroupResponse, JoinGroupResponseMember,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{FactKind, GroupState, GroupWhy, RemovalCause};
use crate::kafka::ids::{Generation, MemberId};

/// How long a new member may wait for its first generation: it cannot send heartbeats meanwhile
/// (`classicGroupNewMemberJoinTimeoutMs`, fixed).
const NEW_MEMBER_JOIN_TIMEOUT_MS: i32 = 300_000;

/// First version in which a dynamic member must come back with the id that it was given.
const TWO_STEP_VERSION: i16 = 4;

/// A refusal, with the fields as the coordinator leaves them.
pub(in crate::kafka::broker) fn refusal(id: MemberId, error_code: ErrorCode) -> JoinGroupResponse {
    JoinGroupResponse {
        error_code,
        generation_id: Generation::NONE,
        protocol_type: None,
        // Null from v7 on; before, the codec makes it an empty text.
        protocol_name: None,
        leader: MemberId::default(),
        skip_assignment: false,
        member_id: id,
        members: Vec::new(),
    }
}

impl Group {
    pub(in crate::kafka::broker) fn join(
        &mut self,
        ticket: Ticket,
        request: JoinGroupRequest,
        desk: &mut Desk,
    ) {
        if !self.has_room_for(&request.member_id, desk) {
            desk.reach(self.state, GroupEvent::JoinFull);
            self.remove(&request.member_id, RemovalCause::GroupFull, desk);
            let refusal = refusal(MemberId::default(), ErrorCode::GroupMaxSizeReached);
            return desk.answer(ticket, refusal);
        }
        if !self.supports(&request.protocol_type, &request.protocols) {
            desk.reach(self.state, GroupEvent::JoinInconsistent);
            let refusal = refusal(request.member_id, ErrorCode::InconsistentGroupProtocol);
            return desk.answer(ticket, refusal);
        }
        if request.member_id.is_empty() {
            self.join_without_id(ticket, request, desk);
        } else if self.pending_joins.contains(&request.member_id) {
            if request.group_instance_id.is_some() {
                // A pending id is never static. Kafka throws here, which the client gets to see as -1.
                let refusal = refusal(MemberId::default(), ErrorCode::UnknownServerError);
                return desk.answer(ticket, refusal);
            }
            desk.reach(self.state, GroupEvent::JoinPending);
            let id = request.member_id.clone();
            self.add_member(ticket, request, id, desk);
        } else {
            self.rejoin(ticket, request, desk);
        }
    }

    /// Whether the group is not full for that member (`acceptJoiningMember`). While it rebalances, those
    /// are counted who have joined already, so the last to come are turned away.
    fn has_room_for(&self, id: &MemberId, desk: &Desk) -> bool {
        let max_size = usize::try_from(desk.settings.config.group_max_size).unwrap_or(0);
        let member = self.member(id);
        match self.state {
            GroupState::Empty | GroupState::Dead => true,
            GroupState::PreparingRebalance => {
                let awaiting = self
                    .members
                    .iter()
                    .filter(|member| member.is_awaiting_join());
                member.is_some_and(Member::is_awaiting_join) || awaiting.count() < max_size
            }
            GroupState::CompletingRebalance | GroupState::Stable => {
                member.is_some() || self.members.len() < max_size
            }
        }
    }

    /// Whether a member with these protocols can be in the group.
    fn supports(&self, protocol_type: &str, protocols: &[JoinGroupRequestProtocol]) -> bool {
        if self.state == GroupState::Empty {
            return !protocol_type.is_empty() && !protocols.is_empty();
        }
        let by_all = |name: &str| self.members.iter().all(|member| member.supports(name));
        self.protocol_type.as_deref() == Some(protocol_type)
            && protocols.iter().any(|protocol| by_all(&protocol.name))
    }

    fn join_without_id(&mut self, ticket: Ticket, request: JoinGroupRequest, desk: &mut Desk) {
        let id = desk.new_member_id(ticket.client_id(), request.group_instance_id.as_ref());
        let instance = request.group_instance_id.as_ref();
        let known = instance.and_then(|instance| self.static_member(instance));
        if let Some(old) = known {
            desk.reach(self.state, GroupEvent::JoinReplacesStatic);
            let old = old.id.clone();
            self.replace_static_member(ticket, request, old, id, desk);
        } else if instance.is_some() {
            desk.reach(self.state, GroupEvent::JoinNewStatic);
            self.add_member(ticket, request, id, desk);
        } else if ticket.api_version() >= TWO_STEP_VERSION {
            desk.reach(self.state, GroupEvent::JoinTwoStep);
            self.give_id(ticket, request.session_timeout_ms, id, desk);
        } else {
            desk.reach(self.state, GroupEvent::JoinOneStep);
            self.add_member(ticket, request, id, desk);
        }
    }

    /// Gives a client its id and waits for it to come back with it. Nothing else happens yet.
    fn give_id(&mut self, ticket: Ticket, session_timeout_ms: i32, id: MemberId, desk: &mut Desk) {
        desk.journal.note_as_cause(FactKind::MemberPending {
            group: self.id.clone(),
            member_id: id.clone(),
        });
        self.pending_joins.insert(id.clone());
        let timer = BrokerTimer::Session(self.id.clone(), id.clone());
        desk.set_timer_in(timer, session_timeout_ms);
        desk.answer(ticket, refusal(id, ErrorCode::MemberIdRequired));
    }

    fn add_member(
        &mut self,
        ticket: Ticket,
        request: JoinGroupRequest,
        id: MemberId,
        desk: &mut Desk,
    ) {
        // The Scala coordinator prolongs the delay in a group's very first generation only.
        let prolongs = match desk.settings.coordinator {
            CoordinatorKind::New => true,
            CoordinatorKind::Scala => self.generation == Generation(0),
        };
        if self.is_in_initial_rebalance() && prolongs {
            self.new_member_added = true;
        }
        desk.journal.note_as_cause(FactKind::MemberAdded {
            group: self.id.clone(),
            member_id: id.clone(),
            group_instance_id: request.group_instance_id.clone(),
            replaces: None,
        });
        if self.members.is_empty() {
            self.protocol_type = Some(request.protocol_type);
        }
        self.members.push(Member {
            id: id.clone(),
            group_instance_id: request.group_instance_id,
            client_id: ticket.client_id().clone(),
            client_host: ticket.client_host().clone(),
            session_timeout_ms: request.session_timeout_ms,
            rebalance_timeout_ms: request.rebalance_timeout_ms,
            protocols: request.protocols.into(),
            assignment: no_bytes(),
            parked_join: Some(ticket),
            parked_sync: None,
            is_new: true,
        });
        self.pending_joins.remove(&id);
        if self.leader.is_none() {
            self.leader = Some(id.clone());
            self.note_leader(desk);
        }
        let timer = BrokerTimer::Session(self.id.clone(), id.clone());
        desk.set_timer_in(timer, NEW_MEMBER_JOIN_TIMEOUT_MS);
        self.prepare_rebalance_or_complete_join(GroupWhy::MemberJoined(id), desk);
    }

    /// JoinGroup of somebody who has an id already.
    fn rejoin(&mut self, ticket: Ticket, request: JoinGroupRequest, desk: &mut Desk) {
        let id = request.member_id.clone();
        if let Err(error) = self.validate_member(&id, request.group_instance_id.as_ref()) {
            desk.reach(
                self.state,
                match error {
                    ErrorCode::FencedInstanceId => GroupEvent::JoinFenced,
                    _ => GroupEvent::JoinUnknownMember,
                },
            );
            return desk.answer(ticket, refusal(id, error));
        }
        let is_leader = self.is_leader(&id);
        let is_same = self
            .member(&id)
            .is_some_and(|member| *member.protocols == *request.protocols);
        desk.reach(
            self.state,
            match (is_leader, is_same) {
                (true, _) => GroupEvent::JoinLeader,
                (false, true) => GroupEvent::JoinFollowerSame,
                (false, false) => GroupEvent::JoinFollowerChanged,
            },
        );
        // With the same bytes the client may only have missed the answer. But in a stable group the
        // leader's JoinGroup says that something about its topics has changed.
        let repeats = match self.state {
            GroupState::CompletingRebalance => is_same,
            GroupState::Stable => is_same && !is_leader,
            GroupState::Empty | GroupState::PreparingRebalance | GroupState::Dead => false,
        };
        if repeats {
            let response = self.joined(&id);
            return desk.answer(ticket, response);
        }
        let why = match is_leader && is_same {
            true => GroupWhy::LeaderRejoined(id.clone()),
            false => GroupWhy::MemberChanged(id.clone()),
        };
        self.update_member(&id, ticket, request, desk);
        self.prepare_rebalance_or_complete_join(why, desk);
    }

    /// Takes a known member's new protocols and timeouts, and parks its JoinGroup. A JoinGroup of it that
    /// was parked before is forgotten, as in Kafka: its connection is gone, or waits in vain.
    pub(super) fn update_member(
        &mut self,
        id: &MemberId,
        ticket: Ticket,
        request: JoinGroupRequest,
        desk: &mut Desk,
    ) {
        if let Some(member) = self.member_mut(id) {
            member.protocols = request.protocols.into();
            member.session_timeout_ms = request.session_timeout_ms;
            member.rebalance_timeout_ms = request.rebalance_timeout_ms;
            desk.leave_unanswered(member.parked_join.replace(ticket));
        }
    }

    /// The present generation, as the answer to a member's JoinGroup.
    pub(super) fn joined(&self, id: &MemberId) -> JoinGroupResponse {
        JoinGroupResponse {
            error_code: ErrorCode::None,
            generation_id: self.generation,
            protocol_type: self.protocol_type.clone(),
            protocol_name: self.protocol.clone(),
            leader: self.leader.clone().unwrap_or_default(),
            skip_assignment: false,
            member_id: id.clone(),
            members: match self.is_leader(id) {
                true => self.member_list(),
                false => Vec::new(),
            },
        }
    }

    /// All members, as the leader gets to see them.
    fn member_list(&self) -> Vec<JoinGroupResponseMember> {
        let members = self.members().map(|member| JoinGroupResponseMember {
            member_id: member.id.clone(),
            group_instance_id: member.group_instance_id.clone(),
            metadata: member.metadata(self.protocol.as_deref()),
        });
        members.collect()
    }
}
