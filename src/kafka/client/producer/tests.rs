use super::rig::*;
use super::*;
use crate::kafka::api::{
    MetadataResponse, MetadataResponsePartition, MetadataResponseTopic, Request,
};
use crate::kafka::config::Acks;
use crate::kafka::fact::FactKind;
use crate::kafka::record::{BATCH_OVERHEAD_BYTES, record_bytes};

#[test]
fn the_first_send_blocks_until_the_topic_is_known() {
    let mut rig = Rig::unknowing(config(), &[2]);
    rig.send(record(0, 10));
    assert!(rig.producer.is_blocked());
    let sent = rig.sent();
    let [(1, 0, Request::Metadata(request))] = sent.as_slice() else {
        panic!("it asks for metadata, not {sent:?}");
    };
    assert_eq!(request.topics.as_ref().map(Vec::len), Some(1));
    rig.until(7);
    rig.answer_metadata(0);
    assert_eq!(rig.events(), [ProducerEvent::Unblocked]);
    assert_eq!(rig.produced(), [(2, 1, vec![(0, 1)])]);
    rig.answer(2, 1, &[(0, ErrorCode::None, 40)]);
    assert_eq!(rig.events(), [acknowledged(0, 40, 1)]);
}

#[test]
fn a_topic_that_does_not_exist_is_asked_for_again_until_max_block_ms() {
    let mut rig = Rig::unknowing(config(), &[]);
    rig.send(record(0, 10));
    let mut asked = Vec::new();
    for ms in (0..=60_000).step_by(50) {
        rig.until(ms);
        for (_, number, _) in rig.sent() {
            asked.push(ms);
            rig.answer_metadata(number);
        }
    }
    assert_eq!(asked[..6], [0, 100, 300, 700, 1_500, 2_500]);
    assert_eq!(
        rig.events(),
        [ProducerEvent::SendFailed(Exception::Timeout)]
    );
    assert!(!rig.producer.is_blocked());
}

#[test]
fn without_linger_a_record_goes_at_once_and_alone() {
    let mut rig = Rig::new(config(), &[1]);
    rig.send(record(0, 10));
    rig.send(record(0, 10));
    assert_eq!(rig.produced(), [(1, 1, vec![(0, 1)]), (1, 2, vec![(0, 1)])]);
}

#[test]
fn linger_counts_from_the_batchs_first_record() {
    let linger = ProducerConfig {
        linger_ms: 10,
        ..config()
    };
    let mut rig = Rig::new(linger, &[1]);
    rig.until(100);
    rig.send(record(0, 10));
    rig.until(108);
    rig.send(record(0, 10));
    rig.until(109);
    assert_eq!(rig.produced(), []);
    rig.until(110);
    assert_eq!(rig.produced(), [(1, 1, vec![(0, 2)])]);
}

/// 61 bytes of batch and 109 per record of 100 bytes: two records are 279 bytes.
#[test]
fn a_full_batch_does_not_linger() {
    for (batch_size, after_two, after_three) in [(279, 1, 1), (280, 0, 1)] {
        let linger = ProducerConfig {
            linger_ms: 10,
            batch_size,
            ..config()
        };
        let mut rig = Rig::new(linger, &[1]);
        rig.send(record(0, 100));
        rig.send(record(0, 100));
        let mut requests = rig.produced();
        assert_eq!(requests.len(), after_two, "batch.size {batch_size}");
        rig.send(record(0, 100));
        requests.extend(rig.produced());
        assert_eq!(requests.len(), after_three);
        assert_eq!(requests[0].2, [(0, 2)]);
        rig.until(10);
        assert_eq!(rig.produced().len(), 1);
    }
}

#[test]
fn a_ready_partition_takes_the_others_of_its_broker_along() {
    let linger = ProducerConfig {
        linger_ms: 10,
        ..config()
    };
    let mut rig = Rig::new(linger, &[1, 2, 1]);
    for partition in [0, 1, 2] {
        rig.until(i64::from(partition) * 4);
        rig.send(record(partition, 10));
    }
    rig.until(10);
    assert_eq!(rig.produced(), [(1, 1, vec![(0, 1), (2, 1)])]);
    rig.until(14);
    assert_eq!(rig.produced(), [(2, 2, vec![(1, 1)])]);
    rig.until(1_000);
    assert_eq!(rig.produced(), []);
}

