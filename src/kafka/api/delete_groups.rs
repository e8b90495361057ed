//! DeleteGroups (42), versions 0-2.

use super::first_error;
use super::visit::{Visit, Visited, Visitor, array, int, structs, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::GroupId;

/// Asks for groups to be deleted, with their offsets.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeleteGroupsRequest {
    /// Their ids.
    pub groups_names: Vec<GroupId>,
}

/// What became of each group.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeleteGroupsResponse {
    /// In the order of the request.
    pub results: Vec<DeletableGroupResult>,
}

/// What became of one group.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeletableGroupResult {
    /// Its id.
    pub group_id: GroupId,
    /// Whether and why it failed.
    pub error_code: ErrorCode,
}

impl DeleteGroupsResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        first_error(self.results.iter().map(|group| group.error_code))
    }
}

impl Visit for DeleteGroupsRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        array(v, "groups_names", &mut self.groups_names, |id, v| {
            text(v, "group_id", id)
        })
    }
}

impl Visit for DeleteGroupsResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        v.throttle_time_ms()?;
        structs(v, "results", &mut self.results)
    }
}

impl Visit for DeletableGroupResult {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "group_id", &mut self.group_id)?;
        int(v, "error_code", &mut self.error_code)
    }
}
