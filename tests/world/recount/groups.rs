//! Rebalances, movements, departures and stops of one group, counted anew.

use super::{Process, of_group, process};
use regroup::kafka::api::{ApiKey, Request};
use regroup::kafka::error::ErrorCode;
use regroup::kafka::fact::{
    Fact, FactKind, GroupState, GroupWhy, MemberState, ReleaseCause, StopCause,
};
use regroup::kafka::ids::{ActorName, MemberId, TopicPartition};
use regroup::kafka::time::Instant;
use std::collections::{BTreeMap, BTreeSet};

/// A rebalance that came to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    pub generation: i32,
    pub started: Instant,
    pub stable: Instant,
    pub round: u64,
    pub forced: u64,
    pub voluntary: u64,
    /// Partitions whose owner stayed.
    pub could_stay: u64,
}

/// An identity: an instance id, or else a member id.
type Identity = (bool, String);
/// Who owns what, and who is a member.
type Owners = (BTreeMap<TopicPartition, Identity>, BTreeSet<Identity>);

/// Whether the group's state changed, how and why.
fn change<'a>(fact: &'a Fact, group: &str) -> Option<(GroupState, GroupState, i32, &'a GroupWhy)> {
    match &fact.kind {
        FactKind::GroupStateChanged {
            group: id,
            from,
            to,
            generation,
            why,
        } if id.as_str() == group => Some((*from, *to, generation.0, why)),
        _ => None,
    }
}

/// All rebalances, and what moved in each, compared with what was before its chain.
pub fn rebalances(facts: &[&Fact], group: &str) -> Vec<Ended> {
    let mut ended: Vec<(Ended, usize, Owners)> = Vec::new();
    for (last, fact) in facts.iter().enumerate() {
        let Some((GroupState::CompletingRebalance, GroupState::Stable, generation, _)) =
            change(fact, group)
        else {
            continue;
        };
        // Back to the last time at which nothing was under way.
        let quiet = facts[..last].iter().rposition(|fact| {
            let to = change(fact, group).map(|change| change.1);
            matches!(
                to,
                Some(GroupState::Stable | GroupState::Empty | GroupState::Dead)
            )
        });
        let from = quiet.map_or(0, |quiet| quiet + 1);
        let first = (from..last).find(|place| {
            change(facts[*place], group)
                .is_some_and(|change| change.1 == GroupState::PreparingRebalance)
        });
        let first = first.expect("a rebalance has a beginning");
        let round = match ended.last() {
            Some((before, stable, _)) if rejoins(facts, group, *stable, first) => before.round + 1,
            _ => 1,
        };
        let before_chain = ended
            .iter()
            .rev()
            .nth(usize::try_from(round - 1).expect("few rounds"));
        let owners = owners(facts, group, generation, last);
        // Before the first chain: what there was from the beginning.
        let before = before_chain.map(|(_, _, before)| before.clone());
        let before = before.unwrap_or_else(|| preset_owners(facts, group));
        let (forced, voluntary, could_stay) = moved(&before, &owners);
        let rebalance = Ended {
            generation,
            started: facts[first].at,
            stable: fact.at,
            round,
            forced,
            voluntary,
            could_stay,
        };
        ended.push((rebalance, last, owners));
    }
    ended
        .into_iter()
        .map(|(rebalance, _, _)| rebalance)
        .collect()
}

/// Whether the rebalance that begins at `first` was begun by somebody who had to give something up since
/// the last one ended.
fn rejoins(facts: &[&Fact], group: &str, stable: usize, first: usize) -> bool {
    let joiner = match change(facts[first], group) {
        Some((
            _,
            _,
            _,
            GroupWhy::MemberChanged(id) | GroupWhy::LeaderRejoined(id) | GroupWhy::MemberJoined(id),
        )) => id,
        _ => return false,
    };
    facts[stable..first].iter().any(|fact| {
        matches!(&fact.kind, FactKind::Release { member, cause: ReleaseCause::CooperativeRevoke, .. }
            if of_group(member, group) && member.member_id == *joiner)
    })
}

