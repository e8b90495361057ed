//! Forms of single values, lists and maps.

use super::{Form, Place, Read, Takes, Wrong, put};
use crate::kafka::sorted::SortedMap;
use serde_json::{Map, Value};
use std::fmt;
use std::rc::Rc;

/// A whole number between bounds.
///
/// # Errors
/// If it is none, or outside.
pub fn whole(value: &Value, place: &Place<'_>, least: i128, most: i128) -> Read<i128> {
    let found = match (value.as_i64(), value.as_u64()) {
        (Some(number), _) => i128::from(number),
        (None, Some(number)) => i128::from(number),
        (None, None) => return Err(place.takes(Takes::Number, value)),
    };
    match (least..=most).contains(&found) {
        true => Ok(found),
        false => Err(place.misfit(Wrong::OutOfRange { least, most, found })),
    }
}

macro_rules! whole_numbers {
    ($($number:ident)*) => {$(
        impl Form for $number {
            fn read(value: &Value, place: &Place<'_>) -> Read<Self> {
                let (least, most) = (i128::from($number::MIN), i128::from($number::MAX));
                let number = whole(value, place, least, most)?;
                // It lies between the type's own bounds.
                $number::try_from(number).map_err(|_| place.takes(Takes::Number, value))
            }

            fn write(&self) -> Value {
                Value::from(*self)
            }
        }
    )*};
}

whole_numbers! { i16 i32 i64 u32 u64 }

impl Form for bool {
    fn read(value: &Value, place: &Place<'_>) -> Read<Self> {
        value
            .as_bool()
            .ok_or_else(|| place.takes(Takes::Flag, value))
    }

    fn write(&self) -> Value {
        Value::Bool(*self)
    }
}

/// A text.
///
/// # Errors
/// If it is none.
pub fn text<'a>(value: &'a Value, place: &Place<'_>) -> Read<&'a str> {
    value
        .as_str()
        .ok_or_else(|| place.takes(Takes::Text, value))
}

/// An object.
pub(super) fn object<'a>(value: &'a Value, place: &Place<'_>) -> Read<&'a Map<String, Value>> {
    value
        .as_object()
        .ok_or_else(|| place.takes(Takes::Object, value))
}

/// A list.
fn list<'a>(value: &'a Value, place: &Place<'_>) -> Read<&'a [Value]> {
    let list = value.as_array().map(Vec::as_slice);
    list.ok_or_else(|| place.takes(Takes::List, value))
}

impl Form for Rc<str> {
    fn read(value: &Value, place: &Place<'_>) -> Read<Self> {
        text(value, place).map(Rc::from)
    }

    fn write(&self) -> Value {
        Value::from(&**self)
    }
}

impl<T: Form> Form for Option<T> {
    fn read(value: &Value, place: &Place<'_>) -> Read<Self> {
        match value {
            Value::Null => Ok(None),
            value => T::read(value, place).map(Some),
        }
    }

    fn write(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::write)
    }
}

impl<T: Form> Form for Vec<T> {
    fn read(value: &Value, place: &Place<'_>) -> Read<Self> {
        let list = list(value, place)?;
        let mut items = Vec::with_capacity(list.len());
        for (index, value) in list.iter().enumerate() {
            items.push(T::read(value, &place.item(index))?);
        }
        Ok(items)
    }

    fn write(&self) -> Value {
        Value::Array(self.iter().map(T::write).collect())
    }
}

/// What names the entries of a map. It is written as it is displayed.
pub trait Key: Ord + fmt::Display + Sized {
    /// Reads it.
    ///
    /// # Errors
    /// If the name is none; `place` is the entry's.
    fn of_name(name: &str, place: &Place<'_>) -> Read<Self>;
}

impl Key for Rc<str> {
    fn of_name(name: &str, _: &Place<'_>) -> Read<Self> {
        Ok(name.into())
    }
}

impl Key for i32 {
    fn of_name(name: &str, place: &Place<'_>) -> Read<Self> {
        let number = name.parse();
        number.map_err(|_| place.takes(Takes::Number, &Value::from(name)))
    }
}

impl<K: Key, V: Form> Form for SortedMap<K, V> {
    fn read(value: &Value, place: &Place<'_>) -> Read<Self> {
        let mut map = SortedMap::new();
        for (name, value) in object(value, place)? {
            let place = place.field(name);
            map.insert(K::of_name(name, &place)?, V::read(value, &place)?);
        }
        Ok(map)
    }

    fn write(&self) -> Value {
        let mut object = Map::new();
        for (key, value) in self {
            put(&mut object, &key.to_string(), value.write());
        }
        Value::Object(object)
    }
}

impl Form for Map<String, Value> {
    fn read(value: &Value, place: &Place<'_>) -> Read<Self> {
        object(value, place).cloned()
    }

    fn write(&self) -> Value {
        Value::Object(self.clone())
    }
}
