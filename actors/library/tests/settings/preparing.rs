//! What a change of a profile comes to, and what is refused.

use playhouse_library::answer::{ArrFailure, Code};
use playhouse_library::settings::ProfileChanges;
use playhouse_standins::{ArrKind, Misbehaviour};
use serde_json::{Value, json};

use crate::home::{Shelf, title_format};

/// The HD-1080p profile of Radarr and Sonarr.
const HD: i64 = 4;

#[actix_rt::test]
async fn the_differences_are_told_in_a_fixed_order_and_nothing_is_written() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let changes = json!({
        "language_name": "Any", "upgrade_allowed": false, "quality_cutoff_id": 9, "min_format_score": -5,
        "cutoff_format_score": 200, "min_upgrade_format_score": 3,
        "custom_format_scores": [{ "format_name": "IMAX Enhanced", "score": 25 }, { "format_name": "BR-DISK", "score": -7 }],
    });
    let prepared = shelf.prepare(HD, changes).await.unwrap();
    assert_eq!(
        prepared.diff,
        [
            "upgrade policy: on -> off",
            "quality cutoff: \"Bluray-1080p\" [7] -> \"HDTV-1080p\" [9]",
            "minimum custom-format score: 0 -> -5",
            "custom-format cutoff score: 100 -> 200",
            "minimum upgrade score gain: 1 -> 3",
            "custom format \"BR-DISK\" [2]: -10000 -> -7",
            "custom format \"IMAX Enhanced\" [5]: +0 -> +25",
            "profile language: \"Original\" [-2] -> \"Any\" [-1]",
        ]
    );
    assert_eq!((prepared.profile_name.as_str(), prepared.instance.name.as_str()), ("HD-1080p", "Main"));
    assert!(prepared.binding.languages.is_some(), "it names a language");
    assert_eq!(shelf.n_writes(), 0);
}

#[actix_rt::test]
async fn case_42_a_change_of_nothing_is_refused_before_anything_is_read() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    for changes in [json!({}), json!({ "custom_format_scores": [] })] {
        assert!(shelf.refusal(HD, changes).await.contains("at least one setting"));
    }
    assert_eq!(shelf.arr.n_requests(), 0);
}

#[test]
fn case_43_and_58_unknown_settings_and_scores_that_are_too_large_are_no_change() {
    for changes in [
        json!({ "name": "Mine" }),
        json!({ "Upgrade_Allowed": true }),
        json!({ "custom_format_scores": [{ "format_name": "x", "score": 2_147_483_648_i64 }] }),
        json!({ "custom_format_scores": [{ "format_name": "x", "score": 1, "format": 7 }] }),
        json!({ "min_format_score": 2_147_483_648_i64 }),
    ] {
        assert!(serde_json::from_value::<ProfileChanges>(changes.clone()).is_err(), "{changes}");
    }
}

#[actix_rt::test]
async fn case_44_a_quality_inside_a_group_is_no_cutoff_and_the_eligible_ones_are_named() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let words = shelf.refusal(HD, json!({ "quality_cutoff_id": 3 })).await;
    assert!(words.contains("9 (\"HDTV-1080p\")") && words.contains("7 (\"Bluray-1080p\")"), "{words}");
    assert!(!words.contains("2160p"), "{words}");
}

#[actix_rt::test]
async fn case_45_a_quality_that_is_not_allowed_is_no_cutoff_and_a_profile_that_has_such_a_one_is_left_alone() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    shelf.refusal(HD, json!({ "quality_cutoff_id": 19 })).await;
    shelf.arr.edit_profile(4, |profile| profile["cutoff"] = json!(19));
    for changes in [json!({ "upgrade_allowed": false }), json!({ "quality_cutoff_id": 7 })] {
        let words = shelf.refusal(HD, changes).await;
        assert!(words.contains("present cutoff"), "{words}");
    }
}

#[actix_rt::test]
async fn case_46_the_quality_with_the_id_0_is_a_cutoff_where_it_is_allowed() {
    let shelf = Shelf::of(ArrKind::Chaptarr).await;
    let prepared = shelf.prepare(1, json!({ "quality_cutoff_id": 0 })).await.unwrap();
    assert_eq!(prepared.diff, ["quality cutoff: \"EPUB\" [3] -> \"Unknown Text\" [0]"]);
    assert!(prepared.binding.languages.is_none());
}

#[actix_rt::test]
async fn case_47_a_tree_of_qualities_in_which_an_id_stands_twice_is_refused() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    shelf.arr.edit_profile(4, |profile| {
        let items = profile["items"].as_array_mut().unwrap();
        let group = items.iter_mut().find(|item| item["id"].is_number()).unwrap();
        group["items"][0]["quality"]["id"] = json!(7);
    });
    let words = shelf.refusal(HD, json!({ "upgrade_allowed": false })).await;
    assert!(words.contains("7 stands twice"), "{words}");
}

