//! `docs/seed-checklist.md` is true: every line of the articles is in it, and every scenario and test that it
//! names exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The lines of the articles: article, first line, last line.
const LINES: [(u32, u32, u32); 3] = [(1, 1, 90), (2, 36, 56), (3, 1, 37)];

/// The cells of each row of the table.
fn rows() -> Vec<Vec<String>> {
    let text = fs::read_to_string("docs/seed-checklist.md").expect("the table is there");
    let rows = text.lines().filter(|line| line.starts_with("| S"));
    let cells = |row: &str| {
        let cells = row.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_string()).collect()
    };
    rows.map(cells).collect()
}

/// What stands in code type.
fn names(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Names of all functions in the Rust files below a folder.
fn functions(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            functions(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("readable");
            let mut is_test = false;
            for line in text.lines() {
                let line = line.trim();
                let name = line
                    .strip_prefix("fn ")
                    .and_then(|rest| rest.split('(').next());
                found.extend(name.filter(|_| is_test).map(str::to_string));
                is_test = line == "#[test]" || (is_test && line.starts_with("#["));
            }
        }
    }
}

fn is_scenario(name: &str) -> bool {
    [
        "src/scenario/library",
        "static/incidents",
        "tests/data/scenarios",
    ]
    .iter()
    .any(|folder| Path::new(folder).join(format!("{name}.json")).exists())
}

#[test]
fn every_line_of_the_articles_is_in_the_table_once() {
    let found: Vec<String> = rows().into_iter().map(|row| row[0].clone()).collect();
    let wanted = LINES.iter().flat_map(|(article, first, last)| {
        (*first..=*last).map(move |line| format!("S{article}-{line}"))
    });
    assert_eq!(found, wanted.collect::<Vec<_>>());
}

#[test]
fn what_the_table_names_exists() {
    let mut tests = BTreeSet::new();
    functions(Path::new("tests"), &mut tests);
    functions(Path::new("src"), &mut tests);
    for row in rows() {
        assert_eq!(row.len(), 5, "{}", row[0]);
        for name in names(&row[3]) {
            let exists = is_scenario(name) || tests.contains(name);
            assert!(exists, "{}: there is no test or scenario {name}", row[0]);
        }
        assert!(
            row[3] == "–" || !names(&row[3]).is_empty(),
            "{} is held by nothing",
            row[0]
        );
        for name in names(&row[2])
            .into_iter()
            .filter(|name| !name.contains('.'))
        {
            assert!(is_scenario(name), "{}: there is no scenario {name}", row[0]);
        }
        for name in names(&row[4])
            .into_iter()
            .filter(|name| name.contains('-') || name.contains('_'))
        {
            let exists = is_scenario(name) || tests.contains(name);
            assert!(exists, "{}: there is no test or scenario {name}", row[0]);
        }
    }
}
