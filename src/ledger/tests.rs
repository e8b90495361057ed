//! The worked examples of spec/08, as facts written by hand.

use super::*;
use crate::kafka::fact::{
    CommitKind, Exception, FactId, GroupState, GroupWhy, MemberState, PositionCause,
};
use crate::kafka::ids::{Generation, GroupInstanceId, MemberId, Offset, TopicName};

const GROUP: &str = "g";

/// A ledger and a pen that writes facts into it.
#[derive(Default)]
struct Book {
    ledger: Ledger,
    last: u64,
    now: Instant,
    instance_of: SortedMap<String, GroupInstanceId>,
    generation: i32,
}

fn group() -> Readers {
    Readers::Group(GROUP.into())
}

fn p(partition: i32) -> TopicPartition {
    TopicPartition::new("t", partition)
}

impl Book {
    fn at(&mut self, ms: i64) -> &mut Self {
        assert!(Instant::from_ms(ms) >= self.now);
        self.now = Instant::from_ms(ms);
        self
    }

    fn note(&mut self, kind: FactKind) -> &mut Self {
        self.ledger.has_begun = true;
        self.tell(kind)
    }

    /// What was there before anything happened.
    fn preset(&mut self, kind: FactKind) -> &mut Self {
        self.ledger.has_begun = false;
        self.tell(kind)
    }

    fn tell(&mut self, kind: FactKind) -> &mut Self {
        self.last += 1;
        self.ledger.fold(&Fact {
            id: FactId(self.last),
            at: self.now,
            cause: FactId::BEGINNING,
            kind,
        });
        self
    }

    fn member(&self, actor: &str) -> Rc<Membership> {
        Rc::new(Membership {
            group: GROUP.into(),
            actor: actor.into(),
            process: 1,
            member_id: format!("{actor}-id").into(),
            group_instance_id: self.instance_of.get(actor).cloned(),
            generation: Generation(1),
        })
    }

    fn topic(&mut self, partitions: i32) -> &mut Self {
        for partition in 0..partitions {
            self.note(FactKind::PartitionCreated {
                partition: p(partition),
                leader: crate::kafka::ids::BrokerId(1),
            });
        }
        self
    }

    fn high_watermark(&mut self, partition: i32, offset: i64) -> &mut Self {
        let end = self
            .ledger
            .log(&p(partition))
            .map_or(Offset(0), |log| log.end);
        let timestamp = self.now.as_ms();
        self.note(FactKind::Append {
            partition: p(partition),
            base: end,
            next: Offset(offset),
            max_timestamp_ms: timestamp,
        });
        self.note(FactKind::HwAdvance {
            partition: p(partition),
            offset: Offset(offset),
        })
    }

    fn log_start(&mut self, partition: i32, offset: i64) -> &mut Self {
        self.note(FactKind::LogStartAdvance {
            partition: p(partition),
            offset: Offset(offset),
        })
    }

    fn subscribe(&mut self, actor: &str) -> &mut Self {
        let member = self.member(actor);
        self.note(FactKind::SubscriptionChanged {
            member,
            topics: vec![TopicName::from("t")],
            pattern: None,
        })
    }

    fn state(&mut self, from: GroupState, to: GroupState, why: GroupWhy) -> &mut Self {
        self.note(FactKind::GroupStateChanged {
            group: GROUP.into(),
            from,
            to,
            generation: Generation(self.generation),
            why,
        })
    }

    fn prepare(&mut self, why: GroupWhy) -> &mut Self {
        self.state(GroupState::Stable, GroupState::PreparingRebalance, why)
    }

    /// The join is complete and the assignment in force at once.
    fn stable(&mut self, shares: &[(&str, &[i32])]) -> &mut Self {
        use GroupState::{CompletingRebalance, PreparingRebalance, Stable};
        self.generation += 1;
        self.state(PreparingRebalance, CompletingRebalance, GroupWhy::AllJoined);
        let assigned = self.assigned(shares);
        self.note(assigned);
        self.state(CompletingRebalance, Stable, GroupWhy::AssignmentStored)
    }

