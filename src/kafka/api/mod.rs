//! Requests and responses, one file per API, each in the newest shape of its message.
//!
//! Fields carry Kafka's own names, in the order of Kafka's message definitions. Older shapes exist on
//! the wire only. Nothing here decides anything.

mod api_versions;
mod create_partitions;
mod create_topics;
mod delete_groups;
mod delete_records;
mod delete_topics;
mod describe_cluster;
mod describe_configs;
mod describe_groups;
mod fetch;
mod find_coordinator;
mod heartbeat;
mod init_producer_id;
mod join_group;
mod leave_group;
mod list_groups;
mod list_offsets;
mod metadata;
mod offset_commit;
mod offset_delete;
mod offset_fetch;
mod offset_for_leader_epoch;
mod produce;
mod sync_group;
pub mod versions;
pub mod visit;

pub use api_versions::*;
pub use create_partitions::*;
pub use create_topics::*;
pub use delete_groups::*;
pub use delete_records::*;
pub use delete_topics::*;
pub use describe_cluster::*;
pub use describe_configs::*;
pub use describe_groups::*;
pub use fetch::*;
pub use find_coordinator::*;
pub use heartbeat::*;
pub use init_producer_id::*;
pub use join_group::*;
pub use leave_group::*;
pub use list_groups::*;
pub use list_offsets::*;
pub use metadata::*;
pub use offset_commit::*;
pub use offset_delete::*;
pub use offset_fetch::*;
pub use offset_for_leader_epoch::*;
pub use produce::*;
pub use sync_group::*;

use super::error::ErrorCode;
use super::ids::ClientId;
use visit::{Visit, Visited, Visitor};

