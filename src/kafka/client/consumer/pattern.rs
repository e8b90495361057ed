//! Patterns of topic names for `subscribe(Pattern)`: the part of Java's regular expressions that names of
//! topics need. A pattern must match the whole name, as `Matcher.matches` asks.
//!
//! DEVIATION: back references, look-arounds, `{n,m}`, and quantifiers on groups are refused. What is left
//! takes time in proportion to the lengths of pattern and name, whatever the pattern.

use std::rc::Rc;

/// Longest pattern, in characters.
const LENGTH_MAX: usize = 250;
/// Most sequences that the alternatives of a pattern may unfold into.
const SEQUENCES_MAX: usize = 64;

/// Why a text is no pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatternError {
    /// It is too long, or has too many alternatives.
    TooLong,
    /// A bracket is open or was never opened.
    Bracket,
    /// A quantifier has nothing before it.
    Quantifier,
    /// It uses what is left out here.
    Unsupported,
}

/// A set of characters.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Set {
    negated: bool,
    ranges: Vec<(char, char)>,
}

impl Set {
    fn of(ranges: &[(char, char)]) -> Self {
        Self {
            negated: false,
            ranges: ranges.to_vec(),
        }
    }

    fn has(&self, letter: char) -> bool {
        let mut ranges = self.ranges.iter();
        ranges.any(|(least, most)| (*least..=*most).contains(&letter)) != self.negated
    }
}

/// A set, and how often one of it may stand there.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Item {
    set: Set,
    optional: bool,
    many: bool,
}

type Sequence = Vec<Item>;

/// A pattern of names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    text: Rc<str>,
    sequences: Vec<Sequence>,
}

impl Pattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        let letters: Vec<char> = text.chars().collect();
        if letters.len() > LENGTH_MAX {
            return Err(PatternError::TooLong);
        }
        let mut parser = Parser {
            letters: &letters,
            at: 0,
        };
        let sequences = parser.alternatives(0)?;
        match parser.peek() {
            None => Ok(Pattern {
                text: text.into(),
                sequences,
            }),
            Some(_) => Err(PatternError::Bracket),
        }
    }

    /// The pattern as it was written.
    pub fn text(&self) -> &Rc<str> {
        &self.text
    }

    /// Whether the whole name matches.
    pub fn matches(&self, name: &str) -> bool {
        let letters: Vec<char> = name.chars().collect();
        let mut sequences = self.sequences.iter();
        sequences.any(|sequence| matches(sequence, &letters))
    }
}

/// Follows all ways at once: `reached` says which places of the name they have come to.
fn matches(sequence: &[Item], letters: &[char]) -> bool {
    let mut reached = vec![false; letters.len() + 1];
    reached[0] = true;
    for item in sequence {
        let mut next = vec![false; letters.len() + 1];
        for at in 0..reached.len() {
            let from_before = at > 0 && item.set.has(letters[at - 1]) && {
                reached[at - 1] || (item.many && next[at - 1])
            };
            next[at] = from_before || (item.optional && reached[at]);
        }
        reached = next;
    }
    reached.last() == Some(&true)
}

