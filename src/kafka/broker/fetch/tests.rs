use super::*;
use crate::kafka::api::{FetchRequest, ForgottenTopic};
use crate::kafka::broker::rig::{BROKER, Rig, amount, batch, cluster, fetch_request, t, topic};
use crate::kafka::config::{BrokerConfig, TopicConfig};
use std::rc::Rc;

fn rig(partitions: usize) -> Rig {
    Rig::new(cluster(topic(partitions, TopicConfig::default())))
}

fn limits(min_bytes: i32, max_wait_ms: i32, partitions: &[(i32, i64)]) -> FetchRequest {
    FetchRequest {
        min_bytes,
        max_wait_ms,
        ..fetch_request(partitions)
    }
}

/// Record n of 170 bytes at 200n + 50 ms into partition 0, up to `until` ms.
fn feed(rig: &mut Rig, from: i64, until: i64) {
    let mut at = (from - 50).div_euclid(200) * 200 + 250;
    while at <= until {
        rig.until(at);
        rig.append(0, batch(1, 100, at));
        at += 200;
    }
    rig.until(until);
}

/// Partition, error, high watermark, base offsets.
fn shape(response: &FetchResponse) -> Vec<(i32, i16, i64, Vec<i64>)> {
    let partitions = response
        .responses
        .iter()
        .flat_map(|topic| &topic.partitions);
    partitions
        .map(|data| {
            let bases = data.records.iter().map(|batch| batch.base_offset.0);
            let hw = data.high_watermark.0;
            (
                data.partition_index,
                data.error_code.code(),
                hw,
                bases.collect(),
            )
        })
        .collect()
}

/// I-039, variants A and C: the answer leaves when there are `fetch.min.bytes`.
#[test]
fn a_fetch_is_answered_when_min_bytes_are_there() {
    for (min_bytes, max_wait_ms, at, expected) in
        [(1, 500, 50, (1, 170)), (1_000, 10_000, 1_050, (6, 1_020))]
    {
        let mut rig = rig(1);
        rig.send(1, limits(min_bytes, max_wait_ms, &[(0, 0)]));
        feed(&mut rig, 0, 2_000);
        let (answered, response) = rig.fetched();
        assert_eq!((answered, amount(&response)), (at, expected));
    }
}

/// I-039, variant B: or when `fetch.max.wait.ms` is over, whichever comes first.
#[test]
fn a_fetch_is_answered_with_what_there_is_when_max_wait_is_over() {
    let mut rig = rig(1);
    rig.send(1, limits(1_000, 500, &[(0, 0)]));
    feed(&mut rig, 0, 500);
    let (answered, response) = rig.fetched();
    assert_eq!((answered, amount(&response).0), (500, 3));
    rig.send(1, limits(1_000, 500, &[(0, 3)]));
    feed(&mut rig, 500, 1_000);
    let (answered, response) = rig.fetched();
    assert_eq!((answered, amount(&response).0), (1_000, 2));
}

#[test]
fn an_empty_topic_answers_empty_after_max_wait() {
    let mut rig = rig(1);
    rig.send(1, fetch_request(&[(0, 0)]));
    rig.until(499);
    assert_eq!(rig.take().len(), 0);
    rig.until(500);
    let (answered, response) = rig.fetched();
    assert_eq!(answered, 500);
    assert_eq!(shape(&response), [(0, 0, 0, vec![])]);
}

#[test]
fn min_bytes_are_summed_over_all_partitions_of_the_request() {
    let mut rig = rig(3);
    rig.send(1, limits(340, 500, &[(0, 0), (1, 0), (2, 0)]));
    rig.until(10);
    rig.append(2, batch(1, 100, 10));
    assert_eq!(rig.take().len(), 0);
    rig.until(20);
    rig.append(0, batch(1, 100, 20));
    let (answered, response) = rig.fetched();
    assert_eq!((answered, amount(&response)), (20, (2, 340)));
    assert_eq!(rig.broker.next_wake(), None);
}

#[test]
fn a_partition_counts_towards_min_bytes_up_to_its_own_cap_only() {
    let mut rig = rig(1);
    let mut request = limits(340, 500, &[(0, 0)]);
    request.topics[0].partitions[0].partition_max_bytes = 200;
    rig.send(1, request);
    for at in [10, 20, 30] {
        rig.until(at);
        rig.append(0, batch(1, 100, at));
    }
    rig.until(600);
    let (answered, response) = rig.fetched();
    assert_eq!((answered, amount(&response)), (500, (1, 170)));
}

#[test]
fn the_first_partition_that_has_anything_gives_a_whole_batch_whatever_the_limits() {
    let mut rig = rig(3);
    rig.append(1, batch(10, 1_000, 0));
    rig.append(2, batch(1, 100, 0));
    let mut request = fetch_request(&[(0, 0), (1, 4), (2, 0)]);
    request.max_bytes = 500;
    rig.send(1, request);
    let (_, response) = rig.fetched();
    let expected = [(0, 0, 0, vec![]), (1, 0, 10, vec![0]), (2, 0, 1, vec![])];
    assert_eq!(shape(&response), expected);
}

