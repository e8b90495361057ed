//! The command-line tools of an administrator: `kafka-consumer-groups.sh`, `kafka-topics.sh`,
//! `kafka-delete-records.sh`. A task goes step by step, as Kafka's `Admin` client and the tools on top of
//! it do it: look up who is responsible, look at what there is, then act. Brokers may refuse each step.
//!
//! Left out: ConsumerGroupDescribe (69) in front of DescribeGroups, which groups of the classic protocol
//! answer with 69.
//!
//! DEVIATION: it knows the versions of its brokers without asking (ApiVersions), and so does a connection over
//! which commands send requests.

mod requests;

pub(super) use requests::commit_topics;

use super::World;
use super::actor::ActorKind;
use super::command::{ADMIN, AdminAct, ResetTo};
use super::queue::WakeKey;
use crate::kafka::api::versions::common;
use crate::kafka::api::{LATEST_TIMESTAMP, Request, RequestHeader, Response};
use crate::kafka::client::Channel;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{AdminRefusal, AdminTask, FactId, FactKind, GroupState, Why};
use crate::kafka::ids::{ActorName, BrokerId, ClientId, GroupId, Offset, TopicPartition};
use crate::kafka::journal::Journal;
use crate::kafka::sorted::{SortedMap, SortedSet};
use crate::kafka::time::Duration;
use std::collections::VecDeque;

/// How long a tool tries before it gives up (`--timeout` of the tools).
const PATIENCE: Duration = Duration::from_ms(5_000);
/// `retry.backoff.ms`
const BACKOFF: Duration = Duration::from_ms(100);

/// One step of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// FindCoordinator.
    Coordinator,
    /// DescribeGroups: offsets are reset only if nobody is in the group.
    Describe,
    /// Metadata: partitions, their leaders, the controller.
    Metadata,
    /// OffsetFetch.
    Committed,
    /// ListOffsets: where the logs begin.
    Starts,
    /// ListOffsets: where they end.
    Ends,
    /// ListOffsets: the first record from a time on.
    ByTime,
    /// What all this was for.
    Act,
}

/// A request that is to be sent.
pub(super) struct Errand {
    pub to: BrokerId,
    pub correlation_id: i32,
    pub api_version: i16,
    pub request: Request,
    /// It is for a group's coordinator.
    pub is_for_group: bool,
}

/// A task under way.
#[derive(Clone, Debug)]
struct Work {
    act: AdminAct,
    step: Step,
    /// Correlation ids of requests without an answer.
    waiting: SortedSet<i32>,
    gives_up: (WakeKey, FactId),
    tries_again: Option<(WakeKey, FactId)>,
    found: Found,
}

/// What a task has found out so far.
#[derive(Clone, Debug, Default)]
struct Found {
    coordinator: Option<BrokerId>,
    controller: Option<BrokerId>,
    leaders: SortedMap<TopicPartition, BrokerId>,
    committed: SortedMap<TopicPartition, Offset>,
    starts: SortedMap<TopicPartition, Offset>,
    ends: SortedMap<TopicPartition, Offset>,
    by_time: SortedMap<TopicPartition, Offset>,
}

/// A tool, and what it is yet to do.
#[derive(Clone, Debug)]
pub(super) struct Tool {
    name: ActorName,
    /// Where it asks first.
    bootstrap: BrokerId,
    last_correlation_id: i32,
    work: Option<Work>,
    queue: VecDeque<AdminAct>,
}

impl Tool {
    pub fn new(name: ActorName, bootstrap: BrokerId) -> Self {
        Self {
            name,
            bootstrap,
            last_correlation_id: 0,
            work: None,
            queue: VecDeque::new(),
        }
    }

    /// Takes a task on, and begins it if there is nothing else to do.
    pub fn take_on(&mut self, act: AdminAct, journal: &mut Journal) -> Vec<Errand> {
        self.queue.push_back(act);
        match self.work {
            Some(_) => Vec::new(),
            None => self.begin_next(journal),
        }
    }

    /// How many tasks it has not ended.
    pub fn tasks(&self) -> usize {
        self.queue.len() + usize::from(self.work.is_some())
    }

