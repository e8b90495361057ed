//! The assignors against slow, obvious definitions of what they promise: every partition once, only to who asked for
//! it, as even as it can be, moving no more than needed, and not at all when nothing changed.
#![cfg(not(target_arch = "wasm32"))]

mod groups;

use groups::{Event, Shape, TOPICS, Wish, any_event, any_shape, instance_id, member_id};
use proptest::prelude::*;
use regroup::kafka::assignor::server::{
    self, GroupSpec, ServerAssignor, ServerMember, ServerTopic, SubscriptionType,
};
use regroup::kafka::assignor::{
    Assignor, Explain, GroupAssignment, MemberSubscription, Step, assign,
};
use regroup::kafka::ids::{GroupInstanceId, MemberId, TopicPartition, Uuid};
use regroup::kafka::protocol::StickyUserData;
use regroup::kafka::sorted::SortedMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

fn owners(result: &GroupAssignment) -> BTreeMap<MemberId, BTreeSet<TopicPartition>> {
    let members = result.members.iter();
    members
        .map(|member| {
            (
                member.member_id.clone(),
                member.partitions.iter().cloned().collect(),
            )
        })
        .collect()
}

/// What the assignor gives. Members claim nothing but what they were given, so it refuses nothing.
fn assigned(shape: &Shape, assignor: Assignor, members: &[MemberSubscription]) -> GroupAssignment {
    let result = assign(assignor, &shape.cluster(), members, &mut Explain::off());
    result.expect("nothing to refuse")
}

/// Every wanted partition exactly once, in a list or held back; nothing that was not asked for.
fn check_complete_and_valid(shape: &Shape, result: &GroupAssignment) -> Result<(), TestCaseError> {
    let lists = result
        .members
        .iter()
        .flat_map(|member| member.partitions.iter());
    let held_back = result.held_back.iter().map(|held| &held.partition);
    let mut given: Vec<TopicPartition> = lists.chain(held_back).cloned().collect();
    given.sort();
    prop_assert_eq!(given, shape.wanted().into_iter().collect::<Vec<_>>());
    prop_assert_eq!(result.members.len(), shape.wishes.len());
    for member in shape.members() {
        let list = result
            .of(&member.member_id)
            .expect("every member is in the result");
        for partition in list {
            prop_assert!(
                member.topics.contains(&partition.topic),
                "{} got {partition}",
                member.member_id
            );
        }
    }
    Ok(())
}

/// No partition could go from its member to another subscribed one and make the two more even.
fn check_balance(
    shape: &Shape,
    owned: &BTreeMap<MemberId, BTreeSet<TopicPartition>>,
) -> Result<(), TestCaseError> {
    for (owner, partitions) in owned {
        for partition in partitions {
            for other in shape
                .members()
                .iter()
                .filter(|member| member.topics.contains(&partition.topic))
            {
                let (more, less) = (partitions.len(), owned[&other.member_id].len());
                prop_assert!(
                    more <= less + 1,
                    "{partition} could move from {owner} to {}",
                    other.member_id
                );
            }
        }
    }
    Ok(())
}

/// Per topic blocks of neighbours to its members in order.
fn range_by_definition(shape: &Shape) -> BTreeMap<MemberId, BTreeSet<TopicPartition>> {
    let mut owned: BTreeMap<MemberId, BTreeSet<TopicPartition>> = shape
        .members()
        .into_iter()
        .map(|member| (member.member_id, BTreeSet::new()))
        .collect();
    for (topic, partitions) in shape.cluster().topics {
        let members: Vec<_> = shape
            .static_first()
            .into_iter()
            .filter(|member| member.topics.contains(&topic))
            .collect();
        for number in 0..partitions.partitions {
            let mut left = number;
            for (place, member) in members.iter().enumerate() {
                let count = i32::try_from(members.len()).expect("few");
                let extra = usize::try_from(partitions.partitions % count).expect("few");
                let size = partitions.partitions / count + i32::from(place < extra);
                if (0..size).contains(&left) {
                    let partition = TopicPartition {
                        topic: topic.clone(),
                        partition: number,
                    };
                    owned
                        .get_mut(&member.member_id)
                        .expect("a member")
                        .insert(partition);
                }
                left -= size;
            }
        }
    }
    owned
}

/// What each member holds, and the generation in which it came to hold it.
type Held = BTreeMap<MemberId, BTreeSet<TopicPartition>>;

