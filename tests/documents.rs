//! What the documents name exists.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::Path;

/// What stands between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .flat_map(|line| line.split('`').skip(1).step_by(2))
}

#[test]
fn every_test_that_the_table_of_packets_names_is_there() {
    let text = fs::read_to_string("docs/seed-packets.md").expect("the table");
    let mut found = 0;
    for name in quoted(&text).filter(|name| name.starts_with("tests/") || name.starts_with("src/"))
    {
        let (file, test) = name.split_once("::").unwrap_or((name, ""));
        assert!(Path::new(file).exists(), "there is no {file}");
        let code = fs::read_to_string(file).expect("readable");
        let is_there =
            code.contains(&format!("fn {test}(")) || code.contains(&format!(" {test} \""));
        assert!(test.is_empty() || is_there, "{file} has no test {test}");
        found += 1;
    }
    assert!(found > 70, "{found}");
}

#[test]
fn every_line_about_the_captured_traffic_is_in_the_table() {
    let text = fs::read_to_string("docs/seed-packets.md").expect("the table");
    let lines = [
        ("S4-", 23),
        ("S4-P", 31),
        ("S4-D", 5),
        ("S4-B", 7),
        ("S4-T", 6),
    ];
    for (stem, count) in lines {
        for number in 1..=count {
            let line = format!("| {stem}{number} |");
            assert_eq!(text.matches(&line).count(), 1, "{line}");
        }
    }
}
