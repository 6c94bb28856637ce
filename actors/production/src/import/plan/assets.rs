//! A table of assets: new ones by a new code, known ones brought up to date.

use std::collections::HashMap;

use serde_json::json;

use super::super::ImportFault;
use super::super::table::{Column, read_table};
use super::rows::{Fields, Names, name, text, word};
use super::{Desk, many};
use crate::messages::ImportPlan;
use crate::model::{Asset, AssetKind, AssetStatus, SubjectType, Verb};

const COLUMNS: [Column; 8] = [
    Column::needed("code"),
    Column::optional("name"),
    Column::optional("kind"),
    Column::optional("department"),
    Column::optional("status"),
    Column::optional("scenes"),
    Column::optional("engagement"),
    Column::optional("description"),
];

pub(super) fn plan(mut desk: Desk<'_>, bytes: &[u8]) -> Result<ImportPlan, ImportFault> {
    let table = read_table(bytes, &COLUMNS)?;
    let names = Names::of(desk.office, desk.episode()?.map(|episode| episode.id));
    let (mut faults, mut seen) = (Vec::new(), HashMap::new());
    for row in &table.rows {
        let mut fields = Fields::of(row, &mut faults);
        let Some(code) = fields.needed("code", None, name) else { continue };
        if let Some(first) = seen.insert(code.clone(), row.number) {
            fields.fault("code", format!("code '{code}' stands in row {first} already"));
        }
        let known = desk.office.asset_coded(&code);
        let title = fields.needed("name", known.map(|asset| asset.name.clone()), name);
        let kind = fields.needed("kind", known.map(|asset| asset.kind), |cell| match word("kind", cell)? {
            AssetKind::Character => Err("a character comes from the script, not from a table".to_owned()),
            kind => Ok(kind),
        });
        let old_status = known.map_or(AssetStatus::Planned, |asset| asset.status);
        let status = fields.needed("status", Some(old_status), |cell| {
            let status: AssetStatus = word("status", cell)?;
            if old_status.may_become(status) {
                Ok(status)
            } else {
                Err(format!("status cannot go from {old_status} to {status}"))
            }
        });
        let department = fields
            .optional("department", known.and_then(|asset| asset.department.clone()), |cell| names.department(cell));
        let engagement_id = fields
            .optional("engagement", known.and_then(|asset| asset.engagement_id), |cell| Ok(names.engagement(cell)?.0));
        let description = fields.optional("description", known.and_then(|asset| asset.description.clone()), text);
        let scenes = fields.list("scenes", known.map(|asset| asset.scenes.clone()).unwrap_or_default(), |cell| {
            Ok(names.scenes(cell)?.into_iter().map(|(node, _)| node).collect())
        });
        let sound = fields.is_sound();
        let (Some(title), Some(kind), Some(status), true) = (title, kind, status, sound) else { continue };

        let at = desk.changes.at();
        let node_id = known.map_or_else(|| desk.changes.next_id(), |asset| asset.node_id);
        let mut asset = Asset {
            node_id,
            code: code.clone(),
            name: title,
            kind,
            department,
            status,
            description,
            engagement_id,
            scenes,
            characters: known.map(|asset| asset.characters.clone()).unwrap_or_default(),
            created_at: known.map_or(at, |asset| asset.created_at),
            updated_at: known.map_or(at, |asset| asset.updated_at),
        };
        match known {
            Some(known) if same(known, &asset) => desk.unchanged(),
            Some(_) => {
                asset.updated_at = at;
                desk.changes.put(asset);
                desk.updated(json!({ "change": "updated", "node_id": node_id, "code": code }));
            }
            None => {
                desk.changes.put(asset);
                desk.added(json!({ "change": "added", "node_id": node_id, "code": code }));
            }
        }
    }
    ImportFault::unless_sound(faults)?;
    desk.warn_all(table.warnings);
    let verb = if desk.report.added > 0 { Verb::AssetCreated } else { Verb::AssetUpdated };
    Ok(desk.finish(verb, many(SubjectType::Asset, "Assets"), "assets imported"))
}

/// Whether nothing would change. The order of scenes says nothing.
fn same(known: &Asset, asset: &Asset) -> bool {
    let sorted = |asset: &Asset| {
        let mut asset = asset.clone();
        asset.scenes.sort();
        asset
    };
    sorted(known) == sorted(asset)
}
