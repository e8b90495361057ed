//! Regroup: an in-memory Apache Kafka for learning how consumer groups behave.
//!
//! Layers, each importing only what stands to its left:
//! `form` and `kafka` ← `world` ← `ledger` ← `scenario` ← `session` ← `view` ← `page`.

pub mod cases;
pub mod form;
pub mod kafka;
pub mod ledger;
pub mod page;
pub mod scenario;
pub mod session;
pub mod view;
pub mod world;
