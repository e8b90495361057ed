//! Producers: rate, keys, stopping, and consumers that read what they wrote.

use crate::support::{Play, consumer, ideal, start};
use regroup::kafka::time::{Duration, Instant};
use regroup::world::command::Command;
use regroup::world::setup::{Keys, ProducerSpec};

fn producer(keys: Keys) -> ProducerSpec {
    ProducerSpec {
        name: "p1".into(),
        topic: "orders".into(),
        every: Duration::from_ms(10),
        keys,
        size_bytes: 100,
        first_at: Some(Instant::from_ms(1_000)),
        configs: Default::default(),
    }
}

#[test]
fn a_producer_writes_at_its_rate_until_it_is_stopped_and_all_is_read() {
    let mut setup = ideal(3);
    setup.producers.push(producer(Keys::None));
    start(
        &mut setup,
        0,
        consumer("c1", &[("auto.offset.reset", "earliest")]),
    );
    let mut play = Play::new(setup);
    let stop = Command::StopProducer { actor: "p1".into() };
    play.act(11_000, stop).to(20_000);
    let written: i64 = (0..3).map(|partition| play.log_end(partition)).sum();
    assert_eq!(written, 1_000);
    let committed: i64 = (0..3)
        .filter_map(|partition| play.committed(partition))
        .sum();
    assert_eq!(committed, 1_000);
}

#[test]
fn a_hot_key_makes_one_partition_long() {
    let mut setup = ideal(3);
    let keys = Keys::Some {
        count: 30,
        hot_percent: 80,
    };
    setup.producers.push(producer(keys));
    let mut play = Play::new(setup);
    play.to(11_000);
    // murmur2 puts "key-0" into partition 1 of 3.
    assert!(play.log_end(1) > 750, "{}", play.log_end(1));
}
