//! What a person may do in the lab.

use super::group::{LabGroup, LabMember, LabTopic, Past};
use super::outcome::{Rule, settled};
use super::presets::Preset;
use super::text::{LabProblem, read_partitions, read_racks, read_topics};
use super::{Lab, Source};
use crate::kafka::ids::TopicName;
use crate::view::stage::Owner;
use std::rc::Rc;

/// Members that the lab takes.
pub const MEMBERS_MOST: usize = 2_000;
/// Partitions that the lab takes, all topics together.
pub const PARTITIONS_MOST: usize = 20_000;

/// Something that is done in the lab. Members and topics are named by place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LabAct {
    /// To show the group of the running world.
    Follow,
    /// To show an example.
    Show(Preset),
    /// One more member, which wants what the last one wants.
    AddMember,
    /// A member leaves, or comes back. One that owns nothing is simply gone.
    TogglePresence(usize),
    /// Another member id.
    SetMemberId(usize, String),
    /// `group.instance.id`; empty: dynamic.
    SetInstanceId(usize, String),
    /// `client.rack`; empty: none.
    SetRack(usize, String),
    /// Subscribed topics.
    SetSubscription(usize, String),
    /// What a member owns.
    SetOwned(usize, String),
    /// One more topic, to which everybody subscribes.
    AddTopic,
    /// A topic is deleted.
    RemoveTopic(usize),
    /// Number of partitions.
    SetPartitions(usize, String),
    /// Racks of a topic's replicas.
    SetTopicRacks(usize, String),
    /// Whether all assignors begin with the same owners.
    SetPast(Past),
    /// The results become what members own: under [`Past::Own`] each its own, else that of the chosen rule.
    GoOn,
    /// To walk through another rule.
    Choose(Rule),
    /// To go to a step of the account.
    Step(usize),
}

impl Lab {
    /// Does something.
    pub fn reduce(&mut self, act: LabAct) {
        self.problem = None;
        match act {
            LabAct::Follow => self.source = Source::Running,
            LabAct::Show(preset) => {
                self.put(preset.group());
                self.source = Source::Example(preset);
            }
            LabAct::Choose(rule) => {
                if self.chosen != rule {
                    self.chosen = rule;
                    self.walk = None;
                    self.step = 0;
                }
            }
            LabAct::Step(step) => self.step = step.min(self.last_step()),
            LabAct::GoOn => {
                if let Some(group) = self.gone_on() {
                    self.put(group);
                    self.source = Source::Edited;
                }
            }
            act => {
                let mut group = (*self.group).clone();
                match edit(&mut group, act, self.chosen) {
                    Err(problem) => self.problem = Some(problem),
                    Ok(()) => {
                        if group != *self.group {
                            self.put(group);
                            self.source = Source::Edited;
                        }
                    }
                }
            }
        }
    }

    /// The group after what is shown; `None` while something is still to be computed.
    fn gone_on(&self) -> Option<LabGroup> {
        let mut next = (*self.group).clone();
        match next.past {
            Past::Shared => {
                let owned = settled(&next, self.outcome(self.chosen)?);
                for (member, owned) in next.members.iter_mut().zip(owned) {
                    member.owned = owned;
                }
            }
            Past::Own => {
                for member in &mut next.members {
                    member.owned_by_rule.clear();
                }
                for rule in Rule::ALL {
                    let owned = settled(&self.group, self.outcome(rule)?);
                    for (member, owned) in next.members.iter_mut().zip(owned) {
                        member.owned_by_rule.push(owned);
                    }
                }
            }
        }
        next.members.retain(|member| member.is_present);
        next.generation = next.generation.saturating_add(1);
        Some(next)
    }
}

fn edit(group: &mut LabGroup, act: LabAct, chosen: Rule) -> Result<(), LabProblem> {
    match act {
        LabAct::AddMember => return add_member(group),
        LabAct::TogglePresence(place) => toggle(group, place),
        LabAct::SetMemberId(place, id) => {
            if id.is_empty() {
                return Err(LabProblem::NoName);
            }
            let mut others = group.members.iter().enumerate();
            if others.any(|(other, member)| other != place && *member.member_id == *id) {
                return Err(LabProblem::NameTaken(id));
            }
            if let Some(member) = group.members.get_mut(place) {
                member.member_id = id.into();
            }
        }
        LabAct::SetInstanceId(place, id) => {
            let mut others = group.members.iter().enumerate();
            let is_taken = others.any(|(other, member)| {
                other != place && member.instance_id.as_deref() == Some(id.as_str())
            });
            if is_taken {
                return Err(LabProblem::NameTaken(id));
            }
            if let Some(member) = group.members.get_mut(place) {
                member.instance_id = (!id.is_empty()).then(|| id.into());
            }
        }
        LabAct::SetRack(place, rack) => {
            if let Some(member) = group.members.get_mut(place) {
                member.rack = (!rack.is_empty()).then(|| rack.into());
            }
        }
        LabAct::SetSubscription(place, text) => {
            let topics = read_topics(group, &text)?;
            if let Some(member) = group.members.get_mut(place) {
                member.topics = topics;
            }
        }
        LabAct::SetOwned(place, text) => {
            let owned = read_partitions(group, &text)?;
            share_past(group, chosen);
            if let Some(member) = group.members.get_mut(place) {
                member.owned = owned;
            }
        }
        LabAct::AddTopic => return add_topic(group),
        LabAct::RemoveTopic(place) => remove_topic(group, place),
        LabAct::SetPartitions(place, text) => return set_partitions(group, place, &text),
        LabAct::SetTopicRacks(place, text) => {
            if let Some(topic) = group.topics.get_mut(place) {
                topic.racks = read_racks(&text);
            }
        }
        LabAct::SetPast(Past::Shared) => share_past(group, chosen),
        LabAct::SetPast(Past::Own) => {
            group.past = Past::Own;
            for member in &mut group.members {
                member.owned_by_rule = vec![std::mem::take(&mut member.owned); Rule::ALL.len()];
            }
        }
        LabAct::Follow | LabAct::Show(_) | LabAct::GoOn | LabAct::Choose(_) | LabAct::Step(_) => {}
    }
    Ok(())
}

