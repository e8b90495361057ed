//! `uniform` when subscriptions differ: keep what is still wanted, level the rest out topic by topic, then go
//! round the topics moving partitions from the most to the least loaded.

use super::balancer::Balancer;
use super::{Target, Targets, Walked, number};
use crate::kafka::assignor::{
    AssignError, Explain, GiveReason, MemberOrder, MoveReason, Phase, ReleaseReason, Step,
};
use crate::kafka::ids::Uuid;
use crate::kafka::sorted::SortedMap;
use std::rc::Rc;

/// `MAX_ITERATION_COUNT`: rounds over the topics before it is good enough.
const ROUNDS_MAX: usize = 16;

pub(super) fn assign(group: &Walked, explain: &mut Explain) -> Result<Targets, AssignError> {
    let topics = sorted_topics(group)?;
    if topics.is_empty() {
        return Ok(Targets::new());
    }
    group.explain_order(MemberOrder::HashWalk, &group.members, explain);
    let places = topics
        .iter()
        .enumerate()
        .map(|(place, topic)| (topic.id, place))
        .collect();
    let mut builder = Heterogeneous {
        group,
        places,
        owners: topics
            .iter()
            .map(|topic| vec![None; topic.partitions])
            .collect(),
        topics,
        loads: vec![0; group.members.len()],
        changed: vec![None; group.members.len()],
        explain,
    };
    builder.keep_subscribed();
    builder.explain.step(|| Step::Begin(Phase::Remaining));
    builder.give_unassigned();
    builder.explain.step(|| Step::Begin(Phase::ImproveAll));
    builder.balance();
    let targets = group
        .members
        .iter()
        .zip(builder.changed)
        .map(|(member, changed)| {
            let target = changed.map_or_else(
                || member.target.clone(),
                |changed| Rc::new(changed.walked()),
            );
            (member.member_id.clone(), target)
        });
    Ok(targets.collect())
}

/// A subscribed topic.
struct Topic {
    id: Uuid,
    partitions: usize,
    /// Visit indices, ascending.
    subscribers: Vec<usize>,
}

/// Subscribed topics: most partitions per subscriber first, then fewest subscribers, then by id.
fn sorted_topics(group: &Walked) -> Result<Vec<Topic>, AssignError> {
    let mut subscribers: SortedMap<Uuid, Vec<usize>> = SortedMap::new();
    for (index, member) in group.members.iter().enumerate() {
        for topic in member.topic_ids.iter() {
            group.partitions(*topic)?;
            subscribers.entry(*topic).or_default().push(index);
        }
    }
    let mut topics = Vec::with_capacity(subscribers.len());
    for (id, subscribers) in subscribers {
        topics.push(Topic {
            id,
            partitions: group.partitions(id)?,
            subscribers,
        });
    }
    // Kafka compares quotients in floating point; crosswise products say the same of counts of this size.
    topics.sort_by(|left, right| {
        let (left_share, right_share) = (
            left.partitions * right.subscribers.len(),
            right.partitions * left.subscribers.len(),
        );
        right_share
            .cmp(&left_share)
            .then(left.subscribers.len().cmp(&right.subscribers.len()))
    });
    Ok(topics)
}

struct Heterogeneous<'s, 'a> {
    group: &'s Walked<'a>,
    topics: Vec<Topic>,
    places: SortedMap<Uuid, usize>,
    /// By topic and number.
    owners: Vec<Vec<Option<usize>>>,
    loads: Vec<usize>,
    /// Targets of members that do not keep exactly what they had.
    changed: Vec<Option<Target>>,
    explain: &'s mut Explain,
}

impl Heterogeneous<'_, '_> {
    fn keep_subscribed(&mut self) {
        for (index, member) in self.group.members.iter().enumerate() {
            let mut wanted = member.topic_ids.to_vec();
            wanted.sort_unstable();
            for (topic, numbers) in &member.target.topics {
                let place = self
                    .places
                    .get(topic)
                    .filter(|_| wanted.binary_search(topic).is_ok());
                for number in numbers {
                    self.explain.step(|| {
                        let (partition, member) = (
                            self.group.partition(*topic, *number),
                            member.member_id.clone(),
                        );
                        match place {
                            Some(_) => Step::Keep { partition, member },
                            None => Step::Release {
                                partition,
                                member,
                                why: ReleaseReason::NotSubscribed,
                            },
                        }
                    });
                }
                match place {
                    Some(place) => {
                        self.loads[index] += numbers.len();
                        for number in numbers {
                            let slot = usize::try_from(*number).ok();
                            if let Some(slot) =
                                slot.and_then(|slot| self.owners[*place].get_mut(slot))
                            {
                                *slot = Some(index);
                            }
                        }
                    }
                    None => {
                        let target = self.changed[index]
                            .get_or_insert_with(|| Target::clone(&member.target));
                        target.topics.retain(|(held, _)| held != topic);
                    }
                }
            }
        }
    }