#[actix_rt::test]
async fn profiles_that_are_not_in_order_are_refused() {
    type Spoil = fn(&mut Value);
    let spoil: [(&str, Spoil); 9] = [
        ("no usable name", |profile| profile["name"] = json!(" ")),
        ("upgrades are allowed", |profile| profile["upgradeAllowed"] = json!("yes")),
        ("no minFormatScore", |profile| profile["minFormatScore"] = json!(1.5)),
        ("no cutoffFormatScore", |profile| profile["cutoffFormatScore"] = json!(2_147_483_648_i64)),
        ("no language", |profile| profile["language"] = json!({ "id": 1 })),
        ("whether it is allowed", |profile| profile["items"][0]["allowed"] = Value::Null),
        ("no usable name", |profile| profile["items"][0]["quality"]["name"] = json!("")),
        ("groups is empty", |profile| {
            profile["items"][0] = json!({ "id": 1, "name": "x", "allowed": true, "items": [] })
        }),
        ("twice", |profile| {
            let first = profile["formatItems"][0].clone();
            profile["formatItems"].as_array_mut().unwrap().push(first);
        }),
    ];
    for (expected, spoil) in spoil {
        let shelf = Shelf::of(ArrKind::Radarr).await;
        shelf.arr.edit_profile(4, spoil);
        let words = shelf.refusal(HD, json!({ "upgrade_allowed": false })).await;
        assert!(words.contains(expected), "{expected}: {words}");
    }
}

#[actix_rt::test]
async fn case_48_a_profile_that_does_not_list_every_format_is_refused() {
    let shelf = Shelf::of(ArrKind::Sonarr).await;
    shelf.arr.edit_profile(4, |profile| {
        profile["formatItems"].as_array_mut().unwrap().pop();
    });
    let words = shelf.refusal(HD, json!({ "upgrade_allowed": false })).await;
    assert!(words.contains("Open and save the profile in the service"), "{words}");
}

#[actix_rt::test]
async fn case_49_and_50_formats_are_named_once_and_exactly() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let score = |name: &str| json!({ "format_name": name, "score": 1 });
    let words = shelf.refusal(HD, json!({ "custom_format_scores": [score("BR-DISK"), score("BR-DISK")] })).await;
    assert!(words.contains("stands twice"), "{words}");
    let words = shelf.refusal(HD, json!({ "custom_format_scores": [score("br-disk")] })).await;
    assert!(
        words.contains("\"br-disk\"") && words.contains("\"BR-DISK\"") && words.contains("\"x265 (HD)\""),
        "{words}"
    );
    for n in 0..40 {
        shelf.arr.add_format(title_format(&format!("Extra {n}"), "x"));
    }
    let words = shelf.refusal(HD, json!({ "custom_format_scores": [score("nope")] })).await;
    assert!(words.contains("and 15 more"), "{words}");
}

#[actix_rt::test]
async fn case_51_and_52_the_least_gain_is_1_and_only_where_the_profile_has_one() {
    for kind in [ArrKind::Lidarr, ArrKind::Chaptarr] {
        let words = Shelf::of(kind).await.refusal(1, json!({ "min_upgrade_format_score": 2 })).await;
        assert!(words.contains("does not expose the field"), "{words}");
    }
    let shelf = Shelf::of(ArrKind::Radarr).await;
    assert!(shelf.refusal(HD, json!({ "min_upgrade_format_score": 0 })).await.contains("1 or more"));
}

#[actix_rt::test]
async fn case_53_only_radarrs_profiles_have_a_language_and_the_others_say_why_not() {
    for (kind, reason) in [
        (ArrKind::Sonarr, "scores of custom formats"),
        (ArrKind::Lidarr, "neither have its custom formats"),
        (ArrKind::Chaptarr, "metadata profiles"),
    ] {
        let shelf = Shelf::of(kind).await;
        assert!(shelf.refusal(1, json!({ "language_name": "English" })).await.contains(reason));
        assert_eq!(shelf.arr.n_requests(), 0);
    }
    let shelf = Shelf::of(ArrKind::Radarr).await;
    for name in ["english", " English", ""] {
        shelf.refusal(HD, json!({ "language_name": name })).await;
    }
}

#[actix_rt::test]
async fn case_54_a_score_for_a_language_needs_any_language_in_the_same_change() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let scores = json!([{ "format_name": "Language: Not English", "score": -10 }]);
    // 5 is English; 4 is Original, which is a language too (54a).
    for profile in [5, HD] {
        let words = shelf.refusal(profile, json!({ "custom_format_scores": scores })).await;
        assert!(words.contains("language_name \"Any\""), "{words}");
        let both = json!({ "custom_format_scores": scores, "language_name": "Any" });
        assert_eq!(shelf.prepare(profile, both).await.unwrap().plan.language.unwrap().id, -1);
    }
    assert!(shelf.prepare(1, json!({ "custom_format_scores": scores })).await.is_ok(), "it has any language");
}

