//! Links: what one page shows, another shows from nothing but the piece of an address: the same acts, the
//! same instant, the same trace. What is no link is refused in a sentence, and unfolds into nothing large.
#![cfg(not(target_arch = "wasm32"))]

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec_zlib;
use proptest::prelude::*;
use proptest::sample::Index;
use regroup::kafka::fact::FactId;
use regroup::kafka::sorted::SortedMap;
use regroup::kafka::time::{Duration, Instant};
use regroup::page::i18n::Language;
use regroup::page::standpoint::{PreparedFile, Standpoint};
use regroup::scenario::{
    BadLink, Base, Destination, Document, LIBRARY, LINK_LENGTH_MAX, Link, OpenFile, Origin, entry,
};
use regroup::session::{Retrace, Session, Stop, Traced};
use regroup::view::compare::Change;
use regroup::view::panel::{EventFilter, Tab, TableKind};
use regroup::view::{BrokerId, Offset, Selection, TopicPartition};
use regroup::world::command::{Command, Configs, FaultKind};
use regroup::world::trace::TraceHash;
use regroup::world::{Observer, Role};
use serde_json::{Value, json};
use std::fs;
use std::rc::Rc;

/// A run of a scenario.
struct Run {
    document: Document,
    origin: Option<Origin>,
    variant: Option<Rc<str>>,
    session: Session,
}

fn library(name: &str, variant: Option<&str>) -> Run {
    let document = entry(name).expect("it is in the library").document();
    let variant = variant.map(Rc::from);
    run(document, Some(Origin::Library(name.into())), variant)
}

fn run(document: Document, origin: Option<Origin>, variant: Option<Rc<str>>) -> Run {
    let scenario = document.scenario(variant.as_deref());
    let scenario = scenario.expect("it is whole");
    Run {
        session: Session::new(scenario.setup, scenario.acts).expect("it starts"),
        document,
        origin,
        variant,
    }
}

impl Run {
    fn link(&self) -> Link {
        let open = OpenFile {
            at: self.session.now(),
            done: self.session.done_of_instant(),
            page: Default::default(),
        };
        let origin = self.origin.as_ref();
        let acts = self.session.acts();
        Link::to(&self.document, origin, self.variant.as_ref(), acts, open).expect("it has it")
    }

    fn fragment(&self) -> String {
        self.link().fragment()
    }
}

fn read(fragment: &str) -> Result<Link, BadLink> {
    Link::of_fragment(fragment).expect("it is a link")
}

/// Opens a link as a page does.
fn open(fragment: &str) -> (Destination, Session) {
    let link = read(fragment).unwrap_or_else(|bad| panic!("{bad}"));
    let document = match (&link.of, link.document().expect("it is there")) {
        (_, Some(document)) => document,
        (Base::Incident(named), None) => incident(&named.name),
        (_, None) => panic!("only incidents are fetched"),
    };
    let opened = link.open(document).expect("it is whole");
    let (setup, acts) = (opened.scenario.setup.clone(), opened.scenario.acts.clone());
    let mut session = Session::new(setup, acts).expect("it starts");
    session.seek_into(opened.open.at, opened.open.done);
    (opened, session)
}

fn incident(name: &str) -> Document {
    let text = fs::read_to_string(format!("static/incidents/{name}.json"));
    Document::parse(&text.expect("readable")).expect("it is a scenario")
}

/// The trace as it was seen while the session ran.
fn seen(session: &Session) -> Traced {
    let mut trace = TraceHash::default();
    let sums = session.sums();
    let chronicle = sums.chronicle();
    for fact in chronicle.between(FactId(0), sums.last) {
        trace.fold(fact);
    }
    Traced {
        hash: trace.value(),
        facts: trace.facts(),
    }
}

/// The trace, done again in small pieces.
fn retraced(session: &Session) -> Traced {
    let mut retrace = Retrace::of(session).expect("it started once");
    (0..)
        .find_map(|_| retrace.advance(97))
        .expect("it comes to an end")
}

