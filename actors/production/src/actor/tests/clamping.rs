//! What keys that are bound to an engagement see.

use playhouse_house::{Scope, Scopes};
use serde_json::{Value, json};

use crate::messages::{PutEngagement, Question, Reader, SetUpStep};
use crate::model::{EngagementId, EngagementStatus, ScriptAccess};
use crate::testing::{Bed, all_scopes, each, person};

const NORTHLIGHT: EngagementId = EngagementId(1);

/// Vendor of the creature, with `read` and `submit:turnover`.
fn vendor() -> Reader {
    Reader::bound(NORTHLIGHT, Scopes::of(&[Scope::Read, Scope::SubmitTurnover]))
}

/// The same with `read:money` too.
fn vendor_with_money() -> Reader {
    Reader::bound(NORTHLIGHT, Scopes::of(&[Scope::Read, Scope::SubmitTurnover, Scope::ReadMoney]))
}

fn every_wide_question() -> Vec<Question> {
    vec![
        Question::GetProduction,
        Question::ListDepartments,
        Question::GetDepartment { slug: "vfx".to_owned() },
        Question::ListScenes,
        Question::ListAssets { department: None, kind: None, status: None },
        Question::GetAsset { node_id: 14 },
        Question::GetSchedule { episode_id: None },
        Question::ListDeliveries,
        Question::ListApprovals { status: None },
        Question::ListActivity { limit: None, before_id: None },
        Question::ScriptChanges { episode_id: None, draft_id: None },
        Question::ListPeople { department: None },
        Question::ListJobs { status: None },
    ]
}

/// Edge case 8, for every endpoint of the production as a whole.
#[actix_rt::test]
async fn v_asking_for_the_whole_production_gets_the_door_text() {
    let bed = Bed::kestrel().await;
    let door = "This key is bound to an engagement and cannot use this endpoint.";
    for question in every_wide_question() {
        assert_eq!(bed.refused(vendor(), question.clone()).await, (403, door.to_owned()), "{question:?}");
    }
}

/// Edge cases 9 and 10.
#[actix_rt::test]
async fn scope_comes_before_door() {
    let bed = Bed::kestrel().await;
    let bare = Reader::bound(NORTHLIGHT, Scopes::NONE);
    let assets = Question::ListAssets { department: None, kind: None, status: None };
    assert_eq!(bed.refused(bare, assets).await, (403, "This key does not have the 'read' scope.".to_owned()));
    let reader = Reader::wide(Scopes::of(&[Scope::Read]));
    let money = (403, "This key does not have the 'read:money' scope.".to_owned());
    assert_eq!(bed.refused(reader, Question::ListPurchaseOrders).await, money);
}

/// Edge case 11.
#[actix_rt::test]
async fn m_sees_only_the_orders_of_its_engagement_without_the_productions_own_words() {
    let bed = Bed::kestrel().await;
    let orders = bed.ask(vendor_with_money(), Question::ListPurchaseOrders).await.unwrap();
    assert_eq!(each(&orders, "number"), ["PO-1001"]);
    for hidden in ["budget_code", "approved_by", "internal_note"] {
        assert_eq!(orders[0].get(hidden), None, "{hidden}");
    }
    let all = bed.see(Question::ListPurchaseOrders).await;
    assert_eq!(each(&all, "number"), ["PO-1001", "PO-1002", "PO-1003"]);
    assert_eq!((&all[0]["budget_code"], all[0].get("internal_note")), (&json!("4420"), Some(&Value::Null)));
}

/// Edge cases 12, 13 and 15: out of reach, unknown and of the wrong kind are one answer.
#[actix_rt::test]
async fn what_is_out_of_reach_is_answered_like_what_is_not_there() {
    let bed = Bed::kestrel().await;
    for (case, node_id) in [("out of reach", 5), ("unknown", 9_999), ("a character", 2), ("nothing's id", 0)] {
        let refused = bed.refused(vendor(), Question::SceneBundle { node_id }).await;
        assert_eq!(refused, (404, "Scene not found.".to_owned()), "{case}");
    }
    for (case, node_id) in [("out of reach", 1), ("unknown", 9_999), ("a scene", 6)] {
        let refused = bed.refused(vendor(), Question::CharacterBundle { node_id }).await;
        assert_eq!(refused, (404, "Character not found.".to_owned()), "{case}");
    }
}

/// Edge case 14.
#[actix_rt::test]
async fn another_productions_ids_are_not_there() {
    let bed = Bed::kestrel().await;
    let other = bed.next_door().await;
    let reader = Reader::wide(all_scopes());
    for (question, what) in [
        (Question::SceneBundle { node_id: 6 }, "Scene"),
        (Question::GetAsset { node_id: 14 }, "Asset"),
        (Question::GetMedia { id: 1 }, "Media"),
    ] {
        assert!(bed.ask(reader, question.clone()).await.is_ok());
        assert_eq!(other.refused(reader, question).await, (404, format!("{what} not found.")));
    }
}

