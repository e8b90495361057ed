//! The inspector: one thing, closely.

use super::client_code::{ClientCode, CodeLanguage, consumer_code, producer_code};
use super::client_log::LogBook;
use super::event::Event;
use super::messages::Detail;
use super::stage::Owner;
use super::{ActorName, BrokerId, GroupId, Offset, TopicName, TopicPartition};
use crate::ledger::Entry;
use crate::world::setup::{ApplicationSpec, ClientFlavour, ConsumerSpec, Keys, ProducerSpec};
use std::rc::Rc;

/// What the inspector shows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inspector {
    /// The thing, if one is chosen.
    pub thing: Option<Rc<Thing>>,
    /// The message that is chosen, or that the chosen event is about.
    pub message: Option<Rc<Detail>>,
    /// The chain of causes of the chosen event, or of what happened to the thing last: effect first.
    pub why: Rc<[Rc<Event>]>,
    /// The life of the chosen record, oldest first, and how many entries were left out.
    pub life: Option<(Rc<[Entry]>, u64)>,
    /// The log of the chosen consumer, or of the chosen group's coordinator.
    pub log: Option<Rc<LogBook>>,
    /// What the chosen client's code is written from.
    pub source: Option<Rc<ClientSource>>,
}

/// A client, as its next start would have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientSource {
    /// A consumer.
    Consumer(ConsumerSpec),
    /// A producer.
    Producer(ProducerSpec),
}

impl ClientSource {
    /// Its code.
    pub fn code(&self, language: CodeLanguage) -> ClientCode {
        match self {
            ClientSource::Consumer(spec) => consumer_code(spec, language),
            ClientSource::Producer(spec) => producer_code(spec, language),
        }
    }

    /// The language in which it is most likely written.
    pub fn language(&self) -> CodeLanguage {
        match self {
            ClientSource::Consumer(spec) if spec.flavour == ClientFlavour::Librdkafka => {
                CodeLanguage::Python
            }
            ClientSource::Consumer(_) | ClientSource::Producer(_) => CodeLanguage::Java,
        }
    }
}

/// A thing that is chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thing {
    /// What it is.
    pub kind: ThingKind,
    /// Its name.
    pub title: Rc<str>,
    /// Its state, line by line.
    pub rows: Vec<(Label, Rc<str>)>,
    /// Its configurations.
    pub configs: Rc<[ConfigRow]>,
}

/// What a thing is, with what its controls need to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ThingKind {
    /// A consumer.
    Consumer {
        /// Its name.
        actor: ActorName,
        /// Colour and letter.
        owner: Owner,
        /// Whether its process runs.
        is_running: bool,
        /// Its program.
        application: ApplicationSpec,
        /// Its group.
        group: GroupId,
        /// `group.instance.id` of its next start.
        instance_id: Rc<str>,
    },
    /// A producer or feed.
    Producer {
        /// Its name.
        actor: ActorName,
        /// Whether it sends.
        is_running: bool,
        /// Records per second.
        rate_per_s: i64,
        /// Keys.
        keys: Keys,
        /// Size of a record.
        size_bytes: u32,
        /// Whether keys and size can be set.
        is_client: bool,
        /// Whether it has a process.
        is_alive: bool,
        /// Whether that stands still.
        is_frozen: bool,
    },
    /// A broker.
    Broker(BrokerId),
    /// A partition.
    Partition {
        /// Which.
        partition: TopicPartition,
        /// Where its log ends.
        log_end: i64,
    },
    /// A topic.
    Topic {
        /// Its name.
        name: TopicName,
        /// How many partitions it has.
        partitions: i32,
    },
    /// A group.
    Group {
        /// Its id.
        id: GroupId,
        /// The assignors of its consumers, most wanted first.
        strategy: Vec<Rc<str>>,
        /// How its members vote for an assignor.
        vote: Vote,
        /// Topics that it has to do with.
        topics: Vec<TopicName>,
        /// Instance ids of its static members.
        static_members: Vec<Rc<str>>,
    },
    /// An event.
    Event,
    /// A message.
    Message,
    /// A record.
    Record(TopicPartition, Offset),
}

/// How a group chooses its assignor: each member votes for the first assignor of its list that all members have.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Vote {
    /// The assignors that all members list.
    pub candidates: Vec<Rc<str>>,
    /// Each member's list and vote.
    pub ballots: Vec<MemberBallot>,
    /// The assignor that wins; `None` without members.
    pub winner: Option<Rc<str>>,
}

/// A member's list and vote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberBallot {
    /// The consumer, or the member's id where nobody is known.
    pub name: Rc<str>,
    /// Colour and letter.
    pub owner: Option<Owner>,
    /// Its assignors, most wanted first.
    pub list: Vec<Rc<str>>,
    /// Its vote.
    pub vote: Option<Rc<str>>,
}

/// What a line of state says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Label {
    State,
    MemberState,
    Phase,
    ClientId,
    MemberId,
    InstanceId,
    Generation,
    Assignor,
    Leader,
    Coordinator,
    /// The broker that coordinates it.
    CoordinatedBy,
    Members,
    Owned,
    Owner,
    InHand,
    LogStart,
    HighWatermark,
    LogEnd,
    Committed,
    Position,
    Lag,
    Delivered,
    Duplicates,
    Forwarded,
    Unowned,
    Rebalances,
    StopTheWorld,
    Rate,
    Size,
    Written,
    Partitions,
    Leads,
    Process,
    Key,
    /// A field of `ConsumerRecord`, by Kafka's name.
    OfRecord(&'static str),
}

/// A configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigRow {
    /// Dotted name.
    pub name: &'static str,
    /// Its value from the next start on.
    pub value: Rc<str>,
    /// Its default.
    pub default: Rc<str>,
    /// The words it takes, if it is a choice.
    pub choices: &'static [&'static str],
    /// The running process still has another value.
    pub is_pending: bool,
}
