//! Drafts over drafts.

use super::*;
use crate::model::{AssetKind, AssetStatus, NodeId, SceneChange};

#[test]
fn case_38_blue_over_white_and_again() {
    let mut show = Show::kestrel();
    let white = show.import(ImportKind::Script, &file("101-white.fountain"));
    assert_eq!(counts(&white), [6, 0, 0, 0]);
    let before: Vec<(String, NodeId)> =
        show.office.script().map(|scene| (scene.number.clone(), scene.node_id)).collect();

    let blue = show.import(ImportKind::Script, &file("101-blue.fountain"));
    assert_eq!(counts(&blue), [1, 1, 1, 4]);
    assert_eq!(changed(&blue), pairs(&[("2", "revised"), ("4A", "added"), ("5", "omitted")]));
    for (number, node_id) in before {
        assert_eq!(show.scene(&number).node_id, node_id, "scene {number} keeps its node id");
    }
    let order: Vec<&str> = show.office.script().map(|scene| scene.number.as_str()).collect();
    assert_eq!(order, ["1", "2", "3", "4", "4A", "5", "6"]);
    let colours: Vec<&str> = show.office.script().filter_map(|scene| scene.colour.as_deref()).collect();
    assert_eq!(colours, ["white", "blue", "white", "white", "blue", "blue", "white"]);

    let again = show.plan(ImportKind::Script, &file("101-blue.fountain")).unwrap();
    assert_eq!(counts(&again.report), [0, 0, 0, 7]);
    assert_eq!(again.report.draft_id, blue.draft_id);
    assert!(again.changes.is_empty(), "the same file makes no new draft");
    let white_again = show.plan(ImportKind::Script, &file("101-white.fountain")).unwrap();
    assert_eq!((white_again.report.draft_id, white_again.changes.is_empty()), (white.draft_id, true));
}

#[test]
fn a_change_says_who_came_and_went_and_whether_the_scene_is_scheduled() {
    let mut show = Show::kestrel();
    show.import(ImportKind::Script, &file("101-white.fountain"));
    show.import(ImportKind::Schedule, &file("schedule.csv"));
    let blue = show.import(ImportKind::Script, &file("101-blue.fountain"));
    let node_id = show.scene("4A").node_id;
    let expected = json!({ "node_id": node_id, "number": "4A", "change": "added", "eighths_before": null, "eighths_after": 1,
        "characters_added": ["JOAN"], "characters_removed": [], "scheduled": false });
    assert_eq!(blue.changes[1], expected);
    assert_eq!((&blue.changes[0]["scheduled"], &blue.changes[2]["eighths_after"]), (&json!(true), &Value::Null));
}

#[test]
fn colour_and_date_come_from_the_title_page_unless_they_are_said() {
    let mut show = Show::kestrel();
    show.import(ImportKind::Script, &file("101-white.fountain"));
    let draft = show.office.drafts().iter().next().unwrap();
    assert_eq!((draft.colour.as_str(), draft.dated.unwrap().to_string().as_str()), ("white", "2026-09-01"));
    show.options.colour = Some("Second Blue".into());
    show.options.dated = Some("2026-12-01".parse().unwrap());
    show.import(ImportKind::Script, &file("101-blue.fountain"));
    let draft = show.office.drafts().iter().next_back().unwrap();
    assert_eq!((draft.colour.as_str(), draft.dated.unwrap().to_string().as_str()), ("second blue", "2026-12-01"));
    show.options.colour = Some("#fff".into());
    assert_eq!(show.refused(ImportKind::Script, "INT. A - DAY\n").status(), 422);
}

