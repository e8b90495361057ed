//! The general algorithm (`GeneralAssignmentBuilder`): subscriptions differ, so start from what is owned, deal out
//! the rest to the least loaded, then move partitions one by one while that improves the balance.

use super::Claims;
use super::claims::FormerClaim;
use super::movements::Movements;
use crate::kafka::assignor::AssignError;
use crate::kafka::assignor::explain::{
    Explain, GiveReason, MoveReason, Phase, ReleaseReason, Step,
};
use crate::kafka::assignor::group::{Group, Lists};
use crate::kafka::assignor::racks::Racks;
use crate::kafka::sorted::sort_places;

pub(super) fn assign(
    group: &Group,
    racks: Option<&Racks>,
    claims: Claims,
    explain: &mut Explain,
) -> Result<Lists, AssignError> {
    let mut builder = General::new(group, claims, explain);
    let revoked = builder.drop_lost(racks);
    let all = builder.all_partitions();
    let unassigned = builder.unassigned(&all);
    builder.order = builder.ranks_to_order();
    builder.balance(racks, all, unassigned, revoked)?;
    Ok(builder.lists)
}

struct General<'s, 'a> {
    group: &'s Group<'a>,
    former: Vec<Option<FormerClaim>>,
    /// Subscribed members per topic.
    candidates: Vec<usize>,
    /// By member: partitions of all its topics.
    potential: Vec<usize>,
    lists: Lists,
    /// By partition index.
    owner: Vec<Option<usize>>,
    /// Place of each member in the order of member ids.
    ranks: Vec<usize>,
    /// Members that still take part, by (load, member id).
    order: Vec<usize>,
    /// Whether a member still takes part.
    active: Vec<bool>,
    movements: Movements,
    /// How many partitions of each topic (fastest) each member has.
    counts: Vec<usize>,
    /// Counts moves; what was computed before the last move is stale.
    moves: usize,
    /// By topic: the first subscribed member in order, and the value of `moves` when it was looked up.
    first_candidates: Vec<(usize, usize)>,
    /// The answer of `is_balanced`, and the value of `moves` at that time.
    balanced: Option<(usize, bool)>,
    /// A topic that was out of balance when last looked at.
    unbalanced_topic: usize,
    explain: &'s mut Explain,
}

impl<'s, 'a> General<'s, 'a> {
    fn new(group: &'s Group<'a>, claims: Claims, explain: &'s mut Explain) -> Self {
        let members = group.members.len();
        let topics = group.topics.len();
        let mut candidates = vec![0; topics];
        for member in &group.members {
            for topic in member.topics.iter() {
                candidates[*topic] += 1;
            }
        }
        let mut ranks = vec![0; members];
        for (rank, member) in group.by_member_id().into_iter().enumerate() {
            ranks[member] = rank;
        }
        Self {
            group,
            former: claims.former,
            candidates,
            potential: group
                .members
                .iter()
                .map(|member| {
                    member
                        .topics
                        .iter()
                        .map(|topic| group.topics[*topic].partitions)
                        .sum()
                })
                .collect(),
            lists: claims.owned,
            owner: vec![None; group.partition_indices()],
            ranks,
            order: Vec::new(),
            active: vec![true; members],
            movements: Movements::new(group),
            counts: vec![0; members * topics],
            moves: 1,
            first_candidates: vec![(0, 0); topics],
            balanced: None,
            unbalanced_topic: 0,
            explain,
        }
    }

    /// Members drop what they are not subscribed to any more and what is not in their rack. Whether they did.
    fn drop_lost(&mut self, racks: Option<&Racks>) -> bool {
        let mut revoked = false;
        for member in 0..self.lists.len() {
            let mut list = std::mem::take(&mut self.lists[member]);
            list.retain(|partition| {
                let topic = self.group.topic_of(*partition);
                let why = if !self.group.subscribes(member, topic) {
                    ReleaseReason::NotSubscribed
                } else if racks.is_some_and(|racks| racks.mismatch(member, *partition)) {
                    ReleaseReason::RackMismatch
                } else {
                    self.owner[*partition] = Some(member);
                    self.counts[member * self.group.topics.len() + topic] += 1;
                    self.explain.step(|| Step::Keep {
                        partition: self.group.partition(*partition),
                        member: self.group.member_id(member),
                    });
                    return true;
                };
                revoked = true;
                self.explain.step(|| Step::Release {
                    partition: self.group.partition(*partition),
                    member: self.group.member_id(member),
                    why,
                });
                false
            });
            self.lists[member] = list;
        }
        revoked
    }

    /// All partitions: topics with the fewest candidates first, then by name and number.
    fn all_partitions(&self) -> Vec<usize> {
        let mut topics: Vec<usize> = (0..self.group.topics.len()).collect();
        let candidates = &self.candidates;
        sort_places(&mut topics, &|left, right| {
            candidates[left].cmp(&candidates[right])
        });
        let topics = topics.into_iter().map(|topic| &self.group.topics[topic]);
        topics
            .flat_map(|topic| topic.first..topic.first + topic.partitions)
            .collect()
    }

