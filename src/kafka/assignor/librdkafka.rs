//! The sticky assignors of librdkafka (`rdkafka_sticky_assignor.c`, 2.15): KIP-54 as Kafka had it before 2.4. They give
//! as balanced a result as Kafka's of today, but may move another of equally good partitions.
//!
//! Left out: racks.

use super::{ClusterTopics, GroupAssignment, MemberAssignment, MemberSubscription};
use crate::kafka::ids::{MemberId, TopicName, TopicPartition};
use crate::kafka::sorted::{SortedMap, SortedSet};

/// From whom to whom.
type Pair = (MemberId, MemberId);

/// Assigns as a librdkafka leader does. `cooperative`: what changes hands is in nobody's list in this round.
pub fn assign_sticky(
    cooperative: bool,
    cluster: &ClusterTopics,
    members: &[MemberSubscription],
) -> GroupAssignment {
    let mut balance = Balance::new(cluster, members);
    let mut sorted = balance.sorted_partitions();
    let mut unassigned = sorted.clone();
    let revocation_required = balance.keep_what_is_valid(members, &mut unassigned);
    balance.run(&mut sorted, &mut unassigned, revocation_required);
    let owned = members.iter().flat_map(|member| {
        let owned = member.owned_partitions.iter();
        owned.map(|partition| (partition, &member.member_id))
    });
    let owned: SortedMap<_, _> = owned.collect();
    let shares = members.iter().map(|member| {
        let share = balance.current.remove(&member.member_id);
        let mut partitions = share.unwrap_or_default();
        if cooperative {
            // `rd_kafka_cooperative_protocol_adjust_assignment`
            partitions.retain(|partition| {
                owned
                    .get(partition)
                    .is_none_or(|owner| **owner == member.member_id)
            });
        }
        partitions.sort();
        MemberAssignment {
            member_id: member.member_id.clone(),
            partitions,
        }
    });
    GroupAssignment {
        members: shares.collect(),
        ..GroupAssignment::default()
    }
}

/// The assignment while it is being made.
#[derive(Default)]
struct Balance {
    /// What each member has that takes part.
    current: SortedMap<MemberId, Vec<TopicPartition>>,
    /// Who had a partition before the member that has it.
    previous: SortedMap<TopicPartition, MemberId>,
    owner: SortedMap<TopicPartition, MemberId>,
    /// What each member may have.
    may_have: SortedMap<MemberId, SortedSet<TopicPartition>>,
    /// Who may have a partition.
    takers: SortedMap<TopicPartition, Vec<MemberId>>,
    /// What moved so, oldest first (`PartitionMovements`).
    moved_by_pair: SortedMap<(TopicName, Pair), Vec<TopicPartition>>,
    moved: SortedMap<TopicPartition, Pair>,
}

impl Balance {
    fn new(cluster: &ClusterTopics, members: &[MemberSubscription]) -> Self {
        let mut balance = Self::default();
        let mut claims: SortedMap<TopicPartition, Vec<(i32, MemberId)>> = SortedMap::new();
        for member in members {
            let id = &member.member_id;
            balance.current.insert(id.clone(), Vec::new());
            for partition in &member.owned_partitions {
                let claim = (member.generation, id.clone());
                claims.entry(partition.clone()).or_default().push(claim);
                balance.owner.insert(partition.clone(), id.clone());
            }
            let may_have = balance.may_have.entry(id.clone()).or_default();
            for topic in &member.topics {
                let count = cluster
                    .topics
                    .get(topic)
                    .map_or(0, |topic| topic.partitions);
                let partitions =
                    (0..count).map(|number| TopicPartition::new(topic.clone(), number));
                for partition in partitions {
                    let takers = balance.takers.entry(partition.clone()).or_default();
                    takers.push(id.clone());
                    may_have.insert(partition);
                }
            }
        }
        for (partition, mut claims) in claims {
            claims.sort_by_key(|(generation, _)| *generation);
            if claims
                .windows(2)
                .any(|two| matches!(two, [a, b] if a.0 == b.0))
            {
                // Two members of one generation say that they have it: nobody has.
                balance.owner.remove(&partition);
                continue;
            }
            let mut newest_first = claims.into_iter().rev().map(|(_, member)| member);
            if let Some(current) = newest_first.next() {
                let share = balance.current.entry(current).or_default();
                share.push(partition.clone());
            }
            if let Some(previous) = newest_first.next() {
                balance.previous.insert(partition, previous);
            }
        }
        balance
    }

