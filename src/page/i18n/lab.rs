//! Texts of the assignor lab and of the vote.

use crate::view::lab::{LabGroup, LabProblem, Preset, Rule, WalkStep};

/// The texts.
#[allow(missing_docs)]
pub struct LabTexts {
    // Where the group comes from
    pub running: &'static str,
    pub examples: &'static str,
    pub edited: &'static str,
    pub preset: fn(Preset) -> &'static str,
    pub empty: &'static str,

    // Editing
    pub edit: &'static str,
    pub members: &'static str,
    pub topics: &'static str,
    pub member: &'static str,
    pub topic: &'static str,
    pub subscription: &'static str,
    pub owned: &'static str,
    pub partitions: &'static str,
    pub replica_racks: &'static str,
    pub add_member: &'static str,
    pub add_topic: &'static str,
    pub remove_topic: fn(&str) -> String,
    pub leave: &'static str,
    pub come_back: &'static str,
    pub leave_of: fn(&str) -> String,
    pub come_back_of: fn(&str) -> String,
    pub field_of: fn(&str, &str) -> String,
    pub own_past: &'static str,
    pub go_on: &'static str,
    pub go_on_text: &'static str,
    pub problem: fn(&LabProblem) -> String,
    pub more_members: fn(usize) -> String,
    pub more: fn(usize) -> String,

    // Results
    pub results: &'static str,
    pub before: &'static str,
    pub server_side: &'static str,
    /// Over the assignors of the protocol that the leader computes for.
    pub by_leader: &'static str,
    /// Over those that the coordinator runs (KIP-848).
    pub by_coordinator: &'static str,
    pub eager: &'static str,
    pub cooperative: &'static str,
    pub load: &'static str,
    pub load_text: fn(usize, usize) -> String,
    pub moved: &'static str,
    pub inherited: &'static str,
    pub revoked: &'static str,
    pub held_back: &'static str,
    pub rounds: &'static str,
    pub in_rack: &'static str,
    pub left: &'static str,
    pub computing: &'static str,
    pub throws: fn(&str) -> String,
    pub from: fn(&str) -> String,
    pub in_round: fn(usize) -> String,
    pub key_kept: &'static str,
    pub key_moved: &'static str,
    pub key_new: &'static str,
    pub key_later: &'static str,
    pub walk_through: fn(&str) -> String,

    // Step by step
    pub walk: fn(&str) -> String,
    pub first_step: &'static str,
    pub previous_step: &'static str,
    pub next_step: &'static str,
    pub last_step: &'static str,
    pub step_of: fn(usize, usize) -> String,
    pub step: fn(Rule, &WalkStep, &LabGroup) -> String,
    pub not_given: &'static str,
    pub waits_for: fn(&str) -> String,

    // The vote
    pub vote: &'static str,
    pub list: &'static str,
    pub votes_for: &'static str,
    pub candidates: fn(&[&str]) -> String,
    pub winner: fn(&str) -> String,
    pub no_candidate: &'static str,
    pub first_choice: &'static str,
    pub second_choice: &'static str,
    pub upgrade: &'static str,
    pub upgrade_text: &'static str,
    pub upgrade_first: &'static str,
    pub upgrade_second: &'static str,
}

/// A member's id.
pub(super) fn member(group: &LabGroup, place: usize) -> String {
    let member = group.members.get(place);
    member.map_or_else(String::new, |member| member.member_id.to_string())
}

/// A partition's name.
pub(super) fn partition(group: &LabGroup, place: usize) -> String {
    group.places().partition(place).to_string()
}

/// A topic's name.
pub(super) fn topic(group: &LabGroup, place: usize) -> String {
    let topic = group.topics.get(place);
    topic.map_or_else(String::new, |topic| topic.name.to_string())
}

/// Ids of members, the first eight of many.
pub(super) fn members(group: &LabGroup, places: &[usize]) -> (String, usize) {
    const SHOWN: usize = 8;
    let names: Vec<String> = places
        .iter()
        .take(SHOWN)
        .map(|place| member(group, *place))
        .collect();
    (names.join(", "), places.len().saturating_sub(SHOWN))
}
