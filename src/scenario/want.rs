//! The value that an expectation names, and what the run has to compare with it.

use super::expect::{Field, FieldKind};
use crate::form::{Form, Place, Read, Takes};
use crate::kafka::ids::TopicPartition;
use crate::kafka::sorted::SortedMap;
use crate::kafka::time::Duration;
use crate::world::parse_ms;
use serde_json::Value as Json;
use std::fmt;
use std::rc::Rc;

/// A value in a file. There are no decimals: times that need them stand as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Want {
    /// `12`
    Number(i64),
    /// `true`
    Flag(bool),
    /// `"Stable"`, `"<= 5"`, `"3..7"`, `"+1"`
    Text(Rc<str>),
    /// `["orders-0", "orders-1"]`
    List(Vec<Rc<str>>),
    /// `{"c1": ["orders-0"]}`
    Map(SortedMap<Rc<str>, Vec<Rc<str>>>),
}

impl Form for Want {
    fn read(value: &Json, place: &Place<'_>) -> Read<Self> {
        match value {
            Json::Bool(flag) => Ok(Want::Flag(*flag)),
            Json::Number(number) if !number.is_f64() => Form::read(value, place).map(Want::Number),
            Json::String(text) => Ok(Want::Text(text.as_str().into())),
            Json::Array(_) => Form::read(value, place).map(Want::List),
            Json::Object(_) => Form::read(value, place).map(Want::Map),
            Json::Null | Json::Number(_) => Err(place.takes(Takes::Want, value)),
        }
    }

    fn write(&self) -> Json {
        match self {
            Want::Number(number) => number.write(),
            Want::Flag(flag) => flag.write(),
            Want::Text(text) => text.write(),
            Want::List(list) => list.write(),
            Want::Map(map) => map.write(),
        }
    }
}

/// What a run says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A number.
    Number(i64),
    /// A number, and what it was at the beginning.
    Counter {
        /// Now.
        now: i64,
        /// At the beginning.
        before: i64,
    },
    /// A length of time, or an instant.
    Time(Duration),
    /// True or false.
    Flag(bool),
    /// A text.
    Text(Rc<str>),
    /// Names.
    Names(Vec<Rc<str>>),
    /// Partitions.
    Partitions(Vec<TopicPartition>),
    /// Who owns what.
    Owners(SortedMap<Rc<str>, Vec<TopicPartition>>),
    /// There is nothing of the kind.
    Nothing,
}

/// What a field's value must satisfy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Check {
    /// At least and at most; for times in µs.
    Between(i64, i64),
    /// So much more than at the beginning.
    More(i64),
    /// Exactly this text. Of no value at all: `none`.
    Text(Rc<str>),
    /// True or false.
    Flag(bool),
    /// These names or partitions, in any order.
    Set(Vec<Rc<str>>),
    /// These owners; who is not named owns nothing.
    Owners(SortedMap<Rc<str>, Vec<Rc<str>>>),
}

impl Check {
    /// Reads the value that a file names for a field. The error says what the field takes.
    pub fn read(field: Field, want: &Want, tolerance: u32) -> Result<Check, &'static str> {
        let scale = match field.kind() {
            FieldKind::Time => 1_000,
            _ => 1,
        };
        match (field.kind(), want) {
            (FieldKind::Unanswered, _) => Err("no value"),
            (FieldKind::Flag, Want::Flag(flag)) => Ok(Check::Flag(*flag)),
            (FieldKind::Flag, _) => Err("true or false"),
            (FieldKind::Text, Want::Text(text)) => Ok(Check::Text(text.clone())),
            (FieldKind::Text, _) => Err("a text"),
            (FieldKind::Owners, Want::Map(owners)) => Ok(Check::Owners(owners.clone())),
            (FieldKind::Owners, _) => Err("a list of partitions per member"),
            (FieldKind::Names | FieldKind::Partitions, Want::List(list)) => {
                Ok(Check::Set(list.clone()))
            }
            (FieldKind::Error, Want::Text(text)) if matches!(&**text, "unanswered" | "none") => {
                Ok(Check::Text(text.clone()))
            }
            (FieldKind::Number, Want::Text(text)) if &**text == "none" => {
                Ok(Check::Text(text.clone()))
            }
            (_, want) => numbers(want, scale, tolerance),
        }
    }

    /// Whether the run satisfies it.
    pub fn holds(&self, value: &Value) -> bool {
        match (self, value) {
            (Check::Between(least, most), value) => {
                as_number(value).is_some_and(|number| (*least..=*most).contains(&number))
            }
            (Check::More(more), Value::Counter { now, before }) => {
                now.checked_sub(*before) == Some(*more)
            }
            (Check::Text(want), Value::Text(text)) => want == text,
            (Check::Text(want), Value::Nothing) => &**want == "none",
            (Check::Flag(want), Value::Flag(flag)) => want == flag,
            (Check::Set(want), Value::Names(names)) => same_set(want, names),
            (Check::Set(want), Value::Partitions(partitions)) => same_set(want, &texts(partitions)),
            (Check::Owners(want), Value::Owners(owners)) => {
                let names = want.keys().chain(owners.keys());
                let empty = Vec::new();
                names.into_iter().all(|name| {
                    let wanted = want.get(name).unwrap_or(&empty);
                    let owned = owners.get(name).map_or(Vec::new(), |owned| texts(owned));
                    same_set(wanted, &owned)
                })
            }
            (
                Check::More(_) | Check::Text(_) | Check::Flag(_) | Check::Set(_) | Check::Owners(_),
                _,
            ) => false,
        }
    }
}

