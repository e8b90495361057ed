//! One consumer whose brokers are played by the test: it sees each request and says each answer.

use regroup::kafka::api::versions::versions;
use regroup::kafka::api::{
    ApiKey, ApiVersion, ApiVersionsResponse, Coordinator, FetchResponse, FetchableTopicResponse,
    FindCoordinatorResponse, HeartbeatResponse, JoinGroupResponse, LeaveGroupResponse,
    ListOffsetsPartitionResponse, ListOffsetsResponse, ListOffsetsTopicResponse, MetadataResponse,
    MetadataResponseBroker, MetadataResponsePartition, MetadataResponseTopic, OffsetCommitResponse,
    OffsetCommitResponsePartition, OffsetCommitResponseTopic, OffsetFetchResponse,
    OffsetFetchResponseGroup, OffsetFetchResponsePartition, OffsetFetchResponseTopic,
    PartitionData, Request, Response, SyncGroupResponse,
};
use regroup::kafka::client::consumer::{
    Action, Call, Consumer, ConsumerEvent, ConsumerSettings, Returned,
};
use regroup::kafka::client::{Channel, ClientAction, Flavour};
use regroup::kafka::config::ConsumerConfig;
use regroup::kafka::error::ErrorCode;
use regroup::kafka::fact::{Callback, Exception, Fact, FactId};
use regroup::kafka::ids::{BrokerId, Generation, MemberId, Offset, TopicPartition, Uuid};
use regroup::kafka::journal::Journal;
use regroup::kafka::protocol::Assignment;
use regroup::kafka::record::{Record, RecordBatch};
use regroup::kafka::time::{Duration, Instant};
use std::rc::Rc;

pub const COORDINATOR: BrokerId = BrokerId(2);
pub const LEADER: BrokerId = BrokerId(1);

/// A request that the test has not answered.
pub struct Open {
    pub at: Instant,
    pub to: BrokerId,
    pub channel: Channel,
    pub number: i32,
    pub request: Request,
}

pub struct Script {
    pub consumer: Consumer,
    pub open: Vec<Open>,
    /// Names of everything that went out or came up, in order.
    pub log: Vec<String>,
    pub returned: Vec<Result<Returned, Exception>>,
    pub callbacks: Vec<(Callback, Vec<i32>)>,
    pub async_done: Vec<(u64, Result<(), Exception>)>,
    pub facts: Vec<Fact>,
    /// The listener returns at once.
    pub callbacks_return: bool,
    /// Brokers that are asked what they speak, and say so at once. The log is silent about it.
    handshakes: Vec<(BrokerId, Channel, i32)>,
    journal: Journal,
}

pub fn settings(config: ConsumerConfig, flavour: Flavour) -> ConsumerSettings {
    ConsumerSettings {
        actor: "c".into(),
        process: 1,
        config: Rc::new(config),
        flavour,
        brokers: regroup::kafka::api::versions::Release::V4_0,
        bootstrap: vec![LEADER],
        assign_time: Duration::ZERO,
        heartbeat_step: Duration::ZERO,
        backoff_jitter: false,
        seed: 1,
        first_correlation_id: 0,
    }
}

impl Script {
    pub fn new(config: ConsumerConfig) -> Self {
        Self::with(settings(config, Flavour::Java))
    }

    pub fn with(settings: ConsumerSettings) -> Self {
        let mut journal = Journal::default();
        journal.begin(Instant::ZERO, FactId::BEGINNING);
        Self {
            consumer: Consumer::new(settings),
            open: Vec::new(),
            log: Vec::new(),
            returned: Vec::new(),
            callbacks: Vec::new(),
            async_done: Vec::new(),
            facts: Vec::new(),
            callbacks_return: true,
            handshakes: Vec::new(),
            journal,
        }
    }

    fn on(&mut self, act: impl FnOnce(&mut Consumer, &mut Journal, &mut Vec<Action>)) {
        let mut out = Vec::new();
        act(&mut self.consumer, &mut self.journal, &mut out);
        for action in out {
            self.take(action);
        }
        self.facts.extend(self.journal.take_facts());
        self.shake_hands();
    }

