//! What administrators and client libraries ask beside reading and writing: which versions there are, topics
//! to be made and deleted, groups to be looked at and deleted (class `KafkaApis`).
//!
//! A broker does not change the cluster itself. It checks the request, hands [`ClusterChange`]s to its host,
//! as it would to the controller, and answers when the host has published the new metadata.

mod api_versions;
mod configs;
mod describe_cluster;
mod groups;
mod producer_ids;
mod records;
mod topics;

pub use groups::describe_group;

pub(super) use api_versions::handle as api_versions;
pub(super) use configs::handle as describe_configs;
pub(super) use describe_cluster::handle as describe_cluster;
pub(super) use producer_ids::ProducerIds;

use super::desk::{Desk, Ticket};
use crate::kafka::api::Response;
use crate::kafka::chance::Chance;
use crate::kafka::cluster::ClusterChange;

/// Changes of the cluster that were asked for.
#[derive(Clone, Debug)]
pub(super) struct Changes {
    chance: Chance,
    /// Not yet taken by the host.
    wished: Vec<ClusterChange>,
    /// Requests whose changes are under way, with their answers.
    under_way: Vec<(Ticket, Response)>,
}

impl Changes {
    pub fn new(seed: u64) -> Self {
        Self {
            chance: Chance::new(seed, "topic ids"),
            wished: Vec::new(),
            under_way: Vec::new(),
        }
    }

    /// What the host is to do now.
    pub fn take(&mut self) -> Vec<ClusterChange> {
        std::mem::take(&mut self.wished)
    }

    /// The host has published new metadata. What it has not yet taken is not in it.
    pub fn published(&mut self, desk: &mut Desk) {
        if self.wished.is_empty() {
            for (ticket, response) in std::mem::take(&mut self.under_way) {
                desk.answer(ticket, response);
            }
        }
    }

    /// Answers at once if there is nothing to do, else when it is done.
    fn answer_when_done(
        &mut self,
        ticket: Ticket,
        changes: Vec<ClusterChange>,
        response: impl Into<Response>,
        desk: &mut Desk,
    ) {
        if changes.is_empty() {
            return desk.answer(ticket, response);
        }
        self.wished.extend(changes);
        self.under_way.push((ticket, response.into()));
    }
}
