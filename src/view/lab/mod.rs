//! The assignor lab: a group that can be edited, what every assignor makes of it, and how one of them got there.
//!
//! Pure data and pure functions. Results and accounts come from the assignors of `kafka::assignor` themselves;
//! nothing here decides who gets what. Invariants: outcomes belong to the group as it stands (an edit drops them);
//! work is done in pieces no larger than one run of one assignor, so that no frame waits for all of them.

mod edit;
mod group;
mod outcome;
mod presets;
mod text;
mod walk;

#[cfg(test)]
mod tests;

pub use edit::{LabAct, MEMBERS_MOST, PARTITIONS_MOST};
pub use group::{LabGroup, LabMember, LabTopic, Past, Places};
pub use outcome::{Arrival, Outcome, Placed, Round, Rule};
pub use presets::Preset;
pub use text::{LabProblem, named_partitions, named_racks};
pub use walk::{Board, Hold, Walk, WalkStep};

pub use crate::kafka::assignor::{
    Assignor, GiveReason, MemberOrder, MoveReason, Phase, ReleaseReason,
};

use outcome::Work;
use std::rc::Rc;

/// Where the group comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Source {
    /// The group of the running world, as it is now.
    #[default]
    Running,
    /// An example.
    Example(Preset),
    /// Somebody changed something.
    Edited,
}

/// The lab.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lab {
    /// Where the group comes from.
    pub source: Source,
    /// The group.
    pub group: Rc<LabGroup>,
    /// By rule; `None`: not computed yet.
    pub outcomes: [Option<Rc<Outcome>>; 6],
    /// The rule that is walked through.
    pub chosen: Rule,
    /// Its account; `None`: not computed yet.
    pub walk: Option<Rc<Walk>>,
    /// Step of the account.
    pub step: usize,
    /// Why the last edit was refused.
    pub problem: Option<LabProblem>,
    work: Option<Work>,
}

impl Default for Lab {
    fn default() -> Self {
        Self {
            source: Source::Running,
            group: Rc::default(),
            outcomes: Default::default(),
            chosen: Rule::Client(Assignor::CooperativeSticky),
            walk: None,
            step: 0,
            problem: None,
            work: None,
        }
    }
}

impl Lab {
    /// Shows another group.
    fn put(&mut self, group: impl Into<Rc<LabGroup>>) {
        let group = group.into();
        if self.group != group {
            self.group = group;
            self.outcomes = Default::default();
            self.work = None;
            self.walk = None;
            self.step = 0;
        }
    }

    /// Whether the running world's group is shown and has become another one.
    fn is_behind(&self, running: &Rc<LabGroup>) -> bool {
        self.source == Source::Running && self.group != *running
    }

    /// Whether there is something to do for [`Lab::work`].
    pub fn wants_work(&self, running: &Rc<LabGroup>) -> bool {
        !self.is_done() || self.is_behind(running)
    }

    /// Whether everything that is shown has been computed.
    pub fn is_done(&self) -> bool {
        self.walk.is_some() && self.outcomes.iter().all(Option::is_some)
    }

    /// Takes over the running world's group, which is shown while nobody edits, or does one slice of what is left
    /// to compute; says whether something new can be shown.
    pub fn work(&mut self, running: &Rc<LabGroup>) -> bool {
        if self.is_behind(running) {
            self.put(running.clone());
            return true;
        }
        self.compute()
    }

    /// One piece of one rule's outcome, or one account.
    fn compute(&mut self) -> bool {
        let missing = self.outcomes.iter().position(Option::is_none);
        let Some(place) = missing else {
            if self.walk.is_some() {
                return false;
            }
            self.walk = Some(Rc::new(Walk::new(self.chosen, &self.group)));
            return true;
        };
        let Some(rule) = Rule::ALL.get(place) else {
            return false;
        };
        let group = &self.group;
        let work = self.work.get_or_insert_with(|| Work::new(*rule, group));
        let Some(outcome) = work.next() else {
            return false;
        };
        self.work = None;
        if let Some(slot) = self.outcomes.get_mut(place) {
            *slot = Some(Rc::new(outcome));
        }
        true
    }

    /// Computes everything.
    pub fn finish(&mut self) {
        while !self.is_done() {
            self.compute();
        }
    }

    /// The result of a rule, once it is there.
    pub fn outcome(&self, rule: Rule) -> Option<&Rc<Outcome>> {
        self.outcomes.get(rule.place())?.as_ref()
    }

    /// Last step of the account.
    pub fn last_step(&self) -> usize {
        self.walk
            .as_ref()
            .map_or(0, |walk| walk.steps.len().saturating_sub(1))
    }
}