#[test]
fn a_request_holds_max_request_size_and_the_next_goes_on_behind_it() {
    let small = ProducerConfig {
        linger_ms: 10,
        max_request_size: 400,
        max_in_flight_requests_per_connection: 1,
        ..config()
    };
    let mut rig = Rig::new(small, &[1, 1, 1]);
    for partition in [0, 1, 2, 0] {
        rig.send(record(partition, 100));
    }
    rig.until(10);
    assert_eq!(rig.produced(), [(1, 1, vec![(0, 2)])]);
    rig.send(record(0, 100));
    rig.answer(1, 1, &[(0, ErrorCode::None, 0)]);
    assert_eq!(rig.produced(), [(1, 2, vec![(1, 1), (2, 1)])]);
}

#[test]
fn the_bytes_of_a_batch_are_those_of_its_records() {
    let linger = ProducerConfig {
        linger_ms: 1_000,
        ..config()
    };
    let mut rig = Rig::new(linger, &[1]);
    for n in 0..70 {
        rig.until(n * 10);
        let mut record = record(0, 10);
        record.key = Some(vec![7; usize::try_from(n).unwrap()].into());
        rig.send(record);
    }
    rig.until(1_000);
    let sent = rig.sent();
    let [(_, _, Request::Produce(request))] = sent.as_slice() else {
        panic!("one request");
    };
    let batch = &request.topic_data[0].partition_data[0].records[0];
    assert_eq!((batch.base_timestamp, batch.max_timestamp), (0, 690));
    assert_eq!(batch.last_offset_delta, 69);
    assert_eq!(batch.records[69].timestamp_delta, 690);
    let bytes: i32 = batch.records.iter().map(record_bytes).sum();
    assert_eq!(batch.size_bytes, BATCH_OVERHEAD_BYTES + bytes);
    assert_eq!((batch.producer_id, batch.base_sequence), (-1, -1));
}

#[test]
fn five_requests_are_under_way_to_a_broker_at_most() {
    let mut rig = Rig::new(config(), &[1]);
    for _ in 0..7 {
        rig.send(record(0, 10));
    }
    assert_eq!(rig.produced().len(), 5);
    rig.answer(1, 1, &[(0, ErrorCode::None, 0)]);
    assert_eq!(rig.produced(), [(1, 6, vec![(0, 2)])]);
}

#[test]
fn a_failed_try_is_put_in_front_and_tried_again_after_the_backoff() {
    let mut rig = Rig::new(config(), &[1]);
    rig.send(record(0, 10));
    for (number, at, pause) in [
        (1, 0, 100),
        (2, 100, 200),
        (3, 300, 400),
        (4, 700, 800),
        (5, 1_500, 1_000),
    ] {
        rig.until(at);
        assert_eq!(rig.produced(), [(1, number, vec![(0, 1)])]);
        rig.answer(1, number, &[(0, ErrorCode::NotEnoughReplicas, -1)]);
        rig.until(at + pause - 1);
        assert_eq!(rig.produced(), []);
    }
    let attempts: Vec<u32> = rig
        .journal
        .take_facts()
        .iter()
        .filter_map(|fact| match fact.kind {
            FactKind::BatchSent { attempt, .. } => Some(attempt),
            _ => None,
        })
        .collect();
    assert_eq!(attempts, [1, 2, 3, 4, 5]);
}

/// The four behind the first are written before it: order is lost.
#[test]
fn with_five_under_way_a_retry_changes_the_order() {
    let mut rig = Rig::new(config(), &[1]);
    for _ in 0..2 {
        rig.send(record(0, 10));
    }
    rig.produced();
    rig.answer(1, 1, &[(0, ErrorCode::NotEnoughReplicas, -1)]);
    rig.answer(1, 2, &[(0, ErrorCode::None, 0)]);
    rig.until(100);
    assert_eq!(rig.produced(), [(1, 3, vec![(0, 1)])]);
    rig.answer(1, 3, &[(0, ErrorCode::None, 1)]);
    assert_eq!(rig.events(), [acknowledged(0, 0, 1), acknowledged(0, 1, 1)]);
}

