//! Examples that articles about assignors use, and a large group.

use super::Lab;
use super::edit::LabAct;
use super::group::{LabGroup, LabMember, LabTopic, Past};
use crate::kafka::ids::{TopicName, TopicPartition};
use crate::view::stage::Owner;
use std::rc::Rc;

/// An example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preset {
    /// Two topics of three partitions, two consumers.
    TwoTopics,
    /// A third member joins a group with six partitions.
    ThirdJoins,
    /// After that the first one leaves.
    FirstLeaves,
    /// Three members want one, two and three topics.
    Uneven,
    /// Each partition has a replica in one rack, each member is in one.
    Racks,
    /// 1,000 members, 10,000 partitions; one member has just come.
    Large,
}

impl Preset {
    /// All of them.
    pub const ALL: [Preset; 6] = [
        Preset::TwoTopics,
        Preset::ThirdJoins,
        Preset::FirstLeaves,
        Preset::Uneven,
        Preset::Racks,
        Preset::Large,
    ];

    /// Its group.
    pub fn group(self) -> LabGroup {
        match self {
            Preset::TwoTopics => fresh(&[("T1", 3), ("T2", 3)], &["C1", "C2"]),
            Preset::ThirdJoins => third_joins(),
            Preset::FirstLeaves => first_leaves(),
            Preset::Uneven => uneven(),
            Preset::Racks => racks(),
            Preset::Large => large(),
        }
    }
}

fn member(place: usize, id: &str, topics: &Rc<[TopicName]>) -> LabMember {
    LabMember {
        owner: Owner(place),
        member_id: id.into(),
        instance_id: None,
        rack: None,
        topics: topics.clone(),
        owned: Vec::new(),
        owned_by_rule: Vec::new(),
        is_present: true,
    }
}

/// Members that want everything and own nothing.
fn fresh(topics: &[(&str, i32)], members: &[&str]) -> LabGroup {
    let names: Rc<[TopicName]> = topics.iter().map(|(name, _)| (*name).into()).collect();
    let members = members.iter().enumerate();
    LabGroup {
        members: members
            .map(|(place, id)| member(place, id, &names))
            .collect(),
        topics: topics
            .iter()
            .map(|(name, partitions)| LabTopic::new(name, *partitions))
            .collect(),
        generation: 1,
        past: Past::Own,
    }
}

/// Each assignor has given six partitions to two; then a third one joins.
fn third_joins() -> LabGroup {
    let mut lab = Lab::default();
    lab.put(fresh(&[("t", 6)], &["A", "B"]));
    lab.finish();
    lab.reduce(LabAct::GoOn);
    lab.reduce(LabAct::AddMember);
    (*lab.group).clone()
}

/// And then the first one leaves.
fn first_leaves() -> LabGroup {
    let mut lab = Lab::default();
    lab.put(third_joins());
    lab.finish();
    lab.reduce(LabAct::GoOn);
    lab.reduce(LabAct::TogglePresence(0));
    (*lab.group).clone()
}

fn uneven() -> LabGroup {
    let mut group = fresh(&[("t0", 1), ("t1", 2), ("t2", 3)], &["C0", "C1", "C2"]);
    for (place, member) in group.members.iter_mut().enumerate() {
        member.topics = member.topics.iter().take(place + 1).cloned().collect();
    }
    group
}

fn racks() -> LabGroup {
    let mut group = fresh(&[("t", 6)], &["A", "B", "C"]);
    for (member, rack) in group.members.iter_mut().zip(["b", "c", "a"]) {
        member.rack = Some(rack.into());
    }
    for topic in &mut group.topics {
        topic.racks = ["a", "b", "c"].map(|rack| vec![Rc::from(rack)]).to_vec();
    }
    group
}

fn large() -> LabGroup {
    const MEMBERS: usize = 1_000;
    const PARTITIONS: i32 = 10_000;
    let topics: Rc<[TopicName]> = Rc::new(["events".into()]);
    let mut members: Vec<LabMember> = (0..MEMBERS)
        .map(|place| member(place, &format!("consumer-{place:04}"), &topics))
        .collect();
    // All but the last have shared them evenly.
    for number in 0..PARTITIONS {
        let place = usize::try_from(number).map_or(0, |number| number % (MEMBERS - 1));
        if let Some(owner) = members.get_mut(place) {
            let partition = TopicPartition::new("events", number);
            owner.owned.push(partition);
        }
    }
    LabGroup {
        members,
        topics: vec![LabTopic::new("events", PARTITIONS)],
        generation: 1,
        past: Past::Shared,
    }
}
