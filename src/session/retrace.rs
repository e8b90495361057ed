//! The hash of a session's trace: what two people compare who want to know whether they see the same run.
//!
//! The run is done again from its beginning for it, so that no run pays for a hash that nobody asks for.

use super::{Session, Sums};
use crate::kafka::time::{Duration, Instant};
use crate::world::Progress;

/// A session's run, done again up to where it stands.
#[derive(Clone, Debug)]
pub struct Retrace {
    session: Session,
    at: Instant,
    done: Option<u64>,
}

/// The trace of a run up to an instant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traced {
    /// Its hash ([`crate::world::trace::TraceHash`]).
    pub hash: u64,
    /// How many facts are in it.
    pub facts: u64,
}

impl Retrace {
    /// Begins at the session's origin. `None`: no world can be made of the session's setup, which it was.
    pub fn of(session: &Session) -> Option<Retrace> {
        let setup = (**session.world().setup()).clone();
        let acts = session.acts().to_vec();
        Some(Retrace {
            session: Session::observed_by(setup, acts, |_| Sums::of_trace()).ok()?,
            at: session.now(),
            done: session.done_of_instant(),
        })
    }

    /// Goes on for `budget` events; the trace, once it is whole.
    pub fn advance(&mut self, budget: u64) -> Option<Traced> {
        let before = self.at + Duration(-1);
        if self.session.advance_to(before, budget) == Progress::OutOfBudget {
            return None;
        }
        self.session.seek_into(self.at, self.done);
        let trace = self.session.sums().trace()?;
        Some(Traced {
            hash: trace.value(),
            facts: trace.facts(),
        })
    }
}
