//! The names in a file, so that a dangling one is found where it stands.

use super::complaint::Complaint;
use super::file::ScenarioFile;
use super::resolve::{Result, bad, partition_text};
use crate::kafka::ids::{ActorName, GroupId, TopicName, TopicPartition};
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::Instant;
use crate::world::command::{ADMIN, Command, Configs};
use std::rc::Rc;

/// All names that the file gives.
pub(super) struct Names {
    consumers: SortedSet<ActorName>,
    others: SortedSet<ActorName>,
    /// Most partitions that a topic ever has.
    topics: SortedMap<TopicName, i32>,
    groups: SortedSet<GroupId>,
    variants: Option<SortedSet<Rc<str>>>,
    origin: Instant,
    until: Instant,
}

impl Names {
    pub fn of(file: &ScenarioFile) -> Result<Names> {
        let mut names = Names {
            consumers: SortedSet::new(),
            others: SortedSet::new(),
            topics: SortedMap::new(),
            groups: SortedSet::new(),
            // A patched file has no variants of its own; its base was looked at with them.
            variants: (!file.variants.is_empty()).then(|| file.variants.keys().cloned().collect()),
            origin: file.origin,
            until: file.until,
        };
        for (index, topic) in file.topics.iter().enumerate() {
            let before = names.topics.insert(topic.name.clone(), topic.partitions);
            if before.is_some() {
                let name = topic.name.as_str().into();
                return bad(format!("topics[{index}].name"), Complaint::Twice(name));
            }
        }
        for (index, consumer) in file.consumers.iter().enumerate() {
            names.note_group(&[&consumer.configs, &file.consumer_configs]);
            names.add_consumer(&format!("consumers[{index}].name"), &consumer.name)?;
        }
        for (index, feed) in file.feeds.iter().enumerate() {
            names.add_other(&format!("feeds[{index}].name"), &feed.name)?;
        }
        for (index, producer) in file.producers.iter().enumerate() {
            names.add_other(&format!("producers[{index}].name"), &producer.name)?;
        }
        for group in &file.groups {
            names.groups.insert(group.group.clone());
        }
        for (index, act) in file.acts.iter().enumerate() {
            names.note_act(&format!("acts[{index}]"), &act.command)?;
        }
        Ok(names)
    }

    /// What an act brings into the world; whom it concerns is there by then.
    fn note_act(&mut self, path: &str, command: &Command) -> Result<()> {
        match command {
            Command::AddConsumers { consumers } => {
                for consumer in consumers {
                    self.note_group(&[&consumer.configs]);
                    self.add_consumer(path, &consumer.name)?;
                }
            }
            Command::AddProducer { producer } => self.add_other(path, &producer.name)?,
            Command::Send { client, .. } if self.consumers.contains(client) => {
                return bad(path, Complaint::Twice(client.as_str().into()));
            }
            Command::Send { client, .. } => {
                self.others.insert(client.clone());
            }
            Command::Admin(_) if self.consumers.contains(ADMIN) => {
                return bad(path, Complaint::Twice(ADMIN.into()));
            }
            Command::Admin(_) => {
                self.others.insert(ADMIN.into());
            }
            Command::CreateTopic { topic } => {
                self.topics.insert(topic.name.clone(), topic.partitions);
            }
            Command::AddPartitions { topic, total } => {
                self.topic(path, topic)?;
                self.topics.insert(topic.clone(), *total);
            }
            other => {
                if let Some(actor) = other.actor() {
                    self.actor(&format!("{path}.command"), actor)?;
                }
            }
        }
        Ok(())
    }

    /// The first of the configurations that says it counts.
    fn note_group(&mut self, configs: &[&Configs]) {
        let mut found = configs.iter().filter_map(|configs| configs.get("group.id"));
        if let Some(group) = found.next()
            && !group.is_empty()
        {
            self.groups.insert(GroupId::from(&**group));
        }
    }

    fn add_consumer(&mut self, path: &str, name: &ActorName) -> Result<()> {
        if self.others.contains(name) || !self.consumers.insert(name.clone()) {
            return bad(path, Complaint::Twice(name.as_str().into()));
        }
        Ok(())
    }

    fn add_other(&mut self, path: &str, name: &ActorName) -> Result<()> {
        if self.consumers.contains(name) || !self.others.insert(name.clone()) {
            return bad(path, Complaint::Twice(name.as_str().into()));
        }
        Ok(())
    }

    pub fn topic(&self, path: &str, topic: &TopicName) -> Result<()> {
        match self.topics.contains_key(topic) {
            true => Ok(()),
            false => unknown(path, "topic", topic.as_str().into()),
        }
    }

    pub fn partition(&self, path: &str, partition: &TopicPartition) -> Result<()> {
        let total = self.topics.get(&partition.topic);
        match total.is_some_and(|total| (0..*total).contains(&partition.partition)) {
            true => Ok(()),
            false => unknown(path, "partition", partition_text(partition)),
        }
    }

    pub fn consumer(&self, path: &str, name: &ActorName) -> Result<()> {
        match self.consumers.contains(name) {
            true => Ok(()),
            false => unknown(path, "consumer", name.as_str().into()),
        }
    }

    pub fn actor(&self, path: &str, name: &ActorName) -> Result<()> {
        match self.consumers.contains(name) || self.others.contains(name) {
            true => Ok(()),
            false => unknown(path, "client", name.as_str().into()),
        }
    }

    /// Whether the file has the variants that an expectation names.
    pub fn variants(&self, path: &str, named: Option<&[Rc<str>]>) -> Result<()> {
        let path = format!("{path}.variants");
        let mut named = named.unwrap_or_default().iter();
        named.try_for_each(|name| self.variant(&path, name))
    }

    /// A patched file no longer knows its variants.
    pub fn variant(&self, path: &str, name: &Rc<str>) -> Result<()> {
        match &self.variants {
            Some(variants) if !variants.contains(name) => unknown(path, "variant", name.clone()),
            Some(_) | None => Ok(()),
        }
    }

    pub fn instant(&self, path: &str, at: Instant) -> Result<()> {
        let (least, most) = (self.origin, self.until);
        match (least..=most).contains(&at) {
            true => Ok(()),
            false => bad(path, Complaint::TimeOutOfBounds { least, most }),
        }
    }

    /// The group that is meant: the one that is named, or the only one.
    pub fn group(
        &self,
        path: &str,
        named: Option<&GroupId>,
        is_needed: bool,
    ) -> Result<Option<GroupId>> {
        match named {
            Some(group) if self.groups.contains(group) => Ok(Some(group.clone())),
            Some(group) => unknown(&format!("{path}.group"), "group", group.as_str().into()),
            None if self.groups.len() == 1 => Ok(self.groups.first().cloned()),
            None if is_needed => bad(path, Complaint::WhichGroup),
            None => Ok(None),
        }
    }
}

fn unknown<T>(path: &str, what: &'static str, name: Rc<str>) -> Result<T> {
    bad(path, Complaint::Unknown { what, name })
}
