//! What a household has: a handful of custom formats, and two or three profiles that make use of them.

use serde_json::{Value, json};

use super::{
    Kept, Preferences, format_rules, languages,
    profile_rules::shaped,
    qualities::{self, Known},
};
use crate::arr::kind::ArrKind;

/// A profile in few words.
struct Plan {
    /// Libraries name it by this number.
    id: u32,
    name: &'static str,
    /// Qualities by their names; a group is allowed with its first member.
    allowed: &'static [&'static str],
    /// A quality or a group, by its name.
    cutoff: &'static str,
    upgrades: bool,
    /// In the order of the formats.
    scores: &'static [i32],
    min_score: i32,
    cutoff_score: i32,
    language: i32,
    heard: bool,
}

const PLAN: Plan = Plan {
    id: 1,
    name: "",
    allowed: &[],
    cutoff: "",
    upgrades: true,
    scores: &[],
    min_score: 0,
    cutoff_score: 0,
    language: languages::ORIGINAL,
    heard: false,
};

/// Fills an application that has nothing yet.
pub(super) fn furnish(preferences: &mut Preferences) {
    let kind = preferences.kind;
    for (name, conditions) in formats(kind) {
        let sent = json!({ "name": name, "specifications": conditions });
        let id = preferences.next_format_id();
        let mut format =
            format_rules::shaped(preferences, &sent, id).unwrap_or_else(|_| panic!("{name} is a format of {kind:?}"));
        if kind == ArrKind::Chaptarr {
            format["appliesTo"] = json!("both");
        }
        preferences.enter(format);
    }
    for plan in plans(kind) {
        let value = shaped(preferences, &profile(preferences, plan), plan.id);
        preferences.profiles.push(Kept { id: plan.id, value });
    }
}

fn profile(preferences: &Preferences, plan: &Plan) -> Value {
    let kind = preferences.kind;
    let items: Vec<Value> = qualities::of(kind)
        .chunk_by(|a, b| a.group > 0 && a.group == b.group)
        .map(|chunk| item(kind, plan, chunk))
        .collect();
    let cutoff = items.iter().find_map(|item| {
        let of_group = (item["name"] == plan.cutoff).then(|| item["id"].clone());
        of_group.or_else(|| (item["quality"]["name"] == plan.cutoff).then(|| item["quality"]["id"].clone()))
    });
    let score = |at: usize| plan.scores.get(at).copied().unwrap_or(0);
    let scored =
        preferences.formats.iter().enumerate().map(|(at, kept)| json!({ "format": kept.id, "score": score(at) }));
    let mut profile = json!({ "name": plan.name, "upgradeAllowed": plan.upgrades, "cutoff": cutoff, "items": items,
        "minFormatScore": plan.min_score, "cutoffFormatScore": plan.cutoff_score, "formatItems": scored.collect::<Vec<_>>() });
    match kind {
        ArrKind::Radarr => profile["language"] = json!({ "id": plan.language }),
        ArrKind::Sonarr | ArrKind::Lidarr => {}
        ArrKind::Chaptarr => {
            profile["profileType"] = json!(if plan.heard { "audiobook" } else { "ebook" });
            profile["preferCustomFormatsOverQuality"] = json!(false);
            profile["convertMp3ToM4b"] = json!(false);
        }
    }
    if matches!(kind, ArrKind::Radarr | ArrKind::Sonarr) {
        profile["minUpgradeFormatScore"] = json!(1);
    }
    profile
}

fn item(kind: ArrKind, plan: &Plan, chunk: &[Known]) -> Value {
    let is_allowed = plan.allowed.contains(&chunk[0].name);
    let leaf = |known: &Known| {
        let mut leaf = json!({ "quality": { "id": known.id, "name": known.name }, "items": [], "allowed": is_allowed });
        if kind == ArrKind::Sonarr {
            size(known.name, &mut leaf);
        }
        leaf
    };
    match chunk {
        [known] if known.group == 0 => leaf(known),
        _ => {
            let group = chunk[0].group;
            json!({ "id": group, "name": qualities::group_name(kind, group), "allowed": is_allowed,
                "items": chunk.iter().map(leaf).collect::<Vec<_>>() })
        }
    }
}

