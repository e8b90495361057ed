//! The facts that are still known, and what was made of them at certain instants.

use super::Scene;
use crate::kafka::api::ApiKey;
use crate::kafka::fact::{Fact, FactId, FactKind, GroupState, RemovalCause};
use crate::kafka::ids::ActorName;
use crate::kafka::time::Instant;
use crate::ledger::Ledger;
use crate::world::command::Command;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Facts that are kept; the oldest go first.
const FACTS_KEPT: usize = 200_000;

/// From one checkpoint to the next.
const FACTS_BETWEEN: usize = 4_000;

/// A moment worth finding again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeMark {
    /// When.
    pub at: Instant,
    /// The fact of it.
    pub fact: FactId,
    /// What.
    pub kind: MarkKind,
}

/// What a mark stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MarkKind {
    /// A person's or the scenario's act.
    Act,
    /// A group became Stable.
    Rebalance,
    /// A member was removed without having left.
    Fault,
    /// Records were delivered again.
    Duplicate,
}

/// Marks that are kept.
const MARKS_KEPT: usize = 2_000;

/// What the facts up to `last` add up to.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// The ledgers.
    pub ledger: Ledger,
    /// The stage.
    pub scene: Scene,
    /// The last fact that is in them.
    pub last: FactId,
}

impl Sums {
    fn fold(&mut self, fact: &Fact) {
        self.ledger.fold(fact);
        self.scene.fold(fact);
        self.last = fact.id;
    }
}

/// Facts in order, with the sums at checkpoints among them.
#[derive(Clone, Debug, Default)]
pub struct Chronicle {
    facts: VecDeque<Fact>,
    checkpoints: Vec<Sums>,
    requests: BTreeMap<u64, (ActorName, ApiKey)>,
    commands: BTreeMap<u32, Rc<Command>>,
    marks: Rc<Vec<TimeMark>>,
}

impl Chronicle {
    /// Takes in a fact, and counts it in.
    pub fn push(&mut self, fact: Fact, sums: &mut Sums) {
        sums.fold(&fact);
        if let FactKind::RequestSent {
            exchange,
            from,
            request,
            ..
        } = &fact.kind
        {
            self.requests
                .insert(*exchange, (from.clone(), request.api()));
        }
        if let Some(kind) = mark_kind(&fact, &sums.ledger) {
            let mark = TimeMark {
                at: fact.at,
                fact: fact.id,
                kind,
            };
            let marks = Rc::make_mut(&mut self.marks);
            if marks.len() >= MARKS_KEPT {
                marks.drain(..MARKS_KEPT / 4);
            }
            marks.push(mark);
        }
        self.facts.push_back(fact);
        let newest = self.checkpoints.last().map_or(0, |sums| sums.last.0);
        if sums.last.0 >= newest + FACTS_BETWEEN as u64 {
            self.checkpoints.push(sums.clone());
        }
        if self.facts.len() > FACTS_KEPT {
            self.forget();
        }
    }

    /// Lets the oldest eighth go, and the checkpoints within it.
    fn forget(&mut self) {
        self.facts.drain(..FACTS_KEPT / 8);
        let first = self.facts.front().map_or(FactId::BEGINNING, |fact| fact.id);
        self.checkpoints.retain(|sums| sums.last >= first);
        let oldest = self.facts.iter().find_map(|fact| match &fact.kind {
            FactKind::RequestSent { exchange, .. } => Some(*exchange),
            _ => None,
        });
        if let Some(oldest) = oldest {
            self.requests = self.requests.split_off(&oldest);
        }
    }

    /// Remembers what an act was.
    pub fn note_act(&mut self, number: u32, command: Rc<Command>) {
        self.commands.insert(number, command);
    }

    /// The sums as they were after fact `last`; `None`: that is forgotten.
    pub fn sums_at(&self, last: FactId) -> Option<Sums> {
        let place = self.checkpoints.partition_point(|sums| sums.last <= last);
        let mut sums = match place
            .checked_sub(1)
            .and_then(|place| self.checkpoints.get(place))
        {
            Some(sums) => sums.clone(),
            None if self.is_whole() => Sums::default(),
            None => return None,
        };
        for fact in self.after(sums.last).take_while(|fact| fact.id <= last) {
            sums.fold(fact);
        }
        Some(sums)
    }

