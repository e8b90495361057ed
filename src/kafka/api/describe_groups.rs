//! DescribeGroups (15), versions 0-5. v4 instance ids.

use super::first_error;
use super::visit::{
    NOT_ASKED, Visit, Visited, Visitor, array, bytes, int, nullable_text, structs, text,
};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Bytes, ClientId, GroupId, GroupInstanceId, MemberId};
use std::rc::Rc;

/// Asks about groups.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DescribeGroupsRequest {
    /// Their ids.
    pub groups: Vec<GroupId>,
    /// v3. The engine has no authorisation and never says.
    pub include_authorized_operations: bool,
}

/// The groups.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DescribeGroupsResponse {
    /// In the order of the request.
    pub groups: Vec<DescribedGroup>,
}

/// One group.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DescribedGroup {
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// Its id.
    pub group_id: GroupId,
    /// Its state by Kafka's name; `Dead` if it does not exist.
    pub group_state: Rc<str>,
    /// `consumer` for consumers.
    pub protocol_type: Rc<str>,
    /// The assignor, once a generation has one.
    pub protocol_data: Rc<str>,
    /// Its members.
    pub members: Vec<DescribedGroupMember>,
}

/// One member.
#[derive(Clone, PartialEq, Debug)]
pub struct DescribedGroupMember {
    /// Its id.
    pub member_id: MemberId,
    /// Its instance id (v4).
    pub group_instance_id: Option<GroupInstanceId>,
    /// `client.id`
    pub client_id: ClientId,
    /// Where it runs.
    pub client_host: Rc<str>,
    /// Its encoded subscription for the present assignor.
    pub member_metadata: Bytes,
    /// Its encoded assignment.
    pub member_assignment: Bytes,
}

impl Default for DescribedGroupMember {
    fn default() -> Self {
        Self {
            member_id: MemberId::default(),
            group_instance_id: None,
            client_id: ClientId::default(),
            client_host: "".into(),
            member_metadata: Rc::from([]),
            member_assignment: Rc::from([]),
        }
    }
}

impl DescribeGroupsResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        first_error(self.groups.iter().map(|group| group.error_code))
    }
}

impl Visit for DescribeGroupsRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        array(v, "groups", &mut self.groups, |id, v| {
            text(v, "group_id", id)
        })?;
        if v.version() >= 3 {
            let wanted = &mut self.include_authorized_operations;
            int(v, "include_authorized_operations", wanted)?;
        }
        Ok(())
    }
}

impl Visit for DescribeGroupsResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 1 {
            v.throttle_time_ms()?;
        }
        structs(v, "groups", &mut self.groups)
    }
}

impl Visit for DescribedGroup {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "error_code", &mut self.error_code)?;
        text(v, "group_id", &mut self.group_id)?;
        text(v, "group_state", &mut self.group_state)?;
        text(v, "protocol_type", &mut self.protocol_type)?;
        text(v, "protocol_data", &mut self.protocol_data)?;
        structs(v, "members", &mut self.members)?;
        if v.version() >= 3 {
            int(v, "authorized_operations", &mut NOT_ASKED.clone())?;
        }
        Ok(())
    }
}

impl Visit for DescribedGroupMember {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "member_id", &mut self.member_id)?;
        if v.version() >= 4 {
            nullable_text(v, "group_instance_id", &mut self.group_instance_id)?;
        }
        text(v, "client_id", &mut self.client_id)?;
        text(v, "client_host", &mut self.client_host)?;
        bytes(v, "member_metadata", &mut self.member_metadata)?;
        bytes(v, "member_assignment", &mut self.member_assignment)
    }
}
