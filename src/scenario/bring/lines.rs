//! Settings, line by line: Java properties, and a strict subset of YAML.

use super::{LINES_MAX, Tally, WhyUnused};

/// A setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Setting {
    /// Its line, from 1.
    pub line: usize,
    /// Its name, levels joined by dots.
    pub name: String,
    /// Its value, without quotes.
    pub value: String,
    /// The line as it stands.
    pub text: String,
}

/// Deepest level of indentation.
const DEPTH_MAX: usize = 32;

/// Whether the text has a line that only YAML has: a name with a colon and nothing behind it.
pub(super) fn is_yaml(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).take(LINES_MAX);
    lines.any(|line| {
        let key = line.split(" #").next().unwrap_or_default().trim_end();
        let name = key.strip_suffix(':').unwrap_or_default();
        !name.is_empty() && !name.contains(['=', ' ', '#', '!'])
    })
}

/// `name=value`, `name: value` and `name value`, as `java.util.Properties` reads them; also `"name": "value",`,
/// as it stands in the code of Python clients.
pub(super) fn properties(text: &str, tally: &mut Tally) -> Vec<Setting> {
    let mut found = Vec::new();
    let mut lines = text.lines().take(LINES_MAX).enumerate();
    while let Some((index, first)) = lines.next() {
        let mut whole = first.trim().to_owned();
        if whole.is_empty() || whole.starts_with(['#', '!']) {
            continue;
        }
        // A line that ends with an odd number of backslashes goes on.
        while is_continued(&whole) {
            whole.pop();
            match lines.next() {
                Some((_, next)) => whole.push_str(next.trim_start()),
                None => break,
            }
        }
        if whole.chars().all(|letter| "{}[]();,".contains(letter)) {
            continue;
        }
        match property(&whole) {
            Some((name, value)) => found.push(Setting {
                line: index + 1,
                name,
                value,
                text: first.to_owned(),
            }),
            None => tally.refuse(index + 1, first, WhyUnused::NotUnderstood),
        }
    }
    found
}

fn is_continued(line: &str) -> bool {
    line.chars()
        .rev()
        .take_while(|letter| *letter == '\\')
        .count()
        % 2
        == 1
}

fn property(line: &str) -> Option<(String, String)> {
    if line.starts_with(['"', '\'']) {
        let (name, value) = line.split_once(':')?;
        let value = value.trim().trim_end_matches(',');
        return Some((unquoted(name.trim()), unquoted(value.trim())));
    }
    let end = line.find(['=', ':', ' ', '\t'])?;
    let (name, rest) = line.split_at(end);
    let rest = rest.trim_start();
    let value = rest.strip_prefix(['=', ':']).unwrap_or(rest).trim();
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "._-[]".contains(letter));
    is_name.then(|| (name.to_owned(), unescaped(value)))
}

/// Backslashes before colons, equals signs and themselves.
fn unescaped(value: &str) -> String {
    let mut out = String::new();
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => out.extend(letters.next()),
            letter => out.push(letter),
        }
    }
    out
}

fn unquoted(text: &str) -> String {
    for quote in ['"', '\''] {
        let inner = text
            .strip_prefix(quote)
            .and_then(|text| text.strip_suffix(quote));
        if let Some(inner) = inner {
            return inner.to_owned();
        }
    }
    text.to_owned()
}

/// Maps by indentation. Whatever else YAML has is listed.
pub(super) fn yaml(text: &str, tally: &mut Tally) -> Vec<Setting> {
    let mut found = Vec::new();
    // Open maps: their indentation and the name that leads to them.
    let mut open: Vec<(usize, String)> = Vec::new();
    // What stands deeper than this belongs to something that is not read.
    let mut passed_over: Option<usize> = None;
    for (index, line) in text.lines().take(LINES_MAX).enumerate() {
        let number = index + 1;
        let content = without_comment(line);
        let bare = content.trim();
        if bare.is_empty() || matches!(bare, "---" | "...") {
            continue;
        }
        let indent = content.len() - content.trim_start().len();
        if passed_over.is_some_and(|depth| indent > depth) {
            tally.refuse(number, line, WhyUnused::YamlForm);
            continue;
        }
        passed_over = None;
        while open.last().is_some_and(|(depth, _)| *depth >= indent) {
            open.pop();
        }
        let is_tabbed = content.chars().take(indent).any(|letter| letter == '\t');
        let entry = entry(bare).filter(|_| !is_tabbed && open.len() < DEPTH_MAX);
        let Some((name, value)) = entry else {
            tally.refuse(number, line, WhyUnused::YamlForm);
            passed_over = Some(indent);
            continue;
        };
        if value.is_empty() {
            open.push((indent, name));
            continue;
        }
        if value.starts_with(['|', '>', '&', '*', '{', '[', '!']) {
            tally.refuse(number, line, WhyUnused::YamlForm);
            passed_over = Some(indent);
            continue;
        }
        let levels = open.iter().map(|(_, name)| name.as_str());
        let levels: Vec<&str> = levels.chain([name.as_str()]).collect();
        found.push(Setting {
            line: number,
            name: levels.join("."),
            value: unquoted(value),
            text: line.to_owned(),
        });
    }
    found
}

/// A name and what stands behind its colon.
fn entry(line: &str) -> Option<(String, &str)> {
    if line.starts_with("- ") || line == "-" {
        return None;
    }
    let (name, value) = if let Some(rest) = line.strip_prefix('"') {
        let (name, rest) = rest.split_once('"')?;
        (name, rest.strip_prefix(':')?)
    } else if let Some(rest) = line.strip_prefix('\'') {
        let (name, rest) = rest.split_once('\'')?;
        (name, rest.strip_prefix(':')?)
    } else if let Some(name) = line.strip_suffix(':') {
        (name, "")
    } else {
        line.split_once(": ")?
    };
    let name = name.trim().trim_start_matches('[').trim_end_matches(']');
    (!name.is_empty()).then(|| (name.to_owned(), value.trim()))
}

/// A comment begins with ` #` outside quotes, or at the beginning of the line.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (place, letter) in line.char_indices() {
        match (letter, quote) {
            ('"' | '\'', None) if before.is_whitespace() || before == ':' => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            ('#', None) if before.is_whitespace() => {
                return line.get(..place).unwrap_or_default().trim_end();
            }
            _ => {}
        }
        before = letter;
    }
    line.trim_end()
}