#[actix_rt::test]
async fn case_55_a_profile_that_breaks_the_rule_already_is_refused_whatever_is_asked() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    shelf.arr.edit_profile(1, |profile| profile["language"] = json!({ "id": 1, "name": "English" }));
    shelf.refusal(1, json!({ "upgrade_allowed": true })).await;
}

#[actix_rt::test]
async fn case_56_and_57_what_is_so_already_is_no_difference() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let same =
        json!({ "upgrade_allowed": true, "custom_format_scores": [{ "format_name": "Repack/Proper", "score": 5 }] });
    match shelf.prepare(HD, same).await {
        Err(ArrFailure::Refused { code: Code::AlreadyMatches, .. }) => {}
        other => panic!("{other:?}"),
    }
    let one_differs = json!({ "upgrade_allowed": true, "min_format_score": 1 });
    let prepared = shelf.prepare(HD, one_differs).await.unwrap();
    assert_eq!(prepared.diff, ["minimum custom-format score: 0 -> 1"]);
    assert_eq!(prepared.plan.upgrade_allowed, Some(true), "it is part of the plan all the same");
}

#[actix_rt::test]
async fn case_59_a_change_with_more_than_20_kib_of_differences_is_to_be_split() {
    let shelf = Shelf::of(ArrKind::Sonarr).await;
    let name = |n: usize| format!("{n} {}", "long ".repeat(25));
    for n in 0..256 {
        shelf.arr.add_format(title_format(&name(n), "x"));
    }
    let scores = |n: usize| -> Value {
        (0..n).map(|n| json!({ "format_name": name(n), "score": 25 })).collect::<Vec<_>>().into()
    };
    let words = shelf.refusal(HD, json!({ "custom_format_scores": scores(256) })).await;
    assert!(words.contains("Split"), "{words}");
    assert_eq!(shelf.prepare(HD, json!({ "custom_format_scores": scores(100) })).await.unwrap().diff.len(), 100);
    let words = shelf.refusal(HD, json!({ "custom_format_scores": scores(257) })).await;
    assert!(words.contains("256"), "{words}");
}

#[actix_rt::test]
async fn a_profile_that_is_not_there_is_refused_with_those_there_are() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    match shelf.prepare(77, json!({ "upgrade_allowed": false })).await {
        Err(ArrFailure::Refused { code: Code::ObjectMissing, words }) => {
            assert!(words.contains("4 (\"HD-1080p\")"), "{words}")
        }
        other => panic!("{other:?}"),
    }
}

#[actix_rt::test]
async fn an_instance_without_custom_formats_refuses_with_both_causes() {
    let shelf = Shelf::of(ArrKind::Sonarr).await;
    shelf.arr.no_custom_formats();
    match shelf.prepare(HD, json!({ "upgrade_allowed": false })).await {
        Err(ArrFailure::Refused { code: Code::FormatsUnavailable, words }) => {
            assert!(words.contains("v4") && words.contains("URL base"), "{words}");
        }
        other => panic!("{other:?}"),
    }
}

#[actix_rt::test]
async fn languages_are_read_and_bound_only_where_the_change_depends_on_them() {
    let score = |name: &str| json!({ "custom_format_scores": [{ "format_name": name, "score": 7 }] });
    for kind in [ArrKind::Radarr, ArrKind::Sonarr] {
        let shelf = Shelf::of(kind).await;
        let about_language = shelf.prepare(1, score("Language: Not English")).await.unwrap();
        let plain = shelf.prepare(1, score("Repack/Proper")).await.unwrap();
        assert!(about_language.binding.languages.is_some() && plain.binding.languages.is_none(), "{kind:?}");
    }
}

#[actix_rt::test]
async fn a_service_that_cannot_be_read_is_a_failure_and_no_refusal() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    for calls in ["GET */qualityprofile", "GET */customformat"] {
        for misbehaviour in [Misbehaviour::Failing { status: 500 }, Misbehaviour::Html, Misbehaviour::WrongTypes] {
            shelf.arr.misbehave_once(calls, misbehaviour);
            let failure = shelf.prepare(HD, json!({ "upgrade_allowed": false })).await.unwrap_err();
            let is_refused = matches!(failure, ArrFailure::Refused { .. });
            assert!(!is_refused || misbehaviour == Misbehaviour::WrongTypes, "{calls} {misbehaviour:?}: {failure}");
        }
    }
}

#[actix_rt::test]
async fn a_list_of_more_than_4_mib_is_not_read() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    shelf.arr.misbehave("GET */customformat", Misbehaviour::Huge { n_bytes: 5 << 20 });
    let failure = shelf.prepare(HD, json!({ "upgrade_allowed": false })).await.unwrap_err();
    assert_eq!(failure.code(), Code::UpstreamBody, "{failure}");
}
