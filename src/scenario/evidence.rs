//! What a run leaves behind for expectations beyond the ledger: answers, exceptions, callbacks, positions.

use super::expect::{EventFile, EventKind};
use super::traffic::Traffic;
use crate::kafka::api::{ApiKey, Request, Response};
use crate::kafka::config::ConfigError;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Callback, Fact, FactKind, Membership, RemovalCause};
use crate::kafka::ids::{ActorName, GroupId, MemberId, Offset, TopicPartition};
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::Instant;
use std::rc::Rc;

/// A request and what became of it.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// The request, of the group APIs.
    pub request: Option<Rc<Request>>,
    /// The answer, of the group APIs.
    pub response: Option<Rc<Response>>,
    /// The answer's first error.
    pub error: Option<ErrorCode>,
}

/// An event that an expectation points at.
#[derive(Clone, Debug)]
struct Watch {
    event: EventFile,
    api: Option<ApiKey>,
    seen: u32,
    at: Option<Instant>,
}

/// Everything that was gathered.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    asked: SortedMap<(ActorName, ApiKey), Vec<Asked>>,
    open: SortedMap<u64, (ActorName, ApiKey, usize)>,
    actors: SortedMap<MemberId, ActorName>,
    member_ids: SortedMap<ActorName, Vec<MemberId>>,
    thrown: SortedMap<ActorName, Vec<Rc<str>>>,
    callbacks: SortedMap<ActorName, Vec<(Callback, Vec<TopicPartition>)>>,
    paused: SortedMap<ActorName, SortedSet<TopicPartition>>,
    starts: Vec<(ActorName, TopicPartition, Offset)>,
    leaders: SortedMap<GroupId, Vec<MemberId>>,
    counts: SortedMap<ActorName, Counts>,
    watches: Vec<Watch>,
    /// Where each member stood last, also in what it no longer owns.
    positions: SortedMap<(ActorName, TopicPartition), Offset>,
    /// Fetches, records, keys.
    pub traffic: Traffic,
}

/// What one consumer was given and finished.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub delivered: u64,
    pub done: u64,
}

impl Evidence {
    /// Looks out for an event. Gives back the number by which to ask for it.
    pub fn watch(&mut self, event: EventFile, api: Option<ApiKey>) -> usize {
        self.watches.push(Watch {
            event,
            api,
            seen: 0,
            at: None,
        });
        self.watches.len() - 1
    }

    /// When the event happened.
    pub fn happened(&self, watch: usize) -> Option<Instant> {
        self.watches.get(watch)?.at
    }

    /// Takes in what happened.
    pub fn fold(&mut self, fact: &Fact) {
        self.look_out(fact);
        self.traffic.fold(fact);
        match &fact.kind {
            FactKind::RequestSent {
                exchange,
                from,
                request,
                ..
            } => self.sent(*exchange, from, request),
            FactKind::ResponseSent {
                exchange, response, ..
            } => self.answered(*exchange, response),
            FactKind::ResponseReceived { exchange } | FactKind::MessageLost { exchange } => {
                self.open.remove(exchange);
            }
            FactKind::MemberStateChanged { member, .. } | FactKind::Acquire { member, .. } => {
                self.meet(member);
            }
            FactKind::CallbackCalled {
                member,
                callback,
                partitions,
            } => {
                let list = self.callbacks.entry(member.actor.clone()).or_default();
                list.push((*callback, partitions.clone()));
            }
            FactKind::Thrown {
                actor, exception, ..
            } => {
                let list = self.thrown.entry(actor.clone()).or_default();
                list.push(exception.word().into());
            }
            FactKind::PauseChanged {
                member,
                partition,
                paused,
            } => {
                let set = self.paused.entry(member.actor.clone()).or_default();
                if *paused {
                    set.insert(partition.clone());
                } else {
                    set.remove(partition);
                }
            }
            FactKind::Release {
                member, partition, ..
            } => {
                // The pause flag lives and dies with the assignment.
                if let Some(set) = self.paused.get_mut(&member.actor) {
                    set.remove(partition);
                }
            }
            FactKind::PositionSet {
                member,
                partition,
                offset,
                ..
            } => {
                let start = (member.actor.clone(), partition.clone(), *offset);
                self.starts.push(start);
                self.note_position(&member.actor, partition, *offset);
            }
            FactKind::Deliver {
                member,
                partition,
                base,
                next,
            } => {
                self.note_position(&member.actor, partition, *next);
                let counts = self.counts.entry(member.actor.clone()).or_default();
                counts.delivered += next.0.abs_diff(base.0);
            }
            FactKind::Done {
                member, base, next, ..
            } => {
                let counts = self.counts.entry(member.actor.clone()).or_default();
                counts.done += next.0.abs_diff(base.0);
            }
            FactKind::LeaderElected { group, member_id } => {
                let list = self.leaders.entry(group.clone()).or_default();
                list.push(member_id.clone());
            }
            _ => {}
        }
    }

