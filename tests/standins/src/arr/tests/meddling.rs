//! What somebody else, the network or a fault does to profiles and formats while one works at them.

use serde_json::json;

use super::*;
use crate::Misbehaviour;

const PUT_PROFILE: &str = "PUT */qualityprofile/*";
const POST_FORMAT: &str = "POST */customformat";

fn demo(kind: ArrKind) -> ArrStandin {
    ArrStandin::start(kind, Library::empty(kind))
}

fn hdr() -> Value {
    json!({ "name": "HDR10", "specifications": [{ "name": "HDR", "implementation": "ReleaseTitleSpecification",
        "fields": [{ "name": "value", "value": "HDR" }] }] })
}

/// The first profile with upgrades turned round, and whether the application has it like this.
fn turned(arr: &ArrStandin) -> Value {
    let mut profile = arr.profiles()[0].clone();
    profile["upgradeAllowed"] = json!(!profile["upgradeAllowed"].as_bool().unwrap());
    profile
}

fn put_request(arr: &ArrStandin, profile: &Value) -> RequestBuilder {
    request(arr, Method::PUT, &format!("{}/qualityprofile/1", arr.kind().api_base())).json(profile)
}

#[tokio::test]
async fn somebody_edits_between_the_last_look_and_the_write() {
    for kind in ArrKind::ALL {
        let arr = demo(kind);
        arr.prefer_before(PUT_PROFILE, 1, |preferences| {
            preferences.edit_profile(1, |profile| profile["name"] = json!("Theirs"));
        });
        let profile = get(&arr, "qualityprofile/1").await;
        let (status, _) = put(&arr, "qualityprofile/1", &profile).await;
        assert_eq!((status, &arr.profiles()[0]["name"]), (StatusCode::ACCEPTED, &profile["name"]), "the last one wins");
        arr.prefer_before(PUT_PROFILE, 1, |preferences| {
            preferences.add_format(hdr());
        });
        let (status, refusal) = put(&arr, "qualityprofile/1", &profile).await;
        assert_eq!((status, &refusal[0]["propertyName"]), (StatusCode::BAD_REQUEST, &json!("FormatItems")));
        assert_eq!(arr.n_settings_writes(), SettingsWrites { n_accepted: 1, n_refused: 1 });
    }
}

#[tokio::test]
async fn somebody_edits_right_after_the_nth_look() {
    let arr = demo(ArrKind::Sonarr);
    arr.prefer_after("GET */customformat", 2, |preferences| {
        preferences.edit_format(1, |format| format["name"] = json!("Theirs"));
    });
    let names = [get(&arr, "customformat").await, get(&arr, "customformat").await, get(&arr, "customformat").await];
    let names = names.map(|formats| formats[0]["name"].clone());
    assert_eq!(names, [json!("x265 (HD)"), json!("x265 (HD)"), json!("Theirs")]);
    assert_eq!(arr.profiles()[0]["formatItems"][0]["name"], "Theirs");
}

#[tokio::test]
async fn a_write_silently_changes_something_else() {
    let arr = demo(ArrKind::Radarr);
    arr.prefer_after(PUT_PROFILE, 1, |preferences| {
        preferences.edit_profile(1, |profile| profile["minFormatScore"] = json!(-7));
    });
    let wanted = turned(&arr);
    assert_eq!(put(&arr, "qualityprofile/1", &wanted).await, (StatusCode::ACCEPTED, wanted.clone()));
    let found = get(&arr, "qualityprofile/1").await;
    assert_eq!((&found["upgradeAllowed"], &found["minFormatScore"]), (&wanted["upgradeAllowed"], &json!(-7)));
}

#[tokio::test]
async fn the_answer_to_a_write_that_was_made_is_lost() {
    let arr = demo(ArrKind::Radarr);
    let other = arr.profiles()[1].to_string();
    for body in [String::new(), "{\"name\": ".to_owned(), other] {
        let wanted = turned(&arr);
        arr.do_but_answer(PUT_PROFILE, 202, body.clone());
        let answer = put_request(&arr, &wanted).send().await.unwrap();
        assert_eq!((answer.status(), answer.text().await.unwrap()), (StatusCode::ACCEPTED, body));
        assert_eq!(arr.profiles()[0], wanted);
        arr.forget_rules();
    }
    for lost in [Misbehaviour::DoneButLost, Misbehaviour::CutOff, Misbehaviour::DoneButFailing { status: 500 }] {
        let wanted = turned(&arr);
        arr.misbehave_once(PUT_PROFILE, lost);
        let answer = async { put_request(&arr, &wanted).send().await?.error_for_status()?.bytes().await };
        assert!(answer.await.is_err(), "{lost:?}");
        assert_eq!(arr.profiles()[0], wanted);
    }
    assert_eq!(arr.n_settings_writes(), SettingsWrites { n_accepted: 6, n_refused: 0 });
    let text = turned(&arr).to_string();
    let sent = request(&arr, Method::PUT, "/api/v3/qualityprofile/1").header("Content-Type", "application/json");
    sent.body(text.replace("\"cutoff\":", " \"cutoff\": ")).send().await.unwrap();
    assert!(arr.requests().last().unwrap().text().contains(" \"cutoff\": "), "it is remembered to the letter");
}

