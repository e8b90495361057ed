//! The stage's part of the view.

use super::{Choice, Names, Selection, Sources, keep, keep_list, old_place};
use crate::kafka::broker::{Broker as BrokerMachine, Group as GroupMachine};
use crate::kafka::fact::Why;
use crate::kafka::ids::{ActorName, BrokerId, GroupId, TopicPartition};
use crate::kafka::sorted::{SortedMap, SortedSet, sort_few};
use crate::kafka::time::{Duration, Instant};
use crate::ledger::{GroupLedger, Log, PartitionLedger, Readers};
use crate::session::{Client, Exchange};
use crate::view::lane::Window;
use crate::view::stage::*;
use crate::view::{ApiKey, ErrorCode, GroupState, MemberState, StopCause};
use crate::world::application::Phase as Doing;
use crate::world::setup::ConsumerSpec;
use crate::world::{ActorView, Role};
use std::rc::Rc;

/// How long a flight is drawn at least, in real µs: shorter ones could not be seen.
const FLIGHT_LEAST_US: i64 = 280_000;
/// Above this speed the stream of records is no longer drawn on the wire.
const STREAM_SPEED_MOST: u32 = 2_000;
/// Above this speed neither are heartbeats and commits.
const ROUTINE_SPEED_MOST: u32 = 5_000;
/// Above this speed only errors are.
const GROUP_SPEED_MOST: u32 = 10_000;
/// Tokens with a name at one time.
const TOLD_MOST: usize = 12;
/// Dots of the stream of records at one time.
const STREAM_MOST: usize = 14;
/// How long an error is shown at its client.
const TROUBLE_SHOWN: Duration = Duration::from_ms(2_500);

pub(super) fn build(
    sources: Sources<'_>,
    choice: &Choice,
    names: &Names,
    before: &Rc<Stage>,
) -> Rc<Stage> {
    let stage = Stage {
        producers: keep_list(
            &before.producers,
            |old, new| old.actor == new.actor,
            sources
                .world
                .actors()
                .filter_map(|actor| producer(sources, choice, &actor)),
        ),
        topics: topics(sources, &before.topics),
        brokers: brokers(sources, choice, names, &before.brokers),
        groups: groups(sources, choice, names, &before.groups),
        lone: lone(sources, choice, names, &before.lone),
        tokens: tokens(sources, choice, &before.tokens),
        ownership_revision: sources.sums.scene.ownership_revision,
    };
    keep(before, stage)
}

fn topics(sources: Sources<'_>, before: &Rc<[Topic]>) -> Rc<[Topic]> {
    let topics: Vec<Topic> = sources
        .world
        .cluster()
        .topics
        .iter()
        .filter(|(_, topic)| !topic.is_internal)
        .map(|(name, topic)| Topic {
            name: name.clone(),
            partitions: topic.partitions.len(),
        })
        .collect();
    if **before == *topics {
        before.clone()
    } else {
        topics.into()
    }
}

/// Records per second, with a decimal where there is one.
fn rate_text(every: Duration) -> Rc<str> {
    let tenths = 10_000_000 / every.0.max(1);
    if tenths % 10 == 0 || tenths > 200 {
        (tenths / 10).to_string().into()
    } else {
        format!("{}.{}", tenths / 10, tenths % 10).into()
    }
}

fn producer(sources: Sources<'_>, choice: &Choice, actor: &ActorView<'_>) -> Option<Producer> {
    let source = actor.source()?;
    let client = sources.sums.scene.clients.get(actor.name);
    let produced = client.map(|client| client.produced).unwrap_or_default();
    Some(Producer {
        actor: actor.name.clone(),
        is_client: source.is_client,
        is_running: source.is_running,
        rate: rate_text(source.every),
        record_bytes: source.size_bytes,
        keys: source.keys,
        accumulated: produced.accumulated,
        in_flight: produced.in_flight,
        acknowledged: produced.acknowledged,
        failed: produced.failed,
        is_selected: choice.selection == Some(Selection::Client(actor.name.clone())),
    })
}

