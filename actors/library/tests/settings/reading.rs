//! The two tools that read settings.

use playhouse_library::instance::{InstancesActor, ListInstances};
use playhouse_standins::{ArrKind, ArrStandin, Library, Misbehaviour};
use serde_json::{Value, json};

use crate::home::{Home, Shelf, in_time, title_condition, title_format};

const PROFILES: &str = "get_quality_profiles";
const FORMATS: &str = "get_custom_formats";

#[actix_rt::test]
async fn a_summary_says_what_each_profile_wants() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let (prose, structured, is_error) =
        shelf.home.call(PROFILES, json!({ "service": "radarr", "profile_id": 0 })).await;
    assert!(!is_error);
    assert!(
        prose.contains(
            "- 4 \"HD-1080p\": upgrades on until \"Bluray-1080p\"; allowed, worst first: HDTV-1080p, WEB 1080p, Bluray-1080p; 3 of 5 custom \
             formats scored: "
        ),
        "{prose}"
    );
    assert!(prose.contains("\"x265 (HD)\" -10000") && prose.contains("\"Repack/Proper\" +5"), "{prose}");
    assert!(prose.contains("minimum score 0; cutoff score 100; language \"Original\""), "{prose}");
    assert_eq!((structured["outcome"].as_str(), structured["profiles"][1]["id"].as_i64()), (Some("answered"), Some(4)));
    assert_eq!(structured["profiles"][1]["cutoff"], json!({ "id": 7, "name": "Bluray-1080p" }));
    assert_eq!((shelf.arr.n_requests(), shelf.n_writes()), (1, 0));
}

#[actix_rt::test]
async fn case_1_another_services_instance_is_none_and_nothing_is_called() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let other = ArrStandin::start(ArrKind::Sonarr, Library::empty(ArrKind::Sonarr));
    let other_id = shelf.home.add(&other, "Series").await;
    for tool in [PROFILES, FORMATS] {
        let arguments = json!({ "service": "radarr", "instance_id": other_id });
        let (prose, structured, is_error) = shelf.home.call(tool, arguments).await;
        assert!(prose.contains("list_arr_instances") && !is_error, "{prose}");
        assert_eq!((&structured["outcome"], &structured["code"]), (&json!("refused"), &json!("instance_unknown")));
    }
    assert_eq!((shelf.arr.n_requests(), other.n_requests()), (0, 0));
}

#[actix_rt::test]
async fn a_service_that_is_none_or_that_the_house_lacks_is_refused() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let (prose, ..) = shelf.home.call(PROFILES, json!({ "service": "plex" })).await;
    assert!(["radarr", "sonarr", "lidarr", "chaptarr"].iter().all(|service| prose.contains(service)), "{prose}");
    let (_, structured, is_error) = shelf.home.call(FORMATS, json!({ "service": "lidarr" })).await;
    assert_eq!((&structured["code"], is_error), (&json!("not_configured"), false));
    let (prose, ..) = shelf.home.call(FORMATS, json!({ "service": "radarr", "formatid": 3 })).await;
    assert!(prose.contains("`format_id`"), "{prose}");
    let (prose, ..) = shelf.home.call(FORMATS, json!({ "Service": "radarr" })).await;
    assert!(prose.contains("`service`"), "{prose}");
    assert_eq!(shelf.arr.n_requests(), 0);
}

#[actix_rt::test]
async fn case_2_an_instance_whose_key_cannot_be_opened_is_real_and_of_no_use() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let locked = shelf.home.without_its_keys();
    let (prose, structured, is_error) = locked.call(PROFILES, json!({ "service": "radarr" })).await;
    assert!(prose.contains("exists") && prose.contains("server's log") && !prose.contains("127.0.0.1"), "{prose}");
    assert_eq!((&structured["code"], is_error, shelf.arr.n_requests()), (&json!("instance_unreadable"), false, 0));
}

#[actix_rt::test]
async fn case_3_an_id_that_is_not_there_lists_those_that_are() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let (prose, structured, is_error) =
        shelf.home.call(PROFILES, json!({ "service": "radarr", "profile_id": -1 })).await;
    assert!(prose.contains("4 (\"HD-1080p\")"), "{prose}");
    assert_eq!((&structured["code"], is_error), (&json!("object_missing"), false));
    let (prose, structured, _) = shelf.home.call(FORMATS, json!({ "service": "radarr", "format_id": 99 })).await;
    assert!(prose.contains("2 (\"BR-DISK\")"), "{prose}");
    assert_eq!(structured["code"], "object_missing");
}

