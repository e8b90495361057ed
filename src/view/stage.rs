//! The stage: producers, brokers with their partitions, groups with their members, what is on the wire.

use super::lane::Window;
use super::{
    ActorName, ApiKey, BrokerId, ErrorCode, Exception, GroupId, GroupState, Instant, MemberState,
    Readers, RemovalCause, StopCause, TopicName, TopicPartition, UnownedCause,
};
use crate::world::setup::Keys;
use std::rc::Rc;

/// Everything on the stage.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stage {
    /// In the order of the scenario.
    pub producers: Rc<[Rc<Producer>]>,
    /// By name, Kafka's own left out.
    pub topics: Rc<[Topic]>,
    /// By id.
    pub brokers: Rc<[Rc<Broker>]>,
    /// By name.
    pub groups: Rc<[Rc<Group>]>,
    /// Consumers without a group, in the order of first start.
    pub lone: Rc<[Rc<Member>]>,
    /// Requests and responses that are drawn on the wire.
    pub tokens: Rc<[Token]>,
    /// Rises whenever a partition changes hands: then chips fly.
    pub ownership_revision: u64,
}

/// A topic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Topic {
    /// Its name.
    pub name: TopicName,
    /// How many partitions it has.
    pub partitions: usize,
}

/// Whose a partition is: a consumer's place in the palette, for colour and letter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Owner(pub usize);

impl Owner {
    /// A, B, … Z, AA, AB, …
    pub fn letter(self) -> String {
        let mut letters = Vec::new();
        let mut rest = self.0 + 1;
        while rest > 0 {
            let digit = (rest - 1) % 26;
            letters.push(char::from(b'A' + u8::try_from(digit).unwrap_or(0)));
            rest = (rest - 1) / 26;
        }
        letters.iter().rev().collect()
    }

    /// Place in the page's palette of [`Owner::COLOURS`] colours.
    pub fn colour(self) -> usize {
        self.0 % Self::COLOURS
    }

    /// How many colours the palette has. Beyond them, the letter alone tells owners apart.
    pub const COLOURS: usize = 8;
}

/// A stretch of virtual time that is running out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Countdown {
    /// When it began.
    pub from: Instant,
    /// When it is over.
    pub to: Instant,
    /// Whole seconds that are left, rounded; 0 only when it is over.
    pub left_s: i64,
}

impl Countdown {
    /// The countdown as it stands at `now`.
    pub fn at(now: Instant, from: Instant, to: Instant) -> Countdown {
        let left_us = (to - now).0.max(0);
        Countdown {
            from,
            to,
            left_s: (left_us.saturating_add(500_000) / 1_000_000).max(i64::from(left_us > 0)),
        }
    }
}

/// A producer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Producer {
    /// Its name.
    pub actor: ActorName,
    /// Whether it is a client of Kafka. A feed is none: it writes straight into the logs, and nothing of it is
    /// accumulated, in flight or acknowledged.
    pub is_client: bool,
    /// Whether it sends.
    pub is_running: bool,
    /// Records per second that it is asked for, with a decimal where there is one.
    pub rate: Rc<str>,
    /// Size of a record in bytes.
    pub record_bytes: u32,
    /// What keys its records have.
    pub keys: Keys,
    /// Records in the accumulator.
    pub accumulated: i64,
    /// Records in requests without an answer.
    pub in_flight: i64,
    /// Records written.
    pub acknowledged: i64,
    /// Records given up.
    pub failed: i64,
    /// Whether the inspector shows it.
    pub is_selected: bool,
}

/// A broker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broker {
    /// `node.id`
    pub id: BrokerId,
    /// The groups it coordinates.
    pub coordinates: Rc<[GroupId]>,
    /// The partitions it leads; if the stage has more than [`LANES_MOST`], only the chosen one.
    pub lanes: Rc<[Rc<Lane>]>,
    /// The partitions it leads, if they are too many for lanes.
    pub cells: Rc<[Cell]>,
    /// Whether the inspector shows it.
    pub is_selected: bool,
}

/// Partitions above which the stage shows cells instead of lanes.
pub const LANES_MOST: usize = 60;
/// Members above which a group shows lines instead of cards.
pub const CARDS_MOST: usize = 20;

/// A partition where there are many: whose it is, in the group that is looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Which one.
    pub partition: TopicPartition,
    /// The consumer that holds it. `None`: nobody does.
    pub holder: Option<ActorName>,
    /// The same as colour and letter.
    pub owner: Option<Owner>,
    /// Whether the inspector shows it.
    pub is_selected: bool,
}

/// A partition on its leader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// Which one.
    pub partition: TopicPartition,
    /// What it is called where there is little room: its number, if there is but one topic.
    pub label: Rc<str>,
    /// The stretch that is drawn.
    pub window: Window,
    /// First offset that exists.
    pub log_start: i64,
    /// High watermark.
    pub high_watermark: i64,
    /// Log end offset.
    pub log_end: i64,
    /// Where each group, and each consumer without one, stands.
    pub marks: Rc<[Mark]>,
    /// Whether the inspector shows it.
    pub is_selected: bool,
}

/// Where a group, or a consumer without one, stands in a partition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Who.
    pub readers: Readers,
    /// Who reads the partition for the group. `None`: nobody.
    pub owner: Option<Owner>,
    /// The owner's position.
    pub position: Option<i64>,
    /// The group's committed offset.
    pub committed: Option<i64>,
}

impl Member {
    /// Whether its process has ended and the group has forgotten it: there is little left to show.
    pub fn is_past(&self) -> bool {
        matches!(self.life, Life::Stopped(_)) && !self.is_known
    }
}