    fn assigned(&self, shares: &[(&str, &[i32])]) -> FactKind {
        let share = |&(actor, partitions): &(&str, &[i32])| {
            let member = self.member(actor);
            let partitions = partitions.iter().map(|&partition| p(partition)).collect();
            (
                member.member_id.clone(),
                member.group_instance_id.clone(),
                partitions,
            )
        };
        FactKind::Assigned {
            group: GROUP.into(),
            generation: Generation(self.generation),
            shares: shares.iter().map(share).collect(),
        }
    }

    fn acquire(&mut self, actor: &str, partitions: &[i32]) -> &mut Self {
        for &partition in partitions {
            let member = self.member(actor);
            let partition = p(partition);
            self.note(FactKind::Acquire { member, partition });
        }
        self
    }

    fn release(&mut self, actor: &str, cause: ReleaseCause, partitions: &[i32]) -> &mut Self {
        for &partition in partitions {
            let member = self.member(actor);
            self.note(FactKind::Release {
                member,
                partition: p(partition),
                cause,
            });
        }
        self
    }

    fn position(&mut self, actor: &str, offset: i64, cause: PositionCause) -> &mut Self {
        let member = self.member(actor);
        self.note(FactKind::PositionSet {
            member,
            partition: p(0),
            offset: Offset(offset),
            cause,
        })
    }

    fn deliver(&mut self, actor: &str, base: i64, next: i64) -> &mut Self {
        let member = self.member(actor);
        self.note(FactKind::Deliver {
            member,
            partition: p(0),
            base: Offset(base),
            next: Offset(next),
        })
    }

    fn done(&mut self, actor: &str, base: i64, next: i64) -> &mut Self {
        let member = self.member(actor);
        self.note(FactKind::Done {
            member,
            partition: p(0),
            base: Offset(base),
            next: Offset(next),
        })
    }

    fn commit(&mut self, offset: i64) -> &mut Self {
        self.note(FactKind::CommitStored {
            group: GROUP.into(),
            partition: p(0),
            offset: Offset(offset),
            member_id: MemberId::default(),
        })
    }

    fn stop(&mut self, actor: &str, how: StopCause) -> &mut Self {
        self.note(FactKind::Stopped {
            actor: actor.into(),
            process: 1,
            how,
        })
    }

    fn kill(&mut self, actor: &str, partitions: &[i32]) -> &mut Self {
        self.release(actor, ReleaseCause::Crashed, partitions);
        self.stop(actor, StopCause::Killed)
    }

    fn group(&self) -> &GroupLedger {
        self.ledger
            .group(&GROUP.into())
            .expect("the group is there")
    }

    fn partition(&self, partition: i32) -> &PartitionLedger {
        self.group().partition(&p(partition)).expect("it is there")
    }

    fn lag(&self) -> [Option<i64>; 3] {
        let lag = self.ledger.lag(&group(), &p(0)).expect("it is there");
        [lag.committed, lag.position, lag.processing]
    }

    fn duplicates(&self) -> (u64, u64, u64) {
        let deliveries = &self.partition(0).deliveries;
        let duplicates = deliveries.duplicates();
        (
            duplicates.deliveries(),
            duplicates.processings(),
            deliveries.skipped(),
        )
    }

    fn unowned_ms(&self, partition: i32) -> i64 {
        self.ledger
            .unowned(&group(), &p(partition), self.now)
            .as_ms()
    }
}