/// The assignment of a generation that came to its end at `place`. A group that was deleted counts anew, so
/// the nearest is meant.
fn owners(facts: &[&Fact], group: &str, generation: i32, place: usize) -> Owners {
    let assigned = facts
        .iter()
        .enumerate()
        .filter_map(|(at, fact)| match &fact.kind {
            FactKind::Assigned {
                group: id,
                generation: of,
                shares,
            } if id.as_str() == group && of.0 == generation => Some((at, shares)),
            _ => None,
        });
    let nearest = assigned.min_by_key(|(at, _)| at.abs_diff(place));
    let shares = nearest.map(|(_, shares)| shares);
    let mut owners = Owners::default();
    for (member_id, instance, partitions) in shares.into_iter().flat_map(|shares| shares.iter()) {
        let identity = match instance {
            Some(instance) => (true, instance.to_string()),
            None => (false, member_id.to_string()),
        };
        owners.1.insert(identity.clone());
        for partition in partitions {
            owners.0.insert(partition.clone(), identity.clone());
        }
    }
    owners
}

/// The assignment that was in force before anything happened: nobody asked for it.
fn preset_owners(facts: &[&Fact], group: &str) -> Owners {
    let preset = facts
        .iter()
        .take_while(|fact| !matches!(fact.kind, FactKind::RequestSent { .. }))
        .enumerate()
        .find_map(|(place, fact)| match &fact.kind {
            FactKind::Assigned {
                group: id,
                generation,
                ..
            } if id.as_str() == group => Some((generation.0, place)),
            _ => None,
        });
    preset.map_or_else(Owners::default, |(generation, place)| {
        owners(facts, group, generation, place)
    })
}

/// Forced and voluntary movements, and partitions whose owner stayed.
fn moved(before: &Owners, after: &Owners) -> (u64, u64, u64) {
    let (mut forced, mut voluntary, mut could_stay) = (0, 0, 0);
    for (partition, was) in &before.0 {
        let stayed = after.1.contains(was);
        could_stay += u64::from(stayed);
        match after.0.get(partition) {
            Some(is) if is != was && stayed => voluntary += 1,
            Some(is) if is != was => forced += 1,
            _ => {}
        }
    }
    (forced, voluntary, could_stay)
}

/// Forced and voluntary movements in all. The rounds of a chain count as one.
pub fn moved_in_all(rebalances: &[Ended]) -> (u64, u64) {
    let last_of_chain = rebalances
        .iter()
        .enumerate()
        .filter(|(place, _)| rebalances.get(place + 1).is_none_or(|next| next.round == 1));
    last_of_chain.fold((0, 0), |sum, (_, rebalance)| {
        (sum.0 + rebalance.forced, sum.1 + rebalance.voluntary)
    })
}

/// Answers 22, 25 and 27 to JoinGroup and SyncGroup.
pub fn failed_attempts(facts: &[&Fact], group: &str) -> u64 {
    let failed = facts.iter().filter(|fact| {
        let FactKind::ResponseSent {
            exchange, response, ..
        } = &fact.kind
        else {
            return false;
        };
        let error = response.error();
        matches!(
            error,
            ErrorCode::IllegalGeneration
                | ErrorCode::UnknownMemberId
                | ErrorCode::RebalanceInProgress
        ) && facts.iter().any(|fact| {
            matches!(&fact.kind, FactKind::RequestSent { exchange: of, request, .. }
                    if of == exchange && asks_to_join(request, group))
        })
    });
    failed.count() as u64
}

fn asks_to_join(request: &Request, group: &str) -> bool {
    match request {
        Request::JoinGroup(join) => join.group_id.as_str() == group,
        Request::SyncGroup(sync) => sync.group_id.as_str() == group,
        _ => false,
    }
}

