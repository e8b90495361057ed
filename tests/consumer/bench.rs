//! One broker and some consumers on a bench without latency, in the order of the ideal model: acts, timers in
//! the order of setting, deliveries first in first out, blocked calls in rounds by name.

use regroup::kafka::api::versions::Release;
use regroup::kafka::api::{Request, RequestHeader, Response};
use regroup::kafka::broker::{Answer, Broker, BrokerSettings, CoordinatorKind, Group, GroupPreset};
use regroup::kafka::client::consumer::{
    Action, Call, Consumer, ConsumerEvent, ConsumerSettings, MembershipPreset, Phase, Returned,
};
use regroup::kafka::client::{Channel, ClientAction, Flavour};
use regroup::kafka::cluster::{CONSUMER_OFFSETS, Cluster, Node, PartitionMetadata, Topic};
use regroup::kafka::config::{BrokerConfig, ConsumerConfig, OffsetReset};
use regroup::kafka::error::ErrorCode;
use regroup::kafka::fact::{Callback, Exception, Fact, FactId, FactKind};
use regroup::kafka::ids::{
    BrokerId, ClientId, ConnectionId, MemberId, Offset, TopicPartition, Uuid,
};
use regroup::kafka::journal::Journal;
use regroup::kafka::record::{Record, RecordBatch};
use regroup::kafka::sorted::SortedMap;
use regroup::kafka::time::{Duration, Instant};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

pub const BROKER: BrokerId = BrokerId(1);

/// How the program around a consumer spends its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program {
    /// Always inside poll; handles records in no time.
    AlwaysPolling,
    /// The same, and calls commitSync after each poll that returned records.
    CommitsEachBatch,
    /// Polls when the test says so.
    ByHand,
}

pub struct Process {
    pub consumer: Consumer,
    pub program: Program,
    /// Outside poll until then.
    pub busy_until: Option<Instant>,
    pub exceptions: Vec<(Instant, Exception)>,
    pub returned: Vec<(Instant, Returned)>,
    connections: BTreeMap<Channel, ConnectionId>,
    /// Its program is in its loop.
    looping: bool,
    alive: bool,
}

/// A request as it went out.
pub struct Sent {
    pub at: Instant,
    pub who: String,
    pub channel: Channel,
    pub header: RequestHeader,
    pub request: Request,
}

impl Sent {
    pub fn api(&self) -> &'static str {
        self.request.api().name()
    }
}

enum Delivery {
    ToBroker(String, Channel, RequestHeader, Request),
    ToClient(String, Channel, ConnectionId, i32, Response),
}

pub struct Bench {
    pub broker: Broker,
    pub processes: BTreeMap<String, Process>,
    pub facts: Vec<Fact>,
    /// Every request that was sent.
    pub sent: Vec<Sent>,
    /// Every answer that was delivered.
    pub answered: Vec<(Instant, String, Response)>,
    journal: Journal,
    queue: VecDeque<Delivery>,
    owners: BTreeMap<ConnectionId, (String, Channel)>,
    last_connection: u64,
    feeds: Vec<(TopicPartition, i64)>,
    cluster: Cluster,
    pub steps: u64,
    doomed: Option<String>,
}

pub fn partition(number: i32) -> TopicPartition {
    TopicPartition::new("t", number)
}

pub fn ms(ms: i64) -> Instant {
    Instant::from_ms(ms)
}

fn topic(partitions: usize, id: i64) -> Topic {
    let partition = PartitionMetadata {
        leader: Some(BROKER),
        leader_epoch: 0,
        replicas: vec![BROKER],
        isr: vec![BROKER],
    };
    Topic {
        id: Uuid { high: 0, low: id },
        is_internal: false,
        config: Rc::default(),
        partitions: vec![partition; partitions],
    }
}

/// What the cards set: no initial delay unless a test wants one.
pub fn broker_config(initial_delay_ms: i32) -> BrokerConfig {
    BrokerConfig {
        group_initial_rebalance_delay_ms: initial_delay_ms,
        group_coordinator_append_linger_ms: 0,
        ..BrokerConfig::default()
    }
}

