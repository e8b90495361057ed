//! A membership that exists when the scenario begins.

use super::settings::MembershipPreset;
use super::{Consumer, Cx, Timer};
use crate::kafka::assignor::Assignor;
use crate::kafka::client::handshake::Spoken;
use crate::kafka::client::{Channel, Flavour};
use crate::kafka::fact::{FactKind, MemberState, PositionCause};
use crate::kafka::ids::TopicName;
use crate::kafka::sorted::SortedSet;
use crate::kafka::time::{Duration, Instant};

impl Consumer {
    pub(super) fn install_membership(&mut self, preset: MembershipPreset, cx: &mut Cx<'_>) {
        let now = cx.now();
        if let Some(client_id) = preset.client_id.clone() {
            self.network.client_id = client_id;
        }
        self.coordinator.node = Some(preset.coordinator);
        self.network.install(
            Spoken::by(self.settings.brokers),
            preset.coordinator,
            Channel::Coordinator,
            preset.next_correlation_id,
        );
        self.metadata.install(preset.metadata.clone());
        let topics: SortedSet<TopicName> = preset.topics.iter().cloned().collect();
        match &preset.pattern {
            None => drop(self.subscriptions.subscribe(topics)),
            Some(pattern) => {
                self.subscriptions.subscribe_pattern(pattern.clone());
                self.subscriptions.subscribe_from_pattern(topics);
            }
        }
        self.set_generation(super::membership::MemberGeneration {
            generation: preset.generation,
            member_id: preset.member_id.clone(),
            protocol: Some(preset.protocol.clone()),
        });
        cx.journal.note(FactKind::SubscriptionChanged {
            member: self.group.membership.clone(),
            topics: preset.topics.clone(),
            pattern: preset
                .pattern
                .as_ref()
                .map(|pattern| pattern.text().clone()),
        });
        self.set_member_state(MemberState::Stable, cx);
        self.group.rejoin_needed = false;
        self.join.joined_subscription = Some(self.subscriptions.subscription().clone());
        self.install_leadership(&preset);
        self.install_partitions(&preset, cx);
        self.install_timers(&preset, now, cx);
    }

    fn install_leadership(&mut self, preset: &MembershipPreset) {
        if let Some(topics) = &preset.leader_of {
            self.subscriptions
                .group_subscribe(topics.iter().cloned().collect());
            self.join.is_leader = true;
        }
        self.maybe_update_snapshot();
        if self.join.is_leader || self.settings.flavour == Flavour::Librdkafka {
            self.join.assignment_snapshot = Some(self.snapshot.clone());
        }
    }

    fn install_partitions(&mut self, preset: &MembershipPreset, cx: &mut Cx<'_>) {
        let owned = preset.owned.iter().map(|(partition, _)| partition.clone());
        let owned: SortedSet<_> = owned.collect();
        let generation = preset.generation.0;
        match Assignor::from_name(&preset.protocol) {
            Some(Assignor::Sticky) => {
                self.join.sticky = Some((owned.iter().cloned().collect(), generation));
            }
            Some(Assignor::CooperativeSticky) => {
                self.join.cooperative_generation = generation;
                if self.settings.flavour == Flavour::Librdkafka {
                    self.join.sticky = Some((owned.iter().cloned().collect(), generation));
                }
            }
            Some(Assignor::Range | Assignor::RoundRobin) | None => {}
        }
        let (gone, added) = self.subscriptions.assign_from_subscribed(&owned);
        let cause = crate::kafka::fact::ReleaseCause::Lost;
        self.note_assignment(gone, added, cause, cx);
        for (partition, position) in &preset.owned {
            if let Some(offset) = position {
                self.set_position(partition, *offset, -1, PositionCause::Committed, cx);
            }
        }
    }

    /// Every rhythm goes on from where it was: the first beat is not before now.
    fn install_timers(&mut self, preset: &MembershipPreset, now: Instant, cx: &mut Cx<'_>) {
        let last_heartbeat = preset.last_heartbeat_at;
        self.install_heartbeat(preset.joined_at, last_heartbeat, cx);
        self.restart_poll_timer(cx);
        self.restart_metadata_age(preset.metadata_refreshed_at, cx);
        if self.auto_commit_enabled() {
            let interval = self.settings.config.auto_commit_interval_ms;
            let interval = Duration::from_ms(interval.into());
            let at = next_beat(preset.joined_at, interval, now);
            self.timers.set(Timer::AutoCommit, at, cx.journal);
        }
    }
}

/// The first `since` + n × `period` (n ≥ 1) that is not before `now`.
pub(super) fn next_beat(since: Instant, period: Duration, now: Instant) -> Instant {
    let first = since + period;
    if first >= now || period.0 <= 0 {
        return first.max(now);
    }
    let missing = (now - first).0;
    let beats = missing.div_euclid(period.0) + i64::from(missing.rem_euclid(period.0) != 0);
    first + Duration(beats.saturating_mul(period.0))
}
