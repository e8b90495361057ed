//! What a type reads, asked of its own `Deserialize`: the fields of a struct, the variants of an enum.

use serde::de::value::Error;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess,
    Visitor,
};
use std::cell::RefCell;

/// What was found out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// Fields of the struct, or of the chosen variant.
    pub fields: Option<&'static [&'static str]>,
    /// Variants of the enum.
    pub variants: Option<&'static [&'static str]>,
    /// Whether the chosen variant is a bare word.
    pub is_word: bool,
}

/// The shape of a type, looking into its variant of that name.
pub fn shape_of<'de, T: Deserialize<'de>>(variant: &'static str) -> Shape {
    let shape = RefCell::new(Shape::default());
    // The value is never finished; what was asked for on the way is all that matters.
    let asked = T::deserialize(Listener {
        shape: &shape,
        variant,
    });
    let _ = asked.map_err(|_| ()).map(|_| ());
    shape.into_inner()
}

struct Listener<'a> {
    shape: &'a RefCell<Shape>,
    variant: &'static str,
}

fn stop<T>() -> Result<T, Error> {
    Err(serde::de::Error::custom("seen enough"))
}

impl<'de> Deserializer<'de> for Listener<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        stop()
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        self.shape.borrow_mut().fields = Some(fields);
        stop()
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.shape.borrow_mut().variants = Some(variants);
        visitor.visit_enum(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for Listener<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let name: serde::de::value::StrDeserializer<'_, Error> = self.variant.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Listener<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        self.shape.borrow_mut().is_word = true;
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _: S) -> Result<S::Value, Error> {
        stop()
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        stop()
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        self.shape.borrow_mut().fields = Some(fields);
        stop()
    }
}
