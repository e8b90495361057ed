//! Requests without sense, from connections that come and go: the coordinator never panics, answers each at
//! most once and in order, and its state always holds together.

use crate::bench::{Bench, cluster, settings};
use crate::words::{Words, request};
use regroup::kafka::api::{RequestHeader, Response};
use regroup::kafka::broker::{Broker, CoordinatorKind, Coverage, Group};
use regroup::kafka::chance::Chance;
use regroup::kafka::fact::{Fact, GroupState, Why};
use regroup::kafka::ids::{BrokerId, ConnectionId, MemberId};
use regroup::kafka::time::{Duration, Instant};
use std::collections::{BTreeMap, BTreeSet};

const RUNS: u64 = 400;
const STEPS: u32 = 150;
const SLOTS: u32 = 6;

/// One run: what is known about the ids, and which connections there are.
struct Run {
    chance: Chance,
    bench: Bench,
    ids: Vec<MemberId>,
    connections: Vec<u64>,
    last_connection: u64,
    last_answered: BTreeMap<ConnectionId, i32>,
    script: Vec<String>,
}

impl Run {
    fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed, "requests without sense");
        let mut settings = settings();
        let appends = [0, 0, 7, 30];
        let mut append = || Duration::from_ms(appends[chance.below(4) as usize]);
        settings.group_append = append();
        settings.offset_append = append();
        settings.seed = seed;
        if chance.below(3) == 0 {
            settings.coordinator = CoordinatorKind::Scala;
        }
        let mut config = (*settings.config).clone();
        config.group_max_size = [i32::MAX, 3, 1][chance.below(3) as usize];
        config.group_coordinator_append_linger_ms = [0, 5][chance.below(2) as usize];
        config.offsets_retention_minutes = 1;
        config.offsets_retention_check_interval_ms = 30_000;
        settings.config = config.into();
        Self {
            chance,
            bench: Bench::new(settings, cluster(&["t", "u"], BrokerId(1))),
            ids: vec!["x1".into()],
            connections: (0..u64::from(SLOTS)).collect(),
            last_connection: u64::from(SLOTS),
            last_answered: BTreeMap::new(),
            script: Vec::new(),
        }
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self
            .chance
            .below(u32::try_from(words.len()).expect("few words")) as usize]
    }

    fn id(&mut self) -> String {
        // Mostly somebody who is there, sometimes anybody who ever was.
        let group = self.bench.broker.group(&"g".into());
        let there: Vec<MemberId> = group.map_or(Vec::new(), |group| {
            let members = group.members().map(|member| member.id().clone());
            members
                .chain(group.pending_joins().iter().cloned())
                .collect()
        });
        let from = match there.is_empty() || self.chance.below(8) == 0 {
            true => self.ids.clone(),
            false => there,
        };
        let index = self
            .chance
            .below(u32::try_from(from.len()).expect("few ids"));
        from[index as usize].to_string()
    }

    fn generation(&mut self) -> i32 {
        let group = self.bench.broker.group(&"g".into());
        let generation = group.map_or(0, |group| group.generation().0);
        match self.chance.below(10) {
            0 => generation - 1,
            1 => -1,
            2 => i32::MIN,
            _ => generation,
        }
    }

    fn asked(&mut self) -> String {
        let (id, generation) = (self.id(), self.generation());
        let instance = self.pick(&["", "", "", " inst=i1", " inst=i2", " inst=i3"]);
        match self.chance.below(14) {
            12 => format!("join id={id}"),
            13 => format!("beat id={id} gen={generation}"),
            0 => format!("join v={}{instance}", self.pick(&["9", "8", "5", "3"])),
            1 => "join".to_owned(),
            2..=4 => {
                let with = self.pick(&["range", "range", "range:u", "range,sticky", "sticky", ""]);
                let rebalance = self.pick(&["10000", "10000", "10000", "300", "-5", "2147483647"]);
                format!("join id={id} with={with} rebalance={rebalance}")
            }
            5 => format!("join id={id}{instance} session=6000"),
            6 | 7 => {
                let protocol = self.pick(&["", "", "", " protocol=x"]);
                format!("sync id={id} gen={generation} give={id}:t0{protocol}{instance}")
            }
            8 => format!("beat id={id} gen={generation}{instance}"),
            9 => {
                let version = self.pick(&["5", "5", "1"]);
                let who = match self.chance.below(4) {
                    0 => "/i1,/i2".to_owned(),
                    1 => format!("{id}/i1"),
                    _ => id,
                };
                format!("leave v={version} who={who}")
            }
            10 => {
                let at = self.pick(&["t0:7", "u0:-1", "t0:1,x0:1"]);
                format!("commit id={id} gen={generation} at={at}{instance}")
            }
            _ => format!("fetch{}", self.pick(&[" all", " stable", ""])),
        }
    }

    fn step(&mut self, now: &mut Instant, number: i32) {
        let pause = self.pick(&["0", "0", "1", "10", "500", "3000", "9000"]);
        *now += Duration::from_ms(pause.parse().expect("a number"));
        self.bench.run_until(*now);
        self.look();
        let slot = self.chance.below(SLOTS) as usize;
        let connection = ConnectionId(self.connections[slot]);
        if self.chance.below(12) == 0 {
            self.script.push(format!("{now} {connection:?} close"));
            self.bench
                .act(*now, |broker, _| broker.disconnect(connection));
            self.last_connection += 1;
            self.connections[slot] = self.last_connection;
            return;
        }
        let asked = self.asked();
        self.script.push(format!("{now} {connection:?} {asked}"));
        let (api_version, request) = request(&Words::new(&asked));
        let header = RequestHeader {
            api_version,
            correlation_id: number,
            client_id: Some("c".into()),
        };
        self.bench.request(*now, connection, header, request);
        self.look();
    }

    /// Holds the answers and the group together.
    fn look(&mut self) {
        for given in self.bench.take_answers() {
            if let Response::JoinGroup(response) = &given.response {
                self.ids.push(response.member_id.clone());
            }
            let last = self
                .last_answered
                .insert(given.connection, given.correlation_id);
            assert!(last < Some(given.correlation_id), "answers keep the order");
        }
        for group in self.bench.broker.groups() {
            holds_together(&self.bench.broker, group);
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.script.join("\n"));
        }
    }
}

