//! Lag: how far a group is behind the log (spec/08). Lag counts offsets, not records.

use super::deliveries::Deliveries;
use super::log::Log;
use super::recent::Recent;
use crate::kafka::ids::Offset;
use crate::kafka::time::{Duration, Instant};

/// Samples that a series may have before every other one is dropped.
const SAMPLES_KEPT: usize = 2_048;

/// Spacing of samples at first.
const SPACING_AT_FIRST: Duration = Duration::from_ms(50);

/// The three lags of one partition in one group, at one instant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lag {
    /// HW − C, as the group tool prints it. `None`: no commit.
    pub committed: Option<i64>,
    /// HW − P of the owner. `None`: unowned, or the owner has no position yet.
    pub position: Option<i64>,
    /// HW − F, F being the owner's first offset that is not done. `None` likewise.
    pub processing: Option<i64>,
}

impl Lag {
    /// The lags as they are.
    pub fn of(deliveries: &Deliveries, log: &Log) -> Self {
        // A commit may name any offset: Kafka's coordinator does not look at it.
        let behind = |offset: Offset| log.high_watermark.0.saturating_sub(offset.0);
        let owner = deliveries.owner();
        Self {
            committed: deliveries.committed().map(behind),
            position: owner.and_then(|reading| reading.position).map(behind),
            processing: owner.and_then(|reading| reading.frontier).map(behind),
        }
    }
}

/// A point of the series.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Since when the lag was so.
    pub at: Instant,
    /// The lag.
    pub lag: Lag,
}

/// Lag over time. A sample stands until the next one. Of the samples that fall into one step of the
/// spacing the last counts; when there are too many, every other one goes and the spacing doubles, so the
/// series reaches back to the beginning whatever the run's length.
#[derive(Clone, Debug)]
pub struct Series {
    samples: Recent<Sample>,
    spacing: Duration,
}

impl Default for Series {
    fn default() -> Self {
        Self {
            samples: Recent::new(usize::MAX),
            spacing: SPACING_AT_FIRST,
        }
    }
}

impl Series {
    pub(super) fn note(&mut self, at: Instant, lag: Lag) {
        let step = |at: Instant| at.0.div_euclid(self.spacing.0);
        match self.samples.last() {
            Some(last) if last.lag == lag => return,
            Some(last) if step(last.at) == step(at) => {
                if let Some(last) = self.samples.last_mut() {
                    *last = Sample { at, lag };
                }
                return;
            }
            _ => self.samples.push(Sample { at, lag }),
        }
        if self.samples.len() > SAMPLES_KEPT {
            self.thin();
        }
    }

    fn thin(&mut self) {
        self.spacing = self.spacing + self.spacing;
        let mut samples: Recent<Sample> = Recent::new(usize::MAX);
        for sample in self.samples.iter() {
            let step = |at: Instant| at.0.div_euclid(self.spacing.0);
            match samples.last_mut() {
                Some(last) if step(last.at) == step(sample.at) => *last = *sample,
                _ => samples.push(*sample),
            }
        }
        self.samples = samples;
    }

    /// The samples, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Sample> {
        self.samples.iter()
    }

    /// The committed lag as it was last; 0 without a commit.
    pub(super) fn last_committed(&self) -> i64 {
        let last = self.samples.last();
        last.and_then(|last| last.lag.committed).unwrap_or(0)
    }

    /// How far apart samples are at least, but for the last in a step.
    pub fn spacing(&self) -> Duration {
        self.spacing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_of_any_length_keeps_its_beginning_and_its_end() {
        let mut series = Series::default();
        for step in 0..100_000_i64 {
            let lag = Lag {
                committed: Some(step),
                ..Lag::default()
            };
            series.note(Instant::from_ms(step * 100), lag);
        }
        let samples: Vec<Sample> = series.iter().copied().collect();
        assert!(samples.len() <= SAMPLES_KEPT);
        assert!(samples[0].at <= Instant::from_ms(0) + series.spacing());
        assert_eq!(
            samples.last().and_then(|last| last.lag.committed),
            Some(99_999)
        );
        assert!(samples.is_sorted_by_key(|sample| sample.at));
    }
}
