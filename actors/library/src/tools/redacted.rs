//! The one place that everything a library tool says passes on its way out.
//!
//! Titles, messages and rejections are other programs' texts, and any of them may repeat an address with a key in it. The capabilities drop
//! what they know to be secret; this takes out what nobody thought of, from prose, structured answers and failures alike.

use std::borrow::Cow;
use std::marker::PhantomData;

use playhouse_tools::{Answer, Descriptor, Failure, Tool, ToolCall};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::client::{redact_json, redact_text};

/// A tool whose answers and failures hold no secrets.
pub struct Redacted<T>(pub T);

/// An answer of type `T` without its secrets.
pub struct Clean<T> {
    value: Value,
    of: PhantomData<T>,
}

impl<T> Serialize for Clean<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl<T: JsonSchema> JsonSchema for Clean<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<T: Tool> Tool for Redacted<T> {
    type Arguments = T::Arguments;
    type Output = Clean<T::Output>;

    fn descriptor(&self) -> Descriptor {
        self.0.descriptor()
    }

    async fn call(&self, call: ToolCall, arguments: T::Arguments) -> Result<Answer<Clean<T::Output>>, Failure> {
        match self.0.call(call, arguments).await {
            Ok(Answer { output, prose, is_error }) => {
                let mut value = serde_json::to_value(&output)
                    .map_err(|error| Failure::World(format!("The answer could not be written as JSON: {error}.")))?;
                redact_json(&mut value);
                Ok(Answer { output: Clean { value, of: PhantomData }, prose: redact_text(&prose), is_error })
            }
            Err(Failure::World(words)) => Err(Failure::World(redact_text(&words))),
            Err(refused @ Failure::Refused(_)) => Err(refused),
        }
    }
}

#[cfg(test)]
mod tests {
    use playhouse_house::Scope;
    use serde::Deserialize;

    use super::*;

    struct Parrot;

    #[derive(Deserialize, JsonSchema)]
    struct Words {}

    #[derive(Serialize, JsonSchema)]
    struct Said {
        title: &'static str,
    }

    impl Tool for Parrot {
        type Arguments = Words;
        type Output = Said;

        fn descriptor(&self) -> Descriptor {
            Descriptor { name: "parrot", scope: Scope::MediaAdmin, ..Descriptor::DEFAULT }
        }

        async fn call(&self, _: ToolCall, _: Words) -> Result<Answer<Said>, Failure> {
            let title = "http://indexer/get?id=4&apikey=abc";
            Ok(Answer::failed(Said { title }, format!("Not fetched: {title}")))
        }
    }

    #[actix_rt::test]
    async fn prose_and_structured_answer_lose_their_secrets_and_nothing_else() {
        let call = crate::testing::nobodys_call();
        let answer = Redacted(Parrot).call(call, Words {}).await.unwrap();
        let clean = "http://indexer/get?id=4&apikey=[REDACTED]";
        assert_eq!(serde_json::to_value(&answer.output).unwrap(), serde_json::json!({ "title": clean }));
        assert_eq!((answer.prose, answer.is_error), (format!("Not fetched: {clean}"), true));
    }
}
