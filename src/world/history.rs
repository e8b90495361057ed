//! History: a setup, the acts since, and the world that follows from them at any instant.
//!
//! Setup and acts are the ground truth; worlds are computed from them, and clones of some (keyframes) are
//! kept so that going back is quick. Acting in the past drops the future that was seen; undo brings it back.
//!
//! Invariants: the same setup and acts give the same facts, however one moves about in time; an act stands
//! before everything else of its instant, so an act that is made when something has already happened at the
//! present instant is put a microsecond later.

use super::command::{Act, Command, Refusal};
use super::keyframes::{Keyframe, Keyframes};
use super::run::Progress;
use super::setup::Setup;
use super::{Observer, World};
use crate::kafka::fact::Fact;
use crate::kafka::sorted::SortedMap;
use crate::kafka::sorted::sort_few;
use crate::kafka::time::{Duration, Instant};
use std::convert::Infallible;
use std::ops::ControlFlow;

/// Most acts that can be undone.
const UNDO_MAX: usize = 100;
/// Most acts of one history.
pub const ACTS_MAX: usize = 10_000;

/// A world in time. `L` folds its facts and is kept in step with it.
#[derive(Clone, Debug)]
pub struct History<L> {
    acts: Vec<Act>,
    /// How many of them have happened in the present world.
    applied: usize,
    /// Acts that could not be carried out when their time came.
    refused: SortedMap<usize, Refusal>,
    world: World,
    observer: L,
    keyframes: Keyframes<L>,
    /// The furthest instant that was seen.
    end: Instant,
    undo: Vec<Undo>,
}

/// What an act replaced.
#[derive(Clone, Debug)]
struct Undo {
    at: Instant,
    /// How many acts there were before it.
    acts: usize,
    dropped: Vec<Act>,
    end: Instant,
}

/// An act that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Acted {
    /// When it stands in the history.
    pub at: Instant,
    /// The future that it dropped, if it was made in the past.
    pub dropped: Option<Dropped>,
}

/// A future that is no more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dropped {
    /// How many acts were in it.
    pub acts: usize,
    /// How far it had been seen.
    pub until: Instant,
}

impl<L: Observer + Clone> History<L> {
    /// The history of `acts` upon a setup, at the setup's origin. Acts are put into the order of their time.
    pub fn new(setup: Setup, acts: Vec<Act>, observer: L) -> Result<Self, Refusal> {
        Self::observed_by(setup, acts, |_| observer)
    }

    /// The same, with an observer who sees the world before its first fact.
    pub fn observed_by(
        setup: Setup,
        mut acts: Vec<Act>,
        observer: impl FnOnce(&World) -> L,
    ) -> Result<Self, Refusal> {
        let mut world = World::new(setup)?;
        let mut observer = observer(&world);
        if acts.len() > ACTS_MAX {
            return Err(Refusal::TooMany {
                what: "acts",
                most: ACTS_MAX,
            });
        }
        sort_few(&mut acts, |left, right| left.at < right.at);
        world.fold_facts(|fact| observer.fold(fact));
        let end = world.now();
        let first = Keyframe {
            world: world.clone(),
            observer: observer.clone(),
            applied: 0,
        };
        Ok(Self {
            acts,
            applied: 0,
            refused: SortedMap::new(),
            world,
            observer,
            keyframes: Keyframes::new(first),
            end,
            undo: Vec::new(),
        })
    }

    /// The world at the present instant.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What was folded up to the present instant.
    pub fn observer(&self) -> &L {
        &self.observer
    }

    /// What was folded up to and at an earlier instant. The present stays where it is.
    pub fn observer_at(&self, at: Instant) -> L {
        if at >= self.now() {
            return self.observer.clone();
        }
        let at = at.max(self.horizon());
        let mut past = self.past(at);
        past.seek(at);
        past.observer
    }

    /// This history from the last keyframe before `at` on.
    fn past(&self, at: Instant) -> Self {
        let keyframe = self.keyframes.last_before(at);
        Self {
            acts: self.acts.clone(),
            applied: keyframe.applied,
            refused: SortedMap::new(),
            world: keyframe.world.clone(),
            observer: keyframe.observer.clone(),
            keyframes: Keyframes::new((*keyframe).clone()),
            end: at,
            undo: Vec::new(),
        }
    }

    /// What was folded before instants of which both histories remember it, in the order of time.
    pub fn keyframes(&self, other: &Self) -> Vec<(Instant, L, L)> {
        let ours = self.keyframes.iter();
        let both = ours.filter_map(|(at, ours)| {
            let theirs = other.keyframes.at(at)?;
            Some((at, ours.observer.clone(), theirs.observer.clone()))
        });
        both.collect()
    }

