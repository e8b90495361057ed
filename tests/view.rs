//! The picture: what the page shows of a running scenario, judged without a browser.
#![cfg(not(target_arch = "wasm32"))]

use regroup::page::i18n::Language;
use regroup::scenario::{Document, entry};
use regroup::session::Session;
use regroup::view::event::Event;
use regroup::view::panel::{EventFilter, Holder, Panel, Tab};
use regroup::view::stage::{Group, Life, Member};
use regroup::view::timebar::TimeBar;
use regroup::view::{
    Builders, Choice, ErrorCode, Exception, FactKind, Instant, Readers, Selection, Sources,
    StopCause, View, build,
};
use regroup::world::command::Command;
use std::rc::Rc;

/// A scenario of the library, and what the page shows of it.
struct Page {
    session: Session,
    choice: Choice,
    view: View,
}

impl Page {
    fn open(name: &str) -> Page {
        Page::of(&entry(name).expect("it is in the library").document())
    }

    fn of(document: &Document) -> Page {
        let variant = document.variants().next().map(|(name, _)| name.clone());
        let scenario = document.scenario(variant.as_deref()).expect("it is read");
        let session = Session::new(scenario.setup, scenario.acts).expect("it starts");
        Page {
            session,
            choice: Choice {
                speed_milli: 1_000,
                ..Choice::default()
            },
            view: View::default(),
        }
    }

    fn run_to(&mut self, seconds: i64) -> &View {
        self.session
            .advance_to(Instant::from_ms(seconds * 1_000), u64::MAX);
        self.look()
    }

    fn look(&mut self) -> &View {
        let sources = Sources {
            world: self.session.world(),
            sums: self.session.sums(),
            chronicle: &self.session.sums().chronicle(),
            rival: None,
            life: self.session.watched(),
            past: None,
            past_end: None,
        };
        self.view = build(
            sources,
            &self.choice,
            TimeBar::default(),
            &self.view,
            true,
            &Builders::ALL,
        );
        &self.view
    }

    fn kill(&mut self, actor: &str) {
        let actor = actor.into();
        self.session.act(Command::Kill { actor }).expect("it runs");
    }

    fn group(&self) -> &Group {
        self.view.stage.groups.first().expect("there is a group")
    }

    fn member(&self, actor: &str) -> &Member {
        let mut members = self.group().members.iter();
        members
            .find(|member| *member.actor == *actor)
            .expect("it is a member")
    }

    fn why(&mut self, selection: Selection) -> Vec<Rc<Event>> {
        self.choice.selection = Some(selection);
        self.look().inspector.why.to_vec()
    }
}

#[test]
fn a_killed_consumer_stays_until_its_session_ends_and_its_partitions_wait() {
    let mut page = Page::open("class-room");
    page.run_to(5);
    let owned = page.member("c2").partitions.len();
    assert!(owned > 0);
    page.kill("c2");
    page.run_to(8);
    let victim = page.member("c2");
    assert_eq!(victim.life, Life::Stopped(StopCause::Killed));
    assert!(victim.is_known, "the coordinator does not know yet");
    assert!(victim.session.is_some(), "its session still counts down");
    assert!(victim.partitions.is_empty());
    assert_eq!(page.group().unowned.len(), owned);
    page.run_to(30);
    assert!(!page.member("c2").is_known);
    assert!(page.group().unowned.is_empty(), "the others took over");
}

#[test]
fn members_of_a_group_that_existed_before_are_known_from_the_start() {
    let mut page = Page::open("class-room");
    page.run_to(1);
    for actor in ["c1", "c2", "c3"] {
        let member = page.member(actor);
        assert!(!member.member_id.is_empty(), "{actor}");
        assert!(member.is_known && member.session.is_some(), "{actor}");
    }
    assert!(page.group().members.iter().any(|member| member.is_leader));
}

#[test]
fn a_frozen_member_is_named_when_its_session_ends() {
    let mut page = Page::open("class-room");
    page.run_to(2);
    let actor = "c3".into();
    page.session
        .act(Command::Freeze { actor })
        .expect("it runs");
    page.run_to(20);
    let member = page.member("c3");
    assert_eq!(member.life, Life::Frozen);
    assert!(!member.is_known, "its session ended");
    assert!(!member.partitions.is_empty(), "it does not know it");
    let why = page.why(Selection::Group("billing".into()));
    let is_freeze =
        |event: &Rc<Event>| matches!(event.command.as_deref(), Some(Command::Freeze { .. }));
    assert!(why.last().is_some_and(is_freeze), "{why:#?}");
}

#[test]
fn equal_views_keep_their_parts() {
    let mut page = Page::open("class-room");
    page.run_to(5);
    let before = page.view.clone();
    page.look();
    assert!(Rc::ptr_eq(&before.stage, &page.view.stage));
    assert_eq!(before, page.view);
}

