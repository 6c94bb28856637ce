//! Making and changing custom formats.

use playhouse_library::answer::{Code, Outcome};
use playhouse_library::settings::{
    ConfirmFormat, ConfirmFormatInProfiles, ConfirmedFormat, FormatAction, HoldWrites, JsonText, NotConfirmed,
    PrepareFormat, PreparedFormat, ReleaseWrites, SendFormat,
};
use playhouse_standins::{ArrKind, Listing, Misbehaviour};
use serde_json::{Value, json};

use crate::home::{Shelf, id_of, title_condition, title_format};

const POST: &str = "POST */customformat";
const PUT: &str = "PUT */customformat/*";

async fn confirm(
    shelf: &Shelf,
    prepared: &PreparedFormat,
    answered_id: Option<i64>,
) -> Result<ConfirmedFormat, NotConfirmed> {
    let PreparedFormat { action, name, before, desired, .. } = prepared.clone();
    shelf.ask(ConfirmFormat { action, name, before, desired, answered_id }).await
}

/// The whole way, as it goes well.
async fn upsert(shelf: &Shelf, payload: &Value) -> ConfirmedFormat {
    let prepared = shelf.prepare_format(payload).await.unwrap();
    let answered = shelf.send_format(&prepared).await.unwrap();
    confirm(shelf, &prepared, answered).await.unwrap()
}

#[actix_rt::test]
async fn a_format_is_made_in_every_service_and_enters_every_profile_at_score_0() {
    for kind in ArrKind::ALL {
        let shelf = Shelf::of(kind).await;
        let prepared = shelf.prepare_format(&title_format("Lanterns", "lantern")).await.unwrap();
        assert_eq!((prepared.action, prepared.before.as_str()), (FormatAction::Create, "null"));
        let keys: Vec<&str> = prepared.fields.iter().map(|field| field.key.as_str()).collect();
        let expected = ["presence", "field:includeCustomFormatWhenRenaming", "field:name", "field:specifications"];
        assert_eq!(keys, expected);
        let answered = shelf.send_format(&prepared).await.unwrap();
        let confirmed = confirm(&shelf, &prepared, answered).await.unwrap();
        assert_eq!(answered, Some(confirmed.id), "{kind:?}");
        shelf.ask(ConfirmFormatInProfiles { id: confirmed.id }).await.unwrap();
        assert_eq!((shelf.n_writes(), shelf.arr.violations().len()), (1, 0), "{:?}", shelf.arr.violations());
    }
}

#[actix_rt::test]
async fn case_16_and_17_names_are_exact_and_blanks_are_part_of_them() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    for name in ["x265 (hd)", " x265 (HD) "] {
        let prepared = shelf.prepare_format(&title_format(name, "x")).await.unwrap();
        assert_eq!((prepared.action, prepared.name.as_str()), (FormatAction::Create, name));
    }
    let prepared = shelf.prepare_format(&title_format("x265 (HD)", "x")).await.unwrap();
    assert_eq!(prepared.action, FormatAction::Update { id: 1 });
}

#[actix_rt::test]
async fn case_18_fields_of_a_guide_become_a_list_by_name() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let payload = json!({ "name": "L", "specifications": [{ "name": "L", "implementation": "LanguageSpecification",
        "fields": { "value": 1, "exceptLanguage": false } }] });
    let prepared = shelf.prepare_format(&payload).await.unwrap();
    let listed = r#""fields":[{"name":"exceptLanguage","value":false},{"name":"value","value":1}]"#;
    assert!(prepared.desired.as_str().contains(listed), "{}", prepared.desired.as_str());
}

#[actix_rt::test]
async fn case_19_an_id_in_the_payload_means_nothing() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let mut payload = title_format("New", "x");
    payload["id"] = json!(999);
    assert!(!shelf.prepare_format(&payload).await.unwrap().desired.as_str().contains("999"));
    payload["name"] = json!("BR-DISK");
    let desired = shelf.prepare_format(&payload).await.unwrap().desired;
    assert_eq!(serde_json::from_str::<Value>(desired.as_str()).unwrap()["id"], 2);
}

#[actix_rt::test]
async fn case_20_the_same_conditions_in_another_order_change_nothing() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let mut payload = shelf.arr.formats()[0].clone();
    payload["specifications"].as_array_mut().unwrap().reverse();
    let prepared = shelf.prepare_format(&payload).await.unwrap();
    assert_eq!((prepared.action, prepared.fields), (FormatAction::Unchanged { id: 1 }, Vec::new()));
    let unfinished = shelf.send_format(&shelf.prepare_format(&payload).await.unwrap()).await.unwrap_err();
    assert_eq!((unfinished.code(), shelf.n_writes()), (Code::AlreadyMatches, 0));
}

