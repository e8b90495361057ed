//! The constrained algorithm (`ConstrainedAssignmentBuilder`): all members want the same topics, so a quota per
//! member settles nearly everything.

use super::{Claims, Outcome};
use crate::kafka::assignor::AssignError;
use crate::kafka::assignor::explain::{Explain, GiveReason, Phase, ReleaseReason, Step};
use crate::kafka::assignor::group::{Group, Lists};
use crate::kafka::assignor::racks::Racks;
use crate::kafka::sorted::sort_places;
use std::collections::VecDeque;

pub(super) fn assign(
    group: &Group,
    racks: Option<&Racks>,
    mut claims: Claims,
    explain: &mut Explain,
) -> Result<Outcome, AssignError> {
    let members = group.members.len();
    let owned = std::mem::take(&mut claims.owned);
    let mut builder = Constrained {
        group,
        racks,
        doubly_claimed: claims.doubly_claimed,
        min: group.partitions / members,
        max: group.partitions.div_ceil(members),
        expected_over: group.partitions % members,
        over: 0,
        lists: (0..members)
            .map(|_| Vec::with_capacity(group.partitions.div_ceil(members)))
            .collect(),
        maybe_revoked: vec![None; group.partition_indices()],
        kept: vec![false; group.partition_indices()],
        under: VecDeque::new(),
        exactly_min: VecDeque::new(),
        transferring: Vec::new(),
        explain,
    };
    builder.explain.step(|| Step::Quota {
        topic: None,
        partitions: group.partitions,
        members,
        quota: group.partitions / members,
        extra: group.partitions % members,
    });
    builder.keep_owned(owned);
    let unassigned = builder.unassigned();
    builder.sort_unfilled();
    let unassigned = builder.match_racks(unassigned);
    builder.deal(unassigned)?;
    Ok(Outcome {
        lists: builder.lists,
        transferring: Some(builder.transferring),
    })
}

struct Constrained<'s, 'a> {
    group: &'s Group<'a>,
    racks: Option<&'s Racks>,
    doubly_claimed: Vec<bool>,
    min: usize,
    max: usize,
    /// Members that are to get `max` when that is more than `min`, and how many have it so far.
    expected_over: usize,
    over: usize,
    lists: Lists,
    /// By partition index: the member that may have to give it up.
    maybe_revoked: Vec<Option<usize>>,
    kept: Vec<bool>,
    /// Members below `min`, and members with exactly `min` that may get one more.
    under: VecDeque<usize>,
    exactly_min: VecDeque<usize>,
    transferring: Vec<(usize, usize)>,
    explain: &'s mut Explain,
}

impl Constrained<'_, '_> {
    fn keep_owned(&mut self, owned: Lists) {
        for (member, mut owned) in owned.into_iter().enumerate() {
            if let Some(racks) = self.racks {
                owned.retain(|partition| {
                    let matches = !racks.mismatch(member, *partition);
                    if !matches {
                        self.maybe_revoked[*partition] = Some(member);
                        explain_release(
                            self.group,
                            *partition,
                            member,
                            ReleaseReason::RackMismatch,
                            self.explain,
                        );
                    }
                    matches
                });
            }
            // By number first: a member over quota loses the high numbers of all topics.
            owned.sort_unstable_by_key(|partition| {
                (
                    self.group.number_of(*partition),
                    self.group.topic_of(*partition),
                )
            });
            owned.retain(|partition| !self.doubly_claimed[*partition]);
            self.keep_up_to_quota(member, owned);
        }
    }

    fn keep_up_to_quota(&mut self, member: usize, mut owned: Vec<usize>) {
        if owned.len() < self.min {
            self.under.push_back(member);
        } else {
            let over_wanted = self.over < self.expected_over;
            let keeps_max = owned.len() >= self.max && over_wanted;
            for partition in owned.drain(if keeps_max { self.max } else { self.min }..) {
                self.maybe_revoked[partition] = Some(member);
                explain_release(
                    self.group,
                    partition,
                    member,
                    ReleaseReason::OverQuota,
                    self.explain,
                );
            }
            if keeps_max {
                self.count_over();
            } else if over_wanted {
                self.exactly_min.push_back(member);
            }
        }
        for partition in &owned {
            self.kept[*partition] = true;
            self.explain.step(|| Step::Keep {
                partition: self.group.partition(*partition),
                member: self.group.member_id(member),
            });
        }
        if !owned.is_empty() {
            self.lists[member].extend(owned);
        }
    }

    /// One more member has the maximum; when all that may have it do, nobody else can get more than the minimum.
    fn count_over(&mut self) {
        self.over += 1;
        if self.over == self.expected_over {
            self.exactly_min.clear();
        }
    }

