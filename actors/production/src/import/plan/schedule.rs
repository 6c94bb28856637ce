//! A shooting schedule: it replaces the days from its first date on, and leaves those before as they are.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::civil::Date;
use serde_json::json;

use super::super::ImportFault;
use super::super::table::{Column, date, read_table, time};
use super::rows::{Fields, Names, name, shown, text, word};
use super::{Desk, many};
use crate::messages::ImportPlan;
use crate::model::{DayKind, EntityKey, ShootDay, Strip, SubjectType, Verb};

const COLUMNS: [Column; 8] = [
    Column::optional("day_number"),
    Column::needed("date"),
    Column::optional("unit"),
    Column::optional("kind"),
    Column::optional("call_time"),
    Column::optional("location"),
    Column::optional("scenes"),
    Column::optional("note"),
];

pub(super) fn plan(mut desk: Desk<'_>, bytes: &[u8]) -> Result<ImportPlan, ImportFault> {
    let table = read_table(bytes, &COLUMNS)?;
    let names = Names::of(desk.office, desk.episode()?.map(|episode| episode.id));
    // A day is known by its date and unit: it keeps its id as long as it stays in the schedule.
    let known: HashMap<(Date, &str), &ShootDay> =
        desk.office.days().iter().map(|day| ((day.date, day.unit.as_str()), day)).collect();
    let (mut faults, mut rows) = (Vec::new(), BTreeMap::new());
    let mut omitted_scenes = Vec::new();
    for row in &table.rows {
        let mut fields = Fields::of(row, &mut faults);
        let day_date = fields.needed("date", None, date);
        let unit = fields.optional("unit", Some("main".to_owned()), name).unwrap_or_else(|| "main".to_owned());
        let kind = fields.needed("kind", Some(DayKind::Shoot), |cell| word::<DayKind>("kind", cell));
        let day_number = fields.optional("day_number", None, |cell| {
            cell.parse::<u32>().map_err(|_| format!("'{}' is no day number", shown(cell)))
        });
        let call_time = fields.optional("call_time", None, time);
        let location = fields.optional("location", None, name);
        let note = fields.optional("note", None, text);
        let scenes = fields.list("scenes", Vec::new(), |cell| names.scenes(cell));
        if let Some(kind) = kind.filter(|kind| *kind != DayKind::Shoot && !scenes.is_empty()) {
            fields.fault("scenes", format!("a day of the kind '{kind}' has no scenes"));
        }
        let (Some(day_date), Some(kind), true) = (day_date, kind, fields.is_sound()) else { continue };
        if let Some((first, _)) = rows.get(&(day_date, unit.clone())) {
            fields.fault("date", format!("{day_date}, unit {unit}, stands in row {first} already"));
            continue;
        }
        let strips: Vec<Strip> =
            scenes.into_iter().map(|(node_id, part)| Strip { node_id, part, page_eighths: None }).collect();
        for strip in &strips {
            if let Some(scene) = desk.office.scenes().get(&strip.node_id).filter(|scene| scene.omitted) {
                omitted_scenes.push((row.line, format!("scene {} is omitted in the newest draft.", scene.number)));
            }
        }
        let old = known.get(&(day_date, unit.as_str())).copied();
        let id = old.map_or_else(|| desk.changes.next_id(), |day| day.id);
        let day =
            ShootDay { id, day_number, date: day_date, unit: unit.clone(), kind, call_time, location, note, strips };
        rows.insert((day_date, unit), (row.number, (old, day)));
    }
    ImportFault::unless_sound(faults)?;
    let Some(((first, _), _)) = rows.first_key_value() else {
        return Err(ImportFault::general("The table has no days; an empty one would clear nothing."));
    };
    let first = *first;
    desk.warn_all(table.warnings);
    omitted_scenes.into_iter().for_each(|(line, message)| desk.warn(line, message));

    let kept: HashSet<_> = rows.values().map(|(_, (_, day))| day.id).collect();
    for (_, (old, day)) in rows.into_values() {
        let said = |change: &str| json!({ "change": change, "id": day.id, "date": day.date, "unit": day.unit });
        match old {
            Some(old) if *old == day => {
                desk.unchanged();
                continue;
            }
            Some(_) => desk.updated(said("updated")),
            None => desk.added(said("added")),
        }
        desk.changes.put(day);
    }
    for day in desk.office.days().iter().filter(|day| day.date >= first && !kept.contains(&day.id)) {
        desk.changes.remove(EntityKey::ShootDay(day.id));
        desk.omitted(json!({ "change": "removed", "id": day.id, "date": day.date, "unit": day.unit }));
    }
    let what = format!("schedule from {first} on");
    Ok(desk.finish(Verb::ScheduleImported, many(SubjectType::Schedule, "Schedule"), &what))
}
