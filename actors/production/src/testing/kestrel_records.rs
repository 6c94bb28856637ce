//! Kestrel's records written out, so that tests of the office do not rest on the readers of files.

use jiff::civil::date;

use crate::model::{
    Asset, AssetKind, AssetStatus, Character, DayKind, Delivery, DeliveryKind, DeliveryStatus, Draft, DraftId,
    DraftSource, EngagementId, EpisodeId, IntExt, Media, MediaKind, Milestone, MilestoneKind, NodeId, OrderStatus,
    Person, PurchaseOrder, Scene, SceneChange, SceneText, SceneVersion, ShootDay, Shot, Strip, SubjectType, VendorId,
};
use crate::office::{Changes, Office};

/// Every record that Kestrel's files bring.
pub(crate) fn put_all(office: &Office, changes: &mut Changes) {
    let episode = office.episode_numbered(101).unwrap().id;
    let (white, blue) = drafts(changes, episode);
    let [mara, tom, joan] = characters(changes);
    let scenes = [
        ("1", "EXT. SALT MARSH - DAWN", 2, false, white, vec![mara], "Flat light."),
        ("2", "INT. BOATHOUSE - DAWN", 3, false, blue, vec![tom, mara], "Mara sets the case on a bench."),
        ("3", "I/E. TOM'S LAND ROVER / MARSH ROAD - DAY (TRAVELLING)", 2, false, white, vec![tom], "Rain."),
        ("4", "INT. BOATHOUSE - NIGHT", 2, false, white, vec![mara], "The case hums."),
        ("4A", "INT. CHURCH TOWER - NIGHT", 1, false, blue, vec![joan], "JOAN PYE rings a BELL."),
        ("5", "OMITTED", 1, true, blue, vec![], ""),
        ("6", "THE CREATURE'S VIEW", 1, false, white, vec![], "The marsh, from very high."),
    ];
    let mut nodes: Vec<NodeId> = Vec::new();
    for (order, (number, heading, eighths, omitted, draft, cast, text)) in scenes.into_iter().enumerate() {
        let node_id = changes.next_id();
        let heading = heading.to_owned();
        let number = number.to_owned();
        let version = |draft_id, change| SceneVersion {
            draft_id,
            node_id,
            change,
            number: number.clone(),
            heading: heading.clone(),
            page_eighths: Some(eighths),
            characters: cast.clone(),
        };
        if number != "4A" {
            changes.put(version(white, SceneChange::Added));
        }
        match number.as_str() {
            "4A" => changes.put(version(blue, SceneChange::Added)),
            "2" => changes.put(version(blue, SceneChange::Revised)),
            "5" => changes.put(version(blue, SceneChange::Omitted)),
            _ => {}
        }
        changes.put(SceneText { draft_id: draft, node_id, text: text.to_owned() });
        changes.put(Scene {
            node_id,
            episode_id: Some(episode),
            number,
            int_ext: heading.starts_with("INT").then_some(IntExt::Interior),
            set_name: None,
            time_of_day: None,
            heading,
            page_eighths: Some(eighths),
            eighths_estimated: true,
            script_order: u32::try_from(order).unwrap(),
            synopsis: None,
            omitted,
            draft_id: Some(draft),
            colour: Some(if draft == white { "white" } else { "blue" }.to_owned()),
            characters: cast,
        });
        nodes.push(node_id);
    }
    let northlight = office.engagement_coded("NLT-101").unwrap();
    let tideline = office.engagement_coded("TID-101").unwrap();
    assets(changes, &nodes, northlight.id, mara);
    schedule(changes, &nodes, episode);
    people(changes, northlight.vendor);
    deliveries(changes, &nodes, episode, northlight.id, tideline.id);
    orders(changes, (northlight.vendor, northlight.id), (tideline.vendor, tideline.id));
}