    /// The present instant.
    pub fn now(&self) -> Instant {
        self.world.now()
    }

    /// The furthest instant that was seen.
    pub fn end(&self) -> Instant {
        self.end
    }

    /// The earliest instant that can be gone back to.
    pub fn horizon(&self) -> Instant {
        self.world.setup().origin
    }

    /// All acts, also those that are still to come, in the order of their time.
    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// Acts (by their place) that could not be carried out when their time came, and why.
    pub fn refused(&self) -> &SortedMap<usize, Refusal> {
        &self.refused
    }

    /// When something happens next.
    pub fn next_event(&self) -> Option<Instant> {
        let act = self.acts.get(self.applied).map(|act| act.at);
        let act = act.map(|at| at.max(self.world.now()));
        [act, self.world.next_event()].into_iter().flatten().min()
    }

    /// Lets everything happen up to and at `target`, but at most `budget` events.
    pub fn advance_to(&mut self, target: Instant, budget: u64) -> Progress {
        match self.advance_until(target, budget, |_, _| None::<Infallible>) {
            ControlFlow::Continue(progress) => progress,
            ControlFlow::Break(never) => match never {},
        }
    }

    /// The same, but nothing after the event at one of whose facts `stop` says something. It is shown what
    /// was folded up to and with the fact; what it said first is the answer.
    pub fn advance_until<T>(
        &mut self,
        target: Instant,
        budget: u64,
        mut stop: impl FnMut(&L, &Fact) -> Option<T>,
    ) -> ControlFlow<T, Progress> {
        let mut progress = Progress::OutOfBudget;
        let mut found = None;
        for _ in 0..budget {
            let has_happened = self.step_until(target, &mut |observer, fact| {
                if found.is_none() {
                    found = stop(observer, fact);
                }
            });
            if found.is_some() {
                break;
            }
            if !has_happened {
                self.world.rest_until(target);
                progress = Progress::Reached;
                break;
            }
        }
        self.end = self.end.max(self.world.now());
        found.map_or(ControlFlow::Continue(progress), ControlFlow::Break)
    }

    /// Lets the next event happen that says anything, but nothing later than `until`. Says whether there
    /// was one.
    pub fn step(&mut self, until: Instant) -> bool {
        let mut is_found = false;
        while !is_found && self.step_until(until, &mut |_, _| is_found = true) {}
        self.end = self.end.max(self.world.now());
        is_found
    }

    /// Goes back to just before the last event that said anything. Says whether there was one.
    pub fn step_back(&mut self) -> bool {
        let steps = self.world.steps();
        // From ever earlier keyframes, until one has such an event between itself and now.
        let mut before = steps;
        loop {
            let Some(keyframe) = self.keyframes.last_with_fewer_steps(before) else {
                return false;
            };
            before = keyframe.world.steps();
            self.restore(&keyframe);
            let mut last = None;
            while self.world.steps() < steps {
                let at = self.world.steps();
                if !self.step_until(Instant(i64::MAX), &mut |_, _| last = Some(at)) {
                    break;
                }
            }
            if let Some(last) = last {
                self.restore(&keyframe);
                while self.world.steps() < last
                    && self.step_until(Instant(i64::MAX), &mut |_, _| {})
                {}
                return true;
            }
        }
    }

    /// Goes to an instant, in the past or in the future: everything up to and at it has happened.
    pub fn seek(&mut self, at: Instant) {
        let at = at.max(self.horizon());
        let keyframe = self.keyframes.last_before(at);
        let is_nearer = keyframe.world.steps() > self.world.steps();
        // Events of `at` may be half done, so the present only serves if it is earlier.
        if at < self.world.now() || is_nearer {
            self.restore(&keyframe);
        }
        while self.step_until(at, &mut |_, _| {}) {}
        self.world.rest_until(at);
        self.end = self.end.max(at);
    }

    /// How many of the acts and events of the present instant have happened; `None`: all of them.
    pub fn done_of_instant(&self) -> Option<u64> {
        let now = self.now();
        if self.next_event().is_none_or(|at| at > now) {
            return None;
        }
        let mut past = self.past(now);
        past.seek_into(now, 0);
        let is_there =
            |past: &Self| past.applied >= self.applied && past.world.steps() >= self.world.steps();
        let mut done = 0;
        while !is_there(&past) && past.step_until(now, &mut |_, _| {}) {
            done += 1;
        }
        Some(done)
    }

