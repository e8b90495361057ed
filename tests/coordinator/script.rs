//! Short scripts for the tables of rules: requests with their answers, and what the group is like then.
//!
//! A line is one of
//! - `set key=value ...`: settings, before all else;
//! - `use NAME`: a group that exists, see [`preset`];
//! - `TIME CONNECTION VERB key=value ... => ANSWERS`: a request after the timers of that time have fired;
//! - `TIME => ANSWERS`: timers alone;
//! - `TIME ? key=value ...`: what is to be seen; a deadline that is not there is `-`;
//! - `TIME CONNECTION close`; `TIME topics NAME ...`: the topics that there are from then on.
//!
//! Times are milliseconds. ANSWERS are all answers since the line before, in order, with ` | ` between them,
//! or `-`. One that was given at another time than the line's has `@TIME`. The group is `g`; ids for
//! connection `a` are `a1`, `a2` ... in order; `t0` is partition 0 of topic `t`.

use crate::bench::{Answered, Bench, cluster, settings};
use crate::words::{Words, answer, partition, request};
use regroup::kafka::api::RequestHeader;
use regroup::kafka::broker::{
    Broker, BrokerSettings, CommittedOffset, CoordinatorKind, Coverage, GroupPreset, MemberPreset,
};
use regroup::kafka::config::BrokerConfig;
use regroup::kafka::fact::Why;
use regroup::kafka::ids::{
    BrokerId, ClientId, ConnectionId, Generation, GroupId, MemberId, Offset,
};
use regroup::kafka::time::{Duration, Instant};
use std::rc::Rc;

const CONNECTIONS: &str = "abcdef";

/// Plays a script. Gives the bench, for what a line cannot say.
pub fn check(script: &str) -> Bench {
    let lines = script
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    let head = lines.iter().take_while(|line| !starts_with_digit(line));
    let (mut settings, mut presets, mut coordinator) = (settings(), Vec::new(), BrokerId(1));
    for line in head {
        let words = Words::new(line.split_once(' ').map_or("", |(_, rest)| rest));
        match line.split_once(' ') {
            Some(("set", _)) => {
                if words.has("elsewhere") {
                    coordinator = BrokerId(2);
                }
                set(&mut settings, &words);
            }
            Some(("use", name)) => presets.push(preset(name)),
            _ => panic!("{line}"),
        }
    }
    give_ids(&mut settings, &presets);
    let mut bench = Bench::new(settings, cluster(&["t", "u"], coordinator));
    for preset in presets {
        bench.act(Instant::ZERO, |broker, journal| {
            broker.install_group(preset, journal);
        });
    }
    for (number, line) in lines
        .iter()
        .enumerate()
        .filter(|(_, l)| starts_with_digit(l))
    {
        play(&mut bench, i32::try_from(number).expect("a line"), line);
    }
    bench
}

/// Which pairs of state and event a script reaches.
pub fn coverage(script: &str) -> Coverage {
    *check(script).broker.coverage()
}

fn starts_with_digit(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_digit())
}

fn set(settings: &mut BrokerSettings, words: &Words) {
    let duration = |key| Duration::from_ms(words.number(key, 0));
    settings.group_append = duration("append");
    settings.offset_append = duration("offset_append");
    if words.has("scala") {
        settings.coordinator = CoordinatorKind::Scala;
    }
    let default = BrokerConfig::default();
    let int = |key, default: i32| i32::try_from(words.number(key, default.into())).expect(key);
    settings.config = Rc::new(BrokerConfig {
        group_initial_rebalance_delay_ms: int("delay", default.group_initial_rebalance_delay_ms),
        group_max_size: int("max_size", default.group_max_size),
        group_coordinator_append_linger_ms: int("linger", 0),
        offsets_retention_minutes: int("retention", default.offsets_retention_minutes),
        offset_metadata_max_bytes: int("metadata", default.offset_metadata_max_bytes),
        ..default
    });
}

/// Groups of generation 5, assignor `range`, last heard of at 0: `stable` (a1, the leader, and b1), `static`
/// (the same with instances i1 and i2), `ordered` (the same, listed after b1 and c1), `alone` (a1), `empty`,
/// `simple` (offsets only).
fn preset(name: &str) -> GroupPreset {
    let member = |id: &str, instance: Option<&str>, share: &str| MemberPreset {
        member_id: id.into(),
        group_instance_id: instance.map(Into::into),
        client_id: id[..1].into(),
        client_host: "host".into(),
        session_timeout_ms: 6_000,
        rebalance_timeout_ms: 10_000,
        protocols: crate::words::protocols("range"),
        assignment: crate::words::assignment(share),
        last_heartbeat: Instant::ZERO,
    };
    let members = match name {
        "stable" | "ordered" => vec![member("a1", None, "t0.t1"), member("b1", None, "t2.t3")],
        "static" => vec![
            member("a1", Some("i1"), "t0.t1"),
            member("b1", Some("i2"), "t2.t3"),
        ],
        "alone" => vec![member("a1", None, "t0.t1.t2.t3")],
        "empty" | "simple" => Vec::new(),
        _ => panic!("{name}"),
    };
    let offset = |text: &str| {
        let committed = CommittedOffset {
            offset: Offset(3),
            leader_epoch: -1,
            metadata: "".into(),
            committed_at: Instant::ZERO,
            expires_at: None,
        };
        (partition(text), committed)
    };
    GroupPreset {
        group: "g".into(),
        since: Instant::ZERO,
        generation: Generation(5),
        protocol_type: (name != "simple").then(|| "consumer".into()),
        protocol: (!members.is_empty()).then(|| "range".into()),
        leader: None,
        members,
        member_order: match name {
            "ordered" => vec!["b1".into(), "c1".into(), "a1".into()],
            _ => Vec::new(),
        },
        offsets: match name {
            "empty" | "simple" => vec![offset("t0"), offset("u0")],
            _ => Vec::new(),
        },
    }
}