fn brokers(
    sources: Sources<'_>,
    choice: &Choice,
    names: &Names,
    before: &Rc<[Rc<Broker>]>,
) -> Rc<[Rc<Broker>]> {
    let none: Rc<[Rc<Lane>]> = Rc::new([]);
    let topics = sources.world.cluster().topics.values();
    let partitions = topics
        .filter(|topic| !topic.is_internal)
        .map(|topic| topic.partitions.len());
    let is_dense = partitions.sum::<usize>() > LANES_MOST;
    keep_list(
        before,
        |old, new| old.id == new.id,
        sources.world.brokers().map(|(id, machine)| {
            let old = before.iter().find(|broker| broker.id == id);
            let old_lanes = old.map_or(&none, |broker| &broker.lanes);
            Broker {
                id,
                coordinates: machine.groups().map(|group| group.id().clone()).collect(),
                lanes: lanes(sources, choice, names, (id, is_dense), old_lanes),
                cells: match is_dense {
                    true => cells(sources, choice, names, id, old),
                    false => Rc::new([]),
                },
                is_selected: choice.selection == Some(Selection::Broker(id)),
            }
        }),
    )
}

/// The partitions that a broker leads.
fn led(sources: Sources<'_>, broker: BrokerId) -> impl Iterator<Item = TopicPartition> {
    let topics = sources.world.cluster().topics.iter();
    topics
        .filter(|(_, topic)| !topic.is_internal)
        .flat_map(move |(name, topic)| {
            let partitions = (0_i32..).zip(&topic.partitions);
            partitions
                .filter(move |(_, partition)| partition.leader == Some(broker))
                .map(|(number, _)| TopicPartition::new(name.clone(), number))
        })
}

/// Whose the partitions are that a broker leads.
fn cells(
    sources: Sources<'_>,
    choice: &Choice,
    names: &Names,
    broker: BrokerId,
    before: Option<&Rc<Broker>>,
) -> Rc<[Cell]> {
    let group = sources.readers(choice).map(|(_, ledger)| ledger);
    let cell = |partition: TopicPartition| {
        let entry = group.and_then(|group| group.partition(&partition));
        let holder = entry.and_then(|entry| entry.ownership.owner());
        let holder = holder.map(|holding| &holding.member.actor);
        Cell {
            holder: holder.cloned(),
            owner: holder.and_then(|holder| names.owners.get(holder).copied()),
            is_selected: matches!(&choice.selection, Some(Selection::Partition(chosen)) if *chosen == partition),
            partition,
        }
    };
    let cells: Vec<Cell> = led(sources, broker).map(cell).collect();
    match before {
        Some(before) if *before.cells == *cells => before.cells.clone(),
        _ => cells.into(),
    }
}

/// The lanes of a broker. Of many partitions only the chosen one has one.
fn lanes(
    sources: Sources<'_>,
    choice: &Choice,
    names: &Names,
    (broker, is_dense): (BrokerId, bool),
    before: &Rc<[Rc<Lane>]>,
) -> Rc<[Rc<Lane>]> {
    let led = led(sources, broker).filter(|partition| match &choice.selection {
        Some(Selection::Partition(chosen)) if is_dense => chosen == partition,
        _ => !is_dense,
    });
    keep_list(
        before,
        |old, new| old.partition == new.partition,
        led.enumerate().map(|(place, partition)| {
            let old = old_place(before, place, |lane| lane.partition == partition);
            lane(
                sources,
                choice,
                names,
                partition,
                old.map(|lane| lane.window.width),
            )
        }),
    )
}