fn drafts(changes: &mut Changes, episode: EpisodeId) -> (DraftId, DraftId) {
    let mut draft = |colour: &str, dated| {
        let id = changes.next_id();
        changes.put(Draft {
            id,
            episode_id: Some(episode),
            colour: colour.to_owned(),
            label: None,
            dated: Some(dated),
            imported_at: changes.at(),
            source: DraftSource::Fountain,
            sha256: colour.repeat(8),
            approved: false,
        });
        id
    };
    (draft("white", date(2026, 9, 1)), draft("blue", date(2026, 9, 15)))
}

fn characters(changes: &mut Changes) -> [NodeId; 3] {
    [("MARA", Some("A. Novak")), ("TOM", Some("R. Lee")), ("JOAN", None)].map(|(name, actor)| {
        let node_id = changes.next_id();
        changes.put(Character {
            node_id,
            name: name.to_owned(),
            cast_number: None,
            actor: actor.map(str::to_owned),
            description: None,
        });
        node_id
    })
}

fn assets(changes: &mut Changes, scenes: &[NodeId], northlight: EngagementId, mara: NodeId) {
    use AssetKind::{Costume, Prop, Vehicle, Vfx};
    use AssetStatus::{Approved, InProgress, Planned};
    let rows = [
        ("metal-case", "Metal case", Prop, "props", InProgress, vec![0, 1, 3]),
        ("sledge", "Sledge", Prop, "props", Approved, vec![0, 5]),
        ("outboard", "Outboard motor", Prop, "props", Approved, vec![1]),
        ("creature", "The creature", Vfx, "vfx", InProgress, vec![2, 6]),
        ("land-rover", "Tom's Land Rover", Vehicle, "props", Approved, vec![2]),
        ("waders", "Mara's waders", Costume, "costume", Planned, vec![0]),
    ];
    for (code, name, kind, department, status, places) in rows {
        let node_id = changes.next_id();
        let at = changes.at();
        changes.put(Asset {
            node_id,
            code: code.to_owned(),
            name: name.to_owned(),
            kind,
            department: Some(department.to_owned()),
            status,
            description: None,
            engagement_id: (code == "creature").then_some(northlight),
            scenes: places.into_iter().map(|place: usize| scenes[place]).collect(),
            characters: if code == "waders" { vec![mara] } else { Vec::new() },
            created_at: at,
            updated_at: at,
        });
    }
}

fn schedule(changes: &mut Changes, scenes: &[NodeId], episode: EpisodeId) {
    let strip = |place: usize, part| Strip { node_id: scenes[place], part, page_eighths: part.then_some(1) };
    let days = [
        (Some(1), date(2026, 10, 5), "main", DayKind::Shoot, Some("Salt marsh (north)"), vec![strip(0, false)]),
        (
            Some(2),
            date(2026, 10, 6),
            "main",
            DayKind::Shoot,
            Some("Boathouse stage"),
            vec![strip(1, false), strip(3, true)],
        ),
        (Some(3), date(2026, 10, 7), "main", DayKind::Shoot, Some("Boathouse stage"), vec![strip(3, false)]),
        (Some(4), date(2026, 10, 8), "second", DayKind::Shoot, Some("Marsh road"), vec![strip(2, false)]),
        (None, date(2026, 10, 9), "main", DayKind::Off, None, vec![]),
    ];
    for (day_number, date, unit, kind, location, strips) in days {
        let id = changes.next_id();
        changes.put(ShootDay {
            id,
            day_number,
            date,
            unit: unit.to_owned(),
            kind,
            call_time: day_number.map(|_| "08:00".to_owned()),
            location: location.map(str::to_owned),
            note: None,
            strips,
        });
    }
    let id = changes.next_id();
    let name = "Turnover 101".to_owned();
    let kind = MilestoneKind::Turnover;
    changes.put(Milestone { id, name, kind, date: date(2026, 10, 20), episode_id: Some(episode) });
}

