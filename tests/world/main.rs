//! Whole worlds: broker, clients, network and programs together, in virtual time.

mod admin;
mod commits;
mod failures;
mod fresh_group;
mod handshakes;
mod poison;
mod producers;
mod random;
mod rebalances;
mod recount;
mod retention;
mod rough;
mod static_members;
mod support;
