//! What members tell each other through the coordinator: the `consumer` embedded protocol (Kafka's
//! `ConsumerProtocol`) and the user data of the sticky assignors.
//!
//! The coordinator never looks inside these bytes. Whoever wrote them may be older, newer or broken, so reading is
//! lenient where Kafka's is, bounded everywhere, and never panics. Versions are two bytes in front, then plain
//! fields; a reader takes a newer version for the newest it knows and leaves what follows.

mod assignment;
mod reader;
mod subscription;
mod user_data;

pub use assignment::Assignment;
pub use reader::ProtocolError;
pub use subscription::Subscription;
pub use user_data::{CooperativeUserData, StickyUserData};

/// Newest version of both payloads.
pub const HIGHEST_VERSION: i16 = 3;