    fn shake_hands(&mut self) {
        for (from, channel, number) in std::mem::take(&mut self.handshakes) {
            let response = what_is_spoken();
            self.on(|consumer, journal, out| {
                consumer.handle(from, channel, number, response.into(), journal, out);
            });
        }
    }

    fn take(&mut self, action: Action) {
        match action {
            ClientAction::Send {
                to,
                channel,
                header,
                request: Request::ApiVersions(_),
            } => self.handshakes.push((to, channel, header.correlation_id)),
            ClientAction::Send {
                to,
                channel,
                header,
                request,
            } => {
                self.log.push(request.api().name().into());
                self.open.push(Open {
                    at: self.journal.now(),
                    to,
                    channel,
                    number: header.correlation_id,
                    request,
                });
            }
            ClientAction::Disconnect { from, channel } => {
                self.log.push("disconnect".into());
                self.open
                    .retain(|open| (open.to, open.channel) != (from, channel));
            }
            ClientAction::Event(ConsumerEvent::Returned(result)) => self.returned.push(result),
            ClientAction::Event(ConsumerEvent::AsyncCommitDone { id, result }) => {
                self.async_done.push((id, result));
            }
            ClientAction::Event(ConsumerEvent::CallbackCalled {
                callback,
                partitions,
            }) => {
                self.log.push(format!("{callback:?}"));
                let numbers = partitions.iter().map(|partition| partition.partition);
                self.callbacks.push((callback, numbers.collect()));
                if self.callbacks_return {
                    self.callback_done();
                }
            }
        }
    }

    pub fn callback_done(&mut self) {
        self.on(|consumer, journal, out| consumer.callback_done(journal, out));
    }

    /// Blocked calls go on until they can no more.
    pub fn settle(&mut self) {
        for _ in 0..100 {
            if !self.consumer.can_proceed() {
                return;
            }
            self.on(|consumer, journal, out| consumer.proceed(journal, out));
        }
        panic!("the call does not come to rest");
    }

    pub fn call(&mut self, call: Call) {
        self.on(|consumer, journal, out| consumer.call(call, journal, out));
        self.settle();
    }

    /// Polls without a time limit.
    pub fn poll(&mut self) {
        let timeout = Duration(-1);
        self.call(Call::Poll { timeout });
    }

    /// A blocked poll ends.
    pub fn interrupt(&mut self) {
        self.on(|consumer, journal, out| consumer.wakeup(journal, out));
    }

    /// Time goes on; timers fire.
    pub fn run_until_ms(&mut self, ms: i64) {
        let until = Instant::from_ms(ms);
        while let Some(wake) = self.consumer.next_wake().filter(|wake| wake.at <= until) {
            self.journal
                .begin(wake.at.max(self.journal.now()), FactId::BEGINNING);
            self.on(|consumer, journal, out| consumer.wake(journal, out));
            self.settle();
        }
        self.journal.begin(until, FactId::BEGINNING);
    }

    /// The oldest open request of that API.
    pub fn request(&self, api: &str) -> &Request {
        let mut open = self.open.iter();
        let found = open.find(|open| open.request.api().name() == api);
        &found
            .unwrap_or_else(|| panic!("no {api} in {:?}", self.log))
            .request
    }

    pub fn is_open(&self, api: &str) -> bool {
        let mut open = self.open.iter();
        open.any(|open| open.request.api().name() == api)
    }

    /// Answers the oldest open request of the answer's API.
    pub fn answer(&mut self, response: impl Into<Response>) {
        self.answer_quietly(response);
        self.settle();
    }

    /// The same, but the application thread does not get to look.
    pub fn answer_quietly(&mut self, response: impl Into<Response>) {
        let response = response.into();
        let api = response.api();
        let place = self
            .open
            .iter()
            .position(|open| open.request.api() == api)
            .unwrap_or_else(|| panic!("no {} in {:?}", api.name(), self.log));
        let open = self.open.remove(place);
        self.on(|consumer, journal, out| {
            consumer.handle(open.to, open.channel, open.number, response, journal, out);
        });
    }