    fn begin_next(&mut self, journal: &mut Journal) -> Vec<Errand> {
        let Some(act) = self.queue.pop_front() else {
            return Vec::new();
        };
        let until = journal.now() + PATIENCE;
        let gives_up = ((until, journal.next_sequence()), journal.cause());
        self.work = Some(Work {
            step: first_step(&act),
            act,
            waiting: SortedSet::new(),
            gives_up,
            tries_again: None,
            found: Found::default(),
        });
        self.go(journal)
    }

    /// Sends the requests of the present step; steps that ask nothing are passed over.
    fn go(&mut self, journal: &mut Journal) -> Vec<Errand> {
        loop {
            let Some(work) = &mut self.work else {
                return Vec::new();
            };
            match work.requests(self.bootstrap) {
                Err(refusal) => return self.end(Some(refusal), journal),
                Ok(wanted) if wanted.is_empty() => match work.next_step() {
                    Some(step) => work.step = step,
                    None => return self.end(None, journal),
                },
                Ok(wanted) => {
                    let is_for_group = work.is_for_group();
                    let errands = wanted.into_iter().map(|(to, (api_version, request))| {
                        self.last_correlation_id += 1;
                        work.waiting.insert(self.last_correlation_id);
                        Errand {
                            to,
                            correlation_id: self.last_correlation_id,
                            api_version,
                            request,
                            is_for_group,
                        }
                    });
                    return errands.collect();
                }
            }
        }
    }

    /// An answer has come.
    pub fn hear(
        &mut self,
        correlation_id: i32,
        response: Response,
        journal: &mut Journal,
    ) -> Vec<Errand> {
        let Some(work) = &mut self.work else {
            return Vec::new();
        };
        if !work.waiting.remove(&correlation_id) {
            return Vec::new();
        }
        let error = response.error();
        if is_retriable(error) {
            work.waiting.clear();
            let at = journal.now() + BACKOFF;
            work.tries_again = Some(((at, journal.next_sequence()), journal.cause()));
            return Vec::new();
        }
        let learned = match error {
            ErrorCode::None => work.learn(response),
            error => Err(AdminRefusal::Error(error)),
        };
        match learned {
            Err(refusal) => self.end(Some(refusal), journal),
            Ok(()) if !work.waiting.is_empty() => Vec::new(),
            Ok(()) => match work.next_step() {
                Some(step) => {
                    work.step = step;
                    self.go(journal)
                }
                None => self.end(None, journal),
            },
        }
    }

    fn end(&mut self, refusal: Option<AdminRefusal>, journal: &mut Journal) -> Vec<Errand> {
        if let Some(work) = self.work.take() {
            journal.note_as_cause(FactKind::AdminFinished {
                actor: self.name.clone(),
                task: task(&work.act),
                refusal,
            });
        }
        self.begin_next(journal)
    }

    /// When it does something by itself, what, and since which fact.
    pub fn next_wake(&self) -> Option<(WakeKey, Why, FactId)> {
        let work = self.work.as_ref()?;
        let gives_up = (work.gives_up.0, Why::CallTimeout, work.gives_up.1);
        let again = work
            .tries_again
            .map(|(key, set_by)| (key, Why::RetryBackoff, set_by));
        match again {
            Some(again) if again.0 < gives_up.0 => Some(again),
            _ => Some(gives_up),
        }
    }

    /// Its wake fires: it begins the task anew, or gives it up.
    pub fn wake(&mut self, journal: &mut Journal) -> Vec<Errand> {
        let Some(work) = &mut self.work else {
            return Vec::new();
        };
        if work.gives_up.0.0 <= journal.now() {
            return self.end(Some(AdminRefusal::Timeout), journal);
        }
        work.tries_again = None;
        work.found = Found::default();
        work.step = first_step(&work.act);
        self.go(journal)
    }
}

/// What the fact says that the tool was asked for.
fn task(act: &AdminAct) -> AdminTask {
    match act.clone() {
        AdminAct::ResetOffsets { group, .. } => AdminTask::ResetOffsets(group),
        AdminAct::DeleteOffsets { group, topic, .. } => AdminTask::DeleteOffsets(group, topic),
        AdminAct::DeleteGroup { group } => AdminTask::DeleteGroup(group),
        AdminAct::RemoveMember {
            group,
            group_instance_id,
        } => AdminTask::RemoveMember(group, group_instance_id),
        AdminAct::DeleteTopic { topic } => AdminTask::DeleteTopic(topic),
        AdminAct::DeleteRecords { partition, .. } => AdminTask::DeleteRecords(partition),
    }
}