/// Mebibytes a minute, of which any may be unset: whole numbers and others.
fn size(name: &str, leaf: &mut Value) {
    let (least, most, best) = match name {
        "Unknown" => (Some(json!(1)), Some(json!(199.9)), Some(json!(194.9))),
        "WEBDL-1080p" | "WEBRip-1080p" => (Some(json!(2)), Some(json!(137.3)), Some(json!(95))),
        "Bluray-1080p" => (Some(json!(4.3)), Some(json!(258.1)), None),
        name if name.ends_with("Remux") => (Some(json!(35)), None, None),
        name if name.contains("2160p") => (None, None, None),
        _ => (Some(json!(0)), Some(json!(100)), Some(json!(95.5))),
    };
    for (name, value) in [("minSize", least), ("maxSize", most), ("preferredSize", best)] {
        if let Some(value) = value {
            leaf[name] = value;
        }
    }
}

/// A condition with one value.
fn when(name: &str, implementation: &str, value: &Value, negate: bool, required: bool) -> Value {
    json!({ "name": name, "implementation": implementation, "negate": negate, "required": required,
        "fields": [{ "name": "value", "value": value }] })
}

fn title(name: &str, pattern: &str) -> Value {
    when(name, "ReleaseTitleSpecification", &json!(pattern), false, true)
}

fn formats(kind: ArrKind) -> Vec<(&'static str, Vec<Value>)> {
    let x265 = || {
        let not_2160p = when("Not 2160p", "ResolutionSpecification", &json!(2160), true, true);
        ("x265 (HD)", vec![title("x265 or HEVC", r"[xh][ ._-]?265|\bHEVC\b"), not_2160p])
    };
    let repack = || ("Repack/Proper", vec![title("Repack or Proper", r"\b(repack|proper)\d?\b")]);
    let english = |_: ()| when("Not English", "LanguageSpecification", &json!(1), true, false);
    match kind {
        ArrKind::Radarr => vec![
            x265(),
            ("BR-DISK", vec![when("Disk", "QualityModifierSpecification", &json!(4), false, true)]),
            ("Language: Not English", vec![english(())]),
            repack(),
            ("IMAX Enhanced", vec![when("IMAX", "EditionSpecification", &json!(r"\bIMAX\b"), false, true)]),
        ],
        ArrKind::Sonarr => vec![
            x265(),
            ("Season Pack", vec![when("Season Pack", "ReleaseTypeSpecification", &json!(3), false, true)]),
            ("Language: Not English", vec![english(())]),
            repack(),
            (
                "Scene",
                vec![
                    when("Scene", "IndexerFlagSpecification", &json!(16), false, false),
                    when("Scene Groups", "ReleaseGroupSpecification", &json!("^(GRP|REEL)$"), false, false),
                ],
            ),
        ],
        ArrKind::Lidarr => vec![
            (
                "Preferred Groups",
                vec![when("Groups", "ReleaseGroupSpecification", &json!("^(GRP|TIDE)$"), false, false)],
            ),
            ("CD", vec![title("CD", r"\bCD\b")]),
            ("WEB", vec![title("WEB", r"\bWEB\b")]),
            ("Vinyl", vec![title("Vinyl", r"\b(Vinyl|LP)\b")]),
        ],
        ArrKind::Chaptarr => vec![
            ("Retail", vec![title("Retail", r"\bretail\b")]),
            ("Unabridged", vec![title("Unabridged", r"\bunabridged\b")]),
            (
                "Large",
                vec![json!({ "name": "Large", "implementation": "SizeSpecification", "required": true,
                    "fields": [{ "name": "min", "value": 1.5 }, { "name": "max", "value": 100 }] })],
            ),
        ],
    }
}