#[actix_rt::test]
async fn case_4_languages_do_not_go_with_one_profile() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    for more in [json!({ "include_languages": true }), json!({ "language_name": "English" })] {
        let mut arguments = json!({ "service": "radarr", "profile_id": 4 });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let (prose, _, is_error) = shelf.home.call(PROFILES, arguments).await;
        assert!(is_error && prose.contains("summary only"), "{prose}");
    }
    assert_eq!(shelf.arr.n_requests(), 0);
}

#[actix_rt::test]
async fn case_5_and_6_the_best_qualities_are_shown_and_the_cutoff_only_where_upgrades_are_on() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let item =
        |id: i64| json!({ "quality": { "id": id, "name": format!("Quality {id}") }, "items": [], "allowed": true });
    shelf.arr.edit_profile(1, |profile| {
        profile["items"] = (100..111).map(item).collect::<Vec<_>>().into();
        profile["cutoff"] = json!(110);
    });
    let line = async || {
        let (prose, ..) = shelf.home.call(PROFILES, json!({ "service": "radarr" })).await;
        prose.lines().find(|line| line.starts_with("- 1 ")).unwrap().to_owned()
    };
    let off = line().await;
    assert!(off.contains("+3 more, Quality 103,") && off.contains("Quality 110"), "{off}");
    assert!(!off.contains("Quality 102") && off.contains("upgrades off") && !off.contains("until"), "{off}");
    shelf.arr.edit_profile(1, |profile| profile["upgradeAllowed"] = json!(true));
    assert!(line().await.contains("upgrades on until \"Quality 110\""));
    shelf.arr.edit_profile(1, |profile| profile["cutoff"] = json!(7));
    assert!(line().await.contains("upgrades on;"), "it does not resolve");
}

/// A catalogue of so many languages, the last of which is Any.
fn catalogue(n: i64) -> Value {
    let languages = (1..n).map(|id| json!({ "id": id, "name": format!("Language {id}") }));
    languages.chain([json!({ "id": -1, "name": "Any" })]).collect::<Vec<_>>().into()
}

#[actix_rt::test]
async fn case_7_all_languages_are_listed_by_id() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    shelf.arr.answer_instead("GET */language", 200, catalogue(61));
    let arguments = json!({ "service": "radarr", "include_languages": true });
    let (prose, structured, _) = shelf.home.call(PROFILES, arguments).await;
    let lines: Vec<&str> = prose.lines().filter(|line| line.ends_with(']')).collect();
    assert_eq!((lines.len(), lines[0], lines[60]), (61, "- Any [-1]", "- Language 60 [60]"));
    assert!(prose.contains("another language elsewhere"), "{prose}");
    assert_eq!(structured["languages"][0], json!({ "id": -1, "name": "Any" }));
}

#[actix_rt::test]
async fn case_8_a_list_of_languages_over_20_kib_is_an_error_that_says_how_to_ask() {
    let shelf = Shelf::of(ArrKind::Sonarr).await;
    shelf.arr.answer_instead("GET */language", 200, catalogue(2_000));
    let arguments = json!({ "service": "sonarr", "include_languages": true });
    let (prose, _, is_error) = shelf.home.call(PROFILES, arguments).await;
    assert!(is_error && prose.contains("language_name"), "{prose}");
    let arguments = json!({ "service": "sonarr", "include_languages": true, "language_name": "Language 1999" });
    let (prose, structured, _) = shelf.home.call(PROFILES, arguments).await;
    assert!(prose.ends_with("Language: Language 1999 [1999]"), "{prose}");
    assert_eq!(structured["languages"], json!([{ "id": 1999, "name": "Language 1999" }]));
}

#[actix_rt::test]
async fn case_9_a_languages_name_is_exact() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let (prose, _, is_error) =
        shelf.home.call(PROFILES, json!({ "service": "radarr", "language_name": "english" })).await;
    assert!(is_error && prose.contains("\"english\""), "{prose}");
    let (prose, ..) = shelf.home.call(PROFILES, json!({ "service": "radarr", "language_name": "English" })).await;
    assert!(prose.ends_with("Language: English [1]"), "{prose}");
}