#[test]
fn a_series_needs_an_episode_and_a_film_has_none() {
    let mut show = Show::kestrel();
    show.options.episode = None;
    assert_eq!(
        show.refused(ImportKind::Script, "INT. A - DAY\n").to_string(),
        "episode_id is needed: the production is a series."
    );
    for choice in [EpisodeChoice::Number(109), EpisodeChoice::Id(99), EpisodeChoice::Id(-1)] {
        show.options.episode = Some(choice);
        let fault = show.refused(ImportKind::Script, "INT. A - DAY\n");
        assert_eq!((fault.status(), fault.to_string().as_str()), (404, "Episode not found."));
    }
    let mut film = Show::film();
    assert_eq!(counts(&film.script("INT. A - DAY\n\nRain.\n")), [1, 0, 0, 0]);
    assert_eq!(film.office.drafts().iter().next().unwrap().episode_id, None);
}

#[test]
fn an_episode_is_compared_with_its_own_drafts_only() {
    let mut show = Show::kestrel();
    show.import(ImportKind::Script, &file("101-white.fountain"));
    show.options.episode = Some(EpisodeChoice::Number(102));
    // The very same bytes: another episode's draft does not count.
    let other = show.import(ImportKind::Script, &file("101-white.fountain"));
    assert_eq!(counts(&other), [6, 0, 0, 0]);
    assert_eq!(show.office.scenes().len(), 12);
    assert_eq!(show.office.characters().len(), 2, "MARA and TOM are the production's, not an episode's");
}

#[test]
fn a_number_used_for_another_heading_is_reported_and_keeps_its_node() {
    let mut show = Show::film();
    show.script("INT. A - DAY #1#\n\nRain.\n\nINT. B - DAY #2#\n\nSun.\n");
    let node_id = show.scene("2").node_id;
    let report = show.script("INT. A - DAY #1#\n\nRain.\n\nEXT. C - NIGHT #2#\n\nSun.\n");
    assert_eq!(changed(&report), pairs(&[("2", "heading_changed")]));
    assert_eq!((show.scene("2").node_id, show.scene("2").heading.as_str()), (node_id, "EXT. C - NIGHT"));
}

#[test]
fn a_scene_missing_from_the_file_is_omitted_and_never_deleted() {
    let mut show = Show::film();
    show.script("INT. A - DAY #1#\n\nRain. [[check the wind]]\n\nTOM\nYes.\n\nINT. B - DAY #2#\n\nSun.\n\nINT. C - DAY #3#\n\nFog.\n");
    let node_id = show.scene("2").node_id;
    let report = show.script("INT. A - DAY #1#\n\nRain.\n\nTOM\nYes.\n\nINT. C - DAY #3#\n\nFog.\n");
    assert_eq!((changed(&report), counts(&report)), (pairs(&[("2", "omitted")]), [0, 0, 1, 2]));
    let omitted = show.scene("2");
    assert_eq!(
        (omitted.omitted, omitted.node_id, omitted.heading.as_str(), omitted.page_eighths),
        (true, node_id, "INT. B - DAY", None)
    );
    let order: Vec<&str> = show.office.script().map(|scene| scene.number.as_str()).collect();
    assert_eq!(order, ["1", "2", "3"], "it stays behind the scene it stood behind");
    assert_eq!(show.office.notes.len(), 1, "notes stay");

    let restored =
        show.script("INT. A - DAY #1#\n\nRain.\n\nTOM\nYes.\n\nINT. B - DAY #2#\n\nSun.\n\nINT. C - DAY #3#\n\nFog!\n");
    assert_eq!(changed(&restored), pairs(&[("2", "restored"), ("3", "revised")]));
    assert_eq!((show.scene("2").node_id, show.scene("2").omitted), (node_id, false));
}

#[test]
fn drafts_without_numbers_are_matched_by_heading_and_order() {
    let mut show = Show::film();
    show.script("INT. A - DAY\n\nOne.\n\nINT. B - DAY\n\nTwo.\n\nINT. A - DAY\n\nThree.\n\nINT. C - DAY\n\nFour.\n");
    let nodes: Vec<NodeId> = show.office.script().map(|scene| scene.node_id).collect();
    let report = show.script(
        "INT. A - DAY\n\nOne.\n\nEXT. NEW - DAY\n\nNew.\n\nINT. A - DAY\n\nThree, changed.\n\nINT. C - DAY\n\nFour.\n",
    );
    assert_eq!(counts(&report), [1, 1, 1, 2]);
    assert_eq!(each(&report, "change"), ["omitted", "added", "revised"]);
    let kept: Vec<NodeId> = show.office.script().filter(|scene| !scene.omitted).map(|scene| scene.node_id).collect();
    assert_eq!((kept[0], kept[2], kept[3]), (nodes[0], nodes[2], nodes[3]));
}

