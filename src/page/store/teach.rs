//! What whoever teaches does: stops, running to the next of something, prepared instants, covered answers.

use super::{EVENTS_AT_ONCE, Store};
use crate::kafka::time::{Duration, Instant};
use crate::page::trainer;
use crate::view::event::Event;
use crate::view::panel::Tab;
use crate::view::timebar::{Stop, Stopped};
use crate::world::Progress;
use std::ops::ControlFlow;
use std::rc::Rc;

/// How far ahead something is sought, in minutes.
pub const SOUGHT_MINUTES: i64 = 10;

/// What was prepared for teaching.
#[derive(Clone, PartialEq, Debug)]
pub struct Teach {
    /// What time stops at, in order.
    pub stops: Vec<Stop>,
    /// What is run to.
    pub sought: Option<Sought>,
    /// What was sought last.
    pub sought_last: Stop,
    /// What the page says of it.
    pub note: Option<Note>,
    /// Whether the page is on a projector.
    pub is_training: bool,
    /// Instants under the digits from 1.
    pub instants: [Option<Prepared>; 9],
    /// Whether a spot follows the pointer.
    pub has_pointer: bool,
    /// Whether owners and numbers are covered.
    pub is_covered: bool,
    /// Whether the views are away.
    pub has_no_views: bool,
}

/// An instant that was prepared.
#[derive(Clone, PartialEq, Debug)]
pub struct Prepared {
    /// When.
    pub at: Instant,
    /// The view that was open.
    pub tab: Tab,
}

impl Default for Teach {
    fn default() -> Self {
        Self {
            stops: Vec::new(),
            sought: None,
            sought_last: Stop::Rebalance,
            note: None,
            is_training: false,
            instants: Default::default(),
            has_pointer: false,
            is_covered: false,
            has_no_views: false,
        }
    }
}

/// What is run to, and from where.
#[derive(Clone, PartialEq, Debug)]
pub struct Sought {
    /// What.
    pub stop: Stop,
    /// The instant at which the search began.
    pub from: Instant,
}

/// What the page says of stops, instants and pictures.
#[derive(Clone, PartialEq, Debug)]
pub enum Note {
    /// It was stopped, by this.
    Stopped(Stop, Option<Rc<Event>>),
    /// What was sought is here.
    Found(Stop, Option<Rc<Event>>),
    /// It is nowhere near.
    NotFound(Stop),
    /// No instant is kept under this digit.
    NothingKept(usize),
    /// A picture was not made, and what the browser said.
    NoPicture(String),
}

/// What whoever teaches wants.
#[derive(Clone, PartialEq, Debug)]
pub enum TeachAct {
    /// Time to stop there, or no longer.
    Toggle(Stop),
    /// Time to stop at nothing.
    NoStops,
    /// To run to the next.
    Next(Stop),
    /// To run to the next of what was sought last.
    NextAgain,
    /// The trainer's mode, or no longer.
    Train,
    /// To keep the present instant under this place.
    Keep(usize),
    /// To go to the instant that is kept there.
    GoTo(usize),
    /// To keep no instant.
    ForgetInstants,
    /// Owners and numbers covered, or seen again.
    Cover,
    /// A spot that follows the pointer, or no longer.
    Point,
    /// The views away, or back.
    HideViews,
    /// A picture was not made, and what the browser said.
    NoPicture(String),
}

