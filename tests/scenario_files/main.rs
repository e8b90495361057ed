//! Scenario files: the schema says what the code reads, and a bad file ends in a sentence.
#![cfg(not(target_arch = "wasm32"))]

mod refusals;
mod schema;
