//! The account of an assignment, step by step, and what everybody has at each step.

use super::group::{LabGroup, Places};
use super::outcome::{Rule, run};
use crate::kafka::assignor::{
    Explain, GiveReason, MemberOrder, MoveReason, Phase, ReleaseReason, Step,
};
use crate::kafka::sorted::{SortedMap, SortedSet};

/// A step of an assignor; members, topics and partitions by place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WalkStep {
    /// Nothing has happened yet.
    Start,
    /// A part of the algorithm begins.
    Begin(Phase),
    /// Members are taken in this order.
    Order {
        /// How the order came about.
        by: MemberOrder,
        /// The members.
        members: Vec<usize>,
    },
    /// How many partitions everybody gets.
    Quota {
        /// The topic; `None`: all together.
        topic: Option<usize>,
        /// Partitions to be given.
        partitions: usize,
        /// Members to share them.
        members: usize,
        /// What each member gets at least.
        quota: usize,
        /// How many members get one more.
        extra: usize,
    },
    /// A member keeps what it had.
    Keep {
        /// What.
        partition: usize,
        /// Who.
        member: usize,
    },
    /// A member does not keep what it had.
    Release {
        /// What.
        partition: usize,
        /// Who had it.
        member: usize,
        /// Why.
        why: ReleaseReason,
    },
    /// A member is given a partition.
    Give {
        /// What.
        partition: usize,
        /// Who gets it.
        member: usize,
        /// Why.
        why: GiveReason,
    },
    /// The circle passes a member by.
    Skip {
        /// The topic in turn.
        topic: usize,
        /// The member.
        member: usize,
    },
    /// A member takes no part in the balancing.
    Fixed {
        /// The member.
        member: usize,
    },
    /// A partition changes hands while balancing.
    Move {
        /// What.
        partition: usize,
        /// Whose it was.
        from: usize,
        /// Whose it is now.
        to: usize,
        /// Why.
        why: MoveReason,
    },
    /// Balancing did not improve the balance.
    Restored,
    /// A partition is taken out again until its old owner has given it up.
    HoldBack {
        /// What.
        partition: usize,
        /// Who will get it.
        to: usize,
    },
}

impl WalkStep {
    /// The partition that it is about.
    pub fn partition(&self) -> Option<usize> {
        match self {
            WalkStep::Keep { partition, .. }
            | WalkStep::Release { partition, .. }
            | WalkStep::Give { partition, .. }
            | WalkStep::Move { partition, .. }
            | WalkStep::HoldBack { partition, .. } => Some(*partition),
            WalkStep::Start
            | WalkStep::Begin(_)
            | WalkStep::Order { .. }
            | WalkStep::Quota { .. }
            | WalkStep::Skip { .. }
            | WalkStep::Fixed { .. }
            | WalkStep::Restored => None,
        }
    }

    /// The members that it is about.
    pub fn members(&self) -> Vec<usize> {
        match self {
            WalkStep::Keep { member, .. }
            | WalkStep::Release { member, .. }
            | WalkStep::Give { member, .. }
            | WalkStep::Skip { member, .. }
            | WalkStep::Fixed { member } => vec![*member],
            WalkStep::HoldBack { to, .. } => vec![*to],
            WalkStep::Move { from, to, .. } => vec![*from, *to],
            WalkStep::Start
            | WalkStep::Begin(_)
            | WalkStep::Order { .. }
            | WalkStep::Quota { .. }
            | WalkStep::Restored => Vec::new(),
        }
    }
}

/// How a partition stands with a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hold {
    /// It says that it owns it; nothing is decided.
    Claimed,
    /// It has it.
    Given,
}

/// What everybody has at a step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Board {
    /// By member.
    pub lists: Vec<Vec<(usize, Hold)>>,
    /// Partitions that nobody has, ascending.
    pub tray: SortedSet<usize>,
    /// Partitions that are held back, and for whom.
    pub held_back: Vec<(usize, usize)>,
    /// By partition: in how many lists it is.
    holders: Vec<usize>,
}

/// The account of one assignor's work on one group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// The assignor.
    pub rule: Rule,
    /// Its steps. The first is [`WalkStep::Start`].
    pub steps: Vec<WalkStep>,
    start: Board,
}

impl Walk {
    /// Lets the assignor work and keeps its account.
    pub fn new(rule: Rule, group: &LabGroup) -> Self {
        let group = &group.as_found_by(rule);
        let places = group.places();
        let mut explain = Explain::on();
        // An exception ends the account where it is thrown; the outcome names it.
        let _ = run(rule, group, &places, &mut explain);
        let by_id = group.by_id();
        let mut steps = vec![WalkStep::Start];
        let told = explain.steps().iter();
        steps.extend(told.filter_map(|step| translate(step, &places, &by_id)));
        Self {
            rule,
            steps,
            start: start(rule, group, &places),
        }
    }