fn numbers(want: &Want, scale: i64, tolerance: u32) -> Result<Check, &'static str> {
    const TAKES: &str = "a number, \"<= 5\", \"3..7\" or \"+1\"";
    let number = |text: &str| match scale {
        1 => text.trim().parse::<i64>().ok(),
        _ => parse_ms(text.trim()),
    };
    let (least, most) = match want {
        Want::Number(number) => {
            let number = number.checked_mul(scale).ok_or(TAKES)?;
            (number, number)
        }
        Want::Text(text) => {
            if let Some(more) = text.strip_prefix('+') {
                return number(more).map(Check::More).ok_or(TAKES);
            }
            if let Some(most) = text.strip_prefix("<=") {
                (0, number(most).ok_or(TAKES)?)
            } else if let Some((least, most)) = text.split_once("..") {
                (number(least).ok_or(TAKES)?, number(most).ok_or(TAKES)?)
            } else {
                let number = number(text).ok_or(TAKES)?;
                (number, number)
            }
        }
        Want::Flag(_) | Want::List(_) | Want::Map(_) => return Err(TAKES),
    };
    let tolerance = i64::from(tolerance) * scale;
    Ok(Check::Between(
        least.saturating_sub(tolerance),
        most.saturating_add(tolerance),
    ))
}

fn as_number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) | Value::Counter { now: number, .. } => Some(*number),
        Value::Time(length) => Some(length.0),
        Value::Names(names) => i64::try_from(names.len()).ok(),
        Value::Partitions(partitions) => i64::try_from(partitions.len()).ok(),
        Value::Flag(_) | Value::Text(_) | Value::Owners(_) | Value::Nothing => None,
    }
}

fn texts(partitions: &[TopicPartition]) -> Vec<Rc<str>> {
    let text = |partition: &TopicPartition| partition.to_string().into();
    partitions.iter().map(text).collect()
}

fn same_set(want: &[Rc<str>], have: &[Rc<str>]) -> bool {
    let (mut want, mut have) = (want.to_vec(), have.to_vec());
    want.sort();
    have.sort();
    want == have
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Counter { now, before } => write!(f, "{now} (at the beginning {before})"),
            Value::Time(length) => write!(f, "{length} ms"),
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Text(text) => write!(f, "{text:?}"),
            Value::Names(names) => write!(f, "{names:?}"),
            Value::Partitions(partitions) => write!(f, "{:?}", texts(partitions)),
            Value::Owners(owners) => {
                let lists = owners.iter().map(|(name, owned)| (name, texts(owned)));
                f.debug_map().entries(lists).finish()
            }
            Value::Nothing => f.write_str("none"),
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Check::Between(least, most) if least == most => write!(f, "{least}"),
            Check::Between(least, most) => write!(f, "{least}..{most}"),
            Check::More(more) => write!(f, "{more} more than at the beginning"),
            Check::Text(text) => write!(f, "{text:?}"),
            Check::Flag(flag) => write!(f, "{flag}"),
            Check::Set(set) => write!(f, "{set:?}"),
            Check::Owners(owners) => write!(f, "{owners:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form;

    fn check(field: Field, want: &str) -> Result<Check, &'static str> {
        let want = serde_json::from_str(want).expect("JSON");
        let want: Want = form::read(&want).expect("a value");
        Check::read(field, &want, 0)
    }

    #[test]
    fn values_bounds_ranges_and_differences_are_read() {
        let number = |want| check(Field::Rebalances, want);
        assert_eq!(number("3"), Ok(Check::Between(3, 3)));
        assert_eq!(number("\"<= 3\""), Ok(Check::Between(0, 3)));
        assert_eq!(number("\"2..4\""), Ok(Check::Between(2, 4)));
        assert_eq!(number("\"+1\""), Ok(Check::More(1)));
        assert!(number("\"many\"").is_err());
        assert!(number("true").is_err());
        assert!(check(Field::Owned, "\"orders-0\"").is_err());
        assert!(check(Field::State, "1").is_err());
    }

    #[test]
    fn times_are_milliseconds_and_compared_to_the_microsecond() {
        let time = |want| check(Field::UnownedMs, want).expect("a time");
        assert!(time("5").holds(&Value::Time(Duration(5_000))));
        assert!(!time("5").holds(&Value::Time(Duration(5_001))));
        assert!(time("\"5.001\"").holds(&Value::Time(Duration(5_001))));
    }

    #[test]
    fn lists_may_stand_in_any_order_or_be_counted() {
        let value = Value::Partitions(vec![
            TopicPartition::new("t", 1),
            TopicPartition::new("t", 0),
        ]);
        let owned = |want| check(Field::Owned, want).expect("partitions");
        assert!(owned("[\"t-0\", \"t-1\"]").holds(&value));
        assert!(!owned("[\"t-0\"]").holds(&value));
        assert!(owned("2").holds(&value));
    }

    #[test]
    fn who_is_not_named_owns_nothing() {
        let owners = SortedMap::from([
            ("a".into(), vec![TopicPartition::new("t", 0)]),
            ("b".into(), vec![]),
        ]);
        let want = |want| check(Field::Owners, want).expect("owners");
        let value = Value::Owners(owners);
        assert!(want("{\"a\": [\"t-0\"]}").holds(&value));
        assert!(!want("{\"b\": [\"t-0\"]}").holds(&value));
        assert!(!want("{}").holds(&value));
    }

    #[test]
    fn decimals_are_refused() {
        assert!(form::read::<Want>(&serde_json::json!(1.5)).is_err());
    }
}