#[test]
fn example_1_a_crash_delivers_again_what_came_after_the_last_commit() {
    let mut book = Book::default();
    book.topic(1)
        .subscribe("c1")
        .subscribe("c2")
        .acquire("c1", &[0]);
    book.position("c1", 0, PositionCause::Committed);
    book.at(15_000).high_watermark(0, 150);
    book.deliver("c1", 0, 130).done("c1", 0, 130).commit(130);
    book.deliver("c1", 130, 140).done("c1", 130, 140);
    book.at(17_000).high_watermark(0, 170);
    book.deliver("c1", 140, 160).done("c1", 140, 160);
    book.at(18_000).kill("c1", &[0]);
    book.at(28_000).high_watermark(0, 280);
    assert_eq!(book.lag(), [Some(150), None, None]);
    book.acquire("c2", &[0])
        .position("c2", 130, PositionCause::Committed);
    assert_eq!(book.lag(), [Some(150), Some(150), Some(150)]);
    book.deliver("c2", 130, 200).deliver("c2", 200, 280);
    assert_eq!(book.duplicates(), (30, 0, 0));
    assert_eq!(book.unowned_ms(0), 10_000);
    let deliveries = &book.partition(0).deliveries;
    assert_eq!(deliveries.duplicates().deliveries_by_cause()[0], 30);
    let run = deliveries.duplicates().runs().last().expect("one run");
    assert_eq!((run.base, run.next), (Offset(130), Offset(160)));
    assert_eq!(run.cause, DuplicateCause::Crash);
    let start = deliveries.owner().and_then(|owner| owner.start.as_ref());
    assert_eq!(start.map(|start| start.fact), Some(run.position_set));
}

/// Batch 1000–1499 with C = 1000, done up to 1320, crash; the next owner reads to the end.
fn crash_mid_batch(commit_first: Option<i64>, commits: &[i64], next_from: i64) -> (u64, u64, u64) {
    let mut book = Book::default();
    book.topic(1).subscribe("c1").subscribe("c2");
    book.high_watermark(0, 1_500)
        .preset(FactKind::CommitStored {
            group: GROUP.into(),
            partition: p(0),
            offset: Offset(1_000),
            member_id: MemberId::default(),
        });
    book.acquire("c1", &[0])
        .position("c1", 1_000, PositionCause::Committed);
    book.deliver("c1", 1_000, 1_500);
    if let Some(offset) = commit_first {
        book.commit(offset);
        assert_eq!(book.duplicates().2, 0, "in doubt is not skipped");
    }
    book.done("c1", 1_000, 1_320);
    for &offset in commits {
        book.commit(offset);
    }
    book.at(1_000).kill("c1", &[0]);
    book.at(2_000).acquire("c2", &[0]);
    book.position("c2", next_from, PositionCause::Committed);
    if next_from < 1_500 {
        book.deliver("c2", next_from, 1_500)
            .done("c2", next_from, 1_500);
    }
    book.duplicates()
}

#[test]
fn example_2_where_the_commit_stands_decides_between_duplicates_and_losses() {
    assert_eq!(crash_mid_batch(None, &[], 1_000), (500, 320, 0));
    assert_eq!(crash_mid_batch(Some(1_500), &[], 1_500), (0, 0, 180));
    assert_eq!(
        crash_mid_batch(None, &[1_100, 1_200, 1_300], 1_300),
        (200, 20, 0)
    );
}

#[test]
fn example_3_a_rewound_commit_is_blamed_for_what_comes_again() {
    let mut book = Book::default();
    book.topic(1)
        .subscribe("c1")
        .subscribe("c2")
        .high_watermark(0, 6);
    book.acquire("c1", &[0])
        .position("c1", 1, PositionCause::Committed);
    book.deliver("c1", 1, 6)
        .done("c1", 1, 6)
        .commit(2)
        .commit(6)
        .commit(3);
    book.kill("c1", &[0]).acquire("c2", &[0]);
    book.position("c2", 3, PositionCause::Committed)
        .deliver("c2", 3, 6);
    assert_eq!(book.duplicates().0, 3);
    let run = book.partition(0).deliveries.duplicates().runs().last();
    assert_eq!(
        run.map(|run| run.cause),
        Some(DuplicateCause::RewoundCommit)
    );
}

