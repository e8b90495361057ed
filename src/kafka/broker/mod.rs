//! A broker: the partitions it leads and the groups it coordinates, as one machine.
//!
//! It is given requests and gives back answers, facts, and the instant at which it wants to be woken.
//! It knows connections by number only: no socket, no latency, no idea of who sits at the other end.
//!
//! Invariants:
//! - A connection has one request in work. Later ones wait in their order and are taken up when the
//!   answer to the former is out (class `SocketServer`: the channel is muted meanwhile).
//! - A request in work is a [`Ticket`], and a ticket is answered exactly once.
//! - No request makes a broker panic; what a peer does wrong is answered with an error code.
//! - One wake fires one timer, in the order in which timers of an instant were set.

mod admin;
mod connections;
mod desk;
mod fetch;
mod fetch_session;
mod find_coordinator;
mod group;
mod leader_epochs;
mod list_offsets;
mod log;
mod member_ids;
mod metadata;
mod offset_expiry;
mod offsets;
mod partitions;
mod produce;
mod producer_state;
mod replica_manager;
#[cfg(test)]
mod requests_tests;
#[cfg(test)]
mod rig;

pub use admin::describe_group;
pub use connections::InWork;
pub(in crate::kafka::broker) use desk::{Desk, Ticket};
pub use find_coordinator::group_coordinator;
pub use group::{Ballot, Coverage, Group, GroupEvent, GroupPreset, Member, MemberPreset};
pub use log::{LogPreset, PartitionLog};
pub use offsets::{CommittedOffset, Offsets};

use super::api::versions::Release;
use super::api::{Request, RequestHeader, Response};
use super::cluster::{Cluster, ClusterChange};
use super::config::{BrokerConfig, ConfigError, set_config};
use super::fact::{FactId, Why};
use super::ids::{BrokerId, ClientId, ConnectionId, GroupId, MemberId, TopicPartition};
use super::journal::Journal;
use super::time::{Duration, Instant};
use super::timers::Wake;
use crate::kafka::sorted::SortedMap;
use admin::{Changes, ProducerIds};
use connections::{Arrived, Connections};
use desk::{Office, Reply};
use group::GroupCoordinator;
use replica_manager::ReplicaManager;
use std::collections::VecDeque;
use std::rc::Rc;

/// Which group coordinator a broker runs, where the two differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum CoordinatorKind {
    /// The one in Java, default from 4.0 (KIP-848).
    #[default]
    New,
    /// The one in Scala, of 3.x and before.
    Scala,
}

/// What makes one broker differ from another.
#[derive(Clone, PartialEq, Debug)]
pub struct BrokerSettings {
    /// `node.id`.
    pub id: BrokerId,
    /// Its configuration.
    pub config: Rc<BrokerConfig>,
    /// Time to write a group record, without the linger.
    pub group_append: Duration,
    /// Time to write committed offsets, without the linger.
    pub offset_append: Duration,
    /// Seed of the member ids that it makes up.
    pub seed: u64,
    /// Ids that it hands out before it makes up any, by `client.id`, in this order.
    pub member_ids: SortedMap<ClientId, Vec<MemberId>>,
    /// Which coordinator it runs.
    pub coordinator: CoordinatorKind,
    /// What it says that it speaks.
    pub release: Release,
}

/// An answer, ready for the wire.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// Where it goes.
    pub connection: ConnectionId,
    /// The request that it answers.
    pub correlation_id: i32,
    /// The answer.
    pub response: Response,
    /// What made the broker answer.
    pub cause: FactId,
}

/// Names of a broker's timers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::kafka::broker) enum BrokerTimer {
    /// Session of a member, or of a pending id.
    Session(GroupId, MemberId),
    /// `group.initial.rebalance.delay.ms`, or its extension.
    InitialDelay(GroupId),
    /// Rebalance timeout of the slowest member.
    Rebalance(GroupId),
    /// SyncGroup of all members.
    Sync(GroupId),
    /// The next of a group's records is in the log.
    GroupWrite(GroupId),
    /// `offsets.retention.check.interval.ms`
    OffsetsRetentionCheck,
    /// `log.retention.check.interval.ms`
    LogRetentionCheck,
    /// `fetch.max.wait.ms` of a parked fetch, by its number.
    FetchMaxWait(u64),
}

impl BrokerTimer {
    /// What it is for, in the learner's words.
    fn why(&self) -> Why {
        match self {
            BrokerTimer::Session(group, member) => {
                Why::SessionTimeout(group.clone(), member.clone())
            }
            BrokerTimer::InitialDelay(group) => Why::InitialDelay(group.clone()),
            BrokerTimer::Rebalance(group) => Why::RebalanceTimeout(group.clone()),
            BrokerTimer::Sync(group) => Why::SyncTimeout(group.clone()),
            BrokerTimer::GroupWrite(group) => Why::GroupAppend(group.clone()),
            BrokerTimer::OffsetsRetentionCheck => Why::OffsetsRetentionCheck,
            BrokerTimer::LogRetentionCheck => Why::LogRetentionCheck,
            BrokerTimer::FetchMaxWait(_) => Why::FetchMaxWait,
        }
    }
}

