//! What members say they own, and who of several claimants is believed.

use crate::kafka::assignor::MemberSubscription;
use crate::kafka::assignor::explain::{Explain, Phase, ReleaseReason, Step};
use crate::kafka::assignor::group::{Group, Lists};
use crate::kafka::ids::TopicPartition;
use crate::kafka::protocol::{CooperativeUserData, StickyUserData};
use std::borrow::Cow;

/// No generation, and the one that counts where none is given (`DEFAULT_GENERATION`).
const DEFAULT_GENERATION: i32 = -1;

/// Where a member's former partitions are found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClaimSource {
    /// `sticky`: user data, since an eager member owns nothing when it joins.
    UserData,
    /// `cooperative-sticky`: the subscription; its generation field, or user data from before version 2.
    OwnedPartitions,
}

/// An older claim on a partition that may get it back while balancing.
#[derive(Clone, Copy)]
pub(super) struct FormerClaim {
    pub member: usize,
    generation: i32,
}

/// The claims of a group, sorted out.
pub(crate) struct Claims {
    /// `allSubscriptionsEqual`: members before the first one with a non-empty subscription do not count.
    pub(super) all_subscriptions_equal: bool,
    /// Believed claims per member, in the order of the member's list.
    pub(super) owned: Lists,
    /// By partition index: claimed by several members in the same generation.
    pub(super) doubly_claimed: Vec<bool>,
    /// By partition index: the newest claim from before the highest generation seen. Only the general algorithm
    /// looks at it, so it is empty when all subscriptions are equal.
    pub(super) former: Vec<Option<FormerClaim>>,
}

/// One member's claims on partitions of topics that take part.
struct MemberClaims {
    partitions: Vec<usize>,
    /// `None` when the member gives none.
    generation: Option<i32>,
}

impl Claims {
    pub(crate) fn read(group: &mut Group, source: ClaimSource, explain: &mut Explain) -> Self {
        explain.step(|| Step::Begin(Phase::Claims));
        let claims: Vec<MemberClaims> = (0..group.members.len())
            .map(|member| read_member(group, member, source, explain))
            .collect();
        let mut believed = Believed {
            owned: vec![Vec::new(); group.members.len()],
            doubly_claimed: vec![false; group.partition_indices()],
            claimants: if claims.iter().all(|claim| claim.partitions.is_empty()) {
                Vec::new()
            } else {
                vec![None; group.partition_indices()]
            },
        };
        for (member, claim) in claims.iter().enumerate() {
            let generation = claim.generation.unwrap_or(DEFAULT_GENERATION);
            for partition in &claim.partitions {
                believed.claim(group, *partition, member, generation, explain);
            }
        }
        let all_subscriptions_equal = all_subscriptions_equal(group);
        Self {
            all_subscriptions_equal,
            owned: believed.owned,
            doubly_claimed: believed.doubly_claimed,
            former: if all_subscriptions_equal {
                Vec::new()
            } else {
                former_claims(group, &claims)
            },
        }
    }
}

/// `memberData` of the two assignors.
fn read_member(
    group: &mut Group,
    member: usize,
    source: ClaimSource,
    explain: &mut Explain,
) -> MemberClaims {
    let subscription = group.members[member].subscription;
    let (claimed, generation) = match source {
        ClaimSource::UserData => read_sticky_user_data(subscription),
        ClaimSource::OwnedPartitions => {
            (Cow::Borrowed(subscription.owned_partitions.as_slice()), {
                let in_field = Some(subscription.generation).filter(|generation| *generation >= 0);
                in_field.or_else(|| {
                    let data = subscription.user_data.as_deref()?;
                    Some(
                        CooperativeUserData::decode(data)
                            .map_or(DEFAULT_GENERATION, |data| data.generation),
                    )
                })
            })
        }
    };
    let mut partitions = Vec::with_capacity(claimed.len());
    let mut last: Option<(&str, Option<usize>)> = None;
    for partition in claimed.iter() {
        let topic = match last {
            Some((name, topic)) if name == &*partition.topic => topic,
            _ => group.topic_named(&partition.topic),
        };
        last = Some((&partition.topic, topic));
        match topic {
            Some(topic) => partitions.push(group.partition_at(topic, partition.partition)),
            None => explain.step(|| Step::Release {
                partition: partition.clone(),
                member: subscription.member_id.clone(),
                why: ReleaseReason::TopicGone,
            }),
        }
    }
    MemberClaims {
        partitions,
        generation,
    }
}

