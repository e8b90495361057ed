//! Why: the chain of causes from an effect back to a person's act or to a timer.
//!
//! Each fact has the cause that the engine knows: the message or timer under which it was written. A
//! person asks further: records come twice because a position was set there, because the partition was
//! taken over, because of a rebalance, because a session ended, because somebody was killed. These steps
//! are taken here; between them the engine's own causes lead, and what belongs to the ordinary stream is
//! left out.

use super::Sources;
use crate::kafka::fact::{Fact, FactId, FactKind, GroupWhy, RemovalCause, Why};
use crate::kafka::ids::{ActorName, Generation, GroupId, MemberId};
use crate::ledger::Readers;
use crate::view::event::{Event, Level, level_in};
use crate::world::command::Command;
use std::rc::Rc;

/// Links that are shown.
const SHOWN_MOST: usize = 16;
/// Links that are followed.
const FOLLOWED_MOST: usize = 600;
/// Facts that are searched for a step.
const REACH: usize = 60_000;

/// The chain that leads to a fact, the fact itself first.
pub(super) fn chain(sources: Sources<'_>, from: FactId) -> Rc<[Rc<Event>]> {
    let mut chain = Vec::new();
    let mut next = Some(from);
    for _ in 0..FOLLOWED_MOST {
        let Some(fact) = next.and_then(|id| sources.chronicle.fact(id)) else {
            break;
        };
        let before = cause(sources, fact);
        let is_end = before == FactId::BEGINNING || sources.chronicle.fact(before).is_none();
        if fact.id == from || is_end || is_told(sources, fact) {
            let event = Event::of(fact, &sources.sums.scene, sources.chronicle);
            chain.push(Rc::new(event));
        }
        if is_end || chain.len() >= SHOWN_MOST {
            break;
        }
        // A step never leads forward, so the chain ends.
        next = (before < fact.id).then_some(before);
    }
    chain.into()
}

/// Whether a link is worth a line.
fn is_told(sources: Sources<'_>, fact: &Fact) -> bool {
    match &fact.kind {
        FactKind::TimerFired { why, .. } => matches!(
            why,
            Why::SessionTimeout(..)
                | Why::RebalanceTimeout(_)
                | Why::SyncTimeout(_)
                | Why::InitialDelay(_)
                | Why::MaxPollInterval
                | Why::ClientSessionTimeout
                | Why::MetadataMaxAge
        ),
        FactKind::MemberStateChanged { .. } | FactKind::RequestSent { .. } => false,
        FactKind::ResponseSent { response, .. } => !response.error().is_none(),
        _ => level_in(fact, sources.chronicle) >= Level::Step,
    }
}

/// What led to a fact, as a person would say it.
fn cause(sources: Sources<'_>, fact: &Fact) -> FactId {
    step(sources, fact).unwrap_or(fact.cause)
}

fn step(sources: Sources<'_>, fact: &Fact) -> Option<FactId> {
    let back = |is_it: &dyn Fn(&FactKind) -> bool| {
        let mut facts = sources.chronicle.before(fact.id).skip(1).take(REACH);
        facts.find(|fact| is_it(&fact.kind)).map(|fact| fact.id)
    };
    match &fact.kind {
        FactKind::Deliver {
            member, partition, ..
        } => {
            let entry = sources
                .sums
                .ledger
                .partition(&Readers::of(member), partition)?;
            let mut runs = entry.deliveries.duplicates().runs().iter().rev();
            runs.find(|run| run.delivery == fact.id)
                .map(|run| run.position_set)
        }
        FactKind::PositionSet {
            member, partition, ..
        } => back(&|kind| {
            matches!(kind, FactKind::Acquire { member: by, partition: what }
                if by.actor == member.actor && what == partition)
        }),
        FactKind::Acquire { member, .. } => back(&|kind| {
            matches!(kind, FactKind::Assigned { group, generation, .. }
                if *group == member.group && *generation == member.generation)
        }),
        FactKind::Assigned {
            group, generation, ..
        } => rebalance(sources, group, *generation),
        FactKind::GroupStateChanged { group, why, .. } => match why {
            GroupWhy::SessionExpired(id) => silence(sources, fact.id, group, id),
            GroupWhy::MemberJoined(id) => start(sources, fact.id, group, id),
            GroupWhy::MemberLeft(id) => leave(sources, fact.id, group, id),
            GroupWhy::AssignmentStored | GroupWhy::AllJoined => {
                let ledger = sources.sums.ledger.group(group)?;
                let open = ledger.rebalances.open().map(|rebalance| rebalance.fact);
                let last = || {
                    ledger
                        .rebalances
                        .closed()
                        .last()
                        .map(|rebalance| rebalance.fact)
                };
                open.or_else(last).filter(|began| *began < fact.id)
            }
            _ => None,
        },
        FactKind::MemberRemoved {
            group,
            member_id,
            cause: RemovalCause::SessionExpired | RemovalCause::RebalanceTimeout,
        } => silence(sources, fact.id, group, member_id),
        _ => None,
    }
}

/// The fact by which the rebalance that led to a generation began.
fn rebalance(sources: Sources<'_>, group: &GroupId, generation: Generation) -> Option<FactId> {
    let rebalances = &sources.sums.ledger.group(group)?.rebalances;
    let mut all = rebalances.closed().iter().rev().chain(rebalances.open());
    all.find(|rebalance| rebalance.generation == generation)
        .map(|rebalance| rebalance.fact)
}

/// The last thing before `until` that happened to a consumer's process.
fn last_of(
    sources: Sources<'_>,
    until: FactId,
    actor: &ActorName,
    is_it: impl Fn(&FactKind) -> bool,
) -> Option<FactId> {
    let facts = sources.chronicle.before(until).take(REACH);
    let mut turns = facts.filter(|fact| match &fact.kind {
        FactKind::Started { actor: who, .. }
        | FactKind::Stopped { actor: who, .. }
        | FactKind::Frozen { actor: who }
        | FactKind::Thawed { actor: who } => who == actor,
        FactKind::PollTimeoutExpired { member } => member.actor == *actor,
        FactKind::Act { number } => match sources.chronicle.command(*number).as_deref() {
            Some(Command::Close { actor: who } | Command::Restart { actor: who, .. }) => {
                who == actor
            }
            _ => false,
        },
        _ => false,
    });
    turns
        .next()
        .filter(|fact| is_it(&fact.kind))
        .map(|fact| fact.id)
}

/// Why a member was silent: its process died or stood still.
fn silence(sources: Sources<'_>, until: FactId, group: &GroupId, id: &MemberId) -> Option<FactId> {
    let actor = sources.sums.scene.name_of(group, id)?;
    last_of(sources, until, actor, |kind| {
        matches!(kind, FactKind::Stopped { .. } | FactKind::Frozen { .. })
    })
}

/// Why a member joined: its process started.
fn start(sources: Sources<'_>, until: FactId, group: &GroupId, id: &MemberId) -> Option<FactId> {
    let actor = sources.sums.scene.name_of(group, id)?;
    last_of(sources, until, actor, |kind| {
        matches!(kind, FactKind::Started { .. })
    })
}

/// Why a member left: it was closed, or it did not poll.
fn leave(sources: Sources<'_>, until: FactId, group: &GroupId, id: &MemberId) -> Option<FactId> {
    let actor = sources.sums.scene.name_of(group, id)?;
    last_of(sources, until, actor, |kind| {
        matches!(
            kind,
            FactKind::PollTimeoutExpired { .. } | FactKind::Act { .. }
        )
    })
}