#[test]
fn duplicates_are_counted_and_lead_back_to_the_kill() {
    let mut page = Page::open("class-room");
    page.run_to(9);
    page.kill("c2");
    page.choice.tab = Tab::Deliveries;
    page.run_to(30);
    let Panel::Deliveries(deliveries) = &page.view.panel else {
        panic!("the deliveries are open");
    };
    let runs: i64 = deliveries.runs.iter().map(|run| run.count).sum();
    let duplicates = deliveries.sum[1];
    assert!(duplicates > 0);
    assert_eq!(runs, duplicates, "the runs add up to the sum");
    let fact = deliveries.runs.first().expect("there is a run").fact;
    let why = page.why(Selection::Event(fact));
    let is_kill = |event: &Rc<Event>| matches!(event.command.as_deref(), Some(Command::Kill { actor }) if actor.as_str() == "c2");
    assert!(why.last().is_some_and(is_kill), "{why:#?}");
    let names_the_dead = |event: &Rc<Event>| matches!(&event.kind, FactKind::Stopped { actor, .. } if actor.as_str() == "c2");
    assert!(why.iter().any(names_the_dead), "{why:#?}");
}

#[test]
fn ownership_over_time_shows_the_detection_as_nobodys() {
    let mut page = Page::open("class-room");
    page.run_to(5);
    page.kill("c2");
    page.run_to(12);
    let Panel::Ownership(ownership) = &page.view.panel else {
        panic!("ownership is open");
    };
    let nobodys = ownership.rows.iter().filter(|row| {
        row.spans
            .last()
            .is_some_and(|span| span.holder == Holder::Nobody)
    });
    assert_eq!(nobodys.count(), 2);
}

#[test]
fn lags_of_the_panel_add_up() {
    let mut page = Page::open("class-room");
    page.choice.tab = Tab::Lag;
    page.run_to(8);
    let Panel::Lag(lag) = &page.view.panel else {
        panic!("the lag is open");
    };
    let sum: i64 = lag.rows.iter().filter_map(|row| row.committed).sum();
    assert_eq!(sum, lag.total_now);
    assert!(lag.total.iter().all(|corner| corner.1 <= lag.most));
}

