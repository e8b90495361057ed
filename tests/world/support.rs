//! Small worlds, and questions to ask of them.

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use regroup::kafka::fact::{Fact, FactKind, GroupState};
use regroup::kafka::ids::{BrokerId, Generation, GroupId, TopicPartition};
use regroup::kafka::sorted::SortedMap;
use regroup::kafka::time::Instant;
use regroup::ledger::{Deliveries, Ledger, Readers};
use regroup::world::command::{Command, Configs};
use regroup::world::setup::{
    ApplicationSpec, BrokerSpec, ConsumerSpec, ConsumerStart, FeedSpec, GroupSpec, MemberSpec,
    Reads, Setup, Spread, TopicSpec,
};
use regroup::world::{Progress, World};

/// Configurations from pairs of name and value.
pub fn configs(pairs: &[(&str, &str)]) -> Configs {
    let pairs = pairs.iter();
    pairs
        .map(|(name, value)| ((*name).into(), (*value).into()))
        .collect()
}

/// A consumer of group `g` that reads `orders`.
pub fn consumer(name: &str, pairs: &[(&str, &str)]) -> ConsumerSpec {
    let mut configs = configs(pairs);
    configs.entry("group.id".into()).or_insert("g".into());
    ConsumerSpec {
        name: name.into(),
        configs,
        flavour: Default::default(),
        reads: Reads::Subscribe(vec!["orders".into()]),
        application: ApplicationSpec::default(),
        first_correlation_id: 0,
    }
}

/// One broker, topic `orders`, ideal timing.
pub fn ideal(partitions: i32) -> Setup {
    let mut setup = Setup {
        brokers: SortedMap::from([(BrokerId(1), BrokerSpec::default())]),
        topics: vec![TopicSpec::new("orders", partitions)],
        ..Setup::default()
    };
    setup.make_ideal();
    setup
}

/// Starts a consumer at `at_ms`.
pub fn start(setup: &mut Setup, at_ms: i64, consumer: ConsumerSpec) {
    setup.consumers.push(ConsumerStart {
        consumer,
        at: Some(Instant::from_ms(at_ms)),
    });
}

/// Ten records a second into every partition: record n at 100n + 50 ms.
pub fn feed(setup: &mut Setup) {
    setup.feeds.push(FeedSpec {
        name: "feed".into(),
        topic: "orders".into(),
        first_at: Some(Instant::from_ms(50)),
        every: regroup::kafka::time::Duration::from_ms(100),
        times: None,
        batch: 1,
        spread: Spread::EveryPartition,
        size_bytes: 100,
    });
}

/// A world with everything that has happened in it.
pub struct Play {
    pub world: World,
    pub facts: Vec<Fact>,
}

impl Play {
    pub fn new(setup: Setup) -> Self {
        let mut world = World::new(setup).expect("a good setup");
        let facts = world.take_facts();
        Self { world, facts }
    }

    pub fn to(&mut self, ms: i64) -> &mut Self {
        let progress = self.world.advance_to(Instant::from_ms(ms), 10_000_000);
        assert_eq!(progress, Progress::Reached);
        self.facts.append(&mut self.world.take_facts());
        self
    }

    /// Everything before `ms` happens, then the act.
    pub fn act(&mut self, ms: i64, command: Command) -> &mut Self {
        let before = Instant(Instant::from_ms(ms).0 - 1);
        let progress = self.world.advance_to(before, 10_000_000);
        assert_eq!(progress, Progress::Reached);
        self.world.rest_until(Instant::from_ms(ms));
        assert_eq!(self.world.apply(&command), Ok(()));
        self.facts.append(&mut self.world.take_facts());
        self
    }

    /// What the ledger says of `orders-0` in group `g`.
    pub fn deliveries(&self) -> Deliveries {
        let mut ledger = Ledger::default();
        self.facts.iter().for_each(|fact| ledger.fold(fact));
        let orders = TopicPartition::new("orders", 0);
        let read = ledger
            .partition(&Readers::Group("g".into()), &orders)
            .expect("it is read");
        read.deliveries.clone()
    }

    pub fn generation(&self) -> i32 {
        self.group().map_or(0, |group| group.generation().0)
    }

    pub fn state(&self) -> Option<GroupState> {
        self.group().map(|group| group.state())
    }

    fn group(&self) -> Option<&regroup::kafka::broker::Group> {
        let id = GroupId::from("g");
        self.world
            .brokers()
            .find_map(|(_, broker)| broker.group(&id))
    }

    pub fn owned(&self, actor: &str) -> Vec<i32> {
        let owned = self.world.consumer(actor).map(|consumer| consumer.owned());
        let mut owned: Vec<i32> = owned
            .into_iter()
            .flatten()
            .map(|partition| partition.partition)
            .collect();
        owned.sort();
        owned
    }

    pub fn log_end(&self, partition: i32) -> i64 {
        let partition = TopicPartition::new("orders", partition);
        let leader = self.world.cluster().leader(&partition).unwrap();
        self.world
            .broker(leader)
            .unwrap()
            .log(&partition)
            .unwrap()
            .log_end()
            .0
    }

    pub fn committed(&self, partition: i32) -> Option<i64> {
        let (group, partition) = (GroupId::from("g"), TopicPartition::new("orders", partition));
        self.world
            .brokers()
            .find_map(|(_, broker)| broker.committed(&group, &partition))
            .map(|committed| committed.offset.0)
    }

    /// When facts of a kind happened, in ms.
    pub fn times(&self, wanted: impl Fn(&FactKind) -> bool) -> Vec<i64> {
        let facts = self.facts.iter().filter(|fact| wanted(&fact.kind));
        facts.map(|fact| fact.at.as_ms()).collect()
    }
}

/// Makes these consumers members of group `g`, which is Stable: name, partitions owned. They joined at
/// `joined_ms`.
pub fn group(
    setup: &mut Setup,
    generation: i32,
    joined_ms: i64,
    members: &[(ConsumerSpec, &[i32])],
) {
    let assignor = members[0].0.configs.get("partition.assignment.strategy");
    let assignor = assignor.cloned().unwrap_or("range".into());
    let specs = members.iter().map(|(consumer, owned)| MemberSpec {
        actor: consumer.name.clone(),
        member_id: None,
        generation: None,
        owned: owned
            .iter()
            .map(|number| TopicPartition::new("orders", *number))
            .collect(),
        positions: SortedMap::new(),
        joined_at: Instant::from_ms(joined_ms),
        last_heartbeat: None,
        metadata_refreshed_at: None,
    });
    setup.groups.push(GroupSpec {
        group: "g".into(),
        generation: Generation(generation),
        assignor: Some(assignor),
        leader: None,
        members: specs.collect(),
        member_order: Vec::new(),
        offsets: SortedMap::new(),
    });
    for (consumer, _) in members {
        setup.consumers.push(ConsumerStart {
            consumer: consumer.clone(),
            at: None,
        });
    }
}

/// `kill -9`.
pub fn kill(actor: &str) -> Command {
    Command::Kill {
        actor: actor.into(),
    }
}

/// How many cases to draw: what the environment says under `name`, or the number given.
pub fn cases(name: &str, otherwise: u32) -> u32 {
    let wanted = std::env::var(name).ok();
    wanted
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

/// Draws the same cases every time.
pub fn runner(cases: u32, max_shrink_iters: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}
