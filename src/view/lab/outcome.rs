//! What an assignor makes of a group: round after round, until nobody has to give anything up any more.

use super::group::{LabGroup, LabMember, Past, Places, UserData, topic_place};
use crate::kafka::assignor::server::{self, GroupSpec, ServerAssignor};
use crate::kafka::assignor::{self, AssignError, Assignor, Explain};
use crate::kafka::ids::TopicPartition;
use crate::kafka::sorted::sort_places;
use std::rc::Rc;

/// An assignor of either side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Of `partition.assignment.strategy`: the leader runs it.
    Client(Assignor),
    /// Of `group.consumer.assignors`: the coordinator runs it (KIP-848).
    Server(ServerAssignor),
}

impl Rule {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Rule; 6] = [
        Rule::Client(Assignor::Range),
        Rule::Client(Assignor::RoundRobin),
        Rule::Client(Assignor::Sticky),
        Rule::Client(Assignor::CooperativeSticky),
        Rule::Server(ServerAssignor::Uniform),
        Rule::Server(ServerAssignor::Range),
    ];

    /// Its place in [`Rule::ALL`].
    pub fn place(self) -> usize {
        let place = Rule::ALL.iter().position(|rule| *rule == self);
        place.unwrap_or(0)
    }

    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Client(assignor) => assignor.name(),
            Rule::Server(assignor) => assignor.name(),
        }
    }

    /// Whether the coordinator runs it.
    pub const fn is_server(self) -> bool {
        matches!(self, Rule::Server(_))
    }

    /// Whether members give up everything before they join.
    pub const fn is_eager(self) -> bool {
        matches!(
            self,
            Rule::Client(Assignor::Range | Assignor::RoundRobin | Assignor::Sticky)
        )
    }

    /// Whether it looks at what members own.
    pub const fn remembers(self) -> bool {
        matches!(
            self,
            Rule::Client(Assignor::Sticky | Assignor::CooperativeSticky)
                | Rule::Server(ServerAssignor::Uniform)
        )
    }
}

/// Rounds after which a group that still moves is left alone.
const ROUNDS_MOST: usize = 8;

/// What everybody has at the end of a round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// By member: places of partitions, in the order of Kafka's list.
    pub lists: Vec<Vec<usize>>,
    /// Partitions that nobody gets in this round, and whom they are meant for.
    pub held_back: Vec<(usize, usize)>,
}

/// How a partition came to its owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// The owner had it before.
    Kept,
    /// Another member had it.
    Moved {
        /// Which, by place.
        from: usize,
    },
    /// Nobody had it.
    New,
}

/// A partition in the hands of its final owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// Which, by place.
    pub partition: usize,
    /// How it came.
    pub arrival: Arrival,
    /// In which round, counted from 1.
    pub round: usize,
}

/// All that an assignor does with a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The assignor.
    pub rule: Rule,
    /// By member, what it has in the end, in the order of Kafka's list. Nothing for those that left.
    pub shares: Vec<Vec<Placed>>,
    /// What happened in each round; the first is the assignment itself.
    pub rounds: Vec<Round>,
    /// Partitions of the member with the fewest, and with the most.
    pub load: (usize, usize),
    /// Partitions that move from one member that stays to another.
    pub moved: usize,
    /// Partitions that move because their owner is gone.
    pub inherited: usize,
    /// Partitions that members have to give up, for good or for a moment.
    pub revoked: usize,
    /// Partitions in the rack of their owner; `None` where racks are unknown.
    pub in_rack: Option<usize>,
    /// Partitions that nobody gets: no member is subscribed to their topic.
    pub left: usize,
    /// Simple name of the exception, where Kafka's assignor throws.
    pub exception: Option<&'static str>,
}

impl Outcome {
    /// Partitions that are held back in the first round.
    pub fn held_back(&self) -> usize {
        self.rounds.first().map_or(0, |round| round.held_back.len())
    }
}

/// An outcome that is being computed, piece by piece, so that no frame waits for all of it. A clone is cheap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Work {
    rule: Rule,
    group: Rc<LabGroup>,
    rounds: Vec<Rc<Round>>,
    next: Piece,
}

/// What is to be done next for an outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    /// Everybody rejoins with what the last round gave.
    Rejoin,
    /// The assignor runs on the group as it has rejoined.
    Run(Rc<LabGroup>),
    /// What came of it is counted; with the exception that ended it, if one did.
    Count(Option<&'static str>),
}

impl Work {
    pub(super) fn new(rule: Rule, group: &Rc<LabGroup>) -> Self {
        let group = match group.past {
            Past::Shared => group.clone(),
            Past::Own => Rc::new(group.as_found_by(rule)),
        };
        Self {
            rule,
            next: Piece::Run(group.clone()),
            group,
            rounds: Vec::new(),
        }
    }

