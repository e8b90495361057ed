//! What an incident card expects is asserted by its scenario, with the same value at the same instant of
//! the same subject. That it also holds is the business of `tests/scenarios.rs`.
#![cfg(not(target_arch = "wasm32"))]

use regroup::kafka::config::{BrokerConfig, Configuration, ConsumerConfig};
use regroup::kafka::time::Instant;
use regroup::scenario::{Document, ExpectFile, ScenarioFile, Want};
use regroup::world::command::Command;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::rc::Rc;

#[derive(Deserialize)]
struct Card {
    id: String,
    setup: Setup,
    expect: Vec<CardExpect>,
}

#[derive(Deserialize)]
struct Setup {
    #[serde(default)]
    config: BTreeMap<String, toml::Value>,
}

#[derive(Deserialize)]
struct CardExpect {
    t: Option<i64>,
    subject: String,
    field: String,
    value: toml::Value,
    #[serde(default)]
    tolerance: u32,
}

/// Expectations that name another field than the card: card, number, field. docs/cards.md has the reasons.
const OTHER_FIELDS: &[(&str, usize, &str)] = &[
    ("I-022", 2, "moved_voluntary"),
    ("I-022", 4, "moved_voluntary"),
];

/// The cards in the folder, each with its scenario.
fn cards() -> Vec<(Card, Document)> {
    let mut paths: Vec<_> = fs::read_dir("tests/data/incidents")
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    let read = |path: std::path::PathBuf| {
        let text = fs::read_to_string(&path).expect("readable");
        let front = text.split("+++").nth(1).expect("front matter");
        let card: Card = toml::from_str(front).unwrap_or_else(|bad| panic!("{path:?}: {bad}"));
        let name = format!("static/incidents/{}.json", card.id.to_lowercase());
        let text = fs::read_to_string(&name).unwrap_or_else(|bad| panic!("{name}: {bad}"));
        let document = Document::parse(&text).unwrap_or_else(|bad| panic!("{name}: {bad}"));
        (card, document)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn every_expectation_of_a_card_is_asserted_with_its_value() {
    let cards = cards();
    assert_eq!(cards.len(), 42);
    for (card, document) in &cards {
        let file = document.file();
        assert_eq!(file.card.as_deref(), Some(&*card.id));
        for (index, expect) in card.expect.iter().enumerate() {
            let place = format!("{} expect {} ({})", card.id, index + 1, expect.subject);
            let number = u32::try_from(index + 1).expect("few");
            let asserted: Vec<&ExpectFile> = file
                .expect
                .iter()
                .filter(|entry| entry.card == Some(number))
                .collect();
            assert!(!asserted.is_empty(), "{place} is asserted nowhere");
            for entry in &asserted {
                let other = OTHER_FIELDS.iter();
                let mut other = other.filter(|one| (one.0, one.1) == (&*card.id, index + 1));
                let field = other.next().map_or(&*expect.field, |one| one.2);
                assert_eq!(entry.field.name(), field, "{place}");
                assert_eq!(entry.at, expect.t.map(Instant::from_ms), "{place}");
                assert!(entry.tolerance <= expect.tolerance, "{place}");
                let want = wanted(&expect.value, file, &expect.field);
                match want == Want::Text("committed offset".into()) {
                    true => check_committed(&place, entry, file),
                    false => assert_eq!(entry.is, want, "{place}"),
                }
            }
            check_subject(&place, &expect.subject, &asserted, document);
        }
        let most = u32::try_from(card.expect.len()).expect("few");
        let claimed = file.expect.iter().filter_map(|entry| entry.card).max();
        assert_eq!(claimed, Some(most), "{} has no more expectations", card.id);
    }
}

#[test]
fn a_scenario_has_the_configurations_of_its_card() {
    fn default_of<C: Configuration>(name: &str) -> Option<String> {
        let key = C::KEYS.iter().find(|key| key.name == name)?;
        Some((key.get)(&C::default()))
    }
    for (card, document) in cards() {
        let file = document.file();
        for (name, value) in &card.setup.config {
            let value = match value {
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Boolean(flag) => flag.to_string(),
                // `s1 / s2`, `range / cooperative-sticky`: one per member or variant.
                _ => continue,
            };
            let default =
                default_of::<ConsumerConfig>(name).or_else(|| default_of::<BrokerConfig>(name));
            let Some(default) = default else {
                continue;
            };
            let said = file.consumer_configs.get(&**name);
            let said = said.or_else(|| file.broker_configs.get(&**name));
            let said = said.map_or(default, ToString::to_string);
            assert_eq!(said, value, "{}: {name}", card.id);
        }
    }
}

/// The card's value as the scenario must have it: with whole names of partitions.
fn wanted(value: &toml::Value, file: &ScenarioFile, field: &str) -> Want {
    let full = |name: &str| match name.strip_prefix('p').map(str::parse::<i32>) {
        Some(Ok(number)) => format!("{}-{number}", file.topics[0].name).into(),
        _ => Rc::from(name),
    };
    // `0-2` are three partitions.
    let several = |name: &str| {
        let ends = name
            .split_once('-')
            .map(|(a, b)| (a.parse::<i32>(), b.parse::<i32>()));
        match ends {
            Some((Ok(first), Ok(last))) => {
                (first..=last).map(|one| full(&format!("p{one}"))).collect()
            }
            _ => vec![full(name)],
        }
    };
    match value {
        toml::Value::Integer(number) => Want::Number(*number),
        toml::Value::Boolean(flag) => Want::Flag(*flag),
        toml::Value::Array(list) => {
            let names = list.iter().map(|name| full(name.as_str().expect("a name")));
            Want::List(names.collect())
        }
        toml::Value::String(text) if field == "owners" => {
            let map = text.split(" (").next().unwrap_or_default();
            let owners = map.split_whitespace().map(|share| {
                let (name, list) = share.split_once(':').expect("name:partitions");
                (Rc::from(name), list.split(',').flat_map(several).collect())
            });
            let has_any = |(_, list): &(Rc<str>, Vec<Rc<str>>)| **list != [Rc::from("none")];
            Want::Map(owners.filter(has_any).collect())
        }
        toml::Value::String(text) if field == "callback" && text.contains('[') => {
            let (name, list) = text.split_once('[').expect("it was found");
            let list = list.trim_end_matches("])");
            let list: Vec<String> = list.split(", ").map(|one| full(one).to_string()).collect();
            Want::Text(format!("{name}[{}])", list.join(", ")).into())
        }
        // What follows a comma is said of the exception, and no part of its name.
        toml::Value::String(text) if field == "exception" => {
            Want::Text(text.split(',').next().unwrap_or_default().into())
        }
        toml::Value::String(text) => Want::Text(text.as_str().into()),
        other => panic!("{other:?} is no value of a card"),
    }
}

/// "Committed offset" stands for a number: that which is asserted of the partition at that instant.
fn check_committed(place: &str, entry: &ExpectFile, file: &ScenarioFile) {
    let mut others = file.expect.iter();
    let is_said = others.any(|one| {
        one.field.name() == "committed"
            && (&one.partition, one.at, &one.variants)
                == (&entry.partition, entry.at, &entry.variants)
            && one.is == entry.is
    });
    assert!(is_said, "{place}: what is committed then?");
}

/// Whether the entries are about exactly those whom the card's subject names.
fn check_subject(place: &str, subject: &str, asserted: &[&ExpectFile], document: &Document) {
    let file = document.file();
    let mut variants: Vec<&str> = document.variants().map(|(name, _)| &**name).collect();
    variants.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let named = variants.iter().find(|name| subject.contains(**name));
    let rest = named.map_or(subject.to_owned(), |name| subject.replace(name, ""));
    for entry in asserted {
        let about: Option<Vec<&str>> = entry
            .variants
            .as_ref()
            .map(|list| list.iter().map(|name| &**name).collect());
        match named {
            Some(name) => assert_eq!(about, Some(vec![*name]), "{place}: variant"),
            None => assert!(variants.is_empty() || about.is_some(), "{place}: variant"),
        }
        if subject.contains("first JoinGroup") {
            assert_eq!(entry.nth, Some(1), "{place}");
        }
    }
    let added = file.acts.iter().flat_map(|act| match &act.command {
        Command::AddConsumers { consumers } => consumers.iter().map(|one| &one.name).collect(),
        _ => Vec::new(),
    });
    let actors = file.consumers.iter().map(|one| &one.name).chain(added);
    let actors: BTreeSet<String> = actors.map(ToString::to_string).collect();
    let (mut partitions, mut members) = (BTreeSet::new(), BTreeSet::new());
    for word in rest.split([' ', ',', ':']).filter(|word| !word.is_empty()) {
        for name in expand(word) {
            match name.strip_prefix('p').map(str::parse::<i32>) {
                Some(Ok(number)) => drop(partitions.insert(number)),
                _ if actors.contains(&name) => drop(members.insert(name)),
                _ if name == "all" => partitions.extend(0..file.topics[0].partitions),
                _ => {}
            }
        }
    }
    let groups: Vec<Option<&str>> = match subject.contains("both") {
        true => variants.iter().map(|name| Some(*name)).collect(),
        false => vec![None],
    };
    for variant in groups {
        let of_variant = |entry: &&&ExpectFile| {
            variant.is_none_or(|variant| {
                let about = entry.variants.iter().flatten();
                about.into_iter().any(|name| &**name == variant)
            })
        };
        let entries: Vec<_> = asserted.iter().filter(of_variant).collect();
        if !partitions.is_empty() {
            let about = entries.iter().filter_map(|entry| entry.partition.as_ref());
            let about: BTreeSet<i32> = about.map(|partition| partition.partition).collect();
            assert_eq!(about, partitions, "{place}: partitions {variant:?}");
        }
        if !members.is_empty() {
            let who = |entry: &&&ExpectFile| {
                let event = entry.event.as_ref().and_then(|event| event.of.as_ref());
                entry.of.as_ref().or(event).map(ToString::to_string)
            };
            let about: BTreeSet<String> = entries.iter().filter_map(who).collect();
            assert_eq!(about, members, "{place}: members {variant:?}");
        }
    }
}

/// `p0-p3` and `c1..c5` are several names.
fn expand(word: &str) -> Vec<String> {
    let range = word.split_once("..").or_else(|| word.split_once('-'));
    if let Some((first, last)) = range {
        let split = |name: &str| {
            let digits = name.trim_start_matches(|letter: char| !letter.is_ascii_digit());
            let stem = name.strip_suffix(digits).unwrap_or_default().to_owned();
            digits.parse::<u32>().ok().map(|number| (stem, number))
        };
        if let (Some((stem, first)), Some((other, last))) = (split(first), split(last))
            && stem == other
        {
            return (first..=last)
                .map(|number| format!("{stem}{number}"))
                .collect();
        }
    }
    vec![word.to_owned()]
}

#[test]
fn subjects_are_read_as_people_mean_them() {
    assert_eq!(expand("p0-p2"), ["p0", "p1", "p2"]);
    assert_eq!(expand("c6..c8"), ["c6", "c7", "c8"]);
    assert_eq!(expand("cooperative-sticky"), ["cooperative-sticky"]);
}