fn same(ours: &Session, theirs: &Session) {
    assert_eq!(theirs.acts(), ours.acts(), "the same acts");
    assert_eq!(theirs.now(), ours.now(), "the same instant");
    assert_eq!(seen(theirs), seen(ours), "the same trace");
    assert_eq!(retraced(theirs), seen(ours), "the same trace, done again");
    assert_eq!(theirs.done_of_instant(), ours.done_of_instant());
}

const fn s(seconds: i64) -> Instant {
    Instant::from_ms(seconds * 1_000)
}

fn kill(actor: &str) -> Command {
    Command::Kill {
        actor: actor.into(),
    }
}

/// What a person does.
#[derive(Clone, Debug)]
enum Move {
    Run(i64),
    Step,
    StepBack,
    NextRebalance,
    Seek(Index),
    Undo,
    Do(usize, Index),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        4 => (1_i64..4_000_000).prop_map(Move::Run),
        3 => Just(Move::Step),
        1 => Just(Move::StepBack),
        1 => Just(Move::NextRebalance),
        2 => any::<Index>().prop_map(Move::Seek),
        1 => Just(Move::Undo),
        6 => (0_usize..10, any::<Index>()).prop_map(|(what, who)| Move::Do(what, who)),
    ];
    prop::collection::vec(one, 0..9)
}

fn command(session: &Session, what: usize, who: Index) -> Option<Command> {
    let actors: Vec<_> = session.world().actors().collect();
    let actor = actors.get(who.index(actors.len().max(1)))?;
    let is_consumer = matches!(actor.role, Role::Consumer { .. });
    let actor = actor.name.clone();
    Some(match what {
        0 => Command::Kill { actor },
        1 => Command::Close { actor },
        2 => Command::Freeze { actor },
        3 => Command::Thaw { actor },
        4 => Command::Restart {
            actor,
            configs: Configs::default(),
        },
        5 => Command::SetHandler {
            actor,
            time_per_record: Duration::from_ms(35),
        },
        6 => Command::SetConfig {
            actor,
            name: "session.timeout.ms".into(),
            value: "7000".into(),
        },
        7 => Command::Fault {
            actor: is_consumer.then_some(actor),
            api: "Heartbeat".into(),
            what: FaultKind::DropResponse,
        },
        8 => Command::SendRecord { actor, key: None },
        _ => {
            let group = session
                .sums()
                .ledger
                .groups()
                .map(|(group, _)| group.clone());
            let group = group.into_iter().next()?;
            session.more(&group, 1)?
        }
    })
}