    /// Whether nothing was forgotten.
    fn is_whole(&self) -> bool {
        self.facts.front().is_none_or(|fact| fact.id.0 == 1)
    }

    /// Forgets everything after fact `last`: the future of a fork.
    pub fn truncate(&mut self, last: FactId) {
        let place = self.facts.partition_point(|fact| fact.id <= last);
        self.facts.truncate(place);
        self.checkpoints.retain(|sums| sums.last <= last);
        Rc::make_mut(&mut self.marks).retain(|mark| mark.fact <= last);
    }

    /// Moments worth finding again, in order.
    pub fn marks(&self) -> &Rc<Vec<TimeMark>> {
        &self.marks
    }

    /// Whether a delivery began a run of duplicates.
    pub fn begins_duplicates(&self, delivery: FactId) -> bool {
        let place = self.marks.binary_search_by_key(&delivery, |mark| mark.fact);
        let mark = place.ok().and_then(|place| self.marks.get(place));
        mark.is_some_and(|mark| mark.kind == MarkKind::Duplicate)
    }

    /// The facts after `last`, oldest first.
    pub fn after(&self, last: FactId) -> impl Iterator<Item = &Fact> {
        let place = self.facts.partition_point(|fact| fact.id <= last);
        self.facts.range(place..)
    }

    /// The facts up to `last`, newest first.
    pub fn before(&self, last: FactId) -> impl Iterator<Item = &Fact> {
        let place = self.facts.partition_point(|fact| fact.id <= last);
        self.facts.range(..place).rev()
    }

    /// A fact, if it is still known.
    pub fn fact(&self, id: FactId) -> Option<&Fact> {
        let place = self.facts.partition_point(|fact| fact.id < id);
        self.facts.get(place).filter(|fact| fact.id == id)
    }

    /// Who sent a request, and of which API.
    pub fn request(&self, exchange: u64) -> Option<&(ActorName, ApiKey)> {
        self.requests.get(&exchange)
    }

    /// What an act was.
    pub fn command(&self, number: u32) -> Option<Rc<Command>> {
        self.commands.get(&number).cloned()
    }

    /// The earliest instant that can be gone back to.
    pub fn horizon(&self) -> Option<Instant> {
        if self.is_whole() {
            return self.facts.front().map(|fact| fact.at);
        }
        let first = self.checkpoints.first()?;
        self.fact(first.last).map(|fact| fact.at)
    }

    /// The last fact up to and at `at`.
    pub fn last_at(&self, at: Instant) -> FactId {
        let place = self.facts.partition_point(|fact| fact.at <= at);
        let last = place.checked_sub(1).and_then(|place| self.facts.get(place));
        last.map_or(FactId::BEGINNING, |fact| fact.id)
    }
}

/// What a fact that was just counted in is on the scrubber.
fn mark_kind(fact: &Fact, ledger: &Ledger) -> Option<MarkKind> {
    match &fact.kind {
        FactKind::Act { .. } => Some(MarkKind::Act),
        FactKind::GroupStateChanged {
            from: GroupState::CompletingRebalance,
            to: GroupState::Stable,
            ..
        } => Some(MarkKind::Rebalance),
        FactKind::MemberRemoved { cause, .. } => match cause {
            RemovalCause::SessionExpired
            | RemovalCause::RebalanceTimeout
            | RemovalCause::SyncTimeout
            | RemovalCause::Fenced => Some(MarkKind::Fault),
            RemovalCause::Left | RemovalCause::RemovedByAdmin | RemovalCause::GroupFull => None,
        },
        FactKind::Deliver {
            member, partition, ..
        } => {
            let entry = ledger.partition(&member.group, partition)?;
            let run = entry.deliveries.duplicates().runs().last()?;
            (run.delivery == fact.id).then_some(MarkKind::Duplicate)
        }
        _ => None,
    }
}
