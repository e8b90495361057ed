//! The shelf of incidents: its list says what the scenario files say, and each remedy is a variant that is
//! tried, and differs. Two runs side by side, the life of a record and the ledger's windows, on its cards.
#![cfg(not(target_arch = "wasm32"))]

use regroup::form;
use regroup::scenario::{Area, Document, ShelfCard, read_shelf};
use regroup::session::{Rival, Session};
use regroup::view::compare::{Change, Comparison, Quantity, Strip};
use regroup::view::panel::{Figure, Panel, Tab, Window};
use regroup::view::timebar::TimeBar;
use regroup::view::{
    ApiKey, Builders, Choice, Deed, Duration, FactKind, Instant, Offset, Selection, Sources,
    TopicPartition, View, build, token,
};
use regroup::world::command::Command;
use serde::Deserialize;
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

/// The list, each entry with its file.
fn shelf() -> Vec<(ShelfCard, Document)> {
    let text = fs::read_to_string("static/incidents/index.json").expect("the list is there");
    let cards = read_shelf(&text).unwrap_or_else(|bad| panic!("index.json: {bad}"));
    let read = |card: ShelfCard| {
        let text = fs::read_to_string(format!("static/incidents/{}.json", card.name));
        let document = Document::parse(&text.expect("readable")).expect("it is a scenario");
        (card, document)
    };
    cards.into_iter().map(read).collect()
}

#[test]
fn the_list_says_what_the_files_say() {
    let shelf = shelf();
    assert_eq!(shelf.len(), 42, "`node tools/shelf.mjs` writes it anew");
    for (card, document) in shelf {
        let file = document.file();
        let said = ShelfCard {
            name: card.name.clone(),
            card: file.card.clone().expect("it carries out a card"),
            title: file.title.clone(),
            story: file.story.clone(),
            question: file.question.clone(),
            incident: file.incident.clone().expect("it retells an incident"),
        };
        assert_eq!(card, said, "`node tools/shelf.mjs` writes it anew");
    }
}

#[test]
fn every_card_stands_in_its_area() {
    #[derive(Deserialize)]
    struct Front {
        id: String,
        area: String,
    }
    let shelf = shelf();
    let entries = fs::read_dir("tests/data/incidents").expect("the folder is there");
    let paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    assert_eq!(paths.len(), shelf.len());
    for path in paths {
        let text = fs::read_to_string(path).expect("readable");
        let front = text.split("+++").nth(1).expect("front matter");
        let front: Front = toml::from_str(front).expect("a card");
        let (card, _) = shelf
            .iter()
            .find(|(card, _)| *card.card == front.id)
            .unwrap_or_else(|| panic!("{} is not on the shelf", front.id));
        let area: Area = form::read(&front.area.into()).expect("an area");
        assert_eq!(card.incident.area, area, "{}", front.id);
    }
}

/// That it also holds is the business of `tests/scenarios.rs`.
#[test]
fn a_remedy_is_a_variant_of_which_something_is_expected() {
    let mut remedies = 0;
    for (card, document) in shelf() {
        let Some(to) = &card.incident.to else {
            continue;
        };
        remedies += 1;
        let from = card.incident.from.as_deref();
        let happened = document.scenario(from).expect("it is read");
        let avoided = document.scenario(Some(to)).expect("it is read");
        assert!(
            happened.setup != avoided.setup || happened.acts != avoided.acts,
            "{}: something is done differently",
            card.name
        );
        assert!(
            !avoided.expectations.is_empty(),
            "{}: something is expected of {to}",
            card.name
        );
    }
    assert_eq!(remedies, 39, "three cards say that no configuration helps");
}