/// Everybody who ever was a consumer of the group.
pub fn actors(facts: &[&Fact], group: &str) -> BTreeSet<ActorName> {
    let named = facts.iter().filter_map(|fact| match &fact.kind {
        FactKind::SubscriptionChanged { member, .. }
        | FactKind::MemberStateChanged { member, .. }
            if of_group(member, group) =>
        {
            Some(member.actor.clone())
        }
        _ => None,
    });
    named.collect()
}

fn acts_as(fact: &Fact, group: &str, actor: &ActorName) -> Option<Process> {
    match &fact.kind {
        FactKind::Acquire { member, .. }
        | FactKind::Release { member, .. }
        | FactKind::MemberStateChanged { member, .. }
            if of_group(member, group) && member.actor == *actor =>
        {
            Some(process(member))
        }
        FactKind::Stopped {
            actor: name,
            process,
            ..
        } if name == actor => Some((name.clone(), *process)),
        _ => None,
    }
}

/// Stop-the-world time of a consumer, µs.
pub fn stop_the_world(facts: &[&Fact], until: Instant, group: &str, actor: &ActorName) -> i64 {
    let mut stopped = 0;
    for (place, fact) in facts.iter().enumerate() {
        let FactKind::Release { cause, .. } = &fact.kind else {
            continue;
        };
        let by_rebalance = matches!(
            cause,
            ReleaseCause::EagerRevoke | ReleaseCause::CooperativeRevoke | ReleaseCause::Lost
        );
        let Some(who) = acts_as(fact, group, actor).filter(|_| by_rebalance) else {
            continue;
        };
        if owned(facts, group, &who, place) > 0 {
            continue;
        }
        let ends = facts[place..].iter().find(|fact| {
            acts_as(fact, group, actor).as_ref() == Some(&who)
                && matches!(
                    &fact.kind,
                    FactKind::Acquire { .. }
                        | FactKind::Stopped { .. }
                        | FactKind::MemberStateChanged {
                            to: MemberState::Stable,
                            ..
                        }
                )
        });
        stopped += (ends.map_or(until, |fact| fact.at) - fact.at).0;
    }
    stopped
}

/// How many partitions the process holds after the fact at `place`.
fn owned(facts: &[&Fact], group: &str, who: &Process, place: usize) -> usize {
    let mut owned = BTreeSet::new();
    for fact in &facts[..=place] {
        match &fact.kind {
            FactKind::Acquire { member, partition }
                if of_group(member, group) && process(member) == *who =>
            {
                owned.insert(partition.clone());
            }
            FactKind::Release {
                member, partition, ..
            } if of_group(member, group) && process(member) == *who => {
                owned.remove(partition);
            }
            _ => {}
        }
    }
    owned.len()
}

/// When a consumer's rebalances ended and how long they took, µs.
pub fn member_rebalances(facts: &[&Fact], group: &str, actor: &ActorName) -> Vec<(Instant, i64)> {
    let to = |fact: &Fact| match &fact.kind {
        FactKind::MemberStateChanged { to, .. } => {
            acts_as(fact, group, actor).map(|who| (who, *to))
        }
        _ => None,
    };
    let mut ended = Vec::new();
    for (place, fact) in facts.iter().enumerate() {
        let Some((who, MemberState::Stable)) = to(fact) else {
            continue;
        };
        let mut before: Vec<(Instant, MemberState)> = Vec::new();
        for fact in facts[..place].iter().rev() {
            match to(fact) {
                Some((of, MemberState::Stable)) if of == who => break,
                Some((of, state)) if of == who => before.push((fact.at, state)),
                _ => {}
            }
        }
        let joined = before
            .iter()
            .rev()
            .find(|(_, state)| *state == MemberState::PreparingRebalance);
        ended.extend(joined.map(|(joined, _)| (fact.at, (fact.at - *joined).0)));
    }
    ended
}

