//! Roll-outs: giving all consumers of a group another configuration, at once or one after the other.

use super::World;
use super::actor::ConsumerProcess;
use super::command::Rollout as How;
use crate::kafka::fact::{FactId, MemberState};
use crate::kafka::ids::GroupId;
use std::collections::VecDeque;
use std::rc::Rc;

/// A roll-out that is under way.
#[derive(Clone, Debug)]
struct Rollout {
    group: GroupId,
    how: How,
    /// Who still has to be closed and started, in order.
    waiting: VecDeque<usize>,
    /// Who was closed and is to be started (full restart), or is being restarted (rolling bounce).
    closed: Vec<usize>,
    cause: FactId,
}

/// All roll-outs that are under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Rollouts(Vec<Rollout>);

impl World {
    /// Gives every consumer of the group that runs the strategy, in the way that was asked for. The journal
    /// has begun.
    pub(super) fn begin_rollout(&mut self, group: &GroupId, strategy: &[Rc<str>], how: How) {
        let members = self.running_consumers(group);
        for actor in &members {
            if let Some(consumer) = self
                .actors
                .get_mut(*actor)
                .and_then(|actor| actor.consumer_mut())
            {
                let strategy = strategy.join(",").into();
                let name = "partition.assignment.strategy".into();
                consumer.spec.configs.insert(name, strategy);
            }
        }
        let mut rollout = Rollout {
            group: group.clone(),
            how,
            waiting: members.into(),
            closed: Vec::new(),
            cause: self.journal.cause(),
        };
        self.rollouts.0.retain(|other| other.group != *group);
        if how == How::FullRestart {
            rollout.closed = std::mem::take(&mut rollout.waiting).into();
            for actor in rollout.closed.clone() {
                self.close_consumer(actor);
            }
        }
        self.rollouts.0.push(rollout);
        self.roll_out();
    }

    /// Takes the next step of each roll-out that can take one.
    pub(super) fn roll_out(&mut self) {
        if self.rollouts.0.is_empty() {
            return;
        }
        let mut rollouts = std::mem::take(&mut self.rollouts.0);
        rollouts.retain_mut(|rollout| self.next_step(rollout));
        rollouts.append(&mut self.rollouts.0);
        self.rollouts.0 = rollouts;
    }

    /// Says whether the roll-out goes on.
    fn next_step(&mut self, rollout: &mut Rollout) -> bool {
        match rollout.how {
            How::FullRestart => {
                let closed = std::mem::take(&mut rollout.closed);
                if closed.iter().any(|actor| self.is_running(*actor)) {
                    rollout.closed = closed;
                    return true;
                }
                for actor in closed {
                    self.journal.begin(self.now, rollout.cause);
                    let started = self.start_consumer(actor);
                    debug_assert!(started.is_ok(), "a checked strategy starts");
                }
                false
            }
            How::RollingBounce => {
                if !self.is_settled(&rollout.group, &rollout.closed) {
                    return true;
                }
                let Some(actor) = rollout.waiting.pop_front() else {
                    return false;
                };
                rollout.closed = vec![actor];
                self.journal.begin(self.now, rollout.cause);
                self.restart_consumer(actor);
                true
            }
        }
    }

    /// Whether these run, and every consumer of the group that runs is in a generation.
    fn is_settled(&self, group: &GroupId, restarted: &[usize]) -> bool {
        restarted.iter().all(|actor| self.is_running(*actor))
            && self.running_consumers(group).iter().all(|actor| {
                let process = self.actors.get(*actor).and_then(|actor| actor.running());
                process.is_none_or(|process| {
                    !process.application.is_closing()
                        && process.consumer.member_state() == MemberState::Stable
                })
            })
    }

    fn is_running(&self, actor: usize) -> bool {
        self.actors
            .get(actor)
            .is_some_and(|actor| actor.running().is_some())
    }

    /// The consumers of a group that run and do not stand still, in the order of their coming.
    pub(super) fn running_consumers(&self, group: &GroupId) -> Vec<usize> {
        let is_of_group =
            |process: &ConsumerProcess| process.config.group_id.as_ref() == Some(group);
        let actors = self.actors.iter().enumerate();
        actors
            .filter(|(_, actor)| !actor.is_frozen && actor.running().is_some_and(is_of_group))
            .map(|(place, _)| place)
            .collect()
    }
}
