//! The Java client's own words: what it logs about itself. The methods behind each line are named beside it.

mod answers;
mod commits;

use super::{LogLevel, Noticed, Pen, collection, joined};
use crate::kafka::cluster::Cluster;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{Callback, FactKind, MemberState, Membership, Why};
use crate::kafka::ids::{BrokerId, MemberId, Offset, TopicName, TopicPartition};
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::Instant;
use std::rc::Rc;

const COORDINATOR: &str = "org.apache.kafka.clients.consumer.internals.ConsumerCoordinator";
const LISTENER: &str =
    "org.apache.kafka.clients.consumer.internals.ConsumerRebalanceListenerInvoker";
const SUBSCRIPTIONS: &str = "org.apache.kafka.clients.consumer.internals.SubscriptionState";
const UTILS: &str = "org.apache.kafka.clients.consumer.internals.ConsumerUtils";
const COLLECTOR: &str = "org.apache.kafka.clients.consumer.internals.FetchCollector";
const CONSUMER: &str = "org.apache.kafka.clients.consumer.internals.ClassicKafkaConsumer";
const NETWORK: &str = "org.apache.kafka.clients.NetworkClient";
/// What the program around the client writes when a call throws.
const PROGRAM: &str = "main";

/// `AbstractCoordinator.Generation`
#[derive(Clone, PartialEq, Eq, Debug)]
struct Generation {
    id: i32,
    member_id: MemberId,
    protocol: Option<Rc<str>>,
}

impl Default for Generation {
    fn default() -> Self {
        Self {
            id: -1,
            member_id: MemberId::default(),
            protocol: None,
        }
    }
}

impl std::fmt::Display for Generation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let protocol = self.protocol.as_deref().unwrap_or("null");
        write!(
            f,
            "Generation{{generationId={}, memberId='{}', protocol='{protocol}'}}",
            self.id, self.member_id
        )
    }
}

/// Partitions that were called back as given up before anybody said why the group is joined anew.
#[derive(Clone, Copy, Debug)]
struct GivenUp {
    /// Before which line.
    line: usize,
    is_lost: bool,
}

/// What the words depend on: a process's view of itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Java {
    prefix: Option<Rc<str>>,
    is_cooperative: bool,
    is_stable: bool,
    is_preparing: bool,
    generation: Generation,
    topics: Option<Vec<TopicName>>,
    pattern: Option<Rc<str>>,
    owned: SortedSet<TopicPartition>,
    owned_before: SortedSet<TopicPartition>,
    paused: SortedSet<TopicPartition>,
    positions: SortedMap<TopicPartition, Offset>,
    epochs: SortedMap<TopicPartition, i32>,
    coordinator: Option<BrokerId>,
    /// What SyncGroup brought and no callback has told of yet.
    assignment: Option<Vec<TopicPartition>>,
    is_update_told: bool,
    is_assigning: bool,
    rejoin_is_said: bool,
    reset_is_said: bool,
    given_up: Option<GivenUp>,
    /// It was a member before the beginning, and has said nothing yet.
    is_preset: bool,
    /// When it forgot its membership of its own accord, and before which line.
    left: Option<(Instant, usize)>,
    /// Offsets of commits under way, and whether a request carries them.
    commits: Vec<(String, bool)>,
    last_commit: (String, bool),
}

impl Java {
    fn prefix(&self, pen: &Pen<'_>) -> Rc<str> {
        self.prefix.clone().unwrap_or_else(|| {
            format!("[Consumer clientId={}, groupId=null] ", pen.who.client_id).into()
        })
    }

    fn info(&self, pen: &mut Pen<'_>, logger: &'static str, text: String) {
        self.log(pen, LogLevel::Info, logger, text);
    }

    fn log(&self, pen: &mut Pen<'_>, level: LogLevel, logger: &'static str, text: String) {
        if self.is_preset {
            return;
        }
        // Loggers without a context of their own.
        let prefix = match logger {
            UTILS | PROGRAM => "".into(),
            _ => self.prefix(pen),
        };
        let line = pen.line(level, logger, prefix, text);
        pen.lines.push(Rc::new(line));
    }

    /// `requestRejoin`
    fn rejoin(&mut self, pen: &mut Pen<'_>, reason: &str) {
        self.info(
            pen,
            COORDINATOR,
            format!("Request joining group due to: {reason}"),
        );
        self.rejoin_is_said = true;
    }

