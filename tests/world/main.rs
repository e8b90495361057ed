//! Whole worlds: broker, clients, network and programs together, in virtual time.

mod commits;
mod failures;
mod fresh_group;
mod producers;
mod random;
mod rebalances;
mod static_members;
mod support;
