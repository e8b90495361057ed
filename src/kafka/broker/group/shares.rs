//! What the coordinator reads out of the members' own bytes: shares for facts, topics for expiry.

use super::classic::Member;
use crate::kafka::fact::Share;
use crate::kafka::ids::{Bytes, TopicName};
use crate::kafka::protocol::{Assignment, Subscription};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Every member's share. Bytes that are no Assignment count as no share: to the coordinator they mean
/// nothing.
pub(super) fn shares<'a>(members: impl Iterator<Item = &'a Member>) -> Rc<[Share]> {
    let shares = members.map(|member| {
        let assignment = Assignment::decode(member.assignment()).unwrap_or_default();
        (
            member.id().clone(),
            member.group_instance_id().cloned(),
            assignment.partitions,
        )
    });
    shares.collect()
}

/// All topics in these subscriptions. `None` if one of them cannot be read.
pub(super) fn subscribed_topics(
    subscriptions: impl Iterator<Item = Bytes>,
) -> Option<BTreeSet<TopicName>> {
    let mut all = BTreeSet::new();
    for bytes in subscriptions {
        // The coordinator reads the oldest layout whatever the version says; the topics are in it.
        let mut oldest = bytes.to_vec();
        oldest.get_mut(..2)?.fill(0);
        all.extend(Subscription::decode(&oldest).ok()?.topics);
    }
    Some(all)
}