/// For each member whose death or leaving changed the group's state: when it died, and when that was.
pub fn detections(facts: &[&Fact], group: &str) -> BTreeMap<MemberId, (Instant, Instant)> {
    let mut detections = BTreeMap::new();
    for (place, fact) in facts.iter().enumerate() {
        let Some((_, _, _, why)) = change(fact, group) else {
            continue;
        };
        let (id, has_left) = match why {
            GroupWhy::MemberLeft(id) => (id, true),
            GroupWhy::SessionExpired(id) => (id, false),
            _ => continue,
        };
        // An id that a client was given and never took up stands for nobody.
        let Some(who) = process_with(&facts[..place], group, id) else {
            continue;
        };
        // A process that lives on while its session ends has neither died nor closed: nothing to detect.
        let gone = match gone_at(&facts[..place], &who) {
            Some(at) => at,
            None if has_left => fact.at,
            None => continue,
        };
        detections.entry(id.clone()).or_insert((gone, fact.at));
    }
    detections
}

/// The process with that member id.
fn process_with(facts: &[&Fact], group: &str, id: &MemberId) -> Option<Process> {
    facts.iter().rev().find_map(|fact| match &fact.kind {
        FactKind::MemberStateChanged { member, .. }
        | FactKind::Acquire { member, .. }
        | FactKind::Release { member, .. }
            if of_group(member, group) && member.member_id == *id =>
        {
            Some(process(member))
        }
        _ => None,
    })
}

/// When a process died, or let go by closing.
fn gone_at(facts: &[&Fact], who: &Process) -> Option<Instant> {
    let end = facts.iter().find_map(|fact| match &fact.kind {
        FactKind::Stopped {
            actor,
            process,
            how,
        } if *actor == who.0 && *process == who.1 => Some((fact.at, *how)),
        _ => None,
    });
    let closed = facts.iter().rev().find_map(|fact| match &fact.kind {
        FactKind::Release {
            member,
            cause: ReleaseCause::Closed,
            ..
        } if process(member) == *who => Some(fact.at),
        _ => None,
    });
    match end {
        Some((at, StopCause::Killed | StopCause::Failed)) => Some(at),
        Some((at, StopCause::Closed)) => Some(closed.unwrap_or(at)),
        None => closed,
    }
}

/// Requests of a party by API: sent, answered with which error how often, never answered.
pub type Asked = BTreeMap<(ActorName, ApiKey), (u64, BTreeMap<ErrorCode, u64>, u64)>;

/// Counts every request that wants an answer or not.
pub fn requests(facts: &[&Fact]) -> Asked {
    let mut asked = Asked::new();
    for (place, fact) in facts.iter().enumerate() {
        let FactKind::RequestSent {
            exchange,
            from,
            request,
            ..
        } = &fact.kind
        else {
            continue;
        };
        let entry = asked.entry((from.clone(), request.api())).or_default();
        entry.0 += 1;
        for fact in &facts[place..] {
            match &fact.kind {
                FactKind::ResponseSent {
                    exchange: of,
                    response,
                    ..
                } if of == exchange => {
                    *entry.1.entry(response.error()).or_default() += 1;
                }
                FactKind::MessageLost { exchange: of } if of == exchange => entry.2 += 1,
                FactKind::ResponseReceived { exchange: of } if of == exchange => break,
                _ => {}
            }
        }
    }
    asked
}

/// Facts that matter to a group as a whole.
pub fn matters(fact: &Fact, group: &str) -> bool {
    match &fact.kind {
        FactKind::GroupStateChanged { group: id, .. } | FactKind::Assigned { group: id, .. } => {
            id.as_str() == group
        }
        FactKind::Acquire { member, .. }
        | FactKind::Release { member, .. }
        | FactKind::SubscriptionChanged { member, .. }
        | FactKind::MemberStateChanged { member, .. } => of_group(member, group),
        FactKind::RequestSent { request, .. } => asks_to_join(request, group),
        FactKind::ResponseSent { response, .. } => {
            matches!(response.api(), ApiKey::JoinGroup | ApiKey::SyncGroup)
        }
        FactKind::Stopped { .. } => true,
        _ => false,
    }
}
