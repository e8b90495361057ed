//! How long the assignors take, on the sizes at which Kafka's own were measured (docs/benchmarks.md).
//!
//! Timed is one call, from subscriptions in memory to the assignment by name. *fresh*: nobody owns anything. *leave*:
//! everybody owns what the fresh assignment gave, and the member in the middle of the list is gone.

#![cfg(not(target_arch = "wasm32"))]

mod cpu_time;

use cpu_time::CpuTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, criterion_group, criterion_main};
use regroup::kafka::assignor::server::{
    self, GroupSpec, ServerAssignor, ServerMember, ServerTopic, SubscriptionType,
};
use regroup::kafka::assignor::{Assignor, ClusterTopics, Explain, MemberSubscription, assign};
use regroup::kafka::ids::{MemberId, TopicName, Uuid};
use regroup::kafka::protocol::StickyUserData;
use regroup::kafka::sorted::SortedMap;
use std::hint::black_box;
use std::rc::Rc;
use std::time::Duration;

/// Members, topics, partitions of each topic.
type Size = (usize, usize, i32);

const EQUAL: [Size; 6] = [
    (10, 1, 100),
    (100, 1, 1000),
    (100, 10, 100),
    (1000, 1, 10_000),
    (1000, 100, 100),
    (2000, 1, 20_000),
];

/// Sizes at which every member takes a random part of the topics.
const UNEQUAL: [Size; 3] = [(10, 4, 25), (100, 10, 20), (100, 10, 100)];

/// Numbers that look random and are always the same (Knuth's MMIX constants).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 11
    }
}

/// A group without assignment: member ids and the topics of each.
struct Group {
    members: Vec<(MemberId, Vec<usize>)>,
    topics: Vec<TopicName>,
    partitions: i32,
    equal: bool,
}

impl Group {
    fn new((members, topics, partitions): Size, equal: bool) -> Self {
        let mut numbers = Numbers(42);
        let ids = (0..members).map(|index| {
            let (high, low) = (numbers.next(), numbers.next());
            let id = format!(
                "consumer-bench-{index}-{:08x}-{:04x}-4{:03x}-9{:03x}-{:012x}",
                high & 0xffff_ffff,
                (high >> 32) & 0xffff,
                low & 0xfff,
                (low >> 12) & 0xfff,
                low >> 16 & 0xffff_ffff_ffff
            );
            let mut wanted: Vec<usize> = (0..topics)
                .filter(|_| equal || numbers.next().is_multiple_of(2))
                .collect();
            if wanted.is_empty() {
                wanted.push(index % topics);
            }
            (MemberId::from(id), wanted)
        });
        Self {
            members: ids.collect(),
            topics: (0..topics)
                .map(|index| TopicName::from(format!("bench-topic-{index}")))
                .collect(),
            partitions,
            equal,
        }
    }

    fn cluster(&self) -> ClusterTopics {
        let mut cluster = ClusterTopics::default();
        for topic in &self.topics {
            cluster.insert(topic.clone(), self.partitions);
        }
        cluster
    }

    fn subscriptions(&self) -> Vec<MemberSubscription> {
        let subscription = |(id, wanted): &(MemberId, Vec<usize>)| {
            MemberSubscription::new(
                id.clone(),
                wanted
                    .iter()
                    .map(|topic| self.topics[*topic].clone())
                    .collect(),
            )
        };
        self.members.iter().map(subscription).collect()
    }

    /// The group as it rejoins after a fresh assignment, without the member in the middle.
    fn after_leave(&self, assignor: Assignor) -> Vec<MemberSubscription> {
        let mut subscriptions = self.subscriptions();
        let fresh = assign(
            assignor,
            &self.cluster(),
            &subscriptions,
            &mut Explain::off(),
        )
        .expect("it works");
        for subscription in &mut subscriptions {
            let partitions = fresh
                .of(&subscription.member_id)
                .expect("a member of the group")
                .to_vec();
            subscription.generation = 1;
            match assignor {
                Assignor::Range | Assignor::RoundRobin => {}
                Assignor::Sticky => {
                    let data = StickyUserData {
                        partitions,
                        generation: Some(1),
                    };
                    subscription.user_data = Some(data.encode_as_java());
                }
                Assignor::CooperativeSticky => subscription.owned_partitions = partitions,
            }
        }
        subscriptions.remove(subscriptions.len() / 2);
        subscriptions
    }