#[actix_rt::test]
async fn case_21_what_the_service_stores_beside_it_is_sent_along() {
    let shelf = Shelf::of(ArrKind::Sonarr).await;
    shelf.arr.edit_format(2, |format| format["futureField"] = json!({ "a": [1.5, null] }));
    let prepared = shelf.prepare_format(&title_format("Season Pack", "pack")).await.unwrap();
    shelf.send_format(&prepared).await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&shelf.sent()).unwrap()["futureField"], json!({ "a": [1.5, null] }));
}

#[actix_rt::test]
async fn case_22_two_formats_of_the_name_leave_it_open_which_is_meant() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    shelf.arr.add_format(json!({ "name": "BR-DISK", "specifications": [] }));
    let words = shelf.format_refusal(&title_format("BR-DISK", "x")).await;
    assert!(words.contains("Two custom formats are called \"BR-DISK\""), "{words}");
}

#[actix_rt::test]
async fn case_23_a_format_without_a_name_keeps_every_other_from_being_changed() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    shelf.arr.edit_format(3, |format| format["name"] = Value::Null);
    shelf.format_refusal(&title_format("Anything", "x")).await;
    assert_eq!(shelf.n_writes(), 0);
}

#[actix_rt::test]
async fn case_24_a_format_without_conditions_is_the_services_to_refuse() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let prepared = shelf.prepare_format(&json!({ "name": "Empty", "specifications": [] })).await.unwrap();
    let unfinished = shelf.send_format(&prepared).await.unwrap_err();
    assert_eq!((unfinished.outcome(), unfinished.code()), (Outcome::NotStarted, Code::UpstreamStatus));
    assert!(unfinished.to_string().contains("returned status 400: "), "{unfinished}");
}

#[actix_rt::test]
async fn case_25_an_answer_without_a_body_is_no_failure() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    for (n, body) in ["", "{\"id\":", "[]", "{\"id\":7,\"name\":\"Another\"}"].into_iter().enumerate() {
        shelf.arr.do_but_answer(POST, 201, body);
        let prepared = shelf.prepare_format(&title_format(&format!("New {n}"), "x")).await.unwrap();
        assert_eq!(shelf.send_format(&prepared).await, Ok(None), "{body}");
        assert!(confirm(&shelf, &prepared, None).await.is_ok());
        shelf.arr.forget_rules();
    }
}

#[actix_rt::test]
async fn case_26_another_id_than_the_answer_had_is_no_confirmation() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    shelf.arr.do_but_answer(POST, 201, r#"{"id":77,"name":"New"}"#);
    let prepared = shelf.prepare_format(&title_format("New", "x")).await.unwrap();
    let answered = shelf.send_format(&prepared).await.unwrap();
    assert_eq!(answered, Some(77));
    assert!(confirm(&shelf, &prepared, answered).await.unwrap_err().words.contains("instead of 77"));
}

#[actix_rt::test]
async fn case_27_a_profile_that_lists_it_otherwise_is_no_confirmation() {
    for (listing, words) in
        [(Listing::AtScore(10), "at score +10"), (Listing::Twice, "more than once"), (Listing::NotAtAll, "not at all")]
    {
        let shelf = Shelf::of(ArrKind::Lidarr).await;
        shelf.arr.list_new_formats(2, listing);
        let id = upsert(&shelf, &title_format("New", "x")).await.id;
        let not = shelf.ask(ConfirmFormatInProfiles { id }).await.unwrap_err();
        assert!(not.words.contains(words) && not.words.contains("\"Lossless\""), "{}", not.words);
    }
}

#[actix_rt::test]
async fn case_28_a_fault_of_the_service_leaves_the_outcome_unknown_and_its_words_untold() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    shelf.arr.answer_instead(POST, 500, json!({ "message": "SQL s3cret", "description": "at /opt/x.cs" }));
    let prepared = shelf.prepare_format(&title_format("New", "x")).await.unwrap();
    let unfinished = shelf.send_format(&prepared).await.unwrap_err();
    assert_eq!(unfinished.outcome(), Outcome::Unknown);
    assert!(
        unfinished.to_string().contains("status 500") && !unfinished.to_string().contains("s3cret"),
        "{unfinished}"
    );
}

