use super::*;
use crate::kafka::broker::rig::batch;

fn log_of(sizes: &[(i32, i64)], config: &TopicConfig) -> PartitionLog {
    let mut log = PartitionLog::new(Offset(0));
    for &(records, timestamp_ms) in sizes {
        let appended = log.append(&batch(records, 100, timestamp_ms), 3, config);
        log.advance_high_watermark(appended.next);
    }
    log
}

fn bases(read: &Read) -> Vec<i64> {
    read.batches
        .iter()
        .map(|batch| batch.base_offset.0)
        .collect()
}

fn segments(log: &PartitionLog) -> Vec<i64> {
    log.segment_bases().map(|base| base.0).collect()
}

/// Three batches of a record fit into a segment: a batch of one 100-byte value is 170 bytes.
fn small_segments() -> TopicConfig {
    TopicConfig {
        segment_bytes: 510,
        ..TopicConfig::default()
    }
}

#[test]
fn a_batch_of_one_record_of_100_bytes_is_170_bytes() {
    assert_eq!(batch(1, 100, 0).size_bytes, 170);
}

#[test]
fn append_gives_offsets_from_the_log_end_and_leaves_the_high_watermark() {
    let config = TopicConfig::default();
    let mut log = PartitionLog::new(Offset(5));
    log.append(&batch(3, 10, 40), 3, &config);
    let appended = log.append(&batch(2, 10, 50), 3, &config);
    assert_eq!((appended.base, appended.next), (Offset(8), Offset(10)));
    assert_eq!(
        (log.log_end(), log.high_watermark()),
        (Offset(10), Offset(5))
    );
    let last = log.batches_from(Offset(9)).next().unwrap();
    assert_eq!(
        (last.base_offset, last.partition_leader_epoch),
        (Offset(8), 3)
    );
    assert!(log.advance_high_watermark(Offset(99)));
    assert_eq!(log.high_watermark(), Offset(10));
    assert!(!log.advance_high_watermark(Offset(9)));
}

#[test]
fn a_read_begins_with_the_batch_that_contains_the_offset_and_ends_below_the_bound() {
    let log = log_of(&[(10, 0); 300], &TopicConfig::default());
    for from in [0, 7, 10, 649, 2_999] {
        let read = log.read(Offset(from), log.log_end(), 1 << 20, AtLeastOne::Nothing);
        assert_eq!(bases(&read)[0], from / 10 * 10);
        assert_eq!(read.batches.len() as i64, 300 - from / 10);
    }
    let below = log.read(Offset(5), Offset(20), 1 << 20, AtLeastOne::Nothing);
    assert_eq!(bases(&below), [0, 10]);
    let at_end = log.read(log.log_end(), log.log_end(), 1 << 20, AtLeastOne::Batch);
    assert_eq!((bases(&at_end).len(), at_end.size_bytes), (0, 0));
}

#[test]
fn the_limit_cuts_to_whole_batches_but_counts_the_piece_that_came_with_them() {
    let log = log_of(&[(1, 0); 5], &TopicConfig::default());
    let read = |limit, rule| {
        let read = log.read(Offset(0), log.log_end(), limit, rule);
        (read.batches.len(), read.size_bytes)
    };
    assert_eq!(read(340, AtLeastOne::Nothing), (2, 340));
    assert_eq!(read(400, AtLeastOne::Nothing), (2, 400));
    assert_eq!(read(169, AtLeastOne::Nothing), (0, 0));
    assert_eq!(read(169, AtLeastOne::Batch), (1, 170));
    assert_eq!(read(10_000, AtLeastOne::Batch), (5, 850));
}

#[test]
fn a_segment_rolls_when_the_next_batch_does_not_fit_or_is_too_much_younger() {
    let log = log_of(&[(1, 0); 7], &small_segments());
    assert_eq!(segments(&log), [0, 3, 6]);
    let by_age = TopicConfig {
        segment_ms: 1_000,
        ..TopicConfig::default()
    };
    let log = log_of(&[(1, 0), (1, 1_000), (1, 1_001), (1, 2_001)], &by_age);
    assert_eq!(segments(&log), [0, 2]);
}

#[test]
fn a_read_stays_inside_one_segment() {
    let log = log_of(&[(1, 0); 7], &small_segments());
    let read = |from| bases(&log.read(Offset(from), log.log_end(), 1 << 20, AtLeastOne::Nothing));
    assert_eq!(read(1), [1, 2]);
    assert_eq!(read(3), [3, 4, 5]);
    assert_eq!(read(6), [6]);
}

#[test]
fn retention_ms_deletes_a_segment_when_its_youngest_record_is_older() {
    let config = TopicConfig {
        retention_ms: 1_000,
        ..small_segments()
    };
    let mut log = log_of(&[(1, 0), (1, 0), (1, 500), (1, 600), (1, 600)], &config);
    assert!(!log.delete_old_segments(Instant::from_ms(1_500), &config));
    assert!(log.delete_old_segments(Instant::from_ms(1_501), &config));
    assert_eq!((log.log_start(), segments(&log)), (Offset(3), vec![3]));
    assert!(log.delete_old_segments(Instant::from_ms(1_601), &config));
    assert_eq!((log.log_start(), segments(&log)), (Offset(5), vec![5]));
    assert_eq!((log.log_end(), log.size_bytes()), (Offset(5), 0));
    assert!(!log.delete_old_segments(Instant::from_ms(9_999), &config));
}