fn people(changes: &mut Changes, northlight: VendorId) {
    let rows = [
        ("Ade Bright", "VFX producer", "vfx", None),
        ("Noor Haddad", "VFX supervisor", "vfx", Some(northlight)),
        ("Sam Okoye", "Props master", "props", None),
    ];
    for (name, role, department, vendor) in rows {
        let id = changes.next_id();
        changes.put(Person {
            id,
            name: name.to_owned(),
            role: Some(role.to_owned()),
            department: Some(department.to_owned()),
            vendor,
            email: Some(format!("{}@example.test", name.split(' ').next().unwrap().to_lowercase())),
            phone: Some("+44 20 7946 0000".to_owned()),
        });
    }
}

fn deliveries(
    changes: &mut Changes,
    scenes: &[NodeId],
    episode: EpisodeId,
    northlight: EngagementId,
    tideline: EngagementId,
) {
    let package = changes.next_id();
    let rows = [
        (
            "TO-101-01",
            "Creature turnover 101",
            DeliveryKind::Turnover,
            DeliveryStatus::Open,
            Some(northlight),
            date(2026, 10, 20),
        ),
        (
            "TO-101-02",
            "Sound turnover 101",
            DeliveryKind::Turnover,
            DeliveryStatus::Open,
            Some(tideline),
            date(2026, 10, 22),
        ),
        ("MST-101", "Master 101", DeliveryKind::Master, DeliveryStatus::Planned, None, date(2026, 12, 18)),
    ];
    for (code, title, kind, status, engagement_id, due_on) in rows {
        let id = changes.next_id();
        changes.put(Delivery {
            id,
            code: code.to_owned(),
            title: title.to_owned(),
            kind,
            status,
            episode_id: Some(episode),
            engagement_id,
            due_on: Some(due_on),
            spec: None,
            package: if code == "TO-101-01" { vec![package] } else { Vec::new() },
            accepted_submission_id: None,
        });
        if code == "TO-101-01" {
            let shots = [("KST_101_003_0010", 2, 75), ("KST_101_003_0020", 2, 62), ("KST_101_006_0010", 6, 100)];
            for (position, (code, place, n_frames)) in (0u32..).zip(shots) {
                let code = code.to_owned();
                let scene = Some(scenes[place]);
                let (frame_in, frame_out) = (1001, 1000 + n_frames);
                changes.put(Shot {
                    delivery_id: id,
                    position,
                    code,
                    scene,
                    frame_in,
                    frame_out,
                    handles: 8,
                    note: None,
                });
            }
        }
    }
    changes.put(Media {
        id: package,
        filename: "KST_101_CUT_V03.edl".to_owned(),
        content_type: "text/plain".to_owned(),
        size_bytes: 491,
        sha256: "ed".repeat(32),
        kind: MediaKind::Package,
        created_at: changes.at(),
        linked: vec![crate::model::Link { subject_type: SubjectType::Delivery, id: 1 }],
        shared_with: Vec::new(),
        purged: false,
    });
}

fn orders(changes: &mut Changes, northlight: (VendorId, EngagementId), tideline: (VendorId, EngagementId)) {
    let rows = [
        ("PO-1001", northlight.0, Some(northlight.1), "vfx", OrderStatus::Approved, 4_850_000, "Creature, 3 shots"),
        ("PO-1002", tideline.0, Some(tideline.1), "sound", OrderStatus::Approved, 920_000, "Sound edit 101"),
        ("PO-1003", northlight.0, None, "vfx", OrderStatus::PendingApproval, 300_000, "Test not tied to an engagement"),
    ];
    for (number, vendor, engagement_id, department, status, total_minor, description) in rows {
        let id = changes.next_id();
        changes.put(PurchaseOrder {
            id,
            number: number.to_owned(),
            vendor,
            engagement_id,
            department: Some(department.to_owned()),
            description: Some(description.to_owned()),
            status,
            currency: "GBP".to_owned(),
            total_minor,
            invoiced_minor: 0,
            paid_minor: 0,
            issued_on: Some(date(2026, 9, 20)),
            budget_code: Some("4420".to_owned()),
            approved_by: Some("Ade Bright".to_owned()),
            internal_note: None,
            lines: Vec::new(),
        });
    }
}