/// From here on all assignors begin with the owners that the chosen one left.
fn share_past(group: &mut LabGroup, chosen: Rule) {
    if group.past == Past::Own {
        *group = group.as_found_by(chosen);
        group.past = Past::Shared;
    }
}

fn add_member(group: &mut LabGroup) -> Result<(), LabProblem> {
    if group.members.len() >= MEMBERS_MOST {
        return Err(LabProblem::TooManyMembers);
    }
    let taken = |owner: Owner| group.members.iter().any(|member| member.owner == owner);
    let owner = (0..).map(Owner).find(|owner| !taken(*owner));
    let owner = owner.unwrap_or(Owner(0));
    let letter = owner.letter();
    let is_free = |id: &str| group.members.iter().all(|member| *member.member_id != *id);
    let mut names = (1_u32..).map(|number| match number {
        1 => letter.clone(),
        number => format!("{letter}{number}"),
    });
    let id = names.find(|id| is_free(id)).unwrap_or_default();
    let all = || {
        group
            .topics
            .iter()
            .map(|topic| topic.name.clone())
            .collect()
    };
    let member = LabMember {
        owner,
        member_id: id.into(),
        instance_id: None,
        rack: None,
        topics: group
            .members
            .last()
            .map_or_else(all, |member| Rc::clone(&member.topics)),
        owned: Vec::new(),
        owned_by_rule: Vec::new(),
        is_present: true,
    };
    group.members.push(member);
    Ok(())
}

fn toggle(group: &mut LabGroup, place: usize) {
    let Some(member) = group.members.get_mut(place) else {
        return;
    };
    let owns_nothing = member.owned.is_empty() && member.owned_by_rule.iter().all(Vec::is_empty);
    if member.is_present && owns_nothing {
        group.members.remove(place);
    } else {
        member.is_present = !member.is_present;
    }
}

fn total(group: &LabGroup) -> usize {
    group.topics.iter().map(LabTopic::len).sum()
}

fn add_topic(group: &mut LabGroup) -> Result<(), LabProblem> {
    const PARTITIONS: i32 = 3;
    let is_free = |name: &str| group.topics.iter().all(|topic| *topic.name != *name);
    let mut names = (1_u32..).map(|number| format!("t{number}"));
    let name = names.find(|name| is_free(name)).unwrap_or_default();
    group.topics.push(LabTopic::new(&name, PARTITIONS));
    if total(group) > PARTITIONS_MOST {
        return Err(LabProblem::TooManyPartitions);
    }
    for member in &mut group.members {
        let name = TopicName::from(name.as_str());
        member.topics = member.topics.iter().cloned().chain([name]).collect();
    }
    Ok(())
}

fn remove_topic(group: &mut LabGroup, place: usize) {
    if place >= group.topics.len() {
        return;
    }
    let gone = group.topics.remove(place).name;
    for member in &mut group.members {
        let topics = member.topics.iter().filter(|topic| **topic != gone);
        member.topics = topics.cloned().collect();
    }
    forget_missing(group);
}

fn set_partitions(group: &mut LabGroup, place: usize, text: &str) -> Result<(), LabProblem> {
    let partitions = text.parse::<i32>().ok().filter(|number| *number >= 0);
    let partitions = partitions.ok_or_else(|| LabProblem::NotANumber(text.to_string()))?;
    if let Some(topic) = group.topics.get_mut(place) {
        topic.partitions = partitions;
    }
    if total(group) > PARTITIONS_MOST {
        return Err(LabProblem::TooManyPartitions);
    }
    forget_missing(group);
    Ok(())
}

/// Nobody owns what does not exist any more.
fn forget_missing(group: &mut LabGroup) {
    let places = group.places();
    for member in &mut group.members {
        member.owned.retain(|owned| places.of(owned).is_some());
        for owned in &mut member.owned_by_rule {
            owned.retain(|owned| places.of(owned).is_some());
        }
    }
}