#[test]
fn the_budget_goes_to_the_partitions_in_the_order_of_the_request() {
    let mut rig = rig(2);
    for _ in 0..3 {
        rig.append(0, batch(1, 100, 0));
        rig.append(1, batch(1, 100, 0));
    }
    let mut request = fetch_request(&[(1, 0), (0, 0)]);
    request.max_bytes = 3 * 170 + 169;
    rig.send(1, request);
    let (_, response) = rig.fetched();
    assert_eq!(
        shape(&response),
        [(1, 0, 3, vec![0, 1, 2]), (0, 0, 3, vec![])]
    );
}

#[test]
fn the_brokers_own_cap_stands_over_the_clients() {
    let config = BrokerConfig {
        fetch_max_bytes: 170,
        ..BrokerConfig::default()
    };
    let mut rig = Rig::with_config(cluster(topic(1, TopicConfig::default())), config);
    for _ in 0..3 {
        rig.append(0, batch(1, 100, 0));
    }
    rig.send(1, limits(1_000, 500, &[(0, 0)]));
    assert_eq!(amount(&rig.fetched().1), (1, 170));
}

#[test]
fn errors_are_answered_at_once_and_per_partition() {
    let mut rig = rig(2);
    rig.append(0, batch(4, 10, 0));
    for (partition, offset, epoch, code) in
        [(1, 1, 3, 1), (1, 0, 2, 74), (1, 0, 4, 75), (1, 0, -1, 0)]
    {
        let mut request = fetch_request(&[(partition, offset), (0, 2)]);
        request.topics[0].partitions[0].current_leader_epoch = epoch;
        rig.send(1, request);
        let (at, response) = rig.fetched();
        assert_eq!(at, 0);
        let hw = if code == 0 { 0 } else { -1 };
        assert_eq!(
            shape(&response),
            [(1, code, hw, vec![]), (0, 0, 4, vec![0])]
        );
    }
    rig.broker
        .delete_records(&t(0), Offset(3), &mut rig.journal)
        .unwrap();
    rig.send(1, fetch_request(&[(0, 2)]));
    assert_eq!(shape(&rig.fetched().1), [(0, 1, -1, vec![])]);
}

#[test]
fn a_partition_that_does_not_exist_is_answered_with_3_and_does_not_hasten_the_others() {
    let mut rig = rig(1);
    rig.send(1, fetch_request(&[(9, 0)]));
    assert_eq!(shape(&rig.fetched().1), [(9, 3, -1, vec![])]);
    rig.send(1, fetch_request(&[(9, 0), (0, 0)]));
    rig.until(500);
    let (at, response) = rig.fetched();
    assert_eq!(at, 500);
    assert_eq!(shape(&response), [(0, 0, 0, vec![]), (9, 3, -1, vec![])]);
}

#[test]
fn a_leader_that_moves_away_ends_the_waiting_with_6() {
    let mut rig = rig(1);
    rig.send(1, fetch_request(&[(0, 0)]));
    rig.until(100);
    let mut moved = topic(1, TopicConfig::default());
    moved.partitions[0].leader = Some(BrokerId(2));
    moved.partitions[0].replicas.push(BrokerId(2));
    let mut out = Vec::new();
    rig.broker
        .set_cluster(Rc::new(cluster(moved)), &mut rig.journal, &mut out);
    let Some(crate::kafka::api::Response::Fetch(response)) =
        out.pop().map(|answer| answer.response)
    else {
        panic!("no answer");
    };
    assert_eq!(shape(&response), [(0, 6, -1, vec![])]);
    assert_ne!(BROKER, BrokerId(2));
}

#[test]
fn a_segment_rolled_behind_the_offset_ends_the_waiting() {
    let config = TopicConfig {
        segment_bytes: 340,
        ..TopicConfig::default()
    };
    let mut rig = Rig::new(cluster(topic(1, config)));
    rig.append(0, batch(1, 100, 0));
    rig.send(1, limits(10_000, 500, &[(0, 1)]));
    rig.until(10);
    rig.append(0, batch(1, 100, 0));
    assert_eq!(rig.take().len(), 0);
    rig.until(20);
    rig.append(0, batch(1, 100, 0));
    let (at, response) = rig.fetched();
    assert_eq!((at, shape(&response)), (20, vec![(0, 0, 3, vec![1])]));
}

#[test]
fn fetches_that_wait_for_the_same_record_are_answered_in_the_order_of_parking() {
    let mut rig = rig(1);
    for connection in [5, 2, 9] {
        rig.send(connection, fetch_request(&[(0, 0)]));
    }
    rig.until(10);
    rig.append(0, batch(1, 100, 0));
    let order: Vec<u64> = rig.take().iter().map(|answer| answer.1).collect();
    assert_eq!(order, [5, 2, 9]);
}