#[tokio::test]
async fn a_write_that_was_not_made_is_lost_or_refused() {
    let refusals = [
        Misbehaviour::HungUp,
        Misbehaviour::Unauthorised,
        Misbehaviour::Forbidden,
        Misbehaviour::Failing { status: 404 },
        Misbehaviour::Failing { status: 409 },
        Misbehaviour::Failing { status: 500 },
        Misbehaviour::Failing { status: 503 },
    ];
    let arr = demo(ArrKind::Lidarr);
    let before = arr.profiles();
    for refusal in refusals {
        arr.misbehave_once(PUT_PROFILE, refusal);
        let answer = put_request(&arr, &turned(&arr)).send().await;
        let status = answer.ok().map(|answer| answer.status().as_u16());
        let expected = match refusal {
            Misbehaviour::Unauthorised => Some(401),
            Misbehaviour::Forbidden => Some(403),
            Misbehaviour::Failing { status } => Some(status),
            _ => None,
        };
        assert_eq!((status, arr.profiles()), (expected, before.clone()), "{refusal:?}");
    }
    assert_eq!(arr.n_settings_writes(), SettingsWrites { n_accepted: 0, n_refused: refusals.len() });
    assert_eq!(arr.n_settings_writes().n_all(), refusals.len());
}

#[tokio::test]
async fn a_refusal_can_be_any_bytes() {
    let arr = demo(ArrKind::Radarr);
    let issue = json!({ "propertyName": "Name", "errorMessage": format!("see {} with {}", arr.url(), arr.api_key()) });
    let long = vec![b' '; 70 * 1024];
    for body in [Value::Array(vec![issue; 21]).to_string().into_bytes(), long, vec![0xff, 0xfe], b"[] []".to_vec()] {
        arr.answer_bytes_instead(PUT_PROFILE, 400, body.clone());
        let answer = put_request(&arr, &turned(&arr)).send().await.unwrap();
        assert_eq!((answer.status(), answer.bytes().await.unwrap().to_vec()), (StatusCode::BAD_REQUEST, body));
    }
    assert_eq!(arr.n_settings_writes(), SettingsWrites { n_accepted: 0, n_refused: 4 });
}

#[tokio::test]
async fn a_format_is_created_under_another_number_than_it_is_told() {
    let arr = demo(ArrKind::Radarr);
    arr.alter_nth(POST_FORMAT, 1, |format| format["id"] = json!(7));
    let (status, told) = post(&arr, "customformat", &hdr()).await;
    assert_eq!((status, &told["id"], &arr.formats()[5]["id"]), (StatusCode::CREATED, &json!(7), &json!(6)));
}

#[tokio::test]
async fn a_profile_lists_what_is_new_wrongly() {
    let arr = demo(ArrKind::Radarr);
    for (listing, scores) in [(Listing::AtScore(10), &[10][..]), (Listing::Twice, &[0, 0]), (Listing::NotAtAll, &[])] {
        arr.list_new_formats(4, listing);
        let mut format = hdr();
        format["name"] = json!(format!("{listing:?}"));
        let id = post(&arr, "customformat", &format).await.1["id"].clone();
        let profiles = get(&arr, "qualityprofile").await;
        let of = |at: usize| -> Vec<i64> {
            let entries = profiles[at]["formatItems"].as_array().unwrap().iter().filter(|entry| entry["format"] == id);
            entries.map(|entry| entry["score"].as_i64().unwrap()).collect()
        };
        assert_eq!((of(0), of(1), of(2)), (vec![0], scores.to_vec(), vec![0]), "{listing:?}");
    }
}

