//! What `kafka-consumer-groups.sh --describe` would print, from what DescribeGroups, OffsetFetch and
//! ListOffsets would answer it (class `ConsumerGroupCommand`).

use super::{Choice, Sources};
use crate::kafka::api::DescribedGroupMember;
use crate::kafka::broker::describe_group;
use crate::kafka::fact::GroupState;
use crate::kafka::ids::TopicName;
use crate::kafka::protocol::Assignment;
use crate::kafka::sorted::SortedMap;
use crate::kafka::sorted::sort_few;
use crate::ledger::{GroupLedger, Readers};
use crate::view::TopicPartition;
use crate::view::panel::{MemberLine, TableKind, TableLine, TablePanel};
use std::rc::Rc;

/// The table of the group that is looked at.
pub(super) fn build(sources: Sources<'_>, choice: &Choice) -> TablePanel {
    let Some((Readers::Group(id), ledger)) = sources.readers(choice) else {
        return TablePanel::default();
    };
    let found = sources
        .world
        .brokers()
        .find_map(|(broker, machine)| Some((broker, machine.group(&id)?)));
    let Some((broker, group)) = found else {
        return TablePanel {
            group: id.as_str().into(),
            state: Some(GroupState::Dead),
            kind: choice.table,
            ..TablePanel::default()
        };
    };
    let described = describe_group(group);
    let shares: Vec<Vec<TopicPartition>> = described.members.iter().map(share).collect();
    let node = sources.world.cluster().brokers.get(&broker);
    // Only the open table is filled.
    let is = |kind: TableKind| choice.table == kind;
    TablePanel {
        group: id.as_str().into(),
        state: Some(group.state()),
        kind: choice.table,
        lines: if is(TableKind::Offsets) {
            lines(sources, ledger, &described.members, &shares)
        } else {
            Rc::new([])
        },
        members: if is(TableKind::Members) {
            described
                .members
                .iter()
                .zip(&shares)
                .map(member_line)
                .collect()
        } else {
            Rc::new([])
        },
        coordinator: node.map_or_else(
            || "".into(),
            |node| format!("{}:{}  ({})", node.host, node.port, broker.0).into(),
        ),
        strategy: described.protocol_data,
        member_count: described.members.len(),
    }
}

/// A member's share, which the admin client decodes.
fn share(member: &DescribedGroupMember) -> Vec<TopicPartition> {
    let decoded = Assignment::decode(&member.member_assignment);
    decoded.unwrap_or_default().partitions
}

/// The members' partitions, the largest share first, then what has an offset and no member.
fn lines(
    sources: Sources<'_>,
    ledger: &GroupLedger,
    members: &[DescribedGroupMember],
    shares: &[Vec<TopicPartition>],
) -> Rc<[TableLine]> {
    let committed = |partition: &TopicPartition| {
        let entry = ledger.partition(partition)?;
        entry.deliveries.committed().map(|offset| offset.0)
    };
    let line = |partition: &TopicPartition, member: Option<&DescribedGroupMember>| {
        let log = sources.sums.ledger.log(partition);
        let end = log.map_or(0, |log| log.high_watermark.0);
        let offset = committed(partition);
        TableLine {
            topic: partition.topic.as_str().into(),
            partition: partition.partition,
            current_offset: offset,
            log_end_offset: end,
            lag: offset.map(|offset| end - offset),
            consumer_id: member.map(|member| member.member_id.as_str().into()),
            host: member.map(|member| member.client_host.clone()),
            client_id: member.map(|member| member.client_id.as_str().into()),
        }
    };
    let mut holders: Vec<_> = members.iter().zip(shares).collect();
    sort_few(&mut holders, |left, right| left.1.len() > right.1.len());
    let mut lines = Vec::new();
    for (member, share) in holders {
        let mut share = share.clone();
        sort_few(&mut share, |left, right| left.partition < right.partition);
        lines.extend(share.iter().map(|partition| line(partition, Some(member))));
    }
    let held = |partition: &TopicPartition| shares.iter().flatten().any(|own| own == partition);
    let free = ledger.partitions().map(|(partition, _)| partition);
    let free = free.filter(|partition| committed(partition).is_some() && !held(partition));
    lines.extend(free.map(|partition| line(partition, None)));
    lines.into()
}

fn member_line((member, share): (&DescribedGroupMember, &Vec<TopicPartition>)) -> MemberLine {
    MemberLine {
        consumer_id: member.member_id.as_str().into(),
        instance_id: member
            .group_instance_id
            .as_ref()
            .map(|id| id.as_str().into()),
        host: member.client_host.clone(),
        client_id: member.client_id.as_str().into(),
        partitions: share.len(),
        assignment: assignment(share),
    }
}

/// `(0,1), (2)`: a bracket per topic, without its name, sorted as text, as the tool of the reference
/// version prints it.
fn assignment(share: &[TopicPartition]) -> Rc<str> {
    let mut topics: SortedMap<&TopicName, Vec<String>> = SortedMap::new();
    for partition in share {
        let numbers = topics.entry(&partition.topic).or_default();
        numbers.push(partition.partition.to_string());
    }
    let brackets = topics.into_values().map(|mut numbers| {
        numbers.sort();
        format!("({})", numbers.join(","))
    });
    let mut brackets: Vec<String> = brackets.collect();
    brackets.sort();
    if brackets.is_empty() {
        "-".into()
    } else {
        brackets.join(", ").into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assignment_is_printed_as_the_tool_prints_it() {
        let of = |topic: &str, numbers: &[i32]| -> Vec<TopicPartition> {
            let partition = |number: &i32| TopicPartition::new(topic, *number);
            numbers.iter().map(partition).collect()
        };
        assert_eq!(&*assignment(&[]), "-");
        assert_eq!(&*assignment(&of("orders", &[2, 10, 1])), "(1,10,2)");
        let both = [of("orders", &[3]), of("audit", &[0, 1])].concat();
        assert_eq!(&*assignment(&both), "(0,1), (3)");
    }
}
