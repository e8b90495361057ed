//! What must hold of any sequence of facts, whatever is done to the world. Folded in debug builds.

use super::Observer;
use crate::kafka::api::Request;
use crate::kafka::fact::{Fact, FactId, FactKind, GroupState, Membership, Share};
use crate::kafka::ids::{ActorName, Generation, GroupId, Offset, TopicPartition};
use crate::kafka::time::Instant;
use std::collections::{BTreeMap, BTreeSet};

/// A rule that was broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// By which fact.
    pub fact: FactId,
    /// The rule.
    pub rule: &'static str,
}

/// A process and a partition.
type Holding = (ActorName, u32, TopicPartition);

/// Watches facts go by.
#[derive(Clone, Debug, Default)]
pub struct Invariants {
    last: FactId,
    origin: Option<Instant>,
    now: Option<Instant>,
    exchanges: BTreeMap<u64, Stage>,
    running: BTreeMap<ActorName, u32>,
    held: BTreeSet<Holding>,
    positions: BTreeMap<Holding, Offset>,
    log_ends: BTreeMap<TopicPartition, Offset>,
    high_watermarks: BTreeMap<TopicPartition, Offset>,
    states: BTreeMap<GroupId, GroupState>,
    generations: BTreeMap<GroupId, Generation>,
    violations: Vec<Violation>,
}

/// How far an exchange has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    Sent { wants_answer: bool },
    Received,
    Answered,
}

impl Invariants {
    /// What was broken so far.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The last fact that was seen.
    pub fn last(&self) -> FactId {
        self.last
    }

    fn require(&mut self, holds: bool, rule: &'static str) {
        if !holds {
            let fact = self.last;
            self.violations.push(Violation { fact, rule });
        }
    }

    fn is_running(&self, actor: &ActorName, process: u32) -> bool {
        self.running.get(actor) == Some(&process)
    }

    fn time_and_cause(&mut self, fact: &Fact) {
        let is_next = fact.id.0 == self.last.0 + 1;
        self.last = fact.id;
        self.require(is_next, "facts are numbered in the order of happening");
        let is_later = self.now.is_none_or(|now| fact.at >= now);
        self.require(is_later, "time never goes back");
        self.require(fact.cause < fact.id, "a cause comes before what it causes");
        let origin = *self.origin.get_or_insert(fact.at);
        self.now = Some(fact.at);
        // Timers that the setup started, and what it starts by itself.
        let needs_no_cause = matches!(
            fact.kind,
            FactKind::Act { .. } | FactKind::Started { .. } | FactKind::TimerFired { .. }
        );
        let has_cause = fact.cause != FactId::BEGINNING || needs_no_cause || fact.at == origin;
        self.require(has_cause, "a fact has a cause or is an act");
    }

    fn processes(&mut self, kind: &FactKind) {
        match kind {
            FactKind::Started { actor, process } => {
                let before = self.running.insert(actor.clone(), *process);
                self.require(before.is_none(), "an actor has one process at a time");
            }
            FactKind::Stopped { actor, process, .. } => {
                let before = self.running.remove(actor);
                self.require(before == Some(*process), "only what runs can stop");
                self.held.retain(|holding| holding.0 != *actor);
                self.positions.retain(|holding, _| holding.0 != *actor);
            }
            FactKind::RequestSent { from, .. } => {
                let is_alive = self.running.contains_key(from);
                self.require(is_alive, "a dead actor sends nothing");
            }
            FactKind::Thrown { actor, process, .. } => {
                let is_alive = self.is_running(actor, *process);
                self.require(is_alive, "a dead actor throws nothing");
            }
            _ => {}
        }
        if let Some(member) = member(kind) {
            let is_alive = self.is_running(&member.actor, member.process);
            self.require(is_alive, "a dead member does nothing");
        }
    }