    /// All partitions by topic and number that nobody keeps. Kafka steps through both lists side by side and
    /// stumbles over a kept partition that does not exist: from there on it takes everything for unassigned.
    fn unassigned(&self) -> Vec<usize> {
        let place = |partition: usize| {
            (
                self.group.topic_of(partition),
                self.group.number_of(partition),
            )
        };
        let unreal = (self.group.partitions..self.group.partition_indices())
            .filter(|index| self.kept[*index]);
        let stumble = unreal.map(place).min();
        (0..self.group.partitions)
            .filter(|partition| {
                !self.kept[*partition] || stumble.is_some_and(|stumble| place(*partition) > stumble)
            })
            .collect()
    }

    fn sort_unfilled(&mut self) {
        let mut ranks = vec![0; self.group.members.len()];
        for (rank, member) in self.group.by_member_id().into_iter().enumerate() {
            ranks[member] = rank;
        }
        for members in [&mut self.under, &mut self.exactly_min] {
            let by_rank = |left: usize, right: usize| ranks[left].cmp(&ranks[right]);
            sort_places(members.make_contiguous(), &by_rank);
        }
    }

    /// Gives partitions to members of their racks, those with the fewest such members first; returns what is left.
    fn match_racks(&mut self, mut unassigned: Vec<usize>) -> Vec<usize> {
        let Some(racks) = self.racks else {
            return unassigned;
        };
        self.explain.step(|| Step::Begin(Phase::RackMatching));
        let mut members_in = vec![0usize; racks.count];
        for rack in racks.of_member.iter().flatten() {
            members_in[*rack] += 1;
        }
        unassigned.sort_by_cached_key(|partition| {
            racks
                .of_partition(*partition)
                .iter()
                .map(|rack| members_in[*rack])
                .sum::<usize>()
        });
        let mut next = 0;
        unassigned.retain(
            |partition| match self.rack_member(racks, *partition, &mut next) {
                Some((member, why)) => {
                    self.give(*partition, member, why);
                    false
                }
                None => true,
            },
        );
        self.explain.step(|| Step::Begin(Phase::Remaining));
        unassigned
    }

    /// The member that gets a partition by its rack, taken off the lists if it is now full.
    fn rack_member(
        &mut self,
        racks: &Racks,
        partition: usize,
        next: &mut usize,
    ) -> Option<(usize, GiveReason)> {
        let in_rack = |member: usize| {
            racks.of_member[member].is_some_and(|rack| racks.has_replica(partition, rack))
        };
        let places = self.under.len();
        let found = (0..places)
            .map(|step| (*next + step) % places)
            .find(|place| in_rack(self.under[*place]));
        if let Some(place) = found {
            let member = self.under[place];
            let count = self.lists[member].len() + 1;
            let mut following = place;
            if count >= self.min {
                self.under.remove(place);
                if count < self.max && self.over < self.expected_over {
                    self.exactly_min.push_back(member);
                }
            } else {
                following += 1;
            }
            *next = if self.under.is_empty() {
                0
            } else {
                following % self.under.len()
            };
            return Some((member, GiveReason::RackMatch));
        }
        let place = self
            .exactly_min
            .iter()
            .position(|member| in_rack(*member))?;
        let member = self.exactly_min[place];
        if self.lists[member].len() + 1 == self.max {
            self.exactly_min.remove(place);
            self.count_over();
        }
        Some((member, GiveReason::RackMatch))
    }

    /// Fills the members below the minimum in a circle, then takes those that may have one more.
    fn deal(&mut self, unassigned: Vec<usize>) -> Result<(), AssignError> {
        for partition in unassigned {
            let below = self.under.pop_front();
            let Some(member) = below.or_else(|| self.exactly_min.pop_front()) else {
                return Err(AssignError::QuotasDoNotComeOut);
            };
            let why = if below.is_some() {
                GiveReason::BelowMinimum
            } else {
                GiveReason::ExtraPartition
            };
            self.give(partition, member, why);
            let count = self.lists[member].len();
            if count == self.min {
                self.exactly_min.push_back(member);
            } else {
                if below.is_some() {
                    self.under.push_back(member);
                }
                if count == self.max {
                    self.over += 1;
                }
            }
        }
        let short = self
            .under
            .iter()
            .any(|member| self.lists[*member].len() != self.min);
        if !self.under.is_empty() && (self.over != self.expected_over || short) {
            return Err(AssignError::QuotasDoNotComeOut);
        }
        Ok(())
    }

    fn give(&mut self, partition: usize, member: usize, why: GiveReason) {
        self.lists[member].push(partition);
        self.explain.step(|| Step::Give {
            partition: self.group.partition(partition),
            member: self.group.member_id(member),
            why,
        });
        let from_another = self.maybe_revoked[partition].is_some_and(|owner| owner != member);
        if from_another || self.doubly_claimed[partition] {
            self.transferring.push((partition, member));
        }
    }
}

fn explain_release(
    group: &Group,
    partition: usize,
    member: usize,
    why: ReleaseReason,
    explain: &mut Explain,
) {
    explain.step(|| Step::Release {
        partition: group.partition(partition),
        member: group.member_id(member),
        why,
    });
}
