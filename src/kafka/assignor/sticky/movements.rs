//! Which partitions moved between whom while balancing (`PartitionMovements`), so that a swap of two partitions of
//! a topic is turned into moving one back.

use crate::kafka::assignor::group::Group;
use crate::kafka::java_hash::WalkedSet;
use std::collections::BTreeMap;

/// From whom to whom.
type Pair = (usize, usize);

pub(super) struct Movements {
    /// By topic and pair: the partitions that moved so, in the sets whose walk Kafka takes the first of.
    by_pair: BTreeMap<(usize, Pair), WalkedSet>,
    /// By partition index.
    by_partition: Vec<Option<Pair>>,
}

impl Movements {
    pub(super) fn new(group: &Group) -> Self {
        Self {
            by_pair: BTreeMap::new(),
            by_partition: vec![None; group.partition_indices()],
        }
    }

    /// Of the wish to move `partition` from its owner to `target`, what to move: another partition of the topic
    /// that had moved the opposite way, if there is one.
    pub(super) fn actual(
        &self,
        group: &Group,
        partition: usize,
        owner: usize,
        target: usize,
    ) -> usize {
        let origin = self.by_partition[partition].map_or(owner, |(source, _)| source);
        let reverse = (group.topic_of(partition), (target, origin));
        self.by_pair
            .get(&reverse)
            .and_then(WalkedSet::first)
            .unwrap_or(partition)
    }

    /// Notes that a partition moved. A chain counts as one move from its start; a return to the start as none.
    pub(super) fn moved(&mut self, group: &Group, partition: usize, source: usize, target: usize) {
        let topic = group.topic_of(partition);
        let pair = match self.by_partition[partition].take() {
            None => (source, target),
            Some(earlier) => {
                if let Some(set) = self.by_pair.get_mut(&(topic, earlier)) {
                    set.remove(partition);
                    if set.is_empty() {
                        self.by_pair.remove(&(topic, earlier));
                    }
                }
                if earlier.0 == target {
                    return;
                }
                (earlier.0, target)
            }
        };
        self.by_partition[partition] = Some(pair);
        self.by_pair
            .entry((topic, pair))
            .or_default()
            .insert(partition, group.partition_hash(partition));
    }
}
