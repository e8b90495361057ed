//! The states a group went through.

use super::recent::Recent;
use crate::kafka::fact::{FactId, GroupState, GroupWhy};
use crate::kafka::ids::Generation;
use crate::kafka::time::Instant;

/// Bands that are kept per group.
const BANDS_KEPT: usize = 1_024;

/// A state of the group, from when it was entered until the next band begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Band {
    /// The state.
    pub state: GroupState,
    /// The generation when it was entered.
    pub generation: Generation,
    /// When it was entered.
    pub since: Instant,
    /// The fact by which it was entered.
    pub fact: FactId,
    /// Why.
    pub why: GroupWhy,
}

/// A group's states, oldest first; the older ones are forgotten.
#[derive(Clone, Debug)]
pub struct Timeline {
    bands: Recent<Band>,
}

impl Default for Timeline {
    fn default() -> Self {
        Self {
            bands: Recent::new(BANDS_KEPT),
        }
    }
}

impl Timeline {
    pub(super) fn enter(&mut self, band: Band) {
        self.bands.push(band);
    }

    /// The present state. `None`: the group was never heard of.
    pub fn now(&self) -> Option<&Band> {
        self.bands.last()
    }

    /// All bands that are kept.
    pub fn bands(&self) -> &Recent<Band> {
        &self.bands
    }
}
