//! The model of the program around a consumer: a loop of poll, handle, commit.
//!
//! It is told what its calls returned, and says what it does next. One call at a time; while a rebalance
//! callback runs, the calls that it makes come in between.

mod poison;
mod threads;

pub(super) use poison::Forward;

use super::Poison;
use super::queue::WakeKey;
use super::setup::{ApplicationSpec, CommitStyle, OnException, PollStyle};
use super::workers::Pool;
use crate::kafka::chance::Chance;
use crate::kafka::client::consumer::{Call, ConsumerEvent, PartitionRecords, Returned};
use crate::kafka::fact::{Callback, Exception, FactId, FactKind, Membership, StopCause};
use crate::kafka::ids::{Offset, TopicPartition};
use crate::kafka::journal::Journal;
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::{Duration, Instant};
use std::collections::VecDeque;
use std::rc::Rc;

/// Pause of a program after its poll threw, before it polls again.
const PAUSE_AFTER_EXCEPTION: Duration = Duration::from_ms(100);
/// Commits that it sends again at one instant.
const RESENDS_AT_ONCE: u32 = 16;

/// What the program is doing, as a card shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Its first calls.
    Starting,
    /// Inside `poll()`. If the client's state is PreparingRebalance, it is held up in JoinGroup.
    Polling,
    /// Handling records.
    Processing,
    /// Inside a commit.
    Committing,
    /// Inside a rebalance callback.
    InCallback,
    /// Doing something else: busy, stalled, or pausing after an exception.
    Away,
    /// Waiting for the instant of its next poll.
    BetweenPolls,
    /// Inside `close()`.
    Closing,
    /// The loop has ended.
    Ended,
}

/// What it does next.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Intent {
    /// Calls its client.
    Call(Call),
    /// Returns from the rebalance callback.
    CallbackDone,
    /// Sends a record to its retry topic.
    Forward(Forward),
    /// The loop is over, and with it the process.
    End(StopCause),
    /// Nothing, before something happens.
    Wait,
}

/// Which call is out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Out {
    Poll,
    Commit,
    Close,
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Free to decide.
    Free,
    /// A call is out.
    Calling(Out),
    /// The first record of the batch is being handled.
    Handling,
    /// Nothing to do before the wake.
    Waiting,
    /// Lets some time pass after an exception, and can be told something meanwhile.
    Pausing,
    /// Too many records wait for a thread.
    Full,
    /// Waits until the retry topic has the first record of the batch.
    Forwarding,
    Ended(StopCause),
}

/// A rebalance callback that runs.
#[derive(Clone, PartialEq, Debug)]
struct Running {
    callback: Callback,
    partitions: Vec<TopicPartition>,
    /// The commit in it was made, or is not wanted.
    has_committed: bool,
    /// A call of its own is out.
    is_calling: bool,
    until: Instant,
    before: (Phase, Instant),
}

/// The program around a consumer.
#[derive(Clone, Debug)]
pub(super) struct Application {
    spec: Rc<ApplicationSpec>,
    commit: CommitStyle,
    state: State,
    phase: (Phase, Instant),
    running: Option<Running>,
    /// Delivered and not done, in order; `place` counts within the first.
    batch: VecDeque<PartitionRecords>,
    place: usize,
    /// The batch has a commit before (or after) it that is still to be made.
    commit_before: bool,
    commit_after: bool,
    commit_on_close: bool,
    /// Per partition, the offset after the last record done: what explicit commits carry.
    done: SortedMap<TopicPartition, Offset>,
    done_records: u64,
    since_commit: u32,
    todo: VecDeque<Call>,
    stall: Duration,
    is_closing: bool,
    next_poll: Option<Instant>,
    wake: Option<(Instant, u64, FactId)>,
    next_async: u64,
    /// When it last sent a commit again, and how often at that instant.
    resent: (Instant, u32),
    in_flight: SortedMap<u64, Option<SortedMap<TopicPartition, Offset>>>,
    /// The threads behind the loop, if it has any.
    pool: Pool,
    /// Records for the retry topic; the first may be under way.
    forwards: VecDeque<Forward>,
    is_forwarding: bool,
    chance: Chance,
}

