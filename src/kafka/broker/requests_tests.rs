//! Produce, ListOffsets, Metadata, FindCoordinator, DescribeConfigs through the broker's door.

use super::group_coordinator;
use super::rig::{BROKER, Rig, batch, cluster, fetch_request, t, topic};
use crate::kafka::api::{
    DescribeConfigsRequest, DescribeConfigsResource, EARLIEST_TIMESTAMP, FindCoordinatorRequest,
    LATEST_TIMESTAMP, ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic, MetadataRequest,
    PartitionProduceData, ProduceRequest, Response, TopicProduceData,
};
use crate::kafka::cluster::{CONSUMER_OFFSETS, Cluster};
use crate::kafka::config::TopicConfig;
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::FactKind;
use crate::kafka::ids::{BrokerId, Offset, TopicPartition};
use crate::kafka::record::RecordBatch;
use crate::kafka::time::Instant;
use std::rc::Rc;

fn produce(acks: i16, batches: Vec<(&str, i32, Rc<RecordBatch>)>) -> ProduceRequest {
    let topic_data = batches
        .into_iter()
        .map(|(name, index, batch)| TopicProduceData {
            name: name.into(),
            partition_data: vec![PartitionProduceData {
                index,
                records: vec![batch],
            }],
        })
        .collect();
    ProduceRequest {
        transactional_id: None,
        acks,
        timeout_ms: 30_000,
        topic_data,
    }
}

/// Error and base offset of every partition.
fn produced(rig: &mut Rig) -> Vec<(i16, i64)> {
    match rig.take().as_slice() {
        [(_, _, Response::Produce(response))] => response
            .responses
            .iter()
            .flat_map(|topic| &topic.partition_responses)
            .map(|data| (data.error_code.code(), data.base_offset.0))
            .collect(),
        other => panic!("expected one answer to Produce, not {other:?}"),
    }
}

fn t_cluster(config: TopicConfig) -> Cluster {
    cluster(topic(2, config))
}

#[test]
fn each_partition_has_its_own_result() {
    let config = TopicConfig {
        max_message_bytes: 170,
        ..TopicConfig::default()
    };
    let mut rig = Rig::new(t_cluster(config));
    let batches = vec![
        ("t", 0, batch(1, 100, 0)),
        ("t", 1, batch(1, 101, 0)),
        ("t", 2, batch(1, 1, 0)),
        ("u", 0, batch(1, 1, 0)),
        (CONSUMER_OFFSETS, 0, batch(1, 1, 0)),
        ("t", 0, batch(2, 10, 0)),
        ("t", 1, batch(0, 0, 0)),
    ];
    rig.send(1, produce(-1, batches));
    let expected = [
        (0, 0),
        (10, -1),
        (3, -1),
        (3, -1),
        (17, -1),
        (0, 1),
        (87, -1),
    ];
    assert_eq!(produced(&mut rig), expected);
    assert_eq!(rig.broker.log(&t(0)).unwrap().high_watermark(), Offset(3));
}

#[test]
fn only_the_leader_takes_records() {
    let mut moved = topic(2, TopicConfig::default());
    moved.partitions[0].leader = Some(BrokerId(2));
    moved.partitions[1].leader = None;
    let mut rig = Rig::new(cluster(moved));
    rig.send(
        1,
        produce(1, vec![("t", 0, batch(1, 1, 0)), ("t", 1, batch(1, 1, 0))]),
    );
    assert_eq!(produced(&mut rig), [(6, -1), (6, -1)]);
}

#[test]
fn acks_all_needs_min_insync_replicas_up_to_the_number_of_replicas() {
    let config = TopicConfig {
        min_insync_replicas: 2,
        ..TopicConfig::default()
    };
    for (replicas, acks, expected) in [
        (vec![BROKER], -1, (0, 0)),
        (vec![BROKER, BrokerId(2)], -1, (19, -1)),
        (vec![BROKER, BrokerId(2)], 1, (0, 0)),
    ] {
        let mut short = topic(1, config.clone());
        short.partitions[0].replicas = replicas;
        let mut rig = Rig::new(cluster(short));
        rig.send(1, produce(acks, vec![("t", 0, batch(1, 1, 0))]));
        assert_eq!(produced(&mut rig), [expected]);
    }
}

