//! DescribeCluster (60), versions 0-1: v1 brokers or controllers (KIP-919).
//!
//! Left out: authorised operations. Controllers are asked of controllers only, so 114.

use super::super::metadata::{CLUSTER_ID, controller};
use super::{Desk, Ticket};
use crate::kafka::api::{DescribeClusterBroker, DescribeClusterRequest, DescribeClusterResponse};
use crate::kafka::error::ErrorCode;

const BROKERS: i8 = 1;
const CONTROLLERS: i8 = 2;

/// Answers at once from the metadata that the broker knows.
pub fn handle(ticket: Ticket, request: DescribeClusterRequest, desk: &mut Desk) {
    let error_code = match request.endpoint_type {
        BROKERS => ErrorCode::None,
        CONTROLLERS => ErrorCode::MismatchedEndpointType,
        _ => ErrorCode::UnsupportedEndpointType,
    };
    let mut response = DescribeClusterResponse {
        error_code,
        endpoint_type: request.endpoint_type,
        ..DescribeClusterResponse::default()
    };
    if error_code.is_none() {
        let brokers = desk.cluster.brokers.iter();
        let brokers = brokers.map(|(id, node)| DescribeClusterBroker {
            broker_id: *id,
            host: node.host.clone(),
            port: node.port,
            rack: node.rack.clone(),
        });
        response.brokers = brokers.collect();
        response.cluster_id = CLUSTER_ID.into();
        response.controller_id = controller(desk.cluster);
    }
    desk.answer(ticket, response);
}
