//! DescribeGroups (15), versions 0-5, ListGroups (16), versions 0-5, DeleteGroups (42), versions 0-2, and
//! OffsetDelete (47), version 0 (spec/05; classes `GroupCoordinatorService`, `GroupMetadataManager`).
//!
//! A deletion takes effect at once; what was on its way into the log is written before it.

use super::super::group::{Group, GroupCoordinator, Member, is_coordinator};
use super::{Desk, Ticket};
use crate::kafka::api::{
    DeletableGroupResult, DeleteGroupsRequest, DeleteGroupsResponse, DescribeGroupsRequest,
    DescribeGroupsResponse, DescribedGroup, DescribedGroupMember, ListGroupsRequest,
    ListGroupsResponse, ListedGroup, OffsetDeleteRequest, OffsetDeleteResponse,
    OffsetDeleteResponsePartition, OffsetDeleteResponseTopic,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::GroupState;
use crate::kafka::ids::{GroupId, TopicPartition};
use std::rc::Rc;

/// `Group.GroupType.CLASSIC`
const CLASSIC: &str = "classic";

impl GroupCoordinator {
    /// A group that does not exist is described as Dead (before v6).
    pub fn describe_groups(&self, ticket: Ticket, request: DescribeGroupsRequest, desk: &mut Desk) {
        let groups = request.groups.into_iter();
        let groups = groups.map(|id| self.describe(id, desk)).collect();
        desk.answer(ticket, DescribeGroupsResponse { groups });
    }

    fn describe(&self, id: GroupId, desk: &Desk) -> DescribedGroup {
        if !is_coordinator(&id, desk) {
            return DescribedGroup {
                error_code: ErrorCode::NotCoordinator,
                group_id: id,
                ..DescribedGroup::default()
            };
        }
        match self.groups.get(&id) {
            Some(group) => describe_group(group),
            None => DescribedGroup {
                group_id: id,
                group_state: GroupState::Dead.name().into(),
                ..DescribedGroup::default()
            },
        }
    }

    /// Lists the groups of this broker.
    pub fn list_groups(&self, ticket: Ticket, request: ListGroupsRequest, desk: &mut Desk) {
        let allows = |filter: &[Rc<str>], name: &str| {
            filter.is_empty()
                || filter
                    .iter()
                    .any(|wanted| wanted.eq_ignore_ascii_case(name))
        };
        let groups = self.groups.values().filter(|group| {
            allows(&request.states_filter, group.state().name())
                && allows(&request.types_filter, CLASSIC)
        });
        let groups = groups.map(|group| ListedGroup {
            group_id: group.id().clone(),
            protocol_type: protocol_type(group),
            group_state: group.state().name().into(),
            group_type: CLASSIC.into(),
        });
        let response = ListGroupsResponse {
            error_code: ErrorCode::None,
            groups: groups.collect(),
        };
        desk.answer(ticket, response);
    }

    /// Deletes groups without members, with their offsets.
    pub fn delete_groups(&mut self, ticket: Ticket, request: DeleteGroupsRequest, desk: &mut Desk) {
        let ids = request.groups_names.into_iter();
        let results = ids.map(|group_id| DeletableGroupResult {
            error_code: self.delete_group(&group_id, desk),
            group_id,
        });
        let results = results.collect();
        desk.answer(ticket, DeleteGroupsResponse { results });
    }

    fn delete_group(&mut self, id: &GroupId, desk: &mut Desk) -> ErrorCode {
        if !is_coordinator(id, desk) {
            return ErrorCode::NotCoordinator;
        }
        self.write_out(id, desk);
        let Some(group) = self.group_mut(id) else {
            return ErrorCode::GroupIdNotFound;
        };
        match group.state() {
            GroupState::Empty => {}
            GroupState::Dead => return ErrorCode::GroupIdNotFound,
            GroupState::PreparingRebalance
            | GroupState::CompletingRebalance
            | GroupState::Stable => return ErrorCode::NonEmptyGroup,
        }
        let offsets: Vec<TopicPartition> = group.offsets().keys().cloned().collect();
        group.remove_offsets(&offsets, desk);
        group.bury(desk);
        self.groups.remove(id);
        ErrorCode::None
    }

    /// Deletes committed offsets of topics that no member subscribes to.
    pub fn offset_delete(&mut self, ticket: Ticket, request: OffsetDeleteRequest, desk: &mut Desk) {
        let refused = match self.groups.get(&request.group_id) {
            _ if !is_coordinator(&request.group_id, desk) => Some(ErrorCode::NotCoordinator),
            None => Some(ErrorCode::GroupIdNotFound),
            Some(group) => validate_offset_delete(group).err(),
        };
        if let Some(error_code) = refused {
            let topics = Vec::new();
            return desk.answer(ticket, OffsetDeleteResponse { error_code, topics });
        }
        self.write_out(&request.group_id, desk);
        let mut topics = Vec::with_capacity(request.topics.len());
        for topic in request.topics {
            let mut partitions = Vec::with_capacity(topic.partitions.len());
            for partition in topic.partitions {
                let index = partition.partition_index;
                let of = TopicPartition::new(topic.name.clone(), index);
                partitions.push(OffsetDeleteResponsePartition {
                    partition_index: index,
                    error_code: self.delete_offset(&request.group_id, of, desk),
                });
            }
            topics.push(OffsetDeleteResponseTopic {
                name: topic.name,
                partitions,
            });
        }
        let error_code = ErrorCode::None;
        desk.answer(ticket, OffsetDeleteResponse { error_code, topics });
    }

    fn delete_offset(&mut self, id: &GroupId, of: TopicPartition, desk: &mut Desk) -> ErrorCode {
        if desk.cluster.partition(&of).is_none() {
            return ErrorCode::UnknownTopicOrPartition;
        }
        match self.group_mut(id) {
            Some(group) if group.is_subscribed(&of) => ErrorCode::GroupSubscribedToTopic,
            Some(group) => {
                if group.offsets().contains_key(&of) {
                    group.remove_offsets(&[of], desk);
                }
                ErrorCode::None
            }
            None => ErrorCode::GroupIdNotFound,
        }
    }

    /// What a group has on its way into the log is there from now on.
    fn write_out(&mut self, id: &GroupId, desk: &mut Desk) {
        let resumed = self.group_mut(id).map(|group| group.write_out(desk));
        for (ticket, request) in resumed.into_iter().flatten() {
            self.offset_fetch(ticket, request, desk);
        }
    }
}

/// `ClassicGroup.validateOffsetDelete`
fn validate_offset_delete(group: &Group) -> Result<(), ErrorCode> {
    match group.state() {
        GroupState::Dead => Err(ErrorCode::GroupIdNotFound),
        GroupState::Empty => Ok(()),
        GroupState::PreparingRebalance | GroupState::CompletingRebalance | GroupState::Stable => {
            match group.is_of_consumers() {
                true => Ok(()),
                false => Err(ErrorCode::NonEmptyGroup),
            }
        }
    }
}

fn protocol_type(group: &Group) -> Rc<str> {
    group.protocol_type().cloned().unwrap_or_else(|| "".into())
}

/// A group as DescribeGroups tells it. Only a stable one has an assignor, and members whose metadata is
/// for it.
pub fn describe_group(group: &Group) -> DescribedGroup {
    let protocol = match group.state() {
        GroupState::Stable => group.protocol().cloned(),
        GroupState::Empty
        | GroupState::PreparingRebalance
        | GroupState::CompletingRebalance
        | GroupState::Dead => None,
    };
    let members = group
        .members()
        .map(|member| describe_member(member, protocol.as_deref()));
    DescribedGroup {
        error_code: ErrorCode::None,
        group_id: group.id().clone(),
        group_state: group.state().name().into(),
        protocol_type: protocol_type(group),
        members: members.collect(),
        protocol_data: protocol.unwrap_or_else(|| "".into()),
    }
}

fn describe_member(member: &Member, protocol: Option<&str>) -> DescribedGroupMember {
    let mut listed = member.protocols().iter();
    let listed = listed.find(|listed| Some(&*listed.name) == protocol);
    DescribedGroupMember {
        member_id: member.id().clone(),
        group_instance_id: member.group_instance_id().cloned(),
        client_id: member.client_id().clone(),
        client_host: member.client_host().clone(),
        member_metadata: listed.map_or_else(|| Rc::from([]), |listed| listed.metadata.clone()),
        member_assignment: member.assignment().clone(),
    }
}
