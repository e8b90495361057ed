//! English texts of the assignor lab.

use super::lab::{LabTexts, member, members, partition, topic};
use crate::view::lab::{
    GiveReason, LabGroup, LabProblem, MEMBERS_MOST, MemberOrder, MoveReason, PARTITIONS_MOST,
    Phase, Preset, ReleaseReason, Rule, WalkStep,
};

/// The English texts.
pub static ENGLISH: LabTexts = LabTexts {
    running: "Running group",
    examples: "Examples",
    edited: "Edited",
    preset: |preset| match preset {
        Preset::TwoTopics => "Two topics, two consumers",
        Preset::ThirdJoins => "A third member joins",
        Preset::FirstLeaves => "Then the first leaves",
        Preset::Uneven => "Uneven subscriptions",
        Preset::Racks => "Racks",
        Preset::Large => "1,000 members, 10,000 partitions",
    },
    empty: "The running group has no members. Add one, or choose an example.",

    edit: "Edit members and topics",
    members: "Members",
    topics: "Topics",
    member: "Member",
    topic: "Topic",
    subscription: "topics",
    owned: "owns before",
    partitions: "partitions",
    replica_racks: "replica racks",
    add_member: "Add a member",
    add_topic: "Add a topic",
    remove_topic: |topic| format!("Delete topic {topic}"),
    leave: "Leave",
    come_back: "Come back",
    leave_of: |member| format!("Leave: {member}"),
    come_back_of: |member| format!("Come back: {member}"),
    field_of: |field, member| format!("{field} of {member}"),
    own_past: "Each assignor starts from its own last result",
    go_on: "Go on from here",
    go_on_text: "The results become what members own; change something, and see what moves next.",
    problem,
    more_members: |count| format!("and {count} more members, all of them counted below"),
    more: |count| format!("+{count}"),

    results: "What each assignor makes of this group",
    before: "before",
    server_side: "server",
    by_leader: "The group's leader assigns: partition.assignment.strategy",
    by_coordinator: "The coordinator assigns: group.remote.assignor",
    eager: "eager",
    cooperative: "cooperative",
    load: "Partitions per member",
    load_text: |fewest, most| {
        if fewest == most {
            format!("{fewest}")
        } else {
            format!("{fewest} to {most}")
        }
    },
    moved: "Moved between members",
    inherited: "Taken over from who left",
    revoked: "Given up in the rebalance",
    held_back: "Held back for a round",
    rounds: "Rounds",
    in_rack: "Read in their own rack",
    left: "Left with nobody",
    computing: "…",
    throws: |exception| format!("throws {exception}"),
    from: |member| format!("before: {member}"),
    in_round: |round| format!("arrives in round {round}"),
    key_kept: "kept",
    key_moved: "moved, with its former owner",
    key_new: "nobody had it",
    key_later: "held back, arrives in the next round",
    walk_through: |name| format!("Walk through {name}"),

    walk: |name| format!("How {name} arrived there"),
    first_step: "First step",
    previous_step: "Previous step",
    next_step: "Next step",
    last_step: "Last step",
    step_of: |step, last| format!("Step {step} of {last}"),
    step,
    not_given: "not given yet",
    waits_for: |member| format!("for {member}, next round"),

    vote: "Vote",
    list: "lists",
    votes_for: "votes for",
    candidates: |names| format!("All members list: {}.", names.join(", ")),
    winner: |name| format!("{name} wins."),
    no_candidate: "There is no assignor that all members list.",
    first_choice: "wanted most",
    second_choice: "also listed",
    upgrade: "From eager to cooperative",
    upgrade_text: "Two rolling changes: first both assignors in every list, then the old one out. If the first is skipped, the restarted consumer is refused with 23 INCONSISTENT_GROUP_PROTOCOL.",
    upgrade_first: "1. Both in the list",
    upgrade_second: "2. Only cooperative-sticky",
};

fn problem(problem: &LabProblem) -> String {
    match problem {
        LabProblem::UnknownTopic(name) => format!("There is no topic {name}."),
        LabProblem::UnknownPartition(name) => {
            format!("There is no partition {name}. Write orders-0, or orders-0..2 for several.")
        }
        LabProblem::NotANumber(text) => {
            format!("\u{201c}{text}\u{201d} is not a whole number from 0 on.")
        }
        LabProblem::NameTaken(name) => format!("Another one is called {name} already."),
        LabProblem::NoName => "A member needs an id.".to_string(),
        LabProblem::TooManyMembers => format!("The lab takes at most {MEMBERS_MOST} members."),
        LabProblem::TooManyPartitions => {
            format!("The lab takes at most {PARTITIONS_MOST} partitions.")
        }
    }
}

const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Claims => "First it sorts out what members say they own.",
        Phase::Constrained => {
            "All members want the same topics, so a quota per member settles nearly everything."
        }
        Phase::General => {
            "Members want different topics, so each partition is looked at on its own."
        }
        Phase::RackMatching => "Partitions first go to members in the rack of a replica.",
        Phase::Remaining => "What is left is dealt out.",
        Phase::ImproveNew => "Can moving one of the partitions just given improve the balance?",
        Phase::ImproveAll => "Can moving any partition improve the balance?",
        Phase::Withhold => {
            "What somebody still owns is taken out again: its owner must give it up first."
        }
    }
}

