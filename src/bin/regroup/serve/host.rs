//! The thread that owns the broker: bytes into requests, the clock into virtual time, answers into bytes.

use super::BROKER;
use super::connection::Reply;
use regroup::kafka::api::versions::Release;
use regroup::kafka::api::{ApiKey, ApiVersion, ApiVersionsResponse, Response};
use regroup::kafka::broker::{Answer, Broker, BrokerSettings, CoordinatorKind};
use regroup::kafka::cluster::Cluster;
use regroup::kafka::config::BrokerConfig;
use regroup::kafka::error::ErrorCode;
use regroup::kafka::fact::FactId;
use regroup::kafka::ids::ConnectionId;
use regroup::kafka::journal::Journal;
use regroup::kafka::sorted::SortedMap;
use regroup::kafka::time::{Duration, Instant};
use regroup::kafka::wire::{encode_response, read_request, unknown_api_versions_request, versions};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{SystemTime, UNIX_EPOCH};

/// What connections bring.
pub enum Event {
    /// Somebody has connected.
    Opened {
        id: ConnectionId,
        host: String,
        replies: SyncSender<Reply>,
    },
    /// A request, without the length in front. The next comes when this one is done.
    Frame { id: ConnectionId, bytes: Vec<u8> },
    /// The connection has ended.
    Closed { id: ConnectionId },
}

/// A connection as the broker's thread knows it.
struct Peer {
    host: Rc<str>,
    replies: SyncSender<Reply>,
    /// Version of the request in work, and so of its answer.
    api_version: i16,
}

/// The broker and what belongs to it.
pub struct Host {
    broker: Broker,
    cluster: Rc<Cluster>,
    journal: Journal,
    peers: BTreeMap<ConnectionId, Peer>,
    clock: Clock,
    answers: Vec<Answer>,
}

/// The time of day when it began, and a clock that never goes back since then: records carry the time of
/// day, and retention compares with it.
struct Clock {
    started_at: Instant,
    started: std::time::Instant,
}

impl Clock {
    fn start() -> Self {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
        let micros = since_epoch.map_or(0, |since| since.as_micros());
        Self {
            started_at: Instant(i64::try_from(micros).unwrap_or(i64::MAX)),
            started: std::time::Instant::now(),
        }
    }

    fn now(&self) -> Instant {
        let micros = self.started.elapsed().as_micros();
        self.started_at + Duration(i64::try_from(micros).unwrap_or(i64::MAX))
    }
}

impl Host {
    /// A broker that has just started.
    pub fn new((config, cluster): (BrokerConfig, Cluster)) -> Self {
        let (clock, cluster) = (Clock::start(), Rc::new(cluster));
        let retention_check = Duration::from_ms(config.log_retention_check_interval_ms);
        let settings = BrokerSettings {
            id: BROKER,
            config: Rc::new(config),
            group_append: Duration::ZERO,
            offset_append: Duration::ZERO,
            // Member ids of one run are not those of the next.
            seed: clock.started_at.0.cast_unsigned(),
            member_ids: SortedMap::new(),
            coordinator: CoordinatorKind::New,
            release: Release::V4_0,
        };
        let mut journal = Journal::default();
        journal.begin(clock.now(), FactId::BEGINNING);
        let mut broker = Broker::new(settings, Rc::clone(&cluster));
        broker.schedule_log_retention_check(clock.now() + retention_check, &mut journal);
        Self {
            broker,
            cluster,
            journal,
            peers: BTreeMap::new(),
            clock,
            answers: Vec::new(),
        }
    }

