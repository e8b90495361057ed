//! The form in which plain data is written down as JSON, and read again.
//!
//! A type says its form once, as a table ([`record!`], [`choice!`]), and is read and written by it. What
//! does not fit is refused with its place and its reason ([`Misfit`]). All work that does not depend on the
//! type is done once, in functions that are not generic: a browser loads all of this.

mod misfit;
mod plain;
mod tables;

pub use misfit::{Found, Misfit, Takes, Wrong};
pub use plain::{Key, text, whole};
pub(crate) use tables::*;

use serde_json::{Map, Value};
use std::fmt;

/// A value, or what is wrong with its form.
pub type Read<T> = Result<T, Box<Misfit>>;

/// Data that has a form in JSON.
pub trait Form: Sized {
    /// What it looks like.
    const SHAPE: Shape = Shape::Plain;

    /// Reads it.
    ///
    /// # Errors
    /// If the value, or one in it, has another form.
    fn read(value: &Value, place: &Place<'_>) -> Read<Self>;

    /// Writes it, so that it is read again as it was.
    fn write(&self) -> Value;
}

/// What the form of a type looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A single value, a list or a map.
    Plain,
    /// An object with these fields.
    Record(&'static [&'static str]),
    /// One of these cases.
    Choice(&'static [Case]),
}

/// A case of a choice: its word and what belongs to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    /// The word.
    pub word: &'static str,
    /// What belongs to it.
    pub content: Content,
}

/// What belongs to a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// Nothing: the word stands alone, as a text.
    Nothing,
    /// A value: `{"word": value}`.
    Value,
    /// An object with these fields: `{"word": {…}}`.
    Record(&'static [&'static str]),
}

/// Reads a whole value.
///
/// # Errors
/// If it has another form.
pub fn read<T: Form>(value: &Value) -> Read<T> {
    T::read(value, &Place::TOP)
}

/// Where a value stands.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    outer: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Whole,
    Field(&'a str),
    Item(usize),
}

impl Place<'_> {
    /// The whole.
    pub const TOP: Place<'static> = Place {
        outer: None,
        step: Step::Whole,
    };

    /// A field of what stands here.
    pub fn field<'a>(&'a self, name: &'a str) -> Place<'a> {
        let (outer, step) = (Some(self), Step::Field(name));
        Place { outer, step }
    }

    /// An item of the list that stands here, from 0.
    pub fn item(&self, index: usize) -> Place<'_> {
        let (outer, step) = (Some(self), Step::Item(index));
        Place { outer, step }
    }

    /// What stands here does not fit.
    pub fn misfit(&self, wrong: Wrong) -> Box<Misfit> {
        let path = self.to_string();
        Box::new(Misfit { path, wrong })
    }

    /// What stands here is of another kind.
    pub fn takes(&self, takes: Takes, value: &Value) -> Box<Misfit> {
        let found = Found::of(value);
        self.misfit(Wrong::Kind { takes, found })
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(outer) = self.outer {
            outer.fmt(f)?;
        }
        match (self.step, self.outer.map(|outer| outer.step)) {
            (Step::Whole, _) => Ok(()),
            (Step::Field(name), None | Some(Step::Whole)) => f.write_str(name),
            (Step::Field(name), Some(Step::Field(_) | Step::Item(_))) => write!(f, ".{name}"),
            (Step::Item(index), _) => write!(f, "[{index}]"),
        }
    }
}

/// The fields of an object.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    object: Option<&'a Map<String, Value>>,
    place: &'a Place<'a>,
}

impl<'a> Fields<'a> {
    /// Looks whether the value is an object without other fields than those known.
    ///
    /// # Errors
    /// If it is not.
    pub fn of(value: &'a Value, place: &'a Place<'a>, known: &[&'static str]) -> Read<Self> {
        let object = plain::object(value, place)?;
        let unknown = object.keys().find(|key| !known.contains(&key.as_str()));
        match unknown {
            None => {
                let object = Some(object);
                Ok(Self { object, place })
            }
            Some(name) => {
                let known = known.to_vec();
                Err(place.field(name).misfit(Wrong::UnknownField { known }))
            }
        }
    }

    /// Where the object stands.
    pub fn place(&self) -> &'a Place<'a> {
        self.place
    }

    /// A field that must be there.
    ///
    /// # Errors
    /// If it is missing or has another form.
    pub fn required<T: Form>(&self, name: &'static str) -> Read<T> {
        let value = self.get(name);
        let value = value.ok_or_else(|| self.place.misfit(Wrong::MissingField(name)))?;
        T::read(value, &self.place.field(name))
    }

    /// A field that may be missing.
    ///
    /// # Errors
    /// If it has another form.
    pub fn optional<T: Form>(&self, name: &'static str) -> Read<Option<T>> {
        match self.get(name) {
            Some(value) => T::read(value, &self.place.field(name)).map(Some),
            None => Ok(None),
        }
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        self.object?.get(name)
    }
}

/// The case of a choice that a value is.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<'a> {
    /// Its word.
    pub word: &'static str,
    /// What belongs to it; null if the word stands alone.
    pub value: &'a Value,
    content: Content,
}

