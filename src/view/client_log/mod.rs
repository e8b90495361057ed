//! The log of a client: what happened, in the words in which that client writes it down itself.
//!
//! A fold of facts, for one consumer. The Java client's words are those of the classes `ConsumerCoordinator`,
//! `AbstractCoordinator`, `SubscriptionState` and others of the 4.0 snapshot at level INFO and above;
//! librdkafka's are those of `rdkafka_cgrp.c`, as under `debug=cgrp`. Of both only what concerns membership,
//! partitions, positions and commits.
//!
//! DEVIATION: maps stand in the order of their keys, where Java's stand in that of a hash table; a JoinGroup
//! answer with an error is told when it arrives, also if the application looks at it later; of changed metadata
//! and subscriptions the short reason is told; the Scala coordinator names members by their ids alone.

mod book;
mod coordinator;
mod java;
mod librdkafka;
mod words;

pub use book::{LogBook, LogOf};
pub use coordinator::CoordinatorLog;

use crate::kafka::api::{Request, Response};
use crate::kafka::cluster::Cluster;
use crate::kafka::config::OffsetReset;
use crate::kafka::fact::{Fact, FactId, FactKind, Party, Why};
use crate::kafka::ids::{ActorName, BrokerId, ClientId, TopicPartition};
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::Instant;
use crate::world::setup::ClientFlavour;
use std::rc::Rc;

/// Lines that are kept; the oldest go first.
const LINES_KEPT: usize = 400;
/// Requests whose answer is awaited; more than a client ever has.
const AWAITED_MOST: usize = 256;

/// How grave a line is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LogLevel {
    /// librdkafka's 7.
    Debug,
    /// Java's INFO, librdkafka's 5 and 6.
    Info,
    /// Java's WARN, librdkafka's 4.
    Warn,
    /// Java's ERROR, librdkafka's 3 and below.
    Error,
}

impl LogLevel {
    /// As Java's logs name it.
    pub const fn name(self) -> &'static str {
        match self {
            LogLevel::Debug => "DEBUG",
            LogLevel::Info => "INFO",
            LogLevel::Warn => "WARN",
            LogLevel::Error => "ERROR",
        }
    }
}

/// A line of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogLine {
    /// When.
    pub at: Instant,
    /// What it tells of.
    pub fact: FactId,
    /// How grave it is.
    pub level: LogLevel,
    /// What stands before the words: `[Consumer clientId=c-1, groupId=shop] `. May be empty.
    pub prefix: Rc<str>,
    /// The words.
    pub text: Rc<str>,
    /// The class that logs it, or librdkafka's facility.
    pub logger: &'static str,
}

impl LogLine {
    /// The whole line without its time, as the usual layout of Log4j prints it; librdkafka's as it is.
    pub fn whole(&self) -> String {
        if self.prefix.starts_with('%') {
            return format!("{}{}", self.prefix, self.text);
        }
        let (level, logger) = (self.level.name(), self.logger);
        format!("{level} {}{} ({logger})", self.prefix, self.text)
    }
}

/// Whose log it is, with what its words depend on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Who {
    /// The consumer.
    pub actor: ActorName,
    /// Whose client.
    pub flavour: ClientFlavour,
    /// `client.id`; each request says it anew.
    pub client_id: ClientId,
    /// `max.poll.interval.ms`
    pub max_poll_interval_ms: i32,
    /// `session.timeout.ms`
    pub session_timeout_ms: i32,
    /// `request.timeout.ms`
    pub request_timeout_ms: i32,
    /// `default.api.timeout.ms`
    pub api_timeout_ms: i32,
    /// `auto.offset.reset`
    pub reset: OffsetReset,
    /// Whether the application gives `commitAsync()` a callback: then the client logs no failure itself.
    pub has_commit_callback: bool,
}

/// A request that was sent, and its answer.
#[derive(Clone, Debug)]
struct Exchange {
    at: Instant,
    to: BrokerId,
    correlation_id: i32,
    request: Rc<Request>,
    response: Option<Rc<Response>>,
}

/// What a client notices.
enum Noticed<'a> {
    /// A fact about itself.
    Fact(&'a FactKind),
    /// It sends a request.
    Sent(&'a Exchange),
    /// It has the answer.
    Answered(&'a Exchange, &'a Response),
    /// A request got no answer in time.
    TimedOut(&'a Exchange),
}

/// What a line is written with.
struct Pen<'a> {
    at: Instant,
    fact: FactId,
    cluster: &'a Cluster,
    who: &'a Who,
    lines: &'a mut Vec<Rc<LogLine>>,
}

impl Pen<'_> {
    fn line(
        &self,
        level: LogLevel,
        logger: &'static str,
        prefix: Rc<str>,
        text: String,
    ) -> LogLine {
        LogLine {
            at: self.at,
            fact: self.fact,
            level,
            prefix,
            text: text.into(),
            logger,
        }
    }
}

#[derive(Clone, Debug)]
enum Voice {
    Java(Box<java::Java>),
    Librdkafka(librdkafka::Librdkafka),
}

