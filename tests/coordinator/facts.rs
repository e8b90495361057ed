//! What the coordinator writes down: facts, and which follows from which.

use crate::bench::Bench;
use crate::script::check;
use regroup::kafka::fact::{Fact, FactId, FactKind, GroupState, GroupWhy, RemovalCause, Why};
use regroup::kafka::ids::{Generation, GroupId, GroupInstanceId, MemberId};

/// The chain of causes that ends in a fact, from its beginning.
fn chain<'a>(bench: &'a Bench, last: &'a Fact) -> Vec<&'a Fact> {
    let mut chain = vec![last];
    while let Some(first) = chain.last()
        && first.cause != FactId::BEGINNING
    {
        let cause = bench.facts.iter().find(|fact| fact.id == first.cause);
        chain.push(cause.expect("a cause that happened"));
    }
    chain.reverse();
    chain
}

fn last(bench: &Bench, wanted: impl Fn(&FactKind) -> bool) -> &Fact {
    let mut facts = bench.facts.iter().rev();
    facts.find(|fact| wanted(&fact.kind)).expect("such a fact")
}

fn group() -> GroupId {
    "g".into()
}

#[test]
fn a_generation_goes_back_to_the_timer_that_ended_a_session() {
    let bench = check(
        "use stable
        0 c join v=3 => -
        100 a join id=a1 => -
        6000 => a: a1 g6 range of a1 [a1 c1] | c: c1 g6 range of a1",
    );
    let completed = last(&bench, |kind| {
        matches!(kind, FactKind::JoinCompleted { .. })
    });
    let chain: Vec<&FactKind> = chain(&bench, completed)
        .into_iter()
        .map(|f| &f.kind)
        .collect();
    let expired = Why::SessionTimeout(group(), "b1".into());
    let (before, after) = chain.split_at(chain.len() - 3);
    assert!(matches!(before.last(), Some(FactKind::TimerFired { why, .. }) if *why == expired));
    assert_eq!(
        after,
        [
            &FactKind::MemberRemoved {
                group: group(),
                member_id: "b1".into(),
                cause: RemovalCause::SessionExpired,
            },
            &FactKind::GroupStateChanged {
                group: group(),
                from: GroupState::PreparingRebalance,
                to: GroupState::CompletingRebalance,
                generation: Generation(6),
                why: GroupWhy::AllJoined,
            },
            &FactKind::JoinCompleted {
                group: group(),
                generation: Generation(6),
                protocol: "range".into(),
                leader: "a1".into(),
            },
        ]
    );
}

#[test]
fn an_assignment_is_written_down_in_partitions() {
    let bench = check(
        "use static
        0 d join inst=i2 => d: d1 g5 range of a1
        0 a join id=a1 inst=i1 => -
        0 d join id=d1 inst=i2 => a: a1 g6 range of a1 [a1/i1 d1/i2] | d: d1 g6 range of a1
        0 a sync id=a1 gen=6 give=a1:t0.t1,d1:t2 => a: [t0 t1]",
    );
    let assigned = last(&bench, |kind| matches!(kind, FactKind::Assigned { .. }));
    let FactKind::Assigned {
        generation, shares, ..
    } = &assigned.kind
    else {
        unreachable!("looked for an assignment");
    };
    let share = |id: &str, instance: &str, partitions: &[&str]| {
        let partitions = partitions.iter().map(|text| crate::words::partition(text));
        let instance = Some(GroupInstanceId::from(instance));
        (MemberId::from(id), instance, partitions.collect::<Vec<_>>())
    };
    assert_eq!(*generation, Generation(6));
    assert_eq!(
        **shares,
        [share("a1", "i1", &["t0", "t1"]), share("d1", "i2", &["t2"])]
    );
}

#[test]
fn a_replaced_static_member_is_fenced_and_its_leadership_moves() {
    let bench = check(
        "use static
        0 d join inst=i1 => d: d1 g5 range of d1 [d1/i1 b1/i2] skip",
    );
    let after = bench.facts.iter().rev().take(3).rev();
    let kinds: Vec<&FactKind> = after.map(|fact| &fact.kind).collect();
    assert_eq!(
        kinds,
        [
            &FactKind::MemberRemoved {
                group: group(),
                member_id: "a1".into(),
                cause: RemovalCause::Fenced,
            },
            &FactKind::MemberAdded {
                group: group(),
                member_id: "d1".into(),
                group_instance_id: Some("i1".into()),
                replaces: Some("a1".into()),
            },
            &FactKind::LeaderElected {
                group: group(),
                member_id: "d1".into(),
            },
        ]
    );
}

#[test]
fn every_change_of_state_follows_the_one_before() {
    let bench = check(
        "0 a join => a: 79 a1
        10 a join id=a1 => -
        3010 => a: a1 g1 range of a1 [a1]
        3100 a sync id=a1 gen=1 give=a1:t0 => a: [t0]
        3200 a leave who=a1 => a: 0 [a1:0]
        600000 ? group=gone",
    );
    let changes = bench.facts.iter().filter_map(|fact| match &fact.kind {
        FactKind::GroupStateChanged { from, to, .. } => Some((*from, *to)),
        _ => None,
    });
    use GroupState::*;
    assert_eq!(
        changes.collect::<Vec<_>>(),
        [
            (Dead, Empty),
            (Empty, PreparingRebalance),
            (PreparingRebalance, CompletingRebalance),
            (CompletingRebalance, Stable),
            (Stable, PreparingRebalance),
            (PreparingRebalance, Empty),
            (Empty, Dead),
        ]
    );
}

#[test]
fn a_commit_is_a_fact_when_it_is_stored() {
    let bench = check(
        "set offset_append=20
        use stable
        5 a commit id=a1 => -
        25 => a: t0:0",
    );
    let stored = last(&bench, |kind| matches!(kind, FactKind::CommitStored { .. }));
    assert_eq!(stored.at.as_ms(), 25);
}
