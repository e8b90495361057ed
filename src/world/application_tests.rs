use super::*;
use crate::kafka::client::consumer::ConsumerRecord;
use crate::kafka::ids::Generation;
use crate::world::setup::OnPoison;

fn member() -> Rc<Membership> {
    Rc::new(Membership {
        group: "g".into(),
        actor: "c1".into(),
        process: 1,
        member_id: "c1-1".into(),
        group_instance_id: None,
        generation: Generation(1),
    })
}

fn batch(offsets: std::ops::Range<i64>) -> ConsumerEvent {
    let records = offsets
        .map(|offset| ConsumerRecord {
            offset: Offset(offset),
            timestamp_ms: 0,
            batch: Rc::new([]),
            index: 0,
        })
        .collect();
    let partition = TopicPartition::new("orders", 0);
    let records = vec![PartitionRecords { partition, records }];
    ConsumerEvent::Returned(Ok(Returned::Records(records)))
}

/// A program with its journal.
struct Run {
    application: Application,
    journal: Journal,
    poison: Poison,
}

impl Run {
    fn new(spec: ApplicationSpec, enable_auto_commit: bool) -> Self {
        let mut journal = Journal::default();
        journal.begin(Instant(0), FactId(0));
        let chance = Chance::new(1, "test");
        Self {
            application: Application::new(
                Rc::new(spec),
                enable_auto_commit,
                vec![],
                chance,
                Instant(0),
            ),
            journal,
            poison: Poison::new(),
        }
    }

    fn next(&mut self) -> Intent {
        self.application
            .next(&self.poison, &member(), &mut self.journal)
    }

    fn hear(&mut self, event: ConsumerEvent) -> Intent {
        self.application.hear(event, &mut self.journal);
        self.next()
    }

    fn returns(&mut self) -> Intent {
        self.hear(ConsumerEvent::Returned(Ok(Returned::Nothing)))
    }

    fn wake(&mut self) -> Intent {
        let ((at, _), set_by) = self.application.next_wake().unwrap();
        self.journal.begin(at, set_by);
        self.application
            .wake(&self.poison, &member(), &mut self.journal);
        self.next()
    }

    fn done(&mut self) -> Vec<(i64, i64)> {
        let facts = self.journal.take_facts();
        let done = facts.iter().filter_map(|fact| match &fact.kind {
            FactKind::Done { base, next, .. } => Some((base.0, next.0)),
            _ => None,
        });
        done.collect()
    }
}

const POLL: Intent = Intent::Call(Call::Poll {
    timeout: Duration(-1),
});
const COMMIT_ALL: Intent = Intent::Call(Call::CommitSync { offsets: None });

fn commit(offset: i64) -> Intent {
    let offsets = SortedMap::from([(TopicPartition::new("orders", 0), Offset(offset))]);
    Intent::Call(Call::CommitSync {
        offsets: Some(offsets),
    })
}

#[test]
fn a_program_without_auto_commit_commits_each_batch_when_it_is_done() {
    let mut run = Run::new(ApplicationSpec::default(), false);
    assert_eq!(run.next(), POLL);
    assert_eq!(run.hear(batch(0..5)), COMMIT_ALL);
    assert_eq!(run.done(), [(0, 5)]);
    assert_eq!(run.returns(), POLL);
    assert_eq!(run.hear(batch(0..0)), POLL);
}

#[test]
fn commits_per_records_carry_what_is_done_across_batches() {
    let spec = ApplicationSpec {
        commit: Some(CommitStyle::SyncEvery { records: 100 }),
        ..ApplicationSpec::default()
    };
    let mut run = Run::new(spec, false);
    run.next();
    assert_eq!(run.hear(batch(1000..1150)), commit(1100));
    assert_eq!(run.returns(), POLL);
    assert_eq!(run.done(), [(1000, 1100), (1100, 1150)]);
    assert_eq!(run.hear(batch(1150..1200)), commit(1200));
}

#[test]
fn a_crash_after_so_many_records_leaves_the_rest_undone() {
    let spec = ApplicationSpec {
        commit: Some(CommitStyle::SyncBeforeProcessing),
        crash_after_records: Some(320),
        ..ApplicationSpec::default()
    };
    let mut run = Run::new(spec, false);
    run.next();
    assert_eq!(run.hear(batch(1000..1500)), COMMIT_ALL);
    assert_eq!(run.returns(), Intent::End(StopCause::Failed));
    assert_eq!(run.done(), [(1000, 1320)]);
}

