//! The consumer of the classic group protocol, as two threads of one machine.
//!
//! The application thread is `call`, `proceed` and `callback_done`: everything inside API calls, all
//! callbacks, all joins. The network, with the heartbeat thread, is `handle`, `disconnected` and `wake`:
//! it takes answers, keeps the timers, and stores results for the application thread to find.
//!
//! Invariants: a call ends with exactly one `Returned`; the application thread does nothing while the
//! rebalance listener runs, but for the calls that the listener makes; partitions change hands only where
//! facts say so (`Acquire`, `Release`), positions only by `PositionSet` and `Deliver`; heartbeats run from the
//! JoinGroup answer until the membership ends or the next JoinGroup is sent.
//!
//! Sources: `ClassicKafkaConsumer`, `ConsumerCoordinator`, `AbstractCoordinator`, `Heartbeat`,
//! `SubscriptionState`, `AbstractFetch`, `FetchCollector`, `OffsetFetcher`, `FetchSessionHandler`.

mod app;
mod by_topic;
mod close;
mod commit_answers;
mod commits;
mod coordinator;
mod fetch_session;
mod fetcher;
mod heartbeat;
mod join;
mod join_state;
mod leader;
mod membership;
mod metadata;
mod network;
mod pattern;
mod poll;
mod positions;
mod prepare;
mod preset;
mod settings;
mod subscribe;
mod subscription_state;
mod sync_commit;
mod view;

pub use app::Phase;
pub use network::newest_version;
pub use pattern::{Pattern, PatternError};
pub use settings::*;
pub use view::PartitionView;

use super::{Channel, ClientAction};
use crate::kafka::api::Response;
use crate::kafka::chance::Chance;
use crate::kafka::fact::{Membership, Why};
use crate::kafka::ids::{BrokerId, Generation, MemberId};
use crate::kafka::journal::Journal;
use crate::kafka::time::{Duration, Instant};
use crate::kafka::timers::{Timers, Wake};
use network::Purpose;
use std::rc::Rc;

/// What a consumer wants done.
pub type Action = ClientAction<ConsumerEvent>;

/// What one call of the machine may write to.
struct Cx<'a> {
    journal: &'a mut Journal,
    out: &'a mut Vec<Action>,
}

impl Cx<'_> {
    fn now(&self) -> Instant {
        self.journal.now()
    }
}

/// The machine's timers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Timer {
    Heartbeat,
    Session,
    MaxPoll,
    AutoCommit,
    /// The time given to a call; `true`: a call made in a callback.
    Call(bool),
    /// The commit before JoinGroup is given up on.
    JoinPrepare,
    /// The leader's assignor is done.
    Assigning,
    Retry(Retry),
    /// The oldest request on a connection has waited too long.
    Request(BrokerId, Channel),
    MetadataMaxAge,
}

/// What is tried again after a pause.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Retry {
    /// Connections that broke may be opened again.
    Reconnect,
    Join,
    Prepare,
    Coordinator,
    Metadata,
    OffsetFetch,
    Reset,
    Commit,
}

impl Timer {
    fn why(self) -> Why {
        match self {
            Timer::Heartbeat => Why::HeartbeatInterval,
            Timer::Session => Why::ClientSessionTimeout,
            Timer::MaxPoll => Why::MaxPollInterval,
            Timer::AutoCommit => Why::AutoCommitInterval,
            Timer::Call(_) | Timer::JoinPrepare => Why::CallTimeout,
            Timer::Assigning => Why::Assigning,
            Timer::Retry(_) => Why::RetryBackoff,
            Timer::Request(..) => Why::RequestTimeout,
            Timer::MetadataMaxAge => Why::MetadataMaxAge,
        }
    }
}

