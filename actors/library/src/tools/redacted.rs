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
                let value = serde_json::to_value(&output)
                    .map_err(|error| Failure::World(format!("The answer could not be written as JSON: {error}.")))?;
                let (value, prose) = clean(value, prose).await?;
                Ok(Answer { output: Clean { value, of: PhantomData }, prose, is_error })
            }
            Err(Failure::World(words)) => Err(Failure::World(clean(Value::Null, words).await?.1)),
            Err(refused @ Failure::Refused(_)) => Err(refused),
        }
    }
}

/// What is read where it is; more of it would hold up whoever shares the thread.
const SMALL_BYTES: usize = 16 * 1024;

/// Both without their secrets.
async fn clean(mut value: Value, mut prose: String) -> Result<(Value, String), Failure> {
    let is_small = n_bytes(&value, SMALL_BYTES).saturating_add(prose.len()) <= SMALL_BYTES;
    let redact = move || {
        redact_json(&mut value);
        prose = redact_text(&prose);
        (value, prose)
    };
    if is_small {
        return Ok(redact());
    }
    let cleaned = tokio::task::spawn_blocking(redact).await;
    // It panicked, or the process is ending: what was not read to its end is not shown.
    cleaned.map_err(|_| Failure::world("The answer could not be checked for secrets and is not shown. Ask for less."))
}

/// How many bytes its texts have, counted no further than `enough`.
fn n_bytes(value: &Value, enough: usize) -> usize {
    let mut n = 0;
    let mut left = vec![value];
    while let Some(value) = left.pop()
        && n <= enough
    {
        match value {
            Value::String(text) => n += text.len(),
            Value::Array(elements) => left.extend(elements),
            Value::Object(members) => {
                n += members.keys().map(String::len).sum::<usize>();
                left.extend(members.values());
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => n += 1,
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use playhouse_house::Scope;
    use serde::Deserialize;

    use super::*;

    /// Says its text so many times.
    struct Parrot(usize);

    #[derive(Deserialize, JsonSchema)]
    struct Words {}

    #[derive(Serialize, JsonSchema)]
    struct Said {
        title: String,
    }

    impl Tool for Parrot {
        type Arguments = Words;
        type Output = Said;

        fn descriptor(&self) -> Descriptor {
            Descriptor { name: "parrot", scope: Scope::MediaAdmin, ..Descriptor::DEFAULT }
        }

        async fn call(&self, _: ToolCall, _: Words) -> Result<Answer<Said>, Failure> {
            let title = "http://indexer/get?id=4&apikey=abc ".repeat(self.0);
            let prose = format!("Not fetched: {title}");
            Ok(Answer::failed(Said { title }, prose))
        }
    }

    #[actix_rt::test]
    async fn a_long_answer_is_read_beside_this_thread() {
        let texts: Vec<String> = vec!["apikey=abc".repeat(100); 100];
        let mut ticks = 0;
        let cleaning = clean(serde_json::json!(texts), String::new());
        tokio::pin!(cleaning);
        // What is read where it is, is ready at the first look.
        while futures_util::poll!(&mut cleaning).is_pending() {
            ticks += 1;
            tokio::task::yield_now().await;
        }
        assert!(ticks > 0, "it was read on the arbiter");
    }

    #[test]
    fn counting_ends_where_it_is_enough() {
        let value = serde_json::json!({ "ab": ["cde", 7, null], "f": { "g": true } });
        assert_eq!(n_bytes(&value, 100), 2 + 3 + 1 + 1 + 1 + 1 + 1);
        assert!(n_bytes(&serde_json::json!(vec!["x".repeat(10); 1_000]), 50) < 100);
    }

    #[actix_rt::test]
    async fn prose_and_structured_answer_lose_their_secrets_and_nothing_else() {
        // Few are read on this thread, many on another.
        for n in [1, 2_000] {
            says_clean_words(n).await;
        }
    }

    async fn says_clean_words(n: usize) {
        let call = crate::testing::nobodys_call();
        let answer = Redacted(Parrot(n)).call(call, Words {}).await.unwrap();
        let clean = "http://indexer/get?id=4&apikey=[REDACTED] ".repeat(n);
        assert_eq!(serde_json::to_value(&answer.output).unwrap(), serde_json::json!({ "title": clean }));
        assert_eq!((answer.prose, answer.is_error), (format!("Not fetched: {clean}"), true));
    }
}
