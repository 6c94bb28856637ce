//! Reads a field without trusting it: it may be missing, null, or of another type than it was.
//!
//! Nothing is built in between (no `serde_json::Value`), because lists have tens of thousands of elements.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// What can be read from a value of some types, and is `None` for values of all others.
pub(crate) trait Lenient: Sized {
    /// From `true` and `false`.
    fn of_bool(_: bool) -> Option<Self> {
        None
    }

    /// From a whole number.
    fn of_integer(_: i64) -> Option<Self> {
        None
    }

    /// From a number with a point; `123.0` is one.
    fn of_float(_: f64) -> Option<Self> {
        None
    }

    /// From a text.
    fn of_text(_: &str) -> Option<Self> {
        None
    }

    /// From a list. Reads it to its end.
    fn of_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    /// From an object. Reads it to its end.
    fn of_object<'de, A: MapAccess<'de>>(mut object: A) -> Result<Option<Self>, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

/// A field of a resource: what is missing or of another type is its default.
pub(crate) trait Field: Default {
    fn read<'de, D: Deserializer<'de>>(input: D) -> Result<Self, D::Error>;
}

/// For `deserialize_with`.
pub(crate) fn field<'de, D: Deserializer<'de>, T: Field>(input: D) -> Result<T, D::Error> {
    T::read(input)
}

impl<T: Lenient> Field for Option<T> {
    fn read<'de, D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        Reader(PhantomData).deserialize(input)
    }
}

impl<T: Lenient> Field for Vec<T> {
    fn read<'de, D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        Option::<Vec<T>>::read(input).map(Option::unwrap_or_default)
    }
}

/// An id: 0 where there is none.
impl Field for i64 {
    fn read<'de, D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        Option::<i64>::read(input).map(Option::unwrap_or_default)
    }
}

impl Field for BTreeMap<String, String> {
    fn read<'de, D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        Option::<Self>::read(input).map(Option::unwrap_or_default)
    }
}

struct Reader<T>(PhantomData<T>);

