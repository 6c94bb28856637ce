//! From a verdict to the exact call that acts on it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::cause::Verb;
use super::verdict::Verdict;
use crate::service::MediaType;

/// Which row the calls are about.
#[derive(Debug, Clone, Copy)]
pub struct Patient<'a> {
    /// The row's id.
    pub queue_id: i64,
    /// Whose queue it stands in.
    pub media_type: MediaType,
    /// What the row is for, as a person would look for it in the library; `None` where it belongs to no item.
    pub item_title: Option<&'a str>,
    /// The movie's or series' TMDB id, the author's or the artist's id, by `media_type`, where the row tells it.
    pub owner_id: Option<i64>,
    /// The instance that was asked for by id; it goes into every call.
    pub instance_id: Option<&'a str>,
}

/// One call, to be made exactly as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(inline)]
pub struct NextCall {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub args: Map<String, Value>,
}

/// What to call next.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct NextCalls {
    /// The calls, in this order; empty where nothing can be called.
    pub calls: Vec<NextCall>,
    /// What the calls cannot say: what to do before or after them.
    pub hint: Option<String>,
}

/// The calls for the first of the verdict's verbs; the others are alternatives and are not spelt out.
pub fn next_calls(verdict: &Verdict, patient: Patient<'_>) -> NextCalls {
    let Some(verb) = verdict.verbs.first() else { return NextCalls::default() };
    match verb {
        Verb::Process | Verb::Rescan => look_again(verdict, patient),
        Verb::ManualImport => calls(vec![
            patient.on_the_row("get_manual_import_candidates", &[]),
            patient.on_the_row("execute_manual_import", &[]),
        ]),
        Verb::ForceImport => calls(vec![patient.on_the_row("execute_manual_import", &[("force", json!(true))])]),
        Verb::Remove | Verb::BlocklistSearch | Verb::BlocklistOnly | Verb::ChangeCategory => {
            calls(vec![patient.on_the_row("remediate_queue_item", &[("action", json!(verb.as_str()))])])
        }
    }
}

fn calls(calls: Vec<NextCall>) -> NextCalls {
    NextCalls { calls, hint: None }
}

/// A rescan names the item, not the row; where the row does not tell which item, it has to be looked up, or another verb is taken.
fn look_again(verdict: &Verdict, patient: Patient<'_>) -> NextCalls {
    let media_type = patient.media_type;
    let id_name = owner_id_name(media_type);
    if let Some(id) = patient.owner_id {
        let hint =
            verdict.verbs.contains(&Verb::Rescan).then(|| "Put the cause right first; then call this.".to_owned());
        let mut args = Map::new();
        args.insert(id_name.to_owned(), json!(id));
        return NextCalls { calls: vec![patient.call("rescan_media", args)], hint };
    }
    if let Some(title) = patient.item_title {
        let mut args = Map::new();
        args.insert("query".to_owned(), json!(title));
        let hint = format!(
            "The queue does not tell the {id_name}: take it from get_library, then call rescan_media with it and media_type \"{media_type}\"."
        );
        return NextCalls { calls: vec![patient.call("get_library", args)], hint: Some(hint) };
    }
    let other = verdict.verbs.iter().copied().find(|verb| !matches!(verb, Verb::Process | Verb::Rescan));
    match other {
        Some(verb) => {
            let narrowed = Verdict { verbs: vec![verb], ..verdict.clone() };
            next_calls(&narrowed, patient)
        }
        None => NextCalls {
            calls: Vec::new(),
            hint: Some(
                "The download belongs to no item of the library, so there is nothing to rescan; once the cause is put right, the service takes it \
                 up by itself."
                    .to_owned(),
            ),
        },
    }
}

/// The argument by which `rescan_media` names an item.
const fn owner_id_name(media_type: MediaType) -> &'static str {
    match media_type {
        MediaType::Movie | MediaType::Tv => "tmdb_id",
        MediaType::Book => "author_id",
        MediaType::Music => "artist_id",
    }
}

impl Patient<'_> {
    fn on_the_row(&self, tool: &str, more: &[(&str, Value)]) -> NextCall {
        let mut args = Map::new();
        args.insert("queue_id".to_owned(), json!(self.queue_id));
        args.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        self.call(tool, args)
    }

    fn call(&self, tool: &str, mut args: Map<String, Value>) -> NextCall {
        args.insert("media_type".to_owned(), json!(self.media_type.as_str()));
        if let Some(instance_id) = self.instance_id {
            args.insert("instance_id".to_owned(), json!(instance_id));
        }
        NextCall { tool: tool.to_owned(), args }
    }
}
