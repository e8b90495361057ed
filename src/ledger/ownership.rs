//! Who holds a partition, and when nobody does (spec/08).
//!
//! What members hold counts, not what the coordinator grants: a zombie between Acquire and Release keeps
//! the partition owned.

use super::recent::Recent;
use crate::kafka::fact::{FactId, Membership, ReleaseCause};
use crate::kafka::ids::ActorName;
use crate::kafka::time::{Duration, Instant};
use std::rc::Rc;

/// Closed spans that are kept per partition.
const SPANS_KEPT: usize = 512;

/// A process of a consumer: its name and the number of its start.
pub type Process = (ActorName, u32);

/// The process that a membership belongs to.
pub fn process_of(member: &Membership) -> Process {
    (member.actor.clone(), member.process)
}

/// Why nobody holds a partition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnownedCause {
    /// It never had an owner, or everybody had left in good order: the group is forming.
    InitialJoin,
    /// Given up for a rebalance in which everything is given up.
    EagerRevoke,
    /// Given up for its next owner, who does not have it yet.
    CooperativeHandOver,
    /// Its holder died, left or lost its membership, and the others do not know it or have not joined yet.
    Detection,
    /// No live consumer is subscribed.
    NoConsumer,
}

impl UnownedCause {
    /// All of them, in the order of [`Ownership::unowned_by_cause`].
    pub const ALL: [UnownedCause; 5] = [
        UnownedCause::InitialJoin,
        UnownedCause::EagerRevoke,
        UnownedCause::CooperativeHandOver,
        UnownedCause::Detection,
        UnownedCause::NoConsumer,
    ];

    fn index(self) -> usize {
        match self {
            UnownedCause::InitialJoin => 0,
            UnownedCause::EagerRevoke => 1,
            UnownedCause::CooperativeHandOver => 2,
            UnownedCause::Detection => 3,
            UnownedCause::NoConsumer => 4,
        }
    }
}

/// A member that holds the partition.
#[derive(Clone, PartialEq, Debug)]
pub struct Holding {
    /// Who, as it was when it acquired.
    pub member: Rc<Membership>,
    /// Since when.
    pub since: Instant,
    /// The fact by which it acquired.
    pub acquired_by: FactId,
}

/// Nobody holds the partition.
#[derive(Clone, PartialEq, Debug)]
pub struct Unowned {
    /// Since when, for this cause.
    pub since: Instant,
    /// Why.
    pub cause: UnownedCause,
    /// What `cause` is again as soon as a consumer is there.
    behind: UnownedCause,
    /// The fact that began it.
    pub begun_by: FactId,
    after_release: bool,
}

/// A closed span of a partition's past.
#[derive(Clone, PartialEq, Debug)]
pub enum Span {
    /// A member held it.
    Held {
        /// Who.
        member: Rc<Membership>,
        /// Since when.
        from: Instant,
        /// Until when.
        until: Instant,
        /// Why it let go.
        cause: ReleaseCause,
        /// The fact by which it let go.
        released_by: FactId,
    },
    /// Nobody held it.
    Unowned {
        /// Why.
        cause: UnownedCause,
        /// Since when.
        from: Instant,
        /// Until when.
        until: Instant,
    },
}

/// Ownership of one partition within one group.
#[derive(Clone, Debug)]
pub struct Ownership {
    /// Who holds it, in the order of acquiring. More than one: a double claim.
    holders: Vec<Holding>,
    unowned: Option<Unowned>,
    unowned_by_cause: [Duration; 5],
    paused: Duration,
    pauses: u64,
    double_since: Option<Instant>,
    double_claim: Duration,
    ever_owned: bool,
    /// The partition is deleted: nobody misses it.
    is_gone: bool,
    revoked: u64,
    spans: Recent<Span>,
}

