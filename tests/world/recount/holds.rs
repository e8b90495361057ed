//! Who held a partition, and when nobody did, counted anew.

use super::{Process, of_group, process};
use regroup::kafka::fact::{Fact, FactKind, ReleaseCause, StopCause};
use regroup::kafka::ids::{TopicName, TopicPartition};
use regroup::kafka::time::Instant;
use std::collections::BTreeSet;

/// From Acquire to Release, or to the end of the process.
#[derive(Clone, Debug)]
pub struct Hold {
    pub who: Process,
    /// Place of its beginning among the facts.
    pub first: usize,
    /// Place of its end. `None`: it lasts.
    pub last: Option<usize>,
    pub end: Option<ReleaseCause>,
}

/// The holds of one partition in one group, in the order of their beginnings.
pub fn holds(facts: &[&Fact], group: &str, partition: &TopicPartition) -> Vec<Hold> {
    let mut holds: Vec<Hold> = Vec::new();
    for (first, fact) in facts.iter().enumerate() {
        let FactKind::Acquire {
            member,
            partition: of,
        } = &fact.kind
        else {
            continue;
        };
        let who = process(member);
        let lasts = |hold: &Hold| hold.who == who && hold.last.is_none_or(|last| last > first);
        if of != partition || !of_group(member, group) || holds.iter().any(lasts) {
            continue;
        }
        let ends = facts[first..].iter().enumerate().find_map(|(after, fact)| {
            let end = match &fact.kind {
                FactKind::Release {
                    member,
                    partition: of,
                    cause,
                } => (of == partition && process(member) == who).then_some(*cause),
                FactKind::Stopped {
                    actor,
                    process,
                    how,
                } => ((actor.clone(), *process) == who).then_some(match how {
                    StopCause::Closed => ReleaseCause::Closed,
                    StopCause::Killed | StopCause::Failed => ReleaseCause::Crashed,
                }),
                _ => None,
            };
            end.map(|end| (first + after, end))
        });
        holds.push(Hold {
            who,
            first,
            last: ends.map(|(last, _)| last),
            end: ends.map(|(_, end)| end),
        });
    }
    holds
}

/// Those that last after the fact at `place`.
pub fn holding(holds: &[Hold], place: usize) -> Vec<&Hold> {
    let lasts = |hold: &&Hold| hold.first <= place && hold.last.is_none_or(|last| last > place);
    holds.iter().filter(lasts).collect()
}

/// Place of the fact by which the partition exists after the one at `place`. `None`: it does not.
fn created(facts: &[&Fact], partition: &TopicPartition, place: usize) -> Option<usize> {
    let last = facts[..=place].iter().rposition(|fact| {
        matches!(&fact.kind,
            FactKind::PartitionCreated { partition: of, .. } | FactKind::PartitionDeleted { partition: of }
                if of == partition)
    })?;
    matches!(facts[last].kind, FactKind::PartitionCreated { .. }).then_some(last)
}

/// The hold that ended last, by the fact at `place` and not before the one at `since`.
fn ended_last(holds: &[Hold], since: usize, place: usize) -> Option<&Hold> {
    let ended = holds.iter().filter(|hold| {
        hold.last
            .is_some_and(|last| (since..=place).contains(&last))
    });
    ended.max_by_key(|hold| hold.last)
}

/// What a process says it wants: topics, and the pattern that they match.
type Wish<'a> = (&'a [TopicName], Option<&'a str>);

/// What the fact says of what a process of the group wants.
fn wish<'a>(fact: &'a Fact, group: &str) -> Option<(Process, Wish<'a>)> {
    match &fact.kind {
        FactKind::SubscriptionChanged {
            member,
            topics,
            pattern,
        } if of_group(member, group) => Some((process(member), (&topics[..], pattern.as_deref()))),
        _ => None,
    }
}

/// Whether the process, whose wish has this pattern, says later that it is one for this topic, too: then it
/// was so all along, though nobody knew of the topic.
fn learns(facts: &[&Fact], group: &str, who: &Process, pattern: &str, topic: &TopicName) -> bool {
    let mut said = facts.iter().filter_map(|fact| wish(fact, group));
    let next = said.find(|(of, _)| of == who);
    next.is_some_and(|(_, (topics, of))| of == Some(pattern) && topics.contains(topic))
}

/// Live processes of the group that want the topic, after the fact at `place`.
fn wanting(facts: &[&Fact], group: &str, topic: &TopicName, place: usize) -> BTreeSet<Process> {
    let mut wanting = BTreeSet::new();
    for fact in &facts[..=place] {
        match &fact.kind {
            FactKind::SubscriptionChanged {
                member,
                topics,
                pattern,
            } if of_group(member, group) => {
                let rest = &facts[place + 1..];
                let who = process(member);
                let learns = |pattern| learns(rest, group, &who, pattern, topic);
                match topics.contains(topic) || pattern.as_deref().is_some_and(learns) {
                    true => wanting.insert(process(member)),
                    false => wanting.remove(&process(member)),
                };
            }
            FactKind::Stopped { actor, process, .. } => {
                wanting.remove(&(actor.clone(), *process));
            }
            _ => {}
        }
    }
    wanting
}

