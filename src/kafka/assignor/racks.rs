//! Racks of members and of replicas (KIP-881), as indices.

use super::group::Group;
use crate::kafka::sorted::SortedMap;
use std::rc::Rc;

/// Racks by index. Exists only when some member has a rack.
pub(super) struct Racks {
    /// Rack of each member.
    pub of_member: Vec<Option<usize>>,
    /// Racks of each partition's replicas, each once.
    of_partition: Vec<Vec<usize>>,
    /// Number of racks.
    pub count: usize,
}

impl Racks {
    /// `None` when no member has a rack (an empty one counts as none).
    pub(super) fn new(group: &Group) -> Option<Self> {
        let mut names: SortedMap<&Rc<str>, usize> = SortedMap::new();
        let mut of_member = Vec::with_capacity(group.members.len());
        for member in &group.members {
            let rack = member
                .subscription
                .rack_id
                .as_ref()
                .filter(|rack| !rack.is_empty());
            of_member.push(rack.map(|rack| index_of(&mut names, rack)));
        }
        if names.is_empty() {
            return None;
        }
        let mut of_partition = Vec::with_capacity(group.partitions);
        for topic in &group.topics {
            for number in 0..topic.partitions {
                let replicas = topic
                    .metadata
                    .replica_racks
                    .get(number)
                    .map(Vec::as_slice)
                    .unwrap_or_default();
                let mut racks: Vec<usize> = replicas
                    .iter()
                    .map(|rack| index_of(&mut names, rack))
                    .collect();
                racks.sort_unstable();
                racks.dedup();
                of_partition.push(racks);
            }
        }
        Some(Self {
            of_member,
            of_partition,
            count: names.len(),
        })
    }

    /// Racks of a partition's replicas; none for a partition that does not exist.
    pub(super) fn of_partition(&self, partition: usize) -> &[usize] {
        self.of_partition
            .get(partition)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// Whether a replica of the partition is in the rack.
    pub(super) fn has_replica(&self, partition: usize, rack: usize) -> bool {
        self.of_partition(partition).contains(&rack)
    }

    /// Whether a member has a rack and the partition no replica in it.
    pub(super) fn mismatch(&self, member: usize, partition: usize) -> bool {
        self.of_member[member].is_some_and(|rack| !self.has_replica(partition, rack))
    }

    /// Whether racks are worth looking at (`useRackAwareAssignment`): some member's rack has a replica, and not
    /// every partition is in all the racks.
    pub(super) fn matter(
        &self,
        members: impl Iterator<Item = usize>,
        partitions: std::ops::Range<usize>,
    ) -> bool {
        let mut with_replica = vec![false; self.count];
        for partition in partitions.clone() {
            for rack in self.of_partition(partition) {
                with_replica[*rack] = true;
            }
        }
        let overlap = members
            .filter_map(|member| self.of_member[member])
            .any(|rack| with_replica[rack]);
        let all = with_replica.iter().filter(|has| **has).count();
        overlap
            && partitions
                .into_iter()
                .any(|partition| self.of_partition(partition).len() != all)
    }
}

fn index_of<'a>(names: &mut SortedMap<&'a Rc<str>, usize>, name: &'a Rc<str>) -> usize {
    let next = names.len();
    *names.entry(name).or_insert(next)
}
