//! Partitions by topic, in the order in which the client writes them into a request.

use crate::kafka::client::Flavour;
use crate::kafka::ids::{TopicName, TopicPartition};
use crate::kafka::java_hash::{string_hash, topic_partition_hash, walk};

/// Java collects partitions in a hash set or map and their topics in another; librdkafka keeps lists in order.
/// `entries` are in order and without repetition.
pub(super) fn by_topic<T>(
    flavour: Flavour,
    entries: Vec<(TopicPartition, T)>,
) -> Vec<(TopicName, Vec<(i32, T)>)> {
    let mut topics: Vec<(TopicName, Vec<(i32, T)>)> = Vec::new();
    for (partition, entry) in in_order(flavour, entries, |(partition, _)| {
        topic_partition_hash(string_hash(&partition.topic), partition.partition)
    }) {
        let entry = (partition.partition, entry);
        match topics
            .iter_mut()
            .find(|(topic, _)| *topic == partition.topic)
        {
            Some((_, entries)) => entries.push(entry),
            None => topics.push((partition.topic, vec![entry])),
        }
    }
    in_order(flavour, topics, |(topic, _)| string_hash(topic))
}

fn in_order<T>(flavour: Flavour, entries: Vec<T>, hash: impl Fn(&T) -> i32) -> Vec<T> {
    if flavour == Flavour::Librdkafka || entries.len() < 2 {
        return entries;
    }
    let hashes: Vec<i32> = entries.iter().map(hash).collect();
    let mut entries: Vec<Option<T>> = entries.into_iter().map(Some).collect();
    let places = walk(&hashes).into_iter();
    places
        .filter_map(|place| entries.get_mut(place)?.take())
        .collect()
}