#[test]
fn the_first_numbered_draft_gives_known_scenes_their_numbers() {
    let mut show = Show::film();
    show.script("INT. A - DAY\n\nOne.\n\nINT. B - DAY\n\nTwo.\n");
    let nodes: Vec<NodeId> = show.office.script().map(|scene| scene.node_id).collect();
    let report = show.script("INT. A - DAY #1#\n\nOne.\n\nINT. B - DAY #2#\n\nTwo.\n");
    assert_eq!(counts(&report), [0, 0, 0, 2]);
    assert_eq!((show.scene("1").node_id, show.scene("2").node_id), (nodes[0], nodes[1]));

    // Locked now: a draft that lost its numbers is matched by heading, keeps them, and says so.
    let report = show.script("INT. A - DAY\n\nOne.\n\nINT. B - DAY\n\nTwo, changed.\n");
    assert_eq!(changed(&report), pairs(&[("2", "revised")]));
    assert!(
        report.warnings.iter().any(|warning| warning.message.contains("2 scene(s) have no number")),
        "{:?}",
        report.warnings
    );
}

#[test]
fn two_scenes_with_one_number_are_refused() {
    let show = Show::film();
    let fault = show.refused(ImportKind::Script, "INT. A - DAY #1#\n\nOne.\n\nINT. B - DAY #1#\n\nTwo.\n");
    assert_eq!(fault.to_string(), "Line 5: scene 1 stands in line 1 already; give one of the two another number.");
}

#[test]
fn transitions_notes_and_comments_revise_nothing() {
    let mut show = Show::film();
    show.script("INT. A - DAY #1#\n\nRain.\n\n> CUT TO:\n");
    let report = show.script("INT. A - DAY #1#\n\nRain. [[why rain?]]\n\n/* sun */\n\n> FADE OUT.\n");
    assert_eq!(counts(&report), [0, 0, 0, 1]);
    let scene = show.scene("1");
    assert_eq!(scene.colour.as_deref(), Some("white"), "a scene that is as it was stays on its page");
    assert_eq!(show.office.versions().len(), 1);
}

#[test]
fn a_note_whose_tag_is_a_kind_proposes_an_asset() {
    let mut show = Show::kestrel();
    let report = show.import(ImportKind::Script, &file("101-white.fountain"));
    let asset = show.asset("creature-silhouette");
    assert_eq!(
        (asset.kind, asset.status, asset.department.as_deref()),
        (AssetKind::Vfx, AssetStatus::Planned, Some("vfx"))
    );
    assert_eq!(
        (asset.name.as_str(), asset.description.as_deref()),
        ("creature silhouette", Some("creature silhouette, 3 shots"))
    );
    assert_eq!(asset.scenes, [show.scene("3").node_id]);
    assert!(
        report.warnings.iter().any(|warning| warning.line == 31 && warning.message.contains("creature-silhouette")),
        "{:?}",
        report.warnings
    );
    let blue = show.import(ImportKind::Script, &file("101-blue.fountain"));
    assert_eq!((show.office.assets().len(), blue.warnings.len()), (1, 0), "it is proposed once");
}

#[test]
fn other_notes_are_kept_as_notes_once() {
    let mut show = Show::film();
    show.script("INT. A - DAY #1#\n\nRain. [[TODO: check]] [[ask Ann]]\n");
    show.script("INT. A - DAY #1#\n\nRain, more. [[TODO: check]] [[ask Ann]]\n");
    let bodies: Vec<(&str, &str)> =
        show.office.notes.iter().map(|note| (note.body.as_str(), note.author.as_str())).collect();
    assert_eq!(bodies, [("TODO: check", "Script, white"), ("ask Ann", "Script, white")]);
}