    fn count(&self, member: &MemberId) -> usize {
        self.current.get(member).map_or(0, Vec::len)
    }

    /// Those who take part, from the one with the fewest partitions on.
    fn by_count(&self) -> Vec<MemberId> {
        let mut members: Vec<_> = self.current.keys().cloned().collect();
        members.sort_by_key(|member| self.count(member));
        members
    }

    fn is_shared(&self, partition: &TopicPartition) -> bool {
        let takers = self.takers.get(partition);
        takers.is_some_and(|takers| takers.len() >= 2)
    }

    fn subscriptions_are_identical(&self) -> bool {
        let mut takers = self.takers.values();
        let first = takers.next();
        let mut may_have = self.may_have.values();
        let all = may_have.next();
        takers.all(|other| Some(other) == first) && may_have.all(|other| Some(other) == all)
    }

    /// All partitions in the order in which they may move (`sortPartitions`).
    fn sorted_partitions(&self) -> Vec<TopicPartition> {
        if !self.subscriptions_are_identical() {
            let mut partitions: Vec<_> = self.takers.keys().cloned().collect();
            partitions.sort_by_key(|partition| self.takers.get(partition).map(Vec::len));
            return partitions;
        }
        let mut left: SortedMap<&MemberId, Vec<&TopicPartition>> = SortedMap::new();
        for (member, partitions) in &self.current {
            let known = partitions.iter();
            let known = known.filter(|partition| self.takers.contains_key(*partition));
            left.insert(member, known.collect());
        }
        let mut sorted = Vec::new();
        // Round and round, from whoever has most left; what belonged to somebody else before goes first.
        while let Some((_, partitions)) = left
            .iter_mut()
            .max_by(|left, right| (left.1.len(), left.0).cmp(&(right.1.len(), right.0)))
            .filter(|(_, partitions)| !partitions.is_empty())
        {
            let moved_before = |partition: &&TopicPartition| self.previous.contains_key(*partition);
            let place = partitions.iter().position(moved_before).unwrap_or(0);
            sorted.push(partitions.remove(place).clone());
        }
        let listed: SortedSet<_> = sorted.iter().cloned().collect();
        let others = self.takers.keys().rev();
        let others = others.filter(|partition| !listed.contains(*partition));
        sorted.extend(others.cloned());
        if listed.is_empty() {
            sorted.sort();
        }
        sorted
    }

    /// Forgets what does not exist or is not subscribed to any more; what is kept need not be assigned. Whether
    /// somebody loses something by that.
    fn keep_what_is_valid(
        &mut self,
        members: &[MemberSubscription],
        unassigned: &mut Vec<TopicPartition>,
    ) -> bool {
        let mut revocation_required = false;
        let mut kept = SortedSet::new();
        for member in members {
            let Some(partitions) = self.current.get_mut(&member.member_id) else {
                continue;
            };
            partitions.retain(|partition| {
                let exists = self.takers.contains_key(partition);
                let is_subscribed = member.topics.contains(&partition.topic);
                if !exists {
                    self.owner.remove(partition);
                } else if !is_subscribed {
                    revocation_required = true;
                } else {
                    kept.insert(partition.clone());
                }
                exists && is_subscribed
            });
        }
        unassigned.retain(|partition| !kept.contains(partition));
        revocation_required
    }