fn give_ids(settings: &mut BrokerSettings, presets: &[GroupPreset]) {
    let members = presets.iter().flat_map(|preset| &preset.members);
    let taken: Vec<&MemberId> = members.map(|member| &member.member_id).collect();
    for connection in CONNECTIONS.chars() {
        let ids = (1..9).map(|number| MemberId::from(format!("{connection}{number}")));
        let ids = ids.filter(|id| !taken.contains(&id)).collect();
        settings
            .member_ids
            .insert(ClientId::from(connection.to_string()), ids);
    }
}

fn connection(name: &str) -> Option<ConnectionId> {
    let index = CONNECTIONS.find(name)?;
    Some(ConnectionId(u64::try_from(index).ok()?))
}

fn play(bench: &mut Bench, number: i32, line: &str) {
    let (time, rest) = line.split_once(' ').expect("a time");
    let at = Instant::from_ms(time.parse().expect("a time"));
    bench.run_until(at);
    let (what, expected) = match rest.split_once("=>") {
        Some((what, expected)) => (what.trim(), Some(expected.trim())),
        None => (rest.trim(), None),
    };
    match what.split_once(' ') {
        Some(("?", checks)) => return look(&bench.broker, line, &Words::new(checks)),
        Some(("topics", names)) => {
            let names: Vec<&str> = names.split(' ').collect();
            let cluster = cluster(&names, BrokerId(1));
            bench.act(at, |broker, journal| {
                broker.set_cluster(cluster, journal, &mut Vec::new());
            });
        }
        Some((name, "close")) => {
            let connection = connection(name).expect("a connection");
            bench.act(at, |broker, _| broker.disconnect(connection));
        }
        Some((name, asked)) => {
            let words = Words::new(asked);
            let (version, request) = request(&words);
            let header = RequestHeader {
                api_version: version,
                correlation_id: number,
                client_id: Some(name.into()),
            };
            let connection = connection(name).expect("a connection");
            bench.request(at, connection, header, request);
        }
        None => assert!(what.is_empty(), "{line}"),
    }
    let answers = bench.take_answers();
    assert!(
        answers.is_empty() || expected.is_some(),
        "{line}: an answer"
    );
    if let Some(expected) = expected {
        assert_eq!(said(&answers, at), expected, "{line}");
    }
}

/// Answers in the words of a script.
fn said(answers: &[Answered], at: Instant) -> String {
    let said = answers.iter().map(|given| {
        let index = usize::try_from(given.connection.0).expect("a connection");
        let name = &CONNECTIONS[index..=index];
        let when = match given.at == at {
            true => String::new(),
            false => format!("@{}", given.at),
        };
        let text = format!("{name}{when}: {}", answer(&given.response));
        text.trim_end().to_owned()
    });
    let said: Vec<String> = said.collect();
    match said.is_empty() {
        true => "-".to_owned(),
        false => said.join(" | "),
    }
}

/// Holds what is to be seen against what is.
fn look(broker: &Broker, line: &str, checks: &Words) {
    let id = GroupId::from("g");
    let timer = |why: Why| {
        let deadline = broker.timers().find(|(_, name)| *name == why);
        deadline.map_or("-".to_owned(), |(at, _)| at.to_string())
    };
    for (key, expected) in checks.pairs() {
        let Some(group) = broker.group(&id) else {
            assert_eq!((key, expected), ("group", "gone"), "{line}");
            continue;
        };
        let members = |filter: fn(&regroup::kafka::broker::Member) -> bool| {
            let ids = group.members().filter(|member| filter(member));
            let ids: Vec<&str> = ids.map(|member| member.id().as_str()).collect();
            ids.join(",")
        };
        let ids = |ids: &regroup::kafka::sorted::SortedSet<MemberId>| {
            let ids: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
            ids.join(",")
        };
        let seen = match key {
            "state" => group.state().name().to_owned(),
            "gen" => group.generation().0.to_string(),
            "leader" => group.leader().map_or(String::new(), |id| id.to_string()),
            "protocol" => group
                .protocol()
                .map_or(String::new(), |name| name.to_string()),
            "members" => members(|_| true),
            "joined" => members(|member| member.is_awaiting_join()),
            "syncing" => members(|member| member.is_awaiting_sync()),
            "new" => members(|member| member.is_new()),
            "pending" => ids(group.pending_joins()),
            "unsynced" => ids(group.pending_syncs()),
            "initial" => timer(Why::InitialDelay(id.clone())),
            "rebalance" => timer(Why::RebalanceTimeout(id.clone())),
            "sync" => timer(Why::SyncTimeout(id.clone())),
            _ => match key.split_once('.') {
                Some(("session", member)) => timer(Why::SessionTimeout(id.clone(), member.into())),
                Some(("at", of)) => broker
                    .committed(&id, &partition(of))
                    .map_or("-".to_owned(), |committed| committed.offset.0.to_string()),
                _ => panic!("{line}: {key}"),
            },
        };
        assert_eq!(seen, expected, "{line}: {key}");
    }
}
