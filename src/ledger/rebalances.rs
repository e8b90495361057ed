//! Rebalances of a classic group: how many, how long, what moved (spec/08).

use super::recent::Recent;
use crate::kafka::fact::{FactId, GroupState, GroupWhy};
use crate::kafka::ids::{Generation, GroupInstanceId, MemberId, TopicPartition};
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// Rebalances that are kept per group.
const REBALANCES_KEPT: usize = 512;

/// Who a member is across generations: by instance id if it is static, else by member id.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Identity {
    /// `group.instance.id`
    Static(GroupInstanceId),
    /// Member id.
    Dynamic(MemberId),
}

/// A member's share of a generation, as the fact `Assigned` has it.
pub type Share = (MemberId, Option<GroupInstanceId>, Vec<TopicPartition>);

/// A partition that has another owner than before the chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Movement {
    /// Which.
    pub partition: TopicPartition,
    /// Its owner before.
    pub from: Identity,
    /// Its owner now.
    pub to: Identity,
    /// Its owner before is no longer a member.
    pub is_forced: bool,
}

/// What moved, and how much could have stayed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Movements {
    /// What moved.
    pub moved: Vec<Movement>,
    /// Partitions whose owner stayed a member.
    pub could_stay: u64,
}

impl Movements {
    /// Movements although the owner stayed a member.
    pub fn voluntary(&self) -> u64 {
        self.moved.iter().filter(|moved| !moved.is_forced).count() as u64
    }

    /// Movements because the owner was gone.
    pub fn forced(&self) -> u64 {
        self.moved.len() as u64 - self.voluntary()
    }

    /// Stickiness in thousandths: 1 − voluntary / partitions whose owner stayed. `None` if none stayed.
    pub fn stickiness_permille(&self) -> Option<u64> {
        let kept = self.could_stay.checked_sub(self.voluntary())?;
        (kept * 1_000).checked_div(self.could_stay)
    }
}

/// A rebalance: from the first PreparingRebalance to Stable.
#[derive(Clone, PartialEq, Debug)]
pub struct Rebalance {
    /// Counts within the group, from 1.
    pub number: u64,
    /// Number of the first rebalance of its chain: a cooperative member that had to give something up
    /// joins again.
    pub chain: u64,
    /// Which round of the chain, from 1.
    pub round: u64,
    /// When the first of the chain began.
    pub chain_started: Instant,
    /// When it began.
    pub started: Instant,
    /// The fact by which it began.
    pub fact: FactId,
    /// Why it began.
    pub why: GroupWhy,
    /// When everybody had joined (or was given up).
    pub joined: Option<Instant>,
    /// When it ended.
    pub stable: Option<Instant>,
    /// The generation that it led to.
    pub generation: Generation,
    /// Answers 22, 25 and 27 to JoinGroup and SyncGroup on the way.
    pub failed_attempts: u64,
    /// What moved since before the chain.
    pub movements: Movements,
}

impl Rebalance {
    /// How long it took the group.
    pub fn duration(&self) -> Option<Duration> {
        Some(self.stable? - self.started)
    }
}

#[derive(Clone, Debug, Default)]
struct Owners {
    by_partition: SortedMap<TopicPartition, Identity>,
    members: SortedSet<Identity>,
}

/// Rebalances of one group.
#[derive(Clone, Debug)]
pub struct Rebalances {
    count: u64,
    failed_attempts: u64,
    open: Option<Rebalance>,
    closed: Recent<Rebalance>,
    owners: Rc<Owners>,
    before_chain: Rc<Owners>,
    revoked_since_stable: SortedSet<MemberId>,
    assigned: Option<(Generation, Rc<Owners>)>,
    forced: u64,
    voluntary: u64,
    /// Share of the chain's last round in the two counts.
    last_of_chain: (u64, u64),
}

impl Default for Rebalances {
    fn default() -> Self {
        Self {
            count: 0,
            failed_attempts: 0,
            open: None,
            closed: Recent::new(REBALANCES_KEPT),
            owners: Rc::default(),
            before_chain: Rc::default(),
            revoked_since_stable: SortedSet::new(),
            assigned: None,
            forced: 0,
            voluntary: 0,
            last_of_chain: (0, 0),
        }
    }
}

impl Rebalances {
    pub(super) fn state_changed(
        &mut self,
        at: Instant,
        (from, to): (GroupState, GroupState),
        generation: Generation,
        why: &GroupWhy,
        fact: FactId,
    ) {
        match to {
            GroupState::PreparingRebalance => self.begin(at, why, fact),
            GroupState::CompletingRebalance => {
                if let Some(open) = &mut self.open {
                    open.joined = Some(at);
                    open.generation = generation;
                }
            }
            GroupState::Stable if from == GroupState::CompletingRebalance => {
                self.end(at, generation);
            }
            // A group that empties out, or exists already when the run begins.
            GroupState::Stable | GroupState::Empty | GroupState::Dead => self.open = None,
        }
    }

