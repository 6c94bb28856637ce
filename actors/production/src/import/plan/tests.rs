//! What files change, on the demo show: the white draft, the blue one, the tables, the cut.

use serde_json::{Value, json};

use super::*;
use crate::model::{
    Department, Engagement, EngagementStatus, Episode, EpisodeId, EpisodeStatus, ProductionStatus, ScriptAccess,
    Vendor, VendorId,
};

mod scripts;
mod tables;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/kestrel");

fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{FIXTURES}/{name}")).unwrap()
}

/// A production being imported into.
struct Show {
    office: Office,
    options: ImportOptions,
}

impl Show {
    /// The Kestrel show as `production.json` has it: one production, two episodes, six departments, two vendors, two engagements.
    fn kestrel() -> Self {
        let mut office = Office::default();
        let mut changes = Changes::upon(&office, now());
        changes.put(production(ProductionKind::Series));
        for (number, title) in [(101, "Landfall"), (102, "Slack Water")] {
            let id: EpisodeId = changes.next_id();
            changes.put(Episode { id, number, title: title.into(), status: EpisodeStatus::Planned });
        }
        for slug in ["art", "costume", "props", "vfx", "sound", "editorial"] {
            changes.put(Department { slug: slug.into(), name: slug.into(), colour: None, head: None });
        }
        for (code, name) in [("NLT", "Northlight"), ("TID", "Tideline Sound")] {
            let id: VendorId = changes.next_id();
            changes.put(Vendor { id, code: code.into(), name: name.into() });
            let code = format!("{code}-101");
            changes.put(Engagement {
                id: crate::model::EngagementId(id.0),
                code,
                title: "work".into(),
                vendor: id,
                status: EngagementStatus::Active,
                department: None,
                starts_on: None,
                ends_on: None,
                script_access: ScriptAccess::Text,
                assigned: Vec::new(),
            });
        }
        office.apply(changes);
        Self {
            office,
            options: ImportOptions { episode: Some(EpisodeChoice::Number(101)), ..ImportOptions::default() },
        }
    }

    /// The same show as a film: no episodes.
    fn film() -> Self {
        let mut office = Office::default();
        let mut changes = Changes::upon(&office, now());
        changes.put(production(ProductionKind::Film));
        office.apply(changes);
        Self { office, options: ImportOptions::default() }
    }

    fn plan(&self, kind: ImportKind, bytes: &[u8]) -> Result<ImportPlan, ImportFault> {
        plan(kind, bytes, &self.options, &self.office, now())
    }

    /// Plans and writes.
    fn import(&mut self, kind: ImportKind, bytes: &[u8]) -> ImportReport {
        let plan = self.plan(kind, bytes).unwrap_or_else(|fault| panic!("{fault}"));
        if !plan.changes.is_empty() {
            self.office.apply(plan.changes);
        }
        plan.report
    }

    fn script(&mut self, text: &str) -> ImportReport {
        self.import(ImportKind::Script, text.as_bytes())
    }

    fn refused(&self, kind: ImportKind, text: &str) -> ImportFault {
        match self.plan(kind, text.as_bytes()) {
            Err(fault) => fault,
            Ok(plan) => panic!("taken: {:?}", plan.report),
        }
    }

    fn scene(&self, number: &str) -> &crate::model::Scene {
        self.office.script().find(|scene| scene.number == number).unwrap_or_else(|| panic!("no scene {number}"))
    }

    fn asset(&self, code: &str) -> &crate::model::Asset {
        self.office.asset_coded(code).unwrap_or_else(|| panic!("no asset {code}"))
    }
}

fn production(kind: ProductionKind) -> Production {
    Production {
        id: 1,
        title: "Kestrel".into(),
        code: "KST".into(),
        kind,
        status: ProductionStatus::Shooting,
        timezone: "Europe/London".into(),
        currency: "GBP".into(),
        fps: "25".into(),
        start_date: None,
        wrap_date: None,
        four_eyes: false,
    }
}

fn now() -> Timestamp {
    "2026-10-02T09:00:00Z".parse().unwrap()
}

/// Added, updated, omitted, unchanged.
fn counts(report: &ImportReport) -> [u32; 4] {
    [report.added, report.updated, report.omitted, report.unchanged]
}

/// One member of each change, in order.
fn each<'a>(report: &'a ImportReport, member: &str) -> Vec<&'a Value> {
    report.changes.iter().map(|change| &change[member]).collect()
}

/// Number and change of each change of a script, in order.
fn changed(report: &ImportReport) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    report.changes.iter().map(|change| (text(&change["number"]), text(&change["change"]))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(number, change)| ((*number).to_owned(), (*change).to_owned())).collect()
}

#[test]
fn a_house_without_a_production_is_told_so() {
    let show = Show { office: Office::default(), options: ImportOptions::default() };
    assert_eq!(show.refused(ImportKind::People, "name\nA\n").status(), 404);
}

#[test]
fn a_plan_says_its_counts_in_the_activity_list_and_no_amount() {
    let mut show = Show::kestrel();
    let plan = show.plan(ImportKind::Script, &file("101-white.fountain")).unwrap();
    assert_eq!(plan.activity.summary, "white draft: 6 added, 0 updated, 0 unchanged");
    assert_eq!(plan.activity.subject.title, "101 Landfall, white");
    show.import(ImportKind::Script, &file("101-white.fountain"));
    let orders = show.plan(ImportKind::PurchaseOrders, &file("purchase-orders.csv")).unwrap();
    let told = format!("{:?} {}", orders.activity, json!(orders.report));
    assert!(!told.contains("48500") && !told.contains("4850000"), "{told}");
}
