//! Orders about a house's production: setting one up, and importing files into it.
//!
//! The file follows the order on the same connection. While an import goes on, lines `{"progress": 0.7}` come back before the answer.

use std::fmt::Write as _;
use std::time::Duration;

use bytes::Bytes;
use playhouse_bus::{Deadline, HouseId};
use playhouse_house::{CredentialKind, KeySummary};
use playhouse_production::ProductionActor;
use playhouse_production::import::limits::MAX_FILE_BYTES;
use playhouse_production::import::{self, ImportOptions, ImportOrder};
use playhouse_production::media::ContentHash;
use playhouse_production::messages::{
    ImportAnswer, KeyChange, NoteKey, OfficeRefusal, PutDepartment, PutEngagement, PutEpisode, PutProduction,
    PutVendor, SetUp, SetUpStep, Writer,
};
use playhouse_production::model::ImportKind;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt};

use super::orders::find_house;
use crate::instance::Instance;

/// How long one of these orders may take.
const ORDER_DEADLINE: Duration = Duration::from_secs(120);
/// As whom the operator's orders stand in the activity list.
const OPERATOR: &str = "Operator";
/// Faulty rows that a refusal shows.
const MAX_ROWS_SHOWN: usize = 20;

/// What the operator may ask for about a production. Houses are named by id or, where it is unambiguous, by name.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProductionOrder {
    /// Sets a production up from a [`ProductionFile`], which follows. Repeating it brings what is there up to date.
    Open {
        /// Which house.
        house: String,
    },
    /// Imports the file that follows. The same file again changes nothing.
    Import {
        /// Which house.
        house: String,
        /// What the file is.
        kind: ImportKind,
        /// What stands beside it.
        options: ImportOptions,
        /// Whether nothing is to be written.
        dry_run: bool,
    },
    /// Removes the bytes of a file for good; what is known of it stays. Repeating it changes nothing further.
    Purge {
        /// Which house.
        house: String,
        /// SHA-256 of the bytes, in hex.
        sha256: String,
    },
}

/// What became of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProductionReply {
    /// The production is set up.
    Opened(OpenedProduction),
    /// The file is imported, or would be.
    Imported(ImportAnswer),
    /// The file is removed.
    Purged(PurgedFile),
}

/// A file that was removed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PurgedFile {
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// How many files of the production had these bytes.
    pub n_files: u32,
    /// Whether the bytes are off the disk: not while another house has the same, or somebody is sending them just now.
    pub bytes_are_gone: bool,
}

/// A production that was set up.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OpenedProduction {
    /// What it is called.
    pub title: String,
    /// Its engagements, with the numbers that keys are bound by.
    pub engagements: Vec<OpenedEngagement>,
    /// What could not be done yet, and how it can.
    pub notes: Vec<String>,
}

/// An engagement that was set up.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OpenedEngagement {
    /// What papers call it.
    pub code: String,
    /// Its number.
    pub id: u32,
    /// What the work is.
    pub title: String,
}

/// What a production is set up from: a file of JSON.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProductionFile {
    /// The production itself.
    production: PutProduction,
    #[serde(default)]
    episodes: Vec<PutEpisode>,
    #[serde(default)]
    departments: Vec<DepartmentEntry>,
    #[serde(default)]
    vendors: Vec<PutVendor>,
    #[serde(default)]
    engagements: Vec<PutEngagement>,
}

/// A department, by its slug alone or with more.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum DepartmentEntry {
    Slug(String),
    Whole(PutDepartment),
}

impl From<DepartmentEntry> for PutDepartment {
    fn from(entry: DepartmentEntry) -> Self {
        match entry {
            DepartmentEntry::Slug(slug) => PutDepartment { slug, name: None, colour: None, head: None },
            DepartmentEntry::Whole(department) => department,
        }
    }
}

/// Reads the file of so many bytes that follows an order. What comes of it when its sender goes away is no file.
///
/// # Errors
/// A sentence for the operator.
pub(super) async fn read_file(input: &mut (impl AsyncRead + Unpin), n_bytes: u64) -> Result<Bytes, String> {
    if n_bytes > u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX) {
        return Err(format!("the file is larger than {} MB", MAX_FILE_BYTES / (1024 * 1024)));
    }
    let not_whole = |why: String| format!("the file did not come whole, so nothing was done: {why}");
    let mut bytes = Vec::new();
    input.take(n_bytes).read_to_end(&mut bytes).await.map_err(|error| not_whole(error.to_string()))?;
    match u64::try_from(bytes.len()) == Ok(n_bytes) {
        true => Ok(bytes.into()),
        false => Err(not_whole(format!("{} of its {n_bytes} bytes came", bytes.len()))),
    }
}

/// Carries an order out. `progress` is told how far an import is.
pub(super) async fn perform_production(
    instance: &Instance,
    order: ProductionOrder,
    file: Bytes,
    progress: impl Fn(f64) + 'static,
) -> Result<ProductionReply, String> {
    match order {
        ProductionOrder::Open { house } => {
            let house = find_house(instance, &house).await?;
            let file = serde_json::from_slice(&file)
                .map_err(|error| format!("the file does not describe a production: {error}"))?;
            open(instance, house, file).await.map(ProductionReply::Opened)
        }
        ProductionOrder::Import { house, kind, options, dry_run } => {
            let house = find_house(instance, &house).await?;
            let writer = Writer::Person { name: OPERATOR.to_owned() };
            let order = ImportOrder { house, writer, kind, bytes: file, options, dry_run, idempotency: None };
            let written = import::run(&instance.bus, order, Deadline::after(ORDER_DEADLINE), progress)
                .await
                .map_err(|refusal| said(&refusal))?;
            let answer = serde_json::from_str(written.document.json())
                .map_err(|error| format!("the report cannot be read: {error}"))?;
            Ok(ProductionReply::Imported(answer))
        }
        ProductionOrder::Purge { house, sha256 } => {
            let house = find_house(instance, &house).await?;
            let hash: ContentHash = sha256.parse().map_err(|fault| format!("`{sha256}` names no file: {fault}"))?;
            purge(instance, house, hash).await.map(ProductionReply::Purged)
        }
    }
}