fn step(rule: Rule, step: &WalkStep, group: &LabGroup) -> String {
    match step {
        WalkStep::Start if rule.remembers() => {
            "Members begin with what they say they own.".to_string()
        }
        WalkStep::Start => {
            "Nobody has anything: this assignor does not look at what was owned before.".to_string()
        }
        WalkStep::Begin(begun) => phase(*begun).to_string(),
        WalkStep::Order { by, members: order } => {
            let (names, more) = members(group, order);
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            match by {
                MemberOrder::StaticFirst => format!(
                    "Members in order: {names}{more}. Static members come first, by instance id, then the others by member id."
                ),
                MemberOrder::HashWalk => format!(
                    "Members in order: {names}{more}. It is the order of Java\u{2019}s hash map, arbitrary but always the same."
                ),
            }
        }
        WalkStep::Quota {
            topic: about,
            partitions,
            members,
            quota,
            extra,
        } => {
            let what = about.map_or_else(|| "All topics".to_string(), |place| topic(group, place));
            let extra = match extra {
                0 => String::new(),
                1 => "; one of them gets one more".to_string(),
                extra => format!("; {extra} of them get one more"),
            };
            format!("{what}: {partitions} partitions for {members} members, {quota} each{extra}.")
        }
        WalkStep::Keep {
            partition: what,
            member: who,
        } => format!("{} keeps {}.", member(group, *who), partition(group, *what)),
        WalkStep::Release {
            partition: what,
            member: who,
            why,
        } => {
            let (what, who) = (partition(group, *what), member(group, *who));
            match why {
                ReleaseReason::DoublyClaimed => format!(
                    "{who} does not keep {what}: another member claims it in the same generation, so nobody keeps it."
                ),
                ReleaseReason::OlderGeneration => format!(
                    "{who} does not keep {what}: another member claims it with a higher generation."
                ),
                ReleaseReason::TopicGone => format!(
                    "{who} does not keep {what}: the topic is gone, or nobody wants it any more."
                ),
                ReleaseReason::NotSubscribed => format!(
                    "{who} does not keep {what}: it is not subscribed to the topic any more."
                ),
                ReleaseReason::RackMismatch => {
                    format!("{who} does not keep {what}: no replica is in its rack.")
                }
                ReleaseReason::OverQuota => {
                    format!("{who} gives up {what}: it has more than its share.")
                }
            }
        }
        WalkStep::Give {
            partition: what,
            member: who,
            why,
        } => {
            let (what, who) = (partition(group, *what), member(group, *who));
            match why {
                GiveReason::NextInRange => {
                    format!("{what} goes to {who}: next in its block of the topic.")
                }
                GiveReason::RackMatch => format!("{what} goes to {who}: a replica is in its rack."),
                GiveReason::CoPartitionedRackMatch => format!(
                    "{what} goes to {who}: its rack has this number of every topic that they share."
                ),
                GiveReason::NextOnCircle => format!("{what} goes to {who}: next on the circle."),
                GiveReason::BelowMinimum => {
                    format!("{what} goes to {who}: it has less than the minimum.")
                }
                GiveReason::ExtraPartition => {
                    format!("{what} goes to {who}: it may have one more than the minimum.")
                }
                GiveReason::LeastLoaded => {
                    format!("{what} goes to {who}: of those that want the topic, it has the least.")
                }
                GiveReason::BelowQuota => {
                    format!("{what} goes to {who}: it has room up to its quota.")
                }
            }
        }
        WalkStep::Skip {
            topic: about,
            member: who,
        } => format!(
            "The circle passes {} by: it is not subscribed to {}.",
            member(group, *who),
            topic(group, *about)
        ),
        WalkStep::Fixed { member: who } => format!(
            "{} is left alone from here on: it has all it can have, and nobody else could take it.",
            member(group, *who)
        ),
        WalkStep::Move {
            partition: what,
            from,
            to,
            why,
        } => {
            let what = partition(group, *what);
            let (from, to) = (member(group, *from), member(group, *to));
            match why {
                MoveReason::Balance => {
                    format!("{what} moves from {from} to {to}: {from} has at least two more.")
                }
                MoveReason::FormerOwner => format!(
                    "{what} moves from {from} to {to}, which claimed it in an older generation."
                ),
                MoveReason::Reverse => format!(
                    "{what} moves from {from} back to {to}: another partition of the topic had gone the opposite way, so this one returns instead."
                ),
            }
        }
        WalkStep::Restored => {
            "The moves did not improve the balance, so they are taken back.".to_string()
        }
        WalkStep::HoldBack {
            partition: what,
            to,
        } => format!(
            "{} is held back: its old owner gives it up first, and {} gets it in the next round.",
            partition(group, *what),
            member(group, *to)
        ),
    }
}