/// The members as they rejoin with what they hold.
fn rejoin(
    shape: &Shape,
    assignor: Assignor,
    held: &Held,
    generation: i32,
) -> Vec<MemberSubscription> {
    let mut members = shape.members();
    for member in &mut members {
        let Some(held) = held.get(&member.member_id) else {
            continue;
        };
        let partitions: Vec<TopicPartition> = held.iter().cloned().collect();
        member.generation = generation;
        match assignor {
            Assignor::Range | Assignor::RoundRobin => {}
            Assignor::Sticky => {
                let data = StickyUserData {
                    partitions,
                    generation: Some(generation),
                };
                member.user_data = Some(data.encode_as_java());
            }
            Assignor::CooperativeSticky => member.owned_partitions = partitions,
        }
    }
    members
}

fn retained(before: &Held, after: &Held) -> usize {
    let kept = |(member, owned): (&MemberId, &BTreeSet<TopicPartition>)| {
        before
            .get(member)
            .map_or(0, |before| before.intersection(owned).count())
    };
    after.iter().map(kept).sum()
}

/// The most partitions that can stay where they are when all members want the same: every member may keep up to the
/// minimum, and as many as there are extras may keep one more.
fn most_retained(shape: &Shape, held: &Held) -> usize {
    let wanted = shape.wanted();
    let (quota, extra) = (
        wanted.len() / shape.wishes.len(),
        wanted.len() % shape.wishes.len(),
    );
    let counts: Vec<usize> = shape
        .members()
        .iter()
        .map(|member| {
            held.get(&member.member_id)
                .map_or(0, |held| held.intersection(&wanted).count())
        })
        .collect();
    let full = counts.iter().filter(|count| **count > quota).count();
    counts.iter().map(|count| quota.min(*count)).sum::<usize>() + extra.min(full)
}

/// One eager rebalance after another.
fn check_sticky_rounds(mut shape: Shape, events: &[Event]) -> Result<(), TestCaseError> {
    let mut held = Held::new();
    for (generation, event) in (1..).zip(events) {
        shape = shape.after(event);
        let members = rejoin(&shape, Assignor::Sticky, &held, generation);
        let result = assigned(&shape, Assignor::Sticky, &members);
        check_complete_and_valid(&shape, &result)?;
        let after = owners(&result);
        check_balance(&shape, &after)?;
        if !shape.racks && shape.equal_subscriptions() {
            prop_assert_eq!(retained(&held, &after), most_retained(&shape, &held));
        }
        // With racks Kafka deals out again, at every rebalance, what it could not place in the rack of its member.
        if !shape.racks {
            let again = rejoin(&shape, Assignor::Sticky, &after, generation + 1);
            prop_assert_eq!(
                owners(&assigned(&shape, Assignor::Sticky, &again)),
                after.clone(),
                "a stable group moved"
            );
        }
        held = after;
    }
    Ok(())
}

/// Cooperative rebalances, each followed by those that it causes.
fn check_cooperative_rounds(mut shape: Shape, events: &[Event]) -> Result<(), TestCaseError> {
    let mut held = Held::new();
    let mut generation = 0;
    for event in events {
        shape = shape.after(event);
        let before = held.clone();
        for round in 1.. {
            generation += 1;
            let members = rejoin(&shape, Assignor::CooperativeSticky, &held, generation);
            let result = assigned(&shape, Assignor::CooperativeSticky, &members);
            check_complete_and_valid(&shape, &result)?;
            let after = owners(&result);
            for (member, partitions) in &after {
                let others = members.iter().filter(|other| other.member_id != *member);
                for other in others {
                    let taken = other
                        .owned_partitions
                        .iter()
                        .find(|owned| partitions.contains(owned));
                    prop_assert_eq!(
                        taken,
                        None,
                        "{} went to {} directly",
                        other.member_id,
                        member
                    );
                }
            }
            let loses = |member: &&MemberSubscription| {
                let given = &after[&member.member_id];
                member
                    .owned_partitions
                    .iter()
                    .any(|owned| !given.contains(owned))
            };
            let mut losers: Vec<MemberId> = members
                .iter()
                .filter(loses)
                .map(|member| member.member_id.clone())
                .collect();
            losers.sort();
            prop_assert_eq!(&result.rejoin, &losers);
            held = after;
            if result.rejoin.is_empty() {
                prop_assert!(
                    result.held_back.is_empty(),
                    "something is withheld and nobody rejoins"
                );
                break;
            }
            if shape.racks && round == 6 {
                // With racks and unequal subscriptions a partition outside its member's rack can go round for ever:
                // each rebalance takes it from its member, and somebody else is next.
                return Ok(());
            }
            prop_assert!(round < 6, "the group does not settle");
        }
        check_balance(&shape, &held)?;
        if !shape.racks && shape.equal_subscriptions() {
            prop_assert_eq!(retained(&before, &held), most_retained(&shape, &before));
        }
    }
    Ok(())
}

