//! Enums whose variants are words on the wire.
//!
//! Their schema is that of a string with exactly these words. Derived, documented variants would become alternatives (`oneOf`), for which some
//! hosts drop a tool.

/// Declares an enum of words: `as_str`, `Display`, serde by those words, and their schema.
macro_rules! words {
    ($(#[$about:meta])* $visible:vis enum $Words:ident { $($(#[$about_word:meta])* $Word:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        $visible enum $Words { $($(#[$about_word])* #[serde(rename = $word)] $Word,)+ }

        impl $Words {
            /// The word on the wire.
            $visible const fn as_str(self) -> &'static str {
                match self { $($Words::$Word => $word,)+ }
            }
        }

        impl std::fmt::Display for $Words {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        $crate::words::schema_of_words!($Words: $($word),+);
    };
}

/// Gives an enum the schema of a string with exactly these words.
macro_rules! schema_of_words {
    ($Words:ident: $($word:expr),+ $(,)?) => {
        impl schemars::JsonSchema for $Words {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($Words).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": [$($word),+] })
            }
        }
    };
}

pub(crate) use {schema_of_words, words};