impl Default for Ownership {
    fn default() -> Self {
        Self {
            holders: Vec::new(),
            unowned: None,
            unowned_by_cause: [Duration::ZERO; 5],
            paused: Duration::ZERO,
            pauses: 0,
            double_since: None,
            double_claim: Duration::ZERO,
            ever_owned: false,
            is_gone: false,
            revoked: 0,
            spans: Recent::new(SPANS_KEPT),
        }
    }
}

impl Ownership {
    /// The group wants the partition from now on, and nobody has it.
    pub(super) fn wanted(&mut self, at: Instant, by: FactId) {
        if self.holders.is_empty() && self.unowned.is_none() {
            self.begin_unowned(at, UnownedCause::InitialJoin, by, false);
        }
    }

    /// There is such a partition, perhaps again.
    pub(super) fn partition_exists(&mut self) {
        self.is_gone = false;
    }

    /// There is no such partition any more.
    pub(super) fn partition_deleted(&mut self, at: Instant) {
        self.end_unowned(at);
        self.is_gone = true;
    }

    /// `member` holds it from now on.
    pub(super) fn acquire(&mut self, at: Instant, member: &Rc<Membership>, by: FactId) {
        let process = process_of(member);
        if self.holds(&process) {
            return;
        }
        self.end_unowned(at);
        self.ever_owned = true;
        self.holders.push(Holding {
            member: member.clone(),
            since: at,
            acquired_by: by,
        });
        if self.holders.len() == 2 {
            self.double_since = Some(at);
        }
    }

    /// The process holds it no longer. `consumers`: whether a live consumer is still subscribed.
    pub(super) fn release(
        &mut self,
        at: Instant,
        process: &Process,
        cause: ReleaseCause,
        by: FactId,
        consumers: Consumers,
    ) {
        let held = |holding: &Holding| process_of(&holding.member) == *process;
        let Some(index) = self.holders.iter().position(held) else {
            return;
        };
        let holding = self.holders.remove(index);
        if matches!(
            cause,
            ReleaseCause::EagerRevoke | ReleaseCause::CooperativeRevoke
        ) {
            self.revoked += 1;
        }
        let is_static = holding.member.group_instance_id.is_some();
        self.spans.push(Span::Held {
            member: holding.member,
            from: holding.since,
            until: at,
            cause,
            released_by: by,
        });
        if self.holders.len() == 1
            && let Some(since) = self.double_since.take()
        {
            self.double_claim += at - since;
        }
        if self.holders.is_empty() && !self.is_gone {
            self.begin_unowned(at, cause_of(cause), by, true);
            if consumers == Consumers::None {
                self.consumers_gone(at, is_static);
            }
        }
    }

    /// The last live consumer of the topic is gone.
    pub(super) fn consumers_gone(&mut self, at: Instant, is_static: bool) {
        let left_in_order = matches!(
            self.spans.last(),
            Some(Span::Held {
                cause: ReleaseCause::Closed | ReleaseCause::Unsubscribed,
                ..
            })
        );
        self.switch_cause(at, |unowned| {
            // A dynamic member that left the group took nothing with it: whoever comes next starts the
            // group anew. A static one is still a member, so its absence has to be detected.
            let behind = match unowned.behind {
                UnownedCause::Detection if left_in_order && !is_static => UnownedCause::InitialJoin,
                behind => behind,
            };
            (UnownedCause::NoConsumer, behind)
        });
    }

    /// A consumer of the topic is there again, or was since then.
    pub(super) fn consumers_back(&mut self, at: Instant) {
        let at = self
            .unowned
            .as_ref()
            .map_or(at, |unowned| at.max(unowned.since));
        self.switch_cause(at, |unowned| (unowned.behind, unowned.behind));
    }

    fn switch_cause(&mut self, at: Instant, to: impl Fn(&Unowned) -> (UnownedCause, UnownedCause)) {
        let Some(unowned) = &self.unowned else {
            return;
        };
        let (cause, behind) = to(unowned);
        let (begun_by, after_release) = (unowned.begun_by, unowned.after_release);
        if cause == unowned.cause {
            return;
        }
        self.end_unowned(at);
        self.unowned = Some(Unowned {
            since: at,
            cause,
            behind,
            begun_by,
            after_release,
        });
    }

