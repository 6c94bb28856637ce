//! `remediate_queue_item`

use std::fmt::Write as _;

use playhouse_house::Scope as KeyScope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get_queue::ids;
use super::looking::still_there;
use super::one_library::change_and_look;
use crate::answer::{Envelope, Library};
use crate::repair::{Remediate, Remediated, Remedy};
use crate::service::MediaType;

/// `remediate_queue_item`
pub(super) struct RemediateQueueItem;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Which library, by its id from list_arr_instances. Left out: the service's default.
    instance_id: Option<String>,
    /// The item, by its `queue_id` from diagnose_queue or get_queue.
    #[schemars(range(min = 1))]
    queue_id: i64,
    /// Whose queue it is in.
    media_type: MediaType,
    /// remove: take it away with its data. blocklist_search: also avoid the release, and let the service search for another. blocklist_only: also
    /// avoid the release, without a search. change_category: leave it in the client, in its category for what was imported.
    action: Remedy,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// What was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    requested_action: Option<Remedy>,
    /// What was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    effective_action: Option<Remedy>,
    /// Why something else was done than was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    downgrade_reason: Option<String>,
    /// Other items that went with it, because they were the same download.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    same_download: Vec<i64>,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for RemediateQueueItem {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "remediate_queue_item",
            title: "Heal a stuck download",
            description: "Acts on a stuck download as diagnose_queue suggests. Acts on the whole download: all its items. Before a release of a series \
                          is replaced, the air dates of all its episodes are checked, and what has not aired is not searched for. Cannot be undone; \
                          ask the user first.",
            scope: KeyScope::MediaAdmin,
            effect: Effect::Destroys,
            admin_only: true,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let Arguments { instance_id, queue_id, media_type, action } = arguments;
        let look = still_there(queue_id, media_type, instance_id.as_deref());
        let order = Remediate { queue_id, remedy: action };
        let asked = change_and_look(&call, media_type.service(), instance_id.as_deref(), &look, order);
        let (chosen, done) = match asked.await? {
            Ok(changed) => changed,
            Err(answer) => return Ok(answer),
        };
        let prose = format!("{}: {}", chosen.instance.title(), prose(queue_id, &done));
        let output = Output {
            envelope: Envelope::done(vec![Library::read(&chosen.instance)]),
            requested_action: Some(done.requested),
            effective_action: Some(done.effective),
            downgrade_reason: done.downgrade_reason,
            same_download: done.same_download,
        };
        Ok(Answer::new(output, prose))
    }
}

fn prose(queue_id: i64, done: &Remediated) -> String {
    let did = match done.effective {
        Remedy::Remove => "was removed with its data; its release may be taken again",
        Remedy::BlocklistSearch => {
            "was removed with its data and its release put on the blocklist; the service decides by its settings whether to search for another"
        }
        Remedy::BlocklistOnly => {
            "was removed with its data and its release put on the blocklist; no replacement is searched for"
        }
        Remedy::ChangeCategory => "left the queue; the client keeps it, in its category for what was imported",
    };
    let mut text = format!("{} (queue item {queue_id}) {did}.", done.title);
    // Writing to a string does not fail.
    if !done.same_download.is_empty() {
        let _ = write!(text, " Items {} were the same download and went with it.", ids(&done.same_download));
    }
    if let Some(reason) = &done.downgrade_reason {
        let _ = write!(text, " {} was done instead of {}: {reason}", done.effective, done.requested);
    }
    text
}