fn two_members() -> Book {
    let mut book = Book::default();
    book.topic(6).subscribe("c1").subscribe("c2");
    let before = book.assigned(&[("c1", &[0, 1, 2]), ("c2", &[3, 4, 5])]);
    book.preset(before);
    book.acquire("c1", &[0, 1, 2]).acquire("c2", &[3, 4, 5]);
    book.subscribe("c3");
    book.prepare(GroupWhy::MemberJoined("c3-id".into()));
    book
}

#[test]
fn example_4_eager() {
    let mut book = two_members();
    book.at(1_000)
        .release("c1", ReleaseCause::EagerRevoke, &[0, 1, 2]);
    book.at(2_000)
        .release("c2", ReleaseCause::EagerRevoke, &[3, 4, 5]);
    book.at(2_050)
        .stable(&[("c1", &[0, 1]), ("c2", &[2, 3]), ("c3", &[4, 5])]);
    book.acquire("c1", &[0, 1])
        .acquire("c2", &[2, 3])
        .acquire("c3", &[4, 5]);
    let now = book.now;
    let paused = |partition| book.partition(partition).ownership.paused(now).as_ms();
    assert_eq!(
        [0, 1, 2, 3, 4, 5].map(paused),
        [1_050, 1_050, 1_050, 50, 50, 50]
    );
    let group = book.group();
    assert_eq!(group.paused(now).as_ms(), 3_300);
    let stopped = |actor: &str| group.members.stop_the_world(&actor.into(), now).as_ms();
    assert_eq!(["c1", "c2", "c3"].map(stopped), [1_050, 50, 0]);
    assert_eq!(
        (group.rebalances.count(), group.rebalances.moved()),
        (1, (0, 3))
    );
    let rebalance = group.rebalances.closed().last().expect("one");
    assert_eq!(rebalance.duration().map(Duration::as_ms), Some(2_050));
    assert_eq!(rebalance.movements.stickiness_permille(), Some(500));
    assert_eq!(group.members.revoked(), 6);
}

#[test]
fn example_4_cooperative() {
    let mut book = two_members();
    book.at(2_050)
        .stable(&[("c1", &[0, 1]), ("c2", &[3, 4]), ("c3", &[])]);
    book.release("c1", ReleaseCause::CooperativeRevoke, &[2]);
    book.release("c2", ReleaseCause::CooperativeRevoke, &[5]);
    book.prepare(GroupWhy::LeaderRejoined("c1-id".into()));
    book.at(5_050)
        .stable(&[("c1", &[0, 1]), ("c2", &[3, 4]), ("c3", &[2, 5])]);
    book.acquire("c3", &[2, 5]);
    let group = book.group();
    assert_eq!(group.paused(book.now).as_ms(), 6_000);
    assert_eq!(
        (group.rebalances.count(), group.rebalances.moved()),
        (2, (0, 2))
    );
    let rounds: Vec<_> = group.rebalances.closed().iter().collect();
    assert_eq!(rounds[0].duration().map(Duration::as_ms), Some(2_050));
    assert_eq!(rounds[1].duration().map(Duration::as_ms), Some(3_000));
    assert_eq!((rounds[1].chain, rounds[1].round), (1, 2));
    assert_eq!(rounds[1].chain_started, Instant::ZERO);
    assert_eq!(rounds[1].movements.stickiness_permille(), Some(666));
    assert_eq!(group.members.revoked(), 2);
    let causes = book.partition(2).ownership.unowned_by_cause(book.now);
    assert_eq!(causes.map(Duration::as_ms), [0, 0, 3_000, 0, 0]);
}