fn lane(
    sources: Sources<'_>,
    choice: &Choice,
    names: &Names,
    partition: TopicPartition,
    width: Option<i64>,
) -> Lane {
    let log = sources.sums.ledger.log(&partition);
    let of = |offset: fn(&Log) -> i64| log.map_or(0, offset);
    let log_end = of(|log| log.end.0);
    let log_start = of(|log| log.start.0);
    let marks: Rc<[Mark]> = marks(sources, choice, names, &partition);
    let oldest = marks
        .iter()
        .filter_map(|mark| mark.committed.or(mark.position))
        .min()
        .unwrap_or(log_start.max(log_end - 20));
    Lane {
        label: names.label(&partition),
        window: Window::fit(log_end, oldest.max(log_start), width),
        log_start,
        high_watermark: of(|log| log.high_watermark.0),
        log_end,
        marks,
        is_selected: choice.selection == Some(Selection::Partition(partition.clone())),
        partition,
    }
}

/// Where the groups stand, the one that is looked at first.
fn marks(
    sources: Sources<'_>,
    choice: &Choice,
    names: &Names,
    partition: &TopicPartition,
) -> Rc<[Mark]> {
    let first = sources.readers(choice).map(|(readers, _)| readers);
    let mut marks: Vec<Mark> = sources
        .sums
        .ledger
        .shares()
        .filter_map(|(readers, ledger)| {
            let entry = ledger.partition(partition)?;
            let reading = entry.deliveries.owner();
            Some(Mark {
                readers: readers.clone(),
                owner: entry
                    .ownership
                    .owner()
                    .and_then(|holding| names.owners.get(&holding.member.actor).copied()),
                position: reading
                    .and_then(|reading| reading.position)
                    .map(|offset| offset.0),
                committed: entry.deliveries.committed().map(|offset| offset.0),
            })
        })
        .collect();
    let is_first = |mark: &Mark| Some(&mark.readers) == first.as_ref();
    sort_few(&mut marks, |left, right| is_first(left) && !is_first(right));
    marks.into()
}

/// The coordinator of a group: the broker that has it.
fn coordinator<'a>(
    sources: Sources<'a>,
    group: &GroupId,
) -> Option<(BrokerId, &'a BrokerMachine, &'a GroupMachine)> {
    sources
        .world
        .brokers()
        .find_map(|(id, broker)| Some((id, broker, broker.group(group)?)))
}

fn groups(
    sources: Sources<'_>,
    choice: &Choice,
    names: &Names,
    before: &Rc<[Rc<Group>]>,
) -> Rc<[Rc<Group>]> {
    let ids: SortedSet<GroupId> = sources
        .world
        .actors()
        .filter_map(|actor| group_of(&actor))
        .chain(sources.sums.ledger.groups().map(|(group, _)| group.clone()))
        .collect();
    keep_list(
        before,
        |old, new| old.id == new.id,
        ids.into_iter().map(|id| {
            let old = before.iter().find(|group| group.id == id);
            group(sources, choice, names, id, old)
        }),
    )
}

/// Consumers without a group.
fn lone(
    sources: Sources<'_>,
    choice: &Choice,
    names: &Names,
    before: &Rc<[Rc<Member>]>,
) -> Rc<[Rc<Member>]> {
    keep_list(
        before,
        |old, new| old.actor == new.actor,
        sources
            .world
            .actors()
            .filter(|actor| group_of(actor).is_none())
            .filter_map(|actor| {
                let readers = Readers::Lone(actor.name.clone());
                let share = sources.sums.ledger.share(&readers);
                let mut held = share.map_or_else(SortedMap::new, |share| chips(names, share));
                let chips = held.remove(actor.name).unwrap_or_default();
                member(sources, choice, names, None, (&actor, chips))
            }),
    )
}

/// The group that a consumer is configured for.
fn group_of(actor: &ActorView<'_>) -> Option<GroupId> {
    match &actor.role {
        Role::Consumer { config, .. } => config.group_id.clone(),
        Role::Stopped { spec } => spec_config(spec, "group.id")
            .filter(|id| !id.is_empty())
            .map(|id| GroupId::from(&*id)),
        Role::Feed { .. } | Role::Producer { .. } => None,
    }
}