/// Stories are two sentences, and no text is left in the other language.
#[test]
fn the_texts_are_short_and_in_their_languages() {
    let hangul = |text: &str| text.chars().any(|letter| ('가'..='힣').contains(&letter));
    for (card, _) in shelf() {
        for text in [
            &card.title,
            &card.story,
            &card.question,
            &card.incident.remedy,
        ] {
            assert!(!hangul(&text.en), "{}: {}", card.name, text.en);
            assert!(hangul(&text.ko), "{}: {}", card.name, text.ko);
        }
        let ends = |text: &str| text.matches(". ").count() + text.matches("? ").count() + 1;
        assert!(
            ends(&card.story.en) <= 2,
            "{}: {}",
            card.name,
            card.story.en
        );
        assert!(
            ends(&card.story.ko) <= 2,
            "{}: {}",
            card.name,
            card.story.ko
        );
    }
}

/// An incident that runs, and what the page shows of it.
struct Page {
    session: Session,
    rival: Option<Rival>,
    choice: Choice,
    view: View,
}

impl Page {
    fn open(name: &str, tab: Tab) -> Page {
        let shelf = shelf();
        let (card, document) = shelf
            .iter()
            .find(|(card, _)| &*card.name == name)
            .expect("it is on the shelf");
        let from = card.incident.from.as_deref();
        let scenario = document.scenario(from).expect("it is read");
        let until = scenario.until;
        let mut session = Session::new(scenario.setup, scenario.acts).expect("it starts");
        let rival = card.incident.to.clone().map(|to| {
            let change = Change::Variant(to);
            Rival::new(change, &session, document, from).expect("it starts")
        });
        session.advance_to(until, u64::MAX);
        Page {
            session,
            rival,
            choice: Choice {
                tab,
                ..Choice::default()
            },
            view: View::default(),
        }
    }