/// A consumer of group `g` by the assignor of that name.
pub fn config(name: &str, assignor: &str) -> ConsumerConfig {
    ConsumerConfig {
        group_id: Some("g".into()),
        client_id: name.into(),
        partition_assignment_strategy: vec![assignor.into()],
        auto_offset_reset: OffsetReset::Earliest,
        enable_auto_commit: false,
        ..ConsumerConfig::default()
    }
}

impl Bench {
    pub fn new(partitions: usize, config: BrokerConfig) -> Self {
        Self::with_topic("t", partitions, config, SortedMap::new())
    }

    /// With a topic of that name, and member ids that the broker is to hand out.
    pub fn with_topic(
        name: &str,
        partitions: usize,
        config: BrokerConfig,
        member_ids: SortedMap<ClientId, Vec<MemberId>>,
    ) -> Self {
        let node = Node {
            host: "b1".into(),
            port: 9092,
            rack: None,
        };
        let cluster = Cluster {
            brokers: [(BROKER, node)].into(),
            topics: [
                (name.into(), topic(partitions, 7)),
                (CONSUMER_OFFSETS.into(), topic(50, 1)),
            ]
            .into(),
        };
        let settings = BrokerSettings {
            id: BROKER,
            config: Rc::new(config),
            group_append: Duration::ZERO,
            offset_append: Duration::ZERO,
            seed: 1,
            member_ids,
            coordinator: CoordinatorKind::New,
            release: Release::V4_0,
        };
        let mut journal = Journal::default();
        journal.begin(ms(0), FactId::BEGINNING);
        Self {
            broker: Broker::new(settings, Rc::new(cluster.clone())),
            processes: BTreeMap::new(),
            facts: Vec::new(),
            sent: Vec::new(),
            answered: Vec::new(),
            journal,
            queue: VecDeque::new(),
            owners: BTreeMap::new(),
            last_connection: 0,
            feeds: Vec::new(),
            cluster,
            steps: 0,
            doomed: None,
        }
    }

    pub fn now(&self) -> Instant {
        self.journal.now()
    }

    /// A topic gets more partitions.
    pub fn set_partitions(&mut self, partitions: usize) {
        self.cluster.topics.insert("t".into(), topic(partitions, 7));
        let mut out = Vec::new();
        let cluster = Rc::new(self.cluster.clone());
        self.broker
            .set_cluster(cluster, &mut self.journal, &mut out);
        self.take_answers(out);
    }

    /// Every 100 ms from 50 ms on a record for that partition.
    pub fn feed(&mut self, number: i32) {
        let first = self.now().as_ms().div_euclid(100) * 100 + 50;
        self.feeds.push((partition(number), first));
    }

    /// That many records at once.
    pub fn append(&mut self, number: i32, records: i32) {
        let record = |offset_delta| Record {
            timestamp_delta: 0,
            offset_delta,
            key: None,
            value: Some(vec![0; 10].into()),
            headers: Vec::new(),
        };
        let now_ms = self.now().as_ms();
        let batch = RecordBatch {
            base_offset: Offset(0),
            partition_leader_epoch: -1,
            attributes: 0,
            last_offset_delta: records - 1,
            base_timestamp: now_ms,
            max_timestamp: now_ms,
            producer_id: -1,
            producer_epoch: -1,
            base_sequence: -1,
            records: (0..records).map(record).collect(),
            size_bytes: 61 + 20 * records,
        };
        let mut out = Vec::new();
        self.broker
            .append(
                &partition(number),
                &[Rc::new(batch)],
                &mut self.journal,
                &mut out,
            )
            .expect("the bench's partition takes records");
        self.take_answers(out);
    }

    pub fn start(&mut self, name: &str, config: ConsumerConfig, program: Program) {
        let settings = ConsumerSettings {
            actor: name.into(),
            process: 1,
            config: Rc::new(config),
            flavour: Flavour::Java,
            brokers: Release::V4_0,
            bootstrap: vec![BROKER],
            assign_time: Duration::ZERO,
            heartbeat_step: Duration::ZERO,
            backoff_jitter: false,
            seed: 1,
            first_correlation_id: 0,
        };
        self.start_with(name, settings, program);
    }

    pub fn start_with(&mut self, name: &str, settings: ConsumerSettings, program: Program) {
        let process = Process {
            consumer: Consumer::new(settings),
            program,
            busy_until: None,
            exceptions: Vec::new(),
            returned: Vec::new(),
            connections: BTreeMap::new(),
            looping: false,
            alive: true,
        };
        self.processes.insert(name.into(), process);
    }

