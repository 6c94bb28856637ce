//! `submit_turnover`

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Manner, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use super::document::OfficeDocument;
use crate::media::{FileHead, InMemory, SubmissionDesk, SubmissionHead, SubmissionOrder};
use crate::model::Via;
use crate::shapes;

/// Hashing, syncing and recording nine megabytes takes a moment; a slow disk gets longer than calls get in general.
const TIME_LIMIT: Duration = Duration::from_secs(50);

/// `submit_turnover`
pub(super) struct SubmitTurnover(pub(super) SubmissionDesk);

/// What `submit_turnover` takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    /// The turnover's id, as list_turnovers gives it.
    delivery_id: i64,
    /// What the submission is called; turnover and version when left out.
    #[schemars(length(max = 200))]
    title: Option<String>,
    /// A word to whoever looks at it.
    #[schemars(length(max = 4000))]
    note: Option<String>,
    /// The files, named as the turnover's spec wants. Together at most about 9 MB: larger ones go to the REST endpoint.
    #[schemars(length(min = 1))]
    #[serde(deserialize_with = "decoded")]
    files: Vec<File>,
}

/// One file of a call.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct File {
    /// The file's name, without folders.
    filename: String,
    /// Its bytes in base64, standard alphabet with padding.
    #[schemars(with = "String")]
    content_base64: Bytes,
}

/// Decodes here, so that a fault is found with the arguments, and is named with its place.
fn decoded<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<File>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Encoded {
        filename: String,
        content_base64: String,
    }
    let encoded = Vec::<Encoded>::deserialize(deserializer)?;
    let decode = |(place, Encoded { filename, content_base64 }): (usize, Encoded)| {
        let bytes = STANDARD.decode(content_base64).map_err(|fault| {
            serde::de::Error::custom(format_args!("`files[{place}].content_base64` is not base64: {fault}"))
        })?;
        Ok(File { filename, content_base64: bytes.into() })
    };
    encoded.into_iter().enumerate().map(decode).collect()
}

impl Tool for SubmitTurnover {
    type Arguments = Arguments;
    type Output = OfficeDocument<shapes::Submission>;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "submit_turnover",
            title: "Submit work for a turnover",
            description: "Sends files back for a turnover, as its next version, and asks the production for approval. Read the turnover's spec with \
                          list_turnovers first, and ask the user before sending. Names that differ from the spec are warned about and taken. \
                          Sending exactly the same files again is answered with the submission they made.",
            scope: Scope::SubmitTurnover,
            effect: Effect::Acts,
            closed_world: true,
            time_limit: Some(TIME_LIMIT),
            open_to_engagements: true,
            manner: Manner::Office,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Self::Output>, Failure> {
        let Arguments { delivery_id, title, note, files } = arguments;
        let announced_bytes = files.iter().map(|file| file.content_base64.len() as u64).sum();
        let order = SubmissionOrder { turnover_id: delivery_id, via: Via::Mcp, announced_bytes, idempotency_key: None };
        let head = SubmissionHead { title, note, ..SubmissionHead::default() };
        let file =
            |File { filename, content_base64 }| (FileHead { name: filename, content_type: None }, content_base64);
        let mut source = InMemory::new(head, files.into_iter().map(file).collect());
        let written = self.0.take(&call.bus, &call.principal, order, &mut source).await?;
        Ok(Answer::new(written.document.into(), ""))
    }
}