impl Application {
    /// A program that begins with `first_calls`.
    pub fn new(
        spec: Rc<ApplicationSpec>,
        enable_auto_commit: bool,
        first_calls: Vec<Call>,
        chance: Chance,
        now: Instant,
    ) -> Self {
        let commit = resolve(spec.commit, enable_auto_commit);
        Self {
            commit_on_close: spec.commit_on_close,
            spec,
            commit,
            state: State::Free,
            phase: (Phase::Starting, now),
            running: None,
            batch: VecDeque::new(),
            place: 0,
            commit_before: false,
            commit_after: false,
            done: SortedMap::new(),
            done_records: 0,
            since_commit: 0,
            todo: first_calls.into(),
            stall: Duration::ZERO,
            is_closing: false,
            next_poll: None,
            wake: None,
            next_async: 0,
            resent: (Instant::ZERO, 0),
            in_flight: SortedMap::new(),
            pool: Pool::default(),
            forwards: VecDeque::new(),
            is_forwarding: false,
            chance,
        }
    }

    /// What it is doing, since when, and until when, if that is known.
    pub fn phase(&self) -> (Phase, Instant, Option<Instant>) {
        (self.phase.0, self.phase.1, self.wake.map(|wake| wake.0))
    }

    /// Records delivered and not done.
    pub fn in_hand(&self) -> usize {
        let all: usize = self.batch.iter().map(|part| part.records.len()).sum();
        all - self.place + self.pool.in_hand()
    }

    /// Follows another model from now on. What is being handled is finished by the old one.
    pub fn set_spec(&mut self, spec: Rc<ApplicationSpec>, enable_auto_commit: bool) {
        self.commit = resolve(spec.commit, enable_auto_commit);
        self.commit_on_close = spec.commit_on_close;
        self.spec = spec;
        self.next_poll = None;
    }

    /// Makes a call as soon as it can.
    pub fn add_call(&mut self, call: Call) {
        self.todo.push_back(call);
    }

    /// Keeps away from poll for so long, as soon as it can.
    pub fn stall(&mut self, length: Duration) {
        self.stall += length;
    }

    /// Closes the consumer as soon as it can.
    pub fn close(&mut self) {
        self.is_closing = true;
    }

    /// Whether it was told to close.
    pub fn is_closing(&self) -> bool {
        self.is_closing
    }

    /// Whether it is inside a poll that may be interrupted.
    pub fn is_polling(&self) -> bool {
        self.running.is_none() && self.state == State::Calling(Out::Poll)
    }

    /// Whether it waits for the instant of its next poll, or after an exception, and may be told something
    /// meanwhile.
    fn may_be_disturbed(&self) -> bool {
        let is_idle = match self.state {
            State::Pausing => true,
            State::Waiting => self.phase.0 == Phase::BetweenPolls,
            _ => false,
        };
        self.running.is_none() && is_idle
    }

    /// Ends a wait for the next poll, so that what was added is done at once.
    pub fn disturb(&mut self) {
        if self.may_be_disturbed() {
            self.state = State::Free;
            self.wake = None;
        }
    }

    /// When it does something by itself, and under which fact that was decided.
    pub fn next_wake(&self) -> Option<(WakeKey, FactId)> {
        let own = self.wake.map(|(at, place, set_by)| ((at, place), set_by));
        own.into_iter().chain(self.pool.next_wake()).min()
    }

    /// Its wake fires.
    pub fn wake(&mut self, poison: &Poison, member: &Rc<Membership>, journal: &mut Journal) {
        let own = self.wake.map(|(at, place, _)| (at, place));
        let of_pool = self.pool.next_wake().map(|(key, _)| key);
        if of_pool.is_some_and(|key| own.is_none_or(|own| key < own)) {
            self.thread_is_done(poison, member, journal);
            return;
        }
        self.wake = None;
        match self.state {
            State::Handling if self.running.is_none() => self.finish(1, member, journal),
            State::Waiting | State::Pausing if self.running.is_none() => self.state = State::Free,
            _ => {}
        }
    }

    /// Its client tells it something.
    pub fn hear(&mut self, event: ConsumerEvent, journal: &mut Journal) {
        match event {
            ConsumerEvent::CallbackCalled {
                callback,
                partitions,
            } => {
                self.running = Some(Running {
                    callback,
                    partitions,
                    has_committed: false,
                    is_calling: false,
                    until: journal.now() + self.spec.callback_time,
                    before: self.phase,
                });
                self.phase = (Phase::InCallback, journal.now());
            }
            ConsumerEvent::AsyncCommitDone { id, result } => {
                let offsets = self.in_flight.remove(&id);
                let resends = match self.commit {
                    CommitStyle::AsyncEveryWithResend { .. } => true,
                    CommitStyle::AsyncEveryWithGuard { .. } => id == self.next_async,
                    _ => false,
                };
                if let (true, Err(_), Some(offsets)) = (resends, result, offsets)
                    && self.may_resend(journal.now())
                {
                    let call = self.commit_async(offsets);
                    self.todo.push_back(call);
                }
            }
            ConsumerEvent::Returned(result) => self.returned(result, journal),
        }
    }

