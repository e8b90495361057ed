//! `uniform` when all members want the same topics: a quota for each member, filled from what it has and then from
//! what is free.

use super::{ServerMember, Target, Targets, Walked, number};
use crate::kafka::assignor::{AssignError, Explain, GiveReason, MemberOrder, ReleaseReason, Step};
use crate::kafka::ids::Uuid;
use crate::kafka::java_hash::{uuid_hash, walk_of_copy};
use std::rc::Rc;

pub(super) fn assign(group: &Walked, explain: &mut Explain) -> Result<Targets, AssignError> {
    let Some(first) = group
        .members
        .first()
        .filter(|first| !first.topic_ids.is_empty())
    else {
        return Ok(Targets::new());
    };
    group.explain_order(MemberOrder::HashWalk, &group.members, explain);
    let mut free = FreePartitions::new(group, first)?;
    let members = group.members.len();
    let (quota, extra) = (free.total / members, free.total % members);
    explain.step(|| Step::Quota {
        topic: None,
        partitions: free.total,
        members,
        quota,
        extra,
    });
    let mut targets = Targets::with_capacity(members);
    let mut unfilled = Vec::new();
    // The first members visited have the higher quota, whether or not they own that much.
    for (place, member) in group.members.iter().enumerate() {
        let mut room = quota + usize::from(place < extra);
        let target = keep(group, member, &mut room, &mut free, explain);
        if room > 0 {
            unfilled.push((place, room));
        }
        targets.push((member.member_id.clone(), target));
    }
    fill(group, unfilled, free, &mut targets, explain)?;
    Ok(targets)
}

/// What is to be given, and which topics there are.
struct FreePartitions {
    /// Subscribed topics, sorted.
    topics: Vec<Uuid>,
    total: usize,
    /// First the never assigned, topic by topic in the walk of a hash set of ids, then what members gave up.
    runs: Vec<(Uuid, Vec<i32>)>,
}

impl FreePartitions {
    fn new(group: &Walked, first: &ServerMember) -> Result<Self, AssignError> {
        let mut topics = first.topic_ids.to_vec();
        topics.sort_unstable();
        topics.dedup();
        let mut assigned = Vec::with_capacity(topics.len());
        for topic in &topics {
            assigned.push(vec![false; group.partitions(*topic)?]);
        }
        for member in &group.members {
            for (topic, numbers) in &member.target.topics {
                let Ok(place) = topics.binary_search(topic) else {
                    continue;
                };
                for number in numbers {
                    let slot = usize::try_from(*number)
                        .ok()
                        .and_then(|index| assigned[place].get_mut(index));
                    if let Some(slot) = slot {
                        *slot = true;
                    }
                }
            }
        }
        let hashes: Vec<i32> = first
            .topic_ids
            .iter()
            .map(|topic| uuid_hash(*topic))
            .collect();
        let mut runs = Vec::new();
        for place in walk_of_copy(&hashes) {
            let topic = first.topic_ids[place];
            let Ok(place) = topics.binary_search(&topic) else {
                continue;
            };
            let never = assigned[place]
                .iter()
                .enumerate()
                .filter(|(_, assigned)| !**assigned);
            runs.push((topic, never.map(|(index, _)| number(index)).collect()));
        }
        Ok(Self {
            total: assigned.iter().map(Vec::len).sum(),
            topics,
            runs,
        })
    }
}

/// Keeps of a member's target what it is still subscribed to, up to `room`, which shrinks; the rest becomes free.
fn keep(
    group: &Walked,
    member: &ServerMember,
    room: &mut usize,
    free: &mut FreePartitions,
    explain: &mut Explain,
) -> Rc<Target> {
    let mut kept: Option<Vec<(Uuid, Vec<i32>)>> = None;
    for (place, (topic, numbers)) in member.target.topics.iter().enumerate() {
        let subscribed = free.topics.binary_search(topic).is_ok();
        let keeps = if subscribed {
            numbers.len().min(*room)
        } else {
            0
        };
        *room -= keeps;
        for (index, number) in numbers.iter().enumerate() {
            let why = if subscribed {
                ReleaseReason::OverQuota
            } else {
                ReleaseReason::NotSubscribed
            };
            explain.step(|| {
                let (partition, member) =
                    (group.partition(*topic, *number), member.member_id.clone());
                if index < keeps {
                    Step::Keep { partition, member }
                } else {
                    Step::Release {
                        partition,
                        member,
                        why,
                    }
                }
            });
        }
        if subscribed {
            free.runs.push((*topic, numbers[keeps..].to_vec()));
        }
        if keeps < numbers.len() && kept.is_none() {
            kept = Some(member.target.topics[..place].to_vec());
        }
        if let Some(kept) = &mut kept
            && keeps > 0
        {
            kept.push((*topic, numbers[..keeps].to_vec()));
        }
    }
    match kept {
        Some(topics) => Rc::new(Target { topics }.walked()),
        None => member.target.clone(),
    }
}

/// Fills members in visit order, each completely.
fn fill(
    group: &Walked,
    unfilled: Vec<(usize, usize)>,
    free: FreePartitions,
    targets: &mut Targets,
    explain: &mut Explain,
) -> Result<(), AssignError> {
    let mut runs = free
        .runs
        .iter()
        .map(|(topic, numbers)| (*topic, numbers.as_slice()));
    let mut run = runs.next();
    for (place, mut room) in unfilled {
        let (member, target) = &mut targets[place];
        let mut changed: Option<Target> = None;
        while let Some((topic, numbers)) = run
            && room > 0
        {
            let (taken, left) = numbers.split_at(room.min(numbers.len()));
            room -= taken.len();
            run = if left.is_empty() {
                runs.next()
            } else {
                Some((topic, left))
            };
            if taken.is_empty() {
                continue;
            }
            let changed = changed.get_or_insert_with(|| Target::clone(target));
            match changed.topics.iter_mut().find(|(held, _)| *held == topic) {
                Some((_, numbers)) => numbers.extend_from_slice(taken),
                // `computeIfAbsent` puts a new topic in front of its bucket.
                None => changed.topics.insert(0, (topic, taken.to_vec())),
            }
            for number in taken {
                explain.step(|| Step::Give {
                    partition: group.partition(topic, *number),
                    member: member.clone(),
                    why: GiveReason::BelowQuota,
                });
            }
        }
        if let Some(changed) = changed {
            *target = Rc::new(changed.walked());
        }
    }
    let left = run
        .into_iter()
        .chain(runs)
        .any(|(_, numbers)| !numbers.is_empty());
    if left {
        Err(AssignError::PartitionsLeft)
    } else {
        Ok(())
    }
}
