//! The time bar: where in virtual time we are, and what happened when.

pub use crate::session::{MarkKind, Stop, Stopped, TimeMark};

use super::Instant;
use std::rc::Rc;

/// Speeds that can be chosen, in thousandths of real time.
pub const SPEEDS: [u32; 11] = [
    50, 100, 250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000,
];

/// Place of real time in [`SPEEDS`].
pub const SPEED_REAL: usize = 4;

/// The time bar.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TimeBar {
    /// The instant that is shown; while time runs, in steps that an eye can follow.
    pub now: Instant,
    /// Whether time runs.
    pub is_playing: bool,
    /// Place in [`SPEEDS`].
    pub speed: usize,
    /// The earliest instant that can be gone back to.
    pub horizon: Instant,
    /// The latest instant that was reached.
    pub head: Instant,
    /// The right end of the scrubber.
    pub axis_end: Instant,
    /// What happened, in order.
    pub marks: Rc<Vec<TimeMark>>,
    /// Whether a fork can be undone.
    pub can_undo: bool,
    /// Whether a window of time can be chosen: the ledger is open.
    pub has_brush: bool,
    /// The window that the ledger counts. `None`: all of it.
    pub window: Option<(Instant, Instant)>,
}

impl TimeBar {
    /// Whether time runs too fast to be told sentence by sentence.
    pub fn is_fast(&self) -> bool {
        self.is_playing && self.speed > SPEED_REAL + 2
    }

    /// Where `at` lies, in thousandths of the scrubber.
    pub fn place(&self, at: Instant) -> i64 {
        let length = (self.axis_end - self.horizon).0.max(1);
        let done = (at - self.horizon).0.clamp(0, length);
        // Lengths are below 2^53 µs, so this does not overflow.
        done.saturating_mul(1_000) / length
    }

    /// The instant at `per_mille` of the scrubber, no later than the head.
    pub fn instant_at(&self, per_mille: i64) -> Instant {
        let length = (self.axis_end - self.horizon).0.max(1);
        let at = Instant(self.horizon.0.saturating_add(length / 1_000 * per_mille));
        at.clamp(self.horizon, self.head.max(self.horizon))
    }
}

/// The right end of a scrubber on which `head` is the latest instant: a few round lengths, so that the
/// marks stand still most of the time.
pub fn axis_end(horizon: Instant, head: Instant) -> Instant {
    const STEPS_S: [i64; 9] = [60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400];
    let length = (head - horizon).0;
    let step = STEPS_S
        .iter()
        .map(|seconds| seconds * 1_000_000)
        .find(|step| *step >= length)
        .unwrap_or(length);
    Instant(horizon.0.saturating_add(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scrubber_grows_in_round_steps() {
        let end =
            |head_s: i64| axis_end(Instant::ZERO, Instant(head_s * 1_000_000)).as_ms() / 1_000;
        assert_eq!(
            [end(0), end(60), end(61), end(20_000)],
            [60, 60, 120, 20_000]
        );
    }

    #[test]
    fn a_place_on_the_scrubber_leads_back_to_its_instant_but_never_into_the_unknown() {
        let bar = TimeBar {
            head: Instant(30_000_000),
            axis_end: Instant(60_000_000),
            ..TimeBar::default()
        };
        assert_eq!(bar.place(Instant(15_000_000)), 250);
        assert_eq!(bar.instant_at(250), Instant(15_000_000));
        assert_eq!(bar.instant_at(900), Instant(30_000_000));
    }
}