fn first_step(act: &AdminAct) -> Step {
    match act {
        AdminAct::ResetOffsets { .. }
        | AdminAct::DeleteGroup { .. }
        | AdminAct::RemoveMember { .. }
        | AdminAct::DeleteOffsets { .. } => Step::Coordinator,
        AdminAct::DeleteTopic { .. } | AdminAct::DeleteRecords { .. } => Step::Metadata,
    }
}

fn is_retriable(error: ErrorCode) -> bool {
    matches!(
        error,
        ErrorCode::CoordinatorLoadInProgress
            | ErrorCode::CoordinatorNotAvailable
            | ErrorCode::NotCoordinator
            | ErrorCode::NotLeaderOrFollower
    )
}

impl Work {
    fn group(&self) -> Option<&GroupId> {
        match &self.act {
            AdminAct::ResetOffsets { group, .. }
            | AdminAct::DeleteOffsets { group, .. }
            | AdminAct::DeleteGroup { group }
            | AdminAct::RemoveMember { group, .. } => Some(group),
            AdminAct::DeleteTopic { .. } | AdminAct::DeleteRecords { .. } => None,
        }
    }

    fn is_for_group(&self) -> bool {
        match self.step {
            Step::Describe | Step::Committed => true,
            Step::Act => self.group().is_some(),
            Step::Coordinator | Step::Metadata | Step::Starts | Step::Ends | Step::ByTime => false,
        }
    }

    fn next_step(&self) -> Option<Step> {
        if let AdminAct::ResetOffsets { to, .. } = &self.act {
            return self.next_step_of_reset(*to);
        }
        match self.step {
            // kafka-consumer-groups.sh asks for the topic's partitions if none are given.
            Step::Coordinator if matches!(&self.act, AdminAct::DeleteOffsets { partitions, .. } if partitions.is_empty()) => {
                Some(Step::Metadata)
            }
            Step::Act => None,
            _ => Some(Step::Act),
        }
    }

    /// `ConsumerGroupService.resetOffsets` and `prepareOffsetsToReset`
    fn next_step_of_reset(&self, to: ResetTo) -> Option<Step> {
        Some(match (self.step, to) {
            (Step::Coordinator, _) => Step::Describe,
            (Step::Describe, _) => Step::Committed,
            (Step::Committed, _) => Step::Metadata,
            (Step::Metadata, ResetTo::Latest) => Step::Ends,
            (Step::Metadata, ResetTo::TimeMs(_)) => Step::ByTime,
            (Step::Metadata, _) => Step::Starts,
            (Step::Starts, ResetTo::Earliest) => Step::Act,
            (Step::Starts | Step::ByTime, _) => Step::Ends,
            (Step::Ends, _) => Step::Act,
            (Step::Act, _) => return None,
        })
    }