    fn server_members(&self) -> (Vec<ServerMember>, SortedMap<Uuid, ServerTopic>) {
        let mut numbers = Numbers(7);
        let ids: Vec<Uuid> = self
            .topics
            .iter()
            .map(|_| Uuid {
                high: numbers.next().cast_signed(),
                low: numbers.next().cast_signed(),
            })
            .collect();
        let topics = ids.iter().zip(&self.topics);
        let topics = topics
            .map(|(id, name)| {
                (
                    *id,
                    ServerTopic {
                        name: name.clone(),
                        partitions: self.partitions,
                    },
                )
            })
            .collect();
        let all: Rc<[Uuid]> = ids.clone().into();
        let members = self.members.iter().map(|(id, wanted)| ServerMember {
            member_id: id.clone(),
            instance_id: None,
            topic_ids: match self.equal {
                true => all.clone(),
                false => wanted.iter().map(|topic| ids[*topic]).collect(),
            },
            target: Rc::default(),
        });
        (members.collect(), topics)
    }
}

fn name((members, topics, partitions): Size) -> String {
    format!("{members}x{topics}x{partitions}")
}

fn bench_client(group: &mut BenchmarkGroup<CpuTime>, size: Size, equal: bool) {
    let shape = Group::new(size, equal);
    let cluster = shape.cluster();
    for assignor in Assignor::ALL {
        let mut bench = |when: &str, members: Vec<MemberSubscription>| {
            group.bench_function(
                format!("{}/{}/{when}", name(size), assignor.name()),
                |bencher| {
                    bencher.iter_with_large_drop(|| {
                        assign(
                            assignor,
                            black_box(&cluster),
                            black_box(&members),
                            &mut Explain::off(),
                        )
                    });
                },
            );
        };
        bench("fresh", shape.subscriptions());
        bench("leave", shape.after_leave(assignor));
    }
}

fn bench_server(group: &mut BenchmarkGroup<CpuTime>, size: Size, equal: bool) {
    let (mut members, topics) = Group::new(size, equal).server_members();
    let subscription_type = if equal {
        SubscriptionType::Homogeneous
    } else {
        SubscriptionType::Heterogeneous
    };
    let mut bench = |when: &str, members: &[ServerMember]| {
        let spec = GroupSpec {
            members,
            subscription_type,
            topics: &topics,
        };
        let targets = || {
            server::assign(
                ServerAssignor::Uniform,
                black_box(&spec),
                &mut Explain::off(),
            )
        };
        group.bench_function(format!("{}/uniform/{when}", name(size)), |bencher| {
            bencher.iter_with_large_drop(targets)
        });
        targets().expect("all topics have metadata")
    };
    let fresh: SortedMap<_, _> = bench("fresh", &members).into_iter().collect();
    for member in &mut members {
        member.target = fresh.get(&member.member_id).cloned().unwrap_or_default();
    }
    members.remove(members.len() / 2);
    bench("leave", &members);
}

fn assignors(criterion: &mut Criterion<CpuTime>) {
    for (title, sizes, equal) in [
        ("equal", &EQUAL[..], true),
        ("unequal", &UNEQUAL[..], false),
    ] {
        let mut group = criterion.benchmark_group(title);
        group
            .sampling_mode(SamplingMode::Flat)
            .sample_size(20)
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1));
        for size in sizes {
            bench_client(&mut group, *size, equal);
            bench_server(&mut group, *size, equal);
        }
        group.finish();
    }
}

criterion_group!(name = benches; config = Criterion::default().with_measurement(CpuTime); targets = assignors);
criterion_main!(benches);
