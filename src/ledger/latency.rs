//! Lengths of time, counted: how many, how long in all, the longest, and how they are spread.

use crate::kafka::time::Duration;

/// Buckets of the spread: bucket k counts what took less than 2^k ms (and not less than half of it).
pub const BUCKETS: usize = 32;

/// A count of lengths of time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Latency {
    count: u64,
    total_ms: i64,
    longest_ms: i64,
    buckets: [u64; BUCKETS],
}

impl Default for Latency {
    fn default() -> Self {
        Self {
            count: 0,
            total_ms: 0,
            longest_ms: 0,
            buckets: [0; BUCKETS],
        }
    }
}

impl Latency {
    /// `records` took `length` each.
    pub fn note(&mut self, records: u64, length: Duration) {
        let ms = length.as_ms().max(0);
        let bits = 64 - ms.unsigned_abs().leading_zeros();
        let bucket = usize::try_from(bits).map_or(BUCKETS - 1, |bits| bits.min(BUCKETS - 1));
        self.count += records;
        let records_signed = i64::try_from(records).unwrap_or(i64::MAX);
        self.total_ms = self
            .total_ms
            .saturating_add(ms.saturating_mul(records_signed));
        self.longest_ms = self.longest_ms.max(ms);
        self.buckets[bucket] += records;
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean in whole ms, rounded down. `None` without any.
    pub fn mean_ms(&self) -> Option<i64> {
        let count = i64::try_from(self.count).ok()?;
        self.total_ms.checked_div(count)
    }

    /// The longest in ms.
    pub fn longest_ms(&self) -> i64 {
        self.longest_ms
    }

    /// How they are spread; see [`BUCKETS`].
    pub fn buckets(&self) -> &[u64; BUCKETS] {
        &self.buckets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_fall_into_buckets_of_powers_of_two() {
        let mut latency = Latency::default();
        for ms in [0, 1, 2, 3, 4, 1_000] {
            latency.note(1, Duration::from_ms(ms));
        }
        assert_eq!(latency.buckets()[..4], [1, 1, 2, 1]);
        assert_eq!(latency.buckets()[10], 1);
        assert_eq!(latency.mean_ms(), Some(168));
        assert_eq!(latency.longest_ms(), 1_000);
    }
}
