//! Requests that no client of ours sends: an admin tool's, or a hand-written client's.

use super::World;
use super::actor::ActorKind;
use super::command::RawRequest;
use super::tool::commit_topics;
use crate::kafka::api::versions::common;
use crate::kafka::api::{
    LeaveGroupRequest, MemberIdentity, OffsetCommitRequest, Request, RequestHeader,
};
use crate::kafka::broker::group_coordinator;
use crate::kafka::client::Channel;
use crate::kafka::fact::FactKind;
use crate::kafka::ids::{ActorName, ClientId, Generation};

/// Version of the OffsetCommit that is sent.
const OFFSET_COMMIT_VERSION: i16 = 9;
/// Version of the LeaveGroup that is sent.
const LEAVE_GROUP_VERSION: i16 = 5;
/// What an admin client gives as its reason (KIP-800).
const LEAVE_REASON: &str = "member was removed by an admin";

impl World {
    /// Sends the request to its group's coordinator. The journal has begun.
    pub(super) fn send_raw(&mut self, client: &ActorName, request: &RawRequest) {
        let Ok(to) = group_coordinator(request.group(), &self.cluster) else {
            return;
        };
        let place = self.names.get(client).copied();
        let place = place.unwrap_or_else(|| self.open_raw(client));
        let Some(actor) = self.actors.get_mut(place) else {
            return;
        };
        let ActorKind::Raw(last_correlation_id) = &mut actor.kind else {
            return;
        };
        *last_correlation_id += 1;
        let (api_version, request) = message(request);
        let header = RequestHeader {
            api_version: common(
                api_version,
                self.setup.broker_version.release(),
                request.api(),
            ),
            correlation_id: *last_correlation_id,
            client_id: Some(ClientId::from(client.as_str())),
        };
        self.send_request(place, to, Channel::Coordinator, header, request);
    }
}

impl World {
    /// Somebody begins to run, so that it can send something.
    fn open_raw(&mut self, client: &ActorName) -> usize {
        self.open(client, ActorKind::Raw(0))
    }

    /// A new actor that is a client and nothing more begins to run.
    pub(super) fn open(&mut self, client: &ActorName, kind: ActorKind) -> usize {
        let place = self.add_actor(client.clone(), kind);
        if let Some(actor) = self.actors.get_mut(place) {
            actor.process = 1;
        }
        self.journal.note_as_cause(FactKind::Started {
            actor: client.clone(),
            process: 1,
        });
        place
    }
}

fn message(request: &RawRequest) -> (i16, Request) {
    match request {
        RawRequest::OffsetCommit {
            group,
            member_id,
            group_instance_id,
            generation,
            offsets,
        } => {
            let request = OffsetCommitRequest {
                group_id: group.clone(),
                generation_id_or_member_epoch: Generation(*generation),
                member_id: member_id.clone(),
                group_instance_id: group_instance_id.clone(),
                retention_time_ms: -1,
                topics: commit_topics(offsets),
            };
            (OFFSET_COMMIT_VERSION, request.into())
        }
        RawRequest::LeaveGroup {
            group,
            group_instance_ids,
        } => {
            let members = group_instance_ids.iter().map(|instance| MemberIdentity {
                group_instance_id: Some(instance.clone()),
                reason: Some(LEAVE_REASON.into()),
                ..MemberIdentity::default()
            });
            let request = LeaveGroupRequest {
                group_id: group.clone(),
                members: members.collect(),
            };
            (LEAVE_GROUP_VERSION, request.into())
        }
    }
}
