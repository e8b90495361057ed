//! FindCoordinator (10), versions 0-6: v1 key type, v3 flexible, v4 several keys.
//!
//! Left out: transaction coordinators (there is no `__transaction_state`, so 15), share groups (v6).

use super::{Desk, Ticket};
use crate::kafka::api::{Coordinator, FindCoordinatorRequest, FindCoordinatorResponse};
use crate::kafka::cluster::{CONSUMER_OFFSETS, Cluster};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{BrokerId, TopicPartition};
use crate::kafka::java_hash::coordinator_partition;
use std::rc::Rc;

const GROUP: i8 = 0;
const TRANSACTION: i8 = 1;
/// From this version on a success has no message. Before, it says `NONE`.
const SEVERAL_KEYS_VERSION: i16 = 4;

/// Answers at once from the metadata that the broker knows.
pub(super) fn handle(ticket: Ticket, request: FindCoordinatorRequest, desk: &mut Desk) {
    let FindCoordinatorRequest {
        key_type,
        coordinator_keys,
    } = request;
    let version = ticket.api_version();
    let coordinators = coordinator_keys
        .into_iter()
        .map(|key| find(key, key_type, version, desk.cluster))
        .collect();
    desk.answer(ticket, FindCoordinatorResponse { coordinators });
}

fn find(key: Rc<str>, key_type: i8, version: i16, cluster: &Cluster) -> Coordinator {
    let found = match key_type {
        GROUP => group_coordinator(&key, cluster),
        TRANSACTION => Err(ErrorCode::CoordinatorNotAvailable),
        _ => Err(ErrorCode::InvalidRequest),
    };
    let node = found
        .ok()
        .and_then(|id| Some((id, cluster.brokers.get(&id)?)));
    match node {
        Some((id, node)) => Coordinator {
            key,
            node_id: id,
            host: node.host.clone(),
            port: node.port,
            error_code: ErrorCode::None,
            error_message: Some(
                if version < SEVERAL_KEYS_VERSION {
                    "NONE"
                } else {
                    ""
                }
                .into(),
            ),
        },
        None => {
            let error = found.err().unwrap_or(ErrorCode::CoordinatorNotAvailable);
            Coordinator {
                key,
                node_id: BrokerId(-1),
                host: "".into(),
                port: -1,
                error_code: error,
                error_message: Some(error.name().into()),
            }
        }
    }
}

/// The leader of the group's partition of `__consumer_offsets`; 15 while there is none.
pub fn group_coordinator(group: &str, cluster: &Cluster) -> Result<BrokerId, ErrorCode> {
    let topic = cluster.topics.get(CONSUMER_OFFSETS);
    let partitions = topic.map_or(0, |topic| topic.partitions.len());
    let partitions = i32::try_from(partitions).unwrap_or(i32::MAX);
    if partitions == 0 {
        return Err(ErrorCode::CoordinatorNotAvailable);
    }
    let partition = coordinator_partition(group, partitions);
    cluster
        .leader(&TopicPartition::new(CONSUMER_OFFSETS, partition))
        .ok_or(ErrorCode::CoordinatorNotAvailable)
}