    /// Does one piece; says what came out when that was the last one.
    pub(super) fn next(&mut self) -> Option<Outcome> {
        let group = &self.group;
        let rounds = self.rounds.len();
        match &self.next {
            Piece::Rejoin => {
                let last = self.rounds.last();
                let again = last.map(|last| Rc::new(after(group, last, rounds, &group.places())));
                self.next = Piece::Run(again.unwrap_or_else(|| group.clone()));
                None
            }
            Piece::Run(input) => {
                self.next = match run(self.rule, input, &group.places(), &mut Explain::off()) {
                    Err(error) => Piece::Count(Some(error.java_name())),
                    Ok(round) => {
                        let is_last = round.held_back.is_empty() || rounds + 1 == ROUNDS_MOST;
                        self.rounds.push(Rc::new(round));
                        if is_last {
                            Piece::Count(None)
                        } else {
                            Piece::Rejoin
                        }
                    }
                };
                None
            }
            Piece::Count(exception) => {
                let rounds = std::mem::take(&mut self.rounds);
                let rounds = rounds.into_iter().map(Rc::unwrap_or_clone).collect();
                let mut outcome = account(self.rule, group, rounds);
                outcome.exception = *exception;
                Some(outcome)
            }
        }
    }
}

/// The group as it rejoins: everybody owns what it was given.
fn after(group: &LabGroup, round: &Round, rounds: usize, places: &Places) -> LabGroup {
    let members = group.members.iter().zip(&round.lists);
    LabGroup {
        members: members
            .map(|(member, list)| LabMember {
                owned: list.iter().map(|place| places.partition(*place)).collect(),
                ..member.clone()
            })
            .collect(),
        topics: group.topics.clone(),
        generation: group
            .generation
            .saturating_add(i32::try_from(rounds).unwrap_or(i32::MAX)),
        past: group.past,
    }
}

/// Runs an assignor once.
pub(super) fn run(
    rule: Rule,
    group: &LabGroup,
    places: &Places,
    explain: &mut Explain,
) -> Result<Round, AssignError> {
    let by_id = group.by_id();
    let mut round = Round {
        lists: vec![Vec::new(); group.members.len()],
        held_back: Vec::new(),
    };
    match rule {
        Rule::Client(assignor) => {
            let user_data = match assignor {
                Assignor::Sticky => UserData::Sticky,
                Assignor::Range | Assignor::RoundRobin | Assignor::CooperativeSticky => {
                    UserData::Cooperative
                }
            };
            let members = group.subscriptions(user_data);
            let result = assignor::assign(assignor, &group.cluster(), &members, explain)?;
            for share in result.members {
                let list = share.partitions.iter().filter_map(|owned| places.of(owned));
                if let Some(slot) = by_id
                    .get(share.member_id.as_str())
                    .and_then(|place| round.lists.get_mut(*place))
                {
                    *slot = list.collect();
                }
            }
            let held = result.held_back.iter();
            round.held_back = held
                .filter_map(|held| {
                    let to = by_id.get(held.to.as_str())?;
                    Some((places.of(&held.partition)?, *to))
                })
                .collect();
        }
        Rule::Server(assignor) => {
            let (members, subscription_type) = group.server_members(places);
            let spec = GroupSpec {
                members: &members,
                subscription_type,
                topics: &group.server_topics(),
            };
            for (member_id, target) in server::assign(assignor, &spec, explain)? {
                let Some(slot) = by_id
                    .get(member_id.as_str())
                    .and_then(|place| round.lists.get_mut(*place))
                else {
                    continue;
                };
                for (topic, numbers) in &target.topics {
                    let name = topic_place(*topic).and_then(|place| group.topics.get(place));
                    let partitions = numbers.iter().filter_map(|number| {
                        places.of(&TopicPartition::new(name?.name.clone(), *number))
                    });
                    slot.extend(partitions);
                }
            }
        }
    }
    Ok(round)
}

