//! `get_album_timeline`

use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::Deserialize;

use super::get_receipts::{Output, answer};
use crate::answer::{Code, Envelope};
use crate::reads::ReceiptItem;
use crate::service::MediaType;

/// `get_album_timeline`
pub(super) struct GetAlbumTimeline;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Which library, by its id from list_arr_instances. Left out: the default Lidarr.
    instance_id: Option<String>,
    /// Has to be music; other types are told which tool is theirs. Left out: music.
    media_type: Option<MediaType>,
    /// The album, by the id from get_library. It holds for that library only.
    #[schemars(range(min = 1))]
    album_id: Option<i64>,
}

impl Tool for GetAlbumTimeline {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "get_album_timeline",
            title: "An album's receipts",
            description: "Shows what the library holds of one album (track files with import dates) beside what happened to it (grabs and imports, \
                          with the download each belongs to): the receipts for a complaint about a wrong album. A half of the history that could \
                          not be read is named as unreadable, which is not the same as empty.",
            scope: Scope::MediaAdmin,
            effect: Effect::Reads,
            admin_only: true,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let Arguments { instance_id, media_type, album_id } = arguments;
        let refuse = |code, words: &str| Ok(Answer::new(Envelope::refused(code, Vec::new()).into(), words));
        match (media_type.unwrap_or(MediaType::Music), album_id) {
            (MediaType::Music, Some(album_id)) => {
                answer(&call, instance_id.as_deref(), ReceiptItem::Album(album_id)).await
            }
            (MediaType::Music, None) => refuse(
                Code::ScopeMissing,
                "Which album? Pass its `album_id`, which get_library shows. Nothing was read.",
            ),
            (MediaType::Book, _) => refuse(
                Code::MediaTypeUnsupported,
                "This is for albums; for a book use get_book_timeline. Nothing was read.",
            ),
            (MediaType::Tv, _) => refuse(
                Code::MediaTypeUnsupported,
                "This is for albums; for a season use get_episode_timeline. Nothing was read.",
            ),
            (MediaType::Movie, _) => refuse(
                Code::MediaTypeUnsupported,
                "This is for albums; for a movie use get_media_file_details and get_history. Nothing was read.",
            ),
        }
    }
}
