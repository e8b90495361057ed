//! Virtual time in whole microseconds. The engine has no other clock.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// A moment of virtual time, in µs since the scenario's zero. May be negative: what happened before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Instant(pub i64);

/// A length of virtual time in µs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Duration(pub i64);

impl Instant {
    /// The scenario's zero.
    pub const ZERO: Instant = Instant(0);

    /// `ms` milliseconds after zero. Saturates.
    pub const fn from_ms(ms: i64) -> Self {
        Self(ms.saturating_mul(1_000))
    }

    /// Whole milliseconds since zero, rounded down: a record's timestamp at this moment.
    pub const fn as_ms(self) -> i64 {
        self.0.div_euclid(1_000)
    }
}

impl Duration {
    /// No time at all.
    pub const ZERO: Duration = Duration(0);

    /// `ms` milliseconds. Saturates.
    pub const fn from_ms(ms: i64) -> Self {
        Self(ms.saturating_mul(1_000))
    }

    /// Whole milliseconds, rounded down.
    pub const fn as_ms(self) -> i64 {
        self.0.div_euclid(1_000)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;
    fn add(self, length: Duration) -> Instant {
        Instant(self.0.saturating_add(length.0))
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, length: Duration) {
        *self = *self + length;
    }
}

impl Sub for Instant {
    type Output = Duration;
    fn sub(self, earlier: Instant) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Duration {
    type Output = Duration;
    fn add(self, other: Duration) -> Duration {
        Duration(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, other: Duration) {
        *self = *self + other;
    }
}

impl Sub for Duration {
    type Output = Duration;
    fn sub(self, other: Duration) -> Duration {
        Duration(self.0.saturating_sub(other.0))
    }
}

/// Milliseconds with as many decimals as there are: `1234.5`.
fn write_ms(us: i64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let sign = if us < 0 { "-" } else { "" };
    let (whole, rest) = (us.unsigned_abs() / 1_000, us.unsigned_abs() % 1_000);
    if rest == 0 {
        return write!(f, "{sign}{whole}");
    }
    write!(
        f,
        "{sign}{whole}.{}",
        format!("{rest:03}").trim_end_matches('0')
    )
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_ms(self.0, f)
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}ms")
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_ms(self.0, f)
    }
}

impl fmt::Debug for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}ms")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_print_as_milliseconds_with_the_decimals_they_have() {
        assert_eq!(Instant(18_489_000).to_string(), "18489");
        assert_eq!(Instant(-1_500).to_string(), "-1.5");
        assert_eq!(Duration(20).to_string(), "0.02");
    }

    #[test]
    fn milliseconds_round_down_before_zero_too() {
        assert_eq!(Instant(-1).as_ms(), -1);
        assert_eq!(Instant(1_999).as_ms(), 1);
    }
}