fn read_sticky_user_data(
    subscription: &MemberSubscription,
) -> (Cow<'_, [TopicPartition]>, Option<i32>) {
    match subscription.user_data.as_deref() {
        None | Some([]) => (Cow::Borrowed(&[]), None),
        Some(bytes) => match StickyUserData::decode(bytes) {
            Ok(data) => (Cow::Owned(data.partitions), data.generation),
            Err(_) => (Cow::Borrowed(&[]), Some(DEFAULT_GENERATION)),
        },
    }
}

/// Claims while they come in, member by member.
struct Believed {
    owned: Lists,
    doubly_claimed: Vec<bool>,
    /// By partition index: the last member whose claim counted.
    claimants: Vec<Option<usize>>,
}

impl Believed {
    fn claim(
        &mut self,
        group: &Group,
        partition: usize,
        member: usize,
        generation: i32,
        explain: &mut Explain,
    ) {
        let mut release = |member: usize, why: ReleaseReason| {
            explain.step(|| Step::Release {
                partition: group.partition(partition),
                member: group.member_id(member),
                why,
            });
        };
        let Some(other) = self.claimants[partition] else {
            self.claimants[partition] = Some(member);
            self.owned[member].push(partition);
            return;
        };
        // The generation of the other is read from its subscription, even by the sticky assignor, which takes the
        // member's own from its user data.
        let other_generation = group.members[other]
            .subscription
            .generation
            .max(DEFAULT_GENERATION);
        if generation == other_generation {
            self.doubly_claimed[partition] = true;
            release(other, ReleaseReason::DoublyClaimed);
            release(member, ReleaseReason::DoublyClaimed);
        } else if generation > other_generation {
            self.owned[member].push(partition);
            release(other, ReleaseReason::OlderGeneration);
        } else {
            release(member, ReleaseReason::OlderGeneration);
            return;
        }
        if let Some(position) = self.owned[other]
            .iter()
            .position(|owned| *owned == partition)
        {
            self.owned[other].remove(position);
        }
        self.claimants[partition] = Some(member);
    }
}

/// `prepopulateCurrentAssignments`: claims older than the highest generation seen; per partition the newest, and of
/// equally new ones the first.
fn former_claims(group: &Group, claims: &[MemberClaims]) -> Vec<Option<FormerClaim>> {
    let mut former = vec![None; group.partition_indices()];
    let highest = claims
        .iter()
        .filter_map(|claim| claim.generation)
        .fold(DEFAULT_GENERATION, i32::max);
    for (member, claim) in claims.iter().enumerate() {
        let generation = claim.generation.unwrap_or(DEFAULT_GENERATION);
        if generation >= highest {
            continue;
        }
        for partition in &claim.partitions {
            let slot: &mut Option<FormerClaim> = &mut former[*partition];
            if slot.is_none_or(|held| generation > held.generation) {
                *slot = Some(FormerClaim { member, generation });
            }
        }
    }
    former
}

fn all_subscriptions_equal(group: &Group) -> bool {
    let mut topics = group
        .members
        .iter()
        .map(|member| member.subscription.topics.as_slice());
    let Some(first) = topics.find(|topics| !topics.is_empty()) else {
        return true;
    };
    let mut distinct: Vec<&str> = first.iter().map(|topic| topic.as_str()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    topics.all(|topics| {
        topics == first && topics.len() == distinct.len()
            || topics.len() == distinct.len()
                && topics
                    .iter()
                    .all(|topic| distinct.binary_search(&topic.as_str()).is_ok())
    })
}