#[test]
fn example_5_a_static_member_outside_its_session_moves_six_partitions() {
    let mut book = Book::default();
    for name in ["s1", "s2"] {
        book.instance_of.insert(name.to_owned(), name.into());
    }
    let all = &[0, 1, 2, 3, 4, 5];
    book.topic(6).subscribe("s1").subscribe("s2");
    let before = book.assigned(&[("s1", &[0, 1, 2]), ("s2", &[3, 4, 5])]);
    book.preset(before);
    book.acquire("s1", &[0, 1, 2]).acquire("s2", &[3, 4, 5]);
    book.at(1_000)
        .release("s1", ReleaseCause::Closed, &[0, 1, 2])
        .stop("s1", StopCause::Closed);
    book.at(46_000)
        .prepare(GroupWhy::SessionExpired("s1-id".into()));
    book.at(48_500)
        .release("s2", ReleaseCause::EagerRevoke, &[3, 4, 5]);
    book.at(48_550).stable(&[("s2", all)]).acquire("s2", all);
    book.at(61_000)
        .subscribe("s1")
        .prepare(GroupWhy::MemberJoined("s1-id".into()));
    book.at(63_500)
        .release("s2", ReleaseCause::EagerRevoke, all);
    book.at(63_550)
        .stable(&[("s1", &[0, 1, 2]), ("s2", &[3, 4, 5])]);
    book.acquire("s1", &[0, 1, 2]).acquire("s2", &[3, 4, 5]);
    assert_eq!(book.unowned_ms(0), 47_600);
    assert_eq!(book.unowned_ms(3), 100);
    assert_eq!(book.group().rebalances.moved(), (3, 3));
    let departure = book.group().departures.list().last().expect("one");
    assert_eq!(departure.detection().map(Duration::as_ms), Some(45_000));
}

#[test]
fn example_6_a_zombie_still_holds_what_its_successor_holds() {
    let mut book = Book::default();
    book.topic(1)
        .subscribe("c1")
        .subscribe("c2")
        .high_watermark(0, 500);
    book.acquire("c1", &[0])
        .position("c1", 0, PositionCause::ResetEarliest);
    book.deliver("c1", 0, 500);
    book.at(301_550).done("c1", 0, 301).acquire("c2", &[0]);
    book.position("c2", 0, PositionCause::ResetEarliest)
        .deliver("c2", 0, 500);
    book.at(500_000)
        .done("c1", 301, 500)
        .release("c1", ReleaseCause::Lost, &[0]);
    book.at(600_000).done("c2", 0, 298);
    assert_eq!(book.duplicates(), (500, 298, 0));
    let ownership = &book.partition(0).ownership;
    assert_eq!(ownership.double_claim(book.now).as_ms(), 198_450);
    assert_eq!((book.unowned_ms(0), ownership.pauses()), (0, 0));
}

#[test]
fn example_7_four_lags_at_one_instant() {
    for (committed, expected) in [(900, (200, 150, 0)), (1_080, (20, 0, 30))] {
        let mut book = Book::default();
        book.topic(1)
            .subscribe("c1")
            .subscribe("c2")
            .high_watermark(0, 1_200);
        book.log_start(0, 300);
        book.acquire("c1", &[0])
            .position("c1", 300, PositionCause::ResetEarliest);
        book.deliver("c1", 300, 1_100)
            .done("c1", 300, 1_050)
            .commit(committed);
        assert_eq!(book.lag(), [Some(1_200 - committed), Some(100), Some(150)]);
        book.kill("c1", &[0]).acquire("c2", &[0]);
        book.position("c2", committed, PositionCause::Committed);
        book.deliver("c2", committed, 1_200)
            .done("c2", committed, 1_200);
        assert_eq!(book.duplicates(), expected);
    }
}

#[test]
fn example_8_latest_skips_silently_and_earliest_does_not() {
    for (cause, offset, skipped) in [
        (PositionCause::ResetLatest, 1_200, 1_200),
        (PositionCause::ResetEarliest, 0, 0),
    ] {
        let mut book = Book::default();
        book.topic(1)
            .subscribe("c1")
            .high_watermark(0, 1_200)
            .acquire("c1", &[0]);
        book.position("c1", offset, cause).commit(offset);
        let deliveries = &book.partition(0).deliveries;
        assert_eq!(deliveries.skipped_by_reset(), skipped);
        assert_eq!(deliveries.skipped(), 0);
        assert_eq!(book.lag()[0], Some(1_200 - offset));
    }
}

