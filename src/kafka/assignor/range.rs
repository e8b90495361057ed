//! `range` (`RangeAssignor`): per topic, blocks of neighbouring partitions to its members in order. With racks
//! (KIP-881, 3.5) partitions first go to members of their rack, as far as the quotas allow.

use super::explain::{Explain, GiveReason, Phase, Step};
use super::group::{Group, Lists};
use super::racks::Racks;
use std::collections::BTreeMap;

pub(super) fn assign(group: &Group, explain: &mut Explain) -> Lists {
    let mut subscribers: Vec<Vec<usize>> = vec![Vec::new(); group.topics.len()];
    for member in group.static_first(explain) {
        for topic in group.members[member].topics.iter() {
            subscribers[*topic].push(member);
        }
    }
    let mut lists: Lists = vec![Vec::new(); group.members.len()];
    if let Some(racks) = Racks::new(group) {
        let needs_racks: Vec<bool> = group
            .topics
            .iter()
            .zip(&subscribers)
            .map(|(topic, members)| {
                racks.matter(
                    members.iter().copied(),
                    topic.first..topic.first + topic.partitions,
                )
            })
            .collect();
        if needs_racks.contains(&true) {
            RackRange {
                group,
                racks: &racks,
                explain,
            }
            .assign(&subscribers, &needs_racks, &mut lists);
            return lists;
        }
    }
    for index in &group.topic_walk {
        let topic = &group.topics[*index];
        let members = &subscribers[*index];
        let (quota, extra) = (
            topic.partitions / members.len(),
            topic.partitions % members.len(),
        );
        explain_quota(group, *index, members.len(), explain);
        let mut next = topic.first;
        for (position, member) in members.iter().enumerate() {
            let end = next + quota + usize::from(position < extra);
            for partition in next..end {
                explain_give(group, partition, *member, GiveReason::NextInRange, explain);
            }
            lists[*member].extend(next..end);
            next = end;
        }
    }
    lists
}

fn explain_quota(group: &Group, topic: usize, members: usize, explain: &mut Explain) {
    let topic = &group.topics[topic];
    explain.step(|| Step::Quota {
        topic: Some(topic.name.clone()),
        partitions: topic.partitions,
        members,
        quota: topic.partitions / members,
        extra: topic.partitions % members,
    });
}

fn explain_give(
    group: &Group,
    partition: usize,
    member: usize,
    why: GiveReason,
    explain: &mut Explain,
) {
    explain.step(|| Step::Give {
        partition: group.partition(partition),
        member: group.member_id(member),
        why,
    });
}

/// How far one topic has been given.
struct TopicState<'s> {
    topic: usize,
    first: usize,
    members: &'s [usize],
    quota: usize,
    /// Members that may still get one more than the quota.
    extra: usize,
    /// By position in `members`.
    taken: Vec<usize>,
    /// By number.
    given: Vec<bool>,
}

impl TopicState<'_> {
    fn room(&self, position: usize) -> usize {
        (self.quota + usize::from(self.extra > 0)).saturating_sub(self.taken[position])
    }

    /// Gives `numbers` to a member; one extra is used up when the member then has more than the quota.
    fn give(&mut self, position: usize, numbers: &[usize], lists: &mut Lists) {
        self.taken[position] += numbers.len();
        if self.taken[position] > self.quota {
            self.extra = self.extra.saturating_sub(1);
        }
        for number in numbers {
            self.given[*number] = true;
            lists[self.members[position]].push(self.first + number);
        }
    }
}

struct RackRange<'s, 'a> {
    group: &'s Group<'a>,
    racks: &'s Racks,
    explain: &'s mut Explain,
}

impl RackRange<'_, '_> {
    fn assign(mut self, subscribers: &[Vec<usize>], needs_racks: &[bool], lists: &mut Lists) {
        let mut states: Vec<TopicState> = Vec::with_capacity(subscribers.len());
        for (index, topic) in self.group.topics.iter().enumerate() {
            let members = subscribers[index].as_slice();
            states.push(TopicState {
                topic: index,
                first: topic.first,
                members,
                quota: topic.partitions / members.len(),
                extra: topic.partitions % members.len(),
                taken: vec![0; members.len()],
                given: vec![false; topic.partitions],
            });
        }
        // Topics with the same members and the same number of partitions belong together. Those of which no
        // member has a rack have no rack data in Kafka, and nothing happens to them here.
        let mut sets: BTreeMap<(&[usize], usize), Vec<usize>> = BTreeMap::new();
        for state in &states {
            if state
                .members
                .iter()
                .any(|member| self.racks.of_member[*member].is_some())
            {
                sets.entry((state.members, state.given.len()))
                    .or_default()
                    .push(state.topic);
            }
        }
        self.explain.step(|| Step::Begin(Phase::RackMatching));
        for ((members, partitions), topics) in sets {
            match topics.as_slice() {
                [topic] if needs_racks[*topic] => {
                    self.give_blocks(&mut states[*topic], true, lists)
                }
                [_] => {}
                several => {
                    self.give_co_partitioned(&mut states, members, partitions, several, lists)
                }
            }
        }
        self.explain.step(|| Step::Begin(Phase::Remaining));
        for state in &mut states {
            explain_quota(self.group, state.topic, state.members.len(), self.explain);
            self.give_blocks(state, false, lists);
        }
        for list in lists {
            list.sort_unstable();
        }
    }

    fn matches(&self, member: usize, partition: usize) -> bool {
        !self.racks.mismatch(member, partition)
    }

    /// Each member in order takes the first free partitions (of its rack, if so asked) up to its room.
    fn give_blocks(&mut self, state: &mut TopicState, matching: bool, lists: &mut Lists) {
        let why = if matching {
            GiveReason::RackMatch
        } else {
            GiveReason::NextInRange
        };
        for (position, member) in state.members.iter().enumerate() {
            let numbers: Vec<usize> = (0..state.given.len())
                .filter(|number| !state.given[*number])
                .filter(|number| !matching || self.matches(*member, state.first + number))
                .take(state.room(position))
                .collect();
            if numbers.is_empty() {
                continue;
            }
            state.give(position, &numbers, lists);
            for number in numbers {
                explain_give(self.group, state.first + number, *member, why, self.explain);
            }
        }
    }

    /// Partition by partition, the first member whose rack matches in all the topics, and which has room in all,
    /// gets that number of all.
    fn give_co_partitioned(
        &mut self,
        states: &mut [TopicState],
        members: &[usize],
        partitions: usize,
        topics: &[usize],
        lists: &mut Lists,
    ) {
        let mut remaining: Vec<usize> = (0..members.len()).collect();
        for number in 0..partitions {
            let found = remaining.iter().position(|position| {
                topics.iter().all(|topic| {
                    let state = &states[*topic];
                    self.matches(members[*position], state.first + number)
                        && state.room(*position) > 0
                })
            });
            let Some(found) = found else { continue };
            let position = remaining[found];
            for topic in topics {
                let state = &mut states[*topic];
                state.give(position, &[number], lists);
                let why = GiveReason::CoPartitionedRackMatch;
                explain_give(
                    self.group,
                    state.first + number,
                    members[position],
                    why,
                    self.explain,
                );
            }
            if topics
                .iter()
                .all(|topic| states[*topic].room(position) == 0)
            {
                remaining.remove(found);
                if remaining.is_empty() {
                    break;
                }
            }
        }
    }
}