#[actix_rt::test]
async fn case_29_a_format_that_was_deleted_meanwhile_is_a_404_of_the_write() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let prepared = shelf.prepare_format(&title_format("BR-DISK", "x")).await.unwrap();
    shelf.arr.remove_format(2);
    let unfinished = shelf.send_format(&prepared).await.unwrap_err();
    assert_eq!((unfinished.outcome(), unfinished.code()), (Outcome::NotStarted, Code::UpstreamStatus));
    assert!(unfinished.to_string().contains("/api/v3/customformat/2 returned status 404"), "{unfinished}");
}

#[actix_rt::test]
async fn case_30_to_32_of_a_refusal_only_what_may_be_told_is_told() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let prepared = shelf.prepare_format(&title_format("New", "x")).await.unwrap();
    let host = shelf.arr.url().host_str().unwrap().to_owned();
    let told = async |body: String| {
        shelf.arr.answer_bytes_instead(POST, 400, body);
        let words = shelf.send_format(&prepared).await.unwrap_err().to_string();
        shelf.arr.forget_rules();
        words
    };
    let issue = |message: &str| json!([{ "propertyName": "Fields", "errorMessage": message, "attemptedValue": "https://x.example/?sig=s1" }]);
    let words = told(issue(&format!("{} is not taken at http://{host}/x", shelf.arr.api_key())).to_string()).await;
    assert!(words.contains("status 400: Fields: [REDACTED] is not taken at http://[REDACTED]/x"), "{words}");
    assert!(!words.contains("sig="), "{words}");
    let one = issue("a").to_string();
    for body in [
        format!("{one}{}", " ".repeat(70 * 1024)),
        format!("{one}{one}"),
        json!(vec![issue("a")[0].clone(); 21]).to_string(),
    ] {
        let words = told(body).await;
        assert!(words.contains("returned status 400") && !words.contains("Fields"), "{words}");
    }
}

#[actix_rt::test]
async fn case_36_two_looks_between_which_somebody_edits_are_not_equal() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    shelf.arr.prefer_after("GET */customformat", 1, |preferences| {
        preferences.edit_format(2, |format| format["includeCustomFormatWhenRenaming"] = json!(true));
    });
    let payload = title_format("BR-DISK", "x");
    let [one, other] = [shelf.prepare_format(&payload).await.unwrap(), shelf.prepare_format(&payload).await.unwrap()];
    assert_ne!(one.before_digest, other.before_digest);
    assert_eq!(shelf.prepare_format(&payload).await.unwrap(), other, "without an edit they are");
}

#[actix_rt::test]
async fn case_40_what_is_too_large_or_of_another_shape_is_refused_before_anything_is_read() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let with = |change: &dyn Fn(&mut Value)| {
        let mut payload = title_format("New", "x");
        change(&mut payload);
        payload
    };
    let conditions = |n: usize| vec![title_condition("x", "x"); n];
    for (payload, words) in [
        (with(&|payload| payload["specifications"] = json!(conditions(257))), "256 specifications"),
        (with(&|payload| payload["name"] = json!("é".repeat(128) + "x")), "256 bytes"),
        (with(&|payload| payload["more"] = json!("x".repeat(1 << 20))), "1 MiB"),
        (with(&|payload| payload["name"] = json!("  ")), "`name`"),
        (with(&|payload| payload["specifications"] = json!({})), "`specifications`"),
        (with(&|payload| payload["specifications"][0] = json!("x")), "no object"),
        (with(&|payload| payload["specifications"][0]["fields"] = json!("x")), "`fields`"),
        (with(&|payload| payload["ID"] = json!(7)), "upper and lower case"),
        (with(&|payload| payload["Name"] = json!("Another")), "upper and lower case"),
        (json!([]), "no JSON object"),
    ] {
        let refusal = shelf.format_refusal(&payload).await;
        assert!(refusal.contains(words), "{words}: {refusal}");
    }
    assert_eq!(shelf.arr.n_requests(), 0);
    shelf.prepare_format(&with(&|payload| payload["name"] = json!("é".repeat(128)))).await.unwrap();
    shelf.prepare_format(&with(&|payload| payload["specifications"] = json!(conditions(256)))).await.unwrap();
    let twice = JsonText::new(r#"{"name":"a","name":"b","specifications":[]}"#).unwrap();
    assert!(shelf.ask(PrepareFormat { payload: twice }).await.is_err());
}