/// Server targets as sets.
fn targets_of(targets: &server::Targets) -> BTreeMap<MemberId, BTreeSet<(Uuid, i32)>> {
    let flat = |target: &server::Target| {
        let each = target
            .topics
            .iter()
            .flat_map(|(topic, numbers)| numbers.iter().map(|number| (*topic, *number)));
        each.collect()
    };
    targets
        .iter()
        .map(|(member, target)| (member.clone(), flat(target)))
        .collect()
}

fn check_server_rounds(
    assignor: ServerAssignor,
    mut shape: Shape,
    events: &[Event],
) -> Result<(), TestCaseError> {
    let ids: Vec<Uuid> = (0..4)
        .map(|index| Uuid {
            high: index * 977,
            low: 5 - index * index,
        })
        .collect();
    let mut held: BTreeMap<MemberId, Rc<server::Target>> = BTreeMap::new();
    for event in events {
        shape = shape.after(event);
        let known: Vec<usize> = (0..4)
            .filter(|topic| shape.partitions[*topic] > 0)
            .collect();
        let topic = |topic: &usize| ServerTopic {
            name: TOPICS[*topic].into(),
            partitions: shape.partitions[*topic],
        };
        let topics: SortedMap<Uuid, ServerTopic> = known
            .iter()
            .map(|index| (ids[*index], topic(index)))
            .collect();
        let member = |wish: &Wish, held: &BTreeMap<MemberId, Rc<server::Target>>| {
            let member_id = MemberId::from(member_id(wish.name));
            ServerMember {
                instance_id: wish
                    .is_static
                    .then(|| GroupInstanceId::from(instance_id(wish.name))),
                topic_ids: wish
                    .topics
                    .iter()
                    .filter(|topic| known.contains(topic))
                    .map(|topic| ids[*topic])
                    .collect(),
                target: held.get(&member_id).cloned().unwrap_or_default(),
                member_id,
            }
        };
        let subscription_type = match shape.equal_subscriptions() {
            true => SubscriptionType::Homogeneous,
            false => SubscriptionType::Heterogeneous,
        };
        let run = |held: &BTreeMap<MemberId, Rc<server::Target>>| {
            let members: Vec<ServerMember> =
                shape.wishes.iter().map(|wish| member(wish, held)).collect();
            let spec = GroupSpec {
                members: &members,
                subscription_type,
                topics: &topics,
            };
            server::assign(assignor, &spec, &mut Explain::off()).expect("all topics have metadata")
        };
        let targets = run(&held);
        let sets = targets_of(&targets);
        let mut given: Vec<(Uuid, i32)> = sets.values().flatten().copied().collect();
        given.sort();
        let mut wanted: Vec<(Uuid, i32)> = Vec::new();
        for topic in known
            .iter()
            .filter(|topic| shape.wishes.iter().any(|wish| wish.topics.contains(topic)))
        {
            wanted.extend((0..shape.partitions[*topic]).map(|number| (ids[*topic], number)));
        }
        wanted.sort();
        prop_assert_eq!(given, wanted);
        for wish in &shape.wishes {
            let set = sets
                .get(&MemberId::from(member_id(wish.name)))
                .cloned()
                .unwrap_or_default();
            for (topic, _) in set {
                prop_assert!(wish.topics.iter().any(|wanted| ids[*wanted] == topic));
            }
        }
        if assignor == ServerAssignor::Uniform && shape.equal_subscriptions() && !sets.is_empty() {
            let sizes: Vec<usize> = sets.values().map(BTreeSet::len).collect();
            let (least, most) = (sizes.iter().min(), sizes.iter().max());
            prop_assert!(
                most.zip(least)
                    .is_none_or(|(most, least)| most - least <= 1),
                "{sizes:?}"
            );
        }
        held = targets.iter().cloned().collect();
        prop_assert_eq!(targets_of(&run(&held)), sets, "a stable group moved");
    }
    Ok(())
}

