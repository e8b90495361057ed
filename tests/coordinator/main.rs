//! The group coordinator against recordings of the real one, and against the tables of its rules.

mod bench;
mod raw_dialogues;