struct Parser<'a> {
    letters: &'a [char],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += 1;
        Some(letter)
    }

    fn alternatives(&mut self, depth: usize) -> Result<Vec<Sequence>, PatternError> {
        if depth > 8 {
            return Err(PatternError::TooLong);
        }
        let mut all = self.sequence(depth)?;
        while self.peek() == Some('|') {
            self.at += 1;
            all.extend(self.sequence(depth)?);
            if all.len() > SEQUENCES_MAX {
                return Err(PatternError::TooLong);
            }
        }
        Ok(all)
    }

    /// Up to `|`, `)` or the end. Groups unfold into alternatives.
    fn sequence(&mut self, depth: usize) -> Result<Vec<Sequence>, PatternError> {
        let mut unfolded = vec![Sequence::new()];
        let begin = self.at;
        while let Some(letter) = self.peek() {
            match letter {
                '|' | ')' => break,
                '^' if self.at == begin => self.at += 1,
                '$' if matches!(self.letters.get(self.at + 1), None | Some('|' | ')')) => {
                    self.at += 1;
                }
                '(' => {
                    let group = self.group(depth)?;
                    let both = |head: &Sequence, tail: &Sequence| [&head[..], &tail[..]].concat();
                    let heads = unfolded.iter();
                    unfolded = heads
                        .flat_map(|head| group.iter().map(move |tail| both(head, tail)))
                        .collect();
                    if unfolded.len() > SEQUENCES_MAX {
                        return Err(PatternError::TooLong);
                    }
                }
                _ => {
                    let item = self.item()?;
                    unfolded.iter_mut().for_each(|one| one.push(item.clone()));
                }
            }
        }
        Ok(unfolded)
    }

    fn group(&mut self, depth: usize) -> Result<Vec<Sequence>, PatternError> {
        self.at += 1;
        if self.peek() == Some('?') {
            if self.letters.get(self.at + 1) != Some(&':') {
                return Err(PatternError::Unsupported);
            }
            self.at += 2;
        }
        let group = self.alternatives(depth + 1)?;
        if self.next() != Some(')') {
            return Err(PatternError::Bracket);
        }
        match self.peek() {
            Some('*' | '+' | '?' | '{') => Err(PatternError::Unsupported),
            _ => Ok(group),
        }
    }

    fn item(&mut self) -> Result<Item, PatternError> {
        let set = match self.next() {
            Some('.') => Set {
                negated: true,
                ranges: Vec::new(),
            },
            Some('[') => self.class()?,
            Some('\\') => self.escape()?,
            Some('*' | '+' | '?') => return Err(PatternError::Quantifier),
            Some('{' | '^' | '$') | None => return Err(PatternError::Unsupported),
            Some(letter) => Set::of(&[(letter, letter)]),
        };
        let (optional, many) = match self.peek() {
            Some('*') => (true, true),
            Some('+') => (false, true),
            Some('?') => (true, false),
            Some('{') => return Err(PatternError::Unsupported),
            _ => (false, false),
        };
        if optional || many {
            self.at += 1;
        }
        Ok(Item {
            set,
            optional,
            many,
        })
    }

    fn escape(&mut self) -> Result<Set, PatternError> {
        match self.next() {
            Some('d') => Ok(Set::of(&[('0', '9')])),
            Some('w') => Ok(Set::of(&[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')])),
            Some(letter) if !letter.is_ascii_alphanumeric() => Ok(Set::of(&[(letter, letter)])),
            Some(_) | None => Err(PatternError::Unsupported),
        }
    }

    /// What follows `[`.
    fn class(&mut self) -> Result<Set, PatternError> {
        let negated = self.peek() == Some('^');
        if negated {
            self.at += 1;
        }
        let mut ranges = Vec::new();
        loop {
            let letter = match self.next() {
                None => return Err(PatternError::Bracket),
                Some(']') => break,
                Some('[' | '&') => return Err(PatternError::Unsupported),
                Some('\\') => {
                    ranges.extend(self.escape()?.ranges);
                    continue;
                }
                Some(letter) => letter,
            };
            let is_range = self.peek() == Some('-')
                && self.letters.get(self.at + 1).is_some_and(|end| *end != ']');
            if is_range {
                self.at += 1;
                let end = self.next().ok_or(PatternError::Bracket)?;
                ranges.push((letter, end));
            } else {
                ranges.push((letter, letter));
            }
        }
        match ranges.is_empty() {
            true => Err(PatternError::Bracket),
            false => Ok(Set { negated, ranges }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, fits: &[&str], misses: &[&str]) {
        let pattern = Pattern::parse(pattern).expect("a pattern");
        for name in fits {
            assert!(pattern.matches(name), "{name} fits {}", pattern.text());
        }
        for name in misses {
            assert!(!pattern.matches(name), "{name} misses {}", pattern.text());
        }
    }

    #[test]
    fn a_pattern_must_match_the_whole_name() {
        check("^log-.*", &["log-a", "log-"], &["log", "a-log-a"]);
        check("log", &["log"], &["log-a", "blog"]);
        check("a+b?c*$", &["a", "aab", "abccc"], &["", "abbc", "b"]);
    }

    #[test]
    fn alternatives_groups_and_classes_unfold() {
        check(
            "(log|metric)-[a-c0]",
            &["log-a", "metric-0"],
            &["log-d", "log"],
        );
        check("a|b.|", &["a", "bc", ""], &["b", "ac"]);
        check("[^x]\\d\\.(?:y|z)", &["a1.y"], &["x1.y", "a1,y", "aa.z"]);
        check("[-a]", &["-", "a"], &["b"]);
    }

    #[test]
    fn what_is_left_out_or_broken_is_refused() {
        let error = |pattern: &str| Pattern::parse(pattern).expect_err("no pattern");
        for pattern in ["(a)*", "a{2}", "(?=a)", "\\1", "[a&&b]"] {
            assert_eq!(error(pattern), PatternError::Unsupported, "{pattern}");
        }
        for pattern in ["(a", "a)", "[a", "[]"] {
            assert_eq!(error(pattern), PatternError::Bracket, "{pattern}");
        }
        assert_eq!(error("*a"), PatternError::Quantifier);
        assert_eq!(error(&"(a|b)".repeat(7)), PatternError::TooLong);
        assert_eq!(error(&"a".repeat(251)), PatternError::TooLong);
    }

    #[test]
    fn no_pattern_takes_for_ever() {
        let pattern = Pattern::parse(&"a*".repeat(120)).expect("a pattern");
        assert!(!pattern.matches(&("a".repeat(240) + "b")));
    }
}