    /// `balance`
    fn run(
        &mut self,
        sorted: &mut Vec<TopicPartition>,
        unassigned: &mut Vec<TopicPartition>,
        revocation_required: bool,
    ) {
        let initializing = self.current.values().all(Vec::is_empty);
        for partition in unassigned.iter() {
            if let Some(member) = self.first_taker(partition) {
                self.give(partition, &member);
            }
        }
        sorted.retain(|partition| self.is_shared(partition));
        unassigned.retain(|partition| self.is_shared(partition));
        let members: Vec<_> = self.current.keys().cloned().collect();
        let mut fixed = Vec::new();
        for member in members {
            if !self.takes_part(&member)
                && let Some(share) = self.current.remove(&member)
            {
                fixed.push((member, share));
            }
        }
        let before = (self.current.clone(), self.owner.clone());
        if !revocation_required && !unassigned.is_empty() {
            self.reassign(unassigned);
        }
        let reassigned = self.reassign(sorted);
        if !initializing && reassigned && score(&self.current) >= score(&before.0) {
            (self.current, self.owner) = before;
        }
        self.current.extend(fixed);
    }

    fn takes_part(&self, member: &MemberId) -> bool {
        let most = self.may_have.get(member).map_or(0, SortedSet::len);
        let mut partitions = self.current.get(member).into_iter().flatten();
        self.count(member) < most || partitions.any(|partition| self.is_shared(partition))
    }

    fn may_have(&self, member: &MemberId, partition: &TopicPartition) -> bool {
        let may_have = self.may_have.get(member);
        may_have.is_some_and(|partitions| partitions.contains(partition))
    }

    fn first_taker(&self, partition: &TopicPartition) -> Option<MemberId> {
        let mut members = self.by_count().into_iter();
        members.find(|member| self.may_have(member, partition))
    }

    fn give(&mut self, partition: &TopicPartition, member: &MemberId) {
        let share = self.current.entry(member.clone()).or_default();
        share.push(partition.clone());
        self.owner.insert(partition.clone(), member.clone());
    }

    fn is_balanced(&self) -> bool {
        let counts = || self.current.values().map(Vec::len);
        let (least, most) = (counts().min(), counts().max());
        if most.unwrap_or(0) <= least.unwrap_or(0) + 1 {
            return true;
        }
        let owners = self.current.iter().flat_map(|(member, partitions)| {
            let partitions = partitions.iter();
            partitions.map(move |partition| (partition, member))
        });
        let owners: SortedMap<_, _> = owners.collect();
        let mut wishes = self.current.keys().flat_map(|member| {
            let wishes = self.may_have.get(member).into_iter().flatten();
            wishes.map(move |partition| (member, partition))
        });
        !wishes.any(|(member, partition)| {
            owners
                .get(partition)
                .is_some_and(|owner| *owner != member && self.count(member) < self.count(owner))
        })
    }

    /// Moves partitions as long as that brings more balance (`performReassignments`). Whether any moved.
    fn reassign(&mut self, partitions: &[TopicPartition]) -> bool {
        let mut reassigned = false;
        loop {
            let mut modified = false;
            for partition in partitions {
                if self.is_balanced() {
                    break;
                }
                let Some(owner) = self.owner.get(partition).cloned() else {
                    continue;
                };
                let has_more = |other: &MemberId| {
                    self.current.contains_key(other) && self.count(&owner) > self.count(other) + 1
                };
                let previous = self.previous.get(partition);
                let target = match previous.filter(|previous| has_more(previous)) {
                    Some(previous) => Some(previous.clone()),
                    None => {
                        let mut takers = self.takers.get(partition).into_iter().flatten();
                        let is_better = takers.any(|other| *other != owner && has_more(other));
                        is_better.then(|| self.first_taker(partition)).flatten()
                    }
                };
                if let Some(target) = target {
                    self.move_towards(partition, &owner, target);
                    modified = true;
                }
            }
            if !modified {
                return reassigned;
            }
            reassigned = true;
        }
    }

    /// Moves that partition, or one back that has moved the opposite way.
    fn move_towards(&mut self, wish: &TopicPartition, owner: &MemberId, target: MemberId) {
        let origin = self.moved.get(wish).map_or(owner, |(source, _)| source);
        let opposite = (wish.topic.clone(), (target.clone(), origin.clone()));
        let back = self.moved_by_pair.get(&opposite);
        let partition = back.and_then(|moved| moved.first()).unwrap_or(wish).clone();
        let Some(source) = self.owner.get(&partition).cloned() else {
            return;
        };
        self.note_move(&partition, source.clone(), target.clone());
        if let Some(share) = self.current.get_mut(&source) {
            share.retain(|other| *other != partition);
        }
        self.give(&partition, &target);
    }