#[test]
fn records_take_their_time_one_after_the_other() {
    let spec = ApplicationSpec {
        time_per_record: Duration(7),
        ..ApplicationSpec::default()
    };
    let mut run = Run::new(spec, true);
    run.next();
    assert_eq!(run.hear(batch(0..2)), Intent::Wait);
    assert_eq!(
        run.application.phase(),
        (Phase::Processing, Instant(0), Some(Instant(7)))
    );
    assert_eq!(run.wake(), Intent::Wait);
    assert_eq!(run.done(), [(0, 1)]);
    assert_eq!(run.wake(), POLL);
    assert_eq!(run.journal.now(), Instant(14));
    assert_eq!(run.done(), [(1, 2)]);
}

#[test]
fn a_poll_period_keeps_to_its_grid() {
    let spec = ApplicationSpec {
        poll: PollStyle::Every {
            period: Duration(10),
            phase: Duration(3),
        },
        ..ApplicationSpec::default()
    };
    let poll = Intent::Call(Call::Poll {
        timeout: Duration::ZERO,
    });
    let mut run = Run::new(spec, true);
    assert_eq!(run.next(), Intent::Wait);
    for at in [3, 13, 23] {
        assert_eq!(run.wake(), poll);
        assert_eq!(run.journal.now(), Instant(at));
        assert_eq!(run.hear(batch(0..0)), Intent::Wait);
    }
}

#[test]
fn a_busy_program_polls_up_to_the_instant_at_which_it_goes_away() {
    let spec = ApplicationSpec {
        busy: vec![crate::world::setup::Busy {
            from: Instant(50),
            until: Instant(90),
        }],
        ..ApplicationSpec::default()
    };
    let mut run = Run::new(spec, true);
    let poll = Intent::Call(Call::Poll {
        timeout: Duration(50),
    });
    assert_eq!(run.next(), poll);
    run.journal.begin(Instant(50), FactId(0));
    assert_eq!(run.hear(batch(0..0)), Intent::Wait);
    assert_eq!(run.application.phase().0, Phase::Away);
    assert_eq!(run.wake(), POLL);
    assert_eq!(run.journal.now(), Instant(90));
}

#[test]
fn a_revocation_can_commit_before_the_callback_returns() {
    let spec = ApplicationSpec {
        commit: Some(CommitStyle::None),
        commit_when_revoked: true,
        callback_time: Duration(4),
        ..ApplicationSpec::default()
    };
    let mut run = Run::new(spec, false);
    run.next();
    assert_eq!(run.hear(batch(0..5)), POLL);
    let revoked = ConsumerEvent::CallbackCalled {
        callback: Callback::Revoked,
        partitions: vec![TopicPartition::new("orders", 0)],
    };
    assert_eq!(run.hear(revoked), commit(5));
    assert_eq!(run.returns(), Intent::Wait);
    assert_eq!(run.wake(), Intent::CallbackDone);
    assert_eq!(run.next(), Intent::Wait, "the poll is still out");
    assert_eq!(run.hear(batch(0..0)), POLL);
}

#[test]
fn a_failed_asynchronous_commit_is_sent_again_as_it_was() {
    let spec = ApplicationSpec {
        commit: Some(CommitStyle::AsyncEveryWithResend { records: 1 }),
        ..ApplicationSpec::default()
    };
    let mut run = Run::new(spec, false);
    run.next();
    let carried = |offset, id| {
        let offsets = Some(SortedMap::from([(
            TopicPartition::new("orders", 0),
            Offset(offset),
        )]));
        Intent::Call(Call::CommitAsync { offsets, id })
    };
    assert_eq!(run.hear(batch(0..2)), carried(1, 1));
    assert_eq!(run.returns(), carried(2, 2));
    let failed = ConsumerEvent::AsyncCommitDone {
        id: 1,
        result: Err(Exception::Timeout),
    };
    assert_eq!(run.hear(failed), Intent::Wait);
    assert_eq!(run.returns(), carried(1, 3));
}

#[test]
fn a_fenced_program_ends() {
    let mut run = Run::new(ApplicationSpec::default(), true);
    run.next();
    let fenced = ConsumerEvent::Returned(Err(Exception::FencedInstanceId));
    assert_eq!(run.hear(fenced), Intent::End(StopCause::Failed));
}

#[test]
fn a_poisoned_record_that_is_skipped_is_never_done() {
    let spec = ApplicationSpec {
        on_poison: OnPoison::Skip,
        ..ApplicationSpec::default()
    };
    let mut run = Run::new(spec, true);
    run.poison
        .insert((TopicPartition::new("orders", 0), Offset(1)));
    run.next();
    assert_eq!(run.hear(batch(0..3)), POLL);
    assert_eq!(run.done(), [(0, 1), (2, 3)]);
}
