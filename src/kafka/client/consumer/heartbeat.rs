//! The heartbeat thread: heartbeats, and two timers that watch the coordinator and the application
//! (classes `Heartbeat`, `AbstractCoordinator.HeartbeatThread`).

use super::{Consumer, Cx, Purpose, Timer};
use crate::kafka::api::HeartbeatRequest;
use crate::kafka::client::{Channel, Flavour};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Exception, FactKind, MemberState};
use crate::kafka::time::{Duration, Instant};

/// How often librdkafka looks whether a heartbeat is due, after a rebalance.
const LOOK: Duration = Duration::from_ms(500);

/// What the heartbeat thread remembers. Its timers are the machine's.
#[derive(Clone, Debug, Default)]
pub(super) struct Heartbeat {
    /// From the JoinGroup answer until the membership ends or the next JoinGroup is sent.
    pub enabled: bool,
    /// A heartbeat was due while the coordinator was unknown.
    pub overdue: bool,
    /// The poll timer fired while the coordinator was unknown.
    pub poll_overdue: bool,
    /// What ended the thread, until poll throws it.
    pub failure: Option<Exception>,
    attempts: u32,
    /// From here on the thread looks at its timers in steps.
    steps_from: Instant,
    /// librdkafka: when the last one was sent, in whichever generation.
    last_sent_at: Option<Instant>,
}

impl Heartbeat {
    /// When the thread, looking at its timers every `step`, sees that `at` has come.
    fn seen_at(&self, at: Instant, step: Duration) -> Instant {
        if step.0 <= 0 {
            return at;
        }
        let late = (at - self.steps_from).0.rem_euclid(step.0);
        if late == 0 {
            at
        } else {
            at + Duration(step.0 - late)
        }
    }
}

impl Consumer {
    fn interval(&self) -> Duration {
        Duration::from_ms(self.settings.config.heartbeat_interval_ms.into())
    }

    /// JoinGroup was answered: all three timers begin anew.
    pub(super) fn enable_heartbeat(&mut self, cx: &mut Cx<'_>) {
        let now = cx.now();
        self.heartbeat.enabled = true;
        self.heartbeat.overdue = false;
        self.heartbeat.steps_from = now;
        self.restart_session_timer(cx);
        self.restart_poll_timer(cx);
        match self.settings.flavour {
            Flavour::Java => self.set_heartbeat_timer(now + self.interval(), cx),
            // librdkafka sends none before SyncGroup is answered.
            Flavour::Librdkafka => {}
        }
    }

    /// Takes up a heartbeat rhythm that was there before the scenario began.
    pub(super) fn install_heartbeat(
        &mut self,
        joined_at: Instant,
        last_sent_at: Option<Instant>,
        cx: &mut Cx<'_>,
    ) {
        let since = last_sent_at.unwrap_or(joined_at);
        self.heartbeat.enabled = true;
        self.heartbeat.steps_from = since;
        self.heartbeat.last_sent_at = last_sent_at;
        let session = Duration::from_ms(self.settings.config.session_timeout_ms.into());
        self.timers.set(Timer::Session, since + session, cx.journal);
        let mut period = self.interval();
        if self.settings.flavour == Flavour::Librdkafka {
            period += self.settings.heartbeat_step;
        }
        let at = super::preset::next_beat(since, period, cx.now());
        self.set_heartbeat_timer(at, cx);
    }

    /// SyncGroup was answered. Now librdkafka, which sent no heartbeats meanwhile, looks again whether one is due,
    /// and then every half second (`rkcg_heartbeat_intvl`; the half second is as recorded).
    pub(super) fn synced(&mut self, cx: &mut Cx<'_>) {
        if self.settings.flavour == Flavour::Java {
            return;
        }
        let now = cx.now();
        let due = self.heartbeat.last_sent_at.map(|at| at + self.interval());
        match due.filter(|due| *due > now) {
            None => self.send_heartbeat(cx),
            Some(due) => {
                let looks = ((due - now).0 + LOOK.0 - 1).div_euclid(LOOK.0);
                let at = now + Duration(looks * LOOK.0) + self.settings.heartbeat_step;
                self.set_heartbeat_timer(at, cx);
            }
        }
    }

    pub(super) fn disable_heartbeat(&mut self) {
        self.heartbeat.enabled = false;
        self.heartbeat.overdue = false;
        self.heartbeat.poll_overdue = false;
        self.timers.cancel(&Timer::Heartbeat);
        self.timers.cancel(&Timer::Session);
        self.timers.cancel(&Timer::MaxPoll);
    }

    fn set_heartbeat_timer(&mut self, at: Instant, cx: &mut Cx<'_>) {
        let at = match self.settings.flavour {
            Flavour::Java => self.heartbeat.seen_at(at, self.settings.heartbeat_step),
            Flavour::Librdkafka => at,
        };
        self.timers.set(Timer::Heartbeat, at, cx.journal);
    }

    pub(super) fn restart_session_timer(&mut self, cx: &mut Cx<'_>) {
        let session = Duration::from_ms(self.settings.config.session_timeout_ms.into());
        let at = cx.now() + session;
        self.timers.set(Timer::Session, at, cx.journal);
    }