    fn sent(&mut self, exchange: u64, from: &ActorName, request: &Rc<Request>) {
        let api = request.api();
        let is_kept = matches!(&**request, Request::JoinGroup(_) | Request::SyncGroup(_));
        let list = self.asked.entry((from.clone(), api)).or_default();
        self.open.insert(exchange, (from.clone(), api, list.len()));
        list.push(Asked {
            request: is_kept.then(|| request.clone()),
            response: None,
            error: None,
        });
    }

    fn answered(&mut self, exchange: u64, response: &Rc<Response>) {
        let Some((from, api, index)) = self.open.get(&exchange).cloned() else {
            return;
        };
        if let Response::JoinGroup(join) = &**response
            && !join.member_id.is_empty()
        {
            self.note_id(&from, &join.member_id);
        }
        let list = self.asked.entry((from, api)).or_default();
        if let Some(asked) = list.get_mut(index) {
            asked.error = Some(response.error());
            asked.response = asked.request.is_some().then(|| response.clone());
        }
    }

    fn note_position(&mut self, actor: &ActorName, partition: &TopicPartition, offset: Offset) {
        let place = (actor.clone(), partition.clone());
        self.positions.insert(place, offset);
    }

    /// A process could not even be made: its constructor threw.
    pub fn construction_failed(&mut self, actor: &ActorName, error: &ConfigError) {
        // Only the Heartbeat object looks at two values together, deep inside of the constructor.
        let name = match error {
            ConfigError::NotBelow { .. } => "KafkaException caused by IllegalArgumentException",
            ConfigError::NoGroupId => "InvalidGroupIdException",
            ConfigError::UnknownName(_)
            | ConfigError::BadValue { .. }
            | ConfigError::DeliveryTimeoutTooShort
            | ConfigError::UnknownAssignor(_) => "ConfigException",
        };
        let list = self.thrown.entry(actor.clone()).or_default();
        list.push(name.into());
    }

    fn meet(&mut self, member: &Rc<Membership>) {
        if !member.member_id.is_empty() {
            self.note_id(&member.actor, &member.member_id);
        }
    }

    fn note_id(&mut self, actor: &ActorName, member_id: &MemberId) {
        if !self.actors.contains_key(member_id) {
            self.actors.insert(member_id.clone(), actor.clone());
            let ids = self.member_ids.entry(actor.clone()).or_default();
            ids.push(member_id.clone());
        }
    }

    fn look_out(&mut self, fact: &Fact) {
        for index in 0..self.watches.len() {
            let Some(watch) = self.watches.get(index) else {
                return;
            };
            if watch.at.is_none() && self.fits(watch, fact) {
                let watch = &mut self.watches[index];
                watch.seen += 1;
                if watch.seen == watch.event.nth {
                    watch.at = Some(fact.at);
                }
            }
        }
    }

    /// Whether the fact is what the watch waits for.
    fn fits(&self, watch: &Watch, fact: &Fact) -> bool {
        let event = &watch.event;
        let of = |actor: Option<&ActorName>| event.of.is_none() || event.of.as_ref() == actor;
        let in_group = |group: &GroupId| event.group.as_ref().is_none_or(|wanted| wanted == group);
        let at_partition = |partition: &TopicPartition| {
            event
                .partition
                .as_ref()
                .is_none_or(|wanted| wanted == partition)
        };
        let by_member = |member: &Membership, partition: &TopicPartition| {
            of(Some(&member.actor)) && in_group(&member.group) && at_partition(partition)
        };
        match (event.event, &fact.kind) {
            (EventKind::State, FactKind::GroupStateChanged { group, to, .. }) => {
                let wanted = event.state.as_deref();
                in_group(group) && wanted.is_none_or(|state| state == to.name())
            }
            (
                EventKind::SessionExpired | EventKind::Removed,
                FactKind::MemberRemoved {
                    group,
                    member_id,
                    cause,
                },
            ) => {
                let is_wanted =
                    event.event == EventKind::Removed || *cause == RemovalCause::SessionExpired;
                is_wanted && in_group(group) && of(self.actors.get(member_id))
            }
            (EventKind::Request, FactKind::RequestSent { from, request, .. }) => {
                of(Some(from)) && watch.api.is_none_or(|api| api == request.api())
            }
            (EventKind::Answer, FactKind::ResponseReceived { exchange }) => {
                self.is_answer(watch, *exchange)
            }
            (EventKind::Acquired, FactKind::Acquire { member, partition })
            | (
                EventKind::Released,
                FactKind::Release {
                    member, partition, ..
                },
            )
            | (
                EventKind::PositionSet,
                FactKind::PositionSet {
                    member, partition, ..
                },
            ) => by_member(member, partition),
            (
                EventKind::CommitStored,
                FactKind::CommitStored {
                    group, partition, ..
                },
            ) => in_group(group) && at_partition(partition),
            (
                EventKind::Done,
                FactKind::Done {
                    member, partition, ..
                },
            ) => by_member(member, partition),
            (EventKind::Thrown, FactKind::Thrown { actor, .. })
            | (EventKind::Started, FactKind::Started { actor, .. })
            | (EventKind::Stopped, FactKind::Stopped { actor, .. }) => of(Some(actor)),
            _ => false,
        }
    }