/// Plays the steps of an account and compares what comes out with the result.
fn check_account(steps: &[Step], result: &GroupAssignment) -> Result<(), TestCaseError> {
    let mut owner: BTreeMap<TopicPartition, MemberId> = BTreeMap::new();
    for step in steps {
        match step {
            Step::Keep { partition, member }
            | Step::Give {
                partition, member, ..
            } => {
                let former = owner.insert(partition.clone(), member.clone());
                prop_assert_eq!(former, None, "{} was given twice", partition);
            }
            Step::Move {
                partition,
                from,
                to,
                ..
            } => {
                let former = owner.insert(partition.clone(), to.clone());
                prop_assert_eq!(former.as_ref(), Some(from));
            }
            Step::HoldBack { partition, to } => {
                let former = owner.remove(partition);
                prop_assert_eq!(former.as_ref(), Some(to));
            }
            Step::Restored => return Ok(()),
            Step::Begin(_)
            | Step::Order { .. }
            | Step::Quota { .. }
            | Step::Release { .. }
            | Step::Skip { .. }
            | Step::Fixed { .. } => {}
        }
    }
    let mut wanted = BTreeMap::new();
    for (member, partitions) in owners(result) {
        wanted.extend(
            partitions
                .into_iter()
                .map(|partition| (partition, member.clone())),
        );
    }
    prop_assert_eq!(owner, wanted);
    Ok(())
}

proptest! {
    #[test]
    fn range_is_blocks_per_topic(shape in any_shape()) {
        let result = assigned(&shape, Assignor::Range, &shape.members());
        check_complete_and_valid(&shape, &result)?;
        let plain = range_by_definition(&shape);
        if !shape.racks {
            prop_assert_eq!(owners(&result), plain);
            return Ok(());
        }
        // Racks change who gets what, but of no topic how much more one has than another.
        for topic in TOPICS {
            let sizes = |owned: &Held| {
                let in_topic = |owned: &BTreeSet<TopicPartition>| owned.iter().filter(|p| &*p.topic == topic).count();
                let mut sizes: Vec<usize> = owned.values().map(in_topic).collect();
                sizes.sort_unstable();
                sizes
            };
            prop_assert_eq!(sizes(&owners(&result)), sizes(&plain));
        }
    }

    #[test]
    fn roundrobin_deals_in_a_circle(shape in any_shape()) {
        let result = assigned(&shape, Assignor::RoundRobin, &shape.members());
        check_complete_and_valid(&shape, &result)?;
        let mut circle = shape.static_first().into_iter().cycle();
        let mut dealt: Held = shape.members().into_iter().map(|member| (member.member_id, BTreeSet::new())).collect();
        for partition in shape.wanted() {
            let member = circle.find(|member| member.topics.contains(&partition.topic)).expect("endless");
            dealt.get_mut(&member.member_id).expect("a member").insert(partition);
        }
        prop_assert_eq!(owners(&result), dealt);
    }

    #[test]
    fn sticky_is_even_and_moves_no_more_than_it_must(
        shape in any_shape(),
        events in prop::collection::vec(any_event(), 1..6),
    ) {
        check_sticky_rounds(shape, &events)?;
    }

    #[test]
    fn cooperative_sticky_never_moves_a_partition_that_somebody_holds(
        shape in any_shape(),
        events in prop::collection::vec(any_event(), 1..6),
    ) {
        check_cooperative_rounds(shape, &events)?;
    }

    #[test]
    fn server_assignors_give_everything_once_and_rest(
        shape in any_shape(),
        events in prop::collection::vec(any_event(), 1..6),
        assignor in prop::sample::select(&ServerAssignor::ALL[..]),
    ) {
        check_server_rounds(assignor, shape, &events)?;
    }

    #[test]
    fn the_account_of_an_assignment_leads_to_its_result(
        shape in any_shape(),
        event in any_event(),
        assignor in prop::sample::select(&Assignor::ALL[..]),
    ) {
        let held = owners(&assigned(&shape, assignor, &shape.members()));
        let shape = shape.after(&event);
        let members = rejoin(&shape, assignor, &held, 3);
        let mut explain = Explain::on();
        let result = assign(assignor, &shape.cluster(), &members, &mut explain);
        check_account(explain.steps(), &result.expect("members claim what they were given"))?;
    }

    #[test]
    fn no_claim_makes_an_assignor_panic(
        shape in any_shape(),
        claims in prop::collection::vec((0..6usize, -2..12i32, -1..4i32), 0..30),
        assignor in prop::sample::select(&Assignor::ALL[..]),
        garbage in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let mut members = shape.members();
        for (place, number, generation) in claims {
            let place = place % members.len();
            let member = &mut members[place];
            let topic = TOPICS.get(usize::try_from(number).unwrap_or(0) % 5).copied().unwrap_or("gone");
            member.owned_partitions.push(TopicPartition::new(topic, number));
            member.generation = generation;
            let data = StickyUserData { partitions: member.owned_partitions.clone(), generation: Some(generation) };
            member.user_data = Some(if number == 11 { garbage.as_slice().into() } else { data.encode() });
        }
        members.push(members[0].clone());
        let _ = assign(assignor, &shape.cluster(), &members, &mut Explain::on());
    }
}
