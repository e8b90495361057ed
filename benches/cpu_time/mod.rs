//! Processor time as a measure, for benches that run on busy machines.

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use std::time::Duration;

/// Time that the calling thread has run, so that other work on the machine does not count; that of the clock where
/// the system does not say.
pub struct CpuTime;

/// What `CpuTime` reads before and after.
pub enum Reading {
    Cpu(Duration),
    Clock(<WallTime as Measurement>::Intermediate),
}

fn cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ')
        .next()?
        .parse()
        .ok()
        .map(Duration::from_nanos)
}

impl Measurement for CpuTime {
    type Intermediate = Reading;
    type Value = Duration;

    fn start(&self) -> Reading {
        cpu_time().map_or_else(|| Reading::Clock(WallTime.start()), Reading::Cpu)
    }

    fn end(&self, start: Reading) -> Duration {
        match start {
            Reading::Cpu(start) => cpu_time().unwrap_or(start).saturating_sub(start),
            Reading::Clock(start) => WallTime.end(start),
        }
    }

    fn add(&self, left: &Duration, right: &Duration) -> Duration {
        *left + *right
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        WallTime.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}
