//! The native program's `run` and `check`, from outside.
#![cfg(not(target_arch = "wasm32"))]
// This test drives a program from outside; the ban is for what runs on virtual time.
#![allow(clippy::disallowed_methods)]

use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

const GOOD: &str = "tests/data/scenarios/wire-join-fourth.json";
const VARIANTS: &str = "static/incidents/i-009.json";

fn regroup(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_regroup"))
        .args(arguments)
        .output()
        .expect("the program runs")
}

fn out(output: &Output) -> &str {
    str::from_utf8(&output.stdout).expect("text")
}

/// A folder of this test's own with files in it.
fn folder(name: &str, files: &[(&str, String)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the target folder is ours");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("writable");
    }
    folder
}

/// The good file with another value of an expectation.
fn failing() -> String {
    let text = fs::read_to_string(GOOD).expect("readable");
    let mut file: Value = serde_json::from_str(&text).expect("JSON");
    file["expect"] = json!([{"field": "rebalances", "is": 7}]);
    file.to_string()
}

#[test]
fn check_writes_a_line_for_each_scenario_and_variant_and_counts_them() {
    let output = regroup(&["check", GOOD, VARIANTS]);
    assert_eq!(output.status.code(), Some(0));
    let lines: Vec<&str> = out(&output).lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[1].starts_with("ok") && lines[1].contains("[cooperative]"));
    assert_eq!(lines.last(), Some(&"3 passed, 0 failed"));
}

#[test]
fn check_looks_into_folders_and_tells_failures_from_bad_files() {
    let text = fs::read_to_string(GOOD).expect("readable");
    let good = ("good.json", text);
    let fails = folder("fails", &[good.clone(), ("wrong.json", failing())]);
    let output = regroup(&["check", fails.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains("expect[0]: rebalances is 1, not 7"));
    assert!(out(&output).ends_with("1 passed, 1 failed\n"));

    let bad = folder(
        "bad",
        &[good, ("broken.json", "{\"version\": 1".to_owned())],
    );
    let output = regroup(&["check", bad.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(out(&output).contains("BAD"));
    assert!(out(&output).ends_with("1 passed, 1 failed\n"));

    let output = regroup(&["check", "no/such/file.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(regroup(&["check"]).status.code(), Some(2));
}

#[test]
fn run_holds_the_hash_of_a_report_against_its_own() {
    let text = fs::read_to_string("src/scenario/library/hot-key.json").expect("readable");
    let report = |hash: &str| {
        let mut file: Value = serde_json::from_str(&text).expect("JSON");
        file["open"] = json!({"at": 3000});
        file["report"] = json!({
            "program": "0.1.0", "trace_schema": 1, "trace_hash": hash, "facts": 1, "difference": "It waits.",
        });
        file.to_string()
    };
    let files = folder("report", &[("report.json", report("0123456789abcdef"))]);
    let path = files.join("report.json");
    let path = path.to_str().expect("text");
    let other = regroup(&["run", path, "--json"]);
    assert_eq!(other.status.code(), Some(1));
    let summary: Value = serde_json::from_str(out(&other)).expect("JSON");
    assert_eq!(summary["reported_trace_hash"], "0123456789abcdef");
    let here = summary["trace_hash"].as_str().expect("a hash");
    fs::write(path, report(here)).expect("writable");
    let same = regroup(&["run", path]);
    assert_eq!(same.status.code(), Some(0));
    assert!(out(&same).ends_with(&format!(
        "reported: trace hash {here}; here it is the same\n"
    )));
}

#[test]
fn run_sums_up_in_words_and_in_json() {
    let output = regroup(&["run", GOOD]);
    assert_eq!(output.status.code(), Some(0));
    assert!(out(&output).contains("generation            3"));

    let output = regroup(&["run", GOOD, "--json"]);
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        summary["groups"]["my-consumer-group"]["rebalances"],
        json!(1)
    );
    assert_eq!(summary["passed"], json!(true));

    let wrong = folder("runs", &[("wrong.json", failing())]).join("wrong.json");
    let output = regroup(&["run", wrong.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn run_chooses_a_variant_and_ends_early() {
    let output = regroup(&[
        "run",
        VARIANTS,
        "--variant",
        "cooperative",
        "--json",
        "--until",
        "13000",
    ]);
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(summary["until_ms"], json!(13_000));
    assert_eq!(summary["groups"]["g"]["generation"], json!(2));
    assert_eq!(
        output.status.code(),
        Some(1),
        "what was to come later did not come"
    );
    let output = regroup(&["run", VARIANTS, "--variant", "lazy"]);
    assert_eq!(output.status.code(), Some(2));
    let words = str::from_utf8(&output.stderr).expect("text");
    assert!(words.contains("there is no variant \"lazy\""), "{words}");
}

#[test]
fn run_writes_the_canonical_trace() {
    let trace = || regroup(&["run", GOOD, "--trace", "--json"]).stdout;
    let first = trace();
    assert_eq!(first, trace(), "the same file gives the same bytes");
    let lines: Vec<Value> = str::from_utf8(&first)
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert!(lines[0].get("regroup_trace").is_some());
    let facts = lines.last().and_then(|summary| summary["facts"].as_u64());
    assert_eq!(facts, Some(lines.len() as u64 - 2));
}
