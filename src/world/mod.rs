//! The world around the machines: clock, queue, network, processes, commands in, facts out, history.
//!
//! Knows nothing of ledgers, files or pages. Invariants: time never goes back; what happens at one
//! instant happens in the order acts, timers, deliveries, continued calls; a fact has a cause or is an
//! act; a (setup, commands) pair fixes every fact.

pub mod command;
mod serial;
pub mod setup;
