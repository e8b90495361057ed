//! What a run says about a field.

use super::evidence::Evidence;
use super::expect::Field;
use super::plan::Subject;
use super::want::Value;
use crate::kafka::api::{ApiKey, Request, Response};
use crate::kafka::broker::Group;
use crate::kafka::fact::Callback;
use crate::kafka::ids::{ActorName, GroupId, TopicPartition};
use crate::kafka::protocol::Assignment;
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use crate::ledger::{Deliveries, GroupLedger, Lag, Ledger, PartitionLedger, Readers};
use crate::world::World;
use std::rc::Rc;

/// What was so at the beginning.
#[derive(Clone, Debug, Default)]
pub(super) struct Beginning {
    pub generations: SortedMap<GroupId, i64>,
    pub log_ends: SortedMap<TopicPartition, i64>,
}

/// Everything that can be asked.
pub(super) struct Witness<'a> {
    pub world: &'a World,
    pub ledger: &'a Ledger,
    pub evidence: &'a Evidence,
    pub beginning: &'a Beginning,
    /// For an expectation of an event's instant.
    pub event_at: Option<Instant>,
}

impl Witness<'_> {
    /// The field's value at this instant.
    pub fn value(&self, field: Field, subject: &Subject) -> Value {
        match field {
            Field::State
            | Field::Generation
            | Field::Members
            | Field::PendingMembers
            | Field::LeaderChanged
            | Field::Assignor
            | Field::Owners => self.of_group(field, subject),
            Field::Moved
            | Field::Revoked
            | Field::Rebalances
            | Field::PausedMs
            | Field::RebalanceMs
            | Field::ChainMs
            | Field::MovedForced
            | Field::MovedVoluntary
            | Field::StickinessPermille
            | Field::FailedAttempts
            | Field::DetectionMs => self.of_rebalances(field, subject),
            Field::RebalanceProtocol
            | Field::MemberId
            | Field::SkipAssignment
            | Field::Exception
            | Field::Callback
            | Field::RequestsSent
            | Field::JoinWaitMs
            | Field::Owned
            | Field::OwnedCount
            | Field::Paused
            | Field::StopTheWorldMs => self.of_member(field, subject),
            Field::JoinError => self.error(subject, ApiKey::JoinGroup),
            Field::SyncError => self.error(subject, ApiKey::SyncGroup),
            Field::LeaveError => self.error(subject, ApiKey::LeaveGroup),
            Field::HeartbeatError => self.error(subject, ApiKey::Heartbeat),
            Field::CommitError => self.error(subject, ApiKey::OffsetCommit),
            Field::OffsetFetchError => self.error(subject, ApiKey::OffsetFetch),
            Field::FetchError => self.error(subject, ApiKey::Fetch),
            Field::ProduceError => self.error(subject, ApiKey::Produce),
            Field::AtMs => match self.event_at {
                Some(at) => Value::Time(at - Instant::ZERO),
                None => Value::Nothing,
            },
            Field::Owner
            | Field::UnownedMs
            | Field::DoubleClaimMs
            | Field::StartOffset
            | Field::Position
            | Field::PositionKept
            | Field::Committed
            | Field::LogEnd
            | Field::CommittedLag
            | Field::PositionLag
            | Field::ProcessingLag => self.of_partition(field, subject),
            Field::Duplicates
            | Field::DupProcessing
            | Field::Skipped
            | Field::SkippedByReset
            | Field::ExpiredUnread
            | Field::InDoubt
            | Field::Delivered
            | Field::Done => self.of_deliveries(field, subject),
            Field::FetchGapMs
            | Field::LatencyMs
            | Field::ResponseRecords
            | Field::ResponseBytes
            | Field::Partition => self.of_traffic(field, subject),
            Field::Epoch
            | Field::MemberEpoch
            | Field::GroupType
            | Field::AckedLost
            | Field::BaseOffset
            | Field::LogOrder
            | Field::PreferredReadReplica
            | Field::FetchTarget => Value::Nothing,
        }
    }

    fn group(&self, subject: &Subject) -> Option<&Group> {
        let id = subject.group.as_ref()?;
        self.world
            .brokers()
            .find_map(|(_, broker)| broker.group(id))
    }

    /// Whose ledger is asked: that of a consumer without a group, or the group's.
    fn readers(&self, subject: &Subject) -> Option<Readers> {
        let lone = subject.of.clone().map(Readers::Lone);
        let lone = lone.filter(|lone| self.ledger.share(lone).is_some());
        lone.or_else(|| subject.group.clone().map(Readers::Group))
    }

    fn ledger(&self, subject: &Subject) -> Option<&GroupLedger> {
        self.ledger.share(&self.readers(subject)?)
    }

    fn owned(&self, subject: &Subject, actor: &ActorName) -> Vec<TopicPartition> {
        self.readers(subject)
            .map_or(Vec::new(), |readers| self.ledger.owned(&readers, actor))
    }

    fn partition(&self, subject: &Subject) -> Option<&PartitionLedger> {
        self.ledger(subject)?.partition(subject.partition.as_ref()?)
    }

    fn of_group(&self, field: Field, subject: &Subject) -> Value {
        if field == Field::Generation
            && let Some(actor) = &subject.of
        {
            return self.generation_in_answer(actor, subject.nth);
        }
        let Some(group) = self.group(subject) else {
            return match field {
                Field::State => Value::Text("none".into()),
                _ => Value::Nothing,
            };
        };
        match field {
            Field::State => Value::Text(group.state().name().into()),
            Field::Generation => Value::Counter {
                now: i64::from(group.generation().0),
                before: self
                    .beginning
                    .generations
                    .get(group.id())
                    .copied()
                    .unwrap_or(0),
            },
            Field::Members => {
                let name = |id| match self.evidence.actor(id) {
                    Some(actor) => Rc::from(actor.as_str()),
                    None => Rc::from(id.as_str()),
                };
                Value::Names(group.members().map(|member| name(member.id())).collect())
            }
            Field::PendingMembers => number(group.pending_joins().len() as u64),
            Field::LeaderChanged => {
                let leaders = self.evidence.leaders(group.id());
                Value::Flag(leaders.windows(2).any(|pair| pair[0] != pair[1]))
            }
            Field::Assignor => match group.protocol() {
                Some(protocol) => Value::Text(protocol.clone()),
                None => Value::Nothing,
            },
            Field::Owners => self.owners(subject),
            _ => Value::Nothing,
        }
    }

    fn generation_in_answer(&self, actor: &ActorName, nth: Option<u32>) -> Value {
        let asked = self.evidence.asked(actor, ApiKey::JoinGroup, nth);
        match asked.and_then(|asked| asked.response.as_deref()) {
            Some(Response::JoinGroup(join)) => Value::Number(i64::from(join.generation_id.0)),
            _ => Value::Nothing,
        }
    }

    fn assigned_in_answer(&self, actor: &ActorName, nth: Option<u32>) -> Value {
        let asked = self.evidence.asked(actor, ApiKey::SyncGroup, nth);
        match asked.and_then(|asked| asked.response.as_deref()) {
            Some(Response::SyncGroup(sync)) => match Assignment::decode(&sync.assignment) {
                Ok(assignment) => Value::Partitions(assignment.partitions),
                Err(_) => Value::Nothing,
            },
            _ => Value::Nothing,
        }
    }

    fn of_traffic(&self, field: Field, subject: &Subject) -> Value {
        let traffic = &self.evidence.traffic;
        if field == Field::Partition {
            let key = subject.key.as_deref().unwrap_or_default();
            return match traffic.partitions_of_key(key) {
                Some((first, last)) => Value::Text(format!("{first}->{last}").into()),
                None => Value::Nothing,
            };
        }
        if field == Field::LatencyMs {
            let Some(entry) = self.partition(subject) else {
                return Value::Nothing;
            };
            return match (&subject.partition, subject.offset) {
                (Some(partition), Some(offset)) => time(traffic.latency(partition, offset)),
                _ => Value::Time(Duration::from_ms(entry.deliveries.latency().longest_ms())),
            };
        }
        let Some(client) = &subject.of else {
            return Value::Nothing;
        };
        if field == Field::FetchGapMs {
            return time(traffic.fetch_gap(client, self.world.now()));
        }
        let answers = traffic.fetched(client);
        let answer = match subject.nth.map(usize::try_from) {
            None => answers.last(),
            Some(Ok(nth)) => nth.checked_sub(1).and_then(|place| answers.get(place)),
            Some(Err(_)) => None,
        };
        match answer {
            Some(answer) if field == Field::ResponseBytes => number(answer.bytes),
            Some(answer) => number(answer.records),
            None => Value::Nothing,
        }
    }

    fn owners(&self, subject: &Subject) -> Value {
        let Some(ledger) = self.ledger(subject) else {
            return Value::Nothing;
        };
        let mut owners: SortedMap<Rc<str>, Vec<TopicPartition>> = SortedMap::new();
        let topic = subject.topic.as_ref();
        let wanted =
            |partition: &TopicPartition| topic.is_none_or(|topic| *topic == partition.topic);
        let partitions = ledger.partitions();
        for (partition, entry) in partitions.filter(|(partition, _)| wanted(partition)) {
            for holding in entry.ownership.holders() {
                let name = holding.member.actor.as_str().into();
                owners.entry(name).or_default().push(partition.clone());
            }
        }
        Value::Owners(owners)
    }

    fn of_rebalances(&self, field: Field, subject: &Subject) -> Value {
        let Some(ledger) = self.ledger(subject) else {
            return Value::Nothing;
        };
        let rebalances = &ledger.rebalances;
        let closed = || {
            let nth = subject.nth.map(u64::from);
            let mut list = rebalances.closed().iter().rev();
            list.find(|rebalance| nth.is_none_or(|nth| nth == rebalance.number))
        };
        match field {
            Field::Moved => {
                let (forced, voluntary) = rebalances.moved();
                let last = rebalances.closed().last();
                let moved = last.map_or(&[][..], |last| &last.movements.moved);
                let listed = moved.iter().map(|moved| moved.partition.clone()).collect();
                match forced + voluntary == moved.len() as u64 {
                    true => Value::Partitions(listed),
                    false => number(forced + voluntary),
                }
            }
            Field::MovedForced => number(rebalances.moved().0),
            Field::MovedVoluntary => {
                let voluntary = rebalances.moved().1;
                let last = rebalances.closed().last();
                let moved = last.map_or(&[][..], |last| &last.movements.moved);
                let moved = moved.iter().filter(|moved| !moved.is_forced);
                let listed: Vec<_> = moved.map(|moved| moved.partition.clone()).collect();
                match voluntary == listed.len() as u64 {
                    true => Value::Partitions(listed),
                    false => number(voluntary),
                }
            }
            Field::Revoked => match &subject.of {
                Some(actor) => {
                    let totals = ledger.members.totals(actor);
                    number(totals.map_or(0, |totals| totals.revoked))
                }
                None => number(ledger.members.revoked()),
            },
            Field::Rebalances => number(rebalances.count()),
            Field::FailedAttempts => number(rebalances.failed_attempts()),
            Field::PausedMs => match &subject.partition {
                Some(_) => {
                    let entry = self.partition(subject);
                    let paused = entry.map(|entry| entry.ownership.paused(self.world.now()));
                    Value::Time(paused.unwrap_or(Duration::ZERO))
                }
                None => Value::Time(ledger.paused(self.world.now())),
            },
            Field::RebalanceMs => time(closed().and_then(|rebalance| rebalance.duration())),
            Field::ChainMs => time(closed().and_then(|rebalance| {
                let stable = rebalance.stable?;
                Some(stable - rebalance.chain_started)
            })),
            Field::StickinessPermille => closed()
                .and_then(|rebalance| rebalance.movements.stickiness_permille())
                .map_or(Value::Nothing, number),
            Field::DetectionMs => {
                let departures = ledger.departures.list().iter().rev();
                let of = |actor: &ActorName| subject.of.as_ref().is_none_or(|of| of == actor);
                let mut departures = departures.filter(|gone| of(&gone.member.actor));
                time(departures.next().and_then(|gone| gone.detection()))
            }
            _ => Value::Nothing,
        }
    }

    fn of_member(&self, field: Field, subject: &Subject) -> Value {
        let Some(actor) = &subject.of else {
            return Value::Nothing;
        };
        match field {
            Field::RebalanceProtocol => self.rebalance_protocol(actor),
            Field::MemberId => self.member_id(actor, subject),
            Field::SkipAssignment => {
                let asked = self.evidence.asked(actor, ApiKey::JoinGroup, subject.nth);
                match asked.and_then(|asked| asked.response.as_deref()) {
                    Some(Response::JoinGroup(join)) => Value::Flag(join.skip_assignment),
                    _ => Value::Nothing,
                }
            }
            Field::Exception => match self.evidence.thrown(actor, subject.nth) {
                Some(name) => Value::Text(name.clone()),
                None => Value::Nothing,
            },
            Field::Callback => match self.evidence.callback(actor, subject.nth) {
                Some((callback, partitions)) => Value::Text(callback_text(*callback, partitions)),
                None => Value::Nothing,
            },
            Field::RequestsSent => number(self.evidence.requests_sent(actor, subject.api) as u64),
            Field::JoinWaitMs => {
                let totals = self
                    .ledger(subject)
                    .and_then(|ledger| ledger.members.totals(actor));
                time(totals.and_then(|totals| totals.join_wait))
            }
            Field::Owned if subject.api == Some(ApiKey::SyncGroup) => {
                self.assigned_in_answer(actor, subject.nth)
            }
            Field::Owned => Value::Partitions(self.owned(subject, actor)),
            Field::OwnedCount => number(self.owned(subject, actor).len() as u64),
            Field::Paused => {
                let wanted = subject.partition.as_ref();
                let mut paused = self.evidence.paused(actor);
                paused.retain(|partition| wanted.is_none_or(|wanted| wanted == partition));
                Value::Partitions(paused)
            }
            Field::StopTheWorldMs => {
                let now = self.world.now();
                let ledger = self.ledger(subject);
                time(ledger.map(|ledger| ledger.members.stop_the_world(actor, now)))
            }
            _ => Value::Nothing,
        }
    }

    fn rebalance_protocol(&self, actor: &ActorName) -> Value {
        let asked = self.evidence.asked(actor, ApiKey::JoinGroup, None);
        let Some(Request::JoinGroup(join)) = asked.and_then(|asked| asked.request.as_deref())
        else {
            return Value::Nothing;
        };
        // Java takes the highest protocol that all assignors in its list support.
        let cooperative = |name: &str| name == "cooperative-sticky";
        let is_cooperative = join.protocols.iter().all(|one| cooperative(&one.name));
        Value::Text(
            if is_cooperative {
                "COOPERATIVE"
            } else {
                "EAGER"
            }
            .into(),
        )
    }

    fn member_id(&self, actor: &ActorName, subject: &Subject) -> Value {
        let group = self.group(subject);
        let known = |id: &&crate::kafka::ids::MemberId| {
            group.is_some_and(|group| group.member(id).is_some())
        };
        let ids = self.evidence.member_ids(actor);
        match ids.iter().rev().find(known) {
            None => Value::Text("".into()),
            Some(id) if ids.len() > 1 && ids.first() != Some(id) => Value::Text("new".into()),
            Some(id) => Value::Text(id.as_str().into()),
        }
    }

    fn error(&self, subject: &Subject, api: ApiKey) -> Value {
        let asked = subject
            .of
            .as_ref()
            .and_then(|actor| self.evidence.asked(actor, api, subject.nth));
        match asked.map(|asked| asked.error) {
            Some(Some(error)) => Value::Number(i64::from(error.code())),
            Some(None) => Value::Text("unanswered".into()),
            None => Value::Nothing,
        }
    }

    fn of_partition(&self, field: Field, subject: &Subject) -> Value {
        let Some(partition) = &subject.partition else {
            return Value::Nothing;
        };
        let now = self.world.now();
        let lag = || {
            let deliveries = &self.partition(subject)?.deliveries;
            Some(Lag::of(deliveries, self.ledger.log(partition)?))
        };
        let entry = self.partition(subject);
        match field {
            Field::Owner => {
                let owner = entry.and_then(|entry| entry.ownership.owner());
                let name = owner.map_or("", |holding| holding.member.actor.as_str());
                Value::Text(name.into())
            }
            Field::UnownedMs => time(entry.map(|entry| entry.ownership.unowned(now))),
            Field::DoubleClaimMs => time(entry.map(|entry| entry.ownership.double_claim(now))),
            Field::StartOffset => {
                let mut starts = self.evidence.starts(subject.of.as_ref(), Some(partition));
                starts
                    .next_back()
                    .map_or(Value::Nothing, |offset| Value::Number(offset.0))
            }
            Field::Position if subject.of.is_some() => {
                let of = subject.of.as_ref();
                let position = of.and_then(|of| self.evidence.position(of, partition));
                position.map_or(Value::Nothing, |offset| Value::Number(offset.0))
            }
            Field::Position => {
                let reading = entry.and_then(|entry| entry.deliveries.owner());
                let position = reading.and_then(|reading| reading.position);
                position.map_or(Value::Nothing, |offset| Value::Number(offset.0))
            }
            Field::PositionKept => {
                let starts = self.evidence.starts(subject.of.as_ref(), Some(partition));
                Value::Flag(starts.count() <= 1)
            }
            Field::Committed => {
                let committed = entry.and_then(|entry| entry.deliveries.committed());
                Value::Number(committed.map_or(-1, |offset| offset.0))
            }
            Field::LogEnd => match self.ledger.log(partition) {
                Some(log) => Value::Counter {
                    now: log.end.0,
                    before: self.beginning.log_ends.get(partition).copied().unwrap_or(0),
                },
                None => Value::Nothing,
            },
            Field::CommittedLag => signed(lag().and_then(|lag| lag.committed)),
            Field::PositionLag => signed(lag().and_then(|lag| lag.position)),
            Field::ProcessingLag => signed(lag().and_then(|lag| lag.processing)),
            _ => Value::Nothing,
        }
    }

    fn of_deliveries(&self, field: Field, subject: &Subject) -> Value {
        if let Some(actor) = &subject.of {
            let counts = self.evidence.counts(actor);
            return match field {
                Field::Delivered => number(counts.delivered),
                Field::Done => number(counts.done),
                _ => Value::Nothing,
            };
        }
        let of = |deliveries: &Deliveries| match field {
            Field::Duplicates => deliveries.duplicates().deliveries(),
            Field::DupProcessing => deliveries.duplicates().processings(),
            Field::Skipped => deliveries.skipped(),
            Field::SkippedByReset => deliveries.skipped_by_reset(),
            Field::ExpiredUnread => deliveries.expired_unread(),
            Field::InDoubt => deliveries.in_doubt().count(),
            Field::Delivered => deliveries.delivered(),
            Field::Done => deliveries.done(),
            _ => 0,
        };
        match (&subject.partition, self.ledger(subject)) {
            (_, None) => Value::Nothing,
            (Some(_), Some(_)) => number(
                self.partition(subject)
                    .map_or(0, |entry| of(&entry.deliveries)),
            ),
            (None, Some(ledger)) => number(ledger.sum(|entry| of(&entry.deliveries))),
        }
    }
}

fn number(number: u64) -> Value {
    Value::Number(i64::try_from(number).unwrap_or(i64::MAX))
}

fn signed(number: Option<i64>) -> Value {
    number.map_or(Value::Nothing, Value::Number)
}

fn time(length: Option<Duration>) -> Value {
    length.map_or(Value::Nothing, Value::Time)
}

fn callback_text(callback: Callback, partitions: &[TopicPartition]) -> Rc<str> {
    let name = match callback {
        Callback::Revoked => "onPartitionsRevoked",
        Callback::Assigned => "onPartitionsAssigned",
        Callback::Lost => "onPartitionsLost",
    };
    let names: Vec<String> = partitions.iter().map(ToString::to_string).collect();
    format!("{name}([{}])", names.join(", ")).into()
}
