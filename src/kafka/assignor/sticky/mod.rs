//! `sticky` and `cooperative-sticky` (`AbstractStickyAssignor`): sort out the claims, then the constrained algorithm
//! when all subscriptions are equal, else the general one; cooperative withholds what must first be given up.

mod claims;
mod constrained;
mod general;
mod movements;
mod withhold;

pub(super) use claims::{ClaimSource, Claims};
pub(super) use withhold::withhold;

use super::AssignError;
use super::explain::{Explain, MemberOrder, Phase, Step};
use super::group::{Group, Lists};
use super::racks::Racks;

/// What the core gives.
pub(super) struct Outcome {
    pub lists: Lists,
    /// Partitions that change hands and the new owner, in the constrained algorithm; the general one leaves it to
    /// be computed.
    pub transferring: Option<Vec<(usize, usize)>>,
}

pub(super) fn assign(
    group: &Group,
    claims: Claims,
    explain: &mut Explain,
) -> Result<Outcome, AssignError> {
    let racks =
        Racks::new(group).filter(|racks| racks.matter(0..group.members.len(), 0..group.partitions));
    explain.step(|| Step::Order {
        by: MemberOrder::HashWalk,
        members: (0..group.members.len())
            .map(|member| group.member_id(member))
            .collect(),
    });
    if claims.all_subscriptions_equal {
        explain.step(|| Step::Begin(Phase::Constrained));
        constrained::assign(group, racks.as_ref(), claims, explain)
    } else {
        explain.step(|| Step::Begin(Phase::General));
        let lists = general::assign(group, racks.as_ref(), claims, explain)?;
        Ok(Outcome {
            lists,
            transferring: None,
        })
    }
}
