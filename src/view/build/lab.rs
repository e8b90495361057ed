//! The running world's group, as the lab takes it.

use super::{Choice, Names, Sources};
use crate::kafka::broker::Member;
use crate::kafka::ids::{GroupId, TopicName, TopicPartition};
use crate::kafka::protocol::Subscription;
use crate::ledger::{GroupLedger, Readers};
use crate::view::lab::{LabGroup, LabMember, LabTopic, Past};
use crate::view::stage::Owner;
use std::rc::Rc;

/// Members as the coordinator knows them, their topics, and what they own by the ledger.
pub(super) fn running(sources: Sources<'_>, choice: &Choice, names: &Names) -> LabGroup {
    let Some((Readers::Group(id), ledger)) = sources.readers(choice) else {
        return LabGroup::default();
    };
    let mut brokers = sources.world.brokers();
    let Some(group) = brokers.find_map(|(_, broker)| broker.group(&id)) else {
        return LabGroup::default();
    };
    let members: Vec<LabMember> = group
        .members()
        .enumerate()
        .map(|(place, known)| member(sources, names, &id, ledger, (place, known)))
        .collect();
    LabGroup {
        topics: topics(sources, &members),
        members,
        generation: group.generation().0,
        past: Past::Shared,
    }
}

fn member(
    sources: Sources<'_>,
    names: &Names,
    group: &GroupId,
    ledger: &GroupLedger,
    (place, known): (usize, &Member),
) -> LabMember {
    let actor = sources.sums.scene.name_of(group, known.id());
    // All of a member's protocols carry the same topics.
    let wanted = known.protocols().first();
    let wanted = wanted.and_then(|wanted| Subscription::decode(&wanted.metadata).ok());
    let (topics, rack) = wanted.map_or_else(
        || (Vec::new(), None),
        |wanted| (wanted.topics, wanted.rack_id),
    );
    let owned = |(partition, entry): (&TopicPartition, &crate::ledger::PartitionLedger)| {
        let owner = entry.ownership.owner()?;
        (owner.member.member_id == *known.id()).then(|| partition.clone())
    };
    LabMember {
        owner: actor
            .and_then(|actor| names.owners.get(actor).copied())
            .unwrap_or(Owner(place)),
        member_id: known.id().clone(),
        instance_id: known.group_instance_id().cloned(),
        rack: rack.filter(|rack| !rack.is_empty()),
        topics: topics.into(),
        owned: ledger.partitions().filter_map(owned).collect(),
        owned_by_rule: Vec::new(),
        is_present: true,
    }
}

/// The topics that anybody wants, with the racks of their replicas where brokers have racks.
fn topics(sources: Sources<'_>, members: &[LabMember]) -> Vec<LabTopic> {
    let cluster = sources.world.cluster();
    let wanted = |name: &TopicName| members.iter().any(|member| member.topics.contains(name));
    let topics = cluster.topics.iter().filter(|(name, _)| wanted(name));
    let described = topics.map(|(name, topic)| {
        let racks = topic.partitions.iter().map(|partition| {
            let replicas = partition.replicas.iter();
            let racks = replicas.filter_map(|id| cluster.brokers.get(id)?.rack.clone());
            racks.collect::<Vec<Rc<str>>>()
        });
        let racks: Vec<Vec<Rc<str>>> = racks.collect();
        LabTopic {
            name: name.clone(),
            partitions: i32::try_from(topic.partitions.len()).unwrap_or(i32::MAX),
            racks: if racks.iter().all(Vec::is_empty) {
                Vec::new()
            } else {
                racks
            },
        }
    });
    described.collect()
}
