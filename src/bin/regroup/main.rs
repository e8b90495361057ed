//! The native program. Nothing of it exists in the browser, for which this file is compiled as well.

// Clock, sockets, threads and files are this program's own; the bans of clippy.toml are for the
// layers below.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

fn main() {}