    fn give_unassigned(&mut self) {
        for place in 0..self.topics.len() {
            if !self.owners[place].contains(&None) {
                continue;
            }
            let mut balancer = Balancer::new(&self.topics[place].subscribers, &self.loads);
            for index in 0..self.owners[place].len() {
                if self.owners[place][index].is_some() {
                    continue;
                }
                let taker = balancer.next_taker(&self.loads);
                self.add(place, index, taker);
                self.explain.step(|| Step::Give {
                    partition: self.group.partition(self.topics[place].id, number(index)),
                    member: self.group.members[taker].member_id.clone(),
                    why: GiveReason::LeastLoaded,
                });
            }
        }
    }

    /// Goes round the topics until a whole circle moves nothing.
    fn balance(&mut self) {
        let shared: Vec<usize> = (0..self.topics.len())
            .filter(|place| self.topics[*place].subscribers.len() >= 2)
            .collect();
        let mut last_moved = None;
        for _ in 0..ROUNDS_MAX {
            for place in &shared {
                if last_moved == Some(*place) {
                    return;
                }
                if self.balance_topic(*place) || last_moved.is_none() {
                    last_moved = Some(*place);
                }
            }
        }
    }

    /// Levels the loads of one topic's subscribers. Whether a partition moved.
    fn balance_topic(&mut self, place: usize) -> bool {
        let mut balancer = Balancer::new(&self.topics[place].subscribers, &self.loads);
        if balancer.imbalance() <= 1 {
            return false;
        }
        // What each member can give: its partitions of this topic at the start, the highest number last.
        let mut gives: SortedMap<usize, Vec<usize>> = SortedMap::new();
        for (index, owner) in self.owners[place].iter().enumerate() {
            if let Some(owner) = owner {
                gives.entry(*owner).or_default().push(index);
            }
        }
        let mut moved = false;
        while !balancer.is_balanced() {
            let Some(giver) = balancer.next_giver(&self.loads) else {
                break;
            };
            let Some(index) = gives.get_mut(&giver).and_then(Vec::pop) else {
                balancer.exclude_giver();
                continue;
            };
            let taker = balancer.next_taker(&self.loads);
            if balancer.is_balanced() {
                break;
            }
            self.remove(place, index, giver);
            self.add(place, index, taker);
            moved = true;
            self.explain.step(|| Step::Move {
                partition: self.group.partition(self.topics[place].id, number(index)),
                from: self.group.members[giver].member_id.clone(),
                to: self.group.members[taker].member_id.clone(),
                why: MoveReason::Balance,
            });
        }
        moved
    }

    fn changed_target(&mut self, member: usize) -> &mut Target {
        let target = &self.group.members[member].target;
        self.changed[member].get_or_insert_with(|| Target::clone(target))
    }

    fn add(&mut self, place: usize, index: usize, member: usize) {
        let topic = self.topics[place].id;
        let target = self.changed_target(member);
        match target.topics.iter_mut().find(|(held, _)| *held == topic) {
            Some((_, numbers)) => numbers.push(number(index)),
            // `computeIfAbsent` puts a new topic in front of its bucket.
            None => target.topics.insert(0, (topic, vec![number(index)])),
        }
        self.owners[place][index] = Some(member);
        self.loads[member] += 1;
    }

    fn remove(&mut self, place: usize, index: usize, member: usize) {
        let topic = self.topics[place].id;
        let target = self.changed_target(member);
        for (held, numbers) in &mut target.topics {
            if *held == topic {
                numbers.retain(|held| *held != number(index));
            }
        }
        target.topics.retain(|(_, numbers)| !numbers.is_empty());
        self.loads[member] = self.loads[member].saturating_sub(1);
    }
}
