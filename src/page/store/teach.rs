//! What whoever teaches does: stops, and running to the next of something.

use super::{EVENTS_AT_ONCE, Store};
use crate::kafka::time::{Duration, Instant};
use crate::view::event::Event;
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
    /// Why time stands.
    pub note: Option<Note>,
}

impl Default for Teach {
    fn default() -> Self {
        Self {
            stops: Vec::new(),
            sought: None,
            sought_last: Stop::Rebalance,
            note: None,
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

/// Why time stands.
#[derive(Clone, PartialEq, Debug)]
pub enum Note {
    /// It was stopped, by this.
    Stopped(Stop, Option<Rc<Event>>),
    /// What was sought is here.
    Found(Stop, Option<Rc<Event>>),
    /// It is nowhere near.
    NotFound(Stop),
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