#[test]
fn retention_bytes_keeps_at_least_that_much() {
    let config = TopicConfig {
        retention_bytes: 600,
        ..small_segments()
    };
    let mut log = log_of(&[(1, 0); 6], &config);
    assert!(!log.delete_old_segments(Instant::ZERO, &config));
    log.append(&batch(1, 100, 0), 3, &config);
    log.advance_high_watermark(Offset(7));
    assert!(log.delete_old_segments(Instant::ZERO, &config));
    assert_eq!((log.log_start(), log.size_bytes()), (Offset(3), 680));
}

#[test]
fn nothing_at_or_above_the_high_watermark_is_deleted() {
    let config = TopicConfig {
        retention_ms: 0,
        ..small_segments()
    };
    let mut log = PartitionLog::new(Offset(0));
    for _ in 0..7 {
        log.append(&batch(1, 100, 0), 3, &config);
    }
    log.advance_high_watermark(Offset(5));
    assert!(log.delete_old_segments(Instant::from_ms(10), &config));
    assert_eq!(log.log_start(), Offset(3));
}

#[test]
fn delete_records_moves_the_log_start_at_once_and_the_segments_at_the_next_check() {
    let config = small_segments();
    let mut log = log_of(&[(1, 0); 7], &config);
    assert_eq!(
        log.delete_records(Offset(8)),
        Err(ErrorCode::OffsetOutOfRange)
    );
    assert_eq!(log.delete_records(Offset(4)), Ok(true));
    assert_eq!(log.delete_records(Offset(3)), Ok(false));
    assert_eq!(
        (log.log_start(), segments(&log)),
        (Offset(4), vec![0, 3, 6])
    );
    assert_eq!(log.batches_from(Offset(0)).count(), 3);
    assert!(!log.delete_old_segments(Instant::ZERO, &config));
    assert_eq!((log.log_start(), segments(&log)), (Offset(4), vec![3, 6]));
}

#[test]
fn a_time_finds_the_first_record_that_is_not_older_and_not_deleted() {
    // Timestamps need not ascend. Two batches fit into a segment.
    let config = TopicConfig {
        segment_bytes: 600,
        ..TopicConfig::default()
    };
    let times = [10, 30, 20, 20, 40, 50, 60].map(|ms| (2, ms));
    let mut log = log_of(&times, &config);
    let find = |log: &PartitionLog, ms| {
        let found = log.offset_for_timestamp(ms, log.high_watermark());
        found.map(|found| (found.offset.0, found.timestamp_ms))
    };
    assert_eq!(find(&log, 0), Some((0, 10)));
    assert_eq!(find(&log, 11), Some((2, 30)));
    assert_eq!(find(&log, 31), Some((8, 40)));
    assert_eq!(find(&log, 60), Some((12, 60)));
    assert_eq!(find(&log, 61), None);
    assert_eq!(log.offset_for_timestamp(60, Offset(12)), None);
    log.delete_records(Offset(3)).unwrap();
    assert_eq!(find(&log, 0), Some((3, 30)));
    // Kafka looks into the first segment that is young enough and into no other, even if the segment only
    // waits to be deleted.
    log.delete_records(Offset(5)).unwrap();
    assert_eq!(find(&log, 0), None);
    log.delete_old_segments(Instant::ZERO, &config);
    assert_eq!(find(&log, 0), Some((5, 20)));
}

#[test]
fn a_clone_does_not_feel_later_appends() {
    let config = TopicConfig::default();
    let mut log = log_of(&[(1, 0); 100], &config);
    let keyframe = log.clone();
    log.append(&batch(1, 100, 0), 3, &config);
    assert_eq!(keyframe.log_end(), Offset(100));
    assert_eq!(keyframe.batches_from(Offset(0)).count(), 100);
    assert_eq!(log.batches_from(Offset(0)).count(), 101);
}

#[test]
fn a_preset_keeps_offsets_gaps_and_bounds() {
    let at = |base_offset| {
        let base_offset = Offset(base_offset);
        Rc::new(RecordBatch {
            base_offset,
            partition_leader_epoch: 3,
            ..RecordBatch::clone(&batch(2, 10, 0))
        })
    };
    let preset = LogPreset {
        log_start: Offset(11),
        high_watermark: Some(Offset(21)),
        batches: vec![at(10), at(20)],
    };
    let log = PartitionLog::from_preset(preset, &TopicConfig::default());
    let bounds = (log.log_start(), log.high_watermark(), log.log_end());
    assert_eq!(bounds, (Offset(11), Offset(21), Offset(22)));
    let read = log.read(Offset(12), log.log_end(), 1 << 20, AtLeastOne::Nothing);
    assert_eq!(bases(&read), [20]);
    let empty = LogPreset {
        log_start: Offset(7),
        high_watermark: None,
        batches: vec![],
    };
    let log = PartitionLog::from_preset(empty, &TopicConfig::default());
    assert_eq!((log.log_start(), log.log_end()), (Offset(7), Offset(7)));
}
