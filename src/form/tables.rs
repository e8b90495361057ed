//! The tables by which types say their form.
//!
//! A field stands in JSON under its own name, or under another one after `as`. It must be there unless
//! `= value` follows: then that is what it is when it is missing, and it is not written if it is that. `= _`
//! is the default of its type.

/// The form of a struct: an object.
macro_rules! record {
    ($type:ident { $($field:ident $(as $name:literal)? $(= $default:tt)?),* $(,)? }) => {
        impl $crate::form::Form for $type {
            const SHAPE: $crate::form::Shape =
                $crate::form::Shape::Record(&[$($crate::form::name!($field $($name)?)),*]);

            fn read(
                value: &serde_json::Value,
                place: &$crate::form::Place<'_>,
            ) -> $crate::form::Read<Self> {
                let known = &[$($crate::form::name!($field $($name)?)),*];
                let fields = $crate::form::Fields::of(value, place, known)?;
                Ok(Self {
                    $($field: $crate::form::read_field!(
                        fields, $crate::form::name!($field $($name)?) $(, $default)?
                    )),*
                })
            }

            fn write(&self) -> serde_json::Value {
                let Self { $($field),* } = self;
                let mut object = serde_json::Map::new();
                $($crate::form::write_field!(
                    object, $field, $crate::form::name!($field $($name)?) $(, $default)?
                );)*
                serde_json::Value::Object(object)
            }
        }
    };
}

/// The form of an enum: for each of its variants a word, and what belongs to it. A word alone is a text,
/// one with something an object of one field.
macro_rules! choice {
    ($type:ident {
        $($word:literal => $variant:ident
            $({ $($field:ident $(as $name:literal)? $(= $default:tt)?),* $(,)? })?
            $(($inner:ident))?
        ),* $(,)?
    }) => {
        impl $crate::form::Form for $type {
            const SHAPE: $crate::form::Shape = $crate::form::Shape::Choice(&[
                $($crate::form::Case {
                    word: $word,
                    content: $crate::form::content!(
                        $({ $($crate::form::name!($field $($name)?)),* })? $(($inner))?
                    ),
                }),*
            ]);

            fn read(
                value: &serde_json::Value,
                place: &$crate::form::Place<'_>,
            ) -> $crate::form::Read<Self> {
                let chosen = $crate::form::Chosen::of(value, place, &Self::SHAPE)?;
                let place = &place.field(chosen.word);
                let fields = chosen.fields(place)?;
                Ok(match chosen.word {
                    $($word => Self::$variant
                        $({ $($field: $crate::form::read_field!(
                            fields, $crate::form::name!($field $($name)?) $(, $default)?
                        )),* })?
                        $(({
                            let $inner = $crate::form::Form::read(chosen.value, place)?;
                            $inner
                        }))?,
                    )*
                    _ => return Err(chosen.unknown(fields.place())),
                })
            }

            fn write(&self) -> serde_json::Value {
                match self {
                    $(Self::$variant $({ $($field),* })? $(($inner))? => {
                        $crate::form::write_case!(
                            $word $({ $($field $(as $name)? $(= $default)?),* })? $(($inner))?
                        )
                    })*
                }
            }
        }
    };
}

macro_rules! name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $name:literal) => {
        $name
    };
}

macro_rules! content {
    () => {
        $crate::form::Content::Nothing
    };
    ({ $($name:expr),* }) => {
        $crate::form::Content::Record(&[$($name),*])
    };
    (($inner:ident)) => {
        $crate::form::Content::Value
    };
}

macro_rules! read_field {
    ($fields:ident, $name:expr) => {
        $fields.required($name)?
    };
    ($fields:ident, $name:expr, _) => {
        $fields.optional($name)?.unwrap_or_default()
    };
    ($fields:ident, $name:expr, $default:tt) => {
        $fields.optional($name)?.unwrap_or($default)
    };
}

macro_rules! write_field {
    ($object:ident, $field:ident, $name:expr) => {
        $crate::form::put(&mut $object, $name, $crate::form::Form::write($field))
    };
    ($object:ident, $field:ident, $name:expr, _) => {
        if !$crate::form::is_default($field) {
            $crate::form::put(&mut $object, $name, $crate::form::Form::write($field));
        }
    };
    ($object:ident, $field:ident, $name:expr, $default:tt) => {
        if *$field != $default {
            $crate::form::put(&mut $object, $name, $crate::form::Form::write($field));
        }
    };
}

macro_rules! write_case {
    ($word:literal) => {
        serde_json::Value::from($word)
    };
    ($word:literal { $($field:ident $(as $name:literal)? $(= $default:tt)?),* }) => {{
        let mut object = serde_json::Map::new();
        $($crate::form::write_field!(
            object, $field, $crate::form::name!($field $($name)?) $(, $default)?
        );)*
        $crate::form::case($word, serde_json::Value::Object(object))
    }};
    ($word:literal ($inner:ident)) => {
        $crate::form::case($word, $crate::form::Form::write($inner))
    };
}

pub(crate) use {choice, content, name, read_field, record, write_case, write_field};
