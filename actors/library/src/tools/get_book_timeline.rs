//! `get_book_timeline`

use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::Deserialize;

use super::get_receipts::{Output, answer};
use crate::answer::{Code, Envelope};
use crate::reads::ReceiptItem;
use crate::service::MediaType;

/// `get_book_timeline`
pub(super) struct GetBookTimeline;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Which library, by its id from list_arr_instances. Left out: the default Chaptarr.
    instance_id: Option<String>,
    /// Has to be book; other types are told which tool is theirs.
    media_type: MediaType,
    /// The book, by the id from get_library. It holds for that library only.
    #[schemars(range(min = 1))]
    book_id: Option<i64>,
}

impl Tool for GetBookTimeline {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "get_book_timeline",
            title: "A book's receipts",
            description: "Shows what the library holds of one book (files with import dates) beside what happened to it (grabs and imports, with \
                          the download each belongs to): the receipts for a complaint about a wrong book. A half of the history that could not be \
                          read is named as unreadable, which is not the same as empty.",
            scope: Scope::MediaAdmin,
            effect: Effect::Reads,
            admin_only: true,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let Arguments { instance_id, media_type, book_id } = arguments;
        let refuse = |code, words: &str| Ok(Answer::new(Envelope::refused(code, Vec::new()).into(), words));
        match (media_type, book_id) {
            (MediaType::Book, Some(book_id)) => answer(&call, instance_id.as_deref(), ReceiptItem::Book(book_id)).await,
            (MediaType::Book, None) => {
                refuse(Code::ScopeMissing, "Which book? Pass its `book_id`, which get_library shows. Nothing was read.")
            }
            (MediaType::Music, _) => refuse(
                Code::MediaTypeUnsupported,
                "This is for books; for an album use get_album_timeline. Nothing was read.",
            ),
            (MediaType::Tv, _) => refuse(
                Code::MediaTypeUnsupported,
                "This is for books; for a season use get_episode_timeline. Nothing was read.",
            ),
            (MediaType::Movie, _) => refuse(
                Code::MediaTypeUnsupported,
                "This is for books; for a movie use get_media_file_details and get_history. Nothing was read.",
            ),
        }
    }
}
