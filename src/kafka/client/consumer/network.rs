//! Connections, requests in flight, their numbers and time limits (class `NetworkClient`).

use super::membership::MemberGeneration;
use super::{Action, Consumer, Cx, Retry, Timer};
use crate::kafka::api::versions::versions;
use crate::kafka::api::{ApiKey, ApiVersionsResponse, Request, RequestHeader};
use crate::kafka::client::handshake::{Link, Outcome, Spoken, first_version, question};
use crate::kafka::client::{Channel, ClientAction, Flavour};
use crate::kafka::ids::{BrokerId, ClientId, TopicPartition};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use std::collections::VecDeque;
use std::rc::Rc;

/// Default of `reconnect.backoff.ms`.
///
/// DEVIATION: it does not grow towards `reconnect.backoff.max.ms`, and does not apply to a connection that the
/// client itself has closed.
const RECONNECT_BACKOFF_MS: i64 = 50;

/// What a request was sent for: how its answer is to be taken.
#[derive(Clone, Debug)]
pub(super) enum Purpose {
    /// The version in which it is asked.
    ApiVersions(i16),
    Metadata,
    FindCoordinator,
    /// The generation as it was when the request was sent.
    Join(Rc<MemberGeneration>),
    Sync(Rc<MemberGeneration>),
    Heartbeat(Rc<MemberGeneration>),
    Leave,
    /// A commit, by its number.
    Commit(u64),
    OffsetFetch(u64),
    ListOffsets(Rc<[TopicPartition]>),
    Fetch,
    CloseSession,
}

#[derive(Clone, Debug)]
struct InFlight {
    correlation_id: i32,
    purpose: Purpose,
    deadline: Instant,
}

/// A request that waits until the broker has said what it speaks.
#[derive(Clone, Debug)]
struct Unsent {
    request: Request,
    purpose: Purpose,
    deadline: Instant,
}

#[derive(Clone, Debug)]
struct Connection {
    link: Link,
    unsent: VecDeque<Unsent>,
    in_flight: VecDeque<InFlight>,
    /// librdkafka counts per connection.
    next_correlation_id: i32,
    failed_at: Option<Instant>,
}

/// A client's connections.
#[derive(Clone, Debug)]
pub(super) struct Network {
    flavour: Flavour,
    pub client_id: ClientId,
    first_correlation_id: i32,
    /// Java counts over all connections.
    next_correlation_id: i32,
    connections: SortedMap<(BrokerId, Channel), Connection>,
    /// The connections of a member that is older than the scenario stand, whether or not it has used them since.
    standing: Option<Spoken>,
}

/// Newest version of each API that the client speaks, as far as a broker of 4.0 shares it.
pub const fn newest_version(flavour: Flavour, api: ApiKey) -> i16 {
    match (flavour, api) {
        (Flavour::Java, ApiKey::Produce) => 11,
        (Flavour::Java, ApiKey::Fetch) => 17,
        (Flavour::Java, ApiKey::ListOffsets) => 10,
        (_, ApiKey::Metadata) => 12,
        (_, ApiKey::OffsetCommit | ApiKey::OffsetFetch) => 9,
        (Flavour::Java, ApiKey::FindCoordinator) => 6,
        (Flavour::Java, ApiKey::JoinGroup) => 9,
        (Flavour::Java, ApiKey::Heartbeat) => 4,
        (Flavour::Java, ApiKey::LeaveGroup | ApiKey::SyncGroup) => 5,
        (Flavour::Librdkafka, ApiKey::Produce) => 10,
        (Flavour::Librdkafka, ApiKey::Fetch) => 16,
        (Flavour::Librdkafka, ApiKey::ListOffsets) => 7,
        (Flavour::Librdkafka, ApiKey::FindCoordinator) => 2,
        (Flavour::Librdkafka, ApiKey::JoinGroup) => 5,
        (Flavour::Librdkafka, ApiKey::Heartbeat | ApiKey::SyncGroup) => 3,
        (Flavour::Librdkafka, ApiKey::LeaveGroup) => 1,
        (_, ApiKey::ApiVersions) => first_version(flavour),
        // Not sent by this consumer.
        (
            _,
            ApiKey::DescribeGroups
            | ApiKey::ListGroups
            | ApiKey::CreateTopics
            | ApiKey::DeleteTopics
            | ApiKey::DeleteRecords
            | ApiKey::InitProducerId
            | ApiKey::OffsetForLeaderEpoch
            | ApiKey::DescribeConfigs
            | ApiKey::CreatePartitions
            | ApiKey::DeleteGroups
            | ApiKey::OffsetDelete
            | ApiKey::DescribeCluster,
        ) => versions(api).max,
    }
}