impl<'a> Chosen<'a> {
    /// Looks which of the cases it is.
    ///
    /// # Errors
    /// If it is none of them, or something belongs to it that should not, or the other way round.
    pub fn of(value: &'a Value, place: &Place<'_>, shape: &'static Shape) -> Read<Self> {
        let Shape::Choice(cases) = shape else {
            return Err(place.takes(Takes::Case, value));
        };
        let (word, inner) = match (
            value,
            value.as_object().and_then(|object| object.iter().next()),
        ) {
            (Value::String(word), _) => (word, None),
            (Value::Object(object), Some((word, inner))) if object.len() == 1 => {
                (word, Some(inner))
            }
            (_, _) if cases.iter().all(|case| case.content == Content::Nothing) => {
                return Err(place.takes(Takes::Word, value));
            }
            (_, _) => return Err(place.takes(Takes::Case, value)),
        };
        let Some(case) = cases.iter().find(|case| case.word == word) else {
            let known = cases.iter().map(|case| case.word).collect();
            let word = misfit::shortened(word);
            return Err(place.misfit(Wrong::UnknownWord { word, known }));
        };
        let Case { word, content } = *case;
        match (inner, content == Content::Nothing) {
            (None, true) => Ok(Self {
                word,
                value: &Value::Null,
                content,
            }),
            (Some(value), false) => Ok(Self {
                word,
                value,
                content,
            }),
            (Some(_), true) => Err(place.takes(Takes::Word, value)),
            (None, false) => Err(place.takes(Takes::Case, value)),
        }
    }

    /// The fields of what belongs to it, if it is an object.
    ///
    /// # Errors
    /// If it should be an object and is not, or has fields that are not known.
    pub fn fields(&self, place: &'a Place<'a>) -> Read<Fields<'a>> {
        match self.content {
            Content::Nothing | Content::Value => Ok(Fields {
                object: None,
                place,
            }),
            Content::Record(known) => Fields::of(self.value, place, known),
        }
    }

    /// A case that the table has and the type has not: there is none.
    pub fn unknown(&self, place: &Place<'_>) -> Box<Misfit> {
        place.takes(Takes::Case, self.value)
    }
}

/// Adds a field to an object that is being written.
pub fn put(object: &mut Map<String, Value>, name: &str, value: Value) {
    object.insert(name.to_owned(), value);
}

/// Whether a value is its type's default, so that a missing field stands for it.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A case with what belongs to it.
pub fn case(word: &str, inner: Value) -> Value {
    let mut object = Map::new();
    put(&mut object, word, inner);
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::rc::Rc;

    #[derive(Clone, PartialEq, Debug)]
    struct Journey {
        from: Rc<str>,
        stops: Vec<Rc<str>>,
        price: u32,
        by: By,
    }

    record! { Journey { from, stops = _, price as "price_cents" = 5, by } }

    #[derive(Clone, PartialEq, Debug)]
    enum By {
        Foot,
        Train { number: i16 },
        Other(Rc<str>),
    }

    choice! {
        By {
            "foot" => Foot,
            "train" => Train { number },
            "other" => Other(name),
        }
    }

    fn refusal(value: &Value) -> String {
        let read: Read<Journey> = read(value);
        read.expect_err("it is refused").to_string()
    }

    #[test]
    fn what_is_written_is_read_again_without_what_goes_without_saying() {
        for (by, form) in [
            (By::Foot, json!("foot")),
            (By::Train { number: 7 }, json!({"train": {"number": 7}})),
            (By::Other("ox".into()), json!({"other": "ox"})),
        ] {
            let journey = Journey {
                from: "here".into(),
                stops: Vec::new(),
                price: 5,
                by,
            };
            let written = journey.write();
            assert_eq!(written, json!({"from": "here", "by": form}));
            assert_eq!(read(&written), Ok(journey));
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_place() {
        for (value, sentence) in [
            (json!(1), "expected an object, not 1"),
            (json!({"by": "foot"}), "missing field from"),
            (
                json!({"from": "a", "by": "foot", "to": "b"}),
                "to: unknown field; there are from, stops, price_cents, by",
            ),
            (
                json!({"from": "a", "by": "foot", "stops": ["b", 2]}),
                "stops[1]: expected a text, not 2",
            ),
            (
                json!({"from": "a", "by": "foot", "price_cents": -1}),
                "price_cents: expected a whole number between 0 and 4294967295, not -1",
            ),
            (
                json!({"from": "a", "by": "foot", "price_cents": 1.5}),
                "price_cents: expected a whole number, not 1.5",
            ),
            (
                json!({"from": "a", "by": "horse"}),
                "by: expected one of foot, train, other, not \"horse\"",
            ),
            (
                json!({"from": "a", "by": "train"}),
                "by: expected an object with one field, not \"train\"",
            ),
            (
                json!({"from": "a", "by": {"foot": {}}}),
                "by: expected a word as text, not an object",
            ),
            (
                json!({"from": "a", "by": {"train": {"number": 1, "track": 2}}}),
                "by.train.track: unknown field; there are number",
            ),
            (
                json!({"from": "a", "by": {"train": {}}}),
                "by.train: missing field number",
            ),
        ] {
            assert_eq!(refusal(&value), sentence);
        }
    }

    #[test]
    fn the_shape_is_what_the_table_says() {
        let fields: &[&str] = &["from", "stops", "price_cents", "by"];
        assert_eq!(Journey::SHAPE, Shape::Record(fields));
        let Shape::Choice(cases) = By::SHAPE else {
            panic!("a choice");
        };
        assert_eq!(cases[1].content, Content::Record(&["number"]));
    }
}