    /// `resetStateAndRejoin`
    fn reset(&mut self, pen: &mut Pen<'_>, reason: &str, with_member_id: bool) {
        let what = if with_member_id { "and member id " } else { "" };
        self.info(
            pen,
            COORDINATOR,
            format!("Resetting generation {what}due to: {reason}"),
        );
        self.rejoin(pen, reason);
        self.reset_is_said = true;
    }

    /// `resetStateOnResponseError`
    fn reset_on_error(&mut self, pen: &mut Pen<'_>, api: &str, error: ErrorCode) {
        let reason = format!("encountered {} from {api} response", error.name());
        self.reset(pen, &reason, error != ErrorCode::IllegalGeneration);
    }

    /// `markCoordinatorUnknown`
    fn coordinator_unknown(&mut self, pen: &mut Pen<'_>, cause: &str, is_disconnected: bool) {
        let Some(broker) = self.coordinator.take() else {
            return;
        };
        let node = coordinator_node(pen.cluster, broker);
        self.info(
            pen,
            COORDINATOR,
            format!(
                "Group coordinator {node} is unavailable or invalid due to cause: {cause}. isDisconnected: \
                 {is_disconnected}. Rediscovery will be attempted."
            ),
        );
        if !is_disconnected {
            let text = format!("Requesting disconnect from last known coordinator {node}");
            self.info(pen, COORDINATOR, text);
        }
    }

    fn coordinator_name(&self, pen: &Pen<'_>) -> String {
        self.coordinator.map_or_else(
            || "null".to_owned(),
            |broker| coordinator_node(pen.cluster, broker),
        )
    }

    /// Lines went at the beginning.
    pub fn let_go(&mut self, lines: usize) {
        self.left = None;
        if let Some(given_up) = &mut self.given_up {
            given_up.line = given_up.line.saturating_sub(lines);
        }
    }

    /// `assign()` has taken its partitions one by one.
    pub fn settle(&mut self, pen: &mut Pen<'_>) {
        if std::mem::take(&mut self.is_assigning) {
            let text = format!("Assigned to partition(s): {}", joined(self.owned.iter()));
            self.info(pen, CONSUMER, text);
        }
    }

    pub fn say(&mut self, noticed: Noticed<'_>, pen: &mut Pen<'_>) {
        if !matches!(
            noticed,
            Noticed::Fact(FactKind::Acquire { .. } | FactKind::Release { .. })
        ) {
            self.settle(pen);
        }
        match noticed {
            Noticed::Fact(kind) => self.fact(kind, pen),
            Noticed::Sent(sent) => self.sent(sent, pen),
            Noticed::Answered(sent, response) => self.answered(sent, response, pen),
            Noticed::TimedOut(sent) => self.timed_out(sent, pen),
        }
    }

    fn learn(&mut self, member: &Membership, pen: &Pen<'_>) {
        let group = match member.group.is_empty() {
            true => "null",
            false => member.group.as_str(),
        };
        let client = &pen.who.client_id;
        let prefix = match &member.group_instance_id {
            Some(id) => format!("[Consumer instanceId={id}, clientId={client}, groupId={group}] "),
            None => format!("[Consumer clientId={client}, groupId={group}] "),
        };
        if self.prefix.as_deref() != Some(&prefix) {
            self.prefix = Some(prefix.into());
        }
    }