#[actix_rt::test]
async fn case_10_services_without_languages_say_so_and_are_not_asked() {
    for (kind, service) in [(ArrKind::Lidarr, "lidarr"), (ArrKind::Chaptarr, "chaptarr")] {
        let shelf = Shelf::of(kind).await;
        for arguments in [
            json!({ "service": service, "include_languages": true }),
            json!({ "service": service, "language_name": "English" }),
        ] {
            let (prose, structured, is_error) = shelf.home.call(PROFILES, arguments).await;
            assert!(!is_error && prose.contains("no release-language specification"), "{prose}");
            assert!(structured["profiles"].as_array().is_some_and(|profiles| !profiles.is_empty()));
        }
        assert!(shelf.arr.requests().iter().all(|request| request.path.ends_with("/qualityprofile")));
    }
}

#[actix_rt::test]
async fn case_11_an_instance_without_formats_may_be_old_or_lack_its_base_and_neither_is_asserted() {
    for (kind, service, build) in
        [(ArrKind::Sonarr, "sonarr", "Sonarr v4"), (ArrKind::Radarr, "radarr", "may be older than custom formats")]
    {
        let shelf = Shelf::of(kind).await;
        shelf.arr.no_custom_formats();
        for arguments in [json!({ "service": service }), json!({ "service": service, "format_id": 1 })] {
            let (prose, structured, is_error) = shelf.home.call(FORMATS, arguments).await;
            assert!(prose.contains(build) && prose.contains("URL base") && !prose.contains("not support"), "{prose}");
            assert_eq!((&structured["code"], is_error), (&json!("formats_unavailable"), false));
        }
    }
}

#[actix_rt::test]
async fn case_12_many_formats_are_cut_between_lines_and_their_number_is_told() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let (prose, structured, _) = shelf.home.call(FORMATS, json!({ "service": "radarr" })).await;
    assert!(
        prose.contains(
            "- 1 \"x265 (HD)\": 2 specifications: \"x265 or HEVC\" (ReleaseTitleSpecification, required), \"Not 2160p\" \
             (ResolutionSpecification, negate, required)"
        ),
        "{prose}"
    );
    assert!(prose.ends_with("(get_quality_profiles)."), "{prose}");
    assert_eq!(structured["n_custom_formats"], 5);
    for n in 0..195 {
        shelf.arr.add_format(title_format(&format!("Format {n} {}", "x".repeat(60)), "x"));
    }
    let (prose, structured, _) = shelf.home.call(FORMATS, json!({ "service": "radarr" })).await;
    assert!(prose.len() <= 8 * 1024 && !prose.contains("ReleaseTitleSpecification"), "{} bytes", prose.len());
    assert!(prose.contains("of 200 custom formats") && prose.ends_with("(get_quality_profiles)."), "{prose}");
    assert!(prose.lines().filter(|line| line.starts_with("- ")).all(|line| line.contains("specification")), "{prose}");
    assert_eq!(structured["custom_formats"].as_array().unwrap().len(), 200);
}

#[actix_rt::test]
async fn a_format_with_many_conditions_shows_four_and_how_many_more() {
    let shelf = Shelf::of(ArrKind::Sonarr).await;
    let conditions: Vec<Value> = (0..6).map(|n| title_condition(&format!("c{n}"), "x")).collect();
    let format = json!({ "name": "Many", "includeCustomFormatWhenRenaming": true, "specifications": conditions });
    shelf.arr.add_format(format);
    let (prose, ..) = shelf.home.call(FORMATS, json!({ "service": "sonarr" })).await;
    let line = prose.lines().find(|line| line.contains("\"Many\"")).unwrap();
    assert!(
        line.contains("6 specifications, used in renaming: ") && line.contains("\"c3\"") && line.ends_with("+2 more"),
        "{line}"
    );
}

#[actix_rt::test]
async fn case_13_a_profile_that_cannot_be_read_leaves_the_others() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    shelf.arr.alter("GET */qualityprofile", |profiles| {
        profiles[0] = json!({ "id": 1, "name": "Odd" });
        profiles.as_array_mut().unwrap().push(json!("nothing"));
    });
    let (prose, structured, _) = shelf.home.call(PROFILES, json!({ "service": "radarr" })).await;
    assert!(prose.contains("\"HD-1080p\"") && prose.contains("read it whole with profile_id 1"), "{prose}");
    assert!(prose.contains("1 profile of which not even the id"), "{prose}");
    assert_eq!((&structured["unreadable_ids"], &structured["n_without_id"]), (&json!([1]), &json!(1)));
    let (prose, ..) = shelf.home.call(PROFILES, json!({ "service": "radarr", "profile_id": 1 })).await;
    assert!(prose.contains("\"Odd\""), "{prose}");
}

