//! `roundrobin` (`RoundRobinAssignor`): all partitions, by topic name and number, dealt in a circle of members.

use super::explain::{Explain, GiveReason, Step};
use super::group::{Group, Lists};

pub(super) fn assign(group: &Group, explain: &mut Explain) -> Lists {
    let circle = group.static_first(explain);
    let mut lists: Lists = vec![Vec::new(); group.members.len()];
    for list in &mut lists {
        list.reserve(group.partitions.div_ceil(circle.len()));
    }
    let next = |turn: usize| {
        if turn + 1 == circle.len() {
            0
        } else {
            turn + 1
        }
    };
    let mut turn = 0;
    // The circle runs on from topic to topic.
    for (index, topic) in group.topics.iter().enumerate() {
        for partition in topic.first..topic.first + topic.partitions {
            // Ends: a topic takes part only if somebody is subscribed to it.
            while !group.subscribes(circle[turn], index) {
                explain.step(|| Step::Skip {
                    topic: topic.name.clone(),
                    member: group.member_id(circle[turn]),
                });
                turn = next(turn);
            }
            let member = circle[turn];
            lists[member].push(partition);
            explain.step(|| Step::Give {
                partition: group.partition(partition),
                member: group.member_id(member),
                why: GiveReason::NextOnCircle,
            });
            turn = next(turn);
        }
    }
    lists
}
