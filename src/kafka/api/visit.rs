//! One walk over the fields of a message, in the order of the wire. Encoding, decoding and the span of
//! every field all come from the same `visit`.

use crate::kafka::error::ErrorCode;
use crate::kafka::ids::{
    BrokerId, Bytes, ClientId, Generation, GroupId, GroupInstanceId, MemberId, Offset, TopicName,
    Uuid,
};
use crate::kafka::record::RecordBatch;
use std::rc::Rc;

/// Why a walk ended early. The visitor knows the particulars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stop;

/// What an answer says of authorised operations when nobody asked about them.
pub(super) const NOT_ASKED: i32 = i32::MIN;

/// Outcome of a step of the walk.
pub type Visited = Result<(), Stop>;

/// Who walks over a message: an encoder reads the fields, a decoder fills them in.
pub trait Visitor {
    /// Version of the API.
    fn version(&self) -> i16;
    /// A whole number of 1, 2, 4 or 8 bytes.
    fn int(&mut self, name: &'static str, width: usize, value: &mut i64) -> Visited;
    /// A string; `None` only if `nullable`.
    fn text(&mut self, name: &'static str, nullable: bool, value: &mut Option<Rc<str>>) -> Visited;
    /// Bytes; `None` only if `nullable`.
    fn bytes(&mut self, name: &'static str, nullable: bool, value: &mut Option<Bytes>) -> Visited;
    /// A topic id.
    fn uuid(&mut self, name: &'static str, value: &mut Uuid) -> Visited;
    /// Record batches, with their length in front.
    fn records(&mut self, name: &'static str, value: &mut Vec<Rc<RecordBatch>>) -> Visited;
    /// The number of elements of an array; `None` only if `nullable`. A decoder refuses what cannot fit.
    fn length(&mut self, name: &'static str, nullable: bool, value: &mut Option<usize>) -> Visited;
    /// An element of an array, or a structure, begins.
    fn enter(&mut self, name: &'static str, index: usize);
    /// It ends.
    fn leave(&mut self);
    /// The end of a structure: flexible versions have tagged fields here. They go into `kept`, if the
    /// structure keeps them, and are passed over otherwise.
    fn tagged_fields(&mut self, kept: Option<&mut Vec<TaggedField>>) -> Visited;
    /// `throttle_time_ms`: belongs to the answer as a whole, not to what the coordinator says.
    fn throttle_time_ms(&mut self) -> Visited;
}

/// An optional field of a flexible version, as it stands on the wire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaggedField {
    /// Its number; ascending within a structure.
    pub tag: u32,
    /// Its bytes.
    pub bytes: Bytes,
}

/// A message or a part of one.
pub trait Visit: Default {
    /// Visits every field that `v.version()` has, in order; gives those that it lacks their defaults.
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited;

    /// Where the structure keeps tagged fields, if it does.
    fn tagged_fields(&mut self) -> Option<&mut Vec<TaggedField>> {
        None
    }
}

/// What travels as a string.
pub trait Text {
    /// As a shared string.
    fn get(&self) -> Rc<str>;
    /// From a shared string.
    fn put(&mut self, text: Rc<str>);
}

/// What travels as a whole number.
pub trait Int {
    /// Bytes on the wire.
    const WIDTH: usize;
    /// The number.
    fn get(&self) -> i64;
    /// From the number; it fits, the visitor read no more than `WIDTH` bytes.
    fn put(&mut self, number: i64);
}

impl Text for Rc<str> {
    fn get(&self) -> Rc<str> {
        self.clone()
    }
    fn put(&mut self, text: Rc<str>) {
        *self = text;
    }
}

macro_rules! texts {
    ($($name:ident)*) => {$(
        impl Text for $name {
            fn get(&self) -> Rc<str> {
                self.shared()
            }
            fn put(&mut self, text: Rc<str>) {
                *self = text.into();
            }
        }
    )*};
}

texts! { GroupId MemberId GroupInstanceId TopicName ClientId }

macro_rules! ints {
    ($($name:ty, $width:literal, |$from:ident| $get:expr, |$to:ident| $put:expr;)*) => {$(
        impl Int for $name {
            const WIDTH: usize = $width;
            fn get(&self) -> i64 {
                let $from = *self;
                $get
            }
            fn put(&mut self, $to: i64) {
                *self = $put;
            }
        }
    )*};
}

ints! {
    bool, 1, |b| i64::from(b), |n| n != 0;
    i8, 1, |i| i64::from(i), |n| n as i8;
    i16, 2, |i| i64::from(i), |n| n as i16;
    i32, 4, |i| i64::from(i), |n| n as i32;
    i64, 8, |i| i, |n| n;
    ErrorCode, 2, |e| i64::from(e.code()), |n| ErrorCode::from_code(n as i16);
    Generation, 4, |g| i64::from(g.0), |n| Generation(n as i32);
    BrokerId, 4, |b| i64::from(b.0), |n| BrokerId(n as i32);
    Offset, 8, |o| o.0, |n| Offset(n);
}

/// A number.
pub fn int<T: Int>(v: &mut dyn Visitor, name: &'static str, value: &mut T) -> Visited {
    let mut number = value.get();
    v.int(name, T::WIDTH, &mut number)?;
    value.put(number);
    Ok(())
}

/// A string that is never null.
pub fn text<T: Text>(v: &mut dyn Visitor, name: &'static str, value: &mut T) -> Visited {
    let mut shared = Some(value.get());
    v.text(name, false, &mut shared)?;
    value.put(shared.unwrap_or_else(|| "".into()));
    Ok(())
}

/// A string that may be null.
pub fn nullable_text<T: Text + Default>(
    v: &mut dyn Visitor,
    name: &'static str,
    value: &mut Option<T>,
) -> Visited {
    let mut shared = value.as_ref().map(Text::get);
    v.text(name, true, &mut shared)?;
    *value = shared.map(|shared| {
        let mut text = T::default();
        text.put(shared);
        text
    });
    Ok(())
}

/// Bytes that are never null.
pub fn bytes(v: &mut dyn Visitor, name: &'static str, value: &mut Bytes) -> Visited {
    let mut shared = Some(value.clone());
    v.bytes(name, false, &mut shared)?;
    *value = shared.unwrap_or_else(|| Bytes::from([]));
    Ok(())
}

/// An array; each element is visited by `element`.
pub fn array<T: Default>(
    v: &mut dyn Visitor,
    name: &'static str,
    items: &mut Vec<T>,
    element: fn(&mut T, &mut dyn Visitor) -> Visited,
) -> Visited {
    let mut length = Some(items.len());
    v.length(name, false, &mut length)?;
    elements(v, name, items, length.unwrap_or(0), element)
}

/// An array that may be null.
pub fn nullable_array<T: Default>(
    v: &mut dyn Visitor,
    name: &'static str,
    items: &mut Option<Vec<T>>,
    element: fn(&mut T, &mut dyn Visitor) -> Visited,
) -> Visited {
    let mut length = items.as_ref().map(Vec::len);
    v.length(name, true, &mut length)?;
    match length {
        None => *items = None,
        Some(length) => elements(v, name, items.get_or_insert_default(), length, element)?,
    }
    Ok(())
}

/// An array of structures: each element ends with tagged fields in flexible versions.
pub fn structs<T: Visit>(v: &mut dyn Visitor, name: &'static str, items: &mut Vec<T>) -> Visited {
    array(v, name, items, structure)
}

/// One structure of an array, with its end.
pub fn structure<T: Visit>(item: &mut T, v: &mut dyn Visitor) -> Visited {
    item.visit(v)?;
    v.tagged_fields(item.tagged_fields())
}

fn elements<T: Default>(
    v: &mut dyn Visitor,
    name: &'static str,
    items: &mut Vec<T>,
    length: usize,
    element: fn(&mut T, &mut dyn Visitor) -> Visited,
) -> Visited {
    // A decoder arrives with an empty list and grows it as elements really arrive, so a false length
    // costs nothing.
    items.truncate(length);
    for index in 0..length {
        if index == items.len() {
            items.push(T::default());
        }
        v.enter(name, index);
        element(&mut items[index], v)?;
        v.leave();
    }
    Ok(())
}