/// A consumer.
#[derive(Clone, Debug)]
pub struct Consumer {
    settings: Rc<ConsumerSettings>,
    app: app::Application,
    network: network::Network,
    metadata: metadata::Metadata,
    snapshot: Rc<metadata::Snapshot>,
    snapshot_version: u64,
    subscriptions: subscription_state::SubscriptionState,
    coordinator: coordinator::CoordinatorLookup,
    group: membership::Group,
    join: join_state::Join,
    heartbeat: heartbeat::Heartbeat,
    commits: commits::Commits,
    positions: positions::Positions,
    fetcher: fetcher::Fetcher,
    timers: Timers<Timer>,
    chance: Chance,
    sessions_closing: u32,
}

impl Consumer {
    /// A consumer that has done nothing yet.
    pub fn new(settings: ConsumerSettings) -> Consumer {
        let config = &settings.config;
        let membership = Membership {
            group: config.group_id.clone().unwrap_or_default(),
            actor: settings.actor.clone(),
            process: settings.process,
            member_id: MemberId::default(),
            group_instance_id: config.group_instance_id.clone(),
            generation: Generation::NONE,
        };
        let first = settings.first_correlation_id;
        let client_id = config.client_id.clone();
        Consumer {
            app: app::Application::default(),
            network: network::Network::new(settings.flavour, client_id, first),
            metadata: metadata::Metadata::default(),
            snapshot: Rc::default(),
            snapshot_version: 0,
            subscriptions: subscription_state::SubscriptionState::new(config.auto_offset_reset),
            coordinator: coordinator::CoordinatorLookup::default(),
            group: membership::Group::new(membership),
            join: join_state::Join::default(),
            heartbeat: heartbeat::Heartbeat::default(),
            commits: commits::Commits::default(),
            positions: positions::Positions::default(),
            fetcher: fetcher::Fetcher::default(),
            timers: Timers::default(),
            chance: Chance::new(settings.seed, &format!("backoff of {}", settings.actor)),
            sessions_closing: 0,
            settings: Rc::new(settings),
        }
    }

    /// Makes it a member of a generation that already exists.
    pub fn install(
        &mut self,
        preset: MembershipPreset,
        journal: &mut Journal,
        out: &mut Vec<Action>,
    ) {
        self.install_membership(preset, &mut Cx { journal, out });
    }

    /// The application calls. One call at a time, but for calls made in a callback.
    pub fn call(&mut self, call: Call, journal: &mut Journal, out: &mut Vec<Action>) {
        self.begin(call, &mut Cx { journal, out });
    }

    /// The rebalance listener returned.
    pub fn callback_done(&mut self, journal: &mut Journal, out: &mut Vec<Action>) {
        self.called_back(&mut Cx { journal, out });
    }

    /// An answer arrived.
    pub fn handle(
        &mut self,
        from: BrokerId,
        channel: Channel,
        correlation_id: i32,
        response: Response,
        journal: &mut Journal,
        out: &mut Vec<Action>,
    ) {
        let cx = &mut Cx { journal, out };
        if self.is_closed() {
            return;
        }
        let Some(purpose) = self.take_in_flight(from, channel, correlation_id, cx) else {
            return;
        };
        match (purpose, response) {
            (Purpose::ApiVersions(asked), Response::ApiVersions(answer)) => {
                self.on_api_versions(from, channel, asked, answer, cx);
            }
            (Purpose::Metadata, Response::Metadata(answer)) => self.on_metadata(&answer, cx),
            (Purpose::FindCoordinator, Response::FindCoordinator(answer)) => {
                self.on_find_coordinator(&answer, cx);
            }
            (Purpose::Join(sent), Response::JoinGroup(answer)) => self.on_join_group(sent, answer),
            (Purpose::Sync(sent), Response::SyncGroup(answer)) => {
                self.on_sync_group(&sent, answer, cx);
            }
            (Purpose::Heartbeat(sent), Response::Heartbeat(answer)) => {
                self.on_heartbeat(&sent, answer.error_code, cx);
            }
            (Purpose::Leave, Response::LeaveGroup(_)) => self.on_leave_answered(),
            (Purpose::Commit(ticket), Response::OffsetCommit(answer)) => {
                self.on_offset_commit(ticket, &answer, cx);
            }
            (Purpose::OffsetFetch(ticket), Response::OffsetFetch(answer)) => {
                self.on_offset_fetch(ticket, &answer, cx);
            }
            (Purpose::ListOffsets(_), Response::ListOffsets(answer)) => {
                self.on_list_offsets(&answer, cx);
            }
            (Purpose::Fetch, Response::Fetch(answer)) => self.on_fetch(from, answer),
            (Purpose::CloseSession, Response::Fetch(_)) => self.on_session_closed(),
            (purpose, response) => {
                debug_assert!(false, "{:?} answered {purpose:?}", response.api());
            }
        }
    }