/// Edge case 16.
#[actix_rt::test]
async fn v_sees_of_scene_3_its_own_part() {
    let bed = Bed::kestrel().await;
    let bundle = bed.ask(vendor(), Question::SceneBundle { node_id: 6 }).await.unwrap();
    let expected = json!({
        "view": "engagement",
        "scene": {"node_id": 6, "number": "3", "heading": "I/E. TOM'S LAND ROVER / MARSH ROAD - DAY (TRAVELLING)",
                  "page_eighths": 2, "omitted": false, "colour": "white", "asset_count": 1},
        "script": {"draft_id": 1, "text": "Rain."},
        "changes": [{"draft_id": 2, "colour": "blue", "change": "unchanged"}],
        "characters": [{"node_id": 2, "name": "TOM"}],
        "assets": [{"node_id": 14, "code": "creature", "kind": "vfx", "status": "in_progress", "engagement_id": 1}],
        "schedule": [{"date": "2026-10-08"}],
        "deliveries": [{"id": 1, "title": "Creature turnover 101", "status": "open", "due_on": "2026-10-20",
                        "shots": ["KST_101_003_0010", "KST_101_003_0020"]}],
        "notes": [], "media": [], "approvals": [],
        "outstanding": ["creature is in_progress, not approved", "turnover TO-101-01 has no submission, due 2026-10-20"],
    });
    assert_eq!(bundle, expected);
}

/// Edge case 17, and no script at all.
#[actix_rt::test]
async fn script_access_decides_how_much_of_the_script_is_shown() {
    let bed = Bed::kestrel().await;
    let scene = Question::SceneBundle { node_id: 6 };
    for (access, script, has_heading) in [
        (ScriptAccess::Text, json!({"draft_id": 1, "text": "Rain."}), true),
        (ScriptAccess::Heading, json!({"draft_id": 1, "text": null}), true),
        (ScriptAccess::None, Value::Null, false),
    ] {
        let step = PutEngagement {
            code: "NLT-101".to_owned(),
            title: "Creature shots, episode 101".to_owned(),
            vendor: "NLT".to_owned(),
            status: EngagementStatus::Active,
            department: Some("vfx".to_owned()),
            starts_on: None,
            ends_on: None,
            script_access: Some(access),
            reach: None,
        };
        bed.set_up(SetUpStep::PutEngagement(step)).await.unwrap();
        let bundle = bed.ask(vendor(), scene.clone()).await.unwrap();
        assert_eq!((&bundle["script"], bundle["scene"]["heading"].is_string()), (&script, has_heading), "{access}");
    }
}

#[actix_rt::test]
async fn v_sees_a_character_in_reached_scenes_only() {
    let bed = Bed::kestrel().await;
    let tom = bed.ask(vendor(), Question::CharacterBundle { node_id: 2 }).await.unwrap();
    assert_eq!(tom["character"], json!({"node_id": 2, "name": "TOM", "cast_number": null, "description": null}));
    assert_eq!(each(&tom["scenes"], "number"), ["3"]);
    assert_eq!((&tom["assets"], each(&tom["deliveries"], "id")), (&json!([]), vec![json!(1)]));
}

#[actix_rt::test]
async fn v_sees_its_own_turnovers_and_their_packages_only() {
    let bed = Bed::kestrel().await;
    let turnovers = bed.ask(vendor(), Question::ListTurnovers).await.unwrap();
    assert_eq!(each(&turnovers, "code"), ["TO-101-01"]);
    assert_eq!(each(&turnovers[0]["package"], "media_id"), [1]);
    assert_eq!(bed.ask(vendor(), Question::GetMedia { id: 1 }).await.unwrap()["filename"], "KST_101_CUT_V03.edl");
    let sound = Reader::bound(EngagementId(2), Scopes::of(&[Scope::Read]));
    assert_eq!(bed.refused(sound, Question::GetMedia { id: 1 }).await, (404, "Media not found.".to_owned()));
    assert_eq!(each(&bed.see(Question::ListTurnovers).await, "code"), ["TO-101-01", "TO-101-02"]);
}

#[actix_rt::test]
async fn an_episode_in_reach_holds_its_scenes_and_characters_but_not_its_assets() {
    let bed = Bed::kestrel().await;
    let sound = Reader::bound(EngagementId(2), Scopes::of(&[Scope::Read]));
    let bundle = bed.ask(sound, Question::SceneBundle { node_id: 4 }).await.unwrap();
    assert_eq!((&bundle["assets"], &bundle["scene"]["asset_count"]), (&json!([]), &json!(0)));
    assert_eq!(each(&bundle["characters"], "name"), ["MARA"]);
    assert!(bed.ask(sound, Question::CharacterBundle { node_id: 3 }).await.is_ok());
}

