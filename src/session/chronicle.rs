//! The facts that are still known, and what they add up to.

use super::Scene;
use crate::kafka::api::ApiKey;
use crate::kafka::fact::{Fact, FactId, FactKind, GroupState, RemovalCause};
use crate::kafka::ids::ActorName;
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::Instant;
use crate::ledger::{Ledger, Readers};
use crate::world::command::Command;
use crate::world::trace::TraceHash;
use crate::world::{Observer, Role, World};
use std::cell::{Ref, RefCell};
use std::collections::VecDeque;
use std::ops::RangeBounds;
use std::rc::Rc;

/// Facts that are kept; the oldest go first.
const FACTS_KEPT: usize = 200_000;

/// A moment worth finding again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeMark {
    /// When.
    pub at: Instant,
    /// The fact of it.
    pub fact: FactId,
    /// What.
    pub kind: MarkKind,
    /// Records that this delivery brought again, if that is what it is.
    pub records: i64,
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

/// What folds a fact into the hash of a trace.
type TraceFold = fn(&mut TraceHash, &Fact);

/// What the facts up to now add up to. Cloned along with keyframes; the facts themselves are shared.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// The ledgers.
    pub ledger: Ledger,
    /// The stage.
    pub scene: Scene,
    /// The last fact that is in them.
    pub last: FactId,
    /// The hash of the trace, where it is all that is wanted, and what folds it: by a pointer, so that only who
    /// wants a trace loads what writes one.
    trace: Option<(TraceHash, TraceFold)>,
    facts: Rc<RefCell<Chronicle>>,
}

impl Observer for Sums {
    fn fold(&mut self, fact: &Fact) {
        self.last = fact.id;
        if let Some((trace, fold)) = &mut self.trace {
            return fold(trace, fact);
        }
        self.ledger.fold(fact);
        self.scene.fold(fact);
        self.facts.borrow_mut().push(fact, &self.ledger);
    }
}

impl Sums {
    /// The sums before the first fact: of a world only its members are known.
    pub(super) fn of(world: &World) -> Sums {
        let mut sums = Sums::default();
        for actor in world.actors() {
            if let Role::Consumer { consumer, .. } = actor.role {
                sums.scene
                    .install(&consumer.membership(), consumer.member_state());
            }
        }
        sums
    }

    /// Sums of nothing but the trace.
    pub(super) fn of_trace() -> Sums {
        Sums {
            trace: Some((TraceHash::default(), TraceHash::fold)),
            ..Sums::default()
        }
    }

    /// The hash of the trace, of [sums of the trace](Sums::of_trace).
    pub(super) fn trace(&self) -> Option<&TraceHash> {
        self.trace.as_ref().map(|(trace, _)| trace)
    }

    /// The facts, also those after this instant that were seen before.
    pub fn chronicle(&self) -> Ref<'_, Chronicle> {
        self.facts.borrow()
    }

    /// Forgets the facts after this instant: the future of a fork.
    pub(super) fn forget_future(&self) {
        self.facts.borrow_mut().truncate(self.last);
    }

    /// Remembers what the acts are, by the numbers of their facts.
    pub(super) fn name_acts(&self, commands: impl Iterator<Item = Command>) {
        self.facts.borrow_mut().commands = commands.map(Rc::new).collect();
    }
}

/// A request and what became of it, also in a future that was seen.
#[derive(Clone, Debug)]
pub struct Talk {
    /// Who sent it.
    pub from: ActorName,
    /// Its API.
    pub api: ApiKey,
    /// The fact of the request.
    pub sent: FactId,
    /// The fact of the answer.
    pub answered: Option<FactId>,
    /// The fact that one of the two will never arrive.
    pub lost: Option<FactId>,
}

/// Facts in order, in part also of a future that was seen.
#[derive(Clone, Debug, Default)]
pub struct Chronicle {
    facts: VecDeque<Fact>,
    talks: SortedMap<u64, Talk>,
    commands: Vec<Rc<Command>>,
    marks: Rc<Vec<TimeMark>>,
}

impl Chronicle {
    /// Takes in a fact that is counted into `ledger`. What was seen before is known already.
    fn push(&mut self, fact: &Fact, ledger: &Ledger) {
        if self.facts.back().is_some_and(|last| fact.id <= last.id) {
            return;
        }
        self.note_talk(fact);
        if let Some((kind, records)) = mark_kind(fact, ledger) {
            let marks = Rc::make_mut(&mut self.marks);
            if marks.len() >= MARKS_KEPT {
                marks.drain(..MARKS_KEPT / 4);
            }
            marks.push(TimeMark {
                at: fact.at,
                fact: fact.id,
                kind,
                records,
            });
        }
        self.facts.push_back(fact.clone());
        if self.facts.len() > FACTS_KEPT {
            self.forget();
        }
    }