    /// A group that was there before.
    pub fn install_group(&mut self, preset: GroupPreset) {
        self.broker.install_group(preset, &mut self.journal);
    }

    /// A membership that was there before.
    pub fn install(&mut self, name: &str, preset: MembershipPreset) {
        self.on(name, |consumer, journal, out| {
            consumer.install(preset, journal, out)
        });
    }

    /// The cluster as everybody knows it.
    pub fn cluster(&self) -> Rc<Cluster> {
        Rc::new(self.cluster.clone())
    }

    /// The scenario's clock stands at that instant when it begins.
    pub fn begin_at(&mut self, at: Instant) {
        self.journal.begin(at, FactId::BEGINNING);
    }

    /// Subscribes to the topic and polls.
    pub fn join(&mut self, name: &str) {
        let topics = vec!["t".into()];
        self.call(name, Call::Subscribe { topics });
        self.poll(name);
    }

    pub fn poll(&mut self, name: &str) {
        let process = self.processes.get_mut(name).expect("a process");
        process.looping = true;
        let timeout = Duration(-1);
        self.call(name, Call::Poll { timeout });
    }

    pub fn call(&mut self, name: &str, call: Call) {
        self.on(name, |consumer, journal, out| {
            consumer.call(call, journal, out)
        });
    }

    /// kill -9: nothing more is heard of it.
    pub fn kill(&mut self, name: &str) {
        let process = self.processes.get_mut(name).expect("a process");
        process.alive = false;
        for connection in process.connections.values() {
            self.broker.disconnect(*connection);
        }
    }

    /// kill -9 at the moment in which a successful answer to its JoinGroup arrives.
    pub fn kill_at_join_answer(&mut self, name: &str) {
        self.doomed = Some(name.into());
    }

    /// Its program leaves its loop and closes the consumer.
    pub fn close(&mut self, name: &str) {
        let process = self.processes.get_mut(name).expect("a process");
        process.program = Program::ByHand;
        self.on(name, |consumer, journal, out| consumer.wakeup(journal, out));
        self.call(name, Call::Close);
        self.settle();
    }

    /// From now on its program works outside poll until then.
    pub fn busy_until(&mut self, name: &str, until: Instant) {
        let process = self.processes.get_mut(name).expect("a process");
        process.busy_until = Some(until);
        self.on(name, |consumer, journal, out| consumer.wakeup(journal, out));
    }

    fn on(&mut self, name: &str, act: impl FnOnce(&mut Consumer, &mut Journal, &mut Vec<Action>)) {
        let mut out = Vec::new();
        let process = self.processes.get_mut(name).expect("a process");
        act(&mut process.consumer, &mut self.journal, &mut out);
        self.facts.extend(self.journal.take_facts());
        for action in out {
            self.act(name, action);
        }
    }

    fn act(&mut self, name: &str, action: Action) {
        match action {
            ClientAction::Send {
                to,
                channel,
                header,
                request,
            } => {
                assert_eq!(to, BROKER);
                self.sent.push(Sent {
                    at: self.now(),
                    who: name.into(),
                    channel,
                    header: header.clone(),
                    request: request.clone(),
                });
                self.queue
                    .push_back(Delivery::ToBroker(name.into(), channel, header, request));
            }
            ClientAction::Disconnect { channel, .. } => {
                let process = self.processes.get_mut(name).expect("a process");
                if let Some(connection) = process.connections.remove(&channel) {
                    self.broker.disconnect(connection);
                }
            }
            ClientAction::Event(event) => self.application(name, event),
        }
    }

