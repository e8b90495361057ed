//! The consumers of a group as processes: what each holds, joins, loses and waits for (spec/08).

use super::ownership::Process;
use super::recent::Recent;
use crate::kafka::fact::{MemberState, Membership, ReleaseCause};
use crate::kafka::ids::{ActorName, MemberId, TopicName, TopicPartition};
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// Stops and rebalances that are kept per consumer.
const ENTRIES_KEPT: usize = 256;

/// A live process.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// Its membership as it was last.
    pub membership: Rc<Membership>,
    /// The one before it with another member id. A client that gives up its membership forgets its id
    /// before the coordinator hears of it.
    former: Option<Rc<Membership>>,
    /// The client's state.
    pub state: MemberState,
    /// What it wants to read.
    pub topics: Rc<[TopicName]>,
    /// The pattern that these topics match, and since when the process has it.
    pattern: Option<(Rc<str>, Instant)>,
    /// What it holds.
    pub owned: SortedSet<TopicPartition>,
    /// When it last let go of something by closing.
    pub closed_at: Option<Instant>,
    joining_since: Option<Instant>,
    stopped_since: Option<Instant>,
}

impl Member {
    /// The last with a member id.
    pub(super) fn last_membership(&self) -> Option<&Rc<Membership>> {
        let memberships = std::iter::once(&self.membership).chain(&self.former);
        memberships
            .into_iter()
            .find(|membership| !membership.member_id.is_empty())
    }

    /// Its membership with that member id, now or just before.
    pub(super) fn as_member(&self, id: &MemberId) -> Option<&Rc<Membership>> {
        let memberships = std::iter::once(&self.membership).chain(&self.former);
        memberships
            .into_iter()
            .find(|membership| membership.member_id == *id)
    }

    /// Since when it has been joining: the first JoinGroup since it was last Stable.
    pub fn joining_since(&self) -> Option<Instant> {
        self.joining_since
    }

    /// Since when it has had nothing because of a rebalance, having had something.
    pub fn stopped_since(&self) -> Option<Instant> {
        self.stopped_since
    }
}

/// What a consumer has been through, over all its processes.
#[derive(Clone, Debug)]
pub struct Totals {
    /// Stop-the-world time that is over.
    stopped: Duration,
    /// Intervals of it, oldest first.
    pub stops: Recent<(Instant, Instant)>,
    /// Partitions that were revoked from it.
    pub revoked: u64,
    /// Rebalances that it took part in to the end.
    pub rebalances: u64,
    /// How long each took: first JoinGroup to the assignment.
    pub rebalance_times: Recent<(Instant, Duration)>,
    /// From the first JoinGroup to the answer, newest.
    pub join_wait: Option<Duration>,
}

impl Default for Totals {
    fn default() -> Self {
        Self {
            stopped: Duration::ZERO,
            stops: Recent::new(ENTRIES_KEPT),
            revoked: 0,
            rebalances: 0,
            rebalance_times: Recent::new(ENTRIES_KEPT),
            join_wait: None,
        }
    }
}

/// The consumers of one group.
#[derive(Clone, Debug, Default)]
pub struct Members {
    live: SortedMap<Process, Member>,
    totals: SortedMap<ActorName, Totals>,
}

impl Members {
    /// The live process of that membership, brought up to date.
    fn touch(&mut self, member: &Rc<Membership>) -> &mut Member {
        let process = (member.actor.clone(), member.process);
        let entry = self.live.entry(process).or_insert_with(|| Member {
            membership: member.clone(),
            former: None,
            state: MemberState::Unjoined,
            topics: [].into(),
            pattern: None,
            owned: SortedSet::new(),
            closed_at: None,
            joining_since: None,
            stopped_since: None,
        });
        if entry.membership.member_id != member.member_id && !entry.membership.member_id.is_empty()
        {
            entry.former = Some(entry.membership.clone());
        }
        entry.membership = member.clone();
        entry
    }

    /// What the process wants from now on. If it said so by the same pattern before: since when.
    pub(super) fn subscription_changed(
        &mut self,
        at: Instant,
        member: &Rc<Membership>,
        topics: &[TopicName],
        pattern: Option<&Rc<str>>,
    ) -> Option<Instant> {
        let entry = self.touch(member);
        entry.topics = topics.into();
        let before = entry.pattern.take();
        let since = before.filter(|(text, _)| Some(text) == pattern);
        let since = since.map(|(_, since)| since);
        entry.pattern = pattern.map(|text| (text.clone(), since.unwrap_or(at)));
        since
    }

