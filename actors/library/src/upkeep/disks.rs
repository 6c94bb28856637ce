//! The room on the disks that an instance uses.

use playhouse_bus::{Answer, CallInfo, Handle, Message};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ArrActor;
use crate::answer::ArrFailure;
use crate::client::Patience;
use crate::client::wire::DiskSpace;

/// Reads the room on the disks that the instance uses.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadDisks {}

/// The disks that an instance uses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Disks {
    /// Each of them, in the instance's own order.
    pub volumes: Vec<Volume>,
    /// Those of a shape that this version does not know.
    pub n_skipped: usize,
}

/// One disk, or one mounted share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Volume {
    /// Where the service has it mounted: a path on its own machine.
    pub path: String,
    /// The disk's own name; often absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Room left, in bytes.
    pub free_bytes: i64,
    /// Its size, in bytes.
    pub total_bytes: i64,
    /// Room left of its size, in percent with one decimal; absent where the size is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free_percent: Option<f64>,
}

impl Message for ReadDisks {
    type Actor = ArrActor;
    type Reply = Result<Disks, ArrFailure>;
}

impl Handle<ReadDisks> for ArrActor {
    fn handle(&mut self, _: ReadDisks, call: CallInfo) -> Answer<Self, Result<Disks, ArrFailure>> {
        self.answer_read(|hands| async move {
            let read = hands.client.read_list::<DiskSpace>("diskspace", &[], Patience::Quick30s, call.deadline).await?;
            Ok(Disks { volumes: read.items.into_iter().map(volume).collect(), n_skipped: read.n_skipped })
        })
    }
}

fn volume(disk: DiskSpace) -> Volume {
    // Absent where a share cannot be read, and absurd on some network mounts.
    let total_bytes = disk.total_space.unwrap_or_default().max(0);
    let free_bytes = disk.free_space.unwrap_or_default().max(0);
    Volume {
        path: disk.path.unwrap_or_default(),
        label: disk.label.filter(|label| !label.is_empty()),
        free_bytes,
        total_bytes,
        free_percent: percent(free_bytes, total_bytes),
    }
}

#[expect(clippy::cast_precision_loss, reason = "one decimal is kept")]
fn percent(free: i64, total: i64) -> Option<f64> {
    (total > 0).then(|| (free as f64 / total as f64 * 1_000.0).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_of_unknown_size_has_no_percentage() {
        assert_eq!(percent(5, 0), None);
        assert_eq!(percent(1, 3), Some(33.3));
        assert_eq!(percent(0, 3), Some(0.0));
    }
}
