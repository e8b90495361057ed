//! Kafka itself, deterministic and sans-IO.
//!
//! State machines that are given the time and a message, and give back messages, facts and the next
//! instant at which they want to be woken. No clock, thread, socket, file, float decision or hash order.

pub mod api;
pub mod assignor;
pub mod broker;
pub mod chance;
pub mod client;
pub mod cluster;
pub mod config;
pub mod error;
pub mod fact;
pub mod ids;
pub mod java_hash;
pub mod journal;
pub mod murmur2;
pub mod protocol;
pub mod record;
pub mod sorted;
pub mod time;
pub mod timers;
pub mod wire;