fn holds_together(broker: &Broker, group: &Group) {
    let ids: BTreeSet<&MemberId> = group.members().map(|member| member.id()).collect();
    let statics: Vec<_> = group
        .members()
        .filter_map(|m| m.group_instance_id())
        .collect();
    let instances: BTreeSet<_> = statics.iter().collect();
    assert_eq!(statics.len(), instances.len(), "an instance is one member");
    assert_eq!(
        group.leader().is_some(),
        !ids.is_empty(),
        "members have a leader"
    );
    assert!(
        group.leader().is_none_or(|leader| ids.contains(leader)),
        "a member leads"
    );
    assert!(
        group.pending_joins().iter().all(|id| !ids.contains(id)),
        "pending is no member"
    );
    let runs = |why: Why| broker.timers().any(|(_, timer)| timer == why);
    let is_preparing = group.state() == GroupState::PreparingRebalance;
    let join_timers = [
        runs(Why::InitialDelay(group.id().clone())),
        runs(Why::RebalanceTimeout(group.id().clone())),
    ];
    assert_eq!(
        is_preparing,
        join_timers.contains(&true),
        "a join phase ends by itself"
    );
    assert_ne!(join_timers, [true, true], "one timer ends a join phase");
    if group.state() == GroupState::Empty {
        assert!(ids.is_empty(), "Empty has no members");
    }
    for member in group.members() {
        let waits = member.is_awaiting_join() || member.is_awaiting_sync();
        let session = broker.session_deadline(group.id(), member.id());
        assert!(waits || session.is_some(), "silence of a member ends");
        let may_join = is_preparing || group.is_writing();
        assert!(
            !member.is_awaiting_join() || may_join,
            "joins wait for the join phase"
        );
        let may_sync = group.state() == GroupState::CompletingRebalance;
        assert!(
            !member.is_awaiting_sync() || may_sync,
            "syncs wait for the leader"
        );
        assert!(
            !member.is_new() || is_preparing,
            "new ends with the first generation"
        );
    }
    for id in group.pending_joins() {
        let session = broker.session_deadline(group.id(), id);
        assert!(session.is_some(), "silence of a pending id ends");
    }
    let awaits_sync = runs(Why::SyncTimeout(group.id().clone()));
    let has_members = matches!(
        group.state(),
        GroupState::CompletingRebalance | GroupState::Stable
    );
    if has_members {
        assert!(!ids.is_empty(), "there is somebody to assign to");
        assert_eq!(
            awaits_sync,
            !group.pending_syncs().is_empty(),
            "waiting for syncs ends"
        );
    } else {
        assert!(!awaits_sync, "nobody is to sync");
    }
}

/// Plays a run. With `snapshots`, every step goes on from a clone, as a keyframe would.
fn play(seed: u64, snapshots: bool) -> (Vec<Fact>, Coverage) {
    let mut run = Run::new(seed);
    let mut now = Instant::ZERO;
    for number in 0..STEPS {
        if snapshots {
            run.bench.broker = run.bench.broker.clone();
        }
        run.step(&mut now, i32::try_from(number).expect("a small number"));
    }
    let facts = std::mem::take(&mut run.bench.facts);
    (facts, *run.bench.broker.coverage())
}

#[test]
fn nonsense_is_answered_and_the_group_holds_together() {
    let mut reached = Coverage::default();
    for seed in 0..RUNS {
        reached.merge(&play(seed, false).1);
    }
    let surprising = reached.without(&Coverage::reachable());
    assert!(surprising.is_empty(), "surprising: {surprising:?}");
    let missed = Coverage::reachable().without(&reached);
    // A group seldom comes to rest among nonsense. The tables reach the rest.
    assert!(missed.iter().count() < 10, "missed: {missed:?}");
}

#[test]
fn a_snapshot_goes_on_like_the_original() {
    for seed in 0..20 {
        assert_eq!(play(seed, false).0, play(seed, true).0, "seed {seed}");
    }
}