    /// Whether it sends a failed commit again. A program that does so at once, where the client refuses it at
    /// once, spins for ever: Java's `invokeCompletedOffsetCommitCallbacks` goes on while there are callbacks.
    ///
    /// DEVIATION: it gives up after [`RESENDS_AT_ONCE`], since time would not go on for anybody.
    fn may_resend(&mut self, now: Instant) -> bool {
        if self.resent.0 != now {
            self.resent = (now, 0);
        }
        self.resent.1 += 1;
        self.resent.1 <= RESENDS_AT_ONCE
    }

    fn returned(&mut self, result: Result<Returned, Exception>, journal: &mut Journal) {
        if let Some(running) = &mut self.running
            && running.is_calling
        {
            running.is_calling = false;
            self.phase = (Phase::InCallback, journal.now());
            return;
        }
        let State::Calling(out) = self.state else {
            return;
        };
        self.state = State::Free;
        match result {
            Ok(Returned::Records(batch)) => {
                self.batch = batch.into();
                self.batch.retain(|part| !part.records.is_empty());
                self.place = 0;
                self.commit_after = !self.batch.is_empty();
                self.commit_before =
                    self.commit_after && self.commit == CommitStyle::SyncBeforeProcessing;
            }
            Ok(Returned::Nothing) => {}
            Ok(Returned::Closed) => self.state = State::Ended(StopCause::Closed),
            Err(_) if out == Out::Close => self.state = State::Ended(StopCause::Closed),
            Err(exception) => self.catch(&exception, out, journal),
        }
    }

    /// What it does when a call threw.
    fn catch(&mut self, exception: &Exception, out: Out, journal: &mut Journal) {
        let fenced = *exception == Exception::FencedInstanceId;
        match self.spec.on_exception {
            OnException::GoOn if fenced => self.state = State::Ended(StopCause::Failed),
            OnException::GoOn if out == Out::Poll => self.wait(
                Phase::Away,
                journal.now() + PAUSE_AFTER_EXCEPTION,
                State::Pausing,
                journal,
            ),
            OnException::GoOn => {}
            OnException::Crash => self.state = State::Ended(StopCause::Failed),
            OnException::Close => self.is_closing = true,
        }
    }

    /// Decides what it does next. To be asked again after every intent but `Wait`.
    pub fn next(
        &mut self,
        poison: &Poison,
        member: &Rc<Membership>,
        journal: &mut Journal,
    ) -> Intent {
        if self.running.is_some() {
            return self.next_in_callback(journal);
        }
        if let Some(forward) = self.next_forward() {
            return Intent::Forward(forward);
        }
        loop {
            match self.state {
                State::Calling(_)
                | State::Handling
                | State::Waiting
                | State::Pausing
                | State::Full
                | State::Forwarding => return Intent::Wait,
                State::Ended(how) => {
                    self.phase = (Phase::Ended, journal.now());
                    return Intent::End(how);
                }
                State::Free => {}
            }
            if let Some(call) = self.next_commit() {
                return self.call(call, Phase::Committing, journal);
            }
            if self.is_away(journal) {
                return Intent::Wait;
            }
            if self.batch.is_empty() {
                return self.next_at_top(journal);
            }
            self.handle_records(poison, member, journal);
            if let Some(forward) = self.next_forward() {
                return Intent::Forward(forward);
            }
        }
    }

    fn next_in_callback(&mut self, journal: &mut Journal) -> Intent {
        let Some(running) = &mut self.running else {
            return Intent::Wait;
        };
        if running.is_calling {
            return Intent::Wait;
        }
        if !running.has_committed {
            running.has_committed = true;
            let mut offsets = SortedMap::new();
            if running.callback != Callback::Assigned {
                for partition in &running.partitions {
                    self.pool.forget(partition);
                    if let Some(offset) = self.done.remove(partition) {
                        offsets.insert(partition.clone(), offset);
                    }
                }
            }
            let wanted = self.spec.commit_when_revoked && running.callback == Callback::Revoked;
            if wanted && !offsets.is_empty() {
                running.is_calling = true;
                self.phase = (Phase::Committing, journal.now());
                let offsets = Some(offsets);
                return Intent::Call(Call::CommitSync { offsets });
            }
        }
        if running.until > journal.now() {
            let until = running.until;
            self.wake = Some((until, journal.next_sequence(), journal.cause()));
            return Intent::Wait;
        }
        self.phase = running.before;
        self.running = None;
        Intent::CallbackDone
    }