    fn messages(&mut self, kind: &FactKind) {
        match kind {
            FactKind::RequestSent {
                exchange, request, ..
            } => {
                let wants_answer =
                    !matches!(&**request, Request::Produce(produce) if produce.acks == 0);
                let stage = Stage::Sent { wants_answer };
                let before = self.exchanges.insert(*exchange, stage);
                self.require(before.is_none(), "an exchange begins once");
            }
            FactKind::RequestReceived { exchange } => {
                let before = self.exchanges.remove(exchange);
                let is_sent = matches!(before, Some(Stage::Sent { .. }));
                self.require(is_sent, "a request arrives once, after it was sent");
                if before == Some(Stage::Sent { wants_answer: true }) {
                    self.exchanges.insert(*exchange, Stage::Received);
                }
            }
            FactKind::RequestParked { exchange } => {
                let stage = self.exchanges.get(exchange).copied();
                let is_open = stage == Some(Stage::Received);
                self.require(is_open, "what is parked has arrived and has no answer");
            }
            FactKind::ResponseSent { exchange, .. } => {
                let before = self.exchanges.insert(*exchange, Stage::Answered);
                let is_open = before == Some(Stage::Received);
                self.require(is_open, "a request is answered at most once");
            }
            FactKind::ResponseReceived { exchange } => {
                let before = self.exchanges.remove(exchange);
                let is_answered = before == Some(Stage::Answered);
                self.require(is_answered, "an answer arrives once, after it was sent");
            }
            FactKind::MessageLost { exchange } => {
                let before = self.exchanges.remove(exchange);
                self.require(before.is_some(), "only what is under way can be lost");
            }
            _ => {}
        }
    }

    fn logs(&mut self, kind: &FactKind) {
        match kind {
            FactKind::Append {
                partition,
                base,
                next,
                ..
            } => {
                let end = self.log_ends.insert(partition.clone(), *next);
                let is_next = end.is_none_or(|end| end == *base) && base < next;
                self.require(is_next, "a log grows at its end");
            }
            FactKind::HwAdvance { partition, offset } => {
                let before = self.high_watermarks.insert(partition.clone(), *offset);
                let end = self.log_ends.get(partition).copied();
                let is_inside = end.is_none_or(|end| *offset <= end);
                self.require(is_inside, "the high watermark is not beyond the log's end");
                let is_higher = before.is_none_or(|before| before < *offset);
                self.require(is_higher, "the high watermark only rises");
            }
            FactKind::PartitionDeleted { partition } => {
                self.log_ends.remove(partition);
                self.high_watermarks.remove(partition);
            }
            _ => {}
        }
    }

    fn groups(&mut self, kind: &FactKind) {
        match kind {
            FactKind::GroupStateChanged {
                group, from, to, ..
            } => {
                let before = self.states.insert(group.clone(), *to);
                let is_known = before.is_none_or(|before| before == *from);
                self.require(is_known, "a group leaves the state that it is in");
                // A group that the setup made came into its state before anybody looked.
                let may = may_follow(*from, *to) || self.now == self.origin;
                self.require(may, "a group goes from state to state as Kafka allows");
                if *to == GroupState::Dead {
                    // Another group of that name begins anew.
                    self.generations.remove(group);
                    self.states.remove(group);
                }
            }
            FactKind::JoinCompleted {
                group, generation, ..
            } => {
                let before = self.generations.insert(group.clone(), *generation);
                let is_higher = before.is_none_or(|before| before < *generation);
                self.require(is_higher, "generations only rise");
            }
            FactKind::Assigned { shares, .. } => {
                let is_disjoint = has_one_owner_each(shares);
                self.require(is_disjoint, "in a generation no partition has two owners");
            }
            _ => {}
        }
    }

