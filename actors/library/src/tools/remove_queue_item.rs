//! `remove_queue_item`

use playhouse_house::Scope as KeyScope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::looking::still_there;
use super::one_library::change_and_look;
use crate::answer::{Envelope, Library};
use crate::repair::RemoveQueueItem;
use crate::service::MediaType;

/// `remove_queue_item`
pub(super) struct RemoveQueueItemTool;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Which library, by its id from list_arr_instances. Left out: the service's default.
    instance_id: Option<String>,
    /// The item, by its `queue_id` from get_queue or diagnose_queue.
    #[schemars(range(min = 1))]
    queue_id: i64,
    /// Whose queue it is in.
    media_type: MediaType,
    /// Whether its release is not to be taken again. The service then decides by its settings whether to search for another. Left out: false.
    #[serde(default)]
    blocklist: bool,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// The item that was removed; left out when nothing was, or when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    removed_queue_id: Option<i64>,
    /// Whether its release was put on the blocklist.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocklisted: Option<bool>,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for RemoveQueueItemTool {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "remove_queue_item",
            title: "Remove a download",
            description: "Removes one item from the queue, and with it the whole download and its data from the download client: all items of the same \
                          download go with it. Cannot be undone; ask the user first. To act on a diagnosis, use remediate_queue_item, which also \
                          guards against searching for what has not aired.",
            scope: KeyScope::MediaAdmin,
            effect: Effect::Destroys,
            admin_only: true,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let Arguments { instance_id, queue_id, media_type, blocklist } = arguments;
        let look = still_there(queue_id, media_type, instance_id.as_deref());
        let order = RemoveQueueItem { queue_id, blocklist };
        let asked = change_and_look(&call, media_type.service(), instance_id.as_deref(), &look, order);
        let (chosen, _) = match asked.await? {
            Ok(changed) => changed,
            Err(answer) => return Ok(answer),
        };
        let then = match blocklist {
            true => {
                " Its release is on the blocklist, and the service decides by its settings whether to search for another. A download that the service \
                 did not order itself has nothing to put there."
            }
            false => " Its release is not on the blocklist, so it may be taken again.",
        };
        let prose = format!(
            "{}: queue item {queue_id} was removed, and with it its whole download and data in the client. Items that shared the download (a season \
             pack, a discography) are gone from the queue too.{then}",
            chosen.instance.title()
        );
        let output = Output {
            envelope: Envelope::done(vec![Library::read(&chosen.instance)]),
            removed_queue_id: Some(queue_id),
            blocklisted: Some(blocklist),
        };
        Ok(Answer::new(output, prose))
    }
}
