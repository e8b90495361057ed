//! The page: Yew components over plain view structs.
//!
//! The only layer that knows a browser. It never imports the inside of `kafka`; what it shows it is
//! given by `view`, what a person does it hands down as a command. Invariants: one store holds all
//! state, and changes it in one function by intents; a component is redrawn when its part of the view
//! changed, never per frame; what glides is handed to the browser once, with its start, end and rate;
//! no text stands outside the catalogue.

// The page is where wall clock and browser meet; the bans of clippy.toml are for the layers below.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

pub mod i18n;
pub mod standpoint;

#[cfg(target_arch = "wasm32")]
mod anatomy;
#[cfg(target_arch = "wasm32")]
mod app;
#[cfg(target_arch = "wasm32")]
mod bring;
#[cfg(target_arch = "wasm32")]
mod caption;
#[cfg(target_arch = "wasm32")]
mod clipboard;
#[cfg(target_arch = "wasm32")]
mod context;
#[cfg(target_arch = "wasm32")]
mod download;
#[cfg(target_arch = "wasm32")]
mod driver;
#[cfg(target_arch = "wasm32")]
mod edit;
#[cfg(target_arch = "wasm32")]
mod fetch;
#[cfg(target_arch = "wasm32")]
mod frame;
#[cfg(target_arch = "wasm32")]
mod header;
#[cfg(target_arch = "wasm32")]
mod hint;
#[cfg(target_arch = "wasm32")]
mod icon;
#[cfg(target_arch = "wasm32")]
mod inspector;
#[cfg(target_arch = "wasm32")]
mod keyboard;
#[cfg(target_arch = "wasm32")]
mod library;
#[cfg(target_arch = "wasm32")]
mod link;
#[cfg(target_arch = "wasm32")]
mod menu;
#[cfg(target_arch = "wasm32")]
mod motion;
#[cfg(target_arch = "wasm32")]
mod part;
#[cfg(target_arch = "wasm32")]
mod picture;
#[cfg(target_arch = "wasm32")]
mod share;
#[cfg(target_arch = "wasm32")]
mod sheet;
#[cfg(target_arch = "wasm32")]
mod shelf;
#[cfg(target_arch = "wasm32")]
mod stage;
#[cfg(target_arch = "wasm32")]
mod stops;
#[cfg(target_arch = "wasm32")]
mod storage;
#[cfg(target_arch = "wasm32")]
mod store;
#[cfg(target_arch = "wasm32")]
mod timebar;
#[cfg(target_arch = "wasm32")]
mod trainer;
#[cfg(target_arch = "wasm32")]
mod trouble;
#[cfg(target_arch = "wasm32")]
mod views;

#[cfg(target_arch = "wasm32")]
pub use app::mount;