    /// What everybody has after a step.
    pub fn board(&self, step: usize) -> Board {
        let mut board = self.start.clone();
        let mut before_improving = None;
        for step in self.steps.iter().take(step + 1) {
            if let WalkStep::Begin(Phase::ImproveNew | Phase::ImproveAll) = step
                && before_improving.is_none()
            {
                before_improving = Some(board.clone());
            }
            if let (WalkStep::Restored, Some(before)) = (step, &before_improving) {
                board = before.clone();
            }
            board.fold(step);
        }
        board
    }
}

fn start(rule: Rule, group: &LabGroup, places: &Places) -> Board {
    let mut board = Board {
        lists: vec![Vec::new(); group.members.len()],
        tray: (0..places.count).collect(),
        held_back: Vec::new(),
        holders: vec![0; places.count],
    };
    if !rule.remembers() {
        return board;
    }
    for (place, member) in group.present() {
        let Some(list) = board.lists.get_mut(place) else {
            continue;
        };
        for partition in member.owned.iter().filter_map(|owned| places.of(owned)) {
            list.push((partition, Hold::Claimed));
            board.tray.remove(&partition);
            if let Some(holders) = board.holders.get_mut(partition) {
                *holders += 1;
            }
        }
    }
    board
}

impl Board {
    fn fold(&mut self, step: &WalkStep) {
        match step {
            WalkStep::Keep { partition, member } => self.keep(*partition, *member),
            WalkStep::Release {
                partition, member, ..
            } => {
                self.take(*partition, *member);
                if self.holders.get(*partition) == Some(&0) {
                    self.tray.insert(*partition);
                }
            }
            WalkStep::Give {
                partition, member, ..
            } => self.give(*partition, *member),
            WalkStep::Move {
                partition,
                from,
                to,
                ..
            } => {
                self.take(*partition, *from);
                self.give(*partition, *to);
            }
            WalkStep::HoldBack { partition, to } => {
                self.take(*partition, *to);
                self.held_back.push((*partition, *to));
            }
            WalkStep::Start
            | WalkStep::Begin(_)
            | WalkStep::Order { .. }
            | WalkStep::Quota { .. }
            | WalkStep::Skip { .. }
            | WalkStep::Fixed { .. }
            | WalkStep::Restored => {}
        }
    }

    fn keep(&mut self, partition: usize, member: usize) {
        let Some(list) = self.lists.get_mut(member) else {
            return;
        };
        match list.iter_mut().find(|held| held.0 == partition) {
            Some(held) => held.1 = Hold::Given,
            None => self.give(partition, member),
        }
    }

    fn take(&mut self, partition: usize, member: usize) {
        let Some(list) = self.lists.get_mut(member) else {
            return;
        };
        if let Some(position) = list.iter().position(|held| held.0 == partition) {
            list.remove(position);
            if let Some(holders) = self.holders.get_mut(partition) {
                *holders = holders.saturating_sub(1);
            }
        }
    }

    fn give(&mut self, partition: usize, member: usize) {
        if let Some(list) = self.lists.get_mut(member) {
            list.push((partition, Hold::Given));
            if let Some(holders) = self.holders.get_mut(partition) {
                *holders += 1;
            }
        }
        self.tray.remove(&partition);
    }
}

fn translate(step: &Step, places: &Places, by_id: &SortedMap<&str, usize>) -> Option<WalkStep> {
    let place = |id: &crate::kafka::ids::MemberId| by_id.get(id.as_str()).copied();
    Some(match step {
        Step::Begin(phase) => WalkStep::Begin(*phase),
        Step::Order { by, members } => WalkStep::Order {
            by: *by,
            members: members.iter().filter_map(place).collect(),
        },
        Step::Quota {
            topic,
            partitions,
            members,
            quota,
            extra,
        } => WalkStep::Quota {
            topic: topic.as_ref().and_then(|topic| places.topic(topic)),
            partitions: *partitions,
            members: *members,
            quota: *quota,
            extra: *extra,
        },
        Step::Keep { partition, member } => WalkStep::Keep {
            partition: places.of(partition)?,
            member: place(member)?,
        },
        Step::Release {
            partition,
            member,
            why,
        } => WalkStep::Release {
            partition: places.of(partition)?,
            member: place(member)?,
            why: *why,
        },
        Step::Give {
            partition,
            member,
            why,
        } => WalkStep::Give {
            partition: places.of(partition)?,
            member: place(member)?,
            why: *why,
        },
        Step::Skip { topic, member } => WalkStep::Skip {
            topic: places.topic(topic)?,
            member: place(member)?,
        },
        Step::Fixed { member } => WalkStep::Fixed {
            member: place(member)?,
        },
        Step::Move {
            partition,
            from,
            to,
            why,
        } => WalkStep::Move {
            partition: places.of(partition)?,
            from: place(from)?,
            to: place(to)?,
            why: *why,
        },
        Step::Restored => WalkStep::Restored,
        Step::HoldBack { partition, to } => WalkStep::HoldBack {
            partition: places.of(partition)?,
            to: place(to)?,
        },
    })
}