    fn begin(&mut self, at: Instant, why: &GroupWhy, fact: FactId) {
        if self.open.is_some() {
            return;
        }
        let number = self.count + 1;
        let rejoins = joiner(why).is_some_and(|id| self.revoked_since_stable.contains(id));
        let before = self.closed.last().filter(|_| rejoins);
        let (chain, round, chain_started) = match before {
            Some(before) => (before.chain, before.round + 1, before.chain_started),
            None => (number, 1, at),
        };
        if round == 1 {
            self.before_chain = self.owners.clone();
        }
        self.open = Some(Rebalance {
            number,
            chain,
            round,
            chain_started,
            started: at,
            fact,
            why: why.clone(),
            joined: None,
            stable: None,
            generation: Generation::NONE,
            failed_attempts: 0,
            movements: Movements::default(),
        });
    }

    fn end(&mut self, at: Instant, generation: Generation) {
        self.count += 1;
        self.revoked_since_stable.clear();
        let Some(mut rebalance) = self.open.take() else {
            return;
        };
        rebalance.stable = Some(at);
        rebalance.generation = generation;
        self.closed.push(rebalance);
        self.settle_movements();
    }

    /// The assignment of a generation. It may be told before or after the group is Stable.
    pub(super) fn assigned(&mut self, generation: Generation, shares: &[Share], is_preset: bool) {
        let mut owners = Owners::default();
        for (member_id, instance_id, partitions) in shares {
            let identity = match instance_id {
                Some(instance_id) => Identity::Static(instance_id.clone()),
                None => Identity::Dynamic(member_id.clone()),
            };
            owners.members.insert(identity.clone());
            for partition in partitions {
                owners
                    .by_partition
                    .insert(partition.clone(), identity.clone());
            }
        }
        let owners = Rc::new(owners);
        if is_preset {
            self.before_chain = owners.clone();
            self.owners = owners;
            return;
        }
        self.assigned = Some((generation, owners));
        self.settle_movements();
    }

    /// Brings a finished rebalance and its assignment together.
    fn settle_movements(&mut self) {
        let Some(last) = self.closed.last_mut() else {
            return;
        };
        let same = |assigned: &mut (Generation, Rc<Owners>)| assigned.0 == last.generation;
        let Some((_, owners)) = self.assigned.take_if(same) else {
            return;
        };
        last.movements = movements(&self.before_chain, &owners);
        if last.round > 1 {
            // The rounds of a chain count as one.
            self.forced -= self.last_of_chain.0;
            self.voluntary -= self.last_of_chain.1;
        }
        let added = (last.movements.forced(), last.movements.voluntary());
        self.forced += added.0;
        self.voluntary += added.1;
        self.last_of_chain = added;
        self.owners = owners;
    }

    pub(super) fn attempt_failed(&mut self) {
        self.failed_attempts += 1;
        if let Some(open) = &mut self.open {
            open.failed_attempts += 1;
        }
    }

    pub(super) fn revoked_cooperatively(&mut self, member_id: &MemberId) {
        self.revoked_since_stable.insert(member_id.clone());
    }

    /// How many there were: transitions into Stable from CompletingRebalance.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Answers 22, 25 and 27 to JoinGroup and SyncGroup.
    pub fn failed_attempts(&self) -> u64 {
        self.failed_attempts
    }

    /// The one that is under way.
    pub fn open(&self) -> Option<&Rebalance> {
        self.open.as_ref()
    }

    /// Those that have ended, oldest first; the older ones are forgotten.
    pub fn closed(&self) -> &Recent<Rebalance> {
        &self.closed
    }

    /// Movements because the owner was gone, and although it stayed. A chain counts as one rebalance.
    pub fn moved(&self) -> (u64, u64) {
        (self.forced, self.voluntary)
    }
}

fn joiner(why: &GroupWhy) -> Option<&MemberId> {
    match why {
        GroupWhy::MemberChanged(id) | GroupWhy::LeaderRejoined(id) | GroupWhy::MemberJoined(id) => {
            Some(id)
        }
        GroupWhy::Created
        | GroupWhy::StaticMemberReplaced(_)
        | GroupWhy::MemberLeft(_)
        | GroupWhy::SessionExpired(_)
        | GroupWhy::AllJoined
        | GroupWhy::InitialDelayOver
        | GroupWhy::RebalanceTimeout
        | GroupWhy::LastMemberLeft
        | GroupWhy::AssignmentStored
        | GroupWhy::AssignmentNotStored(_)
        | GroupWhy::SyncTimeout
        | GroupWhy::Deleted => None,
    }
}

fn movements(before: &Owners, after: &Owners) -> Movements {
    let mut movements = Movements::default();
    for (partition, from) in &before.by_partition {
        let stayed = after.members.contains(from);
        movements.could_stay += u64::from(stayed);
        match after.by_partition.get(partition) {
            Some(to) if to != from => movements.moved.push(Movement {
                partition: partition.clone(),
                from: from.clone(),
                to: to.clone(),
                is_forced: !stayed,
            }),
            Some(_) | None => {}
        }
    }
    movements
}
