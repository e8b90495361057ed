//! Mounts the page; nothing else.

fn main() {}
