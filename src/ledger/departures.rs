//! Members that died or left, when the coordinator noticed, and when each survivor learned it (spec/08,
//! detection time).

use super::ownership::process_of;
use super::recent::Recent;
use crate::kafka::fact::{FactId, Membership, RemovalCause};
use crate::kafka::ids::{ActorName, MemberId};
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// Departures that are kept per group.
const DEPARTURES_KEPT: usize = 256;

/// A member that died or left.
#[derive(Clone, PartialEq, Debug)]
pub struct Departure {
    /// Who, as it was last.
    pub member: Rc<Membership>,
    /// When it died, closed or gave up.
    pub at: Instant,
    /// The fact of it.
    pub fact: FactId,
    /// When the coordinator took it out of the group, and why.
    pub removed: Option<(Instant, RemovalCause)>,
    /// When the group's state changed because of it.
    pub detected: Option<Instant>,
    /// When each survivor was told.
    pub learned: Vec<(ActorName, Instant)>,
    is_over: bool,
}

impl Departure {
    /// Detection time: from the death or close to the first change of the group's state by it.
    pub fn detection(&self) -> Option<Duration> {
        Some(self.detected? - self.at)
    }
}

/// Departures of one group, oldest first; the older ones are forgotten.
#[derive(Clone, Debug)]
pub struct Departures {
    list: Recent<Departure>,
}

impl Default for Departures {
    fn default() -> Self {
        Self {
            list: Recent::new(DEPARTURES_KEPT),
        }
    }
}

impl Departures {
    /// The member is gone. The first that says so counts.
    pub(super) fn gone(&mut self, at: Instant, member: &Rc<Membership>, fact: FactId) {
        let process = process_of(member);
        let same = |departure: &Departure| {
            process_of(&departure.member) == process
                && departure.member.member_id == member.member_id
        };
        if self.list.iter().rev().any(same) {
            return;
        }
        self.list.push(Departure {
            member: member.clone(),
            at,
            fact,
            removed: None,
            detected: None,
            learned: Vec::new(),
            is_over: false,
        });
    }

    pub(super) fn removed(&mut self, at: Instant, member_id: &MemberId, cause: RemovalCause) {
        self.change(member_id, |departure| {
            departure.removed.get_or_insert((at, cause));
        });
    }

    pub(super) fn detected(&mut self, at: Instant, member_id: &MemberId) {
        self.change(member_id, |departure| {
            departure.detected.get_or_insert(at);
        });
    }

    /// A live member was told that a rebalance is under way.
    pub(super) fn learned(&mut self, at: Instant, actor: &ActorName) {
        let concerns = |departure: &Departure| {
            departure.detected.is_some()
                && !departure.is_over
                && departure.member.actor != *actor
                && departure.learned.iter().all(|(name, _)| name != actor)
        };
        self.change_all(concerns, |departure| {
            departure.learned.push((actor.clone(), at));
        });
    }

    /// The group is Stable: whoever is in it has learned.
    pub(super) fn settled(&mut self) {
        let concerns = |departure: &Departure| departure.detected.is_some() && !departure.is_over;
        self.change_all(concerns, |departure| departure.is_over = true);
    }

    fn change(&mut self, member_id: &MemberId, change: impl Fn(&mut Departure)) {
        self.change_all(
            |departure| !departure.is_over && departure.member.member_id == *member_id,
            change,
        );
    }

    /// Rebuilds the list only if something in it changes: departures are rare.
    fn change_all(
        &mut self,
        concerns: impl Fn(&Departure) -> bool,
        change: impl Fn(&mut Departure),
    ) {
        if !self.list.iter().any(&concerns) {
            return;
        }
        self.list.for_each_mut(|departure| {
            if concerns(departure) {
                change(departure);
            }
        });
    }

    /// All departures that are kept.
    pub fn list(&self) -> &Recent<Departure> {
        &self.list
    }
}
