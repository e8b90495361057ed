//! Kafka's identifiers as types, so that two of them cannot be swapped.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::rc::Rc;

/// Bytes that several owners share: record keys and values, member metadata, assignments.
pub type Bytes = Rc<[u8]>;

macro_rules! string_id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Eq)]
        pub struct $name(Rc<str>);

        // By text. Shared texts, which most are, need not be read for that.
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                Rc::ptr_eq(&self.0, &other.0) || self.0 == other.0
            }
        }

        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.0.hash(state);
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            fn cmp(&self, other: &Self) -> Ordering {
                if Rc::ptr_eq(&self.0, &other.0) {
                    return Ordering::Equal;
                }
                self.0.cmp(&other.0)
            }
        }

        impl $name {
            /// The text as it stands on the wire.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The same text, shared.
            pub fn shared(&self) -> Rc<str> {
                self.0.clone()
            }
        }

        impl From<Rc<str>> for $name {
            fn from(text: Rc<str>) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }

        impl Deref for $name {
            type Target = str;
            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self("".into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }
    )*};
}

string_id! {
    /// Name of a topic.
    TopicName;
    /// `group.id`.
    GroupId;
    /// Identity of one member of a group, issued by the coordinator. Empty: none yet.
    MemberId;
    /// `group.instance.id`: identity of a static member across restarts (KIP-345).
    GroupInstanceId;
    /// `client.id`.
    ClientId;
    /// Name by which a scenario calls an actor: a process (`c1`), a producer, a raw connection.
    ActorName;
}

/// One partition of a topic. Orders by topic name, then number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TopicPartition {
    /// Name of the topic.
    pub topic: TopicName,
    /// Number of the partition, from 0.
    pub partition: i32,
}

impl TopicPartition {
    /// `partition` of `topic`.
    pub fn new(topic: impl Into<TopicName>, partition: i32) -> Self {
        Self {
            topic: topic.into(),
            partition,
        }
    }
}

impl fmt::Display for TopicPartition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.topic, self.partition)
    }
}

impl fmt::Debug for TopicPartition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Id of a broker, `node.id`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BrokerId(pub i32);

/// Counter of completed join phases of a classic group. -1 on the wire: none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Generation(pub i32);

impl Generation {
    /// What a request carries when its sender is in no generation.
    pub const NONE: Generation = Generation(-1);
}

/// Position of a record in a partition, in records from 0. -1 on the wire: none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Offset(pub i64);

/// One TCP connection between a client and a broker, numbered by the world in the order of opening.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ConnectionId(pub u64);

/// A topic id: the two signed halves of a UUID, as Java compares them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Uuid {
    /// Most significant 64 bits.
    pub high: i64,
    /// Least significant 64 bits.
    pub low: i64,
}