#[tokio::test]
async fn a_write_hangs_before_it_is_made_and_never_is_when_the_client_goes_away() {
    let arr = demo(ArrKind::Radarr);
    let (before, wanted) = (arr.profiles(), turned(&arr));
    arr.misbehave_once(PUT_PROFILE, Misbehaviour::SlowToStart);
    let asked = tokio::spawn(put_request(&arr, &wanted).send());
    arr.until_held(1).await;
    assert_eq!(arr.profiles(), before);
    asked.abort();
    arr.until_none_is_held().await;
    arr.release();
    get(&arr, "customformat").await;
    assert_eq!(arr.profiles(), before);
    assert_eq!(arr.n_settings_writes(), SettingsWrites { n_accepted: 0, n_refused: 1 });

    arr.misbehave_once(PUT_PROFILE, Misbehaviour::SlowToStart);
    let asked = tokio::spawn(put_request(&arr, &wanted).send());
    arr.until_held(1).await;
    arr.release();
    assert_eq!((asked.await.unwrap().unwrap().status(), &arr.profiles()[0]), (StatusCode::ACCEPTED, &wanted));
}

#[tokio::test]
async fn a_write_hangs_after_it_was_made() {
    let arr = demo(ArrKind::Chaptarr);
    let wanted = turned(&arr);
    arr.misbehave_once(PUT_PROFILE, Misbehaviour::Slow);
    let asked = tokio::spawn(put_request(&arr, &wanted).send());
    arr.until_held(1).await;
    assert_eq!(arr.profiles()[0], wanted);
    asked.abort();
    arr.until_none_is_held().await;
    assert_eq!(arr.profiles()[0], wanted);
}

#[tokio::test]
async fn only_the_nth_of_some_calls_fails() {
    let arr = demo(ArrKind::Lidarr);
    arr.misbehave_nth("GET */qualityprofile", 3, Misbehaviour::Failing { status: 502 });
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(send(request(&arr, Method::GET, "/api/v1/qualityprofile")).await.0.as_u16());
    }
    assert_eq!(statuses, [200, 200, 502, 200]);
}

#[tokio::test]
async fn an_old_build_has_no_formats() {
    let arr = demo(ArrKind::Sonarr);
    arr.no_custom_formats();
    for path in ["/api/v3/customformat", "/api/v3/customformat/1"] {
        assert_eq!(send(request(&arr, Method::GET, path)).await, (StatusCode::NOT_FOUND, Value::Null));
    }
    assert_eq!(post(&arr, "customformat", &hdr()).await.0, StatusCode::NOT_FOUND);
    get(&arr, "qualityprofile").await;
}

#[tokio::test]
async fn a_language_is_called_otherwise() {
    let arr = demo(ArrKind::Radarr);
    arr.rename_language(-2, "As It Was");
    let languages = get(&arr, "language").await;
    let renamed = languages.as_array().unwrap().iter().find(|language| language["id"] == -2).unwrap();
    assert_eq!(renamed, &json!({ "id": -2, "name": "As It Was", "nameLower": "as it was" }));
    assert_eq!(get(&arr, "qualityprofile/4").await["language"]["name"], "As It Was");
    let text = get(&arr, "customformat").await.to_string();
    assert!(!text.contains("As It Was"), "conditions keep the list that they were written with");
}

#[tokio::test]
async fn what_somebody_does_may_break_every_rule() {
    let arr = demo(ArrKind::Radarr);
    arr.edit_profile(4, |profile| {
        profile["tomorrow"] = json!({ "deep": [1] });
        profile.as_object_mut().unwrap().remove("id");
    });
    let found = get_whatever(&arr, "qualityprofile/4").await;
    assert_eq!((&found["tomorrow"]["deep"][0], found.get("id")), (&json!(1), None));
    let twin = arr.add_format(json!({ "name": "BR-DISK", "specifications": [] }));
    let nameless = arr.add_format(json!({ "specifications": 7 }));
    assert_eq!((twin, nameless), (6, 7));
    let formats = get_whatever(&arr, "customformat").await;
    assert_eq!((&formats[5]["name"], formats[6].get("name")), (&json!("BR-DISK"), None));
    assert_eq!(formats[6]["specifications"], 7);
    arr.remove_format(nameless);
    arr.prefer(|preferences| preferences.remove_profile(5));
    assert_eq!((arr.formats().len(), arr.profiles().len()), (6, 2));
    let listed = arr.profiles()[0]["formatItems"].as_array().unwrap().iter().any(|entry| entry["format"] == nameless);
    assert!(!listed);
}

async fn get_whatever(arr: &ArrStandin, call: &str) -> Value {
    send(request(arr, Method::GET, &format!("{}/{call}", arr.kind().api_base()))).await.1
}

#[tokio::test]
async fn the_last_format_takes_the_scores_with_it() {
    let arr = demo(ArrKind::Lidarr);
    (1..=4).for_each(|id| arr.remove_format(id));
    let lossless = get(&arr, "qualityprofile/2").await;
    assert_eq!((&lossless["formatItems"], &lossless["minFormatScore"]), (&json!([]), &json!(0)));
    assert_eq!(put(&arr, "qualityprofile/2", &lossless).await.0, StatusCode::ACCEPTED);
}