/// One broker. A clone is a snapshot of it.
#[derive(Clone, Debug)]
pub struct Broker {
    office: Office,
    connections: Connections,
    replicas: ReplicaManager,
    groups: GroupCoordinator,
    changes: Changes,
    producer_ids: ProducerIds,
}

impl Broker {
    /// A broker that has just started, without groups and with empty partitions.
    pub fn new(settings: BrokerSettings, cluster: Rc<Cluster>) -> Self {
        Self {
            changes: Changes::new(settings.seed),
            producer_ids: ProducerIds::default(),
            replicas: ReplicaManager::new(&settings, &cluster),
            office: Office::new(settings, cluster),
            connections: Connections::default(),
            groups: GroupCoordinator::default(),
        }
    }

    /// Takes over new metadata: topics made, partitions added, leaders moved.
    pub fn set_cluster(
        &mut self,
        cluster: Rc<Cluster>,
        journal: &mut Journal,
        out: &mut Vec<Answer>,
    ) {
        self.office.cluster = cluster;
        let mut desk = self.office.desk(journal);
        self.replicas.set_cluster(&mut desk);
        self.groups.forget_missing_topics(&mut desk);
        self.changes.published(&mut desk);
        let answers = desk.into_answers();
        self.send(answers, journal, out);
    }

    /// Takes a request from a connection. A connection opens with its first request.
    pub fn handle(
        &mut self,
        connection: ConnectionId,
        header: RequestHeader,
        client_host: &Rc<str>,
        request: Request,
        journal: &mut Journal,
        out: &mut Vec<Answer>,
    ) {
        let arrived = Arrived {
            header,
            client_host: client_host.clone(),
            request,
            cause: journal.cause(),
        };
        if let Some((ticket, request, _)) = self.connections.arrive(connection, arrived) {
            let answers = self.dispatch(ticket, request, journal);
            self.send(answers, journal, out);
        }
    }

    /// What clients have asked to be changed in the cluster since the last call. The host takes this after
    /// every `handle`, makes the changes and gives the result to `set_cluster` of every broker; then the
    /// clients have their answers.
    pub fn take_cluster_changes(&mut self) -> Vec<ClusterChange> {
        self.changes.take()
    }

    /// The connection is closed. What it still waits for is worked on and then answered to nobody;
    /// what it has sent and is not yet in work is lost.
    pub fn disconnect(&mut self, connection: ConnectionId) {
        self.connections.close(connection);
    }

    /// Fires the first timer, if it is due.
    pub fn wake(&mut self, journal: &mut Journal, out: &mut Vec<Answer>) {
        let Some(timer) = self.office.timers.pop_due(journal.now()) else {
            return;
        };
        let mut desk = self.office.desk(journal);
        match timer {
            BrokerTimer::Session(group, member) => {
                self.groups.session_expired(&group, &member, &mut desk);
            }
            BrokerTimer::InitialDelay(group) => self.groups.initial_delay_over(&group, &mut desk),
            BrokerTimer::Rebalance(group) => self.groups.rebalance_timeout(&group, &mut desk),
            BrokerTimer::Sync(group) => self.groups.sync_timeout(&group, &mut desk),
            BrokerTimer::GroupWrite(group) => self.groups.writes_done(&group, &mut desk),
            BrokerTimer::OffsetsRetentionCheck => self.groups.expire_offsets(&mut desk),
            BrokerTimer::LogRetentionCheck => self.replicas.log_retention_check(&mut desk),
            BrokerTimer::FetchMaxWait(number) => {
                self.replicas.fetch_max_wait_over(number, &mut desk);
            }
        }
        let answers = desk.into_answers();
        self.send(answers, journal, out);
    }

    /// When and why the broker wants to be woken.
    pub fn next_wake(&self) -> Option<Wake> {
        let (at, sequence, timer, set_by) = self.office.timers.first()?;
        Some(Wake {
            at,
            sequence,
            why: timer.why(),
            set_by,
        })
    }

    /// The request that a connection has in work. After `handle` this is what is parked.
    pub fn in_work(&self, connection: ConnectionId) -> Option<InWork> {
        self.connections.in_work(connection)
    }

    /// Takes a group as it stands at the scenario's zero.
    pub fn install_group(&mut self, preset: GroupPreset, journal: &mut Journal) {
        self.groups.install(preset, &mut self.office.desk(journal));
    }