impl Mark {
    /// Committed lag as the group tool prints it.
    pub fn lag(&self, high_watermark: i64) -> Option<i64> {
        self.committed
            .map(|committed| high_watermark.saturating_sub(committed))
    }
}

/// A group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// `group.id`
    pub id: GroupId,
    /// Its state.
    pub state: GroupState,
    /// Its generation.
    pub generation: i32,
    /// The assignor that the members voted for.
    pub assignor: Option<Rc<str>>,
    /// The broker that coordinates it.
    pub coordinator: Option<BrokerId>,
    /// How long the present state may last, if the coordinator waits for somebody.
    pub wait: Option<Countdown>,
    /// In the order of first start.
    pub members: Rc<[Rc<Member>]>,
    /// Partitions that nobody holds.
    pub unowned: Rc<[Unowned]>,
    /// How many partitions it reads or has read.
    pub partitions: usize,
    /// Letters of the longest of their labels, or a few more.
    pub label_letters: usize,
    /// Records delivered to it beyond the first time.
    pub duplicates: i64,
    /// Whether the inspector shows it.
    pub is_selected: bool,
}

/// A partition that no live member holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unowned {
    /// Which one.
    pub partition: TopicPartition,
    /// What it is called where there is little room: its number, if there is but one topic.
    pub label: Rc<str>,
    /// Since when.
    pub since: Instant,
    /// Why.
    pub cause: UnownedCause,
    /// Whole tenths of a second for which it has waited.
    pub waited_tenths: i64,
}

/// Whether a partition without an owner waits for a rebalance that runs, as opposed to somebody who
/// would read it. One picture for each of the two, on the stage and over time.
pub const fn is_paused(cause: UnownedCause) -> bool {
    match cause {
        UnownedCause::EagerRevoke | UnownedCause::CooperativeHandOver => true,
        UnownedCause::InitialJoin | UnownedCause::Detection | UnownedCause::NoConsumer => false,
    }
}

/// A consumer process, in its group or out of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name.
    pub actor: ActorName,
    /// Colour and letter.
    pub owner: Owner,
    /// `client.id`
    pub client_id: Rc<str>,
    /// Empty: none yet.
    pub member_id: Rc<str>,
    /// `group.instance.id`
    pub instance_id: Option<Rc<str>>,
    /// Whether the coordinator made it the leader.
    pub is_leader: bool,
    /// Whether the coordinator has it as a member.
    pub is_known: bool,
    /// Is the process alive?
    pub life: Life,
    /// Its own idea of its membership.
    pub state: MemberState,
    /// What its application thread does.
    pub phase: Phase,
    /// The coordinator's session timer for it.
    pub session: Option<Countdown>,
    /// The client's own `max.poll.interval.ms`.
    pub poll_interval: Option<Countdown>,
    /// What it holds.
    pub partitions: Rc<[Chip]>,
    /// The last error answer or exception, while it is new.
    pub trouble: Option<Trouble>,
    /// What ended it, if an exception did.
    pub thrown: Option<Exception>,
    /// The coordinator removed it, and why.
    pub removed: Option<RemovalCause>,
    /// Whether the inspector shows it.
    pub is_selected: bool,
}

/// A partition at its owner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chip {
    /// Which one.
    pub partition: TopicPartition,
    /// What it is called where there is little room: its number, if there is but one topic.
    pub label: Rc<str>,
    /// Rises with every duplicate delivered from it: then it flashes.
    pub duplicates: u64,
}

/// Is a process alive?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// It runs.
    Running,
    /// It stands still.
    Frozen,
    /// `close()` is running.
    Closing,
    /// It ended.
    Stopped(StopCause),
}

/// What a consumer's application thread does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// In `poll()`.
    Polling,
    /// Working on what poll returned.
    Processing,
    /// In `commitSync()`.
    Committing,
    /// In a rebalance callback.
    Callback,
    /// In `poll()`, waiting for JoinGroup or SyncGroup.
    Joining,
    /// In `close()`.
    Closing,
    /// Between calls.
    Idle,
}

/// An error that a client met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// The code in the answer.
    pub error: ErrorCode,
    /// The API that was answered with it.
    pub api: ApiKey,
    /// When.
    pub at: Instant,
}

/// A party that a token flies from or to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Party {
    /// A broker.
    Broker(BrokerId),
    /// A client.
    Client(ActorName),
}

/// A request or response on the wire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// Number of the exchange.
    pub exchange: u64,
    /// Whether it is the answer.
    pub is_response: bool,
    /// The API.
    pub api: ApiKey,
    /// The first error in a response.
    pub error: ErrorCode,
    /// Who sent it.
    pub from: Party,
    /// To whom.
    pub to: Party,
    /// When it was sent.
    pub departs: Instant,
    /// When it is drawn to arrive.
    pub arrives: Instant,
}

impl Token {
    /// Whether it belongs to the group protocol, as opposed to the stream of records.
    pub fn is_group_traffic(&self) -> bool {
        !matches!(
            self.api,
            ApiKey::Produce | ApiKey::Fetch | ApiKey::Metadata | ApiKey::ListOffsets
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_have_letters_as_columns_of_a_spreadsheet_do() {
        let letters: Vec<_> = [0, 25, 26, 27, 701, 702]
            .into_iter()
            .map(|index| Owner(index).letter())
            .collect();
        assert_eq!(letters, ["A", "Z", "AA", "AB", "ZZ", "AAA"]);
    }

    #[test]
    fn a_countdown_shows_zero_only_when_it_is_over() {
        let left_s = |now| Countdown::at(Instant(now), Instant(0), Instant(2_000_000)).left_s;
        assert_eq!([left_s(0), left_s(1_999_999), left_s(2_000_000)], [2, 1, 0]);
    }
}
