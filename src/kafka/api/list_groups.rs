//! ListGroups (16), versions 0-5. v4 states (KIP-518), v5 types (KIP-848).

use super::visit::{Visit, Visited, Visitor, array, int, structs, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::GroupId;
use std::rc::Rc;

/// Asks for the groups that a broker coordinates.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ListGroupsRequest {
    /// Only those in one of these states (v4). Empty: all.
    pub states_filter: Vec<Rc<str>>,
    /// Only those of one of these types (v5). Empty: all.
    pub types_filter: Vec<Rc<str>>,
}

/// The groups.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ListGroupsResponse {
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// By id.
    pub groups: Vec<ListedGroup>,
}

/// One group.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ListedGroup {
    /// Its id.
    pub group_id: GroupId,
    /// `consumer` for consumers.
    pub protocol_type: Rc<str>,
    /// Its state by Kafka's name (v4).
    pub group_state: Rc<str>,
    /// `classic` or `consumer` (v5).
    pub group_type: Rc<str>,
}

impl ListGroupsResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        self.error_code
    }
}

impl Visit for ListGroupsRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 4 {
            array(v, "states_filter", &mut self.states_filter, |state, v| {
                text(v, "state", state)
            })?;
        }
        if v.version() >= 5 {
            array(v, "types_filter", &mut self.types_filter, |kind, v| {
                text(v, "type", kind)
            })?;
        }
        Ok(())
    }
}

impl Visit for ListGroupsResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        if v.version() >= 1 {
            v.throttle_time_ms()?;
        }
        int(v, "error_code", &mut self.error_code)?;
        structs(v, "groups", &mut self.groups)
    }
}

impl Visit for ListedGroup {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "group_id", &mut self.group_id)?;
        text(v, "protocol_type", &mut self.protocol_type)?;
        if v.version() >= 4 {
            text(v, "group_state", &mut self.group_state)?;
        }
        if v.version() >= 5 {
            text(v, "group_type", &mut self.group_type)?;
        }
        Ok(())
    }
}
