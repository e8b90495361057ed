//! A producer under test.

use super::*;
use crate::kafka::api::versions::versions;
use crate::kafka::api::{
    ApiVersion, ApiVersionsResponse, MetadataResponse, MetadataResponseBroker,
    MetadataResponsePartition, MetadataResponseTopic, PartitionProduceResponse, ProduceRequest,
    ProduceResponse, Request, TopicProduceResponse,
};
use crate::kafka::fact::FactId;

/// A producer, and a hand that answers for the brokers.
pub(super) struct Rig {
    pub producer: Producer,
    pub journal: Journal,
    pub out: Vec<ProducerAction>,
    /// Numbers of the requests that asked what a broker speaks.
    pub handshakes: Vec<i32>,
    /// Whether brokers say what they speak.
    pub are_there: bool,
    /// Leader of each partition of topic `t`.
    pub leaders: Vec<i32>,
}

/// A Produce request: to whom, number, records per partition.
pub(super) type Produced = (i32, i32, Vec<(i32, usize)>);

/// No waiting, no jitter.
pub(super) fn config() -> ProducerConfig {
    ProducerConfig {
        linger_ms: 0,
        ..ProducerConfig::default()
    }
}

pub(super) fn record(partition: i32, value_bytes: usize) -> ProducerRecord {
    ProducerRecord {
        topic: "t".into(),
        partition: Some(partition),
        timestamp_ms: None,
        key: None,
        value: Some(vec![0; value_bytes].into()),
        headers: Vec::new(),
    }
}

impl Rig {
    /// A producer that knows topic `t` with these leaders.
    pub fn new(config: ProducerConfig, leaders: &[i32]) -> Self {
        let mut rig = Self::unknowing(config, leaders);
        rig.producer.metadata.topic(&"t".into());
        rig.producer.run_sender(&mut rig.journal, &mut rig.out);
        let sent = rig.sent();
        let [(1, number, Request::Metadata(_))] = sent.as_slice() else {
            panic!("it asks for metadata");
        };
        rig.answer_metadata(*number);
        rig
    }

    /// Brokers say at once what they speak. The tests count the other requests only.
    pub fn shake_hands(&mut self) {
        while let Some(place) = self.out.iter().position(asks_for_versions)
            && self.are_there
        {
            let ClientAction::Send { to, header, .. } = self.out.remove(place) else {
                return;
            };
            self.handshakes.push(header.correlation_id);
            let ranges = crate::kafka::api::ApiKey::ALL
                .iter()
                .map(|&api| ApiVersion {
                    api_key: api.key(),
                    min_version: versions(api).min,
                    max_version: versions(api).max,
                });
            let response = ApiVersionsResponse {
                api_keys: ranges.collect(),
                ..ApiVersionsResponse::default()
            };
            let (journal, out) = (&mut self.journal, &mut self.out);
            let number = header.correlation_id;
            self.producer
                .handle(to, Channel::Data, number, response.into(), journal, out);
        }
    }

    /// Number of a request among those that are not handshakes.
    pub fn counted(&self, number: i32) -> i32 {
        let before = self.handshakes.iter().filter(|shaken| **shaken < number);
        number - i32::try_from(before.count()).expect("few")
    }

    pub fn unknowing(config: ProducerConfig, leaders: &[i32]) -> Self {
        let settings = ProducerSettings {
            actor: "p1".into(),
            process: 1,
            config: Rc::new(config),
            partitioner: PartitionerKind::BuiltIn,
            bootstrap: vec![BrokerId(1)],
            backoff_jitter: false,
            seed: 1,
            first_correlation_id: 0,
        };
        let mut journal = Journal::default();
        journal.begin(Instant::ZERO, FactId::BEGINNING);
        Self {
            producer: Producer::new(settings),
            journal,
            out: Vec::new(),
            handshakes: Vec::new(),
            are_there: true,
            leaders: leaders.to_vec(),
        }
    }

    /// Lets time pass until `ms`, with all timers on the way and those of that instant.
    pub fn until(&mut self, ms: i64) {
        self.shake_hands();
        while let Some(wake) = self.producer.next_wake()
            && wake.at <= Instant::from_ms(ms)
        {
            self.journal.begin(wake.at, wake.set_by);
            self.producer.wake(&mut self.journal, &mut self.out);
            self.shake_hands();
        }
        self.journal.begin(Instant::from_ms(ms), FactId::BEGINNING);
    }