    /// The application is in poll. The timer runs while the heartbeat thread watches it.
    pub(super) fn restart_poll_timer(&mut self, cx: &mut Cx<'_>) {
        if !self.heartbeat.enabled {
            return;
        }
        self.heartbeat.poll_overdue = false;
        let interval = Duration::from_ms(self.settings.config.max_poll_interval_ms.into());
        let step = match self.settings.flavour {
            Flavour::Java => self.settings.heartbeat_step,
            Flavour::Librdkafka => Duration::ZERO,
        };
        let at = self.heartbeat.seen_at(cx.now() + interval, step);
        if self.timers.deadline(&Timer::MaxPoll) != Some(at) {
            self.timers.set(Timer::MaxPoll, at, cx.journal);
        }
    }

    /// The heartbeat timer fired.
    pub(super) fn heartbeat_due(&mut self, cx: &mut Cx<'_>) {
        if !self.heartbeat.enabled {
            return;
        }
        if self.is_inside_poll() {
            // A blocked poll goes round at least once per heartbeat interval, and so shows that it lives.
            self.restart_poll_timer(cx);
        }
        // After a standstill several timers are due; the thread looks at them in this order.
        let now = cx.now();
        let due = |timer: &Timer| self.timers.deadline(timer).is_some_and(|at| at <= now);
        if due(&Timer::Session) {
            self.timers.cancel(&Timer::Session);
            self.heartbeat.overdue = true;
            self.session_timer_fired(cx);
            return;
        }
        if due(&Timer::MaxPoll) {
            self.timers.cancel(&Timer::MaxPoll);
            self.poll_timer_fired(cx);
            return;
        }
        if self.coordinator.node.is_some() {
            self.send_heartbeat(cx);
        } else {
            self.heartbeat.overdue = true;
            self.lookup_coordinator(cx);
        }
    }

    pub(super) fn send_heartbeat(&mut self, cx: &mut Cx<'_>) {
        let Some(coordinator) = self.coordinator.node else {
            self.heartbeat.overdue = true;
            return;
        };
        self.heartbeat.overdue = false;
        self.heartbeat.last_sent_at = Some(cx.now());
        self.heartbeat.steps_from = cx.now();
        let mut at = cx.now() + self.interval();
        if self.settings.flavour == Flavour::Librdkafka {
            at += self.settings.heartbeat_step;
        }
        self.set_heartbeat_timer(at, cx);
        let current = self.group.current.clone();
        let request = HeartbeatRequest {
            group_id: self.group_id(),
            generation_id: current.generation,
            member_id: current.member_id.clone(),
            group_instance_id: self.settings.config.group_instance_id.clone(),
        };
        let purpose = Purpose::Heartbeat(current);
        let channel = Channel::Coordinator;
        self.send(coordinator, channel, request.into(), purpose, cx);
    }

    /// A heartbeat was answered. `sent`: the generation with which it was sent.
    pub(super) fn on_heartbeat(
        &mut self,
        sent: &super::membership::MemberGeneration,
        error: ErrorCode,
        cx: &mut Cx<'_>,
    ) {
        match error {
            ErrorCode::None => self.on_heartbeat_accepted(cx),
            ErrorCode::CoordinatorNotAvailable | ErrorCode::NotCoordinator => {
                self.mark_coordinator_unknown(cx);
                self.on_heartbeat_failed(cx);
            }
            ErrorCode::RebalanceInProgress => {
                if self.group.state == MemberState::Stable {
                    self.request_rejoin("group is already rebalancing");
                }
                self.on_heartbeat_accepted(cx);
            }
            ErrorCode::IllegalGeneration
            | ErrorCode::UnknownMemberId
            | ErrorCode::FencedInstanceId => {
                if !self.generation_unchanged(sent) {
                    self.on_heartbeat_accepted(cx);
                    return;
                }
                if error == ErrorCode::FencedInstanceId {
                    self.heartbeat.failure = Some(Exception::FencedInstanceId);
                }
                self.reset_on_error("HEARTBEAT", error, cx);
            }
            _ => self.on_heartbeat_failed(cx),
        }
    }

    fn on_heartbeat_accepted(&mut self, cx: &mut Cx<'_>) {
        self.heartbeat.attempts = 0;
        if self.heartbeat.enabled {
            self.restart_session_timer(cx);
        }
    }

    /// The heartbeat failed: the next one comes after a pause instead of a full interval.
    pub(super) fn on_heartbeat_failed(&mut self, cx: &mut Cx<'_>) {
        if !self.heartbeat.enabled {
            return;
        }
        let pause = self.backoff(self.heartbeat.attempts);
        self.heartbeat.attempts = self.heartbeat.attempts.saturating_add(1);
        self.set_heartbeat_timer(cx.now() + pause, cx);
    }

    /// No heartbeat was answered for `session.timeout.ms`: perhaps another broker coordinates by now.
    pub(super) fn session_timer_fired(&mut self, cx: &mut Cx<'_>) {
        if self.coordinator.node.is_some() {
            self.mark_coordinator_unknown(cx);
        } else {
            self.lookup_coordinator(cx);
        }
    }

    /// `max.poll.interval.ms` passed without a call of poll: the member leaves. The application is not told
    /// before it calls.
    pub(super) fn poll_timer_fired(&mut self, cx: &mut Cx<'_>) {
        if !self.heartbeat.enabled {
            return;
        }
        if self.coordinator.node.is_none() {
            // The thread looks for the coordinator before it looks at this timer.
            self.heartbeat.poll_overdue = true;
            return;
        }
        cx.journal.note_as_cause(FactKind::PollTimeoutExpired {
            member: self.group.membership.clone(),
        });
        self.maybe_leave_group("consumer poll timeout has expired.", cx);
    }
}