fn make(session: &mut Session, one: &Move) {
    match one {
        Move::Run(us) => {
            session.advance_to(session.now() + Duration(*us), u64::MAX);
        }
        Move::Step => drop(session.step()),
        Move::StepBack => drop(session.step_back()),
        Move::NextRebalance => {
            // No further than all facts are still known.
            let until = session.now() + Duration::from_ms(20_000);
            let _ = session.advance_to_stop(until, 20_000, &[Stop::Rebalance]);
        }
        Move::Seek(place) => {
            let from = session.horizon();
            let length = usize::try_from((session.end() - from).0).expect("not negative");
            let us = i64::try_from(place.index(length + 1)).expect("it fits");
            session.seek(from + Duration(us));
        }
        Move::Undo => drop(session.undo()),
        Move::Do(what, who) => {
            // What cannot be done now is refused, and nothing happens.
            if let Some(command) = command(session, *what, *who) {
                let _ = session.act(command);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_link_opens_at_the_same_instant_of_the_same_run(
        which in any::<Index>(), variant in any::<Index>(), moves in moves(), is_own in any::<bool>(),
    ) {
        let entry = LIBRARY[which.index(LIBRARY.len())];
        let document = entry.document();
        let variants: Vec<Rc<str>> = document.variants().map(|(name, _)| name.clone()).collect();
        let variant = match variants.len() {
            0 => None,
            several => Some(variants[variant.index(several)].clone()),
        };
        let origin = (!is_own).then(|| Origin::Library(entry.name.into()));
        let mut ours = run(document, origin, variant.clone());
        for one in &moves {
            make(&mut ours.session, one);
        }
        let (opened, theirs) = open(&ours.fragment());
        same(&ours.session, &theirs);
        prop_assert!(!opened.is_changed);
        prop_assert_eq!(opened.variant, variant);
        prop_assert_eq!(
            opened.document.variants().count(), ours.document.variants().count()
        );
    }

    #[test]
    fn anything_is_refused_or_read(text in "[ -~]{0,80}") {
        let _ = Link::of_fragment(&format!("s={text}"));
    }

    #[test]
    fn a_character_that_was_changed_is_noticed(place in any::<Index>(), other in "[A-Za-z0-9_-]") {
        let mut ours = library("class-room", None);
        ours.session.advance_to(s(9), u64::MAX);
        let whole = ours.fragment();
        let at = 2 + place.index(whole.len() - 2);
        let spoilt = format!("{}{other}{}", &whole[..at], &whole[at + 1..]);
        match read(&spoilt) {
            Ok(link) => prop_assert_eq!(link, ours.link(), "only what is left over may differ"),
            Err(BadLink::Damaged | BadLink::Cut) => {}
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}

#[test]
fn what_the_named_scenario_says_is_not_said_again() {
    let mut ours = library("class-room", None);
    ours.session.advance_to(s(8), u64::MAX);
    ours.session.act(kill("c2")).expect("c2 runs");
    ours.session.advance_to(s(12), u64::MAX);
    let fragment = ours.fragment();
    assert!(fragment.len() < 260, "{}: {fragment}", fragment.len());
    same(&ours.session, &open(&fragment).1);
}

#[test]
fn every_scenario_that_comes_along_fits_into_a_link_also_as_somebodys_own() {
    let mut longest = 0;
    for entry in LIBRARY {
        let document = entry.document();
        let variant = document.variants().next().map(|(name, _)| name.clone());
        let own = run(document, None, variant);
        longest = longest.max(own.fragment().len());
    }
    assert!(longest <= LINK_LENGTH_MAX, "{longest}");
}

#[test]
fn an_incident_is_named_with_its_variant() {
    let document = incident("i-026");
    let variant = document.variants().next().map(|(name, _)| name.clone());
    let mut ours = run(document, Some(Origin::Incident("i-026".into())), variant);
    ours.session.advance_to(s(24), u64::MAX);
    let fragment = ours.fragment();
    assert!(fragment.len() < 260, "{}: {fragment}", fragment.len());
    same(&ours.session, &open(&fragment).1);
}

#[test]
fn acts_that_were_dropped_stay_dropped() {
    let mut ours = library("static-restart", None);
    let variant = ours
        .document
        .variants()
        .next()
        .map(|(name, _)| name.clone());
    ours = run(ours.document, ours.origin, variant);
    let own = ours.session.acts().len();
    assert!(own > 0, "the scenario has acts of its own");
    ours.session.advance_to(s(1), u64::MAX);
    let actor = ours.session.acts().first().expect("an act").command.clone();
    let acted = ours.session.act(actor).expect("it can be done a second in");
    assert!(acted.dropped.is_some_and(|dropped| dropped.acts > 0));
    let link = ours.link();
    assert_eq!((link.kept, link.acts.len()), (Some(0), 1));
    same(&ours.session, &open(&link.fragment()).1);
}

#[test]
fn in_the_middle_of_an_instant_a_link_stands_still_there() {
    let mut ours = library("class-room", None);
    ours.session.advance_to(s(3), u64::MAX);
    let mut in_the_middle = 0;
    for _ in 0..60 {
        ours.session.step();
        let link = ours.link();
        in_the_middle += u32::from(link.open.done.is_some());
        same(&ours.session, &open(&link.fragment()).1);
    }
    assert!(in_the_middle > 0, "several things happen at one instant");
}

#[test]
fn a_saved_file_opens_where_it_was_saved() {
    let mut ours = library("eager-or-cooperative", Some("eager"));
    ours.session.advance_to(s(8), u64::MAX);
    ours.session.act(kill("c2")).expect("c2 runs");
    ours.session.step();
    let link = ours.link();
    let acts = ours.session.acts();
    let saved = ours
        .document
        .with_acts(Some("eager"), acts, Some(&link.open), None);
    let document = Document::parse(&saved).expect("it is a scenario");
    let open = document.file().open.clone().expect("it says where");
    assert_eq!(open, link.open);
    let mut theirs = run(document, None, None);
    theirs.session.seek_into(open.at, open.done);
    same(&ours.session, &theirs.session);
}

#[test]
fn a_scenario_that_has_changed_since_is_told() {
    let link = library("class-room", None).link();
    let class_room = entry("class-room").expect("it is there").text;
    let file: Value = serde_json::from_str(class_room).expect("JSON");
    for (field, value, is_changed) in [
        ("seed", json!(77), true),
        ("story", json!({"en": "Another.", "ko": "다릅니다."}), false),
    ] {
        let mut file = file.clone();
        file[field] = value;
        let document = Document::from_value(file).expect("it is a scenario");
        let opened = link.clone().open(document).expect("it opens all the same");
        assert_eq!(opened.is_changed, is_changed, "{field}");
    }
}

fn pack(json: &str) -> String {
    let packed = compress_to_vec_zlib(json.as_bytes(), 9);
    format!("s={}", URL_SAFE_NO_PAD.encode(packed))
}

fn refusal(fragment: &str) -> String {
    let refuse = || {
        let link = read(fragment)?;
        let document = link.document()?.expect("it is not fetched");
        link.open(document).map_err(BadLink::from)
    };
    let refused: Result<Destination, BadLink> = refuse();
    refused.expect_err("it is refused").to_string()
}

#[test]
fn what_is_broken_is_refused_in_a_sentence_with_its_place() {
    let good = library("class-room", None).fragment();
    let json =
        |of: Value, open: Value| pack(&json!({"format": 1, "of": of, "open": open}).to_string());
    let named = |name: &str| json!({"library": {"name": name, "check": 1}});
    let at = json!({"at": 0});
    let mut wrong = Vec::new();
    for (fragment, sentence) in [
        ("s=".to_owned(), "its end is missing"),
        ("s=!".to_owned(), "its end is missing"),
        ("s=abc".to_owned(), "its end is missing"),
        (
            "s=ab!c".to_owned(),
            "character 5 of it is '!', which no link has",
        ),
        (good[..good.len() - 9].to_owned(), "its end is missing"),
        (
            format!("s=AAAA{}", &good[6..]),
            "something in it has been changed",
        ),
        (
            "s=".to_owned() + &"A".repeat(70_000),
            "it has more than 65536 characters",
        ),
        (
            pack(&" ".repeat(2 << 20)),
            "it unfolds into more than 1048576 bytes",
        ),
        (pack("{"), "EOF while parsing an object at line 1 column 1"),
        (
            pack(&"[".repeat(5_000)),
            "recursion limit exceeded at line 1 column 128",
        ),
        (
            pack(r#"{"format":2,"colour":"red"}"#),
            "it has format 2, and this program reads format 1",
        ),
        (pack(r#"{"of":1}"#), "missing field format"),
        (
            json(json!("library"), at.clone()),
            "of: expected an object with one field, not \"library\"",
        ),
        (
            json(named("../../etc"), at.clone()),
            "there is no scenario \"../../etc\"",
        ),
        (
            json(
                json!({"incident": {"name": "../x", "check": 1}}),
                at.clone(),
            ),
            "there is no scenario \"../x\"",
        ),
        (
            json(named("class-room"), json!({"at": -1})),
            "open.at: the time must lie between 0 and 604800000 ms",
        ),
        (
            json(named("class-room"), json!({"at": 700_000_000})),
            "open.at: the time must lie between 0 and 604800000 ms",
        ),
        (
            json(
                json!({"library": {"name": "class-room", "variant": "blue", "check": 1}}),
                at.clone(),
            ),
            "variants: there is no variant \"blue\"",
        ),
        (
            json(
                json!({"scenario": {"file": {"version": 1, "topics": []}}}),
                at.clone(),
            ),
            "of.scenario.file: missing field title",
        ),
        (
            pack(
                &json!({
                    "format": 1, "of": named("class-room"), "open": at,
                    "acts": [{"at": 5, "command": {"explode": {"actor": "c1"}}}],
                })
                .to_string(),
            ),
            "acts[0].command: expected one of ",
        ),
    ] {
        let refusal = refusal(&fragment);
        if !refusal.starts_with(sentence) {
            wrong.push((refusal, sentence));
        }
    }
    assert_eq!(wrong, []);
}

#[test]
fn what_stands_around_a_link_in_a_text_does_no_harm() {
    let ours = library("class-room", None);
    let fragment = ours.fragment();
    for after in ["", ".", ")", ">,", "…\u{201d} "] {
        assert_eq!(read(&format!("{fragment}{after}")), Ok(ours.link()));
    }
    assert!(Link::of_fragment("").is_none());
    assert!(Link::of_fragment("section").is_none());
}

#[test]
fn acts_that_the_world_refuses_when_their_time_comes_do_no_harm() {
    let mut link = library("class-room", None).link();
    for actor in ["nobody", "c1", "c1"] {
        link.acts.push(regroup::world::command::Act {
            at: s(2),
            command: kill(actor),
        });
    }
    link.open.at = s(5);
    let (_, session) = open(&link.fragment());
    assert_eq!(session.refused().count(), 2);
    assert_eq!(session.now(), s(5));
}

#[test]
fn every_view_and_every_thing_of_the_page_is_found_again() {
    let selections = [
        Selection::Client("c1".into()),
        Selection::Broker(BrokerId(2)),
        Selection::Partition(TopicPartition::new("orders", 3)),
        Selection::Topic("orders".into()),
        Selection::Group("billing".into()),
        Selection::Event(FactId(17)),
        Selection::Message {
            exchange: 9,
            is_answer: true,
        },
        Selection::Record {
            partition: TopicPartition::new("orders", 3),
            offset: Offset(40),
        },
    ];
    let tables = TableKind::ALL.into_iter().cycle();
    let filters = EventFilter::ALL.into_iter().cycle();
    let things = selections.into_iter().map(Some).chain([None]);
    for (((view, table), events), selection) in
        Tab::ALL.into_iter().zip(tables).zip(filters).zip(things)
    {
        let standpoint = Standpoint {
            view,
            selection,
            events,
            table,
            compare: Some(Change::StaticMembers("billing".into())),
            language: Some(Language::Korean),
            prepared: SortedMap::from([(3, PreparedFile { at: s(4), view })]),
        };
        assert_eq!(Standpoint::of(&standpoint.to_page()), Ok(standpoint));
    }
    assert!(Standpoint::default().to_page().is_empty(), "little to say");
}

#[test]
fn what_is_said_wrongly_of_the_page_is_refused_with_its_place() {
    let page = json!({"selection": {"record": {"partition": "orders", "offset": 1}}});
    let page = page.as_object().expect("an object");
    let refused = Standpoint::of(page).expect_err("it names no partition");
    assert_eq!(
        refused.to_string(),
        "open.page.selection.record.partition: expected a partition such as \"orders-0\", not \"orders\""
    );
}

/// This test is never changed, nor are its links: they stand in people's articles and slides.
#[test]
fn links_of_format_1_open_as_they_always_did() {
    let kept = fs::read_to_string("tests/data/links/format-1.txt").expect("they are kept");
    let lines = kept.lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [at_us, acts, hash, facts, fragment] = words[..] else {
            panic!("five words: {line}");
        };
        let (opened, session) = open(fragment);
        assert_eq!(session.now().0.to_string(), at_us);
        assert_eq!(session.acts().len().to_string(), acts);
        let traced = retraced(&session);
        assert_eq!(
            format!("{:016x}", traced.hash),
            hash,
            "{:?}",
            opened.variant
        );
        assert_eq!(traced.facts.to_string(), facts);
        count += 1;
    }
    assert_eq!(count, 2);
}
