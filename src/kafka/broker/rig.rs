//! For the tests of this layer: one broker, one journal, requests in and answers out at set times.

use super::{Answer, Broker, BrokerSettings, CoordinatorKind};
use crate::kafka::api::versions::Release;
use crate::kafka::api::{
    FetchPartition, FetchRequest, FetchResponse, FetchTopic, Request, RequestHeader, Response,
};
use crate::kafka::cluster::{CONSUMER_OFFSETS, Cluster, Node, PartitionMetadata, Topic};
use crate::kafka::config::{BrokerConfig, TopicConfig};
use crate::kafka::fact::FactId;
use crate::kafka::ids::{BrokerId, Bytes, ClientId, ConnectionId, Offset, TopicPartition, Uuid};
use crate::kafka::journal::Journal;
use crate::kafka::record::{BATCH_OVERHEAD_BYTES, Record, RecordBatch, record_bytes};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

pub const BROKER: BrokerId = BrokerId(1);

/// A topic whose partitions are all on broker 1, in leader epoch 3.
pub fn topic(partitions: usize, config: TopicConfig) -> Topic {
    let partition = PartitionMetadata {
        leader: Some(BROKER),
        leader_epoch: 3,
        replicas: vec![BROKER],
        isr: vec![BROKER],
    };
    Topic {
        id: Uuid { high: 0, low: 7 },
        is_internal: false,
        config: Rc::new(config),
        partitions: vec![partition; partitions],
    }
}

/// Brokers 1 and 2, and topic `t`.
pub fn cluster(t: Topic) -> Cluster {
    let node = |port| Node {
        host: "host".into(),
        port,
        rack: None,
    };
    let offsets = Topic {
        is_internal: true,
        id: Uuid { high: 0, low: 1 },
        ..topic(50, TopicConfig::default())
    };
    Cluster {
        brokers: SortedMap::from([(BROKER, node(9092)), (BrokerId(2), node(9093))]),
        topics: SortedMap::from([("t".into(), t), (CONSUMER_OFFSETS.into(), offsets)]),
    }
}

/// A batch of `records` records without key, each of `value_bytes` bytes.
pub fn batch(records: i32, value_bytes: usize, timestamp_ms: i64) -> Rc<RecordBatch> {
    let value: Bytes = vec![0; value_bytes].into();
    let records: Rc<[Record]> = (0..records)
        .map(|offset_delta| Record {
            timestamp_delta: 0,
            offset_delta,
            key: None,
            value: Some(Rc::clone(&value)),
            headers: Vec::new(),
        })
        .collect();
    Rc::new(RecordBatch {
        base_offset: Offset(0),
        partition_leader_epoch: -1,
        attributes: 0,
        last_offset_delta: records.last().map_or(0, |last| last.offset_delta),
        base_timestamp: timestamp_ms,
        max_timestamp: timestamp_ms,
        producer_id: -1,
        producer_epoch: -1,
        base_sequence: -1,
        size_bytes: BATCH_OVERHEAD_BYTES + records.iter().map(record_bytes).sum::<i32>(),
        records,
    })
}

/// Partition `number` of topic `t`.
pub fn t(number: i32) -> TopicPartition {
    TopicPartition::new("t", number)
}

/// Asks for partitions of `t` from these offsets; the defaults of the Java consumer, no session.
pub fn fetch_request(partitions: &[(i32, i64)]) -> FetchRequest {
    let wanted = |&(partition, offset): &(i32, i64)| FetchPartition {
        partition,
        current_leader_epoch: 3,
        fetch_offset: Offset(offset),
        last_fetched_epoch: -1,
        log_start_offset: Offset(-1),
        partition_max_bytes: 1_048_576,
    };
    FetchRequest {
        replica_id: BrokerId(-1),
        max_wait_ms: 500,
        min_bytes: 1,
        max_bytes: 52_428_800,
        session_epoch: -1,
        topics: vec![FetchTopic {
            topic: "t".into(),
            topic_id: Uuid::default(),
            partitions: partitions.iter().map(wanted).collect(),
        }],
        ..FetchRequest::default()
    }
}