    pub(super) fn state_changed(&mut self, at: Instant, member: &Rc<Membership>, to: MemberState) {
        let entry = self.touch(member);
        entry.state = to;
        match to {
            MemberState::Unjoined => {}
            MemberState::PreparingRebalance => {
                entry.joining_since.get_or_insert(at);
            }
            MemberState::CompletingRebalance => {
                let wait = entry.joining_since.map(|since| at - since);
                let totals = self.totals.entry(member.actor.clone()).or_default();
                totals.join_wait = wait.or(totals.join_wait);
            }
            MemberState::Stable => {
                let joined = entry.joining_since.take();
                let stopped = entry.stopped_since.take();
                let totals = self.totals.entry(member.actor.clone()).or_default();
                totals.end_stop(stopped, at);
                if let Some(since) = joined {
                    totals.rebalances += 1;
                    totals.rebalance_times.push((at, at - since));
                }
            }
        }
    }

    pub(super) fn acquire(
        &mut self,
        at: Instant,
        member: &Rc<Membership>,
        partition: &TopicPartition,
    ) {
        let entry = self.touch(member);
        entry.owned.insert(partition.clone());
        let stopped = entry.stopped_since.take();
        if stopped.is_some() {
            let totals = self.totals.entry(member.actor.clone()).or_default();
            totals.end_stop(stopped, at);
        }
    }

    pub(super) fn release(
        &mut self,
        at: Instant,
        member: &Rc<Membership>,
        partition: &TopicPartition,
        cause: ReleaseCause,
    ) {
        let entry = self.touch(member);
        let had = entry.owned.remove(partition);
        if cause == ReleaseCause::Closed {
            entry.closed_at = Some(at);
        }
        let revoked = matches!(
            cause,
            ReleaseCause::EagerRevoke | ReleaseCause::CooperativeRevoke
        );
        let by_rebalance = revoked || cause == ReleaseCause::Lost;
        if had && by_rebalance && entry.owned.is_empty() {
            entry.stopped_since.get_or_insert(at);
        }
        if had && revoked {
            let totals = self.totals.entry(member.actor.clone()).or_default();
            totals.revoked += 1;
        }
    }

    /// The process ended. Gives back what it was.
    pub(super) fn stopped(&mut self, at: Instant, process: &Process) -> Option<Member> {
        let member = self.live.remove(process)?;
        if let Some(since) = member.stopped_since {
            let totals = self.totals.entry(process.0.clone()).or_default();
            totals.end_stop(Some(since), at);
        }
        Some(member)
    }

    /// Whether a live process wants the topic.
    pub fn wants(&self, topic: &TopicName) -> bool {
        self.live
            .values()
            .any(|member| member.topics.contains(topic))
    }

    /// Live processes, by name and number.
    pub fn live(&self) -> impl Iterator<Item = (&Process, &Member)> {
        self.live.iter()
    }

    /// The live process of a consumer.
    pub fn of(&self, actor: &ActorName) -> Option<&Member> {
        let first = (actor.clone(), 0);
        let (process, member) = self.live.range(first..).next()?;
        (process.0 == *actor).then_some(member)
    }

    /// What a consumer has been through.
    pub fn totals(&self, actor: &ActorName) -> Option<&Totals> {
        self.totals.get(actor)
    }

    /// Stop-the-world time of a consumer up to `until`.
    pub fn stop_the_world(&self, actor: &ActorName, until: Instant) -> Duration {
        let closed = self
            .totals
            .get(actor)
            .map_or(Duration::ZERO, |totals| totals.stopped);
        match self.of(actor).and_then(|member| member.stopped_since) {
            Some(since) => closed + (until - since).max(Duration::ZERO),
            None => closed,
        }
    }

    /// Revocation churn: partitions that were revoked from anybody.
    pub fn revoked(&self) -> u64 {
        self.totals.values().map(|totals| totals.revoked).sum()
    }
}

impl Totals {
    fn end_stop(&mut self, since: Option<Instant>, at: Instant) {
        if let Some(since) = since
            && since < at
        {
            self.stopped += at - since;
            self.stops.push((since, at));
        }
    }
}