    /// The broker closes the connection.
    pub fn disconnect(&mut self, from: BrokerId, channel: Channel) {
        self.open
            .retain(|open| (open.to, open.channel) != (from, channel));
        self.on(|consumer, journal, out| consumer.disconnected(from, channel, journal, out));
        self.settle();
    }

    /// Up to and including the sending of the first JoinGroup.
    pub fn begin_join(&mut self) {
        self.call(Call::Subscribe {
            topics: vec!["t".into()],
        });
        self.poll();
        self.answer(metadata(3));
        self.answer(find_coordinator(ErrorCode::None));
    }

    /// A follower with these partitions, at these committed offsets.
    pub fn become_member(&mut self, owned: &[(i32, i64)]) {
        self.begin_join();
        self.answer(join_failed(ErrorCode::MemberIdRequired, "m"));
        self.answer(joined(1, "m", "other"));
        let numbers: Vec<i32> = owned.iter().map(|(number, _)| *number).collect();
        self.answer(synced(&numbers));
        if !owned.is_empty() {
            self.answer(offsets(owned));
        }
    }

    /// A fetch brings one record of partition 0, at that offset.
    pub fn fetch_record(&mut self, offset: i64) {
        let record = Record {
            timestamp_delta: 0,
            offset_delta: 0,
            key: None,
            value: None,
            headers: Vec::new(),
        };
        let batch = RecordBatch {
            base_offset: Offset(offset),
            partition_leader_epoch: 0,
            attributes: 0,
            last_offset_delta: 0,
            base_timestamp: 0,
            max_timestamp: 0,
            producer_id: -1,
            producer_epoch: -1,
            base_sequence: -1,
            records: [record].into(),
            size_bytes: 70,
        };
        let mut answer = fetched(0, ErrorCode::None);
        for partition in answer
            .responses
            .iter_mut()
            .flat_map(|topic| &mut topic.partitions)
        {
            partition.high_watermark = Offset(offset + 1);
            partition.records = vec![Rc::new(batch.clone())];
        }
        self.answer(answer);
    }

    /// The last result of a call.
    pub fn last(&self) -> Option<&Result<Returned, Exception>> {
        self.returned.last()
    }

    /// What went out since the log was last looked at, without fetches.
    pub fn take_log(&mut self) -> Vec<String> {
        let mut log = std::mem::take(&mut self.log);
        log.retain(|entry| entry != "Fetch");
        log
    }
}

/// What a broker of 4.0 says that it speaks.
pub fn what_is_spoken() -> ApiVersionsResponse {
    let ranges = ApiKey::ALL.iter().map(|&api| ApiVersion {
        api_key: api.key(),
        min_version: versions(api).min,
        max_version: versions(api).max,
    });
    ApiVersionsResponse {
        api_keys: ranges.collect(),
        ..ApiVersionsResponse::default()
    }
}

pub fn metadata(partitions: i32) -> MetadataResponse {
    let partition = |partition_index| MetadataResponsePartition {
        error_code: ErrorCode::None,
        partition_index,
        leader_id: LEADER,
        leader_epoch: 0,
        replica_nodes: vec![LEADER],
        isr_nodes: vec![LEADER],
        offline_replicas: Vec::new(),
    };
    MetadataResponse {
        brokers: [LEADER, COORDINATOR]
            .map(|node_id| MetadataResponseBroker {
                node_id,
                host: "b".into(),
                port: 9092,
                rack: None,
            })
            .into(),
        cluster_id: None,
        controller_id: LEADER,
        topics: vec![MetadataResponseTopic {
            error_code: ErrorCode::None,
            name: Some("t".into()),
            topic_id: Uuid { high: 0, low: 7 },
            is_internal: false,
            partitions: (0..partitions).map(partition).collect(),
        }],
    }
}

pub fn find_coordinator(error_code: ErrorCode) -> FindCoordinatorResponse {
    FindCoordinatorResponse {
        coordinators: vec![Coordinator {
            key: "g".into(),
            node_id: if error_code.is_none() {
                COORDINATOR
            } else {
                BrokerId(-1)
            },
            host: "b".into(),
            port: 9092,
            error_code,
            error_message: None,
        }],
    }
}