#[actix_rt::test]
async fn case_41_a_switch_of_a_language_that_is_on_is_a_real_change() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let payload = json!({ "name": "L", "trash_id": "a", "trash_scores": { "default": 1 }, "specifications": [
        { "name": "L", "implementation": "LanguageSpecification", "negate": false, "required": false, "fields": { "value": 1 } }] });
    let id = upsert(&shelf, &payload).await.id;
    let action = async || shelf.prepare_format(&payload).await.unwrap().action;
    assert_eq!(action().await, FormatAction::Unchanged { id });
    shelf.arr.edit_format(u32::try_from(id).unwrap(), |format| {
        let fields = format["specifications"][0]["fields"].as_array_mut().unwrap();
        let except = fields.iter_mut().find(|field| field["name"] == "exceptLanguage").unwrap();
        except["value"] = json!(true);
    });
    assert_eq!(action().await, FormatAction::Update { id });
    upsert(&shelf, &payload).await;
    assert_eq!(action().await, FormatAction::Unchanged { id });
}

#[actix_rt::test]
async fn a_write_that_the_service_stores_otherwise_is_not_confirmed() {
    let shelf = Shelf::of(ArrKind::Sonarr).await;
    let prepared = shelf.prepare_format(&title_format("Scene", "new")).await.unwrap();
    let id = id_of(prepared.action);
    let answered = shelf.send_format(&prepared).await.unwrap();
    assert_eq!((answered, confirm(&shelf, &prepared, answered).await.unwrap().id), (id, id.unwrap()));
    for (edit, words) in [
        (
            (|format: &mut Value| format["specifications"][0]["fields"][0]["value"] = json!("old")) as fn(&mut Value),
            "does not have",
        ),
        (|format| format["specifications"] = json!([]), "does not have"),
        (|format| format["name"] = json!("Renamed"), "was not found"),
    ] {
        shelf.arr.edit_format(5, edit);
        assert!(confirm(&shelf, &prepared, answered).await.unwrap_err().words.contains(words), "{words}");
    }
    shelf.arr.misbehave_once("GET */customformat", Misbehaviour::HungUp);
    assert!(confirm(&shelf, &prepared, answered).await.is_err());
}

#[actix_rt::test]
async fn what_the_service_stored_without_a_difference_has_no_fields() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let mut payload = shelf.arr.formats()[1].clone();
    payload["oddity"] = json!(1);
    let prepared = shelf.prepare_format(&payload).await.unwrap();
    assert_eq!(prepared.action, FormatAction::Update { id: 2 });
    shelf.send_format(&prepared).await.unwrap();
    assert_eq!(confirm(&shelf, &prepared, Some(2)).await.unwrap().fields, Vec::new());
}

#[actix_rt::test]
async fn null_is_what_the_service_takes_for_off() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let mut payload = title_format("Lanterns", "lantern");
    payload["includeCustomFormatWhenRenaming"] = Value::Null;
    upsert(&shelf, &payload).await;
    let again = shelf.prepare_format(&payload).await.unwrap();
    assert!(matches!(again.action, FormatAction::Unchanged { .. }), "{again:?}");
}

#[actix_rt::test]
async fn another_object_than_is_named_is_not_sent() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let prepared = shelf.prepare_format(&title_format("BR-DISK", "x")).await.unwrap();
    let lease = shelf.ask(HoldWrites {}).await.unwrap();
    let order = |action, name: &str| SendFormat {
        lease,
        connection: prepared.connection,
        action,
        name: name.to_owned(),
        body: prepared.desired.clone(),
    };
    for order in [
        order(FormatAction::Create, "BR-DISK"),
        order(FormatAction::Update { id: 3 }, "BR-DISK"),
        order(FormatAction::Update { id: 2 }, "x265 (HD)"),
    ] {
        assert_eq!(shelf.ask(order).await.unwrap_err().outcome(), Outcome::NotStarted);
    }
    assert_eq!(shelf.n_writes(), 0);
    shelf.ask(ReleaseWrites { lease }).await;
    shelf.arr.misbehave_once(PUT, Misbehaviour::DoneButLost);
    assert_eq!(shelf.send_format(&prepared).await.unwrap_err().outcome(), Outcome::Unknown);
}

#[actix_rt::test]
async fn long_values_are_told_by_their_size_and_texts_are_cut_between_letters() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let mut payload = title_format("New", "x");
    payload["note"] = json!("é".repeat(300));
    payload["specifications"] = json!(vec![title_condition("x", "x"); 12]);
    let fields = shelf.prepare_format(&payload).await.unwrap().fields;
    let after = |key: &str| fields.iter().find(|field| field.key == key).unwrap().after.clone();
    assert_eq!(after("field:note"), format!("{}…", "é".repeat(254)));
    assert!(after("field:specifications").starts_with("12 rules ("));
    assert_eq!(after("field:includeCustomFormatWhenRenaming"), "off");
}