    /// A connection broke: what was sent over it gets no answer.
    pub fn disconnected(
        &mut self,
        from: BrokerId,
        channel: Channel,
        journal: &mut Journal,
        out: &mut Vec<Action>,
    ) {
        if !self.is_closed() {
            self.connection_broke(from, channel, &mut Cx { journal, out });
        }
    }

    /// One due timer fires.
    pub fn wake(&mut self, journal: &mut Journal, out: &mut Vec<Action>) {
        let Some(timer) = self.timers.pop_due(journal.now()) else {
            return;
        };
        let cx = &mut Cx { journal, out };
        match timer {
            Timer::Heartbeat => self.heartbeat_due(cx),
            Timer::Session => self.session_timer_fired(cx),
            Timer::MaxPoll => self.poll_timer_fired(cx),
            Timer::AutoCommit => self.auto_commit_timer_fired(cx),
            Timer::Call(_) | Timer::JoinPrepare => self.awake(),
            Timer::Assigning => self.assigning_timer_fired(cx),
            Timer::Retry(Retry::Coordinator) => self.retry_coordinator_lookup(cx),
            Timer::Retry(Retry::Reconnect) => self.may_reconnect(cx),
            Timer::Retry(Retry::Metadata) => self.maybe_update_metadata(cx),
            Timer::Retry(
                Retry::Join | Retry::Prepare | Retry::OffsetFetch | Retry::Reset | Retry::Commit,
            ) => self.awake(),
            Timer::Request(node, channel) => self.disconnect(node, channel, cx),
            Timer::MetadataMaxAge => self.request_metadata_update(cx),
        }
    }

    /// When it wants to be woken.
    pub fn next_wake(&self) -> Option<Wake> {
        let (at, sequence, timer, set_by) = self.timers.first()?;
        Some(Wake {
            at,
            sequence,
            why: timer.why(),
            set_by,
        })
    }

    /// When `max.poll.interval.ms` ends, if the heartbeat thread watches it.
    pub fn max_poll_deadline(&self) -> Option<Instant> {
        self.timers.deadline(&Timer::MaxPoll)
    }

    /// Whether the call that the application is blocked in can go on.
    pub fn can_proceed(&self) -> bool {
        self.is_awake()
    }

    /// The blocked call goes on.
    pub fn proceed(&mut self, journal: &mut Journal, out: &mut Vec<Action>) {
        self.run(&mut Cx { journal, out });
    }

    /// `wakeup()`: a blocked poll returns at once, empty-handed (instead of throwing WakeupException, which
    /// programs catch). Without one, nothing happens.
    pub fn wakeup(&mut self, journal: &mut Journal, out: &mut Vec<Action>) {
        self.end_poll(&mut Cx { journal, out });
    }

    /// Pause before a retry after `attempts` failures: `retry.backoff.ms`, doubled each time up to
    /// `retry.backoff.max.ms`, ±20 % (class `ExponentialBackoff`).
    fn backoff(&mut self, attempts: u32) -> Duration {
        let config = &self.settings.config;
        let doubled = config
            .retry_backoff_ms
            .saturating_mul(1_i64 << attempts.min(30));
        let pause = Duration::from_ms(doubled.min(config.retry_backoff_max_ms));
        if !self.settings.backoff_jitter {
            return pause;
        }
        let per_mille = 800 + i64::from(self.chance.below(401));
        Duration(pause.0 / 1_000 * per_mille)
    }
}