impl Network {
    pub fn new(flavour: Flavour, client_id: ClientId, first_correlation_id: i32) -> Self {
        // librdkafka raises the number before it uses it.
        let first_correlation_id = match flavour {
            Flavour::Java => first_correlation_id,
            Flavour::Librdkafka => first_correlation_id.max(1),
        };
        Self {
            flavour,
            client_id,
            first_correlation_id,
            next_correlation_id: first_correlation_id,
            connections: SortedMap::new(),
            standing: None,
        }
    }

    fn connection(&mut self, to: BrokerId, channel: Channel) -> &mut Connection {
        let first = self.first_correlation_id;
        let standing = &self.standing;
        let connection = self.connections.entry((to, channel));
        connection.or_insert_with(|| Connection {
            link: standing.clone().map_or(Link::Closed, Link::Open),
            unsent: VecDeque::new(),
            in_flight: VecDeque::new(),
            next_correlation_id: first,
            failed_at: None,
        })
    }

    /// All connections exist already: what the brokers said when they were opened, and the number of the next
    /// request on that one.
    pub fn install(
        &mut self,
        standing: Spoken,
        to: BrokerId,
        channel: Channel,
        next_correlation_id: i32,
    ) {
        self.standing = Some(standing);
        self.next_correlation_id = next_correlation_id;
        self.connection(to, channel).next_correlation_id = next_correlation_id;
    }

    pub fn is_connected(&self, to: BrokerId, channel: Channel) -> bool {
        let connection = self.connections.get(&(to, channel));
        connection.is_some_and(Connection::is_up)
    }

    /// Whether a request can be sent now: the connection stands, or may be opened.
    pub fn is_available(&self, to: BrokerId, channel: Channel, now: Instant) -> bool {
        let Some(connection) = self.connections.get(&(to, channel)) else {
            return true;
        };
        let pause = Duration::from_ms(RECONNECT_BACKOFF_MS);
        connection.is_up() || connection.failed_at.is_none_or(|at| at + pause <= now)
    }

    /// How many requests await their answers.
    pub fn in_flight(&self, to: BrokerId, channel: Channel) -> usize {
        let connection = self.connections.get(&(to, channel));
        connection.map_or(0, |connection| {
            connection.in_flight.len() + connection.unsent.len()
        })
    }

    fn number(&mut self, to: BrokerId, channel: Channel) -> i32 {
        let flavour = self.flavour;
        let shared = self.next_correlation_id;
        let connection = self.connection(to, channel);
        match flavour {
            Flavour::Java => {
                self.next_correlation_id = shared.wrapping_add(1);
                shared
            }
            Flavour::Librdkafka => {
                let number = connection.next_correlation_id;
                connection.next_correlation_id = number.wrapping_add(1);
                number
            }
        }
    }

    /// Takes the request with that number off the list.
    fn take(&mut self, from: BrokerId, channel: Channel, correlation_id: i32) -> Option<Purpose> {
        let in_flight = &mut self.connections.get_mut(&(from, channel))?.in_flight;
        let place = in_flight
            .iter()
            .position(|request| request.correlation_id == correlation_id)?;
        in_flight.remove(place).map(|request| request.purpose)
    }