/// Counts what the rounds come to.
fn account(rule: Rule, group: &LabGroup, rounds: Vec<Round>) -> Outcome {
    let places = group.places();
    let mut before: Vec<Option<usize>> = vec![None; places.count];
    // Those that are present go last: what they claim counts.
    let mut order: Vec<usize> = (0..group.members.len()).collect();
    let is_present = |place: usize| group.members.get(place).is_some_and(|m| m.is_present);
    sort_places(&mut order, &|left, right| {
        is_present(left).cmp(&is_present(right))
    });
    for place in order {
        for partition in group.members.get(place).map_or(&[][..], |m| &m.owned) {
            if let Some(slot) = places.of(partition).and_then(|at| before.get_mut(at)) {
                *slot = Some(place);
            }
        }
    }
    let is_present = |place: usize| group.members.get(place).is_some_and(|m| m.is_present);
    let mut outcome = Outcome {
        rule,
        shares: vec![Vec::new(); group.members.len()],
        load: (0, 0),
        moved: 0,
        inherited: 0,
        revoked: 0,
        in_rack: None,
        left: places.count,
        exception: None,
        rounds,
    };
    let first_round = first_rounds(&outcome.rounds, places.count);
    for (member, list) in outcome
        .rounds
        .last()
        .map_or(&[][..], |r| &r.lists)
        .iter()
        .enumerate()
    {
        for partition in list {
            let arrival = match before.get(*partition).copied().flatten() {
                Some(from) if from == member => Arrival::Kept,
                Some(from) => Arrival::Moved { from },
                None => Arrival::New,
            };
            match arrival {
                Arrival::Moved { from } if is_present(from) => outcome.moved += 1,
                Arrival::Moved { .. } => outcome.inherited += 1,
                Arrival::Kept | Arrival::New => {}
            }
            outcome.left = outcome.left.saturating_sub(1);
            if let Some(share) = outcome.shares.get_mut(member) {
                share.push(Placed {
                    partition: *partition,
                    arrival,
                    round: first_round
                        .get(*partition)
                        .copied()
                        .filter(|(_, owner)| *owner == member)
                        .map_or(1, |(round, _)| round),
                });
            }
        }
    }
    let shares = &outcome.shares;
    let loads: Vec<usize> = group
        .present()
        .map(|(place, _)| shares.get(place).map_or(0, Vec::len))
        .collect();
    outcome.load = (
        loads.iter().copied().min().unwrap_or(0),
        loads.iter().copied().max().unwrap_or(0),
    );
    outcome.revoked = revoked(rule, group, &outcome, &places);
    outcome.in_rack = in_rack(group, &outcome, &places);
    outcome
}

/// Partitions with a replica in their owner's rack, if any member and any topic has racks.
fn in_rack(group: &LabGroup, outcome: &Outcome, places: &Places) -> Option<usize> {
    let has_racks = group.topics.iter().any(|topic| !topic.racks.is_empty())
        && group.present().any(|(_, member)| member.rack.is_some());
    if !has_racks {
        return None;
    }
    let is_local = |member: &LabMember, placed: &Placed| {
        let (topic, number) = places.topic_and_number(placed.partition);
        let racks = group
            .topics
            .get(topic)
            .map_or(&[][..], |topic| &topic.racks);
        let replicas = racks.get(number.checked_rem(racks.len()).unwrap_or(0));
        replicas
            .zip(member.rack.as_ref())
            .is_some_and(|(replicas, rack)| replicas.contains(rack))
    };
    let shares = group.members.iter().zip(&outcome.shares);
    Some(
        shares
            .map(|(member, share)| {
                share
                    .iter()
                    .filter(|placed| is_local(member, placed))
                    .count()
            })
            .sum(),
    )
}

/// By partition: in which round its last owner first had it, and who that is.
fn first_rounds(rounds: &[Round], count: usize) -> Vec<(usize, usize)> {
    let mut first = vec![(0, usize::MAX); count];
    for (number, round) in rounds.iter().enumerate() {
        for (member, list) in round.lists.iter().enumerate() {
            for partition in list {
                if let Some(slot) = first.get_mut(*partition)
                    && slot.1 != member
                {
                    *slot = (number + 1, member);
                }
            }
        }
    }
    first
}

/// Eager members give up everything, the others what they do not keep.
fn revoked(rule: Rule, group: &LabGroup, outcome: &Outcome, places: &Places) -> usize {
    let mut revoked = 0;
    let mut kept = vec![false; places.count];
    for (place, member) in group.present() {
        let share = outcome.shares.get(place).map_or(&[][..], |share| share);
        for placed in share {
            if let Some(slot) = kept.get_mut(placed.partition) {
                *slot = true;
            }
        }
        let lost = member.owned.iter().filter(|partition| {
            let place = places.of(partition);
            rule.is_eager() || !place.and_then(|at| kept.get(at).copied()).unwrap_or(false)
        });
        revoked += lost.count();
        for placed in share {
            if let Some(slot) = kept.get_mut(placed.partition) {
                *slot = false;
            }
        }
    }
    revoked
}

/// What each member owns when everything has arrived.
pub(super) fn settled(group: &LabGroup, outcome: &Outcome) -> Vec<Vec<TopicPartition>> {
    let places = group.places();
    let named = |share: &Vec<Placed>| {
        let partitions = share.iter().map(|placed| placed.partition);
        partitions.map(|place| places.partition(place)).collect()
    };
    outcome.shares.iter().map(named).collect()
}