    fn is_answer(&self, watch: &Watch, exchange: u64) -> bool {
        let Some((from, api, index)) = self.open.get(&exchange) else {
            return false;
        };
        let asked = self.asked.get(&(from.clone(), *api));
        let error = asked
            .and_then(|list| list.get(*index))
            .and_then(|asked| asked.error);
        let event = &watch.event;
        event.of.as_ref().is_none_or(|wanted| wanted == from)
            && watch.api.is_none_or(|wanted| wanted == *api)
            && event
                .error
                .is_none_or(|wanted| error.is_some_and(|error| error.code() == wanted))
    }

    /// The `nth` request of an API (from 1), or the last.
    pub fn asked(&self, actor: &ActorName, api: ApiKey, nth: Option<u32>) -> Option<&Asked> {
        nth_or_last(self.asked.get(&(actor.clone(), api))?, nth)
    }

    /// How many requests of an API a client sent; of all together.
    pub fn requests_sent(&self, actor: &ActorName, api: Option<ApiKey>) -> usize {
        self.asked
            .iter()
            .filter(|((from, of), _)| from == actor && api.is_none_or(|api| api == *of))
            .map(|(_, list)| list.len())
            .sum()
    }

    /// Whose id it is.
    pub fn actor(&self, member_id: &MemberId) -> Option<&ActorName> {
        self.actors.get(member_id)
    }

    /// The ids that a consumer had, oldest first.
    pub fn member_ids(&self, actor: &ActorName) -> &[MemberId] {
        self.member_ids.get(actor).map_or(&[], |ids| ids)
    }

    /// The `nth` exception, or the last.
    pub fn thrown(&self, actor: &ActorName, nth: Option<u32>) -> Option<&Rc<str>> {
        nth_or_last(self.thrown.get(actor)?, nth)
    }

    /// The `nth` rebalance callback, or the last.
    pub fn callback(
        &self,
        actor: &ActorName,
        nth: Option<u32>,
    ) -> Option<&(Callback, Vec<TopicPartition>)> {
        nth_or_last(self.callbacks.get(actor)?, nth)
    }

    /// Partitions that the application has paused.
    pub fn paused(&self, actor: &ActorName) -> Vec<TopicPartition> {
        self.paused
            .get(actor)
            .map_or(Vec::new(), |set| set.iter().cloned().collect())
    }

    /// Where positions were set, oldest first.
    pub fn starts<'a>(
        &'a self,
        actor: Option<&'a ActorName>,
        partition: Option<&'a TopicPartition>,
    ) -> impl DoubleEndedIterator<Item = Offset> + 'a {
        self.starts
            .iter()
            .filter(move |(who, what, _)| {
                actor.is_none_or(|actor| actor == who)
                    && partition.is_none_or(|partition| partition == what)
            })
            .map(|(_, _, offset)| *offset)
    }

    /// Where a member stands in a partition, or stood when it had it.
    pub fn position(&self, actor: &ActorName, partition: &TopicPartition) -> Option<Offset> {
        let place = (actor.clone(), partition.clone());
        self.positions.get(&place).copied()
    }

    /// The leaders that a group had, oldest first.
    pub fn leaders(&self, group: &GroupId) -> &[MemberId] {
        self.leaders.get(group).map_or(&[], |list| list)
    }

    /// What a consumer was given and finished.
    pub fn counts(&self, actor: &ActorName) -> Counts {
        self.counts.get(actor).copied().unwrap_or_default()
    }
}

fn nth_or_last<T>(list: &[T], nth: Option<u32>) -> Option<&T> {
    match nth {
        Some(nth) => list.get(usize::try_from(nth).ok()?.checked_sub(1)?),
        None => list.last(),
    }
}