/// Place of the fact from which on the group misses the partition when it has no owner.
fn missed_from(
    facts: &[&Fact],
    group: &str,
    partition: &TopicPartition,
    holds: &[Hold],
) -> Option<usize> {
    let created = facts.iter().position(|fact| {
        matches!(&fact.kind, FactKind::PartitionCreated { partition: of, .. } if of == partition)
    })?;
    // The first that names the topic tells since when: by a pattern, as long as it has that.
    let named = facts.iter().enumerate().find_map(|(place, fact)| {
        let (who, (topics, pattern)) = wish(fact, group)?;
        let is_named = topics.contains(&partition.topic);
        is_named.then_some((place, who, pattern))
    });
    let wanted = named.map(|(place, who, pattern)| {
        let before = facts[..place].iter().enumerate().rev();
        let before = before.filter_map(|(place, fact)| Some((place, wish(fact, group)?)));
        let own = before.filter(|(_, (of, _))| *of == who);
        let same = own.take_while(|(_, (_, (_, of)))| pattern.is_some() && *of == pattern);
        same.last().map_or(place, |(place, _)| place)
    });
    let wanted = wanted.map(|wanted| wanted.max(created));
    let first_hold = holds.iter().map(|hold| hold.first).min();
    wanted.into_iter().chain(first_hold).min()
}

/// Times of one partition in one group, µs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// Initial join, eager revoke, cooperative hand-over, detection, no consumer.
    pub unowned: [i64; 5],
    pub paused: i64,
    pub pauses: u64,
    pub double_claim: i64,
    pub revoked: u64,
}

/// Adds up what lies between one fact and the next, all over the run.
pub fn times(facts: &[&Fact], until: Instant, group: &str, partition: &TopicPartition) -> Times {
    let holds = holds(facts, group, partition);
    let mut times = Times::default();
    let missed_from = missed_from(facts, group, partition, &holds);
    for hold in &holds {
        let revoked = matches!(
            hold.end,
            Some(ReleaseCause::EagerRevoke | ReleaseCause::CooperativeRevoke)
        );
        times.revoked += u64::from(revoked);
        let leaves_nobody = hold
            .last
            .is_some_and(|last| holding(&holds, last).is_empty());
        let exists = hold
            .last
            .is_some_and(|last| created(facts, partition, last).is_some());
        times.pauses += u64::from(leaves_nobody && exists);
    }
    for (place, fact) in facts.iter().enumerate() {
        let next = facts.get(place + 1).map_or(until, |next| next.at);
        let length = (next - fact.at).0;
        if length == 0 || missed_from.is_none_or(|from| place < from) {
            continue;
        }
        match holding(&holds, place).len() {
            0 => {
                let Some(since) = created(facts, partition, place) else {
                    continue;
                };
                let cause = cause(facts, group, &partition.topic, &holds, (since, place));
                times.unowned[cause] += length;
                let was_held = ended_last(&holds, since, place).is_some();
                times.paused += if was_held { length } else { 0 };
            }
            1 => {}
            _ => times.double_claim += length,
        }
    }
    times
}

const INITIAL_JOIN: usize = 0;
const EAGER_REVOKE: usize = 1;
const COOPERATIVE_HAND_OVER: usize = 2;
const DETECTION: usize = 3;
const NO_CONSUMER: usize = 4;

/// Why nobody holds the partition after the fact at `place`; it exists since that at `since`.
fn cause(
    facts: &[&Fact],
    group: &str,
    topic: &TopicName,
    holds: &[Hold],
    (since, place): (usize, usize),
) -> usize {
    if wanting(facts, group, topic, place).is_empty() {
        return NO_CONSUMER;
    }
    let Some(last) = ended_last(holds, since, place) else {
        return INITIAL_JOIN;
    };
    match last.end {
        None => unreachable!("it has ended"),
        Some(ReleaseCause::EagerRevoke) => EAGER_REVOKE,
        Some(ReleaseCause::CooperativeRevoke | ReleaseCause::Unsubscribed) => COOPERATIVE_HAND_OVER,
        Some(ReleaseCause::Lost | ReleaseCause::Crashed) => DETECTION,
        // Who leaves a group of others in good order is detected at once, and missed until they have
        // joined. Once everybody had gone, there was nothing to detect: the group is formed anew. But a
        // static member does not leave when it closes.
        Some(ReleaseCause::Closed) => {
            let ended = last.last.unwrap_or(place);
            let mut since = ended..=place;
            let all_gone = since.find(|place| wanting(facts, group, topic, *place).is_empty());
            let stayed = all_gone.is_some_and(|gone| last_to_go_is_static(facts, gone, last));
            match all_gone {
                Some(_) if !stayed => INITIAL_JOIN,
                _ => DETECTION,
            }
        }
    }
}

/// Whether whoever made the topic unwanted by the fact at `place` is a static member.
fn last_to_go_is_static(facts: &[&Fact], place: usize, last: &Hold) -> bool {
    let gone = match &facts[place].kind {
        FactKind::Stopped { actor, process, .. } => (actor.clone(), *process),
        FactKind::SubscriptionChanged { member, .. } => process(member),
        _ => last.who.clone(),
    };
    facts[..=place].iter().any(|fact| {
        matches!(&fact.kind, FactKind::SubscriptionChanged { member, .. }
            if process(member) == gone && member.group_instance_id.is_some())
    })
}