#[test]
fn with_one_under_way_a_retry_keeps_the_order() {
    let strict = ProducerConfig {
        max_in_flight_requests_per_connection: 1,
        ..config()
    };
    let mut rig = Rig::new(strict, &[1]);
    rig.send(record(0, 10));
    rig.send(record(0, 11));
    assert_eq!(rig.produced().len(), 1);
    rig.answer(1, 1, &[(0, ErrorCode::NotEnoughReplicas, -1)]);
    rig.until(99);
    assert_eq!(rig.produced(), []);
    rig.until(100);
    let sent = rig.sent();
    let [(_, _, Request::Produce(request))] = sent.as_slice() else {
        panic!("one request");
    };
    let batch = &request.topic_data[0].partition_data[0].records[0];
    assert_eq!(
        batch.records[0].value.as_ref().map(|value| value.len()),
        Some(10)
    );
}

#[test]
fn a_wrong_leader_makes_it_ask_for_metadata_and_try_the_new_leader_without_a_pause() {
    let mut rig = Rig::new(config(), &[1]);
    rig.until(1_000);
    rig.send(record(0, 10));
    assert_eq!(rig.produced(), [(1, 1, vec![(0, 1)])]);
    rig.answer(1, 1, &[(0, ErrorCode::NotLeaderOrFollower, -1)]);
    let sent = rig.sent();
    let [(1, 2, Request::Metadata(_))] = sent.as_slice() else {
        panic!("it asks for metadata, not {sent:?}");
    };
    rig.leaders = vec![2];
    // A leader of a newer epoch.
    let mut response = MetadataResponse {
        topics: vec![MetadataResponseTopic {
            name: Some("t".into()),
            ..MetadataResponseTopic::default()
        }],
        ..MetadataResponse::default()
    };
    response.topics[0]
        .partitions
        .push(MetadataResponsePartition {
            leader_id: BrokerId(2),
            leader_epoch: 1,
            ..MetadataResponsePartition::default()
        });
    rig.handle(1, 2, response.into());
    assert_eq!(rig.produced(), [(2, 3, vec![(0, 1)])]);
}

#[test]
fn an_error_that_is_not_retriable_or_a_spent_retry_fails_the_batch() {
    let once = ProducerConfig {
        retries: 1,
        ..config()
    };
    let mut rig = Rig::new(once, &[1]);
    rig.send(record(0, 10));
    rig.answer(1, 1, &[(0, ErrorCode::InvalidTopicException, -1)]);
    rig.send(record(0, 10));
    rig.answer(1, 2, &[(0, ErrorCode::NotEnoughReplicas, -1)]);
    rig.until(100);
    rig.answer(1, 3, &[(0, ErrorCode::NotEnoughReplicas, -1)]);
    let expected = [
        ErrorCode::InvalidTopicException,
        ErrorCode::NotEnoughReplicas,
    ];
    assert_eq!(rig.events(), expected.map(|error| failed(0, 1, error)));
}

#[test]
fn delivery_timeout_ends_a_batch_under_way() {
    let short = ProducerConfig {
        request_timeout_ms: 1_000,
        delivery_timeout_ms: 1_500,
        max_in_flight_requests_per_connection: 1,
        ..config()
    };
    let mut rig = Rig::new(short, &[1]);
    rig.send(record(0, 10));
    assert_eq!(rig.produced(), [(1, 1, vec![(0, 1)])]);
    rig.until(1_000);
    let sent = rig.sent();
    assert!(matches!(sent.as_slice(), [(2, 2, Request::Metadata(_))]));
    rig.until(1_150);
    assert_eq!(rig.produced(), [(1, 3, vec![(0, 1)])]);
    rig.send(record(0, 10));
    rig.until(1_499);
    assert_eq!(rig.events(), []);
    rig.until(1_500);
    assert_eq!(rig.events(), [failed(0, 1, ErrorCode::RequestTimedOut)]);
    // The late answer frees the partition, and says nothing about the batch.
    assert_eq!(rig.produced(), []);
    rig.answer(1, 3, &[(0, ErrorCode::None, 0)]);
    assert_eq!(rig.events(), []);
    assert_eq!(rig.produced(), [(1, 4, vec![(0, 1)])]);
    assert_eq!(rig.producer.buffer_free_bytes(), 33_554_432 - 16_384);
}

