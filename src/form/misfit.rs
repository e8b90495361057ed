//! What does not fit, and where: as data, so that the page can say it in any language, and in English.

use serde_json::Value;
use std::fmt;

/// Longest part of a text that is repeated to whoever wrote it, in characters.
const REPEATED_MAX: usize = 40;

/// A value that does not have the form it should have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// Where it stands, such as `acts[0].command.kill`. Empty: the whole.
    pub path: String,
    /// What is wrong with it.
    pub wrong: Wrong,
}

/// What is wrong with a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// Nothing reads a field of this name.
    UnknownField {
        /// The fields that may stand here.
        known: Vec<&'static str>,
    },
    /// This field must be there.
    MissingField(&'static str),
    /// None of the words that may stand here.
    UnknownWord {
        /// The word.
        word: String,
        /// The words that may stand here.
        known: Vec<&'static str>,
    },
    /// A whole number that is too small or too large.
    OutOfRange {
        /// Smallest.
        least: i128,
        /// Largest.
        most: i128,
        /// The number.
        found: i128,
    },
    /// A value of another kind.
    Kind {
        /// What may stand here.
        takes: Takes,
        /// What does.
        found: Found,
    },
}

/// What may stand in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// `true` or `false`
    Flag,
    /// A whole number.
    Number,
    /// A text.
    Text,
    /// A list.
    List,
    /// An object: names with values.
    Object,
    /// One of several words, as text.
    Word,
    /// One of several words, as the only field of an object.
    Case,
    /// A time: milliseconds as a whole number or as text.
    Milliseconds,
    /// A partition by its name.
    Partition,
    /// What an expectation compares with.
    Want,
}

/// What stands in a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// `null`
    Null,
    /// A flag or a number, as it is written.
    Literal(String),
    /// A text, or its beginning.
    Text(String),
    /// A list.
    List,
    /// An object.
    Object,
}

impl Found {
    /// What a value is.
    pub fn of(value: &Value) -> Found {
        match value {
            Value::Null => Found::Null,
            Value::Bool(_) | Value::Number(_) => Found::Literal(value.to_string()),
            Value::String(text) => Found::Text(shortened(text)),
            Value::Array(_) => Found::List,
            Value::Object(_) => Found::Object,
        }
    }
}

/// The text, or its beginning if it is long.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(REPEATED_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        self.wrong.fmt(f)
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::UnknownField { known } if known.is_empty() => {
                f.write_str("unknown field; there are none here")
            }
            Wrong::UnknownField { known } => {
                write!(f, "unknown field; there are {}", known.join(", "))
            }
            Wrong::MissingField(name) => write!(f, "missing field {name}"),
            Wrong::UnknownWord { word, known } => {
                write!(f, "expected one of {}, not {word:?}", known.join(", "))
            }
            Wrong::OutOfRange { least, most, found } => {
                write!(
                    f,
                    "expected a whole number between {least} and {most}, not {found}"
                )
            }
            Wrong::Kind { takes, found } => write!(f, "expected {takes}, not {found}"),
        }
    }
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Takes::Flag => "true or false",
            Takes::Number => "a whole number",
            Takes::Text => "a text",
            Takes::List => "a list",
            Takes::Object => "an object",
            Takes::Word => "a word as text",
            Takes::Case => "an object with one field",
            Takes::Milliseconds => "milliseconds, as a whole number or as text such as \"12.5\"",
            Takes::Partition => "a partition such as \"orders-0\"",
            Takes::Want => {
                "a whole number, true or false, a text, a list of texts, or a list per name"
            }
        })
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Null => f.write_str("null"),
            Found::Literal(literal) => f.write_str(literal),
            Found::Text(text) => write!(f, "{text:?}"),
            Found::List => f.write_str("a list"),
            Found::Object => f.write_str("an object"),
        }
    }
}