#[test]
fn what_retention_takes_before_it_is_read_is_counted_apart() {
    let mut book = Book::default();
    book.topic(1)
        .subscribe("c1")
        .high_watermark(0, 1_000)
        .acquire("c1", &[0]);
    book.position("c1", 0, PositionCause::Committed);
    book.deliver("c1", 0, 100).done("c1", 0, 100).commit(100);
    book.kill("c1", &[0]).log_start(0, 400);
    book.subscribe("c2").acquire("c2", &[0]);
    book.position("c2", 1_000, PositionCause::ResetLatest)
        .commit(1_000);
    let deliveries = &book.partition(0).deliveries;
    assert_eq!(deliveries.expired_unread(), 300);
    assert_eq!(deliveries.skipped_by_reset(), 600);
    assert_eq!(deliveries.skipped(), 0);
}

#[test]
fn time_without_any_consumer_is_told_apart_from_detection() {
    let mut book = Book::default();
    book.topic(1).subscribe("c1").at(3_000).acquire("c1", &[0]);
    book.at(10_000).kill("c1", &[0]);
    book.at(12_000)
        .subscribe("c2")
        .at(54_000)
        .acquire("c2", &[0]);
    let ownership = &book.partition(0).ownership;
    let causes = ownership.unowned_by_cause(book.now).map(Duration::as_ms);
    assert_eq!(causes, [3_000, 0, 0, 42_000, 2_000]);
    assert_eq!(ownership.paused(book.now).as_ms(), 44_000);
}

#[test]
fn a_partition_added_later_is_unowned_from_its_creation() {
    let mut book = Book::default();
    book.topic(1).subscribe("c1").acquire("c1", &[0]);
    book.at(5_000).topic(2).at(9_000).acquire("c1", &[1]);
    assert_eq!((book.unowned_ms(0), book.unowned_ms(1)), (0, 4_000));
}

#[test]
fn a_failed_commit_is_blamed_when_the_records_come_again() {
    let mut book = Book::default();
    book.topic(1)
        .subscribe("c1")
        .subscribe("c2")
        .high_watermark(0, 10);
    book.acquire("c1", &[0])
        .position("c1", 0, PositionCause::ResetEarliest);
    book.deliver("c1", 0, 10).done("c1", 0, 10);
    let member = book.member("c1");
    book.note(FactKind::CommitFinished {
        member,
        kind: CommitKind::Sync,
        error: Some(Exception::RebalanceInProgress),
    });
    book.release("c1", ReleaseCause::EagerRevoke, &[0])
        .acquire("c2", &[0]);
    book.position("c2", 0, PositionCause::Committed)
        .deliver("c2", 0, 10);
    assert_eq!(book.duplicates().0, 10);
    let causes = book
        .partition(0)
        .deliveries
        .duplicates()
        .deliveries_by_cause();
    assert_eq!(causes[2], 10);
}

#[test]
fn memory_stays_bounded_and_totals_exact_when_every_second_record_is_skipped() {
    let mut book = Book::default();
    book.topic(1).subscribe("c1").acquire("c1", &[0]);
    book.position("c1", 0, PositionCause::ResetEarliest);
    for pair in 0..20_000_i64 {
        let base = pair * 2;
        book.high_watermark(0, base + 2)
            .deliver("c1", base, base + 2);
        book.done("c1", base, base + 1).commit(base + 2);
    }
    assert_eq!(book.duplicates(), (0, 0, 0), "in doubt is not skipped");
    book.kill("c1", &[0]);
    assert_eq!(book.partition(0).deliveries.done(), 20_000);
    assert_eq!(book.duplicates().2, 20_000);
}

