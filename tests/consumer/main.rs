//! Consumers against a broker, without latency: what the incident cards say of them, by numbers.
#![cfg(not(target_arch = "wasm32"))]

mod bench;
mod commits;
mod rebalances;
mod recorded;
mod script;
mod tables;
