//! Partitions and racks as text that a person can write.

use super::group::{LabGroup, LabTopic};
use crate::kafka::ids::{TopicName, TopicPartition};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Why an edit was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LabProblem {
    /// No topic of that name.
    UnknownTopic(String),
    /// No such partition.
    UnknownPartition(String),
    /// Not a whole number in range.
    NotANumber(String),
    /// Another member, or topic, is called so.
    NameTaken(String),
    /// A name that is empty.
    NoName,
    /// More members than the lab takes.
    TooManyMembers,
    /// More partitions than the lab takes.
    TooManyPartitions,
}

/// Partitions as text: `orders-0..2 orders-5`; with one topic `0..2 5`.
pub fn named_partitions(group: &LabGroup, owned: &[TopicPartition]) -> String {
    let mut text = String::new();
    let mut rest = owned.iter().peekable();
    while let Some(first) = rest.next() {
        let mut last = first;
        while let Some(next) = rest.next_if(|next| {
            next.topic == first.topic && Some(next.partition) == last.partition.checked_add(1)
        }) {
            last = next;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        if group.topics.len() > 1 {
            text.push_str(&first.topic);
            text.push('-');
        }
        text.push_str(&first.partition.to_string());
        if last.partition > first.partition {
            let between = if last.partition == first.partition + 1 {
                " "
            } else {
                ".."
            };
            if between == " " && group.topics.len() > 1 {
                text.push_str(&format!(" {}-{}", last.topic, last.partition));
            } else {
                text.push_str(&format!("{between}{}", last.partition));
            }
        }
    }
    text
}

/// Reads partitions that exist.
pub(super) fn read_partitions(
    group: &LabGroup,
    text: &str,
) -> Result<Vec<TopicPartition>, LabProblem> {
    let mut partitions: Vec<TopicPartition> = Vec::new();
    let mut seen: BTreeSet<TopicPartition> = BTreeSet::new();
    for word in words(text) {
        let unknown = || LabProblem::UnknownPartition(word.to_string());
        // Topic names may have hyphens and dots: the number is behind the last hyphen.
        let (topic, numbers) = match word.rsplit_once('-') {
            Some((topic, numbers)) => (group.topics.iter().find(|t| &*t.name == topic), numbers),
            None if group.topics.len() == 1 => (group.topics.first(), word),
            None => (None, word),
        };
        let topic = topic.ok_or_else(unknown)?;
        let (first, last) = match numbers.split_once("..") {
            Some((first, last)) => (first.parse::<i32>(), last.parse::<i32>()),
            None => (numbers.parse(), numbers.parse()),
        };
        let (Ok(first), Ok(last)) = (first, last) else {
            return Err(unknown());
        };
        if first < 0 || last < first || last >= topic.partitions {
            return Err(unknown());
        }
        for number in first..=last {
            let partition = TopicPartition::new(topic.name.clone(), number);
            if seen.insert(partition.clone()) {
                partitions.push(partition);
            }
        }
    }
    Ok(partitions)
}

/// Reads topics that exist.
pub(super) fn read_topics(group: &LabGroup, text: &str) -> Result<Rc<[TopicName]>, LabProblem> {
    let mut topics: Vec<TopicName> = Vec::new();
    for word in words(text) {
        let topic = group.topics.iter().find(|topic| &*topic.name == word);
        let topic = topic.ok_or_else(|| LabProblem::UnknownTopic(word.to_string()))?;
        if !topics.contains(&topic.name) {
            topics.push(topic.name.clone());
        }
    }
    Ok(topics.into())
}

/// Racks of partition 0, 1, … as text: `a+b b+c`.
pub fn named_racks(topic: &LabTopic) -> String {
    let replicas = topic.racks.iter().map(|racks| racks.join("+"));
    replicas.collect::<Vec<_>>().join(" ")
}

/// Reads racks of partition 0, 1, …
pub(super) fn read_racks(text: &str) -> Vec<Vec<Rc<str>>> {
    let replicas = words(text).map(|word| {
        let racks = word.split('+').filter(|rack| !rack.is_empty());
        racks.map(Rc::from).collect()
    });
    replicas.collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
}