/// Opens a session on `partitions` and gives its id.
fn open_session(rig: &mut Rig, partitions: &[(i32, i64)]) -> i32 {
    let mut request = fetch_request(partitions);
    (request.session_epoch, request.max_wait_ms) = (0, 0);
    rig.send(1, request);
    let (_, response) = rig.fetched();
    assert_eq!(shape(&response).len(), partitions.len());
    assert_ne!(response.session_id, 0);
    response.session_id
}

fn incremental(session_id: i32, session_epoch: i32, changed: &[(i32, i64)]) -> FetchRequest {
    let mut request = fetch_request(changed);
    if changed.is_empty() {
        request.topics.clear();
    }
    FetchRequest {
        session_id,
        session_epoch,
        max_wait_ms: 0,
        ..request
    }
}

#[test]
fn a_session_leaves_out_what_did_not_change() {
    let mut rig = rig(3);
    let id = open_session(&mut rig, &[(0, 0), (1, 0), (2, 0)]);
    rig.append(1, batch(1, 100, 0));
    rig.send(1, incremental(id, 1, &[]));
    let (_, response) = rig.fetched();
    assert_eq!(response.session_id, id);
    assert_eq!(shape(&response), [(1, 0, 1, vec![0])]);
    rig.send(1, incremental(id, 2, &[(1, 1)]));
    assert_eq!(shape(&rig.fetched().1), []);
}

#[test]
fn in_a_session_a_partition_that_gave_records_goes_to_the_end_of_the_order() {
    let mut rig = rig(2);
    let id = open_session(&mut rig, &[(0, 0), (1, 0)]);
    for number in [0, 1] {
        rig.append(number, batch(1, 100, 0));
    }
    let mut request = incremental(id, 1, &[]);
    request.max_bytes = 170;
    rig.send(1, request);
    let first: Vec<_> = shape(&rig.fetched().1);
    assert_eq!(first, [(0, 0, 1, vec![0]), (1, 0, 1, vec![])]);
    let mut request = incremental(id, 2, &[]);
    request.max_bytes = 170;
    rig.send(1, request);
    assert_eq!(shape(&rig.fetched().1), [(1, 0, 1, vec![0])]);
}

#[test]
fn a_forgotten_partition_leaves_the_session() {
    let mut rig = rig(2);
    let id = open_session(&mut rig, &[(0, 0), (1, 0)]);
    let mut request = incremental(id, 1, &[]);
    request.forgotten_topics_data = vec![ForgottenTopic {
        topic: "t".into(),
        topic_id: Uuid::default(),
        partitions: vec![0],
    }];
    rig.append(0, batch(1, 100, 0));
    rig.append(1, batch(1, 100, 0));
    rig.send(1, request);
    assert_eq!(shape(&rig.fetched().1), [(1, 0, 1, vec![0])]);
}

#[test]
fn a_wrong_session_is_70_and_a_wrong_epoch_71() {
    let mut rig = rig(1);
    let id = open_session(&mut rig, &[(0, 0)]);
    for (session_id, epoch, code) in [(id.wrapping_add(1), 1, 70), (id, 2, 71), (id, 1, 0)] {
        rig.send(1, incremental(session_id, epoch, &[]));
        assert_eq!(rig.fetched().1.error_code.code(), code);
    }
    // A full fetch closes the session that it names.
    let mut request = incremental(id, 0, &[(0, 0)]);
    request.max_wait_ms = 0;
    rig.send(1, request);
    assert_ne!(rig.fetched().1.session_id, id);
    rig.send(1, incremental(id, 2, &[]));
    assert_eq!(rig.fetched().1.error_code.code(), 70);
}

#[test]
fn without_a_free_slot_there_is_no_session_until_one_was_idle_for_two_minutes() {
    let config = BrokerConfig {
        max_incremental_fetch_session_cache_slots: 1,
        ..BrokerConfig::default()
    };
    let mut rig = Rig::with_config(cluster(topic(1, TopicConfig::default())), config);
    let first = open_session(&mut rig, &[(0, 0)]);
    let mut full = incremental(0, 0, &[(0, 0)]);
    full.max_wait_ms = 0;
    rig.until(120_000);
    rig.send(2, full.clone());
    assert_eq!(rig.fetched().1.session_id, 0);
    rig.until(120_001);
    rig.send(2, full);
    let second = rig.fetched().1.session_id;
    assert!(second != 0 && second != first);
}

#[test]
fn after_an_error_a_session_says_that_the_partition_is_well_again() {
    let mut rig = rig(1);
    rig.append(0, batch(2, 10, 0));
    let id = open_session(&mut rig, &[(0, 2)]);
    rig.send(1, incremental(id, 1, &[(0, 9)]));
    assert_eq!(shape(&rig.fetched().1), [(0, 1, -1, vec![])]);
    rig.send(1, incremental(id, 2, &[(0, 2)]));
    assert_eq!(shape(&rig.fetched().1), [(0, 0, 2, vec![])]);
}