    /// The connection is gone: gives what was in flight on it, oldest first.
    fn close(&mut self, from: BrokerId, channel: Channel) -> Vec<Purpose> {
        let Some(connection) = self.connections.get_mut(&(from, channel)) else {
            return Vec::new();
        };
        connection.link = Link::Closed;
        connection.next_correlation_id = self.first_correlation_id;
        let in_flight = connection.in_flight.drain(..);
        let mut purposes: Vec<Purpose> = in_flight.map(|request| request.purpose).collect();
        let unsent = connection.unsent.drain(..);
        purposes.extend(unsent.map(|request| request.purpose));
        purposes
    }

    fn first_deadline(&self, to: BrokerId, channel: Channel) -> Option<Instant> {
        let connection = self.connections.get(&(to, channel))?;
        let in_flight = connection.in_flight.iter();
        let unsent = connection.unsent.iter();
        let deadlines = in_flight.map(|request| request.deadline);
        deadlines
            .chain(unsent.map(|request| request.deadline))
            .min()
    }
}

impl Connection {
    fn is_up(&self) -> bool {
        !matches!(self.link, Link::Closed)
    }
}

impl Consumer {
    /// Sends a request with `request.timeout.ms`.
    pub(super) fn send(
        &mut self,
        to: BrokerId,
        channel: Channel,
        request: Request,
        purpose: Purpose,
        cx: &mut Cx<'_>,
    ) {
        let timeout = Duration::from_ms(self.settings.config.request_timeout_ms.into());
        self.send_within(to, channel, request, purpose, timeout, cx);
    }

    /// Sends a request whose answer is awaited for `timeout`.
    pub(super) fn send_within(
        &mut self,
        to: BrokerId,
        channel: Channel,
        request: Request,
        purpose: Purpose,
        timeout: Duration,
        cx: &mut Cx<'_>,
    ) {
        let flavour = self.settings.flavour;
        let deadline = cx.now() + timeout;
        let unsent = Unsent {
            request,
            purpose,
            deadline,
        };
        let connection = self.network.connection(to, channel);
        match &connection.link {
            Link::Open(spoken) => {
                let api = unsent.request.api();
                let version = spoken.highest(api, newest_version(flavour, api));
                self.transmit(to, channel, version, unsent, cx);
            }
            Link::Asked => connection.unsent.push_back(unsent),
            Link::Closed => {
                connection.link = Link::Asked;
                connection.unsent.push_back(unsent);
                self.ask_versions(to, channel, first_version(flavour), cx);
            }
        }
        self.watch_request_timeout(to, channel, cx);
    }

    /// Asks what the broker at the other end speaks.
    fn ask_versions(&mut self, to: BrokerId, channel: Channel, version: i16, cx: &mut Cx<'_>) {
        let timeout = Duration::from_ms(self.settings.config.request_timeout_ms.into());
        let question = Unsent {
            request: question(self.settings.flavour),
            purpose: Purpose::ApiVersions(version),
            deadline: cx.now() + timeout,
        };
        self.transmit(to, channel, version, question, cx);
    }

    /// The broker has said what it speaks: what waited for that goes out.
    pub(super) fn on_api_versions(
        &mut self,
        from: BrokerId,
        channel: Channel,
        asked: i16,
        answer: ApiVersionsResponse,
        cx: &mut Cx<'_>,
    ) {
        let flavour = self.settings.flavour;
        match Outcome::of(asked, answer) {
            Outcome::Agreed(spoken) => {
                let connection = self.network.connection(from, channel);
                connection.link = Link::Open(spoken.clone());
                for unsent in std::mem::take(&mut connection.unsent) {
                    let api = unsent.request.api();
                    let version = spoken.highest(api, newest_version(flavour, api));
                    self.transmit(from, channel, version, unsent, cx);
                }
            }
            Outcome::Again(version) => self.ask_versions(from, channel, version, cx),
            Outcome::Refused => {
                cx.out.push(ClientAction::Disconnect { from, channel });
                self.connection_broke(from, channel, cx);
                return;
            }
        }
        self.watch_request_timeout(from, channel, cx);
    }