#[test]
fn acks_other_than_0_1_and_all_are_refused_with_21() {
    let mut rig = Rig::new(t_cluster(TopicConfig::default()));
    rig.send(1, produce(2, vec![("t", 0, batch(1, 1, 0))]));
    assert_eq!(produced(&mut rig), [(21, -1)]);
    assert_eq!(rig.broker.log(&t(0)).unwrap().log_end(), Offset(0));
}

#[test]
fn acks_0_is_not_answered_and_does_not_block_its_connection() {
    let mut rig = Rig::new(t_cluster(TopicConfig::default()));
    rig.send(1, produce(0, vec![("t", 0, batch(1, 1, 0))]));
    assert_eq!(rig.take().len(), 0);
    rig.send(1, produce(1, vec![("t", 0, batch(1, 1, 0))]));
    assert_eq!(produced(&mut rig), [(0, 1)]);
}

#[test]
fn the_producer_has_its_answer_before_those_who_waited_for_the_records() {
    let mut rig = Rig::new(t_cluster(TopicConfig::default()));
    rig.send(1, fetch_request(&[(0, 0)]));
    rig.send(2, produce(1, vec![("t", 0, batch(1, 1, 0))]));
    let order: Vec<u64> = rig.take().iter().map(|answer| answer.1).collect();
    assert_eq!(order, [2, 1]);
}

#[test]
fn an_append_and_the_advance_of_the_high_watermark_are_facts() {
    let mut rig = Rig::new(t_cluster(TopicConfig::default()));
    rig.append(1, batch(3, 1, 70));
    let facts: Vec<FactKind> = rig
        .journal
        .take_facts()
        .into_iter()
        .map(|fact| fact.kind)
        .collect();
    let expected = [
        FactKind::Append {
            partition: t(1),
            base: Offset(0),
            next: Offset(3),
            max_timestamp_ms: 70,
        },
        FactKind::HwAdvance {
            partition: t(1),
            offset: Offset(3),
        },
    ];
    assert_eq!(facts, expected);
}

#[test]
fn retention_acts_at_its_check_and_not_before() {
    let config = TopicConfig {
        retention_ms: 1_000,
        ..TopicConfig::default()
    };
    let mut rig = Rig::new(t_cluster(config));
    rig.append(0, batch(1, 1, 0));
    rig.broker
        .schedule_log_retention_check(Instant::from_ms(900), &mut rig.journal);
    rig.until(300_899);
    let log_start = |rig: &Rig| rig.broker.log(&t(0)).unwrap().log_start();
    assert_eq!(log_start(&rig), Offset(0));
    rig.until(300_900);
    assert_eq!(log_start(&rig), Offset(1));
    let facts = rig.journal.take_facts();
    let expected = FactKind::LogStartAdvance {
        partition: t(0),
        offset: Offset(1),
    };
    assert_eq!(facts.last().map(|fact| &fact.kind), Some(&expected));
}

#[test]
fn list_offsets_finds_the_ends_and_times() {
    let mut rig = Rig::new(t_cluster(TopicConfig::default()));
    for ms in [10, 20, 30] {
        rig.append(0, batch(2, 1, ms));
    }
    rig.broker
        .delete_records(&t(0), Offset(1), &mut rig.journal)
        .unwrap();
    for (partition, epoch, timestamp, expected) in [
        (0, 3, LATEST_TIMESTAMP, (0, 6, -1, 3)),
        (0, -1, EARLIEST_TIMESTAMP, (0, 1, -1, 3)),
        (1, 3, LATEST_TIMESTAMP, (0, 0, -1, 3)),
        (0, 3, 0, (0, 1, 10, 3)),
        (0, 3, 11, (0, 2, 20, 3)),
        (0, 3, 31, (0, -1, -1, -1)),
        (0, 3, -3, (35, -1, -1, -1)),
        (0, 2, 11, (74, -1, -1, -1)),
        (0, 4, 11, (75, -1, -1, -1)),
        (9, 3, 11, (3, -1, -1, -1)),
    ] {
        rig.send(
            1,
            ListOffsetsRequest {
                replica_id: BrokerId(-1),
                isolation_level: 0,
                topics: vec![ListOffsetsTopic {
                    name: "t".into(),
                    partitions: vec![ListOffsetsPartition {
                        partition_index: partition,
                        current_leader_epoch: epoch,
                        timestamp,
                    }],
                }],
                timeout_ms: 0,
            },
        );
        let answers = rig.take();
        let [(_, _, Response::ListOffsets(response))] = answers.as_slice() else {
            panic!("expected one answer to ListOffsets");
        };
        let found = &response.topics[0].partitions[0];
        let found = (
            found.error_code.code(),
            found.offset.0,
            found.timestamp,
            found.leader_epoch,
        );
        assert_eq!(found, expected, "partition {partition}, time {timestamp}");
    }
}

