//! Requests and responses, one file per API, each in the newest shape of its message.
//!
//! Fields carry Kafka's own names, in the order of Kafka's message definitions. Older shapes exist on
//! the wire only. Nothing here decides anything.

mod fetch;
mod find_coordinator;
mod heartbeat;
mod join_group;
mod leave_group;
mod list_offsets;
mod metadata;
mod offset_commit;
mod offset_fetch;
mod produce;
mod sync_group;
pub mod visit;

pub use fetch::*;
pub use find_coordinator::*;
pub use heartbeat::*;
pub use join_group::*;
pub use leave_group::*;
pub use list_offsets::*;
pub use metadata::*;
pub use offset_commit::*;
pub use offset_fetch::*;
pub use produce::*;
pub use sync_group::*;

use super::error::ErrorCode;
use super::ids::ClientId;

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
            /// The API it belongs to.
            pub fn api(&self) -> ApiKey {
                match self { $(Request::$variant(_) => ApiKey::$variant,)* }
            }
        }

        /// Any response.
        #[derive(Clone, PartialEq, Debug)]
        pub enum Response {
            $(#[doc = stringify!($variant)] $variant($response),)*
        }

        impl Response {
            /// The API it belongs to.
            pub fn api(&self) -> ApiKey {
                match self { $(Response::$variant(_) => ApiKey::$variant,)* }
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
