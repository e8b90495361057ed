//! The native program's `assign` over the reference vectors, and over lines that are none.
#![cfg(not(target_arch = "wasm32"))]
// This test drives a program from outside; the ban is for what runs on virtual time.
#![allow(clippy::disallowed_methods)]

mod vectors;

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn regroup(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_regroup"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it was piped");
    let input = input.to_owned();
    // From a thread of its own: results come while lines still go in.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    // A program that refuses its arguments does not read.
    let _ = writer.join().expect("the writer ends");
    output
}

fn json_lines(bytes: &[u8]) -> Vec<Value> {
    let text = str::from_utf8(bytes).expect("text");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn assign_answers_every_vector_line_in_order() {
    let files = [
        "client-range",
        "client-roundrobin",
        "client-sticky",
        "client-cooperative-sticky",
        "server-uniform",
        "server-range",
        "client-cooperative-sticky-large",
    ];
    let lines: Vec<String> = files
        .iter()
        .flat_map(|file| vectors::lines(&format!("{file}.jsonl")))
        .collect();
    let output = regroup(&["assign"], &(lines.join("\n") + "\n"));
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
    let results = json_lines(&output.stdout);
    assert_eq!(results.len(), lines.len());
    for (line, result) in lines.iter().zip(&results) {
        let case: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(result["id"], case["id"]);
        for field in ["assignment", "held_back", "rejoin", "error"] {
            let (found, wanted) = (&result[field], &case["expect"][field]);
            if case["subscription_type"].is_string() && field == "assignment" {
                continue;
            }
            assert_eq!(found, wanted, "{field} of {}", case["id"]);
        }
    }
}

#[test]
fn a_bad_line_is_reported_with_its_number_and_the_rest_goes_on() {
    let good = |id: &str| {
        format!(r#"{{"id":"{id}","assignor":"range","topics":[{{"name":"t","partitions":3}}],"#)
            + r#""members":[{"member_id":"A","group_instance_id":null,"rack_id":null,"topics":["t","u"]}]}"#
    };
    let input = [
        good("first"),
        "{".to_owned(),
        String::new(),
        good("third").replace("range", "best"),
        good("fourth").replace("3", "-3"),
        r#"{"id":"x","assignor":"sticky","topics":[],"members":7}"#.to_owned(),
        "\u{0}".to_owned(),
        good("last"),
    ]
    .join("\n");
    let output = regroup(&["assign"], &input);
    assert_eq!(output.status.code(), Some(1));
    let results = json_lines(&output.stdout);
    let wanted: Value =
        serde_json::from_str(r#"{"id":"first","assignment":{"A":[["t",[0,1,2]]]}}"#).expect("JSON");
    assert_eq!(results[0], wanted);
    let bad: Vec<i64> = results[1..6]
        .iter()
        .map(|line| line["line"].as_i64().expect("a number"))
        .collect();
    assert_eq!(bad, [2, 4, 5, 6, 7]);
    assert!(results[1..6].iter().all(|line| line["error"].is_string()));
    assert_eq!(results[6]["id"], "last");
    assert_eq!(results.len(), 7);
    let errors = String::from_utf8(output.stderr).expect("text");
    assert_eq!(errors.lines().count(), 5);
    assert!(
        errors.contains("line 4: assignor \"best\" is not known"),
        "{errors}"
    );
}

#[test]
fn what_is_not_understood_gets_the_usage_and_code_2() {
    for arguments in [
        &[][..],
        &["assing"],
        &["--fast"],
        &["assign", "--fast"],
        &["assign", "file"],
    ] {
        let output = regroup(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("usage: regroup"),
            "{arguments:?}"
        );
        assert!(output.stdout.is_empty());
    }
    let help = regroup(&["--help"], "");
    assert!(help.status.success());
    assert!(String::from_utf8_lossy(&help.stdout).contains("assign"));
}
