//! `execute_manual_import`

use std::fmt::Write as _;

use playhouse_house::Scope as KeyScope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get_manual_import_candidates::FILES_WITHIN;
use super::looking::still_there;
use super::one_library::change_and_look;
use crate::answer::{Envelope, Library, Scope};
use crate::repair::{ImportAccepted, ImportFiles, SkippedFile};
use crate::service::MediaType;

/// `execute_manual_import`
pub(super) struct ExecuteManualImport;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Which library, by its id from list_arr_instances. Left out: the service's default.
    instance_id: Option<String>,
    /// The item, by its `queue_id` from get_queue or diagnose_queue.
    #[schemars(range(min = 1))]
    queue_id: i64,
    /// Whose queue it is in.
    media_type: MediaType,
    /// Whether files that the service rejected for good are imported too. Files that are not mapped never are. Left out: false.
    #[serde(default)]
    force: bool,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// The files whose import the service has accepted. Not a proof that they are imported.
    imported_requested: Vec<String>,
    /// The files that were left out.
    skipped: Vec<SkippedFile>,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for ExecuteManualImport {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "execute_manual_import",
            title: "Import a download by hand",
            description: "Has the service import the files of a stuck download as get_manual_import_candidates shows them. The service takes the mapping \
                          as the truth and may replace files of the library, so look at the candidates first and ask the user. The import is queued: \
                          get_queue shows in a minute whether the item is gone.",
            scope: KeyScope::MediaAdmin,
            effect: Effect::Destroys,
            admin_only: true,
            time_limit: Some(FILES_WITHIN),
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let Arguments { instance_id, queue_id, media_type, force } = arguments;
        let look = still_there(queue_id, media_type, instance_id.as_deref());
        let order = ImportFiles { queue_id, force, scope: Scope::default() };
        let asked = change_and_look(&call, media_type.service(), instance_id.as_deref(), &look, order);
        let (chosen, done) = match asked.await? {
            Ok(changed) => changed,
            Err(answer) => return Ok(answer),
        };
        let prose = format!("{}: {} {look}", chosen.instance.title(), prose(queue_id, &done));
        let output = Output {
            envelope: Envelope::done(vec![Library::read(&chosen.instance)]),
            imported_requested: done.requested,
            skipped: done.skipped,
        };
        Ok(Answer::new(output, prose))
    }
}

fn prose(queue_id: i64, accepted: &ImportAccepted) -> String {
    const SHOWN: usize = 20;
    let n = accepted.requested.len();
    let files = if n == 1 { "1 file".to_owned() } else { format!("{n} files") };
    let mut text = format!(
        "the import of {files} of {} (queue item {queue_id}) was accepted. It is queued in the service and not done yet.",
        accepted.title
    );
    // Writing to a string does not fail.
    for name in accepted.requested.iter().take(SHOWN) {
        let _ = write!(text, "\n- {name}");
    }
    for file in accepted.skipped.iter().take(SHOWN) {
        let _ = write!(text, "\n- left out: {}: {}", file.name, file.reason);
    }
    let more = n.saturating_sub(SHOWN) + accepted.skipped.len().saturating_sub(SHOWN);
    if more > 0 {
        let _ = write!(text, "\n…and {more} more");
    }
    text.push('\n');
    text
}