    /// The program around the consumer.
    fn application(&mut self, name: &str, event: ConsumerEvent) {
        match event {
            ConsumerEvent::CallbackCalled { .. } => {
                self.on(name, |consumer, journal, out| {
                    consumer.callback_done(journal, out)
                });
            }
            ConsumerEvent::AsyncCommitDone { .. } => {}
            ConsumerEvent::Returned(result) => {
                let now = self.now();
                let process = self.processes.get_mut(name).expect("a process");
                let mut commit = false;
                match result {
                    Err(exception) => process.exceptions.push((now, exception)),
                    Ok(returned) => {
                        let records = match &returned {
                            Returned::Records(records) => !records.is_empty(),
                            Returned::Nothing | Returned::Closed => false,
                        };
                        commit = records && process.program == Program::CommitsEachBatch;
                        process.returned.push((now, returned));
                    }
                }
                let idle = process.consumer.phase() == Phase::Outside;
                let subscribed = process.consumer.subscription().next().is_some();
                let fenced = process
                    .exceptions
                    .last()
                    .is_some_and(|(_, last)| *last == Exception::FencedInstanceId);
                if process.program == Program::ByHand
                    || process.busy_until.is_some()
                    || !idle
                    || !process.looping
                    || !subscribed
                    || fenced
                {
                    return;
                }
                if commit {
                    self.call(name, Call::CommitSync { offsets: None });
                } else {
                    self.poll(name);
                }
            }
        }
    }

    fn take_answers(&mut self, answers: Vec<Answer>) {
        self.facts.extend(self.journal.take_facts());
        for answer in answers {
            let Some((name, channel)) = self.owners.get(&answer.connection).cloned() else {
                continue;
            };
            let number = answer.correlation_id;
            let delivery =
                Delivery::ToClient(name, channel, answer.connection, number, answer.response);
            self.queue.push_back(delivery);
        }
    }

    fn deliver(&mut self, delivery: Delivery) {
        match delivery {
            Delivery::ToBroker(name, channel, header, request) => {
                let process = self.processes.get_mut(&name).expect("a process");
                let connection = *process.connections.entry(channel).or_insert_with(|| {
                    self.last_connection += 1;
                    ConnectionId(self.last_connection)
                });
                self.owners.insert(connection, (name, channel));
                let mut out = Vec::new();
                self.broker.handle(
                    connection,
                    header,
                    &"host".into(),
                    request,
                    &mut self.journal,
                    &mut out,
                );
                self.take_answers(out);
            }
            Delivery::ToClient(name, channel, connection, number, response) => {
                let process = &self.processes[&name];
                if !process.alive || process.connections.get(&channel) != Some(&connection) {
                    return;
                }
                let joined =
                    matches!(&response, Response::JoinGroup(join) if join.error_code.is_none());
                if joined && self.doomed.as_ref() == Some(&name) {
                    self.doomed = None;
                    self.kill(&name);
                    return;
                }
                self.answered
                    .push((self.now(), name.clone(), response.clone()));
                self.on(&name, |consumer, journal, out| {
                    consumer.handle(BROKER, channel, number, response, journal, out);
                });
            }
        }
    }

    /// Lets everything happen up to and including that instant.
    pub fn run_until(&mut self, until: Instant) {
        self.settle();
        while let Some(at) = self.next_instant().filter(|at| *at <= until) {
            self.journal.begin(at.max(self.now()), FactId::BEGINNING);
            self.acts();
            self.settle();
        }
        self.journal.begin(until, FactId::BEGINNING);
    }

    fn alive(&self) -> impl Iterator<Item = (&String, &Process)> {
        self.processes.iter().filter(|(_, process)| process.alive)
    }

    fn next_instant(&self) -> Option<Instant> {
        let broker = self.broker.next_wake().map(|wake| wake.at);
        let clients = self
            .alive()
            .filter_map(|(_, process)| Some(process.consumer.next_wake()?.at));
        let programs = self.alive().filter_map(|(_, process)| process.busy_until);
        let feeds = self.feeds.iter().map(|(_, at)| ms(*at));
        broker
            .into_iter()
            .chain(clients)
            .chain(programs)
            .chain(feeds)
            .min()
    }

    /// Records that are due, programs that are done.
    fn acts(&mut self) {
        let now = self.now();
        for place in 0..self.feeds.len() {
            let (partition, at) = self.feeds[place].clone();
            if ms(at) <= now {
                self.feeds[place].1 = at + 100;
                self.append(partition.partition, 1);
            }
        }
        let done: Vec<String> = self
            .alive()
            .filter(|(_, process)| process.busy_until.is_some_and(|at| at <= now))
            .map(|(name, _)| name.clone())
            .collect();
        for name in done {
            let process = self.processes.get_mut(&name).expect("a process");
            process.busy_until = None;
            if process.program != Program::ByHand {
                self.poll(&name);
            }
        }
    }