#[test]
fn delivery_timeout_ends_a_batch_that_waits() {
    let strict = ProducerConfig {
        delivery_timeout_ms: 30_000,
        max_in_flight_requests_per_connection: 1,
        ..config()
    };
    let mut rig = Rig::new(strict, &[1]);
    rig.until(1);
    rig.send(record(0, 10));
    rig.until(10);
    rig.answer(1, 1, &[(0, ErrorCode::NotEnoughReplicas, -1)]);
    rig.produced();
    for ms in (11..30_000).step_by(10) {
        rig.until(ms);
        for (_, number, _) in rig.produced() {
            rig.answer(1, number, &[(0, ErrorCode::NotEnoughReplicas, -1)]);
        }
    }
    assert_eq!(rig.events(), []);
    rig.until(30_001);
    assert_eq!(rig.events(), [failed(0, 1, ErrorCode::RequestTimedOut)]);
    assert_eq!(rig.producer.buffer_free_bytes(), 33_554_432);
}

#[test]
fn a_request_without_answer_costs_the_connection_and_is_tried_again() {
    let mut rig = Rig::new(config(), &[1]);
    rig.send(record(0, 10));
    rig.produced();
    rig.until(29_999);
    assert_eq!(rig.out, []);
    rig.until(30_000);
    let disconnect = ClientAction::Disconnect {
        from: BrokerId(1),
        channel: Channel::Data,
    };
    assert!(rig.out.contains(&disconnect));
    rig.until(30_100);
    let sent = rig.sent();
    let produce = sent
        .iter()
        .find(|(_, _, request)| matches!(request, Request::Produce(_)));
    assert!(produce.is_some());
    // The answer to the first try comes too late.
    rig.answer(1, 1, &[(0, ErrorCode::None, 0)]);
    assert_eq!(rig.events(), []);
}

#[test]
fn a_lost_connection_is_followed_by_growing_pauses() {
    let mut rig = Rig::new(config(), &[1; 10]);
    let lose = |rig: &mut Rig| {
        let (journal, out) = (&mut rig.journal, &mut rig.out);
        rig.producer
            .disconnected(BrokerId(1), Channel::Data, journal, out);
    };
    rig.are_there = false;
    lose(&mut rig);
    let mut tried = Vec::new();
    for ms in 1..2_000 {
        rig.until(ms);
        if ms % 200 == 1 {
            // A batch of its own partition, which no failed try holds back.
            rig.send(record(i32::try_from(ms / 200).unwrap(), 10));
        }
        let sent = rig.sent();
        if sent.iter().any(|(to, ..)| *to == 1) {
            tried.push(ms);
            lose(&mut rig);
        }
    }
    // reconnect.backoff.ms after the first loss, and twice as long after each further one.
    let pauses = [50, 100, 200, 400, 800];
    let expected = pauses.iter().scan(0, |at, pause| {
        *at += pause;
        Some(*at)
    });
    assert_eq!(tried, expected.collect::<Vec<i64>>());
}

#[test]
fn acks_0_is_done_when_it_is_sent() {
    let blind = ProducerConfig {
        acks: Acks::Zero,
        ..config()
    };
    let mut rig = Rig::new(blind, &[1]);
    for _ in 0..7 {
        rig.send(record(0, 10));
    }
    assert_eq!(rig.produced().len(), 7);
    assert_eq!(rig.events(), vec![acknowledged(0, -1, 1); 7]);
    assert_eq!(
        rig.producer
            .in_flight()
            .map(|(_, requests, _)| requests)
            .sum::<usize>(),
        0
    );
}

#[test]
fn send_blocks_when_buffer_memory_is_exhausted_and_that_hurries_the_batches() {
    let tight = ProducerConfig {
        linger_ms: 10_000,
        batch_size: 200,
        buffer_memory: 400,
        ..config()
    };
    let mut rig = Rig::new(tight, &[1, 1, 1]);
    rig.send(record(0, 10));
    rig.send(record(1, 10));
    assert_eq!(rig.produced(), []);
    rig.send(record(2, 10));
    assert!(rig.producer.is_blocked());
    assert_eq!(rig.produced(), [(1, 1, vec![(0, 1), (1, 1)])]);
    rig.answer(1, 1, &[(0, ErrorCode::None, 0), (1, ErrorCode::None, 0)]);
    assert!(rig.events().contains(&ProducerEvent::Unblocked));
    assert_eq!(rig.producer.buffer_free_bytes(), 200);
}