impl<'de, T: Lenient> DeserializeSeed<'de> for Reader<T> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Option<T>, D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de, T: Lenient> Visitor<'de> for Reader<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_unit<E>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_none<E>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, input: D) -> Result<Option<T>, D::Error> {
        input.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Option<T>, E> {
        Ok(T::of_bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Option<T>, E> {
        Ok(T::of_integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Option<T>, E> {
        Ok(i64::try_from(value).map_or_else(|_| T::of_float(value as f64), T::of_integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Option<T>, E> {
        Ok(T::of_float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Option<T>, E> {
        Ok(T::of_text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Option<T>, A::Error> {
        T::of_list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Option<T>, A::Error> {
        T::of_object(object)
    }
}

impl Lenient for bool {
    /// Nothing but a literal: some builds answer objects where others answer flags.
    fn of_bool(value: bool) -> Option<Self> {
        Some(value)
    }
}

impl Lenient for i64 {
    fn of_integer(value: i64) -> Option<Self> {
        Some(value)
    }

    fn of_float(value: f64) -> Option<Self> {
        // `as` saturates; beyond this bound a float no longer tells whole numbers apart anyway.
        (value.abs() < 9.0e15).then_some(value as i64)
    }

    fn of_text(text: &str) -> Option<Self> {
        text.trim().parse().ok()
    }
}

impl Lenient for f64 {
    fn of_integer(value: i64) -> Option<Self> {
        Some(value as f64)
    }

    fn of_float(value: f64) -> Option<Self> {
        Some(value)
    }

    fn of_text(text: &str) -> Option<Self> {
        text.trim().parse().ok().filter(|value: &f64| value.is_finite())
    }
}

impl Lenient for String {
    fn of_text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }

    fn of_bool(value: bool) -> Option<Self> {
        Some(value.to_string())
    }

    fn of_integer(value: i64) -> Option<Self> {
        Some(value.to_string())
    }

    fn of_float(value: f64) -> Option<Self> {
        Some(value.to_string())
    }
}

impl<T: Lenient> Lenient for Box<T> {
    fn of_bool(value: bool) -> Option<Self> {
        T::of_bool(value).map(Box::new)
    }

    fn of_integer(value: i64) -> Option<Self> {
        T::of_integer(value).map(Box::new)
    }

    fn of_float(value: f64) -> Option<Self> {
        T::of_float(value).map(Box::new)
    }

    fn of_text(text: &str) -> Option<Self> {
        T::of_text(text).map(Box::new)
    }

    fn of_list<'de, A: SeqAccess<'de>>(list: A) -> Result<Option<Self>, A::Error> {
        Ok(T::of_list(list)?.map(Box::new))
    }

    fn of_object<'de, A: MapAccess<'de>>(object: A) -> Result<Option<Self>, A::Error> {
        Ok(T::of_object(object)?.map(Box::new))
    }
}

/// Entry by entry: one that cannot be read is left out.
impl<T: Lenient> Lenient for Vec<T> {
    fn of_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = list.next_element_seed(Reader(PhantomData))? {
            entries.extend(entry);
        }
        Ok(Some(entries))
    }
}

impl Lenient for BTreeMap<String, String> {
    fn of_object<'de, A: MapAccess<'de>>(mut object: A) -> Result<Option<Self>, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some(name) = object.next_key::<String>()? {
            if let Some(value) = object.next_value_seed(Reader(PhantomData))? {
                entries.insert(name, value);
            }
        }
        Ok(Some(entries))
    }
}

/// Texts that are a list in one version, and one text with commas or line ends between them in another.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, Deserialize)]
#[serde(transparent)]
pub struct Texts(pub Vec<String>);

impl Lenient for Texts {
    fn of_text(text: &str) -> Option<Self> {
        let texts = text.split([',', '\n']).map(str::trim).filter(|text| !text.is_empty());
        Some(Self(texts.map(str::to_owned).collect()))
    }

    fn of_list<'de, A: SeqAccess<'de>>(list: A) -> Result<Option<Self>, A::Error> {
        Ok(Vec::of_list(list)?.map(Self))
    }
}

/// Declares a resource: every field may be missing, null or of another type and is then its default, and unknown fields are passed over.
macro_rules! resource {
    (
        $(#[$attribute:meta])*
        $visibility:vis $name:ident {
            $( $(#[$field_attribute:meta])* $field:ident: $type:ty, )*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        $visibility struct $name {
            $(
                $(#[$field_attribute])*
                #[serde(deserialize_with = "crate::client::wire::lenient::field")]
                $visibility $field: $type,
            )*
        }

        impl crate::client::wire::lenient::Lenient for $name {
            fn of_object<'de, A: serde::de::MapAccess<'de>>(object: A) -> Result<Option<Self>, A::Error> {
                let object = serde::de::value::MapAccessDeserializer::new(object);
                <Self as serde::Deserialize>::deserialize(object).map(Some)
            }
        }
    };
}

pub(crate) use resource;

#[cfg(test)]
mod tests {
    use super::*;

    resource! {
        /// A resource of every kind of field.
        Sample {
            /// An id.
            id: i64,
            /// A size.
            size: Option<i64>,
            /// A share.
            share: Option<f64>,
            /// A flag.
            has_file: Option<bool>,
            /// A text.
            title: Option<String>,
            /// Numbers.
            tags: Vec<i64>,
            /// Terms.
            terms: Option<Texts>,
            /// Texts by name.
            data: BTreeMap<String, String>,
            /// A part.
            part: Option<Box<Sample>>,
        }
    }

    fn read(json: &str) -> Sample {
        serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
    }

    #[test]
    fn a_field_of_another_type_is_missing_and_spoils_no_other() {
        for odd in ["null", "{}", "[]", "[[1]]", r#"{"a":{"b":[1]}}"#, r#""odd""#] {
            let json = format!(
                r#"{{"size":{odd},"share":{odd},"hasFile":{odd},"unknown":{odd},"tags":{odd},"part":{odd},"id":7,"data":{odd}}}"#
            );
            let sample = read(&json);
            assert_eq!((sample.id, sample.size, sample.share, sample.has_file), (7, None, None, None), "{json}");
        }
    }

    #[test]
    fn a_whole_number_may_have_a_point_and_a_number_may_be_a_text() {
        assert_eq!(read(r#"{"size":123.0}"#).size, Some(123));
        assert_eq!(read(r#"{"size":66000000000}"#).size, Some(66_000_000_000));
        assert_eq!(read(r#"{"size":"123"}"#).size, Some(123));
        assert_eq!(read(r#"{"share":7}"#).share, Some(7.0));
        assert_eq!(read(r#"{"size":1e300}"#).size, None);
        assert_eq!(read(r#"{"title":3}"#).title.as_deref(), Some("3"));
    }

    #[test]
    fn a_flag_is_only_what_is_written_as_one() {
        assert_eq!(read(r#"{"hasFile":true}"#).has_file, Some(true));
        assert_eq!(read(r#"{"hasFile":{"value":true}}"#).has_file, None);
        assert_eq!(read(r#"{"hasFile":1}"#).has_file, None);
    }

    #[test]
    fn one_odd_entry_leaves_the_others() {
        assert_eq!(read(r#"{"tags":[1,null,{},"x",3.0]}"#).tags, [1, 3]);
    }

    #[test]
    fn terms_are_a_list_or_one_text() {
        for json in [r#"{"terms":["a","b"]}"#, r#"{"terms":"a, b"}"#, r#"{"terms":"a\nb\n"}"#] {
            assert_eq!(read(json).terms, Some(Texts(vec!["a".into(), "b".into()])), "{json}");
        }
    }

    #[test]
    fn numbers_and_flags_among_texts_by_name_become_texts() {
        let data = read(r#"{"data":{"age":3,"ok":true,"none":null,"list":[1],"name":"x"}}"#).data;

        assert_eq!(
            data.into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>(),
            ["age=3", "name=x", "ok=true"]
        );
    }

    #[test]
    fn a_part_is_read_as_leniently_as_the_whole() {
        assert_eq!(read(r#"{"part":{"id":3,"size":"?"}}"#).part.map(|part| (part.id, part.size)), Some((3, None)));
    }
}