#[test]
fn an_asset_named_in_two_scenes_is_one_asset_in_both() {
    let mut show = Show::film();
    show.script(
        "INT. A - DAY #1#\n\nRain. [[prop: red kite]]\n\nINT. B - DAY #2#\n\nSun. [[PROPS: Red Kite, broken]]\n",
    );
    assert_eq!(show.office.assets().len(), 1);
    assert_eq!(show.asset("red-kite").scenes, [show.scene("1").node_id, show.scene("2").node_id]);
}

#[test]
fn final_draft_brings_lengths_and_tagged_things() {
    let mut show = Show::kestrel();
    show.import(ImportKind::Script, &file("101-white.fdx"));
    let scene = show.scene("2");
    assert_eq!((scene.page_eighths, scene.eighths_estimated), (Some(11), false));
    // The same words from a file that does not measure: what was measured stays.
    let words =
        "INT. BOATHOUSE - DAWN #2#\n\nMARA\nWhere you said it would not be.\n\nTOM ^\nWhere I hoped it would not be.\n";
    let report = show.script(words);
    assert_eq!(report.unchanged, 1, "{report:?}");
    assert_eq!((show.scene("2").page_eighths, show.scene("2").eighths_estimated), (Some(11), false));
    let tagged = r#"<FinalDraft><Content><Paragraph Number="1" Type="Scene Heading"><Text>EXT. MARSH - DAWN</Text></Paragraph>
        <Paragraph Type="Action"><Text TagNumber="1">the case</Text> <Text TagNumber="2">Mara</Text></Paragraph></Content>
        <TagData><TagCategories><TagCategory Id="p" Name="Props"/><TagCategory Id="c" Name="Cast Members"/></TagCategories>
        <TagDefinitions><TagDefinition Id="d" CatId="p" Label="Metal case"/><TagDefinition Id="e" CatId="c" Label="Mara"/></TagDefinitions>
        <Tags><Tag Number="1"><DefId>d</DefId></Tag><Tag Number="2"><DefId>e</DefId></Tag></Tags></TagData></FinalDraft>"#;
    let mut film = Show::film();
    film.script(tagged);
    let codes: Vec<&str> = film.office.assets().iter().map(|asset| asset.code.as_str()).collect();
    assert_eq!(codes, ["metal-case"], "the cast is known from the dialogue");
}

#[test]
fn a_full_length_episode_is_planned_whole() {
    // As long as the longest: 5,000 scenes, a quarter of them changed, without numbers, so that the matching has to work.
    let mut show = Show::film();
    let draft = |word: &str| {
        (0..2_000)
            .map(|n| format!("INT. ROOM {} - DAY\n\n{}\n\n", n % 700, if n % 4 == 0 { word } else { "Rain." }))
            .collect::<String>()
    };
    show.script(&draft("Sun."));
    let report = show.script(&draft("Fog."));
    assert_eq!(counts(&report), [0, 500, 0, 1_500]);
    let versions = show.office.versions().iter().filter(|version| version.change == SceneChange::Revised).count();
    assert_eq!(versions, 500);
}

#[test]
fn a_script_of_nothing_but_notes_or_names_is_refused_quickly() {
    // One record each would make a commit of hundreds of thousands; looking for twins pair by pair would take minutes.
    let show = Show::film();
    let notes = format!("INT. A - DAY\n\n{}", "[[vfx:a b]]".repeat(300_000));
    assert_eq!(
        show.refused(ImportKind::Script, &notes).to_string(),
        "The script has more than 5000 notes and tagged things."
    );
    let names: String = (0..100_000).map(|n| format!("N{n}X\ny\n\n")).collect();
    let names = format!("INT. A - DAY\n\n{names}");
    assert_eq!(show.refused(ImportKind::Script, &names).to_string(), "The script has more than 5000 characters.");
}