    fn fact(&mut self, kind: &FactKind, pen: &mut Pen<'_>) {
        match kind {
            FactKind::Started { .. } => *self = Java::default(),
            FactKind::SubscriptionChanged {
                member,
                topics,
                pattern,
            } => {
                self.learn(member, pen);
                self.is_preset = self.generation.id < 0 && member.generation.0 >= 0;
                self.subscribed(topics, pattern.as_ref(), pen);
            }
            FactKind::MemberStateChanged { member, to, .. } => {
                self.learn(member, pen);
                self.state_changed(member, *to, pen);
            }
            FactKind::Acquire { member, partition } => {
                self.learn(member, pen);
                self.owned.insert(partition.clone());
                self.is_assigning |= self.topics.is_none() && member.member_id.is_empty();
            }
            FactKind::Release { partition, .. } => {
                self.owned.remove(partition);
                self.paused.remove(partition);
                self.positions.remove(partition);
            }
            FactKind::CallbackCalled {
                callback,
                partitions,
                ..
            } => self.callback(*callback, partitions, pen),
            FactKind::CallbackReturned {
                callback: Callback::Revoked,
                ..
            } => self.revoked(pen),
            FactKind::PauseChanged {
                partition, paused, ..
            } => {
                match paused {
                    true => self.paused.insert(partition.clone()),
                    false => self.paused.remove(partition),
                };
            }
            FactKind::PositionSet {
                partition,
                offset,
                cause,
                ..
            } => self.position_set(partition, *offset, *cause, pen),
            FactKind::Deliver {
                partition, next, ..
            } => {
                if let Some(position) = self.positions.get_mut(partition) {
                    *position = *next;
                }
            }
            FactKind::PollTimeoutExpired { .. } => self.log(
                pen,
                LogLevel::Warn,
                COORDINATOR,
                "consumer poll timeout has expired. This means the time between subsequent calls to poll() \
                 was longer than the configured max.poll.interval.ms, which typically implies that the poll \
                 loop is spending too much time processing messages. You can address this either by \
                 increasing max.poll.interval.ms or by reducing the maximum size of batches returned in \
                 poll() with max.poll.records."
                    .to_owned(),
            ),
            FactKind::CommitStarted { offsets, .. } => {
                let offsets = offsets.iter();
                let offsets = offsets.map(|(partition, offset)| (partition.clone(), *offset, -1));
                self.commits.push((offset_map(offsets), false));
            }
            FactKind::CommitFinished { kind, error, .. } => {
                self.commit_finished(*kind, error.as_ref(), pen);
            }
            FactKind::Thrown { exception, .. } => self.thrown(exception, pen),
            FactKind::TimerFired {
                why: Why::ClientSessionTimeout,
                ..
            } => {
                let cause = "session timed out without receiving a heartbeat response";
                self.coordinator_unknown(pen, cause, false);
            }
            _ => {}
        }
    }

    /// `ClassicKafkaConsumer.subscribe`, `unsubscribe`
    fn subscribed(&mut self, topics: &[TopicName], pattern: Option<&Rc<str>>, pen: &mut Pen<'_>) {
        let is_new_pattern = pattern.is_some() && self.pattern.as_ref() != pattern;
        let text = match pattern {
            Some(pattern) if is_new_pattern => format!("Subscribed to pattern: '{pattern}'"),
            // More topics match than before: that is found out, not asked for.
            Some(_) => String::new(),
            None if topics.is_empty() => {
                "Unsubscribed all topics or patterns and assigned partitions".to_owned()
            }
            None => {
                let names: Vec<&str> = topics.iter().map(TopicName::as_str).collect();
                format!("Subscribed to topic(s): {}", names.join(", "))
            }
        };
        self.topics = (!topics.is_empty() || pattern.is_some()).then(|| topics.to_vec());
        self.pattern = pattern.cloned();
        if !text.is_empty() {
            self.info(pen, CONSUMER, text);
        }
    }

    fn state_changed(&mut self, member: &Membership, to: MemberState, pen: &mut Pen<'_>) {
        self.is_stable = to == MemberState::Stable;
        self.is_preparing = to == MemberState::PreparingRebalance;
        match to {
            MemberState::Unjoined => {
                if !std::mem::take(&mut self.reset_is_said) {
                    // `resetGenerationOnLeaveGroup`
                    self.left = Some((pen.at, pen.lines.len()));
                    let reason = "consumer pro-actively leaving the group";
                    self.reset(pen, reason, true);
                    self.reset_is_said = false;
                }
                self.generation = Generation {
                    id: -1,
                    member_id: member.member_id.clone(),
                    protocol: None,
                };
            }
            MemberState::PreparingRebalance => {}
            MemberState::CompletingRebalance => {
                self.generation.id = member.generation.0;
                self.generation.member_id = member.member_id.clone();
                let text = format!(
                    "Successfully joined group with generation {}",
                    self.generation
                );
                self.info(pen, COORDINATOR, text);
            }
            MemberState::Stable => {
                self.rejoin_is_said = false;
                if self.generation.id != member.generation.0 {
                    // A membership from before the beginning: nobody logged it here.
                    self.generation.id = member.generation.0;
                    self.generation.member_id = member.member_id.clone();
                    return;
                }
                let text = format!(
                    "Successfully synced group in generation {}",
                    self.generation
                );
                self.info(pen, COORDINATOR, text);
            }
        }
    }