/// Error, name, partitions of each topic.
fn described(rig: &mut Rig, topics: Option<&[&str]>) -> Vec<(i16, String, usize)> {
    let topics = topics.map(|names| {
        names
            .iter()
            .map(|&name| crate::kafka::ids::TopicName::from(name).into())
            .collect()
    });
    rig.send(
        1,
        MetadataRequest {
            topics,
            ..MetadataRequest::default()
        },
    );
    let answers = rig.take();
    let [(_, _, Response::Metadata(response))] = answers.as_slice() else {
        panic!("expected one answer to Metadata");
    };
    assert_eq!(response.brokers.len(), 2);
    let topics = response.topics.iter();
    topics
        .map(|topic| {
            let name = topic.name.as_deref().unwrap_or_default();
            (
                topic.error_code.code(),
                name.to_owned(),
                topic.partitions.len(),
            )
        })
        .collect()
}

#[test]
fn metadata_describes_all_topics_some_or_none() {
    let mut rig = Rig::new(t_cluster(TopicConfig::default()));
    let all = [(0, CONSUMER_OFFSETS.to_owned(), 50), (0, "t".to_owned(), 2)];
    assert_eq!(described(&mut rig, None), all);
    assert_eq!(described(&mut rig, Some(&[])), []);
    let some = [(3, "u".to_owned(), 0), (0, "t".to_owned(), 2)];
    assert_eq!(described(&mut rig, Some(&["u", "t"])), some);
}

#[test]
fn a_group_belongs_to_the_leader_of_its_offsets_partition() {
    for (group, partition) in [
        ("my-consumer-group", 13),
        ("peter-consumer01", 20),
        ("parser", 13),
        ("my-group", 12),
    ] {
        let mut two = t_cluster(TopicConfig::default());
        let offsets = two.topics.get_mut(CONSUMER_OFFSETS).unwrap();
        offsets.partitions[partition].leader = Some(BrokerId(2));
        assert_eq!(group_coordinator(group, &two), Ok(BrokerId(2)), "{group}");
        let owner = TopicPartition::new(CONSUMER_OFFSETS, i32::try_from(partition).unwrap());
        assert_eq!(two.leader(&owner), Some(BrokerId(2)));
    }
}

#[test]
fn find_coordinator_says_15_while_there_is_none() {
    let mut none = t_cluster(TopicConfig::default());
    let find = |rig: &mut Rig, key_type| {
        rig.send(
            1,
            FindCoordinatorRequest {
                key_type,
                coordinator_keys: vec!["my-group".into(), "parser".into()],
            },
        );
        let answers = rig.take();
        let [(_, _, Response::FindCoordinator(response))] = answers.as_slice() else {
            panic!("expected one answer to FindCoordinator");
        };
        let found = response.coordinators.iter();
        found
            .map(|found| (found.error_code.code(), found.node_id.0, found.port))
            .collect::<Vec<_>>()
    };
    let mut rig = Rig::new(none.clone());
    assert_eq!(find(&mut rig, 0), [(0, 1, 9092), (0, 1, 9092)]);
    assert_eq!(find(&mut rig, 1), [(15, -1, -1), (15, -1, -1)]);
    assert_eq!(find(&mut rig, 7), [(42, -1, -1), (42, -1, -1)]);
    let offsets = none.topics.get_mut(CONSUMER_OFFSETS).unwrap();
    offsets.partitions[12].leader = None;
    let mut rig = Rig::new(none.clone());
    assert_eq!(find(&mut rig, 0), [(15, -1, -1), (0, 1, 9092)]);
    none.topics.remove(CONSUMER_OFFSETS);
    assert_eq!(
        group_coordinator("my-group", &none),
        Err(ErrorCode::CoordinatorNotAvailable)
    );
}

type Asked<'a> = (i8, &'a str, Option<&'a str>);