impl Store {
    /// Does it.
    pub(super) fn teach(&mut self, act: TeachAct) {
        let teach = Rc::make_mut(&mut self.ui.teach);
        match act {
            TeachAct::Toggle(stop) => match teach.stops.iter().position(|set| *set == stop) {
                Some(place) => {
                    teach.stops.remove(place);
                }
                None => teach.stops.push(stop),
            },
            TeachAct::NoStops => teach.stops.clear(),
            TeachAct::Next(stop) => self.seek_next(stop),
            TeachAct::NextAgain => {
                let stop = teach.sought_last.clone();
                self.seek_next(stop);
            }
            TeachAct::Train => {
                teach.is_training = !teach.is_training;
                trainer::show(teach);
            }
            TeachAct::Keep(place) => {
                let (at, tab) = (self.session.now(), self.ui.choice.tab);
                if let Some(kept) = teach.instants.get_mut(place) {
                    *kept = Some(Prepared { at, tab });
                }
            }
            TeachAct::GoTo(place) => match teach.instants.get(place).cloned().flatten() {
                Some(prepared) => {
                    self.pause();
                    self.ui.choice.tab = prepared.tab;
                    match prepared.at > self.session.end() {
                        // It was prepared on another page, and comes from a link or a file.
                        true => self.head_for(prepared.at, None),
                        false => self.seek(prepared.at),
                    }
                }
                None => teach.note = Some(Note::NothingKept(place + 1)),
            },
            TeachAct::ForgetInstants => self.forget_instants(),
            TeachAct::Cover => {
                teach.is_covered = !teach.is_covered;
                trainer::show(teach);
            }
            TeachAct::Point => teach.has_pointer = !teach.has_pointer,
            TeachAct::HideViews => {
                teach.has_no_views = !teach.has_no_views;
                trainer::show(teach);
            }
            TeachAct::NoPicture(problem) => teach.note = Some(Note::NoPicture(problem)),
        }
    }

    /// Instants of one scenario are none of another.
    pub(super) fn forget_instants(&mut self) {
        if self.ui.teach.instants.iter().any(Option::is_some) {
            Rc::make_mut(&mut self.ui.teach).instants = Default::default();
        }
    }

    fn seek_next(&mut self, stop: Stop) {
        self.pause();
        let from = self.session.now();
        self.fast_until = Some(from + Duration::from_ms(SOUGHT_MINUTES * 60_000));
        let teach = Rc::make_mut(&mut self.ui.teach);
        teach.sought_last = stop.clone();
        teach.sought = Some(Sought { stop, from });
    }

    /// Whatever a person does, what the page told of a stop is told, and a search is over. Says whether
    /// there was one.
    pub(super) fn end_search(&mut self) -> bool {
        let teach = &self.ui.teach;
        let was_searching = teach.sought.is_some();
        if was_searching || teach.note.is_some() {
            let teach = Rc::make_mut(&mut self.ui.teach);
            teach.note = None;
            teach.sought = None;
        }
        if was_searching {
            self.pause();
        }
        was_searching
    }

    /// Lets time run to `target`, or as far as there is time to compute, or to a stop; says to which.
    pub(super) fn run_to(
        &mut self,
        target: Instant,
        has_time: &impl Fn() -> bool,
    ) -> Option<Stopped> {
        let teach = &self.ui.teach;
        let sought = teach.sought.iter().map(|sought| &sought.stop);
        let mut stops: Vec<Stop> = sought.chain(&teach.stops).cloned().collect();
        if self.fast_until.is_some_and(|at| self.sharing.leads_to(at)) {
            stops.clear();
        }
        loop {
            match self.session.advance_to_stop(target, EVENTS_AT_ONCE, &stops) {
                ControlFlow::Break(stopped) => return Some(stopped),
                ControlFlow::Continue(Progress::Reached) => return None,
                ControlFlow::Continue(Progress::OutOfBudget) if has_time() => {}
                ControlFlow::Continue(Progress::OutOfBudget) => {
                    // The world falls behind the wall clock, and so must what glides.
                    self.retime();
                    return None;
                }
            }
        }
    }

    /// Time came to a stop.
    pub(super) fn stop_at(&mut self, stopped: Stopped) {
        self.pause();
        let sums = self.session.sums();
        let chronicle = sums.chronicle();
        let event = chronicle
            .fact(stopped.fact)
            .map(|fact| Rc::new(Event::of(fact, &sums.scene, &chronicle)));
        drop(chronicle);
        let teach = Rc::make_mut(&mut self.ui.teach);
        let sought = teach.sought.take();
        teach.note = Some(match sought {
            Some(sought) if sought.stop == stopped.stop => Note::Found(stopped.stop, event),
            _ => Note::Stopped(stopped.stop, event),
        });
    }

    /// What was run to has not come: everything is as it was before the search.
    pub(super) fn give_up_search(&mut self) {
        let teach = Rc::make_mut(&mut self.ui.teach);
        let Some(sought) = teach.sought.take() else {
            return;
        };
        teach.note = Some(Note::NotFound(sought.stop));
        self.seek(sought.from);
        if let Some(rival) = &mut self.rival {
            rival.follow(&self.session);
        }
    }
}