#[actix_rt::test]
async fn one_object_is_shown_to_the_byte() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let object =
        "{ \"name\" : \"HD: \\u00fc\",\n  \"size\": 1.0, \"big\": 123456789012345678901234567890, \"id\":7.0 }";
    shelf.arr.answer_bytes_instead("GET */qualityprofile", 200, format!("\u{feff}[ {object}\n, {{\"id\":8}}]"));
    let (prose, structured, _) = shelf.home.call(PROFILES, json!({ "service": "radarr", "profile_id": 7 })).await;
    let (head, body) = prose.split_once('\n').unwrap();
    assert_eq!(body, object);
    assert_eq!(head, "Radarr instance \"Main\": quality profile 7, \"HD: ü\", as it is stored:");
    assert_eq!(structured.get("profile"), None, "programs would read another number");
}

#[actix_rt::test]
async fn nothing_there_is_said_as_such_and_a_service_that_is_down_is_an_error() {
    let shelf = Shelf::of(ArrKind::Lidarr).await;
    shelf.arr.answer_bytes_instead("GET */qualityprofile", 200, "[]");
    shelf.arr.answer_bytes_instead("GET */customformat", 200, "[]");
    let (prose, ..) = shelf.home.call(PROFILES, json!({ "service": "lidarr" })).await;
    assert!(prose.contains("no quality profiles on this instance"), "{prose}");
    let (prose, ..) = shelf.home.call(FORMATS, json!({ "service": "lidarr" })).await;
    assert!(prose.contains("no custom formats are defined"), "{prose}");
    shelf.arr.forget_rules();
    for tool in [PROFILES, FORMATS] {
        shelf.arr.prepare([Misbehaviour::Failing { status: 500 }]);
        let (prose, _, is_error) = shelf.home.call(tool, json!({ "service": "lidarr" })).await;
        assert!(is_error && prose.contains("status 500"), "{prose}");
    }
}

#[actix_rt::test]
async fn case_14_of_two_chaptarrs_the_first_is_the_default() {
    let home = Home::empty().await;
    let [one, other] = [(); 2].map(|()| ArrStandin::start(ArrKind::Chaptarr, Library::empty(ArrKind::Chaptarr)));
    let first = home.add(&one, "A").await;
    home.add(&other, "B").await;
    let instances = home.bus.call(InstancesActor::key(home.house), ListInstances {}, in_time()).await.unwrap();
    let defaults: Vec<_> =
        instances.iter().filter(|instance| instance.is_default).map(|instance| instance.id).collect();
    assert_eq!(defaults, [first]);
    home.call(PROFILES, json!({ "service": "chaptarr" })).await;
    assert_eq!((one.n_requests(), other.n_requests()), (1, 0));
}

#[actix_rt::test]
async fn whole_numbers_may_come_as_decimals() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let (prose, _, is_error) = shelf.home.call(PROFILES, json!({ "service": "radarr", "profile_id": 4.0 })).await;
    assert!(!is_error && prose.contains("quality profile 4, \"HD-1080p\""), "{prose}");
}

#[actix_rt::test]
async fn what_a_double_cannot_hold_is_shown_in_the_text_and_not_rounded_for_programs() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    for (number, is_held) in [("0.10", true), ("1e400", false), ("18446744073709551617", false)] {
        let object = format!(r#"{{"id":7,"name":"Odd","specifications":[],"weight":{number}}}"#);
        for (tool, argument, path, member) in [
            (PROFILES, "profile_id", "GET */qualityprofile", "profile"),
            (FORMATS, "format_id", "GET */customformat", "custom_format"),
        ] {
            shelf.arr.answer_bytes_instead(path, 200, format!("[{object}]"));
            let (prose, structured, is_error) =
                shelf.home.call(tool, json!({ "service": "radarr", argument: 7 })).await;
            assert!(!is_error && prose.ends_with(&object), "{prose}");
            assert_eq!(structured.get(member).is_some(), is_held, "{number} {structured}");
        }
        shelf.arr.forget_rules();
    }
}