pub fn join_failed(error_code: ErrorCode, member_id: &str) -> JoinGroupResponse {
    JoinGroupResponse {
        error_code,
        generation_id: Generation::NONE,
        protocol_type: None,
        protocol_name: None,
        leader: MemberId::default(),
        skip_assignment: false,
        member_id: member_id.into(),
        members: Vec::new(),
    }
}

pub fn joined(generation: i32, member_id: &str, leader: &str) -> JoinGroupResponse {
    JoinGroupResponse {
        generation_id: Generation(generation),
        protocol_type: Some("consumer".into()),
        protocol_name: Some("range".into()),
        leader: leader.into(),
        ..join_failed(ErrorCode::None, member_id)
    }
}

pub fn sync_failed(error_code: ErrorCode) -> SyncGroupResponse {
    SyncGroupResponse {
        error_code,
        protocol_type: Some("consumer".into()),
        protocol_name: Some("range".into()),
        assignment: [].into(),
    }
}

pub fn synced(partitions: &[i32]) -> SyncGroupResponse {
    let partitions = partitions
        .iter()
        .map(|&number| TopicPartition::new("t", number));
    let assignment = Assignment {
        partitions: partitions.collect(),
        user_data: None,
    };
    SyncGroupResponse {
        assignment: assignment.encode(3),
        ..sync_failed(ErrorCode::None)
    }
}

pub fn heartbeat(error_code: ErrorCode) -> HeartbeatResponse {
    HeartbeatResponse { error_code }
}

pub fn left() -> LeaveGroupResponse {
    LeaveGroupResponse {
        error_code: ErrorCode::None,
        members: Vec::new(),
    }
}

pub fn committed(error_code: ErrorCode) -> OffsetCommitResponse {
    OffsetCommitResponse {
        topics: vec![OffsetCommitResponseTopic {
            name: "t".into(),
            partitions: vec![OffsetCommitResponsePartition {
                partition_index: 0,
                error_code,
            }],
        }],
    }
}

/// Committed offsets; -1: none.
pub fn offsets(offsets: &[(i32, i64)]) -> OffsetFetchResponse {
    let partitions = offsets
        .iter()
        .map(|&(number, offset)| OffsetFetchResponsePartition {
            partition_index: number,
            committed_offset: Offset(offset),
            committed_leader_epoch: -1,
            metadata: Some("".into()),
            error_code: ErrorCode::None,
        });
    OffsetFetchResponse {
        groups: vec![OffsetFetchResponseGroup {
            group_id: "g".into(),
            topics: vec![OffsetFetchResponseTopic {
                name: "t".into(),
                partitions: partitions.collect(),
            }],
            error_code: ErrorCode::None,
        }],
    }
}

pub fn list_offsets(number: i32, error_code: ErrorCode, offset: i64) -> ListOffsetsResponse {
    ListOffsetsResponse {
        topics: vec![ListOffsetsTopicResponse {
            name: "t".into(),
            partitions: vec![ListOffsetsPartitionResponse {
                partition_index: number,
                error_code,
                timestamp: -1,
                offset: Offset(offset),
                leader_epoch: -1,
            }],
        }],
    }
}

/// A fetch answer about one partition, without records.
pub fn fetched(number: i32, error_code: ErrorCode) -> FetchResponse {
    FetchResponse {
        error_code: ErrorCode::None,
        session_id: 5,
        responses: vec![FetchableTopicResponse {
            topic: "t".into(),
            topic_id: Uuid { high: 0, low: 7 },
            partitions: vec![PartitionData {
                partition_index: number,
                error_code,
                high_watermark: Offset(-1),
                last_stable_offset: Offset(-1),
                log_start_offset: Offset(-1),
                aborted_transactions: None,
                preferred_read_replica: BrokerId(-1),
                records: Vec::new(),
                tagged_fields: Vec::new(),
            }],
        }],
        tagged_fields: Vec::new(),
    }
}
