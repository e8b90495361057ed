//! Incremental fetch sessions, one per broker (KIP-227, class `FetchSessionHandler`).

use crate::kafka::api::{FetchPartition, FetchTopic, ForgottenTopic};
use crate::kafka::cluster::Cluster;
use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{Offset, TopicName, TopicPartition, Uuid};
use crate::kafka::sorted::SortedMap;

/// What a request asks of one partition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wanted {
    pub offset: Offset,
    pub leader_epoch: i32,
}

/// The session with one broker.
#[derive(Clone, Debug, Default)]
pub(super) struct FetchSession {
    /// 0: none.
    pub id: i32,
    /// 0: the next request is a full one.
    pub epoch: i32,
    /// What the broker knows.
    partitions: SortedMap<TopicPartition, Wanted>,
}

/// Epoch that ends a session.
pub(super) const FINAL_EPOCH: i32 = -1;

impl FetchSession {
    /// The parts of the next request: with a session, only what has changed. `wanted` is in order.
    pub fn next_request(
        &mut self,
        wanted: Vec<(TopicPartition, Wanted)>,
        max_bytes: i32,
        cluster: &Cluster,
    ) -> (Vec<FetchTopic>, Vec<ForgottenTopic>) {
        let full = self.epoch == 0;
        let mut forgotten = Vec::new();
        if full {
            self.partitions.clear();
        } else {
            let gone: Vec<TopicPartition> = self
                .partitions
                .keys()
                .filter(|known| {
                    let place = wanted.binary_search_by(|(partition, _)| partition.cmp(known));
                    place.is_err()
                })
                .cloned()
                .collect();
            for partition in gone {
                self.partitions.remove(&partition);
                forget(&mut forgotten, &partition, cluster);
            }
        }
        let mut topics: Vec<FetchTopic> = Vec::new();
        for (partition, data) in wanted {
            if self.partitions.get(&partition) == Some(&data) {
                continue;
            }
            let entry = FetchPartition {
                partition: partition.partition,
                current_leader_epoch: data.leader_epoch,
                fetch_offset: data.offset,
                last_fetched_epoch: -1,
                log_start_offset: Offset(-1),
                partition_max_bytes: max_bytes,
            };
            match topics.last_mut() {
                Some(topic) if topic.topic == partition.topic => topic.partitions.push(entry),
                _ => topics.push(FetchTopic {
                    topic: partition.topic.clone(),
                    topic_id: topic_id(cluster, &partition.topic),
                    partitions: vec![entry],
                }),
            }
            self.partitions.insert(partition, data);
        }
        (topics, forgotten)
    }

    /// Whether a partition is part of the session: only then an answer about it counts.
    pub fn offset_asked(&self, partition: &TopicPartition) -> Option<Offset> {
        self.partitions.get(partition).map(|wanted| wanted.offset)
    }

    /// Takes the answer. `false`: it has nothing usable.
    pub fn handle(&mut self, error: ErrorCode, session_id: i32) -> bool {
        match error {
            ErrorCode::None => {}
            ErrorCode::FetchSessionIdNotFound => {
                self.id = 0;
                self.epoch = 0;
                return false;
            }
            _ => {
                self.restart();
                return false;
            }
        }
        if session_id == 0 {
            // The broker keeps none, or has closed it.
            self.id = 0;
            self.epoch = 0;
        } else {
            self.id = session_id;
            self.epoch = if self.epoch == i32::MAX {
                1
            } else {
                self.epoch + 1
            };
        }
        true
    }

    /// The next request closes the session, if there is one, and opens another.
    pub fn restart(&mut self) {
        self.epoch = 0;
    }
}

pub(super) fn topic_id(cluster: &Cluster, topic: &TopicName) -> Uuid {
    cluster
        .topics
        .get(topic)
        .map(|topic| topic.id)
        .unwrap_or_default()
}

fn forget(list: &mut Vec<ForgottenTopic>, partition: &TopicPartition, cluster: &Cluster) {
    match list.last_mut() {
        Some(topic) if topic.topic == partition.topic => {
            topic.partitions.push(partition.partition);
        }
        _ => list.push(ForgottenTopic {
            topic: partition.topic.clone(),
            topic_id: topic_id(cluster, &partition.topic),
            partitions: vec![partition.partition],
        }),
    }
}
