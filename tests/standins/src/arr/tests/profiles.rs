//! Quality profiles: what is answered, what is refused, what is kept.

use serde_json::json;

use super::*;

fn demo(kind: ArrKind) -> ArrStandin {
    ArrStandin::start(kind, Library::empty(kind))
}

/// A profile that has an upgrade in it.
async fn profile(arr: &ArrStandin) -> Value {
    get(arr, if arr.kind() == ArrKind::Lidarr { "qualityprofile/2" } else { "qualityprofile/1" }).await
}

/// What is said against a profile that was changed like this.
async fn refusals(kind: ArrKind, change: impl FnOnce(&mut Value)) -> Vec<(String, Value)> {
    let arr = demo(kind);
    let mut changed = profile(&arr).await;
    let id = changed["id"].clone();
    change(&mut changed);
    let before = arr.profiles();
    let (status, body) = put(&arr, &format!("qualityprofile/{id}"), &changed).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
    assert_eq!(arr.profiles(), before, "nothing of what is refused is kept");
    assert_eq!(arr.n_settings_writes(), SettingsWrites { n_accepted: 0, n_refused: 1 });
    let entries = body.as_array().unwrap_or_else(|| panic!("a list of rules: {body}"));
    entries
        .iter()
        .map(|entry| (entry["propertyName"].as_str().unwrap().to_owned(), entry["attemptedValue"].clone()))
        .collect()
}

async fn refused(kind: ArrKind, change: impl FnOnce(&mut Value)) -> Vec<String> {
    refusals(kind, change).await.into_iter().map(|(property, _)| property).collect()
}

#[tokio::test]
async fn what_was_read_can_be_put_back_and_changes_nothing() {
    for kind in ArrKind::ALL {
        let arr = demo(kind);
        for profile in get(&arr, "qualityprofile").await.as_array().unwrap() {
            let path = format!("qualityprofile/{}", profile["id"]);
            assert_eq!(get(&arr, &path).await, *profile);
            let (status, stored) = put(&arr, &path, profile).await;
            assert_eq!((status, &stored), (StatusCode::ACCEPTED, profile), "{}", kind.name());
            assert_eq!(get(&arr, &path).await, *profile);
        }
        assert_eq!(arr.violations(), []);
        assert_eq!(arr.n_settings_writes().n_refused, 0);
    }
}

#[tokio::test]
async fn a_change_is_kept_and_the_stored_profile_is_the_answer() {
    for kind in ArrKind::ALL {
        let arr = demo(kind);
        let mut changed = profile(&arr).await;
        let path = format!("qualityprofile/{}", changed["id"]);
        changed["upgradeAllowed"] = json!(!changed["upgradeAllowed"].as_bool().unwrap());
        changed["formatItems"][0]["score"] = json!(25);
        changed["formatItems"][0]["name"] = json!("another name is nobody's business");
        changed["not_known"] = json!(true);
        let (status, stored) = put(&arr, &path, &changed).await;
        assert_eq!(status, StatusCode::ACCEPTED, "{stored}");
        assert_eq!((&stored["formatItems"][0]["score"], stored.get("not_known")), (&json!(25), None));
        assert_eq!(stored["formatItems"][0]["name"], arr.formats()[0]["name"], "the name follows the number");
        assert_eq!(get_quietly(&arr, &path).await, stored);
    }
}

/// A call whose predecessor sent more than the description knows.
async fn get_quietly(arr: &ArrStandin, call: &str) -> Value {
    arr.forget_violations();
    get(arr, call).await
}

#[tokio::test]
async fn each_application_has_members_of_its_own() {
    for kind in ArrKind::ALL {
        let profile = profile(&demo(kind)).await;
        let is_film = kind == ArrKind::Radarr;
        let is_picture = is_film || kind == ArrKind::Sonarr;
        assert_eq!(profile["language"].is_object(), is_film);
        assert_eq!(profile["minUpgradeFormatScore"].is_number(), is_picture);
        assert_eq!(profile["profileType"].is_string(), kind == ArrKind::Chaptarr);
        assert_eq!(profile["items"][0]["minSize"].is_number(), kind == ArrKind::Sonarr);
        assert_eq!(profile["items"][0]["quality"]["modifier"].is_string(), is_film);
        let zero = profile["items"].as_array().unwrap().iter().find(|item| item["quality"]["id"] == 0).unwrap();
        assert!(zero["items"].as_array().unwrap().is_empty() && zero.get("id").is_none() && zero.get("name").is_none());
    }
}