#[test]
fn a_member_waits_from_its_first_join_group_on() {
    let mut book = Book::default();
    let mut step = |ms, from, to| {
        book.at(ms);
        let member = book.member("c1");
        book.note(FactKind::MemberStateChanged { member, from, to });
    };
    use MemberState::{CompletingRebalance, PreparingRebalance, Stable, Unjoined};
    step(0, Unjoined, PreparingRebalance);
    step(1, PreparingRebalance, Unjoined);
    step(2, Unjoined, PreparingRebalance);
    step(3_000, PreparingRebalance, CompletingRebalance);
    step(3_050, CompletingRebalance, Stable);
    let totals = book
        .group()
        .members
        .totals(&"c1".into())
        .expect("it is there");
    assert_eq!(totals.join_wait.map(Duration::as_ms), Some(3_000));
    assert_eq!(totals.rebalances, 1);
    let times: Vec<_> = totals
        .rebalance_times
        .iter()
        .map(|time| time.1.as_ms())
        .collect();
    assert_eq!(times, [3_050]);
}

#[test]
fn the_peak_of_lag_counts_no_partition_that_is_gone() {
    let mut book = Book::default();
    book.topic(2).subscribe("c1");
    for partition in [0, 1] {
        book.note(FactKind::CommitStored {
            group: GROUP.into(),
            partition: p(partition),
            offset: Offset(0),
            member_id: MemberId::default(),
        });
    }
    book.high_watermark(0, 10).high_watermark(1, 5);
    assert_eq!(book.group().lag_peak(), 15);
    book.note(FactKind::PartitionDeleted { partition: p(0) });
    book.high_watermark(1, 15);
    assert_eq!(book.group().lag_peak(), 15, "the other one alone");
    book.high_watermark(1, 16);
    assert_eq!(book.group().lag_peak(), 16);
}

#[test]
fn what_another_consumer_without_a_group_reads_is_no_second_time() {
    let mut book = Book::default();
    book.topic(1).high_watermark(0, 10);
    let alone = |actor: &str| {
        Rc::new(Membership {
            group: GroupId::default(),
            member_id: MemberId::default(),
            ..(*Book::default().member(actor)).clone()
        })
    };
    let read = |book: &mut Book, actor: &str, next: i64| {
        let (member, partition) = (alone(actor), p(0));
        let cause = PositionCause::ResetEarliest;
        let offset = Offset(0);
        let (base, next) = (offset, Offset(next));
        let kinds = [
            FactKind::Acquire {
                member: member.clone(),
                partition: partition.clone(),
            },
            FactKind::PositionSet {
                member: member.clone(),
                partition: partition.clone(),
                offset,
                cause,
            },
            FactKind::Deliver {
                member,
                partition,
                base,
                next,
            },
        ];
        for kind in kinds {
            book.note(kind);
        }
    };
    read(&mut book, "a", 10);
    read(&mut book, "b", 4);
    let of = |book: &Book, actor: &str| {
        let share = book.ledger.share(&Readers::Lone(actor.into()));
        let entry = share.and_then(|share| share.partition(&p(0)));
        let deliveries = &entry.expect("it reads").deliveries;
        let lag = Lag::of(deliveries, book.ledger.log(&p(0)).expect("it is there"));
        let again = deliveries.duplicates().deliveries();
        (deliveries.delivered(), again, lag.position)
    };
    assert_eq!(of(&book, "a"), (10, 0, Some(0)));
    assert_eq!(of(&book, "b"), (4, 0, Some(6)));
    // What it reads again itself is a second time.
    read(&mut book, "b", 3);
    assert_eq!(of(&book, "b"), (7, 3, Some(7)));
    assert_eq!(of(&book, "a"), (10, 0, Some(0)));
    assert_eq!(book.ledger.groups().count(), 0, "none of them is a group");
}