    /// Goes into an instant: everything before it has happened, and of its own acts and events the first
    /// `done`.
    pub fn seek_into(&mut self, at: Instant, done: u64) {
        let at = at.max(self.horizon());
        let keyframe = self.keyframes.last_before(at);
        self.restore(&keyframe);
        while self.next_event().is_some_and(|next| next < at) {
            self.step_until(at, &mut |_, _| {});
        }
        self.world.rest_until(at);
        for _ in 0..done {
            if !self.step_until(at, &mut |_, _| {}) {
                break;
            }
        }
        self.end = self.end.max(at);
    }

    /// Whether the command can be carried out now, and if not, why.
    pub fn check(&self, command: &Command) -> Result<(), Refusal> {
        self.world.check(command)
    }

    /// Makes an act at the present instant. What was seen after it is dropped.
    pub fn act(&mut self, command: Command) -> Result<Acted, Refusal> {
        self.world.check(&command)?;
        if self.acts.len() >= ACTS_MAX {
            return Err(Refusal::TooMany {
                what: "acts",
                most: ACTS_MAX,
            });
        }
        let end = self.end;
        let now = self.world.now();
        let is_late =
            self.world.last_event() == Some(now) || self.next_event().is_some_and(|at| at <= now);
        let at = if is_late { now + Duration(1) } else { now };
        if is_late {
            while self.step_until(now, &mut |_, _| {}) {}
            self.world.rest_until(at);
            self.world.check(&command)?;
        }
        let dropped = self.acts.split_off(self.applied);
        self.keyframes.drop_after(self.world.steps());
        self.undo.push(Undo {
            at,
            acts: self.acts.len(),
            dropped: dropped.clone(),
            end,
        });
        if self.undo.len() > UNDO_MAX {
            self.undo.remove(0);
        }
        self.acts.push(Act { at, command });
        self.refused.retain(|place, _| *place < self.applied);
        self.step_until(at, &mut |_, _| {});
        self.end = self.world.now();
        let is_past = end > at || !dropped.is_empty();
        Ok(Acted {
            at,
            dropped: is_past.then_some(Dropped {
                acts: dropped.len(),
                until: end,
            }),
        })
    }

    /// Whether there is an act that can be taken back.
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Takes the last act back, brings back the future that it dropped, and goes to just before it. Says
    /// whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some(undo) = self.undo.pop() else {
            return false;
        };
        self.acts.truncate(undo.acts);
        self.acts.extend(undo.dropped);
        self.keyframes.drop_with_acts_after(undo.acts);
        self.refused.retain(|place, _| *place < undo.acts);
        let keyframe = self.keyframes.last_before(undo.at);
        self.restore(&keyframe);
        while self.applied <= undo.acts && self.next_event().is_some_and(|next| next < undo.at) {
            self.step_until(undo.at, &mut |_, _| {});
        }
        self.world.rest_until(undo.at);
        self.end = undo.end.max(self.world.now());
        true
    }

    /// Has `acts` instead of the acts so far, and goes back to before the first that differs, if that was
    /// reached. There is nothing to be undone afterwards.
    pub fn follow(&mut self, acts: &[Act]) {
        let both = self.acts.iter().zip(acts);
        let common = both.take_while(|(ours, theirs)| ours == theirs).count();
        let differing = [self.acts.get(common), acts.get(common)];
        let Some(at) = differing.into_iter().flatten().map(|act| act.at).min() else {
            return;
        };
        self.acts = acts.to_vec();
        self.undo.clear();
        self.refused.retain(|place, _| *place < common);
        self.keyframes.drop_from(at, common);
        if self.applied > common || self.world.now() >= at {
            let keyframe = self.keyframes.last_before(at);
            self.restore(&keyframe);
        }
        self.end = self.world.now();
    }

    fn restore(&mut self, keyframe: &Keyframe<L>) {
        self.world = keyframe.world.clone();
        self.observer = keyframe.observer.clone();
        self.applied = keyframe.applied;
    }

    /// Lets the next act or event happen, if it is no later than `until`.
    fn step_until(&mut self, until: Instant, hear: &mut dyn FnMut(&L, &Fact)) -> bool {
        let Some(at) = self.next_event().filter(|at| *at <= until) else {
            return false;
        };
        if self.keyframes.wants(self.world.now(), at) {
            self.keyframes.keep(
                at,
                Keyframe {
                    world: self.world.clone(),
                    observer: self.observer.clone(),
                    applied: self.applied,
                },
            );
        }
        match self.acts.get(self.applied) {
            Some(act) if act.at <= at => {
                self.world.rest_until(at);
                if let Err(refusal) = self.world.apply(&act.command) {
                    self.refused.insert(self.applied, refusal);
                }
                self.applied += 1;
            }
            _ => {
                self.world.step_until(at);
            }
        }
        let observer = &mut self.observer;
        self.world.fold_facts(|fact| {
            observer.fold(fact);
            hear(observer, fact);
        });
        true
    }
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