#[test]
fn a_record_beyond_max_request_size_is_refused() {
    let mut rig = Rig::new(config(), &[1]);
    rig.send(record(0, 1_048_576));
    let too_large = Exception::Kafka(ErrorCode::MessageTooLarge);
    assert_eq!(rig.events(), [ProducerEvent::SendFailed(too_large)]);
    assert!(!rig.producer.is_blocked());
}

#[test]
fn a_batch_that_the_broker_finds_too_large_is_split() {
    let large = ProducerConfig {
        linger_ms: 10,
        batch_size: 1_000,
        ..config()
    };
    let mut rig = Rig::new(large, &[1]);
    for _ in 0..8 {
        rig.send(record(0, 100));
    }
    rig.until(10);
    assert_eq!(rig.produced(), [(1, 1, vec![(0, 8)])]);
    // The whole fits into batch.size; the parts of it do so by half.
    rig.answer(1, 1, &[(0, ErrorCode::MessageTooLarge, -1)]);
    assert_eq!(rig.produced(), [(1, 2, vec![(0, 8)])]);
    rig.answer(1, 2, &[(0, ErrorCode::MessageTooLarge, -1)]);
    assert_eq!(
        rig.produced(),
        [
            (1, 3, vec![(0, 3)]),
            (1, 4, vec![(0, 3)]),
            (1, 5, vec![(0, 2)])
        ]
    );
    assert_eq!(rig.producer.buffer_free_bytes(), 33_554_432);
}

#[test]
fn close_sends_what_there_is_and_waits_for_the_answers() {
    let linger = ProducerConfig {
        linger_ms: 10_000,
        ..config()
    };
    let mut rig = Rig::new(linger, &[1]);
    rig.send(record(0, 10));
    rig.producer.close(&mut rig.journal, &mut rig.out);
    assert_eq!(rig.produced(), [(1, 1, vec![(0, 1)])]);
    assert_eq!(rig.events(), []);
    rig.answer(1, 1, &[(0, ErrorCode::None, 0)]);
    assert_eq!(rig.events(), [acknowledged(0, 0, 1), ProducerEvent::Closed]);
    assert_eq!(rig.producer.next_wake(), None);
    rig.send(record(0, 10));
    assert!(matches!(
        rig.events().as_slice(),
        [ProducerEvent::SendFailed(_)]
    ));
}

#[test]
fn flush_does_not_wait_for_linger() {
    let linger = ProducerConfig {
        linger_ms: 10_000,
        ..config()
    };
    let mut rig = Rig::new(linger, &[1]);
    rig.send(record(0, 10));
    rig.producer.flush(&mut rig.journal, &mut rig.out);
    assert_eq!(rig.produced().len(), 1);
    rig.answer(1, 1, &[(0, ErrorCode::None, 0)]);
    rig.send(record(0, 10));
    assert_eq!(rig.produced(), []);
}

/// KIP-794: un-keyed records fill a batch before they go elsewhere.
#[test]
fn records_without_key_change_partition_with_the_batch() {
    let linger = ProducerConfig {
        linger_ms: 1_000,
        batch_size: 1_000,
        max_in_flight_requests_per_connection: 1,
        ..config()
    };
    let mut rig = Rig::new(linger, &[1; 1_000]);
    let mut partitions = Vec::new();
    for _ in 0..80 {
        let mut unkeyed = record(0, 100);
        unkeyed.partition = None;
        rig.send(unkeyed);
    }
    for fact in rig.journal.take_facts() {
        if let FactKind::RecordAccumulated { partition, .. } = fact.kind {
            partitions.push(partition.partition);
        }
    }
    // A batch holds 61 + 8 × 109 = 933 bytes. After the first one less than batch.size went to the
    // partition, so it stays; when the second one is full, 1866 bytes did. The one request under way is
    // never answered: nothing else leaves the accumulator.
    let runs = partitions.chunk_by(|a, b| a == b).map(<[i32]>::len);
    assert_eq!(runs.collect::<Vec<_>>(), [16; 5]);
}

#[test]
fn metadata_is_refreshed_when_it_is_too_old() {
    let mut rig = Rig::new(config(), &[1]);
    rig.until(299_999);
    assert_eq!(rig.sent().len(), 0);
    rig.until(300_000);
    assert!(matches!(
        rig.sent().as_slice(),
        [(_, _, Request::Metadata(_))]
    ));
}