macro_rules! apis {
    ($($variant:ident = $key:literal, $request:ident, $response:ident;)*) => {
        /// An API of the protocol, by its key.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum ApiKey {
            $(#[doc = stringify!($variant)] $variant,)*
        }

        impl ApiKey {
            /// Every API that the engine speaks, by key.
            pub const ALL: &'static [ApiKey] = &[$(ApiKey::$variant,)*];

            /// The key on the wire.
            pub const fn key(self) -> i16 {
                match self { $(ApiKey::$variant => $key,)* }
            }

            /// Kafka's name, such as `JoinGroup`.
            pub const fn name(self) -> &'static str {
                match self { $(ApiKey::$variant => stringify!($variant),)* }
            }
        }

        /// Any request.
        #[derive(Clone, PartialEq, Debug)]
        pub enum Request {
            $(#[doc = stringify!($variant)] $variant($request),)*
        }

        impl Request {
            /// A request of that API with the defaults in all fields.
            pub fn empty(api: ApiKey) -> Self {
                match api { $(ApiKey::$variant => Request::$variant(Default::default()),)* }
            }

            /// The API it belongs to.
            pub fn api(&self) -> ApiKey {
                match self { $(Request::$variant(_) => ApiKey::$variant,)* }
            }

            fn body(&mut self) -> &mut dyn Body {
                match self { $(Request::$variant(body) => body,)* }
            }
        }

        /// Any response.
        #[derive(Clone, PartialEq, Debug)]
        pub enum Response {
            $(#[doc = stringify!($variant)] $variant($response),)*
        }

        impl Response {
            /// A response of that API with the defaults in all fields.
            pub fn empty(api: ApiKey) -> Self {
                match api { $(ApiKey::$variant => Response::$variant(Default::default()),)* }
            }

            /// The API it belongs to.
            pub fn api(&self) -> ApiKey {
                match self { $(Response::$variant(_) => ApiKey::$variant,)* }
            }

            fn body(&mut self) -> &mut dyn Body {
                match self { $(Response::$variant(body) => body,)* }
            }

            /// The first error in it, wherever it stands: what a token on the stage is labelled with.
            pub fn error(&self) -> ErrorCode {
                match self { $(Response::$variant(response) => response.first_error(),)* }
            }
        }

        $(
            impl From<$request> for Request {
                fn from(request: $request) -> Self {
                    Request::$variant(request)
                }
            }

            impl From<$response> for Response {
                fn from(response: $response) -> Self {
                    Response::$variant(response)
                }
            }
        )*
    };
}

apis! {
    Produce = 0, ProduceRequest, ProduceResponse;
    Fetch = 1, FetchRequest, FetchResponse;
    ListOffsets = 2, ListOffsetsRequest, ListOffsetsResponse;
    Metadata = 3, MetadataRequest, MetadataResponse;
    OffsetCommit = 8, OffsetCommitRequest, OffsetCommitResponse;
    OffsetFetch = 9, OffsetFetchRequest, OffsetFetchResponse;
    FindCoordinator = 10, FindCoordinatorRequest, FindCoordinatorResponse;
    JoinGroup = 11, JoinGroupRequest, JoinGroupResponse;
    Heartbeat = 12, HeartbeatRequest, HeartbeatResponse;
    LeaveGroup = 13, LeaveGroupRequest, LeaveGroupResponse;
    SyncGroup = 14, SyncGroupRequest, SyncGroupResponse;
    DescribeGroups = 15, DescribeGroupsRequest, DescribeGroupsResponse;
    ListGroups = 16, ListGroupsRequest, ListGroupsResponse;
    ApiVersions = 18, ApiVersionsRequest, ApiVersionsResponse;
    CreateTopics = 19, CreateTopicsRequest, CreateTopicsResponse;
    DeleteTopics = 20, DeleteTopicsRequest, DeleteTopicsResponse;
    DeleteRecords = 21, DeleteRecordsRequest, DeleteRecordsResponse;
    InitProducerId = 22, InitProducerIdRequest, InitProducerIdResponse;
    OffsetForLeaderEpoch = 23, OffsetForLeaderEpochRequest, OffsetForLeaderEpochResponse;
    DescribeConfigs = 32, DescribeConfigsRequest, DescribeConfigsResponse;
    CreatePartitions = 37, CreatePartitionsRequest, CreatePartitionsResponse;
    DeleteGroups = 42, DeleteGroupsRequest, DeleteGroupsResponse;
    OffsetDelete = 47, OffsetDeleteRequest, OffsetDeleteResponse;
    DescribeCluster = 60, DescribeClusterRequest, DescribeClusterResponse;
}

/// Any message's body.
trait Body {
    fn visit_fields(&mut self, v: &mut dyn Visitor) -> Visited;
    fn visit_end(&mut self, v: &mut dyn Visitor) -> Visited;
}

impl<T: Visit> Body for T {
    fn visit_fields(&mut self, v: &mut dyn Visitor) -> Visited {
        self.visit(v)
    }

    fn visit_end(&mut self, v: &mut dyn Visitor) -> Visited {
        v.tagged_fields(self.tagged_fields())
    }
}

impl Request {
    /// Visits the fields of the body.
    pub fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        self.body().visit_fields(v)
    }

    /// Visits the body, its end included.
    pub fn visit_to_end(&mut self, v: &mut dyn Visitor) -> Visited {
        self.visit(v)?;
        self.body().visit_end(v)
    }
}

impl Response {
    /// Visits the fields of the body.
    pub fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        self.body().visit_fields(v)
    }

    /// Visits the body, its end included.
    pub fn visit_to_end(&mut self, v: &mut dyn Visitor) -> Visited {
        self.visit(v)?;
        self.body().visit_end(v)
    }
}

/// What precedes a request's body on the wire.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RequestHeader {
    /// Version of the request and of the answer to it.
    pub api_version: i16,
    /// Number by which the client recognises the answer; counts up per connection.
    pub correlation_id: i32,
    /// `client.id`; null is not the same as empty.
    pub client_id: Option<ClientId>,
}

/// The first error in a list, or none.
fn first_error(errors: impl IntoIterator<Item = ErrorCode>) -> ErrorCode {
    errors
        .into_iter()
        .find(|error| !error.is_none())
        .unwrap_or(ErrorCode::None)
}