#[test]
fn every_event_has_a_sentence_in_both_languages_and_no_particle_follows_a_name() {
    let particles = ["을 ", "를 ", "은 ", "는 ", "이 ", "가 "];
    for name in [
        "class-room",
        "static-restart",
        "slow-handler",
        "eager-or-cooperative",
    ] {
        let mut page = Page::open(name);
        page.choice.tab = Tab::Events;
        page.choice.filter = EventFilter::All;
        for seconds in [1, 4, 12, 20] {
            page.run_to(seconds);
            let Panel::Events(events) = &page.view.panel else {
                panic!("the events are open");
            };
            for event in events.events.iter() {
                assert!(!(Language::English.catalogue().event)(event).is_empty());
                let korean = (Language::Korean.catalogue().event)(event);
                for actor in ["c1", "c2", "c3", "p1", "p2", "billing"] {
                    for particle in particles {
                        let glued = format!("{actor}{particle}");
                        assert!(!korean.contains(&glued), "{korean}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_lane_never_shows_a_position_beyond_the_high_watermark() {
    let mut page = Page::open("class-room");
    for seconds in 1..20 {
        page.run_to(seconds);
        for broker in page.view.stage.brokers.iter() {
            for lane in broker.lanes.iter() {
                for mark in lane.marks.iter() {
                    assert!(
                        mark.position
                            .is_none_or(|position| position <= lane.high_watermark)
                    );
                    assert!(
                        mark.committed
                            .is_none_or(|committed| committed <= lane.high_watermark)
                    );
                }
            }
        }
    }
}

#[test]
fn at_high_speed_the_wire_thins_out() {
    let mut page = Page::open("class-room");
    page.run_to(5);
    assert!(!page.view.stage.tokens.is_empty());
    page.choice.speed_milli = 50_000;
    page.look();
    assert!(
        page.view
            .stage
            .tokens
            .iter()
            .all(|token| !token.error.is_none())
    );
}

/// Names of what nobody holds, as cells show it.
fn without_holder(view: &View) -> usize {
    let brokers = view.stage.brokers.iter();
    let cells = brokers.flat_map(|broker| broker.cells.iter());
    cells.filter(|cell| cell.holder.is_none()).count()
}

#[test]
fn many_partitions_are_cells_and_the_chosen_one_has_its_lane() {
    let mut page = Page::open("from-nothing");
    page.run_to(12);
    let few = &page.view.stage.brokers;
    assert!(few.iter().all(|broker| broker.cells.is_empty()));
    assert!(few.iter().any(|broker| !broker.lanes.is_empty()));
    let topic = page.view.stage.topics.first().expect("it has one");
    let add = Command::AddPartitions {
        topic: topic.name.clone(),
        total: 90,
    };
    page.session.act(add).expect("partitions can be added");
    page.look();
    let brokers = page.view.stage.brokers.clone();
    let cells: usize = brokers.iter().map(|broker| broker.cells.len()).sum();
    assert_eq!(cells, 90);
    assert!(brokers.iter().all(|broker| broker.lanes.is_empty()));
    assert!(without_holder(&page.view) > 0, "nobody has the new ones");

    let chosen = brokers[1].cells[7].partition.clone();
    page.choice.selection = Some(Selection::Partition(chosen.clone()));
    let brokers = page.look().stage.brokers.clone();
    let lanes: Vec<_> = brokers.iter().flat_map(|broker| &*broker.lanes).collect();
    assert_eq!(lanes.len(), 1);
    assert_eq!(lanes[0].partition, chosen);
    let selected = brokers.iter().flat_map(|broker| broker.cells.iter());
    assert_eq!(selected.filter(|cell| cell.is_selected).count(), 1);
}

#[test]
fn cells_say_whose_they_are_and_that_they_are_nobodys() {
    let mut page = Page::open("from-nothing");
    let topic = page
        .look()
        .stage
        .topics
        .first()
        .expect("it has one")
        .name
        .clone();
    let add = Command::AddPartitions { topic, total: 90 };
    page.session.act(add).expect("partitions can be added");
    page.run_to(12);
    assert_eq!(without_holder(&page.view), 0);
    page.kill("c2");
    page.look();
    let held = page.member("c1").partitions.len() + page.member("c3").partitions.len();
    assert_eq!(without_holder(&page.view), 90 - held);
}

#[test]
fn a_member_that_an_exception_ended_says_which() {
    let mut page = Page::open("upgrade-skipped-bounce");
    page.run_to(20);
    let refused = Exception::Kafka(ErrorCode::InconsistentGroupProtocol);
    assert_eq!(page.member("c1").thrown, Some(refused));
    assert_eq!(page.member("c2").thrown, None);
    let says = |language: Language| (language.catalogue().member_status)(page.member("c1"));
    assert_eq!(
        says(Language::English),
        "ended by 23 INCONSISTENT_GROUP_PROTOCOL"
    );
    assert!(says(Language::Korean).contains("23 INCONSISTENT_GROUP_PROTOCOL"));
}

/// Two consumers without a group read one partition: neither reads it again, and each has its own figures.
#[test]
fn consumers_without_a_group_stand_on_the_stage_and_count_for_themselves() {
    let document = Document::parse(
        r#"{
            "version": 1,
            "title": {"en": "Without a group", "ko": "그룹 없이"},
            "story": {"en": "Two read.", "ko": "둘이 읽습니다."},
            "question": {"en": "Twice?", "ko": "두 번일까요?"},
            "until": 20000,
            "topics": [{"name": "orders", "partitions": 1}],
            "feeds": [{"name": "feed", "topic": "orders", "first_at": 0, "every_ms": 100}],
            "consumer_configs": {"auto.offset.reset": "earliest"},
            "consumers": [
                {"name": "c1", "reads": {"assign": ["orders-0"]}},
                {"name": "c2", "reads": {"assign": ["orders-0"]}}
            ],
            "acts": [
                {"at": 0, "command": {"restart": {"actor": "c1"}}},
                {"at": 0, "command": {"restart": {"actor": "c2"}}}
            ]
        }"#,
    );
    let mut page = Page::of(&document.expect("it is read"));
    page.choice.tab = Tab::Deliveries;
    let mut delivered = Vec::new();
    for actor in ["c1", "c2"] {
        page.choice.selection = Some(Selection::Client(actor.into()));
        page.run_to(10);
        let Panel::Deliveries(panel) = &page.view.panel else {
            panic!("it is the ledger");
        };
        let [all, again, ..] = panel.sum;
        assert!(all > 90, "{actor} reads: {all}");
        assert_eq!(again, 0, "{actor} reads nothing twice");
        delivered.push(all);
    }
    assert_eq!(delivered[0], delivered[1]);
    let stage = &page.view.stage;
    assert!(stage.groups.is_empty());
    let lone = stage
        .lone
        .iter()
        .map(|member| (member.actor.as_str(), member.partitions.len()));
    assert_eq!(lone.collect::<Vec<_>>(), [("c1", 1), ("c2", 1)]);
    let lanes = stage.brokers.iter().flat_map(|broker| broker.lanes.iter());
    let marks = lanes.flat_map(|lane| lane.marks.iter().map(|mark| mark.readers.clone()));
    let own = |actor: &str| Readers::Lone(actor.into());
    assert_eq!(marks.collect::<Vec<_>>(), [own("c2"), own("c1")]);
}
