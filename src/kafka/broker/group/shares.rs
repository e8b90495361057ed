//! What the coordinator reads out of the members' own bytes: shares for facts, topics for expiry.

use super::classic::Member;
use crate::kafka::fact::Share;
use crate::kafka::ids::{Bytes, TopicName};
use crate::kafka::protocol::{Assignment, Subscription};
use crate::kafka::sorted::SortedSet;
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
) -> Option<SortedSet<TopicName>> {
    let mut all = SortedSet::new();
    for bytes in subscriptions {
        // The coordinator reads the oldest layout whatever the version says; the topics are in it.
        let mut oldest = bytes.to_vec();
        oldest.get_mut(..2)?.fill(0);
        all.extend(Subscription::decode(&oldest).ok()?.topics);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subscription(topic: &str) -> Vec<u8> {
        let subscription = Subscription {
            topics: vec![topic.into()],
            user_data: None,
            owned_partitions: Vec::new(),
            generation: -1,
            rack_id: None,
        };
        subscription.encode(1).to_vec()
    }

    #[test]
    fn topics_are_read_although_later_fields_are_broken() {
        let whole = subscription("t");
        let cut = &subscription("u")[..whole.len() - 4];
        assert!(
            Subscription::decode(cut).is_err(),
            "its owned partitions are gone"
        );
        let topics = subscribed_topics([whole.into(), cut.into()].into_iter());
        assert_eq!(topics, Some(["t".into(), "u".into()].into()));
    }

    #[test]
    fn topics_are_unknown_if_one_subscription_is_none() {
        for broken in [&b""[..], b"\0", b"\0\0\0\0\0\x01"] {
            let bytes = [subscription("t").into(), broken.into()];
            assert_eq!(subscribed_topics(bytes.into_iter()), None);
        }
    }
}