    pub fn send(&mut self, record: ProducerRecord) {
        self.producer.send(record, &mut self.journal, &mut self.out);
    }

    /// Takes the requests so far: to whom, number, what.
    pub fn sent(&mut self) -> Vec<(i32, i32, Request)> {
        self.shake_hands();
        let mut sent = Vec::new();
        self.out.retain(|action| match action {
            ClientAction::Send {
                to,
                header,
                request,
                ..
            } => {
                sent.push((to.0, header.correlation_id, request.clone()));
                false
            }
            ClientAction::Disconnect { .. } | ClientAction::Event(_) => true,
        });
        for (_, number, _) in &mut sent {
            *number = self.counted(*number);
        }
        sent
    }

    /// Takes the requests so far, all Produce: to whom, number, records per partition.
    pub fn produced(&mut self) -> Vec<Produced> {
        let sent = self.sent().into_iter();
        sent.map(|(to, number, request)| match request {
            Request::Produce(request) => (to, number, records(&request)),
            other => panic!("unexpected {other:?}"),
        })
        .collect()
    }

    /// Takes the events so far.
    pub fn events(&mut self) -> Vec<ProducerEvent> {
        let mut events = Vec::new();
        self.out.retain(|action| match action {
            ClientAction::Event(event) => {
                events.push(event.clone());
                false
            }
            ClientAction::Send { .. } | ClientAction::Disconnect { .. } => true,
        });
        events
    }

    pub fn answer_metadata(&mut self, number: i32) {
        let broker = |id| MetadataResponseBroker {
            node_id: BrokerId(id),
            ..MetadataResponseBroker::default()
        };
        let partition = |(index, leader): (i32, &i32)| MetadataResponsePartition {
            partition_index: index,
            leader_id: BrokerId(*leader),
            ..MetadataResponsePartition::default()
        };
        let response = MetadataResponse {
            brokers: vec![broker(1), broker(2)],
            topics: vec![MetadataResponseTopic {
                error_code: match self.leaders.is_empty() {
                    true => ErrorCode::UnknownTopicOrPartition,
                    false => ErrorCode::None,
                },
                name: Some("t".into()),
                partitions: (0..).zip(&self.leaders).map(partition).collect(),
                ..MetadataResponseTopic::default()
            }],
            ..MetadataResponse::default()
        };
        self.handle(1, number, response.into());
    }

    /// Answers a Produce request: error and base offset per partition.
    pub fn answer(&mut self, from: i32, number: i32, results: &[(i32, ErrorCode, i64)]) {
        let partition =
            |&(index, error_code, base): &(i32, ErrorCode, i64)| PartitionProduceResponse {
                index,
                error_code,
                base_offset: Offset(base),
                ..PartitionProduceResponse::default()
            };
        let response = ProduceResponse {
            responses: vec![TopicProduceResponse {
                name: "t".into(),
                partition_responses: results.iter().map(partition).collect(),
            }],
            ..ProduceResponse::default()
        };
        self.handle(from, number, response.into());
    }

    pub fn handle(&mut self, from: i32, number: i32, response: Response) {
        self.shake_hands();
        let is_it = |candidate: &i32| {
            self.counted(*candidate) == number && !self.handshakes.contains(candidate)
        };
        let number = (number..).find(is_it).expect("some number");
        let (journal, out) = (&mut self.journal, &mut self.out);
        let channel = Channel::Data;
        self.producer
            .handle(BrokerId(from), channel, number, response, journal, out);
    }
}

pub(super) fn asks_for_versions(action: &ProducerAction) -> bool {
    matches!(
        action,
        ClientAction::Send {
            request: Request::ApiVersions(_),
            ..
        }
    )
}

pub(super) fn records(request: &ProduceRequest) -> Vec<(i32, usize)> {
    let topics = request.topic_data.iter();
    let partitions = topics.flat_map(|topic| &topic.partition_data);
    partitions
        .map(|data| (data.index, data.records[0].records.len()))
        .collect()
}

pub(super) fn acknowledged(number: i32, base: i64, records: u32) -> ProducerEvent {
    ProducerEvent::Acknowledged {
        partition: TopicPartition::new("t", number),
        base: Offset(base),
        records,
    }
}

pub(super) fn failed(number: i32, records: u32, error: ErrorCode) -> ProducerEvent {
    ProducerEvent::Failed {
        partition: TopicPartition::new("t", number),
        records,
        error,
    }
}