    /// The groups that it coordinates, by id.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        self.groups.groups.values().map(|group| &**group)
    }

    /// A group that it coordinates.
    pub fn group(&self, id: &GroupId) -> Option<&Group> {
        self.groups.groups.get(id).map(|group| &**group)
    }

    /// What a group has committed for a partition.
    pub fn committed(&self, id: &GroupId, partition: &TopicPartition) -> Option<&CommittedOffset> {
        self.group(id)?.offsets().get(partition)
    }

    /// When a member's session ends, or that of a pending id.
    pub fn session_deadline(&self, group: &GroupId, member: &MemberId) -> Option<Instant> {
        let timer = BrokerTimer::Session(group.clone(), member.clone());
        self.office.timers.deadline(&timer)
    }

    /// All running timers in the order in which they fire: when, and what for.
    pub fn timers(&self) -> impl Iterator<Item = (Instant, Why)> {
        let timers = self.office.timers.iter();
        timers.map(|(at, timer)| (at, timer.why()))
    }

    /// Which events have met groups in which states.
    pub fn coverage(&self) -> &Coverage {
        &self.office.coverage
    }

    /// Gives the running broker another configuration. An empty value is the default.
    pub fn set_config(&mut self, name: &str, value: &str) -> Result<(), ConfigError> {
        let mut config = (*self.office.settings.config).clone();
        set_config(&mut config, name, value)?;
        self.replicas.message_max_bytes = config.message_max_bytes;
        Rc::make_mut(&mut self.office.settings).config = Rc::new(config);
        Ok(())
    }

    /// What it is made of.
    pub fn settings(&self) -> &BrokerSettings {
        &self.office.settings
    }

    /// The metadata that it knows.
    pub fn cluster(&self) -> &Rc<Cluster> {
        &self.office.cluster
    }

    /// Gives a request to its handler: one arm per API.
    fn dispatch(&mut self, ticket: Ticket, request: Request, journal: &mut Journal) -> Vec<Reply> {
        use Request as R;
        let mut desk = self.office.desk(journal);
        let (to, replicas, groups) = (&mut desk, &mut self.replicas, &mut self.groups);
        match request {
            R::Produce(request) => replicas.produce(ticket, request, to),
            R::Fetch(request) => replicas.fetch(ticket, request, to),
            R::ListOffsets(request) => replicas.list_offsets(ticket, request, to),
            R::OffsetForLeaderEpoch(request) => {
                replicas.offset_for_leader_epoch(ticket, request, to);
            }
            R::DeleteRecords(request) => replicas.delete_records_of(ticket, request, to),
            R::Metadata(request) => metadata::handle(ticket, request, to),
            R::FindCoordinator(request) => find_coordinator::handle(ticket, request, to),
            R::OffsetCommit(request) => groups.offset_commit(ticket, request, to),
            R::OffsetFetch(request) => groups.offset_fetch(ticket, request, to),
            R::OffsetDelete(request) => groups.offset_delete(ticket, request, to),
            R::JoinGroup(request) => groups.join_group(ticket, request, to),
            R::SyncGroup(request) => groups.sync_group(ticket, request, to),
            R::Heartbeat(request) => groups.heartbeat(ticket, request, to),
            R::LeaveGroup(request) => groups.leave_group(ticket, request, to),
            R::DescribeGroups(request) => groups.describe_groups(ticket, request, to),
            R::ListGroups(request) => groups.list_groups(ticket, request, to),
            R::DeleteGroups(request) => groups.delete_groups(ticket, request, to),
            R::ApiVersions(request) => admin::api_versions(ticket, request, to),
            R::DescribeConfigs(request) => admin::describe_configs(ticket, request, to),
            R::DescribeCluster(request) => admin::describe_cluster(ticket, request, to),
            R::InitProducerId(request) => self.producer_ids.handle(ticket, request, to),
            R::CreateTopics(request) => self.changes.create_topics(ticket, request, to),
            R::CreatePartitions(request) => self.changes.create_partitions(ticket, request, to),
            R::DeleteTopics(request) => self.changes.delete_topics(ticket, request, to),
        }
        desk.into_answers()
    }

    /// Puts answers out, and takes up what waited behind them, until nothing more moves.
    fn send(&mut self, answers: Vec<Reply>, journal: &mut Journal, out: &mut Vec<Answer>) {
        let mut answers = VecDeque::from(answers);
        while let Some(reply) = answers.pop_front() {
            let Reply {
                ticket,
                response,
                cause,
            } = reply;
            let (connection, correlation_id) = (ticket.connection(), ticket.correlation_id());
            if !self.connections.finish(ticket) {
                continue;
            }
            out.extend(response.map(|response| Answer {
                connection,
                correlation_id,
                response,
                cause,
            }));
            if let Some((ticket, request, cause)) = self.connections.take_up(connection) {
                journal.begin(journal.now(), cause);
                answers.extend(self.dispatch(ticket, request, journal));
            }
        }
    }
}
