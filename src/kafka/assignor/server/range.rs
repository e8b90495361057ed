//! `range` of the coordinator: members static first, per topic contiguous blocks. Topics of as many partitions and
//! members are co-partitioned by construction.

use super::{ServerMember, Target, Targets, Walked, number};
use crate::kafka::assignor::{AssignError, Explain, GiveReason, MemberOrder, Step};
use crate::kafka::ids::Uuid;
use crate::kafka::java_hash::compare_strings;
use crate::kafka::sorted::SortedMap;
use std::cmp::Ordering;
use std::rc::Rc;

/// How far a topic has been given.
struct Ranges {
    quota: usize,
    extra: usize,
    next: usize,
}

pub(super) fn assign(group: &Walked, explain: &mut Explain) -> Result<Targets, AssignError> {
    let mut members = group.members.clone();
    members.sort_by(|left, right| static_first(left, right));
    group.explain_order(MemberOrder::StaticFirst, &members, explain);
    let mut ranges = ranges(group, &members, explain)?;
    let mut targets = Targets::new();
    for member in members {
        let mut target = Target::default();
        for topic in member.topic_ids.iter() {
            let Some(range) = ranges.get_mut(topic) else {
                continue;
            };
            let size = range.quota + usize::from(range.extra > 0);
            range.extra = range.extra.saturating_sub(1);
            let numbers: Vec<i32> = (range.next..range.next + size).map(number).collect();
            range.next += size;
            for number in &numbers {
                explain.step(|| Step::Give {
                    partition: group.partition(*topic, *number),
                    member: member.member_id.clone(),
                    why: GiveReason::NextInRange,
                });
            }
            if !numbers.is_empty() {
                target.topics.push((*topic, numbers));
            }
        }
        let target = target.walked();
        let unchanged = *member.target == target;
        let target = if unchanged {
            member.target.clone()
        } else {
            Rc::new(target)
        };
        targets.push((member.member_id.clone(), target));
    }
    Ok(targets)
}

fn ranges(
    group: &Walked,
    members: &[&ServerMember],
    explain: &mut Explain,
) -> Result<SortedMap<Uuid, Ranges>, AssignError> {
    let mut subscribers: SortedMap<Uuid, usize> = SortedMap::new();
    for member in members {
        for topic in member.topic_ids.iter() {
            *subscribers.entry(*topic).or_default() += 1;
        }
    }
    let mut ranges = SortedMap::new();
    for (topic, subscribers) in subscribers {
        let partitions = group.partitions(topic)?;
        let (quota, extra) = (partitions / subscribers, partitions % subscribers);
        explain.step(|| Step::Quota {
            topic: Some(group.partition(topic, 0).topic),
            partitions,
            members: subscribers,
            quota,
            extra,
        });
        ranges.insert(
            topic,
            Ranges {
                quota,
                extra,
                next: 0,
            },
        );
    }
    Ok(ranges)
}

fn static_first(left: &ServerMember, right: &ServerMember) -> Ordering {
    match (&left.instance_id, &right.instance_id) {
        (Some(left), Some(right)) => compare_strings(left, right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => compare_strings(&left.member_id, &right.member_id),
    }
}
