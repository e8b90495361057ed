//! A log that follows the facts from look to look.

use super::{ClientLog, CoordinatorLog, LogLine, Who};
use crate::kafka::cluster::Cluster;
use crate::kafka::fact::{Fact, FactId};
use crate::kafka::ids::{BrokerId, GroupId};
use crate::kafka::time::Instant;
use crate::world::setup::Coordinator;
use std::rc::Rc;

/// Whose log it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LogOf {
    /// A consumer's.
    Client(Who),
    /// That of a group's coordinator.
    Coordinator {
        /// `group.id`
        group: GroupId,
        /// Which of the two.
        coordinator: Coordinator,
        /// Where it runs.
        broker: BrokerId,
        /// `offsets.topic.num.partitions`
        partitions: i32,
    },
}

#[derive(Clone, Debug)]
enum Log {
    Client(ClientLog),
    Coordinator(CoordinatorLog),
}

/// A log up to an instant.
#[derive(Clone, Debug)]
pub struct LogBook {
    of: LogOf,
    log: Log,
    /// The last fact that was looked at, and when it happened.
    last: (FactId, Instant),
}

/// Equal logs have the same lines: what they remember beside them nobody sees.
impl PartialEq for LogBook {
    fn eq(&self, other: &Self) -> bool {
        self.of == other.of && self.left_out() == other.left_out() && self.lines() == other.lines()
    }
}

impl Eq for LogBook {}

impl LogBook {
    /// An empty log.
    pub fn new(of: LogOf) -> Self {
        let log = match of.clone() {
            LogOf::Client(who) => Log::Client(ClientLog::new(who)),
            LogOf::Coordinator {
                group,
                coordinator,
                broker,
                partitions,
            } => Log::Coordinator(CoordinatorLog::new(group, coordinator, broker, partitions)),
        };
        Self {
            of,
            log,
            last: (FactId::BEGINNING, Instant(i64::MIN)),
        }
    }

    /// Whose it is.
    pub fn of(&self) -> &LogOf {
        &self.of
    }

    /// The last fact that was looked at, and when it happened.
    pub fn last(&self) -> (FactId, Instant) {
        self.last
    }

    /// The lines, oldest first.
    pub fn lines(&self) -> &[Rc<LogLine>] {
        match &self.log {
            Log::Client(log) => log.lines(),
            Log::Coordinator(log) => log.lines(),
        }
    }

    /// How many older lines were let go.
    pub fn left_out(&self) -> u64 {
        match &self.log {
            Log::Client(log) => log.left_out(),
            Log::Coordinator(log) => log.left_out(),
        }
    }

    /// Takes in what happened.
    pub fn fold(&mut self, fact: &Fact, cluster: &Cluster) {
        self.last = (fact.id, fact.at);
        match &mut self.log {
            Log::Client(log) => log.fold(fact, cluster),
            Log::Coordinator(log) => log.fold(fact),
        }
    }
}