#[tokio::test]
async fn answers_are_indented_and_leave_out_what_is_null() {
    let arr = demo(ArrKind::Sonarr);
    let text = request(&arr, Method::GET, "/api/v3/qualityprofile/4").send().await.unwrap().text().await.unwrap();
    assert!(
        text.starts_with("{\n  \"name\": \"HD-1080p\",\n  \"upgradeAllowed\": true,\n  \"cutoff\": 1002,\n"),
        "{text}"
    );
    assert!(text.ends_with("\n  \"id\": 4\n}") && !text.contains("null"));
    for size in ["\"maxSize\": 258.1", "\"minSize\": 35\n", "\"preferredSize\": 95.5", "\"minSize\": 4.3"] {
        assert!(text.contains(size), "{size} in {text}");
    }
}

#[tokio::test]
async fn every_quality_is_in_a_profile_once() {
    for kind in ArrKind::ALL {
        let dropped = refused(kind, |profile| drop(profile["items"].as_array_mut().unwrap().remove(0))).await;
        assert!(dropped.contains(&"Items".to_owned()));
        let twice = refused(kind, |profile| {
            let first = profile["items"][0].clone();
            profile["items"].as_array_mut().unwrap().push(first);
        });
        assert_eq!(twice.await, ["Items"], "{}", kind.name());
        let invented = refused(kind, |profile| {
            profile["items"].as_array_mut().unwrap().push(json!({ "quality": { "id": 99 }, "allowed": true }));
        });
        assert!(!invented.await.is_empty());
        let none = refused(kind, |profile| {
            profile["items"].as_array_mut().unwrap().iter_mut().for_each(|item| item["allowed"] = json!(false));
        });
        assert_eq!(none.await, ["Cutoff", "Items"]);
    }
}

#[tokio::test]
async fn a_group_has_a_number_a_name_and_members() {
    let group =
        |profile: &mut Value| profile["items"].as_array().unwrap().iter().position(|item| item["id"] == 1003).unwrap();
    type Change = fn(&mut Value);
    let changes: [Change; 3] =
        [|group| group["name"] = json!(" "), |group| group["id"] = json!(0), |group| group["id"] = json!(1000)];
    for kind in [ArrKind::Radarr, ArrKind::Sonarr] {
        for change in changes {
            let refused = refused(kind, |profile| {
                let at = group(profile);
                change(&mut profile["items"][at]);
            });
            assert_eq!(refused.await, ["Items"]);
        }
        let alone = refused(kind, |profile| {
            let at = group(profile);
            let member = profile["items"][at]["items"].as_array_mut().unwrap().pop().unwrap();
            profile["items"].as_array_mut().unwrap().push(member);
        });
        assert_eq!(alone.await, ["Items"]);
        assert_eq!(refused(kind, |profile| profile["items"][0]["name"] = json!("mine")).await, ["Items"]);
    }
}

#[tokio::test]
async fn only_what_is_allowed_at_the_top_can_be_the_cutoff() {
    // In a group, not allowed, nowhere.
    for cutoff in [3, 0, 4711] {
        let refused = refusals(ArrKind::Radarr, |profile| profile["cutoff"] = json!(cutoff)).await;
        assert_eq!(refused, [("Cutoff".to_owned(), json!(cutoff))]);
    }
    let arr = demo(ArrKind::Chaptarr);
    let mut books = get(&arr, "qualityprofile/1").await;
    books["cutoff"] = json!(0);
    assert_eq!(put(&arr, "qualityprofile/1", &books).await.0, StatusCode::ACCEPTED, "a quality may have the number 0");
}

#[tokio::test]
async fn scores_are_such_that_a_release_can_have_them() {
    for kind in ArrKind::ALL {
        let refused = refusals(kind, |profile| {
            profile["minFormatScore"] = json!(100);
            profile["formatItems"][0]["score"] = json!(60);
            profile["formatItems"][1]["score"] = json!(39);
            let others = profile["formatItems"].as_array_mut().unwrap().iter_mut().skip(2);
            others.for_each(|entry| entry["score"] = json!(-5));
        });
        assert_eq!(refused.await, [(String::new(), Value::Null)], "it is said of the whole");
    }
    for kind in [ArrKind::Radarr, ArrKind::Sonarr] {
        let refused = refused(kind, |profile| profile["minUpgradeFormatScore"] = json!(0));
        assert_eq!(refused.await, ["MinUpgradeFormatScore"]);
    }
}

#[tokio::test]
async fn every_format_is_in_a_profile_once_and_no_other_is() {
    for kind in ArrKind::ALL {
        let list =
            |profile: &mut Value, change: fn(&mut Vec<Value>)| change(profile["formatItems"].as_array_mut().unwrap());
        let changes: [fn(&mut Vec<Value>); 3] = [
            |list| drop(list.pop()),
            |list| list.push(list[0].clone()),
            |list| list.push(json!({ "format": 99, "name": "x", "score": 0 })),
        ];
        for change in changes {
            let refused = refused(kind, |profile| {
                profile["minFormatScore"] = json!(0);
                list(profile, change);
            });
            assert_eq!(refused.await, ["FormatItems"], "{}", kind.name());
        }
    }
}

