//! Which read shows what became of a change.

use crate::service::MediaType;

/// Which read shows whether a queue item is still there.
pub(super) fn still_there(queue_id: i64, media_type: MediaType, instance_id: Option<&str>) -> String {
    let mut args = serde_json::json!({ "media_type": media_type });
    if let Some(instance_id) = instance_id {
        args["instance_id"] = instance_id.into();
    }
    format!("get_queue {args} shows whether item {queue_id} is still there.")
}