    /// The commit that is due now, by the program's style.
    fn next_commit(&mut self) -> Option<Call> {
        if std::mem::take(&mut self.commit_before) {
            return Some(Call::CommitSync { offsets: None });
        }
        match self.commit {
            CommitStyle::SyncEvery { records } if self.since_commit >= records.max(1) => {
                self.since_commit = 0;
                let offsets = Some(self.done.clone());
                return Some(Call::CommitSync { offsets });
            }
            CommitStyle::AsyncEvery { records }
            | CommitStyle::AsyncEveryWithResend { records }
            | CommitStyle::AsyncEveryWithGuard { records }
                if self.since_commit >= records.max(1) =>
            {
                self.since_commit = 0;
                let offsets = Some(self.done.clone());
                return Some(self.commit_async(offsets));
            }
            _ => {}
        }
        if !self.batch.is_empty() || !std::mem::take(&mut self.commit_after) {
            return None;
        }
        match self.commit {
            CommitStyle::SyncAfterBatch => Some(Call::CommitSync { offsets: None }),
            CommitStyle::AsyncAfterBatch => Some(self.commit_async(None)),
            _ => None,
        }
    }

    fn commit_async(&mut self, offsets: Option<SortedMap<TopicPartition, Offset>>) -> Call {
        self.next_async += 1;
        let id = self.next_async;
        self.in_flight.insert(id, offsets.clone());
        Call::CommitAsync { offsets, id }
    }

    /// Goes away if it is stalled or busy now.
    fn is_away(&mut self, journal: &mut Journal) -> bool {
        let now = journal.now();
        let stall = std::mem::take(&mut self.stall);
        let busy = self.spec.busy.iter();
        let busy = busy.filter(|busy| busy.from <= now && now < busy.until);
        let until = busy.map(|busy| busy.until).max().unwrap_or(now);
        let until = until.max(now + stall);
        if until > now {
            self.wait(Phase::Away, until, State::Waiting, journal);
        }
        until > now
    }

    /// The top of the loop: no record in hand.
    fn next_at_top(&mut self, journal: &mut Journal) -> Intent {
        if let Some(call) = self.todo.pop_front() {
            let phase = match call {
                Call::CommitSync { .. } => Phase::Committing,
                _ => self.phase.0,
            };
            return self.call(call, phase, journal);
        }
        if self.is_closing {
            if std::mem::take(&mut self.commit_on_close) {
                let call = Call::CommitSync { offsets: None };
                return self.call(call, Phase::Committing, journal);
            }
            return self.call(Call::Close, Phase::Closing, journal);
        }
        if self.is_full() {
            self.state = State::Full;
            self.phase = (Phase::Away, journal.now());
            return Intent::Wait;
        }
        let now = journal.now();
        let timeout = match self.spec.poll {
            PollStyle::Always => {
                let next_busy = self.spec.busy.iter().map(|busy| busy.from);
                let next_busy = next_busy.filter(|from| *from > now).min();
                next_busy.map_or(Duration(-1), |from| from - now)
            }
            PollStyle::Every { period, phase } => {
                let period = period.0.max(1);
                let at = self.next_poll.unwrap_or_else(|| {
                    let steps = (now.0 - phase.0).div_euclid(period);
                    let on_grid = phase.0 + steps * period;
                    Instant(if on_grid < now.0 {
                        on_grid + period
                    } else {
                        on_grid
                    })
                });
                if at > now {
                    self.next_poll = Some(at);
                    self.wait(Phase::BetweenPolls, at, State::Waiting, journal);
                    return Intent::Wait;
                }
                let steps = (now.0 - phase.0).div_euclid(period) + 1;
                self.next_poll = Some(Instant(phase.0 + steps * period));
                Duration::ZERO
            }
        };
        self.call(Call::Poll { timeout }, Phase::Polling, journal)
    }

    fn call(&mut self, call: Call, phase: Phase, journal: &mut Journal) -> Intent {
        let out = match &call {
            Call::Poll { .. } => Out::Poll,
            Call::CommitSync { .. } | Call::CommitAsync { .. } => Out::Commit,
            Call::Close => Out::Close,
            _ => Out::Other,
        };
        self.state = State::Calling(out);
        if self.phase.0 != phase {
            self.phase = (phase, journal.now());
        }
        Intent::Call(call)
    }