    /// Everything that happens at this instant.
    pub fn settle(&mut self) {
        let mut round: BTreeSet<String> = BTreeSet::new();
        loop {
            self.steps += 1;
            assert!(self.steps < 50_000_000, "the bench does not come to rest");
            if self.fire_timer() {
                continue;
            }
            if let Some(delivery) = self.queue.pop_front() {
                self.deliver(delivery);
                continue;
            }
            if round.is_empty() {
                round = self
                    .alive()
                    .filter(|(_, process)| process.consumer.can_proceed())
                    .map(|(name, _)| name.clone())
                    .collect();
            }
            let Some(name) = round.pop_first() else {
                return;
            };
            self.on(&name, |consumer, journal, out| {
                consumer.proceed(journal, out)
            });
        }
    }

    fn fire_timer(&mut self) -> bool {
        let now = self.now();
        let broker = self.broker.next_wake();
        let mut first = broker.map(|wake| (wake.at, wake.sequence, None));
        for (name, process) in self.alive() {
            if let Some(wake) = process.consumer.next_wake() {
                let place = (wake.at, wake.sequence, Some(name.clone()));
                if first.as_ref().is_none_or(|first| place < *first) {
                    first = Some(place);
                }
            }
        }
        match first {
            Some((at, _, who)) if at <= now => {
                match who {
                    Some(name) => {
                        self.on(&name, |consumer, journal, out| consumer.wake(journal, out));
                    }
                    None => {
                        let mut out = Vec::new();
                        self.broker.wake(&mut self.journal, &mut out);
                        self.take_answers(out);
                    }
                }
                true
            }
            _ => false,
        }
    }

    pub fn group(&self) -> &Group {
        self.broker.group(&"g".into()).expect("the group exists")
    }

    pub fn owned(&self, name: &str) -> Vec<i32> {
        let owned = self.processes[name].consumer.owned();
        owned.iter().map(|partition| partition.partition).collect()
    }

    pub fn position(&self, name: &str, number: i32) -> Option<i64> {
        let position = self.processes[name].consumer.position(&partition(number));
        position.map(|offset| offset.0)
    }

    pub fn committed(&self, number: i32) -> Option<i64> {
        let committed = self.broker.committed(&"g".into(), &partition(number));
        committed.map(|committed| committed.offset.0)
    }

    pub fn member_id(&self, name: &str) -> MemberId {
        self.processes[name].consumer.membership().member_id.clone()
    }

    pub fn callbacks(&self, name: &str) -> Vec<(i64, Callback, Vec<i32>)> {
        self.facts
            .iter()
            .filter_map(|fact| match &fact.kind {
                FactKind::CallbackCalled {
                    member,
                    callback,
                    partitions,
                } if &*member.actor == name => {
                    let numbers = partitions.iter().map(|partition| partition.partition);
                    Some((fact.at.as_ms(), *callback, numbers.collect()))
                }
                _ => None,
            })
            .collect()
    }

    /// Requests of one API by that consumer: when.
    pub fn requests(&self, name: &str, api: &str) -> Vec<i64> {
        self.sent
            .iter()
            .filter(|sent| sent.who == name && sent.api() == api)
            .map(|sent| sent.at.as_ms())
            .collect()
    }

    /// Answers of one API to that consumer: when, and with which error.
    pub fn answers(&self, name: &str, api: &str) -> Vec<(i64, ErrorCode)> {
        self.answered
            .iter()
            .filter(|(_, who, response)| who == name && response.api().name() == api)
            .map(|(at, _, response)| (at.as_ms(), response.error()))
            .collect()
    }

    /// Deliveries of an offset beyond the first.
    pub fn duplicates(&self, number: i32) -> usize {
        let mut times: BTreeMap<i64, usize> = BTreeMap::new();
        for fact in &self.facts {
            if let FactKind::Deliver {
                partition,
                base,
                next,
                ..
            } = &fact.kind
                && partition.partition == number
            {
                for offset in base.0..next.0 {
                    *times.entry(offset).or_default() += 1;
                }
            }
        }
        times.values().map(|times| times - 1).sum()
    }
}
