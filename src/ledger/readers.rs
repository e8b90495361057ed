//! Whose reading is counted together.

use crate::kafka::fact::Membership;
use crate::kafka::ids::{ActorName, GroupId};
use std::fmt;

/// Whose reading is counted together (spec/08): duplicates, lag and all else are counts of one of these.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Readers {
    /// All consumers of one `group.id`.
    Group(GroupId),
    /// One consumer without a `group.id`. It reads what `assign()` gave it, commits nothing and shares nothing:
    /// what another such consumer reads is no second time for this one.
    Lone(ActorName),
}

impl Readers {
    /// Those to whom a process belongs.
    pub fn of(member: &Membership) -> Readers {
        match member.group.is_empty() {
            true => Readers::Lone(member.actor.clone()),
            false => Readers::Group(member.group.clone()),
        }
    }

    /// The group, if it is one.
    pub fn group(&self) -> Option<&GroupId> {
        match self {
            Readers::Group(group) => Some(group),
            Readers::Lone(_) => None,
        }
    }

    /// What they are called: the group's id, or the consumer's name.
    pub fn name(&self) -> &str {
        match self {
            Readers::Group(group) => group,
            Readers::Lone(actor) => actor.as_str(),
        }
    }
}

impl fmt::Display for Readers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
