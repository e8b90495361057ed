//! The group coordinator against recordings of the real one, and against the tables of its rules.

mod bench;
mod facts;
mod random;
mod raw_dialogues;
mod rows_join;
mod rows_leave;
mod rows_offsets;
mod rows_static;
mod rows_sync;
mod script;
mod traces;
mod words;

/// Rows of a table: a claim and the script that shows it.
#[macro_export]
macro_rules! rows {
    ($($claim:ident: $script:expr;)*) => {
        $(#[test] fn $claim() { $crate::script::check($script); })*

        pub const SCRIPTS: &[&str] = &[$($script,)*];
    };
}

/// `stable`, into which c1 has come: a1 and b1 have not joined yet.
#[macro_export]
macro_rules! preparing {
    () => {
        "use stable\n0 c join v=3 => -\n"
    };
}

/// `stable` after its leader has rejoined: generation 6, SyncGroup awaited.
#[macro_export]
macro_rules! completing {
    () => {
        "use stable\n0 a join id=a1 => -\n\
         100 b join id=b1 => a: a1 g6 range of a1 [a1 b1] | b: b1 g6 range of a1\n"
    };
}

/// The tables leave out no pair of state and event that can occur, and meet none that should not.
#[test]
fn the_tables_reach_every_pair_of_state_and_event() {
    use regroup::kafka::broker::Coverage;
    let tables = [
        rows_join::SCRIPTS,
        rows_join::order::SCRIPTS,
        rows_join::duration::SCRIPTS,
        rows_join::vote::SCRIPTS,
        rows_static::SCRIPTS,
        rows_sync::SCRIPTS,
        rows_sync::heartbeat::SCRIPTS,
        rows_leave::SCRIPTS,
        rows_leave::session::SCRIPTS,
        rows_leave::connection::SCRIPTS,
        rows_offsets::SCRIPTS,
        rows_offsets::expiry::SCRIPTS,
    ];
    let mut reached = Coverage::default();
    for script in tables.into_iter().flatten() {
        reached.merge(&script::coverage(script));
    }
    let missed = Coverage::reachable().without(&reached);
    assert!(missed.is_empty(), "missed: {missed:?}");
    let surprising = reached.without(&Coverage::reachable());
    assert!(surprising.is_empty(), "surprising: {surprising:?}");
}
