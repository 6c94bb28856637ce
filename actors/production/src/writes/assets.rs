//! `POST /assets`.

use playhouse_house::Scope;

use super::desk::{Desk, subject};
use crate::messages::{Document, FieldError, NewAsset, OfficeRefusal, Written};
use crate::model::{Asset, AssetKind, AssetStatus, EngagementId, EpisodeId, NodeId, SubjectType, Verb, Words};
use crate::office::{Numbered, Office, SceneNumbers};
use crate::reads::{AssetDetail, id, slug};

const MOST_NAME_CHARS: usize = 200;
const MOST_CODE_CHARS: usize = 100;
const MOST_DESCRIPTION_CHARS: usize = 4_000;
/// Scenes of one body. A longer breakdown comes as a table.
const MOST_SCENES: usize = 500;

/// Adds an asset.
pub(crate) fn create_asset(desk: &mut Desk<'_>, new: &NewAsset) -> Result<Written, OfficeRefusal> {
    desk.require_wide(Scope::Write)?;
    let office = desk.office;
    let mut faults = Faults::default();
    let name = new.name.trim();
    faults.check("name", (1..=MOST_NAME_CHARS).contains(&name.chars().count()), || {
        format!("name must be 1 to {MOST_NAME_CHARS} characters.")
    });
    let kind = faults.word::<AssetKind>("kind", Some(&new.kind));
    faults.check("department", office.departments.get(&new.department).is_some(), || {
        OfficeRefusal::unknown_department(&new.department).detail
    });
    let code = new.code.clone().unwrap_or_else(|| slug(name));
    let is_code = |code: &str| {
        let fits = (1..=MOST_CODE_CHARS).contains(&code.chars().count());
        fits && code.chars().all(|it| it.is_alphanumeric() || matches!(it, '-' | '_' | '.'))
    };
    faults.check("code", is_code(&code), || {
        format!("code must be 1 to {MOST_CODE_CHARS} letters, digits, hyphens, dots and underscores.")
    });
    let status = faults.word::<AssetStatus>("status", new.status.as_deref()).unwrap_or(AssetStatus::Planned);
    let description = new.description.as_deref().map(str::trim).filter(|text| !text.is_empty());
    faults.check("description", description.is_none_or(|it| it.chars().count() <= MOST_DESCRIPTION_CHARS), || {
        format!("description must be at most {MOST_DESCRIPTION_CHARS} characters.")
    });
    let numbers = new.scenes.as_deref().unwrap_or_default();
    faults.check("scenes", numbers.len() <= MOST_SCENES, || {
        format!("scenes may name at most {MOST_SCENES} scenes; import a table for more.")
    });
    let episode = new.episode_id.map(|number| {
        let known = id::<EpisodeId>(number).filter(|id| office.episodes.get(id).is_some());
        known.ok_or_else(|| OfficeRefusal::not_found("Episode"))
    });
    let episode = episode.transpose();
    let known = SceneNumbers::of(office);
    let mut scenes = Vec::new();
    for number in numbers.iter().take(MOST_SCENES) {
        // An episode that is not there is refused further down, where its turn is.
        match known.find(number, episode.as_ref().ok().copied().flatten()) {
            Numbered::One(scene) => scenes.push(scene.node_id),
            Numbered::Nothing => faults.add("scenes", format!("Unknown scene '{number}'.")),
            Numbered::Several => {
                let help = "name the one meant with episode_id";
                faults.add("scenes", format!("Scene '{number}' is in several episodes; {help}."));
            }
        }
    }
    // In no order: answers sort them by the script.
    scenes.sort_unstable();
    scenes.dedup();
    let kind = faults.into_result(kind)?;
    episode?;
    let engagement_id = match new.engagement_id {
        None => None,
        Some(number) => {
            let known = id::<EngagementId>(number).filter(|id| office.engagements.get(id).is_some());
            Some(known.ok_or_else(|| OfficeRefusal::not_found("Engagement"))?)
        }
    };
    desk.open_production()?;
    if let Some(taken) = office.asset_coded(&code) {
        let refusal = OfficeRefusal::conflict(format!("An asset with code '{code}' already exists."));
        return Err(refusal.with("node_id", taken.node_id.0));
    }
    let at = desk.changes.at();
    let asset = Asset {
        node_id: desk.changes.next_id(),
        code,
        name: name.to_owned(),
        kind,
        department: Some(new.department.clone()),
        status,
        description: description.map(str::to_owned),
        engagement_id,
        scenes,
        characters: Vec::new(),
        created_at: at,
        updated_at: at,
    };
    let about = subject(SubjectType::Asset, asset.node_id.0, &asset.name);
    let department = asset.department.as_deref().unwrap_or_default();
    desk.record(Verb::AssetCreated, about, format!("{kind} {} added to {department}", asset.code));
    let document = Document::of(&AssetDetail::of(&desk.view(), &asset))?;
    let location = Some(format!("/assets/{}", asset.node_id));
    desk.changes.put(asset);
    Ok(Written { document, status: 201, location, replayed: false })
}

/// What is wrong with the fields of a body, in order.
#[derive(Default)]
struct Faults(Vec<FieldError>);

impl Faults {
    fn add(&mut self, field: &str, message: String) {
        self.0.push(FieldError::new(field, message));
    }

    fn check(&mut self, field: &str, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.add(field, message());
        }
    }

    fn word<W: Words>(&mut self, field: &str, text: Option<&str>) -> Option<W> {
        let text = text?;
        let word = W::named(text);
        self.check(field, word.is_some(), || OfficeRefusal::unknown_word::<W>(field, text).detail);
        word
    }

    /// The value, if nothing at all is wrong.
    fn into_result<T>(self, value: Option<T>) -> Result<T, OfficeRefusal> {
        value.filter(|_| self.0.is_empty()).ok_or_else(|| OfficeRefusal::fields(&self.0))
    }
}

/// Whether a node is one of the office, as an id of a path.
pub(super) fn known_node(office: &Office, number: i64) -> Result<NodeId, OfficeRefusal> {
    let node = id::<NodeId>(number).filter(|node| office.has_node(*node));
    node.ok_or_else(|| OfficeRefusal::not_found("Asset"))
}
