//! One broker on a bench: requests go in at set times, timers run, answers are collected.

use regroup::kafka::api::versions::Release;
use regroup::kafka::api::{Request, RequestHeader, Response};
use regroup::kafka::broker::{Broker, BrokerSettings, CoordinatorKind};
use regroup::kafka::cluster::{CONSUMER_OFFSETS, Cluster, Node, PartitionMetadata, Topic};
use regroup::kafka::config::BrokerConfig;
use regroup::kafka::fact::{Fact, FactId, FactKind, Party};
use regroup::kafka::ids::{BrokerId, ConnectionId, Uuid};
use regroup::kafka::journal::Journal;
use regroup::kafka::sorted::SortedMap;
use regroup::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// The broker, its clock, and what it has said.
pub struct Bench {
    pub broker: Broker,
    pub facts: Vec<Fact>,
    journal: Journal,
    answers: Vec<Answered>,
}

/// An answer and when it was given.
pub struct Answered {
    pub at: Instant,
    pub connection: ConnectionId,
    pub correlation_id: i32,
    pub response: Response,
}

/// One broker that leads everything, without delays of its own.
pub fn settings() -> BrokerSettings {
    BrokerSettings {
        id: BrokerId(1),
        config: Rc::new(BrokerConfig {
            group_coordinator_append_linger_ms: 0,
            ..BrokerConfig::default()
        }),
        group_append: Duration::ZERO,
        offset_append: Duration::ZERO,
        seed: 1,
        member_ids: SortedMap::new(),
        coordinator: CoordinatorKind::New,
        release: Release::V4_0,
    }
}

/// A cluster of that broker with topics of four partitions.
pub fn cluster(topics: &[&str], coordinator: BrokerId) -> Rc<Cluster> {
    let node = |port| Node {
        host: "b".into(),
        port,
        rack: None,
    };
    let topic = |leader| Topic {
        id: Uuid::default(),
        is_internal: false,
        config: Rc::default(),
        partitions: (0..4)
            .map(|_| PartitionMetadata {
                leader: Some(leader),
                leader_epoch: 0,
                replicas: vec![leader],
                isr: vec![leader],
            })
            .collect(),
    };
    let named = topics
        .iter()
        .map(|&name| (name.into(), topic(BrokerId(1))))
        .chain([(CONSUMER_OFFSETS.into(), topic(coordinator))]);
    Rc::new(Cluster {
        brokers: [(BrokerId(1), node(9091)), (BrokerId(2), node(9092))].into(),
        topics: named.collect(),
    })
}

impl Bench {
    pub fn new(settings: BrokerSettings, cluster: Rc<Cluster>) -> Self {
        Self {
            broker: Broker::new(settings, cluster),
            facts: Vec::new(),
            journal: Journal::default(),
            answers: Vec::new(),
        }
    }

    /// Lets every timer fire that is due up to and including `until`, each at its time.
    pub fn run_until(&mut self, until: Instant) {
        while let Some(wake) = self.broker.next_wake().filter(|wake| wake.at <= until) {
            self.journal
                .begin(wake.at.max(self.journal.now()), wake.set_by);
            self.journal.note_as_cause(FactKind::TimerFired {
                party: Party::Broker(BrokerId(1)),
                why: wake.why,
            });
            self.call(|broker, journal, out| broker.wake(journal, out));
        }
    }

    /// Gives the broker a request at a time up to which the caller has let timers fire.
    pub fn request(
        &mut self,
        at: Instant,
        connection: ConnectionId,
        header: RequestHeader,
        request: Request,
    ) {
        self.journal.begin(at, FactId::BEGINNING);
        self.call(|broker, journal, out| {
            broker.handle(connection, header, &"host".into(), request, journal, out);
        });
    }

    /// Does something else to the broker.
    pub fn act(&mut self, at: Instant, act: impl FnOnce(&mut Broker, &mut Journal)) {
        self.journal.begin(at, FactId::BEGINNING);
        self.call(|broker, journal, _| act(broker, journal));
    }

    fn call(
        &mut self,
        act: impl FnOnce(&mut Broker, &mut Journal, &mut Vec<regroup::kafka::broker::Answer>),
    ) {
        let mut out = Vec::new();
        act(&mut self.broker, &mut self.journal, &mut out);
        let at = self.journal.now();
        self.answers.extend(out.into_iter().map(|answer| Answered {
            at,
            connection: answer.connection,
            correlation_id: answer.correlation_id,
            response: answer.response,
        }));
        let facts = self.journal.take_facts();
        let last = self.facts.last().map_or(0, |fact| fact.id.0);
        for fact in &facts {
            assert!(fact.cause < fact.id, "a fact follows its cause");
            assert!(fact.id.0 > last, "facts are numbered in order");
        }
        self.facts.extend(facts);
    }

    /// Takes the answers given since the last call.
    pub fn take_answers(&mut self) -> Vec<Answered> {
        std::mem::take(&mut self.answers)
    }
}