    /// Works on what comes, and on what is due, until nobody can bring anything any more.
    pub fn run(mut self, inbox: &Receiver<Event>) {
        loop {
            self.fire_timers();
            let event = match self.time_to_next_timer() {
                Some(wait) => inbox.recv_timeout(wait),
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(event) => self.work_on(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            // Nobody reads them here.
            self.journal.clear_facts();
        }
    }

    fn time_to_next_timer(&self) -> Option<std::time::Duration> {
        let wake = self.broker.next_wake()?;
        let left = (wake.at - self.clock.now()).0.max(0);
        Some(std::time::Duration::from_micros(left.cast_unsigned()))
    }

    fn fire_timers(&mut self) {
        let now = self.clock.now();
        while let Some(wake) = self.broker.next_wake()
            && wake.at <= now
        {
            self.journal.begin(now, wake.set_by);
            self.broker.wake(&mut self.journal, &mut self.answers);
            self.send_answers();
        }
    }

    fn work_on(&mut self, event: Event) {
        match event {
            Event::Opened { id, host, replies } => {
                let peer = Peer {
                    host: host.into(),
                    replies,
                    api_version: 0,
                };
                self.peers.insert(id, peer);
            }
            Event::Frame { id, bytes } => self.work_on_request(id, &bytes),
            Event::Closed { id } => self.close(id),
        }
    }

    fn work_on_request(&mut self, id: ConnectionId, bytes: &[u8]) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        let (header, request) = match read_request(bytes) {
            Ok(read) => read,
            Err(_) => {
                return match unknown_api_versions_request(bytes) {
                    Some(correlation_id) => self.send(id, correlation_id, &only_api_versions(), 0),
                    None => self.close(id),
                };
            }
        };
        peer.api_version = header.api_version;
        self.journal.begin(self.clock.now(), FactId::BEGINNING);
        let (journal, answers) = (&mut self.journal, &mut self.answers);
        self.broker
            .handle(id, header, &peer.host, request, journal, answers);
        let changes = self.broker.take_cluster_changes();
        if !changes.is_empty() {
            let cluster = Rc::make_mut(&mut self.cluster);
            changes.into_iter().for_each(|change| cluster.apply(change));
            let cluster = Rc::clone(&self.cluster);
            self.broker
                .set_cluster(cluster, &mut self.journal, &mut self.answers);
        }
        let is_answered = self.answers.iter().any(|answer| answer.connection == id);
        self.send_answers();
        if !is_answered && self.broker.in_work(id).is_none() {
            self.reply(id, None);
        }
    }

    fn send_answers(&mut self) {
        for answer in std::mem::take(&mut self.answers) {
            let Some(peer) = self.peers.get(&answer.connection) else {
                continue;
            };
            let version = peer.api_version;
            self.send(
                answer.connection,
                answer.correlation_id,
                &answer.response,
                version,
            );
        }
    }

    fn send(&mut self, id: ConnectionId, correlation_id: i32, response: &Response, version: i16) {
        match encode_response(version, correlation_id, 0, response) {
            Ok(bytes) => self.reply(id, Some(bytes)),
            // Something is longer than that version can say.
            Err(_) => self.close(id),
        }
    }

    /// A connection waits for one reply at a time, so there is room for it, or it has ended.
    fn reply(&mut self, id: ConnectionId, reply: Reply) {
        let peer = self.peers.get(&id);
        if peer.is_some_and(|peer| peer.replies.try_send(reply).is_err()) {
            self.close(id);
        }
    }

    /// Forgets the connection; its thread notices that nobody will reply, and ends.
    fn close(&mut self, id: ConnectionId) {
        self.peers.remove(&id);
        self.broker.disconnect(id);
    }
}

/// The answer to an ApiVersions request of an unknown version: which versions of itself it has (KIP-511).
fn only_api_versions() -> Response {
    let range = versions(ApiKey::ApiVersions);
    let response = ApiVersionsResponse {
        error_code: ErrorCode::UnsupportedVersion,
        api_keys: vec![ApiVersion {
            api_key: ApiKey::ApiVersions.key(),
            min_version: range.min,
            max_version: range.max,
        }],
        tagged_fields: Vec::new(),
    };
    response.into()
}
