//! What no compiler checks: who may import whom, how long a file may get, and what no file contains.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Kafka's vocabulary: plain words and records that everything above may use.
const VOCABULARY: &[&str] = &[
    "kafka::ids",
    "kafka::time",
    "kafka::error",
    "kafka::record",
    "kafka::sorted",
    "kafka::api",
    "kafka::config",
    "kafka::cluster",
];

/// How a machine of Kafka's draws, waits and tells: streams of chance, timers, facts.
const MEANS: &[&str] = &[
    "kafka::chance",
    "kafka::timers",
    "kafka::fact",
    "kafka::journal",
];

/// A layer and what it may import besides itself. Modules are named by their path and stand for all
/// below them; of the names that fit a module, the longest is its layer.
struct Layer {
    name: &'static str,
    imports: &'static [&'static [&'static str]],
}

const fn layer(name: &'static str, imports: &'static [&'static [&'static str]]) -> Layer {
    Layer { name, imports }
}

/// Who may import whom. A module that is not listed here may import nothing.
const LAYERS: &[Layer] = &[
    layer("kafka::ids", &[VOCABULARY]),
    layer("kafka::time", &[VOCABULARY]),
    layer("kafka::error", &[VOCABULARY]),
    layer("kafka::record", &[VOCABULARY]),
    layer("kafka::sorted", &[]),
    layer("kafka::api", &[VOCABULARY]),
    layer("kafka::config", &[VOCABULARY]),
    layer("kafka::cluster", &[VOCABULARY]),
    layer("kafka::chance", &[&["kafka::ids", "kafka::time"]]),
    layer("kafka::fact", &[VOCABULARY]),
    layer("kafka::journal", &[&["kafka::fact", "kafka::time"]]),
    layer(
        "kafka::timers",
        &[&[
            "kafka::fact",
            "kafka::journal",
            "kafka::sorted",
            "kafka::time",
        ]],
    ),
    // How Java orders hash maps and strings: arithmetic that Kafka's results depend on.
    layer("kafka::java_hash", &[&["kafka::ids"]]),
    layer(
        "kafka::protocol",
        &[&[
            "kafka::ids",
            "kafka::java_hash",
            "kafka::record",
            "kafka::sorted",
        ]],
    ),
    layer("kafka::wire", &[VOCABULARY, &["kafka::protocol"]]),
    layer(
        "kafka::assignor",
        &[&[
            "kafka::ids",
            "kafka::java_hash",
            "kafka::protocol",
            "kafka::sorted",
        ]],
    ),
    layer(
        "kafka::broker",
        &[
            VOCABULARY,
            MEANS,
            &[
                "kafka::protocol",
                "kafka::java_hash",
                "kafka::assignor::server",
            ],
        ],
    ),
    layer(
        "kafka::client",
        &[
            VOCABULARY,
            MEANS,
            &[
                "kafka::protocol",
                "kafka::assignor",
                "kafka::java_hash",
                "kafka::murmur2",
            ],
        ],
    ),
    // How plain data is written down.
    layer("form", &[&["kafka::sorted"]]),
    layer(
        "cases",
        &[&["kafka::assignor", "kafka::ids", "kafka::sorted"]],
    ),
    layer("world", &[&["form", "kafka"]]),
    layer("ledger", &[VOCABULARY, &["kafka::fact"]]),
    layer("scenario", &[&["form", "kafka", "world", "ledger"]]),
    layer("lesson", &[&["kafka", "world", "ledger", "scenario"]]),
    layer("session", &[&["kafka", "world", "ledger", "scenario"]]),
    layer(
        "view",
        &[&[
            "form", "kafka", "world", "ledger", "scenario", "lesson", "session",
        ]],
    ),
    layer(
        "page",
        &[
            VOCABULARY,
            &["form", "world", "scenario", "lesson", "session", "view"],
        ],
    ),
];

/// Crates of the browser, for the page and its entry point alone.
const WEB_CRATES: &[&str] = &[
    "yew",
    "web_sys",
    "js_sys",
    "wasm_bindgen",
    "wasm_bindgen_futures",
    "gloo",
    "gloo_events",
    "gloo_render",
    "gloo_timers",
    "console_error_panic_hook",
];

/// Parts of std that reach outside, for the page and the native program alone.
const OUTSIDE: &[&str] = &[
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
];

/// Error, and the question, of a file's length.
const LINES_MAX: usize = 800;