fn spec_config(spec: &ConsumerSpec, name: &str) -> Option<Rc<str>> {
    spec.configs.get(name).cloned()
}

fn group(
    sources: Sources<'_>,
    choice: &Choice,
    names: &Names,
    id: GroupId,
    before: Option<&Rc<Group>>,
) -> Group {
    let found = coordinator(sources, &id);
    let machine = found.map(|found| found.2);
    let ledger = sources.sums.ledger.group(&id);
    let mut held = ledger.map_or_else(SortedMap::new, |ledger| chips(names, ledger));
    let none: Rc<[Rc<Member>]> = Rc::new([]);
    Group {
        state: machine.map_or(GroupState::Empty, GroupMachine::state),
        generation: machine.map_or(0, |group| group.generation().0),
        assignor: machine.and_then(GroupMachine::protocol).cloned(),
        coordinator: found.map(|found| found.0),
        wait: found.and_then(|(_, broker, group)| wait(sources.now(), broker, group)),
        members: keep_list(
            before.map_or(&none, |group| &group.members),
            |old, new| old.actor == new.actor,
            sources
                .world
                .actors()
                .filter(|actor| group_of(actor).as_ref() == Some(&id))
                .filter_map(|actor| {
                    let chips = held.remove(actor.name).unwrap_or_default();
                    member(sources, choice, names, Some(&id), (&actor, chips))
                }),
        ),
        unowned: ledger.map_or_else(
            || Rc::new([]) as Rc<[Unowned]>,
            |ledger| unowned(sources.now(), names, ledger),
        ),
        partitions: ledger.map_or(0, |ledger| ledger.partitions().count()),
        label_letters: ledger.map_or(0, |ledger| label_letters(names, ledger)),
        duplicates: ledger.map_or(0, |ledger| {
            let of = |entry: &PartitionLedger| entry.deliveries.duplicates().deliveries();
            i64::try_from(ledger.sum(of)).unwrap_or(i64::MAX)
        }),
        is_selected: choice.selection == Some(Selection::Group(id.clone())),
        id,
    }
}

/// What the coordinator waits for at most until when.
fn wait(now: Instant, broker: &BrokerMachine, group: &GroupMachine) -> Option<Countdown> {
    let to = broker
        .timers()
        .find(|(_, why)| match why {
            Why::InitialDelay(id) | Why::RebalanceTimeout(id) | Why::SyncTimeout(id) => {
                id == group.id()
            }
            _ => false,
        })?
        .0;
    Some(Countdown::at(now, group.state_since(), to))
}

/// A partition is told by a number of up to three digits, behind its topic's name if there are several topics.
fn label_letters(names: &Names, ledger: &GroupLedger) -> usize {
    const DIGITS: usize = 3;
    if names.has_one_topic {
        return DIGITS;
    }
    let topics = ledger.topics().iter();
    let longest = topics.map(|topic| topic.as_str().chars().count()).max();
    longest.map_or(DIGITS, |longest| longest + 1 + DIGITS)
}

fn unowned(now: Instant, names: &Names, ledger: &GroupLedger) -> Rc<[Unowned]> {
    ledger
        .partitions()
        .filter_map(|(partition, entry)| {
            let unowned = entry.ownership.unowned_now()?;
            Some(Unowned {
                label: names.label(partition),
                partition: partition.clone(),
                since: unowned.since,
                cause: unowned.cause,
                waited_tenths: (now - unowned.since).0 / 100_000,
            })
        })
        .collect()
}