#[tokio::test]
async fn a_profile_is_called_something_and_is_the_one_of_its_address() {
    assert_eq!(refused(ArrKind::Lidarr, |profile| profile["name"] = json!("  ")).await, ["Name"]);
    assert_eq!(refused(ArrKind::Lidarr, |profile| profile["id"] = json!(3)).await, ["Id"]);
    assert_eq!(refused(ArrKind::Lidarr, |profile| drop(profile.as_object_mut().unwrap().remove("id"))).await, ["Id"]);
    let several = refused(ArrKind::Radarr, |profile| {
        profile["name"] = json!("");
        profile["cutoff"] = json!(-1);
        profile["language"] = json!({ "id": 777, "name": "English" });
    });
    assert_eq!(several.await, ["Name", "Cutoff", "Language"], "all rules are looked at");
    let heard = refused(ArrKind::Chaptarr, |profile| profile["profileType"] = json!("audiobook"));
    assert_eq!(heard.await, ["Items"], "text is not heard");
}

#[tokio::test]
async fn a_wrong_type_is_told_by_the_framework() {
    let arr = demo(ArrKind::Radarr);
    let wrong = [
        ("cutoff", json!("7"), "$.cutoff"),
        ("upgradeAllowed", json!(1), "$.upgradeAllowed"),
        ("minFormatScore", json!(1.5), "$.minFormatScore"),
        ("items", json!({}), "$.items"),
        ("formatItems", json!([{ "format": null }]), "$.formatItems[0].format"),
        ("language", json!(1), "$.language"),
    ];
    for (name, value, path) in wrong {
        let mut profile = profile_of(&arr);
        profile[name] = value;
        let (status, body) = put(&arr, "qualityprofile/1", &profile).await;
        assert_eq!((status, body["errors"][path].is_array()), (StatusCode::BAD_REQUEST, true), "{body}");
        assert_eq!(body["status"], 400);
    }
}

fn profile_of(arr: &ArrStandin) -> Value {
    arr.profiles()[0].clone()
}

#[tokio::test]
async fn what_is_not_said_is_reset_and_not_kept() {
    let arr = demo(ArrKind::Sonarr);
    let mut profile = get(&arr, "qualityprofile/4").await;
    for name in ["upgradeAllowed", "cutoffFormatScore"] {
        profile.as_object_mut().unwrap().remove(name);
    }
    let (_, stored) = put(&arr, "qualityprofile/4", &profile).await;
    assert_eq!((&stored["upgradeAllowed"], &stored["cutoffFormatScore"]), (&json!(false), &json!(0)));
}

#[tokio::test]
async fn a_profile_that_there_is_not_is_404() {
    for kind in ArrKind::ALL {
        let arr = demo(kind);
        let mut profile = profile(&arr).await;
        profile["id"] = json!(99);
        for (status, body) in [
            put(&arr, "qualityprofile/99", &profile).await,
            send(request(&arr, Method::GET, &format!("{}/qualityprofile/99", kind.api_base()))).await,
        ] {
            assert_eq!((status, body["message"].is_string()), (StatusCode::NOT_FOUND, true));
        }
        assert_eq!(arr.n_settings_writes().n_refused, 1);
    }
}

#[tokio::test]
async fn books_have_profiles_for_each_sort() {
    let arr = demo(ArrKind::Chaptarr);
    let heard = get(&arr, "qualityprofile?mediaType=audiobook").await;
    assert_eq!(heard.as_array().unwrap().iter().map(|profile| &profile["name"]).collect::<Vec<_>>(), ["Spoken"]);
    let id = arr.add_format(json!({ "name": "Narrators", "appliesTo": "audiobook", "specifications": [
        { "name": "x", "implementation": "ReleaseTitleSpecification", "fields": [{ "name": "value", "value": "x" }] }] }));
    let lists = |profile: &Value| profile["formatItems"].as_array().unwrap().iter().any(|entry| entry["format"] == id);
    assert_eq!(arr.profiles().iter().map(lists).collect::<Vec<_>>(), [false, true]);
    let (status, _) = put(&arr, "qualityprofile/1", &profile_of(&arr)).await;
    assert_eq!(status, StatusCode::ACCEPTED, "what is not for it does not have to be in it");
    for (sort, listed) in [("ebook", [true, false]), ("both", [true, true])] {
        let mut format = get(&arr, &format!("customformat/{id}")).await;
        format["appliesTo"] = json!(sort);
        assert_eq!(put(&arr, &format!("customformat/{id}"), &format).await.0, StatusCode::ACCEPTED);
        assert_eq!(arr.profiles().iter().map(lists).collect::<Vec<_>>(), listed, "{sort}");
    }
}
