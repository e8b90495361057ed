//! Cooperative withholding (`CooperativeStickyAssignor`): a partition that somebody must first give up is in
//! nobody's list in this round.

use super::Outcome;
use crate::kafka::assignor::explain::{Explain, Phase, Step};
use crate::kafka::assignor::group::{Group, Lists};
use crate::kafka::assignor::{GroupAssignment, HeldBack};

/// Takes what changes hands out of the new owners' lists, and says what and from whom.
pub(crate) fn withhold(
    group: &mut Group,
    outcome: Outcome,
    explain: &mut Explain,
) -> GroupAssignment {
    explain.step(|| Step::Begin(Phase::Withhold));
    let Outcome {
        mut lists,
        transferring,
    } = outcome;
    let owned = owned_partitions(group);
    let mut transferring = transferring.unwrap_or_else(|| changing_hands(group, &owned, &lists));
    transferring.sort_unstable();
    for (partition, to) in &transferring {
        if let Some(position) = lists[*to].iter().position(|given| given == partition) {
            lists[*to].remove(position);
        }
        explain.step(|| Step::HoldBack {
            partition: group.partition(*partition),
            to: group.member_id(*to),
        });
    }
    let mut result = group.result(&lists);
    let losers = losers(group, &owned, &lists);
    if transferring.is_empty() && losers.is_empty() {
        return result;
    }
    let by_id = group.by_member_id();
    let mut claimants = vec![Vec::new(); group.partition_indices()];
    for member in &by_id {
        for partition in &owned[*member] {
            claimants[*partition].push(*member);
        }
    }
    result.held_back = transferring
        .iter()
        .map(|(partition, to)| HeldBack {
            partition: group.partition(*partition),
            claimed_by: claimants[*partition]
                .iter()
                .map(|member| group.member_id(*member))
                .collect(),
            to: group.member_id(*to),
        })
        .collect();
    let rejoin = by_id
        .into_iter()
        .filter(|member| losers.binary_search(member).is_ok());
    result.rejoin = rejoin.map(|member| group.member_id(member)).collect();
    result
}

/// What each member says it owns, of the topics that take part.
fn owned_partitions(group: &mut Group) -> Lists {
    let mut owned: Lists = Vec::with_capacity(group.members.len());
    for member in 0..group.members.len() {
        let subscription = group.members[member].subscription;
        let mut list = Vec::with_capacity(subscription.owned_partitions.len());
        for partition in &subscription.owned_partitions {
            if let Some(topic) = group.topic_named(&partition.topic) {
                list.push(group.partition_at(topic, partition.partition));
            }
        }
        owned.push(list);
    }
    owned
}

/// `computePartitionsTransferringOwnership`: added to somebody who did not own it, and lost by somebody who did.
fn changing_hands(group: &Group, owned: &Lists, lists: &Lists) -> Vec<(usize, usize)> {
    let mut added = vec![None; group.partition_indices()];
    let mut revoked = vec![false; group.partition_indices()];
    let mut marks = Marks::new(group);
    for (member, (owned, list)) in owned.iter().zip(lists).enumerate() {
        marks.set(owned);
        for partition in list.iter().filter(|partition| !marks.has(**partition)) {
            added[*partition] = Some(member);
        }
        marks.set(list);
        for partition in owned.iter().filter(|partition| !marks.has(**partition)) {
            revoked[*partition] = true;
        }
    }
    let changing = added.into_iter().zip(revoked).enumerate();
    changing
        .filter_map(|(partition, (to, revoked))| to.filter(|_| revoked).map(|to| (partition, to)))
        .collect()
}

/// Members that own something they are not given, of any topic: they revoke it and rejoin. Ascending.
fn losers(group: &Group, owned: &Lists, lists: &Lists) -> Vec<usize> {
    let mut marks = Marks::new(group);
    let mut losers = Vec::new();
    for (member, (owned, list)) in owned.iter().zip(lists).enumerate() {
        let claims = group.members[member].subscription.owned_partitions.len();
        if claims == 0 {
            continue;
        }
        marks.set(list);
        if owned.len() < claims || owned.iter().any(|partition| !marks.has(*partition)) {
            losers.push(member);
        }
    }
    losers
}

/// A set of partitions that is refilled for each member without being emptied.
struct Marks {
    round: usize,
    rounds: Vec<usize>,
}

impl Marks {
    fn new(group: &Group) -> Self {
        Self {
            round: 0,
            rounds: vec![0; group.partition_indices()],
        }
    }

    fn set(&mut self, partitions: &[usize]) {
        self.round += 1;
        for partition in partitions {
            self.rounds[*partition] = self.round;
        }
    }

    fn has(&self, partition: usize) -> bool {
        self.rounds[partition] == self.round
    }
}