fn member(
    sources: Sources<'_>,
    choice: &Choice,
    names: &Names,
    group: Option<&GroupId>,
    (actor, chips): (&ActorView<'_>, Vec<Chip>),
) -> Option<Member> {
    let owner = *names.owners.get(actor.name)?;
    let client = sources.sums.scene.clients.get(actor.name);
    let found = group.and_then(|group| coordinator(sources, group));
    // After its end a process is known to the coordinator by the id that it had last.
    let membership = client.and_then(|client| client.membership.clone());
    let member_id = membership
        .as_ref()
        .map(|member| member.member_id.clone())
        .unwrap_or_default();
    let seat = found.and_then(|(_, _, machine)| machine.member(&member_id));
    let (client_id, instance_id) = match &actor.role {
        Role::Consumer { config, .. } => (
            Rc::from(config.client_id.as_str()),
            config
                .group_instance_id
                .as_ref()
                .map(|id| Rc::from(id.as_str())),
        ),
        Role::Stopped { spec } => (
            spec_config(spec, "client.id").unwrap_or_else(|| actor.name.as_str().into()),
            spec_config(spec, "group.instance.id").filter(|id| !id.is_empty()),
        ),
        Role::Feed { .. } | Role::Producer { .. } => return None,
    };
    Some(Member {
        owner,
        client_id,
        member_id: member_id.as_str().into(),
        instance_id,
        is_leader: found.is_some_and(|(_, _, machine)| machine.leader() == Some(&member_id)),
        is_known: seat.is_some(),
        life: life(actor, client.map(|client| &**client)),
        state: client.map_or(MemberState::Unjoined, |client| client.state),
        phase: phase(actor, client.map(|client| &**client)),
        session: seat.zip(found).and_then(|(seat, (_, broker, _))| {
            let to = broker.session_deadline(group?, &member_id)?;
            let length = Duration::from_ms(i64::from(seat.session_timeout_ms()));
            Some(Countdown::at(sources.now(), Instant(to.0 - length.0), to))
        }),
        poll_interval: poll_interval(sources.now(), actor),
        partitions: chips.into(),
        trouble: client
            .and_then(|client| trouble(sources.now(), client))
            .filter(|trouble| !is_over(trouble, found.map(|found| found.2.state()))),
        thrown: client
            .filter(|client| client.ended == Some(StopCause::Failed))
            .and_then(|client| client.thrown.clone()),
        removed: client.and_then(|client| client.removed),
        is_selected: choice.selection == Some(Selection::Client(actor.name.clone())),
        actor: actor.name.clone(),
    })
}

fn life(actor: &ActorView<'_>, client: Option<&Client>) -> Life {
    match &actor.role {
        Role::Consumer { .. } if actor.is_frozen => Life::Frozen,
        Role::Consumer {
            is_closing: true, ..
        } => Life::Closing,
        Role::Consumer { .. } => Life::Running,
        Role::Stopped { .. } | Role::Feed { .. } | Role::Producer { .. } => Life::Stopped(
            client
                .and_then(|client| client.ended)
                .unwrap_or(StopCause::Closed),
        ),
    }
}

fn phase(actor: &ActorView<'_>, client: Option<&Client>) -> Phase {
    let Role::Consumer { phase, .. } = &actor.role else {
        return Phase::Idle;
    };
    let is_joining = client.is_some_and(|client| {
        matches!(
            client.state,
            MemberState::PreparingRebalance | MemberState::CompletingRebalance
        )
    });
    match phase {
        Doing::Polling if is_joining => Phase::Joining,
        Doing::Polling | Doing::Starting => Phase::Polling,
        Doing::Processing => Phase::Processing,
        Doing::Committing => Phase::Committing,
        Doing::InCallback => Phase::Callback,
        Doing::Closing => Phase::Closing,
        Doing::Away | Doing::BetweenPolls | Doing::Ended => Phase::Idle,
    }
}

fn poll_interval(now: Instant, actor: &ActorView<'_>) -> Option<Countdown> {
    let Role::Consumer {
        config, consumer, ..
    } = &actor.role
    else {
        return None;
    };
    let to = consumer.max_poll_deadline()?;
    let length = Duration::from_ms(i64::from(config.max_poll_interval_ms));
    Some(Countdown::at(now, Instant(to.0 - length.0), to))
}

/// What everybody holds.
fn chips<'a>(names: &Names, ledger: &'a GroupLedger) -> SortedMap<&'a ActorName, Vec<Chip>> {
    let mut chips: SortedMap<&ActorName, Vec<Chip>> = SortedMap::new();
    for (partition, entry) in ledger.partitions() {
        for holding in entry.ownership.holders() {
            let held = chips.entry(&holding.member.actor).or_default();
            if held.last().is_some_and(|last| last.partition == *partition) {
                continue;
            }
            held.push(Chip {
                partition: partition.clone(),
                label: names.label(partition),
                duplicates: entry.deliveries.duplicates().deliveries(),
            });
        }
    }
    chips
}

