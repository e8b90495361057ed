//! Whole worlds: broker, clients, network and programs together, in virtual time.

mod fresh_group;
mod support;
