//! English: what words mean.

use super::Term;
use crate::view::GroupState;

/// A word and its explanation.
pub fn term(term: Term) -> (&'static str, &'static str) {
    match term {
        Term::State(GroupState::Empty) => (
            "Empty",
            "The group has no members. Its committed offsets remain.",
        ),
        Term::State(GroupState::PreparingRebalance) => (
            "PreparingRebalance",
            "A rebalance has begun: the coordinator waits until every member has sent JoinGroup, at most for the rebalance timeout, which is max.poll.interval.ms.",
        ),
        Term::State(GroupState::CompletingRebalance) => (
            "CompletingRebalance",
            "Everybody has joined. The group's leader computes the assignment; the others wait for their share in SyncGroup.",
        ),
        Term::State(GroupState::Stable) => (
            "Stable",
            "Every member has its share of the partitions and reads. Heartbeats keep it so.",
        ),
        Term::State(GroupState::Dead) => ("Dead", "The group was deleted, with its offsets."),
        Term::Generation => (
            "Generation",
            "Counts the group's rebalances. A commit or heartbeat that names an older generation is refused with 22 ILLEGAL_GENERATION.",
        ),
        Term::Assignor => (
            "Assignor",
            "The algorithm of partition.assignment.strategy that shares out the partitions. The members vote for it; the group's leader runs it.",
        ),
        Term::Leader => (
            "Leader of the group",
            "The member that computes the assignment for everybody. The coordinator only hands it out.",
        ),
        Term::Coordinator => (
            "Coordinator",
            "The broker that keeps a group's members, their sessions and the committed offsets.",
        ),
        Term::Session => (
            "session.timeout.ms",
            "When the coordinator has heard no heartbeat of the member for this long, it removes it and starts a rebalance. Every heartbeat fills the ring again.",
        ),
        Term::Poll => (
            "max.poll.interval.ms",
            "When the program has not called poll() for this long, its own client leaves the group. Every poll() fills the ring again.",
        ),
        Term::Unowned => (
            "Unowned",
            "No live consumer holds the partition: nobody reads it, and its lag grows. Solid: a rebalance is moving it. Hatched: its holder is gone, or nobody has come yet.",
        ),
        Term::Close => (
            "Close",
            "close(): the consumer commits if it commits automatically, and leaves the group with LeaveGroup (a static member does not). The group knows at once.",
        ),
        Term::Kill => (
            "Kill −9",
            "The process ends without a word. The coordinator finds out only when the session times out.",
        ),
        Term::Freeze => (
            "Freeze",
            "The process stands still, as in a long garbage collection: no heartbeat, no poll(). Thawed too late, it is a zombie that does not know it was removed.",
        ),
        Term::StaticMember => (
            "Static member",
            "A consumer with group.instance.id keeps its place when it restarts within session.timeout.ms: no rebalance. close() does not leave the group.",
        ),
        Term::HighWatermark => (
            "High watermark",
            "The end of what consumers may read: every in-sync replica has the records below it.",
        ),
        Term::Committed => (
            "Committed offset",
            "Where the group goes on after a takeover or restart. It is stored at the coordinator.",
        ),
        Term::Position => (
            "Position",
            "The next offset that the owner's poll() returns. It lives in the consumer's memory only.",
        ),
        Term::Lag => (
            "Lag",
            "High watermark minus committed offset, as kafka-consumer-groups.sh prints it.",
        ),
        Term::PositionLag => ("Position lag", "High watermark minus the owner's position."),
        Term::ProcessingLag => (
            "Processing lag",
            "High watermark minus the first record that the owner has not finished.",
        ),
        Term::AtRisk => (
            "Read, not committed",
            "From the committed offset to the position. If the owner died now, exactly these records would be delivered again.",
        ),
        Term::Delivered => (
            "Delivered",
            "Records that poll() returned, counted every time.",
        ),
        Term::Duplicates => (
            "Duplicate deliveries",
            "Deliveries of a record beyond its first one, to whichever member. A duplicate processing is the same for records that were finished.",
        ),
        Term::Done => (
            "Done",
            "Records that the program has finished, counted every time.",
        ),
        Term::InDoubt => (
            "In doubt",
            "Delivered and not finished, while the holder is alive and still owns the partition.",
        ),
        Term::Skipped => (
            "Skipped",
            "Never finished by anybody, although the committed offset has passed them: lost for this group.",
        ),
        Term::Accumulated => (
            "Accumulated",
            "Records that wait in the producer for a batch to be full or linger.ms to pass.",
        ),
        Term::RollingChange => (
            "Rolling change",
            "The consumers restart one after another with the new list. For a while both lists are in the group, so they need an assignor in common.",
        ),
        Term::FullRestart => (
            "Full restart",
            "All consumers close, then all start with the new list. Nobody reads in between.",
        ),
        Term::PartitionSeconds => (
            "Partition-seconds lost",
            "For every partition the time from one owner's release to the next acquire, added up. Two partitions that stand still for 3 s cost 6.",
        ),
    }
}