fn trouble(now: Instant, client: &Client) -> Option<Trouble> {
    let (at, api, error) = client.trouble?;
    // With 79 the coordinator gives a newcomer its id: a step of every join, not a failure.
    let is_step = error == ErrorCode::MemberIdRequired;
    (!is_step && now - at < TROUBLE_SHOWN).then_some(Trouble { error, api, at })
}

/// Who was told of a rebalance is told no more once it is over, even if its share is still on the way.
fn is_over(trouble: &Trouble, state: Option<GroupState>) -> bool {
    trouble.error == ErrorCode::RebalanceInProgress && state == Some(GroupState::Stable)
}

/// What is on the wire, thinned out as time runs faster.
fn tokens(sources: Sources<'_>, choice: &Choice, before: &Rc<[Token]>) -> Rc<[Token]> {
    let now = sources.now();
    let least = Duration(FLIGHT_LEAST_US.saturating_mul(i64::from(choice.speed_milli)) / 1_000);
    let on_wire = || {
        let exchanges = sources.sums.scene.exchanges.iter().rev();
        exchanges
            .flat_map(|(number, exchange)| flights(*number, exchange, least))
            .filter(|token| token.departs <= now && now < token.arrives)
            .filter(|token| is_drawn(token, choice.speed_milli))
    };
    let is_told = |token: &Token| token.is_group_traffic() || !token.error.is_none();
    let told = on_wire().filter(is_told).take(TOLD_MOST);
    let stream = on_wire().filter(|token| !is_told(token)).take(STREAM_MOST);
    let mut tokens: Vec<Token> = told.chain(stream).collect();
    let place = |token: &Token| (token.exchange, token.is_response);
    sort_few(&mut tokens, |left, right| place(left) < place(right));
    if **before == *tokens {
        before.clone()
    } else {
        tokens.into()
    }
}

fn is_drawn(token: &Token, speed_milli: u32) -> bool {
    if !token.error.is_none() {
        return true;
    }
    let most = match token.api {
        _ if !token.is_group_traffic() => STREAM_SPEED_MOST,
        ApiKey::JoinGroup | ApiKey::SyncGroup | ApiKey::LeaveGroup => GROUP_SPEED_MOST,
        _ => ROUTINE_SPEED_MOST,
    };
    speed_milli <= most
}

/// A request and its answer as tokens.
fn flights(number: u64, exchange: &Exchange, least: Duration) -> Vec<Token> {
    let client = Party::Client(exchange.client.clone());
    let broker = Party::Broker(exchange.broker);
    let token = |is_response: bool, error: ErrorCode, (departs, arrives): (Instant, Instant)| {
        let (from, to) = if is_response {
            (broker.clone(), client.clone())
        } else {
            (client.clone(), broker.clone())
        };
        Token {
            exchange: number,
            is_response,
            api: exchange.api,
            error,
            from,
            to,
            departs,
            arrives: arrives.max(departs + least),
        }
    };
    let mut flights = vec![token(false, ErrorCode::None, exchange.request)];
    if let Some((departs, arrives, error)) = exchange.response {
        flights.push(token(true, error, (departs, arrives)));
    }
    flights
}