    fn members(&mut self, kind: &FactKind) {
        let holding = |member: &Membership, partition: &TopicPartition| {
            (member.actor.clone(), member.process, partition.clone())
        };
        match kind {
            FactKind::Acquire { member, partition } => {
                let is_new = self.held.insert(holding(member, partition));
                self.require(is_new, "what is acquired was not held");
            }
            FactKind::Release {
                member, partition, ..
            } => {
                let holding = holding(member, partition);
                let was_held = self.held.remove(&holding);
                self.positions.remove(&holding);
                self.require(was_held, "what is released was held");
            }
            FactKind::PositionSet {
                member,
                partition,
                offset,
                ..
            } => {
                self.positions.insert(holding(member, partition), *offset);
            }
            FactKind::Deliver {
                member,
                partition,
                base,
                next,
            } => {
                let holding = holding(member, partition);
                let is_held = self.held.contains(&holding);
                self.require(is_held, "only what is held is delivered");
                let position = self.positions.insert(holding, *next);
                let is_there = position.is_none_or(|position| position == *base);
                self.require(is_there, "delivery goes on where the position is");
                let mark = self.high_watermarks.get(partition).copied();
                let is_readable = mark.is_none_or(|mark| *next <= mark);
                self.require(is_readable, "nothing above the high watermark is delivered");
            }
            _ => {}
        }
    }
}

impl Observer for Invariants {
    fn fold(&mut self, fact: &Fact) {
        self.time_and_cause(fact);
        self.processes(&fact.kind);
        self.messages(&fact.kind);
        self.logs(&fact.kind);
        self.groups(&fact.kind);
        self.members(&fact.kind);
    }
}

/// Whom a fact is about.
fn member(kind: &FactKind) -> Option<&Membership> {
    match kind {
        FactKind::MemberStateChanged { member, .. }
        | FactKind::CallbackCalled { member, .. }
        | FactKind::CallbackReturned { member, .. }
        | FactKind::Acquire { member, .. }
        | FactKind::Release { member, .. }
        | FactKind::PositionSet { member, .. }
        | FactKind::Deliver { member, .. }
        | FactKind::Done { member, .. }
        | FactKind::CommitStarted { member, .. }
        | FactKind::CommitFinished { member, .. }
        | FactKind::SubscriptionChanged { member, .. }
        | FactKind::PauseChanged { member, .. }
        | FactKind::PollTimeoutExpired { member } => Some(member),
        _ => None,
    }
}

/// `ClassicGroupState.validPreviousStates`.
fn may_follow(from: GroupState, to: GroupState) -> bool {
    use GroupState::{CompletingRebalance, Dead, Empty, PreparingRebalance, Stable};
    match to {
        Empty => matches!(from, PreparingRebalance | Dead | Empty),
        PreparingRebalance => matches!(from, Stable | CompletingRebalance | Empty),
        CompletingRebalance => from == PreparingRebalance,
        Stable => matches!(from, CompletingRebalance | Dead),
        Dead => true,
    }
}

fn has_one_owner_each(shares: &[Share]) -> bool {
    let mut owned = BTreeSet::new();
    let partitions = shares.iter().flat_map(|share| &share.2);
    partitions
        .into_iter()
        .all(|partition| owned.insert(partition))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(facts: Vec<(i64, u64, FactKind)>) -> Vec<&'static str> {
        let mut invariants = Invariants::default();
        for (number, (at, cause, kind)) in (1..).zip(facts) {
            invariants.fold(&Fact {
                id: FactId(number),
                at: Instant(at),
                cause: FactId(cause),
                kind,
            });
        }
        invariants
            .violations
            .iter()
            .map(|violation| violation.rule)
            .collect()
    }

    #[test]
    fn an_answer_to_nothing_is_noticed() {
        let lost = FactKind::MessageLost { exchange: 7 };
        let received = FactKind::ResponseReceived { exchange: 7 };
        let broken = fold(vec![(0, 0, lost), (0, 1, received)]);
        assert_eq!(
            broken,
            [
                "only what is under way can be lost",
                "an answer arrives once, after it was sent"
            ]
        );
    }

    #[test]
    fn a_fact_without_cause_is_noticed() {
        let act = || FactKind::Act { number: 1 };
        let fact = FactKind::RequestReceived { exchange: 1 };
        let broken = fold(vec![(0, 0, act()), (5, 0, act()), (5, 0, fact)]);
        assert_eq!(broken.first(), Some(&"a fact has a cause or is an act"));
    }

    #[test]
    fn time_that_goes_back_is_noticed() {
        let act = || FactKind::Act { number: 1 };
        assert_eq!(
            fold(vec![(5, 0, act()), (4, 0, act())]),
            ["time never goes back"]
        );
    }
}