    fn transmit(
        &mut self,
        to: BrokerId,
        channel: Channel,
        api_version: i16,
        unsent: Unsent,
        cx: &mut Cx<'_>,
    ) {
        let correlation_id = self.network.number(to, channel);
        let header = RequestHeader {
            api_version,
            correlation_id,
            client_id: Some(self.network.client_id.clone()),
        };
        let connection = self.network.connection(to, channel);
        connection.in_flight.push_back(InFlight {
            correlation_id,
            purpose: unsent.purpose,
            deadline: unsent.deadline,
        });
        cx.out.push(Action::Send {
            to,
            channel,
            header,
            request: unsent.request,
        });
    }

    /// Sets the timer to the first request that will have waited too long.
    fn watch_request_timeout(&mut self, to: BrokerId, channel: Channel, cx: &mut Cx<'_>) {
        let timer = Timer::Request(to, channel);
        match self.network.first_deadline(to, channel) {
            Some(at) if self.timers.deadline(&timer) == Some(at) => {}
            Some(at) => self.timers.set(timer, at, cx.journal),
            None => {
                self.timers.cancel(&timer);
            }
        }
    }

    /// What the answer was awaited for; `None` if nobody awaits it any more.
    pub(super) fn take_in_flight(
        &mut self,
        from: BrokerId,
        channel: Channel,
        correlation_id: i32,
        cx: &mut Cx<'_>,
    ) -> Option<Purpose> {
        let purpose = self.network.take(from, channel, correlation_id)?;
        self.watch_request_timeout(from, channel, cx);
        Some(purpose)
    }

    /// Closes the connection from this side; what is in flight on it fails.
    pub(super) fn disconnect(&mut self, from: BrokerId, channel: Channel, cx: &mut Cx<'_>) {
        cx.out.push(ClientAction::Disconnect { from, channel });
        self.connection_lost(from, channel, cx);
    }

    /// The other side closed the connection. It is not opened again at once.
    pub(super) fn connection_broke(&mut self, from: BrokerId, channel: Channel, cx: &mut Cx<'_>) {
        let now = cx.now();
        self.network.connection(from, channel).failed_at = Some(now);
        let at = now + Duration::from_ms(RECONNECT_BACKOFF_MS);
        let timer = Timer::Retry(Retry::Reconnect);
        self.timers.set(timer, at, cx.journal);
        self.connection_lost(from, channel, cx);
    }

    /// What could not be sent for want of a connection is tried again.
    pub(super) fn may_reconnect(&mut self, cx: &mut Cx<'_>) {
        self.maybe_update_metadata(cx);
        self.retry_coordinator_lookup(cx);
    }

    /// The connection is gone, from whichever side: every request in flight on it fails.
    pub(super) fn connection_lost(&mut self, from: BrokerId, channel: Channel, cx: &mut Cx<'_>) {
        let failed = self.network.close(from, channel);
        self.timers.cancel(&Timer::Request(from, channel));
        if channel == Channel::Coordinator && self.coordinator.node == Some(from) {
            self.coordinator_disconnected(cx);
        }
        for purpose in failed {
            self.request_failed(purpose, from, cx);
        }
        self.awake();
    }

    fn request_failed(&mut self, purpose: Purpose, from: BrokerId, cx: &mut Cx<'_>) {
        match purpose {
            // What it was asked for fails beside it.
            Purpose::ApiVersions(_) => {}
            Purpose::Metadata => self.on_metadata_failed(cx),
            Purpose::FindCoordinator => self.on_find_coordinator_failed(cx),
            Purpose::Join(_) | Purpose::Sync(_) => self.on_join_disconnected(),
            Purpose::Heartbeat(_) => self.on_heartbeat_failed(cx),
            Purpose::Leave => self.on_leave_answered(),
            Purpose::Commit(ticket) => self.on_commit_disconnected(ticket, cx),
            Purpose::OffsetFetch(ticket) => self.on_offset_fetch_disconnected(ticket, cx),
            Purpose::ListOffsets(partitions) => self.on_list_offsets_failed(&partitions, cx),
            Purpose::Fetch => self.on_fetch_disconnected(from, cx),
            Purpose::CloseSession => self.on_session_closed(),
        }
    }
}