    /// `ConsumerCoordinator.onJoinComplete` and `ConsumerRebalanceListenerInvoker`
    fn callback(&mut self, callback: Callback, partitions: &[TopicPartition], pen: &mut Pen<'_>) {
        let is_given_up = callback != Callback::Assigned;
        if is_given_up && self.assignment.is_none() && !self.rejoin_is_said
            || callback == Callback::Lost
        {
            self.given_up = Some(GivenUp {
                line: pen.lines.len(),
                is_lost: callback == Callback::Lost,
            });
        }
        if self.is_cooperative && callback != Callback::Lost {
            self.update_assignment(pen);
        }
        let names = joined(partitions);
        match callback {
            Callback::Revoked => {
                let text = format!("Revoke previously assigned partitions {names}");
                self.info(pen, LISTENER, text);
                self.unpaused(partitions, "revocation", pen);
            }
            Callback::Lost => {
                let text = format!("Lost previously assigned partitions {names}");
                self.info(pen, LISTENER, text);
                self.unpaused(partitions, "partition lost", pen);
            }
            Callback::Assigned => {
                if let Some(assigned) = self.assignment.take() {
                    let assigned = collection(&assigned);
                    let text = format!(
                        "Notifying assignor about the new Assignment(partitions={assigned})"
                    );
                    self.info(pen, COORDINATOR, text);
                }
                let text = format!("Adding newly assigned partitions: {names}");
                self.info(pen, LISTENER, text);
            }
        }
    }

    fn unpaused(&self, partitions: &[TopicPartition], why: &str, pen: &mut Pen<'_>) {
        let paused = partitions.iter().filter(|one| self.paused.contains(*one));
        let paused = joined(paused);
        if !paused.is_empty() {
            let text =
                format!("The pause flag in partitions [{paused}] will be removed due to {why}.");
            self.info(pen, LISTENER, text);
        }
    }

    /// Once per SyncGroup, before the first callback.
    fn update_assignment(&mut self, pen: &mut Pen<'_>) {
        let Some(assigned) = self.assignment.as_ref().filter(|_| !self.is_update_told) else {
            return;
        };
        let assigned: SortedSet<TopicPartition> = assigned.iter().cloned().collect();
        let before = std::mem::take(&mut self.owned_before);
        let text = format!(
            "Updating assignment with\n\
             \tAssigned partitions:                       {}\n\
             \tCurrent owned partitions:                  {}\n\
             \tAdded partitions (assigned - owned):       {}\n\
             \tRevoked partitions (owned - assigned):     {}\n",
            collection(assigned.iter()),
            collection(before.iter()),
            collection(assigned.difference(&before)),
            collection(before.difference(&assigned)),
        );
        self.info(pen, COORDINATOR, text);
        self.is_update_told = true;
    }

    /// A callback about revoked partitions has returned: in a cooperative rebalance the group is joined anew.
    fn revoked(&mut self, pen: &mut Pen<'_>) {
        if !self.is_cooperative || !self.is_stable || self.assignment.is_none() {
            return;
        }
        let assigned: SortedSet<TopicPartition> =
            self.assignment.iter().flatten().cloned().collect();
        let revoked = self.owned.difference(&assigned);
        let reason = format!(
            "need to revoke partitions {} as indicated by the current assignment and re-join",
            collection(revoked)
        );
        self.rejoin(pen, &reason);
    }
}

/// `localhost:9092 (id: 1 rack: null)`
fn node(cluster: &Cluster, broker: BrokerId, id: i32) -> String {
    match cluster.brokers.get(&broker) {
        Some(node) => {
            let rack = node.rack.as_deref().unwrap_or("null");
            format!("{}:{} (id: {id} rack: {rack})", node.host, node.port)
        }
        None => format!("(id: {id} rack: null)"),
    }
}

/// A coordinator's connection is another one than that to the broker, and has an id of its own.
fn coordinator_node(cluster: &Cluster, broker: BrokerId) -> String {
    node(cluster, broker, i32::MAX.saturating_sub(broker.0))
}

/// `{orders-0=OffsetAndMetadata{offset=12, leaderEpoch=0, metadata=''}}`
fn offset_map(offsets: impl Iterator<Item = (TopicPartition, Offset, i32)>) -> String {
    let entry = |(partition, offset, epoch): (TopicPartition, Offset, i32)| {
        let epoch = match epoch {
            -1 => "null".to_owned(),
            epoch => epoch.to_string(),
        };
        format!(
            "{partition}=OffsetAndMetadata{{offset={}, leaderEpoch={epoch}, metadata=''}}",
            offset.0
        )
    };
    let entries: Vec<String> = offsets.map(entry).collect();
    format!("{{{}}}", entries.join(", "))
}