fn plans(kind: ArrKind) -> &'static [Plan] {
    match kind {
        ArrKind::Radarr => RADARR,
        ArrKind::Sonarr => SONARR,
        ArrKind::Lidarr => LIDARR,
        ArrKind::Chaptarr => CHAPTARR,
    }
}

const SOME_FILMS: &[&str] = &[
    "SDTV",
    "DVD",
    "WEBDL-480p",
    "Bluray-480p",
    "Bluray-576p",
    "HDTV-720p",
    "WEBDL-720p",
    "Bluray-720p",
    "HDTV-1080p",
    "WEBDL-1080p",
    "Bluray-1080p",
    "Remux-1080p",
];

static RADARR: &[Plan] = &[
    // The one that scores a language: only a profile for any language may.
    Plan {
        name: "Any",
        allowed: SOME_FILMS,
        cutoff: "DVD",
        upgrades: false,
        scores: &[0, -10_000, -10_000],
        language: languages::ANY,
        ..PLAN
    },
    Plan {
        id: 4,
        name: "HD-1080p",
        allowed: &["HDTV-1080p", "WEBDL-1080p", "Bluray-1080p"],
        cutoff: "Bluray-1080p",
        scores: &[-10_000, -10_000, 0, 5, 0],
        cutoff_score: 100,
        ..PLAN
    },
    Plan {
        id: 5,
        name: "Ultra-HD",
        allowed: &["HDTV-2160p", "WEBDL-2160p", "Bluray-2160p", "Remux-2160p"],
        cutoff: "WEB 2160p",
        scores: &[0, -10_000, 0, 5, 800],
        cutoff_score: 10_000,
        language: 1,
        ..PLAN
    },
];

static SONARR: &[Plan] = &[
    Plan {
        name: "Any",
        allowed: &[
            "SDTV",
            "WEBRip-480p",
            "DVD",
            "HDTV-720p",
            "HDTV-1080p",
            "WEBRip-720p",
            "Bluray-720p",
            "WEBRip-1080p",
        ],
        cutoff: "HDTV-720p",
        upgrades: false,
        ..PLAN
    },
    Plan {
        id: 4,
        name: "HD-1080p",
        allowed: &["HDTV-1080p", "WEBRip-1080p", "Bluray-1080p"],
        cutoff: "WEB 1080p",
        scores: &[-10_000, 10, -10_000, 5, 0],
        cutoff_score: 100,
        ..PLAN
    },
    Plan {
        id: 5,
        name: "Ultra-HD",
        allowed: &["HDTV-2160p", "WEBRip-2160p", "Bluray-2160p"],
        cutoff: "Bluray-2160p",
        scores: &[0, 10, 0, 5, -50],
        ..PLAN
    },
];

static LIDARR: &[Plan] = &[
    Plan {
        name: "Any",
        allowed: &["Unknown", "MP3-8", "MP3-96", "MP3-192", "OGG Vorbis Q7", "MP3-VBR-V0", "FLAC", "WAV"],
        cutoff: "Unknown",
        upgrades: false,
        ..PLAN
    },
    Plan {
        id: 2,
        name: "Lossless",
        allowed: &["FLAC"],
        cutoff: "Lossless",
        scores: &[10, 2, 1, -5],
        min_score: 1,
        ..PLAN
    },
    Plan {
        id: 3,
        name: "Standard",
        allowed: &["MP3-192", "OGG Vorbis Q7", "MP3-VBR-V0"],
        cutoff: "Low Quality Lossy",
        ..PLAN
    },
];

static CHAPTARR: &[Plan] = &[
    Plan {
        name: "eBook",
        allowed: &["Unknown Text", "MOBI", "EPUB", "AZW3"],
        cutoff: "EPUB",
        scores: &[10, 0, 0],
        ..PLAN
    },
    Plan {
        id: 2,
        name: "Spoken",
        allowed: &["Unknown Audio", "MP3", "M4B", "FLAC"],
        cutoff: "M4B",
        upgrades: false,
        scores: &[0, 50, 0],
        heard: true,
        ..PLAN
    },
];
