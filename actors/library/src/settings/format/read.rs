//! Reading the custom formats of an instance.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::{Deserialize, Serialize};

use super::live::LiveFormat;
use super::{Exact, FormatSummary};
use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::{ArrFailure, Code};
use crate::settings::JsonText;
use crate::settings::collection::{Collection, aside, n_bytes};
use crate::settings::profile::{StoredObject, quoted};

/// With more formats, their conditions are not listed.
const MAX_WITH_CONDITIONS: usize = 40;

/// More formats are not listed.
const MAX_LISTED: usize = 1_000;

/// How many formats a refusal lists.
const MAX_IN_WORDS: usize = 30;

/// Reads all custom formats in a few words each.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ReadFormats {}

/// The custom formats of an instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FormatList {
    /// In the service's order.
    pub(crate) formats: Vec<FormatSummary>,
    /// How many there are.
    pub(crate) n_formats: usize,
    /// Those of a shape that this version does not know.
    pub(crate) unreadable_ids: Vec<i64>,
    /// Those of which not even the id can be read.
    pub(crate) n_without_id: usize,
}

/// Reads one custom format as the service stores it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ReadFormat {
    /// Its id. One that is not there is refused with those there are.
    pub(crate) format_id: i64,
}

impl Message for ReadFormats {
    type Actor = ArrActor;
    type Reply = Result<FormatList, ArrFailure>;
}

impl Message for ReadFormat {
    type Actor = ArrActor;
    type Reply = Result<StoredObject, ArrFailure>;
}

impl Handle<ReadFormats> for ArrActor {
    fn handle(&mut self, _: ReadFormats, call: CallInfo) -> Answer<Self, Result<FormatList, ArrFailure>> {
        self.answer_read(|hands| async move { read_all(&hands, call.deadline).await })
    }
}

impl Handle<ReadFormat> for ArrActor {
    fn handle(&mut self, order: ReadFormat, call: CallInfo) -> Answer<Self, Result<StoredObject, ArrFailure>> {
        self.answer_read(|hands| async move { read_one(&hands, order.format_id, call.deadline).await })
    }
}

pub(super) async fn read_all(hands: &Hands, deadline: Deadline) -> Result<FormatList, ArrFailure> {
    let texts = Collection::Formats.read(hands, deadline).await?;
    aside(n_bytes(&texts), move || summarise(&texts)).await
}

/// One that cannot be read leaves the others.
fn summarise(texts: &[String]) -> FormatList {
    let mut list =
        FormatList { formats: Vec::new(), n_formats: texts.len(), unreadable_ids: Vec::new(), n_without_id: 0 };
    for text in texts.iter().take(MAX_LISTED) {
        let format = Exact::parse(text).ok();
        let summary = format.as_ref().and_then(|one| FormatSummary::of(one, texts.len() <= MAX_WITH_CONDITIONS));
        match (summary, format.as_ref().and_then(|format| format.member("id")?.as_integer())) {
            (Some(summary), _) => list.formats.push(summary),
            (None, Some(id)) => list.unreadable_ids.push(id),
            (None, None) => list.n_without_id += 1,
        }
    }
    list
}

pub(super) async fn read_one(hands: &Hands, format_id: i64, deadline: Deadline) -> Result<StoredObject, ArrFailure> {
    let texts = Collection::Formats.read(hands, deadline).await?;
    aside(n_bytes(&texts), move || find(&texts, format_id)).await?
}

fn find(texts: &[String], format_id: i64) -> Result<StoredObject, ArrFailure> {
    let mut others = Vec::new();
    for format in texts.iter().filter_map(|text| LiveFormat::read(text)) {
        if format.id == format_id {
            let survives_doubles = format.members.values().all(Exact::survives_doubles);
            return Ok(StoredObject { name: format.name, json: JsonText::of_checked(format.text), survives_doubles });
        }
        others.push(format!("{} ({})", format.id, quoted(&format.name)));
    }
    let n_more = others.len().saturating_sub(MAX_IN_WORDS);
    let shown = others.len() - n_more;
    let there_are = match (shown, n_more) {
        (0, _) => "There are none.".to_owned(),
        (_, 0) => format!("There are {}.", others.join(", ")),
        (_, n_more) => format!("There are {} and {n_more} more.", others[..shown].join(", ")),
    };
    Err(ArrFailure::refused(Code::ObjectMissing, format!("There is no custom format {format_id}. {there_are}")))
}
