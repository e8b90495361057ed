//! What real consumers did against a real broker (`tests/data/traces`), and what ours do in the same set-up: the
//! same requests to the coordinator in the same order, byte for byte apart from correlation ids, the same error
//! codes, the same callbacks between them.
//!
//! Ours run in virtual time. A process that starts there needs no second to load classes, so each consumer starts
//! when the recorded one sent its first request to the coordinator; acts come when they came. What only the
//! clock decides is compared as loosely as it is exact, and this is all of it:
//! - Between two steps (a join, a sync, an error, a callback, a close) heartbeats and commits come as their
//!   timers have it. Their numbers may differ by one, at either end of the stretch. A stretch of less than
//!   half a second has no room for timers: it is compared as it is. So is what comes within a tenth of a
//!   second before the next step.
//! - The offsets in commits, where records flow.
//! - librdkafka heartbeats in another thread than the one that calls back, so the first heartbeat of a
//!   generation and the callback may change places.
//! - kafka-python is not among our flavours. `tests/coordinator/traces.rs` holds our broker against it.
#![cfg(not(target_arch = "wasm32"))]

mod compare;
mod play;
mod recording;

use regroup::world::setup::ClientFlavour;

/// Plays a recording, both flavours; says what differs.
fn check(experiment: &str) {
    for (client, flavour) in [
        ("java", ClientFlavour::Java),
        ("confluent", ClientFlavour::Librdkafka),
    ] {
        let recording = recording::Recording::read(experiment, client);
        let ours = play::play(&recording, flavour);
        let mut wrong = Vec::new();
        for (consumer, recorded) in &recording.timelines {
            let played = ours.get(consumer).map_or(&[][..], Vec::as_slice);
            wrong.extend(compare::difference(consumer, recorded, played));
        }
        assert!(
            wrong.is_empty(),
            "{experiment}.{client}:\n{}",
            wrong.join("\n")
        );
    }
}

macro_rules! recordings {
    ($($test:ident = $name:literal;)*) => {
        $(#[test] fn $test() { check($name) })*

        #[test]
        fn every_recording_is_played() {
            let files = std::fs::read_dir("tests/data/traces").expect("recordings");
            assert_eq!(files.count(), 3 * [$($name,)*].len());
        }
    };
}

recordings! {
    a_fourth_consumer_joins_as_recorded = "join_fourth";
    a_consumer_closes_as_recorded = "graceful_close";
    a_consumer_is_killed_as_recorded = "killed_consumer";
    a_session_timeout_out_of_bounds_is_refused_as_recorded = "session_timeout_too_small";
    partitions_are_added_as_recorded = "partitions_added";
    a_cooperative_group_grows_as_recorded = "cooperative_join";
    a_static_consumer_restarts_as_recorded = "static_restart_in_time";
    a_static_consumer_is_fenced_as_recorded = "static_fenced";
    two_groups_read_as_recorded = "two_groups";
    an_assigned_consumer_commits_as_recorded = "assign_alone";
    idle_consumers_wait_as_recorded = "idle_fifth";
}