    fn look(&mut self) -> &View {
        let now = self.session.now();
        if let Some(rival) = &mut self.rival {
            rival.follow(&self.session);
            rival.catch_up(&self.session, u64::MAX);
        }
        if let Some(Selection::Record { partition, offset }) = &self.choice.selection {
            self.session.watch(partition, *offset);
        }
        let start = self.choice.window.start(now);
        let past = start.map(|start| (start, self.session.sums_at(start)));
        let end = self.choice.window.end(now);
        let past_end = end.map(|end| (end, self.session.sums_at(end)));
        let sources = Sources {
            world: self.session.world(),
            sums: self.session.sums(),
            chronicle: &self.session.sums().chronicle(),
            rival: self.rival.as_ref(),
            life: self.session.watched(),
            past: past.as_ref().map(|(at, sums)| (*at, sums)),
            past_end: past_end.as_ref().map(|(at, sums)| (*at, sums)),
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

    fn comparison(&mut self) -> Rc<Comparison> {
        match &self.look().panel {
            Panel::Compare(panel) => panel.comparison.clone().expect("two runs"),
            _ => panic!("two runs are compared"),
        }
    }

    fn difference(&mut self, quantity: Quantity) -> (i64, i64) {
        let comparison = self.comparison();
        let mut rows = comparison.differences.iter();
        let row = rows.find(|row| row.quantity == quantity);
        row.map_or((0, 0), |row| (row.ours, row.theirs))
    }

    fn came_apart(&mut self, quantity: Quantity) -> Option<i64> {
        self.look();
        let group = self.view.panel.compared().expect("a group").clone();
        let rival = self.rival.as_ref().expect("two runs");
        let at = rival.came_apart(&self.session, &token(quantity, &group));
        at.map(Instant::as_ms)
    }

    fn figure(&mut self, figure: Figure) -> i64 {
        let place = Figure::ALL.iter().position(|one| *one == figure);
        match &self.look().panel {
            Panel::Deliveries(panel) => panel.sum[place.expect("a figure")],
            _ => panic!("the deliveries are open"),
        }
    }

    fn life(&mut self, partition: &str, offset: i64) -> Vec<(i64, Deed)> {
        let (topic, number) = partition.rsplit_once('-').expect("a partition");
        let partition = TopicPartition {
            topic: topic.into(),
            partition: number.parse().expect("a number"),
        };
        self.choice.selection = Some(Selection::Record {
            partition,
            offset: Offset(offset),
        });
        let (entries, left_out) = self.look().inspector.life.clone().expect("a life");
        assert_eq!(left_out, 0);
        let entries = entries.iter();
        entries
            .map(|entry| (entry.at.as_ms(), entry.deed.clone()))
            .collect()
    }
}

#[test]
fn two_runs_differ_by_what_the_cards_say() {
    let mut page = Page::open("i-026", Tab::Compare);
    assert_eq!(page.difference(Quantity::Duplicates), (30, 0));
    assert_eq!(page.difference(Quantity::Unowned), (11_000, 11_000));
    assert_eq!(page.difference(Quantity::Rebalances), (1, 1));
    assert_eq!(page.came_apart(Quantity::Duplicates), Some(24_000));
    assert_eq!(page.came_apart(Quantity::Rebalances), None);

    let mut page = Page::open("i-001", Tab::Compare);
    assert_eq!(page.difference(Quantity::Unowned), (9_893, 5_893));
    assert_eq!(page.came_apart(Quantity::Unowned), Some(24_493));

    let mut page = Page::open("i-013", Tab::Compare);
    assert_eq!(page.difference(Quantity::Rebalances), (8, 0));
    let moved = page.difference(Quantity::Moved);
    assert!(moved.0 > 0 && moved.1 == 0, "{moved:?}");
    assert_eq!(
        page.difference(Quantity::Requests(ApiKey::LeaveGroup)),
        (4, 0)
    );
}

/// Both strips have one axis, and whoever is in both runs has one letter.
#[test]
fn two_runs_stand_on_one_axis() {
    let mut page = Page::open("i-005", Tab::Compare);
    let comparison = page.comparison();
    assert_eq!(comparison.behind, None);
    let rows = |strip: &Strip| strip.rows.iter().map(|row| row.partition.clone()).collect();
    let (ours, theirs): (Vec<_>, Vec<_>) = (rows(&comparison.ours), rows(&comparison.theirs));
    assert_eq!(ours, theirs);
    let first = |strip: &Strip| strip.rows[0].spans[0];
    assert_eq!(
        first(&comparison.ours).holder,
        first(&comparison.theirs).holder
    );
    let ends = |strip: &Strip| strip.rows[0].spans.last().map(|span| span.to);
    assert_eq!(ends(&comparison.ours), Some(comparison.now));
    assert_eq!(ends(&comparison.theirs), Some(comparison.now));
}

#[test]
fn what_is_done_is_done_in_both_runs_or_said_to_be_impossible() {
    let mut page = Page::open("i-026", Tab::Compare);
    page.session.seek(Instant::from_ms(5_000));
    let kill = Command::Kill { actor: "c2".into() };
    page.session.act(kill.clone()).expect("c2 runs");
    page.session.advance_to(Instant::from_ms(9_000), u64::MAX);
    let comparison = page.comparison();
    assert!(comparison.refused.is_empty());
    let rival = page.rival.as_ref().expect("two runs").session();
    assert_eq!(rival.acts(), page.session.acts());
    assert_eq!(rival.acts().last().map(|act| &act.command), Some(&kill));
}

#[test]
fn the_life_of_a_record_that_came_twice_is_told_with_its_causes() {
    let mut page = Page::open("i-026", Tab::Events);
    let life = page.life("orders-0", 110);
    let told: Vec<(i64, String)> = life
        .iter()
        .map(|(at, deed)| (*at, format!("{deed:?}")))
        .map(|(at, deed)| (at, deed.split([' ', '(']).next().unwrap_or("").to_owned()))
        .collect();
    let told: Vec<(i64, &str)> = told.iter().map(|(at, deed)| (*at, &**deed)).collect();
    assert_eq!(
        told,
        [
            (11_050, "Appended"),
            (11_050, "Readable"),
            (11_050, "Fetched"),
            (11_050, "Delivered"),
            (11_050, "Done"),
            (24_000, "Rewound"),
            (24_000, "Fetched"),
            (24_000, "Delivered"),
            (24_000, "Done"),
            (29_000, "Committed"),
        ]
    );
    let Some((_, Deed::Appended { by, base, next })) = life.first() else {
        panic!("it begins in the log");
    };
    assert_eq!(by.as_ref().map(|by| by.as_str()), Some("feed"));
    assert_eq!((base.0, next.0), (110, 111));
    let again = life.iter().find_map(|(_, deed)| match deed {
        Deed::Delivered { again, .. } => *again,
        _ => None,
    });
    let chronicle = page.session.sums().chronicle();
    let cause = chronicle.fact(again.expect("it came again"));
    assert!(matches!(
        cause.map(|fact| &fact.kind),
        Some(FactKind::PositionSet {
            offset: Offset(100),
            ..
        })
    ));
}

#[test]
fn the_life_of_a_skipped_record_says_where_it_was_lost() {
    let mut page = Page::open("i-027", Tab::Events);
    let life = page.life("orders-0", 60);
    let dropped = life.iter().find_map(|(at, deed)| match deed {
        Deed::Dropped { is_skipped, .. } => Some((*at, *is_skipped)),
        _ => None,
    });
    assert_eq!(dropped, Some((10_001, true)));
    let committed = life.iter().any(|(_, deed)| {
        matches!(
            deed,
            Deed::Committed {
                is_done: false,
                offset: Offset(100),
                ..
            }
        )
    });
    assert!(committed, "{life:?}");

    let mut page = Page::open("i-034", Tab::Events);
    let life = page.life("orders-2", 299);
    let jumped = life.iter().any(|(at, deed)| match deed {
        Deed::JumpedOver { offset, .. } => (*at, *offset) == (60_000, Offset(300)),
        _ => false,
    });
    assert!(jumped, "{life:?}");
}

#[test]
fn a_window_counts_what_came_to_be_within_it() {
    let mut page = Page::open("i-026", Tab::Deliveries);
    let at = Instant::from_ms;
    for (window, duplicates, unowned) in [
        (Window::Whole, 30, 11_000),
        (Window::Since(at(23_000)), 30, 1_000),
        (Window::Since(at(24_000)), 0, 0),
        (Window::Last(Duration::from_ms(10_000)), 30, 4_000),
        (Window::Between(at(23_000), at(24_000)), 30, 1_000),
        (Window::Between(at(20_000), at(23_000)), 0, 3_000),
        (Window::Between(at(24_000), at(99_000)), 0, 0),
    ] {
        page.choice.window = window;
        assert_eq!(page.figure(Figure::Duplicates), duplicates, "{window:?}");
        assert_eq!(page.figure(Figure::Unowned), unowned, "{window:?}");
    }
    page.choice.window = Window::Between(at(-5), at(20_000));
    let early = page.figure(Figure::Delivered);
    page.choice.window = Window::Whole;
    let whole = page.figure(Figure::Delivered);
    page.choice.window = Window::Since(at(20_000));
    let late = page.figure(Figure::Delivered);
    assert_eq!(early + late, whole);
    page.session.seek(at(20_000));
    page.choice.window = Window::Whole;
    assert_eq!(page.figure(Figure::Delivered) + late, whole);
}

#[test]
fn a_feed_shows_no_counters_of_a_client() {
    let mut page = Page::open("i-026", Tab::Deliveries);
    let producers = page.look().stage.producers.clone();
    assert!(!producers.is_empty());
    for producer in producers.iter() {
        assert!(!producer.is_client, "{} writes by itself", producer.actor);
    }
}

#[test]
fn a_partition_is_counted_alone() {
    let mut page = Page::open("i-030", Tab::Deliveries);
    page.choice.ledger_of = Some(TopicPartition {
        topic: "orders".into(),
        partition: 4,
    });
    assert_eq!(page.figure(Figure::Duplicates), 20);
    page.choice.ledger_of = Some(TopicPartition {
        topic: "orders".into(),
        partition: 5,
    });
    assert_eq!(page.figure(Figure::Duplicates), 0);
}