    /// A chain counts as one move from its start, a return to the start as none.
    fn note_move(&mut self, partition: &TopicPartition, source: MemberId, target: MemberId) {
        let topic = &partition.topic;
        let pair = match self.moved.remove(partition) {
            None => (source, target),
            Some(earlier) => {
                let start = earlier.0.clone();
                let key = (topic.clone(), earlier);
                if let Some(moved) = self.moved_by_pair.get_mut(&key) {
                    moved.retain(|other| other != partition);
                }
                if start == target {
                    return;
                }
                (start, target)
            }
        };
        self.moved.insert(partition.clone(), pair.clone());
        let moved = self.moved_by_pair.entry((topic.clone(), pair));
        moved.or_default().push(partition.clone());
    }
}

/// How far the members' counts are from one another; 0 is perfect (`getBalanceScore`).
fn score(current: &SortedMap<MemberId, Vec<TopicPartition>>) -> usize {
    let counts: Vec<usize> = current.values().map(Vec::len).collect();
    let pairs = counts.iter().enumerate().flat_map(|(place, one)| {
        let others = counts.iter().skip(place + 1);
        others.map(move |other| one.abs_diff(*other))
    });
    pairs.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(id: &str, owned: &[i32], generation: i32) -> MemberSubscription {
        let owned = owned.iter().map(|&number| TopicPartition::new("t", number));
        MemberSubscription {
            owned_partitions: owned.collect(),
            generation,
            ..MemberSubscription::new(id, vec!["t".into()])
        }
    }

    fn shares(cooperative: bool, partitions: i32, members: &[MemberSubscription]) -> Vec<Vec<i32>> {
        let mut cluster = ClusterTopics::default();
        cluster.insert("t", partitions);
        let result = assign_sticky(cooperative, &cluster, members);
        let numbers = |member: &MemberAssignment| {
            let partitions = member.partitions.iter();
            partitions.map(|partition| partition.partition).collect()
        };
        result.members.iter().map(numbers).collect()
    }

    #[test]
    fn a_new_group_gets_partitions_in_turn() {
        let members = [member("c1", &[], -1), member("c2", &[], -1)];
        assert_eq!(shares(false, 5, &members), [vec![0, 2, 4], vec![1, 3]]);
    }

    /// As recorded: `tests/data/traces/cooperative_join.confluent.json`.
    #[test]
    fn a_newcomer_gets_the_first_partition_of_whoever_has_most_and_the_highest_id() {
        let members = [
            member("c1", &[0, 3], 1),
            member("c2", &[1, 4], 1),
            member("c3", &[2, 5], 1),
            member("c4", &[], -1),
        ];
        let moved = [vec![0, 3], vec![1, 4], vec![5], vec![2]];
        assert_eq!(shares(false, 6, &members), moved);
        let withheld = [vec![0, 3], vec![1, 4], vec![5], vec![]];
        assert_eq!(shares(true, 6, &members), withheld);
    }

    #[test]
    fn who_stays_keeps_what_it_has() {
        // What is free goes out from the highest number on.
        let members = [member("c1", &[0, 3], 1), member("c3", &[2, 5], 1)];
        assert_eq!(shares(true, 6, &members), [vec![0, 3, 4], vec![1, 2, 5]]);
    }

    #[test]
    fn of_two_claims_the_newer_counts_and_of_equal_ones_none() {
        let members = [member("c1", &[0, 1], 2), member("c2", &[1], 1)];
        // What somebody else had before is not moved by that alone.
        assert_eq!(shares(false, 2, &members), [vec![1], vec![0]]);
        let members = [member("c1", &[0], 1), member("c2", &[0], 1)];
        let shares = shares(false, 2, &members);
        assert!(shares.iter().all(|share| share.len() == 1), "{shares:?}");
    }
}