/// The log of a consumer, over all its processes.
#[derive(Clone, Debug)]
pub struct ClientLog {
    who: Who,
    voice: Voice,
    exchanges: SortedMap<u64, Exchange>,
    lines: Vec<Rc<LogLine>>,
    left_out: u64,
}

impl ClientLog {
    /// An empty log.
    pub fn new(who: Who) -> Self {
        Self {
            voice: match who.flavour {
                ClientFlavour::Java => Voice::Java(Box::default()),
                ClientFlavour::Librdkafka => Voice::Librdkafka(librdkafka::Librdkafka::default()),
            },
            who,
            exchanges: SortedMap::new(),
            lines: Vec::new(),
            left_out: 0,
        }
    }

    /// The lines, oldest first.
    pub fn lines(&self) -> &[Rc<LogLine>] {
        &self.lines
    }

    /// How many older lines were let go.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Takes in what happened. The cluster says where brokers and leaders are.
    pub fn fold(&mut self, fact: &Fact, cluster: &Cluster) {
        let mut pen = Pen {
            at: fact.at,
            fact: fact.id,
            cluster,
            who: &self.who,
            lines: &mut self.lines,
        };
        let voice = &mut self.voice;
        match &fact.kind {
            FactKind::RequestSent {
                exchange,
                from,
                to,
                correlation_id,
                client_id,
                request,
                ..
            } if *from == self.who.actor => {
                let sent = Exchange {
                    at: fact.at,
                    to: *to,
                    correlation_id: *correlation_id,
                    request: request.clone(),
                    response: None,
                };
                say(voice, Noticed::Sent(&sent), &mut pen);
                if let Some(client_id) = client_id.clone() {
                    self.who.client_id = client_id;
                }
                self.exchanges.insert(*exchange, sent);
                if self.exchanges.len() > AWAITED_MOST {
                    self.exchanges.pop_first();
                }
            }
            FactKind::ResponseSent {
                exchange, response, ..
            } => {
                if let Some(sent) = self.exchanges.get_mut(exchange) {
                    sent.response = Some(response.clone());
                }
            }
            FactKind::ResponseReceived { exchange } => {
                if let Some(sent) = self.exchanges.remove(exchange)
                    && let Some(response) = &sent.response
                {
                    say(voice, Noticed::Answered(&sent, response), &mut pen);
                }
            }
            FactKind::TimerFired {
                party: Party::Client(actor),
                why: Why::RequestTimeout,
            } if *actor == self.who.actor => {
                if let Some((_, sent)) = self.exchanges.pop_first() {
                    say(voice, Noticed::TimedOut(&sent), &mut pen);
                }
            }
            kind if actor_of(kind).is_some_and(|actor| *actor == self.who.actor) => {
                if matches!(kind, FactKind::Started { .. }) {
                    self.exchanges.clear();
                }
                say(voice, Noticed::Fact(kind), &mut pen);
            }
            // `assign()` is over when something else happens.
            _ => settle(voice, &mut pen),
        }
        if self.lines.len() > LINES_KEPT {
            let gone = LINES_KEPT / 4;
            self.lines.drain(..gone);
            self.left_out += gone as u64;
            if let Voice::Java(java) = &mut self.voice {
                java.let_go(gone);
            }
        }
    }
}

fn say(voice: &mut Voice, noticed: Noticed<'_>, pen: &mut Pen<'_>) {
    match voice {
        Voice::Java(java) => java.say(noticed, pen),
        Voice::Librdkafka(librdkafka) => librdkafka.say(noticed, pen),
    }
}

fn settle(voice: &mut Voice, pen: &mut Pen<'_>) {
    match voice {
        Voice::Java(java) => java.settle(pen),
        Voice::Librdkafka(_) => {}
    }
}

/// The client that a fact is about.
fn actor_of(kind: &FactKind) -> Option<&ActorName> {
    match kind {
        FactKind::Started { actor, .. }
        | FactKind::Stopped { actor, .. }
        | FactKind::Thrown { actor, .. }
        | FactKind::TimerFired {
            party: Party::Client(actor),
            ..
        } => Some(actor),
        FactKind::MemberStateChanged { member, .. }
        | FactKind::CallbackCalled { member, .. }
        | FactKind::CallbackReturned { member, .. }
        | FactKind::Acquire { member, .. }
        | FactKind::Release { member, .. }
        | FactKind::PositionSet { member, .. }
        | FactKind::Deliver { member, .. }
        | FactKind::CommitStarted { member, .. }
        | FactKind::CommitFinished { member, .. }
        | FactKind::SubscriptionChanged { member, .. }
        | FactKind::PauseChanged { member, .. }
        | FactKind::PollTimeoutExpired { member } => Some(&member.actor),
        _ => None,
    }
}

/// `[orders-0, orders-1]`, as Java prints a collection.
fn collection<'a>(partitions: impl IntoIterator<Item = &'a TopicPartition>) -> String {
    format!("[{}]", joined(partitions))
}

/// `orders-0, orders-1`
fn joined<'a>(partitions: impl IntoIterator<Item = &'a TopicPartition>) -> String {
    let names: Vec<String> = partitions.into_iter().map(ToString::to_string).collect();
    names.join(", ")
}
