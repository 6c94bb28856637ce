//! The readers against whole files: our own show in two drafts, and a full-length episode with counts that two other readers agree on.
//!
//! The full-length episode is share-alike and no part of this repository: `production-fixtures` is looked for below the folder that
//! `PLAYHOUSE_SHARED` names, or below `shared` beside the repository. Said loudly when it is not there.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use playhouse_production::import::cut::{ShotPattern, read_edl, read_otio};
use playhouse_production::import::{ElementKind, ParsedScript, read_fdx, read_fountain};
use serde_json::Value;

fn kestrel(name: &str) -> Vec<u8> {
    std::fs::read(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/kestrel")).join(name)).unwrap()
}

/// A file of `production-fixtures`; `None`, said loudly, when it is not there.
fn shared(name: &str) -> Option<Vec<u8>> {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let folder = std::env::var_os("PLAYHOUSE_SHARED").map_or_else(beside, PathBuf::from);
    let path = folder.join("production-fixtures").join(name);
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        // Not by `eprintln!`: the test harness swallows that when the test passes.
        let _ = writeln!(std::io::stderr(), "NOT TESTED: {} is not there (see PLAYHOUSE_SHARED)", path.display());
    }
    bytes
}

/// How many blocks of dialogue each name has.
fn speakers(script: &ParsedScript) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for element in script.scenes.iter().flat_map(|scene| &scene.elements).chain(&script.preamble) {
        if let ElementKind::Cue { name, .. } = &element.kind {
            *counts.entry(name.to_uppercase()).or_default() += 1;
        }
    }
    counts
}

fn numbers(script: &ParsedScript) -> Vec<&str> {
    script.scenes.iter().filter_map(|scene| scene.number.as_deref()).collect()
}

fn n_of(script: &ParsedScript, is: impl Fn(&ElementKind) -> bool) -> usize {
    script
        .scenes
        .iter()
        .flat_map(|scene| &scene.elements)
        .chain(&script.preamble)
        .filter(|element| is(&element.kind))
        .count()
}

#[test]
fn every_count_of_the_expected_ones_is_reached() {
    let Some(expected) = shared("expected.json") else { return };
    let expected: Value = serde_json::from_slice(&expected).unwrap();
    let mut n_checked = 0;
    for (name, counts) in expected.as_object().unwrap().iter().filter(|(name, _)| name.ends_with(".fountain")) {
        let script = read_fountain(&shared(name).unwrap()).unwrap();
        let speakers = speakers(&script);
        for (what, expected) in counts.as_object().unwrap() {
            let found = match what.as_str() {
                "bytes" => shared(name).unwrap().len().into(),
                "scene_headings" => script.scenes.len().into(),
                "dialogue_blocks" => n_of(&script, |kind| matches!(kind, ElementKind::Cue { .. })).into(),
                "dual_dialogue" => n_of(&script, |kind| matches!(kind, ElementKind::Cue { dual: true, .. })).into(),
                "transitions" => n_of(&script, |kind| *kind == ElementKind::Transition).into(),
                "speaking_names" => speakers.len().into(),
                "scene_numbers" if expected.is_u64() => numbers(&script).len().into(),
                "scene_numbers" => numbers(&script).into(),
                "top_speakers" => {
                    let mut ranked: Vec<(&String, usize)> = speakers.iter().map(|(name, n)| (name, *n)).collect();
                    ranked.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
                    ranked.truncate(5);
                    serde_json::to_value(ranked).unwrap()
                }
                other => panic!("`{other}` is expected of {name}, and nobody counts it"),
            };
            assert_eq!(found, *expected, "{what} of {name}");
            n_checked += 1;
        }
    }
    assert!(n_checked >= 15, "only {n_checked} counts were there to be reached");
}

#[test]
fn the_edit_list_and_the_timeline_are_one_cut() {
    let rate = "25".parse().unwrap();
    let edl = read_edl(&kestrel("101-cut-v03.edl"), rate).unwrap();
    let otio = read_otio(&kestrel("101-cut-v03.otio"), rate).unwrap();
    let shots = |cut: &playhouse_production::import::cut::ParsedCut| {
        cut.events.iter().map(|event| (event.name.clone(), event.n_frames)).collect::<Vec<_>>()
    };
    assert_eq!(shots(&edl), shots(&otio));
    assert_eq!(edl.title.as_deref(), Some("KST_101_CUT_V03"));
    let (matched, unmatched): (Vec<_>, Vec<_>) =
        edl.events.iter().partition(|event| ShotPattern::default().read(&event.name).is_some());
    let matched: Vec<(&str, u32)> = matched.iter().map(|event| (event.name.as_str(), event.n_frames)).collect();
    assert_eq!(matched, [("KST_101_003_0010", 75), ("KST_101_003_0020", 62), ("KST_101_006_0010", 100)]);
    assert_eq!(unmatched.iter().map(|event| event.name.as_str()).collect::<Vec<_>>(), ["MAIN TITLE CARD"]);
}

#[test]
fn the_show_reads_the_same_from_both_formats() {
    let (fdx, fountain) =
        (read_fdx(&kestrel("101-white.fdx")).unwrap(), read_fountain(&kestrel("101-white.fountain")).unwrap());
    assert_eq!(numbers(&fdx), ["1", "2"]);
    for (one, other) in fdx.scenes.iter().zip(&fountain.scenes) {
        assert_eq!(
            (&one.heading, one.int_ext, &one.set_name, &one.time_of_day),
            (&other.heading, other.int_ext, &other.set_name, &other.time_of_day)
        );
    }
    assert_eq!(fdx.scenes.iter().map(|scene| scene.page_eighths).collect::<Vec<_>>(), [2, 11]);
    assert_eq!(fdx.scenes[1].speakers(), ["MARA", "TOM"]);
    assert_eq!(fountain.title_page_value("draft date"), Some("2026-09-01"));
    assert_eq!(fountain.scenes[2].notes[0].tag.as_deref(), Some("VFX"));
}