    fn wait(&mut self, phase: Phase, until: Instant, state: State, journal: &mut Journal) {
        self.wake = Some((until, journal.next_sequence(), journal.cause()));
        self.state = state;
        if self.phase.0 != phase {
            self.phase = (phase, journal.now());
        }
    }

    /// Handles the next records, or begins to.
    fn handle_records(&mut self, poison: &Poison, member: &Rc<Membership>, journal: &mut Journal) {
        if self.spec.workers.is_some() {
            self.hand_over(poison, member, journal);
            return;
        }
        let Some(part) = self.batch.front() else {
            return;
        };
        let rest = part.records.get(self.place..).unwrap_or_default();
        let is_poison = |offset: Offset| {
            !poison.is_empty() && poison.contains(&(part.partition.clone(), offset))
        };
        let healthy = rest
            .iter()
            .take_while(|record| !is_poison(record.offset))
            .count();
        if rest.is_empty() {
            self.next_part();
            return;
        }
        if healthy == 0 {
            self.meet_poison(member, journal);
            return;
        }
        let per_record = self.draw_time();
        if per_record > Duration::ZERO {
            self.wait(
                Phase::Processing,
                journal.now() + per_record,
                State::Handling,
                journal,
            );
            return;
        }
        self.finish(self.at_once(healthy), member, journal);
    }

    /// How many of the next records are done in one go: up to the next commit or crash.
    fn at_once(&self, healthy: usize) -> usize {
        let to_commit = match self.commit {
            CommitStyle::SyncEvery { records }
            | CommitStyle::AsyncEvery { records }
            | CommitStyle::AsyncEveryWithResend { records }
            | CommitStyle::AsyncEveryWithGuard { records } => {
                records.max(1).saturating_sub(self.since_commit)
            }
            _ => u32::MAX,
        };
        let to_crash = self.spec.crash_after_records.unwrap_or(u64::MAX);
        let to_crash = to_crash.saturating_sub(self.done_records);
        let limit = u64::from(to_commit).min(to_crash).max(1);
        healthy.min(usize::try_from(limit).unwrap_or(usize::MAX))
    }

    fn draw_time(&mut self) -> Duration {
        let mean = self.spec.time_per_record.0;
        let spread = mean.saturating_mul(i64::from(self.spec.time_spread_percent.min(100))) / 100;
        if spread <= 0 {
            return Duration(mean);
        }
        let bound = u32::try_from(spread.saturating_mul(2).saturating_add(1)).unwrap_or(u32::MAX);
        Duration(mean - spread + i64::from(self.chance.below(bound)))
    }

    /// The next `count` records are done.
    fn finish(&mut self, count: usize, member: &Rc<Membership>, journal: &mut Journal) {
        self.state = State::Free;
        let Some(part) = self.batch.front() else {
            return;
        };
        let done = part
            .records
            .get(self.place..self.place + count)
            .unwrap_or_default();
        let (Some(first), Some(last)) = (done.first(), done.last()) else {
            return;
        };
        let next = Offset(last.offset.0 + 1);
        journal.note(FactKind::Done {
            member: member.clone(),
            partition: part.partition.clone(),
            base: first.offset,
            next,
        });
        match self.done.get_mut(&part.partition) {
            Some(offset) => *offset = next,
            None => {
                self.done.insert(part.partition.clone(), next);
            }
        }
        self.done_records += u64::try_from(count).unwrap_or(u64::MAX);
        self.since_commit = self
            .since_commit
            .saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        if self.spec.crash_after_records == Some(self.done_records) {
            self.state = State::Ended(StopCause::Failed);
        }
        self.pass(count);
    }

    /// Leaves the next `count` records behind.
    fn pass(&mut self, count: usize) {
        self.place += count;
        if self
            .batch
            .front()
            .is_some_and(|part| self.place >= part.records.len())
        {
            self.next_part();
        }
    }

    fn next_part(&mut self) {
        self.batch.pop_front();
        self.place = 0;
    }
}

fn resolve(commit: Option<CommitStyle>, enable_auto_commit: bool) -> CommitStyle {
    match (commit, enable_auto_commit) {
        (Some(style), _) => style,
        (None, true) => CommitStyle::None,
        (None, false) => CommitStyle::SyncAfterBatch,
    }
}

#[cfg(test)]
#[path = "application_tests.rs"]
mod tests;
