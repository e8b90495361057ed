//! DescribeCluster (60), versions 0-1. v1 brokers or controllers (KIP-919).

use super::visit::{NOT_ASKED, Visit, Visited, Visitor, int, nullable_text, structs, text};
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::BrokerId;
use std::rc::Rc;

/// Asks for the brokers.
#[derive(Clone, PartialEq, Debug)]
pub struct DescribeClusterRequest {
    /// The engine has no authorisation and never says.
    pub include_cluster_authorized_operations: bool,
    /// 1: brokers, 2: controllers (v1).
    pub endpoint_type: i8,
}

impl Default for DescribeClusterRequest {
    fn default() -> Self {
        Self {
            include_cluster_authorized_operations: false,
            endpoint_type: 1,
        }
    }
}

/// The brokers.
#[derive(Clone, PartialEq, Debug)]
pub struct DescribeClusterResponse {
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// The failure in words.
    pub error_message: Option<Rc<str>>,
    /// As in the request (v1).
    pub endpoint_type: i8,
    /// Name of the cluster.
    pub cluster_id: Rc<str>,
    /// -1: unknown.
    pub controller_id: BrokerId,
    /// By id.
    pub brokers: Vec<DescribeClusterBroker>,
}

impl Default for DescribeClusterResponse {
    fn default() -> Self {
        Self {
            error_code: ErrorCode::None,
            error_message: None,
            endpoint_type: 1,
            cluster_id: "".into(),
            controller_id: BrokerId(-1),
            brokers: Vec::new(),
        }
    }
}

/// One broker.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DescribeClusterBroker {
    /// Its id.
    pub broker_id: BrokerId,
    /// Where it listens.
    pub host: Rc<str>,
    /// Where it listens.
    pub port: i32,
    /// `broker.rack`
    pub rack: Option<Rc<str>>,
}

impl DescribeClusterResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        self.error_code
    }
}

impl Visit for DescribeClusterRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        let wanted = &mut self.include_cluster_authorized_operations;
        int(v, "include_cluster_authorized_operations", wanted)?;
        if v.version() >= 1 {
            int(v, "endpoint_type", &mut self.endpoint_type)?;
        }
        Ok(())
    }
}

impl Visit for DescribeClusterResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        v.throttle_time_ms()?;
        int(v, "error_code", &mut self.error_code)?;
        nullable_text(v, "error_message", &mut self.error_message)?;
        if v.version() >= 1 {
            int(v, "endpoint_type", &mut self.endpoint_type)?;
        }
        text(v, "cluster_id", &mut self.cluster_id)?;
        int(v, "controller_id", &mut self.controller_id)?;
        structs(v, "brokers", &mut self.brokers)?;
        int(v, "cluster_authorized_operations", &mut NOT_ASKED.clone())
    }
}

impl Visit for DescribeClusterBroker {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "broker_id", &mut self.broker_id)?;
        text(v, "host", &mut self.host)?;
        int(v, "port", &mut self.port)?;
        nullable_text(v, "rack", &mut self.rack)
    }
}
