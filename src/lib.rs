//! Regroup: an in-memory Apache Kafka for learning how consumer groups behave.
//!
//! Layers, each importing only what stands to its left:
//! `kafka` ← `world` ← `ledger` ← `scenario` ← `view` ← `page`.

pub mod cases;
pub mod kafka;
pub mod ledger;
#[cfg(target_arch = "wasm32")]
pub mod page;
pub mod world;