#[test]
fn each_layer_imports_only_what_stands_below_it() {
    let mut wrong = Vec::new();
    for file in rust_files("src") {
        let module = module_of(&file);
        if module.is_empty() || module == "main" || module.starts_with("bin") {
            continue;
        }
        let text = code_of(&read(&file));
        for import in imports(&text, &module) {
            if !allowed(&module, &import) {
                wrong.push(format!(
                    "{}: {module} may not import {import}",
                    file.display()
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "the table in tests/tidy.rs forbids:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn only_the_page_knows_a_browser_and_nothing_below_it_reaches_outside() {
    let mut wrong = Vec::new();
    for file in rust_files("src") {
        let module = module_of(&file);
        if module == "main" || module.starts_with("bin") || within(&module, "page") {
            continue;
        }
        let text = code_of(&read(&file));
        for name in WEB_CRATES
            .iter()
            .filter(|name| contains_path(&text, &format!("{name}::")))
        {
            wrong.push(format!("{}: {name} belongs to the page", file.display()));
        }
        for name in OUTSIDE.iter().filter(|name| contains_path(&text, name)) {
            wrong.push(format!(
                "{}: {name} belongs to the page or the native program",
                file.display()
            ));
        }
        if within(&module, "kafka") && contains_path(&text, "serde::") {
            wrong.push(format!(
                "{}: formats have their own structs, above kafka",
                file.display()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_file_is_longer_than_a_person_reads() {
    let wrong: Vec<String> = sources()
        .into_iter()
        .map(|file| (read(&file).lines().count(), file))
        .filter(|(lines, _)| *lines > LINES_MAX)
        .map(|(lines, file)| format!("{}: {lines} lines, {LINES_MAX} is the most", file.display()))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_left_for_later_or_switched_off() {
    // Put together here, so that this file does not find itself.
    let forbidden = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("dbg", "!("),
        concat!("#[ig", "nore"),
        concat!("allow(dead", "_code)"),
        concat!("allow(un", "used"),
        concat!("test.sk", "ip("),
        concat!("test.on", "ly("),
    ];
    let mut wrong = Vec::new();
    for file in sources() {
        for (number, line) in read(&file).lines().enumerate() {
            for word in forbidden.iter().filter(|word| line.contains(**word)) {
                wrong.push(format!("{}:{}: {word}", file.display(), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_lock_file_of_the_node_packages_names_no_registry() {
    let lock = read(Path::new("tools/package-lock.json"));
    assert!(
        !lock.contains("\"resolved\""),
        "npm install --omit-lockfile-registry-resolved leaves them out"
    );
    assert!(lock.contains("\"integrity\""));
}

#[test]
fn imports_are_read_in_all_their_forms() {
    let text = code_of(
        "//! use crate::comment::is::none;\n\
         use crate::kafka::{ids::{Offset, TopicName as Name}, time};\n\
         use super::fact::Fact;\n\
         pub(crate) use crate::world;\n\
         fn f() -> crate::ledger::Lag { \"crate::text::is::none\"; panic!() }\n\
         const RAW: &str = r#\"{\"crate::raw::is::none\"\"#;\n\
         mod tests { use super::*; }\n",
    );
    let found: Vec<String> = imports(&text, "kafka::out").into_iter().collect();
    assert_eq!(
        found,
        [
            "kafka::fact::Fact",
            "kafka::ids::Offset",
            "kafka::ids::TopicName",
            "kafka::time",
            "ledger::Lag",
            "world",
        ]
    );
}

#[test]
fn the_table_refuses_what_it_should() {
    for (module, import, expected) in [
        (
            "kafka::broker::group",
            "kafka::api::join_group::JoinGroupRequest",
            true,
        ),
        ("kafka::broker::group", "kafka::client::consumer", false),
        ("kafka::broker::group", "kafka::wire::encode", false),
        ("kafka::broker::group", "kafka::broker::log::Log", true),
        ("kafka::client::consumer", "kafka::assignor::range", true),
        ("kafka::client::consumer", "kafka::broker::Broker", false),
        ("kafka::ids", "kafka::broker::Broker", false),
        ("kafka::assignor::range", "kafka::api::join_group", false),
        ("kafka", "kafka::ids", true),
        ("world::queue", "kafka::broker::Broker", true),
        ("world::queue", "ledger::Lag", false),
        ("ledger", "kafka::fact::Fact", true),
        ("ledger", "world::queue", false),
        ("view::stage", "page::App", false),
        ("page::stage", "kafka::broker::Broker", false),
        ("page::stage", "kafka::ids::GroupId", true),
        ("page::stage", "view::Stage", true),
        ("unknown", "kafka::ids", false),
    ] {
        assert_eq!(
            allowed(module, import),
            expected,
            "{module} imports {import}"
        );
    }
}

/// Whether the table lets `module` import `import`, both paths from the crate's root.
fn allowed(module: &str, import: &str) -> bool {
    let Some(from) = layer_of(module) else {
        // A folder's own mod.rs gathers what is below it.
        return module == "kafka" && within(import, "kafka");
    };
    let mut names = from.imports.iter().flat_map(|group| group.iter());
    within(import, from.name) || names.any(|name| within(import, name))
}

fn layer_of(module: &str) -> Option<&'static Layer> {
    LAYERS
        .iter()
        .filter(|layer| within(module, layer.name))
        .max_by_key(|layer| layer.name.len())
}

/// Whether the path is `outer` or lies below it.
fn within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Whether `path` stands in the text as the beginning of a path, not inside a longer name.
fn contains_path(text: &str, path: &str) -> bool {
    text.match_indices(path)
        .any(|(at, _)| !text[..at].ends_with(|before: char| is_name(before) || before == ':'))
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// All paths from the crate's root that the text names, in `use` or in place, absolute or by `super`.
fn imports(text: &str, module: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
    for (start, base) in [("crate::", ""), ("super::", parent)] {
        for (at, _) in text.match_indices(start) {
            if text[..at].ends_with(|before: char| is_name(before) || before == ':') {
                continue;
            }
            leaves(&text[at + start.len()..], base, &mut found);
        }
    }
    // `use super::*` is how a test module names its own file; a folder's name is all that is left of it.
    found.retain(|path| !path.is_empty() && path != parent);
    found
}

/// Reads one use-tree and puts its leaves, below `base`, into `found`; returns what follows it.
fn leaves<'a>(text: &'a str, base: &str, found: &mut BTreeSet<String>) -> &'a str {
    let mut base = base.to_owned();
    let mut rest = text.trim_start();
    loop {
        if let Some(inner) = rest.strip_prefix('{') {
            rest = inner.trim_start();
            while !rest.is_empty() && !rest.starts_with('}') {
                rest = leaves(rest, &base, found).trim_start();
                let end = rest.find([',', '}']).unwrap_or(rest.len());
                rest = rest[end..].trim_start_matches(',').trim_start();
            }
            return rest.strip_prefix('}').unwrap_or(rest);
        }
        let end = rest
            .find(|character| !is_name(character))
            .unwrap_or(rest.len());
        let name = &rest[..end];
        rest = &rest[end..];
        match name {
            "super" => {
                base = base
                    .rsplit_once("::")
                    .map_or("", |(parent, _)| parent)
                    .to_owned()
            }
            "self" | "" => {}
            _ if base.is_empty() => base = name.to_owned(),
            _ => base = format!("{base}::{name}"),
        }
        match rest.strip_prefix("::") {
            Some(deeper) if !name.is_empty() => rest = deeper.trim_start(),
            _ => {
                found.insert(base);
                return rest;
            }
        }
    }
}

/// The text without comments and the insides of strings, which import nothing.
fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("r#\"") {
            rest = rest[3..].split_once("\"#").map_or("", |(_, after)| after);
            code.push_str("\"\"");
        } else if character == '"' {
            rest = after_string(&rest[1..]);
            code.push_str("\"\"");
        } else if rest.starts_with("'\"'") {
            rest = &rest[3..];
        } else {
            code.push(character);
            rest = &rest[character.len_utf8()..];
        }
    }
    code
}

fn after_string(text: &str) -> &str {
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            '"' if !escaped => return &text[at + 1..],
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    ""
}

/// The path of the module that the file holds: "" for the library's root.
fn module_of(file: &Path) -> String {
    let inside = file
        .strip_prefix("src")
        .expect("only files below src are asked for")
        .with_extension("");
    let mut parts: Vec<&str> = inside
        .iter()
        .map(|part| part.to_str().expect("file names are UTF-8"))
        .collect();
    if matches!(parts.last(), Some(&"mod" | &"lib")) {
        parts.pop();
    }
    parts.join("::")
}

/// Everything that people write here, except data and documents.
fn sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches", "tools", "static"] {
        for extension in ["rs", "mjs", "js", "css", "sh", "html"] {
            files_below(Path::new(folder), extension, &mut files);
        }
    }
    files.extend(
        [
            "run",
            "index.html",
            "Cargo.toml",
            "Trunk.toml",
            "clippy.toml",
        ]
        .map(PathBuf::from),
    );
    files.retain(|file| !file.starts_with("tests/data"));
    files
}

fn rust_files(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    files_below(Path::new(folder), "rs", &mut files);
    assert!(!files.is_empty(), "{folder} has Rust files");
    files
}

fn files_below(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files_below(&path, extension, files);
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