/// Error, and `name=value from source` of every configuration, of each resource.
fn configured(rig: &mut Rig, resources: &[Asked<'_>]) -> Vec<(i16, Vec<String>)> {
    configured_with(rig, resources, false)
}

/// The same, with each configuration's synonyms behind it.
fn configured_with(
    rig: &mut Rig,
    resources: &[Asked<'_>],
    include_synonyms: bool,
) -> Vec<(i16, Vec<String>)> {
    let resources = resources
        .iter()
        .map(|&(kind, name, key)| DescribeConfigsResource {
            resource_type: kind,
            resource_name: name.into(),
            configuration_keys: key.map(|key| vec![key.into()]),
        });
    let resources = resources.collect();
    rig.send(
        1,
        DescribeConfigsRequest {
            resources,
            include_synonyms,
            ..DescribeConfigsRequest::default()
        },
    );
    let answers = rig.take();
    let [(_, _, Response::DescribeConfigs(response))] = answers.as_slice() else {
        panic!("expected one answer to DescribeConfigs, not {answers:?}")
    };
    let results = response.results.iter().map(|result| {
        let configs = result.configs.iter().map(|config| {
            let value = config.value.as_deref().unwrap_or_default();
            let synonyms = config.synonyms.iter().map(|synonym| {
                let value = synonym.value.as_deref().unwrap_or_default();
                format!(" {}={value} from {}", synonym.name, synonym.source)
            });
            let synonyms: String = synonyms.collect();
            format!(
                "{}={value} from {}{synonyms}",
                config.name, config.config_source
            )
        });
        (result.error_code.code(), configs.collect())
    });
    results.collect()
}

#[test]
fn configurations_of_topics_and_of_the_broker_itself_are_configured() {
    let config = TopicConfig {
        retention_ms: 60_000,
        ..TopicConfig::default()
    };
    let mut rig = Rig::new(t_cluster(config));
    let asked = [
        (2, "t", Some("retention.ms")),
        (2, "t", Some("segment.ms")),
        (4, "1", Some("group.min.session.timeout.ms")),
    ];
    let own = |text: &str| (0, vec![text.to_owned()]);
    let expected = [
        own("retention.ms=60000 from 1"),
        own("segment.ms=604800000 from 5"),
        own("group.min.session.timeout.ms=6000 from 5"),
    ];
    assert_eq!(configured(&mut rig, &asked), expected);
    let all = configured(&mut rig, &[(2, "t", None), (4, "1", None)]);
    assert!(
        all.iter()
            .all(|(error, configs)| *error == 0 && configs.len() > 5)
    );
}

#[test]
fn a_topic_says_what_it_takes_from_its_broker_and_from_where() {
    let mut rig = Rig::new(t_cluster(TopicConfig {
        retention_ms: 60_000,
        ..TopicConfig::default()
    }));
    assert_eq!(rig.broker.set_config("message.max.bytes", "2000"), Ok(()));
    let asked = [
        (2, "t", Some("max.message.bytes")),
        (2, "t", Some("retention.ms")),
        (2, "t", Some("segment.ms")),
        (4, "1", Some("message.max.bytes")),
    ];
    let own = |text: &str| (0, vec![text.to_owned()]);
    let of_broker = "message.max.bytes=2000 from 4 message.max.bytes=1048588 from 5";
    let expected = [
        own(&format!("max.message.bytes=2000 from 4 {of_broker}")),
        own("retention.ms=60000 from 1 retention.ms=60000 from 1 log.retention.hours=168 from 5"),
        own("segment.ms=604800000 from 5 log.roll.hours=168 from 5"),
        own(&format!("message.max.bytes=2000 from 4 {of_broker}")),
    ];
    assert_eq!(configured_with(&mut rig, &asked, true), expected);
}

#[test]
fn configurations_of_what_is_not_there_are_refused_one_by_one() {
    let mut rig = Rig::new(t_cluster(TopicConfig::default()));
    let asked = [
        (2, "u", None),
        (2, "?", None),
        (4, "2", None),
        (4, "x", None),
        (4, "", None),
        (32, "g", None),
    ];
    let errors: Vec<i16> = configured(&mut rig, &asked)
        .iter()
        .map(|(error, _)| *error)
        .collect();
    assert_eq!(errors, [3, 17, 42, 42, 0, 42]);
}