async fn purge(instance: &Instance, house: HouseId, hash: ContentHash) -> Result<PurgedFile, String> {
    let sha256 = hash.to_string();
    let step = SetUpStep::PurgeMedia { sha256: sha256.clone() };
    let n_files = set_up(instance, house, step).await.map_err(|refusal| said(&refusal))?;
    let bytes_are_gone = remove_bytes(instance, hash).await.map_err(|error| {
        format!(
            "the production says now that the file was removed, but its bytes may still be on the disk ({error}); type the command again"
        )
    })?;
    Ok(PurgedFile { sha256, n_files, bytes_are_gone })
}

/// Removes bytes that no record names any more; answers whether they are off the disk. They may have been before, or be wanted by somebody else:
/// what counts is whether they are there.
async fn remove_bytes(instance: &Instance, hash: ContentHash) -> Result<bool, String> {
    let media = instance.desk.media.clone();
    media.remove_unless_named(&instance.store, hash).await?;
    let found = tokio::task::spawn_blocking(move || media.has(hash)).await.map_err(|error| error.to_string())?;
    found.map(|is_there| !is_there).map_err(|error| error.to_string())
}

/// Has the production's activity list say what was done to a key that is bound to an engagement. The key is what it is either way: where the
/// office cannot be told, the log is.
pub(super) async fn note_key(instance: &Instance, house: HouseId, key: &KeySummary, change: KeyChange) {
    let CredentialKind::Key { engagement: Some(engagement), .. } = key.kind else { return };
    let note = NoteKey {
        by: OPERATOR.to_owned(),
        credential: key.id,
        label: key.label.clone(),
        engagement,
        scopes: key.scopes,
        change,
    };
    let noted = instance.bus.call(ProductionActor::key(house), note, Deadline::after(ORDER_DEADLINE)).await;
    if let Err(refusal) = noted.unwrap_or_else(|error| Err(error.into())) {
        tracing::warn!(%house, key = %key.id, %refusal, "what was done to a key is not in the activity list");
    }
}

async fn open(instance: &Instance, house: HouseId, file: ProductionFile) -> Result<OpenedProduction, String> {
    let ProductionFile { production, episodes, departments, vendors, engagements } = file;
    let title = production.title.clone();
    let mut steps = vec![SetUpStep::PutProduction(production)];
    steps.extend(episodes.into_iter().map(SetUpStep::PutEpisode));
    steps.extend(departments.into_iter().map(|department| SetUpStep::PutDepartment(department.into())));
    steps.extend(vendors.into_iter().map(SetUpStep::PutVendor));
    for step in steps {
        set_up(instance, house, step).await.map_err(|refusal| said(&refusal))?;
    }
    let mut opened = OpenedProduction { title, engagements: Vec::new(), notes: Vec::new() };
    for engagement in engagements {
        let (code, title) = (engagement.code.clone(), engagement.title.clone());
        let (id, note) = put_engagement(instance, house, engagement).await.map_err(|refusal| said(&refusal))?;
        opened.engagements.push(OpenedEngagement { code, id, title });
        opened.notes.extend(note);
    }
    Ok(opened)
}

/// Puts an engagement; without its reach where that names what no file has brought yet.
async fn put_engagement(
    instance: &Instance,
    house: HouseId,
    engagement: PutEngagement,
) -> Result<(u32, Option<String>), OfficeRefusal> {
    let unreached = PutEngagement { reach: None, ..engagement.clone() };
    let code = engagement.code.clone();
    let has_reach = engagement.reach.is_some();
    match set_up(instance, house, SetUpStep::PutEngagement(engagement)).await {
        Ok(id) => Ok((id, None)),
        Err(refusal) if refusal.status == 422 && has_reach => {
            let id = set_up(instance, house, SetUpStep::PutEngagement(unreached)).await?;
            let note = format!(
                "{code} reaches nothing new yet: {} Import the script and the assets, then run this again.",
                refusal.detail
            );
            Ok((id, Some(note)))
        }
        Err(refusal) => Err(refusal),
    }
}

/// Takes one step of setting a production up; answers the number of the thing.
pub(crate) async fn set_up(instance: &Instance, house: HouseId, step: SetUpStep) -> Result<u32, OfficeRefusal> {
    let order = SetUp { by: OPERATOR.to_owned(), step };
    instance.bus.call(ProductionActor::key(house), order, Deadline::after(ORDER_DEADLINE)).await?
}

/// A refusal for a terminal: the sentence, and the rows it names.
fn said(refusal: &OfficeRefusal) -> String {
    let mut text = refusal.detail.clone();
    let rows = refusal.members.get("rows").and_then(|rows| rows.as_array()).map_or(&[][..], Vec::as_slice);
    for row in rows.iter().take(MAX_ROWS_SHOWN).filter(|_| rows.len() > 1) {
        let column = row["column"].as_str().map(|column| format!(", {column}")).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  line {}{column}: {}", row["line"], row["message"].as_str().unwrap_or_default());
    }
    if rows.len() > MAX_ROWS_SHOWN {
        let _ = write!(text, "\n  and {} more", rows.len() - MAX_ROWS_SHOWN);
    }
    text
}
