//! The assignors against what Kafka's own classes gave, line by line.
#![cfg(not(target_arch = "wasm32"))]

mod vectors;

use regroup::cases::{Case, CaseResult, HeldBackLine, Run};
use regroup::kafka::assignor::Explain;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Expected {
    id: String,
    #[serde(default)]
    subscription_type: Option<String>,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    assignment: Option<BTreeMap<String, Vec<Run>>>,
    held_back: Option<Vec<HeldBackLine>>,
    rejoin: Option<Vec<String>>,
    error: Option<String>,
    #[serde(default)]
    anomalies: Vec<String>,
    #[serde(default)]
    order_dependent: bool,
    #[serde(default)]
    list_order_dependent: bool,
}

/// What came of the lines of one file.
#[derive(Default)]
struct Tally {
    lines: usize,
    order_dependent: usize,
    anomalies: usize,
    wrong: Vec<String>,
}

fn check(tally: &mut Tally, line: &str) {
    let expected: Expected = serde_json::from_str(line).expect("a line of the form");
    let case = Case::parse(line).unwrap_or_else(|error| panic!("{}: {error}", expected.id));
    let mut found = case.run(&mut Explain::off());
    let explained = case.run(&mut Explain::on());
    assert_eq!(
        found, explained,
        "{}: an account must not change the result",
        expected.id
    );
    tally.lines += 1;
    tally.order_dependent +=
        usize::from(expected.expect.order_dependent || expected.expect.list_order_dependent);
    tally.anomalies += usize::from(!expected.expect.anomalies.is_empty());
    let wanted = CaseResult {
        id: expected.id.clone(),
        assignment: expected.expect.assignment,
        held_back: expected.expect.held_back,
        rejoin: expected.expect.rejoin,
        error: expected.expect.error,
    };
    if expected.subscription_type.is_some() {
        // Members may be missing from a target assignment, which means that they get nothing.
        if let (Some(found), Some(wanted)) = (&mut found.assignment, &wanted.assignment) {
            found.retain(|member, runs| !runs.is_empty() || wanted.contains_key(member));
        }
    }
    if found != wanted {
        let marks = expected.expect.anomalies.join(",");
        tally.wrong.push(format!(
            "{} [{marks}]\n  found  {found:?}\n  wanted {wanted:?}",
            expected.id
        ));
    }
}

/// Checks every line of the files, order and all; lines whose answer in Kafka is itself questionable are counted
/// apart but checked like the others.
fn check_files(names: &[&str]) {
    for name in names {
        let mut tally = Tally::default();
        for line in vectors::lines(name) {
            check(&mut tally, &line);
        }
        println!(
            "{name}: {} lines, {} depend on hash order, {} have anomalies, {} wrong",
            tally.lines,
            tally.order_dependent,
            tally.anomalies,
            tally.wrong.len()
        );
        assert!(tally.lines > 0, "{name} has no lines");
        assert!(
            tally.wrong.is_empty(),
            "{name}: {} wrong\n{}",
            tally.wrong.len(),
            tally.wrong.join("\n")
        );
    }
}

#[test]
fn range_gives_what_kafka_gives() {
    check_files(&["client-range.jsonl", "client-range-large.jsonl"]);
}

#[test]
fn roundrobin_gives_what_kafka_gives() {
    check_files(&["client-roundrobin.jsonl", "client-roundrobin-large.jsonl"]);
}

#[test]
fn sticky_gives_what_kafka_gives() {
    check_files(&["client-sticky.jsonl", "client-sticky-large.jsonl"]);
}

#[test]
fn cooperative_sticky_gives_what_kafka_gives() {
    check_files(&[
        "client-cooperative-sticky.jsonl",
        "client-cooperative-sticky-large.jsonl",
    ]);
}

#[test]
fn server_uniform_gives_what_kafka_gives() {
    check_files(&["server-uniform.jsonl", "server-uniform-large.jsonl"]);
}

#[test]
fn server_range_gives_what_kafka_gives() {
    check_files(&["server-range.jsonl", "server-range-large.jsonl"]);
}
