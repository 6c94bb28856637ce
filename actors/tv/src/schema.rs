//! Schemas of enums as plain lists of words.

/// Gives an enum the schema of a string with exactly the words of its `ALL`. Derived, documented variants would become alternatives
/// (`oneOf`), for which some hosts drop a tool.
macro_rules! schema_of_words {
    ($words:ident) => {
        impl schemars::JsonSchema for $words {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($words).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": $words::ALL.map($words::as_str) })
            }
        }
    };
}

pub(crate) use schema_of_words;
