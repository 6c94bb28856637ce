//! Kestrel, the production that comes with the program: two episodes, two drafts of one, a breakdown, a stripboard, two vendors. The demo
//! shows it, and tests walk about in it.

use jiff::civil::{Date, date};
use serde::Deserialize;

use crate::messages::{PutDepartment, PutEngagement, PutEpisode, PutProduction, PutVendor, SetUpStep};
use crate::model::{DeliverySpec, EpisodeStatus, ImportKind};

/// All of Kestrel, in the order in which it goes in: [`before`](Kestrel::before), then the files, then [`after`](Kestrel::after), as an
/// engagement's reach names scenes and assets that the files bring.
#[derive(Debug, Clone)]
pub struct Kestrel {
    /// The production, its episodes, departments, vendors and engagements.
    pub before: Vec<SetUpStep>,
    /// What is imported, in order.
    pub files: Vec<KestrelFile>,
    /// What the engagements reach, and how the creature's shots are to be named.
    pub after: Vec<SetUpStep>,
}

/// One file of Kestrel and how it is imported.
#[derive(Debug, Clone, Copy)]
pub struct KestrelFile {
    /// What it is.
    pub kind: ImportKind,
    /// What it is called.
    pub filename: &'static str,
    /// What is in it.
    pub bytes: &'static [u8],
    /// Number of the episode it is of, for scripts.
    pub episode: Option<u32>,
    /// Colour of the pages, for scripts.
    pub colour: Option<&'static str>,
    /// The day on the title page, for scripts.
    pub dated: Option<Date>,
    /// Code of the delivery it fills, for cuts.
    pub delivery: Option<&'static str>,
}

/// `production.json`, as it is written.
#[derive(Deserialize)]
struct ProductionFile {
    production: PutProduction,
    episodes: Vec<PutEpisode>,
    departments: Vec<String>,
    vendors: Vec<PutVendor>,
    engagements: Vec<PutEngagement>,
}

/// Reads Kestrel from the files that are built in.
///
/// # Errors
/// What serde says about `production.json`; a test holds that it has nothing to say.
pub fn kestrel() -> Result<Kestrel, serde_json::Error> {
    let file: ProductionFile = serde_json::from_slice(include_bytes!("../fixtures/kestrel/production.json"))?;
    let mut before = vec![SetUpStep::PutProduction(PutProduction {
        start_date: Some(date(2026, 8, 31)),
        wrap_date: Some(date(2026, 11, 27)),
        ..file.production
    })];
    before.extend(file.episodes.into_iter().map(|episode| {
        let status = (episode.number == 101).then_some(EpisodeStatus::Shooting);
        SetUpStep::PutEpisode(PutEpisode { status: episode.status.or(status), ..episode })
    }));
    let department = |slug| PutDepartment { slug, name: None, colour: None, head: None };
    before.extend(file.departments.into_iter().map(department).map(SetUpStep::PutDepartment));
    before.extend(file.vendors.into_iter().map(SetUpStep::PutVendor));
    let unreached = |engagement: &PutEngagement| PutEngagement { reach: None, ..engagement.clone() };
    before.extend(file.engagements.iter().map(unreached).map(SetUpStep::PutEngagement));
    let mut after: Vec<_> = file.engagements.into_iter().map(SetUpStep::PutEngagement).collect();
    after.push(SetUpStep::SetDeliverySpec {
        code: "TO-101-01".to_owned(),
        spec: DeliverySpec {
            naming: Some("{code}_comp_{vendor}_v{version:3}".to_owned()),
            container: Some("mov".to_owned()),
            fps: Some("25".to_owned()),
            note: Some("plates are log".to_owned()),
        },
    });
    after.push(SetUpStep::PutDepartment(PutDepartment {
        slug: "vfx".to_owned(),
        name: None,
        colour: None,
        head: Some("Ade Bright".to_owned()),
    }));
    Ok(Kestrel { before, files: files(), after })
}

macro_rules! file {
    ($kind:ident, $name:literal) => {
        KestrelFile {
            kind: ImportKind::$kind,
            filename: $name,
            bytes: include_bytes!(concat!("../fixtures/kestrel/", $name)),
            episode: None,
            colour: None,
            dated: None,
            delivery: None,
        }
    };
}

fn files() -> Vec<KestrelFile> {
    let draft =
        |file, colour, dated| KestrelFile { episode: Some(101), colour: Some(colour), dated: Some(dated), ..file };
    vec![
        draft(file!(Script, "101-white.fountain"), "white", date(2026, 9, 1)),
        draft(file!(Script, "101-blue.fountain"), "blue", date(2026, 9, 15)),
        file!(People, "people.csv"),
        file!(Assets, "assets.csv"),
        file!(Schedule, "schedule.csv"),
        file!(Deliveries, "deliveries.csv"),
        file!(PurchaseOrders, "purchase-orders.csv"),
        KestrelFile { delivery: Some("TO-101-01"), ..file!(Cut, "101-cut-v03.edl") },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kestrel_is_read_whole() {
        let kestrel = kestrel().unwrap();
        assert_eq!((kestrel.before.len(), kestrel.files.len(), kestrel.after.len()), (1 + 2 + 6 + 2 + 2, 8, 4));
    }
}
