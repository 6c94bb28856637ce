//! Custom formats: what is refused, and how what is taken is kept.

use std::{fs, path::PathBuf};

use serde_json::json;

use super::*;
use crate::{arr::description::Description, at_hand};

fn demo(kind: ArrKind) -> ArrStandin {
    ArrStandin::start(kind, Library::empty(kind))
}

fn condition(implementation: &str, value: impl Into<Value>) -> Value {
    let value = value.into();
    json!({ "name": "It", "implementation": implementation, "fields": [{ "name": "value", "value": value }] })
}

fn format(conditions: &[Value]) -> Value {
    json!({ "name": "HDR10", "specifications": conditions })
}

/// The properties that are complained about, of a format that is refused.
async fn refused(arr: &ArrStandin, sent: &Value) -> Vec<String> {
    let before = (arr.formats(), arr.profiles());
    let (status, body) = post(arr, "customformat", sent).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
    assert_eq!((arr.formats(), arr.profiles()), before);
    let entries = body.as_array().unwrap_or_else(|| panic!("a list of rules: {body}"));
    entries.iter().map(|entry| entry["propertyName"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_new_format_enters_every_profile_without_a_score() {
    for kind in ArrKind::ALL {
        let arr = demo(kind);
        let (status, stored) =
            post(&arr, "customformat", &format(&[condition("ReleaseTitleSpecification", "HDR")])).await;
        assert_eq!(status, StatusCode::CREATED, "{stored}");
        let id = &stored["id"];
        assert_eq!(get(&arr, &format!("customformat/{id}")).await, stored);
        assert_eq!(get(&arr, "customformat").await.as_array().unwrap().last(), Some(&stored));
        for profile in get(&arr, "qualityprofile").await.as_array().unwrap() {
            let entries: Vec<&Value> =
                profile["formatItems"].as_array().unwrap().iter().filter(|entry| entry["format"] == *id).collect();
            assert_eq!(entries, [&json!({ "format": id, "name": "HDR10", "score": 0 })]);
        }
        assert_eq!(arr.n_settings_writes(), SettingsWrites { n_accepted: 1, n_refused: 0 });
    }
}

#[tokio::test]
async fn what_is_kept_is_what_the_application_makes_of_it() {
    let arr = demo(ArrKind::Radarr);
    let sent = json!({ "trash_id": "1", "trash_scores": { "default": 5 }, "id": 4711, "NAME": "Not English", "specifications": [
        { "name": "English", "implementation": "LanguageSpecification", "implementationName": "sent", "infoLink": "sent",
          "trash_id": 1, "negate": true, "required": false, "fields": [{ "name": "value", "value": 1, "label": "sent" }] }] });
    let (status, stored) = post(&arr, "customformat", &sent).await;
    assert_eq!(status, StatusCode::CREATED);
    let names: Vec<&String> = stored.as_object().unwrap().keys().collect();
    assert_eq!(names, ["id", "includeCustomFormatWhenRenaming", "name", "specifications"]);
    assert_eq!((&stored["id"], &stored["includeCustomFormatWhenRenaming"]), (&json!(6), &json!(false)));
    let condition = &stored["specifications"][0];
    assert_eq!((&condition["implementationName"], &condition["negate"]), (&json!("Language"), &json!(true)));
    let fields = condition["fields"].as_array().unwrap();
    assert_eq!(fields.len(), 2, "what was not said is there all the same");
    assert_eq!((&fields[1]["name"], &fields[1]["value"]), (&json!("exceptLanguage"), &json!(false)));
    assert_eq!(
        (&fields[0]["label"], &fields[0]["order"], &fields[0]["privacy"]),
        (&json!("Language"), &json!(0), &json!("normal"))
    );
    let any = fields[0]["selectOptions"].as_array().unwrap().iter().find(|option| option["value"] == -1).unwrap();
    assert_eq!(any, &json!({ "value": -1, "name": "Any", "order": 0, "dividerAfter": false }));
}

#[tokio::test]
async fn a_change_replaces_the_format_and_its_name_in_every_profile() {
    for kind in ArrKind::ALL {
        let arr = demo(kind);
        let mut changed = get(&arr, "customformat/1").await;
        changed["name"] = json!("Otherwise");
        changed["specifications"] = json!([condition("ReleaseGroupSpecification", "^X$")]);
        let (status, stored) = put(&arr, "customformat/1", &changed).await;
        assert_eq!((status, &stored["id"]), (StatusCode::ACCEPTED, &json!(1)), "{stored}");
        assert_eq!(stored["specifications"][0]["implementationName"], "Release Group");
        assert_eq!(get(&arr, "customformat/1").await, stored);
        let profiles = get(&arr, "qualityprofile").await;
        assert!(profiles.as_array().unwrap().iter().all(|profile| profile["formatItems"][0]["name"] == "Otherwise"));
        let (status, again) = put(&arr, "customformat/1", &stored).await;
        assert_eq!((status, again), (StatusCode::ACCEPTED, stored), "its own name is not another's");
    }
}

#[tokio::test]
async fn names_are_unique_to_the_letter_and_not_blank() {
    let arr = demo(ArrKind::Sonarr);
    let named = |name: &str| json!({ "name": name, "specifications": [condition("ReleaseTitleSpecification", "x")] });
    assert_eq!(refused(&arr, &named("Season Pack")).await, ["Name"]);
    assert_eq!(refused(&arr, &named(" ")).await, ["Name"]);
    for (name, id) in [("season pack", 6), (" Season Pack ", 7)] {
        let (status, stored) = post(&arr, "customformat", &named(name)).await;
        assert_eq!((status, &stored["name"], &stored["id"]), (StatusCode::CREATED, &json!(name), &json!(id)));
    }
    let mut taken = get(&arr, "customformat/1").await;
    taken["name"] = json!("Season Pack");
    assert_eq!(put(&arr, "customformat/1", &taken).await.1[0]["propertyName"], "Name");
}

#[tokio::test]
async fn case_24_a_format_without_conditions_is_refused_and_that_is_said_of_the_whole_too() {
    for kind in ArrKind::ALL {
        let arr = demo(kind);
        assert_eq!(refused(&arr, &format(&[])).await, ["Specifications", ""]);
        assert_eq!(refused(&arr, &json!({ "name": "HDR10" })).await, ["Specifications", ""]);
        let mut nameless = condition("ReleaseTitleSpecification", "x");
        nameless["name"] = json!("\t");
        assert_eq!(refused(&arr, &format(&[nameless])).await, [""]);
    }
}

#[tokio::test]
async fn a_condition_is_one_that_this_application_has() {
    let arr = demo(ArrKind::Radarr);
    assert_eq!(refused(&arr, &format(&[condition("ReleaseTypeSpecification", 3)])).await, ["Implementation"]);
    for kind in [ArrKind::Lidarr, ArrKind::Chaptarr] {
        let sent = format(&[condition("LanguageSpecification", 1)]);
        assert_eq!(refused(&demo(kind), &sent).await, ["Implementation"]);
    }
    let odd = json!({ "name": "It", "implementation": "ReleaseTitleSpecification",
        "fields": [{ "name": "value", "value": "x" }, { "name": "colour", "value": "red" }] });
    assert_eq!(refused(&arr, &format(std::slice::from_ref(&odd))).await, ["Fields"]);

    arr.read_conditions_leniently();
    let (status, body) = post(&arr, "customformat", &format(&[condition("ReleaseTypeSpecification", 3)])).await;
    assert_eq!((status, body["message"].is_string()), (StatusCode::INTERNAL_SERVER_ERROR, true));
    let (status, stored) = post(&arr, "customformat", &format(&[odd])).await;
    let fields = stored["specifications"][0]["fields"].as_array().unwrap();
    assert_eq!((status, fields.len()), (StatusCode::CREATED, 1), "passed over");
}

#[tokio::test]
async fn a_value_is_one_that_there_is() {
    let arr = demo(ArrKind::Radarr);
    let wrong = [
        condition("ReleaseTitleSpecification", ""),
        condition("LanguageSpecification", 777),
        condition("SourceSpecification", 99),
        condition("IndexerFlagSpecification", 3),
    ];
    for condition in wrong {
        assert_eq!(refused(&arr, &format(&[condition])).await, ["Value"]);
    }
    let sized = |least: f64, most: f64| {
        format(&[json!({ "name": "It", "implementation": "SizeSpecification",
            "fields": [{ "name": "min", "value": least }, { "name": "max", "value": most }] })])
    };
    assert_eq!(refused(&arr, &sized(-1.0, 2.0)).await, ["Min"]);
    assert_eq!(refused(&arr, &sized(2.0, 2.0)).await, ["Max"]);
    let (status, stored) = post(&arr, "customformat", &sized(1.0, 2.5)).await;
    let fields = &stored["specifications"][0]["fields"];
    assert_eq!((status, fields[0]["value"].to_string()), (StatusCode::CREATED, "1".to_owned()));
    assert_eq!((fields[1]["value"].to_string(), &fields[1]["isFloat"]), ("2.5".to_owned(), &json!(true)));
}

#[tokio::test]
async fn fields_as_guides_write_them_and_other_wrong_types_are_told_by_the_framework() {
    let arr = demo(ArrKind::Sonarr);
    let guide = json!({ "name": "It", "implementation": "ReleaseTypeSpecification", "fields": { "value": 3 } });
    let object = json!({ "name": "It", "implementation": "LanguageSpecification", "fields": [{ "name": "value", "value": {} }] });
    for (sent, path) in [
        (format(&[guide]), "$.specifications[0].fields"),
        (format(&[object]), "$.specifications[0].fields[0].value"),
        (json!({ "name": 7, "specifications": [] }), "$.name"),
        (json!([]), "$"),
    ] {
        let (status, body) = post(&arr, "customformat", &sent).await;
        assert_eq!((status, body["errors"][path].is_array()), (StatusCode::BAD_REQUEST, true), "{body}");
    }
}

#[tokio::test]
async fn a_format_that_there_is_not_is_404_and_one_of_another_address_is_refused() {
    for kind in ArrKind::ALL {
        let arr = demo(kind);
        let mut format = get(&arr, "customformat/1").await;
        format["name"] = json!("Free");
        let (status, body) = put(&arr, "customformat/2", &format).await;
        assert_eq!((status, &body[0]["propertyName"]), (StatusCode::BAD_REQUEST, &json!("Id")));
        format["id"] = json!(99);
        let (status, body) = put(&arr, "customformat/99", &format).await;
        assert_eq!((status, body["message"].is_string()), (StatusCode::NOT_FOUND, true));
        assert_eq!(
            send(request(&arr, Method::GET, &format!("{}/customformat/99", kind.api_base()))).await.0,
            StatusCode::NOT_FOUND
        );
    }
}

/// What people pass on, with the application it is for.
fn guides() -> Vec<(ArrKind, PathBuf, Value)> {
    let Some(folder) = at_hand::find("arr-fixtures/trash") else {
        eprintln!("NOT CHECKED: no recorded custom formats at hand (arr-fixtures, in `shared` beside the repository)");
        return Vec::new();
    };
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    files
        .map(|path| {
            let is_radarr = path.file_name().unwrap().to_string_lossy().starts_with("radarr");
            let text = fs::read(&path).unwrap();
            (if is_radarr { ArrKind::Radarr } else { ArrKind::Sonarr }, path, serde_json::from_slice(&text).unwrap())
        })
        .collect()
}

/// The members that an object has.
fn members(value: &Value) -> Vec<&String> {
    value.as_object().unwrap().keys().collect()
}

#[tokio::test]
async fn what_people_pass_on_is_taken_and_kept_in_the_recorded_shape() {
    for (kind, path, guide) in guides() {
        let arr = demo(kind);
        arr.prefer(|preferences| (1..=5).for_each(|id| preferences.remove_format(id)));
        let mut sent = guide.clone();
        for condition in sent["specifications"].as_array_mut().unwrap() {
            let fields = condition["fields"].as_object().unwrap().iter();
            condition["fields"] = fields.map(|(name, value)| json!({ "name": name, "value": value })).collect();
        }
        let (status, stored) = post(&arr, "customformat", &sent).await;
        assert_eq!(status, StatusCode::CREATED, "{path:?}: {stored}");
        assert_eq!(arr.violations(), [], "{path:?}");
        let recorded =
            at_hand::find(&format!("arr-fixtures/{}/customformat.json", kind.name().to_lowercase())).unwrap();
        let recorded: Value = serde_json::from_slice(&fs::read(recorded).unwrap()).unwrap();
        assert_eq!(members(&stored), members(&recorded));
        let conditions = stored["specifications"].as_array().unwrap();
        assert_eq!(conditions.len(), guide["specifications"].as_array().unwrap().len());
        for (condition, told) in conditions.iter().zip(guide["specifications"].as_array().unwrap()) {
            assert_eq!(members(condition), members(&recorded["specifications"][0]), "{path:?}");
            for name in ["name", "implementation", "negate", "required"] {
                assert_eq!(condition[name], told[name], "{path:?}");
            }
            for (name, value) in told["fields"].as_object().unwrap() {
                let kept =
                    condition["fields"].as_array().unwrap().iter().find(|field| field["name"] == **name).unwrap();
                assert_eq!(&kept["value"], value, "{path:?}");
                let of_recorded = members(&recorded["specifications"][0]["fields"][0]);
                let lacks: Vec<_> =
                    of_recorded.into_iter().filter(|name| *name != "helpText" && kept.get(name).is_none()).collect();
                assert_eq!(lacks, [""; 0], "{path:?}");
            }
        }
        if let Some(description) = Description::of(kind) {
            let path = format!("{}/customformat", kind.api_base());
            assert_eq!(description.answer_faults("POST", &path, &stored), [""; 0]);
        }
        let (status, again) = put(&arr, &format!("customformat/{}", stored["id"]), &stored).await;
        assert_eq!((status, again), (StatusCode::ACCEPTED, stored), "what was kept is kept as it is");
    }
}