    fn begin_unowned(
        &mut self,
        at: Instant,
        cause: UnownedCause,
        begun_by: FactId,
        after_release: bool,
    ) {
        self.pauses += u64::from(after_release);
        self.unowned = Some(Unowned {
            since: at,
            cause,
            behind: cause,
            begun_by,
            after_release,
        });
    }

    fn end_unowned(&mut self, at: Instant) {
        let Some(unowned) = self.unowned.take() else {
            return;
        };
        if at <= unowned.since {
            return;
        }
        let length = at - unowned.since;
        self.unowned_by_cause[unowned.cause.index()] += length;
        if unowned.after_release {
            self.paused += length;
        }
        self.spans.push(Span::Unowned {
            cause: unowned.cause,
            from: unowned.since,
            until: at,
        });
    }

    /// Who holds it, in the order of acquiring.
    pub fn holders(&self) -> &[Holding] {
        &self.holders
    }

    /// Whether that process holds it.
    pub fn holds(&self, process: &Process) -> bool {
        let held = |holding: &Holding| process_of(&holding.member) == *process;
        self.holders.iter().any(held)
    }

    /// Who acquired it last and holds it still.
    pub fn owner(&self) -> Option<&Holding> {
        self.holders.last()
    }

    /// The running span without an owner.
    pub fn unowned_now(&self) -> Option<&Unowned> {
        self.unowned.as_ref()
    }

    /// Whether it ever had an owner.
    pub fn ever_owned(&self) -> bool {
        self.ever_owned
    }

    /// Unowned time up to `until`, which must not lie before the last fact.
    pub fn unowned(&self, until: Instant) -> Duration {
        let by_cause = self.unowned_by_cause(until);
        by_cause
            .into_iter()
            .fold(Duration::ZERO, |sum, part| sum + part)
    }

    /// The same, split as in [`UnownedCause::ALL`].
    pub fn unowned_by_cause(&self, until: Instant) -> [Duration; 5] {
        let mut parts = self.unowned_by_cause;
        if let Some(unowned) = &self.unowned {
            parts[unowned.cause.index()] += since(unowned.since, until);
        }
        parts
    }

    /// Partition pause up to `until`: from each Release that left nobody, to the next Acquire.
    pub fn paused(&self, until: Instant) -> Duration {
        match &self.unowned {
            Some(unowned) if unowned.after_release => self.paused + since(unowned.since, until),
            _ => self.paused,
        }
    }

    /// How many pauses there were.
    pub fn pauses(&self) -> u64 {
        self.pauses
    }

    /// Double claim time up to `until`.
    pub fn double_claim(&self, until: Instant) -> Duration {
        match self.double_since {
            Some(start) => self.double_claim + since(start, until),
            None => self.double_claim,
        }
    }

    /// How often it was revoked: its share of the revocation churn.
    pub fn revoked(&self) -> u64 {
        self.revoked
    }

    /// Closed spans, oldest first; the older ones are forgotten.
    pub fn spans(&self) -> &Recent<Span> {
        &self.spans
    }
}

/// Whether a live consumer wants a topic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Consumers {
    /// At least one.
    Some,
    /// Nobody.
    None,
}

fn since(start: Instant, until: Instant) -> Duration {
    (until - start).max(Duration::ZERO)
}

fn cause_of(release: ReleaseCause) -> UnownedCause {
    match release {
        ReleaseCause::EagerRevoke => UnownedCause::EagerRevoke,
        ReleaseCause::CooperativeRevoke | ReleaseCause::Unsubscribed => {
            UnownedCause::CooperativeHandOver
        }
        ReleaseCause::Lost | ReleaseCause::Closed | ReleaseCause::Crashed => {
            UnownedCause::Detection
        }
    }
}