    /// Those of `all` that nobody kept. Kafka steps through both lists side by side and stumbles over a kept
    /// partition that does not exist: from there on it takes everything for unassigned.
    fn unassigned(&self, all: &[usize]) -> Vec<usize> {
        let place = |partition: usize| {
            let topic = self.group.topic_of(partition);
            (
                self.candidates[topic],
                topic,
                self.group.number_of(partition),
            )
        };
        let unreal = (self.group.partitions..self.group.partition_indices())
            .filter(|index| self.owner[*index].is_some());
        let stumble = unreal.map(place).min();
        let free = all.iter().copied().filter(|partition| {
            self.owner[*partition].is_none()
                || stumble.is_some_and(|stumble| place(*partition) > stumble)
        });
        free.collect()
    }

    fn ranks_to_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.lists.len()).collect();
        sort_places(&mut order, &|left, right| {
            self.key(left).cmp(&self.key(right))
        });
        order
    }

    fn key(&self, member: usize) -> (usize, usize) {
        (self.lists[member].len(), self.ranks[member])
    }

    fn load(&self, member: usize) -> usize {
        self.lists[member].len()
    }

    fn take_from_order(&mut self, member: usize) {
        if let Ok(place) = self
            .order
            .binary_search_by_key(&self.key(member), |other| self.key(*other))
        {
            self.order.remove(place);
        }
    }

    fn put_into_order(&mut self, member: usize) {
        if let Err(place) = self
            .order
            .binary_search_by_key(&self.key(member), |other| self.key(*other))
        {
            self.order.insert(place, member);
        }
    }

    fn balance(
        &mut self,
        racks: Option<&Racks>,
        mut all: Vec<usize>,
        mut unassigned: Vec<usize>,
        revoked: bool,
    ) -> Result<(), AssignError> {
        let initializing = self.order.last().is_none_or(|most| self.load(*most) == 0);
        self.deal(racks, &unassigned);
        all.retain(|partition| self.candidates[self.group.topic_of(*partition)] >= 2);
        unassigned.retain(|partition| self.candidates[self.group.topic_of(*partition)] >= 2);
        self.fix_members();
        let lists = (!initializing).then(|| self.lists.clone());
        if !revoked {
            self.explain.step(|| Step::Begin(Phase::ImproveNew));
            self.improve(&unassigned)?;
        }
        self.explain.step(|| Step::Begin(Phase::ImproveAll));
        let moved = self.improve(&all)?;
        if let Some(before) = lists
            && moved
            && self.balance_score(&self.lists) >= self.balance_score(&before)
        {
            self.explain.step(|| Step::Restored);
            self.lists = before;
        }
        Ok(())
    }

    /// Gives each partition to the least loaded subscribed member; with racks first what matches.
    fn deal(&mut self, racks: Option<&Racks>, unassigned: &[usize]) {
        let mut left = unassigned.to_vec();
        if let Some(racks) = racks {
            self.explain.step(|| Step::Begin(Phase::RackMatching));
            left.retain(|partition| {
                let topic = self.group.topic_of(*partition);
                let found = self.order.iter().copied().find(|member| {
                    self.group.subscribes(*member, topic) && !racks.mismatch(*member, *partition)
                });
                if let Some(member) = found {
                    self.give(*partition, member, GiveReason::RackMatch);
                }
                found.is_none()
            });
        }
        self.explain.step(|| Step::Begin(Phase::Remaining));
        for partition in left {
            let topic = self.group.topic_of(partition);
            if let Some(member) = self
                .order
                .iter()
                .copied()
                .find(|member| self.group.subscribes(*member, topic))
            {
                self.give(partition, member, GiveReason::LeastLoaded);
            }
        }
    }

    fn give(&mut self, partition: usize, member: usize, why: GiveReason) {
        self.take_from_order(member);
        self.lists[member].push(partition);
        self.owner[partition] = Some(member);
        self.counts[member * self.group.topics.len() + self.group.topic_of(partition)] += 1;
        self.put_into_order(member);
        self.explain.step(|| Step::Give {
            partition: self.group.partition(partition),
            member: self.group.member_id(member),
            why,
        });
    }

    /// Members that have all they can have, none of which another could take, leave the balancing.
    fn fix_members(&mut self) {
        for member in 0..self.lists.len() {
            let movable = |partition: &usize| self.candidates[self.group.topic_of(*partition)] >= 2;
            if self.load(member) < self.potential[member] || self.lists[member].iter().any(movable)
            {
                continue;
            }
            self.take_from_order(member);
            self.active[member] = false;
            self.explain.step(|| Step::Fixed {
                member: self.group.member_id(member),
            });
        }
    }

    /// Goes over `partitions` until a whole pass moves nothing. Whether something moved.
    fn improve(&mut self, partitions: &[usize]) -> Result<bool, AssignError> {
        let mut moved = false;
        loop {
            let before = self.moves;
            for partition in partitions {
                if self.is_balanced() {
                    break;
                }
                self.improve_one(*partition)?;
            }
            if self.moves == before {
                return Ok(moved);
            }
            moved = true;
        }
    }

    fn improve_one(&mut self, partition: usize) -> Result<(), AssignError> {
        let Some(owner) = self.owner[partition] else {
            return Ok(());
        };
        let load = self.load(owner);
        if let Some(former) = self.former[partition] {
            if !self.active[former.member] {
                return Err(AssignError::ClaimantTakesNoPart {
                    partition: self.group.partition(partition),
                    claimant: self.group.member_id(former.member),
                });
            }
            if load > self.load(former.member) + 1 {
                self.reassign(partition, owner, former.member, MoveReason::FormerOwner);
                return Ok(());
            }
        }
        // Kafka asks for a candidate with a lower load, with racks first for one in the partition's racks, and then
        // moves to the first candidate in order either way. The first in order has the lowest load of all.
        let first = self.first_candidate(self.group.topic_of(partition));
        if let Some(target) = first
            && load > self.load(target) + 1
        {
            self.reassign(partition, owner, target, MoveReason::Balance);
        }
        Ok(())
    }

    /// The least loaded member that is subscribed to a topic.
    fn first_candidate(&mut self, topic: usize) -> Option<usize> {
        let (looked_up, member) = self.first_candidates[topic];
        if looked_up == self.moves {
            return Some(member);
        }
        let member = self
            .order
            .iter()
            .copied()
            .find(|member| self.group.subscribes(*member, topic))?;
        self.first_candidates[topic] = (self.moves, member);
        Some(member)
    }

    fn reassign(&mut self, partition: usize, owner: usize, target: usize, why: MoveReason) {
        let actual = self.movements.actual(self.group, partition, owner, target);
        let why = if actual == partition {
            why
        } else {
            MoveReason::Reverse
        };
        let Some(source) = self.owner[actual] else {
            return;
        };
        self.take_from_order(source);
        self.take_from_order(target);
        self.movements.moved(self.group, actual, source, target);
        if let Some(place) = self.lists[source].iter().position(|held| *held == actual) {
            self.lists[source].remove(place);
        }
        self.lists[target].push(actual);
        self.owner[actual] = Some(target);
        let (topics, topic) = (self.group.topics.len(), self.group.topic_of(actual));
        self.counts[source * topics + topic] -= 1;
        self.counts[target * topics + topic] += 1;
        self.put_into_order(target);
        self.put_into_order(source);
        self.moves += 1;
        self.explain.step(|| Step::Move {
            partition: self.group.partition(actual),
            from: self.group.member_id(source),
            to: self.group.member_id(target),
            why,
        });
    }

    /// Loads differ by at most one, or nobody could take a partition from a member with at least two more.
    fn is_balanced(&mut self) -> bool {
        let (Some(least), Some(most)) = (self.order.first(), self.order.last()) else {
            return true;
        };
        if self.load(*least) + 1 >= self.load(*most) {
            return true;
        }
        if let Some((moves, balanced)) = self.balanced
            && moves == self.moves
        {
            return balanced;
        }
        let topics = self.group.topics.len();
        let start = self.unbalanced_topic;
        let found = (0..topics)
            .map(|step| (start + step) % topics)
            .find(|topic| self.topic_is_unbalanced(*topic));
        self.unbalanced_topic = found.unwrap_or(start);
        self.balanced = Some((self.moves, found.is_none()));
        found.is_none()
    }

    /// Whether a candidate of the topic could take one of its partitions from a member with at least two more. A
    /// candidate that has as many partitions as its topics have does not count, whichever they are.
    fn topic_is_unbalanced(&self, topic: usize) -> bool {
        let takes = |member: &&usize| {
            self.group.subscribes(**member, topic)
                && self.load(**member) != self.potential[**member]
        };
        let Some(least) = self.order.iter().find(takes) else {
            return false;
        };
        let limit = self.load(*least) + 1;
        let topics = self.group.topics.len();
        let mut heavy = self
            .order
            .iter()
            .rev()
            .take_while(|member| self.load(**member) > limit);
        heavy.any(|member| self.counts[*member * topics + topic] > 0)
    }

    /// Sum of the differences of load over all pairs of members that take part, in Java's 32 bits.
    fn balance_score(&self, lists: &Lists) -> i32 {
        let mut loads: Vec<usize> = (0..lists.len())
            .filter(|member| self.active[*member])
            .map(|member| lists[member].len())
            .collect();
        loads.sort_unstable();
        let mut score = 0i32;
        let mut sum = 0i32;
        for (place, load) in loads.into_iter().enumerate() {
            // Both are counts of things in memory; 32 bits are what Java has.
            let load = i32::try_from(load).unwrap_or(i32::MAX);
            let place = i32::try_from(place).unwrap_or(i32::MAX);
            score = score
                .wrapping_add(load.wrapping_mul(place))
                .wrapping_sub(sum);
            sum = sum.wrapping_add(load);
        }
        score
    }
}