/// Edge case 7: the standing of the engagement bites at every door through the key ring, and it is in the store for the next start.
#[actix_rt::test]
async fn an_engagement_that_is_suspended_is_written_where_keys_are_checked() {
    let bed = Bed::kestrel().await;
    let status = EngagementStatus::Suspended;
    bed.set_up(SetUpStep::SetEngagementStatus { code: "NLT-101".to_owned(), status }).await.unwrap();
    let path = playhouse_house::engagement_path(NORTHLIGHT);
    let key = playhouse_store::Key::new(bed.house, path);
    let standing = playhouse_store::read::<playhouse_house::EngagementStanding>(&*bed.store, &key).await.unwrap();
    assert!(!standing.unwrap().0.active);
}

#[actix_rt::test]
async fn a_key_of_an_engagement_that_is_not_there_sees_nothing() {
    let bed = Bed::kestrel().await;
    let stranger = Reader::bound(EngagementId(99), all_scopes());
    let refused = (403, "This key's engagement is not active.".to_owned());
    assert_eq!(bed.refused(stranger, Question::ListTurnovers).await, refused);
}

/// Edge case 7, in the office itself: whichever way a reader comes, the engagement has to be active.
#[actix_rt::test]
async fn a_reader_of_an_engagement_that_is_not_active_sees_nothing() {
    let bed = Bed::kestrel().await;
    assert!(bed.ask(vendor(), Question::ListTurnovers).await.is_ok());
    let refused = (403, "This key's engagement is not active.".to_owned());
    for status in [EngagementStatus::Suspended, EngagementStatus::Ended] {
        bed.set_up(SetUpStep::SetEngagementStatus { code: "NLT-101".to_owned(), status }).await.unwrap();
        for question in [Question::ListTurnovers, Question::SceneBundle { node_id: 6 }, Question::GetMedia { id: 1 }] {
            assert_eq!(bed.refused(vendor(), question.clone()).await, refused, "{status} {question:?}");
        }
    }
}

#[actix_rt::test]
async fn a_vendor_is_told_nobodys_name() {
    let bed = Bed::kestrel().await;
    let note =
        crate::messages::NewNote { body: "Mind the rain.".to_owned(), visibility: Some("engagement".to_owned()) };
    let order = crate::messages::AddNote { writer: person(), node_id: 6, note, idempotency: None };
    bed.call(order).await.unwrap();
    // A key of the production sends for the vendor, and somebody asks for an approval once more after the decision.
    let own = bed.key("Noor's laptop", None, all_scopes()).await;
    let files = || vec![crate::testing::file("a.mov", 'a')];
    let sent = crate::testing::submit(&bed, &own, files()).await.unwrap();
    assert_eq!(crate::testing::body(&sent)["submitted_by"]["label"], "Noor's laptop");
    let northlight = bed.key("Northlight pipeline", Some(NORTHLIGHT), vendor().scopes).await;
    let same = crate::testing::submit(&bed, &northlight, files()).await.unwrap();
    let production = json!({"kind": "person", "label": "Production"});
    assert_eq!((same.status, &crate::testing::body(&same)["submitted_by"]), (200, &production));

    let scene = Question::SceneBundle { node_id: 6 };
    let bundle = bed.ask(vendor(), scene.clone()).await.unwrap();
    assert_eq!(
        (&bundle["approvals"][0]["asked_by"], &bundle["notes"][0]["author"]),
        (&production, &json!("Production"))
    );
    let all = bed.see(scene).await;
    assert_eq!(all["approvals"][0]["asked_by"]["label"], "Noor's laptop");
    assert_eq!(all["notes"][0]["author"], "Operator");
}

#[actix_rt::test]
async fn a_vendor_is_told_the_name_of_its_own_key() {
    let bed = Bed::kestrel().await;
    let northlight = bed.key("Northlight pipeline", Some(NORTHLIGHT), vendor().scopes).await;
    crate::testing::submit(&bed, &northlight, vec![crate::testing::file("a.mov", 'a')]).await.unwrap();
    let bundle = bed.ask(vendor(), Question::SceneBundle { node_id: 6 }).await.unwrap();
    assert_eq!(bundle["approvals"][0]["asked_by"], json!({"kind": "key", "label": "Northlight pipeline"}));
}

#[actix_rt::test]
async fn why_an_import_of_orders_failed_is_told_to_keys_with_money_only() {
    let bed = Bed::kestrel().await;
    for (kind, error) in
        [("import.purchase-orders", "Row 4: '4850.001' has three decimals"), ("import.people", "Row 1")]
    {
        let id = bed.call(crate::messages::StartJob { kind: kind.to_owned() }).await.unwrap();
        bed.call(crate::messages::EndJob { id, outcome: Err(error.to_owned()) }).await.unwrap();
    }
    let jobs = || Question::ListJobs { status: Some("failed".to_owned()) };
    let without = Reader::wide(Scopes::of(&[Scope::Read]));
    for _ in 0..2 {
        // Twice: what is kept of the one answer must not be given to the other.
        assert_eq!(each(&bed.see(jobs()).await, "error"), ["Row 1", "Row 4: '4850.001' has three decimals"]);
        let hidden = "It came to nothing; keys with the scope 'read:money' see why.";
        assert_eq!(each(&bed.ask(without, jobs()).await.unwrap(), "error"), ["Row 1", hidden]);
    }
}