    /// Takes in an answer without an error.
    fn learn(&mut self, response: Response) -> Result<(), AdminRefusal> {
        match response {
            Response::FindCoordinator(found) => {
                let found = found.coordinators.first();
                self.found.coordinator = found.map(|coordinator| coordinator.node_id);
            }
            Response::DescribeGroups(described) => {
                let inactive = [GroupState::Empty.name(), GroupState::Dead.name()];
                let mut states = described.groups.iter().map(|group| &group.group_state);
                let active = states.find(|state| !inactive.contains(&&***state));
                if let Some(state) = active {
                    return Err(AdminRefusal::GroupActive(state.clone()));
                }
            }
            Response::Metadata(metadata) => {
                self.found.controller = Some(metadata.controller_id);
                for topic in metadata.topics {
                    let Some(name) = topic.name else { continue };
                    for partition in topic.partitions {
                        let id = TopicPartition::new(name.clone(), partition.partition_index);
                        self.found.leaders.insert(id, partition.leader_id);
                    }
                }
            }
            Response::OffsetFetch(fetched) => {
                for topic in fetched.groups.into_iter().flat_map(|group| group.topics) {
                    for partition in &topic.partitions {
                        let id = TopicPartition::new(topic.name.clone(), partition.partition_index);
                        if partition.committed_offset >= Offset(0) {
                            self.found.committed.insert(id, partition.committed_offset);
                        }
                    }
                }
            }
            Response::ListOffsets(listed) => {
                let found = match self.step {
                    Step::Starts => &mut self.found.starts,
                    Step::ByTime => &mut self.found.by_time,
                    _ => &mut self.found.ends,
                };
                for topic in listed.topics {
                    for partition in topic.partitions {
                        let id = TopicPartition::new(topic.name.clone(), partition.partition_index);
                        if partition.offset.0 != LATEST_TIMESTAMP {
                            found.insert(id, partition.offset);
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Where the offset of a partition goes. `None`: that cannot be known.
    fn target(&self, partition: &TopicPartition, to: ResetTo) -> Option<Offset> {
        let (start, end) = (
            self.found.starts.get(partition),
            self.found.ends.get(partition),
        );
        // `checkOffsetsRange`
        let within = |wanted: i64| {
            let (start, end) = (start?.0, end?.0);
            Some(Offset(wanted.min(end).max(start.min(end))))
        };
        match to {
            ResetTo::Earliest => start.copied(),
            ResetTo::Latest => end.copied(),
            ResetTo::Offset(offset) => within(offset.0),
            ResetTo::Shift(by) => within(self.found.committed.get(partition)?.0.saturating_add(by)),
            ResetTo::TimeMs(_) => self.found.by_time.get(partition).or(end).copied(),
        }
    }
}

impl World {
    /// Gives a task to the tool, which begins to run at its first. The journal has begun.
    pub(super) fn administer(&mut self, act: &AdminAct) {
        let name = ActorName::from(ADMIN);
        let Some(bootstrap) = self.brokers.first().map(|slot| slot.id) else {
            return;
        };
        let place = self.names.get(&name).copied();
        let place = place.unwrap_or_else(|| {
            let tool = Tool::new(name.clone(), bootstrap);
            self.open(&name, ActorKind::Tool(Box::new(tool)))
        });
        let journal = &mut self.journal;
        if let Some(ActorKind::Tool(tool)) = self.actors.get_mut(place).map(|actor| &mut actor.kind)
        {
            let errands = tool.take_on(act.clone(), journal);
            self.run_errands(place, errands);
        }
    }

    /// The tool has an answer.
    pub(super) fn tool_hears(&mut self, place: usize, correlation_id: i32, response: Response) {
        let journal = &mut self.journal;
        if let Some(ActorKind::Tool(tool)) = self.actors.get_mut(place).map(|actor| &mut actor.kind)
        {
            let errands = tool.hear(correlation_id, response, journal);
            self.run_errands(place, errands);
        }
    }

    /// The tool tries again, or gives up.
    pub(super) fn wake_tool(&mut self, place: usize) {
        let wake = match self.actors.get(place).map(|actor| &actor.kind) {
            Some(ActorKind::Tool(tool)) => tool.next_wake(),
            _ => None,
        };
        let Some((_, why, set_by)) = wake else {
            return;
        };
        self.note_timer(place, why, set_by);
        let journal = &mut self.journal;
        if let Some(ActorKind::Tool(tool)) = self.actors.get_mut(place).map(|actor| &mut actor.kind)
        {
            let errands = tool.wake(journal);
            self.run_errands(place, errands);
        }
    }

    fn run_errands(&mut self, place: usize, errands: Vec<Errand>) {
        for errand in errands {
            let header = RequestHeader {
                api_version: common(
                    errand.api_version,
                    self.setup.broker_version.release(),
                    errand.request.api(),
                ),
                correlation_id: errand.correlation_id,
                client_id: Some(ClientId::from(ADMIN)),
            };
            let channel = match errand.is_for_group {
                true => Channel::Coordinator,
                false => Channel::Data,
            };
            self.send_request(place, errand.to, channel, header, errand.request);
        }
        self.note_actor(place);
    }
}