    fn note_talk(&mut self, fact: &Fact) {
        match &fact.kind {
            FactKind::RequestSent {
                exchange,
                from,
                request,
                ..
            } => {
                let talk = Talk {
                    from: from.clone(),
                    api: request.api(),
                    sent: fact.id,
                    answered: None,
                    lost: None,
                };
                self.talks.insert(*exchange, talk);
            }
            FactKind::ResponseSent { exchange, .. } => {
                if let Some(talk) = self.talks.get_mut(exchange) {
                    talk.answered = Some(fact.id);
                }
            }
            FactKind::MessageLost { exchange } => {
                if let Some(talk) = self.talks.get_mut(exchange) {
                    talk.lost = Some(fact.id);
                }
            }
            _ => {}
        }
    }

    /// Lets the oldest eighth go.
    fn forget(&mut self) {
        self.facts.drain(..FACTS_KEPT / 8);
        let oldest = self.facts.iter().find_map(|fact| match &fact.kind {
            FactKind::RequestSent { exchange, .. } => Some(*exchange),
            _ => None,
        });
        if let Some(oldest) = oldest {
            self.talks = self.talks.split_off(&oldest);
        }
    }

    fn truncate(&mut self, last: FactId) {
        let place = self.facts.partition_point(|fact| fact.id <= last);
        self.facts.truncate(place);
        while self
            .talks
            .last_key_value()
            .is_some_and(|(_, talk)| talk.sent > last)
        {
            self.talks.pop_last();
        }
        for talk in self.talks.values_mut() {
            talk.answered = talk.answered.filter(|id| *id <= last);
            talk.lost = talk.lost.filter(|id| *id <= last);
        }
        Rc::make_mut(&mut self.marks).retain(|mark| mark.fact <= last);
    }

    /// Moments worth finding again, in order.
    pub fn marks(&self) -> &Rc<Vec<TimeMark>> {
        &self.marks
    }

    /// How many records a delivery brought again, if it began a run of duplicates.
    pub fn duplicates_begun(&self, delivery: FactId) -> Option<i64> {
        let place = self.marks.binary_search_by_key(&delivery, |mark| mark.fact);
        let mark = place.ok().and_then(|place| self.marks.get(place))?;
        (mark.kind == MarkKind::Duplicate).then_some(mark.records)
    }

    /// The facts up to `last`, newest first.
    pub fn before(&self, last: FactId) -> impl Iterator<Item = &Fact> {
        let place = self.facts.partition_point(|fact| fact.id <= last);
        self.facts.range(..place).rev()
    }

    /// The facts after `after`, up to `last`, oldest first.
    pub fn between(&self, after: FactId, last: FactId) -> impl Iterator<Item = &Fact> {
        let from = self.facts.partition_point(|fact| fact.id <= after);
        let to = self.facts.partition_point(|fact| fact.id <= last);
        self.facts.range(from..to.max(from))
    }

    /// A fact, if it is still known.
    pub fn fact(&self, id: FactId) -> Option<&Fact> {
        // They are numbered without a gap.
        let first = self.facts.front()?.id.0;
        let place = usize::try_from(id.0.checked_sub(first)?).ok()?;
        self.facts.get(place).filter(|fact| fact.id == id)
    }

    /// A request and what became of it, by the number of their exchange.
    pub fn talk(&self, exchange: u64) -> Option<&Talk> {
        self.talks.get(&exchange)
    }

    /// Requests by the number of their exchange, in the order of sending.
    pub fn talks(
        &self,
        exchanges: impl RangeBounds<u64>,
    ) -> impl DoubleEndedIterator<Item = (u64, &Talk)> {
        let talks = self.talks.range(exchanges);
        talks.map(|(number, talk)| (*number, talk))
    }

    /// What an act was, by the number of its fact.
    pub fn command(&self, number: u32) -> Option<Rc<Command>> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.commands.get(place).cloned()
    }
}

/// What a fact that was just counted in is on the scrubber, and how many records it brought again.
fn mark_kind(fact: &Fact, ledger: &Ledger) -> Option<(MarkKind, i64)> {
    let kind = match &fact.kind {
        FactKind::Act { .. } => MarkKind::Act,
        FactKind::GroupStateChanged {
            from: GroupState::CompletingRebalance,
            to: GroupState::Stable,
            ..
        } => MarkKind::Rebalance,
        FactKind::MemberRemoved { cause, .. } => match cause {
            RemovalCause::SessionExpired
            | RemovalCause::RebalanceTimeout
            | RemovalCause::SyncTimeout
            | RemovalCause::Fenced => MarkKind::Fault,
            RemovalCause::Left | RemovalCause::RemovedByAdmin | RemovalCause::GroupFull => {
                return None;
            }
        },
        FactKind::Deliver {
            member, partition, ..
        } => {
            let entry = ledger.partition(&Readers::of(member), partition)?;
            let run = entry.deliveries.duplicates().runs().last()?;
            let records = run.next.0 - run.base.0;
            return (run.delivery == fact.id).then_some((MarkKind::Duplicate, records));
        }
        _ => return None,
    };
    Some((kind, 0))
}