/// The broker and what belongs to it.
pub struct Rig {
    pub broker: Broker,
    pub journal: Journal,
    out: Vec<Answer>,
    answers: Vec<(i64, Answer)>,
    last_correlation_id: i32,
}

impl Rig {
    pub fn new(cluster: Cluster) -> Self {
        Self::with_config(cluster, BrokerConfig::default())
    }

    pub fn with_config(cluster: Cluster, config: BrokerConfig) -> Self {
        let settings = BrokerSettings {
            id: BROKER,
            config: Rc::new(config),
            group_append: Duration::ZERO,
            offset_append: Duration::ZERO,
            seed: 1,
            member_ids: SortedMap::new(),
            coordinator: CoordinatorKind::New,
            release: Release::V4_0,
        };
        let mut journal = Journal::default();
        journal.begin(Instant::ZERO, FactId::BEGINNING);
        Self {
            broker: Broker::new(settings, Rc::new(cluster)),
            journal,
            out: Vec::new(),
            answers: Vec::new(),
            last_correlation_id: 0,
        }
    }

    /// Lets time pass until `ms`, with all timers on the way and those of that instant.
    pub fn until(&mut self, ms: i64) {
        while let Some(wake) = self.broker.next_wake()
            && wake.at <= Instant::from_ms(ms)
        {
            self.journal.begin(wake.at, wake.set_by);
            self.broker.wake(&mut self.journal, &mut self.out);
            self.collect();
        }
        self.journal.begin(Instant::from_ms(ms), FactId::BEGINNING);
    }

    /// Sends a request of version 17 or so over a connection.
    pub fn send(&mut self, connection: u64, request: impl Into<Request>) {
        self.last_correlation_id += 1;
        let header = RequestHeader {
            api_version: 11,
            correlation_id: self.last_correlation_id,
            client_id: Some(ClientId::from("c")),
        };
        let (journal, out) = (&mut self.journal, &mut self.out);
        let connection = ConnectionId(connection);
        self.broker.handle(
            connection,
            header,
            &"/127.0.0.1".into(),
            request.into(),
            journal,
            out,
        );
        self.collect();
    }

    /// Appends to partition `number` of `t`.
    pub fn append(&mut self, number: i32, batch: Rc<RecordBatch>) {
        let appended = self
            .broker
            .append(&t(number), &[batch], &mut self.journal, &mut self.out);
        appended.expect("the log takes it");
        self.collect();
    }

    /// Takes the answers so far: at which ms, on which connection, what.
    pub fn take(&mut self) -> Vec<(i64, u64, Response)> {
        let answers = std::mem::take(&mut self.answers).into_iter();
        answers
            .map(|(at, answer)| (at, answer.connection.0, answer.response))
            .collect()
    }

    /// The one answer so far, to a fetch: at which ms, what.
    pub fn fetched(&mut self) -> (i64, FetchResponse) {
        match self.take().as_slice() {
            [(at, _, Response::Fetch(response))] => (*at, response.clone()),
            other => panic!("expected one answer to a fetch, not {other:?}"),
        }
    }

    fn collect(&mut self) {
        let at = self.journal.now().as_ms();
        let out = std::mem::take(&mut self.out);
        self.answers
            .extend(out.into_iter().map(|answer| (at, answer)));
    }
}

/// Records and bytes in an answer.
pub fn amount(response: &FetchResponse) -> (usize, i32) {
    let partitions = response
        .responses
        .iter()
        .flat_map(|topic| &topic.partitions);
    let batches = partitions.flat_map(|partition| &partition.records);
    batches.fold((0, 0), |(records, bytes), batch| {
        (records + batch.records.len(), bytes + batch.size_bytes)
    })
}
